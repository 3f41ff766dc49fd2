// Steps of lab_check.mjs through what surrounds the table: runs, library, reports, positions set up, game files, rules.
// They lay what they look at into the lab's folder.
import { spawn } from "node:child_process";
import { appendFileSync, copyFileSync, existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const kGames = `[Event "views"]
[White "alice"]
[Black "bob"]
[Result "0-1"]
[Variant "gardner"]

1. c3 a3 2. cxb4 Ra4 0-1

[Event "views"]
[White "carol/runs/gardner-64x6/nets/of-the-first-night/002403.pt"]
[Black "alice"]
[Result "*"]
[Variant "gardner"]

1. c3 *
`;

/** A line of a run's metrics. */
function metrics(i, shift = 0) {
  return JSON.stringify({ seconds: 3 * (i + 1), games: 20 * (i + 1), positions: 800 * (i + 1), steps: 50 * (i + 1), cpu_seconds: 5 * (i + 1),
    evaluations: 9000 * (i + 1), learning_rate: 0.003, held_out_policy: 3 + shift - 0.01 * i, held_out_value: 1 - 0.002 * i,
    mean_plies: 50 + (i % 7), white_wins: 0.5, black_wins: 0.4, draws: 0.1, cut: 0, games_per_second: 7, evaluations_per_second: 3000, visits_per_second: 3100,
    steps_per_second: 16, ...(i >= 20 ? { strength: { steps: 50 * (20 * Math.floor(i / 20)), elo: i, elo_95: [i - 80, i + 80], games: 40 } } : {}),
    loss: { total: 4, policy: 2.9 + shift - 0.01 * i, policy_entropy: 1.5, value: 0.99, policy_accuracy: 0.2, value_accuracy: 0.5 } }) + "\n";
}

/** A folder as a training leaves it, without games. */
function makeRun(folder, name, lines, shift = 0) {
  const path = join(folder, "runs", name);
  rmSync(path, { recursive: true, force: true });
  mkdirSync(join(path, "games"), { recursive: true });
  writeFileSync(join(path, "config.toml"), '[run]\nvariant = "gardner"\n');
  writeFileSync(join(path, "metrics.jsonl"), Array.from({ length: lines }, (_, i) => metrics(i, shift)).join(""));
  return join(path, "metrics.jsonl");
}

/** The place of the page without fields that only say how it looks. */
const field = (page, name) => new URLSearchParams(new URL(page.url()).hash.slice(1)).get(name);
const legend = (page, chart) => page.locator(".curves-section figure").filter({ hasText: chart }).locator(".u-legend").first().innerText();

export const steps = {};

steps.watch = async (page, { folder, go, expect, until, looks }) => {
  const file = makeRun(folder, "views-growing", 60);
  makeRun(folder, "views-other", 90, 0.5);
  await go(page, "run=runs/views-growing");
  await page.waitForSelector(".curves-section .uplot");
  const label = () => page.locator(".curves-section .plot").nth(1).getAttribute("aria-label");
  await until("the curves have the last point", async () => /training: 2\.31\b/.test(await label()));
  expect(/Elo/.test(await legend(page, "Strength")), "the strength is not drawn");
  appendFileSync(file, metrics(60) + metrics(61));
  await until("new lines are drawn within five seconds", async () => /training: 2\.29\b/.test(await label()));
  // Zoom, smoothing and axis stay where they are as lines come.
  await page.selectOption(".curves-section select", "steps");
  for (let i = 0; i < 2; ++i) await page.getByRole("button", { name: "Zoom in" }).click();
  await page.locator(".curves-section input[type=range]").fill("0.6");
  const axis = () => page.locator(".curves-section figure:not([hidden])").nth(1).evaluate((figure) => figure.querySelector("canvas").toDataURL());
  const zoom = field(page, "zoom");
  expect(zoom !== null && field(page, "axis") === "steps" && field(page, "smooth") === "0.6", `the address does not say how it looks: ${page.url()}`);
  const drawn = await axis();
  for (let i = 62; i < 66; ++i) appendFileSync(file, metrics(i));
  await until("lines come while it is zoomed", async () => /3,?300/.test(await page.locator(".view > .facts").innerText()));
  await page.waitForTimeout(300);
  expect(field(page, "zoom") === zoom, "new lines have changed the zoom");
  expect((await axis()) === drawn, "new lines have moved a zoomed chart");
  expect((await page.locator(".curves-section input[type=range]").inputValue()) === "0.6", "the slider has moved");
  await page.reload();
  await page.waitForSelector(".curves-section .uplot");
  expect((await page.locator(".curves-section select").first().inputValue()) === "steps", "the axis is forgotten");
  expect(field(page, "zoom") === zoom, "the zoom is forgotten");
  expect((await page.locator(".curves-section input[type=range]").inputValue()) === "0.6", "the smoothing is forgotten");
  // By the pointer: a drag over a chart, and a double click back.
  await page.getByRole("button", { name: "Everything" }).click();
  const over = await page.locator(".curves-section figure:not([hidden]) .u-over").nth(1).boundingBox();
  await page.mouse.move(over.x + 0.3 * over.width, over.y + 40);
  await page.mouse.down();
  await page.mouse.move(over.x + 0.6 * over.width, over.y + 50, { steps: 4 });
  await page.mouse.up();
  await until("a drag zooms", async () => field(page, "zoom") !== null);
  await page.mouse.dblclick(over.x + 0.5 * over.width, over.y + 50);
  await until("a double click shows everything", async () => field(page, "zoom") === null);
  // Another run over it.
  await page.locator(".compare summary").click();
  await page.locator(".choice", { hasText: "runs/views-other" }).locator("input").check();
  await until("the other run is drawn", async () => /views-other/.test(await legend(page, "Policy loss")));
  expect(field(page, "with") === "runs/views-other", "the address does not name the other run");
  await looks(page, "watch");
  // Its folder is deleted: what was drawn stays.
  rmSync(join(folder, "runs/views-growing"), { recursive: true });
  await until("a run that is deleted is shown as such", async () => /deleted/.test(await page.locator(".view-heading .badge").innerText()));
  expect((await page.locator(".curves-section figure:not([hidden]) .uplot").count()) > 2, "its curves are gone");
  // Without the right to start, the buttons say why.
  const stop = page.locator(".view-heading .push", { hasText: /^Stop$/ });
  expect((await stop.getAttribute("aria-disabled")) === "true" && (await page.locator("#why-not").innerText()) !== "", "Stop does not say why it cannot be used");
};

/** The wall of a training that goes on: games move by move, one of them enlarged with what its searches preferred. */
steps.livewall = async (page, { folder, faultline, go, expect, until, looks }) => {
  if (!existsSync(`${faultline}-net`)) return;  // built without LibTorch: nothing can be trained
  rmSync(join(folder, "runs/views-live"), { recursive: true, force: true });
  writeFileSync(join(folder, "live.toml"), `[run]\nvariant = "chess"\nname = "views-live"\n[net]\nblocks = 1\nchannels = 8
[search]\nvisits = 400\n[selfplay]\nthreads = 1\ngames_per_thread = 4\n[fast]\nnetwork = "no"\n`);
  const training = spawn(faultline, ["train", "live.toml"], { cwd: folder, stdio: "ignore" });
  const ended = new Promise((seen) => training.once("exit", seen));
  try {
    await until("the run is there", () => existsSync(join(folder, "runs/views-live/config.toml")), 20_000);
    await go(page, "run=runs/views-live");
    const live = page.locator(".tile", { hasText: /, ply \d/ });
    await until("games in progress are shown", async () => (await live.count()) >= 4, 20_000);
    expect(/in progress/.test(await page.locator(".wall-section h2").innerText()), "the wall does not say that they are in progress");
    const plies = async () => (await live.allInnerTexts()).map((text) => Number(/ply (\d+)/.exec(text)[1])).reduce((sum, ply) => sum + ply, 0);
    const before = await plies();
    await until("they go on", async () => (await plies()) > before);
    await live.first().click();
    const slider = page.locator(".enlarged input[type=range]"), search = page.locator(".enlarged .search");
    const at = async () => Number(await slider.inputValue());
    await page.keyboard.press("End");
    const last = await at();
    await until("the enlarged game is followed", async () => (await at()) > last, 20_000);
    await until("it is said from what the last move was chosen", async () => /chosen from .+ \d+ %/.test(await search.innerText()));
    await page.keyboard.press("ArrowLeft");
    await until("and what the search of a position preferred", async () => /preferred .+ \d+ %/.test(await search.innerText()));
    expect((await page.locator(".enlarged .line-arrow").count()) > 0, "what the search preferred has no arrows");
    const there = await at(), length = Number(await slider.getAttribute("max"));
    await until("the game goes on", async () => Number(await slider.getAttribute("max")) > length, 20_000);
    expect((await at()) === there, "an earlier position does not stay while the game goes on");
    await looks(page, "watch-live");
  } finally {
    training.kill("SIGINT");
    await ended;
  }
  await until("the run is shown as ended", async () => !/running/.test(await page.locator(".view-heading .badge").innerText()), 20_000);
};

steps.library = async (page, { folder, go, expect, until, looks }) => {
  makeRun(folder, "views-growing", 60);
  writeFileSync(join(folder, "views.pgn"), kGames);
  await go(page, "folder");
  await page.reload();
  await page.waitForSelector(".entry");
  const all = await page.locator(".entry").count();
  await page.fill(".view input[type=search]", "views.pgn");
  await until("the filter finds", async () => (await page.locator(".entry").count()) === 1);
  expect(all > 1, "the folder is empty");
  await looks(page, "library");
  await page.fill(".view input[type=search]", "no such thing");
  await until("nothing is found", async () => (await page.locator(".entry").count()) === 0);
  await page.fill(".view input[type=search]", "");
  await page.locator(".chip[data-kind=run]").click();
  expect((await page.locator(".entry:not([data-kind=run])").count()) === 0, "other kinds are shown");
  await page.reload();
  await page.waitForSelector(".entry");
  expect((await page.locator(".entry:not([data-kind=run])").count()) === 0, "the kind is forgotten");
  await page.locator('.chip[data-kind=""]').click();
  // A file of games: its report, and its games in a table that leads to the board.
  await page.locator(".entry a", { hasText: "views" }).first().waitFor();
  await go(page, "folder=views.pgn");
  await page.waitForSelector(".report .viewer .board .pieces");
  await page.waitForSelector(".games-table tbody tr");
  expect((await page.locator(".games-table tbody tr").count()) === 2, "there are not two games");
  expect(await page.locator(".report .card").evaluateAll((all) => all.length === 2 && all.every((one) => one.scrollWidth <= one.clientWidth)),
    "a long name does not fit its card");
  await page.fill(".games-table input[type=search]", "carol");
  await until("a player's games", async () => (await page.locator(".games-table tbody tr").count()) === 1);
  await looks(page, "games");
  await page.locator(".report nav a").last().click();
  expect(field(page, "folder") === "views.pgn", "a link to a section leads away");
  await page.locator(".games-table tbody a").first().click();
  await page.waitForSelector(".lab-table .board .pieces");
  expect(field(page, "g") === "gardner", `a game does not open on its board: ${page.url()}`);
  // A file's or run's game by its number, pasted anywhere.
  await go(page, "");
  await page.evaluate(() => {
    const data = new DataTransfer();
    data.setData("text/plain", "views.pgn 2");
    document.body.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }));
  });
  await until("a game's number opens it", async () => field(page, "m") === "c2c3");
  // The report of a run.
  await go(page, "folder=runs/views-growing");
  await page.waitForSelector(".report section[data-type=curves] .uplot", { timeout: 20_000 });
  await looks(page, "report");
};

