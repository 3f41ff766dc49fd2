// A game as a tree: its moves, variations, and what is known about its positions.
import type { Chances, Place, PositionReply, ReadGame, SaidLine, Variation } from "./desk";
import type { Position } from "../board/position";

/** An arrow, or a circle if both squares are the same, that a user drew. */
export type Drawn = [from: number, to: number];

/** A position with the move that led to it. */
export interface Node {
  readonly id: number;
  readonly parent: Node | null;
  readonly move: string;  // "" at the root
  san: string;
  effects: string;        // what it did to the board, in words
  readonly children: Node[];  // the first one is the main line
  comment: string;
  mark: string;               // "?", "!?", … of the move
  value: Chances | null;      // of the position
  visits: number;             // that found the value; 0 if nobody knows
  best: { move: string; san: string; loss: number } | null;  // instead of the move
  drawn: Drawn[];
  position: Position | null;  // as drawn, once it has been asked for
  reply: PositionReply | null;
}

/** A node as it is stored; `c`: its children. */
interface Stored { m: string; s: string; t?: string; k?: string; v?: Chances; n?: number; b?: Node["best"]; d?: Drawn[]; c?: Stored[] }
export interface StoredTree { game: string; fen?: string; white: string; black: string; result: string; root: Stored; at: number[] }

/** What is said of the moves along nodes, of which the first is where they begin; whether also what is known of that. */
function said(line: Node[], first = true): SaidLine {
  const moves = line.slice(1);
  const some = <Value>(values: (Value | null)[]) => (values.some((value) => value !== null) ? values : undefined);
  return {
    moves: moves.map((node) => node.move), values: some(line.slice(0, -1).map((node, i) => (i > 0 || first ? node.value : null))),
    marks: some(moves.map((node) => node.mark || null)), comments: some(moves.map((node) => node.comment || null)),
  };
}

export class GameTree {
  white = "";
  black = "";
  result = "*";
  /** Who makes the first move, and its number. */
  first: "white" | "black" = "white";
  number = 1;
  readonly root: Node;
  current: Node;
  private readonly nodes = new Map<number, Node>();
  private readonly visited: Node[] = [];
  private made = 0;

  constructor(public game: string, readonly fen?: string) {
    this.root = this.current = this.make(null, "", "");
  }

  private make(parent: Node | null, move: string, san: string): Node {
    const node: Node = { id: this.made++, parent, move, san, effects: "", children: [], comment: "", mark: "", value: null, visits: 0,
                         best: null, drawn: [], position: null, reply: null };
    this.nodes.set(node.id, node);
    return node;
  }

  node(id: number): Node | undefined { return this.nodes.get(id); }

  /** From the root to the node. */
  path(node: Node = this.current): Node[] {
    const path: Node[] = [];
    for (let one: Node | null = node; one; one = one.parent) path.unshift(one);
    return path;
  }

  /** The path and how it goes on. */
  line(node: Node = this.current): Node[] {
    const line = this.path(node);
    for (let one = node.children[0]; one; one = one.children[0]) line.push(one);
    return line;
  }

  /** The first moves of all positions. */
  main(): Node[] { return this.line(this.root); }

  ply(node: Node = this.current): number { return this.path(node).length - 1; }

  place(node: Node = this.current): Place {
    const moves = this.path(node).slice(1).map((one) => one.move);
    return this.fen === undefined ? { game: this.game, moves } : { game: this.game, fen: this.fen, moves };
  }

  /** The position after a move, which is a new variation if it was not played before. */
  play(move: string, san: string, from: Node = this.current): Node {
    const known = from.children.find((child) => child.move === move);
    if (known) return known;
    const node = this.make(from, move, san);
    from.children.push(node);
    return node;
  }

  go(node: Node): void {
    if (node === this.current) return;
    this.visited.push(this.current);
    if (this.visited.length > 200) this.visited.shift();
    this.current = node;
  }

  /** Where the reader was before. */
  returned(): Node | null {
    const node = this.visited.pop();
    if (!node || !this.nodes.has(node.id)) return null;
    this.current = node;
    return node;
  }

