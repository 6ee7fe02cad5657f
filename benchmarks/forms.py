"""What tcc makes of plain loops beside what it makes of sets of places (`pysolve.engines.native`, `hasten`).

    python -m benchmarks.forms [GAME ...]

Prints a table as docs/benchmarks.md has it.  Times are CPU time in milliseconds: to print and build a game, the best of
three; then of both by turns, the best of five.  Both forms must find the same.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from math import prod
from typing import Any

import pysolve
from pysolve.dsl.to_c import print_c
from pysolve.engines.build import Compiler, build, compilers
from pysolve.engines.native import NativeEngine
from pysolve.search.history import History
from pysolve.search.mcts import Settings
from pysolve.search.minimax import minimax

GAMES = ("zola", "conga", "yoxii", "blockade", "antiyomacy", "bridg_it", "quoridor", "lines_of_action",
         "draughts-international", "draughts", "surakarta", "lasca", "chess", "othello", "breakthrough", "onitama",
         "connect_four", "amazons", "go", "gomoku", "hex", "havannah", "tak", "ultimate_tictactoe")  # fmt: skip
SEARCHED, ROLLED = 5_000, 1_500  # positions of a search; of a tree with its random games


class Formed(NativeEngine):
    """The native engine by tcc, in one of the two forms."""

    def __init__(self, model: Any, sets: bool):
        self.sets = sets
        super().__init__(model, "tcc", proof=False)

    def text(self, compiler: Compiler, sets: bool = False) -> str:
        """The C in this form."""
        return print_c(self.game, sets=self.sets)


def questions(engine: Formed) -> dict[str, Callable[[], Any]]:
    """What is measured, by name."""
    start = engine.start()

    def grown() -> Any:
        tree = engine.tree(start, Settings(), History())
        tree.grow(None, None, 1, nodes=ROLLED)
        return tree.played, [(one.move, one.visits) for one in tree.branches(0)]

    def searched() -> Any:
        found = minimax(engine, start, nodes=SEARCHED)
        return found.value, found.line, found.depth

    return {"perft 2": lambda: engine.perft(start, 2), "minimax": searched, "mcts": grown}


def spent(work: Callable[[], Any]) -> tuple[float, Any]:
    """The CPU time of some work in milliseconds, and what it found."""
    began = time.process_time()
    found = work()
    return 1000 * (time.process_time() - began), found


def row(name: str) -> tuple[str, list[float]]:
    """The line of a game, and how many times as fast each question is by sets."""
    model, tcc = pysolve.load(name).model, compilers("tcc")[0]
    built = [min(spent(lambda sets=sets: build(print_c(model, sets=sets), tcc))[0] for _ in range(3))  # type: ignore[misc]
             for sets in (False, True)]  # fmt: skip
    asked = [questions(Formed(model, sets)) for sets in (False, True)]
    cells, ratios = [name, " → ".join(f"{one:.0f}" for one in built)], []
    for question in asked[0]:
        best = [float("inf")] * 2
        for _ in range(5):
            (loops, one), (sets, other) = (spent(form[question]) for form in asked)
            assert one == other, (name, question)
            best = [min(best[0], loops), min(best[1], sets)]
        ratios.append(best[0] / best[1])
        cells += [f"{best[0]:.1f} → {best[1]:.1f}", f"{ratios[-1]:.1f}"]
    return f"| {' | '.join(cells)} |", ratios


def main() -> None:
    """Prints the table, and the geometric mean of the last columns."""
    print(f"| game | print, build | perft 2 | | minimax, {SEARCHED:,} positions | | mcts, {ROLLED:,} positions | |")
    print("|---|---|---|---|---|---|---|---|")
    found = []
    for name in sys.argv[1:] or GAMES:
        line, ratios = row(name)
        print(line, flush=True)
        found.append(ratios)
    means = [prod(one) ** (1 / len(found)) for one in zip(*found, strict=True)]
    print(f"| mean | | {' | '.join(f'| {mean:.1f}' for mean in means)} |")


if __name__ == "__main__":
    main()
