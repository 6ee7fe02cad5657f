"""Why a question has no answer.

In: an error.  Out: `Refused`, with a kind that says whose fault it is, and one sentence.

    asked      the question is not as the protocol has it, or asks for something that is not there
    rules      the rules have a mistake
    illegal    a move is not legal
    gone       the game is not known here (any more): check it again
    limit      the answer would take too long, or be too long
    cancelled  whoever asked does not want the answer any more
    internal   a mistake of pysolve, or of the machine that it runs on
"""

from __future__ import annotations

from pysolve.dsl import NoRules, RulesError, UnknownOption
from pysolve.dsl.notation import NotationError
from pysolve.dsl.player_texts import UnknownPlayer
from pysolve.engines.protocol import EngineError, InvalidState, LimitReached, QueryError, RuleMistake
from pysolve.game import UnknownGame
from pysolve.notation.record import RecordError
from pysolve.position import EndlessTurn, IllegalMove
from pysolve.runtime.cancellation import Abandoned


class Refused(Exception):
    """A question without an answer."""

    def __init__(self, kind: str, message: str):
        super().__init__(kind, message)
        self.kind = kind
        self.message = message

    def __str__(self) -> str:
        return self.message

    def to_dict(self) -> dict[str, str]:
        """The failure as a page reads it."""
        return {"kind": self.kind, "message": self.message}


# The first that fits counts.
_KINDS: list[tuple[tuple[type[BaseException], ...], str]] = [
    ((RulesError, RuleMistake), "rules"),
    ((IllegalMove,), "illegal"),
    ((Abandoned,), "cancelled"),
    ((LimitReached, EndlessTurn, MemoryError, RecursionError), "limit"),
    ((UnknownOption, UnknownGame, UnknownPlayer, NoRules), "asked"),
    ((NotationError, QueryError, RecordError, InvalidState), "asked"),
]  # fmt: skip
_BARE = {MemoryError: "there is not enough memory for this", RecursionError: "this is nested too deeply"}


def refused(error: Exception) -> Refused:
    """The failure that a page is told for an exception."""
    if isinstance(error, Refused):
        return error
    kind = next((kind for errors, kind in _KINDS if isinstance(error, errors)), "internal")
    message = _BARE.get(type(error)) or str(error)
    if kind == "internal" and not isinstance(error, EngineError):
        message = f"{type(error).__name__}: {message}"
    return Refused(kind, message)
