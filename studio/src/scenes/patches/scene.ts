// SPDX-License-Identifier: MIT
// A floor laid out of tiles that carry their own motion: put blocks on it, take tiles away, fill it with people.
import { STUDIO_FLOOR_COUNTS, type Pointer } from "../../lope/bindings";
import { Buffer } from "../../lope/lope";
import { cornersOf, type Obstacle, sceneText } from "../../lope/scenefile";
import type { Field } from "../../ui/panel";
import { Handle, Lines } from "../../view/marks";
import { boxBlock, ObstacleEditor, pillarBlock } from "../obstacles";
import { Crew, missing, peopleSlider } from "../crew";
import type { Cast, LiveScene, SceneHost, Moment, Sources, Spot } from "../scene";
import { clipSources } from "../sources";
import { floorScene, type FloorState, LEAST_SIDE, MOST_PEOPLE, MOST_SIDE, readFloorState, tileAt } from "./floor";
import { TileView } from "./tiles";

const PALETTE = [boxBlock("desk", "Desk", [1.4, 0.7]), boxBlock("wall", "Wall", [3, 0.15]), boxBlock("kiosk", "Kiosk", [1.5, 1.5]), pillarBlock("pillar", "Pillar", 0.3)];
const SNAP = 0.25; // metres
const MOST_PIECES = 4000; // of ways that are drawn

export class PatchScene implements LiveScene {
  private floor = 0 as Pointer<"lope_patch_world">;
  private holes: readonly number[] = [];
  private numbers = new Map<Obstacle, number>();
  private target: readonly [number, number] | null = null;
  private dragging = false;
  private shownTile = -2;
  private readonly size: number;
  readonly sources: Sources;
  private readonly crew: Crew;
  private readonly scratch: Buffer;
  private readonly goal: Handle;
  private readonly tiles: TileView;
  private readonly ways: Lines;
  private readonly editor: ObstacleEditor;
  private readonly side: Field<number>;
  private readonly people: Field<number>;
  private readonly snap: Field<boolean>;
  private readonly showWays: Field<boolean>;
  private readonly figures: { tiles: Field<string>; open: Field<string>; largest: Field<string>; forced: Field<string> };
  readonly keys = [["R", "turn the block that was put down or moved last"]] as const;

  constructor(private readonly host: SceneHost, private readonly tile: Pointer<"lope_tile">, private readonly usual: FloorState) {
    const { lope, panel, stage, group } = host;
    const { c } = lope;
    this.size = c.studio_tile_size(tile);
    const set = c.studio_tile_set(tile);
    this.sources = clipSources(lope, set);
    this.crew = new Crew(lope, c.studio_set_skeleton(set));
    this.scratch = new Buffer(lope);
    this.tiles = new TileView(group, stage.colours.goal, stage.colours.reach);
    this.ways = new Lines(stage.colours.reach, 0.35);
    this.goal = new Handle(stage.colours.goal);
    group.add(this.ways.object, this.goal.object);
    this.people = peopleSlider(panel, usual.people, MOST_PEOPLE, () => this.again());
    this.side = panel.slider({
      label: "Tiles a side", min: LEAST_SIDE, max: MOST_SIDE, step: 1, value: usual.side, show: String, change: () => {
        this.holes = [];
        this.again();
      },
    });
    this.editor = new ObstacleEditor(host, {
      click: (spot) => this.send(spot.x, spot.z, true),
      clickLabel: "Send",
      changed: () => this.placeObstacles(),
      palette: PALETTE,
      snap: () => (this.snap.get() ? SNAP : 0),
      tools: [["tile", "± Tile", (spot) => this.flip(spot)]],
    });
    this.snap = panel.toggle("Snap to a grid of 25 cm", true, () => {});
    this.showWays = panel.toggle("Show the motion of the tile it is on", true, () => (this.shownTile = -2));
    this.figures = {
      tiles: panel.readout("Tiles"),
      open: panel.readout("Motion in use", "Share of all segments that lead on for ever; obstacles and holes close the others"),
      largest: panel.readout("In one piece", "Share of those that lie in the largest component: from each of them one gets to every other"),
      forced: panel.readout("Forced", "Segments chosen although somebody had reserved the place, of all that were chosen"),
    };
    this.build(usual);
  }

