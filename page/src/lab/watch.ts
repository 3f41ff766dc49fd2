// A training run while it goes on: what it plays, and its curves, beside those of other runs.
import { LiveChart, type Span } from "../charts/live";
import { el } from "../common/dom";
import { clock, count } from "../common/format";
import { ConfigForm } from "./configform";
import { chartOf, kAxes, kKinds, type Row } from "./curves";
import { Gallery } from "./gallery";
import { factsSection, tableSection } from "../report/tables";
import type { Section } from "../common/data";
import { allow, isAllowed, labelled, placeLink, playAgainst, Problem, textButton, viewHeading } from "./parts";
import type { Desk, FolderEntry, RunReport } from "./desk";
import type { Store, View } from "./store";

const kWallSeconds = 8;    // from one look for new games to the next
const kLiveSeconds = 1.5;  // while games in progress are shown
const kMostRuns = 50;
const kWait = 60, kMostWait = 400;  // ms for more reports to come before the curves are drawn

/** The games of a run: those in progress, if it writes them, and the last ones. */
class Wall {
  readonly element: HTMLElement;
  private readonly problem = new Problem();
  private readonly number;
  private readonly gallery: Gallery;
  private readonly heading = el("h2", {}, "Last games");
  private timer = 0;
  private looks = 0;
  private left = false;
  /** Whether the run goes on. */
  running = false;

  constructor(private readonly desk: Desk, store: Store, private readonly path: string) {
    this.number = store.setting("wall.number", 12);
    this.gallery = new Gallery(desk, store, "No game has ended yet.", () => void this.look());
    const choice = el("select", { change: () => { this.number.value = Number(choice.value); void this.look(); } },
      ...[4, 6, 12, 24].map((value) => el("option", { value, selected: value === this.number.value }, String(value))));
    this.element = el("section", { class: "wall-section" }, el("div", { class: "section-heading" }, this.heading,
      el("div", { class: "tools" }, labelled("Boards", choice), this.gallery.pauseButton)), this.problem.element, this.gallery.element);
  }

  /** Looks for new games, and again as long as the run goes on. */
  async look(): Promise<void> {
    clearTimeout(this.timer);
    let live = false;
    if (!document.hidden) try {
      const { games, ...pictures } = await this.desk.ask("wall", { path: this.path, count: this.number.value, large: this.gallery.large });
      live = games.some((game) => game.live);
      this.problem.clear();
      this.heading.textContent = live ? "Games in progress, and the last" : "Last games";
      this.gallery.show(games, pictures);
    } catch (error) {
      this.problem.show(error);
    }
    if (this.left) return;
    clearTimeout(this.timer);
    // A run begins to write its games within a second after the first look.
    const soon = live || (this.running && this.looks++ < 3);
    this.timer = window.setTimeout(() => void this.look(), 1000 * (soon ? kLiveSeconds : kWallSeconds));
  }

  leave(): void {
    this.left = true;
    clearTimeout(this.timer);
    this.gallery.leave();
  }
}

interface Known { rows: Row[]; end: () => void }

/** Charts of several runs over one axis, which zoom together. */
class Curves {
  readonly element: HTMLElement;
  private readonly axis;
  private readonly smoothing;
  private readonly spans;
  private readonly chosen;
  private readonly charts: LiveChart[];
  private readonly runs = new Map<string, Known>();
  private readonly axisSelect: HTMLSelectElement;
  private readonly smoothingText = el("output", {});
  private readonly smoothingRange: HTMLInputElement;
  private readonly whole: HTMLButtonElement;
  private readonly empty = el("p", { class: "faint" }, "No line of metrics has been written yet.");
  private readonly choices = el("div", { class: "run-choices" });
  private readonly choiceTitle = el("summary", {});
  private frame = 0;
  private timer = 0;
  private since = 0;  // when the first report came that is not drawn yet; 0: all are
  private entries: FolderEntry[] = [];

