// SPDX-License-Identifier: MIT
// Work beside the page: one request at a time, which can be stopped at any moment, also before the worker is there.
import { beforeEach, describe, expect, it } from "vitest";
import type { Assets } from "../../src/lope/assets";
import { Background, type FromWorker, type ToWorker } from "../../src/lope/background";

class FakeWorker {
  static made: FakeWorker[] = [];
  onmessage: (event: { data: FromWorker<string> }) => void = () => {};
  onerror: (event: { message: string }) => void = () => {};
  readonly heard: ToWorker<string>[] = [];
  ended = false;
  constructor() {
    FakeWorker.made.push(this);
  }
  postMessage(message: ToWorker<string>): void {
    this.heard.push(message);
  }
  terminate(): void {
    this.ended = true;
  }
  tell(message: FromWorker<string>): void {
    this.onmessage({ data: message });
  }
  get asked(): number[] {
    return this.heard.flatMap((m) => (m.kind === "ask" ? [m.id] : []));
  }
}

/** Files that arrive when the test says so. */
function slowAssets() {
  const gates: (() => void)[] = [];
  const assets = { bytes: () => new Promise((resolve) => gates.push(() => resolve(new Uint8Array(4)))) } as unknown as Assets;
  const arrive = async () => {
    gates.splice(0).forEach((open) => open());
    await new Promise((later) => setTimeout(later, 0));
  };
  return { assets, arrive };
}

describe("work beside the page", () => {
  beforeEach(() => (FakeWorker.made = []));
  const begin = () => {
    const { assets, arrive } = slowAssets();
    return { arrive, work: new Background<string, string>(assets, "data", () => new FakeWorker() as unknown as Worker) };
  };

  it("answers", async () => {
    const { work, arrive } = begin();
    const answer = work.ask("question");
    expect(work.busy).toBe(true);
    await arrive();
    const [worker] = FakeWorker.made;
    worker!.tell({ kind: "answer", id: worker!.asked[0]!, answer: "yes" });
    expect(await answer).toBe("yes");
    expect([work.busy, work.fresh]).toEqual([false, false]);
  });

  it("is stopped while files are still fetched, and no worker is left behind", async () => {
    const { work, arrive } = begin();
    const answer = work.ask("question");
    work.stop();
    await expect(answer).rejects.toThrow("stopped");
    expect(work.busy).toBe(false);
    await arrive();
    expect(FakeWorker.made).toHaveLength(0);
    const again = work.ask("another");
    await arrive();
    FakeWorker.made[0]!.tell({ kind: "answer", id: FakeWorker.made[0]!.asked[0]!, answer: "fine" });
    expect(await again).toBe("fine");
  });

  it("asks one worker once where a request takes the place of one that waits for files", async () => {
    const { work, arrive } = begin();
    const first = work.ask("first"), replaced = expect(first).rejects.toThrow("took its place");
    const second = work.ask("second");
    await arrive();
    await replaced;
    expect(FakeWorker.made).toHaveLength(1);
    expect(FakeWorker.made[0]!.asked).toHaveLength(1);
    FakeWorker.made[0]!.tell({ kind: "answer", id: FakeWorker.made[0]!.asked[0]!, answer: "second" });
    expect(await second).toBe("second");
  });

  it("is stopped by the address it looks at where the worker hears, and ended where it does not", async () => {
    const { work, arrive } = begin();
    const heard = work.ask("question");
    await arrive();
    const [worker] = FakeWorker.made, id = worker!.asked[0]!;
    worker!.tell({ kind: "hears", id });
    work.stop();
    expect([worker!.ended, work.busy]).toEqual([false, true]);
    worker!.tell({ kind: "answer", id, answer: "as far as it came" });
    expect(await heard).toBe("as far as it came");
    const deaf = work.ask("question");
    work.stop();
    await expect(deaf).rejects.toThrow("stopped");
    expect([worker!.ended, work.fresh]).toEqual([true, true]);
  });

  it("hears errors of the worker that is at work, not of one that was ended", async () => {
    const { work, arrive } = begin();
    const first = work.ask("first");
    await arrive();
    work.stop();
    await expect(first).rejects.toThrow("stopped");
    const second = work.ask("second"), failed = expect(second).rejects.toThrow("out of memory");
    await arrive();
    const [old, worker] = FakeWorker.made;
    old!.onerror({ message: "too late" });
    expect([worker!.ended, work.busy]).toEqual([false, true]);
    worker!.onerror({ message: "out of memory" });
    await failed;
    expect([worker!.ended, work.busy]).toEqual([true, false]);
  });

  it("says what kept files from coming", async () => {
    const assets = { bytes: () => Promise.reject(new Error("rings.lope: not found")) } as unknown as Assets;
    const work = new Background<string, string>(assets, "data", () => new FakeWorker() as unknown as Worker);
    await expect(work.ask("question")).rejects.toThrow("rings.lope: not found");
    expect(work.busy).toBe(false);
  });
});
