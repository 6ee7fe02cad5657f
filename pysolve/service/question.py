"""A question that is being answered: what those who answer it need."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from pysolve.service.games import Games, Opened
from pysolve.service.refused import Refused

Heard = Callable[[object], None]
Cancelled = Callable[[], bool]


@dataclass(frozen=True, slots=True)
class Asked:
    """A checked question, with a callback for parts of the answer and a test for cancellation."""

    games: Games
    given: Mapping[str, Any]
    heard: Heard = lambda part: None
    cancelled: Cancelled = lambda: False

    def __getitem__(self, name: str) -> Any:
        return self.given[name]

    def get(self, name: str, otherwise: Any = None) -> Any:
        """A value that may have been left out."""
        return self.given.get(name, otherwise)

    @property
    def opened(self) -> Opened:
        """The game that the question names."""
        return self.games.opened(self["game"])

    def go_on(self) -> None:
        """Raises `Refused` if nobody waits any more."""
        if self.cancelled():
            raise Refused("cancelled", "the question was cancelled")
