// A board to play on: by mouse, touch and keyboard.
import { capitalised, el, iconButton, svg } from "../common/dom";
import { BoardView } from "./boardview";
import { Chooser } from "./chooser";
import { kUnit, reducedMotion } from "./drawing";
import { Grid } from "./grid";
import { Hand } from "./hands";
import { heatMap, lineArrows, OwnMarks, squareNames, type LineArrow, type UserMark } from "./marks";
import { Movements } from "./movements";
import { BoardOptions, kDefaultBeat, type Settings } from "./options";
import { Pointer } from "./pointer";
import { Premoves } from "./premoves";
import { cross, outline, Previews, ring, traces, type PreviewSource } from "./preview";
import { BoardState, same, type Reply, type ShowOptions, type Source } from "./state";
import { MoveField } from "./typed";
import { Telling } from "./words";
import { inColour, type Point, type Position, type Square } from "./position";
import type { LegalMove, Requests } from "../lab/desk";

/** Who uses the board. Previews and words are of the position that is shown. */
export interface BoardUser extends PreviewSource {
  settings: Settings;
  /** A legal move was chosen. The board shows it when it is shown the position after it. */
  move(text: string): void;
  squares(): Promise<Requests["squares"][1]>;
  /** Arrows and circles were changed by the user. */
  drawn(marks: UserMark[]): void;
}

const kReplay = "M4 12a8 8 0 1 0 2.6-5.9M4 4v4.5h4.5";
const kStep = "M6 5l9 7-9 7zM18 5v14";
const kCompare = "M12 4v16M4 7h5v10H4zM15 7h5v10h-5z";

export class PlayBoard {
  /** Board, hands, notes and the field for moves. */
  readonly element: HTMLElement;
  /** Buttons for a toolbar: turn, nest, replay, step, before and after. */
  readonly buttons: HTMLElement[] = [];
  /** The pictures of positions; drawing.element is the SVG. */
  readonly view = new BoardView(false);
  /** Below the board: for buttons. */
  readonly toolbar = el("div", { class: "board-toolbar" });

  // What the parts of the board share.
  readonly drawing = this.view.drawing;
  readonly state = new BoardState();
  readonly chooser = new Chooser();
  readonly options: BoardOptions;
  readonly grid: Grid;
  readonly telling: Telling;
  readonly previews: Previews;
  readonly premoves = new Premoves(this);
  readonly movements: Movements;
  readonly own: OwnMarks;
  /** A piece that is dragged. */
  readonly carried = svg("g", { class: "hand" });

  private readonly pointer: Pointer;
  private readonly hands: [Hand, Hand];  // far, near
  private readonly field = new MoveField(() => this.state.reply?.legal ?? [], (move) => this.play(move));
  private readonly layers = Object.fromEntries(["heat", "names", "targets", "lines"].map((name) =>
    [name, svg("g", { class: name })])) as Record<"heat" | "names" | "targets" | "lines", SVGGElement>;
  private readonly stepButton = iconButton("Next beat (.)", kStep, () => this.step());
  private readonly replayButton = iconButton("Show the last move again", kReplay, () => this.replay());
  private readonly compareButton = iconButton("The position before the last move", kCompare, () => this.compare());
  private lines: LineArrow[] = [];
  private shares = new Map<number, number>();
  private dropping = false;  // the piece that moves was dragged to its square
  private readonly listeners = new AbortController();

