// The page of simulated runs: for each a timeline with a lane for each goroutine, those of a machine
// together, and a column for each event, and where the goroutines are at the event that is chosen. Two runs are stepped
// through together, and parted by a line where they part.

import { el } from "./view";
import { duration } from "./format";

type Frame = { File: string; Func: string; Source: string };

interface Event {
  Kind: "turn" | "left" | "stall" | "fault";
  Decision: number; Time: number; Goroutine: number; Stack: number; Choice: number; Of: number; Text: string; Deviates: boolean;
}

interface Goroutine { Key: number; Process: string; Number: number; Label: number; Creator: number; Created: number }

interface Run {
  Name: string;
  Note: string;
  Goroutines: Goroutine[];
  Events: Event[];
  Stacks: (Frame[] | null)[];
}

interface Answer {
  Runs: Run[];
  Difference: { A: number; Why: string; Equal: boolean } | null;
}

const byId = <T extends HTMLElement>(id: string) => document.getElementById(id) as T;
const narrow = 6, wide = 48, lane = 18, top = 4; // few events get wide columns
let labels = 190; // their width: names of machines need more
const color = (name: string) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

let answer: Answer;
let at = 0; // the event that is chosen
let lines: Timeline[] = [];
let column = narrow;
const titles = new Map<string, string>(); // of goroutines, by their labels: the same in all runs

/** Timeline draws a run, and says where its goroutines are. */
class Timeline {
  readonly canvas = el("canvas", { role: "img", onclick: (e: MouseEvent) => this.click(e) });
  readonly details = el("div", { class: "places" });
  readonly root: HTMLElement;
  private readonly lanes = new Map<number, number>();
  private readonly begins = new Set<number>(); // events with which goroutines begin
  private first = 0; // event at the left edge

  constructor(readonly run: Run) {
    run.Goroutines.forEach((g, i) => this.lanes.set(g.Key, i));
    if (run.Goroutines.some((g) => g.Process)) labels = 260;
    const seen = new Set<number>();
    run.Events.forEach((e, i) => {
      this.name(e);
      if (e.Kind === "turn" && !seen.has(e.Goroutine)) this.begins.add(i);
      seen.add(e.Goroutine);
    });
    this.root = el("section", { "aria-label": run.Name }, el("h2", {}, run.Name + (run.Note ? ": " + run.Note : "")), this.canvas, this.details);
  }

  /** name gives a goroutine the title of its outermost function that says what it is for. */
  private name(e: Event) {
    const frames = own(this.run.Stacks[e.Stack]), g = this.goroutine(e.Goroutine);
    if (frames.length > 0 && g && !titles.has(label(g))) titles.set(label(g), base(frames[frames.length - 1].Func));
  }

  private goroutine(key: number): Goroutine | undefined {
    const i = this.lanes.get(key);
    return i === undefined ? undefined : this.run.Goroutines[i];
  }

  private title(g: Goroutine): string {
    const created = this.run.Stacks[g.Created] ?? [];
    const by = created.find((f) => !starts(f)) ?? created[0];
    return titles.get(label(g)) ?? (by ? "by " + base(by.Func) : "");
  }

  private click(e: MouseEvent) {
    if (e.offsetX >= labels) choose(this.first + Math.floor((e.offsetX - labels) / column));
  }

  show() {
    const n = Math.floor((this.canvas.parentElement!.clientWidth - labels) / column);
    if (at < this.first || at >= this.first + n) this.first = Math.max(0, at - (n >> 1));
    this.draw(n);
    this.describe();
  }

