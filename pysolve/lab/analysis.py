"""What moves are worth: the best line, the values of the best moves, the mistakes of a game.

In: a position or a played game, and limits for a search.  Out: values for the player to move, moves by name.

Values come from `pysolve.search.minimax`, which does not know the game so far: endings that ask about it count only
if they end the game at the first position.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from dsl.model.player_texts import quiet_moves
from pysolve import doors
from pysolve.engine import Move as Numbers
from pysolve.players import Thought
from pysolve.position import Move, Position
from pysolve.search.mcts import Result as Sampled
from pysolve.search.minimax import NOTHING, WHOLE, WIN, Horizon, Result, Stopped, minimax, searcher_of

MISTAKE, BLUNDER = "?", "??"
TENTH = 10  # a mistake loses at least this fraction of the range of values in a game


class Limits(NamedTuple):
    """When a search ends, and which moves it follows beyond its depth."""

    depth: int | None = None
    seconds: float | None = None
    nodes: int | None = None
    turns: int | None = None  # instead of a depth, which counts moves
    quiet: tuple[str, ...] = ()  # kinds of moves, or captures
    threads: int = 1  # that search together

    def half(self) -> Limits:
        """Half of the seconds and of the nodes."""
        seconds, nodes = self.seconds, self.nodes
        return self._replace(seconds=seconds and seconds / 2, nodes=nodes and max(1, nodes // 2))


NO_LIMITS = Limits()


@dataclass(frozen=True, slots=True)
class Worth:
    """The value of a position for a player: an estimate in points, or the number of moves or turns to a forced end."""

    value: int  # an estimate; 1, 0 or -1 if the end is forced
    ends_in: int | None = None  # moves or turns; None for an estimate
    by_turns: bool = False  # does `ends_in` count turns?

    @property
    def score(self) -> int:
        """A number to compare by: an early win is better than a late one, a late loss better than an early one."""
        return self.value if self.ends_in is None else self.value * (WIN - self.ends_in)

    @property
    def is_win(self) -> bool:
        """True for a forced win of the player to move."""
        return self.ends_in is not None and self.value > 0

    @property
    def is_loss(self) -> bool:
        """True for a forced loss of the player to move."""
        return self.ends_in is not None and self.value < 0

    def before(self, same_player: bool) -> Worth:
        """The same one move earlier, for the player who makes that move."""
        value, ends_in = self.value if same_player else -self.value, self.ends_in
        if ends_in is not None and not (self.by_turns and same_player and ends_in):  # otherwise it is the same turn
            ends_in += 1
        return Worth(value, ends_in, self.by_turns)

    def __str__(self) -> str:
        if self.ends_in is None:
            return f"{self.value:+}" if self.value else "0"
        if not self.value:
            return "draw"
        turns = f" turn{'s' * (self.ends_in != 1)}" if self.by_turns else ""
        return f"{'wins' if self.value > 0 else 'loses'} in {self.ends_in}{turns}"

    def to_dict(self) -> dict[str, Any]:
        """For programs."""
        if self.ends_in is None:
            return {"value": self.value}
        return {"result": ("loss", "draw", "win")[self.value + 1], "turns" if self.by_turns else "in": self.ends_in}


@dataclass(frozen=True, slots=True)
class Found:
    """The result of a search, for the player to move."""

    worth: Worth
    line: tuple[Move, ...]
    depth: int
    nodes: int
    seconds: float
    interrupted: bool = False  # by Ctrl-C


def best(position: Position, limits: Limits, report: Callable[[Found], None] = lambda _: None) -> Found:
    """The best line of play; `report` is called with each finished depth.  Ctrl-C returns the result so far."""
    _checked(position, limits)
    finished: list[Found] = []

    def hear(result: Result) -> None:
        finished.append(_found(position, result))
        report(finished[-1])

    engine, state = position.game.engine, position.state
    depth, seconds, nodes, turns, quiet, threads = limits
    try:
        found = minimax(
            engine,
            state,
            depth,
            nodes,
            seconds,
            report=hear,
            turns=turns,
            quiet=quiet,
            threads=threads,
            interruptible=False,
        )
    except KeyboardInterrupt:
        if not finished:
            raise
        return replace(finished[-1], interrupted=True)
    return _found(position, found)


def best_moves(
    position: Position,
    limits: Limits,
    most: int,
    report: Callable[[Found], None] = lambda _: None,
    tick: Callable[[int], None] = lambda _: None,
) -> tuple[Found, list[Ranked]]:
    """The best line of play, and the best few moves with their values, the best one first.

    The limits hold for the whole: half of the seconds and nodes are reserved for the moves other than the best one,
    which are searched to the same depth if possible.  Ctrl-C returns the result so far.
    """
    _checked(position, limits)
    most = doors.whole("most", most, 0)
    began, alone = time.monotonic(), most < 2 or len(position.legal_moves) == 1
    found = best(position, limits if alone else limits.half(), report)
    known = [Ranked(found.line[0], found.worth, found.depth)][:most]
    if alone or found.interrupted:
        return found, known
    seconds = None if limits.seconds is None else max(0.0, began + limits.seconds - time.monotonic())
    nodes = None if limits.nodes is None else limits.nodes - found.nodes
    left = Limits(None, seconds, nodes, quiet=limits.quiet)
    return found, ranked(position, found.depth, limits.turns is not None, most, found, left, tick)


def _checked(position: Any, limits: Any) -> None:
    """Raises `TypeError` or `ValueError` unless these are a position and valid limits."""
    doors.instance("position", position, Position, "a Position")
    doors.instance("limits", limits, Limits, "Limits")
    doors.seconds(limits.seconds)


def _found(position: Position, result: Result) -> Found:
    return Found(worth_of(result), line_of(position, result.line), result.depth, result.nodes, result.seconds)


def worth_of(result: Result) -> Worth:
    """The value of a position by the result of its search."""
    ends_in = result.turns_to_end if result.by_turns else result.moves_to_end
    if ends_in is None:
        return Worth(result.value, None, result.by_turns)
    return Worth(1 if result.value > 0 else -1, ends_in, result.by_turns)


def opinion(thought: Thought) -> str:
    """A player's opinion of its move in one word: an estimate, a forced end, or a share of won games."""
    return f"{(thought.value + 1) / 2:.0%}" if isinstance(thought, Sampled) else str(worth_of(thought))


