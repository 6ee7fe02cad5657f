"""Games with secrets beside OpenSpiel: legal moves, what chance may do and how likely, returns, what players know.

In: shipped rules, and `pyspiel` where it is installed.  Out: in random games, in lockstep, the same moves everywhere
and the same end; where a player chooses, two histories are told apart by our information exactly if by theirs.
SECRETS_JUDGED is how many games of each are played, a few unless it says more.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from random import Random
from typing import Any

import pytest

from pysolve.position import Move, Position
from tests.games import load

pyspiel = pytest.importorskip("pyspiel")
pytestmark = pytest.mark.slow
GAMES = int(os.environ.get("SECRETS_JUDGED", "150"))


def told(state: Any) -> str:
    """Their text of what the player to move knows."""
    return str(state.information_state_string(state.current_player()))


def at_the_same_time(state: Any) -> str:
    """The same in a game whose players move at the same time: all but what the others have chosen meanwhile."""
    history = [action for player, action in zip(players_of(state), state.history(), strict=True)]
    hidden = state.current_player()  # so many have chosen before the second player, and nobody before the first
    return repr(history[: len(history) - hidden])


def players_of(state: Any) -> list[int]:
    return [one.player for one in state.full_history()]


@dataclass(frozen=True)
class Judged:
    """A game of both: a move of ours and an action of theirs have the same key if they are the same."""

    name: str
    theirs: str
    ours: Callable[[Move], str] = str
    of_action: Callable[[str], str] = str
    options: dict[str, Any] = field(default_factory=dict)
    known: Callable[[Any], str] = told

    def __str__(self) -> str:
        return self.name


JUDGED = [
    Judged("phantom_tictactoe", "phantom_ttt", of_action=lambda text: cell_of(text, 3)),
    Judged(
        "hex-dark", "dark_hex(board_size=3)", options={"size": 3},
        known=lambda state: re.sub(r"\n\d+\n", "\n", told(state)),  # without the number of all moves, which nobody sees
    ),
    Judged(
        "liars_dice", "liars_dice", lambda move: re.sub(r"(\d)x(\d)", r"\1-\2", str(move)),
        lambda text: re.sub("Roll ", "", text).replace("Liar", "liar"),
    ),
    Judged(
        "goofspiel", "turn_based_simultaneous_game(game=goofspiel(num_cards=4))",
        lambda move: str(move).removeprefix("prize "), lambda text: re.findall(r"\d+$", text)[0],
        {"cards": 4}, at_the_same_time,
    ),
    Judged(
        "rock_paper_scissors", "turn_based_simultaneous_game(game=matrix_rps())", known=at_the_same_time,
    ),
]  # fmt: skip


def cell_of(text: str, width: int) -> str:
    """The cell of an action as x(row,column), the rows from the top."""
    row, column = map(int, re.findall(r"\d+", text))
    return f"{'abcdefg'[column]}{width - row}"


@dataclass
class Lockstep:
    """One game of each kind after another, and what both said of what players knew."""

    judged: Judged
    theirs: dict[tuple[str, str], str] = field(default_factory=dict)  # player and our information -> theirs
    ours: dict[tuple[str, str], str] = field(default_factory=dict)

    def play(self, seed: int) -> None:
        """A random game, compared at each step."""
        rng, position = Random(seed), load(self.judged.name, **self.judged.options).start()
        state = pyspiel.load_game(self.judged.theirs).new_initial_state()
        while not state.is_terminal():
            position = self.step(position, state, rng)
        while not position.is_over:  # what they play by themselves: there is no choice left
            assert len(position.possible_moves) == 1
            position = position.play(position.possible_moves[0])
        assert position.returns() == pytest.approx(state.returns())

    def step(self, position: Position, state: Any, rng: Random) -> Position:
        """Both after the same move."""
        who = state.current_player()
        keys = {self.judged.of_action(state.action_to_string(who, action)): action for action in state.legal_actions()}
        moves = {self.judged.ours(move): move for move in position.possible_moves}
        assert moves.keys() == keys.keys()
        assert len(moves) == len(position.possible_moves)
        assert position.chance == state.is_chance_node()
        if position.chance:
            likely = {self.judged.ours(move): weight for move, weight in position.chance_moves}
            for key, action in keys.items():
                assert likely[key] == Fraction(dict(state.chance_outcomes())[action]).limit_denominator(10_000)
        else:
            assert list(position.game.players).index(position.to_move) == who
            self.compare(position.to_move, position.information(position.to_move), self.judged.known(state))
        key = rng.choice(sorted(keys))
        state.apply_action(keys[key])
        return position.play(moves[key])

    def compare(self, player: str, ours: str, theirs: str) -> None:
        """What both know is equal wherever one of them is."""
        assert self.theirs.setdefault((player, ours), theirs) == theirs
        assert self.ours.setdefault((player, theirs), ours) == ours


@pytest.mark.parametrize("judged", JUDGED, ids=str)
def test_open_spiel_plays_and_knows_the_same(judged: Judged) -> None:
    both = Lockstep(judged)
    for seed in range(GAMES):
        both.play(seed)
    assert len(both.ours) == len(both.theirs) >= 2
