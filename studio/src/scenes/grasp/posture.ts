// SPDX-License-Identifier: MIT
// The posture editor (5.2.3 of the thesis): a figure whose hip, spine, head, hands and feet are dragged, with the seven
// heuristics live; what it makes is where a plan begins, passes or ends.
import * as THREE from "three";
import { STUDIO_POSE_NUMBERS, STUDIO_POSE_POINTS, STUDIO_POSE_VIEW, type Pointer } from "../../lope/bindings";
import { el } from "../../ui/dom";
import { type Field, Panel } from "../../ui/panel";
import type { SceneHost } from "../scene";
import { type ClimbFile, type Point, type PoseFile, type Site, siteAt } from "./file";

export const MODES = ["walks", "climbs", "swings", "crawls", "sidles", "sits"] as const;
const NAMES = ["walk", "climb", "swing", "crawl", "sidle", "sit"] as const;
const LIMBS = ["left_arm", "right_arm", "left_leg", "right_leg"] as const;
const HEURISTICS = 7;
const DEGREE = Math.PI / 180;
const HIP = 0, NECK = 1, HEAD = 2, FIRST_END = 7; // of the points; elbows and knees in between
const HANDLES = [HIP, NECK, HEAD, 7, 8, 9, 10];
const LINKS = [[0, 1], [1, 2], [1, 3], [3, 7], [1, 4], [4, 8], [0, 5], [5, 9], [0, 6], [6, 10]] as const;

const rounded = (v: number, digits: number) => Number(v.toFixed(digits));

/** A pose of a scene file as the library's numbers, and back. */
export function poseNumbers(pose: PoseFile): number[] {
  const limbs = LIMBS.flatMap((limb) => (pose[limb] ?? [0, 0]).map((angle) => angle * DEGREE));
  return [...pose.hip, (pose.spine ?? 0) * DEGREE, (pose.neck ?? 0) * DEGREE, ...limbs, pose.facing === "left" ? -1 : 1];
}

export function poseFile(numbers: ArrayLike<number>): PoseFile {
  const angle = (i: number) => rounded(numbers[i]! / DEGREE, 3);
  const pair = (i: number): Point => [angle(i), angle(i + 1)];
  return {
    hip: [rounded(numbers[0]!, 4), rounded(numbers[1]!, 4)], spine: angle(2), neck: angle(3),
    left_arm: pair(4), right_arm: pair(6), left_leg: pair(8), right_leg: pair(10), facing: numbers[12]! < 0 ? "left" : "right",
  };
}

/** What is wrong with a pose, in words; empty where nothing is. */
export function faultOf(view: ArrayLike<number>): string {
  if (view[6]! > 1e-3) return `a joint is ${(view[6]! / DEGREE).toFixed(0)}° beyond its range`;
  if (view[7]! < -0.02) return `${(-100 * view[7]!).toFixed(0)} cm inside an obstacle`;
  return view[4]! < 0 ? "holds too little to stay" : "";
}

export class PoseEditor {
  private readonly pose: Pointer<"double">;
  private readonly out: Pointer<"double">;
  private readonly lines: THREE.LineSegments<THREE.BufferGeometry, THREE.LineBasicMaterial>;
  private readonly dots: THREE.Points<THREE.BufferGeometry, THREE.PointsMaterial>;
  private readonly which: Field<string>;
  private readonly rows: Field<string>[];
  private readonly does: Field<string>;
  private readonly discomfort: Field<string>;
  private readonly card = el("div", { class: "card posture" });
  private shown = false;
  private file: ClimbFile | null = null;

  constructor(private readonly host: SceneHost, private readonly scene: () => Pointer<"lope_climb_scene">, use: (site: "start" | "goal" | "via", pose: PoseFile) => void) {
    const { lope, group, stage } = host;
    this.pose = lope.allocate(8 * STUDIO_POSE_NUMBERS) as Pointer<"double">;
    this.out = lope.allocate(8 * Math.max(2 * STUDIO_POSE_POINTS, STUDIO_POSE_VIEW)) as Pointer<"double">;
    const overlay = { color: stage.colours.goal, depthTest: false, transparent: true };
    this.lines = new THREE.LineSegments(new THREE.BufferGeometry(), new THREE.LineBasicMaterial(overlay));
    this.dots = new THREE.Points(new THREE.BufferGeometry(), new THREE.PointsMaterial({ ...overlay, size: 11, sizeAttenuation: false }));
    for (const [object, count] of [[this.lines, 2 * LINKS.length], [this.dots, HANDLES.length]] as const) {
      object.geometry.setAttribute("position", new THREE.BufferAttribute(new Float32Array(3 * count), 3));
      object.frustumCulled = object.visible = false;
      object.renderOrder = 12;
    }
    group.add(this.lines, this.dots);
    const panel = new Panel(this.card);
    panel.heading("Posture");
    this.which = panel.select("The plan", [["start", "begins in it"], ["via", "passes it"], ["goal", "ends in it"]], "goal", () => this.begin());
    panel.buttons(["Make comfortable", () => this.settle()], ["Turn round", () => this.turn()], ["Use it", () => {
      const fault = faultOf(this.look());
      if (fault) host.say(`The posture cannot be used: ${fault}`);
      else use(this.which.get() as "start" | "goal" | "via", poseFile(this.numbers()));
    }]);
    this.does = panel.readout("It");
    this.discomfort = panel.readout("Discomfort", "the product of the heuristics of its mode; 1 is best");
    this.rows = Array.from({ length: HEURISTICS }, (_, i) => panel.readout(lope.text(lope.c.studio_heuristic_name(i)), "1 is best; in brackets where its mode does not ask for it"));
  }