  private draw(n: number) {
    const c = this.canvas, width = labels + n * column, height = top + this.lanes.size * lane, scale = devicePixelRatio;
    c.width = width * scale;
    c.height = height * scale;
    c.style.width = width + "px";
    c.style.height = height + "px";
    const ctx = c.getContext("2d")!;
    ctx.scale(scale, scale);
    ctx.font = "12px system-ui, sans-serif";
    ctx.textBaseline = "middle";
    for (const [i, g] of this.run.Goroutines.entries()) {
      ctx.fillStyle = color(i % 2 ? "--paper" : "--stripe");
      ctx.fillRect(0, top + i * lane, width, lane);
      ctx.fillStyle = color("--ink");
      ctx.fillText(`${g.Process ? g.Process + "  " : ""}${g.Label}  ${this.title(g)}`, 2, top + (i + 0.5) * lane, labels - 8);
      if (i > 0 && g.Process !== this.run.Goroutines[i - 1].Process) ctx.fillRect(0, top + i * lane, width, 1);
    }
    const end = Math.min(this.run.Events.length, this.first + n);
    let running = this.before(this.first);
    for (let i = this.first; i < end; i++) {
      const e = this.run.Events[i], x = labels + (i - this.first) * column;
      if (e.Kind === "turn") running = e.Goroutine;
      const y = top + (this.lanes.get(running) ?? 0) * lane;
      if (running !== 0) {
        ctx.fillStyle = color(e.Deviates ? "--stop" : "--running");
        ctx.fillRect(x, y + 3, column - 1, lane - 6);
      }
      if (e.Kind === "stall" || e.Kind === "fault") {
        ctx.fillStyle = color("--stop");
        ctx.fillRect(x, top, column - 1, height - top);
      }
      if (e.Kind === "left") running = 0;
    }
    const difference = answer.Difference;
    if (difference && !difference.Equal) this.mark(ctx, difference.A, height, color("--selected"));
    this.mark(ctx, at, height, color("--accent"));
    const machines = new Set(this.run.Goroutines.map((g) => g.Process)).size;
    c.setAttribute("aria-label", `${machines > 1 ? machines + " processes, " : ""}${this.lanes.size} goroutines, events ${this.first} to ${end}`);
  }

  /** before is the goroutine that has the turn before event i, 0 if none has. */
  private before(i: number): number {
    while (--i >= 0) {
      const e = this.run.Events[i];
      if (e.Kind === "turn") return e.Goroutine;
      if (e.Kind === "left") return 0;
    }
    return 0;
  }

  private mark(ctx: CanvasRenderingContext2D, i: number, height: number, style: string) {
    ctx.fillStyle = style;
    ctx.fillRect(labels + (i - this.first) * column - 1, 0, 2, height);
  }

  /** describe shows the chosen event with both sides: who has lost the turn, and who gets it. */
  private describe() {
    const e = this.run.Events[at];
    if (!e) {
      this.details.replaceChildren(el("p", { class: "empty" }, "This run has ended."));
      return;
    }
    const sides: HTMLElement[] = [this.side(e, true)];
    const other = e.Kind === "turn" ? this.near("left", -1) : e.Kind === "left" ? this.near("turn", 1) : undefined;
    if (other) sides.push(this.side(other, false));
    if (e.Kind === "turn") sides.reverse();
    this.details.replaceChildren(...sides);
  }

  private near(kind: Event["Kind"], step: number): Event | undefined {
    for (let i = at + step; i >= 0 && i < this.run.Events.length; i += step) {
      if (this.run.Events[i].Kind === kind) return this.run.Events[i];
    }
    return undefined;
  }

  /** called is what people call a goroutine. */
  private called(key: number): string {
    const g = this.goroutine(key);
    if (!g) return "nobody";
    return `goroutine ${g.Label}` + (g.Process ? ` of ${g.Process}` : "");
  }

  private side(e: Event, chosen: boolean): HTMLElement {
    const frames = this.run.Stacks[e.Stack] ?? [];
    return el("div", { class: "place", ...(chosen ? { "data-chosen": true } : {}) },
      el("h3", {}, says(e, this.called(e.Goroutine), this.begins.has(this.run.Events.indexOf(e)))),
      el("p", { class: "soft" }, `step ${e.Decision}, ${duration(e.Time)}`),
      el("ol", { class: "frames" }, ...frames.map((f) => el("li", {}, f.Func, el("br"), el("span", { class: "soft" }, f.File),
        ...(f.Source ? [el("code", { class: "source" }, f.Source)] : [])))));
  }
}

/** label tells a goroutine from the others of all runs. */
const label = (g: Goroutine) => `${g.Process} ${g.Label}`;

