// Positions and games out of the page and into it.
import { html, type TemplateResult } from "lit-html";
import { el } from "../common/dom";

/** Copies a text; says whether it worked. */
export async function copied(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch { /* Not allowed here: by the old way. */ }
  const area = el("textarea", { class: "unseen", "aria-hidden": "true" });
  area.value = text;
  document.body.append(area);
  area.select();
  const worked = document.execCommand("copy");
  area.remove();
  return worked;
}

export function saved(name: string, content: Blob): void {
  const link = el("a", { href: URL.createObjectURL(content), download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

/** Of the page's style sheet: what draws boards, with the colours that are in force. */
function boardStyle(): string {
  const wanted = /(^|,\s*)\.(board|body|limb|line|stroke|dot|void|definitions)\b/;
  let rules = "";
  for (const sheet of document.styleSheets)
    for (const rule of sheet.cssRules)
      if (rule instanceof CSSStyleRule && wanted.test(rule.selectorText)) rules += rule.cssText;
  const style = getComputedStyle(document.documentElement);
  return rules.replace(/var\((--(?:ink|faint|accent|page|panel|rule|curve-\d))\)/g, (_, name) => style.getPropertyValue(name).trim());
}

/** A board on the page as a file of its own. */
export function pictureOf(board: SVGSVGElement): string {
  const copy = board.cloneNode(true) as SVGSVGElement;
  copy.querySelectorAll("[data-overlay], .overlay").forEach((one) => one.remove());
  const needed = new Set([...copy.querySelectorAll("use")].map((use) => use.getAttribute("href")!.slice(1)));
  const definitions = document.createElementNS("http://www.w3.org/2000/svg", "defs");
  const style = document.createElementNS("http://www.w3.org/2000/svg", "style");
  style.textContent = `svg{font-family:system-ui,sans-serif;background:${getComputedStyle(document.body).backgroundColor}}${boardStyle()}`;
  definitions.append(style);
  for (const name of [...needed, "hatch"]) {
    const found = document.getElementById(name);
    if (found) definitions.append(found.cloneNode(true));
  }
  copy.prepend(definitions);
  const box = board.viewBox.baseVal;
  copy.setAttribute("width", String(Math.round(box.width)));
  copy.setAttribute("height", String(Math.round(box.height)));
  copy.removeAttribute("style");
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  return new XMLSerializer().serializeToString(copy);
}

export function pixels(picture: string): Promise<Blob> {
  return new Promise((resolve, reject) => {
    const image = new Image();
    const size = /width="(\d+)" height="(\d+)"/.exec(picture);
    image.onload = () => {
      const canvas = el("canvas", { width: Number(size?.[1] ?? image.width), height: Number(size?.[2] ?? image.height) });
      canvas.getContext("2d")!.drawImage(image, 0, 0, canvas.width, canvas.height);
      canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("The browser makes no PNG of it."))), "image/png");
    };
    image.onerror = () => reject(new Error("The browser cannot draw the picture."));
    image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(picture)}`;
  });
}

const isField = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || ["INPUT", "TEXTAREA", "SELECT"].includes(target.tagName));

/** Texts that are pasted anywhere but into a field, and files that are dropped anywhere. Returns what ends that. */
export function imports(read: (text: string) => void): () => void {
  const paste = (event: ClipboardEvent) => {
    if (isField(event.target)) return;
    const text = event.clipboardData?.getData("text/plain") ?? "";
    if (text.trim()) { event.preventDefault(); read(text); }
  };
  const over = (event: DragEvent) => {
    if (event.dataTransfer?.types.includes("Files") || event.dataTransfer?.types.includes("text/plain")) event.preventDefault();
  };
  const drop = (event: DragEvent) => {
    if (isField(event.target) || !event.dataTransfer) return;
    event.preventDefault();
    const [file] = event.dataTransfer.files;
    if (file) void file.text().then(read);
    else if (event.dataTransfer.getData("text/plain").trim()) read(event.dataTransfer.getData("text/plain"));
  };
  document.addEventListener("paste", paste);
  document.addEventListener("dragover", over);
  document.addEventListener("drop", drop);
  return () => {
    document.removeEventListener("paste", paste);
    document.removeEventListener("dragover", over);
    document.removeEventListener("drop", drop);
  };
}

/** What the panel to share needs of the table; `name`: of files, without their ends; `game`: as PGN. */
export interface Shared {
  name: string;
  link(): string;
  fen(): string;
  game(): Promise<string>;
  picture(): string;
  open(text: string): void;
  tell(text: string): void;
}

export function sharing(table: Shared): TemplateResult {
  const { name, tell } = table;
  const button = (words: string, click: () => void) => html`<button type="button" class="quiet" @click=${click}>${words}</button>`;
  const failed = (error: Error) => tell(error.message);
  const copyButton = (words: string, text: () => string | Promise<string>) => button(words, async () => {
    try { tell((await copied(await text())) ? `${words} copied.` : "The browser does not allow to copy."); }
    catch (error) { failed(error as Error); } });
  return html`<h2>Copy</h2><div class="row">
      ${copyButton("Link", table.link)}
      ${copyButton("FEN", table.fen)}
      ${copyButton("PGN", table.game)}
      ${copyButton("SVG", table.picture)}
      ${button("PNG", () => void navigator.clipboard.write([new ClipboardItem({ "image/png": pixels(table.picture()) })])
        .then(() => tell("PNG copied."), () => tell("The browser does not allow to copy pictures: save it instead.")))}</div>
    <h2>Save</h2><div class="row">
      ${button("PGN with analysis", () => void table.game().then((text) => saved(`${name}.pgn`, new Blob([text], { type: "text/plain" }))).catch(failed))}
      ${button("SVG", () => saved(`${name}.svg`, new Blob([table.picture()], { type: "image/svg+xml" })))}
      ${button("PNG", () => void pixels(table.picture()).then((blob) => saved(`${name}.png`, blob)).catch(failed))}</div>
    <h2>Open</h2><div class="row">
      ${button("What was copied", () => void navigator.clipboard.readText().then(table.open)
        .catch(() => tell("The browser does not allow it: paste with Ctrl+V instead.")))}
      <label class="file"><input type="file" accept=".pgn,.fen,.epd,.txt,.uci" aria-label="Open a file" @change=${(event: Event) => {
        const field = event.target as HTMLInputElement;
        void field.files?.[0]?.text().then(table.open);
        field.value = ""; }}></label></div>
    <p class="faint">Or paste a FEN, a PGN, moves or a link anywhere on the page, or drop a file. The link holds the game, its moves and
      the arrows that you drew: whoever has faultline can open it, without an account.</p>`;
}
