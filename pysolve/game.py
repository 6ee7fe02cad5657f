"""Games: `load` reads the rules, a `Game` makes positions.

In: the name of a shipped game, or the path or text of rules, and options.  Out: a `Game`; its positions are
`pysolve.position.Position`.
"""

from __future__ import annotations

import difflib
import json
import os
import warnings
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pysolve.dsl import (
    NoRules,
    RulesError,
    UnknownOption,
    file_source,
    named_source,
    notation,
    rules_source,
    stays_inside,
)
from pysolve.dsl.errors import Source, listed, nearest
from pysolve.dsl.model import Game as Model
from pysolve.dsl.model import OptionValue
from pysolve.dsl.player_texts import UnknownPlayer
from pysolve.engines import open_engine, open_reasons, open_shown
from pysolve.engines.protocol import Engine, EngineError, Explainer, Shows, State
from pysolve.position import Position
from pysolve.runtime import validation
from pysolve.runtime.models import Reading, read, read_anew
from pysolve.runtime.paths import RULES, shipped_games
from pysolve.runtime.progress import doing

if TYPE_CHECKING:
    from pysolve.engines.arrays import Batch
    from pysolve.engines.prolog import PrologEngine

VALUES, POLICY = ".values", ".policy"  # how files of what was learned are called
LONGEST_HEAD = 4096  # bytes of one, among which it says for which rules it is, and
FOR_STRONG = b'"search":"strong"'  # if it is for the strong search
OPENED = "engine", "prolog", "explainer", "shows"  # what a game opens on first use
NEAREST = 3  # names that are told to somebody whose name no game has

Reread = Callable[[Mapping[str, object]], Reading]  # the same rules, with options set


class UnknownGame(ValueError):
    """There are no rules of this name."""


NO_OTHER_GAME = UnknownGame, UnknownOption, UnknownPlayer, RulesError  # what `other_game` raises


