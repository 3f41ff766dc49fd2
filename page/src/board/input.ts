// A board to play on: by mouse, touch and keyboard.
import { capitalised, el, iconButton, svg } from "../common/dom";
import { BoardView } from "./boardview";
import { Chooser } from "./chooser";
import { fixed, kUnit, reducedMotion } from "./drawing";
import { Grid } from "./grid";
import { Hand } from "./hands";
import { heatMap, lineArrows, squareNames, userMarks, type LineArrow, type UserMark } from "./marks";
import { cross, effects, outline, ring, traces } from "./preview";
import { typedMove } from "./typed";
import { positionWords } from "./words";
import { PositionReader, type Boards, type Point, type Position, type Square } from "./position";
import type { ShapeData } from "../common/data";
import type { LegalMove, PositionReply, Requests } from "../lab/desk";

export type { LineArrow, UserMark } from "./marks";

/** Settings that outlive the page; the lab's Store is one. */
export interface Settings {
  setting<Value>(name: string, initial: Value): { value: Value; watch(seen: (value: Value) => void): () => void };
}

/** A move to be made when the turn comes, if it is legal then. `piece`: as in LegalMove; `from` is -1 for a drop. */
export interface Premove { from: number; to: number; piece: string; choice: string }

/** Who uses the board. */
export interface BoardUser {
  settings: Settings;
  /** All positions are read with the same ones. */
  boards: Boards;
  /** A legal move was chosen. The board shows it when it is shown the position after it. */
  move(text: string): void;
  /** A move was queued, or is no longer. */
  premove(queued: Premove | null): void;
  /** Of the position that is shown. */
  previews(from: number): Promise<Requests["previews"][1]>;
  squares(): Promise<Requests["squares"][1]>;
  /** Arrows and circles were changed by the user. */
  drawn?(marks: UserMark[]): void;
}

export interface ShowOptions {
  /** Whose pieces may be moved here. */
  side: "white" | "black" | "both" | "none";
  /** In words, for who cannot see the board, and what is said of the move: "4. Bc4: staircase f advances." */
  description: string;
  /** With the movement from the position that is shown. */
  animated: boolean;
  /** Whether a move may be queued while it is not the turn of `side`. */
  premoves?: boolean;
  /** The position before the last move, for its replay. */
  before?: Position;
  marks?: UserMark[];
}

export type Reply = Pick<PositionReply, "legal" | "turn" | "hands" | "ending" | "shapes">;

/** What is picked up: a piece on a square, or, from -1, one in hand. */
interface Source { from: number; piece: string }

/** A pointer that is down. `target`: on a square to which what is picked up may go. */
interface Press {
  id: number; x: number; y: number; touch: boolean; square: number | null; source: Source | null; again: boolean;
  target: boolean; handle: LegalMove[] | null; dragging: boolean; held: boolean; marking: boolean; timer: number;
}

const kReplay = "M4 12a8 8 0 1 0 2.6-5.9M4 4v4.5h4.5";
const kStep = "M6 5l9 7-9 7zM18 5v14";
const kCompare = "M12 4v16M4 7h5v10H4zM15 7h5v10h-5z";
const kHoldMilliseconds = 450;
const kDragPixels = { mouse: 4, touch: 9 };
const kDefaultBeat = 450;

const isWhite = (letter: string): boolean => letter === letter.toUpperCase();
const same = (a: Source | null, b: Source | null): boolean =>
  a !== null && b !== null && a.from === b.from && (a.from >= 0 || a.piece === b.piece);

export class PlayBoard {
  /** Board, hands, notes and the field for moves. */
  readonly element: HTMLElement;
  /** Buttons for a toolbar: turn, nest, replay, step, before and after. */
  readonly buttons: HTMLElement[] = [];
  /** Speed, and what is shown on the board. */
  private readonly options = el("div", { class: "board-options" });
  /** The pictures of positions; drawing.element is the SVG. */
  readonly view = new BoardView(false);
  /** Below the board: for buttons. */
  readonly toolbar = el("div", { class: "board-toolbar" });

  private readonly drawing = this.view.drawing;
  private readonly chooser = new Chooser();
  private readonly grid: Grid;
  private readonly hands: [Hand, Hand];  // far, near
  private readonly note = el("p", { class: "board-note" });
  private readonly live = el("div", { class: "live", "aria-live": "polite", role: "status" });
  private readonly movements = el("div", { class: "board-moves", role: "group", "aria-label": "Movements of the board" });
  private readonly promotions = el("div", { class: "promotions", role: "group", hidden: true });
  private readonly words = el("div", { class: "in-words", hidden: true });
  private readonly wrong = el("p", { class: "entry-error", role: "alert" });
  private readonly field = el("input", { type: "text", class: "entry", "aria-label": "Move", placeholder: "Move, such as e4",
    autocomplete: "off", autocapitalize: "off", spellcheck: "false", name: "move", input: () => this.wrong.replaceChildren() });
  private readonly entry = el("form", { class: "board-entry", submit: (event: Event) => this.typed(event) },
    this.field, el("button", { class: "text" }, "Play"), this.wrong);
  private readonly layers = Object.fromEntries(["heat", "names", "targets", "effects", "lines", "own", "hand"].map((name) =>
    [name, svg("g", { class: name })])) as Record<"heat" | "names" | "targets" | "effects" | "lines" | "own" | "hand", SVGGElement>;
  private readonly handles = svg("g", { class: "handles", "aria-hidden": "true" });
  private readonly stepButton = iconButton("Next beat (.)", kStep, () => this.step());
  private readonly replayButton = iconButton("Show the last move again", kReplay, () => this.replay());
  private readonly compareButton = iconButton("The position before the last move", kCompare, () => this.compare());

