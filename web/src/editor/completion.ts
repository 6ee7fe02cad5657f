/** What can stand where one types: the service knows it, the editor chooses among it. */

import type { Completion, CompletionContext, CompletionResult } from "@codemirror/autocomplete";
import type { EditorState } from "@codemirror/state";
import type { Out } from "../protocol.ts";
import { element, prose } from "./elements.ts";
import { offset } from "./places.ts";
import type { Service } from "./service.ts";

type Offers = Pick<Service, "offers">;

export function complete(service: Offers): (context: CompletionContext) => Promise<CompletionResult | null> {
  return async ({ state, pos, explicit }) => {
    const from = wordBefore(state, pos);
    if (from === pos && !explicit) return null;
    if (/\w/.test(state.sliceDoc(from - 1, from))) return null;
    const found = await service.offers(state.doc, from, pos);
    if (!found?.offers.length) return null;
    const start = offset(state.doc, state.doc.lineAt(from).number, found.column);
    return { from: start, options: found.offers.map(option), validFor: /^\w*$/ };
  };
}

/** Asks what can stand at the caret, so that it is known when somebody types. */
export function prepare(service: Offers, state: EditorState): void {
  const { head } = state.selection.main;
  void service.offers(state.doc, wordBefore(state, head), head);
}

/** Where the word begins that ends at a place. */
function wordBefore(state: EditorState, position: number): number {
  const { from, text } = state.doc.lineAt(position);
  const before = text.slice(0, position - from);
  const last = before.split(/\W/).at(-1) ?? "";
  return position - last.replace(/^[^A-Za-z]+/, "").length;
}

function option({ label, detail, text, code, rank }: Out<"complete">["offers"][number]): Completion {
  const told = () => element("div", "told", text ? prose(text) : element("pre", "", code));
  return { label, boost: -rank, ...(detail && { detail }), ...((text || code) && { info: told }) };
}
