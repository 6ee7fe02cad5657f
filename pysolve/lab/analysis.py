"""What moves are worth: the best line, the values of the best moves, the mistakes of a game.

In: a position or a played game, and limits for a search.  Out: values for the player to move, moves by name.

Values come from the search that suits the limits (`pysolve.players.best_lines`): the strong one, minimax, or max-n with
three players or more, where each player has a value and plays for themselves. The last two do not know the game so far:
endings that ask about it count only if they end the game at the first position.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any, NamedTuple

from pysolve.dsl.language.constants import NOTHING
from pysolve.dsl.model.payoffs import payoff_unit
from pysolve.dsl.player_texts import STRONG, quiet_moves
from pysolve.engines.protocol import Move as Numbers
from pysolve.game import Game
from pysolve.players.best_lines import NO_LIMITS, Limits, best_lines, goes_by_strong
from pysolve.players.best_lines import Report as LinesReport
from pysolve.players.functions import Thought
from pysolve.position import Move, Position
from pysolve.runtime import validation
from pysolve.search.maxn import each_searcher_of
from pysolve.search.mcts import Result as Sampled
from pysolve.search.minimax import Result, minimax, searcher_of
from pysolve.search.searcher import WHOLE, Horizon, Stopped, Visit, moves_before_end, payoff_at_end, value_of_end
from pysolve.search.strong import Memory

MISTAKE, BLUNDER = "?", "??"
TENTH = 10  # a mistake loses at least this fraction of the range of values in a game

Tick = Callable[[int], None]  # is told how many more positions were visited


@dataclass(frozen=True, slots=True)
class Worth:
    """The value of a position for a player: an estimate in points, or the number of moves or turns to a forced end."""

    value: int  # an estimate; the payoff if the end is forced, in parts of `payoff_unit`: with two players 1, 0 or -1
    ends_in: int | None = None  # moves or turns; None for an estimate
    by_turns: bool = False  # does `ends_in` count turns?
    players: int = 2
    pays: bool = False  # do endings pay numbers?  Then every gain is a win, and every loss one

    @property
    def score(self) -> int:
        """A number to compare by: an early win is better than a late one, a late loss better than an early one."""
        return self.value if self.ends_in is None else value_of_end(self.value, -self.ends_in)

    @property
    def is_win(self) -> bool:
        """True for a forced win of the player to move, alone."""
        won = 1 if self.pays else payoff_unit(self.players)
        return self.ends_in is not None and self.value >= won

    @property
    def is_loss(self) -> bool:
        """True for a forced loss of the player to move."""
        lost = -1 if self.pays else -payoff_unit(self.players) // max(1, self.players - 1)
        return self.ends_in is not None and self.value <= lost

    @property
    def _unit(self) -> int:
        return 1 if self.pays else payoff_unit(self.players)

    def before(self, same_player: bool) -> Worth:
        """This value seen one move earlier, by the player who makes that move.

        With three players or more the value is already that player's.
        """
        value, ends_in = self.value if same_player or self.players > 2 else -self.value, self.ends_in
        if ends_in is not None and not (self.by_turns and same_player and ends_in):  # otherwise it is the same turn
            ends_in += 1
        return Worth(value, ends_in, self.by_turns, self.players, self.pays)

    def __str__(self) -> str:
        if self.ends_in is None:
            return f"{self.value:+}" if self.value else "0"
        if not self.value:
            return "draw"
        turns = f" turn{'s' * (self.ends_in != 1)}" if self.by_turns else ""
        part = Fraction(self.value, self._unit)
        got = (
            f"gets {self.value:+}"
            if self.pays
            else "wins"
            if self.is_win
            else "loses"
            if self.is_loss
            else f"gets {'+' * (part > 0)}{part}"
        )
        return f"{got} in {self.ends_in}{turns}"

    def to_dict(self) -> dict[str, Any]:
        """For programs."""
        if self.ends_in is None:
            return {"value": self.value}
        result = "win" if self.is_win else "loss" if self.is_loss else "part" if self.value else "draw"
        part = {"payoff": round(self.value / self._unit, 6)} if self.players > 2 or self.pays else {}
        return {"result": result, **part, "turns" if self.by_turns else "in": self.ends_in}


@dataclass(frozen=True, slots=True)
class Found:
    """The result of a search, for the player to move."""

    worth: Worth
    line: tuple[Move, ...]
    depth: int
    nodes: int
    seconds: float
    interrupted: bool = False  # by Ctrl-C
    each: Mapping[str, Worth] = field(default_factory=dict, hash=False)  # of each of three players or more


Report = Callable[[Found], None]


def best(position: Position, limits: Limits, report: Report = lambda _: None) -> Found:
    """The best line of play; `report` is called with each finished depth.  Ctrl-C returns the result so far."""
    _checked(position, limits)
    return _best_lines(position, limits, 1, report)[0]


def _best_lines(position: Position, limits: Limits, lines: int, report: Report) -> list[Found]:
    """The best lines, more than one only by the strong search; `report` is called with the best of each depth.

    Ctrl-C returns the result so far.
    """
    finished: list[list[Found]] = []

    def hear(results: Sequence[Result]) -> None:
        finished.append([_found(position, one) for one in results])
        report(finished[-1][0])

    try:
        found = _searched(position, limits, lines, hear)
    except KeyboardInterrupt:
        if not finished:
            raise
        return [replace(one, interrupted=True) for one in finished[-1]]
    return [_found(position, one) for one in found]


def _searched(
    position: Position, limits: Limits, lines: int = 1, hear: LinesReport | None = None,
    moves: Sequence[int] | None = None, memory: Memory | None = None,
) -> list[Result]:  # fmt: skip
    """The results of searching a position; with three players or more each plays for themselves."""
    each = len(position.game.players) > 2
    return best_lines(position, lines, limits, hear, moves=moves, each=each, memory=memory)


def best_moves(
    position: Position,
    limits: Limits,
    most: int,
    report: Report = lambda _: None,
    tick: Tick = lambda _: None,
) -> tuple[Found, list[Ranked]]:
    """The best line of play, and the best few moves with their values, the best one first.

    There are no such moves where the game is over, or chance moves.
    The limits hold for the whole: half of the seconds and nodes are reserved for the moves other than the best one,
    which are searched to the same depth if possible; the strong search looks for all of them together.  Ctrl-C returns
    the result so far.
    """
    _checked(position, limits)
    most = validation.whole("most", most, 0)
    if _by_strong(position, limits):
        lines = _best_lines(position, limits, max(1, most), report)
        return lines[0], [Ranked(one.line[0], one.worth, one.depth) for one in lines if one.line][:most]
    began, alone = time.monotonic(), most < 2 or len(position.legal_moves) < 2
    found = best(position, limits if alone else limits.half(), report)
    known = [Ranked(move, found.worth, found.depth) for move in found.line[:1]][:most]
    if alone or found.interrupted:
        return found, known
    seconds = None if limits.seconds is None else max(0.0, began + limits.seconds - time.monotonic())
    nodes = None if limits.nodes is None else limits.nodes - found.nodes
    left = Limits(None, seconds, nodes, quiet=limits.quiet)
    ranking, stopped = _deepened(position, found.depth, limits.turns is not None, most, found, left, tick)
    return replace(found, interrupted=stopped), ranking.moves()[:most]


def _checked(position: Any, limits: Any) -> None:
    """Raises `TypeError` or `ValueError` unless these are a position and valid limits."""
    validation.instance("position", position, Position, "a Position")
    validation.instance("limits", limits, Limits, "Limits")
    validation.seconds(limits.seconds)
    refuse_limits(position.game, limits)


def refuse_limits(game: Game, limits: Limits) -> None:
    """Raises `ValueError` for limits that the search of a game does not know, and `DoesNotApply` if the strong search
    is named, and the game or its engine does not have it."""
    for_two = {"quiet": limits.quiet, "threads": limits.threads != 1, "search": limits.search == STRONG}
    if len(game.players) > 2 and any(for_two.values()):
        what = next(what for what, is_given in for_two.items() if is_given)
        raise ValueError(f"{what} is for two players at most: {game.title} has {len(game.players)}")
    goes_by_strong(game.engine, limits)


def _by_strong(position: Position, limits: Limits) -> bool:
    """Does the strong search answer?"""
    return len(position.game.players) == 2 and goes_by_strong(position.game.engine, limits)


def _found(position: Position, result: Result) -> Found:
    players = position.game.players
    each = {name: _worth(value, result.depth, result.by_turns, position.game)
            for name, value in zip(players, result.values, strict=True)} if result.values else {}  # fmt: skip
    line = line_of(position, result.line)
    return Found(worth_of(result, position.game), line, result.depth, result.nodes, result.seconds, each=each)


def worth_of(result: Result, game: Game) -> Worth:
    """The value of a position for the player to move, by the result of its search."""
    return _worth(result.value, result.depth, result.by_turns, game)


def _worth(value: int, depth: int, by_turns: bool, game: Game) -> Worth:
    ends_in = moves_before_end(value, depth)
    value = value if ends_in is None else payoff_at_end(value)
    return Worth(value, ends_in, by_turns, len(game.players), game.model.pays)


def opinion(thought: Thought, game: Game) -> str:
    """A player's opinion of its move in one word: an estimate, a forced end, or a share of won games."""
    if not isinstance(thought, Sampled):
        return str(worth_of(thought, game))
    players = len(game.players)
    if game.model.pays:
        return f"{thought.value * game.model.most_paid:+.2f}"
    share = (thought.value + 1) / 2 if players < 3 else (1 + (players - 1) * thought.value) / players
    return f"{share:.0%}"