  private readonly beat;
  private readonly stepping;
  private readonly showNames;
  private readonly showAttacks;
  private readonly textMode;

  private position: Position | null = null;
  private reply: Reply | null = null;
  private shown: ShowOptions = { side: "none", description: "", animated: false };
  /** Another one for each position that is shown: answers about earlier ones are dropped. */
  private token = {};
  private asked = new Map<number, ReturnType<BoardUser["previews"]>>();
  private picked: Source | null = null;
  private press: Press | null = null;
  private previewed: LegalMove | null = null;
  private pinned: LegalMove | null = null;
  private queued: Premove | null = null;
  private dropped: { from: number; to: number } | null = null;
  /** Of promotions that were legal in this game, by the letter of the piece. */
  private choices = new Map<string, Set<string>>();
  private lines: LineArrow[] = [];
  private shares = new Map<number, number>();
  private own: UserMark[] = [];
  private keys = false;  // the keyboard was used last: what is shown is also said
  private readonly listeners = new AbortController();

  constructor(private readonly user: BoardUser) {
    const { settings } = user;
    this.beat = settings.setting("beat", kDefaultBeat);
    this.stepping = settings.setting("beatByBeat", false);
    this.showNames = settings.setting("squareNames", false);
    this.showAttacks = settings.setting("attackedSquares", true);
    this.textMode = settings.setting("boardInWords", false);
    this.grid = new Grid(this.drawing, (square) => this.describe(square), (number) => this.handled(number),
                         (number) => this.reached(number));
    const hand = () => new Hand({
      name: (letter) => this.pieceName(letter),
      shape: (letter) => this.reply?.shapes[letter],
      pressed: (letter, event) => this.pressed(event, { from: -1, piece: letter }),
      picked: (letter) => this.pickFromHand(letter),
    });
    this.hands = [hand(), hand()];
    const svgElement = this.drawing.element;
    svgElement.setAttribute("role", "group");
    const { heat, names, targets, effects: shownEffects, lines, own, hand: carried } = this.layers;
    this.drawing.overlay.append(heat, names, targets, shownEffects, own, this.grid.element, lines, this.handles, carried);
    this.view.arranged = () => this.redraw();
    this.element = el("div", { class: "play-board" }, this.hands[0].element,
      el("div", { class: "board-stage" }, this.view.element, this.chooser.element), this.hands[1].element,
      this.note, this.toolbar, this.promotions, this.movements, this.entry, this.words,
      el("details", { class: "board-settings" }, el("summary", {}, "Speed and board"), this.options), this.live);
    this.buttons.push(...this.view.buttons, this.replayButton, this.stepButton, this.compareButton);
    this.listen();
    this.fillOptions();
  }

  /** All positions that will be shown: the board is drawn as large as fits all of them. */
  load(positions: Position[]): void { this.view.load(positions); }

  /** `reply` is null while nothing is known of the position but its picture: nothing can be moved. */
  show(position: Position, reply: Reply | null, options: ShowOptions): void {
    const other = position !== this.position;
    const before = this.shown;
    this.shown = options;
    this.reply = reply;
    if (other) {
      this.token = {};
      this.asked = new Map();
      this.position = position;
      this.own = options.marks ?? [];
      this.dropped = null;
      this.previewed = this.pinned = null;
      this.putBack();
      this.picked = null;
      this.chooser.close();
      this.drawing.beat = this.stepping.value ? Infinity : this.beat.value;
      this.drawing.dropped = this.carrying;
      this.carrying = false;
      this.view.show(position, "", options.animated);
      this.describeAll();
    }
    const names = this.shapesByName();
    for (const move of reply?.legal ?? [])
      if (names.has(move.choice)) this.choices.set(move.piece, (this.choices.get(move.piece) ?? new Set()).add(move.choice));
    if (this.picked && !this.pickable(this.picked)) this.unpick();
    if (other || before.description !== options.description) this.say(options.description);
    this.redraw();
    if (other && options.animated && options.before && reducedMotion())
      this.layers.effects.replaceChildren(...traces(this.drawing, options.before, position));
    this.remark(other ? "" : null);
    this.listMovements();
    if (this.queued && this.canMove && reply) this.afterMotion(() => this.premoved());
    else if (this.queued && !this.waits && reply) this.queue(null);
  }

  /** Seen from Black's side or White's. */
  flip(flipped = !this.drawing.flipped): void { this.view.flip(flipped); }
  get flipped(): boolean { return this.drawing.flipped; }

  /** Arrows of an analysis, the best first, under the user's own. */
  arrows(arrows: LineArrow[]): void {
    this.lines = arrows;
    if (this.position) this.layers.lines.replaceChildren(...lineArrows(this.drawing, this.position, arrows));
  }

  /** Shades squares: a share from 0 to 1 by their number. */
  heat(shares: Map<number, number>): void {
    this.shares = shares;
    if (this.position) this.layers.heat.replaceChildren(...heatMap(this.drawing, this.position, shares));
  }

  /** Shows a move without playing it, as when it is hovered; null: no longer. */
  preview(move: LegalMove | null): void {
    this.pinned = move;
    this.showPreview(move);
  }

