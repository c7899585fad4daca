// Scheduling latency: how long goroutines that could run waited for a P, as a histogram with
// buckets half a power of two wide.

import uPlot from "uplot";
import type { Distribution } from "./data";
import { ask } from "./data";
import { css } from "./chart";
import * as state from "./state";
import { count, duration } from "./format";
import { el, figures, latest, legendOf, notice, settled, type Bucket, type View } from "./view";

interface Latency { count: number; summary: Distribution; buckets: Bucket[] }

// Percentiles are lines in the histogram.
const marks = [["p50", "g0"], ["p95", "g5"], ["p99", "stop"]] as const;

export const latency: View = {
  name: "latency",
  title: "Latency",
  open(root) {
    const bar = el("p", { class: "bar" }), sums = el("div", { id: "sums" }), box = el("div");
    const explained = el("p", { id: "legend", hidden: true }, legendOf([["runnable", "how many waits were that long"],
      ["g0", "half are shorter (p50)"], ["g5", "95 % are"], ["stop", "99 % are"]]));
    root.append(bar, sums, explained, box);
    let plot: uPlot | undefined;
    const fillBar = () => bar.replaceChildren("From runnable to running, waits that ended in the window",
      ...(state.get().key ? [", goroutines of ", el("b", {}, state.get().key), " ", el("button", { onclick: () => state.set({ key: "" }) }, "All goroutines")] : ["."]));
    const show = (l: Latency) => {
      plot?.destroy();
      plot = undefined;
      explained.hidden = l.count === 0;
      if (l.count === 0) {
        sums.replaceChildren(el("p", { class: "empty" }, "No goroutine waited for a P in this window."));
        return;
      }
      sums.replaceChildren(figures([
        ["count", "waits", count(l.count), l.count],
        ["p50", "p50", duration(l.summary.p50), l.summary.p50],
        ["p95", "p95", duration(l.summary.p95), l.summary.p95],
        ["p99", "p99", duration(l.summary.p99), l.summary.p99],
        ["max", "longest", duration(l.summary.max), l.summary.max],
        ["sum", "sum", duration(l.summary.sum), l.summary.sum],
      ]));
      plot = histogram(box, l);
    };
    const again = latest(() => {
      const { from, to, by, key } = state.get();
      return ask<Latency>("latency", { from, to, by, key });
    }, show, (e) => notice(e.message));
    fillBar();
    again();
    const later = settled(again);
    const unwatch = state.watch(() => { fillBar(); later(); });
    addEventListener("resize", later);
    return () => {
      removeEventListener("resize", later);
      unwatch();
      plot?.destroy();
    };
  },
};

/** place returns where among the buckets, bar i reaching from i - 0.5 to i + 0.5, a duration is. */
function place(buckets: Bucket[], v: number): number {
  const i = buckets.findIndex((b) => v < b.high);
  return i < 0 ? buckets.length - 0.5 : i - 0.5 + (v - buckets[i].low) / (buckets[i].high - buckets[i].low);
}

function histogram(box: HTMLElement, l: Latency): uPlot {
  return new uPlot({
    width: Math.max(300, box.clientWidth), height: 380,
    scales: {
      x: { time: false, range: [-0.7, l.buckets.length - 0.3] },
      y: { distr: 3, range: (_u, _min, max) => [0.5, max * 1.5] },
    },
    axes: [
      { stroke: () => css("ink-soft"), grid: { show: false }, incrs: [1, 2, 4, 8], space: 60, values: (_u, ticks) => ticks.map((i) => (l.buckets[i] ? duration(l.buckets[i].low) : "")) },
      { stroke: () => css("ink-soft"), grid: { stroke: () => css("line"), width: 1 }, size: 80, label: "waits (logarithmic)", values: (_u, ticks) => ticks.map((v) => (Math.log10(v) % 1 === 0 && v >= 1 ? count(v) : "")) },
    ],
    legend: { show: true },
    hooks: {
      draw: [(u) => {
        const { top, height } = u.bbox;
        for (const [name, color] of marks) {
          const x = u.valToPos(place(l.buckets, l.summary[name]), "x", true);
          u.ctx.fillStyle = css(color);
          u.ctx.fillRect(x - devicePixelRatio, top, 2 * devicePixelRatio, height);
        }
      }],
      // Before the mouse is there the legend has no bar to tell of.
      setLegend: [(u) => { (u.root.querySelector(".u-legend") as HTMLElement).style.visibility = u.legend.idx == null ? "hidden" : "visible"; }],
    },
    cursor: { drag: { x: false, y: false }, points: { show: false } },
    series: [
      { label: "wait", value: (_u, i) => (l.buckets[i] ? `${duration(l.buckets[i].low)} – ${duration(l.buckets[i].high)}` : "") },
      {
        label: "times", stroke: () => css("runnable"), fill: () => css("runnable") + "88", points: { show: false },
        paths: uPlot.paths.bars!({ size: [0.9, 60] }), value: (_u, v) => (v == null ? "" : count(v)),
      },
    ],
  }, [l.buckets.map((_, i) => i), l.buckets.map((b) => b.count || null)], box);
}
