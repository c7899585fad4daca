// The trace as the server sends it: a summary, and columns of numbers (../columns.go).

export interface Collection {
  start: number; end: number;
  before: number; after: number; peak: number; goal: number;
  pauses: number; paused: number; assist: number; cut: boolean;
}

export interface Figure { name: string; first: number; last: number; times: number[]; values: number[] }

export interface Summary {
  source: string; live: boolean; number: number;
  duration: number; events: number; incomplete: string; exit: string;
  maxProcs: number; procs: number[]; threads: number[]; peak: number; samples: number; readMillis: number;
  names: string[]; reasons: string[]; strings: string[];
  collections: Collection[] | null;
  figures: { metrics: Figure[]; growth: { func: string; count: number }[] };
}

export interface Distribution { sum: number; p50: number; p95: number; p99: number; max: number }
export interface Frame { func: string; file: string; line: number }

export const states = ["", "runnable", "running", "waiting", "system call"];
export const Runnable = 1, Running = 2, Waiting = 3, Syscall = 4;

type Column = Float64Array | Int32Array | Uint8Array;

export class Trace {
  readonly collections: Collection[];

  constructor(readonly summary: Summary, private columns: Map<string, Column>) {
    this.collections = summary.collections ?? [];
  }

  f64(name: string): Float64Array { return this.columns.get(name) as Float64Array; }
  i32(name: string): Int32Array { return this.columns.get(name) as Int32Array; }
  u8(name: string): Uint8Array { return this.columns.get(name) as Uint8Array; }

  goroutines(): number { return this.f64("g.id").length; }
  /** label names goroutine g, an index. */
  label(g: number): string {
    return `G ${this.f64("g.id")[g]} ${this.summary.strings[this.i32("g.func")[g]] || ""}`;
  }
}

/** ask sends a question to the server; a wrong one, or a server that has gone, is an Error. */
export async function ask<T>(path: string, parameters: Record<string, string | number> = {}): Promise<T> {
  const response = await send("api/" + path + "?" + new URLSearchParams(
    Object.entries(parameters).map(([k, v]) => [k, String(v)])));
  return response.json();
}

export async function send(path: string, options: RequestInit = {}): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(path, options);
  } catch {
    throw new Error("loam trace does not answer: has it ended?");
  }
  if (!response.ok) throw new Error((await response.text()).trim());
  return response;
}

export async function load(): Promise<Trace> {
  const summary = await ask<Summary>("trace");
  const body = await (await send("api/columns?number=" + summary.number)).arrayBuffer();
  const length = new DataView(body).getUint32(0, true);
  const header = JSON.parse(new TextDecoder().decode(new Uint8Array(body, 4, length)));
  const columns = new Map<string, Column>();
  for (const c of header) {
    const kind = { f64: Float64Array, i32: Int32Array, u8: Uint8Array }[c.type as "f64" | "i32" | "u8"];
    columns.set(c.name, new kind(body, 4 + length + c.offset, c.length));
  }
  return new Trace(summary, columns);
}