  constructor(readonly user: BoardUser) {
    const { state, drawing, layers } = this;
    this.options = new BoardOptions(user.settings);
    this.grid = new Grid(drawing, (square) => this.telling.describe(square), (number) => state.handled(number),
                         (number) => this.reached(number));
    this.telling = new Telling(state, this.grid, this.options.words, () => user.squares());
    this.previews = new Previews(user, state, this.telling, drawing, this.options.attacks);
    this.movements = new Movements(state, drawing, (move) => this.previews.show(move ?? this.previews.pinned), (move) => this.play(move));
    this.own = new OwnMarks(state, drawing, user.drawn);
    const hand = () => new Hand({
      name: (letter) => this.telling.pieceName(letter),
      shape: (letter) => state.reply?.shapes[letter],
      pressed: (letter, event) => this.pointer.pressed(event, { from: -1, piece: letter }),
      picked: (letter) => this.pickFromHand(letter),
    });
    this.hands = [hand(), hand()];
    drawing.element.setAttribute("role", "group");
    drawing.overlay.append(layers.heat, layers.names, layers.targets, this.previews.layer, this.own.layer, this.grid.element,
                           layers.lines, this.movements.handles, this.carried);
    this.view.arranged = () => this.redraw();
    const { note, words, live } = this.telling;
    this.element = el("div", { class: "play-board" }, this.hands[0].element,
      el("div", { class: "board-stage" }, this.view.element, this.chooser.element), this.hands[1].element,
      note, this.toolbar, this.premoves.element, this.movements.list, this.field.element, words, this.options.element, live);
    this.buttons.push(...this.view.buttons, this.replayButton, this.stepButton, this.compareButton);
    this.options.fill(() => this.updateButtons(), () => this.redraw(), () => this.telling.write());
    const { signal } = this.listeners;
    this.pointer = new Pointer(this, signal);
    this.element.addEventListener("focusin", (event) => this.grid.focused(event.target));
    this.grid.element.addEventListener("keydown", (event) => this.key(event));
    document.addEventListener("keydown", (event) => {
      const typing = event.target instanceof HTMLInputElement || event.target instanceof HTMLTextAreaElement;
      if (event.key === "Escape" && !event.defaultPrevented && this.element.isConnected && this.cancel()) event.preventDefault();
      if (event.key === "." && !typing && drawing.moving && this.step()) event.preventDefault();
    }, { signal });
  }

  /** All positions that will be shown: the board is drawn as large as fits all of them. */
  load(positions: Position[]): void { this.view.load(positions); }

  /** `reply` is null while nothing is known of the position but its picture: nothing can be moved. */
  show(position: Position, reply: Reply | null, options: ShowOptions): void {
    const { state, drawing, telling, premoves } = this;
    const other = position !== state.position;
    const before = state.shown;
    state.shown = options;
    state.reply = reply;
    if (other) {
      state.token = {};
      state.position = position;
      this.own.marks = options.marks ?? [];
      premoves.dropped = null;
      this.previews.reset();
      this.putBack();
      state.picked = null;
      this.chooser.close();
      drawing.beat = this.options.stepping.value ? Infinity : this.options.beat.value;
      drawing.dropped = this.dropping;
      this.dropping = false;
      this.view.show(position, "", options.animated);
      telling.ask();
    }
    if (reply) {
      telling.learn(reply.shapes);
      premoves.learn(reply);
    }
    if (state.picked && !state.pickable(state.picked)) this.unpick();
    if (other || before.description !== options.description) telling.say(options.description);
    this.redraw();
    if (other && options.animated && options.before && reducedMotion()) this.trace(options.before, position);
    telling.remark(other ? "" : null);
    this.movements.write();
    if (premoves.queued && state.canMove && reply) this.afterMotion(() => premoves.turn());
    else if (premoves.queued && !state.waits && reply) premoves.queue(null);
  }

  /** Seen from Black's side or White's. */
  flip(flipped = !this.drawing.flipped): void { this.view.flip(flipped); }

  /** Arrows of an analysis, the best first, under the user's own. */
  arrows(arrows: LineArrow[]): void {
    this.lines = arrows;
    if (this.state.position) this.layers.lines.replaceChildren(...lineArrows(this.drawing, this.state.position, arrows));
  }

  /** Shades squares: a share from 0 to 1 by their number. */
  heat(shares: Map<number, number>): void {
    this.shares = shares;
    if (this.state.position) this.layers.heat.replaceChildren(...heatMap(this.drawing, this.state.position, shares));
  }

  /** Shows a move without playing it, as when it is hovered; null: no longer. */
  preview(move: LegalMove | null): void {
    this.previews.pinned = move;
    this.previews.show(move);
  }

