// What all charts have in common: uPlot draws them, they share the window of time, the wheel
// and the mouse work the same in each.

import uPlot from "uplot";
import * as state from "./state";
import { bytes, count, instant } from "./format";

/** css returns a colour of the style sheet, which depends on the theme. */
export function css(name: string): string {
  let color = colors.get(name);
  if (color === undefined) {
    color = getComputedStyle(document.documentElement).getPropertyValue("--" + name).trim();
    colors.set(name, color);
  }
  return color;
}

// Asking the style sheet is slow, and a frame needs a hundred colours.
const colors = new Map<string, string>();

/** forgetColors has to be called when the theme has changed. */
export function forgetColors() {
  colors.clear();
}
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", forgetColors);

export const gutter = innerWidth < 700 ? 96 : 190; // px to the left of each chart, for labels

export interface Curve {
  label: string;
  color: string; // name in the style sheet
  fill?: boolean;
  time: Float64Array;
  value: Float64Array | Int32Array;
}

/** after returns the first point of a curve later than time. */
function after(c: Curve, time: number, low = 0): number {
  let high = c.time.length;
  while (low < high) {
    const mid = (low + high) >>> 1;
    if (c.time[mid] > time) high = mid;
    else low = mid + 1;
  }
  return low;
}

/** at returns the value of a curve at a time, or null before its first point. */
export function at(c: Curve, time: number): number | null {
  const i = after(c, time);
  return i === 0 ? null : c.value[i - 1];
}

// For each block of points, which is the smallest and which the largest: a curve of a
// million points is looked through in 8,000 steps.
const block = 128;
const blocks = new WeakMap<Curve, { least: Int32Array; most: Int32Array }>();

function extremesOfBlocks(c: Curve) {
  let b = blocks.get(c);
  if (!b) {
    const n = Math.floor(c.value.length / block);
    b = { least: new Int32Array(n), most: new Int32Array(n) };
    for (let k = 0; k < n; k++) [b.least[k], b.most[k]] = scan(c, k * block, (k + 1) * block);
    blocks.set(c, b);
  }
  return b;
}

function scan(c: Curve, low: number, high: number): [least: number, most: number] {
  let least = low, most = low;
  for (let i = low; i < high; i++) {
    if (c.value[i] < c.value[least]) least = i;
    if (c.value[i] > c.value[most]) most = i;
  }
  return [least, most];
}

/** extremes returns the smallest and the largest of the points low <= i < high. */
function extremes(c: Curve, low: number, high: number): [least: number, most: number] {
  const first = Math.ceil(low / block), last = Math.floor(high / block);
  if (first >= last) return scan(c, low, high);
  const b = extremesOfBlocks(c);
  let least = low, most = low;
  const see = (l: number, m: number) => {
    if (c.value[l] < c.value[least]) least = l;
    if (c.value[m] > c.value[most]) most = m;
  };
  if (low < first * block) see(...scan(c, low, first * block));
  for (let k = first; k < last; k++) see(b.least[k], b.most[k]);
  if (last * block < high) see(...scan(c, last * block, high));
  return [least, most];
}

/**
 * decimate picks the points of a curve that can be seen in a window: of each of n bins the
 * smallest and the largest in their order, and the value with which the window begins.
 */
export function decimate(c: Curve, from: number, to: number, n: number): { time: number[]; value: number[] } {
  const time: number[] = [], value: number[] = [];
  const before = at(c, from);
  if (before !== null) time.push(from), value.push(before);
  const bin = (to - from) / n;
  for (let i = after(c, from); i < c.time.length && c.time[i] <= to;) {
    const until = from + (Math.floor((c.time[i] - from) / bin) + 1) * bin;
    const next = Math.max(i + 1, after(c, Math.min(until, to), i));
    const [least, most] = extremes(c, i, next);
    for (const k of least < most ? [least, most, next - 1] : [most, least, next - 1]) {
      if (time[time.length - 1] !== c.time[k]) time.push(c.time[k]), value.push(c.value[k]);
    }
    i = next;
  }
  const end = at(c, to);
  if (end !== null) time.push(to), value.push(end);
  return { time, value };
}

/** The x axis: ns, written in the unit that the window asks for. */
export function timeAxis(): uPlot.Axis {
  return {
    stroke: () => css("ink-soft"),
    grid: { stroke: () => css("line"), width: 1 },
    ticks: { stroke: () => css("line") },
    space: 110,
    size: 30,
    values: (u, ticks) => ticks.map((t) => instant(t, (u.scales.x.max! - u.scales.x.min!))),
  };
}

