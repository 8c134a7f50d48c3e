// SPDX-License-Identifier: MIT
// All scenes, in the order of the picker. To add one: write it, and put its entry here.
import type { SceneEntry } from "./scene";
import { mobilityScenes } from "./mobility";
import { mapsScenes } from "./maps";
import { ringsScenes } from "./rings";
import { patchScenes } from "./patches";
import { graspScenes } from "./grasp";
import { clipScenes } from "./clips";

export const scenes: readonly SceneEntry[] = [
  ...mobilityScenes,
  ...mapsScenes,
  ...ringsScenes,
  ...patchScenes,
  ...graspScenes,
  ...clipScenes,
];
