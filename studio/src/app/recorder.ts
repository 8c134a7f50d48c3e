// SPDX-License-Identifier: MIT
// What the watched character did, frame by frame, in a ring: the oldest frames make room for new ones. Those around it are
// on a tape of their own, see crowdtape.ts.

export interface Frame {
  readonly poses: Float32Array;
  readonly contacts: number;
  /** Seconds since the scene began. */
  readonly time: number;
}

/** Where in which clip the watched character was. */
export interface ClipMoment {
  readonly clip: number;
  readonly time: number;
}

const MOST_FRAMES = 3600;

export class Recorder {
  private poses = new Float32Array(0);
  private contacts = new Uint16Array(0);
  private times = new Float64Array(0);
  private clips = new Int32Array(0); // -1: none
  private clipTimes = new Float64Array(0);
  private size = 0; // floats of a frame
  private first = 0; // slot of the oldest frame
  private used = 0;

  get count(): number {
    return this.used;
  }

  get capacity(): number {
    return this.times.length;
  }

  /** Forgets everything; frames have `floats` floats from now on, and the last `most` of them are kept. */
  reset(floats: number, most = MOST_FRAMES): void {
    const capacity = Math.max(2, Math.min(MOST_FRAMES, Math.floor(most)));
    if (this.size !== floats || this.times.length !== capacity) {
      this.poses = new Float32Array(capacity * floats);
      this.contacts = new Uint16Array(capacity);
      this.times = new Float64Array(capacity);
      this.clips = new Int32Array(capacity);
      this.clipTimes = new Float64Array(capacity);
      this.size = floats;
    }
    this.first = this.used = 0;
  }

  add(poses: Float32Array, contacts: number, time: number, source: ClipMoment | null = null): void {
    const capacity = this.times.length;
    let slot: number;
    if (this.used < capacity) slot = (this.first + this.used++) % capacity;
    else {
      slot = this.first;
      this.first = (this.first + 1) % capacity;
    }
    this.poses.set(poses, slot * this.size);
    this.contacts[slot] = contacts;
    this.times[slot] = time;
    this.clips[slot] = source?.clip ?? -1;
    this.clipTimes[slot] = source?.time ?? 0;
  }

  /** Frame `index` of those there are, 0 the oldest. Its poses are a view: they change when the ring comes round. */
  frame(index: number): Frame {
    const slot = this.slot(index);
    return { poses: this.poses.subarray(slot * this.size, (slot + 1) * this.size), contacts: this.contacts[slot]!, time: this.times[slot]! };
  }

  contactsAt(index: number): number {
    return this.contacts[this.slot(index)]!;
  }

  sourceAt(index: number): ClipMoment | null {
    const slot = this.slot(index);
    return this.clips[slot]! < 0 ? null : { clip: this.clips[slot]!, time: this.clipTimes[slot]! };
  }

  timeAt(index: number): number {
    return this.times[this.slot(index)]!;
  }

  private slot(index: number): number {
    if (index < 0 || index >= this.used) throw new RangeError(`frame ${index} of ${this.used}`);
    return (this.first + index) % this.times.length;
  }
}
