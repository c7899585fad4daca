// The lanes of the timeline: the collector's, a lane for each P, a lane for each goroutine.

import { Running, Runnable, states, Syscall, Waiting, type Trace } from "./data";
import { css } from "./chart";
import type { Lane } from "./lane";

export interface Row {
  label: string;
  shown?: string; // the label as far as there is room
  /** What is drawn, each in a part of the row's height, from 0 (top) to 1. */
  parts: { lane: Lane; top: number; bottom: number; describe: (i: number) => string; span?: (i: number) => number }[];
}

export const collectorRange = "GC concurrent mark phase";

// Colours have to be cheap to ask for: a frame draws tens of thousands of intervals.
let palette: Record<string, string> = {};
let functionColors: string[] = [];

/** distinct is how many functions have a colour of their own on the lanes of Ps and threads. */
const distinct = 9;

/** refreshColors reads the style sheet's colours again, after the theme has changed. */
export function refreshColors() {
  palette = Object.fromEntries(["runnable", "running", "waiting", "syscall", "gc", "assist", "sweep", "stop", "region", "in-use", "g-other"].map((n) => [n, css(n)]));
  functionColors = Array.from({ length: distinct }, (_, i) => css("g" + i));
}

const stateNames = ["", "runnable", "running", "waiting", "syscall"];

function rangeColor(name: string): string {
  if (name.startsWith("stop-the-world")) return palette.stop;
  if (name.includes("assist")) return palette.assist;
  if (name.includes("sweep")) return palette.sweep;
  return palette.gc;
}

export class Rows {
  readonly fixed: Row[]; // the collector, and the Ps or threads
  /** What has a colour of its own: functions, the ones that ran longest first. */
  readonly functions: string[];
  private rank: Int32Array; // of a function, an index of summary.strings; distinct if it has no colour of its own
  readonly spans: { start: Float64Array; end: Float64Array; g: Int32Array; state: Uint8Array; reason: Int32Array; proc: Int32Array };
  private cache = new Map<number, Row>();
  private rangesOf = new Map<number, number[]>();
  private regionsOf = new Map<number, number[]>();

  constructor(readonly trace: Trace, lanes: string) {
    this.spans = {
      start: trace.f64("span.start"), end: trace.f64("span.end"), g: trace.i32("span.g"),
      state: trace.u8("span.state"), reason: trace.i32("span.reason"), proc: trace.i32("span.proc"),
    };
    const g = trace.i32("range.g");
    for (let i = 0; i < g.length; i++) {
      if (g[i] < 0) continue;
      const list = this.rangesOf.get(g[i]);
      if (list) list.push(i);
      else this.rangesOf.set(g[i], [i]);
    }
    trace.i32("region.g").forEach((g, i) => {
      const list = this.regionsOf.get(g);
      if (list) list.push(i);
      else this.regionsOf.set(g, [i]);
    });
    [this.functions, this.rank] = rankFunctions(trace);
    const threads = lanes === "m" ? trace.summary.threads.map((id, m) => this.thread(id, m)) : [];
    this.fixed = [this.collector(), ...(lanes === "m" ? threads : trace.summary.procs.map((id, p) => this.proc(id, p)))];
  }

  private functionColor(span: number): string {
    const rank = this.rank[this.trace.i32("g.func")[this.spans.g[span]]];
    return rank < distinct ? functionColors[rank] : palette["g-other"];
  }

  private thread(id: number, m: number): Row {
    const { trace, spans } = this;
    const order = trace.i32("thread.span"), first = trace.i32("thread.first")[m], last = trace.i32("thread.first")[m + 1];
    const lane: Lane = {
      length: last - first,
      start: (i) => spans.start[order[first + i]],
      end: (i) => spans.end[order[first + i]],
      color: (i) => (spans.state[order[first + i]] === Syscall ? palette.syscall : this.functionColor(order[first + i])),
    };
    const describe = (i: number) => `${trace.label(spans.g[order[first + i]])}: ${this.describeSpan(order[first + i])}`;
    return { label: `Thread ${id}`, parts: [{ lane, top: 0, bottom: 1, describe, span: (i) => order[first + i] }] };
  }

  /** regions are lanes of goroutine g's regions, one for each depth, as far as there is room. */
  private regions(g: number): Row["parts"] {
    const { trace } = this, { strings } = trace.summary;
    const start = trace.f64("region.start"), end = trace.f64("region.end"), name = trace.i32("region.name"), depth = trace.i32("region.depth");
    const list = this.regionsOf.get(g) ?? [];
    const deepest = Math.min(2, Math.max(...list.map((i) => depth[i])));
    const height = 0.36 / (deepest + 1);
    return Array.from({ length: deepest + 1 }, (_, d) => {
      const here = list.filter((i) => depth[i] === d);
      const lane: Lane = { length: here.length, start: (i) => start[here[i]], end: (i) => end[here[i]], color: () => palette.region };
      return { lane, top: 0.64 + d * height, bottom: 0.64 + (d + 0.85) * height, describe: (i: number) => "region " + strings[name[here[i]]] };
    });
  }

