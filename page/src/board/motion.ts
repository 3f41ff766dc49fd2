// What moves between two positions: pieces, and squares with boards.
import type { Board, Point, Position } from "./position";

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

const isWhite = (letter: string): boolean => letter === letter.toUpperCase();
const distance = (a: Point, b: Point): number => Math.hypot(a.x - b.x, a.y - b.y);

/** The square of a board whose centre is at a point. */
function squareAt(board: Board, point: Point): number | undefined {
  return board.squares.find((square) => distance(square.centre, point) < 0.01)?.number;
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
  if (before.board.levels.length !== after.board.levels.length) {
    motion.fade = true;
    return motion;
  }
  const by = carried(before, after);
  if (before.board !== after.board)
    for (const [from, to] of by) motion.squares.set(to, from);

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
