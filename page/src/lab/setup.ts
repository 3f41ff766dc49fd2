// A position set up by hand: pieces from a palette by click, drag or key; what is wrong with it is said at once.
import { inColour, isWhite, PositionReader, type Position } from "../board/position";
import { capitalised, el } from "../common/dom";
import { GameChooser } from "./chooser";
import { allow, debounced, isAllowed, labelled, messageOf, placeLink, PositionView, Problem, textButton, viewHeading } from "./parts";
import { pieceIcon } from "./pieces";
import { tableFields, type Store, type View } from "./store";
import type { Desk, PieceInfo, PositionReply, Requests } from "./desk";
import type { FrameData, ShapeData } from "../common/data";

type Rules = Requests["rules"][1];
type Change = Partial<Requests["setup"][0]>;
type Held = Requests["setup"][1]["hands"];

/** What a click on the board does: puts a piece, empties the square, or moves what stands there. */
type Tool = { kind: "piece"; piece: PieceInfo; white: boolean } | { kind: "empty" } | { kind: "move" };

const kDrag = 6;     // pixels after which a press is a drag
const kPause = 300;  // ms without a keystroke before a FEN is read

class Setup implements View {
  readonly element: HTMLElement;
  private readonly board = new PositionView();
  private readonly stage: HTMLElement;
  private readonly palette = el("div", { class: "palette", role: "group", "aria-label": "What to put on the board" });
  private readonly hands = el("div", { class: "setup-hands", hidden: true });
  private readonly fen = el("input", { type: "text", class: "fen", spellcheck: "false", autocapitalize: "off", "aria-describedby": "setup-problem",
                                       input: () => this.typed() });
  private readonly problem = el("p", { class: "verdict", id: "setup-problem", role: "status" });
  private readonly failure = new Problem();
  private readonly spoken = el("p", { class: "unseen-text", "aria-live": "polite" });
  private readonly turns: HTMLInputElement[] = [];
  private readonly playButton = textButton("Play from here", () => this.open(), "strong");
  private readonly analyseButton = textButton("Analyse", () => this.open("analysis"));
  private readonly typed = debounced(kPause, () => void this.ask({ fen: this.fen.value.trim() }));
  private readonly ghost = el("div", { class: "ghost", "aria-hidden": "true", hidden: true });
  private readonly game: string;
  private tool: Tool = { kind: "move" };
  private rules: Rules | null = null;
  private held: Held;
  private position: Position | null = null;
  private reply: PositionReply | null = null;  // of the last possible position
  private possible = false;
  private cursor = -1;
  private lifted = -1;                         // a square whose piece is being moved
  private queue: Promise<void> = Promise.resolve();
  private asked = 0;
  private left = false;

  constructor(private readonly desk: Desk, private readonly store: Store) {
    const { fields } = store;
    this.game = fields.value.setup || store.setting("setup.game", "escher").value;
    store.setting("setup.game", "escher").value = this.game;
    const chooser = new GameChooser(desk, store, this.game, (name) => store.go({ setup: name }));
    for (const side of ["white", "black"] as const)
      this.turns.push(el("input", { type: "radio", name: "turn", value: side, change: () => void this.ask({ turn: side }) }));
    this.stage = el("div", { class: "setup-board", tabindex: 0, role: "application",
      "aria-label": "Board: arrow keys choose a square, Enter puts the chosen piece there, Delete empties it, a piece's letter puts this piece",
      keydown: (event: KeyboardEvent) => this.key(event), pointerdown: (event: PointerEvent) => this.press(event),
      focus: () => this.mark(), blur: () => this.mark(),
      contextmenu: (event: MouseEvent) => this.emptied(event) }, this.board.board.element);
    this.element = el("div", { class: "view setup" }, viewHeading("Set up a position", chooser.element), this.failure.element,
      el("div", { class: "setup-columns" },
        el("div", { class: "setup-stage" }, this.stage, el("div", { class: "controls" }, ...this.board.board.buttons), this.spoken),
        el("div", { class: "setup-side" }, this.palette, this.hands,
          el("fieldset", { class: "turns" }, el("legend", {}, "To move"), ...this.turns.map((input) =>
            el("label", {}, input, capitalised(input.value)))),
          labelled("FEN", this.fen, "field wide-field"), this.problem,
          el("div", { class: "tools" }, this.playButton, this.analyseButton),
          el("div", { class: "tools" }, textButton("Start of the game", () => void this.ask({ fen: "" })),
            textButton("Empty board", () => void this.clear()), placeLink(store, { rules: this.game }, "Rules")))),
      this.ghost);
    this.buttons("The position is being read");
    this.drawPalette();
    void desk.ask("rules", { game: this.game }).then((rules) => { this.rules = rules; this.drawPalette(); this.drawHands(); }, (error) => this.failure.show(error));
    void this.ask({ fen: fields.value.fen ?? "" });
  }

