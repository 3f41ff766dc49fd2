// What a move would do, drawn over the position before it: where everything that moves ends, what is lost, what the
// opponent attacks then.
import { svg } from "../common/dom";
import { drawnAll, fixed, kUnit, type Drawing } from "./drawing";
import { motionBetween } from "./motion";
import type { Placing } from "./placing";
import type { Point, Position, Square } from "./position";

export interface Effects { items: SVGElement[]; dimmed: number[] }

const near = (a: Point, b: Point): boolean => Math.hypot(a.x - b.x, a.y - b.y) < 0.01;

/** A cross in a square: what stands there is lost, or it is no target. */
export function cross(placing: Placing, square: Square, name: string): SVGElement {
  const { x, y } = placing.point(square.centre, square.level);
  const r = 0.3 * placing.scale(square.level);
  const path = [[-r, -r, r, r], [-r, r, r, -r]].map(([a, b, c, d]) =>
    `M${fixed(kUnit * (x + a))} ${fixed(-kUnit * (y + b))}L${fixed(kUnit * (x + c))} ${fixed(-kUnit * (y + d))}`).join("");
  return svg("path", { class: name, d: path });
}

/** A ring in a square; `radius` in squares. */
export function ring(placing: Placing, square: Square, name: string, radius: number): SVGElement {
  const { x, y } = placing.point(square.centre, square.level);
  return svg("circle", { class: name, cx: fixed(kUnit * x), cy: fixed(-kUnit * y),
                         r: fixed(kUnit * radius * placing.scale(square.level)) });
}

export function outline(placing: Placing, square: Square, name: string): SVGElement {
  return svg("polygon", { class: name, points: drawnAll(square.polygon.map((corner) => placing.point(corner, square.level))) });
}

/** Corners of squares that are attacked. */
function attack(placing: Placing, square: Square): SVGElement {
  const [a, b, c] = [square.polygon[0], square.polygon[1], square.polygon[square.polygon.length - 1]];
  const part = (p: Point): Point => ({ x: a.x + 0.3 * (p.x - a.x), y: a.y + 0.3 * (p.y - a.y) });
  return svg("polygon", { class: "attacked",
                          points: drawnAll([a, part(b), part(c)].map((p) => placing.point(p, square.level))) });
}

export function effects(drawing: Drawing, now: Position, after: Position, attacked: number[]): Effects {
  const motion = motionBetween(now, after);
  const from = drawing.placing(now), to = drawing.placing(after);
  const items: SVGElement[] = [], dimmed: number[] = [];
  const add = (square: Square | undefined, make: (square: Square) => SVGElement) => { if (square) items.push(make(square)); };
  const at = (square: Square, placing: Placing) => placing.point(square.centre, square.level);

  const kept = new Set<number>();
  for (const square of after.board.squares) {
    const origin = now.board.byNumber.get(motion.squares.get(square.number) ?? square.number);
    if (origin) kept.add(origin.number);
    if (now.board !== after.board && (!origin || !near(at(origin, from), at(square, to))))
      items.push(outline(to, square, "displaced"));
  }
  for (const square of now.board.squares) if (!kept.has(square.number)) items.push(outline(from, square, "vanishing"));
  for (const number of attacked) add(after.board.byNumber.get(number), (square) => attack(to, square));

  const arrows: SVGElement[] = [], ghosts: SVGElement[] = [];
  for (const [square, letter] of after.pieces) {
    const end = after.board.byNumber.get(square)!;
    const origin = motion.pieces.get(square);
    const start = origin === undefined ? undefined : now.board.byNumber.get(origin);
    const changed = start === undefined || now.pieces.get(origin!) !== letter;
    if (start && near(at(start, from), at(end, to)) && !changed) continue;
    if (origin !== undefined) dimmed.push(origin);
    // Pieces that go along with their square need no arrow of their own.
    const along = start !== undefined && now.board !== after.board && origin !== after.move?.[0] &&
      (motion.squares.get(square) ?? square) === origin;
    if (start && !along && !near(at(start, from), at(end, to)))
      arrows.push(drawing.arrow(at(start, from), at(end, to), "path", 0.5 * to.scale(end.level)));
    const ghost = drawing.piece(letter, at(end, to), to.scale(end.level));
    ghost.classList.add("ghost");
    ghosts.push(ghost);
    if (changed) ghosts.push(ring(to, end, "changed", 0.46));
  }
  for (const number of motion.gone) {
    const square = now.board.byNumber.get(number)!;
    const captured = number === after.move?.[1];
    ghosts.push(captured ? ring(from, square, "capture", 0.46) : cross(from, square, "lost"));
    dimmed.push(number);
  }
  for (const number of after.checks) add(after.board.byNumber.get(number), (square) => ring(to, square, "in-check", 0.42));
  for (const arrow of after.arrows) arrows.push(drawing.arrow(to.point(arrow.from, 0), to.point(arrow.to, 0), "board-arrow"));
  return { items: [...items, ...arrows, ...ghosts], dimmed };
}

/** For who wants no motion: what moved, as arrows over the position after it. */
export function traces(drawing: Drawing, before: Position, after: Position): SVGElement[] {
  const motion = motionBetween(before, after);
  const from = drawing.placing(before), to = drawing.placing(after);
  const items: SVGElement[] = [];
  for (const [square, origin] of motion.pieces) {
    const start = before.board.byNumber.get(origin)!, end = after.board.byNumber.get(square)!;
    const a = from.point(start.centre, start.level), b = to.point(end.centre, end.level);
    if (!near(a, b)) items.push(drawing.arrow(a, b, "path", 0.5 * to.scale(end.level)));
  }
  for (const number of motion.gone) {
    const square = before.board.byNumber.get(number)!;
    if (number !== after.move?.[1]) items.push(cross(from, square, "lost"));
  }
  return items;
}
