// SPDX-License-Identifier: MIT
// One world on a level with things to use: chairs and desks, stairs, ladders and slides, and people that the user sends about.
import { LOPE_PARTIAL, type Pointer } from "../../lope/bindings";
import { Buffer, LopeError } from "../../lope/lope";
import type { Field } from "../../ui/panel";
import { Handle } from "../../view/marks";
import { Crew, missing, peopleSlider } from "../crew";
import type { Cast, LiveScene, Moment, SceneHost, Sources, Spot } from "../scene";
import { clipSources } from "../sources";
import { ThingView } from "./things";

export type Kind = "office" | "playground";

const MOST_PEOPLE = 300;
const STAY = 20; // seconds that one stays where it was sent
const SNAP = 0.25; // metres
const TURN = Math.PI / 4;

/** What can be put down. */
const FURNITURE = ["chair", "desk"] as const;

const SEATS = /^(chair|bench)/, MOVED = /^(chair|bench|desk)/;

/** What was changed by hand: each entry puts a thing somewhere, null takes it away. `unit` says what is new: one of FURNITURE. */
export type Edit = readonly [thing: number, placed: readonly [unit: number, x: number, y: number, z: number, yaw: number] | null];

export interface OfficeState {
  readonly size: number;
  readonly people: number;
  readonly edits: readonly Edit[];
  /** A scene file with floors and things, in the place of a world of that size. */
  readonly world?: string;
}

export function readOfficeState(value: unknown, usual: OfficeState): OfficeState {
  if (typeof value !== "object" || value === null) throw new LopeError("this is no world of things");
  const state = value as Partial<Record<keyof OfficeState, unknown>>;
  const whole = (v: unknown, low: number, high: number, fallback: number) =>
    Number.isFinite(Number(v)) && v !== null && v !== undefined ? Math.min(high, Math.max(low, Math.round(Number(v)))) : fallback;
  const isEdit = (e: unknown): e is Edit =>
    Array.isArray(e) && e.length === 2 && Number.isInteger(e[0]) && e[0] >= 0 &&
    (e[1] === null || (Array.isArray(e[1]) && e[1].length === 5 && e[1].every(Number.isFinite)));
  return {
    size: whole(state.size, 1, 60, usual.size),
    people: whole(state.people, 1, MOST_PEOPLE, usual.people),
    edits: Array.isArray(state.edits) ? state.edits.filter(isEdit) : [],
    ...(typeof state.world === "string" && { world: state.world }),
  };
}

/** The same edits, each thing once, in the state it came to. */
export function merged(edits: readonly Edit[], next: Edit): readonly Edit[] {
  return [...edits.filter(([thing]) => thing !== next[0]), next];
}

/** By number, in which new things were put down. */
const inOrder = (edits: readonly Edit[]): readonly Edit[] => [...edits].sort((a, b) => a[0] - b[0]);

export class OfficeScene implements LiveScene {
  readonly rate = 30;
  readonly keys = [["R", "turn the thing that was put down or moved last"]] as const;
  readonly eye = [6, 7, -9] as const;
  private office = 0 as Pointer<"studio_office">;
  private edits: readonly Edit[] = [];
  private world: string | undefined;
  private things: ThingView | null = null;
  private held: { thing: number; dx: number; dz: number } | null = null;
  private last = -1;
  private stale = true; // figures
  private drawn = 0; // pictures so far
  readonly sources: Sources;
  private readonly crew: Crew;
  private readonly scratch: Buffer;
  private readonly goal: Handle;
  private readonly tool: Field<string>;
  private readonly size: Field<number>;
  private readonly people: Field<number>;
  private readonly figures: { doing: Field<string>; seats: Field<string>; links: Field<string>; unused: Field<string> };

