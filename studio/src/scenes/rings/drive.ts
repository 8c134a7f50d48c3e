// SPDX-License-Identifier: MIT
// What a hand at the keys or at a gamepad wants: a direction on the screen, how far, and whether to run.

export interface Wish {
  /** To the right of the screen, and away from the eye: at most 1 long. */
  readonly right: number;
  readonly ahead: number;
  readonly run: boolean;
}

const KEYS: Record<string, readonly [number, number]> = {
  w: [0, 1], s: [0, -1], a: [-1, 0], d: [1, 0],
  arrowup: [0, 1], arrowdown: [0, -1], arrowleft: [-1, 0], arrowright: [1, 0],
};
const DEAD = 0.2; // of a stick that nobody touches

/** Keys that are down now. */
export class Keys {
  private readonly down = new Set<string>();
  private run = false;

  /** Takes a key; false where it is not one to drive with. */
  key(key: string, down: boolean): boolean {
    const name = key.toLowerCase();
    if (name === "shift") {
      this.run = down;
      return false;
    }
    if (!(name in KEYS)) return false;
    if (down) this.down.add(name);
    else this.down.delete(name);
    return true;
  }

  release(): void {
    this.down.clear();
    this.run = false;
  }

  wish(): Wish | null {
    let right = 0, ahead = 0;
    for (const name of this.down) {
      right += KEYS[name]![0];
      ahead += KEYS[name]![1];
    }
    const length = Math.hypot(right, ahead);
    return length > 0 ? { right: right / length, ahead: ahead / length, run: this.run } : null;
  }
}

/** A stick: what lies within the dead zone is nothing, and the rest begins there. */
export function stickWish(x: number, y: number, run: boolean): Wish | null {
  const length = Math.hypot(x, y);
  if (!(length > DEAD)) return null;
  const share = Math.min(1, (length - DEAD) / (1 - DEAD)) / length;
  return { right: x * share, ahead: -y * share, run };
}

/** The first gamepad with a stick: A or the right trigger runs. */
export function gamepadWish(pads: readonly (Gamepad | null)[]): Wish | null {
  for (const pad of pads) {
    if (!pad?.connected || pad.axes.length < 2) continue;
    const wish = stickWish(pad.axes[0]!, pad.axes[1]!, !!pad.buttons[0]?.pressed || !!pad.buttons[7]?.pressed);
    if (wish) return wish;
  }
  return null;
}

/** The direction on the ground, radians from +Z towards +X, as seen by an eye that looks along (x, z). */
export function directionOf(wish: Wish, lookX: number, lookZ: number): number {
  return Math.atan2(wish.ahead * lookX - wish.right * lookZ, wish.ahead * lookZ + wish.right * lookX);
}
