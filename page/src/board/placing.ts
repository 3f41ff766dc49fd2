// Where the levels of a board are drawn: as the board says, one below the other, or each in the hole of
// the one above it.
import type { Board, Box, Label, Point, Square } from "./position";

export type Arrangement = "given" | "column" | "nested";

/** Maps a level's points: turned about its middle first, if the board is seen from Black's side. */
interface Placement { scale: number; dx: number; dy: number }

export class Placing {
  private readonly placements: Placement[];

  constructor(readonly board: Board, readonly arrangement: Arrangement, readonly flipped: boolean) {
    this.placements = arrangement === "nested" ? nested(board)
      : arrangement === "column" ? inColumn(board)
      : board.levels.map(() => ({ scale: 1, dx: 0, dy: 0 }));
  }

  scale(level: number): number {
    return this.placements[level].scale;
  }

  /** In squares of the first level, y upwards. */
  point(p: Point, level: number): Point {
    const box = this.board.levels[level];
    const turned = this.flipped ? { x: box.low.x + box.high.x - p.x, y: box.low.y + box.high.y - p.y } : p;
    const { scale, dx, dy } = this.placements[level];
    return { x: scale * turned.x + dx, y: scale * turned.y + dy };
  }

  middle(square: Square): Point { return this.point(square.centre, square.level); }

  /** Names of files stay below, and those of ranks beside the board, unless they turn with it. */
  label(label: Label): Point {
    const { scale, dx, dy } = this.placements[label.level];
    const plain = { x: scale * label.at.x + dx, y: scale * label.at.y + dy };
    if (this.arrangement === "column" && label.kind === "note") plain.x = this.board.levels[0].low.x;
    if (!this.flipped || label.kind === "title" || label.kind === "note") return plain;
    const turned = this.point(label.at, label.level);
    const alongX = label.kind !== "rank" && label.kind !== "row";
    const alongY = label.kind !== "file" && label.kind !== "column";
    return { x: alongX || label.turns ? turned.x : plain.x, y: alongY || label.turns ? turned.y : plain.y };
  }

  /** Whether a level's own names are shown: those in holes would be too small to read. */
  hasLabels(label: Label): boolean {
    return this.arrangement !== "nested" || (label.level === 0 && label.kind !== "title" && label.kind !== "note");
  }
  get hasInsets(): boolean {
    return this.arrangement !== "nested";
  }

  /** Everything that is drawn, with a margin. */
  box(): Box {
    const box: Box = { low: { x: Infinity, y: Infinity }, high: { x: -Infinity, y: -Infinity } };
    const hold = (p: Point, across: number, down: number) => {
      box.low = { x: Math.min(box.low.x, p.x - across), y: Math.min(box.low.y, p.y - down) };
      box.high = { x: Math.max(box.high.x, p.x + across), y: Math.max(box.high.y, p.y + down) };
    };
    this.board.levels.forEach((level, i) => {
      hold(this.point(level.low, i), 0.1, 0.1);
      hold(this.point(level.high, i), 0.1, 0.1);
    });
    for (const mark of this.board.marks)
      for (const p of mark.points) hold(this.point(p, mark.level), 0.12, 0.12);
    for (const label of this.board.labels) {
      if (!this.hasLabels(label)) continue;
      const at = this.label(label);
      const size = labelSize(label.kind);
      const width = 0.58 * size * label.text.length;
      if (label.kind === "title" || label.kind === "note") {
        hold(at, 0, 0.1);
        hold({ x: at.x + width, y: at.y + size }, 0, 0);
      } else hold(at, Math.max(width / 2, 0.15), size / 2 + 0.05);
    }
    return box;
  }
}

/** In squares. */
export function labelSize(kind: string): number {
  const sizes: Record<string, number> =
    { column: 0.32, row: 0.32, caption: 0.42, name: 0.18, title: 0.42, note: 0.36 };
  return sizes[kind] ?? 0.3;
}

/** Whether each level but the last has a hole with the next one in it. */
export function canNest(board: Board): boolean {
  return board.levels.length > 1 && board.levels.slice(0, -1).every((_, level) =>
    board.insets.some((inset) => inset.level === level && board.byNumber.has(inset.square)));
}

function nested(board: Board): Placement[] {
  const placements: Placement[] = [{ scale: 1, dx: 0, dy: 0 }];
  for (let level = 1; level < board.levels.length; ++level) {
    const above = placements[level - 1];
    const inset = board.insets.find((one) => one.level === level - 1 && board.byNumber.has(one.square))!;
    const low = board.byNumber.get(inset.square)!.polygon[0];
    const scale = above.scale / 2;
    placements.push({ scale, dx: above.scale * inset.low.x + above.dx - scale * low.x,
                      dy: above.scale * inset.low.y + above.dy - scale * low.y });
  }
  return placements;
}

function inColumn(board: Board): Placement[] {
  const first = board.levels[0];
  let y = first.high.y;
  return board.levels.map((box) => {
    const placement = { scale: 1, dx: first.low.x - box.low.x, dy: y - box.high.y };
    y -= box.high.y - box.low.y + 2.1;
    return placement;
  });
}
