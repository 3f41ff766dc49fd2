// The rules of a game: text, a diagram of every piece, and small boards that show what is special.
import { capitalised, el, withCode } from "../common/dom";
import { GameChooser } from "./chooser";
import { Gallery } from "./gallery";
import { placeLink, Problem, viewHeading } from "./parts";
import { diagramKey, pieceCard } from "./pieces";
import { tableFields, type Store, type View } from "./store";
import type { Desk } from "./desk";

/** A text of lines: headings (#), items of lists (-), paragraphs. */
export function prose(text: string): HTMLElement[] {
  const elements: HTMLElement[] = [];
  let list: HTMLElement | null = null;
  for (const line of text.split("\n").filter((one) => one.trim() !== "")) {
    const [, sign, words] = /^\s*(#+|[-*])?\s*(.*)$/.exec(line)!;
    if (sign === "-" || sign === "*") {
      if (!list) elements.push(list = el("ul", {}));
      list.append(el("li", {}, ...withCode(words)));
      continue;
    }
    list = null;
    elements.push(sign ? el("h3", {}, words) : el("p", {}, ...withCode(words)));
  }
  return elements;
}

export function rulesView(desk: Desk, store: Store): View {
  const game = store.fields.value.rules || store.setting("rules.game", "escher").value;
  store.setting("rules.game", "escher").value = game;
  const problem = new Problem();
  const body = el("div", {}, el("p", { class: "faint" }, "\u2026"));
  const gallery = new Gallery(desk, store, "There is no example.");
  const chooser = new GameChooser(desk, store, game, (name) => store.go({ rules: name }));
  const heading = el("h1", {}, "Rules");
  const links = el("div", { class: "tools" }, placeLink(store, tableFields(game), "Play it"), placeLink(store, { setup: game }, "Set up a position"));
  let left = false;
  void desk.ask("rules", { game }).then((rules) => {
    if (left) return;
    const pictures = { boards: rules.boards, shapes: rules.shapes };
    heading.textContent = capitalised(rules.title);
    body.replaceChildren(
      el("div", { class: "rules-text" }, ...prose(rules.text)),
      rules.examples.length > 0 ? el("section", {}, el("div", { class: "section-heading" }, el("h2", {}, "What is special"),
        el("div", { class: "tools" }, gallery.pauseButton)), gallery.element) : el("div"),
      el("section", {}, el("div", { class: "section-heading" }, el("h2", {}, "Pieces"), diagramKey()),
        el("ul", { class: "piece-cards" }, ...rules.pieces.map((piece) => pieceCard(piece, pictures)))));
    gallery.show(rules.examples, pictures);
  }, (error) => { body.replaceChildren(); problem.show(error); });
  const element = el("div", { class: "view rules" }, viewHeading("", chooser.element), links, problem.element, body);
  element.querySelector("h1")!.replaceWith(heading);
  return { element, leave() { left = true; gallery.leave(); } };
}
