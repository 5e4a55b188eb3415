// Builds every entry there is into the folder that the wheel carries. An entry is what a page loads by its name.
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

import { defineConfig } from "vite";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const ENTRIES = { app: "app/main.ts", canvas: "canvas/main.tsx" };
const there = Object.entries(ENTRIES).filter(([, path]) => existsSync(here(path)));

export default defineConfig({
  root: here("."),
  base: "/bundle/",
  publicDir: false,
  build: {
    outDir: here("../src/zhixing/faces/web/bundle"),
    emptyOutDir: true,
    assetsDir: "",
    manifest: "manifest.json",
    target: "es2022",
    modulePreload: { polyfill: false },
    // What pages may load is a file of its own: nothing is put into another as data.
    assetsInlineLimit: 0,
    rollupOptions: { input: Object.fromEntries(there.map(([name, path]) => [name, here(path)])) },
  },
});
