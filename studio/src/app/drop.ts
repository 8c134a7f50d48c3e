// SPDX-License-Identifier: MIT
// Files that are dropped on the page, or chosen with the keyboard: .lope files take the place of the built-in ones, BVH files
// are played, scene files are opened, characters of GLB files take the watched body's place. What cannot be read gets the library's own message.
import type { Assets } from "../lope/assets";
import { type Lope, LopeError } from "../lope/lope";
import { readSceneFile } from "../lope/scenefile";
import type { SceneEntry } from "../scenes/scene";
import { byId } from "../ui/dom";

export interface DropTarget {
  readonly lope: Lope;
  readonly assets: Assets;
  /** Opens a scene by its id; false where that fails. */
  open(id: string): Promise<boolean>;
  readonly entries: readonly SceneEntry[];
  current(): SceneEntry;
  /** Shows the character of a GLB file; false where it has none. */
  avatar(name: string, bytes: Uint8Array): Promise<boolean>;
  /** More kinds of files, where somebody else can read them (a server). True where it was taken. */
  other?(name: string, bytes: Uint8Array): Promise<boolean>;
}

/** A level, or a world of floors and things, that was dropped: shown in the place of the office. */
export const OWN_WORLD = "scenes/worlds/own.json";

/** What a .lope file may be for, in the order in which to try: the asset it replaces and the scene that shows it. */
const KINDS = [
  { path: "data/mobility.lope", scene: "walk", open: "studio_mobility_open" },
  { path: "data/maps.lope", scene: "doors", open: "studio_maps_open" },
  { path: "data/rings.lope", scene: "rings-bumps", open: "studio_rings_open" },
  { path: "data/blocks.lope", scene: "office", open: "studio_blocks_open" }, // has a tile too
  { path: "data/tile.lope", scene: "tiles", open: "studio_tile_open" },
  { path: "data/set.lope", scene: "clips", open: "studio_set_open" },
] as const;

async function takeLope(target: DropTarget, name: string, bytes: Uint8Array): Promise<void> {
  const { lope, assets } = target;
  let why: unknown;
  for (const kind of KINDS) {
    try {
      assets.keep(kind.path, assets.openBytes(bytes, name, (d, s, n) => lope.c[kind.open](d, s, n)), bytes);
      await target.open(kind.scene);
      return;
    } catch (problem) {
      why = problem;
    }
  }
  throw why;
}

/** Which scene shows a scene file, by what is in it: the one that is open, where it is of that kind. */
function sceneFor(target: DropTarget, value: object): { scene: string; path: string } {
  if ("floors" in value || "parts" in value) return { scene: "office", path: OWN_WORLD };
  const kind = "terrain" in value ? "scenes/terrain/" : ["holds", "surfaces", "place"].some((key) => key in value) ? "scenes/climb/" : "scenes/";
  const fits = (path: string | undefined) => path !== undefined && path.replace(/[^/]+$/, "") === kind;
  const entry = [target.current(), ...target.entries].find((e) => fits(e.file));
  if (!entry) throw new LopeError("there is no scene for such a file");
  return { scene: entry.id, path: entry.file! };
}

async function takeScene(target: DropTarget, name: string, bytes: Uint8Array): Promise<void> {
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch (problem) {
    throw new LopeError(`${name}: ${(problem as Error).message}`);
  }
  if (typeof value !== "object" || value === null) throw new LopeError(`${name}: expected an object`);
  const { scene, path } = sceneFor(target, value);
  if (!path.replace("scenes/", "").includes("/")) readSceneFile(value, name);
  const { assets } = target;
  const before = path === OWN_WORLD && !assets.has(path) ? null : await assets.bytes(path).catch(() => null);
  assets.replace(path, bytes);
  if (await target.open(scene)) return;
  if (before) assets.replace(path, before);
  else assets.forget(path);
}

const notHere = (name: string, kind: string) => `${name}: the page alone reads BVH and characters with a skin; start 'lope studio' to read ${kind}, or convert it with 'lope convert'`;

/** A character to show, and clips for the folder: a file may be both. */
async function takeGlb(target: DropTarget, name: string, bytes: Uint8Array): Promise<void> {
  let why: unknown = new LopeError(notHere(name, "GLB")), shown = false;
  try {
    shown = await target.avatar(name, bytes);
  } catch (problem) {
    why = problem;
  }
  if (!(await target.other?.(name, bytes)) && !shown) throw why;
}

export async function takeFile(target: DropTarget, name: string, bytes: Uint8Array): Promise<void> {
  const ending = /\.(\w+)$/.exec(name)?.[1]?.toLowerCase() ?? "";
  if (ending === "lope") return takeLope(target, name, bytes);
  if (ending === "json") return takeScene(target, name, bytes);
  if (ending === "bvh") {
    const { lope, assets } = target;
    const set = assets.openBytes(bytes, name, (d, s, n) => lope.c.studio_bvh_open(d, s, n));
    assets.keep("data/set.lope", set);
    await target.open("clips");
    await target.other?.(name, bytes);
    return;
  }
  if (ending === "glb") return takeGlb(target, name, bytes);
  if (await target.other?.(name, bytes)) return;
  if (ending === "fbx") throw new LopeError(notHere(name, "FBX"));
  throw new LopeError(`${name}: expected a .lope, .bvh, .glb or scene .json file`);
}

/** Listens for files over the whole page and for the button that chooses one. */
export function listenForFiles(target: DropTarget, problem: (text: string) => void): void {
  const veil = byId("drop");
  const input = byId<HTMLInputElement>("file");
  let depth = 0;
  const take = async (files: Iterable<File>) => {
    for (const file of files) {
      try {
        await takeFile(target, file.name, new Uint8Array(await file.arrayBuffer()));
      } catch (why) {
        problem((why as Error).message);
      }
    }
  };
  addEventListener("dragenter", (event) => {
    if (event.dataTransfer?.types.includes("Files")) veil.hidden = ++depth === 0;
  });
  addEventListener("dragleave", () => (veil.hidden = --depth <= 0));
  addEventListener("dragover", (event) => event.preventDefault());
  addEventListener("drop", (event) => {
    event.preventDefault();
    depth = 0;
    veil.hidden = true;
    void take([...(event.dataTransfer?.files ?? [])]);
  });
  byId("open-file").addEventListener("click", () => input.click());
  input.addEventListener("change", () => {
    void take([...(input.files ?? [])]);
    input.value = "";
  });
}
