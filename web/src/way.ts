/**
 * The way of a reader through the page: each game and each view has an address, and Back and Forward lead through them.
 *
 * The address follows the page: another game or another view is a step of the history, and another position changes the
 * address of this step.  The other way round, an address that somebody opens, types or goes back to is shown.  A text
 * that came by an address stays in it, with all its changes; all other games are kept by the browser (`store/shelf.ts`).
 */

import { batch, computed, effect, signal, untracked } from "@preact/signals";
import { fragmentOf, type Place, placeOf, type View } from "./address.ts";
import { type Action, tell } from "./notice.tsx";
import type { Description, Line, Options } from "./protocol.ts";
import { LONG, packed, present, unpacked } from "./share.ts";
import type { Page } from "./store/page.ts";
import { failed, messageOf } from "./store/rules.ts";
import { browserStore, type Draft, type Kept, Shelf } from "./store/shelf.ts";

const QUIET = 300; // ms without a change before a game is kept
const EASY = "easy"; // the level that meets those who have not chosen one

/** Who plays against the person at the page: a level, or "" for another person. */
export type Against = string;

/** How a game shall be opened, where that is not as it was left. */
interface Wish {
  view?: View;
  options?: Options;
  line?: Line;
  against?: Against; // a new game against them
  seats?: Record<string, string>;
  known?: Draft; // its file, where that has been read
}

export class Way {
  readonly shelf: Shelf;
  private readonly foreign = signal(false); // the text came by an address, and is kept there
  private readonly opening = signal(0); // that are under way: until then the page speaks of two games
  private number = 0; // of the last opening; a late one must not replace a newer one
  private written = ""; // the fragment that stands for the page
  private packing: ReturnType<typeof setTimeout> | undefined;
  private step = ""; // of the history: what is shown, whatever its position
  private timer: ReturnType<typeof setTimeout> | undefined;
  private mustAsk = false; // the text that is open is kept nowhere

  /** The place that the page shows; null while it opens another one. */
  private readonly here = computed<Place | null>(() => {
    const { at, view, rules, play } = this.page;
    if (this.opening.value) return null;
    if (at.value !== "game") return { at: at.value };
    if (this.foreign.value) return { at: "shared", packed: "", view: view.value };
    const line = play.game.value?.name === rules.name.value ? play.line.value : null;
    return { at: "game", name: rules.name.value, view: view.value, options: rules.chosen.value, line };
  });

  constructor(private readonly page: Page) {
    this.shelf = new Shelf(page.hello.place, browserStore());
  }

  /** Shows what the address names, or else what a page shows first; from then on address and page follow each other. */
  async begin(): Promise<void> {
    const { hello } = this.page;
    const place = placeOf(location.hash.slice(1));
    if (!place) tell("This address is damaged or incomplete, so it could not be opened.");
    const opened = place && place.at !== "home" && (await this.show(place));
    if (!opened && hello.home) this.page.at.value = "home";
    else if (!opened) await this.openFirst();
    this.step = stepOf(this.here.peek());
    window.addEventListener("popstate", (event) => void this.follow(event.state !== null));
    window.addEventListener("pagehide", () => this.keep());
    document.addEventListener("visibilitychange", () => document.hidden && this.keep());
    window.addEventListener("beforeunload", (event) => {
      this.keep();
      if (this.mustAsk) event.preventDefault();
    });
    effect(() => {
      if (this.page.rules.digest.value) this.foreign.value = false; // it has been saved
    });
    effect(() => this.write(this.here.value));
    effect(() => this.keepSoon());
    effect(() => {
      document.title = this.title();
    });
  }

  // ------------------------------------------------------------------------------------------ opening

  /** True while the text that is open may be left: it is kept, or its author does not want it. */
  mayLeave(): boolean {
    this.keep();
    return !this.mustAsk || confirm("The changes of this text cannot be kept. Leave it all the same?");
  }

  home(at: "home" | "new" = "home"): void {
    this.keep();
    this.page.at.value = at;
  }

  /** Opens a game that has a name, as it was left; against somebody else if that is told. */
  async open(name: string, against?: Against): Promise<void> {
    if (!this.mayLeave()) return;
    await this.shown(() => this.openGame(name, against === undefined ? {} : { against }));
  }

