// SPDX-License-Identifier: MIT
// Characters of GLB files in the place of the watched body: one that the library itself has written, as it is and under a
// node that turns and scales it.
import { readFileSync } from "node:fs";
import * as THREE from "three";
import { beforeAll, describe, expect, it } from "vitest";
import { Assets } from "../../src/lope/assets";
import { LOPE_OK, type Pointer, STUDIO_JOINT_FLOATS } from "../../src/lope/bindings";
import { Lope } from "../../src/lope/lope";
import { Avatar } from "../../src/view/avatar";

const site = new URL("../../../build/studio/site/", import.meta.url);
const bytes = (path: string) => new Uint8Array(readFileSync(new URL(path, site)));
let lope: Lope, set: Pointer<"lope_set">, skeleton: Pointer<"lope_skeleton">, joints: number, glb: Uint8Array;

/** A pose of the first clip, as a copy. */
function pose(time: number): Float32Array {
  const at = lope.allocate<"float">(4 * joints * STUDIO_JOINT_FLOATS);
  lope.c.studio_set_pose_as_is(set, 0, time, at);
  const copy = lope.floats(at, joints * STUDIO_JOINT_FLOATS).slice();
  lope.c.studio_free(at);
  return copy;
}

beforeAll(() => {
  lope = new Lope(new WebAssembly.Module(bytes("studio.wasm")));
  set = new Assets(lope).openBytes(bytes("data/set.lope"), "set.lope", (d, s, n) => lope.c.studio_set_open(d, s, n));
  skeleton = lope.c.studio_set_skeleton(set);
  joints = lope.c.studio_joint_count(skeleton);
  const film = lope.withText("me", (name) => lope.c.studio_film_create(skeleton, name, 1, 30));
  lope.withFloats(pose(0), (at) => lope.c.studio_film_put(film, 0, at, 0));
  lope.c.studio_film_finish(film);
  expect(lope.c.studio_film_glb(film)).toBe(LOPE_OK);
  glb = lope.writtenFile();
  lope.c.studio_film_destroy(film);
});

/** Largest distance of bones from the joints of a pose, and the lowest vertex of the skin. */
function measure(avatar: Avatar, wanted: Float32Array): { off: number; low: number } {
  const bones = new Map<string, THREE.Object3D>(), at = new THREE.Vector3();
  let off = 0, low = Infinity;
  avatar.object.updateMatrixWorld(true);
  avatar.object.traverse((one) => {
    if ((one as THREE.Bone).isBone) bones.set(one.name, one);
    const mesh = one as THREE.SkinnedMesh;
    if (!mesh.isSkinnedMesh) return;
    mesh.skeleton.update();
    for (let i = 0; i < mesh.geometry.attributes.position!.count; i++) low = Math.min(low, mesh.getVertexPosition(i, at).applyMatrix4(mesh.matrixWorld).y);
  });
  for (let j = 0; j < joints; j++) {
    const o = j * STUDIO_JOINT_FLOATS + 4, bone = bones.get(lope.text(lope.c.studio_joint_name(skeleton, j)))!;
    off = Math.max(off, at.setFromMatrixPosition(bone.matrixWorld).distanceTo(new THREE.Vector3(wanted[o], wanted[o + 1], wanted[o + 2])));
  }
  return { off, low };
}

/** Puts the skeleton under a node as Blender writes it; the skin looks as before. */
function underArmature(scene: THREE.Object3D): void {
  const mesh = scene.getObjectByProperty("isSkinnedMesh", true) as THREE.SkinnedMesh, root = mesh.skeleton.bones[0]!;
  const armature = new THREE.Group();
  armature.scale.setScalar(0.01);
  armature.rotation.x = Math.PI / 2;
  scene.add(armature);
  armature.updateMatrixWorld(true);
  for (const bone of mesh.skeleton.bones) if (bone !== root) bone.position.multiplyScalar(100);
  root.position.applyMatrix4(armature.matrixWorld.clone().invert());
  root.quaternion.premultiply(armature.quaternion.clone().invert());
  armature.add(root);
  scene.updateMatrixWorld(true);
  mesh.skeleton.calculateInverses();
}

describe("characters of GLB files", () => {
  for (const nested of [false, true])
    it(`follow what is played, ${nested ? "whatever stands above them" : "as they are"}`, async () => {
      let avatar = (await Avatar.read(lope, "me.glb", glb))!;
      if (nested) {
        const scene = avatar.object.children[0]!;
        avatar.dispose();
        underArmature(scene);
        avatar = new Avatar(lope, "me.glb", scene);
      }
      expect(avatar.follow(skeleton)).toBe(true);
      for (const time of [0, 0.4, 1.1]) {
        const wanted = pose(time);
        avatar.show(wanted, 0);
        const { off, low } = measure(avatar, wanted);
        expect(off).toBeLessThan(0.05); // it stands on the soles of its mesh, not on its joints
        expect(Math.abs(low)).toBeLessThan(0.02);
      }
      avatar.show(pose(0), 2); // on another floor: as far above it as before, a body of the same size at the same height
      expect(measure(avatar, pose(0)).off).toBeLessThan(0.05);
      avatar.dispose();
    });

  it("that have no skin are none, and damaged files say why", async () => {
    const bare = new TextEncoder().encode('{"asset":{"version":"2.0"},"scenes":[{"nodes":[]}],"scene":0}');
    expect(await Avatar.read(lope, "bare.gltf", bare)).toBeNull();
    await expect(Avatar.read(lope, "cut.glb", glb.slice(0, 300))).rejects.toThrow(/^cut\.glb: /);
  });
});