  /** The same floor anew, after a slider was moved. */
  private again(): void {
    this.build(this.state());
    this.host.changed();
  }

  private build(state: FloorState): void {
    const { lope, stage } = this.host;
    const { c } = lope;
    const sameView = this.floor !== 0 && state.side === this.side.get();
    c.studio_floor_destroy(this.floor);
    this.floor = lope.need(c.studio_floor_create(this.tile, state.side, state.side, MOST_PEOPLE, 1));
    this.people.set(state.people);
    this.side.set(state.side);
    this.holes = state.holes;
    for (const hole of state.holes) c.studio_floor_lay(this.floor, hole % state.side, Math.floor(hole / state.side), false);
    this.numbers = new Map();
    this.editor.set(state.obstacles);
    this.tiles.build(state.side, state.side, this.size);
    this.placeObstacles();
    if (c.studio_floor_spawn(this.floor, 0, 0) < 0) this.host.say("There is no room for anybody: take something away");
    const few = missing(c.studio_floor_fill(this.floor, state.people, 1), state.people);
    if (few) this.host.say(few);
    this.target = null;
    if (state.target) this.send(...state.target, false);
    this.goal.object.visible = this.target !== null;
    this.crew.moved();
    this.shownTile = -2;
    this.host.castChanged();
    if (!sameView) stage.frame(...this.corner(-1), ...this.corner(1));
  }

  private corner(sign: number): readonly [number, number] {
    const half = (sign * this.side.get() * this.size) / 2;
    return [half, half];
  }

  /** Hands to the world what changed since it saw the obstacles last. */
  private placeObstacles(): void {
    const { lope } = this.host;
    const now = new Set(this.editor.obstacles);
    for (const [obstacle, number] of this.numbers) {
      if (now.has(obstacle)) continue;
      lope.c.studio_floor_remove(this.floor, number);
      this.numbers.delete(obstacle);
    }
    for (const obstacle of now) if (!this.numbers.has(obstacle)) this.place(obstacle);
    this.survey();
  }

  private place(obstacle: Obstacle): void {
    const { lope } = this.host;
    const round = "cylinder" in obstacle ? obstacle.cylinder.radius : 0;
    const corners = "cylinder" in obstacle ? [obstacle.cylinder.centre] : cornersOf(obstacle);
    const number = lope.withFloats(corners.flat(), (at) => lope.c.studio_floor_add(this.floor, at, corners.length, round));
    if (number >= 0) this.numbers.set(obstacle, number);
    else this.host.say(lope.lastError());
  }

  /** Colours tiles and counts what is left of the motion. */
  private survey(): void {
    const { lope } = this.host;
    const tiles = this.side.get() ** 2;
    const shares = this.scratch.room(Math.max(4 * tiles, 8 * STUDIO_FLOOR_COUNTS));
    lope.c.studio_floor_shares(this.floor, shares);
    this.tiles.show(lope.floats(shares, tiles).slice());
    if (lope.c.studio_floor_survey(this.floor, shares)) return this.host.say(lope.lastError());
    const [laid, segments, open, largest] = lope.doubles(shares, STUDIO_FLOOR_COUNTS);
    const share = (a: number, b: number) => (b > 0 ? `${((100 * a) / b).toFixed(1)} %` : "–");
    this.figures.tiles.set(laid!.toLocaleString("en"));
    this.figures.open.set(share(open!, segments!));
    this.figures.largest.set(share(largest!, open!));
    this.shownTile = -2;
  }

  private flip(spot: Spot): void {
    const side = this.side.get(), tile = tileAt(spot.x, spot.z, side, this.size);
    if (tile < 0) return this.host.say("The floor ends here; make it larger with the slider");
    const there = this.holes.includes(tile);
    this.host.lope.c.studio_floor_lay(this.floor, tile % side, Math.floor(tile / side), there);
    this.holes = there ? this.holes.filter((h) => h !== tile) : [...this.holes, tile].sort((a, b) => a - b);
    this.survey();
    this.host.say(there ? "A tile" : "A hole");
    this.host.changed();
  }