def line_of(position: Position, line: Sequence[Numbers]) -> tuple[Move, ...]:
    """The moves of a line by name, as far as the game goes on; by other rules it may go on otherwise."""
    moves = []
    for numbers in line:
        if position.is_over or numbers not in position.node.moves:
            break
        moves.append(position.legal_moves[position.node.moves.index(numbers)])
        position = position.play(moves[-1])
    return tuple(moves)


def worth(position: Position, depth: int, by_turns: bool = False, quiet: Sequence[str] = ()) -> Worth:
    """The value of a position by a search to a depth of 0 or more; does not catch Ctrl-C."""
    if position.outcome is not None:
        return _ended(position, position.to_move, by_turns)
    engine, state = position.game.engine, position.state
    if depth == 0:
        horizon = Horizon(by_turns, quiet_moves(quiet, engine.game))
        visit = searcher_of(engine, 1, horizon=horizon).visit(state, 0, *WHOLE, None, None)
        return worth_of(Result(visit.value, visit.line, 0, visit.nodes, by_turns=by_turns), position.game)
    moves, turns = (None, depth) if by_turns else (depth, None)
    return worth_of(minimax(engine, state, moves, interruptible=False, turns=turns, quiet=quiet), position.game)


def move_worth(position: Position, move: Move, depth: int, by_turns: bool = False, quiet: Sequence[str] = ()) -> Worth:
    """The value of a move for the player who makes it, by a search whose depth includes the move, or its turn."""
    after = position.play(move)
    same_player = after.to_move == position.to_move
    left = depth if by_turns and same_player else depth - 1
    if after.outcome is not None:
        return _ended(after, position.to_move, by_turns).before(same_player=True)
    if len(position.game.players) > 2:
        searcher = each_searcher_of(position.game.engine, 1, Horizon(by_turns, each=True))
        found = searcher.visit(after.state, left, *WHOLE, None, None)
        return _worth_for(position, found, left, by_turns).before(same_player)
    return worth(after, left, by_turns, quiet).before(same_player)


