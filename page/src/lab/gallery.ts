// Small boards that play games by themselves; one of them can be enlarged.
import { reducedMotion, type Drawing } from "../board/drawing";
import { lineArrows } from "../board/marks";
import { PositionReader, type Position } from "../board/position";
import { capitalised, el, svg } from "../common/dom";
import { percent } from "../common/format";
import { Viewer } from "../report/games";
import { openOnTable, resultText, SmallBoard, textButton, type Pictures } from "./parts";
import type { Desk } from "./desk";
import type { GameData } from "../common/data";
import type { Signal, Store } from "./store";

const kTileMilliseconds = 1100;  // from one move to the next
const kMostBehind = 4;            // plies, of a game that goes on
const kRestTicks = 4;            // at the end of a game, before it begins anew

/** One of the games. */
class Tile {
  readonly element: HTMLButtonElement;
  readonly board = new SmallBoard();
  private readonly ply = el("span", { class: "faint" });
  private rest = 0;

  constructor(public game: GameData, pictures: Pictures, opened: (tile: Tile) => void) {
    this.board.load(game.frames, pictures, "");
    this.board.element.removeAttribute("role");
    this.board.element.setAttribute("aria-hidden", "true");
    this.element = el("button", { type: "button", class: "tile", title: "Enlarge", click: () => opened(this) },
      this.board.element, el("span", { class: "tile-words" }, el("strong", {}, `${capitalised(game.label)} `, el("span", {}, game.result === "*" ? "" : resultText(game.result))), this.ply));
    if (game.live) this.board.go(game.moves.length, false);
    this.words();
  }

  /** The game has gone on. `steps`: whether it is shown move by move. */
  follow(game: GameData, pictures: Pictures, steps: boolean): void {
    if (game.moves.length <= this.game.moves.length) return;
    const ply = this.board.ply;
    this.game = game;
    this.board.load(game.frames, pictures, "");
    this.board.go(steps && game.moves.length - ply <= kMostBehind ? ply : game.moves.length, false);
    this.words();
  }
  step(): void {
    const last = this.board.positions.length - 1;
    if (this.board.ply < last) this.board.go(this.board.ply + 1, true);
    else if (this.game.live) return;
    else if (++this.rest >= kRestTicks) {
      this.rest = 0;
      this.board.go(0, false);
    }
    this.words();
  }
  end(): void {
    this.board.go(this.board.positions.length - 1, false);
    this.words();
  }
  private words(): void {
    this.ply.textContent = this.game.live ? `${this.game.name}, ply ${this.board.ply}` : `${this.board.ply} / ${this.game.moves.length}`;
  }
}

/** Games side by side, all stepping. */
export class Gallery {
  readonly element: HTMLElement;
  readonly pauseButton: HTMLButtonElement;
  private readonly tiles = el("div", { class: "wall" });
  private readonly stage = el("div", { class: "enlarged", hidden: true });
  private readonly search = el("p", { class: "search faint", hidden: true });
  private readonly arrows = svg("g", { class: "lines" });
  private readonly empty: HTMLElement;
  private readonly moving: Signal<boolean>;
  private shown: Tile[] = [];
  private viewer: Viewer | null = null;
  private opener: string | null = null;
  private enlarged: GameData | null = null;
  private timer = 0;

  /** `opened`: one of them was enlarged. */
  constructor(private readonly desk: Desk, private readonly store: Store, nothing: string, private readonly opened = () => {}) {
    this.moving = store.setting("wall.moving", true);
    this.empty = el("p", { class: "faint" }, nothing);
    this.pauseButton = textButton("", () => { this.moving.value = !this.moving.value; this.run(); });
    this.element = el("div", { class: "gallery" }, this.stage, this.empty, this.tiles);
    this.run();
  }

  /** The name of the one that is enlarged. */
  get large(): string | undefined { return this.enlarged?.name; }

