"""Learned values of a game: games against itself, a file to go on from, and a test at the end.

In: a game of two players without chance and secrets; a seed; how long.  Out: `Training`, which learns in rounds, each
with twice as many games in all as the one before, and says after each how the values play against those of the last
round and against the `evaluate` block; and a `gate`, the SPRT of both.

A round is a number of games, so the same seed and number of games make the same values, however often one has stopped
between.  A training that is killed goes on from its last checkpoint.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

from pysolve.dsl.analysis.patterns import Patterns, byte_by_byte, patterns, play_digest
from pysolve.dsl.analysis.symmetries import symmetries
from pysolve.dsl.player_texts import refuse_values
from pysolve.engines.learning import Learner
from pysolve.engines.protocol import State
from pysolve.engines.teaching import Searched, SearchLearner
from pysolve.game import Game
from pysolve.lab.pairs import OPENING, paired
from pysolve.lab.remote import Remote
from pysolve.lab.sprt import Sprt
from pysolve.notation import record as records
from pysolve.players.values import ValuesFile, write
from pysolve.runtime.files import write_bytes, write_whole
from pysolve.runtime.validation import LONGEST_WAIT, MASK, number, whole
from pysolve.runtime.version import __version__

FIRST = 500  # games of the first round
PLAYED_AT_ONCE = 50  # games between two looks at the clock
SAMPLED = 400  # positions by which the lines of `evaluate` are measured
KEEP = 30.0  # seconds between checkpoints
CHECK_GAMES, CHECK_NODES = 60, 500  # of the matches after a round
SOON = 5.0  # seconds of learning that are worth such a match
GAIN = 0.52  # a round that doubles the games and scores no more against the last one gains nothing
PATIENCE = 2  # rounds without a gain
GATE_GAMES, GATE_NODES = 600, 1000
LARGEST = 64 << 20  # bytes of a checkpoint
MOST_GAMES = 1 << 40  # of a checkpoint


class CheckpointError(ValueError):
    """A checkpoint cannot be gone on from."""


@dataclass(frozen=True, slots=True)
class Limits:
    """When a training ends: after so many games, or seconds of learning; or where rounds gain nothing any more."""

    games: int | None = None
    seconds: float | None = None
    gains: bool = True  # does it end where rounds gain nothing?


@dataclass(frozen=True, slots=True)
class Round:
    """How things stand after a round."""

    games: int
    seconds: float  # of learning
    against_last: float | None  # share of the points against the values of the last round
    against_evaluate: float | None

    def to_dict(self) -> dict[str, Any]:
        """For programs."""
        return {"games": self.games, "seconds": round(self.seconds, 1), "against_last": self.against_last,
                "against_evaluate": self.against_evaluate}  # fmt: skip

    @classmethod
    def of(cls, told: Any) -> Round:
        """A round from its `to_dict`; raises `TypeError`, `ValueError` or `KeyError` for what is none."""
        last, evaluate = (
            None if told[key] is None else number(key, told[key], 0, 1) for key in ("against_last", "against_evaluate")
        )
        return cls(
            whole("games", told["games"], 0, MOST_GAMES), number("seconds", told["seconds"], 0, LONGEST_WAIT),
            last, evaluate,
        )  # fmt: skip


Tick = Callable[[int, float], None]  # games and seconds of learning so far


class Training:
    """Values of a game that learn; `out` is their file, `kept` the checkpoint beside it."""

    def __init__(
        self, game: Game, name: str, out: Path, seed: int = 1, command: str = "", compiler: str = "auto",
        evaluate: bool = True, search: int | None = None, threads: int = 1,
    ):  # fmt: skip
        """`evaluate`: are the lines of the `evaluate` block looked at, too?  `search`: games are played by searches of
        so many positions a move, by so many `threads`, and learned from all that these find out.

        Raises `UnknownPlayer` for a game of another kind, `EngineError` where there is no C.
        """
        refuse_values("values", game.model)
        self.game, self.name, self.out, self.seed, self.command = game, name, out, seed, command
        self.rules = play_digest(game.model)
        found = symmetries(game.model, setup=False, evaluation=False)
        self.patterns: Patterns = patterns(game.model, byte_by_byte(found))
        self.evaluate, self.search = evaluate, search
        looked_at = game.model if evaluate else replace(game.model, terms=())
        asked = looked_at, self.patterns, seed, sampled(game, seed)
        self.learner: Learner = (
            Learner(*asked, compiler=compiler) if search is None else SearchLearner(*asked, search, threads, compiler)
        )
        self._asked = *asked, search, 1, compiler  # on a cluster threads have games of their own
        self.seconds = 0.0
        self.rounds: list[Round] = []
        self.gate: dict[str, Any] = {}
        self._last: Path | None = None  # the values of the last round, for a match
        self._saved = time.monotonic()

    @property
    def kept(self) -> Path:
        """The file from which a training goes on that was stopped or killed."""
        return self.out.with_name(f"{self.out.name}.learning")

    def _key(self) -> dict[str, Any]:
        """What a checkpoint must have in common with a training that goes on from it."""
        return {"checkpoint": 1, "rules": self.rules, "seed": self.seed, "entries": self.patterns.entries,
                "groups": [len(groups) for groups in self.patterns.groups], "evaluate": self.evaluate,
                "search": self.search, "pysolve": __version__}  # fmt: skip

    def keep(self) -> None:
        """Writes the checkpoint."""
        games, lots, weights, lines = self.learner.state()
        told = {**self._key(), "games": games, "lots": lots, "seconds": self.seconds,
                "rounds": [one.to_dict() for one in self.rounds]}  # fmt: skip
        write_bytes(self.kept, [json.dumps(told).encode(), b"\n", weights, lines])
        self._saved = time.monotonic()

    def resume(self) -> bool:
        """Goes on from the checkpoint, if there is one; raises `CheckpointError` for one of another training."""
        try:
            with self.kept.open("rb") as file:
                raw = file.read(LARGEST + 1)
        except FileNotFoundError:
            return False
        head, _, rest = raw.partition(b"\n")
        other = f"{self.kept} is the checkpoint of another training"
        try:
            told = {"search": None, **json.loads(head)}  # some were written before there was --search
            if {key: told[key] for key in self._key()} != self._key() or len(raw) > LARGEST:
                what = "of other rules, another seed, another choice of --search or --no-evaluate, or another pysolve"
                raise CheckpointError(f"{other}, {what}: remove it, or choose another -o")
            size = len(self.learner.state()[2])
            games, lots = whole("games", told["games"], 0, MOST_GAMES), whole("lots", told["lots"], 0, MASK)
            seconds = number("seconds", told["seconds"], 0, LONGEST_WAIT)
            self.rounds = [Round.of(one) for one in told["rounds"]]
            self.learner.resume(games, lots, rest[:size], rest[size:])
            self.seconds = seconds
        except CheckpointError:
            raise
        except (ValueError, TypeError, KeyError, AttributeError, OverflowError, RecursionError):
            raise CheckpointError(f"{self.kept} is damaged: remove it, or choose another -o") from None
        return True

    def write(self, path: Path | None = None) -> None:
        """Writes the values as they are now."""
        names = tuple(term.name for term in self.game.model.terms)
        made = {"pysolve": __version__, "command": self.command, "seed": self.seed, "games": self.learner.games,
                "seconds": round(self.seconds, 1), "evaluate": self.evaluate, "search": self.search}  # fmt: skip
        file = ValuesFile(
            self.name, records.option_words(self.game), self.rules, self.learner.values(), names, made, self.gate
        )
        write_whole(path or self.out, write(file))

    @contextmanager
    def on_cluster(self, address: str | None) -> Iterator[None]:
        """Meanwhile the workers of the Dask scheduler at this address, if there is one, play the games by search, for
        the same values.  Raises `WorkerError` where none answers."""
        if address is None or not isinstance(self.learner, SearchLearner):
            yield
            return
        with closing(Remote(address, SearchLearner, self._asked)) as remote:
            self.learner.elsewhere = partial(_searched, remote)
            try:
                yield
            finally:
                self.learner.elsewhere = None

    def go_on(self, limits: Limits, tick: Tick, processes: int = 1) -> Iterator[Round]:
        """Learns round by round, until a limit is reached; after each a checkpoint is written, and the values."""
        while not self._done(limits):
            self._learn(limits, tick)
            found = self._round(processes)
            self.rounds.append(found)
            self.keep()
            self.write()
            yield found
        self.write()

    def _done(self, limits: Limits) -> bool:
        return self._reached(limits) or (limits.gains and self._stands_still())

    def _reached(self, limits: Limits) -> bool:
        enough = limits.games is not None and self.learner.games >= limits.games
        return enough or (limits.seconds is not None and self.seconds >= limits.seconds)

    def _learn(self, limits: Limits, tick: Tick) -> None:
        """Plays the games of a round, or fewer where a limit ends it."""
        goal = FIRST
        while goal <= self.learner.games:
            goal *= 2
        while self.learner.games < goal:
            if self._reached(limits):
                return
            games = min(PLAYED_AT_ONCE, goal - self.learner.games, (limits.games or goal) - self.learner.games)
            began = time.monotonic()
            try:
                self.learner.play(games)
            finally:
                self.seconds += time.monotonic() - began
            tick(self.learner.games, self.seconds)
            if time.monotonic() - self._saved > KEEP:
                self.keep()

    def _round(self, processes: int) -> Round:
        """Plays the values against those of the last round and against `evaluate`, where there was time to learn."""
        before = self.rounds[-1].seconds if self.rounds else 0.0
        found = Round(self.learner.games, self.seconds, None, None)
        if self.seconds - before < SOON:
            return found
        beside = self.out.with_name(f".{self.out.name}.last")
        now = self.out.with_name(f".{self.out.name}.now")
        try:
            self.write(now)
            thinks, plays = f"minimax:nodes={CHECK_NODES},values={now}", f"minimax:nodes={CHECK_NODES}"
            last = None
            if self._last is not None:
                last = self._share(thinks, f"{plays},values={beside}", processes)
            found = Round(self.learner.games, self.seconds, last, self._share(thinks, plays, processes))
            self._last = now.replace(beside)
        finally:
            now.unlink(missing_ok=True)
        return found

    def _share(self, first: str, second: str, processes: int) -> float:
        *_, test = paired(self.game, first, second, CHECK_GAMES, self.seed + len(self.rounds), processes)
        return round(test.score, 3)

    def _stands_still(self) -> bool:
        lately = [one.against_last for one in self.rounds[-PATIENCE:]]
        return len(lately) == PATIENCE and all(one is not None and one <= GAIN for one in lately)

    def test(self, nodes: int, games: int, processes: int) -> Iterator[Sprt]:
        """The gate: the values, as they are written, against the `evaluate` block at the same number of nodes."""
        plain = f"minimax:nodes={nodes}"
        test = Sprt()
        for test in paired(self.game, f"{plain},values={self.out}", plain, games, self.seed, processes):
            yield test
            if test.verdict is not None:
                break
        if test.games:
            self.gate = {**test.to_dict(), "nodes": nodes, "opening": OPENING, "seed": self.seed}
            self.write()

    def end(self) -> None:
        """Removes what only a training needs that is not over."""
        self.out.with_name(f".{self.out.name}.last").unlink(missing_ok=True)

    def forget(self) -> None:
        """Removes the checkpoint."""
        self.kept.unlink(missing_ok=True)


def _searched(remote: Remote, first: int, games: int, *numbers: bytes) -> Searched:
    """Games of a `SearchLearner`, of which each thread of a cluster plays a share."""
    told, share = tuple(map(remote.sent, numbers)), -(-games // remote.threads)
    calls = ((at, min(share, first + games - at), *told) for at in range(first, first + games, share))
    parts: list[Searched] = list(remote.results("searched", calls))
    return Searched([one for part in parts for one in part.labels], [row for part in parts for row in part.results])


def sampled(game: Game, seed: int) -> list[State]:
    """Positions of random games."""
    rng, found = Random(seed), list[State]()
    number = 0
    while len(found) < SAMPLED and number < SAMPLED:
        state = game.engine.start(number)
        number += 1
        while (node := game.engine.expand(state)).payoff is None and len(found) < SAMPLED:
            found.append(state)
            state = node.child(rng.randrange(len(node)))
    return found
