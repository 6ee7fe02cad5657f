/** What the editor asks of the service while somebody writes; names are understood there, and nowhere else. */

import type { EditorState, Text } from "@codemirror/state";
import type { EditorView } from "@codemirror/view";
import { signal } from "@preact/signals";
import type { Ask, In, Out } from "../protocol.ts";
import { prepare } from "./completion.ts";
import { columnOf } from "./places.ts";
import { show } from "./shown.ts";

/** What was asked about a word: what stands before and behind it, and the answer. */
interface Asked {
  before: string;
  after: string;
  found: Promise<Out<"complete"> | null>;
  asking: AbortController;
}

export class Service {
  readonly sections = signal<Out<"view">["sections"]>([]); // of the text, a moment ago
  private due: "" | "look" | "read" = "";
  private looking = false;
  private seen = ""; // what was asked last
  private last: Asked | null = null;

  constructor(
    private readonly ask: Ask,
    private readonly name: () => string,
  ) {}

  /** Shows what the service says of the text, one question at a time; `read` lets it find out what its names mean. */
  async look(view: EditorView, read = false): Promise<void> {
    if (this.due !== "read") this.due = read ? "read" : "look";
    if (this.looking) return;
    this.looking = true;
    while (this.due) {
      const asked = { name: this.name(), text: view.state.doc.toString(), read: this.due === "read" };
      this.due = "";
      const seen = JSON.stringify(asked);
      if (seen === this.seen) continue;
      this.seen = seen;
      const found = await this.ask("view", asked).catch(() => null); // words keep the colours that they have
      if (!found) this.seen = "";
      if (asked.read) this.prepareAnew(view.state);
      if (!found || asked.name !== this.name() || asked.text !== view.state.doc.toString()) continue;
      this.sections.value = found.sections;
      view.dispatch({ effects: show.of(found) });
    }
    this.looking = false;
  }

  /** More names may be known. */
  private prepareAnew(state: EditorState): void {
    this.last = null;
    prepare(this, state);
  }

  /** What can stand in place of a word.  It is asked once for all that is typed there, best before anybody types. */
  offers(doc: Text, from: number, to: number): Promise<Out<"complete"> | null> {
    const [before, after] = [doc.sliceString(0, from), doc.sliceString(to)];
    if (before === this.last?.before && after === this.last.after) return this.last.found;
    this.last?.asking.abort(); // nobody types there any more
    const asking = new AbortController();
    const found = this.ask("complete", this.place(doc, from), { signal: asking.signal }).catch(() => {
      if (this.last === asked) this.last = null;
      return null;
    });
    const asked = { before, after, found, asking };
    this.last = asked;
    return found;
  }

  async meaning(doc: Text, position: number): Promise<Out<"explain">["meaning"]> {
    return (await this.ask("explain", this.place(doc, position))).meaning;
  }

  /** The places of the name at a position, which gets another one. */
  async places(doc: Text, position: number, name: string): Promise<Out<"rename">["places"]> {
    return (await this.ask("rename", { ...this.place(doc, position), new: name })).places;
  }

  private place(doc: Text, position: number): In<"explain"> {
    const { from, number, text } = doc.lineAt(position);
    return { name: this.name(), text: doc.toString(), line: number, column: columnOf(text, position - from) };
  }
}
