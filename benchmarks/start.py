"""The first use of a game in a new process: `python -m benchmarks.start GAME ENGINE QUESTION`.

Prints a JSON object of milliseconds of CPU, compilers' included, and kilobytes.  ENGINE is prolog, tcc or cc, whose
cache PYSOLVE_CACHE names.  QUESTION is "whole", from the rules' text to the legal moves, or "steps", one by one.
"""

from __future__ import annotations

import json
import resource
import sys
import time

from dsl import read_rules
from dsl.to_c import print_c
from pysolve.engine import Engine
from pysolve.engines.build import build, compilers
from pysolve.engines.native import NativeEngine
from pysolve.files import RULES


def main() -> None:
    game, engine, question = sys.argv[1:]
    imports = clock()
    found = whole(game, engine) if question == "whole" else steps(game, engine)
    print(json.dumps({"imports": imports, **found}))


def clock() -> float:
    """Milliseconds of CPU of this process and of those that it has started."""
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return 1e3 * (time.process_time() + children.ru_utime + children.ru_stime)


def whole(game: str, name: str) -> dict[str, float]:
    """From the text of the rules to the first moves."""
    begin = clock()
    model = read_rules(RULES / f"{game}.rules")
    if name == "prolog":
        from pysolve.engines.prolog import PrologEngine

        engine: Engine = PrologEngine(model)
    else:
        engine = NativeEngine(model, name, proof=False)
    list(engine.expand(engine.start()).moves)
    return {"first moves": clock() - begin, "memory": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss}


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
