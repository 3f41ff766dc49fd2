// The position that is shown, what may be moved in it, and what is picked up.
import type { UserMark } from "./marks";
import { isWhite, type Position } from "./position";
import type { LegalMove, PositionReply } from "../lab/desk";

export interface ShowOptions {
  /** Whose pieces may be moved here. */
  side: "white" | "black" | "both" | "none";
  /** In words, for who cannot see the board, and what is said of the move: "4. Bc4: staircase f advances." */
  description: string;
  /** With the movement from the position that is shown. */
  animated: boolean;
  /** Whether a move may be queued while it is not the turn of `side`. */
  premoves?: boolean;
  /** The position before the last move, for its replay. */
  before?: Position;
  marks?: UserMark[];
}

export type Reply = Pick<PositionReply, "legal" | "turn" | "hands" | "ending" | "shapes">;

/** What is picked up: a piece on a square, or, from -1, one in hand. */
export interface Source { from: number; piece: string }

export const same = (a: Source | null, b: Source | null): boolean =>
  a !== null && b !== null && a.from === b.from && (a.from >= 0 || a.piece === b.piece);

export class BoardState {
  position: Position | null = null;
  /** Null while nothing is known of the position but its picture. */
  reply: Reply | null = null;
  shown: ShowOptions = { side: "none", description: "", animated: false };
  /** Another one for each position that is shown: answers about earlier ones are dropped. */
  token = {};
  picked: Source | null = null;

  get canMove(): boolean {
    const { reply, shown } = this;
    return reply !== null && !reply.ending && (shown.side === "both" || shown.side === reply.turn);
  }
  /** Whether a move can be queued now. */
  get waits(): boolean {
    const { reply, shown } = this;
    return shown.premoves === true && (shown.side === "white" || shown.side === "black") &&
      (reply === null || (!reply.ending && reply.turn !== shown.side));
  }
  get white(): boolean {
    return this.shown.side === "both" ? this.reply?.turn !== "black" : this.shown.side === "white";
  }

  legalFrom(source: Source): LegalMove[] {
    if (!this.canMove || !this.reply) return [];
    return this.reply.legal.filter((move) => move.to >= 0 && move.from === source.from &&
      (source.from >= 0 || move.piece.toUpperCase() === source.piece.toUpperCase()));
  }
  movesTo(source: Source, square: number): LegalMove[] {
    return this.legalFrom(source).filter((move) => move.to === square);
  }
  get movesOfBoard(): LegalMove[] {
    return this.canMove && this.reply ? this.reply.legal.filter((move) => move.from < 0 && move.to < 0) : [];
  }

  pickable(source: Source): boolean {
    if (!this.canMove && !this.waits) return false;
    if (source.from < 0) return true;
    const letter = this.position?.pieces.get(source.from);
    return letter !== undefined && (isWhite(letter) === this.white || this.legalFrom(source).length > 0);
  }
  sourceAt(square: number | null): Source | null {
    const letter = square === null ? undefined : this.position?.pieces.get(square);
    const source = letter === undefined ? null : { from: square!, piece: letter.toUpperCase() };
    return source && this.pickable(source) ? source : null;
  }
  isTarget(square: number | null): boolean {
    if (square === null || !this.picked || square === this.picked.from) return false;
    return this.canMove ? this.movesTo(this.picked, square).length > 0 : this.waits;
  }
  /** Whether something can be done at a square with a finger: elsewhere on tall boards it scrolls. */
  handled(square: number): boolean {
    return this.isTarget(square) || this.sourceAt(square) !== null;
  }
}
