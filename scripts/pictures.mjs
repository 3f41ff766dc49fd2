// Pictures of a run's report for the documentation: overview.png, curves beside a game on its board, and
// report.png, the top of the page beside its games.
//
//   node pictures.mjs NODE_MODULES CHROMIUM REPORT FOLDER
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const [modules, executablePath, report, folder] = process.argv.slice(2);
const { chromium } = createRequire(join(resolve(modules), "none.js"))("playwright-core");

const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
const page = await browser.newPage({ viewport: { width: 820, height: 870 }, reducedMotion: "reduce" });
await page.goto(pathToFileURL(resolve(report)).href);
await page.waitForSelector("footer");

const settled = async () => {
  // Charts and boards are drawn, and measured again, in the next frames.
  for (let frame = 0; frame < 4; ++frame)
    await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn, 60))));
};
const image = (buffer) => `<img src="data:image/png;base64,${buffer.toString("base64")}">`;
const column = (pictures) => `<div style="display: flex; flex-direction: column; gap: 16px; zoom: 0.83">${
  pictures.map(image).join("")}</div>`;

/** Writes pictures, and columns of pictures, beside each other as one. */
async function writeRow(file, parts) {
  const row = await browser.newPage({ viewport: { width: 1640, height: 800 } });
  await row.setContent(`<body style="margin: 0"><div id="row" style="display: inline-flex; gap: 24px;
    align-items: flex-start; background: #fbfaf7; padding: 12px">${parts.map((part) => (Array.isArray(part) ? column(part) : image(part))).join("")}</div>`);
  await row.waitForFunction(() => [...document.images].every((one) => one.complete));
  await row.locator("#row").screenshot({ path: join(folder, file) });
  await row.close();
}

/** The figure of the curve with this title, without its explanation. */
async function curve(title) {
  const figure = page.locator("section[data-type=curves] figure").filter({ has: page.locator(`strong:text-is("${title}")`) }).first();
  await figure.locator("figcaption p").evaluateAll((notes) => notes.forEach((note) => note.remove()));
  await settled();
  return figure.screenshot();
}

const viewer = page.locator(".viewer").first();
const turnaround = viewer.locator(".card").filter({ hasText: "Greatest turnaround" });
await ((await turnaround.count()) > 0 ? turnaround : viewer.locator(".card").first()).click();
await viewer.focus();
const last = Number(await viewer.locator("input[type=range]").getAttribute("max"));
for (let ply = 0; ply < Math.round(0.7 * last); ++ply) await page.keyboard.press("ArrowRight");
await viewer.evaluate((element) => element.blur());
await settled();

// The page as it is, before its parts are changed for the other picture.
await page.evaluate(() => scrollTo(0, 0));
const top = await page.screenshot();
await page.locator("section[data-type=games]").first().evaluate((games) => games.scrollIntoView());
const games = await page.screenshot();
await writeRow("report.png", [top, games]);

const stage = await viewer.locator(".stage").screenshot();
await writeRow("overview.png", [[await curve("Value loss"), await curve("Policy loss")], stage]);
await browser.close();
