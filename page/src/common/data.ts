// What a report's JSON contains; docs/documents.md and docs/reports.md describe it.

export interface Fact { name: string; value: Cell; remark?: string }
/** A number as it is shown; with ends, which are null where they are infinite, if it has an interval. */
export interface NumberCell { value: number | null; low?: number | null; high?: number | null; text: string }
/** A number that is nothing else is a whole one. */
export type Cell = string | number | NumberCell;
export interface Column {
  title: string;
  kind: "text" | "code" | "number" | "interval";
  axis?: [number, number];
  reference?: number;
}
export type Values = (number | null)[];
export interface Series { name: string; values: Values; low?: Values; high?: Values; style?: string }
export interface Chart { title: string; unit: string; note?: string; series: Series[] }
export interface Axis { name: string; values: Values }
export interface MatrixCell { share: number | null; note: Cell; title: string }

/** [number, name, level, light, polygon, centre?] */
export type SquareData = [number, string, number, 0 | 1, number[], number[]?];
export interface BoardData {
  levels: [number, number, number, number][];
  squares: SquareData[];
  areas?: [string, number, 0 | 1, number[]][];
  insets?: [number, number, 0 | 1, number[]][];
  marks?: [string, number, number[]][];
  labels?: [string, number, string, number, number, 0 | 1][];
}
export interface FrameData {
  b?: number;
  p?: string;
  d?: string;
  m?: [number, number];
  e?: string;
  h?: [number[], number[]];
  s?: number[];
  a?: [number, number, number, number][];
  c?: number[];
}
/** A move that a search preferred, as a LegalMove has it; `share` of its weight or visits in thousandths. */
export interface SearchedMove { text: string; san: string; from: number; to: number; arrow?: [number, number, number, number]; share: number }
export interface GameData {
  name: string;
  label: string;
  variant: string;
  white: string;
  black: string;
  result: string;
  ending: string;
  opening: number;
  first: "white" | "black";
  number: number;
  fen?: string;
  moves: string[];
  values?: ([number, number] | null)[];
  marks?: (string | null)[];
  comment?: string;
  comments?: (string | null)[];
  frames: FrameData[];
  live?: boolean;  // it goes on
  searches?: (SearchedMove[] | null)[];  // by ply
}
export interface FactsSection { type: "facts"; items: Fact[] }
export interface TableSection { type: "table"; columns: Column[]; rows: Cell[][] }
export interface CurvesSection { type: "curves"; axes: Axis[]; charts: Chart[] }
export interface HistogramSection {
  type: "histogram"; unit: string; width: number; open: boolean;
  series: { name: string; total: number; counts: number[] }[];
}
export interface BarsSection {
  type: "bars";
  groups: { name: string; total: number }[];
  bars: { name: string; part: string; counts: number[] }[];
}
export interface MatrixSection { type: "matrix"; names: string[]; cells: (MatrixCell | null)[][] }
export interface GamesSection { type: "games"; games: GameData[] }
export interface OpeningsSection { type: "openings"; tree: TreeNode }
export interface TreeNode extends FrameData {
  t?: string;
  g: [number, number, number, number];
  r?: number;
  n?: TreeNode[];
}
export type Section = { title: string; note?: string } & (
  | FactsSection | TableSection | CurvesSection | HistogramSection | BarsSection | MatrixSection
  | GamesSection | OpeningsSection);

export interface ShapeData { name: string; parts: [string, string][] }
export interface ReportData {
  format: number;
  kind: string;
  title: string;
  subtitle: string;
  program: string;
  made: string;
  notices: string[];
  sections: Section[];
  boards: BoardData[];
  shapes: Record<string, ShapeData>;
}
