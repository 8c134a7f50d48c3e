// SPDX-License-Identifier: MIT
// Ground under a brush: strokes are remembered as dabs, so that they can be undone and put into a link.
import type { Pointer } from "../../lope/bindings";
import type { Lope } from "../../lope/lope";

/** x, z, radius, height. */
export type Dab = readonly [number, number, number, number];
export const MOST_DABS = 400;

const round = (value: number) => Math.round(1000 * value) / 1000;

/** One more dab; one that goes on at the same place adds to the last. Null where there are too many. */
export function addDab(dabs: readonly Dab[], [x, z, radius, height]: Dab): readonly Dab[] | null {
  const last = dabs[dabs.length - 1];
  const goesOn = last && last[2] === round(radius) && last[3] > 0 === height > 0 && Math.hypot(last[0] - x, last[1] - z) < 0.25 * radius;
  if (goesOn) return [...dabs.slice(0, -1), [last[0], last[1], last[2], last[3] + height]];
  return dabs.length < MOST_DABS ? [...dabs, [round(x), round(z), round(radius), height]] : null;
}

/** What to do to get from one list of dabs to another: those to take back, last first, then those to do. */
export function dabChanges(from: readonly Dab[], to: readonly Dab[]): Dab[] {
  let same = 0;
  while (same < from.length && same < to.length && from[same]!.every((v, i) => v === to[same]![i])) same++;
  return [
    ...from.slice(same).reverse().map(([x, z, r, h]): Dab => [x, z, r, -h]),
    ...to.slice(same),
  ];
}

export function readDabs(value: unknown): Dab[] {
  if (!Array.isArray(value)) return [];
  return value.slice(0, MOST_DABS).filter((d): d is Dab =>
    Array.isArray(d) && d.length === 4 && d.every(Number.isFinite) && d[2] > 0 && d[2] < 20 && Math.abs(d[3]) < 20);
}

/** The dabs of a terrain, and changing them. */
export class Earth {
  dabs: readonly Dab[] = [];

  constructor(private readonly lope: Lope, private readonly terrain: Pointer<"lope_terrain">) {}

  /** Raises or lowers; false where there is no more room for strokes. */
  raise(dab: Dab): boolean {
    const before = this.dabs;
    const after = addDab(before, dab);
    if (!after) return false;
    for (const [x, z, r, h] of dabChanges(before, after)) this.lope.c.studio_terrain_raise(this.terrain, x, z, r, h);
    this.dabs = after;
    return true;
  }

  set(dabs: readonly Dab[]): void {
    for (const [x, z, r, h] of dabChanges(this.dabs, dabs)) this.lope.c.studio_terrain_raise(this.terrain, x, z, r, h);
    this.dabs = dabs;
  }
}
