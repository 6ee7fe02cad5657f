// Builds the page into ../pysolve/page, where the wheel and the server find it.
//   node build.mjs            build once
//   node build.mjs --watch    build again at each change
import { copyFile, mkdir } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import * as esbuild from "esbuild";

const here = new URL(".", import.meta.url);
const out = fileURLToPath(new URL("../pysolve/page/", here));

const bundle = {
  entryPoints: { app: "src/main.tsx" },
  outdir: out,
  bundle: true,
  format: "esm",
  minify: true,
  target: ["es2022"],
  jsx: "automatic",
  jsxImportSource: "preact",
  legalComments: "linked",
  absWorkingDir: fileURLToPath(here),
  logLevel: "info",
};

// What an exported game carries: scripts that run from a file, without modules.
const core = {
  ...bundle,
  entryPoints: { "export-core": "src/export/core.ts" },
  format: "iife",
  globalName: "PysolveCore",
};

await mkdir(out, { recursive: true });
await copyFile(fileURLToPath(new URL("src/index.html", here)), `${out}index.html`);
if (process.argv.includes("--watch")) {
  const context = await esbuild.context(bundle);
  await context.watch();
  await (await esbuild.context(core)).watch();
} else {
  await esbuild.build(bundle);
  await esbuild.build(core);
}
