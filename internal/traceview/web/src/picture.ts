// A picture of a view: its canvases and flame graph as they are on the page, the figures as
// text below, and a line that says what it is.

import { css } from "./chart";
import * as state from "./state";
import { instant } from "./format";

/** save lets the browser download a PNG of what root shows. */
export async function save(root: HTMLElement, name: string, title: string) {
  const canvas = await picture(root, title);
  const blob = await new Promise<Blob | null>((done) => canvas.toBlob(done, "image/png"));
  if (!blob) throw new Error("the picture is too large for this browser");
  const a = document.createElement("a");
  a.href = URL.createObjectURL(blob);
  a.download = name + ".png";
  a.click();
  setTimeout(() => URL.revokeObjectURL(a.href), 10_000);
}

export async function picture(root: HTMLElement, title: string): Promise<HTMLCanvasElement> {
  const ratio = devicePixelRatio;
  const box = root.getBoundingClientRect();
  const drawn = [...root.querySelectorAll<HTMLCanvasElement | SVGSVGElement>("canvas, svg.d3-flame-graph")];
  const bottom = Math.max(0, ...drawn.map((e) => e.getBoundingClientRect().bottom - box.top));
  const lines = [...root.querySelectorAll("dl.figures > div")].map((d) => `${d.querySelector("dt")!.textContent}: ${d.querySelector("dd")!.textContent}`);
  if (!drawn.length) throw new Error("this view has no picture: its tables can be copied");
  const head = 28, line = 20, canvas = document.createElement("canvas");
  canvas.width = box.width * ratio;
  canvas.height = (head + bottom + line * Math.ceil(lines.length / 4) + 8) * ratio;
  const c = canvas.getContext("2d")!;
  c.scale(ratio, ratio);
  c.fillStyle = css("paper");
  c.fillRect(0, 0, box.width, canvas.height / ratio);
  c.fillStyle = css("ink");
  c.font = "14px system-ui, sans-serif";
  const { from, to } = state.get();
  c.fillText(`${title} — ${instant(from, to - from)} to ${instant(to, to - from)}`, 8, 19);
  c.font = "13px system-ui, sans-serif";
  lines.forEach((text, i) => c.fillText(text, 8 + (i % 4) * (box.width / 4), head + bottom + line * (Math.floor(i / 4) + 1) - 4));
  for (const e of drawn) {
    const at = e.getBoundingClientRect();
    const image = e instanceof SVGSVGElement ? await rasterize(e) : e;
    c.drawImage(image, at.left - box.left, at.top - box.top + head, at.width, at.height);
  }
  return canvas;
}

/** rasterize draws an SVG with the page's styles, which an image does not inherit. */
async function rasterize(svg: SVGSVGElement): Promise<HTMLImageElement> {
  const copy = svg.cloneNode(true) as SVGSVGElement;
  const originals = svg.querySelectorAll("*");
  copy.querySelectorAll("*").forEach((e, i) => {
    const s = getComputedStyle(originals[i]);
    (e as SVGElement).setAttribute("style", `fill:${s.fill};stroke:${s.stroke};font:${s.font};color:${s.color};overflow:hidden;white-space:nowrap;text-overflow:ellipsis;padding:${s.padding};line-height:${s.lineHeight}`);
  });
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  const image = new Image();
  image.src = "data:image/svg+xml;charset=utf-8," + encodeURIComponent(new XMLSerializer().serializeToString(copy));
  await image.decode();
  return image;
}
