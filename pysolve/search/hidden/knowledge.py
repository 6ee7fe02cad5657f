"""What all players know, step by step, while a search goes through histories of a game.

In: an engine.  Out: for each player a number that is equal exactly where that player cannot tell two histories apart.
So a search keeps numbers, and the bytes of `pysolve.search.information` are put together where they are read.
"""

from __future__ import annotations

from functools import lru_cache

from pysolve.engines.protocol import Engine, Move, State
from pysolve.search.information import END, first, read

TEXTS = 1 << 16  # of moves that are kept

Known = tuple[int, ...]  # the number of what each player knows


class Knowledge:
    """All that was ever known, by number: each adds what was noticed last to something known before."""

    def __init__(self, engine: Engine):
        self._engine = engine
        self._players = range(1, len(engine.game.players.labels) + 1)
        self._numbers: dict[tuple[int, bytes], int] = {}
        self._added: list[tuple[int, bytes]] = []
        self.text = lru_cache(TEXTS)(self._text)

    def _text(self, move: Move, own: bool) -> bytes:
        """A move as a player reads it: his own, which he has chosen, or another one."""
        return read(self._engine.game, move, own).encode()

    def observe(self, before: State, move: Move, after: State, player: int) -> bytes:
        """What a player notices of a move, as `pysolve.search.information.observe` has it, of many moves faster."""
        text = self.text(move, before[0] == player and move[0] not in self._engine.game.chances)
        view = self._engine.view(after, player)
        return b"" if not text and view == self._engine.view(before, player) else text + END + view

    def first(self, state: State) -> Known:
        """What each player knows of an initial state."""
        return tuple(self.more(-1, first(self._engine, state, player)) for player in self._players)

    def after(self, known: Known, before: State, move: Move, after: State) -> Known:
        """What each player knows after a move."""
        return tuple(
            self.more(one, self.observe(before, move, after, player))
            for one, player in zip(known, self._players, strict=True)
        )

    def more(self, number: int, noticed: bytes) -> int:
        """What is known after something more was noticed; the same if it was nothing."""
        if not noticed:
            return number
        found = self._numbers.setdefault((number, noticed), len(self._added))
        if found == len(self._added):
            self._added.append((number, noticed))
        return found

    def information(self, number: int) -> bytes:
        """All that is known, as `pysolve.search.information.information` gives it."""
        parts = []
        while number >= 0:
            number, noticed = self._added[number]
            parts.append(noticed)
        return b"".join(reversed(parts))
