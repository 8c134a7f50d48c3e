// SPDX-License-Identifier: MIT
// What a floor of tiles is made of, as plain data: for links, undo and files. No drawing, no library.
import { LopeError } from "../../lope/lope";
import { type Obstacle, readObstacle, type SceneFile } from "../../lope/scenefile";

export const LEAST_SIDE = 4;
export const MOST_SIDE = 40;
export const MOST_PEOPLE = 2000;

export interface FloorState {
  readonly side: number; // tiles along x and along z
  readonly people: number;
  readonly holes: readonly number[]; // tiles that are not there
  readonly obstacles: readonly Obstacle[];
  readonly target: readonly [number, number] | null;
}

const whole = (value: unknown, low: number, high: number, fallback: number): number => {
  const number = Math.round(Number(value));
  return Number.isFinite(number) ? Math.min(high, Math.max(low, number)) : fallback;
};

/** What comes out of a link or a file, made sensible. */
export function readFloorState(value: unknown, usual: FloorState): FloorState {
  if (typeof value !== "object" || value === null) throw new LopeError("this is no floor of tiles");
  const state = value as Partial<Record<keyof FloorState, unknown>>;
  const side = whole(state.side, LEAST_SIDE, MOST_SIDE, usual.side);
  const holes = Array.isArray(state.holes) ? state.holes.filter((h) => Number.isInteger(h) && h >= 0 && h < side * side) : [];
  const target = state.target;
  return {
    side,
    people: whole(state.people, 1, MOST_PEOPLE, usual.people),
    holes: [...new Set(holes as number[])].sort((a, b) => a - b),
    obstacles: Array.isArray(state.obstacles) ? state.obstacles.map((o, i) => readObstacle(o, `obstacle ${i + 1}`)) : [],
    target: Array.isArray(target) && target.length === 2 && target.every(Number.isFinite) ? [target[0], target[1]] : null,
  };
}

/** The tile around a place; -1 beyond the floor. */
export function tileAt(x: number, z: number, side: number, size: number): number {
  const column = Math.floor(x / size + side / 2), row = Math.floor(z / size + side / 2);
  return column >= 0 && column < side && row >= 0 && row < side ? row * side + column : -1;
}

/** The floor for the tool: tiles that are missing become boxes that nobody enters. */
export function floorScene(state: FloorState, size: number): SceneFile {
  const half = (state.side * size) / 2;
  const holes = state.holes.map((hole): Obstacle => {
    const column = hole % state.side, row = Math.floor(hole / state.side);
    return { box: { centre: [(column + 0.5) * size - half, (row + 0.5) * size - half], size: [size, size] } };
  });
  return {
    name: "floor", bounds: [[-half, -half], [half, half]], characters: state.people, spawn: "anywhere",
    obstacles: [...state.obstacles, ...holes],
    areas: { west: [[-half, -half], [-half + size, half]], east: [[half - size, -half], [half, half]] },
    flows: [{ from: "west", to: "east" }, { from: "east", to: "west" }],
  };
}
