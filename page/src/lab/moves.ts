// The moves of a game with its variations.
import { html, nothing, render, type TemplateResult } from "lit-html";
import { numberOf, type GameTree, type Node } from "./tree";

export const kMarkWords: Record<string, string> =
  { "?!": "inaccuracy", "?": "mistake", "??": "blunder", "!": "good move", "!!": "brilliant move", "!?": "interesting move" };

/** What was written, without commands such as "[%clk 0:01]". */
export const plain = (comment: string): string => comment.replace(/\[%[^\]]*\]/g, "").trim();

export class MoveList {
  readonly element = document.createElement("div");

  constructor(private readonly go: (node: Node) => void) {
    this.element.className = "tree";
    this.element.setAttribute("role", "group");
    this.element.setAttribute("aria-label", "Moves");
  }

  show(tree: GameTree): void {
    const number = (ply: number): string => `${numberOf(tree, ply).number}`;
    const isWhites = (ply: number): boolean => numberOf(tree, ply).white;

    const move = (node: Node): TemplateResult => html`<button type="button" class="move ${kMarkWords[node.mark] ?? ""}"
      data-node=${node.id} aria-current=${node === tree.current ? "true" : nothing}
      title=${[kMarkWords[node.mark], plain(node.comment)].filter(Boolean).join(": ") || nothing}
      @click=${() => this.go(node)}>${node.san}${node.mark ? html`<span class="mark">${node.mark}</span>` : nothing}</button>`;

    /** Variations: moves one after the other, with theirs in brackets. */
    const variation = (node: Node, ply: number): TemplateResult => {
      const parts: unknown[] = [];
      for (let one: Node | undefined = node, at = ply; one; one = one.children[0], ++at) {
        if (isWhites(at) || one === node) parts.push(html`<span class="number">${number(at)}${isWhites(at) ? "." : "\u2026"}</span>`);
        parts.push(move(one));
        if (plain(one.comment)) parts.push(html`<span class="said">${plain(one.comment)}</span>`);
        const others = one.children.slice(1);
        const next: number = at + 1;
        for (const other of others) parts.push(html`<span class="bracket">( ${variation(other, next)} )</span>`);
      }
      return html`${parts}`;
    };

    const rows: unknown[] = [];
    if (plain(tree.root.comment)) rows.push(html`<div class="aside"><span class="said">${plain(tree.root.comment)}</span></div>`);
    let row: unknown[] = [];
    let open = false;
    const close = () => {
      if (open && row.length === 2) row.push(html`<span></span>`);
      if (open) rows.push(...row);
      row = [];
      open = false;
    };
    for (let node = tree.root.children[0], ply = 1; node; node = node.children[0], ++ply) {
      if (!open) {
        row = [html`<span class="number">${number(ply)}.</span>`];
        if (!isWhites(ply)) row.push(html`<span class="move gone">\u2026</span>`);
        open = true;
      }
      row.push(move(node));
      if (row.length === 3) close();
      const others = node.parent!.children.slice(1);
      const said = plain(node.comment);
      if (others.length > 0 || said) {
        close();
        const at = ply;
        rows.push(html`<div class="aside">${said ? html`<span class="said">${said}</span>` : nothing}
          ${others.map((other) => html`<div class="variation">${variation(other, at)}</div>`)}</div>`);
      }
    }
    close();
    render(html`${rows.length > 0 ? rows : html`<p class="faint empty">No moves yet. Move a piece on the board.</p>`}`, this.element);
    this.scroll();
  }

  /** Within the list only: the page stays where it is. */
  private scroll(): void {
    const move = this.element.querySelector("[aria-current]");
    if (!move) { this.element.scrollTop = 0; return; }
    const list = this.element.getBoundingClientRect(), box = move.getBoundingClientRect();
    if (box.top < list.top + 24 || box.bottom > list.bottom - 24)
      this.element.scrollTop += box.top - list.top - list.height / 2;
  }
}
