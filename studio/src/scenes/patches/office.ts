// SPDX-License-Identifier: MIT
// A world with things to use: chairs and desks, stairs, ladders and slides, and people who are told what to do.
import {
  LOPE_PERSON_CHATTING, LOPE_PERSON_GOING, LOPE_PERSON_QUEUEING, LOPE_PERSON_ROAMING, LOPE_PERSON_SITTING, LOPE_PERSON_STANDING,
  type Pointer,
} from "../../lope/bindings";
import { Buffer, LopeError } from "../../lope/lope";
import type { Field } from "../../ui/panel";
import { Handle } from "../../view/marks";
import { Crew, missing, peopleSlider } from "../crew";
import type { Cast, LiveScene, Moment, SceneHost, Sources, Spot } from "../scene";
import { clipSources } from "../sources";
import { FloorView, type Placed, ThingView } from "./things";

export type Kind = "office" | "playground";

const MOST_PEOPLE = 300;
const STAY = 20; // seconds that one stays where it was sent
const SNAP = 0.25; // metres
const UPSTAIRS = 1.6; // metres: hips that high are not above the ground floor
const TURN = Math.PI / 4;

/** What was changed by hand: each entry puts a thing somewhere, null takes it away. */
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

const DOING: Readonly<Record<number, string>> = {
  [LOPE_PERSON_ROAMING]: "roams", [LOPE_PERSON_GOING]: "is on its way", [LOPE_PERSON_QUEUEING]: "waits in line",
  [LOPE_PERSON_STANDING]: "stands", [LOPE_PERSON_SITTING]: "sits", [LOPE_PERSON_CHATTING]: "chats",
};

export class OfficeScene implements LiveScene {
  readonly rate = 30;
  readonly keys = [["R", "turn the thing that was put down or moved last"]] as const;
  readonly eye = [6, 7, -9] as const;
  private office = 0 as Pointer<"studio_office">;
  private edits: readonly Edit[] = [];
  private world: string | undefined;
  private things: ThingView | null = null;
  private floors: FloorView | null = null;
  private held: { thing: number; dx: number; dz: number } | null = null;
  private last = -1;
  readonly sources: Sources;
  private readonly crew: Crew;
  private readonly scratch: Buffer;
  private readonly goal: Handle;
  private readonly tool: Field<string>;
  private readonly size: Field<number>;
  private readonly people: Field<number>;
  private readonly figures: { doing: Field<string>; seats: Field<string>; open: Field<string>; unused: Field<string> };

