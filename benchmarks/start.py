"""The first use of a game in a new process: `python -m benchmarks.start GAME ENGINE QUESTION`.

Prints a JSON object of milliseconds of CPU, compilers' included, and kilobytes.  ENGINE is prolog, tcc or cc, whose
cache PYSOLVE_CACHE names.

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

from dsl import read_rules
from dsl.to_c import print_c
from pysolve.engine import Engine
from pysolve.engines.build import build, compilers
from pysolve.engines.native import NativeEngine
from pysolve.files import RULES
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
    model = read_rules(RULES / f"{game}.rules")
    if name != "prolog":
        return NativeEngine(model, name, proof=False)
    from pysolve.engines.prolog import PrologEngine

    return PrologEngine(model)


def whole(game: str, name: str) -> dict[str, float]:
    """From the text of the rules to the first moves."""
    begin = clock()
    engine = opened(game, name)
    list(engine.expand(engine.start()).moves)
    return {"first moves": clock() - begin, "memory": kilobytes("VmHWM")}


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
    compiler = compilers(name)[0]
    begin = clock()
    model = read_rules(RULES / f"{game}.rules")
    read = clock()
    text = print_c(model, sets=not compiler.in_memory)
    printed = clock()
    library = build(text, compiler)
    built = clock()
    return {
        "read": read - begin, "print": printed - read, "build": built - printed, "lines": text.count("\n"),
        "library": library.path.stat().st_size / 1024 if library.path else 0.0,
    }  # fmt: skip


if __name__ == "__main__":
    main()
