// What a move would do, drawn over the position before it: where everything that moves ends, what is lost, what the
// opponent attacks then.
import { svg } from "../common/dom";
import { drawnAll, fixed, kUnit, type Drawing } from "./drawing";
import { motionBetween } from "./motion";
import { PositionReader, type Boards, type Point, type Position, type Square } from "./position";
import type { Placing } from "./placing";
import type { BoardState } from "./state";
import type { Telling } from "./words";
import type { LegalMove, Requests } from "../lab/desk";

/** `carried`: squares from which the board carries pieces, and to which; `lost`: those whose pieces are gone, but for captures. */
interface Effects { items: SVGElement[]; dimmed: number[]; carried: [number, number][]; lost: number[] }

const near = (a: Point, b: Point): boolean => Math.hypot(a.x - b.x, a.y - b.y) < 0.01;

/** A cross in a square: what stands there is lost, or it is no target. */
export function cross(placing: Placing, square: Square, name: string): SVGElement {
  const { x, y } = placing.middle(square);
  const r = 0.3 * placing.scale(square.level);
  const path = [[-r, -r, r, r], [-r, r, r, -r]].map(([a, b, c, d]) =>
    `M${fixed(kUnit * (x + a))} ${fixed(-kUnit * (y + b))}L${fixed(kUnit * (x + c))} ${fixed(-kUnit * (y + d))}`).join("");
  return svg("path", { class: name, d: path });
}

