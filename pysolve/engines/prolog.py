"""The Prolog engine: the clauses of a game, asked position by position.

In: a checked game.  Out: answers to the questions of `pysolve.engines.protocol`, and those that only Prolog can answer:
`explain` and `query`.  One call gives all that can be asked about a position: a reply with the legal moves and,
for each, the few bytes that it changes; a child is built when somebody visits it.
"""

from __future__ import annotations

import re
import sys
import weakref
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import islice, product
from typing import NoReturn

from pysolve.dsl.analysis.costs import effects_take_long
from pysolve.dsl.model import Game, Sort
from pysolve.dsl.model.payoffs import payoffs
from pysolve.dsl.notation import NotationError, blank, diagram, parse_value
from pysolve.dsl.to_prolog import claim_kind, print_prolog
from pysolve.dsl.to_prolog.unfolded import print_unfolded
from pysolve.engines.border import PrologError
from pysolve.engines.errors import EVERYBODY_OUT, MISSING, NOTHING_TO_PICK, mispaid, rule_mistake
from pysolve.engines.protocol import TOO_MANY, EngineError, Finding, LimitReached, Move, State, View
from pysolve.engines.queries import query_error
from pysolve.runtime import validation
from pysolve.runtime.paths import runtime
from pysolve.search.learned import Values, alone

if sys.platform == "emscripten":  # Pyodide, in a browser or in node
    from pysolve.engines.browser import bridge
else:
    from pysolve.engines.bridge import bridge

WARM = 500  # positions after which a game is asked often enough to unfold its clauses
INFERENCES = 200_000_000  # for one question; some 20 seconds
CANDIDATES = 5_000  # moves that are tried to find the one that breaks its rules
SEPARATOR = b"\xff"  # stands before each move of a reply, and nowhere else


def has_prolog() -> bool:
    """True if there is a Prolog to ask; the first time this starts it."""
    try:
        bridge()
    except EngineError:
        return False
    return True


