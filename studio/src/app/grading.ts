// SPDX-License-Identifier: MIT
// The watched character's recording as a clip of the library: graded while it walks, and written by the library's writers.
import { STUDIO_GRADE_FLOATS, type Pointer } from "../lope/bindings";
import { Buffer, type Lope, LopeError } from "../lope/lope";
import type { Recorder } from "./recorder";

export interface Grades {
  readonly skate: number; // cm/s of low feet
  readonly plantedSkate: number; // cm/s
  readonly jerk: number; // m/s^3, mean
  readonly worstJerk: number; // of the worst thousandth
  readonly penetration: number; // m
}

export interface FilmSource {
  readonly recorder: Recorder;
  readonly skeleton: Pointer<"lope_skeleton">;
  readonly rate: number;
  readonly name: string;
  /** The ground is flat, at height 0: what the low feet do and what reaches below it mean something. */
  readonly flat: boolean;
}

export interface Cut {
  readonly first: number;
  readonly count: number;
  /** Every so many frames of the recording. */
  readonly stride?: number;
}

/** Frames of a recording as a film; `use` sees it, then it is gone. */
export function withFilm<R>(lope: Lope, source: FilmSource, { first, count, stride = 1 }: Cut, use: (film: Pointer<"studio_film">) => R): R {
  const { c } = lope;
  const floats = c.studio_joint_count(source.skeleton) * 7;
  const film = lope.need(lope.withText(source.name, (name) => c.studio_film_create(source.skeleton, name, count, source.rate / stride)));
  const buffer = new Buffer(lope);
  try {
    const at = buffer.room(4 * floats);
    for (let i = 0; i < count; i++) {
      const frame = source.recorder.frame(first + i * stride);
      lope.floats(at, floats).set(frame.poses);
      c.studio_film_put(film, i, at as Pointer<"float">, frame.contacts);
    }
    c.studio_film_finish(film);
    return use(film);
  } finally {
    buffer.free();
    c.studio_film_destroy(film);
  }
}

/** Grades grow with the frame rate; this is the rate of the built-in maps, so that figures compare with the tool's. */
const GRADED_RATE = 30;

/** Grades of the last seconds; null where there is too little to say. */
export function gradeLast(lope: Lope, source: FilmSource, seconds: number, end = source.recorder.count): Grades | null {
  const stride = Math.max(1, Math.round(source.rate / GRADED_RATE));
  const count = Math.floor(Math.min(end, Math.round(seconds * source.rate)) / stride);
  if (count * stride < source.rate / 2) return null;
  return withFilm(lope, source, { first: end - count * stride, count, stride }, (film) => {
    const at = lope.allocate<"float">(4 * STUDIO_GRADE_FLOATS);
    try {
      if (lope.c.studio_film_grade(film, at)) return null;
      const [skate, plantedSkate, jerk, worstJerk, penetration] = lope.floats(at, STUDIO_GRADE_FLOATS) as unknown as number[];
      return { skate: skate!, plantedSkate: plantedSkate!, jerk: jerk!, worstJerk: worstJerk!, penetration: penetration! };
    } finally {
      lope.c.studio_free(at);
    }
  });
}

export type FilmFormat = "bvh" | "glb" | "svg";

/** The whole recording of the watched character as a file. */
export function writeFilm(lope: Lope, source: FilmSource, format: FilmFormat, dark: boolean): Uint8Array<ArrayBuffer> {
  const count = source.recorder.count;
  if (count < 2) throw new LopeError("nothing has been recorded yet: let it walk for a moment");
  return withFilm(lope, source, { first: 0, count }, (film) => {
    const { c } = lope;
    const status = format === "bvh" ? c.studio_film_bvh(film) : format === "glb" ? c.studio_film_glb(film) : c.studio_film_svg(film, dark);
    if (status) throw new LopeError(lope.lastError());
    return lope.writtenFile();
  });
}