class Game:
    """One game: rules with their options set, and an engine that answers for them.

    For example:

        game = pysolve.load("zola", size=4)
        position = game.start()
        for move in position.legal_moves:
            print(move)
    """

    def __init__(self, model: Model, engine: str = "auto", reread: Reread | None = None, kept: str | None = None):
        self.model = model
        self.engine_name = engine
        self._reread = reread
        self._kept = kept  # the name under which the cache has it

    def beside(self, digest: str) -> Game:
        """The same game with an engine of its own, under another digest."""
        return Game(replace(self.model, digest=digest), self.engine_name, kept=self._kept)

    @classmethod
    def read(
        cls, source: Source, folders: tuple[Path, ...], options: Mapping[str, object], engine: str = "auto",
        anew: bool = False,
    ) -> Game:  # fmt: skip
        """The game of a rules text; rules that it extends are searched for in `folders`.

        A text that was read before comes from the cache, unless `anew` is set.  Then mistakes in examples are raised,
        too; otherwise they are the model's `flaws`.
        """
        return cls._again(engine, partial(read_anew if anew else read, source, folders), options)

    @classmethod
    def _again(cls, engine: str, reread: Reread, options: Mapping[str, object]) -> Game:
        model, kept = reread(options)
        return cls(model, engine, reread, kept)

    def __getstate__(self) -> dict[str, Any]:
        """A game is pickled without its engine, which is opened again where it is needed."""
        return {key: value for key, value in self.__dict__.items() if key not in OPENED}

    def __repr__(self) -> str:
        options = "".join(f", {name}={value}" for name, value in self.options.items())
        return f"<Game {self.name}{options}>"

    @property
    def name(self) -> str:
        """The short name, as of the file."""
        return self.model.name

    @property
    def title(self) -> str:
        """The title of the game, as the rules give it."""
        return self.model.title

    @property
    def players(self) -> tuple[str, ...]:
        """Names of the players, in turn order."""
        return self.model.players.labels

    @property
    def options(self) -> dict[str, Any]:
        """The options as they are set: numbers, words, or True and False."""
        return {
            o.name: bool(o.value) if o.sort.name == "bool" else o.sort.label(o.value) if o.sort.labels else o.value
            for o in self.model.options
        }

    @cached_property
    def levels(self) -> dict[str, str]:
        """Players by names, as {"easy": "minimax:depth=1"}: those of every game, and those that the rules name.

        Where GAME.values beside the rules has learned values for these rules and options, `expert` plays by them; where
        `hard` is mcts, by a learned policy in GAME.policy, or in that of the other rules by which it thinks.  A `hard`
        that thinks by other rules is the usual one where those do not apply.
        """
        from pysolve.dsl.analysis.levels import HARD, levels_of, thought_by

        model, rules, guided = self.model, thought_by(self.model), self
        try:
            guided = self if rules is None else other_game(self, rules)
        except NO_OTHER_GAME:  # as in a variant on another board
            model = replace(model, levels={name: text for name, text in model.levels.items() if name != HARD})
        values, head = self._learned_beside(VALUES)
        return levels_of(model, values, FOR_STRONG in head, guided._learned_beside(POLICY)[0])

    @property
    def outdated(self) -> list[Path]:
        """Files beside the rules with learned values or a learned policy of other rules or options: nobody plays by
        them."""
        found = [(self._beside(suffix), self._learned_beside(suffix)[0]) for suffix in (VALUES, POLICY)]
        return [beside[0] for beside, applies in found if beside and not applies]

    def _beside(self, suffix: str) -> tuple[Path, bytes] | None:
        """The file beside the rules whose name ends so, and how it begins."""
        path = Path(self.model.source).with_suffix(suffix)
        try:
            if not path.is_file():  # whoever opens a pipe might wait for ever
                return None
            with path.open("rb") as file:
                return path, file.read(LONGEST_HEAD)
        except (OSError, ValueError):
            return None

    def _learned_beside(self, suffix: str) -> tuple[str | None, bytes]:
        """The name of a file beside the rules with what was learned for them, None if there is none; how it begins."""
        from pysolve.dsl.analysis.patterns import play_digest

        path, head = self._beside(suffix) or (Path(), b"")
        if f'"rules":"{play_digest(self.model)}"'.encode() not in head:
            return None, b""
        here = Path(path.name)
        if here.exists() and not here.samefile(path):  # a name is looked for in the current folder first
            return None if "," in str(path) else str(path), head
        return path.name, head

    @property
    def cells(self) -> tuple[str, ...]:
        """Names of the cells, row by row from the lower left."""
        return self.model.board.cells

    @cached_property
    def engine(self) -> Engine:
        """The engine, opened on first use."""
        return open_engine(self.model, self.engine_name, self._kept)

    @cached_property
    def prolog(self) -> PrologEngine:
        """The Prolog engine, which answers queries whatever engine plays; raises `EngineError` without Prolog."""
        from pysolve.engines.prolog import PrologEngine

        if isinstance(self.engine, PrologEngine):
            return self.engine
        with doing(f"loading {self.title} into Prolog"):
            return PrologEngine(self.model)

    @cached_property
    def explainer(self) -> Explainer:
        """The engine that says which demands on a move hold, and why: Prolog, or else C.

        Raises `EngineError` if there is neither.
        """
        try:
            return self.prolog
        except EngineError:
            return open_reasons(self.model)

    @cached_property
    def shows(self) -> Shows:
        """What answers the names that `show` draws: C for a game that is played by C, or else Prolog.

        Prolog also where it is loaded already.  Raises `EngineError` if there is neither.
        """
        from pysolve.engines.prolog import PrologEngine

        if "prolog" in vars(self) or isinstance(self.engine, PrologEngine):
            return self.prolog
        return open_shown(self.model) or self.prolog

    @property
    def remark(self) -> str:
        """A warning that examples have mistakes, and how to see them; empty if there are none.

        Such a game can still be played.
        """
        if not self.model.flaws:
            return ""
        first = self.model.flaws[0]
        shows = "shows it" if len(self.model.flaws) == 1 else f"shows it and {len(self.model.flaws) - 1} more"
        return f"mistake in an example at {first.span.place}: {first.message}; pysolve check {shows}"

    # -------------------------------------------------------------------------------------- positions

    def start(self, seed: int = 0) -> Position:
        """The initial position; random draws of the setup come from `seed`."""
        return Position(self, self.engine.start(seed))

    new_initial_state = start

    def batch(
        self, count: int, seed: int = 0, longest: int = 1000, again: bool = False, threads: int | None = None
    ) -> Batch:
        """Many games at once, as NumPy arrays: see `pysolve.engines.arrays.Batch`, and docs/libraries.md."""
        from pysolve.engines.arrays import Batch

        return Batch(self.model, self.engine, count, seed, longest, again, threads)

    @cached_property
    def base(self) -> State:
        """Values for what a position text leaves out: the initial ones, or each type's first if the setup is random."""
        if self.model.draws_lots:
            return notation.blank(self.model)
        return self.engine.start(0)

    def position(self, text: str) -> Position:
        """The position that a diagram, a line or a JSON object describes; raises `NotationError` if it is none."""
        if validation.text("text", text).lstrip().startswith("{"):
            try:
                data = json.loads(text)
            except ValueError as error:  # also raised for numbers with too many digits
                raise notation.NotationError(f"the position cannot be read as JSON: {error}") from None
            except RecursionError:
                raise notation.NotationError("the position cannot be read as JSON: it is nested too deeply") from None
            return self.from_dict(data)
        return Position(self, notation.parse_position(self.model, text, self.base))

    def from_dict(self, data: Mapping[str, Any]) -> Position:
        """The position of an exchange object, {"mover": …, "state": {…}}; raises `NotationError`."""
        return Position(self, notation.from_dict(self.model, data, self.base))

    def with_options(self, **options: object) -> Game:
        """A game of the same rules with these options; options that are not given have their default values.

        Raises `UnknownOption`.
        """
        if self._reread is None:
            return load(self.model.source, engine=self.engine_name, **options)
        return self._again(self.engine_name, self._reread, options)

    def parent(self, **options: object) -> Game | None:
        """The game that these rules extend, with these options; None if they extend none.

        Raises `RulesError` if the parent is a game only together with its variants, and `UnknownOption`.
        """
        if not self.model.extends:
            return None
        folders = (Path(self.model.source).parent, RULES)
        return Game.read(named_source(self.model.extends, folders), folders, options, self.engine_name)


