// SPDX-License-Identifier: MIT
// One character sent by hand, among any number that keep the scene alive, all on one mobility map.
import { LOPE_MEMBER_GOING, LOPE_PARTIAL, type Pointer } from "../../lope/bindings";
import { Buffer } from "../../lope/lope";
import { makeScene, type Obstacle, readObstacle, type SceneFile, scaled, sceneText } from "../../lope/scenefile";
import type { Field } from "../../ui/panel";
import { Handle } from "../../view/marks";
import { boundsLine } from "../../view/obstacles";
import { ObstacleEditor } from "../obstacles";
import { Crew, missing, peopleSlider } from "../crew";
import type { Cast, LiveScene, SceneHost, Moment, Sources, Spot } from "../scene";
import { clipSources } from "../sources";
import { ReachView } from "./reach";

interface State {
  count: number;
  likes?: string;
  obstacles: readonly Obstacle[];
  target: readonly [number, number] | null;
}

const TAGS = 8; // that a pose may have

/** How many people a scene's ground is meant to hold; more make it grow. */
const DENSITY = 500 / (42 * 42);

export class MobilityScene implements LiveScene {
  private crowd = 0 as Pointer<"studio_crowd">;
  private scene = 0 as Pointer<"lope_scene">;
  private file: SceneFile;
  private numbers: number[] = []; // of obstacles in the crowd
  private target: readonly [number, number] | null = null;
  private patrol = 0;
  readonly sources: Sources;
  private readonly crew: Crew;
  private readonly scratch: Buffer;
  private readonly goal: Handle;
  private readonly reach: ReachView;
  private readonly editor: ObstacleEditor;
  private readonly count: Field<number>;
  private readonly reachable: Field<boolean>;
  private readonly likes: Field<string>;
  private readonly figures: { left: Field<string>; overlaps: Field<string> };
  private border: ReturnType<typeof boundsLine> | null = null;

  constructor(private readonly host: SceneHost, private readonly map: Pointer<"lope_mobility">, private readonly base: SceneFile, count: number) {
    const { c } = host.lope;
    const set = c.studio_mobility_set(map);
    this.sources = clipSources(host.lope, set);
    this.crew = new Crew(host.lope, c.studio_set_skeleton(set));
    this.scratch = new Buffer(host.lope);
    this.goal = new Handle(host.stage.colours.goal);
    this.reach = new ReachView(host.lope, host.group, host.stage.colours);
    host.group.add(this.goal.object);
    this.file = base;
    this.count = peopleSlider(host.panel, count, 10000, (n) => this.populate(n));
    this.likes = host.panel.select("It likes", this.tastes(), "", () => {
      this.tellLikes();
      host.changed();
    });
    this.reachable = host.panel.toggle("Show where it can get", true, () => {});
    this.editor = new ObstacleEditor(host, {
      click: (spot) => this.goTo(spot.x, spot.z, true),
      clickLabel: "Target",
      changed: () => this.placeObstacles(),
    });
    this.figures = {
      left: host.panel.readout("To the target"),
      overlaps: host.panel.readout("Overlaps", "How often a body reached more than 10 cm into another, per character and minute"),
    };
    this.rebuild(count, base.obstacles);
  }

  /** What it may like, by the tags of the map: a sign and the number of a tag, and what that means. */
  private tastes(): readonly (readonly [string, string])[] {
    const { lope } = this.host;
    const named = Array.from({ length: TAGS }, (_, tag) => [tag, lope.text(lope.c.studio_mobility_tag(this.map, tag))] as const);
    const shown = named.filter(([, name]) => name && name !== "odd" && name !== "stand");
    return [["", "whatever is quickest"], ...shown.map(([tag, name]) => [`+${tag}`, `to ${name}`] as const), ...shown.map(([tag, name]) => [`-${tag}`, `not to ${name}`] as const)];
  }

  private tellLikes(): void {
    const wish = this.likes.get(), bit = wish ? 1 << Number(wish.slice(1)) : 0;
    this.host.lope.c.studio_crowd_like(this.crowd, wish.startsWith("+") ? bit : 0, wish.startsWith("-") ? bit : 0);
  }

