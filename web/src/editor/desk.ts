/** Joins the editor and the page: the text goes to the rules, and what is known of the rules comes back. */

import { EditorState } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import { effect, signal, untracked } from "@preact/signals";
import type { Out } from "../protocol.ts";
import type { Page } from "../store/page.ts";
import { messageOf } from "../store/rules.ts";
import { complete, prepare } from "./completion.ts";
import { type Known, showExamples, type Verdict, verdict } from "./examples.ts";
import { hover } from "./hover.ts";
import { difference, differences, offset } from "./places.ts";
import { showProblems } from "./problems.ts";
import { Service } from "./service.ts";
import { extensions, find, goToLine } from "./setup.ts";

export class Desk {
  private view: EditorView | undefined;
  readonly renames = signal<{ at: number; name: string } | null>(null); // what shall have another name, and where it is
  private opened = ""; // the name of the rules that the history belongs to
  private readonly service: Service;

  constructor(
    private readonly page: Page,
    private readonly save: () => void,
  ) {
    this.service = new Service(page.ask, () => page.rules.name.peek());
  }

  /** Puts the editor into the document.  Returns what takes it out again. */
  open(parent: HTMLElement): () => void {
    const { rules } = this.page;
    const view = new EditorView({ state: this.state(rules.text.peek()), parent });
    this.view = view;
    this.opened = rules.name.peek();
    const ends = [
      effect(() => this.take(view, rules.text.value)),
      effect(() => void this.service.look(view, rules.shown.value === view.state.doc.toString())),
      effect(() => this.tellProblems(view)),
      effect(() => this.tellExamples(view)),
      effect(() => {
        const line = this.page.line.value;
        if (line) queueMicrotask(() => goToLine(view, line.number, finePointer()));
      }),
    ];
    return () => {
      for (const end of ends) end();
      view.destroy();
      this.view = undefined;
    };
  }

  private state(doc: string): EditorState {
    return EditorState.create({
      doc,
      extensions: extensions({
        edited: (view) => this.edited(view),
        save: this.save,
        format: () => void this.format(),
        rename: (view) => this.asksName(view),
        show: (known) => void this.show(known),
        complete: complete(this.service),
        hover: hover(this.service),
        label: "Rules",
      }),
    });
  }

  private edited(view: EditorView): void {
    prepare(this.service, view.state); // before the check, which takes longer
    this.page.rules.edit(view.state.doc.toString());
    this.renames.value = null;
    void this.service.look(view);
  }

  /** A text that was not typed here: other rules begin a history of their own. */
  private take(view: EditorView, text: string): void {
    const { rules } = this.page;
    const before = view.state.doc.toString();
    const name = rules.name.peek();
    if (text === before) return;
    if (name !== this.opened) {
      this.opened = name;
      view.setState(this.state(text));
      void this.service.look(view);
      view.dispatch({ effects: EditorView.scrollIntoView(0) });
    } else view.dispatch({ changes: difference(before, text) });
  }

  private tellProblems(view: EditorView): void {
    const { rules } = this.page;
    const found = rules.problems.value;
    if (rules.checked.value === view.state.doc.toString()) showProblems(view, found, rules.name.peek());
  }

  private known(): Known[] {
    const { rules } = this.page;
    const results = new Map(rules.examples.value.map((result) => [result.line, result]));
    const examples = rules.game.value?.examples ?? [];
    return examples.map((example) => ({ example, result: results.get(example.line) ?? null }));
  }

  sections(): Out<"view">["sections"] {
    return this.service.sections.value;
  }

  /** Whether each example holds, by its line, while the text is the one that has been checked. */
  verdicts(): Map<number, Verdict> {
    const { rules } = this.page;
    if (!rules.right.peek() || rules.checked.peek() !== rules.text.peek()) return new Map();
    return new Map(this.known().map((known) => [known.example.line, verdict(known)]));
  }

  private tellExamples(view: EditorView): void {
    const { rules } = this.page;
    const text = view.state.doc.toString();
    showExamples(
      view,
      this.known(),
      untracked(() => rules.right.value && rules.checked.value === text),
    );
  }

  /** Sets the board to the position of an example, with its options. */
  async show({ result }: Known): Promise<void> {
    const { rules, play } = this.page;
    if (!result?.start) return;
    const options = rules.options.peek();
    const other = Object.entries(result.options).some(([name, value]) => options[name] !== value);
    if (other) {
      if (!rules.right.peek()) return; // the game cannot be made with these options
      await rules.choose(result.options);
    }
    await play.show(result.start);
    this.page.part.value = "board";
  }

  async format(): Promise<void> {
    const { view, page } = this;
    if (!view) return;
    const before = view.state.doc.toString();
    try {
      const { text } = await page.ask("format", { text: before });
      if (text === null || view.state.doc.toString() !== before) return;
      view.dispatch({ changes: differences(before, text), userEvent: "format" });
    } catch (error) {
      page.rules.trouble.value = messageOf(error);
    }
  }

  private asksName({ state }: EditorView): boolean {
    const word = state.wordAt(state.selection.main.head);
    this.renames.value = word && { at: word.from, name: state.sliceDoc(word.from, word.to) };
    return word !== null;
  }

  /** Gives the name at the caret another one, wherever it stands. */
  async rename(name: string): Promise<void> {
    const { view, page } = this;
    const asked = this.renames.value;
    if (!view || !asked) return;
    const { doc } = view.state;
    try {
      const places = await this.service.places(doc, asked.at, name);
      if (view.state.doc !== doc) return;
      const changes = places.map(([line, column, length]) => ({
        from: offset(doc, line, column),
        to: offset(doc, line, column + length),
        insert: name,
      }));
      view.dispatch({ changes, userEvent: "rename" });
      page.rules.trouble.value = "";
    } catch (error) {
      page.rules.trouble.value = messageOf(error);
    }
    this.focus();
  }

  focus(): void {
    this.renames.value = null;
    this.view?.focus();
  }

  find(): void {
    if (this.view) find(this.view);
  }

  goTo(line: number): void {
    if (this.view) goToLine(this.view, line, true);
  }
}

/** A touch screen would put its keyboard over the line. */
function finePointer(): boolean {
  return matchMedia("(pointer: fine)").matches;
}
