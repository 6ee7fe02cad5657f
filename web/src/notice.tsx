/** One sentence that the page says for a while. */

import { signal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import "./styles/notice.css";

interface Said {
  text: string;
  address: string; // to be copied by hand, or ""
}

const LONG_ENOUGH = 7_000; // ms
const notice = signal<Said | null>(null);
let timer: ReturnType<typeof setTimeout> | undefined;

export function tell(text: string, address = ""): void {
  clearTimeout(timer);
  notice.value = { text, address };
  if (!address) timer = setTimeout(close, LONG_ENOUGH);
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
