// SPDX-License-Identifier: MIT
// A skinned character of a GLB file in the place of the watched body. three.js reads and draws it; the library carries
// motion over to its skeleton. What is found here is what `lope_avatar_open` finds: joints of the skins and what lies
// between them, the pose in which they were bound, soles of the mesh.
import * as THREE from "three";
import type { GLTF } from "three/examples/jsm/loaders/GLTFLoader.js";
import { STUDIO_JOINT_FLOATS, type Pointer } from "../lope/bindings";
import { Buffer, type Lope, LopeError } from "../lope/lope";

const HIPS = 0, LEFT_HIP = 13, LEFT_ANKLE = 15, RIGHT_ANKLE = 19; // lope_role; a toe comes after its ankle
const MOST_JOINTS = 32768;
const SAME_BIND = 1e-3;

type Joint = { readonly bone: THREE.Object3D; readonly parent: number; rest: THREE.Matrix4 };

/** The nodes that skins name, and all nodes between them and the topmost one: parents first. */
function findJoints(meshes: readonly THREE.SkinnedMesh[]): Joint[] {
  const wanted = new Set<THREE.Object3D>(meshes.flatMap((mesh) => mesh.skeleton.bones));
  const chain = (bone: THREE.Object3D) => {
    const all = [bone];
    for (let up = bone.parent; up; up = up.parent) all.push(up);
    return all;
  };
  let common = chain([...wanted][0]!);
  for (const bone of wanted) {
    const above = new Set(chain(bone));
    common = common.filter((one) => above.has(one));
  }
  const joints: Joint[] = [], inside = new Set<THREE.Object3D>();
  for (const bone of wanted) for (const one of chain(bone)) {
    inside.add(one);
    if (one === common[0]) break;
  }
  const add = (bone: THREE.Object3D, parent: number) => {
    const index = joints.push({ bone, parent, rest: bone.matrixWorld.clone() }) - 1;
    for (const child of bone.children) if (inside.has(child)) add(child, index);
  };
  if (common[0]) add(common[0], -1);
  return joints;
}

/** Meshes that hang on one skeleton with the one of the most bones. */
function mainMeshes(root: THREE.Object3D): THREE.SkinnedMesh[] {
  const all: THREE.SkinnedMesh[] = [];
  root.traverse((one) => (one as THREE.SkinnedMesh).isSkinnedMesh && all.push(one as THREE.SkinnedMesh));
  all.sort((a, b) => b.skeleton.bones.length - a.skeleton.bones.length);
  const bones = new Set(all[0]?.skeleton.bones);
  return all.filter((mesh) => mesh.skeleton.bones.some((bone) => bones.has(bone)));
}

function differ(a: THREE.Matrix4, b: THREE.Matrix4, length: number): boolean {
  const size = Math.max(...a.elements.map(Math.abs).slice(0, 11));
  return a.elements.some((value, i) => Math.abs(value - b.elements[i]!) > SAME_BIND * (i < 12 ? size : length));
}

/** Puts joints to where they were bound, where the file was saved in another pose. */
function takeBinds(joints: readonly Joint[], meshes: readonly THREE.SkinnedMesh[]): void {
  const { bones, boneInverses } = meshes[0]!.skeleton;
  const bound = new Map(bones.map((bone, i) => [bone as THREE.Object3D, boneInverses[i]!.clone().invert()]));
  const first = joints.find(({ bone }) => bound.has(bone));
  if (!first) return;
  const byJoint = first.rest.clone().multiply(bound.get(first.bone)!.clone().invert());
  const length = new THREE.Box3().setFromPoints(joints.map(({ rest }) => new THREE.Vector3().setFromMatrixPosition(rest))).getSize(new THREE.Vector3()).length() || 1;
  const placed = (space: THREE.Matrix4, joint: Joint) => space.clone().multiply(bound.get(joint.bone)!);
  if (!joints.some((joint) => bound.has(joint.bone) && differ(joint.rest, placed(byJoint, joint), length))) return;
  const byNode = joints[0]!.bone.parent?.matrixWorld ?? new THREE.Matrix4();
  const near = Math.abs(byNode.getMaxScaleOnAxis() / byJoint.getMaxScaleOnAxis() - 1) < 0.02;
  for (const joint of joints)
    if (bound.has(joint.bone)) joint.rest = placed(near ? byNode : byJoint, joint);
    else if (joint.parent >= 0) joint.rest = joints[joint.parent]!.rest.clone().multiply(joint.bone.matrix);
}

