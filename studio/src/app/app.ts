// SPDX-License-Identifier: MIT
// The page: opens scenes, lets time pass, shows and records what happens.
import * as THREE from "three";
import { STUDIO_JOINT_FLOATS } from "../lope/bindings";
import { Assets } from "../lope/assets";
import { type Lope, LopeError } from "../lope/lope";
import { scenes } from "../scenes";
import type { Cast, LiveScene, SceneEntry, SceneHost } from "../scenes/scene";
import { byId, el } from "../ui/dom";
import { Panel } from "../ui/panel";
import { Avatar } from "../view/avatar";
import { BodyShapes } from "../view/bodies";
import { crowdColour } from "../view/colours";
import { disposeTree } from "../view/marks";
import { People } from "../view/people";
import { Stage } from "../view/stage";
import { CrowdTape } from "./crowdtape";
import { exportAs, exportMenu } from "./exports";
import { Files, guard } from "./files";
import { Ghost } from "./ghost";
import { type FilmSource } from "./grading";
import { showHelp, showProblem } from "./help";
import { listenForKeys } from "./keys";
import { readLink } from "./link";
import { Memory } from "./memory";
import { MotionPanel } from "./motionpanel";
import { StagePointer } from "./pointer";
import { Quality } from "./quality";
import { Recorder } from "./recorder";
import { Theme } from "./theme";
import { Timeline } from "./timeline";

/** Steps a second unless a scene says otherwise; scenes move in even steps, so that a seed tells the whole story. */
const RATE = 60;
const MOST_STEPS = 15; // in one picture, and milliseconds that they may take
const MOST_TIME = 14;
const LARGE_PARTS = 10; // of a body that is far away

export class App {
  /** `?quality=4` begins with as little detail as the page goes down to by itself, 5 with even less: for machines that
   * draw in software. */
  private readonly firstQuality = Number(new URLSearchParams(location.search).get("quality")) || 0;
  private readonly stage = new Stage(byId<HTMLCanvasElement>("stage"), this.firstQuality < 3);
  private readonly people = new People(this.stage.scene);
  private readonly recorder = new Recorder();
  private readonly tape = new CrowdTape();
  private readonly timeline = new Timeline(this.recorder, () => this.stepOnce());
  private readonly memory = new Memory({
    sceneId: () => this.entry.id, state: () => this.live?.state(), restore: (state) => this.live?.restore(state),
    open: (scene, state) => void this.open(scene, state), say: (text) => this.say(text),
  });
  private readonly quality = new Quality((level) => this.setQuality(level), 4, this.firstQuality);
  private readonly ghost: Ghost;
  private readonly panel = new Panel(byId("controls"));
  private readonly motion: MotionPanel;
  private readonly theme: Theme;
  private readonly pointer: StagePointer;
  private readonly assets: Assets;
  private readonly files: Files;
  private shapes: BodyShapes | null = null;
  private largeShapes: BodyShapes | null = null;
  private avatar: Avatar | null = null;
  private entry: SceneEntry = scenes[0]!;
  private live: LiveScene | null = null;
  private group = new THREE.Group();
  private opening = 0;
  private time = 0;
  private last = 0;
  private follow = true;
  private readonly reducedMotion = matchMedia("(prefers-reduced-motion: reduce)");
  /** Milliseconds of the last pictures: stepping, showing, all; and the share of the time that should have passed. */
  readonly cost = { step: 0, show: 0, frame: 0, pace: 1 };

  constructor(readonly lope: Lope) {
    this.assets = new Assets(lope, (name, share) => this.loading(`Loading ${name.replace(/^.*\//, "")} ${share ? `${Math.round(100 * share)} %` : ""}`));
    this.files = new Files({ lope, assets: this.assets, entry: () => this.entry, live: () => this.live, open: (id) => this.open(id), avatar: (name, bytes) => this.takeAvatar(name, bytes), say: (text) => this.say(text) });
    this.ghost = new Ghost(lope, this.stage);
    this.theme = new Theme((dark) => this.stage.setDark(dark));
    this.motion = new MotionPanel(new Panel(byId("motion")), {
      lope, recorder: this.recorder,
      followChanged: (on) => (this.follow = on),
    });
    this.pointer = new StagePointer(this.stage, () => {
      if (this.timeline.clock.live) return this.live;
      this.say("This is the past: press Now to go on and change things");
      return null;
    });
    this.stage.onColours.push(() => this.paint());
    new ResizeObserver(() => this.stage.resize()).observe(this.stage.canvas);
    this.stage.resize();
    this.wire();
  }

