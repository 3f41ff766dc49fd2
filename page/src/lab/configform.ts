// Starts a training: a configuration as text and as a list of keys, checked while it is typed.
import { el, withCode } from "../common/dom";
import { LineEditor } from "./editor";
import { allow, debounced, isAllowed, labelled, messageOf, Problem, textButton } from "./parts";
import { kFresh, setKey } from "./toml";
import type { Desk, Requests } from "./desk";
import type { Store } from "./store";

type Keys = Requests["config"][1]["keys"];

const kPause = 250;  // ms without a keystroke before the text is checked

export class ConfigForm {
  readonly element: HTMLElement;
  private readonly editor = new LineEditor("Configuration", () => this.edited());
  private readonly problem = new Problem();
  private readonly configs = el("select", { change: () => this.begin() });
  private readonly name = el("input", { type: "text", spellcheck: "false", autocapitalize: "off", input: () => this.buttons() });
  private readonly filter = el("input", { type: "search", placeholder: "learning", input: () => this.list() });
  private readonly keyList = el("div", { class: "key-list", tabindex: 0, role: "region", "aria-label": "Keys" });
  private readonly start = textButton("Start", () => void this.begun(), "strong");
  private readonly why = el("span", { class: "faint", id: "why-not-start" });
  private readonly check = debounced(kPause, () => void this.ask());
  private readonly draft;
  private texts = new Map<string, string>();
  private keys: Keys = [];
  private mistakes = 0;
  private mayStart = false;
  private known = false;
  private asked = 0;

  constructor(private readonly desk: Desk, private readonly store: Store) {
    this.draft = store.setting("config.draft", { from: "", text: "", name: "" });
    this.start.setAttribute("aria-describedby", "why-not-start");
    this.element = el("section", { class: "config-form" }, el("h2", {}, "Start a training"),
      el("p", { class: "remark" }, "Begin with a configuration, and change what you like: in its text, or in the list of all keys. " +
        "What is wrong is said at once."),
      el("div", { class: "tools" }, labelled("Configuration", this.configs), labelled("Name of the run", this.name), this.start, this.why),
      this.problem.element,
      el("div", { class: "two-columns" }, this.editor.element,
        el("div", { class: "keys-side" }, labelled("Find a key", this.filter), this.keyList)));
    void this.load();
    void desk.ask("status", {}).then((status) => { this.mayStart = status.mayStart; this.buttons(); }, () => {});
    this.buttons();
  }

  leave(): void {
    this.check.cancel();
  }

  private async load(): Promise<void> {
    try {
      const { configs } = await this.desk.ask("configs", {});
      this.texts = new Map(configs.map(({ name, text }) => [name, text]));
      this.configs.replaceChildren(...configs.map(({ name }) => el("option", { value: name }, name)));
      const { from, text, name } = this.draft.value;
      if (this.texts.has(from)) this.configs.value = from;
      if (text !== "") {
        this.editor.text = text;
        this.name.value = name;
        void this.ask();
      } else this.begin();
    } catch (error) {
      this.problem.show(error);
    }
  }

  private begin(): void {
    const name = this.configs.value;
    this.editor.text = this.texts.get(name) ?? kFresh;
    this.name.value = name.replace(/^.*\//, "").replace(/\.toml$/, "");
    this.keep("");
    void this.ask();
  }
  private edited(): void {
    this.keep(this.editor.text);
    this.known = false;
    this.buttons();
    this.check();
  }
  private keep(text: string): void {
    this.draft.value = { from: this.configs.value, text, name: this.name.value };
  }

  private async ask(): Promise<void> {
    const number = ++this.asked;
    try {
      const { mistakes, keys } = await this.desk.ask("config", { text: this.editor.text });
      if (number !== this.asked) return;
      this.known = true;
      this.mistakes = mistakes.length;
      this.editor.mistakes(mistakes);
      if (keys.length > 0) this.keys = keys;
      this.list();
      this.problem.clear();
    } catch (error) {
      if (number === this.asked) this.problem.show(error);
    }
    this.buttons();
  }

  private buttons(): void {
    const reason = !this.mayStart ? "The lab was started without --allow-start: it can start no run."
      : this.name.value.trim() === "" ? "The run needs a name."
      : !this.known ? "The text is being checked."
      : this.mistakes > 0 ? "The configuration has mistakes." : "";
    allow(this.start, reason);
    this.why.textContent = reason;
  }

  /** The keys that are searched for, with their values; one that is typed goes into the text. */
  private list(): void {
    if (this.keyList.contains(document.activeElement) && document.activeElement !== this.keyList) return this.refresh();
    const words = this.filter.value.toLowerCase();
    const found = this.keys.filter(({ name, help }) => `${name} ${help}`.toLowerCase().includes(words));
    this.keyList.replaceChildren(...found.map(({ name, help, value, allowed }) => {
      const input = el("input", { type: "text", value, spellcheck: "false", autocapitalize: "off", "data-key": name, input: () => {
        this.editor.text = setKey(this.editor.text, name, input.value);
        this.edited();
      } });
      return el("div", { class: "key-row" }, el("label", {}, el("code", {}, name), input), el("p", {}, ...withCode(help), allowed === "text" ? null : ` Allowed: ${allowed}.`));
    }));
    if (found.length === 0) this.keyList.append(el("p", { class: "faint" }, "No key is called so."));
  }
  /** Values that were changed in the text; the one that is being typed stays. */
  private refresh(): void {
    const values = new Map(this.keys.map(({ name, value }) => [name, value]));
    for (const input of this.keyList.querySelectorAll<HTMLInputElement>("input"))
      if (input !== document.activeElement) input.value = values.get(input.dataset.key ?? "") ?? input.value;
  }

  /** Where runs are, unless a folder is named. */
  private path(): string {
    const name = this.name.value.trim();
    return name.includes("/") ? name : `runs/${name}`;
  }

  private async begun(): Promise<void> {
    if (!isAllowed(this.start)) return;
    allow(this.start, "Being started");
    try {
      const { path } = await this.desk.ask("start",
        { command: "train", path: this.path(), text: this.editor.text });
      this.keep("");
      this.store.go({ run: path });
    } catch (error) {
      this.problem.show(messageOf(error));
      this.buttons();
    }
  }
}
