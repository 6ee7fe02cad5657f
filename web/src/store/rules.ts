/** The rules that are open: their text, what is wrong with it, and the last game that was right. */

import { computed, signal } from "@preact/signals";
import { type Ask, AskError, type Description, type ExampleResult, type Options, type Problem } from "../protocol.ts";

const QUIET = 250; // ms without a key before the text is checked

export class Rules {
  readonly name = signal("");
  readonly text = signal("");
  readonly saved = signal(""); // the text as it is on disk, or as it was opened
  readonly digest = signal(""); // of the file, for saving
  readonly chosen = signal<Options>({}); // the options that somebody has chosen; the others are as the text has them
  readonly options = signal<Options>({}); // all options of the game, as they are
  readonly problems = signal<Problem[]>([]);
  readonly game = signal<Description | null>(null);
  readonly checked = signal(""); // the text that `problems` speak of
  readonly examples = signal<ExampleResult[]>([]);
  readonly trouble = signal(""); // why the last question was not answered

  readonly right = computed(() => !this.problems.value.some((problem) => problem.severity === "error"));
  readonly changed = computed(() => this.text.value !== this.saved.value);
  /** The board shows rules that are older than the text. */
  readonly stale = computed(() => !this.right.value && this.game.value !== null);

  private timer: ReturnType<typeof setTimeout> | undefined;
  private number = 0; // of the last check; a late answer must not replace a newer one
  private running: AbortController | undefined; // the examples that are being played

  constructor(
    private readonly ask: Ask,
    /** Called with each new game, before anybody sees it; with null where other rules were not right from the start. */
    private readonly becomes: (game: Description | null) => Promise<void>,
  ) {}

  /** Shows other rules. */
  async open(name: string, text: string, options: Options = {}, digest = ""): Promise<void> {
    this.name.value = name;
    this.text.value = text;
    this.saved.value = text;
    this.digest.value = digest;
    this.chosen.value = options;
    this.options.value = options;
    this.game.value = null;
    this.problems.value = [];
    this.running?.abort();
    this.examples.value = [];
    await this.check();
  }

  /** What the author types; it is checked when the keys rest. */
  edit(text: string): void {
    if (text === this.text.value) return;
    this.text.value = text;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.check(), QUIET);
  }

  async set(option: string, value: string): Promise<void> {
    await this.choose({ [option]: value });
  }

  /** Sets these options; the others stay as they are. */
  async choose(options: Options): Promise<void> {
    this.chosen.value = { ...this.chosen.value, ...options };
    await this.check();
  }

  /** Checks the text as it is now; also opens a game anew that the service has forgotten. */
  async check(): Promise<void> {
    clearTimeout(this.timer);
    this.number += 1;
    const number = this.number;
    const text = this.text.value;
    try {
      const found = await this.ask("check", { name: this.name.value, text, options: this.chosen.value });
      if (number !== this.number) return;
      this.trouble.value = "";
      this.problems.value = found.problems;
      this.checked.value = text;
      if (found.game) {
        this.options.value = found.options;
        this.chosen.value = inForce(this.chosen.value, found.options);
        const other = found.game.id !== this.game.value?.id;
        await this.becomes(found.game);
        if (number !== this.number) return;
        this.game.value = found.game;
        if (other) void this.runExamples(found.game);
      } else if (!this.game.value) await this.becomes(null);
    } catch (error) {
      if (number === this.number) this.trouble.value = messageOf(error);
    }
  }

  private async runExamples(game: Description): Promise<void> {
    this.running?.abort();
    this.running = new AbortController();
    const { signal } = this.running;
    this.examples.value = [];
    if (!game.examples.length) return;
    try {
      const heard = (one: ExampleResult) => {
        if (!signal.aborted) this.examples.value = [...this.examples.value, one];
      };
      const { examples } = await this.ask("examples", { game: game.id }, { heard, signal });
      if (!signal.aborted) this.examples.value = examples;
    } catch (error) {
      if (!signal.aborted) this.trouble.value = messageOf(error);
    }
  }
}

/** The chosen options that the game has, and that it took. */
function inForce(chosen: Options, options: Options): Options {
  return Object.fromEntries(Object.entries(chosen).filter(([name, value]) => options[name] === value));
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

export function failed(error: unknown, kind: string): boolean {
  return error instanceof AskError && error.failure.kind === kind;
}
