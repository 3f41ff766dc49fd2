// A game as a file, beside the board that it describes.
import { el } from "../common/dom";
import { LineEditor } from "./editor";
import { allow, debounced, isAllowed, labelled, placeLink, PositionView, Problem, textButton, viewHeading } from "./parts";
import { diagramKey, pieceCard } from "./pieces";
import { gamesOf, tableFields, type Store, type View } from "./store";
import type { Desk, FileMistake, Requests } from "./desk";

type Reply = Requests["gameFile"][1];

const kPause = 200;  // ms without a keystroke before the text is read
const isWarning = ({ text }: FileMistake): boolean => text.startsWith("warning: ");

class NewGame implements View {
  readonly element: HTMLElement;
  private readonly editor = new LineEditor("Game file", () => this.edited());
  private readonly problem = new Problem();
  private readonly board = new PositionView();
  private readonly said = el("p", { class: "file-state", role: "status" });
  private readonly pieces = el("ul", { class: "piece-cards" });
  private readonly begin = el("select", { change: () => void this.from(this.begin.value) });
  private readonly path = el("input", { type: "text", spellcheck: "false", autocapitalize: "off", input: () => this.keep() });
  private readonly saveButton = textButton("Save", () => void this.save());
  private readonly playButton = textButton("Play it", () => this.play(), "strong");
  private readonly check = debounced(kPause, () => void this.ask({ text: this.editor.text }));
  private readonly draft;
  private game = "";
  private shown = "";
  private asked = 0;

  constructor(private readonly desk: Desk, private readonly store: Store) {
    this.draft = store.setting("newgame.draft", { text: "", path: "games/my-game.toml" });
    this.path.value = this.draft.value.path;
    this.element = el("div", { class: "view newgame" },
      viewHeading("New game"),
      el("p", { class: "remark" }, "A game is a file. Begin with one that is there, and change it: the board follows each keystroke."),
      el("div", { class: "tools" }, labelled("Begin with", this.begin), this.playButton, labelled("File", this.path), this.saveButton,
        placeLink(store, { rules: "" }, "Rules of all games")),
      this.problem.element,
      el("div", { class: "two-columns" }, this.editor.element, el("div", { class: "beside" }, this.board.element, this.said)),
      el("section", { class: "file-pieces" }, el("div", { class: "section-heading" }, el("h2", {}, "Pieces"), diagramKey()), this.pieces));
    void this.offer();
    const path = store.fields.value.new ?? "";
    if (path !== "") void this.from(path);
    else if (this.draft.value.text !== "") {
      this.editor.text = this.draft.value.text;
      void this.ask({ text: this.editor.text });
    } else void this.from("capablanca");
    this.buttons();
  }

  leave(): void {
    this.check.cancel();
  }

  private async offer(): Promise<void> {
    const games = await gamesOf(this.desk).catch(() => []);
    this.begin.replaceChildren(el("option", { value: "" }, "\u2026"), ...games.filter(({ kind }) => kind === "file").map(({ name, title }) =>
      el("option", { value: name.replace(/^data:/, "") }, title || name)));
  }

  private async from(name: string): Promise<void> {
    if (name === "") return;
    this.begin.value = "";
    const own = name.endsWith(".toml");
    const before = this.editor.text;
    await this.ask({ name }, true);
    if (own) this.path.value = name;
    else if (before !== this.editor.text) this.path.value = `games/my-${name.split(":")[0]}.toml`;
    this.keep();
  }

  private edited(): void {
    ++this.asked;  // what comes for an earlier text does not replace what was typed
    this.keep();
    this.game = "";
    this.buttons();
    this.check();
  }
  private keep(): void {
    this.draft.value = { text: this.editor.text, path: this.path.value };
  }

  private async ask(request: { text?: string; name?: string }, whole = false): Promise<void> {
    const number = ++this.asked;
    try {
      const reply = await this.desk.ask("gameFile", request);
      if (number !== this.asked) return;
      if (whole) this.editor.text = reply.text;
      this.problem.clear();
      this.show(reply);
    } catch (error) {
      if (number === this.asked) this.problem.show(error);
    }
  }

  private show({ mistakes, position, game }: Reply): void {
    this.editor.mistakes(mistakes);
    const wrong = mistakes.filter((one) => !isWarning(one)).length;
    this.game = wrong === 0 ? game ?? "" : "";
    if (position) this.board.show(position.frames[0], position, "The start of the game");
    this.board.element.classList.toggle("stale", !position);
    this.said.classList.toggle("bad", wrong > 0);
    this.said.textContent = wrong > 0 ? `${wrong === 1 ? "One mistake" : `${wrong} mistakes`}: the board is that of the last text without any.`
      : position ? `${position.legal.length} moves at the start.${mistakes.length > 0 ? " There are warnings." : ""}` : "";
    this.buttons();
    if (this.game !== "" && this.game !== this.shown) void this.describe(this.game);
  }

  private async describe(game: string): Promise<void> {
    this.shown = game;
    try {
      const rules = await this.desk.ask("rules", { game });
      if (this.shown === game) this.pieces.replaceChildren(...rules.pieces.map((piece) => pieceCard(piece, rules)));
    } catch { /* The board is shown without them. */ }
  }

  private buttons(): void {
    const reason = this.game === "" ? "The text has mistakes, or is being read" : "";
    allow(this.playButton, reason);
    allow(this.saveButton, reason);
  }

  private play(): void {
    if (isAllowed(this.playButton)) this.store.go(tableFields(this.game));
  }

  private async save(): Promise<void> {
    if (!isAllowed(this.saveButton)) return;
    try {
      const { game } = await this.desk.ask("saveGame", { text: this.editor.text, path: this.path.value.trim() });
      this.game = game;
      this.problem.clear();
      this.store.notice.value = `Saved as ${this.path.value.trim()}.`;
    } catch (error) {
      this.problem.show(error);
    }
  }
}

export function newgameView(desk: Desk, store: Store): View {
  return new NewGame(desk, store);
}
