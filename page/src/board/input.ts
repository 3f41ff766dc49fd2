// A board to play on: by mouse, touch and keyboard.
import { el } from "../common/dom";
import { BoardView } from "./boardview";
import { Boards, type Position } from "./position";
import type { LegalMove, PositionReply, Requests } from "../lab/desk";

/** Settings that outlive the page; the lab's Store is one. */
export interface Settings {
  setting<Value>(name: string, initial: Value): { value: Value; watch(seen: (value: Value) => void): () => void };
}

/** An arrow between two squares, or a circle where both are the same: numbers of squares. */
export type UserMark = [number, number];

/** A move to be made when the turn comes, if it is legal then. `piece`: as in LegalMove; `from` is -1 for a drop. */
export interface Premove { from: number; to: number; piece: string; choice: string }

/** Who uses the board. */
export interface BoardUser {
  settings: Settings;
  /** All positions are read with the same ones. */
  boards: Boards;
  /** A legal move was chosen. The board shows it when it is shown the position after it. */
  move(text: string): void;
  /** A move was queued, or is no longer. */
  premove(queued: Premove | null): void;
  /** Of the position that is shown. */
  previews(from: number): Promise<Requests["previews"][1]>;
  squares(): Promise<Requests["squares"][1]>;
  /** Arrows and circles were changed by the user. */
  drawn?(marks: UserMark[]): void;
}

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

export type Reply = Pick<PositionReply, "legal" | "turn" | "hands" | "ending">;

export class PlayBoard {
  /** Board, hands, notes and the field for moves. */
  readonly element = el("div", { class: "play-board" });
  /** Buttons for a toolbar: turn, nest, replay, before and after, speed. */
  readonly buttons: HTMLElement[] = [];
  /** The pictures of positions; drawing.element is the SVG. */
  readonly view = new BoardView();

  constructor(readonly user: BoardUser) {}

  /** All positions that will be shown: the board is drawn as large as fits all of them. */
  load(positions: Position[]): void { this.view.load(positions); }

  /** `reply` is null while nothing is known of the position but its picture: nothing can be moved. */
  show(_position: Position, _reply: Reply | null, _options: ShowOptions): void {}

  /** Seen from Black's side or White's. */
  flip(_flipped?: boolean): void {}
  /** Arrows of an analysis, in the order of their worth; `width` from 0 to 1. Over them, the user's own. */
  arrows(_arrows: { move: LegalMove; text: string; width: number }[]): void {}
  /** Shades squares: a share from 0 to 1 by their number. */
  heat(_shares: Map<number, number>): void {}
  /** Shows a move without playing it, as when it is hovered; null: no longer. */
  preview(_move: LegalMove | null): void {}
  /** The last move once more. */
  replay(): void {}
  /** The next beat, if beats wait for a key. */
  step(): void { void this.user; }
  /** Nothing is picked up, no chooser is open, no move queued. */
  cancel(): void {}
  /** The keyboard is at the board. */
  focus(): void {}
}
