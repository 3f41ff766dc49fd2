// What one does at a board: by mouse, by touch, by keyboard alone. lab_check.mjs calls these steps.

/** Numbers of squares by their names, as the grid's labels have them. */
const cellOf = (page, name) => page.evaluate((wanted) => {
  const cell = [...document.querySelectorAll("[data-cell]")].find((one) =>
    (one.getAttribute("aria-label") ?? "").split(",")[0] === wanted);
  return cell ? Number(cell.dataset.cell) : -1;
}, name);

/** The middle of a square on the screen; the page is scrolled to it. */
const middle = (page, cell) => page.evaluate((number) => {
  const element = document.querySelector(`[data-cell="${number}"]`);
  let box = element.getBoundingClientRect();
  if (box.top < 60 || box.bottom > innerHeight - 10) element.scrollIntoView({ block: "center" });
  box = element.getBoundingClientRect();
  return [box.x + box.width / 2, box.y + box.height / 2];
}, cell);

const moves = (page) => page.locator(".tree .move[data-node]").count();
const note = (page) => page.locator(".board-note").innerText();
const said = (page) => page.evaluate(() => document.querySelector(".play-board .live").textContent);
const targets = (page) => page.locator(".cells [aria-label$=', target']").evaluateAll((all) => all.map((one) => Number(one.dataset.cell)));
const handled = (page) => page.locator(".cells .handled").evaluateAll((all) => all.map((one) => Number(one.dataset.cell)));

async function press(page, cell) {
  const [x, y] = await middle(page, cell);
  if (page.kind.startsWith("phone")) await page.touchscreen.tap(x, y);
  else await page.mouse.click(x, y);
}

/** Picks up the first piece that can move; returns its square and one to which it can go. */
async function pickAny(page) {
  for (const from of await handled(page)) {
    await press(page, from);
    const [to] = await targets(page);
    if (to !== undefined) return { from, to };
    await press(page, from);
  }
  throw new Error("no piece can be picked up");
}

/** A finger that goes from one square to another; `hold`: milliseconds that it rests first. */
async function swipe(page, from, to, hold = 0) {
  const session = await page.context().newCDPSession(page);
  await middle(page, to);
  const [x, y] = await middle(page, from);
  const [u, v] = await page.evaluate((number) => {
    const box = document.querySelector(`[data-cell="${number}"]`).getBoundingClientRect();
    return [box.x + box.width / 2, box.y + box.height / 2];
  }, to);
  const touch = (type, points) => session.send("Input.dispatchTouchEvent", { type, touchPoints: points });
  await touch("touchStart", [{ x, y }]);
  if (hold > 0) await page.waitForTimeout(hold);
  for (let i = 1; i <= 5; ++i) await touch("touchMove", [{ x: x + ((u - x) * i) / 5, y: y + ((v - y) * i) / 5 }]);
  await touch("touchEnd", []);
  await session.detach();
}

async function drag(page, from, to, button = "left") {
  const [x, y] = await middle(page, from), [u, v] = await middle(page, to);
  await page.mouse.move(x, y);
  await page.mouse.down({ button });
  await page.mouse.move((x + u) / 2, (y + v) / 2, { steps: 3 });
  await page.mouse.move(u, v, { steps: 3 });
  await page.mouse.up({ button });
}

/** A move by clicks and one by dragging. */
async function clicksAndDrags(page, { families, goTable, ready, until, expect }) {
  for (const family of families) {
    await goTable(page, `g=${family}&m=`);
    const clicked = await pickAny(page);
    await press(page, clicked.from);
    expect((await targets(page)).length === 0, `${family}: a second click does not put the piece back`);
    await press(page, clicked.from);
    await press(page, clicked.to);
    if (await page.locator(".chooser-menu:not([hidden])").count()) await page.keyboard.press("Enter");
    await until(`${family}: a move by two clicks`, async () => (await moves(page)) === 1);
    await ready(page);
    const dragged = await pickAny(page);
    await press(page, dragged.from);
    if (page.kind.startsWith("phone")) await swipe(page, dragged.from, dragged.to);
    else await drag(page, dragged.from, dragged.to);
    if (await page.locator(".chooser-menu:not([hidden])").count()) await page.keyboard.press("Enter");
    await until(`${family}: a move by dragging`, async () => (await moves(page)) === 2);
    await ready(page);
    expect((await page.locator(".lifted, .overlay .hand > *").count()) === 0, `${family}: a piece hangs in the air`);
  }
}

const board = (page, tools) => clicksAndDrags(page, tools);
const boardOnPhones = (page, tools) => clicksAndDrags(page, tools);
boardOnPhones.kind = "phone";

