// SPDX-License-Identifier: MIT
// .lope files and scene files: fetched once, opened by the library, kept as long as the page lives.
import { type Pointer } from "./bindings";
import { type Lope, LopeError } from "./lope";

/** Files of the page itself, and files that were dropped on it and take their place. */
export class Assets {
  private readonly files = new Map<string, Promise<Uint8Array>>();
  private readonly opened = new Map<string, Promise<Pointer>>();

  constructor(
    private readonly lope: Lope,
    private readonly progress: (name: string, share: number) => void = () => {},
    private readonly base = "",
  ) {}

  /** Bytes of a file below the page, e.g. "data/mobility.lope". */
  bytes(path: string): Promise<Uint8Array> {
    let file = this.files.get(path);
    if (!file) {
      file = this.fetch(path);
      file.catch(() => this.files.delete(path));
      this.files.set(path, file);
    }
    return file;
  }

  async json(path: string): Promise<unknown> {
    const text = new TextDecoder().decode(await this.bytes(path));
    try {
      return JSON.parse(text);
    } catch (problem) {
      throw new LopeError(`${path}: ${(problem as Error).message}`);
    }
  }

  /** Opens a .lope file with one of the bridge's functions: `open(data, size, name)`. */
  open<T extends string>(path: string, open: (data: Pointer, size: number, name: Pointer<"char">) => Pointer<T>): Promise<Pointer<T>> {
    let asset = this.opened.get(path) as Promise<Pointer<T>> | undefined;
    if (!asset) {
      asset = this.bytes(path).then((bytes) => this.openBytes(bytes, path, open));
      asset.catch(() => this.opened.delete(path));
      this.opened.set(path, asset as Promise<Pointer>);
    }
    return asset;
  }

  openBytes<T extends string>(bytes: Uint8Array, name: string, open: (data: Pointer, size: number, name: Pointer<"char">) => Pointer<T>): Pointer<T> {
    const data = this.lope.keepFile(bytes);
    try {
      return this.lope.need(this.lope.withText(name, (text) => open(data, bytes.length, text)));
    } catch (problem) {
      this.lope.c.studio_free(data);
      throw problem;
    }
  }

  /** Puts another file in the place of one of the page's; scenes opened from now on use it. */
  replace(path: string, bytes: Uint8Array): void {
    this.files.set(path, Promise.resolve(bytes));
    this.opened.delete(path);
  }

  has(path: string): boolean {
    return this.files.has(path);
  }

  forget(path: string): void {
    this.files.delete(path);
    this.opened.delete(path);
  }

  /** Puts something that is open in the place of one of the page's files. */
  keep(path: string, asset: Pointer, bytes?: Uint8Array): void {
    if (bytes) this.files.set(path, Promise.resolve(bytes)); // for those who open it anew, such as workers
    this.opened.set(path, Promise.resolve(asset));
  }

  mobility(): Promise<Pointer<"lope_mobility">> {
    return this.open("data/mobility.lope", (d, s, n) => this.lope.c.studio_mobility_open(d, s, n));
  }

  maps(): Promise<Pointer<"lope_maps">> {
    return this.open("data/maps.lope", (d, s, n) => this.lope.c.studio_maps_open(d, s, n));
  }

  rings(): Promise<Pointer<"lope_rings">> {
    return this.open("data/rings.lope", (d, s, n) => this.lope.c.studio_rings_open(d, s, n));
  }

  set(): Promise<Pointer<"lope_set">> {
    return this.open("data/set.lope", (d, s, n) => this.lope.c.studio_set_open(d, s, n));
  }

  tile(): Promise<Pointer<"lope_tile">> {
    return this.open("data/tile.lope", (d, s, n) => this.lope.c.studio_tile_open(d, s, n));
  }

  blocks(): Promise<Pointer<"lope_blocks">> {
    return this.open("data/blocks.lope", (d, s, n) => this.lope.c.studio_blocks_open(d, s, n));
  }

  /** Walking, gaits and what is done at things, of one body; to be closed by its user. */
  async moves(): Promise<Pointer<"lope_moves">> {
    const [walking, rings, blocks] = await Promise.all([this.mobility(), this.rings(), this.blocks()]);
    return this.lope.need(this.lope.c.studio_moves_join(walking, rings, blocks));
  }

  private async fetch(path: string): Promise<Uint8Array> {
    const response = await fetch(this.base + path);
    if (!response.ok || !response.body) throw new LopeError(`${path}: the server answered ${response.status}`);
    const total = Number(response.headers.get("content-length")) || 0;
    const parts: Uint8Array[] = [];
    let size = 0;
    for (const reader = response.body.getReader(); ; ) {
      const { done, value } = await reader.read();
      if (done) break;
      parts.push(value);
      size += value.length;
      this.progress(path, total ? Math.min(size / total, 1) : 0);
    }
    this.progress(path, 1);
    const bytes = new Uint8Array(size);
    let at = 0;
    for (const part of parts) {
      bytes.set(part, at);
      at += part.length;
    }
    return bytes;
  }
}
