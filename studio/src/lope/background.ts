// SPDX-License-Identifier: MIT
// The page's side of work that is done beside it, in a worker with a module of its own: see worker.ts.
import type { Assets } from "./assets";
import { LopeError } from "./lope";

export type ToWorker<Q> =
  | { readonly kind: "begin"; readonly wasm: Uint8Array; readonly data: Uint8Array }
  | { readonly kind: "ask"; readonly id: number; readonly request: Q; readonly goOn: string };

export type FromWorker<A> =
  | { readonly kind: "answer"; readonly id: number; readonly answer: A }
  | { readonly kind: "problem"; readonly id: number; readonly message: string }
  | { readonly kind: "progress"; readonly id: number; readonly share: number }
  /** Whether the worker can be asked to stop. */
  | { readonly kind: "hears"; readonly id: number };

interface Waiting<A> {
  readonly id: number;
  readonly goOn: string;
  hears: boolean;
  resolve(answer: A): void;
  reject(why: Error): void;
}

/** One request at a time: a new one takes the place of the one before. */
export class Background<Q, A> {
  private worker: Worker | null = null;
  private waiting: Waiting<A> | null = null;
  private last = 0;
  /** How far the work is, from 0 to 1. */
  onProgress: (share: number) => void = () => {};
  /** The worker is a new one that remembers nothing. */
  fresh = true;

  constructor(private readonly assets: Assets, private readonly data: string, private readonly make: () => Worker) {}

  get busy(): boolean {
    return this.waiting !== null;
  }

  ask(request: Q): Promise<A> {
    this.drop("another one took its place");
    return new Promise<A>((resolve, reject) => {
      // A worker at work hears no messages. But it can look whether this address still leads to something.
      const goOn = URL.createObjectURL(new Blob(["go on"]));
      const waiting = (this.waiting = { id: ++this.last, goOn, hears: false, resolve, reject });
      this.send(waiting, request).catch((problem: Error) => this.waiting === waiting && this.end(problem.message));
    });
  }

  /** It may be stopped, or another one asked for, while files are fetched for the worker. */
  private async send(waiting: Waiting<A>, request: Q): Promise<void> {
    if (!this.worker) {
      const files = await Promise.all([this.assets.bytes("studio.wasm"), this.assets.bytes(this.data)]);
      if (this.waiting !== waiting) return;
      this.worker = this.start(...files);
    }
    this.post(this.worker, { kind: "ask", id: waiting.id, request, goOn: waiting.goOn });
  }

  private start(wasm: Uint8Array, data: Uint8Array): Worker {
    const worker = this.make();
    worker.onmessage = (event: MessageEvent<FromWorker<A>>) => this.told(event.data);
    worker.onerror = (event) => {
      if (this.worker === worker) this.end(event.message || "the worker could not be started"); // not that of an ended one
    };
    this.post(worker, { kind: "begin", wasm, data });
    return worker;
  }

  private post(worker: Worker, message: ToWorker<Q>): void {
    worker.postMessage(message);
  }

  private told(message: FromWorker<A>): void {
    const { waiting } = this;
    if (message.id !== waiting?.id) return;
    if (message.kind === "progress") return this.onProgress(message.share);
    if (message.kind === "hears") return void (waiting.hears = true);
    this.waiting = null;
    URL.revokeObjectURL(waiting.goOn);
    if (message.kind === "problem") return waiting.reject(new LopeError(message.message));
    this.fresh = false;
    waiting.resolve(message.answer);
  }

  /** Asks for what there is by now: the answer comes as usual. Where the worker cannot hear, it is ended. */
  stop(): void {
    if (!this.waiting) return;
    if (!this.waiting.hears) return this.end("stopped");
    URL.revokeObjectURL(this.waiting.goOn);
  }

  /** Nobody waits for the answer any more. */
  private drop(why: string): void {
    const { waiting } = this;
    if (!waiting) return;
    if (!waiting.hears) return this.end(why);
    this.waiting = null;
    URL.revokeObjectURL(waiting.goOn);
    waiting.reject(new LopeError(why));
  }

  end(why = "stopped"): void {
    const { waiting } = this;
    this.worker?.terminate();
    this.worker = this.waiting = null;
    this.fresh = true;
    if (!waiting) return;
    URL.revokeObjectURL(waiting.goOn);
    waiting.reject(new LopeError(why));
  }
}
