// Curves and histograms, by uPlot.
import uPlot from "uplot";
import { el } from "../common/dom";
import { clock, inUnit, percent, short } from "../common/format";
import type { Axis, Chart, CurvesSection, HistogramSection, Series, Values } from "../common/data";

/** A colour of the style sheet, which differs in the dark and in print. */
const colour = (name: string): string => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();

/** A colour of the style sheet as that of a transparent area. */
const faint = (name: string): string => colour(name) + "2e";

const kHeight = 210;
const kFont = "12px system-ui, sans-serif";
const plots: uPlot[] = [];

/** Draws everything again: the colours have changed. */
export function redrawCharts(): void {
  for (const plot of plots) plot.redraw(false);
}

const kStyles: Record<string, string> =
  { reference: "curve-reference", white: "curve-white", draw: "curve-draw", black: "curve-black" };

function strokeOf(series: Series, number: number): string {
  return kStyles[series.style ?? ""] ?? `curve-${number % 4}`;
}

function axes(xText: (value: number) => string, yText: (value: number) => string): uPlot.Axis[] {
  const common = { stroke: () => colour("faint"), font: kFont, ticks: { show: false } };
  return [
    { ...common, grid: { show: false }, space: 70, size: 30, values: (_, splits) => splits.map(xText) },
    { ...common, grid: { stroke: () => colour("rule"), width: 1 }, space: 36, size: 58,
      values: (_, splits) => splits.map(yText) },
  ];
}

/** A plot as wide as the element it is in, whose legend shows the last values unless a pointer is over it. */
function plotIn(box: HTMLElement, options: Omit<uPlot.Options, "width" | "height">, data: uPlot.AlignedData): void {
  const last = data[0].length - 1;
  const showLast = (plot: uPlot) => plot.setLegend({ idx: last }, false);
  const plot = new uPlot({
    ...options, width: box.clientWidth || 320, height: kHeight,
    cursor: { y: false, drag: { x: false, y: false }, points: { size: 6 } },
    hooks: { ...options.hooks, ready: [(self) => {
      showLast(self);
      self.over.addEventListener("mouseleave", () => setTimeout(() => showLast(self)));
    }] },
  }, data, box);
  plots.push(plot);
  new ResizeObserver(() => {
    if (box.clientWidth > 0 && box.clientWidth !== plot.width) {
      plot.setSize({ width: box.clientWidth, height: kHeight });
      showLast(plot);
    }
  }).observe(box);
}

function isTime(axis: Axis): boolean {
  return axis.name === "time";
}

/** Of an axis in seconds: whole minutes, hours, … */
const kTimeSteps = [1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1200, 1800, 3600, 7200, 14400, 21600, 43200, 86400, 172800,
                    432000, 864000];

interface Whisker { name: string; low: number; high: number }  // the colour, and the series of the ends

/** The intervals of single points as lines: a band needs two points, a line shows that of one. */
function drawWhiskers(plot: uPlot, whisker: Whisker): void {
  const { ctx } = plot;
  ctx.save();
  ctx.strokeStyle = colour(whisker.name);
  ctx.lineWidth = 1.5 * devicePixelRatio;
  ctx.beginPath();
  plot.data[0].forEach((at, i) => {
    const low = plot.data[whisker.low][i], high = plot.data[whisker.high][i];
    if (low === null || low === undefined || high === null || high === undefined) return;
    const x = plot.valToPos(at, "x", true);
    ctx.moveTo(x, plot.valToPos(low, "y", true));
    ctx.lineTo(x, plot.valToPos(high, "y", true));
  });
  ctx.stroke();
  ctx.restore();
}

