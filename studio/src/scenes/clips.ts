// SPDX-License-Identifier: MIT
// Clips of a set, as they were captured or made.
import { STUDIO_JOINT_FLOATS, type Pointer } from "../lope/bindings";
import { Buffer } from "../lope/lope";
import { Lines } from "../view/marks";
import type { Cast, LiveScene, SceneEntry, SceneHost } from "./scene";

class ClipScene implements LiveScene {
  private clip: number;
  private time = 0;
  private readonly joints: number;
  private readonly skeleton: Pointer<"lope_skeleton">;
  private readonly buffer: Buffer;
  private readonly names: string[];
  private readonly way: Lines;
  private readonly picker;
  private readonly loop;
  private contacts = 0;

  constructor(private readonly host: SceneHost, private readonly set: Pointer<"lope_set">, first: string) {
    const { lope, panel } = host;
    const { c } = lope;
    this.skeleton = c.studio_set_skeleton(set);
    this.joints = c.studio_joint_count(this.skeleton);
    this.buffer = new Buffer(lope);
    this.names = Array.from({ length: c.studio_set_clip_count(set) }, (_, i) => lope.text(c.studio_set_clip_name(set, i)));
    this.clip = Math.max(0, this.names.indexOf(first));
    this.picker = panel.select("Clip", this.names.map((name, i) => [String(i), name.replace(/_/g, " ")] as const), String(this.clip), (value) => {
      this.choose(Number(value));
      host.changed();
    });
    this.loop = panel.toggle("Again and again", true, () => {});
    this.way = new Lines(host.stage.colours.plan, 0.9);
    host.group.add(this.way.object);
    this.choose(this.clip);
  }

  private choose(clip: number): void {
    const { c } = this.host.lope;
    this.clip = clip;
    this.time = 0;
    this.picker.set(String(clip));
    const duration = c.studio_set_clip_duration(this.set, clip);
    const at = this.room();
    this.way.begin();
    let last: readonly [number, number] | null = null;
    for (let t = 0; t <= duration; t += 1 / 15) {
      c.studio_set_pose_as_is(this.set, clip, t, at);
      const pose = this.host.lope.floats(at, 7);
      if (last) this.way.add(last[0], last[1], pose[4]!, pose[6]!);
      last = [pose[4]!, pose[6]!];
    }
    this.way.end();
    this.host.castChanged();
  }

  private room(): Pointer<"float"> {
    return this.buffer.room(4 * this.joints * STUDIO_JOINT_FLOATS) as Pointer<"float">;
  }

  step(dt: number): void {
    const duration = this.host.lope.c.studio_set_clip_duration(this.set, this.clip);
    this.time += dt;
    if (this.time > duration) this.time = this.loop.get() ? this.time % Math.max(duration, dt) : duration;
  }

  cast(): Cast {
    const { lope } = this.host;
    const at = this.room();
    this.contacts = lope.c.studio_set_pose_as_is(this.set, this.clip, this.time, at);
    return { skeleton: this.skeleton, count: 1, watched: 0, contacts: this.contacts, poses: lope.floats(at, this.joints * STUDIO_JOINT_FLOATS) };
  }

  state(): unknown {
    return { clip: this.names[this.clip] };
  }

  restore(state: unknown): void {
    const clip = this.names.indexOf((state as { clip?: string }).clip ?? "");
    if (clip >= 0) this.choose(clip);
  }

  dispose(): void {
    this.buffer.free();
  }
}

export const clipScenes: readonly SceneEntry[] = [
  {
    id: "clips", system: "Clips", title: "Built-in motion set",
    hint: "Choose a clip; drop a BVH file on the page to look at your own, or a GLB character to see it move.",
    open: async (host) => new ClipScene(host, await host.assets.set(), "walk_normal"),
  },
];
