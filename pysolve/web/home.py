"""A service that also knows the rules files of a folder, in a process of its own.

    python -m pysolve.web.home OPENING

In: questions.  Out: answers, those about games from `Service`; `hello` names a file, too; `file-card` is the card of
a text.
"""

from __future__ import annotations

import hashlib
import sys
from contextlib import suppress
from typing import Any

from pysolve.dsl import RulesError
from pysolve.dsl.text.measure import length
from pysolve.dsl.text.sources import SUFFIX
from pysolve.engines.protocol import EngineError
from pysolve.runtime.wire import Failed
from pysolve.runtime.worker import Cancelled, Heard, serve
from pysolve.service import Refused, Service
from pysolve.service.cards import card
from pysolve.service.games import Games
from pysolve.service.rules import shipped_text
from pysolve.service.service import CAN
from pysolve.service.tables import Tables, Truth
from pysolve.web.folder import File
from pysolve.web.opening import Opening
from pysolve.web.plain import CARD, Card, plain_card
from pysolve.web.tables import TRUTHS


class Home:
    """Answers questions about games, and about those of a folder."""

    def __init__(self, opening: Opening):
        self._opening = opening
        self._files = opening.files()
        self._service = Service(folder=self._files.root, can=(*CAN, "files", "save"), engine=opening.engine)
        self._service.place = hashlib.sha256(bytes(self._files.root)).hexdigest()[:12]

    def answer(self, question: str, asked: object, heard: Heard, cancelled: Cancelled) -> object:
        """The answer to a question; raises `Failed`."""
        if question == CARD and isinstance(asked, dict):
            return self._card(File(asked["name"], asked["text"], ""))
        if question == "hello":
            self._service.first = self._first()
        if isinstance(asked, dict) and TRUTHS in asked:
            return self._at_table(question, asked, heard, cancelled)
        return self._answered(question, asked, heard, cancelled)

    def _answered(self, question: str, asked: object, heard: Heard, cancelled: Cancelled) -> dict[str, Any]:
        try:
            return self._service.answer(question, asked, heard, cancelled)
        except Refused as refused:
            raise Failed(refused.kind, refused.message) from refused

    def _at_table(self, question: str, asked: dict[str, Any], heard: Heard, cancelled: Cancelled) -> object:
        """An answer about a game with secrets, which the server keeps: with what it shall keep from now on."""
        tables = self._service.tables = Tables()
        try:
            for name, truth in asked.pop(TRUTHS).items():
                tables.keep(name, Truth.from_dict(truth))
            found = self._answered(question, asked, heard, cancelled)
            return {"answer": found, TRUTHS: {name: truth.to_dict() for name, truth in tables.items()}}
        finally:
            self._service.tables = Tables()  # this process forgets what it was told

    def _first(self) -> dict[str, Any] | None:
        """The file or game that the page opens at once, with its options; None if it begins with the list of games."""
        options, first = dict(self._opening.options), self._opening.first
        if not first:
            return None
        if not first.endswith(SUFFIX):
            return {"name": first, "text": shipped_text(first), "options": options}
        with suppress(Failed):  # it was deleted meanwhile
            return {**self._files.read(first).to_dict(), "options": options}
        return None

    def _card(self, file: File) -> Card:
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
    return plain_card(file, about, length(file.text).lines)


if __name__ == "__main__":
    serve(Home(Opening.from_json(sys.argv[1])).answer)