  leave(): void {
    this.left = true;
    this.typed.cancel();
  }

  /** Changes follow each other: each is made of what the one before has left. */
  private ask(change: Change): Promise<void> {
    this.queue = this.queue.then(() => this.change(change)).catch((error) => this.failure.show(error));
    return this.queue;
  }
  private async change(change: Change): Promise<void> {
    const { fen, put } = change;
    const number = ++this.asked;
    let reply;
    try {
      reply = await this.desk.ask("setup", { game: this.game, ...change, fen: fen ?? this.fen.value.trim() });
    } catch (error) {
      this.verdict(messageOf(error));
      return;
    }
    this.failure.clear();
    // A FEN that is being typed stays as it is typed.
    if (document.activeElement !== this.fen || fen === undefined) this.fen.value = reply.fen;
    if (put && reply.problem !== "") this.putHere(put);
    this.held = reply.hands;
    this.drawHands();
    await this.draw(reply.fen, reply.problem, number);
  }

  private async draw(fen: string, problem: string, number: number): Promise<void> {
    if (problem === "" || this.position === null) {
      try {
        const reply = await this.desk.ask("position", { game: this.game, ...(problem === "" ? { fen } : {}), moves: [] });
        if (this.left) return;
        this.reply = reply;
        this.show(reply.frames[0], reply);
        if (problem === "" && number === this.asked) this.store.go({ setup: this.game, fen }, true);
      } catch (error) {
        problem = problem || messageOf(error);
      }
    }
    const side = /^\S+ ([wb])\b/.exec(fen)?.[1];
    for (const input of this.turns) input.checked = input.value.startsWith(side ?? "?");
    this.verdict(problem);
  }
  private verdict(problem: string): void {
    this.possible = problem === "";
    const end = this.possible ? this.reply?.ending : undefined;
    this.problem.textContent = problem || (end ? `The game is over here. ${end.why}` :
      `This position can be played: ${this.reply?.legal.length ?? 0} legal moves.`);
    this.problem.classList.toggle("bad", problem !== "");
    this.fen.setAttribute("aria-invalid", String(problem !== ""));
    this.buttons(problem === "" ? "" : "The position cannot be played");
  }
  private buttons(reason: string): void {
    allow(this.playButton, reason);
    allow(this.analyseButton, reason);
  }

  private show(frame: FrameData, pictures: { boards: PositionReply["boards"]; shapes: Record<string, ShapeData> }): void {
    const plain = { b: frame.b, p: frame.p };
    this.position = new PositionReader(pictures).read({ ...plain, c: frame.c }, null);
    this.board.show({ ...plain, c: frame.c }, pictures, "The position");
    this.element.classList.toggle("many-levels", this.position.board.levels.length > 1);
    this.mark();
  }

