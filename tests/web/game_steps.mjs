// Steps of lab_check.mjs through what is done with a game: reviewed, shared, opened.
import { readFileSync } from "node:fs";

export const steps = {};

steps.review = async (page, { goTable, until, looks, status, currentMove }) => {
  await goTable(page, "g=gardner&m=c2c3,a4a3,c3b4,a5a4");
  await page.click("#tab-review");
  await page.selectOption("select[aria-label='Time for each move']", "ms:100");
  await page.locator(".review .main").click();
  await until("the review ends", async () => (await page.locator(".review .main").innerText()) === "Review the game", 15000);
  await until("the graph is there", () => page.locator(".graph .bands").isVisible());
  await page.locator(".graph .bands").scrollIntoViewIfNeeded();
  const bands = await page.locator(".graph .bands").boundingBox();
  await page.mouse.click(bands.x + 4, bands.y + 20);
  await until("a click on the graph goes there", async () => (await status(page)).startsWith("Start"));
  await page.mouse.move(bands.x + 4, bands.y + 20);
  await page.mouse.down();
  await page.mouse.move(bands.x + bands.width - 4, bands.y + 20, { steps: 5 });
  await page.mouse.up();
  await until("dragging goes through the game", async () => !(await status(page)).startsWith("Start"));
  await page.locator(".graph-foot button").click();
  await until("the graph is seen from Black's side", async () => (await page.locator(".graph-foot button").innerText()) === "Black's side");
  await page.locator(".graph-foot button").click();
  await looks(page, "review");
  // Mistakes: gone to, looked at again, tried again; they are in the PGN.
  await goTable(page, "g=chess&m=f2f3,e7e5,g2g4,d8h4");
  await page.selectOption("select[aria-label='Time for each move']", "ms:100");
  await page.locator(".review .main").click();
  await until("mistakes are counted", async () => (await page.locator(".mistakes").count()) === 1);
  await page.keyboard.press("Home");
  await until("n goes from mistake to mistake", async () => {
    await page.keyboard.press("n");
    return /g4/.test(await currentMove(page));
  });
  await page.locator(".review button", { hasText: "Deepen only these" }).click();
  await until("it is looked at again", async () => /mistakes still|judged otherwise/.test(await page.locator(".review .said").innerText()), 30_000);
  await page.locator(".review button", { hasText: "Try again" }).click();
  await until("it can be tried again", async () => /Find a better move/.test(await page.locator(".review .said").innerText()));
  await page.fill(".entry", "Nc3");
  await page.locator(".entry").press("Enter");
  await until("another move is judged", async () => /Nc3 (is|loses)/.test(await page.locator(".review .said").innerText()));
  await page.click("#tab-share");
  await page.locator(".share .row").first().locator("button", { hasText: "PGN" }).click();
  const pgn = () => page.evaluate(() => navigator.clipboard.readText());
  await until("the mark and what is said are in the PGN", async () => /g4 \$4 [^)]*was better/.test(await pgn()));
};

steps.share = async (page, { open, go, goTable, ready, drawing, expect, until, looks, status }) => {
  await goTable(page, "g=escher&m=e2e4,e7e5");
  await page.keyboard.press("ArrowLeft");
  // A variation with a comment, which is saved with the game.
  await page.fill(".entry", "e6");
  await page.locator(".entry").press("Enter");
  await until("another move is a variation", async () => (await page.locator(".tree .variation .move[data-node]").count()) === 1);
  await page.fill(".notes textarea", "Or so");
  await page.locator(".notes textarea").blur();
  await until("it is commented", async () => (await page.locator(".tree .variation .said").count()) === 1);
  const tree = await page.locator(".tree").innerText();
  await page.keyboard.press("Shift+ArrowLeft");
  await until("it is left", async () => /ply=1/.test(page.url()));
  await page.click("#tab-share");
  await looks(page, "share");
  const copy = async (name) => {
    await page.evaluate(() => navigator.clipboard.writeText(""));
    await page.locator(".share .row").first().locator("button", { hasText: name }).click();
    await until(`${name} is copied`, async () => (await page.evaluate(() => navigator.clipboard.readText())) !== "");
    return page.evaluate(() => navigator.clipboard.readText());
  };
  const link = await copy("Link"), fen = await copy("FEN"), pgn = await copy("PGN"), picture = await copy("SVG");
  expect(/g=escher/.test(link) && /m=/.test(link) && /ply=1/.test(link) && !/token/.test(link), `the link is ${link}`);
  expect(fen.split(" ").length > 2, `the FEN is ${fen}`);
  expect(/\[Variant /.test(pgn), `the PGN is ${pgn}`);
  expect(/^<svg/.test(picture) && /<style/.test(picture), "the SVG is none");
  await page.locator(".share .row").first().locator("button", { hasText: "PNG" }).click();
  await until("the PNG is copied", () => page.evaluate(async () => (await navigator.clipboard.read())[0].types.includes("image/png")));
  const other = await open(page.lane, "desk");
  const path = new URL(link);
  await other.goto(`${page.lane.server.url.split("#")[0]}${path.hash}`);
  await ready(other);
  expect((await drawing(other)) === (await drawing(page)), "the link shows another position");
  // What was copied is opened again by pasting it.
  for (const [name, text] of [["FEN", fen], ["PGN", pgn]]) {
    await goTable(other, "g=escher");
    await other.evaluate((text) => {
      const data = new DataTransfer();
      data.setData("text/plain", text);
      document.body.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }));
    }, text);
    await until(`${name} is read when pasted`, async () => /fen=|m=/.test(other.url()));
    await ready(other);
    if (name === "PGN") await until("the PGN has the variation", async () => (await other.locator(".tree").innerText()) === tree);
  }
  const paste = (text) => other.evaluate((text) => {
    const data = new DataTransfer();
    data.setData("text/plain", text);
    document.body.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }));
  }, text);
  const told = () => other.locator(".toast.shown").innerText().catch(() => "");
  await paste("no game at all");
  await until("what is no game is refused in words", async () => /^This cannot be opened: .*'no' is not/.test(await told()));
  await paste("e2e4 ".repeat(220_000));
  await until("what is too long is refused in words", async () => /it has 1\.0 MiB of at most 1/.test(await told()));
  await paste("no/folder 3");
  await until("a game of a file that is not there is refused in words", async () => /'no\/folder': there is no such file/.test(await told()));
  await goTable(other, "g=gardner");
  await paste(link.replace("ply=1", "ply=2"));
  await until("an address that is pasted is gone to", () => /g=escher.*ply=2|g=escher&m=e2e4\+e7e[56]$/.test(other.url()));
  await goTable(other, "g=gardner");
  await other.evaluate((text) => {
    const data = new DataTransfer();
    data.items.add(new File([text], "game.pgn"));
    document.body.dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }));
  }, pgn);
  await until("a file that is dropped is read", async () => /g=escher/.test(other.url()) && (await other.locator(".tree").innerText()) === tree);
  // What is no game is not remembered as one.
  await go(other, "g=earthquake:dx=99");
  await until("a wrong address is refused in words", async () => /dx='99' is not allowed/.test(await status(other)));
  await go(other, "");
  await until("the last game is still offered", async () => /Continue Escher/.test(await other.locator(".start").innerText()));
  await other.context().close();
  const [download] = await Promise.all([page.waitForEvent("download"), page.locator(".share .row").nth(1).locator("button", { hasText: /^PNG$/ }).click()]);
  const bytes = readFileSync(await download.path());
  expect(bytes.length > 5000 && bytes.subarray(1, 4).toString() === "PNG", `the PNG has ${bytes.length} bytes`);
};
