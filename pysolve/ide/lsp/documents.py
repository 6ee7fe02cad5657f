"""The texts that are open in an editor, and what is known of them.

In: texts as they change.  Out: a `Document` for each: its text at once, its knowledge a little later.  A text is read
by another process, when it has not changed for a moment; a reading that is no longer wanted is cancelled.  A process
that takes too long is ended.
"""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pygls import uris

from pysolve.ide.knowledge import Knowledge, Place, View
from pysolve.ide.moves import Wanted
from pysolve.ide.outline import Part, examples
from pysolve.ide.reading import lines_of, seen
from pysolve.ide.renaming import Unchangeable
from pysolve.runtime.lane import Asked, Checks, Lane
from pysolve.runtime.processes import python

QUIET = 0.12  # seconds without a change after which a text is read
CALM = 0.4  # seconds after which its examples are carried out
READING, PLAYING = 20.0, 60.0  # seconds that reading a text, and carrying out its examples, may take
MOST_WAITING = 64
COMMAND = python("pysolve.ide.lsp.worker")

Told = Callable[["Document"], None]


@dataclass
class Document:
    """A text that is open."""

    uri: str
    path: str
    text: str
    version: int | None
    known: Knowledge = field(default_factory=Knowledge)
    problems: list[dict[str, Any]] = field(default_factory=list)  # of the text that is known
    warnings: list[dict[str, Any]] = field(default_factory=list)
    right: str | None = None  # the last text without mistakes
    results: list[dict[str, Any]] = field(default_factory=list)  # of the examples in it
    tested: str | None = None  # the text of which the results are
    read: asyncio.Event = field(default_factory=asyncio.Event)  # set while the text is the one that is known
    task: asyncio.Task[None] | None = None

    def __post_init__(self) -> None:
        self.lines = seen(self.text)

    def change(self, text: str, version: int | None) -> None:
        """Takes another text."""
        self.text, self.version, self.lines = text, version, seen(text)
        self.read.clear()

    @property
    def view(self) -> View:
        """The last analysis, mapped to the present text."""
        return View(self.known, self.lines)

    def results_now(self) -> dict[int, dict[str, Any]]:
        """The results of the examples that stand as they were tested, by the first line of the example."""
        if self.tested is None:
            return {}
        view, found = View(Knowledge(lines=lines_of(self.tested)), self.lines), {}
        there = {part.first: part for part in examples(self.lines)}
        for one in self.results:
            line = view.now(one["line"] - 1)
            if line in there and _as_tested(view, there[line]):
                found[line] = one
        return found


def _as_tested(view: View, part: Part) -> bool:
    return all(view.then(line) is not None for line in range(part.first, part.last + 1))


