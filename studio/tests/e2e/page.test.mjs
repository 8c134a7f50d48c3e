// SPDX-License-Identifier: MIT
// The page in Debian's Chromium, from a plain file server: scenes, time, keys, files, links, looks.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { clickGround, clock, exported, look, near, onScreen, placeOf, ready, start, stateOf } from "./lib.mjs";

let studio;
before(async () => (studio = await start()));
after(() => studio.close());

test("every scene opens with somebody moving and a line that says what to try", async () => {
  const page = await studio.open("", { viewport: { width: 720, height: 320 } });
  const ids = await page.locator("#scene option").evaluateAll((options) => options.map((o) => o.value));
  assert.ok(ids.length >= 9);
  for (const id of ids) {
    await page.selectOption("#scene", id);
    await page.waitForFunction((wanted) => document.body.dataset.scene === wanted, id);
    assert.ok((await page.locator("#hint").innerText()).length > 20, id);
    const [x, z] = await placeOf(page);
    await page.waitForFunction(([a, b]) => {
      const { poses, watched } = globalThis.lopeStudio.live.cast(), at = watched * globalThis.lopeStudio.shapes.joints * 7;
      return Math.hypot(poses[at + 4] - a, poses[at + 6] - b) > 0.05;
    }, [x, z]);
  }
  await page.done();
});

test("time: pause, single steps, scrubbing, slow motion, back to now", async () => {
  const page = await studio.open("#scene=clips");
  await page.waitForFunction(() => Number.parseFloat(document.getElementById("clock").textContent) > 0.7);
  await page.locator("#stage").focus();
  await page.keyboard.press("Space");
  const paused = await clock(page);
  await page.keyboard.press(".");
  await page.waitForFunction((t) => Number.parseFloat(document.getElementById("clock").textContent) > t, paused);
  near((await clock(page)) - paused, 1 / 60, 0.011, "one step");
  await page.keyboard.press(",");
  await page.keyboard.press(",");
  await page.waitForFunction((t) => Number.parseFloat(document.getElementById("clock").textContent) < t, paused);
  const place = await page.evaluate(() => globalThis.lopeStudio.people.near.transforms.slice(0, 7).join());
  await page.locator("#scrub").fill("5");
  await page.waitForFunction(() => Number.parseFloat(document.getElementById("clock").textContent) < 0.2);
  assert.notEqual(await page.evaluate(() => globalThis.lopeStudio.people.near.transforms.slice(0, 7).join()), place);
  assert.ok(await page.locator("#live").isVisible());
  await page.selectOption("#speed", "0.1");
  await page.click("#play");
  const pace = await page.evaluate(async () => {
    const now = () => [globalThis.lopeStudio.recorder.timeAt(globalThis.lopeStudio.timeline.clock.past), performance.now() / 1000];
    const [from, begun] = now();
    while (now()[0] < from + 0.1) {
      if (now()[1] > begun + 60) throw new Error("time does not go on");
      await new Promise((drawn) => requestAnimationFrame(drawn));
    }
    const [to, ended] = now();
    return (to - from) / (ended - begun);
  });
  assert.ok(pace > 0 && pace < 0.5, `slow motion: ${pace}`); // 0.1, but for a picture that had begun before
  await page.click("#live");
  await page.waitForFunction((t) => Number.parseFloat(document.getElementById("clock").textContent) >= t, paused);
  await page.done();
});

test("the captured motion stands beside whoever plays some, now and in the past", async () => {
  const page = await studio.open("#scene=walk");
  const toggle = page.getByLabel("Source clip beside it");
  for (const [id, name] of [["walk", /^\w+$/], ["doors", /^\w+$/], ["rings-stairs", /^\w+, sample \d+ of \d+$/], ["tiles", /^\w+$/], ["office", /^\w+$/]]) {
    await page.selectOption("#scene", id);
    await page.waitForFunction((wanted) => document.body.dataset.scene === wanted, id);
    await toggle.check();
    await page.waitForFunction(() => globalThis.lopeStudio.ghost.mesh.visible && globalThis.lopeStudio.recorder.count > 20);
    const { text, apart, up } = await page.evaluate(() => {
      const { ghost, live, shapes } = globalThis.lopeStudio, { poses, watched } = live.cast(), at = watched * shapes.joints * 7;
      const of = ghost.body.transforms, hips = shapes.jointOf.indexOf(0) * 8; // a shape of the hips: eight floats each
      return {
        text: [...document.querySelectorAll("#motion dt")].find((e) => e.textContent === "Source").nextElementSibling.textContent,
        apart: Math.hypot(of[hips + 4] - poses[at + 4], of[hips + 6] - poses[at + 6]), up: of[hips + 5] - poses[at + 5],
      };
    });
    assert.match(text, name, id);
    near(apart, 1, 0.5, `${id}: metres apart`);
    near(up, 0, 0.6, `${id}: metres higher`);
    await page.locator("#scrub").fill("4");
    await page.waitForSelector("#live:not([hidden])");
    await page.waitForFunction(() => globalThis.lopeStudio.ghost.mesh.visible);
    await page.click("#live");
  }
  await page.selectOption("#scene", "grasp-bars"); // planned, not captured
  await page.waitForFunction(() => document.body.dataset.scene === "grasp-bars");
  await toggle.waitFor({ state: "hidden" });
  assert.ok(!(await page.evaluate(() => globalThis.lopeStudio.ghost.mesh.visible)));
  await page.done();
});

