// Draws a position as SVG, and moves it from one position to the next.
import { svg } from "../common/dom";
import { motionBetween } from "./motion";
import { labelSize, Placing, type Arrangement } from "./placing";
import { isWhite, middle, type Box, type Mark, type Point, type Position } from "./position";
import type { ShapeData } from "../common/data";

export const kUnit = 100;  // drawing units in a square
const kPieceMilliseconds = 240;
const kBoardMilliseconds = 520;

const minus = (a: Point, b: Point): Point => ({ x: a.x - b.x, y: a.y - b.y });
const plus = (a: Point, b: Point): Point => ({ x: a.x + b.x, y: a.y + b.y });
const times = (p: Point, f: number): Point => ({ x: p.x * f, y: p.y * f });
const leftOf = (p: Point): Point => ({ x: -p.y, y: p.x });
const length = (p: Point): number => Math.hypot(p.x, p.y);
const between = (a: Point, b: Point, t: number): Point => ({ x: a.x + t * (b.x - a.x), y: a.y + t * (b.y - a.y) });
export const fixed = (value: number): string => String(Number(value.toFixed(1)));
const drawn = (p: Point): string => `${fixed(kUnit * p.x)},${fixed(-kUnit * p.y)}`;
export const drawnAll = (points: Point[]): string => points.map(drawn).join(" ");

export const reducedMotion = (): boolean => matchMedia("(prefers-reduced-motion: reduce)").matches;

/** The shapes that boards of the page refer to, each once: what is answered at other times may have other letters for them. */
class Shapes {
  private definitions: SVGDefsElement | null = null;
  private readonly ids = new Map<string, string>();
  private readonly known = new WeakMap<ShapeData, string>();

  /** The id of what draws a shape, in a box of 100 by 100. */
  id(shape: ShapeData): string {
    let id = this.known.get(shape);
    if (id !== undefined) return id;
    const text = JSON.stringify(shape.parts);
    id = this.ids.get(text);
    if (id === undefined) {
      id = `piece-${this.ids.size}`;
      this.ids.set(text, id);
      this.define(id, shape);
    }
    this.known.set(shape, id);
    return id;
  }

  /** Makes the place of definitions, with the pattern of barriers. */
  prepare(): SVGDefsElement {
    if (this.definitions) return this.definitions;
    const pattern = svg("pattern", { id: "hatch", width: 16, height: 16, patternUnits: "userSpaceOnUse",
                                     patternTransform: "rotate(45)" },
      svg("rect", { width: 16, height: 16, class: "void" }), svg("rect", { width: 5, height: 16, class: "void-edge" }));
    this.definitions = svg("defs", {}, pattern);
    document.body.prepend(svg("svg", { class: "definitions", width: 0, height: 0, "aria-hidden": "true" }, this.definitions));
    return this.definitions;
  }

  private define(id: string, shape: ShapeData): void {
    const group = svg("g", { id });
    for (const [kind, path] of shape.parts) {
      if (kind === "limb") group.append(svg("path", { d: path, class: "limb-edge" }));
      group.append(svg("path", { d: path, class: kind }));
    }
    this.prepare().append(group);
  }
}

export const shapes = new Shapes();

/** From one offset to another, in squares, seen from where the element rests. */
interface Moving { element: SVGElement; by: Point; until: Point; rest: string; scale: number }
/** What happens at the same time. */
interface Beat { milliseconds: number; moving: Moving[]; appearing: SVGElement[]; vanishing: SVGElement[] }

const kNowhere: Point = { x: 0, y: 0 };

/** One board on the page. */
export class Drawing {
  readonly element = svg("svg", { class: "board", role: "img" });
  /** What others draw over the board, in its units; it stays when another position is shown. */
  readonly overlay = svg("g", { class: "overlay" });
  /** Milliseconds of each of three beats of a move: the piece, the board, the consequences; Infinity: until step(),
   * null: all at once. */
  beat: number | null = null;
  /** The piece of the next move is where it goes already: it was carried there by hand. */
  dropped = false;
  private position: Position | null = null;
  private stop: (() => void) | null = null;
  private next: (() => void) | null = null;

