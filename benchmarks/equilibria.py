"""Iterations of CFR+, and best responses, a second beside OpenSpiel, in one run on one core.

    cc      the native engine: C over the tree of the rules
    plain   the same numbers in Python
    python  OpenSpiel's solver in Python
    core    OpenSpiel's solver in C++

Each makes the same iterations: after some of them the strategies of cc and core must be worth the same.  Programs take
turns; the best of some rounds counts; time is CPU time.  The tree is made once, before; how long that takes is told.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import Any, NamedTuple

import pysolve
from pysolve.engines.regrets import NativeRegrets
from pysolve.search.hidden.cfr import PythonRegrets, equilibrium
from pysolve.search.hidden.rules import tree_of

SECONDS = 1.0  # for one measurement
SAME = 50  # iterations after which strategies are compared


class Shared(NamedTuple):
    """A game that both have."""

    name: str
    options: dict[str, Any]
    theirs: str


GAMES = (
    Shared("kuhn_poker", {}, "kuhn_poker"),
    Shared("kuhn_poker", {"seats": 3}, "kuhn_poker(players=3)"),
    Shared("leduc_poker", {}, "leduc_poker"),
)


def run(quick: bool) -> dict[str, Any]:
    """All that is compared, game by game."""
    import pyspiel  # type: ignore[import-not-found, unused-ignore]
    from open_spiel.python.algorithms import cfr  # type: ignore[import-not-found, unused-ignore]

    rows = []
    for shared in GAMES:
        game, theirs = pysolve.load(shared.name, **shared.options), pyspiel.load_game(shared.theirs)
        begin = time.process_time()
        tree, _ = tree_of(game.engine, game.start().state)
        grown = time.process_time() - begin
        native, plain = NativeRegrets(tree), PythonRegrets(tree)
        core, python = pyspiel.CFRPlusSolver(theirs), cfr.CFRPlusSolver(theirs)
        asks: dict[str, Callable[[int], object]] = {
            "cc": native.go_on, "plain": plain.go_on,
            "python": lambda count, solver=python: repeated(solver, count),  # type: ignore[misc]
            "core": lambda count, solver=core: repeated(solver, count),  # type: ignore[misc]
        }  # fmt: skip
        same = as_much_worth(NativeRegrets(tree), pyspiel, theirs)
        found = speeds(asks, 1 if quick else 3)
        responses = speeds(
            {"cc": lambda count: [equilibrium(native) for _ in range(count)],
             "core": lambda count: [pyspiel.nash_conv(theirs, core.average_policy()) for _ in range(count)]},
            1 if quick else 3,
        )  # fmt: skip
        rows.append({
            "game": shared.theirs, "nodes": tree.nodes, "sets": len(tree.sets), "tree": grown, "same": same, **found,
            "to_python": found["cc"] / found["python"], "to_core": found["cc"] / found["core"],
            "responses": responses["cc"], "responses_to_core": responses["cc"] / responses["core"],
        })  # fmt: skip
        print(f"{shared.theirs}: measured", file=sys.stderr)
    return {"equilibria": rows}


def repeated(solver: Any, count: int) -> None:
    """So many iterations of a solver of OpenSpiel."""
    for _ in range(count):
        solver.evaluate_and_update_policy()


def as_much_worth(native: NativeRegrets, pyspiel: Any, theirs: Any) -> bool:
    """After the same iterations, are the strategies worth the same to every player?"""
    solver = pyspiel.CFRPlusSolver(theirs)
    repeated(solver, SAME)
    native.go_on(SAME)
    root, policy = theirs.new_initial_state(), solver.average_policy()
    values = pyspiel.expected_returns(root, policy, -1, True)
    return all(abs(one - other) < 1e-9 for one, other in zip(equilibrium(native).worth, values, strict=True))


def speeds(asks: dict[str, Callable[[int], object]], rounds: int) -> dict[str, float]:
    """How many a second each program makes; how many fit into a measurement is tried first."""
    best = dict.fromkeys(asks, 0.0)
    counts = {name: many(ask) for name, ask in asks.items()}
    for _ in range(rounds):
        for name, ask in asks.items():
            best[name] = max(best[name], counts[name] / clock(ask, counts[name]))
    return best


def many(ask: Callable[[int], object]) -> int:
    """How many are made within a measurement."""
    count, spent = 1, clock(ask, 1)
    while spent < SECONDS / 10:
        count *= 4
        spent = clock(ask, count)
    return max(1, round(count * SECONDS / spent))


def clock(ask: Callable[[int], object], count: int) -> float:
    """Seconds of CPU time."""
    begin = time.process_time()
    ask(count)
    return time.process_time() - begin
