"""Games for PettingZoo: `env` makes an environment of its AEC kind, in which the players take turns.

    from pysolve.adapters.pettingzoo import env
    environment = env("zola", size=4)

Agents have the names of the players.  An observation is a dict: `observation` has the planes of
`pysolve.notation.planes` of what the agent sees, `action_mask` a one for each legal move.  Moves are numbered by
`pysolve.dsl.model.move_numbers`.  Whoever makes an illegal move loses a point, and the game ends.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from pysolve.adapters.seats import LONGEST, Seats
from pysolve.game import Game
from pysolve.runtime.optional import needed

pettingzoo: Any = needed("pettingzoo", "gym", "an environment of PettingZoo")
wrappers: Any = needed("pettingzoo.utils.wrappers", "gym", "an environment of PettingZoo")
spaces: Any = needed("gymnasium", "gym", "an environment of PettingZoo").spaces
np_random: Any = needed("gymnasium.utils.seeding", "gym", "an environment of PettingZoo").np_random


def env(rules: Game | str | Path, longest: int = LONGEST, render_mode: str | None = None, **options: object) -> Any:
    """An environment of a game, in the wrappers that PettingZoo's own board games have."""
    inner = raw_env(rules, longest, render_mode, **options)
    return wrappers.OrderEnforcingWrapper(
        wrappers.AssertOutOfBoundsWrapper(wrappers.TerminateIllegalWrapper(inner, illegal_reward=-inner._seats.most))
    )


class raw_env(pettingzoo.AECEnv):  # type: ignore[misc]
    """The environment without wrappers: an illegal move raises `ValueError`."""

    def __init__(
        self, rules: Game | str | Path, longest: int = LONGEST, render_mode: str | None = None, **options: object
    ):
        super().__init__()
        self._seats = Seats(rules, longest, render_mode, options)
        self.render_mode = render_mode
        self.metadata = {
            "name": f"pysolve_{self._seats.game.name}", "render_modes": ["ansi"], "is_parallelizable": False,
            "render_fps": 1,
        }  # fmt: skip
        self.possible_agents = list(self._seats.game.players)
        self.action_spaces = {agent: self._seats.actions() for agent in self.possible_agents}
        self.observation_spaces = {
            agent: spaces.Dict({"observation": self._seats.pictures(), "action_mask": self._seats.masks()})
            for agent in self.possible_agents
        }
        self._lots, _ = np_random()

    def observation_space(self, agent: str) -> Any:
        """The space of what an agent sees."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        """The space of the numbers of moves."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begins a game; its set-up is drawn from the seed."""
        if seed is not None:
            self._lots, _ = np_random(seed)
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.position = self._seats.rolled(self._seats.game.start(int(self._lots.integers(2**32))), self._lots)
        self._moves = 0
        self._look()

    def observe(self, agent: str) -> dict[str, Any]:
        """The planes and the mask of an agent."""
        player = self.possible_agents.index(agent)
        mask = self._seats.mask(self.position, player)
        if self.truncations[agent]:
            mask[:] = 0
        return {"observation": self._seats.picture(self.position, player), "action_mask": mask}

    def step(self, action: Any) -> None:
        """Plays the move of this number."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self.position = self._seats.rolled(self._seats.numbered.play(self.position, action), self._lots)
        self._moves += 1
        self._cumulative_rewards[agent] = 0.0
        self._look()
        self._accumulate_rewards()

    def _look(self) -> None:
        """Whose turn it is, or how the game has ended."""
        self.agent_selection = self.position.to_move
        over = self.position.is_over
        gains = self.position.returns() if over else [0.0] * len(self.agents)
        self.rewards = dict(zip(self.possible_agents, gains, strict=True))
        self.terminations = dict.fromkeys(self.agents, over)
        self.truncations = dict.fromkeys(self.agents, not over and self._moves >= self._seats.longest)

    def render(self) -> str | None:
        """What the agent to move sees as text, with the render mode ansi."""
        return self._seats.diagram(self.position) if self.render_mode == "ansi" else None

    def close(self) -> None:
        """There is nothing to give back."""


__all__ = ["env", "raw_env"]
