"""Learns Connect Four in about a minute, by PPO with masks, and plays matches against other players.

    pip install 'pysolve-games[gym]' sb3-contrib
    python docs/examples/learn_connect_four.py

In: games against random moves, on both sides.  Out: a player for `pysolve.lab`, and its points in matches, beside those
of the same net before it has learned anything.

Sources: J. Schulman et al., Proximal Policy Optimization Algorithms (2017); S. Huang, S. Ontañón, A Closer Look at
Invalid Action Masking in Policy Gradient Algorithms (2022).
"""

from __future__ import annotations

from functools import partial
from typing import Any

import torch
from sb3_contrib import MaskablePPO
from stable_baselines3.common.vec_env import DummyVecEnv

import pysolve
from pysolve.adapters.gym import OneSide
from pysolve.adapters.moves import NumberedGame
from pysolve.lab.match import Standing, play_match, standing
from pysolve.notation.planes import Planes
from pysolve.players import Player

GAME = "connect_four"
STEPS, ENVIRONMENTS, SEED = 40_000, 8, 1


def learner(seed: int = SEED) -> MaskablePPO:
    """A net that knows nothing yet, and the games in which it is to learn: it begins every second of them."""
    torch.set_num_threads(1)
    sides = [pysolve.load(GAME).players[number % 2] for number in range(ENVIRONMENTS)]
    games = DummyVecEnv([partial(OneSide, GAME, player=side, opponent="random") for side in sides])
    games.seed(seed)
    return MaskablePPO("MlpPolicy", games, n_steps=256, batch_size=256, gamma=0.98, seed=seed, device="cpu")


def player(model: MaskablePPO, game: pysolve.Game) -> Player:
    """The net as a player: the legal move that it thinks best."""
    planes, numbered = Planes(game.model), NumberedGame(game)

    def choose(position: pysolve.Position) -> Any:
        legal = numbered.legal(position)
        mask = [number in legal for number in range(numbered.numbers.count)]
        seen = planes.scaled(position.state, position.state[0] - 1)
        number, _ = model.predict(seen, action_masks=mask, deterministic=True)
        return position.legal_moves[legal.index(int(number))]

    choose.deterministic = True
    return choose


def result(model: MaskablePPO, games: int = 100, opponent: str = "random") -> Standing:
    """A match of the net against another player, with random openings."""
    game = pysolve.load(GAME)
    return standing(game, list(play_match(game, player(model, game), opponent, games)))


if __name__ == "__main__":
    model = learner()
    print("before ", result(model).score)
    model.learn(STEPS, progress_bar=False)
    print("after  ", result(model).score)
    print("greedy ", result(model, opponent="greedy").score)