  /** Thousands take a moment: says so first. */
  private populate(count: number): void {
    const bring = () => {
      if (!this.alive) return;
      this.rebuild(count, null);
      this.host.changed();
    };
    if (count < 1500) return bring();
    this.host.say(`Bringing in ${count.toLocaleString("en")} people…`);
    setTimeout(bring, 60);
  }

  private alive = true;

  /** Begins anew; null obstacles: those there are, or the scene's own where the ground grows or shrinks. */
  private rebuild(count: number, obstacles: readonly Obstacle[] | null): void {
    const { lope, group, stage } = this.host;
    const { c } = lope;
    const [low, high] = this.base.bounds;
    const room = (high[0] - low[0]) * (high[1] - low[1]) * DENSITY;
    const by = Math.max(1, Math.sqrt(count / Math.max(room, 20)));
    const wasScaled = this.file !== this.base;
    this.file = by > 1 ? scaled(this.base, by) : this.base;
    const kept = obstacles ?? (by > 1 || wasScaled ? this.file.obstacles : this.editor.obstacles);
    this.free();
    this.scene = makeScene(lope, { ...this.file, obstacles: [] });
    this.crowd = lope.need(c.studio_crowd_create(this.map, this.scene, 1));
    this.numbers = [];
    this.editor.set(kept);
    this.placeObstacles();
    const [x, z] = this.freePlace();
    if (c.studio_crowd_spawn(this.crowd, x, z, 0) < 0) throw new Error(lope.lastError());
    this.tellLikes();
    if (count > 1) c.studio_crowd_fill(this.crowd, count - 1, 1);
    this.border?.removeFromParent();
    this.border = boundsLine(...this.file.bounds, stage.colours.line);
    group.add(this.border);
    this.target = null;
    this.patrol = 0;
    this.host.say(missing(c.studio_crowd_count(this.crowd), count));
    this.sendOn();
    this.crew.moved();
    this.host.castChanged();
  }

  /** The middle of the first area, or the nearest place to it that is free. */
  private freePlace(): readonly [number, number] {
    const area = Object.values(this.file.areas)[0] ?? [[0, 0], [0, 0]];
    const [x, z] = [(area[0][0] + area[1][0]) / 2, (area[0][1] + area[1][1]) / 2];
    for (let r = 0; r < 40; r += 0.25)
      for (let a = 0; a < 6.3; a += 0.5)
        if (this.host.lope.c.studio_crowd_is_free(this.crowd, x + r * Math.sin(a), z + r * Math.cos(a), 0.35)) return [x + r * Math.sin(a), z + r * Math.cos(a)];
    return [x, z];
  }

  /** Until a person says where, it walks from area to area. */
  private sendOn(): void {
    const areas = Object.values(this.file.areas);
    const next = areas[++this.patrol % Math.max(1, areas.length)];
    if (next) this.goTo((next[0][0] + next[1][0]) / 2, (next[0][1] + next[1][1]) / 2, false);
  }

  private goTo(x: number, z: number, byHand: boolean): void {
    if (!Number.isFinite(x) || !Number.isFinite(z)) return;
    const { lope } = this.host;
    const status = lope.c.studio_crowd_go(this.crowd, 0, x, z);
    if (status && status !== LOPE_PARTIAL) {
      if (byHand) this.host.say(lope.lastError());
      return;
    }
    this.goal.put(x, z);
    if (!byHand) return;
    this.target = [x, z];
    this.host.say(status === LOPE_PARTIAL ? "Something is in the way there: it goes as near as it can" : "On its way");
    if (!this.dragging) this.host.changed();
  }

  private dragging = false;

  private placeObstacles(): void {
    const { c } = this.host.lope;
    for (const number of this.numbers) if (number >= 0) c.studio_crowd_remove(this.crowd, number);
    this.numbers = this.editor.obstacles.map((o) => {
      if ("box" in o) return c.studio_crowd_add_box(this.crowd, ...o.box.centre, ...o.box.size, ((o.box.degrees ?? 0) * Math.PI) / 180);
      if ("cylinder" in o) return c.studio_crowd_add_cylinder(this.crowd, ...o.cylinder.centre, o.cylinder.radius);
      return this.host.lope.withFloats(o.polygon.flat(), (at) => c.studio_crowd_add_polygon(this.crowd, at, o.polygon.length));
    });
  }

