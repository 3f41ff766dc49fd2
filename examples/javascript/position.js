// Positions as a network sees them: planes and numbers of moves, computed from the description in
// encoding.json and a FEN. It knows no game; docs/export.md defines the description's terms.
'use strict';
const {InputError} = require('./input_error');

const DIGITS = /^[0-9]+/;
const MISSING = '*';  // in a FEN: a square that does not exist now

class Position {
  /** `repetitions`: how often the position occurred before in the game. */
  constructor(encoding, fen, repetitions = 0) {
    this.encoding = encoding;
    this.fen = fen;
    this.repetitions = repetitions;
    this.fields = fen.trim().split(/\s+/);
    if (this.fields.length < 6)
      throw new InputError(`FEN '${fen}': ${this.fields.length} fields; at least 6 are needed`);
    if (!['w', 'b'].includes(this.fields[1]))
      throw new InputError(`FEN '${fen}': the side to move is '${this.fields[1]}', not w or b`);
    this.side = this.fields[1] === 'w' ? 'white' : 'black';
    this.readPieces();
    this.findCells();
  }

  /** The same board with `side` to move, 'white' or 'black'. */
  seenBy(side) {
    const fields = [...this.fields];
    fields[1] = side[0];
    return new Position(this.encoding, fields.join(' '), this.repetitions);
  }

  /** Fills `pieces`: by square, the FEN's letter, MISSING, or '' for an empty square. */
  readPieces() {
    this.pieces = Array(this.encoding.squares.length).fill('');
    const [board, hands] = this.fields[0].split('[');
    this.hands = hands || '';  // of both sides, Black's in lower case
    const levels = board.split('|');
    this.levelCount = levels.length;
    if (levels.length > this.encoding.fen_rows.length)
      throw new InputError(`FEN '${this.fen}': ${levels.length} levels; the game has ${
          this.encoding.fen_rows.length}`);
    levels.forEach((level, l) => {
      const rows = this.encoding.fen_rows[l];
      const texts = level.split('/');
      if (texts.length !== rows.length)
        throw new InputError(
            `FEN '${this.fen}': ${texts.length} rows where there are ${rows.length}`);
      texts.forEach((text, r) => this.readRow(text, rows[r]));
    });
  }

  readRow(text, squares) {
    let column = 0;
    for (let at = 0; at < text.length;) {
      const digits = DIGITS.exec(text.slice(at));
      if (digits) {
        column += Number(digits[0]);
        at += digits[0].length;
      } else {
        const length = text[at] === '+' ? 2 : 1;  // what is promoted, as in shogi
        this.pieces[squares[column++]] = text.slice(at, at + length);
        at += length;
      }
    }
    if (column !== squares.length)
      throw new InputError(`FEN '${this.fen}': the row '${text}' has ${column} squares, not ${
          squares.length}`);
  }

  /** Fills `cells`: by square, its policy cell for the side to move. */
  findCells() {
    this.cells = this.encoding.squares.map((square) => square.cell[this.side]);
    const moved = this.encoding.moved_cells;
    if (!moved) return;
    this.cells = this.tableOf(moved, 'cells')[this.side];
  }
  /** The table for the numbers that the FEN has: one, or a list of them. */
  tableOf({field, number, tables}, what) {
    const values = [number].flat().map((index) => this.number(field, index));
    const table = tables.find((one) => [one.value].flat().every((value, i) => value === values[i]));
    if (table) return table;
    throw new InputError(`FEN '${this.fen}': encoding.json has no ${what} for ${values} in field ${
        field}`);
  }

