// Opens reports in a headless Chromium and uses them as a reader would.
//
//   node browser_check.mjs NODE_MODULES CHROMIUM FOLDER PAGE...
//
// Checks every page at the widths of a desk and of a phone, in light and dark, and prints what is wrong.
// With FOLDER not "-", pictures of the pages are left there.
import { createRequire } from "node:module";
import { basename, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const [modules, executablePath, folder, ...pages] = process.argv.slice(2);
const { chromium } = createRequire(join(resolve(modules), "none.js"))("playwright-core");

const kDesk = { width: 1280, height: 900 };
const kPhone = { width: 375, height: 740 };
const problems = [];
let steps = 0;

/** What is drawn, without numbers' last digits: two pictures of one position are equal. */
const drawing = (page, viewer) => page.locator(`${viewer} svg.board`).first().innerHTML();

/** Goes through the first game, up to `plies`, and the beginnings of the others in the first section of games. */
async function stepThrough(page, name, plies) {
  const wrong = (text) => problems.push(`${name}: ${text}`);
  const viewer = page.locator(".viewer").first();
  if ((await page.locator(".viewer").count()) === 0) return wrong("has no games");
  const settled = async () => {
    await page.waitForFunction(() => !document.querySelector(".viewer .moving"));
    return drawing(page, ".viewer");
  };
  const cards = await viewer.locator(".card").count();
  for (let card = 0; card < Math.max(1, cards); ++card) {
    if (cards > 1) await viewer.locator(".card").nth(card).click();
    await viewer.focus();
    const last = Number(await viewer.locator("input[type=range]").getAttribute("max"));
    const frames = [await settled()];
    const most = Math.min(last, card === 0 ? plies : 6);
    for (let ply = 1; ply <= most; ++ply) {
      await page.keyboard.press("ArrowRight");
      frames.push(await settled());
      ++steps;
      if (frames[ply] === frames[ply - 1]) wrong(`game ${card}: the picture after ply ${ply} is the one before it`);
      const shown = Number(await viewer.locator("input[type=range]").inputValue());
      if (shown !== ply) wrong(`game ${card}: at ply ${shown} instead of ${ply}`);
    }
    for (let ply = most - 1; ply >= Math.max(0, most - 2); --ply) {
      await page.keyboard.press("ArrowLeft");
      if ((await settled()) !== frames[ply]) wrong(`game ${card}: ply ${ply} looks different on the way back`);
    }
    await page.keyboard.press("End");
    const end = await settled();
    if (!/won|Drawn|No result/.test(await viewer.locator(".status").innerText()))
      wrong(`game ${card}: the end does not say who won`);
    await page.keyboard.press("Home");
    if ((await settled()) !== frames[0]) wrong(`game ${card}: Home is not the start`);
    if (last > 0 && end === frames[0]) wrong(`game ${card}: the end looks like the start`);
    // Pieces are on squares: none has been lost in drawing.
    const [pieces, listed] = await page.evaluate(() => [
      document.querySelectorAll(".viewer .pieces > g").length,
      [...document.querySelectorAll(".viewer .pieces > g")].filter((piece) => {
        const use = piece.querySelector("use");
        return document.querySelector(use.getAttribute("href")) !== null;
      }).length]);
    if (pieces === 0 || pieces !== listed) wrong(`game ${card}: ${listed} of ${pieces} pieces have shapes`);
  }
}

async function exploreOpenings(page, name) {
  const wrong = (text) => problems.push(`${name}: ${text}`);
  const explorer = page.locator(".explorer").first();
  const moves = explorer.locator(".opening-move");
  if ((await page.locator(".explorer").count()) === 0 || (await moves.count()) === 0) return;
  const before = await drawing(page, ".explorer");
  await moves.first().click();
  await page.waitForFunction(() => !document.querySelector(".explorer .moving"));
  if ((await drawing(page, ".explorer")) === before) wrong("an opening's move changes nothing on the board");
  await explorer.locator(".trail button").first().click();
  await page.waitForFunction(() => !document.querySelector(".explorer .moving"));
  if ((await drawing(page, ".explorer")) !== before) wrong("the start of the openings looks different on the way back");
}

/** Elements that stick out of the page, other than inside what scrolls by itself. */
const cutOff = (page) => page.evaluate(() => {
  const found = [];
  if (document.documentElement.scrollWidth > window.innerWidth)
    found.push(`the page is ${document.documentElement.scrollWidth} wide`);
  for (const element of document.querySelectorAll("main *")) {
    if (element.closest(".scroller, .cards, svg, .plot, .moves")) continue;
    const box = element.getBoundingClientRect();
    if (box.width > 0 && (box.right > window.innerWidth + 0.5 || box.left < -0.5))
      found.push(`${element.tagName}.${element.className} reaches from ${box.left} to ${box.right}`);
  }
  return found;
});

/** Tables that do not fit although they could, and texts in bars that are seen in part. */
const clipped = (page, phone) => page.evaluate((phone) => {
  const found = [];
  for (const box of document.querySelectorAll(".scroller")) {
    const name = `the table "${box.getAttribute("aria-label")}"`;
    // At a desk all tables have room; on a phone those whose texts go below the rest.
    if ((!phone || box.querySelector(".explained")) && box.scrollWidth > box.clientWidth)
      found.push(`${name} is ${box.scrollWidth} wide in ${box.clientWidth}`);
    if (!["auto", "scroll"].includes(getComputedStyle(box).overflowX)) found.push(`${name} does not scroll`);
  }
  for (const part of document.querySelectorAll(".result-bar span")) {
    const range = document.createRange();
    range.selectNodeContents(part);
    const [text, bar] = [range.getBoundingClientRect(), part.getBoundingClientRect()];
    if (text.width > bar.width + 0.5 && text.top < bar.bottom - 0.5) found.push(`"${part.textContent}" is cut off in its bar`);
  }
  return found;
}, phone);

/** The least contrast of text with the page behind it (WCAG), of a few kinds of text. */
const contrast = (page) => page.evaluate(() => {
  const channels = (colour) => (colour.match(/[\d.]+/g) ?? []).slice(0, 3).map((value) => {
    const c = Number(value) / 255;
    return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
  });
  const luminance = (colour) => { const [r, g, b] = channels(colour); return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
  const page_colour = getComputedStyle(document.body).backgroundColor;
  const worst = [];
  for (const selector of ["body", ".faint", ".remark", "a", "dt", "small", "figcaption p"]) {
    const element = document.querySelector(selector);
    if (!element) continue;
    const [a, b] = [luminance(getComputedStyle(element).color), luminance(page_colour)].sort((x, y) => y - x);
    worst.push([selector, (a + 0.05) / (b + 0.05)]);
  }
  return worst;
});

const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
for (const file of pages) {
  const name = basename(file, ".html");
  for (const [kind, viewport, colorScheme, reducedMotion] of [
    ["desk", kDesk, "light", "no-preference"], ["dark", kDesk, "dark", "reduce"],
    ["phone", kPhone, "light", "reduce"], ["phone-dark", kPhone, "dark", "reduce"]]) {
    const context = await browser.newContext({ viewport, colorScheme, reducedMotion, hasTouch: viewport === kPhone });
    const page = await context.newPage();
    page.setDefaultTimeout(180_000);  // of a slow or busy machine
    const where = `${name} (${kind})`;
    page.on("console", (message) => { if (["error", "warning"].includes(message.type())) problems.push(`${where}: ${message.text()}`); });
    page.on("pageerror", (error) => problems.push(`${where}: ${error.message}`));
    page.on("request", (request) => { if (!request.url().startsWith("file:")) problems.push(`${where}: asks for ${request.url()}`); });
    await page.goto(pathToFileURL(resolve(file)).href);
    await page.waitForSelector("footer");
    // Charts and boards are drawn, and measured again, in the next frames.
    for (let frame = 0; frame < 4; ++frame)
      await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn, 30))));
    for (const text of await cutOff(page)) problems.push(`${where}: ${text}`);
    for (const text of await clipped(page, viewport === kPhone)) problems.push(`${where}: ${text}`);
    for (const [selector, ratio] of await contrast(page))
      if (ratio < 4.5) problems.push(`${where}: the contrast of ${selector} is ${ratio.toFixed(2)}`);
    const dark = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    if ((colorScheme === "dark") !== (Number(dark.match(/\d+/)[0]) < 80)) problems.push(`${where}: the page is ${dark}`);
    if (folder !== "-") await page.screenshot({ path: join(folder, `${name}-${kind}.png`), fullPage: true });
    if (kind === "desk" || kind === "phone") {
      await stepThrough(page, where, kind === "desk" ? 40 : 8);
      await exploreOpenings(page, where);
      for (const text of await cutOff(page)) problems.push(`${where}, after use: ${text}`);
    }
    await context.close();
  }
}
await browser.close();
for (const problem of problems) console.log(problem);
console.log(`${pages.length} pages, ${steps} steps, ${problems.length} problems`);
process.exit(problems.length > 0 ? 1 : 0);
