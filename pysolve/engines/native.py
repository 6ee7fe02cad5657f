"""The native engine: the C of a game, compiled and asked through ctypes.

In: a checked game.  Out: answers to the questions of `pysolve.engine`, the same as from Prolog and in the same order.
Long questions are answered in C, while other threads run; a control block in shared memory says how far they are and
lets Ctrl-C stop them.
"""

from __future__ import annotations

import contextlib
import ctypes
import functools
import mmap
import struct
import sys
import threading
import time
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from ctypes import c_char_p, c_longlong, c_void_p
from typing import Any, NamedTuple

from dsl.model import Game
from dsl.model.move_codes import Codes, TooLarge, move_codes
from dsl.model.player_texts import DEEPEST, EVALUATE, MAX
from pysolve import cache, doors
from pysolve import perft as counting
from pysolve.engine import TOO_MANY, EngineError, LimitReached, Move, Node, RuleMistake, State
from pysolve.engines.build import (
    BuildError,
    Compiler,
    Library,
    NoCompiler,
    Refused,
    build,
    cached,
    compilers,
    digest_of,
    quick_ones,
)
from pysolve.engines.errors import MISSING, NOTHING_TO_PICK, rule_mistake
from pysolve.engines.self_check import Disproved, Proof, begun
from pysolve.engines.solver import NativeProver, solved
from pysolve.search.history import Past, checked_past
from pysolve.search.mcts import DEEPEST as TREE_DEEPEST
from pysolve.search.mcts import LONGEST, Branch, Settings, bias_of, checked_settings, weight, weights
from pysolve.search.minimax import BEYOND, HISTORY_BITS, MARKS, Horizon, Stopped, Visit, checked_table, checked_visit
from pysolve.search.playouts import Playouts
from pysolve.search.playouts import checked as counting_games
from pysolve.search.retrograde import Begun, Table
from pysolve.turns import EndlessTurn, TurnCounter

NO_ROOM, MISTAKE, STOPPED, ENDLESS, UNSOUND = -1, -2, -3, -4, -5  # as in dsl/to_c/runtime.c
UNSOUND_VALUE = -(2**63)  # likewise, of an estimate
CUT_BY_STEPS = 2  # as in dsl/to_c/before.c
UNKNOWN = 2  # likewise, of a result
OUT_OF_RANGE, NO_VALUE, NO_PICK = 1, 2, 3  # as in dsl/to_c/effects.py
POSITIONS_FULL = 2  # likewise, of a turn
ROOM = 1 << 15  # moves of one position
SMALL_TURN = 1 << 8  # positions
LARGEST_TURN = 1 << 23  # positions; they take some gigabytes
MOST_MOVES = 1 << 23  # of one position
DEEP = 1 << 20  # moves of all positions on the way to a deep one
WORD = 8  # bytes that C may write behind the last position
AT_ONCE = 1000  # positions that are answered in one go: Ctrl-C waits for no more
FEW = 1 << 17  # entries of the first table of a search; when half of them are taken, a greater one takes its place
STEPS = 200_000_000  # turns of loops that one position may take, where they are counted; a second, ten with tcc
QUICK_STEPS = 1_000_000  # of them where nobody looks whether the question is stopped
WAIT = 0.05  # seconds between looks at how far a long question is

Tick = Callable[[int], None]


class Error(ctypes.Structure):
    """What went wrong in C."""

    _fields_ = [(name, c_longlong) for name in ("kind", "line", "slot", "value")]


class Control(ctypes.Structure):
    """Shared with C while it answers."""

    _fields_ = [
        *((name, c_longlong) for name in ("stop", "nodes", "ended", "low", "high")), ("error", Error),
        *((name, c_longlong) for name in ("steps", "left", "slice", "cut")),
    ]  # fmt: skip


