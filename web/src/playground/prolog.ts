/**
 * SWI-Prolog as WebAssembly, called through its C interface: strings in, strings out, as pysolve/engines/bridge.py
 * calls the library at home.  Its methods are what pysolve/engines/browser.py asks of the object that it is handed.
 */

/** What Emscripten makes of SWI-Prolog: the functions that are called here. */
export interface Swipl {
  FS: { writeFile(path: string, text: string): void; mkdirTree(path: string): void };
  _malloc(size: number): number;
  _free(at: number): void;
  _PL_new_module(name: number): number;
  _PL_predicate(name: number, arity: number, module: number): number;
  _PL_new_term_refs(count: number): number;
  _PL_put_variable(term: number): number;
  _PL_put_string_nchars(term: number, length: number, text: number): number;
  _PL_put_chars(term: number, flags: number, length: number, text: number): number;
  _PL_open_query(module: number, flags: number, predicate: number, terms: number): number;
  _PL_next_solution(query: number): number;
  _PL_close_query(query: number): number;
  _PL_exception(query: number): number;
  _PL_get_nchars(term: number, length: number, text: number, flags: number): number;
  _WASM_mark_string_buffers(): number;
  _PL_release_string_buffers_from_mark(mark: number): void;
}

export type MakeSwipl = (settings: Record<string, unknown>) => Promise<Swipl>;

// From SWI-Prolog.h.
const [NODEBUG, CATCH, EXT_STATUS] = [0x4, 0x8, 0x40];
const FLAGS = NODEBUG | CATCH | EXT_STATUS;
const [CVT_STRING, CVT_WRITE, BUF_ALLOW_STACK, REP_UTF8, PL_STRING] = [0x2, 0x80, 0x40000, 0x100000, 6];

const WORD = 4; // bytes of a pointer and of a size
const PIECE = 8192; // characters that are made at once: arguments of a function are limited

export class Prolog {
  private bytes = new Uint8Array();
  private readonly terms: number; // what goes in, and what comes out
  private readonly out: number; // length and address
  private room = 0; // where text goes in, and how much fits
  private roomSize = 0;
  private error: string | undefined;

  constructor(
    private readonly swipl: Swipl,
    readonly memory: WebAssembly.Memory,
  ) {
    this.terms = swipl._PL_new_term_refs(2);
    swipl._PL_put_variable(this.terms + 1);
    this.out = swipl._malloc(2 * WORD);
  }

  /** Loads a file of Prolog, given its text. */
  consult(name: string, text: string): void {
    this.swipl.FS.mkdirTree("/pysolve");
    this.swipl.FS.writeFile(`/pysolve/${name}`, text);
    const done = this.ask(this.predicate("system", "consult", 1), `/pysolve/${name}`, true);
    if (done === undefined) throw new Error(`SWI-Prolog does not load ${name}: ${this.error ?? "it fails"}`);
  }

  /** A handle of the predicate name/2 of a module. */
  predicate(module: string, name: string, arity = 2): number {
    const [a, b] = [this.text(name), this.text(module)];
    const found = this.swipl._PL_predicate(a, arity, b);
    this.swipl._free(a);
    this.swipl._free(b);
    return found;
  }

  /** The string with which a predicate answers a string; undefined, which is None in Python, where it fails or throws. */
  ask(predicate: number, text: string, utf8: boolean): string | undefined {
    const { swipl, terms } = this;
    this.error = undefined;
    if (utf8) this.putText(text);
    else this.putBytes(text);
    const query = swipl._PL_open_query(0, FLAGS, predicate, terms);
    try {
      const status = swipl._PL_next_solution(query);
      if (status === 0) return undefined;
      if (status > 0) return utf8 ? this.getText(terms + 1, CVT_STRING) : this.getBytes();
      this.error = this.getText(swipl._PL_exception(query), CVT_WRITE);
      return undefined;
    } finally {
      swipl._PL_close_query(query);
    }
  }

  /** What the last question has thrown; undefined if it has failed. */
  thrown(): string | undefined {
    return this.error;
  }

  // ------------------------------------------------------------------------------------- text in memory

  /** All memory; another view after each growth. */
  private view(): Uint8Array {
    if (this.bytes.buffer !== this.memory.buffer) this.bytes = new Uint8Array(this.memory.buffer);
    return this.bytes;
  }

  private text(text: string): number {
    const bytes = new TextEncoder().encode(`${text}\0`);
    const at = this.swipl._malloc(bytes.length);
    this.view().set(bytes, at);
    return at;
  }

  private roomFor(size: number): number {
    if (size > this.roomSize) {
      this.swipl._free(this.room);
      this.room = this.swipl._malloc(2 * size);
      this.roomSize = 2 * size;
    }
    return this.room;
  }

  private putBytes(text: string): void {
    const at = this.roomFor(text.length);
    const bytes = this.view();
    for (let i = 0; i < text.length; i++) bytes[at + i] = text.charCodeAt(i);
    this.swipl._PL_put_string_nchars(this.terms, text.length, at);
  }

  private putText(text: string): void {
    const bytes = new TextEncoder().encode(text);
    const at = this.roomFor(bytes.length);
    this.view().set(bytes, at);
    this.swipl._PL_put_chars(this.terms, PL_STRING | REP_UTF8, bytes.length, at);
  }

  private getBytes(): string {
    const bytes = this.found(this.terms + 1, CVT_STRING | BUF_ALLOW_STACK);
    let text = "";
    for (let i = 0; i < bytes.length; i += PIECE) text += String.fromCharCode(...bytes.subarray(i, i + PIECE));
    return text;
  }

  /** The text of a term; inside a string mark, so that nothing leaks. */
  private getText(term: number, how: number): string {
    const mark = this.swipl._WASM_mark_string_buffers();
    const text = new TextDecoder().decode(this.found(term, how | REP_UTF8));
    this.swipl._PL_release_string_buffers_from_mark(mark);
    return text;
  }

  private found(term: number, flags: number): Uint8Array {
    if (!this.swipl._PL_get_nchars(term, this.out, this.out + WORD, flags)) return new Uint8Array();
    const at = this.word(this.out + WORD);
    return this.view().subarray(at, at + this.word(this.out));
  }

  private word(at: number): number {
    return new DataView(this.memory.buffer).getUint32(at, true);
  }
}

/** Starts SWI-Prolog from its code and the files of its library. */
export async function startProlog(make: MakeSwipl, code: WebAssembly.Module, library: ArrayBuffer): Promise<Prolog> {
  let memory: WebAssembly.Memory | undefined;
  const swipl = await make({
    arguments: ["-q"],
    getPreloadedPackage: () => library,
    instantiateWasm: (imports: WebAssembly.Imports, started: (instance: WebAssembly.Instance) => void) => {
      void WebAssembly.instantiate(code, imports).then((instance) => {
        memory = Object.values(instance.exports).find((value) => value instanceof WebAssembly.Memory);
        started(instance);
      });
      return {};
    },
  });
  if (!memory) throw new Error("SWI-Prolog has no memory of its own");
  return new Prolog(swipl, memory);
}
