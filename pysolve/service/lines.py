"""The positions of the lines that were asked about last.

In: a game and a line: a seed, perhaps a first position, moves.  Out: the position at its end, with all moves as a page
lists them.  One more move costs one move; positions that were not asked for longest are forgotten.
"""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from pysolve.display import window
from pysolve.display.changes import changed
from pysolve.display.scene import faces, goal_of, named_cells
from pysolve.dsl import notation
from pysolve.dsl.notation import NotationError
from pysolve.game import Game
from pysolve.notation.record import position_word
from pysolve.position import IllegalMove, Move, Position
from pysolve.service.refused import Refused

MOST_POSITIONS = 1024  # that are kept; one with a long history counts for several
HISTORY = 64  # states of the game so far that weigh as much as a position


@dataclass(frozen=True, slots=True)
class Past:
    """A move that was played, as the page lists it, and those before it."""

    move: dict[str, Any]
    before: Past | None


@dataclass(frozen=True, slots=True)
class Step:
    """A position of a line, the moves that led there, and the cells that were in use so far."""

    position: Position
    used: frozenset[int]
    past: Past | None = None

    @property
    def played(self) -> list[dict[str, Any]]:
        """The moves so far, in order."""
        found, past = [], self.past
        while past is not None:
            found.append(past.move)
            past = past.before
        return found[::-1]


@dataclass(frozen=True, slots=True)
class Walk:
    """A line played as far as it is legal: its last position, the part played, and the move that is not legal."""

    step: Step
    line: dict[str, Any]
    lost: dict[str, str] | None


class Lines:
    """Plays lines of a game."""

    def __init__(self, game: Game):
        self._game = game
        self._steps: OrderedDict[bytes, Step] = OrderedDict()
        self._weight = 0

    def walk(self, line: Mapping[str, Any], go_on: Callable[[], None] = lambda: None) -> Walk:
        """Plays a line as far as it is legal; `go_on` is called before each move and may raise.

        A first position that the game cannot have is lost, too, as a move without a text.  Raises `Refused` for a line
        that names a table: what is not told of its game cannot be asked either.
        """
        if "table" in line:
            raise Refused("asked", "this looks at all of the position, so it is not answered while a game with secrets "
                          "is played")  # fmt: skip
        keys = _keys(line)
        known = next((at for at in reversed(range(len(keys))) if keys[at] in self._steps), None)
        if known is None:
            try:
                begun = self._game.position(line["start"]) if line["start"] else self._game.start(line["seed"])
            except NotationError as error:
                again = self.walk({"seed": line["seed"], "start": "", "moves": []}, go_on)
                return Walk(again.step, again.line, {"move": "", "message": str(error)})
            known, step = 0, self._kept(keys[0], self._begun(begun))
        else:
            step = self._kept(keys[known], self._steps[keys[known]])
        for at in range(known, len(line["moves"])):
            go_on()
            text = line["moves"][at]
            try:
                step = self._kept(keys[at + 1], _after(step, text))
            except (NotationError, IllegalMove) as error:
                return Walk(step, _cut(line, at), {"move": text, "message": str(error)})
        return Walk(step, _cut(line, len(line["moves"])), None)

    def begun_at(self, position: Position) -> dict[str, Any]:
        """A line that begins with a position: while it is kept, with all that this position knows of its past."""
        if self._game.model.secret:
            raise Refused("asked", f"{self._game.title} has secrets, and this page shows all of a position")
        past = _digest(repr((sorted(position.seen.items()), position.turns_played)).encode())
        line = {"seed": int.from_bytes(past[:6], "big"), "start": position_word(position), "moves": []}
        self._kept(_keys(line)[0], self._begun(position))
        return line

    def _begun(self, position: Position) -> Step:
        return Step(position, window.grown(window.in_use(self._game.start()), position))

    def _kept(self, key: bytes, step: Step) -> Step:
        """Keeps a position, and forgets those that were not asked for longest."""
        if key not in self._steps:
            self._weight += _weight(step)
        self._steps[key] = step
        self._steps.move_to_end(key)
        while self._weight > MOST_POSITIONS and len(self._steps) > 1:
            _, oldest = self._steps.popitem(last=False)
            self._weight -= _weight(oldest)
        return step


def _keys(line: Mapping[str, Any]) -> list[bytes]:
    """A key for the beginning of a line and for each of its moves; each holds all that came before."""
    keys = [_digest(repr((line["seed"], line["start"])).encode())]
    for move in line["moves"]:
        keys.append(_digest(keys[-1] + move.encode()))
    return keys


def _digest(data: bytes) -> bytes:
    return hashlib.blake2b(data, digest_size=16).digest()


def _cut(line: Mapping[str, Any], count: int) -> dict[str, Any]:
    return {**line, "moves": line["moves"][:count]}


def _weight(step: Step) -> int:
    return 1 + len(step.position.seen) // HISTORY


def _after(step: Step, text: str) -> Step:
    """The position after a move; raises as `Position.parse` does."""
    move = move_of(step.position, text)
    after = step.position.play(move)
    return Step(after, window.grown(step.used, after), Past(_listed(step.position, move, after), step.past))


def move_of(position: Position, text: str) -> Move:
    """The legal move that a text means; at once where the text is that of the move."""
    legal = position.possible_moves
    numbers = position.node.moves if len(legal) else ()
    exact = [one for one in notation.readings(position.game.model, text) if one in numbers]
    if len(exact) != 1:
        return position.parse(text)
    found: Move = legal[numbers.index(exact[0])]
    return found


def _listed(position: Position, move: Move, after: Position) -> dict[str, Any]:
    """A move that is played in a position, as the page lists it."""
    model = position.game.model
    moved = changed(model, position.state, after.state)
    return {
        "player": position.to_move,
        "text": move.text,
        "written": position.written(move),
        "cells": named_cells(model, move),
        "goal": goal_of(model, move),
        "landed": moved.landed,
        "left": moved.left,
        "turn": position.turns_played + 1,
        **({"roll": faces(model, move)} if position.chance else {}),
    }
