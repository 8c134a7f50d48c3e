// SPDX-License-Identifier: MIT
// The shared scenes through the studio's bridge, here and natively: node scene_hash.mjs SCENE_HASH STUDIO.wasm MOBILITY.lope
// MAPS.lope SCENES. Every call is made twice, in WebAssembly and, written as a line of text, by the program SCENE_HASH; all
// hashes have to be the same. Prints one line for each scene.
import { execFileSync } from "node:child_process";
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";

const [program, modulePath, mobilityPath, mapsPath, scenes] = process.argv.slice(2);
const { exports: c } = new WebAssembly.Instance(new WebAssembly.Module(readFileSync(modulePath)));
c._initialize?.();

function keep(bytes) {
  const at = c.studio_alloc(bytes.length);
  new Uint8Array(c.memory.buffer, at, bytes.length).set(bytes);
  return at;
}
function open(path, how) {
  const bytes = readFileSync(path);
  return how(keep(bytes), bytes.length, keep(Buffer.from("file\0")));
}
function floats(values) {
  const at = c.studio_alloc(4 * values.length + 4);
  new Float32Array(c.memory.buffer, at, values.length).set(values);
  return at;
}
const hex = (hash) => BigInt.asUintN(64, hash).toString(16).padStart(16, "0");

const mobility = open(mobilityPath, c.studio_mobility_open);
const maps = open(mapsPath, c.studio_maps_open);
const room = c.studio_alloc(1 << 20);

/** Corners are found once, so that both sides are told the same numbers. */
function corners(o) {
  if (o.polygon) return o.polygon;
  const [x, z] = (o.box ?? o.cylinder).centre;
  if (o.cylinder) return Array.from({ length: 24 }, (_, i) => [x + o.cylinder.radius * Math.cos(i * Math.PI / 12), z + o.cylinder.radius * Math.sin(i * Math.PI / 12)]);
  const [w, d] = o.box.size, a = ((o.box.degrees ?? 0) * Math.PI) / 180;
  return [[-1, -1], [1, -1], [1, 1], [-1, 1]].map(([i, k]) =>
    [x + (Math.cos(a) * i * w + Math.sin(a) * k * d) / 2, z + (Math.cos(a) * k * d - Math.sin(a) * i * w) / 2]);
}

/** What happens in a scene, as lines; the program understands the same words. */
function script(scene) {
  const lines = [`scene ${scene.bounds.flat().join(" ")}`];
  const yaw = (degrees = 0) => (degrees * Math.PI) / 180;
  for (const o of scene.obstacles ?? []) {
    if (o.box) lines.push(`box ${[...o.box.centre, ...o.box.size, yaw(o.box.degrees)].join(" ")}`);
    else if (o.cylinder) lines.push(`cylinder ${[...o.cylinder.centre, o.cylinder.radius].join(" ")}`);
    else lines.push(`polygon ${o.polygon.flat().join(" ")}`);
    lines.push(`wall ${corners(o).flat().join(" ")}`);
  }
  const names = Object.keys(scene.areas);
  for (const name of names) lines.push(`area ${scene.areas[name].flat().join(" ")}`);
  for (const f of scene.flows)
    lines.push(`flow ${[names.indexOf(f.from), names.indexOf(f.to), f.weight ?? 1, f.stop ? 1 : 0, f.pause ?? 0, ...(f.via ?? []).flat()].join(" ")}`);
  lines.push(`anywhere ${scene.spawn === "anywhere" ? 1 : 0}`, `crowd ${Math.min(40, scene.characters)} 300`);
  const middle = ([[a, b], [c, d]]) => [(a + c) / 2, (b + d) / 2];
  const { from, to } = scene.flows[0];
  lines.push(`follow ${[...middle(scene.areas[from]), ...middle(scene.areas[to])].join(" ")} 360`);
  return lines;
}

/** The same as the program does; see scene_hash.c. */
function play(lines) {
  let made = 0, bounds = [];
  const walls = [], hashes = [];
  for (const line of lines) {
    const [word, ...rest] = line.split(" ");
    const n = rest.map(Number);
    if (word === "scene") made = c.studio_scene_create(...(bounds = n), 256, 2048, 64, 64);
    else if (word === "box") c.studio_scene_box(made, ...n);
    else if (word === "cylinder") c.studio_scene_cylinder(made, ...n);
    else if (word === "polygon") c.studio_scene_polygon(made, floats(n), n.length / 2);
    else if (word === "wall") walls.push(n);
    else if (word === "area") c.studio_scene_area(made, ...n);
    else if (word === "flow") c.studio_scene_flow(made, n[0], n[1], floats(n.slice(5)), (n.length - 5) / 2, n[2], n[3], n[4]);
    else if (word === "anywhere") c.studio_scene_spawn_anywhere(made, n[0]);
    else if (word === "crowd") {
      const crowd = c.studio_crowd_create(mobility, made, 1);
      c.studio_crowd_fill(crowd, n[0], 1);
      for (let i = 0; i < n[1]; i++) c.studio_crowd_step(crowd, 1 / 60);
      c.studio_crowd_poses(crowd, room);
      const joints = c.studio_joint_count(c.studio_set_skeleton(c.studio_mobility_set(mobility)));
      hashes.push(hex(c.studio_crowd_hash(crowd)), hex(c.studio_hash(room, c.studio_crowd_count(crowd) * joints * 28)));
      c.studio_crowd_destroy(crowd);
    } else if (word === "follow") {
      const follow = c.studio_follow_create(maps, ...bounds, 50);
      for (const list of walls) c.studio_follow_add(follow, floats(list), list.length / 2);
      if (c.studio_follow_plan(follow, n[0], n[1], n[2], n[3], 0.5) === 0) c.studio_follow_begin(follow);
      for (let i = 0; i < n[4]; i++) {
        c.studio_follow_step(follow, 1 / 60);
        c.studio_follow_pose(follow, room);
      }
      hashes.push(hex(c.studio_follow_hash(follow)));
      c.studio_follow_destroy(follow);
    }
  }
  c.studio_scene_destroy(made);
  return hashes.join(" ");
}

let wrong = 0;
for (const file of readdirSync(scenes).filter((name) => name.endsWith(".json"))) {
  const scene = JSON.parse(readFileSync(join(scenes, file), "utf8"));
  const lines = script(scene);
  const here = play(lines);
  const native = execFileSync(program, [mobilityPath, mapsPath], { input: `${lines.join("\n")}\n` }).toString().trim();
  const same = here === native && !here.includes("0000000000000000");
  console.log(`${same ? "same" : "DIFFERENT"} ${file}: ${here}${same ? "" : ` natively ${native}`}`);
  wrong += same ? 0 : 1;
}
process.exit(wrong ? 1 : 0);
