// SPDX-License-Identifier: MIT
// Compares beside the page: searches without maps take seconds.
import type { Pointer } from "../../lope/bindings";
import { type Lope, LopeError } from "../../lope/lope";
import { serve } from "../../lope/worker";
import type { Comparison, Question } from "./comparison";
import { Follow } from "./follow";

let maps: Pointer<"lope_maps">;

function begin(lope: Lope, bytes: Uint8Array): void {
  const data = lope.keepFile(bytes);
  maps = lope.need(lope.withText("maps", (name) => lope.c.studio_maps_open(data, bytes.length, name)));
}

function compare(lope: Lope, { bounds, obstacles, from, to, clearances, rival, nodes }: Question): Comparison {
  const follow = new Follow(lope, maps, bounds, 1);
  try {
    follow.setObstacles(obstacles);
    let why: string | null = "";
    for (const clearance of clearances) if ((why = follow.plan(from, to, clearance)) === null) break;
    if (why !== null) throw new LopeError(`No path: ${why}`);
    return { path: follow.points(), maps: follow.withMaps(), rival: follow.withoutMaps(rival, nodes) };
  } finally {
    follow.free();
  }
}

serve(begin, compare);
