// The timeline: how many goroutines there were, the heap, and below them lanes for the
// collector, the Ps and the goroutines. The lanes scroll; the canvas is as high as the
// window and shows the lanes that are in sight.

import uPlot from "uplot";
import type { Frame, Trace } from "./data";
import { ask, Running } from "./data";
import { Chart, css, dragged, gutter, timeAxis, wheel } from "./chart";
import { draw, find } from "./lane";
import { flows, legend, matches, refreshColors, Rows, stopOf, wakeOf, type Flow, type Row } from "./lanes";
import * as state from "./state";
import { count, duration, instant, shortPath, shortStatement } from "./format";
import { choice, el, legendOf, notice, settled, type View } from "./view";

const rowHeight = 20; // px
const maxRows = 100_000; // browsers limit how far an element can scroll

export const timeline: View = {
  name: "timeline",
  title: "Timeline",
  open(root, trace) {
    const search = el("input", { type: "search", id: "search", placeholder: "goroutine, function, go statement  ( / )", value: state.get().q, size: innerWidth < 700 ? 24 : 40 });
    const found = el("span", { id: "found", class: "soft" });
    const top = el("div"), scroller = el("div", { class: "lanes", id: "lanes" }), detail = el("aside", { id: "detail" });
    const by = el("span"), functions = el("p", { id: "functions" });
    root.append(el("p", { class: "bar" }, search, " ", found, " ", by), el("p", { id: "legend" }, legendOf(legend)), functions, top, scroller, detail);
    top.style.paddingRight = scroller.offsetWidth - scroller.clientWidth + "px"; // as wide as the lanes beside their scroll bar
    const width = () => scroller.clientWidth;
    const charts = [
      new Chart(top, {
        height: 96, width: width(), kind: "count", curves: [
          { label: "runnable", color: "runnable", fill: true, time: trace.f64("population.time"), value: trace.i32("population.runnable") },
          { label: "running", color: "running", fill: true, time: trace.f64("population.time"), value: trace.i32("population.running") },
          { label: "in system calls", color: "syscall", time: trace.f64("population.time"), value: trace.i32("population.syscall") },
        ],
      }),
      ...(trace.f64("heap.time").length ? [new Chart(top, {
        height: 96, width: width(), kind: "bytes" as const, curves: [
          { label: "goal", color: "goal", time: trace.f64("goal.time"), value: trace.f64("goal.value") },
          { label: "heap", color: "heap", fill: true, time: trace.f64("heap.time"), value: trace.f64("heap.value") },
        ],
      })] : []),
    ];
    let lanes = new Lanes(scroller, trace);
    const fillLanes = () => {
      by.replaceChildren(choice("lanes", [["p", "Ps"], ["m", "threads"]], state.get().lanes, (v) => state.set({ lanes: v })));
      functions.replaceChildren(
        el("span", { class: "soft" }, `${state.get().lanes === "m" ? "Threads" : "Ps"} run `),
        ...lanes.rows.functions.map((name, i) => el("button", { class: "function", title: `${name}: search for its goroutines`, onclick: () => state.set({ q: name }) },
          el("i", { style: `background: var(--g${i})` }), short(name))),
        el("span", { class: "function" }, el("i", { style: "background: var(--g-other)" }), "others"));
    };
    fillLanes();
    const filter = () => {
      const n = lanes.filter(state.get().q);
      found.textContent = n > maxRows ? `${count(n)} goroutines; the ${count(maxRows)} that ran longest are shown` : `${count(n)} goroutines`;
    };
    filter();
    const typed = settled(() => state.set({ q: search.value }), 120);
    search.addEventListener("input", typed);
    search.addEventListener("keydown", (e) => { if (e.key === "Escape" || e.key === "Enter") search.blur(); });

    const showDetail = () => void describe(detail, trace, lanes.rows, state.get().span);
    showDetail();
    const unwatch = state.watch((now, before) => {
      if (now.lanes !== before.lanes) {
        lanes.destroy();
        scroller.replaceChildren();
        lanes = new Lanes(scroller, trace);
        fillLanes();
        filter();
      }
      if (now.q !== before.q) {
        if (document.activeElement !== search) search.value = now.q;
        filter();
      }
      if (now.span !== before.span) showDetail();
    });
    const resize = () => {
      for (const c of charts) c.resize(width());
      lanes.resize();
    };
    addEventListener("resize", resize);
    return () => {
      removeEventListener("resize", resize);
      unwatch();
      for (const c of charts) c.destroy();
      lanes.destroy();
    };
  },
};

