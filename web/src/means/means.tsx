/** What rules mean: clauses, queries, counts, and who wins among equals. */

import "../styles/means.css";
import { usePage } from "../store/page.ts";
import { Balance } from "./balance.tsx";
import { Clauses } from "./clauses.tsx";
import { Count } from "./count.tsx";
import { Query } from "./query.tsx";

export function MeansPart() {
  const page = usePage();
  const game = page.rules.game.value;
  if (!game) return null;
  return (
    <div class="means">
      {page.can("query") && <Query />}
      <Count />
      {page.can("balance") && <Balance key={game.id} />}
      {page.can("clauses") && <Clauses />}
    </div>
  );
}
