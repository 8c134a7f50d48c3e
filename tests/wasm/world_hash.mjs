// SPDX-License-Identifier: MIT
// node world_hash.mjs WORLD_HASH WORLD_HASH.wasm DATA SCENES: all shared scenes with ground, grasps and things, natively
// and in WebAssembly. DATA is the folder of the built files. Prints one line for each; fails where hashes differ.
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const [program, modulePath, data, scenes] = process.argv.slice(2);
const module = new WebAssembly.Module(readFileSync(modulePath));

/** In a module of its own each, as natively. */
function hashOf(kind, path, scene) {
  const { exports: c } = new WebAssembly.Instance(module);
  c._initialize?.();
  const keep = (bytes) => {
    const at = c.aligned_alloc(64, Math.ceil((bytes.length + 1) / 64) * 64);
    const view = new Uint8Array(c.memory.buffer, at, bytes.length + 1);
    view.set(bytes);
    view[bytes.length] = 0;
    return at;
  };
  const bytes = readFileSync(path), text = scene ? readFileSync(scene) : Buffer.from("");
  const hash = c.world_hash(keep(Buffer.from(kind)), keep(bytes), bytes.length, keep(text), text.length);
  return BigInt.asUintN(64, hash).toString(16).padStart(16, "0");
}

const inFolder = (folder) => readdirSync(join(scenes, folder)).sort().map((name) => join(scenes, folder, name));
const all = [
  ...inFolder("terrain").map((scene) => ["terrain", "rings.lope", scene]),
  ...inFolder("climb").map((scene) => ["climb", "rings.lope", scene]),
  ...inFolder("worlds").map((scene) => ["things", "moves.lope", scene]),
  ["tiles", "tile.lope"],
];
let wrong = 0;
for (const [kind, file, ...scene] of all) {
  const here = hashOf(kind, join(data, file), ...scene);
  const native = execFileSync(program, [kind, join(data, file), ...scene]).toString().trim();
  const same = here === native && !/^0+$/.test(here);
  console.log(`${same ? "same" : "DIFFERENT"} ${kind} ${scene}: ${here}${same ? "" : ` natively ${native}`}`);
  wrong += same ? 0 : 1;
}
process.exit(wrong ? 1 : 0);