  /** The last move once more. */
  replay(): void {
    const { position } = this;
    const { before } = this.shown;
    if (!position || !before) return;
    const token = this.token;
    this.unpick();
    this.drawing.beat = this.stepping.value ? Infinity : this.beat.value || kDefaultBeat;
    this.view.show(before, "", false);
    setTimeout(() => {
      if (token !== this.token) return;
      this.view.show(position, "", true);
      if (reducedMotion()) this.layers.effects.replaceChildren(...traces(this.drawing, before, position));
      this.say(this.shown.description);
      this.updateButtons();
    }, 250);
  }

  /** The next beat, if beats wait for a key; whether there was one. */
  step(): boolean {
    const moving = this.drawing.moving;
    this.drawing.step();
    this.updateButtons();
    return moving;
  }

  /** Nothing is picked up, no chooser is open, no move queued; whether something was. */
  cancel(): boolean {
    const did = this.picked !== null || this.chooser.open || this.queued !== null || this.press !== null;
    this.release();
    this.putBack();
    this.chooser.close();
    this.unpick();
    if (this.queued) this.queue(null);
    return did;
  }

  /** The keyboard is at the board. */
  focus(): void {
    this.keys = true;
    this.grid.focus();
  }

  /** The page is left. */
  leave(): void {
    this.listeners.abort();
    this.release();
  }

  // What may be moved ------------------------------------------------------------------------------------------------

  private get canMove(): boolean {
    const { reply, shown } = this;
    return reply !== null && !reply.ending && (shown.side === "both" || shown.side === reply.turn);
  }
  /** Whether a move can be queued now. */
  private get waits(): boolean {
    const { reply, shown } = this;
    return shown.premoves === true && (shown.side === "white" || shown.side === "black") &&
      (reply === null || (!reply.ending && reply.turn !== shown.side));
  }
  private get white(): boolean {
    return this.shown.side === "both" ? this.reply?.turn !== "black" : this.shown.side === "white";
  }

  private legalFrom(source: Source): LegalMove[] {
    if (!this.canMove || !this.reply) return [];
    return this.reply.legal.filter((move) => move.to >= 0 && move.from === source.from &&
      (source.from >= 0 || move.piece.toUpperCase() === source.piece.toUpperCase()));
  }

  private movesTo(source: Source, square: number): LegalMove[] {
    return this.legalFrom(source).filter((move) => move.to === square);
  }

  private get movesOfBoard(): LegalMove[] {
    return this.canMove && this.reply ? this.reply.legal.filter((move) => move.from < 0 && move.to < 0) : [];
  }

  private pickable(source: Source): boolean {
    if (!this.canMove && !this.waits) return false;
    if (source.from < 0) return true;
    const letter = this.position?.pieces.get(source.from);
    return letter !== undefined && (isWhite(letter) === this.white || this.legalFrom(source).length > 0);
  }

  private sourceAt(square: number | null): Source | null {
    const letter = square === null ? undefined : this.position?.pieces.get(square);
    const source = letter === undefined ? null : { from: square!, piece: letter.toUpperCase() };
    return source && this.pickable(source) ? source : null;
  }

  private isTarget(square: number | null): boolean {
    if (square === null || !this.picked || square === this.picked.from) return false;
    return this.canMove ? this.movesTo(this.picked, square).length > 0 : this.waits;
  }

  // Picking up and dropping --------------------------------------------------------------------------------------------

  private pick(source: Source): void {
    this.picked = source;
    this.pinned = null;
    this.showPreview(null);
    const count = new Set(this.legalFrom(source).map((move) => move.to)).size;
    const where = source.from < 0 ? "in hand" : this.squareName(source.from);
    const can = this.canMove ? (count === 0 ? "has no legal move" : `${count} ${count === 1 ? "square" : "squares"} to go to`)
      : "queue a move: choose its square";
    this.remark(`${capitalised(this.pieceName(source.piece))} ${where}: ${can}.`);
    if (this.canMove && count > 0) void this.previewsFrom(source.from);
    this.drawTargets();
    this.showHands();
    this.grid.relabel();
  }

  private unpick(): void {
    if (!this.picked && !this.previewed) return;
    this.picked = null;
    this.showPreview(null);
    this.drawTargets();
    this.showHands();
    if (this.position) this.grid.relabel();
  }

  private pickFromHand(letter: string): void {
    const source = { from: -1, piece: letter };
    this.keys = true;
    if (same(this.picked, source)) this.unpick();
    else this.pick(source);
    if (this.picked) this.grid.focus();
  }

  private choose(source: Source, square: number): void {
    if (this.canMove) this.chooseOf(this.movesTo(source, square), this.middle(square));
    else {
      this.queue({ ...source, to: square, choice: this.queued?.choice ?? "" });
      this.unpick();
    }
  }

  /** The only one, or the one of the chooser. `at` is in drawing units. */
  private chooseOf(moves: LegalMove[], at: Point): void {
    if (moves.length === 0) return;
    if (moves.length === 1) { this.play(moves[0]); return; }
    const matrix = this.drawing.element.getScreenCTM();
    const stage = this.chooser.element.parentElement!.getBoundingClientRect();
    const client = matrix ? new DOMPoint(at.x, at.y).matrixTransform(matrix) : { x: 0, y: 0 };
    this.chooser.show({
      moves: [...moves].sort((a, b) => Number(b.choice === "queen") - Number(a.choice === "queen")), white: this.white, shapes: this.shapesByName(), at: { x: client.x - stage.left, y: client.y - stage.top },
      chosen: (move) => this.play(move),
      shown: (move) => this.showPreview(move),
      cancelled: () => {
        this.putBack();
        this.unpick();
        this.say("Taken back.");
        if (this.keys) this.grid.focus();
      },
    });
  }

