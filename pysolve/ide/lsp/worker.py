"""The process that reads rules for the language server, and carries out their examples.

    python -m pysolve.ide.lsp.worker

In: questions, as `pysolve.runtime.worker` reads them.  A text may come from a stranger: whoever asks gives it a time,
and ends this process when that is over.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

from pysolve import dsl
from pysolve.authoring import examples
from pysolve.dsl import RulesError, UnknownOption, parent_finder
from pysolve.dsl.errors import Source, Span
from pysolve.dsl.text.fmt import format_rules
from pysolve.game import Game
from pysolve.ide.lsp.variants import Family
from pysolve.ide.renaming import Unchangeable
from pysolve.ide.understanding import meanings, problem_of
from pysolve.runtime.models import read_anew
from pysolve.runtime.paths import RULES
from pysolve.runtime.wire import Failed
from pysolve.runtime.worker import Cancelled, Heard, serve
from pysolve.service.examples import breach, legal_moves, result
from pysolve.service.games import HurriedGame

MOST_GAMES = 12  # that are kept
NOTHING: Mapping[str, Any] = {"names": [], "mentions": [], "untyped": [], "types": {}, "parent": ""}


class Workshop:
    """Answers questions about texts, each named by the path of its file."""

    def __init__(self) -> None:
        self._games = OrderedDict[tuple[str, str], Game]()  # by path and text

    def answer(self, question: str, asked: Any, heard: Heard, cancelled: Cancelled) -> object:
        """The answer to a question; raises `Failed`."""
        path, text = asked["path"], asked["text"]
        match question:
            case "understand":
                return self._understood(path, text)
            case "examples":
                return self._examples(self._game(path, text), asked["only"], heard, cancelled)
            case "moves":
                wanted = asked["options"], asked["position"], asked["played"]
                return {"moves": legal_moves(self._game(path, text), *wanted)}
            case "uses":
                line, column = asked["place"]
                return {"uses": list(Family.of(path, text, asked["open"]).uses(line, column))}
            case "rename":
                return _renamed(path, text, asked)
            case "format":
                return {"text": _formatted(text)}
        raise Failed("asked", f"there is no question {question}")

    def _understood(self, path: str, text: str) -> dict[str, Any]:
        """The mistakes, warnings, names and mentions of a text, for the server."""
        source, folders = Source(path, text), _folders(path)
        parent = ""
        search = parent_finder(folders)

        def find(name: str, child: Source) -> Source | None:
            nonlocal parent
            found = search(name, child)
            parent = found.name if found is not None and child.name == path else parent
            return found

        try:
            found = dsl.understand(source, find, {})
        except RulesError as error:  # nothing of it can be read
            return {**NOTHING, "problems": [problem_of(one, _known) for one in error.problems], "warnings": []}
        warnings = []
        if found.game is not None:
            game = HurriedGame(found.game, reread=partial(read_anew, source, folders))
            self._keep(path, text, game)
            warnings = [{"line": one.line, "message": one.text} for one in examples.notices(game)]
        problems = [problem_of(one, _known) for one in found.problems]
        return {**meanings(found, _known), "problems": problems, "warnings": warnings, "parent": parent}

    def _game(self, path: str, text: str) -> Game:
        """The game of a text without mistakes; raises `Failed`."""
        known = self._games.get((path, text))
        if known is None:
            try:
                known = HurriedGame.read(Source(path, text), _folders(path), {}, anew=True)
            except (RulesError, UnknownOption) as error:
                raise Failed("rules", str(error)) from error
            self._keep(path, text, known)
        return known

    def _keep(self, path: str, text: str, game: Game) -> None:
        self._games[path, text] = game
        self._games.move_to_end((path, text))
        while len(self._games) > MOST_GAMES:
            self._games.popitem(last=False)

    def _examples(self, game: Game, only: int | None, heard: Heard, cancelled: Cancelled) -> dict[str, Any]:
        """The results of the examples, each heard as soon as it is there; or of the one with a number."""
        found = []
        for trial in examples.trials(game, only):
            found.append(result(trial))
            heard(found[-1])
            if cancelled():
                raise Failed("cancelled", "the examples were cancelled")
        if only is None:
            found += [breach(game, failure) for failure in examples.breaches(game)]
        return {"examples": found}


def _renamed(path: str, text: str, asked: Mapping[str, Any]) -> dict[str, Any]:
    """The edits, by file, that rename a name; raises `Failed` if the new name is not possible."""
    line, column = asked["place"]
    try:
        edits = [(line, column, length) for line, column, length in asked["edits"]]
        found = Family.of(path, text, asked["open"]).renamed(edits, line, column, asked["new"])
    except Unchangeable as refused:
        raise Failed("refused", str(refused)) from refused
    return {"edits": found}


def _formatted(text: str) -> str | None:
    try:
        return format_rules(text)
    except RulesError:
        return None


def _folders(path: str) -> tuple[Path, ...]:
    """The folders in which rules look for those that they extend: that of the file, and the shipped games."""
    return Path(path).parent, RULES


def _known(span: Span) -> str:
    return span.source.name


if __name__ == "__main__":
    serve(Workshop().answer)
