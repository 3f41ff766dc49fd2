// The panel to play: against whom, how strong, with which side and clock.
import { html, nothing, render, type TemplateResult } from "lit-html";
import { capitalised, el, iconButton } from "../common/dom";
import { clock, percent } from "../common/format";
import type { Settings } from "../board/options";
import type { Desk, LegalMove, Limits, MoveReply, Place, PositionReply, Scale } from "./desk";

/** What the panel needs of the table where the game is: the tree of moves and the board. */
export interface PlayTable {
  desk: Desk;
  settings: Settings;
  /** That play the game well, the best first; empty until it is known. */
  players: string[];
  /** Measured players of the game. */
  scales: Scale[];
  /** The position that is shown, by its moves; and what is known of it, null until it is. */
  place(): Place;
  reply(): PositionReply | null;
  /** Whether it is a position from which no move was played yet. */
  atEnd(): boolean;
  /** Plays a move from `place`, if that is still the position shown: otherwise nothing happens. */
  play(place: Place, text: string): void;
  /** Goes back this many plies, and takes them out of the game. */
  takeBack(plies: number): void;
  /** A new game from the start, or from the position shown. */
  newGame(fromHere: boolean): void;
  /** The game ended without the rules: resigned, or out of time. */
  finish(result: string, why: string): void;
  flip(flipped: boolean): void;
  /** Shows a move without playing it; null: no longer. */
  hint(move: LegalMove | null): void;
  replay(): void;
  /** Whose pieces may be moved has changed: the board is shown anew. */
  sideChanged(): void;
}

type Colour = "white" | "black";
type Side = Colour | "both" | "none";
/** A game that is being played, as it is remembered. `clocks`: milliseconds that White and Black have left. */
interface Playing { game: string; fen?: string; side: Side; player: string; name?: string; clocks?: [number, number]; increment: number }

const kSides: [string, string][] = [["white", "White"], ["black", "Black"], ["random", "either, by chance"],
                                    ["both", "both, by hand"], ["none", "none: it plays itself"]];
const kStrengths: [string, [string, string][]][] = [
  ["Time for each move", [["ms:100", "0.1 s"], ["ms:500", "0.5 s"], ["ms:1000", "1 s"], ["ms:3000", "3 s"], ["ms:10000", "10 s"]]],
  ["Visits for each move", [["visits:1", "1: what it sees at once"], ["visits:10", "10"], ["visits:50", "50"], ["visits:200", "200"],
                            ["visits:800", "800"], ["visits:3200", "3200"]]]];
const kClocks: [string, string][] = [["none", "none"], ["1+1", "1 min + 1 s"], ["3+2", "3 min + 2 s"], ["5+3", "5 min + 3 s"],
                                     ["10+5", "10 min + 5 s"], ["30+10", "30 min + 10 s"]];
const kIcons = {
  back: "M9 7L4 12l5 5M4 12h10a6 6 0 0 1 6 6",
  hint: "M9 18h6M10 21h4M12 3a6 6 0 0 0-3.5 10.9c.7.6 1 1.3 1 2.1h5c0-.8.3-1.5 1-2.1A6 6 0 0 0 12 3z",
  resign: "M6 21V4M6 4h11l-2.5 4 2.5 4H6",
};
const kRated: [string, string][] = [["rated", "by Elo\u2026"]];
const scaleName = ({ of, zero }: Scale): string => (zero ? `${of}, against ${zero}` : of);
const kTick = 200;
const kSure = 3000;  // milliseconds within which the second click on "resign" must follow

const other = (colour: Colour): Colour => (colour === "white" ? "black" : "white");
const place = (colour: Colour): 0 | 1 => (colour === "white" ? 0 : 1);

export class PlayPanel {
  readonly element = el("section", { class: "play-panel panel", "aria-label": "Play" });
  /** Buttons for the toolbar below the board: take back, hint, resign. */
  readonly buttons: HTMLElement[] = [];
  private readonly backButton = iconButton("Take back", kIcons.back, () => this.takeBack());
  private readonly hintButton = iconButton("Hint", kIcons.hint, () => this.hint());
  private readonly resignButton = iconButton("Resign", kIcons.resign, () => this.resign());

