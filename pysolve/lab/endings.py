"""How games end: for each ending of the rules how often it decided, and for whom.

In: a game, and games of it that were played.  Out: a row for each ending of the rules in their order, also for one that
never decided; then for each other end: a player resigned or forfeited, the game was adjudicated or stopped.

Endings are called by their reason, those with the same reason together: `because` in the rules, or else the condition.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from pysolve.dsl.model import Game as Model
from pysolve.dsl.model.payoffs import MOST_PLAYERS
from pysolve.game import Game
from pysolve.lab.games import ADJUDICATED, STOPPED, Played, admit, distinct
from pysolve.notation.record import Record
from pysolve.results import FORFEITED, FORFEITS, NO_MOVE, RESIGNED
from pysolve.runtime import validation

RULE, STUCK, OTHER = "rule", "stuck", "other"  # kinds of ends; OTHER: what a player did, who resigned or forfeited


@dataclass(frozen=True, slots=True)
class Ended:
    """The games that one ending decided; they are those that count."""

    ending: str  # the reason; or `stopped`, `adjudicated`, `resigned`, `forfeited`
    kind: str  # RULE, STUCK, ADJUDICATED, STOPPED, OTHER
    games: int
    won_as: dict[str, int]  # by a sole winner, for each player of the rules
    won_by: tuple[int, ...]  # the same for each competitor

    @property
    def draws(self) -> int:
        """The games without a sole winner."""
        return self.games - sum(self.won_as.values())

    def to_dict(self) -> dict[str, Any]:
        """For programs: the same as a nested object; `won_by` only where several compete."""
        told: dict[str, Any] = {"ending": self.ending, "kind": self.kind, "games": self.games, "won_as": self.won_as}
        return {**told, **({"won_by": list(self.won_by)} if len(self.won_by) > 1 else {}), "draws": self.draws}


_LAST = (OTHER, ADJUDICATED, STOPPED)  # kinds that stand after the endings of the rules, in this order


def endings(game: Game, games: Sequence[Played], competitors: int = 1) -> tuple[Ended, ...]:
    """How the counted games ended: a row for each ending of the rules, in their order, then one for each other end."""
    games, competitors = admit(game, games), validation.whole("competitors", competitors, 1, MOST_PLAYERS)
    kinds = _of_rules(game.model)
    found = {key: list[Played]() for key in kinds.items()}
    for one in distinct(games):
        found.setdefault((one.ending, _kind(one, kinds)), []).append(one)
    in_order = sorted(found, key=lambda key: _LAST.index(key[1]) if key[1] in _LAST else -1)
    return tuple(_ended(game, key, found[key], competitors) for key in in_order)


def _of_rules(model: Model) -> dict[str, str]:
    """The endings of some rules in their order, each with its kind."""
    found = dict.fromkeys((ending.reason for ending in model.endings), RULE)
    if model.stuck is not None:
        found.setdefault(model.stuck_reason or NO_MOVE, STUCK)
    return found


def _kind(one: Played, kinds: dict[str, str]) -> str:
    if one.stopped or one.adjudicated:
        return STOPPED if one.stopped else ADJUDICATED
    return kinds.get(one.ending, OTHER)


def _ended(game: Game, key: tuple[str, str], games: Sequence[Played], competitors: int) -> Ended:
    winners = [(one.winner, one.seats[one.winner]) for one in games if one.winner is not None]
    return Ended(
        *key,
        games=len(games),
        won_as={name: sum(won == seat for won, _ in winners) for seat, name in enumerate(game.players)},
        won_by=tuple(sum(who == one for _, one in winners) for who in range(competitors)),
    )


# ------------------------------------------------------------------------------------- beside other rules


def new_endings(found: Sequence[Ended], before: Sequence[Ended]) -> list[Ended]:
    """The endings of the rules that other rules do not have."""
    known = {one.ending for one in before}
    return [one for one in found if one.kind not in _LAST and one.ending not in known]


def all_endings(found: Sequence[Ended], before: Sequence[Ended]) -> list[tuple[str, Ended | None, Ended | None]]:
    """Each ending of some rules and of others, by its name: its row here, and there."""
    here, there = ({(one.ending, one.kind in _LAST): one for one in rows} for rows in (found, before))
    keys = sorted(dict.fromkeys([*here, *there]), key=lambda key: key[1])
    return [(key[0], here.get(key), there.get(key)) for key in keys]


# ------------------------------------------------------------------------------------ games of old stores


def ending_told(record: Record, stopped: bool, adjudicated: bool) -> str:
    """The name of the ending in a record; for a comparison of scores, the reason in brackets."""
    told = record.termination
    if stopped or adjudicated:
        return STOPPED if stopped else ADJUDICATED
    if told.startswith(tuple(f"{name} {FORFEITS}: " for name in record.players)):
        return FORFEITED
    for word in (f"has {NO_MOVE}", RESIGNED):
        if told in {f"{name} {word}" for name in record.players}:
            return word.removeprefix("has ")
    scores, bracket, reason = told.partition(" (")
    return reason[:-1] if bracket and told.endswith(")") and scores[-1:].isdigit() else told
