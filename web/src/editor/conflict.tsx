/** Somebody else has written the file, or it could not be written: what is different, and what to do. */

import { compared, type Stretch, shortened } from "./comparison.ts";
import type { OpenFile } from "./file.ts";

export function Conflict({ file, text, focus }: { file: OpenFile; text: string; focus: () => void }) {
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
  const disk = file.disk.value;
  if (disk)
    return (
      <div class="question" role="alert">
        <span>
          {disk.name} has been changed elsewhere, in another window or by another program. Your text is not saved.
        </span>
        <Comparison ours={text} theirs={disk.text} />
        {button("Take the text of the file", () => file.takeDisk())}
        {button("Overwrite the file", () => void file.save(true))}
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

const SIGNS: Record<Stretch["kind"], string> = { same: " ", ours: "+", theirs: "−" };
const SAID: Record<Stretch["kind"], string> = { same: "", ours: "only here: ", theirs: "only in the file: " };

function Comparison({ ours, theirs }: { ours: string; theirs: string }) {
  return (
    <details class="comparison">
      <summary>Compare</summary>
      <p class="key">
        <span class="ours">+ only here</span> <span class="theirs">− only in the file</span>
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls can be scrolled by keys */}
      <ol tabIndex={0} aria-label="Differences">
        {shortened(compared(ours, theirs)).map((stretch, place) =>
          stretch ? (
            stretch.lines.map((line, number) => (
              <li key={`${place} ${number}`} class={stretch.kind}>
                <span aria-hidden="true">{SIGNS[stretch.kind]} </span>
                <span class="unseen">{SAID[stretch.kind]}</span>
                {line}
              </li>
            ))
          ) : (
            <li key={place} class="left-out">
              …
            </li>
          ),
        )}
      </ol>
    </details>
  );
}
