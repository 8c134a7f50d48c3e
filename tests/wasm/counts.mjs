// SPDX-License-Identifier: MIT
// node counts.mjs counts.wasm FILE.lope: prints how many impossible counts were refused in WebAssembly. Fails unless all
// were.
import { readFileSync } from "node:fs";

const [modulePath, path] = process.argv.slice(2);
const { exports: lope } = new WebAssembly.Instance(new WebAssembly.Module(readFileSync(modulePath)));
lope._initialize?.();
const file = readFileSync(path);
const address = lope.aligned_alloc(64, Math.ceil(file.length / 64) * 64);
new Uint8Array(lope.memory.buffer, address, file.length).set(file);
const result = lope.refused_counts(address, file.length), tried = result % 1000, refused = (result - tried) / 1000;
console.log(`${refused} of ${tried} counts that wrap round are refused`);
process.exit(tried > 0 && refused === tried ? 0 : 1);
