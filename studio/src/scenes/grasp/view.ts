// SPDX-License-Identifier: MIT
// A climbing scene on the stage: obstacles as walls behind and below the body, holds as rungs, sites as flags.
import * as THREE from "three";
import type { Colours } from "../../view/colours";
import { disposeTree } from "../../view/marks";
import { type ClimbFile, cornersOf, type Point, type Site, siteAt } from "./file";

const BACK = -0.75, FRONT = 0.3; // of obstacles, metres from the plane of the motion
const RUNG = 0.62; // length of a hold across the plane

/** One kind of hold each: for hands, for feet, for both. */
function kindColour(kind: number, colours: Colours): number {
  return [colours.reach, colours.plan, colours.rival][kind] ?? colours.reach;
}

export class ClimbView {
  private readonly walls = new THREE.Group();
  private readonly sites = new THREE.Group();
  private rungs: THREE.InstancedMesh | null = null;
  private readonly held: THREE.InstancedMesh;
  readonly cursor: THREE.Mesh;
  private holds: Float32Array = new Float32Array(0);
  private readonly matrix = new THREE.Matrix4();

  constructor(private readonly group: THREE.Group, private readonly colours: () => Colours) {
    const bright = new THREE.MeshBasicMaterial({ color: colours().goal });
    this.held = new THREE.InstancedMesh(new THREE.CylinderGeometry(0.042, 0.042, RUNG + 0.02, 14).rotateX(Math.PI / 2), bright, 4);
    this.held.count = 0;
    this.held.frustumCulled = false;
    this.cursor = new THREE.Mesh(new THREE.TorusGeometry(0.12, 0.016, 8, 40), new THREE.MeshBasicMaterial({ color: 0x1668a8, depthTest: false, transparent: true }));
    this.cursor.renderOrder = 10;
    this.cursor.visible = false;
    group.add(this.walls, this.sites, this.held, this.cursor);
  }

  /** Obstacles and sites of a scene, as they are written. */
  show(file: ClimbFile): void {
    const colours = this.colours();
    for (const group of [this.walls, this.sites]) for (const child of [...group.children]) disposeTree(child);
    for (const shape of file.obstacles ?? []) this.walls.add(this.wall(cornersOf(shape), colours.obstacle));
    this.walls.add(this.frame(file.bounds, colours.line));
    this.sites.add(this.flag(file.start, colours.reach), this.flag(file.goal, colours.goal), ...(file.via ?? []).map((site) => this.flag(site, colours.rival)));
  }

  private wall(corners: readonly Point[], colour: number): THREE.Mesh {
    const shape = new THREE.Shape(corners.map(([x, y]) => new THREE.Vector2(x, y)));
    const geometry = new THREE.ExtrudeGeometry(shape, { depth: FRONT - BACK, bevelEnabled: false }).translate(0, 0, BACK);
    const mesh = new THREE.Mesh(geometry, new THREE.MeshStandardMaterial({ color: colour, roughness: 0.9, side: THREE.DoubleSide }));
    mesh.castShadow = mesh.receiveShadow = true;
    return mesh;
  }

  private frame([low, high]: ClimbFile["bounds"], colour: number): THREE.LineLoop {
    const corners = [[low[0], low[1]], [high[0], low[1]], [high[0], high[1]], [low[0], high[1]]] as const;
    const geometry = new THREE.BufferGeometry().setFromPoints(corners.map(([x, y]) => new THREE.Vector3(x, y, BACK)));
    return new THREE.LineLoop(geometry, new THREE.LineBasicMaterial({ color: colour }));
  }

  private flag(site: Site, colour: number): THREE.Group {
    const flag = new THREE.Group();
    // Seen through walls: half of it lies in the ground it stands on.
    const disc = new THREE.Mesh(new THREE.TorusGeometry(0.15, 0.022, 10, 40), new THREE.MeshBasicMaterial({ color: colour, depthTest: false, transparent: true }));
    const dot = new THREE.Mesh(new THREE.SphereGeometry(0.05, 16, 12), disc.material);
    flag.add(disc, dot);
    disc.renderOrder = dot.renderOrder = 6;
    flag.position.set(...siteAt(site), 0);
    return flag;
  }

  /** Holds as the library knows them: x y kind each. */
  showHolds(holds: Float32Array): void {
    const colours = this.colours();
    const count = holds.length / 3;
    this.holds = holds;
    if (this.rungs) disposeTree(this.rungs);
    this.rungs = new THREE.InstancedMesh(new THREE.CylinderGeometry(0.024, 0.024, RUNG, 10).rotateX(Math.PI / 2), new THREE.MeshStandardMaterial({ roughness: 0.5 }), Math.max(1, count));
    this.rungs.count = count;
    this.rungs.castShadow = true;
    for (let i = 0; i < count; i++) {
      this.matrix.makeTranslation(holds[3 * i]!, holds[3 * i + 1]!, 0);
      this.rungs.setMatrixAt(i, this.matrix);
      this.rungs.setColorAt(i, new THREE.Color(kindColour(holds[3 * i + 2]!, colours)));
    }
    this.group.add(this.rungs);
  }

  /** The hold nearest to a place, within `reach` metres. */
  holdNear(x: number, y: number, reach: number): Point | null {
    let best: Point | null = null, nearest = reach;
    for (let i = 0; i < this.holds.length; i += 3) {
      const distance = Math.hypot(this.holds[i]! - x, this.holds[i + 1]! - y);
      if (distance <= nearest) [best, nearest] = [[this.holds[i]!, this.holds[i + 1]!], distance];
    }
    return best;
  }

  /** What hands and feet hold now. */
  showHeld(held: ArrayLike<number>): void {
    let count = 0;
    for (let limb = 0; limb < held.length; limb++) {
      const hold = held[limb]!;
      if (hold < 0 || 3 * hold >= this.holds.length) continue;
      this.matrix.makeTranslation(this.holds[3 * hold]!, this.holds[3 * hold + 1]!, 0);
      this.held.setMatrixAt(count++, this.matrix);
    }
    this.held.count = count;
    this.held.instanceMatrix.needsUpdate = true;
  }
}
