"""Learned values of a game, refined: fitted to what deeper searches say about positions of games by these values.

In: a file of values, or the `evaluate` block, a seed, how many positions.  Out: a `Refining`, which labels positions in
portions, fits the weights, or a net, to all labels, and makes the new file; the match of the new values against the old
ones, and that of the two searches by the new ones.

The same seed and number of positions make the same values, whatever the number of threads.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from hashlib import sha256
from itertools import count
from pathlib import Path
from typing import Any

from pysolve.engines.protocol import DoesNotApply, EngineError, LimitReached
from pysolve.engines.refining import Passed, Refiner
from pysolve.game import Game
from pysolve.lab.labels import Labels
from pysolve.lab.learn import sampled
from pysolve.lab.pairs import OPENING, paired
from pysolve.lab.remote import Remote
from pysolve.lab.sprt import Sprt
from pysolve.players.values import ValuesFile, most_units, write
from pysolve.runtime.files import write_whole
from pysolve.runtime.version import __version__
from pysolve.search.strong import has_strong

POSITIONS, NODES = 300_000, 3000  # what is labelled, and by what
PASSES, NET_PASSES = 12, 30  # how often it is looked at
AT_ONCE = 50  # games whose positions are labelled together
GATE_GAMES, GATE_NODES = 400, 2000
SEARCH_NODES = 10_000  # of the match of the two searches


@dataclass(frozen=True, slots=True)
class Plan:
    """How values are refined."""

    positions: int = POSITIONS  # 0: the values stay as they are, and are tested alone
    nodes: int = NODES  # of the search that labels a position
    passes: int | None = None  # None: as many as are usual
    units: int | None = None  # of a new net in the place of the tables
    evaluate: bool = True  # do the lines of `evaluate` count on, where the old values use them?


class Refining:
    """Values of a game, from the file `old`, that are fitted to deeper searches."""

    def __init__(
        self, game: Game, old: ValuesFile, plan: Plan, seed: int = 1, command: str = "", threads: int = 1,
        compiler: str = "auto",
    ):  # fmt: skip
        """Raises `ValuesError` for values of other rules, `DoesNotApply` where there is no strong search,
        `LimitReached` for more positions than fit into memory and a net that fits into no file, `EngineError` where
        there is no C."""
        old.check(game)
        if not has_strong(game.engine):
            raise DoesNotApply(
                "values are refined by the strong search, which the native engine alone has: see pysolve engines"
            )
        usual = PASSES if plan.units is None and old.values.net is None else NET_PASSES
        self.passes = usual if plan.passes is None else plan.passes
        self.game, self.old, self.plan, self.seed, self.command = game, old, plan, seed, command
        self.passed: list[Passed] = []
        self.gate: dict[str, Any] = {}
        self.searches: dict[str, Any] = {}  # the match of the two searches
        if plan.units is not None and plan.units > (most := most_units(game)):
            raise LimitReached(f"a net for {game.title} may have {most} units: its positions have many values")
        states = sampled(game, seed)
        asked, more = (game.model, old.values, seed, states, plan.nodes), (compiler, plan.units, plan.evaluate)
        self.refiner = Refiner(*asked, threads, *more)
        self._asked = *asked, 1, *more  # on a cluster threads have portions of their own
        if plan.positions > self.refiner.most:
            raise LimitReached(f"at most {self.refiner.most:,} positions of {game.title} can be labelled")

    def key(self) -> dict[str, Any]:
        """What labels depend on: all that a file of labels must have in common with a refining that goes on from it."""
        return {"rules": self.old.rules, "values": sha256(write(self.old).encode()).hexdigest(), "seed": self.seed,
                "nodes": self.plan.nodes, "net": bool(self.refiner.net_units), "evaluate": self.plan.evaluate,
                "games": AT_ONCE, "pysolve": __version__}  # fmt: skip

    def resume(self, kept: Labels) -> int:
        """Takes over the labels that are kept, as far as they are planned: how many there are then.

        Raises `DatabaseError` for a damaged file.
        """
        for portion in kept.portions(self.refiner.largest(AT_ONCE)):
            if self.refiner.count >= self.plan.positions:
                break
            try:
                self.refiner.take(portion, AT_ONCE)
            except ValueError as error:
                raise kept.damaged(str(error)) from None
        return self.refiner.count

    def label(
        self, tick: Callable[[int], None] = lambda _: None, cluster: str | None = None, kept: Labels | None = None
    ) -> int:
        """Labels positions until there are enough, and tells after each portion how many: the number of games.

        The labels are the same where a Dask `cluster` finds them, whose scheduler has this address.  `kept`: the file
        to which they are added, and from which one has resumed.  Raises `EngineError` where games have no positions to
        label, `WorkerError` where no cluster answers, and `DatabaseError` for a file that cannot be written.
        """
        idle = 0
        with self._labelling(cluster) as label:
            while self.refiner.count < self.plan.positions and idle < 2:
                before, games = len(self.refiner.labels), self.refiner.games
                tick(label())
                if kept is not None:
                    kept.add(games // AT_ONCE, bytes(self.refiner.labels[before:]))
                idle = 0 if len(self.refiner.labels) > before else idle + 1
        if not self.refiner.count:
            raise EngineError(f"games of {self.game.title} are over before there is a position to learn from")
        return self.refiner.games

    @contextmanager
    def _labelling(self, cluster: str | None) -> Iterator[Callable[[], int]]:
        """What labels the next portion: the number of labels there are then."""
        if cluster is None:
            yield lambda: self.refiner.label(AT_ONCE)
            return
        with closing(Remote(cluster, Refiner, self._asked)) as remote:
            calls = ((first, AT_ONCE) for first in count(self.refiner.games, AT_ONCE))
            with closing(remote.results("labelled", calls)) as portions:
                yield lambda: self.refiner.take(next(portions), AT_ONCE)

    def fit(self, tick: Callable[[Passed], None] = lambda _: None) -> list[Passed]:
        """Fits the weights to the labels there are, and tells after each pass."""
        self.passed = self.refiner.fit(self.passes, tick)
        return self.passed

    def write(self, path: Path) -> None:
        """Writes the values as they are now."""
        plan, strong = self.plan, bool(self.searches.get("won"))
        if not plan.positions:  # the old values, with what the match of the searches has shown, if it is over
            tested = replace(self.old, made={**self.old.made, "searches": self.searches}, strong=strong)
            write_whole(path, write(tested if self.searches else self.old))
            return
        made = {"pysolve": __version__, "command": self.command, "seed": self.seed, "games": self.refiner.games,
                "positions": self.refiner.count, "nodes": plan.nodes, "passes": self.passes,
                "units": self.refiner.net_units, "searches": self.searches, "from": self.old.made}  # fmt: skip
        file = replace(self.old, values=self.refiner.values(), made=made, gate=self.gate, strong=strong)
        write_whole(path, write(file))

    def test(self, new: Path, old: Path | None, nodes: int, games: int, processes: int) -> Iterator[Sprt]:
        """The match of the new values against the old ones, or against `evaluate`, at the same number of nodes.

        With a net it is played by the strong search: the labels are by one, and a net has no exact sums of what is
        captured, which a plain one of few nodes goes by.
        """
        player = f"minimax:{'search=strong,' if self.refiner.net_units else ''}nodes={nodes}"
        other = player if old is None else f"{player},values={old}"
        told = yield from self._match(f"{player},values={new}", other, nodes, games, processes)
        if told and old is None:
            self.gate = told
            self.write(new)

    def choose(self, new: Path, nodes: int, games: int, processes: int) -> Iterator[Sprt]:
        """The match of the strong search against the plain one, both by the new values, at the same number of nodes:
        the level `expert` plays by the strong one if that is stronger."""
        strong, plain = (f"minimax:{search}nodes={nodes},values={new}" for search in ("search=strong,", ""))
        told = yield from self._match(strong, plain, nodes, games, processes)
        if told:
            self.searches = told
            self.write(new)

    def _match(
        self, one: str, other: str, nodes: int, games: int, processes: int
    ) -> Generator[Sprt, None, dict[str, Any]]:
        """A match until it is decided; what a file says of it."""
        test = Sprt()
        for test in paired(self.game, one, other, games, self.seed, processes):
            yield test
            if test.verdict is not None:
                break
        told = {**test.to_dict(), "nodes": nodes, "opening": OPENING, "seed": self.seed}
        return told if test.games else {}