/** An illegal drop, the mark of a user, and what is hovered. */
async function boardDrops(page, { goTable, until, expect, drawing }) {
  await goTable(page, "g=chess");
  const before = await drawing(page);
  const from = await cellOf(page, "e2"), wrong = await cellOf(page, "e5");
  await drag(page, from, wrong);
  await until("an illegal drop flies back", async () => (await page.locator(".overlay .hand > *").count()) === 0);
  expect((await moves(page)) === 0 && (await drawing(page)) === before, "an illegal drop changes something");
  await until("an illegal drop is told", async () => /not legal/.test(await note(page)));
  await drag(page, from, wrong, "right");
  expect((await page.locator(".overlay .user-arrow").count()) === 1, "the right button draws no arrow");
  await drag(page, wrong, wrong, "right");
  expect((await page.locator(".overlay .user-circle").count()) === 1, "the right button draws no circle");
  await until("arrows are in the address", () => /a=\d+-\d+/.test(page.url()));
  await drag(page, from, wrong, "right");
  expect((await page.locator(".overlay .user-arrow").count()) === 0, "an arrow that is drawn twice stays");
  const [x, y] = await middle(page, await cellOf(page, "g1"));
  await page.mouse.move(x, y);
  await until("the square under the mouse is named", async () => /^g1: .*knight/i.test(await note(page)));
}

/** What a move does to the board is seen before it is made. */
async function boardPreviews(page, { goTable, until, expect, looks }) {
  await goTable(page, "g=escher&m=e2e4,e7e5");
  await press(page, await cellOf(page, "f1"));
  const from = performance.now();
  const [x, y] = await middle(page, await cellOf(page, "c4"));
  await page.mouse.move(x, y);
  await until("ghosts show where pieces are carried", async () => (await page.locator(".overlay .ghost").count()) >= 5, 1000);
  expect(performance.now() - from < 1000, "a preview takes long");
  expect((await page.locator(".overlay .attacked").count()) > 0, "no attacked squares are shown");
  expect(/Bc4/.test(await note(page)) && (await note(page)).length > 20, `the preview is told as: ${await note(page)}`);
  await looks(page, "preview");
  await page.keyboard.press("Escape");
  await until("Escape ends the preview", async () => (await page.locator(".overlay .ghost, .overlay .target").count()) === 0);
  await goTable(page, "g=inferno:levels=2&fen=r3k2r/8/8/8/8/8/8/R3K2R|N5k1/5ppp/8/8/8/8/5PPP/3R2K1 w KQkq|- - 5 9");
  await press(page, await cellOf(page, "2d1"));
  const [u, v] = await middle(page, await cellOf(page, "2d8"));
  await page.mouse.move(u, v);
  await until("the squares of a level that vanishes are hatched", async () => (await page.locator(".overlay .vanishing").count()) === 64, 1000);
  expect((await page.locator(".overlay .lost").count()) >= 4, "what is lost with a level is not crossed out");
  await looks(page, "preview-levels");
}

/** Movements of the board alone: drawn along, and from the list. */
async function boardMovements(page, { goTable, ready, until, expect }) {
  await goTable(page, "g=earthquake:dx=1,aftershock=3");
  expect((await page.locator(".handles [data-handle]").count()) >= 2, "movements of the board have no handles");
  const box = await page.locator(".handles [data-handle] .handle:not(.reach)").first().boundingBox();
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  await page.mouse.move(x, y);
  await until("a handle shows what it does", async () => (await page.locator(".overlay .displaced").count()) > 0);
  await page.mouse.click(x, y);
  await until("a click on a handle moves the board", async () => (await moves(page)) === 1);
  await ready(page);
  await goTable(page, "g=shifting");
  const listed = page.locator(".board-moves button");
  expect((await listed.count()) >= 2, "movements of the board are not listed");
  await listed.first().focus();
  await until("a listed movement is shown", async () => (await page.locator(".overlay .displaced").count()) > 0);
  await page.keyboard.press("Enter");
  await until("a listed movement is made", async () => (await moves(page)) === 1);
}

