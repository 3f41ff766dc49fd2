// Builds the pages that faultline embeds, assets/NAME.html, each from the folder src/NAME/.
//
//   node build.js           writes them
//   node build.js --check   fails if a file differs from what the sources give
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
/** The pages, with the modules of npm that end up in each. */
const pages = { report: ["uplot"], lab: ["uplot", "lit-html"], play: ["lit-html"] };

async function bundle(entry) {
  const result = await build({
    entryPoints: [entry],
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

function licences(modules) {
  return modules
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

async function made(name) {
  const folder = join(here, "src", name);
  const script = await bundle(join(folder, "main.ts"));
  const style = await bundle(join(folder, "style.css"));
  if (/<\/script/i.test(script) || /<\/style/i.test(style)) throw new Error("the page would end early");
  let page = readFileSync(join(folder, "index.html"), "utf8");
  page = filled(page, "/*STYLE*/", style);
  page = filled(page, "/*SCRIPT*/", script);
  if (existsSync(join(folder, "worker.ts"))) {
    const worker = await bundle(join(folder, "worker.ts"));
    if (/<\/script/i.test(worker)) throw new Error("the page would end early");
    page = filled(page, "/*WORKER*/", worker);
  }
  page = filled(page, "LICENCES", licences(pages[name]));
  if (/[^\x00-\x7f]/.test(page)) throw new Error("the page must be ASCII");
  return page;
}

const checking = process.argv.includes("--check");
let different = 0;
for (const name of Object.keys(pages)) {
  const file = join(here, "assets", `${name}.html`);
  const page = await made(name);
  if (!checking) {
    writeFileSync(file, page);
    console.log(`page/assets/${name}.html: ${page.length} bytes`);
  } else if (!existsSync(file) || readFileSync(file, "utf8") !== page) {
    console.error(`page/assets/${name}.html is not what page/src gives: run \`npm run build\` in page`);
    ++different;
  } else console.log(`page/assets/${name}.html matches its sources`);
}
process.exit(different > 0 ? 1 : 0);
