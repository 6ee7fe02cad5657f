"""The best lines of play from a position, by the search that suits the limits: what an analysis asks.

In: a position, and limits.  Out: lines of play with values for the player to move, the best first.

What time alone limits is analysed by the strong search (`pysolve.search.strong`), where the game and the engine have
it: it finds more in the same time.  With another limit it is minimax, whose value at a depth means something by itself,
or max-n; these two do not know the game so far.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from pysolve.dsl.analysis.levels import EXPERT, needs_random_games
from pysolve.dsl.player_texts import PLAIN, STRONG, UnknownPlayer, read_player
from pysolve.engines.protocol import DoesNotApply, Engine
from pysolve.game import NO_OTHER_GAME, Game, other_game
from pysolve.players.functions import (
    are_for_strong,
    history_of,
    in_game,
    judged_by,
    techniques_for,
    tree_settings,
)
from pysolve.position import Position
from pysolve.search.maxn import maxn
from pysolve.search.mcts import Result as Sampled
from pysolve.search.mcts import Settings, TreeEngine, lines_of, mcts, planted, unproven
from pysolve.search.minimax import Result, minimax
from pysolve.search.several import several
from pysolve.search.strong import Memory, Techniques, has_strong, no_strong, strong

SEARCHES = (PLAIN, STRONG)
# Settings of a level that an analysis may go by.
OF_SEARCH = {"search", "techniques", "values", "depth", "nodes", "time", "ties"}
OF_TREES = {*Settings._fields, "values", "by", "playouts", "nodes", "time"}
SLICE = 0.25  # seconds between two findings of random games
NEXT_SEED = 1_000_000  # further than the games of such a time, of which each has the next seed
Report = Callable[[list[Result]], None]


class Limits(NamedTuple):
    """When a search ends, which moves it follows beyond its depth, which search it is, and what it goes by."""

    depth: int | None = None
    seconds: float | None = None
    nodes: int | None = None
    turns: int | None = None  # instead of a depth, which counts moves
    quiet: tuple[str, ...] = ()  # kinds of moves, or captures
    threads: int = 1  # that search together
    search: str | None = None  # plain or strong; None: strong if there are seconds and nothing else
    techniques: tuple[str, ...] = ()  # of the strong search; none: the usual ones
    values: str | None = None  # the file of learned values by which positions are `judged`

    @property
    def by_time(self) -> bool:
        """True if there are seconds, and nothing else says how far a search goes."""
        return self.seconds is not None and not (self.depth or self.nodes or self.turns or self.quiet)

    def half(self) -> Limits:
        """Half of the seconds and of the nodes."""
        seconds, nodes = self.seconds, self.nodes
        return self._replace(seconds=seconds and seconds / 2, nodes=nodes and max(1, nodes // 2))


NO_LIMITS = Limits()


def by_values(game: Game, limits: Limits, file: str) -> Limits:
    """The same limits, for a search by the learned values in a file: by the strong one if they are for that.

    Raises `UnknownPlayer` for a file that holds no values of this game.
    """
    search = limits.search
    if search is None and not (limits.turns or limits.quiet):
        search = STRONG if are_for_strong(file, game) and has_strong(game.engine) else PLAIN
    return limits._replace(search=search, values=file)


def as_expert(game: Game, limits: Limits) -> Limits:
    """The same limits, for a search that goes by what the level `expert` goes by, if that is such a search, too."""
    name, settings = _expert(game)
    if name != "minimax" or not settings.keys() <= OF_SEARCH or not has_strong(game.engine):
        return limits
    search = STRONG if settings.get("search") == STRONG else PLAIN if "values" in settings else limits.search
    return limits._replace(search=search, techniques=settings.get("techniques", ()), values=settings.get("values"))


def tree_of_expert(game: Game) -> tuple[Game, Settings, str | None]:
    """The rules by which the level `expert` grows its trees, their settings, and the file of learned values that judges
    their leaves; the default ones where it grows none.  Raises `UnknownPlayer` for a file that does not apply."""
    _, settings = read_player(tree_player(game))
    rules = other_game(game, settings["by"]) if "by" in settings else game
    return rules, tree_settings(settings, rules), settings.get("values")


def tree_player(game: Game) -> str:
    """The text of the player whose trees an analysis grows: the level `expert`, or by default `mcts`."""
    return game.levels[EXPERT] if _expert_grows_trees(game) else "mcts"


def _expert_grows_trees(game: Game) -> bool:
    name, settings = _expert(game)
    return name == "mcts" and settings.keys() <= OF_TREES


def grows_trees(game: Game, in_c: bool | None = None) -> bool:
    """Do `random_games` say more of a position than a search: because `evaluate` says little, or since the level
    `expert` plays by them, and trees grow in C, as by default the engine says?"""
    if needs_random_games(game.model):
        return True
    if not _expert_grows_trees(game) or game.model.chances:
        return False
    return isinstance(game.engine, TreeEngine) if in_c is None else in_c


def plays_out(game: Game, limits: Limits) -> bool:
    """True if an analysis within these limits goes by `random_games`: they are a time, and name no search."""
    named = limits.search or limits.values or limits.threads != 1
    several_players = len(game.players) > 1 and not game.model.chances
    return limits.by_time and not named and several_players and grows_trees(game)


def random_games(position: Position, seconds: float, lines: int = 1) -> Iterator[tuple[Sampled, list[Sampled]]]:
    """What a tree of random games has found, and its best lines, each from another move, every quarter of a second,
    until the result is proven or the time is over.

    It grows like that of the level `expert`, where that grows one.  By other rules it proves nothing here, and where
    they allow what the game forbids, it grows by those of the game.  The seed is the same each time.
    """
    settings, proves = Settings(), True
    try:
        rules, wanted, values = tree_of_expert(position.game)
        thought = judged(in_game(rules, position), Limits(values=values))
        if not thought.is_over and set(thought.node.moves) <= set(position.node.moves):
            proves = rules is position.game
            position, settings = thought, wanted
    except NO_OTHER_GAME:  # a file is missing, or what was learned is of other rules
        pass
    engine, state, history = position.game.engine, position.state, history_of(position)
    tree, began, seed = planted(engine, state, settings, history), time.monotonic(), 0
    while True:
        left = began + seconds - time.monotonic()
        found = mcts(engine, state, None, max(0.0, min(SLICE, left)), seed, settings, history, tree)
        seed += NEXT_SEED
        best, is_proven = lines_of(tree, lines), found.proven is not None
        if not proves:
            found, best = unproven(found), [unproven(one) for one in best]
        yield replace(found, seconds=time.monotonic() - began), best
        if is_proven or left <= SLICE:
            return


def _expert(game: Game) -> tuple[str, Mapping[str, Any]]:
    """The player that is the level `expert`, with its settings."""
    try:
        return read_player(game.levels.get(EXPERT, ""))
    except UnknownPlayer:
        return "", {}


def analysing_techniques(game: Game, limits: Limits = NO_LIMITS) -> Techniques:
    """The techniques of the strong search: those that are named, else those of the level `expert` if it goes by the
    same values, or by `evaluate`, too; else those of a file beside the rules or the values.  Raises `UnknownPlayer`."""
    expert = as_expert(game, limits)
    usual = expert.techniques if expert.values == limits.values else ()
    return techniques_for(limits.techniques or usual, game, limits.values)


def judged(position: Position, limits: Limits) -> Position:
    """The position as the search sees it; raises `UnknownPlayer` if there are no such values of this game."""
    return position if limits.values is None else judged_by(limits.values, position)


def goes_by_strong(engine: Engine, limits: Limits) -> bool:
    """True if the strong search answers.

    Raises `ValueError` if a search is named that there is not, or the strong one with limits that it does not know, and
    `DoesNotApply` if that one is named, and the game or the engine does not have it.
    """
    if limits.search is None:
        return limits.by_time and has_strong(engine)
    if limits.search not in SEARCHES:
        raise ValueError(f'search must be {" or ".join(SEARCHES)}, not "{limits.search}"')
    if limits.search == PLAIN:
        return False
    if limits.turns or limits.quiet:
        what = "turns" if limits.turns else "quiet"
        raise ValueError(
            f"{what} is for the plain search: the strong one counts moves, and looks at captures by itself"
        )
    if not has_strong(engine):
        raise DoesNotApply(no_strong(engine))
    return True


def best_lines(
    position: Position,
    lines: int,
    limits: Limits,
    report: Report | None = None,
    entries: int | None = None,
    moves: Sequence[int] | None = None,
    each: bool = False,
    memory: Memory | None = None,
) -> list[Result]:
    """The best lines, each from another first move; `report` is called with those of each finished depth.

    The position is one that is `judged`, where there are values.  `moves` are the indices of the moves that are
    considered, by default all; with `each` all players play for themselves, else all others against the one who moves;
    `entries` and `memory` are those of the searches.  Ctrl-C is not caught.
    """
    game, engine, state = position.game, position.game.engine, position.state
    depth, seconds, nodes, turns, quiet, threads, *_ = limits
    if not each and goes_by_strong(engine, limits):
        return strong(
            engine, state, depth, nodes, seconds, report, entries, interruptible=False, threads=threads, lines=lines,
            techniques=analysing_techniques(game, limits), history=history_of(position), memory=memory, moves=moves,
        )  # fmt: skip
    if lines > 1 or moves is not None:
        return several(engine, state, lines, depth, nodes, seconds, report, entries, threads, moves, each)

    def hear(result: Result) -> None:
        if report is not None:
            report([result])

    if each:
        return [maxn(engine, state, depth, nodes, seconds, report=hear, turns=turns, interruptible=False)]
    return [minimax(
        engine, state, depth, nodes, seconds, report=hear, entries=entries, turns=turns, quiet=quiet, threads=threads,
        interruptible=False,
    )]  # fmt: skip
