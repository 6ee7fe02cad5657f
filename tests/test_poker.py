"""Kuhn poker and Leduc poker against OpenSpiel's: cards and how likely they are, bets, what a player knows, payoffs."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from random import Random
from typing import Any

import pytest

import pysolve
from pysolve.engines.regrets import NativeRegrets
from pysolve.game import Game
from pysolve.position import Position
from pysolve.search.hidden.cfr import equilibrium
from pysolve.search.hidden.rules import tree_of

pytestmark = pytest.mark.slow

pyspiel: Any = pytest.importorskip("pyspiel")

WORDS = {"Pass": "pass", "Bet": "bet", "Fold": "fold", "Call": "call", "Raise": "raise"}
LOWEST = {"kuhn_poker": 1, "leduc_poker": 2}  # the number of OpenSpiel's card 0


def both(name: str, seats: int) -> tuple[Game, Any]:
    options = {"seats": seats} if name == "kuhn_poker" else {}
    return pysolve.load(name, **options), pyspiel.load_game(name, {"players": seats})


def moves_of(state: Any, lowest: int) -> dict[int, tuple[str, Fraction | None]]:
    """What can happen in a state of OpenSpiel, in our words, by the number of its action: how likely, if by chance."""
    if state.is_chance_node():
        return {card: (str(card + lowest), Fraction(likely).limit_denominator(60))
                for card, likely in state.chance_outcomes()}  # fmt: skip
    player = state.current_player()
    return {action: (WORDS[state.action_to_string(player, action)], None) for action in state.legal_actions()}


def compare(position: Position, state: Any, lowest: int) -> dict[int, str]:
    """Looks whether a position is a state of OpenSpiel; our texts of its actions."""
    theirs = moves_of(state, lowest)
    assert position.is_over == state.is_terminal()
    if position.is_over:
        assert position.returns() == state.returns()
        return {}
    assert position.chance == state.is_chance_node()
    if position.chance:
        assert {(move.text, likely) for move, likely in position.chance_moves} == set(theirs.values())
    else:
        assert position.game.players.index(position.to_move) == state.current_player()
        assert [move.text for move in position.legal_moves] == [text for text, _ in theirs.values()]
    return {action: text for action, (text, _) in theirs.items()}


class Known:
    """What players know, in the words of both: equal in the ones exactly where it is in the others."""

    def __init__(self) -> None:
        self.ours: dict[tuple[int, str], str] = {}
        self.theirs: dict[tuple[int, str], str] = {}

    def add(self, position: Position, state: Any) -> None:
        """Takes down the knowledge of all players, where one of them chooses.

        OpenSpiel's do not see that cards are dealt, and at the end of Leduc poker they see who has won.
        """
        if state.is_chance_node() or state.is_terminal():
            return
        for seat, player in enumerate(position.game.players):
            mine, yours = position.information(player), state.information_state_string(seat)
            assert self.ours.setdefault((seat, yours), mine) == mine
            assert self.theirs.setdefault((seat, mine), yours) == yours


def histories(position: Position, state: Any, lowest: int) -> Iterator[tuple[Position, Any]]:
    """All histories of a game."""
    yield position, state
    for action, text in compare(position, state, lowest).items():
        yield from histories(position.play(text), state.child(action), lowest)


@pytest.mark.parametrize(("seats", "count"), [(2, 58), pytest.param(3, 617, marks=pytest.mark.slow)])
def test_every_history_of_kuhn_poker(seats: int, count: int) -> None:
    game, theirs = both("kuhn_poker", seats)
    known, found = Known(), 0
    for position, state in histories(game.start(), theirs.new_initial_state(), LOWEST["kuhn_poker"]):
        known.add(position, state)
        found += 1
    assert found == count
    assert len({seen for seat, seen in known.theirs if seat == 0}) == len(
        {seen for seat, seen in known.ours if seat == 0}
    )
    assert game.model.most_paid >= theirs.max_utility()


@pytest.mark.parametrize(
    ("name", "seats", "games"),
    [
        ("leduc_poker", 2, 40),
        *(pytest.param(*row, marks=pytest.mark.slow)
          for row in [("leduc_poker", 2, 1000), ("kuhn_poker", 2, 1000), ("kuhn_poker", 3, 1000)]),
    ],
)  # fmt: skip
def test_random_games_of_poker(name: str, seats: int, games: int) -> None:
    game, theirs = both(name, seats)
    known, rng, most = Known(), Random(5), 0.0
    for _ in range(games):
        position, state = game.start(), theirs.new_initial_state()
        while actions := compare(position, state, LOWEST[name]):
            known.add(position, state)
            action = rng.choice(list(actions))
            position, state = position.play(actions[action]), state.child(action)
        known.add(position, state)
        most = max(most, *position.returns())
    assert most <= theirs.max_utility() <= game.model.most_paid
    assert game.model.most_paid == 13 if name == "leduc_poker" else most == theirs.max_utility()


@pytest.mark.parametrize(("name", "seats"), [("kuhn_poker", 2), ("leduc_poker", 2)])
def test_nobody_sees_the_card_of_another(name: str, seats: int) -> None:
    game, _ = both(name, seats)
    cards = ("1", "2", "3") if name == "kuhn_poker" else ("2", "4", "6")
    one = game.start().play(cards[0]).play(cards[1])
    other = game.start().play(cards[0]).play(cards[2])
    assert one.information("Ann") == other.information("Ann") != one.information("Bob")
    assert one.view("Ann").to_dict() == other.view("Ann").to_dict()
    assert one.information("Bob") != other.information("Bob")


@pytest.mark.parametrize(
    ("name", "value", "iterations"),
    [("kuhn_poker", -1 / 18, 1000), pytest.param("leduc_poker", -0.0856, 600, marks=pytest.mark.slow)],
)
def test_poker_is_worth_what_is_published(name: str, value: float, iterations: int) -> None:
    game = pysolve.load(name)
    tree, _ = tree_of(game.engine, game.start().state)
    regrets = NativeRegrets(tree)
    regrets.go_on(iterations)
    found = equilibrium(regrets)
    assert found.worth[0] == pytest.approx(value, abs=1e-3)
    assert found.bounds[0] - 5e-5 <= value <= found.bounds[1] + 5e-5
