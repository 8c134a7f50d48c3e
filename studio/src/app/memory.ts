// SPDX-License-Identifier: MIT
// What was changed: undone, done again, and carried by links.
import { byId } from "../ui/dom";
import { History } from "./history";
import { readLink, writeLink } from "./link";

export interface Remembered {
  sceneId(): string;
  /** Of the scene that is open; undefined: none is. */
  state(): unknown;
  restore(state: unknown): void;
  /** Opens a link that somebody put into the address. */
  open(scene: string, state: unknown): void;
  say(text: string): void;
}

export class Memory {
  private readonly history = new History();
  private ownHash = "";

  constructor(private readonly of: Remembered) {
    byId("undo").addEventListener("click", () => this.undo());
    byId("redo").addEventListener("click", () => this.redo());
    byId("share").addEventListener("click", () => void this.share());
    addEventListener("hashchange", () => {
      const link = readLink(location.hash);
      if (link && location.hash !== this.ownHash) of.open(link.scene, link.state);
    });
  }

  /** A scene begins: nothing of it was changed yet. */
  begin(): void {
    this.history.reset(this.of.state());
    this.refresh();
  }

  push(): void {
    this.history.push(this.of.state());
    this.refresh();
  }

  undo(): void {
    this.restore(this.history.undo(), "Undone");
  }

  redo(): void {
    this.restore(this.history.redo(), "Done again");
  }

  async share(): Promise<void> {
    this.write(true);
    try {
      await navigator.clipboard.writeText(location.href);
      this.of.say("The link is in the clipboard");
    } catch {
      this.of.say("The link is in the address bar");
    }
  }

  private restore(state: unknown, news: string): void {
    if (state === undefined) return;
    this.of.restore(state);
    this.refresh();
    this.of.say(news);
  }

  private refresh(): void {
    byId<HTMLButtonElement>("undo").disabled = !this.history.canUndo;
    byId<HTMLButtonElement>("redo").disabled = !this.history.canRedo;
    this.write(this.history.canUndo);
  }

  private write(whole: boolean): void {
    const state = whole ? this.of.state() : undefined;
    this.ownHash = writeLink({ scene: this.of.sceneId(), ...(state !== undefined && { state }) });
    history.replaceState(null, "", this.ownHash);
  }
}