  /** Thousands move in longer steps. */
  get rate(): number {
    return this.count.get() > 2000 ? 30 : 60;
  }

  /** From its side: the way ahead is in view. */
  get eye(): readonly [number, number, number] {
    return this.count.get() > 20 ? [9, 6.5, -10] : [5, 3.3, -4.4];
  }

  step(dt: number): void {
    const { c } = this.host.lope;
    c.studio_crowd_step(this.crowd, dt);
    this.crew.moved();
    if (!this.target && c.studio_crowd_state(this.crowd, 0) !== LOPE_MEMBER_GOING) this.sendOn();
  }

  cast(): Cast {
    const { c } = this.host.lope;
    return this.crew.cast({
      count: c.studio_crowd_count(this.crowd), write: (at) => c.studio_crowd_poses(this.crowd, at),
      contacts: () => c.studio_crowd_contacts(this.crowd, 0),
    });
  }

  draw(live: boolean): void {
    const { c } = this.host.lope;
    this.reach.draw(this.crowd, live && this.reachable.get(), live);
    const at = this.scratch.room(64);
    c.studio_crowd_ground(this.crowd, 0, at);
    const [x, z] = this.host.lope.floats(at, 2);
    this.figures.left.set(`${Math.hypot(x! - this.goal.x, z! - this.goal.z).toFixed(1)} m`);
    c.studio_crowd_counts(this.crowd, at);
    const [seconds, overlaps] = this.host.lope.doubles(at, 2);
    this.figures.overlaps.set(seconds! > 1 ? ((60 * overlaps!) / seconds!).toFixed(2) : "–");
  }

  source(): Moment {
    const { lope } = this.host;
    const at = this.scratch.room(64);
    const clip = lope.c.studio_crowd_clip(this.crowd, 0, at);
    return { clip, time: lope.doubles(at, 1)[0]! };
  }

  grab(spot: Spot): boolean {
    if (this.goal.holds(spot.x, spot.z, 0.1)) return (this.dragging = true);
    return this.editor.grab(spot);
  }

  drag(spot: Spot): void {
    if (this.dragging) this.goTo(spot.x, spot.z, true);
    else this.editor.drag(spot);
  }

  drop(spot: Spot): void {
    if (!this.dragging) return this.editor.drop(spot);
    this.dragging = false;
    this.goTo(spot.x, spot.z, true);
  }

  click(spot: Spot): void {
    this.editor.click(spot);
  }

  view(): void {
    this.host.stage.frame(...this.file.bounds[0], ...this.file.bounds[1]);
  }

  state(): State {
    return { count: this.count.get(), likes: this.likes.get(), obstacles: this.editor.obstacles, target: this.target };
  }

  restore(value: unknown): void {
    const state = value as Partial<State>;
    const count = Math.min(10000, Math.max(1, Math.round(Number(state.count) || 1)));
    const obstacles = (state.obstacles ?? []).map((o, i) => readObstacle(o, `obstacle ${i + 1}`));
    const likes = this.tastes().find(([key]) => key === state.likes)?.[0] ?? "";
    this.likes.set(likes);
    this.tellLikes();
    if (count !== this.count.get()) {
      this.count.set(count);
      this.rebuild(count, obstacles);
    } else {
      this.editor.set(obstacles);
      this.placeObstacles();
    }
    const target = state.target;
    this.target = null;
    if (Array.isArray(target) && target.every(Number.isFinite)) {
      this.target = [target[0]!, target[1]!];
      this.host.lope.c.studio_crowd_go(this.crowd, 0, ...this.target);
      this.goal.put(...this.target);
    } else this.sendOn();
  }

  sceneFile(): { name: string; text: string } {
    const scene = { ...this.file, characters: this.count.get(), obstacles: this.editor.obstacles };
    return { name: `${this.file.name.replace(/\W+/g, "_")}.json`, text: sceneText(scene) };
  }

  private free(): void {
    this.host.lope.c.studio_crowd_destroy(this.crowd);
    this.host.lope.c.studio_scene_destroy(this.scene);
    this.crowd = 0 as Pointer<"studio_crowd">;
    this.scene = 0 as Pointer<"lope_scene">;
  }

  dispose(): void {
    this.alive = false;
    this.free();
    this.crew.free();
    this.scratch.free();
    this.reach.dispose();
  }
}
