"""Strategies of games with secrets, and their files: for all that a player may know, how likely each move is.

    {"strategy": 1, "game": "kuhn_poker", "options": {}, "rules": "5df0f1f8e2a7c1d3", "method": "cfr",
     "iterations": 1024, "worth": {"Ann": -0.0556, "Bob": 0.0556}, "exploitability": 8.7e-05, "sets": 12}
    ["Ann", "  holder = ?\\nAnn: a card\\n  holder(Jack) = Ann\\nAnn: a card", {"check": 0.8, "bet": 0.2}]

Each line is JSON.  The first names the game and what is known of the strategy; `rules` is the digest of rules and
options, `exploitability` null where it is not known.  Each other line is an information set: its player, what that
player knows, as `Position.information` gives it, and the probability of each legal move.  A file is data alone.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from pysolve.game import Game
from pysolve.players.files import named_file

FORMAT = 1
MOST_SETS = 10_000_000
MOST_MOVES = 100_000  # of an information set
LONGEST = 1 << 20  # characters of a line
LARGEST = 1 << 30  # characters of a file
CLOSE = 1e-6  # to 1 are probabilities that add up to it

Moves = dict[str, float]  # the probability of each move, by its text


class StrategyError(ValueError):
    """A text is not a strategy, or is one for other rules."""


@dataclass(frozen=True, slots=True)
class Strategy:
    """How all players of a game play, by what they know."""

    game: str  # what `load` takes: a shipped name or the path of a rules file
    options: dict[str, str]
    rules: str  # digest of rules and options
    method: str
    iterations: int
    worth: dict[str, float] | None = None  # the expected payoff of each player; None where it is not known
    exploitability: float | None = None  # see `pysolve.search.hidden.cfr.Equilibrium`
    sets: dict[tuple[str, str], Moves] = field(default_factory=dict, repr=False)  # by player and what he knows

    def check(self, game: Game) -> None:
        """Raises `StrategyError` if the strategy is for other rules, or for other options."""
        if game.model.digest != self.rules:
            raise StrategyError(
                f"the strategy is for other rules than those of {game.title}: for {self.game}"
                f"{''.join(f' {name}={value}' for name, value in self.options.items())} with the digest {self.rules}, "
                f"and these have {game.model.digest}; solve the game again, and save it with -o"
            )


def write(strategy: Strategy) -> Iterator[str]:
    """The lines of a strategy as text, each with its end, which `read` parses."""
    head = {"strategy": FORMAT, "game": strategy.game, "options": strategy.options, "rules": strategy.rules,
            "method": strategy.method, "iterations": strategy.iterations, "worth": strategy.worth,
            "exploitability": strategy.exploitability, "sets": len(strategy.sets)}  # fmt: skip
    yield f"{json.dumps(head, ensure_ascii=False)}\n"
    for (player, known), moves in strategy.sets.items():
        yield f"{json.dumps([player, known, moves], ensure_ascii=False)}\n"


def read(lines: Iterable[str]) -> Strategy:
    """The strategy that lines hold; raises `StrategyError` with the line that is wrong."""
    strategy, wanted, size = None, 0, 0
    for number, line in enumerate(lines, 1):
        try:
            if len(line) > LONGEST:
                raise StrategyError("it is too long")
            size += len(line)
            if size > LARGEST:
                raise StrategyError(f"a strategy has at most {LARGEST:,} characters")
            found = json.loads(line)
            if strategy is None:
                strategy, wanted = _head(found)
                continue
            if len(strategy.sets) == wanted:
                raise StrategyError(f"there are more than {wanted:,} information sets")
            key, moves = _row(found)
            if key in strategy.sets:
                raise StrategyError("this information set was there before")
            strategy.sets[key] = moves
        except StrategyError as error:
            raise StrategyError(f"line {number}: {error}") from None
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
            what = "an information set" if strategy else "the beginning of a strategy"
            raise StrategyError(f"line {number} is not {what}") from None
    if strategy is None or len(strategy.sets) < wanted:
        raise StrategyError("this is not a complete strategy: its end is missing")
    return strategy


def _head(found: Any) -> tuple[Strategy, int]:
    if found["strategy"] != FORMAT:
        raise StrategyError(f"this pysolve reads strategies of format {FORMAT}")
    texts = [found["game"], found["rules"], found["method"], *found["options"].values()]
    worth, gain, sets = found["worth"], found["exploitability"], found["sets"]
    numbers = [*(() if worth is None else worth.values()), *(() if gain is None else (gain,))]
    if not all(isinstance(text, str) for text in texts) or not all(map(_is_number, numbers)):
        raise TypeError
    if type(sets) is not int or type(found["iterations"]) is not int or not 0 <= sets <= MOST_SETS:
        raise TypeError
    head = *texts[:2], found["method"], found["iterations"], worth, gain
    return Strategy(head[0], dict(found["options"]), *head[1:]), sets


def _row(found: Any) -> tuple[tuple[str, str], Moves]:
    player, known, moves = found
    if not isinstance(player, str) or not isinstance(known, str) or not isinstance(moves, dict):
        raise TypeError
    if not 1 <= len(moves) <= MOST_MOVES or not all(_is_number(one) and one >= 0 for one in moves.values()):
        raise TypeError
    if abs(sum(moves.values()) - 1) > CLOSE:
        raise StrategyError("the probabilities of the moves do not add up to 1")
    return (player, known), moves


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def strategy_in(name: str, game: Game) -> Strategy:
    """The strategy in a file, in the current folder or beside the rules of a game; raises `StrategyError`."""
    path = named_file(name, game)
    try:
        with path.open(encoding="utf-8") as file:
            strategy = read(_lines(file))
        strategy.check(game)
    except OSError as error:
        raise StrategyError(f"{name}: {error.strerror or error}") from None
    except UnicodeDecodeError:
        raise StrategyError(f"{name} is not a strategy: it is not UTF-8 text") from None
    except StrategyError as error:
        raise StrategyError(f"{name}: {error}") from None
    return strategy


def _lines(file: Any) -> Iterator[str]:
    """The lines of a file; of one that is too long no more than is needed to see that."""
    while line := file.readline(LONGEST + 1):
        yield line
