// Squares as a grid of labelled cells: what pointers hit, and what a keyboard walks over and a screen reader reads.
import { svg } from "../common/dom";
import { drawnAll, type Drawing } from "./drawing";
import type { Placing } from "./placing";
import type { Point, Position, Square } from "./position";
import type { Requests } from "../lab/desk";

export type SquareWords = Requests["squares"][1]["squares"][number];

const kDirections: Record<string, [number, Point]> = {
  ArrowLeft: [0, { x: -1, y: 0 }], ArrowRight: [1, { x: 1, y: 0 }], ArrowUp: [2, { x: 0, y: 1 }], ArrowDown: [3, { x: 0, y: -1 }],
};

export class Grid {
  readonly element = svg("g", { class: "cells", role: "grid", "aria-label": "Board" });
  /** What was said of the squares, by number. */
  words = new Map<number, SquareWords>();
  /** The cell with the tabindex. */
  at = -1;
  private cells = new Map<number, SVGGElement>();
  private drawnFor = "";
  private position!: Position;
  private placing!: Placing;

  constructor(private readonly drawing: Drawing, private readonly describe: (square: Square) => string,
              private readonly handled: (number: number) => boolean,
              private readonly moved: (number: number) => void) {}

  /** Something has the focus now. Whoever uses the grid listens: a listener here would make the grid itself focusable. */
  focused(target: EventTarget | null): void {
    const number = this.numberOf(target);
    if (number !== null && number !== this.at) this.rove(number);
  }

  show(position: Position): void {
    this.position = position;
    this.placing = this.drawing.placing(position);
    const drawn = position.board.squares.map((square) => `${square.number}:${this.points(square)}`).join(" ");
    if (drawn !== this.drawnFor) this.draw(drawn);
    this.relabel();
  }

  relabel(): void {
    for (const square of this.position.board.squares) {
      const cell = this.cells.get(square.number)!;
      cell.setAttribute("aria-label", this.describe(square));
      cell.classList.toggle("handled", this.handled(square.number));
    }
  }

  /** The number of the square whose cell that is, or lies in it. */
  numberOf(target: EventTarget | null): number | null {
    const cell = target instanceof Element ? target.closest<SVGElement>("[data-cell]") : null;
    return cell && this.element.contains(cell) ? Number(cell.dataset.cell) : null;
  }

  focus(): void {
    this.cells.get(this.at)?.focus({ preventScroll: true });
  }

  rove(number: number): void {
    this.cells.get(this.at)?.setAttribute("tabindex", "-1");
    this.at = number;
    this.cells.get(number)?.setAttribute("tabindex", "0");
    this.moved(number);
  }

  /** Whether the key was one that walks. */
  walk(key: string): boolean {
    if (!(key in kDirections)) return false;
    const [place, way] = kDirections[key];
    const turned = this.drawing.flipped ? place ^ 1 : place;
    const words = this.words.get(this.at);
    const next = words ? words.next[turned] : this.nearest(way);
    if (next >= 0 && this.cells.has(next)) this.cells.get(next)!.focus();
    return true;
  }

  /** As drawn, while nobody has said what the neighbours are. */
  private nearest(way: Point): number {
    const square = this.position.board.byNumber.get(this.at);
    if (!square) return -1;
    const here = this.placing.middle(square);
    let best = -1, least = Infinity;
    for (const other of this.position.board.squares) {
      const there = this.placing.middle(other);
      const along = (there.x - here.x) * way.x + (there.y - here.y) * way.y;
      const aside = Math.abs((there.x - here.x) * way.y) + Math.abs((there.y - here.y) * way.x);
      if (along > 0.1 && along + 3 * aside < least) [best, least] = [other.number, along + 3 * aside];
    }
    return best;
  }

  private points(square: Square): string {
    return drawnAll(square.polygon.map((corner) => this.placing.point(corner, square.level)));
  }

  private draw(drawn: string): void {
    const focused = this.element.contains(document.activeElement);
    this.drawnFor = drawn;
    this.cells = new Map();
    const rows = new Map<string, SVGGElement>();
    const middle = (square: Square) => this.placing.middle(square);
    const sorted = [...this.position.board.squares].sort((a, b) =>
      a.level - b.level || Math.round(middle(b).y - middle(a).y) || middle(a).x - middle(b).x);
    for (const square of sorted) {
      const name = `${square.level} ${Math.round(middle(square).y)}`;
      const row = rows.get(name) ?? svg("g", { role: "row" });
      rows.set(name, row);
      const cell = svg("g", { role: "gridcell", tabindex: -1, "data-cell": square.number },
        svg("polygon", { points: this.points(square) }));
      this.cells.set(square.number, cell);
      row.append(cell);
    }
    this.element.replaceChildren(...rows.values());
    if (!this.cells.has(this.at)) this.at = sorted.length > 0 ? sorted[sorted.length - 1].number : -1;
    this.cells.get(this.at)?.setAttribute("tabindex", "0");
    if (focused) this.focus();
  }
}
