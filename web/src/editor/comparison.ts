/** What is different between two texts, line by line, and a little of what is around it. */

export interface Stretch {
  kind: "same" | "ours" | "theirs";
  lines: string[];
}

const MOST_CELLS = 4_000_000; // of the table that compares line by line; larger changes are shown as a whole
const AROUND = 2; // lines that are the same, before and after a difference

/** All of both texts: what both have, what only ours has, what only theirs has. */
export function compared(ours: string, theirs: string): Stretch[] {
  const [mine, other] = [ours.split("\n"), theirs.split("\n")];
  let before = 0;
  while (before < mine.length && before < other.length && mine[before] === other[before]) before += 1;
  let after = 0;
  const shorter = Math.min(mine.length, other.length) - before;
  while (after < shorter && mine.at(-1 - after) === other.at(-1 - after)) after += 1;
  const found: Stretch[] = [];
  add(found, "same", mine.slice(0, before));
  between(mine.slice(before, mine.length - after), other.slice(before, other.length - after), found);
  add(found, "same", mine.slice(mine.length - after));
  return found;
}

/** The longest lines in common, by the table of their lengths. */
function between(mine: string[], other: string[], found: Stretch[]): void {
  const width = other.length + 1;
  if ((mine.length + 1) * width > MOST_CELLS) {
    add(found, "ours", mine);
    add(found, "theirs", other);
    return;
  }
  const table = new Uint32Array((mine.length + 1) * width); // of what begins at these lines
  for (let one = mine.length - 1; one >= 0; one -= 1)
    for (let two = other.length - 1; two >= 0; two -= 1)
      table[one * width + two] =
        mine[one] === other[two]
          ? table[(one + 1) * width + two + 1]! + 1
          : Math.max(table[(one + 1) * width + two]!, table[one * width + two + 1]!);
  let [one, two] = [0, 0];
  while (one < mine.length || two < other.length) {
    if (one < mine.length && two < other.length && mine[one] === other[two]) {
      add(found, "same", [mine[one]!]);
      one += 1;
      two += 1;
    } else if (
      two >= other.length ||
      (one < mine.length && table[(one + 1) * width + two]! >= table[one * width + two + 1]!)
    ) {
      add(found, "ours", [mine[one]!]);
      one += 1;
    } else {
      add(found, "theirs", [other[two]!]);
      two += 1;
    }
  }
}

function add(found: Stretch[], kind: Stretch["kind"], lines: string[]): void {
  if (!lines.length) return;
  const last = found.at(-1);
  if (last?.kind === kind) last.lines.push(...lines);
  else found.push({ kind, lines: [...lines] });
}

/** The differences with a few lines around each; what is left out is null. */
export function shortened(stretches: Stretch[]): (Stretch | null)[] {
  return stretches.flatMap((stretch, place): (Stretch | null)[] => {
    if (stretch.kind !== "same" || stretch.lines.length <= 2 * AROUND + 1) return [stretch];
    const head = place > 0 ? stretch.lines.slice(0, AROUND) : [];
    const tail = place < stretches.length - 1 ? stretch.lines.slice(-AROUND) : [];
    return [
      ...(head.length ? [{ kind: "same" as const, lines: head }] : []),
      null,
      ...(tail.length ? [{ kind: "same" as const, lines: tail }] : []),
    ];
  });
}
