// Mistakes of a whole game: found, looked at one after the other, looked at for longer, and tried again.
import { html, nothing, render } from "lit-html";
import { el } from "../common/dom";
import { percent } from "../common/format";
import { limitsOf, score } from "./analysis";
import { kMarkWords } from "./moves";
import { numbered, numberOf, type GameTree, type Node } from "./tree";
import type { Chances, Desk, ReviewReport } from "./desk";
import type { Signal, Store } from "./store";

export interface ReviewHost {
  desk: Desk;
  store: Store;
  tree: GameTree;
  readonly analyst: string;
  go(node: Node): void;
  /** Values, marks or comments are others. */
  reviewed(): void;
}

const kMarks = ["?!", "?", "??"];
const kMarkFrom: [number, string][] = [[0.3, "??"], [0.15, "?"], [0.07, "?!"]];  // by the expected score that is lost
const kTimes: [string, string][] = [["ms:100", "0.1 s"], ["ms:300", "0.3 s"], ["ms:1000", "1 s"], ["ms:5000", "5 s"]];

const kCertain: Record<string, Chances> = { "1-0": [1, 0, 0], "1/2-1/2": [0, 1, 0], "0-1": [0, 0, 1] };

const markOf = (loss: number): string => kMarkFrom.find(([least]) => loss >= least)?.[1] ?? "";

export class Review {
  readonly element = el("section", { class: "review panel", "aria-label": "Review of the game" });
  private readonly time: Signal<string>;
  private readonly stops: (() => void)[] = [];
  private report: ReviewReport | null = null;
  private key = "";
  private line: Node[] = [];
  private deepening = 0;  // mistakes still to be looked at
  private error = "";
  private said = "";
  /** The move that is to be found again, and with it what it cost. */
  private retried: Node | null = null;

  constructor(private readonly host: ReviewHost) {
    this.time = host.store.setting("review.time", "ms:300");
    this.stops.push(host.desk.on("review", (report) => this.seen(report)), this.time.watch(() => this.draw()));
    this.draw();
  }

  leave(): void {
    this.stops.forEach((stop) => stop());
    this.stop();
  }

  private mistakes(): Node[] {
    return this.host.tree.main().filter((node) => kMarks.includes(node.mark));
  }

  private stop(): void {
    if (this.key !== "") void this.host.desk.ask("stop", { what: "review" }).catch(() => {});
    if (this.deepening > 0) void this.host.desk.ask("stop", { what: "search" }).catch(() => {});
    this.key = "";
    this.deepening = 0;
  }

  private start(): void {
    const { tree, desk, analyst } = this.host;
    this.line = tree.main();
    if (this.line.length < 2) return;
    this.error = this.said = "";
    this.report = null;
    const place = tree.place(this.line[this.line.length - 1]);
    const key = this.key = JSON.stringify([place, analyst, this.time.value, Date.now()]);
    desk.ask("review", { ...place, player: analyst, key, ...limitsOf(this.time.value) }).catch((error: Error) => this.failed(key, error.message));
    this.draw();
  }

  private failed(key: string, message: string): void {
    if (key !== this.key) return;
    this.error = message;
    this.key = "";
    this.draw();
  }

  private seen(report: ReviewReport): void {
    if (report.key !== this.key) return;
    this.report = report;
    if (report.error) return this.failed(report.key, report.error);
    if (report.plies) {
      this.key = "";
      report.plies.forEach((ply, i) => {
        const before = this.line[i], node = this.line[i + 1];
        if (!before || !node) return;
        before.value = ply.value;
        node.mark = ply.mark;
        node.best = ply.best && ply.best !== node.move ? { move: ply.best, san: ply.bestSan, loss: ply.loss } : null;
        node.comment = ply.note || node.comment;
      });
      const end = this.line[this.line.length - 1];
      end.value = kCertain[end.reply?.ending?.result ?? ""] ?? end.value;
      this.host.reviewed();
    }
    this.draw();
  }

  /** The next mistake of the main line after the position that is shown, or the first one. */
  next(): void {
    const { tree } = this.host;
    const mistakes = this.mistakes();
    const main = tree.main();
    const at = main.indexOf(tree.current);
    const found = mistakes.find((node) => main.indexOf(node) > at) ?? mistakes[0];
    if (!found) { this.said = "No mistakes are marked: review the game first."; return this.draw(); }
    this.retried = null;
    this.host.go(found);
  }

  /** Mistakes alone, ten times as long: before the move and after it. */
  private async deepen(): Promise<void> {
    const { tree, desk, analyst } = this.host;
    const mistakes = this.mistakes();
    const limit = { ms: Math.max(1000, 10 * (limitsOf(this.time.value).ms ?? 300)) };
    this.deepening = mistakes.length;
    this.error = this.said = "";
    let changed = 0;
    for (const node of mistakes) {
      if (this.deepening === 0) break;
      this.draw();
      try {
        const before = await desk.ask("search", { ...tree.place(node.parent!), player: analyst, ...limit });
        node.parent!.value = before.value;
        let after: Chances = before.value;
        if (before.move !== node.move && !node.reply?.ending) {
          after = (await desk.ask("search", { ...tree.place(node), player: analyst, ...limit })).value;
          node.value = after;
        }
        const loss = Math.max(0, (numberOf(tree, tree.ply(node)).white ? 1 : -1) * (score(before.value) - score(after)));
        const mark = markOf(loss);
        if (mark !== node.mark) ++changed;
        node.mark = mark;
        node.best = before.move === node.move ? null : { move: before.move, san: before.san, loss };
        node.comment = mark ? `${before.san} was better: ${percent(loss, 0)} of the expected score were lost.` : "";
      } catch (error) {
        if (this.deepening > 0) this.error = (error as Error).message;
        break;
      }
      this.deepening = Math.max(0, this.deepening - 1);
      this.host.reviewed();
    }
    this.deepening = 0;
    if (!this.error) this.said = changed === 0 ? "They are mistakes still." : `${changed} are judged otherwise now.`;
    this.draw();
  }

