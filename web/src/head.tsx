import { usePage } from "./store/page.ts";

/** The line above all: which game this is, its options, and what can be done with it. */
export function Head() {
  const page = usePage();
  const game = page.rules.game.value;
  return (
    <header class="head">
      <button
        type="button"
        class="name"
        onClick={() => {
          page.gallery.value = true;
        }}
      >
        {game?.title ?? "pysolve"}
      </button>
    </header>
  );
}
