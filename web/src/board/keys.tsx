/** Keys that work wherever nobody types, and the list of them. */

import { useEffect, useRef } from "preact/hooks";
import { type Page, usePage } from "../store/page.ts";
import { focus } from "./cells.tsx";
import { type Desk, useDesk } from "./desk.ts";

const WALKING: [string, string][] = [
  ["← ↑ → ↓", "walk through the cells; outside of the board ← and → step through the moves"],
];
const STEERING: [string, string][] = [
  ["← ↑ → ↓", "move a step"],
  ["Shift ← → …", "walk through the cells; outside of the board ← and → step through the moves"],
];
const KEYS: [string, string][] = [
  ["Enter", "choose the cell: hold, move, or hear why not"],
  ["Esc", "let go, close, stop thinking"],
  ["u", "undo"],
  ["U", "undo the whole turn"],
  ["h", "hint"],
  ["f", "see the board from the other side"],
  ["?", "this list"],
];

export function useKeys(): void {
  const page = usePage();
  const desk = useDesk();
  useEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
      if (types(event.target) || isCovered()) return;
      if (!event.shiftKey && page.waits && desk.arrow(event.key)) {
        event.preventDefault();
        return;
      }
      const act = actions(page, desk)[event.key];
      if (!act) return;
      event.preventDefault();
      act();
    };
    document.addEventListener("keydown", pressed);
    return () => document.removeEventListener("keydown", pressed);
  }, [page]);
}

function actions(page: Page, desk: Desk): Record<string, () => void> {
  const { play } = page;
  return {
    u: () => void page.thinking.undo(),
    U: () => void page.thinking.undo(true),
    h: () => void page.thinking.hint(),
    f: () => {
      play.flipped.value = !play.flipped.value;
    },
    "?": () => {
      desk.keys.value = true;
    },
    ArrowLeft: () => void play.back(),
    ArrowRight: () => void play.forward(),
    Escape: () => letGo(page, desk),
  };
}

/** The topmost thing goes first: the explanation, then the menu and what is held, then a search. */
function letGo(page: Page, desk: Desk): void {
  const { play, thinking } = page;
  desk.give();
  if (play.bubble.value) play.bubble.value = null;
  else if (play.held.value.length) play.release();
  else if (thinking.busy.value) thinking.cancel();
  if (desk.cursor.value && document.activeElement?.closest(".beside")) focus(desk.picture, desk.cursor.value);
}

/** True where a key writes or chooses something. */
function types(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest("input, textarea, select, [contenteditable]") !== null;
}

/** True while a dialog or a list of options lies above the page: the keys are theirs, and Escape closes them. */
function isCovered(): boolean {
  return document.querySelector("dialog[open], :popover-open") !== null;
}

export function Keys() {
  const desk = useDesk();
  const dialog = useRef<HTMLDialogElement>(null);
  const open = desk.keys.value;
  useEffect(() => {
    if (open) dialog.current?.showModal();
    else dialog.current?.close();
  }, [open]);
  const close = () => {
    desk.keys.value = false;
  };
  return (
    <dialog ref={dialog} class="above keys" aria-labelledby="keys" onClose={close}>
      <header>
        <h2 id="keys">Keys</h2>
        <button type="button" class="button sign" aria-label="Close" onClick={close}>
          ×
        </button>
      </header>
      <dl>
        {[...(desk.steers.value ? STEERING : WALKING), ...KEYS].map(([key, about]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{about}</dd>
          </div>
        ))}
      </dl>
    </dialog>
  );
}
