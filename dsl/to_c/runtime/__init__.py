"""What every game needs in C, besides its own tables and functions, which stand between `BEFORE` and the rest.

    types         numbers, a position, mistakes, what both sides read and write while a question is answered
    arithmetic    quotients, powers and roots as the rules mean them
    bits          numbers as rows of bits, and bytes compared many at once
    sampling      how a random number draws a move
    sets          sets of up to 64 * N values
    moves         lists of moves, and their order

    api           what Python asks about a position: legal moves, the positions after them, estimates
    perft         sequences of moves
    turns         the positions of one turn, and after it
    sequences     sequences of whole turns
    playouts      games of random moves, and what endings ask of a game so far
    tree_search   Monte Carlo tree search
    alpha_beta    the search of `minimax`
    retrograde    every position that can be reached, and what each is worth
    proof         proof-number search

Each file needs those before it.
"""

from __future__ import annotations

from pathlib import Path

HERE = Path(__file__).parent
BEFORE = "types", "arithmetic", "bits", "sampling", "sets", "moves"
PLAYING = "api", "perft", "turns", "sequences", "playouts", "tree_search", "alpha_beta"
SOLVING = "retrograde", "proof"


def runtime(parts: tuple[str, ...]) -> str:
    """Some parts of the runtime, one behind the other."""
    return "\n".join((HERE / f"{part}.c").read_text(encoding="utf-8") for part in parts)
