"""Competitors: who may sit where programs play each other.

In: a text, or a function from a position to one of its legal moves.  Out: the player, with a name for tables and
records.  Beside what `pysolve.players.functions` knows a text may name a function, as in  mymodule:choose; that
imports the module.  Or another program, as in  uci:stockfish; that starts it.  So only what a user asks for comes
here: levels of rules, and names in records, are texts of strangers.
"""

from __future__ import annotations

import hashlib
import importlib
import inspect
import re
import sys
import traceback
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from pysolve.dsl.errors import nearest
from pysolve.dsl.player_texts import PLAYERS, PROGRAMS, UnknownPlayer, known_players, names_program
from pysolve.game import Game
from pysolve.players.functions import Player, Specification, specification
from pysolve.players.outside.player import Outside, outside
from pysolve.position import Move, Position


class PlayerError(ValueError):
    """A function that was asked for a move and made none: it raised something, or returned what is no legal move."""


@dataclass(frozen=True, slots=True)
class Function:
    """A function of Python as a player, by the name that tables and records have for it."""

    text: str
    choose: Callable[[Position], Any]
    found_again: bool = False  # True if the text names it in any process, as module:function

    @property
    def deterministic(self) -> bool:
        """True if it says so, by an attribute of that name; nobody else can know."""
        return bool(getattr(self.choose, "deterministic", False))

    def check(self, game: Game) -> None:
        """A function plays any game, for all that can be known."""

    def player(self, seed: int | None = None) -> Player:
        """The function, which draws its own lots; it may return the text of a move.  All else is a `PlayerError`."""

        def chosen(position: Position) -> Move:
            try:
                found = self.choose(position)
            except (Exception, SystemExit) as error:
                said = _raised(error, within=1)
                raise PlayerError(f"{self.text} raised {said}, asked in  {position.line()}") from error
            return self._legal(position, found)

        return chosen

    def _legal(self, position: Position, found: object) -> Move:
        if isinstance(found, str):
            try:
                return position.parse(found)
            except ValueError as error:
                raise PlayerError(f"{self.text} returned {found!r} in  {position.line()}: {error}") from None
        if isinstance(found, Move) and found in position.legal_moves:
            return found
        what = f"{found}, which is not legal" if isinstance(found, Move) else f"{found!r:.80}, which is not a move"
        wanted = "a player must return one of position.legal_moves, or its text"
        raise PlayerError(f"{self.text} returned {what}, in  {position.line()}: {wanted}")

    def __str__(self) -> str:
        return self.text


Competitor = Specification | Function | Outside
Who = str | Player | Function  # a competitor, or a text that names one
_FUNCTION = re.compile(r"([A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*):([A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*)")


def competitor(who: Who, levels: Mapping[str, str] = {}) -> Competitor:
    """A player who may sit where programs play each other: a function, one that a text names as module:function (which
    imports the module), another program (which it starts when it plays), or whatever else a text names.  Raises
    `UnknownPlayer`.
    """
    if isinstance(who, Function):
        return who
    if not isinstance(who, str):
        return _function(who)
    if names_program(who):
        return outside(who)
    return _imported(who.strip()) if names_function(who, levels) else specification(who, levels)


def names_function(text: str, levels: Mapping[str, str] = {}) -> bool:
    """True of a text like module:function; names of players and levels come first."""
    found = _FUNCTION.fullmatch(text.strip())
    return found is not None and found[1] not in (*PLAYERS, *PROGRAMS) and text.strip() not in levels


def _function(choose: Player) -> Function:
    """A function by its name, with its module where it can be found again there."""
    _check_function(choose, repr(choose))
    module, name = getattr(choose, "__module__", None), getattr(choose, "__qualname__", "")
    if module not in (None, "__main__") and _found(sys.modules.get(module), name) is choose:
        return Function(f"{module}:{name}", choose, found_again=True)
    plain = getattr(choose, "__name__", type(choose).__name__)
    return Function(re.sub(r"[^\w<>]", "_", plain), choose)


def _imported(text: str) -> Function:
    """The function that module:function names; raises `UnknownPlayer` where there is none."""
    module_name, _, name = text.partition(":")
    try:
        module = importlib.import_module(module_name)
    except (Exception, SystemExit) as error:
        if isinstance(error, ModuleNotFoundError) and f"{module_name}.".startswith(f"{error.name}."):
            hint = nearest(module_name, PLAYERS)
            said = f'there is no player "{module_name}", and no module of that name: {f"{hint} " if hint else ""}'
            raise UnknownPlayer(f"{said}{known_players(people=False)}") from None
        raise UnknownPlayer(f"{text} is not a player: importing {module_name} raised {_raised(error)}") from error
    choose = _found(module, name)
    if choose is None:
        known = [one for one, what in vars(module).items() if inspect.isfunction(what) and not one.startswith("_")]
        hint = nearest(name, known) or (f"it has {', '.join(known)}" if known else "it has none")
        raise UnknownPlayer(f'{module_name} has no function "{name}": {hint}')
    _check_function(choose, text)
    return Function(text, choose, found_again=True)


def _found(module: Any, name: str) -> Any:
    """The object that a dotted name refers to in a module; None if there is none."""
    for part in name.split("."):
        module = getattr(module, part, None)
    return module


def _check_function(choose: object, text: str) -> None:
    """Raises `UnknownPlayer` for what cannot be called with a position."""
    form = "a player is a function from a position to one of its legal moves"
    if not callable(choose):
        raise UnknownPlayer(f"{text} is not a player, but an object of type {type(choose).__name__}: {form}")
    if inspect.isclass(choose):
        raise UnknownPlayer(f"{text} is a class: {form}, or an object that can be called like one")
    try:
        inspect.signature(choose).bind(None)
    except TypeError as error:
        raise UnknownPlayer(f"{text} cannot be called with a position alone ({error}): {form}") from None
    except ValueError:  # it does not tell what it takes
        return


def _raised(error: BaseException, within: int = 0) -> str:
    """An error in a line, and where it was raised: the last line of the file that the frame of this number is in."""
    frames = traceback.extract_tb(error.__traceback__)
    own = frames[min(within, len(frames) - 1)].filename
    last = [frame for frame in frames if frame.filename == own][-1] if within else frames[-1]
    message = " ".join(str(error).split())
    return f"{type(error).__name__}{f': {message}' if message else ''} ({Path(last.filename).name}, line {last.lineno})"


def named(players: Sequence[Who]) -> list[str | Function]:
    """Texts as they are, and functions by names that differ: another one of the same name has a number behind it."""
    functions: dict[str, list[object]] = {}
    found: list[str | Function] = []
    for who in players:
        if isinstance(who, str):
            found.append(who)
            continue
        one = who if isinstance(who, Function) else _function(who)
        alike = functions.setdefault(one.text, [])
        if one.choose not in alike:
            alike.append(one.choose)
        place = alike.index(one.choose)
        found.append(replace(one, text=f"{one.text} ({place + 1})", found_again=False) if place else one)
    return found


def digest(function: Function) -> str:
    """A digest of the file that a function stands in, by which one knows whether it is still the same.

    Raises `UnknownPlayer` for a function that no module has, so that another process would not find it again.
    """
    module = sys.modules.get(function.text.partition(":")[0]) if function.found_again else None
    try:
        text = Path(inspect.getfile(module)).read_bytes() if module is not None else b""
    except (OSError, TypeError):
        text = b""
    if not text:
        raise UnknownPlayer(f"a store cannot identify {function} in another session, so it cannot keep its games: "
                            "put it into a module, or leave the store out")  # fmt: skip
    return hashlib.sha256(text).hexdigest()[:16]
