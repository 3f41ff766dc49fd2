// What an engine thinks of the position that is shown. It never begins by itself; once begun it follows the reader, and
// what it says of another position is dropped.
import { html, nothing, render, type TemplateResult } from "lit-html";
import { Drawing } from "../board/drawing";
import { PositionReader, type Boards, type Position } from "../board/position";
import { el } from "../common/dom";
import { percent, short } from "../common/format";
import { inWords, isHollow, leftInWords } from "./graph";
import { copied } from "./share";
import { numberOf, type GameTree, type Node } from "./tree";
import type { AnalysisLine, AnalysisReport, Chances, Desk, Limits } from "./desk";
import type { Signal, Store } from "./store";

/** Where the analysis is shown. */
export interface AnalysisHost {
  desk: Desk;
  store: Store;
  boards: Boards;
  tree: GameTree;
  players: string[];
  flipped(): boolean;
  /** Goes along moves from the position that is shown, as a variation if they were not played. */
  follow(moves: string[]): void;
  /** A line, or none, is pointed at. */
  pointed(move: string | null): void;
  /** Arrows, shades or values are others. */
  analysed(): void;
}

type Numbers = "visits" | "value" | "policy" | "rank";
const kNumbers: Record<Numbers, string> = { visits: "visits", value: "expected score", policy: "policy", rank: "rank" };

const kLimits: [string, string][] = [["", "until stopped"], ["ms:1000", "1 second"], ["ms:5000", "5 seconds"],
  ["ms:30000", "30 seconds"], ["visits:1000", "1,000 visits"], ["visits:10000", "10,000 visits"], ["visits:100000", "100,000 visits"]];

export function limitsOf(text: string): Limits {
  const [kind, value] = text.split(":");
  return kind === "ms" ? { ms: Number(value) } : kind === "visits" ? { visits: Number(value) } : {};
}

/** White's expected score. */
export const score = ([win, draw]: Chances): number => win + draw / 2;
const scoreText = (value: Chances): string => score(value).toFixed(2);
const mateText = (mate: number): string => `mate in ${Math.ceil(Math.abs(mate) / 2)}`;

/** A search without visits of its own says nothing about how sure it is. */
const lineHollow = (line: AnalysisLine): boolean => isHollow(line.visits);

const icon = (path: string): TemplateResult =>
  html`<svg viewBox="0 0 24 24" class="small-icon" aria-hidden="true"><path d=${path}></path></svg>`;

/** A line of moves on a board of its own. */
class LineBoard {
  readonly element = el("figure", { class: "line-board", hidden: true });
  private readonly drawing = new Drawing("given", false);
  private readonly caption = el("figcaption", { "aria-live": "off" });
  private positions: Position[] = [];
  private key = "";
  private timer = 0;
  private ply = 0;

  constructor(private readonly host: AnalysisHost) {
    this.element.append(this.drawing.element, this.caption);
  }

  /** Plays the line, or shows the position after its first `ply` moves. */
  async show(line: AnalysisLine, ply?: number): Promise<void> {
    const { tree } = this.host;
    const base = tree.ply();
    const place = tree.place();
    const key = JSON.stringify([place, line.moves]);
    if (key !== this.key) {
      this.key = key;
      try {
        const reply = await this.host.desk.ask("position", { ...place, moves: [...place.moves, ...line.moves] });
        if (this.key !== key) return;
        this.positions = new PositionReader(reply, this.host.boards).readAll(reply.frames).slice(base);
      } catch { return this.hide(); }
      this.drawing.flipped = this.host.flipped();
      this.drawing.frame(this.positions);
      this.put(0, line);
    }
    clearInterval(this.timer);
    this.element.hidden = false;
    if (ply !== undefined) return this.put(ply, line);
    if (this.ply === this.positions.length - 1) this.put(0, line);
    this.timer = window.setInterval(() => {
      if (this.ply + 1 >= this.positions.length || this.element.hidden) clearInterval(this.timer);
      else this.put(this.ply + 1, line);
    }, 800);
  }

