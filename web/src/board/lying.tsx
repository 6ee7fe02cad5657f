/** What lies beside the board: things to be clicked where a move can have what they stand for, and lines of words. */

import { MOST_DRAWN } from "../generated/constants.ts";
import { drawn } from "../picture.ts";
import type { Aside, Item } from "../protocol.ts";
import { usePage } from "../store/page.ts";
import { narrow } from "../store/window.ts";
import { wordOf } from "./words.ts";

export function Asides({ asides }: { asides: Aside[] }) {
  if (!asides.length) return null;
  const count = asides.flatMap(({ groups }) => groups.flatMap(({ things }) => things.map(drawings))).reduce(sum, 0);
  return (
    <ul class="asides" data-many={count > CROWD ? "crowd" : count > SOME ? "some" : "few"}>
      {asides.map((aside, place) => (
        <Row key={aside.title} aside={aside} titled={needsTitle(aside, asides.slice(0, place))} />
      ))}
    </ul>
  );
}

/** True for a line of headings that an earlier line has, too, or of words and numbers alone: they do not say what they are. */
function needsTitle({ groups }: Aside, earlier: Aside[]): boolean {
  const taken = new Set(earlier.flatMap((one) => one.groups.map(({ label }) => label)));
  const wordy = groups.every(({ things }) => things.length && things.every(({ look }) => !look.parts.length));
  return groups.some(({ label }) => label && (wordy || taken.has(label)));
}

const [SOME, CROWD] = [12, 40]; // more drawings than that are smaller

/** How often a thing is drawn. */
function drawings({ look, count }: Item): number {
  return !look.parts.length ? 0 : count > MOST_DRAWN ? 1 : count;
}

function sum(one: number, other: number): number {
  return one + other;
}

/** The things of one line of the rules; where none of them can be clicked, they are told in words. */
function Row({ aside: { title, text, groups }, titled }: { aside: Aside; titled: boolean }) {
  const page = usePage();
  const mine = (player: string) => page.waits && (!player || player === page.play.state.value?.mover);
  const { begins, targets } = page.play;
  const offers = (value: string) => begins.value.has(value) || targets.value.has(value);
  const chosen = groups.some(({ things }) => things.some(({ value }) => offers(value)));
  const live = groups.some(({ player, things }) => mine(player) && things.some(({ value }) => value));
  return (
    <li title={title} {...(!live && { "aria-label": text })}>
      {groups.map(({ label, player, things }) => (
        // biome-ignore lint/a11y/useSemanticElements: a fieldset has no place in a line of things
        <span
          key={label}
          class="group"
          role="group"
          aria-label={label || title}
          {...(!live && { "aria-hidden": true })}
        >
          <span class="label" aria-hidden="true">
            {titled ? `${title} ${label}` : label || title}
          </span>
          {!things.length && <span class="empty">0</span>}
          {things.map((item, place) =>
            item.value && mine(player) ? (
              <Thing key={item.value} item={item} fades={chosen || item.note !== ""} />
            ) : (
              <Pieces key={`${place} ${item.look.label}`} item={item} />
            ),
          )}
        </span>
      ))}
    </li>
  );
}

/**
 * A thing that can be clicked as a cell can; one that no legal move needs says why not.  It fades where others of its
 * line may be chosen, or a price stands beside it: else it is there to be seen, as the piece that one was given.
 */
function Thing({ item, fades }: { item: Item; fades: boolean }) {
  const { play } = usePage();
  const { value } = item;
  const held = play.held.value.includes(value);
  const pointed = play.pointed.value.includes(value);
  const next = play.held.value.length ? play.targets.value.has(value) : play.begins.value.has(value);
  const may = next || play.begins.value.has(value);
  const named = [wordOf(value), item.note, item.count > 1 ? `× ${item.count}` : ""].filter(Boolean).join(" ");
  const sign = held ? "held" : next ? "can be chosen" : may ? "" : "not now";
  return (
    <button
      type="button"
      class={["thing", held && "held", pointed && "pointed", next && "next", !may && fades && "idle"]
        .filter(Boolean)
        .join(" ")}
      data-place={value}
      aria-pressed={held}
      aria-label={[named, sign].filter(Boolean).join(", ")}
      title={named}
      onClick={() => void play.click(value)}
    >
      <Pieces item={item} />
    </button>
  );
}

/** A thing beside the board, as often as there is of it; or a word. */
function Pieces({ item: { look, count, note } }: { item: Item }) {
  if (!look.parts.length) {
    const word = look.label ? [look.label, count > 1 && `× ${count}`, note].filter(Boolean).join(" ") : count;
    return <b>{word}</b>;
  }
  const places = Array.from({ length: count > MOST_DRAWN ? 1 : count }, (_, place) => place);
  return (
    <>
      {places.map((place) => (
        <svg key={place} class="glyph" viewBox="-30 -30 60 60" aria-hidden="true">
          {drawn(look.parts)}
        </svg>
      ))}
      {count > MOST_DRAWN && <b>× {count}</b>}
      {note && <b>{note}</b>}
    </>
  );
}

/**
 * What the author has words for; and behind a fold, what no line of the rules shows or says.  A game without a board has
 * nothing else to be seen.
 */
export function Besides({ lines, facts }: { lines: string[]; facts: string[] }) {
  const { play } = usePage();
  if (!lines.length && !facts.length) return null;
  if (!play.game.value?.board.cells.length)
    return (
      <div class="besides">
        <Lines lines={[...facts, ...lines]} />
      </div>
    );
  const count = narrow.value ? FEW : lines.length;
  const [shown, more] = [lines.slice(0, count), [...lines.slice(count), ...facts]];
  return (
    <div class="besides">
      {shown.length > 0 && <Lines lines={shown} />}
      {more.length > 0 && (
        <details class="facts">
          <summary>more</summary>
          <Lines lines={more} />
        </details>
      )}
    </div>
  );
}

const FEW = 2; // lines that are read below the board where there is not much room

function Lines({ lines }: { lines: string[] }) {
  return (
    <ul>
      {lines.map((line) => {
        const [name, ...rest] = line.split(": ");
        return (
          <li key={name}>
            {name}
            {rest.length > 0 && ": "}
            <b>{rest.join(": ")}</b>
          </li>
        );
      })}
    </ul>
  );
}