/** Which piece a pawn becomes is chosen at the square. */
async function boardChooser(page, { goTable, until, expect, looks }) {
  await goTable(page, "g=chess&fen=3r3k/2P5/8/8/8/8/8/K7 w - - 0 1");
  await press(page, await cellOf(page, "c7"));
  await press(page, await cellOf(page, "d8"));
  const open = page.locator(".chooser-menu:not([hidden]) button");
  await until("promotions are offered", async () => (await open.count()) === 4);
  expect(/queen/i.test(await open.first().innerText()), "the queen is not the first");
  await looks(page, "chooser");
  await page.keyboard.press("Escape");
  await until("Escape takes the piece back", async () => (await open.count()) === 0 && (await targets(page)).length === 0);
  expect((await moves(page)) === 0, "Escape plays a move");
  await press(page, await cellOf(page, "c7"));
  await press(page, await cellOf(page, "d8"));
  await page.keyboard.press("ArrowRight");
  const name = (await page.evaluate(() => document.activeElement.textContent)).trim();
  await page.keyboard.press("Enter");
  await until("the choice is played", async () => (await moves(page)) === 1);
  expect(name !== "queen" && name !== "", `arrows do not walk through the choices: ${name}`);
}

/** A whole exchange by keys: walking, picking up, dropping, a typed move. */
async function boardKeys(page, { goTable, ready, until, expect }) {
  await goTable(page, "g=escher");
  await until("squares have words", async () => (await cellOf(page, "e2")) >= 0);
  await page.locator(".cells [tabindex='0']").focus();
  const at = () => page.evaluate(() => document.activeElement.getAttribute("aria-label") ?? "");
  for (let i = 0; i < 12 && !(await at()).startsWith("e"); ++i) await page.keyboard.press("ArrowLeft");
  for (let i = 0; i < 12 && !(await at()).startsWith("e2"); ++i)
    await page.keyboard.press((await at()).startsWith("e1") ? "ArrowUp" : "ArrowDown");
  expect(/^e2, .*pawn/i.test(await at()), `arrow keys lead to ${await at()}`);
  await page.keyboard.press("Enter");
  await until("Enter picks up", async () => (await targets(page)).length > 0);
  expect(/picked up/.test(await at()), "what is picked up is not said");
  await page.keyboard.press("Escape");
  await until("Escape cancels", async () => (await targets(page)).length === 0);
  await page.keyboard.press("Enter");
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("Enter");
  await until("Enter drops", async () => (await moves(page)) === 1);
  await ready(page);
  await until("the move is said", async () => /1\. e4/.test(await said(page)));
  expect(/^e4/.test(await at()), `the keyboard is at ${await at()} after the move`);
  await page.fill(".entry", "e9");
  await page.keyboard.press("Enter");
  await until("a wrong move is refused with near ones", async () => /Near it: /.test(await page.locator(".entry-error").innerText()));
  await page.fill(".entry", "e5");
  await page.keyboard.press("Enter");
  await until("a typed move is played", async () => (await moves(page)) === 2);
  const settings = page.locator(".board-settings summary");
  await settings.focus();
  await page.keyboard.press("Enter");
  await page.locator(".board-options label", { hasText: "Board in words" }).click();
  await until("the board is told in words", async () => (await page.locator(".in-words li").count()) > 20 &&
    /Staircase/.test(await page.locator(".in-words").innerText()));
  await page.locator(".board-options label", { hasText: "Board in words" }).click();
}

/** A game to its end without a mouse. */
async function boardGameByKeys(page, { goTable, ready, until, status }) {
  await goTable(page, "g=chess");
  await until("squares have words", async () => (await cellOf(page, "e2")) >= 0);
  await page.locator(".cells [tabindex='0']").focus();
  const at = async () => (await page.evaluate(() => document.activeElement.getAttribute("aria-label") ?? "")).slice(0, 2);
  const walk = async (to) => {
    for (let i = 0; i < 16 && (await at()) !== to; ++i) {
      const [file, rank] = await at();
      await page.keyboard.press(file < to[0] ? "ArrowRight" : file > to[0] ? "ArrowLeft" : rank < to[1] ? "ArrowUp" : "ArrowDown");
    }
  };
  const game = [["f2", "f3"], ["e7", "e5"], ["g2", "g4"], ["d8", "h4"]];
  for (const [i, [from, to]] of game.entries()) {
    for (const square of [from, to]) {
      await walk(square);
      await page.keyboard.press("Enter");
    }
    await until(`${from}${to} is played by keys`, async () => (await moves(page)) === i + 1);
    await ready(page);
  }
  await until("a game is played to its end by keys", async () => /Checkmate: black wins/.test(await status(page)));
}

