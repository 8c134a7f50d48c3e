// SPDX-License-Identifier: MIT
// The grasp planner under the mouse.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { exported, near, start, stateOf, still } from "./lib.mjs";

let studio;
before(async () => (studio = await start()));
after(() => studio.close());

/** Where a point of the wall is on the screen. */
const onWall = (page, x, y) => page.evaluate(([a, b]) => globalThis.lopeStudio.stage.project(a, b, 0), [x, y]);
const clickWall = async (page, x, y) => {
  const at = await onWall(page, x, y);
  await page.mouse.click(at.x, at.y);
};
const dragWall = async (page, from, to) => {
  const a = await onWall(page, ...from), b = await onWall(page, ...to);
  await page.mouse.move(a.x, a.y);
  await page.mouse.down();
  await page.mouse.move((a.x + b.x) / 2, (a.y + b.y) / 2);
  await page.mouse.move(b.x, b.y);
  await page.mouse.up();
};
const planOf = (page) => page.evaluate(() => {
  const { complete, left, message, frames, steps } = globalThis.lopeStudio.live.plan;
  return { complete, left, message, frames, steps: steps.length - 1 };
});
/** Waits for a plan other than the one that was marked. */
const mark = (page) => page.evaluate(() => void (globalThis.marked = globalThis.lopeStudio.live.plan));
const solved = (page) => page.waitForFunction(() => globalThis.lopeStudio.live.plan !== globalThis.marked);
/** The wall as a whole, still, and not behind the panel. */
const whole = async (page) => {
  await page.getByLabel("Follow with the camera").uncheck();
  await page.locator("#stage").focus();
  await page.keyboard.press("v");
  await page.evaluate(() => {
    const { stage, live } = globalThis.lopeStudio;
    const [low, high] = live.file.bounds;
    stage.controls.target.x += 0.28 * (high[0] - low[0]);
    stage.camera.position.x += 0.28 * (high[0] - low[0]);
    stage.camera.position.z *= 1.35;
    stage.controls.update();
  });
  await still(page);
};

test("dragging start and goal, and drawing a box, makes another plan", async () => {
  const page = await studio.open("#scene=grasp-climb", { viewport: { width: 1000, height: 620 } });
  await whole(page);
  assert.equal((await planOf(page)).complete, true);
  await mark(page);
  await dragWall(page, [6, 2.9], [4.5, 2.9]);
  near((await stateOf(page)).file.goal.at[0], 4.5, 0.1, "the goal");
  await solved(page);
  const nearer = await planOf(page);
  assert.ok(nearer.complete);
  await mark(page);
  await dragWall(page, [0.7, 0.5], [1.9, 0.5]);
  await solved(page);
  assert.ok((await planOf(page)).steps < nearer.steps);
  await page.getByRole("button", { name: "+ Box" }).click();
  await mark(page);
  await dragWall(page, [0.3, 2.2], [1.2, 3]);
  await solved(page);
  const { file } = await stateOf(page);
  assert.equal(file.obstacles.length, 3);
  near(file.obstacles[2].box[1][0], 1.2, 0.1, "its right side");
  await mark(page);
  await page.click("#undo");
  assert.equal((await stateOf(page)).file.obstacles.length, 2);
  await solved(page);
  await page.done();
});

test("a scene that makes no sense is refused in the tool's words, and the plan stays", async () => {
  const page = await studio.open("#scene=grasp-climb", { viewport: { width: 1000, height: 620 } });
  await whole(page);
  await mark(page);
  await page.getByRole("button", { name: "+ Box" }).click();
  await dragWall(page, [2.5, 0.3], [3.8, 2]); // into the wall
  await page.waitForFunction(() => /overlap/.test(document.getElementById("news").textContent));
  assert.ok(await page.evaluate(() => globalThis.lopeStudio.live.plan === globalThis.marked));
  await page.done();
});

test("taking grasps away leaves a partial plan that says what is missing; giving one back mends it", async () => {
  const page = await studio.open("#scene=grasp-climb", { viewport: { width: 1000, height: 620 } });
  await whole(page);
  await mark(page);
  await page.getByRole("button", { name: "Remove" }).click();
  await clickWall(page, 3, 1.7);
  await solved(page);
  const partial = await planOf(page);
  assert.equal(partial.complete, false);
  assert.ok(partial.left > 0.5 && partial.message.length > 20, JSON.stringify(partial));
  await page.getByRole("button", { name: "+ Grasp" }).click();
  await page.getByLabel("New grasps are for").selectOption("hybrid");
  await page.getByLabel("Solve after each change").uncheck();
  for (const y of [0.8, 1.1, 1.4, 1.7, 2, 2.3, 2.6]) await clickWall(page, 2.99, y);
  assert.equal((await stateOf(page)).file.holds.length, 9);
  await mark(page);
  await page.getByRole("button", { name: "Solve", exact: true }).click();
  await solved(page);
  assert.equal((await planOf(page)).complete, true);
  await page.done();
});

