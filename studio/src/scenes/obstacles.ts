// SPDX-License-Identifier: MIT
// Editing obstacles on flat ground: tools in the panel, clicks that add and remove, drags that move.
import type * as THREE from "three";
import { centreOf, covers, movedTo, type Obstacle } from "../lope/scenefile";
import type { Field } from "../ui/panel";
import { obstacleMesh } from "../view/obstacles";
import type { SceneHost, Spot } from "./scene";

export interface EditorOptions {
  /** What a click does while no obstacle tool is chosen, and its name. */
  click(spot: Spot): void;
  readonly clickLabel: string;
  /** Obstacles were changed: hand them to the world. */
  changed(): void;
}

export class ObstacleEditor {
  obstacles: readonly Obstacle[] = [];
  private meshes: THREE.Mesh[] = [];
  private readonly tool: Field<string>;
  private held: { index: number; dx: number; dz: number } | null = null;

  constructor(private readonly host: SceneHost, private readonly options: EditorOptions) {
    this.tool = host.panel.tools("What a click does", [["click", options.clickLabel], ["box", "+ Box"], ["pillar", "+ Pillar"], ["remove", "Remove"]], "click", () => {});
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
    return true;
  }

  drag(spot: Spot): void {
    if (!this.held || !Number.isFinite(spot.x)) return;
    const { index, dx, dz } = this.held;
    this.replace(index, movedTo(this.obstacles[index]!, spot.x + dx, spot.z + dz));
  }

  drop(spot: Spot): void {
    this.drag(spot);
    this.held = null;
    this.host.changed();
  }

  click(spot: Spot): void {
    if (!Number.isFinite(spot.x)) return;
    const tool = this.tool.get();
    const round = (v: number) => Math.round(v * 100) / 100;
    const centre = [round(spot.x), round(spot.z)] as const;
    if (tool === "click") return this.options.click(spot);
    if (tool === "remove") {
      const index = this.at(spot);
      if (index < 0) return this.host.say("There is no obstacle here");
      this.set(this.obstacles.filter((_, i) => i !== index));
      this.host.say("Removed");
    } else {
      const added: Obstacle = tool === "box" ? { box: { centre, size: [1.2, 0.8] } } : { cylinder: { centre, radius: 0.4 } };
      this.set([...this.obstacles, added]);
      this.host.say(tool === "box" ? "A box" : "A pillar");
    }
    this.options.changed();
    this.host.changed();
  }
}
