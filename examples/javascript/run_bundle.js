// Evaluates positions with a network, knowing nothing of its game but what the bundle says.
//
//   node run_bundle.js BUNDLE                  computes all golden positions and compares
//   node run_bundle.js BUNDLE FEN MOVE...      evaluates one position with these legal moves
//
// BUNDLE is a zip archive that `faultline export --format bundle` wrote, or a folder with its files.
// Exit code 0: good; 1: something is not as in golden.jsonl; 2: the input cannot be used.
'use strict';
const fs = require('fs');
const path = require('path');
const {checkDescription} = require('./description');
const {InputError} = require('./input_error');
const {Position} = require('./position');
const {readZip} = require('./zip');

const SHOWN_MOVES = 5;
const MOST_FAULTS = 5;

/** A function from a file's name to its content. */
function openBundle(bundle) {
  if (!fs.existsSync(bundle)) throw new InputError(`${bundle}: there is no such file or folder`);
  const isFolder = fs.statSync(bundle).isDirectory();
  let members;
  try {
    members = isFolder ? null : readZip(fs.readFileSync(bundle));
  } catch (error) {
    throw new InputError(`${bundle}: ${error.message}`);
  }
  return (name) => {
    const file = path.join(bundle, name);
    if (isFolder ? !fs.existsSync(file) : !members.has(name))
      throw new InputError(`${bundle} is not a bundle: it has no ${name}`);
    return isFolder ? fs.readFileSync(file) : members.get(name);
  };
}

function parse(text, what) {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new InputError(`${what}: ${error.message}`);
  }
}

function loadOnnxRuntime() {
  try {
    return require('onnxruntime-node');
  } catch (error) {
    throw new InputError(
        `onnxruntime-node cannot be loaded (${error.message.split('\n')[0]}); ` +
        `run 'npm install --ignore-scripts' in ${__dirname}`);
  }
}

function softmax(logits) {
  const highest = Math.max(...logits);
  const exponentials = logits.map((logit) => Math.exp(logit - highest));
  const sum = exponentials.reduce((a, b) => a + b, 0);
  return exponentials.map((e) => e / sum);
}

class Network {
  static async load(onnx, encoding) {
    const network = new Network();
    network.runtime = loadOnnxRuntime();
    network.encoding = encoding;
    try {
      network.session =
          await network.runtime.InferenceSession.create(onnx, {intraOpNumThreads: 1});
    } catch (error) {
      throw new InputError(`model.onnx: ${error.message}`);
    }
    return network;
  }

  /** Probabilities of the moves with these slots, and of win, draw and loss; plies left. */
  async evaluate(planes, slots) {
    const {Tensor} = this.runtime;
    const {encoding, session} = this;
    const shape = [1, encoding.planes.length, encoding.height, encoding.width];
    const feeds = {planes: new Tensor('float32', planes, shape)};
    const asksMoves = session.inputNames.includes('move_slots');
    if (asksMoves)
      feeds.move_slots =
          new Tensor('int64', BigInt64Array.from(slots, BigInt), [1, slots.length]);
    const outputs = await session.run(feeds);
    return {
      policy: asksMoves ? [...outputs.policy.data] :
                          softmax(slots.map((slot) => outputs.policy_logits.data[slot])),
      wdl: [...outputs.wdl.data],
      movesLeft: outputs.moves_left.data[0],
    };
  }
}

function print(position, moves, {policy, wdl, movesLeft}) {
  const percent = (probability) => `${(100 * probability).toFixed(1)} %`;
  console.log(position.fen);
  console.log(`${position.side} wins ${percent(wdl[0])}, draws ${percent(wdl[1])}, loses ${
      percent(wdl[2])}; ${movesLeft.toFixed(1)} plies left`);
  const order = moves.map((_, i) => i).sort((a, b) => policy[b] - policy[a]);
  for (const i of order.slice(0, SHOWN_MOVES)) console.log(`  ${moves[i]}  ${percent(policy[i])}`);
}

/** golden.jsonl's planes, from their sparse form. */
function goldenPlanes(golden, encoding) {
  const size = encoding.height * encoding.width;
  const planes = new Float32Array(encoding.planes.length * size);
  for (const [plane, value, ...cells] of golden.planes)
    if (cells.length === 0)
      planes.fill(value, plane * size, (plane + 1) * size);
    else
      for (const cell of cells) planes[plane * size + cell] = value;
  return planes;
}

/** The numbers of planes that only faultline can fill; those of golden positions are known. */
function undescribed(encoding) {
  return [...encoding.planes.keys()].filter(
      (p) => encoding.planes[p].source.term === 'undescribed');
}

/** Compares what is computed from the FEN and the moves' texts alone with golden.jsonl. */
class Comparison {
  constructor(tolerance) {
    this.tolerance = tolerance;
    this.faults = [];
    this.probability = 0;
    this.movesLeft = 0;
  }
  fault(line, golden, text) {
    this.faults.push(`golden.jsonl, line ${line} (${golden.fen}): ${text}`);
  }

