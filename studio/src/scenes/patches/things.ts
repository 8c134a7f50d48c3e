// SPDX-License-Identifier: MIT
// Floors and things of a world of blocks as meshes: one group for each thing, so that it can be found and moved.
import * as THREE from "three";
import { STUDIO_BOX_FLOATS, type Pointer } from "../../lope/bindings";
import type { Buffer, Lope } from "../../lope/lope";

export interface Placed {
  readonly unit: number;
  readonly x: number;
  readonly y: number;
  readonly z: number;
  readonly yaw: number;
}

const WOOD = 0xb98f5f;
const STONE = 0xa9b1ba;
const MOST_BOXES = 64;

/** Things of wood are told by their names; everything else looks like stone. */
const colourOf = (name: string): number => (/chair|desk|table/.test(name) ? WOOD : STONE);

export class ThingView {
  readonly names: readonly string[];
  private readonly shapes: readonly (readonly THREE.Mesh[])[];
  private readonly group = new THREE.Group();
  private groups: (THREE.Group | null)[] = [];

  constructor(lope: Lope, office: Pointer<"studio_office">, scratch: Buffer, parent: THREE.Group) {
    const { c } = lope;
    const units = Array.from({ length: c.studio_office_unit_count(office) }, (_, unit) => unit);
    this.names = units.map((unit) => lope.text(c.studio_office_unit_name(office, unit)));
    this.shapes = units.map((unit) => {
      const at = scratch.room(4 * STUDIO_BOX_FLOATS * MOST_BOXES);
      const count = Math.min(MOST_BOXES, c.studio_office_boxes(office, unit, at, MOST_BOXES));
      const numbers = lope.floats(at, STUDIO_BOX_FLOATS * count);
      const material = new THREE.MeshStandardMaterial({ color: colourOf(this.names[unit]!), roughness: 0.8 });
      return Array.from({ length: count }, (_, i) => boxMesh(numbers.slice(i * STUDIO_BOX_FLOATS, (i + 1) * STUDIO_BOX_FLOATS), material));
    });
    parent.add(this.group);
  }

  /** Shows a thing where it stands now; null takes it away. */
  put(thing: number, placed: Placed | null): void {
    let group = this.groups[thing] ?? null;
    if (!placed) {
      group?.removeFromParent();
      this.groups[thing] = null;
      return;
    }
    if (!group) {
      group = new THREE.Group();
      group.userData.thing = thing;
      for (const shape of this.shapes[placed.unit]!) group.add(shape.clone());
      this.group.add(group);
      this.groups[thing] = group;
    }
    group.position.set(placed.x, placed.y, placed.z);
    group.rotation.y = placed.yaw;
  }

  /** The thing that a ray meets first; -1: none. */
  hit(ray: THREE.Ray): number {
    const caster = new THREE.Raycaster(ray.origin, ray.direction);
    const first = caster.intersectObject(this.group, true)[0];
    return (first?.object.parent?.userData.thing as number | undefined) ?? -1;
  }

  dispose(): void {
    for (const shape of this.shapes.flat()) {
      shape.geometry.dispose();
      (shape.material as THREE.Material).dispose();
    }
    this.group.removeFromParent();
  }
}

function boxMesh(numbers: Float32Array, material: THREE.Material): THREE.Mesh {
  const [x, y, z, hx, hy, hz, yaw, pitch] = numbers as unknown as [number, number, number, number, number, number, number, number];
  const mesh = new THREE.Mesh(new THREE.BoxGeometry(2 * hx, 2 * hy, 2 * hz), material);
  mesh.position.set(x, y, z);
  mesh.rotation.set(pitch, yaw, 0, "YXZ");
  mesh.castShadow = mesh.receiveShadow = true;
  return mesh;
}

/** Floors as thin tiles that let one see through to what is below. */
export class FloorView {
  private readonly meshes: THREE.InstancedMesh[] = [];
  /** Least and greatest x and z of all floors. */
  readonly low: readonly [number, number];
  readonly high: readonly [number, number];
  readonly heights: readonly number[];

  constructor(lope: Lope, office: Pointer<"studio_office">, scratch: Buffer, parent: THREE.Group, colour: number) {
    const { c } = lope;
    const size = c.studio_office_tile_size(office);
    const low: [number, number] = [Infinity, Infinity], high: [number, number] = [-Infinity, -Infinity], heights: number[] = [];
    for (let floor = 0; floor < c.studio_office_floor_count(office); floor++) {
      const at = scratch.room(20);
      c.studio_office_floor(office, floor, at);
      const [x, z, height, columns, rows] = [...lope.floats(at, 5)] as [number, number, number, number, number];
      const tiles = scratch.room(columns * rows);
      c.studio_office_tiles(office, floor, tiles);
      const present = new Uint8Array(lope.c.memory.buffer, tiles, columns * rows);
      low[0] = Math.min(low[0], x), low[1] = Math.min(low[1], z);
      high[0] = Math.max(high[0], x + columns * size), high[1] = Math.max(high[1], z + rows * size);
      heights.push(height);
      const mesh = tileMesh(present, columns, size, x, height, z, colour);
      this.meshes.push(mesh);
      parent.add(mesh);
    }
    this.low = low;
    this.high = high;
    this.heights = heights;
  }

  dispose(): void {
    for (const mesh of this.meshes) {
      mesh.removeFromParent();
      mesh.geometry.dispose();
      (mesh.material as THREE.Material).dispose();
      mesh.dispose();
    }
  }
}

function tileMesh(present: Uint8Array, columns: number, size: number, x: number, height: number, z: number, colour: number): THREE.InstancedMesh {
  const above = height > 0.05;
  const geometry = new THREE.PlaneGeometry(size - 0.03, size - 0.03).rotateX(-Math.PI / 2);
  const material = new THREE.MeshBasicMaterial({ color: colour, transparent: true, opacity: above ? 0.3 : 0.2, depthWrite: false, side: THREE.DoubleSide });
  const mesh = new THREE.InstancedMesh(geometry, material, present.length);
  const matrix = new THREE.Matrix4();
  let used = 0;
  present.forEach((there, tile) => {
    if (!there) return;
    matrix.setPosition(x + ((tile % columns) + 0.5) * size, height + 0.008, z + (Math.floor(tile / columns) + 0.5) * size);
    mesh.setMatrixAt(used++, matrix);
  });
  mesh.count = used;
  mesh.renderOrder = 1;
  mesh.frustumCulled = false;
  return mesh;
}
