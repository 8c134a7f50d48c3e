// SPDX-License-Identifier: MIT
// Files that come in and go out: dropped on the page, or of the folder behind `lope studio`.
import type { Assets } from "../lope/assets";
import { type Lope, LopeError } from "../lope/lope";
import { scenes } from "../scenes";
import type { LiveScene, SceneEntry } from "../scenes/scene";
import { byId } from "../ui/dom";
import { type DropTarget, listenForFiles, takeFile } from "./drop";
import { showProblem } from "./help";
import { Workshop } from "./workshop";
import { WorkshopView } from "./workshopview";

export interface FilesHost {
  readonly lope: Lope;
  readonly assets: Assets;
  entry(): SceneEntry;
  live(): LiveScene | null;
  open(id: string): Promise<boolean>;
  avatar(name: string, bytes: Uint8Array): Promise<boolean>;
  say(text: string): void;
}

/** Does something, and says what went wrong where it fails. */
export async function guard(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (problem) {
    showProblem((problem as Error).message);
  }
}

export class Files {
  private workshop: Workshop | null = null;

  constructor(private readonly host: FilesHost) {
    listenForFiles(this.target, showProblem);
  }

  private get target(): DropTarget {
    const { lope, assets, open, avatar, say, entry } = this.host;
    return {
      lope, assets, open, avatar, entries: scenes, current: entry,
      other: async (name, bytes) => {
        if (!this.workshop || !/\.(bvh|fbx|glb|lope)$/i.test(name)) return false;
        if (await this.workshop.put(name, bytes as BlobPart)) say(`${name} is in the folder; press Build to make maps of it`);
        return true;
      },
    };
  }

  /** Where `lope studio` serves the page: its folder, its builds, the files it was given. */
  async findWorkshop(): Promise<void> {
    const workshop = (this.workshop = await Workshop.find().catch((problem: Error) => (this.host.say(problem.message), null)));
    if (!workshop) return;
    const take = (name: string, bytes: Uint8Array) => takeFile({ ...this.target, other: undefined }, name, bytes);
    new WorkshopView(workshop, { take, problem: showProblem });
    byId("export-menu").querySelector("[hidden]")?.removeAttribute("hidden");
    for (const [index, { name }] of workshop.given.entries())
      await guard(async () => take(name.replace(/^.*\//, ""), await workshop.givenBytes(index)));
  }

  async saveScene(): Promise<void> {
    const file = this.host.live()?.sceneFile?.();
    if (!file || !this.workshop) throw new LopeError("this scene has no file of its own");
    if (await this.workshop.put(file.name, file.text)) this.host.say(`Saved as ${file.name}`);
  }
}