/** Three beats, each of which waits for its key. */
async function boardBeats(page, { goTable, until, expect }) {
  await page.emulateMedia({ reducedMotion: "no-preference" });
  await goTable(page, "g=escher&m=e2e4,e7e5");
  await page.locator(".board-settings summary").click();
  await page.locator(".board-options label", { hasText: "waits for a key" }).click();
  await press(page, await cellOf(page, "f1"));
  await press(page, await cellOf(page, "c4"));
  await until("a move waits for its first beat", async () => (await page.locator(".board.moving").count()) === 1);
  const where = () => page.evaluate(() => [...document.querySelectorAll(".pieces > [data-square]")].map((one) => one.getAttribute("transform")).join());
  await page.locator("body").click({ position: { x: 3, y: 3 } });
  let beats = 0;
  for (let i = 0; i < 4 && (await page.locator(".board.moving").count()) === 1; ++i) {
    const before = await where();
    await page.keyboard.press(".");
    await page.waitForTimeout(700);
    if ((await where()) !== before) ++beats;
  }
  expect(beats >= 2, `a move has ${beats} beats that move something`);
  await until("it ends", async () => (await page.locator(".board.moving").count()) === 0);
  await page.locator(".board-options label", { hasText: "waits for a key" }).click();
  await page.locator(".board-options input[type=range]").fill("50");
  await page.locator("button[aria-label='Show the last move again']").click();
  await until("the last move is shown again", async () => (await page.locator(".board.moving").count()) === 1);
  await until("and ends", async () => (await page.locator(".board.moving").count()) === 0);
  await page.emulateMedia({ reducedMotion: "reduce" });
  await page.locator("button[aria-label='Show the last move again']").click();
  await until("without motion, arrows show what moved", async () => (await page.locator(".overlay .path").count()) >= 5);
}

/** A game against an engine: premove, take back while it thinks, hint, resign. */
async function boardGame(page, { goTable, ready, until, expect, looks }) {
  await goTable(page, "g=gardner");
  await page.click("#tab-play");
  await page.selectOption(".play-form label:has-text('You play') select", "white");
  await page.selectOption(".play-form label:has-text('Strength') select", "ms:3000");
  await page.locator(".play-form .primary").click();
  await ready(page);
  const first = await pickAny(page);
  await press(page, first.to);
  await until("the engine thinks", async () => /thinks/.test(await page.locator(".play-status").innerText()));
  expect(/thinks/.test(await page.locator("button[aria-label^='Hint']").getAttribute("title")), "a button does not say why it is disabled");
  await page.locator("button[aria-label^='Take back']").click();
  await until("a move can be taken back while the engine thinks", async () => (await moves(page)) === 0);
  await page.waitForTimeout(300);
  expect(/Your move/.test(await page.locator(".play-status").innerText()), "it is not the user's move after taking back");
  await ready(page);
  const again = await pickAny(page);
  await press(page, again.to);
  await until("the engine thinks again", async () => /thinks/.test(await page.locator(".play-status").innerText()));
  await ready(page);
  // Queued: to where it stands, which is never legal.
  const [own, other] = await handled(page);
  await press(page, own);
  await press(page, other === own ? again.to : other);
  await page.waitForTimeout(100);
  await looks(page, "premove");
  await until("the engine moves", async () => (await moves(page)) === 2, 10000);
  await until("it is the user's turn", async () => /Your move/.test(await page.locator(".play-status").innerText()));
  await until("what is not legal then is dropped, with a mark", async () =>
    (await page.locator(".overlay .refused").count()) >= 1 && /not legal now: dropped/.test(await said(page)));
  expect((await moves(page)) === 2, "an illegal move was made");
  await page.keyboard.press("Escape");
  await page.selectOption(".play-form label:has-text('Strength') select", "ms:100");
  await page.locator("button[aria-label^='Hint']").click();
  await until("a hint is shown", async () => (await page.locator(".overlay .ghost").count()) > 0);
  await page.locator("button[aria-label='Resign']").click();
  await page.locator("button[aria-label='Resign']").click();
  await until("the game is resigned", async () => /resigned/.test(await page.locator(".lab-table .status").innerText()));
}

/** A move that is queued, is made when the turn comes; what a pawn becomes is chosen before. */
async function boardPremove(page, { goTable, ready, until }) {
  await goTable(page, "g=chess&fen=7k/P7/8/8/8/8/1P6/4K3 w - - 0 1");
  await page.click("#tab-play");
  await page.selectOption(".play-form label:has-text('You play') select", "white");
  await page.selectOption(".play-form label:has-text('Strength') select", "ms:3000");
  await page.selectOption(".play-form label:has-text('Clock') select", "1+1");
  await page.locator(".play-form button", { hasText: "Play from here" }).click();
  await ready(page);
  for (const name of ["b2", "b4"]) await press(page, await cellOf(page, name));
  await until("the engine thinks", async () => /thinks/.test(await page.locator(".play-status").innerText()));
  await ready(page);
  for (const name of ["a7", "a8"]) await press(page, await cellOf(page, name));
  await until("a queued move is shown", async () => (await page.locator(".overlay .queued-arrow").count()) === 1);
  await page.locator(".promotions button", { hasText: "knight" }).click();
  await until("a queued move is made", async () => (await moves(page)) >= 3, 10000);
  await until("and promotes as it was chosen", async () => /a8=N/.test(await page.locator(".tree").innerText()));
  await until("the clocks run, with what a move adds", async () =>
    (await page.locator(".clock time").allInnerTexts()).every((text) => /^(1:0\d|0:5\d)$/.test(text)) && (await page.locator(".clock.running").count()) === 1);
}

