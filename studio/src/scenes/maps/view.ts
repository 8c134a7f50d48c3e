// SPDX-License-Identifier: MIT
// What is drawn on the ground: triangles, corridor, path, the walk, and where the motion map of the next step leads.
import { STUDIO_STEP_FLOATS, STUDIO_TRIANGLE_FLOATS } from "../../lope/bindings";
import type { Field } from "../../ui/panel";
import { Dots, Lines, Ribbon } from "../../view/marks";
import type { SceneHost } from "../scene";
import type { Follow } from "./follow";

const NODES = 700, ALL_NODES = 3500;

/** Means of neighbours: the sway of the hips is not what the line is to show. */
export function smoothed(way: Float32Array, reach = 4): Float32Array {
  const count = way.length / 2;
  const out = new Float32Array(way.length);
  for (let i = 0; i < count; i++) {
    const near = Math.min(reach, i, count - 1 - i);
    for (let k = i - near; k <= i + near; k++) {
      out[2 * i] = out[2 * i]! + way[2 * k]! / (2 * near + 1);
      out[2 * i + 1] = out[2 * i + 1]! + way[2 * k + 1]! / (2 * near + 1);
    }
  }
  return out;
}

export class MapsView {
  private readonly triangles: Lines;
  private readonly portals: Lines;
  private readonly path: Ribbon;
  private readonly hips: Ribbon;
  private readonly steps: Dots;
  private readonly nodes: Dots;
  private readonly shown: Record<"triangles" | "path" | "walk", Field<boolean>>;
  private readonly maps: Field<string>;

  constructor(host: SceneHost) {
    const { colours } = host.stage;
    this.triangles = new Lines(colours.line, 0.9, 0.008);
    this.portals = new Lines(colours.reach, 0.55);
    this.path = new Ribbon(colours.reach, 0.05, 0.8);
    this.hips = new Ribbon(colours.plan, 0.05, 0.95, 0.02);
    this.steps = new Dots(colours.plan, 0.07, 512, 0.9);
    this.nodes = new Dots(colours.tree, 0.022, ALL_NODES, 0.6);
    host.group.add(this.triangles.object, this.portals.object, this.path.object, this.hips.object, this.steps.object, this.nodes.object);
    this.shown = {
      triangles: host.panel.toggle("Triangulation and corridor", false, () => {}),
      path: host.panel.toggle("Path", true, () => {}),
      walk: host.panel.toggle("Walk", true, () => {}),
    };
    this.maps = host.panel.select("Motion maps", [["none", "hidden"], ["next", "of the step it plays"], ["all", "all along the walk: the search tree"]], "next", () => {});
  }

  setPath(points: Float32Array, portals: Float32Array): void {
    this.path.set(points, points.length / 2);
    this.portals.begin();
    for (let i = 0; i + 3 < portals.length; i += 4) this.portals.add(portals[i]!, portals[i + 1]!, portals[i + 2]!, portals[i + 3]!);
    this.portals.end();
    this.hasPath = points.length > 2;
  }

  private hasPath = false;

  setTriangles(triangles: Float32Array): void {
    this.triangles.begin();
    for (let i = 0; i + STUDIO_TRIANGLE_FLOATS <= triangles.length; i += STUDIO_TRIANGLE_FLOATS) {
      if (triangles[i + 7]) continue;
      for (let k = 0; k < 3; k++) {
        const a = i + 2 * k, b = i + 2 * ((k + 1) % 3);
        this.triangles.add(triangles[a]!, triangles[a + 1]!, triangles[b]!, triangles[b + 1]!);
      }
    }
    this.triangles.end();
  }

  draw(follow: Follow, live: boolean): void {
    const net = this.shown.triangles.get();
    this.triangles.object.visible = net;
    this.portals.object.visible = net;
    this.path.object.visible = this.shown.path.get() && this.hasPath;
    const walk = this.shown.walk.get() && live;
    const steps = follow.steps();
    const count = steps.length / STUDIO_STEP_FLOATS;
    if (walk) {
      const hips = smoothed(follow.hips());
      this.hips.set(hips, hips.length / 2);
    }
    this.hips.object.visible = walk && count > 0;
    this.steps.begin();
    if (walk) for (let i = 0; i < count; i++) this.steps.add(steps[i * STUDIO_STEP_FLOATS + 3]!, steps[i * STUDIO_STEP_FLOATS + 4]!, steps[i * STUDIO_STEP_FLOATS + 7] ? 1 : 0.6);
    this.steps.end();
    this.drawMaps(follow, steps, count, live);
  }

  private drawMaps(follow: Follow, steps: Float32Array, count: number, live: boolean): void {
    this.nodes.begin();
    const which = live ? this.maps.get() : "none";
    let played = 0;
    while (played < count && steps[played * STUDIO_STEP_FLOATS + 7]) played++;
    if (which === "next") this.addNodes(follow.map(Math.max(0, played - 1), NODES));
    else if (which === "all") {
      const every = Math.max(1, Math.ceil((count - played + 1) / 20));
      const share = Math.floor(ALL_NODES / 21);
      for (let i = Math.max(0, played - 1); i < count; i += every) this.addNodes(follow.map(i, share));
    }
    this.nodes.end();
  }

  private addNodes(nodes: Float32Array): void {
    for (let i = 0; i < nodes.length; i += 2) this.nodes.add(nodes[i]!, nodes[i + 1]!);
  }
}
