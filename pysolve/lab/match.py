"""A match: two players, many games, sides swapped in pairs; of other than two seats as many players, in all orders.

In: a game, players as texts, a seed.  Out: jobs for the games, and the standing of two after some of them; that of
others is a table (`pysolve.lab.tournament.crosstable`).

Both games of a pair begin with the same random moves, with the seats swapped.  If nothing is random, two games with the
same seats are the same game played twice, and only the first counts.  Where the rules draw lots, both games have the
same ones: intervals are those of pairs then, and `luck` says how much the lots explain.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from pysolve.dsl.player_texts import UnknownPlayer
from pysolve.game import Game, other_game
from pysolve.lab import orders
from pysolve.lab.endings import Ended, endings
from pysolve.lab.games import LIMIT, OPENING, STANDARD, Job, Played, Rules, admit, distinct, forfeits
from pysolve.lab.luck import Luck, by_lots, luck
from pysolve.lab.statistics import Mean, Quartiles, Share, mean_of, quartiles, share_of
from pysolve.lab.store import Series
from pysolve.lab.tables import to_frame
from pysolve.lab.workers import NamedGame, ThisProcess
from pysolve.notation import record as records
from pysolve.players.competitors import Competitor, Function, Who, competitor, digest, named
from pysolve.players.functions import specification
from pysolve.players.policies import policy_in
from pysolve.players.values import values_in
from pysolve.runtime import validation


def match_jobs(game: Game, first: Who, second: Who, seed: int = 1, rules: Rules = STANDARD) -> Iterator[Job]:
    """The games of a match of two, without end; players are texts or functions.

    Raises `pysolve.dsl.player_texts.UnknownPlayer` for an unknown player, and for a person.
    """
    return jobs_of_all(game, (first, second), seed, rules)


def jobs_of_all(game: Game, players: Sequence[Who], seed: int = 1, rules: Rules = STANDARD) -> Iterator[Job]:
    """The games of a match of several, without end: in the orders of `pysolve.lab.orders`.

    Raises `UnknownPlayer` as `match_jobs`, and for more players than there are seats, unless each plays alone.
    """
    seats = len(game.players)
    least, most = min(2, seats), seats if seats > 1 else len(players)
    if not least <= len(players) <= most:
        needs = f"{seats} players" if seats == 2 else "1 player or more" if seats == 1 else f"2 to {seats} players"
        raise UnknownPlayer(f"a match of {game.title} needs {needs}, not {len(players)}; pysolve tournament takes more")
    return orders.jobs(programs(game, *players), seats, seed, rules)


def programs(game: Game, *players: Who) -> tuple[str | Function, ...]:
    """Players in the form of jobs: texts as in records, with levels of the game replaced by their current meaning; and
    functions that no text names.

    Raises `UnknownPlayer` for a person, an unknown player, or settings with names that the game does not have.
    """
    asked = named(players)
    found = [_competitor(game, who) for who in asked]
    for one in found:
        one.player()
        one.check(game)
    return tuple(str(one) if isinstance(who, str) else who for who, one in zip(asked, found, strict=True))


def _competitor(game: Game, who: str | Function) -> Competitor:
    """The player that a text means in a game; a level is a text of the rules and cannot name a function."""
    if isinstance(who, str) and who.strip() in game.levels:
        return specification(game.levels[who.strip()])
    return competitor(who, game.levels)


def thought_by(game: Game, players: Sequence[str | Function]) -> dict[str, str]:
    """The current digests of other rules, and of files of functions, by which the players of a game choose.

    Raises `UnknownPlayer` for a function that has no digest.
    """
    found = {}
    for who in players:
        one = competitor(who)
        if isinstance(one, Function):
            found[one.text] = digest(one)
            continue
        rules, told = game, one.settings
        if "by" in told:
            rules = other_game(game, told["by"])
            found[told["by"]] = rules.model.digest
        if "values" in told:
            found[told["values"]] = values_in(told["values"], rules).digest
        if "policy" in told:
            found[told["policy"]] = policy_in(told["policy"], rules).digest
    return found


def series_of(command: str, name: str, game: Game, players: Sequence[Who], seed: int, rules: Rules) -> Series:
    """The key of a series in a store; raises `UnknownPlayer` as `programs` and `thought_by` do."""
    words, who = records.option_words(game), programs(game, *players)
    return Series(command, name, words, game.model.digest, tuple(map(str, who)), seed, rules, thought_by(game, who))


class Match(Iterator[Played]):
    """The games of a match, each played when it is asked for; `played` are those so far."""

    def __init__(self, games: Iterator[Played]):
        self._games = games
        self.played: list[Played] = []

    def __next__(self) -> Played:
        self.played.append(next(self._games))
        return self.played[-1]

    def to_frame(self) -> Any:
        """All games as a data frame of pandas, a row for each (see `pysolve.lab.tables`); plays those that are left."""
        for _ in self:
            pass
        return to_frame(self.played)


def play_match(
    game: Game,
    first: Who,
    second: Who,
    games: int,
    seed: int = 1,
    opening: int = OPENING,
    limit: int = LIMIT,
    name: str = "",
) -> Match:
    """The games of a match, each as soon as it is over; `name` is that of the game in the records."""
    validation.instance("game", game, Game, "a Game")
    games, limit = validation.whole("games", games, 0), validation.whole("limit", limit, 1)
    seed, opening = (
        validation.whole("seed", seed, -validation.MASK, validation.MASK),
        validation.whole("opening", opening, 0),
    )
    jobs = match_jobs(game, first, second, seed, Rules(opening, limit))
    return Match(ThisProcess([NamedGame(game, name)]).play(0, islice(jobs, games)))


def play_seats(
    game: Game,
    players: Sequence[Who],
    games: int,
    seed: int = 1,
    opening: int = OPENING,
    limit: int = LIMIT,
    name: str = "",
) -> Match:
    """The games of a match of as many players as there are seats, or fewer; otherwise as `play_match`."""
    validation.instance("game", game, Game, "a Game")
    games, limit = validation.whole("games", games, 0), validation.whole("limit", limit, 1)
    seed, opening = (
        validation.whole("seed", seed, -validation.MASK, validation.MASK),
        validation.whole("opening", opening, 0),
    )
    jobs = jobs_of_all(game, validation.listed("players", players, "a list of players"), seed, Rules(opening, limit))
    return Match(ThisProcess([NamedGame(game, name)]).play(0, islice(jobs, games)))


@dataclass(frozen=True, slots=True)
class Standing:
    """The standing of a match, for its two players in order."""

    played: int
    duplicates: int  # of games that had been played before; they count for nothing else here
    wins: tuple[int, int]
    draws: int
    stopped: int  # draws, because they took too long
    adjudicated: int
    redrawn: int  # games whose first opening would have ended them, and another one was drawn
    shortened: int  # games that begin with fewer random moves, for more would end them
    forfeits: dict[str, int]  # games that programs lost by failing
    by_seat: dict[str, tuple[float, int]]  # the first player's points at each seat, and in how many games
    score: Share  # of the first player
    lengths: Quartiles  # of games that were not stopped
    seconds: tuple[float, float]  # a move
    processor: tuple[float, float] | None  # of these the processor's, not counting other programs; None: not measured
    endings: tuple[Ended, ...] = ()  # how often each decided, and for whom
    payoff: Mean | None = None  # of the first player, where endings pay numbers
    luck: Luck | None = None  # where the rules draw lots, and several games had the same ones

    def to_dict(self) -> dict[str, Any]:
        """For programs: the same as nested objects."""
        return {
            "played": self.played, "duplicates": self.duplicates, "wins": list(self.wins), "draws": self.draws,
            "stopped": self.stopped, "adjudicated": self.adjudicated, "redrawn": self.redrawn,
            "shortened": self.shortened, "forfeits": self.forfeits, "score": self.score._asdict(),
            "by_seat": {seat: {"points": points, "counted": games} for seat, (points, games) in self.by_seat.items()},
            "lengths": self.lengths._asdict(), "seconds_a_move": [round(one, 6) for one in self.seconds],
            "processor_a_move": self.processor and [round(one, 6) for one in self.processor],
            "endings": [one.to_dict() for one in self.endings],
            **({} if self.payoff is None else {"payoff": self.payoff._asdict()}),
            **({} if self.luck is None else {"luck": self.luck.to_dict()}),
        }  # fmt: skip


def standing(game: Game, games: Sequence[Played]) -> Standing:
    """The standing of a match of two after some games; of other seats `pysolve.lab.tournament.crosstable` has it."""
    games = admit(game, games)
    if len(game.players) != 2:
        raise ValueError(f"a standing is one of two players: of {game.title}, use crosstable in pysolve.lab.tournament")
    counted = distinct(games)
    wins = [sum(one.winner is not None and one.seats[one.winner] == who for one in counted) for who in (0, 1)]
    by_seat = {}
    for seat, player in enumerate(game.players):
        there = [one for one in counted if one.seats[seat] == 0]
        by_seat[player] = (sum(one.points(0) for one in there), len(there))
    payoff = mean_of([one.payoff(0) for one in counted], game.model.most_paid) if game.model.pays else None
    timed = [one for one in games if one.processor]  # not those that were stored before that was measured
    return Standing(
        played=len(games),
        duplicates=len(games) - len(counted),
        wins=(wins[0], wins[1]),
        draws=len(counted) - sum(wins),
        stopped=sum(one.stopped for one in counted),
        adjudicated=sum(one.adjudicated for one in counted),
        redrawn=sum(one.redrawn for one in counted),
        shortened=sum(one.shortened for one in counted),
        forfeits=forfeits(counted),
        by_seat=by_seat,
        score=share_of(payoff, game.model.most_paid, 2)
        if payoff is not None
        else by_lots(game, [(one.lots, one.points(0)) for one in counted]),
        lengths=quartiles([one.length for one in counted if not one.stopped]),
        seconds=_a_move(games, lambda one: one.seconds),
        processor=_a_move(timed, lambda one: one.processor) if timed else None,
        endings=endings(game, counted, competitors=2),
        payoff=payoff,
        luck=luck(game, counted),
    )


def _a_move(games: Sequence[Played], times: Callable[[Played], Sequence[float]]) -> tuple[float, float]:
    """The mean time of a move that each of the two has chosen."""
    spent, chosen = [0.0, 0.0], [0, 0]
    for one in games:
        for seat, who in enumerate(one.seats):
            spent[who] += times(one)[seat]
            chosen[who] += one.chosen[seat]
    return spent[0] / max(1, chosen[0]), spent[1] / max(1, chosen[1])