test("exports: BVH, GLB, SVG, PNG and a scene file that the page reads back", async () => {
  const page = await studio.open("#scene=living-room", { fresh: true });
  await page.waitForFunction(() => Number.parseFloat(document.getElementById("clock").textContent) > 0.6);
  const bvh = (await exported(page, "bvh")).bytes.toString();
  assert.match(bvh, /^HIERARCHY\s+ROOT/);
  const frames = Number(/Frames: (\d+)/.exec(bvh)[1]);
  assert.ok(frames > 30);
  assert.equal(bvh.trim().split("\n").length - bvh.split("\n").findIndex((l) => l.startsWith("Frame Time")) - 1, frames);
  const glb = (await exported(page, "glb")).bytes;
  assert.equal(glb.toString("latin1", 0, 4), "glTF");
  assert.equal(glb.readUInt32LE(8), glb.length);
  const json = JSON.parse(glb.toString("utf8", 20, 20 + glb.readUInt32LE(12)));
  assert.equal(json.animations.length, 1);
  assert.match((await exported(page, "svg")).bytes.toString(), /<svg[\s\S]*<\/svg>/);
  const png = (await exported(page, "png")).bytes;
  assert.equal(png.toString("latin1", 1, 4), "PNG");
  assert.deepEqual([png.readUInt32BE(16), png.readUInt32BE(20)], await page.locator("#stage").evaluate((e) => [e.clientWidth, e.clientHeight]), "in full");
  assert.ok(png.length > 5000);
  const scene = await exported(page, "scene");
  assert.equal(JSON.parse(scene.bytes).obstacles.length, 7);
  const file = JSON.parse(scene.bytes);
  const fewer = { ...file, obstacles: file.obstacles.slice(1) }; // another scene than the one that is open
  await page.setInputFiles("#file", { name: scene.name, mimeType: "application/json", buffer: Buffer.from(JSON.stringify(fewer)) });
  await page.waitForFunction(() => globalThis.lopeStudio.live.state().obstacles?.length === 6);
  // The BVH, played on the page.
  await page.setInputFiles("#file", { name: "mine.bvh", mimeType: "text/plain", buffer: Buffer.from(bvh) });
  await page.waitForFunction(() => document.body.dataset.scene === "clips");
  assert.deepEqual(await page.locator("#controls select option").allInnerTexts(), ["mine"]);
  // The GLB, as a character of one's own in the place of the watched body.
  await page.setInputFiles("#file", { name: "me.glb", mimeType: "model/gltf-binary", buffer: glb });
  await page.waitForFunction(() => globalThis.lopeStudio.avatar?.object.visible);
  assert.match(await page.locator("#news").innerText(), /me\.glb follows the watched character/);
  await page.getByLabel("Your character").uncheck();
  await page.waitForFunction(() => !globalThis.lopeStudio.avatar.object.visible);
  await page.done();
});

test("wrong and damaged files get the library's message", async () => {
  const page = await studio.open("#scene=walk");
  const tell = async (name, text) => {
    await page.setInputFiles("#file", { name, mimeType: "application/octet-stream", buffer: Buffer.from(text) });
    await page.waitForSelector("#problem[open]");
    const said = await page.locator("#problem-text").innerText();
    await page.keyboard.press("Escape");
    await page.waitForSelector("#problem", { state: "hidden" });
    return said;
  };
  assert.match(await tell("walk.bvh", "HIERARCHY\nROOT Hips\n{\n"), /^walk\.bvh:\d+: /);
  assert.match(await tell("map.lope", "this is no map"), /map\.lope.*not a \.lope file/);
  assert.match(await tell("scene.json", '{"obstacles": [{"ball": 1}]}'), /scene\.json: obstacle 1: expected one of/);
  assert.match(await tell("scene.json", "{"), /^scene\.json: /);
  assert.match(await tell("notes.txt", "hello"), /expected a \.lope, \.bvh, \.glb or scene \.json file/);
  assert.match(await tell("dance.fbx", "Kaydara"), /lope studio/);
  assert.equal(await page.evaluate(() => document.body.dataset.scene), "walk"); // the old scene goes on
  const before = await clock(page);
  await page.waitForFunction((t) => Number.parseFloat(document.getElementById("clock").textContent) > t, before);
  await page.done();
});

