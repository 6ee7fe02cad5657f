/** The rules language for CodeMirror: what is coloured, folded and indented. */

import {
  foldService,
  HighlightStyle,
  indentService,
  indentUnit,
  LanguageSupport,
  StreamLanguage,
  type StringStream,
  syntaxHighlighting,
} from "@codemirror/language";
import type { EditorState } from "@codemirror/state";
import { tags } from "@lezer/highlight";
import { listsMoves, NOTHING, type Reading, readLine } from "./reading.ts";
import { isIn } from "./words.ts";

const NAME = /^[A-Za-z]\w*/;
const SIGN = /^(?::=|!=|<=|>=|\/\/|\.\.|[-+*%^<>=])/;
const DECLARING = new Set(["option", "type", "table", "define", "effect", "move", "level", "mark", "tell"]);
// Words of the language only where a phrase of theirs begins, as in the grammar.
const PHRASES: Record<string, RegExp> = {
  first: /^first(?= +[A-Za-z]\w*( *[:,]| +in\b))/,
  reach: /^reach(?= +from\b)/,
  steps: /^steps(?= +from\b)/,
};

/** What the tokens so far have been. */
interface Reader {
  reading: Reading;
  place: number; // how many words and signs of this line are behind us
  head: string; // the first word of this line
  before: string; // the word or sign before
  looks: boolean; // colours and shapes may follow
  moves: boolean; // texts of moves follow
}

export type Token =
  | "heading"
  | "keyword"
  | "declared"
  | "kind"
  | "given"
  | "look"
  | "string"
  | "number"
  | "comment"
  | "drawing"
  | "move"
  | "operator";

export const parser = {
  name: "rules",
  startState: (): Reader => ({ reading: NOTHING, place: 0, head: "", before: "", looks: false, moves: false }),
  copyState: (reader: Reader): Reader => ({ ...reader }),
  token: (stream: StringStream, reader: Reader): Token | null => {
    if (stream.sol()) begin(stream.string, reader);
    if (stream.eatSpace()) return null;
    if (inDrawing(stream, reader)) {
      stream.match(/^\S+/);
      return "drawing";
    }
    if (stream.peek() === "#") {
      stream.skipToEnd();
      return "comment";
    }
    const token = read(stream, reader);
    reader.place += 1;
    return token;
  },
  tokenTable: {
    heading: tags.heading,
    keyword: tags.keyword,
    declared: tags.definition(tags.variableName),
    kind: tags.typeName,
    given: tags.standard(tags.variableName),
    look: tags.color,
    string: tags.string,
    number: tags.number,
    comment: tags.comment,
    drawing: tags.special(tags.string),
    move: tags.labelName,
    operator: tags.operator,
  },
  languageData: { commentTokens: { line: "#" }, closeBrackets: { brackets: ["(", "{", '"'] } },
};

function begin(line: string, reader: Reader): void {
  reader.reading = readLine(reader.reading, line);
  reader.place = 0;
  reader.head = "";
  reader.before = "";
  reader.looks = false;
  reader.moves = listsMoves(reader.reading) && reader.reading.blocks.at(-1)?.word !== heads(reader.reading);
}

/** The word at the head of the lines of an example that this line continues. */
function heads(reading: Reading): string {
  return reading.blocks.find((block) => isIn("example", block.word))?.word ?? "";
}

function inDrawing(stream: StringStream, { reading }: Reader): boolean {
  return reading.drawing >= 0 && stream.indentation() > reading.drawing;
}

