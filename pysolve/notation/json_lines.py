"""Positions and their legal moves as lines of JSON, for other programs.

In: positions.  Out: for each the text of

    {"mover": "Red", "outcome": null,
     "moves": [{"move": "a1-b2", "kind": "retreat", "params": {…}, "position": {…}}, …]}

on one line; or, when the game is over, `"outcome": {"winner": "Red", "reason": "…"}` and no moves, where the
winner of a draw is null.  Where the ending compares numbers, the outcome has `"scores": {"points": {"White": 12,
"Red": 9}}`, too, up to the one that decided, and in `"by"` its name, null if none did.  A position is what
`Position.to_dict` gives.

A big board has hundreds of values and dozens of moves that lead to such boards; so the text of each value is
made once, and a position is put together from these texts.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from operator import getitem
from typing import Any

from pysolve.dsl import notation
from pysolve.dsl.model import Game as Model
from pysolve.dsl.model import Slot, Sort
from pysolve.engines.protocol import Move, State
from pysolve.position import Outcome, Position

MOST_KEPT = 50_000  # texts of moves


class Answers:
    """Writes answers for positions of one game; keeps the texts that it has made."""

    def __init__(self, model: Model):
        self._model = model
        slots = [model.slots["mover"], *notation.visible(model)]
        slots = [slot for slot in slots for _ in notation.arguments(slot)]
        *openings, self._closing = _frame(model)
        self._places = [_Place(slot, opening) for slot, opening in zip(slots, openings, strict=True)]
        self._widths = [slot.width for slot in slots]
        self._narrow = set(self._widths) == {1}
        self._lists = any(slot.stack for slot in slots)  # then a value has no fixed place
        self._moves: dict[Move, str] = {}

    def answer(self, position: Position) -> str:
        """All answers about a position as JSON on one line: mover, outcome, moves, and the position after each."""
        return "".join(self.parts(position))

    def parts(self, position: Position) -> Iterator[str]:
        """The JSON of `answer` in parts, because a position may have very many moves."""
        node, outcome = position.node, position.outcome
        mover, end = json.dumps(position.to_move), json.dumps(outcome_dict(outcome))
        yield f'{{"mover": {mover}, "outcome": {end}, "moves": ['
        for i, move in enumerate(() if outcome is not None else node.moves):
            yield f"{', ' if i else ''}{self._move(move)}{self.position(node.child(i))}}}"
        yield "]}"

    def position(self, state: State) -> str:
        """The text of `json.dumps(position.to_dict())`."""
        if self._lists:
            return json.dumps(notation.to_dict(self._model, state))
        raws = state if self._narrow else list(self._raws(state))
        return "".join(map(getitem, self._places, raws)) + self._closing

    def _raws(self, state: State) -> Iterator[int]:
        at = 0
        for width in self._widths:
            yield state[at] if width == 1 else state[at] * 255 + state[at + 1]
            at += width

    def _move(self, move: Move) -> str:
        """A move up to the position that it leads to."""
        known = self._moves.get(move)
        if known is None:
            text = json.dumps(notation.move_dict(self._model, move))
            known = f'{text[:-1]}, "position": '
            if len(self._moves) < MOST_KEPT:
                self._moves[move] = known
        return known


def outcome_dict(outcome: Outcome | None) -> dict[str, Any] | None:
    """An outcome in the exchange form; what was compared only where the ending compares numbers."""
    if outcome is None:
        return None
    found: dict[str, Any] = {"winner": outcome.winner, "reason": outcome.reason}
    if len(outcome.payoffs) != 2 or outcome.pays:
        found["winners"] = list(outcome.winners)
        found["payoffs"] = {name: str(value) for name, value in outcome.payoffs.items()}
    if outcome.scores:
        found |= {"by": outcome.by, "scores": {score.name: dict(score.values) for score in outcome.scores}}
    return found


class _Place(dict[int, str]):
    """One place of a position: the text up to its value, with the value; made when a value is first met."""

    def __init__(self, slot: Slot, opening: str):
        super().__init__()
        self._slot = slot
        self._opening = opening

    def __missing__(self, raw: int) -> str:
        value = notation.plain(self._slot.sort, raw - self._slot.shift)
        text = self[raw] = self._opening + json.dumps(value)
        return text


GAP = "\0"  # stands where a value will be


def _frame(model: Model) -> list[str]:
    """The texts before, between and behind the values of a position."""
    state = {slot.name: _gaps(slot.params) for slot in notation.visible(model)}
    return json.dumps({"mover": GAP, "state": state}).split(json.dumps(GAP))


def _gaps(params: tuple[Sort, ...]) -> Any:
    if not params:
        return GAP
    return {params[0].label(value): _gaps(params[1:]) for value in params[0].values()}
