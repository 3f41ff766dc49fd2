// Diagrams of how pieces move.
import { shapes } from "../board/drawing";
import { el, svg } from "../common/dom";
import { SmallBoard, type Pictures } from "./parts";
import type { PieceInfo } from "./desk";
import type { ShapeData } from "../common/data";

/** A piece alone. */
export function pieceIcon(shape: ShapeData | undefined, white: boolean): SVGElement {
  return svg("svg", { class: "board piece-icon", viewBox: "0 0 100 100", "aria-hidden": "true" },
    shape ? svg("g", { class: white ? "white" : "black" }, svg("use", { href: `#${shapes.id(shape)}` })) : null);
}

/** Marks on a board that is drawn as it is given: a dot to move to, a ring to capture on, both for both. */
function marks(board: SmallBoard, piece: PieceInfo): SVGElement {
  const group = svg("g", { class: "diagram-marks" });
  const at = (number: number): [string, string] | null => {
    const square = board.positions[0].board.byNumber.get(number);
    return square ? [String(100 * square.centre.x), String(-100 * square.centre.y)] : null;
  };
  const put = (numbers: number[], dot: boolean, ring: boolean) => {
    for (const number of numbers) {
      const place = at(number);
      if (!place) continue;
      const [cx, cy] = place;
      if (dot) group.append(svg("circle", { class: "move-dot", cx, cy, r: 17 }));
      if (ring) group.append(svg("circle", { class: "capture-ring", cx, cy, r: 34 }));
    }
  };
  put(piece.moves, true, false);
  put(piece.captures, false, true);
  put(piece.both, true, true);
  return group;
}

export function diagramKey(): HTMLElement {
  const sign = (...children: SVGElement[]) => svg("svg", { class: "board sign", viewBox: "0 0 100 100", "aria-hidden": "true" },
    svg("rect", { class: "light", width: 100, height: 100 }), svg("g", { class: "diagram-marks" }, ...children));
  const dot = () => svg("circle", { class: "move-dot", cx: 50, cy: 50, r: 17 });
  const ring = () => svg("circle", { class: "capture-ring", cx: 50, cy: 50, r: 34 });
  return el("p", { class: "diagram-key" }, el("span", {}, sign(dot(), ring()), "moves and captures"), el("span", {}, sign(dot()), "only moves"),
    el("span", {}, sign(ring()), "only captures"));
}

export function pieceCard(piece: PieceInfo, pictures: Pictures): HTMLElement {
  const board = new SmallBoard();
  const squares = piece.moves.length + piece.captures.length + piece.both.length;
  board.load([piece.frame], pictures, `${piece.name} on an empty board: it reaches ${squares} squares`);
  board.element.append(marks(board, piece));
  return el("li", { class: board.positions[0].board.levels.length > 1 ? "piece-card wide-card" : "piece-card" }, board.element,
    el("div", { class: "piece-words" }, el("h3", {}, pieceIcon(pictures.shapes[piece.shape.toUpperCase()], true), piece.name, el("code", {}, piece.letter)),
      piece.text ? el("p", {}, piece.text) : null,
      piece.value > 0 ? el("p", { class: "faint" }, `worth about ${Number(piece.value.toPrecision(3))} pawns`) : null));
}
