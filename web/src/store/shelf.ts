/**
 * Games that the browser keeps: how far each was played, by whom, and the text of rules that nobody has saved.
 *
 * Each game has an entry of its own in the storage, so that windows do not overwrite each other's.  Whoever else ran a
 * server at this address may have written there: what is found is checked here, and what has another form is no entry.
 * There is room for some games; those without a move and without a text go first, then those that were left longest ago.
 */

import type { Line, Options } from "../protocol.ts";
import { bareLine, isLine, isOfStrings, isRecord } from "./shapes.ts";

export interface Draft {
  text: string;
  digest: string; // of the file that it was made from; "" if there is none
}

export interface Kept {
  name: string;
  title: string;
  options: Options;
  line: Line;
  seats: Record<string, string>; // player text by player
  draft: Draft | null; // the text, where it is not that of the file
  when: number; // it was left, in ms
}

/** As much of the storage of a browser as is needed. */
export type Store = Pick<Storage, "length" | "key" | "getItem" | "setItem" | "removeItem">;

export const MOST_KEPT = 20; // games
export const LARGEST_KEPT = 400_000; // characters of one
export const ALL_KEPT = 2_000_000; // of all of them; browsers have room for some 5,000,000

export class Shelf {
  private readonly prefix: string;

  /** `place` says whose games these are: those of one folder, say. */
  constructor(
    place: string,
    private readonly store: Store | null,
  ) {
    this.prefix = `pysolve.game.${place}/`;
  }

  of(name: string): Kept | null {
    try {
      const text = this.store?.getItem(this.prefix + name) ?? null;
      return text === null ? null : asKept(name, text);
    } catch {
      return null;
    }
  }

  /** All games that are kept, the latest first. */
  all(): Kept[] {
    const found = this.names().flatMap((name) => this.of(name) ?? []);
    return found.sort((one, other) => other.when - one.when);
  }

  /** Keeps a game.  Returns the games that had to go for it; null if there is no room for it. */
  keep(kept: Kept): Kept[] | null {
    const { name, ...rest } = kept;
    const text = JSON.stringify(rest);
    if (!this.store || text.length > LARGEST_KEPT) return null;
    const gone: Kept[] = [];
    const others = this.all().filter((other) => other.name !== name);
    others.sort((one, other) => worth(other) - worth(one) || other.when - one.when);
    let size = text.length + others.reduce((sum, other) => sum + this.sizeOf(other.name), 0);
    const drop = (): boolean => {
      const last = others.pop();
      if (!last) return false;
      size -= this.sizeOf(last.name);
      this.forget(last.name);
      if (worth(last)) gone.push(last);
      return true;
    };
    while (others.length >= MOST_KEPT || size > ALL_KEPT) if (!drop()) break;
    for (;;) {
      try {
        this.store.setItem(this.prefix + name, text);
        return gone;
      } catch {
        if (!drop()) return null; // others fill the storage
      }
    }
  }

  forget(name: string): void {
    try {
      this.store?.removeItem(this.prefix + name);
    } catch {
      // Then there is nothing to forget.
    }
  }

  private names(): string[] {
    const found: string[] = [];
    try {
      for (let number = 0; number < (this.store?.length ?? 0); number += 1) {
        const key = this.store!.key(number);
        if (key?.startsWith(this.prefix)) found.push(key.slice(this.prefix.length));
      }
    } catch {
      // The browser keeps nothing.
    }
    return found;
  }

  private sizeOf(name: string): number {
    return this.store?.getItem(this.prefix + name)?.length ?? 0;
  }
}

/** What would be lost with it: a text is worth more than moves, and moves more than a mere look. */
function worth({ draft, line }: Kept): number {
  return draft ? 2 : line.moves.length || line.start || line.table ? 1 : 0;
}

function asKept(name: string, text: string): Kept | null {
  if (text.length > LARGEST_KEPT) return null;
  const found: unknown = JSON.parse(text);
  if (!isRecord(found)) return null;
  const { title, options, line, seats, draft, when } = found;
  if (typeof title !== "string" || typeof when !== "number" || !Number.isFinite(when)) return null;
  if (!isOfStrings(options) || !isOfStrings(seats) || !isLine(line)) return null;
  const checked = draft === null ? null : asDraft(draft);
  if (checked === undefined) return null;
  return { name, title, options, seats, when, line: bareLine(line), draft: checked };
}

function asDraft(found: unknown): Draft | undefined {
  if (!isRecord(found) || typeof found.text !== "string" || typeof found.digest !== "string") return undefined;
  return { text: found.text, digest: found.digest };
}

/** The storage of this browser; null where it keeps nothing. */
export function browserStore(): Store | null {
  try {
    return localStorage;
  } catch {
    return null;
  }
}
