// A lane is a row of intervals that do not overlap, in the order of time. Drawing one costs
// a step for each pixel, not for each interval: where intervals are narrower than a pixel,
// binary search finds those that end within it, and prefix sums tell how much of the pixel
// they cover.

export interface Lane {
  readonly length: number;
  start(i: number): number;
  end(i: number): number;
  color(i: number): string;
}

/** firstAfter returns the first interval of lane that ends after time. */
export function firstAfter(lane: Lane, time: number, low = 0): number {
  let high = lane.length;
  while (low < high) {
    const mid = (low + high) >>> 1;
    if (lane.end(mid) > time) high = mid;
    else low = mid + 1;
  }
  return low;
}

/** find returns the interval at time, or the one within slack ns of it, or -1. */
export function find(lane: Lane, time: number, slack = 0): number {
  const i = firstAfter(lane, time - slack);
  return i < lane.length && lane.start(i) <= time + slack ? i : -1;
}

const sums = new WeakMap<Lane, Float64Array>();

/** covered returns the sum of the lengths of the intervals low <= i < high. */
function covered(lane: Lane, low: number, high: number): number {
  if (high - low < 8) {
    let sum = 0;
    for (let i = low; i < high; i++) sum += lane.end(i) - lane.start(i);
    return sum;
  }
  let prefix = sums.get(lane);
  if (!prefix) {
    prefix = new Float64Array(lane.length + 1);
    for (let i = 0; i < lane.length; i++) prefix[i + 1] = prefix[i] + lane.end(i) - lane.start(i);
    sums.set(lane, prefix);
  }
  return prefix[high] - prefix[low];
}

export interface Place {
  left: number; width: number; // pixels
  from: number; to: number; // ns
}

/** nextAfter is firstAfter for a result close to low: it takes steps that double. */
function nextAfter(lane: Lane, time: number, low: number): number {
  let step = 1, high = low;
  while (high < lane.length && lane.end(high) <= time) {
    low = high + 1;
    high += step;
    step *= 2;
  }
  high = Math.min(high, lane.length);
  while (low < high) {
    const mid = (low + high) >>> 1;
    if (lane.end(mid) > time) high = mid;
    else low = mid + 1;
  }
  return low;
}

const shades = 8; // how full a pixel is, in steps that can be told apart

/** draw paints lane between the heights top and top + height. */
export function draw(c: CanvasRenderingContext2D, lane: Lane, p: Place, top: number, height: number) {
  const scale = p.width / (p.to - p.from);
  const x = (time: number) => p.left + (Math.max(p.from, Math.min(p.to, time)) - p.from) * scale;
  // Pixels of one colour side by side become one rectangle.
  let runStart = 0, runEnd = -1, runColor = "", runShade = 0;
  const flush = () => {
    if (runEnd < 0) return;
    c.fillStyle = runColor;
    c.globalAlpha = runShade / shades;
    c.fillRect(runStart, top, runEnd - runStart, height);
    c.globalAlpha = 1;
    runEnd = -1;
  };
  let i = firstAfter(lane, p.from);
  while (i < lane.length && lane.start(i) < p.to) {
    const left = x(lane.start(i)), right = x(lane.end(i));
    if (right - left >= 1) {
      flush();
      c.fillStyle = lane.color(i);
      // A gap of a pixel shows where one interval ends and the next begins.
      c.fillRect(left, top, right - left > 3 ? right - left - 0.5 : right - left, height);
      i++;
      continue;
    }
    const pixel = Math.floor(left);
    const next = Math.max(i + 1, nextAfter(lane, p.from + (pixel + 1 - p.left) / scale, i));
    const shade = Math.max(2, Math.min(shades, Math.round(covered(lane, i, next) * scale * shades)));
    const color = lane.color(i);
    if (runEnd === pixel && color === runColor && shade === runShade) {
      runEnd++;
    } else {
      flush();
      runStart = pixel;
      runEnd = pixel + 1;
      runColor = color;
      runShade = shade;
    }
    i = next;
  }
  flush();
}
