/** An exported game: everything that it needs lies in the same file. */

import { show } from "../app.tsx";
import { askWorkers } from "./asking.ts";
import type { Exported } from "./exported.ts";
import { compiled, inflated } from "./packed.ts";

async function begin(): Promise<void> {
  const [core, game] = await Promise.all(["core", "game"].map(textOf));
  const exported = JSON.parse(game!) as Exported;
  await show(askWorkers(core!, exported, await compiled(exported.programs)));
}

/** What an element of the page carries, deflated. */
async function textOf(id: string): Promise<string> {
  return new TextDecoder().decode(await inflated(document.getElementById(id)!.textContent!));
}

begin().catch((error) => {
  document.getElementById("app")!.textContent = `This game cannot be opened here: ${error.message ?? error}`;
});
