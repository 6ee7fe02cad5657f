"""The games that are open.

In: rules and options, or the id of a game that was checked before.  Out: the game.  What was not asked for longest is
forgotten.
"""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from pysolve.dsl import RulesError, UnknownOption, parent_finder, stays_inside, understand
from pysolve.dsl.errors import Source
from pysolve.dsl.text.sources import SUFFIX
from pysolve.engines import open_engine
from pysolve.engines.build import NoCompiler, compilers
from pysolve.engines.prolog import PrologEngine
from pysolve.engines.protocol import Engine
from pysolve.game import Game, find_named
from pysolve.ide.knowledge import Knowledge, View
from pysolve.ide.reading import lines_of, seen
from pysolve.ide.understanding import meanings
from pysolve.lab.solving import Guide, is_puzzle
from pysolve.notation.record import option_words
from pysolve.runtime.models import read_anew
from pysolve.runtime.paths import RULES, shipped_games
from pysolve.service.lines import Lines
from pysolve.service.picture import Picture
from pysolve.service.refused import Refused
from pysolve.service.scale import share, shares, usual_lead
from pysolve.service.tables import Tables

if TYPE_CHECKING:
    from pysolve.dsl.check.meanings import Understanding
    from pysolve.engines.native import NativeAnswers

T = TypeVar("T")
MOST_GAMES = 12


class HurriedGame(Game):
    """A game whose rules may change at any moment: it is not built a second time in the background, for speed."""

    @cached_property
    def engine(self) -> Engine:
        """The engine, opened on first use."""
        return open_engine(self.model, self.engine_name, self._kept, improve=False)


class Opened:
    """A game that is open: its rules, its picture, and the positions of lines."""

    def __init__(self, name: str, source: Source, game: Game):
        self.name = name
        self.source = source
        self.game = game
        self.id = game.model.digest + hashlib.sha256(f"{name}\n{source.text}".encode()).hexdigest()[:8]
        self.options = option_words(game)
        self.lines = Lines(game)
        self.guide = Guide() if is_puzzle(game) else None

    @property
    def engine(self) -> str:
        """The name of the engine that plays the game: native if there is a C compiler, which is not started to find
        out."""
        if "engine" in vars(self.game):
            return "prolog" if isinstance(self.game.engine, PrologEngine) else "native"
        try:
            return "native" if self.game.engine_name != "prolog" and compilers() else "prolog"
        except NoCompiler:
            return "prolog"

    @cached_property
    def lead(self) -> float:
        """A lead in points of `evaluate` that is usual in this game."""
        return usual_lead(self.game)

    def share(self, value: float) -> float:
        """A lead in points of `evaluate` as a share from 0 to 1."""
        return share(value, self.lead)

    def shares(self, values: Sequence[float]) -> list[float]:
        """The leads of all players as parts of 1."""
        return shares(values, self.lead)

    @cached_property
    def picture(self) -> Picture:
        """The drawing of the board."""
        return Picture(self.game.model)