  constructor(private readonly desk: Desk, store: Store, private readonly path: string) {
    const { fields } = store;
    this.axis = store.setting("curves.axis", "time");
    this.smoothing = store.setting("curves.smoothing", 0);
    this.spans = store.setting<Record<string, Span>>(`curves.zoom.${path}`, {});
    this.chosen = store.setting<string[]>(`curves.with.${path}`, []);
    const given = fields.value;
    if (given.axis && kAxes.some(([name]) => name === given.axis)) this.axis.value = given.axis;
    if (given.smooth && Number.isFinite(Number(given.smooth))) this.smoothing.value = Math.max(0, Math.min(0.99, Number(given.smooth)));
    if (given.with !== undefined) this.chosen.value = given.with.split(",").filter((one) => one !== "" && one !== path);
    const span = given.zoom?.split("..").map(Number);
    if (span?.length === 2 && span.every(Number.isFinite)) this.spans.value = { ...this.spans.value, [this.axis.value]: span as Span };
    this.describe = () => {
      const now = { ...store.fields.value };
      for (const name of ["axis", "smooth", "with", "zoom"]) delete now[name];
      if (this.axis.value !== "time") now.axis = this.axis.value;
      if (this.smoothing.value > 0) now.smooth = String(this.smoothing.value);
      if (this.chosen.value.length > 0) now.with = this.chosen.value.join(",");
      if (this.span) now.zoom = this.span.map((value) => Number(value.toPrecision(6))).join("..");
      store.go(now, true);
    };
    this.axisSelect = el("select", { change: () => { this.axis.value = this.axisSelect.value; this.changed(); } },
      ...kAxes.map(([name]) => el("option", { value: name, selected: name === this.axis.value }, name)));
    this.smoothingRange = el("input", { type: "range", min: 0, max: 0.99, step: 0.01, value: this.smoothing.value,
      input: () => { this.smoothing.value = Number(this.smoothingRange.value); this.changed(); } });
    this.whole = textButton("Everything", () => this.zoom(null));
    this.charts = kKinds.map((kind) => new LiveChart({ title: kind.title, unit: kind.unit, note: kind.note || undefined, series: [] },
      (span) => this.zoom(span)));
    this.element = el("section", { class: "curves-section" },
      el("div", { class: "section-heading" }, el("h2", {}, "Curves"), this.tools()),
      el("details", { class: "compare" }, this.choiceTitle, this.choices),
      this.empty, el("div", { class: "charts" }, ...this.charts.map((chart) => chart.element)));
    this.follow();
  }
  private readonly describe: () => void;

  leave(): void {
    cancelAnimationFrame(this.frame);
    clearTimeout(this.timer);
    for (const [path, known] of this.runs) this.forget(path, known);
    for (const chart of this.charts) chart.destroy();
  }

  /** Rows of a run, from `report.from` on; those that came before are kept. */
  add(report: RunReport): void {
    const known = this.runs.get(report.path);
    if (!known) return;
    if (report.from < known.rows.length) known.rows.length = report.from;
    // What lies between has been missed: it is asked for again.
    if (report.from > known.rows.length) {
      void this.desk.ask("watch", { path: report.path, have: known.rows.length }).catch(() => {});
      return;
    }
    for (const row of report.rows) known.rows.push(row);
    // Reports of several runs come one after the other.
    clearTimeout(this.timer);
    if (this.since === 0) this.since = performance.now();
    if (performance.now() - this.since > kMostWait) this.draw();
    else this.timer = window.setTimeout(() => this.draw(), this.runs.size > 1 ? kWait : 0);
  }

  /** Runs that can be chosen. */
  offer(entries: FolderEntry[]): void {
    this.entries = entries.filter((one) => one.kind === "run" && one.path !== this.path);
    const filter = el("input", { type: "search", placeholder: "part of a name", input: () => list() });
    const boxes = el("div", { class: "choice-list" });
    const list = () => {
      const words = filter.value.toLowerCase();
      const found = this.entries.filter((one) => `${one.path} ${one.title}`.toLowerCase().includes(words));
      boxes.replaceChildren(...found.map((one) => {
        const box = el("input", { type: "checkbox", checked: this.chosen.value.includes(one.path),
                                  change: () => this.choose(one.path, box.checked) });
        return el("label", { class: "choice" }, box, el("code", {}, one.path), el("span", { class: "faint" }, one.state));
      }));
      if (found.length === 0) boxes.append(el("p", { class: "faint" }, this.entries.length === 0 ? "There is no other run." : "No run is called so."));
    };
    list();
    this.choices.replaceChildren(el("div", { class: "tools" }, labelled("Find", filter),
      textButton("All", () => { this.chosen.value = this.entries.slice(0, kMostRuns - 1).map((one) => one.path); list(); this.follow(); this.changed(); }),
      textButton("None", () => { this.chosen.value = []; list(); this.follow(); this.changed(); })), boxes);
  }

  private tools(): HTMLElement {
    const by = (factor: number) => () => {
      const [low, high] = this.span ?? this.everything();
      const middle = (low + high) / 2, half = (high - low) / 2 * factor;
      this.limit(middle - half, middle + half);
    };
    const aside = (share: number) => () => {
      const [low, high] = this.span ?? this.everything();
      this.limit(low + share * (high - low), high + share * (high - low));
    };
    return el("div", { class: "tools", role: "group", "aria-label": "What the charts show" },
      labelled("Drawn over", this.axisSelect),
      labelled("Smoothing", el("span", { class: "range" }, this.smoothingRange, this.smoothingText)),
      el("div", { class: "zoom", role: "group", "aria-label": "Zoom of all charts" },
        this.small("\u2212", "Zoom out", by(2)), this.small("+", "Zoom in", by(0.5)),
        this.small("\u2190", "Earlier", aside(-0.5)), this.small("\u2192", "Later", aside(0.5)), this.whole));
  }
  private small(text: string, label: string, click: () => void): HTMLButtonElement {
    return el("button", { type: "button", class: "push small", "aria-label": label, title: label, click }, text);
  }

