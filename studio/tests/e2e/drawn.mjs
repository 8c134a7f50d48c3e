// SPDX-License-Identifier: MIT
// How long a picture of a crowd takes on the page, drawn by this machine's processor: node drawn.mjs SITE OUT.csv [NUMBER...]
// The plaza grows with the number of people, and the camera sees all of it. A line for each number: people, and seconds of
// stepping, posing and drawing one frame at 30 a second, the median of nine after two.
import { writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { launch } from "./browser.mjs";
import { ready } from "./lib.mjs";
import { serve } from "./server.mjs";

const [site, out, ...numbers] = process.argv.slice(2);
const counts = numbers.length ? numbers.map(Number) : [10, 30, 100, 300, 1000, 3000, 10000, 30000, 100000];

async function measure(page, count) {
  return page.evaluate(async (wanted) => {
    const studio = globalThis.lopeStudio, { live, stage } = studio;
    live.rebuild(wanted, null);
    live.view();
    const gl = stage.renderer.getContext(), pixel = new Uint8Array(4), times = [];
    for (let k = 0; k < 11; k++) {
      const begun = performance.now();
      live.step(1 / 30);
      studio.show();
      stage.render();
      gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, pixel); // waits until it is drawn
      times.push(performance.now() - begun);
      await new Promise((next) => setTimeout(next, 0));
    }
    return { people: live.cast().count, seconds: times.slice(2).sort((a, b) => a - b)[4] / 1000 };
  }, count);
}

const server = await serve(resolve(site));
const browser = await launch();
const page = await browser.newPage({ viewport: { width: 1200, height: 760 } });
page.setDefaultTimeout(600000);
await page.goto(`${server.url}?quality=4#scene=plaza`);
await ready(page);
await page.evaluate(() => {
  globalThis.lopeStudio.picture = () => {}; // the page's own pictures stop
  globalThis.lopeStudio.follow = false;
});
const lines = ["people,seconds"];
for (const count of counts) {
  try {
    const { people, seconds } = await measure(page, count);
    lines.push(`${people},${seconds.toFixed(5)}`);
    console.log(`${people} people: ${(1000 * seconds).toFixed(1)} ms`);
  } catch (error) {
    console.error(`${count} people: ${error.message.split("\n")[0]}`);
    break; // more would not do either
  }
}
writeFileSync(out, `${lines.join("\n")}\n`);
if (process.env.SHOT) await page.screenshot({ path: process.env.SHOT });
await browser.close();
server.close();
