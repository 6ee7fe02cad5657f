"""The game that a program is asked about: from its beginning, as far as that is known.

In: the game as whoever plays it knows it; or only the positions in which a program is asked, one after the other.
Out: the position in which it began, and the moves since.  Programs that hear moves, and no new positions, know the game
before them: what was repeated, and what may not be taken back at once.
"""

from __future__ import annotations

from collections.abc import Sequence

from pysolve.position import Move, Position


class Course:
    """The positions of a game from the first one on, and the moves between them."""

    def __init__(self) -> None:
        self.positions: list[Position] = []
        self.moves: list[Move] = []

    @property
    def start(self) -> Position:
        """The first position."""
        return self.positions[0]

    @property
    def position(self) -> Position:
        """The last position."""
        return self.positions[-1]

    def follow(self, positions: Sequence[Position], moves: Sequence[Move]) -> None:
        """Takes the game as it is known."""
        self.positions, self.moves = list(positions), list(moves)

    def reach(self, position: Position) -> None:
        """Takes a position that is one move behind a known one, or a known one itself, the latest of them.

        The first position of the game is known; any other one begins a game without a past.
        """
        if not self.positions or position.game is not self.start.game:
            self.follow([_beginning(position)], [])
        if not self._join(position):
            self.follow([_beginning(position)], [])
            if not self._join(position):
                self.follow([position], [])

    def _join(self, position: Position) -> bool:
        """Goes back to where the position follows, and on to it; False, and nothing changes, if it follows nowhere."""
        for at in reversed(range(len(self.positions))):
            before = self.positions[at]
            if _same(before, position):
                self.follow([*self.positions[:at], position], self.moves[:at])
                return True
            move = _step(before, position)
            if move is not None:
                self.follow([*self.positions[: at + 1], position], [*self.moves[:at], move])
                return True
        return False

    def goes_on(self, move: Move) -> None:
        """Notes the move that the program itself has made."""
        self.positions.append(self.position.play(move))
        self.moves.append(move)


def _beginning(position: Position) -> Position:
    """The position in which a game begins; the given one, where that is left to chance."""
    return position if position.game.model.draws_lots else position.game.start()


def _same(one: Position, other: Position) -> bool:
    return (one.state, one.turns_played) == (other.state, other.turns_played)


def _step(before: Position, after: Position) -> Move | None:
    """The move between two positions, if one leads from the first to the second."""
    later = after.turns_played - before.turns_played
    if before.is_over or later not in (0, 1) or (later == 0) != (before.state[0] == after.state[0]):
        return None
    children = range(len(before.possible_moves))
    found = next((at for at in children if before.node.child(at) == after.state), None)
    return None if found is None else before.possible_moves[found]
