// SPDX-License-Identifier: MIT
// One character on motion rings, driven by keys, gamepad or clicks, over ground that can be changed under its feet.
import * as THREE from "three";
import { LOPE_GAIT_RUN, LOPE_GAIT_STAND, LOPE_GAIT_WALK, STUDIO_GAIT_FLOATS, STUDIO_JOINT_FLOATS, type Pointer } from "../../lope/bindings";
import { Buffer } from "../../lope/lope";
import type { Field } from "../../ui/panel";
import { Handle } from "../../view/marks";
import { TerrainView } from "../../view/terrain";
import type { Cast, LiveScene, Moment, SceneHost, Sources, Spot } from "../scene";
import { ringSources } from "../sources";
import { directionOf, gamepadWish, Keys, type Wish } from "./drive";
import { type Dab, Earth, readDabs } from "./earth";
import { groundFile } from "./groundfile";
import { SphereView } from "./spheres";

interface State {
  dabs: readonly Dab[];
  target: readonly [number, number] | null;
  run: boolean;
  stride: number;
}

const SPEED = 0.35; // metres a second, of the brush
const RUN_STRIDE = 2; // of a running step, in walking ones
const TOP = 1000; // above all ground

export class RingsScene implements LiveScene {
  private readonly ground: Pointer<"lope_terrain_scene">;
  private readonly terrain: Pointer<"lope_terrain">;
  private gait = 0 as Pointer<"lope_gait">;
  private readonly skeleton: Pointer<"lope_skeleton">;
  private readonly joints: number;
  private readonly poses: Buffer;
  private readonly scratch: Buffer;
  private readonly corner: Pointer<"int">;
  private way: Float32Array;
  private rest = 0; // seconds at the end of the way
  private target: readonly [number, number] | null = null;
  private taken = false; // somebody drives
  private readonly keysDown = new Keys();
  private readonly earth: Earth;
  private readonly view_: TerrainView;
  private readonly spheres: SphereView;
  private readonly goal: Handle;
  private readonly ring: THREE.Mesh;
  private brush: { x: number; z: number; up: number; last: number } | null = null;
  private readonly tool: Field<string>;
  private readonly run: Field<boolean>;
  private readonly stride: Field<number>;
  private readonly radius: Field<number>;
  private readonly show: Field<boolean>;
  private readonly figures: { lit: Field<string>; weights: Field<string>; ik: Field<string> };
  readonly sources: Sources;
  readonly ownGround = true;
  eye: readonly [number, number, number] = [2.6, 3.1, 5.2];
  private wasRefused = false;
  private readonly released = () => this.keysDown.release();
  private readonly recoloured = () => this.view_.colour();
  readonly keys = [
    ["W A S D, arrows", "walk as seen from the camera; with Shift run"],
    ["Gamepad", "left stick; A or the right trigger runs"],
    ["1, 2, 3", "walk there, raise, lower; with a brush, arrows move the cursor and Enter takes and leaves it"],
  ] as const;

