"""The best lines of play from a position, by the search that suits the limits: what an analysis asks.

In: a position, and limits.  Out: lines of play with values for the player to move, the best first.

What time alone limits is analysed by the strong search (`pysolve.search.strong`), where the game and the engine have
it: it finds more in the same time.  With another limit it is minimax, whose value at a depth means something by itself,
or max-n; these two do not know the game so far.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from pysolve.dsl.player_texts import PLAIN, STRONG
from pysolve.engines.protocol import DoesNotApply, Engine
from pysolve.players.functions import history_of, techniques_for
from pysolve.position import Position
from pysolve.search.maxn import maxn
from pysolve.search.minimax import Result, minimax
from pysolve.search.several import several
from pysolve.search.strong import Memory, has_strong, no_strong, strong

SEARCHES = (PLAIN, STRONG)
Report = Callable[[list[Result]], None]


class Limits(NamedTuple):
    """When a search ends, which moves it follows beyond its depth, and which search it is."""

    depth: int | None = None
    seconds: float | None = None
    nodes: int | None = None
    turns: int | None = None  # instead of a depth, which counts moves
    quiet: tuple[str, ...] = ()  # kinds of moves, or captures
    threads: int = 1  # that search together
    search: str | None = None  # plain or strong; None: strong if there are seconds and nothing else

    @property
    def by_time(self) -> bool:
        """True if there are seconds, and nothing else says how far a search goes."""
        return self.seconds is not None and not (self.depth or self.nodes or self.turns or self.quiet)

    def half(self) -> Limits:
        """Half of the seconds and of the nodes."""
        seconds, nodes = self.seconds, self.nodes
        return self._replace(seconds=seconds and seconds / 2, nodes=nodes and max(1, nodes // 2))


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

    `moves` are the indices of the moves that are considered, by default all; with `each` all players play for
    themselves, else all others against the one who moves; `entries` and `memory` are those of the searches.  Ctrl-C is
    not caught.
    """
    game, (depth, seconds, nodes, turns, quiet, threads, _) = position.game, limits
    engine, state = game.engine, position.state
    if not each and goes_by_strong(engine, limits):
        return strong(
            engine, state, depth, nodes, seconds, report, entries, interruptible=False, threads=threads, lines=lines,
            techniques=techniques_for((), game), history=history_of(position), memory=memory, moves=moves,
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