  /** Games that are shown already go on. */
  show(games: GameData[], pictures: Pictures): void {
    const known = new Map(this.shown.map((tile) => [keyOf(tile.game), tile]));
    const focused = this.shown.findIndex((tile) => tile.element === document.activeElement);
    this.shown = games.map((game) => {
      const tile = known.get(keyOf(game));
      tile?.follow(game, pictures, this.steps);
      return tile ?? new Tile(game, pictures, (one) => this.enlarge(one.game, pictures, one.board.ply));
    });
    const before = this.enlarged, large = games.find((game) => game.name === this.large);
    if (before && large) {
      this.enlarged = large;
      this.opener = keyOf(large);
      if (before.live && (!large.live || large.moves.length > before.moves.length)) this.viewer!.follow(large, new PositionReader(pictures));
      else this.viewer!.tell();
    }
    if (!this.steps) for (const tile of this.shown) tile.end();
    this.empty.hidden = this.shown.length > 0;
    const kept = this.shown.map((tile) => tile.element);
    if (kept.length === this.tiles.children.length && kept.every((one, i) => this.tiles.children[i] === one)) return;
    this.tiles.replaceChildren(...kept);
    if (focused >= 0) kept[Math.min(focused, kept.length - 1)]?.focus({ preventScroll: true });
  }

  leave(): void {
    clearInterval(this.timer);
    this.viewer?.stop();
  }

  private enlarge(game: GameData, pictures: Pictures, ply: number): void {
    this.viewer?.stop();
    this.opener = keyOf(game);
    this.enlarged = game;
    this.viewer = new Viewer([game], new PositionReader(pictures));
    this.viewer.seen = (at, position, drawing) => this.drawSearch(at, position, drawing);
    this.viewer.go(ply);
    this.viewer.tell();
    this.stage.replaceChildren(el("div", { class: "tools" }, el("h3", {}, capitalised(game.label)), el("span", { class: "grow" }),
      textButton("Open on the table", () => void openOnTable(this.desk, this.store, this.enlarged!)),
      textButton("Close", () => this.close())), this.search, this.viewer.element);
    this.stage.hidden = false;
    this.viewer.element.focus({ preventScroll: true });
    this.opened();
    this.stage.scrollIntoView({ block: "nearest", behavior: reducedMotion() ? "auto" : "smooth" });
  }
  /** What the search of the enlarged game's position preferred: of its last one there is none, but that of the move to it. */
  private drawSearch(ply: number, position: Position, drawing: Drawing): void {
    const { searches, live } = this.enlarged!;
    const now = searches?.[ply], before = live && ply === searches?.length ? searches[ply - 1] : null;
    const words = (now ?? before ?? []).map(({ san, share }) => `${san} ${percent(share / 1000, 0)}`).join(", ");
    this.search.hidden = !searches;
    this.search.textContent = now ? `The search preferred ${words}.` : before ? `The last move was chosen from ${words}.`
      : "No search of this position is known.";
    if (this.arrows.parentNode !== drawing.overlay) drawing.overlay.append(this.arrows);
    this.arrows.replaceChildren(...lineArrows(drawing, position, (now ?? []).map((move) =>
      ({ move, text: percent(move.share / 1000, 0), width: Math.sqrt(move.share / now![0].share) }))));
  }
  private close(): void {
    this.viewer?.stop();
    this.enlarged = null;
    this.stage.hidden = true;
    this.stage.replaceChildren();
    (this.shown.find((tile) => keyOf(tile.game) === this.opener) ?? this.shown[0])?.element.focus();
  }

  /** Boards step unless they were stopped, or the reader's system asks for rest: then they show how their games ended. */
  private get steps(): boolean {
    return this.moving.value && !reducedMotion();
  }
  private run(): void {
    clearInterval(this.timer);
    if (this.steps)
      this.timer = window.setInterval(() => { if (!document.hidden) for (const tile of this.shown) tile.step(); }, kTileMilliseconds);
    else
      for (const tile of this.shown) tile.end();
    this.pauseButton.textContent = this.steps ? "Stop the boards" : "Let the boards move";
    this.pauseButton.disabled = reducedMotion();
    this.pauseButton.title = reducedMotion() ? "The system asks for reduced motion" : "";
  }
}

const keyOf = (game: GameData): string => game.live ? game.name : `${game.label} ${game.result} ${game.moves.join(" ")}`;
