// SPDX-License-Identifier: MIT
import { describe, expect, it } from "vitest";
import { merged, type OfficeState, readOfficeState } from "../../src/scenes/patches/office";

const usual: OfficeState = { size: 12, people: 10, edits: [] };

describe("the state of an office", () => {
  it("survives a link", () => {
    const state: OfficeState = { size: 20, people: 40, edits: [[3, null], [51, [0, 1, 0, 2.5, 0.785]]] };
    expect(readOfficeState(JSON.parse(JSON.stringify(state)), usual)).toEqual(state);
  });

  it("is made sensible where it is not", () => {
    const state = readOfficeState({ size: 1e9, people: "crowd", edits: [[1], [-2, null], [2, [0, 1, "x", 2, 3]], [4, null], 7] }, usual);
    expect(state).toEqual({ size: 60, people: 10, edits: [[4, null]] });
    expect(() => readOfficeState("office", usual)).toThrow("no world");
  });

  it("keeps the last edit of each thing", () => {
    const once = merged([], [7, [0, 1, 0, 1, 0]]);
    const twice = merged(once, [8, null]);
    expect(merged(twice, [7, [0, 2, 0, 1, 0]])).toEqual([[8, null], [7, [0, 2, 0, 1, 0]]]);
  });
});
