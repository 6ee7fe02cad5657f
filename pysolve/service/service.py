"""The questions of a page: what goes in, and who answers.

In: the name of a question and an object.  Out: an object as `web/src/protocol.ts` has it, or `Refused`.  A long
question tells `heard` what it has found so far, and asks `cancelled` whether anybody still waits.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pysolve.dsl.errors import nearest
from pysolve.engines.prolog import has_prolog
from pysolve.position import Position
from pysolve.runtime.validation import shown
from pysolve.runtime.version import __version__
from pysolve.service import (
    balancing,
    door,
    editing,
    examples,
    keeping,
    meaning,
    playing,
    rules,
    sheet,
    thinking,
    veiled,
)
from pysolve.service.describing import description
from pysolve.service.games import Games
from pysolve.service.playing import position_of
from pysolve.service.question import Asked, Cancelled, Heard
from pysolve.service.refused import Refused, refused
from pysolve.service.tables import Tables

CAN = ("edit", "query", "clauses", "balance", "examples", "why")
PLAYERS = (
    ("human", "a person"),
    ("random", "plays any legal move"),
    ("greedy", "looks one move ahead"),
    ("minimax:depth=3", "looks three moves ahead"),
    ("minimax:time=1", "looks as far ahead as it can in a second"),
    ("maxn:depth=3", "looks three moves ahead, every player plays for themselves"),
    ("mcts:time=1", "plays random games for a second"),
    ("ismcts:time=1", "with secrets: a second, by what the player knows"),
    ("solver", "plays best where the rest of the game is small enough"),
)
FIRST = "zola"


@dataclass(frozen=True, slots=True)
class Question:
    """A question: its input, and the function that answers it."""

    takes: door.Fields
    answer: Callable[[Asked], dict[str, Any]]


_GAME: door.Fields = {"game": door.text()}
_WHERE: door.Fields = {**_GAME, "line": door.line}
_RULES = door.text(door.LARGEST_TEXT)
_SECONDS = door.Maybe(door.number(0, thinking.MOST_SECONDS))
_SEED = door.Maybe(door.whole(0, door.LARGEST_SEED))
_LINES = door.Maybe(door.whole(1, thinking.MOST_LINES))
_MOVE = door.text(door.LONGEST_MOVE)
_NAME = door.Maybe(door.text())
_TEXT: door.Fields = {"name": door.text(), "text": _RULES}
_IN_TEXT: door.Fields = {**_TEXT, "line": door.whole(1, door.LARGEST_TEXT), "column": door.whole(1, door.LARGEST_TEXT)}

QUESTIONS: Mapping[str, Question] = {
    "games": Question({}, rules.games),
    "open": Question({"name": door.text()}, rules.open_rules),
    "begin": Question({"title": door.text(), "template": _NAME, "extends": _NAME, "like": _NAME}, rules.begin),
    "check": Question({**_TEXT, "options": door.words}, rules.check),
    "understand": Question(_TEXT, rules.understand),
    "view": Question({**_TEXT, "read": door.truth}, editing.view),
    "complete": Question(_IN_TEXT, editing.complete),
    "explain": Question(_IN_TEXT, editing.explain),
    "rename": Question({**_IN_TEXT, "new": door.text()}, editing.rename),
    "format": Question({"text": _RULES}, rules.format_text),
    "examples": Question(_GAME, examples.results),
    "example": Question({**_WHERE, "move": _MOVE, "legal": door.truth, "title": door.text()}, keeping.example),
    "state": Question(_WHERE, veiled.state),
    "sit": Question({**_GAME, "seats": door.words}, veiled.sit),
    "move": Question({**_WHERE, "move": _MOVE}, veiled.move),
    "reply": Question({**_WHERE, "seconds": _SECONDS}, veiled.reply),
    "look": Question({**_WHERE, "player": door.text()}, veiled.look),
    "reveal": Question(_WHERE, veiled.reveal),
    "place": Question({**_GAME, "text": door.text(door.LARGEST_TEXT)}, keeping.place),
    "preview": Question({**_WHERE, "moves": door.texts(door.MOST_WORDS, door.LONGEST_MOVE)}, playing.preview),
    "why": Question(
        {
            **_WHERE,
            "move": door.Maybe(_MOVE),
            "cells": door.Maybe(door.texts()),
            "values": door.Maybe(door.texts()),
            "kind": _NAME,
        },
        veiled.why,
    ),
    "choose": Question({**_WHERE, "player": door.text(), "seconds": _SECONDS, "seed": _SEED}, thinking.choose),
    "analyse": Question({**_WHERE, "seconds": _SECONDS, "lines": _LINES}, veiled.analyse),
    "perft": Question({**_WHERE, "depth": door.whole(1, thinking.DEEPEST_COUNT)}, thinking.perft),
    "balance": Question({**_GAME, "games": door.whole(1, balancing.MOST_GAMES), "player": _NAME}, balancing.balance),
    "sheet": Question(_GAME, sheet.sheet),
    "clauses": Question({**_GAME, "kind": door.text()}, meaning.clauses),
    "query": Question({**_WHERE, "goal": door.text()}, meaning.query),
    "record": Question({**_WHERE, "players": door.words}, keeping.record),
    "replay": Question({"text": door.text(door.LARGEST_TEXT)}, keeping.replay),
}


@dataclass
class Service:
    """Answers questions about games.

    It keeps the games that were checked last, and of games with secrets that are played how they stand; nothing about
    who asks.  It answers one question at a time, always
    in the same thread.  `folder` is where rules look for those that they extend, besides the shipped ones.
    """

    folder: Path | None = None
    product: str = "web"
    can: Sequence[str] = CAN
    first: Mapping[str, Any] | None = None  # what a page opens first; by default a shipped game
    engine: str = "auto"
    place: str = ""  # whose games a page keeps: the same word for the same folder
    _games: Games = field(init=False)

    def __post_init__(self) -> None:
        self._games = Games(self.folder, self.engine)

    def answer(
        self,
        question: object,
        asked: object,
        heard: Heard = lambda part: None,
        cancelled: Cancelled = lambda: False,
    ) -> dict[str, Any]:
        """The answer to a question; raises nothing but `Refused`."""
        try:
            if not isinstance(question, str) or question not in ("hello", *QUESTIONS):
                hint = nearest(question, QUESTIONS) if isinstance(question, str) else ""
                raise Refused("asked", f"there is no question {shown(question)}{hint and f': {hint}'}")
            if question == "hello":
                door.fields(question, {}, asked)
                return self._hello()
            known = QUESTIONS[question]
            given = door.fields(question, known.takes, asked)
            return known.answer(Asked(self._games, given, heard, cancelled))
        except Exception as error:
            raise refused(error) from error

    @property
    def tables(self) -> Tables:
        """The games with secrets that are played: how they stand."""
        return self._games.tables

    @tables.setter
    def tables(self, tables: Tables) -> None:
        self._games.tables = tables

    def shown(self, position: Position) -> dict[str, Any]:
        """A position that Python holds, in the words of questions: the description of its game, and a line."""
        opened = self._games.adopted(position.game)
        return {"game": description(opened), "line": opened.lines.begun_at(position)}

    def position(self, game: str, line: Mapping[str, Any]) -> Position:
        """The position to which a line leads; raises `Refused`."""
        return position_of(Asked(self._games, {"game": game, "line": door.line("line", line)}))

    def _hello(self) -> dict[str, Any]:
        return {
            "product": self.product,
            "version": __version__,
            "can": [what for what in self.can if what != "query" or has_prolog()],
            "players": [{"text": text, "about": about} for text, about in PLAYERS],
            "home": self.first is None,
            "place": self.place,
            "first": dict(self.first or {"name": FIRST, "text": rules.shipped_text(FIRST), "options": {}}),
        }
