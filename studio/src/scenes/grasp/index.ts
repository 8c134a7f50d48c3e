// SPDX-License-Identifier: MIT
// Scenes of the grasp planner.
import { LopeError } from "../../lope/lope";
import type { SceneEntry } from "../scene";
import { looksLikeClimb } from "./file";
import { GraspScene } from "./scene";

function entry(id: string, title: string, hint: string, path: string): SceneEntry {
  return {
    id, system: "Grasp planner", title, hint, file: path,
    async open(host) {
      const [rings, file] = await Promise.all([host.assets.rings(), host.assets.json(path)]);
      if (!looksLikeClimb(file)) throw new LopeError(`${path}: is no climbing scene`);
      const scene = new GraspScene(host, host.lope.c.studio_rings_skeleton(rings), file);
      await scene.solve();
      return scene;
    },
  };
}

export const graspScenes: readonly SceneEntry[] = [
  entry("grasp-climb", "Up a wall", "Drag the red goal, draw a box in the way, take grasps away: the climber finds another way, or says what is missing.", "scenes/climb/climbing.json"),
  entry("grasp-bars", "Monkey bars", "Remove a bar, or move one out of reach; add grasps for the hands.", "scenes/climb/monkey_bars.json"),
  entry("grasp-tunnel", "Low tunnel", "Scrub the plan with the slider; raise the ceiling and see it walk.", "scenes/climb/tunnel.json"),
  entry("grasp-chimney", "Chimney", "Step through the changes of grasp with [ and ]; take it back at a moment that you do not like.", "scenes/climb/chimney.json"),
  entry("grasp-slide", "Down a slide", "A sequence of poses is a milestone; choose Pose, drag the figure and make it where the plan ends.", "scenes/climb/slide.json"),
  entry("grasp-course", "The whole course", "Walking, climbing, swinging and crawling in one plan; put a milestone on the way.", "scenes/climb/complex.json"),
];
