// Movements of the board alone: handles beside it, along which they can be drawn, and a list of buttons.
import { el, svg } from "../common/dom";
import { kUnit, type Drawing } from "./drawing";
import type { Point } from "./position";
import type { BoardState } from "./state";
import type { LegalMove } from "../lab/desk";

export class Movements {
  readonly handles = svg("g", { class: "handles", "aria-hidden": "true" });
  readonly list = el("div", { class: "board-moves", role: "group", "aria-label": "Movements of the board" });

  /** `show`: what a move does; null: no longer. */
  constructor(private readonly state: BoardState, private readonly drawing: Drawing,
              private readonly show: (move: LegalMove | null) => void, private readonly play: (move: LegalMove) => void) {}

  /** Those of a handle that was hit. */
  of(target: EventTarget | null): LegalMove[] | null {
    const handle = target instanceof Element ? target.closest<SVGElement>("[data-handle]") : null;
    return handle && this.handles.contains(handle) ? this.groups()[Number(handle.dataset.handle)] ?? null : null;
  }

  /** The handle that was pressed, or the one from the same place along which it was drawn; null: against all of them. */
  along(pressed: LegalMove[], a: Point, b: Point): LegalMove[] | null {
    const way = { x: b.x - a.x, y: b.y - a.y }, far = Math.hypot(way.x, way.y);
    if (far < 0.25 * kUnit) return pressed;
    const [x, y] = pressed[0].arrow!;
    let best: LegalMove[] | null = null, most = 0.5;
    for (const group of this.groups()) {
      const [from, to] = this.ends(group), [gx, gy] = group[0].arrow!;
      if (Math.hypot(gx - x, gy - y) > 0.05) continue;
      const size = Math.hypot(to.x - from.x, to.y - from.y) * far || 1;
      const along = ((to.x - from.x) * way.x - (to.y - from.y) * way.y) / size;
      if (along > most) [best, most] = [group, along];
    }
    return best;
  }

  draw(): void {
    this.handles.replaceChildren(...this.groups().map((group, i) => {
      const [from, to] = this.ends(group);
      return svg("g", { "data-handle": i }, svg("title", {}, group.map((move) => move.san).join(", ")),
        this.drawing.arrow(from, to, "handle reach", 0.8), this.drawing.arrow(from, to, "handle", 0.8));
    }));
  }

  write(): void {
    const moves = this.state.movesOfBoard;
    this.list.hidden = moves.length === 0;
    const shown = (move: LegalMove | null) => () => this.show(move);
    this.list.replaceChildren(el("span", { class: "faint" }, "Move the board:"), ...moves.map((move) =>
      el("button", { type: "button", class: "text", title: move.note, mouseenter: shown(move), focus: shown(move),
                     mouseleave: shown(null), blur: shown(null), click: () => this.play(move) }, move.san)));
  }

  /** By their arrows. */
  private groups(): LegalMove[][] {
    const groups = new Map<string, LegalMove[]>();
    for (const move of this.state.movesOfBoard) {
      if (!move.arrow) continue;
      const key = move.arrow.join(" ");
      groups.set(key, [...(groups.get(key) ?? []), move]);
    }
    return [...groups.values()];
  }
  private ends([{ arrow }]: LegalMove[]): [Point, Point] {
    const placing = this.drawing.placing(this.state.position!), [x, y, u, v] = arrow!;
    return [placing.point({ x, y }, 0), placing.point({ x: u, y: v }, 0)];
  }
}
