// SPDX-License-Identifier: MIT
// Time: playing, pausing, slow motion, single steps, and going back to any moment that was recorded.
import { byId } from "../ui/dom";
import { drawContactBars } from "./contactbars";
import type { Recorder } from "./recorder";

/** Pure bookkeeping of what is shown: now, or a frame of the past. */
export class Clock {
  playing = true;
  speed = 1;
  /** Frame of the recording that is shown; -1: now. */
  past = -1;
  private owed = 0; // seconds not yet played

  /** Steps to play for `seconds` of real time. */
  steps(seconds: number, rate: number, most: number): number {
    if (!this.playing) return 0;
    this.owed += seconds * this.speed;
    const steps = Math.floor(this.owed * rate + 1e-9);
    this.owed -= steps / rate;
    if (steps > most) {
      this.owed = 0; // too slow a machine: time goes slower instead of the page standing still
      return most;
    }
    return steps;
  }

  get live(): boolean {
    return this.past < 0;
  }

  /** Goes `by` frames on or back among `count`; true where a new one has to be computed. */
  move(by: number, count: number): boolean {
    const at = (this.past < 0 ? count - 1 : this.past) + by;
    if (at >= count) {
      this.past = -1;
      return by > 0;
    }
    this.past = Math.max(0, at);
    return false;
  }

  seek(frame: number, count: number): void {
    this.past = frame >= count - 1 ? -1 : Math.max(0, frame);
  }

  now(): void {
    this.past = -1;
    this.owed = 0;
  }
}

export class Timeline {
  readonly clock = new Clock();
  private readonly play = byId<HTMLButtonElement>("play");
  private readonly scrub = byId<HTMLInputElement>("scrub");
  private readonly live = byId<HTMLButtonElement>("live");
  private readonly output = byId<HTMLOutputElement>("clock");
  private readonly bars = byId<HTMLCanvasElement>("bars");
  private readonly speed = byId<HTMLSelectElement>("speed");

  constructor(private readonly recorder: Recorder, private readonly stepOnce: () => void) {
    this.play.addEventListener("click", () => this.toggle());
    byId("back").addEventListener("click", () => this.step(-1));
    byId("next").addEventListener("click", () => this.step(1));
    this.live.addEventListener("click", () => this.goLive());
    this.scrub.addEventListener("input", () => {
      this.pause();
      this.clock.seek(Number(this.scrub.value), this.recorder.count);
    });
    this.speed.addEventListener("change", () => (this.clock.speed = Number(this.speed.value)));
  }

  /** How many seconds of the past can be gone back to. */
  keeps(seconds: number): void {
    const text = `Time; the last ${Math.round(seconds)} seconds are kept`;
    this.scrub.title = text;
    this.scrub.setAttribute("aria-label", text);
    this.output.title = text;
  }

  toggle(): void {
    this.clock.playing = !this.clock.playing;
    this.refreshButton();
  }

  pause(): void {
    this.clock.playing = false;
    this.refreshButton();
  }

  resume(): void {
    this.clock.playing = true;
    this.refreshButton();
  }

  step(by: number): void {
    this.pause();
    if (this.clock.move(by, this.recorder.count)) this.stepOnce();
  }

  goLive(): void {
    this.clock.now();
    this.resume();
  }

  changeSpeed(by: number): void {
    this.speed.selectedIndex = Math.min(this.speed.options.length - 1, Math.max(0, this.speed.selectedIndex + by));
    this.clock.speed = Number(this.speed.value);
  }

  private refreshButton(): void {
    this.play.classList.toggle("paused", !this.clock.playing);
    this.play.setAttribute("aria-label", this.clock.playing ? "Pause" : "Play");
  }

  draw(): void {
    const count = this.recorder.count;
    const at = this.clock.live ? count - 1 : this.clock.past;
    const slots = Math.max(count, Math.min(this.recorder.capacity, 600));
    this.scrub.max = String(Math.max(1, slots - 1));
    if (document.activeElement !== this.scrub || this.clock.playing) this.scrub.value = String(Math.max(0, at));
    const time = count ? this.recorder.timeAt(Math.max(0, at)) : 0;
    const text = `${time.toFixed(2)} s`;
    this.output.textContent = text;
    this.scrub.setAttribute("aria-valuetext", text);
    this.live.hidden = this.clock.live;
    drawContactBars(this.bars, this.recorder, Math.max(0, at), slots);
  }
}
