"""Positions: what lies where, the legal moves, whole turns, how the game has ended.

In: a game and a line.  Out: everything that a page shows of the position at its end.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from pysolve.display import scene
from pysolve.display.changes import changed
from pysolve.notation.record import position_word
from pysolve.players.completion import resting
from pysolve.players.session import roll_of
from pysolve.position import Move, Outcome, Position
from pysolve.results import Shown
from pysolve.service.games import Opened
from pysolve.service.lines import Step, Walk, move_of
from pysolve.service.picture import Picture
from pysolve.service.question import Asked
from pysolve.service.refused import Refused

MOST_LISTED = 50_000  # legal moves
MOST_PREVIEWED = 512  # moves


def state(asked: Asked) -> dict[str, Any]:
    """Everything that a page shows of a position."""
    opened = asked.opened
    return open_state(opened, opened.lines.walk(asked["line"], asked.go_on))


def preview(asked: Asked) -> dict[str, Any]:
    """What each of some moves would change, for a page that shows it before it is done."""
    position, picture = position_of(asked), asked.opened.picture
    if len(asked["moves"]) > MOST_PREVIEWED:
        raise Refused("limit", f"at most {MOST_PREVIEWED} moves are previewed")
    found = []
    for text in asked["moves"]:
        asked.go_on()
        after = position.play(move_of(position, text))
        moved = changed(position.game.model, position.state, after.state)
        looks = looks_at(picture, after, moved.places)
        changes = {"landed": moved.landed, "left": moved.left, "looks": {one: looks.get(one) for one in moved.places}}
        found.append({"move": text, **changes})
    return {"previews": found}


def position_of(asked: Asked) -> Position:
    """The position that a question is about; raises `Refused` if its line cannot be played to the end."""
    walk = asked.opened.lines.walk(asked["line"], asked.go_on)
    if walk.lost is not None:
        raise Refused("illegal", walk.lost["message"])
    return walk.step.position


def open_state(opened: Opened, walk: Walk) -> dict[str, Any]:
    """The same of a line that was walked."""
    step = walk.step
    position, picture = step.position, opened.picture
    played = step.played
    return {
        **shown(picture, position),
        "line": walk.line,
        "lost": walk.lost,
        "mover": position.to_move,
        "moves": listed_moves(position),
        "window": picture.window(step.used),
        "played": played,
        "turn_began": _turn_began(step, played),
        "rest": [move.text for move in resting(position)],
        "outcome": _outcome(position.outcome),
        "position": position_word(position),
        **({"chance": _chance(position, walk.line)} if position.chance else {}),
    }


def shown(picture: Picture, position: Shown) -> dict[str, Any]:
    """What is seen on the board and beside it, of a position or of a view."""
    return {
        "looks": looks_of(picture, position),
        "ties": [picture.tie(tied) for tied in scene.ties(position)],
        "marks": [picture.mark(mark) for mark in scene.marks(position)],
        "beside": scene.said(position),
        "facts": [spaced(fact) for fact in scene.facts(position)],
        "asides": asides_of(picture, position),
        "out": list(scene.players_out(position)),
    }


def looks_of(picture: Picture, position: Shown) -> dict[str, Any]:
    """The drawings of all cells, edges and corners that are not empty, by their names."""
    model = position.game.model
    cells = zip(model.board.cells, scene.things(position, ground=False), strict=True)
    sites = scene.site_things(model, position.state)
    return {cell: picture.look(pile) for cell, pile in cells if pile} | {
        name: picture.site_look(pile) for name, pile in sites.items()
    }


def looks_at(picture: Picture, position: Position, places: Collection[str]) -> dict[str, Any]:
    """The drawings of these cells, edges and corners, of those that are not empty."""
    model = position.game.model
    cells = [cell for cell, name in enumerate(model.board.cells, 1) if name in places]
    piles = scene.things_at(position, cells, ground=False)
    sites = scene.site_things(model, position.state) if len(cells) < len(places) else {}
    return {model.board.cells[cell - 1]: picture.look(pile) for cell, pile in piles.items() if pile} | {
        name: picture.site_look(pile) for name, pile in sites.items() if name in places
    }


def asides_of(picture: Picture, position: Shown) -> list[dict[str, Any]]:
    """The drawings of what lies beside the board, and of what the rules tell of values that moves name."""
    return [picture.aside(one) for one in (*scene.asides(position), *scene.shops(position))]


def spaced(fact: str) -> str:
    """A fact with its name as people write it: `moves left: 3` for `moves_left: 3`."""
    name, sign, value = fact.partition(": ")
    return f"{name.replace('_', ' ')}{sign}{value}"


def listed_moves(position: Position) -> list[dict[str, Any]]:
    """The legal moves, as a page lists them."""
    legal = position.legal_moves
    _refuse_many(len(legal), "legal moves")
    model = position.game.model
    named = {action.name: scene.value_params(model, action) for action in model.actions}
    return [_move(position, move, named.get(move.kind, [])) for move in legal]


def _move(position: Position, move: Move, named: list[int]) -> dict[str, Any]:
    model = position.game.model
    return {
        "text": move.text,
        "written": position.written(move),
        "kind": move.kind,
        "cells": scene.named_cells(model, move),
        "goal": scene.goal_of(model, move),
        "values": scene.values_of(model, move.numbers, named),
        "pass": move.numbers == (len(model.actions),),
    }


def _chance(position: Position, line: dict[str, Any]) -> dict[str, Any]:
    """What may happen where chance moves, how likely each of it is, and what the seed of the line draws."""
    _refuse_many(len(position.possible_moves), "moves of chance")
    model = position.game.model
    rolls = [{"text": move.text, "written": position.written(move), "kind": move.kind, "share": float(share),
              "dice": scene.faces(model, move)} for move, share in position.chance_moves]  # fmt: skip
    return {"rolls": rolls, "drawn": roll_of(position, line["seed"], len(line["moves"])).text}


def _refuse_many(count: int, what: str) -> None:
    if count > MOST_LISTED:
        raise Refused("limit", f"there are {count:,} {what} here; at most {MOST_LISTED:,} are shown")


def _turn_began(step: Step, played: list[dict[str, Any]]) -> int:
    """The number of moves that had been played when the present turn began."""
    now = step.position.turns_played + 1
    return sum(move["turn"] < now for move in played)


def _outcome(outcome: Outcome | None) -> dict[str, Any] | None:
    if outcome is None:
        return None
    line = outcome.line or None
    return {"winner": outcome.winner, "text": outcome.sentence, "reason": outcome.reason, "line": line}
