// The table: a game on its board, with its moves, against an engine or analysed by one.
import { html, nothing, render } from "lit-html";
import { PlayBoard } from "../board/input";
import { Boards, PositionReader } from "../board/position";
import type { Reply, ShowOptions } from "../board/state";
import { capitalised, el, iconButton } from "../common/dom";
import { Analysis, type AnalysisHost } from "./analysis";
import { Graph, inWords } from "./graph";
import { MoveList, plain } from "./moves";
import { PlayPanel, type PlayTable } from "./play";
import { Review, type ReviewHost } from "./review";
import { pictureOf, sharing } from "./share";
import { familyOf, gamesOf, tableFields, written, type Fields, type Signal, type Store, type View } from "./store";
import { GameTree, numbered, type Drawn, type Node, type StoredTree } from "./tree";
import type { Desk, GameInfo, LegalMove, Place, PositionReply, Scale } from "./desk";

const kIcons = {
  first: "M6 5v14M19 5l-10 7 10 7",
  back: "M15 5l-8 7 8 7",
  next: "M9 5l8 7-8 7",
  last: "M18 5v14M5 5l10 7-10 7",
};
const kTabs = { play: "Play", analysis: "Analysis", review: "Review", share: "Share" } as const;
type Tab = keyof typeof kTabs;

const kBestMs = 500;  // of a search for the best move
const kSettled = 200;
const kHold = 350;  // ms after which a key that was held, not pressed, ends what it began

class Table implements View, PlayTable, AnalysisHost, ReviewHost {
  readonly element = el("div", { class: "lab-table" });
  readonly boards = new Boards();
  readonly settings: Store;
  tree: GameTree;
  players: string[] = [];
  scales: Scale[] = [];
  private info: GameInfo | null = null;
  private readonly board: PlayBoard;
  private readonly play_: PlayPanel;
  private readonly analysis: Analysis;
  private readonly review: Review;
  private readonly moves = new MoveList((node) => this.go(node));
  private readonly graph = new Graph((node) => this.go(node));
  private readonly title = el("div", { class: "title-line" });
  private readonly status = el("p", { class: "status" });
  private readonly tabs = el("div", { class: "tabs", role: "tablist", "aria-label": "What to do with the game" });
  private readonly notes = el("div", { class: "notes" });
  private readonly sharing = el("section", { class: "share panel", "aria-label": "Share" });
  private readonly panels: Record<Tab, HTMLElement>;
  private readonly tab: Signal<Tab>;
  /** By game: files of networks. */
  private readonly brought: Signal<Record<string, string[]>>;
  private readonly stored: Signal<StoredTree | null>;
  private readonly blackBelow: Signal<boolean>;
  private readonly fromBlack: Signal<boolean>;
  private readonly bare: Signal<boolean>;
  private readonly focused: Signal<boolean>;
  private readonly stops: (() => void)[] = [];
  private readonly held = new Map<string, number>();
  private shown: Node | null = null;
  private loaded: object | null = null;
  private describing = 0;
  private described = -kSettled;  // when
  private said = "";

  constructor(readonly desk: Desk, readonly store: Store) {
    this.settings = store;
    this.tab = store.setting<Tab>("table.tab", "play");
    this.brought = store.setting<Record<string, string[]>>("table.players", {});
    this.stored = store.setting<StoredTree | null>("table.game", null);
    this.blackBelow = store.setting<boolean>("table.flipped", false);
    this.fromBlack = store.setting<boolean>("graph.black", false);
    this.bare = store.setting<boolean>("table.bare", false);
    this.focused = store.setting<boolean>("table.focus", false);
    this.tree = new GameTree(store.fields.value.g ?? "");
    this.board = new PlayBoard({
      settings: store, boards: this.boards,
      move: (text) => void this.play(this.place(), text),
      previews: (from) => desk.ask("previews", { ...this.place(), from }),
      squares: () => desk.ask("squares", this.place()),
      drawn: (marks) => { this.tree.current.drawn = marks as Drawn[]; this.describe(); },
    });
    this.play_ = new PlayPanel(this);
    this.analysis = new Analysis(this);
    this.review = new Review(this);
    this.panels = { play: this.play_.element, analysis: this.analysis.element, review: this.review.element, share: this.sharing };
    this.build();
    this.open(store.fields.value);
    for (const signal of [this.tab, this.fromBlack, this.bare, this.focused]) this.stops.push(signal.watch(() => this.arrange()));
    const down = (event: KeyboardEvent) => this.key(event), up = (event: KeyboardEvent) => this.released(event);
    document.addEventListener("keydown", down);
    const hidden = () => this.describeNow();
    addEventListener("pagehide", hidden);
    this.stops.push(() => removeEventListener("pagehide", hidden));
    document.addEventListener("keyup", up);
    this.stops.push(() => { document.removeEventListener("keydown", down); document.removeEventListener("keyup", up); });
    void gamesOf(desk).then((games) => {
      this.info = games.find((game) => game.name === familyOf(this.tree.game)) ?? null;
      this.draw();
    }).catch(() => {});
  }

