// Builds report/assets/report.html, the page that faultline embeds, from src/.
//
//   node build.js           writes it
//   node build.js --check   fails if the file differs from what the sources give
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
const target = join(here, "../assets/report.html");
const bundled = ["uplot"];

async function bundle(entry) {
  const result = await build({
    entryPoints: [join(here, "src", entry)],
    bundle: true,
    minify: true,
    write: false,
    target: ["chrome100", "firefox100", "safari15"],
    format: "iife",
    charset: "ascii",
    legalComments: "none",
  });
  return result.outputFiles[0].text.trim();
}

function licences() {
  return bundled
    .map((name) => {
      const folder = join(here, "node_modules", name);
      const { version } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
      return `This page contains ${name} ${version}:\n\n${readFileSync(join(folder, "LICENSE"), "utf8").trim()}`;
    })
    .join("\n\n");
}

/** `text` with the mark replaced, whatever the text that replaces it contains. */
function filled(text, mark, value) {
  if (text.split(mark).length !== 2) throw new Error(`${mark} must occur once`);
  return text.split(mark).join(value);
}

const script = await bundle("main.ts");
const style = await bundle("style.css");
if (/<\/script/i.test(script) || /<\/style/i.test(style)) throw new Error("the page would end early");
let page = readFileSync(join(here, "src/index.html"), "utf8");
page = filled(page, "/*STYLE*/", style);
page = filled(page, "/*SCRIPT*/", script);
page = filled(page, "LICENCES", licences());
if (/[^\x00-\x7f]/.test(page)) throw new Error("the page must be ASCII");

if (process.argv.includes("--check")) {
  if (readFileSync(target, "utf8") !== page) {
    console.error("report/assets/report.html is not what report/page/src gives: run `npm run build` in report/page");
    process.exit(1);
  }
  console.log("report/assets/report.html matches its sources");
} else {
  writeFileSync(target, page);
  console.log(`report/assets/report.html: ${page.length} bytes`);
}
