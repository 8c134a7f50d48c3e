// SPDX-License-Identifier: MIT
// The grasp planner under the mouse: a wall to draw on, a plan that is performed, scrubbed and taken back.
import { LOPE_PLANNER_CONTACTS, LOPE_PLANNER_FLIGHT, LOPE_PLANNER_THESIS, STUDIO_JOINT_FLOATS, type Pointer } from "../../lope/bindings";
import { Background } from "../../lope/background";
import { Buffer, LopeError } from "../../lope/lope";
import { download, el } from "../../ui/dom";
import type { Field } from "../../ui/panel";
import type { Cast, LiveScene, SceneHost, Spot } from "../scene";
import { type ClimbFile, climbText, type HoldKind, type Item, itemAt, looksLikeClimb, moved, type Point, removed, siteAt, withBox, withHold, withPose, withVia } from "./file";
import { newsOf, type Plan, type SolveRequest, stepAt } from "./plan";
import { MODES, PoseEditor } from "./posture";
import { ClimbView } from "./view";

interface State {
  file: ClimbFile;
  seed: number;
}

const RATE = 60;
const REST = 1.5; // seconds at the end before it begins anew

export class GraspScene implements LiveScene {
  private plan!: Plan;
  private frame = 0;
  private rest = 0;
  private seed = 1;
  private stale = false; // the plan is of another scene
  private held: { item: Item; last: Point } | { box: Point } | { handle: number } | null = null;
  private scene = 0 as Pointer<"lope_climb_scene">; // as the library read it last
  private before: ClimbFile | null = null; // of a drag
  private carrying = false;
  private gone = false;
  private readonly solver: Background<SolveRequest, Plan>;
  private readonly view_: ClimbView;
  private readonly buffer: Buffer;
  private readonly joints: number;
  private readonly editor: PoseEditor;
  private readonly tool: Field<string>;
  private readonly kind: Field<string>;
  private readonly planner: Field<string>;
  private readonly auto: Field<boolean>;
  private readonly again: Field<boolean>;
  private readonly scrub: Field<number>;
  private readonly stopButton: HTMLButtonElement;
  private readonly figures: { mode: Field<string>; step: Field<string>; took: Field<string>; left: Field<string> };
  private readonly recoloured = () => this.showFile();
  readonly eye = [1.2, 1.8, 7.6] as const;
  readonly keys = [
    ["Arrows, Enter", "move the cursor over the wall; Enter takes, leaves or adds"],
    ["1 … 6", "tools: move, grasp, box, milestone, remove, pose"],
    ["G", "solve; with Shift another way"],
    ["Backspace", "take the plan back to this moment and solve on another way"],
    ["[ and ]", "one change of grasp back and on"],
  ] as const;

  constructor(private readonly host: SceneHost, private readonly skeleton: Pointer<"lope_skeleton">, private file: ClimbFile) {
    const { lope, panel, group, stage } = host;
    this.joints = lope.c.studio_joint_count(skeleton);
    this.buffer = new Buffer(lope);
    this.solver = new Background(host.assets, "data/rings.lope", () => new Worker(new URL("./worker.ts", import.meta.url), { type: "module" }));
    this.solver.onProgress = (share) => host.say(`Solving… ${Math.round(100 * share)} % of the way`);
    this.view_ = new ClimbView(group, () => stage.colours);
    this.tool = panel.tools("What a click or drag does", [["move", "Move"], ["hold", "+ Grasp"], ["box", "+ Box"], ["via", "+ Milestone"], ["remove", "Remove"], ["pose", "Pose"]], "move", (tool) => this.chooseTool(tool));
    this.kind = panel.select("New grasps are for", [["", "what the surface allows"], ["pendent", "hands"], ["load-bearing", "feet"], ["hybrid", "hands and feet"]], "", () => {});
    this.planner = panel.select("Planner", [[String(LOPE_PLANNER_CONTACTS), "grasps first: fast"], [String(LOPE_PLANNER_THESIS), "as published: random, may take minutes"], [String(LOPE_PLANNER_FLIGHT), "flying: its precursor, holds nothing"]], String(LOPE_PLANNER_CONTACTS), () => {});
    const [, , stop] = panel.buttons(["Solve", () => void this.solve()], ["Another way", () => void this.anotherWay()], ["Stop", () => this.solver.stop()]);
    this.stopButton = stop!;
    this.auto = panel.toggle("Solve after each change", true, () => {});
    this.scrub = panel.slider({
      label: "Plan", min: 0, max: 1, step: 0.001, value: 0, show: (v) => `${((v * this.lastFrame()) / RATE).toFixed(1)} s`,
      input: (v) => this.seek(v * this.lastFrame()),
    });
    panel.buttons(["◀ Grasp", () => this.seekStep(-1)], ["Grasp ▶", () => this.seekStep(1)], ["Backtrack to here", () => void this.backtrack()]);
    this.again = panel.toggle("Again and again", true, () => {});
    this.figures = {
      mode: panel.readout("It"), step: panel.readout("Change of grasp"), took: panel.readout("Planned in"), left: panel.readout("Left to the goal"),
    };
    panel.buttons(["Save plan", () => this.savePlan()], ["Open plan…", () => this.openPlan()]);
    this.editor = new PoseEditor(host, () => this.scene, (site, pose) => {
      this.change(withPose(this.file, site, pose));
      this.settle("Changed: press Solve");
    });
    stage.onColours.push(this.recoloured);
    this.busy(false);
    this.showFile();
  }

