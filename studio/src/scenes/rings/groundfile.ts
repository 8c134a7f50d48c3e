// SPDX-License-Identifier: MIT
// The ground as a file that the tool reads. As it was read while nobody changed it; otherwise as heights.
import type { Pointer } from "../../lope/bindings";
import type { Lope } from "../../lope/lope";

const CELL = 0.1; // metres between heights

export function groundFile(lope: Lope, text: string, terrain: Pointer<"lope_terrain">, changed: boolean): { name: string; text: string } {
  const scene = JSON.parse(text) as { name?: string; start?: unknown; path?: unknown };
  const name = `${scene.name ?? "ground"}${changed ? "_changed" : ""}`;
  if (!changed) return { name: `${name}.json`, text };
  const field = heightField(lope, terrain);
  const file = { name, terrain: [{ field }], ...(scene.start ? { start: scene.start } : {}), ...(scene.path ? { path: scene.path } : {}) };
  return { name: `${name}.json`, text: `${JSON.stringify(file)}\n` };
}

function heightField(lope: Lope, terrain: Pointer<"lope_terrain">): { origin: [number, number]; cell: number; heights: (number | null)[][] } {
  const at = lope.allocate<"float">(64);
  lope.c.studio_terrain_bounds(terrain, at);
  const [lowX, , lowZ, highX, highY, highZ] = lope.floats(at, 6) as unknown as number[];
  lope.c.studio_free(at);
  const columns = Math.max(2, Math.round((highX! - lowX!) / CELL) + 1), rows = Math.max(2, Math.round((highZ! - lowZ!) / CELL) + 1);
  const heights = Array.from({ length: rows }, (_, row) => Array.from({ length: columns }, (_, column) => {
    // A hair inside, or the rim would miss the ground.
    const x = Math.min(highX! - 1e-3, Math.max(lowX! + 1e-3, lowX! + column * CELL)), z = Math.min(highZ! - 1e-3, Math.max(lowZ! + 1e-3, lowZ! + row * CELL));
    const y = lope.c.studio_terrain_below(terrain, x, highY! + 1, z);
    return Number.isFinite(y) ? Number(y.toFixed(4)) : null;
  }));
  return { origin: [Number(lowX!.toFixed(4)), Number(lowZ!.toFixed(4))], cell: CELL, heights };
}
