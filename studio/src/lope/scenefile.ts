// SPDX-License-Identifier: MIT
// Scene files of flat ground (lope/scene.h), read as strictly as the tool reads them, and handed to the library.
import { type Pointer } from "./bindings";
import { type Lope, LopeError } from "./lope";

export type Place = readonly [number, number];
export type Obstacle =
  | { readonly box: { readonly centre: Place; readonly size: Place; readonly degrees?: number } }
  | { readonly cylinder: { readonly centre: Place; readonly radius: number } }
  | { readonly polygon: readonly Place[] };
export interface Flow {
  readonly from: string;
  readonly to: string;
  readonly via?: readonly Place[];
  readonly weight?: number;
  readonly stop?: boolean;
  readonly pause?: number;
}
export interface SceneFile {
  readonly name: string;
  readonly bounds: readonly [Place, Place];
  readonly characters: number;
  readonly spawn: "anywhere" | "areas";
  readonly obstacles: readonly Obstacle[];
  readonly areas: Readonly<Record<string, readonly [Place, Place]>>;
  readonly flows: readonly Flow[];
}

const isNumber = (v: unknown): v is number => typeof v === "number" && Number.isFinite(v);
const isPlace = (v: unknown): v is Place => Array.isArray(v) && v.length === 2 && v.every(isNumber);
const isRectangle = (v: unknown): v is readonly [Place, Place] =>
  Array.isArray(v) && v.length === 2 && v.every(isPlace) && v[0][0] < v[1][0] && v[0][1] < v[1][1];

function found(value: unknown): string {
  const text = JSON.stringify(value) ?? "nothing";
  return text.length > 60 ? `${text.slice(0, 57)}...` : text;
}

function want(ok: boolean, where: string, expected: string, value: unknown): void {
  if (!ok) throw new LopeError(`${where}: expected ${expected}, found ${found(value)}`);
}

export function readObstacle(value: unknown, where: string): Obstacle {
  want(typeof value === "object" && value !== null && Object.keys(value).length === 1, where, 'one of "box", "cylinder", "polygon"', value);
  const [[kind, of]] = Object.entries(value as object) as [[string, Record<string, unknown> & unknown[]]];
  if (kind === "box") {
    want(isPlace(of?.centre) && isPlace(of?.size) && of.size[0] > 0 && of.size[1] > 0, where, "a box with a centre and a positive size", of);
    want(of.degrees === undefined || isNumber(of.degrees), where, "degrees as a number", of.degrees);
  } else if (kind === "cylinder") {
    want(isPlace(of?.centre) && isNumber(of?.radius) && of.radius > 0, where, "a cylinder with a centre and a positive radius", of);
  } else if (kind === "polygon") {
    want(Array.isArray(of) && of.length >= 3 && of.length <= 64 && of.every(isPlace), where, "a polygon of 3 to 64 places", of);
  } else want(false, where, 'one of "box", "cylinder", "polygon"', kind);
  return value as Obstacle;
}

