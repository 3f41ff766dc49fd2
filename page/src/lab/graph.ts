// What was expected during a game: White's wins, draws and Black's wins as bands, one column for each position.
import { el, svg } from "../common/dom";
import { percent } from "../common/format";
import type { Chances } from "./desk";
import type { GameTree, Node } from "./tree";

/** Fewer visits than these say little: what they found is drawn hollow. */
export const kFewVisits = 30;

export const isHollow = (visits: number): boolean => visits > 0 && visits < kFewVisits;

export const inWords = ([win, draw, loss]: Chances): string =>
  `White wins ${percent(win, 0)}, draw ${percent(draw, 0)}, Black wins ${percent(loss, 0)}`;

export const leftInWords = (plies: number): string => `about ${Math.max(1, Math.round(plies / 2))} moves left`;

const kMistakes = new Set(["?!", "?", "??"]);

export class Graph {
  readonly element: HTMLElement;
  /** From Black's side: Black's wins are below. */
  turned = false;
  private line: Node[] = [];
  private readonly picture = svg("svg", { preserveAspectRatio: "none", viewBox: "0 0 1 1000", "aria-hidden": "true" });
  private readonly left = svg("svg", { class: "left", preserveAspectRatio: "none", viewBox: "0 0 1 100", "aria-hidden": "true" });
  private readonly leftWords = el("span", {});
  private readonly leftRow = el("div", { class: "left-row", role: "img" }, this.left, this.leftWords);
  private readonly dots = el("div", { class: "dots", "aria-hidden": "true" });

  constructor(private readonly go: (node: Node) => void) {
    const jump = (event: PointerEvent) => {
      if (event.buttons === 0 || this.line.length === 0) return;
      const box = this.picture.getBoundingClientRect();
      const at = Math.floor(((event.clientX - box.left) / box.width) * this.line.length);
      this.go(this.line[Math.max(0, Math.min(this.line.length - 1, at))]);
    };
    const bands = el("div", { class: "bands", role: "img" }, this.picture, this.dots);
    bands.addEventListener("pointerdown", (event) => { bands.setPointerCapture(event.pointerId); jump(event); });
    bands.addEventListener("pointermove", jump);
    this.element = el("div", { class: "graph" }, bands, this.leftRow);
  }

  show(tree: GameTree): void {
    this.line = tree.line();
    const { line } = this;
    const known = line.some((node) => node.value !== null);
    this.element.hidden = !known || line.length < 2;
    if (this.element.hidden) return;
    this.picture.setAttribute("viewBox", `0 0 ${line.length} 1000`);
    const bars: SVGElement[] = [];
    line.forEach((node, i) => {
      if (!node.value) return;
      const [win, draw, loss] = node.value;
      const below = this.turned ? loss : win;
      const [low, high] = [1000 * (1 - below), 1000 * (1 - below - draw)];
      const part = (name: string, from: number, to: number) =>
        svg("rect", { class: name, x: i - 0.01, width: 1.02, y: Math.max(0, from), height: Math.max(0, to - from) });
      bars.push(part(this.turned ? "white-wins" : "black-wins", 0, high), part("drawn", high, low),
        part(this.turned ? "black-wins" : "white-wins", low, 1000));
    });
    const at = line.indexOf(tree.current);
    this.picture.replaceChildren(...bars,
      svg("line", { class: "half", x1: 0, x2: line.length, y1: 500, y2: 500 }),
      svg("rect", { class: "cursor", x: at, width: 1, y: 0, height: 1000 }));
    this.dots.replaceChildren(...line.flatMap((node, i) => {
      const mistake = kMistakes.has(node.mark);
      if (!mistake && !isHollow(node.visits)) return [];
      const [win, draw, loss] = node.value ?? [0, 1, 0];
      const height = (this.turned ? loss : win) + draw / 2;
      return [el("span", { class: mistake ? `dot m${node.mark.length}${node.mark.includes("!") ? "i" : ""}` : "dot hollow",
                           style: `left:${(100 * (i + 0.5)) / line.length}%;bottom:${100 * height}%` })];
    }));
    this.showLeft(tree.current);
    const value = tree.current.value;
    this.picture.parentElement!.setAttribute("aria-label",
      `Expectations during the game; now ${value ? inWords(value) : "not known"}`);
  }
  /** Below the bands: how long the game was expected to go on, in moves of both sides. */
  private showLeft(current: Node): void {
    const plies = this.line.map((node) => node.value?.[3] ?? null);
    const most = Math.max(20, ...plies.map((one) => one ?? 0));
    this.leftRow.hidden = plies.every((one) => one === null);
    this.left.setAttribute("viewBox", `0 0 ${plies.length} 100`);
    this.left.replaceChildren(...plies.flatMap((one, i) =>
      one === null ? [] : [svg("rect", { x: i, width: 1, y: 100 - (100 * one) / most, height: (100 * one) / most })]));
    const now = current.value?.[3];
    this.leftWords.textContent = now === undefined ? "moves left" : leftInWords(now);
    this.leftRow.setAttribute("aria-label", `Moves until the end, as expected${now === undefined ? "" : `: ${leftInWords(now)}`}`);
  }
}
