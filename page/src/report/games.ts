// Games that can be stepped through.
import { BoardView } from "../board/boardview";
import { capitalised, el, iconButton, svg } from "../common/dom";
import { reducedMotion, type Drawing } from "../board/drawing";
import { count, percent } from "../common/format";
import type { GameData, GamesSection } from "../common/data";
import type { Position, PositionReader } from "../board/position";

const kIcons = {
  first: "M6 5v14M19 5l-10 7 10 7",
  back: "M15 5l-8 7 8 7",
  next: "M9 5l8 7-8 7",
  last: "M18 5v14M5 5l10 7-10 7",
  play: "M8 5l11 7-11 7z",
  pause: "M8 5v14M16 5v14",
};
const kPlayMilliseconds = 900;

const resultWords: Record<string, string> =
  { "1-0": "White won", "0-1": "Black won", "1/2-1/2": "Drawn", "*": "No result" };

const resultTexts: Record<string, string> = { "1/2-1/2": "\u00bd-\u00bd", "*": "no result" };

/** "12... Qd4": numbered as in a list of moves. */
function numbered(game: GameData, ply: number): string {
  const offset = game.first === "black" ? 1 : 0;
  const number = game.number + Math.floor((ply - 1 + offset) / 2);
  return `${number}${(ply - 1 + offset) % 2 === 0 ? "." : "..."} ${game.moves[ply - 1]}${game.marks?.[ply - 1] ?? ""}`;
}

/** What was written about the move to a position, or about the game, without commands such as "[%clk 0:01]". */
function comment(game: GameData, ply: number): string {
  const text = (ply === 0 ? game.comment : game.comments?.[ply - 1]) ?? "";
  return text.replace(/\[%[^\]]*\]/g, "").trim();
}

const isWhitesTurn = (game: GameData, ply: number): boolean => (game.first === "white") === (ply % 2 === 0);

export class Viewer {
  readonly element: HTMLElement;
  /** A position is shown, or is drawn anew; for what is drawn over it. */
  seen: (ply: number, position: Position, drawing: Drawing) => void = () => {};
  private readonly view = new BoardView();
  private readonly cards: HTMLButtonElement[] = [];
  private readonly heading = el("div", { class: "game-heading" });
  private readonly moves = el("div", { class: "moves", role: "group", "aria-label": "Moves" });
  private readonly slider = el("input", { type: "range", min: 0, value: 0, "aria-label": "Ply",
                                          input: () => this.go(Number(this.slider.value)) });
  private readonly status = el("div", { class: "status", "aria-live": "polite" });
  private readonly chart = el("div", { class: "values" });
  private readonly playButton: HTMLButtonElement;
  private moveButtons: HTMLButtonElement[] = [];
  private cursor: SVGElement | null = null;
  private game!: GameData;
  private positions: Position[] = [];
  private ply = 0;
  private timer = 0;

  constructor(private readonly games: GameData[], private reader: PositionReader) {
    games.forEach((game, i) => this.cards.push(el("button", { type: "button", class: "card", click: () => this.load(i) },
      el("strong", {}, capitalised(game.label)),
      el("span", {}, `${resultTexts[game.result] ?? game.result}, ${count(game.moves.length)} plies`),
      game.label.includes(game.name) ? null : el("span", { class: "faint" }, game.name))));
    this.playButton = iconButton("Play", kIcons.play, () => this.play(this.timer === 0));
    const controls = el("div", { class: "controls" },
      iconButton("First position", kIcons.first, () => this.go(0)),
      iconButton("Back", kIcons.back, () => this.go(this.ply - 1)),
      this.playButton,
      iconButton("Next", kIcons.next, () => this.go(this.ply + 1)),
      iconButton("Last position", kIcons.last, () => this.go(this.positions.length - 1)),
      el("span", { class: "grow" }),
      ...this.view.buttons);
    this.view.arranged = () => this.tell();
    this.element = el("div", { class: "viewer", tabindex: 0, role: "group",
                               "aria-label": "Game viewer: arrow keys, Home and End step through the game",
                               keydown: (event: KeyboardEvent) => this.key(event) },
      el("div", { class: "cards", hidden: games.length < 2 }, ...this.cards),
      this.heading,
      el("div", { class: "stage" },
        el("div", { class: "table" }, this.view.element, this.slider, controls),
        el("div", { class: "side" }, this.status, this.chart, this.moves)));
    this.load(0);
  }

