/** What the service says of the whole text: the colours of its words, and the blocks that can be folded. */

import { foldService } from "@codemirror/language";
import { Prec, type Range, StateEffect, StateField, type Text, type Transaction } from "@codemirror/state";
import { Decoration, type DecorationSet, EditorView } from "@codemirror/view";
import type { Out } from "../protocol.ts";
import { lookOf, wordsOf } from "./looks.ts";

interface Shown {
  colours: DecorationSet;
  folds: { from: number; to: number }[]; // from the end of a line to that of the last line under it
}

export const show = StateEffect.define<Out<"view">>();

export const shown = StateField.define<Shown>({
  create: () => ({ colours: Decoration.none, folds: [] }),
  update(before, transaction) {
    const told = transaction.effects.find((effect) => effect.is(show));
    if (told) return put(transaction.newDoc, told.value);
    return transaction.docChanged ? moved(before, transaction) : before;
  },
  provide: (field) => [
    Prec.highest(EditorView.decorations.from(field, ({ colours }) => colours)), // within the editor's own
    foldService.of((state, start, end) => {
      const fold = state.field(field).folds.find(({ from }) => from >= start && from <= end);
      return fold && fold.to > end ? { from: end, to: fold.to } : null;
    }),
  ],
});

function put(doc: Text, { kinds, colours, folds }: Out<"view">): Shown {
  const looks = kinds.map((kind) => Decoration.mark({ class: lookOf(kind) }));
  const found: Range<Decoration>[] = [];
  colours.forEach((numbers, place) => {
    const { from, text } = doc.line(place + 1);
    for (const word of wordsOf(text, numbers)) found.push(looks[word.kind]!.range(from + word.from, from + word.to));
  });
  const ends = folds.map(([first, last]) => ({ from: doc.line(first).to, to: doc.line(last).to }));
  return { colours: Decoration.set(found), folds: ends };
}

/** What a change touches has the colours of the editor itself until the service has answered. */
function moved({ colours, folds }: Shown, { changes }: Transaction): Shown {
  let kept = colours.map(changes);
  changes.iterChangedRanges((_from, _to, filterFrom, filterTo) => {
    kept = kept.update({ filterFrom, filterTo, filter: () => false });
  });
  return {
    colours: kept,
    folds: folds.map(({ from, to }) => ({ from: changes.mapPos(from, -1), to: changes.mapPos(to, 1) })),
  };
}
