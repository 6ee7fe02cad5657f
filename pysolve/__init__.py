"""pysolve: games written as short rules files, to play, to question and to search.

>>> import pysolve
>>> position = pysolve.load("zola", size=4).start()
>>> len(position.legal_moves)
16
"""

from dsl import RulesError, UnknownOption
from dsl.notation import NotationError
from pysolve.engine import EngineError, LimitReached
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
    QueryError,
    Reason,
    Turn,
)

__version__ = "0.1.0"

__all__ = [
    "AmbiguousMove", "EndlessTurn", "EngineError", "Explanation", "Game", "IllegalMove", "InvalidMove", "LegalMoves",
    "LimitReached", "Move", "NotationError", "Outcome", "Position", "QueryError", "Reason", "RulesError", "Turn",
    "UnknownGame", "UnknownOption", "load",
]  # fmt: skip
