"""An exported game in node, and what Python says of the same positions."""

from __future__ import annotations

import hashlib
import json
import shutil
import subprocess
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from pysolve.display import scene
from pysolve.engines.build import NoCompiler
from pysolve.engines.protocol import State
from pysolve.export.wasm import compiler
from pysolve.export.whole import whole
from pysolve.position import Position
from pysolve.runtime.paths import RULES
from pysolve.service.games import Games, Opened
from pysolve.service.playing import _outcome, asides_of, listed_moves, looks_of, spaced

ROOT = Path(__file__).parent.parent
CORE = ROOT / "pysolve" / "page" / "export-core.js"
OFTEN = 32  # as in export_node.mjs


def can_export() -> str:
    """Why nothing can be exported and run here; empty if it can."""
    if shutil.which("node") is None:
        return "node is not installed"
    if not CORE.is_file():
        return "the page is not built: cd web && npm ci && npm run build"
    try:
        compiler()
    except NoCompiler as error:
        return str(error)
    return ""


needs_export = pytest.mark.skipif(bool(can_export()), reason=can_export())


@cache
def opened(name: str, options: tuple[tuple[str, str], ...] = (), text: str = "") -> Opened:
    """A game as the service opens it."""
    return Games(engine="native").checked(
        name, text or (RULES / f"{name}.rules").read_text(encoding="utf-8"), dict(options)
    )


class Node:
    """A process of node that plays an exported game."""

    def __init__(self, exported: dict[str, Any], folder: Path):
        file = folder / "game.json"
        file.write_text(json.dumps(exported), encoding="utf-8")
        command = ["node", str(ROOT / "tests" / "export_node.mjs"), str(CORE), str(file)]
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8"
        )

    def __enter__(self) -> Node:
        return self

    def __exit__(self, *failure: object) -> None:
        self._process.communicate()

    def ask(self, **request: Any) -> dict[str, Any]:
        """The reply to a request."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps(request) + "\n")
        self._process.stdin.flush()
        line = self._process.stdout.readline()
        assert line, "node has ended"
        found: dict[str, Any] = json.loads(line)
        return found

    def answer(self, question: str, **asked: Any) -> Any:
        """The answer to a question of a page."""
        found = self.ask(question=question, asked=asked)
        assert "answer" in found, found
        return found["answer"]

    def failure(self, question: str, **asked: Any) -> dict[str, str]:
        """Why a question has no answer."""
        found: dict[str, str] = self.ask(question=question, asked=asked)["failure"]
        return found


def exporting(opened: Opened, folder: Path, seats: dict[str, str] | None = None, players: tuple[str, ...] = ()) -> Node:
    """A game that is exported, in node."""
    return Node(whole(opened, seats or {}, players), folder)


class Telling:
    """What Python says of positions, as export_node.mjs says it."""

    def __init__(self, opened: Opened):
        self._opened = opened
        self._game = opened.game
        self._texts: dict[Any, str] = {}

    def played(self, seed: int, longest: int) -> Iterator[str]:
        """The positions of a random game."""
        lots, position = seed, self._game.start(seed)
        ply = 0
        while True:
            moves = position.node.moves if len(position.possible_moves) else ()
            yield self._told(position, moves, ply)
            if not len(moves) or position.outcome is not None or ply == longest:
                return
            lots = (lots * 1664525 + 1013904223) & 0xFFFFFFFF
            position = position._after(position.node.child(lots * len(moves) >> 32))
            ply += 1

    def digest(self, seed: int, longest: int) -> str:
        """The digest of all that is said of a random game."""
        found = hashlib.sha256()
        for one in self.played(seed, longest):
            found.update(f"{one}\n".encode())
        return found.hexdigest()

    def _listed(self, position: Position, moves: Any) -> str:
        """The texts of moves; each is made once."""
        texts = self._texts
        for one in moves:
            if one not in texts:
                texts[one] = position._move(one).text
        return ",".join(map(texts.__getitem__, moves))

    def _told(self, position: Position, moves: Any, ply: int) -> str:
        outcome = _outcome(position.outcome)
        ended = "" if outcome is None else f"{outcome['text']}|{outcome['line'] or ''}"
        said = [position.state.hex(), self._listed(position, moves), ended]
        if ply % OFTEN == 0 or outcome is not None:
            said.append(self._detail(position))
        return "\n".join(said)

    def _detail(self, position: Position) -> str:
        picture = self._opened.picture
        looks = looks_of(picture, position)
        ties = [picture.tie(tied) for tied in scene.ties(position)]
        marks = [picture.mark(mark) for mark in scene.marks(position)]
        plain = [{**move, "written": move["text"]} for move in listed_moves(position)]
        facts = [spaced(fact) for fact in scene.facts(position)]
        out = [self._game.players.index(one) + 1 for one in scene.players_out(position)]
        told = [looks, ties, marks, scene.said(position), facts, asides_of(picture, position), out]
        told += [position.line(), plain]
        return json.dumps(told, separators=(",", ":"), ensure_ascii=False)


__all__ = ["Node", "State", "Telling", "can_export", "exporting", "needs_export", "opened"]
