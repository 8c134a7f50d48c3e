// SPDX-License-Identifier: MIT
// Driving, the brush, and ground in the module.
import { readFileSync } from "node:fs";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { Assets } from "../../src/lope/assets";
import { LOPE_GAIT_WALK, LOPE_OK, STUDIO_GAIT_FLOATS, type Pointer } from "../../src/lope/bindings";
import { Lope } from "../../src/lope/lope";
import { directionOf, gamepadWish, Keys, stickWish } from "../../src/scenes/rings/drive";
import { addDab, type Dab, dabChanges, Earth, MOST_DABS, readDabs } from "../../src/scenes/rings/earth";
import { groundFile } from "../../src/scenes/rings/groundfile";

vi.setConfig({ testTimeout: 60000 });

describe("driving", () => {
  it("adds keys up, diagonals no faster, and forgets them when the window is left", () => {
    const keys = new Keys();
    expect(keys.wish()).toBeNull();
    expect(keys.key("w", true)).toBe(true);
    expect(keys.key("ArrowRight", true)).toBe(true);
    expect(Math.hypot(keys.wish()!.right, keys.wish()!.ahead)).toBeCloseTo(1);
    keys.key("Shift", true);
    expect(keys.wish()!.run).toBe(true);
    keys.key("W", false); // capital: Shift was down
    expect(keys.wish()).toMatchObject({ right: 1, ahead: 0 });
    keys.release();
    expect(keys.wish()).toBeNull();
    expect(keys.key("x", true)).toBe(false);
  });

  it("has a dead zone around a stick at rest, and nothing jumps at its rim", () => {
    expect(stickWish(0.1, -0.1, false)).toBeNull();
    expect(stickWish(NaN, 0, false)).toBeNull();
    expect(stickWish(0.21, 0, false)!.right).toBeLessThan(0.02);
    expect(stickWish(0, -1, true)).toMatchObject({ right: 0, ahead: 1, run: true });
    const pad = { connected: true, axes: [0, -1], buttons: [{ pressed: true }] } as unknown as Gamepad;
    expect(gamepadWish([null, pad])).toMatchObject({ ahead: 1, run: true });
    expect(gamepadWish([null, { ...pad, connected: false }])).toBeNull();
  });

  it("goes where the screen says", () => {
    const ahead = { right: 0, ahead: 1, run: false }, right = { right: 1, ahead: 0, run: false };
    expect(directionOf(ahead, 0, 1)).toBeCloseTo(0); // the eye looks along +z
    expect(directionOf(right, 0, 1)).toBeCloseTo(-Math.PI / 2); // then -x is to the right
    expect(directionOf(right, 1, 0)).toBeCloseTo(0);
  });
});

describe("the brush", () => {
  it("goes on at the same place as one dab and begins another elsewhere", () => {
    let dabs: readonly Dab[] = [];
    for (let i = 0; i < 5; i++) dabs = addDab(dabs, [1, 2, 0.8, 0.01])!;
    expect(dabs).toHaveLength(1);
    expect(dabs[0]![3]).toBeCloseTo(0.05);
    expect(addDab(dabs, [1.5, 2, 0.8, 0.01])).toHaveLength(2);
    expect(addDab(dabs, [1, 2, 0.8, -0.01])).toHaveLength(2); // down again
    expect(addDab(Array.from({ length: MOST_DABS }, (): Dab => [0, 0, 1, 1]), [9, 9, 1, 1])).toBeNull();
  });

  it("takes back in the opposite order what differs, and no more", () => {
    const a: Dab = [0, 0, 1, 0.1], b: Dab = [1, 0, 1, 0.2], c: Dab = [2, 0, 1, -0.3];
    expect(dabChanges([a, b, c], [a])).toEqual([[2, 0, 1, 0.3], [1, 0, 1, -0.2]]);
    expect(dabChanges([a], [a, b])).toEqual([b]);
    expect(dabChanges([a, b], [a, b])).toEqual([]);
  });

  it("reads no nonsense from links", () => {
    expect(readDabs("x")).toEqual([]);
    expect(readDabs([[0, 0, 1, 0.1], [0, 0, -1, 1], [0, 0, 1], [NaN, 0, 1, 1], null, [0, 0, 1, 1e9]])).toEqual([[0, 0, 1, 0.1]]);
  });
});

