// SPDX-License-Identifier: MIT
// The state of the page in the address, behind the #: nothing of it is sent to a server.

export interface Link {
  readonly scene: string;
  readonly state?: unknown;
}

export function writeLink(link: Link): string {
  const parts = [`scene=${encodeURIComponent(link.scene)}`];
  if (link.state !== undefined) {
    const bytes = new TextEncoder().encode(JSON.stringify(link.state, (_, v) => (typeof v === "number" ? Number(v.toFixed(3)) : v)));
    let text = "";
    for (const byte of bytes) text += String.fromCharCode(byte);
    parts.push(`state=${btoa(text).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "")}`);
  }
  return `#${parts.join("&")}`;
}

/** What a link says; null where it says nothing that makes sense. A state that is damaged is left out. */
export function readLink(hash: string): Link | null {
  const parts = new URLSearchParams(hash.replace(/^#/, ""));
  const scene = parts.get("scene");
  if (!scene) return null;
  const packed = parts.get("state");
  if (!packed) return { scene };
  try {
    const text = atob(packed.replace(/-/g, "+").replace(/_/g, "/"));
    return { scene, state: JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(Uint8Array.from(text, (c) => c.charCodeAt(0)))) };
  } catch {
    return { scene };
  }
}
