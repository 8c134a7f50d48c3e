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
attribute vec4 jointPlace; // the last is the colour, see packed()
varying vec3 vTint;
vec3 unpacked(float c) {
  vec3 root = vec3(mod(c, 256.0), mod(floor(c / 256.0), 256.0), floor(c / 65536.0)) / 255.0;
  return root * root;
}
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
  place = jointPlace.xyz + turned(jointTurn, local);
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

/** What a body of a skeleton looks like; with `most`, only so many of its largest shapes, for those who are far away. */
export class BodyShapes {
  readonly joints: number;
  readonly count: number;
  readonly jointOf: Int32Array;
  readonly table: THREE.DataTexture;

  constructor(lope: Lope, readonly skeleton: Pointer<"lope_skeleton">, most = Infinity) {
    this.joints = lope.c.studio_joint_count(skeleton);
    const room = 2 * this.joints + 8;
    const at = lope.allocate<"float">(4 * room * STUDIO_SHAPE_FLOATS);
    const found = lope.c.studio_body_shapes(skeleton, at, room);
    const floats = lope.floats(at, found * STUDIO_SHAPE_FLOATS);
    const all = Array.from({ length: found }, (_, i) => floats.slice(i * STUDIO_SHAPE_FLOATS, (i + 1) * STUDIO_SHAPE_FLOATS));
    lope.c.studio_free(at);
    const shapes = all.sort((a, b) => seen(b) - seen(a)).slice(0, most);
    this.count = shapes.length;
    this.jointOf = Int32Array.from(shapes, (shape) => shape[0]!);
    const texels = new Float32Array(12 * this.count);
    shapes.forEach((shape, i) => texels.set(shape.subarray(1), 12 * i));
    this.table = new THREE.DataTexture(texels, 3, this.count, THREE.RGBAFormat, THREE.FloatType);
    this.table.needsUpdate = true;
  }
}

/** About how much of a shape is seen from the side: ends x y z radius, x y z radius, as in studio_body_shapes. */
function seen(shape: Float32Array): number {
  const length = Math.hypot(shape[5]! - shape[1]!, shape[6]! - shape[2]!, shape[7]! - shape[3]!);
  return (length + shape[4]! + shape[8]!) * (shape[4]! + shape[8]!);
}

/** Sectors and rings of a hull. */
export type Detail = readonly [number, number];

/** A colour in one float that holds all whole numbers up to 2^24; of each part its root, because dark ones need more steps. */
export function packed({ r, g, b }: { readonly r: number; readonly g: number; readonly b: number }): number {
  const byte = (v: number) => Math.round(255 * Math.sqrt(Math.min(1, Math.max(0, v))));
  return byte(r) + 256 * byte(g) + 65536 * byte(b);
}

const STRIDE = STUDIO_JOINT_FLOATS + 1;

export class Bodies {
  readonly mesh: THREE.Mesh<THREE.InstancedBufferGeometry, THREE.MeshStandardMaterial>;
  private readonly uniforms: { shapeTable: { value: THREE.Texture | null }; shapeCount: { value: number } };
  private shapes: BodyShapes | null = null;
  private transforms = new Float32Array(0);
  private buffer: THREE.InstancedInterleavedBuffer | null = null;
  private capacity = 0;
  private detail = "";

  constructor({ opacity = 1, shadows = true }: { opacity?: number; shadows?: boolean } = {}) {
    this.uniforms = { shapeTable: { value: null }, shapeCount: { value: 1 } };
    const material = new THREE.MeshStandardMaterial({ roughness: 0.62, metalness: 0.02, transparent: opacity < 1, opacity });
    const depth = new THREE.MeshDepthMaterial({ depthPacking: THREE.RGBADepthPacking });
    for (const each of [material, depth]) this.teach(each, each === material);
    this.mesh = new THREE.Mesh(new THREE.InstancedBufferGeometry(), material);
    this.mesh.customDepthMaterial = depth;
    this.mesh.frustumCulled = false;
    this.mesh.castShadow = shadows && opacity === 1;
    this.mesh.receiveShadow = opacity === 1;
    this.mesh.visible = false;
  }

