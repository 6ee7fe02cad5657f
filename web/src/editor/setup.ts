/** The editor of CodeMirror, as rules need it. */

import {
  autocompletion,
  type CompletionSource,
  closeBrackets,
  closeBracketsKeymap,
  completionKeymap,
} from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { bracketMatching, foldGutter, foldKeymap } from "@codemirror/language";
import { highlightSelectionMatches, openSearchPanel, search, searchKeymap } from "@codemirror/search";
import { EditorState, type Extension, StateEffect, StateField } from "@codemirror/state";
import {
  type Command,
  Decoration,
  type DecorationSet,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  keymap,
  ViewPlugin,
  type ViewUpdate,
} from "@codemirror/view";
import { examples, type Known, numbers, showHere } from "./examples.ts";
import { rules } from "./language.ts";
import { hang } from "./looks.ts";
import { nextProblem, problemBefore, problems } from "./problems.ts";
import { shown } from "./shown.ts";
import { welcome } from "./welcome.ts";

export interface Wishes {
  edited: (view: EditorView) => void;
  save: () => void;
  format: () => void;
  rename: Command;
  show: (known: Known) => void;
  complete: CompletionSource;
  hover: Extension;
  label: string;
}

/** What stands on the buttons of CodeMirror. */
const PHRASES = {
  next: "Next",
  previous: "Previous",
  "match case": "Match case",
  regexp: "Regexp",
  "by word": "Whole words",
  replace: "Replace",
  "replace all": "Replace all",
  go: "Go",
};

export function extensions(wishes: Wishes): Extension[] {
  const does =
    (what: () => void): Command =>
    () => {
      what();
      return true;
    };
  return [
    nonce(),
    rules(),
    history(),
    problems,
    examples,
    flashed,
    welcome,
    numbers(wishes.show),
    shown,
    foldGutter({
      openText: "⌄",
      closedText: "›",
      foldingChanged: ({ startState, state }) => startState.field(shown).folds !== state.field(shown).folds,
    }),
    EditorView.lineWrapping,
    hangingLines,
    EditorState.allowMultipleSelections.of(false),
    bracketMatching(),
    closeBrackets(),
    highlightActiveLine(),
    highlightActiveLineGutter(),
    highlightSelectionMatches(),
    search({ top: true }),
    EditorState.phrases.of(PHRASES),
    autocompletion({ override: [wishes.complete], icons: false, activateOnTypingDelay: 50 }),
    wishes.hover,
    keymap.of([
      { key: "F2", run: wishes.rename },
      { key: "Mod-s", run: does(wishes.save) },
      { key: "Shift-Alt-f", run: does(wishes.format) },
      { key: "F8", run: nextProblem },
      { key: "Shift-F8", run: problemBefore },
      { key: "Mod-Enter", run: showHere(wishes.show) },
      ...closeBracketsKeymap,
      ...completionKeymap,
      ...defaultKeymap,
      ...searchKeymap,
      ...historyKeymap,
      ...foldKeymap,
      indentWithTab,
    ]),
    EditorView.contentAttributes.of({
      "aria-label": wishes.label,
      "aria-describedby": "editor-keys",
      tabindex: "0",
      spellcheck: "false",
      autocapitalize: "off",
      autocorrect: "off",
    }),
    EditorView.updateListener.of((update) => {
      if (update.docChanged) wishes.edited(update.view);
    }),
  ];
}

export const find = openSearchPanel;

/** The nonce under which the page lets CodeMirror write its styles. */
function nonce(): Extension {
  const given = document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content;
  return given ? EditorView.cspNonce.of(given) : [];
}

// ---------------------------------------------------------------------------- the line to look at

const flash = StateEffect.define<number | null>();
const FLASH = 1600; // ms

const flashed = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(shown, transaction) {
    let now = shown.map(transaction.changes);
    for (const one of transaction.effects)
      if (one.is(flash))
        now =
          one.value === null ? Decoration.none : Decoration.set(Decoration.line({ class: "flashed" }).range(one.value));
    return now;
  },
  provide: (field) => EditorView.decorations.from(field),
});

/** Goes to a line, and marks it for a moment. */
export function goToLine(view: EditorView, number: number, focus: boolean): void {
  const { doc } = view.state;
  const line = doc.line(Math.min(Math.max(number, 1), doc.lines));
  view.dispatch({
    selection: { anchor: line.from },
    effects: [EditorView.scrollIntoView(line.from, { y: "center" }), flash.of(line.from)],
  });
  if (focus) view.focus();
  setTimeout(() => view.dispatch({ effects: flash.of(null) }), FLASH);
}

// ---------------------------------------------------------------------------- long lines

const hangingLines = ViewPlugin.fromClass(
  class {
    decorations: DecorationSet;

    constructor(view: EditorView) {
      this.decorations = hanging(view);
    }

    update(update: ViewUpdate) {
      if (update.docChanged || update.viewportChanged) this.decorations = hanging(update.view);
    }
  },
  { decorations: (plugin) => plugin.decorations },
);

function hanging(view: EditorView): DecorationSet {
  const { doc } = view.state;
  const found = [];
  for (const { from, to } of view.visibleRanges)
    for (let line = doc.lineAt(from); ; line = doc.line(line.number + 1)) {
      found.push(Decoration.line({ class: hang(line.text) }).range(line.from));
      if (line.to >= to || line.number === doc.lines) break;
    }
  return Decoration.set(found);
}