  private carrying = false;  // the piece that moves was dragged to its square
  private play(move: LegalMove): void {
    this.carrying = this.layers.hand.childElementCount > 0;
    const focused = this.chooser.element.contains(document.activeElement) || this.grid.element.contains(document.activeElement);
    this.picked = null;
    this.showPreview(null);
    this.drawTargets();
    if (focused && this.keys) this.grid.focus();
    this.user.move(move.text);
  }

  // Premoves -----------------------------------------------------------------------------------------------------------

  private queue(premove: Premove | null): void {
    this.queued = premove;
    const choices = premove ? this.promotionChoices(premove.piece) : [];
    this.promotions.hidden = choices.length === 0;
    if (premove) {
      const from = premove.from < 0 ? `${this.pieceName(premove.piece)} in hand` : this.squareName(premove.from);
      this.remark(`Queued: ${from} to ${this.squareName(premove.to)}, on the board as it is after the reply.`);
      this.promotions.replaceChildren(el("span", { class: "faint" }, "If it promotes:"),
        ...choices.map((choice, i) => el("button", { type: "button", class: "text",
          "aria-pressed": String(premove.choice === choice || (premove.choice === "" && i === 0)),
          click: () => this.queue({ ...premove, choice }) }, choice)));
    }
    this.user.premove(premove);
    this.drawTargets();
  }

  /** What a piece may become, the queen first, as far as it is known; of a pawn, what there is on most boards. */
  private promotionChoices(piece: string): string[] {
    const known = [...this.choices.get(piece) ?? []];
    if (known.length > 0) return known.sort((a, b) => Number(b === "queen") - Number(a === "queen"));
    if (this.pieceName(piece) !== "pawn") return [];
    const names = this.shapesByName();
    return ["queen", "rook", "bishop", "knight"].filter((name) => names.has(name));
  }

  /** The turn has come: the queued move is shown on the board as it is now, and made if it is legal. */
  private premoved(): void {
    const { queued } = this;
    if (!queued || !this.canMove) return;
    const moves = this.movesTo(queued, queued.to);
    const wanted = queued.choice || this.promotionChoices(queued.piece)[0];
    const chosen = moves.find((move) => move.choice === wanted) ?? moves[0];
    this.queued = null;
    this.promotions.hidden = true;
    if (!chosen) {
      this.dropped = { from: queued.from, to: queued.to };
      this.drawTargets();
      const text = `The queued move to ${this.squareName(queued.to)} is not legal now: dropped.`;
      this.remark(text);
      this.say(text);
      this.user.premove(null);
      return;
    }
    const token = this.token;
    this.preview(chosen);
    setTimeout(() => {
      if (token !== this.token) return;
      this.pinned = null;
      if (moves.length > 1 && !moves.some((move) => move.choice === wanted)) {
        this.picked = { from: queued.from, piece: queued.piece };
        this.chooseOf(moves, this.middle(queued.to));
      } else this.play(chosen);
      this.user.premove(null);
    }, Math.max(350, this.beat.value));
  }

  private afterMotion(then: () => void): void {
    const token = this.token;
    const look = () => {
      if (token !== this.token) return;
      if (this.drawing.moving) requestAnimationFrame(look);
      else then();
    };
    requestAnimationFrame(look);
  }

  // Pointers -----------------------------------------------------------------------------------------------------------

  private listen(): void {
    const { signal } = this.listeners;
    const board = this.drawing.element;
    board.addEventListener("contextmenu", (event) => event.preventDefault());
    board.addEventListener("pointerdown", (event) => this.pressed(event, null));
    board.addEventListener("pointermove", (event) => { if (!this.press && event.pointerType !== "touch") this.hovered(event); });
    board.addEventListener("pointerleave", () => { if (!this.press && !this.chooser.open) this.left(); });
    this.grid.element.addEventListener("keydown", (event) => this.key(event));
    addEventListener("pointermove", (event) => this.dragged(event), { signal });
    addEventListener("pointerup", (event) => this.released(event), { signal });
    addEventListener("pointercancel", (event) => { if (event.pointerId === this.press?.id) this.cancelPress(); }, { signal });
    document.addEventListener("pointerdown", (event) => {
      if (this.chooser.open && !this.chooser.element.contains(event.target as Node)) {
        this.chooser.close();
        this.putBack();
        this.unpick();
        event.stopPropagation();
      }
    }, { signal, capture: true });
    document.addEventListener("keydown", (event) => {
      const typing = event.target instanceof HTMLInputElement || event.target instanceof HTMLTextAreaElement;
      if (event.key === "Escape" && !event.defaultPrevented && this.element.isConnected && this.cancel()) event.preventDefault();
      if (event.key === "." && !typing && this.drawing.moving && this.step()) event.preventDefault();
    }, { signal });
  }

