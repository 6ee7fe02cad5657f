"""The same game in steps that C is quick at: fewer rules to call, fewer values to read, more that is known beforehand.

In: a checked game.  Out: one with the same moves in the same order, ends and values.  Passes, one after the other, each
a file with what it requires and ensures at its head; `pysolve show NAME --stage prepared --after PASS` shows what comes
out of each:

    inlining                small rules stand where they were asked
    mobility                whether there is a move is asked, not how many there are
    hoisting                who moves is read at the beginning
    redundant-reads         a place that was read, or compared with something, is not read again
    comparison-fusion       a value that is read only to be compared is compared in its place
    flattening              no `some` within `some`; what is cheap, or need not be chosen, comes first
    quantifier-splitting    whether places exist for all values is asked apart from what they hold
    tabulation              steps that do not read the position become one row of a table

`unordered` goes on from there, for those to whom order and repetition of moves do not matter; `evaluation` carries
out what does not read the position; `bodies` has what passes share.
"""

from __future__ import annotations

from collections.abc import Callable

from pysolve.dsl.model import Game
from pysolve.dsl.passes.comparison_fusion import fuse_comparisons
from pysolve.dsl.passes.flattening import flatten
from pysolve.dsl.passes.hoisting import hoist
from pysolve.dsl.passes.inlining import inline
from pysolve.dsl.passes.mobility import ask_for_existence
from pysolve.dsl.passes.quantifier_splitting import split_quantifiers
from pysolve.dsl.passes.redundant_reads import drop_redundant_reads
from pysolve.dsl.passes.tabulation import tabulate

PASSES: dict[str, Callable[[Game], Game]] = {
    "inlining": inline,
    "mobility": ask_for_existence,
    "hoisting": hoist,
    "redundant-reads": drop_redundant_reads,
    "comparison-fusion": fuse_comparisons,
    "flattening": flatten,
    "quantifier-splitting": split_quantifiers,
    "tabulation": tabulate,
}  # in the order in which they are carried out
LAST = list(PASSES)[-1]


def prepared(game: Game, after: str = LAST) -> Game:
    """The game as it comes out of the pass `after`, with all passes before it."""
    for name, change in PASSES.items():
        game = change(game)
        if name == after:
            return game
    raise ValueError(f'there is no pass "{after}": {", ".join(PASSES)}')
