"""Balance: the same player on all sides, for each variant of a game, and for players of different strength.

In: a game, ranges of options, a player as a text, a seed.  Out: jobs for the games; for each variant and player how the
points fall to the sides and to whoever begins, what the games are like, and a verdict.

With three sides or more each game has one point, which its payoffs divide (`games.divided`): 1/n is fair, and the
intervals of all sides hold together with 95%.

Where the rules draw lots, each two games one after the other have the same ones, and random openings and players of
their own: so `luck` says how much of the results the lots explain, and intervals are those of pairs.

One may stop as soon as it is decided whether a side is favoured: then the interval is one that holds however often one
looks (`statistics.always_valid`), and the verdict says so.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count, islice, product
from random import Random
from typing import Any

from pysolve.dsl import UnknownOption
from pysolve.dsl.errors import choices, nearest
from pysolve.dsl.model.payoffs import payoff_unit
from pysolve.game import Game, option_word
from pysolve.lab.endings import Ended, endings, new_endings
from pysolve.lab.games import LIMIT, OPENING, STANDARD, Job, Played, Rules, admit, distinct, draws, forfeits
from pysolve.lab.luck import Luck, by_lots, luck, mean_by_lots
from pysolve.lab.match import programs
from pysolve.lab.statistics import (
    POWER,
    Mean,
    Quartiles,
    Share,
    always_valid,
    difference,
    games_needed,
    mean,
    quartiles,
    share_of,
    wilson,
)
from pysolve.lab.workers import NamedGame, ThisProcess
from pysolve.players.competitors import Function, Who
from pysolve.runtime import validation

NEAR = 0.05  # half the width of an interval around one half that is called balanced


def swept(game: Game, sweeps: Sequence[str]) -> list[dict[str, str]]:
    """The options of each variant, by words like `size=4..8`, `size=4,8` or `swap=on`; every combination of them.

    Of a range those values count that the option may have.  Raises `UnknownOption`, also for an option named twice.
    """
    known = {option.name: option for option in game.model.options}
    values: dict[str, list[str]] = {}
    for word in sweeps:
        name, equals, wanted = word.partition("=")
        if not equals or not wanted:
            raise UnknownOption(f'a sweep has the form  size=4..8 or size=4,8, not "{word}"')
        if name not in known:
            hint = nearest(name, known) or (f"options are {', '.join(known)}" if known else "it has none")
            raise UnknownOption(f'{game.title} has no option "{name}": {hint}')
        if name in values:
            raise UnknownOption(f"option {name} is swept twice: give all its values at once, as in  {name}=4,8")
        option = known[name]
        words = {option_word(option, value): value for value in option.choices}
        low, dots, high = wanted.partition("..")
        if dots and _is_number(low) and _is_number(high):
            found = [text for text, value in words.items() if int(low) <= value <= int(high)]
        else:
            found = list(dict.fromkeys(wanted.split(",")))
            if not all(text in words for text in found):
                found = []
        if not found:
            raise UnknownOption(f"option {name} cannot be {wanted}: it must be {choices(words)}")
        values[name] = found
    return [dict(zip(values, one, strict=True)) for one in product(*values.values())]


def _is_number(text: str) -> bool:
    """True of digits that make a number which an option may have."""
    return len(text) < 10 and text.isdecimal()


def balance_jobs(game: Game, player: Who, seed: int = 1, rules: Rules = STANDARD, pairs: bool = False) -> Iterator[Job]:
    """The games of one variant, without end; raises `pysolve.dsl.player_texts.UnknownPlayer`.

    In `pairs` with the same lots, if the rules draw any.
    """
    (who,) = programs(game, player)
    return _balance_jobs(who, len(game.players), seed, rules, pairs and draws(game))


def _balance_jobs(who: str | Function, sides: int, seed: int, rules: Rules, pairs: bool) -> Iterator[Job]:
    rng, lots = Random(seed), 0
    for number in count(1):
        drawn, seeds = rng.getrandbits(31), rng.getrandbits(32)
        lots = drawn if number % 2 or not pairs else lots
        yield Job(number, (who,) * sides, (0,) * sides, lots, seeds, rules, drawn if pairs else None)


def play_variant(
    game: Game, player: Who, games: int, seed: int = 1, opening: int = OPENING, limit: int = LIMIT, name: str = ""
) -> Iterator[Played]:
    """The games of one variant, each as soon as it is over."""
    validation.instance("game", game, Game, "a Game")
    games, limit = validation.whole("games", games, 0), validation.whole("limit", limit, 1)
    seed, opening = (
        validation.whole("seed", seed, -validation.MASK, validation.MASK),
        validation.whole("opening", opening, 0),
    )
    jobs = balance_jobs(game, player, seed, Rules(opening, limit), pairs=True)
    return ThisProcess([NamedGame(game, name)]).play(0, islice(jobs, games))


class Trial:
    """The points of the sides so far, in the games that count; is anything decided?"""

    def __init__(self, sides: int = 2) -> None:
        self._points, self._games = [0.0] * (1 if sides == 2 else sides), 0
        self._sides, self._fair, self._together = sides, 1 / sides, together(sides)
        self._seen = set[tuple[object, ...]]()

    def add(self, one: Played) -> None:
        """Counts one game, unless it is identical to an earlier one."""
        if one.key not in self._seen:
            self._seen.add(one.key)
            self._points = [points + one.seat_points(seat) for seat, points in enumerate(self._points)]
            self._games += 1

    @property
    def share(self) -> Share:
        """The first player's share of the points, with an interval that stays valid under early stopping."""
        return self._shares()[0]

    def _shares(self) -> list[Share]:
        """The shares of all sides, of two that of the first."""
        return [always_valid(points, self._games, self._together) for points in self._points]

    @property
    def decided(self) -> bool:
        """True if a side is shown to be favoured, or none can be by more than `NEAR`; nothing is of one side alone."""
        if self._sides == 1:
            return False
        fair, shares = self._fair, self._shares()
        return any(low > fair or high < fair for _, low, high in shares) or all(
            low >= fair - NEAR and high <= fair + NEAR for _, low, high in shares
        )


