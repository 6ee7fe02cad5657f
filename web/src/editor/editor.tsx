/** The rules: their text, what is wrong with it, and the file that it is. */

import { useEffect, useMemo, useRef } from "preact/hooks";
import { type Page, usePage } from "../store/page.ts";
import { Conflict } from "./conflict.tsx";
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
  useEffect(() => saveByKey(file), [file]);

  return (
    <section class={page.rules.stale.value ? "rules stale" : "rules"} aria-label="Rules">
      <Bar page={page} file={file} desk={desk} />
      {file.asksName.value && (
        <NameAsked
          label="Save as"
          name={`${page.rules.name.value || "mine"}.rules`}
          button="Save"
          take={(name) => void file.saveAs(name)}
          close={() => {
            file.asksName.value = false;
          }}
        />
      )}
      {desk.renames.value && (
        <NameAsked
          label="Rename"
          name={desk.renames.value.name}
          button="Rename"
          take={(name) => void desk.rename(name)}
          close={() => desk.focus()}
        />
      )}
      <Conflict file={file} text={page.rules.text.value} focus={() => desk.focus()} />
      <div class="text" ref={place} />
      <p class="unseen" id="editor-keys">
        Tab indents; Escape, then Tab, leaves the text. F8 goes to the next mistake. F2 renames. Control and Enter show
        the position of the example around the caret.
      </p>
    </section>
  );
}

function Bar({ page, file, desk }: { page: Page; file: OpenFile; desk: Desk }) {
  const { rules } = page;
  const saves = page.can("save");
  return (
    <div class="tools">
      <span class="file" title={file.unsaved.value ? unsavedAs(page) : ""}>
        {rules.name.value || "new rules"}
        {file.unsaved.value && <span class="dot"> •</span>}
        {file.unsaved.value && <span class="unseen">not saved</span>}
      </span>
      <Outline sections={() => desk.sections()} verdicts={() => desk.verdicts()} go={(line) => desk.goTo(line)} />
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

function unsavedAs(page: Page): string {
  return page.draftKept.value ? "This text is not saved in a file; the browser keeps it" : "This text is not saved";
}

interface Naming {
  label: string;
  name: string;
  button: string;
  take: (name: string) => void;
  close: () => void;
}

/** Asks for a name: of the file, or of something in it. */
function NameAsked({ label, name, button, take, close }: Naming) {
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    field.current?.focus();
    field.current?.select();
  }, []);
  return (
    <form
      class="question"
      onSubmit={(event) => {
        event.preventDefault();
        take(field.current!.value.trim());
      }}
      onKeyDown={(event) => {
        if (event.key === "Escape") close();
      }}
    >
      <label>
        {label} <input class="field" ref={field} required value={name} autocomplete="off" />
      </label>
      <button type="submit" class="button main">
        {button}
      </button>
      <button type="button" class="button" onClick={close}>
        Cancel
      </button>
    </form>
  );
}

/** Ctrl-S saves wherever the focus is. */
function saveByKey(file: OpenFile): () => void {
  const key = (event: KeyboardEvent) => {
    if (event.key !== "s" || !(event.ctrlKey || event.metaKey) || event.defaultPrevented) return;
    event.preventDefault();
    void file.save();
  };
  window.addEventListener("keydown", key);
  return () => window.removeEventListener("keydown", key);
}
