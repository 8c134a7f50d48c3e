// SPDX-License-Identifier: MIT
// Climbing scenes (lope/climb_scene.h) as data that a hand can change. Whether they make sense is for the library to say.

export type Point = readonly [number, number];
export type Shape = { readonly box: readonly [Point, Point] } | { readonly polygon: readonly Point[] };
export type HoldKind = "pendent" | "load-bearing" | "hybrid";
export type Hold =
  | { readonly at: Point; readonly kind?: HoldKind }
  | { readonly from: Point; readonly to: Point; readonly spacing: number; readonly kind?: HoldKind };
/** A configuration: degrees, 0 where left out; see lope_grasp_pose. */
export interface PoseFile {
  readonly hip: Point;
  readonly spine?: number;
  readonly neck?: number;
  readonly left_arm?: Point;
  readonly right_arm?: Point;
  readonly left_leg?: Point;
  readonly right_leg?: Point;
  readonly facing?: "left" | "right";
}
export type Site =
  | { readonly at: Point; readonly mode?: "walk" | "climb" | "swing" | "crawl" | "sidle" | "sit"; readonly facing?: "left" | "right" }
  | { readonly pose: PoseFile }
  | { readonly sequence: { readonly seconds: number; readonly facing?: "left" | "right"; readonly poses: readonly PoseFile[] } };
export interface ClimbFile {
  readonly name?: string;
  readonly bounds: readonly [Point, Point];
  readonly obstacles?: readonly Shape[];
  readonly holds?: readonly Hold[];
  readonly surfaces?: readonly { readonly from: Point; readonly to: Point; readonly kind?: HoldKind }[];
  readonly place?: number;
  readonly start: Site;
  readonly via?: readonly Site[];
  readonly goal: Site;
}

/** Something in a scene that can be taken hold of. */
export type Item = { readonly kind: "start" | "goal" } | { readonly kind: "via" | "hold" | "obstacle"; readonly index: number };

const round = (v: number) => Math.round(v * 100) / 100;
const near = (a: Point, x: number, y: number) => Math.hypot(a[0] - x, a[1] - y);

/** Where a site is shown and taken hold of: at its hip where it is a pose. */
export function siteAt(site: Site): Point {
  return "at" in site ? site.at : "pose" in site ? site.pose.hip : site.sequence.poses[0]!.hip;
}

function movedSite(site: Site, by: (p: Point) => Point): Site {
  if ("at" in site) return { ...site, at: by(site.at) };
  if ("pose" in site) return { pose: { ...site.pose, hip: by(site.pose.hip) } };
  return { sequence: { ...site.sequence, poses: site.sequence.poses.map((pose) => ({ ...pose, hip: by(pose.hip) })) } };
}

/** The points of a hold: itself, or those along its stretch. */
export function holdPoints(hold: Hold): Point[] {
  if ("at" in hold) return [hold.at];
  const length = near(hold.from, hold.to[0], hold.to[1]);
  const steps = Math.max(1, Math.round(length / hold.spacing));
  return Array.from({ length: steps + 1 }, (_, i) => [
    hold.from[0] + ((hold.to[0] - hold.from[0]) * i) / steps, hold.from[1] + ((hold.to[1] - hold.from[1]) * i) / steps,
  ] as const);
}

export function cornersOf(shape: Shape): Point[] {
  if ("polygon" in shape) return [...shape.polygon];
  const [[x, y], [X, Y]] = shape.box;
  return [[x, y], [X, y], [X, Y], [x, Y]];
}

export function inside(shape: Shape, x: number, y: number): boolean {
  const corners = cornersOf(shape);
  let within = false;
  for (let i = 0, k = corners.length - 1; i < corners.length; k = i++) {
    const [xi, yi] = corners[i]!, [xk, yk] = corners[k]!;
    if (yi > y !== yk > y && x < ((xk - xi) * (y - yi)) / (yk - yi) + xi) within = !within;
  }
  return within;
}

/** What lies at a point: sites before holds before obstacles; `reach` metres around small things count. */
export function itemAt(file: ClimbFile, x: number, y: number, reach = 0.16): Item | null {
  if (near(siteAt(file.goal), x, y) <= 1.5 * reach) return { kind: "goal" };
  if (near(siteAt(file.start), x, y) <= 1.5 * reach) return { kind: "start" };
  const via = (file.via ?? []).findIndex((site) => near(siteAt(site), x, y) <= 1.5 * reach);
  if (via >= 0) return { kind: "via", index: via };
  let best = -1, nearest = reach;
  (file.holds ?? []).forEach((hold, i) => {
    for (const p of holdPoints(hold)) if (near(p, x, y) <= nearest) [best, nearest] = [i, near(p, x, y)];
  });
  if (best >= 0) return { kind: "hold", index: best };
  const obstacle = (file.obstacles ?? []).findIndex((shape) => inside(shape, x, y));
  return obstacle >= 0 ? { kind: "obstacle", index: obstacle } : null;
}