steps.setup = async (page, { go, expect, until, looks, families }) => {
  for (const family of families) {
    await go(page, `setup=${family}`);
    await page.waitForSelector(".setup-board .board .pieces g");
    await page.waitForSelector(".palette-piece .piece-icon use");
    await until(`${family}: the start can be played`, async () => !(await page.locator(".verdict").evaluate((one) => one.matches(".bad") || one.innerText === "")));
  }
  await go(page, "setup=gardner");
  await page.waitForSelector(".palette-piece .piece-icon use");
  const verdict = page.locator(".verdict");
  await until("the start can be played", async () => /can be played/.test(await verdict.innerText()));
  const fen = page.locator(".fen");
  const pieces = () => page.locator(".setup-board .pieces > g").count();
  const before = await fen.inputValue();
  const count = await pieces();
  // The white king is taken away, by keys alone.
  await page.locator(".palette-tool", { hasText: "Empty" }).focus();
  await page.keyboard.press("Enter");
  await page.locator(".setup-board").focus();
  const king = () => page.locator(".unseen-text").innerText();
  for (let i = 0; i < 40 && !/white king/.test(await king()); ++i) {
    await page.keyboard.press(i % 6 === 5 ? "ArrowDown" : Math.floor(i / 6) % 2 === 0 ? "ArrowRight" : "ArrowLeft");
    await page.waitForTimeout(15);
  }
  expect(/white king/.test(await king()), "the keys do not find the white king");
  await page.keyboard.press("Delete");
  await until("a position without a king is refused", () => verdict.evaluate((one) => one.matches(".bad")));
  expect((await pieces()) === count - 1, "the king is still drawn");
  expect((await page.locator(".setup-side .push.strong").getAttribute("aria-disabled")) === "true", "it can be played nevertheless");
  await looks(page, "setup");
  await page.keyboard.press("K");
  await until("with its king it can be played again", async () => /can be played/.test(await verdict.innerText()));
  expect((await pieces()) === count, "the king is not drawn");
  // By the pointer: drag out of the palette, a click, and by the text.
  const square = await page.locator(".setup-board .squares polygon").nth(12).boundingBox();
  const at = [square.x + square.width / 2, square.y + square.height / 2];
  const rook = await page.getByRole("button", { name: "White rook" }).boundingBox();
  await page.mouse.move(rook.x + 10, rook.y + 10);
  await page.mouse.down();
  await page.mouse.move(...at, { steps: 5 });
  await page.mouse.up();
  await until("a rook is dragged onto the board", async () => (await fen.inputValue()) !== before);
  await page.locator(".palette-tool", { hasText: "Empty" }).click();
  await page.mouse.click(...at);
  await until("a click empties a square", async () => (await fen.inputValue()).split(" ")[0] === before.split(" ")[0]);
  await fen.fill("nonsense");
  await until("a text that is none is refused", () => verdict.evaluate((one) => one.matches(".bad")));
  await fen.fill(before);
  await until("the text is read", async () => /can be played/.test(await verdict.innerText()));
  await page.locator(".setup-side .push.strong").click();
  await page.waitForSelector(".lab-table .board .pieces");
  expect(field(page, "g") === "gardner" && field(page, "fen") !== null, `it is not played from there: ${page.url()}`);
};

