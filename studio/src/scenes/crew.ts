// SPDX-License-Identifier: MIT
// Everybody in a scene with many: their poses in the module's memory, asked for once a step; and the slider that says how many.
import { STUDIO_JOINT_FLOATS, type Pointer } from "../lope/bindings";
import { Buffer, type Lope } from "../lope/lope";
import type { Field, Panel } from "../ui/panel";
import type { Cast } from "./scene";

export interface CrewPart {
  readonly count: number;
  /** Writes all poses. */
  write(at: Pointer<"float">): void;
  /** What of the first one touches. */
  contacts(): number;
  /** Height of the ground below the first one whose hips are that high, where it is not 0. */
  floor?(hips: number): number | undefined;
}

export class Crew {
  readonly joints: number;
  private readonly poses: Buffer;
  private shown: Cast | null = null;

  constructor(private readonly lope: Lope, readonly skeleton: Pointer<"lope_skeleton">) {
    this.joints = lope.c.studio_joint_count(skeleton);
    this.poses = new Buffer(lope);
  }

  /** Somebody moved, came or went. */
  moved(): void {
    this.shown = null;
  }

  /** The first one is watched. */
  cast(part: CrewPart): Cast {
    if (this.shown && this.shown.poses.buffer === this.lope.c.memory.buffer) return this.shown;
    const { count } = part;
    const floats = count * this.joints * STUDIO_JOINT_FLOATS;
    const at = this.poses.room(4 * Math.max(1, floats)) as Pointer<"float">;
    part.write(at);
    const poses = this.lope.floats(at, floats), floor = part.floor?.(poses[5] ?? 0);
    this.shown = {
      skeleton: this.skeleton, count, watched: 0, poses, contacts: count > 0 ? part.contacts() : 0,
      ...(floor !== undefined && { floor }),
    };
    return this.shown;
  }

  free(): void {
    this.poses.free();
  }
}

export function peopleSlider(panel: Panel, value: number, most: number, change: (count: number) => void): Field<number> {
  return panel.slider({ label: "People", min: 1, max: most, logarithmic: true, value, show: (n) => n.toLocaleString("en"), change });
}

/** What to say where fewer than asked for are there; empty: all are. */
export function missing(there: number, wanted: number): string {
  return there < wanted ? `Not everybody found room: ${there.toLocaleString("en")} people` : "";
}
