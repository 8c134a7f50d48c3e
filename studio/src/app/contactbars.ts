// SPDX-License-Identifier: MIT
// Bars over the timeline: when which foot touched.
import { LOPE_CONTACT_LEFT_HEEL, LOPE_CONTACT_LEFT_TOE, LOPE_CONTACT_RIGHT_HEEL, LOPE_CONTACT_RIGHT_TOE } from "../lope/bindings";
import type { Recorder } from "./recorder";

const ROWS = [
  [LOPE_CONTACT_LEFT_HEEL, "left", 1], [LOPE_CONTACT_LEFT_TOE, "left", 0.55],
  [LOPE_CONTACT_RIGHT_HEEL, "right", 1], [LOPE_CONTACT_RIGHT_TOE, "right", 0.55],
] as const;

const NAMES = ["left heel", "left toe", "right heel", "right toe"];

/** What touches, in words. */
export function contactWords(mask: number): string {
  const parts = ROWS.map(([bit], i) => (mask & bit ? NAMES[i] : "")).filter(Boolean);
  return parts.length ? parts.join(", ") : "in the air";
}

/** Stretches of frames in which a bit is set: [first, last + 1] each. */
export function contactSpans(recorder: Pick<Recorder, "count" | "contactsAt">, bit: number): [number, number][] {
  const spans: [number, number][] = [];
  let begun = -1;
  for (let i = 0; i <= recorder.count; i++) {
    const touches = i < recorder.count && (recorder.contactsAt(i) & bit) !== 0;
    if (touches && begun < 0) begun = i;
    if (!touches && begun >= 0) {
      spans.push([begun, i]);
      begun = -1;
    }
  }
  return spans;
}

export function drawContactBars(canvas: HTMLCanvasElement, recorder: Recorder, at: number, slots: number): void {
  const ratio = Math.min(window.devicePixelRatio, 2);
  const width = Math.round(canvas.clientWidth * ratio), height = Math.round(canvas.clientHeight * ratio);
  if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
  const pen = canvas.getContext("2d");
  if (!pen || width === 0) return;
  const style = getComputedStyle(canvas);
  const colour = { left: style.getPropertyValue("--left"), right: style.getPropertyValue("--right") };
  pen.clearRect(0, 0, width, height);
  const row = height / ROWS.length;
  const share = width / Math.max(1, slots - 1);
  ROWS.forEach(([bit, side, opacity], i) => {
    pen.fillStyle = colour[side];
    pen.globalAlpha = opacity;
    for (const [from, to] of contactSpans(recorder, bit))
      pen.fillRect(from * share, i * row + 0.15 * row, Math.max(1, (to - from) * share), 0.7 * row);
  });
  pen.globalAlpha = 1;
  pen.fillStyle = style.color;
  pen.fillRect(at * share - ratio / 2, 0, ratio, height);
}