  /** The move and all that follows it. */
  remove(node: Node): void {
    if (!node.parent) return;
    if (this.path().includes(node)) this.current = node.parent;
    node.parent.children.splice(node.parent.children.indexOf(node), 1);
    const forget = (one: Node) => { this.nodes.delete(one.id); one.children.forEach(forget); };
    forget(node);
  }

  /** The variation becomes the main line. */
  promote(node: Node): void {
    for (let one = node; one.parent; one = one.parent) {
      const { children } = one.parent;
      children.splice(children.indexOf(one), 1);
      children.unshift(one);
    }
  }

  /** All moves, with what is known about them. */
  read(): ReadGame {
    const game: ReadGame = { game: this.game, fen: this.fen, white: this.white, black: this.black, result: this.result,
                             comment: this.root.comment || undefined, ...said(this.main()) };
    const variations: Variation[] = [];
    /** Of the lines that leave this one, from its move at `first` on. */
    const add = (line: Node[], number: number, first: number) => {
      for (let ply = first; ply + 1 < line.length; ++ply)
        for (const other of line[ply].children.slice(1)) {
          const moves = [line[ply], ...this.line(other).slice(this.ply(other))];
          variations.push({ line: number, ply, ...said(moves, false) });
          add(moves, variations.length, 1);
        }
    };
    add(this.main(), 0, 0);
    return variations.length > 0 ? { ...game, variations } : game;
  }

  static from(read: ReadGame): GameTree {
    const tree = new GameTree(read.game, read.fen || undefined);
    tree.white = read.white;
    tree.black = read.black;
    tree.result = read.result || "*";
    tree.root.comment = read.comment ?? "";
    const lines: Node[][] = [];
    for (const one of [{ line: 0, ply: 0, ...read } as Variation, ...read.variations ?? []]) {
      const line = [lines[one.line]?.[one.ply] ?? tree.root];
      one.moves.forEach((move, i) => {
        const node = tree.play(move, one.san?.[i] ?? move, line[i]);
        line[i].value = one.values?.[i] ?? line[i].value;
        node.mark = one.marks?.[i] ?? node.mark;
        node.comment = one.comments?.[i] ?? node.comment;
        line.push(node);
      });
      lines.push(line);
    }
    return tree;
  }

  store(): StoredTree {
    const stored = (node: Node): Stored => ({
      m: node.move, s: node.san, t: node.comment || undefined, k: node.mark || undefined, v: node.value ?? undefined,
      n: node.visits || undefined, b: node.best ?? undefined, d: node.drawn.length > 0 ? node.drawn : undefined,
      c: node.children.length > 0 ? node.children.map(stored) : undefined });
    const path = this.path();
    return { game: this.game, fen: this.fen, white: this.white, black: this.black, result: this.result, root: stored(this.root),
             at: path.slice(1).map((node, i) => path[i].children.indexOf(node)) };
  }

  static restore(stored: StoredTree): GameTree {
    const tree = new GameTree(stored.game, stored.fen);
    tree.white = stored.white;
    tree.black = stored.black;
    tree.result = stored.result;
    const fill = (node: Node, from: Stored) => {
      node.comment = from.t ?? "";
      node.mark = from.k ?? "";
      node.value = from.v ?? null;
      node.visits = from.n ?? 0;
      node.best = from.b ?? null;
      node.drawn = from.d ?? [];
      for (const child of from.c ?? []) fill(tree.play(child.m, child.s, node), child);
    };
    fill(tree.root, stored.root);
    for (const i of stored.at) tree.current = tree.current.children[i] ?? tree.current;
    return tree;
  }

  /** Whether these moves have been played here: the node they lead to. */
  find(moves: string[]): Node | null {
    let node: Node | undefined = this.root;
    for (const move of moves) node = node?.children.find((child) => child.move === move);
    return node ?? null;
  }
}

/** The number of the move at a ply, from 1, and whether White makes it. */
export function numberOf(tree: GameTree, ply: number): { number: number; white: boolean } {
  const at = ply - 1 + (tree.first === "black" ? 1 : 0);
  return { number: tree.number + Math.floor(at / 2), white: at % 2 === 0 };
}

/** "12... Qd4", as in a list of moves. */
export function numbered(tree: GameTree, node: Node): string {
  const { number, white } = numberOf(tree, tree.ply(node));
  return `${number}${white ? "." : "..."} ${node.san}${node.mark}`;
}