  hide(): void {
    clearInterval(this.timer);
    this.element.hidden = true;
    this.key = "";
  }

  private put(ply: number, line: AnalysisLine): void {
    const at = Math.min(ply, this.positions.length - 1);
    const position = this.positions[at];
    if (!position) return;
    const text = at === 0 ? "the position" : line.san.slice(0, at).join(" ");
    if (at === this.ply + 1 || at === this.ply - 1) this.drawing.moveTo(position, text);
    else this.drawing.show(position, text);
    this.ply = at;
    this.caption.textContent = text;
  }
}

export class Analysis {
  readonly element = el("section", { class: "analysis panel", "aria-label": "Analysis" });
  /** Beside the board: White's part of the expectation grows from White's side. */
  readonly bar = el("div", { class: "eval-bar", role: "img", "aria-label": "Nothing is known of this position" });
  running = false;
  private readonly controls = el("div");
  private readonly lineBoard: LineBoard;
  private readonly reports = new WeakMap<Node, AnalysisReport>();
  private readonly player: Signal<string>;
  private readonly lines: Signal<number>;
  private readonly limit: Signal<string>;
  readonly arrows: Signal<boolean>;
  readonly heat: Signal<boolean>;
  readonly values: Signal<boolean>;
  private readonly numbers: Signal<Numbers>;
  private readonly stops: (() => void)[] = [];
  private key = "";
  private asked: Node | null = null;
  private error = "";
  private pending = false;
  private copiedLine = -1;
  private hovered: string | null = null;  // the first move of the line under the mouse

  constructor(private readonly host: AnalysisHost) {
    const { store } = host;
    this.player = store.setting("analysis.player", "");
    this.lines = store.setting("analysis.lines", 3);
    this.limit = store.setting("analysis.limit", "");
    this.arrows = store.setting<boolean>("analysis.arrows", true);
    this.heat = store.setting<boolean>("analysis.policy", false);
    this.values = store.setting<boolean>("analysis.values", false);
    this.numbers = store.setting<Numbers>("analysis.numbers", "visits");
    this.lineBoard = new LineBoard(host);
    this.element.append(this.controls, this.lineBoard.element);
    const again = () => { if (this.running) this.ask(); this.draw(); };
    for (const signal of [this.player, this.lines, this.limit]) this.stops.push(signal.watch(again));
    this.stops.push(this.heat.watch(again));
    for (const signal of [this.arrows, this.values, this.numbers]) this.stops.push(signal.watch(() => this.draw()));
    this.stops.push(host.desk.on("analysis", (report) => this.seen(report)));
    this.bar.append(el("div", { class: "white-wins" }), el("div", { class: "drawn" }), el("div", { class: "black-wins" }),
      el("span", { class: "half" }));
    this.draw();
  }

  leave(): void {
    this.stops.forEach((stop) => stop());
    this.stop();
  }

  /** The player that analyses: the one chosen, or the best one of this game. */
  get analyst(): string {
    const { players } = this.host;
    return players.includes(this.player.value) ? this.player.value : players[0] ?? "alphabeta";
  }

  get report(): AnalysisReport | null { return this.reports.get(this.host.tree.current) ?? null; }

  toggle(): void {
    if (this.running) this.stop();
    else this.start();
  }

  start(): void {
    this.running = true;
    this.error = "";
    this.ask();
    this.draw();
  }

  stop(): void {
    if (this.running && this.key !== "") void this.host.desk.ask("stop", { what: "analyse" }).catch(() => {});
    this.running = false;
    this.key = "";
    this.draw();
  }

  /** Another position is shown, or more is known of it. */
  changed(): void {
    if (this.asked !== this.host.tree.current) {
      this.lineBoard.hide();
      this.hovered = null;
      if (this.running) this.ask();
    } else if (this.running && this.key === "" && this.host.tree.current.reply) this.ask();
    this.draw();
  }

