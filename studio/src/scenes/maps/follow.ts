// SPDX-License-Identifier: MIT
// The bridge of motion maps with plain arrays: obstacles, path, walk, comparisons.
import { LOPE_OK, STUDIO_REPORT_FLOATS, STUDIO_STEP_FLOATS, STUDIO_TRIANGLE_FLOATS, type Pointer } from "../../lope/bindings";
import { Buffer, type Lope } from "../../lope/lope";
import { cornersOf, type Obstacle, type Place } from "../../lope/scenefile";

export interface Report {
  readonly maps: number;
  readonly walks: number;
  readonly turnedBack: number;
  readonly length: number;
  readonly pathLength: number;
  readonly miss: number;
}

export interface Outcome {
  readonly arrived: boolean;
  readonly milliseconds: number;
  readonly report: Report;
  readonly tree: Float32Array;
  readonly walk: Float32Array;
}

export class Follow {
  private readonly at: Pointer<"studio_follow">;
  private readonly buffer: Buffer;
  private names: number[] = [];

  constructor(private readonly lope: Lope, maps: Pointer<"lope_maps">, [low, high]: readonly [Place, Place], work: number) {
    this.at = lope.need(lope.c.studio_follow_create(maps, low[0], low[1], high[0], high[1], work));
    this.buffer = new Buffer(lope);
  }

  setObstacles(obstacles: readonly Obstacle[]): void {
    const { c } = this.lope;
    for (const name of this.names) if (name > 0) c.studio_follow_remove(this.at, name);
    this.names = obstacles.map((o) => {
      const corners = cornersOf(o);
      return this.lope.withFloats(corners.flat(), (at) => c.studio_follow_add(this.at, at, corners.length));
    });
  }

  /** Finds a path; null, or why there is none. */
  plan(from: Place, to: Place, clearance: number): string | null {
    const status = this.lope.c.studio_follow_plan(this.at, from[0], from[1], to[0], to[1], clearance);
    return status === LOPE_OK ? null : this.lope.lastError();
  }

  widest(from: Place, to: Place): number {
    return this.lope.c.studio_follow_widest(this.at, from[0], from[1], to[0], to[1]);
  }

  begin(): boolean {
    return this.lope.c.studio_follow_begin(this.at) === LOPE_OK;
  }

  again(): boolean {
    return this.lope.c.studio_follow_again(this.at) === LOPE_OK;
  }

  /** Where what it plays now ends. */
  end(): Place {
    const at = this.buffer.room(16);
    this.lope.c.studio_follow_end(this.at, at);
    const [x, z] = this.lope.floats(at, 2);
    return [x!, z!];
  }

  step(dt: number): void {
    this.lope.c.studio_follow_step(this.at, dt);
  }

  pose(out: Pointer<"float">): number {
    return this.lope.c.studio_follow_pose(this.at, out);
  }

  get state(): number {
    return this.lope.c.studio_follow_state(this.at);
  }

  get searchState(): number {
    return this.lope.c.studio_follow_search_state(this.at);
  }

  get ahead(): number {
    return this.lope.c.studio_follow_ahead(this.at);
  }

  clip(): { clip: number; time: number } {
    const at = this.buffer.room(16);
    const clip = this.lope.c.studio_follow_clip(this.at, at);
    return { clip, time: this.lope.doubles(at, 1)[0]! };
  }

  private list(floats: number, capacity: number, call: (at: Pointer<"float">, capacity: number) => number): Float32Array {
    const at = this.buffer.room(4 * floats * capacity);
    const count = Math.min(capacity, call(at, capacity));
    return this.lope.floats(at, floats * count).slice();
  }

  points = (): Float32Array => this.list(2, 4096, (at, n) => this.lope.c.studio_follow_points(this.at, at, n));
  portals = (): Float32Array => this.list(4, 1024, (at, n) => this.lope.c.studio_follow_portals(this.at, at, n));
  triangles = (): Float32Array => this.list(STUDIO_TRIANGLE_FLOATS, 8192, (at, n) => this.lope.c.studio_follow_triangles(this.at, at, n));
  steps = (): Float32Array => this.list(STUDIO_STEP_FLOATS, 1024, (at, n) => this.lope.c.studio_follow_steps(this.at, at, n));
  hips = (): Float32Array => this.list(2, 16384, (at, n) => this.lope.c.studio_follow_hips(this.at, at, n));
  map = (step: number, most: number): Float32Array => this.list(2, most, (at, n) => this.lope.c.studio_follow_map(this.at, step, at, n));

  report(): Report {
    const at = this.buffer.room(4 * STUDIO_REPORT_FLOATS);
    this.lope.c.studio_follow_report(this.at, at);
    return this.readReport(at);
  }

  private readReport(at: Pointer): Report {
    const [maps, walks, turnedBack, length, pathLength, miss] = this.lope.floats(at, STUDIO_REPORT_FLOATS) as unknown as number[];
    return { maps: maps!, walks: walks!, turnedBack: turnedBack!, length: length!, pathLength: pathLength!, miss: miss! };
  }

  private ask(find: (report: Pointer<"float">) => number): Pick<Outcome, "arrived" | "milliseconds" | "report"> {
    const at = this.buffer.room(4 * STUDIO_REPORT_FLOATS);
    const begun = performance.now();
    const status = find(at);
    const milliseconds = performance.now() - begun;
    return { arrived: status === LOPE_OK, milliseconds, report: this.readReport(at) };
  }

  /** The planned path with maps, from standing and all at once. */
  withMaps(): Outcome {
    const { c } = this.lope;
    const found = this.ask((report) => c.studio_follow_with_maps(this.at, report));
    return {
      ...found,
      tree: this.list(2, 2400, (at, n) => c.studio_follow_with_maps_tree(this.at, at, n)),
      walk: this.list(2, 16384, (at, n) => c.studio_follow_with_maps_hips(this.at, at, n)),
    };
  }

  /** The same without maps; kinds of lope_rival_kind. */
  withoutMaps(kind: number, nodes: number): Outcome {
    const { c } = this.lope;
    const found = this.ask((report) => c.studio_follow_rival(this.at, kind, nodes, report));
    return {
      ...found,
      tree: this.list(4, 2400, (at, n) => c.studio_follow_rival_tree(this.at, at, n)),
      walk: this.list(2, 4096, (at, n) => c.studio_follow_rival_walk(this.at, at, n)),
    };
  }

  hash(): bigint {
    return BigInt.asUintN(64, this.lope.c.studio_follow_hash(this.at));
  }

  free(): void {
    this.lope.c.studio_follow_destroy(this.at);
    this.buffer.free();
  }
}
