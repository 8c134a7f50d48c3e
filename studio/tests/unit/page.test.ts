// SPDX-License-Identifier: MIT
// The page's own logic: history, links, recording, time, contacts, quality.
import { describe, expect, it } from "vitest";
import { contactSpans, contactWords } from "../../src/app/contactbars";
import { History } from "../../src/app/history";
import { readLink, writeLink } from "../../src/app/link";
import { Quality } from "../../src/app/quality";
import { CrowdTape } from "../../src/app/crowdtape";
import { Recorder } from "../../src/app/recorder";
import { mixTurns, packTurn, unpackTurn } from "../../src/app/turns";
import { buildWords } from "../../src/app/workshop";
import { Clock } from "../../src/app/timeline";
import { packed } from "../../src/view/bodies";
import { detailFor, sortOut } from "../../src/view/people";
import { smoothed } from "../../src/scenes/maps/view";

describe("history", () => {
  it("goes back and forth", () => {
    const history = new History();
    history.reset({ n: 0 });
    for (const n of [1, 2, 3]) history.push({ n });
    expect([history.undo(), history.undo()]).toEqual([{ n: 2 }, { n: 1 }]);
    expect(history.redo()).toEqual({ n: 2 });
    history.push({ n: 9 });
    expect(history.canRedo).toBe(false);
    expect(history.undo()).toEqual({ n: 2 });
  });

  it("does not go beyond its ends, and counts the same state once", () => {
    const history = new History();
    history.reset("a");
    history.push("a");
    expect(history.canUndo).toBe(false);
    expect(history.undo()).toBeUndefined();
    expect(history.redo()).toBeUndefined();
  });

  it("forgets the oldest", () => {
    const history = new History(3);
    history.reset(0);
    for (let i = 1; i < 10; i++) history.push(i);
    expect([history.undo(), history.undo(), history.undo()]).toEqual([8, 7, undefined]);
  });
});