  private numbers(): Float64Array {
    return this.host.lope.doubles(this.pose, STUDIO_POSE_NUMBERS);
  }

  private points(): Float64Array {
    this.host.lope.c.studio_pose_points(this.pose, this.out);
    return this.host.lope.doubles(this.out, 2 * STUDIO_POSE_POINTS).slice();
  }

  /** Holds of four limbs, mode, discomfort, excess, clearance, heuristics. */
  look(): Float64Array {
    this.host.lope.c.studio_pose_look(this.scene(), this.pose, this.out);
    return this.host.lope.doubles(this.out, STUDIO_POSE_VIEW).slice();
  }

  show(is: boolean, file: ClimbFile | null): void {
    this.shown = is;
    this.file = file;
    this.host.card.replaceChildren(...(is ? [this.card] : []));
    if (is) this.begin();
    this.refresh();
  }

  /** Begins with the pose that the site has, or with a comfortable one there. */
  private begin(): void {
    const { lope } = this.host;
    if (!this.file) return;
    const which = this.which.get();
    const site: Site = which === "via" ? (this.file.via?.at(-1) ?? this.file.start) : this.file[which as "start" | "goal"];
    const given = "pose" in site ? site.pose : "sequence" in site ? site.sequence.poses[0]! : null;
    if (given) this.numbers().set(poseNumbers(given));
    else {
      const at = siteAt(site);
      const mode = "at" in site ? NAMES.indexOf(site.mode ?? "walk") : 0;
      const facing = "at" in site && site.facing ? (site.facing === "left" ? -1 : 1) : 0;
      if (!lope.c.studio_pose_at(this.scene(), mode, facing, ...at, this.pose)) {
        this.host.say(lope.lastError());
        this.numbers().set(poseNumbers({ hip: [at[0], at[1] + 0.9], left_leg: [5, 10], right_leg: [0, 10] }));
      }
    }
    this.refresh();
  }

  private settle(): void {
    const well = this.host.lope.c.studio_pose_settle(this.scene(), this.pose);
    this.host.say(well ? "The most comfortable posture nearby" : "No comfortable posture holds this");
    this.refresh();
  }

  private turn(): void {
    const numbers = this.numbers();
    numbers[12] = -numbers[12]!;
    this.refresh();
  }

  handleAt(x: number, y: number, reach = 0.14): number | null {
    const points = this.points();
    let best: number | null = null, nearest = reach;
    for (const handle of HANDLES) {
      const distance = Math.hypot(points[2 * handle]! - x, points[2 * handle + 1]! - y);
      if (distance < nearest) [best, nearest] = [handle, distance];
    }
    return best;
  }

  /** Hands and feet snap to holds; those that hold stay where they are while the trunk moves. */
  drag(handle: number, [x, y]: Point, holdNear: (x: number, y: number) => Point | null): void {
    const { c } = this.host.lope;
    const points = this.points(), held = this.look(), numbers = this.numbers();
    const facing = numbers[12]!;
    if (handle === HIP) numbers.set([x, y]);
    else if (handle === NECK) numbers[2] = Math.atan2(facing * (x - numbers[0]!), y - numbers[1]!);
    else if (handle === HEAD) numbers[3] = Math.max(-0.78, Math.min(0.78, Math.atan2(facing * (x - points[2]!), y - points[3]!) - numbers[2]!));
    else c.studio_pose_reach(this.pose, handle - FIRST_END, ...(holdNear(x, y) ?? [x, y] as const));
    for (let limb = 0; limb < 4 && handle < FIRST_END; limb++)
      if (held[limb]! >= 0) c.studio_pose_reach(this.pose, limb, points[2 * (FIRST_END + limb)]!, points[2 * (FIRST_END + limb) + 1]!);
    this.refresh();
  }

  /** The figure and its figures as they are now. */
  refresh(): void {
    this.lines.visible = this.dots.visible = this.shown;
    if (!this.shown) return;
    const points = this.points(), view = this.look();
    const fill = (object: THREE.LineSegments | THREE.Points, which: readonly number[]) => {
      const places = object.geometry.getAttribute("position") as THREE.BufferAttribute;
      which.forEach((p, i) => places.setXYZ(i, points[2 * p]!, points[2 * p + 1]!, 0.02));
      places.needsUpdate = true;
    };
    fill(this.lines, LINKS.flat());
    fill(this.dots, HANDLES);
    const mode = view[4]!, uses = mode < 0 ? 0 : this.host.lope.c.studio_heuristics(mode);
    this.does.set(faultOf(view) || MODES[mode]!);
    this.discomfort.set(mode < 0 ? "–" : view[5]!.toFixed(2));
    this.rows.forEach((row, i) => {
      const used = (uses >> i) & 1, value = view[8 + i]!;
      row.set(used ? value.toFixed(2) : `(${value.toFixed(2)})`);
      row.element.style.setProperty("--share", String(used ? Math.min(1, value - 1) : 0));
    });
  }

  dispose(): void {
    this.host.lope.c.studio_free(this.pose);
    this.host.lope.c.studio_free(this.out);
  }
}
