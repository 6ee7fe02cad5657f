"""What is asked where `pysolve play` is called without a game: which one, with which options, who plays.

In: lines that somebody types.  Out: words as they could stand on the command line.  An empty line leaves things as they
are; what cannot be understood is said and asked again; `quit` instead of a game, or no more lines, raises `Left`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple, TypeVar

from pysolve.authoring.tags import has_long_turns
from pysolve.cli.arguments import options_of
from pysolve.cli.console import console, in_columns, put, put_words
from pysolve.cli.keyboard import Left, line_of
from pysolve.dsl import RulesError, UnknownOption
from pysolve.dsl.model import OptionValue
from pysolve.dsl.player_texts import PERSON, UnknownPlayer, names_program
from pysolve.game import Game, UnknownGame, find_source, option_word
from pysolve.notation.record import beside
from pysolve.players.functions import specification
from pysolve.players.outside.player import outside
from pysolve.runtime.paths import shipped_games

T = TypeVar("T")

LISTED = 12  # values of an option that are listed one by one
PACE = 1.5  # seconds before a program's move, where a turn has several moves and somebody looks on
LEAVING = ("quit", "exit", "q")


class Choice(NamedTuple):
    """The game, the options and the players that somebody chose from the menu."""

    game: str
    options: list[str]  # as size=4
    seats: list[str]  # as Red=random
    pause: float | None = None  # seconds before a program's move
    recorded: Path | None = None  # a game to be watched instead


def default_pause(game: Game) -> float:
    """The seconds before a program's move if nobody says otherwise: time to see each move of a long turn."""
    return PACE if has_long_turns(game.model) else 0


def ask(engine: str, seated: bool = False, paced: bool = False, again: bool = False) -> Choice:
    """Asks for a game, its options and, unless they are `seated` already, who plays it; raises `Left`.

    If it is `paced`, the pause before a program's move is asked for, too.  After a game, when it asks `again`, it lists
    the games only on demand: the end of that game stays in sight.
    """
    if not again:
        _put_games()
    prompt = f"Game (a name, a number, or a file; {'Enter lists them; ' * again}quit leaves): "
    name, game = _asked(prompt, lambda text: _game(text, engine))
    recorded = beside(game)
    if recorded is not None and _asked("Enter: play; d: watch a recorded game: ", _wants_to_watch):
        return Choice(name, [], [], recorded=recorded)
    words: list[str] = []
    for option in game.model.options:
        prompt = f"{option.name} ({_values(option)}; Enter: {option_word(option, option.value)}): "
        word = _asked(prompt, lambda text, option=option: _option(name, option, text, engine))  # type: ignore[misc]
        words += [word] if word else []
    if seated:
        return Choice(name, words, [])
    put_words(console(), _known_players(game))
    seats = [
        _asked(f"{player} (Enter: {PERSON}): ", lambda text: player_asked_for(text or PERSON, game))
        for player in game.players
    ]
    pause = None
    if paced and set(seats) != {PERSON}:
        usual = default_pause(game)
        pause = _asked(f"Seconds before a program's move (Enter: {usual:g}): ", lambda text: _seconds(text, usual))
    return Choice(name, words, [f"{player}={who}" for player, who in zip(game.players, seats, strict=True)], pause)


def _wants_to_watch(text: str) -> bool:
    if text.lower() not in ("", "d"):
        raise UnknownOption(f'"{text}" is neither Enter nor d')
    return bool(text)


def _seconds(text: str, usual: float) -> float:
    if not re.fullmatch(r"(\d{1,4}([.,]\d{0,9})?)?", text):
        raise UnknownOption(f'"{text}" is not a number of seconds, as in 1.5')
    return float(text.replace(",", ".")) if text else usual


def _known_players(game: Game) -> str:
    """Who can play a game, in words: its levels first."""
    if len(game.players) == 1:
        return f"{', '.join(game.levels)}: the computer plays a solution; whoever plays may ask for a hint"
    search = "minimax" if game.model.terms else "mcts"
    return f"Opponents: {', '.join(game.levels)}; or random, or any player, as {search}:time=1"


def _asked(prompt: str, understood: Callable[[str], T]) -> T:
    """The answer to a question, which is asked until it is understood."""
    while True:
        try:
            return understood(line_of(prompt).strip())
        except (UnknownGame, UnknownOption, UnknownPlayer, RulesError, OSError) as error:
            put_words(console(), str(error), "red")


def _put_games() -> None:
    names = shipped_games()
    for line in in_columns([f"{number:>3}  {name}" for number, name in enumerate(names, 1)], console().width):
        put(line)


def _game(text: str, engine: str) -> tuple[str, Game]:
    names = shipped_games()
    if text.lower() in LEAVING:
        raise Left
    if text.isdigit() and 1 <= int(text) <= len(names):
        text = names[int(text) - 1]
    if not text:
        _put_games()
        raise UnknownGame(f"choose a game by its number from 1 to {len(names)}, its name, or a rules file")
    source, folders = find_source(text)
    return text, Game.read(source, folders, {}, engine)


def _option(name: str, option: OptionValue, text: str, engine: str) -> str:
    """An option as a word, or nothing where it stays as it is; the rules say whether they take it."""
    if not text:
        return ""
    word = f"{option.name}={text}"
    source, folders = find_source(name)
    Game.read(source, folders, options_of([word]), engine)
    return word


def _values(option: OptionValue) -> str:
    """The possible values of an option, in a few words."""
    values: Sequence[int] = option.choices
    if len(values) > LISTED:
        return f"{option_word(option, values[0])} to {option_word(option, values[-1])}"
    return ", ".join(option_word(option, value) for value in values)


def player_asked_for(text: str, game: Game) -> str:
    """A player by the words of whoever sits here, who may name other programs, too; raises `UnknownPlayer`."""
    who = outside(text) if names_program(text) else specification(text, game.levels)
    who.check(game)
    return str(who)
