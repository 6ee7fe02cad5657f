"""A library is built and proves itself before it is trusted, in a process of its own.

In: a game, the name of a compiler.  Out: whether its library and Prolog give the same answers in some positions.  This
is not what shows that the printers agree, which the tests do; it catches a compiler that is broken.  The process may
crash, and it goes on when whoever began it has ended: the next one finds the library in the cache.

    python -m pysolve.engines.proof COMPILER FILE

takes the game, pickled, from the file and removes it.  It ends with status 0 if the two agree, or if there is no Prolog
to ask, and 3 if they differ; then the position is printed.
"""

from __future__ import annotations

import pickle
import random
import subprocess
import sys
import tempfile
from pathlib import Path

from dsl.model import Game
from dsl.notation import to_dict
from pysolve.engine import Engine, EngineError, State
from pysolve.engines.build import BuildError, cache_folder

GAMES, LENGTH = 3, 12
AGREE, DIFFER = 0, 3  # 1 is what Python says of a program that failed
SECONDS = 120
INFERENCES = 5_000_000  # for one question to Prolog; what needs more is not compared


class Disproved(RuntimeError):
    """A library answers wrongly."""


def prepared(game: Game) -> Path:
    """A file with the game, for `prove`."""
    with tempfile.NamedTemporaryFile(dir=cache_folder(), suffix=".game", delete=False) as file:
        pickle.dump(game, file)
    return Path(file.name)


def prove(file: Path, compiler: str) -> None:
    """Lets the library of a compiler be built and prove itself.  Raises `Disproved`, or `BuildError` if that fails."""
    command = [sys.executable, "-m", "pysolve.engines.proof", compiler, str(file)]
    try:
        run = subprocess.run(command, capture_output=True, timeout=SECONDS, check=False, start_new_session=True)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise BuildError(f"what {compiler} makes could not be tried: {error}") from None
    said = (run.stdout or run.stderr).decode(errors="replace").strip()
    if run.returncode == DIFFER or run.returncode < 0:
        raise Disproved(f"what {compiler} made of the game answers wrongly {said}")
    if run.returncode != AGREE:
        raise BuildError(f"what {compiler} makes could not be tried: {said}")


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


def main(compiler: str, file: str) -> int:
    """The process."""
    from pysolve.engines.native import NativeEngine
    from pysolve.engines.prolog import PrologEngine

    game: Game = pickle.loads(Path(file).read_bytes())
    Path(file).unlink()
    tried = NativeEngine(game, compiler, proof=False)
    try:
        wrong = difference(PrologEngine(game, INFERENCES, warm=None), tried)
    except EngineError:
        wrong = None  # nobody here knows better
    if wrong is not None:
        sys.stdout.write(f"in {to_dict(game, wrong)}\n")
        return DIFFER
    tried.library.prove()
    return AGREE


if __name__ == "__main__":
    raise SystemExit(main(*sys.argv[1:]))