  constructor(private readonly host: SceneHost, private readonly moves: Pointer<"lope_moves">, private readonly kind: Kind, private readonly usual: OfficeState) {
    const { lope, panel, stage, group } = host;
    const { c } = lope;
    const set = c.studio_moves_set(moves);
    this.sources = clipSources(lope, set);
    this.crew = new Crew(lope, c.studio_set_skeleton(set));
    this.scratch = new Buffer(lope);
    this.goal = new Handle(stage.colours.goal);
    this.goal.object.visible = false;
    group.add(this.goal.object);
    this.people = peopleSlider(panel, usual.people, MOST_PEOPLE, () => this.again());
    this.size = panel.slider({
      label: kind === "office" ? "Desks" : "Gyms", min: 1, max: kind === "office" ? 60 : 12, step: 1, value: usual.size, show: String, change: () => {
        this.edits = [];
        this.again();
      },
    });
    const furniture = kind === "office" ? ([["chair", "+ Chair"], ["desk", "+ Desk and chair"]] as const) : [];
    this.tool = panel.tools("What a click does", [["send", "Send or sit"], ["chat", "Chat with"], ...furniture, ["remove", "Remove"]], "send", () => {});
    if (kind === "office") panel.buttons(["Everybody sits down", () => this.everybodySits()], ["Everybody roams", () => this.everybodyRoams()]);
    else panel.buttons(["Everybody roams", () => this.everybodyRoams()]);
    this.figures = {
      doing: panel.readout("The orange one"),
      seats: panel.readout("Seats taken"),
      links: panel.readout("Links", "Ways from floor to floor and onto things that were found in the level"),
      unused: panel.readout("Of no use", "Chairs, ladders and slides that nobody has room to use"),
    };
    this.build(usual);
  }

  private again(): void {
    this.build(this.state());
    this.host.changed();
  }

  private make({ world, size }: OfficeState): Pointer<"studio_office"> {
    const { lope } = this.host, { c } = lope;
    if (world === undefined) return lope.need(lope.withText(this.kind, (kind) => c.studio_office_create(this.moves, kind, size, 1)));
    const length = new TextEncoder().encode(world).length;
    return lope.need(lope.withText(world, (text) => lope.withText("world.json", (name) => c.studio_office_read(this.moves, text, length, name, 1))));
  }

  private build(state: OfficeState): void {
    const { lope, group, stage } = this.host;
    const { c } = lope;
    const sameView = this.office !== 0 && state.size === this.size.get() && state.world === this.world;
    const made = this.make(state); // where it is refused, the old one stays
    this.free();
    this.office = made;
    this.world = state.world;
    this.size.element.hidden = state.world !== undefined;
    this.size.set(state.size);
    this.people.set(state.people);
    this.edits = [];
    for (const edit of inOrder(state.edits)) this.apply(edit);
    this.things = new ThingView(lope, this.office, this.scratch, group, stage.colours.reach);
    const few = missing(c.studio_office_fill(this.office, state.people, 1), state.people);
    if (few) this.host.say(few);
    this.goal.object.visible = false;
    this.stale = true;
    this.crew.moved();
    this.host.castChanged();
    if (!sameView) this.view();
  }

  private isThere(thing: number): boolean {
    const { c } = this.host.lope;
    return thing < c.studio_office_thing_count(this.office) && c.studio_office_thing(this.office, thing, this.scratch.room(32)) !== 0;
  }

  /** Does an edit; false, and nothing changes, where the level refuses it. */
  private apply(edit: Edit): boolean {
    const { lope } = this.host, { c } = lope;
    const [thing, to] = edit, count = c.studio_office_thing_count(this.office);
    const kind = to ? FURNITURE[to[0]] : undefined;
    let refused = false;
    if (!to) {
      if (thing === count) lope.withText(FURNITURE[0], (text) => c.studio_office_add(this.office, text, 0, 0, 0, 0)); // keeps the numbers of those after it
      if (this.isThere(thing)) c.studio_office_remove(this.office, thing);
    } else if (thing < count) refused = c.studio_office_move(this.office, thing, to[1], to[2], to[3], to[4]) !== 0;
    else refused = kind === undefined || thing !== count || lope.withText(kind, (text) => c.studio_office_add(this.office, text, to[1], to[2], to[3], to[4])) < 0;
    if (refused) return false;
    this.edits = merged(this.edits, edit);
    return true;
  }