class Games:
    """The games that were checked last."""

    def __init__(self, folder: Path | None = None, engine: str = "auto"):
        self._folder = folder
        self._engine = engine
        self.tables = Tables()
        self._opened: OrderedDict[str, Opened] = OrderedDict()
        self._known: OrderedDict[str, Knowledge] = OrderedDict()  # what names mean, in the last text of each name
        self._improving: NativeAnswers | None = None

    def opened(self, known: str) -> Opened:
        """The game with this id; raises `Refused` if it is forgotten."""
        if known not in self._opened:
            raise Refused("gone", "this game is not open (any more): check its rules again")
        self._opened.move_to_end(known)
        return self._opened[known]

    def checked(self, name: str, text: str, options: Mapping[str, str]) -> Opened:
        """The game of a rules text; raises `RulesError`.  Options that it does not have, or not so, are left out."""
        source = self.source(name, text)
        game = Opened(name, source, self._read(name, source, options))
        return self._kept(self._opened.get(game.id, game))  # the id says all: texts, those that they extend, options

    def adopted(self, game: Game) -> Opened:
        """A game that was loaded elsewhere, whose text nobody asks for."""
        return self._kept(Opened(game.name, Source(game.name, ""), game))

    def _kept(self, game: Opened) -> Opened:
        _keep(self._opened, game.id, game)
        return game

    def last(self, name: str) -> Opened | None:
        """The game of this name that was asked for last."""
        return next((game for game in reversed(self._opened.values()) if game.name == name), None)

    def understood(
        self, name: str, text: str, options: Mapping[str, str] = {}, whole: bool = False
    ) -> Understanding:  # fmt: skip
        """The reading of a text that may have mistakes; raises as `pysolve.dsl.understand`.

        What its names mean is kept for `view`, unless nothing of the text could be read.
        """
        source = self.source(name, text)
        found = understand(source, parent_finder(self.folders(name)), options, whole)
        if found.meanings.names or name not in self._known:
            meant = meanings(found, lambda span: self.shown_name(span.source, name, source.name))
            _keep(self._known, name, Knowledge.read(name, source.text, meant))
        return found

    def knows(self, name: str) -> bool:
        """True if a text of this name was read."""
        return name in self._known

    def view(self, name: str, text: str, read: bool) -> View:
        """A text as it is now, with what was known when a text of this name was read last; `read` reads it now."""
        if read and not (self.knows(name) and self._known[name].lines == lines_of(text)):
            with suppress(RulesError):
                self.understood(name, text)
        return View(self._known.get(name, Knowledge(name)), seen(text))

    def improve(self, game: Opened) -> None:
        """Lets a game be built for speed, because something long is asked about it; one game at a time."""
        engine = game.game.engine
        if isinstance(engine, PrologEngine):
            return
        from pysolve.engines.native import NativeAnswers  # a browser does not have it

        if isinstance(engine, NativeAnswers) and not (self._improving is not None and self._improving.is_improving):
            self._improving = engine
            engine.improve()

    def source(self, name: str, text: str) -> Source:
        """A text under the name that messages and players know it by: its path if it is a file."""
        if name in shipped_games():
            path = str(RULES / f"{name}{SUFFIX}")
        elif not stays_inside(name):
            path = Path(name).name or "rules"
        else:
            path = name if self._folder is None else str(self._folder / name)
        return Source(path, text.replace("\r\n", "\n"))

    def named(self, name: str) -> Source:
        """The text of a shipped game or of a file in the folder; raises `UnknownGame`."""
        return find_named(name, *([] if self._folder is None else [self._folder]))[0]

    def folders(self, name: str) -> tuple[Path, ...]:
        """The folders in which a text of this name looks for the rules that it extends."""
        if self._folder is None:
            return (RULES,)
        beside = [(self._folder / name).parent] if stays_inside(name) else []
        return (*beside, self._folder, RULES)

    def shown_name(self, source: Source, own: str, path: str) -> str:
        """The name of a text as a page knows it: that of the open rules, of a shipped game, of a file in the folder."""
        if source.name == path:
            return own
        found = Path(source.name)
        if found.parent == RULES:
            return found.stem
        if self._folder is not None and found.is_relative_to(self._folder):
            return found.relative_to(self._folder).as_posix()
        return found.name

    def _read(self, name: str, source: Source, options: Mapping[str, str]) -> Game:
        try:
            return self._made(name, source, options)
        except UnknownOption:
            fitting: dict[str, str] = {}
            for option, value in options.items():
                try:
                    self._made(name, source, {**fitting, option: value})
                except UnknownOption:
                    continue
                fitting[option] = value
            return self._made(name, source, fitting)

    def _made(self, name: str, source: Source, options: Mapping[str, str]) -> Game:
        """The game of a text: from the cache if it is as it was shipped, otherwise read anew."""
        folders, shipped = self.folders(name), Path(source.name)
        if shipped.parent == RULES and shipped.read_text(encoding="utf-8") == source.text:
            return HurriedGame.read(source, folders, options, self._engine)
        found = self.understood(name, source.text, options, whole=True)  # what cannot be parsed is told at once
        if found.game is None:
            raise RulesError(found.problems)
        return HurriedGame(found.game, self._engine, partial(read_anew, source, folders))


def _keep(kept: OrderedDict[str, T], name: str, value: T) -> None:
    """Keeps a value as the newest of those that are kept."""
    kept[name] = value
    kept.move_to_end(name)
    while len(kept) > MOST_GAMES:
        kept.popitem(last=False)