/** A ring in a square; `radius` in squares. */
export function ring(placing: Placing, square: Square, name: string, radius: number): SVGElement {
  const { x, y } = placing.middle(square);
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

function effects(drawing: Drawing, now: Position, after: Position, attacked: number[]): Effects {
  const motion = motionBetween(now, after);
  const from = drawing.placing(now), to = drawing.placing(after);
  const items: SVGElement[] = [], dimmed: number[] = [], lost: number[] = [];
  const carried: [number, number][] = [];
  const add = (square: Square | undefined, make: (square: Square) => SVGElement) => { if (square) items.push(make(square)); };

  const kept = new Set<number>();
  for (const square of after.board.squares) {
    const origin = now.board.byNumber.get(motion.squares.get(square.number) ?? square.number);
    if (origin) kept.add(origin.number);
    if (now.board !== after.board && (!origin || !near(from.middle(origin), to.middle(square))))
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
    if (start && near(from.middle(start), to.middle(end)) && !changed) continue;
    if (origin !== undefined) dimmed.push(origin);
    if (start && origin !== after.move?.[0]) carried.push([origin!, square]);
    // Pieces that go along with their square need no arrow of their own.
    const along = start !== undefined && now.board !== after.board && origin !== after.move?.[0] &&
      (motion.squares.get(square) ?? square) === origin;
    if (start && !along && !near(from.middle(start), to.middle(end)))
      arrows.push(drawing.arrow(from.middle(start), to.middle(end), "path", 0.5 * to.scale(end.level)));
    const ghost = drawing.piece(letter, to.middle(end), to.scale(end.level), after.shapes);
    ghost.classList.add("ghost");
    ghosts.push(ghost);
    if (changed) ghosts.push(ring(to, end, "changed", 0.46));
  }
  for (const number of motion.gone) {
    const square = now.board.byNumber.get(number)!;
    const captured = number === after.move?.[1];
    if (!captured) lost.push(number);
    items.push(captured ? ring(from, square, "capture", 0.46) : cross(from, square, "lost"));
    dimmed.push(number);
  }
  for (const number of after.checks) add(after.board.byNumber.get(number), (square) => ring(to, square, "in-check", 0.42));
  for (const arrow of after.arrows) arrows.push(drawing.arrow(to.point(arrow.from, 0), to.point(arrow.to, 0), "board-arrow"));
  return { items: [...items, ...arrows, ...ghosts], dimmed, carried, lost };
}

/** For who wants no motion: what moved, as arrows over the position after it. */
export function traces(drawing: Drawing, before: Position, after: Position): SVGElement[] {
  const motion = motionBetween(before, after);
  const from = drawing.placing(before), to = drawing.placing(after);
  const items: SVGElement[] = [];
  for (const [square, origin] of motion.pieces) {
    const start = before.board.byNumber.get(origin)!, end = after.board.byNumber.get(square)!;
    const a = from.middle(start), b = to.middle(end);
    if (!near(a, b)) items.push(drawing.arrow(a, b, "path", 0.5 * to.scale(end.level)));
  }
  for (const number of motion.gone) {
    const square = before.board.byNumber.get(number)!;
    if (number !== after.move?.[1]) items.push(cross(from, square, "lost"));
  }
  return items;
}

/** Where previews come from; `boards`: all positions are read with the same ones. */
export interface PreviewSource { boards: Boards; previews(from: number): Promise<Requests["previews"][1]> }

export class Previews {
  readonly layer = svg("g", { class: "effects" });
  /** Shown until another one is, and again when nothing is hovered. */
  pinned: LegalMove | null = null;
  private shown: LegalMove | null = null;
  private asked = new Map<number, ReturnType<PreviewSource["previews"]>>();

  /** `attacks`: whether attacked squares are shown. */
  constructor(private readonly source: PreviewSource, private readonly state: BoardState, private readonly telling: Telling,
              private readonly drawing: Drawing, private readonly attacks: { value: boolean }) {}

  get any(): boolean { return this.shown !== null; }

  /** Another position is shown. */
  reset(): void {
    this.asked = new Map();
    this.shown = this.pinned = null;
  }

  from(from: number): ReturnType<PreviewSource["previews"]> {
    const known = this.asked.get(from);
    if (known) return known;
    const asked = this.source.previews(from);
    const { token } = this.state;
    this.asked.set(from, asked);
    asked.then(({ shapes }) => this.telling.learn(shapes), () => { if (token === this.state.token) this.asked.delete(from); });
    return asked;
  }

  show(move: LegalMove | null): void {
    if (move === this.shown) return;
    this.shown = move;
    this.clear();
    if (!move) { this.telling.remark(null); return; }
    const text = move.note && move.note !== `${move.san}.` ? `${move.san}: ${move.note}` : move.san;
    this.tell(text);
    const { token } = this.state;
    this.from(move.from).then((previews) => {
      const frame = previews.frames[move.text], { position } = this.state;
      if (token !== this.state.token || this.shown !== move || !frame || !position) return;
      const after = new PositionReader(previews, this.source.boards).read(frame, position);
      const seen = effects(this.drawing, position, after, this.attacks.value ? previews.attacked[move.text] ?? [] : []);
      this.layer.replaceChildren(...seen.items);
      if (!move.note && this.telling.note.textContent === text) this.tell(text + this.inWords(seen));
      for (const number of seen.dimmed) this.drawing.pieceOn(number)?.classList.add("dimmed");
    }, () => {});
  }
  /** What is pinned, or nothing. */
  rest(): void {
    if (this.shown !== this.pinned) this.show(this.pinned);
  }
  /** What is shown is drawn anew. */
  again(): void {
    this.clear();
    this.shown = null;
    if (this.pinned) this.show(this.pinned);
  }
  clear(): void {
    this.layer.replaceChildren();
    for (const piece of this.drawing.element.querySelectorAll(".dimmed")) piece.classList.remove("dimmed");
  }

  private tell(text: string): void {
    this.telling.remark(text);
    if (this.telling.keys) this.telling.say(text);
  }
  /** ": carries king e1 to d1, rook h1 to g1." */
  private inWords({ carried, lost }: Effects): string {
    const name = (number: number) => this.telling.squareName(number);
    const at = (number: number) => `${this.telling.pieceName(this.state.position?.pieces.get(number) ?? "")} ${name(number)}`;
    const parts = [carried.length > 0 ? `carries ${carried.map(([from, to]) => `${at(from)} to ${name(to)}`).join(", ")}` : "",
                   lost.length > 0 ? `removes ${lost.map(at).join(", ")}` : ""].filter(Boolean);
    return parts.length > 0 ? `: ${parts.join("; ")}.` : "";
  }
}
