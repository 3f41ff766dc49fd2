// Boards and the positions on them, read from a report's data or a reply.
import type { BoardData, FrameData, ShapeData } from "../common/data";

export interface Point { x: number; y: number }
export interface Square { number: number; name: string; level: number; light: boolean; polygon: Point[]; centre: Point }
export interface Area { kind: string; level: number; light: boolean; polygon: Point[] }
export interface Inset { square: number; level: number; light: boolean; low: Point }
export interface Mark { kind: string; level: number; points: Point[] }
export interface Label { kind: string; level: number; text: string; at: Point; turns: boolean }
/** Of pieces: capital letters are White's. */
export const isWhite = (letter: string): boolean => letter === letter.toUpperCase();
export const inColour = (letter: string, white: boolean): string => (white ? letter.toUpperCase() : letter.toLowerCase());

export interface Box { low: Point; high: Point }
export interface Board {
  levels: Box[];
  squares: Square[];
  byNumber: Map<number, Square>;
  areas: Area[];
  insets: Inset[];
  marks: Mark[];
  labels: Label[];
}

/** A position as it is drawn. `pieces`: by square number; upper-case letters are White's. */
export interface Position {
  board: Board;
  pieces: Map<number, string>;
  shapes: Record<string, ShapeData>;  // by upper-case letter
  move?: [number, number];
  left: number[];
  reached: number[];
  moved: number[];
  arrows: { from: Point; to: Point }[];
  checks: number[];
  letters: string;
  boardNumber: number;
}

function points(flat: number[]): Point[] {
  const result: Point[] = [];
  for (let i = 0; i + 1 < flat.length; i += 2) result.push({ x: flat[i], y: flat[i + 1] });
  return result;
}

/** Two numbers are the lower left corner of the unit square. */
function polygon(flat: number[]): Point[] {
  if (flat.length !== 2) return points(flat);
  const [x, y] = flat;
  return [{ x, y }, { x: x + 1, y }, { x: x + 1, y: y + 1 }, { x, y: y + 1 }];
}

export function middle(corners: Point[]): Point {
  const sum = corners.reduce((a, p) => ({ x: a.x + p.x, y: a.y + p.y }), { x: 0, y: 0 });
  return { x: sum.x / corners.length, y: sum.y / corners.length };
}

function readBoard(data: BoardData): Board {
  const squares = data.squares.map(([number, name, level, light, flat, centre]) => {
    const corners = polygon(flat);
    return { number, name, level, light: light === 1, polygon: corners,
             centre: centre ? points(centre)[0] : middle(corners) };
  });
  return {
    levels: data.levels.map(([x, y, u, v]) => ({ low: { x, y }, high: { x: u, y: v } })),
    squares,
    byNumber: new Map(squares.map((square) => [square.number, square])),
    areas: (data.areas ?? []).map(([kind, level, light, flat]) =>
      ({ kind, level, light: light === 1, polygon: polygon(flat) })),
    insets: (data.insets ?? []).map(([square, level, light, flat]) =>
      ({ square, level, light: light === 1, low: points(flat)[0] })),
    marks: (data.marks ?? []).map(([kind, level, flat]) => ({ kind, level, points: points(flat) })),
    labels: (data.labels ?? []).map(([kind, level, text, x, y, turns]) =>
      ({ kind, level, text, at: { x, y }, turns: turns === 1 })),
  };
}

/** Boards by what they are: the same one is one object in all replies, so that it is seen whether it moved. */
export class Boards {
  private readonly known = new Map<string, Board>();
  read(data: BoardData): Board {
    const key = JSON.stringify(data);
    const board = this.known.get(key) ?? readBoard(data);
    this.known.set(key, board);
    return board;
  }
}

/** Reads frames; a board is read once. */
export class PositionReader {
  private readonly boards: Board[] = [];
  constructor(private readonly data: { boards: BoardData[]; shapes: Record<string, ShapeData> },
              private readonly known = new Boards()) {}

  board(number: number): Board {
    return (this.boards[number] ??= this.known.read(this.data.boards[number]));
  }

  /** The position after `before`, or a first one. */
  read(frame: FrameData, before: Position | null): Position {
    const boardNumber = frame.b ?? before?.boardNumber ?? 0;
    const board = frame.b === undefined && before ? before.board : this.board(boardNumber);
    let letters = frame.p ?? before?.letters ?? "";
    if (frame.d) {
      const changed = [...letters];
      for (const [, place, letter] of frame.d.matchAll(/(\d+)(\D)/g)) changed[Number(place)] = letter;
      letters = changed.join("");
    }
    const pieces = new Map<number, string>();
    board.squares.forEach((square, i) => {
      if (letters[i] && letters[i] !== ".") pieces.set(square.number, letters[i]);
    });
    const [left, reached] = frame.h ?? (frame.m ? [[frame.m[0]], [frame.m[1]]] : [[], []]);
    return {
      board, boardNumber, pieces, shapes: this.data.shapes, letters, left, reached, move: frame.m, moved: frame.s ?? [],
      arrows: (frame.a ?? []).map(([x, y, u, v]) => ({ from: { x, y }, to: { x: u, y: v } })),
      checks: frame.c ?? [],
    };
  }

  readAll(frames: FrameData[]): Position[] {
    const positions: Position[] = [];
    for (const frame of frames) positions.push(this.read(frame, positions[positions.length - 1] ?? null));
    return positions;
  }
}