  /** `box`: what is shown; positions of one game share it, so that boards do not jump. */
  constructor(public arrangement: Arrangement, public flipped: boolean) {}

  placing(position: Position): Placing {
    return new Placing(position.board, this.arrangement, this.flipped);
  }

  pieceOn(number: number): SVGElement | null {
    return this.element.querySelector<SVGElement>(`.pieces > [data-square="${number}"]`);
  }

  /** Shows everything of these positions. */
  frame(positions: Position[]): void {
    const boards = new Map(positions.map((position) => [position.board, position]));
    let all: Box | null = null;
    for (const position of boards.values()) {
      const box = this.placing(position).box();
      all = all === null ? box : {
        low: { x: Math.min(all.low.x, box.low.x), y: Math.min(all.low.y, box.low.y) },
        high: { x: Math.max(all.high.x, box.high.x), y: Math.max(all.high.y, box.high.y) } };
    }
    if (all === null) return;
    const width = kUnit * (all.high.x - all.low.x), height = kUnit * (all.high.y - all.low.y);
    this.element.setAttribute("viewBox",
      `${fixed(kUnit * all.low.x)} ${fixed(-kUnit * all.high.y)} ${fixed(width)} ${fixed(height)}`);
    this.element.style.aspectRatio = `${fixed(width)} / ${fixed(height)}`;
    this.element.style.setProperty("--across", String(Number((width / kUnit).toFixed(2))));
    this.element.style.setProperty("--down", String(Number((height / kUnit).toFixed(2))));
  }

  show(position: Position, description: string): void {
    this.stop?.();
    this.position = position;
    shapes.prepare();
    this.element.setAttribute("aria-label", description);
    // The overlay stays in the document: what has the focus there keeps it.
    for (const child of [...this.element.children]) if (child !== this.overlay) child.remove();
    if (!this.overlay.parentNode) this.element.append(this.overlay);
    this.overlay.before(...this.layers(position));
  }

  /** Whether a movement is shown, or waits for step(). */
  get moving(): boolean {
    return this.stop !== null;
  }

  finish(): void {
    this.stop?.();
  }

  /** The next beat of a movement that waits, or else the movement's end. */
  step(): void {
    (this.next ?? this.stop)?.();
  }

  /** As show(), with the movement from the position that is shown. */
  moveTo(position: Position, description: string): void {
    const before = this.position;
    this.show(position, description);
    if (before !== null && before !== position && !reducedMotion() && this.beat !== 0) this.animate(before, position);
    this.dropped = false;
  }