def together(sides: int) -> int:
    """The number of independent intervals: with two sides, the second is determined by the first."""
    return 1 if sides == 2 else sides


@dataclass(frozen=True, slots=True)
class Balance:
    """The results of a variant between equal players: shares of the points, lengths, choices and endings."""

    options: Mapping[str, str]
    player: str
    rules: str  # digest
    played: int
    duplicates: int  # of those before them; they count for nothing else here
    sides: dict[str, Share]  # the share of each player of the rules
    first: Share  # of whoever begins by the rules
    draws: int
    stopped: int  # draws, because they took too long
    adjudicated: int
    redrawn: int  # games whose first opening would have ended them, and another one was drawn
    shortened: int  # games that begin with fewer random moves, for more would end them
    forfeits: dict[str, int]  # games that programs lost by failing
    decisive: Share  # the part of the games that somebody has won
    lengths: Quartiles  # of games that were not stopped
    branching: float  # legal moves in a position, on average
    lead_changes: Quartiles  # in a game, by the `evaluate` block
    sequential: bool  # do the intervals of the shares hold whenever one stops?
    verdict: str
    payoffs: dict[str, float] = field(default_factory=dict)  # the mean of each side, where there are not two
    gains: dict[str, Mean] = field(default_factory=dict)  # the same with intervals, where endings pay numbers
    title: str = ""  # of the game
    endings: tuple[Ended, ...] = ()  # how often each decided
    luck: Luck | None = None  # where the rules draw lots, and several games had the same ones
    parent: Balance | None = None  # of the game that this one extends, from the same seeds, if that was played

    @property
    def counted(self) -> int:
        """The games that count."""
        return self.played - self.duplicates

    @property
    def changes(self) -> dict[str, Share]:
        """By how much the share of each side differs from that in the parent's games, with an interval."""
        if self.parent is None:
            return {}
        pairs = zip(self.sides.items(), self.parent.sides.values(), strict=True)
        return {name: difference(here, there) for (name, here), there in pairs}

    def to_dict(self) -> dict[str, Any]:
        """For programs: the same as nested objects."""
        told = {
            "options": dict(self.options), "player": self.player, "rules": self.rules,
            "played": self.played, "duplicates": self.duplicates,
            "sides": {name: share._asdict() for name, share in self.sides.items()}, "first": self.first._asdict(),
            "draws": self.draws, "stopped": self.stopped, "adjudicated": self.adjudicated,
            "redrawn": self.redrawn, "shortened": self.shortened, "forfeits": self.forfeits,
            "decisive": self.decisive._asdict(), "lengths": self.lengths._asdict(),
            "branching": round(self.branching, 3), "lead_changes": self.lead_changes._asdict(),
            "sequential": self.sequential, "verdict": self.verdict,
            "title": self.title, "endings": [one.to_dict() for one in self.endings],
        }  # fmt: skip
        if self.payoffs:
            told["payoffs"] = self.payoffs
        if self.luck is not None:
            told["luck"] = self.luck.to_dict()
        if self.gains:
            told["gains"] = {name: gain._asdict() for name, gain in self.gains.items()}
        if self.parent is not None:
            told["parent"] = self.parent.to_dict()
            told["changes"] = {name: share._asdict() for name, share in self.changes.items()}
            told["compared"] = compared(self)
        return told


