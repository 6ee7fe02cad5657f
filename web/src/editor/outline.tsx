/** The sections of the text, to go to: a list that a button opens. */

import { useEffect, useRef, useState } from "preact/hooks";
import type { Out } from "../protocol.ts";
import { SIGNS, type Verdict } from "./examples.ts";

interface Wishes {
  sections: () => Out<"view">["sections"];
  verdicts: () => Map<number, Verdict>; // of examples, by their lines
  go: (line: number) => void;
}

export function Outline({ sections, verdicts, go }: Wishes) {
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
  const entries = open ? sections() : [];
  const known = open ? verdicts() : new Map<number, Verdict>();
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Escape closes the list, wherever within it the focus is
    <div class="outline" ref={around} onKeyDown={close}>
      <button type="button" class="button" aria-expanded={open} onClick={() => setOpen(!open)}>
        Sections <span aria-hidden="true">▾</span>
      </button>
      {open && (
        <ul class="entries">
          {entries.map((entry) => (
            <li key={entry.line}>
              <button
                type="button"
                onClick={() => {
                  setOpen(false);
                  go(entry.line);
                }}
              >
                <span class="section">{entry.section}</span> <span class="name">{entry.name}</span>
                {known.has(entry.line) && <span class="unseen">{known.get(entry.line)}</span>}
                {known.has(entry.line) && <Sign verdict={known.get(entry.line)!} />}
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

function Sign({ verdict }: { verdict: Verdict }) {
  return (
    <span class={`verdict ${verdict}`} aria-hidden="true">
      {SIGNS[verdict][0]}
    </span>
  );
}