  private animate(before: Position, after: Position): void {
    const motion = motionBetween(before, after);
    const from = this.placing(before), to = this.placing(after);
    const [first, second, third] = [0, 1, 2].map((): Beat =>
      ({ milliseconds: this.beat ?? kPieceMilliseconds, moving: [], appearing: [], vanishing: [] }));
    const pieces = this.element.querySelector(".pieces")!;
    const leaving = (square: number, beat: Beat) => {
      const at = before.board.byNumber.get(square)!;
      const piece = this.piece(before.pieces.get(square)!, from.middle(at), from.scale(at.level), before.shapes);
      pieces.prepend(piece);
      beat.vanishing.push(piece);
    };

    if (motion.fade) {
      second.appearing.push(...this.element.querySelectorAll<SVGElement>(".squares, .pieces, .labels"));
      second.milliseconds = this.beat ?? kBoardMilliseconds;
    } else {
      for (const element of this.element.querySelectorAll<SVGElement>(".pieces > [data-square]")) {
        const square = Number(element.dataset.square);
        const origin = motion.pieces.get(square);
        if (origin === undefined) { third.appearing.push(element); continue; }
        const start = before.board.byNumber.get(origin)!, end = after.board.byNumber.get(square)!;
        const rest = element.getAttribute("transform") ?? "";
        const offset = (p: Point, level: number) => minus(from.point(p, level), to.middle(end));
        const scale = from.scale(start.level) / to.scale(end.level);
        const by = offset(start.centre, start.level);
        // A piece that is moved and then carried goes by the square to which it moved.
        const midway = after.move?.[0] === origin ? before.board.byNumber.get(after.move[1]) : undefined;
        const until = midway ? offset(midway.centre, midway.level) : after.move?.[0] === origin ? kNowhere : by;
        const steps = length(minus(by, until)) > 1e-6 || (midway !== undefined && scale !== 1);
        if (steps && !(this.dropped && after.move?.[0] === origin)) first.moving.push({ element, by, until, rest, scale });
        const carried = midway ? from.scale(midway.level) / to.scale(end.level) : scale;
        if (length(until) > 1e-6 || (!midway && scale !== 1))
          second.moving.push({ element, by: until, until: kNowhere, rest, scale: carried });
        const letter = before.pieces.get(origin)!;
        if (letter !== after.pieces.get(square)) this.exchange(element, letter, before.shapes, third);
      }
      for (const square of motion.gone) leaving(square, square === after.move?.[1] ? first : third);
      if (before.board !== after.board) {
        second.milliseconds = this.beat ?? kBoardMilliseconds;
        this.moveBoard(before, after, from, to, motion.squares, second.moving, second.appearing);
      } else if (after.moved.length > 0) second.milliseconds = this.beat ?? kBoardMilliseconds;
    }
    second.appearing.push(...this.element.querySelectorAll<SVGElement>(".arrow"));
    third.appearing.push(...this.element.querySelectorAll<SVGElement>(".check"));
    if (second.moving.length > 0)
      third.appearing.push(...this.element.querySelectorAll<SVGElement>(".highlights .left, .highlights .reached"));
    const beats = [first, second, third].filter((beat) =>
      beat.moving.length + beat.appearing.length + beat.vanishing.length > 0);
    this.run(this.beat === null && beats.length > 0 ? [together(beats)] : beats);
  }

  /** A piece that becomes another one shows what it was until a beat's end. */
  private exchange(element: SVGElement, letter: string, known: Record<string, ShapeData>, beat: Beat): void {
    const earlier = this.piece(letter, kNowhere, 1, known).firstElementChild as SVGElement;
    const later = element.firstElementChild as SVGElement;
    earlier.setAttribute("transform", later.getAttribute("transform")!);
    element.append(earlier);
    beat.vanishing.push(earlier);
    beat.appearing.push(later);
  }

  /** Squares, marks and names that are elsewhere now. */
  private moveBoard(before: Position, after: Position, from: Placing, to: Placing,
                    origins: Map<number, number>, moving: Moving[], appearing: SVGElement[]): void {
    for (const element of this.element.querySelectorAll<SVGElement>(".squares > [data-square]")) {
      const number = Number(element.dataset.square);
      const start = before.board.byNumber.get(origins.get(number) ?? number);
      const end = after.board.byNumber.get(number)!;
      if (start === undefined) { appearing.push(element); continue; }
      const by = minus(from.middle(start), to.middle(end));
      if (length(by) > 1e-6) moving.push({ element, by, until: kNowhere, rest: "", scale: 1 });
    }
    // What is the same on both boards stays; of the rest, those of one kind follow each other in order.
    const pair = <Item extends { kind: string }>(
      selector: string, earlier: Item[], later: Item[], key: (item: Item) => string,
      at: (item: Item, placing: Placing) => Point) => {
      const elements = this.element.querySelectorAll<SVGElement>(selector);
      const places = new Set(later.map(key)), known = new Set(earlier.map(key));
      const free = earlier.filter((item) => !places.has(key(item)));
      later.forEach((item, i) => {
        if (known.has(key(item)) || !elements[i]) return;
        const found = free.findIndex((one) => one.kind === item.kind);
        if (found < 0) { appearing.push(elements[i]); return; }
        const [origin] = free.splice(found, 1);
        moving.push({ element: elements[i], by: minus(at(origin, from), at(item, to)), until: kNowhere, rest: "", scale: 1 });
      });
    };
    pair(".marks > g", before.board.marks, after.board.marks, (mark) => JSON.stringify([mark.kind, mark.points]),
      (mark, placing) => placing.point(middle(mark.points), mark.level));
    pair(".labels > text", before.board.labels.filter((label) => from.hasLabels(label)),
      after.board.labels.filter((label) => to.hasLabels(label)),
      (label) => JSON.stringify([label.kind, label.text, label.at]), (label, placing) => placing.label(label));
  }