/** Arrows and circles by touch, and what stays on a tall board. */
async function boardMarksOnPhones(page, { goTable, until, expect }) {
  await goTable(page, "g=chess");
  const from = await cellOf(page, "e4"), to = await cellOf(page, "e5");
  await swipe(page, from, from, 600);
  expect((await page.locator(".overlay .user-circle").count()) === 1, "a long press draws no circle");
  await swipe(page, from, to, 600);
  expect((await page.locator(".overlay .user-arrow").count()) === 1, "a long press and a drag draw no arrow");
  await press(page, await cellOf(page, "d5"));
  await until("a tap elsewhere takes them away", async () => (await page.locator(".overlay .own > *").count()) === 0);
}
boardMarksOnPhones.kind = "phone";

/** Under a filter: what is drawn on squares is told apart without green and red. */
async function boardColours(page, { goTable, ready, until, expect }) {
  const session = await page.context().newCDPSession(page);
  await session.send("Emulation.setEmulatedVisionDeficiency", { type: "deuteranopia" });
  const fen = (knight) => `g=chess&fen=4k3/8/8/3p4/8/2${knight}5/8/4K3 w - - 0 1`;
  const picture = async (name) => {
    await page.mouse.move(2, 2);
    const box = await page.locator(`[data-cell="${await cellOf(page, name)}"]`).boundingBox();
    const clip = { x: Math.ceil(box.x), y: Math.ceil(box.y), width: Math.floor(box.width) - 1, height: Math.floor(box.height) - 1 };
    return (await page.screenshot({ clip })).toString("base64");
  };
  const pictures = async (names) => Object.fromEntries(await names.reduce(async (all, name) => [...await all, [name, await picture(name)]], []));
  /** The share of a square that is another colour: a fifth of the way from black to white, over all channels. */
  const share = (before, after) => page.evaluate(async (both) => {
    const [a, b] = await Promise.all(both.map(async (one) => {
      const image = new Image();
      image.src = `data:image/png;base64,${one}`;
      await image.decode();
      const canvas = document.createElement("canvas");
      [canvas.width, canvas.height] = [image.width, image.height];
      const context = canvas.getContext("2d");
      context.drawImage(image, 0, 0);
      return context.getImageData(0, 0, image.width, image.height).data;
    }));
    let other = 0;
    for (let i = 0; i < a.length; i += 4)
      if (Math.abs(a[i] - b[i]) + Math.abs(a[i + 1] - b[i + 1]) + Math.abs(a[i + 2] - b[i + 2]) > 0.2 * 255) ++other;
    return (4 * other) / a.length;
  }, [before, after]);
  await goTable(page, fen("n"));
  await until("squares have words", async () => (await cellOf(page, "c3")) >= 0);
  const black = await picture("c3");
  await goTable(page, fen("N"));
  await until("squares have words again", async () => (await cellOf(page, "c3")) >= 0);
  const before = await pictures(["c3", "d5", "e4"]);
  expect((await share(black, before.c3)) > 0.1, "white and black pieces look alike");
  await press(page, await cellOf(page, "c3"));
  await until("targets are drawn", async () => (await targets(page)).length === 8);
  const picked = await pictures(["c3", "d5", "e4"]);
  for (const [name, what] of [["c3", "what is picked up"], ["d5", "a capture"], ["e4", "a target"]])
    expect((await share(before[name], picked[name])) > 0.04, `${what} is hardly seen`);
  expect((await share(picked.d5, picked.e4)) > 0.04, "captures look like targets");
  await press(page, await cellOf(page, "e4"));
  await ready(page);
  expect((await share(before.c3, await picture("c3"))) > 0.4, "where the last move began is hardly seen");
  await session.detach();
}

export const steps = { boardColours, board, boardOnPhones, boardPremove, boardMarksOnPhones, boardDrops, boardPreviews, boardMovements, boardChooser, boardKeys, boardGameByKeys, boardBeats, boardGame };
