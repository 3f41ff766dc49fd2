// Where several moves have the same squares: their names beside the square.
import { el, svg } from "../common/dom";
import { shapes } from "./drawing";
import type { ShapeData } from "../common/data";
import type { LegalMove } from "../lab/desk";

export interface Choosing {
  moves: LegalMove[];
  white: boolean;
  /** Of pieces, for pictures of what is chosen, by their names. */
  shapes: Map<string, ShapeData>;
  /** In pixels of the chooser's parent, and the parent's width. */
  at: { x: number; y: number };
  chosen(move: LegalMove): void;
  /** Hovered or reached with the keyboard. */
  shown(move: LegalMove | null): void;
  cancelled(): void;
}

export function picture(shape: ShapeData | undefined, white: boolean): SVGSVGElement {
  return svg("svg", { viewBox: "0 0 100 100", class: "piece-picture board", "aria-hidden": "true" },
    svg("g", { class: white ? "white" : "black" }, shape ? svg("use", { href: `#${shapes.id(shape)}` }) : null));
}

export class Chooser {
  readonly element = el("div", { class: "chooser-menu", role: "menu", "aria-label": "Which move", hidden: true,
                                 keydown: (event: KeyboardEvent) => this.key(event) });
  private choosing: Choosing | null = null;

  get open(): boolean { return this.choosing !== null; }

  show(choosing: Choosing): void {
    this.choosing = choosing;
    this.element.replaceChildren(...choosing.moves.map((move) => this.button(move, choosing)));
    this.element.hidden = false;
    const width = this.element.offsetWidth, height = this.element.offsetHeight;
    const room = this.element.parentElement!;
    const within = (value: number, most: number) => Math.max(2, Math.min(most, value));
    this.element.style.left = `${within(choosing.at.x - width / 2, room.clientWidth - width - 2)}px`;
    this.element.style.top = `${within(choosing.at.y + 8, Math.max(room.clientHeight - height - 2, 2))}px`;
    (this.element.firstElementChild as HTMLElement).focus();
  }

  /** Without a choice. */
  close(): void {
    if (!this.choosing) return;
    this.choosing = null;
    this.element.hidden = true;
  }

  private button(move: LegalMove, choosing: Choosing): HTMLElement {
    const shape = choosing.shapes.get(move.choice.toLowerCase());
    const seen = () => choosing.shown(move);
    return el("button", { type: "button", role: "menuitem", title: move.note, tabindex: -1, mouseenter: seen, focus: seen,
      click: () => {
        this.close();
        choosing.chosen(move);
      } },
      shape ? picture(shape, choosing.white) : null, el("span", {}, move.choice || move.san));
  }

  private key(event: KeyboardEvent): void {
    const items = [...this.element.children] as HTMLElement[];
    const at = items.indexOf(document.activeElement as HTMLElement);
    const step: Record<string, number> = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1, Tab: event.shiftKey ? -1 : 1 };
    if (event.key === "Escape") {
      const choosing = this.choosing;
      this.close();
      choosing?.cancelled();
    } else if (event.key in step) items[(at + step[event.key] + items.length) % items.length].focus();
    else if (event.key === "Home" || event.key === "End") items[event.key === "Home" ? 0 : items.length - 1].focus();
    else if (event.key !== "Enter" && event.key !== " ") return;
    event.stopPropagation();
    if (event.key !== "Enter" && event.key !== " ") event.preventDefault();
  }
}
