// SPDX-License-Identifier: MIT
// The page's side of the worker that plans.
import type { Assets } from "../../lope/assets";
import { LopeError } from "../../lope/lope";
import type { FromWorker, Plan, SolveRequest, ToWorker } from "./plan";

export class Solver {
  private worker: Worker | null = null;
  private refuse: ((reason: Error) => void) | null = null;

  /** The worker that made the last plan is gone, and what can be taken back with it. */
  forgot = true;

  constructor(private readonly assets: Assets) {}

  get busy(): boolean {
    return this.refuse !== null;
  }

  async solve(request: SolveRequest): Promise<Plan> {
    this.stop();
    const worker = this.worker ?? (await this.start());
    return new Promise<Plan>((resolve, reject) => {
      this.refuse = reject;
      worker.onmessage = (event: MessageEvent<FromWorker>) => {
        this.refuse = null;
        this.forgot &&= event.data.kind !== "plan";
        if (event.data.kind === "plan") resolve(event.data.plan);
        else reject(new LopeError(event.data.message));
      };
      worker.onerror = (event) => {
        this.end();
        reject(new LopeError(event.message || "the planner could not be started"));
      };
      this.send(worker, { kind: "solve", ...request });
    });
  }

  private async start(): Promise<Worker> {
    const [wasm, rings] = await Promise.all([this.assets.bytes("studio.wasm"), this.assets.bytes("data/rings.lope")]);
    this.worker ??= new Worker(new URL("./worker.ts", import.meta.url), { type: "module" });
    this.send(this.worker, { kind: "begin", wasm, rings });
    return this.worker;
  }

  private send(worker: Worker, message: ToWorker): void {
    worker.postMessage(message);
  }

  /** Ends a search that is under way; who waits for it is told. */
  stop(): void {
    const refuse = this.refuse;
    if (!refuse) return;
    this.end();
    refuse(new LopeError("stopped"));
  }

  end(): void {
    this.worker?.terminate();
    this.worker = null;
    this.refuse = null;
    this.forgot = true;
  }
}