def option_word(option: OptionValue, value: int) -> str:
    """The word by which a user sets an option to a value."""
    return ("off", "on")[value] if option.sort.name == "bool" else option.sort.label(value)


def load(rules: str | Path, /, *, engine: str = "auto", **options: object) -> Game:
    """The game of a shipped name ("zola"), of a path to a rules file, or of a rules text.

    Options are set by name, as in ``load("zola", size=4)``.  Raises `RulesError` for mistakes in the rules,
    `UnknownOption` for a wrong option, `UnknownGame` if there is no such file.  Mistakes in examples alone are a
    warning.  `engine` is "native" (compiled C), "prolog" or "auto": native where something compiles C.
    """
    source, folders = find_source(rules)
    game = Game.read(source, folders, options, engine)
    if game.remark:
        warnings.warn(game.remark, stacklevel=2)
    return game


def find_source(rules: str | Path) -> tuple[Source, tuple[Path, ...]]:
    """The text that `load` reads, and the folders in which its parents are searched for."""
    validation.instance("rules", rules, (str, Path), "a name, a path or a text of rules")
    if isinstance(rules, str) and "\n" in rules:
        return Source("rules", rules.replace("\r\n", "\n")), (Path(), RULES)
    path = find_rules(rules)
    return file_source(path), (path.parent, RULES)


def find_named(name: str, *folders: Path) -> tuple[Source, tuple[Path, ...]]:
    """The rules that a record, a proof or a player names, and the folders in which their parents are searched for.

    They are a shipped game or a file in or below one of the folders; raises `UnknownGame` for anything else.
    """
    shipped = RULES / f"{name}.rules"
    try:
        source = file_source(shipped) if name in shipped_games() else named_source(name, (*folders, RULES))
    except NoRules as error:
        raise UnknownGame(str(error)) from None
    return source, (Path(source.name).parent, RULES)


