// Links to a page's sections.
import { el } from "../common/dom";

/** What a section shows and of what, of a title such as "Piece values: shifting". */
function parts(title: string): [string, string] | null {
  const at = title.indexOf(": ");
  return at < 0 ? null : [title.slice(0, at), title.slice(at + 2)];
}

/** A list of links. Sections of the same thing, such as a variant, share a line: its name, then what they show. */
export function navigation(titles: string[], identity: (number: number) => string): HTMLElement {
  const times = new Map<string, number>();
  for (const title of titles) {
    const thing = parts(title)?.[1];
    if (thing !== undefined) times.set(thing, (times.get(thing) ?? 0) + 1);
  }
  const nav = el("nav", { "aria-label": "Sections" });
  const lines = new Map<string, HTMLElement>();
  titles.forEach((title, i) => {
    const [what, thing] = times.has(title) ? ["Scores", title] : parts(title) ?? [title, ""];
    if ((times.get(thing) ?? 0) < 2) {
      nav.append(el("a", { href: `#${identity(i)}` }, title));
      return;
    }
    let line = lines.get(thing);
    if (line === undefined) {
      line = el("div", {}, el("span", {}, thing));
      lines.set(thing, line);
      nav.append(line);
    }
    line.append(el("a", { href: `#${identity(i)}` }, what));
  });
  return nav;
}
