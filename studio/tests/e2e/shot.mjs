// SPDX-License-Identifier: MIT
// Pictures of the page: node shot.mjs SITE OUT.png [#link] [seconds] [WIDTHxHEIGHT] [light|dark]
import { resolve } from "node:path";
import { launch } from "./browser.mjs";
import { serve } from "./server.mjs";

const [site, out, hash = "", seconds = "3", size = "1200x760", scheme = "light"] = process.argv.slice(2);
const [width, height] = size.split("x").map(Number);
const server = await serve(resolve(site));
const browser = await launch();
const page = await browser.newPage({ viewport: { width, height }, colorScheme: scheme });
page.on("console", (message) => message.type() === "error" && console.error(message.text()));
page.on("pageerror", (error) => console.error(error.message));
await page.goto(server.url + hash);
await page.waitForSelector("#loading", { state: "hidden", timeout: 60000 });
await page.waitForTimeout(1000 * Number(seconds));
await page.screenshot({ path: out });
console.log(await page.locator("#motion").innerText());
await browser.close();
server.close();
