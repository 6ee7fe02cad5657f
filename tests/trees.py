"""Trees of games with hidden information that do not come from rules: by hand, and of OpenSpiel's games."""

from __future__ import annotations

from typing import Any

from pysolve.search.hidden.tree import CHANCE, GameTree, Situation, grow

Place = tuple[Any, ...]


def of_open_spiel(game: Any) -> GameTree:
    """The tree of a game of OpenSpiel, with its information states."""
    return grow(game.new_initial_state(), _look, game.num_players())


def _look(state: Any) -> Situation[Any]:
    if state.is_terminal():
        return Situation(CHANCE, None, (), (), payoffs=state.returns())
    if state.is_chance_node():
        outcomes = state.chance_outcomes()
        return Situation(CHANCE, None, (), [state.child(one) for one, _ in outcomes], [part for _, part in outcomes])
    player, moves = state.current_player(), state.legal_actions()
    information = state.information_state_string(player)
    return Situation(player + 1, information, moves, [state.child(move) for move in moves])


def matching_pennies(prize: float = 1.0) -> GameTree:
    """Both choose in secret; the first wants equal sides, and wins `prize` where both are heads, 1 where tails."""

    def look(chosen: tuple[int, ...]) -> Situation[tuple[int, ...]]:
        if len(chosen) < 2:
            return Situation(len(chosen) + 1, None, ("heads", "tails"), [(*chosen, 0), (*chosen, 1)])
        worth = (prize if chosen[0] == 0 else 1.0) if chosen[0] == chosen[1] else -1.0
        return Situation(CHANCE, None, (), (), payoffs=(worth, -worth))

    return grow((), look, 2)