  private readonly player;
  private readonly typed;
  private readonly scale;
  private readonly elo;
  private readonly sideChoice;
  private readonly strength;
  private readonly clocks;
  private readonly stored;
  private playing: Playing | null = null;
  /** The engine waits for a word: the page was loaded anew, or it was stopped. */
  private paused = false;
  private thinking: { key: string; hint: boolean; since: number } | null = null;
  private ended: Promise<unknown> = Promise.resolve();
  private said = "";
  private last: MoveReply | null = null;
  private hinted = "";
  private sure = 0;
  private turn: { key: string; turn: Colour; since: number } | null = null;
  private readonly timer: number;

  constructor(private readonly table: PlayTable) {
    const { settings } = table;
    this.player = settings.setting("play.player", "");
    this.typed = settings.setting("play.typed", "");
    this.scale = settings.setting("play.scale", "");
    this.elo = settings.setting("play.elo", 0);
    this.sideChoice = settings.setting("play.side", "white");
    this.strength = settings.setting("play.strength", "ms:1000");
    this.clocks = settings.setting("play.clock", "none");
    this.stored = settings.setting<Playing | null>("play.game", null);
    this.playing = this.stored.value;
    this.paused = this.playing !== null;
    this.buttons.push(this.backButton, this.hintButton, this.resignButton);
    this.timer = window.setInterval(() => this.tick(), kTick);
    this.draw();
  }

  /** Another position is shown, or a reply has come: the table calls it after each change. */
  changed(): void {
    const key = this.key();
    if (this.thinking && this.thinking.key !== key) this.stop();
    if (this.hinted !== "" && this.hinted !== key) this.hinted = "";
    const at = this.table.place();
    if (this.playing && (this.playing.game !== at.game || this.playing.fen !== at.fen)) this.leaveGame();
    const reply = this.table.reply();
    if (reply) this.turned(key, reply);
    if (this.playing && reply?.ending && this.table.atEnd()) this.leaveGame();
    if (this.enginesTurn() && !this.paused && !this.thinking) void this.think();
    this.draw();
  }

  /** Whose pieces may be moved on the board now, and whether moves may be queued. */
  side(): Side {
    if (!this.playing || !this.table.atEnd()) return "both";
    return this.playing.side;
  }
  premoves(): boolean {
    return this.playing !== null && this.table.atEnd() && (this.playing.side === "white" || this.playing.side === "black");
  }

  /** Stops what thinks. */
  leave(): void {
    clearInterval(this.timer);
    this.stop();
  }

  // The game -----------------------------------------------------------------------------------------------------------

  private key(): string { return JSON.stringify(this.table.place()); }

  private get opponent(): string {
    const { shown } = this;
    return shown === "typed" ? this.typed.value.trim() : shown === "rated" ? this.rated.player : shown;
  }
  private get opponentName(): string { return this.shown === "rated" ? this.rated.name : this.opponent; }
  /** Who plays in this game, in words. */
  private get who(): string { return this.playing?.name ?? this.playing?.player ?? ""; }
  /** What is chosen of the opponents. */
  private get shown(): string {
    const { value } = this.player;
    return value === "typed" || (value === "rated" && this.table.scales.length > 0) || this.players.includes(value) ? value : this.players[0];
  }
  private get scaleShown(): Scale {
    const { scales } = this.table;
    return scales.find((one) => scaleName(one) === this.scale.value) ?? scales[0];
  }
  /** The player whose Elo is the closest. */
  private get rated(): Scale["players"][0] {
    const far = (elo: number) => Math.abs(elo - this.elo.value);
    return this.scaleShown.players.reduce((best, one) => (far(one.elo) < far(best.elo) ? one : best));
  }
  /** Until it is known who plays the game well: who plays all of them. */
  private get players(): string[] {
    return this.table.players.length > 0 ? this.table.players : ["alphabeta"];
  }

  private begin(fromHere: boolean): void {
    this.stop();
    const chance: Colour = Math.random() < 0.5 ? "white" : "black";
    const side = (this.sideChoice.value === "random" ? chance : this.sideChoice.value) as Side;
    const [minutes, increment] = this.clocks.value === "none" ? [0, 0] : this.clocks.value.split("+").map(Number);
    if (!fromHere) this.table.newGame(false);
    const at = this.table.place();
    this.playing = { game: at.game, fen: at.fen, side, player: this.opponent, name: this.opponentName, increment: 1000 * increment,
                     clocks: minutes > 0 ? [60000 * minutes, 60000 * minutes] : undefined };
    this.stored.value = this.playing;
    this.paused = false;
    this.said = "";
    this.last = null;
    this.turn = null;
    if (side === "white" || side === "black") this.table.flip(side === "black");
    this.table.sideChanged();
    this.changed();
  }

