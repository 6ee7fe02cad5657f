/** Examples: whether each holds, in place of its line's number, and what was found under a line that does not. */

import {
  ChangeSet,
  type Range,
  RangeSet,
  StateEffect,
  StateField,
  type Text,
  type Transaction,
} from "@codemirror/state";
import {
  type Command,
  Decoration,
  type DecorationSet,
  EditorView,
  GutterMarker,
  lineNumberMarkers,
  lineNumbers,
  WidgetType,
} from "@codemirror/view";
import type { Example, ExampleResult } from "../protocol.ts";
import { element, noted } from "./elements.ts";
import { offset } from "./places.ts";

export type Verdict = "running" | "holds" | "fails";

/** An example of the last right game, and what is known of it. */
export interface Known {
  example: Example;
  result: ExampleResult | null;
}

interface Shown {
  known: Known[];
  checked: Text; // the text of the game that the examples belong to
  since: ChangeSet; // what has been changed in it
  signs: RangeSet<GutterMarker>;
  findings: DecorationSet;
}

const tell = StateEffect.define<{ known: Known[]; anew: boolean }>();

export const examples = StateField.define<Shown>({
  create: (state) => ({
    known: [],
    checked: state.doc,
    since: ChangeSet.empty(state.doc.length),
    signs: RangeSet.empty,
    findings: Decoration.none,
  }),
  update(shown, transaction) {
    const here = transaction.docChanged ? moved(shown, transaction) : shown;
    const told = transaction.effects.find((effect) => effect.is(tell));
    return told ? put(here, transaction.newDoc, told.value.known, told.value.anew) : here;
  },
  provide: (field) => [
    EditorView.decorations.from(field, (shown) => shown.findings),
    lineNumberMarkers.from(field, (shown) => shown.signs),
  ],
});

/** Shows what is known of the examples; `anew` says that they are those of the present text. */
export function showExamples(view: EditorView, known: Known[], anew: boolean): void {
  view.dispatch({ effects: tell.of({ known, anew }) });
}

export function verdict({ result }: Known): Verdict {
  if (!result) return "running";
  return result.checks.every((check) => check.holds) ? "holds" : "fails";
}

function moved(shown: Shown, { changes }: Transaction): Shown {
  return {
    ...shown,
    since: shown.since.compose(changes),
    signs: shown.signs.map(changes),
    findings: shown.findings.map(changes),
  };
}

function put(shown: Shown, doc: Text, known: Known[], anew: boolean): Shown {
  const checked = anew ? doc : shown.checked;
  const since = anew ? ChangeSet.empty(doc.length) : shown.since;
  const lineOf = (number: number) => doc.lineAt(since.mapPos(offset(checked, number, 1), 1));
  const signs = known.map((one) => new Sign(one).range(lineOf(one.example.line).from));
  const findings = known.flatMap(({ result }) =>
    (result?.checks ?? [])
      .filter((check) => !check.holds)
      .map((check) => {
        const line = lineOf(check.line);
        const indent = line.text.length - line.text.trimStart().length;
        const widget = new Finding(check.found, indent);
        return Decoration.widget({ widget, block: true, side: 2 }).range(line.to);
      }),
  );
  return {
    known,
    checked,
    since,
    signs: RangeSet.of(signs as Range<GutterMarker>[], true),
    findings: Decoration.set(findings, true),
  };
}

export const SIGNS: Record<Verdict, [sign: string, meaning: string]> = {
  running: ["…", "this example is being played"],
  holds: ["✓", "this example holds: show its position"],
  fails: ["✗", "this example does not hold: show its position"],
};

class Sign extends GutterMarker {
  constructor(readonly known: Known) {
    super();
  }

  override eq(other: Sign): boolean {
    return verdict(this.known) === verdict(other.known) && this.known.example.name === other.known.example.name;
  }

  override toDOM(): Node {
    const what = verdict(this.known);
    const sign = element("span", `verdict ${what}`, SIGNS[what][0]);
    sign.title = SIGNS[what][1];
    return sign;
  }
}

class Finding extends WidgetType {
  constructor(
    private readonly found: string,
    private readonly column: number,
  ) {
    super();
  }

  override eq(other: Finding): boolean {
    return this.found === other.found && this.column === other.column;
  }

  toDOM(): HTMLElement {
    const note = element(
      "div",
      "note found",
      element("span", "label", "found"),
      element("span", "message", this.found),
    );
    return noted(note, this.column);
  }

  override ignoreEvent(): boolean {
    return true;
  }
}

/** The example that begins at a place of the text, or that the place is in. */
export function exampleAt(view: EditorView, position: number, exactly: boolean): Known | null {
  const line = view.state.doc.lineAt(position);
  let found: Known | null = null;
  const from = exactly ? line.from : 0;
  view.state.field(examples).signs.between(from, line.to, (_from, _to, marker) => {
    found = (marker as Sign).known;
  });
  return found;
}

/** Numbers of lines; a click on the sign of an example shows its position. */
export function numbers(show: (known: Known) => void) {
  return lineNumbers({
    domEventHandlers: {
      click: (view, line) => {
        const known = exampleAt(view, line.from, true);
        if (known) show(known);
        return known !== null;
      },
    },
  });
}

/** Shows the position of the example in which the caret is. */
export function showHere(show: (known: Known) => void): Command {
  return (view) => {
    const { head } = view.state.selection.main;
    const known = exampleAt(view, head, false);
    if (!known) return false;
    show(known);
    return true;
  };
}
