// SPDX-License-Identifier: MIT
// The same walk in WebAssembly: node walk_hash.mjs walk_hash.wasm FILE.lope prints its hash. Fails where the module
// asks for anything from outside.
import { readFileSync } from "node:fs";

const [modulePath, mapPath] = process.argv.slice(2);
const module = new WebAssembly.Module(readFileSync(modulePath));
const imports = WebAssembly.Module.imports(module);
if (imports.length > 0) {
  console.error("imports:", imports.map((i) => `${i.module}.${i.name}`).join(", "));
  process.exit(1);
}
const { exports: lope } = new WebAssembly.Instance(module);
lope._initialize?.();
const map = readFileSync(mapPath);
const address = lope.aligned_alloc(64, Math.ceil(map.length / 64) * 64);
new Uint8Array(lope.memory.buffer, address, map.length).set(map);
console.log(BigInt.asUintN(64, lope.walk_hash(address, map.length)).toString(16).padStart(16, "0"));
