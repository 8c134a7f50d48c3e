// SPDX-License-Identifier: MIT
// Bodies of any number of characters in one draw call. Each shape of a body is the hull of two balls that follows a joint;
// the vertex shader places it, so the processor only copies the joints' transforms.
import * as THREE from "three";
import { STUDIO_JOINT_FLOATS, STUDIO_SHAPE_FLOATS, type Pointer } from "../lope/bindings";
import type { Lope } from "../lope/lope";

const HEAD = /* glsl */ `
uniform highp sampler2D shapeTable;
uniform int shapeCount;
attribute vec4 jointTurn;
attribute vec3 jointPlace;
attribute vec3 tint;
varying vec3 vTint;
vec3 turned(vec4 q, vec3 v) { return v + 2.0 * cross(q.xyz, cross(q.xyz, v) + q.w * v); }
void bodyVertex(vec3 seed, out vec3 place, out vec3 normal) {
  int shape = gl_InstanceID % shapeCount;
  vec4 near = texelFetch(shapeTable, ivec2(0, shape), 0);
  vec4 far = texelFetch(shapeTable, ivec2(1, shape), 0);
  vec4 wide = texelFetch(shapeTable, ivec2(2, shape), 0);
  vec3 along = far.xyz - near.xyz;
  float size = length(along);
  vec3 axis = size > 1e-6 ? along / size : vec3(0.0, 1.0, 0.0);
  vec3 side = wide.xyz - axis * dot(wide.xyz, axis);
  if (dot(side, side) < 1e-6) {
    vec3 other = abs(axis.x) < 0.6 ? vec3(1.0, 0.0, 0.0) : vec3(0.0, 0.0, 1.0);
    side = other - axis * dot(other, axis);
  }
  side = normalize(side);
  vec3 depth = cross(side, axis);
  float lean = size > 1e-6 ? asin(clamp((near.w - far.w) / size, -1.0, 1.0)) : 0.0;
  bool atFar = seed.y > 0.5;
  float up = atFar ? mix(lean, 1.5707963, seed.x) : mix(-1.5707963, lean, seed.x);
  float radius = atFar ? far.w : near.w;
  float x = cos(up) * cos(seed.z), z = cos(up) * sin(seed.z), y = sin(up);
  vec3 local = (atFar ? far.xyz : near.xyz) + radius * (side * (x * wide.w) + depth * z + axis * y);
  place = jointPlace + turned(jointTurn, local) * step(0.5, dot(jointTurn, jointTurn));
  normal = turned(jointTurn, normalize(side * (x / wide.w) + depth * z + axis * y));
}
`;

/** Vertices by where they lie on the hull: share of the cap, which end, angle around. */
function hullGeometry(sectors: number, rings: number): { seeds: Float32Array; indices: number[] } {
  const seeds = [0, 0, 0];
  for (let ring = 0; ring < 2 * rings; ring++) {
    const far = ring >= rings;
    const share = far ? (ring - rings) / rings : (ring + 1) / rings;
    for (let s = 0; s < sectors; s++) seeds.push(share, far ? 1 : 0, (2 * Math.PI * s) / sectors);
  }
  seeds.push(1, 1, 0);
  const indices: number[] = [];
  const last = seeds.length / 3 - 1;
  const at = (ring: number, s: number) => 1 + ring * sectors + (s % sectors);
  for (let s = 0; s < sectors; s++) {
    indices.push(0, at(0, s), at(0, s + 1));
    for (let ring = 0; ring + 1 < 2 * rings; ring++) {
      indices.push(at(ring, s), at(ring + 1, s), at(ring + 1, s + 1), at(ring, s), at(ring + 1, s + 1), at(ring, s + 1));
    }
    indices.push(last, at(2 * rings - 1, s + 1), at(2 * rings - 1, s));
  }
  return { seeds: new Float32Array(seeds), indices };
}

/** What a body of a skeleton looks like. */
export class BodyShapes {
  readonly joints: number;
  readonly count: number;
  readonly jointOf: Int32Array;
  readonly table: THREE.DataTexture;

