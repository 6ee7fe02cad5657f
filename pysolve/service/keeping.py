"""Games and positions as texts that are kept: records, first positions, examples for the rules.

In: a line, a text.  Out: a text, a line.
"""

from __future__ import annotations

from itertools import groupby
from typing import Any

from pysolve.dsl import fits_in_text
from pysolve.dsl.errors import listed
from pysolve.dsl.notation import NotationError
from pysolve.notation import record as records
from pysolve.notation.record import BEFORE, UNFINISHED, Record
from pysolve.players.functions import named_by_a_stranger
from pysolve.position import Position
from pysolve.service.door import LARGEST_SEED
from pysolve.service.games import Opened
from pysolve.service.playing import position_of
from pysolve.service.question import Asked
from pysolve.service.refused import Refused


def place(asked: Asked) -> dict[str, Any]:
    """The line that begins with a position that somebody wrote."""
    position = asked.opened.game.position(asked["text"])
    return {"line": {"seed": 0, "start": records.position_word(position), "moves": []}}


def record(asked: Asked) -> dict[str, Any]:
    """A line as a game record, with the players at their seats."""
    opened, line = asked.opened, asked["line"]
    walk = opened.lines.walk(line, asked.go_on)
    if walk.lost is not None:
        raise Refused("illegal", walk.lost["message"])
    game, outcome = opened.game, walk.step.position.outcome
    for name in asked["players"]:
        if name not in game.players:
            raise Refused("asked", f'{game.title} has no seat "{name}": its seats are {listed(game.players)}')
    turns = groupby(walk.step.played, key=lambda move: move["turn"])
    return {"text": records.write(Record(
        game=opened.name,
        options=opened.options,
        rules=game.model.digest,
        turns=tuple(tuple(move["text"] for move in moves) for _, moves in turns),
        players={name: asked["players"].get(name, "human") for name in game.players},
        seed=line["seed"] if game.model.draws_lots or game.model.chances else 0,
        position=line["start"],
        turns_before=line.get("before", 0),
        result=UNFINISHED if outcome is None else outcome.result,
        termination="" if outcome is None else outcome.account,
    ))}  # fmt: skip


def replay(asked: Asked) -> dict[str, Any]:
    """The game, options and line of a game record.

    Whether its moves are legal is found out when its position is asked for.
    """
    found = records.read(asked["text"])
    if not 0 <= found.seed <= LARGEST_SEED:
        raise Refused("asked", f"the seed of a record is a number from 0 to {LARGEST_SEED:,}, not {found.seed:,}")
    if found.turns_before > LARGEST_SEED:
        raise Refused("asked", f"{BEFORE} of a record is a number up to {LARGEST_SEED:,}, not {found.turns_before:,}")
    before = {"before": found.turns_before} if found.turns_before else {}
    return {
        "name": found.game,
        "options": found.options,
        "line": {"seed": found.seed, "start": found.position, "moves": list(found.moves), **before},
        "players": {name: named_by_a_stranger(who) for name, who in found.players.items()},
    }


# ---------------------------------------------------------------------------------------------- examples


def example(asked: Asked) -> dict[str, Any]:
    """An example for the rules: the position, and that a move is legal or not; the reason is that of the rules."""
    opened, position = asked.opened, position_of(asked)
    move, title = asked["move"], asked["title"]
    for word, what in ((title, "the title of an example"), (move, "a move")):
        if not fits_in_text(word) or not word.strip():
            raise Refused("asked", f"{what} is one line of text without quotation marks")
    return {"text": "\n".join([
        f'example "{title}"', *_options(opened), *_beginning(opened, asked["line"], position),
        f"  legal {move}" if asked["legal"] else f"  illegal {move}{_because(position, move)}", "",
    ])}  # fmt: skip


def _options(opened: Opened) -> list[str]:
    """The options that are not set as they are by default."""
    return [
        f"  {option.name} {opened.options[option.name]}"
        for option in opened.game.model.options
        if option.value != option.default
    ]


def _beginning(opened: Opened, line: dict[str, Any], position: Position) -> list[str]:
    """The lines of an example that set up its position: none for the first position, otherwise a drawing or moves."""
    game = opened.game
    if not game.model.draws_lots and position.state == game.start().state:
        return []
    drawing = position.diagram()
    if _reads_back(drawing, position):
        first, *rows = drawing.split("\n")
        return [f"  {first}", *(f"  {row}" for row in rows)]
    if line["start"] or game.model.draws_lots:
        raise Refused("limit", "this position cannot be drawn in an example: its drawing does not say all about it")
    return [f"  play {', '.join(line['moves'])}"]


def _reads_back(drawing: str, position: Position) -> bool:
    """True if a drawing says all about a position; one that breaks a `never` of the rules cannot be read at all."""
    try:
        return position.game.position(drawing).state == position.state
    except NotationError:
        return False


def _because(position: Position, move: str) -> str:
    """The first reason against a move, if the rules give one."""
    reasons = [reason.reason for reason in position.why(move).failing if reason.reason]
    return f' because "{reasons[0]}"' if reasons else ""
