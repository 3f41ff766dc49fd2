// How fast moves are shown, and what is shown on a board.
import { el } from "../common/dom";

interface Setting<Value> { value: Value; watch(seen: (value: Value) => void): () => void }
/** Settings that outlive the page; the lab's Store is one. */
export interface Settings { setting<Value>(name: string, initial: Value): Setting<Value> }

export const kDefaultBeat = 450;

export class BoardOptions {
  readonly element = el("details", { class: "board-settings" }, el("summary", {}, "Speed and board"));
  /** Milliseconds. */
  readonly beat;
  /** Each beat waits for a key. */
  readonly stepping;
  readonly names;
  readonly attacks;
  readonly words;

  constructor(settings: Settings) {
    this.beat = settings.setting("beat", kDefaultBeat);
    this.stepping = settings.setting("beatByBeat", false);
    this.names = settings.setting("squareNames", false);
    this.attacks = settings.setting("attackedSquares", true);
    this.words = settings.setting("boardInWords", false);
  }

  /** What is done when one of them changes. */
  fill(stepping: () => void, drawn: () => void, words: () => void): void {
    const speed = el("input", { type: "range", min: 0, max: 2000, step: 50, value: this.beat.value, "aria-label": "Seconds a beat",
                                input: () => (this.beat.value = Number(speed.value)) });
    const said = el("output", {});
    const update = () => (said.textContent = this.beat.value === 0 ? "at once" : `${(this.beat.value / 1000).toFixed(2)} s a beat`);
    this.beat.watch(update);
    update();
    const toggle = (text: string, setting: Setting<boolean>, then: () => void) => {
      const box = el("input", { type: "checkbox", checked: setting.value, change: () => (setting.value = box.checked) });
      setting.watch((value) => { box.checked = value; then(); });
      return el("label", {}, box, ` ${text}`);
    };
    this.element.append(el("div", { class: "board-options" }, el("label", { class: "speed" }, "Moves: ", said, speed),
      toggle("Each beat waits for a key (.)", this.stepping, stepping), toggle("Names on squares", this.names, drawn),
      toggle("Attacked squares in previews", this.attacks, drawn), toggle("Board in words", this.words, words)));
  }
}