def balance(
    game: Game, games: Sequence[Played], options: Mapping[str, str], player: str = "", sequential: bool = False,
    parent: Balance | None = None,
) -> Balance:  # fmt: skip
    """The results of the games of a variant.

    `sequential` if their number was not fixed in advance; `parent` has the results of the parent's games, if those were
    played, too.
    """
    games = admit(game, games)
    validation.instance("options", options, Mapping, "a mapping of names to words")
    validation.text("player", player)
    if parent is not None:
        validation.instance("parent", parent, Balance, "a Balance")
    counted = distinct(games)
    number = len(counted)
    won = [sum(one.winner == seat for one in counted) for seat in range(len(game.players))]
    draws = number - sum(won)
    at_once = together(len(game.players))

    def share(made: Sequence[float]) -> Share:
        if sequential:
            return always_valid(sum(made), number, at_once)
        return by_lots(game, zip((one.lots for one in counted), made, strict=True), at_once)

    sides = {name: share([one.seat_points(seat) for one in counted]) for seat, name in enumerate(game.players)}
    gains = _gains(game, counted) if game.model.pays else {}
    if gains and not sequential:  # narrower than what points alone say: few games pay all that one can lose
        sides = {name: share_of(gain, game.model.most_paid, len(sides)) for name, gain in gains.items()}
    begun = [one.seat_points(game.players.index(one.first)) for one in counted]
    stopped = sum(one.stopped for one in counted)
    return Balance(
        options=options,
        player=player,
        rules=game.model.digest,
        played=len(games),
        duplicates=len(games) - number,
        sides=sides,
        first=share(begun),
        draws=draws,
        stopped=stopped,
        adjudicated=sum(one.adjudicated for one in counted),
        redrawn=sum(one.redrawn for one in counted),
        shortened=sum(one.shortened for one in counted),
        forfeits=forfeits(counted),
        decisive=wilson(sum(won), number),
        lengths=quartiles([one.length for one in counted if not one.stopped]),
        branching=mean(sum(one.choices for one in counted), sum(sum(one.chosen) for one in counted)),
        lead_changes=quartiles([one.lead_changes for one in counted]),
        sequential=sequential,
        verdict=verdict(sides, number, stopped, sequential, sum(one.forfeited is not None for one in counted)),
        payoffs={} if len(game.players) == 2 and not game.model.pays else _mean_payoffs(game, counted),
        gains=gains,
        title=game.title,
        endings=endings(game, counted),
        luck=luck(game, counted),
        parent=parent,
    )


def _mean_payoffs(game: Game, counted: Sequence[Played]) -> dict[str, float]:
    unit = payoff_unit(len(game.players))
    return {
        name: round(mean(sum(one.payoffs[seat] for one in counted) / unit, len(counted)), 6)
        for seat, name in enumerate(game.players)
    }


def _gains(game: Game, counted: Sequence[Played]) -> dict[str, Mean]:
    unit, most = payoff_unit(len(game.players)), game.model.most_paid
    return {
        name: mean_by_lots(game, ((one.lots, one.payoffs[seat] / unit) for one in counted), most)
        for seat, name in enumerate(game.players)
    }


