// SPDX-License-Identifier: MIT
// Lines, dots and handles on the ground, made once and refilled for every picture.
import * as THREE from "three";

const LIFT = 0.012; // metres above the ground, so that marks are not drawn into it

/** Line pieces: pairs of places. */
export class Lines {
  readonly object: THREE.LineSegments<THREE.BufferGeometry, THREE.LineBasicMaterial>;
  private places = new Float32Array(0);
  private used = 0;

  constructor(colour: number, opacity = 1, private readonly lift = LIFT) {
    const material = new THREE.LineBasicMaterial({ color: colour, transparent: true, opacity, depthWrite: false });
    this.object = new THREE.LineSegments(new THREE.BufferGeometry(), material);
    this.object.frustumCulled = false;
    this.object.renderOrder = 1;
  }

  begin(): this {
    this.used = 0;
    return this;
  }

  add(x1: number, z1: number, x2: number, z2: number, y1 = 0, y2 = 0): void {
    if (this.used + 6 > this.places.length) {
      const larger = new Float32Array(Math.max(1536, 2 * this.places.length));
      larger.set(this.places);
      this.places = larger;
      this.object.geometry.dispose();
      this.object.geometry = new THREE.BufferGeometry();
      this.object.geometry.setAttribute("position", new THREE.BufferAttribute(larger, 3).setUsage(THREE.DynamicDrawUsage));
    }
    const lift = this.lift;
    this.places.set([x1, y1 + lift, z1, x2, y2 + lift, z2], this.used);
    this.used += 6;
  }

  /** A way through places x z, x z, ... */
  way(points: ArrayLike<number>, count: number, stride = 2): void {
    for (let i = 1; i < count; i++)
      this.add(points[(i - 1) * stride]!, points[(i - 1) * stride + 1]!, points[i * stride]!, points[i * stride + 1]!);
  }

  end(): void {
    this.object.geometry.setDrawRange(0, this.used / 3);
    const attribute = this.object.geometry.getAttribute("position") as THREE.BufferAttribute | undefined;
    if (attribute) attribute.needsUpdate = true;
    this.object.visible = this.used > 0;
  }
}

/** A flat ribbon along a way: what a line of some width looks like on the ground. */
export class Ribbon {
  readonly object: THREE.Mesh<THREE.BufferGeometry, THREE.MeshBasicMaterial>;
  private capacity = 0;
  private places = new Float32Array(0);

  constructor(colour: number, private readonly width: number, opacity = 1, private readonly lift = LIFT + 0.004) {
    const material = new THREE.MeshBasicMaterial({ color: colour, transparent: true, opacity, depthWrite: false, side: THREE.DoubleSide });
    this.object = new THREE.Mesh(new THREE.BufferGeometry(), material);
    this.object.frustumCulled = false;
    this.object.renderOrder = 2;
  }

  set(points: ArrayLike<number>, count: number, stride = 2): void {
    this.object.visible = count > 1;
    if (count < 2) return;
    if (count > this.capacity) this.grow(count);
    for (let i = 0; i < count; i++) {
      const a = Math.max(0, i - 1), b = Math.min(count - 1, i + 1);
      let dx = points[b * stride]! - points[a * stride]!, dz = points[b * stride + 1]! - points[a * stride + 1]!;
      const length = Math.hypot(dx, dz) || 1;
      dx *= this.width / 2 / length;
      dz *= this.width / 2 / length;
      const x = points[i * stride]!, z = points[i * stride + 1]!;
      this.places.set([x - dz, this.lift, z + dx, x + dz, this.lift, z - dx], 6 * i);
    }
    (this.object.geometry.getAttribute("position") as THREE.BufferAttribute).needsUpdate = true;
    this.object.geometry.setDrawRange(0, 6 * (count - 1));
  }

  private grow(count: number): void {
    this.capacity = Math.max(64, 2 * count);
    this.places = new Float32Array(6 * this.capacity);
    const index: number[] = [];
    for (let i = 0; i + 1 < this.capacity; i++) index.push(2 * i, 2 * i + 1, 2 * i + 2, 2 * i + 1, 2 * i + 3, 2 * i + 2);
    this.object.geometry.dispose();
    this.object.geometry = new THREE.BufferGeometry();
    this.object.geometry.setAttribute("position", new THREE.BufferAttribute(this.places, 3).setUsage(THREE.DynamicDrawUsage));
    this.object.geometry.setIndex(index);
  }
}

/** Dots on the ground. */
export class Dots {
  readonly object: THREE.InstancedMesh;
  private used = 0;
  private readonly matrix = new THREE.Matrix4();

  constructor(colour: number, radius: number, private readonly capacity: number, opacity = 1) {
    const geometry = new THREE.CircleGeometry(radius, 16).rotateX(-Math.PI / 2);
    const material = new THREE.MeshBasicMaterial({ color: colour, transparent: true, opacity, depthWrite: false });
    this.object = new THREE.InstancedMesh(geometry, material, capacity);
    this.object.frustumCulled = false;
    this.object.renderOrder = 3;
  }

  begin(): this {
    this.used = 0;
    return this;
  }

  add(x: number, z: number, scale = 1, y = 0): void {
    if (this.used === this.capacity) return;
    this.matrix.makeScale(scale, 1, scale).setPosition(x, y + LIFT + 0.006, z);
    this.object.setMatrixAt(this.used++, this.matrix);
  }

  end(): void {
    this.object.count = this.used;
    this.object.instanceMatrix.needsUpdate = true;
  }
}

/** A place that can be dragged: a disc with a ring, and a pole that is seen from afar. */
export class Handle {
  readonly object = new THREE.Group();

  constructor(colour: number, readonly radius = 0.28, pole = 0.9) {
    const flat = (geometry: THREE.BufferGeometry, opacity: number) => {
      const mesh = new THREE.Mesh(geometry.rotateX(-Math.PI / 2),
        new THREE.MeshBasicMaterial({ color: colour, transparent: true, opacity, depthWrite: false }));
      mesh.position.y = LIFT + 0.008;
      mesh.renderOrder = 4;
      return mesh;
    };
    this.object.add(flat(new THREE.CircleGeometry(radius * 0.45, 32), 0.95), flat(new THREE.RingGeometry(radius * 0.8, radius, 48), 0.9));
    if (pole > 0) {
      const mast = new THREE.Mesh(new THREE.CylinderGeometry(0.012, 0.012, pole, 8), new THREE.MeshStandardMaterial({ color: colour, roughness: 0.6 }));
      mast.position.y = pole / 2;
      const ball = new THREE.Mesh(new THREE.SphereGeometry(0.055, 20, 14), mast.material);
      ball.position.y = pole;
      mast.castShadow = ball.castShadow = true;
      this.object.add(mast, ball);
    }
  }

  get x(): number {
    return this.object.position.x;
  }

  get z(): number {
    return this.object.position.z;
  }

  put(x: number, z: number): void {
    this.object.position.set(x, 0, z);
  }

  /** Whether a spot is on it; `slack` metres more count for coarse pointers and far views. */
  holds(x: number, z: number, slack = 0): boolean {
    return Math.hypot(x - this.x, z - this.z) <= this.radius + slack;
  }
}

/** Frees geometries and materials of everything below an object. */
export function disposeTree(object: THREE.Object3D): void {
  object.traverse((each) => {
    const mesh = each as THREE.Mesh;
    mesh.geometry?.dispose();
    for (const material of Array.isArray(mesh.material) ? mesh.material : mesh.material ? [mesh.material] : []) material.dispose();
  });
  object.removeFromParent();
}
