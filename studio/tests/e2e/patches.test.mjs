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

/** The first thing for which a condition on its number and kind holds that a click would meet, and where to click. */
const visible = (page, condition) => page.evaluate((text) => {
  const { live, stage } = globalThis.lopeStudio, { c } = live.host.lope;
  const wanted = new Function("live", "c", "thing", "kind", "placed", `return ${text}`);
  for (let thing = 0; thing < c.studio_office_thing_count(live.office); thing++) {
    const placed = live.things.placed(thing), kind = live.host.lope.text(c.studio_office_kind(live.office, thing));
    if (!placed || !wanted(live, c, thing, kind, placed)) continue;
    const at = stage.project(placed.x, placed.y + 0.45, placed.z);
    const spot = stage.pick({ clientX: at.x, clientY: at.y });
    if (spot?.ray && live.meant(spot, /^(chair|desk)/) === thing && document.elementFromPoint(at.x, at.y)?.id === "stage") return { thing, at, placed };
  }
  return null;
}, condition);
const things = (page) => page.evaluate(() => globalThis.lopeStudio.live.host.lope.c.studio_office_thing_count(globalThis.lopeStudio.live.office));
const doing = (what) => `live.host.lope.text(live.host.lope.c.studio_office_doing(live.office, 0)) === "${what}"`;
/** Where the orange one stands: x, y, z. */
const standsAt = (page) => page.evaluate(() => {
  const { live } = globalThis.lopeStudio, { lope } = live.host;
  const at = live.scratch.room(16);
  lope.c.studio_office_place(live.office, 0, at);
  return [...lope.floats(at, 3)];
});

test("a click on a chair lets the orange one sit there; the world goes into links and files", async () => {
  const page = await studio.open("#scene=office", { fresh: true });
  await look(page);
  await page.getByRole("button", { name: "Everybody roams" }).click();
  const chair = await visible(page, "kind === 'chair' && placed.y < 0.05 && c.studio_office_is_used(live.office, thing) && c.studio_office_user(live.office, thing) < 0");
  assert.ok(chair, "no chair is in view");
  await page.mouse.click(chair.at.x, chair.at.y);
  assert.match(await news(page), /sit down|waits in line/);
  const took = await goOn(page, 240, doing("sits"));
  assert.ok(took !== null, "it never sat down");
  await goOn(page, 3, "false");
  assert.equal(await page.evaluate(({ thing }) => {
    const { live } = globalThis.lopeStudio;
    return live.host.lope.c.studio_office_user(live.office, thing);
  }, chair), 0);
  const [x, z] = await placeOf(page);
  near(x, chair.placed.x, 0.6, "x of the seat");
  near(z, chair.placed.z, 0.6, "z of the seat");
  const file = JSON.parse((await exported(page, "scene")).bytes.toString());
  assert.ok(file.parts.length > 30 && file.parts.some((p) => p.chair), "parts of a level");
  // The file with fewer parts, dropped on the page: another level.
  const fewer = { ...file, parts: file.parts.slice(0, 40) };
  const drop = (text) => page.setInputFiles("#file", { name: "mine.json", mimeType: "application/json", buffer: Buffer.from(text) });
  await drop(JSON.stringify(fewer));
  await page.waitForFunction(() => globalThis.lopeStudio.live.world && globalThis.lopeStudio.live.host.lope.c.studio_office_thing_count(globalThis.lopeStudio.live.office) === 40);
  await drop(JSON.stringify({ ...fewer, parts: [{ throne: { place: [1, 0, 1] } }] }));
  await page.waitForSelector("#problem[open]");
  assert.match(await page.locator("#problem-text").innerText(), /throne/);
  await page.keyboard.press("Escape");
  assert.equal(await things(page), 40);
  await page.done();
});