function valueAxis(kind: "bytes" | "count"): uPlot.Axis {
  return {
    stroke: () => css("ink-soft"),
    grid: { stroke: () => css("line"), width: 1 },
    ticks: { show: false },
    size: gutter,
    space: 22,
    gap: 6,
    // Powers of two make round numbers of bytes.
    incrs: kind === "bytes" ? Array.from({ length: 45 }, (_, i) => 2 ** i) : [1, 2, 5, 10, 20, 50, 100, 200, 500, 1e3, 2e3, 5e3, 1e4, 2e4, 5e4, 1e5, 2e5, 5e5, 1e6],
    values: (_, ticks) => ticks.map(kind === "bytes" ? bytes : count),
  };
}

export interface Options {
  height: number;
  width?: number; // else the parent's
  kind: "bytes" | "count";
  curves: Curve[];
  whole?: boolean; // shows the whole trace, not the window
  select?: (from: number, to: number) => void; // what dragging does; else it zooms
  draw?: (u: uPlot, c: CanvasRenderingContext2D) => void; // on top of the curves
}

/** A chart of curves over the window of time. The caller destroys it with the view. */
export class Chart {
  readonly plot: uPlot;
  private unwatch: () => void;
  private frame = 0;

  constructor(parent: HTMLElement, private options: Options) {
    this.plot = new uPlot({
      width: Math.max(300, options.width ?? parent.clientWidth),
      height: options.height,
      padding: [8, 18, 0, 0],
      scales: { x: { time: false, auto: false }, y: { range: (_u, _min, max) => [0, Math.max(1, max * 1.05)] } },
      axes: [timeAxis(), valueAxis(options.kind)],
      legend: { show: false },
      cursor: { y: false, drag: { x: true, y: false, setScale: false }, points: { show: false }, sync: options.whole ? undefined : { key: "window" } },
      series: [{}, ...options.curves.map((c): uPlot.Series => ({
        label: c.label,
        stroke: () => css(c.color),
        fill: c.fill ? () => css(c.color) + "55" : undefined,
        width: 1,
        paths: uPlot.paths.stepped!({ align: 1 }),
        points: { show: false },
        spanGaps: true,
      }))],
      hooks: {
        draw: options.draw ? [(u) => options.draw!(u, u.ctx)] : [],
        setSelect: [(u) => dragged(u, options.select)],
      },
    }, this.data(300), parent);
    if (!options.whole) wheel(this.plot);
    this.update();
    this.unwatch = state.watch((now, before) => {
      if (!options.whole && (now.from !== before.from || now.to !== before.to)) this.later(() => this.update());
      else if (options.draw) this.later(() => this.plot.redraw(false));
    });
  }

  private range(): [number, number] {
    return this.options.whole ? [0, state.total()] : [state.get().from, state.get().to];
  }

  /** data joins the curves' points into uPlot's one array of times. */
  private data(width: number): uPlot.AlignedData {
    const [from, to] = this.range();
    return uPlot.join(this.options.curves.map((c) => {
      const d = decimate(c, from, to, width);
      return (d.time.length ? [d.time, d.value] : [[from], [null]]) as uPlot.AlignedData;
    }));
  }

  private later(f: () => void) {
    cancelAnimationFrame(this.frame);
    this.frame = requestAnimationFrame(f);
  }

  update() {
    const [min, max] = this.range();
    this.plot.batch(() => {
      this.plot.setData(this.data(Math.max(100, this.plot.width - gutter)), false);
      this.plot.setScale("x", { min, max });
    });
  }

  resize(width: number) {
    this.plot.setSize({ width, height: this.options.height });
    this.update();
  }

  destroy() {
    this.unwatch();
    cancelAnimationFrame(this.frame);
    this.plot.destroy();
  }
}

/** dragged ends a drag: it hands the window dragged over on, and takes the grey box away. */
export function dragged(u: uPlot, select = state.show) {
  if (u.select.width < 3) return;
  const from = u.posToVal(u.select.left, "x"), to = u.posToVal(u.select.left + u.select.width, "x");
  u.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
  select(from, to);
}

/** wheel lets Ctrl and the wheel zoom, Shift and the wheel, or a sideways wheel, pan. */
export function wheel(u: uPlot) {
  u.over.addEventListener("wheel", (e) => {
    const sideways = e.shiftKey ? e.deltaY || e.deltaX : e.deltaX;
    if (e.ctrlKey || e.metaKey) {
      state.zoom(Math.exp(e.deltaY / 300), u.posToVal(e.offsetX, "x"));
    } else if (sideways && Math.abs(sideways) >= Math.abs(e.shiftKey ? 0 : e.deltaY)) {
      state.pan(sideways / 1000);
    } else {
      return; // the page scrolls
    }
    e.preventDefault();
  }, { passive: false });
  u.over.addEventListener("dblclick", () => state.show(0, state.total()));
}
