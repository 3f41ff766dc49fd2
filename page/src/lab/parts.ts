// Small parts that several views are made of.
import { BoardView } from "../board/boardview";
import { Drawing } from "../board/drawing";
import { PositionReader, type Position } from "../board/position";
import { el, type Child } from "../common/dom";
import { RequestError, type Desk, type ReadGame } from "./desk";
import type { BoardData, FrameData, GameData, ShapeData } from "../common/data";
import { written, type Fields, type Store } from "./store";

/** Calls `action` once nothing has asked for it for some time. */
export function debounced(milliseconds: number, action: () => void): { (): void; cancel(): void } {
  let timer = 0;
  const ask = () => {
    clearTimeout(timer);
    timer = window.setTimeout(action, milliseconds);
  };
  return Object.assign(ask, { cancel: () => clearTimeout(timer) });
}

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** A place for what went wrong, read out when it changes. */
export class Problem {
  readonly element = el("p", { class: "problem", role: "alert", hidden: true });
  show(error: unknown): void {
    const text = error === "" ? "" : messageOf(error);
    const field = error instanceof RequestError && error.field ? ` (${error.field})` : "";
    this.element.textContent = text + (text ? field : "");
    this.element.hidden = text === "";
  }
  clear(): void { this.show(""); }
}

export function textButton(label: string, click: () => void, kind = "plain"): HTMLButtonElement {
  return el("button", { type: "button", class: `push ${kind}`, click }, label);
}

/** A button that says why it cannot be used; it can still be focused, so that everybody gets to know. */
export function allow(button: HTMLButtonElement, reason: string): void {
  button.setAttribute("aria-disabled", String(reason !== ""));
  button.title = reason;
}
export const isAllowed = (button: HTMLButtonElement): boolean => button.getAttribute("aria-disabled") !== "true";

export function labelled(label: string, control: HTMLElement, kind = "field"): HTMLLabelElement {
  return el("label", { class: kind }, el("span", {}, label), control);
}

export function viewHeading(title: string, ...rest: Child[]): HTMLElement {
  return el("header", { class: "view-heading" }, el("h1", {}, title), ...rest);
}

/** A link within the page. */
export function placeLink(store: Store, fields: Fields, ...children: Child[]): HTMLAnchorElement {
  return el("a", { href: `#${written(fields)}`, click: (event: MouseEvent) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    store.go(fields);
  } }, ...children);
}

export const resultText = (result: string): string => (result === "1/2-1/2" ? "\u00bd-\u00bd" : result === "*" ? "no result" : result);

/** A game that can be stepped through, as text that is read again: its moves get the names that the table knows. */
async function readAgain(desk: Desk, game: GameData): Promise<ReadGame | undefined> {
  const tags = [["Variant", game.variant], ["White", game.white], ["Black", game.black], ["Result", game.result]];
  if (game.fen) tags.push(["FEN", game.fen]);
  const text = `${tags.map(([name, value]) => `[${name} "${value}"]`).join("\n")}\n\n${game.moves.join(" ")} ${game.result}\n`;
  return (await desk.ask("read", { text, game: game.variant })).games[0];
}

export async function openOnTable(desk: Desk, store: Store, game: GameData): Promise<void> {
  try {
    const read = await readAgain(desk, game);
    if (read) store.open(read);
  } catch (error) {
    store.notice.value = messageOf(error);
  }
}

/** What a reply has to draw with. */
export interface Pictures { boards: BoardData[]; shapes: Record<string, ShapeData> }

/** A small board without controls. */
export class SmallBoard {
  readonly drawing = new Drawing("given", false);
  positions: Position[] = [];
  ply = 0;

  get element(): SVGElement { return this.drawing.element; }

  load(frames: FrameData[], pictures: Pictures, words: string, arrangement: "given" | "column" | "nested" = "given"): void {
    this.positions = new PositionReader(pictures).readAll(frames);
    this.drawing.arrangement = arrangement;
    this.drawing.frame(this.positions);
    this.words = words;
    this.ply = 0;
    this.drawing.show(this.positions[0], words);
  }
  private words = "";

  go(ply: number, animated: boolean): void {
    const position = this.positions[ply];
    if (!position || ply === this.ply) return;
    this.ply = ply;
    if (animated) this.drawing.moveTo(position, this.words);
    else this.drawing.show(position, this.words);
  }
}

/** A board with its buttons that shows a single position. */
export class PositionView {
  readonly board = new BoardView();
  readonly element = el("div", { class: "position-view" }, this.board.element,
    el("div", { class: "controls" }, el("span", { class: "grow" }), ...this.board.buttons));
  position: Position | null = null;

  show(frame: FrameData, pictures: Pictures, words: string): void {
    this.position = new PositionReader(pictures).read(frame, null);
    this.board.load([this.position]);
    this.board.show(this.position, words, false);
  }
}
