// SPDX-License-Identifier: MIT
// The bridge: bindings as generated, every declared function exported and nothing imported, and the module at work.
import { readFileSync } from "node:fs";
import { beforeAll, describe, expect, it } from "vitest";
import { gradeLast, writeFilm } from "../../src/app/grading";
import { CrowdTape } from "../../src/app/crowdtape";
import { Recorder } from "../../src/app/recorder";
import { Assets } from "../../src/lope/assets";
import { bridgeNames, LOPE_MEMBER_ARRIVED, LOPE_OK, type Pointer } from "../../src/lope/bindings";
import { Lope, LopeError } from "../../src/lope/lope";
import { makeScene, readSceneFile } from "../../src/lope/scenefile";
import { Follow } from "../../src/scenes/maps/follow";
// @ts-expect-error a script without types
import { generate } from "../../bindings/generate.mjs";

const site = new URL("../../../build/studio/site/", import.meta.url);
const bytes = (path: string) => new Uint8Array(readFileSync(new URL(path, site)));
let module: WebAssembly.Module;
let lope: Lope;
let assets: Assets;
let mobility: Pointer<"lope_mobility">;

beforeAll(() => {
  module = new WebAssembly.Module(bytes("studio.wasm"));
  lope = new Lope(module);
  assets = new Assets(lope);
  mobility = assets.openBytes(bytes("data/mobility.lope"), "mobility.lope", (d, s, n) => lope.c.studio_mobility_open(d, s, n));
});

describe("bindings", () => {
  it("are what the headers say", () => {
    const text = readFileSync(new URL("../../src/lope/bindings.ts", import.meta.url), "utf8");
    expect(text, "run `npm run bindings`").toBe(generate());
  });

  it("name every function of the module, and it asks for nothing", () => {
    const exported = WebAssembly.Module.exports(module).map((e) => e.name);
    expect(bridgeNames.filter((name) => !exported.includes(name))).toEqual([]);
    expect(exported.filter((name) => name.startsWith("studio_") && !(bridgeNames as readonly string[]).includes(name))).toEqual([]);
    expect(WebAssembly.Module.imports(module)).toEqual([]);
  });
});

describe("files", () => {
  it("that are damaged get the library's message", () => {
    const good = bytes("data/set.lope");
    const open = (data: Uint8Array) => () => assets.openBytes(data, "mine.lope", (d, s, n) => lope.c.studio_set_open(d, s, n));
    expect(open(new TextEncoder().encode("HIERARCHY"))).toThrow(/^mine\.lope: .*not a \.lope file/);
    expect(open(good.slice(0, 5000))).toThrow(LopeError);
    const flipped = good.slice();
    flipped[flipped.length >> 1]! ^= 1;
    expect(open(flipped)).toThrow(/mine\.lope/);
    expect(() => assets.openBytes(bytes("data/rings.lope"), "rings.lope", (d, s, n) => lope.c.studio_mobility_open(d, s, n))).toThrow(/rings\.lope/);
  });

  it("of BVH are read, with line and reason where they are wrong", () => {
    const open = (text: string) => assets.openBytes(new TextEncoder().encode(text), "walk.bvh", (d, s, n) => lope.c.studio_bvh_open(d, s, n));
    expect(() => open("HIERARCHY\nROOT Hips\n{\n  OFFSET 0 0\n}")).toThrow(/^walk\.bvh:5: /);
  });
});

/** A recording of one walker that goes three metres ahead. */
function walk(): { recorder: Recorder; skeleton: Pointer<"lope_skeleton">; rate: number; name: string; flat: boolean; arrived: boolean } {
  const { c } = lope;
  const scene = makeScene(lope, readSceneFile({ bounds: [[-10, -10], [10, 10]] }, "empty.json"));
  const crowd = lope.need(c.studio_crowd_create(mobility, scene, 1));
  expect(c.studio_crowd_spawn(crowd, 0, 0, 0)).toBe(0);
  expect(c.studio_crowd_go(crowd, 0, 0, 3)).toBe(LOPE_OK);
  const skeleton = c.studio_set_skeleton(c.studio_mobility_set(mobility));
  const floats = c.studio_joint_count(skeleton) * 7;
  const at = lope.allocate<"float">(4 * floats);
  const recorder = new Recorder();
  recorder.reset(floats);
  let arrived = false;
  for (let i = 0; i < 480; i++) {
    c.studio_crowd_step(crowd, 1 / 60);
    c.studio_crowd_poses(crowd, at);
    recorder.add(lope.floats(at, floats), c.studio_crowd_contacts(crowd, 0), i / 60);
    arrived ||= c.studio_crowd_state(crowd, 0) === LOPE_MEMBER_ARRIVED;
  }
  c.studio_free(at);
  c.studio_crowd_destroy(crowd);
  c.studio_scene_destroy(scene);
  return { recorder, skeleton, rate: 60, name: "walk", flat: true, arrived };
}