  private get span(): Span | null {
    return this.spans.value[this.axis.value] ?? null;
  }
  private key(): [string, string] {
    return kAxes.find(([name]) => name === this.axis.value) ?? kAxes[0];
  }
  /** The ends of the axis. */
  private everything(): Span {
    const ends: number[] = [];
    for (const { rows } of this.runs.values()) {
      const values = rows.map((row) => row[this.key()[1]]).filter((value): value is number => typeof value === "number");
      if (values.length > 0) ends.push(values[0], values[values.length - 1]);
    }
    return ends.length === 0 ? [0, 1] : [Math.min(...ends), Math.max(...ends)];
  }
  private limit(low: number, high: number): void {
    const [least, most] = this.everything();
    const width = Math.min(high - low, most - least);
    const from = Math.max(least, Math.min(most - width, low));
    this.zoom(width >= most - least ? null : [from, from + width]);
  }
  private zoom(span: Span | null): void {
    const spans = { ...this.spans.value };
    if (span) spans[this.axis.value] = span;
    else delete spans[this.axis.value];
    this.spans.value = spans;
    this.changed();
  }

  private changed(): void {
    this.describe();
    this.draw();
  }

  private choose(path: string, on: boolean): void {
    this.chosen.value = [...this.chosen.value.filter((one) => one !== path), ...(on ? [path] : [])].slice(0, kMostRuns - 1);
    this.follow();
    this.changed();
  }

  /** Watches the runs that are chosen, and no others. The run of the view itself is watched by the view. */
  private follow(): void {
    const wanted = [this.path, ...this.chosen.value];
    for (const [path, known] of [...this.runs]) if (!wanted.includes(path)) { this.forget(path, known); this.runs.delete(path); }
    for (const path of wanted) {
      if (this.runs.has(path)) continue;
      const own = path === this.path;
      this.runs.set(path, { rows: [], end: own ? () => {} : this.desk.on(`run:${path}`, (report) => this.add(report)) });
      if (!own) void this.desk.ask("watch", { path, have: 0 }).catch(() => this.choose(path, false));
    }
  }
  private forget(path: string, known: Known): void {
    known.end();
    if (path !== this.path) void this.desk.ask("unwatch", { path }).catch(() => {});
  }

  /** In the next frame, once for all that has changed. */
  private draw(): void {
    cancelAnimationFrame(this.frame);
    clearTimeout(this.timer);
    this.since = 0;
    this.frame = requestAnimationFrame(() => {
      const order = [this.path, ...this.chosen.value];
      const runs = order.filter((path) => this.runs.has(path)).map((path) => ({ name: path, rows: this.runs.get(path)!.rows }));
      const known = runs.filter(({ rows }) => rows.length > 0);
      this.empty.hidden = known.length > 0;
      const compared = order.length - 1;
      this.choiceTitle.textContent = compared === 0 ? "Compare with other runs" : `Compared with ${compared === 1 ? "another run" : `${compared} other runs`}`;
      this.smoothingText.textContent = this.smoothing.value.toFixed(2);
      this.whole.disabled = this.span === null;
      if (known.length === 0) return;
      kKinds.forEach((kind, i) => {
        const { chart, axis } = chartOf(kind, runs, this.key(), this.smoothing.value, this.span);
        this.charts[i].show(chart, axis, this.span);
      });
    });
  }

  /** The first drawing, once the charts are on the page. */
  begin(): void {
    this.draw();
  }
}

/** All runs, and the form that starts one. */
function runsView(desk: Desk, store: Store): View {
  const list = el("div", { class: "entry-list" });
  const problem = new Problem();
  const form = new ConfigForm(desk, store);
  void desk.ask("folder", { path: "" }).then(({ entries }) => {
    const runs = entries.filter((one) => one.kind === "run").sort((a, b) => Number(b.running) - Number(a.running) || b.changed - a.changed);
    list.replaceChildren(...runs.map((one) => placeLink(store, { run: one.path }, el("strong", {}, one.title || one.path),
      el("code", {}, one.path), stateBadge(one.state, one.running))));
    if (runs.length === 0) list.append(el("p", { class: "faint" }, "There is no run in this folder yet."));
  }, (error) => problem.show(error));
  const element = el("div", { class: "view" }, viewHeading("Trainings"), problem.element, el("section", {}, el("h2", {}, "Runs"), list),
    form.element);
  return { element, leave: () => form.leave() };
}