/** Pieces in hand: by clicks, and by keys. */
steps.setuphands = async (page, { go, expect, until, looks }) => {
  await go(page, "setup=data:crazyhouse");
  const take = page.getByRole("button", { name: "Take in hand a white knight" });
  await take.click();
  await until("a click takes a piece in hand", async () => /\[N\]/.test(await page.locator(".fen").inputValue()));
  await take.focus();
  await page.keyboard.press("Enter");
  await until("a key takes another", async () => /\[NN\]/.test(await page.locator(".fen").inputValue()));
  expect(await take.evaluate((one) => document.activeElement === one), "the keyboard is elsewhere after a key");
  await page.getByRole("button", { name: "Put away a white knight" }).click();
  await page.getByRole("button", { name: "Take in hand a black pawn" }).click();
  await until("one is put away", async () => /\[Np\]/.test(await page.locator(".fen").inputValue()));
  await looks(page, "setup-hands");
  await page.locator(".setup-side .push.strong").click();
  await page.waitForSelector(".lab-table .in-hand");
  expect((await page.locator(".in-hand").count()) === 2, "the hands are not those that were set up");
  // One is dropped onto the board.
  await page.locator(".in-hand:not([disabled])").click();
  await page.locator(".cells [aria-label$=', target']").first().waitFor({ state: "attached" });
  await page.locator(".cells [aria-label$=', target']").first().click();
  await until("a piece in hand is dropped", async () => /^N@/.test(await page.locator(".tree .move[data-node]").innerText().catch(() => "")));
  await until("it is in hand no more", async () => (await page.locator(".in-hand").count()) === 1);
  await go(page, "setup=chess");
  await page.waitForSelector(".palette-piece .piece-icon use");
  expect((await page.locator(".setup-hands:visible").count()) === 0, "chess has hands");
};