  leave(): void {
    document.body.classList.remove("focused", "bare");
    this.board.leave();
    this.play_.leave();
    this.analysis.leave();
    this.review.leave();
    this.stops.forEach((stop) => stop());
    clearTimeout(this.describing);
    this.keep();
  }

  moved(fields: Fields): boolean {
    if (!("g" in fields) || familyOf(fields.g) !== familyOf(this.tree.game)) return false;
    this.open(fields);
    return true;
  }

  /** Players that know the game with its options, and what was brought along as one. */
  private findPlayers(): void {
    const { game } = this.tree;
    const { player } = this.store.fields.value;
    const brought = this.brought.value[game] ?? [];
    if (player && !brought.includes(player)) {
      brought.push(player);
      this.brought.value = { ...this.brought.value, [game]: brought };
    }
    if (player) {
      this.store.setting("play.player", "").value = player;
      this.store.setting("analysis.player", "").value = player;
    }
    this.players = ["alphabeta", ...brought];
    this.scales = [];
    void this.desk.ask("players", { game }).then(({ players }) => {
      if (game !== this.tree.game) return;
      this.players = [...new Set([...players, ...brought])];
      this.draw();
      return this.desk.ask("ratings", { game }).then(({ scales }) => {
        if (game !== this.tree.game) return;
        this.scales = scales;
        this.draw();
      });
    }).catch(() => {});
  }

  get analyst(): string { return this.analysis.analyst; }

  // What the page is made of.

  private build(): void {
    for (const [name, words] of Object.entries(kTabs) as [Tab, string][]) {
      const tab = el("button", { type: "button", role: "tab", id: `tab-${name}`, "aria-controls": `panel-${name}`,
                                 click: () => { this.tab.value = name; } }, words);
      tab.addEventListener("keydown", (event) => {
        const names = Object.keys(kTabs) as Tab[];
        const by = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? names.length - 1 : 0;
        if (by === 0) return;
        event.preventDefault();
        event.stopPropagation();
        this.tab.value = names[(names.indexOf(this.tab.value) + by) % names.length];
        this.tabs.querySelector<HTMLElement>("[aria-selected=true]")?.focus();
      });
      this.tabs.append(tab);
      Object.assign(this.panels[name], { id: `panel-${name}` });
      this.panels[name].setAttribute("role", "tabpanel");
      this.panels[name].setAttribute("aria-labelledby", `tab-${name}`);
    }
    const side = el("button", { type: "button", class: "text", click: () => { this.fromBlack.value = !this.fromBlack.value; } });
    this.stops.push(this.fromBlack.watch(() => { side.textContent = this.side_(); }));
    side.textContent = this.side_();
    this.graph.element.append(el("div", { class: "graph-foot" },
      el("span", { class: "key" }, el("span", { class: "white-wins" }, "White wins"), el("span", { class: "drawn" }, "draw"),
        el("span", { class: "black-wins" }, "Black wins")), side));
    const controls = el("div", { class: "controls" },
      iconButton("First position (Home)", kIcons.first, () => this.go(this.tree.root)),
      iconButton("Back (arrow left)", kIcons.back, () => this.back()),
      iconButton("Next (arrow right)", kIcons.next, () => this.forward()),
      iconButton("Last position (End)", kIcons.last, () => this.end()),
      el("span", { class: "grow" }), ...this.board.buttons, ...this.play_.buttons);
    this.board.toolbar.append(controls);
    this.element.append(
      el("div", { class: "board-side" }, this.title,
        el("div", { class: "board-row" }, this.analysis.bar, this.board.element),
        this.graph.element),
      el("div", { class: "work-side" }, this.tabs, ...Object.values(this.panels),
        el("section", { class: "moves-panel panel", "aria-label": "Moves and notes" }, this.moves.element, this.notes)));
    // Where the board says what is hovered, it is said otherwise what is shown.
    const note = this.board.element.querySelector(".board-note")!;
    const place = el("div", { class: "board-said" });
    note.replaceWith(place);
    place.append(note, this.status);
    // The bar is as high as the board, without what stands around it.
    const board = this.board.view.element;
    const measure = new ResizeObserver(() => {
      const { bar } = this.analysis;
      bar.style.height = `${board.offsetHeight}px`;
      bar.style.marginTop = `${Math.max(0, board.getBoundingClientRect().top - bar.parentElement!.getBoundingClientRect().top)}px`;
    });
    measure.observe(board);
    measure.observe(this.board.element);
    this.stops.push(() => measure.disconnect());
    this.board.element.addEventListener("pointerover", (event) => {
      const arrow = (event.target as Element).closest<SVGElement>("[data-arrow]");
      this.analysis.mark(arrow?.dataset.arrow ?? null);
    });
  }

