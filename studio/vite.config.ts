// SPDX-License-Identifier: MIT
import { defineConfig } from "vite";

// A static site with relative paths: it works from any folder of any file server. studio.wasm, data/ and scenes/ are laid
// beside it by scripts/studio.
export default defineConfig({
  base: "./",
  publicDir: false,
  build: {
    outDir: "../build/studio/site",
    emptyOutDir: false,
    target: "es2022",
    chunkSizeWarningLimit: 1500,
    assetsDir: "assets",
  },
  server: { fs: { allow: [".."] } },
});