  /** The last move once more. */
  replay(): void {
    const { position, token, shown: { before } } = this.state;
    if (!position || !before) return;
    this.unpick();
    this.drawing.beat = this.options.stepping.value ? Infinity : this.options.beat.value || kDefaultBeat;
    this.view.show(before, "", false);
    setTimeout(() => {
      if (token !== this.state.token) return;
      this.view.show(position, "", true);
      if (reducedMotion()) this.trace(before, position);
      this.telling.say(this.state.shown.description);
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
    const { queued } = this.premoves;
    const did = this.state.picked !== null || this.chooser.open || queued !== null || this.pointer.down;
    this.pointer.release();
    this.putBack();
    this.chooser.close();
    this.unpick();
    if (queued) this.premoves.queue(null);
    return did;
  }

  /** The page is left. */
  leave(): void {
    this.listeners.abort();
    this.pointer.release();
  }

  // Picking up and dropping --------------------------------------------------------------------------------------------

  pick(source: Source): void {
    const { state, telling } = this;
    state.picked = source;
    this.preview(null);
    const count = new Set(state.legalFrom(source).map((move) => move.to)).size;
    const where = source.from < 0 ? "in hand" : telling.squareName(source.from);
    const can = state.canMove ? (count === 0 ? "has no legal move" : `${count} ${count === 1 ? "square" : "squares"} to go to`)
      : "queue a move: choose its square";
    telling.remark(`${capitalised(telling.pieceName(source.piece))} ${where}: ${can}.`);
    if (state.canMove && count > 0) void this.previews.from(source.from);
    this.pickedOther();
  }

  unpick(): void {
    if (!this.state.picked && !this.previews.any) return;
    this.state.picked = null;
    this.previews.show(null);
    this.pickedOther();
  }

  private pickedOther(): void {
    this.drawTargets();
    this.showHands();
    if (this.state.position) this.grid.relabel();
  }

  private pickFromHand(letter: string): void {
    const source = { from: -1, piece: letter };
    this.telling.keys = true;
    if (same(this.state.picked, source)) this.unpick();
    else this.pick(source);
    if (this.state.picked) this.grid.focus();
  }

  choose(source: Source, square: number): void {
    if (this.state.canMove) this.chooseOf(this.state.movesTo(source, square), this.middle(square));
    else {
      this.premoves.queue({ ...source, to: square, choice: this.premoves.queued?.choice ?? "" });
      this.unpick();
    }
  }

  /** The only one, or the one of the chooser. `at` is in drawing units. */
  chooseOf(moves: LegalMove[], at: Point): void {
    if (moves.length === 0) return;
    if (moves.length === 1) { this.play(moves[0]); return; }
    const matrix = this.drawing.element.getScreenCTM();
    const stage = this.chooser.element.parentElement!.getBoundingClientRect();
    const client = matrix ? new DOMPoint(at.x, at.y).matrixTransform(matrix) : { x: 0, y: 0 };
    this.chooser.show({
      moves: [...moves].sort((a, b) => Number(b.choice === "queen") - Number(a.choice === "queen")),
      white: this.state.white, shapes: this.telling.shapes, at: { x: client.x - stage.left, y: client.y - stage.top },
      chosen: (move) => this.play(move),
      shown: (move) => this.previews.show(move),
      cancelled: () => {
        this.putBack();
        this.unpick();
        this.telling.say("Taken back.");
        if (this.telling.keys) this.grid.focus();
      },
    });
  }

  play(move: LegalMove): void {
    this.dropping = this.carried.childElementCount > 0;
    const focused = this.chooser.element.contains(document.activeElement) || this.grid.element.contains(document.activeElement);
    this.state.picked = null;
    this.previews.show(null);
    this.drawTargets();
    if (focused && this.telling.keys) this.grid.focus();
    this.user.move(move.text);
  }

  /** Nothing is carried any more. */
  putBack(): void {
    this.carried.replaceChildren();
    for (const piece of this.drawing.element.querySelectorAll(".lifted")) piece.classList.remove("lifted");
  }

  showTarget(square: number): void {
    const { picked } = this.state;
    const moves = picked ? this.state.movesTo(picked, square) : [];
    if (moves.length === 0) return;
    this.previews.show(moves[0]);
    if (moves.length > 1) this.telling.remark(`${this.telling.squareName(square)}: ${moves.map((move) => move.choice || move.san).join(", ")}.`);
  }

  private afterMotion(then: () => void): void {
    const { token } = this.state;
    const look = () => {
      if (token !== this.state.token) return;
      if (this.drawing.moving) requestAnimationFrame(look);
      else then();
    };
    requestAnimationFrame(look);
  }

  // Drawing ------------------------------------------------------------------------------------------------------------

  get placing() { return this.drawing.placing(this.state.position!); }

  /** In drawing units. */
  middle(number: number): Point {
    const square = this.state.position!.board.byNumber.get(number)!;
    const { x, y } = this.placing.middle(square);
    return { x: kUnit * x, y: -kUnit * y };
  }

  private redraw(): void {
    const { state: { position }, drawing, layers } = this;
    if (!position) return;
    drawing.element.removeAttribute("aria-label");
    this.grid.show(position);
    layers.names.replaceChildren(...(this.options.names.value ? squareNames(drawing, position) : []));
    this.heat(this.shares);
    this.arrows(this.lines);
    this.own.draw();
    this.drawTargets();
    this.movements.draw();
    this.showHands();
    this.updateButtons();
    this.previews.again();
  }

  private trace(before: Position, after: Position): void {
    this.previews.layer.replaceChildren(...traces(this.drawing, before, after));
  }

  drawTargets(): void {
    const { position, picked, white } = this.state;
    const { queued, dropped } = this.premoves;
    if (!position) return;
    const { placing } = this;
    const items: SVGElement[] = [];
    const on = (number: number, make: (square: Square) => SVGElement) => {
      const square = position.board.byNumber.get(number);
      if (square) items.push(make(square));
    };
    if (picked) {
      on(picked.from, (square) => outline(placing, square, "picked"));
      const targets = new Map(this.state.legalFrom(picked).map((move) => [move.to, move]));
      for (const [number, move] of targets) on(number, (square) => move.capture || position.pieces.has(number)
        ? ring(placing, square, "target capture", 0.44) : ring(placing, square, "target", 0.15));
    }
    if (queued) {
      const start = position.board.byNumber.get(queued.from), end = position.board.byNumber.get(queued.to);
      for (const number of [queued.from, queued.to]) on(number, (square) => outline(placing, square, "queued"));
      if (start && end) items.push(this.drawing.arrow(placing.middle(start), placing.middle(end), "queued-arrow", 0.7));
      if (end) {
        const ghost = this.drawing.piece(inColour(queued.piece, white), placing.middle(end), placing.scale(end.level));
        ghost.classList.add("ghost");
        items.push(ghost);
      }
    }
    if (dropped) {
      on(dropped.to, (square) => cross(placing, square, "refused"));
      on(dropped.from, (square) => outline(placing, square, "refused"));
    }
    this.layers.targets.replaceChildren(...items);
  }

  private showHands(): void {
    const { state } = this;
    const held = state.reply?.hands;
    const lower = this.drawing.flipped ? "black" : "white";
    this.hands.forEach((hand, i) => {
      const white = (lower === "white") === (i === 1);
      hand.element.hidden = !held;
      if (!held) return;
      const movable = (state.canMove || state.waits) && state.white === white;
      hand.show(white, held[white ? 0 : 1], movable, state.picked?.from === -1 ? state.picked.piece : null);
    });
  }

  private updateButtons(): void {
    const { before } = this.state.shown;
    this.replayButton.disabled = !before;
    this.replayButton.title = before ? "Show the last move again" : "There is no last move to show again";
    this.stepButton.hidden = !this.options.stepping.value;
    this.compareButton.hidden = !reducedMotion() || !before;
    this.field.element.hidden = !this.state.canMove;
  }

  /** While pressed in: the position before the last move. */
  private compare(): void {
    const { position, shown: { before } } = this.state;
    if (!position || !before) return;
    const earlier = this.compareButton.getAttribute("aria-pressed") !== "true";
    this.compareButton.setAttribute("aria-pressed", String(earlier));
    this.previews.clear();
    this.view.show(earlier ? before : position, "", false);
    if (!earlier) this.trace(before, position);
    this.telling.remark(earlier ? "Before the last move." : null);
  }

  // Keyboard -----------------------------------------------------------------------------------------------------------

  private key(event: KeyboardEvent): void {
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const { state, telling } = this;
    const square = this.grid.at;
    telling.keys = true;
    if (this.grid.walk(event.key)) { /* Walked. */ }
    else if (event.key === "Enter" && state.isTarget(square)) this.choose(state.picked!, square);
    else if (event.key === "Enter") {
      const source = state.sourceAt(square);
      if (source && !same(source, state.picked)) this.pick(source);
      else this.unpick();
      telling.say(telling.note.textContent ?? "");
    } else if (event.key === "Escape" && this.cancel()) telling.say("Cancelled.");
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** The keyboard came to a square. */
  private reached(number: number): void {
    if (!this.telling.keys || !this.state.position) return;
    if (this.state.isTarget(number)) this.showTarget(number);
    else {
      this.previews.show(null);
      this.telling.remark(this.telling.about(number));
    }
  }
}
