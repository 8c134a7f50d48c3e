// SPDX-License-Identifier: MIT
// The dialog for the user's own clips: choose some, say what to build, see how far it is, open what came out.
import { byId, el } from "../ui/dom";
import { type BuildOrder, buildWords, type Workshop } from "./workshop";

const KINDS = [["mobility", "Mobility map"], ["maps", "Motion maps"], ["rings", "Motion rings"], ["patches", "Motion patch"]] as const;

export interface WorkshopHost {
  /** Opens a file as if it had been dropped. */
  take(name: string, bytes: Uint8Array): Promise<void>;
  problem(text: string): void;
}

export class WorkshopView {
  private readonly dialog = byId<HTMLDialogElement>("workshop");
  private readonly list = byId("workshop-files");
  private readonly kind = byId<HTMLSelectElement>("build-kind");
  private readonly name = byId<HTMLInputElement>("build-name");
  private readonly progress = byId<HTMLProgressElement>("build-progress");
  private readonly words = byId("build-words");
  private readonly start = byId<HTMLButtonElement>("build-start");
  private readonly stop = byId<HTMLButtonElement>("build-stop");
  private running: AbortController | null = null;

  constructor(private readonly workshop: Workshop, private readonly host: WorkshopHost) {
    this.kind.replaceChildren(...KINDS.map(([value, text]) => el("option", { value }, text)));
    byId("workshop-folder").textContent = workshop.folder;
    const open = byId<HTMLButtonElement>("build");
    open.hidden = false;
    open.addEventListener("click", () => void this.show());
    this.start.addEventListener("click", () => void this.build());
    this.stop.addEventListener("click", () => this.running?.abort());
  }

  async show(): Promise<void> {
    await this.refresh();
    if (!this.dialog.open) this.dialog.showModal();
  }

  /** Files of the folder: clips can be chosen, others opened. */
  async refresh(): Promise<void> {
    const chosen = new Set(this.chosen());
    try {
      const files = await this.workshop.files();
      this.list.replaceChildren(...files.map(({ name }) => {
        const isClip = /\.(bvh|fbx|glb)$/i.test(name);
        const box = el("input", { type: "checkbox", value: name });
        box.checked = isClip && (chosen.has(name) || chosen.size === 0);
        const open = el("button", { type: "button", "aria-label": `Open ${name}`, onclick: () => void this.open(name) }, "Open");
        return el("li", {}, isClip ? el("label", {}, box, ` ${name}`) : el("span", {}, name), ...(/\.(fbx|glb)$/i.test(name) ? [] : [open]));
      }));
      if (files.length === 0) this.list.append(el("li", {}, "Nothing yet: drop clips on the page. Without any, the built-in set is used."));
    } catch (problem) {
      this.host.problem((problem as Error).message);
    }
  }

  private chosen(): string[] {
    return [...this.list.querySelectorAll<HTMLInputElement>("input:checked")].map((box) => box.value);
  }

  private async open(name: string): Promise<void> {
    this.dialog.close();
    try {
      await this.host.take(name, await this.workshop.bytes(name));
    } catch (problem) {
      this.host.problem((problem as Error).message);
    }
  }

  private async build(): Promise<void> {
    const order: BuildOrder = {
      kind: this.kind.value, clips: this.chosen(), out: `${this.name.value.trim().replace(/\.lope$/, "") || this.kind.value}.lope`,
      mirror: byId<HTMLInputElement>("build-mirror").checked, retarget: byId<HTMLInputElement>("build-retarget").checked,
    };
    this.running = new AbortController();
    this.start.disabled = true;
    this.stop.disabled = false;
    this.progress.hidden = false;
    try {
      const last = await this.workshop.build(order, (state) => {
        this.progress.value = state.done || 0;
        this.words.textContent = buildWords(state);
      }, this.running.signal);
      if (last.state === "done") await this.open(last.out);
    } catch (problem) {
      this.words.textContent = (problem as Error).message;
    } finally {
      this.running = null;
      this.start.disabled = false;
      this.stop.disabled = true;
      this.progress.hidden = true;
      await this.refresh();
    }
  }
}
