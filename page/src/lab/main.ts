// The lab's page: finds out where it is, and shows the view of that place.
import { html, nothing, render } from "lit-html";
import { redrawCharts } from "../charts/charts";
import { el } from "../common/dom";
import { libraryView } from "./library";
import { newgameView } from "./newgame";
import { rulesView } from "./rules";
import { setupView } from "./setup";
import { imports } from "./share";
import { Socket } from "./socket";
import { startView } from "./start";
import { gamesOf, Store, tableFields, written, type Fields, type View } from "./store";
import { tableView } from "./table";
import { watchView } from "./watch";
import { RequestError, type Desk, type ReadGame, type Requests } from "./desk";

type MakeView = (desk: Desk, store: Store) => View;

/** By the first field of the URL's fragment. */
const kViews: Record<string, MakeView> =
  { g: tableView, run: watchView, folder: libraryView, rules: rulesView, setup: setupView, new: newgameView };

const kKeys: [string, string][] = [
  ["\u2190 \u2192", "back and forward"], ["Home End", "first and last position"],
  ["\u2191 \u2193", "the variation before or after this one"],
  ["Shift + \u2192", "into the variation"], ["Shift + \u2190", "out of the variation"],
  ["Space", "play the best move"], ["l", "start or stop the analysis"],
  ["a", "arrows of the analysis; held: for as long"], ["h", "policy map; held: for as long"], ["v", "values at the arrows; held: for as long"],
  ["x", "hide what the engine says"], ["z", "the board alone"], ["f", "turn the board"],
  ["n", "next mistake"], ["b", "back to where I was"],
  ["Tab", "to the board, where arrows go from square to square and Enter picks up and drops"],
  ["Esc", "put the piece back"], ["?", "this list"],
];

const store = new Store();
const desk = new Socket();
const root = document.getElementById("lab")!;
const header = el("header", { class: "site" });
const stage = el("main", { id: "stage", tabindex: -1 });
const toast = el("div", { class: "toast", role: "status" });
const dialog = el("dialog", { class: "sheet" });
let view: View | null = null;
let shown: MakeView | null = null;
let connected = true;
let lostSince = 0;
let about: Requests["status"][1] | null = null;

const nameOf = (fields: Fields): string => Object.keys(fields).find((name) => name in kViews) ?? "";
const makerOf = (fields: Fields): MakeView => kViews[nameOf(fields)] ?? startView;

function show(): void {
  const fields = store.fields.value;
  const maker = makerOf(fields);
  if (maker !== shown || !view?.moved?.(fields)) {
    view?.leave();
    shown = maker;
    view = maker(desk, store);
    stage.replaceChildren(view.element);
    if (!("g" in fields)) scrollTo(0, 0);
  }
  drawHeader();
}

function drawHeader(): void {
  const at = nameOf(store.fields.value);
  const link = (name: string, fields: Fields, words: string) =>
    html`<a href="#${written(fields)}" aria-current=${at === name ? "page" : nothing}>${words}</a>`;
  const last = store.setting<{ game: string; fen?: string } | null>("table.game", null).value;
  render(html`<a class="brand" href="#">faultline <span>lab</span></a>
    <nav aria-label="Views">
      ${link("", {}, "Games")}
      ${last ? link("g", tableFields(last.game, last.fen), "Board") : nothing}
      ${link("folder", { folder: "" }, "Library")}
      ${link("new", { new: "" }, "New game")}
    </nav>
    <span class="grow"></span>
    <button type="button" class="text" title="Keys (?)" @click=${() => sheet(keyList())}>Keys</button>
    <span class="connection ${connected ? "on" : "off"}" role="status" title=${about ? `${about.program}, ${about.processors} processors, ${about.folder}` : ""}>
      ${connected ? html`<span class="sign" aria-hidden="true"></span>connected` : html`<span class="sign" aria-hidden="true"></span>no server; trying again`}</span>`, header);
}

function sheet(content: unknown): void {
  render(html`<button type="button" class="close text" aria-label="Close" @click=${() => dialog.close()}>\u00d7</button>${content}`, dialog);
  if (!dialog.open) dialog.showModal();
}

const keyList = () => html`<h2>Keys</h2><dl class="keys">${kKeys.map(([key, words]) => html`<div><dt>${key.split(" ").map((one) =>
  one === "+" ? " + " : html`<kbd>${one}</kbd>`)}</dt><dd>${words}</dd></div>`)}</dl>`;

/** Any text: a position or a game is shown at once, of several one is chosen. */
async function open(text: string): Promise<void> {
  try {
    const game = store.fields.value.g;
    const { games } = await desk.ask("read", game ? { text, game } : { text });
    if (games.length === 1) store.open(games[0], games[0].moves.length);
    else if (games.length > 1) sheet(choice(games));
  } catch (error) {
    const field = error instanceof RequestError && error.field && error.field !== "text" ? ` (${error.field})` : "";
    store.notice.value = `This cannot be opened: ${(error as Error).message}${field}`;
  }
}

const choice = (games: ReadGame[]) => html`<h2>${games.length} games</h2><ul class="choice">${games.map((game, i) => html`<li>
  <button type="button" class="quiet" @click=${() => { dialog.close(); store.open(game); }}>${game.name ?? `${i + 1}.`}
    ${game.white || "?"} \u2013 ${game.black || "?"} <span class="faint">${game.result}, ${game.moves.length} plies, ${game.game}</span></button></li>`)}</ul>`;

let fading = 0;
store.notice.watch((text) => {
  toast.textContent = text;
  toast.classList.toggle("shown", text !== "");
  clearTimeout(fading);
  if (text) fading = window.setTimeout(() => { store.notice.value = ""; }, Math.max(2500, 70 * text.length));
});
toast.addEventListener("click", () => { store.notice.value = ""; });

desk.on("status", (status) => {
  const back = status.connected && !connected;
  if (!status.connected && connected) lostSince = performance.now();
  connected = status.connected;
  document.body.classList.toggle("disconnected", !connected);
  if (back && performance.now() - lostSince > 1000) store.notice.value = "The server is back; the board is as it was.";
  if (connected) desk.ask("status", {}).then((reply) => { about = reply; drawHeader(); }).catch(() => {});
  drawHeader();
});
document.addEventListener("keydown", (event) => {
  const target = event.target as HTMLElement;
  if (event.key !== "?" || target.closest("input, textarea, select")) return;
  event.preventDefault();
  if (dialog.open) dialog.close();
  else sheet(keyList());
});
dialog.addEventListener("click", (event) => { if (event.target === dialog) dialog.close(); });
imports((text) => void open(text));
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", redrawCharts);

root.append(el("a", { class: "skip", href: "#stage", click: (event: Event) => { event.preventDefault(); stage.focus(); } }, "To the page"),
  header, stage, toast, dialog);
store.fields.watch(show);
void gamesOf(desk).catch(() => {});
show();
