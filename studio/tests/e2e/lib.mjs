// SPDX-License-Identifier: MIT
// What the browser tests share: one server, one browser, pages that are used again.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { launch } from "./browser.mjs";
import { serve } from "./server.mjs";

export const site = resolve(process.env.STUDIO_SITE ?? new URL("../../../build/studio/site", import.meta.url).pathname);

const usual = { viewport: { width: 760, height: 520 } };

/** A served site and a browser; call `close` at the end. */
export async function start() {
  const server = await serve(site);
  const browser = await launch();
  const idle = new Map(); // pages by their options, to be used again
  const make = async (options) => {
    const context = await browser.newContext({ acceptDownloads: true, ...options });
    const page = await context.newPage();
    page.setDefaultTimeout(90000); // a busy machine is not an error
    const complaints = [];
    page.on("pageerror", (error) => complaints.push(error.message));
    page.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
    page.on("request", (request) => {
      if (!request.url().startsWith(server.url) && !/^(data|blob):/.test(request.url())) complaints.push(`asked for ${request.url()}`);
    });
    return Object.assign(page, { complaints });
  };
  return {
    browser, server,
    /** Opens the page at a link; fails with whatever the page complains about. Loading takes seconds where drawing is
     * done in software, so a page that a test is done with is used again, unless a test wants a `fresh` one. */
    async open(hash = "", { problems = false, fresh = false, ...options } = {}) {
      const all = { ...usual, ...options };
      const key = !fresh && /^#scene=[\w-]+$/.test(hash) ? JSON.stringify(all) : "";
      const again = idle.get(key)?.pop();
      const page = again ?? (await make(all));
      if (again) await reset(page, hash.slice("#scene=".length));
      else await page.goto(`${server.url}?quality=5${hash}`);
      await ready(page, problems);
      page.done = async () => {
        assert.deepEqual(page.complaints, []);
        if (!key) return page.context().close();
        await page.evaluate(() => (globalThis.lopeStudio.picture = () => {})); // nobody looks: it need not draw
        idle.set(key, [...(idle.get(key) ?? []), page]);
      };
      return page;
    },
    async close() {
      await browser.close();
      server.close();
    },
  };
}

/** As after loading: the scene anew, nothing switched on or off. */
async function reset(page, scene) {
  await page.evaluate((id) => {
    for (const dialog of document.querySelectorAll("dialog[open]")) dialog.close();
    document.activeElement?.blur();
    const studio = globalThis.lopeStudio;
    delete studio.picture;
    requestAnimationFrame((now) => studio.picture(now));
    return studio.open(id);
  }, scene);
  await page.selectOption("#speed", "1");
  await page.getByLabel("Follow with the camera").check();
  const source = page.getByLabel("Source clip beside it");
  if (await source.isChecked()) await source.evaluate((box) => box.click()); // hidden in some scenes
}

/** The scene is there; whatever the page had to complain about is an error, unless that is what is looked for. */
export async function ready(page, problems = false) {
  await page.waitForSelector("#loading", { state: "hidden" });
  await page.waitForFunction(() => document.body.dataset.scene || document.querySelector("dialog[open]"));
  if (!problems && (await page.locator("#problem").isVisible())) throw new Error(await page.locator("#problem-text").innerText());
}

/** Where a place on the ground is on the screen. */
export const onScreen = (page, x, z) => page.evaluate(([a, b]) => globalThis.lopeStudio.stage.project(a, 0, b), [x, z]);

export async function clickGround(page, x, z) {
  const at = await onScreen(page, x, z);
  await page.mouse.click(at.x, at.y);
}

export async function dragGround(page, from, to) {
  const a = await onScreen(page, ...from), b = await onScreen(page, ...to);
  await page.mouse.move(a.x, a.y);
  await page.mouse.down();
  await page.mouse.move((a.x + b.x) / 2, (a.y + b.y) / 2);
  await page.mouse.move(b.x, b.y);
  await page.mouse.up();
}

export const stateOf = (page) => page.evaluate(() => globalThis.lopeStudio.live.state());
/** x and z of the watched character's hips. */
export const placeOf = (page) => page.evaluate(() => {
  const { poses, watched } = globalThis.lopeStudio.live.cast();
  const floats = globalThis.lopeStudio.shapes.joints * 7;
  return [poses[watched * floats + 4], poses[watched * floats + 6]];
});
export const clock = async (page) => Number.parseFloat(await page.locator("#clock").innerText());

/** Waits until the camera has come to rest, so that what is projected now is still there when it is clicked. */
export const still = (page) => page.evaluate(async () => {
  const { camera, controls } = globalThis.lopeStudio.stage;
  const view = () => [...camera.position.toArray(), ...controls.target.toArray()];
  const picture = () => new Promise((drawn) => requestAnimationFrame(drawn));
  const latest = performance.now() + 60000;
  for (let last = view(), calm = 0; calm < 3; ) {
    if (performance.now() > latest) throw new Error("the camera does not come to rest");
    await picture();
    const now = view();
    calm = now.every((value, i) => Math.abs(value - last[i]) < 1e-4) ? calm + 1 : 0;
    last = now;
  }
});

/** Stands still: the camera no longer follows, the whole scene is in view. */
export async function look(page) {
  await page.getByLabel("Follow with the camera").uncheck();
  await page.locator("#stage").focus();
  await page.keyboard.press("v");
  await still(page);
}

/** Chooses an export and returns the downloaded bytes. */
export async function exported(page, kind) {
  await page.click("#export");
  const [download] = await Promise.all([page.waitForEvent("download"), page.click(`[data-export=${kind}]`)]);
  return { name: download.suggestedFilename(), bytes: readFileSync(await download.path()) };
}

export const near = (a, b, tolerance, what) => assert.ok(Math.abs(a - b) <= tolerance, `${what ?? "value"}: ${a} is not within ${tolerance} of ${b}`);
