// SPDX-License-Identifier: MIT
// Mobility maps under the mouse.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { clickGround, dragGround, look, near, placeOf, start, stateOf } from "./lib.mjs";

let studio;
before(async () => (studio = await start()));
after(() => studio.close());

test("click or drag a target: the walker goes there", async () => {
  const page = await studio.open("#scene=walk");
  await look(page);
  await page.selectOption("#speed", "2");
  await clickGround(page, 0, -2.5);
  near((await stateOf(page)).target[1], -2.5, 0.1);
  assert.match(await page.locator("#news").innerText(), /On its way/);
  await dragGround(page, [0, -2.5], [1.5, -3.5]);
  const { target } = await stateOf(page);
  near(target[0], 1.5, 0.15);
  await page.waitForFunction(([x, z]) => {
    const { poses } = globalThis.lopeStudio.live.cast();
    return Math.hypot(poses[4] - x, poses[6] - z) < 0.4;
  }, target);
  await page.done();
});

test("the reachable set and the chosen way are shown, and can be hidden", async () => {
  const page = await studio.open("#scene=walk");
  const drawn = () => page.evaluate(() => {
    const { reach } = globalThis.lopeStudio.live;
    return { ends: reach.ends.object.visible ? reach.ends.object.count : 0, ways: reach.ways.object.visible ? reach.ways.object.geometry.drawRange.count : 0, plan: reach.plan.object.visible };
  });
  await page.waitForFunction(() => globalThis.lopeStudio.live.reach.ends.object.count > 3);
  const shown = await drawn();
  assert.ok(shown.ends > 3 && shown.ways > 20 && shown.plan, JSON.stringify(shown));
  await page.getByLabel("Show where it can get").uncheck();
  await page.waitForFunction(() => !globalThis.lopeStudio.live.reach.ends.object.visible);
  await page.done();
});

test("obstacles are added, dragged and removed; walls are kept clear of", async () => {
  const page = await studio.open("#scene=walk");
  await look(page);
  await page.getByRole("button", { name: "+ Box" }).click();
  await clickGround(page, 5, -4);
  assert.equal((await stateOf(page)).obstacles.length, 3);
  await page.getByRole("button", { name: "Target" }).click();
  await dragGround(page, [5, -4], [3, -6]);
  const { box } = (await stateOf(page)).obstacles[2];
  near(box.centre[0], 3, 0.15);
  near(box.centre[1], -6, 0.15);
  await page.getByRole("button", { name: "Remove" }).click();
  await clickGround(page, 3, -6);
  assert.equal((await stateOf(page)).obstacles.length, 2);
  await page.done();
});

test("what it likes is kept with the link, and told to the walker", async () => {
  const page = await studio.open("#scene=walk");
  const likes = page.getByLabel("It likes");
  const options = await likes.locator("option").allInnerTexts();
  assert.ok(options.includes("to walk") && options.includes("not to walk") && !options.includes("to stand"), options.join());
  await likes.selectOption({ label: "not to walk" });
  assert.equal((await stateOf(page)).likes, "-1");
  await clickGround(page, 1, 3);
  await page.waitForFunction(() => globalThis.lopeStudio.live.cast().poses.every(Number.isFinite));
  await likes.selectOption({ label: "whatever is quickest" });
  await page.done();
});

test("from one to ten thousand people, with the time of a picture", async () => {
  const page = await studio.open("#scene=plaza");
  const slider = page.getByLabel("People");
  await slider.focus();
  await page.keyboard.press("End");
  await page.waitForFunction(() => globalThis.lopeStudio.live.cast().count > 9500);
  assert.equal((await stateOf(page)).count, 10000);
  await page.waitForFunction(() => /Frame\s+\d+ ms: [\d.]+ \+ [\d.]+/.test(document.getElementById("motion").innerText));
  await page.keyboard.press("Home");
  await page.waitForFunction(() => globalThis.lopeStudio.live.cast().count === 1);
  assert.ok((await placeOf(page)).every(Number.isFinite));
  await page.done();
});

test("a minute of a thousand people is kept; the past of all is shown, and the page says how long", async () => {
  const page = await studio.open("#scene=plaza");
  const slider = page.getByLabel("People");
  await slider.fill(String(Math.round(0.75 * Number(await slider.getAttribute("max"))))); // the slider is logarithmic
  await page.waitForFunction(() => globalThis.lopeStudio.live.cast().count > 900);
  const seconds = () => page.locator("#scrub").getAttribute("aria-label").then((text) => Number(/last (\d+) seconds/.exec(text)[1]));
  const count = await page.evaluate(() => globalThis.lopeStudio.live.cast().count);
  assert.ok(count < 1200 && (await seconds()) >= 60, `${count} people, ${await seconds()} s`);
  // Somebody in the crowd, as it is now and as the tape has it two seconds later.
  await page.locator("#stage").focus();
  await page.keyboard.press("Space");
  const { was, frame } = await page.evaluate(() => {
    const { live, recorder, shapes } = globalThis.lopeStudio, floats = shapes.joints * 7;
    return { was: [...live.cast().poses.slice(500 * floats, 501 * floats)], frame: recorder.count - 1 };
  });
  await page.evaluate(() => { for (let i = 0; i < 60; i++) globalThis.lopeStudio.stepOnce(); });
  await page.locator("#scrub").fill(String(frame));
  await page.waitForSelector("#live:not([hidden])");
  const then = await page.evaluate(() => {
    const { tape, recorder, timeline, shapes } = globalThis.lopeStudio, floats = shapes.joints * 7;
    return [...tape.at(recorder.timeAt(timeline.clock.past)).slice(500 * floats, 501 * floats)];
  });
  for (let at = 4; at < was.length; at += 7) assert.ok(Math.hypot(was[at] - then[at], was[at + 1] - then[at + 1], was[at + 2] - then[at + 2]) < 0.05, `joint ${(at - 4) / 7}`);
  await page.done();
});