  private side_(): string { return this.fromBlack.value ? "Black's side" : "White's side"; }

  private arrange(): void {
    for (const tab of this.tabs.querySelectorAll<HTMLElement>("[role=tab]")) {
      const chosen = tab.id === `tab-${this.tab.value}`;
      tab.setAttribute("aria-selected", String(chosen));
      tab.tabIndex = chosen ? 0 : -1;
      tab.classList.toggle("busy", tab.id === "tab-analysis" && this.analysis.running);
    }
    for (const [name, panel] of Object.entries(this.panels)) panel.hidden = name !== this.tab.value;
    document.body.classList.toggle("bare", this.bare.value);
    document.body.classList.toggle("focused", this.focused.value);
    this.graph.turned = this.fromBlack.value;
    this.graph.show(this.tree);
    this.analysed();
  }

  // The game.

  /** Shows the game of these fields: the tree that is remembered, if they are of it. */
  private open(fields: Fields): void {
    const moves = (fields.m ?? "").split(/[ ,]+/).filter(Boolean);
    const fen = fields.fen || undefined;
    const ply = fields.ply === undefined ? (fields.m === undefined ? 0 : undefined) : Number(fields.ply);
    const handed = this.store.handed;
    this.store.handed = null;
    const stored = this.stored.value;
    let tree: GameTree | null = null;
    if (handed && handed.game === fields.g) tree = GameTree.from(handed);
    else if (this.tree.game === fields.g && this.tree.fen === fen && this.tree.find(moves)) tree = this.tree;
    else if (stored && stored.game === fields.g && stored.fen === fen) {
      const old = GameTree.restore(stored);
      if (old.find(moves)) tree = old;
    }
    if (tree === null) {
      tree = new GameTree(fields.g, fen);
      let node = tree.root;
      for (const move of moves) node = tree.play(move, move, node);
    }
    const line = tree.path(tree.find(moves) ?? tree.root);
    tree.current = line[Math.min(ply ?? line.length - 1, line.length - 1)];
    if (fields.a) tree.current.drawn = fields.a.split(",").map((one) => one.split("-").map(Number) as Drawn);
    if (fields.o) this.board.flip(fields.o === "black");
    const other = tree.game !== this.tree.game || this.players.length === 0 || fields.player !== undefined;
    this.tree = tree;
    this.shown = null;
    this.loaded = null;
    if (other) this.findPlayers();
    this.draw();
    const end = tree.line()[tree.line().length - 1];
    void this.fetch(end).then(() => this.show());
  }

  /** Asks for the positions that lead to a node, and what can be played there. False if it is none. */
  private async fetch(node: Node): Promise<boolean> {
    const { tree } = this;
    try {
      const reply = await this.desk.ask("position", tree.place(node));
      const positions = new PositionReader(reply, this.boards).readAll(reply.frames);
      tree.path(node).forEach((one, i) => {
        one.position ??= positions[i];
        one.effects = reply.frames[i]?.e ?? "";
        if (i > 0) one.san = reply.san[i - 1];
      });
      node.reply = { ...reply, frames: [], boards: [] };
      tree.first = reply.first;
      tree.number = reply.number;
      return true;
    } catch (error) {
      if (tree !== this.tree) return false;
      this.said = (error as Error).message;
      if (tree.root.position === null) this.withoutMoves();
      this.draw();
      return false;
    }
  }

