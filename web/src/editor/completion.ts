/** What can stand where one types: words of the language by their place, names of the game, variables. */

import type { Completion, CompletionContext, CompletionResult } from "@codemirror/autocomplete";
import { syntaxTree } from "@codemirror/language";
import type { Text } from "@codemirror/state";
import type { Description } from "../protocol.ts";
import { element, prose } from "./elements.ts";
import { readingAt, variables } from "./names.ts";
import type { Reading } from "./reading.ts";
import { form, groups, lastWord, sentence, signature } from "./words.ts";

type Names = Description["names"];

/** Words that can begin a line, by section. */
const FIRST_WORDS: Record<string, string[]> = {
  game: groups.header,
  board: groups.board,
  move: [...groups.move, ...groups.statements],
  effect: groups.statements,
  setup: groups.statements,
  stuck: groups.stuck,
  end: groups.outcomes,
  show: groups.show,
  example: groups.example,
};
const VALUES = [...groups.values, ...groups.expressions, ...groups.names, ...groups.types, ...groups.functions];
const CONDITIONS = ["when", "after"];

export function complete(names: () => Names): (context: CompletionContext) => CompletionResult | null {
  return (context) => {
    const word = context.matchBefore(/[A-Za-z]\w*/);
    const behind = word ? word.from : context.pos;
    if (!word && !context.explicit) return null;
    if (/[\w"]/.test(context.state.sliceDoc(behind - 1, behind))) return null;
    const token = syntaxTree(context.state).resolveInner(context.pos, -1).name;
    if (["string", "comment", "drawing", "move"].includes(token)) return null;
    const options = offered(context.state.doc, behind, names());
    return options.length ? { from: behind, options, validFor: /^\w*$/ } : null;
  };
}

/** Words that can stand at a place, and whether names of the game can, too. */
interface Fitting {
  words: string[];
  names: boolean;
}

/** Everything that can stand at a place of the text. */
export function offered(doc: Text, position: number, names: Names): Completion[] {
  const line = doc.lineAt(position);
  const before = line.text.slice(0, position - line.from);
  const reading = readingAt(doc, line.number);
  const fitting = before.trim() ? within(before, reading) : beginning(before, reading);
  const own = fitting.names ? [...ofNames(names), ...ofVariables(doc, line.number)] : [];
  const seen = new Set<string>();
  return [...own, ...ofWords(fitting.words, reading.section)].filter(
    ({ label }) => !seen.has(label) && seen.add(label),
  );
}

/** What a line can begin with. */
function beginning(before: string, reading: Reading): Fitting {
  if (!before) return { words: groups.sections, names: false };
  const { section } = reading;
  const block = reading.blocks.findLast(({ indent }) => indent < before.length)?.word ?? "";
  if (CONDITIONS.includes(block)) return { words: VALUES, names: true };
  if (section === "move") return block === "move" ? only(groups.move) : { words: groups.statements, names: true };
  return { words: FIRST_WORDS[section] ?? [], names: !["game", "board", "example"].includes(section) };
}

/** What can stand behind other words on a line. */
function within(before: string, { section }: Reading): Fitting {
  const last = lastWord(before.trimEnd());
  if (/^remove\s+$/.test(before)) return only(groups.kinds);
  if (/^replace\s+$/.test(before)) return only(groups.sections);
  if (/^(replace\s+)?board\s+$/.test(before)) return only(groups.boards);
  if (last === "hex" && section === "board") return only(groups.hexagons);
  if (section === "show" && behindText(before)) return only([...groups.colours, ...groups.shapes, ...groups.places]);
  if (section === "mark") return { words: groups.colours, names: true };
  if (/^\s*(result|end|stuck)\s+(\w+\s+)?$/.test(before) || (section === "end" && /^\s*\w+\s+$/.test(before)))
    return { words: ["wins", "loses", ...groups.outcomes, "mover", "opponent", "when"], names: true };
  if (section === "example" && /^\s*(play|legal|illegal)\b/.test(before)) return only(["because"]);
  return { words: [...VALUES, ...EXTRA], names: true };
}

/** Whether only words stand behind a drawn text, or behind the word `number`. */
function behindText(before: string): boolean {
  const words = before.split(/[^\s\w]/).at(-1)!;
  const rest = before.slice(0, before.length - words.length);
  return /\bnumber/.test(words) || (rest.endsWith('"') && rest.indexOf('"') < rest.length - 1);
}

function only(words: string[]): Fitting {
  return { words, names: false };
}

const EXTRA = ["else", "because", "when", "as", "extends"];

function ofWords(words: string[], section: string): Completion[] {
  return words.map((label) => {
    const told = sentence(label, section);
    const detail = signature(label) || form(label);
    return {
      label,
      type: groups.functions.includes(label) ? "function" : groups.types.includes(label) ? "type" : "keyword",
      ...(detail && detail !== label && { detail }),
      ...(told && { info: () => element("div", "told", prose(told)) }),
    };
  });
}

function ofNames(names: Names): Completion[] {
  return names.map(({ name, sort, text }) => ({
    label: name,
    type: sort,
    detail: sort,
    boost: 1,
    info: () => code(text),
  }));
}

function code(text: string): HTMLElement {
  return element("div", "told", element("pre", "", text));
}

function ofVariables(doc: Text, number: number): Completion[] {
  return variables(doc, number).map((label) => ({ label, type: "variable", detail: "here", boost: 2 }));
}
