// From the rows of runs' metrics to charts: of one run all curves, of several the main one of each.
import type { Axis, Chart, Series, Values } from "../common/data";
import type { Span } from "../charts/live";

export type Row = Record<string, number | null>;
export interface RunRows { name: string; rows: Row[] }

interface Curve { name: string; key: string; style?: string; low?: string; high?: string }
/** `main`: the curve that is compared between runs. `once`: rows count only where this changes. */
interface Kind { title: string; unit: string; note: string; main: number; once?: string; curves: Curve[] }

export const kKinds: Kind[] = [
  { title: "Strength", unit: "elo", main: 0, once: "strength.steps",
    note: "Elo relative to alphabeta?depth=1 of the nets that were measured, with 95 % intervals.",
    curves: [{ name: "Elo", key: "strength.elo", low: "strength.elo_95.0", high: "strength.elo_95.1" }] },
  { title: "Policy loss", unit: "nats", main: 1,
    note: "Cross-entropy of the moves. The targets' own entropy is the least that it can be.",
    curves: [{ name: "training", key: "loss.policy" }, { name: "held out", key: "held_out_policy" },
             { name: "entropy of the targets", key: "loss.policy_entropy", style: "reference" }] },
  { title: "Value loss", unit: "nats", main: 1,
    note: "Cross-entropy of win, draw and loss. The constant predictor knows only how often games are won and drawn.",
    curves: [{ name: "training", key: "loss.value" }, { name: "held out", key: "held_out_value" },
             { name: "constant predictor", key: "constant_value", style: "reference" }] },
  { title: "Results of self-play", unit: "share", main: 0, note: "Shares of the games that ended in each interval.",
    curves: [{ name: "White wins", key: "white_wins", style: "white" }, { name: "draws", key: "draws", style: "draw" },
             { name: "Black wins", key: "black_wins", style: "black" },
             { name: "draws that were cut at the ply limit", key: "cut", style: "reference" }] },
  { title: "Length of games", unit: "plies", main: 0, note: "", curves: [{ name: "mean", key: "mean_plies" }] },
  { title: "Correct predictions", unit: "share", main: 0,
    note: "Shares of the training positions in which the net's first choice was the target's.",
    curves: [{ name: "move", key: "loss.policy_accuracy" }, { name: "result", key: "loss.value_accuracy" }] },
  { title: "Self-play speed", unit: "per second", main: 0, note: "",
    curves: [{ name: "evaluations", key: "evaluations_per_second" }, { name: "visits", key: "visits_per_second" }] },
  { title: "Training speed", unit: "per second", main: 0, note: "",
    curves: [{ name: "steps", key: "steps_per_second" }, { name: "games", key: "games_per_second" }] },
];

/** What curves can be drawn over: the name, and the key in rows. */
export const kAxes: [string, string][] = [["time", "seconds"], ["steps", "steps"], ["games", "games"],
                                          ["positions", "positions"], ["evaluations", "evaluations"]];

/** Points that a run gets: more would be finer than the pixels. */
const kMostPoints = 1000;

const numberAt = (row: Row, key: string | undefined): number | null => (key === undefined ? null : row[key] ?? null);

/** Exponentially weighted means that begin with the first value; `weight` is that of what came before. */
function smoothed(values: Values, weight: number): Values {
  let mean = 0, known = 0;
  return values.map((value) => {
    if (value === null) return null;
    mean = weight * mean + (1 - weight) * value;
    known = weight * known + (1 - weight);
    return mean / known;
  });
}

/** A run's rows in the order of the axis; of those that were done again, the later. */
function points(kind: Kind, rows: Row[], axis: string): [number, Row][] {
  const key = kind.once && axis === "steps" ? kind.once : axis;
  const found: [number, Row][] = [];
  let last: number | null = null;
  for (const row of rows) {
    const x = numberAt(row, key);
    if (x === null) continue;
    if (kind.once) {
      const now = numberAt(row, kind.once);
      if (now === null || now === last) continue;
      last = now;
    }
    while (found.length > 0 && found[found.length - 1][0] >= x) found.pop();
    found.push([x, row]);
  }
  return found;
}

interface Columns { xs: number[]; columns: Values[] }

