/** Opens rules in place of those that are open. */

import type { Card } from "../protocol.ts";
import { forgetAddress } from "../share.ts";
import type { Page } from "../store/page.ts";
import { type Beginning, fileName, retitled } from "./cards.ts";

/** Whether the text that is open may be left; asks if it has changes. */
export function leave(page: Page): boolean {
  return !page.rules.changed.value || confirm("The changes of this text are not saved. Leave it all the same?");
}

export async function openNamed(page: Page, name: string): Promise<void> {
  const found = await page.ask("open", { name });
  await page.rules.open(found.name, found.text, {}, found.digest);
  forgetAddress();
  page.part.value = "board";
}

/** Begins new rules, which become a file when they are saved. */
export async function openNew(page: Page, how: Beginning, cards: Card[]): Promise<void> {
  const text = how.like ? retitled(page.rules.text.value, how.title) : (await page.ask("begin", how)).text;
  const name = fileName(
    how.title,
    cards.map((card) => card.name),
  );
  await page.rules.open(name, text);
  forgetAddress();
  page.part.value = "rules";
}