  private edit(edit: Edit, done: string): boolean {
    if (!this.apply(edit)) {
      this.host.say(this.host.lope.lastError());
      return false;
    }
    this.things!.put(edit[0]);
    this.last = edit[1] ? edit[0] : -1;
    this.stale = true;
    if (done) this.host.say(done);
    return true;
  }

  private survey(): void {
    const { lope } = this.host;
    const at = this.scratch.room(16);
    lope.c.studio_office_survey(this.office, at);
    const [seats, taken, links, unused] = new Int32Array(lope.c.memory.buffer, at, 4);
    this.figures.seats.set(`${taken} of ${seats}`);
    this.figures.links.set(String(links));
    this.figures.unused.set(String(unused));
  }

  private everybodySits(): void {
    const { c } = this.host.lope;
    for (let i = 0; i < c.studio_office_count(this.office); i++) c.studio_office_roam(this.office, i, true);
    this.host.say("Everybody looks for a seat; who finds none walks about");
  }

  private everybodyRoams(): void {
    const { c } = this.host.lope;
    for (let i = 0; i < c.studio_office_count(this.office); i++) c.studio_office_roam(this.office, i, false);
    this.host.say("Everybody goes where it likes");
  }

  /** What one can stand on that a ray meets first, and where. */
  private floorSpot(spot: Spot): readonly [number, number, number] {
    const hit = spot.ray ? this.things!.stand(spot.ray) : null;
    return hit ? [hit.point.x, hit.point.y, hit.point.z] : [spot.x, 0, spot.z];
  }

  private isOf(kinds: RegExp, thing: number): boolean {
    const { lope } = this.host;
    return kinds.test(lope.text(lope.c.studio_office_kind(this.office, thing)));
  }

  /** The thing that a click is about: these kinds also where they show through the floor above, others in front of all. */
  private meant(spot: Spot, through: RegExp): number {
    if (!spot.ray) return this.nearest(spot.x, spot.z);
    const thing = this.things!.hit(spot.ray);
    return thing >= 0 && this.isOf(through, thing) ? thing : this.things!.hit(spot.ray, false);
  }

  private send(spot: Spot): void {
    const { lope } = this.host;
    const thing = this.meant(spot, SEATS);
    if (thing >= 0 && lope.c.studio_office_is_used(this.office, thing)) {
      const { x, y, z } = this.things!.placed(thing)!, owner = lope.c.studio_office_user(this.office, thing);
      if (lope.c.studio_office_use(this.office, 0, thing, STAY)) return this.host.say(lope.lastError());
      this.mark(x, y, z);
      return this.host.say(owner > 0 ? "Somebody sits there: it waits in line" : this.isOf(SEATS, thing) ? "It goes to sit down" : "On its way");
    }
    const [x, y, z] = this.floorSpot(spot);
    if (!Number.isFinite(x) || !Number.isFinite(z)) return;
    const status = lope.c.studio_office_go(this.office, 0, x, y, z, STAY);
    if (status && status !== LOPE_PARTIAL) return this.host.say(lope.lastError());
    this.mark(x, y, z);
    this.host.say(status ? lope.lastError() : "On its way");
  }

  private mark(x: number, y: number, z: number): void {
    this.goal.object.position.set(x, y, z);
    this.goal.object.visible = true;
  }

  private chat(spot: Spot): void {
    const { lope } = this.host;
    const [x, y, z] = this.floorSpot(spot);
    let other = -1, least = 1.5;
    for (let i = 1; i < lope.c.studio_office_count(this.office); i++) {
      const at = this.scratch.room(16);
      lope.c.studio_office_place(this.office, i, at);
      const [px, py, pz] = lope.floats(at, 3);
      const distance = Math.hypot(px! - x, pz! - z) + Math.max(0, Math.abs(py! - y) - 1);
      if (distance < least) [other, least] = [i, distance];
    }
    if (other < 0) return this.host.say("There is nobody here: click somebody's feet");
    this.host.say(lope.c.studio_office_chat(this.office, 0, other, STAY) ? lope.lastError() : "They meet and talk");
  }