/** What is seen of the columns, with a neighbour at either side, in no more than `most` points, the last of them complete. */
function thinned({ xs, columns }: Columns, zoom: Span | null, most: number): Columns {
  let from = 0, to = xs.length;
  if (zoom) {
    while (from + 1 < xs.length && xs[from + 1] < zoom[0]) ++from;
    while (to > from + 1 && xs[to - 2] > zoom[1]) --to;
  }
  const size = Math.ceil((to - from) / most);
  if (size <= 1) return { xs: xs.slice(from, to), columns: columns.map((column) => column.slice(from, to)) };
  const ends: number[] = [];
  for (let end = to - 1; end > from; end -= size) ends.unshift(end);
  ends.push(to);
  const mean = (values: Values): number | null => {
    const known = values.filter((value): value is number => value !== null);
    return known.length === 0 ? null : known.reduce((a, b) => a + b, 0) / known.length;
  };
  const blocks = (values: Values): Values => ends.map((end, i) => mean(values.slice(i === 0 ? from : ends[i - 1], end)));
  return { xs: blocks(xs) as number[], columns: columns.map(blocks) };
}

/** A chart of the runs; it has no series if they know nothing of what it shows. */
export function chartOf(kind: Kind, runs: RunRows[], axis: [string, string], smoothing: number, zoom: Span | null):
    { chart: Chart; axis: Axis } {
  const several = runs.length > 1;
  const parts: { run: number; curve: Curve; xs: number[]; columns: Values[]; raw: boolean }[] = [];
  runs.forEach((run, number) => {
    const known = points(kind, run.rows, axis[1]);
    const has = (curve: Curve) => known.some(([, row]) => numberAt(row, curve.key) !== null);
    let curves = kind.curves.filter(has);
    if (several) curves = curves.includes(kind.curves[kind.main]) ? [kind.curves[kind.main]] : curves.slice(0, 1);
    for (const curve of curves) {
      const column = (key?: string) => known.map(([, row]) => numberAt(row, key));
      const raw = column(curve.key);
      const weight = kind.once || curve.style === "reference" ? 0 : smoothing;
      const columns = [weight > 0 ? smoothed(raw, weight) : raw];
      if (curve.low && curve.high) columns.push(column(curve.low), column(curve.high));
      if (weight > 0 && !several) columns.push(raw);
      const seen = thinned({ xs: known.map(([x]) => x), columns }, zoom, Math.max(100, Math.floor(3 * kMostPoints / (2 + runs.length))));
      parts.push({ run: number, curve, ...seen, raw: weight > 0 && !several });
    }
  });
  const xs = several ? [...new Set(parts.flatMap((part) => part.xs))].sort((a, b) => a - b) : parts[0]?.xs ?? [];
  const places = several ? new Map(xs.map((x, i) => [x, i])) : null;
  const placed = (part: { xs: number[] }, values: Values): Values => {
    if (!places) return values;
    const all: Values = new Array(xs.length).fill(null);
    part.xs.forEach((x, i) => { all[places.get(x)!] = values[i]; });
    return all;
  };
  const series: Series[] = [];
  for (const part of parts) {
    const band = part.curve.low !== undefined;
    if (part.raw) {
      const own = part.curve.style ?? `curve-${kind.curves.indexOf(part.curve) % 4}`;
      series.push({ name: `${part.curve.name}, each`, values: part.columns[part.columns.length - 1], style: `raw ${own}` });
    }
    series.push({ name: several ? runs[part.run].name : part.curve.name, values: placed(part, part.columns[0]),
                  low: band ? placed(part, part.columns[1]) : undefined, high: band ? placed(part, part.columns[2]) : undefined,
                  style: several ? `run${part.run}` : part.curve.style ?? `curve-${kind.curves.indexOf(part.curve) % 4}` });
  }
  const names = [...new Set(parts.map((part) => part.curve.name))];
  const title = several && kind.curves.length > 1 && names.length > 0 ? `${kind.title}: ${names.join(" or ")}` : kind.title;
  return { chart: { title, unit: kind.unit, note: kind.note || undefined, series }, axis: { name: axis[0], values: xs } };
}
