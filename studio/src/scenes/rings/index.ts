// SPDX-License-Identifier: MIT
// Scenes of motion rings: one for each terrain.
import type { SceneEntry } from "../scene";
import { RingsScene } from "./scene";

function entry(id: string, title: string, hint: string, file: string): SceneEntry {
  return {
    id, system: "Motion rings", title, hint, file,
    async open(host) {
      const [rings, bytes] = await Promise.all([host.assets.rings(), host.assets.bytes(file)]);
      return new RingsScene(host, rings, new TextDecoder().decode(bytes), file);
    },
  };
}

export const ringsScenes: readonly SceneEntry[] = [
  entry("rings-bumps", "Hills", "Drive with W A S D or a gamepad, Shift runs; choose Raise and press on the ground in its way.", "scenes/terrain/bumps.json"),
  entry("rings-stairs", "Irregular stairs", "Drive up and down the flights, slantwise too; lower a step just before the foot comes down.", "scenes/terrain/stairs.json"),
  entry("rings-stones", "Stepping stones", "Drive over the stones: feet find them by themselves. Try a longer stride.", "scenes/terrain/stones.json"),
  entry("rings-spiral", "Spiral stairs", "Hold W and turn: sixty steps up around the axis.", "scenes/terrain/spiral.json"),
  entry("rings-course", "Ramp and stairs", "Click the far end and change the ground in front of the feet.", "scenes/terrain/course.json"),
  entry("rings-cliff", "Cliff", "Drive straight at the gap: it stops where there is no place for a foot. Fill the gap with the brush.", "scenes/terrain/cliff.json"),
];