  private wire(): void {
    const picker = byId<HTMLSelectElement>("scene");
    for (const system of new Set(scenes.map((s) => s.system)))
      picker.append(el("optgroup", { label: system }, ...scenes.filter((s) => s.system === system).map((s) => el("option", { value: s.id }, s.title))));
    picker.addEventListener("change", () => void this.open(picker.value));
    byId("theme").addEventListener("click", () => this.theme.toggle());
    byId("help").addEventListener("click", () => showHelp(this.live?.keys ?? []));
    byId("fold").addEventListener("click", () => {
      const folded = byId("side").classList.toggle("folded");
      byId("fold").setAttribute("aria-expanded", String(!folded));
    });
    document.querySelector(".skip")?.addEventListener("click", (event) => (event.preventDefault(), this.stage.canvas.focus()));
    exportMenu((kind) => void guard(() => kind === "save" ? this.files.saveScene() : exportAs(kind, {
      lope: this.lope, stage: this.stage, dark: this.theme.dark,
      film: () => this.film(), scene: () => this.live, sceneId: () => this.entry.id,
    })));
    listenForKeys({
      canvas: this.stage.canvas, actions: this.actions(),
      scene: () => (this.timeline.clock.live ? this.live : null),
      release: (key) => void this.live?.key?.(key, false),
      cursor: (event) => this.pointer.key(event), undo: () => this.memory.undo(), redo: () => this.memory.redo(),
    });
  }

  private actions(): Record<string, () => void> {
    const go = (by: number) => void this.open(scenes[(scenes.indexOf(this.entry) + by + scenes.length) % scenes.length]!.id);
    return {
      " ": () => this.timeline.toggle(),
      ",": () => this.timeline.step(-1),
      ".": () => this.timeline.step(1),
      "<": () => this.timeline.changeSpeed(-1),
      ">": () => this.timeline.changeSpeed(1),
      End: () => this.timeline.goLive(),
      f: () => this.motion.toggleFollow(),
      v: () => this.live?.view?.(),
      o: () => byId("open-file").click(),
      b: () => byId("build").click(),
      r: () => void this.open(this.entry.id),
      l: () => void this.memory.share(),
      t: () => this.theme.toggle(),
      "?": () => showHelp(this.live?.keys ?? []),
      PageUp: () => go(-1),
      PageDown: () => go(1),
    };
  }

  async start(): Promise<void> {
    if (innerWidth <= 700) byId("fold").click();
    const link = readLink(location.hash);
    await this.open(link?.scene ?? scenes[0]!.id, link?.state);
    requestAnimationFrame((now) => this.picture(now));
    await this.files.findWorkshop();
  }

  /** Opens a scene; the one before stays until the new one is there, and where it cannot be opened: false. */
  async open(id: string, state?: unknown): Promise<boolean> {
    const entry = scenes.find((s) => s.id === id) ?? scenes[0]!;
    const turn = ++this.opening;
    this.showEntry(entry);
    byId("loading").hidden = false;
    const group = new THREE.Group();
    const controls = el("div"), card = el("div");
    try {
      const live = await entry.open(this.host(group, new Panel(controls), card));
      if (turn !== this.opening) {
        live.dispose(); // another one was chosen meanwhile
        return false;
      }
      this.enter(entry, live, group, state);
      this.panel.root.replaceChildren(controls);
      byId("card").replaceChildren(card);
      return true;
    } catch (problem) {
      if (turn !== this.opening) return false;
      this.showEntry(this.entry);
      showProblem((problem as Error).message);
      return false;
    } finally {
      if (turn === this.opening) byId("loading").hidden = true;
    }
  }

  private showEntry(entry: SceneEntry): void {
    byId<HTMLSelectElement>("scene").value = entry.id;
    byId("hint").textContent = entry.hint;
  }

