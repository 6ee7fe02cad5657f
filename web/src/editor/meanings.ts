/** What the names of a text mean: the service understands them, when somebody wants to know, once for each text. */

import type { Ask, Meaning, Questions } from "../protocol.ts";

export type Understood = Questions["understand"]["out"];

export class Meanings {
  private text: string | null = null;
  private found: Promise<Understood | null> = Promise.resolve(null);

  constructor(
    private readonly ask: Ask,
    private readonly name: () => string,
  ) {}

  /** What the names of a text mean; null if nobody knows. */
  of(text: string): Promise<Understood | null> {
    if (text !== this.text) {
      this.text = text;
      this.found = this.ask("understand", { name: this.name(), text }).catch(() => null);
    }
    return this.found;
  }

  /** The meaning of the name that begins at a place of the text, both counted from 1. */
  async at(text: string, line: number, column: number): Promise<Meaning | null> {
    const found = await this.of(text);
    return found && meaningIn(found, this.name(), line, column);
  }
}

export function meaningIn(found: Understood, source: string, line: number, column: number): Meaning | null {
  const mention = found.mentions.find((one) => one[0] === source && one[1] === line && one[2] === column);
  return mention ? (found.names[mention[3]] ?? null) : null;
}

/** How a name is declared, with its type where the declaration does not say it. */
export function declaration({ name, kind, type, head }: Meaning): string {
  const written = kind === "variable" ? head.startsWith(`${name}:`) : kind !== "value" && kind !== "given";
  return type && !written ? `${kind === "given" ? head : name}: ${type}` : head;
}
