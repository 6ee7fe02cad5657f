"""The texts that name players, as `minimax:depth=3`: on a command line, and as levels in rules.

In: such a text.  Out: the name and its settings, read; or `UnknownPlayer`, which says what can be said instead.  What
the players do stands in `pysolve.players.functions`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from pysolve.dsl.errors import choices, nearest
from pysolve.dsl.language.constants import DEEPEST, EXCHANGED
from pysolve.dsl.model import Game

PERSON = "human"
MOST_THREADS = 256  # that search together
MOST_TREES = 16  # that grow at once: each takes memory of its own, a hundred megabytes when it is full
MOST_COUNT = 10**12  # positions, or random games, that a move may take
MOST_STATES = EXCHANGED - 1  # positions of a solved game
MOST_AMOUNT = 10**6  # seconds, and weights: less than this
MOST_PUCT = 1000  # the weight of a policy: less than this
PLAYOUT, EVALUATE = "playout", "evaluate"  # how mcts values a leaf of its tree
MEAN, MAX = "mean", "max"  # how mcts backs values up
CAPTURES = "captures"  # moves of whatever kind after which the opponent has fewer pieces on the board
FIRST, LAST, TOP, BOTTOM, LOT = "first", "last", "top", "bottom", "random"  # which of equal moves is played
PLAIN, STRONG = "plain", "strong"  # which search of minimax
LOSES = "loses"  # what is assumed of an opponent who can only pass
MOST_GUESSES = 1 << 20  # states that ismcts thinks possible at a time
MOST_REPLIES = 64  # turns that a greedy player looks ahead


class UnknownPlayer(ValueError):
    """A text does not name a player."""


class Setting(NamedTuple):
    """The values of a setting.  An exported page has these rows, too, and reads the values by itself."""

    kind: str  # flag (there is no value), count, amount (above 0), weight (from 0), word, names, text
    takes: str = ""  # valid values, in a message
    most: int = 0  # the largest count; less than this is an amount or a weight
    words: tuple[str, ...] = ()  # one of which is the word
    least: int = 1  # the smallest count

    def read(self, text: str) -> Any:
        """The value that a text stands for; raises `ValueError`."""
        value: Any = text
        if self.kind == "count":
            value = int(text)
            valid = self.least <= value <= self.most
        elif self.kind in ("amount", "weight"):
            value = float(text)
            valid = 0 < value < self.most or (value == 0 and self.kind == "weight")
        elif self.kind == "names":
            value = tuple(text.split("+"))
            valid = all(value)
        elif self.kind == "word":
            valid = text in self.words
        else:
            valid = text != "" or self.kind == "flag"
        if not valid:
            raise ValueError
        return value


def count_to(most: int, least: int = 1) -> Setting:
    """A whole number, from 1 or another one."""
    return Setting("count", f"an integer from {least} to {most:,}", most, least=least)


def _one_of(*words: str) -> Setting:
    return Setting("word", " or ".join(words), words=words)


_FLAG = Setting("flag")
_BY = Setting("text", "a game or a rules file")  # by whose `evaluate` block one plays
_TERMS = Setting("names", "lines of the evaluate block, as in men or men+mobility")  # for which one plays, alone
_ONE_SIDED = _TERMS  # that count for this player, and are not subtracted for the opponent
_VALUES = Setting("text", "a file that pysolve learn has written")  # by whose values one plays
_CHEAT = _one_of("on")  # in a game with secrets: the player looks at all of the position
_TIES = _one_of(FIRST, LAST, TOP, BOTTOM, LOT)
_WEIGHT = Setting("weight", f"a number from 0, below {MOST_AMOUNT:,}", MOST_AMOUNT)
SECONDS = Setting("amount", f"seconds, as in 0.5, below {MOST_AMOUNT:,}", MOST_AMOUNT)
SETTINGS: dict[str, dict[str, Setting]] = {
    PERSON: {},
    "random": {},
    "greedy": {
        "turn": _FLAG,
        "replies": count_to(MOST_REPLIES),
        "ties": _TIES,
        "onesided": _ONE_SIDED,
        "terms": _TERMS,
        "by": _BY,
        "values": _VALUES,
        "cheat": _CHEAT,
    },
    "minimax": {
        "depth": count_to(DEEPEST),
        "time": SECONDS,
        "nodes": count_to(MOST_COUNT),
        "turns": count_to(DEEPEST),
        "quiet": Setting("names", f"kinds of moves, or {CAPTURES}, as in jump or {CAPTURES}+promote"),
        "onward": _FLAG,
        "ties": _TIES,
        "stuck": _one_of(LOSES),
        "onesided": _ONE_SIDED,
        "terms": _TERMS,
        "by": _BY,
        "values": _VALUES,
        "cheat": _CHEAT,
        "threads": count_to(MOST_THREADS),
        "search": _one_of(PLAIN, STRONG),
        "techniques": Setting(
            "names", "techniques of search=strong with numbers, as in late0 or late0+wins1, or default"
        ),
    },
    "maxn": {
        "depth": count_to(DEEPEST),
        "time": SECONDS,
        "nodes": count_to(MOST_COUNT),
        "turns": count_to(DEEPEST),
        "ties": _TIES,
        "terms": _TERMS,
        "by": _BY,
        "cheat": _CHEAT,
    },
    "mcts": {
        "playouts": count_to(MOST_COUNT),
        "nodes": count_to(MOST_COUNT),
        "time": SECONDS,
        "turn": _FLAG,
        "leaf": _one_of(PLAYOUT, EVALUATE),
        "explore": _WEIGHT,
        "bias": _WEIGHT,
        "prior": count_to(MOST_AMOUNT, 0),
        "policy": Setting("text", "a file that pysolve policy has written"),
        "puct": Setting("weight", f"a number from 0, below {MOST_PUCT:,}", MOST_PUCT),
        "grave": count_to(MOST_AMOUNT, 0),
        "even": count_to(MOST_AMOUNT),
        "backup": _one_of(MEAN, MAX),
        "trees": count_to(MOST_TREES),
        "terms": _TERMS,
        "by": _BY,
        "values": _VALUES,
        "cheat": _CHEAT,
    },
    "solver": {"states": count_to(MOST_STATES), "cheat": _CHEAT},
    "ismcts": {
        "playouts": count_to(MOST_COUNT),
        "nodes": count_to(MOST_COUNT),
        "time": SECONDS,
        "explore": Setting("amount", f"a number above 0 and below {MOST_AMOUNT:,}", MOST_AMOUNT),
        "guesses": count_to(MOST_GUESSES),
    },
    "cfr": {"file": Setting("text", "a file that pysolve solve has written with -o")},
}
OF_SECRETS = ("ismcts", "cfr")  # players who go by what they know
FILES = ("by", "file", "policy", "values")  # settings that name a file
PLAYERS = tuple(SETTINGS)


class Rule(NamedTuple):
    """Two settings of a player that must, or must not, stand together."""

    key: str
    other: str
    together: bool
    message: str  # with {} for the name of the player


RULES = (
    Rule("depth", "turns", False, "{} counts moves or turns: depth and turns cannot both be set"),
    Rule("threads", "time", True, "threads of {} need a time: with another limit its moves must be reproducible"),
    Rule("threads", "ties", False, "ties of {} need one thread: several threads find equal moves in any order"),
    Rule("techniques", "search", True, "techniques of {} are those of search=strong, which must be set, too"),
    *(
        Rule("search", key, False, f"search of {{}} counts moves, and orders them itself: {key} cannot be set, too")
        for key in ("turns", "quiet", "ties")
    ),
    *(
        Rule("values", key, False, f"values of {{}} stand in the place of the evaluate block: {key} cannot be set, too")
        for key in ("terms", "onesided", "stuck")
    ),
    Rule("policy", "terms", False, "policy of {} was learned for the rules as they are: terms cannot be set, too"),
    Rule("puct", "policy", True, "puct of {} is the weight of a policy, which must be set, too"),
)
PROGRAMS = ("uci", "ugi", "gtp")  # what other programs speak, who play where a text like  uci:stockfish  names them


def names_program(text: str) -> bool:
    """True of a text that would start another program: one of `pysolve.players.outside`, not of these rules."""
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
    if name == "cfr" and not settings:
        raise UnknownPlayer("cfr plays a strategy from a file: write  cfr:file=…")
    for rule in RULES:
        if rule.key in settings and (rule.other in settings) != rule.together:
            raise UnknownPlayer(rule.message.format(name))
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
    check_seats(name, settings, game)
    if settings.get("search") == STRONG:
        refuse_strong(game)
    if "values" in settings:
        refuse_values(f"values of {name}", game)
    if "policy" in settings:
        refuse_values(f"policies of {name}", game)
    if name in OF_SECRETS and not game.secret:
        raise UnknownPlayer(f"{name} is for games with secrets: in {game.title} every player sees all; mcts plays it")
    if game.secret and "cheat" in SETTINGS[name] and "cheat" not in settings:
        raise UnknownPlayer(
            f"{name} looks at all of the position, and in {game.title} no player sees all: "
            f"{name}:cheat=on plays it all the same"
        )
    quiet_moves(settings.get("quiet", ()), game)
    if "by" not in settings:
        check_terms((*settings.get("terms", ()), *settings.get("onesided", ())), game)
    if "stuck" in settings and game.stuck is not None:
        raise UnknownPlayer(f"stuck of minimax: in {game.title} no player has to pass: stuck ends the game")


def refuse_strong(game: Game) -> None:
    """Raises `UnknownPlayer` if the strong search does not apply to a game."""
    if not game.is_contest:
        raise UnknownPlayer(
            f"search={STRONG} is for two players or more, without chance or payoffs: {game.title} needs {PLAIN}"
        )


def refuse_values(what: str, game: Game) -> None:
    """Raises `UnknownPlayer` if there can be no learned values of a game."""
    for wrong, why in (
        (len(game.players.labels) != 2, "games of two players"),
        (game.pays, "games that are won, lost or drawn"),
        (bool(game.chances), "games without chance"),
        (game.secret, "games without secrets"),
    ):
        if wrong:
            raise UnknownPlayer(f"{what} are learned for {why}: {game.title} is none")


_TURNS = ("turn", "turns", "replies")  # settings that speak of turns
_OF_TWO = ("stuck", "onesided")  # settings that speak of the one opponent


def check_seats(name: str, settings: Mapping[str, Any], game: Game) -> None:
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
