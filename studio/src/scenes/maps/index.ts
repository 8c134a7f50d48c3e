// SPDX-License-Identifier: MIT
// Scenes of motion maps: a start, a goal, obstacles, and a walk that is searched while it is played.
import { readSceneFile } from "../../lope/scenefile";
import type { SceneEntry } from "../scene";
import { MapsScene } from "./scene";

function entry(id: string, title: string, hint: string, file: string): SceneEntry {
  return {
    id, system: "Motion maps", title, hint, file,
    async open(host) {
      const maps = await host.assets.maps();
      return new MapsScene(host, maps, readSceneFile(await host.assets.json(file), file));
    },
  };
}

export const mapsScenes: readonly SceneEntry[] = [
  entry("doors", "Narrow doors", "Drag the goal, the start or a wall: path and walk are found anew while it walks. Then press Compare with A*.", "scenes/doors.json"),
  entry("figure8", "Figure eight", "Show the triangulation, then drag a block through the path and watch it change.", "scenes/figure8.json"),
  entry("uturns", "U-turns", "Turn the search budget down to 1 and watch it play while it searches.", "scenes/uturns.json"),
  entry("clutter", "Clutter", "Add boxes on the path; turn on the motion map to see where the next steps can lead.", "scenes/clutter.json"),
];
