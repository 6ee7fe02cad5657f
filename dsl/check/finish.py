"""What can only be said of a whole game: which tables it needs, what a query may ask, who has just moved."""

from __future__ import annotations

from dataclasses import replace

from pysolve.dsl.check.symbols import Symbols
from pysolve.dsl.language.functions import BOARD_FUNCTIONS, NEXT, OPPONENT, OPPONENTS, STEP
from pysolve.dsl.model import (
    BOOL,
    Body,
    Const,
    Game,
    Query,
    Rule,
    Slot,
    Sort,
    Test,
    Var,
    Winner,
    all_steps,
    asked_steps,
    tables_asked,
)
from pysolve.dsl.model.properties import properties, writes_mover
from pysolve.dsl.model.rule_names import rule_of_definition


def queries_of(symbols: Symbols) -> dict[str, Query]:
    """Every name that a query may use, besides the kinds of moves."""
    found: dict[str, Query] = {}
    for name, slot in symbols.slots.items():
        if not slot.part_of:
            found[name] = Query("slot", name, slot.params, slot.sort)
    for name, table in symbols.columns.items():
        sorts = symbols.tables[table].sorts
        found[name] = Query("table", table, sorts[:1], sorts[1])
    for name, definition in symbols.definitions.items():
        params = tuple(p.sort for p in definition.params if isinstance(p.sort, Sort))
        target = definition.table or rule_of_definition(name)
        found[name] = Query("table" if definition.table else "rule", target, params, definition.result)
    for row in BOARD_FUNCTIONS:
        if row.table in symbols.tables:
            found.setdefault(row.name, symbols.asked(row))
    return found


def used_tables(game: Game) -> set[str]:
    """Names of the tables that the rules, the queries or the engines look into."""
    used = tables_asked(game) | {query.target for query in game.queries.values()} | {OPPONENT, STEP}
    return used if game.alternating else used | {NEXT, OPPONENTS}


def _reads_mover(game: Game, body: Body) -> bool:
    return any(properties(step).slot == "mover" for step in asked_steps(game, all_steps(body)))


def with_kept_turn(game: Game) -> Game:
    """The game, with a slot `again` if its endings must know whether the last move kept the turn.

    An ending speaks of the player who has just moved.  That is the player before the mover, unless the last
    move said `again` or `turn to`, or passed over somebody; only games in which this makes a difference remember it.
    Where two players alternate the slot says whether the turn was kept; elsewhere who has moved, or none where it is
    the player before the mover.
    """
    keeps = game.out is not None or any(writes_mover(effects) for a in game.actions for effects in a.rounds)
    role = any(isinstance(e.result, Winner) and e.result.role for e in game.endings)
    asked = role or any(_reads_mover(game, e.body) for e in game.endings) or _ranks_by_mover(game)
    if not keeps or not asked or len(game.players.labels) == 1:
        return game
    sort = BOOL if game.alternating else replace(game.players, optional=True)
    seen = "seen_again" if game.secret else ""
    if seen:  # a move that nobody notices may have kept the turn
        span, viewer = game.actions[0].span, Var("viewer", game.players)
        never = (Test("=", Const(0, BOOL), Const(1, BOOL)),)
        game.rules[seen] = Rule(seen, (viewer,), None, never, False, span, "who has just moved")
    game.slots["again"] = Slot("again", (), sort, game.size, 1, 0, seen=seen)
    game.__dict__.pop("size", None)
    return game


def _ranks_by_mover(game: Game) -> bool:
    """True if what an ending compares reads who has just moved; two players who alternate have never asked."""
    rules = {rule for result in game.numbered.values() for _, rule in result.compared}
    return not game.alternating and any(_reads_mover(game, game.rules[rule].body) for rule in rules)
