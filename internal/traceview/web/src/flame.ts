// Flame graphs of the window: CPU samples, and where goroutines waited.

import { select } from "d3-selection";
import flamegraph from "d3-flame-graph";
import type { Trace } from "./data";
import { ask } from "./data";
import * as state from "./state";
import { count, duration } from "./format";
import { choice, el, latest, notice, settled, type View } from "./view";

interface Tree { name: string; value: number; children?: Tree[] }

export const flame: View = {
  name: "flame",
  title: "Flame graph",
  open(root, trace) {
    const bar = el("p", { class: "bar" }), box = el("div", { id: "flame" });
    root.append(bar, box);
    const search = el("input", { type: "search", id: "search", placeholder: "function  ( / )" });
    let chart: ReturnType<typeof flamegraph> | undefined;
    const fillBar = () => bar.replaceChildren(
      choice("what the widths mean", [["cpu", "CPU samples"], ["waiting", "all waits"], ["network", "network"], ["sync", "other waits"], ["syscall", "system calls"], ["runnable", "waiting for a P"]], state.get().weigh, (weigh) => state.set({ weigh })),
      " ", search, " ", el("button", { onclick: () => chart?.resetZoom() }, "Reset zoom"), " ",
      el("a", { id: "profile", href: "api/profile?" + new URLSearchParams(Object.entries(part()).map(([k, v]) => [k, String(v)])), title: "the same, for go tool pprof" }, "Profile"),
      ...of("key", "goroutines of"), ...of("region", "regions"));
    const show = (tree: Tree) => {
      box.replaceChildren();
      chart = undefined;
      if (tree.value === 0) {
        box.append(el("p", { class: "empty" }, absent(trace)));
        return;
      }
      const write = state.get().weigh === "cpu" ? (v: number) => count(v) + (v === 1 ? " sample" : " samples") : duration;
      chart = flamegraph().width(Math.max(300, box.clientWidth)).cellHeight(18).minFrameSize(1).transitionDuration(200).inverted(true).title("")
        .setColorHue("warm").label((d) => `${d.data.name} — ${write(d.data.value)}, ${(100 * d.data.value / tree.value).toFixed(1)} %`);
      select(box).datum(tree).call(chart);
      if (search.value) chart.search(search.value);
    };
    search.addEventListener("input", () => (search.value ? chart?.search(search.value) : chart?.clear()));
    search.addEventListener("keydown", (e) => { if (e.key === "Escape") search.blur(); });
    const again = latest(() => {
      return ask<Tree>("flame", part());
    }, show, (e) => notice(e.message));
    fillBar();
    again();
    const later = settled(again);
    const unwatch = state.watch((now, before) => {
      if (["weigh", "from", "to", "key", "by", "region"].every((k) => now[k as "weigh"] === before[k as "weigh"])) return;
      fillBar();
      later();
    });
    addEventListener("resize", later);
    return () => {
      removeEventListener("resize", later);
      unwatch();
    };
  },
};

/** part is what the graph is of. */
function part() {
  const { from, to, weigh, by, key, region } = state.get();
  return { from, to, weigh, by, key, region };
}

/** of names what the graph is restricted to, with a button that ends that. */
function of(field: "key" | "region", text: string): (Node | string)[] {
  const value = state.get()[field];
  return value ? [` · ${text} `, el("b", {}, value), " ", el("button", { onclick: () => state.set({ [field]: "" }) }, "All")] : [];
}

function absent(trace: Trace): string {
  if (state.get().weigh !== "cpu") return "Nothing of this kind happened in the window.";
  if (trace.summary.samples) return "No CPU sample fell into the window.";
  return "The trace has no CPU samples: they are in it when a CPU profile is taken at the same time (-cpuprofile with -trace, or pprof.StartCPUProfile).";
}
