// SPDX-License-Identifier: MIT
// Ground of triangles, with the grid of the flat ground on what is level, and steps that can be told apart.
import * as THREE from "three";
import type { Pointer } from "../lope/bindings";
import { Buffer, type Lope } from "../lope/lope";
import type { Stage } from "./stage";

export class TerrainView {
  readonly mesh: THREE.Mesh<THREE.BufferGeometry, THREE.MeshStandardMaterial>;
  private readonly buffer: Buffer;
  private places = new Float32Array(0);
  private readonly lineColour = { value: new THREE.Color() };

  constructor(private readonly lope: Lope, private readonly stage: Stage) {
    this.buffer = new Buffer(lope);
    const material = new THREE.MeshStandardMaterial({ roughness: 0.95, metalness: 0, flatShading: true, side: THREE.DoubleSide });
    stage.teachGrid(material, this.lineColour);
    this.mesh = new THREE.Mesh(new THREE.BufferGeometry(), material);
    this.mesh.receiveShadow = true;
    this.mesh.frustumCulled = false;
    this.colour();
  }

  /** Light and dark. */
  colour(): void {
    this.mesh.material.color.set(this.stage.colours.obstacle).lerp(new THREE.Color(this.stage.colours.ground), 0.2);
    this.lineColour.value.set(this.stage.colours.line);
  }

  /** Reads the triangles anew, after a change. */
  refresh(terrain: Pointer<"lope_terrain">): void {
    const { c } = this.lope;
    const count = c.studio_terrain_triangles(terrain, 0 as Pointer<"float">, 0);
    const at = this.buffer.room(36 * count) as Pointer<"float">;
    c.studio_terrain_triangles(terrain, at, count);
    if (this.places.length !== 9 * count) {
      this.places = new Float32Array(9 * count);
      this.mesh.geometry.dispose();
      this.mesh.geometry = new THREE.BufferGeometry();
      this.mesh.geometry.setAttribute("position", new THREE.BufferAttribute(this.places, 3).setUsage(THREE.DynamicDrawUsage));
    }
    this.places.set(this.lope.floats(at, 9 * count));
    this.mesh.geometry.getAttribute("position").needsUpdate = true;
  }

  free(): void {
    this.buffer.free();
  }
}
