// SPDX-License-Identifier: MIT
// Draws with less detail where pictures come too slowly. It only goes down: going up and down again would be seen.

const SLOW = 45; // milliseconds between pictures
const PATIENCE = 12; // slow pictures in a row

export class Quality {
  level: number;
  private slow = 0;

  constructor(private readonly apply: (level: number) => void, private readonly lowest = 4, level = 0) {
    this.level = level;
    apply(level);
  }

  /** Milliseconds between pictures at least: where drawing takes the processor, walking needs some of it too. */
  get pause(): number {
    return this.level > this.lowest ? 200 : this.level === this.lowest ? 60 : 0;
  }

  /** A picture took so long to come; `busy` of it were the simulation's own work. */
  told(milliseconds: number, busy: number): void {
    this.slow = milliseconds - busy > SLOW ? this.slow + 1 : Math.max(0, this.slow - 2);
    if (this.slow < PATIENCE || this.level >= this.lowest) return;
    this.slow = 0;
    this.apply(++this.level);
  }
}
