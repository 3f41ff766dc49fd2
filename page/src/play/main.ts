// The page that plays without a server: the lab's frame, board and table, with the program in a worker.
import { html } from "lit-html";
import { Frame } from "../lab/frame";
import { rulesView } from "../lab/rules";
import { setupView } from "../lab/setup";
import { parsed, Store } from "../lab/store";
import { tableView } from "../lab/table";
import { inside } from "./inside";
import { WorkerDesk } from "./worker_desk";

const data = inside();
const store = new Store();
const desk = new WorkerDesk(data, (text) => { store.notice.value = text; });
let about = "";

const frame = new Frame(desk, store, { g: tableView, rules: rulesView, setup: setupView },
  (link, board) => html`<a class="brand" href="#${data.open}">faultline</a>
    <nav aria-label="Views">${link("", { games: "" }, "Games")} ${board}</nav>
    <span class="grow"></span>
    <button type="button" class="text" title="Keys (?)" @click=${() => frame.keys()}>Keys</button>
    <span class="connection on" role="status" title=${about}>${data.title}</span>`);

if (document.title === "faultline" && data.title) document.title = data.title;
desk.ask("status", {}).then((reply) => { about = `${reply.program}: ${reply.players.join("; ")}`; frame.drawHeader(); })
  .catch((error: Error) => { store.notice.value = error.message; });
if (data.open && location.hash.replace(/^#/, "") === "") store.go(parsed(data.open), true);
frame.show();
