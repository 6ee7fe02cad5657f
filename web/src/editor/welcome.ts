/** One sentence for those who come for the first time: which character of the text to change. */

import { StateField } from "@codemirror/state";
import { Decoration, type DecorationSet, EditorView, WidgetType } from "@codemirror/view";
import { element, noted } from "./elements.ts";

const SEEN = "pysolve-welcomed"; // in localStorage once somebody has changed a text
const LINE = 5;
const BEGINS = "option size = 6 "; // as the first game has it

export const welcome = StateField.define<DecorationSet>({
  create(state) {
    const line = state.doc.lines >= LINE ? state.doc.line(LINE) : null;
    if (!line?.text.startsWith(BEGINS) || isSeen()) return Decoration.none;
    return Decoration.set(Decoration.widget({ widget: new Sentence(), block: true, side: 1 }).range(line.to));
  },
  update(shown, transaction) {
    if (!transaction.docChanged || !shown.size) return shown;
    remember();
    return Decoration.none;
  },
  provide: (field) => EditorView.decorations.from(field),
});

class Sentence extends WidgetType {
  override eq(): boolean {
    return true;
  }

  toDOM(): HTMLElement {
    return noted(element("div", "note welcome", `Change the 6 in line ${LINE} to 8.`), BEGINS.indexOf("6"));
  }
}

/** A browser may refuse to remember anything; then the sentence stays away. */
function isSeen(): boolean {
  try {
    return localStorage.getItem(SEEN) !== null;
  } catch {
    return true;
  }
}

function remember(): void {
  try {
    localStorage.setItem(SEEN, "1");
  } catch {
    // the sentence was read all the same
  }
}