  /** One beat after the other; the board looks like before the first one until then. */
  private run(beats: Beat[]): void {
    if (beats.length === 0) return;
    let request = 0, number = 0, start = performance.now();
    const finish = () => {
      cancelAnimationFrame(request);
      this.stop = this.next = null;
      for (const { moving, appearing, vanishing } of beats) {
        for (const { element, rest } of moving) {
          if (rest) element.setAttribute("transform", rest);
          else element.removeAttribute("transform");
        }
        for (const element of appearing) element.removeAttribute("style");
        for (const element of vanishing) element.remove();
      }
      this.element.classList.remove("moving");
    };
    const begin = () => {
      this.next = null;
      start = performance.now();
      request = requestAnimationFrame(step);
    };
    const step = () => {
      const { milliseconds } = beats[number];
      const waits = milliseconds === Infinity;
      const time = Math.min(1, (performance.now() - start) / (waits ? kBoardMilliseconds : milliseconds));
      put(beats[number], time < 0.5 ? 2 * time * time : 1 - 2 * (1 - time) * (1 - time));
      if (time < 1) { request = requestAnimationFrame(step); return; }
      if (++number === beats.length) finish();
      else if (waits) this.next = begin;
      else begin();
    };
    this.stop = finish;
    this.element.classList.add("moving");
    for (const beat of [...beats].reverse()) put(beat, 0);
    if (beats[0].milliseconds === Infinity) this.next = begin;
    else begin();
  }

  private layers(position: Position): SVGElement[] {
    const { board } = position;
    const placing = this.placing(position);
    const group = (name: string, items: (SVGElement | null)[]): SVGElement =>
      svg("g", { class: name }, ...items);
    const polygon = (corners: Point[], level: number, name: string): SVGElement =>
      svg("polygon", { class: name, points: drawnAll(corners.map((corner) => placing.point(corner, level))) });

    const areas = board.areas.filter((area) => area.kind !== "hole")
      .map((area) => polygon(area.polygon, area.level, area.kind));
    const squares = board.squares.map((square) => {
      const element = polygon(square.polygon, square.level, square.light ? "light" : "dark");
      element.dataset.square = String(square.number);
      return element;
    });
    const highlights: SVGElement[] = [];
    const highlight = (numbers: number[], name: string) => {
      for (const number of numbers) {
        const square = board.byNumber.get(number);
        if (square) highlights.push(polygon(square.polygon, square.level, name));
      }
    };
    highlight(position.left, "left");
    highlight(position.reached, "reached");
    for (const number of position.checks) {
      const square = board.byNumber.get(number);
      if (!square) continue;
      const at = placing.middle(square);
      highlights.push(svg("circle", { class: "check", cx: fixed(kUnit * at.x), cy: fixed(-kUnit * at.y),
                                      r: fixed(47 * placing.scale(square.level)) }));
    }
    const pieces = [...position.pieces].map(([number, letter]) => {
      const square = board.byNumber.get(number)!;
      const piece = this.piece(letter, placing.middle(square), placing.scale(square.level));
      piece.dataset.square = String(number);
      return piece;
    });
    return [
      group("areas", areas),
      group("squares", squares),
      group("below", placing.hasInsets ? this.insets(position, placing) : []),
      group("highlights", highlights),
      group("marks", board.marks.map((mark, i) => this.mark(mark, placing, position.moved.includes(i)))),
      group("pieces", pieces),
      group("arrows", position.arrows.map((arrow) => this.arrow(placing.point(arrow.from, 0), placing.point(arrow.to, 0)))),
      group("labels", board.labels.filter((label) => placing.hasLabels(label)).map((label) => {
        const at = placing.label(label);
        const size = labelSize(label.kind);
        const centred = label.kind !== "title" && label.kind !== "note";
        return svg("text", { class: label.kind, x: fixed(kUnit * at.x),
                             y: fixed(kUnit * (-at.y + (centred ? 0.36 * size : 0))), "font-size": fixed(kUnit * size),
                             "text-anchor": centred ? "middle" : "start" }, label.text);
      })),
    ];
  }

