// How figures are written on the page.

/** duration writes ns with three or four digits and a unit. */
export function duration(ns: number): string {
  const abs = Math.abs(ns);
  if (abs >= 1e9) return digits(ns / 1e9) + " s";
  if (abs >= 1e6) return digits(ns / 1e6) + " ms";
  if (abs >= 1e3) return digits(ns / 1e3) + " µs";
  return Math.round(ns) + " ns";
}

function digits(v: number): string {
  const abs = Math.abs(v);
  return v.toFixed(abs >= 100 ? 1 : abs >= 10 ? 2 : 3);
}

/** instant writes a time of the trace so that two of them in a window of that width differ. */
export function instant(ns: number, width: number): string {
  const [unit, name] = width >= 2e8 ? [1e9, "s"] : width >= 2e5 ? [1e6, "ms"] : [1e3, "µs"];
  const decimals = Math.max(0, Math.min(6, 3 - Math.floor(Math.log10(Math.max(1, width) / unit))));
  return (ns / unit).toFixed(decimals) + " " + name;
}

export function bytes(v: number): string {
  if (v >= 1 << 30) return digits(v / (1 << 30)) + " GB";
  if (v >= 1 << 20) return digits(v / (1 << 20)) + " MB";
  if (v >= 1 << 10) return digits(v / (1 << 10)) + " kB";
  return v + " B";
}

export function count(v: number): string {
  return Math.round(v).toLocaleString("en");
}

export function percent(v: number): string {
  return (100 * v).toFixed(1) + " %";
}

/** shortStatement leaves the last two elements of the path in "function path:line". */
export function shortStatement(text: string): string {
  return text.replace(/ \S*\/([^/\s]+\/[^/\s]+:\d+)$/, " $1");
}

/** shortPath leaves the last two elements of a file's path. */
export function shortPath(path: string): string {
  return path.split("/").slice(-2).join("/");
}