  private pressed(event: PointerEvent, fromHand: Source | null): void {
    if (this.press || !this.position) return;
    if (this.drawing.moving && event.button === 0) {
      if (this.stepping.value) { this.step(); return; }
      this.drawing.finish();
    }
    this.keys = false;
    const touch = event.pointerType === "touch";
    const square = fromHand ? null : this.squareAt(event);
    const handle = fromHand ? null : this.handleOf(event.target);
    const marking = event.button === 2;
    if (event.button !== 0 && !marking) return;
    const target = !marking && this.isTarget(square);
    const source = marking || target || handle ? null : fromHand ?? this.sourceAt(square);
    if (fromHand && !this.pickable(fromHand)) return;
    this.press = { id: event.pointerId, x: event.clientX, y: event.clientY, touch, square, source, handle, target, marking,
                   again: same(source, this.picked), dragging: false, held: false,
                   timer: touch ? window.setTimeout(() => this.held(), kHoldMilliseconds) : 0 };
    if (target) this.showTarget(square!);
    else if (handle) this.showPreview(handle[0]);
    else if (source && !this.press.again) this.pick(source);
  }

  /** Pressed for long, and not moved: a target or a movement stays shown, and elsewhere marks begin. */
  private held(): void {
    const { press } = this;
    if (!press || press.dragging) return;
    press.held = true;
    if (press.target || press.handle || press.square === null) return;
    if (press.source && !press.again) this.unpick();
    press.source = null;
    press.marking = true;
    navigator.vibrate?.(15);
    this.drawMarks([press.square, press.square]);
  }

  private dragged(event: PointerEvent): void {
    const { press } = this;
    if (!press || event.pointerId !== press.id) return;
    const far = Math.hypot(event.clientX - press.x, event.clientY - press.y);
    const limit = press.touch ? kDragPixels.touch : kDragPixels.mouse;
    if (press.marking) {
      const square = this.squareAt(event);
      if (press.square !== null && square !== null) this.drawMarks([press.square, square]);
    } else if (press.handle) {
      if (far > limit) this.showPreview(this.handleAlong(press, event)?.[0] ?? null);
    } else if (press.source) {
      if (!press.dragging && far > limit) this.startDrag(press, press.source);
      if (press.dragging) this.drag(event);
    } else if (far > limit) {
      clearTimeout(press.timer);
      if (press.target && this.squareAt(event) !== press.square) this.showPreview(null);
    }
  }

  private startDrag(press: Press, source: Source): void {
    press.dragging = true;
    clearTimeout(press.timer);
    if (!same(this.picked, source)) this.pick(source);
    const letter = this.white ? source.piece.toUpperCase() : source.piece.toLowerCase();
    const own = source.from >= 0 ? this.position!.pieces.get(source.from)! : letter;
    const square = this.position!.board.byNumber.get(source.from);
    const scale = square ? this.placing.scale(square.level) : 1;
    this.layers.hand.replaceChildren(this.drawing.piece(own, { x: 0, y: 0 }, scale * (press.touch ? 1.35 : 1.1)));
    if (source.from >= 0) this.pieceOn(source.from)?.classList.add("lifted");
  }

  /** Above the finger, so that it is seen. */
  private drag(event: PointerEvent): void {
    const at = this.boardPoint(event);
    const lift = event.pointerType === "touch" ? 0.35 * kUnit : 0;
    this.layers.hand.firstElementChild?.setAttribute("transform", `translate(${fixed(at.x)} ${fixed(at.y - lift)})`);
    const square = this.squareAt(event);
    if (this.isTarget(square)) this.showTarget(square!);
    else this.showPreview(null);
  }

  private released(event: PointerEvent): void {
    const { press } = this;
    if (!press || event.pointerId !== press.id) return;
    this.release();
    const square = this.squareAt(event);
    if (press.marking) {
      if (press.square !== null && square !== null) this.mark([press.square, square]);
      else this.drawMarks();
    } else if (press.handle) {
      const moves = this.handleAlong(press, event);
      if (moves && !(press.touch && !this.wasShown(moves) && press.held)) this.chooseOf(moves, this.boardPoint(event));
      else this.showPreview(press.held ? press.handle[0] : null);
    } else if (press.dragging && press.source) this.drop(press.source, square);
    else if (press.target) {
      if (square === press.square && press.held) this.remark(`${this.note.textContent} Tap again to play it.`);
      else if (square === press.square) this.choose(this.picked!, square!);
      else this.showPreview(null);
    } else if (press.source) {
      if (press.again) this.unpick();
    } else if (!press.held) this.clicked();
  }

  private wasShown(moves: LegalMove[]): boolean {
    return this.pinned !== null && moves.includes(this.pinned);
  }

  /** On a square where nothing can be picked up or dropped. */
  private clicked(): void {
    if (this.queued) this.queue(null);
    else if (this.picked) this.unpick();
    else if (this.own.length > 0) {
      this.own = [];
      this.drawMarks();
      this.user.drawn?.(this.own);
    }
    this.dropped = null;
    this.drawTargets();
  }

  private drop(source: Source, square: number | null): void {
    if (this.isTarget(square)) {
      const { x, y } = this.middle(square!);
      this.layers.hand.firstElementChild?.setAttribute("transform", `translate(${fixed(x)} ${fixed(y)})`);
      const waits = !this.canMove;
      this.choose(source, square!);
      if (waits) this.putBack();
    } else if (square !== null && square === source.from) this.putBack();
    else this.flyBack(source, square);
  }

