"""Many games at once, as NumPy arrays: legal moves, steps, new games and pictures of positions without a Python loop.

In: a game, how many, a seed.  Out: a `Batch`.  The work is done in C (dsl/to_c/runtime/games.c), by as many threads as
wished: each works on a slice of the games, and what comes out does not depend on how many there are.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor, wait
from ctypes import c_longlong, c_void_p
from typing import Any, NamedTuple, NoReturn

from pysolve.dsl import notation
from pysolve.dsl.language.constants import CUT_BY_STEPS, MISPAID, MISTAKE, MIX, MIX_AGAIN, NO_ROOM, ODD, STOPPED
from pysolve.dsl.model import Game
from pysolve.dsl.model.move_codes import TooLarge, move_codes
from pysolve.dsl.model.move_numbers import MoveNumbers, move_numbers
from pysolve.dsl.model.payoffs import payoffs
from pysolve.dsl.to_c import print_games
from pysolve.engines.bindings import STEPS, Control, move_type
from pysolve.engines.build import BuildError, Library, build, compilers
from pysolve.engines.errors import mispaid
from pysolve.engines.memory import more_moves
from pysolve.engines.protocol import TOO_MANY, Engine, EngineError, LimitReached
from pysolve.notation.planes import Part, Planes
from pysolve.runtime import validation
from pysolve.runtime.optional import needed

np: Any = needed("numpy", "batch", "a batch of games")

LONGEST = 1000  # moves after which a game is cut, by default
MOST_GAMES = 1 << 24
AT_ONCE = 1 << 14  # games for which a thread need not be waited for: Ctrl-C comes between two calls
SLICE = 512  # games for which another thread is worth while
ROOM = 1 << 12  # moves of one position, at first
TRIED = (8, 24)  # games, and moves of each, in which a new library is compared with the engine


class Numbered(ctypes.Structure):
    """A kind of moves among their numbers."""

    _fields_ = [(name, c_longlong) for name in ("first", "begin", "end")]


class Digit(ctypes.Structure):
    """A parameter of a kind of moves."""

    _fields_ = [(name, c_longlong) for name in ("shift", "mask", "stride")]


class Drawn(ctypes.Structure):
    """Part of a picture of the position."""

    _fields_ = [
        ("count", c_longlong), ("places", c_void_p), ("targets", c_void_p), ("marks", c_void_p),
        *((name, c_longlong) for name in ("width", "low", "split", "wide", "run", "values")),
    ]  # fmt: skip


def games_type(arrays: tuple[str, ...]) -> Any:
    """The arrays and tables of a batch, as C knows them."""
    fields = [
        *((name, c_void_p) for name in arrays),
        *((name, c_longlong) for name in ("count", "numbers", "longest", "again", "kinds")),
        *((name, c_void_p) for name in ("numbered", "digits", "parts")),
        *((name, c_longlong) for name in ("part_count", "pixels", "area")),
    ]
    return type("Games", (ctypes.Structure,), {"_fields_": fields})


class Step(NamedTuple):
    """The results of a step for each game.

    The arrays belong to the batch: the next step overwrites them.
    """

    rewards: Any  # for each player, of the games that this step has ended; else zeros
    terminated: Any  # is the game over by its rules?
    truncated: Any  # was it cut, because it has gone on for too long?


class Batch:
    """Many games of one kind, played side by side.

    Game i begins as ``game.start(seed + i)``, and each time that it begins anew with a seed greater by `count`.  With
    `again` a game that is over begins anew at once; without it stands still until `reset`.  A game is cut after
    `longest` moves.  What is left to chance is drawn at once, before the next move of a player, by numbers of their own
    that depend on the seed of the game alone (`pysolve.search.playouts.chance_lots`); `played` counts these moves, too.
    `threads` is how many work at the same time, by default as many as there are processors, but none for less than 512
    games.

    Raises `EngineError` where nothing compiles C, and `TooManyMoves` for a game whose moves cannot be numbered.
    """

    def __init__(
        self, game: Game, engine: Engine, count: int, seed: int = 0, longest: int = LONGEST, again: bool = False,
        threads: int | None = None, library: Library | None = None,
    ):  # fmt: skip
        """Of a checked game, whose `engine` is what a new library is compared with before it is used.

        A `library` that is given is used as it is.
        """
        self.count = validation.whole("count", count, 1, MOST_GAMES)
        self.longest = validation.whole("longest", longest, 1, 1 << 30)
        seed = validation.seed(seed)
        self.game, self.engine = game, engine
        self.numbers: MoveNumbers = move_numbers(game)
        self.planes = Planes(game)
        wished = validation.whole_or_none("threads", threads, 1, 1024) or os.cpu_count() or 1
        self.threads = max(1, min(wished, self.count // SLICE if threads is None else self.count))
        self._players = len(game.players.labels)
        self._lock = threading.RLock()  # C works on the arrays for one question at a time
        self._functions = _Functions(library or _proved(game, engine))
        try:
            self._allocate(seed, bool(again))
        except (MemoryError, ValueError):  # numpy's word for more bytes than there are addresses
            raise LimitReached(f"there is no memory for {self.count:,} games of {game.title}") from None
        self._tables()
        self._workers = [_Worker(game, self.threads, at, self.count) for at in range(self.threads)]
        alone = self.threads == 1 and self.count <= AT_ONCE
        self._pool = None if alone else ThreadPoolExecutor(self.threads, "pysolve-games")
        self.reset()

    def __reduce_ex__(self, protocol: object) -> NoReturn:
        """Raises `TypeError`: a batch is neither pickled nor copied."""
        validation.refuse_copy("a batch", "make another one where it is needed, as in  game.batch(count, seed)")

    def _allocate(self, seed: int, again: bool) -> None:
        count, cells = self.count, self.numbers.count
        remembers = any(ending.repeated is not None for ending in self.game.endings)
        self.states = np.zeros((count, self.game.size), np.uint8)
        self.legal = np.zeros((count, cells), bool)
        self.terminated = np.zeros(count, bool)
        self.truncated = np.zeros(count, bool)
        self.choices = np.zeros(count, np.int32)
        self.played = np.zeros(count, np.int32)
        self._results = np.full(count, -1, np.int64 if self.game.pays else np.int32)
        self._turns = np.zeros(count, np.int32)
        self._seeds = np.arange(count, dtype=np.uint64) + np.uint64(seed)
        self._lots = _mixed(self._seeds + np.uint64(ODD))
        self._luck = np.zeros(count, np.uint64)
        self._past = np.zeros((count, self.longest + 1) if remembers else 1, np.uint64)
        self._moves = np.zeros(count, np.int32)
        self._picture = np.zeros((count, *self.planes.shape), np.uint8)
        unit = self.game.payoff_unit
        few = [(0,) * self._players, *(payoffs(result, self._players) for result in range(self._players + 1))]
        self._payoffs = np.array(few, np.float32) / unit  # nothing yet, a draw, and each player alone
        arrays = {
            "states": self.states, "legal": self.legal, "ended": self.terminated, "cut": self.truncated,
            "results": self._results, "choices": self.choices, "played": self.played, "turns": self._turns,
            "lots": self._lots, "seeds": self._seeds, "past": self._past,
            **({"luck": self._luck} if self.game.chances else {}),
        }  # fmt: skip
        at = (array.ctypes.data for array in arrays.values())
        self._games = games_type(tuple(arrays))(*at, count, cells, self.longest, int(again))
        self._written = tuple(arrays.values())  # C knows where they are, whatever the attributes of a batch are set to
        for array in (self.states, self.legal, self.terminated, self.truncated, self.choices, self.played):
            array.flags.writeable = False

    def _tables(self) -> None:
        """Writes the tables that C reads, and keeps them alive."""
        games, codes = self._games, move_codes(self.game)
        numbered: list[Numbered] = []
        digits: list[Digit] = []
        for place, kind in enumerate(self.numbers.kinds):
            begin, stride = len(digits), kind.count
            for field, values in zip(codes.fields[place] if kind.params else (), kind.params, strict=True):
                stride //= len(values)
                digits.append(Digit(field.shift, (1 << field.bits) - 1, stride))
            numbered.append(Numbered(kind.first, begin, len(digits)))
        parts = [part for seen in self.planes.parts for part in seen]
        self._kept: list[Any] = [(Numbered * len(numbered))(*numbered), (Digit * len(digits))(*digits)]
        drawn = (Drawn * len(parts))(*map(self._drawn, parts))
        self._kept.append(drawn)
        games.kinds, games.numbered, games.digits = len(numbered), *map(ctypes.addressof, self._kept[:2])
        games.parts, games.part_count = ctypes.addressof(drawn), len(self.planes.parts[0])
        games.area, games.pixels = self.planes.area, self.planes.area * self.planes.shape[0]

    def _drawn(self, part: Part) -> Drawn:
        arrays = [None if one is None else np.array(one, np.int32) for one in (part.places, part.targets, part.marks)]
        self._kept += arrays
        at = [None if array is None else array.ctypes.data for array in arrays]
        values = len(part.marks or ())
        return Drawn(len(part.places), *at, part.width, part.low, part.split, part.wide, part.run, values)

    def __repr__(self) -> str:
        return f"<Batch of {self.count:,} games of {self.game.title}>"

    def __len__(self) -> int:
        return self.count

    @property
    def library(self) -> Library:
        """The compiled functions."""
        return self._functions.library

    # ------------------------------------------------------------------------------------------ questions

    @property
    def to_move(self) -> Any:
        """The player to move in each game, from 0; in a game that is over, the one who would be."""
        return self.states[:, 0].astype(np.int8) - 1

    def observe(self) -> Any:
        """What the players to move see of the positions, as planes of bytes, each from the player's side: see `Planes`.

        `planes.names` says what they are.  In a game with secrets players may be told nothing else: `states` and
        `played` are for whoever runs the games.  The next call writes over the array.
        """
        with self._lock:
            self._each(self._functions.observe, self._picture.ctypes.data)
            return self._picture

    def random_moves(self) -> Any:
        """A legal move of each game, by number, all equally likely; 0 in a game that is over."""
        with self._lock:
            self._each(self._functions.draw, self._moves.ctypes.data)
            return self._moves

    def move_text(self, number: int) -> str:
        """The move that a number means, as the rules write it."""
        return notation.move_text(self.game, self.numbers.decode(validation.place(number, self.numbers.count)))

    # -------------------------------------------------------------------------------------------- playing

    def reset(self, which: Any = None) -> None:
        """Begins all games anew, or those for which an array of truth values says so."""
        chosen = np.ones(self._games.count, bool) if which is None else self._array("which", which, "b")
        mine = np.array(chosen, bool, order="C")
        with self._lock:
            self._each(self._functions.reset, mine.ctypes.data, moving=True)

    def step(self, moves: Any) -> Step:
        """Plays a move, given by its number, in each game; what is given for a game that is over does not matter.

        Raises `ValueError` for a move that is not legal, and then no game has moved.
        """
        given = self._array("moves", moves, "iu")
        numbers = np.array(given, np.int32, order="C")  # a copy: nobody changes it between the check and the step
        at, count = numbers.ctypes.data, self._games.count
        with self._lock:
            wrong = self._functions.refused(ctypes.addressof(self._games), 0, count, at)
            if given.dtype.itemsize > 4 and wrong == count and (given != numbers).any():
                wrong = int(np.nonzero(given != numbers)[0][0])
            if wrong < count:
                raise ValueError(f"in game {wrong} {self._said(int(given[wrong]))} is not legal")
            self._each(self._functions.step, at, moving=True)
            return Step(self._rewards(), self.terminated, self.truncated)

    def _said(self, number: int) -> str:
        return f'move {number} ("{self.move_text(number)}")' if 0 <= number < self.numbers.count else f"move {number}"

    def _array(self, name: str, values: Any, kinds: str) -> Any:
        array = np.asarray(values)
        what = "truth values" if kinds == "b" else "whole numbers"
        if array.dtype.kind not in kinds:
            raise TypeError(f"{name} must be an array of {what}, not of {array.dtype}")
        count = self._games.count
        if array.shape != (count,):
            raise ValueError(f"{name} must have the shape ({count},), one for each game, not {array.shape}")
        return array

    def _rewards(self) -> Any:
        """The payoff of each player in the games that have just ended, zeros in the others."""
        if self._players == 2 and not self.game.pays:
            return self._payoffs[self._results + 1]
        rewards = np.zeros((self.count, self._players), np.float32)
        if self._results.min() <= MISPAID:
            raise mispaid(self.engine, int(MISPAID - self._results.min()), None)
        unit = self.game.payoff_unit
        for result in np.unique(self._results[self._results >= 0]):
            rewards[self._results == result] = np.array(payoffs(int(result), self._players), np.float32) / unit
        return rewards

    # --------------------------------------------------------------------------------------------- threads

    def _each(self, function: Any, *arguments: int, moving: bool = False) -> None:
        """Calls a function of C for all games, each worker for its slice; with `moving` moves are looked for."""
        at = ctypes.addressof(self._games)
        calls: list[Callable[[], int]] = []
        for worker in self._workers:
            ask = worker.look if moving else worker.ask
            calls.append(lambda worker=worker, ask=ask: ask(function, at, *arguments))  # type: ignore[misc]
        found = [calls[0]()] if self._pool is None else self._awaited(self._pool, calls)
        for worker, result in zip(self._workers, found, strict=True):
            if result < 0:
                self._complain(result, worker.control)

    def _awaited(self, pool: ThreadPoolExecutor, calls: list[Callable[[], int]]) -> list[int]:
        """The results of all workers; if this thread is interrupted, it waits for them first, as they write to the
        arrays."""
        asked: list[Future[int]] = []
        try:
            asked.extend(pool.submit(call) for call in calls)
            wait(asked)
        except BaseException:
            while not all(one.done() for one in asked):
                for worker in self._workers:
                    worker.stop()
                with contextlib.suppress(KeyboardInterrupt):
                    wait(asked, 0.1)
            raise
        return [one.result() for one in asked]

    def _complain(self, found: int, control: Control) -> None:
        """Raises what has gone wrong in the game that the control block names."""
        if found == MISTAKE:
            seed = int(self._seeds[control.low])
            self.engine.start(seed)  # one of the two raises the mistake, with all that is to be said of it
            self.engine.expand(self.states[control.low].tobytes())
            raise EngineError(f"line {control.error.line} of the rules cannot be carried out in game {control.low}")
        if found == STOPPED and control.cut == CUT_BY_STEPS:
            raise LimitReached(f"a position needs more than {control.steps:,} steps: {TOO_MANY}")
        raise LimitReached("stopped")


class _Worker:
    """One thread's slice of the games, and its memory."""

    def __init__(self, game: Game, workers: int, place: int, count: int):
        self.first, self.end = place * count // workers, (place + 1) * count // workers
        self.control = Control()
        self._type: Any = move_type(move_codes(game))
        self._room = (self._type * ROOM)()

    def stop(self) -> None:
        """Ends the call that this worker is in."""
        self.control.stop = 1

    def ask(self, function: Any, games: int, *arguments: int) -> int:
        """The answer of a function that only looks at the games."""
        found: int = function(games, self.first, self.end, *arguments)
        return found

    def look(self, function: Any, games: int, *arguments: int) -> int:
        """The answer of one that finds legal moves, which may need more room."""
        first = self.first
        while True:
            self.control = control = Control(steps=STEPS, left=STEPS)
            found: int = function(
                ctypes.addressof(control), games, first, self.end, *arguments, self._room, len(self._room)
            )
            if found != NO_ROOM:
                return found
            first = control.low
            self._room = (self._type * more_moves(len(self._room)))()


