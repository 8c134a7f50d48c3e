// SPDX-License-Identifier: MIT
// The export menu: BVH, GLB, SVG of the watched character's recording, PNG of the stage, the scene as a file.
import type { Lope } from "../lope/lope";
import { LopeError } from "../lope/lope";
import type { LiveScene } from "../scenes/scene";
import { byId, download } from "../ui/dom";
import type { Stage } from "../view/stage";
import { type FilmFormat, type FilmSource, writeFilm } from "./grading";

const TYPES = { bvh: "text/plain", glb: "model/gltf-binary", svg: "image/svg+xml" } as const;

export interface ExportSource {
  readonly lope: Lope;
  readonly stage: Stage;
  readonly dark: boolean;
  film(): FilmSource | null;
  scene(): LiveScene | null;
  sceneId(): string;
}

export async function exportAs(kind: string, source: ExportSource): Promise<void> {
  const name = `lope-${source.sceneId()}`;
  if (kind === "png") {
    download(`${name}.png`, await source.stage.png(), "image/png");
    return;
  }
  if (kind === "scene") {
    const file = source.scene()?.sceneFile?.();
    if (!file) throw new LopeError("this scene has no file of its own");
    download(file.name, file.text, "application/json");
    return;
  }
  const film = source.film();
  if (!film) throw new LopeError("there is nobody to export");
  download(`${name}.${kind}`, writeFilm(source.lope, film, kind as FilmFormat, source.dark), TYPES[kind as FilmFormat]);
}

/** The menu: opens with click or keys, closes with Escape or a click elsewhere. */
export function exportMenu(choose: (kind: string) => void): void {
  const button = byId<HTMLButtonElement>("export"), menu = byId<HTMLUListElement>("export-menu");
  const items = [...menu.querySelectorAll("button")];
  const open = (is: boolean) => {
    menu.hidden = !is;
    button.setAttribute("aria-expanded", String(is));
    if (is) items[0]?.focus();
  };
  button.addEventListener("click", () => open(menu.hidden !== false));
  document.addEventListener("pointerdown", (event) => {
    if (!menu.hidden && !(event.target as Element).closest(".menu")) open(false);
  });
  menu.addEventListener("keydown", (event) => {
    const at = items.indexOf(document.activeElement as HTMLButtonElement);
    if (event.key === "Escape") (open(false), button.focus());
    else if (event.key === "ArrowDown") items[(at + 1) % items.length]?.focus();
    else if (event.key === "ArrowUp") items[(at + items.length - 1) % items.length]?.focus();
    else return;
    event.preventDefault();
    event.stopPropagation();
  });
  for (const item of items)
    item.addEventListener("click", () => {
      open(false);
      button.focus();
      choose(item.dataset.export!);
    });
}
