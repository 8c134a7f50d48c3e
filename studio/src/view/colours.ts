// SPDX-License-Identifier: MIT
// Colours of the stage, light and dark. Those of the page around it are in style.css.
import * as THREE from "three";

export interface Colours {
  readonly sky: number;
  readonly ground: number;
  readonly line: number;
  readonly obstacle: number;
  readonly body: number;
  readonly watched: number;
  readonly ghost: number;
  readonly goal: number;
  readonly plan: number;
  readonly reach: number;
  readonly tree: number;
  readonly rival: number;
  readonly left: number;
  readonly right: number;
}

export const light: Colours = {
  sky: 0xeef1f4, ground: 0xeceff2, line: 0xb9c1c9, obstacle: 0xb4bcc5, body: 0xc8cdd3, watched: 0xf2b184, ghost: 0x7f8d9c,
  goal: 0xd2492a, plan: 0xd2691e, reach: 0x2f7fb5, tree: 0x6b9ac0, rival: 0x8456b0, left: 0x2f7fb5, right: 0xd2691e,
};

export const dark: Colours = {
  sky: 0x171c22, ground: 0x2c343d, line: 0x55606c, obstacle: 0x5f6b78, body: 0xa4aeb9, watched: 0xf0a36b, ghost: 0x6d7a88,
  goal: 0xff7a59, plan: 0xffa45c, reach: 0x5cb3ea, tree: 0x4f7fa5, rival: 0xb18ae0, left: 0x5cb3ea, right: 0xffa45c,
};

/** Colours of many: each a little different, none loud. */
export function crowdColour(index: number, base: number): THREE.Color {
  const colour = new THREE.Color(base);
  const hash = (Math.imul(index + 1, 2654435761) >>> 8) / (1 << 24);
  const other = (Math.imul(index + 7, 1597334677) >>> 8) / (1 << 24);
  const hsl = { h: 0, s: 0, l: 0 };
  colour.getHSL(hsl);
  return colour.setHSL((0.52 + 0.14 * hash) % 1, 0.1 + 0.22 * other, hsl.l * (0.84 + 0.3 * other));
}