  /** The start is shown where the moves of an address are none. */
  private withoutMoves(): void {
    if (this.tree.root.children.length === 0) return;
    const said = this.said;
    this.tree = new GameTree(this.tree.game, this.tree.fen);
    void this.fetch(this.tree.root).then(() => { this.said = said; this.show(); });
  }

  private show(): void {
    const { tree } = this;
    const node = tree.current;
    if (node.position === null || node.reply === null) {
      if (node.position) this.put(node);
      void this.fetch(node).then((found) => { if (found && tree.current === node && tree === this.tree) this.show(); });
    } else this.put(node);
    this.draw();
  }

  private put(node: Node): void {
    const known = this.tree.line().filter((one) => one.position !== null).map((one) => one.position!);
    const boards = known.map((position) => position.board);
    if (this.loaded === null || !boards.every((board) => (this.loaded as Set<object>).has(board))) {
      this.loaded = new Set(boards);
      this.board.load(known);
    }
    const step = this.shown !== null && this.shown !== node && (this.shown === node.parent || this.shown.parent === node);
    const options: ShowOptions = {
      side: this.play_.side(), premoves: this.play_.premoves(), description: this.description(node), animated: step,
      before: node.parent?.position ?? undefined, marks: node.drawn };
    this.board.show(node.position!, node.reply as Reply | null, options);
    this.shown = node;
  }

  private description(node: Node): string {
    const { tree } = this;
    const ended = (text: string) => (/[.!?]$/.test(text) ? text : `${text}.`);
    const said = capitalised(plain(node.comment));
    const at = node.parent === null ? "Start." : node.effects ? `${numbered(tree, node)}: ${node.effects}` : ended(numbered(tree, node));
    const turn = node.reply?.ending ? node.reply.ending.why
      : node.reply ? `${capitalised(node.reply.turn)} to move${node.reply.check ? ", in check" : ""}.` : "";
    return [at, said && ended(said), turn].filter(Boolean).join(" ");
  }

  go(node: Node): void {
    this.said = "";
    this.tree.go(node);
    this.show();
  }

  private back(): void { if (this.tree.current.parent) this.go(this.tree.current.parent); }
  private forward(): void { if (this.tree.current.children[0]) this.go(this.tree.current.children[0]); }
  private end(): void { const line = this.tree.line(); this.go(line[line.length - 1]); }

  /** To the variation beside this one, from the last move that has any. */
  private sibling(by: number): void {
    for (let node: Node = this.tree.current; node.parent; node = node.parent) {
      const { children } = node.parent;
      if (children.length < 2) continue;
      return this.go(children[(children.indexOf(node) + by + children.length) % children.length]);
    }
  }

  // For the panel to play.

  place(): Place { return this.tree.place(); }
  reply(): PositionReply | null { return this.tree.current.reply; }
  atEnd(): boolean { return this.tree.current.children.length === 0; }

  play(place: Place, text: string): void {
    const { tree } = this;
    if (JSON.stringify(place) !== JSON.stringify(tree.place())) return;
    const found = tree.current.reply?.legal.find((move) => move.text === text);
    if (!found) return;
    const from = tree.current;
    const node = tree.play(text, found.san, from);
    void (node.position ? Promise.resolve(true) : this.fetch(node)).then((there) => {
      if (!there || this.tree !== tree || tree.current !== from) return;
      this.go(node);
      void this.review.played(node);
    });
  }

  takeBack(plies: number): void {
    const path = this.tree.path();
    const node = path[Math.max(0, path.length - 1 - plies)];
    const last = path[path.indexOf(node) + 1];
    this.tree.go(node);
    if (last) this.tree.remove(last);
    this.tree.result = "*";
    this.show();
  }

  newGame(fromHere: boolean): void {
    const fen = fromHere ? this.tree.current.reply?.fen : this.tree.fen;
    this.stored.value = null;
    this.tree = new GameTree(this.tree.game, fen);
    this.shown = null;
    this.loaded = null;
    this.store.go(tableFields(this.tree.game, fen));
    this.show();
  }

  finish(result: string, why: string): void {
    this.tree.result = result;
    this.said = why;
    this.draw();
  }

  flip(flipped: boolean): void {
    this.board.flip(flipped);
    this.draw();
  }

  flipped(): boolean { return this.board.view.drawing.flipped; }
  hint(move: LegalMove | null): void { this.board.preview(move); }
  replay(): void { this.board.replay(); }
  sideChanged(): void { if (this.tree.current.position) this.put(this.tree.current); }

