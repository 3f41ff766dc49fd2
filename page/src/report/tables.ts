// Figures, tables, bars and pairings.
import { type Child, el, svg, withCode } from "../common/dom";
import { count, percent } from "../common/format";
import type { BarsSection, Cell, Column, FactsSection, MatrixSection, NumberCell, TableSection } from "../common/data";

export function factsSection(section: FactsSection): HTMLElement {
  return el("dl", { class: "facts" }, ...section.items.map((item) =>
    el("div", {}, el("dt", {}, item.name), el("dd", {}, textOf(item.value), item.remark ? el("small", {}, item.remark) : null))));
}

function textOf(cell: Cell): string {
  return typeof cell === "number" ? count(cell) : typeof cell === "string" ? cell : cell.text;
}

type Ends = [number, number];

/** The ends of a column's axis: its own, or as far apart as the cells' values and intervals need. */
function axisOf(column: Column, cells: Cell[]): Ends {
  if (column.axis) return column.axis;
  const numbers = cells.flatMap((cell) => typeof cell === "object" ? [cell.value, cell.low, cell.high] : [])
    .concat(column.reference).filter((value): value is number => typeof value === "number");
  return [Math.min(...numbers), Math.max(...numbers)];
}

/** An estimate as a dot on an axis with its interval as a line. */
function whisker(cell: NumberCell, column: Column, [low, high]: Ends): HTMLElement {
  const span = high > low ? high - low : 1;
  const at = (value: number | null | undefined, otherwise: number): number =>
    100 * Math.max(0, Math.min(1, typeof value !== "number" ? otherwise : (value - low) / span));
  const picture = svg("svg", { class: "whisker", viewBox: "-4 0 108 16", preserveAspectRatio: "none", "aria-hidden": "true" },
    svg("line", { class: "axis", x1: 0, x2: 100, y1: 8, y2: 8 }));
  if (column.reference !== undefined) {
    const x = at(column.reference, 0);
    picture.append(svg("line", { class: "reference", x1: x, x2: x, y1: 0, y2: 16 }));
  }
  picture.append(svg("line", { class: "interval", x1: at(cell.low, 0), x2: at(cell.high, 1), y1: 8, y2: 8 }));
  if (cell.value !== null) {
    const x = at(cell.value, 0);
    picture.append(svg("line", { class: "estimate", x1: x, x2: x, y1: 8, y2: 8 }));
  }
  return el("div", { class: "with-whisker" }, picture, el("span", {}, cell.text));
}

/** Code that is broken only after what separates its parts. */
function code(text: string): HTMLElement {
  const parts = (text.match(/[^:,+/?&]*[:,+/?&]+|[^:,+/?&]+$/g) ?? []).map((part) => el("span", {}, part));
  return el("code", {}, ...parts.flatMap((part, i) => i > 0 ? [el("wbr"), part] : [part]));
}

function cellContent(cell: Cell, column: Column, axis: Ends): Child[] {
  if (typeof cell === "object" && column.kind === "interval") return [whisker(cell, column, axis)];
  return column.kind === "code" ? [code(textOf(cell))] : withCode(textOf(cell));
}

/** Wide tables scroll by themselves, and can be scrolled by keyboard. */
function scroller(table: HTMLElement, label: string): HTMLElement {
  return el("div", { class: "scroller", tabindex: 0, role: "region", "aria-label": label }, table);
}

export function tableSection(section: TableSection, title: string): HTMLElement {
  if (section.rows.length === 0) return el("p", { class: "faint" }, "None.");
  const number = (kind: Column["kind"]): number => section.columns.filter((column) => column.kind === kind).length;
  const last = section.columns.length - 1;
  // Codes with a text that explains them: where there is little room, the text is below them.
  const explained = last > 0 && section.columns.every(({ kind }, i) => kind === (i < last ? "code" : "text"));
  const classes = [number("text") > 1 ? "short-texts" : "",
                   number("interval") > 1 ? "short-whiskers" : "", explained ? "explained" : ""].join(" ").trim();
  const axes = section.columns.map((column, i) => axisOf(column, section.rows.map((row) => row[i])));
  return scroller(el("table", { class: classes || undefined },
    el("thead", {}, el("tr", {}, ...section.columns.map((column) => el("th", { scope: "col", class: column.kind }, column.title)))),
    el("tbody", {}, ...section.rows.map((row) => el("tr", {}, ...row.map((cell, i) =>
      el("td", { class: section.columns[i].kind, "data-title": explained ? section.columns[i].title : undefined },
        ...cellContent(cell, section.columns[i], axes[i]))))))), title);
}

export function barsSection(section: BarsSection): HTMLElement {
  const blocks: HTMLElement[] = [];
  for (const part of [...new Set(section.bars.map((bar) => bar.part))])
    blocks.push(el("div", { class: "bars" }, ...section.bars.filter((bar) => bar.part === part).map((bar) =>
      el("div", { class: "bar-row" }, el("span", { class: "bar-name" }, bar.name),
        el("div", { class: "bar-lines" }, ...section.groups.map((group, i) => {
          const share = group.total > 0 ? bar.counts[i] / group.total : 0;
          return el("div", { class: `bar-line group-${i}`, title: `${group.name}: ${count(bar.counts[i])} of ${count(group.total)}` },
            el("span", { class: "bar-track" }, el("span", { class: "bar", style: `width:${(100 * share).toFixed(2)}%` })),
            el("span", { class: "bar-value" }, percent(share), el("small", {}, ` ${count(bar.counts[i])}`)));
        }))))));
  const key = section.groups.length > 1
    ? el("div", { class: "key" }, ...section.groups.map((group, i) => el("span", { class: `group-${i}` }, group.name))) : null;
  return el("div", {}, key, el("div", { class: "bar-blocks" }, ...blocks));
}

export function matrixSection(section: MatrixSection, title: string): HTMLElement {
  const short = (i: number) => String(i + 1);
  return scroller(el("table", { class: "matrix" },
    el("thead", {}, el("tr", {}, el("td"), ...section.names.map((name, i) => el("th", { scope: "col", title: name }, short(i))))),
    el("tbody", {}, ...section.names.map((name, i) => el("tr", {},
      el("th", { scope: "row" }, el("span", { class: "rank" }, short(i)), " ", el("code", {}, name)),
      ...section.cells[i].map((cell) => cell === null ? el("td", { class: "none" }) :
        cell.share === null ? el("td", { class: "none" }, "–", el("small", {}, textOf(cell.note))) :
        el("td", { class: cell.share >= 0.5 ? "better" : "worse", title: cell.title,
                   style: `--strength:${Math.round(100 * Math.abs(cell.share - 0.5))}%` },
          percent(cell.share, 0), el("small", {}, textOf(cell.note)))))))), title);
}
