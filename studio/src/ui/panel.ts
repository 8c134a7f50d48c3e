// SPDX-License-Identifier: MIT
// Controls of a scene: each with a label, reachable by keyboard. Setters change what is shown without calling back.
import { el, freshId } from "./dom";

export interface Field<T> {
  get(): T;
  set(value: T): void;
  readonly element: HTMLElement;
}

export interface SliderOptions {
  readonly label: string;
  readonly min: number;
  readonly max: number;
  readonly step?: number;
  readonly value: number;
  /** Even steps of the logarithm: for counts from one to thousands. */
  readonly logarithmic?: boolean;
  readonly show?: (value: number) => string;
  /** While it moves. */
  readonly input?: (value: number) => void;
  /** When it rests. */
  readonly change?: (value: number) => void;
}

const LOG_STEPS = 400;

export class Panel {
  constructor(readonly root: HTMLElement) {}

  clear(): void {
    this.root.replaceChildren();
  }

  heading(text: string): void {
    this.root.append(el("h3", {}, text));
  }

  note(text: string): HTMLElement {
    const note = el("p", { class: "note" }, text);
    this.root.append(note);
    return note;
  }

  slider(options: SliderOptions): Field<number> {
    const { min, max, logarithmic = false, step = logarithmic ? 1 : (max - min) / 100 } = options;
    const id = freshId();
    const show = options.show ?? ((v: number) => String(Number(v.toFixed(2))));
    const toTrack = (v: number) => (logarithmic ? (LOG_STEPS * Math.log(v / min)) / Math.log(max / min) : v);
    const fromTrack = (t: number) => (logarithmic ? Math.round((min * (max / min) ** (t / LOG_STEPS)) / step) * step : t);
    const input = el("input", {
      type: "range", id, min: logarithmic ? 0 : min, max: logarithmic ? LOG_STEPS : max, step: logarithmic ? 1 : step,
    });
    const output = el("output", { for: id });
    let value = options.value;
    const refresh = () => {
      output.textContent = show(value);
      input.setAttribute("aria-valuetext", show(value));
    };
    const take = () => {
      value = Math.min(max, Math.max(min, fromTrack(Number(input.value))));
      refresh();
    };
    input.value = String(toTrack(value));
    refresh();
    input.addEventListener("input", () => (take(), options.input?.(value)));
    input.addEventListener("change", () => (take(), options.change?.(value)));
    const element = el("div", { class: "field slider" }, el("label", { for: id }, options.label), output, input);
    this.root.append(element);
    return {
      element,
      get: () => value,
      set: (v) => {
        value = v;
        input.value = String(toTrack(v));
        refresh();
      },
    };
  }

  toggle(label: string, value: boolean, change: (value: boolean) => void): Field<boolean> {
    const id = freshId();
    const input = el("input", { type: "checkbox", id });
    input.checked = value;
    input.addEventListener("change", () => change(input.checked));
    const element = el("div", { class: "field toggle" }, input, el("label", { for: id }, label));
    this.root.append(element);
    return { element, get: () => input.checked, set: (v) => void (input.checked = v) };
  }

  select(label: string, choices: readonly (readonly [string, string])[], value: string, change: (value: string) => void): Field<string> {
    const id = freshId();
    const select = el("select", { id }, ...choices.map(([key, text]) => el("option", { value: key }, text)));
    select.value = value;
    select.addEventListener("change", () => change(select.value));
    const element = el("div", { class: "field" }, el("label", { for: id }, label), select);
    this.root.append(element);
    return { element, get: () => select.value, set: (v) => void (select.value = v) };
  }

  /** Buttons in a row. */
  buttons(...list: readonly (readonly [string, () => void])[]): HTMLButtonElement[] {
    const buttons = list.map(([label, press]) => el("button", { type: "button", onclick: press }, label));
    this.root.append(el("div", { class: "row" }, ...buttons));
    return buttons;
  }

  /** One of several tools; the chosen one is pressed. */
  tools(label: string, choices: readonly (readonly [string, string])[], value: string, change: (value: string) => void): Field<string> {
    let chosen = value;
    const buttons = choices.map(([key, text]) =>
      el("button", { type: "button", "data-tool": key, onclick: () => (set(key), change(key)) }, text));
    const set = (key: string) => {
      chosen = key;
      for (const button of buttons) button.setAttribute("aria-pressed", String(button.dataset.tool === key));
    };
    set(value);
    const element = el("div", { class: "row tools", role: "group", "aria-label": label }, ...buttons);
    this.root.append(element);
    return { element, get: () => chosen, set };
  }

  /** A figure that changes: label and value. Screen readers find it but are not told every change. */
  readout(label: string, title = ""): Field<string> {
    const value = el("dd", {}, "–");
    let list = this.root.lastElementChild;
    if (!(list instanceof HTMLDListElement)) this.root.append((list = el("dl", { class: "figures" })));
    const element = el("div", title ? { title } : {}, el("dt", {}, label), value);
    list.append(element);
    return {
      element,
      get: () => value.textContent ?? "",
      set: (v) => {
        if (value.textContent !== v) value.textContent = v;
      },
    };
  }
}