/** A network plays on the board that it was trained for, and is offered on no other. */
steps.networks = async (page, { folder, go, goTable, ready, expect, until }) => {
  copyFileSync(new URL("../../nets/slanted.pt", import.meta.url), join(folder, "views-net.pt"));
  await go(page, "folder");
  await page.reload();
  await page.locator(".entry[data-kind=net] a").first().click();
  await page.waitForSelector(".lab-table .board .pieces");
  await ready(page);
  expect(field(page, "g") === "slanted:board=mini", `the network's game is ${field(page, "g")}`);
  const players = async () => page.locator(".play-form select").first().locator("option").allInnerTexts();
  await until("the network is offered", async () => (await players()).includes("views-net.pt"));
  await page.click("#tab-analysis");
  await page.keyboard.press("l");
  await page.waitForSelector(".lines li");
  expect(/views-net.*steps, [0-9a-f]{6}/.test(await page.locator(".facts-line").innerText()), "it is not said which network analyses");
  await until("it says how long the game will be", async () => /moves left/.test(await page.locator(".facts-line").innerText()));
  await page.locator(".lines li .move").first().click();
  await until("below the graph, too", () => page.locator(".left-row").isVisible());
  await page.keyboard.press("l");
  await goTable(page, "g=slanted&m=");
  await until("and not on another board", async () => (await players()).includes("alphabeta") && !(await players()).includes("views-net.pt"));
  await goTable(page, "g=slanted&m=&player=nets/none.pt");
  await page.keyboard.press("l");
  await until("a network that is not there is told", async () => /there is no such file.*Start again/s.test(await page.locator(".analysis .notice").innerText()));
  expect((await page.locator(".eval-bar.unknown").count()) === 1 && (await page.locator(".analysis .main").innerText()) === "Analyse",
    "it looks as if something had been found");
};

