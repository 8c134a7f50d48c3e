// SPDX-License-Identifier: MIT
// Climbing scenes as data, and plans of the module.
import { readFileSync } from "node:fs";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { Assets } from "../../src/lope/assets";
import { LOPE_PLANNER_CONTACTS, LOPE_PLANNER_THESIS, STUDIO_CLIMB_NUMBERS, type Pointer } from "../../src/lope/bindings";
import { Lope } from "../../src/lope/lope";
import { type ClimbFile, climbText, holdPoints, itemAt, looksLikeClimb, moved, removed, siteAt, withBox, withHold, withPose, withVia } from "../../src/scenes/grasp/file";
import { newsOf, type Plan, stepAt } from "../../src/scenes/grasp/plan";
import { poseFile, poseNumbers } from "../../src/scenes/grasp/posture";

vi.setConfig({ testTimeout: 60000 }); // plans take seconds where others use the machine too
const site = new URL("../../../build/studio/site/", import.meta.url);
const scene = (name: string) => JSON.parse(readFileSync(new URL(`scenes/climb/${name}.json`, site), "utf8")) as ClimbFile;

describe("a climbing scene", () => {
  const file = scene("climbing");

  it("is taken hold of: sites before holds before obstacles", () => {
    expect(itemAt(file, 6.0, 2.95)).toEqual({ kind: "goal" });
    expect(itemAt(file, 0.72, 0.5)).toEqual({ kind: "start" });
    expect(itemAt(file, 3, 1.7)).toEqual({ kind: "hold", index: 1 });
    expect(itemAt(file, 5, 1)).toEqual({ kind: "obstacle", index: 1 });
    expect(itemAt(file, 1.5, 4)).toBeNull();
  });

  it("is changed without touching what was there", () => {
    const before = climbText(file);
    const dragged = moved(file, { kind: "goal" }, -1, 0.5);
    expect(dragged.goal).toEqual({ at: [5, 3.4], facing: "right" });
    expect(moved(file, { kind: "obstacle", index: 0 }, 0, 1).obstacles![0]).toEqual({ box: [[0, 1], [3, 1.5]] });
    expect(moved(file, { kind: "hold", index: 1 }, 0.1, 0).holds![1]).toMatchObject({ from: [3.1, 0.8], to: [3.1, 2.8] });
    expect(withHold(file, 2, 3, "pendent").holds!.at(-1)).toEqual({ at: [2, 3], kind: "pendent" });
    expect(withHold(file, 2, 3, undefined).holds!.at(-1)).toEqual({ at: [2, 3] });
    expect(withVia(file, 3.5, 3).via).toEqual([{ at: [3.5, 3] }]);
    expect(withBox(file, [2, 3], [1, 2]).obstacles!.at(-1)).toEqual({ box: [[1, 2], [2, 3]] });
    expect(withBox(file, [2, 3], [2.01, 4])).toBe(file);
    expect(removed(file, { kind: "hold", index: 1 }).holds).toHaveLength(2);
    expect(removed(file, { kind: "start" })).toBe(file);
    expect(climbText(file)).toBe(before);
  });

  it("has points along its stretches", () => {
    expect(holdPoints({ from: [0, 0], to: [0.9, 0], spacing: 0.3 })).toHaveLength(4);
    expect(holdPoints({ at: [1, 2] })).toEqual([[1, 2]]);
  });

  it("is told from something else", () => {
    expect(looksLikeClimb(file)).toBe(true);
    for (const wrong of [null, 3, [], {}, { bounds: [[0, 0], [1, 1]] }, { ...file, holds: "x" }, { ...file, start: { at: [0] } }]) expect(looksLikeClimb(wrong)).toBe(false);
  });

  it("has sites that are poses and sequences", () => {
    const slide = scene("slide");
    expect(looksLikeClimb(slide)).toBe(true);
    const first = siteAt(slide.via![0]!);
    expect(siteAt(moved(slide, { kind: "via", index: 0 }, 0.5, 0).via![0]!)[0]).toBeCloseTo(first[0] + 0.5);
    expect(itemAt(slide, ...first)).toEqual({ kind: "via", index: 0 });
    const pose = { hip: [2, 1.5], spine: 12.5, left_leg: [20, 30], facing: "left" } as const;
    expect(poseFile(poseNumbers(pose))).toEqual({ ...pose, neck: 0, left_arm: [0, 0], right_arm: [0, 0], right_leg: [0, 0] });
    expect(withPose(slide, "goal", pose).goal).toEqual({ pose });
    expect(withPose(slide, "via", pose).via).toHaveLength(2);
    for (const wrong of [{ ...slide, start: { pose: {} } }, { ...slide, via: [{ sequence: { poses: [] } }] }]) expect(looksLikeClimb(wrong)).toBe(false);
  });

  it("knows which change of grasp is under way", () => {
    expect([0, 9, 10, 25, 99].map((frame) => stepAt([0, 10, 20], frame))).toEqual([0, 0, 1, 2, 2]);
  });

  it("is announced with what came of it", () => {
    const plan = { message: "", steps: [0, 10, 20], rate: 60, kept: 0, wentBack: 0 } as unknown as Plan;
    expect(newsOf(plan)).toBe("Solved: 2 changes of grasp");
    expect(newsOf({ ...plan, kept: 90, wentBack: 3 })).toBe("Solved: 2 changes of grasp. Nothing led on from there: it goes on from 1.5 s");
    expect(newsOf({ ...plan, message: "the plan stays as it was" })).toBe("the plan stays as it was");
  });
});

