// SPDX-License-Identifier: MIT
// Plans beside the page, which stays alive meanwhile. A search that is stopped hands over what it has.
import { STUDIO_CLIMB_NUMBERS, STUDIO_JOINT_FLOATS, type Pointer } from "../../lope/bindings";
import type { Lope } from "../../lope/lope";
import { serve } from "../../lope/worker";
import type { Plan, SolveRequest } from "./plan";

let skeleton: Pointer<"lope_skeleton">;
/** To take back: the last one that was made. */
let last = 0 as Pointer<"studio_climb">;

function begin(lope: Lope, rings: Uint8Array): void {
  const data = lope.keepFile(rings);
  const opened = lope.need(lope.withText("rings", (name) => lope.c.studio_rings_open(data, rings.length, name)));
  skeleton = lope.c.studio_rings_skeleton(opened);
}

function solve(lope: Lope, request: SolveRequest): Plan {
  const { c } = lope;
  const begun = performance.now();
  const size = new TextEncoder().encode(request.text).length;
  const scene = lope.need(lope.withText(request.text, (text) => lope.withText(request.name, (name) => c.studio_climb_read(text, size, name))));
  try {
    const before = request.keep === undefined ? (0 as typeof last) : last;
    const solved = lope.need(request.saved ? open(lope, scene, request.saved)
      : c.studio_climb_solve(scene, skeleton, before, request.keep ?? 0, request.planner, request.seed, 0, request.rate));
    const message = lope.text(c.studio_error());
    c.studio_climb_destroy(last);
    last = solved;
    return read(lope, solved, message, request.rate, (performance.now() - begun) / 1000);
  } finally {
    c.studio_climb_scene_destroy(scene);
  }
}

function open(lope: Lope, scene: Pointer<"lope_climb_scene">, saved: Uint8Array): Pointer<"studio_climb"> {
  const data = lope.keepFile(saved);
  try {
    return lope.withText("the plan", (name) => lope.c.studio_climb_open(scene, skeleton, data, saved.length, name));
  } finally {
    lope.c.studio_free(data);
  }
}

function read(lope: Lope, solved: Pointer<"studio_climb">, message: string, rate: number, seconds: number): Plan {
  const { c } = lope;
  const floats = c.studio_joint_count(skeleton) * STUDIO_JOINT_FLOATS;
  const at: Pointer = lope.allocate(4 * floats + 8 * STUDIO_CLIMB_NUMBERS);
  c.studio_climb_numbers(solved, at);
  const numbers = [...lope.doubles(at, STUDIO_CLIMB_NUMBERS)];
  const [complete, frames, steps, left, looked] = numbers as [number, number, number, number, number];
  const [kept, wentBack] = numbers.slice(8) as [number, number];
  const plan = {
    complete: complete > 0, message, frames, rate, left, looked, seconds, kept, wentBack,
    poses: new Float32Array(frames * floats), contacts: new Uint16Array(frames), modes: new Uint8Array(frames), held: new Int16Array(4 * frames),
    steps: Array.from({ length: steps + 1 }, (_, i) => c.studio_climb_step_frame(solved, i)),
  };
  for (let i = 0; i < frames; i++) {
    plan.contacts[i] = c.studio_climb_pose(solved, i, at);
    plan.poses.set(lope.floats(at, floats), i * floats);
    plan.modes[i] = c.studio_climb_held(solved, i, at);
    plan.held.set(lope.ints(at, 4), 4 * i);
  }
  c.studio_free(at);
  c.studio_climb_save(solved);
  return { ...plan, file: lope.writtenFile() };
}

serve(begin, solve);
