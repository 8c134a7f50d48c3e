// SPDX-License-Identifier: MIT
// Debian's Chromium, headless, drawing in software. Only WebGL goes through the software GL: laying the page's parts over
// each other there costs five times as much as drawing the scene.
import { existsSync } from "node:fs";
import { chromium } from "playwright-core";

export const executable = process.env.CHROMIUM ?? ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find(existsSync);

export function launch() {
  return chromium.launch({
    executablePath: executable,
    timeout: 180000, // a busy machine is not an error
    args: ["--no-sandbox", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--ignore-gpu-blocklist", "--disable-gpu-compositing", "--disable-dev-shm-usage"],
  });
}