def line_of(position: Position, line: Sequence[Numbers]) -> tuple[Move, ...]:
    """The moves of a line by name, as far as the game goes on."""
    moves = []
    for numbers in line:
        if position.is_over:
            break
        moves.append(position.legal_moves[position.node.moves.index(numbers)])
        position = position.play(moves[-1])
    return tuple(moves)


def worth(position: Position, depth: int, by_turns: bool = False, quiet: Sequence[str] = ()) -> Worth:
    """The value of a position by a search to a depth of 0 or more; does not catch Ctrl-C."""
    if position.outcome is not None:
        return Worth(int(position.returns()[position.game.players.index(position.to_move)]), 0, by_turns)
    engine, state = position.game.engine, position.state
    if depth == 0:
        horizon = Horizon(by_turns, quiet_moves(quiet, engine.game))
        visit = searcher_of(engine, 1, horizon=horizon).visit(state, 0, *WHOLE, None, None)
        return worth_of(Result(visit.value, visit.line, 0, visit.nodes, by_turns=by_turns))
    moves, turns = (None, depth) if by_turns else (depth, None)
    return worth_of(minimax(engine, state, moves, interruptible=False, turns=turns, quiet=quiet))


def move_worth(position: Position, move: Move, depth: int, by_turns: bool = False, quiet: Sequence[str] = ()) -> Worth:
    """The value of a move for the player who makes it, by a search whose depth includes the move, or its turn."""
    after = position.play(move)
    same_player = after.to_move == position.to_move
    left = depth if by_turns and same_player else depth - 1
    return worth(after, left, by_turns, quiet).before(same_player)


