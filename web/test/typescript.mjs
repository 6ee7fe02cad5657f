// Lets node run the tests and the sources that they import: esbuild takes the types away.
//   node --import ./test/typescript.mjs --test test/*.test.ts
import { register } from "node:module";

register("./typescript-hooks.mjs", import.meta.url);
