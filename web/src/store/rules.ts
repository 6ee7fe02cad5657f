/** The rules that are open: their text, what is wrong with it, and the last game that was right. */

import { computed, signal } from "@preact/signals";
import {
  type Ask,
  AskError,
  type Description,
  type ExampleResult,
  type Line,
  type Options,
  type Problem,
} from "../protocol.ts";

const QUIET = 250; // ms after a check before the examples of a typed text are played: more keys may come

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
  readonly shown = signal(""); // the text whose mistakes or board are shown: more may be asked about it
  readonly examples = signal<ExampleResult[]>([]);
  readonly trouble = signal(""); // why the last question was not answered

  readonly right = computed(() => !this.problems.value.some((problem) => problem.severity === "error"));
  readonly changed = computed(() => this.text.value !== this.saved.value);
  /** The board shows rules that are older than the text. */
  readonly stale = computed(() => !this.right.value && this.game.value !== null);

  private later: ReturnType<typeof setTimeout> | undefined; // when examples are played
  private typed = false; // the text was typed, and not opened
  private number = 0; // of the last check; a late answer must not replace a newer one
  private checks = 0; // that are running
  private waits = false; // the text has changed since the last of them began
  private line: Line | undefined; // where the game is to begin that was opened, until there is one
  private running: AbortController | undefined; // the examples that are being played

  constructor(
    private readonly ask: Ask,
    /** Called with each new game, before anybody sees it, and with the position that it was opened with; with null where
     * other rules were not right from the start. */
    private readonly becomes: (game: Description | null, line?: Line) => Promise<void>,
  ) {}

  /** Shows other rules, and the position of a line, once they are right; `saved` is the text of their file, if that is
   * another one. */
  async open(name: string, text: string, options: Options = {}, digest = "", line?: Line, saved = text): Promise<void> {
    this.line = line;
    this.typed = false;
    this.name.value = name;
    this.text.value = text;
    this.saved.value = saved;
    this.digest.value = digest;
    this.chosen.value = options;
    this.options.value = options;
    this.game.value = null;
    this.problems.value = [];
    this.forgetExamples();
    await this.check();
  }

  /** What the author types; it is checked at once, or behind a check that is running: each takes its time. */
  edit(text: string): void {
    if (text === this.text.value) return;
    this.text.value = text;
    this.typed = true;
    this.waits = true;
    if (!this.checks) void this.check();
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
    this.waits = false;
    this.number += 1;
    const number = this.number;
    const text = this.text.value;
    this.checks += 1;
    try {
      const asked = { name: this.name.value, text, options: this.chosen.value };
      const found = await this.ask("check", asked).finally(() => {
        this.checks -= 1;
      });
      if (number !== this.number) return;
      if (this.waits) return void this.check(); // of a text that is no more nobody wants the board
      this.trouble.value = "";
      this.problems.value = found.problems;
      this.checked.value = text;
      if (found.game) {
        this.options.value = found.options;
        this.chosen.value = inForce(this.chosen.value, found.options);
        const other = found.game.id !== this.game.value?.id;
        const { line } = this;
        await this.becomes(found.game, line);
        if (this.line === line) this.line = undefined;
        if (number !== this.number) return;
        this.game.value = found.game;
        if (other) this.playExamples(found.game);
      } else if (!this.game.value) await this.becomes(null);
      if (number === this.number) this.shown.value = text;
    } catch (error) {
      if (number === this.number) this.trouble.value = messageOf(error);
      if (this.waits && !this.checks) void this.check();
    }
  }

  private forgetExamples(): void {
    clearTimeout(this.later);
    this.running?.abort();
    this.examples.value = [];
  }

  private playExamples(game: Description): void {
    this.forgetExamples();
    if (this.typed) this.later = setTimeout(() => this.runExamples(game), QUIET);
    else void this.runExamples(game);
  }

  private async runExamples(game: Description): Promise<void> {
    this.running = new AbortController();
    const { signal } = this.running;
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