  private leaveGame(): void {
    this.stop();
    this.playing = null;
    this.stored.value = null;
    this.table.sideChanged();
  }

  private end(result: string, why: string): void {
    this.leaveGame();
    this.said = why;
    this.table.finish(result, why);
    this.draw();
  }

  private enginesTurn(): boolean {
    const reply = this.table.reply();
    const { playing } = this;
    if (!playing || !reply || reply.ending || !this.table.atEnd() || playing.side === "both") return false;
    return playing.side !== reply.turn;
  }

  // The engine ---------------------------------------------------------------------------------------------------------

  /** For a move in a game with clocks: a share of what is left, and nearly all of what a move gives. */
  private limits(): Limits {
    const [kind, amount] = this.strength.value.split(":");
    const clocks = this.playing?.clocks;
    const reply = this.table.reply();
    if (clocks && reply && kind === "ms")
      return { ms: Math.max(50, Math.min(Number(amount), clocks[place(reply.turn)] / 30 + 0.8 * this.playing!.increment)) };
    return kind === "visits" ? { visits: Number(amount) } : { ms: Number(amount) };
  }

  private async think(hint = false): Promise<void> {
    const at = this.table.place();
    const player = hint ? this.opponent : this.playing!.player;
    const thinking = { key: JSON.stringify(at), hint, since: performance.now() };
    this.thinking = thinking;
    this.said = "";
    // One search at a time: the next one begins when the stopped one has ended.
    await this.ended;
    if (this.thinking !== thinking) return;
    try {
      const asked = this.table.desk.ask("search", { ...at, player, ...this.limits() });
      this.ended = asked.catch(() => {});
      const move = await asked;
      if (this.thinking !== thinking) return;
      this.thinking = null;
      if (hint) this.showHint(move);
      else {
        this.last = move;
        this.table.play(at, move.move);
      }
    } catch (error) {
      if (this.thinking !== thinking) return;
      this.thinking = null;
      this.paused = !hint;
      this.said = `${player}: ${(error as Error).message}`;
    }
    this.draw();
  }

  private stop(): void {
    if (!this.thinking) return;
    this.thinking = null;
    this.table.desk.ask("stop", { what: "search" }).catch(() => {});
  }

  private showHint(move: MoveReply): void {
    const legal = this.table.reply()?.legal.find((one) => one.text === move.move);
    if (!legal) return;
    this.hinted = this.key();
    this.said = `Hint: ${move.san}.`;
    this.table.hint(legal);
  }

  // Buttons ------------------------------------------------------------------------------------------------------------

  /** Why something cannot be done now; "" if it can. */
  private whyNoBack(): string {
    return this.table.place().moves.length === 0 ? "No move was played yet" : "";
  }
  private whyNoHint(): string {
    const reply = this.table.reply();
    if (!reply) return "The position is not known yet";
    if (reply.ending) return "The game is over";
    if (!this.opponent) return "No player is known for this game";
    if (this.thinking && !this.thinking.hint) return `${this.who} thinks`;
    return "";
  }
  private whyNoResign(): string {
    if (!this.playing) return "No game is being played";
    return this.playing.side === "none" ? "You do not play in this game" : "";
  }

  /** The last move of who plays here, with the answer to it. */
  private takeBack(): void {
    if (this.whyNoBack()) return;
    const reply = this.table.reply();
    const against = this.playing?.side === "white" || this.playing?.side === "black";
    const plies = against && reply && this.table.atEnd() && reply.turn === this.playing!.side ? 2 : 1;
    this.stop();
    this.paused = this.playing?.side === "none" || (plies > this.table.place().moves.length);
    this.table.takeBack(Math.min(plies, this.table.place().moves.length));
    this.changed();
  }

  private hint(): void {
    if (this.thinking?.hint) this.stop();
    else if (this.hinted === this.key()) {
      this.hinted = this.said = "";
      this.table.hint(null);
    } else if (!this.whyNoHint()) void this.think(true);
    this.draw();
  }

