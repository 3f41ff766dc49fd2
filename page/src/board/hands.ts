// Pieces in hand, beside the board.
import { el } from "../common/dom";
import { picture } from "./chooser";
import type { ShapeData } from "../common/data";

export interface HandUser {
  name(letter: string): string;
  shape(letter: string): ShapeData | undefined;
  /** Pressed with a pointer: may become a drag. */
  pressed(letter: string, event: PointerEvent): void;
  /** By the keyboard. */
  picked(letter: string): void;
}

export class Hand {
  readonly element = el("div", { class: "hand", role: "group" });
  constructor(private readonly user: HandUser) {}

  show(white: boolean, letters: string, movable: boolean, picked: string | null): void {
    const counts = new Map<string, number>();
    for (const letter of letters.toUpperCase()) counts.set(letter, (counts.get(letter) ?? 0) + 1);
    const focused = (document.activeElement as HTMLElement | null)?.dataset?.letter;
    const had = this.element.contains(document.activeElement);
    this.element.setAttribute("aria-label", white ? "White's hand" : "Black's hand");
    this.element.replaceChildren(...[...counts].map(([letter, count]) => el("button", {
      type: "button", class: "in-hand", "data-letter": letter, disabled: !movable, "aria-pressed": String(picked === letter),
      title: this.user.name(letter), "aria-label": `${this.user.name(letter)}, ${count} in hand`,
      pointerdown: (event: PointerEvent) => this.user.pressed(letter, event),
      click: (event: MouseEvent) => { if (event.detail === 0) this.user.picked(letter); },
    }, picture(this.user.shape(letter), white), count > 1 ? el("span", {}, String(count)) : null)));
    if (letters === "") this.element.replaceChildren(el("span", { class: "faint" }, "nothing in hand"));
    if (had) this.element.querySelector<HTMLElement>(`[data-letter="${focused}"]`)?.focus();
  }
}
