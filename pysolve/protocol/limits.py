"""What `go` asks for: the words of UCI and of UGI.

In: the words behind `go`, and who is to move.  Out: the limits of a search, its first moves, when its answer is
due.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

FOREVER = 1e8  # seconds: until somebody says stop
SPARE = 0.05  # seconds of a clock that are lost on the way
SHARE = 30  # moves that a clock has to suffice for
WHOLE = re.compile("-?[0-9]{1,18}")
NUMBERED = ("depth", "nodes", "movetime", "movestogo", "mate", "perft", *(
    f"{who}{what}" for who in ("w", "b", *(f"p{number}" for number in range(1, 9))) for what in ("time", "inc")
))  # fmt: skip
ALONE = ("infinite", "ponder")
MOVES = "searchmoves"


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits of a search; without depth, nodes and time it runs until it is told to stop."""

    depth: int | None = None
    nodes: int | None = None
    seconds: float | None = None
    moves: tuple[str, ...] = ()  # the first moves that are considered; all if there are none
    infinite: bool = False  # is the answer due only when somebody says stop?
    ponder: bool = False  # is it the opponent's time, until somebody says ponderhit?
    perft: int | None = None  # how many moves deep positions are counted, instead of a search
    unknown: tuple[str, ...] = ()  # words that mean nothing here

    @property
    def endless(self) -> bool:
        """True if no limit ends the search."""
        return self.perft is None and (
            self.infinite or self.ponder or (self.depth, self.nodes, self.seconds) == (None, None, FOREVER)
        )


def limits_of(words: Sequence[str], mover: int) -> Limits:
    """The limits that `go` sets for the player of this number.

    Of a clock, a thirtieth of the time left and most of the increment may be used; both protocols name the players. A
    mate in so many moves is searched as deep as it can be. Raises `ValueError` where a number is expected and there is
    none.
    """
    numbers, flags, moves, unknown = dict[str, int](), set[str](), list[str](), list[str]()
    rest = list(reversed(words))
    while rest:
        word = rest.pop()
        if word in NUMBERED:
            numbers[word] = _number(word, rest.pop() if rest else "")
        elif word in ALONE:
            flags.add(word)
        elif word == MOVES:
            while rest and rest[-1] not in (*NUMBERED, *ALONE):
                moves.append(rest.pop())
        else:
            unknown.append(word)
    if "mate" in numbers:
        numbers.setdefault("depth", 2 * numbers["mate"] - 1)
    depth, nodes, perft = (max(1, numbers[name]) if name in numbers else None for name in ("depth", "nodes", "perft"))
    seconds = _seconds(numbers, mover)
    if seconds is None and depth is None and nodes is None:
        seconds = FOREVER
    return Limits(
        depth, nodes, seconds, tuple(moves), "infinite" in flags, "ponder" in flags, perft, tuple(unknown)
    )  # fmt: skip


def _number(name: str, value: str) -> int:
    if not WHOLE.fullmatch(value):
        raise ValueError(f'{name} must be followed by a whole number, not "{value}"')
    return int(value)


def _seconds(given: dict[str, int], mover: int) -> float | None:
    """The time for a move; None if nothing is said of it."""
    left = next((given[f"{who}time"] for who in _clocks(mover) if f"{who}time" in given), None)
    added = next((given[f"{who}inc"] for who in _clocks(mover) if f"{who}inc" in given), 0)
    if "movetime" in given:
        seconds = given["movetime"] / 1000 - SPARE
    elif left is not None:
        share = left / max(2, given.get("movestogo", SHARE)) + 0.8 * added
        seconds = min(share, left / 2) / 1000 - SPARE
    else:
        return None
    return min(max(seconds, 0.01), FOREVER)


def _clocks(mover: int) -> tuple[str, ...]:
    """The names of a player's clock in UCI and in UGI."""
    return (("w", "b")[mover - 1], f"p{mover}") if mover < 3 else (f"p{mover}",)
