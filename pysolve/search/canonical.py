"""Positions up to the symmetries of the rules: of all images of a position, the least as bytes stands for them.

In: a game, or its symmetries.  Out: `Renamings`, which says what stands for a position.

Images of a position are worth the same, with the winner renamed: where players are exchanged, who is to move is, too,
and a value for the first player changes its sign.  The native engine does the same in C
(dsl/to_c/runtime/canonical.c).
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING

from pysolve.dsl.model import Game
from pysolve.engines.protocol import State
from pysolve.runtime.cancellation import go_on

if TYPE_CHECKING:
    from pysolve.dsl.analysis.symmetries import Symmetry

MOST_KNOWN = 64  # games whose symmetries are kept

Map = tuple[tuple[int, ...], tuple[bytes, ...]]


@dataclass(frozen=True)
class Renamings:
    """A group of ways to rename positions without the identity, each as `Symmetry.byte_map` has it."""

    maps: tuple[Map, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.maps)

    @property
    def order(self) -> int:
        """How many images a position has at most."""
        return len(self.maps) + 1

    @cached_property
    def keeping_players(self) -> Renamings:
        """Those that exchange no players."""
        return Renamings(tuple(one for one in self.maps if not exchanges_players(one)))

    def least(self, state: State) -> State:
        """What stands for a position and its images."""
        return min(chain((state,), self.images(state)))

    def images(self, state: State) -> Iterable[State]:
        """The images of a position; some may be equal."""
        return (_image(one, state) for one in self.maps)

    def least_course(self, states: Iterable[State]) -> tuple[State, ...]:
        """The least of the images of positions that are renamed alike: of the first, then of the second, …"""
        left, found = [None, *self.maps], list[State]()
        for state in states:
            images = [state if one is None else _image(one, state) for one in left]
            found.append(min(images))
            left = [one for one, image in zip(left, images, strict=True) if image == found[-1]]
        return tuple(found)

    def first(self, states: Iterable[State]) -> Iterator[State]:
        """Of those states that are images of each other the first."""
        met = set[State]()
        for state in states:
            if (least := self.least(state)) not in met:
                met.add(least)
                yield state


NONE = Renamings()


def renamings(found: Iterable[Symmetry]) -> Renamings:
    """Symmetries as they act on positions, each once."""
    return Renamings(tuple(one for one in dict.fromkeys(one.byte_map for one in found) if not _is_identity(one)))


_known: dict[int, tuple[Game, Renamings]] = {}  # by the address of the game, which lives as long


def renamings_of(game: Game, until: float | None = None, tick: Callable[[int], None] = lambda _: None) -> Renamings:
    """All symmetries of moves and results that are proved, whatever they do to the first position and to `evaluate`.

    When the clock (`time.monotonic`) reaches `until`, those that are found by then.  `tick` is called with the number
    of candidates newly tried.  Raises `Abandoned` if nobody waits any more.
    """
    from pysolve.dsl.analysis.symmetries import symmetries_of_play  # here, for most questions need none

    if id(game) in _known:
        return _known[id(game)][1]
    late = False

    def in_time() -> bool:
        nonlocal late
        go_on()
        tick(1)
        late = until is not None and time.monotonic() >= until
        return not late

    found = renamings(symmetries_of_play(game, in_time))
    if not late:
        if len(_known) >= MOST_KNOWN:
            _known.clear()
        _known[id(game)] = game, found
    return found


def exchanged(state: State, least: State) -> bool:
    """Have players been exchanged between a position and its image?  Then the other one is to move."""
    return state[0] != least[0]


def _image(one: Map, state: State) -> State:
    return bytes([table[state[source]] for source, table in zip(*one, strict=True)])


def exchanges_players(one: Map) -> bool:
    """Does such a way to rename positions exchange who is to move?"""
    return one[1][0][1] != 1


def _is_identity(one: Map) -> bool:
    sources, tables = one
    return sources == tuple(range(len(sources))) and all(table == _SAME for table in tables)


_SAME = bytes(range(256))
