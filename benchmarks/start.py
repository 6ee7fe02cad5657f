"""The first use of a game in a new process: `python -m benchmarks.start GAME ENGINE QUESTION`.

Prints a JSON object: milliseconds of CPU, compilers' included, and kilobytes.  ENGINE is prolog, tcc, cc or cc-quick,
whose cache PYSOLVE_CACHE names.  The library of cc-quick, the first where there is no tcc, proves itself, as it does
wherever it is used.

    whole   from the rules' text to the legal moves, and the greatest memory on the way
    steps   reading, printing and building, one by one
    growth  of memory, while the same questions are asked again and again
"""

from __future__ import annotations

import json
import resource
import sys
import time
from pathlib import Path

import pysolve.dsl.check
import pysolve.dsl.text.syntax
import pysolve.dsl.to_c  # noqa: F401  (these three are imported when they are needed: here before anything is measured)
from pysolve.engines.build import QUICK, Compiler
from pysolve.engines.native import NativeEngine
from pysolve.engines.protocol import Engine
from pysolve.game import find_source
from pysolve.runtime.models import read
from pysolve.search.minimax import minimax
from pysolve.search.playouts import playouts


def main() -> None:
    game, engine, question = sys.argv[1:]
    imports = clock()
    found = {"whole": whole, "steps": steps, "growth": growth}[question](game, engine)
    print(json.dumps({"imports": imports, **found}))


def clock() -> float:
    """Milliseconds of CPU of this process and of those that it has started."""
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return 1e3 * (time.process_time() + children.ru_utime + children.ru_stime)


def kilobytes(line: str) -> float:
    """The memory of this process, now (VmRSS) or at most (VmHWM); where the system does not say, at most."""
    try:
        status = Path("/proc/self/status").read_text(encoding="ascii")
    except OSError:
        return float(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
    return float(next(words.split()[1] for words in status.splitlines() if words.startswith(line)))


def opened(game: str, name: str) -> Engine:
    """An engine for a game, from the text of the rules."""
    model, kept = read(*find_source(game), {})
    if name != "prolog":
        return NativeEngine(model, name, proof=name.endswith(QUICK), kept=kept)
    from pysolve.engines.prolog import PrologEngine

    return PrologEngine(model)


def whole(game: str, name: str) -> dict[str, float]:
    """From the text of the rules to the first moves; by the clock, too."""
    begin, since = clock(), time.perf_counter()
    engine = opened(game, name)
    list(engine.expand(engine.start()).moves)
    return {
        "first moves": clock() - begin, "by the clock": 1e3 * (time.perf_counter() - since),
        "memory": kilobytes("VmHWM"),
    }  # fmt: skip


def growth(game: str, name: str) -> dict[str, float]:
    """Kilobytes that are there after many rounds of questions and were not there after the first ones."""
    engine = opened(game, name)
    start, slow = engine.start(), name == "prolog"

    def ask() -> None:
        minimax(engine, start, depth=1 if slow else 4)
        playouts(engine, start, 1 if slow else 20, longest=50)
        for _ in range(10 if slow else 500):
            for state in engine.expand(start).children():
                engine.expand(state)

    for _ in range(4):
        ask()
    before = kilobytes("VmRSS")
    for _ in range(10):
        ask()
    return {"growth": kilobytes("VmRSS") - before}


def steps(game: str, name: str) -> dict[str, float]:
    """What it takes until there is a library."""
    begin = clock()
    model, kept = read(*find_source(game), {})
    known = clock()
    engine = Printing(model, name, proof=False, kept=kept)
    built, library = clock(), engine.library
    return {
        "read": known - begin, "print": engine.printing, "build": built - known - engine.printing,
        "lines": engine.lines, "library": library.path.stat().st_size / 1024 if library.path else 0.0,
    }  # fmt: skip


class Printing(NativeEngine):
    """A native engine that says how long the C took to print, and how many lines it has; none if it was not printed."""

    printing = 0.0
    lines = 0

    def text(self, compiler: Compiler) -> str:
        begin = clock()
        text = super().text(compiler)
        self.printing += clock() - begin
        self.lines = text.count("\n")
        return text


if __name__ == "__main__":
    main()