  /** A position that is none is drawn by the page: what was changed is known. */
  private putHere([square, letter]: [number, string]): void {
    if (!this.position || !this.reply) return;
    const { board } = this.position;
    const shapes = { ...this.position.shapes };
    const place = board.squares.findIndex((one) => one.number === square);
    if (place < 0) return;
    const letters = [...this.position.letters];
    letters[place] = letter === "." ? "." : this.letterOf(letter, shapes);
    this.show({ b: this.position.boardNumber, p: letters.join("") }, { boards: this.reply.boards, shapes });
  }
  /** The letter of a piece among `shapes`, where it may be new. */
  private letterOf(letter: string, shapes: Record<string, ShapeData>): string {
    const piece = this.rules?.pieces.find((one) => one.letter.toUpperCase() === letter.toUpperCase());
    const shape = piece && this.rules!.shapes[piece.shape.toUpperCase()];
    const parts = JSON.stringify(shape?.parts);
    let found = Object.keys(shapes).find((one) => JSON.stringify(shapes[one].parts) === parts);
    if (!found) {
      found = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"].find((one) => !(one in shapes)) ?? "P";
      if (shape) shapes[found] = shape;
    }
    return inColour(found, isWhite(letter));
  }

  private drawPalette(): void {
    const button = (tool: Tool, label: string, ...content: (Node | string)[]) => {
      const one = el("button", { type: "button", class: `palette-piece${tool.kind === "piece" ? "" : " palette-tool"}`, title: label, "aria-label": label,
        "aria-pressed": String(this.same(tool)), click: () => this.choose(tool),
        pointerdown: (event: PointerEvent) => { if (tool.kind === "piece") this.pull(event, tool); } }, ...content);
      return one;
    };
    const rows = [true, false].map((white) => el("div", { class: "palette-row", role: "group", "aria-label": white ? "White" : "Black" },
      ...(this.rules?.pieces ?? []).map((piece) => button({ kind: "piece", piece, white }, `${white ? "White" : "Black"} ${piece.name}`,
        pieceIcon(this.rules!.shapes[piece.shape.toUpperCase()], white)))));
    this.palette.replaceChildren(...rows, el("div", { class: "palette-row" },
      button({ kind: "move" }, "Move what is there", "Move"), button({ kind: "empty" }, "Empty squares", "Empty")));
  }
  /** What each side has in hand: a click or key on + takes a piece, on the minus sign puts one away. */
  private drawHands(): void {
    const { held, rules } = this;
    this.hands.hidden = !held || !rules;
    if (!held || !rules) return;
    const focused = (document.activeElement as HTMLElement | null)?.dataset.hand;
    this.hands.replaceChildren(...[true, false].map((white) => {
      const side = white ? "White" : "Black";
      return el("fieldset", {}, el("legend", {}, `${side}'s hand`), ...held.map((one) => {
        const piece = rules.pieces.find(({ letter }) => letter.toUpperCase() === one.letter);
        const count = white ? one.white : one.black;
        const letter = white ? one.letter : one.letter.toLowerCase();
        const button = (by: 1 | -1, sign: string, does: string) => el("button", { type: "button", class: "text", "data-hand": letter + by,
          "aria-label": `${does} ${side.toLowerCase()} ${piece?.name ?? letter}`, disabled: by < 0 && count === 0,
          click: () => void this.ask({ hand: [letter, by] }) }, sign);
        return el("span", { class: `held${count === 0 ? " none" : ""}` }, button(-1, "\u2212", "Put away a"),
          el("span", { class: "count", role: "img", "aria-label": `${count} ${piece?.name ?? letter}`, title: piece?.name ?? letter },
            piece ? pieceIcon(rules.shapes[piece.shape.toUpperCase()], white) : letter, String(count)),
          button(1, "+", "Take in hand a"));
      }));
    }));
    const again = this.hands.querySelector<HTMLButtonElement>(`[data-hand="${focused}"]`);
    (again?.disabled ? again.parentElement!.querySelector<HTMLElement>("button:enabled") : again)?.focus();
  }
  private same(tool: Tool): boolean {
    const now = this.tool;
    return tool.kind === now.kind && (tool.kind !== "piece" || now.kind !== "piece" || (tool.white === now.white && tool.piece.letter === now.piece.letter));
  }
  private choose(tool: Tool): void {
    this.tool = tool;
    this.lifted = -1;
    const focused = [...this.palette.querySelectorAll("button")].indexOf(document.activeElement as HTMLButtonElement);
    this.drawPalette();
    this.palette.querySelectorAll("button")[focused]?.focus();
    this.mark();
  }