describe("plans", () => {
  let lope: Lope;
  let skeleton: Pointer<"lope_skeleton">;
  beforeAll(() => {
    const bytes = (path: string) => new Uint8Array(readFileSync(new URL(path, site)));
    lope = new Lope(new WebAssembly.Module(bytes("studio.wasm")));
    const rings = new Assets(lope).openBytes(bytes("data/rings.lope"), "rings.lope", (d, s, n) => lope.c.studio_rings_open(d, s, n));
    skeleton = lope.c.studio_rings_skeleton(rings);
  });
  const read = (file: ClimbFile) => {
    const text = climbText(file);
    return lope.withText(text, (at) => lope.withText("my.json", (name) => lope.c.studio_climb_read(at, text.length, name)));
  };
  const solve = (file: ClimbFile) => {
    const opened = lope.need(read(file));
    const plan = lope.need(lope.c.studio_climb_solve(opened, skeleton, 0 as Pointer<"studio_climb">, 0, LOPE_PLANNER_CONTACTS, 1, 400, 60));
    const at = lope.allocate<"double">(8 * STUDIO_CLIMB_NUMBERS);
    lope.c.studio_climb_numbers(plan, at);
    const [complete, frames, steps, left] = [...lope.doubles(at, STUDIO_CLIMB_NUMBERS)] as [number, number, number, number];
    return { plan, complete, frames, steps, left, message: lope.lastError() };
  };

  it("get up a wall, hands and feet on their holds", () => {
    const { plan, complete, frames, steps } = solve(scene("climbing"));
    expect(complete).toBe(1);
    expect(frames).toBeGreaterThan(300);
    const pose = lope.allocate<"float">(4 * 7 * lope.c.studio_joint_count(skeleton));
    lope.c.studio_climb_pose(plan, 0, pose);
    const first = [...lope.floats(pose, 7)];
    lope.c.studio_climb_pose(plan, frames - 1, pose);
    const last = [...lope.floats(pose, 7)];
    expect(last[4]! - first[4]!).toBeGreaterThan(4.5); // along
    expect(last[5]! - first[5]!).toBeCloseTo(2.4, 0); // up
    const frameOf = Array.from({ length: steps + 1 }, (_, i) => lope.c.studio_climb_step_frame(plan, i));
    expect(frameOf).toEqual([...frameOf].sort((a, b) => a - b));
  });

  it("are taken back to a moment and go on another way, without a leap", () => {
    const opened = lope.need(read(scene("climbing")));
    const first = lope.need(lope.c.studio_climb_solve(opened, skeleton, 0 as Pointer<"studio_climb">, 0, LOPE_PLANNER_CONTACTS, 1, 0, 60));
    const at = lope.allocate<"double">(8 * STUDIO_CLIMB_NUMBERS);
    const count = (plan: Pointer<"studio_climb">) => (lope.c.studio_climb_numbers(plan, at), [...lope.doubles(at, 3)] as [number, number, number]);
    const [, , steps] = count(first);
    const floats = 7 * lope.c.studio_joint_count(skeleton);
    const buffer = lope.allocate<"float">(4 * floats);
    const hips = (plan: Pointer<"studio_climb">, frame: number) => (lope.c.studio_climb_pose(plan, frame, buffer), [...lope.floats(buffer, 7)].slice(4));
    for (const moment of [0, lope.c.studio_climb_step_frame(first, 4) + 10, lope.c.studio_climb_step_frame(first, steps)]) {
      const second = lope.need(lope.c.studio_climb_solve(opened, skeleton, first, moment, LOPE_PLANNER_CONTACTS, 7, 0, 60));
      const [complete, frames, more] = count(second);
      expect(complete).toBe(1);
      for (let i = 0; i < moment - 60; i += 20) expect(hips(second, i)).toEqual(hips(first, i)); // what was done stays
      for (let i = 1; i < frames; i++) {
        const a = hips(second, i - 1), b = hips(second, i);
        expect(Math.hypot(b[0]! - a[0]!, b[1]! - a[1]!, b[2]! - a[2]!), `frame ${i} of ${frames}, from ${moment}`).toBeLessThan(0.06);
      }
      const frameOf = Array.from({ length: more + 1 }, (_, i) => lope.c.studio_climb_step_frame(second, i));
      expect(frameOf).toEqual([...frameOf].sort((x, y) => x - y));
      lope.c.studio_climb_destroy(second);
    }
    lope.c.studio_climb_destroy(first);
    lope.c.studio_climb_scene_destroy(opened);
  });

  it("are made by the published planner too", () => {
    const opened = lope.need(read(scene("swinging")));
    const plan = lope.need(lope.c.studio_climb_solve(opened, skeleton, 0 as Pointer<"studio_climb">, 0, LOPE_PLANNER_THESIS, 1, 0, 60));
    const at = lope.allocate<"double">(8 * STUDIO_CLIMB_NUMBERS);
    lope.c.studio_climb_numbers(plan, at);
    expect(lope.doubles(at, 3)[0]).toBe(1);
    expect(lope.doubles(at, 3)[2]).toBeGreaterThan(3);
    lope.c.studio_climb_destroy(plan);
  });

  it("that cannot arrive go as near as they can and say what is missing", () => {
    const file = scene("climbing");
    const { complete, left, message } = solve({ ...file, holds: file.holds!.filter((_, i) => i !== 1) });
    expect(complete).toBe(0);
    expect(left).toBeGreaterThan(1);
    expect(message.length).toBeGreaterThan(20);
  });

  it("are refused for worlds that make no sense, in the tool's words", () => {
    const file = scene("climbing");
    expect(read(withBox(file, [2, 0.2], [4, 2]))).toBe(0);
    expect(lope.lastError()).toMatch(/^my\.json:\d+/);
    expect(read(withHold(file, 5, 1, "hybrid"))).toBe(0); // inside the wall
  });
});
