"""Players who may take long for a move, found out before the game.

In: a position, and who plays.  Out: a warning for each player whose search has no limit but its depth, if that is too
deep for the game.  A short search counts the positions of the first depths; they grow by about the same factor from
there on.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from pysolve.dsl.player_texts import UnknownPlayer, names_program
from pysolve.players.functions import Specification, Thought, specification
from pysolve.position import Position
from pysolve.search.mcts import Result as Sampled

TRIED = 50_000  # positions of the short search
SKY = 10**9  # positions, beyond which a number says nothing
MANY = 5_000_000  # positions of a search that takes ten seconds and more


def warnings(position: Position, seats: Mapping[str, str]) -> Iterator[str]:
    """A sentence for each player who may search more than `MANY` positions for a move."""
    for seat, who in seats.items():
        expected = 0 if names_program(who) else positions_expected(position, specification(who, position.game.levels))
        if expected > MANY:
            bounded = "minimax:time=5" if who in position.game.levels else f"{who},time=5"
            yield f"{seat}: {who} may search {_told(expected)} positions for a move; {bounded} takes five seconds"


def positions_expected(position: Position, who: Specification) -> int:
    """The positions that a search to a fixed depth visits, as far as its first depths tell; 0 for other players."""
    asked = who.settings.get("depth") or who.settings.get("turns")
    if asked is None or {"time", "nodes"} & who.settings.keys() or position.is_over:
        return 0
    finished: list[tuple[int, int]] = []

    def hear(thought: Thought) -> None:
        if not isinstance(thought, Sampled):
            finished.append((thought.depth, thought.nodes))

    try:
        replace(who, settings={**who.settings, "nodes": TRIED}).player(0, hear)(position)
    except UnknownPlayer:
        return 0
    depth, nodes = finished[-1]
    earlier = dict(finished)  # an odd and an even depth differ, so the growth is that of two depths
    growth: float = (nodes / earlier.get(depth - 2, 1)) ** (1 / min(2, depth))
    return int(min(nodes * growth ** (asked - depth), SKY))


def _told(number: int) -> str:
    return "more than a thousand million" if number >= SKY else f"{number // 10**6:,} million"
