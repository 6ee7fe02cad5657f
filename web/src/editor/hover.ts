/** What a word means, when one points at it: the manual's sentence, or the line that declares a name. */

import { syntaxTree } from "@codemirror/language";
import type { EditorState } from "@codemirror/state";
import { hoverTooltip } from "@codemirror/view";
import { element, prose } from "./elements.ts";
import { type Name, readingAt } from "./names.ts";
import { form, sentence, signature } from "./words.ts";

export interface Meaning {
  from: number;
  to: number;
  word: string;
  kind: string; // what a name stands for; "" of words of the language
  code: string; // how it is declared, called or written
  line: number; // in which it is declared; 0 if it is not
  text: string; // what the manual says
}

/** What is known of the word at a place; null if nothing is. */
export function meaningAt(state: EditorState, position: number, names: Name[]): Meaning | null {
  const line = state.doc.lineAt(position);
  const token = syntaxTree(state).resolveInner(position, 1).name;
  if (["string", "comment", "drawing", "move", "number"].includes(token)) return null;
  const start = /\w*$/.exec(line.text.slice(0, position - line.from))![0].length;
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

export function hover(names: () => Name[]) {
  return hoverTooltip((view, position) => {
    const meaning = meaningAt(view.state, position, names());
    if (!meaning || !(meaning.text || meaning.code)) return null;
    return { pos: meaning.from, end: meaning.to, above: true, create: () => ({ dom: tip(meaning) }) };
  });
}

function tip({ kind, code, line, text }: Meaning): HTMLElement {
  const dom = element("div", "told tip");
  if (text) dom.append(prose(text));
  if (code) dom.append(element("pre", "", code));
  if (kind) dom.append(element("p", "origin", line ? `${kind}, line ${line}` : kind));
  return dom;
}