/** An opponent chosen by its Elo: of a run's nets, or of the network that comes with the program. */
steps.rated = async (page, { folder, goTable, ready, expect, until, looks }) => {
  makeRun(folder, "views-rated", 3);
  const run = join(folder, "runs/views-rated");
  mkdirSync(join(run, "nets"));
  for (const net of ["000100.pt", "000200.pt"]) copyFileSync(new URL("../../nets/gardner.pt", import.meta.url), join(run, "nets", net));
  writeFileSync(join(run, "strength_curve.jsonl"), [[100, 6], [200, 2]].flatMap(([steps, lost]) => Array.from({ length: 20 }, (_, game) => {
    const players = [`net ${steps}`, "alphabeta?depth=1"], white = game % 2;
    return JSON.stringify({ steps, checkpoint: `000${steps}.pt`, white: players[white], black: players[1 - white],
      result: (white === 0) === (game >= lost) ? "1-0" : "0-1", opening: `${steps}/${game >> 1}` }) + "\n";
  })).join(""));
  await goTable(page, "g=gardner&m=");
  await page.click("#tab-play");
  const field = (name) => page.locator(`.play-form label:has(> span:text-is("${name}")) :is(select, input)`);
  await until("opponents can be chosen by Elo", async () => (await field("Opponent").locator("option").allInnerTexts()).includes("by Elo\u2026"));
  await field("Opponent").selectOption("rated");
  const scales = await field("Measured in").locator("option").allInnerTexts();
  expect(scales.some((one) => /^gardner.pt, against alphabeta-1/.test(one)), `the network of the program has no scale: ${scales}`);
  await field("Measured in").selectOption("runs/views-rated, against alphabeta?depth=1");
  const said = () => page.locator(".rated").innerText();
  const slider = field("Elo");
  await slider.fill(await slider.getAttribute("max"));
  await until("the strongest is the closest", async () => /^net 200 is the closest of 3, with \+\d+ \(95 %: .+\) where alphabeta\?depth=1 has 0/.test(await said()));
  await looks(page, "rated");
  await slider.focus();
  await page.keyboard.press("Home");
  await until("the weakest, too, by keys", async () => /^alphabeta\?depth=1 is/.test(await said()));
  expect(/depth=1$/.test(await slider.getAttribute("aria-valuetext")), "a screen reader is not told who it is");
  await page.reload();
  await page.waitForSelector(".connection.on");
  await ready(page);
  await until("the choice is kept", async () => /^alphabeta\?depth=1 is/.test(await said()));
  await slider.fill(await slider.getAttribute("max"));
  await page.selectOption(".play-form label:has-text('You play') select", "black");
  await page.locator(".play-form .primary").click();
  await until("it moves as it was measured", async () => /^net 200 expects .+; \d+ visits/s.test(await page.locator(".expects").innerText().catch(() => "")), 20_000);
  await goTable(page, "g=escher&m=");
  await until("and not in another game", async () => (await page.locator(".rated").count()) === 0 || !/net 200/.test(await said()));
  await page.selectOption(".play-form label:has-text('You play') select", "white");
};