  /** The next level, small and in the shade, in the holes of each. */
  private insets(position: Position, placing: Placing): SVGElement[] {
    const { board } = position;
    const corners = (low: Point, side: number): Point[] =>
      [low, { x: low.x + side, y: low.y }, { x: low.x + side, y: low.y + side }, { x: low.x, y: low.y + side }];
    const items: SVGElement[] = board.insets.map((inset) => svg("polygon", {
      class: inset.square < 0 ? "deeper" : inset.light ? "light" : "dark",
      points: drawnAll(corners(inset.low, 0.5).map((corner) => placing.point(corner, inset.level))) }));
    for (const inset of board.insets) {
      const letter = position.pieces.get(inset.square);
      if (letter) items.push(this.piece(letter, placing.point(plus(inset.low, { x: 0.25, y: 0.25 }), inset.level), 0.5));
    }
    for (const area of board.areas)
      if (area.kind === "hole")
        items.push(svg("polygon", { class: `hole ${area.light ? "lighter" : "darker"}`,
          points: drawnAll(area.polygon.map((corner) => placing.point(corner, area.level))) }));
    return items;
  }

  /** A piece around a point. Its own transform is about its middle. */
  piece(letter: string, at: Point, scale: number, known = this.position!.shapes): SVGGElement {
    return svg("g", { class: isWhite(letter) ? "white" : "black", transform: `translate(${fixed(kUnit * at.x)} ${fixed(-kUnit * at.y)})` },
      svg("use", { href: `#${shapes.id(known[letter.toUpperCase()])}`, transform: `scale(${scale}) translate(-50 -50)` }));
  }

  private mark(mark: Mark, placing: Placing, moved: boolean): SVGElement {
    const points = mark.points.map((point) => placing.point(point, mark.level));
    const group = svg("g", { class: `${mark.kind}${moved ? " moved" : ""}` });
    if (mark.kind === "staircase" && isStraight(points)) this.staircase(group, points);
    else if (mark.kind === "staircase") this.ring(group, points);
    else if (mark.kind === "fork") {
      group.append(svg("polyline", { points: drawnAll(points) }));
      for (const end of [points[0], points[points.length - 1]])
        group.append(svg("circle", { cx: fixed(kUnit * end.x), cy: fixed(-kUnit * end.y), r: 8 }));
    } else if (mark.kind === "fault") group.append(svg("polyline", { points: drawnAll(jagged(points)) }));
    else group.append(svg("polygon", { points: drawnAll(points) }));
    return group;
  }

  /** A belt with arrowheads in its direction of travel, and a return arrow along its side. */
  private staircase(group: SVGElement, points: Point[]): void {
    const half = 0.4;
    const first = points[0], last = points[points.length - 1];
    const along = times(minus(last, first), 1 / length(minus(last, first)));
    const aside = leftOf(along);
    group.classList.add(Math.abs(along.x) > 0.5 ? "across" : "upright");
    const a = minus(minus(first, times(along, half)), times(aside, half));
    const b = plus(plus(last, times(along, half)), times(aside, half));
    group.append(svg("rect", { class: "belt", x: fixed(kUnit * Math.min(a.x, b.x)), y: fixed(-kUnit * Math.max(a.y, b.y)),
      width: fixed(kUnit * Math.abs(a.x - b.x)), height: fixed(kUnit * Math.abs(a.y - b.y)), rx: 26 }));
    for (let i = 0; i + 1 < points.length; ++i) group.append(this.head(between(points[i], points[i + 1], 0.5), along, 0.12, "head"));
    group.append(this.head(plus(between(first, last, 0.5), times(aside, half)), times(along, -1), 0.09, "back"));
  }