  private ask(): void {
    const { tree, desk } = this.host;
    const node = tree.current;
    this.asked = node;
    if (!node.reply) { this.key = ""; return; }  // Until it is known whether the game goes on.
    if (node.reply.legal.length === 0) {
      if (this.key !== "") void desk.ask("stop", { what: "analyse" }).catch(() => {});
      this.key = "";
      return;
    }
    const lines = this.heat.value ? Math.max(this.lines.value, node.reply.legal.length) : this.lines.value;
    const request = { ...tree.place(), player: this.analyst, lines, ...limitsOf(this.limit.value) };
    const key = JSON.stringify([request.game, request.fen ?? "", request.moves, request.player, lines, this.limit.value]);
    if (key === this.key) return;
    this.key = key;
    desk.ask("analyse", { ...request, key }).catch((error: Error) => {
      if (this.key !== key) return;
      this.error = error.message;
      this.running = false;
      this.key = "";
      this.draw();
    });
  }

  private seen(report: AnalysisReport): void {
    const node = this.asked;
    if (report.key !== this.key || !node) return;
    if (report.error) {
      this.error = report.error;
      this.running = false;
      this.key = "";
    } else if (report.lines.length > 0 || !this.reports.has(node)) {
      this.reports.set(node, report);
      if (report.lines.length > 0 && report.visits >= node.visits) {
        node.value = report.value;
        node.visits = report.visits;
      }
    }
    if (this.pending) return;
    this.pending = true;
    requestAnimationFrame(() => { this.pending = false; this.draw(); });
  }

  /** The best moves with what is written at their arrows. */
  shownArrows(): { move: string; text: string; width: number; hollow: boolean }[] {
    const { report } = this;
    if (!report || (!this.arrows.value && !this.values.value)) return [];
    const all = Math.max(1, ...report.lines.map((line) => line.visits));
    const total = Math.max(1, report.lines.reduce((sum, line) => sum + line.visits, 0));
    const numbers = this.values.value ? "value" : this.numbers.value;
    return report.lines.slice(0, this.lines.value).filter((line) => line.moves.length > 0).map((line, i) => ({
      move: line.moves[0], hollow: lineHollow(line),
      width: line.visits > 0 ? Math.sqrt(line.visits / all) : 1 / (i + 1),
      text: line.mate !== undefined ? `#${Math.ceil(Math.abs(line.mate) / 2)}`
        : numbers === "rank" ? `${i + 1}` : numbers === "value" ? scoreText(line.value)
        : numbers === "policy" ? (line.prior > 0 ? percent(line.prior, 0) : `${i + 1}`)
        : line.visits > 0 ? percent(line.visits / total, 0) : scoreText(line.value) }));
  }

  /** What the network would play without a search, by moves. */
  policy(): Map<string, number> {
    return new Map(!this.heat.value || !this.report ? [] :
      this.report.lines.filter((line) => line.prior > 0).map((line) => [line.moves[0], line.prior] as const));
  }

  /** A line's place in the list is marked, as when its arrow is pointed at. */
  mark(move: string | null): void {
    for (const row of this.element.querySelectorAll<HTMLElement>("[data-move]"))
      row.classList.toggle("pointed", row.dataset.move === move);
  }

  private hover(line: AnalysisLine | null): void {
    this.hovered = line?.moves[0] ?? null;
    this.host.pointed(this.hovered);
    if (line) void this.lineBoard.show(line);
    else this.lineBoard.hide();
  }

  /** Under the mouse may be another line now. */
  private hoverAgain(): void {
    const move = this.element.querySelector<HTMLElement>(".lines li:hover")?.dataset.move ?? null;
    if (this.hovered !== null && move !== this.hovered) this.hover(this.report?.lines.find((line) => line.moves[0] === move) ?? null);
  }

