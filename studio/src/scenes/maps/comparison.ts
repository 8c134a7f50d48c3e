// SPDX-License-Identifier: MIT
// The same question to motion maps and to a search without them, as it goes to a worker and comes back.
import type { Obstacle, Place } from "../../lope/scenefile";
import type { Outcome } from "./follow";

export interface Question {
  readonly bounds: readonly [Place, Place];
  readonly obstacles: readonly Obstacle[];
  readonly from: Place;
  readonly to: Place;
  /** To try, one after the other. */
  readonly clearances: readonly number[];
  /** lope_rival_kind, and how much it may look at. */
  readonly rival: number;
  readonly nodes: number;
}

export interface Comparison {
  readonly path: Float32Array;
  readonly maps: Outcome;
  readonly rival: Outcome;
}