  constructor(lope: Lope, readonly skeleton: Pointer<"lope_skeleton">) {
    this.joints = lope.c.studio_joint_count(skeleton);
    const most = 2 * this.joints + 8;
    const at = lope.allocate<"float">(4 * most * STUDIO_SHAPE_FLOATS);
    this.count = lope.c.studio_body_shapes(skeleton, at, most);
    const shapes = lope.floats(at, this.count * STUDIO_SHAPE_FLOATS);
    this.jointOf = new Int32Array(this.count);
    const texels = new Float32Array(12 * this.count);
    for (let i = 0; i < this.count; i++) {
      const shape = shapes.subarray(i * STUDIO_SHAPE_FLOATS, (i + 1) * STUDIO_SHAPE_FLOATS);
      this.jointOf[i] = shape[0]!;
      texels.set(shape.subarray(1), 12 * i);
    }
    lope.c.studio_free(at);
    this.table = new THREE.DataTexture(texels, 3, this.count, THREE.RGBAFormat, THREE.FloatType);
    this.table.needsUpdate = true;
  }
}

/** How much a body is worth drawing: sectors and rings by the number of characters. */
export function detailFor(count: number): readonly [number, number] {
  if (count <= 40) return [14, 4];
  if (count <= 300) return [9, 2];
  return [6, 1];
}

/** The characters nearest to an eye, at most `most` of them, none farther than `reach`. */
export function nearest(poses: Float32Array, count: number, floats: number, eye: { x: number; y: number; z: number }, most: number, reach: number): number[] {
  const near: [number, number][] = [];
  for (let c = 0; c < count; c++) {
    const at = c * floats;
    const d = (poses[at + 4]! - eye.x) ** 2 + (poses[at + 5]! - eye.y) ** 2 + (poses[at + 6]! - eye.z) ** 2;
    if (d < reach * reach) near.push([d, c]);
  }
  near.sort((a, b) => a[0] - b[0]);
  return near.slice(0, most).map(([, c]) => c);
}

export class Bodies {
  readonly mesh: THREE.Mesh<THREE.InstancedBufferGeometry, THREE.MeshStandardMaterial>;
  private readonly uniforms: { shapeTable: { value: THREE.Texture | null }; shapeCount: { value: number } };
  private shapes: BodyShapes | null = null;
  private transforms = new Float32Array(0);
  private buffer: THREE.InstancedInterleavedBuffer | null = null;
  private tints: THREE.InstancedBufferAttribute | null = null;
  private capacity = 0;
  private detail = "";

  constructor(opacity = 1) {
    this.uniforms = { shapeTable: { value: null }, shapeCount: { value: 1 } };
    const material = new THREE.MeshStandardMaterial({ roughness: 0.62, metalness: 0.02, transparent: opacity < 1, opacity });
    const depth = new THREE.MeshDepthMaterial({ depthPacking: THREE.RGBADepthPacking });
    for (const each of [material, depth]) this.teach(each, each === material);
    this.mesh = new THREE.Mesh(new THREE.InstancedBufferGeometry(), material);
    this.mesh.customDepthMaterial = depth;
    this.mesh.frustumCulled = false;
    this.mesh.castShadow = opacity === 1;
    this.mesh.receiveShadow = opacity === 1;
    this.mesh.visible = false;
  }

  private teach(material: THREE.Material, coloured: boolean): void {
    material.onBeforeCompile = (shader) => {
      Object.assign(shader.uniforms, this.uniforms);
      shader.vertexShader = shader.vertexShader
        .replace("#include <common>", `#include <common>\n${HEAD}`)
        .replace("#include <begin_vertex>", coloured ? "vec3 transformed = bodyPlace;" : "vec3 transformed, unused;\nbodyVertex(position, transformed, unused);")
        .replace("#include <beginnormal_vertex>", coloured ? "vec3 bodyPlace, objectNormal;\nbodyVertex(position, bodyPlace, objectNormal);\nvTint = tint;" : "");
      if (coloured)
        shader.fragmentShader = shader.fragmentShader
          .replace("#include <common>", "#include <common>\nvarying vec3 vTint;")
          .replace("#include <color_fragment>", "#include <color_fragment>\ndiffuseColor.rgb *= vTint;");
    };
  }

  /** Shows `count` characters in the given poses, but for those that are marked in `skip`. */
  show(shapes: BodyShapes, poses: Float32Array, count: number, skip?: Uint8Array): void {
    this.place(shapes, poses, count, (c) => (skip?.[c] ? -1 : c));
  }

