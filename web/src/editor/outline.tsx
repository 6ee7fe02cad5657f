/** The sections of the text, to go to: a list that a button opens. */

import { useEffect, useRef, useState } from "preact/hooks";
import { isIn } from "./words.ts";

export interface Entry {
  line: number; // from 1
  section: string;
  name: string;
}

/** The sections of a text in their order. */
export function outlineOf(text: string): Entry[] {
  return text.split("\n").flatMap((line, place) => {
    const [, change = "", section = "", rest = ""] = /^((?:replace|remove)\s+)?([a-z]+)\b\s*(.*)$/.exec(line) ?? [];
    if (!isIn("sections", section)) return [];
    const name = /^"([^"]*)"|^([\w, ]+?)(?=\s*(?:[(:="]|$| as | in ))/.exec(rest);
    return [{ line: place + 1, section: change + section, name: name?.[1] ?? name?.[2] ?? "" }];
  });
}

/** Signs of examples by line, and what happens when an entry is chosen. */
export function Outline({ text, go }: { text: () => string; go: (line: number) => void }) {
  const [open, setOpen] = useState(false);
  const around = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!open) return;
    const elsewhere = (event: Event) => {
      if (!around.current?.contains(event.target as Node)) setOpen(false);
    };
    document.addEventListener("pointerdown", elsewhere);
    document.addEventListener("focusin", elsewhere);
    return () => {
      document.removeEventListener("pointerdown", elsewhere);
      document.removeEventListener("focusin", elsewhere);
    };
  }, [open]);
  const close = (event: KeyboardEvent) => {
    if (event.key !== "Escape" || !open) return;
    event.stopPropagation();
    setOpen(false);
    around.current?.querySelector("button")?.focus();
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Escape closes the list, wherever within it the focus is
    <div class="outline" ref={around} onKeyDown={close}>
      <button type="button" class="button" aria-expanded={open} onClick={() => setOpen(!open)}>
        Sections <span aria-hidden="true">▾</span>
      </button>
      {open && (
        <ul class="entries">
          {outlineOf(text()).map((entry) => (
            <li key={entry.line}>
              <button
                type="button"
                onClick={() => {
                  setOpen(false);
                  go(entry.line);
                }}
              >
                <span class="section">{entry.section}</span> <span class="name">{entry.name}</span>
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
