// What a page asks of the program, and what it is told: the same messages over the lab's socket and to the static
// page's worker. The page knows no rules: every position is named by its game, start and moves, and nothing about it is
// kept on the other side.
import type { BoardData, FrameData, GameData, ReportData, ShapeData } from "../common/data";

/** A position: `fen` is where the game began, if not at the game's start; `moves` are texts as in LegalMove. */
export interface Place { game: string; fen?: string; moves: string[] }

/**
 * A legal move. `from` and `to` are numbers of squares, -1 where there is none: a dropped piece has no `from`, and a
 * movement of the board alone has neither, but `arrow`, in coordinates of the board ([x, y, x, y]). `piece` is a letter
 * of `shapes`, of the piece that moves or is dropped. `choice` names what distinguishes moves of the same squares:
 * "queen", "left fork", "to level 2"; "" if there is but one. `note` is what the move does to the board, in a sentence.
 */
export interface LegalMove {
  text: string; san: string; from: number; to: number; piece: string; capture: boolean;
  choice: string; note: string; arrow?: [number, number, number, number];
}

/** `result`: "1-0", "0-1", "1/2-1/2"; `why`: "Checkmate: white wins.". */
export interface Ending { result: string; why: string }

/** Win, draw and loss of White, which add up to 1, and the plies until the game ends where they are estimated. */
export type Chances = [win: number, draw: number, loss: number, left?: number];

/** A line of play with its frames: `frames` has one entry more than `san`, the first of the start. */
export interface PositionReply {
  game: string;               // its canonical name
  start: string;              // FEN of the line's start
  fen: string;                // of its end
  turn: "white" | "black";    // to move at the end
  first: "white" | "black";   // to move at the start
  number: number;             // of the first move
  check: boolean;
  san: string[];
  legal: LegalMove[];         // at the end; empty if the game is over
  ending?: Ending;
  hands?: [string, string];   // letters of the pieces in White's and Black's hand, each as often as it is held
  boards: BoardData[];        // that the frames refer to
  shapes: Record<string, ShapeData>;
  frames: FrameData[];
}

/** A game that can be played. `board`: "8×8". `options`: keys of its name with their values, the default first. */
export interface GameInfo {
  name: string; title: string; summary: string; board: string; kind: "family" | "file";
  options: { name: string; values: string[]; help: string }[];
}

/** Limits of one move or analysis; none at all: until stopped. */
export interface Limits { ms?: number; visits?: number }

/** The engine's move. `value`: before it; `line`: begins with `move`. */
export interface MoveReply {
  move: string; san: string; value: Chances; line: string[]; visits: number; nodes: number; depth: number; seconds: number;
}

/** One of the best moves; `prior` and `visits` are 0 of a search without them; `mate`: plies to a proven mate. */
export interface AnalysisLine {
  moves: string[]; san: string[]; value: Chances; visits: number; prior: number; mate?: number;
}

/** Topic "analysis": the latest report. `key` is the one given with the request; `done`: the search has ended; `network`: which one it has. */
export interface AnalysisReport {
  key: string; player: string; lines: AnalysisLine[]; value: Chances;
  nodes: number; visits: number; depth: number; selective: number; seconds: number; done: boolean; network?: string; error?: string;
}

/** Topic "review". `plies` has one entry per move of the game, once it is done. */
export interface ReviewReport {
  key: string; done: number; total: number; error?: string;
  plies?: { value: Chances; best: string; bestSan: string; loss: number; mark: string; note: string }[];
}

/** Moves with one entry for each: the expectation before it, its mark, what is said of it. */
export interface SaidLine { moves: string[]; values?: (Chances | null)[]; marks?: (string | null)[]; comments?: (string | null)[] }

/**
 * Moves instead of those from one at `ply`, from 0, of another line on. Lines are numbered: 0 is the game, i + 1 is
 * variations[i]; a variation comes after the line that it leaves. `san` is not needed for writing.
 */
export interface Variation extends SaidLine { line: number; ply: number; san?: string[] }

/** A game read from text, or found in a file. `comment`: before the first move. */
export interface ReadGame extends SaidLine {
  game: string; fen?: string; white: string; black: string; result: string; comment?: string; variations?: Variation[]; name?: string;
}

/**
 * What lies in the folder, what runs first, then the newest. `kind`: run, tournament, study, survey, yardsticks, games,
 * net, game; `state`: a few words; `changed`: in seconds since 1970; `game`: the
 * one that a network was trained for.
 */
export interface FolderEntry { path: string; kind: string; title: string; state: string; changed: number; running: boolean; game?: string }

/**
 * Topic "run:PATH": rows of metrics that the page does not have yet, in their order; `from` is the first one's place:
 * the number of rows that the page has, or 0, and then all rows are there and replace those. Where `from` is another
 * number, a report was left out: watch again with `have` 0.
 */
export interface RunReport {
  path: string; state: string; running: boolean; variant: string; from: number;
  rows: Record<string, number | null>[]; facts: [string, string][]; secondsLeft?: number;
  /** Of a run that serves actors elsewhere. */
  cluster?: Pick<ReportData, "notices" | "sections">;
}