  private send(x: number, z: number, byHand: boolean): void {
    if (!Number.isFinite(x) || !Number.isFinite(z)) return;
    const { lope } = this.host;
    if (lope.c.studio_floor_go(this.floor, 0, x, z)) {
      if (byHand) this.host.say(lope.lastError());
      return;
    }
    this.goal.put(x, z);
    this.goal.object.visible = true;
    this.target = [x, z];
    if (!byHand) return;
    this.host.say("On its way");
    if (!this.dragging) this.host.changed();
  }

  step(dt: number): void {
    const { c } = this.host.lope;
    c.studio_floor_step(this.floor, dt);
    this.crew.moved();
    if (!this.target || !c.studio_floor_arrived(this.floor, 0)) return;
    this.target = null;
    this.goal.object.visible = false;
    this.host.say("It has arrived and roams on");
  }

  cast(): Cast {
    const { c } = this.host.lope;
    return this.crew.cast({
      count: c.studio_floor_count(this.floor), write: (at) => c.studio_floor_poses(this.floor, at),
      contacts: () => c.studio_floor_contacts(this.floor, 0),
    });
  }

  draw(live: boolean): void {
    const { lope } = this.host;
    if (lope.c.studio_floor_count(this.floor) === 0) return;
    const at = this.scratch.room(Math.max(16 * MOST_PIECES, 8 * STUDIO_FLOOR_COUNTS));
    lope.c.studio_floor_ground(this.floor, 0, at);
    const [x, z] = lope.floats(at, 2);
    const tile = live && this.showWays.get() ? tileAt(x!, z!, this.side.get(), this.size) : -1;
    if (tile === this.shownTile) return;
    this.shownTile = tile;
    this.ways.begin();
    const pieces = tile < 0 ? 0 : lope.c.studio_floor_ways(this.floor, tile, 16, at, MOST_PIECES);
    const places = lope.floats(at, 4 * pieces);
    for (let i = 0; i < 4 * pieces; i += 4) this.ways.add(places[i]!, places[i + 1]!, places[i + 2]!, places[i + 3]!);
    this.ways.end();
    this.showForced();
  }

  private showForced(): void {
    const { c } = this.host.lope;
    const chosen = c.studio_floor_chosen(this.floor), forced = c.studio_floor_forced(this.floor);
    this.figures.forced.set(chosen > 0 ? `${((100 * forced) / chosen).toFixed(1)} %` : "–");
  }

  source(): Moment | null {
    const { lope } = this.host;
    if (lope.c.studio_floor_count(this.floor) === 0) return null;
    const at = this.scratch.room(64);
    const clip = lope.c.studio_floor_clip(this.floor, 0, at);
    return { clip, time: lope.doubles(at, 1)[0]! };
  }

  grab(spot: Spot): boolean {
    if (this.goal.object.visible && this.goal.holds(spot.x, spot.z, 0.1)) return (this.dragging = true);
    return this.editor.grab(spot);
  }

  drag(spot: Spot): void {
    if (this.dragging) this.send(spot.x, spot.z, true);
    else this.editor.drag(spot);
  }

  drop(spot: Spot): void {
    if (!this.dragging) return this.editor.drop(spot);
    this.dragging = false;
    this.send(spot.x, spot.z, true);
  }

  click(spot: Spot): void {
    this.editor.click(spot);
  }

  key(key: string, down: boolean): boolean {
    return down && key.toLowerCase() === "r" && this.editor.turn();
  }

  view(): void {
    this.host.stage.frame(...this.corner(-1), ...this.corner(1));
  }

  state(): FloorState {
    return { side: this.side.get(), people: this.people.get(), holes: this.holes, obstacles: this.editor.obstacles, target: this.target };
  }

  restore(value: unknown): void {
    this.build(readFloorState(value, this.usual));
  }

  sceneFile(): { name: string; text: string } {
    return { name: "floor.json", text: sceneText(floorScene(this.state(), this.size)) };
  }

  dispose(): void {
    this.host.lope.c.studio_floor_destroy(this.floor);
    this.crew.free();
    this.scratch.free();
    this.tiles.dispose();
  }
}