class Lanes {
  readonly rows: Rows;
  private list: Int32Array = new Int32Array(0);
  private plot: uPlot;
  private spacer = el("div", { class: "spacer" });
  private sticky = el("div", { class: "sticky" });
  private tip = el("div", { class: "tip", hidden: true });
  private unwatch: () => void;
  private frame = 0;
  private place = new Map<number, number>(); // of goroutines, in the list
  private flows: { span: number; list: Flow[] } = { span: -1, list: [] };

  constructor(private scroller: HTMLElement, trace: Trace) {
    refreshColors();
    this.rows = new Rows(trace, state.get().lanes);
    scroller.dataset.fixed = String(this.rows.fixed.length); // for tests: the goroutines come below these
    scroller.append(this.sticky, this.spacer);
    document.body.append(this.tip);
    this.plot = new uPlot({
      ...this.size(),
      padding: [0, 18, 0, 0],
      scales: { x: { time: false, auto: false }, y: { auto: false, range: [0, 1] } },
      axes: [timeAxis(), { size: gutter, values: () => [], grid: { show: false }, ticks: { show: false } }],
      legend: { show: false },
      cursor: { y: false, drag: { x: true, y: false, setScale: false }, points: { show: false }, sync: { key: "window" } },
      series: [{}, { show: false }],
      hooks: { draw: [(u) => this.paint(u)], setSelect: [(u) => dragged(u)] },
    }, [[0, 1], [null, null]], this.sticky);
    wheel(this.plot);
    const over = this.plot.over;
    over.addEventListener("mousemove", (e) => this.hover(e));
    over.addEventListener("mouseleave", () => (this.tip.hidden = true));
    let down = 0;
    over.addEventListener("mousedown", (e) => (down = e.clientX));
    over.addEventListener("click", (e) => { if (Math.abs(e.clientX - down) < 3) this.click(e); });
    scroller.addEventListener("scroll", () => this.later());
    this.unwatch = state.watch(() => this.later());
    this.update();
  }

  private size() {
    // The window's height less what is above and a strip for details below.
    const height = Math.max(220, innerHeight - this.scroller.getBoundingClientRect().top - 110);
    this.scroller.style.height = height + "px";
    return { width: Math.max(300, this.scroller.clientWidth || 800), height: height - 2 };
  }

  /** filter shows the goroutines that text means and returns how many those are. */
  filter(text: string): number {
    const all = matches(this.rows.trace, text);
    this.list = all.subarray(0, maxRows);
    this.place = new Map([...this.list].map((g, i) => [g, i]));
    this.spacer.style.height = Math.max(0, (this.rows.fixed.length + this.list.length) * rowHeight + 32 - this.plot.height) + "px";
    this.scroller.scrollTop = 0;
    this.later();
    return all.length;
  }

  private row(i: number): Row | undefined {
    const { fixed } = this.rows;
    if (i < fixed.length) return fixed[i];
    const g = this.list[i - fixed.length];
    return g === undefined ? undefined : this.rows.goroutine(g);
  }

  private later() {
    cancelAnimationFrame(this.frame);
    this.frame = requestAnimationFrame(() => this.update());
  }

  private update() {
    const { from, to } = state.get();
    this.plot.setScale("x", { min: from, max: to });
  }

  private paint(u: uPlot) {
    const c = u.ctx, ratio = devicePixelRatio;
    const { left, top, width, height } = u.bbox;
    const { from, to, span } = state.get();
    const place = { left, width, from, to };
    const scroll = this.scroller.scrollTop;
    c.save();
    c.beginPath();
    c.rect(0, top, left + width, height);
    c.clip();
    c.font = `${12 * ratio}px system-ui, sans-serif`;
    c.textBaseline = "middle";
    c.textAlign = "left";
    for (let i = Math.floor(scroll / rowHeight); ; i++) {
      const y = top + (i * rowHeight - scroll) * ratio;
      const row = this.row(i);
      if (!row || y > top + height) break;
      if (i % 2) {
        c.fillStyle = css("stripe");
        c.fillRect(0, y, left + width, rowHeight * ratio);
      }
      c.fillStyle = css("ink");
      row.shown ??= fit(c, row.label, left - 12 * ratio);
      c.fillText(row.shown, 6 * ratio, y + (rowHeight / 2) * ratio);
      const inner = (rowHeight - 4) * ratio;
      for (const part of row.parts) {
        draw(c, part.lane, place, y + 2 * ratio + part.top * inner, (part.bottom - part.top) * inner);
        if (span >= 0 && part.span) this.outline(c, part, place, span, y, ratio);
      }
    }
    this.paintFlows(c, place, top, scroll, ratio);
    c.restore();
  }

