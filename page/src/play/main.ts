// The page that plays without a server: the lab's board and table, with the program in a worker.
import { html, nothing, render } from "lit-html";
import { redrawCharts } from "../charts/charts";
import { el } from "../common/dom";
import { RequestError, type Desk } from "../lab/desk";
import { rulesView } from "../lab/rules";
import { setupView } from "../lab/setup";
import { imports } from "../lab/share";
import { startView } from "../lab/start";
import { parsed, Store, tableFields, written, type Fields, type View } from "../lab/store";
import { tableView } from "../lab/table";
import { inside } from "./inside";
import { WorkerDesk } from "./worker_desk";

type MakeView = (desk: Desk, store: Store) => View;

/** By the first field of the URL's fragment. */
const kViews: Record<string, MakeView> = { g: tableView, rules: rulesView, setup: setupView };

const data = inside();
const store = new Store();
const desk = new WorkerDesk(data, (text) => { store.notice.value = text; });
const root = document.getElementById("lab")!;
const header = el("header", { class: "site" });
const stage = el("main", { id: "stage", tabindex: -1 });
const toast = el("div", { class: "toast", role: "status" });
let view: View | null = null;
let shown: MakeView | null = null;
let about = "";

const makerOf = (fields: Fields): MakeView => kViews[Object.keys(fields).find((name) => name in kViews) ?? ""] ?? startView;

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
  const maker = makerOf(store.fields.value);
  const last = store.setting<{ game: string; fen?: string } | null>("table.game", null).value;
  const link = (made: MakeView, fields: Fields, words: string) =>
    html`<a href="#${written(fields)}" aria-current=${maker === made ? "page" : nothing}>${words}</a>`;
  render(html`<a class="brand" href="#${data.open}">faultline</a>
    <nav aria-label="Views">
      ${link(startView, { games: "" }, "Games")}
      ${last ? link(tableView, tableFields(last.game, last.fen), "Board") : nothing}
    </nav>
    <span class="grow"></span>
    <span class="connection on" role="status" title=${about}>${data.title}</span>`, header);
}

async function open(text: string): Promise<void> {
  try {
    const game = store.fields.value.g;
    const { games } = await desk.ask("read", game ? { text, game } : { text });
    if (games.length > 0) store.open(games[0], games[0].moves.length);
  } catch (error) {
    const field = error instanceof RequestError && error.field && error.field !== "text" ? ` (${error.field})` : "";
    store.notice.value = `This cannot be opened: ${(error as Error).message}${field}`;
  }
}

let fading = 0;
store.notice.watch((text) => {
  toast.textContent = text;
  toast.classList.toggle("shown", text !== "");
  clearTimeout(fading);
  if (text) fading = window.setTimeout(() => { store.notice.value = ""; }, Math.max(2500, 70 * text.length));
});
toast.addEventListener("click", () => { store.notice.value = ""; });
imports((text) => void open(text));
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", redrawCharts);

if (document.title === "faultline" && data.title) document.title = data.title;
root.append(el("a", { class: "skip", href: "#stage", click: (event: Event) => { event.preventDefault(); stage.focus(); } }, "To the page"),
  header, stage, toast);
store.fields.watch(show);
desk.ask("status", {}).then((reply) => { about = `${reply.program}: ${reply.players.join("; ")}`; drawHeader(); })
  .catch((error: Error) => { store.notice.value = error.message; });
if (data.open && location.hash.replace(/^#/, "") === "") store.go(parsed(data.open), true);
show();
