/** The place of the editor, which is fetched when somebody writes: who plays does not wait for it. */

import "./styles/editor.css"; // here, because the styles of what is fetched later would be fetched by nobody
import "./styles/words.css";
import { signal } from "@preact/signals";
import type { FunctionComponent } from "preact";
import { useEffect } from "preact/hooks";
import { messageOf } from "./store/rules.ts";

const editor = signal<FunctionComponent | null>(null);
const trouble = signal("");

export function EditorPlace() {
  useEffect(() => void fetched(), []);
  const Editor = editor.value;
  if (Editor) return <Editor />;
  return (
    <section class="rules" aria-label="Rules">
      {trouble.value && (
        <p class="question" role="alert">
          {trouble.value}
        </p>
      )}
    </section>
  );
}

async function fetched(): Promise<void> {
  try {
    const { EditorPart } = await import("./editor/editor.tsx");
    editor.value = EditorPart;
  } catch (error) {
    trouble.value = `The editor could not be loaded: ${messageOf(error)}. Reload the page.`;
  }
}
