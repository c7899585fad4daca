// What the program says of itself: the tasks, regions and messages of runtime/trace.

import type { Distribution, Frame, Trace } from "./data";
import { ask } from "./data";
import * as state from "./state";
import { count, duration, instant, shortPath } from "./format";
import { choice, el, latest, notice, pickable, settled, spark, table, type Bucket, type ColumnOf, type View } from "./view";

interface Kind {
  name: string; count: number; open: number; duration: Distribution; buckets: Bucket[];
  parts?: { running: number; network: number; sync: number; runnable: number; syscall: number };
}
interface Task {
  index: number; id: number; type: string; parent: number; begin: number; end: number; begun: boolean; ended: boolean;
  g: number; goroutines: number; regions: number; logs: number;
}
interface Moment { time: number; duration: number; g: number; kind: string; text: string; task: number; stack: number }
interface Story { task: Task; parent?: Task; moments: Moment[] }
interface Region {
  g: number; id: number; start: number; end: number; task: number; cut: boolean;
  running: number; waiting: number; network: number; runnable: number; syscall: number;
}

const parts = [
  ["running", "execution"], ["network", "network"], ["sync", "other waits"], ["syscall", "system calls"], ["runnable", "scheduling wait"],
] as const;

export const tasks: View = {
  name: "tasks",
  title: "Tasks",
  open(root, trace) {
    const bar = el("p", { class: "bar" }), kinds = el("div", { id: "kinds" }), list = el("div", { id: "members" }), story = el("div", { id: "story" });
    root.append(bar, kinds, list, story);
    const fail = (e: Error) => notice(e.message);
    const fillBar = () => bar.replaceChildren(
      choice("what is listed", [["tasks", "Tasks"], ["regions", "Regions"], ["messages", "Messages"]], state.get().list, (v) => state.set({ list: v })),
      el("span", { class: "soft" }, " as the program marks them with runtime/trace: NewTask, WithRegion, Log"));
    const askKinds = latest(async () => {
      const window = part();
      switch (state.get().list) {
        case "regions": return regionKinds(await ask<Kind[]>("regionkinds", window));
        case "messages": return messages(trace, await ask<Moment[]>("messages", window), 0);
      }
      return taskKinds(await ask<Kind[]>("taskkinds", window));
    }, (e) => { kinds.replaceChildren(e); mark(); }, fail);
    const askList = latest(async () => {
      const { list, kind, region } = state.get();
      if (list === "tasks" && kind) return taskList(trace, await ask<Task[]>("tasks", { ...part(), task: typeOf(kind) }), kind);
      if (list === "regions" && region) return regionList(trace, await ask<Region[]>("regions", { ...part(), region }), region);
      return el("div");
    }, (e) => list.replaceChildren(e), fail);
    const askStory = latest(async () => {
      const { list, task } = state.get();
      return list === "tasks" && task >= 0 ? tell(trace, await ask<Story>("task", { i: task })) : el("div");
    }, (e) => story.replaceChildren(e), fail);
    const mark = () => {
      const { list, kind, region } = state.get();
      for (const tr of kinds.querySelectorAll<HTMLElement>("tr[data-key]")) tr.setAttribute("aria-selected", String(tr.dataset.key === (list === "tasks" ? kind : region)));
    };
    const all = () => { askKinds(); askList(); };
    fillBar();
    all();
    askStory();
    const later = settled(all);
    return state.watch((now, before) => {
      if (now.list !== before.list) { fillBar(); all(); askStory(); return; }
      if (now.from !== before.from || now.to !== before.to) later();
      else if (now.kind !== before.kind || now.region !== before.region) { mark(); askList(); }
      if (now.task !== before.task) askStory();
    });
  },
};

const part = () => ({ from: state.get().from, to: state.get().to });

// A task that began before the trace has no type that the trace knows.
const older = "(began before the trace)";
const typeOf = (shown: string) => (shown === older ? "" : shown);
const shown = (type: string) => type || older;

