// SPDX-License-Identifier: MIT
// Where the watched character's pose can get it (the map's choices), and the way it has chosen.
import type * as THREE from "three";
import type { Pointer } from "../../lope/bindings";
import { Buffer, type Lope } from "../../lope/lope";
import type { Colours } from "../../view/colours";
import { Dots, Lines, Ribbon } from "../../view/marks";

const MOST = 256, WAY = 256, PLAN = 40, PLAN_STEP = 0.1;

export class ReachView {
  private readonly ways: Lines;
  private readonly ends: Dots;
  private readonly plan: Ribbon;
  private readonly buffer: Buffer;

  constructor(private readonly lope: Lope, group: THREE.Group, colours: Colours) {
    this.ways = new Lines(colours.reach, 0.32);
    this.ends = new Dots(colours.reach, 0.045, MOST, 0.9);
    this.plan = new Ribbon(colours.plan, 0.07, 0.9);
    this.buffer = new Buffer(lope);
    group.add(this.ways.object, this.ends.object, this.plan.object);
  }

  draw(crowd: Pointer<"studio_crowd">, reach: boolean, plan: boolean): void {
    this.ways.object.visible = this.ends.object.visible = reach;
    this.plan.object.visible = plan;
    if (reach) this.drawReach(crowd);
    if (plan) this.drawPlan(crowd);
  }

  private drawReach(crowd: Pointer<"studio_crowd">): void {
    const { c } = this.lope;
    const at = this.buffer.room(4 * 4 * MOST);
    const count = Math.min(MOST, c.studio_crowd_reach(crowd, 0, at, MOST));
    if (count === 0) return; // between two states: what was shown holds
    const ends = this.lope.floats(at, 4 * count).slice();
    this.ends.begin();
    this.ways.begin();
    for (let i = 0; i < count; i++) {
      this.ends.add(ends[4 * i]!, ends[4 * i + 1]!);
      const points = Math.min(WAY, c.studio_crowd_reach_way(crowd, 0, i, at, WAY));
      this.ways.way(this.lope.floats(at, 2 * points), points);
    }
    this.ends.end();
    this.ways.end();
  }

  private drawPlan(crowd: Pointer<"studio_crowd">): void {
    const at = this.buffer.room(12 * PLAN + 12);
    this.lope.c.studio_crowd_plan(crowd, 0, PLAN_STEP, PLAN, at);
    this.plan.set(this.lope.floats(at, 3 * PLAN), PLAN, 3);
  }

  dispose(): void {
    this.buffer.free();
  }
}
