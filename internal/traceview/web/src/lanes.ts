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
let goroutineColors: string[] = [];

/** refreshColors reads the style sheet's colours again, after the theme has changed. */
export function refreshColors() {
  palette = Object.fromEntries(["runnable", "running", "waiting", "syscall", "gc", "assist", "sweep", "stop", "region", "in-use"].map((n) => [n, css(n)]));
  goroutineColors = Array.from({ length: 10 }, (_, i) => css("g" + i));
}

const stateNames = ["", "runnable", "running", "waiting", "syscall"];

function rangeColor(name: string): string {
  if (name.startsWith("stop-the-world")) return palette.stop;
  if (name.includes("assist")) return palette.assist;
  if (name.includes("sweep")) return palette.sweep;
  if (name.startsWith("region ")) return palette.region;
  return palette.gc;
}

export class Rows {
  readonly fixed: Row[]; // the collector and the Ps
  readonly spans: { start: Float64Array; end: Float64Array; g: Int32Array; state: Uint8Array; reason: Int32Array; proc: Int32Array };
  private cache = new Map<number, Row>();
  private rangesOf = new Map<number, number[]>();

  constructor(readonly trace: Trace) {
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
    this.fixed = [this.collector(), ...trace.summary.procs.map((id, p) => this.proc(id, p))];
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
    const func = trace.i32("g.func");
    const running: Lane = {
      length: last - first,
      start: (i) => spans.start[order[first + i]],
      end: (i) => spans.end[order[first + i]],
      color: (i) => goroutineColors[func[spans.g[order[first + i]]] % 10],
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
      parts: [{ lane, top: 0, bottom: 0.7, describe: (i) => this.describeSpan(first + i), span: (i) => first + i }],
    };
    const ranges = this.rangesOf.get(g);
    if (ranges) row.parts.push(this.ranges(ranges, 0.74, 1));
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
  ["gc", "collection"], ["stop", "world stopped"], ["assist", "mark assist"], ["sweep", "sweep"],
];

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