  private enter(entry: SceneEntry, live: LiveScene, group: THREE.Group, state: unknown): void {
    this.close();
    this.entry = entry;
    this.live = live;
    this.group = group;
    this.stage.scene.add(group);
    this.stage.showGround(!live.ownGround);
    this.say("");
    try {
      if (state !== undefined) live.restore(state);
    } catch (problem) {
      showProblem(`The link does not fit this scene: ${(problem as Error).message}`);
    }
    this.begin();
    this.memory.begin();
    this.look();
    document.body.dataset.scene = entry.id;
  }

  private host(group: THREE.Group, panel: Panel, card: HTMLElement): SceneHost {
    return {
      lope: this.lope, assets: this.assets, stage: this.stage, group, panel, card,
      reducedMotion: this.reducedMotion.matches,
      say: (text) => this.say(text),
      // A scene that is still being opened is not on the stage yet.
      changed: () => this.group === group && this.changed(),
      castChanged: () => this.group === group && this.begin(),
    };
  }

  private close(): void {
    this.live?.dispose();
    this.live = null;
    disposeTree(this.group);
  }

  /** A character of a file takes the watched body's place, in this scene and in all that follow. */
  private async takeAvatar(name: string, bytes: Uint8Array): Promise<boolean> {
    const avatar = await Avatar.read(this.lope, name, bytes);
    if (!avatar) return false;
    if (this.shapes && !avatar.follow(this.shapes.skeleton)) {
      avatar.dispose();
      throw new LopeError(`${name}: ${this.lope.lastError()}`);
    }
    this.avatar?.dispose();
    this.avatar = avatar;
    this.stage.scene.add(avatar.object);
    this.motion.offerOwn();
    this.say(`${name} follows the watched character; 'Your character' under Motion switches it off`);
    return true;
  }

  /** The character to show in the place of the watched body, ready to be posed. */
  private ownBody(): Avatar | null {
    const { avatar } = this;
    if (!avatar) return null;
    avatar.object.visible = this.motion.ownShown && avatar.follow(this.shapes!.skeleton);
    return avatar.object.visible ? avatar : null;
  }

  /** The recording starts with who is there now. */
  private begin(): void {
    const { skeleton } = this.live!.cast();
    if (this.shapes?.skeleton !== skeleton) {
      this.shapes = new BodyShapes(this.lope, skeleton);
      this.largeShapes = new BodyShapes(this.lope, skeleton, LARGE_PARTS);
    }
    this.beginTape();
    this.time = 0;
    this.timeline.clock.now();
    this.timeline.resume();
    this.motion.forget();
    this.record();
    this.paint();
  }

  private beginTape(): void {
    const { c } = this.lope, { skeleton, joints } = this.shapes!;
    const parents = Array.from({ length: joints }, (_, j) => c.studio_joint_parent(skeleton, j));
    const cast = this.live!.cast();
    if (cast.count > 1) this.tape.reset({ parents }, cast.poses, cast.count, this.rate);
    this.recorder.reset(joints * STUDIO_JOINT_FLOATS, cast.count > 1 ? this.tape.seconds * this.rate : undefined);
    this.timeline.keeps(this.recorder.capacity / this.rate);
  }

  private record(): void {
    const source = this.live!.source?.() ?? null;
    const cast: Cast = this.live!.cast(); // last: what comes before may move the module's memory
    const floats = this.shapes!.joints * STUDIO_JOINT_FLOATS;
    this.recorder.add(cast.poses.subarray(cast.watched * floats, (cast.watched + 1) * floats), cast.contacts, this.time, source);
    if (cast.count > 1) this.tape.add(cast.poses, this.time);
  }

  private paint(): void {
    const { colours } = this.stage;
    const watched = this.live?.cast().watched ?? 0;
    this.people.colour((c) => (c === watched ? new THREE.Color(colours.watched) : crowdColour(c, colours.body)));
  }

  private setQuality(level: number): void {
    this.stage.setQuality(level);
    this.people.slow = level >= 3;
    document.body.classList.toggle("plain", level >= 2);
  }

  private get rate(): number {
    return this.live?.rate ?? RATE;
  }

  private stepOnce(): void {
    if (!this.live) return;
    this.live.step(1 / this.rate);
    this.time += 1 / this.rate;
    this.record();
  }

