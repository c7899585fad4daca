// What a view is, and small helpers to make elements.

import type { Trace } from "./data";

export interface View {
  name: string;
  title: string;
  /** open shows the view in an empty element and returns what takes it away. */
  open(root: HTMLElement, trace: Trace): () => void;
}

type Child = Node | string;

/** el makes an element; attributes that begin with "on" are listeners. */
export function el<K extends keyof HTMLElementTagNameMap>(
  tag: K, attributes: Record<string, string | number | boolean | ((e: never) => void)> = {}, ...children: Child[]
): HTMLElementTagNameMap[K] {
  const e = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") e.addEventListener(name.slice(2), value as EventListener);
    else if (value === true) e.setAttribute(name, "");
    else if (value !== false) e.setAttribute(name, String(value));
  }
  e.append(...children);
  return e;
}

/** figures makes a list of named values. data-figure names them for tests and pictures. */
export function figures(list: [name: string, label: string, value: string, raw?: number][]): HTMLElement {
  return el("dl", { class: "figures" }, ...list.map(([name, label, value, raw]) =>
    el("div", {}, el("dt", {}, label), el("dd", { "data-figure": name, ...(raw === undefined ? {} : { "data-value": raw }) }, value))));
}

/** choice makes a row of buttons, one of which is pressed. */
export function choice(label: string, options: [value: string, text: string][], now: string, choose: (v: string) => void): HTMLElement {
  return el("span", { class: "choice", role: "group", "aria-label": label }, ...options.map(([value, text]) =>
    el("button", { "aria-pressed": String(value === now), "data-value": value, onclick: () => choose(value) }, text)));
}

export interface ColumnOf<T> {
  head: string;
  title?: string;
  text: (row: T) => string;
  cell?: (row: T) => Node; // what is shown instead of the text
  sort?: (row: T) => number | string; // else the column does not sort
  left?: boolean;
}

/** table makes a table whose columns sort; the first click on a number shows the largest first. */
export function table<T>(columns: ColumnOf<T>[], rows: T[], options: {
  row?: (row: T, tr: HTMLTableRowElement) => void; sorted?: number;
} = {}): HTMLTableElement {
  const body = el("tbody");
  const heads = columns.map((c, i) => {
    const th = el("th", { scope: "col", class: c.left ? "left" : "", title: c.title ?? "" });
    if (c.sort) th.append(el("button", { onclick: () => order(i) }, c.head));
    else th.append(c.head);
    return th;
  });
  let list = rows, by = -1, down = true;
  const fill = () => body.replaceChildren(...list.map((row) => {
    const tr = el("tr", {}, ...columns.map((c) => el("td", { class: c.left ? "left" : "", ...(c.left && !options.row ? { title: c.text(row) } : {}) }, c.cell ? c.cell(row) : c.text(row))));
    options.row?.(row, tr);
    return tr;
  }));
  const order = (i: number) => {
    const key = columns[i].sort!;
    down = by === i ? !down : rows.length > 0 && typeof key(rows[0]) === "number";
    by = i;
    const sign = down ? -1 : 1;
    list = [...rows].sort((a, b) => (key(a) < key(b) ? -sign : key(a) > key(b) ? sign : 0));
    heads.forEach((h, k) => h.setAttribute("aria-sort", k !== i ? "none" : down ? "descending" : "ascending"));
    fill();
  };
  if (options.sorted !== undefined) order(options.sorted);
  else fill();
  return el("table", { class: "data" }, el("thead", {}, el("tr", {}, ...heads)), body);
}

/** pickable makes a row of a table do something on a click or Enter. */
export function pickable(tr: HTMLTableRowElement, pick: () => void) {
  tr.tabIndex = 0;
  tr.addEventListener("click", pick);
  tr.addEventListener("keydown", (e) => { if (e.key === "Enter") pick(); });
}

/** legendOf says what colours of the style sheet mean. */
export function legendOf(list: [color: string, text: string][]): HTMLElement {
  return el("span", { class: "legend" }, ...list.map(([color, text]) => el("span", {}, el("i", { style: `background: var(--${color})` }), text)));
}

export interface Bucket { low: number; high: number; count: number }

/** spark draws a histogram as high as a line of text; heights are logarithmic. */
export function spark(buckets: Bucket[], write: (v: number) => string): HTMLElement {
  const most = Math.log1p(Math.max(1, ...buckets.map((b) => b.count)));
  return el("span", { class: "spark" }, ...buckets.map((b) =>
    el("i", { style: `height: ${(100 * Math.log1p(b.count)) / most}%`, title: `${b.count} from ${write(b.low)} to ${write(b.high)}` })));
}

/** latest makes f, which asks the server, forget answers that a later question has overtaken. */
export function latest<A extends unknown[], R>(f: (...a: A) => Promise<R>, use: (r: R) => void, fail: (e: Error) => void): (...a: A) => void {
  let number = 0;
  return (...a) => {
    const mine = ++number;
    f(...a).then((r) => { if (mine === number) use(r); }, (e) => { if (mine === number) fail(e); });
  };
}

/** settled calls f when it has not been asked to for ms milliseconds. */
export function settled(f: () => void, ms = 150): () => void {
  let timer = 0;
  return () => {
    clearTimeout(timer);
    timer = window.setTimeout(f, ms);
  };
}

/** notice tells the user something at the top of the page; an empty text takes it away. */
export function notice(text: string) {
  const p = document.getElementById("notice")!;
  p.textContent = text;
  p.hidden = text === "";
}
