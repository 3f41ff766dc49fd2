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
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", redrawCharts);

const kStyles: Record<string, string> =
  { reference: "curve-reference", white: "curve-white", draw: "curve-draw", black: "curve-black" };

/** Of runs drawn over each other: four colours, and four kinds of lines, so that sixteen differ. */
const kRunDashes = [undefined, [9, 4], [2, 3], [10, 3, 2, 3]];

/** How a curve is drawn: the colour's name, and the line. */
interface Stroke { name: string; width: number; dash?: number[]; raw: boolean; run?: boolean }

function strokeOf({ style = "" }: Series, number: number): Stroke {
  if (style === "reference") return { name: kStyles[style], width: 1.5, dash: [5, 4], raw: false };
  const run = /^run(\d+)$/.exec(style);
  if (run) {
    const at = Number(run[1]);
    return { name: `curve-${at % 4}`, width: 2, dash: kRunDashes[(at + Math.floor(at / 4)) % 4], raw: false, run: true };
  }
  const raw = style.startsWith("raw ");
  const own = raw ? style.slice(4) : style;
  return { name: kStyles[own] ?? (own || `curve-${number % 4}`), width: raw ? 1 : 2, raw };
}

function axes(xText: (value: number) => string, yText: (value: number) => string): uPlot.Axis[] {
  const common = { stroke: () => colour("faint"), font: kFont, ticks: { show: false } };
  return [
    { ...common, grid: { show: false }, space: 70, size: 30, values: (_, splits) => splits.map(xText) },
    { ...common, grid: { stroke: () => colour("rule"), width: 1 }, space: 36, size: 58,
      values: (_, splits) => splits.map(yText) },
  ];
}

/** The legend shows the last values. */
export function showLast(plot: uPlot): void {
  plot.setLegend({ idx: plot.data[0].length - 1 }, false);
}

/** A plot as wide as the element it is in, whose legend shows the last values unless a pointer is over it. */
export function plotIn(box: HTMLElement, options: Omit<uPlot.Options, "width" | "height">, data: uPlot.AlignedData): uPlot {
  const plot = new uPlot({
    ...options, width: box.clientWidth || 320, height: kHeight,
    cursor: { y: false, drag: { x: false, y: false }, points: { size: 6 }, ...options.cursor },
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
  return plot;
}

/** Takes a plot away. */
export function destroyPlot(plot: uPlot): void {
  const at = plots.indexOf(plot);
  if (at >= 0) plots.splice(at, 1);
  plot.destroy();
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

/** A chart's options for its plot, and the data: the axis, and of each curve its values, and the upper and lower ends. */
export function chartPlot(chart: Chart, axis: Axis): { options: Omit<uPlot.Options, "width" | "height">; data: uPlot.AlignedData } {
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
    const { name, width, dash, raw, run } = strokeOf(one, i);
    data.push(pick(one.values));
    // Runs have their points at different places: what each had last.
    const before = (plot: uPlot, number: number, at: number | null): number | null => {
      while (at !== null && at > 0 && plot.data[number][at] === null) --at;
      return at === null ? null : plot.data[number][at] ?? null;
    };
    series.push({ label: one.name, stroke: () => (raw ? faint(name) : colour(name)), width, dash, class: raw ? "raw" : undefined,
                  spanGaps: true, points: { show: sparse && !raw && one.style !== "reference", size: 5 },
                  value: (plot, value, number, at) => text(run ? before(plot, number, at) : value) });
    if (one.low && one.high) {
      const at = data.length;
      data.push(pick(one.high), pick(one.low));
      for (const end of ["upper", "lower"])
        series.push({ label: `95 %, ${end} end`, stroke: () => faint(name), width: 1, class: run ? "raw" : undefined, spanGaps: true,
                      points: { show: false }, value: (_, value) => text(value) });
      bands.push({ series: [at, at + 1], fill: () => faint(name) });
      if (sparse) whiskers.push({ name, low: at + 1, high: at });
    }
  });
  const [xAxis, yAxis] = axes((value) => (isTime(axis) ? clock(value) : short(value)),
    (value) => (chart.unit === "share" ? percent(value, 0) : chart.unit === "nats" || chart.unit === "elo" ? inUnit(value, chart.unit === "nats" ? "" : "elo") : short(value)));
  const options = {
    scales: { x: { time: false },
              y: { range: (_: uPlot, low: number, high: number): uPlot.Range.MinMax => {
                if (chart.unit === "share") return [0, 1];
                if (low === null || high === null || low === undefined) return [0, 1];
                if (chart.unit === "per second" || chart.unit === "plies" || chart.unit === "")
                  return [0, high > 0 ? 1.08 * high : 1];
                const room = 0.08 * (high - low || Math.abs(high) || 1);
                return [low - room, high + room];
              } } },
    axes: [isTime(axis) ? { ...xAxis, incrs: kTimeSteps } : xAxis, yAxis],
    series, bands,
    hooks: { draw: [(plot: uPlot) => whiskers.forEach((one) => drawWhiskers(plot, one))] },
  };
  return { options, data: data as uPlot.AlignedData };
}

/** A chart's title, its unit and what is to be known of it, above what is drawn. */
export function chartFigure(chart: Chart, box: HTMLElement): HTMLElement {
  const unit = { share: "", nats: "nats", elo: "Elo", plies: "plies", "per second": "per second" }[chart.unit] ?? chart.unit;
  return el("figure", {},
    el("figcaption", {}, el("strong", {}, chart.title), unit ? ` (${unit})` : "",
      chart.note ? el("p", {}, chart.note) : null), box);
}

export function curvesSection(section: CurvesSection): HTMLElement {
  const grid = el("div", { class: "charts" });
  const boxes = section.charts.map((chart) => {
    const box = el("div", { class: "plot" });
    grid.append(chartFigure(chart, box));
    return box;
  });
  const draw = (axis: Axis) => section.charts.forEach((chart, i) => {
    for (let k = plots.length - 1; k >= 0; --k)
      if (boxes[i].contains(plots[k].root)) { plots[k].destroy(); plots.splice(k, 1); }
    boxes[i].replaceChildren();
    const { options, data } = chartPlot(chart, axis);
    plotIn(boxes[i], options, data);
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
