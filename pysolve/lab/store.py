"""A store: games in one SQLite file, so that a long series can be interrupted and resumed.

In: the key of a series (command, rules, players, seeds).  Out: the stored games of that series; new ones are added as
soon as they are over.

One file holds any number of series.  The key of a series is everything that its games depend on: the game, its options,
the digest of its rules, the players, the seed, how games begin and are ended.  Each game is a record that can be
replayed, with its seeds and the version that played it.

A game is written in one transaction when it is over, in WAL mode: whenever the program is killed, a game is stored
whole or not at all; a number that is stored is not written again.  A file is checked before it is opened for writing:
one that is damaged stays as it is.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from pysolve.lab.database import Database, DatabaseError, Kind
from pysolve.lab.endings import ending_told
from pysolve.lab.games import Played, Rules, left_to_chance
from pysolve.notation import record as records
from pysolve.players.functions import specification

_KIND = Kind(
    name="store of games",
    rows="games",
    mark=0x70795356,  # pySV
    version=1,
    tables={
        "series": """(
    id INTEGER PRIMARY KEY,
    told TEXT NOT NULL UNIQUE     -- what the series is, as JSON
)""",
        "games": """(
    series INTEGER NOT NULL REFERENCES series,
    number INTEGER NOT NULL,      -- from 1
    record TEXT NOT NULL,         -- as pysolve replay reads it: players, rules, moves, result
    lots INTEGER NOT NULL,        -- the seed of setup and opening
    seed INTEGER NOT NULL,        -- that of the players
    played_by TEXT NOT NULL,      -- version and engine
    start BLOB NOT NULL,          -- the initial state
    details TEXT NOT NULL,        -- the rest, as JSON
    PRIMARY KEY (series, number)
) WITHOUT ROWID""",
    },
)

_TOLD = {"command": str, "game": str, "options": dict, "rules": str, "players": list, "seed": int, "by": dict}


class StoreError(DatabaseError):
    """A file is not a store, or a series or game is not in it."""


@dataclass(frozen=True, slots=True)
class Series:
    """The properties that all games of a series share."""

    command: str  # match, balance, tournament
    game: str  # its name in records
    options: dict[str, str]
    digest: str  # of rules and options
    players: tuple[str, ...]
    seed: int
    rules: Rules
    by: dict[str, str] = field(default_factory=dict)  # other rules, and functions, that players think by: their digests

    @property
    def told(self) -> str:
        """The key as text; equal series have the same text."""
        return json.dumps(self.to_dict())

    def to_dict(self) -> dict[str, Any]:
        """For programs."""
        opening, limit, adjudication = self.rules
        return {
            "command": self.command, "game": self.game, "options": self.options, "rules": self.digest,
            "players": list(self.players), "seed": self.seed, "opening": opening, "max_moves": limit,
            "adjudicate": None if adjudication is None else str(adjudication), "by": self.by,
        }  # fmt: skip

    def changed_since(self, told: dict[str, Any]) -> str:
        """The differences from another series with the same command, as text; empty if the command differs."""
        ours = self.to_dict()
        if {**told, "rules": ours["rules"], "by": ours["by"]} != ours:
            return ""
        if told["rules"] != ours["rules"]:
            return "the rules have"
        return "the rules of the players have" if told != ours else ""


class Held(NamedTuple):
    """A series of a store."""

    number: int
    told: dict[str, Any]
    games: int
    played_by: tuple[str, ...]


class Store(Database):
    """A file with games."""

    kind = _KIND
    error = StoreError

    # ------------------------------------------------------------------------------------- series

    def find(self, series: Series) -> int | None:
        """The number of a series, if it is there."""
        numbers = [int(one) for (one,) in self.rows("SELECT id FROM series WHERE told = ?", (series.told,))]
        return numbers[0] if numbers else None

    def begin(self, series: Series) -> int:
        """The number of a series, which is added if it is new."""
        self.do("INSERT OR IGNORE INTO series (told) VALUES (?)", (series.told,))
        found = self.find(series)
        assert found is not None
        return found

    def series(self) -> list[Held]:
        """All series, in the order in which they were begun."""
        rows = self.rows(
            "SELECT id, told, COUNT(number), json_group_array(DISTINCT played_by) FILTER (WHERE played_by IS NOT NULL)"
            " FROM series LEFT JOIN games ON series = id GROUP BY id ORDER BY id"
        )
        return [self._held(*row) for row in rows]

    def _held(self, number: int, told: str, games: int, by: str) -> Held:
        try:
            found = json.loads(told)
            if all(isinstance(found[key], kind) for key, kind in _TOLD.items()):
                return Held(number, found, games, tuple(json.loads(by)))
        except (ValueError, KeyError, TypeError, RecursionError):
            pass
        raise self.damaged(f"series {number} cannot be read")

    # -------------------------------------------------------------------------------------- games

    def add(self, series: int, one: Played) -> None:
        """Stores a game; a stored game of the same number is not changed."""
        details = {
            "seats": one.seats, "first": one.first, "opening": one.opening, "winner": one.winner,
            "stopped": one.stopped, "adjudicated": one.adjudicated, "seconds": one.seconds, "processor": one.processor,
            "chosen": one.chosen, "choices": one.choices, "lead_changes": one.lead_changes, "chance": one.chance,
            "redrawn": one.redrawn, "shortened": one.shortened, "ending": one.ending,
        }  # fmt: skip
        if one.forfeited is not None:
            details.update(forfeited=one.forfeited)
        if one.payoffs:  # where there are not two players
            details.update(payoffs=one.payoffs, shares=one.shares)
        row = (series, one.number, records.write(one.record), one.lots, one.seed, one.played_by, one.start,
               json.dumps(details))  # fmt: skip
        self.do("INSERT OR IGNORE INTO games VALUES (?, ?, ?, ?, ?, ?, ?, ?)", row)

    def games(self, series: int, number: int | None = None) -> Iterator[Played]:
        """The games of a series, by number; or the one of this number, if it is there."""
        rows = self.rows(
            "SELECT number, record, lots, seed, played_by, start, details FROM games"
            " WHERE series = ? AND number = coalesce(?, number) ORDER BY number",
            (series, number),
        )
        for row in rows:
            try:
                yield _played(*row)
            except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
                raise self.damaged(f"game {row[0]} of series {series} cannot be read") from None


def _played(number: int, text: str, lots: int, seed: int, played_by: str, start: bytes, details: str) -> Played:
    """The game of a row."""
    told: dict[str, Any] = {
        key: tuple(value) if isinstance(value, list) else value for key, value in json.loads(details).items()
    }
    record = records.read(text)
    if "chance" not in told:  # written before that was noted
        who = map(specification, record.players.values())
        told["chance"] = left_to_chance(bool(record.seed), told["opening"], who)
    if "ending" not in told:  # likewise
        told["ending"] = ending_told(record, told["stopped"], told["adjudicated"])
    return Played(number=number, start=start, record=record, lots=lots, seed=seed, played_by=played_by, **told)
