"""A position as one of its players sees it, in a game with secrets: what the player does not see is unknown.

A `View` is what pictures and terminals draw of a position, so they draw it like one; unknown values are a `?`.  It
holds nothing that its player does not see, and neither its texts nor what is pickled of it do.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pysolve.dsl import notation
from pysolve.dsl.errors import nearest
from pysolve.engines.protocol import UNKNOWN, State
from pysolve.engines.protocol import View as Bytes
from pysolve.results import Move, Outcome, ShownGame
from pysolve.runtime import validation


class View:
    """What a player sees of a position.  Two views are equal if they are of one player of one game, and show the same.

    `state` are the bytes of the position, 255 (`pysolve.engines.protocol.UNKNOWN`) where the player does not see them;
    `legal_moves` are the player's own: there are none where it is another's turn.
    """

    __slots__ = ("game", "legal_moves", "outcome", "player", "state")

    def __init__(
        self,
        game: ShownGame,
        player: str,
        state: Bytes,
        legal_moves: Sequence[Move] = (),
        outcome: Outcome | None = None,
    ):
        self.game = game
        self.player = player
        self.state = state
        self.legal_moves = tuple(legal_moves)
        self.outcome = outcome

    def __eq__(self, other: object) -> bool:
        return isinstance(other, View) and (self.player, self.state, self.game.model.digest) == (
            other.player, other.state, other.game.model.digest)  # fmt: skip

    def __hash__(self) -> int:
        return hash((self.player, self.state, self.game.model.digest))

    @property
    def to_move(self) -> str:
        """The player whose turn it is."""
        return self.game.players[self.state[0] - 1]

    turn = to_move

    @property
    def is_over(self) -> bool:
        """True if the game has ended."""
        return self.outcome is not None

    def value(self, slot: str, *args: object) -> Any:
        """The value of a state variable, as `Position.value` gives it; `?` if the player does not see it.

        Raises `KeyError` for an unknown name or argument.
        """
        validation.text("slot", slot)
        return value_in(self.to_dict()["state"], slot, *args)

    def query(self, goal: str, limit: int = 1000, seconds: float | None = 10) -> list[dict[str, Any]]:
        """Raises `ValueError`: a query looks at the whole position."""
        raise ValueError("a query looks at the whole position, and a view has only what its player sees")

    def rows(self, name: str, limit: int) -> list[tuple[int, ...]]:
        """The first answers to a name that `show` draws, by what everybody sees.

        Raises `ValueError` for another name, and for a definition that reads something of which not everybody sees
        everything, or asks for legal moves.
        """
        model = self.game.model
        name, limit = validation.drawn(model, name), validation.whole("limit", limit, 1)
        asked = model.shown[name]
        if asked.kind != "rule" or not model.is_open(asked.target):
            raise ValueError(f"{name} reads what not everybody sees, and a view has only what its player sees")
        return self.game.shows.rows(self._filled(), name, limit)

    def players_out(self) -> tuple[str, ...]:
        """The players who are out, as `Position.players_out` gives them; raises `ValueError` as `rows` does."""
        model = self.game.model
        if model.out is None:
            return ()
        if not model.is_open(model.out):
            raise ValueError("who is out depends on what not everybody sees")
        return tuple(self.game.players[number - 1] for number in self.game.shows.outs(self._filled()))

    def _filled(self) -> State:
        """A state that looks like this, for rules that read nothing of what is unknown."""
        slots, filled = self.game.model.slots, bytearray(notation.blank(self.game.model))
        for slot in slots.values():
            if slot.stack is not None and slot.seen:
                for args in notation.arguments(slot):
                    height = notation.get(self.state, slots[slot.stack.height], args)  # which all see
                    notation.put_stack(slots, filled, slot, args, [slot.sort.low] * height)
        return bytes(other if byte == UNKNOWN else byte for byte, other in zip(self.state, filled, strict=True))

    def to_dict(self) -> dict[str, Any]:
        """The exchange format, as of a position; `?` is the value of what the player does not see."""
        return notation.to_dict(self.game.model, self.state)

    def diagram(self) -> str:
        """What the player sees as a diagram, with `?` for what is unknown."""
        return notation.diagram(self.game.model, self.state, self.game.base)

    def line(self) -> str:
        """The same on one line."""
        return notation.line(self.game.model, self.state, self.game.base)

    __str__ = diagram

    def __repr__(self) -> str:
        return f"<View of {self.player} in {self.game.title} {self.line()}>"

    def svg(self, size: int = 400, last: Move | None = None, targets: Sequence[str] = (), whole: bool = False) -> str:
        """A picture of what the player sees, as `Position.svg` draws a position."""
        from pysolve.display.svg import draw  # imported here because it is slow to import and rarely needed

        return draw(self, size, last, validation.listed("targets", targets, "a list of cells"), whole)

    def _repr_svg_(self) -> str:
        return self.svg()


def value_in(state: Any, slot: str, *args: object) -> Any:
    """The value under the keys in nested objects of the exchange format; raises `KeyError` for an unknown key."""
    found = state
    for key in (slot, *map(str, args)):
        if not isinstance(found, dict) or key not in found:
            known = list(found) if isinstance(found, dict) else []
            hint = nearest(key, known)
            raise KeyError(f'there is no "{key}" here' + f": {hint}" * bool(hint))
        found = found[key]
    return found