test("a seat 3 m away is reached", async () => {
  const page = await studio.open("#scene=office", { fresh: true });
  const times = await page.evaluate(() => {
    const { live } = globalThis.lopeStudio, { lope } = live.host, { c } = lope;
    const at = live.scratch.room(32), place = (write) => (write(at), [...lope.floats(at, 3)]);
    const sits = () => lope.text(c.studio_office_doing(live.office, 0)) === "sits";
    const until = (most, holds) => {
      let t = 0;
      for (; t < most && !holds(); t += 1 / live.rate) live.step(1 / live.rate);
      return t;
    };
    const found = [];
    for (let thing = 0; thing < c.studio_office_thing_count(live.office) && found.length < 6; thing++) {
      if (!/chair/.test(lope.text(c.studio_office_kind(live.office, thing))) || !c.studio_office_is_used(live.office, thing)) continue;
      const [x, y, z] = place((p) => c.studio_office_thing(live.office, thing, p));
      // Three metres along a free way: from where it has walked to on its own, towards the seat.
      for (const turn of [0, 1.57, 3.14, 4.71]) {
        if (c.studio_office_go(live.office, 0, x + 3 * Math.sin(turn), y, z + 3 * Math.cos(turn), 60)) continue;
        until(120, () => lope.text(c.studio_office_doing(live.office, 0)) === "stands");
        const [px, , pz] = place((p) => c.studio_office_place(live.office, 0, p));
        if (Math.abs(Math.hypot(px - x, pz - z) - 3) > 0.5 || c.studio_office_user(live.office, thing) >= 0) continue;
        if (c.studio_office_use(live.office, 0, thing, 1)) continue;
        found.push(until(60, sits));
        break;
      }
    }
    return found;
  });
  assert.ok(times.length >= 3, `${times.length} seats`);
  console.log(`  seats 3 m away are begun to be sat on after ${times.map((t) => t.toFixed(1)).join(", ")} s`);
  times.sort((a, b) => a - b);
  assert.ok(times[Math.floor(times.length / 2)] <= 20, `${times}`); // should be 8: walkers turn and stop in small steps
  await page.done();
});

test("desks are removed, and undone in place: people stay where they are", async () => {
  const page = await studio.open("#scene=office");
  await look(page);
  await goOn(page, 5, "false");
  await page.getByRole("button", { name: "Remove" }).click();
  const target = await visible(page, "!c.studio_office_is_fixed(live.office, thing)");
  await page.mouse.click(target.at.x, target.at.y);
  assert.deepEqual((await stateOf(page)).edits, [[target.thing, null]]);
  const office = await page.evaluate(() => globalThis.lopeStudio.live.office), before = await standsAt(page);
  await page.click("#undo");
  assert.deepEqual((await stateOf(page)).edits, []);
  assert.ok(await page.evaluate((thing) => globalThis.lopeStudio.live.things.placed(thing) !== null, target.thing), "it is back");
  assert.equal(await page.evaluate(() => globalThis.lopeStudio.live.office), office, "the same world goes on");
  const after = await standsAt(page);
  assert.ok(Math.hypot(after[0] - before[0], after[2] - before[2]) < 2, `${before} ${after}`);
  await page.done();
});

test("on a playground a click on a platform or a floor leads there", async () => {
  const page = await studio.open("#scene=playground");
  await look(page);
  const high = await goOn(page, 120, "(() => { const c = live.cast(), j = live.crew.joints * 7; for (let i = 0; i < c.count; i++) if (c.poses[i * j + 5] > 2) return true; return false; })()");
  assert.ok(high !== null, "nobody climbed");
  const places = await page.evaluate(() => {
    const { live, stage } = globalThis.lopeStudio, { c } = live.host.lope, found = [];
    for (let thing = 0; thing < c.studio_office_thing_count(live.office); thing++) {
      const p = live.things.placed(thing);
      if (!p || !c.studio_office_is_fixed(live.office, thing)) continue;
      const box = live.things.meshes[thing].geometry.boundingBox ?? (live.things.meshes[thing].geometry.computeBoundingBox(), live.things.meshes[thing].geometry.boundingBox);
      const at = stage.project(p.x, p.y + box.max.y, p.z), spot = stage.pick({ clientX: at.x, clientY: at.y });
      if (document.elementFromPoint(at.x, at.y)?.id !== "stage" || !spot?.ray || live.meant(spot, /^chair/) >= 0) continue;
      const hit = live.things.stand(spot.ray);
      if (hit?.thing === thing) found.push({ x: at.x, y: at.y, to: [hit.point.x, hit.point.y, hit.point.z] });
    }
    const raised = found.filter((f) => f.to[1] > 0.5), level = found.filter((f) => f.to[1] < 0.5);
    return [...raised.slice(0, 3), ...level.slice(0, 3)];
  });
  assert.ok(places.some((p) => p.to[1] > 0.5) && places.some((p) => p.to[1] < 0.5), JSON.stringify(places));
  for (const { x, y, to } of places) {
    await page.mouse.click(x, y);
    assert.match(await news(page), /On its way|going to/);
    const took = await goOn(page, 240, doing("stands"));
    assert.ok(took !== null, `never came to ${to}`);
    const at = await standsAt(page);
    const off = Math.hypot(at[0] - to[0], at[2] - to[2]);
    console.log(`  ${to.map((v) => v.toFixed(1))}: ${off.toFixed(2)} m off after ${took.toFixed(1)} s`);
    assert.ok(off < 0.8 && Math.abs(at[1] - to[1]) < 0.3, `${at} instead of ${to}`);
  }
  await page.done();
});