/**
 * Players whose strength was measured, in `of`: a run, a tournament, or a network's file. `zero`: whose Elo is 0; "": the
 * mean of all is. `player`: its name for a search, with the limits of its moves; `low`, `high`: 95 %. The best is first.
 */
export interface Scale { of: string; zero: string; players: { name: string; player: string; elo: number; low: number; high: number }[] }

/** What is wrong with a game file or a configuration, at lines from 1; 0: with the text as a whole. */
export interface FileMistake { line: number; text: string }

/** A piece of a game with its moves from `square`, on an empty board: frame with highlights. */
export interface PieceInfo {
  letter: string; name: string; shape: string; text: string; value: number;
  frame: FrameData; moves: number[]; captures: number[]; both: number[];
}

/** Requests by name, with their replies. Those of the second half exist in the lab alone. */
export interface Requests {
  games: [{}, { games: GameInfo[] }];
  /** That play a game well, the best first: "fast", "net", "alphabeta", … */
  players: [{ game: string }, { players: string[] }];
  position: [Place, PositionReply];
  /** Frames after each legal move from a square (or of the board's movements and drops: -1), by the move's text. */
  previews: [Place & { from: number }, { frames: Record<string, FrameData>; boards: BoardData[]; shapes: Record<string, ShapeData>;
                                        /** Squares that the opponent attacks after the move. */
                                        attacked: Record<string, number[]> }];
  /** Words for squares: what stands there, what attacks it, where the keys lead: neighbours left, right, up, down or -1. */
  squares: [Place, { squares: { number: number; name: string; says: string; next: [number, number, number, number] }[] }];
  search: [Place & { player: string } & Limits, MoveReply];
  analyse: [Place & { player: string; key: string; lines: number } & Limits, {}];
  review: [Place & { player: string; key: string } & Limits, {}];
  /** Ends what runs for this page: "search", "analyse" or "review". A stopped search is answered by an error, "stopped". */
  stop: [{ what: string }, {}];
  /** Games or positions from any text; errors name field and column. */
  read: [{ text: string; game?: string }, { games: ReadGame[] }];
  write: [ReadGame, { text: string }];
  rules: [{ game: string }, { game: string; title: string; text: string; pieces: PieceInfo[]; boards: BoardData[];
                              shapes: Record<string, ShapeData>; examples: GameData[] }];
  /**
   * `put`: a square's number and the piece's letter, "." to empty it; `hand`: a piece's letter, and 1 to take it in hand or
   * -1 to put it away. `problem`: why the position cannot be. `hands`: what can be in hand, by its letter, and how often it is.
   */
  setup: [{ game: string; fen: string; put?: [number, string]; turn?: "white" | "black"; hand?: [string, 1 | -1] },
          { fen: string; problem: string; hands?: { letter: string; white: number; black: number }[] }];

  status: [{}, { program: string; folder: string; mayStart: boolean; players: string[]; processors: number; open: string }];
  folder: [{ path: string }, { entries: FolderEntry[] }];
  document: [{ path: string }, { document: ReportData }];
  /** At most 200. `searched`: how many games the filter (docs/lab.md) looked at, if not all; `total`: those that passed. */
  gamesOf: [{ path: string; from: number; count: number; filter?: string }, { games: ReadGame[]; total: number; searched?: number }];
  /** Publishes "run:PATH" from then on; `have`: the number of rows that the page has, `seconds`: the last one's. */
  watch: [{ path: string; have: number; seconds?: number }, {}];
  unwatch: [{ path: string }, {}];
  /** The last games of a run as they can be stepped through; the one called `large` with its searches. */
  wall: [{ path: string; count: number; large?: string }, { games: GameData[]; boards: BoardData[]; shapes: Record<string, ShapeData> }];
  ratings: [{ game: string }, { scales: Scale[] }];
  /** Keys of configurations with what is wrong in `text`, a configuration's TOML. */
  config: [{ text: string }, { mistakes: FileMistake[]; keys: { name: string; help: string; value: string; allowed: string }[] }];
  configs: [{}, { configs: { name: string; text: string }[] }];
  start: [{ command: "train" | "resume"; path: string; text?: string }, { path: string }];
  halt: [{ path: string }, {}];
  /** A game file as typed: its mistakes, or else the first position. `name`: of a shipped file to begin from, instead of text. */
  gameFile: [{ text?: string; name?: string }, { text: string; mistakes: FileMistake[]; position?: PositionReply; game?: string }];
  /** Writes the page that plays a game file without a server, NAME.html, beside it. */
  gamePage: [{ path: string }, { path: string }];
  saveGame: [{ text: string; path: string }, { game: string }];
}

/** Topics by name: "run:PATH" is one for each path. */
export interface Topics { analysis: AnalysisReport; review: ReviewReport; [run: `run:${string}`]: RunReport; status: { connected: boolean } }

export class RequestError extends Error {
  constructor(message: string, readonly field = "") { super(message); }
}

/** Who answers: the lab's server or the static page's worker. */
export interface Desk {
  /** Fails with RequestError. */
  ask<Name extends keyof Requests>(name: Name, request: Requests[Name][0]): Promise<Requests[Name][1]>;
  /** Returns what ends the subscription. Reports that are older than one already seen are left out. */
  on<Name extends keyof Topics>(topic: Name, seen: (report: Topics[Name]) => void): () => void;
}
