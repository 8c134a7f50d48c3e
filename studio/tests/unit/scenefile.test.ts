// SPDX-License-Identifier: MIT
// Scene files: those that come with the library are read; wrong ones are refused with where and why.
import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { centreOf, cornersOf, covers, movedTo, type Obstacle, readSceneFile, scaled, sceneText } from "../../src/lope/scenefile";

const folder = new URL("../../../scenes/", import.meta.url);
const files = readdirSync(folder).filter((name) => name.endsWith(".json"));
const read = (name: string) => readSceneFile(JSON.parse(readFileSync(new URL(name, folder), "utf8")), name);

describe("scene files", () => {
  it("of the library are read, written and read again", () => {
    expect(files.length).toBeGreaterThan(5);
    for (const name of files) {
      const scene = read(name);
      expect(scene.flows.length).toBeGreaterThan(0);
      expect(readSceneFile(JSON.parse(sceneText(scene)), name)).toEqual(scene);
    }
  });

  it.each([
    [[], "bad.json: expected an object, found []"],
    [{ bounds: [[0, 0], [0, 1]] }, "bad.json: bounds: expected a rectangle [[x, z], [x, z]], found [[0,0],[0,1]]"],
    [{ obstacles: [{ ball: {} }] }, `bad.json: obstacle 1: expected one of "box", "cylinder", "polygon", found "ball"`],
    [{ obstacles: [{ box: { centre: [0, 0], size: [0, 1] } }] }, "bad.json: obstacle 1: expected a box with a centre and a positive size"],
    [{ obstacles: [{ cylinder: { centre: [0, null], radius: 1 } }] }, "bad.json: obstacle 1: expected a cylinder"],
    [{ obstacles: [{ polygon: [[0, 0], [1, 1]] }] }, "bad.json: obstacle 1: expected a polygon of 3 to 64 places"],
    [{ areas: { a: 1 } }, "bad.json: area 'a': expected a rectangle"],
    [{ areas: { a: [[0, 0], [1, 1]] }, flows: [{ from: "a", to: "b" }] }, `bad.json: flow 1: expected the name of an area, found "b"`],
    [{ characters: -1 }, "bad.json: characters: expected a whole number, found -1"],
    [{ spawn: "here" }, `bad.json: spawn: expected "anywhere" or "areas", found "here"`],
  ])("are refused: %j", (value, message) => {
    expect(() => readSceneFile(value, "bad.json")).toThrow(message);
  });

  it("without bounds get ground around everything", () => {
    const scene = readSceneFile({ obstacles: [{ cylinder: { centre: [10, 0], radius: 1 } }] }, "x.json");
    expect(scene.bounds[0][0]).toBeCloseTo(4);
    expect(scene.bounds[1][0]).toBeCloseTo(16);
  });

  it("grow as a whole", () => {
    const plaza = read("plaza.json"), large = scaled(plaza, 2);
    expect(large.bounds).toEqual([[-42, -42], [42, 42]]);
    expect(centreOf(large.obstacles[1]!)).toEqual([-18, 14]);
    expect(Object.keys(large.areas)).toEqual(Object.keys(plaza.areas));
  });
});

describe("obstacles", () => {
  const box: Obstacle = { box: { centre: [1, 2], size: [2, 4], degrees: 90 } };

  it("have corners where the library has them", () => {
    // A quarter turn about +Y takes +X to -Z, so width and depth change places.
    const xs = cornersOf(box).map((p) => p[0]), zs = cornersOf(box).map((p) => p[1]);
    expect([Math.min(...xs), Math.max(...xs), Math.min(...zs), Math.max(...zs)].map((v) => Math.round(v * 1e6) / 1e6)).toEqual([-1, 3, 1, 3]);
  });

  it("cover what is inside", () => {
    expect(covers(box, 2.9, 2.9)).toBe(true);
    expect(covers(box, 1, 3.1)).toBe(false);
    expect(covers({ cylinder: { centre: [0, 0], radius: 1 } }, 0.8, 0.8)).toBe(false);
    expect(covers({ polygon: [[0, 0], [2, 0], [0, 2]] }, 0.5, 0.5)).toBe(true);
  });

  it("move as a whole", () => {
    expect(centreOf(movedTo(box, 5, 6))).toEqual([5, 6]);
    expect(movedTo({ polygon: [[0, 0], [3, 0], [0, 3]] }, 2, 2)).toEqual({ polygon: [[1, 1], [4, 1], [1, 4]] });
  });
});
