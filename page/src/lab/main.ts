// The lab's page: a frame whose desk is the server.
import { html } from "lit-html";
import { Frame } from "./frame";
import { libraryView } from "./library";
import { newgameView } from "./newgame";
import { rulesView } from "./rules";
import { setupView } from "./setup";
import { Socket } from "./socket";
import { gamesOf, parsed, Store } from "./store";
import { tableView } from "./table";
import { watchView } from "./watch";
import type { Requests } from "./desk";

const store = new Store();
const desk = new Socket();
let connected = true;
let lostSince = 0;
let about: Requests["status"][1] | null = null;

const sign = () => html`<span class="connection ${connected ? "on" : "off"}" role="status"
  title=${about ? `${about.program}, ${about.processors} processors, ${about.folder}` : ""}><span class="sign" aria-hidden="true"></span>${
  connected ? "connected" : desk.refused ? "not let in: open the address that faultline lab printed" : "no server; trying again"}</span>`;

const frame = new Frame(desk, store,
  { g: tableView, run: watchView, folder: libraryView, rules: rulesView, setup: setupView, new: newgameView },
  (link, board) => html`<a class="brand" href="#">faultline <span>lab</span></a>
    <nav aria-label="Views">${link("", {}, "Games")} ${board} ${link("folder", { folder: "" }, "Library")} ${link("new", { new: "" }, "New game")}</nav>
    <span class="grow"></span>
    <button type="button" class="text" title="Keys (?)" @click=${() => frame.keys()}>Keys</button>${sign()}`);

desk.on("status", (status) => {
  const back = status.connected && !connected;
  if (!status.connected && connected) lostSince = performance.now();
  connected = status.connected;
  document.body.classList.toggle("disconnected", !connected);
  if (desk.refused) store.notice.value = "The lab does not know this browser. Open the whole address that `faultline lab` printed.";
  if (back && performance.now() - lostSince > 1000) store.notice.value = "The server is back; the board is as it was.";
  if (connected) desk.ask("status", {}).then((reply) => {
    // What the program was asked to open, unless the address says otherwise.
    if (!about && reply.open && Object.keys(store.fields.value).length === 0) store.go(parsed(reply.open), false);
    about = reply;
    frame.drawHeader();
  }).catch(() => {});
  frame.drawHeader();
});
void gamesOf(desk).catch(() => {});
frame.show();