class PrologEngine:
    """Answers for one game from its clauses.

    Several may exist side by side; each game has a Prolog module of its own, shared by engines for the same
    rules and options.  May be used from any thread.
    """

    name = "prolog"

    def __init__(self, game: Game, inferences: int = INFERENCES, warm: int | None = WARM):
        """`inferences` limits each question; after `warm` positions the fast clauses are loaded, None: never."""
        self.game = game
        self.inferences = inferences
        self.unfolded = False
        self._until_warm = -1 if warm is None else warm
        self.program = print_prolog(game, runtime())
        self.module = f"pysolve_{re.sub(r'[^a-z0-9]', '_', game.name.lower())}_{game.digest}_{inferences}"
        prolog = bridge()
        prolog.load(self.module, f"{self.program}\ninference_limit({inferences}).\n")
        self._close = weakref.finalize(self, prolog.unload, self.module)
        self._close.atexit = False
        self._bridge = prolog
        self._expand = prolog.function(self.module, "limited_expand")
        self._look = prolog.function(self.module, "limited_look") if effects_take_long(game) else None
        self._result = prolog.function(self.module, "limited_result")
        self._played = prolog.function(self.module, "limited_played")
        self._start = prolog.function(self.module, "limited_start")
        self._estimate = prolog.function(self.module, "limited_estimate")
        self._judge = prolog.function(self.module, "limited_judge")
        self._stand = prolog.function(self.module, "limited_stand")
        self._explain = prolog.function(self.module, "limited_explain")
        self._answer = prolog.function(self.module, "limited_answer")
        self._outs = prolog.function(self.module, "limited_outs") if game.out is not None else None
        self._weigh = prolog.function(self.module, "limited_weigh") if game.weighed else None
        hides = any(slot.seen for slot in game.slots.values())
        self._view = prolog.function(self.module, "limited_view") if hides else None
        self._layout = _Layout(game, self.weights)
        self.values: Values | None = None
        self._lines: list[PrologEngine] = []  # one for each line of `evaluate`, where learned values ask them

    def __reduce_ex__(self, protocol: object) -> NoReturn:
        """Raises `TypeError`: an engine is neither pickled nor copied, a game is."""
        validation.refuse_copy("an engine", "its game can be, as in  pickle.dumps(game), and opens it again")

    def close(self) -> None:
        """Gives the clauses back; the engine cannot be asked afterwards."""
        self._close()

    # ------------------------------------------------------------------------------------- questions

    def expand(self, state: State) -> PrologNode:
        """The node of a position: its legal moves, their effects, and the payoff if the game is over."""
        if self._until_warm >= 0:
            self._until_warm -= 1
            if self._until_warm < 0:
                self.unfold()
        return PrologNode(self._layout, state, self.ask(state))

    def look(self, state: State) -> PrologNode:
        """The node of a position for a caller who will not read the child of every move.

        Where effects take long to compute, each child is computed when it is asked for, and mistakes in effects are
        raised then.
        """
        if self._look is None:
            return self.expand(state)
        return _LookedAt(self, self._layout, state, self._asked(self._look, state))

    def result(self, state: State) -> tuple[int, ...] | None:
        """The payoff of a position that is the end, and nothing else."""
        if self._look is None:
            return self.expand(state).payoff
        reply = self._asked(self._result, state)
        return payoffs(_result(reply), self._layout.players) if reply[0] else None

    def weights(self, state: State, count: int) -> tuple[int, ...]:
        """How likely the moves of chance are: all moves of a position, of which there are `count`."""
        if self._weigh is None:
            return (1,) * count
        return tuple(map(int, self._asked(self._weigh, state).split()))

    def view(self, state: State, player: int) -> View:
        """The state as a player sees it: what the player does not see is `UNKNOWN`."""
        player = validation.whole("player", player, 1, self._layout.players)
        if self._view is None:
            return validation.sound(self.game, state)
        return self._asked(self._view, state, f"{player}\n----\n".encode())

    def ask(self, state: State) -> bytes:
        """The reply of Prolog for a position, as prolog/programs.pl describes it."""
        return self._asked(self._expand, state)

    def _after(self, state: State, move: Move) -> State:
        """The position after a legal move."""
        kind, *args = move
        name = self.game.actions[kind].name if kind < len(self.game.actions) else "pass"
        term = f"'{name}'({','.join(map(str, args))})" if args else f"'{name}'"
        return self._asked(self._played, state, f"{term}\n----\n".encode())

    def _asked(self, function: Callable[[bytes], bytes | None], state: State, before: bytes = b"") -> bytes:
        state = validation.sound(self.game, state)
        try:
            reply = function(before + state)
        except PrologError as error:
            raise self._explained(error, state) from None
        if reply is None:
            raise EngineError(f"Prolog gives no answer for {state!r}; this is a mistake in pysolve")
        return reply

    def unfold(self) -> bool:
        """Loads the fast shape of the clauses, where there is one; the answers stay the same."""
        self._until_warm = -1
        text = print_unfolded(self.game)
        if text:
            self._bridge.add(self.module, text)
            self._expand = self._bridge.function(self.module, "expand_unfolded")
            self.unfolded = True
        return self.unfolded

    def start(self, seed: int = 0) -> State:
        """The initial state; its lots are drawn from the seed."""
        try:
            reply = self._start(str(validation.seed(seed)).encode())
        except PrologError as error:
            raise self._explained(error, None) from None
        if reply is None:
            raise EngineError("the setup gives no position; this is a mistake in pysolve")
        return reply

    def think_by(self, values: Values) -> None:
        """Judges positions by learned values from now on (see `pysolve.search.learned.ValuingEngine`)."""
        self.values = values
        self._lines = [PrologEngine(alone(self.game, term)) for term in self.game.terms] if values.uses_lines else []

    def estimate(self, state: State) -> tuple[int, ...]:
        """The `evaluate` block for each player."""
        state = validation.sound(self.game, state)
        if self.values is not None:
            value = self.values.value(state, [line.estimate(state)[0] for line in self._lines])
            return value, -value
        try:
            reply = self._estimate(state)
        except PrologError as error:
            raise self._explained(error, state) from None
        values = tuple(map(int, (reply or b"0").split()))
        return (values[0], -values[0]) if self._layout.players == 2 else values

    def judge(self, state: State, turns: int, times: int) -> tuple[int, int] | None:
        """Number and winner (0 for a draw) of the ending that holds after `turns` turns at occurrence `times`."""
        state = validation.sound(self.game, state)
        turns, times = validation.whole("turns", turns, 0), validation.whole("times", times, 0)
        try:
            reply = self._judge(f"{turns} {times} ".encode() + state)
        except PrologError as error:
            raise self._explained(error, state) from None
        return (reply[0], _result(reply)) if reply else None

    def standing(self, state: State, ending: int) -> list[tuple[int, ...]]:
        """For an ending that compares numbers: those of all players, for each line that it compares."""
        state, ending = validation.sound(self.game, state), validation.whole("ending", ending, 0)
        try:
            reply = self._stand(f"{ending} 0 ".encode() + state)
        except PrologError as error:
            raise self._explained(error, state) from None
        numbers, players = [int(number) for number in (reply or b"").split()], len(self.game.players.labels)
        return [tuple(numbers[at : at + players]) for at in range(0, len(numbers), players)]

    def explain(self, state: State, move: Move, seconds: float | None = 10) -> list[Finding]:
        """Each demand of the move's kind: whether it holds, and the values that decide it."""
        move = validation.move(self.game, move)
        action = self.game.actions[move[0]]
        args = ",".join(map(str, move[1:]))
        return self._findings(state, f"'{action.name}'({args})" if args else f"'{action.name}'", seconds)

    def explain_claim(self, state: State, number: int, seconds: float | None = 10) -> Finding:
        """Whether what an example says, by its number in the model, holds in a position, and the values that decide."""
        number = validation.place(number, len(self.game.claims), "claim")
        (found,) = self._findings(state, f"'{claim_kind(number)}'", seconds)
        return found

    def _findings(self, state: State, term: str, seconds: float | None) -> list[Finding]:
        state, seconds = validation.sound(self.game, state), validation.seconds(seconds)
        reply = self._bridge.within(seconds, self._explain, f"{term}\n----\n".encode() + state)
        rows = [line.split("\t") for line in (reply or b"").decode("latin-1").split("\n") if line]
        return _nested(rows, 1)

    def query(self, state: State, goal: str, limit: int = 1000, seconds: float | None = 10) -> Iterator[dict[str, str]]:
        """The solutions of a goal: variables and their words.  Raises `QueryError` for a goal that is at fault."""
        try:
            yield from self._solutions(state, goal, limit, seconds)
        except PrologError as error:
            raise query_error(goal, error.term, self.game) or error from None

    def rows(self, state: State, name: str, limit: int) -> list[tuple[int, ...]]:
        """The answers to a name of `show`: see `pysolve.engines.protocol.Shows`."""
        sorts = self.game.queries[name].sorts
        if not sorts:
            return []
        variables = [f"X{number}" for number in range(len(sorts))]
        found = self.query(state, f"'{name}'({', '.join(variables)})", limit, None)
        return [tuple(parse_value(answer[one], sort, sort.name) for one, sort in zip(variables, sorts, strict=True))
                for answer in found]  # fmt: skip

    def outs(self, state: State) -> list[int]:
        """The players who are out: see `pysolve.engines.protocol.Shows`."""
        return [] if self._outs is None else [int(one) for one in self._asked(self._outs, state).split()]

    def _solutions(
        self, state: State, goal: str, limit: int = 1000, seconds: float | None = 10
    ) -> Iterator[dict[str, str]]:
        state, seconds = validation.sound(self.game, state), validation.seconds(seconds)
        limit, goal = validation.whole("limit", limit, 1), " ".join(validation.text("goal", goal).splitlines())
        data = f"{limit}\n{goal}\n----\n".encode("latin-1", "replace") + state
        reply = self._bridge.within(seconds, self._answer, data)
        for line in (reply or b"").decode("latin-1").split("\n"):
            if line:
                yes, *words = line.split("\t")
                assert yes == "yes"
                yield dict(word.split("=", 1) for word in words)

    # -------------------------------------------------------------------------------------- mistakes

    def _explained(self, error: PrologError, state: State | None) -> EngineError:
        """An `EngineError` for an error of Prolog, in the words of the rules file."""
        term = error.term
        what: str | tuple[str, int]
        if found := re.search(r"out_of_range\('?([\w ]+)'?,(-?\d+),-?\d+,-?\d+,(\d+)\)", term):
            what, line = (found[1], int(found[2])), int(found[3])
        elif found := re.search(r"no_value\((\d+)\)", term):
            what, line = MISSING, int(found[1])
        elif found := re.search(r"all_out\((\d+)\)", term):
            what, line = EVERYBODY_OUT, int(found[1])
        elif found := re.search(r"nothing_to_pick\((\d+)\)", term):
            what, line = NOTHING_TO_PICK, int(found[1])
        elif found := re.search(r"mispaid\((\d+)\)", term):
            return mispaid(self, int(found[1]), state)
        else:
            where = "" if state is None else f" in the position\n{diagram(self.game, state, blank(self.game))}"
            if "inference_limit" in term:
                return LimitReached(f"a position needs more than {self.inferences:,} inferences: {TOO_MANY}{where}")
            return EngineError(f"Prolog: {term}{where}")
        moves = [] if state is None else self._moves_of(state)
        return rule_mistake(self.game, line, what, state, moves, self._apply, self.start)

    def _moves_of(self, state: State) -> Iterator[Move]:
        """The legal moves of a position, found without what they change."""
        moves = False
        for move in self._chosen_moves_of(state):
            moves = True
            yield move
        if not moves and self.game.stuck is None:
            yield (len(self.game.actions),)  # a pass, after which nobody may be left

    def _chosen_moves_of(self, state: State) -> Iterator[Move]:
        for kind, action in enumerate(self.game.actions):
            names = [f"X{number}" for number, _ in enumerate(action.params)]
            goal = f"{action.name}({','.join(names)})" if names else action.name
            with suppress(NotationError):  # a name may mean something else in a query
                try:
                    answers = list(self._solutions(state, goal))
                except EngineError:  # `after` looks at a position that cannot be made
                    yield from self._impossible(state, kind)
                    continue
                for found in answers:
                    yield (kind, *(parse_value(found[n], p.sort, n) for n, p in zip(names, action.params, strict=True)))  # type: ignore[arg-type]

    def _impossible(self, state: State, kind: int) -> Iterator[Move]:
        """The moves of a kind with `after` that would be legal, if what they change could be found."""
        ranges = [param.sort.values() for param in self.game.actions[kind].params]  # type: ignore[union-attr]
        for args in islice(product(*ranges), CANDIDATES):
            try:
                self.explain(state, (kind, *args))
            except EngineError:
                yield (kind, *args)

    def _apply(self, state: State, move: Move) -> None:
        """Carries a move out; raises `EngineError` where that is impossible."""
        kind, *args = move
        name = self.game.kinds[kind]
        term = f"'{name}'({','.join(map(str, args))})" if args else f"'{name}'"
        self._played(f"{term}\n----\n".encode() + state)