  /** lineOf returns the middle of goroutine g's lane, or of the P's that it runs on at a time, in pixels below the first lane's top; or -1. */
  private lineOf(g: number, time: number): number {
    const { spans, trace, fixed } = this.rows;
    const at = this.place.get(g);
    if (at !== undefined) return (fixed.length + at + 0.3) * rowHeight;
    for (let i = trace.i32("g.first")[g]; i < trace.i32("g.last")[g]; i++) {
      if (spans.start[i] <= time && time <= spans.end[i] && spans.proc[i] >= 0 && state.get().lanes === "p") return (1.3 + spans.proc[i]) * rowHeight;
    }
    return -1;
  }

  /** paintFlows draws who made whom runnable, as far as the selected span is concerned. */
  private paintFlows(c: CanvasRenderingContext2D, p: { left: number; width: number; from: number; to: number }, top: number, scroll: number, ratio: number) {
    const { span } = state.get();
    if (this.flows.span !== span) {
      this.flows = { span, list: span >= 0 && span < this.rows.spans.start.length ? flows(this.rows, span) : [] };
      this.scroller.dataset.flows = String(this.flows.list.length); // for tests
    }
    c.strokeStyle = c.fillStyle = css("selected");
    c.lineWidth = 1.5 * ratio;
    for (const f of this.flows.list) {
      const a = this.lineOf(f.from, f.time), b = this.lineOf(f.to, f.time);
      if (a < 0 || b < 0 || f.time < p.from || f.time > p.to) continue;
      const x = p.left + (f.time - p.from) * p.width / (p.to - p.from);
      const y1 = top + (a - scroll) * ratio, y2 = top + (b - scroll) * ratio, head = 5 * ratio * Math.sign(y2 - y1);
      c.beginPath();
      c.moveTo(x, y1);
      c.lineTo(x, y2);
      c.stroke();
      c.beginPath();
      c.moveTo(x, y2);
      c.lineTo(x - Math.abs(head) * 0.7, y2 - head);
      c.lineTo(x + Math.abs(head) * 0.7, y2 - head);
      c.fill();
    }
  }

  private outline(c: CanvasRenderingContext2D, part: Row["parts"][number], p: { left: number; width: number; from: number; to: number }, span: number, y: number, ratio: number) {
    const start = this.rows.spans.start[span];
    const i = find(part.lane, start);
    if (i < 0 || part.span!(i) !== span) return;
    const x = (t: number) => p.left + (t - p.from) * p.width / (p.to - p.from);
    c.strokeStyle = css("selected");
    c.lineWidth = 2 * ratio;
    c.strokeRect(x(start), y + ratio, Math.max(2, x(part.lane.end(i)) - x(start)), (rowHeight - 2) * ratio);
  }

  private hit(e: MouseEvent) {
    const row = this.row(Math.floor((e.offsetY + this.scroller.scrollTop) / rowHeight));
    if (!row) return;
    const time = this.plot.posToVal(e.offsetX, "x");
    const slack = (state.get().to - state.get().from) / this.plot.over.clientWidth;
    const share = (((e.offsetY + this.scroller.scrollTop) % rowHeight) - 2) / (rowHeight - 4);
    // The part under the mouse first, then what is drawn on top.
    for (const part of [...row.parts].reverse().sort((a, b) => Number(share < a.top || share > a.bottom) - Number(share < b.top || share > b.bottom))) {
      const i = find(part.lane, time, slack);
      if (i >= 0) return { row, part, i };
    }
    return { row, part: undefined, i: -1 };
  }

  private hover(e: MouseEvent) {
    const h = this.hit(e);
    this.tip.hidden = !h?.part;
    if (!h?.part) return;
    const { lane } = h.part;
    this.tip.textContent = `${h.row.label}\n${h.part.describe(h.i)}\n${duration(lane.end(h.i) - lane.start(h.i))}`;
    this.tip.style.left = Math.min(innerWidth - 300, e.clientX + 12) + "px";
    this.tip.style.top = e.clientY + 14 + "px";
  }

