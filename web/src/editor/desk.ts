/** Joins the editor and the page: the text goes to the rules, and what is known of the rules comes back. */

import { EditorState } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import { effect, untracked } from "@preact/signals";
import type { Page } from "../store/page.ts";
import { messageOf } from "../store/rules.ts";
import { complete } from "./completion.ts";
import { type Known, showExamples, type Verdict, verdict } from "./examples.ts";
import { hover } from "./hover.ts";
import { Meanings } from "./meanings.ts";
import { difference, differences } from "./places.ts";
import { showProblems } from "./problems.ts";
import { extensions, find, goToLine } from "./setup.ts";

export class Desk {
  private view: EditorView | undefined;
  private opened = ""; // the name of the rules that the history belongs to

  constructor(
    private readonly page: Page,
    private readonly save: () => void,
  ) {}

  /** Puts the editor into the document.  Returns what takes it out again. */
  open(parent: HTMLElement): () => void {
    const { rules } = this.page;
    const view = new EditorView({ state: this.state(rules.text.peek()), parent });
    this.view = view;
    this.opened = rules.name.peek();
    const ends = [
      effect(() => this.take(view, rules.text.value)),
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
    const { rules } = this.page;
    const names = () => rules.game.peek()?.names ?? [];
    return EditorState.create({
      doc,
      extensions: extensions({
        edited: (text) => rules.edit(text),
        save: this.save,
        format: () => void this.format(),
        show: (known) => void this.show(known),
        complete: complete(names),
        hover: hover(names, new Meanings(this.page.ask, () => rules.name.peek())),
        label: "Rules",
      }),
    });
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

  focus(): void {
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
