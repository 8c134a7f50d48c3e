// SPDX-License-Identifier: MIT
// Everybody on the stage. In a crowd only those in view are drawn, in detail where they are near, with their largest
// parts where they are far away.
import * as THREE from "three";
import { STUDIO_JOINT_FLOATS } from "../lope/bindings";
import { Bodies, type BodyShapes, type Detail, packed } from "./bodies";

const CROWD = 41; // characters from which on nearness counts
const CLOSE_UP_REACH = 30; // metres from the eye for those in detail
/** How many are drawn in detail, and from how many metres on the largest parts do; the same on slow machines. */
const USUAL = { closeUp: 40, far: 45 }, SLOW = { closeUp: 10, far: 15 };
const SHADOWS = 3000; // characters above which only those in detail throw them
const AROUND = 2.5; // metres around the hips: arms, and a shadow that reaches into the picture
const CLOSE: Detail = [14, 4], MIDDLE: Detail = [9, 2], MANY: Detail = [6, 1], DISTANT: Detail = [4, 1];

/** Sectors and rings of those who are neither near nor far, by the number of characters. */
export function detailFor(count: number): Detail {
  return count < CROWD ? CLOSE : count <= 300 ? MIDDLE : MANY;
}

/** The numbers of those in view, by distance from the eye. */
export interface Seen {
  readonly near: number[];
  readonly middle: number[];
  readonly far: number[];
}

type Place = { readonly x: number; readonly y: number; readonly z: number };

/** Sorts characters by their hips: `planes` bound what is in view, four numbers each (a normal that points inwards, and
 * a distance). */
export function sortOut(poses: Float32Array, count: number, floats: number, eye: Place, planes: ArrayLike<number>, { closeUp, far } = USUAL): Seen {
  const close: [number, number][] = [], middle: number[] = [], distant: number[] = [];
  for (let c = 0; c < count; c++) {
    const x = poses[c * floats + 4]!, y = poses[c * floats + 5]!, z = poses[c * floats + 6]!;
    let inside = true;
    for (let p = 0; inside && p < planes.length; p += 4) inside = planes[p]! * x + planes[p + 1]! * y + planes[p + 2]! * z + planes[p + 3]! > -AROUND;
    if (!inside) continue;
    const d = (x - eye.x) ** 2 + (y - eye.y) ** 2 + (z - eye.z) ** 2;
    if (d < CLOSE_UP_REACH ** 2) close.push([d, c]);
    else (d < far ** 2 ? middle : distant).push(c);
  }
  close.sort((a, b) => a[0] - b[0]);
  for (const [d, c] of close.slice(closeUp)) (d < far ** 2 ? middle : distant).push(c);
  return { near: close.slice(0, closeUp).map(([, c]) => c), middle, far: distant };
}

const without = (some: readonly number[], one: number) => some.filter((each) => each !== one);

export class People {
  private readonly near = new Bodies();
  private readonly middle = new Bodies();
  private readonly far = new Bodies({ shadows: false });
  private colours = new Float32Array(0);
  private colourOf: (character: number) => THREE.Color = () => new THREE.Color(0xffffff);
  private readonly frustum = new THREE.Frustum();
  private readonly matrix = new THREE.Matrix4();
  private readonly planes = new Float32Array(24);
  /** Draws less of those who are not near. */
  slow = false;

  constructor(scene: THREE.Scene) {
    scene.add(this.near.mesh, this.middle.mesh, this.far.mesh);
  }

  /** Colours of characters, asked for once for each. */
  colour(colourOf: (character: number) => THREE.Color): void {
    this.colourOf = colourOf;
    this.colours = new Float32Array(0);
  }

  private colourAll(count: number): void {
    if (count <= this.colours.length) return;
    this.colours = Float32Array.from({ length: count }, (_, c) => packed(this.colourOf(c)));
  }

  /** Shows `shapes` near the camera and `large` farther away; the body with index `but` is left out. */
  show(shapes: BodyShapes, large: BodyShapes, poses: Float32Array, count: number, camera: THREE.PerspectiveCamera, but = -1): void {
    this.colourAll(count);
    const all = count < CROWD ? { near: Array.from({ length: count }, (_, c) => c), middle: [], far: [] } : this.inView(shapes, poses, count, camera);
    const seen = but < 0 ? all : { near: without(all.near, but), middle: without(all.middle, but), far: without(all.far, but) };
    this.middle.mesh.castShadow = count <= SHADOWS;
    this.near.show(shapes, poses, seen.near, seen.near.length, this.colours, CLOSE);
    this.middle.show(shapes, poses, seen.middle, seen.middle.length, this.colours, detailFor(count));
    this.far.show(large, poses, seen.far, seen.far.length, this.colours, DISTANT);
  }

  private inView(shapes: BodyShapes, poses: Float32Array, count: number, camera: THREE.PerspectiveCamera): Seen {
    camera.updateMatrixWorld();
    this.matrix.multiplyMatrices(camera.projectionMatrix, camera.matrixWorldInverse);
    this.frustum.setFromProjectionMatrix(this.matrix);
    this.frustum.planes.forEach((plane, i) => this.planes.set([...plane.normal.toArray(), plane.constant], 4 * i));
    return sortOut(poses, count, shapes.joints * STUDIO_JOINT_FLOATS, camera.position, this.planes, this.slow ? SLOW : USUAL);
  }
}