def _nested(rows: list[list[str]], depth: int) -> list[Finding]:
    """The findings of rows, in which the parts of a demand follow it: 3/1 and 3/2 are parts of 3."""
    found: list[Finding] = []
    starts = [at for at, (_, number, *_) in enumerate(rows) if number.count("/") == depth - 1]
    for start, end in zip(starts, [*starts, len(rows)][1:], strict=True):
        part, number, holds, *values = rows[start]
        inner = tuple(_nested(rows[start + 1 : end], depth + 1))
        found.append(Finding(part, int(number.split("/")[-1]), holds == "true", tuple(values), inner))
    return found


class _Layout:
    """The format of the records in the replies of a game."""

    def __init__(self, game: Game, weigh: Callable[[State, int], tuple[int, ...]]):
        self.chances, self.weigh = game.chances, weigh
        self.wide = game.size > 255
        self.step = 3 if self.wide else 2
        self.params = [tuple(_Parameter.of(p.sort) for p in a.params) for a in game.actions]
        self.params += [()] * (len(game.kinds) - len(game.actions))
        self.lengths = [1 + sum(p.width for p in params) for params in self.params]
        self.plain = [all(p.width == 1 and p.low == 0 for p in params) for params in self.params]
        self.players = game.players.high


@dataclass(frozen=True, slots=True)
class _Parameter:
    width: int
    low: int

    @staticmethod
    def of(sort: object) -> _Parameter:
        """The width and the offset that values of a sort need."""
        assert isinstance(sort, Sort)
        low = min(sort.low, 0)
        return _Parameter(1 if sort.high - low + 1 <= 255 else 2, low)


