// A board in words: what is said of moves and squares, and of a position what stands where, what attacks it, where the board moves.
import { capitalised, el } from "../common/dom";
import { isWhite, type Position, type Square } from "./position";
import type { BoardState } from "./state";
import type { Grid, SquareWords } from "./grid";
import type { ShapeData } from "../common/data";
import type { Requests } from "../lab/desk";

const kMarks: Record<string, string> =
  { staircase: "Staircase", escalator: "Escalator", fork: "Fork", fault: "Fault line" };

/** The squares under a mark's points, or those whose middle lies in it. */
function along(position: Position, points: { x: number; y: number }[]): string[] {
  return points.flatMap(({ x, y }) => position.board.squares
    .filter(({ centre }) => Math.hypot(centre.x - x, centre.y - y) < 0.3).map((square) => square.name));
}

function positionWords(position: Position, words: Map<number, SquareWords>, name: (letter: string) => string): HTMLElement {
  const line = (number: number, letter: string) => words.get(number)?.says ?? name(letter);
  const list = (white: boolean) => el("ul", {}, ...[...position.pieces]
    .filter(([, letter]) => isWhite(letter) === white)
    .map(([number, letter]) => el("li", {}, `${position.board.byNumber.get(number)!.name}: ${line(number, letter)}`)));
  const marks = position.board.marks.flatMap((mark) => {
    const squares = along(position, mark.points);
    return mark.kind in kMarks && squares.length > 1 ? [el("li", {}, `${kMarks[mark.kind]}: ${squares.join(", ")}`)] : [];
  });
  const level = (number: number) => position.board.labels
    .filter((label) => label.level === number && label.kind === "title").map((label) => capitalised(label.text));
  const levels = position.board.levels.length > 1
    ? [el("h3", {}, "Levels"), el("p", {}, position.board.levels.flatMap((_, i) => level(i)).join("; "))] : [];
  return el("div", { class: "board-words" }, el("h3", {}, "White"), list(true), el("h3", {}, "Black"), list(false),
    ...(marks.length > 0 ? [el("h3", {}, "Where the board moves"), el("ul", {}, ...marks)] : []), ...levels);
}

export class Telling {
  /** Below the board. */
  readonly note = el("p", { class: "board-note" });
  /** To who cannot see it. */
  readonly live = el("div", { class: "live", "aria-live": "polite", role: "status" });
  /** All of it. */
  readonly words = el("div", { class: "in-words", hidden: true });
  /** The keyboard was used last: what is shown is also said. */
  keys = false;
  /** Shapes of pieces that were seen, by their names. */
  readonly shapes = new Map<string, ShapeData>();

  constructor(private readonly state: BoardState, private readonly grid: Grid, private readonly inWords: { value: boolean },
              private readonly squares: () => Promise<Requests["squares"][1]>) {}

  /** null: what is to be said when nothing is hovered. */
  remark(text: string | null): void {
    this.note.textContent = text ?? (this.state.picked ? this.note.textContent : "");
  }
  say(text: string): void {
    this.live.textContent = text;
  }
  learn(shapes: Record<string, ShapeData>): void {
    for (const shape of Object.values(shapes)) this.shapes.set(shape.name.toLowerCase(), shape);
  }

  pieceName(letter: string): string {
    return this.state.reply?.shapes[letter.toUpperCase()]?.name.toLowerCase() ?? letter;
  }
  squareName(number: number): string {
    return this.grid.words.get(number)?.name ?? this.state.position?.board.byNumber.get(number)?.name ?? "?";
  }
  about(number: number): string {
    const letter = this.state.position?.pieces.get(number);
    const says = this.grid.words.get(number)?.says ?? (letter ? `${isWhite(letter) ? "white" : "black"} ${this.pieceName(letter)}` : "empty");
    return `${this.squareName(number)}: ${says}`;
  }
  /** For the square's cell. */
  describe({ number }: Square): string {
    const picked = this.state.picked?.from === number ? ", picked up" : "";
    return `${this.about(number).replace(": ", ", ")}${picked}${this.state.isTarget(number) ? ", target" : ""}`;
  }

  /** Asks for words about squares, a moment after the position is shown: while stepping through a game nothing is asked. */
  ask(): void {
    const { token } = this.state;
    this.grid.words = new Map();
    this.write();
    setTimeout(() => {
      if (token !== this.state.token) return;
      this.squares().then(({ squares }) => {
        if (token !== this.state.token || !this.state.position) return;
        this.grid.words = new Map(squares.map((one) => [one.number, one]));
        this.grid.relabel();
        this.write();
      }, () => {});
    }, 150);
  }
  write(): void {
    const { position } = this.state;
    this.words.hidden = !this.inWords.value;
    if (position && this.inWords.value) this.words.replaceChildren(positionWords(position, this.grid.words, (letter) => this.pieceName(letter)));
  }
}
