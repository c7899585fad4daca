// What the user looks at: the view, the window of time, the selection. It lives in the
// address's fragment, so that a copied address shows the same, and Back goes back.

export interface State {
  view: string;
  from: number; // ns
  to: number;
  sel: string; // collections: "0-12,15"
  q: string; // search among goroutines
  span: number; // selected span, -1 for none
  by: string; // grouping of goroutines: func, statement
  key: string; // selected group
  weigh: string; // of the flame graph
  lanes: string; // below the collector's: p for Ps, m for threads
  list: string; // of the program's own annotations: tasks, regions, messages
  kind: string; // selected type of tasks
  task: number; // selected task, an index; -1 for none
  region: string; // selected name of regions
  work: string; // what counts as the collector's: stops, background, assists, sweeps
}

type Listener = (now: State, before: State) => void;

const listeners = new Set<Listener>();
let duration = 1;
let current: State = defaults();
let pending = 0;

function defaults(): State {
  return { view: "timeline", from: 0, to: duration, sel: "", q: "", span: -1, by: "func", key: "", weigh: "cpu", lanes: "p", list: "tasks", kind: "", task: -1, region: "", work: "stops,background,assists" };
}

/** start reads the address; total is the length of the trace in ns. */
export function start(total: number) {
  duration = Math.max(1, total);
  current = parse(location.hash);
  addEventListener("hashchange", () => {
    if (location.hash !== "#" + format(current)) change(parse(location.hash), false);
  });
}

export const get = (): Readonly<State> => current;
export const total = () => duration;
export const isWhole = () => current.from === 0 && current.to === duration;

/** watch calls f after each change until the function that it returns is called. */
export function watch(f: Listener): () => void {
  listeners.add(f);
  return () => listeners.delete(f);
}

/** set changes some fields. Changes of the window replace the address, others add to the history. */
export function set(fields: Partial<State>) {
  change({ ...current, ...fields }, !("from" in fields) || "view" in fields);
}

/** zoom makes the window factor times as wide; the time at stays where it is. */
export function zoom(factor: number, at = (current.from + current.to) / 2) {
  const from = at - (at - current.from) * factor;
  show(from, from + (current.to - current.from) * factor);
}

/** pan moves the window by a share of its width. */
export function pan(share: number) {
  const by = share * (current.to - current.from);
  show(current.from + by, current.to + by);
}

/** show moves the window as far as the trace goes; it is at least 100 ns wide. */
export function show(from: number, to: number) {
  let width = Math.min(duration, Math.max(100, to - from));
  if (to - from < width) from = (from + to - width) / 2;
  from = Math.max(0, Math.min(from, duration - width));
  set({ from: Math.round(from), to: Math.round(from + width) });
}

function change(next: State, remember: boolean) {
  const before = current;
  current = next;
  for (const f of listeners) f(current, before);
  // Browsers refuse hundreds of addresses a second, which a zoom would need.
  clearTimeout(pending);
  const write = () => {
    const hash = "#" + format(current);
    if (hash === location.hash || (hash === "#" && !location.hash)) return;
    if (remember) history.pushState(null, "", hash);
    else history.replaceState(null, "", hash);
  };
  if (remember) write();
  else pending = window.setTimeout(write, 200);
}

function parse(hash: string): State {
  const p = new URLSearchParams(hash.slice(1));
  const s = defaults();
  for (const name of ["view", "sel", "q", "by", "key", "weigh", "lanes", "list", "kind", "region", "work"] as const) s[name] = p.get(name) ?? s[name];
  for (const name of ["from", "to", "span", "task"] as const) {
    const v = Number(p.get(name) ?? NaN);
    if (Number.isFinite(v)) s[name] = Math.round(v);
  }
  s.from = Math.max(0, Math.min(s.from, duration - 1));
  s.to = Math.max(s.from + 1, Math.min(s.to, duration));
  return s;
}

function format(s: State): string {
  const p = new URLSearchParams();
  const d = defaults();
  for (const name of Object.keys(d) as (keyof State)[]) {
    if (s[name] !== d[name] || name === "view") p.set(name, String(s[name]));
  }
  return p.toString();
}
