/** Texts that leave the page: to the clipboard, or as a file. */

import { useEffect, useState } from "preact/hooks";
import { messageOf } from "../store/rules.ts";

const SEEN = 1500; // ms for which a button says that it has copied

export function CopyButton(props: {
  text: () => string | Promise<string>;
  what: string;
  fails?: (message: string) => void;
}) {
  const [done, setDone] = useState(false);
  useEffect(() => {
    if (!done) return;
    const timer = setTimeout(() => setDone(false), SEEN);
    return () => clearTimeout(timer);
  }, [done]);
  const copy = async () => {
    try {
      await copied(await props.text());
      setDone(true);
    } catch (error) {
      props.fails?.(messageOf(error));
    }
  };
  return (
    <button type="button" class="button edged" onClick={() => void copy()}>
      {done ? "Copied" : "Copy"}
      <span class="unseen"> {props.what}</span>
    </button>
  );
}

/** Copies a text, also where a page may not use the clipboard by itself, such as one that was opened from a file. */
async function copied(text: string): Promise<void> {
  if (navigator.clipboard) return navigator.clipboard.writeText(text);
  const field = document.createElement("textarea");
  field.value = text;
  field.className = "unseen";
  document.body.append(field);
  field.select();
  const done = document.execCommand("copy");
  field.remove();
  if (!done) throw new Error("This browser lets no page copy: select the text and copy it yourself.");
}

export function download(name: string, text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  URL.revokeObjectURL(address);
}