def _ended(position: Position, player: str, by_turns: bool = False) -> Worth:
    """The value of the end of a game for a player."""
    assert position.outcome is not None
    model, players = position.game.model, len(position.game.players)
    return Worth(int(position.outcome.payoffs[player] * model.payoff_unit), 0, by_turns, players, model.pays)


def _worth_for(position: Position, found: Visit, depth: int, by_turns: bool) -> Worth:
    """The result of searching a later position as a value for the player to move in this one."""
    players = position.game.players
    return _worth(found.values[players.index(position.to_move)], depth, by_turns, position.game)


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

    They are searched by minimax or max-n, whatever search the limits name, deeper and deeper, to a depth that includes
    the move, or its turn. If seconds, nodes or Ctrl-C end it earlier, each move has the depth to which it was searched.
    `known` is the result of a search of the position: its move comes first and bounds the values of the others at the
    same depth. `tick` is called with the number of positions newly visited.
    """
    _checked(position, limits)
    depth, most = validation.whole("depth", depth, 0), validation.whole_or_none("most", most, 0)
    return _deepened(position, depth, bool(by_turns), most, known, limits, tick)[0].moves()[:most]


def _deepened(
    position: Position, depth: int, by_turns: bool, most: int | None, known: Found | None, limits: Limits, tick: Tick
) -> tuple[_Ranking, bool]:
    """The moves as far as they were searched, and whether Ctrl-C ended it."""
    made = _Ranking if len(position.game.players) <= 2 else _RankingOfEach
    ranking = made(position, by_turns, known, limits, tick)
    others = None if most is None else most - (known is not None)
    try:
        for level in range(1, depth + 1):
            ranking.deepen(level, others)
    except Stopped:
        return ranking, False
    except KeyboardInterrupt:
        return ranking, True
    return ranking, False


class _Branch:
    """A move whose value is searched."""

    def __init__(self, move: Move, after: Position, player: str):
        self.move, self.state, self.same_player = move, after.state, after.to_move == player
        self.known: Ranked | None = None
        if after.outcome is not None:
            self.known = Ranked(move, _ended(after, player).before(same_player=True), 1)

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
        self._game = position.game
        self._until = None if limits.seconds is None else time.monotonic() + limits.seconds
        self._nodes = limits.nodes
        self._prepare(position, limits)
        after = ((move, position.play(move)) for move in position.legal_moves if not known or move != known.line[0])
        self._branches = [_Branch(move, there, position.to_move) for move, there in after]

    def _prepare(self, position: Position, limits: Limits) -> None:
        """Makes the searcher."""
        horizon = Horizon(self._by_turns, quiet_moves(limits.quiet, position.game.model))
        self._searcher = searcher_of(position.game.engine, horizon=horizon)

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
        found = worth_of(Result(visit.value, visit.line, depth, visit.nodes, by_turns=self._by_turns), self._game)
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
        """The same move with its value limited by that of the best move, which was searched deeper.

        A shallower search may overestimate a move, so the result says that its value is at most that.
        """
        best = self._known
        if best is None or one.worth.score <= best.worth.score or one.depth >= best.depth:
            return one
        return Ranked(one.move, best.worth, best.depth, at_most=True)


class _RankingOfEach(_Ranking):
    """A ranking of moves for three players or more: max-n without windows, so each value is exact."""

    def _prepare(self, position: Position, limits: Limits) -> None:
        self._position = position
        self._each = each_searcher_of(position.game.engine, horizon=Horizon(self._by_turns, each=True))

    def _look(self, branch: _Branch, level: int, floor: int) -> None:
        depth = level if self._by_turns and branch.same_player else level - 1
        found = self._each.visit(branch.state, depth, *WHOLE, self._nodes, self._until)
        self._tick(found.nodes)
        if self._nodes is not None:
            self._nodes -= found.nodes
        worth = _worth_for(self._position, found, depth, self._by_turns)
        branch.known = Ranked(branch.move, worth.before(branch.same_player), level)


def _within(worth: Worth, level: int) -> int:
    """The value of a move in a search to a depth."""
    return worth.value if worth.ends_in is None else value_of_end(worth.value, level - worth.ends_in)


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
    """Assesses each move of a game but those of chance; `positions` are those before the moves.

    The strong search goes on from move to move with what it has found.
    """
    if positions:
        _checked(positions[0], limits)
    limits, memory = limits._replace(turns=None, threads=1), Memory()
    for number, (position, move) in enumerate(zip(positions, moves, strict=False), 1):
        if position.chance:
            continue
        (found,) = _searched(position, limits, memory=memory)
        (first, *_) = line_of(position, found.line)
        before = worth_of(found, position.game)
        after = before if move == first else _worth_of_move(position, move, limits, max(1, found.depth), memory)
        if after.score > before.score:  # the search before the move was cut short
            before = after
        yield Judged(number, position.to_move, move, first, before, after, found.depth, len(position.legal_moves) == 1)


def _worth_of_move(position: Position, move: Move, limits: Limits, depth: int, memory: Memory) -> Worth:
    """The value of a move for the player who makes it, by a search as deep as the one that has found the best move;
    by the strong search within the same limits, too."""
    if not _by_strong(position, limits):
        return move_worth(position, move, depth, quiet=limits.quiet)
    place = position.node.moves.index(move.numbers)
    (found,) = _searched(position, limits._replace(depth=depth, search=STRONG), moves=[place], memory=memory)
    return worth_of(found, position.game)


def margin_of(judged: Sequence[Judged]) -> int:
    """The default smallest loss of a mistake, in points: a tenth of the range of the estimates in the game."""
    values = [one.before.value for one in judged if one.before.ends_in is None]
    return max(1, (max(values) - min(values)) // TENTH) if values else 1
