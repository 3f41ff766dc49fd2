// The tree of first moves: a board, and a table of what was played there.
import { BoardView } from "../board/boardview";
import { el } from "../common/dom";
import { count, percent } from "../common/format";
import type { OpeningsSection, TreeNode } from "../common/data";
import type { Position, PositionReader } from "../board/position";

/** White's wins, draws and Black's wins as one bar. */
export function resultBar(white: number, drawn: number, black: number): HTMLElement {
  const all = white + drawn + black;
  const part = (name: string, value: number) => all > 0 && value > 0
    ? el("span", { class: name, style: `flex-grow:${value}` }, value / all >= 0.15 ? percent(value / all, 0) : "") : null;
  return el("div", { class: "result-bar", role: "img", title: all === 0 ? "no results" :
    `White wins ${percent(white / all)}, draw ${percent(drawn / all)}, Black wins ${percent(black / all)}`,
    "aria-label": all === 0 ? "no results" :
    `White wins ${percent(white / all)}, draw ${percent(drawn / all)}, Black wins ${percent(black / all)}` },
    part("white-wins", white), part("drawn", drawn), part("black-wins", black));
}

interface Step { node: TreeNode; position: Position }

class Explorer {
  readonly element: HTMLElement;
  private readonly view = new BoardView();
  private readonly trail = el("div", { class: "trail" });
  private readonly table = el("div", { class: "opening-moves" });
  private path: Step[];

  constructor(tree: TreeNode, private readonly reader: PositionReader) {
    this.path = [{ node: tree, position: reader.read(tree, null) }];
    this.element = el("div", { class: "explorer", tabindex: 0, role: "group",
                               "aria-label": "Openings: the right arrow plays the most frequent move, the left one takes it back",
                               keydown: (event: KeyboardEvent) => this.key(event) },
      el("div", { class: "stage" },
        el("div", { class: "table" }, this.view.element, el("div", { class: "controls" }, ...this.view.buttons)),
        el("div", { class: "side" }, this.trail, this.table)));
    this.view.load(this.everything(tree, null));
    this.draw(false);
  }

  /** One position of each board in the tree. */
  private everything(node: TreeNode, before: Position | null): Position[] {
    const boards = new Map<number, Position>();
    const visit = (one: TreeNode, above: Position | null) => {
      const position = this.reader.read(one, above);
      if (!boards.has(position.boardNumber)) boards.set(position.boardNumber, position);
      for (const child of one.n ?? []) visit(child, position);
    };
    visit(node, before);
    return [...boards.values()];
  }

  private get current(): Step {
    return this.path[this.path.length - 1];
  }

  private forward(node: TreeNode): void {
    this.path.push({ node, position: this.reader.read(node, this.current.position) });
    this.draw(true);
  }
  private back(to: number): void {
    if (to < 1 || to >= this.path.length) return;
    const one = to === this.path.length - 1;
    this.path.length = to;
    this.draw(one);
  }

  private draw(animated: boolean): void {
    const moves = this.path.slice(1).map((step) => step.node.t ?? "");
    this.view.show(this.current.position, moves.length === 0 ? "The start" : `After ${moves.join(" ")}`, animated);
    this.trail.replaceChildren(
      el("button", { type: "button", class: "move", "aria-current": moves.length === 0 ? "true" : undefined,
                     click: () => this.back(1) }, "Start"),
      ...moves.map((move, i) => el("button", { type: "button", class: "move",
        "aria-current": i + 1 === moves.length ? "true" : undefined, click: () => this.back(i + 2) }, move)));
    const { node } = this.current;
    const [games] = node.g;
    const children = node.n ?? [];
    const rows = children.map((child) => {
      const [played, white, drawn, black] = child.g;
      const random = (child.r ?? 0) / played;
      return el("button", { type: "button", class: "opening-move", click: () => this.forward(child) },
        el("span", { class: "name" }, child.t ?? "",
          random > 0.5 ? el("small", { title: `not chosen by a player in ${percent(random, 0)} of these games` }, " random") : null),
        el("span", { class: "games" }, `${count(played)} `, el("small", {}, percent(played / games, 0))),
        resultBar(white, drawn, black));
    });
    const shown = children.reduce((sum, child) => sum + child.g[0], 0);
    const others = games - shown;
    this.table.replaceChildren(
      el("div", { class: "opening-total" }, el("span", {}, `${count(games)} games`),
        resultBar(node.g[1], node.g[2], node.g[3])),
      ...rows,
      el("p", { class: "faint" }, children.length === 0 ? "From here every game went its own way." :
        others > 0 ? `${count(others)} others ended here or went on with rarer moves.` : ""));
  }

  private key(event: KeyboardEvent): void {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const first = this.current.node.n?.[0];
    if (event.key === "ArrowRight" && first) this.forward(first);
    else if (event.key === "ArrowLeft") this.back(this.path.length - 1);
    else if (event.key === "Home") this.back(1);
    else return;
    event.preventDefault();
    if (!this.element.contains(document.activeElement)) this.element.focus();
  }
}

export function openingsSection(section: OpeningsSection, reader: PositionReader): HTMLElement {
  return new Explorer(section.tree, reader).element;
}
