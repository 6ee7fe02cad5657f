/** An example made of the position on the board: a test that is written by clicking. */

import type { Page } from "../store/page.ts";
import { messageOf } from "../store/rules.ts";

/** Writes an example at the end of the rules that calls a move legal or illegal here, and leads to it. */
export async function addExample(page: Page, move: string, legal: boolean): Promise<void> {
  const { rules } = page;
  const title = `${move} is ${legal ? "legal" : "illegal"}`.replaceAll('"', "");
  try {
    const { text } = await page.ask("example", { ...page.play.where(), move, legal, title });
    const { whole, line } = withExample(rules.text.value, text);
    rules.edit(whole);
    page.lookAt(line);
  } catch (error) {
    rules.trouble.value = messageOf(error);
  }
}

/** The text with an example behind it, and the line in which that begins. */
export function withExample(text: string, example: string): { whole: string; line: number } {
  const before = text.trimEnd();
  return { whole: `${before}\n\n${example.trim()}\n`, line: before.split("\n").length + 2 };
}