  number(field, index) {
    const value = Number((this.fields[field] || '').split(/[,/+]/)[index] || 0);
    if (Number.isFinite(value)) return value;
    throw new InputError(
        `FEN '${this.fen}': field ${field} is '${this.fields[field]}', not a list of numbers`);
  }
  exists(square) {
    const rule = this.encoding.squares[square].exists;
    if (rule === 'fen') return this.pieces[square] !== MISSING;
    return this.levelCount >= rule.levels[0] && this.levelCount <= rule.levels[1];
  }
  /** A FEN's letter of the side ('own', 'enemy'), from White's. */
  letterOf(side, letter) {
    const isWhite = (side === 'own') === (this.side === 'white');
    return isWhite ? letter : letter.toLowerCase();
  }
  /** By square, how many pieces of a side attack it. */
  attacks(side) {
    const {patterns, tables, field} = this.encoding.attacks;
    const table = field === undefined ? tables[0] : this.tableOf(this.encoding.attacks, 'attacks');
    const times = Array(this.pieces.length).fill(0);
    this.pieces.forEach((letter, from) => {
      if (!patterns[letter] || this.letterOf(side, letter.toUpperCase()) !== letter) return;
      const reached = new Set();
      const ways = table.ways || {};
      for (const way of patterns[letter].flatMap((pattern) => (ways[pattern] || [])[from] || []))
        if (this.isOpen(way)) reached.add(way.to);
      for (const line of patterns[letter].flatMap((pattern) => table.lines[pattern][from]))
        for (const to of line) {
          if (this.pieces[to] === MISSING) break;
          reached.add(to);
          if (this.pieces[to] !== '') break;
        }
      for (const to of reached) ++times[to];
    });
    return times;
  }
  /** Whether a piece can attack this way: over empty squares, and over a hurdle if there is one. */
  isOpen({to, over, hurdle}) {
    const isPiece = (square) => this.pieces[square] !== '' && this.pieces[square] !== MISSING;
    return over.every((square) => this.pieces[square] === '') &&
        (hurdle === undefined || isPiece(hurdle)) && this.pieces[to] !== MISSING;
  }
  squaresWhere(isMarked) {
    return this.encoding.squares.map((_, s) => s).filter(isMarked);
  }
  /**
   * The square of the piece that the turn before moved over those of field 3, or -1: the one that is
   * named, or else the only one that can have come that way.
   */
  passingPiece(steps) {
    const [passed, named] = this.fields[3].split('/');
    if (named) return this.squareNamed(named);
    if (passed === '-') return -1;
    const squares = passed.split('+').map((name) => this.squareNamed(name));
    const ways = {};  // by the ends of a step, what it can have passed over
    for (const {letter, from, to, over} of steps)
      if (letter === this.pieces[to] && this.letterOf('enemy', letter.toUpperCase()) === letter &&
          this.pieces[from] === '' && over.every((s) => this.pieces[s] === ''))
        (ways[`${from} ${to}`] ||= {to, over: []}).over.push(...over);
    const way = Object.values(ways).find(({over}) => squares.every((s) => over.includes(s)));
    return way ? way.to : -1;
  }
  squareNamed(name) {
    return this.encoding.squares.findIndex((square) => square.name === name);
  }

  /** Float32Array [planes, height, width], flat. */
  planes() {
    const {planes, height, width, levels} = this.encoding;
    const size = height * width;
    const all = new Float32Array(planes.length * size);
    planes.forEach(({source, divisor}, p) => {
      const plane = all.subarray(p * size, (p + 1) * size);
      if (Object.hasOwn(FILLS, source.term)) {
        plane.fill(FILLS[source.term](this, source) / divisor);
        return;
      }
      for (const square of MARKS[source.term](this, source)) {
        const cell = this.cells[square];
        if (source.level && cell % levels !== source.level - 1) continue;
        plane[Math.floor(cell / levels)] = 1 / divisor;
      }
    });
    return all;
  }

  /** The number of a legal move, given as text, among the network's moves. */
  slot(move) {
    const {policy} = this.encoding;
    for (let kind = 0; kind < policy.kinds.length; ++kind) {
      const cells = this.cellsOf(move, policy.kinds[kind]);
      if (cells) return (cells.from * policy.cells + cells.to) * policy.kinds.length + kind;
    }
    throw new InputError(`no kind of move is written '${move}'; such as ${
        policy.kinds.map((kind) => kind.text).join(', ')}`);
  }