  /** The thing nearest to a place on the ground, for the keyboard's cursor. */
  private nearest(x: number, z: number): number {
    let best = -1, least = 0.5;
    for (let thing = 0; thing < this.host.lope.c.studio_office_thing_count(this.office); thing++) {
      const placed = this.host.lope.c.studio_office_is_fixed(this.office, thing) ? null : this.things!.placed(thing);
      const distance = placed ? Math.hypot(placed.x - x, placed.z - z) : Infinity;
      if (distance < least) [best, least] = [thing, distance];
    }
    return best;
  }

  private add(kind: (typeof FURNITURE)[number], x: number, y: number, z: number, yaw: number, done: string): boolean {
    const thing = this.host.lope.c.studio_office_thing_count(this.office);
    return this.edit([thing, [FURNITURE.indexOf(kind), x, y, z, yaw]], done);
  }

  /** What a thing was put down as; -1: it was there. */
  private unitOf(thing: number): number {
    return this.edits.find(([other]) => other === thing)?.[1]?.[0] ?? -1;
  }

  private furnish(spot: Spot, tool: string): void {
    const [sx, y, sz] = this.floorSpot(spot);
    const [x, z] = [Math.round(sx / SNAP) * SNAP, Math.round(sz / SNAP) * SNAP];
    if (!this.add("chair", x, y, z, 0, tool === "desk" ? "" : "A chair")) return;
    if (tool === "desk") {
      const at = this.scratch.room(16);
      const { lope } = this.host;
      if (lope.c.studio_office_desk(this.office, at)) {
        const [dx, dy, dz, yaw] = [...lope.floats(at, 4)] as [number, number, number, number];
        this.add("desk", x + dx, y + dy, z + dz, yaw, "A desk and its chair");
      }
    }
    this.host.changed();
  }

  step(dt: number): void {
    this.host.lope.c.studio_office_step(this.office, dt);
    this.crew.moved();
  }

  cast(): Cast {
    const { c } = this.host.lope;
    return this.crew.cast({
      count: c.studio_office_count(this.office), write: (at) => c.studio_office_poses(this.office, at),
      contacts: () => c.studio_office_contacts(this.office, 0), floor: () => this.height(),
    });
  }

  /** Of the ground below the first one; undefined: 0. */
  private height(): number | undefined {
    const { lope } = this.host;
    const at = this.scratch.room(16);
    lope.c.studio_office_place(this.office, 0, at);
    return lope.floats(at, 2)[1] || undefined;
  }

  source(): Moment | null {
    const { lope } = this.host;
    if (lope.c.studio_office_count(this.office) === 0) return null;
    const at = this.scratch.room(64);
    const clip = lope.c.studio_office_clip(this.office, 0, at);
    return clip < 0 ? null : { clip, time: lope.doubles(at, 1)[0]! };
  }

  draw(): void {
    const { c } = this.host.lope;
    if (c.studio_office_count(this.office) === 0) return;
    this.figures.doing.set(this.host.lope.text(c.studio_office_doing(this.office, 0)));
    if (c.studio_office_roams(this.office, 0)) this.goal.object.visible = false;
    if (this.stale || this.drawn++ % 15 === 0) this.survey();
    this.stale = false;
  }

  grab(spot: Spot): boolean {
    if (this.tool.get() === "remove" || !spot.ray) return false;
    const thing = this.meant(spot, MOVED);
    const placed = thing >= 0 ? this.things!.placed(thing) : null;
    // A press on a seat may become a click that sends somebody there: only a shifted press drags what is used.
    if (!placed || (!spot.shift && this.host.lope.c.studio_office_is_used(this.office, thing))) return false;
    const [x, z] = this.plan(spot, placed.y);
    this.held = { thing, dx: placed.x - x, dz: placed.z - z };
    return true;
  }