  private drawBar(value: Chances | null): void {
    const [white, drawn, black] = [...this.bar.children] as HTMLElement[];
    const [win, draw, loss] = value ?? [0, 1, 0];
    white.style.flexGrow = String(win);
    drawn.style.flexGrow = String(draw);
    black.style.flexGrow = String(loss);
    this.bar.classList.toggle("unknown", value === null);
    this.bar.classList.toggle("turned", this.host.flipped());
    this.bar.setAttribute("aria-label", value ? inWords(value) : "Nothing is known of this position");
    this.bar.title = this.bar.getAttribute("aria-label")!;
  }

  draw(): void {
    const { report } = this;
    const node = this.host.tree.current;
    this.drawBar(node.value ?? (report && report.lines.length > 0 ? report.value : null));
    const value = node.value;
    render(html`
      <header class="toolbar">
        <button type="button" class="main ${this.running ? "on" : ""}" aria-pressed=${this.running} @click=${() => this.toggle()}
          title="Key l">${this.running ? "Stop" : "Analyse"}</button>
        <label>by <select aria-label="Who analyses" @change=${(event: Event) => { this.player.value = (event.target as HTMLSelectElement).value; }}>
          ${this.host.players.map((name) => html`<option value=${name} ?selected=${name === this.analyst}>${name}</option>`)}</select></label>
        <label><select aria-label="Lines" @change=${(event: Event) => { this.lines.value = Number((event.target as HTMLSelectElement).value); }}>
          ${[1, 2, 3, 4, 5, 8, 12].map((count) => html`<option value=${count} ?selected=${count === this.lines.value}>${count === 1 ? "1 line" : `${count} lines`}</option>`)}</select></label>
        <label><select aria-label="How long" @change=${(event: Event) => { this.limit.value = (event.target as HTMLSelectElement).value; }}>
          ${kLimits.map(([limit, words]) => html`<option value=${limit} ?selected=${limit === this.limit.value}>${words}</option>`)}</select></label>
      </header>
      ${this.error ? html`<p class="notice" role="alert">${this.error}
        <button type="button" class="text" @click=${() => this.start()}>Start again</button></p>` : nothing}
      <div class="wdl ${value ? "" : "unknown"}" role="img" aria-label=${value ? inWords(value) : "Nothing is known of this position"}>
        ${value ? this.wdl(value) : html`<span class="faint">${node.reply?.ending ? "the game is over" : this.running ? "thinking\u2026" : "not analysed"}</span>`}
      </div>
      <p class="facts-line faint" title=${report?.network ? `The network: ${report.network}` : nothing}>${this.facts(report)}</p>
      ${report && report.lines.length > 0 ? html`<ol class="lines">${report.lines.slice(0, this.lines.value).map((line, i) => this.line(line, i))}</ol>` : nothing}
      <div class="toggles" role="group" aria-label="What is drawn on the board">
        ${this.switch("Arrows", this.arrows, "a")}
        <label>with <select aria-label="Number at the arrows" @change=${(event: Event) => { this.numbers.value = (event.target as HTMLSelectElement).value as Numbers; }}>
          ${Object.entries(kNumbers).map(([name, words]) => html`<option value=${name} ?selected=${name === this.numbers.value}>${words}</option>`)}</select></label>
        ${this.switch("Values", this.values, "v")}
        ${this.switch("Policy map", this.heat, "h")}
      </div>`, this.controls);
    this.hoverAgain();
    this.host.analysed();
  }

  private switch(name: string, signal: Signal<boolean>, key: string): TemplateResult {
    return html`<button type="button" class="chip" aria-pressed=${signal.value} title="Key ${key}; held, only for as long"
      @click=${() => { signal.value = !signal.value; }}>${name}</button>`;
  }

  private wdl([win, draw, loss]: Chances): TemplateResult {
    const part = (name: string, share: number, word: string) => html`<span class=${name} .style=${`flex-grow:${share.toFixed(4)}`}>${
      share >= 0.17 ? `${word} ${percent(share, 0)}` : share >= 0.06 ? percent(share, 0) : ""}</span>`;
    return html`${part("white-wins", win, "White")}${part("drawn", draw, "draw")}${part("black-wins", loss, "Black")}`;
  }

