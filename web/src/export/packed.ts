/** What a page carries as text: bytes, deflated, in the letters of base64. */

import type { Exported } from "./exported.ts";
import type { Image } from "./machine.ts";

export async function inflated(packed: string): Promise<ArrayBuffer> {
  const bytes = Uint8Array.from(atob(packed), (one) => one.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  return new Response(stream).arrayBuffer();
}

/** The programs of a game, compiled. */
export async function compiled(programs: string[]): Promise<WebAssembly.Module[]> {
  return Promise.all(programs.map(async (packed) => WebAssembly.compile(await inflated(packed))));
}

/** What was learned, by the names of files. */
export async function images(learned: Exported["learned"]): Promise<Record<string, Image>> {
  const unpacked = Object.entries(learned).map(async ([file, { data, addresses }]) => {
    return [file, { data: new Uint8Array(await inflated(data)), addresses }] as const;
  });
  return Object.fromEntries(await Promise.all(unpacked));
}