test("the plan is scrubbed and stepped through", async () => {
  const page = await studio.open("#scene=grasp-bars");
  await page.locator("#stage").focus();
  await page.keyboard.press("Space"); // time stands still
  await page.getByLabel("Plan", { exact: true }).fill("0.5");
  const frame = () => page.evaluate(() => globalThis.lopeStudio.live.frame);
  const { frames, steps } = await planOf(page);
  near(await frame(), frames / 2, 2, "scrubbed");
  await page.waitForFunction(() => document.querySelector("#controls").innerText.includes("swings"));
  const at = await page.evaluate(() => {
    const { frame, plan } = globalThis.lopeStudio.live;
    return plan.steps.findLastIndex((step) => step <= Math.floor(frame));
  });
  await page.waitForFunction((n) => Number.parseInt(document.querySelectorAll("#controls dd")[1].textContent, 10) === n, at);
  await page.getByRole("button", { name: "Grasp ▶" }).click();
  await page.waitForFunction((n) => Number.parseInt(document.querySelectorAll("#controls dd")[1].textContent, 10) === n, at + 1);
  await page.getByRole("button", { name: "◀ Grasp" }).click();
  await page.waitForFunction((n) => Number.parseInt(document.querySelectorAll("#controls dd")[1].textContent, 10) === n, at);
  assert.ok(steps > at);
  const file = JSON.parse((await exported(page, "scene")).bytes.toString());
  assert.equal(file.name, "monkey bars over a gap");
  await page.done();
});

test("the plan is taken back by hand and goes on another way", async () => {
  const page = await studio.open("#scene=grasp-climb");
  await page.locator("#stage").focus();
  await page.keyboard.press("Space");
  await page.evaluate(() => {
    const { live } = globalThis.lopeStudio;
    globalThis.moment = live.plan.steps[4] + 5;
    live.seek(globalThis.moment);
  });
  await mark(page);
  await page.getByRole("button", { name: "Backtrack to here" }).click();
  await solved(page);
  const kept = await page.evaluate(() => {
    const { live, shapes } = globalThis.lopeStudio, before = globalThis.marked, floats = 7 * shapes.joints;
    const same = (frame) => before.poses.subarray(frame * floats, (frame + 1) * floats).join() === live.plan.poses.subarray(frame * floats, (frame + 1) * floats).join();
    return { begun: same(0) && same(before.steps[3]), frame: live.frame, complete: live.plan.complete };
  });
  assert.ok(kept.begun && kept.complete, JSON.stringify(kept));
  const moment = await page.evaluate(() => globalThis.moment);
  assert.ok(kept.frame >= moment && kept.frame < moment + 240, "it goes on from here");
  await page.done();
});

test("a search that is stopped leaves its best plan, which is scrubbed and goes on from there", async () => {
  const page = await studio.open("#scene=grasp-chimney");
  await page.getByLabel("Planner").selectOption({ label: "as published: random, may take minutes" });
  await mark(page);
  // With this seed the search is a third of the way up at once and then stays there for more than a million neighbours:
  // wherever it is stopped, on whatever machine, the plan is about the same.
  await page.evaluate(() => {
    const { solver } = globalThis.lopeStudio.live, tell = solver.onProgress;
    const button = (text) => [...document.querySelectorAll("#controls button")].find((b) => b.textContent === text);
    solver.onProgress = (share) => {
      tell(share);
      globalThis.told = document.getElementById("news").textContent;
      if (share < 0.1) return;
      solver.onProgress = tell;
      button("Backtrack to here").click(); // not now: it solves on
      if (!solver.busy) throw new Error("another search began");
      button("Stop").click();
    };
    button("Another way").click();
  });
  await solved(page);
  const partial = await planOf(page);
  assert.equal(partial.complete, false);
  assert.match(await page.evaluate(() => globalThis.told), /^Solving… \d+ % of the way$/);
  assert.ok(partial.left > 0.2 && partial.frames > 30 && partial.message.length > 5, JSON.stringify(partial));
  assert.ok(await page.getByRole("button", { name: "Stop" }).isDisabled());
  await page.locator("#stage").focus();
  await page.keyboard.press("Space");
  await page.getByLabel("Plan", { exact: true }).fill("1");
  near(await page.evaluate(() => globalThis.lopeStudio.live.frame), partial.frames - 1, 2, "scrubbed to its end");
  await page.getByLabel("Planner").selectOption({ label: "grasps first: fast" });
  await mark(page);
  await page.getByRole("button", { name: "Backtrack to here" }).click();
  await solved(page);
  const kept = await page.evaluate(() => {
    const { live, shapes } = globalThis.lopeStudio, before = globalThis.marked, floats = 7 * shapes.joints;
    return before.poses.subarray(0, 10 * floats).join() === live.plan.poses.subarray(0, 10 * floats).join();
  });
  const on = await planOf(page);
  assert.ok(kept && on.complete, `it goes on: ${JSON.stringify(on)} after ${JSON.stringify(partial)}`);
  assert.match(await page.locator("#news").innerText(), /^Solved: \d+ changes of grasp/);
  await page.done();
});

