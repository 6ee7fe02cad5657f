"""The options of `pysolve engine`: what an interface may set.

In: lines `setoption`.  Out: how many lines of play are shown, the size of the table, the number of threads, a level,
which search.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from pysolve.dsl.errors import nearest
from pysolve.dsl.player_texts import MOST_THREADS
from pysolve.game import Game
from pysolve.players.best_lines import SEARCHES
from pysolve.players.functions import Player, player
from pysolve.search.minimax import SearchingEngine, entries_within, most_entries, table_bytes
from pysolve.search.strong import has_strong

MEBIBYTE = 1 << 20
MOST_LINES = 500
MOST_HASH = 1 << 16  # mebibytes
SEARCH = "none"  # no level: the search plays
BY_LIMITS = "auto"  # which search plays: the one that suits the limits
SEED = 1  # of the lots that a level draws; they go on from game to game


@dataclass(frozen=True, slots=True)
class _Spin:
    """A whole number."""

    low: int
    high: int
    default: int

    def __str__(self) -> str:
        return f"type spin default {self.default} min {self.low} max {self.high}"

    def read(self, text: str) -> int:
        """The number that a text means; raises `ValueError`."""
        if not (text.isdecimal() and len(text) < 10 and self.low <= int(text) <= self.high):
            raise ValueError(f"a whole number from {self.low} to {self.high}")
        return int(text)


@dataclass(frozen=True, slots=True)
class _Check:
    """Yes or no."""

    default: bool

    def __str__(self) -> str:
        return f"type check default {str(self.default).lower()}"

    def read(self, text: str) -> bool:
        """The value of an option from text; raises `ValueError`."""
        if text.lower() not in ("true", "false"):
            raise ValueError("true or false")
        return text.lower() == "true"


@dataclass(frozen=True, slots=True)
class _Combo:
    """One of some words; the first is the default."""

    words: tuple[str, ...]

    def __str__(self) -> str:
        return f"type combo default {self.words[0]}{''.join(f' var {word}' for word in self.words)}"

    def read(self, text: str) -> str:
        """The word that a text means; raises `ValueError`."""
        found = next((word for word in self.words if word.lower() == text.lower()), None)
        if found is None:
            raise ValueError(f"one of {', '.join(self.words)}")
        return found


@dataclass(frozen=True, slots=True)
class Settings:
    """The values of the engine options that a search uses."""

    lines: int = 1  # of play that are shown
    entries: int | None = None  # positions in the table; None for as many as a search has by itself
    threads: int = 1
    ponder: bool = False  # does the interface want to know the answer that is expected?
    level: Player | None = None  # who plays, whatever limits there are; None for the search
    search: str | None = None  # which one; None for the one that suits the limits


class Options:
    """The engine options with their present values."""

    def __init__(self, game: Game, say: Callable[[str], None]):
        self._game, self._say = game, say
        self.now = Settings()
        megabytes = -(-table_bytes(game.engine, most_entries(game.model)) // MEBIBYTE)
        self._kinds: dict[str, _Spin | _Check | _Combo] = {
            "MultiPV": _Spin(1, MOST_LINES, 1), "Hash": _Spin(1, MOST_HASH, megabytes),
            "Threads": _Spin(1, MOST_THREADS, 1), "Ponder": _Check(False), "Level": _Combo((SEARCH, *game.levels)),
        }  # fmt: skip
        if has_strong(game.engine):
            self._kinds["Search"] = _Combo((BY_LIMITS, *SEARCHES))

    def introduced(self) -> Iterator[str]:
        """A line for each option."""
        return (f"option name {name} {kind}" for name, kind in self._kinds.items())

    def set(self, words: Sequence[str]) -> None:
        """setoption name … value …; raises `ValueError` for an option or a value that there is not."""
        at = words.index("value") if "value" in words else len(words)
        if list(words[:1]) != ["name"] or at < 2 or at == len(words):
            raise ValueError("an option is set by  setoption name NAME value VALUE")
        asked, value = " ".join(words[1:at]), " ".join(words[at + 1 :])
        name = next((one for one in self._kinds if one.lower() == asked.lower()), None)
        if name is None:
            hint = nearest(asked, self._kinds) or f"options are {', '.join(self._kinds)}"
            raise ValueError(f'there is no option "{asked}": {hint}')
        try:
            self._carry_out(name, self._kinds[name].read(value))
        except ValueError as error:
            raise ValueError(f'{name} must be {error}, not "{value}"') from None

    def _carry_out(self, name: str, value: int | str) -> None:
        if name == "Search":
            self.now = replace(self.now, search=None if value == BY_LIMITS else str(value))
        elif isinstance(value, str):
            self.now = replace(self.now, level=None if value == SEARCH else player(value, SEED, self._game.levels))
        elif name == "MultiPV":
            self.now = replace(self.now, lines=value)
        elif name == "Hash":
            self.now = replace(self.now, entries=entries_within(self._game.engine, value * MEBIBYTE))
        elif name == "Ponder":
            self.now = replace(self.now, ponder=bool(value))
        else:
            self.now = replace(self.now, threads=value)
            if value > 1 and not isinstance(self._game.engine, SearchingEngine):
                self._say("info string Threads has no effect on this engine: its search has one thread")