test("a link carries what was changed; undo and redo go back and forth", async () => {
  const page = await studio.open("#scene=walk");
  await look(page);
  await clickGround(page, 3, 2);
  await page.getByRole("button", { name: "+ Pillar" }).click();
  await clickGround(page, -4, -3);
  const state = await stateOf(page);
  near(state.target[0], 3, 0.1);
  assert.equal(state.obstacles.length, 3);
  await page.keyboard.press("Control+z");
  assert.equal((await stateOf(page)).obstacles.length, 2);
  await page.click("#redo");
  assert.equal((await stateOf(page)).obstacles.length, 3);
  await page.click("#share");
  await page.waitForFunction(() => location.hash.includes("state="));
  const link = await page.evaluate(() => location.hash);
  const other = await studio.open(link);
  const same = await stateOf(other);
  assert.equal(same.obstacles.length, 3);
  near(same.target[0], state.target[0], 0.001);
  await other.done();
  await page.done();
});

test("links that make no sense leave a scene that works", async () => {
  const link = (state) => `&state=${Buffer.from(JSON.stringify(state)).toString("base64url")}`;
  const page = await studio.open(`#scene=walk${link({ count: "many", obstacles: [{ box: {} }], target: [1, "x"] })}`, { problems: true });
  assert.match(await page.locator("#problem-text").innerText(), /obstacle 1: expected a box/);
  await page.keyboard.press("Escape");
  for (const [id, state] of [["doors", { start: [NaN], goal: "there", work: -5 }], ["clips", { clip: 7 }], ["no-such-scene", {}]]) {
    await page.evaluate((hash) => (location.hash = hash), `#scene=${id}${link(state)}`);
    await page.waitForFunction((wanted) => document.body.dataset.scene === wanted, id === "no-such-scene" ? "walk" : id);
    const before = await clock(page);
    await page.waitForFunction((t) => Number.parseFloat(document.getElementById("clock").textContent) > t, before);
  }
  await page.done();
});

test("everything by keyboard: help, cursor on the ground, tab order with a visible focus", async () => {
  const page = await studio.open("#scene=walk");
  await page.locator("#stage").focus();
  await page.keyboard.press("?");
  assert.ok(await page.locator("#help-dialog").isVisible());
  assert.ok((await page.locator("#help-list dt").count()) > 10);
  await page.keyboard.press("Escape");
  await page.locator("#stage").focus();
  for (const key of ["ArrowUp", "ArrowUp", "Shift+ArrowRight", "ArrowRight"]) await page.keyboard.press(key);
  await page.keyboard.press("Enter");
  assert.ok((await stateOf(page)).target, "Enter sends it to the cursor");
  const names = new Set();
  await page.evaluate(() => document.activeElement.blur());
  for (let i = 0; i < 40; i++) {
    await page.keyboard.press("Tab");
    const { name, outline } = await page.evaluate(() => {
      const e = document.activeElement;
      return { name: e === document.body ? "" : e.id || e.textContent || e.getAttribute("aria-label"), outline: getComputedStyle(e).outlineStyle };
    });
    if (!name) continue; // left the page and comes round
    names.add(name);
    assert.notEqual(outline, "none", `focus on ${name} is seen`);
  }
  for (const id of ["scene", "share", "export", "theme", "help", "stage", "back", "play", "next", "speed", "scrub"]) assert.ok(names.has(id), `Tab reaches ${id}`);
  const unnamed = await page.evaluate(() => [...document.querySelectorAll("button, select, input:not([hidden])")].filter((e) => {
    const label = e.labels?.[0]?.textContent ?? e.getAttribute("aria-label") ?? e.textContent;
    return !label?.trim();
  }).map((e) => e.outerHTML));
  assert.deepEqual(unnamed, []);
  await page.done();
});

test("light and dark, as the system says and by hand", async () => {
  const page = await studio.open("", { colorScheme: "dark" });
  const theme = () => page.evaluate(() => document.documentElement.dataset.theme);
  assert.equal(await theme(), "dark");
  await page.click("#theme");
  assert.equal(await theme(), "light");
  await page.reload();
  await ready(page);
  assert.equal(await theme(), "light");
  await page.done();
});

test("a phone shows it all without scrolling sideways; reduced motion is respected", async () => {
  const page = await studio.open("#scene=plaza", { viewport: { width: 390, height: 780 }, hasTouch: true, isMobile: true, reducedMotion: "reduce" });
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
  assert.ok(!(await page.locator("#side-body").isVisible()), "controls are folded");
  await page.tap("#fold");
  assert.ok(await page.locator("#side-body").isVisible());
  assert.equal(await page.evaluate(() => getComputedStyle(document.getElementById("play")).transitionDuration), "0s");
  const canvas = await page.locator("#stage").boundingBox();
  assert.ok(canvas.width >= 380 && canvas.height > 300);
  await page.done();
});

test("two pages at once do not disturb each other", async () => {
  const [a, b] = await Promise.all([studio.open("#scene=walk"), studio.open("#scene=walk")]);
  await look(a);
  await clickGround(a, 2, -4);
  assert.ok((await stateOf(a)).target);
  assert.equal((await stateOf(b)).target, null);
  assert.ok(await onScreen(b, 0, 0));
  await a.done();
  await b.done();
});