  private flyBack(source: Source, square: number | null): void {
    const piece = this.layers.hand.firstElementChild as SVGElement | null;
    const end = source.from >= 0 ? this.middle(source.from) : null;
    const start = piece?.getAttribute("transform")?.match(/-?[\d.]+/g)?.map(Number) ?? [0, 0];
    if (square !== null) this.remark(`${capitalised(this.pieceName(source.piece))} to ${this.squareName(square)} is not legal.`);
    const text = this.note.textContent;
    this.unpick();
    if (square !== null) this.note.textContent = text;
    if (!piece || !end || reducedMotion()) { this.putBack(); return; }
    const begun = performance.now();
    const fly = () => {
      const t = Math.min(1, (performance.now() - begun) / 180);
      if (!piece.isConnected) return;
      piece.setAttribute("transform", `translate(${fixed(start[0] + t * (end.x - start[0]))} ${fixed(start[1] + t * (end.y - start[1]))})`);
      if (t < 1) requestAnimationFrame(fly);
      else this.putBack();
    };
    fly();
  }

  /** Nothing is carried any more. */
  private putBack(): void {
    this.layers.hand.replaceChildren();
    for (const piece of this.drawing.element.querySelectorAll(".lifted")) piece.classList.remove("lifted");
  }

  private release(): void {
    if (this.press) clearTimeout(this.press.timer);
    this.press = null;
  }

  private cancelPress(): void {
    this.release();
    this.putBack();
    this.drawMarks();
    this.unpick();
  }

  private hovered(event: PointerEvent): void {
    if (this.chooser.open) return;
    const handle = this.handleOf(event.target);
    const square = this.squareAt(event);
    if (handle) this.showPreview(handle[0]);
    else if (this.isTarget(square)) this.showTarget(square!);
    else {
      if (this.previewed !== this.pinned) this.showPreview(this.pinned);
      if (square !== null && !this.pinned) this.remark(this.aboutSquare(square));
    }
    const source = this.sourceAt(square);
    this.drawing.element.style.cursor = handle || source || this.isTarget(square) ? "pointer" : "";
    if (source && this.canMove && !this.picked) void this.previewsFrom(source.from);
  }

  private left(): void {
    if (this.previewed !== this.pinned) this.showPreview(this.pinned);
    if (!this.picked && !this.pinned) this.remark(null);
  }

