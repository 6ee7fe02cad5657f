"""The native engine: the C code of a game, compiled and called through ctypes.

In: a checked game.  Out: answers to the questions of `pysolve.engines.protocol`, the same as from Prolog and in the
same order.  Long questions are answered in C, while other threads run; a control block in shared memory says how far
they are and lets Ctrl-C stop them.
"""

from __future__ import annotations

import contextlib
import ctypes
import struct
import threading
import warnings
from collections.abc import Iterator, Mapping, Sequence
from ctypes import c_longlong
from functools import cached_property, lru_cache
from typing import Any, NoReturn

from pysolve.dsl.analysis.costs import search_cost
from pysolve.dsl.language.constants import (
    ALL_OUT,
    DEEP,
    ENDLESS,
    MISPAID,
    MISTAKE,
    NO_PICK,
    NO_ROOM,
    OUT_OF_RANGE,
    STOPPED,
    UNSOUND,
    UNSOUND_VALUE,
)  # fmt: skip
from pysolve.dsl.model import Game
from pysolve.dsl.model.move_codes import TooLarge, move_codes
from pysolve.dsl.model.payoffs import payoffs
from pysolve.engines.bindings import (
    QUICK_STEPS,
    STEPS,
    Control,
    Error,
    Functions,
    Tick,
    answered,
    move_type,
    occurrences,
    wait_for,
)  # fmt: skip
from pysolve.engines.buffers import ROOM, SMALL_TURN, Buffers, Turn
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
from pysolve.engines.errors import EVERYBODY_OUT, MISSING, NOTHING_TO_PICK, mispaid, rule_mistake
from pysolve.engines.learned import LearnedValues
from pysolve.engines.memory import MOST_MOVES, WORD, more_moves, padded
from pysolve.engines.protocol import EngineError, LimitReached, Move, Node, RuleMistake, State, View
from pysolve.engines.regrets import NativeRegrets
from pysolve.engines.searches import NativeDriver, NativeSearcher, NativeTree, table_bytes
from pysolve.engines.self_check import Disproved, Proof, begun
from pysolve.engines.sequences import NativeSequences
from pysolve.engines.solver import NativeDecider, NativeProver, solved
from pysolve.engines.strong import NativeStrong
from pysolve.runtime import cache, validation
from pysolve.search import perft as counting
from pysolve.search.canonical import NONE, Renamings
from pysolve.search.hidden.tree import GameTree
from pysolve.search.history import History
from pysolve.search.learned import Values
from pysolve.search.maxn import PythonEachSearcher
from pysolve.search.mcts import Settings
from pysolve.search.playouts import Playouts
from pysolve.search.playouts import checked as counting_games
from pysolve.search.retrograde import Begun, Table
from pysolve.search.searcher import Horizon, Searcher
from pysolve.search.strong import Techniques
from pysolve.search.turns import EndlessTurn, TurnCounter

MOVES_KEPT = 1 << 14  # that are decoded
AT_ONCE = 1000  # positions per call: Ctrl-C waits for no more
TIRESOME = 1_000_000  # positions, times what one costs: a third of a second or more by plain loops
LONGEST_PATH = 512  # positions of a sequence of turns that is counted after a game so far


