"""The levels that every game has: players for people, from easy to hard, chosen by the kind of game.

In: the model of a game.  Out: names, each with the text of a player.  A level that the rules name themselves replaces
the one of the same name.

    evaluate        greedy, then minimax: deeper and deeper, until it has looked at so many positions
    no evaluate     trees of random games, of so many positions
    secrets         the same by what the player knows
    one player      no opponents, but `solve`

Positions are limited and not time, so that a level makes the same moves on every machine and engine.  How many there
are depends on what one of them costs (`pysolve.dsl.analysis.costs`): so an answer takes about as long in every game, a
few tenths of a second in C at most.  `python -m benchmarks levels` plays them against each other.
"""

from __future__ import annotations

from pysolve.dsl.analysis.costs import search_cost
from pysolve.dsl.model import Game

EASY, MEDIUM, HARD, SOLVE = "easy", "medium", "hard", "solve"
LONGEST = 3_000_000  # positions times their cost, for an answer of the hardest level
NODES = (3_000, 100_000)  # positions of such an answer, whatever they cost: at least, and at most
EASIER = 20  # times as many positions as medium has hard
SLOWER = 2  # times as long as a position of minimax takes one of a random game, about
FEWEST = 600  # positions that medium needs to see more than easy
ROLLED = 6_000  # positions of an answer of the hardest level in a game with chance
GUESSED = 10_000  # positions of such an answer in a game with secrets
GLANCE = 200  # positions of easy, which looks at a move and its answers


def levels_of(game: Game) -> dict[str, str]:
    """The levels of a game, those that every game has first, from easy to hard."""
    return {**standard_levels(game), **game.levels}


def standard_levels(game: Game) -> dict[str, str]:
    """The levels that a game has without a word in its rules."""
    if len(game.players.labels) == 1 and not game.pays:
        return {SOLVE: "solver"}
    most = min(max(LONGEST // search_cost(game), NODES[0]), NODES[1])
    if game.chances or game.pays:  # these are searched in Python
        most = min(most, ROLLED)
    if game.secret:
        most = min(most, SLOWER * GUESSED)
    some = max(most // EASIER, FEWEST)
    if game.secret or not game.terms or (game.chances and len(game.players.labels) > 2):
        most //= SLOWER
        some = max(most // EASIER, FEWEST)
        few = some // EASIER
        search = "ismcts" if game.secret else "mcts"
        sizes = {EASY: few, MEDIUM: some, HARD: most}
        return {name: f"{search}:nodes={_rounded(nodes)}" for name, nodes in sizes.items()}
    return {
        EASY: f"minimax:depth=2,nodes={GLANCE},ties=random",
        MEDIUM: f"minimax:nodes={_rounded(some)},ties=random",
        HARD: f"minimax:nodes={_rounded(most)},ties=random",
    }


def _rounded(count: int) -> int:
    """A count with two digits, as people write it."""
    unit: int = 10 ** max(0, len(str(count)) - 2)
    return count // unit * unit