  constructor(private readonly host: SceneHost, private readonly blocks: Pointer<"lope_blocks">, private readonly kind: Kind, private readonly usual: OfficeState) {
    const { lope, panel, stage, group } = host;
    const { c } = lope;
    const set = c.studio_blocks_set(blocks);
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
      open: panel.readout("In one piece", "Share of all motion that leads on for ever that lies in the largest component"),
      unused: panel.readout("Of no use", "Things that belong to no arrangement that anybody was captured with"),
    };
    this.build(usual);
  }

  private again(): void {
    this.build(this.state());
    this.host.changed();
  }

  private make({ world, size }: OfficeState): Pointer<"studio_office"> {
    const { lope } = this.host, { c } = lope;
    if (world === undefined) return lope.need(lope.withText(this.kind, (kind) => c.studio_office_create(this.blocks, kind, size, 1, MOST_PEOPLE)));
    const length = new TextEncoder().encode(world).length;
    return lope.need(lope.withText(world, (text) => lope.withText("world.json", (name) => c.studio_office_read(this.blocks, text, length, name, 1, MOST_PEOPLE))));
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
    this.things = new ThingView(lope, this.office, this.scratch, group);
    this.floors = new FloorView(lope, this.office, this.scratch, group, stage.colours.reach);
    this.edits = [];
    for (const edit of state.edits) this.apply(edit);
    for (let thing = 0; thing < c.studio_office_thing_count(this.office); thing++) this.things.put(thing, this.placed(thing));
    const there = c.studio_office_fill(this.office, state.people, 1);
    const few = missing(there, state.people);
    if (few) this.host.say(few);
    if (this.kind === "office") for (let i = 0; i < there; i += 2) c.studio_office_sit(this.office, i, -1, 30 + i);
    this.goal.object.visible = false;
    this.survey();
    this.crew.moved();
    this.host.castChanged();
    if (!sameView) this.view();
  }

  private placed(thing: number): Placed | null {
    const { lope } = this.host;
    const at = this.scratch.room(16);
    const unit = lope.c.studio_office_thing(this.office, thing, at);
    const [x, y, z, yaw] = [...lope.floats(at, 4)] as [number, number, number, number];
    return unit < 0 ? null : { unit, x, y, z, yaw };
  }

  /** Does an edit; false, and nothing changes, where the world refuses it. */
  private apply(edit: Edit): boolean {
    const { c } = this.host.lope;
    const [thing, to] = edit;
    const there = thing < c.studio_office_thing_count(this.office) ? this.placed(thing) : null;
    let refused: boolean;
    if (!to) refused = there !== null && c.studio_office_remove(this.office, thing) !== 0;
    else if (there) refused = c.studio_office_move(this.office, thing, to[1], to[2], to[3], to[4]) !== 0;
    else if (to[0] >= 0 && to[0] < c.studio_office_unit_count(this.office)) refused = c.studio_office_add(this.office, ...to) < 0;
    else refused = true;
    if (refused) return false;
    this.edits = merged(this.edits, edit);
    return true;
  }

  private edit(edit: Edit, done: string): boolean {
    if (!this.apply(edit)) {
      this.host.say(this.host.lope.lastError());
      return false;
    }
    this.things!.put(edit[0], this.placed(edit[0]));
    this.last = edit[1] ? edit[0] : -1;
    this.survey();
    if (done) this.host.say(done);
    return true;
  }

  private survey(): void {
    const { lope } = this.host;
    const at = this.scratch.room(32);
    if (lope.c.studio_office_survey(this.office, at)) return this.host.say(lope.lastError());
    const [open, largest, unmatched] = lope.doubles(at, 3);
    this.figures.open.set(open! > 0 ? `${((100 * largest!) / open!).toFixed(1)} %` : "–");
    this.figures.unused.set(String(unmatched));
  }

  private everybodySits(): void {
    const { c } = this.host.lope;
    let refused = 0;
    for (let i = 0; i < c.studio_office_count(this.office); i++) refused += c.studio_office_sit(this.office, i, -1, 60) ? 1 : 0;
    this.host.say(refused ? `${refused} found no way to a seat` : "Everybody looks for a seat; who finds none waits in line");
  }

  private everybodyRoams(): void {
    const { c } = this.host.lope;
    for (let i = 0; i < c.studio_office_count(this.office); i++) c.studio_office_roam(this.office, i);
    this.host.say("Everybody goes where it likes");
  }

  /** The highest floor that a ray meets on its way, and where. */
  private floorSpot(spot: Spot): readonly [number, number, number] {
    if (!spot.ray) return [spot.x, 0, spot.z];
    const { origin: o, direction: d } = spot.ray;
    const heights = [...this.floors!.heights].sort((a, b) => b - a);
    for (const height of heights) {
      const t = (height - o.y) / d.y;
      if (!(t > 0)) continue;
      const x = o.x + t * d.x, z = o.z + t * d.z;
      if (this.host.lope.c.studio_office_on_floor(this.office, x, height, z)) return [x, height, z];
    }
    return [spot.x, 0, spot.z];
  }

  private send(spot: Spot): void {
    const { lope } = this.host;
    const thing = spot.ray ? this.things!.hit(spot.ray) : this.nearest(spot.x, spot.z);
    if (thing >= 0 && lope.c.studio_office_is_seat(this.office, thing)) {
      const placed = this.placed(thing)!;
      if (lope.c.studio_office_sit(this.office, 0, thing, STAY)) return this.host.say(lope.lastError());
      const line = lope.c.studio_office_seat_line(this.office, thing), owner = lope.c.studio_office_seat_owner(this.office, thing);
      this.goal.object.position.set(placed.x, placed.y, placed.z);
      this.goal.object.visible = true;
      return this.host.say(owner > 0 ? `Somebody has this seat: it waits in line, number ${Math.max(1, line)}` : "It goes to sit down");
    }
    const [x, y, z] = this.floorSpot(spot);
    if (!Number.isFinite(x) || !Number.isFinite(z)) return;
    if (lope.c.studio_office_go(this.office, 0, x, y, z, STAY)) return this.host.say(lope.lastError());
    this.goal.object.position.set(x, y, z);
    this.goal.object.visible = true;
    this.host.say("On its way");
  }

  private chat(spot: Spot): void {
    const { lope } = this.host;
    const [x, y, z] = this.floorSpot(spot);
    let other = -1, least = 1.5;
    for (let i = 1; i < lope.c.studio_office_count(this.office); i++) {
      const at = this.scratch.room(16);
      lope.c.studio_office_place(this.office, i, at);
      const [px, py, pz] = lope.floats(at, 3);
      const distance = Math.hypot(px! - x, pz! - z) + Math.max(0, Math.abs(py! - 0.9 - y) - 1);
      if (distance < least) [other, least] = [i, distance];
    }
    if (other < 0) return this.host.say("There is nobody here: click somebody's feet");
    this.host.say(lope.c.studio_office_chat(this.office, 0, other, STAY) ? lope.lastError() : "They meet and talk");
  }

  /** The thing nearest to a place on the ground, for the keyboard's cursor. */
  private nearest(x: number, z: number): number {
    let best = -1, least = 0.5;
    for (let thing = 0; thing < this.host.lope.c.studio_office_thing_count(this.office); thing++) {
      const placed = this.placed(thing);
      const distance = placed ? Math.hypot(placed.x - x, placed.z - z) : Infinity;
      if (distance < least) [best, least] = [thing, distance];
    }
    return best;
  }

  private unit(name: string): number {
    return this.things!.names.indexOf(name);
  }

  private add(name: string, x: number, y: number, z: number, yaw: number, done: string): boolean {
    const thing = this.host.lope.c.studio_office_thing_count(this.office);
    return this.edit([thing, [this.unit(name), x, y, z, yaw]], done);
  }

  private furnish(spot: Spot, tool: string): void {
    const [sx, y, sz] = this.floorSpot(spot);
    const [x, z] = [Math.round(sx / SNAP) * SNAP, Math.round(sz / SNAP) * SNAP];
    if (!this.add("chair", x, y, z, 0, tool === "desk" ? "" : "A chair")) return;
    if (tool === "desk") {
      const at = this.scratch.room(16);
      const { lope } = this.host;
      if (lope.c.studio_blocks_next(this.blocks, this.unit("chair"), this.unit("desk"), at)) {
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
      contacts: () => c.studio_office_contacts(this.office, 0), floor: (hips) => (hips > UPSTAIRS ? hips - 0.9 : undefined),
    });
  }

  source(): Moment | null {
    const { lope } = this.host;
    if (lope.c.studio_office_count(this.office) === 0) return null;
    const at = this.scratch.room(64);
    const clip = lope.c.studio_office_clip(this.office, 0, at);
    return { clip, time: lope.doubles(at, 1)[0]! };
  }

  draw(): void {
    const { c } = this.host.lope;
    if (c.studio_office_count(this.office) === 0) return;
    const state = c.studio_office_state(this.office, 0);
    this.figures.doing.set(DOING[state] ?? "–");
    if (state === LOPE_PERSON_ROAMING) this.goal.object.visible = false;
    this.figures.seats.set(`${c.studio_office_seats_taken(this.office)} of ${c.studio_office_seats(this.office)}`);
  }

  grab(spot: Spot): boolean {
    if (this.tool.get() === "remove" || !spot.ray) return false;
    const thing = this.things!.hit(spot.ray);
    const placed = thing >= 0 ? this.placed(thing) : null;
    // A press on a seat may become a click that sends somebody there: only a shifted press drags seats.
    if (!placed || (!spot.shift && this.host.lope.c.studio_office_is_seat(this.office, thing))) return false;
    if (placed.y > 0.05) return false;
    this.held = { thing, dx: placed.x - spot.x, dz: placed.z - spot.z };
    return true;
  }

  drag(spot: Spot): void {
    if (!this.held || !Number.isFinite(spot.x)) return;
    const placed = this.placed(this.held.thing)!;
    const x = Math.round((spot.x + this.held.dx) / SNAP) * SNAP, z = Math.round((spot.z + this.held.dz) / SNAP) * SNAP;
    if (x !== placed.x || z !== placed.z) this.edit([this.held.thing, [placed.unit, x, placed.y, z, placed.yaw]], "");
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
    const thing = spot.ray ? this.things!.hit(spot.ray) : this.nearest(spot.x, spot.z);
    if (thing < 0) return this.host.say("There is nothing here");
    if (this.edit([thing, null], "Removed")) this.host.changed();
  }

  key(key: string, down: boolean): boolean {
    if (!down || key.toLowerCase() !== "r" || this.last < 0) return false;
    const placed = this.placed(this.last);
    if (!placed) return false;
    if (this.edit([this.last, [placed.unit, placed.x, placed.y, placed.z, placed.yaw + TURN]], "Turned")) this.host.changed();
    return true;
  }

  view(): void {
    if (this.floors) this.host.stage.frame(...this.floors.low, ...this.floors.high);
  }

  state(): OfficeState {
    return { size: this.size.get(), people: this.people.get(), edits: this.edits, ...(this.world !== undefined && { world: this.world }) };
  }

  restore(value: unknown): void {
    this.build(readOfficeState(value, this.usual));
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
    this.floors?.dispose();
  }

  dispose(): void {
    this.free();
    this.crew.free();
    this.scratch.free();
  }
}
