// SPDX-License-Identifier: MIT
// Scenes of mobility maps.
import { readSceneFile, type SceneFile } from "../../lope/scenefile";
import type { SceneEntry } from "../scene";
import { MobilityScene } from "./scene";

const OPEN_GROUND: SceneFile = {
  name: "open ground", bounds: [[-12, -12], [12, 12]], characters: 1, spawn: "areas",
  obstacles: [{ cylinder: { centre: [0.5, 1.7], radius: 0.45 } }, { box: { centre: [-3, 1.5], size: [1.6, 0.8], degrees: 25 } }],
  areas: { here: [[-0.5, -1], [0.5, 0]], there: [[0.7, 3.2], [1.7, 4.2]], west: [[-6, 2], [-5, 3]], south: [[1, -6], [2, -5]] },
  flows: [{ from: "here", to: "there", stop: true }, { from: "there", to: "west" }, { from: "west", to: "south" }, { from: "south", to: "there" }],
};

function entry(id: string, title: string, hint: string, file: string | null, count: number): SceneEntry {
  return {
    id, system: "Mobility maps", title, hint, ...(file && { file }),
    async open(host) {
      const map = await host.assets.mobility();
      const scene = file ? readSceneFile(await host.assets.json(file), file) : OPEN_GROUND;
      return new MobilityScene(host, map, scene, count);
    },
  };
}

export const mobilityScenes: readonly SceneEntry[] = [
  entry("walk", "Go there", "Click the ground, or drag the red target: the walker finds the way. Try the pillar tool in its path.", null, 1),
  entry("living-room", "Living room", "Send the orange visitor around the furniture; drag furniture while people walk.", "scenes/living_room.json", 3),
  entry("plaza", "Plaza", "Raise the number of people up to 10,000 and watch the frame time; click to send the orange one through.", "scenes/plaza.json", 200),
  entry("maze", "Maze", "Click a far corner of the maze; drop a box into a corridor and see the walker turn back.", "scenes/maze.json", 6),
];
