// SPDX-License-Identifier: MIT
// Motion rings under keys, gamepad and mouse.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { exported, near, placeOf, start, stateOf } from "./lib.mjs";

let studio;
before(async () => (studio = await start()));
after(() => studio.close());

const heightAt = (page, x, z) => page.evaluate(([a, b]) => {
  const { live, lope } = globalThis.lopeStudio;
  return lope.c.studio_terrain_below(live.terrain, a, 100, b);
}, [x, z]);
const moved = (page, from, metres) => page.waitForFunction(([[x, z], m]) => {
  const { poses } = globalThis.lopeStudio.live.cast();
  return Math.hypot(poses[4] - x, poses[6] - z) > m;
}, [from, metres]);
const standing = (page) => page.waitForFunction(() => document.querySelector("#controls dd").textContent === "–");
const unplug = (page) => page.evaluate(() => delete navigator.getGamepads);
/** Where a place on the ground is on the screen. */
const spotOf = async (page, x, z) => {
  const y = await heightAt(page, x, z);
  return page.evaluate(([a, b, c]) => globalThis.lopeStudio.stage.project(a, b, c), [x, y, z]);
};

test("keys drive as seen from the camera, letting go stops, Shift runs", async () => {
  const page = await studio.open("#scene=rings-bumps");
  await page.locator("#stage").focus();
  const from = await placeOf(page);
  await page.keyboard.down("w");
  await moved(page, from, 1);
  const [x, z] = await placeOf(page);
  const look = await page.evaluate(() => {
    const { camera, controls } = globalThis.lopeStudio.stage;
    return [controls.target.x - camera.position.x, controls.target.z - camera.position.z];
  });
  assert.ok((x - from[0]) * look[0] + (z - from[1]) * look[1] > 0, "away from the eye");
  await page.keyboard.up("w");
  await standing(page);
  await page.keyboard.down("Shift");
  await page.keyboard.down("S");
  await page.waitForFunction(() => {
    const { live, lope } = globalThis.lopeStudio, at = live.scratch.room(64);
    lope.c.studio_gait_state(live.gait, live.rings, at);
    return lope.floats(at, 13)[12] === 2; // LOPE_RING_RUN
  });
  await page.keyboard.up("S");
  await page.keyboard.up("Shift");
  await standing(page);
  await page.done();
});

test("a gamepad drives", async () => {
  const page = await studio.open("#scene=rings-stairs");
  await page.evaluate(() => {
    const pad = { connected: true, axes: [0, -1], buttons: [] };
    Object.defineProperty(navigator, "getGamepads", { configurable: true, value: () => [null, pad] });
    globalThis.pad = pad;
  });
  const from = await placeOf(page);
  await moved(page, from, 0.8);
  await page.evaluate(() => (globalThis.pad.axes = [0.05, 0.02]));
  await standing(page);
  await unplug(page);
  await page.done();
});

test("contact spheres light up where there is ground", async () => {
  const page = await studio.open("#scene=rings-stones");
  await page.waitForFunction(() => {
    const { lit, count } = globalThis.lopeStudio.live.spheres;
    return lit > 0 && lit < count;
  });
  assert.match(await page.locator("#controls dd").first().innerText(), /^\d+ of \d+$/);
  await page.getByLabel("Contact spheres").uncheck();
  await page.waitForFunction(() => !globalThis.lopeStudio.live.spheres.bright.visible);
  await page.done();
});

test("the brush raises and lowers the ground while it walks; undo and links know it", async () => {
  const page = await studio.open("#scene=rings-course");
  await page.getByLabel("Follow with the camera").uncheck();
  const [x, z] = [1.2, 1.6];
  const before = await heightAt(page, x, z);
  await page.getByRole("button", { name: "Raise" }).click();
  const at = await spotOf(page, x, z);
  await page.mouse.move(at.x, at.y);
  await page.mouse.down();
  await page.waitForFunction(([a, b, h]) => {
    const { live, lope } = globalThis.lopeStudio;
    return lope.c.studio_terrain_below(live.terrain, a, 100, b) > h + 0.1;
  }, [x, z, before]);
  await page.mouse.move(at.x + 15, at.y);
  await page.mouse.up();
  const raised = await heightAt(page, x, z);
  assert.ok(raised > before + 0.1);
  const from = await placeOf(page);
  await moved(page, from, 0.2); // it still walks
  const file = await exported(page, "scene");
  assert.ok(JSON.parse(file.bytes.toString()).terrain[0].field.heights.length > 10);
  const link = await page.evaluate(() => location.hash);
  await page.click("#undo");
  near(await heightAt(page, x, z), before, 1e-4, "undone");
  await page.click("#redo");
  near(await heightAt(page, x, z), raised, 1e-3, "done again");
  await page.getByRole("button", { name: "Lower" }).click();
  await page.mouse.move(at.x, at.y);
  await page.mouse.down();
  await page.waitForFunction(([a, b, h]) => {
    const { live, lope } = globalThis.lopeStudio;
    return lope.c.studio_terrain_below(live.terrain, a, 100, b) < h - 0.03;
  }, [x, z, raised]);
  await page.mouse.up();
  await page.done();
  const again = await studio.open(link);
  near(await heightAt(again, x, z), raised, 0.01, "the link");
  await again.done();
});

test("a click sends it there, and the cliff stops who drives at it", async () => {
  const page = await studio.open("#scene=rings-cliff");
  await page.getByLabel("Follow with the camera").uncheck();
  const at = await spotOf(page, 1, 3.5);
  await page.mouse.click(at.x, at.y);
  const { target } = await stateOf(page);
  near(target[0], 1, 0.1);
  near(target[1], 3.5, 0.1);
  await page.waitForFunction(() => {
    const { poses } = globalThis.lopeStudio.live.cast();
    return Math.hypot(poses[4] - 1, poses[6] - 3.5) < 0.6;
  });
  await page.evaluate(() => {
    const pad = { connected: true, axes: [0, -1], buttons: [] }, { stage } = globalThis.lopeStudio;
    stage.camera.position.set(1, 3, -2);
    stage.controls.target.set(1, 1, 4); // straight at the gap, which begins at z = 8
    Object.defineProperty(navigator, "getGamepads", { configurable: true, value: () => [pad] });
  });
  await page.waitForFunction(() => document.getElementById("news").textContent.startsWith("No place for the next foot"));
  const [, edge] = await placeOf(page);
  assert.ok(edge > 6 && edge < 8.3, `it stops at ${edge}`);
  await unplug(page);
  await page.done();
});

test("the brush works by keyboard", async () => {
  const page = await studio.open("#scene=rings-bumps");
  await page.getByLabel("Follow with the camera").uncheck();
  await page.locator("#stage").focus();
  await page.keyboard.press("2");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => globalThis.lopeStudio.live.earth.dabs.length > 0 && globalThis.lopeStudio.live.earth.dabs[0][3] > 0.05);
  await page.keyboard.press("Enter");
  assert.ok((await stateOf(page)).dabs.length > 0);
  assert.ok(await page.locator("#undo").isEnabled());
  await page.done();
});
