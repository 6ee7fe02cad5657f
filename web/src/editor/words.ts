/** The words of the language: one generated list, `web/words.py` writes it. */

import list from "../generated/words.json";

type Group = keyof typeof list.groups;

export const groups: Record<Group, string[]> = list.groups;
const sets = new Map(Object.entries(groups).map(([group, words]) => [group, new Set(words)]));
const sentences: Record<string, string> = list.sentences;
const signatures: Record<string, string> = list.signatures;
const forms: Record<string, string> = list.forms;

export function isIn(group: Group, word: string): boolean {
  return sets.get(group)!.has(word);
}

/** What the manual says of a word in a section, in one sentence; "" if it says nothing. */
export function sentence(word: string, section = ""): string {
  const whole = isIn("colours", word) ? "colours" : isIn("directions", word) ? "directions" : "";
  return own(sentences, `${section} ${word}`) || own(sentences, word) || own(sentences, whole);
}

/** How a function is called: column(cell). */
export function signature(word: string): string {
  return own(signatures, word);
}

/** An example of the phrase that a word begins. */
export function form(word: string): string {
  return own(forms, word);
}

/** The word that a text ends with; "" if another sign ends it. */
export function lastWord(text: string): string {
  return text.split(/\W/).at(-1)!;
}

function own(record: Record<string, string>, name: string): string {
  return Object.hasOwn(record, name) ? record[name]! : "";
}