  constructor(private readonly host: SceneHost, private readonly rings: Pointer<"lope_rings">, private readonly text: string, name: string) {
    const { lope, group, panel, stage } = host;
    const { c } = lope;
    this.ground = lope.need(this.read(text, name));
    this.terrain = c.studio_ground_terrain(this.ground);
    this.skeleton = c.studio_rings_skeleton(rings);
    this.joints = c.studio_joint_count(this.skeleton);
    this.sources = ringSources(lope, rings);
    this.poses = new Buffer(lope);
    this.scratch = new Buffer(lope);
    this.corner = lope.allocate<"int">(64);
    lope.ints(this.corner, 1)[0] = 0;
    this.way = this.readWay();
    this.earth = new Earth(lope, this.terrain);
    this.view_ = new TerrainView(lope, stage);
    this.view_.refresh(this.terrain);
    this.spheres = new SphereView(lope, group, stage.colours);
    this.goal = new Handle(stage.colours.goal);
    this.goal.object.visible = false;
    this.ring = new THREE.Mesh(new THREE.TorusGeometry(1, 0.02, 8, 64).rotateX(Math.PI / 2), new THREE.MeshBasicMaterial({ color: stage.colours.plan, depthTest: false, transparent: true }));
    this.ring.renderOrder = 8;
    this.ring.visible = false;
    group.add(this.view_.mesh, this.goal.object, this.ring);
    this.tool = panel.tools("What a click or drag does", [["walk", "Walk there"], ["raise", "Raise"], ["lower", "Lower"]], "walk", () => {});
    this.radius = panel.slider({ label: "Brush", min: 0.3, max: 2, step: 0.1, value: 0.8, show: (v) => `${v.toFixed(1)} m` });
    this.stride = panel.slider({ label: "Stride", min: 0.2, max: 0.9, step: 0.05, value: 0.6, show: (v) => `${v.toFixed(2)} m`, change: () => host.changed() });
    this.run = panel.toggle("Run", false, () => host.changed());
    this.show = panel.toggle("Contact spheres", true, () => {});
    this.figures = {
      lit: panel.readout("Spheres on ground", "Of the places that the next foot can reach, those where there is ground"),
      weights: panel.readout("Foot off, by weights", "How far the last foot was from the ground before inverse kinematics"),
      ik: panel.readout("Foot off, with IK"),
    };
    addEventListener("blur", this.released);
    stage.onColours.push(this.recoloured);
    this.begin();
  }

  private read(text: string, name: string): Pointer<"lope_terrain_scene"> {
    const { lope } = this.host;
    const size = new TextEncoder().encode(text).length;
    return lope.withText(text, (at) => lope.withText(name, (label) => lope.c.studio_ground_read(at, size, label)));
  }

  private readWay(): Float32Array {
    const { lope } = this.host;
    const count = lope.c.studio_ground_path(this.ground, 0 as Pointer<"float">, 0);
    const at = this.scratch.room(Math.max(64, 8 * count)) as Pointer<"float">;
    lope.c.studio_ground_path(this.ground, at, count);
    return lope.floats(at, 2 * count).slice();
  }

  private begin(): void {
    const { lope } = this.host;
    const at = this.scratch.room(64) as Pointer<"float">;
    lope.c.studio_ground_start(this.ground, at);
    const [x, z, yaw, height] = lope.floats(at, 4) as unknown as [number, number, number, number];
    // From behind and beside: what lies ahead is what counts.
    this.eye = [-4.4 * Math.sin(yaw) - 2.6 * Math.cos(yaw), 2.9, -4.4 * Math.cos(yaw) + 2.6 * Math.sin(yaw)];
    this.gait = lope.need(lope.c.studio_gait_create(this.rings, this.terrain, x, z, yaw, height + 1, true));
  }

  /** What keys or a gamepad want. */
  private wish(): Wish | null {
    return this.keysDown.wish() ?? gamepadWish(navigator.getGamepads?.() ?? []);
  }

  private stepping(run: boolean): { mode: number; stride: number } {
    const runs = run || this.run.get();
    return { mode: runs ? LOPE_GAIT_RUN : LOPE_GAIT_WALK, stride: this.stride.get() * (runs ? RUN_STRIDE : 1) };
  }

  step(dt: number): void {
    const { c } = this.host.lope;
    const wish = this.wish();
    if (wish) this.take();
    if (wish) this.drive(wish, dt);
    else if (this.taken) c.studio_gait_step(this.gait, this.terrain, LOPE_GAIT_STAND, 0, 0, dt);
    else if (this.target) {
      const { mode, stride } = this.stepping(false);
      c.studio_gait_step_to(this.gait, this.terrain, mode, ...this.target, stride, dt);
    } else this.patrol(dt);
  }

  private take(): void {
    this.taken = true;
    this.target = null;
    this.goal.object.visible = false;
  }

