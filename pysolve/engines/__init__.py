"""Engines by name.

prolog   the clauses of a game: what its rules mean; explains and answers queries, too
native   the same meaning as C, a hundred times faster
auto     native where something compiles C, else Prolog
"""

from __future__ import annotations

import functools
import sys
import warnings

from pysolve.dsl.model import Game
from pysolve.dsl.model.move_codes import TooLarge
from pysolve.engines.protocol import Engine, EngineError, Explainer, Shows
from pysolve.runtime.progress import doing

ENGINES = ("auto", "native", "prolog")


def open_engine(game: Game, name: str = "auto", kept: str | None = None, improve: bool = True) -> Engine:
    """An engine that answers for a game, which the cache has as `kept`.

    Without `improve` a native engine that had to be built in a hurry is not built again in the background.
    Raises `EngineError` if there is none of that name, or none here.
    """
    if name not in ENGINES:
        raise EngineError(f'there is no engine "{name}"; there are {", ".join(ENGINES)}')
    if name == "prolog" or (name == "auto" and sys.platform == "emscripten"):  # nothing compiles C in a browser
        return _prolog(game)
    with doing(f"compiling {game.title}"):
        return _native(game, name, kept, improve)


def _native(game: Game, name: str, kept: str | None, improve: bool) -> Engine:
    """The native engine; for `auto` Prolog where there is none."""
    from pysolve.engines.build import BuildError, NoCompiler
    from pysolve.engines.native import native_engine

    try:
        return native_engine(game, kept=kept, improve=improve)
    except (BuildError, NoCompiler, TooLarge, OSError) as error:
        if name == "native":
            raise EngineError(f"the native engine cannot be used: {error}") from None
        _say_once(f"{game.title} runs on Prolog, which is slower: {error}")
        return _prolog(game)


def open_reasons(game: Game) -> Explainer:
    """An explainer of moves that uses C, for machines without Prolog; raises `EngineError` without a C compiler."""
    from pysolve.engines.build import BuildError, NoCompiler
    from pysolve.engines.why import NativeReasons

    try:
        return NativeReasons(game)
    except (BuildError, NoCompiler, TooLarge, OSError) as error:
        raise EngineError(f"moves are explained by SWI-Prolog or by C, and there is neither here: {error}") from None


def open_shown(game: Game) -> Shows | None:
    """What answers the names of `show` by C, in a tenth of the time in which Prolog loads a game.

    None where no compiler works in memory.
    """
    from pysolve.engines.build import BuildError, NoCompiler, Refused
    from pysolve.engines.shown import NativeShown

    try:
        return NativeShown(game)
    except Refused as error:
        _say_once(f"Prolog answers what {game.title} shows, which takes longer: {error}")
        return None
    except (BuildError, NoCompiler, TooLarge, OSError):
        return None


def _prolog(game: Game) -> Engine:
    from pysolve.engines.prolog import PrologEngine

    with doing(f"loading {game.title} into Prolog"):
        return PrologEngine(game)


@functools.cache
def _say_once(text: str) -> None:
    warnings.warn(text, RuntimeWarning, stacklevel=2)