  /** Where a ray meets the plane at a height: things are dragged on their own floor. */
  private plan({ x, z, ray }: Spot, height: number): readonly [number, number] {
    const t = ray ? (height - ray.origin.y) / ray.direction.y : NaN;
    return t > 0 ? [ray!.origin.x + t * ray!.direction.x, ray!.origin.z + t * ray!.direction.z] : [x, z];
  }

  drag(spot: Spot): void {
    if (!this.held) return;
    const placed = this.things!.placed(this.held.thing)!;
    const [px, pz] = this.plan(spot, placed.y);
    const x = Math.round((px + this.held.dx) / SNAP) * SNAP, z = Math.round((pz + this.held.dz) / SNAP) * SNAP;
    if (Number.isFinite(x) && Number.isFinite(z) && (x !== placed.x || z !== placed.z)) this.edit([this.held.thing, [this.unitOf(this.held.thing), x, placed.y, z, placed.yaw]], "");
  }

  drop(spot: Spot): void {
    this.drag(spot);
    this.held = null;
    this.host.changed();
  }

  click(spot: Spot): void {
    const tool = this.tool.get();
    if (tool === "send") return this.send(spot);
    if (tool === "chat") return this.chat(spot);
    if (tool !== "remove") return this.furnish(spot, tool);
    const thing = this.meant(spot, MOVED);
    if (thing < 0) return this.host.say("There is nothing here");
    if (this.edit([thing, null], "Removed")) this.host.changed();
  }

  key(key: string, down: boolean): boolean {
    if (!down || key.toLowerCase() !== "r" || this.last < 0) return false;
    const placed = this.things!.placed(this.last);
    if (!placed) return false;
    if (this.edit([this.last, [this.unitOf(this.last), placed.x, placed.y, placed.z, placed.yaw + TURN]], "Turned")) this.host.changed();
    return true;
  }

  view(): void {
    if (this.things) this.host.stage.frame(...this.things.low, ...this.things.high);
  }

  state(): OfficeState {
    return { size: this.size.get(), people: this.people.get(), edits: this.edits, ...(this.world !== undefined && { world: this.world }) };
  }

  /** In place where only things differ: people go on with what they do. */
  restore(value: unknown): void {
    const state = readOfficeState(value, this.usual);
    const same = this.office !== 0 && state.size === this.size.get() && state.people === this.people.get() && state.world === this.world;
    if (!same || !this.editTo(state.edits)) this.build(state);
  }

  /** Makes these edits instead of those that were made; false where that cannot be done in place. */
  private editTo(edits: readonly Edit[]): boolean {
    const { c } = this.host.lope;
    const touched = new Set([...this.edits, ...edits].map(([thing]) => thing));
    for (const [thing] of this.edits) if (c.studio_office_reset(this.office, thing)) return false;
    this.edits = [];
    for (const edit of inOrder(edits)) if (!this.apply(edit)) return false;
    for (const thing of touched) if (thing < c.studio_office_thing_count(this.office)) this.things!.put(thing);
    this.stale = true;
    this.host.castChanged();
    return true;
  }

  sceneFile(): { name: string; text: string } {
    const { lope } = this.host;
    if (lope.c.studio_office_write(this.office)) throw new LopeError(lope.lastError());
    return { name: `${this.kind}.json`, text: new TextDecoder().decode(lope.writtenFile()) };
  }

  private free(): void {
    this.host.lope.c.studio_office_destroy(this.office);
    this.office = 0 as Pointer<"studio_office">;
    this.things?.dispose();
  }

  dispose(): void {
    this.free();
    this.host.lope.c.studio_moves_close(this.moves);
    this.crew.free();
    this.scratch.free();
  }
}