  /** Opens a text that is in no file yet, to be written. */
  async openNew(name: string, text: string): Promise<void> {
    if (!this.mayLeave()) return;
    await this.shown(() => this.take(name, text, "write", { saved: "" }));
  }

  private async openFirst(): Promise<void> {
    const { name, text, options, digest, line, seats } = this.page.hello.first;
    const view = name.endsWith(".rules") && this.page.can("edit") ? "write" : "play";
    if (this.page.hello.product === "export") {
      const sit = () => {
        this.page.thinking.seats.value = seats ?? {}; // players whom the author of the file has seated
      };
      await this.take(name, text, "play", { options, line, sit });
      return;
    }
    const known = { text, digest: digest ?? "" };
    const chosen = Object.keys(options).length ? { options } : {};
    await this.shown(() => this.openGame(name, { view, known, ...chosen }));
  }

  /** Opens a game at a position, for people; whatever was left of it is told. */
  async openAt(name: string, options: Options, line: Line): Promise<void> {
    await this.shown(() => this.openGame(name, { view: this.page.view.peek(), options, line, seats: {} }));
  }

  /** Shows a place.  False if it could not be shown, which has been told. */
  private async show(place: Place): Promise<boolean> {
    switch (place.at) {
      case "game":
        return this.shown(() => this.openGame(place.name, wishOf(place)));
      case "shared":
        return this.shown(() => this.openShared(place.packed, place.view));
      default:
        this.home(place.at);
        return true;
    }
  }

  /** The address is another one: a step back or forward, a link, or what somebody has typed. */
  private async follow(ours: boolean): Promise<void> {
    const fragment = location.hash.slice(1);
    if (fragment === this.written) return;
    const place = placeOf(fragment);
    if (!place) {
      tell("This address is damaged or incomplete, so it could not be opened.");
      return;
    }
    this.keep();
    this.step = stepOf(place);
    this.written = fragment;
    if (this.isOpen(place, ours)) {
      batch(() => {
        this.page.at.value = "game";
        if (place.at === "game" || place.at === "shared") this.page.view.value = place.view;
      });
      this.write(this.here.peek());
    } else if (!this.mayLeave() || !(await this.show(place))) this.write(this.here.peek());
  }

  /** True if this game is open: a step of the history shows it as it is now. */
  private isOpen(place: Place, ours: boolean): boolean {
    const { rules, play } = this.page;
    if (!rules.name.peek()) return false;
    if (place.at === "shared") return ours && this.foreign.peek();
    if (place.at !== "game" || place.name !== rules.name.peek() || this.foreign.peek()) return false;
    if (ours || !place.line) return true;
    return same(place.line, play.line.peek()) && same(place.options, rules.chosen.peek());
  }

  /** Does what opens a game.  False if it went wrong, which has been told. */
  private async shown(open: () => Promise<void>): Promise<boolean> {
    this.number += 1;
    const { number } = this;
    this.opening.value += 1;
    try {
      await open();
      return true;
    } catch (error) {
      if (number === this.number) tell(`This could not be opened: ${messageOf(error)}`);
      return false;
    } finally {
      this.opening.value -= 1;
    }
  }

  /** Opens a game that has a name as it was left, as far as nothing else is wished. */
  private async openGame(name: string, wish: Wish): Promise<void> {
    const { number } = this;
    const { view = "play", options, line, against, seats, known } = wish;
    const kept = this.shelf.of(name);
    const draft = kept?.draft ?? null;
    const file = known ?? (await this.found(name, draft));
    if (number !== this.number) return;
    const anew = against !== undefined;
    const sitting = seats ?? (anew ? undefined : kept?.seats);
    const sit = (game: Description) => {
      if (sitting) this.seatKnown(game, sitting);
      else this.page.thinking.seats.value = seated(game, this.page.play.state.peek()?.mover, against ?? EASY);
    };
    await this.take(name, draft?.text ?? file.text, view, {
      options: options ?? (anew ? {} : (kept?.options ?? {})),
      line: line ?? (anew ? undefined : kept?.line),
      digest: draft?.digest ?? file.digest,
      saved: file.text,
      sit,
    });
    this.tellKept(kept, draft && draft.text !== file.text ? file : null);
  }