  private boardPoint(event: { clientX: number; clientY: number }): Point {
    const matrix = this.drawing.element.getScreenCTM();
    return matrix ? new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix.inverse()) : { x: 0, y: 0 };
  }

  private squareAt(event: { clientX: number; clientY: number }): number | null {
    return this.grid.numberOf(document.elementsFromPoint(event.clientX, event.clientY)
      .find((element) => this.grid.element.contains(element)) ?? null);
  }

  // Movements of the board ---------------------------------------------------------------------------------------------

  private handleGroups(): LegalMove[][] {
    const groups = new Map<string, LegalMove[]>();
    for (const move of this.movesOfBoard) {
      if (!move.arrow) continue;
      const key = move.arrow.join(" ");
      groups.set(key, [...(groups.get(key) ?? []), move]);
    }
    return [...groups.values()];
  }

  private handleOf(target: EventTarget | null): LegalMove[] | null {
    const handle = target instanceof Element ? target.closest<SVGElement>("[data-handle]") : null;
    return handle && this.handles.contains(handle) ? this.handleGroups()[Number(handle.dataset.handle)] ?? null : null;
  }

  /** The handle that was pressed, or the one from the same place along which it was drawn; null: against all of them. */
  private handleAlong(press: Press, event: PointerEvent): LegalMove[] | null {
    const a = this.boardPoint({ clientX: press.x, clientY: press.y }), b = this.boardPoint(event);
    const way = { x: b.x - a.x, y: b.y - a.y }, far = Math.hypot(way.x, way.y);
    if (far < 0.25 * kUnit) return press.handle;
    const [x, y] = press.handle![0].arrow!;
    let best: LegalMove[] | null = null, most = 0.5;
    for (const group of this.handleGroups()) {
      const [gx, gy, u, v] = group[0].arrow!;
      if (Math.hypot(gx - x, gy - y) > 0.05) continue;
      const from = this.placing.point({ x: gx, y: gy }, 0), to = this.placing.point({ x: u, y: v }, 0);
      const size = Math.hypot(to.x - from.x, to.y - from.y) * far || 1;
      const along = ((to.x - from.x) * way.x - (to.y - from.y) * way.y) / size;
      if (along > most) [best, most] = [group, along];
    }
    return best;
  }

  private drawHandles(): void {
    this.handles.replaceChildren(...this.handleGroups().map((group, i) => {
      const [x, y, u, v] = group[0].arrow!;
      const item = svg("g", { "data-handle": i }, svg("title", {}, group.map((move) => move.san).join(", ")),
        this.drawing.arrow(this.placing.point({ x, y }, 0), this.placing.point({ x: u, y: v }, 0), "handle reach", 0.8),
        this.drawing.arrow(this.placing.point({ x, y }, 0), this.placing.point({ x: u, y: v }, 0), "handle", 0.8));
      return item;
    }));
  }

  private listMovements(): void {
    const moves = this.movesOfBoard;
    this.movements.hidden = moves.length === 0;
    const shown = (move: LegalMove | null) => () => this.showPreview(move ?? this.pinned);
    this.movements.replaceChildren(el("span", { class: "faint" }, "Move the board:"), ...moves.map((move) =>
      el("button", { type: "button", class: "text", title: move.note, mouseenter: shown(move), focus: shown(move),
                     mouseleave: shown(null), blur: shown(null), click: () => this.play(move) }, move.san)));
  }

  // Previews -----------------------------------------------------------------------------------------------------------

  private previewsFrom(from: number): ReturnType<BoardUser["previews"]> {
    const known = this.asked.get(from);
    if (known) return known;
    const asked = this.user.previews(from);
    const token = this.token;
    this.asked.set(from, asked);
    asked.catch(() => { if (token === this.token) this.asked.delete(from); });
    return asked;
  }

  private showTarget(square: number): void {
    if (!this.picked) return;
    const moves = this.movesTo(this.picked, square);
    if (moves.length === 0) return;
    this.showPreview(moves[0]);
    if (moves.length > 1) this.remark(`${this.squareName(square)}: ${moves.map((move) => move.choice || move.san).join(", ")}.`);
  }

  private showPreview(move: LegalMove | null): void {
    if (move === this.previewed) return;
    this.previewed = move;
    this.clearEffects();
    if (!move) { this.remark(null); return; }
    const text = this.moveWords(move);
    this.remark(text);
    if (this.keys) this.say(text);
    const token = this.token;
    this.previewsFrom(move.from).then((previews) => {
      const frame = previews.frames[move.text];
      if (token !== this.token || this.previewed !== move || !frame || !this.position) return;
      const after = new PositionReader(previews, this.user.boards).read(frame, this.position);
      const attacked = this.showAttacks.value ? previews.attacked[move.text] ?? [] : [];
      const { items, dimmed } = effects(this.drawing, this.position, after, attacked);
      this.layers.effects.replaceChildren(...items);
      for (const number of dimmed) this.pieceOn(number)?.classList.add("dimmed");
    }, () => {});
  }

  private clearEffects(): void {
    this.layers.effects.replaceChildren();
    for (const piece of this.drawing.element.querySelectorAll(".dimmed")) piece.classList.remove("dimmed");
  }

  private moveWords(move: LegalMove): string {
    return move.note && move.note !== `${move.san}.` ? `${move.san}: ${move.note}` : move.san;
  }

  // Drawing ------------------------------------------------------------------------------------------------------------

  private get placing() {
    return this.drawing.placing(this.position!);
  }

  private redraw(): void {
    const { position, drawing } = this;
    if (!position) return;
    drawing.element.removeAttribute("aria-label");
    this.grid.show(position);
    this.layers.heat.replaceChildren(...heatMap(drawing, position, this.shares));
    this.layers.names.replaceChildren(...(this.showNames.value ? squareNames(drawing, position) : []));
    this.clearEffects();
    this.previewed = null;
    this.arrows(this.lines);
    this.drawMarks();
    this.drawTargets();
    this.drawHandles();
    this.showHands();
    this.updateButtons();
    if (this.pinned) this.showPreview(this.pinned);
  }

  private drawTargets(): void {
    const { position } = this;
    if (!position) return;
    const { placing } = this;
    const items: SVGElement[] = [];
    const on = (number: number, make: (square: Square) => SVGElement) => {
      const square = position.board.byNumber.get(number);
      if (square) items.push(make(square));
    };
    if (this.picked) {
      on(this.picked.from, (square) => outline(placing, square, "picked"));
      const targets = new Map(this.legalFrom(this.picked).map((move) => [move.to, move]));
      for (const [number, move] of targets) on(number, (square) => move.capture || position.pieces.has(number)
        ? ring(placing, square, "target capture", 0.44) : ring(placing, square, "target", 0.15));
    }
    if (this.queued) {
      const { from, to } = this.queued;
      on(from, (square) => outline(placing, square, "queued"));
      on(to, (square) => outline(placing, square, "queued"));
      const start = position.board.byNumber.get(from), end = position.board.byNumber.get(to);
      if (start && end) items.push(this.drawing.arrow(placing.point(start.centre, start.level),
        placing.point(end.centre, end.level), "queued-arrow", 0.7));
    }
    if (this.dropped) {
      on(this.dropped.to, (square) => cross(placing, square, "refused"));
      on(this.dropped.from, (square) => outline(placing, square, "refused"));
    }
    this.layers.targets.replaceChildren(...items);
  }

  private mark(mark: UserMark): void {
    const at = this.own.findIndex(([from, to]) => from === mark[0] && to === mark[1]);
    this.own = at >= 0 ? this.own.filter((_, i) => i !== at) : [...this.own, mark];
    this.drawMarks();
    this.user.drawn?.(this.own);
  }

  private drawMarks(more?: UserMark): void {
    if (!this.position) return;
    this.layers.own.replaceChildren(...userMarks(this.drawing, this.position, more ? [...this.own, more] : this.own));
  }

  private showHands(): void {
    const held = this.reply?.hands;
    const lower = this.drawing.flipped ? "black" : "white";
    this.hands.forEach((hand, i) => {
      const white = (lower === "white") === (i === 1);
      hand.element.hidden = !held;
      if (!held) return;
      const movable = (this.canMove || this.waits) && this.white === white;
      hand.show(white, held[white ? 0 : 1], movable, this.picked?.from === -1 ? this.picked.piece : null);
    });
  }

  private updateButtons(): void {
    this.replayButton.disabled = !this.shown.before;
    this.replayButton.title = this.shown.before ? "Show the last move again" : "There is no last move to show again";
    this.stepButton.hidden = !this.stepping.value;
    this.compareButton.hidden = !reducedMotion() || !this.shown.before;
    this.entry.hidden = !this.canMove;
  }

  /** While pressed in: the position before the last move. */
  private compare(): void {
    const { position } = this;
    const { before } = this.shown;
    if (!position || !before) return;
    const earlier = this.compareButton.getAttribute("aria-pressed") !== "true";
    this.compareButton.setAttribute("aria-pressed", String(earlier));
    this.clearEffects();
    this.view.show(earlier ? before : position, "", false);
    if (!earlier) this.layers.effects.replaceChildren(...traces(this.drawing, before, position));
    this.remark(earlier ? "Before the last move." : null);
  }

  private pieceOn(number: number): SVGElement | null {
    return this.drawing.element.querySelector<SVGElement>(`.pieces > [data-square="${number}"]`);
  }

  /** In drawing units. */
  private middle(number: number): Point {
    const square = this.position!.board.byNumber.get(number)!;
    const { x, y } = this.placing.point(square.centre, square.level);
    return { x: kUnit * x, y: -kUnit * y };
  }

  // Words --------------------------------------------------------------------------------------------------------------

  /** Below the board; null: what is to be said when nothing is hovered. */
  private remark(text: string | null): void {
    this.note.textContent = text ?? (this.picked ? this.note.textContent : "");
  }

  /** To who cannot see it. */
  private say(text: string): void {
    this.live.textContent = text;
  }

  private pieceName(letter: string): string {
    return this.reply?.shapes[letter.toUpperCase()]?.name.toLowerCase() ?? letter;
  }

  private shapesByName(): Map<string, ShapeData> {
    return new Map(Object.values(this.reply?.shapes ?? {}).map((shape) => [shape.name.toLowerCase(), shape]));
  }

  private squareName(number: number): string {
    return this.grid.words.get(number)?.name ?? this.position?.board.byNumber.get(number)?.name ?? "?";
  }

  private aboutSquare(number: number): string {
    const words = this.grid.words.get(number);
    const letter = this.position?.pieces.get(number);
    const says = words?.says ?? (letter ? `${isWhite(letter) ? "white" : "black"} ${this.pieceName(letter)}` : "empty");
    return `${this.squareName(number)}: ${says}`;
  }

  /** Whether something can be done at a square with a finger: elsewhere on tall boards it scrolls. */
  private handled(square: number): boolean {
    return this.isTarget(square) || this.sourceAt(square) !== null;
  }

  private describe(square: Square): string {
    const picked = this.picked?.from === square.number ? ", picked up" : "";
    return `${this.aboutSquare(square.number).replace(": ", ", ")}${picked}${this.isTarget(square.number) ? ", target" : ""}`;
  }

  /** Asks for words about squares, a moment after the position is shown: while stepping through a game nothing is asked. */
  private describeAll(): void {
    const token = this.token;
    this.grid.words = new Map();
    this.writeWords();
    setTimeout(() => {
      if (token !== this.token) return;
      this.user.squares().then(({ squares }) => {
        if (token !== this.token || !this.position) return;
        this.grid.words = new Map(squares.map((one) => [one.number, one]));
        this.grid.relabel();
        this.writeWords();
      }, () => {});
    }, 150);
  }

  private writeWords(): void {
    this.words.hidden = !this.textMode.value;
    if (this.position && this.textMode.value)
      this.words.replaceChildren(positionWords(this.position, this.grid.words, (letter) => this.pieceName(letter)));
  }

  private fillOptions(): void {
    const speed = el("input", { type: "range", min: 0, max: 2000, step: 50, value: this.beat.value, "aria-label": "Seconds a beat",
                                input: () => (this.beat.value = Number(speed.value)) });
    const said = el("output", {});
    const update = () => (said.textContent = this.beat.value === 0 ? "at once" : `${(this.beat.value / 1000).toFixed(2)} s a beat`);
    this.beat.watch(update);
    update();
    const toggle = (text: string, setting: { value: boolean; watch(seen: (value: boolean) => void): () => void }, then: () => void) => {
      const box = el("input", { type: "checkbox", change: () => (setting.value = box.checked) });
      box.checked = setting.value;
      setting.watch((value) => {
        box.checked = value;
        then();
      });
      return el("label", {}, box, ` ${text}`);
    };
    this.options.append(el("label", { class: "speed" }, "Moves: ", said, speed),
      toggle("Each beat waits for a key (.)", this.stepping, () => this.updateButtons()),
      toggle("Names on squares", this.showNames, () => this.redraw()),
      toggle("Attacked squares in previews", this.showAttacks, () => this.redraw()),
      toggle("Board in words", this.textMode, () => this.writeWords()));
  }

  // Keyboard -----------------------------------------------------------------------------------------------------------

  private key(event: KeyboardEvent): void {
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const square = this.grid.at;
    this.keys = true;
    if (this.grid.walk(event.key)) { /* Walked. */ }
    else if (event.key === "Enter" && this.isTarget(square)) this.choose(this.picked!, square);
    else if (event.key === "Enter") {
      const source = this.sourceAt(square);
      if (source && !same(source, this.picked)) this.pick(source);
      else this.unpick();
      this.say(this.note.textContent ?? "");
    } else if (event.key === "Escape" && this.cancel()) this.say("Cancelled.");
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** The keyboard came to a square. */
  private reached(number: number): void {
    if (!this.keys || !this.position) return;
    if (this.isTarget(number)) this.showTarget(number);
    else {
      this.showPreview(null);
      this.remark(this.aboutSquare(number));
    }
  }

  private typed(event: Event): void {
    event.preventDefault();
    const found = typedMove(this.field.value, this.reply?.legal ?? []);
    if (typeof found === "string") { this.wrong.textContent = found; return; }
    this.field.value = "";
    this.wrong.replaceChildren();
    this.play(found);
  }
}
