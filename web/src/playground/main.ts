/** The playground: the same page, and workers that answer. */

import { show } from "../app.tsx";
import { askWorkers } from "./ask.ts";
import type { Hand } from "./lane.ts";

const worker = new URL("worker.mjs", import.meta.url);
void show(askWorkers(() => new Worker(worker, { type: "module" }) as unknown as Hand));