  private collector(): Row {
    const { names } = this.trace.summary;
    const name = this.trace.i32("range.name");
    const cycles: number[] = [], stops: number[] = [];
    for (let i = 0; i < name.length; i++) {
      if (names[name[i]] === collectorRange) cycles.push(i);
      else if (names[name[i]]?.startsWith("stop-the-world")) stops.push(i);
    }
    return { label: "Collector", parts: [this.ranges(cycles, 0, 0.55), this.ranges(stops, 0.6, 1)] };
  }

  private ranges(list: number[], top: number, bottom: number): Row["parts"][number] {
    const start = this.trace.f64("range.start"), end = this.trace.f64("range.end"), name = this.trace.i32("range.name");
    const { names } = this.trace.summary;
    // Ranges of one kind can lie within each other (regions); a lane cannot show that, so
    // what begins before the last one's end begins there.
    const from = new Float64Array(list.length), to = new Float64Array(list.length);
    let last = 0;
    list.forEach((r, i) => {
      from[i] = Math.max(start[r], last);
      last = to[i] = Math.max(from[i], end[r]);
    });
    return {
      lane: { length: list.length, start: (i) => from[i], end: (i) => to[i], color: (i) => rangeColor(names[name[list[i]]]) },
      top, bottom, describe: (i) => names[name[list[i]]],
    };
  }

  private proc(id: number, p: number): Row {
    const { trace, spans } = this;
    const order = trace.i32("proc.span"), first = trace.i32("proc.first")[p], last = trace.i32("proc.first")[p + 1];
    const running: Lane = {
      length: last - first,
      start: (i) => spans.start[order[first + i]],
      end: (i) => spans.end[order[first + i]],
      color: (i) => this.functionColor(order[first + i]),
    };
    return {
      label: `P ${id}`,
      parts: [
        { ...this.part("use", p, () => palette["in-use"], () => "in use"), top: 0, bottom: 0.66 },
        { lane: running, top: 0, bottom: 0.66, describe: (i) => trace.label(spans.g[order[first + i]]), span: (i) => order[first + i] },
        { ...this.part("mark", p, (name) => rangeColor(trace.summary.names[name]), (name, g) =>
          trace.summary.names[name] + (g >= 0 ? ", " + trace.label(g) : "")), top: 0.7, bottom: 1 },
      ],
    };
  }

  /** part makes a lane of P p's part of a table that is ordered by P. */
  private part(table: string, p: number, color: (name: number) => string, describe: (name: number, g: number) => string) {
    const first = this.trace.i32(table + ".first")[p], last = this.trace.i32(table + ".first")[p + 1];
    const start = this.trace.f64(table + ".start"), end = this.trace.f64(table + ".end");
    const name = this.trace.i32(table + ".name"), g = this.trace.i32(table + ".g");
    const lane: Lane = { length: last - first, start: (i) => start[first + i], end: (i) => end[first + i], color: (i) => color(name[first + i]) };
    return { lane, describe: (i: number) => describe(name[first + i], g[first + i]) };
  }

  goroutine(g: number): Row {
    let row = this.cache.get(g);
    if (!row) {
      row = this.makeGoroutine(g);
      if (this.cache.size > 20_000) this.cache.clear();
      this.cache.set(g, row);
    }
    return row;
  }

  private makeGoroutine(g: number): Row {
    const { spans, trace } = this;
    const first = trace.i32("g.first")[g], last = trace.i32("g.last")[g];
    const lane: Lane = {
      length: last - first,
      start: (i) => spans.start[first + i],
      end: (i) => spans.end[first + i],
      color: (i) => palette[stateNames[spans.state[first + i]]],
    };
    const row: Row = {
      label: trace.label(g),
      parts: [{ lane, top: 0, bottom: 0.6, describe: (i) => this.describeSpan(first + i), span: (i) => first + i }],
    };
    // The collector's work is drawn on top of the state that it is a part of.
    const ranges = this.rangesOf.get(g);
    if (ranges) row.parts.push(this.ranges(ranges, 0.3, 0.6));
    if (this.regionsOf.has(g)) row.parts.push(...this.regions(g));
    return row;
  }