  /** A belt that leads around or jumps: a closed band with arrowheads between its squares. */
  private ring(group: SVGElement, points: Point[]): void {
    group.classList.add("across");
    group.append(svg("polygon", { class: "band", points: drawnAll(points) }));
    points.forEach((from, i) => {
      const to = points[(i + 1) % points.length];
      if (length(minus(to, from)) > 0)
        group.append(this.head(between(from, to, 0.5), times(minus(to, from), 1 / length(minus(to, from))), 0.13, "head"));
    });
  }

  private head(tip: Point, way: Point, size: number, name: string): SVGElement {
    const point = plus(tip, times(way, size / 2));
    const back = minus(point, times(way, size));
    const side = times(leftOf(way), size);
    return svg("polyline", { class: name, points: drawnAll([plus(back, side), point, minus(back, side)]) });
  }

  /** `size`: 1 is the arrow of a movement of the board. */
  arrow(from: Point, to: Point, name = "arrow", size = 1): SVGElement {
    const along = times(minus(to, from), 1 / Math.max(1e-6, length(minus(to, from))));
    const neck = minus(to, times(along, 0.34 * size));
    const shaft = times(leftOf(along), 0.09 * size), barb = times(leftOf(along), 0.26 * size);
    return svg("polygon", { class: name, points: drawnAll([plus(from, shaft), plus(neck, shaft), plus(neck, barb), to,
      minus(neck, barb), minus(neck, shaft), minus(from, shaft)]) });
  }
}

function together(beats: Beat[]): Beat {
  return { milliseconds: Math.max(...beats.map((beat) => beat.milliseconds)), moving: joined(beats.flatMap((beat) => beat.moving)), appearing: beats.flatMap((beat) => beat.appearing),
           vanishing: beats.flatMap((beat) => beat.vanishing) };
}

/** An element that goes from one place to the next goes straight. */
function joined(moving: Moving[]): Moving[] {
  const byElement = new Map<SVGElement, Moving>();
  for (const one of moving) {
    const earlier = byElement.get(one.element);
    byElement.set(one.element, earlier ? { ...earlier, until: one.until } : one);
  }
  return [...byElement.values()];
}

/** A beat at time `t`, from 0 to 1. */
function put(beat: Beat, t: number): void {
  for (const { element, by, until, rest, scale } of beat.moving) {
    const grown = scale === 1 ? "" : ` scale(${(1 + (scale - 1) * (1 - t)).toFixed(3)})`;
    const at = between(by, until, t);
    element.setAttribute("transform", `translate(${fixed(kUnit * at.x)} ${fixed(-kUnit * at.y)}) ${rest}${grown}`);
  }
  for (const element of beat.appearing) element.setAttribute("style", `opacity:${t}`);
  for (const element of beat.vanishing) element.style.opacity = String(Math.max(0, 1 - 1.6 * t));
}

/** Whether all points are on the line from the first to the last. */
function isStraight(points: Point[]): boolean {
  const first = points[0], way = minus(points[points.length - 1], first);
  return length(way) > 0 && points.every((point) => Math.abs((point.x - first.x) * way.y - (point.y - first.y) * way.x) < 1e-6);
}

function jagged(points: Point[]): Point[] {
  const result: Point[] = [];
  for (let i = 0; i + 1 < points.length; ++i) {
    const way = minus(points[i + 1], points[i]);
    const teeth = Math.max(1, Math.round(length(way) / 0.25));
    const aside = times(leftOf(way), 0.07 / length(way));
    result.push(points[i]);
    for (let k = 0; k < teeth; ++k)
      result.push(plus(between(points[i], points[i + 1], (k + 0.5) / teeth), times(aside, k % 2 === 0 ? 1 : -1)));
  }
  result.push(points[points.length - 1]);
  return result;
}
