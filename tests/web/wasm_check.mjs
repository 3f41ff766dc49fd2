// Runs the program for browsers in Node: counts positions, evaluates, and answers requests.
//
//   node wasm_check.mjs FOLDER NET EXPECTED
//
// FOLDER has faultline.js and faultline.wasm. EXPECTED is JSON: { perft: [[variant, depth, count]], evaluations:
// [[variant, fen, [win, draw, loss, moves left], [priors]]] }. Prints what is wrong.
import { createRequire } from "node:module";
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";

const [folder, net, expected] = process.argv.slice(2);
const { perft, evaluations } = JSON.parse(readFileSync(expected, "utf8"));
const load = createRequire(import.meta.url)(resolve(join(folder, "faultline.js")));
const program = await load({ wasmBinary: readFileSync(join(folder, "faultline.wasm")) });
program.FS.mkdir("/nets");
program.FS.writeFile("/nets/net.pt", readFileSync(net));
let problems = 0;
const wrong = (text) => { ++problems; console.log(text); };

/** Calls a function with texts and numbers. */
function call(name, ...given) {
  const texts = given.map((one) => {
    if (typeof one !== "string") return one;
    const bytes = program.lengthBytesUTF8(one) + 1;
    const at = program._malloc(bytes);
    program.stringToUTF8(one, at, bytes);
    return at;
  });
  return program[`_faultline_${name}`](...texts);
}
const ask = (request) => JSON.parse(program.UTF8ToString(call("ask", JSON.stringify(request))));
function finished(what) {
  const messages = [];
  while (call("busy")) messages.push(...JSON.parse(program.UTF8ToString(call("advance", 40))));
  if (messages.length === 0) wrong(`${what}: nothing is told`);
  return messages;
}

for (const [variant, depth, count] of perft) {
  const found = call("perft", variant, depth);
  if (found !== count) wrong(`perft ${variant} ${depth}: ${found} instead of ${count}`);
}
let largest = 0;
for (const [variant, fen, value, priors] of evaluations) {
  const found = JSON.parse(program.UTF8ToString(call("evaluate", variant, fen)));
  const differ = (a, b) => { largest = Math.max(largest, Math.abs(a - b)); return !(Math.abs(a - b) <= 1e-5 * Math.max(1, Math.abs(b))); };
  if (found.value.some((one, i) => differ(one, value[i])) || found.priors.length !== priors.length ||
      found.priors.some((one, i) => differ(one, priors[i])))
    wrong(`${variant} ${fen}: ${JSON.stringify(found).slice(0, 200)}`);
}

const variant = evaluations[0][0];
const [reply] = ask({ id: 1, do: "position", game: variant, moves: [] });
if (!reply?.ok?.legal?.length) wrong(`position: ${JSON.stringify(reply).slice(0, 200)}`);
for (const [player, limit] of [["fast", { ms: 200 }], ["net", { visits: 50 }], ["alphabeta", { visits: 20000 }], ["material", { visits: 100 }], ["random", {}]]) {
  const begun = ask({ id: 2, do: "search", game: variant, moves: [], player, ...limit });
  const found = [...begun, ...finished(player)].find((one) => one.id === 2);
  if (!reply.ok.legal.some((move) => move.text === found?.ok?.move)) wrong(`${player}: ${JSON.stringify(found)}`);
}
ask({ id: 3, do: "analyse", game: variant, moves: [], player: "net", key: "a", lines: 3 });
for (let i = 0; i < 5; ++i) call("advance", 20);
const during = JSON.parse(program.UTF8ToString(call("advance", 20))).find((one) => one.t === "analysis");
if (during?.report?.lines?.length !== 3 || during.report.done || !during.report.lines.every((line) => line.moves.length >= 1))
  wrong(`analysis: ${JSON.stringify(during).slice(0, 300)}`);
const stopped = ask({ id: 4, do: "stop", what: "analyse" });
if (!stopped.some((one) => one.report?.done === true) || call("busy")) wrong(`stop: ${JSON.stringify(stopped).slice(0, 200)}`);
ask({ id: 5, do: "search", game: variant, moves: [], player: "fast" });
const cut = ask({ id: 6, do: "stop", what: "search" });
if (cut.find((one) => one.id === 5)?.error !== "stopped") wrong(`a stopped search: ${JSON.stringify(cut)}`);
const moves = [reply.ok.legal[0].text];
ask({ id: 7, do: "review", game: variant, moves, player: "fast", key: "r", visits: 2000 });
const review = finished("review").pop();
if (review.report?.plies?.length !== 1) wrong(`review: ${JSON.stringify(review).slice(0, 200)}`);
for (const bad of [{ id: 8, do: "none" }, { id: 8, do: "search", game: "chess", moves: ["e2e9"], player: "alphabeta" },
                   { id: 8, do: "search", game: variant, moves: [], player: "uniform" }])
  if (!ask(bad)[0]?.error) wrong(`${JSON.stringify(bad)} is accepted`);
if (JSON.parse(program.UTF8ToString(call("ask", "{")))[0]?.error === undefined) wrong("bad JSON is accepted");

console.log(problems === 0 ? `as it should be; values differ by ${largest.toExponential(1)} at most` : `${problems} problems`);
process.exit(problems === 0 ? 0 : 1);
