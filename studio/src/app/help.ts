// SPDX-License-Identifier: MIT
// The keyboard help: keys of the page, then those of the scene.
import { byId, el } from "../ui/dom";

const PAGE_KEYS: readonly (readonly [string, string])[] = [
  ["Space", "play or pause"], [", .", "one frame back, one frame on"], ["< >", "slower, faster"], ["End", "back to now"],
  ["F", "follow the character with the camera"], ["V", "look at the whole scene"],
  ["Ctrl+Z", "undo; with Shift redo"], ["R", "begin the scene again"], ["O", "open a file; or drop it on the page"], ["B", "build from your own clips, where lope studio runs"], ["L", "copy a link to what you see"],
  ["T", "light or dark"], ["PageUp PageDown", "previous, next scene"],
  ["Arrows", "on the stage: move a cursor over the ground (Shift: faster)"],
  ["Enter", "on the stage: click there, or pick up and put down"],
  ["+ - [ ]", "on the stage: nearer, farther, turn the camera"], ["?", "this help"],
];

export function showHelp(sceneKeys: readonly (readonly [string, string])[]): void {
  const rows = [...sceneKeys, ...PAGE_KEYS].flatMap(([key, text]) => [
    el("dt", {}, ...key.split(" ").flatMap((k, i) => (i ? [" ", el("kbd", {}, k)] : [el("kbd", {}, k)]))),
    el("dd", {}, text),
  ]);
  byId("help-list").replaceChildren(...rows);
  byId<HTMLDialogElement>("help-dialog").showModal();
}

/** Says what went wrong, in the library's words. */
export function showProblem(text: string): void {
  byId("problem-text").textContent = text;
  const dialog = byId<HTMLDialogElement>("problem");
  if (!dialog.open) dialog.showModal();
}
