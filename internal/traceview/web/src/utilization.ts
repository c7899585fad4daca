// Minimum mutator utilisation: for each width of a window of time, what share of the processors the collector left to
// the program in the worst window of that width.

import uPlot from "uplot";
import { ask } from "./data";
import { css } from "./chart";
import * as state from "./state";
import { duration, instant, percent } from "./format";
import { el, figures, latest, legendOf, notice, pickable, settled, table, type View } from "./view";

interface Floor { width: number; least: number; at: number }
interface Utilization { mean: number; floors: Floor[] }

const works = [
  ["stops", "stopped world"], ["background", "background marking"], ["assists", "mark assists"], ["sweeps", "sweeping"],
] as const;

export const utilization: View = {
  name: "utilization",
  title: "Utilisation",
  open(root) {
    const bar = el("p", { class: "bar" }), sums = el("div", { id: "sums" }), box = el("div"), rows = el("div", { id: "floors" });
    root.append(bar, sums, el("p", { id: "legend" }, legendOf([["running", "what the program had of the processors, at least, in any window of this width"]])), box, rows);
    let plot: uPlot | undefined;
    const fillBar = () => {
      const on = new Set(state.get().work.split(","));
      bar.replaceChildren("The collector's is ", ...works.flatMap(([name, text]) => [
        el("label", {}, el("input", {
          type: "checkbox", name, checked: on.has(name),
          onchange: (e: Event) => {
            (e.target as HTMLInputElement).checked ? on.add(name) : on.delete(name);
            state.set({ work: works.map(([w]) => w).filter((w) => on.has(w)).join(",") });
          },
        }), text), " "]));
    };
    const show = ([work, u]: [string, Utilization]) => {
      rows.dataset.work = work; // for tests
      plot?.destroy();
      plot = undefined;
      rows.replaceChildren();
      if (!u.floors.length) {
        sums.replaceChildren(el("p", { class: "empty" }, "The window is empty."));
        return;
      }
      sums.replaceChildren(figures([
        ["mean", "over the whole window", percent(u.mean), u.mean],
        ["least", `in the worst ${duration(u.floors[0].width)}`, percent(u.floors[0].least), u.floors[0].least],
      ]));
      plot = curve(box, u.floors);
      // One row for each power of ten, and the whole window.
      const list = u.floors.filter((f, i) => i === u.floors.length - 1 || Math.abs(Math.log10(f.width) % 1) < 1e-6);
      rows.append(table<Floor>([
        { head: "any window of", text: (f) => duration(f.width), sort: (f) => f.width },
        { head: "left the program at least", text: (f) => percent(f.least), sort: (f) => f.least },
        { head: "the worst begins at", text: (f) => instant(f.at, state.total()), sort: (f) => f.at },
      ], list, {
        row: (f, tr) => {
          tr.title = "Show it in the timeline";
          pickable(tr, () => look(f));
        },
      }));
    };
    const again = latest(async (): Promise<[string, Utilization]> => {
      const { from, to, work } = state.get();
      return [work, await ask<Utilization>("utilization", { from, to, work })];
    }, show, (e) => notice(e.message));
    fillBar();
    again();
    const later = settled(again);
    const unwatch = state.watch((now, before) => {
      if (now.work !== before.work) fillBar();
      if (now.work !== before.work || now.from !== before.from || now.to !== before.to) later();
    });
    addEventListener("resize", later);
    return () => {
      removeEventListener("resize", later);
      unwatch();
      plot?.destroy();
    };
  },
};

/** look shows a window in the timeline, with as much on either side. */
function look(f: Floor) {
  state.show(f.at - f.width, f.at + 2 * f.width);
  state.set({ view: "timeline" });
}

function curve(box: HTMLElement, floors: Floor[]): uPlot {
  let down = 0;
  const plot = new uPlot({
    width: Math.max(300, box.clientWidth), height: 340,
    padding: [8, 34, 0, 0],
    scales: { x: { time: false, distr: 3 }, y: { range: [0, 1] } },
    axes: [
      { stroke: () => css("ink-soft"), grid: { stroke: () => css("line"), width: 1 }, values: (_u, ticks) => ticks.map((v) => (Math.log10(v) % 1 === 0 ? duration(v) : "")) },
      { stroke: () => css("ink-soft"), grid: { stroke: () => css("line"), width: 1 }, size: 60, values: (_u, ticks) => ticks.map((v) => Math.round(100 * v) + " %") },
    ],
    legend: { show: true },
    cursor: { drag: { x: false, y: false } },
    hooks: {
      setLegend: [(u) => { (u.root.querySelector(".u-legend") as HTMLElement).style.visibility = u.legend.idx == null ? "hidden" : "visible"; }],
    },
    series: [
      { label: "any window of", value: (_u, v) => (v == null ? "" : duration(v)) },
      {
        label: "has at least", stroke: () => css("running"), fill: () => css("running") + "33", width: 2,
        value: (_u, v, _s, i) => (v == null || i == null ? "" : `${percent(v)}, the worst begins at ${instant(floors[i].at, state.total())} (click)`),
      },
    ],
  }, [floors.map((f) => f.width), floors.map((f) => f.least)], box);
  plot.over.addEventListener("mousedown", (e) => (down = e.clientX));
  plot.over.addEventListener("click", (e) => { if (Math.abs(e.clientX - down) < 3 && plot.cursor.idx != null) look(floors[plot.cursor.idx]); });
  return plot;
}
