/** The line below all: whether the rules are right, whether their examples hold, who computes, what went wrong. */

import { speedOf } from "./rail/words.ts";
import { usePage } from "./store/page.ts";
import { Trouble } from "./trouble.tsx";

export function Foot() {
  const { rules, play, thinking, hello, tab, writes } = usePage();
  const thinks = tab.value === "means" ? thinking.trouble.value : ""; // beside the moves it stands there
  const thought = thinking.thought.value;
  const trouble = rules.trouble.value || play.trouble.value || thinks;
  return (
    <footer class="foot">
      {hello.product !== "export" && (writes.value || !rules.right.value) && <Mistakes />}
      {writes.value && <Examples />}
      <Trouble text={trouble} />
      <span class="last">
        {[rules.game.value?.engine, thought && speedOf(thought), hello.version].filter(Boolean).join(" · ")}
      </span>
    </footer>
  );
}

function Mistakes() {
  const page = usePage();
  const problems = page.rules.problems.value;
  const mistakes = problems.filter((problem) => problem.severity === "error");
  const first = mistakes[0] ?? problems[0];
  const warnings = problems.length - mistakes.length;
  const said = [count(mistakes.length, "mistake"), warnings ? count(warnings, "warning") : ""]
    .filter(Boolean)
    .join(", ");
  if (!first) return <span>{said}</span>;
  return (
    <button
      type="button"
      class={mistakes.length ? "bad" : ""}
      title={first.message}
      onClick={() => page.lookAt(first.line)}
    >
      {said}
    </button>
  );
}

function Examples() {
  const page = usePage();
  const { examples, game, stale } = page.rules;
  if (stale.value) return null; // nobody knows whether the present rules hold
  const asked = game.value?.examples.length ?? 0;
  const played = examples.value;
  const wrong = played.find((example) => example.checks.some((check) => !check.holds));
  if (!asked) return null;
  if (wrong)
    return (
      <button type="button" class="bad" onClick={() => page.lookAt(wrong.line)}>
        example “{wrong.name}” does not hold
      </button>
    );
  const said = asked === 1 ? "1 example holds" : `${asked} examples hold`;
  return <span>{played.length < asked ? `${played.length} of ${asked} examples played` : said}</span>;
}

function count(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? "" : "s"}`;
}