  private picture(now: number): void {
    requestAnimationFrame((next) => this.picture(next));
    if (now - this.last < this.quality.pause) return;
    const seconds = Math.min(0.25, (now - this.last) / 1000);
    this.last = now;
    if (!this.live) return this.stage.render();
    const begun = performance.now(), from = this.time, { clock } = this.timeline;
    this.advance(seconds);
    if (clock.playing && clock.live && seconds > 0) this.cost.pace += 0.05 * ((this.time - from) / (seconds * clock.speed) - this.cost.pace);
    const stepped = performance.now();
    this.show();
    this.stage.render();
    const shown = performance.now();
    this.cost.step += 0.1 * (stepped - begun - this.cost.step);
    this.cost.show += 0.1 * (shown - stepped - this.cost.show);
    this.cost.frame += 0.1 * (1000 * seconds - this.cost.frame);
    if (document.visibilityState === "visible") this.quality.told(1000 * seconds, stepped - begun);
    this.timeline.draw();
    this.motion.draw(now, this.film(), this.cost, this.timeline.clock.live ? this.recorder.count : this.timeline.clock.past + 1);
  }

  private advance(seconds: number): void {
    const { clock } = this.timeline;
    const steps = clock.steps(seconds, this.rate, MOST_STEPS);
    const begun = performance.now();
    for (let i = 0; i < steps && (i === 0 || performance.now() - begun < MOST_TIME); i++) {
      if (clock.live) this.stepOnce();
      else clock.move(1, this.recorder.count);
    }
  }

  private show(): void {
    const own = this.ownBody(); // first: it may move the module's memory
    const cast = this.live!.cast();
    const { clock } = this.timeline;
    const floats = this.shapes!.joints * STUDIO_JOINT_FLOATS;
    const poses = clock.live ? cast.poses : this.past(cast, floats);
    const watched = poses.slice(cast.watched * floats, (cast.watched + 1) * floats);
    this.people.show(this.shapes!, this.largeShapes!, poses, cast.count, this.stage.camera, own ? cast.watched : -1);
    own?.show(watched, cast.floor ?? 0);
    this.live!.draw?.(clock.live);
    this.showSource(cast, watched);
    if (this.follow) this.stage.follow(watched[4]!, 0.9 + (cast.floor ?? 0), watched[6]!, this.reducedMotion.matches ? 1 : 0.12);
  }

  private past(cast: Cast, floats: number): Float32Array {
    const frame = this.recorder.frame(this.timeline.clock.past);
    if (cast.count === 1) return frame.poses;
    const poses = this.tape.at(frame.time);
    poses.set(frame.poses, cast.watched * floats);
    return poses;
  }

  private showSource(cast: Cast, pose: Float32Array): void {
    const { sources } = this.live!;
    const { clock } = this.timeline;
    this.motion.offerSource(!!sources);
    const moment = !sources || !this.motion.sourceShown ? null : clock.live ? (this.live!.source?.() ?? null) : this.recorder.sourceAt(clock.past);
    this.motion.setSource(moment ? sources!.name(moment) : "");
    if (moment) this.ghost.show(this.shapes!, pose, sources!, moment, cast.floor === undefined);
    else this.ghost.hide();
  }

  private film(): FilmSource | null {
    if (!this.live || !this.shapes) return null;
    const cast = this.live.cast();
    return { recorder: this.recorder, skeleton: this.shapes.skeleton, rate: this.rate, name: this.entry.id, flat: cast.floor === undefined };
  }

  private changed(): void {
    if (!this.live) return;
    this.memory.push();
    if (!this.timeline.clock.live) this.timeline.clock.now();
  }

  private look(): void {
    const cast = this.live?.cast();
    if (!cast) return;
    const at = cast.watched * this.shapes!.joints * STUDIO_JOINT_FLOATS;
    const floor = cast.floor ?? 0;
    this.stage.controls.target.set(cast.poses[at + 4]!, 0.9 + floor, cast.poses[at + 6]!);
    const [x, y, z] = this.live?.eye ?? [2.6, 3.1, 5.2];
    this.stage.camera.position.set(cast.poses[at + 4]! + x, y + floor, cast.poses[at + 6]! + z);
    this.live?.draw?.(true);
  }

  private say(text: string): void {
    byId("news").textContent = text;
  }

  private loading(text: string): void {
    byId("loading").textContent = text;
  }


}