function kindColumns(): ColumnOf<Kind>[] {
  return [
    { head: "times", text: (k) => count(k.count), sort: (k) => k.count },
    { head: "cut", title: "begun before the trace, or not ended in it", text: (k) => (k.open ? count(k.open) : ""), sort: (k) => k.open },
    { head: "sum", text: (k) => duration(k.duration.sum), sort: (k) => k.duration.sum },
    { head: "p50", text: (k) => duration(k.duration.p50), sort: (k) => k.duration.p50 },
    { head: "p95", text: (k) => duration(k.duration.p95), sort: (k) => k.duration.p95 },
    { head: "p99", text: (k) => duration(k.duration.p99), sort: (k) => k.duration.p99 },
    { head: "longest", text: (k) => duration(k.duration.max), sort: (k) => k.duration.max },
    { head: "durations", title: "how many were how long; both logarithmic", text: () => "", cell: (k) => spark(k.buckets, duration) },
  ];
}

function taskKinds(list: Kind[]): HTMLElement {
  if (!list.length) return el("p", { class: "empty" }, "The program began no task in the window (runtime/trace.NewTask).");
  return table<Kind>([{ head: "task", text: (k) => shown(k.name), sort: (k) => k.name, left: true }, ...kindColumns()], list, {
    row: (k, tr) => {
      tr.dataset.key = shown(k.name);
      pickable(tr, () => state.set({ kind: state.get().kind === shown(k.name) ? "" : shown(k.name), task: -1 }));
    },
  });
}

function regionKinds(list: Kind[]): HTMLElement {
  if (!list.length) return el("p", { class: "empty" }, "No goroutine was in a region in the window (runtime/trace.WithRegion, StartRegion).");
  return table<Kind>([
    { head: "region", text: (k) => k.name, sort: (k) => k.name, left: true }, ...kindColumns(),
    ...parts.map(([part, head]): ColumnOf<Kind> => ({ head, title: "in the window", text: (k) => duration(k.parts![part]), sort: (k) => k.parts![part] })),
  ], list, {
    row: (k, tr) => {
      tr.dataset.key = k.name;
      pickable(tr, () => state.set({ region: state.get().region === k.name ? "" : k.name }));
    },
  });
}

function taskList(trace: Trace, list: Task[], kind: string): HTMLElement {
  return el("div", {}, el("h2", {}, `Tasks ${kind}`), table<Task>([
    { head: "task", text: (t) => String(t.id), sort: (t) => t.id, left: true },
    { head: "begins", text: (t) => (t.begun ? instant(t.begin, state.total()) : "before"), sort: (t) => t.begin },
    { head: "takes", text: (t) => duration(t.end - t.begin) + (t.ended ? "" : " …"), sort: (t) => t.end - t.begin },
    { head: "begun by", text: (t) => goroutine(trace, t.g) },
    { head: "goroutines", title: "that had regions or messages of it", text: (t) => count(t.goroutines), sort: (t) => t.goroutines },
    { head: "regions", text: (t) => count(t.regions), sort: (t) => t.regions },
    { head: "messages", text: (t) => count(t.logs), sort: (t) => t.logs },
  ], list, { row: (t, tr) => pickable(tr, () => state.set({ task: t.index })) }));
}

function regionList(trace: Trace, list: Region[], region: string): HTMLElement {
  const sync = (r: Region) => r.waiting - r.network;
  return el("div", {}, el("h2", {}, `Regions ${region}`),
    el("p", {}, "Flame graph: ", ...([["cpu", "CPU samples"], ["network", "Network"], ["sync", "Other waits"], ["syscall", "System calls"], ["runnable", "Waiting for a P"]] as const).flatMap(([weigh, text]) =>
      [el("button", { "data-weigh": weigh, onclick: () => state.set({ view: "flame", weigh, key: "" }) }, text), " "])),
    table<Region>([
      { head: "goroutine", text: (r) => goroutine(trace, r.g), sort: (r) => r.id, left: true },
      { head: "begins", text: (r) => instant(r.start, state.total()), sort: (r) => r.start },
      { head: "takes", text: (r) => duration(r.end - r.start) + (r.cut ? " …" : ""), sort: (r) => r.end - r.start },
      { head: "execution", text: (r) => duration(r.running), sort: (r) => r.running },
      { head: "network", text: (r) => duration(r.network), sort: (r) => r.network },
      { head: "other waits", text: (r) => duration(sync(r)), sort: sync },
      { head: "system calls", text: (r) => duration(r.syscall), sort: (r) => r.syscall },
      { head: "scheduling wait", text: (r) => duration(r.runnable), sort: (r) => r.runnable },
    ], list, {
      row: (r, tr) => {
        tr.title = "Show it in the timeline";
        pickable(tr, () => look(trace, r.g, r.start, r.end));
      },
    }));
}

