// SPDX-License-Identifier: MIT
// A plan as it comes from the worker: all frames, as arrays.

export interface Plan {
  readonly complete: boolean;
  /** What is missing where it does not arrive, or where nothing new did. */
  readonly message: string;
  readonly frames: number;
  readonly rate: number;
  /** Joints in the world, frame after frame. */
  readonly poses: Float32Array;
  readonly contacts: Uint16Array;
  readonly modes: Uint8Array;
  /** The hold of each of four limbs, frame after frame; -1: none. */
  readonly held: Int16Array;
  /** Frames at which a change of grasp is done. */
  readonly steps: readonly number[];
  readonly left: number;
  readonly looked: number;
  readonly seconds: number; // it took
  /** Frames of the plan before that are part of it. */
  readonly kept: number;
  /** Changes of grasp that it went back further than was asked for: nothing led on from there. */
  readonly wentBack: number;
  /** The plan as a file, to be opened again. */
  readonly file: Uint8Array<ArrayBuffer>;
}

export interface SolveRequest {
  readonly text: string;
  readonly name: string;
  /** lope_climb_planner */
  readonly planner: number;
  readonly seed: number;
  readonly rate: number;
  /** Keeps the last plan up to about this frame and plans on from there. */
  readonly keep?: number;
  /** Takes this plan instead of making one. */
  readonly saved?: Uint8Array;
}

/** What a new plan is announced with. */
export function newsOf(plan: Plan): string {
  if (plan.message) return plan.message;
  const solved = `Solved: ${plan.steps.length - 1} changes of grasp`;
  return plan.wentBack ? `${solved}. Nothing led on from there: it goes on from ${(plan.kept / plan.rate).toFixed(1)} s` : solved;
}

/** The step that is under way in a frame: the last one that was done. */
export function stepAt(steps: readonly number[], frame: number): number {
  let step = 0;
  while (step + 1 < steps.length && steps[step + 1]! <= frame) step++;
  return step;
}