  // For the analysis.

  follow(moves: string[]): void {
    const { tree } = this;
    const from = tree.current;
    let node = from;
    let added: Node | null = null;
    for (const move of moves) {
      const known = node.children.some((child) => child.move === move);
      node = tree.play(move, move, node);
      if (!known) added ??= node;
    }
    void this.fetch(node).then((there) => {
      if (there && tree === this.tree && tree.current === from) this.go(node);
      else if (!there && added) tree.remove(added);
    });
  }

  pointed(move: string | null): void {
    this.board.preview(this.tree.current.reply?.legal.find((legal) => legal.text === move) ?? null);
  }

  analysed(): void {
    if (!this.review) return;  // Not all is there yet.
    const { current } = this.tree;
    const value = current.value && !this.bare.value ? `${inWords(current.value)}.` : "";
    this.status.textContent = [this.said, this.description(current), value].filter(Boolean).join(" ");
    this.status.classList.toggle("said", this.said !== "");
    const legal = new Map((this.tree.current.reply?.legal ?? []).map((move) => [move.text, move] as const));
    const hidden = this.bare.value;
    this.board.arrows(hidden ? [] : this.analysis.shownArrows().flatMap((arrow) => {
      const move = legal.get(arrow.move);
      return move ? [{ ...arrow, move }] : [];
    }));
    const shares = new Map<number, number>();
    if (!hidden) for (const [text, prior] of this.analysis.policy()) {
      const to = legal.get(text)?.to ?? -1;
      if (to >= 0) shares.set(to, (shares.get(to) ?? 0) + prior);
    }
    this.board.heat(shares);
    this.graph.show(this.tree);
  }

  reviewed(): void { this.draw(); }

  // Keys.

  private key(event: KeyboardEvent): void {
    if (event.altKey || event.ctrlKey || event.metaKey || event.defaultPrevented) return;
    const target = event.target as HTMLElement;
    if (target.closest("input, textarea, select, dialog[open], [contenteditable]")) return;
    const inGrid = target.closest("[role=grid]") !== null;
    const shift = event.shiftKey;
    const moves: Record<string, () => void> = {
      ArrowLeft: () => this.back(), ArrowRight: () => (shift ? this.into() : this.forward()),
      ArrowUp: () => this.sibling(-1), ArrowDown: () => this.sibling(1), Home: () => this.go(this.tree.root), End: () => this.end(),
    };
    if (shift && event.key === "ArrowLeft") moves.ArrowLeft = () => this.outOf();
    const keys: Record<string, () => void> = {
      "l": () => this.analysis.toggle(),
      "x": () => { this.bare.value = !this.bare.value; },
      "f": () => { this.board.flip(); this.draw(); },
      "z": () => { this.focused.value = !this.focused.value; },
      "n": () => this.review.next(),
      "b": () => { if (this.tree.returned()) this.show(); },
    };
    const held: Record<string, Signal<boolean>> = { a: this.analysis.arrows, h: this.analysis.heat, v: this.analysis.values };
    const name = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    if (name in moves && !inGrid) moves[name]();
    else if (event.key === " " && !inGrid && !target.closest("button, a, summary")) this.playBest();
    else if (name in held) {
      if (event.repeat || this.held.has(name)) return event.preventDefault();
      held[name].value = !held[name].value;
      this.held.set(name, performance.now());
    } else if (name in keys && !event.repeat && !shift) keys[name]();
    else return;
    event.preventDefault();
  }

  /** Held keys show for as long as they are held. */
  private released(event: KeyboardEvent): void {
    const name = event.key.toLowerCase();
    const since = this.held.get(name);
    if (since === undefined) return;
    this.held.delete(name);
    const held: Record<string, Signal<boolean>> = { a: this.analysis.arrows, h: this.analysis.heat, v: this.analysis.values };
    if (performance.now() - since > kHold) held[name].value = !held[name].value;
  }

  /** Into the first variation, if there is one. */
  private into(): void {
    const { children } = this.tree.current;
    if (children.length > 0) this.go(children[Math.min(1, children.length - 1)]);
  }

  /** To where the variation begins. */
  private outOf(): void {
    let node = this.tree.current;
    while (node.parent && node.parent.children[0] === node) node = node.parent;
    if (node.parent) this.go(node.parent);
  }