  private teach(material: THREE.Material, coloured: boolean): void {
    material.onBeforeCompile = (shader) => {
      Object.assign(shader.uniforms, this.uniforms);
      shader.vertexShader = shader.vertexShader
        .replace("#include <common>", `#include <common>\n${HEAD}`)
        .replace("#include <begin_vertex>", coloured ? "vec3 transformed = bodyPlace;" : "vec3 transformed, unused;\nbodyVertex(position, transformed, unused);")
        .replace("#include <beginnormal_vertex>", coloured ? "vec3 bodyPlace, objectNormal;\nbodyVertex(position, bodyPlace, objectNormal);\nvTint = unpacked(jointPlace.w);" : "");
      if (coloured)
        shader.fragmentShader = shader.fragmentShader
          .replace("#include <common>", "#include <common>\nvarying vec3 vTint;")
          .replace("#include <color_fragment>", "#include <color_fragment>\ndiffuseColor.rgb *= vTint;");
    };
  }

  /** Shows some characters, by their numbers, each in its colour. */
  show(shapes: BodyShapes, poses: Float32Array, which: ArrayLike<number>, count: number, colours: ArrayLike<number>, detail: Detail): void {
    if (this.shapes !== shapes) {
      this.shapes = shapes;
      this.uniforms.shapeTable.value = shapes.table;
      this.uniforms.shapeCount.value = shapes.count;
      this.capacity = 0;
    }
    this.mesh.visible = count > 0;
    if (count === 0) return;
    this.makeRoom(count, detail);
    const { joints, jointOf, count: parts } = shapes;
    const out = this.transforms;
    for (let slot = 0, o = 0; slot < count; slot++) {
      const c = which[slot]!, colour = colours[c]!;
      for (let s = 0; s < parts; s++, o += STRIDE) {
        const from = (c * joints + jointOf[s]!) * STUDIO_JOINT_FLOATS;
        out[o] = poses[from]!;
        out[o + 1] = poses[from + 1]!;
        out[o + 2] = poses[from + 2]!;
        out[o + 3] = poses[from + 3]!;
        out[o + 4] = poses[from + 4]!;
        out[o + 5] = poses[from + 5]!;
        out[o + 6] = poses[from + 6]!;
        out[o + 7] = colour;
      }
    }
    this.mesh.geometry.instanceCount = count * parts;
    this.buffer!.clearUpdateRanges();
    this.buffer!.addUpdateRange(0, count * parts * STRIDE);
    this.buffer!.needsUpdate = true;
  }

  private makeRoom(count: number, detail: Detail): void {
    if (count <= this.capacity && detail.join() === this.detail) return;
    this.capacity = count <= this.capacity ? this.capacity : Math.ceil(count * 1.25);
    this.detail = detail.join();
    this.mesh.geometry.dispose();
    const geometry = new THREE.InstancedBufferGeometry();
    const { seeds, indices } = hullGeometry(...detail);
    geometry.setAttribute("position", new THREE.BufferAttribute(seeds, 3));
    geometry.setAttribute("normal", new THREE.BufferAttribute(new Float32Array(seeds.length), 3));
    geometry.setIndex(indices);
    this.transforms = new Float32Array(this.capacity * this.shapes!.count * STRIDE);
    this.buffer = new THREE.InstancedInterleavedBuffer(this.transforms, STRIDE, 1);
    this.buffer.setUsage(THREE.DynamicDrawUsage);
    geometry.setAttribute("jointTurn", new THREE.InterleavedBufferAttribute(this.buffer, 4, 0));
    geometry.setAttribute("jointPlace", new THREE.InterleavedBufferAttribute(this.buffer, 4, 4));
    this.mesh.geometry = geometry;
  }

  dispose(): void {
    this.mesh.geometry.dispose();
    this.mesh.material.dispose();
    this.mesh.customDepthMaterial?.dispose();
  }
}
