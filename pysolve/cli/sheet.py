"""The rules of a game on one page, for somebody who plays it.

In: a model.  Out: lines: what the game is about, what each kind of move demands, how the game ends.
"""

from __future__ import annotations

from collections.abc import Iterator

from pysolve.dsl.model import Contest, Demand, Game, Result, Sort


def rule_sheet(game: Game) -> Iterator[str]:
    """The rules of a game as lines of text, for somebody who plays it: moves, values, end of the game."""
    author = game.about.get("author")
    yield f"{game.title}{f' ({author})' if author else ''}"
    if "about" in game.about:
        yield game.about["about"]
    for action in game.actions:
        yield f"\n{' '.join(dict.fromkeys((action.name, action.text)))}"
        yield from (f"  {_demanded(demand)}" for demand in (*action.demands, *action.after))
    values = list(_values(game))
    yield from ["\nValues", *values] if values else []
    yield "\nEnd of the game"
    for ending in game.endings:
        yield f"  {_result(game, ending.result)}: {ending.reason}"
    if game.stuck is None:
        yield "  a player who has no legal move passes"
    else:
        yield f"  without a legal move: {game.stuck_reason or _result(game, game.stuck)}"


def _values(game: Game) -> Iterator[str]:
    """The constants that belong to each value of a type, such as prices, as lines of text."""
    for name, query in game.queries.items():
        if query.kind != "table" or len(query.params) != 1 or not isinstance(query.result, Sort):
            continue
        sort, table = query.params[0], game.tables[query.target]
        if sort.labels and sort.name not in ("cell", "direction", "bool"):
            listed = [f"{sort.label(row[0])} {query.result.label(row[1])}" for row in table.rows]
            yield f"  {name}: {', '.join(listed)}"


def _demanded(demand: Demand) -> str:
    """The author's words for what must be true; the line of the rules where there are none."""
    return demand.reason or demand.text


def _result(game: Game, result: Result) -> str:
    """Who wins, in the words of the rules."""
    if isinstance(result, Contest):
        contests = [f"{which} {rule.removesuffix('/1')}" for which, rule in result.rankings]
        rest = f", else {_result(game, result.otherwise)}" if result.otherwise is not None else ""
        return "rank " * result.ranks + ", then ".join(contests) + rest
    does = "loses" if result.loses else "wins"
    if result.role is not None:
        return f"{result.role} {does}"
    if result.player is None:
        return "draw"
    label = getattr(result.player, "value", None)
    return f"{game.players.label(label) if isinstance(label, int) else result.player} {does}"
