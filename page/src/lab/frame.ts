// What is around every view: the header, the view that the address names, messages, sheets, and texts that are opened.
import { html, nothing, render } from "lit-html";
import { el } from "../common/dom";
import { RequestError, type Desk, type ReadGame } from "./desk";
import { imports } from "./share";
import { startView } from "./start";
import { parsed, tableFields, written, type Fields, type Signal, type Store, type View } from "./store";

export type MakeView = (desk: Desk, store: Store) => View;

const kKeys: [string, string][] = [
  ["\u2190 \u2192", "back and forward"], ["Home End", "first and last position"],
  ["\u2191 \u2193", "the variation before or after this one"],
  ["Shift + \u2192", "into the variation"], ["Shift + \u2190", "out of the variation"],
  ["Space", "play the best move"], ["l", "start or stop the analysis"],
  ["a", "arrows of the analysis; held: for as long"], ["h", "policy map; held: for as long"], ["v", "values at the arrows; held: for as long"],
  ["x", "hide what the engine says"], ["z", "the board alone"], ["f", "turn the board"],
  ["n", "next mistake"], ["b", "back to where I was"],
  ["Tab", "to the board, where arrows go from square to square and Enter picks up and drops"],
  ["Esc", "put the piece back"], ["?", "this list"],
];

const keyList = () => html`<h2>Keys</h2><dl class="keys">${kKeys.map(([key, words]) => html`<div><dt>${key.split(" ").map((one) =>
  one === "+" ? " + " : html`<kbd>${one}</kbd>`)}</dt><dd>${words}</dd></div>`)}</dl>`;

export class Frame {
  private readonly header = el("header", { class: "site" });
  private readonly stage = el("main", { id: "stage", tabindex: -1 });
  private readonly toast = el("div", { class: "toast", role: "status" });
  private readonly dialog = el("dialog", { class: "sheet" });
  private view: View | null = null;
  private shown: MakeView | null = null;
  private fading = 0;

  /** The board that was shown last. */
  private get last(): Signal<{ game: string; fen?: string } | null> {
    return this.store.setting<{ game: string; fen?: string } | null>("table.game", null);
  }

  /**
   * `views`: by the first field of the URL's fragment. `head`: what the header has, from the links to the given views (name,
   * fields, words) and to the board that was shown last.
   */
  constructor(private readonly desk: Desk, private readonly store: Store, private readonly views: Record<string, MakeView>,
              private readonly head: (link: (name: string, fields: Fields, words: string) => unknown, board: unknown) => unknown) {
    store.notice.watch((text) => this.say(text));
    this.toast.addEventListener("click", () => { store.notice.value = ""; });
    document.addEventListener("keydown", (event) => this.key(event));
    this.dialog.addEventListener("click", (event) => { if (event.target === this.dialog) this.dialog.close(); });
    store.read = (text) => void this.open(text);
    imports(store.read);
    document.getElementById("lab")!.append(
      el("a", { class: "skip", href: "#stage", click: (event: Event) => { event.preventDefault(); this.stage.focus(); } }, "To the page"),
      this.header, this.stage, this.toast, this.dialog);
    store.fields.watch(() => this.show());
    this.last.watch(() => this.drawHeader());
  }

  private nameOf(fields: Fields): string { return Object.keys(fields).find((name) => name in this.views) ?? ""; }

  show(): void {
    const fields = this.store.fields.value;
    const maker = this.views[this.nameOf(fields)] ?? startView;
    if (maker !== this.shown || !this.view?.moved?.(fields)) {
      this.view?.leave();
      this.shown = maker;
      this.view = maker(this.desk, this.store);
      this.stage.replaceChildren(this.view.element);
      if (!("g" in fields)) scrollTo(0, 0);
    }
    this.drawHeader();
  }

  drawHeader(): void {
    const at = this.nameOf(this.store.fields.value);
    const link = (name: string, fields: Fields, words: string) =>
      html`<a href="#${written(fields)}" aria-current=${at === name ? "page" : nothing}>${words}</a>`;
    const last = this.last.value;
    render(this.head(link, last ? link("g", tableFields(last.game, last.fen), "Board") : nothing), this.header);
  }

  keys(): void { this.sheet(keyList()); }

  private sheet(content: unknown): void {
    render(html`<button type="button" class="close text" aria-label="Close" @click=${() => this.dialog.close()}>\u00d7</button>${content}`, this.dialog);
    if (!this.dialog.open) this.dialog.showModal();
  }

  /** Any text: a position or a game is shown at once, of several one is chosen. */
  private async open(text: string): Promise<void> {
    this.store.notice.value = "";  // of what could not be opened before
    const { token: _, ...fields } = parsed(/^\s*https?:\/\/\S*(#\S+)\s*$/.exec(text)?.[1] ?? "");
    if (this.nameOf(fields)) return this.store.go(fields);  // the address of a game, or of another view
    const [, path, number] = /^\s*(\S+)[\s#]+(?:game\s+)?(\d+)\s*$/.exec(text) ?? [];
    let missing: Error | null = null;
    try {
      // A run's game by its number, or else something that looks so.
      const found = path ? await this.desk.ask("gamesOf", { path, from: 0, count: 1, filter: `number=${number}` }).catch((error: RequestError) => {
        if (error.field === "path" && /\/|\.pgn$/.test(path)) missing = error;
        return null;
      }) : null;
      if (found?.games.length === 1) return this.store.open(found.games[0]);
      if (found) throw new Error(`'${path}' has no game ${number}`);
      const game = this.store.fields.value.g;
      const { games } = await this.desk.ask("read", game ? { text, game } : { text });
      if (games.length === 1) this.store.open(games[0], games[0].moves.length);
      else if (games.length > 1) this.sheet(this.choice(games));
    } catch (unread) {
      const error = missing ?? unread;
      const field = error instanceof RequestError && error.field && error.field !== "text" ? ` (${error.field})` : "";
      this.store.notice.value = `This cannot be opened: ${(error as Error).message}${field}`;
    }
  }

  private choice(games: ReadGame[]): unknown {
    return html`<h2>${games.length} games</h2><ul class="choice">${games.map((game, i) => html`<li>
      <button type="button" class="quiet" @click=${() => { this.dialog.close(); this.store.open(game); }}>${game.name ?? `${i + 1}.`}
        ${game.white || "?"} \u2013 ${game.black || "?"} <span class="faint">${game.result}, ${game.moves.length} plies, ${game.game}</span></button></li>`)}</ul>`;
  }

  private say(text: string): void {
    this.toast.textContent = text;
    this.toast.classList.toggle("shown", text !== "");
    clearTimeout(this.fading);
    if (text) this.fading = window.setTimeout(() => { this.store.notice.value = ""; }, Math.max(2500, 70 * text.length));
  }

  private key(event: KeyboardEvent): void {
    const target = event.target as HTMLElement;
    if (event.key !== "?" || target.closest("input, textarea, select")) return;
    event.preventDefault();
    if (this.dialog.open) this.dialog.close();
    else this.keys();
  }
}
