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
  await buildNotebook();
}

/** The widget of a notebook: one module, which holds the document of the frame in which the board is. */
async function buildNotebook() {
  const inside = { ...bundle, legalComments: "inline", write: false, logLevel: "warning" };
  const frame = await esbuild.build({ ...inside, entryPoints: { frame: "src/notebook/frame.tsx" }, format: "iife" });
  const textOf = (ending) => frame.outputFiles.find((file) => file.path.endsWith(ending)).text;
  await esbuild.build({
    ...bundle,
    entryPoints: { notebook: "src/notebook/widget.ts" },
    define: { FRAME: JSON.stringify(documentOf(textOf(".js"), textOf(".css"))) },
  });
}

/** A document that loads nothing: its script and its styles stand in it. */
function documentOf(script, style) {
  const policy = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:";
  return `<!doctype html><html lang="en"><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<title>pysolve</title><style>${style.replaceAll("</style", "<\\/style")}</style></head>
<body><div id="app"></div><script>${script.replaceAll("</script", "<\\/script")}</script></body></html>
`;
}
