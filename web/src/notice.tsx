/** One sentence that the page says for a while, and what can be done about it. */

import { signal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import "./styles/notice.css";

export type Action = [name: string, act: () => void];

interface Said {
  text: string;
  address: string; // to be copied by hand, or ""
  actions: Action[];
}

const LONG_ENOUGH = 7_000; // ms
const TO_CHOOSE = 14_000; // ms, where there is something to choose
const notice = signal<Said | null>(null);
let timer: ReturnType<typeof setTimeout> | undefined;

export function tell(text: string, address = "", actions: Action[] = []): void {
  clearTimeout(timer);
  notice.value = { text, address, actions };
  if (!address) timer = setTimeout(close, actions.length ? TO_CHOOSE : LONG_ENOUGH);
}

function close(): void {
  clearTimeout(timer);
  notice.value = null;
}

/** The place of notices.  It is always there, so that screen readers hear what appears in it. */
export function Notice() {
  const said = notice.value;
  return (
    <div class={said ? "notice above" : "notice"} role="status">
      {said && <span>{said.text}</span>}
      {said?.address && <Address address={said.address} />}
      {said?.actions.map(([name, act]) => (
        <button
          key={name}
          type="button"
          class="button edged"
          onClick={() => {
            close();
            act();
          }}
        >
          {name}
        </button>
      ))}
      {said && (
        <button type="button" class="button sign" aria-label="Close" onClick={close}>
          ×
        </button>
      )}
    </div>
  );
}

function Address({ address }: { address: string }) {
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.select(), []);
  return <input class="field" ref={field} readonly value={address} aria-label="Address" />;
}