  /** The best move of the analysis, or of a short search. */
  private playBest(): void {
    const place = this.place();
    const known = this.analysis.report?.lines[0]?.moves[0];
    if (known) return this.play(place, known);
    if (!this.tree.current.reply || this.tree.current.reply.legal.length === 0) return;
    this.said = `${this.analyst} looks for a move\u2026`;
    this.draw();
    this.desk.ask("search", { ...place, player: this.analyst, ms: kBestMs })
      .then((reply) => { this.said = ""; this.play(place, reply.move); })
      .catch((error: Error) => { this.said = error.message; this.draw(); });
  }

  // What is around the board.

  private draw(): void {
    const { tree, info } = this;
    const node = tree.current;
    const options = tree.game.includes(":") && !tree.game.startsWith("data:") ? tree.game.slice(tree.game.indexOf(":") + 1) : "";
    const players = tree.white || tree.black ? `${tree.white || "?"} \u2013 ${tree.black || "?"}` : "";
    render(html`<h1>${info?.title ?? tree.game.replace(/^data:/, "")}</h1>
      ${options ? html`<span class="faint">${options}</span>` : nothing}
      ${players ? html`<span class="faint">${players}${tree.result !== "*" ? `, ${tree.result}` : ""}</span>` : nothing}
      <span class="grow"></span>
      <a href="#${written({ rules: tree.game })}">Rules</a>
      <a href="#${written({ setup: tree.game, fen: node.reply?.fen ?? tree.fen ?? "" })}">Set up</a>`, this.title);
    this.moves.show(tree);
    this.play_.changed();
    this.analysis.changed();
    this.review.draw();
    this.drawNotes();
    this.drawSharing();
    this.arrange();
    this.describe();
  }

  private drawNotes(): void {
    const node = this.tree.current;
    const first = node.parent?.children[0] === node;
    const words = `Comment on this ${node.parent ? "move" : "game"}`;
    render(html`<textarea rows="1" aria-label=${words} placeholder=${words} .value=${plain(node.comment)}
        @change=${(event: Event) => { node.comment = (event.target as HTMLTextAreaElement).value.trim(); this.draw(); }}></textarea>
      <div class="row">
        <button type="button" class="text" ?disabled=${!node.parent || this.isMain(node)} title=${first ? "Already the main line here" : "Make this variation the main line"}
          @click=${() => { this.tree.promote(node); this.draw(); }}>Make main line</button>
        <button type="button" class="text" ?disabled=${!node.parent} @click=${() => { this.tree.remove(node); this.show(); }}>Delete from here</button>
        <button type="button" class="text" title="Where I was before (key b)" @click=${() => { if (this.tree.returned()) this.show(); }}>Where was I?</button>
      </div>`, this.notes);
  }

  private isMain(node: Node): boolean { return this.tree.main().includes(node); }

  private drawSharing(): void {
    const { tree, store } = this;
    render(sharing({
      name: `${familyOf(tree.game).replace(/^data:/, "")}-${tree.ply()}`,
      link: () => { this.describeNow(); return location.href; },
      fen: () => this.tree.current.reply?.fen ?? "",
      game: () => this.desk.ask("write", this.tree.read()).then((reply) => reply.text),
      picture: () => pictureOf(this.board.element.querySelector<SVGSVGElement>("svg.board")!),
      open: (text) => store.read(text),
      tell: (text) => { store.notice.value = text; } }), this.sharing);
  }

  /** Writes the place into the address and the storage: at once, but not again before things have settled. */
  private describe(): void {
    clearTimeout(this.describing);
    if (performance.now() - this.described > kSettled) this.describeNow();
    else this.describing = window.setTimeout(() => this.describeNow(), kSettled);
  }

  private describeNow(): void {
    this.described = performance.now();
    const { tree } = this;
    if (!("g" in this.store.fields.value)) return;
    const fields = tableFields(tree.game, tree.fen, tree.line().slice(1).map((node) => node.move));
    if (tree.current.children.length > 0) fields.ply = String(tree.ply());
    if (this.flipped()) fields.o = "black";
    if (tree.current.drawn.length > 0) fields.a = tree.current.drawn.map(([from, to]) => `${from}-${to}`).join(",");
    this.store.go(fields, true);
    this.blackBelow.value = this.flipped();
    this.keep();
  }

  /** For the next time; but an address that is wrong is no game. */
  private keep(): void { if (this.tree.root.position) this.stored.value = this.tree.store(); }
}

export function tableView(desk: Desk, store: Store): View {
  return new Table(desk, store);
}