/** The form that starts a training: what is wrong is said while it is typed. */
steps.trainings = async (page, { go, expect, until, looks }) => {
  await go(page, "run");
  await page.waitForSelector(".key-row");
  const area = page.locator(".config-form textarea");
  const mistakes = () => page.locator(".config-form .mistake-list button").count();
  await page.fill(".config-form input[type=search]", "visits");
  const visits = page.locator('.key-row input[data-key="search.visits"]');
  await visits.fill("many");
  await until("a wrong value is told at its line", async () => (await mistakes()) === 1 && (await page.locator(".config-form .gutter .wrong").count()) === 1);
  await looks(page, "trainings");
  await visits.fill("123");
  await until("a value of the list goes into the text", async () => /visits = 123/.test(await area.inputValue()));
  await until("it is right again", async () => (await mistakes()) === 0);
  await area.fill(`${await area.inputValue()}\n[search2]\nvisits = 5\n`);
  await until("what is no key is told", async () => (await mistakes()) > 0);
  const start = page.locator(".config-form .push.strong");
  expect((await start.getAttribute("aria-disabled")) === "true" && /--allow-start/.test(await page.locator("#why-not-start").innerText()),
    "it is not said why nothing can be started");
  await page.reload();
  await page.waitForSelector(".key-row");
  expect(/search2/.test(await area.inputValue()), "what was typed is forgotten");
};

/** A training is started, halted and resumed from the page, by a lab that may. */
steps.starting = async (page, { folder, faultline, open, Server, go, expect, until, looks }) => {
  if (!existsSync(`${faultline}-net`)) return;  // built without LibTorch: nothing can be trained
  const place = join(folder, "starting");
  rmSync(place, { recursive: true, force: true });
  mkdirSync(place);
  const server = new Server(place, "--allow-start");
  await server.start();
  const tab = await open({ browser: page.lane.browser, server }, "desk");
  const state = () => tab.locator(".view-heading .badge").innerText();
  const button = (name) => tab.locator(".view-heading .push", { hasText: new RegExp(`^${name}$`) });
  const disabled = async (name) => (await button(name).getAttribute("aria-disabled")) === "true";
  try {
    await go(tab, "run");
    await tab.waitForSelector(".key-row");
    await tab.locator(".config-form textarea").fill(`[run]\nvariant = "gardner"\nreport_seconds = 1\n[net]\nblocks = 1\nchannels = 8
[search]\nvisits = 4\n[selfplay]\nthreads = 1\ngames_per_thread = 4\nmax_plies = 40\n[learner]\nbatch = 16\nmin_positions = 64
[replay]\nwindow = 2000\nmin_window = 200\n[fast]\nnetwork = "no"\n`);
    await tab.getByLabel("Name of the run").fill("tiny");
    const start = tab.locator(".config-form .push.strong");
    await until("it can be started", async () => (await start.getAttribute("aria-disabled")) !== "true");
    await start.click();
    await until("its page is shown", () => field(tab, "run") === "runs/tiny");
    const trained = async () => Number(/Steps\s+([\d,]+)/.exec(await tab.locator(".view > .facts").innerText())?.[1].replaceAll(",", "") ?? 0);
    await until("it trains", async () => /running/.test(await state()) && (await trained()) > 0, 60_000);
    expect(await disabled("Resume"), "what runs can be resumed");
    await looks(tab, "watch-started", true);
    await button("Stop").click();
    await until("it is stopped", async () => /stopped/.test(await state()), 30_000);
    expect(await disabled("Stop"), "what is stopped can be stopped");
    expect(existsSync(join(place, "runs/tiny/state.json")), "its state was not saved");
    const before = await trained();
    await button("Resume").click();
    await until("it goes on where it was", async () => /running/.test(await state()) && (await trained()) > before, 60_000);
    await button("Stop").click();
    await until("it is stopped again", async () => /stopped/.test(await state()), 30_000);
  } finally {
    await tab.context().close();
    await server.kill("SIGTERM");
  }
};

