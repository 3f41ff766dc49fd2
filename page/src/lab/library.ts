// What lies in the folder: runs, reports, games, networks and game files.
import { el } from "../common/dom";
import { count } from "../common/format";
import { reportElements } from "../report/sections";
import { debounced, labelled, messageOf, placeLink, playAgainst, Problem, resultText, textButton, viewHeading } from "./parts";
import { stateBadge } from "./watch";
import type { Desk, FolderEntry, ReadGame } from "./desk";
import { tableFields, type Fields, type Store, type View } from "./store";

const kKinds: Record<string, string> = { run: "Runs", match: "Matches", tournament: "Tournaments", study: "Studies",
  survey: "Surveys", games: "Games", net: "Networks", game: "Game files" };
const kOne: Record<string, string> = { run: "run", match: "match", tournament: "tournament", study: "study", survey: "survey",
  games: "games", net: "network", game: "game file" };
const kGamesPage = 100;

/** "5 minutes ago", or the day. */
function ago(seconds: number): string {
  const passed = Date.now() / 1000 - seconds;
  const words = new Intl.RelativeTimeFormat("en", { numeric: "auto" });
  if (passed < 60) return "just now";
  if (passed < 3600) return words.format(-Math.round(passed / 60), "minute");
  if (passed < 86400) return words.format(-Math.round(passed / 3600), "hour");
  if (passed < 30 * 86400) return words.format(-Math.round(passed / 86400), "day");
  return new Date(1000 * seconds).toISOString().slice(0, 10);
}

/** Where an entry is opened. */
function target({ kind, path }: FolderEntry): Fields {
  if (kind === "run") return { run: path };
  if (kind === "game") return { new: path };
  return { folder: path };
}

function entryElement(desk: Desk, store: Store, entry: FolderEntry): HTMLElement {
  const more: HTMLElement[] = [];
  if (entry.kind === "run") more.push(placeLink(store, { folder: entry.path }, "report"));
  const against = (words: string) => (entry.game ? placeLink(store, { g: entry.game, player: entry.path }, words)
    : el("button", { type: "button", class: "link", click: () => playAgainst(store, entry.path) }, words));
  if (entry.kind === "net") more.push(against("play against it"));
  if (entry.kind === "game") more.push(placeLink(store, { new: entry.path }, "edit"),
    placeLink(store, { rules: entry.path }, "rules"), placeLink(store, tableFields(entry.path), "play"),
    el("button", { type: "button", class: "link", title: "Writes a page that plays it without a server", click: () => {
      store.notice.value = "The page is being made.";
      desk.ask("gamePage", { path: entry.path }).then(({ path }) => {
        store.notice.value = `${path} is written: a page that plays it on any computer, without a server.`;
      }, (error) => { store.notice.value = messageOf(error); });
    } }, "page"));
  return el("li", { class: "entry", "data-kind": entry.kind },
    el("span", { class: "entry-kind" }, kOne[entry.kind] ?? entry.kind),
    el("span", { class: "entry-name" }, entry.kind === "net" ? against(entry.title || entry.path) : placeLink(store, target(entry), entry.title || entry.path),
      entry.title && entry.title !== entry.path ? el("code", {}, entry.path) : null),
    el("span", { class: "entry-state" }, entry.running ? stateBadge(entry.state, true) : [entry.game, entry.state].filter(Boolean).join(", ")),
    el("time", { class: "faint", datetime: new Date(1000 * entry.changed).toISOString() }, ago(entry.changed)),
    el("span", { class: "entry-more" }, ...more));
}

function listView(desk: Desk, store: Store): View {
  const filter = store.setting("library.filter", "");
  const kind = store.setting("library.kind", "");
  const problem = new Problem();
  const list = el("ul", { class: "entries" });
  const said = el("p", { class: "faint", "aria-live": "polite" });
  const chips = el("div", { class: "chips", role: "group", "aria-label": "Kinds" });
  let entries: FolderEntry[] = [];
  let folder = "";
  const input = el("input", { type: "search", value: filter.value, placeholder: "part of a name",
                              input: () => { filter.value = input.value; show(); } });
  const show = () => {
    const words = filter.value.toLowerCase().split(/\s+/).filter((word) => word !== "");
    const named = entries.filter((one) => words.every((word) => `${one.path} ${one.title} ${one.kind} ${one.state}`.toLowerCase().includes(word)));
    const kinds = Object.keys(kKinds).filter((name) => named.some((one) => one.kind === name) || name === kind.value);
    chips.replaceChildren(...["", ...kinds].map((name) => el("button", { type: "button", class: "chip", "aria-pressed": String(name === kind.value),
      "data-kind": name, click: () => { kind.value = name; show(); chips.querySelector<HTMLElement>(`[data-kind="${name}"]`)?.focus(); } },
      name === "" ? "Everything" : kKinds[name], el("span", { class: "faint" },
        ` ${named.filter((one) => name === "" || one.kind === name).length}`))));
    const found = named.filter((one) => kind.value === "" || one.kind === kind.value)
      .sort((a, b) => Number(b.running) - Number(a.running) || b.changed - a.changed);
    list.replaceChildren(...found.map((one) => entryElement(desk, store, one)));
    said.textContent = entries.length === 0 ? `There is nothing in ${folder || "the folder"} yet: train a network, or play a match.`
      : found.length === 0 ? "Nothing is called so." : `${count(found.length)} of ${count(entries.length)}`;
  };
  const load = () => void desk.ask("folder", { path: "" }).then((reply) => {
    entries = reply.entries;
    problem.clear();
    show();
  }, (error) => problem.show(error));
  const where = el("code", {});
  void desk.ask("status", {}).then((status) => { folder = status.folder; where.textContent = folder; show(); }, () => {});
  load();
  const timer = window.setInterval(() => { if (!document.hidden && !list.contains(document.activeElement)) load(); }, 15000);
  const element = el("div", { class: "view" }, viewHeading("Results and games", where),
    el("div", { class: "tools" }, labelled("Find", input), textButton("Look again", load), placeLink(store, { run: "" }, "Trainings"),
      placeLink(store, { new: "" }, "New game file")), chips, problem.element, said, list);
  return { element, leave: () => clearInterval(timer) };
}

