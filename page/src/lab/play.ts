// The panel to play: against whom, how strong, with which side and clock.
import { el } from "../common/dom";
import type { Settings } from "../board/input";
import type { Desk, LegalMove, Place, PositionReply } from "./desk";

/** What the panel needs of the table where the game is: the tree of moves and the board. */
export interface PlayTable {
  desk: Desk;
  settings: Settings;
  /** The position that is shown, by its moves; and what is known of it, null until it is. */
  place(): Place;
  reply(): PositionReply | null;
  /** Whether it is a position from which no move was played yet. */
  atEnd(): boolean;
  /** Plays a move from `place`, if that is still the position shown: otherwise nothing happens. */
  play(place: Place, text: string): void;
  /** Goes back this many plies, and takes them out of the game. */
  takeBack(plies: number): void;
  /** A new game from the start, or from the position shown. */
  newGame(fromHere: boolean): void;
  /** The game ended without the rules: resigned, or out of time. */
  finish(result: string, why: string): void;
  flip(flipped: boolean): void;
  /** Shows a move without playing it; null: no longer. */
  hint(move: LegalMove | null): void;
  replay(): void;
  /** Whose pieces may be moved has changed: the board is shown anew. */
  sideChanged(): void;
}

export class PlayPanel {
  readonly element = el("section", { class: "play-panel" });
  /** Buttons for the toolbar below the board: take back, hint, resign. */
  readonly buttons: HTMLElement[] = [];
  constructor(readonly table: PlayTable) {}

  /** Another position is shown, or a reply has come: the table calls it after each change. */
  changed(): void {}
  /** Whose pieces may be moved on the board now, and whether moves may be queued. */
  side(): "white" | "black" | "both" | "none" { return "both"; }
  premoves(): boolean { return false; }
  /** Stops what thinks. */
  leave(): void {}
}
