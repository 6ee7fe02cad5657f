"""What can only be said of a whole game: which tables it needs, what a query may ask, who has just moved."""

from __future__ import annotations

from dsl.check.symbols import Symbols
from dsl.model import (
    BOOL,
    Again,
    Ask,
    Body,
    Game,
    Get,
    Query,
    Rule,
    Slot,
    Sort,
    Winner,
    all_effects,
    all_steps,
    tables_asked,
)


def queries_of(symbols: Symbols) -> dict[str, Query]:
    """Every name that a query may use, besides the kinds of moves."""
    found: dict[str, Query] = {}
    for name, slot in symbols.slots.items():
        found[name] = Query("slot", name, slot.params, slot.sort)
    for name, table in symbols.columns.items():
        sorts = symbols.tables[table].sorts
        found[name] = Query("table", table, sorts[:1], sorts[1])
    for name, definition in symbols.definitions.items():
        params = tuple(p.sort for p in definition.params if isinstance(p.sort, Sort))
        target = definition.table or f"def_{name}"
        found[name] = Query("table" if definition.table else "rule", target, params, definition.result)
    for name, query in symbols.board_functions().items():
        found.setdefault(name, query)
    return found


def used_tables(game: Game) -> set[str]:
    """Names of the tables that the rules, the queries or the engines look into."""
    return tables_asked(game) | {query.target for query in game.queries.values()} | {"opponent", "board_step"}


def _reads_mover(game: Game, body: Body, seen: set[str]) -> bool:
    for step in all_steps(body):
        if isinstance(step, Get) and step.slot == "mover":
            return True
        if isinstance(step, Ask) and step.rule not in seen:
            seen.add(step.rule)
            rule: Rule = game.rules[step.rule]
            if _reads_mover(game, rule.body, seen):
                return True
    return False


def with_kept_turn(game: Game) -> Game:
    """The game, with a slot `again` if its endings must know whether the last move kept the turn.

    An ending speaks of the player who has just moved.  That is the opponent of the mover, unless the last
    move said `again`; only games in which this makes a difference remember it.
    """
    keeps = any(isinstance(e, Again) for a in game.actions for r in a.rounds for e in all_effects(r))
    role = any(isinstance(e.result, Winner) and e.result.role for e in game.endings)
    if not keeps or not (role or any(_reads_mover(game, e.body, set()) for e in game.endings)):
        return game
    game.slots["again"] = Slot("again", (), BOOL, game.size, 1, 0)
    game.__dict__.pop("size", None)
    return game
