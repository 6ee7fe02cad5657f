/** A goal that asks everything about a name: each parameter is a variable, named by its type. */

import type { Description } from "../protocol.ts";

export function goalOf({ name, parameters }: Description["queries"][number]): string {
  if (!parameters.length) return name;
  const wanted = parameters.map(variable);
  const names = wanted.map((word, at) =>
    wanted.indexOf(word) === wanted.lastIndexOf(word) ? word : `${word}${at + 1}`,
  );
  return `${name}(${names.join(", ")})`;
}

/** "player" as Player, "from" as From; what is no name at all as Value. */
function variable(type: string): string {
  const letters = type.replace(/\W.*$/, "");
  return /^[a-z]/i.test(letters) ? letters[0]!.toUpperCase() + letters.slice(1) : "Value";
}