class NativeEngine:
    """Answers for one game from its C.  May be used from any thread.

    Raises `NoCompiler` if nothing here compiles C, and `TooLarge` for a game whose tables do not fit.
    """

    name = "native"

    def __init__(
        self, game: Game, compiler: str = "auto", proof: bool = True, kept: str | None = None, steps: int = STEPS
    ):
        """`compiler` is "cc", "zig", "tcc" or "auto": the best there is, and a quick one until that has built the game.

        A new library proves itself before it is used, except that of tcc; without `proof` it is used at once.
        `kept` is the name under which the cache has the game: C that it remembers is not printed again.
        `steps` limits each question about one position, in a game whose rules can take very long.
        """
        self.game = game
        self._kept = kept
        self._steps = steps
        self._size = game.size
        self._codes = move_codes(game)
        self._move_type = move_type(self._codes)
        self._local = threading.local()
        ladder = compilers(compiler)
        quick = quick_ones(ladder) if compiler == "auto" else []
        library = self._cached(ladder[0], proof or bool(quick))
        if library is not None:
            self._functions = _Functions(library, ctypes.sizeof(self._move_type))
        elif quick and quick != ladder:
            self._functions = self._built(quick, proof)
            with contextlib.suppress(BuildError, OSError):
                waiting = (ladder[0], begun(game, ladder[0].name, kept))
                threading.Thread(target=self._improve, args=waiting, name="pysolve-build", daemon=True).start()
        else:
            self._functions = self._built(ladder, proof)

    def text(self, compiler: Compiler) -> str:
        """The C of the game, in the shape that suits a compiler."""
        from dsl.to_c import print_c

        return print_c(self.game, sets=not compiler.in_memory)

    def _cached(self, compiler: Compiler, proof: bool) -> Library | None:
        """The library of the game, if the cache has it; with `proof`, if it has proved itself, too.

        For a game that is kept the cache says which C it has, so nothing is printed to find out.
        """
        if compiler.in_memory:
            return None
        digest = digest_of(self.text(compiler)) if self._kept is None else cache.kept(self._kept + cache.PRINTED)
        library = cached(digest, compiler) if isinstance(digest, str) else None
        return library if library is not None and (library.proved or not proof) else None

    @property
    def library(self) -> Library:
        """What answers now."""
        return self._functions.library

    @property
    def compiler(self) -> str:
        """Which compiler made it."""
        return self.library.compiler

    def _improve(self, compiler: Compiler, proof: Proof) -> None:
        """Swaps the better build in when it is ready and has proved itself; what is there answers as well."""
        try:
            proof.wait()
            library = self._cached(compiler, proof=True)
            if library is not None:
                self._functions = _Functions(library, ctypes.sizeof(self._move_type))
        except Refused as error:  # it is played all the same, but somebody should know
            warnings.warn(f"{self.game.title}: {error}", RuntimeWarning, stacklevel=1)
        except (BuildError, Disproved, OSError):
            pass

    def _built(self, ladder: list[Compiler], proof: bool) -> _Functions:
        """The functions by the first compiler that does it; with `proof` its library has proved itself."""
        failed: list[BuildError | Disproved] = []
        for compiler in ladder:
            try:
                library = self._cached(compiler, proof) if self._kept is not None else None
                if library is None:
                    library = self._compiled(compiler, proof and not compiler.in_memory)
                return _Functions(library, ctypes.sizeof(self._move_type))
            except (BuildError, Disproved) as error:
                failed.append(error)
        refused = next((error for error in failed if isinstance(error, Refused)), None)
        raise refused or BuildError(str(failed[0]))

    def _compiled(self, compiler: Compiler, proof: bool) -> Library:
        """A new library; the process in which it proves itself starts while it is printed and built here."""
        with begun(self.game, compiler.name, self._kept) if proof else contextlib.nullcontext():
            text = self.text(compiler)
            if self._kept is not None and not compiler.in_memory:
                cache.keep(self._kept + cache.PRINTED, digest_of(text))
            return build(text, compiler)

    def close(self) -> None:
        """There is nothing to give back."""

    # ------------------------------------------------------------------------------------- questions

    def _buffers(self) -> _Buffers:
        found: _Buffers | None = getattr(self._local, "buffers", None)
        if found is None:
            found = self._local.buffers = _Buffers(self._move_type)
        return found

    def control(self, steps: int | None = None) -> Control:
        """What is shared with C for one question."""
        allowed = self._steps if steps is None else min(steps, self._steps)
        return Control(steps=allowed, left=allowed)

    def _ask(self, function: Any, *args: Any) -> tuple[int, Control]:
        """Asks a short question at once; if it proves to be a long one, again in a thread, so that it can be stopped.

        Only a game in which steps are counted has such questions.
        """
        control = self.control(QUICK_STEPS)
        found: int = function(ctypes.byref(control), *args)
        if control.cut:
            control = self.control()
            found = self._answer(control, None, function, *args)
            if found == STOPPED:
                raise LimitReached("stopped")
        return found, control

    def expand(self, state: State) -> NativeNode:
        """All that can be asked about a position."""
        self._measured(state)
        buffers = self._buffers()
        functions = self._functions
        children_at = buffers.children_at(self.game.size) if functions.tries else None
        if functions.bounded:
            count, control = self._ask(
                functions.expand, state, buffers.moves_at, buffers.room, buffers.result_at, children_at
            )
        else:
            control = buffers.control
            count = functions.expand(
                buffers.control_at, state, buffers.moves_at, buffers.room, buffers.result_at, children_at
            )
        if count == NO_ROOM:
            buffers.grow()
            return self.expand(state)
        if count == MISTAKE:
            raise self.explained(control.error, state)
        if count == UNSOUND:
            doors.refuse(self.game, state)
        after = None if children_at is None else ctypes.string_at(children_at, count * self.game.size)
        return NativeNode(self, state, buffers.moves[:count], after, buffers.result[0], buffers.result[1])

    def start(self, seed: int = 0) -> State:
        """The initial state; its lots are drawn from the seed."""
        out = ctypes.create_string_buffer(self.game.size)
        found, control = self._ask(self._functions.start, doors.seed(seed), out)
        if found == MISTAKE:
            raise self.explained(control.error, None)
        return out.raw

    def estimate(self, state: State) -> tuple[int, ...]:
        """The `evaluate` block for each player."""
        self._measured(state)
        value, _ = self._ask(self._functions.estimate, state)
        if value == UNSOUND_VALUE:
            doors.refuse(self.game, state)
        return value, -value

    def judge(self, state: State, turns: int, times: int) -> tuple[int, int] | None:
        """Ending and winner (0 for a draw) after so many turns, the position having occurred so many times."""
        self._measured(state)
        turns, times = doors.whole("turns", turns, 0), doors.whole("times", times, 0)
        buffers = self._buffers()
        ending, _ = self._ask(self._functions.judge, state, turns, times, buffers.result_at)
        if ending == UNSOUND:
            doors.refuse(self.game, state)
        return (ending, buffers.result[0]) if ending else None

    def _measured(self, state: Any) -> None:
        """Refuses what is not a string of as many bytes as C reads; their values C itself looks at."""
        if not isinstance(state, bytes) or len(state) != self._size:
            doors.refuse(self.game, state)

    def sound(self, *states: State) -> None:
        """Refuses what is no state of the game: what is asked in a thread, or at length, comes through here."""
        for state in states:
            self._measured(state)
        wrong = self._functions.sound(b"".join(states), len(states))
        if wrong < len(states):
            doors.refuse(self.game, states[wrong])

    def standing(self, state: State, ending: int) -> list[tuple[int, ...]]:
        """For an ending that compares numbers: those of all players, for each line that it compares."""
        self.sound(state)
        ending = doors.whole("ending", ending, 0)
        contest, players = self.game.contests.get(ending), len(self.game.players.labels)
        if contest is None:
            return []
        numbers = (c_longlong * (players * len(contest.compared)))()
        stuck = int(ending > len(self.game.endings))
        self._ask(self._functions.standing, state, ending, stuck, ctypes.addressof(numbers))
        return [tuple(numbers[at : at + players]) for at in range(0, len(numbers), players)]

    def _children(self, state: State, moves: Sequence[int]) -> list[State]:
        """The states after legal moves, given as numbers."""
        size = self.game.size
        codes = (self._move_type * len(moves))(*moves)
        out = ctypes.create_string_buffer(size * len(moves) + WORD)
        found, control = self._ask(self._functions.children, state, codes, len(moves), out)
        if found == MISTAKE:
            raise self.explained(control.error, state)
        raw = out.raw
        return [raw[i : i + size] for i in range(0, size * len(moves), size)]

    def expand_many(self, states: Sequence[State], children: bool = False) -> list[Node]:
        """The answers for many positions; with `children` the positions after all moves, too."""
        states, children = doors.listed("states", states, "a list of states"), bool(children)
        self.sound(*states)
        functions, size, buffers = self._functions, self.game.size, self._buffers()
        width = ctypes.sizeof(self._move_type)
        found: list[Node] = []
        while len(found) < len(states):
            rest = states[len(found) : len(found) + AT_ONCE]
            about = (c_longlong * (3 * len(rest)))()
            children_at = buffers.children_at(size) if children else None
            done, control = self._ask(
                functions.expand_many, b"".join(rest), len(rest), buffers.moves_at, buffers.room, about, children_at,
                int(children),
            )  # fmt: skip
            if done == NO_ROOM:
                buffers.grow()
                continue
            if done == MISTAKE:
                raise self.explained(control.error, rest[control.low])
            total = sum(about[: 3 * done : 3])
            codes = memoryview(ctypes.string_at(buffers.moves_at, total * width)).cast("I" if width == 4 else "Q")
            after = None if children_at is None else ctypes.string_at(children_at, total * size)
            first = 0
            for number in range(done):
                count, ending, winner = about[3 * number : 3 * number + 3]
                here = None if after is None else after[first * size : (first + count) * size]
                found.append(NativeNode(self, rest[number], codes[first : first + count], here, ending, winner))
                first += count
        return found

    def estimate_many(self, states: Sequence[State]) -> list[tuple[int, ...]]:
        """The `evaluate` block of many positions."""
        states = doors.listed("states", states, "a list of states")
        self.sound(*states)
        found: list[tuple[int, ...]] = []
        for first in range(0, len(states), AT_ONCE):
            some = states[first : first + AT_ONCE]
            out = (c_longlong * len(some))()
            self._ask(self._functions.estimate_many, b"".join(some), len(some), out)
            found += [(value, -value) for value in out]
        return found

    def decode(self, code: int) -> Move:
        """A move as its kind and parameters."""
        return self._codes.decode(code)

    # ------------------------------------------------------------------------------------ long questions

    def perft(self, state: State, depth: int, tick: Tick | None = None) -> int:
        """The number of sequences of `depth` legal moves; `tick` hears how many were counted since it last did."""
        self.sound(state)
        depth, tick = doors.whole("depth", depth, 0, counting.DEEPEST), doors.callback("tick", tick)
        control = self.control()
        room = DEEP
        while True:
            moves = (self._move_type * room)()
            found = self._answer(control, tick, self._functions.perft, state, depth, moves, room)
            if found != NO_ROOM:
                return self._checked(found, control)
            room = more_moves(room, 16 * MOST_MOVES)

    def perft_after(
        self, state: State, depth: int, turns: int, seen: Mapping[State, int], tick: Tick | None = None
    ) -> int:
        """The same after so many turns, where states have occurred as often as `seen` says, with this one."""
        self.sound(state)
        depth, tick = doors.whole("depth", depth, 0, counting.DEEPEST), doors.callback("tick", tick)
        path = (ctypes.c_uint64 * ((depth + 1) * (padded(self.game.size) // 8 + 1)))()
        before, times = occurrences(self.game, state, seen)
        room = DEEP
        while True:
            control, moves = self.control(), (self._move_type * room)()
            found = self._answer(
                control, tick, self._functions.perft_after, state, depth, moves, room, path, turns, before, times,
                len(times),
            )  # fmt: skip
            if found != NO_ROOM:
                return self._checked(found, control)
            room = more_moves(room, 16 * MOST_MOVES)

    def turn_positions(self, state: State) -> Iterator[State]:
        """The distinct states that a turn can lead to, as they are first met, depth first in canonical order."""
        turn, size = self._turn(state), self.game.size
        raw = memoryview(turn.memory.ends)[: turn.positions * size]
        positions = (position for (position,) in struct.iter_unpack(f"{size}s", raw))
        if turn.positions > SMALL_TURN:  # too many for a list: the next turn has to write elsewhere
            self._buffers().forget_turn()
            return positions
        return iter(list(positions))

    def count_turns(self, state: State) -> int:
        """The number of ways to play a turn; raises `EndlessTurn` where one can come back to a position."""
        turn = self._turn(state)
        if turn.endless:
            raise EndlessTurn
        return TurnCounter([self], asking=False).count(state) if turn.ways is None else turn.ways

    def _turn(self, state: State, tick: Tick | None = None) -> Turn:
        """All that a walk over the positions of a turn finds out; the last one is remembered.

        Most turns fit into little memory, and are walked at once; only for others a thread is worth while.
        """
        self.sound(state)
        buffers, functions = self._buffers(), self._functions
        if buffers.turn is None or buffers.turn.state != state:
            buffers.turn = None
            memory = buffers.small_turn(self.game.size, functions)
            control = self.control()
            ask = (self._answer if functions.bounded
                   else lambda control, _, function, *args: function(ctypes.byref(control), *args))  # fmt: skip
            while (count := ask(control, tick, functions.turn, state, *memory.arguments)) == NO_ROOM:
                memory = buffers.larger_turn(memory, control, self.game.size, functions)
                control, ask = self.control(), self._answer
            self._checked(count, control)
            ways = None if control.high else memory.ways.value
            buffers.turn = Turn(state, count, ways, bool(control.low), memory)
        return buffers.turn

    def playouts(self, state: State, games: int, seed: int, longest: int, tick: Tick | None = None) -> Playouts:
        """Games of random moves, as `pysolve.search.playouts` plays them."""
        self.sound(state)
        games, longest, tick = *counting_games(games, longest), doors.callback("tick", tick)
        control, room = self.control(), ROOM
        path = (ctypes.c_uint64 * ((longest + 1) * (padded(self.game.size) // 8 + 1)))()
        while True:
            moves, results = (self._move_type * room)(), (c_longlong * 5)()
            found = self._answer(
                control, tick, self._functions.playouts, state, games, doors.seed(seed), longest,
                path, moves, room, results,
            )  # fmt: skip
            if found != NO_ROOM:
                self._checked(found, control)
                draws, first, second, unfinished, plies = results
                return Playouts((first, second), draws, unfinished, plies)
            room = more_moves(room)

    def searcher(self, entries: int, threads: int, horizon: Horizon) -> NativeSearcher:
        """The search of `pysolve.search.minimax`, in C."""
        return NativeSearcher(self, entries, threads, horizon)

    def tree(self, state: State, settings: Settings, past: Past) -> NativeTree:
        """The tree of `pysolve.search.mcts`, in C."""
        return NativeTree(self, state, settings, past)

    def retrograde(
        self,
        state: State,
        states: int,
        tick: Tick | None = None,
        until: float | None = None,
        begun: Begun | None = None,
    ) -> Table:
        """The value of every position that can be reached, as `pysolve.search.retrograde` finds it."""
        return solved(self, state, states, tick, until, begun)

    def prover(self, state: State, player: int, states: int) -> NativeProver:
        """The search of `pysolve.search.proof_number`, in C."""
        return NativeProver(self, state, player, states)

    def _answer(
        self, control: Control, tick: Tick | None, function: Any, *args: Any, until: float | None = None
    ) -> int:
        return answered(control, tick, function, *args, until=until)

    def _checked(self, found: int, control: Control) -> int:
        if found == MISTAKE:
            raise self.explained(control.error, None)  # it was met somewhere on the way
        if found == STOPPED:
            raise LimitReached("stopped")
        return found

    def explained(self, error: Error, state: State | None) -> RuleMistake:
        """What went wrong, in the words of the rules file."""
        what: str | tuple[str, int] = NOTHING_TO_PICK if error.kind == NO_PICK else MISSING
        if error.kind == OUT_OF_RANGE:
            what = list(self.game.slots)[error.slot], error.value
        moves = [] if state is None else self._moves_of(state)
        return rule_mistake(self.game, error.line, what, state, moves, self._apply, self.start)

    def _moves_of(self, state: State) -> Iterator[Move]:
        """The legal moves of a position in which one of them cannot be carried out, up to that move at least."""
        buffers = self._buffers()
        children_at = buffers.children_at(self.game.size) if self._functions.tries else None
        count, _ = self._ask(
            self._functions.expand, state, buffers.moves_at, buffers.room, buffers.result_at, children_at
        )
        return (self.decode(buffers.moves[i]) for i in range(buffers.room if count == MISTAKE else max(count, 0)))

    def _apply(self, state: State, move: Move) -> None:
        """Carries a move out; raises `EngineError` where that is impossible."""
        codes = (self._move_type * 1)(self._codes.encode(move))
        out = ctypes.create_string_buffer(self.game.size + WORD)
        found, control = self._ask(self._functions.children, state, codes, 1, out)
        if found == MISTAKE:
            raise EngineError(f"line {control.error.line}")


def move_type(codes: Codes) -> type[ctypes.c_uint32] | type[ctypes.c_uint64]:
    """The type that moves have in C."""
    return ctypes.c_uint32 if codes.bits <= 32 else ctypes.c_uint64


class Question:
    """A question that C answers in a thread of its own.

    Whatever interrupts the asker, and be it while the thread starts: after `stop` C works on it no more, so its memory
    and its library may go.  Arguments that are objects stay until then.
    """

    def __init__(self, control: Control, function: Any, *args: Any):
        self._control = control
        self._taken = threading.Lock()  # by the thread, which then asks, or by who stops it before that
        self._wake = threading.Lock()  # held until the question has ended
        self._wake.acquire()
        self.ended = False
        self.found: int = STOPPED

        def ask() -> None:
            if self._taken.acquire(blocking=False):
                try:
                    self.found = function(ctypes.byref(control), *args)
                finally:
                    self.ended = True
                    self._wake.release()

        self._thread = threading.Thread(target=ask, name="pysolve-question")

    def start(self) -> None:
        self._thread.start()

    def wait(self, seconds: float) -> None:
        """Returns when the question has ended, or after so many seconds."""
        self._wake.acquire(timeout=seconds)

    def stop(self) -> None:
        """Ends the question, and returns when it has ended."""
        self._control.stop = 1
        if self._taken.acquire(blocking=False):
            self.ended = True
        while not self.ended:
            with contextlib.suppress(KeyboardInterrupt):  # again: it ends soon
                self.wait(WAIT)


def answered(control: Control, tick: Tick | None, function: Any, *args: Any, until: float | None = None) -> int:
    """Asks C in a thread, so that Ctrl-C is heard here; it stops the question, and so does time."""
    question = Question(control, function, *args)
    told = 0
    try:
        question.start()
        while not question.ended:
            question.wait(WAIT if until is None else max(0.0, min(WAIT, until - time.monotonic())))
            if until is not None and time.monotonic() >= until:
                control.stop = 1
            if tick is not None and control.nodes > told:
                tick(control.nodes - told)
                told = control.nodes
    except BaseException:
        question.stop()
        raise
    if control.cut == CUT_BY_STEPS:
        raise LimitReached(f"a position needs more than {control.steps:,} steps: {TOO_MANY}")
    return STOPPED if control.cut else question.found


class NativeSearcher:
    """The search of `pysolve.search.minimax` in C: the same values, lines and numbers of nodes.

    With more than one thread all search the same position: what one has found stands in the table that they share, and
    what one is searching the others leave for later.  The value of a depth stays the same; line and number of nodes may
    differ from run to run.
    """

    def __init__(self, engine: NativeEngine, entries: int, threads: int, horizon: Horizon):
        entries, threads = checked_table(entries, threads)
        doors.instance("horizon", horizon, Horizon, "a Horizon")
        self._engine = engine
        self._by_turns = int(horizon.turns)
        self._kinds = sum(1 << kind for kind in horizon.quiet.kinds)
        self._captures = int(horizon.quiet.captures)
        self._back = (c_longlong * len(horizon.back))(*horizon.back)
        self._order = horizon.order
        self._tried = (c_longlong * len(horizon.order))(*horizon.order) if horizon.order else None
        self._functions = engine._functions  # the table's layout is this build's
        self._limit = entries
        most = 1 << (2 * entries - 1).bit_length()
        self._slots = min(most, FEW) if threads == 1 else most  # a small table is quicker, until it is full
        tables = [self._slots]
        while tables[-1] < most:
            tables.append(min(8 * tables[-1], most))
        size = self._functions.entry_size()
        self._table = zeros(sum(tables) * size, small=min(tables[0], FEW) * size)
        marks = MARKS if horizon.turns else 1
        self._workers = [_Worker(engine, self._functions, marks) for _ in range(threads)]
        self._busy = zeros(self._functions.busy_size())

    def visit(self, state: State, depth: int, alpha: int, beta: int, nodes: int | None, until: float | None) -> Visit:
        self._engine.sound(state)
        nodes, until = checked_visit(depth, alpha, beta, nodes, until)
        if self._order and sorted(self._order) != list(range(len(self._engine.expand(state)))):
            raise ValueError("order must hold each index of the legal moves once")
        for worker in self._workers:
            worker.control = self._engine.control()
        first, *others = self._workers
        helping = [self._helping(one, state, depth, alpha, beta) for one in others]
        try:
            for one in helping:
                one.start()
            question = self._question(first, state, depth, alpha, beta, nodes)
            found = self._engine._answer(first.control, None, *question, until=until)
        finally:
            for worker in others:
                worker.control.stop = 1  # all of them, before one is waited for
            for one in helping:
                one.stop()
        visited = sum(one.control.nodes for one in self._workers)
        if found == NO_ROOM:
            raise LimitReached("a search has more moves to look at than there is memory for")
        control = first.control
        visit = Visit(control.low, tuple(map(self._engine.decode, first.line[: control.high])), visited)
        if found == STOPPED:
            raise Stopped(visited, visit if visit.line else None)
        self._engine._checked(found, control)
        return visit

    def _helping(self, worker: _Worker, state: State, depth: int, alpha: int, beta: int) -> Question:
        """The search of the same position by another worker, until it is stopped."""
        return Question(worker.control, *self._question(worker, state, depth, alpha, beta, None))

    def _question(
        self, worker: _Worker, state: State, depth: int, alpha: int, beta: int, nodes: int | None
    ) -> tuple[Any, ...]:
        """A function of the library and its arguments."""
        return (
            self._functions.search, state, depth, alpha, beta, -1 if nodes is None else nodes, worker.search,
            self._table, self._slots, self._limit, int(len(self._workers) > 1), self._busy, worker.history,
            worker.moves, worker.promises, DEEP, worker.line, self._by_turns, self._kinds,
            self._captures, worker.marks, worker.mark_slots, worker.mark_room,
            self._back, len(self._back), self._tried,
        )  # fmt: skip


class NativeTree:
    """The tree of `pysolve.search.mcts` in C: the same visits, values and moves.  A place in it is a number."""

    def __init__(self, engine: NativeEngine, state: State, settings: Settings, past: Past):
        engine.sound(state)
        settings, past = checked_settings(settings), checked_past(engine.game, past)
        self._engine = engine
        self._functions = engine._functions  # the tree's layout is this build's
        self._room = settings.room
        self._tree = zeros(self._functions.tree_size())
        self._ways = zeros(self._room * self._functions.way_size())
        numbers = (settings.room, weight(settings.explore), bias_of(engine.game, settings),
                   settings.leaf == EVALUATE, settings.backup == MAX)  # fmt: skip
        self._how = (c_longlong * len(numbers))(*numbers)
        self._moves = zeros(DEEP * ctypes.sizeof(engine._move_type))
        self._path = zeros((TREE_DEEPEST + LONGEST + 2) * (padded(engine.game.size) + 8))
        self._about = (c_longlong * 7)()
        self._begin(state, past)

    def _begin(self, state: State, past: Past) -> None:
        self._state = state
        self._turns = past.turns
        self._before, self._times = occurrences(self._engine.game, state, past.seen)

    @property
    def played(self) -> int:
        found: int = self._functions.tree_played(self._tree)
        return found

    def grow(self, visits: int | None, until: float | None, seed: int) -> None:
        visits, until, seed = doors.whole_or_none("visits", visits, 0), doors.moment(until), doors.seed(seed)
        control = self._engine.control()
        found = self._engine._answer(
            control, None, self._functions.grow, self._state, -1 if visits is None else visits,
            seed, self._tree, self._ways, self._how, *_weights(), self._path, self._turns,
            self._before, self._times, len(self._times), self._moves, DEEP, until=until,
        )  # fmt: skip
        if found == NO_ROOM:
            raise LimitReached("a position has more moves than there is memory for")
        if found != STOPPED:
            self._engine._checked(found, control)

    def root(self) -> Branch:
        return self._branch(0)[0]

    def branches(self, at: int) -> list[Branch]:
        _, first, count = self._branch(at)
        return [self._branch(place)[0] for place in range(first, first + count)]

    def _branch(self, at: int) -> tuple[Branch, int, int]:
        """What is known of a position, and where those behind it are."""
        at = doors.place(at, self._room, "position")
        count = self._functions.way(self._ways, at, self._about)
        move, index, sign, visits, value, proven, first = self._about
        known = None if proven == UNKNOWN else proven
        return Branch(self._engine.decode(move), index, sign, visits, value, known, at), first, count

    def advance(self, at: int, state: State, past: Past) -> None:
        self._engine.sound(state)
        at, past = doors.place(at, self._room, "position"), checked_past(self._engine.game, past)
        ways = zeros(self._room * self._functions.way_size())
        self._functions.advance(self._tree, self._ways, at, ways)
        self._ways = ways
        self._begin(state, past)


def occurrences(game: Game, state: State, seen: Mapping[State, int]) -> tuple[Any, Any]:
    """The states that occurred before this one, and how often, for C."""
    known = game.identity(state)
    before = {one: count - (one == known) for one, count in seen.items()}
    size = padded(len(state))
    raw = b"".join(one.ljust(size, b"\0") for one in before)
    return (ctypes.c_uint64 * (len(raw) // 8)).from_buffer_copy(raw), (c_longlong * len(before))(*before.values())


@functools.cache
def _weights() -> tuple[Any, ...]:
    """The tables of `pysolve.search.mcts` for C."""
    return tuple((c_longlong * len(table))(*table) for table in weights())


class _Worker:
    """What one thread of a search needs for itself."""

    def __init__(self, engine: NativeEngine, functions: _Functions, marks: int):
        self.control = engine.control()
        self.mark_room = marks
        bits = engine._codes.bits
        sizes = (marks * functions.mark_size(), 2 * marks * 4, functions.search_size(),
                 8 << bits if bits <= HISTORY_BITS else 8)  # fmt: skip
        self.marks, self.mark_slots, self.search, self.history = (zeros(size, small=size) for size in sizes)
        self.moves = zeros(DEEP * ctypes.sizeof(engine._move_type))
        self.promises = zeros(DEEP * 8)
        self.line = (engine._move_type * (DEEPEST + BEYOND + 1))()


def zeros(size: int, small: int = 0) -> Any:
    """Memory of so many bytes; the system fills it with zeros when it is first touched.

    It lies in large pages if the system has such, which are better for what is read all over; but each takes long to
    fill, so the first bytes, which a short search touches, may be in `small` ones.
    """
    try:
        if sys.platform == "win32":
            memory = mmap.mmap(-1, size)
        else:  # not shared: such is not given in large pages, and processes forked from this one would write to it
            memory = mmap.mmap(-1, size, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    except (OSError, OverflowError, ValueError):
        raise LimitReached(f"there is no room for {size:,} bytes more: fewer positions can be kept here") from None
    begin = -(-small // mmap.PAGESIZE) * mmap.PAGESIZE
    if begin < size and hasattr(mmap, "MADV_HUGEPAGE"):
        with contextlib.suppress(OSError):
            memory.madvise(mmap.MADV_HUGEPAGE, begin)
    return (ctypes.c_char * size).from_buffer(memory)


class Turn(NamedTuple):
    """How many distinct `positions` there are after a turn, and how many ordered turns lead to them."""

    state: State
    positions: int  # which lie in the memory
    ways: int | None  # None if they are too many for a number of C
    endless: bool  # it can come back to a position: there is no number
    memory: TurnMemory


class TurnMemory:
    """Memory for a walk over a turn: so many positions within it and after it, and so many on the way to one of them.

    Raises `OSError` where there is not as much.
    """

    def __init__(self, positions: int, way: int, size: int, functions: _Functions):
        self.positions, self.way = positions, way
        key, moves = functions.key_size(), 16 * way
        sizes = (positions * key, 8 * positions, 8 * positions, positions * key, 8 * positions, positions * size,
                 way * functions.frame_size(), moves * functions.move_size, moves * functions.child_size())  # fmt: skip
        memory = [zeros(one) for one in sizes]
        self.ways = ctypes.c_uint64.from_buffer(memory[2])
        self.ends = memory[5]
        self.arguments = [*memory[:6], positions, memory[6], way, *memory[7:], moves]


class _Buffers:
    """Memory for the answers of one thread."""

    def __init__(self, move_type: Any):
        self._move_type = move_type
        self.room = ROOM
        self.result = (c_longlong * 2)()
        self.result_at = ctypes.addressof(self.result)
        self.control = Control()
        self.control_at = ctypes.addressof(self.control)
        self._children: Any = None
        self._allocate()
        self._small_turn: TurnMemory | None = None
        self._large_turn: TurnMemory | None = None
        self.turn: Turn | None = None  # the last one walked

    def children_at(self, size: int) -> int:
        """Memory for a position after each of the moves that there is room for, and a word more."""
        if self._children is None:
            try:
                self._children = zeros(self.room * size + WORD)
            except OSError:
                raise LimitReached(f"there is no memory for the positions after {self.room:,} moves") from None
        return ctypes.addressof(self._children)

    def _allocate(self) -> None:
        self.moves = (self._move_type * self.room)()
        self.moves_at = ctypes.addressof(self.moves)

    def grow(self) -> None:
        self.room = more_moves(self.room)
        self._children = None
        self._allocate()

    def small_turn(self, size: int, functions: _Functions) -> TurnMemory:
        """Memory that suffices for most turns."""
        if self._small_turn is None:
            self._small_turn = TurnMemory(SMALL_TURN, SMALL_TURN, size, functions)
        return self._small_turn

    def larger_turn(self, memory: TurnMemory, control: Control, size: int, functions: _Functions) -> TurnMemory:
        """Eight times as much of what did not suffice; raises `LimitReached` where there is no more of it."""
        if memory is self._small_turn and self._large_turn is not None:
            return self._large_turn
        full = control.low == POSITIONS_FULL
        positions, way = memory.positions * (8 if full else 1), memory.way * (1 if full else 8)
        self._large_turn = None  # and gives its memory back
        try:
            if max(positions, way) > LARGEST_TURN:
                raise OSError
            self._large_turn = TurnMemory(positions, way, size, functions)
        except OSError:
            what = "positions" if full else "positions one behind the other"
            raise LimitReached(f"a turn from here has more than {memory.positions if full else memory.way:,} {what}, "
                               f"and there is no memory for more; {control.ended:,} positions after it were found "
                               "so far: count from a position further on in the turn") from None  # fmt: skip
        return self._large_turn

    def forget_turn(self) -> None:
        """Somebody else keeps the memory of the last turn."""
        self.turn = self._large_turn = None


def more_moves(room: int, most: int = MOST_MOVES) -> int:
    """Room for more moves of a position, or on a way; raises `LimitReached` where there may be no more."""
    if 4 * room > most:
        raise LimitReached(f"there are more than {room:,} legal moves here: let a kind of moves choose less at once, "
                           "and go on with `again`")  # fmt: skip
    return 4 * room


def padded(size: int) -> int:
    """The bytes of a position in C: a whole number of words."""
    return (size + 7) // 8 * 8


class _Functions:
    """The functions of a library, with their types."""

    def __init__(self, library: Library, move_size: int):
        self.library = library
        self.move_size = move_size
        at, number = c_void_p, c_longlong
        function = library.function
        self.sound = function("ps_sound", c_char_p, number)
        self.expand = function("ps_expand", at, c_char_p, at, number, at, at)
        self.tries = bool(function("ps_tries")())
        self.bounded = bool(function("ps_bounded")())
        self.children = function("ps_children", at, c_char_p, at, number, c_char_p)
        self.expand_many = function("ps_expand_many", at, c_char_p, number, at, number, at, at, number)
        self.estimate_many = function("ps_estimate_many", at, c_char_p, number, at)
        self.start = function("ps_start", at, ctypes.c_uint64, c_char_p)
        self.estimate = function("ps_estimate", at, c_char_p)
        self.judge = function("ps_judge", at, c_char_p, number, number, at)
        self.standing = function("ps_standing", at, c_char_p, number, number, at)
        self.perft = function("ps_perft", at, c_char_p, number, at, number)
        self.perft_after = function("ps_perft_after", at, c_char_p, number, at, number, at, number, at, at, number)
        self.playouts = function("ps_playouts", at, c_char_p, number, ctypes.c_uint64, number, at, at, number, at)
        self.search_size = function("ps_search_size")
        self.entry_size = function("ps_entry_size")
        self.mark_size = function("ps_mark_size")
        self.busy_size = function("ps_busy_size")
        self.search = function(
            "ps_search", at, c_char_p, number, number, number, number, at, at, number, number, number,
            at, at, at, at, number, at, number, number, number, at, at, number, at, number, at)  # fmt: skip
        self.tree_size = function("ps_tree_size")
        self.way_size = function("ps_way_size")
        self.grow = function(
            "ps_grow", at, c_char_p, number, ctypes.c_uint64, at, at, at, at, at, at, number, at, at, number,
            at, number)  # fmt: skip
        self.tree_played = function("ps_tree_played", at)
        self.way = function("ps_way", at, number, at)
        self.advance = function("ps_advance", at, at, number, at)
        self.state_size = function("ps_state_size")
        self.explore = function("ps_explore", at, at, at, number, at, number, at, at, at, number, at, at, at, number)
        self.values = function("ps_values", at, number, at, at, at, at, at, at, at, at, at, at)
        self.prove = function("ps_prove", at, at, at, number, at, number, at, number, at, at, number, number)
        self.known = function("ps_known", at, number, c_char_p, at, number)
        self.move_numbers = function("ps_move_numbers", at, number, at, number)
        self.numbers_size = function("ps_numbers_size")
        self.reply_size = function("ps_reply_size")
        self.stage_size = function("ps_stage_size")
        self.key_size = function("ps_key_size")
        self.frame_size = function("ps_frame_size")
        self.child_size = function("ps_child_size")
        self.turn = function("ps_turn", at, c_char_p, at, at, at, at, at, at, number, at, number, at, at, number)


class NativeNode:
    """The answers for one position; moves and children are made when they are asked for."""

    __slots__ = ("_after", "_codes", "_engine", "_moves", "_state", "ending", "payoff")

    def __init__(
        self,
        engine: NativeEngine,
        state: State,
        codes: Sequence[int],
        after: bytes | None,
        ending: int,
        winner: int,
    ):
        self._engine = engine
        self._after = after  # the states after the moves, if they are known already
        self._state = state
        self._codes = codes
        self._moves: list[Move] | None = None
        self.ending = ending
        self.payoff: tuple[int, ...] | None = None
        if ending:
            self.payoff = (0, 0) if not winner else (1, -1) if winner == 1 else (-1, 1)

    def __len__(self) -> int:
        return len(self._codes)

    @property
    def moves(self) -> list[Move]:
        """Legal moves in canonical order."""
        if self._moves is None:
            self._moves = [self._engine.decode(code) for code in self._codes]
        return self._moves

    def child(self, index: int) -> State:
        """The state after a move."""
        if type(index) is not int or not 0 <= index < len(self._codes):
            index = doors.place(index, len(self._codes))
        if self._after is None:
            return self._engine._children(self._state, [self._codes[index]])[0]
        size = len(self._state)
        return self._after[index * size : (index + 1) * size]

    def children(self) -> Iterator[State]:
        """The states after all moves, in order."""
        if self._after is None:
            return iter(self._engine._children(self._state, self._codes))
        after, size = self._after, len(self._state)
        return iter([after[i : i + size] for i in range(0, len(after), size)])


__all__ = ["BuildError", "NativeEngine", "NoCompiler", "TooLarge", "Turn"]