export function stateBadge(state: string, running: boolean): HTMLElement {
  return el("span", { class: running ? "badge running" : "badge" }, state || (running ? "running" : "ended"));
}

/** The actors of a run, and what is wrong with any. */
function clusterElements({ notices, sections }: NonNullable<RunReport["cluster"]>): HTMLElement[] {
  const content = (section: Section) =>
    section.type === "facts" ? factsSection(section) : section.type === "table" ? tableSection(section, section.title) : null;
  return [el("h2", {}, "Several machines"),
    ...notices.map((notice) => el("p", { class: "problem" }, notice)),
    ...sections.flatMap((section) => [section.type === "table" ? el("h3", {}, section.title) : null, content(section)]).filter((one) => one !== null)];
}

export function watchView(desk: Desk, store: Store): View {
  const path = store.fields.value.run ?? "";
  if (path === "") return runsView(desk, store);
  const state = el("span", { "aria-live": "polite" });
  const facts = el("dl", { class: "facts" });
  const problem = new Problem();
  const wall = new Wall(desk, store, path);
  const curves = new Curves(desk, store, path);
  const cluster = el("section", { class: "report cluster-section" });
  const form = new ConfigForm(desk, store);
  form.element.hidden = true;
  let latest: RunReport | null = null;
  let mayStart = false;
  let asking = false;

  const act = (what: "halt" | "resume") => async () => {
    const button = what === "halt" ? stop : resume;
    if (!isAllowed(button)) return;
    asking = true;
    buttons();
    try {
      if (what === "halt") await desk.ask("halt", { path });
      else await desk.ask("start", { command: "resume", path });
      problem.clear();
    } catch (error) {
      problem.show(error);
    }
    asking = false;
    buttons();
  };
  const stop = textButton("Stop", () => void act("halt")());
  const resume = textButton("Resume", () => void act("resume")());
  const fresh = textButton("Start a training", () => {
    form.element.hidden = !form.element.hidden;
    fresh.setAttribute("aria-expanded", String(!form.element.hidden));
    if (!form.element.hidden) form.element.scrollIntoView({ block: "start" });
  });
  fresh.setAttribute("aria-expanded", "false");
  const against = textButton("Play against it", () => { if (isAllowed(against)) playAgainst(store, path, latest!.variant); });
  const why = el("span", { class: "faint", id: "why-not" });
  for (const button of [stop, resume]) button.setAttribute("aria-describedby", "why-not");
  const buttons = () => {
    const running = latest?.running ?? false;
    const rights = mayStart ? "" : "The lab was started without --allow-start";
    allow(stop, rights || (asking ? "Being done" : running ? "" : "It is not running"));
    allow(resume, rights || (asking ? "Being done" : running ? "It is running" : ""));
    allow(against, latest?.variant ? "" : "It is not known what it plays");
    why.textContent = rights ? `${rights}: it can neither stop nor resume runs.` : "";
  };
  buttons();

  const seen = (report: RunReport) => {
    latest = report;
    state.replaceChildren(stateBadge(report.state, report.running));
    const left: [string, string][] = report.secondsLeft !== undefined && report.running ? [["time left", clock(report.secondsLeft)]] : [];
    facts.replaceChildren(...[...report.facts, ...left].map(([name, value]) =>
      el("div", {}, el("dt", {}, name), el("dd", {}, /^\d{5,}$/.test(value) ? count(Number(value)) : value))));
    cluster.replaceChildren(...(report.cluster ? clusterElements(report.cluster) : []));
    curves.add(report);
    wall.running = report.running;
    buttons();
  };
  const end = desk.on(`run:${path}`, seen);
  void desk.ask("watch", { path, have: 0 }).catch((error) => problem.show(error));
  void desk.ask("status", {}).then((status) => { mayStart = status.mayStart; buttons(); }, () => {});
  void desk.ask("folder", { path: "" }).then(({ entries }) => curves.offer(entries), () => curves.offer([]));
  void wall.look();
  curves.begin();

  const element = el("div", { class: "view" },
    viewHeading(path, state, el("div", { class: "tools" }, stop, resume, fresh, against,
      placeLink(store, { folder: path }, "Report of this run"), placeLink(store, { run: "" }, "All runs"), why)),
    problem.element, facts, form.element, wall.element, cluster, curves.element);
  return { element, leave() {
    end();
    void desk.ask("unwatch", { path }).catch(() => {});
    wall.leave();
    curves.leave();
    form.leave();
  } };
}
