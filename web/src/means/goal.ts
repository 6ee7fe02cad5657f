/** What can be asked of a position, and how. */

import type { Description } from "../protocol.ts";

type Askable = Description["queries"][number];

/** The kinds of moves with the names of their parameters, then all else with its types. */
export function askable({ kinds, queries }: Pick<Description, "kinds" | "queries">): Askable[] {
  const moves = kinds.map(({ name, parameters }) => ({ name, parameters: parameters.map((one) => one.name) }));
  return [...moves, ...queries.filter(({ name }) => !moves.some((move) => move.name === name))];
}

/** A goal that asks everything about a name: each parameter is a variable, named by its type or its own name. `taken` are
 * words that the rules use for something else, such as the values of a type. */
export function goalOf({ name, parameters }: Askable, taken: ReadonlySet<string> = new Set()): string {
  if (!parameters.length) return name;
  const wanted = parameters.map(variable);
  const names = wanted.map((word, at) =>
    wanted.indexOf(word) === wanted.lastIndexOf(word) ? word : `${word}${at + 1}`,
  );
  return `${name}(${names.map((word) => (taken.has(word) ? `${word}_` : word)).join(", ")})`;
}

/** "player" as Player, "from" as From; what is no name at all as Value. */
function variable(type: string): string {
  const letters = type.split(/\W/, 1)[0]!;
  return /^[a-z]/i.test(letters) ? letters[0]!.toUpperCase() + letters.slice(1) : "Value";
}
