"""One game between programs: a job in, the game that was played out.

A job determines a game: the players and their seats, the seeds, when it is ended.  So it can be played anywhere and at
any time, on any engine, with the same result, except by players with a time limit.

Every game begins with a few random moves, which do not end it.  It can be ended early in two ways: a game that is not
over after a number of moves is stopped and counts as a draw; and, optionally, a game in which the `evaluate` block has
long favoured one side is adjudicated to it.

A program of elsewhere (`pysolve.players.outside`) that fails, by ending, by silence or by an illegal move, loses its
game; the others win, and share that if they are several.

Two identical games are two results if anything random was in them: the setup, the opening, or a move.  Otherwise the
second is a repetition of the first and does not count.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from random import Random
from typing import Any, NamedTuple

from pysolve.dsl.analysis.sampling import by_weight
from pysolve.dsl.model.payoffs import payoff_unit, payoffs
from pysolve.engines.protocol import State
from pysolve.game import Game
from pysolve.lab.scoring import points_of
from pysolve.notation import record as records
from pysolve.notation.record import Record
from pysolve.players.competitors import Competitor, Function, competitor
from pysolve.players.functions import Player, Resigned
from pysolve.players.outside.player import chosen, visiting
from pysolve.players.outside.program import Forfeit
from pysolve.players.session import Session
from pysolve.position import Move, Position
from pysolve.runtime import validation
from pysolve.runtime.version import __version__
from pysolve.search.playouts import chance_lots

OPENING = 2  # random moves
LIMIT = 1000  # moves, after which a game is stopped
STOPPED = "stopped"  # what the end of a game is called that the rules have not ended: by its length,
ADJUDICATED = "adjudicated"  # or by the lead of a player
_TRIES = 100  # openings that are drawn until one does not end the game


class Adjudication(NamedTuple):
    """A game is given to the player whom the `evaluate` block favours by `margin` points or more for `moves` moves."""

    margin: int
    moves: int

    def __str__(self) -> str:
        return f"{self.margin},{self.moves}"


class Rules(NamedTuple):
    """How games of a series begin and when they are stopped, apart from the rules of the game."""

    opening: int = OPENING  # random moves, or fewer where more would end the game
    limit: int = LIMIT  # moves, after which a game is stopped
    adjudication: Adjudication | None = None


STANDARD = Rules()


@dataclass(frozen=True, slots=True)
class Job:
    """A game to be played."""

    number: int  # from 1
    players: tuple[str | Function, ...]  # for each player of the rules
    seats: tuple[int, ...]  # the index of the competitor for each player of the rules
    lots: int  # the seed of the setup and of the opening
    seed: int  # that of the players
    rules: Rules = STANDARD
    moves: int | None = None  # the seed of the random moves of the opening, if it is not that of the lots


@dataclass(frozen=True, slots=True)
class Played:
    """A game that was played."""

    number: int  # from 1
    seats: tuple[int, ...]  # the index of the competitor for each player of the rules
    first: str  # who had the first move, by the rules
    start: State
    record: Record
    opening: int  # the number of random moves at its beginning
    winner: int | None  # index of the winner in the rules; None for a draw or a stopped game
    stopped: bool
    adjudicated: bool
    seconds: tuple[float, ...] = field(compare=False)  # each player's, by seat
    chosen: tuple[int, ...]  # how many moves each player chose, by seat
    choices: int  # legal moves, over all positions in which a move was chosen
    lead_changes: int  # how often the lead changed sides, by the `evaluate` block
    lots: int
    seed: int
    played_by: str = field(compare=False, default="")  # which version, on which engine
    chance: bool = True  # was anything random: the setup, the opening, or a move of a player?
    redrawn: bool = False  # the first opening that was drawn would have ended the game
    shortened: bool = False  # so would each opening of full length
    forfeited: int | None = None  # index of the player in the rules whose program failed, and lost the game by that
    payoffs: tuple[int, ...] = ()  # of each seat, in parts of `payoff_unit`; none where two players win or lose
    shares: tuple[float, ...] = ()  # the point of the game as it is divided among the seats, likewise
    processor: tuple[float, ...] = field(compare=False, default=())  # of the seconds, those of this process's processor
    ending: str = ""  # what decided: an ending by its reason, or the word for another end (`Outcome.ending`)

    @property
    def length(self) -> int:
        """The number of moves."""
        return len(self.record.moves)

    @property
    def key(self) -> tuple[object, ...]:
        """Equal for two games if one repeats the other: same moves, and nothing random in either."""
        return (self.number,) if self.chance else (self.seats, self.start, self.record.moves)

    def points(self, who: int) -> float:
        """The points of a competitor in this game, on all its seats; of two players 1, 0.5 or 0."""
        if self.shares:
            return sum(share for share, one in zip(self.shares, self.seats, strict=True) if one == who)
        return 0.5 if self.winner is None else float(self.seats[self.winner] == who)

    def payoff(self, who: int) -> float:
        """What a competitor was paid, on all its seats, where `payoffs` are known."""
        paid = sum(paid for paid, one in zip(self.payoffs, self.seats, strict=True) if one == who)
        return paid / payoff_unit(len(self.seats))

    def seat_points(self, seat: int) -> float:
        """The points of a seat in this game; those of all seats add up to 1, except where one plays alone."""
        if self.shares:
            return self.shares[seat]
        return 0.5 if self.winner is None else float(self.winner == seat)


def admit(game: Any, games: Any) -> list[Played]:
    """The games as a list; raises `TypeError` if they are no played games, or the game is none."""
    validation.instance("game", game, Game, "a Game")
    return [
        validation.instance("games", one, Played, "played games")
        for one in validation.listed("games", games, "played games")
    ]


def distinct(games: Sequence[Played]) -> list[Played]:
    """The games that count: all except repetitions of an earlier one."""
    return list({game.key: game for game in reversed(games)}.values())[::-1]


def forfeits(games: Iterable[Played]) -> dict[str, int]:
    """The number of games that each program lost by failing, without programs that lost none."""
    lost = (list(one.record.players.values())[one.forfeited] for one in games if one.forfeited is not None)
    return dict(Counter(lost))


def lead_changes(values: Iterable[Sequence[int]]) -> int:
    """How often the player with the highest value changes.

    `values` has a tuple for each position with a number for each player; if the highest is shared, nobody leads.
    """
    leaders = [value.index(max(value)) for value in values if value.count(max(value)) == 1]
    return sum(one != other for one, other in pairwise(leaders))


class Opened(NamedTuple):
    """The beginning of a game: its first position and the random moves from there."""

    start: Position
    moves: list[Move]  # random ones
    redrawn: bool
    shortened: bool


def opened(game: Game, seed: int, opening: int, moves_of: int | None = None) -> Opened:
    """The initial position of a seed, and `opening` random moves that do not end the game, of this seed or another.

    Moves that end the game are drawn again; the initial position is not: its random draws belong to the game.  If every
    attempt ends the game, the opening is the longest one drawn, without the move that ends the game.
    """
    start, longest = game.start(seed), list[Move]()
    for number in range(_TRIES):
        moves, after = _drawn(start, opening, Random(f"{seed if moves_of is None else moves_of} {number}"))
        if not after.is_over:
            return Opened(start, moves, redrawn=number > 0, shortened=False)
        longest = max(longest, moves[:-1], key=len)
    return Opened(start, longest, redrawn=False, shortened=len(longest) < opening)


def _drawn(position: Position, most: int, rng: Random) -> tuple[list[Move], Position]:
    """At most the given number of random moves, fewer if the game ends, and the position after them."""
    moves = list[Move]()
    while len(moves) < most and not position.is_over:
        moves.append(position.random_move(rng))
        position = position.play(moves[-1])
    return moves, position


class _Course:
    """A game in progress: its moves, its values for each player of the rules, the time used."""

    def __init__(self, game: Game, start: Position, lots: int):
        self.game = game
        self.session = Session(start, {}, lots)
        self.luck = chance_lots(lots)  # so the games with the same lots have the same rolls, one after the other
        self.values = [self._value()]
        seats = len(game.players)
        self.seconds, self.processor, self.chosen = [0.0] * seats, [0.0] * seats, [0] * seats
        self.choices = 0
        self.forfeited: int | None = None  # by whom

    def _value(self) -> tuple[int, ...]:
        position, players = self.session.position, self.game.players
        return (0,) * len(players) if position.is_over else tuple(position.evaluate()[name] for name in players)

    def play(self, move: Move) -> None:
        """Plays one move and records the value of the position after it."""
        self.session.play(move)
        self.values.append(self._value())

    def go_on(self, sitting: Sequence[Player]) -> None:
        """Lets chance or the player to move make one move; a player may resign, and a program that fails forfeits."""
        position = self.session.position
        if position.chance:  # the referee rolls, no player
            self.play(position.possible_moves[by_weight(next(self.luck), position.node.weights or ())])
            return
        seat = self.game.players.index(position.to_move)
        self.choices += len(position.legal_moves)
        began = time.perf_counter(), time.process_time()
        try:
            move = chosen(sitting[seat], self.session.positions, self.session.moves)
        except Resigned:
            self.session.resign()
            return
        except Forfeit as failed:
            self.forfeited = seat
            self.session.forfeit(str(failed))
            return
        self.seconds[seat] += time.perf_counter() - began[0]
        self.processor[seat] += time.process_time() - began[1]
        self.chosen[seat] += 1
        self.play(move)

    def favoured(self, wanted: Adjudication | None) -> int | None:
        """The index of the player to whom the game can be adjudicated now; None if there is none."""
        if wanted is None or len(self.session.moves) < wanted.moves:
            return None
        last = self.values[-wanted.moves :]
        seats = range(len(self.game.players))
        return next((seat for seat in seats if min(value[seat] for value in last) >= wanted.margin), None)

    def payoffs(self, given: int | None) -> tuple[int, ...]:
        """The payoff of each player, in parts of `payoff_unit`; `given` is the player who won by adjudication."""
        outcome, players = self.session.outcome, len(self.game.players)
        if given is not None:
            return payoffs(given + 1, players)
        if outcome is None:
            return (0,) * players
        return tuple(int(paid * payoff_unit(players)) for paid in outcome.payoffs.values())


def play_game(game: Game, job: Job, name: str = "") -> Played:
    """Plays the game of a job; `name` is the name of the rules in its record."""
    start, opening, redrawn, shortened = opened(game, job.lots, job.rules.opening, job.moves)
    course = _Course(game, start, job.lots)
    session = course.session
    for move in opening:
        course.play(move)
    rng = Random(job.seed)
    asked = [competitor(who) for who in job.players]
    sitting = [one.player(rng.getrandbits(32)) for one in asked]
    given = None
    with visiting(sitting):
        while session.outcome is None and given is None and len(session.moves) < job.rules.limit:
            course.go_on(sitting)
            given = course.favoured(job.rules.adjudication) if session.outcome is None else None
    winner = game.players[given] if given is not None else session.outcome.winner if session.outcome else None
    paid = course.payoffs(given) if len(game.players) != 2 or game.model.pays else ()
    return Played(
        number=job.number,
        seats=job.seats,
        first=start.to_move,
        start=start.state,
        record=_record(course, job, name, given),
        opening=len(opening),
        winner=None if winner is None else game.players.index(winner),
        stopped=session.outcome is None and given is None,
        adjudicated=given is not None,
        seconds=tuple(course.seconds),
        processor=tuple(course.processor),
        chosen=tuple(course.chosen),
        choices=course.choices,
        lead_changes=lead_changes(course.values),
        lots=job.lots,
        seed=job.seed,
        played_by=f"pysolve {__version__}, {getattr(game.engine, 'name', '')}",
        chance=left_to_chance(draws(game), len(opening), asked),
        redrawn=redrawn,
        shortened=shortened,
        forfeited=course.forfeited,
        payoffs=paid,
        shares=_points(paid, game) if paid else (),
        ending=_ending(session, given),
    )


def _ending(session: Session, given: int | None) -> str:
    """The name of the ending of a game; `given` is the player who won by adjudication."""
    if given is not None:
        return ADJUDICATED
    return STOPPED if session.outcome is None else session.outcome.ending


def _points(paid: Sequence[int], game: Game) -> tuple[float, ...]:
    """The parts of the point of a game that paid this, in parts of `payoff_unit`."""
    return points_of(game.model, [one / payoff_unit(len(paid)) for one in paid])


def draws(game: Game) -> bool:
    """True if the rules draw lots, before the game or during it."""
    return game.model.draws_lots or bool(game.model.chances)


def left_to_chance(lots: bool, opening: int, players: Iterable[Competitor]) -> bool:
    """True if a game depends on chance: a random setup or opening, or a player whose moves are not deterministic."""
    return lots or opening > 0 or not all(player.deterministic for player in players)


def _record(course: _Course, job: Job, name: str, given: int | None) -> Record:
    game = course.game
    record = course.session.record(
        Record(
            game=name or game.name,
            options=records.option_words(game),
            rules=game.model.digest,
            players=dict(zip(game.players, map(str, job.players), strict=True)),
            seed=job.lots if draws(game) else 0,
        )
    )
    if given is None or job.rules.adjudication is None:
        return record
    margin, moves = job.rules.adjudication
    why = f"adjudicated: ahead by {margin} or more for {moves} moves"
    return replace(record, result=game.players[given], termination=why)


def states_of(game: Game, one: Played) -> Iterator[State]:
    """The positions of a game, one after the other, the last one too."""
    yield one.start
    yield from (position.state for _, position in records.replay(one.record, game))
