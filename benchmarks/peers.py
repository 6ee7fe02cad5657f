"""Hand-written C programs for single games, against which the C that pysolve prints is measured.

In: a checked game and its states.  Out: the answers of a program that knows this one game and nothing else.

    zola_tables.c      byte board; neighbours farther out and rays cut at the last target, as tables.  4x4, 6x6, 8x8
    zola_sets.c        two 64-bit sets; code for each square, with its masks as constants.  6x6
    zola_shifts.c      two 64-bit sets; all moves at once by shifts and masks.  6x6
    blockade_tables.c  byte board and tables of neighbours.  10x10, touchdown on rank 3, any number of pieces
    blockade_shifts.c  a 100-bit set for each kind of piece and one for those that have acted.  The same games

They are compiled with the compiler and the flags of the native engine.  What they answer is what the engine answers:
perft, playouts move by move, values of a search, turns.  `zola_board.c`, `zola_games.c`, `zola_search.c` and
`blockade_turn.c` are parts of several programs for a game.
"""

from __future__ import annotations

import ctypes
import functools
import subprocess
import tempfile
from ctypes import c_int, c_longlong, c_uint32, c_uint64, c_void_p
from pathlib import Path
from typing import Any, Literal, NamedTuple

from pysolve.dsl.model import Game
from pysolve.dsl.notation import to_dict
from pysolve.engines.build import NoCompiler, compilers
from pysolve.engines.memory import zeros
from pysolve.engines.protocol import State
from pysolve.search.playouts import LONGEST, Playouts

HANDWRITTEN = Path(__file__).with_name("handwritten")
ENTRIES = 1 << 20  # of the table of a search, 16 bytes each
DEEPEST = 128  # moves to the horizon
NO_LIMIT = 1 << 62

Kind = Literal["tables", "sets", "shifts"]


class Found(NamedTuple):
    """What a search has found; `best` is the place of the squares, from and to, or None for a pass."""

    value: int
    depth: int
    nodes: int
    best: tuple[int, int] | None


class Turn(NamedTuple):
    """Distinct positions after a turn, ordered ways to play it, and positions that were walked within it."""

    positions: int
    ways: int
    walked: int


@functools.cache
def _folder() -> tempfile.TemporaryDirectory[str]:
    return tempfile.TemporaryDirectory(prefix="pysolve-peers-")


@functools.cache
def _library(name: str, *defines: str) -> ctypes.CDLL:
    """A compiled program; raises `NoCompiler` where there is none."""
    found = compilers("cc")
    if not found:
        raise NoCompiler("there is no C compiler here")
    made = Path(_folder().name) / f"{'-'.join((name, *defines))}.so"
    command = [*found[0].command, *(f"-D{define}" for define in defines), str(HANDWRITTEN / f"{name}.c")]
    subprocess.run([*command, "-o", str(made)], check=True)
    library = ctypes.CDLL(str(made))
    library.prepare()
    library.perft.argtypes, library.perft.restype = [c_void_p, c_int], c_uint64
    return library


class _Peer:
    """A program for one game."""

    def __init__(self, game: Game, library: ctypes.CDLL):
        self.game = game
        self._library = library

    def _board(self, state: State) -> Any:
        """The position as the program has it."""
        raise NotImplementedError

    def perft(self, state: State, depth: int) -> int:
        """The number of sequences of `depth` legal moves; the last ones are counted without being made."""
        return int(self._library.perft(self._board(state), depth))


