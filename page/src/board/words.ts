// A position in words: what stands where, what attacks it, where the board moves.
import { capitalised, el } from "../common/dom";
import type { SquareWords } from "./grid";
import type { Position } from "./position";

const kMarks: Record<string, string> =
  { staircase: "Staircase", escalator: "Escalator", fork: "Fork", fault: "Fault line" };

/** The squares under a mark's points, or those whose middle lies in it. */
function along(position: Position, points: { x: number; y: number }[]): string[] {
  return points.flatMap(({ x, y }) => position.board.squares
    .filter(({ centre }) => Math.hypot(centre.x - x, centre.y - y) < 0.3).map((square) => square.name));
}

export function positionWords(position: Position, words: Map<number, SquareWords>,
                              name: (letter: string) => string): HTMLElement {
  const line = (number: number, letter: string) =>
    words.get(number)?.says ?? name(letter);
  const list = (white: boolean) => el("ul", {}, ...[...position.pieces]
    .filter(([, letter]) => (letter === letter.toUpperCase()) === white)
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
