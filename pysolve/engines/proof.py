"""A freshly built library proves itself before it is trusted.

In: a game.  Out: a position in which its library and Prolog differ, or nothing.  This is not what shows that the
printers agree, which the tests do; it catches a compiler that is broken.  It is done in a process of its own, which
may crash:

    python -m pysolve.engines.proof < the game, pickled

ends with status 0 if the two agree, 1 if they differ (the position is printed), 3 if there is no Prolog to ask.
"""

from __future__ import annotations

import pickle
import random
import subprocess
import sys

from dsl.model import Game
from dsl.notation import to_dict
from pysolve.engine import Engine, EngineError, State

GAMES, LENGTH = 3, 12
AGREE, DIFFER, UNKNOWN = 0, 1, 3
SECONDS = 20
INFERENCES = 5_000_000  # for one question to Prolog; what needs more is not compared


class Disproved(RuntimeError):
    """A library answers wrongly."""


def prove(game: Game, compiler: str) -> bool:
    """Lets the library of a compiler prove itself; False if nobody here can judge.  Raises `Disproved`."""
    command = [sys.executable, "-m", "pysolve.engines.proof", compiler]
    try:
        run = subprocess.run(command, input=pickle.dumps(game), capture_output=True, timeout=SECONDS, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return False
    if run.returncode == DIFFER or run.returncode < 0:
        raise Disproved(f"what {compiler} made of {game.title} answers wrongly {run.stdout.decode(errors='replace')}")
    return run.returncode == AGREE


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


def main(compiler: str) -> int:
    """The process."""
    from pysolve.engines.native import NativeEngine
    from pysolve.engines.prolog import PrologEngine

    game: Game = pickle.load(sys.stdin.buffer)
    try:
        trusted = PrologEngine(game, INFERENCES, warm=None)
    except EngineError:
        return UNKNOWN
    wrong = difference(trusted, NativeEngine(game, compiler, proof=False))
    if wrong is None:
        return AGREE
    sys.stdout.write(f"in {to_dict(game, wrong)}\n")
    return DIFFER


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1]))
