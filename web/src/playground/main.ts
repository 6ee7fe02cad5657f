/** The playground: the same page, and workers that answer; what the page asks first was answered when it was built. */

import { show } from "../app.tsx";
import { askWorkers, type Known } from "./ask.ts";
import type { Hand } from "./lane.ts";

const at = (name: string): URL => new URL(name, import.meta.url);
const known = fetch(at("known.json")).then(
  (answer) => (answer.ok ? (answer.json() as Promise<Known>) : []),
  () => [],
);
void show(askWorkers(() => new Worker(at("worker.mjs"), { type: "module" }) as unknown as Hand, known));