function read(stream: StringStream, reader: Reader): Token | null {
  if (stream.match(/^"[^"]*"?/)) return seen(reader, '"', "string", true);
  if (reader.moves && stream.peek() !== ",") return readMove(stream, reader);
  if (stream.match(/^\d+(?!\w)/)) return seen(reader, "0", "number", reader.looks);
  const word = stream.match(NAME, false);
  if (word) return readWord(stream, reader, (word as RegExpMatchArray)[0]);
  if (stream.match(SIGN)) return seen(reader, stream.current(), "operator");
  return seen(reader, stream.next() ?? "", null);
}

/** Notes what has been read, and whether colours and shapes may follow it. */
function seen(reader: Reader, what: string, token: Token | null, looks = false): Token | null {
  reader.before = what;
  reader.looks = looks;
  return token;
}

function readMove(stream: StringStream, reader: Reader): Token | null {
  if (stream.match(/^because\b/)) {
    reader.moves = false;
    return "keyword";
  }
  stream.match(/^[^\s,]+(?:\s+(?!because\b)[^\s,]+)*/);
  return "move";
}

function readWord(stream: StringStream, reader: Reader, word: string): Token | null {
  const phrase = PHRASES[word];
  const called = isIn("functions", word) && stream.match(/^\w+\s*\(/, false);
  const isPhrase = !phrase || stream.match(phrase, false);
  stream.match(NAME);
  if (reader.place === 0) reader.head = word;
  const token = called && reader.place ? "given" : isPhrase ? ofWord(reader, word) : null;
  reader.moves ||= reader.place === 0 && listsMoves(reader.reading) && token === "keyword";
  return seen(reader, word, token, reader.looks || word === "number");
}

function ofWord(reader: Reader, word: string): Token | null {
  const { reading, head, before, place } = reader;
  const { section } = reading;
  const margin = reading.blocks.length === 1;
  if (place === 0 && margin && isIn("sections", word)) return "heading";
  if (place === 1 && margin && (before === "replace" || before === "remove") && isIn("sections", word))
    return "heading";
  if (margin && DECLARING.has(before) && place <= 2) return "declared";
  if (place === 0 && begins(section, word)) return "keyword";
  if (margin && place === 1 && begins(section, word) && before === section) return "keyword";
  if (reader.looks && (section === "show" || section === "mark"))
    return isIn("colours", word) || isIn("shapes", word) || isIn("places", word) || isIn("directions", word)
      ? "look"
      : null;
  if (section === "mark" && isIn("colours", word)) return "look";
  if (isIn("reserved", word) || ofPhrase(section, head, before, word)) return "keyword";
  if (isIn("types", word)) return "kind";
  if (word === "turns") return section === "end" ? "given" : null;
  if (word === "me" || word === "you") return section === "evaluate" ? "given" : null;
  return isIn("names", word) || (isIn("directions", word) && section !== "state") ? "given" : null;
}

/** Whether a word can begin a line of this section. */
function begins(section: string, word: string): boolean {
  switch (section) {
    case "game":
      return isIn("header", word);
    case "board":
      return isIn("board", word) || isIn("boards", word);
    case "example":
      return isIn("example", word);
    case "move":
      return isIn("move", word) || isIn("statements", word);
    case "setup":
    case "effect":
      return isIn("statements", word);
    case "stuck":
    case "end":
      return isIn("stuck", word);
    case "show":
      return isIn("show", word);
    default:
      return false;
  }
}

/** Words that belong to the phrase in which they stand, and may be names elsewhere. */
function ofPhrase(section: string, head: string, before: string, word: string): boolean {
  switch (word) {
    case "extends":
      return head === "game" && before === '"';
    case "as":
      return head === "rename" || section === "move";
    case "by":
      return head === "board" || section !== "move" || before !== ",";
    case "from":
      return before === "reach" || before === "steps";
    case "first":
    case "reach":
    case "steps":
    case "ignoring":
      return true;
    case "times":
      return head === "repeat";
    case "number":
      return section === "show";
    case "wins":
    case "loses":
      return /^[A-Za-z]/.test(before);
    case "draw":
      return section === "end" || section === "stuck" || before === "result" || before === "else";
    default:
      return section === "board" && before === "hex" && isIn("hexagons", word);
  }
}

export const language = StreamLanguage.define(parser);

const style = HighlightStyle.define([
  { tag: tags.heading, class: "w-heading" },
  { tag: tags.keyword, class: "w-keyword" },
  { tag: tags.definition(tags.variableName), class: "w-declared" },
  { tag: tags.typeName, class: "w-kind" },
  { tag: tags.standard(tags.variableName), class: "w-given" },
  { tag: tags.color, class: "w-look" },
  { tag: tags.string, class: "w-string" },
  { tag: tags.number, class: "w-number" },
  { tag: tags.comment, class: "w-comment" },
  { tag: tags.special(tags.string), class: "w-drawing" },
  { tag: tags.labelName, class: "w-move" },
  { tag: tags.operator, class: "w-operator" },
]);

/** The lines that are indented under a line can be folded. */
export function foldUnder(state: EditorState, start: number, end: number): { from: number; to: number } | null {
  const line = state.doc.lineAt(start);
  if (!line.text.trim()) return null;
  let last = line.number;
  for (let number = line.number + 1; number <= state.doc.lines; number += 1) {
    const { text } = state.doc.line(number);
    if (text.trim() && indentOf(text) <= indentOf(line.text)) break;
    if (text.trim()) last = number;
  }
  return last > line.number ? { from: end, to: state.doc.line(last).to } : null;
}

function indentOf(text: string): number {
  return text.length - text.trimStart().length;
}

const HEADS =
  /^\s*(state|setup|when|do|then|after|stuck|end|evaluate|show|shape( when .*)?|else|position( when .*|\b[^=]*))$/;
const HEADINGS = /^\s*(game|effect|move|example|table|if|for|repeat|board graph)\b/;

/** How far a new line is indented: as the line before, and two spaces more if that begins a block. */
export function indentAfter(text: string): number {
  const bare = text.split("#", 1)[0]!.trimEnd();
  const begins = HEADS.test(bare) || (HEADINGS.test(bare) && !hasStatement(bare));
  return bare.trim() ? indentOf(bare) + (begins ? 2 : 0) : 0;
}

/** Whether a line that heads a block ends with a statement of it:  if here: at(here) := none */
function hasStatement(line: string): boolean {
  const [colon, sets] = [line.indexOf(":"), line.lastIndexOf(":=")];
  return colon < sets && line.slice(colon + 1, sets).trim() !== "";
}

export function rules(): LanguageSupport {
  return new LanguageSupport(language, [
    syntaxHighlighting(style),
    indentUnit.of("  "),
    foldService.of(foldUnder),
    indentService.of((context, position) => {
      const line = context.state.doc.lineAt(position);
      const broken = context.simulatedBreak;
      if (broken !== null) return indentAfter(line.text.slice(0, broken - line.from));
      return line.number > 1 ? indentAfter(context.state.doc.line(line.number - 1).text) : 0;
    }),
  ]);
}
