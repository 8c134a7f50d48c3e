// SPDX-License-Identifier: MIT
import "./style.css";
import { App } from "./app/app";
import { showProblem } from "./app/help";
import { takeKey } from "./app/workshop";
import { Lope } from "./lope/lope";
import { byId } from "./ui/dom";

async function main(): Promise<void> {
  try {
    takeKey();
    // Another run's address, put into this tab: all but the part behind the # may be the same.
    addEventListener("hashchange", () => takeKey() && location.reload());
    const app = new App(await Lope.load("studio.wasm"));
    // For tests and the curious.
    (globalThis as { lopeStudio?: App }).lopeStudio = app;
    await app.start();
  } catch (problem) {
    byId("loading").textContent = "The page cannot run here.";
    showProblem((problem as Error).message);
  }
}

void main();
