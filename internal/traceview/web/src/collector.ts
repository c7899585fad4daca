// The collector: the heap against its goal, and the collections. Dragging over the chart
// selects those that it touches; the sums are what one reads off to judge the collector.

import type { Collection, Trace } from "./data";
import { ask } from "./data";
import { Chart, css } from "./chart";
import * as state from "./state";
import { bytes, count, duration, instant, percent } from "./format";
import { choice, el, figures, latest, notice, settled, table, type View } from "./view";

interface Sum {
  count: number; first: number; last: number; wall: number; mean: number; min: number; max: number;
  share: number; pauses: number; paused: number; assist: number; peak: number;
}

/** parse reads a selection like "0-12,15". */
export function parse(text: string, n: number): Set<number> {
  const set = new Set<number>();
  for (const part of text.split(",")) {
    const [low, high = low] = part.split("-").map((v) => (v === "" ? NaN : Number(v)));
    for (let i = low; i <= high && i < n; i++) set.add(i);
  }
  return set;
}

/** format is parse's inverse. */
export function format(set: Iterable<number>): string {
  const list = [...set].sort((a, b) => a - b);
  const parts: string[] = [];
  for (let i = 0; i < list.length;) {
    let j = i;
    while (j + 1 < list.length && list[j + 1] === list[j] + 1) j++;
    parts.push(i === j ? String(list[i]) : `${list[i]}-${list[j]}`);
    i = j + 1;
  }
  return parts.join(",");
}

/** touching returns the collections that overlap a window. */
export function touching(list: Collection[], from: number, to: number): number[] {
  return list.flatMap((c, i) => (c.end >= from && c.start <= to ? [i] : []));
}

export const collector: View = {
  name: "collector",
  title: "Collector",
  open(root, trace) {
    const { collections } = trace;
    if (!trace.f64("heap.time").length && !collections.length) {
      root.append(el("p", { class: "empty" }, "The trace has neither heap sizes nor collections."));
      return () => {};
    }
    let drag = "select";
    const chartBox = el("div"), sums = el("div", { id: "sums" }), rows = el("div", { class: "scroll", id: "collections" });
    const bar = el("p", { class: "bar" });
    const fillBar = () => bar.replaceChildren(
      "Drag to ", choice("what dragging does", [["select", "select collections"], ["zoom", "zoom"]], drag, (v) => { drag = v; fillBar(); }),
      " ", el("button", { id: "select-window", onclick: () => selectWindow(trace) }, "Select all in the window (x)"),
      el("span", { class: "legend" }, el("i", { style: "background: var(--heap)" }), "heap", el("i", { style: "background: var(--goal)" }), "goal",
        el("i", { style: "background: var(--gc)" }), "collection", el("i", { style: "background: var(--selected)" }), "selected"));
    fillBar();
    root.append(bar, chartBox, sums, rows);

    const chart = new Chart(chartBox, {
      height: 320, kind: "bytes",
      curves: [
        { label: "goal", color: "goal", time: trace.f64("goal.time"), value: trace.f64("goal.value") },
        { label: "heap", color: "heap", fill: true, time: trace.f64("heap.time"), value: trace.f64("heap.value") },
      ],
      select: (from, to) => (drag === "select" ? state.set({ sel: format(touching(collections, from, to)) }) : state.show(from, to)),
      draw: (u, c) => {
        const selected = parse(state.get().sel, collections.length);
        const { top, height, left, width } = u.bbox;
        collections.forEach((g, i) => {
          const x = Math.max(left, u.valToPos(g.start, "x", true)), end = Math.min(left + width, u.valToPos(g.end, "x", true));
          if (end < left || x > left + width) return;
          const w = Math.max(1, end - x);
          if (selected.has(i)) {
            c.fillStyle = css("selected") + "44";
            c.fillRect(x, top, w, height);
          }
          c.fillStyle = css(selected.has(i) ? "selected" : "gc");
          c.fillRect(x, top + height - 10 * devicePixelRatio, w, 10 * devicePixelRatio);
        });
      },
    });

    const askSum = latest((sel: string) => ask<Sum>("sum", { sel }), (s) => sums.replaceChildren(describe(s, trace)), (e) => notice(e.message));
    let anchor = 0;
    const list = el("table", { class: "data" });
    const fill = settled(() => {
      const now = state.get(), selected = parse(now.sel, collections.length);
      const inWindow = touching(collections, now.from, now.to);
      const t = table<number>([
        { head: "#", text: (i) => String(i), sort: (i) => i },
        { head: "start", text: (i) => instant(collections[i].start, state.total()), sort: (i) => collections[i].start },
        { head: "wall", text: (i) => duration(collections[i].end - collections[i].start), sort: (i) => collections[i].end - collections[i].start },
        { head: "heap before", text: (i) => bytes(collections[i].before), sort: (i) => collections[i].before },
        { head: "after", text: (i) => bytes(collections[i].after), sort: (i) => collections[i].after },
        { head: "peak", text: (i) => bytes(collections[i].peak), sort: (i) => collections[i].peak },
        { head: "goal", text: (i) => bytes(collections[i].goal), sort: (i) => collections[i].goal },
        { head: "pauses", text: (i) => String(collections[i].pauses), sort: (i) => collections[i].pauses },
        { head: "stopped", text: (i) => duration(collections[i].paused), sort: (i) => collections[i].paused },
        { head: "assists", text: (i) => duration(collections[i].assist), sort: (i) => collections[i].assist },
      ], inWindow, {
        row: (i, tr) => {
          tr.tabIndex = 0;
          tr.setAttribute("aria-selected", String(selected.has(i)));
          tr.dataset.collection = String(i);
          const pick = (extend: boolean, toggle: boolean) => {
            const next = parse(state.get().sel, collections.length);
            if (extend) for (let k = Math.min(anchor, i); k <= Math.max(anchor, i); k++) next.add(k);
            else if (toggle) next.has(i) ? next.delete(i) : next.add(i);
            else next.clear(), next.add(i);
            if (!extend) anchor = i;
            state.set({ sel: format(next) });
          };
          tr.addEventListener("click", (e) => pick(e.shiftKey, e.ctrlKey || e.metaKey));
          tr.addEventListener("keydown", (e) => {
            if (e.key === " " || e.key === "Enter") pick(e.shiftKey, e.key === " "), e.preventDefault();
          });
        },
      });
      list.replaceChildren(...t.childNodes);
      const focus = inWindow.find((i) => selected.has(i));
      if (focus !== undefined) list.querySelector(`[data-collection="${focus}"]`)?.scrollIntoView({ block: "nearest" });
    }, 60);
    rows.append(list);

    askSum(state.get().sel);
    fill();
    const unwatch = state.watch((now, before) => {
      if (now.sel !== before.sel) askSum(now.sel);
      if (now.sel !== before.sel || now.from !== before.from || now.to !== before.to) fill();
    });
    const resize = () => chart.resize(chartBox.clientWidth);
    addEventListener("resize", resize);
    return () => {
      removeEventListener("resize", resize);
      unwatch();
      chart.destroy();
    };
  },
};