  private resign(): void {
    if (this.whyNoResign()) return;
    if (performance.now() - this.sure > kSure) {
      this.sure = performance.now();
      this.said = "Click again to resign.";
      setTimeout(() => {
        if (this.said === "Click again to resign.") this.said = "";
        this.draw();
      }, kSure);
      this.draw();
      return;
    }
    this.sure = 0;
    const { side } = this.playing!;
    const loser: Colour = side === "both" ? this.table.reply()?.turn ?? "white" : side as Colour;
    this.end(loser === "white" ? "0-1" : "1-0", `${capitalised(loser)} resigned.`);
  }

  private goOn(): void {
    this.paused = !this.paused;
    if (this.paused) this.stop();
    this.said = "";
    this.changed();
  }

  // Clocks -------------------------------------------------------------------------------------------------------------

  /** They run from the first move on. */
  private turned(key: string, reply: PositionReply): void {
    const { playing, turn } = this;
    if (!playing?.clocks || !this.table.atEnd()) return;
    if (turn?.key === key) return;
    if (turn && turn.turn !== reply.turn && this.table.place().moves.length > 0)
      playing.clocks[place(turn.turn)] += playing.increment;
    this.turn = { key, turn: reply.turn, since: performance.now() };
  }

  private tick(): void {
    const { playing, turn } = this;
    if (this.thinking) this.draw();
    if (!playing?.clocks || !turn || this.paused) {
      if (turn) turn.since = performance.now();
      return;
    }
    const now = performance.now();
    if (this.table.place().moves.length > 0) playing.clocks[place(turn.turn)] -= now - turn.since;
    turn.since = now;
    if (playing.clocks[place(turn.turn)] <= 0) {
      playing.clocks[place(turn.turn)] = 0;
      this.end(turn.turn === "white" ? "0-1" : "1-0", `${capitalised(turn.turn)} is out of time: ${other(turn.turn)} wins.`);
    } else this.draw();
  }

  // What is seen -------------------------------------------------------------------------------------------------------

  private status(): string {
    const reply = this.table.reply();
    const { thinking, playing } = this;
    if (thinking) {
      const seconds = ((performance.now() - thinking.since) / 1000).toFixed(1);
      return thinking.hint ? `${this.opponentName} looks for a hint\u2026 ${seconds} s` : `${this.who} thinks\u2026 ${seconds} s`;
    }
    if (this.said) return this.said;
    if (!playing) return "Moves are played for both sides on the board. A new game has an opponent.";
    if (!this.table.atEnd()) return "An earlier position of the game is shown: the game goes on at its end.";
    if (this.enginesTurn() && this.paused) return `It is ${this.who}'s turn; it waits.`;
    if (reply && playing.side === reply.turn) return `Your move: you are ${capitalised(playing.side)}.`;
    return reply ? `${capitalised(reply.turn)} to move.` : "\u2026";
  }

  /** An Elo on a scale, and who has about that. */
  private ratedChoice(): TemplateResult {
    const { rated, scaleShown } = this;
    const elos = scaleShown.players.map((one) => one.elo);
    const signed = (elo: number) => (elo > 0 ? `+${elo}` : `${elo}`.replace("-", "\u2212"));
    const [least, most] = [Math.min(...elos), Math.max(...elos)];
    return html`<label><span>Measured in</span><select @change=${(event: Event) => {
        this.scale.value = (event.target as HTMLSelectElement).value;
        this.draw();
      }}>${this.table.scales.map((one) => html`<option ?selected=${one === scaleShown}>${scaleName(one)}</option>`)}</select></label>
      <label><span>Elo</span><span class="range"><input type="range" min=${least} max=${most} .value=${String(this.elo.value)}
        aria-valuetext=${`${signed(rated.elo)}: ${rated.name}`} @input=${(event: Event) => {
          this.elo.value = Number((event.target as HTMLInputElement).value);
          this.draw();
        }}><output>${signed(Math.max(least, Math.min(most, this.elo.value)))}</output></span></label>
      <p class="faint rated"><strong>${rated.name}</strong> is the closest of ${elos.length}, with ${signed(rated.elo)}
        ${rated.low < rated.high ? html`(95 %: ${signed(rated.low)} to ${signed(rated.high)})` : nothing} where ${scaleShown.zero ?
        html`${scaleShown.zero} has 0` : "the mean of all players is 0"}. It moves as it was measured: <code>${rated.player}</code></p>`;
  }

