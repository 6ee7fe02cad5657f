"""Learned policies: how likely a search is to choose a move, learned from games of Monte Carlo tree search.

In: a game of two players, a seed, how many games.  Out: a `PolicyTraining`, which plays games in rounds, each by the
policy that it has learned from those before, and makes the file; the match of `mcts` with it against `mcts` without.

    games       each move is the one that a tree of `visits` visits likes best, but for some at random
    targets     of each position the squares of the visits of its moves, divided by their sum
    weights     those that make the shares of the policy most like the targets (cross entropy), by AdaGrad, in passes
                over the positions of all games; a round has as many games as all before it

The same seed and number of games make the same policy, whatever the number of threads.

Sources: D. Silver et al., Mastering the Game of Go without Human Knowledge, Nature 550, 2017; J. Duchi, E. Hazan and
Y. Singer, Adaptive Subgradient Methods, Journal of Machine Learning Research 12, 2011.
"""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from math import log, sqrt
from pathlib import Path
from typing import Any, NamedTuple

from pysolve.dsl.analysis.move_patterns import MovePatterns, move_patterns
from pysolve.dsl.analysis.symmetries import Symmetry, likely_symmetries, symmetries
from pysolve.dsl.language.constants import ONE, SHARE_UNIT
from pysolve.engines.protocol import State
from pysolve.game import Game
from pysolve.lab.pairs import OPENING, paired
from pysolve.lab.sprt import Sprt
from pysolve.players.functions import history_of
from pysolve.players.policies import PolicyFile, patterns_of, write
from pysolve.position import Position
from pysolve.runtime.cancellation import Abandoned, abandoned_when
from pysolve.runtime.files import write_whole
from pysolve.runtime.version import __version__
from pysolve.search.mcts import Settings, mcts, planted
from pysolve.search.policy import Policy, shared

VISITS = 400  # of a move
FIRST = 20  # games of the first round
LONGEST = 300  # moves of a game
STRAYS = 0.05  # how often a move is played at random
OPENED = 6  # random moves at the beginning, at most
PASSES = 4
RATE = 0.15 * SHARE_UNIT  # the first step of a weight
DAMPED = 0.3  # a step is smaller where all that has spoken for it is less than this
GATE_GAMES = 200
LIMIT = 20 * SHARE_UNIT  # of a weight
TRIED, MOST_TRIED = 6, 64  # random games that symmetries are tried on, and how many renamings are
WAIT = 0.1  # seconds after which somebody looks whether Ctrl-C was pressed

Key = tuple[int, int]  # a mover, from 0, and a place


class Lesson(NamedTuple):
    """A position of a game: for each move the weights that it selects, and how much it was searched."""

    moves: list[tuple[int, ...]]
    targets: list[float]


class Round(NamedTuple):
    """What was played so far, and how well the policy foresees the moves of the games since the last row.

    `guessed` is how often its first move was that of the search, `chance` the same of a move at random; `surprise` is
    the cross entropy, in nats.  None where no game had a position to learn from, or nothing was learned before.
    """

    games: int
    positions: int
    seconds: float
    guessed: float | None
    chance: float | None
    surprise: float | None


