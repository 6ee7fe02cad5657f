"""The regrets of a game with hidden information, in C: the iterations of `pysolve.search.hidden.cfr`.

In: the tree of a game.  Out: the same numbers as there, to the last bit.  One library serves all games: it knows
nothing but arrays (dsl/to_c/runtime/regrets.c).
"""

from __future__ import annotations

import ctypes
from array import array
from collections.abc import Callable
from ctypes import c_longlong, c_void_p
from dataclasses import replace
from typing import Any

from pysolve.dsl.to_c import print_regrets
from pysolve.engines.bindings import Control, answered
from pysolve.engines.build import BuildError, Compiler, Library, build, compilers
from pysolve.engines.memory import zeros
from pysolve.engines.protocol import EngineError
from pysolve.search.hidden.cfr import shares
from pysolve.search.hidden.tree import GameTree, Order, order_of

PLAIN = "-ffp-contract=off"  # a product and a sum are rounded one after the other, as in Python
DOUBLE = 8  # bytes


class _Tree(ctypes.Structure):
    """The arrays of a tree, as C knows them."""

    _fields_ = [
        *((name, c_longlong) for name in ("nodes", "sets", "players")),
        *((name, c_void_p) for name in ("first", "mover", "chance", "place", "payoffs", "begin", "owner", "parent")),
    ]  # fmt: skip


class _Work(ctypes.Structure):
    """What is computed for each move and for each node."""

    _fields_ = [(name, c_void_p) for name in ("regret", "total", "now", "likely", "others", "value", "gain")]


class NativeRegrets:
    """The regrets of a tree (see `pysolve.search.hidden.cfr.Regrets`)."""

    def __init__(self, tree: GameTree, library: Library | None = None):
        self.tree = tree
        self.iterations = 0
        number, at = c_longlong, c_void_p
        self.library = library or regrets_library()
        function = self.library.function
        self._iterate = function("ps_regrets", at, at, at, number, number)
        self._worth = function("ps_worth", at, at, at, number, result=None)
        self._response = function("ps_response", at, at, at, number, at, at, at, number, at, result=None)
        fields = (tree.first, tree.mover, tree.chance, tree.place, tree.payoffs, tree.begin, tree.owner, tree.parent)
        self._arrays = _Tree(tree.nodes, len(tree.owner), tree.players, *(_at(field) for field in fields))
        self._kept = [zeros(DOUBLE * max(1, size)) for size in (*[tree.moves] * 4, *[tree.nodes] * 2, tree.moves)]
        self._work = _Work(*map(ctypes.addressof, self._kept))
        now = tree.uniform()
        ctypes.memmove(self._work.now, _at(now), DOUBLE * tree.moves)
        self._orders: dict[int, Order] = {}

    def go_on(self, iterations: int, tick: Callable[[int], None] | None = None, until: float | None = None) -> None:
        """Makes so many more iterations (see `Regrets`)."""
        control, before = Control(), self.iterations
        tree, work = ctypes.byref(self._arrays), ctypes.byref(self._work)
        try:
            answered(control, tick, self._iterate, tree, work, before, before + iterations, until=until)
        finally:
            self.iterations = before + control.nodes

    def average(self) -> array[float]:
        """The average strategy."""
        total = array("d")
        total.frombytes(ctypes.string_at(self._work.total, DOUBLE * self.tree.moves))
        return shares(self.tree, total)

    def worth(self, strategy: array[float], player: int) -> float:
        """The expected payoff of a player where all play this strategy."""
        self._worth(ctypes.byref(self._arrays), ctypes.byref(self._work), _at(strategy), player)
        return self._of_root()

    def response(self, strategy: array[float], player: int) -> tuple[float, array[int]]:
        """The most that a player can get against the others' strategy, and his moves for it."""
        if player not in self._orders:
            self._orders[player] = order_of(self.tree, player)
        order, choice = self._orders[player], array("i", bytes(4 * len(self.tree.owner)))
        groups = [_at(one) for one in (order.nodes, order.own, order.ends)]
        tree, work = ctypes.byref(self._arrays), ctypes.byref(self._work)
        self._response(tree, work, _at(strategy), player, *groups, len(order.ends), _at(choice))
        return self._of_root(), choice

    def _of_root(self) -> float:
        value: float = ctypes.c_double.from_address(self._work.value).value
        return value


def _at(numbers: array[Any]) -> int:
    """Where the numbers of an array lie."""
    return numbers.buffer_info()[0]


def regrets_library(wish: str = "auto") -> Library:
    """The library, by the best compiler that there is; raises `EngineError` if none makes it."""
    failed: Exception | None = None
    try:
        for compiler in compilers(wish):
            try:
                return build(print_regrets(), _plain(compiler))
            except (BuildError, OSError) as error:
                failed = failed or error
    except RuntimeError as error:
        failed = error
    raise EngineError(f"regrets are computed in C, which cannot be built here: {failed}") from None


def _plain(compiler: Compiler) -> Compiler:
    return compiler if compiler.in_memory else replace(compiler, command=(*compiler.command, PLAIN))
