"""Positions: what lies where, the legal moves, whole turns, how the game has ended.

In: a game and a line.  Out: everything that a page shows of the position at its end.
"""

from __future__ import annotations

from typing import Any

from pysolve import scene
from pysolve.position import Move, Outcome, Position
from pysolve.record import position_word
from pysolve.rest import resting
from pysolve.service.games import Opened
from pysolve.service.lines import Step, Walk
from pysolve.service.picture import Picture
from pysolve.service.question import Asked
from pysolve.service.refused import Refused

MOST_LISTED = 50_000  # legal moves


def state(asked: Asked) -> dict[str, Any]:
    """Everything that a page shows of a position."""
    opened = asked.opened
    walk = opened.lines.walk(asked["line"], asked.go_on)
    return _state(opened, walk)


def position_of(asked: Asked) -> Position:
    """The position that a question is about; raises `Refused` if its line cannot be played to the end."""
    walk = asked.opened.lines.walk(asked["line"], asked.go_on)
    if walk.lost is not None:
        raise Refused("illegal", walk.lost["message"])
    return walk.step.position


def _state(opened: Opened, walk: Walk) -> dict[str, Any]:
    step = walk.step
    position, picture = step.position, opened.picture
    played = step.played
    return {
        "line": walk.line,
        "lost": walk.lost,
        "mover": position.to_move,
        "moves": _moves(position),
        "looks": looks_of(picture, position),
        "marks": [picture.mark(mark) for mark in scene.marks(position)],
        "beside": scene.beside(position),
        "asides": [picture.aside(one) for one in scene.asides(position)],
        "played": played,
        "turn_began": _turn_began(step, played),
        "rest": [move.text for move in resting(position)],
        "outcome": _outcome(position.outcome),
        "position": position_word(position),
    }


def looks_of(picture: Picture, position: Position) -> dict[str, Any]:
    """The drawings of all cells, edges and corners that are not empty, by their names."""
    model = position.game.model
    cells = zip(model.board.cells, scene.things(position), strict=True)
    sites = scene.site_things(model, position.state)
    return {cell: picture.look(pile) for cell, pile in cells if pile} | {
        name: picture.site_look(pile) for name, pile in sites.items()
    }


def _moves(position: Position) -> list[dict[str, Any]]:
    legal = position.legal_moves
    if len(legal) > MOST_LISTED:
        raise Refused("limit", f"there are {len(legal):,} legal moves here; at most {MOST_LISTED:,} are shown")
    return [_move(position, move) for move in legal]


def _move(position: Position, move: Move) -> dict[str, Any]:
    model = position.game.model
    return {
        "text": move.text,
        "written": position.written(move),
        "kind": move.kind,
        "cells": scene.named_cells(model, move),
        "goal": scene.goal_of(model, move),
        "pass": move.numbers == (len(model.actions),),
    }


def _turn_began(step: Step, played: list[dict[str, Any]]) -> int:
    """The number of moves that had been played when the present turn began."""
    now = step.position.turns_played + 1
    return sum(move["turn"] < now for move in played)


def _outcome(outcome: Outcome | None) -> dict[str, Any] | None:
    if outcome is None:
        return None
    line = outcome.line or None
    return {"winner": outcome.winner, "text": outcome.sentence, "reason": outcome.reason, "line": line}