  // --- planning

  /** Plans; says what is wrong where that fails. The old plan stays until there is a new one. */
  async solve(keep?: number, saved?: Uint8Array): Promise<void> {
    if (!this.readHolds()) return;
    this.busy(true);
    this.host.say("Solving…");
    try {
      const { file } = this; // it may be changed meanwhile
      const request = { text: climbText(file), name: file.name ?? "scene", planner: Number(this.planner.get()), seed: this.seed, rate: RATE };
      const plan = await this.solver.ask({ ...request, ...(keep !== undefined && { keep }), ...(saved && { saved }) });
      if (this.gone) return;
      this.stale = this.file !== file;
      this.take(plan, keep === undefined ? 0 : plan.wentBack ? plan.kept - 1 : this.frame);
    } catch (problem) {
      if (!this.gone) this.host.say((problem as Error).message);
      if (!this.plan) throw problem;
    } finally {
      if (!this.gone) this.busy(this.solver.busy);
    }
  }

  private take(plan: Plan, frame: number): void {
    this.plan = plan;
    this.frame = Math.min(frame, plan.frames - 1);
    this.rest = 0;
    this.figures.took.set(`${(1000 * plan.seconds).toFixed(0)} ms`);
    this.figures.left.set(plan.complete ? "arrives" : `${plan.left.toFixed(2)} m`);
    this.host.say(newsOf(plan));
    this.host.castChanged();
  }

  private async anotherWay(): Promise<void> {
    this.seed++;
    await this.solve();
    this.host.changed();
  }

  /** Keeps what was done until now and plans on from here, another way. */
  private async backtrack(): Promise<void> {
    if (this.solver.busy) return this.host.say("It still solves: press Stop to take what there is");
    if (this.stale || this.solver.fresh) return this.host.say("The plan is not of this scene any more: press Solve");
    this.seed++;
    await this.solve(Math.floor(this.frame));
  }

  private savePlan(): void {
    download(`${(this.file.name ?? "climb").replace(/\W+/g, "_")}_plan.lope`, this.plan.file, "application/octet-stream");
  }

  /** A plan of this scene that was saved: it is shown, and can be gone on from. */
  private openPlan(): void {
    const input = el("input", { type: "file", accept: ".lope" });
    input.addEventListener("change", async () => {
      const [file] = input.files ?? [];
      if (file) await this.solve(undefined, new Uint8Array(await file.arrayBuffer()));
    });
    input.click();
  }

  private chooseTool(tool: string): void {
    this.tool.set(tool);
    this.editor.show(tool === "pose", this.file);
  }

  private busy(is: boolean): void {
    this.stopButton.disabled = !is;
  }

  // --- time

  private lastFrame(): number {
    return this.plan ? this.plan.frames - 1 : 0;
  }

