// SPDX-License-Identifier: MIT
// Scenes of motion patches.
import { OWN_WORLD } from "../../app/drop";
import type { SceneEntry } from "../scene";
import type { FloorState } from "./floor";
import { OfficeScene } from "./office";
import { PatchScene } from "./scene";

const LOBBY: FloorState = {
  side: 12, people: 24, target: null, holes: [],
  obstacles: [
    { box: { centre: [-4.5, -3], size: [1.4, 0.7] } }, { box: { centre: [-4.5, -1], size: [1.4, 0.7] } }, { box: { centre: [-4.5, 1], size: [1.4, 0.7] } },
    { box: { centre: [3, 0], size: [1.5, 1.5] } }, { cylinder: { centre: [0, 4], radius: 0.3 } }, { cylinder: { centre: [0, -4], radius: 0.3 } },
    { box: { centre: [5, 5], size: [3, 0.15] } },
  ],
};

export const patchScenes: readonly SceneEntry[] = [
  {
    id: "tiles", system: "Motion patches", title: "A floor of tiles",
    hint: "Put desks and walls down, turn them with R, take tiles away: the floor knows at once where people can still walk.",
    open: async (host) => new PatchScene(host, await host.assets.tile(), LOBBY),
  },
  {
    id: "office", system: "Motion patches", title: "An office",
    hint: "Click a chair or a floor to send the orange one there, upstairs too; put desks down, turn them with R, let everybody sit.",
    async open(host) {
      const world = host.assets.has(OWN_WORLD) ? new TextDecoder().decode(await host.assets.bytes(OWN_WORLD)) : undefined;
      return new OfficeScene(host, await host.assets.moves(), "office", { size: 12, people: 12, edits: [], ...(world && { world }) });
    },
  },
  {
    id: "playground", system: "Motion patches", title: "A playground",
    hint: "Up the ladders and down the slides: longer slides are faster. Click a platform, a ladder or a slide to send the orange one there.",
    open: async (host) => new OfficeScene(host, await host.assets.moves(), "playground", { size: 2, people: 12, edits: [] }),
  },
];