test("the wall is changed by keyboard", async () => {
  const page = await studio.open("#scene=grasp-course");
  await page.getByLabel("Solve after each change").uncheck();
  await mark(page);
  await page.locator("#stage").focus();
  const { file } = await stateOf(page);
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("Enter"); // takes the start
  for (let i = 0; i < 3; i++) await page.keyboard.press("ArrowRight");
  await page.keyboard.press("Enter");
  near((await stateOf(page)).file.start.at[0], file.start.at[0] + 0.3, 0.02, "the start");
  await page.keyboard.press("g");
  await solved(page);
  assert.equal((await planOf(page)).complete, true);
  await page.done();
});

test("a sequence of poses is a milestone; the plan is saved, and opened again", async () => {
  const page = await studio.open("#scene=grasp-slide", { viewport: { width: 1000, height: 620 } });
  assert.equal((await planOf(page)).complete, true);
  const saved = page.waitForEvent("download");
  await page.getByRole("button", { name: "Save plan" }).click();
  const path = await (await saved).path();
  await mark(page);
  await page.getByRole("button", { name: "Another way" }).click();
  await solved(page);
  await mark(page);
  const chosen = page.waitForEvent("filechooser");
  await page.getByRole("button", { name: "Open plan…" }).click();
  await (await chosen).setFiles({ name: "plan.lope", mimeType: "application/octet-stream", buffer: readFileSync(path) });
  await solved(page);
  const bytes = await page.evaluate(() => globalThis.lopeStudio.live.plan.file.length);
  assert.equal(bytes, readFileSync(path).length);
  await mark(page);
  await page.getByLabel("Planner").selectOption({ label: "flying: its precursor, holds nothing" });
  await page.getByRole("button", { name: "Solve", exact: true }).click();
  await solved(page);
  const flown = await page.evaluate(() => ({ complete: globalThis.lopeStudio.live.plan.complete, held: Math.max(...globalThis.lopeStudio.live.plan.held.slice(4, -4)) }));
  assert.deepEqual(flown, { complete: true, held: -1 });
  await page.done();
});

test("a posture is dragged, its heuristics follow, and the plan ends in it", async () => {
  const page = await studio.open("#scene=grasp-climb", { viewport: { width: 1000, height: 900 } });
  await whole(page);
  await page.getByRole("button", { name: "Pose", exact: true }).click();
  const figures = () => page.evaluate(() => Object.fromEntries(document.querySelector("#card dl").innerText.split("\n").reduce((rows, text, i, all) => (i % 2 ? rows : [...rows, [text, all[i + 1]]]), [])));
  const before = await figures();
  assert.equal(before.It, "walks");
  assert.ok(Number(before.Discomfort) < 1.6, JSON.stringify(before));
  const points = () => page.evaluate(() => [...globalThis.lopeStudio.live.editor.points()]);
  const handle = async (i) => (await points()).slice(2 * i, 2 * i + 2);
  const neck = await handle(1);
  await dragWall(page, neck, [neck[0] + 0.3, neck[1] - 0.1]); // it bows
  const bowed = await figures();
  assert.ok(Number(bowed["upright spine"]) > Number(before["upright spine"]) + 0.2, JSON.stringify(bowed));
  assert.equal(bowed.It, "walks"); // the feet stayed
  const foot = await handle(9);
  await dragWall(page, foot, [foot[0], foot[1] + 0.4]);
  assert.match((await figures()).It, /too little/);
  await page.getByRole("button", { name: "Use it" }).click();
  await page.waitForFunction(() => /cannot be used/.test(document.getElementById("news").textContent));
  await dragWall(page, await handle(9), [foot[0] + 0.03, foot[1] + 0.03]); // it snaps to the grasp
  assert.equal((await figures()).It, "walks");
  await mark(page);
  await page.getByRole("button", { name: "Use it" }).click();
  await solved(page);
  const { goal } = (await stateOf(page)).file;
  assert.ok(goal.pose.spine > 15, JSON.stringify(goal));
  assert.equal((await planOf(page)).complete, true);
  await page.getByRole("button", { name: "Make comfortable" }).click();
  assert.ok(Number((await figures()).Discomfort) < Number(bowed.Discomfort));
  await page.done();
});
