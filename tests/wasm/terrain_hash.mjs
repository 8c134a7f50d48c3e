// SPDX-License-Identifier: MIT
// node terrain_hash.mjs terrain_hash.wasm prints the hash of terrain_hash.c.
import { readFileSync } from "node:fs";

const module = new WebAssembly.Module(readFileSync(process.argv[2]));
const { exports: lope } = new WebAssembly.Instance(module);
lope._initialize?.();
console.log(BigInt.asUintN(64, lope.terrain_hash()).toString(16).padStart(16, "0"));
