// Builds the page into ../pysolve/page, where the wheel and the server find it.
//   node build.mjs            build once
//   node build.mjs FOLDER     build into another folder
//   node build.mjs --watch    build again at each change
import { copyFile, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import * as esbuild from "esbuild";

const here = fileURLToPath(new URL(".", import.meta.url));
const [folder] = process.argv.slice(2).filter((word) => !word.startsWith("--"));
const out = folder ? resolve(folder) : join(here, "../pysolve/page");

const bundle = {
  entryPoints: { app: "src/main.tsx" },
  outdir: out,
  bundle: true,
  format: "esm",
  minify: true,
  charset: "utf8",
  target: ["es2022"],
  jsx: "automatic",
  jsxImportSource: "preact",
  legalComments: "none", // the licences are in a file of their own
  absWorkingDir: here,
  metafile: true,
  logLevel: "warning",
};

// What an exported game carries: scripts that run from a file, without modules; rules are only read there.
const core = {
  ...bundle,
  entryPoints: { "export-core": "src/export/core.ts" },
  format: "iife",
  globalName: "PysolveCore",
};
const lean = {
  name: "lean",
  setup({ onResolve }) {
    const file = (name) => () => ({ path: join(here, "src/export", name) });
    onResolve({ filter: /\/editor_place\.tsx$/ }, file("reader.tsx"));
    onResolve({ filter: /\/(home|balance|clauses|query)\.tsx$/ }, file("absent.tsx"));
  },
};
const exported = { ...bundle, entryPoints: { export: "src/export/main.ts" }, format: "iife", plugins: [lean] };
const whole = { ...bundle, splitting: true, chunkNames: "part-[name]-[hash]" }; // what is fetched later is a part
const bundles = [whole, core, exported];

await mkdir(out, { recursive: true });
for (const name of await readdir(out)) if (name.startsWith("part-")) await rm(join(out, name)); // of other sources
await copyFile(join(here, "src/index.html"), join(out, "index.html"));
if (process.argv.includes("--watch")) {
  for (const one of bundles) await (await esbuild.context({ ...one, logLevel: "info" })).watch();
} else {
  const built = [...(await Promise.all(bundles.map((one) => esbuild.build(one)))), ...(await buildNotebook())];
  const files = built.flatMap(({ metafile }) => Object.keys(metafile.inputs));
  await writeFile(join(out, "licences.txt"), await licences(files));
  await preload(built[0].metafile.outputs);
}

/** Lets the page fetch the parts of its script with it, and not after it. */
async function preload(outputs) {
  const app = Object.entries(outputs).find(([path]) => path.endsWith("/app.js"))[1];
  const parts = app.imports.filter(({ kind }) => kind === "import-statement").map(({ path }) => path.split("/").at(-1));
  const links = parts.map((name) => `    <link rel="modulepreload" href="${name}" />\n`).join("");
  const page = await readFile(join(out, "index.html"), "utf8");
  await writeFile(join(out, "index.html"), page.replace("  </head>", `${links}  </head>`));
}

/** The widget of a notebook: one module, which holds the document of the frame in which the board is. */
async function buildNotebook() {
  const inside = { ...bundle, write: false };
  const frame = await esbuild.build({ ...inside, entryPoints: { frame: "src/notebook/frame.tsx" }, format: "iife" });
  const textOf = (ending) => frame.outputFiles.find((file) => file.path.endsWith(ending)).text;
  const widget = await esbuild.build({
    ...bundle,
    entryPoints: { notebook: "src/notebook/widget.ts" },
    define: { FRAME: JSON.stringify(documentOf(textOf(".js"), textOf(".css"))) },
  });
  return [frame, widget];
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

/** The licences of the packages that these files come from, one after the other. */
async function licences(files) {
  const packages = new Set(files.flatMap((file) => /^node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(file)?.[1] ?? []));
  const texts = [...packages].sort().map(async (name) => {
    const folder = join(here, "node_modules", name);
    const { version } = JSON.parse(await readFile(join(folder, "package.json"), "utf8"));
    const file = (await readdir(folder)).sort().find((one) => /^licen[cs]e/i.test(one));
    if (!file) throw new Error(`the package ${name} has no file with its licence`);
    return `${name} ${version}\n\n${(await readFile(join(folder, file), "utf8")).trim()}\n`;
  });
  return (await Promise.all(texts)).join(`\n${"-".repeat(80)}\n\n`);
}