  compareInputs(line, golden, encoding, planes, slots) {
    const size = encoding.height * encoding.width;
    const expected = goldenPlanes(golden, encoding);
    const wrong = planes.findIndex((value, i) => value !== expected[i]);
    if (wrong >= 0)
      this.fault(line, golden, `plane '${encoding.planes[Math.floor(wrong / size)].name}', cell ${
          wrong % size}: ${planes[wrong]}, expected ${expected[wrong]}`);
    golden.moves.forEach(([move, slot], i) => {
      if (slots[i] !== slot)
        this.fault(line, golden, `${move}: slot ${slots[i]}, expected ${slot}`);
    });
  }

  compareOutputs(line, golden, {policy, wdl, movesLeft}) {
    const pairs = golden.moves.map(([move, , p], i) => [`probability of ${move}`, policy[i], p]);
    ['win', 'draw', 'loss'].forEach((what, i) => pairs.push([what, wdl[i], golden.wdl[i]]));
    for (const [what, given, expected] of pairs) {
      const difference = Math.abs(given - expected);
      this.probability = Math.max(this.probability, difference);
      if (!(difference <= this.tolerance.probability))
        this.fault(line, golden, `${what}: ${given}, expected ${expected}`);
    }
    const relative = Math.abs(movesLeft - golden.moves_left) / Math.max(1, golden.moves_left);
    this.movesLeft = Math.max(this.movesLeft, relative);
    if (!(relative <= this.tolerance.moves_left))
      this.fault(line, golden, `moves left: ${movesLeft}, expected ${golden.moves_left}`);
  }
}

async function checkGolden(file, encoding, network) {
  const {tolerance} = parse(file('model.json'), 'model.json');
  if (!tolerance) throw new InputError("model.json: 'tolerance' is missing");
  const lines = file('golden.jsonl').toString().split('\n').filter((line) => line !== '');
  if (lines.length === 0) throw new InputError('golden.jsonl has no positions');
  const comparison = new Comparison(tolerance);
  for (const [i, text] of lines.entries()) {
    const golden = parse(text, `golden.jsonl, line ${i + 1}`);
    for (const key of ['fen', 'planes', 'moves', 'wdl', 'moves_left'])
      if (golden[key] === undefined)
        throw new InputError(`golden.jsonl, line ${i + 1}: '${key}' is missing`);
    const position = new Position(encoding, golden.fen, golden.repetitions);
    const planes = position.planes();
    const size = encoding.height * encoding.width;
    const known = goldenPlanes(golden, encoding);
    for (const p of undescribed(encoding))
      planes.set(known.subarray(p * size, (p + 1) * size), p * size);
    const moves = golden.moves.map(([move]) => move);
    const slots = moves.map((move) => position.slot(move));
    comparison.compareInputs(i + 1, golden, encoding, planes, slots);
    const outputs = await network.evaluate(planes, slots);
    comparison.compareOutputs(i + 1, golden, outputs);
    if (i === 0) print(position, moves, outputs);
  }
  const {faults} = comparison;
  for (const fault of faults.slice(0, MOST_FAULTS)) console.log(fault);
  if (faults.length > MOST_FAULTS) console.log(`and ${faults.length - MOST_FAULTS} more`);
  console.log(`${lines.length} positions; largest difference of a probability ${
      comparison.probability.toExponential(1)}, of moves left ${
      comparison.movesLeft.toExponential(1)}: ${faults.length === 0 ? 'good' : 'not good'}`);
  return faults.length === 0 ? 0 : 1;
}

async function main([bundle, fen, ...moves]) {
  if (!bundle || bundle.startsWith('-') || (fen && moves.length === 0))
    throw new InputError('usage: node run_bundle.js BUNDLE [FEN MOVE...]');
  const file = openBundle(bundle);
  const encoding = parse(file('encoding.json'), 'encoding.json');
  checkDescription(encoding);
  const network = await Network.load(file('model.onnx'), encoding);
  if (!fen) return checkGolden(file, encoding, network);
  const [unknown] = undescribed(encoding);
  if (unknown !== undefined)
    throw new InputError(`encoding.json: the plane '${encoding.planes[unknown].name}' is ` +
        'undescribed: only faultline can fill it, and only golden positions can be evaluated ' +
        '(of games of files, train with net.attack_planes = false)');
  const position = new Position(encoding, fen);
  const slots = moves.map((move) => position.slot(move));
  print(position, moves, await network.evaluate(position.planes(), slots));
  return 0;
}

main(process.argv.slice(2))
    .then((code) => {
      process.exitCode = code;
    })
    .catch((error) => {
      console.error(error instanceof InputError ? `error: ${error.message}` : error.stack);
      process.exitCode = 2;
    });
