// SPDX-License-Identifier: MIT
import { describe, expect, it } from "vitest";
import { floorScene, type FloorState, MOST_PEOPLE, MOST_SIDE, readFloorState, tileAt } from "../../src/scenes/patches/floor";
import { readSceneFile, sceneText } from "../../src/lope/scenefile";

const usual: FloorState = { side: 10, people: 5, holes: [], obstacles: [], target: null };

describe("the state of a floor", () => {
  it("survives a link", () => {
    const state: FloorState = { side: 8, people: 30, holes: [3, 17], obstacles: [{ cylinder: { centre: [1, 2], radius: 0.3 } }], target: [1.5, -2] };
    expect(readFloorState(JSON.parse(JSON.stringify(state)), usual)).toEqual(state);
  });

  it("is made sensible where it is not", () => {
    const state = readFloorState({ side: 1e9, people: -3, holes: [5, 5, -1, 1e9, 2.5, "x"], target: [1, "east"] }, usual);
    expect(state).toEqual({ side: MOST_SIDE, people: 1, holes: [5], obstacles: [], target: null });
    expect(readFloorState({ people: 1e9, side: "many" }, usual)).toMatchObject({ people: MOST_PEOPLE, side: 10 });
  });

  it("refuses what is no floor, and says which obstacle is wrong", () => {
    expect(() => readFloorState(null, usual)).toThrow("no floor");
    expect(() => readFloorState({ obstacles: [{ box: { centre: [0, 0], size: [1, -1] } }] }, usual)).toThrow("obstacle 1");
  });
});

describe("tiles", () => {
  it("are found by places", () => {
    expect(tileAt(-7.4, -7.4, 10, 1.5)).toBe(0);
    expect(tileAt(7.4, 7.4, 10, 1.5)).toBe(99);
    expect(tileAt(0.1, -0.1, 10, 1.5)).toBe(45);
    expect(tileAt(7.6, 0, 10, 1.5)).toBe(-1);
    expect(tileAt(0, Number.NaN, 10, 1.5)).toBe(-1);
  });

  it("that are missing become boxes in the file for the tool", () => {
    const scene = floorScene({ ...usual, holes: [0] }, 1.5);
    expect(scene.obstacles).toEqual([{ box: { centre: [-6.75, -6.75], size: [1.5, 1.5] } }]);
    expect(readSceneFile(JSON.parse(sceneText(scene)), "floor.json").characters).toBe(5);
  });
});
