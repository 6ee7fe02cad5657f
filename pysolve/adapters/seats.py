"""What the environments of PettingZoo and Gymnasium have in common: the game, its spaces, what a player sees of it.

In: rules, or a game that was loaded, and options.  Out: a `Seats`.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from pysolve.adapters.moves import NumberedGame
from pysolve.game import Game, load
from pysolve.notation.planes import Planes
from pysolve.position import Position
from pysolve.runtime import validation
from pysolve.runtime.optional import needed

np: Any = needed("numpy", "gym", "an environment")
spaces: Any = needed("gymnasium", "gym", "an environment").spaces

LONGEST = 1000  # moves after which a game is cut, by default
MOST = 1 << 30


class Seats:
    """A game, with its moves as numbers and its positions as planes; a game is cut after `longest` moves."""

    def __init__(self, rules: Game | str | Path, longest: int, render_mode: str | None, options: dict[str, object]):
        game = rules if isinstance(rules, Game) else load(rules)
        self.game = game.with_options(**options) if options else game
        self.longest = validation.whole("longest", longest, 1, MOST)
        if render_mode not in (None, "ansi"):
            raise ValueError(f'render_mode must be "ansi" or None, not {validation.shown(render_mode)}')
        self.numbered = NumberedGame(self.game)
        self.planes = Planes(self.game.model)
        self.most = self.game.model.most_paid / self.game.model.payoff_unit  # that a game can pay, or cost

    def actions(self) -> Any:
        """A new space of the numbers of moves."""
        return spaces.Discrete(self.numbered.numbers.count)

    def pictures(self) -> Any:
        """A new space of the planes."""
        return spaces.Box(0.0, 1.0, self.planes.shape, np.float32)

    def masks(self) -> Any:
        """A new space of masks: a one for each number of a legal move."""
        return spaces.Box(0, 1, (self.numbered.numbers.count,), np.int8)

    def rolled(self, position: Position, lots: Any) -> Position:
        """The position after the moves of chance that come first, drawn by a generator of NumPy."""
        while position.chance:
            position = position.play_chance(int(lots.integers(2**32)))
        return position

    def picture(self, position: Position, player: int) -> Any:
        """The planes of what a player (from 0) sees of a position, from 0 to 1."""
        return self.planes.scaled(self.game.engine.view(position.state, player + 1), player)

    def diagram(self, position: Position, player: int | None = None) -> str:
        """What a player (from 0), by default the one to move, sees of a position as text."""
        return position.view(position.to_move if player is None else self.game.players[player]).diagram()

    def mask(self, position: Position, player: int) -> Any:
        """A one for each number of a move that this player may make now."""
        mask = np.zeros(self.numbered.numbers.count, np.int8)
        if position.state[0] - 1 == player:
            mask[self.numbered.legal(position)] = 1
        return mask
