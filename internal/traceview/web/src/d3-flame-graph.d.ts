// The part of d3-flame-graph that is used; the package has no types of its own.
declare module "d3-flame-graph" {
  import type { Selection } from "d3-selection";
  export interface FlameGraph {
    <T>(selection: Selection<HTMLDivElement, T, null, undefined>): void;
    width(px: number): FlameGraph;
    cellHeight(px: number): FlameGraph;
    minFrameSize(px: number): FlameGraph;
    transitionDuration(ms: number): FlameGraph;
    inverted(yes: boolean): FlameGraph;
    title(text: string): FlameGraph;
    setColorHue(name: string): FlameGraph;
    label(f: (d: { data: { name: string; value: number } }) => string): FlameGraph;
    search(text: string): void;
    clear(): void;
    resetZoom(): void;
  }
  export default function flamegraph(): FlameGraph;
}
