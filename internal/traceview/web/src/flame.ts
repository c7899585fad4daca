// Flame graphs of the window: CPU samples, and where goroutines waited.

import { select } from "d3-selection";
import flamegraph from "d3-flame-graph";
import type { Trace } from "./data";
import { ask } from "./data";
import * as state from "./state";
import { count, duration } from "./format";
import { choice, el, latest, notice, settled, type View } from "./view";

interface Node { name: string; value: number; children?: Node[] }

export const flame: View = {
  name: "flame",
  title: "Flame graph",
  open(root, trace) {
    const bar = el("p", { class: "bar" }), box = el("div", { id: "flame" });
    root.append(bar, box);
    const search = el("input", { type: "search", id: "search", placeholder: "function  ( / )" });
    let chart: ReturnType<typeof flamegraph> | undefined;
    const fillBar = () => bar.replaceChildren(
      choice("what the widths mean", [["cpu", "CPU samples"], ["waiting", "waiting"], ["syscall", "system calls"], ["runnable", "waiting for a P"]], state.get().weigh, (weigh) => state.set({ weigh })),
      " ", search, " ", el("button", { onclick: () => chart?.resetZoom() }, "Reset zoom"));
    const show = (tree: Node) => {
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
      const { from, to, weigh } = state.get();
      return ask<Node>("flame", { from, to, weigh });
    }, show, (e) => notice(e.message));
    fillBar();
    again();
    const later = settled(again);
    const unwatch = state.watch((now, before) => {
      if (now.weigh !== before.weigh) fillBar();
      if (now.weigh !== before.weigh || now.from !== before.from || now.to !== before.to) later();
    });
    addEventListener("resize", later);
    return () => {
      removeEventListener("resize", later);
      unwatch();
    };
  },
};

function absent(trace: Trace): string {
  if (state.get().weigh !== "cpu") return "Nothing of this kind happened in the window.";
  if (trace.summary.samples) return "No CPU sample fell into the window.";
  return "The trace has no CPU samples: they are in it when a CPU profile is taken at the same time (-cpuprofile with -trace, or pprof.StartCPUProfile).";
}
