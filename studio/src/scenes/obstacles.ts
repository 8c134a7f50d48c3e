// SPDX-License-Identifier: MIT
// Editing obstacles on flat ground: tools in the panel, clicks that add and remove, drags that move.
import type * as THREE from "three";
import { centreOf, covers, movedTo, type Obstacle, type Place } from "../lope/scenefile";
import type { Field } from "../ui/panel";
import { obstacleMesh } from "../view/obstacles";
import type { SceneHost, Spot } from "./scene";

/** A kind of obstacle to put down, as a button. */
export interface Block {
  readonly key: string;
  readonly label: string;
  make(centre: Place, degrees: number): Obstacle;
}

export const boxBlock = (key: string, label: string, size: Place): Block => ({
  key, label, make: (centre, degrees) => ({ box: degrees ? { centre, size, degrees } : { centre, size } }),
});
export const pillarBlock = (key: string, label: string, radius: number): Block => ({
  key, label, make: (centre) => ({ cylinder: { centre, radius } }),
});
const PLAIN: readonly Block[] = [boxBlock("box", "Box", [1.2, 0.8]), pillarBlock("pillar", "Pillar", 0.4)];

export interface EditorOptions {
  /** What a click does while no obstacle tool is chosen, and its name. */
  click(spot: Spot): void;
  readonly clickLabel: string;
  /** Obstacles were changed: hand them to the world. */
  changed(): void;
  /** What there is to put down; boxes and pillars where nothing is said. */
  readonly palette?: readonly Block[];
  /** Places are rounded to this many metres. */
  readonly snap?: () => number;
  /** Further tools: key, name, what a click does. */
  readonly tools?: readonly (readonly [string, string, (spot: Spot) => void])[];
}

const TURN = 45; // degrees

export class ObstacleEditor {
  obstacles: readonly Obstacle[] = [];
  private meshes: THREE.Mesh[] = [];
  private readonly tool: Field<string>;
  private held: { index: number; dx: number; dz: number } | null = null;
  private readonly palette: readonly Block[];
  private last = -1; // the obstacle that was touched last: R turns it
  private degrees = 0; // of the next one

  constructor(private readonly host: SceneHost, private readonly options: EditorOptions) {
    this.palette = options.palette ?? PLAIN;
    const blocks = this.palette.map(({ key, label }) => [key, `+ ${label}`] as const);
    const more = (options.tools ?? []).map(([key, label]) => [key, label] as const);
    this.tool = host.panel.tools("What a click does", [["click", options.clickLabel], ...blocks, ...more, ["remove", "Remove"]], "click", () => {});
  }

  /** Turns the obstacle that was put down or moved last; for the key R. */
  turn(): boolean {
    const obstacle = this.obstacles[this.last];
    if (!obstacle || !("box" in obstacle)) return false;
    this.degrees = ((obstacle.box.degrees ?? 0) + TURN) % 180;
    this.replace(this.last, { box: { ...obstacle.box, degrees: this.degrees } });
    this.host.say(`Turned to ${this.degrees} degrees`);
    this.host.changed();
    return true;
  }

  private snapped(x: number, z: number): Place {
    const snap = this.options.snap?.() || 0.01;
    const round = (v: number) => Number((Math.round(v / snap) * snap).toFixed(3));
    return [round(x), round(z)];
  }

  /** Shows other obstacles; does not call `changed`. */
  set(obstacles: readonly Obstacle[]): void {
    this.obstacles = obstacles;
    for (const mesh of this.meshes) this.drop_(mesh);
    this.meshes = obstacles.map((o) => this.mesh(o));
  }

  private mesh(obstacle: Obstacle): THREE.Mesh {
    const mesh = obstacleMesh(obstacle, this.host.stage.colours.obstacle);
    this.host.group.add(mesh);
    return mesh;
  }

  private drop_(mesh: THREE.Mesh): void {
    mesh.removeFromParent();
    mesh.geometry.dispose();
    (mesh.material as THREE.Material).dispose();
  }

  private replace(index: number, obstacle: Obstacle): void {
    this.obstacles = this.obstacles.map((o, i) => (i === index ? obstacle : o));
    this.drop_(this.meshes[index]!);
    this.meshes[index] = this.mesh(obstacle);
    this.options.changed();
  }

  private at(spot: Spot): number {
    return this.obstacles.findIndex((o) => covers(o, spot.x, spot.z));
  }

  grab(spot: Spot): boolean {
    const index = this.at(spot);
    if (index < 0 || this.tool.get() === "remove") return false;
    const [x, z] = centreOf(this.obstacles[index]!);
    this.held = { index, dx: x - spot.x, dz: z - spot.z };
    this.last = index;
    return true;
  }

  drag(spot: Spot): void {
    if (!this.held || !Number.isFinite(spot.x)) return;
    const { index, dx, dz } = this.held;
    const [x, z] = this.snapped(spot.x + dx, spot.z + dz);
    const [wasX, wasZ] = centreOf(this.obstacles[index]!);
    if (x !== wasX || z !== wasZ) this.replace(index, movedTo(this.obstacles[index]!, x, z));
  }

  drop(spot: Spot): void {
    this.drag(spot);
    this.held = null;
    this.host.changed();
  }

  click(spot: Spot): void {
    if (!Number.isFinite(spot.x)) return;
    const tool = this.tool.get();
    const block = this.palette.find(({ key }) => key === tool);
    const other = this.options.tools?.find(([key]) => key === tool);
    if (other) return other[2](spot);
    if (tool === "click") return this.options.click(spot);
    if (tool === "remove") {
      const index = this.at(spot);
      if (index < 0) return this.host.say("There is no obstacle here");
      this.set(this.obstacles.filter((_, i) => i !== index));
      this.last = -1;
      this.host.say("Removed");
    } else if (block) {
      this.last = this.obstacles.length;
      this.set([...this.obstacles, block.make(this.snapped(spot.x, spot.z), this.degrees)]);
      this.host.say(`Put down: ${block.label.toLowerCase()}`);
    }
    this.options.changed();
    this.host.changed();
  }
}