function drawChart(box: HTMLElement, chart: Chart, axis: Axis): void {
  // uPlot needs a number everywhere on this axis.
  const rows = axis.values.map((value, i) => [value, i] as const).filter(([value]) => value !== null);
  const pick = (values: Values): Values => rows.map(([, i]) => values[i] ?? null);
  const data: Values[] = [rows.map(([value]) => value)];
  const series: uPlot.Series[] = [{ label: axis.name,
    value: (_, value) => value === null || value === undefined ? "" : isTime(axis) ? clock(value) : short(value) }];
  const bands: uPlot.Band[] = [];
  const whiskers: Whisker[] = [];
  const sparse = rows.length < 40;
  const text = (value: number | null) => (value === null || value === undefined ? "\u2013" : inUnit(value, chart.unit));
  chart.series.forEach((one, i) => {
    const name = strokeOf(one, i);
    const reference = one.style === "reference";
    data.push(pick(one.values));
    series.push({ label: one.name, stroke: () => colour(name), width: reference ? 1.5 : 2, dash: reference ? [5, 4] : undefined,
                  spanGaps: true, points: { show: sparse && !reference, size: 5 }, value: (_, value) => text(value) });
    if (one.low && one.high) {
      const at = data.length;
      data.push(pick(one.high), pick(one.low));
      for (const end of ["upper", "lower"])
        series.push({ label: `95 %, ${end} end`, stroke: () => faint(name), width: 1, spanGaps: true,
                      points: { show: false }, value: (_, value) => text(value) });
      bands.push({ series: [at, at + 1], fill: () => faint(name) });
      if (sparse) whiskers.push({ name, low: at + 1, high: at });
    }
  });
  const [xAxis, yAxis] = axes((value) => (isTime(axis) ? clock(value) : short(value)),
    (value) => (chart.unit === "share" ? percent(value, 0) : chart.unit === "nats" || chart.unit === "elo" ? inUnit(value, chart.unit === "nats" ? "" : "elo") : short(value)));
  plotIn(box, {
    scales: { x: { time: false },
              y: { range: (_, low, high) => {
                if (chart.unit === "share") return [0, 1];
                if (low === null || high === null || low === undefined) return [0, 1];
                if (chart.unit === "per second" || chart.unit === "plies" || chart.unit === "")
                  return [0, high > 0 ? 1.08 * high : 1];
                const room = 0.08 * (high - low || Math.abs(high) || 1);
                return [low - room, high + room];
              } } },
    axes: [isTime(axis) ? { ...xAxis, incrs: kTimeSteps } : xAxis, yAxis],
    series, bands,
    hooks: { draw: [(plot) => whiskers.forEach((one) => drawWhiskers(plot, one))] },
  }, data as uPlot.AlignedData);
}

export function curvesSection(section: CurvesSection): HTMLElement {
  const grid = el("div", { class: "charts" });
  const boxes = section.charts.map((chart) => {
    const box = el("div", { class: "plot" });
    const unit = { share: "", nats: "nats", elo: "Elo", plies: "plies", "per second": "per second" }[chart.unit] ?? chart.unit;
    grid.append(el("figure", {},
      el("figcaption", {}, el("strong", {}, chart.title), unit ? ` (${unit})` : "",
        chart.note ? el("p", {}, chart.note) : null), box));
    return box;
  });
  const draw = (axis: Axis) => section.charts.forEach((chart, i) => {
    for (let k = plots.length - 1; k >= 0; --k)
      if (boxes[i].contains(plots[k].root)) { plots[k].destroy(); plots.splice(k, 1); }
    boxes[i].replaceChildren();
    drawChart(boxes[i], chart, axis);
  });
  const select = el("select", { change: () => draw(section.axes[Number(select.value)]) },
    ...section.axes.map((axis, i) => el("option", { value: i }, axis.name)));
  const chooser = section.axes.length > 1 ? el("label", { class: "chooser" }, "Drawn over ", select) : null;
  // Sizes are known once it is on the page.
  requestAnimationFrame(() => { if (section.axes.length > 0) draw(section.axes[0]); });
  return el("div", {}, chooser, grid);
}

export function histogramSection(section: HistogramSection): HTMLElement {
  const box = el("div", { class: "plot" });
  const bins = section.series[0].counts.length;
  const xs = Array.from({ length: bins }, (_, i) => i * section.width);
  const shares = section.series.map((series) => series.counts.map((value) => value / Math.max(1, series.total)));
  const name = (start: number): string => {
    const end = start + section.width - 1;
    if (section.open && start === xs[bins - 1]) return `${start} and more`;
    return section.width === 1 ? `${start}` : `${start} to ${end}`;
  };
  requestAnimationFrame(() => {
    const [xAxis, yAxis] = axes((value) => String(value), (value) => percent(value, value < 0.05 && value > 0 ? 1 : 0));
    plotIn(box, {
      scales: { x: { time: false, range: [0, bins * section.width] }, y: { range: (_, __, high) => [0, 1.08 * high || 1] } },
      axes: [xAxis, yAxis],
      series: [{ label: section.unit, value: (_, value) => (value === null || value === undefined ? "" : name(value)) },
        ...section.series.map((series, i): uPlot.Series => i === 0 && section.series.length > 1
          ? { label: series.name, stroke: () => colour("curve-draw"), width: 0, fill: () => colour("bar-faint"),
              paths: uPlot.paths.bars!({ size: [0.94], align: 1 }), points: { show: false },
              value: (_, value) => (value === null || value === undefined ? "" : percent(value)) }
          : { label: series.name, stroke: () => colour("curve-0"), width: section.series.length > 1 ? 2 : 0,
              fill: section.series.length > 1 ? undefined : () => colour("bar"),
              paths: section.series.length > 1 ? uPlot.paths.stepped!({ align: 1 }) : uPlot.paths.bars!({ size: [0.94], align: 1 }),
              points: { show: false }, value: (_, value) => (value === null || value === undefined ? "" : percent(value)) })],
    }, [xs, ...shares] as uPlot.AlignedData);
  });
  return el("figure", { class: "histogram" }, box);
}
