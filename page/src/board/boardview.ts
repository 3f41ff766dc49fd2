// A board on the page with what changes its appearance: seen from either side, levels side by side or nested.
import { el, iconButton } from "../common/dom";
import { Drawing } from "./drawing";
import { canNest } from "./placing";
import type { Position } from "./position";

const kFlip = "M7 4v13M7 17l-3.5-3.5M7 17l3.5-3.5M17 20V7M17 7l-3.5 3.5M17 7l3.5 3.5";
const kNarrow = 560;  // pixels; levels side by side would be too small to read

export class BoardView {
  readonly element = el("div", { class: "board-box" });
  /** Buttons for a toolbar. */
  readonly buttons: HTMLElement[] = [];
  readonly drawing = new Drawing("given", false);
  /** The board was turned, or its levels arranged anew: what is drawn over it is elsewhere. */
  arranged: () => void = () => {};
  private positions: Position[] = [];
  private current: Position | null = null;
  private description = "";
  private nested: boolean | null = null;  // null: by the width
  private readonly nestButton = el("button", { type: "button", class: "text", click: () => {
    this.nested = !this.isNested();
    this.arrange();
  } });

  /** `nests`: whether levels are nested where they are too small side by side, instead of one below the other. */
  constructor(private readonly nests = true) {
    this.element.append(this.drawing.element);
    this.buttons.push(iconButton("Turn the board", kFlip, () => this.flip(!this.drawing.flipped)), this.nestButton);
    let narrow: boolean | null = null;
    new ResizeObserver(() => {
      const now = this.isNarrow();
      if (now !== narrow) this.arrange();
      narrow = now;
    }).observe(this.element);
  }

  /** All positions that will be shown: the board is drawn as large as fits all of them. */
  load(positions: Position[]): void {
    this.positions = positions;
    this.arrange();
  }

  flip(flipped: boolean): void {
    this.drawing.flipped = flipped;
    this.arrange();
  }

  show(position: Position, description: string, animated: boolean): void {
    this.current = position;
    this.description = description;
    if (animated) this.drawing.moveTo(position, description);
    else this.drawing.show(position, description);
  }

  private isNarrow(): boolean {
    return this.element.clientWidth < kNarrow;
  }
  private canNest(): boolean {
    return this.positions.some((position) => canNest(position.board));
  }
  private isNested(): boolean {
    const levels = Math.max(1, ...this.positions.map((position) => position.board.levels.length));
    return this.nested ?? (this.nests && this.isNarrow() && levels <= 3);
  }

  private arrange(): void {
    this.nestButton.hidden = !this.canNest();
    const nested = this.canNest() && this.isNested();
    this.nestButton.textContent = nested ? "Levels apart" : "Levels nested";
    this.drawing.arrangement = nested ? "nested" : this.isNarrow() && this.canNest() ? "column" : "given";
    this.element.classList.toggle("tall", this.drawing.arrangement === "column");
    this.element.classList.toggle("wide", this.drawing.arrangement === "given" && this.canNest());
    this.drawing.frame(this.positions);
    if (this.current) this.drawing.show(this.current, this.description);
    this.arranged();
  }
}
