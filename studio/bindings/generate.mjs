// SPDX-License-Identifier: MIT
// Reads the headers of the bridge (studio/wasm/*.h) and writes their TypeScript side. `generate.mjs` writes
// src/lope/bindings.ts, `generate.mjs --print` prints it.
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const folder = join(here, "../wasm");
const include = join(here, "../../include/lope");

const numbers = new Set(["int", "float", "double", "size_t", "uint32_t", "int32_t", "uint16_t", "uint8_t", "lope_status"]);

/** The TypeScript type of a C type: numbers, or pointers that remember what they point to. */
function typeOf(c, where) {
  const pointer = c.endsWith("*");
  const base = c.replace(/\bconst\b/g, "").replace(/\*/g, "").trim();
  if (pointer) {
    if (c.split("*").length > 2) throw new Error(`${where}: pointers to pointers do not cross the bridge: ${c}`);
    return base === "void" ? "Pointer" : `Pointer<"${base}">`;
  }
  if (base === "void") return "void";
  if (base === "bool") return "boolean | number";
  if (base === "uint64_t" || base === "int64_t") return "bigint";
  if (numbers.has(base)) return "number";
  throw new Error(`${where}: type '${c}' does not cross the bridge`);
}

function parseParameter(text, where) {
  const match = /^(.*?)(\w+)$/s.exec(text.trim());
  if (!match) throw new Error(`${where}: parameter '${text}' has no name`);
  const camel = match[2].replace(/_(\w)/g, (_, letter) => letter.toUpperCase());
  return `${camel}: ${typeOf(match[1].replace(/\s+/g, " ").replace(" *", "*").trim(), where)}`;
}

function parseFunctions(text, file) {
  const functions = [];
  for (const match of text.matchAll(/((?:^\/\/[^\n]*\n)*)^LOPE_API\s+([^;]*?)(\w+)\(([^;]*)\);/gm)) {
    const [, comment, result, name, parameters] = match;
    const where = `${file}: ${name}`;
    const list = parameters.trim() === "void" ? [] : parameters.split(",").map((p) => parseParameter(p, where));
    const doc = comment.split("\n").filter((line) => line && !line.startsWith("// ---"))
      .map((line) => line.replace(/^\/\/ ?/, "")).join(" ").trim();
    const type = typeOf(result.replace(/\s+/g, " ").replace(" *", "*").trim(), where);
    functions.push({ name, doc, signature: `(${list.join(", ")}): ${type === "boolean | number" ? "number" : type}` });
  }
  return functions;
}

/** Lists in a header that are written once and used as `LIST(ENTRY)`, where `ENTRY(A, b)` makes one constant of each. */
function expandLists(text) {
  const flat = text.replace(/\\\n/g, " ");
  const body = (name) => new RegExp(`#define ${name}\\(([^)]*)\\) ?([^\\n]*)`).exec(flat);
  return flat.replace(/(\{\s*)([A-Z_]+)\((\w+)\)/g, (whole, open, list, entry) => {
    const items = body(list), row = body(entry);
    if (!items || !row) return whole;
    const parameter = row[1].split(",")[0].trim();
    const names = [...items[2].matchAll(new RegExp(`${items[1].trim()}\\((\\w+)`, "g"))].map((m) => m[1]);
    return open + names.map((name) => row[2].replace(`##${parameter}`, name)).join(" ");
  });
}

/** Constants: `enum { A = 1, B }` and `typedef enum name { ... }`; values may be numbers, shifts or left out. */
function parseConstants(text, only) {
  const constants = [], found = new Set();
  const bare = expandLists(text).replace(/\/\/[^\n]*/g, "");
  for (const match of bare.matchAll(/enum(?:\s+(\w+))?\s*\{([^}]*)\}/g)) {
    if (only && !only.has(match[1])) continue;
    found.add(match[1]);
    let next = 0;
    for (const entry of match[2].split(",").map((e) => e.trim()).filter(Boolean)) {
      const [name, value] = entry.split("=").map((e) => e.trim());
      if (value !== undefined) {
        const known = constants.find((c) => c.name === value);
        if (!known && !/^[\d\s<<+*()]+$/.test(value)) throw new Error(`constant ${entry} is not a plain number`);
        next = known ? known.value : Number(Function(`return ${value}`)());
      }
      constants.push({ name, value: next++ });
    }
  }
  for (const name of only ?? []) if (!found.has(name)) throw new Error(`there is no enum ${name}`);
  return constants;
}

export function generate() {
  const files = readdirSync(folder).filter((name) => name.endsWith(".h")).sort();
  const functions = [], constants = [];
  for (const file of files) {
    const text = readFileSync(join(folder, file), "utf8").replace(/#ifdef STUDIO_INSIDE[\s\S]*?#endif/, "");
    functions.push(...parseFunctions(text, file));
    constants.push(...parseConstants(text));
  }
  // What the bridge hands over as plain numbers is named by the library itself.
  const library = {
    "base.h": ["lope_status"], "skeleton.h": ["lope_role"], "clip.h": ["lope_contact"], "crowd.h": ["lope_member_state"],
    "follow.h": ["lope_follow_state"], "paths.h": ["lope_path_outcome"],
    "rings.h": ["lope_ring_kind", "lope_gait_mode"], "grasp.h": ["lope_hold_kind", "lope_grasp_mode"],
    "climb.h": ["lope_climb_planner"],
  };
  for (const [file, names] of Object.entries(library))
    constants.push(...parseConstants(readFileSync(join(include, file), "utf8"), new Set(names)));
  const lines = [
    "// SPDX-License-Identifier: MIT",
    "// Made from studio/wasm/*.h by bindings/generate.mjs: do not edit, run `npm run bindings`.",
    "",
    "/** An address in the module's memory, of something of that C type. 0: none. */",
    "export type Pointer<T extends string = any> = number & { readonly pointsTo?: T };",
    "",
    ...constants.map(({ name, value }) => `export const ${name} = ${value};`),
    "",
    "export interface Bridge {",
    "  readonly memory: WebAssembly.Memory;",
    "  readonly __indirect_function_table: WebAssembly.Table;",
    "  _initialize?(): void;",
    ...functions.flatMap(({ name, doc, signature }) =>
      [...(doc ? [`  /** ${doc.replace(/\*\//g, "* /")} */`] : []), `  ${name}${signature};`]),
    "}",
    "",
    "export const bridgeNames = [",
    ...functions.map(({ name }) => `  "${name}",`),
    "] as const;",
    "",
  ];
  return lines.join("\n");
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  if (process.argv.includes("--print")) process.stdout.write(generate());
  else writeFileSync(join(here, "../src/lope/bindings.ts"), generate());
}
