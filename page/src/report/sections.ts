// Draws what a report consists of.
import { barsSection, factsSection, matrixSection, tableSection } from "./tables";
import { curvesSection, histogramSection } from "../charts/charts";
import { el, withCode } from "../common/dom";
import { navigation } from "./navigation";
import { gamesSection } from "./games";
import { openingsSection } from "./openings";
import { PositionReader } from "../board/position";
import type { ReportData, Section } from "../common/data";

function content(section: Section, reader: PositionReader): HTMLElement {
  switch (section.type) {
    case "facts": return factsSection(section);
    case "table": return tableSection(section, section.title);
    case "curves": return curvesSection(section);
    case "histogram": return histogramSection(section);
    case "bars": return barsSection(section);
    case "matrix": return matrixSection(section, section.title);
    case "games": return gamesSection(section, reader);
    case "openings": return openingsSection(section, reader);
  }
}

/** Everything that a report shows, from its title to who made it; links lead to the elements `section-N`. */
export function reportElements(data: ReportData): HTMLElement[] {
  const reader = new PositionReader(data);
  const identity = (number: number) => `section-${number + 1}`;
  const elements: HTMLElement[] = [el("header", {}, el("h1", {}, data.title),
    el("p", { class: "subtitle" }, data.subtitle.charAt(0).toUpperCase() + data.subtitle.slice(1))),
    navigation(data.sections.map((section) => section.title), identity)];
  if (data.notices.length > 0)
    elements.push(el("div", { class: "notice" }, ...data.notices.map((notice) => el("p", {}, ...withCode(notice)))));
  data.sections.forEach((section, i) => elements.push(
    el("section", { id: identity(i), "data-type": section.type }, el("h2", {}, section.title),
      section.note ? el("p", { class: "remark" }, ...withCode(section.note)) : null, content(section, reader))));
  elements.push(el("footer", {}, `Made by ${data.program}, ${data.made}.`));
  return elements;
}
