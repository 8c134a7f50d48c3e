// SPDX-License-Identifier: MIT
// Motion patches under the mouse: floors built from blocks, and worlds with things to use.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { clickGround, dragGround, exported, look, near, placeOf, start, stateOf } from "./lib.mjs";

let studio;
before(async () => (studio = await start()));
after(() => studio.close());

const figure = (page, label) => page.locator("#controls dt", { hasText: label }).locator("xpath=following-sibling::dd").innerText();
const share = async (page) => Number.parseFloat(await figure(page, "Motion in use"));
const news = (page) => page.locator("#news").innerText();
/** Lets a scene go on by seconds at once, until something holds; how long it took. */
const goOn = (page, seconds, until) => page.evaluate(([most, text]) => {
  const { live } = globalThis.lopeStudio;
  const holds = new Function("live", `return ${text}`);
  const dt = 1 / (live.rate ?? 60);
  for (let t = 0; t < most; t += dt) {
    if (holds(live)) return t;
    live.step(dt);
  }
  return null;
}, [seconds, until]);

test("blocks close motion, undo opens it again, R turns, drags snap", async () => {
  const page = await studio.open("#scene=tiles");
  await look(page);
  const before = await share(page);
  await page.getByRole("button", { name: "+ Wall" }).click();
  await clickGround(page, 1.1, -1.1);
  const walled = await share(page);
  assert.ok(walled < before, `${walled} of ${before}`);
  let { obstacles } = await stateOf(page);
  assert.deepEqual(obstacles.at(-1).box.centre, [1, -1]);
  await page.keyboard.press("r");
  ({ obstacles } = await stateOf(page));
  assert.equal(obstacles.at(-1).box.degrees, 45);
  await page.getByRole("button", { name: "Send", exact: true }).click();
  await dragGround(page, [1, -1], [2.3, -2.2]);
  ({ obstacles } = await stateOf(page));
  near(obstacles.at(-1).box.centre[0], 2.25, 0.26);
  for (let i = 0; i < 3; i++) await page.click("#undo");
  assert.equal(await share(page), before);
  await page.click("#redo");
  assert.equal(await share(page), walled);
  await page.done();
});

test("tiles are taken away and laid again; people fill the floor and one is sent", async () => {
  const page = await studio.open("#scene=tiles");
  await look(page);
  const before = await share(page);
  await page.getByRole("button", { name: "± Tile" }).click();
  await clickGround(page, -0.7, 2.2);
  assert.equal((await stateOf(page)).holes.length, 1);
  assert.equal(await figure(page, "Tiles"), "143");
  await clickGround(page, -0.7, 2.2);
  assert.equal(await share(page), before);
  await page.getByLabel("People").focus();
  for (let i = 0; i < 3; i++) await page.keyboard.press("PageUp");
  const { people } = await stateOf(page);
  assert.ok(people > 100, `${people}`);
  await page.getByRole("button", { name: "Send", exact: true }).click();
  await clickGround(page, 2.2, -6.5);
  assert.match(await news(page), /On its way/);
  assert.ok((await goOn(page, 90, "live.target === null")) !== null, "it never arrived");
  const [x, z] = await placeOf(page);
  assert.ok(Math.hypot(x - 2.2, z + 6.5) < 2.5, `${x} ${z}`);
  const file = JSON.parse((await exported(page, "scene")).bytes.toString());
  assert.equal(file.characters, people);
  assert.ok(file.obstacles.length >= 7);
  await page.done();
});

