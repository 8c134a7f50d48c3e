// SPDX-License-Identifier: MIT
// A plain file server: no more than any host of static files does.
import { createReadStream, statSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join, normalize } from "node:path";

const types = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".json": "application/json", ".wasm": "application/wasm" };

/** Serves a folder on a free port of the loopback, below `prefix`; resolves to { url, close }. */
export function serve(folder, prefix = "/some/folder/") {
  const server = createServer((request, response) => {
    const path = decodeURIComponent(new URL(request.url, "http://x").pathname);
    const file = join(folder, normalize(path.slice(prefix.length) || "index.html"));
    try {
      if (!path.startsWith(prefix) || !file.startsWith(folder)) throw new Error("outside");
      const { size } = statSync(file);
      response.writeHead(200, { "content-type": types[extname(file)] ?? "application/octet-stream", "content-length": size });
      createReadStream(file).pipe(response);
    } catch {
      response.writeHead(404).end();
    }
  });
  return new Promise((resolve) =>
    server.listen(0, "127.0.0.1", () =>
      resolve({ url: `http://127.0.0.1:${server.address().port}${prefix}`, close: () => server.close() })));
}
