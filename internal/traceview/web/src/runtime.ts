// What Loam's run-time system says of itself: stack segments, pools, the scheduler, the pacer.
// Traces of gc do not have it, and the page says so.

import type { Figure } from "./data";
import { count } from "./format";
import { el, table, type View } from "./view";

const topics: [title: string, prefix: RegExp][] = [
  ["Stacks", /^\/loam\/stack/],
  ["Pools", /^\/loam\/pool/],
  ["Scheduler", /^\/loam\/sched/],
  ["Collector", /^\/loam\/gc/],
  ["Other", /^/],
];

export const runtime: View = {
  name: "runtime",
  title: "Stacks and pools",
  open(root, trace) {
    const { metrics, growth } = trace.summary.figures;
    const rest = new Set(metrics);
    for (const [title, prefix] of topics) {
      const list = metrics.filter((m) => rest.has(m) && prefix.test(m.name));
      for (const m of list) rest.delete(m);
      if (list.length) root.append(el("h2", {}, title), el("div", { class: "wide" }, metricTable(list)));
      else if (title === "Stacks" || title === "Pools") root.append(el("h2", {}, title), el("p", { class: "empty" }, missing));
    }
    root.append(el("h2", {}, "Hops to a further stack segment, by function"));
    if (growth.length) {
      const sum = growth.reduce((s, g) => s + g.count, 0);
      root.append(el("div", { class: "wide" }, table([
        { head: "function", text: (g) => g.func, sort: (g) => g.func, left: true },
        { head: "hops", text: (g) => count(g.count), sort: (g) => g.count },
        { head: "share", text: (g) => (100 * g.count / sum).toFixed(1) + " %", sort: (g) => g.count },
      ], growth)));
    } else {
      root.append(el("p", { class: "empty" }, "The trace does not have them. Loam's profile stackgrowth does: /debug/pprof/stackgrowth, or pprof.Lookup(\"stackgrowth\")."));
    }
    return () => {};
  },
};

const missing = "The trace does not have these figures: programs of gc have none, programs of Loam put them into traces taken with loam trace -- program.";

function metricTable(list: Figure[]): HTMLElement {
  return table<Figure>([
    { head: "metric", text: (m) => m.name.replace(/:.*/, ""), sort: (m) => m.name, left: true },
    { head: "unit", text: (m) => m.name.replace(/^.*:/, ""), left: true },
    { head: "at the beginning", text: (m) => number(m.first), sort: (m) => m.first },
    { head: "at the end", text: (m) => number(m.last), sort: (m) => m.last },
    { head: "difference", text: (m) => number(m.last - m.first), sort: (m) => m.last - m.first },
  ], list);
}

function number(v: number): string {
  return Number.isInteger(v) ? count(v) : v.toPrecision(4);
}
