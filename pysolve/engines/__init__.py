"""Engines by name."""

from __future__ import annotations

from dsl.model import Game
from pysolve.engine import Engine, EngineError

ENGINES = ("auto", "prolog")


def open_engine(game: Game, name: str = "auto") -> Engine:
    """An engine that answers for a game: "prolog", or "auto" for the best there is."""
    if name not in ENGINES:
        raise EngineError(f'there is no engine "{name}"; there are {", ".join(ENGINES)}')
    from pysolve.engines.prolog import PrologEngine

    return PrologEngine(game)