  private facts(report: AnalysisReport | null): string {
    const node = this.host.tree.current;
    if (node.reply?.ending) return node.reply.ending.why;
    if (!report) {
      if (this.running) return `${this.analyst} begins\u2026`;
      return node.value ? "This was found earlier." : "Nothing is computed until you ask for it.";
    }
    const parts = [report.player.replace(/(^|=)\/\S*\//, "$1")];  // without the folders of a file's whole path
    if (report.network) parts[0] += ` (${report.network.replace(/, (.{6}).*/, ", $1\u2026")})`;
    if (report.depth > 0) parts.push(`depth ${report.depth}${report.selective > report.depth ? `/${report.selective}` : ""}`);
    if (report.visits > 0) parts.push(`${short(report.visits)} visits`);
    else if (report.nodes > 0) parts.push(`${short(report.nodes)} nodes`);
    const size = report.visits > 0 ? report.visits : report.nodes;
    if (report.seconds > 0.05) parts.push(`${short(size / report.seconds)}/s`);
    if (report.lines.length > 0 && report.value[3] !== undefined) parts.push(leftInWords(report.value[3]));
    parts.push(this.running && !report.done && this.key === report.key ? `${report.seconds.toFixed(0)} s` : report.done ? "finished" : "stopped");
    return parts.join(" \u00b7 ");
  }

  private line(line: AnalysisLine, i: number): TemplateResult {
    const hollow = lineHollow(line);
    const text = this.numberedLine(line);
    const copy = () => void copied(`${text.join(" ")} {${inWords(line.value)}${line.visits > 0 ? `, ${line.visits} visits` : ""}}`)
      .then((worked) => {
        this.copiedLine = worked ? i : -1;
        this.draw();
        setTimeout(() => { this.copiedLine = -1; this.draw(); }, 1200);
      });
    return html`<li data-move=${line.moves[0] ?? ""} class=${hollow ? "hollow" : ""}
        @pointerenter=${(event: PointerEvent) => { if (event.pointerType === "mouse") this.hover(line); }}
        @pointerleave=${(event: PointerEvent) => { if (event.pointerType === "mouse") this.hover(null); }}>
      <span class="score" title=${inWords(line.value)}>${line.mate !== undefined ? mateText(line.mate) : scoreText(line.value)}</span>
      <span class="numbers">${line.visits > 0 ? html`<span title="visits">${short(line.visits)}</span>` : nothing}
        ${line.prior > 0 ? html`<span title="policy">${percent(line.prior, 0)}</span>` : nothing}
        ${hollow ? html`<span title="few visits: do not rely on it">few</span>` : nothing}</span>
      <span class="line-moves">${line.moves.map((move, k) => html`<button type="button" class="move"
        @click=${() => this.host.follow(line.moves.slice(0, k + 1))} data-line-move=${move}
        @pointerenter=${(event: PointerEvent) => { if (event.pointerType === "mouse") void this.lineBoard.show(line, k + 1); }}>${text[k]}</button>`)}</span>
      <span class="line-tools">
        <button type="button" class="text" aria-label="Play line ${i + 1} on a small board" title="Play it on a small board"
          @click=${() => void this.lineBoard.show(line)}>${icon("M7 5l12 7-12 7z")}</button>
        <button type="button" class="text" aria-label="Copy line ${i + 1}" title="Copy as text" @click=${copy}>${icon(
            this.copiedLine === i ? "M5 13l4 4L19 7" : "M9 9h11v11H9zM5 15H4V4h11v1")}</button>
      </span></li>`;
  }

  private numberedLine(line: AnalysisLine): string[] {
    const { tree } = this.host;
    const base = tree.ply();
    return line.san.map((san, k) => {
      const { number, white } = numberOf(tree, base + k + 1);
      return white ? `${number}. ${san}` : k === 0 ? `${number}\u2026 ${san}` : san;
    });
  }
}
