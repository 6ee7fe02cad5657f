// Builds the playground, a folder of static files that any host can serve.
//   node playground.mjs [FOLDER]     the folder is made anew; without it build/playground, beside web/
// $PYTHON, the Python of the active environment or that of ../.venv has the packages that pysolve needs.
import { createHash } from "node:crypto";
import { cp, mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import * as esbuild from "esbuild";
import { loadPyodide } from "pyodide";
import { answerOf, startIn } from "./node.mjs";
import { packages } from "./packages.mjs";

const here = fileURLToPath(new URL(".", import.meta.url));
const out = resolve(process.argv[2] ?? join(here, "../build/playground"));
const files = join(out, "files"); // gets the name of its content when it is complete
const require = createRequire(import.meta.url);
const pyodide = dirname(require.resolve("pyodide/package.json"));
const swipl = dirname(require.resolve("swipl-wasm/dist/swipl/swipl-web.js"));

const SITE = "/pysolve"; // where pysolve lies, here and in the browser: the saved parser knows where it was made
const installed = packages(); // before anything is made anew
await rm(out, { recursive: true, force: true });
await mkdir(files, { recursive: true });
await bundle();
await copy();
await python();
await know();
await finish();

async function bundle() {
  await esbuild.build({
    entryPoints: {
      app: "src/playground/main.ts",
      worker: "src/playground/worker.ts",
      runtime: "src/playground/runtime.ts",
    },
    outdir: files,
    bundle: true,
    splitting: true,
    format: "esm",
    outExtension: { ".js": ".mjs" }, // node, too, shall know them for modules
    minify: true,
    target: ["es2022"],
    jsx: "automatic",
    jsxImportSource: "preact",
    define: { SITE: JSON.stringify(SITE) },
    legalComments: "linked",
    external: ["fs", "path", "crypto", "module", "node:*"], // what the packages ask for in node alone
    absWorkingDir: here,
    logLevel: "warning",
  });
}

async function copy() {
  const taken = [
    [pyodide, "pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm"],
    [swipl, "swipl-web.wasm", "swipl-web.data"],
  ];
  for (const [folder, ...names] of taken) for (const name of names) await cp(join(folder, name), join(files, name));
  const { info } = JSON.parse(await readFile(join(pyodide, "pyodide-lock.json"), "utf8"));
  await writeFile(join(files, "pyodide-lock.json"), JSON.stringify({ info, packages: {} })); // none may be fetched
}

/** The Python of the playground, made by the Python that will load it. */
async function python() {
  const made = await loadPyodide({ env: { SITE } });
  made.mountNodeFS("/source", join(here, ".."));
  made.mountNodeFS("/packages", installed);
  made.runPython(await readFile(join(here, "site.py"), "utf8"));
  for (const name of ["site.zip", "python.zip"]) await writeFile(join(files, name), made.FS.readFile(`/${name}`));
}

/** The answers to what a page asks first, so that it need not wait for Python. */
async function know() {
  const started = await startIn(files);
  const known = [];
  const asked = (question, given) => {
    const { answer } = JSON.parse(answerOf(started, question, given));
    known.push([question, given, answer]);
    return answer;
  };
  const { name, text, options } = asked("hello", {}).first;
  asked("games", {}); // the first screen
  asked("open", { name });
  const found = asked("check", { name, text, options });
  asked("state", { game: found.game.id, line: { seed: 0, start: "", moves: [] } });
  asked("examples", { game: found.game.id }); // so that no second worker starts beside the first one
  for (const read of [false, true]) asked("view", { name, text, read });
  await writeFile(join(files, "known.json"), JSON.stringify(known));
}

/** Names the files after their content, so that files of two versions are never mixed, and writes the page. */
async function finish() {
  const digest = createHash("sha256");
  for (const name of (await readdir(files)).sort()) digest.update(name).update(await readFile(join(files, name)));
  const version = digest.digest("hex").slice(0, 12);
  await rename(files, join(out, version));
  await writeFile(join(out, "index.html"), page(await readFile(join(here, "src/index.html"), "utf8"), version));
  await writeFile(join(out, "licences.txt"), await readFile(join(here, "src/playground/licences.txt")));
  await writeFile(join(out, ".nojekyll"), "");
}

function page(text, version) {
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${version}'`,
    "img-src 'self' data:",
    "connect-src 'self'",
    "worker-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
  return text
    .replace('<meta charset="utf-8" />', `$&\n    <meta http-equiv="content-security-policy" content="${policy}" />`)
    .replace('<meta name="csp-nonce" content="" />', `<meta name="csp-nonce" content="${version}" />`)
    .replace('href="app.css"', `href="${version}/app.css"`)
    .replace('src="app.js"', `src="${version}/app.mjs"`);
}
