// SPDX-License-Identifier: MIT
// The pictures of docs/studio.md and docs/characters.md: node pictures.mjs SITE FOLDER [NAME...]. HERO names a GLB file for the one
// of a character; build/tests/avatar_samples writes some.
import { mkdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { launch } from "./browser.mjs";
import { ready } from "./lib.mjs";
import { serve } from "./server.mjs";

const [site, folder, ...only] = process.argv.slice(2);
const wait = (page, seconds) => page.waitForFunction((t) => Number.parseFloat(document.getElementById("clock").textContent) >= t, seconds, { timeout: 120000 });
const eye = (page, from, to) => page.evaluate(([a, b]) => {
  const { camera, controls } = globalThis.lopeStudio.stage;
  globalThis.lopeStudio.follow = false;
  camera.position.set(...a);
  controls.target.set(...b);
}, [from, to]);

const pictures = {
  walk: { link: "#scene=walk", act: (page) => wait(page, 2.4) },
  plaza: {
    link: "#scene=plaza",
    async act(page) {
      await wait(page, 1.5);
      await eye(page, [6, 5.5, 32], [2, 0, 12]);
    },
  },
  maps: {
    link: "#scene=doors", viewport: { width: 1010, height: 590 },
    async act(page) {
      await page.getByLabel("Triangulation and corridor").check();
      await page.getByLabel("Motion maps").selectOption("all");
      await page.getByRole("button", { name: "Compare with A*" }).click();
      await page.waitForSelector(".compare");
      await wait(page, 3);
      await eye(page, [5.4, 11, -14.5], [3.9, 0, -1.6]);
    },
  },
  rings: {
    link: "#scene=rings-stairs",
    async act(page) {
      await page.getByLabel("Source clip beside it").check();
      await wait(page, 3);
    },
  },
  grasp: {
    link: "#scene=grasp-climb",
    async act(page) {
      await page.evaluate(() => {
        const { live } = globalThis.lopeStudio;
        live.seek(live.plan.steps[Math.round(0.55 * live.plan.steps.length)]);
      });
      await eye(page, [4.3, 2.6, 8.2], [3.9, 2, 0]);
    },
  },
  ...(process.env.HERO && {
    character: {
      link: "#scene=walk", viewport: { width: 1100, height: 640 },
      async act(page) {
        await page.setInputFiles("#file", process.env.HERO);
        await page.waitForFunction(() => globalThis.lopeStudio.avatar?.object.visible);
        await wait(page, 4);
      },
    },
  }),
  tiles: { link: "#scene=tiles", viewport: { width: 700, height: 460 }, act: (page) => wait(page, 2) },
  office: {
    link: "#scene=office",
    async act(page) {
      await wait(page, 6);
      await eye(page, [-6, 9, -12], [5, 1, 5]);
    },
  },
  dark: { link: "#scene=figure8", scheme: "dark", act: (page) => wait(page, 4) },
  phone: { link: "#scene=living-room", viewport: { width: 390, height: 760 }, act: (page) => wait(page, 2) },
};

const server = await serve(resolve(site));
const browser = await launch();
mkdirSync(folder, { recursive: true });
for (const [name, { link, act, scheme = "light", viewport = { width: 880, height: 550 } }] of Object.entries(pictures)) {
  if (only.length && !only.includes(name)) continue;
  const page = await browser.newPage({ viewport, colorScheme: scheme });
  page.on("pageerror", (error) => console.error(name, error.message));
  await page.goto(server.url + link);
  await ready(page);
  await page.evaluate(() => (globalThis.lopeStudio.quality.told = () => {}));
  await act(page);
  await page.evaluate(() => globalThis.lopeStudio.timeline.pause());
  await page.waitForTimeout(800);
  await page.screenshot({ path: join(folder, `studio_${name}.png`) });
  await page.close();
}
await browser.close();
server.close();
