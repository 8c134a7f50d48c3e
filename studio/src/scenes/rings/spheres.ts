// SPDX-License-Identifier: MIT
// Contact spheres of the step that is being made: small where there is only air, lit where the ground is near enough for
// a foot, and the place that the swinging foot heads for.
import * as THREE from "three";
import type { Pointer } from "../../lope/bindings";
import { Buffer, type Lope } from "../../lope/lope";
import type { Colours } from "../../view/colours";

const MOST = 4096;

export class SphereView {
  /** How many there are, and how many are lit. */
  count = 0;
  lit = 0;
  private readonly dim: THREE.InstancedMesh;
  private readonly bright: THREE.InstancedMesh;
  private readonly next: THREE.Mesh;
  private readonly buffer: Buffer;
  private readonly matrix = new THREE.Matrix4();

  constructor(private readonly lope: Lope, group: THREE.Group, colours: Colours) {
    this.buffer = new Buffer(lope);
    const make = (radius: number, colour: number, opacity: number) => {
      const mesh = new THREE.InstancedMesh(new THREE.SphereGeometry(radius, 10, 7),
        new THREE.MeshBasicMaterial({ color: colour, transparent: true, opacity, depthWrite: false }), MOST);
      mesh.frustumCulled = false;
      mesh.count = 0;
      mesh.renderOrder = 2;
      return mesh;
    };
    this.dim = make(0.011, colours.reach, 0.35);
    this.bright = make(0.026, colours.plan, 0.85);
    this.next = new THREE.Mesh(new THREE.TorusGeometry(0.085, 0.014, 10, 40).rotateX(Math.PI / 2), new THREE.MeshBasicMaterial({ color: colours.goal }));
    this.next.renderOrder = 3;
    group.add(this.dim, this.bright, this.next);
  }

  draw(gait: Pointer<"lope_gait">, rings: Pointer<"lope_rings">, terrain: Pointer<"lope_terrain">, next: readonly [number, number, number] | null, shown: boolean): void {
    this.dim.visible = this.bright.visible = shown;
    this.next.visible = shown && next !== null;
    this.count = this.lit = 0;
    if (!shown) return;
    if (next) this.next.position.set(next[0], next[1] + 0.02, next[2]);
    const at = this.buffer.room(16 * MOST) as Pointer<"float">;
    this.count = Math.min(MOST, this.lope.c.studio_gait_spheres(gait, rings, terrain, at, MOST));
    const spheres = this.lope.floats(at, 4 * this.count);
    let dim = 0;
    for (let i = 0; i < this.count; i++) {
      const touches = spheres[4 * i + 3]! > 0.5;
      this.matrix.setPosition(spheres[4 * i]!, spheres[4 * i + 1]!, spheres[4 * i + 2]!);
      if (touches) this.bright.setMatrixAt(this.lit++, this.matrix);
      else this.dim.setMatrixAt(dim++, this.matrix);
    }
    this.bright.count = this.lit;
    this.dim.count = dim;
    this.bright.instanceMatrix.needsUpdate = this.dim.instanceMatrix.needsUpdate = true;
  }

  free(): void {
    this.buffer.free();
  }
}