  /** The text of a game; that of a draft where there is no file yet. */
  private async found(name: string, draft: Draft | null): Promise<Draft> {
    try {
      return await this.page.ask("open", { name });
    } catch (error) {
      if (draft && failed(error, "asked")) return { text: "", digest: "" };
      throw error;
    }
  }

  private async openShared(fragment: string, view: View): Promise<void> {
    const { number } = this;
    const shared = await unpacked(fragment);
    if (!shared) throw new Error("its address is damaged or incomplete");
    const { name, text, options, line, seats } = shared;
    const whole = text ?? (await this.page.ask("open", { name })).text;
    if (number !== this.number) return;
    await this.take(name, whole, view, { options, line, sit: () => this.page.thinking.seatStrangers(seats) });
    this.foreign.value = true; // it shall not take the place of what is kept under this name
  }

  /** Opens a text in place of what is open. */
  private async take(
    name: string,
    text: string,
    view: View,
    how: {
      options?: Options;
      line?: Line | undefined;
      digest?: string;
      saved?: string;
      sit?: (game: Description) => void; // seats the players, as soon as there is a game
    },
  ): Promise<void> {
    const { page } = this;
    const { rules, play, thinking } = page;
    const { options = {}, line, digest = "", saved = text, sit } = how;
    batch(() => {
      if (name !== rules.name.peek()) play.clear(); // nobody shall take the former board for the new one
      this.foreign.value = false;
      page.at.value = "game";
      page.view.value = view;
      page.part.value = view === "write" ? "rules" : "board";
      page.tab.value = "moves";
      thinking.seats.value = {};
      thinking.paused.value = false;
      play.flipped.value = false;
      play.whole.value = false;
    });
    page.seating = sit ?? null;
    await rules.open(name, text, options, digest, line, saved);
    const game = rules.game.peek();
    if (game) page.seat(game);
    else if (sit) whenRight(page, name, sit);
  }

  /** Seats players as they sat before: levels of the game go on, whatever else is written waits for somebody. */
  private seatKnown(game: Description, seats: Record<string, string>): void {
    const { thinking } = this.page;
    if (Object.values(seats).every((text) => !text || text in game.levels)) thinking.seats.value = seats;
    else thinking.seatStrangers(seats);
  }

  // ------------------------------------------------------------------------------------------ what is kept

  /** Says what was found of a game, and how to be rid of it, or to have it back. */
  private tellKept(kept: Kept | null, file: Draft | null): void {
    if (!kept) return;
    const { rules, play } = this.page;
    const title = rules.game.peek()?.title || kept.title;
    const moves = kept.line.moves.length;
    const table = kept.line.table !== undefined;
    const actions: Action[] = [];
    const said: string[] = [];
    if (file) {
      said.push(`Your text of ${title}, which is not saved, is here again.`);
      actions.push(["Discard the text", () => this.discard(kept.name, file)]);
    }
    if ((moves || table) && same(kept.line, play.line.peek())) {
      said.push(`Your game of ${title}${moves ? `, move ${moves},` : ""} is here again.`);
      actions.push(["Start anew", () => this.startAnew()]);
    } else if (moves) {
      said.push(`This is another game of ${title} than the one that you left.`);
      const back = async () => {
        await rules.choose(kept.options);
        await play.show(kept.line);
        const game = rules.game.peek();
        if (game) this.seatKnown(game, kept.seats);
      };
      actions.push([`Go on with yours, move ${moves}`, () => void back()]);
    }
    if (said.length) tell(said.join(" "), "", actions);
  }

  private startAnew(): void {
    this.page.thinking.paused.value = false;
    void this.page.play.restart();
  }

  /** Takes the text of the file instead of a draft; where there is no file, nothing is left. */
  private discard(name: string, file: Draft): void {
    const { rules } = this.page;
    if (rules.name.peek() !== name) return;
    if (file.text) {
      rules.digest.value = file.digest;
      rules.edit(file.text);
    } else {
      this.home();
      this.shelf.forget(name);
      rules.name.value = "";
    }
  }