class PolicyTraining:
    """A policy that learns from games of the search that it guides."""

    def __init__(
        self, game: Game, seed: int = 1, visits: int = VISITS, threads: int = 1, command: str = "",
        start: Policy | None = None,
    ):  # fmt: skip
        self.game, self.seed, self.visits, self.threads, self.command = game, seed, visits, threads, command
        self.patterns: MovePatterns = move_patterns(game.model, plausible(game))
        self.games, self.seconds = 0, 0.0
        self.lessons: list[Lesson] = []
        self.gate: dict[str, Any] = {}
        self._numbers: dict[Key, int] = {}  # of what is alike
        self._weights: list[float] = []
        for mover, known in enumerate(start.weights if start else ()):
            for place, weight in known.items():
                self._weights[self._number((mover, place))] = float(weight)

    def _number(self, key: Key) -> int:
        """The number of a weight, the same for all that is alike."""
        if key not in self._numbers:
            for one in self.patterns.alike(*key):
                self._numbers[one] = len(self._weights)
            self._weights.append(0.0)
        return self._numbers[key]

    def policy(self) -> Policy:
        """What was learned so far."""
        found: tuple[dict[int, int], dict[int, int]] = ({}, {})
        for key, number in self._numbers.items():
            if weight := round(self._weights[number]):
                found[key[0]][key[1]] = weight
        return Policy(patterns_of(self.game), found)

    def go_on(
        self, games: int | None, seconds: float | None, tick: Callable[[int, float], None] = lambda *_: None
    ) -> Iterator[Round]:
        """Plays until there are so many games, or for so long; after each round, and at the end, the policy learns.

        After Ctrl-C it learns from the games that are over, before `KeyboardInterrupt` is raised.
        """
        began = time.monotonic() - self.seconds
        over = False
        while not over:
            wanted = max(FIRST, self.games)
            wanted = wanted if games is None else min(wanted, games - self.games)
            fresh, stopped = list[Lesson](), False
            try:
                for lessons in self._played(wanted, None if seconds is None else began + seconds):
                    fresh += lessons
                    self.games += 1
                    self.seconds = time.monotonic() - began
                    tick(self.games, self.seconds)
            except KeyboardInterrupt:
                stopped = True
            row = self._learn(fresh)
            self.seconds = time.monotonic() - began
            yield row._replace(seconds=self.seconds)
            if stopped:
                raise KeyboardInterrupt
            over = self.games == games or (seconds is not None and self.seconds >= seconds)

    def _played(self, count: int, until: float | None) -> Iterator[list[Lesson]]:
        """What so many games teach, in their order, or those that are over in time; at least one."""
        policy = self.policy() if self._weights else None
        settings, stop = Settings(policy=policy), threading.Event()
        self.game.engine.expand(self.game.start().state)  # built before threads begin
        with ThreadPoolExecutor(self.threads) as pool:
            try:
                running = [
                    pool.submit(self._game, number, settings, stop.is_set, until if number > self.games else None)
                    for number in range(self.games, self.games + count)
                ]
                for one in running:
                    found = _awaited(one)
                    if found is None:
                        break
                    yield [self._numbered(*lesson) for lesson in found]
            finally:
                stop.set()
                pool.shutdown(cancel_futures=True)

    def _game(
        self, number: int, settings: Settings, stopped: Callable[[], bool], until: float | None
    ) -> list[tuple[int, list[list[int]], list[float]]] | None:
        """Plays a game: for each position that was searched who moves, what each move selects, and the targets.  None
        if it is stopped, or is not over in time."""

        def late() -> bool:
            return stopped() or (until is not None and time.monotonic() > until)

        lots, found = random.Random(f"{self.seed} {number}"), list[tuple[int, list[list[int]], list[float]]]()
        position, opened = self.game.start(lots.getrandbits(32)), lots.randint(1, OPENED)
        try:
            with abandoned_when(late):
                for ply in range(LONGEST):
                    if position.is_over:
                        break
                    count = len(position.legal_moves)
                    at = lots.randrange(count)
                    if count > 1 and ply >= opened and lots.random() >= STRAYS:
                        at, lesson = self._searched(position, settings, lots.getrandbits(32))
                        found += lesson
                    position = position.play(position.legal_moves[at])
                    if late():
                        return None
        except Abandoned:
            return None
        return found

    def _searched(
        self, position: Position, settings: Settings, seed: int
    ) -> tuple[int, list[tuple[int, list[list[int]], list[float]]]]:
        """The number of the best move of a position, and what is to be learned from it."""
        engine, state = self.game.engine, position.state
        history = history_of(position)
        tree = planted(engine, state, settings, history)
        found = mcts(engine, state, self.visits, seed=seed, settings=settings, history=history, tree=tree)
        assert found.best is not None
        moves = list(position.node.moves)
        best = moves.index(found.best)
        if found.proven is not None:  # its visits say nothing: it ended as soon as it was sure
            return best, []
        visits = [0] * len(moves)
        for branch in tree.branches(tree.root().at):
            visits[branch.number] = branch.visits
        whole = sum(one * one for one in visits)
        held = self.patterns.contents(state)
        seen = [list(self.patterns.places(held, move)) for move in moves]
        return best, [(state[0] - 1, seen, [one * one / whole for one in visits])]

    def _numbered(self, mover: int, moves: Sequence[Sequence[int]], targets: list[float]) -> Lesson:
        return Lesson([tuple(self._number((mover, place)) for place in one) for one in moves], targets)

    def _shares(self, lesson: Lesson) -> list[float]:
        weights = self._weights
        sums = [round(sum(weights[at] for at in one)) for one in lesson.moves]
        return [one / ONE for one in shared(sums)]

    def _learn(self, fresh: list[Lesson]) -> Round:
        """Fits the weights to all lessons; how well the old ones have foreseen the fresh ones."""
        knew, guessed, chance, surprise = bool(any(self._weights)), 0, 0.0, 0.0
        for lesson in fresh:
            shares = self._shares(lesson)
            guessed += lesson.targets[shares.index(max(shares))] == max(lesson.targets)
            chance += 1 / len(shares)
            surprise -= sum(target * log(max(share, 1 / ONE))
                            for target, share in zip(lesson.targets, shares, strict=True))  # fmt: skip
        self.lessons += fresh
        lots, order = random.Random(f"{self.seed} {self.games}"), list(range(len(self.lessons)))
        squares = [DAMPED * DAMPED] * len(self._weights)
        for _ in range(PASSES):
            lots.shuffle(order)
            for number in order:
                self._step(self.lessons[number], squares)
        foreseen, at_random, missed = (one / len(fresh) if fresh else None for one in (guessed, chance, surprise))
        return Round(self.games, len(self.lessons), self.seconds, foreseen if knew else None, at_random, missed)

    def _step(self, lesson: Lesson, squares: list[float]) -> None:
        """Moves the weights that the moves of a position select so that the shares come nearer to the targets."""
        gains = dict[int, float]()
        for one, share, target in zip(lesson.moves, self._shares(lesson), lesson.targets, strict=True):
            for at in one:
                gains[at] = gains.get(at, 0.0) + target - share
        for at, gain in gains.items():
            squares[at] += gain * gain
            weight = self._weights[at] + RATE * gain / sqrt(squares[at])
            self._weights[at] = max(-LIMIT, min(LIMIT, weight))

    def write(self, path: Path) -> None:
        """Writes the policy as it is now."""
        made = {"pysolve": __version__, "command": self.command, "seed": self.seed, "games": self.games,
                "positions": len(self.lessons), "visits": self.visits}  # fmt: skip
        write_whole(path, write(PolicyFile(self.policy(), made, self.gate), self.game))

    def test(self, path: Path, games: int, processes: int) -> Iterator[Sprt]:
        """The match of `mcts` with the policy against `mcts` without, at the same number of random games a move."""
        player = f"mcts:playouts={self.visits}"
        test = Sprt()
        for test in paired(self.game, f"{player},policy={path}", player, games, self.seed, processes):
            yield test
            if test.verdict is not None:
                break
        if test.games:
            self.gate = {**test.to_dict(), "playouts": self.visits, "opening": OPENING, "seed": self.seed}
            self.write(path)


