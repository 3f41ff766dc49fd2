// Evaluates positions with a fast network, knowing nothing of its game but what the file says.
//
//   node run_fast.js FILE          computes all golden positions and compares
//   node run_fast.js FILE FEN      evaluates one position
//
// FILE is what `faultline export --format fast` wrote, or fast.safetensors of a bundle.
// Exit code 0: good; 1: a score is not the golden one; 2: the input cannot be used.
'use strict';
const fs = require('fs');
const {checkDescription} = require('./description');
const {InputError} = require('./input_error');
const {Position, FILLS, MARKS} = require('./position');
const {readSafetensors} = require('./safetensors');

const FORMAT = 1;
const MOST_FAULTS = 5;

const clamp = (number, least, most) => Math.min(Math.max(number, least), most);

class FastNetwork {
  constructor(file) {
    if (!fs.existsSync(file)) throw new InputError(`${file}: there is no such file`);
    let content;
    try {
      content = readSafetensors(fs.readFileSync(file));
      for (const key of ['encoding', 'evaluation', 'golden']) {
        if (content.metadata[key] === undefined)
          throw new Error(`its metadata have no '${key}'; it is not an exported fast network`);
        this[key] = JSON.parse(content.metadata[key]);
      }
    } catch (error) {
      throw new InputError(`${file}: ${error.message}`);
    }
    checkDescription(this.encoding);
    const {format, hidden, inputs} = this.evaluation;
    if (format !== FORMAT)
      throw new InputError(`${file}: its format is ${format}; this program reads ${FORMAT}`);
    const count = inputs.reduce((sum, group) => sum + group.size, 0);
    const lengths =
        {first: count * hidden, direct: count, bias: hidden, second: 2 * hidden, output: 1};
    for (const [name, length] of Object.entries(lengths))
      if (!content.tensors[name] || content.tensors[name].length !== length)
        throw new InputError(`${file}: the tensor '${name}' must have ${length} numbers`);
    for (const {name, source} of inputs)
      if (source.term === 'undescribed')
        throw new InputError(`${file}: input '${name}' is undescribed: only faultline can tell it`);
      else if (!Object.hasOwn(MARKS, source.term) && !Object.hasOwn(FILLS, source.term))
        throw new InputError(`${file}: input '${name}': there is no term '${source.term}'`);
    this.tensors = content.tensors;
  }

  /** The numbers of the inputs that are 1, as the side to move in `position` sees it. */
  inputs(position) {
    const numbers = [];
    for (const {first, view, source, least, most} of this.evaluation.inputs) {
      if (view && view !== position.side) continue;
      if (least === undefined)
        for (const square of MARKS[source.term](position, source))
          numbers.push(first + position.cells[square]);
      else
        numbers.push(first + clamp(FILLS[source.term](position, source), least, most) - least);
    }
    return numbers;
  }

  /** Centipawns for the side to move. */
  score(position) {
    const {hidden, scale} = this.evaluation;
    const {first, direct, bias, second, output} = this.tensors;
    let linear = 0;
    let sum = 0;
    const views = [position, position.seenBy(position.side === 'white' ? 'black' : 'white')];
    views.forEach((view, side) => {
      const units = [...bias];
      for (const input of this.inputs(view)) {
        linear += side === 0 ? direct[input] : -direct[input];
        for (let h = 0; h < hidden; ++h) units[h] += first[input * hidden + h];
      }
      units.forEach((unit, h) => {
        sum += clamp(unit, 0, scale) * second[side * hidden + h];
      });
    });
    const {direct_divisor: directDivisor, hidden_divisor: hiddenDivisor} = this.evaluation;
    return Math.trunc(linear / directDivisor) + Math.trunc(sum / hiddenDivisor) + output[0];
  }
}

function checkGolden(network) {
  const faults = [];
  for (const {fen, score} of network.golden) {
    const found = network.score(new Position(network.encoding, fen));
    if (found !== score) faults.push(`${fen}: ${found}, expected ${score}`);
  }
  for (const fault of faults.slice(0, MOST_FAULTS)) console.log(fault);
  if (faults.length > MOST_FAULTS) console.log(`and ${faults.length - MOST_FAULTS} more`);
  console.log(`${network.golden.length} positions: ${faults.length === 0 ? 'good' : 'not good'}`);
  return faults.length === 0 ? 0 : 1;
}

function main([file, fen, ...others]) {
  if (!file || file.startsWith('-') || others.length > 0)
    throw new InputError('usage: node run_fast.js FILE [FEN]');
  const network = new FastNetwork(file);
  if (!fen) return checkGolden(network);
  const position = new Position(network.encoding, fen);
  console.log(`${network.score(position)} centipawns for ${position.side}`);
  return 0;
}

try {
  process.exitCode = main(process.argv.slice(2));
} catch (error) {
  console.error(error instanceof InputError ? `error: ${error.message}` : error.stack);
  process.exitCode = 2;
}