function goroutine(trace: Trace, g: number): string {
  return g < 0 ? "" : trace.label(g);
}

/** look shows some time of a goroutine in the timeline. */
function look(trace: Trace, g: number, start: number, end: number) {
  const rest = Math.max(1000, 0.05 * (end - start));
  state.show(start - rest, end + rest);
  state.set({ view: "timeline", q: g < 0 ? "" : "=" + trace.f64("g.id")[g] });
}

/** tell shows what happened in one task, and when. */
function tell(trace: Trace, s: Story): HTMLElement {
  const t = s.task, length = Math.max(1, t.end - t.begin);
  const link = (text: string, index: number, kind: string) => el("button", { onclick: () => state.set({ task: index, kind: shown(kind) }) }, text);
  return el("div", {},
    el("h2", {}, `Task ${t.id}, ${shown(t.type)}`),
    el("p", {}, `${t.begun ? "Begun" : "Begun before the trace; seen"} at ${instant(t.begin, state.total())}${t.g < 0 ? "" : " by " + goroutine(trace, t.g)}, ${t.ended ? "took" : "not ended after"} ${duration(t.end - t.begin)}. `,
      ...(s.parent ? ["Part of ", link(`task ${s.parent.id}, ${shown(s.parent.type)}`, s.parent.index, s.parent.type), ". "] : []),
      el("button", { id: "show-task", onclick: () => look(trace, -1, t.begin, t.end) }, "Show its time in the timeline")),
    messages(trace, s.moments, t.begin, (m) => {
      const left = 100 * Math.max(0, m.time - t.begin) / length, width = 100 * Math.max(0, m.duration) / length;
      return el("span", { class: "gantt" }, el("i", { class: m.kind, style: `left: ${left.toFixed(2)}%; width: ${Math.min(100 - left, width).toFixed(2)}%` }));
    }, link));
}

/** messages lists moments; times are since begin. */
function messages(trace: Trace, list: Moment[], begin: number, bar?: (m: Moment) => Node, link?: (text: string, task: number, kind: string) => Node): HTMLElement {
  if (!list.length) return el("p", { class: "empty" }, bar ? "Nothing else is known of it." : "The program logged nothing in the window (runtime/trace.Log, Logf).");
  const columns: ColumnOf<Moment>[] = [
    { head: "time", text: (m) => (bar ? "+" + duration(m.time - begin) : instant(m.time, state.total())), sort: (m) => m.time },
    { head: "takes", text: (m) => (m.duration < 0 ? "" : duration(m.duration)), sort: (m) => m.duration },
    { head: "goroutine", text: (m) => goroutine(trace, m.g), left: true },
    { head: "what", text: (m) => (m.kind === "log" ? m.text : `${m.kind} ${shown(m.text)}`), left: true, ...(link ? { cell: (m: Moment) => (m.kind === "task" ? link(`task ${shown(m.text)}`, m.task, m.text) : document.createTextNode(m.kind === "log" ? m.text : `${m.kind} ${m.text}`)) } : {}) },
  ];
  if (bar) columns.splice(2, 0, { head: "", text: () => "", cell: bar });
  const stack = el("div");
  return el("div", {}, table<Moment>(columns, list, {
    row: (m, tr) => pickable(tr, () => (m.kind === "log" ? void where(stack, m) : m.kind === "region" ? look(trace, m.g, m.time, m.time + m.duration) : undefined)),
  }), stack);
}

/** where shows the stack at which a message was logged. */
async function where(box: HTMLElement, m: Moment) {
  if (m.stack < 0) return;
  try {
    const frames = await ask<Frame[]>("stack", { i: m.stack });
    box.replaceChildren(el("h2", {}, m.text), el("ol", { class: "stack" }, ...frames.map((f) => el("li", {}, f.func, " ", el("span", { class: "soft" }, `${shortPath(f.file)}:${f.line}`)))));
  } catch (e) {
    notice((e as Error).message);
  }
}
