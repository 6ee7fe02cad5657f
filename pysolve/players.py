"""Players: a player is a function that chooses.

In: a position whose game goes on.  Out: one of its legal moves.  A player is named by a text, for every game:

    human                       a person; that one is asked in `pysolve.cli`
    random                      all legal moves are equal
    greedy                      the `evaluate` block, one move ahead; greedy:turn looks one whole turn ahead
    minimax:depth=3             alpha-beta; also time=2 (seconds a move), nodes=100000 (positions a move)
    mcts:playouts=2000          UCT; also time=1, leaf=evaluate, explore=1.4

What leaves something to chance draws it from the seed, so the same seed makes the same moves, except where time is the
limit.  In a turn of several moves a player is asked for each of them.
"""

from __future__ import annotations

import random as chances
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from dsl.errors import choices, nearest
from pysolve.engine import Move as Numbers
from pysolve.engine import State
from pysolve.position import Move, Position
from pysolve.search import greedy as looking
from pysolve.search.mcts import EVALUATE, EXPLORE, PLAYOUT, mcts
from pysolve.search.minimax import DEEPEST, minimax
from pysolve.search.minimax import ENTRIES as MOST
from pysolve.search.past import Past

Player = Callable[[Position], Move]
PERSON = "human"
DEPTH = 3  # of minimax, where nothing limits it
PLAYOUTS = 1000  # of mcts, likewise
ENTRIES = 1 << 16  # positions that the table of a move's search holds, unless it has time for more


class UnknownPlayer(ValueError):
    """A text that names no player."""


# ------------------------------------------------------------------------------------ what can be said


class _Setting(NamedTuple):
    """How a setting is read, and what it takes in words."""

    read: Callable[[str], Any]
    takes: str


def _count(text: str) -> int:
    number = int(text)
    if number < 1:
        raise ValueError
    return number


def _depth(text: str) -> int:
    number = _count(text)
    if number > DEEPEST:
        raise ValueError
    return number


def _amount(text: str) -> float:
    number = float(text)
    if not 0 < number < 1e6:
        raise ValueError
    return number


def _leaf(text: str) -> str:
    if text not in (PLAYOUT, EVALUATE):
        raise ValueError
    return text


_NUMBER = "a whole number from 1"
_SECONDS = _Setting(_amount, "seconds, as in 0.5")
_SETTINGS: dict[str, dict[str, _Setting]] = {
    PERSON: {},
    "random": {},
    "greedy": {"turn": _Setting(str, "")},  # takes nothing: it is there or not
    "minimax": {
        "depth": _Setting(_depth, f"{_NUMBER} to {DEEPEST}"),
        "time": _SECONDS,
        "nodes": _Setting(_count, _NUMBER),
    },
    "mcts": {
        "playouts": _Setting(_count, _NUMBER),
        "time": _SECONDS,
        "leaf": _Setting(_leaf, f"{PLAYOUT} or {EVALUATE}"),
        "explore": _Setting(_amount, "a number above 0"),
    },
}
NAMES = tuple(_SETTINGS)


@dataclass(frozen=True, slots=True)
class Specification:
    """A player as a text names it."""

    text: str
    name: str
    settings: Mapping[str, Any] = field(default_factory=dict, hash=False)

    @property
    def is_person(self) -> bool:
        return self.name == PERSON

    @property
    def repeatable(self) -> bool:
        """True if the same seed always makes the same moves."""
        return not self.is_person and "time" not in self.settings

    def player(self, seed: int | None = None) -> Player:
        """The player, who draws lots from the seed; raises `UnknownPlayer` for a person, who has to be asked."""
        if self.is_person:
            raise UnknownPlayer(f"{PERSON} is a person, and nobody is here to be asked; {_known(NAMES[1:])}")
        return _MADE[self.name](seed, self.settings)

    def __str__(self) -> str:
        return self.text


def specification(text: str) -> Specification:
    """The player that a text names; raises `UnknownPlayer` with what can be said instead."""
    name, colon, rest = text.strip().partition(":")
    if name not in _SETTINGS:
        hint = nearest(name, NAMES)
        raise UnknownPlayer(f'there is no player "{name}": {f"{hint} " if hint else ""}{_known(NAMES)}')
    known, settings = _SETTINGS[name], dict[str, Any]()
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
            raise UnknownPlayer(f'{key} of {name} cannot be "{value}": it is {setting.takes}') from None
    return Specification(text.strip(), name, settings)


