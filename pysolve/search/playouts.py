"""Playouts: games of random moves.

In: an engine, a state, how many games, a seed.  Out: the number of wins, draws and moves.

Each move is drawn uniformly from the legal ones, or by its weight where nobody chooses: by one of splitmix64
(Steele, Lea and Flood, Fast Splittable Pseudorandom Number Generators, OOPSLA 2014); game number i has a generator of
its own.  How a random number selects a move depends on the game alone (dsl/analysis/sampling.py).
So a seed gives the same games on every engine.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

from pysolve.dsl.analysis.sampling import by_weight, draws_by_rank, rank
from pysolve.dsl.language.constants import MIX, MIX_AGAIN, ODD
from pysolve.dsl.model import Game
from pysolve.dsl.model.move_codes import move_codes
from pysolve.dsl.model.payoffs import payoffs
from pysolve.engines.protocol import Engine, Move, Node, State, looking
from pysolve.runtime import validation

LONGEST = 10_000  # moves after which a game is left unfinished, by default
MOST_MOVES = 1_000_000  # that a game may have: the native engine remembers all its positions
_MASK = 0xFFFFFFFFFFFFFFFF

Trail = list[tuple[int, Move]]  # moves as they were played, each with the number of the player
Drawing = Callable[[int, Node], int]  # a random number and the legal moves -> the index of the move


@dataclass(frozen=True, slots=True)
class Playouts:
    """The results of some games: wins of each player alone, draws, games that were not finished, and moves in all.

    Of other than two players, `others` are the games that ended otherwise (some share the first place, a lone player
    has lost), and `paid` is what each player was paid, in parts of `Game.payoff_unit`.
    """

    wins: tuple[int, ...]
    draws: int
    unfinished: int
    moves: int
    others: int = 0
    paid: tuple[int, ...] = ()

    @property
    def games(self) -> int:
        """The number of games."""
        return sum(self.wins) + self.draws + self.unfinished + self.others


@runtime_checkable
class PlayoutEngine(Protocol):
    """An engine with playouts of its own."""

    def playouts(self, state: State, games: int, seed: int, longest: int) -> Playouts:
        """Plays `games` random games of at most `longest` moves; game i is drawn from seed + i."""


def playouts(engine: Engine, state: State, games: int, seed: int = 0, longest: int = LONGEST) -> Playouts:
    """Plays `games` random games from a state, each of at most `longest` moves, up to `MOST_MOVES`.

    Moves played before the state do not count (`repeated`, `turns`).  Raises `TypeError`, `ValueError` or
    `InvalidState` for invalid arguments.
    """
    validation.engine(engine)
    games, longest = checked(games, longest)
    seed = validation.seed(seed)
    if isinstance(engine, PlayoutEngine):
        return engine.playouts(state, games, seed, longest)
    players = len(engine.game.players.labels)
    wins, draws, others, unfinished, moves, paid = [0] * players, 0, 0, 0, 0, [0] * players
    drawn = drawing(engine.game)
    engine.expand(state)  # refuses what is no state, even where no game is played
    for number in range(games):
        payoff, length = playout(engine, state, game_lots(seed + number), drawn, longest)
        moves += length
        if payoff is None:
            unfinished += 1
            continue
        paid = [one + more for one, more in zip(paid, payoff, strict=True)]
        if (winner := sole_winner(payoff)) is not None:
            wins[winner] += 1
        elif any(payoff):
            others += 1
        else:
            draws += 1
    seated = players != 2 or engine.game.pays
    return Playouts(tuple(wins), draws, unfinished, moves, others, tuple(paid) if seated else ())


def checked(games: Any, longest: Any) -> tuple[int, int]:
    """The number of games and the limit of moves, checked; raises `TypeError` or `ValueError`."""
    return validation.whole("games", games, 0), validation.whole("longest", longest, 0, MOST_MOVES)


def playout(
    engine: Engine,
    state: State,
    lots: Iterator[int],
    drawn: Drawing,
    longest: int = LONGEST,
    turns: int = 0,
    before: Mapping[State, int] | None = None,
    trail: Trail | None = None,
) -> tuple[tuple[int, ...] | None, int]:
    """Plays one random game: its payoffs, or None if it was not finished, and its number of moves.

    `turns` were played before it, and `before` says how often each state, as `repeated` compares them, occurred,
    this one included.  `trail` takes the moves, but for those of chance.
    """
    remembers, identity, look = engine.game.remembers, engine.game.identity, looking(engine)
    seen = dict(before or {identity(state): 1})
    for length in range(longest + 1):
        known = identity(state)
        if length:
            seen[known] = seen.get(known, 0) + 1
        judged = engine.judge(state, turns, seen[known]) if remembers else None
        if judged is not None:
            return payoffs(judged[1], len(engine.game.players.labels)), length
        node = look(state)
        if node.payoff is not None:
            return node.payoff, length
        if length == longest:
            break
        index = drawn(next(lots), node)
        if trail is not None and (not engine.game.chances or node.weights is None):
            trail.append((state[0], node.moves[index]))
        child = node.child(index)
        turns += child[0] != state[0]
        state = child
    return None, longest


def drawing(game: Game) -> Drawing:
    """The function that selects a legal move of this game by a random number."""
    if not draws_by_rank(game):
        chosen: Drawing = lambda lot, node: (lot >> 32) * len(node) >> 32
    else:
        encode = move_codes(game).encode
        chosen = lambda lot, node: min(range(len(node)), key=lambda number: rank(lot, encode(node.moves[number])))
    if not game.chances:
        return chosen
    return lambda lot, node: chosen(lot, node) if (weights := node.weights) is None else by_weight(lot, weights)


def sole_winner(payoff: Sequence[int]) -> int | None:
    """The index of the player who alone has the most; None if nobody has."""
    most = max(payoff)
    return payoff.index(most) if most > 0 and payoff.count(most) == 1 else None


def game_lots(seed: int) -> Iterator[int]:
    """The random numbers of one game: a splitmix64 generator seeded by the first number of the generator of `seed`."""
    return _numbers(_mixed((seed + ODD) & _MASK))


def lot_of(seed: int, number: int) -> int:
    """One of them, counted from 0."""
    return _mixed((_mixed((seed + ODD) & _MASK) + (number + 1) * ODD) & _MASK)


def chance_lots(seed: int) -> Iterator[int]:
    """The random numbers that draw what a game of a batch leaves to chance, one for each such move."""
    return _numbers(next(game_lots(seed)))


def _numbers(state: int) -> Iterator[int]:
    while True:
        state = (state + ODD) & _MASK
        yield _mixed(state)


def _mixed(z: int) -> int:
    z = ((z ^ z >> 30) * MIX) & _MASK
    z = ((z ^ z >> 27) * MIX_AGAIN) & _MASK
    return z ^ z >> 31