describe("links", () => {
  it("come back as they were, to the millimetre", () => {
    const state = { target: [1.23456, -2], name: "Tür ✓" };
    expect(readLink(writeLink({ scene: "living-room", state }))).toEqual({ scene: "living-room", state: { target: [1.235, -2], name: "Tür ✓" } });
    expect(readLink(writeLink({ scene: "walk" }))).toEqual({ scene: "walk" });
  });

  it("survive damage", () => {
    expect(readLink("")).toBeNull();
    expect(readLink("#stage")).toBeNull();
    expect(readLink("#scene=walk&state=%%%")).toEqual({ scene: "walk" });
    expect(readLink("#scene=walk&state=abc")).toEqual({ scene: "walk" });
  });

  it("hold nothing that an address may not", () => {
    expect(writeLink({ scene: "a b&c", state: "???>>>" })).toMatch(/^#[\w%&=-]+$/);
  });
});

describe("recorder", () => {
  it("keeps the newest frames in order", () => {
    const recorder = new Recorder();
    recorder.reset(2, 5);
    for (let i = 0; i < 12; i++) recorder.add(new Float32Array([i, -i]), i, i / 60);
    expect(recorder.count).toBe(5);
    expect(recorder.capacity).toBe(5);
    expect([0, 4].map((i) => [...recorder.frame(i).poses])).toEqual([[7, -7], [11, -11]]);
    expect(recorder.contactsAt(0)).toBe(7);
    expect(recorder.sourceAt(0)).toBeNull();
    recorder.add(new Float32Array(2), 0, 1, { clip: 3, time: 0.5 });
    expect(recorder.sourceAt(4)).toEqual({ clip: 3, time: 0.5 });
    expect(() => recorder.frame(5)).toThrow(RangeError);
    recorder.reset(1);
    expect(recorder.count).toBe(0);
    expect(recorder.capacity).toBe(3600);
  });
});

describe("the tape of a crowd", () => {
  const spin = (angle: number, axis: number) => [0, 1, 2].map((i) => (i === axis ? Math.sin(angle / 2) : 0)).concat(Math.cos(angle / 2));

  it("packs rotations to a fifth of a degree", () => {
    const out = new Float32Array(4);
    for (let i = 0; i < 500; i++) {
      const q = [Math.sin(i), Math.cos(3 * i), Math.sin(7 * i + 1), Math.cos(11 * i)];
      const size = Math.hypot(...q);
      unpackTurn(packTurn(q.map((v) => v / size), 0), out, 0);
      const dot = Math.abs(q.reduce((sum, v, j) => sum + (v / size) * out[j]!, 0));
      expect(2 * Math.acos(Math.min(1, dot))).toBeLessThan(0.2 * (Math.PI / 180));
    }
  });

  it("mixes what lies between its frames, the shorter way", () => {
    const out = new Float32Array(4);
    const b = spin(0.4, 1).map((v) => -v); // the same rotation
    mixTurns(new Float32Array(spin(0, 1)), 0, new Float32Array(b), 0, 0.5, out, 0);
    spin(0.2, 1).forEach((v, i) => expect(out[i]).toBeCloseTo(v, 5));
  });

  it("holds a minute of a thousand, says how long where there are more, and stays within its budget", () => {
    const parents = Array.from({ length: 22 }, (_, j) => j - 1);
    const seconds = (count: number, rate: number) => {
      const tape = new CrowdTape(160 * 1024 * 1024);
      tape.reset({ parents }, new Float32Array(22 * 7), count, rate);
      return tape.seconds;
    };
    expect(seconds(1000, 60)).toBeGreaterThanOrEqual(60);
    expect(seconds(2000, 60)).toBeGreaterThan(55);
    expect(seconds(10000, 15)).toBeGreaterThan(10);
    expect(seconds(10000, 15) * 15 * 10000 * 100).toBeLessThanOrEqual(160 * 1024 * 1024);
  });

  it("forgets the oldest", () => {
    const tape = new CrowdTape(2 * 5 * 16); // five frames of two characters with one joint
    const poses = (x: number) => new Float32Array([0, 0, 0, 1, x, 0, 0, 0, 0, 0, 1, -x, 0, 0]);
    tape.reset({ parents: [-1] }, poses(0), 2, 10);
    for (let i = 0; i < 12; i++) tape.add(poses(i), i / 10);
    expect([tape.at(1.05)[4], tape.at(1.05)[11], tape.at(0)[4], tape.at(9)[4]].map((v) => Math.round(100 * v!) / 100)).toEqual([10.5, -10.5, 7, 11]);
  });
});

describe("clock", () => {
  it("plays as many steps as time passed, at any speed", () => {
    const clock = new Clock();
    let steps = 0;
    for (let i = 0; i < 100; i++) steps += clock.steps(0.016, 60, 4);
    expect(steps).toBe(96);
    clock.speed = 0.25;
    steps = 0;
    for (let i = 0; i < 100; i++) steps += clock.steps(0.016, 60, 4);
    expect(steps).toBe(24);
    clock.playing = false;
    expect(clock.steps(1, 60, 4)).toBe(0);
  });

  it("slows down instead of standing still", () => {
    const clock = new Clock();
    expect(clock.steps(1, 60, 4)).toBe(4);
    expect(clock.steps(1 / 60, 60, 4)).toBe(1);
  });

  it("goes through the past and back to now", () => {
    const clock = new Clock();
    expect(clock.move(-1, 10)).toBe(false);
    expect(clock.past).toBe(8);
    clock.seek(0, 10);
    expect(clock.move(-1, 10)).toBe(false);
    expect(clock.past).toBe(0);
    clock.seek(8, 10);
    expect(clock.move(1, 10)).toBe(false);
    expect(clock.move(1, 10)).toBe(true); // a new one has to be computed
    expect(clock.live).toBe(true);
    clock.seek(9, 10);
    expect(clock.live).toBe(true);
  });
});

describe("contacts", () => {
  it("become stretches of time", () => {
    const masks = [0, 1, 1, 3, 2, 0, 1];
    const recorder = { count: masks.length, contactsAt: (i: number) => masks[i]! };
    expect(contactSpans(recorder, 1)).toEqual([[1, 4], [6, 7]]);
    expect(contactSpans(recorder, 2)).toEqual([[3, 5]]);
    expect(contactSpans(recorder, 8)).toEqual([]);
  });

  it("are said in words", () => {
    expect(contactWords(1 | 8)).toBe("left heel, right toe");
    expect(contactWords(0)).toBe("in the air");
  });
});

describe("drawing", () => {
  it("takes less detail for more people, never more", () => {
    const costs = [1, 40, 41, 300, 301, 10000].map((n) => detailFor(n)[0] * detailFor(n)[1]);
    expect([...costs].sort((a, b) => b - a)).toEqual(costs);
  });

  it("sorts a crowd by nearness, and leaves out who is not in view", () => {
    const xs = [9, 1, 70, 2, 40, -9, -2];
    const poses = new Float32Array(xs.length * 7);
    xs.forEach((x, i) => (poses[7 * i + 4] = x));
    const ahead = [1, 0, 0, 0]; // the half space x > 0, and 2.5 m for arms
    expect(sortOut(poses, xs.length, 7, { x: 0, y: 0, z: 0 }, ahead)).toEqual({ near: [1, 3, 6, 0], middle: [4], far: [2] });
    expect(sortOut(poses, xs.length, 7, { x: 0, y: 0, z: 0 }, []).near).toContain(5);
  });

  it("draws at most forty in detail", () => {
    const poses = new Float32Array(60 * 7);
    for (let i = 0; i < 60; i++) poses[7 * i + 4] = (60 - i) / 3;
    const { near, middle, far } = sortOut(poses, 60, 7, { x: 0, y: 0, z: 0 }, []);
    expect(near.length).toBe(40);
    expect(near[0]).toBe(59);
    expect(middle.length + far.length).toBe(20);
  });

  it("packs colours into a float without losing what is seen", () => {
    for (const colour of [{ r: 0, g: 0.5, b: 1 }, { r: 1, g: 1, b: 1 }, { r: 0.02, g: 0.2, b: 0.7 }]) {
      const c = Math.fround(packed(colour));
      const back = [c % 256, Math.floor(c / 256) % 256, Math.floor(c / 65536)].map((v) => (v / 255) ** 2);
      [colour.r, colour.g, colour.b].forEach((v, i) => expect(back[i]).toBeCloseTo(v, 2));
    }
  });

  it("goes down where pictures come slowly, and stays there", () => {
    const levels: number[] = [];
    const quality = new Quality((level) => levels.push(level), 2);
    for (let i = 0; i < 100; i++) quality.told(90, 5);
    for (let i = 0; i < 100; i++) quality.told(16, 5);
    expect(levels).toEqual([0, 1, 2]);
  });

  it("is not blamed for a slow simulation", () => {
    const quality = new Quality(() => {}, 2);
    for (let i = 0; i < 100; i++) quality.told(90, 70);
    expect(quality.level).toBe(0);
  });

  it("smooths a way and keeps its ends", () => {
    const way = smoothed(new Float32Array([0, 0, 1, 1, 2, -1, 3, 1, 4, 0]), 1);
    expect([way[0], way[1], way[8], way[9]]).toEqual([0, 0, 4, 0]);
    expect(way[5]).toBeCloseTo(1 / 3);
  });
});

describe("builds", () => {
  const build = { id: 1, out: "a.lope", stage: "choices", done: 0.5, seconds: 2 };
  it("are told in words", () => {
    expect(buildWords({ ...build, state: "running" })).toBe("choices 50 %");
    expect(buildWords({ ...build, state: "done" })).toBe("done in 2.0 s");
    expect(buildWords({ ...build, state: "failed", error: "walk.bvh:3: no" })).toBe("walk.bvh:3: no");
    expect(buildWords({ ...build, state: "stopped" })).toMatch(/stays/);
  });
});
