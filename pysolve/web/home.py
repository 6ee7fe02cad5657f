"""A service that also knows the rules files of a folder, in a process of its own.

    python -m pysolve.web.home OPENING

In: questions.  Out: answers, those about games from `Service`; `hello` and `games` name the files, too.
"""

from __future__ import annotations

import re
import sys
import time
from contextlib import suppress
from typing import Any

from pysolve.dsl import RulesError
from pysolve.dsl.text.measure import length
from pysolve.dsl.text.sources import SUFFIX
from pysolve.engine import EngineError
from pysolve.service import Refused, Service
from pysolve.service.cards import card
from pysolve.service.games import Games
from pysolve.service.rules import shipped_text
from pysolve.service.service import CAN
from pysolve.web.folder import File
from pysolve.web.opening import Opening
from pysolve.web.wire import Failed
from pysolve.web.worker import Cancelled, Heard, serve

PATIENCE = 4.0  # seconds for reading the files of a folder; those that are left have no pictures yet
_TITLE = re.compile(r'^game[ \t]+"([^"\n]*)"', re.MULTILINE)

Card = dict[str, Any]


class Home:
    """Answers questions about games, and about those of a folder."""

    def __init__(self, opening: Opening):
        self._opening = opening
        self._files = opening.files()
        self._service = Service(folder=self._files.root, can=(*CAN, "files", "save"), engine=opening.engine)
        self._cards: dict[tuple[str, str], Card] = {}  # by the name and the digest of a file

    def answer(self, question: str, asked: object, heard: Heard, cancelled: Cancelled) -> object:
        """The answer to a question; raises `Failed`."""
        if question == "hello":
            self._service.first = self._first()
        try:
            found = self._service.answer(question, asked, heard, cancelled)
        except Refused as refused:
            raise Failed(refused.kind, refused.message) from refused
        if question == "games":
            return {"games": [*found["games"], *self._file_cards(cancelled)]}
        return found

    def _first(self) -> dict[str, Any] | None:
        """What the page opens first: what was named, or a file of the folder; None is the usual game."""
        options = dict(self._opening.options)
        first = self._opening.first or next((name for name in self._files.names() if "/" not in name), "")
        if not first.endswith(SUFFIX):
            return {"name": first, "text": shipped_text(first), "options": options} if first else None
        with suppress(Failed):  # it was deleted meanwhile
            return {**self._files.read(first).to_dict(), "options": options}
        return None

    def _file_cards(self, cancelled: Cancelled) -> list[Card]:
        """The cards of the files in the folder."""
        until = time.monotonic() + PATIENCE
        found = []
        for name in self._files.names():
            with suppress(Failed):  # it is no text, or was deleted meanwhile
                file = self._files.read(name)
                in_time = time.monotonic() < until and not cancelled()
                found.append(self._card(file) if in_time else self._cards.get((name, file.digest), _plain(file)))
        return found

    def _card(self, file: File) -> Card:
        key = (file.name, file.digest)
        if key not in self._cards:
            self._cards[key] = self._read(file)
        return self._cards[key]

    def _read(self, file: File) -> Card:
        """The card of a file; a plain one if it has mistakes, or nothing here can play it."""
        for engine in ("prolog", "auto"):  # Prolog first: a picture is not worth a library
            try:
                game = Games(self._files.root, engine).checked(file.name, file.text, {}).game
                return card(game, file.name, file.text, "folder")
            except RulesError as error:
                count = len(error.problems)
                return _plain(file, "1 mistake" if count == 1 else f"{count} mistakes")
            except EngineError:
                continue
        return _plain(file)


def _plain(file: File, about: str = "") -> Card:
    """The card of rules that have mistakes, or have not been read yet."""
    title = _TITLE.search(file.text)
    return {
        "name": file.name, "title": title[1] if title else file.name, "author": "", "about": about, "players": [],
        "cells": 0, "mechanisms": [], "lines": length(file.text).lines, "extends": None, "picture": "",
        "place": "folder",
    }  # fmt: skip


if __name__ == "__main__":
    serve(Home(Opening.from_json(sys.argv[1])).answer)