function replaced<T>(list: readonly T[] | undefined, index: number, change: (item: T) => T): T[] {
  return (list ?? []).map((item, i) => (i === index ? change(item) : item));
}

/** The scene with one thing moved by some metres. */
export function moved(file: ClimbFile, item: Item, dx: number, dy: number): ClimbFile {
  const by = (p: Point): Point => [round(p[0] + dx), round(p[1] + dy)];
  switch (item.kind) {
    case "start": return { ...file, start: movedSite(file.start, by) };
    case "goal": return { ...file, goal: movedSite(file.goal, by) };
    case "via": return { ...file, via: replaced(file.via, item.index, (site) => movedSite(site, by)) };
    case "hold": return { ...file, holds: replaced(file.holds, item.index, (h) => ("at" in h ? { ...h, at: by(h.at) } : { ...h, from: by(h.from), to: by(h.to) })) };
    case "obstacle": return {
      ...file,
      obstacles: replaced(file.obstacles, item.index, (s) => ("box" in s ? { box: [by(s.box[0]), by(s.box[1])] } : { polygon: s.polygon.map(by) })),
    };
  }
}

/** The scene without it; start and goal stay. */
export function removed(file: ClimbFile, item: Item): ClimbFile {
  if (!("index" in item)) return file;
  const { index } = item;
  const key = ({ via: "via", hold: "holds", obstacle: "obstacles" } as const)[item.kind];
  return { ...file, [key]: (file[key] as readonly unknown[]).filter((_, i) => i !== index) };
}

export function withHold(file: ClimbFile, x: number, y: number, kind: HoldKind | undefined): ClimbFile {
  return { ...file, holds: [...(file.holds ?? []), { at: [round(x), round(y)], ...(kind && { kind }) }] };
}

export function withVia(file: ClimbFile, x: number, y: number): ClimbFile {
  return { ...file, via: [...(file.via ?? []), { at: [round(x), round(y)] }] };
}

/** The scene with a site, or one more milestone, that is a configuration. */
export function withPose(file: ClimbFile, site: "start" | "goal" | "via", pose: PoseFile): ClimbFile {
  return site === "via" ? { ...file, via: [...(file.via ?? []), { pose }] } : { ...file, [site]: { pose } };
}

/** The scene with a box between two corners; unchanged where it would be thinner than a hand. */
export function withBox(file: ClimbFile, a: Point, b: Point): ClimbFile {
  const low: Point = [round(Math.min(a[0], b[0])), round(Math.min(a[1], b[1]))], high: Point = [round(Math.max(a[0], b[0])), round(Math.max(a[1], b[1]))];
  if (high[0] - low[0] < 0.08 || high[1] - low[1] < 0.08) return file;
  return { ...file, obstacles: [...(file.obstacles ?? []), { box: [low, high] }] };
}

export function climbText(file: ClimbFile): string {
  return `${JSON.stringify(file, null, 4)}\n`;
}

/** Whether something that comes from a link looks like a scene; the library reads it for good. */
export function looksLikeClimb(value: unknown): value is ClimbFile {
  const isPoint = (p: unknown) => Array.isArray(p) && p.length === 2 && p.every(Number.isFinite);
  const isPose = (p: unknown) => isPoint((p as Partial<PoseFile> | null)?.hip);
  const isSite = (s: unknown) => {
    const site = (s ?? {}) as { at?: unknown; pose?: unknown; sequence?: { poses?: unknown } };
    const poses = site.sequence?.poses;
    return isPoint(site.at) || isPose(site.pose) || (Array.isArray(poses) && poses.length > 0 && poses.every(isPose));
  };
  const file = value as Partial<ClimbFile> | null;
  return typeof file === "object" && file !== null && Array.isArray(file.bounds) && file.bounds.length === 2 && file.bounds.every(isPoint) &&
    isSite(file.start) && isSite(file.goal) && (file.via === undefined || (Array.isArray(file.via) && file.via.every(isSite))) &&
    [file.obstacles, file.holds].every((list) => list === undefined || Array.isArray(list));
}