/** A run that is spread over processes: who plays its games. */
steps.actors = async (page, { folder, faultline, go, expect, until, looks }) => {
  if (!existsSync(`${faultline}-net`)) return;
  rmSync(join(folder, "runs/views-cluster"), { recursive: true, force: true });
  writeFileSync(join(folder, "cluster.toml"), `[run]\nvariant = "gardner"\nname = "views-cluster"\nreport_seconds = 1\n[net]\nblocks = 1\nchannels = 8
[search]\nvisits = 4\n[selfplay]\nthreads = 1\ngames_per_thread = 4\nmax_plies = 40\n[learner]\nbatch = 16\nmin_positions = 64
[replay]\nwindow = 2000\nmin_window = 200\n[fast]\nnetwork = "no"\n`);
  const began = (...args) => spawn(faultline, args, { cwd: folder, stdio: "ignore" });
  const processes = [began("train", "cluster.toml", "--serve", "--learn-only", "--no-check")];
  try {
    await until("the run is there", () => existsSync(join(folder, "runs/views-cluster/config.toml")), 20_000);
    for (let i = 0; i < 2; ++i)
      processes.push(began("actor", "--spool", "runs/views-cluster", "--threads", "1"));
    await go(page, "run=runs/views-cluster");
    const rows = page.locator(".cluster-section tbody tr");
    await until("both actors are listed", async () => (await rows.count()) === 2, 60_000);
    const games = async () => (await rows.locator("td:nth-child(4)").allInnerTexts()).map((text) => Number(text.replaceAll(",", "")));
    await until("games of both are counted", async () => (await games()).every((count) => count > 0), 60_000);
    await page.waitForSelector(".tile .board .pieces");
    await looks(page, "watch-cluster");
    processes[2].kill("SIGINT");
    await until("an actor that has ended is listed no more", async () => (await rows.count()) === 1, 20_000);
  } finally {
    const ended = processes.map((one) => new Promise((seen) => { if (one.exitCode === null) one.once("exit", seen); else seen(); }));
    for (const one of processes) one.kill("SIGINT");
    await Promise.all(ended);
  }
};

