// SPDX-License-Identifier: MIT
// The page behind `lope studio`: clips dropped, built with progress, opened; scenes saved; damaged clips refused. LOPE names
// the tool.
import assert from "node:assert/strict";
import { spawn, execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { launch } from "./browser.mjs";
import { ready, site } from "./lib.mjs";

const lope = process.env.LOPE;
const folder = mkdtempSync(join(tmpdir(), "lope-studio-"));
let server, browser, address;

before(async () => {
  assert.ok(lope, "LOPE does not name the tool");
  execFileSync(lope, ["synth", "-o", folder], { stdio: "ignore" });
  execFileSync(lope, ["build", "--maps", "-o", join(folder, "mine.lope")], { stdio: "ignore" });
  server = spawn(lope, ["studio", "--no-open", "--site", site, "--folder", join(folder, "work"), join(folder, "mine.lope")], { stdio: ["ignore", "pipe", "pipe"] });
  address = await new Promise((resolve) => {
    server.stdout.once("data", (text) => resolve(String(text).trim().split(/\s+/).find((word) => word.startsWith("http"))));
    server.once("exit", () => resolve(null));
  });
  assert.ok(address, "this tool has no server");
  browser = await launch();
});
after(async () => {
  await browser?.close();
  server?.kill("SIGINT");
  rmSync(folder, { recursive: true, force: true });
});

async function open() {
  const page = await browser.newPage({ viewport: { width: 760, height: 560 } });
  page.setDefaultTimeout(90000); // a busy machine is not an error
  const complaints = [];
  page.on("pageerror", (error) => complaints.push(error.message));
  await page.goto(address.replace("/#", "/?quality=5#"));
  await ready(page);
  await page.waitForSelector("#build:not([hidden])");
  await page.waitForFunction(() => document.body.dataset.scene === "doors"); // mine.lope has motion maps
  return Object.assign(page, { complaints });
}

test("files of the command line are opened, dropped clips built with progress, the result opened", async () => {
  const page = await open();
  const drop = (name, buffer) => page.setInputFiles("#file", { name, mimeType: "application/octet-stream", buffer });
  for (const name of ["walk_normal.bvh", "walk_slow.bvh"]) {
    await drop(name, readFileSync(join(folder, name)));
    await page.waitForFunction((n) => document.getElementById("news").textContent.startsWith(n), name);
    assert.ok(existsSync(join(folder, "work", name)));
  }
  await drop("broken.glb", Buffer.from("glTF but not really"));
  await page.waitForSelector("#problem[open]");
  assert.match(await page.locator("#problem-text").innerText(), /broken\.glb/);
  assert.ok(!existsSync(join(folder, "work", "broken.glb")));
  await page.keyboard.press("Escape");
  await page.click("#build");
  await page.waitForSelector("#workshop-files input");
  assert.equal(await page.locator("#workshop-files input:checked").count(), 2);
  await page.selectOption("#build-kind", "rings");
  await page.fill("#build-name", "gait");
  await page.click("#build-start");
  await page.waitForFunction(() => document.body.dataset.scene === "rings-bumps");
  assert.ok(existsSync(join(folder, "work", "gait.lope")));
  assert.deepEqual(page.complaints, []);
  await page.close();
});

test("the key is in this tab alone: not in the address, not in cookies; a tab without it is told what to open", async () => {
  const page = await open();
  const key = address.split("key=")[1];
  assert.ok(!page.url().includes(key));
  assert.deepEqual(await page.context().cookies(), []);
  assert.equal(await page.evaluate(() => fetch("api/state").then((answer) => answer.status)), 403);
  await page.reload(); // the tab still has it
  await page.waitForSelector("#build:not([hidden])");
  // Another run's address in the same tab, and this one's again: only the part behind the # changes.
  for (const [given, wanted] of [["0".repeat(32), 403], [key, 200]]) {
    const answer = page.waitForResponse((response) => response.url().endsWith("/api/state"));
    await page.evaluate((text) => void (location.hash = `key=${text}`), given);
    assert.equal((await answer).status(), wanted);
  }
  await page.close();
  const other = await browser.newPage();
  other.setDefaultTimeout(90000);
  await other.goto(new URL("/?quality=5", address).href);
  await other.waitForFunction(() => /lope studio/.test(document.getElementById("news").textContent));
  assert.ok(await other.locator("#build").isHidden());
  await other.close();
});

const stick = readFileSync(new URL("../../../tests/studio/stick.bvh", import.meta.url));

test("a failing build says why and keeps the old file; scenes are saved in the folder", async () => {
  const page = await open();
  await page.selectOption("#scene", "living-room");
  await page.waitForFunction(() => document.body.dataset.scene === "living-room");
  await page.click("#export");
  await page.click("[data-export=save]");
  await page.waitForFunction(() => /^Saved as/.test(document.getElementById("news").textContent));
  assert.equal(JSON.parse(readFileSync(join(folder, "work", "living_room.json"))).obstacles.length, 7);
  const old = readFileSync(join(folder, "work", "gait.lope"));
  await page.setInputFiles("#file", { name: "stick.bvh", mimeType: "text/plain", buffer: stick });
  await page.waitForFunction(() => document.getElementById("news").textContent.startsWith("stick"));
  await page.click("#build");
  await page.waitForSelector("#workshop-files input");
  await page.selectOption("#build-kind", "maps"); // a stick takes no steps
  await page.fill("#build-name", "gait");
  for (const box of await page.locator("#workshop-files input").all()) await box.setChecked((await box.inputValue()) === "stick.bvh");
  await page.click("#build-start");
  await page.waitForFunction(() => !document.getElementById("build-start").disabled && document.getElementById("build-words").textContent.length > 20);
  assert.match(await page.locator("#build-words").innerText(), /step/);
  assert.deepEqual(readFileSync(join(folder, "work", "gait.lope")), old);
  assert.deepEqual(page.complaints, []);
  await page.close();
});

test("two pages do not overwrite each other's scenes unasked, nor stop each other's builds", async () => {
  const [one, two] = [await open(), await open()];
  const path = join(folder, "work", "cliff.json");
  const save = async (page) => {
    await page.click("#export");
    await page.click("[data-export=save]");
  };
  for (const page of [one, two]) {
    await page.selectOption("#scene", "rings-cliff");
    await page.waitForFunction(() => document.body.dataset.scene === "rings-cliff");
  }
  await save(one);
  await one.waitForFunction(() => document.getElementById("news").textContent === "Saved as cliff.json");
  const saved = readFileSync(path, "utf8");
  const asked = two.waitForEvent("dialog").then(async (dialog) => {
    await dialog.dismiss();
    return dialog.message();
  });
  // The same name with something else in it.
  await two.evaluate(() => (globalThis.lopeStudio.live.sceneFile = () => ({ name: "cliff.json", text: "{}" })));
  await two.click("#build"); // looks at the folder: that is not having seen what is in it
  await two.waitForSelector("#workshop-files li");
  await two.keyboard.press("Escape");
  await save(two);
  assert.match(await asked, /^cliff\.json: is there already/);
  assert.equal(readFileSync(path, "utf8"), saved);
  for (const [page, kind] of [[one, "mobility"], [two, "rings"]]) {
    await page.click("#build");
    await page.waitForSelector("#workshop-files li");
    for (const box of await page.locator("#workshop-files input").all()) await box.setChecked(false);
    await page.selectOption("#build-kind", kind);
    await page.fill("#build-name", `both ${kind}`);
  }
  // Builds of the built-in set take a second or two: what stops one must not wait for anything.
  await two.click("#build-start");
  await one.evaluate(async () => {
    const [begin, stop] = ["build-start", "build-stop"].map((id) => document.getElementById(id));
    begin.click();
    while (stop.offsetParent === null || stop.disabled) await new Promise((later) => setTimeout(later, 2));
    stop.click();
  });
  await one.waitForFunction(() => /^stopped/.test(document.getElementById("build-words").textContent));
  await two.waitForFunction(() => document.body.dataset.scene === "rings-bumps");
  assert.ok(existsSync(join(folder, "work", "both rings.lope")));
  assert.ok(!existsSync(join(folder, "work", "both mobility.lope")));
  for (const page of [one, two]) {
    assert.deepEqual(page.complaints, []);
    await page.close();
  }
});