class Ranked(NamedTuple):
    """A move and its value for the player who makes it."""

    move: Move
    worth: Worth
    depth: int  # of the search that gave the value
    at_most: bool = False  # is the value an upper bound?

    def __str__(self) -> str:
        return f"at most {self.worth}" if self.at_most else str(self.worth)

    def to_dict(self) -> dict[str, Any]:
        """For programs."""
        return {"move": str(self.move), "depth": self.depth, "at_most": self.at_most, **self.worth.to_dict()}


def ranked(
    position: Position,
    depth: int,
    by_turns: bool = False,
    most: int | None = None,
    known: Found | None = None,
    limits: Limits = NO_LIMITS,
    tick: Callable[[int], None] = lambda _: None,
) -> list[Ranked]:
    """Legal moves with their values, the best first: all of them, or the `most` best, which takes less time.

    They are searched deeper and deeper, to a depth that includes the move, or its turn.  If seconds, nodes or Ctrl-C
    end it earlier, each move has the depth to which it was searched.  `known` is the result of a search of the
    position: its move comes first and bounds the values of the others at the same depth.  `tick` is called with the
    number of positions newly visited.
    """
    _checked(position, limits)
    depth, most = doors.whole("depth", depth, 0), doors.whole_or_none("most", most, 0)
    ranking = _Ranking(position, bool(by_turns), known, limits, tick)
    others = None if most is None else most - (known is not None)
    with suppress(Stopped, KeyboardInterrupt):
        for level in range(1, depth + 1):
            ranking.deepen(level, others)
    return ranking.moves()[:most]


class _Branch:
    """A move whose value is searched."""

    def __init__(self, move: Move, after: Position, same_player: bool):
        self.move, self.state, self.same_player = move, after.state, same_player
        self.known: Ranked | None = None
        if after.outcome is not None:
            value = int(after.returns()[after.game.players.index(after.to_move)])
            self.known = Ranked(move, Worth(value, 0).before(same_player), 1)

    @property
    def is_certain(self) -> bool:
        """True if the forced result of the move is known exactly, not only as a bound or an estimate."""
        return self.known is not None and not self.known.at_most and self.known.worth.ends_in is not None

    @property
    def promise(self) -> tuple[bool, int]:
        """The sort key: exact values before bounds, higher values first; moves not yet searched are equal."""
        return (self.known.at_most, -self.known.worth.score) if self.known else (True, 0)


class _Ranking:
    """The moves of a position, and what is known of each after searches to one depth after another.

    Where only the best few are wanted it is enough to know that another move is not better: that takes a search with a
    narrow window, which ends soon.
    """

    def __init__(
        self, position: Position, by_turns: bool, known: Found | None, limits: Limits, tick: Callable[[int], None]
    ):
        self._by_turns, self._known, self._tick = by_turns, known, tick
        self._until = None if limits.seconds is None else time.monotonic() + limits.seconds
        self._nodes = limits.nodes
        horizon = Horizon(by_turns, quiet_moves(limits.quiet, position.game.model))
        self._searcher = searcher_of(position.game.engine, horizon=horizon)
        after = ((move, position.play(move)) for move in position.legal_moves if not known or move != known.line[0])
        self._branches = [_Branch(move, there, there.to_move == position.to_move) for move, there in after]

    def deepen(self, level: int, most: int | None) -> None:
        """Searches all moves to a depth, the most promising ones first."""
        exact: list[int] = []
        for branch in sorted(self._branches, key=lambda one: one.promise):
            if not branch.is_certain:
                floor = NOTHING if most is None or len(exact) < most else sorted(exact, reverse=True)[most - 1]
                self._look(branch, level, floor)
            assert branch.known is not None
            if not branch.known.at_most:
                exact.append(_within(branch.known.worth, level))

    def _look(self, branch: _Branch, level: int, floor: int) -> None:
        """Searches the value of a move if it lies above a floor, otherwise a bound."""
        depth = level if self._by_turns and branch.same_player else level - 1
        alpha, beta = (floor, -NOTHING) if branch.same_player else (NOTHING, -floor)
        visit = self._searcher.visit(branch.state, depth, alpha, beta, self._nodes, self._until)
        self._tick(visit.nodes)
        if self._nodes is not None:
            self._nodes -= visit.nodes
        found = worth_of(Result(visit.value, visit.line, depth, visit.nodes, by_turns=self._by_turns))
        value = visit.value if branch.same_player else -visit.value
        branch.known = Ranked(branch.move, found.before(branch.same_player), level, value <= floor)

    def moves(self) -> list[Ranked]:
        """The moves with known values, the best first, equal ones in canonical order."""
        found = [one.known for one in sorted(self._branches, key=lambda one: one.promise) if one.known]
        if self._known is None:
            return found
        first = Ranked(self._known.line[0], self._known.worth, self._known.depth)
        return [first, *(self._no_better(one) for one in found)]

    def _no_better(self, one: Ranked) -> Ranked:
        """A search that was less deep may have promised too much."""
        best = self._known
        if best is None or one.worth.score <= best.worth.score or one.depth >= best.depth:
            return one
        return Ranked(one.move, best.worth, best.depth, at_most=True)