steps.newgame = async (page, { go, expect, until, looks }) => {
  await go(page, "new");
  await page.waitForSelector(".newgame .board .pieces g");
  await page.locator(".newgame select option[value=capablanca]").waitFor({ state: "attached" });
  await page.locator(".newgame select").selectOption("capablanca");
  const area = page.locator(".newgame textarea");
  await until("the file is there", async () => /capablanca/.test(await area.inputValue()));
  await until("it can be played", async () => (await page.locator(".newgame .push.strong").getAttribute("aria-disabled")) !== "true");
  const squares = () => page.locator(".beside .squares polygon").count();
  await until("its board has eighty squares", async () => (await squares()) === 80);
  const text = await area.inputValue();
  // A mistake is shown at its line, and goes when it is mended.
  await area.fill(`${text}\nnonsense = 1\n`);
  await page.waitForSelector(".gutter .wrong");
  expect(/Line \d+/.test(await page.locator(".mistake-list").innerText()), "the mistake has no line");
  expect((await page.locator(".newgame .push.strong").getAttribute("aria-disabled")) === "true", "it can be played nevertheless");
  expect((await squares()) === 80, "the last board is gone");
  await looks(page, "newgame-mistake");
  await page.locator(".mistake-list button").first().click();
  expect((await area.evaluate((one) => one.value.slice(one.selectionStart, one.selectionEnd))) !== "", "the mistake does not lead to its line");
  await area.fill(text);
  await until("the mistake is gone", async () => (await page.locator(".gutter .wrong").count()) === 0);
  await page.waitForSelector(".file-pieces .piece-card .board");
  // What was typed is there again.
  await area.fill(text.replace(/^title = .*$/m, 'title = "Views"'));
  await page.reload();
  await page.waitForSelector(".newgame .board .pieces g");
  expect(/"Views"/.test(await area.inputValue()), "the text is forgotten");
  await page.locator(".newgame input[type=text]").fill("views-game.toml");
  await until("it can be saved", async () => (await page.getByRole("button", { name: "Save" }).getAttribute("aria-disabled")) !== "true");
  await page.getByRole("button", { name: "Save" }).click();
  await page.waitForSelector(".toast.shown");
  expect(/Saved/.test(await page.locator(".toast").innerText()), "it is not saved");
  await looks(page, "newgame");
  await page.locator(".newgame .push.strong").click();
  await page.waitForSelector(".lab-table .board .pieces");
};

steps.rules = async (page, { go, expect, until, looks, families }) => {
  for (const family of [...families, "data:shogi"]) {
    await go(page, `rules=${family}`);
    await page.waitForSelector(".piece-card .board .pieces g");
    expect((await page.locator(".piece-card").count()) >= 5, `${family}: pieces are missing`);
    expect((await page.locator(".piece-card .diagram-marks circle").count()) > 20, `${family}: moves are missing`);
    expect((await page.locator(".rules-text").innerText()).length > 100, `${family}: the text is missing`);
    await looks(page, `rules-${family.replace("data:", "").split(":")[0]}`);
  }
  await go(page, "rules=escher");
  await page.waitForSelector(".tile .board .pieces g");
  const [at, of] = (await page.locator(".tile .faint").first().innerText()).split(" / ");
  expect(at === of, `a board that may not move shows ply ${at} of ${of}`);
  await page.locator(".tile").first().click();
  await page.waitForSelector(".enlarged .viewer .board .pieces");
  await page.keyboard.press("Home");
  await page.keyboard.press("ArrowRight");
  await until("the example can be stepped through", async () => (await page.locator(".enlarged input[type=range]").inputValue()) === "1");
  await page.getByRole("button", { name: "Open on the table" }).click();
  await page.waitForSelector(".lab-table .board .pieces");
  expect(field(page, "g") === "escher", "the example does not open on the table");
};

const phone = async (page, { folder, go, looks }) => {
  makeRun(folder, "views-growing", 60);
  writeFileSync(join(folder, "views.pgn"), kGames);
  for (const [name, fragment, wait] of [
    ["watch", "run=runs/views-growing", ".curves-section .uplot"], ["library", "folder", ".entry"], ["games", "folder=views.pgn", ".games-table tbody tr"],
    ["trainings", "run", ".key-row"], ["setup", "setup=inferno", ".palette-piece .piece-icon use"], ["newgame", "new", ".newgame .board .pieces g"],
    ["rules", "rules=inferno", ".piece-card .board .pieces g"]]) {
    await go(page, fragment);
    await page.waitForSelector(wait);
    await page.waitForTimeout(150);
    await looks(page, name);
  }
};
steps.viewsphone = (page, tools) => phone(page, tools);
steps.viewsphone.kind = "phone";
steps.viewsdark = (page, tools) => phone(page, tools);
steps.viewsdark.kind = "dark";
