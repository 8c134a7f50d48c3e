// SPDX-License-Identifier: MIT
// The server behind the page, where `lope studio` runs it: a folder for the user's work, and builds. A page from a plain file
// server has none, and does without.
import { LopeError } from "../lope/lope";

export interface FolderFile {
  readonly name: string;
  readonly bytes: number;
  readonly etag: string;
}

export interface BuildState {
  readonly id: number;
  readonly out: string;
  readonly state: "waiting" | "running" | "done" | "failed" | "stopped";
  readonly stage: string;
  readonly done: number;
  readonly seconds: number;
  readonly error?: string;
}

export interface BuildOrder {
  readonly kind: string;
  readonly out: string;
  readonly clips: readonly string[];
  readonly mirror: boolean;
  readonly retarget: boolean;
}

/** Progress of a build in words. */
export function buildWords(build: BuildState): string {
  if (build.state === "running") return `${build.stage || "starting"} ${Math.round(100 * Math.max(0, Math.min(1, build.done || 0)))} %`;
  if (build.state === "failed") return build.error ?? "the build failed";
  return { waiting: "waits for others", done: `done in ${build.seconds.toFixed(1)} s`, stopped: "stopped; what was there stays" }[build.state];
}

const KEY = "lope-studio-key";

/**
 * The key of this run of the server comes with the address, behind the #, so no request carries it there. This tab keeps it
 * (other ports and other tabs cannot see it) and the address loses it. Returns whether there was one.
 */
export function takeKey(): boolean {
  const parts = new URLSearchParams(location.hash.slice(1));
  const key = parts.get("key");
  if (!key) return false;
  sessionStorage.setItem(KEY, key);
  parts.delete("key");
  history.replaceState(null, "", `${location.pathname}${location.search}${parts.size ? `#${parts}` : ""}`);
  return true;
}

export class Workshop {
  /** Builds belong to the page that asked. */
  private readonly page = [...crypto.getRandomValues(new Uint8Array(16))].map((b) => b.toString(16).padStart(2, "0")).join("");
  private readonly seen = new Map<string, string>();

  private constructor(private readonly key: string) {}

  folder = "";
  given: readonly { name: string }[] = [];

  /** The server, or null where the page comes from elsewhere. Throws where the server is there but this tab lacks the key. */
  static async find(): Promise<Workshop | null> {
    const head = await fetch("index.html", { method: "HEAD" }).catch(() => null);
    if (!head?.headers.has("x-lope-studio")) return null;
    const found = new Workshop(sessionStorage.getItem(KEY) ?? "");
    return Object.assign(found, (await (await found.ask("state")).json()) as Pick<Workshop, "folder" | "given">);
  }

  private async ask(path: string, options: RequestInit = {}): Promise<Response> {
    const response = await fetch(`api/${path}`, { ...options, headers: { ...(options.headers as Record<string, string>), "X-Lope-Key": this.key } });
    if (response.ok) return response;
    const told = (await response.json().catch(() => ({}))) as { error?: string };
    throw Object.assign(new LopeError(told.error ?? `the server answered ${response.status}`), { status: response.status });
  }

  async files(): Promise<FolderFile[]> {
    const { files } = (await (await this.ask("files")).json()) as { files: FolderFile[] };
    return files;
  }

  async bytes(name: string): Promise<Uint8Array> {
    const response = await this.ask(`files/${encodeURIComponent(name)}`);
    this.seen.set(name, response.headers.get("etag") ?? "");
    return new Uint8Array(await response.arrayBuffer());
  }

  async givenBytes(index: number): Promise<Uint8Array> {
    return new Uint8Array(await (await this.ask(`given/${index}`)).arrayBuffer());
  }

  /**
   * Puts a file into the folder. A version that this page has neither read nor written is overwritten only where `replace`,
   * which is told what the server says, agrees. Returns whether the file is there now.
   */
  async put(name: string, bytes: BlobPart, replace: (why: string) => boolean = (why) => confirm(`${why}. Put this one in its place?`)): Promise<boolean> {
    const send = (etag: string | undefined) =>
      this.ask(`files/${encodeURIComponent(name)}`, { method: "PUT", body: new Blob([bytes]), headers: etag ? { "If-Match": etag } : {} });
    let response: Response;
    try {
      response = await send(this.seen.get(name));
    } catch (problem) {
      const { status, message } = problem as Error & { status?: number };
      if (status !== 412) throw problem;
      if (!replace(message)) return false;
      response = await send("*");
    }
    this.seen.set(name, response.headers.get("etag") ?? "");
    return true;
  }

  /** Starts a build and tells how far it is until it is over. */
  async build(order: BuildOrder, tell: (state: BuildState) => void, stop: AbortSignal): Promise<BuildState> {
    const form = new URLSearchParams({ kind: order.kind, page: this.page, out: order.out });
    for (const clip of order.clips) form.append("clip", clip);
    if (order.mirror) form.set("mirror", "1");
    if (order.retarget) form.set("retarget", "1");
    const started = await this.ask("builds", { method: "POST", body: form.toString(), headers: { "Content-Type": "application/x-www-form-urlencoded" } });
    let state = (await started.json()) as BuildState;
    tell(state);
    const at = `builds/${state.id}?page=${this.page}`;
    const end = () => void this.ask(at, { method: "DELETE" }).catch(() => {});
    if (stop.aborted) end(); // while the order was on its way
    else stop.addEventListener("abort", end);
    while (isOn(state)) {
      state = await this.listen(state, tell);
      if (isOn(state)) state = (await (await this.ask(at)).json()) as BuildState; // the stream broke off: is the build still there?
      tell(state);
    }
    return state;
  }

  /** Tells what the server says about a build, as it comes, until it is over or the connection is. */
  private async listen(state: BuildState, tell: (state: BuildState) => void): Promise<BuildState> {
    try {
      const response = await this.ask(`builds/${state.id}/events?page=${this.page}`); // an EventSource could not send the key
      const stream = response.body!.pipeThrough(new TextDecoderStream()).getReader();
      for (let rest = "", part = await stream.read(); !part.done; part = await stream.read()) {
        const events = (rest + part.value).split("\n\n");
        rest = events.pop()!;
        for (const event of events) tell((state = JSON.parse(event.replace(/^data: /, "")) as BuildState));
      }
    } catch {
      await new Promise((later) => setTimeout(later, 250)); // the caller asks again
    }
    return state;
  }
}

const isOn = ({ state }: BuildState): boolean => state === "waiting" || state === "running";