/** Joints as the bridge takes them: turn and place of each. */
function flat(joints: readonly Joint[]): Float32Array {
  const out = new Float32Array(joints.length * STUDIO_JOINT_FLOATS);
  const place = new THREE.Vector3(), turn = new THREE.Quaternion(), size = new THREE.Vector3();
  joints.forEach(({ rest }, j) => {
    rest.decompose(place, turn, size);
    out.set([...turn.toArray(), ...place.toArray()], j * STUDIO_JOINT_FLOATS);
  });
  return out;
}

export class Avatar {
  readonly object = new THREE.Group();
  private handle: Pointer<"studio_avatar">;
  private readonly joints: readonly Joint[];
  private readonly meshes: readonly THREE.SkinnedMesh[];
  private readonly poses: Buffer;
  private source: Pointer<"lope_skeleton"> | null = null;
  private follows = false;
  private readonly above: THREE.Matrix4;
  private readonly aboveTurn: THREE.Quaternion;

  /** Reads a GLB file; null where it has no skin. */
  static async read(lope: Lope, name: string, bytes: Uint8Array): Promise<Avatar | null> {
    const { GLTFLoader } = await import("three/examples/jsm/loaders/GLTFLoader.js");
    let file: GLTF;
    try {
      file = await new GLTFLoader().parseAsync(bytes.slice().buffer, "");
    } catch (problem) {
      throw new LopeError(`${name}: ${(problem as Error).message}`);
    }
    file.scene.updateMatrixWorld(true);
    return mainMeshes(file.scene).length ? new Avatar(lope, name, file.scene) : null;
  }

  constructor(private readonly lope: Lope, readonly name: string, scene: THREE.Object3D) {
    this.meshes = mainMeshes(scene);
    this.joints = findJoints(this.meshes);
    if (!this.joints.length || this.joints.length > MOST_JOINTS) throw new LopeError(`${name}: expected joints in one tree, found ${this.joints.length}`);
    takeBinds(this.joints, this.meshes);
    this.poses = new Buffer(lope);
    this.handle = this.create(new Float32Array(3 * this.joints.length));
    const tips = this.tips();
    lope.c.studio_avatar_destroy(this.handle);
    this.handle = this.create(tips);
    this.above = (this.joints[0]!.bone.parent?.matrixWorld ?? new THREE.Matrix4()).clone().invert();
    this.aboveTurn = new THREE.Quaternion().setFromRotationMatrix(new THREE.Matrix4().extractRotation(this.above));
    this.object.add(scene);
    this.object.visible = false;
    scene.traverse((one) => {
      one.castShadow = one.receiveShadow = true;
      one.frustumCulled = false; // bounds are those of the bind pose
    });
  }

  private create(tips: Float32Array): Pointer<"studio_avatar"> {
    const { lope, joints } = this;
    const used = new Set<string>();
    const names = joints.map(({ bone }, j) => {
      const name = String(bone.userData.name ?? bone.name) || "joint"; // three.js keeps the file's own name there
      const own = used.has(name) ? `${name}_${j}` : name;
      used.add(own);
      return own;
    });
    const text = new TextEncoder().encode(names.map((name) => `${name.replace(/\0/g, "")}\0`).join(""));
    const at = lope.keepFile(text) as Pointer<"char">, parents = lope.allocate<"int">(4 * joints.length);
    lope.ints(parents, joints.length).set(joints.map(({ parent }) => parent));
    try {
      return lope.need(lope.withFloats(flat(joints), (model) => lope.withFloats(tips, (ends) => lope.c.studio_avatar_create(at, parents, model, ends, joints.length))));
    } finally {
      lope.c.studio_free(at);
      lope.c.studio_free(parents);
    }
  }

  private role(role: number): number {
    return this.lope.c.studio_joint_of_role(this.lope.c.studio_avatar_skeleton(this.handle), role);
  }

  private isBelow(joint: number, above: number): boolean {
    while (joint > above) joint = this.joints[joint]!.parent;
    return joint === above;
  }