class _Functions:
    """The functions of a library that plays many games."""

    def __init__(self, library: Library):
        at, number, function = c_void_p, c_longlong, library.function
        self.library = library
        self.reset = function("ps_games_reset", at, at, number, number, at, at, number)
        self.step = function("ps_games_step", at, at, number, number, at, at, number)
        self.refused = function("ps_games_refused", at, number, number, at)
        self.draw = function("ps_games_draw", at, number, number, at)
        self.observe = function("ps_games_observe", at, number, number, at)


def _library(game: Game) -> Library:
    """The compiled games, by the best compiler that there is."""
    failed: Exception | None = None
    try:
        for compiler in compilers():
            try:
                return build(print_games(game), compiler)
            except (BuildError, OSError) as error:
                failed = failed or error
    except (TooLarge, RuntimeError) as error:
        failed = error
    raise EngineError(f"many games at once are played in C, which cannot be built here: {failed}") from None


def _proved(game: Game, engine: Engine) -> Library:
    """The compiled games.  A new library plays some games beside the engine first, except that of tcc."""
    library = _library(game)
    if library.path is not None and not library.proved:
        games, moves = TRIED
        batch = Batch(game, engine, games, library=library)  # none is cut: what chance does counts, too
        for _ in range(moves):
            disagreed = next((at for at in range(games) if not _agrees(batch, engine, at)), None)
            if disagreed is not None:
                state = notation.line(game, batch.states[disagreed].tobytes(), engine.start(0))
                raise EngineError(f"{library.compiler} has built {game.title} for many games, and it plays other moves "
                                  f"than the rules have in {state}")  # fmt: skip
            batch.step(batch.random_moves())
        library.prove()
    return library


def _agrees(batch: Batch, engine: Engine, at: int) -> bool:
    """Has this game of a batch the legal moves that the engine gives, unless an ending asks about the game so far?"""
    node = engine.expand(batch.states[at].tobytes())
    if batch.terminated[at]:
        return node.payoff is not None or batch.game.remembers
    return [batch.numbers.decode(int(one)) for one in np.flatnonzero(batch.legal[at])] == list(node.moves)


def _mixed(z: Any) -> Any:
    """The numbers that splitmix64 makes of its states."""
    z = (z ^ (z >> np.uint64(30))) * np.uint64(MIX)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(MIX_AGAIN)
    return z ^ (z >> np.uint64(31))


__all__ = ["Batch", "Step"]
