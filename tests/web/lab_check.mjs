// Uses the lab in a headless Chromium as its users would: starts the server, plays, analyses, looks, kills the server.
//
//   node lab_check.mjs NODE_MODULES CHROMIUM PICTURES FAULTLINE FOLDER [FILTER]
//
// FOLDER is where the labs' folders are made; with PICTURES not "-", pictures of the views are left there. FILTER: a part of
// the names of the groups of steps that are to be run. Groups run side by side, each in a lane that has a server, a folder
// and a browser of its own: most of the time one of them waits. Prints what is wrong.
import { AsyncLocalStorage } from "node:async_hooks";
import { spawn } from "node:child_process";
import { createRequire } from "node:module";
import { mkdirSync, readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const [modules, executablePath, pictures, faultline, folder, filter = ""] = process.argv.slice(2);
const require = createRequire(join(resolve(modules), "none.js"));
const { chromium } = require("playwright-core");
const axe = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");
const here = dirname(fileURLToPath(import.meta.url));

const kDesk = { width: 1200, height: 900 };
const kPhone = { width: 390, height: 800 };
const kFamilies = ["chess", "escher", "slanted", "earthquake:dx=1,aftershock=3", "inferno:levels=3", "shifting", "gardner"];
const kMostLanes = Math.min(4, availableParallelism() + 1);
const problems = [];
let checks = 0;
/** The name of the group whose steps are run. */
const group = new AsyncLocalStorage();
const problem = (text, name = group.getStore()) => problems.push(`${name}: ${text}`);

/** The server, and the URL with its token. */
class Server {
  constructor(folder, ...more) {
    this.args = ["lab", folder, "--no-browser", ...more];
    this.port = 0;
  }

  start() {
    this.child = spawn(faultline, [...this.args, "--port", String(this.port)], { stdio: ["ignore", "pipe", "pipe"] });
    this.said = "";
    return new Promise((found, failed) => {
      const listen = (data) => {
        this.said += data;
        const url = /http:\/\/\S+/.exec(this.said);
        if (!url) return;
        this.url = url[0];
        this.port = Number(new URL(this.url).port);
        found(this.url);
      };
      this.child.stdout.on("data", listen);
      this.child.stderr.on("data", listen);
      this.child.on("exit", () => failed(new Error(`the server ended: ${this.said}`)));
      setTimeout(() => failed(new Error(`the server says nothing: ${this.said}`)), 10_000);
    });
  }

  kill(signal = "SIGKILL") {
    return new Promise((ended) => {
      this.child.removeAllListeners("exit");
      if (this.child.exitCode !== null || this.child.signalCode !== null) return ended();
      this.child.once("exit", ended);
      this.child.kill(signal);
    });
  }
}

const started = performance.now();

async function makeLane(name) {
  const lane = { folder: join(folder, name) };
  mkdirSync(lane.folder, { recursive: true });
  lane.server = new Server(lane.folder);
  [lane.browser] = await Promise.all([chromium.launch({ executablePath, args: ["--no-sandbox"] }), lane.server.start()]);
  // The token is exchanged for a cookie once: later pages begin where they are wanted.
  const context = await lane.browser.newContext();
  const page = await context.newPage();
  await page.goto(lane.server.url);
  await page.waitForSelector(".connection.on");
  lane.storageState = { ...(await context.storageState()), origins: [] };
  await context.close();
  return lane;
}

/** A page of the lane's lab; `kind`: "desk", "dark" or "phone"; `beside`: another tab of that page's browser. */
async function open(lane, kind, options = {}, beside = null) {
  const { browser, server, storageState } = lane;
  const name = group.getStore();  // events come from elsewhere
  const viewport = kind.startsWith("phone") ? kPhone : kDesk;
  const context = beside?.context() ?? await browser.newContext({ viewport, colorScheme: kind.endsWith("dark") ? "dark" : "light", hasTouch: viewport === kPhone,
    reducedMotion: "reduce", permissions: ["clipboard-read", "clipboard-write"], acceptDownloads: true, storageState, ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(20_000);  // of a busy machine
  page.quiet = false;  // While errors are expected: the server is gone.
  page.on("console", (message) => {
    if (!page.quiet && ["error", "warning"].includes(message.type())) problem(`console: ${message.text()}`, name);
  });
  page.on("pageerror", (error) => problem(error.stack ?? error.message, name));
  page.on("request", (request) => {
    const { host, protocol } = new URL(request.url());
    if (/^(https?|wss?):$/.test(protocol) && host !== `127.0.0.1:${server.port}`) problem(`asks for ${request.url()}`, name);
  });
  await page.goto(storageState ? `${server.url.split("#")[0]}#folder` : server.url);
  await page.waitForSelector(".connection.on");
  page.kind = kind;
  page.lane = lane;
  return page;
}

/** Goes to a place of the page. */
async function go(page, fragment) {
  await page.evaluate((hash) => { location.hash = hash; }, fragment);
}

/** Until the position that is shown can be played from, or the game is over. */
async function ready(page) {
  await page.waitForFunction(() => document.querySelector(".board .pieces") && !document.querySelector(".board.moving") &&
    /to move|won|wins|Drawn|drawn|ends/.test(document.querySelector(".status")?.textContent ?? ""));
}

async function goTable(page, fragment) {
  await go(page, fragment);
  await page.waitForSelector(".lab-table .board .pieces");
  await ready(page);
}

const status = (page) => page.locator(".lab-table .status").innerText();
const currentMove = (page) => page.locator(".tree .move[aria-current]").innerText().catch(() => "");
const drawing = (page) => page.locator(".lab-table svg.board .pieces").first().innerHTML();

function expect(holds, text) {
  ++checks;
  if (!holds) problem(text);
}

/** Waits until something holds; a problem otherwise. */
async function until(what, holds, milliseconds = 12_000) {
  ++checks;
  const end = performance.now() + milliseconds;
  while (performance.now() < end) {
    if (await holds()) return true;
    await new Promise((soon) => setTimeout(soon, 25));
  }
  problem(`${what}: not within ${milliseconds} ms`);
  return false;
}

/** What is cut off, and, unless `quickly`, what has too little contrast or is otherwise unusable (axe, which takes seconds). */
async function looks(page, name, quickly = false) {
  const where = `${name} (${page.kind})`;
  const cut = await page.evaluate(() => {
    const found = [];
    if (document.documentElement.scrollWidth > innerWidth) found.push(`the page is ${document.documentElement.scrollWidth} wide`);
    for (const element of document.querySelectorAll("main *, header *")) {
      if (element.closest(".scroller, .scrolls, svg, .plot, .u-wrap, .live, .unseen, .editor, .tree, .skip") || element.closest("[hidden]")) continue;
      const box = element.getBoundingClientRect();
      if (box.width > 0 && box.height > 0 && (box.right > innerWidth + 1 || box.left < -1))
        found.push(`${element.tagName}.${element.className} reaches from ${box.left.toFixed(0)} to ${box.right.toFixed(0)}`);
    }
    return found.slice(0, 6);
  });
  for (const text of cut) problem(`${where}: ${text}`);
  ++checks;
  if (pictures !== "-") await page.screenshot({ path: join(pictures, `lab-${name}-${page.kind}.png`), fullPage: true });
  if (quickly) return;
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(axe);
  // Of small pictures, which have thousands of parts, a name is enough. Contrast, half of the work, is the desk's on phones, and all
  // that is another in the dark.
  const colours = ["color-contrast", "link-in-text-block"];
  const rules = page.kind === "dark" ? { runOnly: colours } : page.kind === "phone" ? { rules: { "color-contrast": { enabled: false } } } : {};
  const findings = await page.evaluate(async (rules) => {
    const parts = [...document.querySelectorAll(":is(.game-picture, .piece-card, .tile) svg")].map((one) => [one, [...one.childNodes]]);
    for (const [one] of parts) one.replaceChildren();
    const { violations } = await window.axe.run(document, { resultTypes: ["violations"], ...rules });
    for (const [one, nodes] of parts) one.replaceChildren(...nodes);
    return violations.filter((one) => ["serious", "critical"].includes(one.impact)).map((one) =>
      `${one.id}: ${one.nodes.slice(0, 3).map((node) => `${node.target.join(" ")}: ${node.any[0]?.message ?? ""}`).join("; ")}`);
  }, rules);
  for (const text of findings) problem(`${where}: ${text}`);
}

const tools = { go, goTable, ready, status, currentMove, drawing, expect, until, looks, open, Server, families: kFamilies, faultline: resolve(faultline) };

// --- The table, its analysis, review and sharing ---------------------------------------------------------------------

const groups = {};

groups.start = async (page) => {
  await go(page, "");
  await page.waitForSelector(".game-card .board");
  expect((await page.locator(".game-card").count()) >= kFamilies.length, "there are fewer games than families");
  await looks(page, "start");
  await page.fill(".start input[type=search]", "escher");
  expect((await page.locator(".game-card").count()) >= 1, "Escher is not found");
  await page.fill(".start input[type=search]", "");
  await page.locator(".game-link").first().click();
  await page.waitForSelector(".lab-table .board .pieces");
  expect(/^#g=/.test(new URL(page.url()).hash), "a game's card does not lead to its board");
  await until("the header says so", async () => (await page.locator("header [aria-current=page]").innerText()) === "Board");
};

groups.families = async (page) => {
  for (const family of kFamilies) {
    await goTable(page, `g=${family}`);
    const before = await drawing(page);
    await page.locator(".tab, [role=tab]").nth(1).click();
    await page.keyboard.press("Space");  // On the tab: nothing but the tab.
    await page.locator("body").click({ position: { x: 2, y: 2 } });
    await page.keyboard.press("Space");
    await until(`${family}: Space plays a move`, async () => (await page.locator(".tree .move[data-node]").count()) === 1, 15_000);
    await ready(page);
    expect((await drawing(page)) !== before, `${family}: a move changes nothing`);
    await page.keyboard.press("Home");
    await ready(page);
    expect((await drawing(page)) === before, `${family}: Home is not the start`);
    await page.keyboard.press("End");
    await page.reload();
    await page.waitForSelector(".connection.on");
    await ready(page);
    expect((await page.locator(".tree .move[data-node]").count()) === 1, `${family}: the move is gone after a reload`);
    await looks(page, `table-${family.split(":")[0]}`, family !== "slanted");
  }
};

groups.keys = async (page) => {
  await goTable(page, "g=gardner&m=c2c3,a4a3");
  const play = async () => {
    const before = await page.locator(".tree .move[data-node]").count();
    await page.keyboard.press("Space");
    await until("Space plays", async () => (await page.locator(".tree .move[data-node]").count()) > before, 15_000);
    await ready(page);
  };
  await play();
  const last = await status(page);
  await page.keyboard.press("ArrowLeft");
  await until("arrow left goes back", async () => (await status(page)) !== last);
  await page.keyboard.press("Home");
  await until("Home shows the start", async () => (await status(page)).startsWith("Start"));
  await page.keyboard.press("b");
  await until("b goes back to where one was", async () => (await status(page)).startsWith(last.slice(0, 5)) === false && !(await status(page)).startsWith("Start"));
  await page.keyboard.press("End");
  await until("End shows the last position", async () => (await status(page)).startsWith(last.slice(0, 5)));
  await page.keyboard.press("?");
  await page.waitForSelector("dialog[open]");
  expect((await page.locator(".keys kbd").count()) > 15, "the keys are not listed");
  await looks(page, "keys", true);
  await page.keyboard.press("Escape");
  expect((await page.locator("dialog[open]").count()) === 0, "Escape does not close the list");
  await page.keyboard.press("x");
  await until("x hides what the engine says", async () => (await page.locator("body.bare").count()) === 1);
  await page.keyboard.press("x");
  await page.keyboard.press("z");
  await until("z shows the board alone", async () => !(await page.locator(".work-side").isVisible()));
  await page.keyboard.press("z");
  const upright = await page.locator("svg.board").first().innerHTML();
  await page.keyboard.press("f");
  await until("f turns the board", async () => (await page.locator("svg.board").first().innerHTML()) !== upright);
  await until("the address says so", () => page.url().includes("o=black"));
  await page.keyboard.press("f");
};

groups.variations = async (page) => {
  await goTable(page, "g=escher");
  // By text entry, which is there for everybody.
  await page.click("#tab-analysis");
  await page.keyboard.press("l");
  await until("there are several lines", async () => (await page.locator(".lines li").count()) >= 2);
  await page.keyboard.press("l");  // so that no line changes its place while it is clicked
  const moves = page.locator(".lines li .move:first-child");
  const firsts = await moves.evaluateAll((all) => all.map((one) => one.dataset.lineMove));
  expect(firsts.length >= 2, "there are not several lines");
  await page.locator(`[data-line-move="${firsts[0]}"]`).first().click();
  await until("a click on a line goes there", async () => (await currentMove(page)) !== "");
  await page.keyboard.press("Home");
  await page.waitForSelector(".lines li");
  const other = (await moves.evaluateAll((all) => all.map((one) => one.dataset.lineMove))).find((move) => move !== firsts[0]);
  await page.locator(`[data-line-move="${other}"]`).first().click();
  await until("a second one is a variation", async () => (await page.locator(".tree .variation .move[data-node]").count()) === 1);
  const inVariation = await currentMove(page);
  await page.keyboard.press("ArrowDown");
  await until("arrow down changes the variation", async () => (await currentMove(page)) !== inVariation);
  await page.keyboard.press("Home");
  await page.keyboard.press("Shift+ArrowRight");
  await until("Shift + right enters the variation", async () => (await currentMove(page)) === inVariation);
  await page.keyboard.press("Shift+ArrowLeft");
  await until("Shift + left leaves it", async () => (await status(page)).startsWith("Start"));
  await page.keyboard.press("Shift+ArrowRight");
  await page.locator(".notes button", { hasText: "Make main line" }).click();
  await until("it becomes the main line", async () => (await page.locator(".tree > .move[data-node]").first().innerText()) === inVariation);
  await page.fill(".notes textarea", "A quiet start");
  await page.locator(".notes textarea").blur();
  await until("the comment is in the list", async () => (await page.locator(".tree .said").allInnerTexts()).includes("A quiet start"));
  await until("the address says where", () => /[#&]m=/.test(page.url()) && !/ply=/.test(page.url()));
  await page.reload();
  await page.waitForSelector(".tree .variation");
  expect((await page.locator(".tree .said").allInnerTexts()).includes("A quiet start"), "the comment is gone after a reload");
  await page.locator(".notes button", { hasText: "Delete" }).click();
  await until("it can be deleted", async () => (await page.locator(".tree .move[data-node]").count()) === 1);
};

groups.analysis = async (page) => {
  await goTable(page, "g=gardner");
  await page.click("#tab-analysis");
  await new Promise((later) => setTimeout(later, 300));
  expect((await page.locator(".lines li").count()) === 0, "the analysis began by itself");
  await page.keyboard.press("l");
  await page.waitForSelector(".lines li");
  expect((await page.locator(".lines li").count()) === 3, "there are not three lines");
  await until("the bar shows the expectation", async () => /White wins \d+ %/.test((await page.locator(".eval-bar").getAttribute("aria-label")) ?? ""));
  await until("arrows are drawn", async () => (await page.locator(".overlay .line-arrow").count()) >= 1);
  await page.keyboard.press("a");
  await until("a hides arrows", async () => (await page.locator(".overlay .line-arrow").count()) === 0);
  await page.keyboard.press("a");
  await page.keyboard.press("h");
  await until("h shows the policy", async () => (await page.locator(".overlay .heat").count()) >= 1 ||
    /alphabeta/.test(await page.locator(".facts-line").innerText()));
  await page.keyboard.press("h");
  await page.keyboard.down("v");
  await until("v shows values", async () => /^[0-9.]+$|^#/.test((await page.locator(".overlay .line-text").first().textContent()) ?? ""));
  await new Promise((later) => setTimeout(later, 400));
  await page.keyboard.up("v");
  await until("values go when v is released", async () => (await page.locator(".chip[aria-pressed=true]", { hasText: "Values" }).count()) === 0);
  await page.locator(".lines li").nth(1).hover();
  await page.waitForSelector(".line-board:not([hidden]) .board .pieces");
  expect((await page.locator(".lines li").nth(1).getAttribute("data-move")) !== "", "a line has no move");
  await until("and its move on the board", async () => (await page.locator(".overlay .effects .ghost, .overlay .ghost").count()) > 0);
  await looks(page, "analysis");
  await page.mouse.move(5, 5);
  await until("an arrow under the mouse points to its line", async () => {
    const arrow = await page.locator(".overlay .line-text").first().boundingBox().catch(() => null);
    if (arrow) await page.mouse.move(arrow.x + arrow.width / 2, arrow.y + arrow.height / 2);
    return (await page.locator(".lines li.pointed").count()) === 1;
  });
  await page.mouse.move(5, 5);
  // The engine follows the reader: what it says is about the position that is shown.
  await page.locator(".lines li .move").first().click();
  await until("the analysis follows", async () => (await page.locator(".lines li .move").first().innerText()).startsWith("1\u2026"));
  for (let i = 0; i < 6; ++i) await page.keyboard.press(i % 2 === 0 ? "ArrowLeft" : "ArrowRight");
  await page.keyboard.press("Home");
  await until("the lines are of the position shown", async () => (await page.locator(".lines li .move").first().innerText()).startsWith("1. "));
  await page.locator(".analysis .main").click();
  await until("it stops", async () => /stopped|finished/.test(await page.locator(".facts-line").innerText()));
  const lines = await page.locator(".lines li").count();
  expect(lines === 3, "the lines are gone when the analysis stops");
  await page.selectOption("select[aria-label=Lines]", "5");
  await page.selectOption("select[aria-label='How long']", "ms:1000");
  await page.keyboard.press("Escape");
  await page.locator(".analysis .main").click();
  await until("it ends by itself", async () => /finished/.test(await page.locator(".facts-line").innerText()), 15_000);
  await until("there are five lines at the end", async () => (await page.locator(".lines li").count()) === 5);
  const analyst = page.locator("select[aria-label='Who analyses']");
  const usual = await analyst.inputValue();
  await analyst.selectOption("net");
  await page.selectOption("select[aria-label=Lines]", "12");
  await page.selectOption("select[aria-label='How long']", "visits:1000");
  await until("a network's begins with it, and ends by itself", async () => / visits.*finished/.test(await page.locator(".facts-line").innerText()), 20_000);
  await until("numbers of few visits are hollow", async () => (await page.locator(".lines li.hollow", { hasText: "few" }).count()) > 0 &&
    (await page.locator(".overlay .line-arrow.hollow").count()) > 0);
  expect((await page.locator(".lines li:not(.hollow)").count()) > 0, "numbers of many visits are hollow");
  await analyst.selectOption(usual);
  await page.selectOption("select[aria-label=Lines]", "5");
  await page.locator(".line-tools button").nth(1).click();
  await until("a line is copied", async () => /White wins/.test(await page.evaluate(() => navigator.clipboard.readText())));
  await page.reload();
  await page.waitForSelector(".analysis");
  expect((await page.locator("select[aria-label=Lines]").inputValue()) === "5", "the number of lines is forgotten");
  await new Promise((later) => setTimeout(later, 300));
  expect((await page.locator(".analysis .main").innerText()) === "Analyse", "the analysis begins by itself after a reload");
  await page.selectOption("select[aria-label=Lines]", "3");
};

/** Two tabs of one browser, which share its storage, on one game. */
groups.tabs = async (page) => {
  const other = await open(page.lane, "desk", {}, page);
  const lines = (tab) => tab.locator(".lines li").count();
  const facts = (tab) => tab.locator(".facts-line").innerText();
  for (const tab of [page, other]) {
    await goTable(tab, "g=gardner");
    await tab.click("#tab-analysis");
  }
  await page.keyboard.press("l");
  await page.waitForSelector(".lines li");
  expect((await lines(other)) === 0, "the analysis of one tab is in the other");
  await other.fill(".entry", "c2c3");
  await other.locator(".entry").press("Enter");
  await ready(other);
  await other.locator("body").click({ position: { x: 2, y: 2 } });
  await other.keyboard.press("l");
  await other.waitForSelector(".lines li");
  expect((await page.locator(".tree .move[data-node]").count()) === 0, "a move in one tab is in the other");
  const first = await facts(page);
  await until("the first tab's analysis goes on", async () => (await facts(page)) !== first);
  await page.keyboard.press("l");
  await until("it stops", async () => (await page.locator(".analysis .main").innerText()) === "Analyse");
  const before = await facts(other);
  await until("the other tab's does not stop with it", async () => (await facts(other)) !== before);
  expect((await other.locator(".analysis .main").innerText()) !== "Analyse", "the other tab's analysis was stopped");
  const mine = await page.locator("[data-line-move]").first().getAttribute("data-line-move");
  const theirs = await other.locator("[data-line-move]").first().getAttribute("data-line-move");
  expect(/[12]$/.test(mine.slice(0, 2)) && /[45]$/.test(theirs.slice(0, 2)), `the tabs' lines begin with ${mine} and ${theirs}`);
  await other.keyboard.press("l");
  // Each keeps its own game, also by the storage that both write.
  await page.fill(".entry", "b2b3");
  await page.locator(".entry").press("Enter");
  for (const [tab, move] of [[page, "b3"], [other, "c3"]]) {
    await until(`${move} is played`, async () => (await currentMove(tab)).includes(move));
    await until("the address says it", () => /m=/.test(tab.url()));
    await tab.reload();
    await tab.waitForSelector(".connection.on");
    await ready(tab);
    expect((await tab.locator(".tree .move[data-node]").allInnerTexts()).join().includes(move), `${move} is gone after a reload`);
  }
  await other.close();
};

groups.server = async (page) => {
  const { server } = page.lane;
  await goTable(page, "g=gardner");
  await page.click("#tab-analysis");
  await page.keyboard.press("l");
  await page.waitForSelector(".lines li");
  const board = await drawing(page);
  const facts = () => page.locator(".facts-line").innerText();
  page.quiet = true;
  await server.kill();
  await until("a dead server is noticed", async () => (await page.locator(".connection.off").count()) === 1, 2000);
  if (pictures !== "-") await page.screenshot({ path: join(pictures, "lab-lost-desk.png") });
  expect((await drawing(page)) === board, "the board is gone with the server");
  const last = await facts();
  await server.start();
  await until("it goes on once the server is back", async () => (await page.locator(".connection.on").count()) === 1, 5000);
  await until("and so does the analysis", async () => (await facts()) !== last);
  await page.keyboard.press("l");
  // A browser that has neither the token nor a cookie.
  const stranger = await page.lane.browser.newContext();
  const other = await stranger.newPage();
  await other.goto(`${server.url.split("#")[0]}#token=wrong`);
  await until("a browser that is not let in is told so", async () => /not let in/.test(await other.locator(".connection").innerText()));
  expect(!other.url().includes("token"), "the token stays in the address");
  await stranger.close();
};

/** A server that stops without closing its connections. */
groups.silence = async (page) => {
  const { server } = page.lane;
  await goTable(page, "g=gardner");
  page.quiet = true;
  server.child.kill("SIGSTOP");
  await until("a silent server is noticed", async () => (await page.locator(".connection.off").count()) === 1, 3500);
  server.child.kill("SIGCONT");
  await until("it is found again", async () => (await page.locator(".connection.on").count()) === 1, 5000);
};

groups.phone = async (page) => {
  for (const family of ["escher", "inferno:levels=3"]) {
    await goTable(page, `g=${family}`);
    await looks(page, `table-${family.split(":")[0]}`, family === "escher");
  }
  await page.click("#tab-analysis");
  await page.locator(".analysis .main").click();
  await page.waitForSelector(".lines li");
  await page.locator(".line-tools button").first().tap();
  await page.waitForSelector(".line-board:not([hidden]) .board .pieces");
  await looks(page, "analysis");
  await page.locator(".analysis .main").click();
  await go(page, "");
  await page.waitForSelector(".game-card .board");
  await looks(page, "start");
};

groups.dark = async (page) => {
  await go(page, "");
  await page.waitForSelector(".game-card .board");
  await looks(page, "start");
  await goTable(page, "g=escher");
  await page.click("#tab-analysis");
  await page.locator(".analysis .main").click();
  await page.waitForSelector(".lines li");
  await looks(page, "analysis");
};

/** Steps in files of their own: each exports `steps`, an object of functions of (page, tools) by name. */
for (const name of ["board_steps", "views_steps", "game_steps"])
  try {
    const { steps } = await import(join(here, `${name}.mjs`));
    Object.assign(groups, steps);
  } catch (error) {
    if (error.code !== "ERR_MODULE_NOT_FOUND") throw error;
  }

const kinds = { phone: "phone", dark: "dark" };

async function run(lane, name) {
  const steps = groups[name];
  const from = performance.now();
  let page;
  try {
    page = await open(lane, steps.kind ?? kinds[name] ?? "desk");
    await steps(page, { ...tools, folder: lane.folder });
  } catch (error) {
    problem(error.message.split("\n").slice(0, 6).join(" "));
    if (page && pictures !== "-") await page.screenshot({ path: join(pictures, `failed-${name}.png`) }).catch(() => {});
  }
  await page?.context().close();
  console.log(`${name}: ${((performance.now() - from) / 1000).toFixed(1)} s`);
}

/** Takes groups until there are none left. */
async function work(lane, names) {
  for (let name = names.shift(); name; name = names.shift()) await group.run(name, () => run(lane, name));
}

const wanted = Object.keys(groups).filter((name) => name.includes(filter));
const kAlone = ["server", "silence"];  // what happens within two seconds is measured while nothing else goes on
const lanes = [await makeLane("0")];
await work(lanes[0], wanted.filter((name) => kAlone.includes(name)));
const kLong = ["actors", "livewall", "starting", "families"];  // so that none of them is the last
const rest = [...kLong.filter((name) => wanted.includes(name)), ...wanted.filter((name) => ![...kAlone, ...kLong].includes(name))];
while (lanes.length < Math.min(kMostLanes, rest.length)) lanes.push(await makeLane(`${lanes.length}`));
await Promise.all(lanes.map((lane) => work(lane, rest)));
for (const { browser, server } of lanes) {
  await browser.close();
  await server.kill("SIGTERM");
}
for (const text of problems) console.log(text);
console.log(`${checks} checks, ${problems.length} problems, ${((performance.now() - started) / 1000).toFixed(0)} s`);
process.exit(problems.length > 0 ? 1 : 0);
