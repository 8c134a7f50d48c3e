// SPDX-License-Identifier: MIT
// Captured motion to put beside a character: clips of a set, or samples of rings.
import type { Pointer } from "../lope/bindings";
import type { Lope } from "../lope/lope";
import type { Sources } from "./scene";

export function clipSources(lope: Lope, set: Pointer<"lope_set">): Sources {
  return {
    name: ({ clip }) => lope.text(lope.c.studio_set_clip_name(set, clip)),
    pose: ({ clip, time }, x, z, yaw, out) => void lope.c.studio_set_pose(set, clip, time, x, z, yaw, out),
  };
}

export function ringSources(lope: Lope, rings: Pointer<"lope_rings">): Sources {
  return {
    name: ({ clip }) => lope.text(lope.c.studio_rings_sample_name(rings, clip)),
    pose: ({ clip, time }, x, z, yaw, out) => lope.c.studio_rings_sample_pose(rings, clip, time, x, z, yaw, out),
  };
}
