"""Games of chance against OpenSpiel's: what may be rolled and how likely, what may be played, who wins."""

from __future__ import annotations

import re
from collections import Counter
from fractions import Fraction
from random import Random
from typing import Any

import pytest

import pysolve
from pysolve.position import Position
from tests.games import load, slow_but

pyspiel: Any = pytest.importorskip("pyspiel")

Men = tuple[tuple[int, ...], ...]  # of each player: how many men have how far to go, from 0, off, to 25, the bar


def likely(state: Any) -> list[Fraction]:
    return [Fraction(one).limit_denominator(10_000) for _, one in state.chance_outcomes()]


def thrown(state: Any) -> tuple[int, int]:
    """The dice of backgammon, as OpenSpiel writes them."""
    found = re.search(r"Dice: (\d)(\d)", str(state))
    assert found
    one, two = sorted(map(int, found.groups()))
    return one, two


def men_of(state: Any) -> Men:
    """The board of OpenSpiel's backgammon."""
    found = []
    for player in (0, 1):
        way = [state.board(player, 24 - far if player == 0 else far - 1) for far in range(1, 25)]
        bar = state.board(player, 100)
        found.append((15 - sum(way) - bar, *way, bar))
    return tuple(found)


def men_in(position: Position) -> Men:
    men = position.to_dict()["state"]["men"]
    return tuple(tuple(men[player][str(far)] for far in range(26)) for player in ("White", "Black"))


def after_turn(position: Position) -> dict[Men, Position]:
    """The boards that a turn can lead to, each with a position."""
    found: dict[Men, Position] = {}
    seen, todo = {position}, [position]
    while todo:
        here = todo.pop()
        if here.chance or here.is_over or here.to_move != position.to_move:
            found[men_in(here)] = here
            continue
        for move in here.legal_moves:
            if (after := here.play(move)) not in seen:
                seen.add(after)
                todo.append(after)
    return found


def after_actions(state: Any) -> dict[Men, Any]:
    """The same of OpenSpiel, which plays a double in two parts."""
    found: dict[Men, Any] = {}
    mover = state.current_player()
    for action in state.legal_actions():
        after = state.child(action)
        goes_on = not after.is_terminal() and not after.is_chance_node() and after.current_player() == mover
        found |= after_actions(after) if goes_on else {men_of(after): after}
    return found


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(6))
def test_backgammon_is_that_of_open_spiel(seed: int) -> None:
    rng, state = Random(seed), pyspiel.load_game("backgammon").new_initial_state()
    position = load("backgammon").start()
    assert sorted(likely(state)) == sorted(one for _, one in position.chance_moves) == [Fraction(1, 30)] * 30
    turns = 0
    while not state.is_terminal():
        assert position.chance
        assert not position.is_over
        if turns:
            theirs_of, ours_of = Counter(), Counter()  # type: ignore[var-annotated]
            for (action, _), chance in zip(state.chance_outcomes(), likely(state), strict=True):
                theirs_of[thrown(state.child(action))] += chance
            for move, chance in position.chance_moves:
                ours_of[tuple(sorted(move.params.values()))] += chance
            assert theirs_of == ours_of
        state.apply_action(rng.choice([action for action, _ in state.chance_outcomes()]))
        low, high = thrown(state)
        first = f"{high}:{low}" if state.current_player() == 0 else f"{low}:{high}"
        position = position.play(first if not turns else f"{low}-{high}")
        ours = {men_in(position): position} if position.chance else after_turn(position)
        theirs = after_actions(state)
        assert ours.keys() == theirs.keys(), (seed, turns, str(state))
        men = rng.choice(sorted(ours))
        position, state = ours[men], theirs[men]
        turns += 1
    assert position.returns() == state.returns()
    assert turns > 20


@pytest.mark.parametrize("seed", slow_but([1], range(10)))
def test_pig_is_that_of_open_spiel(seed: int) -> None:
    rng, state = Random(seed), pyspiel.load_game("pig(winscore=40)").new_initial_state()
    position = pysolve.load("pig", target=40).start()
    while not state.is_terminal():
        assert position.chance == state.is_chance_node()
        assert not position.is_over
        if state.is_chance_node():
            assert likely(state) == [one for _, one in position.chance_moves]
            number = rng.randrange(6)
            state.apply_action(state.chance_outcomes()[number][0])
            position = position.play(str(number + 1))
        else:
            assert state.current_player() == position.game.players.index(position.to_move)
            assert [str(move) for move in position.legal_moves] == ["roll", "hold"]
            number = rng.choice([0, 0, 1])
            state.apply_action(number)
            position = position.child(number)
    assert position.returns() == state.returns()
