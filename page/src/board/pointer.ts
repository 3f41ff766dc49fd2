// Mouse and fingers on a board: what is hovered, pressed, held and dragged.
import { capitalised } from "../common/dom";
import { fixed, kUnit, reducedMotion } from "./drawing";
import { same, type Source } from "./state";
import type { PlayBoard } from "./input";
import { inColour, type Point } from "./position";
import type { LegalMove } from "../lab/desk";

/** A pointer that is down. `target`: on a square to which what is picked up may go. */
interface Press {
  id: number; x: number; y: number; touch: boolean; square: number | null; source: Source | null; again: boolean;
  target: boolean; handle: LegalMove[] | null; dragging: boolean; held: boolean; marking: boolean; timer: number;
}
type Place = { clientX: number; clientY: number };

const kHoldMilliseconds = 450;
const kDragPixels = { mouse: 4, touch: 9 };

export class Pointer {
  private press: Press | null = null;

  constructor(private readonly board: PlayBoard, signal: AbortSignal) {
    const { drawing: { element }, grid, state, chooser } = board;
    element.addEventListener("contextmenu", (event) => event.preventDefault());
    element.addEventListener("pointerdown", (event) => this.pressed(event, null));
    // On a tall board a finger scrolls, but not where it takes hold of something.
    element.addEventListener("touchstart", (event) => {
      const square = grid.numberOf(event.target);
      if (event.cancelable && square !== null && state.handled(square)) event.preventDefault();
    }, { passive: false });
    element.addEventListener("pointermove", (event) => { if (!this.press && event.pointerType !== "touch") this.hovered(event); });
    element.addEventListener("pointerleave", () => { if (!this.press && !chooser.open) this.left(); });
    addEventListener("pointermove", (event) => this.dragged(event), { signal });
    addEventListener("pointerup", (event) => this.released(event), { signal });
    addEventListener("pointercancel", (event) => { if (event.pointerId === this.press?.id) this.cancelPress(); }, { signal });
    document.addEventListener("pointerdown", (event) => {
      if (!chooser.open || chooser.element.contains(event.target as Node)) return;
      chooser.close();
      board.putBack();
      board.unpick();
      event.stopPropagation();
    }, { signal, capture: true });
  }

  get down(): boolean { return this.press !== null; }

  release(): void {
    if (this.press) clearTimeout(this.press.timer);
    this.press = null;
  }

  /** On the board, or on a piece in hand. */
  pressed(event: PointerEvent, fromHand: Source | null): void {
    const { drawing, state, options, movements, previews } = this.board;
    if (this.press || !state.position) return;
    if (drawing.moving && event.button === 0) {
      if (options.stepping.value) { this.board.step(); return; }
      drawing.finish();
    }
    this.board.telling.keys = false;
    const touch = event.pointerType === "touch";
    const square = fromHand ? null : this.squareAt(event);
    const handle = fromHand ? null : movements.of(event.target);
    const marking = event.button === 2;
    if (event.button !== 0 && !marking) return;
    const target = !marking && state.isTarget(square);
    const source = marking || target || handle ? null : fromHand ?? state.sourceAt(square);
    if (fromHand && !state.pickable(fromHand)) return;
    this.press = { id: event.pointerId, x: event.clientX, y: event.clientY, touch, square, source, handle, target, marking,
                   again: same(source, state.picked), dragging: false, held: false,
                   timer: touch ? window.setTimeout(() => this.held(), kHoldMilliseconds) : 0 };
    if (target) this.board.showTarget(square!);
    else if (handle) previews.show(handle[0]);
    else if (source && !this.press.again) this.board.pick(source);
  }

  /** Pressed for long, and not moved: a target or a movement stays shown, and elsewhere marks begin. */
  private held(): void {
    const { press } = this;
    if (!press || press.dragging) return;
    press.held = true;
    if (press.target || press.handle || press.square === null) return;
    if (press.source && !press.again) this.board.unpick();
    press.source = null;
    press.marking = true;
    navigator.vibrate?.(15);
    this.board.own.draw([press.square, press.square]);
  }

  private dragged(event: PointerEvent): void {
    const { press } = this;
    if (!press || event.pointerId !== press.id) return;
    const far = Math.hypot(event.clientX - press.x, event.clientY - press.y);
    const limit = press.touch ? kDragPixels.touch : kDragPixels.mouse;
    if (press.marking) {
      const square = this.squareAt(event);
      if (press.square !== null && square !== null) this.board.own.draw([press.square, square]);
    } else if (press.handle) {
      if (far > limit) this.board.previews.show(this.along(press, event)?.[0] ?? null);
    } else if (press.source) {
      if (!press.dragging && far > limit) this.startDrag(press, press.source);
      if (press.dragging) this.drag(event);
    } else if (far > limit) {
      clearTimeout(press.timer);
      if (press.target && this.squareAt(event) !== press.square) this.board.previews.show(null);
    }
  }

  private startDrag(press: Press, source: Source): void {
    const { state, drawing, carried } = this.board;
    press.dragging = true;
    clearTimeout(press.timer);
    if (!same(state.picked, source)) this.board.pick(source);
    const own = state.position!.pieces.get(source.from) ?? inColour(source.piece, state.white);
    const square = state.position!.board.byNumber.get(source.from);
    const scale = square ? this.board.placing.scale(square.level) : 1;
    carried.replaceChildren(drawing.piece(own, { x: 0, y: 0 }, scale * (press.touch ? 1.35 : 1.1)));
    if (source.from >= 0) drawing.pieceOn(source.from)?.classList.add("lifted");
  }

