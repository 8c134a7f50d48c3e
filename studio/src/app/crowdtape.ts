// SPDX-License-Identifier: MIT
// The past of many characters in little room: where each one's root was and how its joints were turned, some times a
// second; what lies between is mixed. Joints keep their distances, so their places follow.
import { STUDIO_JOINT_FLOATS } from "../lope/bindings";
import { mixTurns, packTurn, unpackTurn } from "./turns";

const MEGABYTE = 1024 * 1024;
const BUDGET = (((globalThis.navigator as { deviceMemory?: number } | undefined)?.deviceMemory ?? 8) <= 4 ? 64 : 160) * MEGABYTE;
const LEAST_RATE = 15; // frames a second that are kept: steps of walking are still steps
const WANTED = 60; // seconds

export interface TapeBody {
  /** Number of each joint's parent; -1: none. */
  readonly parents: ArrayLike<number>;
}

export class CrowdTape {
  private parents: ArrayLike<number> = [];
  private offsets = new Float32Array(0); // of joints in their parents' frames
  private count = 0;
  private every = 1;
  private rate = 60;
  private places = new Float32Array(0);
  private turns = new Uint32Array(0);
  private times = new Float64Array(0);
  private added = 0;
  private kept = 0;
  private shown = new Float32Array(0);
  private readonly pair = [new Float32Array(4), new Float32Array(4)] as const;

  constructor(private readonly budget = BUDGET) {}

  /** How much of the past is kept, in seconds. */
  get seconds(): number {
    return (this.times.length * this.every) / this.rate;
  }

  /** Begins anew with everybody as they are. */
  reset({ parents }: TapeBody, poses: Float32Array, count: number, rate: number): void {
    const joints = parents.length, bytes = count * (12 + 4 * joints);
    this.parents = parents;
    this.rate = rate;
    // As many frames a second as there is room for in the wanted time, but not so few that walking is lost.
    const coarsest = Math.max(1, Math.floor(rate / LEAST_RATE));
    this.every = Math.min(coarsest, Math.max(1, Math.ceil((bytes * WANTED * rate) / this.budget)));
    const frames = Math.max(2, Math.min(Math.ceil((WANTED * rate) / this.every) + 1, Math.floor(this.budget / Math.max(1, bytes))));
    if (this.count !== count || this.times.length !== frames || this.turns.length !== frames * count * joints) {
      this.places = new Float32Array(0); // let go before taking more
      this.turns = new Uint32Array(0);
      this.places = new Float32Array(frames * count * 3);
      this.turns = new Uint32Array(frames * count * joints);
      this.times = new Float64Array(frames);
    }
    this.count = count;
    this.added = this.kept = 0;
    this.measure(poses);
  }

  /** Joints' places in their parents' frames, of the first character. */
  private measure(poses: Float32Array): void {
    this.offsets = new Float32Array(3 * this.parents.length);
    for (let j = 1; j < this.parents.length; j++) {
      const at = j * STUDIO_JOINT_FLOATS, up = this.parents[j]! * STUDIO_JOINT_FLOATS;
      const off = [0, 1, 2].map((i) => poses[at + 4 + i]! - poses[up + 4 + i]!) as [number, number, number];
      this.offsets.set(turned(-poses[up]!, -poses[up + 1]!, -poses[up + 2]!, poses[up + 3]!, ...off), 3 * j);
    }
  }

  add(poses: Float32Array, time: number): void {
    if (this.added++ % this.every !== 0) return;
    const slot = this.kept++ % this.times.length, joints = this.parents.length;
    this.times[slot] = time;
    let place = slot * this.count * 3, turn = slot * this.count * joints, at = 0;
    for (let c = 0; c < this.count; c++) {
      for (let i = 0; i < 3; i++) this.places[place++] = poses[at + 4 + i]!;
      for (let j = 0; j < joints; j++, at += STUDIO_JOINT_FLOATS) this.turns[turn++] = packTurn(poses, at);
    }
  }

  /** Everybody at a moment, or as near to it as is kept. A view that the next call changes. */
  at(time: number): Float32Array {
    const frames = Math.min(this.kept, this.times.length), first = this.kept - frames;
    const slot = (n: number) => (first + Math.min(Math.max(0, n), frames - 1)) % this.times.length;
    let after = 0;
    while (after < frames - 1 && this.times[slot(after)]! < time) after++;
    const a = slot(after - 1), b = slot(after);
    const span = this.times[b]! - this.times[a]!;
    this.mix(a, b, span > 0 ? Math.min(1, Math.max(0, (time - this.times[a]!) / span)) : 1);
    return this.shown;
  }

  private mix(a: number, b: number, share: number): void {
    const joints = this.parents.length, { count, shown } = this;
    if (shown.length !== count * joints * STUDIO_JOINT_FLOATS) this.shown = new Float32Array(count * joints * STUDIO_JOINT_FLOATS);
    for (let c = 0; c < count; c++) {
      const root = c * joints * STUDIO_JOINT_FLOATS;
      for (let i = 0; i < 3; i++)
        this.shown[root + 4 + i] = (1 - share) * this.places[(a * count + c) * 3 + i]! + share * this.places[(b * count + c) * 3 + i]!;
      this.pose(c, (a * count + c) * joints, (b * count + c) * joints, share);
    }
  }

  /** Turns the joints of a character, and puts them where their parents carry them. */
  private pose(c: number, a: number, b: number, share: number): void {
    const joints = this.parents.length, { shown, offsets } = this, [p, q] = this.pair;
    for (let j = 0; j < joints; j++) {
      const at = (c * joints + j) * STUDIO_JOINT_FLOATS;
      unpackTurn(this.turns[a + j]!, p, 0);
      unpackTurn(this.turns[b + j]!, q, 0);
      mixTurns(p, 0, q, 0, share, shown, at);
      if (j === 0) continue;
      const up = (c * joints + this.parents[j]!) * STUDIO_JOINT_FLOATS;
      const by = turned(shown[up]!, shown[up + 1]!, shown[up + 2]!, shown[up + 3]!, offsets[3 * j]!, offsets[3 * j + 1]!, offsets[3 * j + 2]!);
      for (let i = 0; i < 3; i++) shown[at + 4 + i] = shown[up + 4 + i]! + by[i]!;
    }
  }
}

/** A vector turned by a quaternion. */
function turned(x: number, y: number, z: number, w: number, a: number, b: number, c: number): [number, number, number] {
  const u = y * c - z * b + w * a, v = z * a - x * c + w * b, t = x * b - y * a + w * c;
  return [a + 2 * (y * t - z * v), b + 2 * (z * u - x * t), c + 2 * (x * v - y * u)];
}
