/** What a word means, when one points at it: the manual's sentence, or the line that declares a name. */

import { syntaxTree } from "@codemirror/language";
import type { EditorState } from "@codemirror/state";
import { hoverTooltip } from "@codemirror/view";
import { element, prose } from "./elements.ts";
import { declaration, type Meanings } from "./meanings.ts";
import { type Name, readingAt } from "./names.ts";
import { form, lastWord, sentence, signature } from "./words.ts";

export interface Told {
  from: number;
  to: number;
  word: string;
  kind: string; // what a name stands for; "" of words of the language
  code: string; // how it is declared, called or written
  line: number; // in which it is declared; 0 if it is not
  text: string; // what the manual says
}

/** What is known of the word at a place; null if nothing is. */
export function meaningAt(state: EditorState, position: number, names: Name[]): Told | null {
  const line = state.doc.lineAt(position);
  const token = syntaxTree(state).resolveInner(position, 1).name;
  if (["string", "comment", "drawing", "move", "number"].includes(token)) return null;
  const start = lastWord(line.text.slice(0, position - line.from)).length;
  const word = /^[A-Za-z]\w*/.exec(line.text.slice(position - line.from - start))?.[0];
  if (!word) return null;
  const found = { from: position - start, to: position - start + word.length, word };
  const { section, blocks } = readingAt(state.doc, line.number);
  const name = names.find((one) => one.name === word);
  const isWord = ["heading", "keyword", "kind", "given", "look"].includes(token);
  if (name && !isWord) return { ...found, kind: name.sort, code: name.text, line: name.line, text: "" };
  if (!isWord) return null;
  const heads = blocks.at(-1)?.word === word && blocks.length > 0;
  const shown = signature(word) || (heads ? form(word) : "");
  return { ...found, kind: "", code: shown, line: 0, text: sentence(word, section) };
}

/** The same with what the service knows: types, values, and names of a text with mistakes. */
export async function toldOf(
  state: EditorState,
  position: number,
  names: Name[],
  meanings: Pick<Meanings, "at">,
): Promise<Told | null> {
  const line = state.doc.lineAt(position);
  const start = position - lastWord(line.text.slice(0, position - line.from)).length;
  const word = /^[A-Za-z]\w*/.exec(line.text.slice(start - line.from))?.[0];
  const plain = meaningAt(state, position, names);
  if (!word) return plain;
  const column = [...line.text.slice(0, start - line.from)].length + 1; // in whole characters, as the service counts
  const meaning = await meanings.at(state.doc.toString(), line.number, column);
  if (!meaning) return plain;
  const told = { from: start, to: start + word.length, word, code: declaration(meaning) };
  const value = meaning.value && `Its value is \`${meaning.value}\`.`;
  if (meaning.kind === "given") return plain && { ...plain, code: declaration(meaning) };
  const type = meaning.kind === "definition" && meaning.type ? `${meaning.kind}: ${meaning.type}` : meaning.kind;
  return { ...told, kind: type, line: meaning.place?.[1] ?? 0, text: value };
}

export function hover(names: () => Name[], meanings: Pick<Meanings, "at">) {
  return hoverTooltip(async (view, position) => {
    const told = await toldOf(view.state, position, names(), meanings);
    if (!told || !(told.text || told.code)) return null;
    return { pos: told.from, end: told.to, above: true, create: () => ({ dom: tip(told) }) };
  });
}

function tip({ kind, code, line, text }: Told): HTMLElement {
  const dom = element("div", "told tip");
  if (text) dom.append(prose(text));
  if (code) dom.append(element("pre", "", code));
  if (kind) dom.append(element("p", "origin", line ? `${kind}, line ${line}` : kind));
  return dom;
}