  private draw(): void {
    const enable = (button: HTMLButtonElement, name: string, why: string) => {
      button.setAttribute("aria-disabled", String(why !== ""));
      button.title = why ? `${name}: ${why.charAt(0).toLowerCase()}${why.slice(1)}` : name;
      button.setAttribute("aria-label", button.title);
    };
    enable(this.backButton, "Take back", this.whyNoBack());
    enable(this.hintButton, this.hinted !== "" ? "Hide the hint" : "Hint", this.whyNoHint());
    enable(this.resignButton, "Resign", this.whyNoResign());
    const { playing, last } = this;
    const { players } = this;
    const options = (values: [string, string][], chosen: string) =>
      values.map(([value, words]) => html`<option value=${value} ?selected=${value === chosen}>${words}</option>`);
    const set = (setting: { value: string }) => (event: Event) => {
      setting.value = (event.target as HTMLSelectElement).value;
      this.draw();
    };
    const { shown } = this;
    const needs = this.sideChoice.value !== "both" && !this.opponent ? "Choose or type an opponent first" : "";
    const engine = playing !== null && playing.side !== "both";
    render(html`
      ${playing?.clocks ? html`<div class="clocks">${(["white", "black"] as const).map((colour) => html`<div
        class="clock ${this.turn?.turn === colour ? "running" : ""}"><span class="faint">${capitalised(colour)}</span>
        <time>${clock(Math.ceil(playing.clocks![place(colour)] / 1000))}</time></div>`)}</div>` : nothing}
      <p class="play-status ${this.thinking ? "thinking" : ""}" role="status" aria-live=${this.thinking ? "off" : "polite"}>${this.status()}</p>
      ${last && engine ? html`<p class="faint expects">${this.who} expects ${last.line.length > 1 ? html`<code>${last.san}</code> and then
        ${last.line.length - 1} more, ` : nothing}White wins ${percent(last.value[0], 0)}, draw ${percent(last.value[1], 0)};
        ${last.visits > 0 ? `${last.visits} visits` : `${last.nodes} nodes`} in ${last.seconds.toFixed(1)} s.</p>` : nothing}
      ${engine ? html`<div class="row">${this.enginesTurn() || playing.side === "none" ? html`<button type="button" class="quiet"
        @click=${() => this.goOn()}>${this.paused ? `Let ${this.who} move` : "Stop it"}</button>` : nothing}</div>` : nothing}
      <form class="play-form" @submit=${(event: Event) => { event.preventDefault(); if (!needs) this.begin(false); }}>
        <label><span>Opponent</span><select .value=${shown} @change=${set(this.player)}>
          ${options([...players.map((name): [string, string] => [name, name]), ...kRated.slice(0, this.table.scales.length), ["typed", "another\u2026"]], shown)}</select></label>
        ${shown === "typed" ? html`<label><span>Its name</span><input type="text" .value=${this.typed.value} autocomplete="off"
          placeholder="runs/NAME, a net's file, alphabeta" @input=${set(this.typed)}></label>` : nothing}
        ${shown === "rated" ? this.ratedChoice() : html`<label><span>Strength</span><select @change=${set(this.strength)}>${kStrengths.map(([title, values]) =>
          html`<optgroup label=${title}>${options(values, this.strength.value)}</optgroup>`)}</select></label>`}
        <label><span>You play</span><select @change=${set(this.sideChoice)}>${options(kSides, this.sideChoice.value)}</select></label>
        <label><span>Clock</span><select @change=${set(this.clocks)}>${options(kClocks, this.clocks.value)}</select></label>
        <div class="row"><button class="primary" ?disabled=${needs !== ""} title=${needs || "From the start"}>New game</button>
          <button type="button" class="quiet" ?disabled=${needs !== ""} title=${needs || "From the position shown"}
            @click=${() => this.begin(true)}>Play from here</button>
          ${playing ? html`<button type="button" class="quiet" title="Both sides can be moved by hand then"
            @click=${() => { this.leaveGame(); this.draw(); }}>End the game</button>` : nothing}</div>
        ${needs ? html`<p class="faint">${needs}.</p>` : nothing}
      </form>`, this.element);
  }
}
