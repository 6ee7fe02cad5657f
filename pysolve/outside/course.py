"""What has been played since a program was told a position.

In: the positions in which the program is asked.  Out: the moves that lead from the position that it knows to the next
one, as far as that can be seen: its own and one answer.  Programs that hear moves, and no new positions, know the game
before them: what was repeated, and what may not be taken back at once.
"""

from __future__ import annotations

from pysolve.position import Move, Position


class Course:
    """The position that a program knows."""

    def __init__(self) -> None:
        self._known: Position | None = None

    def leads_to(self, position: Position) -> tuple[Position, Move] | None:
        """The known position and the move from there to another one; None if no single move leads there."""
        known, self._known = self._known, position
        if known is None or known.game is not position.game or known.is_over:
            return None
        children = range(len(known.legal_moves))
        found = next((at for at in children if known.node.child(at) == position.state), None)
        return None if found is None else (known, known.legal_moves[found])

    def goes_on(self, move: Move) -> None:
        """Notes the move that the program itself has made."""
        assert self._known is not None
        self._known = self._known.play(move)

    def forget(self) -> None:
        """The program's position is unknown."""
        self._known = None
