"""Games for Gymnasium: one side of a game against players of pysolve.

    from pysolve.adapters.gym import OneSide
    environment = OneSide("zola", opponent="minimax:depth=2", size=4)

or ``gymnasium.make("pysolve.adapters.gym:pysolve/OneSide-v0", rules="zola")``.  An observation has the planes of
`pysolve.notation.planes`, of what this side sees; ``info["action_mask"]`` and `action_masks` say which moves are legal.
Moves are numbered by `pysolve.dsl.model.move_numbers`.  The reward is what the game pays at its end.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from pysolve.adapters.seats import LONGEST, Seats
from pysolve.game import Game
from pysolve.players.competitors import competitor
from pysolve.players.functions import Player
from pysolve.runtime.optional import needed

gymnasium: Any = needed("gymnasium", "gym", "an environment of Gymnasium")

ILLEGAL = ("lose", "raise")
NAME = "pysolve/OneSide-v0"


class OneSide(gymnasium.Env):  # type: ignore[misc]
    """One side of a game; the others are played by `opponent`, a player or the text that names one.

    `player` is the name of the side, by default the first to move.  An illegal move ends the game with the reward -1,
    or what the rules can take at most, or with ``illegal="raise"`` raises `ValueError`.
    """

    metadata = {"render_modes": ["ansi"], "render_fps": 1}

    def __init__(
        self, rules: Game | str | Path, player: str | None = None, opponent: str | Player = "random",
        longest: int = LONGEST, illegal: str = "lose", render_mode: str | None = None, **options: object,
    ):  # fmt: skip
        self._seats = Seats(rules, longest, render_mode, options)
        self.render_mode = render_mode
        game = self._seats.game
        if player is not None and player not in game.players:
            raise ValueError(f'{game.title} has no seat "{player}": its seats are {", ".join(game.players)}')
        if illegal not in ILLEGAL:
            raise ValueError(f'illegal must be one of {", ".join(ILLEGAL)}, not "{illegal}"')
        self._side = 0 if player is None else game.players.index(player)
        self._raises = illegal == "raise"
        self._named = None if callable(opponent) else competitor(opponent, game.levels)
        self._opponents: list[Player] = [opponent] * len(game.players) if callable(opponent) else []
        if self._named is not None:
            self._named.check(game)
            self._named.player(0)  # raises where the text names somebody who has to be asked
        self.action_space = self._seats.actions()
        self.observation_space = self._seats.pictures()

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Begins a game: the set-up and the draws of the others come from the seed."""
        super().reset(seed=seed)
        seeds = [int(one) for one in self.np_random.integers(2**32, size=len(self._seats.game.players) + 1)]
        if self._named is not None:
            self._opponents = [self._named.player(one) for one in seeds[1:]]
        self.position = self._seats.game.start(seeds[0])
        self._moves = 0
        self._others()
        return self._seen(), self._info()

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Plays the move of this number, and the moves of the others until this side is to move again."""
        if not self._over():
            try:
                self.position = self._seats.numbered.play(self.position, action)
            except ValueError as error:
                if self._raises:
                    raise
                return self._seen(), -self._seats.most, True, False, {**self._info(), "illegal": str(error)}
            self._moves += 1
            self._others()
        ended = self.position.is_over
        reward = self.position.returns()[self._side] if ended else 0.0
        return self._seen(), float(reward), ended, not ended and self._over(), self._info()

    def _over(self) -> bool:
        return self._moves >= self._seats.longest or self.position.is_over

    def _others(self) -> None:
        """Plays the moves of chance and of the other sides until it is this side's turn, or the game is over."""
        while not self._over() and (self.position.chance or self.position.state[0] - 1 != self._side):
            if self.position.chance:
                self.position = self._seats.rolled(self.position, self.np_random)
                continue
            move = self._opponents[self.position.state[0] - 1](self.position)
            self.position = self.position.play(move)
            self._moves += 1

    def _seen(self) -> Any:
        return self._seats.picture(self.position, self._side)

    def _info(self) -> dict[str, Any]:
        return {"action_mask": self._seats.mask(self.position, self._side)}

    def action_masks(self) -> Any:
        """The legal moves as a boolean array; `MaskablePPO` of sb3-contrib calls this method."""
        return self._seats.mask(self.position, self._side).astype(bool)

    def render(self) -> Any:
        """What this side sees as text, with the render mode ansi."""
        return self._seats.diagram(self.position, self._side) if self.render_mode == "ansi" else None


gymnasium.register(id=NAME, entry_point=f"{__name__}:OneSide")

__all__ = ["NAME", "OneSide"]