  private squareAt(x: number, y: number): number {
    for (const element of document.elementsFromPoint(x, y)) {
      const square = this.stage.contains(element) ? element.closest<SVGElement>("[data-square]")?.dataset.square : undefined;
      if (square !== undefined) return Number(square);
    }
    return -1;
  }
  private textOf(tool: { piece: PieceInfo; white: boolean }): string {
    return inColour(tool.piece.letter, tool.white);
  }
  /** The piece on a square as FEN names it, by its shape. */
  private pieceOn(square: number): string | null {
    const letter = this.position?.pieces.get(square);
    if (letter === undefined || !this.rules) return null;
    const parts = JSON.stringify(this.position!.shapes[letter.toUpperCase()]?.parts);
    const piece = this.rules.pieces.find((one) => JSON.stringify(this.rules!.shapes[one.shape.toUpperCase()]?.parts) === parts);
    if (!piece) return null;
    return letter === letter.toUpperCase() ? piece.letter.toUpperCase() : piece.letter.toLowerCase();
  }

  private put(square: number, letter: string): void {
    void this.ask({ put: [square, letter] }).then(() => this.speak(square));
  }
  private move(from: number, to: number): void {
    const letter = this.pieceOn(from);
    if (letter === null || from === to) return;
    void this.ask({ put: [from, "."] });
    this.put(to, letter);
  }
  private act(square: number): void {
    if (square < 0) return;
    this.cursor = square;
    if (this.tool.kind === "empty") this.put(square, ".");
    else if (this.tool.kind === "piece") {
      const letter = this.textOf(this.tool);
      this.put(square, this.pieceOn(square) === letter ? "." : letter);
    } else if (this.lifted >= 0) {
      this.move(this.lifted, square);
      this.lifted = -1;
    } else if (this.pieceOn(square) !== null) this.lifted = square;
    this.mark();
  }

  private async clear(): Promise<void> {
    const squares = [...(this.position?.pieces.keys() ?? [])];
    for (const square of squares) {
      if (this.left) return;
      await this.ask({ put: [square, "."] });
    }
  }

  /** A press on the board: a drag moves what is there, a click does what the tool does. */
  private press(event: PointerEvent): void {
    if (event.button !== 0) return;
    const square = this.squareAt(event.clientX, event.clientY);
    if (square < 0) return;
    const letter = this.pieceOn(square);
    const shape = letter === null ? undefined : this.position!.shapes[this.position!.pieces.get(square)!.toUpperCase()];
    this.follow(event, shape, letter === letter?.toUpperCase(), (x, y, dragged) => {
      if (!dragged) return this.act(square);
      const to = this.squareAt(x, y);
      if (letter === null) return;
      if (to < 0) this.put(square, ".");
      else this.move(square, to);
    });
  }
  /** A drag out of the palette. */
  private pull(event: PointerEvent, tool: { piece: PieceInfo; white: boolean }): void {
    if (event.button !== 0) return;
    this.follow(event, this.rules!.shapes[tool.piece.shape.toUpperCase()], tool.white, (x, y, dragged) => {
      const to = dragged ? this.squareAt(x, y) : -1;
      if (to >= 0) this.put(to, this.textOf(tool));
    });
  }
  private follow(event: PointerEvent, shape: ShapeData | undefined, white: boolean, done: (x: number, y: number, dragged: boolean) => void): void {
    let dragged = false;
    const ending = new AbortController();
    const on = (name: "pointermove" | "pointerup" | "pointercancel", react: (now: PointerEvent) => void) =>
      addEventListener(name, (now) => { if (now.pointerId === event.pointerId) react(now); }, { signal: ending.signal });
    on("pointermove", (now) => {
      if (!dragged && Math.hypot(now.clientX - event.clientX, now.clientY - event.clientY) < kDrag) return;
      if (!dragged && shape) this.ghost.replaceChildren(pieceIcon(shape, white));
      dragged = true;
      this.ghost.hidden = !shape;
      this.ghost.style.transform = `translate(${now.clientX}px, ${now.clientY}px)`;
    });
    const end = (now: PointerEvent, cancelled: boolean) => {
      ending.abort();
      this.ghost.hidden = true;
      if (!cancelled) done(now.clientX, now.clientY, dragged);
    };
    on("pointerup", (now) => end(now, false));
    on("pointercancel", (now) => end(now, true));
  }
  private emptied(event: MouseEvent): void {
    const square = this.squareAt(event.clientX, event.clientY);
    if (square < 0) return;
    event.preventDefault();
    this.put(square, ".");
  }

