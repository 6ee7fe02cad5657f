/** Mistakes and warnings in the text: underlined where they are, said under their line, cured by a button. */

import { StateEffect, StateField, type Text, type Transaction } from "@codemirror/state";
import { type Command, Decoration, type DecorationSet, EditorView, WidgetType } from "@codemirror/view";
import type { Problem } from "../protocol.ts";
import { element, noted } from "./elements.ts";
import { cureOf, range } from "./places.ts";

/** A problem, and where it is in the text as it is now. */
interface Found {
  problem: Problem;
  elsewhere: boolean; // it is in a parent of these rules
  from: number;
  to: number;
  cure: { from: number; to: number; insert: string } | null;
}

interface Shown {
  found: Found[];
  decorations: DecorationSet;
}

const tell = StateEffect.define<Found[]>();

export const problems = StateField.define<Shown>({
  create: () => ({ found: [], decorations: Decoration.none }),
  update(shown, transaction) {
    const told = transaction.effects.find((effect) => effect.is(tell));
    if (told) return { found: told.value, decorations: decorate(transaction.newDoc, told.value) };
    return transaction.docChanged ? moved(shown, transaction) : shown;
  },
  provide: (field) => EditorView.decorations.from(field, (shown) => shown.decorations),
});

/** Shows the problems that the present text has; `name` is that of its rules. */
export function showProblems(view: EditorView, found: Problem[], name: string): void {
  const { doc } = view.state;
  view.dispatch({ effects: tell.of(found.map((problem) => placed(doc, problem, name))) });
}

function placed(doc: Text, problem: Problem, name: string): Found {
  if (problem.source !== name) return { problem, elsewhere: true, from: 0, to: doc.line(1).to, cure: null };
  return { problem, elsewhere: false, ...range(doc, problem), cure: problem.cure && cureOf(doc, problem.cure) };
}

function moved({ found, decorations }: Shown, { changes }: Transaction): Shown {
  const here = found.map((one) => ({
    ...one,
    from: changes.mapPos(one.from, 1),
    to: changes.mapPos(one.to, -1),
    cure: one.cure && { ...one.cure, from: changes.mapPos(one.cure.from, 1), to: changes.mapPos(one.cure.to, -1) },
  }));
  return { found: here, decorations: decorations.map(changes) };
}

function decorate(doc: Text, found: Found[]): DecorationSet {
  const marks = found.flatMap((one) => {
    const line = doc.lineAt(one.from);
    const from = one.from < line.to ? one.from : Math.max(line.from, line.to - 1);
    const to = Math.max(one.to, Math.min(from + 1, line.to));
    return to > from ? [Decoration.mark({ class: `underlined ${one.problem.severity}` }).range(from, to)] : [];
  });
  const notes = found.map((one) => {
    const line = doc.lineAt(one.from);
    return Decoration.widget({ widget: new Note(one, one.from - line.from), block: true, side: 1 }).range(line.to);
  });
  return Decoration.set([...marks, ...notes], true);
}

/** What stands under a line. */
class Note extends WidgetType {
  constructor(
    private readonly found: Found,
    private readonly column: number,
  ) {
    super();
  }

  override eq(other: Note): boolean {
    return this.column === other.column && said(this.found) === said(other.found);
  }

  toDOM(view: EditorView): HTMLElement {
    const { problem } = this.found;
    const note = element("div", `note ${problem.severity}`, element("span", "message", heard(this.found)));
    if (problem.cure) note.append(" ", this.button(view, problem.cure.label));
    else if (problem.hint) note.append(" ", element("span", "hint", problem.hint));
    return noted(note, this.column);
  }

  private button(view: EditorView, label: string): HTMLElement {
    const button = element("button", "button cure", label);
    button.type = "button";
    button.title = "Change it";
    button.addEventListener("click", () => {
      const now = view.state.field(problems).found.find((one) => said(one) === said(this.found));
      if (now?.cure) view.dispatch({ changes: now.cure, userEvent: "input.cure" });
      view.focus();
    });
    return button;
  }

  override ignoreEvent(): boolean {
    return true;
  }
}

function said({ problem }: Found): string {
  return JSON.stringify(problem);
}

function heard({ problem, elsewhere }: Found): string {
  return elsewhere ? `${problem.source}, line ${problem.line}: ${problem.message}` : problem.message;
}

/** Goes to the next problem behind the caret, or to the first, and says it. */
export const nextProblem: Command = (view) => goTo(view, (found, caret) => found.find((one) => one.from > caret));

/** Goes to the problem before the caret, or to the last, and says it. */
export const problemBefore: Command = (view) =>
  goTo(view, (found, caret) => found.findLast((one) => one.to < caret) ?? found.at(-1));

function goTo(view: EditorView, choose: (found: Found[], caret: number) => Found | undefined): boolean {
  const { found } = view.state.field(problems);
  const first = found[0];
  if (!first) return false;
  const one = choose(found, view.state.selection.main.head) ?? first;
  view.dispatch({
    selection: { anchor: one.from },
    effects: [EditorView.scrollIntoView(one.from, { y: "center" }), EditorView.announce.of(heard(one))],
  });
  return true;
}
