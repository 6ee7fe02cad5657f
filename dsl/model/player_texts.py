"""The texts that name players, as `minimax:depth=3`: on a command line, and as levels in rules.

In: such a text.  Out: the name and its settings, read; or `UnknownPlayer`, which says what can be said instead.  What
the players do stands in `pysolve.players`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from pysolve.dsl.errors import choices, nearest
from pysolve.dsl.model import Game

PERSON = "human"
DEEPEST = 128  # moves that a search looks ahead at most
MOST_THREADS = 256  # that search together
MOST_COUNT = 10**12  # positions, or random games, that a move may take
MOST_STATES = 2**32 - 2  # positions of a solved game
MOST_AMOUNT = 10**6  # seconds, and weights: less than this
PLAYOUT, EVALUATE = "playout", "evaluate"  # how mcts values a leaf of its tree
MEAN, MAX = "mean", "max"  # how mcts backs values up
CAPTURES = "captures"  # moves of whatever kind after which the opponent has fewer pieces on the board
FIRST, LAST, TOP, BOTTOM, LOT = "first", "last", "top", "bottom", "random"  # which of equal moves is played
LOSES = "loses"  # what is assumed of an opponent who can only pass
MOST_REPLIES = 64  # turns that a greedy player looks ahead


class UnknownPlayer(ValueError):
    """A text does not name a player."""


class Setting(NamedTuple):
    """A setting of a player: a reader of its value and a description of valid ones; a setting without a value is a
    flag."""

    read: Callable[[str], Any]
    takes: str


def count_to(most: int) -> Setting:
    """A whole number from 1."""

    def read(text: str) -> int:
        number = int(text)
        if not 1 <= number <= most:
            raise ValueError
        return number

    return Setting(read, f"an integer from 1 to {most:,}")


def _amount(text: str) -> float:
    number = float(text)
    if not 0 < number < MOST_AMOUNT:
        raise ValueError
    return number


def _weight(text: str) -> float:
    return 0.0 if text == "0" else _amount(text)


def _names(text: str) -> tuple[str, ...]:
    names = tuple(text.split("+"))
    if not all(names):
        raise ValueError
    return names


def _one_of(*words: str) -> Setting:
    def read(text: str) -> str:
        if text not in words:
            raise ValueError
        return text

    return Setting(read, " or ".join(words))


def _words(text: str) -> str:
    if not text:
        raise ValueError
    return text


_BY = Setting(_words, "a game or a rules file")  # by whose `evaluate` block one plays
_TERMS = Setting(_names, "lines of the evaluate block, as in men or men+mobility")  # for which one plays, alone
_ONE_SIDED = Setting(_names, _TERMS.takes)  # that count for this player, and are not subtracted for the opponent
_TIES = _one_of(FIRST, LAST, TOP, BOTTOM, LOT)
SECONDS = Setting(_amount, f"seconds, as in 0.5, below {MOST_AMOUNT:,}")
SETTINGS: dict[str, dict[str, Setting]] = {
    PERSON: {},
    "random": {},
    "greedy": {
        "turn": Setting(str, ""),
        "replies": count_to(MOST_REPLIES),
        "ties": _TIES,
        "onesided": _ONE_SIDED,
        "terms": _TERMS,
        "by": _BY,
    },
    "minimax": {
        "depth": count_to(DEEPEST),
        "time": SECONDS,
        "nodes": count_to(MOST_COUNT),
        "turns": count_to(DEEPEST),
        "quiet": Setting(_names, f"kinds of moves, or {CAPTURES}, as in jump or {CAPTURES}+promote"),
        "onward": Setting(str, ""),
        "ties": _TIES,
        "stuck": _one_of(LOSES),
        "onesided": _ONE_SIDED,
        "terms": _TERMS,
        "by": _BY,
        "threads": count_to(MOST_THREADS),
    },
    "maxn": {
        "depth": count_to(DEEPEST),
        "time": SECONDS,
        "nodes": count_to(MOST_COUNT),
        "turns": count_to(DEEPEST),
        "ties": _TIES,
        "terms": _TERMS,
        "by": _BY,
    },
    "mcts": {
        "playouts": count_to(MOST_COUNT),
        "nodes": count_to(MOST_COUNT),
        "time": SECONDS,
        "leaf": _one_of(PLAYOUT, EVALUATE),
        "explore": Setting(_amount, f"a number above 0 and below {MOST_AMOUNT:,}"),
        "bias": Setting(_weight, f"a number from 0, below {MOST_AMOUNT:,}"),
        "backup": _one_of(MEAN, MAX),
        "terms": _TERMS,
        "by": _BY,
    },
    "solver": {"states": count_to(MOST_STATES)},
}
PLAYERS = tuple(SETTINGS)
PROGRAMS = ("uci", "ugi", "gtp")  # what other programs speak, who play where a text like  uci:stockfish  names them


def names_program(text: str) -> bool:
    """True of a text that would start another program: no player of these rules, but one of `pysolve.outside`."""
    name, colon, _ = text.strip().partition(":")
    return bool(colon) and name.strip() in PROGRAMS


def read_player(text: str, levels: tuple[str, ...] = ()) -> tuple[str, dict[str, Any]]:
    """Name and settings of a player; `levels` are other names that could have stood there."""
    name, colon, rest = text.strip().partition(":")
    if names_program(text):
        who = "only a command line or a script may do so, no rules, record or page"
        raise UnknownPlayer(f"{text.strip()} would start a program: {who}")
    if name not in SETTINGS:
        hint = nearest(name, (*PLAYERS, *levels))
        raise UnknownPlayer(f'there is no player "{name}": {f"{hint} " if hint else ""}{known_players(levels)}')
    known, settings = SETTINGS[name], dict[str, Any]()
    for word in rest.split(",") if colon else ():
        key, equals, value = (part.strip() for part in word.partition("="))
        if key not in known:
            raise UnknownPlayer(f'{name} has no setting "{key}": {_form(name)}')
        setting = known[key]
        if key in settings:
            raise UnknownPlayer(f"{key} of {name} is set twice")
        if bool(equals) != bool(setting.takes):
            form = f"{key}=…, {setting.takes}" if setting.takes else key
            raise UnknownPlayer(f"{key} of {name} is written  {form}")
        try:
            settings[key] = setting.read(value)
        except ValueError:
            raise UnknownPlayer(f'{key} of {name} cannot be "{value}": it must be {setting.takes}') from None
    if "depth" in settings and "turns" in settings:
        raise UnknownPlayer(f"{name} counts moves or turns: depth and turns cannot both be set")
    if "threads" in settings and "time" not in settings:
        raise UnknownPlayer(f"threads of {name} need a time: with another limit its moves must be reproducible")
    if "threads" in settings and "ties" in settings:
        raise UnknownPlayer(f"ties of {name} need one thread: several threads find equal moves in any order")
    if "terms" in settings and (unused := set(settings.get("onesided", ())) - set(settings["terms"])):
        raise UnknownPlayer(f"onesided of {name} names {min(unused)}, which is not among its terms")
    return name, settings


class Quiet(NamedTuple):
    """The moves that `quiet` names: the numbers of their kinds; and those that capture, of whatever kind?"""

    kinds: tuple[int, ...] = ()
    captures: bool = False


def quiet_moves(names: Sequence[str], game: Game) -> Quiet:
    """The moves that `quiet` names in a game; raises `UnknownPlayer`.  A kind that is called captures is that kind."""
    known = [action.name for action in game.actions]
    for name in names:
        if name == CAPTURES and not game.men and name not in known:
            unknown = (
                f"{game.title} has no state variable that holds a player for each cell, so {CAPTURES} is undefined"
            )
            raise UnknownPlayer(f"quiet of minimax: {unknown}: name kinds of moves, {', '.join(known)}")
        if name != CAPTURES and name not in known:
            hint = " ".join(filter(None, (nearest(name, known), f"it has {', '.join(known)}")))
            raise UnknownPlayer(f'quiet of minimax: {game.title} has no kind of move "{name}": {hint}')
    kinds = {known.index(name) for name in names if name in known}
    return Quiet(tuple(sorted(kinds)), CAPTURES in names and CAPTURES not in known)


def check_terms(names: Sequence[str], game: Game) -> None:
    """Raises `UnknownPlayer` if `terms` names a line that the `evaluate` block of a game does not have."""
    known = [term.name for term in game.terms]
    for name in names:
        if name not in known:
            has = f"it has {', '.join(known)}" if known else "it has no evaluate block"
            hint = " ".join(filter(None, (nearest(name, known), has)))
            raise UnknownPlayer(f'{game.title} has no line "{name}" in evaluate: {hint}')


def check_player(name: str, settings: Mapping[str, Any], game: Game) -> None:
    """Raises `UnknownPlayer` if a player does not apply to a game, or his settings name what it does not have.

    Those of other rules are not seen.
    """
    _check_seats(name, settings, game)
    quiet_moves(settings.get("quiet", ()), game)
    if "by" not in settings:
        check_terms((*settings.get("terms", ()), *settings.get("onesided", ())), game)
    if "stuck" in settings and game.stuck is not None:
        raise UnknownPlayer(f"stuck of minimax: in {game.title} no player has to pass: stuck ends the game")


_TURNS = ("turn", "turns", "replies")  # settings that count turns
_OF_TWO = ("stuck", "onesided")  # settings that speak of the one opponent


def _check_seats(name: str, settings: Mapping[str, Any], game: Game) -> None:
    """Raises `UnknownPlayer` if a player, or one of his settings, does not apply to so many players."""
    players = len(game.players.labels)
    several = "one player" if players == 1 else f"{players} players"
    if name == "solver" and players > 2:
        raise UnknownPlayer(
            f"solver is for two players at most, for whom best play is defined: {game.title} has {several}"
        )
    for key in _TURNS if players == 1 else ():
        if key in settings:
            raise UnknownPlayer(f"{key} of {name}: {game.title} has one player, whose turn never ends")
    for key in _OF_TWO if players != 2 else ():
        if key in settings:
            raise UnknownPlayer(f"{key} of {name} speaks of one opponent: {game.title} has {several}")


def known_players(levels: tuple[str, ...] = (), people: bool = True) -> str:
    """A sentence that lists the players."""
    names = PLAYERS if people else tuple(name for name in PLAYERS if name != PERSON)
    return f"players are {', '.join(names)}" + (f"; levels of this game are {', '.join(levels)}" if levels else "")


def _form(name: str) -> str:
    """The form of a player text with its settings, as messages show it."""
    words = [f"{key}=…" if setting.takes else key for key, setting in SETTINGS[name].items()]
    return f"it has {choices(words, len(words))}" if words else f"it is written  {name}"
