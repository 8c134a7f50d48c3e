// SPDX-License-Identifier: MIT
// The worker's side of work beside the page: a module of its own, one file opened in it, requests answered one by one.
import type { FromWorker, ToWorker } from "./background";
import type { Pointer } from "./bindings";
import { Lope } from "./lope";

const LOOK_EVERY = 40; // milliseconds

/** (module (import "e" "f" (func (param f64) (result i32))) (export "f" (func 0))): makes a function of ours one that the
 * library can call. The library itself imports nothing. */
const LINK = Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0, 1, 6, 1, 0x60, 1, 0x7c, 1, 0x7f, 2, 7, 1, 1, 0x65, 1, 0x66, 0, 0, 7, 5, 1, 1, 0x66, 0, 0);

/** Lets the library report how far it is, and be stopped: 0 stops it. */
export function watch(lope: Lope, report: (share: number) => number): void {
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(LINK), { e: { f: report } });
  const table = lope.c.__indirect_function_table;
  const at = table.grow(1);
  table.set(at, exports.f);
  lope.c.studio_watch_with(at as Pointer<"studio_watch">);
}

/** Whether an address that the page made still leads to something; it takes that away to be heard. */
function goesOn(address: string): boolean {
  try {
    const request = new XMLHttpRequest();
    request.open("GET", address, false);
    request.send();
    return request.status === 200;
  } catch {
    return false;
  }
}

/** Serves the page: `begin` with the module and the file that was handed over, then `answer` to each request. */
export function serve<Q, A>(begin: (lope: Lope, data: Uint8Array) => void, answer: (lope: Lope, request: Q) => A): void {
  let lope: Lope, asked: { id: number; goOn: string; looked: number; hears: boolean };
  const send = (message: FromWorker<A>) => postMessage(message);
  const report = (share: number): number => {
    const now = performance.now();
    if (now - asked.looked < LOOK_EVERY) return 1;
    asked.looked = now;
    send({ kind: "progress", id: asked.id, share });
    return !asked.hears || goesOn(asked.goOn) ? 1 : 0;
  };
  const take = (id: number, request: Q): FromWorker<A> => {
    try {
      return { kind: "answer", id, answer: answer(lope, request) };
    } catch (problem) {
      return { kind: "problem", id, message: (problem as Error).message };
    }
  };
  addEventListener("message", ({ data }: MessageEvent<ToWorker<Q>>) => {
    if (data.kind === "begin") {
      lope = new Lope(new WebAssembly.Module(data.wasm as BufferSource));
      watch(lope, report);
      return begin(lope, data.data);
    }
    asked = { id: data.id, goOn: data.goOn, looked: performance.now(), hears: goesOn(data.goOn) };
    if (asked.hears) send({ kind: "hears", id: data.id });
    send(take(data.id, data.request));
  });
}