/** own is a stack without the frames at its outer end that only start what goroutines are for. */
const own = (stack: Frame[] | null) => {
  const frames = stack ?? [];
  const last = frames.findLastIndex((f) => !starts(f) && !f.Func.startsWith("testing.tRunner"));
  return frames.slice(0, last + 1);
};

/** starts tells whether a frame only starts goroutines for others. */
const starts = (f: Frame) => f.Func.startsWith("sync.(*WaitGroup).Go") || /\.(Try)?Go$/.test(f.Func);

/** base is a function's name without the path of its package. */
const base = (name: string) => name.slice(name.lastIndexOf("/") + 1);

/** says is an event in words; who is the goroutine that it is about, which may begin with it. */
function says(e: Event, who: string, begins: boolean): string {
  switch (e.Kind) {
    case "turn":
      return `${who} ${begins ? "begins" : "goes on"}` + (e.Choice > 0 ? `, though ${e.Choice} of ${e.Of} have waited longer` : e.Of > 1 ? `, the first of ${e.Of}` : "");
    case "left":
      return `${who} ${e.Text === "interrupted" ? "is interrupted" : e.Text.replace(/^waits /, "waits: ")}`;
    case "stall":
      return `the machine stands still for ${duration(Number(e.Text))}`;
    case "fault":
      return `sim.Maybe(${e.Text}) says yes, in ${who}`;
  }
}

/** size makes columns as wide as the longest run allows. */
function size() {
  const room = byId("main").clientWidth - labels, most = Math.max(1, ...answer.Runs.map((r) => r.Events.length));
  column = Math.max(narrow, Math.min(wide, Math.floor(room / most)));
}

/** choose shows event i of all runs. */
function choose(i: number) {
  const last = Math.max(...answer.Runs.map((r) => r.Events.length)) - 1;
  at = Math.max(0, Math.min(i, last));
  history.replaceState(null, "", `#event=${at}`);
  size();
  for (const l of lines) l.show();
  const d = answer.Difference;
  const compared = !d ? "" : d.Equal ? " The two runs do the same." : ` The two runs part at event ${d.A}: ${d.Why}.`;
  const step = answer.Runs.map((r) => r.Events[at]?.Decision).find((s) => s !== undefined);
  byId("about").textContent = `Event ${at} of ${last + 1}, step ${step}.${compared}`;
  document.body.dataset.event = String(at); // for tests
}

/** deviation chooses the next event in that direction that deviates, in any run. */
function deviation(step: number) {
  const all = answer.Runs.map((r) => r.Events);
  for (let i = at + step; i >= 0 && all.some((e) => i < e.length); i += step) {
    if (all.some((e) => e[i]?.Deviates)) return choose(i);
  }
}

const difference = () => { if (answer.Difference) choose(answer.Difference.A); };

const keys: Record<string, () => void> = {
  ArrowLeft: () => choose(at - 1), ArrowRight: () => choose(at + 1), Home: () => choose(0), End: () => choose(Infinity),
  n: () => deviation(1), p: () => deviation(-1), d: difference,
};

async function begin() {
  const response = await fetch("api/simulation");
  if (!response.ok) throw new Error(await response.text());
  answer = await response.json() as Answer;
  document.title = answer.Runs.map((r) => r.Name).join(", ") + " — loam trace";
  lines = answer.Runs.map((r) => new Timeline(r));
  byId("main").replaceChildren(...lines.map((l) => l.root));
  byId("back").onclick = keys.ArrowLeft;
  byId("forth").onclick = keys.ArrowRight;
  byId("deviation").onclick = keys.n;
  byId("previous").onclick = keys.p;
  byId("difference").onclick = difference;
  byId("difference").hidden = !answer.Difference || answer.Difference.Equal;
  addEventListener("keydown", (e) => {
    if (!keys[e.key] || e.ctrlKey || e.metaKey || e.altKey) return;
    e.preventDefault();
    keys[e.key]();
  });
  addEventListener("resize", () => choose(at));
  const asked = /event=(\d+)/.exec(location.hash);
  choose(asked ? Number(asked[1]) : answer.Difference && !answer.Difference.Equal ? answer.Difference.A : 0);
  document.body.dataset.ready = "true"; // for tests
}

begin().catch((e) => { byId("about").textContent = String(e); });
