// Goroutines, grouped by the function they run or by the go statement that started them:
// how they spent the window, and what for they waited.

import type { Distribution } from "./data";
import { ask } from "./data";
import * as state from "./state";
import { count, duration, shortStatement } from "./format";
import { choice, el, latest, notice, settled, table, type ColumnOf, type View } from "./view";

interface Group {
  key: string; count: number;
  total: Distribution; running: Distribution; waiting: Distribution; network: Distribution; runnable: Distribution; syscall: Distribution; assist: Distribution;
  reasons: { name: string; time: number; count: number }[];
}

interface Account { g: number; id: number; total: number; running: number; waiting: number; network: number; runnable: number; syscall: number; assist: number }

const parts = [
  ["running", "execution", "running on a P"],
  ["waiting", "waiting", "for channels, locks, timers, the network"],
  ["network", "network", "waiting for the network (part of waiting)"],
  ["runnable", "scheduling wait", "able to run, without a P"],
  ["syscall", "system calls", "in system calls"],
  ["assist", "GC assist", "helping the collector (part of execution)"],
  ["total", "total", "of the window"],
] as const;

// Flame graphs of one group.
const profiles = [["cpu", "CPU samples"], ["network", "Network"], ["sync", "Other waits"], ["syscall", "System calls"], ["runnable", "Waiting for a P"]] as const;

export const goroutines: View = {
  name: "goroutines",
  title: "Goroutines",
  open(root) {
    const bar = el("p", { class: "bar" }), groups = el("div", { id: "groups" }), detail = el("div", { id: "members" });
    root.append(bar, groups, detail);
    const fail = (e: Error) => notice(e.message);
    let known: Group[] = [];
    const askGroups = latest(() => ask<Group[]>("groups", window_()), (list) => {
      known = list;
      groups.replaceChildren(groupTable(list));
      askMembers();
    }, fail);
    const askMembers = latest(async () => (state.get().key ? ask<Account[]>("members", { ...window_(), key: state.get().key }) : null), (list) => {
      detail.replaceChildren();
      const group = known.find((g) => g.key === state.get().key);
      if (list && group) detail.append(describe(group, list));
      for (const tr of groups.querySelectorAll<HTMLElement>("tr[data-key]")) tr.setAttribute("aria-selected", String(tr.dataset.key === state.get().key));
    }, fail);
    const fillBar = () => bar.replaceChildren("Group by ", choice("grouping", [["func", "function"], ["statement", "go statement"]], state.get().by, (by) => state.set({ by, key: "" })));
    fillBar();
    askGroups();
    const later = settled(askGroups);
    return state.watch((now, before) => {
      if (now.by !== before.by) fillBar();
      if (now.by !== before.by || now.from !== before.from || now.to !== before.to) later();
      else if (now.key !== before.key) askMembers();
    });
  },
};

function window_() {
  const { from, to, by } = state.get();
  return { from, to, by };
}

function groupTable(list: Group[]): HTMLElement {
  const columns: ColumnOf<Group>[] = [
    { head: state.get().by === "func" ? "function" : "go statement", text: (g) => shortStatement(g.key), sort: (g) => g.key, left: true },
    { head: "goroutines", text: (g) => count(g.count), sort: (g) => g.count },
  ];
  for (const [part, name, title] of parts) {
    columns.push({ head: name, title, text: (g) => duration(g[part].sum), sort: (g) => g[part].sum });
    if (part === "running" || part === "waiting" || part === "runnable") {
      columns.push({ head: "p50", title: `${name}: half of the goroutines have less`, text: (g) => duration(g[part].p50), sort: (g) => g[part].p50 });
      columns.push({ head: "p99", title: `${name}: 99 % of the goroutines have less`, text: (g) => duration(g[part].p99), sort: (g) => g[part].p99 });
    }
  }
  return table(columns, list, {
    row: (g, tr) => {
      tr.dataset.key = g.key;
      tr.title = g.key;
      tr.tabIndex = 0;
      const choose = () => state.set({ key: state.get().key === g.key ? "" : g.key });
      tr.addEventListener("click", choose);
      tr.addEventListener("keydown", (e) => { if (e.key === "Enter") choose(); });
    },
  });
}

function describe(group: Group, list: Account[]): HTMLElement {
  const percentiles = table<(typeof parts)[number]>([
    { head: "per goroutine", text: ([, name]) => name, left: true },
    { head: "p50", text: ([part]) => duration(group[part].p50) },
    { head: "p95", text: ([part]) => duration(group[part].p95) },
    { head: "p99", text: ([part]) => duration(group[part].p99) },
    { head: "max", text: ([part]) => duration(group[part].max) },
    { head: "sum", text: ([part]) => duration(group[part].sum) },
  ], [...parts]);
  const reasons = table([
    { head: "waited for", text: (r) => r.name, left: true },
    { head: "time", text: (r) => duration(r.time), sort: (r) => r.time },
    { head: "times", text: (r) => count(r.count), sort: (r) => r.count },
  ], group.reasons);
  const members = table<Account>([
    { head: "goroutine", text: (a) => "G " + a.id, sort: (a) => a.id, left: true },
    ...parts.map(([part, name, title]): ColumnOf<Account> => ({ head: name, title, text: (a) => duration(a[part]), sort: (a) => a[part] })),
  ], list, {
    row: (a, tr) => {
      tr.title = "Show it in the timeline";
      tr.tabIndex = 0;
      const go = () => state.set({ view: "timeline", q: "=" + a.id });
      tr.addEventListener("click", go);
      tr.addEventListener("keydown", (e) => { if (e.key === "Enter") go(); });
    },
  });
  return el("div", {},
    el("h2", {}, group.key),
    el("p", {}, el("button", { onclick: () => state.set({ view: "latency" }) }, "Scheduling latency of this group"), " ",
      "Flame graph: ", ...profiles.flatMap(([weigh, text]) => [el("button", { "data-weigh": weigh, onclick: () => state.set({ view: "flame", weigh, region: "" }) }, text), " "])),
    el("div", { class: "side" }, percentiles, reasons),
    el("p", { class: "soft" }, list.length < group.count ? `The ${list.length} that ran longest of ${count(group.count)}:` : ""),
    members);
}
