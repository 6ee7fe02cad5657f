/** The rules: their text, what is wrong with it, and the file that it is. */

import { useEffect, useMemo, useRef } from "preact/hooks";
import "../styles/editor.css";
import { type Page, usePage } from "../store/page.ts";
import { Desk } from "./desk.ts";
import { OpenFile } from "./file.ts";
import { Outline } from "./outline.tsx";

export function EditorPart() {
  const page = usePage();
  const file = useMemo(() => new OpenFile(page), [page]);
  const desk = useMemo(() => new Desk(page, () => void file.save()), [page, file]);
  const place = useRef<HTMLDivElement>(null);

  useEffect(() => desk.open(place.current!), [desk]);
  useEffect(() => file.watch(), [file]);
  useEffect(() => keepUnsaved(file), [file]);

  return (
    <section class={page.rules.stale.value ? "rules stale" : "rules"} aria-label="Rules">
      <Bar page={page} file={file} desk={desk} />
      {file.asksName.value && <NameAsked file={file} name={page.rules.name.value} />}
      <Conflict file={file} focus={() => desk.focus()} />
      <div class="text" ref={place} />
      <p class="unseen" id="editor-keys">
        Tab indents; Escape, then Tab, leaves the text. F8 goes to the next mistake. Control and Enter show the position
        of the example around the caret.
      </p>
    </section>
  );
}

function Bar({ page, file, desk }: { page: Page; file: OpenFile; desk: Desk }) {
  const { rules } = page;
  const saves = page.can("save");
  return (
    <div class="tools">
      <span class="file" title={file.unsaved.value ? "This text is not saved" : ""}>
        {rules.name.value || "new rules"}
        {file.unsaved.value && <span class="dot"> •</span>}
        {file.unsaved.value && <span class="unseen">not saved</span>}
      </span>
      <Outline text={() => rules.text.value} verdicts={() => desk.verdicts()} go={(line) => desk.goTo(line)} />
      <button type="button" class="button" title="Find and replace (Ctrl-F)" onClick={() => desk.find()}>
        Find
      </button>
      <button type="button" class="button" title="Shift-Alt-F" onClick={() => void desk.format()}>
        Format
      </button>
      <button
        type="button"
        class="button"
        title="Ctrl-S"
        disabled={(saves && !file.unsaved.value) || file.saving.value}
        onClick={() => void file.save()}
      >
        {saves ? "Save" : "Download"}
      </button>
    </div>
  );
}

/** A file name for rules that have none. */
function NameAsked({ file, name }: { file: OpenFile; name: string }) {
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.select(), []);
  return (
    <form
      class="question"
      onSubmit={(event) => {
        event.preventDefault();
        void file.saveAs(field.current!.value.trim());
      }}
      onKeyDown={(event) => {
        if (event.key === "Escape") file.asksName.value = false;
      }}
    >
      <label>
        Save as <input class="field" ref={field} required value={`${name || "mine"}.rules`} autocomplete="off" />
      </label>
      <button type="submit" class="button main">
        Save
      </button>
      <button
        type="button"
        class="button"
        onClick={() => {
          file.asksName.value = false;
        }}
      >
        Cancel
      </button>
    </form>
  );
}

/** Somebody else has written the file, or it could not be written. */
function Conflict({ file, focus }: { file: OpenFile; focus: () => void }) {
  const button = (name: string, does: () => void) => (
    <button
      type="button"
      class="button edged"
      onClick={() => {
        does();
        focus();
      }}
    >
      {name}
    </button>
  );
  if (file.disk.value)
    return (
      <div class="question" role="alert">
        <span>Another program has changed this file.</span>
        {button("Take its text", () => file.takeDisk())}
        {button("Overwrite it", () => void file.save(true))}
      </div>
    );
  if (!file.trouble.value) return null;
  return (
    <div class="question" role="alert">
      <span>{file.trouble.value}</span>
      {button("Close", () => {
        file.trouble.value = "";
      })}
    </div>
  );
}

/** Ctrl-S saves wherever the focus is, and the browser asks before it forgets a text that is not saved. */
function keepUnsaved(file: OpenFile): () => void {
  const key = (event: KeyboardEvent) => {
    if (event.key !== "s" || !(event.ctrlKey || event.metaKey) || event.defaultPrevented) return;
    event.preventDefault();
    void file.save();
  };
  const leave = (event: BeforeUnloadEvent) => {
    if (file.unsaved.value) event.preventDefault();
  };
  window.addEventListener("keydown", key);
  window.addEventListener("beforeunload", leave);
  return () => {
    window.removeEventListener("keydown", key);
    window.removeEventListener("beforeunload", leave);
  };
}
