// SPDX-License-Identifier: MIT
// A character walks between two places along a path through free space; both may be dragged while it walks.
import {
  LOPE_FOLLOW_PARTIAL, LOPE_FOLLOW_SEARCHING, STUDIO_WALK_ARRIVED, STUDIO_WALK_STUCK, STUDIO_JOINT_FLOATS, type Pointer,
} from "../../lope/bindings";
import { Background } from "../../lope/background";
import { Buffer } from "../../lope/lope";
import { type Obstacle, type Place, readObstacle, type SceneFile, sceneText } from "../../lope/scenefile";
import type { Field } from "../../ui/panel";
import { Handle } from "../../view/marks";
import { boundsLine } from "../../view/obstacles";
import { ObstacleEditor } from "../obstacles";
import type { Cast, LiveScene, SceneHost, Moment, Sources, Spot } from "../scene";
import { clipSources } from "../sources";
import { compareCard } from "./compare";
import type { Comparison, Question } from "./comparison";
import { Follow } from "./follow";
import { MapsView } from "./view";

/** Clearances of paths, the first one first: wider turns are easier to walk. */
const CLEARANCES = [0.5, 0.7, 0.95, 0.35];
const REST = 1.2; // seconds at the end of a walk
const RIVALS = [["0", "A*"], ["1", "A* in the corridor"], ["2", "A* in the corridor, pruned"]] as const;
const RIVAL_NODES = 60000;

interface State {
  readonly start: Place;
  readonly goal: Place;
  readonly obstacles: readonly Obstacle[];
  readonly work: number;
}

const middle = ([a, b]: readonly [Place, Place]): Place => [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2];

export class MapsScene implements LiveScene {
  private follow: Follow;
  readonly sources: Sources;
  private readonly skeleton: Pointer<"lope_skeleton">;
  private readonly floats: number;
  private readonly poses: Buffer;
  private readonly start: Handle;
  private readonly goal: Handle;
  private readonly view_: MapsView;
  private readonly editor: ObstacleEditor;
  private readonly work: Field<number>;
  private readonly rival: Field<string>;
  private readonly stopButton: HTMLButtonElement;
  private readonly comparing: Background<Question, Comparison>;
  private readonly figures: Record<"search" | "asked" | "ahead" | "off", Field<string>>;
  private held: Handle | null = null;
  private wayBack = false; // it walks from goal to start
  private attempt = 0; // of CLEARANCES
  private rest = 0;
  private contacts = 0;
  private posed = false;
  private begun = false;

  constructor(private readonly host: SceneHost, private readonly maps: Pointer<"lope_maps">, private readonly file: SceneFile) {
    const { lope, panel, group, stage } = host;
    const set = lope.c.studio_maps_set(maps);
    this.sources = clipSources(host.lope, set);
    this.skeleton = lope.c.studio_set_skeleton(set);
    this.floats = lope.c.studio_joint_count(this.skeleton) * STUDIO_JOINT_FLOATS;
    this.poses = new Buffer(lope);
    this.start = new Handle(stage.colours.reach, 0.28, 0.5);
    this.goal = new Handle(stage.colours.goal);
    const flow = file.flows[0];
    this.start.put(...middle(file.areas[flow?.from ?? ""] ?? file.bounds));
    this.goal.put(...middle(file.areas[flow?.to ?? ""] ?? file.bounds));
    group.add(this.start.object, this.goal.object, boundsLine(...file.bounds, stage.colours.line));
    this.view_ = new MapsView(host);
    this.editor = new ObstacleEditor(host, { clickLabel: "Goal", click: (spot) => this.clicked(spot), changed: () => this.obstaclesChanged() });
    this.work = panel.slider({
      label: "Search budget a frame", min: 1, max: 2000, logarithmic: true, value: 200,
      show: (n) => `${n.toLocaleString("en")} walks`, change: () => (this.restart(), host.changed()),
    });
    const [, , stop] = panel.buttons(["Walk again", () => this.restart()], ["Compare with A*", () => void this.compare()], ["Stop", () => this.comparing.end()]);
    this.stopButton = stop!;
    this.stopButton.disabled = true;
    this.rival = panel.select("Compare with", RIVALS, "0", () => void (host.card.childElementCount && this.compare()));
    this.comparing = new Background(host.assets, "data/maps.lope", () => new Worker(new URL("./worker.ts", import.meta.url), { type: "module" }));
    this.figures = {
      search: panel.readout("Search"), asked: panel.readout("Maps asked · tried", "Times that a motion map was asked; walks of maps that were placed and checked"),
      ahead: panel.readout("Steps ahead", "Found but not yet played"), off: panel.readout("Walk · path"),
    };
    this.editor.set(file.obstacles);
    this.follow = this.make();
    this.replan(true);
  }