def _within(worth: Worth, level: int) -> int:
    """The value of a move in a search to a depth."""
    return worth.value if worth.ends_in is None else worth.value * (WIN + level - worth.ends_in)


# ------------------------------------------------------------------------------------ a game that was played


@dataclass(frozen=True, slots=True)
class Judged:
    """A move of a game, with the values of the best move and of the move played."""

    number: int  # from 1
    player: str
    move: Move
    best: Move
    before: Worth  # of the best move
    after: Worth  # of the move that was made
    depth: int
    forced: bool  # there was no other move

    @property
    def lost(self) -> int:
        """The points that the move lost, if both values are estimates."""
        both = self.before.ends_in is None and self.after.ends_in is None
        return max(0, self.before.value - self.after.value) if both else 0

    def mark(self, margin: int) -> str:
        """`??` if the move gives away a forced win or allows a forced loss, `?` if it loses enough points."""
        if self.forced or self.move == self.best:
            return ""
        if (self.before.is_win and not self.after.is_win) or (self.after.is_loss and not self.before.is_loss):
            return BLUNDER
        return MISTAKE if self.lost >= margin else ""

    def to_dict(self, margin: int) -> dict[str, Any]:
        """For programs."""
        return {
            "number": self.number, "player": self.player, "move": str(self.move), "best": str(self.best),
            "before": self.before.to_dict(), "after": self.after.to_dict(), "lost": self.lost, "depth": self.depth,
            "forced": self.forced, "mark": self.mark(margin),
        }  # fmt: skip


def analyse(positions: Sequence[Position], moves: Sequence[Move], limits: Limits) -> Iterator[Judged]:
    """Assesses each move of a game; `positions` are those before the moves."""
    for number, (position, move) in enumerate(zip(positions, moves, strict=False), 1):
        engine, state = position.game.engine, position.state
        found = minimax(
            engine, state, limits.depth, limits.nodes, limits.seconds, quiet=limits.quiet, interruptible=False
        )
        (first, *_) = line_of(position, found.line)
        before = worth_of(found)
        after = before if move == first else move_worth(position, move, max(1, found.depth), quiet=limits.quiet)
        if after.score > before.score:  # the search before the move was cut short
            before = after
        yield Judged(number, position.to_move, move, first, before, after, found.depth, len(position.legal_moves) == 1)


def margin_of(judged: Sequence[Judged]) -> int:
    """The default smallest loss of a mistake, in points: a tenth of the range of the estimates in the game."""
    values = [one.before.value for one in judged if one.before.ends_in is None]
    return max(1, (max(values) - min(values)) // TENTH) if values else 1
