/** What a page carries as text: bytes, deflated, in the letters of base64. */

export async function inflated(packed: string): Promise<ArrayBuffer> {
  const bytes = Uint8Array.from(atob(packed), (one) => one.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  return new Response(stream).arrayBuffer();
}

/** The programs of a game, compiled. */
export async function compiled(programs: string[]): Promise<WebAssembly.Module[]> {
  return Promise.all(programs.map(async (packed) => WebAssembly.compile(await inflated(packed))));
}
