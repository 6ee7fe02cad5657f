"""The moves played before a search begins, for games whose endings ask about them (`repeated`, `turns`).

In: an engine, a state, the game so far.  Out: the payoff of a position in it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from pysolve.dsl.model import Game
from pysolve.dsl.model.payoffs import payoffs
from pysolve.engines.protocol import Engine, Node, State
from pysolve.runtime import validation


@dataclass(frozen=True, slots=True)
class History:
    """The number of turns played, and how often each state occurred, the present one included.

    States are as `repeated` compares them.
    """

    turns: int = 0
    seen: Mapping[State, int] = field(default_factory=dict)


def checked_history(game: Game, history: Any) -> History:
    """The history, checked; raises `TypeError`, `ValueError` or `InvalidState`."""
    validation.instance("history", history, History, "a History")
    return History(
        validation.whole("turns", history.turns, 0, validation.MOST_TURNS), validation.seen(game, history.seen)
    )


def payoff(engine: Engine, state: State, node: Node, turns: int, times: int) -> tuple[int, ...] | None:
    """The payoff of a state after `turns` turns, at occurrence number `times`; None while the game goes on."""
    judged = engine.judge(state, turns, times) if engine.game.remembers else None
    return node.payoff if judged is None else payoffs(judged[1], len(engine.game.players.labels))
