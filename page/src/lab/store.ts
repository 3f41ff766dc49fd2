// What the page remembers: settings in the browser's storage, the place in the URL's fragment. Nothing else is kept
// outside the views.
import type { GameInfo, ReadGame, Desk } from "./desk";

/** A value that tells whoever watches it when it changes. */
export class Signal<Value> {
  private readonly watchers = new Set<(value: Value) => void>();
  constructor(private current: Value) {}
  get value(): Value { return this.current; }
  set value(value: Value) {
    if (Object.is(value, this.current)) return;
    this.current = value;
    for (const watcher of [...this.watchers]) watcher(value);
  }
  /** Calls `seen` at each change; returns what ends that. */
  watch(seen: (value: Value) => void): () => void {
    this.watchers.add(seen);
    return () => void this.watchers.delete(seen);
  }
}

/** Where the page is: its view, and the fields of the URL's fragment, the first of which names the view. */
export type Fields = Record<string, string>;

/** Moves and FENs stay legible: only what would end a field is escaped. */
const escaped = (text: string): string =>
  encodeURIComponent(text).replace(/%20/g, "+").replace(/%(2F|2C|3A|3D|40|5B|5D|7C)/g, (code) => decodeURIComponent(code));

export const written = (fields: Fields): string =>
  Object.entries(fields).map(([name, value]) => (value === "" ? name : `${name}=${escaped(value)}`)).join("&");

export const parsed = (fragment: string): Fields =>
  Object.fromEntries(new URLSearchParams(fragment.replace(/^#/, "")));

const kPrefix = "faultline.lab.";

export class Store {
  readonly fields = new Signal<Fields>(parsed(location.hash));
  /** A sentence for the user, which disappears by itself; "" for none. */
  readonly notice = new Signal<string>("");
  /** A game that was opened, with what its moves alone do not say; the table takes it. */
  handed: ReadGame | null = null;
  /** Opens what a text holds: a position, or games. */
  read: (text: string) => void = () => {};
  private readonly settings = new Map<string, Signal<any>>();

  constructor() {
    addEventListener("hashchange", () => {
      if (location.hash.replace(/^#/, "") !== written(this.fields.value)) this.fields.value = parsed(location.hash);
    });
  }

  /** A value that is still there the next time; `name` is unique in the page. */
  setting<Value>(name: string, initial: Value): Signal<Value> {
    const known = this.settings.get(name);
    if (known) return known;
    let value = initial;
    try {
      const text = localStorage.getItem(kPrefix + name);
      if (text !== null) value = JSON.parse(text);
    } catch { /* A browser without storage, or what another version wrote. */ }
    const signal = new Signal(value);
    signal.watch((now) => {
      try { localStorage.setItem(kPrefix + name, JSON.stringify(now)); } catch { /* Full, or forbidden. */ }
    });
    this.settings.set(name, signal);
    return signal;
  }

  /** Goes elsewhere; "back" returns. `replace`: the place is the same, described anew. */
  go(fields: Fields, replace = false): void {
    const hash = `#${written(fields)}`;
    if (replace) history.replaceState(null, "", hash);
    else history.pushState(null, "", hash);
    if (replace) this.described(fields);
    else this.fields.value = fields;
  }

  /** Shows a game on the table. */
  open(game: ReadGame, ply = 0): void {
    this.handed = game;
    this.go(tableFields(game.game, game.fen, game.moves, ply));
  }

  /** The fields without telling: the view that wrote them shows them already. */
  private described(fields: Fields): void {
    (this.fields as unknown as { current: Fields }).current = fields;
  }
}

/** The place of a position on the table. */
export function tableFields(game: string, fen?: string, moves: string[] = [], ply = 0): Fields {
  return { g: game, ...(fen ? { fen } : {}), ...(moves.length > 0 ? { m: moves.join(" ") } : {}), ...(ply > 0 ? { ply: String(ply) } : {}) };
}

const games = new WeakMap<Desk, Promise<GameInfo[]>>();

/** All games, asked for once. */
export function gamesOf(desk: Desk): Promise<GameInfo[]> {
  const known = games.get(desk) ?? desk.ask("games", {}).then((reply) => reply.games);
  games.set(desk, known);
  known.catch(() => games.delete(desk));
  return known;
}

/** "escher" of "escher:rows=1". */
export const familyOf = (game: string): string => (game.startsWith("data:") ? game : game.split(":")[0]);

/** A part of the page that fills it, until it is left. */
export interface View {
  element: HTMLElement;
  leave(): void;
  /** The place is another one of the same kind: whether the view shows it, instead of being made anew. */
  moved?(fields: Fields): boolean;
}