  private keepSoon(): void {
    const { at, rules, play, thinking } = this.page;
    if (!this.here.value || at.value !== "game") return;
    // Whatever of these changes is kept.
    void [rules.text.value, rules.saved.value, rules.digest.value, rules.chosen.value, play.line.value];
    void thinking.seats.value;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.keep(), QUIET);
  }

  /** Keeps the game that is open. */
  keep(): void {
    clearTimeout(this.timer);
    untracked(() => {
      const { page } = this;
      const { rules, play, thinking, hello } = page;
      const name = rules.name.value;
      if (this.opening.value || !name || page.at.value !== "game" || hello.product === "export") return;
      if (this.foreign.value) {
        page.draftKept.value = true;
        this.mustAsk = false;
        this.writePacked(page.view.value);
        return;
      }
      const isNew = name.endsWith(".rules") && !rules.digest.value;
      const draft = rules.changed.value || isNew ? { text: rules.text.value, digest: rules.digest.value } : null;
      const gone = this.shelf.keep({
        name,
        title: play.game.value?.title ?? name,
        options: rules.chosen.value,
        line: play.game.value ? play.line.value : (this.shelf.of(name)?.line ?? play.line.value),
        seats: thinking.seats.value,
        draft,
        when: Date.now(),
      });
      page.draftKept.value = draft !== null && gone !== null;
      this.mustAsk = rules.changed.value && gone === null;
      const texts = gone?.filter((one) => one.draft) ?? [];
      if (texts.length)
        tell(`The browser has no more room: the unsaved text of ${texts.map(nameOf).join(", ")} is gone.`);
    });
  }

  // ------------------------------------------------------------------------------------------ the address

  /** Lets the address name the place: a step of the history if it is another game or another view. */
  private write(place: Place | null): void {
    if (!place || this.page.hello.product === "export") return;
    if (place.at === "shared") this.writePacked(place.view);
    else this.put(place, fragmentOf(place));
  }

  /** The address of a text that came by one, once the keys rest: to pack it takes time that the check shall have. */
  private writePacked(view: View): void {
    clearTimeout(this.packing);
    const other = stepOf({ at: "shared", packed: "", view }) !== this.step; // a step of the history comes at once
    const write = async () => {
      const text = await packed(await present(this.page));
      const here = this.here.peek();
      if (here?.at !== "shared" || here.view !== view) return;
      if (text.length < LONG * 20) this.put(here, fragmentOf({ at: "shared", packed: text, view }));
    };
    this.packing = setTimeout(() => void write(), other ? 0 : QUIET);
  }

  private put(place: Place, fragment: string): void {
    const step = stepOf(place);
    const other = step !== this.step;
    if (!other && fragment === this.written && history.state !== null) return;
    this.step = step;
    this.written = fragment;
    const address = location.pathname + location.search + (fragment && `#${fragment}`);
    try {
      if (other) history.pushState({ pysolve: 1 }, "", address);
      else history.replaceState({ pysolve: 1 }, "", address);
    } catch {
      // A browser that is asked too often says no; the next change is written again.
    }
  }

  private title(): string {
    const { at, rules, play } = this.page;
    if (at.value === "home") return "pysolve – board games";
    if (at.value === "new") return "Write a game – pysolve";
    const title = rules.game.value?.title || rules.name.value || "pysolve";
    const moves = play.line.value.moves.length;
    return moves ? `${title} – move ${moves}` : title;
  }
}

function wishOf({ view, options, line }: Extract<Place, { at: "game" }>): Wish {
  return { view, ...(Object.keys(options).length && { options }), ...(line && { line }) };
}

function nameOf({ title, name }: Kept): string {
  return title || name;
}

function same(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

function stepOf(place: Place | null): string {
  if (!place) return "";
  return place.at === "game" ? `${place.view} ${place.name}` : place.at === "shared" ? `${place.view} #` : place.at;
}

/** Whoever begins is a person; the others are of a level, where there are others, and the game has this level. */
export function seated(game: Description, first: string | undefined, level: Against): Record<string, string> {
  if (!(level in game.levels) || game.players.length < 2) return {};
  const person = first ?? game.players[0]!.name;
  return Object.fromEntries(game.players.filter(({ name }) => name !== person).map(({ name }) => [name, level]));
}

/** Waits until rules that came broken are right for the first time. */
function whenRight({ rules }: Page, name: string, then: (game: Description) => void): void {
  const end = effect(() => {
    const other = rules.name.value !== name;
    const game = rules.game.value;
    if (!other && !game) return;
    queueMicrotask(() => end());
    if (!other && game) queueMicrotask(() => then(game));
  });
}