class Zola(_Peer):
    """Zola by hand."""

    KINDS: tuple[Kind, ...] = ("tables", "sets", "shifts")

    def __init__(self, game: Game, kind: Kind):
        self._kind = kind
        self._side = side = next(option.value for option in game.options if option.name == "size")
        if side not in ((4, 6, 8) if kind == "tables" else (6,)):
            raise ValueError(f"there is no hand-written program ({kind}) for Zola on {side}x{side}")
        super().__init__(game, _library(f"zola_{kind}", *([f"SIDE={side}"] if kind == "tables" else [])))
        self._library.playouts.argtypes = [c_void_p, c_longlong, c_uint64, c_longlong, c_void_p]
        self._library.playouts.restype = None
        self._library.search_size.restype = c_longlong
        self._library.search.argtypes = [c_void_p, c_void_p, c_int, c_longlong, c_void_p, c_uint64, c_void_p]
        self._library.search.restype = None

    def _board(self, state: State) -> Any:
        found = to_dict(self.game, state)
        numbers: dict[str | None, int] = {None: 0, "Red": 1, "Blue": 2}
        at, mover = [numbers[who] for who in found["state"]["at"].values()], numbers[found["mover"]]
        if self._kind == "tables":
            return _words(bytes([*at, mover, 0, at.count(1), at.count(2)]))
        own, enemy = (sum(1 << s for s, who in enumerate(at) if who == one) for one in (mover, 3 - mover))
        return (c_uint64 * 3)(own, enemy, mover)

    def playouts(self, state: State, games: int, seed: int = 0, longest: int = LONGEST) -> Playouts:
        """Games of random moves: those that `pysolve.search.playouts` plays."""
        results = (c_longlong * 5)()
        self._library.playouts(self._board(state), games, seed & 0xFFFFFFFFFFFFFFFF, longest, results)
        draws, red, blue, unfinished, moves = results
        wins = {"Red": red, "Blue": blue}
        return Playouts(tuple(wins[player] for player in self.game.players.labels), draws, unfinished, moves)

    def search(self, state: State, depth: int = DEEPEST, nodes: int | None = None) -> Found:
        """Alpha-beta, deeper and deeper to a depth or a number of positions, from an empty table."""
        table, memory = zeros(16 * ENTRIES), zeros(self._library.search_size())
        results = (c_longlong * 4)()
        limit = NO_LIMIT if nodes is None else nodes
        self._library.search(memory, self._board(state), depth, limit, table, ENTRIES, results)
        value, reached, count, best = results
        return Found(value, reached, count, None if best >> 13 else (best & 63, best >> 6 & 63))


class Blockade(_Peer):
    """Blockade by hand."""

    KINDS: tuple[Kind, ...] = ("tables", "shifts")

    def __init__(self, game: Game, kind: Kind):
        self._kind = kind
        options = {option.name: option.value for option in game.options}
        known = {"columns": 10, "rows": 10, "touchdown": 3, "carrier_pushes": 0}
        if any(options[name] != value for name, value in known.items()):
            raise ValueError(f"the hand-written programs know Blockade with {known} only")
        super().__init__(game, _library(f"blockade_{kind}"))
        self._library.turn.argtypes = [*[c_void_p] * 6, c_uint32, c_void_p]
        self._room = 1 << 14  # positions
        self._memory: list[Any] = []

    def _board(self, state: State) -> Any:
        found = to_dict(self.game, state)
        numbers: dict[str | None, int] = {None: 0, "Carrier": 1, "Blocker": 2, "Tackler": 3}
        at = [numbers[piece] for piece in found["state"]["at"].values()]
        acted = list(found["state"]["acted"].values())
        mover = ("Defence", "Offence").index(found["mover"]) + 1
        return _words(_bytes(at, acted, mover) if self._kind == "tables" else _sets(at, acted, mover))

    def turn(self, state: State) -> Turn:
        """All of a turn, each position within it walked once."""
        board, result = self._board(state), (c_longlong * 3)()
        while True:
            if not self._memory:
                size = ctypes.sizeof(board)
                self._memory = [zeros(self._room * each) for each in (size, size, 8, 16, 16)]
            if self._library.turn(board, *self._memory, self._room, result):
                return Turn(*result)
            self._room *= 2
            self._memory = []


def _bytes(at: list[int], acted: list[bool], mover: int) -> bytes:
    """The board of blockade_tables.c."""
    cells = [piece | 4 * done for piece, done in zip(at, acted, strict=True)]
    tacklers = at.count(3)
    pieces = (tacklers, sum(map(bool, at)) - tacklers)
    to_act = sum(0 < cell < 4 and (cell == 3) == (mover == 1) for cell in cells)
    over = 1 not in at or at.index(1) < 30
    return bytes([*cells, 0 if over else mover, to_act, *pieces])


def _sets(at: list[int], acted: list[bool], mover: int) -> bytes:
    """The board of blockade_shifts.c."""
    places = [cell + cell // 10 for cell in range(100)]  # eleven to a row
    blockers, tacklers = (sum(1 << place for place, piece in zip(places, at, strict=True) if piece == one)
                          for one in (2, 3))  # fmt: skip
    done = sum(1 << place for place, has in zip(places, acted, strict=True) if has)
    carrier = places[at.index(1)] if 1 in at else 127
    sets = (blockers, tacklers | carrier << 112, done | mover << 112)
    return b"".join(one.to_bytes(16, "little") for one in sets)


def _words(raw: bytes) -> Any:
    """Memory for a board: whole words, so that it lies as C wants it."""
    size = (len(raw) + 7) // 8
    return (c_uint64 * size).from_buffer_copy(raw.ljust(8 * size, b"\0"))