class Documents:
    """All texts that are open."""

    def __init__(self, told: Told, plays_examples: bool = True):
        self._told = told
        self.plays_examples = plays_examples
        self._documents: dict[str, Document] = {}
        checks = Checks()
        self._reading = Lane(COMMAND, checks, 1, MOST_WAITING, READING)
        self._playing = Lane(COMMAND, checks, 1, MOST_WAITING, PLAYING, patient=True)

    async def ready(self) -> None:
        """Starts the process that reads, so that the first text need not wait for it."""
        await self._reading.ready()

    def __getitem__(self, uri: str) -> Document:
        return self._documents[uri]

    def get(self, uri: str) -> Document | None:
        """The document with an address; None if it is not open."""
        return self._documents.get(uri)

    def of(self, path: str) -> Document | None:
        """The document with a path; None if it is not open."""
        return next((one for one in self.all() if one.path == path), None)

    def all(self) -> list[Document]:
        """All documents."""
        return list(self._documents.values())

    def open(self, uri: str, text: str, version: int | None) -> None:
        """A text was opened."""
        self._forget(self._documents.pop(uri, None))
        self._documents[uri] = Document(uri, path_of(uri), text, version)
        self.consider(self._documents[uri], 0)

    def change(self, uri: str, text: str, version: int | None) -> None:
        """A text was changed."""
        document = self._documents.get(uri)
        if document is None:
            self.open(uri, text, version)
            return
        document.change(text, version)
        self.consider(document, QUIET)

    def close(self, uri: str) -> Document | None:
        """A text was closed."""
        document = self._documents.pop(uri, None)
        self._forget(document)
        return document

    def consider(self, document: Document, quiet: float) -> None:
        """Reads a text after a moment, instead of what was about to be read."""
        self._forget(document)
        document.task = asyncio.create_task(self._consider(document, quiet))

    def _forget(self, document: Document | None) -> None:
        if document is not None and document.task is not None:
            document.task.cancel()

    async def _consider(self, document: Document, quiet: float) -> None:
        await asyncio.sleep(quiet)
        await self._understand(document)
        self._told(document)
        if self.plays_examples and document.right == document.text and document.tested != document.text:
            await asyncio.sleep(CALM)
            await self.play(document, None)

    async def _understand(self, document: Document) -> None:
        text = "\n".join(lines_of(document.text))
        answer = await self._ask(self._reading, "understand", document.path, text)
        if "failure" in answer:
            message = answer["failure"]["message"]
            document.problems = [_whole(f"these rules could not be read: {message}", document.path)]
            document.warnings = []
        else:
            found = answer["answer"]
            document.problems, document.warnings = found["problems"], found["warnings"]
            if found["names"] or not document.known.names:
                document.known = Knowledge.read(document.path, text, found)
            if not document.problems:
                document.right = document.text
        document.read.set()

    async def play(self, document: Document, only: int | None) -> None:
        """Carries out the examples of a text, or one of them; nothing happens if it has mistakes."""
        text = document.text
        answer = await self._ask(self._playing, "examples", document.path, "\n".join(document.lines), only=only)
        if "answer" not in answer or document.text != text:
            return
        found = answer["answer"]["examples"]
        if only is not None and document.tested == text:
            lines = {one["line"] for one in found}
            found = [one for one in document.results if one["line"] not in lines] + found
        document.results, document.tested = found, text
        self._told(document)

    async def moves(self, document: Document, wanted: Wanted) -> list[dict[str, str]]:
        """The legal moves in an example."""
        if document.right is None:
            return []
        about = {"options": wanted.options, "position": wanted.position, "played": wanted.played}
        answer = await self._ask(self._reading, "moves", document.path, "\n".join(lines_of(document.right)), **about)
        return list(answer["answer"]["moves"]) if "answer" in answer else []

    async def formatted(self, document: Document) -> str | None:
        """A text as `pysolve fmt` writes it; None if it has mistakes that make this impossible."""
        answer = await self._ask(self._reading, "format", document.path, "\n".join(document.lines))
        return answer["answer"]["text"] if "answer" in answer else None

    async def uses(self, document: Document, place: Place) -> list[Place]:
        """Where the rules that extend a document use the name that it declares at a place."""
        about = {"place": [place.line + 1, place.column + 1], "open": self.texts()}
        answer = await self._ask(self._reading, "uses", document.path, "\n".join(document.lines), **about)
        return (
            [one for path, found in answer["answer"]["uses"] for one in _places(path, found)]
            if "answer" in answer
            else []
        )

    async def renamed(
        self, document: Document, places: Sequence[Place], declared: Place, new: str
    ) -> dict[str, list[Place]]:
        """What must change in each file, so that a name is another one; raises `Unchangeable`."""
        about = {
            "place": [declared.line + 1, declared.column + 1], "new": new, "open": self.texts(),
            "edits": [[one.line + 1, one.column + 1, one.length] for one in places],
        }  # fmt: skip
        answer = await self._ask(self._reading, "rename", document.path, "\n".join(document.lines), **about)
        if "failure" in answer:
            raise Unchangeable(answer["failure"]["message"])
        return {path: _places(path, found) for path, found in answer["answer"]["edits"].items()}

    def texts(self) -> dict[str, str]:
        """The texts that are open, by their paths."""
        return {one.path: "\n".join(one.lines) for one in self.all()}

    async def _ask(self, lane: Lane, question: str, path: str, text: str, **more: Any) -> dict[str, Any]:
        line = await lane.ask(Asked(question, {"path": path, "text": text, **more}))
        answer: dict[str, Any] = json.loads(line)
        if "failure" in answer and answer["failure"]["kind"] == "internal":
            logging.getLogger(__name__).error(answer["failure"]["message"])
        return answer

    async def end(self) -> None:
        """Ends all processes."""
        for document in self.all():
            self._forget(document)
            if document.task is not None:
                with suppress(asyncio.CancelledError):
                    await document.task
        await self._reading.close()
        await self._playing.close()


def _places(path: str, found: Sequence[Sequence[int]]) -> list[Place]:
    return [Place(path, line - 1, column - 1, length) for line, column, length in found]


def _whole(message: str, path: str) -> dict[str, Any]:
    """A mistake that has no place."""
    return {"line": 1, "column": 1, "end_line": 1, "end_column": 2, "message": message, "hint": "", "source": path,
            "severity": "error", "cure": None}  # fmt: skip


def path_of(uri: str) -> str:
    """The path of a file; of a text that is no file yet, one in this folder."""
    path = uris.to_fs_path(uri) if uri.startswith("file:") else None
    return path or str(Path.cwd() / "untitled.rules")