  private retry(): void {
    const { current } = this.host.tree;
    if (!current.parent || !current.best) return;
    this.retried = current;
    this.said = `Find a better move than ${current.san}.`;
    this.host.go(current.parent);
  }

  /** A move was played on the board. */
  async played(node: Node): Promise<void> {
    const retried = this.retried;
    if (!retried || node.parent !== retried.parent) return;
    const { tree, desk, analyst } = this.host;
    if (node.move === retried.best?.move) {
      this.retried = null;
      this.said = `${node.san} is the move.`;
      return this.draw();
    }
    if (node === retried) { this.said = `That is ${node.san} again.`; return this.draw(); }
    this.said = `${node.san}\u2026`;
    this.draw();
    try {
      const reply = await desk.ask("search", { ...tree.place(node), player: analyst, ms: 1000 });
      node.value = reply.value;
      const before = retried.parent!.value;
      const loss = before ? (numberOf(tree, tree.ply(node)).white ? 1 : -1) * (score(before) - score(reply.value)) : 0;
      this.said = loss < 0.05 ? `${node.san} is good, too; ${retried.best?.san} was expected.`
        : `${node.san} loses ${percent(loss, 0)} of the expected score: try again.`;
      this.host.reviewed();
    } catch (error) { this.said = (error as Error).message; }
    this.draw();
  }

  draw(): void {
    const { tree } = this.host;
    const busy = this.key !== "" || this.deepening > 0;
    const mistakes = this.mistakes();
    const { current } = tree;
    const done = this.report && this.key !== "" ? this.report.done / Math.max(1, this.report.total) : 0;
    const counted = (white: boolean) => kMarks.map((mark) =>
      [mark, mistakes.filter((node) => node.mark === mark && numberOf(tree, tree.ply(node)).white === white).length] as const);
    const summary = (white: boolean) => html`<tr><th scope="row">${white ? "White" : "Black"}</th>
      ${counted(white).map(([, count]) => html`<td>${count}</td>`)}</tr>`;
    render(html`
      <header class="toolbar">
        <button type="button" class="main" ?disabled=${tree.root.children.length === 0} title=${tree.root.children.length === 0 ? "There are no moves to review" : nothing}
          @click=${() => { if (busy) { this.stop(); this.draw(); } else this.start(); }}>${busy ? "Stop" : "Review the game"}</button>
        <label>with <select aria-label="Time for each move" @change=${(event: Event) => { this.time.value = (event.target as HTMLSelectElement).value; }}>
          ${kTimes.map(([value, words]) => html`<option value=${value} ?selected=${value === this.time.value}>${words} a move</option>`)}</select></label>
      </header>
      ${this.key !== "" ? html`<progress max="1" value=${done} aria-label="Review">${percent(done, 0)}</progress>
        <p class="faint">${this.report?.done ?? 0} of ${this.report?.total ?? tree.main().length - 1} moves</p>` : nothing}
      ${this.deepening > 0 ? html`<p class="faint">${this.deepening} mistakes to look at</p>` : nothing}
      ${this.error ? html`<p class="notice" role="alert">${this.error}</p>` : nothing}
      ${mistakes.length > 0 ? html`<table class="mistakes"><thead><tr><td></td>${kMarks.map((mark) =>
          html`<th scope="col"><span class="mark ${kMarkWords[mark]}">${mark}</span> ${kMarkWords[mark]}</th>`)}</tr></thead>
        <tbody>${summary(true)}${summary(false)}</tbody></table>
        <div class="row">
          <button type="button" class="quiet" title="Key n" @click=${() => this.next()}>Next mistake</button>
          <button type="button" class="quiet" ?disabled=${busy} @click=${() => void this.deepen()}>Deepen only these</button>
          <button type="button" class="quiet" ?disabled=${!current.best || !current.parent} title=${current.best ? nothing : "Go to a marked move first"}
            @click=${() => this.retry()}>Try again</button></div>` : this.report?.plies ? html`<p class="faint">No mistakes were found.</p>` : nothing}
      ${current.best && this.retried === null ? html`<p>${numbered(tree, current)}${current.mark in kMarkWords ? `: ${kMarkWords[current.mark]}; better was` : "; what was expected is"}
        <button type="button" class="text" @click=${() => this.host.go(tree.play(current.best!.move, current.best!.san, current.parent!))}>${current.best.san}</button></p>` : nothing}
      <p class="said" role="status">${this.said}</p>`, this.element);
  }
}
