/**
 * Rules, options, moves and seats in the part of an address behind `#`.
 *
 * Behind the version stand the parts as JSON, deflated, in the letters of base64url.  A shipped game that nobody has
 * changed goes by its name, everything else by its text, broken rules too.  Whatever comes from an address is checked.
 */

import { PACKED } from "./address.ts";
import { tell } from "./notice.tsx";
import type { Line, Options } from "./protocol.ts";
import type { Page } from "./store/page.ts";
import { BEGINNING } from "./store/play.ts";
import { isLine, isOfStrings, isRecord } from "./store/shapes.ts";

export interface Shared {
  name: string;
  text?: string; // left out of shipped games that are as they were
  options: Options;
  line: Line;
  seats: Record<string, string>; // player text by player
}

const MOST = 2_000_000; // characters that an address may unfold to
export const LONG = 8_000; // characters of an address from which on some programs cut it

// ------------------------------------------------------------------------------------------ to an address and back

/** What stands behind `#`. */
export async function packed(shared: Shared): Promise<string> {
  const bytes = new TextEncoder().encode(JSON.stringify(shared));
  const small = await through(bytes, new CompressionStream("deflate-raw"), Number.POSITIVE_INFINITY);
  const letters = btoa(Array.from(small, (byte) => String.fromCharCode(byte)).join(""));
  return PACKED + letters.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** What has been packed; null if it is damaged, or something else. */
export async function unpacked(fragment: string): Promise<Shared | null> {
  if (!fragment.startsWith(PACKED)) return null;
  try {
    const letters = fragment.slice(PACKED.length).replaceAll("-", "+").replaceAll("_", "/");
    const small = Uint8Array.from(atob(letters), (letter) => letter.charCodeAt(0));
    const bytes = await through(small, new DecompressionStream("deflate-raw"), MOST);
    return asShared(JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes)));
  } catch {
    return null;
  }
}

async function through(
  bytes: Uint8Array<ArrayBuffer>,
  stream: CompressionStream | DecompressionStream,
  most: number,
): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let size = 0;
  const reader = new Blob([bytes]).stream().pipeThrough(stream).getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    size += value.length;
    if (size > most) {
      void reader.cancel();
      throw new RangeError("too long");
    }
    parts.push(value);
  }
  const whole = new Uint8Array(size);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

function asShared(found: unknown): Shared | null {
  if (!isRecord(found) || typeof found.name !== "string") return null;
  const { name, text, options, line, seats } = found;
  if (text !== undefined && typeof text !== "string") return null;
  if (!isOfStrings(options) || !isOfStrings(seats) || !isLine(line)) return null;
  return { name, options, line, seats, ...(text !== undefined && { text }) };
}

// ------------------------------------------------------------------------------------------ of a page

/** Copies an address that opens this page as it is, and says so. */
export async function share(page: Page): Promise<void> {
  const address = new URL(`#${await packed(await present(page))}`, location.href).href;
  const { length } = address;
  const long =
    length > LONG ? ` It has ${length.toLocaleString("en")} characters; some programs cut such addresses.` : "";
  try {
    await navigator.clipboard.writeText(address);
    tell(`The address of this position is copied.${long}`);
  } catch {
    tell(`Copy this address:${long}`, address);
  }
}

/** The page as it is, for an address. */
export async function present({ ask, rules, play, thinking }: Page): Promise<Shared> {
  const name = rules.name.value;
  const text = rules.text.value;
  const shipped = await ask("open", { name }).catch(() => null);
  const asItWas = shipped?.text === text && !name.endsWith(".rules");
  return {
    name,
    ...(!asItWas && { text }),
    options: rules.chosen.value,
    line: play.hides.value ? BEGINNING : play.line.value, // a table is no one else's
    seats: thinking.seats.value,
  };
}
