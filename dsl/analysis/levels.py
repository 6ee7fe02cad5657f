"""The levels that every game has: players for people, from easy to hard, chosen by the kind of game.

In: the model of a game.  Out: names, each with the text of a player.  A level that the rules name themselves replaces
the one of the same name.

    evaluate        minimax: deeper and deeper, until it has looked at so many positions
    no evaluate     trees of random games, of so many positions
    connecting      the same, also with `evaluate`
    secrets         the same by what the player knows
    expert          the same with more positions, and by the strong search in the place of minimax; not where there are
                    chance, secrets or payoffs
    learned values  `expert`, where a file of them lies beside the rules: minimax by them, the strong search if the file
                    says so; where `hard` goes by trees in spite of `evaluate`, the same trees, in the order of the
                    values
    learned policy  `expert` by trees that are guided by it, where a file of it lies beside the rules
    other rules     where the rules name `hard`, and it grows trees by other rules (`mcts:by=FILE`), `expert` does the
                    same with more positions, and by a policy that was learned of those rules
    one player      no opponents, but `solve`; with chance there is nothing to solve, and the levels are those above

Positions are limited and not time, so that a level makes the same moves on every machine and engine.  How many there
are depends on what one of them costs (`pysolve.dsl.analysis.costs`): so an answer takes about as long in every game, a
few tenths of a second in C at most, and with `expert` a second or two.  `python -m benchmarks levels` plays them
against each other.
"""

from __future__ import annotations

import re

from pysolve.dsl.analysis.costs import playout_cost, search_cost
from pysolve.dsl.model import Game, Reach, all_steps, asked_steps
from pysolve.dsl.player_texts import read_player

EASY, MEDIUM, HARD, EXPERT, SOLVE = "easy", "medium", "hard", "expert", "solve"
LONGEST = 3_000_000  # positions times their cost, for an answer of hard
NODES = (2_000, 100_000)  # positions of such an answer, whatever they cost: at least, and at most
DEEPER = 4  # times as many positions as hard has expert
EASIER = 20  # times as many positions as medium has hard
SLOWER = 2  # times as long as a position of minimax takes one of a random game, about
FEWEST = 600  # positions that medium needs to see more than easy
ROLLED = 6_000  # positions of an answer of hard in a game with chance, at most
PYTHON = 12  # times as long as in C takes a position of such a game, which is searched in Python
GUESSED = 10_000  # positions of such an answer in a game with secrets
GLANCE = 200  # positions of easy, which looks at a move and its answers; with chance also at what is rolled between


def levels_of(game: Game, values: str | None = None, strong: bool = False, policy: str | None = None) -> dict[str, str]:
    """The levels of a game, those that every game has first, from easy to hard; `values` is a file of learned ones, and
    `strong` says if they are for the strong search; `policy` is the file of a learned one, of the rules by which `hard`
    thinks."""
    text = _learned(game, values, strong, policy) if thought_by(game) is None else _deeper(game.levels[HARD], policy)
    return {**standard_levels(game), **({} if text is None else {EXPERT: text}), **game.levels}


def thought_by(game: Game) -> str | None:
    """The other rules by which the level `hard` grows its trees, where the rules of the game name such a level."""
    if HARD not in game.levels:
        return None
    name, settings = read_player(game.levels[HARD])
    return settings.get("by") if name == "mcts" else None


def _deeper(text: str, policy: str | None) -> str:
    """The player `mcts` of a text with more positions, and guided by a policy."""
    more = re.sub(r"\b(nodes|playouts)=([0-9]+)", lambda limit: f"{limit[1]}={DEEPER * int(limit[2])}", text)
    return more if policy is None or "policy=" in text else f"{more},policy={policy}"


def _learned(game: Game, values: str | None, strong: bool, policy: str | None) -> str | None:
    """The level `expert` of a game for which files beside its rules have learned values, which may be for the strong
    search, or a learned policy; None where there is none.  Where endings ask how often a position has occurred, it is
    the strong search in any case: plain minimax does not know the game so far."""
    if connects(game) or (plays_out(game) and values is None):
        known = ([] if values is None else ["leaf=playout", f"values={values}"]) + ([f"policy={policy}"] * bool(policy))
        return ",".join([f"mcts:nodes={_rounded(DEEPER * _played(game))}", *known]) if known else None
    if values is None:
        return None
    nodes = f"nodes={_rounded(DEEPER * _most(game, search_cost(game)))}"
    return f"minimax:{f'search=strong,{nodes}' if strong or game.repeats else f'{nodes},ties=random'},values={values}"


def standard_levels(game: Game) -> dict[str, str]:
    """The levels that a game has without a word in its rules."""
    if len(game.players.labels) == 1 and not game.chances and not game.pays:
        return {SOLVE: "solver"}
    deeper = game.is_contest and not game.secret
    if plays_out(game):
        most = _played(game)
        if game.secret:
            most = min(most, GUESSED)
        some = max(most // EASIER, FEWEST)
        search = "ismcts" if game.secret else "mcts"
        sizes = {EASY: some // EASIER, MEDIUM: some, HARD: most} | ({EXPERT: DEEPER * most} if deeper else {})
        return {name: f"{search}:nodes={_rounded(nodes)}" for name, nodes in sizes.items()}
    most = _most(game, search_cost(game))
    some = max(most // EASIER, FEWEST)
    depth = 3 if game.chances else 2
    return {
        EASY: f"minimax:depth={depth},nodes={GLANCE},ties=random",
        MEDIUM: f"minimax:nodes={_rounded(some)},ties=random",
        HARD: f"minimax:nodes={_rounded(most)},ties=random",
        **({EXPERT: f"minimax:search=strong,nodes={_rounded(DEEPER * most)}"} if deeper else {}),
    }


def plays_out(game: Game) -> bool:
    """Do programs find out by random games what a position is worth?"""
    of_chance = bool(game.chances) and len(game.players.labels) > 2
    return game.secret or of_chance or needs_random_games(game)


def needs_random_games(game: Game) -> bool:
    """Do estimates say little, or nothing, of what a position is worth?"""
    return not game.terms or connects(game)


def connects(game: Game) -> bool:
    """Does each move take one place, until a chain of them ends the game, as in Hex?

    Estimates of such positions say little, and random games, which end soon, say much.
    """
    endings = (step for ending in game.endings for step in asked_steps(game, all_steps(ending.body)))
    return all(len(action.params) < 2 for action in game.actions) and any(isinstance(step, Reach) for step in endings)


def _most(game: Game, cost: int) -> int:
    """The positions of an answer of `hard`, of which one costs so much."""
    if game.chances or game.pays:
        return min(max(LONGEST // (cost * PYTHON), FEWEST * SLOWER), ROLLED)
    return min(max(LONGEST // cost, NODES[0]), NODES[1])


def _played(game: Game) -> int:
    """The positions of an answer of `hard` by random games."""
    return _most(game, playout_cost(game)) // SLOWER


def _rounded(count: int) -> int:
    """A count with two digits, as people write it."""
    unit: int = 10 ** max(0, len(str(count)) - 2)
    return count // unit * unit
