import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { transform } from "esbuild";

const JSX = { jsx: "automatic", jsxImportSource: "preact" };

export async function load(address, context, next) {
  const form = /\.(tsx?|json|css)$/.exec(new URL(address).pathname)?.[1];
  if (!form || address.includes("/node_modules/")) return next(address, context);
  const text = await readFile(fileURLToPath(address), "utf8");
  return { format: "module", shortCircuit: true, source: await source(text, form) };
}

async function source(text, form) {
  if (form === "css") return "";
  if (form === "json") return `export default ${text}`;
  return (await transform(text, { loader: form, format: "esm", sourcemap: "inline", ...JSX })).code;
}