describe("a walk", () => {
  it("arrives, and is graded like a walk", () => {
    const film = walk();
    expect(film.arrived).toBe(true);
    const grades = gradeLast(lope, film, 4, 300)!;
    expect(grades.skate).toBeGreaterThan(0);
    expect(grades.skate).toBeLessThan(30);
    expect(grades.jerk).toBeGreaterThan(5);
    expect(Math.max(0, grades.penetration)).toBeLessThan(0.05);
    expect(gradeLast(lope, film, 4, 3)).toBeNull();
  });

  it("is written as BVH that reads back, as GLB and as SVG", () => {
    const film = walk();
    const bvh = writeFilm(lope, film, "bvh", false);
    const text = new TextDecoder().decode(bvh);
    expect(text).toMatch(/^HIERARCHY\s+ROOT /);
    expect(text).toContain("Frames: 480");
    const set = assets.openBytes(bvh, "back.bvh", (d, s, n) => lope.c.studio_bvh_open(d, s, n));
    expect(lope.c.studio_set_clip_duration(set, 0)).toBeCloseTo(479 / 60, 2);
    const glb = writeFilm(lope, film, "glb", false);
    expect([...glb.slice(0, 4)]).toEqual([...new TextEncoder().encode("glTF")]);
    expect(new DataView(glb.buffer).getUint32(8, true)).toBe(glb.length);
    expect(new TextDecoder().decode(writeFilm(lope, film, "svg", true))).toMatch(/^<\?xml|^<svg/);
  });

  it("is on the tape of a crowd as it was, to two and a half centimetres, from fifteen frames a second", () => {
    const { recorder, skeleton } = walk();
    const joints = lope.c.studio_joint_count(skeleton);
    const parents = Array.from({ length: joints }, (_, j) => lope.c.studio_joint_parent(skeleton, j));
    const tape = new CrowdTape(60 * 15 * (12 + 4 * joints));
    tape.reset({ parents }, recorder.frame(0).poses, 1, 60);
    for (let i = 0; i < recorder.count; i++) tape.add(recorder.frame(i).poses, i / 60);
    let worst = 0;
    for (let i = 0; i < recorder.count - 5; i++) {
      const was = recorder.frame(i).poses, is = tape.at(i / 60);
      for (let at = 4; at < was.length; at += 7) worst = Math.max(worst, Math.hypot(was[at]! - is[at]!, was[at + 1]! - is[at + 1]!, was[at + 2]! - is[at + 2]!));
    }
    expect(worst).toBeGreaterThan(0.0005); // it is not the recording itself
    expect(worst).toBeLessThan(0.025);
  });

  it("says so where nothing was recorded", () => {
    const film = { ...walk(), recorder: new Recorder() };
    film.recorder.reset(7);
    expect(() => writeFilm(lope, film, "bvh", false)).toThrow("nothing has been recorded yet");
  });
});

describe("motion maps", () => {
  it("find a way through doors, and less work than A* does", () => {
    const maps = assets.openBytes(bytes("data/maps.lope"), "maps.lope", (d, s, n) => lope.c.studio_maps_open(d, s, n));
    const scene = readSceneFile(JSON.parse(readFileSync(new URL("../../../scenes/doors.json", import.meta.url), "utf8")), "doors.json");
    const follow = new Follow(lope, maps, scene.bounds, 200);
    follow.setObstacles(scene.obstacles);
    expect(follow.plan([0, -30], [0, 6], 0.5)).toBe("the start is outside of the world");
    expect(follow.plan([1, -6.5], [1, 6.5], 0.5)).toBeNull();
    expect(follow.points().length).toBeGreaterThan(4);
    expect(follow.triangles().length % 8).toBe(0);
    const withMaps = follow.withMaps(), astar = follow.withoutMaps(0, 20000);
    expect(withMaps.arrived).toBe(true);
    expect(withMaps.report.miss).toBeLessThan(0.011);
    expect(astar.report.walks).toBeGreaterThan(5 * withMaps.report.walks);
    expect(follow.begin()).toBe(true);
    for (let i = 0; i < 60; i++) follow.step(1 / 60);
    expect(follow.steps().length).toBeGreaterThan(0);
    follow.free();
  });
});