class NativeAnswers:
    """Answers for one game from its C, for any number of players.  May be used from any thread.

    Raises `NoCompiler` if nothing here compiles C, and `TooLarge` for a game whose tables do not fit.
    """

    name = "native"

    def __init__(
        self, game: Game, compiler: str = "auto", proof: bool = True, kept: str | None = None, steps: int = STEPS,
        improve: bool = True,
    ):  # fmt: skip
        """`compiler` is "cc", "zig", "tcc" or "auto": the best there is, and a quick one until that has built the game.

        Without `improve` the quick one stays until `improve` is called; then the cache is not asked for a better build
        of a game that it does not have by name, because to find that takes longer than the quick one does.

        A new library proves itself before it is used, except that of tcc; without `proof` it is used at once.
        `kept` is the name under which the cache has the game: C that it remembers is not printed again.
        `steps` limits each question about one position, in a game whose rules can take very long.
        """
        self.game = game
        self._kept = kept
        self._steps = steps
        self._size = game.size
        self._players = len(game.players.labels)
        self._veils = any(slot.seen for slot in game.slots.values())
        self.values: Values | None = None
        self._learned: LearnedValues | None = None  # the same for C
        self._seated = self._players != 2 or game.pays  # does C count what each player is paid?
        self.codes = move_codes(game)
        self.decode = lru_cache(MOVES_KEPT)(self.codes.decode)  # a move as its kind and parameters
        self.move_type = move_type(self.codes)
        self._local = threading.local()
        self._better: Compiler | None = None  # that has not begun yet to build the game
        self._improving: threading.Thread | None = None
        self._loops: Functions | None = None  # that tcc has made, where it may make faster ones of sets
        self._seen = 0  # positions of all long questions so far
        self._taking_over = threading.Lock()
        ladder = compilers(compiler)
        quick = quick_ones(ladder) if compiler == "auto" else []
        climbs = bool(quick) and quick != ladder
        hurried = climbs and quick[0].in_memory and not improve and kept is None
        library = None if hurried else self._cached(ladder[0], proof or bool(quick))
        if library is not None:
            self.functions = self._functions_of(library)
        elif climbs:
            self.functions = self._built(quick, proof)
            self._better = ladder[0]
            if improve:
                self.improve()
        else:
            self.functions = self._built(ladder, proof)
        if compiler == "auto" and any(one.in_memory and one.name == self.compiler for one in ladder):
            self._loops = self.functions

    def __reduce_ex__(self, protocol: object) -> NoReturn:
        """Raises `TypeError`: an engine is neither pickled nor copied, a game is."""
        validation.refuse_copy("an engine", "its game can be, as in  pickle.dumps(game), and opens it again")

    def text(self, compiler: Compiler, sets: bool = False) -> str:
        """The C code of the game: plain loops for a compiler in memory, unless it shall be `sets` for it, too."""
        from pysolve.dsl.to_c import print_c

        return print_c(self.game, sets=sets or not compiler.in_memory)

    def _cached(self, compiler: Compiler, proof: bool) -> Library | None:
        """The library of the game, if the cache has it; with `proof`, if it has proved itself, too.

        For a game that is kept the cache says which C it has, so nothing is printed to find out.
        """
        if compiler.in_memory:
            return None
        digest = digest_of(self.text(compiler)) if self._kept is None else cache.kept(self._kept + cache.PRINTED)
        library = cached(digest, compiler) if isinstance(digest, str) else None
        return library if library is not None and (library.proved or not proof) else None

    def _functions_of(self, library: Library) -> Functions:
        """The functions of a library of this game."""
        game = self.game
        width = ctypes.sizeof(self.move_type)
        return Functions(library, width, self._players, game.repeats, bool(game.chances), self._veils, game.pays)

    @property
    def library(self) -> Library:
        """The functions of the current library."""
        return self.functions.library

    @property
    def compiler(self) -> str:
        """The name of the compiler that built the current library."""
        return self.library.compiler

    def improve(self) -> None:
        """Lets the best compiler build the game in another process, where only a quick one has done so."""
        better, self._better = self._better, None
        if better is not None:
            with contextlib.suppress(BuildError, OSError):
                waiting = (better, begun(self.game, better.name, self._kept, in_turn=True))
                self._improving = threading.Thread(
                    target=self._improve, args=waiting, name="pysolve-build", daemon=True
                )
                self._improving.start()

    def wait_for_better(self, seconds: float) -> None:
        """Waits until the better build is there, but no longer than so many seconds; raises `Abandoned`."""
        if self._improving is not None:
            wait_for(self._improving, seconds)

    @property
    def is_improving(self) -> bool:
        """True while the game is being built in another process."""
        return self._improving is not None and self._improving.is_alive()

    @property
    def may_improve(self) -> bool:
        """True while a better build may take the place of this one: one is under way, or `hasten` may make it."""
        return self._loops is not None or self.is_improving

    def _improve(self, compiler: Compiler, proof: Proof) -> None:
        """Swaps the better build in when it is ready and has proved itself; what is there answers as well."""
        with self._played_without():
            proof.wait()
            library = self._cached(compiler, proof=True)
            if library is not None:
                with self._taking_over:
                    self.functions, self._loops = self._functions_of(library), None

    def hasten(self, positions: int = 0) -> None:
        """Called before a question about so many positions: where tcc has printed plain loops, which are ready at once,
        and they have taken long or will, sets are printed.

        That takes some hundredths of a second, in a game like chess some tenths.  A search is as fast by them or twice
        as fast in most games, and in some ten to a hundred times.
        """
        if self._loops is None or (self._seen + positions) * self._cost < TIRESOME:
            return
        with self._taking_over:
            loops, self._loops = self._loops, None
            if loops is not None:
                in_memory = Compiler(self.compiler)
                with self._played_without():
                    self.functions = self._functions_of(build(self.text(in_memory, sets=True), in_memory))

    @cached_property
    def _cost(self) -> int:
        """A guess of what a position costs."""
        return search_cost(self.game)

    @contextlib.contextmanager
    def _played_without(self) -> Iterator[None]:
        """Where a faster build cannot be had the game is played all the same, but somebody should know."""
        try:
            yield
        except (BuildError, Disproved, TooLarge, OSError) as error:
            slower = f"{self.game.title} is played by what {self.compiler} made of it, which is slower"
            warnings.warn(f"{slower}: {error}", RuntimeWarning, stacklevel=1)

    def _built(self, ladder: list[Compiler], proof: bool) -> Functions:
        """The functions by the first compiler that does it; with `proof` its library has proved itself."""
        failed: list[BuildError | Disproved] = []
        for compiler in ladder:
            try:
                library = self._cached(compiler, proof) if self._kept is not None else None
                if library is None:
                    library = self._compiled(compiler, proof and not compiler.in_memory)
                return self._functions_of(library)
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

    def _buffers(self) -> Buffers:
        found: Buffers | None = getattr(self._local, "buffers", None)
        if found is None:
            found = self._local.buffers = Buffers(self.move_type)
        return found

    def control(self, steps: int | None = None) -> Control:
        """A fresh control block, shared with C for one question; `steps` limits the loop steps of one position."""
        allowed = self._steps if steps is None else min(steps, self._steps)
        found = Control(steps=allowed, left=allowed)
        if self._learned is not None:
            found.judge = self._learned.judge(self.functions.judge_size(self._learned.address))
            found.values = ctypes.addressof(found.judge)
        return found

    def think_by(self, values: Values) -> None:
        """Judges positions by learned values from now on (see `pysolve.search.learned.ValuingEngine`)."""
        self.values, self._learned = values, LearnedValues.of(values)

    def _ask(self, function: Any, *args: Any) -> tuple[int, Control]:
        """Asks a short question at once; if it proves to be a long one, again in a thread, so that it can be stopped.

        Only a game in which steps are counted has such questions.
        """
        control = self.control(QUICK_STEPS)
        found: int = function(ctypes.byref(control), *args)
        if control.cut:
            control = self.control()
            found = self.answer(control, None, function, *args)
            if found == STOPPED:
                raise LimitReached("stopped")
        return found, control

    def expand(self, state: State) -> NativeNode:
        """Everything that can be asked about a position; raises `InvalidState`, `RuleMistake` or `LimitReached`."""
        self._measured(state)
        buffers = self._buffers()
        functions = self.functions
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
            validation.refuse(self.game, state)
        after = None if children_at is None else ctypes.string_at(children_at, count * self.game.size)
        return NativeNode(self, state, buffers.moves[:count], after, buffers.result[0], buffers.result[1])

    def start(self, seed: int = 0) -> State:
        """The initial state; random draws of the setup come from the seed."""
        out = ctypes.create_string_buffer(self.game.size)
        found, control = self._ask(self.functions.start, validation.seed(seed), out)
        if found == MISTAKE:
            raise self.explained(control.error, None)
        return out.raw

    def view(self, state: State, player: int) -> View:
        """The state as a player sees it: what the player does not see is `UNKNOWN`."""
        self._measured(state)
        player = validation.whole("player", player, 1, self._players)
        if not self._veils:
            self.sound(state)
            return state
        out, functions = ctypes.create_string_buffer(self._size), self.functions
        if functions.bounded:
            found, _ = self._ask(functions.view, state, player, out)
        else:
            found = functions.view(self._buffers().control_at, state, player, out)
        if found == UNSOUND:
            validation.refuse(self.game, state)
        return out.raw

    def estimate(self, state: State) -> tuple[int, ...]:
        """The `evaluate` block for each player."""
        self._measured(state)
        if self._seated:
            return self._estimates(state)
        value, _ = self._ask(self.functions.estimate, state)
        if value == UNSOUND_VALUE:
            validation.refuse(self.game, state)
        return value, -value

    def _estimates(self, state: State) -> tuple[int, ...]:
        out = (c_longlong * self._players)()
        found, _ = self._ask(self.functions.estimates, state, out)
        if found == UNSOUND:
            validation.refuse(self.game, state)
        return tuple(out)

    def judge(self, state: State, turns: int, times: int) -> tuple[int, int] | None:
        """Number and winner (0 for a draw) of the ending that holds after `turns` turns at occurrence `times`."""
        self._measured(state)
        turns, times = validation.whole("turns", turns, 0), validation.whole("times", times, 0)
        buffers = self._buffers()
        ending, _ = self._ask(self.functions.judge, state, turns, times, buffers.result_at)
        if ending == UNSOUND:
            validation.refuse(self.game, state)
        if ending and buffers.result[0] <= MISPAID:
            raise mispaid(self, MISPAID - buffers.result[0], state)
        return (ending, buffers.result[0]) if ending else None

    def _measured(self, state: Any) -> None:
        """Raises unless the state has the number of bytes that C reads; C checks their values."""
        if not isinstance(state, bytes) or len(state) != self._size:
            validation.refuse(self.game, state)

    def sound(self, *states: State) -> None:
        """Raises `InvalidState` for a state that is not one of the game; called before every long question."""
        for state in states:
            self._measured(state)
        wrong = self.functions.sound(b"".join(states), len(states))
        if wrong < len(states):
            validation.refuse(self.game, states[wrong])

    def standing(self, state: State, ending: int) -> list[tuple[int, ...]]:
        """For an ending that compares scores, the scores of all players for each compared line."""
        self.sound(state)
        ending = validation.whole("ending", ending, 0)
        contest, players = self.game.numbered.get(ending), len(self.game.players.labels)
        if contest is None:
            return []
        numbers = (c_longlong * (players * len(contest.compared)))()
        stuck = int(ending > len(self.game.endings))
        self._ask(self.functions.standing, state, ending, stuck, ctypes.addressof(numbers))
        return [tuple(numbers[at : at + players]) for at in range(0, len(numbers), players)]

    def _children(self, state: State, moves: Sequence[int]) -> list[State]:
        """The states after legal moves, given as numbers."""
        size = self.game.size
        codes = (self.move_type * len(moves))(*moves)
        out = ctypes.create_string_buffer(size * len(moves) + WORD)
        found, control = self._ask(self.functions.children, state, codes, len(moves), out)
        if found == MISTAKE:
            raise self.explained(control.error, state)
        raw = out.raw
        return [raw[i : i + size] for i in range(0, size * len(moves), size)]

    def weights(self, state: State, moves: Sequence[int]) -> tuple[int, ...]:
        """How likely the moves of chance are, given as numbers: all moves of a position."""
        if not self.game.weighed:
            return (1,) * len(moves)
        codes, out = (self.move_type * len(moves))(*moves), (c_longlong * len(moves))()
        self._ask(self.functions.weights, state, codes, len(moves), out)
        return tuple(out)

    def expand_many(self, states: Sequence[State], children: bool = False) -> list[Node]:
        """The answers for many positions; with `children` the positions after all moves, too."""
        states, children = validation.listed("states", states, "a list of states"), bool(children)
        self.sound(*states)
        functions, size, buffers = self.functions, self.game.size, self._buffers()
        width = ctypes.sizeof(self.move_type)
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
        states = validation.listed("states", states, "a list of states")
        self.sound(*states)
        if self._seated:
            return list(map(self._estimates, states))
        found: list[tuple[int, ...]] = []
        for first in range(0, len(states), AT_ONCE):
            some = states[first : first + AT_ONCE]
            out = (c_longlong * len(some))()
            self._ask(self.functions.estimate_many, b"".join(some), len(some), out)
            found += [(value, -value) for value in out]
        return found

    # ------------------------------------------------------------------------------------ long questions

    def perft(self, state: State, depth: int, tick: Tick | None = None) -> int:
        """The number of sequences of `depth` legal moves; `tick` is called with each number newly counted."""
        self.hasten()
        self.sound(state)
        depth, tick = validation.whole("depth", depth, 0, counting.DEEPEST), validation.callback("tick", tick)
        control = self.control()
        room = DEEP
        while True:
            moves = (self.move_type * room)()
            found = self.answer(control, tick, self.functions.perft, state, depth, moves, room)
            if found != NO_ROOM:
                return self.checked(found, control)
            room = more_moves(room, 16 * MOST_MOVES)

    def perft_after(
        self, state: State, depth: int, turns: int, seen: Mapping[State, int], tick: Tick | None = None
    ) -> int:
        """The number of sequences of `depth` moves after `turns` turns, as `RememberingPerftEngine` counts them."""
        self.hasten()
        self.sound(state)
        depth, tick = validation.whole("depth", depth, 0, counting.DEEPEST), validation.callback("tick", tick)
        path = (ctypes.c_uint64 * ((depth + 1) * (padded(self.game.size) // 8 + 1)))()
        before, times = occurrences(self.game, state, seen)
        room = DEEP
        while True:
            control, moves = self.control(), (self.move_type * room)()
            found = self.answer(
                control, tick, self.functions.perft_after, state, depth, moves, room, path, turns, before, times,
                len(times),
            )  # fmt: skip
            if found != NO_ROOM:
                return self.checked(found, control)
            room = more_moves(room, 16 * MOST_MOVES)

    def turns_after(
        self, state: State, turns: int, played: int, seen: Mapping[State, int], tick: Tick | None = None
    ) -> list[int] | None:
        """The sequences of so many whole turns by their first moves, in a game whose endings ask for repetitions.

        None where turns are so long, or can be played in so many orders, that they are not counted one by one.
        """
        self.hasten()
        self.sound(state)
        if turns >= LONGEST_PATH:
            return None
        path = (ctypes.c_uint64 * (LONGEST_PATH * (padded(self.game.size) // 8 + 1)))()
        before, times = occurrences(self.game, state, seen)
        room, by_move = DEEP, (c_longlong * len(self.expand(state)))()
        while True:
            control, moves = self.control(), (self.move_type * room)()
            found = self.answer(
                control, tick, self.functions.turns_after, state, turns, moves, room, path, LONGEST_PATH, played,
                before, times, len(times), by_move,
            )  # fmt: skip
            if found == ENDLESS:
                raise EndlessTurn
            if found == NO_ROOM and control.low:
                return None
            if found != NO_ROOM:
                self.checked(found, control)
                return list(by_move)
            room = more_moves(room, 16 * MOST_MOVES)

    def turn_positions(self, state: State) -> Iterator[State]:
        """The distinct states that a turn can lead to, depth first, each where canonical order first reaches it."""
        turn, size = self._turn(state), self.game.size
        raw = memoryview(turn.memory.ends)[: turn.positions * size]
        positions = (position for (position,) in struct.iter_unpack(f"{size}s", raw))
        if turn.positions > SMALL_TURN:  # too many for a list: the next turn has to write elsewhere
            self._buffers().forget_turn()
            return positions
        return iter(list(positions))

    def count_turns(self, state: State) -> int:
        """The number of ways to play a turn; raises `EndlessTurn` if a turn can return to a position."""
        turn = self._turn(state)
        if turn.endless:
            raise EndlessTurn
        return TurnCounter([self], asking=False).count(state) if turn.ways is None else turn.ways

    def sequences(self) -> NativeSequences:
        """The counting of sequences of turns, in C."""
        self.hasten()
        return NativeSequences(self)

    def _turn(self, state: State, tick: Tick | None = None) -> Turn:
        """The results of walking all positions of a turn; those of the last turn are remembered.

        Most turns fit into little memory and are walked directly; only others are worth a thread.
        """
        self.sound(state)
        buffers, functions = self._buffers(), self.functions
        if buffers.turn is None or buffers.turn.state != state:
            buffers.turn = None
            memory = buffers.small_turn(self.game.size, functions)
            control = self.control()
            ask = (self.answer if functions.bounded
                   else lambda control, _, function, *args: function(ctypes.byref(control), *args))  # fmt: skip
            while (count := ask(control, tick, functions.turn, state, *memory.arguments)) == NO_ROOM:
                memory = buffers.larger_turn(memory, control, self.game.size, functions)
                control, ask = self.control(), self.answer
            self.checked(count, control)
            ways = None if control.high else memory.ways.value
            buffers.turn = Turn(state, count, ways, bool(control.low), memory)
        return buffers.turn

    def playouts(self, state: State, games: int, seed: int, longest: int, tick: Tick | None = None) -> Playouts:
        """Games of random moves, as `pysolve.search.playouts` plays them."""
        self.sound(state)
        games, longest, tick = *counting_games(games, longest), validation.callback("tick", tick)
        self.hasten(games)
        control, room = self.control(), ROOM
        path = (ctypes.c_uint64 * ((longest + 1) * (padded(self.game.size) // 8 + 1)))()
        while True:
            moves, results = (self.move_type * room)(), (c_longlong * (4 + 2 * self._players))()
            found = self.answer(
                control, tick, self.functions.playouts, state, games, validation.seed(seed), longest,
                path, moves, room, results,
            )  # fmt: skip
            if found != NO_ROOM:
                self.checked(found, control)
                return self._counted(list(results))
            room = more_moves(room)

    def _counted(self, results: list[int]) -> Playouts:
        """The counts of some random games, from the array that C has filled."""
        if not self._seated:
            draws, first, second, unfinished, plies, *_ = results
            return Playouts((first, second), draws, unfinished, plies)
        draws, *wins, others, unfinished, plies = results[: 4 + self._players]
        return Playouts(tuple(wins), draws, unfinished, plies, others, tuple(results[4 + self._players :]))

    def searcher(self, entries: int, threads: int, horizon: Horizon) -> Searcher:
        """The search of `pysolve.search.minimax`, or of `maxn`, in C.

        Where there are two players max-n is searched in Python: it has no advantage for them.
        """
        validation.instance("horizon", horizon, Horizon, "a Horizon")
        if horizon.each and self._players == 2:
            return PythonEachSearcher(self, entries, horizon)
        return (NativeDriver if threads == 1 else NativeSearcher)(self, entries, threads, horizon)

    @property
    def has_strong(self) -> bool:
        """True if the game has the search of `pysolve.search.strong`."""
        return self.game.is_contest

    def strong(self, entries: int, threads: int, lines: int, techniques: Techniques) -> NativeStrong:
        """The search of `pysolve.search.strong`."""
        return NativeStrong(self, entries, threads, lines, techniques)

    def table_bytes(self, entries: int) -> int:
        """The memory for a table of so many positions."""
        return table_bytes(self.functions, entries)

    def tree(self, state: State, settings: Settings, history: History) -> NativeTree:
        """The tree of `pysolve.search.mcts`, in C."""
        return NativeTree(self, state, settings, history)

    def regrets(self, tree: GameTree) -> NativeRegrets:
        """The regrets of `pysolve.search.hidden.cfr`, in C."""
        return NativeRegrets(tree)

    def answer(self, control: Control, tick: Tick | None, function: Any, *args: Any, until: float | None = None) -> int:
        """Calls a C function in a thread (see `answered`); returns what it returned, or STOPPED."""
        try:
            return answered(control, tick, function, *args, until=until)
        finally:
            self._seen += control.nodes

    def checked(self, found: int, control: Control) -> int:
        """Returns `found`; raises `RuleMistake` for MISTAKE and `LimitReached` for STOPPED."""
        if found == MISTAKE:
            raise self.explained(control.error, None)  # the position in which it occurred is not known
        if found <= MISPAID:
            raise mispaid(self, MISPAID - found, None)
        if found == STOPPED:
            raise LimitReached("stopped")
        return found

    def explained(self, error: Error, state: State | None) -> RuleMistake:
        """A `RuleMistake` for an error that C has found, in the words of the rules file."""
        what: str | tuple[str, int] = {NO_PICK: NOTHING_TO_PICK, ALL_OUT: EVERYBODY_OUT}.get(error.kind, MISSING)
        if error.kind == OUT_OF_RANGE:
            what = list(self.game.slots)[error.slot], error.value
        moves = [] if state is None else self._moves_of(state)
        return rule_mistake(self.game, error.line, what, state, moves, self._apply, self.start)

    def _moves_of(self, state: State) -> Iterator[Move]:
        """The legal moves of a position in which one of them cannot be carried out, up to that move at least."""
        buffers = self._buffers()
        children_at = buffers.children_at(self.game.size) if self.functions.tries else None
        count, _ = self._ask(
            self.functions.expand, state, buffers.moves_at, buffers.room, buffers.result_at, children_at
        )
        return (self.decode(buffers.moves[i]) for i in range(buffers.room if count == MISTAKE else max(count, 0)))

    def _apply(self, state: State, move: Move) -> None:
        """Carries a move out; raises `EngineError` if its effects fail."""
        codes = (self.move_type * 1)(self.codes.encode(move))
        out = ctypes.create_string_buffer(self.game.size + WORD)
        found, control = self._ask(self.functions.children, state, codes, 1, out)
        if found == MISTAKE:
            raise EngineError(f"line {control.error.line}")


class NativeEngine(NativeAnswers):
    """The C engine of a game for one or two players, which can also solve it."""

    def retrograde(
        self,
        state: State,
        states: int,
        tick: Tick | None = None,
        until: float | None = None,
        begun: Begun | None = None,
        symmetries: Renamings = NONE,
    ) -> Table:
        """The value of every position that can be reached, as `pysolve.search.retrograde` finds it."""
        return solved(self, state, states, tick, until, begun, symmetries)

    def prover(self, state: State, player: int, states: int, symmetries: Renamings = NONE) -> NativeProver:
        """The search of `pysolve.search.proof_number`, in C."""
        return NativeProver(self, state, player, states, symmetries)

    def decider(self, states: int, symmetries: Renamings = NONE, threads: int = 1) -> NativeDecider:
        """The search of `pysolve.search.decide`, in C."""
        return NativeDecider(self, states, symmetries, threads)


def native_engine(game: Game, *args: Any, **kwargs: Any) -> NativeAnswers:
    """The native engine of a game: one that solves it, too, where there are at most two players."""
    solves = len(game.players.labels) <= 2 and not game.pays
    return (NativeEngine if solves else NativeAnswers)(game, *args, **kwargs)


class NativeNode:
    """The answers for one position; moves and children are built when they are read."""

    __slots__ = ("_after", "_codes", "_engine", "_moves", "_state", "ending", "payoff")

    def __init__(
        self,
        engine: NativeAnswers,
        state: State,
        codes: Sequence[int],
        after: bytes | None,
        ending: int,
        winner: int,
    ):
        self._engine = engine
        self._after = after  # the states after the moves, if they are already computed
        self._state = state
        self._codes = codes
        self._moves: list[Move] | None = None
        self.ending = ending
        self.payoff: tuple[int, ...] | None = None
        if ending:
            if winner <= MISPAID:
                raise mispaid(engine, MISPAID - winner, state)
            two = not engine._seated
            self.payoff = ((0, 0), (1, -1), (-1, 1))[winner] if two else payoffs(winner, engine._players)

    def __len__(self) -> int:
        return len(self._codes)

    @property
    def weights(self) -> tuple[int, ...] | None:
        """A weight for each move where chance moves; None where a player does."""
        engine = self._engine
        if not engine.game.chances or not self._codes or self.moves[0][0] not in engine.game.chances:
            return None
        return engine.weights(self._state, self._codes)

    @property
    def moves(self) -> list[Move]:
        """Legal moves in canonical order."""
        if self._moves is None:
            self._moves = [self._engine.decode(code) for code in self._codes]
        return self._moves

    def child(self, index: int) -> State:
        """The state after a move."""
        if type(index) is not int or not 0 <= index < len(self._codes):
            index = validation.place(index, len(self._codes))
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


__all__ = ["BuildError", "NativeAnswers", "NativeEngine", "NoCompiler", "TooLarge", "Turn", "native_engine"]