  private make(): Follow {
    const follow = new Follow(this.host.lope, this.maps, this.file.bounds, this.work.get());
    follow.setObstacles(this.editor.obstacles);
    return follow;
  }

  private restart(): void {
    this.follow.free();
    this.follow = this.make();
    this.wayBack = false;
    this.attempt = 0;
    this.replan(true);
  }

  private place(handle: Handle): Place {
    return [handle.x, handle.z];
  }

  /** A path to where it is going: from the start, or from where it will be next. */
  private replan(anew: boolean): void {
    const from = anew || !this.begun ? this.place(this.wayBack ? this.goal : this.start) : this.follow.end();
    const to = this.place(this.wayBack ? this.start : this.goal);
    const why = this.follow.plan(from, to, CLEARANCES[this.attempt]!);
    this.view_.setPath(why ? new Float32Array(0) : this.follow.points(), this.follow.portals());
    this.view_.setTriangles(this.follow.triangles());
    if (why) {
      if (this.attempt === 0 && /too near/.test(why)) return this.tryNext(anew);
      this.figures.search.set("no path");
      this.host.say(`No path: ${why}`);
      return;
    }
    this.rest = 0;
    if (!anew && this.begun) return void this.follow.again();
    this.begun = this.follow.begin();
    for (let i = 0; i < 400 && this.follow.ahead === 0; i++) this.follow.step(0); // until it stands where it begins
    this.posed = false;
    this.host.castChanged();
  }

  private tryNext(anew: boolean): void {
    if (this.attempt + 1 >= CLEARANCES.length) return;
    this.attempt++;
    this.replan(anew);
  }

  private obstaclesChanged(): void {
    this.follow.setObstacles(this.editor.obstacles);
    this.attempt = 0;
    this.replan(false);
  }

  private clicked(spot: Spot): void {
    this.goal.put(spot.x, spot.z);
    this.wayBack = false;
    this.attempt = 0;
    this.replan(false);
    this.host.changed();
  }

  /** From its side: the way ahead is in view. */
  readonly eye = [5, 3.3, -4.4] as const;

  step(dt: number): void {
    this.follow.step(dt);
    this.posed = false;
    const { state, searchState } = this.follow;
    if (searchState === LOPE_FOLLOW_PARTIAL && this.attempt + 1 < CLEARANCES.length) {
      this.tryNext(false);
      if (this.attempt + 1 === CLEARANCES.length) this.host.say("No walk fits all the way: it goes as far as it can");
    }
    if (state !== STUDIO_WALK_ARRIVED && state !== STUDIO_WALK_STUCK) return;
    this.rest += dt;
    if (this.rest < REST || this.held) return;
    this.wayBack = !this.wayBack;
    this.attempt = 0;
    this.replan(false);
  }

  cast(): Cast {
    const { lope } = this.host;
    const at = this.poses.room(4 * this.floats);
    if (!this.posed) {
      this.contacts = this.follow.pose(at as Pointer<"float">);
      this.posed = true;
    }
    return { skeleton: this.skeleton, count: 1, watched: 0, contacts: this.contacts, poses: lope.floats(at, this.floats) };
  }

  draw(live: boolean): void {
    this.view_.draw(this.follow, live);
    const report = this.follow.report();
    const searching = this.follow.searchState === LOPE_FOLLOW_SEARCHING;
    if (this.figures.search.get() !== "no path" || searching)
      this.figures.search.set(searching ? "searching" : this.follow.searchState === LOPE_FOLLOW_PARTIAL ? "partial" : "found");
    this.figures.asked.set(`${report.maps} · ${report.walks}`);
    this.figures.ahead.set(String(this.follow.ahead));
    this.figures.off.set(`${report.length.toFixed(1)} · ${report.pathLength.toFixed(1)} m`);
  }