  /** Ends of the feet at the soles of the mesh: as far ahead as the foremost vertex, as deep as the lowest. */
  private tips(): Float32Array {
    const tips = new Float32Array(3 * this.joints.length);
    const place = (joint: number) => new THREE.Vector3().setFromMatrixPosition(this.joints[joint]!.rest);
    if (this.role(HIPS) < 0 || this.role(LEFT_HIP) < 0) return tips;
    const across = place(this.role(LEFT_HIP)).sub(place(this.role(LEFT_HIP + 4)));
    for (const role of [LEFT_ANKLE, RIGHT_ANKLE]) {
      const ankle = this.role(role), toe = this.role(role + 1);
      if (ankle < 0) continue;
      const at = place(ankle), ahead = toe >= 0 ? place(toe).sub(at) : across.clone().cross(new THREE.Vector3(0, 1, 0));
      ahead.setY(0).normalize();
      const { low, front } = this.reach(ankle, at, ahead);
      if (!(low < at.y) || !Number.isFinite(front)) continue;
      const carrier = this.joints[toe >= 0 ? toe : ankle]!.rest, turn = new THREE.Quaternion(), origin = new THREE.Vector3();
      carrier.decompose(origin, turn, new THREE.Vector3());
      at.addScaledVector(ahead, Math.max(0, front)).setY(low);
      tips.set(at.sub(origin).applyQuaternion(turn.invert()).toArray(), 3 * (toe >= 0 ? toe : ankle));
    }
    return tips;
  }

  private reach(ankle: number, at: THREE.Vector3, ahead: THREE.Vector3): { low: number; front: number } {
    let low = Infinity, front = -Infinity;
    const vertex = new THREE.Vector3(), move = new THREE.Matrix4();
    for (const { geometry, skeleton } of this.meshes) {
      const { position, skinIndex, skinWeight } = geometry.attributes;
      if (!position || !skinIndex || !skinWeight) continue;
      const slots = skeleton.bones.map((bone) => this.joints.findIndex((joint) => joint.bone === bone));
      for (let v = 0; v < position.count; v++) {
        let most = 0;
        for (let k = 1; k < 4; k++) if (skinWeight.getComponent(v, k) > skinWeight.getComponent(v, most)) most = k;
        const slot = skinIndex.getComponent(v, most), joint = slots[slot] ?? -1;
        if (joint < ankle || !this.isBelow(joint, ankle)) continue;
        move.multiplyMatrices(this.joints[joint]!.rest, skeleton.boneInverses[slot]!);
        vertex.fromBufferAttribute(position, v).applyMatrix4(move);
        low = Math.min(low, vertex.y);
        front = Math.max(front, vertex.sub(at).dot(ahead));
      }
    }
    return { low, front };
  }

  /** Whether it can follow characters of that skeleton. */
  follow(skeleton: Pointer<"lope_skeleton">): boolean {
    if (skeleton === this.source) return this.follows;
    this.source = skeleton;
    this.follows = this.lope.c.studio_avatar_follow(this.handle, skeleton) === 0;
    return this.follows;
  }

  /** Joints in the world, as the character in `pose` has them. */
  posed(pose: Float32Array, floor: number): Float32Array {
    const floats = this.joints.length * STUDIO_JOINT_FLOATS, { lope } = this;
    const from = this.poses.room(4 * (floats + pose.length)) as Pointer<"float">, to = (from + 4 * pose.length) as Pointer<"float">;
    lope.floats(from, pose.length).set(pose);
    lope.c.studio_avatar_pose(this.handle, from, floor, to);
    return lope.floats(to, floats);
  }

  show(pose: Float32Array, floor: number): void {
    const at = this.posed(pose, floor), turn = new THREE.Quaternion(), back = new THREE.Quaternion();
    this.joints.forEach(({ bone, parent }, j) => {
      const o = j * STUDIO_JOINT_FLOATS, p = parent * STUDIO_JOINT_FLOATS;
      turn.set(at[o]!, at[o + 1]!, at[o + 2]!, at[o + 3]!);
      if (parent < 0) bone.position.set(at[o + 4]!, at[o + 5]!, at[o + 6]!).applyMatrix4(this.above);
      back.copy(this.aboveTurn);
      if (parent >= 0) back.set(-at[p]!, -at[p + 1]!, -at[p + 2]!, at[p + 3]!);
      bone.quaternion.multiplyQuaternions(back, turn);
    });
    this.object.visible = true;
  }

  dispose(): void {
    this.lope.c.studio_avatar_destroy(this.handle);
    this.poses.free();
    this.object.removeFromParent();
    this.object.traverse((one) => {
      const { geometry, material } = one as THREE.Mesh;
      geometry?.dispose();
      for (const each of [material ?? []].flat()) {
        for (const value of Object.values(each)) if (value instanceof THREE.Texture) value.dispose();
        each.dispose();
      }
    });
  }
}