  /** Above the finger, so that it is seen. */
  private drag(event: PointerEvent): void {
    const { x, y } = this.boardPoint(event);
    this.carryTo({ x, y: y - (event.pointerType === "touch" ? 0.35 * kUnit : 0) });
    const square = this.squareAt(event);
    if (this.board.state.isTarget(square)) this.board.showTarget(square!);
    else this.board.previews.show(null);
  }

  private carryTo({ x, y }: Point): void {
    this.board.carried.firstElementChild?.setAttribute("transform", `translate(${fixed(x)} ${fixed(y)})`);
  }

  private released(event: PointerEvent): void {
    const { press, board } = this;
    if (!press || event.pointerId !== press.id) return;
    const { own, previews, telling, state } = board;
    this.release();
    const square = this.squareAt(event);
    if (press.marking) {
      if (press.square !== null && square !== null) own.toggle([press.square, square]);
      else own.draw();
    } else if (press.handle) {
      const moves = this.along(press, event);
      const shown = moves !== null && previews.pinned !== null && moves.includes(previews.pinned);
      if (moves && !(press.touch && !shown && press.held)) board.chooseOf(moves, this.boardPoint(event));
      else previews.show(press.held ? press.handle[0] : null);
    } else if (press.dragging && press.source) this.drop(press.source, square);
    else if (press.target) {
      if (square === press.square && press.held) telling.remark(`${telling.note.textContent} Tap again to play it.`);
      else if (square === press.square) board.choose(state.picked!, square!);
      else previews.show(null);
    } else if (press.source) {
      if (press.again) board.unpick();
    } else if (!press.held) this.clicked();
  }

  /** On a square where nothing can be picked up or dropped. */
  private clicked(): void {
    const { premoves, state, own } = this.board;
    if (premoves.queued) premoves.queue(null);
    else if (state.picked) this.board.unpick();
    else own.clear();
    premoves.dropped = null;
    this.board.drawTargets();
  }

  private drop(source: Source, square: number | null): void {
    const { board } = this;
    if (board.state.isTarget(square)) {
      this.carryTo(board.middle(square!));
      const waits = !board.state.canMove;
      board.choose(source, square!);
      if (waits) board.putBack();
    } else if (square !== null && square === source.from) board.putBack();
    else this.flyBack(source, square);
  }

  private flyBack(source: Source, square: number | null): void {
    const { board } = this;
    const { telling } = board;
    const piece = board.carried.firstElementChild as SVGElement | null;
    const end = source.from >= 0 ? board.middle(source.from) : null;
    const start = piece?.getAttribute("transform")?.match(/-?[\d.]+/g)?.map(Number) ?? [0, 0];
    board.unpick();
    if (square !== null) telling.remark(`${capitalised(telling.pieceName(source.piece))} to ${telling.squareName(square)} is not legal.`);
    if (!piece || !end || reducedMotion()) { board.putBack(); return; }
    const begun = performance.now();
    const fly = () => {
      const t = Math.min(1, (performance.now() - begun) / 180);
      if (!piece.isConnected) return;
      this.carryTo({ x: start[0] + t * (end.x - start[0]), y: start[1] + t * (end.y - start[1]) });
      if (t < 1) requestAnimationFrame(fly);
      else board.putBack();
    };
    fly();
  }

  private cancelPress(): void {
    this.release();
    this.board.putBack();
    this.board.own.draw();
    this.board.unpick();
  }

  private hovered(event: PointerEvent): void {
    const { chooser, movements, previews, state, telling, drawing } = this.board;
    if (chooser.open) return;
    const handle = movements.of(event.target);
    const square = this.squareAt(event);
    if (handle) previews.show(handle[0]);
    else if (state.isTarget(square)) this.board.showTarget(square!);
    else {
      previews.rest();
      if (square !== null && !previews.pinned) telling.remark(telling.about(square));
    }
    const source = state.sourceAt(square);
    drawing.element.style.cursor = handle || source || state.isTarget(square) ? "pointer" : "";
    if (source && state.canMove && !state.picked) void previews.from(source.from);
  }

  private left(): void {
    const { previews, state, telling } = this.board;
    previews.rest();
    if (!state.picked && !previews.pinned) telling.remark(null);
  }

  private along(press: Press, event: PointerEvent): LegalMove[] | null {
    return this.board.movements.along(press.handle!, this.boardPoint({ clientX: press.x, clientY: press.y }), this.boardPoint(event));
  }
  private boardPoint({ clientX, clientY }: Place): Point {
    const matrix = this.board.drawing.element.getScreenCTM();
    return matrix ? new DOMPoint(clientX, clientY).matrixTransform(matrix.inverse()) : { x: 0, y: 0 };
  }
  private squareAt({ clientX, clientY }: Place): number | null {
    const { grid } = this.board;
    return grid.numberOf(document.elementsFromPoint(clientX, clientY).find((element) => grid.element.contains(element)) ?? null);
  }
}
