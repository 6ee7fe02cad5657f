"""The process in which a library that was just built is compared with Prolog.

    python -m pysolve.engines.trial COMPILER FILE [--in-turn]

takes the game, pickled, from the file and removes it.  It ends with status 0 if the two agree, or if there is no Prolog
to ask, and 3 if they differ; then the position is printed.  4 means that the file is damaged, 5 that no compiler takes
the C.  With --in-turn one such process works at a time, and others have the processor first.
"""

from __future__ import annotations

import os
import pickle
import random
import sys
from pathlib import Path

from pysolve.dsl.model import Game
from pysolve.dsl.notation import blank, line
from pysolve.dsl.sealed import read_sealed
from pysolve.engines.build import BuildError, Refused, locked
from pysolve.engines.native import native_engine
from pysolve.engines.prolog import PrologEngine
from pysolve.engines.protocol import Engine, EngineError, State
from pysolve.engines.self_check import AGREE, DIFFER, IN_TURN, REFUSED, UNBUILT, UNREADABLE
from pysolve.runtime.cache import cache_folder

GAMES, LENGTH = 3, 12
POLITE = 10  # is added to the niceness of the process
INFERENCES = 5_000_000  # for one question to Prolog; what needs more is not compared


def difference(trusted: Engine, tried: Engine) -> State | None:
    """A position in which the answers differ, after a few random moves; None if there is none."""
    for number in range(GAMES):
        chance = random.Random(number)
        state = trusted.start(number)
        if tried.start(number) != state:
            return state
        for _ in range(LENGTH):
            try:
                node = trusted.expand(state)
                children = list(node.children())
            except EngineError:
                break  # rules that break their own ranges
            other = tried.expand(state)
            same = (node.payoff, node.ending, list(node.moves)) == (other.payoff, other.ending, list(other.moves))
            if not same or children != list(other.children()) or trusted.estimate(state) != tried.estimate(state):
                return state
            if not children:
                break
            state = chance.choice(children)
    return None


def main(compiler: str, file: str, turn: str = "") -> int:
    """The process."""
    if turn != IN_TURN:
        return trial(compiler, Path(file))
    if hasattr(os, "nice"):
        os.nice(POLITE)
    with locked(cache_folder() / "builds.lock"):  # before Prolog starts: who waits takes little memory
        return trial(compiler, Path(file))


def trial(compiler: str, file: Path) -> int:
    """Builds the library of a game and compares it with Prolog; the status of the process."""
    prepared = read_sealed(file)
    file.unlink(missing_ok=True)
    if prepared is None:
        sys.stdout.write(f"{file} is damaged\n")
        return UNREADABLE
    game: Game
    game, kept = pickle.loads(prepared)
    try:
        trusted: Engine | None = PrologEngine(game, INFERENCES, warm=None)
    except EngineError:
        trusted = None
    try:
        tried = native_engine(game, compiler, proof=False, kept=kept)
    except Refused as error:
        sys.stdout.write(error.said)
        return REFUSED
    except BuildError as error:
        sys.stdout.write(f"{error}\n")
        return UNBUILT
    try:
        wrong = None if trusted is None else difference(trusted, tried)
    except EngineError:
        wrong = None  # nobody here knows better
    if wrong is not None:
        sys.stdout.write(f"in {line(game, wrong, blank(game))}\n")
        return DIFFER
    tried.library.prove()
    return AGREE


if __name__ == "__main__":
    raise SystemExit(main(*sys.argv[1:]))
