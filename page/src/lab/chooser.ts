// Which game, with which options.
import { el } from "../common/dom";
import { labelled, Problem } from "./parts";
import { familyOf, gamesOf, type Store } from "./store";
import type { Desk, GameInfo } from "./desk";

/** "escher:rows=1,cols=2" as its options. */
function optionsOf(name: string): Map<string, string> {
  const rest = name.startsWith("data:") ? "" : name.slice(familyOf(name).length + 1);
  return new Map(rest.split(",").filter((part) => part.includes("=")).map((part) => part.split("=", 2) as [string, string]));
}

export class GameChooser {
  readonly element = el("div", { class: "tools game-chooser" });
  private readonly problem = new Problem();
  private games: GameInfo[] = [];

  /** `changed` gets the name that was chosen. */
  constructor(desk: Desk, _store: Store, private name: string, private readonly changed: (name: string) => void) {
    this.element.append(this.problem.element);
    void gamesOf(desk).then((games) => { this.games = games; this.draw(); }, (error) => this.problem.show(error));
  }

  /** What is known of the game that is chosen. */
  info(): GameInfo | undefined {
    return this.games.find((one) => one.name === this.name) ?? this.games.find((one) => one.name === familyOf(this.name));
  }

  private draw(): void {
    const info = this.info();
    const options = optionsOf(this.name);
    const group = (kind: string, label: string) => {
      const games = this.games.filter((one) => one.kind === kind);
      return games.length === 0 ? null : el("optgroup", { label },
        ...games.map((one) => el("option", { value: one.name, selected: one === info }, one.title || one.name)));
    };
    const select = el("select", { change: () => this.choose(select.value) },
      info ? null : el("option", { value: this.name, selected: true }, this.name), group("family", "Boards that move"), group("file", "Games from files"));
    const fields = (info?.options ?? []).map((option) => {
      const value = options.get(option.name) ?? option.values[0];
      const values = option.values.includes(value) ? option.values : [...option.values, value];
      const choice = el("select", { title: option.help, change: () => {
        options.set(option.name, choice.value);
        const set = [...options].filter(([name, now]) => info!.options.find((one) => one.name === name)?.values[0] !== now);
        this.choose(info!.name + (set.length > 0 ? `:${set.map((pair) => pair.join("=")).join(",")}` : ""));
      } }, ...values.map((one) => el("option", { value: one, selected: one === value }, one)));
      return labelled(option.name, choice);
    });
    this.element.replaceChildren(labelled("Game", select), ...fields, this.problem.element);
  }

  private choose(name: string): void {
    this.name = name;
    this.changed(name);
    const focused = [...this.element.querySelectorAll("select")].indexOf(document.activeElement as HTMLSelectElement);
    this.draw();
    if (focused >= 0) this.element.querySelectorAll("select")[focused]?.focus();
  }
}
