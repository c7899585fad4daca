// The page: header, the overview of the whole trace, and one of the views.

import type { Trace } from "./data";
import { load, send } from "./data";
import { Chart, css, forgetColors } from "./chart";
import { collector, selectWindow, step } from "./collector";
import { flame } from "./flame";
import { goroutines } from "./goroutines";
import { latency } from "./latency";
import { refreshColors } from "./lanes";
import { save } from "./picture";
import { runtime } from "./runtime";
import { tasks } from "./tasks";
import * as state from "./state";
import { timeline } from "./timeline";
import { utilization } from "./utilization";
import { bytes, count, duration, instant } from "./format";
import { el, notice, type View } from "./view";

const views: View[] = [timeline, collector, goroutines, latency, flame, runtime, tasks, utilization];
const byId = <T extends HTMLElement>(id: string) => document.getElementById(id) as T;

let trace: Trace;
let close = () => {};
let overview: Chart | undefined;

async function begin() {
  setTheme(localStorage.getItem("theme") ?? "");
  trace = await load();
  state.start(trace.summary.duration);
  document.title = `${trace.summary.source} — loam trace`;
  byId("views").replaceChildren(...views.map((v, i) =>
    el("button", { "data-view": v.name, title: `key ${i + 1}`, onclick: () => state.set({ view: v.name }) }, v.title)));
  byId("exit").hidden = !trace.summary.exit;
  byId("exit").textContent = "The program ended: " + trace.summary.exit;
  byId("picture").onclick = () => void takePicture();
  byId("theme").onclick = nextTheme;
  byId("help").onclick = () => byId<HTMLDialogElement>("keys").showModal();
  for (const id of ["record", "seconds"]) byId(id).hidden = !trace.summary.live;
  byId("record").onclick = () => void record();
  addEventListener("keydown", key);
  state.watch((now, before) => {
    if (now.view !== before.view) open();
    about();
  });
  addEventListener("resize", () => overview?.resize(byId("overview").clientWidth));
  open();
  document.body.dataset.ready = "true"; // for tests
}

/** open shows the view that the state names, and everything else anew. */
function open() {
  close();
  const view = views.find((v) => v.name === state.get().view) ?? views[0];
  for (const b of document.querySelectorAll<HTMLElement>("#views button")) b.setAttribute("aria-pressed", String(b.dataset.view === view.name));
  const main = byId("main");
  main.replaceChildren();
  refreshColors();
  drawOverview();
  about();
  close = view.open(main, trace);
  document.body.dataset.view = view.name;
}

function about() {
  const s = trace.summary, { from, to } = state.get();
  byId("about").replaceChildren(
    el("b", {}, s.source), ` · ${duration(s.duration)} · ${count(s.events)} events · ${s.procs.length} Ps · ${count(trace.goroutines())} goroutines · ${trace.collections.length} collections`,
    s.peak ? ` · peak heap ${bytes(s.peak)}` : "", s.incomplete ? ` · ${s.incomplete}` : "", " · window ",
    el("span", { id: "window" }, `${instant(from, to - from)} – ${instant(to, to - from)} (${duration(to - from)})`), " ",
    ...(state.isWhole() ? [] : [el("button", { id: "whole", onclick: () => state.show(0, state.total()) }, "Whole trace")]));
}

/** drawOverview draws the whole trace, with the window marked; dragging chooses a window. */
function drawOverview() {
  overview?.destroy();
  overview = new Chart(byId("overview"), {
    height: 84, kind: "count", whole: true,
    curves: [
      { label: "runnable", color: "runnable", fill: true, time: trace.f64("population.time"), value: trace.i32("population.runnable") },
      { label: "running", color: "running", fill: true, time: trace.f64("population.time"), value: trace.i32("population.running") },
    ],
    draw: (u, c) => {
      if (state.isWhole()) return;
      const { left, top, width, height } = u.bbox;
      const from = u.valToPos(state.get().from, "x", true), to = u.valToPos(state.get().to, "x", true);
      c.fillStyle = css("paper") + "bb";
      c.fillRect(left, top, from - left, height);
      c.fillRect(to, top, left + width - to, height);
      c.strokeStyle = css("selected");
      c.lineWidth = devicePixelRatio;
      c.strokeRect(from, top, Math.max(1, to - from), height);
    },
  });
}

async function record() {
  const button = byId<HTMLButtonElement>("record"), seconds = byId("seconds").querySelector("input")!.value;
  button.disabled = true;
  notice(`Recording ${seconds} s…`);
  try {
    await send("api/record?seconds=" + encodeURIComponent(seconds), { method: "POST" });
    // Windows and selections of the old trace mean nothing in the new one.
    location.hash = "view=" + state.get().view;
    location.reload();
  } catch (e) {
    notice((e as Error).message);
  }
  button.disabled = false;
}

async function takePicture() {
  const view = views.find((v) => v.name === state.get().view) ?? views[0];
  try {
    await save(byId("main"), "loam-trace-" + view.name, `${trace.summary.source}: ${view.title}`);
  } catch (e) {
    notice((e as Error).message);
  }
}

function setTheme(theme: string) {
  if (theme) document.documentElement.dataset.theme = theme;
  else delete document.documentElement.dataset.theme;
  forgetColors();
}

function nextTheme() {
  const dark = getComputedStyle(document.documentElement).colorScheme === "dark";
  setTheme(dark ? "light" : "dark");
  localStorage.setItem("theme", dark ? "light" : "dark");
  open();
}

const keys: Record<string, () => void> = {
  w: () => state.zoom(1 / 1.5),
  s: () => state.zoom(1.5),
  a: () => state.pan(-0.2),
  d: () => state.pan(0.2),
  ArrowLeft: () => state.pan(-0.2),
  ArrowRight: () => state.pan(0.2),
  "0": () => state.show(0, state.total()),
  "/": () => {
    if (!document.getElementById("search")) state.set({ view: "timeline" });
    document.getElementById("search")?.focus();
  },
  x: () => selectWindow(trace),
  "[": () => step(trace, -1),
  "]": () => step(trace, 1),
  Escape: () => state.set({ sel: "", span: -1, key: "", kind: "", task: -1, region: "" }),
  p: () => void takePicture(),
  t: nextTheme,
  "?": () => byId<HTMLDialogElement>("keys").showModal(),
};
views.forEach((v, i) => (keys[String(i + 1)] = () => state.set({ view: v.name })));

function key(e: KeyboardEvent) {
  if (e.ctrlKey || e.metaKey || e.altKey || document.querySelector("dialog[open]")) return;
  if (e.target instanceof HTMLInputElement) return;
  const f = keys[e.key];
  if (!f) return;
  f();
  e.preventDefault();
}

begin().catch((e: Error) => notice(e.message));