/** selectWindow selects the collections that the window shows. */
export function selectWindow(trace: Trace) {
  const { from, to } = state.get();
  state.set({ sel: format(touching(trace.collections, from, to)) });
}

/** step selects the collection before or after the selected ones and brings it into the window. */
export function step(trace: Trace, by: number) {
  const selected = [...parse(state.get().sel, trace.collections.length)];
  const i = selected.length === 0 ? touching(trace.collections, state.get().from, state.get().to)[0] : by < 0 ? Math.min(...selected) - 1 : Math.max(...selected) + 1;
  const c = trace.collections[i];
  if (!c) return;
  state.set({ sel: String(i) });
  const { from, to } = state.get();
  if (c.start < from || c.end > to) {
    const middle = (c.start + c.end) / 2, half = Math.max(to - from, 2 * (c.end - c.start)) / 2;
    state.show(middle - half, middle + half);
  }
}

function describe(s: Sum, trace: Trace): HTMLElement {
  if (s.count === 0) {
    return el("p", { class: "empty" }, `${count(trace.collections.length)} collections; none is selected. Drag over the chart, click rows of the table (Shift for a range, Ctrl for one more), or press x.`);
  }
  return figures([
    ["count", "collections", count(s.count), s.count],
    ["wall", "GC wall", duration(s.wall), s.wall],
    ["mean", "mean", duration(s.mean), s.mean],
    ["min", "shortest", duration(s.min), s.min],
    ["max", "longest", duration(s.max), s.max],
    ["share", "of the trace", percent(s.share), s.share],
    ["first", "from", instant(s.first, state.total()), s.first],
    ["last", "to", instant(s.last, state.total()), s.last],
    ["paused", `stopped, ${s.pauses} pauses`, duration(s.paused), s.paused],
    ["assist", "mark assists", duration(s.assist), s.assist],
    ["peak", "peak heap", bytes(s.peak), s.peak],
  ]);
}