/** Checks a scene as it comes out of JSON.parse; throws what is wrong and where. */
export function readSceneFile(value: unknown, file: string): SceneFile {
  want(typeof value === "object" && value !== null && !Array.isArray(value), file, "an object", value);
  const scene = value as Record<string, unknown>;
  const areas = (scene.areas ?? {}) as Record<string, unknown>;
  want(typeof areas === "object" && areas !== null && !Array.isArray(areas), `${file}: areas`, "an object of rectangles", areas);
  for (const [name, area] of Object.entries(areas)) want(isRectangle(area), `${file}: area '${name}'`, "a rectangle [[x, z], [x, z]]", area);
  const flows = (scene.flows ?? []) as Flow[];
  want(Array.isArray(flows), `${file}: flows`, "a list", flows);
  flows.forEach((flow, i) => {
    const where = `${file}: flow ${i + 1}`;
    for (const end of [flow?.from, flow?.to]) want(typeof end === "string" && end in areas, where, "the name of an area", end);
    want(flow.via === undefined || (Array.isArray(flow.via) && flow.via.length <= 8 && flow.via.every(isPlace)), where, "up to 8 places in via", flow.via);
  });
  want(scene.bounds === undefined || isRectangle(scene.bounds), `${file}: bounds`, "a rectangle [[x, z], [x, z]]", scene.bounds);
  want(scene.characters === undefined || (Number.isInteger(scene.characters) && (scene.characters as number) >= 0), `${file}: characters`, "a whole number", scene.characters);
  want(scene.spawn === undefined || scene.spawn === "anywhere" || scene.spawn === "areas", `${file}: spawn`, '"anywhere" or "areas"', scene.spawn);
  const obstacles = (scene.obstacles ?? []) as unknown[];
  want(Array.isArray(obstacles), `${file}: obstacles`, "a list", obstacles);
  const read = {
    name: typeof scene.name === "string" ? scene.name : file.replace(/^.*\//, "").replace(/\.json$/, ""),
    characters: (scene.characters as number | undefined) ?? 1,
    spawn: (scene.spawn as SceneFile["spawn"] | undefined) ?? "areas",
    obstacles: obstacles.map((o, i) => readObstacle(o, `${file}: obstacle ${i + 1}`)),
    areas: areas as SceneFile["areas"],
    flows,
  };
  return { ...read, bounds: (scene.bounds as SceneFile["bounds"] | undefined) ?? boundsAround(read) };
}

function boundsAround(scene: Pick<SceneFile, "obstacles" | "areas">): readonly [Place, Place] {
  const places = [...Object.values(scene.areas).flat(), ...scene.obstacles.flatMap(cornersOf)];
  if (places.length === 0) return [[-10, -10], [10, 10]];
  const xs = places.map((p) => p[0]), zs = places.map((p) => p[1]);
  return [[Math.min(...xs) - 5, Math.min(...zs) - 5], [Math.max(...xs) + 5, Math.max(...zs) + 5]];
}

export function cornersOf(obstacle: Obstacle): Place[] {
  if ("polygon" in obstacle) return [...obstacle.polygon];
  if ("cylinder" in obstacle) {
    const { centre: [x, z], radius } = obstacle.cylinder;
    return Array.from({ length: 28 }, (_, i) => [x + radius * Math.cos((2 * Math.PI * i) / 28), z + radius * Math.sin((2 * Math.PI * i) / 28)] as const);
  }
  const { centre: [x, z], size: [w, d], degrees = 0 } = obstacle.box;
  const c = Math.cos((degrees * Math.PI) / 180), s = Math.sin((degrees * Math.PI) / 180);
  return ([[-1, -1], [1, -1], [1, 1], [-1, 1]] as const).map(([i, k]) => {
    const dx = (i * w) / 2, dz = (k * d) / 2;
    return [x + c * dx + s * dz, z - s * dx + c * dz] as const;
  });
}

export function centreOf(obstacle: Obstacle): Place {
  if ("box" in obstacle) return obstacle.box.centre;
  if ("cylinder" in obstacle) return obstacle.cylinder.centre;
  const n = obstacle.polygon.length;
  return [obstacle.polygon.reduce((sum, p) => sum + p[0], 0) / n, obstacle.polygon.reduce((sum, p) => sum + p[1], 0) / n];
}

/** The obstacle moved so that its centre lies at a place. */
export function movedTo(obstacle: Obstacle, x: number, z: number): Obstacle {
  if ("box" in obstacle) return { box: { ...obstacle.box, centre: [x, z] } };
  if ("cylinder" in obstacle) return { cylinder: { ...obstacle.cylinder, centre: [x, z] } };
  const [cx, cz] = centreOf(obstacle);
  return { polygon: obstacle.polygon.map(([px, pz]) => [px + x - cx, pz + z - cz] as const) };
}

/** Whether a place lies in an obstacle. */
export function covers(obstacle: Obstacle, x: number, z: number): boolean {
  if ("cylinder" in obstacle) return Math.hypot(x - obstacle.cylinder.centre[0], z - obstacle.cylinder.centre[1]) <= obstacle.cylinder.radius;
  const corners = cornersOf(obstacle);
  let inside = false;
  for (let i = 0, k = corners.length - 1; i < corners.length; k = i++) {
    const [xi, zi] = corners[i]!, [xk, zk] = corners[k]!;
    if (zi > z !== zk > z && x < ((xk - xi) * (z - zi)) / (zk - zi) + xi) inside = !inside;
  }
  return inside;
}

/** The scene as the library knows it; the caller destroys it. */
export function makeScene(lope: Lope, scene: SceneFile): Pointer<"lope_scene"> {
  const { c } = lope;
  const [low, high] = scene.bounds;
  const corners = scene.obstacles.reduce((sum, o) => sum + ("polygon" in o ? o.polygon.length : 0), 0);
  const names = Object.keys(scene.areas);
  const made = lope.need(c.studio_scene_create(low[0], low[1], high[0], high[1], scene.obstacles.length, corners, names.length, scene.flows.length));
  for (const o of scene.obstacles) {
    if ("box" in o) c.studio_scene_box(made, ...o.box.centre, ...o.box.size, ((o.box.degrees ?? 0) * Math.PI) / 180);
    else if ("cylinder" in o) c.studio_scene_cylinder(made, ...o.cylinder.centre, o.cylinder.radius);
    else lope.withFloats(o.polygon.flat(), (at) => c.studio_scene_polygon(made, at, o.polygon.length));
  }
  for (const name of names) c.studio_scene_area(made, ...scene.areas[name]![0], ...scene.areas[name]![1]);
  for (const flow of scene.flows)
    lope.withFloats((flow.via ?? []).flat(), (at) =>
      c.studio_scene_flow(made, names.indexOf(flow.from), names.indexOf(flow.to), at, flow.via?.length ?? 0, flow.weight ?? 1, flow.stop ?? false, flow.pause ?? 0));
  c.studio_scene_spawn_anywhere(made, scene.spawn === "anywhere");
  return made;
}

/** The scene as a file for the tool. */
export function sceneText(scene: SceneFile): string {
  return `${JSON.stringify(scene, (_, v) => (typeof v === "number" ? Number(v.toFixed(4)) : v), 4)}\n`;
}

/** The same scene, larger: places and sizes grow, so that more characters find room. */
export function scaled(scene: SceneFile, by: number): SceneFile {
  const grow = (p: Place): Place => [p[0] * by, p[1] * by];
  return {
    ...scene,
    bounds: [grow(scene.bounds[0]), grow(scene.bounds[1])],
    obstacles: scene.obstacles.map((o): Obstacle => {
      if ("box" in o) return { box: { ...o.box, centre: grow(o.box.centre), size: grow(o.box.size) } };
      if ("cylinder" in o) return { cylinder: { centre: grow(o.cylinder.centre), radius: o.cylinder.radius * by } };
      return { polygon: o.polygon.map(grow) };
    }),
    areas: Object.fromEntries(Object.entries(scene.areas).map(([name, [a, b]]) => [name, [grow(a), grow(b)] as const])),
    flows: scene.flows.map((flow) => (flow.via ? { ...flow, via: flow.via.map(grow) } : flow)),
  };
}