def player(text: str, seed: int | None = None) -> Player:
    """The player that a text names, as in ``player("minimax:depth=3")``; raises `UnknownPlayer`."""
    return specification(text).player(seed)


def _known(names: tuple[str, ...]) -> str:
    return f"players are {', '.join(names)}"


def _form(name: str) -> str:
    """How a player is written."""
    words = [f"{key}=…" if setting.takes else key for key, setting in _SETTINGS[name].items()]
    return f"it has {choices(words)}" if words else f"it is written  {name}"


# ------------------------------------------------------------------------------------------- players


def random(seed: int | None = None) -> Player:
    """A player to whom all legal moves are equal; the same seed makes the same choices."""
    rng = chances.Random(seed)
    return lambda position: position.legal_moves.sample(rng)


def greedy(seed: int | None = None) -> Player:
    """The move after which the `evaluate` block says most; of equal moves one by lot."""
    rng = chances.Random(seed)

    def choose(position: Position) -> Move:
        values = looking.values(position.game.engine, position.state, _past(position))
        best = [index for index, value in enumerate(values) if value == max(values)]
        return _numbered(position, rng.choice(best))

    return choose


def greedy_turn(seed: int | None = None) -> Player:
    """The turn after which the `evaluate` block says most, move by move; of equal ends of it one by lot."""
    rng = chances.Random(seed)
    plan: dict[State, Numbers] = {}  # what is left of the turn

    def choose(position: Position) -> Move:
        engine, state = position.game.engine, position.state
        if state not in plan:
            ends = looking.best_turn_positions(engine, state, _past(position))
            plan.clear()
            plan.update(looking.way(engine, state, rng.choice(ends)))
        return _chosen(position, plan[state])

    return choose


def searching(depth: int | None = None, seconds: float | None = None, nodes: int | None = None) -> Player:
    """Minimax, as deep as the limits allow; `DEPTH` where there is none."""
    if depth is None and seconds is None and nodes is None:
        depth = DEPTH
    entries = MOST if seconds is not None or (nodes or 0) > MOST else ENTRIES

    def choose(position: Position) -> Move:
        if len(position.legal_moves) == 1:
            return _numbered(position, 0)
        engine, state = position.game.engine, position.state
        found = minimax(engine, state, depth, nodes, seconds, entries=entries, interruptible=False)
        assert found.best is not None
        return _chosen(position, found.best)

    return choose


def sampling(
    seed: int | None = None,
    visits: int | None = None,
    seconds: float | None = None,
    leaf: str = PLAYOUT,
    explore: float = EXPLORE,
) -> Player:
    """Monte Carlo tree search, with so many visits or so long a move; `PLAYOUTS` visits where nothing is said."""
    if visits is None and seconds is None:
        visits = PLAYOUTS
    rng = chances.Random(seed)

    def choose(position: Position) -> Move:
        lots = rng.getrandbits(32)  # drawn for each move, so that what was forced changes nothing
        if len(position.legal_moves) == 1:
            return _numbered(position, 0)
        engine, state = position.game.engine, position.state
        found = mcts(engine, state, visits, seconds, lots, leaf, explore, _past(position))
        assert found.best is not None
        return _chosen(position, found.best)

    return choose


_MADE: dict[str, Callable[[int | None, Mapping[str, Any]], Player]] = {
    "random": lambda seed, _: random(seed),
    "greedy": lambda seed, told: greedy_turn(seed) if "turn" in told else greedy(seed),
    "minimax": lambda _, told: searching(told.get("depth"), told.get("time"), told.get("nodes")),
    "mcts": lambda seed, told: sampling(
        seed, told.get("playouts"), told.get("time"), told.get("leaf", PLAYOUT), told.get("explore", EXPLORE)
    ),
}


def _past(position: Position) -> Past:
    return Past(position.turns_played, position.seen)


def _numbered(position: Position, index: int) -> Move:
    found: Move = position.legal_moves[index]
    return found


def _chosen(position: Position, numbers: Numbers) -> Move:
    return _numbered(position, position.node.moves.index(numbers))