describe("ground and gaits in the module", () => {
  const site = new URL("../../../build/studio/site/", import.meta.url);
  const bytes = (path: string) => new Uint8Array(readFileSync(new URL(path, site)));
  const text = (path: string) => readFileSync(new URL(path, site), "utf8");
  let lope: Lope;
  let rings: Pointer<"lope_rings">;
  beforeAll(() => {
    lope = new Lope(new WebAssembly.Module(bytes("studio.wasm")));
    rings = new Assets(lope).openBytes(bytes("data/rings.lope"), "rings.lope", (d, s, n) => lope.c.studio_rings_open(d, s, n));
  });
  const read = (scene: string, name = "scene.json") => lope.withText(scene, (at) => lope.withText(name, (label) => lope.c.studio_ground_read(at, new TextEncoder().encode(scene).length, label)));
  const heightAt = (terrain: Pointer<"lope_terrain">, x: number, z: number) => lope.c.studio_terrain_below(terrain, x, 100, z);

  it("says what is wrong with a scene as the tool does", () => {
    expect(read('{"terrain": [{"stairs": {"steps": -1}}]}', "my.json")).toBe(0);
    expect(lope.lastError()).toMatch(/^my\.json:1:/);
  });

  it("is raised in the middle of what was one large triangle, and undone", () => {
    const ground = lope.need(read('{"terrain": [{"flat": {"width": 8, "length": 8}}]}'));
    const terrain = lope.c.studio_ground_terrain(ground);
    const earth = new Earth(lope, terrain);
    expect(heightAt(terrain, 1.3, 4.1)).toBeCloseTo(0);
    expect(earth.raise([1.3, 4.1, 1, 0.3])).toBe(true);
    expect(heightAt(terrain, 1.3, 4.1)).toBeGreaterThan(0.15);
    expect(heightAt(terrain, -2, 4.1)).toBeCloseTo(0);
    const file = JSON.parse(groundFile(lope, '{"name": "flat", "terrain": []}', terrain, true).text) as { terrain: [{ field: { heights: number[][] } }] };
    expect(Math.max(...file.terrain[0].field.heights.flat())).toBeGreaterThan(0.15);
    expect(read(JSON.stringify(file))).not.toBe(0); // the tool reads what is exported
    earth.set([]);
    expect(heightAt(terrain, 1.3, 4.1)).toBeCloseTo(0, 5);
    expect(lope.c.studio_terrain_raise(terrain, 0, 0, -1, 1)).not.toBe(LOPE_OK);
    lope.c.studio_ground_destroy(ground);
  });

  it.each(["bumps", "stairs", "stones", "spiral", "course", "cliff"])("is walked on: %s", (name) => {
    const ground = lope.need(read(text(`scenes/terrain/${name}.json`), name));
    const terrain = lope.c.studio_ground_terrain(ground);
    const at = lope.allocate<"float">(4 * STUDIO_GAIT_FLOATS);
    lope.c.studio_ground_start(ground, at);
    const [x, z, yaw, height] = [...lope.floats(at, 4)] as [number, number, number, number];
    const gait = lope.need(lope.c.studio_gait_create(rings, terrain, x, z, yaw, height + 1, true));
    for (let i = 0; i < 240; i++) lope.c.studio_gait_step(gait, terrain, LOPE_GAIT_WALK, yaw, 0.6, 1 / 60);
    lope.c.studio_gait_ground(gait, at);
    const [nowX, nowZ] = [...lope.floats(at, 2)] as [number, number];
    expect(Math.hypot(nowX - x, nowZ - z)).toBeGreaterThan(1.5);
    lope.c.studio_gait_state(gait, rings, at);
    const state = [...lope.floats(at, STUDIO_GAIT_FLOATS)];
    expect(state[2]).toBeGreaterThan(3); // strikes
    expect(state[4]).toBeLessThan(0.002); // off with IK, metres
    const spheres = lope.allocate<"float">(16 * 4096);
    const count = lope.c.studio_gait_spheres(gait, rings, terrain, spheres, 4096);
    const lit = Array.from({ length: count }, (_, i) => lope.floats(spheres, 4 * count)[4 * i + 3]!).filter((v) => v > 0.5).length;
    expect(lit).toBeGreaterThan(0);
    expect(lit).toBeLessThanOrEqual(count);
    for (const each of [at, spheres]) lope.c.studio_free(each);
    lope.c.studio_gait_destroy(gait);
    lope.c.studio_ground_destroy(ground);
  });
});