def other_rules(game: Game, rules: str) -> str:
    """The argument for `load` that names the rules by which a player of a game thinks.

    They are looked up in the current folder and beside the rules of the game. Raises `UnknownGame` if there are none,
    or if the file is no rules file. A full path, or one that leads upwards, may be given by the user, but not by a
    level or a record.
    """
    if stays_inside(rules):
        return find_named(rules, Path(), Path(game.model.source).parent)[0].name
    path = find_rules(rules)
    try:
        return rules_source(path).name
    except NoRules as error:
        raise UnknownGame(str(error)) from None


def other_game(game: Game, rules: str) -> Game:
    """The rules of this name, with the same options; raises `UnknownPlayer` if they are about something else, or one
    of `NO_OTHER_GAME` if there are none, they have mistakes, or an option cannot be the same."""
    found = other_rules(game, rules)
    options = load(found).options
    words = game.model.renamed  # a variant may call its options, and their values, otherwise
    told = {words.get(key, key): words.get(one, one) for key, one in game.options.items()}
    other = load(found, engine=game.engine_name, **{key: one for key, one in told.items() if key in options})
    if _shape(other) != _shape(game):
        same = "players, cells, states and moves must be the same"
        raise UnknownPlayer(f"{game.title} cannot be played by {rules}: {same}")
    return other


def _shape(game: Game) -> tuple[Any, ...]:
    """The states and moves of a game, in the parent's words if a variant has renamed them: equal for compatible
    games."""
    model, words = game.model, game.model.renamed

    def plain(sort: Any) -> Any:
        labels = tuple(words.get(label, label) for label in sort.labels)
        return replace(sort, name=words.get(sort.name, sort.name), labels=labels)

    slots = [
        (words.get(slot.name, slot.name), tuple(map(plain, slot.params)), plain(slot.sort), slot.offset)
        for slot in model.slots.values()
    ]
    moves = [
        (words.get(action.name, action.name), [plain(param.sort) for param in action.params])
        for action in model.actions
    ]
    return plain(model.players), model.board.cells, slots, moves


def find_rules(name: str | Path) -> Path:
    """The file of a game: a path, or a bare name: a shipped game, else a file in this folder.  Raises `UnknownGame`."""
    path = Path(name)
    if not path.name:
        raise UnknownGame(f'"{name}" is not the name of a rules file: expected a name like zola, or a path')
    shipped = RULES / f"{path.name}.rules"
    local = path.with_name(path.name + ".rules")
    bare = path.name == str(name) and not path.suffix
    for candidate in (shipped, local, path) if bare else (path, local):
        if os.path.isfile(candidate):  # False, too, for a name that no file can have
            return candidate
    raise UnknownGame(_no_rules(name, path) if bare else _no_file(name, path))


def _is_folder(path: Path) -> bool:
    """Whether the path is a folder; False, too, for a name that no folder can have."""
    return os.path.isdir(path)


def _no_rules(name: str | Path, path: Path) -> str:
    """The message for a name that is neither a shipped game nor a file in this folder."""
    if _is_folder(path):
        return f'"{name}" is a folder, not a rules file'
    known = shipped_games()
    near = listed(difflib.get_close_matches(str(name), known, NEAREST, cutoff=0))
    hint = nearest(str(name), known) or f"the nearest names are {near}; pysolve games lists all"
    return f'there are no rules "{name}": {hint}'


def _no_file(name: str | Path, path: Path) -> str:
    """The message for a path at which there is no file."""
    if _is_folder(path):
        return f'"{name}" is a folder, not a rules file'
    if not _is_folder(path.parent):
        return f'there is no folder "{path.parent}"'
    game = path.name.removesuffix(".rules")
    if game in shipped_games():
        return f'there is no file "{name}"; the shipped game has the name {game}'
    hint = nearest(game, (other.stem for other in path.parent.glob("*.rules")))
    return f'there is no file "{name}"{hint and ": "}{hint}'
