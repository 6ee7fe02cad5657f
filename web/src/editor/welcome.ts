/** One sentence for those who come for the first time: which character of the text to change. */

import { StateField } from "@codemirror/state";
import { Decoration, type DecorationSet, EditorView, WidgetType } from "@codemirror/view";
import { remember, remembered } from "../store/memory.ts";
import { element, noted } from "./elements.ts";

const SEEN = "welcomed"; // is remembered once somebody has changed a text
const LINE = 5;
const BEGINS = "option size = 6 "; // as the first game has it

export const welcome = StateField.define<DecorationSet>({
  create(state) {
    const line = state.doc.lines >= LINE ? state.doc.line(LINE) : null;
    if (!line?.text.startsWith(BEGINS) || remembered(SEEN)) return Decoration.none;
    return Decoration.set(Decoration.widget({ widget: new Sentence(), block: true, side: 1 }).range(line.to));
  },
  update(shown, transaction) {
    if (!transaction.docChanged || !shown.size) return shown;
    remember(SEEN, "1");
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
