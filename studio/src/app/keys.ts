// SPDX-License-Identifier: MIT
// Keys of the page: the scene is asked first, then the stage's cursor, then what works everywhere.
import type { LiveScene } from "../scenes/scene";

export interface KeyTarget {
  readonly canvas: HTMLCanvasElement;
  /** The scene, where it may be changed: not while the past is shown. */
  scene(): LiveScene | null;
  /** A key was let go, whatever is shown. */
  release(key: string): void;
  /** The stage's cursor: true where it used the key. */
  cursor(event: KeyboardEvent): boolean;
  undo(): void;
  redo(): void;
  /** What keys do everywhere, by `KeyboardEvent.key`; letters in lower case. */
  readonly actions: Readonly<Record<string, () => void>>;
}

function press(event: KeyboardEvent, target: KeyTarget): boolean {
  const on = event.target as HTMLElement, key = event.key.toLowerCase();
  if (document.querySelector("dialog[open]")) return false;
  if (event.ctrlKey || event.metaKey) {
    if (key !== "z" && key !== "y") return false;
    key === "y" || event.shiftKey ? target.redo() : target.undo();
    return true;
  }
  if (event.altKey || on.closest("select, input, textarea")) return false;
  const onStage = on === target.canvas;
  if ((onStage || on === document.body) && target.scene()?.key?.(event.key, true)) return true;
  if (onStage && target.cursor(event)) return true;
  if (event.key === " " && on.closest("button")) return false; // presses it
  const action = target.actions[event.key.length === 1 ? key : event.key];
  action?.();
  return action !== undefined;
}

export function listenForKeys(target: KeyTarget): void {
  addEventListener("keydown", (event) => press(event, target) && event.preventDefault());
  addEventListener("keyup", (event) => target.release(event.key));
}
