// SPDX-License-Identifier: MIT
// The parts of a level as meshes: one for each, so that it can be found and moved. Floors above the ground let one see through.
import * as THREE from "three";
import { STUDIO_THING_FLOATS, type Pointer } from "../../lope/bindings";
import type { Buffer, Lope } from "../../lope/lope";

export interface Placed {
  readonly x: number;
  readonly y: number;
  readonly z: number;
  readonly yaw: number;
  readonly rotation: readonly [number, number, number, number];
}

/** What a ray meets. */
export interface Hit {
  readonly thing: number;
  readonly point: THREE.Vector3;
}

const WOOD = 0xb98f5f;
const STONE = 0xa9b1ba;

/** Things of wood are told by their names; everything else looks like stone. */
const colourOf = (kind: string): number => (/chair|desk|table|bench/.test(kind) ? WOOD : STONE);

export class ThingView {
  private readonly group = new THREE.Group();
  private readonly materials: readonly THREE.Material[];
  private readonly wood = new THREE.MeshStandardMaterial({ color: WOOD, roughness: 0.8, side: THREE.DoubleSide });
  private readonly stone = new THREE.MeshStandardMaterial({ color: STONE, roughness: 0.8, side: THREE.DoubleSide });
  private readonly ground: THREE.Material;
  private readonly above: THREE.Material;
  private meshes: (THREE.Mesh | null)[] = [];
  /** Least and greatest x and z of everything. */
  readonly low: readonly [number, number];
  readonly high: readonly [number, number];

  constructor(private readonly lope: Lope, private readonly office: Pointer<"studio_office">, private readonly scratch: Buffer, parent: THREE.Group, floors: number) {
    const seen = (opacity: number) => new THREE.MeshBasicMaterial({ color: floors, transparent: true, opacity, depthWrite: false });
    [this.ground, this.above] = [seen(0.2), seen(0.3)];
    this.materials = [this.wood, this.stone, this.ground, this.above];
    parent.add(this.group);
    for (let thing = 0; thing < lope.c.studio_office_thing_count(office); thing++) this.put(thing);
    const box = new THREE.Box3().setFromObject(this.group);
    this.low = [box.min.x, box.min.z];
    this.high = [box.max.x, box.max.z];
  }

  /** Where a thing stands; null: removed. */
  placed(thing: number): Placed | null {
    const { c } = this.lope;
    const at = this.scratch.room(4 * STUDIO_THING_FLOATS);
    if (!c.studio_office_thing(this.office, thing, at)) return null;
    const [x, y, z, yaw, ...rotation] = [...this.lope.floats(at, STUDIO_THING_FLOATS)] as [number, number, number, number, number, number, number, number];
    return { x, y, z, yaw, rotation };
  }

  private make(thing: number): THREE.Mesh {
    const { c } = this.lope;
    const count = c.studio_office_triangles(this.office, thing, 0 as Pointer<"float">, 0);
    const at = this.scratch.room(36 * Math.max(1, count)) as Pointer<"float">;
    c.studio_office_triangles(this.office, thing, at, count);
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute("position", new THREE.BufferAttribute(this.lope.floats(at, 9 * count).slice(), 3));
    geometry.computeVertexNormals();
    const fixed = c.studio_office_is_fixed(this.office, thing) !== 0;
    const wood = colourOf(this.lope.text(c.studio_office_kind(this.office, thing))) === WOOD;
    const mesh = new THREE.Mesh(geometry, fixed ? (this.placed(thing)!.y > 0.05 ? this.above : this.ground) : wood ? this.wood : this.stone);
    mesh.userData = { thing, fixed };
    mesh.castShadow = mesh.receiveShadow = !fixed;
    mesh.renderOrder = fixed ? 1 : 0;
    return mesh;
  }

  /** Shows a thing where it stands now, or not where it is gone. */
  put(thing: number): void {
    const placed = this.placed(thing);
    let mesh = this.meshes[thing] ?? null;
    if (!placed) {
      mesh?.removeFromParent();
      mesh?.geometry.dispose();
      this.meshes[thing] = null;
      return;
    }
    if (!mesh) {
      mesh = this.make(thing);
      this.group.add(mesh);
      this.meshes[thing] = mesh;
    }
    mesh.position.set(placed.x, placed.y, placed.z);
    mesh.quaternion.set(...(placed.rotation as [number, number, number, number]));
    mesh.updateMatrixWorld();
  }

  private hits(ray: THREE.Ray): THREE.Intersection[] {
    return new THREE.Raycaster(ray.origin, ray.direction).intersectObject(this.group, true);
  }

  /** The thing that a ray meets first, floors aside; -1: none. `behind`: also what shows through a floor. */
  hit(ray: THREE.Ray, behind = true): number {
    const hits = this.hits(ray);
    const first = behind ? hits.find(({ object }) => !object.userData.fixed) : hits[0]?.object.userData.fixed ? undefined : hits[0];
    return (first?.object.userData.thing as number | undefined) ?? -1;
  }

  /** What a ray meets first that one can stand on. */
  stand(ray: THREE.Ray): Hit | null {
    for (const { object, point, face } of this.hits(ray)) {
      const up = face && face.normal.clone().transformDirection(object.matrixWorld).y;
      if (up && Math.abs(up) > 0.7) return { thing: object.userData.thing as number, point };
    }
    return null;
  }

  dispose(): void {
    for (const mesh of this.meshes) mesh?.geometry.dispose();
    for (const material of this.materials) material.dispose();
    this.group.removeFromParent();
  }
}
