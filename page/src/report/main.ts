// A report's page: draws the data that is in it.
import { barsSection, factsSection, matrixSection, tableSection } from "./tables";
import { curvesSection, histogramSection, redrawCharts } from "../charts/charts";
import { el, withCode } from "../common/dom";
import { navigation } from "./navigation";
import { gamesSection } from "./games";
import { openingsSection } from "./openings";
import { PositionReader } from "../board/position";
import { shapeDefinitions } from "../board/drawing";
import type { ReportData, Section } from "../common/data";

const data: ReportData = JSON.parse(document.getElementById("data")!.textContent ?? "");
const reader = new PositionReader(data);

function content(section: Section): HTMLElement {
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

function draw(): void {
  const report = document.getElementById("report")!;
  document.body.prepend(shapeDefinitions(data.shapes));
  report.append(el("header", {}, el("h1", {}, data.title),
    el("p", { class: "subtitle" }, data.subtitle.charAt(0).toUpperCase() + data.subtitle.slice(1))));
  const identity = (number: number) => `section-${number + 1}`;
  report.append(navigation(data.sections.map((section) => section.title), identity));
  if (data.notices.length > 0)
    report.append(el("div", { class: "notice" }, ...data.notices.map((notice) => el("p", {}, ...withCode(notice)))));
  data.sections.forEach((section, i) => report.append(
    el("section", { id: identity(i), "data-type": section.type }, el("h2", {}, section.title),
      section.note ? el("p", { class: "remark" }, ...withCode(section.note)) : null, content(section))));
  report.append(el("footer", {}, `Made by ${data.program}, ${data.made}.`));
}

draw();
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", redrawCharts);
// Paper is white, whatever the screen is.
const printing = (on: boolean) => () => {
  document.documentElement.classList.toggle("printing", on);
  redrawCharts();
};
addEventListener("beforeprint", printing(true));
addEventListener("afterprint", printing(false));
