// SPDX-License-Identifier: MIT
// Undo and redo over snapshots of plain data.

export class History {
  private states: string[] = [];
  private at = -1;

  constructor(private readonly limit = 200) {}

  /** Begins anew with a state that cannot be undone. */
  reset(state: unknown): void {
    this.states = [JSON.stringify(state)];
    this.at = 0;
  }

  /** Remembers a state; what was undone is forgotten. The same state twice counts once. */
  push(state: unknown): void {
    const text = JSON.stringify(state);
    if (text === this.states[this.at]) return;
    this.states.length = this.at + 1;
    this.states.push(text);
    if (this.states.length > this.limit) this.states.shift();
    this.at = this.states.length - 1;
  }

  get canUndo(): boolean {
    return this.at > 0;
  }

  get canRedo(): boolean {
    return this.at + 1 < this.states.length;
  }

  undo(): unknown {
    return this.canUndo ? JSON.parse(this.states[--this.at]!) : undefined;
  }

  redo(): unknown {
    return this.canRedo ? JSON.parse(this.states[++this.at]!) : undefined;
  }
}
