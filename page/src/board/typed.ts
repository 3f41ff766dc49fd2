// Moves as typed: in their notation or as texts.
import { el } from "../common/dom";
import type { LegalMove } from "../lab/desk";

const plain = (text: string): string => text.replace(/[+#=!?x:\s-]/g, "").replace(/\(.*?\)/g, "").toLowerCase();

/** Edits that turn one text into the other. */
function difference(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; ++i) {
    const next = [i];
    for (let j = 1; j <= b.length; ++j)
      next.push(Math.min(row[j] + 1, next[j - 1] + 1, row[j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1)));
    row = next;
  }
  return row[b.length];
}

/** The move that a text names, or what is wrong with it. */
function typedMove(text: string, legal: LegalMove[]): LegalMove | string {
  const typed = text.trim();
  if (typed === "") return "Type a move, such as " + (legal[0]?.san ?? "e4") + ".";
  const exact = legal.find((move) => move.text === typed) ?? legal.find((move) => move.san === typed);
  if (exact) return exact;
  const cased = legal.filter((move) => [move.san, move.text].some((one) => one.replace(/[+#]/g, "") === typed.replace(/[+#]/g, "")));
  const close = cased.length > 0 ? cased
    : legal.filter((move) => plain(move.san) === plain(typed) || plain(move.text) === plain(typed));
  if (close.length === 1) return close[0];
  if (close.length > 1) return `"${typed}" could be ${close.slice(0, 4).map((move) => move.san).join(" or ")}.`;
  if (legal.length === 0) return "There is no legal move.";
  const near = [...legal].map((move) => [Math.min(difference(move.san, typed), difference(move.text, typed)), move.san] as const)
    .sort((a, b) => a[0] - b[0]).slice(0, 3).map(([, san]) => san);
  return `"${typed}" is not a legal move here. Near it: ${near.join(", ")}.`;
}

export class MoveField {
  private readonly wrong = el("p", { class: "entry-error", role: "alert" });
  private readonly field = el("input", { type: "text", class: "entry", "aria-label": "Move", placeholder: "Move, such as e4",
    autocomplete: "off", autocapitalize: "off", spellcheck: "false", name: "move", input: () => this.wrong.replaceChildren() });
  readonly element = el("form", { class: "board-entry", submit: (event: Event) => this.typed(event) },
    this.field, el("button", { class: "text" }, "Play"), this.wrong);

  constructor(private readonly legal: () => LegalMove[], private readonly play: (move: LegalMove) => void) {}

  private typed(event: Event): void {
    event.preventDefault();
    const found = typedMove(this.field.value, this.legal());
    this.wrong.textContent = typeof found === "string" ? found : "";
    if (typeof found === "string") return;
    this.field.value = "";
    this.play(found);
  }
}