def verdict(
    sides: Mapping[str, Share], games: int, stopped: int, sequential: bool = False, forfeited: int = 0
) -> str:  # fmt: skip
    """One sentence on whether the sides are equal; the share at which one stops early is no good guess of its size."""
    if not games:
        return "No game was played."
    if 2 * stopped > games:
        return f"{stopped} of {games} games did not finish, so the result means little."
    if 2 * forfeited > games:
        return f"{forfeited} of {games} games were lost because a program failed, so the result means little."
    name, share = max(sides.items(), key=lambda side: side[1].share)
    points = f"{share.share:.0%} of the points, {share.low:.0%} to {share.high:.0%}"
    if len(sides) == 1:
        return f"{name} makes {points}."
    fair = 1 / len(sides)
    if share.low > fair:
        size = f"at least {_size(share.low, fair)}" if sequential else _size(share.share, fair)
        return f"{name} is {size} favoured: {points}.{_behind(sides)}"
    if len(sides) > 2 and (behind := _behind(sides)):
        return behind.strip()
    if share.high <= fair + NEAR:
        return f"The sides are equal: {name} leads with at most {share.high:.0%} of the points."
    needed = games_needed(fair, fair + NEAR, together(len(sides)))
    few = games < needed and not sequential
    more = f"; {needed} games would find a true share of {fair + NEAR:.0%} with a probability of {POWER:.0%}" * few
    return (
        f"No side is significantly favoured: {name} has {share.share:.0%}, {share.low:.0%} to {share.high:.0%}{more}."
    )


def compared(found: Balance) -> list[str]:
    """Sentences on what differs from the parent: how many games ended in new ways, and the share that moved most."""
    validation.instance("found", found, Balance, "a Balance")
    if found.parent is None or not found.counted or not found.parent.counted:
        return []
    return [*_ended_anew(found, found.parent), _moved(found, found.parent)]


def _ended_anew(found: Balance, parent: Balance) -> list[str]:
    new = new_endings(found.endings, parent.endings)
    if not new:
        return []
    games = sum(one.games for one in new)
    share = (always_valid if found.sequential else wilson)(games, found.counted)
    return [f"{games} of {found.counted} games ended in a way that {parent.title} does not "
            f"have: {share.share:.0%}, {share.low:.0%} to {share.high:.0%}."]  # fmt: skip


def _moved(found: Balance, parent: Balance) -> str:
    name, change = max(found.changes.items(), key=lambda one: abs(one[1].share))
    before = list(parent.sides.values())[list(found.sides).index(name)].share
    shares = f"{name} goes from {before:.0%} in {parent.title} to {found.sides[name].share:.0%}"
    interval = f"a change of {100 * change.low:+.0f} to {100 * change.high:+.0f} points of 100"
    certain = change.low > 0 or change.high < 0
    return (
        f"{shares}, {interval}."
        if certain
        else f"The sides have no significantly different shares: {shares}, {interval}."
    )


def _behind(sides: Mapping[str, Share]) -> str:
    """A sentence on the last of three sides or more, if it is certain that it has less than its part."""
    name, share = min(sides.items(), key=lambda side: side[1].share)
    if len(sides) == 2 or share.high >= 1 / len(sides):
        return ""
    return f" {name} is at a disadvantage: {share.share:.0%}, {share.low:.0%} to {share.high:.0%}."


def _size(share: float, fair: float) -> str:
    """The size of an advantage in words, from its distance to an equal share, scaled to that of two sides."""
    edge = share if fair == 0.5 else 0.5 + 0.5 * (share - fair) / (1 - fair)
    return "slightly" if edge < 0.6 else "clearly" if edge < 0.75 else "heavily"


def trend(found: Sequence[Balance]) -> str:
    """One sentence on how the edge of a side moves with the strength of the players, the weakest first."""
    if len(found) < 2 or not found[0].played or not found[-1].played:
        return ""
    weak, strong = found[0], found[-1]
    name = max(strong.sides, key=lambda side: strong.sides[side].share)
    moved = difference(strong.sides[name], weak.sides[name])
    shares = f"{weak.sides[name].share:.0%} with {weak.player} to {strong.sides[name].share:.0%} with {strong.player}"
    interval = f"{100 * moved.low:+.0f} to {100 * moved.high:+.0f} points of 100"
    if moved.low > 0:
        return f"Stronger play favours {name}: from {shares}, a change of {interval}."
    if moved.high < 0:
        return f"Stronger play is worse for {name}: from {shares}, a change of {interval}."
    return f"Strength has no significant effect: {name} goes from {shares}, a change of {interval}."