def plausible(game: Game) -> list[Symmetry]:
    """The symmetries of a game that are proved, or those that some random games bear out, if there are more of these.

    What is learned is shared by what is alike, and is only learned more slowly, or less well, where that is wrong.
    """
    proved = symmetries(game.model, setup=False, evaluation=False)
    games = [_random_game(game, seed) for seed in range(TRIED)]

    def holds(one: Symmetry) -> bool:
        return all(_holds(game, one, course) for course in games)

    return max(proved, likely_symmetries(game.model, holds, MOST_TRIED), key=len)


def _random_game(game: Game, seed: int) -> list[tuple[State, int]]:
    """The positions of a game, each with the number of the move that was played, and the last with -1."""
    lots, state, found = random.Random(seed), game.start(seed).state, list[tuple[State, int]]()
    for _ in range(LONGEST):
        node = game.engine.expand(state)
        if not len(node):
            break
        found.append((state, lots.randrange(len(node))))
        state = node.child(found[-1][1])
    return [*found, (state, -1)]


def _holds(game: Game, one: Symmetry, course: Sequence[tuple[State, int]]) -> bool:
    """Are the moves, the positions after them and the result of a game the same after a renaming?"""
    expand = game.engine.expand
    for (state, number), (after, _) in zip(course, [*course[1:], course[-1]], strict=True):
        image = one.state(state)
        if not game.model.states.fullmatch(image):
            return False
        node, other = expand(state), expand(image)
        try:
            moves = [one.move(move) for move in node.moves]
        except KeyError:  # a value that has no image
            return False
        if len(node) != len(other) or set(moves) != set(other.moves):
            return False
        if node.payoff is not None or other.payoff is not None:
            renamed = dict(zip(one.players, node.payoff or (), strict=False))
            if other.payoff != tuple(renamed.get(player) for player in range(1, len(one.players) + 1)):
                return False
        if number >= 0 and other.child(other.moves.index(moves[number])) != one.state(after):
            return False
    return True


def _awaited(one: Future[Any]) -> Any:
    """What a thread has found, waited for so that Ctrl-C is heard."""
    while not one.done():
        wait([one], WAIT, FIRST_COMPLETED)
    return one.result()