  private key(event: KeyboardEvent): void {
    if (event.altKey || event.ctrlKey || event.metaKey || !this.position) return;
    const ways: Record<string, [number, number]> = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };
    if (event.key in ways) this.go(...ways[event.key]);
    else if (event.key === "Enter" || event.key === " ") this.act(this.cursor < 0 ? this.firstSquare() : this.cursor);
    else if (event.key === "Delete" || event.key === "Backspace") this.put(this.cursor, ".");
    else if (event.key === "Escape") this.lifted = -1;
    else {
      const piece = this.rules?.pieces.find((one) => one.letter.toUpperCase() === event.key.toUpperCase());
      if (!piece || this.cursor < 0) return;
      this.put(this.cursor, event.key === event.key.toUpperCase() ? piece.letter.toUpperCase() : piece.letter.toLowerCase());
    }
    event.preventDefault();
    this.mark();
  }
  private firstSquare(): number {
    return this.position?.board.squares[0]?.number ?? -1;
  }
  /** To the nearest square in a direction, as it is seen. */
  private go(x: number, y: number): void {
    const middle = (square: number): DOMRect | undefined =>
      this.stage.querySelector(`.squares > [data-square="${square}"]`)?.getBoundingClientRect();
    const here = middle(this.cursor);
    if (!here) {
      this.cursor = this.firstSquare();
    } else {
      let best = Infinity;
      const from = this.cursor;
      for (const { number } of this.position!.board.squares) {
        const there = middle(number);
        if (!there || number === from) continue;
        const dx = there.left + there.width / 2 - here.left - here.width / 2, dy = here.top + here.height / 2 - there.top - there.height / 2;
        const along = dx * x + dy * y, aside = Math.abs(dx * y) + Math.abs(dy * x);
        if (along < 0.3 * here.width || aside > along) continue;
        const far = along + 2 * aside;
        if (far < best) { best = far; this.cursor = number; }
      }
    }
    this.speak(this.cursor);
  }
  private speak(square: number): void {
    const name = this.position?.board.byNumber.get(square)?.name ?? "";
    const letter = this.pieceOn(square);
    const piece = letter && this.rules?.pieces.find((one) => one.letter.toUpperCase() === letter.toUpperCase());
    this.spoken.textContent = `${name}: ${piece ? `${letter === letter!.toUpperCase() ? "white" : "black"} ${piece.name}` : "empty"}`;
  }

  /** Shows which square the keys are at, and which piece is being moved. */
  private mark(): void {
    for (const old of this.stage.querySelectorAll(".setup-mark")) old.remove();
    const put = (square: number, name: string) => {
      const polygon = this.stage.querySelector(`.squares > [data-square="${square}"]`);
      if (!polygon) return;
      const copy = polygon.cloneNode() as SVGElement;
      copy.setAttribute("class", `setup-mark ${name}`);
      copy.removeAttribute("data-square");
      polygon.closest("svg")!.append(copy);
    };
    if (this.lifted >= 0) put(this.lifted, "lifted");
    if (document.activeElement === this.stage && this.cursor >= 0) put(this.cursor, "at");
  }

  private open(more?: "analysis"): void {
    if (!isAllowed(this.playButton)) return;
    if (more) this.store.setting("table.tab", "analysis").value = "analysis";
    this.store.go(tableFields(this.game, this.fen.value.trim()));
  }
}

export function setupView(desk: Desk, store: Store): View {
  return new Setup(desk, store);
}