  private drive(wish: Wish, dt: number): void {
    const { camera, controls } = this.host.stage;
    const look = { x: controls.target.x - camera.position.x, z: controls.target.z - camera.position.z };
    const length = Math.hypot(look.x, look.z) || 1;
    const { mode, stride } = this.stepping(wish.run);
    const share = Math.max(0.3, Math.hypot(wish.right, wish.ahead));
    this.host.lope.c.studio_gait_step(this.gait, this.terrain, mode, directionOf(wish, look.x / length, look.z / length), stride * share, dt);
  }

  /** Until somebody takes over, it walks along the way of the scene and back. */
  private patrol(dt: number): void {
    const { lope } = this.host;
    const { mode, stride } = this.stepping(false);
    const there = this.way.length < 4 || lope.withFloats(this.way, (at) =>
      !!lope.c.studio_gait_step_along(this.gait, this.terrain, mode, at, this.way.length / 2, this.corner, stride, dt));
    if (this.way.length < 4) lope.c.studio_gait_step(this.gait, this.terrain, mode, 0, stride, dt);
    this.rest = there ? this.rest + dt : 0;
    if (this.rest < 1 || this.way.length < 4) return;
    this.rest = 0;
    const back: number[] = [];
    for (let i = this.way.length - 2; i >= 0; i -= 2) back.push(this.way[i]!, this.way[i + 1]!);
    this.way = new Float32Array(back);
    lope.ints(this.corner, 1)[0] = 0;
  }

  cast(): Cast {
    const { lope } = this.host;
    const floats = this.joints * STUDIO_JOINT_FLOATS;
    const at = this.poses.room(4 * floats) as Pointer<"float">;
    lope.c.studio_gait_pose(this.gait, this.rings, at);
    const poses = lope.floats(at, floats);
    const floor = lope.c.studio_terrain_below(this.terrain, poses[4]!, poses[5]!, poses[6]!);
    return {
      skeleton: this.skeleton, count: 1, watched: 0, poses, contacts: lope.c.studio_gait_contacts(this.gait),
      floor: Number.isFinite(floor) ? floor : poses[5]! - 0.9,
    };
  }

  /** The sample that counts most of those that are blended. */
  source(): Moment {
    const { lope } = this.host;
    const at = this.scratch.room(64);
    const clip = lope.c.studio_gait_sample(this.gait, at as Pointer<"double">);
    return { clip, time: lope.doubles(at, 1)[0]! };
  }

  draw(live: boolean): void {
    const { lope } = this.host;
    this.shape();
    const at = this.scratch.room(4 * STUDIO_GAIT_FLOATS) as Pointer<"float">;
    lope.c.studio_gait_state(this.gait, this.rings, at);
    const [standing, refused, strikes, weights, ik, , x, y, z] = lope.floats(at, STUDIO_GAIT_FLOATS) as unknown as number[];
    this.spheres.draw(this.gait, this.rings, this.terrain, standing ? null : [x!, y!, z!], live && this.show.get());
    this.figures.lit.set(this.spheres.count ? `${this.spheres.lit} of ${this.spheres.count}` : "–");
    this.figures.weights.set(strikes ? `${(100 * weights!).toFixed(1)} cm` : "–");
    this.figures.ik.set(strikes ? `${(1000 * ik!).toFixed(1)} mm` : "–");
    if (refused && !this.wasRefused) this.host.say("No place for the next foot that way");
    this.wasRefused = !!refused;
  }

  /** The brush works as long as it is held. */
  private shape(): void {
    const { brush } = this;
    this.ring.visible = brush !== null;
    if (!brush) return;
    const now = performance.now();
    const height = brush.up * SPEED * Math.min(0.1, (now - brush.last) / 1000);
    brush.last = now;
    if (height !== 0 && !this.earth.raise([brush.x, brush.z, this.radius.get(), height])) this.host.say("That is as much as one can undo: press R to begin anew");
    this.view_.refresh(this.terrain);
    const y = this.host.lope.c.studio_terrain_below(this.terrain, brush.x, TOP, brush.z);
    this.ring.position.set(brush.x, Number.isFinite(y) ? y : 0, brush.z);
    this.ring.scale.setScalar(this.radius.get());
  }