/** The games of a file, run or experiment as a table that grows while it is read. */
class GamesTable {
  readonly element: HTMLElement;
  private readonly rows = el("tbody", {});
  private readonly said = el("p", { class: "faint", "aria-live": "polite" });
  private readonly problem = new Problem();
  private readonly more = textButton("More", () => void this.load());
  private readonly filter;
  private readonly look = debounced(250, () => { this.games = 0; void this.load(); });
  private games = 0;
  private asked = 0;

  constructor(private readonly desk: Desk, private readonly store: Store, private readonly path: string) {
    this.filter = store.setting(`games.filter.${path}`, "");
    const input = el("input", { type: "search", value: this.filter.value, placeholder: "a player, 1-0, a game",
                                input: () => { this.filter.value = input.value; this.look(); } });
    this.element = el("section", { class: "games-table", hidden: true }, el("h2", {}, "All games"),
      el("div", { class: "tools" }, labelled("Find", input), this.said), this.problem.element,
      el("div", { class: "scroller", tabindex: 0, role: "region", "aria-label": "Games" },
        el("table", {}, el("thead", {}, el("tr", {}, ...["White", "Black", "Result", "Plies", "Game", "Moves"].map((title) =>
          el("th", { scope: "col", class: title === "Plies" ? "number" : undefined }, title)))), this.rows)), this.more);
    void this.load();
  }
  leave(): void {
    this.look.cancel();
  }

  private async load(): Promise<void> {
    const number = ++this.asked;
    const from = this.games;
    try {
      const filter = this.filter.value.trim();
      const { games, total, searched } = await this.desk.ask("gamesOf", { path: this.path, from, count: kGamesPage, ...(filter ? { filter } : {}) });
      if (number !== this.asked) return;
      this.problem.clear();
      if (from === 0) this.rows.replaceChildren();
      this.rows.append(...games.map((game, i) => this.row(game, from + i)));
      this.games = from + games.length;
      this.said.textContent = (total === 0 ? (filter ? "No game is like that" : "There are none") : `${count(this.games)} of ${count(total)}`) +
        (searched ? ` among the ${count(searched)} that were looked at` : "");
      this.more.hidden = this.games >= total;
      this.element.hidden = total === 0 && filter === "";
    } catch (error) {
      // A report without games of its own.
      if (number === this.asked && from > 0) this.problem.show(error);
    }
  }

  private row(game: ReadGame, number: number): HTMLElement {
    const open = () => this.store.open(game);
    return el("tr", { class: "open-row", click: (event: MouseEvent) => { if (!(event.target as Element).closest("a")) open(); } },
      el("td", {}, placeLink(this.store, tableFields(game.game, game.fen, game.moves), game.white || `game ${number + 1}`)), el("td", {}, game.black),
      el("td", {}, resultText(game.result)), el("td", { class: "number" }, count(game.moves.length)),
      el("td", {}, el("code", {}, game.game)), el("td", { class: "text moves-start" }, game.moves.slice(0, 8).join(" ") + (game.moves.length > 8 ? " …" : "")));
  }
}

function documentView(desk: Desk, store: Store, path: string): View {
  const report = el("div", { class: "report" }, el("p", { class: "faint", "aria-live": "polite" }, "The report is being made."));
  const games = new GamesTable(desk, store, path);
  void desk.ask("document", { path }).then(({ document: data }) => {
    report.replaceChildren(...reportElements(data));
  }, (error) => report.replaceChildren(el("h1", {}, path), el("p", { class: "problem", role: "alert" }, messageOf(error))));
  // The fragment of the address names places of the lab: sections are gone to without it.
  report.addEventListener("click", (event) => {
    const link = (event.target as Element).closest<HTMLAnchorElement>('a[href^="#section-"]');
    if (!link) return;
    event.preventDefault();
    const section = report.querySelector<HTMLElement>(link.getAttribute("href")!);
    section?.scrollIntoView();
    section?.setAttribute("tabindex", "-1");
    section?.focus({ preventScroll: true });
  });
  const element = el("div", { class: "view" }, el("div", { class: "tools path" }, placeLink(store, { folder: "" }, "Results and games"),
    el("span", { class: "faint" }, "/"), el("code", {}, path)), report, games.element);
  return { element, leave: () => games.leave() };
}

export function libraryView(desk: Desk, store: Store): View {
  const path = store.fields.value.folder ?? "";
  return path === "" ? listView(desk, store) : documentView(desk, store, path);
}
