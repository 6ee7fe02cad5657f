"""What several commands take: a game, its options, a position, moves.

In: words of the command line.  Out: a `Game`, a `Position`, the texts of moves.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from pysolve.cli.console import remark
from pysolve.cli.files import text_of
from pysolve.dsl import UnknownOption
from pysolve.dsl.notation import NotationError, readings
from pysolve.game import Game, find_source
from pysolve.notation.uci import is_chess, words_of
from pysolve.position import Move, Position


class EngineName(StrEnum):
    """Who answers for a game."""

    auto = "auto"
    native = "native"
    prolog = "prolog"


AUTO = EngineName.auto
GAME_HELP = "A shipped game (see: pysolve games), or the path of a rules file."

GameName = Annotated[str, typer.Argument(metavar="GAME", help=GAME_HELP, show_default=False)]
Options = Annotated[
    list[str] | None,
    typer.Argument(metavar="OPTION=VALUE", help="Options of the game, as in size=4.", show_default=False),
]
PositionText = Annotated[
    str | None,
    typer.Option(
        "--position", "-p", metavar="POSITION", show_default=False,
        help="A file with a diagram, a line or JSON; or the line or the JSON itself. In chess also FEN.",
    ),
]  # fmt: skip
Played = Annotated[
    str | None,
    typer.Option("--play", metavar="MOVES", help="Moves to play first, separated by commas.", show_default=False),
]
MOST = 1_000_000_000  # games, moves, positions, …: what can be asked for on the command line at most
LONGEST = 10_000_000.0  # seconds, some four months
LAST_SEED = (1 << 64) - 1

Seed = Annotated[
    int,
    typer.Option("--seed", metavar="NUMBER", min=0, max=LAST_SEED, help="Seed of a random setup."),
]

EngineChoice = Annotated[
    EngineName,
    typer.Option(
        "--engine", envvar="PYSOLVE_ENGINE",
        help="native: compiled C; prolog: clauses; auto: native if a C compiler is available.",
    ),
]  # fmt: skip
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]

_OPTION = re.compile(r"([A-Za-z]\w*)=(.*)", re.DOTALL)
_FEN = re.compile(r"\w+(/\w+)+ [wb]( [^\n]*)?")
_CELL = re.compile(r"[a-z]{1,2}\d+")


def opened(name: str, words: Sequence[str] | None, engine: str = AUTO, again: bool = False) -> Game:
    """The game of that name with options set by words like size=4.

    Mistakes in its examples are remarked, unless the same rules are opened `again`.
    """
    source, folders = find_source(name)
    game = Game.read(source, folders, options_of(words or ()), engine)
    if game.remark and not again:
        remark(game.remark)
    return game


def options_of(words: Sequence[str]) -> dict[str, str]:
    """Options from words like size=4."""
    found: dict[str, str] = {}
    for word in words:
        match = _OPTION.fullmatch(word)
        if match is None:
            raise UnknownOption(f'"{word}" is not an option: options are written  name=value')
        if match[1] in found:
            raise UnknownOption(f"option {match[1]} is set twice")
        found[match[1]] = match[2]
    return found


def split_options(words: Sequence[str]) -> tuple[list[str], list[str]]:
    """The leading words that set options, and the rest; a cell does not look like an option (e8=Q is a move)."""
    count = 0
    while count < len(words):
        match = _OPTION.fullmatch(words[count])
        if match is None or _CELL.fullmatch(match[1]):
            break
        count += 1
    return list(words[:count]), list(words[count:])


def opened_with(name: str, words: Sequence[str], engine: str = AUTO) -> tuple[Game, list[str]]:
    """The game with the options among the words, and the other words.

    Behind the first word that sets no option, only names of options of the game are taken for options.
    """
    settings, rest = split_options(words)
    game = opened(name, settings, engine)
    late = [word for word in rest if sets_option(game, word)]
    if late:
        game = opened(name, [*settings, *late], engine, again=True)
    return game, [word for word in rest if word not in late]


def is_setting(word: str) -> bool:
    """True if a word has the form of an option with a value."""
    return _OPTION.fullmatch(word) is not None


def sets_option(game: Game, word: str) -> bool:
    """True if a word sets an option that the game has."""
    match = _OPTION.fullmatch(word)
    return match is not None and match[1] in game.options


def position_of(game: Game, text: str | None, seed: int = 0) -> Position:
    """The position that a text or the file of that name describes; without one the initial position."""
    if text is None:
        return game.start(seed)
    if text == "-" or _is_file(text):
        return _read(game, text_of(text))
    try:
        return _read(game, text)
    except NotationError as error:
        if re.search(r"\.\w+$", text):
            raise FileNotFoundError(2, "this is neither a file nor a position", text) from None
        raise error


def _read(game: Game, text: str) -> Position:
    """A position in the forms of pysolve, and in chess in FEN."""
    if _FEN.fullmatch(text.strip()) and is_chess(game):
        return words_of(game).position(text.split())
    return game.position(text)


def played_from(position: Position, moves: str | None) -> tuple[Position, Move | None]:
    """The position after the moves of a text, and the last of them."""
    last = None
    for text in move_texts(position.game, [moves]) if moves else ():
        last = position.parse(text)
        position = position.play(last)
    return position, last


def move_texts(game: Game, words: Sequence[str]) -> list[str]:
    """The moves that the words name: one move of several words, or moves with commas between them, or one a word."""
    text = " ".join(words)
    if not text:
        raise NotationError("a move is missing")
    if "," in text and not readings(game.model, text):
        return [part.strip() for part in text.split(",") if part.strip()]
    if len(words) > 1 and not readings(game.model, text) and all(readings(game.model, word) for word in words):
        return list(words)
    return [text]


def _is_file(text: str) -> bool:
    try:
        return "\n" not in text and Path(text).is_file()
    except OSError:  # too long to be a name
        return False
