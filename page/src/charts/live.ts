// A chart that grows while it is looked at: new points move neither a zoomed axis nor what was hidden.
import type uPlot from "uplot";
import { el } from "../common/dom";
import { chartFigure, chartPlot, destroyPlot, plotIn, showLast } from "./charts";
import type { Axis, Chart } from "../common/data";

export type Span = [number, number];

export class LiveChart {
  readonly element: HTMLElement;
  private readonly box = el("div", { class: "plot", role: "img" });
  private plot: uPlot | null = null;
  private shape = "";
  private zoom: Span | null = null;

  /** `zoomed` is told what was chosen by dragging over the chart, in the axis's units; null: everything. */
  constructor(chart: Chart, private readonly zoomed: (span: Span | null) => void) {
    this.element = chartFigure(chart, this.box);
    this.element.hidden = true;  // while nothing is known
  }

  /** Draws what is known now. The chart must be on the page. */
  show(chart: Chart, axis: Axis, zoom: Span | null): void {
    this.zoom = zoom;
    this.element.hidden = chart.series.length === 0;
    if (this.element.hidden) return;
    this.element.querySelector("strong")!.textContent = chart.title;
    const { options, data } = chartPlot(chart, axis);
    // Points are marked, and intervals drawn as lines, while there are few.
    const shape = JSON.stringify([axis.name, data[0].length < 40, chart.series.map(({ name, style, low }) => [name, style, !!low])]);
    if (this.plot && shape === this.shape) {
      this.plot.setData(data, false);
      this.rescale();
    } else this.make(options, data);
    this.shape = shape;
    this.describe(chart);
  }

  destroy(): void {
    if (this.plot) destroyPlot(this.plot);
    this.plot = null;
  }

  private make(options: ReturnType<typeof chartPlot>["options"], data: uPlot.AlignedData): void {
    const hidden = new Set(this.plot?.series.filter((one) => !one.show).map((one) => one.label) ?? []);
    this.destroy();
    const range = (_: uPlot, low: number, high: number): uPlot.Range.MinMax =>
      this.zoom ?? (low === high ? [low - 1, high + 1] : [low, high]);
    this.plot = plotIn(this.box, {
      ...options,
      series: options.series.map((one) => (hidden.has(one.label) ? { ...one, show: false } : one)),
      scales: { ...options.scales, x: { time: false, range } },
      cursor: { drag: { x: true, y: false, setScale: false }, bind: { dblclick: () => () => { this.zoomed(null); return null; } } },
      hooks: { ...options.hooks, setSelect: [(plot) => {
        const { left, width } = plot.select;
        if (width < 4) return;
        plot.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
        this.zoomed([plot.posToVal(left, "x"), plot.posToVal(left + width, "x")]);
      }] },
    }, data);
  }

  private rescale(): void {
    const plot = this.plot!;
    const xs = plot.data[0];
    const [low, high] = this.zoom ?? [xs[0], xs[xs.length - 1]];
    plot.setScale("x", { min: low, max: high });
    if (plot.cursor.left === undefined || plot.cursor.left < 0) showLast(plot);
  }

  /** In words, for those who do not see it. */
  private describe(chart: Chart): void {
    const last = (values: (number | null)[]) => values.filter((value) => value !== null).pop();
    const words = chart.series.filter(({ style }) => !style?.startsWith("raw ")).map(({ name, values }) => {
      const value = last(values);
      return value === undefined || value === null ? `${name}: none` : `${name}: ${Number(value.toPrecision(4))}`;
    });
    this.box.setAttribute("aria-label", `${chart.title}, last values: ${words.join(", ")}`);
  }
}