  /** Shows only some of them, each in its colour. */
  showOnly(shapes: BodyShapes, poses: Float32Array, which: readonly number[]): void {
    this.which = which;
    this.place(shapes, poses, which.length, (c) => which[c]!);
    this.paint();
  }

  private which: readonly number[] | null = null;

  private place(shapes: BodyShapes, poses: Float32Array, count: number, characterAt: (slot: number) => number): void {
    if (this.shapes !== shapes) {
      this.shapes = shapes;
      this.uniforms.shapeTable.value = shapes.table;
      this.uniforms.shapeCount.value = shapes.count;
      this.capacity = 0;
    }
    this.mesh.visible = count > 0;
    if (count === 0) return;
    this.makeRoom(count);
    const { joints, jointOf, count: parts } = shapes;
    const out = this.transforms;
    for (let slot = 0, o = 0; slot < count; slot++) {
      const c = characterAt(slot);
      if (c < 0) {
        out.fill(0, o, o + 7 * parts); // no turn, no size: not drawn
        o += 7 * parts;
        continue;
      }
      for (let s = 0; s < parts; s++, o += 7) {
        const from = (c * joints + jointOf[s]!) * STUDIO_JOINT_FLOATS;
        out[o] = poses[from]!;
        out[o + 1] = poses[from + 1]!;
        out[o + 2] = poses[from + 2]!;
        out[o + 3] = poses[from + 3]!;
        out[o + 4] = poses[from + 4]!;
        out[o + 5] = poses[from + 5]!;
        out[o + 6] = poses[from + 6]!;
      }
    }
    this.mesh.geometry.instanceCount = count * parts;
    this.buffer!.clearUpdateRanges();
    this.buffer!.addUpdateRange(0, count * parts * 7);
    this.buffer!.needsUpdate = true;
  }

  /** Colours of characters, asked for once for each. */
  colour(colourOf: (character: number) => THREE.Color): void {
    this.colourOf = colourOf;
    this.paint();
  }

  private colourOf: (character: number) => THREE.Color = () => new THREE.Color(0xffffff);

  private paint(): void {
    if (!this.tints || !this.shapes) return;
    const slots = this.which ? Math.min(this.which.length, this.capacity) : this.capacity;
    for (let c = 0; c < slots; c++) {
      const colour = this.colourOf(this.which?.[c] ?? c);
      for (let s = 0; s < this.shapes.count; s++) this.tints.setXYZ(c * this.shapes.count + s, colour.r, colour.g, colour.b);
    }
    this.tints.needsUpdate = true;
  }

  private makeRoom(count: number): void {
    const detail = detailFor(count).join();
    if (count <= this.capacity && detail === this.detail) return;
    const parts = this.shapes!.count;
    this.capacity = count <= this.capacity ? this.capacity : Math.ceil(count * 1.25);
    this.detail = detail;
    this.mesh.geometry.dispose();
    const geometry = new THREE.InstancedBufferGeometry();
    const { seeds, indices } = hullGeometry(...detailFor(count));
    geometry.setAttribute("position", new THREE.BufferAttribute(seeds, 3));
    geometry.setAttribute("normal", new THREE.BufferAttribute(new Float32Array(seeds.length), 3));
    geometry.setIndex(indices);
    this.transforms = new Float32Array(this.capacity * parts * 7);
    this.buffer = new THREE.InstancedInterleavedBuffer(this.transforms, 7, 1);
    this.buffer.setUsage(THREE.DynamicDrawUsage);
    geometry.setAttribute("jointTurn", new THREE.InterleavedBufferAttribute(this.buffer, 4, 0));
    geometry.setAttribute("jointPlace", new THREE.InterleavedBufferAttribute(this.buffer, 3, 4));
    this.tints = new THREE.InstancedBufferAttribute(new Float32Array(this.capacity * parts * 3), 3);
    geometry.setAttribute("tint", this.tints);
    this.mesh.geometry = geometry;
    this.mesh.castShadow = this.mesh.castShadow && count <= 3000;
    this.paint();
  }

  dispose(): void {
    this.mesh.geometry.dispose();
    this.mesh.material.dispose();
    this.mesh.customDepthMaterial?.dispose();
  }
}
