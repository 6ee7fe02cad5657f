"""What moves are worth: the best line, the values of the best moves, the mistakes of a game.

In: a position, or a game that was played, and limits for a search.  Out: values for the player to move, moves by name.

Values come from `pysolve.search.minimax`, which looks at positions without the game so far: endings that ask about it
are seen only where they end the game at once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from pysolve.engine import Move as Numbers
from pysolve.position import Move, Position
from pysolve.search.minimax import WIN, Result, minimax

MISTAKE, BLUNDER = "?", "??"
TENTH = 10  # what part of the range of values in a game makes a mistake


class Limits(NamedTuple):
    """When a search ends."""

    depth: int | None = None
    seconds: float | None = None
    nodes: int | None = None
    turns: int | None = None  # instead of a depth, which counts moves


@dataclass(frozen=True, slots=True)
class Worth:
    """What a position is worth for a player: an estimate, or the moves, or turns, to a certain end."""

    value: int  # an estimate; 1, 0 or -1 where the end is certain
    ends_in: int | None = None  # moves; None if that is not certain
    by_turns: bool = False  # are they turns?

    @property
    def score(self) -> int:
        """A number to compare by: an early win is better than a late one, a late loss better than an early one."""
        return self.value if self.ends_in is None else self.value * (WIN - self.ends_in)

    @property
    def is_win(self) -> bool:
        return self.ends_in is not None and self.value > 0

    @property
    def is_loss(self) -> bool:
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
    """What a search has found for the player to move."""

    worth: Worth
    line: tuple[Move, ...]
    depth: int
    nodes: int
    seconds: float


def best(position: Position, limits: Limits, report: Callable[[Found], None] = lambda _: None) -> Found:
    """The best line of play; `report` hears of each depth that is finished.  Ctrl-C ends it with what it has found."""
    finished: list[Found] = []

    def hear(result: Result) -> None:
        finished.append(_found(position, result))
        report(finished[-1])

    engine, state = position.game.engine, position.state
    try:
        found = minimax(engine, state, limits.depth, limits.nodes, limits.seconds, report=hear, turns=limits.turns)
    except KeyboardInterrupt:  # between two depths
        if not finished:
            raise
        return finished[-1]
    return _found(position, found)


def _found(position: Position, result: Result) -> Found:
    return Found(_worth(result), line_of(position, result.line), result.depth, result.nodes, result.seconds)


def _worth(result: Result) -> Worth:
    ends_in = result.turns_to_end if result.by_turns else result.moves_to_end
    if ends_in is None:
        return Worth(result.value, None, result.by_turns)
    return Worth(1 if result.value > 0 else -1, ends_in, result.by_turns)


def line_of(position: Position, line: Sequence[Numbers]) -> tuple[Move, ...]:
    """The moves of a line by name, as far as the game goes on."""
    moves = []
    for numbers in line:
        if position.is_over:
            break
        moves.append(position.legal_moves[position.node.moves.index(numbers)])
        position = position.play(moves[-1])
    return tuple(moves)


def worth(position: Position, depth: int, by_turns: bool = False) -> Worth:
    """What a position is worth by a search to a depth, which may be 0.  Ctrl-C is left to the caller."""
    if position.outcome is not None:
        return Worth(int(position.returns()[position.game.players.index(position.to_move)]), 0, by_turns)
    if depth == 0:
        return Worth(position.evaluate()[position.to_move], None, by_turns)
    moves, turns = (None, depth) if by_turns else (depth, None)
    engine, state = position.game.engine, position.state
    return _worth(minimax(engine, state, moves, entries=1 << 16, interruptible=False, turns=turns))


def move_worth(position: Position, move: Move, depth: int, by_turns: bool = False) -> Worth:
    """What a move is worth for the player who makes it, by a search to a depth that counts the move, or its turn."""
    after = position.play(move)
    same_player = after.to_move == position.to_move
    left = depth if by_turns and same_player else depth - 1
    return worth(after, left, by_turns).before(same_player)


def ranked(
    position: Position, depth: int, first: Move | None = None, by_turns: bool = False
) -> list[tuple[Move, Worth]]:
    """All legal moves, the best first; of equal moves `first` comes first, then as in canonical order."""
    found = [(move, move_worth(position, move, depth, by_turns)) for move in position.legal_moves]
    return sorted(found, key=lambda one: (-one[1].score, one[0] != first))


# ------------------------------------------------------------------------------------ a game that was played


@dataclass(frozen=True, slots=True)
class Judged:
    """A move of a game: what could be had, and what was."""

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
        """What the move gave away, where both values are estimates."""
        both = self.before.ends_in is None and self.after.ends_in is None
        return max(0, self.before.value - self.after.value) if both else 0

    def mark(self, margin: int) -> str:
        """`??` if the move gives a certain win away or lets a certain loss happen, `?` if it loses so much."""
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
    """Each move of a game; `positions` are those in which the moves were made."""
    for number, (position, move) in enumerate(zip(positions, moves, strict=False), 1):
        state = position.state
        found = minimax(position.game.engine, state, limits.depth, limits.nodes, limits.seconds, interruptible=False)
        (first, *_) = line_of(position, found.line)
        before = _worth(found)
        after = before if move == first else move_worth(position, move, max(1, found.depth))
        if after.score > before.score:  # a search that ended early has not seen all
            before = after
        yield Judged(number, position.to_move, move, first, before, after, found.depth, len(position.legal_moves) == 1)


def margin_of(judged: Sequence[Judged]) -> int:
    """What a mistake loses at least, if nobody says: a tenth of the range of the estimates in the game."""
    values = [one.before.value for one in judged if one.before.ends_in is None]
    return max(1, (max(values) - min(values)) // TENTH) if values else 1
