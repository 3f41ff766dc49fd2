// A text with line numbers, and what is wrong at its lines.
import { el } from "../common/dom";
import type { FileMistake } from "./desk";

export class LineEditor {
  readonly element: HTMLElement;
  readonly area: HTMLTextAreaElement;
  private readonly gutter = el("div", { class: "gutter", "aria-hidden": "true" });
  private readonly list = el("ul", { class: "mistake-list", "aria-live": "polite" });
  private lines = 0;
  private wrong = new Map<number, string>();

  constructor(label: string, changed: () => void) {
    this.area = el("textarea", { class: "lines", spellcheck: "false", autocapitalize: "off", autocomplete: "off", wrap: "off",
      rows: 24, "aria-label": label,
      input: () => { this.number(); changed(); }, scroll: () => { this.gutter.scrollTop = this.area.scrollTop; } });
    this.element = el("div", { class: "editor" }, el("div", { class: "editor-box" }, this.gutter, this.area), this.list);
    this.number();
  }

  get text(): string { return this.area.value; }
  set text(text: string) {
    if (this.area.value !== text) this.area.value = text;
    this.number();
  }

  mistakes(mistakes: FileMistake[]): void {
    this.wrong = new Map(mistakes.map(({ line, text }) => [line, text]));
    this.area.setAttribute("aria-invalid", String(mistakes.length > 0));
    this.lines = 0;
    this.number();
    this.list.replaceChildren(...mistakes.map(({ line, text }) => el("li", {},
      el("button", { type: "button", click: () => this.select(line) }, el("strong", {}, line > 0 ? `Line ${line}: ` : ""), text))));
  }

  select(line: number): void {
    const lines = this.text.split("\n");
    const start = lines.slice(0, line - 1).reduce((sum, one) => sum + one.length + 1, 0);
    this.area.focus();
    this.area.setSelectionRange(start, start + (lines[line - 1]?.length ?? 0));
    this.area.scrollTop = Math.max(0, (line - 6) * this.lineHeight());
  }

  private lineHeight(): number {
    return parseFloat(getComputedStyle(this.area).lineHeight) || 20;
  }

  private number(): void {
    const lines = this.text.split("\n").length;
    if (lines === this.lines) return;
    this.lines = lines;
    this.gutter.replaceChildren(...Array.from({ length: lines }, (_, i) => el("div",
      { class: this.wrong.has(i + 1) ? "wrong" : undefined, title: this.wrong.get(i + 1) }, String(i + 1))));
    this.gutter.scrollTop = this.area.scrollTop;
  }
}
