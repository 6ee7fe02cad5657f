/** Opens a game anew that the service has forgotten, so that nobody else needs to know that it forgets. */

import type { Ask, In, Out, Question } from "./protocol.ts";
import { failed } from "./store/rules.ts";

const KEPT = 20; // games

/** `opener` says who forgets the games of a question, where that is not everywhere the same. */
export function askAgain(ask: Ask, opener: (question: Question, asked: unknown) => Ask = () => ask): Ask {
  const checked = new Map<string, In<"check">>(); // by Description.id

  return async (question, asked, how) => {
    try {
      return remember(question, asked, await ask(question, asked, how));
    } catch (error) {
      const opened = checked.get((asked as { game?: string }).game ?? "");
      if (!opened || !failed(error, "gone")) throw error;
      await opener(question, asked)("check", opened);
      return ask(question, asked, how);
    }
  };

  function remember<Q extends Question>(question: Q, asked: In<Q>, answer: Out<Q>): Out<Q> {
    const game = question === "check" ? (answer as Out<"check">).game : null;
    if (game) {
      checked.delete(game.id);
      checked.set(game.id, asked as In<"check">);
      if (checked.size > KEPT) checked.delete(checked.keys().next().value!);
    }
    return answer;
  }
}
