// SPDX-License-Identifier: MIT
// How good is the motion: what touches, live grades of the watched character, its source clip, time per picture.
import type { Lope } from "../lope/lope";
import type { Field, Panel } from "../ui/panel";
import { contactWords } from "./contactbars";
import { type FilmSource, gradeLast } from "./grading";
import type { Recorder } from "./recorder";

const WINDOW = 4; // seconds that are graded
const EVERY = 500; // milliseconds
const SLOW = 0.85; // of the speed of time that is asked for: less is said

export interface MotionPanelHost {
  readonly lope: Lope;
  readonly recorder: Recorder;
  followChanged(on: boolean): void;
}

export class MotionPanel {
  private readonly contacts: Field<string>;
  private readonly skate: Field<string>;
  private readonly jerk: Field<string>;
  private readonly penetration: Field<string>;
  private readonly cost: Field<string>;
  private readonly pace: Field<string>;
  private readonly follow: Field<boolean>;
  private readonly source: Field<boolean>;
  private readonly clip: Field<string>;
  private readonly own: Field<boolean>;
  private graded = 0;

  constructor(panel: Panel, private readonly host: MotionPanelHost) {
    panel.heading(`Motion, last ${WINDOW} s`);
    this.contacts = panel.readout("Touches");
    this.skate = panel.readout("Skate", "Travel of low feet, cm per second; swinging feet count a little");
    this.jerk = panel.readout("Jerk", "Mean over all joints, and the worst thousandth; m/s³");
    this.penetration = panel.readout("Penetration", "Deepest part of the body below the ground");
    this.cost = panel.readout("Frame", "Milliseconds from picture to picture; of these, moving everybody and drawing");
    this.pace = panel.readout("Time passes", "This machine cannot keep up with the clock");
    this.pace.element.hidden = true;
    this.follow = panel.toggle("Follow with the camera", true, (on) => host.followChanged(on));
    this.source = panel.toggle("Source clip beside it", false, () => {});
    this.own = panel.toggle("Your character", true, () => {});
    this.own.element.hidden = true;
    this.clip = panel.readout("Source");
    this.clip.element.hidden = true;
  }

  get sourceShown(): boolean {
    return this.source.get();
  }

  /** Whether a character of a file is shown in the place of the watched body, where there is one. */
  get ownShown(): boolean {
    return this.own.get();
  }

  /** There is one now. */
  offerOwn(): void {
    this.own.element.hidden = false;
    this.own.set(true);
  }

  toggleFollow(): void {
    this.follow.set(!this.follow.get());
    this.host.followChanged(this.follow.get());
  }

  setFollow(on: boolean): void {
    if (this.follow.get() !== on) this.toggleFollow();
  }

  /** Whether what is played was captured. */
  offerSource(on: boolean): void {
    if (this.source.element.hidden === on) this.source.element.hidden = !on;
  }

  setSource(name: string): void {
    this.clip.element.hidden = !name;
    this.clip.set(name);
  }

  forget(): void {
    for (const field of [this.skate, this.jerk, this.penetration]) field.set("–");
    this.graded = 0;
  }

  draw(now: number, film: FilmSource | null, cost: { step: number; show: number; frame: number; pace: number }, end: number): void {
    if (now - this.graded < EVERY) return;
    this.graded = now;
    const count = this.host.recorder.count;
    if (count) this.contacts.set(contactWords(this.host.recorder.contactsAt(Math.min(end, count) - 1)));
    this.cost.set(`${cost.frame.toFixed(0)} ms: ${cost.step.toFixed(1)} + ${cost.show.toFixed(1)}`);
    this.pace.element.hidden = cost.pace >= SLOW;
    this.pace.set(`${cost.pace.toFixed(1)} × as fast`);
    const grades = film && gradeLast(this.host.lope, film, WINDOW, Math.min(end, count));
    if (!grades) return;
    this.skate.set(`${(film.flat ? grades.skate : grades.plantedSkate).toFixed(1)} cm/s`);
    this.jerk.set(`${grades.jerk.toFixed(0)} · ${grades.worstJerk.toFixed(0)} m/s³`);
    this.penetration.set(film.flat ? `${(100 * Math.max(0, grades.penetration)).toFixed(1)} cm` : "–");
  }
}
