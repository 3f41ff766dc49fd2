// The first view: which game.
import { html, nothing, render } from "lit-html";
import { Drawing } from "../board/drawing";
import { Boards, PositionReader } from "../board/position";
import { el } from "../common/dom";
import { gamesOf, tableFields, written, type Store, type View } from "./store";
import type { Desk, GameInfo } from "./desk";
import type { StoredTree } from "./tree";

class Start implements View {
  readonly element = el("div", { class: "start" });
  private readonly boards = new Boards();
  private readonly pictures = new Map<string, HTMLElement>();
  private readonly options = new Map<string, Record<string, string>>();
  private readonly observer: IntersectionObserver;
  private games: GameInfo[] = [];
  private filter = "";
  private error = "";

  constructor(private readonly desk: Desk, private readonly store: Store) {
    this.observer = new IntersectionObserver((entries) => entries.filter((entry) => entry.isIntersecting)
      .forEach((entry) => this.picture(entry.target as HTMLElement)), { rootMargin: "300px" });
    void this.load();
    this.draw();
  }

  leave(): void { this.observer.disconnect(); }

  /** At first the games of the last time: it takes seconds to read all files. */
  private async load(): Promise<void> {
    const known = this.store.setting<GameInfo[]>("games", []);
    this.games = known.value;
    this.draw();
    try {
      this.games = known.value = await gamesOf(this.desk);
      this.error = "";
    } catch (error) { this.error = (error as Error).message; }
    this.draw();
  }

  /** The game's name with the options that were chosen. */
  private nameOf(game: GameInfo): string {
    const chosen = Object.entries(this.options.get(game.name) ?? {})
      .filter(([name, value]) => value !== game.options.find((option) => option.name === name)?.values[0]);
    return chosen.length === 0 ? game.name : `${game.name}:${chosen.map(([name, value]) => `${name}=${value}`).join(",")}`;
  }

  private board(game: GameInfo): HTMLElement {
    let box = this.pictures.get(game.name);
    if (!box) {
      box = el("div", { class: "game-picture", "data-game": game.name });
      this.pictures.set(game.name, box);
      this.observer.observe(box);
    }
    return box;
  }

  private picture(box: HTMLElement): void {
    this.observer.unobserve(box);
    const game = this.games.find((one) => one.name === box.dataset.game)!;
    this.desk.ask("position", { game: this.nameOf(game), moves: [] }).then((reply) => {
      const positions = new PositionReader(reply, this.boards).readAll(reply.frames);
      const drawing = new Drawing("given", false);
      drawing.frame(positions);
      drawing.show(positions[0], `${game.title}, the start`);
      drawing.element.setAttribute("aria-hidden", "true");
      box.replaceChildren(drawing.element);
    }).catch((error: Error) => box.replaceChildren(el("p", { class: "faint" }, error.message)));
  }

  private choose(game: GameInfo, option: string, value: string): void {
    this.options.set(game.name, { ...this.options.get(game.name), [option]: value });
    this.picture(this.board(game));
    this.draw();
  }

  private card(game: GameInfo): unknown {
    const name = this.nameOf(game);
    return html`<li class="game-card">
      <a class="game-link" href="#${written(tableFields(name))}">${this.board(game)}
        <h3>${game.title}</h3></a>
      <p class="summary">${game.summary}</p>
      <p class="faint">${game.board}${game.kind === "file" ? " \u00b7 from a file" : ""}</p>
      ${game.options.length > 0 ? html`<details class="options"><summary>Options${name !== game.name ? `: ${name.slice(game.name.length + 1)}` : ""}</summary>
        ${game.options.map((option) => html`<label><span title=${option.help}>${option.name}</span>
          <select title=${option.help} @change=${(event: Event) => this.choose(game, option.name, (event.target as HTMLSelectElement).value)}>
            ${option.values.map((value) => html`<option value=${value}>${value}</option>`)}</select></label>`)}</details>` : nothing}
      <p class="links"><a href="#${written(tableFields(name))}">Play</a><a href="#${written({ rules: name })}">Rules</a>
        <a href="#${written({ setup: name })}">Set up</a></p></li>`;
  }

  private draw(): void {
    const wanted = this.filter.toLowerCase();
    const shown = this.games.filter((game) => `${game.title} ${game.name} ${game.summary}`.toLowerCase().includes(wanted));
    const groups: [string, string, GameInfo[]][] = [
      ["Boards that move", "Each of them is built in, with players that know it.", shown.filter((game) => game.kind === "family")],
      ["Games from files", "Described in a file each; you can write one yourself.", shown.filter((game) => game.kind === "file")]];
    const last = this.store.setting<StoredTree | null>("table.game", null).value;
    const continued = last ? tableFields(last.game, last.fen, movesOf(last)) : null;
    render(html`
      <header class="view-heading"><h1>Choose a game</h1>
        <input type="search" placeholder="Find a game" aria-label="Find a game" .value=${this.filter}
          @input=${(event: Event) => { this.filter = (event.target as HTMLInputElement).value; this.draw(); }}></header>
      ${continued ? html`<p class="continue"><a href="#${written(continued)}">Continue ${this.games.find((game) => game.name === last!.game)?.title ?? last!.game}</a>
        <span class="faint">where you left it</span></p>` : nothing}
      ${this.games.length === 0 && !this.error ? html`<p class="faint" role="status">The games are being read\u2026</p>` : nothing}
      ${this.error ? html`<p class="notice" role="alert">${this.error}</p>` : nothing}
      ${groups.filter(([, , games]) => games.length > 0).map(([title, words, games]) => html`<section><h2>${title}</h2>
        <p class="remark">${words}</p><ul class="game-cards">${games.map((game) => this.card(game))}</ul></section>`)}
      ${this.games.length > 0 && shown.length === 0 ? html`<p class="faint">No game is called that.</p>` : nothing}
      <p class="faint">Paste a FEN, a PGN or a list of moves anywhere on the page, or drop a file, to open it.</p>`, this.element);
  }
}

function movesOf(stored: StoredTree): string[] {
  const moves: string[] = [];
  for (let node = stored.root, i = 0; node.c?.length; ++i) {
    node = node.c[stored.at[i] ?? 0] ?? node.c[0];
    moves.push(node.m);
  }
  return moves;
}

export function startView(desk: Desk, store: Store): View {
  return new Start(desk, store);
}
