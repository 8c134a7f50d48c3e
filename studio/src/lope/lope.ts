// SPDX-License-Identifier: MIT
// The module and its memory: text, arrays and files cross the bridge here.
import { type Bridge, type Pointer } from "./bindings";

/** What the library said, in the tool's own words. */
export class LopeError extends Error {
  override name = "LopeError";
}

export class Lope {
  readonly c: Bridge;

  constructor(module: WebAssembly.Module) {
    this.c = new WebAssembly.Instance(module).exports as unknown as Bridge;
    this.c._initialize?.();
  }

  static async load(url: string): Promise<Lope> {
    const response = await fetch(url);
    if (!response.ok) throw new LopeError(`${url}: the server answered ${response.status}`);
    return new Lope(await WebAssembly.compile(await response.arrayBuffer()));
  }

  /** Memory for `count` floats. Views of it (see `floats`) do not outlive the next call that may allocate. */
  allocate<T extends string>(bytes: number): Pointer<T> {
    return this.need(this.c.studio_alloc(bytes)) as Pointer<T>;
  }

  floats(at: Pointer<"float"> | Pointer, count: number): Float32Array {
    return new Float32Array(this.c.memory.buffer, at, count);
  }

  doubles(at: Pointer<"double"> | Pointer, count: number): Float64Array {
    return new Float64Array(this.c.memory.buffer, at, count);
  }

  ints(at: Pointer<"int"> | Pointer, count: number): Int32Array {
    return new Int32Array(this.c.memory.buffer, at, count);
  }

  text(at: Pointer<"char">): string {
    const bytes = new Uint8Array(this.c.memory.buffer, at);
    return new TextDecoder().decode(bytes.subarray(0, bytes.indexOf(0)));
  }

  /** Calls with a zero-terminated copy of a text. */
  withText<R>(text: string, call: (at: Pointer<"char">) => R): R {
    const bytes = new TextEncoder().encode(text.replace(/\0/g, ""));
    const at = this.allocate<"char">(bytes.length + 1);
    const view = new Uint8Array(this.c.memory.buffer, at, bytes.length + 1);
    view.set(bytes);
    view[bytes.length] = 0;
    try {
      return call(at);
    } finally {
      this.c.studio_free(at);
    }
  }

  /** Calls with a copy of numbers, as floats. */
  withFloats<R>(values: ArrayLike<number>, call: (at: Pointer<"float">) => R): R {
    const at = this.allocate<"float">(4 * values.length);
    this.floats(at, values.length).set(values);
    try {
      return call(at);
    } finally {
      this.c.studio_free(at);
    }
  }

  /** Copies a file into the module's memory, aligned as the library wants it. */
  keepFile(bytes: Uint8Array): Pointer {
    const at = this.allocate(bytes.length);
    new Uint8Array(this.c.memory.buffer, at, bytes.length).set(bytes);
    return at;
  }

  /** The file that was written last (BVH, GLB, SVG). */
  writtenFile(): Uint8Array<ArrayBuffer> {
    return new Uint8Array(this.c.memory.buffer as ArrayBuffer, this.c.studio_written(), this.c.studio_written_size()).slice();
  }

  /** A pointer, or the library's complaint as an exception. */
  need<T extends string>(pointer: Pointer<T>): Pointer<T> {
    if (!pointer) throw new LopeError(this.lastError());
    return pointer;
  }

  lastError(): string {
    return this.text(this.c.studio_error()) || "no memory is left";
  }
}

/** Room for numbers in the module that is made once and grows. */
export class Buffer {
  at = 0 as Pointer;
  private bytes = 0;

  constructor(private readonly lope: Lope) {}

  room(bytes: number): Pointer {
    if (bytes > this.bytes) {
      this.free();
      this.at = this.lope.allocate(bytes);
      this.bytes = bytes;
    }
    return this.at;
  }

  free(): void {
    this.lope.c.studio_free(this.at);
    this.at = 0 as Pointer;
    this.bytes = 0;
  }
}