  /** Ends what moves by itself. */
  stop(): void {
    this.play(false);
  }

  /** The game that is shown has gone on: at its last position it is followed. */
  follow(game: GameData, reader: PositionReader): void {
    const at = this.ply, follows = at === this.positions.length - 1;
    const focused = this.moves.contains(document.activeElement);
    this.games[0] = game;
    this.reader = reader;
    this.load(0);
    this.go(at);
    if (follows) this.go(this.positions.length - 1);
    if (focused) this.element.focus({ preventScroll: true });
  }

  private load(number: number): void {
    this.play(false);
    const game = this.game = this.games[number];
    this.cards.forEach((card, i) => card.setAttribute("aria-pressed", String(i === number)));
    this.positions = this.reader.readAll(game.frames);
    this.slider.max = String(this.positions.length - 1);
    const sides = game.white === game.black ? `both sides: ${game.white}` : `${game.white} \u2013 ${game.black}`;
    this.heading.replaceChildren(
      el("strong", {}, game.live ? "In progress" : `${resultWords[game.result] ?? game.result}: ${game.ending}`),
      el("span", {}, ` ${sides}`), el("span", { class: "faint" }, ` ${game.name}, ${game.variant}`));
    this.element.classList.toggle("many-levels", this.positions[0].board.levels.length > 1);
    this.listMoves();
    this.drawValues();
    this.view.load(this.positions);
    this.ply = -1;
    this.go(0);
  }

  private listMoves(): void {
    const game = this.game;
    this.moveButtons = game.moves.map((move, i) => el("button", {
      type: "button", class: i < game.opening ? "move random" : "move",
      title: comment(game, i + 1) || (i < game.opening ? "not chosen by a player" : undefined), click: () => this.go(i + 1) },
      move, game.marks?.[i] ? el("span", { class: game.marks[i]!.startsWith("?") ? "mark mistake" : "mark" }, game.marks[i]) : null));
    const items: Node[] = [];
    const offset = game.first === "black" ? 1 : 0;
    for (let i = -offset; i < game.moves.length; i += 2) {
      items.push(el("span", { class: "number" }, `${game.number + Math.floor((i + offset) / 2)}.`));
      items.push(this.moveButtons[i] ?? el("span", { class: "move" }, "\u2026"));
      items.push(this.moveButtons[i + 1] ?? el("span"));
    }
    this.moves.replaceChildren(...items);
  }

  /** What the searches expected, as bands: White's chances below, Black's above. */
  private drawValues(): void {
    this.chart.hidden = !this.game.values;
    this.cursor = null;
    const values = this.game.values;
    if (!values) return;
    const width = Math.max(1, values.length);
    let white = "", draw = "";
    values.forEach((value, i) => {
      const known = value ?? values.slice(0, i).reverse().find((one) => one) ?? values.find((one) => one) ?? [333, 334];
      white += `L${i} ${1000 - known[0]}L${i + 1} ${1000 - known[0]}`;
      draw += `L${i} ${1000 - known[0] - known[1]}L${i + 1} ${1000 - known[0] - known[1]}`;
    });
    const line = svg("line", { class: "cursor", y1: 0, y2: 1000, x1: 0, x2: 0 });
    this.cursor = line;
    this.chart.replaceChildren(
      svg("svg", { viewBox: `0 0 ${width} 1000`, preserveAspectRatio: "none", "aria-hidden": "true",
                   click: (event: MouseEvent) => {
                     const box = (event.currentTarget as Element).getBoundingClientRect();
                     this.go(Math.round(((event.clientX - box.left) / box.width) * width));
                   } },
        svg("rect", { class: "black-wins", width, height: 1000 }),
        svg("path", { class: "drawn", d: `M0 1000${draw}L${width} 1000Z` }),
        svg("path", { class: "white-wins", d: `M0 1000${white}L${width} 1000Z` }),
        line),
      el("div", { class: "key" }, el("span", { class: "white-wins" }, "White wins"), el("span", { class: "drawn" }, "draw"),
        el("span", { class: "black-wins" }, "Black wins")));
  }

