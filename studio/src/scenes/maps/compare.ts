// SPDX-License-Identifier: MIT
// Two plans side by side: what a search with maps looked at, and what A* did.
import { cornersOf, type Obstacle, type Place } from "../../lope/scenefile";
import { el } from "../../ui/dom";
import type { Outcome } from "./follow";

export interface Plan {
  readonly bounds: readonly [Place, Place];
  readonly obstacles: readonly Obstacle[];
  readonly path: Float32Array;
}

const SIZE = 210;

function draw(canvas: HTMLCanvasElement, plan: Plan, outcome: Outcome, lines: boolean): void {
  const ratio = Math.min(2, devicePixelRatio || 1);
  const [low, high] = plan.bounds;
  const scale = SIZE / Math.max(high[0] - low[0], high[1] - low[1]);
  const width = (high[0] - low[0]) * scale, height = (high[1] - low[1]) * scale;
  Object.assign(canvas, { width: width * ratio, height: height * ratio });
  Object.assign(canvas.style, { width: `${width}px`, height: `${height}px` });
  const pen = canvas.getContext("2d")!;
  const style = getComputedStyle(document.documentElement);
  const colour = (name: string) => style.getPropertyValue(name);
  pen.setTransform(ratio * scale, 0, 0, ratio * scale, -low[0] * scale * ratio, -low[1] * scale * ratio);
  const stroke = (points: Float32Array, name: string, pixels: number, opacity: number, dash: number[] = []) => {
    pen.beginPath();
    for (let i = 0; i < points.length; i += 2) pen.lineTo(points[i]!, points[i + 1]!);
    pen.lineWidth = pixels / scale;
    pen.strokeStyle = colour(name);
    pen.globalAlpha = opacity;
    pen.setLineDash(dash.map((d) => d / scale));
    pen.stroke();
  };
  pen.fillStyle = colour("--rule");
  for (const obstacle of plan.obstacles) {
    pen.beginPath();
    for (const [x, z] of cornersOf(obstacle)) pen.lineTo(x, z);
    pen.fill();
  }
  pen.fillStyle = colour("--left");
  if (lines) for (let i = 0; i < outcome.tree.length; i += 4) stroke(outcome.tree.subarray(i, i + 4), "--left", 0.8, 0.4);
  else {
    pen.globalAlpha = 0.5;
    for (let i = 0; i < outcome.tree.length; i += 2) pen.fillRect(outcome.tree[i]!, outcome.tree[i + 1]!, 1 / scale, 1 / scale);
  }
  stroke(plan.path, "--ink", 1, 0.6, [4, 3]);
  stroke(outcome.walk, "--right", 2, 1);
}

function figure(title: string, plan: Plan, outcome: Outcome, isTree: boolean, looked: string): HTMLElement {
  const canvas = el("canvas", { role: "img", "aria-label": `${title}, seen from above` });
  draw(canvas, plan, outcome, isTree);
  const time = outcome.milliseconds < 10 ? outcome.milliseconds.toFixed(2) : outcome.milliseconds.toFixed(0);
  const result = outcome.arrived ? `${outcome.report.length.toFixed(1)} m` : "gave up";
  return el("figure", {}, el("figcaption", {}, el("strong", {}, title), el("span", {}, `${time} ms · ${looked} · ${result}`)), canvas);
}

/** The card with both; `close` is called by its button. */
export function compareCard(plan: Plan, maps: Outcome, rival: Outcome, rivalName: string, close: () => void): HTMLElement {
  return el("section", { class: "card compare", "aria-label": "Comparison" },
    figure("Motion maps", plan, maps, false, `${maps.report.walks} walks tried`),
    figure(rivalName, plan, rival, true, `${rival.report.walks.toLocaleString("en")} walks tried`),
    el("button", { type: "button", "aria-label": "Close the comparison", onclick: close }, "✕"));
}
