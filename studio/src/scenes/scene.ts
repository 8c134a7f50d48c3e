// SPDX-License-Identifier: MIT
// What a scene is to the page. A scene is one folder or file under scenes/, with an entry in scenes/index.ts.
import type * as THREE from "three";
import type { Pointer } from "../lope/bindings";
import type { Lope } from "../lope/lope";
import type { Assets } from "../lope/assets";
import type { Panel } from "../ui/panel";
import type { Stage } from "../view/stage";

export type System = "Mobility maps" | "Motion maps" | "Motion rings" | "Motion patches" | "Grasp planner" | "Clips";

export interface SceneEntry {
  /** In links: never changes. */
  readonly id: string;
  readonly system: System;
  readonly title: string;
  /** One line that says what to try. */
  readonly hint: string;
  /** The scene file it shows, below the page; a dropped one takes its place. */
  readonly file?: string;
  open(host: SceneHost): Promise<LiveScene>;
}

/** What the page offers to a scene. */
export interface SceneHost {
  readonly lope: Lope;
  readonly assets: Assets;
  readonly stage: Stage;
  /** Three.js objects of the scene go here; they are removed with it. */
  readonly group: THREE.Group;
  /** Controls of the scene go here. */
  readonly panel: Panel;
  /** A card over the stage, for what does not fit into the panel. Emptied with the scene. */
  readonly card: HTMLElement;
  /** One line of news, read aloud by screen readers. */
  say(text: string): void;
  /** A person changed something: remember it for undo and links. */
  changed(): void;
  /** Characters came or went: the recording begins anew. */
  castChanged(): void;
  /** Small screens and reduced motion ask for less. */
  readonly reducedMotion: boolean;
}

/** Where on the ground a pointer or the keyboard's cursor is. */
export interface Spot {
  readonly x: number;
  readonly z: number;
  /** From the eye through the pointer, for what is not on the ground; null for the keyboard's cursor. */
  readonly ray: THREE.Ray | null;
  readonly shift: boolean;
}

/** Everybody in a scene: poses of one skeleton, one after the other. */
export interface Cast {
  readonly skeleton: Pointer<"lope_skeleton">;
  readonly count: number;
  /** Joints in the world, count * joints * STUDIO_JOINT_FLOATS. May be a view of the module's memory. */
  readonly poses: Float32Array;
  /** Which one the camera follows, and the recording grades. */
  readonly watched: number;
  /** What of the watched one touches: a mask of lope_contact. */
  readonly contacts: number;
  /** Height of the ground below the watched one, where it is not 0. */
  readonly floor?: number;
}

/** A moment of captured motion. */
export interface Moment {
  readonly clip: number;
  readonly time: number;
}

/** The captured motion behind a scene. */
export interface Sources {
  name(moment: Moment): string;
  /** Its pose, untouched, with the hips above a place. */
  pose(moment: Moment, x: number, z: number, yaw: number, out: Pointer<"float">): void;
}

export interface LiveScene {
  /** Steps a second; 60 where it says nothing. */
  readonly rate?: number;
  /** Moves everything by dt seconds, 1 / rate. */
  step(dt: number): void;
  cast(): Cast;
  /** Refreshes what is drawn beside the bodies; called once for each picture, `live` unless the past is shown. */
  draw?(live: boolean): void;
  /** Where motion was captured that is played here, and what the watched one plays of it now. */
  readonly sources?: Sources;
  source?(): Moment | null;
  /** The scene draws ground of its own, which is not flat. */
  readonly ownGround?: boolean;
  /** A press at a spot: true takes the drag that may follow, otherwise the camera does. */
  grab?(spot: Spot): boolean;
  drag?(spot: Spot): void;
  drop?(spot: Spot): void;
  /** A press without a drag, of what was not grabbed. */
  click?(spot: Spot): void;
  /** Where the camera begins, seen from the watched one. */
  readonly eye?: readonly [number, number, number];
  /** Shows the whole scene. */
  view?(): void;
  /** A key: true where the scene used it. */
  key?(key: string, down: boolean): boolean;
  /** Lines for the keyboard help. */
  readonly keys?: readonly (readonly [string, string])[];
  /** All that a person can change, as plain data; and back. */
  state(): unknown;
  restore(state: unknown): void;
  /** The scene as a file that the tool reads, where there is such a thing. */
  sceneFile?(): { name: string; text: string };
  dispose(): void;
}