  private seek(frame: number): void {
    this.frame = Math.min(Math.max(0, frame), this.lastFrame());
    this.rest = 0;
  }

  private seekStep(by: number): void {
    const { steps } = this.plan;
    const at = stepAt(steps, this.frame);
    // Back goes to the beginning of this step first, as players do.
    const back = by < 0 && this.frame > steps[at]! + 5 ? 0 : by;
    this.seek(steps[Math.min(Math.max(0, at + back), steps.length - 1)]!);
  }

  step(dt: number): void {
    const last = this.lastFrame();
    this.frame = Math.min(last, this.frame + dt * this.plan.rate);
    if (this.frame < last) return;
    this.rest += dt;
    if (this.rest > REST && this.again.get()) this.seek(0);
  }

  cast(): Cast {
    const floats = this.joints * STUDIO_JOINT_FLOATS;
    const frame = Math.floor(this.frame);
    const poses = this.plan.poses.subarray(frame * floats, (frame + 1) * floats);
    return { skeleton: this.skeleton, count: 1, watched: 0, poses, contacts: this.plan.contacts[frame]!, floor: poses[5]! - 0.9 };
  }

  draw(live: boolean): void {
    const frame = Math.floor(this.frame);
    this.view_.showHeld(live && !this.stale ? this.plan.held.subarray(4 * frame, 4 * frame + 4) : []);
    this.scrub.set(this.lastFrame() ? this.frame / this.lastFrame() : 0);
    this.figures.mode.set(MODES[this.plan.modes[frame]!] ?? "–");
    this.figures.step.set(`${stepAt(this.plan.steps, frame)} of ${this.plan.steps.length - 1}`);
  }

  // --- drawing

  private showFile(): void {
    this.view_.show(this.file);
    this.readHolds();
  }

  /** Hands the scene to the library's reader; false, with what it says, where it makes no sense. */
  private readHolds(): boolean {
    const { lope } = this.host;
    const { c } = lope;
    const text = climbText(this.file);
    const size = new TextEncoder().encode(text).length;
    const scene = lope.withText(text, (at) => lope.withText(this.file.name ?? "scene", (name) => c.studio_climb_read(at, size, name)));
    if (!scene) {
      this.host.say(lope.lastError());
      return false;
    }
    c.studio_climb_scene_destroy(this.scene);
    this.scene = scene;
    const count = c.studio_climb_holds(scene, 0 as Pointer<"float">, 0);
    const at = this.buffer.room(12 * Math.max(1, count)) as Pointer<"float">;
    c.studio_climb_holds(scene, at, count);
    this.view_.showHolds(lope.floats(at, 3 * count).slice());
    this.editor?.refresh();
    return true;
  }

  private change(file: ClimbFile): void {
    if (file === this.file) return;
    this.file = file;
    this.stale = true;
    this.showFile();
  }

  /** A change is done: remembered, and solved where that is wanted. */
  private settle(news: string): void {
    this.host.changed();
    if (this.auto.get()) void this.solve();
    else this.host.say(news);
  }

  /** Where a pointer meets the plane of the motion; the keyboard's cursor is on it. */
  private meet(spot: Spot): Point | null {
    if (!spot.ray) return [this.view_.cursor.position.x, this.view_.cursor.position.y];
    const { origin, direction } = spot.ray;
    const along = -origin.z / direction.z;
    return along > 0 && Number.isFinite(along) ? [origin.x + along * direction.x, origin.y + along * direction.y] : null;
  }

  grab(spot: Spot): boolean {
    const at = this.meet(spot);
    if (!at) return false;
    this.before = this.file;
    if (this.tool.get() === "box") this.held = { box: at };
    else if (this.tool.get() === "pose") {
      const handle = this.editor.handleAt(...at);
      this.held = handle === null ? null : { handle };
    } else {
      const item = this.tool.get() === "move" ? itemAt(this.file, ...at) : null;
      this.held = item && { item, last: at };
    }
    return this.held !== null;
  }

