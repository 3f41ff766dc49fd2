// Plays on the page without a server in a headless Chromium.
//
//   node play_check.mjs NODE_MODULES CHROMIUM PICTURES FILE FOLDER GAME
//
// FILE is a page as a single file, opened from the disk; FOLDER one with its files beside it, served by a small server; GAME
// the page of the game data:mine, in which captures are forced.
// With PICTURES not "-", pictures are left there. Prints what is wrong.
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { readFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const [modules, executablePath, pictures, file, folder, ownGame] = process.argv.slice(2);
const { chromium } = createRequire(join(resolve(modules), "none.js"))("playwright-core");
const kFamilies = ["chess", "escher", "slanted", "earthquake:dx=1,aftershock=3", "inferno:levels=3", "shifting", "gardner", "data:makruk"];
const kPlies = 10;
const problems = [];

const server = createServer((request, response) => {
  try {
    const name = basename(request.url.split("?")[0]) || "index.html";
    const types = { html: "text/html", wasm: "application/wasm" };
    response.writeHead(200, { "Content-Type": types[name.split(".").pop()] ?? "application/octet-stream" });
    response.end(readFileSync(join(folder, name)));
  } catch {
    response.writeHead(404);
    response.end();
  }
});
await new Promise((listening) => server.listen(0, "127.0.0.1", listening));
const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });

async function open(url, viewport = { width: 1200, height: 900 }) {
  const context = await browser.newContext({ viewport, reducedMotion: "reduce" });
  const page = await context.newPage();
  page.setDefaultTimeout(20_000);
  page.on("console", (message) => { if (["error", "warning"].includes(message.type())) problems.push(`console: ${message.text()}`); });
  page.on("pageerror", (error) => problems.push(error.stack ?? error.message));
  await page.goto(url);
  await page.waitForSelector(".lab-table .board .pieces");
  return page;
}
async function ready(page) {
  await page.waitForFunction(() => document.querySelector(".board .pieces") && !document.querySelector(".board.moving") &&
    /to move|won|wins|Drawn|drawn|ends/.test(document.querySelector(".status")?.textContent ?? ""));
}
const played = (page) => page.locator(".tree .move[data-node]").count();
async function play(page, game, plies) {
  await page.evaluate((hash) => { location.hash = hash; }, `g=${game}`);
  await page.waitForFunction((name) => decodeURIComponent(location.hash).includes(name), game);
  await ready(page);
  for (let ply = 1; ply <= plies; ++ply) {
    await page.keyboard.press("Space");
    const end = performance.now() + 20_000;
    while ((await played(page)) < ply && performance.now() < end) await new Promise((soon) => setTimeout(soon, 25));
    if ((await played(page)) < ply) return void problems.push(`${game}: ply ${ply} is not played`);
    await ready(page);
  }
}
const picture = async (page, name) => { if (pictures !== "-") await page.screenshot({ path: join(pictures, `play-${name}.png`), fullPage: true }); };

for (const [name, url] of [["file", pathToFileURL(resolve(file)).href], ["served", `http://127.0.0.1:${server.address().port}/`]]) {
  const page = await open(url);
  for (const family of kFamilies) {
    await play(page, family, name === "file" ? kPlies : 2);
    if (name === "file") await picture(page, family.split(":")[0]);
  }
  await page.context().close();
}

const own = await open(pathToFileURL(resolve(ownGame)).href);
if (!decodeURIComponent(own.url()).includes("g=data:mine")) problems.push(`the page of a game begins at ${own.url()}`);
await play(own, "data:mine", 2);
await own.evaluate(() => { location.hash = "g=data:mine&m=e2e4,d7d5"; });
await ready(own);
await own.fill(".entry", "Nc3");
await own.locator(".entry").press("Enter");
if (!/not a legal move/.test(await own.locator(".entry-error").innerText())) problems.push("a capture is not forced");
await own.context().close();

// On a phone: the network of the page analyses.
const phone = await open(pathToFileURL(resolve(file)).href, { width: 390, height: 800 });
await phone.click("#tab-analysis");
await phone.locator(".analysis .main").click();
await phone.waitForSelector(".lines li");
await picture(phone, "phone");

await browser.close();
server.close();
for (const text of problems) console.log(text);
console.log(problems.length === 0 ? "as it should be" : `${problems.length} problems`);
process.exit(problems.length === 0 ? 0 : 1);