test("a click on a chair lets the orange one sit there; the world goes into links and files", async () => {
  const page = await studio.open("#scene=office", { fresh: true });
  await look(page);
  await page.getByRole("button", { name: "Everybody roams" }).click();
  const chair = await page.evaluate(() => {
    const { live, stage } = globalThis.lopeStudio;
    for (let thing = 0; thing < live.host.lope.c.studio_office_thing_count(live.office); thing++) {
      const placed = live.placed(thing);
      if (!placed || placed.y > 0.05 || !live.host.lope.c.studio_office_is_seat(live.office, thing)) continue;
      const at = stage.project(placed.x, placed.y + 0.45, placed.z);
      const spot = stage.pick({ clientX: at.x, clientY: at.y });
      if (spot && live.things.hit(spot.ray) === thing && document.elementFromPoint(at.x, at.y)?.id === "stage") return { thing, at, placed };
    }
    return null;
  });
  assert.ok(chair, "no chair is in view");
  await page.mouse.click(chair.at.x, chair.at.y);
  assert.match(await news(page), /sit down|waits in line/);
  const took = await goOn(page, 240, "live.host.lope.c.studio_office_state(live.office, 0) === 5"); // LOPE_PERSON_SITTING
  assert.ok(took !== null, "it never sat down");
  assert.equal(await page.evaluate(({ thing }) => {
    const { live } = globalThis.lopeStudio;
    return live.host.lope.c.studio_office_seat_owner(live.office, thing);
  }, chair), 0);
  const [x, z] = await placeOf(page);
  near(x, chair.placed.x, 0.6, "x of the seat");
  near(z, chair.placed.z, 0.6, "z of the seat");
  const file = JSON.parse((await exported(page, "scene")).bytes.toString());
  assert.ok(file.things.length > 10 && file.floors.length === 2, "floors and things");
  // The file with fewer desks, dropped on the page: another world.
  const fewer = { ...file, things: file.things.slice(0, 8) };
  const drop = (text) => page.setInputFiles("#file", { name: "mine.json", mimeType: "application/json", buffer: Buffer.from(text) });
  await drop(JSON.stringify(fewer));
  await page.waitForFunction(() => globalThis.lopeStudio.live.world && globalThis.lopeStudio.live.host.lope.c.studio_office_thing_count(globalThis.lopeStudio.live.office) === 8);
  await drop(JSON.stringify({ ...fewer, things: [{ unit: "throne", at: [1, 0, 1] }] }));
  await page.waitForSelector("#problem[open]");
  assert.match(await page.locator("#problem-text").innerText(), /throne/);
  await page.keyboard.press("Escape");
  assert.equal(await page.evaluate(() => globalThis.lopeStudio.live.host.lope.c.studio_office_thing_count(globalThis.lopeStudio.live.office)), 8);
  await page.done();
});

test("desks are put down and removed, and undone; a playground has people on slides", async () => {
  const page = await studio.open("#scene=office");
  await look(page);
  await page.getByRole("button", { name: "Remove" }).click();
  const target = await page.evaluate(() => {
    const { live, stage } = globalThis.lopeStudio;
    for (let thing = 0; thing < live.host.lope.c.studio_office_thing_count(live.office); thing++) {
      const placed = live.placed(thing);
      const at = placed && stage.project(placed.x, placed.y + 0.45, placed.z);
      const spot = at && stage.pick({ clientX: at.x, clientY: at.y });
      if (spot && live.things.hit(spot.ray) === thing && document.elementFromPoint(at.x, at.y)?.id === "stage") return { thing, at };
    }
    return null;
  });
  await page.mouse.click(target.at.x, target.at.y);
  assert.deepEqual((await stateOf(page)).edits, [[target.thing, null]]);
  await page.click("#undo");
  assert.deepEqual((await stateOf(page)).edits, []);
  await page.selectOption("#scene", "playground");
  await page.waitForFunction(() => document.body.dataset.scene === "playground");
  // Somebody is on a platform or above it within a minute.
  const high = await goOn(page, 120, "(() => { const c = live.cast(), j = live.crew.joints * 7; for (let i = 0; i < c.count; i++) if (c.poses[i * j + 5] > 2) return true; return false; })()");
  assert.ok(high !== null, "nobody climbed");
  await page.done();
});
