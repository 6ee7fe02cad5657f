"""The tables at which games with secrets are played: how each game stands, which no page is told.

In: a game and who sits where.  Out: a random word, by which a page names the table; the truth, for those who answer.
What was not used for longest is forgotten.
"""

from __future__ import annotations

import secrets
from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from pysolve.runtime.wire import MOST_TABLES
from pysolve.service.door import LARGEST_SEED
from pysolve.service.refused import Refused

WORD = 16  # random bytes in the name of a table


def random_word() -> str:
    """A name that nobody guesses."""
    return secrets.token_urlsafe(WORD)


def random_seed() -> int:
    """A seed that nobody guesses."""
    return secrets.randbelow(LARGEST_SEED) + 1


@dataclass(frozen=True, slots=True)
class Truth:
    """A game in progress, as it is."""

    game: str  # the id of its rules and options
    seed: int
    seats: Mapping[str, str]  # the text of the player who sits there; "" is a person
    moves: tuple[str, ...] = ()
    viewer: str | None = None  # the person who looks at the screen

    @property
    def people(self) -> list[str]:
        """The players that are people."""
        return [player for player, who in self.seats.items() if not who]

    @property
    def line(self) -> dict[str, Any]:
        """The line with all moves."""
        return {"seed": self.seed, "start": "", "moves": list(self.moves)}

    def to_dict(self) -> dict[str, Any]:
        """The truth as JSON."""
        return {"game": self.game, "seed": self.seed, "seats": dict(self.seats), "moves": list(self.moves),
                "viewer": self.viewer}  # fmt: skip

    @classmethod
    def from_dict(cls, told: Mapping[str, Any]) -> Truth:
        """The truth that `to_dict` has told."""
        return cls(**{**told, "moves": tuple(told["moves"])})


@dataclass
class Tables:
    """The tables that were used last."""

    words: Callable[[], str] = random_word
    seeds: Callable[[], int] = random_seed
    _kept: OrderedDict[str, Truth] = field(default_factory=OrderedDict)

    def laid(self, game: str, seats: Mapping[str, str]) -> str:
        """A new table; its name."""
        name = self.words()
        truth = Truth(game, self.seeds(), seats)
        self.keep(name, replace(truth, viewer=truth.people[0] if len(truth.people) == 1 else None))
        return name

    def keep(self, name: str, truth: Truth) -> None:
        """Keeps how a game stands now."""
        self._kept[name] = truth
        self._kept.move_to_end(name)
        while len(self._kept) > MOST_TABLES:
            self._kept.popitem(last=False)

    def drop(self, name: str) -> None:
        """Forgets a table."""
        self._kept.pop(name, None)

    def of(self, name: str, game: str) -> Truth:
        """The game at a table; raises `Refused` if it is not there, or is played by other rules."""
        truth = self._kept.get(name)
        if truth is None:
            raise Refused("asked", "this game with secrets is not kept any more: begin another one")
        if truth.game != game:
            raise Refused("asked", "this game was begun with other rules: begin another one")
        return truth

    def items(self) -> Iterator[tuple[str, Truth]]:
        """All tables by their names."""
        yield from self._kept.items()