  private click(e: MouseEvent) {
    const h = this.hit(e);
    const named = h?.row.parts.find((p) => p.span && find(p.lane, this.plot.posToVal(e.offsetX, "x")) >= 0);
    const part = h?.part?.span ? h.part : named;
    if (!part) return state.set({ span: -1 });
    const i = part === h?.part ? h.i : find(part.lane, this.plot.posToVal(e.offsetX, "x"));
    state.set({ span: part.span!(i) });
  }

  resize() {
    this.plot.setSize(this.size());
    this.update();
  }

  destroy() {
    this.unwatch();
    cancelAnimationFrame(this.frame);
    this.plot.destroy();
    this.tip.remove();
  }
}

/** fit shortens text to width, at its beginning: the end of a function's name tells more. */
function fit(c: CanvasRenderingContext2D, text: string, width: number): string {
  if (c.measureText(text).width <= width) return text;
  const [head, rest] = [text.match(/^G \d+ /)?.[0] ?? "", text.replace(/^G \d+ /, "")];
  let low = 0, high = rest.length;
  while (low < high) {
    const mid = (low + high) >>> 1;
    if (c.measureText(head + "…" + rest.slice(mid)).width <= width) high = mid;
    else low = mid + 1;
  }
  return head + "…" + rest.slice(low);
}

/** describe fills the strip below the lanes with what is known of a span. */
async function describe(box: HTMLElement, trace: Trace, rows: Rows, span: number) {
  if (span < 0 || span >= trace.f64("span.start").length) {
    box.replaceChildren(el("p", { class: "soft" }, "Drag to zoom, Ctrl and the wheel zoom at the mouse, Shift and the wheel move; click an interval to see what it is, where it stopped and who made it go on; ? lists the keys."));
    return;
  }
  const g = trace.i32("span.g")[span], start = trace.f64("span.start")[span], end = trace.f64("span.end")[span];
  const statement = trace.summary.strings[trace.i32("g.statement")[g]];
  box.replaceChildren(el("p", {},
    el("b", {}, trace.label(g)), ` — ${rows.describeSpan(span)}, ${duration(end - start)} from ${instant(start, end - start)}. `,
    statement ? `Started at ${shortStatement(statement)}. ` : "Older than the trace. ",
    el("button", { onclick: () => state.show(start - (end - start) * 0.1, end + (end - start) * 0.1) }, "Zoom to it"), " ",
    el("button", { onclick: () => state.set({ q: "=" + trace.f64("g.id")[g] }) }, "Only this goroutine")));
  const stop = stopOf(rows, span), wake = wakeOf(rows, span), by = wake < 0 ? -1 : trace.i32("span.by")[wake];
  try {
    const blocks = await Promise.all([
      stop < 0 ? undefined : stackBlock("stop", ["It stopped running at"], trace.i32("span.stack")[stop]),
      by < 0 ? undefined : stackBlock("wake", [
        "Made runnable by ", el("button", { onclick: () => state.set({ span: running(trace, by, trace.f64("span.start")[wake]) }) }, trace.label(by)), " at",
      ], trace.i32("span.byStack")[wake]),
    ]);
    if (state.get().span === span) box.append(el("div", { class: "side" }, ...blocks.filter((b) => b !== undefined)));
  } catch (e) {
    notice((e as Error).message);
  }
}

/** stackBlock is a stack under a headline; undefined if there is none and the headline says nothing alone. */
async function stackBlock(name: string, head: (Node | string)[], stack: number): Promise<HTMLElement | undefined> {
  if (stack < 0) return head.length > 1 ? el("div", { "data-stack": name }, ...head.slice(0, -1)) : undefined;
  const frames = await ask<Frame[]>("stack", { i: stack });
  return el("div", { "data-stack": name }, ...head,
    el("ol", { class: "stack" }, ...frames.map((f) => el("li", {}, f.func, " ", el("span", { class: "soft" }, `${shortPath(f.file)}:${f.line}`)))));
}

/** running returns the span in which goroutine g was at a time, or -1. */
function running(trace: Trace, g: number, time: number): number {
  const start = trace.f64("span.start"), end = trace.f64("span.end");
  for (let i = trace.i32("g.first")[g]; i < trace.i32("g.last")[g]; i++) {
    if (start[i] <= time && time <= end[i] && trace.u8("span.state")[i] === Running) return i;
  }
  return -1;
}

/** short leaves out the directories of a function's import path. */
function short(name: string): string {
  return name.replace(/^.*\/(?=[^/]*$)/, "");
}
