/** An exported game: everything that it needs lies in the same file. */

import { show } from "../app.tsx";
import { askWorkers } from "./asking.ts";
import type { Exported } from "./exported.ts";
import { compiled, images, inflated } from "./packed.ts";

async function begin(): Promise<void> {
  const [core, game] = await Promise.all(["core", "game"].map(textOf));
  const exported = JSON.parse(game!) as Exported;
  const [modules, learned] = await Promise.all([compiled(exported.programs), images(exported.learned)]);
  await show(askWorkers(core!, exported, modules, learned));
}

/** What an element of the page carries, deflated. */
async function textOf(id: string): Promise<string> {
  return new TextDecoder().decode(await inflated(document.getElementById(id)!.textContent!));
}

begin().catch((error) => {
  document.getElementById("app")!.textContent = `This game cannot be opened here: ${error.message ?? error}`;
});
