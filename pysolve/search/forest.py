"""Several trees of random games at once, each in a thread of its own: root parallelism.

In: an engine, a state, settings, a number of trees.  Out: a tree as `pysolve.search.mcts` has it, whose visits are
those of all.

The trees have different seeds and nothing in common while they grow.  What a position is worth is the mean over the
trees that know it, by their visits; a result that one has proven is proven.  So a limit of visits or nodes, which holds
for each tree, gives the same result on every machine, however many processors there are.

Source: G. M. J.-B. Chaslot, M. H. M. Winands and H. J. van den Herik, Parallel Monte-Carlo Tree Search, Computers and
Games 2008.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import Any

from pysolve.engines.protocol import Engine, State
from pysolve.runtime.cancellation import Abandoned, abandoned_when, go_on
from pysolve.search.history import History
from pysolve.search.mcts import Branch, Settings, Tree, planted, ranked_branches

APART = 1 << 40  # from the seed of a tree to that of the next, so that no two visits have the same
WAIT = 0.05  # seconds after which somebody looks whether the answer is still wanted

Places = tuple[Any, ...]  # a node in each tree, None where it has none


class Forest:
    """Trees with the same root, seen as one."""

    def __init__(self, engine: Engine, state: State, settings: Settings, history: History, count: int):
        self._engine, self._settings = engine, settings
        self._trees: list[Tree] = [planted(engine, state, settings, history) for _ in range(count)]

    @property
    def played(self) -> int:
        """Moves of random games so far, in all trees."""
        return sum(tree.played for tree in self._trees)

    def grow(self, visits: int | None, until: float | None, seed: int, nodes: int | None = None) -> None:
        """Grows each tree within these limits (see `Tree.grow`).

        Where time is the limit, all end as soon as one has proven the result.
        """
        wrong: list[BaseException] = []
        done = threading.Event()

        def grow(number: int, tree: Tree) -> None:
            try:
                with abandoned_when(done.is_set):
                    tree.grow(visits, until, seed + number * APART, nodes)
                if until is not None and tree.root().proven is not None:
                    done.set()
            except Abandoned:
                pass
            except BaseException as error:
                wrong.append(error)
                done.set()

        threads = [
            threading.Thread(target=grow, args=(number, tree), name="pysolve-tree")
            for number, tree in enumerate(self._trees)
        ]
        try:
            for thread in threads:
                thread.start()
            for thread in threads:
                while thread.is_alive():
                    thread.join(WAIT)
                    go_on()
        finally:
            done.set()
            for thread in threads:
                if thread.ident is not None:
                    thread.join()
        if wrong:
            raise wrong[0]

    def root(self) -> Branch:
        """The root, as a branch."""
        return _merged([tree.root() for tree in self._trees], range(len(self._trees)), len(self._trees))

    def branches(self, at: Places) -> list[Branch]:
        """The children of a node that some tree has visited."""
        found: dict[int, list[tuple[int, Branch]]] = {}
        for number, (tree, place) in enumerate(zip(self._trees, at, strict=True)):
            for branch in [] if place is None else tree.branches(place):
                found.setdefault(branch.number, []).append((number, branch))
        return [
            _merged([branch for _, branch in known], [number for number, _ in known], len(at))
            for known in found.values()
        ]

    def ranked(self, at: Places) -> list[Branch]:
        """The same, the best first (see `Tree.ranked`)."""
        return ranked_branches(self.branches(at), self.mover(at))

    def mover(self, at: Places) -> int:
        """The number of the player to move at a node."""
        return next(tree.mover(place) for tree, place in zip(self._trees, at, strict=True) if place is not None)

    def advance(self, at: Places, state: State, history: History) -> None:
        """Makes a node the root; a tree that does not have it begins anew."""
        for number, (tree, place) in enumerate(zip(self._trees, at, strict=True)):
            if place is None:
                self._trees[number] = planted(self._engine, state, self._settings, history)
            else:
                tree.advance(place, state, history)


def _merged(branches: Sequence[Branch], numbers: Sequence[int], count: int) -> Branch:
    """The statistics of a node in all trees that know it, which are numbered: of a proven result those of the first."""
    places: list[Any] = [None] * count
    for number, branch in zip(numbers, branches, strict=True):
        places[number] = branch.at
    visits = sum(branch.visits for branch in branches)
    one = next((branch for branch in branches if branch.proven is not None), None)
    if one is None:
        one, weight = branches[0], max(1, visits)
        values = tuple(
            sum(branch.visits * branch.values[at] for branch in branches) // weight for at in range(len(one.values))
        )
        value = sum(branch.visits * branch.value for branch in branches) // weight
        one = one._replace(value=value, values=values)
    return one._replace(visits=visits, at=tuple(places))