class PrologNode(Sequence[Move]):
    """A position with its answers; a sequence of its legal moves."""

    __slots__ = ("_before", "_layout", "_moves", "_records", "_state", "ending", "payoff")

    def __init__(self, layout: _Layout, state: State, reply: bytes):
        self._layout = layout
        self._state = state
        self._before: bytearray | None = None  # what every child begins with, when somebody visits one
        self._moves: list[Move] | None = None
        self.ending = ending = reply[0]
        if ending:
            self.payoff: tuple[int, ...] | None = payoffs(_result(reply), layout.players)
            self._records: list[bytes] = [b""]
        else:
            self.payoff = None
            self._records = reply.split(SEPARATOR)  # the first holds what every move changes

    @property
    def _base(self) -> bytearray:
        if self._before is None:
            self._before = base = bytearray(self._state)
            first = self._records[0]
            if len(first) == 3:  # status, byte, value: only the turn passes
                base[first[1]] = first[2]
            else:
                self._patch(base, first, 1)
        return self._before

    def _patch(self, state: bytearray, record: bytes, at: int) -> None:
        if self._layout.wide:
            for i in range(at, len(record), 3):
                state[record[i] * 255 + record[i + 1]] = record[i + 2]
        else:
            changes = iter(record[at:])
            for byte in changes:
                state[byte] = next(changes)

    def __len__(self) -> int:
        return len(self._records) - 1

    @property
    def weights(self) -> tuple[int, ...] | None:
        """A weight for each move where chance moves; None where a player does."""
        layout, records = self._layout, self._records
        if not layout.chances or len(records) < 2 or records[1][0] not in layout.chances:
            return None
        return layout.weigh(self._state, len(records) - 1)

    @property
    def moves(self) -> list[Move]:
        """Legal moves in canonical order."""
        if self._moves is None:
            self._moves = [self._move(record) for record in self._records[1:]]
        return self._moves

    def __getitem__(self, index):  # type: ignore[no-untyped-def]
        return self.moves[index]

    def _move(self, record: bytes) -> Move:
        kind = record[0]
        if self._layout.plain[kind]:
            return tuple(record[: self._layout.lengths[kind]])
        found, at = [kind], 1
        for parameter in self._layout.params[kind]:
            value = record[at] if parameter.width == 1 else record[at] * 255 + record[at + 1]
            found.append(value + parameter.low)
            at += parameter.width
        return tuple(found)

    def child(self, index: int) -> State:
        """The state after a move."""
        record = self._records[validation.place(index, len(self)) + 1]
        state = self._base[:]
        self._patch(state, record, self._layout.lengths[record[0]])
        return bytes(state)

    def children(self) -> Iterator[State]:
        """The states after all moves, in order, each built when it is reached."""
        base, lengths, records = self._base, self._layout.lengths, self._records
        if self._layout.wide:
            yield from map(self.child, range(len(records) - 1))
            return
        for record in records[1:]:
            at = lengths[record[0]]
            state = base[:]
            if len(record) == at + 4:  # from here to there: by far the most common
                state[record[at]] = record[at + 1]
                state[record[at + 2]] = record[at + 3]
            else:
                changes = iter(record[at:])
                for byte in changes:
                    state[byte] = next(changes)
            yield bytes(state)


class _LookedAt(PrologNode):
    """A node whose children are computed one by one, when they are asked for."""

    __slots__ = ("_engine",)

    def __init__(self, engine: PrologEngine, layout: _Layout, state: State, reply: bytes):
        super().__init__(layout, state, reply)
        self._engine = engine

    def child(self, index: int) -> State:
        """The state after a move."""
        return self._engine._after(self._state, self.moves[validation.place(index, len(self))])

    def children(self) -> Iterator[State]:
        """The states after all moves, in order."""
        return self._engine.expand(self._state).children()


def _result(reply: bytes) -> int:
    """The result behind the number of the ending: one digit, or several to the base of 255."""
    result = 0
    for digit in reply[1:]:
        result = result * 255 + digit
    return result
