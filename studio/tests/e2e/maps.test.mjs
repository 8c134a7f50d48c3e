// SPDX-License-Identifier: MIT
// Motion maps under the mouse.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { dragGround, look, near, start, stateOf } from "./lib.mjs";

let studio;
before(async () => (studio = await start()));
after(() => studio.close());

const drawn = (page) => page.evaluate(() => {
  const view = globalThis.lopeStudio.live.view_;
  const range = (mark) => (mark.object.visible ? mark.object.geometry.drawRange.count : 0);
  return { triangles: range(view.triangles), path: range(view.path), walk: range(view.hips), nodes: view.nodes.object.count, steps: view.steps.object.count };
});

test("start, goal and obstacles are dragged while it walks", async () => {
  const page = await studio.open("#scene=doors");
  await look(page);
  const before = await stateOf(page);
  await dragGround(page, before.goal, [-2, 6.2]);
  let state = await stateOf(page);
  near(state.goal[0], -2, 0.2);
  await dragGround(page, before.start, [-3, -6.5]);
  state = await stateOf(page);
  near(state.start[0], -3, 0.2);
  await dragGround(page, [3, 0.02], [3, 0.6]);
  state = await stateOf(page);
  near(Math.max(...state.obstacles.map((o) => o.box.centre[1]).filter((z) => z < 2)), 0.6, 0.2, "the wall");
  await page.waitForFunction(() => globalThis.lopeStudio.live.follow.steps().length > 0);
  await page.click("#undo");
  assert.ok(Math.abs(Math.max(...(await stateOf(page)).obstacles.map((o) => o.box.centre[1]).filter((z) => z < 2))) < 0.1);
  await page.done();
});

test("triangulation, path, walk, maps and the search tree are shown when asked for", async () => {
  const page = await studio.open("#scene=figure8");
  await page.waitForFunction(() => globalThis.lopeStudio.live.view_.steps.object.count > 3);
  const first = await drawn(page);
  assert.ok(first.path > 0 && first.walk > 0 && first.nodes > 100 && first.triangles === 0, JSON.stringify(first));
  await page.getByLabel("Triangulation and corridor").check();
  await page.getByLabel("Motion maps").selectOption("all");
  await page.waitForFunction((n) => globalThis.lopeStudio.live.view_.nodes.object.count > n, first.nodes);
  const second = await drawn(page);
  assert.ok(second.triangles > 50);
  await page.getByLabel("Walk", { exact: true }).uncheck();
  await page.waitForFunction(() => globalThis.lopeStudio.live.view_.steps.object.count === 0);
  await page.done();
});

test("A* beside it, with times and what each looked at", async () => {
  const page = await studio.open("#scene=doors");
  const walked = () => page.evaluate(() => globalThis.lopeStudio.time);
  const before = await walked();
  // At once: where drawing is slow, the search may be done before a second click gets through.
  await page.evaluate(() => {
    for (const text of ["Compare with A*", "Stop"]) [...document.querySelectorAll("#controls button")].find((b) => b.textContent === text).click();
  });
  await page.waitForFunction(() => document.getElementById("news").textContent === "stopped");
  await page.getByRole("button", { name: "Compare with A*" }).click();
  await page.waitForSelector(".compare");
  assert.ok((await walked()) > before, "it walks on meanwhile");
  const captions = await page.locator(".compare figcaption").allInnerTexts();
  assert.equal(captions.length, 2);
  assert.match(captions[0], /Motion maps\s+[\d.]+ ms · \d+ walks tried · [\d.]+ m/);
  assert.match(captions[1], /A\*\s+[\d.]+ ms · [\d,]+ walks tried/);
  await page.getByLabel("Close the comparison").click();
  assert.equal(await page.locator(".compare").count(), 0);
  await page.done();
});

test("with a small budget it plays while it searches", async () => {
  const page = await studio.open("#scene=uturns");
  await page.getByLabel("Search budget a frame").focus();
  await page.keyboard.press("Home");
  assert.equal((await stateOf(page)).work, 1);
  await page.waitForFunction(() => {
    const { follow, view_ } = globalThis.lopeStudio.live;
    return follow.searchState === 1 && follow.report().maps > 2 && view_.steps.object.count > 0; // searching
  });
  await page.done();
});
