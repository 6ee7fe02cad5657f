/** A line across the page while nobody answers.  It goes by itself as soon as somebody does. */

import { useEffect, useRef } from "preact/hooks";
import { lost } from "./store/connection.ts";
import { usePage } from "./store/page.ts";

export function Connection() {
  const page = usePage();
  const before = useRef(false);
  useEffect(() => {
    if (before.current && !lost.value) void page.answersAgain();
    before.current = lost.value;
  }, [lost.value, page]);
  return (
    <div class={lost.value ? "lost above" : "lost"} role="alert">
      {lost.value &&
        "The connection to pysolve is lost. Your game is kept; it goes on as soon as `pysolve web` runs again."}
    </div>
  );
}