  /** describeSpan says what a goroutine was doing in a span of the table. */
  describeSpan(i: number): string {
    const { spans, trace } = this;
    const reason = spans.reason[i] >= 0 ? ": " + trace.summary.reasons[spans.reason[i]] : "";
    const where = spans.state[i] === Running && spans.proc[i] >= 0 ? ` on P ${trace.summary.procs[spans.proc[i]]}` : "";
    return states[spans.state[i]] + reason + where;
  }
}

export const legend: [color: string, text: string][] = [
  ["running", states[Running]], ["runnable", states[Runnable]], ["waiting", states[Waiting]], ["syscall", states[Syscall]],
  ["gc", "collection, marking"], ["stop", "world stopped"], ["assist", "mark assist"], ["sweep", "sweep"], ["region", "region"],
];

/** rankFunctions orders the functions that goroutines run by their running time; those without a colour of their own have the last rank. */
function rankFunctions(trace: Trace): [functions: string[], rank: Int32Array] {
  const { strings } = trace.summary, ran = new Float64Array(strings.length), func = trace.i32("g.func");
  runningTime(trace).forEach((time, g) => (ran[func[g]] += time));
  const order = [...ran.keys()].filter((f) => ran[f] > 0 && strings[f]).sort((a, b) => ran[b] - ran[a]).slice(0, distinct);
  const rank = new Int32Array(strings.length).fill(distinct);
  order.forEach((f, i) => (rank[f] = i));
  return [order.map((f) => strings[f]), rank];
}

/** A Flow leads from the goroutine that made another one runnable to that one; span is the one's that became runnable. */
export interface Flow { from: number; to: number; time: number; span: number }

const maxFlows = 300;

/** flows finds who made a goroutine runnable before or after a span, and whom it did in it. */
export function flows(rows: Rows, span: number): Flow[] {
  const { spans, trace } = rows, by = trace.i32("span.by"), list: Flow[] = [];
  const woken = wakeOf(rows, span);
  if (woken >= 0 && by[woken] >= 0) list.push({ from: by[woken], to: spans.g[span], time: spans.start[woken], span: woken });
  if (spans.state[span] !== Running) return list;
  const g = spans.g[span], start = spans.start[span], end = spans.end[span];
  for (let i = 0; i < by.length && list.length < maxFlows; i++) {
    if (by[i] === g && spans.start[i] >= start && spans.start[i] <= end) list.push({ from: g, to: spans.g[i], time: spans.start[i], span: i });
  }
  return list;
}

/** wakeOf returns the span in which the goroutine was runnable: that one, the one before it ran, or the one after it waited; or -1. */
export function wakeOf(rows: Rows, span: number): number {
  const { spans } = rows;
  const at = spans.state[span] === Runnable ? span : spans.state[span] === Running ? span - 1 : span + 1;
  return spans.g[at] === spans.g[span] && spans.state[at] === Runnable ? at : -1;
}

/** stopOf returns the span whose stack says where the goroutine stopped running at the end, or the beginning, of a span; or -1. */
export function stopOf(rows: Rows, span: number): number {
  const { spans } = rows;
  const at = spans.state[span] === Running ? span + 1 : span;
  return spans.g[at] === spans.g[span] ? at : -1;
}

/** matches finds the goroutines that a search means: "=17" is one id, words are parts of the
 * function, the go statement, or the id; the ones that ran longest come first. */
export function matches(trace: Trace, text: string): Int32Array {
  const id = trace.f64("g.id"), func = trace.i32("g.func"), statement = trace.i32("g.statement");
  const { strings } = trace.summary;
  const words = text.toLowerCase().split(/\s+/).filter((w) => w);
  const list: number[] = [];
  const lower = strings.map((s) => s.toLowerCase());
  for (let g = 0; g < id.length; g++) {
    if (words.every((w) => (w[0] === "=" ? id[g] === Number(w.slice(1)) : lower[func[g]].includes(w) || lower[statement[g]].includes(w) || String(id[g]).startsWith(w)))) list.push(g);
  }
  const ran = runningTime(trace);
  return Int32Array.from(list).sort((a, b) => ran[b] - ran[a] || id[a] - id[b]);
}

const running = new WeakMap<Trace, Float64Array>();

function runningTime(trace: Trace): Float64Array {
  let sum = running.get(trace);
  if (!sum) {
    sum = new Float64Array(trace.goroutines());
    const g = trace.i32("span.g"), state = trace.u8("span.state"), start = trace.f64("span.start"), end = trace.f64("span.end");
    for (let i = 0; i < g.length; i++) if (state[i] === Running) sum[g[i]] += end[i] - start[i];
    running.set(trace, sum);
  }
  return sum;
}