  go(ply: number): void {
    const next = Math.max(0, Math.min(this.positions.length - 1, ply));
    if (next === this.ply) return;
    const step = next === this.ply + 1 || next === this.ply - 1;
    if (this.ply >= 1) this.moveButtons[this.ply - 1]?.removeAttribute("aria-current");
    const animated = step && this.ply >= 0;
    this.ply = next;
    this.view.show(this.positions[next], this.describe(), animated);
    this.slider.value = String(next);
    this.cursor?.setAttribute("x1", String(next));
    this.cursor?.setAttribute("x2", String(next));
    this.status.textContent = this.describe();
    const move = this.moveButtons[next - 1];
    move?.setAttribute("aria-current", "true");
    if (move) this.scrollTo(move);
    else this.moves.scrollTop = 0;
    if (next === this.positions.length - 1) this.play(false);
    this.tell();
  }

  /** To who draws over the board. */
  tell(): void {
    const position = this.positions[this.ply];
    if (position) this.seen(this.ply, position, this.view.drawing);
  }

  /** Within the list only: the page stays where it is. */
  private scrollTo(move: HTMLElement): void {
    const list = this.moves.getBoundingClientRect(), box = move.getBoundingClientRect();
    if (box.top < list.top + 30 || box.bottom > list.bottom - 30)
      this.moves.scrollTop += box.top - list.top - list.height / 2;
  }

  private describe(): string {
    const { game, ply } = this;
    const said = comment(game, ply);
    const at = (ply === 0 ? "Start" : numbered(game, ply)) + (said ? `: ${said}` : "") + (/[.!?]$/.test(said) ? "" : ".") +
      (game.frames[ply].e ? ` ${game.frames[ply].e}` : "");
    if (ply === game.moves.length && !game.live)
      return `${ply > 0 ? at + " " : ""}${resultWords[game.result] ?? ""}: ${game.ending}.`;
    const turn = isWhitesTurn(game, ply) ? "White to move" : "Black to move";
    const value = game.values?.[ply];
    const hope = value ? ` White wins ${percent(value[0] / 1000, 0)}, draw ${percent(value[1] / 1000, 0)}.` : "";
    return `${at} ${turn}.${hope}`;
  }

  private play(on: boolean): void {
    clearInterval(this.timer);
    this.timer = 0;
    if (on) {
      if (this.ply === this.positions.length - 1) this.go(0);
      this.timer = window.setInterval(() => this.go(this.ply + 1), reducedMotion() ? 1500 : kPlayMilliseconds);
    }
    this.playButton.querySelector("path")!.setAttribute("d", on ? kIcons.pause : kIcons.play);
    this.playButton.setAttribute("aria-label", on ? "Pause" : "Play");
    this.playButton.title = on ? "Pause" : "Play";
  }

  private key(event: KeyboardEvent): void {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const last = this.positions.length - 1;
    const target: Record<string, number> =
      { ArrowLeft: this.ply - 1, ArrowRight: this.ply + 1, Home: 0, End: last, PageUp: this.ply - 10, PageDown: this.ply + 10 };
    if (event.key === " " && event.target === this.element) this.play(this.timer === 0);
    else if (event.key in target) this.go(target[event.key]);
    else return;
    event.preventDefault();
  }
}

export function gamesSection(section: GamesSection, reader: PositionReader): HTMLElement {
  return new Viewer(section.games, reader).element;
}