  /** Beside the page: the character walks on meanwhile. */
  private async compare(): Promise<void> {
    const { card } = this.host;
    const kind = Number(this.rival.get()), name = RIVALS[kind]![1];
    const plan = { bounds: this.file.bounds, obstacles: this.editor.obstacles };
    this.host.say("Searching with and without maps…");
    this.stopButton.disabled = false;
    try {
      const { path, maps, rival } = await this.comparing.ask({
        ...plan, from: this.place(this.start), to: this.place(this.goal), clearances: [CLEARANCES[0]!, CLEARANCES[3]!], rival: kind, nodes: RIVAL_NODES,
      });
      if (!this.alive) return;
      card.replaceChildren(compareCard({ ...plan, path }, maps, rival, name, () => card.replaceChildren()));
      this.host.say(`Motion maps ${maps.milliseconds.toFixed(2)} ms, ${name} ${rival.milliseconds.toFixed(1)} ms`);
    } catch (problem) {
      if (this.alive) this.host.say((problem as Error).message);
    } finally {
      this.stopButton.disabled = !this.comparing.busy;
    }
  }

  private alive = true;

  source(): Moment {
    return this.follow.clip();
  }

  grab(spot: Spot): boolean {
    this.held = [this.goal, this.start].find((h) => h.holds(spot.x, spot.z, 0.1)) ?? null;
    return this.held !== null || this.editor.grab(spot);
  }

  drag(spot: Spot): void {
    if (!this.held) return this.editor.drag(spot);
    if (!Number.isFinite(spot.x)) return;
    const [low, high] = this.file.bounds;
    const keep = (v: number, a: number, b: number) => Math.min(b - 0.4, Math.max(a + 0.4, v));
    this.held.put(keep(spot.x, low[0], high[0]), keep(spot.z, low[1], high[1]));
    this.attempt = 0;
    const anew = this.held === this.start;
    if (anew) this.wayBack = false;
    this.replan(anew);
  }

  drop(spot: Spot): void {
    if (!this.held) return this.editor.drop(spot);
    this.drag(spot);
    this.held = null;
    this.host.changed();
  }

  click(spot: Spot): void {
    this.editor.click(spot);
  }

  view(): void {
    this.host.stage.frame(...this.file.bounds[0], ...this.file.bounds[1]);
  }

  state(): State {
    return { start: this.place(this.start), goal: this.place(this.goal), obstacles: this.editor.obstacles, work: this.work.get() };
  }

  restore(value: unknown): void {
    const state = value as Partial<State>;
    const isPlace = (p: unknown): p is Place => Array.isArray(p) && p.length === 2 && p.every(Number.isFinite);
    const before = this.place(this.start);
    if (isPlace(state.start)) this.start.put(...state.start);
    if (isPlace(state.goal)) this.goal.put(...state.goal);
    this.editor.set((state.obstacles ?? []).map((o, i) => readObstacle(o, `obstacle ${i + 1}`)));
    const work = Math.min(2000, Math.max(1, Math.round(Number(state.work) || 200)));
    const moved = before.some((v, i) => v !== this.place(this.start)[i]) || work !== this.work.get();
    this.work.set(work);
    if (moved) this.restart();
    else this.obstaclesChanged();
  }

  sceneFile(): { name: string; text: string } {
    const around = ([x, z]: Place): readonly [Place, Place] => [[x - 0.2, z - 0.2], [x + 0.2, z + 0.2]];
    const scene: SceneFile = {
      ...this.file, obstacles: this.editor.obstacles, areas: { start: around(this.place(this.start)), goal: around(this.place(this.goal)) },
      flows: [{ from: "start", to: "goal", stop: true }],
    };
    return { name: `${this.file.name.replace(/\W+/g, "_")}.json`, text: sceneText(scene) };
  }

  dispose(): void {
    this.alive = false;
    this.comparing.end();
    this.follow.free();
    this.poses.free();
  }
}
