// SPDX-License-Identifier: MIT
// The captured motion behind what the watched character does, to its right.
import * as THREE from "three";
import { STUDIO_JOINT_FLOATS, type Pointer } from "../lope/bindings";
import { Buffer, type Lope } from "../lope/lope";
import type { Moment, Sources } from "../scenes/scene";
import { Bodies, type BodyShapes, packed } from "../view/bodies";
import type { Stage } from "../view/stage";

const DETAIL = [14, 4] as const;

export class Ghost {
  readonly mesh: Bodies["mesh"];
  private readonly body = new Bodies({ opacity: 0.5 });
  private readonly buffer: Buffer;

  constructor(private readonly lope: Lope, private readonly stage: Stage) {
    this.mesh = this.body.mesh;
    this.buffer = new Buffer(lope);
    stage.scene.add(this.mesh);
  }

  hide(): void {
    this.mesh.visible = false;
  }

  /** Beside a character in `pose`; where the ground is not flat, as high as that one is. */
  show(shapes: BodyShapes, pose: Float32Array, sources: Sources, moment: Moment, flat: boolean): void {
    const { lope } = this;
    const floats = shapes.joints * STUDIO_JOINT_FLOATS;
    const at = this.buffer.room(4 * floats + 16) as Pointer<"float">, ground = (at + 4 * floats) as Pointer<"float">;
    lope.floats(at, floats).set(pose);
    lope.c.studio_ground_of(shapes.skeleton, at, ground);
    const [x, z, yaw] = lope.floats(ground, 3) as unknown as [number, number, number];
    sources.pose(moment, x - Math.cos(yaw), z + Math.sin(yaw), yaw, at);
    const shown = lope.floats(at, floats);
    const lift = flat ? 0 : pose[5]! - shown[5]!;
    for (let joint = 0; joint < floats; joint += STUDIO_JOINT_FLOATS) shown[joint + 5]! += lift;
    this.body.show(shapes, shown, [0], 1, [packed(new THREE.Color(this.stage.colours.ghost))], DETAIL);
  }
}
