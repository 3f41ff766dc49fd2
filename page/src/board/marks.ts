// Arrows and circles over a board: an analysis's, and the user's own.
import { svg } from "../common/dom";
import { fixed, kUnit, type Drawing } from "./drawing";
import { outline, ring } from "./preview";
import type { Position } from "./position";
import type { BoardState } from "./state";
import type { LegalMove } from "../lab/desk";

/** An arrow between two squares, or a circle where both are the same: numbers of squares. */
export type UserMark = [number, number];

/** `width`: a share of the widest one; hollow ones are known too little. */
export interface LineArrow { move: Pick<LegalMove, "text" | "from" | "to" | "arrow">; text: string; width: number; hollow?: boolean }

function userMarks(drawing: Drawing, position: Position, marks: UserMark[]): SVGElement[] {
  const placing = drawing.placing(position);
  const items: SVGElement[] = [];
  for (const [from, to] of marks) {
    const start = position.board.byNumber.get(from), end = position.board.byNumber.get(to);
    if (!start || !end) continue;
    items.push(start === end ? ring(placing, start, "user-circle", 0.44)
      : drawing.arrow(placing.middle(start), placing.middle(end), "user-arrow", 0.9));
  }
  return items;
}

/** The last one is the best one, and above the others. */
export function lineArrows(drawing: Drawing, position: Position, arrows: LineArrow[]): SVGElement[] {
  const placing = drawing.placing(position);
  const items: SVGElement[] = [];
  for (const [rank, { move, text, width, hollow }] of [...arrows.entries()].reverse()) {
    const start = position.board.byNumber.get(move.from), end = position.board.byNumber.get(move.to);
    const name = `line-arrow rank-${rank}${hollow ? " hollow" : ""}`;
    let tip: { x: number; y: number };
    if (move.arrow) {
      const [x, y, u, v] = move.arrow;
      tip = placing.point({ x: u, y: v }, 0);
      items.push(drawing.arrow(placing.point({ x, y }, 0), tip, name, 0.5 + 0.6 * width));
    } else if (end) {
      tip = placing.middle(end);
      items.push(start ? drawing.arrow(placing.middle(start), tip, name, 0.5 + 0.6 * width)
        : ring(placing, end, name, 0.44));
    } else continue;
    const first = items.length - 1;
    if (text) {
      const height = 0.26, across = 0.16 * text.length + 0.14;
      items.push(svg("rect", { class: "line-back", x: fixed(kUnit * (tip.x - across / 2)), y: fixed(-kUnit * (tip.y + height / 2)),
                               width: fixed(kUnit * across), height: fixed(kUnit * height), rx: 6 }),
                 svg("text", { class: "line-text", x: fixed(kUnit * tip.x), y: fixed(-kUnit * (tip.y - 0.085)),
                               "font-size": 24, "text-anchor": "middle" }, text));
    }
    for (const item of items.slice(first)) item.dataset.arrow = move.text;
  }
  return items;
}

/** Shares from 0 to 1 by square. */
export function heatMap(drawing: Drawing, position: Position, shares: Map<number, number>): SVGElement[] {
  const placing = drawing.placing(position);
  const most = Math.max(...shares.values(), 1e-9);
  return [...shares].flatMap(([number, share]) => {
    const square = position.board.byNumber.get(number);
    if (!square || share <= 0) return [];
    const item = outline(placing, square, "heat");
    item.style.fillOpacity = (0.12 + 0.6 * (share / most)).toFixed(2);
    return [item];
  });
}

export function squareNames(drawing: Drawing, position: Position): SVGElement[] {
  const placing = drawing.placing(position);
  return position.board.squares.map((square) => {
    const corners = square.polygon.map((corner) => placing.point(corner, square.level));
    const x = Math.min(...corners.map((corner) => corner.x)), y = Math.min(...corners.map((corner) => corner.y));
    const scale = placing.scale(square.level);
    return svg("text", { class: "square-name", x: fixed(kUnit * (x + 0.05 * scale)), y: fixed(-kUnit * (y + 0.06 * scale)),
                         "font-size": fixed(21 * scale) }, square.name);
  });
}

/** The user's own. */
export class OwnMarks {
  readonly layer = svg("g", { class: "own" });
  marks: UserMark[] = [];

  constructor(private readonly state: BoardState, private readonly drawing: Drawing, private readonly drawn: (marks: UserMark[]) => void) {}

  draw(more?: UserMark): void {
    if (this.state.position)
      this.layer.replaceChildren(...userMarks(this.drawing, this.state.position, more ? [...this.marks, more] : this.marks));
  }
  /** Drawn twice, it is gone. */
  toggle(mark: UserMark): void {
    const others = this.marks.filter(([from, to]) => from !== mark[0] || to !== mark[1]);
    this.change(others.length < this.marks.length ? others : [...others, mark]);
  }
  clear(): void {
    if (this.marks.length > 0) this.change([]);
  }
  private change(marks: UserMark[]): void {
    this.marks = marks;
    this.draw();
    this.drawn(marks);
  }
}
