// What moves between two positions: pieces, and squares with boards.
import { isWhite, type Board, type Point, type Position } from "./position";

export interface Motion {
  /** Squares of the later position that come from elsewhere: their numbers in the earlier one. */
  squares: Map<number, number>;
  /** Pieces of the later position by square: where each was in the earlier one. */
  pieces: Map<number, number>;
  /** Squares of the earlier position whose pieces are gone. */
  gone: number[];
  /** Whether the boards have nothing to do with each other: fade from one to the other. */
  fade: boolean;
}

const distance = (a: Point, b: Point): number => Math.hypot(a.x - b.x, a.y - b.y);

/** The square of a board whose centre is at a point. */
function squareAt(board: Board, point: Point): number | undefined {
  return board.squares.find((square) => distance(square.centre, point) < 0.01)?.number;
}

/** Where squares went when levels vanished, by numbers: those of a vanished level to the same place of the one above it.
 * Which ones vanished is seen from the pieces: the most of them are where they would be then. */
function levelled(before: Position, after: Position): { pieces: Map<number, number>; squares: Map<number, number> } {
  const levels = before.board.levels.length, gone = levels - after.board.levels.length;
  const place = (board: Board, level: number, p: Point) =>
    `${level} ${(p.x - board.levels[level].low.x).toFixed(2)} ${(p.y - board.levels[level].low.y).toFixed(2)}`;
  const places = new Map(after.board.squares.map((square) => [place(after.board, square.level, square.centre), square.number]));
  const low = (level: number) => before.board.levels[level].low;
  let best = { pieces: new Map<number, number>(), squares: new Map<number, number>() }, most = -1;
  for (let set = 0; set < 1 << levels; set += 2) {  // Never the outermost one.
    const vanishes = (level: number) => ((set >> level) & 1) === 1;
    const numbers = [...Array(levels).keys()];
    if (numbers.filter(vanishes).length !== gone) continue;
    const pieces = new Map<number, number>(), squares = new Map<number, number>();
    for (const { number, level, centre } of before.board.squares) {
      const kept = numbers.filter((one) => one <= level && !vanishes(one)).length;
      const to = kept - 1;
      const end = after.board.levels[to].low;
      const at = places.get(place(after.board, to, { x: centre.x - low(level).x + end.x, y: centre.y - low(level).y + end.y }));
      if (at === undefined) continue;
      pieces.set(number, at);
      if (!vanishes(level)) squares.set(number, at);
    }
    const score = [...before.pieces].filter(([number, letter]) => {
      const moved = number === after.move?.[0] ? after.move[1] : number;
      return after.pieces.get(pieces.get(moved) ?? -1) === letter;
    }).length;
    if (score > most) [best, most] = [{ pieces, squares }, score];
  }
  return best;
}

/** Where the movements of the board carried what was on a square, by square numbers. */
function carried(before: Position, after: Position): Map<number, number> {
  const map = new Map<number, number>();
  if (before.board !== after.board) {
    // A block that slides keeps the order of its squares.
    const vanished = before.board.squares.filter((square) => !after.board.byNumber.has(square.number));
    const appeared = after.board.squares.filter((square) => !before.board.byNumber.has(square.number));
    if (vanished.length === appeared.length)
      vanished.forEach((square, i) => map.set(square.number, appeared[i].number));
  }
  for (const number of after.moved) {
    const mark = after.board.marks[number];
    if (mark?.kind !== "staircase") continue;
    const steps = mark.points.map((point) => squareAt(after.board, point));
    steps.forEach((step, i) => {
      const next = steps[(i + 1) % steps.length];
      if (step !== undefined && next !== undefined) map.set(step, next);
    });
  }
  return map;
}

export function motionBetween(before: Position, after: Position): Motion {
  const motion: Motion = { squares: new Map(), pieces: new Map(), gone: [], fade: false };
  if (before.board.levels.length < after.board.levels.length) {
    motion.fade = true;
    return motion;
  }
  const fewer = before.board.levels.length > after.board.levels.length ? levelled(before, after) : null;
  const by = fewer?.pieces ?? carried(before, after);
  if (before.board !== after.board)
    for (const [from, to] of fewer?.squares ?? by) motion.squares.set(to, from);

  let lost: number[] = [];
  for (const [square, letter] of before.pieces) {
    let at = square;
    if (after.move && square === after.move[0]) at = after.move[1];
    else if (after.move && square === after.move[1]) { lost.push(square); continue; }
    at = by.get(at) ?? at;
    const there = after.pieces.get(at);
    const same = there === letter || (there !== undefined && letter.toUpperCase() !== "K" &&
      isWhite(there) === isWhite(letter) && at !== square);
    if (same && !motion.pieces.has(at)) motion.pieces.set(at, square);
    else lost.push(square);
  }
  // Rooks that castle, and whatever else has gone elsewhere: the nearest one of its kind.
  for (const [square, letter] of after.pieces) {
    if (motion.pieces.has(square)) continue;
    const to = after.board.byNumber.get(square)!.centre;
    const candidates = lost.filter((from) => before.pieces.get(from) === letter &&
      (!after.move || from !== after.move[1]));
    if (candidates.length === 0) continue;
    const far = (from: number) => distance(before.board.byNumber.get(from)!.centre, to);
    const nearest = candidates.reduce((a, b) => (far(b) < far(a) ? b : a));
    motion.pieces.set(square, nearest);
    lost = lost.filter((from) => from !== nearest);
  }
  motion.gone = lost;
  return motion;
}
