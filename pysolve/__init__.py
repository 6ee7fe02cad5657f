"""pysolve: games written as short rules files, to play, to question and to search.

>>> import pysolve
>>> position = pysolve.load("zola", size=4).start()
>>> len(position.legal_moves)
16

Public names are imported on first use, so that Ctrl-C during the start of the command ends it without a traceback.
"""

from __future__ import annotations

import sys
from importlib import import_module
from typing import TYPE_CHECKING, Any

from pysolve.runtime.version import __version__ as __version__

if TYPE_CHECKING:
    from pysolve.dsl import RulesError, UnknownOption
    from pysolve.dsl.notation import NotationError
    from pysolve.engines.protocol import EngineError, InvalidState, LimitReached, QueryError, RuleMistake
    from pysolve.game import Game, UnknownGame, load
    from pysolve.position import (
        AmbiguousMove,
        EndlessTurn,
        Explanation,
        IllegalMove,
        InvalidMove,
        LegalMoves,
        Move,
        Outcome,
        Position,
        Reason,
        Score,
        Turn,
    )

__all__ = [
    "AmbiguousMove", "EndlessTurn", "EngineError", "Explanation", "Game", "IllegalMove", "InvalidMove", "InvalidState",
    "LegalMoves", "LimitReached", "Move", "NotationError", "Outcome", "Position", "QueryError", "Reason", "RuleMistake",
    "RulesError", "Score", "Turn", "UnknownGame", "UnknownOption", "load",
]  # fmt: skip

_HOMES = {
    "pysolve.dsl": ("RulesError", "UnknownOption"),
    "pysolve.dsl.notation": ("NotationError",),
    "pysolve.engines.protocol": ("EngineError", "InvalidState", "LimitReached", "QueryError", "RuleMistake"),
    "pysolve.game": ("Game", "UnknownGame", "load"),
    "pysolve.position": (
        "AmbiguousMove", "EndlessTurn", "Explanation", "IllegalMove", "InvalidMove", "LegalMoves", "Move", "Outcome",
        "Position", "Reason", "Score", "Turn",
    ),
}  # fmt: skip


def __getattr__(name: str) -> Any:
    """A public name, imported on first use."""
    for home, names in _HOMES.items():
        if name in names:
            value = globals()[name] = getattr(import_module(home), name)
            return value
    raise AttributeError(f'module "pysolve" has no "{name}"')


def __dir__() -> list[str]:
    return [*__all__, "__version__"]


if "IPython" in sys.modules:  # before pysolve in every notebook
    from pysolve.display import ipython

    ipython.register()