  drag(spot: Spot): void {
    const at = this.meet(spot);
    if (!at || !this.held) return;
    if ("handle" in this.held) return this.editor.drag(this.held.handle, at, (x, y) => this.view_.holdNear(x, y, 0.12));
    if ("box" in this.held) return this.change(withBox(this.before!, this.held.box, at));
    // From where it was taken: steps of a drag are smaller than what places are rounded to.
    this.change(moved(this.before!, this.held.item, at[0] - this.held.last[0], at[1] - this.held.last[1]));
  }

  drop(spot: Spot): void {
    this.drag(spot);
    this.held = null;
    if (this.file !== this.before) this.settle("Changed: press Solve");
  }

  click(spot: Spot): void {
    const at = this.meet(spot);
    if (!at) return;
    const tool = this.tool.get();
    if (tool === "hold") this.change(withHold(this.file, ...at, (this.kind.get() || undefined) as HoldKind | undefined));
    else if (tool === "via") this.change(withVia(this.file, ...at));
    else if (tool === "remove") {
      const item = itemAt(this.file, ...at);
      if (!item || item.kind === "start" || item.kind === "goal") return this.host.say("There is nothing here to remove");
      this.change(removed(this.file, item));
    } else return;
    this.settle("Changed: press Solve");
  }

  // --- keys

  key(key: string, down: boolean): boolean {
    if (!down) return false;
    const steps: Record<string, Point> = { ArrowLeft: [-0.1, 0], ArrowRight: [0.1, 0], ArrowUp: [0, 0.1], ArrowDown: [0, -0.1] };
    const tools = ["move", "hold", "box", "via", "remove", "pose"];
    if (steps[key]) this.moveCursor(...steps[key]);
    else if (key === "Enter") this.enter();
    else if (tools[Number(key) - 1]) this.chooseTool(tools[Number(key) - 1]!);
    else if (key === "g") void this.solve();
    else if (key === "G") void this.anotherWay();
    else if (key === "Backspace") void this.backtrack();
    else if (key === "[" || key === "]") this.seekStep(key === "[" ? -1 : 1);
    else return false;
    return true;
  }

  private moveCursor(dx: number, dy: number): void {
    const { cursor } = this.view_;
    if (!cursor.visible) {
      cursor.visible = true;
      cursor.position.set(...siteAt(this.file.start), 0);
    }
    cursor.position.x += dx;
    cursor.position.y += dy;
    if (this.carrying) this.drag(this.cursorSpot());
  }

  private cursorSpot(): Spot {
    return { x: this.view_.cursor.position.x, z: 0, ray: null, shift: false };
  }

  private enter(): void {
    if (!this.view_.cursor.visible) return this.moveCursor(0, 0);
    const spot = this.cursorSpot();
    if (this.carrying) {
      this.carrying = false;
      this.drop(spot);
    } else if (this.grab(spot)) this.carrying = true;
    else this.click(spot);
  }

  // --- the rest

  view(): void {
    const { controls, camera } = this.host.stage;
    const [low, high] = this.file.bounds;
    controls.target.set((low[0] + high[0]) / 2, (low[1] + high[1]) / 2, 0);
    const reach = Math.max(high[1] - low[1], (high[0] - low[0]) / camera.aspect);
    camera.position.set(controls.target.x, controls.target.y + 0.6, 0.5 + (0.62 * reach) / Math.tan((0.5 * camera.fov * Math.PI) / 180));
  }

  state(): State {
    return { file: this.file, seed: this.seed };
  }

  restore(value: unknown): void {
    const state = value as Partial<State>;
    if (!looksLikeClimb(state.file)) throw new LopeError("the link does not hold a climbing scene");
    this.seed = Math.max(1, Math.round(Number(state.seed) || 1));
    this.change(state.file);
    void this.solve();
  }

  sceneFile(): { name: string; text: string } {
    return { name: `${(this.file.name ?? "climb").replace(/\W+/g, "_")}.json`, text: climbText(this.file) };
  }

  dispose(): void {
    this.gone = true;
    this.solver.end();
    this.editor.dispose();
    this.host.lope.c.studio_climb_scene_destroy(this.scene);
    const { onColours } = this.host.stage;
    onColours.splice(onColours.indexOf(this.recoloured), 1);
    this.buffer.free();
  }
}
