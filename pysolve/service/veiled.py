"""Games with secrets that are played: a page is told what the person sees who looks at it, and nothing else.

In: a table (`tables`), a move.  Out: the state as `playing` has it, of the view of that person.

    sit       begins a game; seats without a text are people
    move      plays a move of the person who looks
    reply     lets programs move, until a person is asked, or the one who looks notices something
    look      another person looks: the one whose turn it is
    reveal    ends the secrets: the line with all moves, open from then on
    state     how the game stands
    analyse   advice by what the person knows who looks and is to move
    why       whether a move is legal for the person who looks, and no reason: reasons look at all of the position

All else that is asked of a line is not answered at a table.

A page names the table in a line without moves, so neither its address, nor what a browser keeps, nor an answer holds
what the player does not see, and nobody takes a move back who has seen what it shows.  Chance moves by itself.  An only
person always looks; of several nobody does until `look`, and after a reload.  When the game is over the answer is that
of its line, open to all.  Where no person plays there is nothing to hide, and no table.

How long programs think is not hidden.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from pysolve.display import scene
from pysolve.display.changes import changed
from pysolve.dsl.errors import listed
from pysolve.dsl.notation import move_dict, move_text, seen_text
from pysolve.engines.protocol import Move as Numbers
from pysolve.engines.protocol import State
from pysolve.game import Game
from pysolve.players.session import roll_of
from pysolve.position import IllegalMove, Move, Position
from pysolve.runtime.cancellation import Abandoned, abandoned_when
from pysolve.search.information import observe
from pysolve.search.playouts import lot_of
from pysolve.service import explaining, playing, thinking
from pysolve.service.advising import advice
from pysolve.service.door import LARGEST_TEXT, LONGEST_MOVE, MOST_MOVES
from pysolve.service.games import Opened
from pysolve.service.lines import move_of
from pysolve.service.playing import listed_moves, open_state, position_of, shown
from pysolve.service.question import Asked
from pysolve.service.refused import Refused
from pysolve.service.tables import Truth
from pysolve.service.thinking import MOST_SECONDS, MOST_THINKING, admitted, player_of

MOST_REPLIES = 100  # moves of programs in one answer
UNTOLD = "Reasons look at all of the position, so they are told when the game is over"


def sit(asked: Asked) -> dict[str, Any]:
    """A new game at a table of its own."""
    opened = asked.opened
    seats = _seats(opened.game, asked["seats"])
    for who in filter(None, seats.values()):
        if admitted(opened.game, who).is_person:
            raise Refused("asked", "a person sits where no player is named")
    name = asked.games.tables.laid(opened.id, seats)
    return _told(asked, opened, name, *_rolled(_position(asked, opened, asked.games.tables.of(name, opened.id))))


def state(asked: Asked) -> dict[str, Any]:
    """Everything that a page shows of a position; of a table after a page was opened anew, so of several people nobody
    looks.
    """
    if "table" not in asked["line"]:
        return playing.state(asked)
    opened, name, truth, position = _at_table(asked)
    if len(truth.people) > 1:
        truth = replace(truth, viewer=None)
    return _told(asked, opened, name, position, truth)


def move(asked: Asked) -> dict[str, Any]:
    """A move of the person who looks, and what chance makes after it."""
    opened, name, truth, position = _at_table(asked)
    if truth.viewer != position.to_move or position.is_over:
        raise Refused("asked", f"{truth.viewer or 'nobody'} looks, and it is not their turn")
    try:
        chosen = move_of(position, asked["move"])
    except IllegalMove:
        raise Refused("illegal", f"{asked['move']} is not legal here") from None
    return _told(asked, opened, name, *_rolled((position.play(chosen), _moved(truth, chosen))))


def reply(asked: Asked) -> dict[str, Any]:
    """What programs play until a person is to move, or the one who looks notices something.

    A program moves again at the next question where one answer would take too long: more than `MOST_REPLIES` moves, or
    `MOST_THINKING` seconds.
    """
    opened, name, truth, position = _at_table(asked)
    asked.games.improve(opened)
    until = time.monotonic() + MOST_THINKING
    for count in range(MOST_REPLIES):
        who = "" if position.is_over else truth.seats[position.to_move]
        if not who or (count and time.monotonic() >= until):
            break
        asked.go_on()
        chosen = _chosen(asked, opened, truth, position, until)
        if chosen is None and not count:
            raise Refused("limit", f"{who} has no move after {MOST_THINKING:g} seconds")
        if chosen is None:
            break
        before = truth
        position, truth = _rolled((position.play(chosen), _moved(truth, chosen)))
        if truth.viewer is not None and _notices(position, truth.viewer, len(truth.moves) - len(before.moves)):
            break
    return _told(asked, opened, name, position, truth)


def look(asked: Asked) -> dict[str, Any]:
    """What a person sees whose turn it is; whoever looked before is taken to have gone."""
    opened, name, truth, position = _at_table(asked)
    player = asked["player"]
    if player not in truth.people or position.to_move != player:
        raise Refused("asked", f"{player} is not a person whose turn it is")
    return _told(asked, opened, name, position, replace(truth, viewer=player))


def reveal(asked: Asked) -> dict[str, Any]:
    """The line with all moves; nobody plays at the table any more."""
    _, name, truth, _ = _at_table(asked)
    asked.games.tables.drop(name)
    return {"line": truth.line}


def why(asked: Asked) -> dict[str, Any]:
    """Why a move is legal or not; at a table whether it is, among the moves that the person who looks can choose."""
    if "table" not in asked["line"]:
        return explaining.why(asked)
    _, _, truth, position = _at_table(asked)
    legal = explaining.is_legal(asked, position) and truth.viewer == position.to_move
    move = asked.get("move", " ".join([*asked.get("values", []), *asked.get("cells", [])]))
    return {"move": move, "legal": legal, "note": UNTOLD, "kinds": []}


def analyse(asked: Asked) -> dict[str, Any]:
    """What a search finds; in a game with secrets by what the player to move knows."""
    opened, seconds = asked.opened, asked.get("seconds", MOST_SECONDS)
    if not opened.game.model.secret:
        return thinking.analyse(asked)
    asked.games.improve(opened)
    if "table" not in asked["line"]:
        return advice(asked, position_of(asked), seconds)
    _, _, truth, position = _at_table(asked)
    if truth.viewer is None or truth.viewer != position.to_move:
        raise Refused("asked", "advice is for the person who looks, and is to move")
    return advice(asked, position, seconds)


def noticed(position: Position, viewer: str) -> list[dict[str, Any]]:
    """The moves that a player has noticed, as a page lists them: what the player reads of each, and sees change."""
    game, number = position.game, position.game.players.index(viewer) + 1
    found, turn = list[dict[str, Any]](), 1
    for before, numbers, after in _steps(position):
        if observe(game.engine, before, numbers, after, number):
            found.append({**_seen(game, before, numbers, after, number), "turn": turn})
        turn += before[0] != after[0]
    return found


# ----------------------------------------------------------------------------------------------- the table


def _seats(game: Game, told: dict[str, str]) -> dict[str, str]:
    """Who sits where, each player once; raises `Refused` for unknown players, and where there is nothing to hide."""
    if not game.model.secret:
        raise Refused("asked", f"{game.title} has no secrets: its positions are named by their lines")
    for name in told:
        if name not in game.players:
            raise Refused("asked", f'{game.title} has no seat "{name}": its seats are {listed(game.players)}')
    found = {name: told.get(name, "") for name in game.players}
    if all(found.values()):
        raise Refused("asked", "only programs play: nothing is hidden from those who watch")
    return found


def _at_table(asked: Asked) -> tuple[Opened, str, Truth, Position]:
    """The game, the table that a line names, how its game stands, and the position."""
    opened, name = asked.opened, asked["line"].get("table")
    if name is None:
        raise Refused("asked", "this is asked of a game with secrets that is played: its line names a table")
    truth = asked.games.tables.of(name, opened.id)
    position, truth = _position(asked, opened, truth)
    return opened, name, truth, position


def _position(asked: Asked, opened: Opened, truth: Truth) -> tuple[Position, Truth]:
    walk = opened.lines.walk(truth.line, asked.go_on)
    assert walk.lost is None, "the moves of a table were legal"
    return walk.step.position, truth


def _moved(truth: Truth, chosen: Move) -> Truth:
    """The truth after a move; raises `Refused` beyond the limits of lines, which the game is when it is over."""
    moves = (*truth.moves, chosen.text)
    if len(chosen.text) > LONGEST_MOVE:
        raise Refused("limit", f"a move of a game with secrets has at most {LONGEST_MOVE} characters")
    if len(moves) > MOST_MOVES or sum(map(len, moves)) > LARGEST_TEXT:
        raise Refused("limit", f"a game with secrets has at most {MOST_MOVES:,} moves of {LARGEST_TEXT:,} characters "
                      "together: begin another one")  # fmt: skip
    return replace(truth, moves=moves)


def _notices(position: Position, viewer: str, count: int) -> bool:
    """True if a player has noticed one of the last moves, so many."""
    game, number = position.game, position.game.players.index(viewer) + 1
    return any(observe(game.engine, *step, number) for step in _steps(position, count))


def _rolled(now: tuple[Position, Truth]) -> tuple[Position, Truth]:
    """The position and the truth after what is left to chance, if anything is."""
    position, truth = now
    while position.chance:
        drawn = roll_of(position, truth.seed, len(truth.moves))
        position, truth = position.play(drawn), _moved(truth, drawn)
    return position, truth


def _chosen(asked: Asked, opened: Opened, truth: Truth, position: Position, until: float) -> Move | None:
    """The move of the program that is to move, whose draws come from the seed of the game; None if time is over."""
    who = truth.seats[position.to_move]
    program = player_of(opened, who, asked.get("seconds"))
    try:
        with abandoned_when(lambda: asked.cancelled() or time.monotonic() >= until):
            return program.player(lot_of(truth.seed, len(truth.moves)))(position)
    except Abandoned:
        asked.go_on()
        return None


# ----------------------------------------------------------------------------------------------- what is told


def _told(asked: Asked, opened: Opened, name: str, position: Position, truth: Truth) -> dict[str, Any]:
    """Keeps how the game stands, and tells what the person sees who looks; all when the game is over."""
    asked.games.tables.keep(name, truth)
    if position.is_over:
        return open_state(opened, opened.lines.walk(truth.line, asked.go_on))
    viewer = truth.viewer
    veiled: dict[str, Any] = {
        "line": {"seed": 0, "start": "", "moves": [], "table": name},
        "lost": None,
        "mover": position.to_move,
        "moves": [],
        "window": None,
        "played": [],
        "turn_began": 0,
        "rest": [],
        "outcome": None,
        "position": "",
        "veil": {"viewer": viewer, "seats": dict(truth.seats)},
    }
    if viewer is None:
        nothing: dict[str, Any] = {"looks": {}, "ties": [], "marks": [], "beside": [], "facts": [], "asides": [],
                                   "out": []}  # fmt: skip
        return {**veiled, **nothing}
    played, now = noticed(position, viewer), position.turns_played + 1
    return {
        **veiled,
        **shown(opened.picture, position.view(viewer)),
        "moves": listed_moves(position) if viewer == position.to_move else [],
        "played": played,
        "turn_began": sum(one["turn"] < now for one in played),
    }


def _steps(position: Position, count: int = MOST_MOVES) -> Iterator[tuple[State, Numbers, State]]:
    """The last moves since play began, so many or all, each with the states before and after it."""
    history = position.history[-count:]
    after = [*(before for before, _ in history), position.state][1:]
    return ((before, numbers, end) for (before, numbers), end in zip(history, after, strict=True))


def _seen(game: Game, before: State, numbers: Numbers, after: State, number: int) -> dict[str, Any]:
    """A move as a player, numbered from 1, notices it."""
    model, engine = game.model, game.engine
    chance = numbers[0] in model.chances
    own = before[0] == number and not chance
    whole = own or numbers[0] == len(model.actions) or model.actions[numbers[0]].seen is None
    text = move_text(model, numbers) if whole else seen_text(model, numbers)
    moved = changed(model, engine.view(before, number), engine.view(after, number))
    told: dict[str, Any] = {
        "player": game.players[before[0] - 1],
        "text": text,
        "written": text,
        "cells": [],
        "goal": None,
        "landed": moved.landed,
        "left": moved.left,
        **({"roll": []} if chance else {}),
    }
    if whole:
        found = move_dict(model, numbers)
        one = Move(found["move"], found["kind"], found["params"], numbers)
        told |= {"cells": scene.named_cells(model, one), "goal": scene.goal_of(model, one)}
        told |= {"roll": scene.faces(model, one)} if chance else {}
    return told
