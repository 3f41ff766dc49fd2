// A move that is queued while the opponent thinks, and made on the board as it is when the turn comes.
import { el } from "../common/dom";
import type { PlayBoard } from "./input";
import type { Reply } from "./state";

/** To be made when the turn comes, if it is legal then. `piece`: as in LegalMove; `from` is -1 for a drop. */
export interface Premove { from: number; to: number; piece: string; choice: string }

export class Premoves {
  readonly element = el("div", { class: "promotions", role: "group", hidden: true });
  queued: Premove | null = null;
  /** Was not legal. */
  dropped: { from: number; to: number } | null = null;
  /** Of promotions that were legal in this game, by the letter of the piece. */
  private readonly choices = new Map<string, Set<string>>();

  constructor(private readonly board: PlayBoard) {}

  learn({ legal }: Reply): void {
    for (const move of legal)
      if (this.board.telling.shapes.has(move.choice)) this.choices.set(move.piece, (this.choices.get(move.piece) ?? new Set()).add(move.choice));
  }

  queue(premove: Premove | null): void {
    const { telling } = this.board;
    this.queued = premove;
    const choices = premove ? this.promotions(premove.piece) : [];
    this.element.hidden = choices.length === 0;
    if (premove) {
      const from = premove.from < 0 ? `${telling.pieceName(premove.piece)} in hand` : telling.squareName(premove.from);
      telling.remark(`Queued: ${from} to ${telling.squareName(premove.to)}, on the board as it is after the reply.`);
      this.element.replaceChildren(el("span", { class: "faint" }, "If it promotes:"),
        ...choices.map((choice, i) => el("button", { type: "button", class: "text",
          "aria-pressed": String(premove.choice === choice || (premove.choice === "" && i === 0)),
          click: () => this.queue({ ...premove, choice }) }, choice)));
    }
    this.board.drawTargets();
  }

  /** The turn has come: the queued move is shown on the board as it is now, and made if it is legal. */
  turn(): void {
    const { queued, board } = this;
    const { state, telling, previews } = board;
    if (!queued || !state.canMove) return;
    const moves = state.movesTo(queued, queued.to);
    const wanted = queued.choice || this.promotions(queued.piece)[0];
    const chosen = moves.find((move) => move.choice === wanted) ?? moves[0];
    this.queued = null;
    this.element.hidden = true;
    if (!chosen) {
      this.dropped = { from: queued.from, to: queued.to };
      board.drawTargets();
      const text = `The queued move to ${telling.squareName(queued.to)} is not legal now: dropped.`;
      telling.remark(text);
      telling.say(text);
      return;
    }
    const { token } = state;
    board.preview(chosen);
    setTimeout(() => {
      if (token !== state.token) return;
      previews.pinned = null;
      if (moves.length > 1 && !moves.some((move) => move.choice === wanted)) {
        state.picked = { from: queued.from, piece: queued.piece };
        board.chooseOf(moves, board.middle(queued.to));
      } else board.play(chosen);
    }, Math.max(350, board.options.beat.value));
  }

  /** What a piece may become, the queen first, as far as it is known; of a pawn, what there is on most boards. */
  private promotions(piece: string): string[] {
    const known = [...this.choices.get(piece) ?? []];
    if (known.length > 0) return known.sort((a, b) => Number(b === "queen") - Number(a === "queen"));
    if (this.board.telling.pieceName(piece) !== "pawn") return [];
    return ["queen", "rook", "bishop", "knight"].filter((name) => this.board.telling.shapes.has(name));
  }
}