  /** {from, to}, policy cells, of a move if it is of this kind; null otherwise. */
  cellsOf(move, kind) {
    if (kind.turns) {
      const turn = kind.turns[move];
      return turn ? {from: turn[this.side], to: turn[this.side]} : null;
    }
    if (kind.others) {
      const {others: text, movers, ...rest} = kind;
      const cells = this.cellsOf(move, {...rest, text});
      if (cells) return cells;
    }
    if (kind.piece) {
      const cell = this.cells[this.pieces.indexOf(this.letterOf('own', kind.piece))];
      return move === kind.text && cell !== undefined ? {from: cell, to: cell} : null;
    }
    const places = kind.places ?
        this.encoding.policy[kind.places].map(({name, cell}) => ({name, cell: cell[this.side]})) :
        this.encoding.squares.map(({name}, s) => ({name, cell: this.cells[s]}));
    if (!kind.text.includes('{from}')) {  // a drop
      const start = kind.text.slice(0, kind.text.indexOf('{to}'));
      const to = places.find(({name}) => start + name === move);
      return to ? {from: to.cell, to: to.cell} : null;
    }
    const [before, between, after] = kind.text.split(/\{from\}|\{to\}/);
    for (const from of places) {
      const start = before + from.name + between;
      if (!move.startsWith(start)) continue;
      const rest = move.slice(start.length);
      const to = places.find(({name}) => name + after === rest);
      if (!to) continue;
      const {levels} = this.encoding;
      const sameLevel = from.cell % levels === to.cell % levels;
      if (kind.levels && (kind.levels === 'same') !== sameLevel) continue;
      const piece = this.pieces[this.squareNamed(from.name)];
      if (kind.movers && !kind.movers.some((letter) => this.letterOf('own', letter) === piece))
        continue;
      return {from: from.cell, to: to.cell};
    }
    return null;
  }
}

/** Sources that mark squares: (position, source) to a list of squares. */
const MARKS = {
  'piece': (position, {side, letter}) => {
    const own = position.letterOf(side, letter);
    return position.squaresWhere((s) => position.pieces[s] === own);
  },
  'existing-squares': (position) => position.squaresWhere((s) => position.exists(s)),
  'missing-squares': (position) => position.squaresWhere((s) => !position.exists(s)),
  'square-set': (position, source) => source[position.side].filter((s) => position.exists(s)),
  'fen-squares': (position, {field, squares}) =>
      squares[(position.fields[field] || '').split('/').slice(1).join('/')] || [],
  'en-passant-square': (position) =>
      position.fields[3].split('/')[0].split('+').map((name) => position.squareNamed(name))
          .filter((s) => s >= 0),
  'passing-piece': (position, {steps}) => [position.passingPiece(steps)].filter((s) => s >= 0),
  'attacks': (position, {side, at_least: least}) => {
    const times = position.attacks(side);
    return position.squaresWhere((s) => times[s] >= least);
  },
  'castling-rooks': (position, {side, rooks, level = 1}) =>
      Object.entries(rooks)
          .filter(([letter]) => position.letterOf(side, letter.toUpperCase()) === letter)
          .filter(([letter]) => (position.fields[2].split('|')[level - 1] || '').includes(letter))
          .map(([, name]) => position.squareNamed(name)),
};

/** Sources that fill the plane: (position, source) to a number. */
const FILLS = {
  'constant': () => 1,
  'levels': (position) => position.levelCount,
  'black-to-move': (position) => (position.side === 'black' ? 1 : 0),
  'plies-since-progress': (position) => position.number(4, 0),
  'earlier-occurrences': (position) => position.repetitions,
  'fen-number': (position, source) => position.number(source.field, source[position.side]),
  'fen-word': (position, {field, values}) =>
      values[(position.fields[field] || '').split('/').slice(1).join('/')] || 0,
  'turn-modulo': (position, {every, field, first}) =>
      (2 * position.number(field, 0) - (position.side === first ? 1 : 0)) % every,
  'hand': (position, {side, letter}) =>
      [...position.hands].filter((held) => held === position.letterOf(side, letter)).length,
  'castling-right': (position, {side, wing, level = 1}) => {
    const rights = position.fields[2].split('|')[level - 1] || '';
    return rights.includes(position.letterOf(side, wing)) ? 1 : 0;
  },
};

/** The vocabulary of plane sources that this file knows. */
const TERMS = [...Object.keys(MARKS), ...Object.keys(FILLS)];

module.exports = {Position, MARKS, FILLS, TERMS};