  /** Where a pointer meets this ground, and the height just above: floors may lie above each other. */
  private meet(spot: Spot): readonly [number, number, number] | null {
    if (!spot.ray) return [spot.x, spot.z, TOP];
    const { lope } = this.host;
    const { origin, direction } = spot.ray;
    const to = origin.clone().addScaledVector(direction, 300);
    const at = this.scratch.room(64) as Pointer<"float">;
    if (!lope.c.studio_terrain_ray(this.terrain, origin.x, origin.y, origin.z, to.x, to.y, to.z, at)) return null;
    const [x, y, z] = lope.floats(at, 3) as unknown as [number, number, number];
    return [x, z, y + 0.1];
  }

  grab(spot: Spot): boolean {
    if (this.tool.get() === "walk") return false;
    const place = this.meet(spot);
    if (!place) return false;
    const up = (this.tool.get() === "raise" ? 1 : -1) * (spot.shift ? -1 : 1);
    this.brush = { x: place[0], z: place[1], up, last: performance.now() };
    return true;
  }

  drag(spot: Spot): void {
    const place = this.meet(spot);
    if (this.brush && place) Object.assign(this.brush, { x: place[0], z: place[1] });
  }

  drop(): void {
    this.brush = null;
    this.host.say("The ground is changed");
    this.host.changed();
  }

  click(spot: Spot): void {
    const place = this.meet(spot);
    if (!place || this.tool.get() !== "walk") return;
    this.go([place[0], place[1]], place[2]);
    this.host.say("On its way");
    this.host.changed();
  }

  private go(place: readonly [number, number] | null, from = TOP): void {
    this.target = place;
    this.taken = false;
    this.goal.object.visible = place !== null;
    if (!place) return;
    const y = this.host.lope.c.studio_terrain_below(this.terrain, place[0], from, place[1]);
    this.goal.object.position.set(place[0], Number.isFinite(y) ? y : 0, place[1]);
  }

  key(key: string, down: boolean): boolean {
    const tools: Record<string, string> = { "1": "walk", "2": "raise", "3": "lower" };
    if (down && key in tools) {
      this.tool.set(tools[key]!);
      return true;
    }
    // With a brush in hand, arrows move the cursor.
    if (down && this.tool.get() !== "walk" && key.startsWith("Arrow")) return false;
    return this.keysDown.key(key, down);
  }

  view(): void {
    const { lope, stage } = this.host;
    const at = this.scratch.room(64) as Pointer<"float">;
    lope.c.studio_terrain_bounds(this.terrain, at);
    const [x, , z, X, , Z] = lope.floats(at, 6) as unknown as number[];
    stage.frame(x!, z!, X!, Z!);
  }

  state(): State {
    return { dabs: this.earth.dabs, target: this.target, run: this.run.get(), stride: this.stride.get() };
  }

  restore(value: unknown): void {
    const state = value as Partial<State>;
    this.earth.set(readDabs(state.dabs));
    this.view_.refresh(this.terrain);
    this.run.set(state.run === true);
    this.stride.set(Math.min(0.9, Math.max(0.2, Number(state.stride) || 0.6)));
    const target = state.target;
    if (Array.isArray(target) && target.length === 2 && target.every(Number.isFinite)) this.go([target[0], target[1]]);
    else if (this.target) this.go(null);
  }

  sceneFile(): { name: string; text: string } {
    return groundFile(this.host.lope, this.text, this.terrain, this.earth.dabs.length > 0);
  }

  dispose(): void {
    const { c } = this.host.lope;
    removeEventListener("blur", this.released);
    const { onColours } = this.host.stage;
    onColours.splice(onColours.indexOf(this.recoloured), 1);
    c.studio_gait_destroy(this.gait);
    c.studio_ground_destroy(this.ground);
    c.studio_free(this.corner);
    this.poses.free();
    this.scratch.free();
    this.view_.free();
    this.spheres.free();
  }
}
