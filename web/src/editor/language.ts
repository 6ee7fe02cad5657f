/** What the editor knows of the rules language by itself: colours until the service has answered, and indentation. */

import {
  HighlightStyle,
  indentService,
  indentUnit,
  LanguageSupport,
  StreamLanguage,
  type StringStream,
  syntaxHighlighting,
} from "@codemirror/language";
import { tags } from "@lezer/highlight";
import editing from "../../../editors/vscode/language-configuration.json";
import words from "../generated/words.json";
import { lookOf } from "./looks.ts";

const KINDS = new Map(Object.entries(words).flatMap(([kind, all]) => all.map((word) => [word, kind])));
const STYLES = {
  heading: tags.heading,
  keyword: tags.keyword,
  kind: tags.typeName,
  given: tags.standard(tags.variableName),
  string: tags.string,
  number: tags.number,
  comment: tags.comment,
  operator: tags.operator,
};

export function token(stream: StringStream): string | null {
  if (stream.eatSpace()) return null;
  if (stream.match(/^#.*/)) return "comment";
  if (stream.match(/^"[^"]*"?/)) return "string";
  if (stream.match(/^\d+(?!\w)/)) return "number";
  if (stream.match(/^(?:[:!<>]=|\/\/|\.\.|[-+*%^<>=])/)) return "operator";
  if (!stream.match(/^[A-Za-z]\w*/)) {
    stream.next();
    return null;
  }
  const kind = KINDS.get(stream.current()) ?? null;
  return kind === "heading" && stream.start > 0 ? null : kind;
}

const language = StreamLanguage.define({
  name: "rules",
  token,
  tokenTable: STYLES,
  languageData: { commentTokens: { line: "#" }, closeBrackets: { brackets: ["(", "{", '"'] } },
});

const looks = HighlightStyle.define(Object.entries(STYLES).map(([kind, tag]) => ({ tag, class: lookOf(kind) })));
const BLOCK = new RegExp(editing.indentationRules.increaseIndentPattern);

/** How far a new line is indented: as the line before, and two spaces more if that begins a block. */
export function indentAfter(text: string): number {
  return text.trim() ? text.length - text.trimStart().length + (BLOCK.test(text) ? 2 : 0) : 0;
}

export function rules(): LanguageSupport {
  return new LanguageSupport(language, [
    syntaxHighlighting(looks),
    indentUnit.of("  "),
    indentService.of((context, position) => {
      const line = context.state.doc.lineAt(position);
      const broken = context.simulatedBreak;
      if (broken !== null) return indentAfter(line.text.slice(0, broken - line.from));
      return line.number > 1 ? indentAfter(context.state.doc.line(line.number - 1).text) : 0;
    }),
  ]);
}
