"""Why a move is legal or not, without Prolog: each demand by itself, and the values that decide it, from C.

In: a game.  Out: the answers of `pysolve.engines.protocol.Explainer`, as the Prolog engine gives them.
"""

from __future__ import annotations

import ctypes
import re
import time
from collections.abc import Iterator, Sequence
from ctypes import c_char_p, c_longlong, c_void_p
from typing import Any

from pysolve.dsl.language.constants import BEGINS, MOST_LISTED, NO_ROOM, STOPPED
from pysolve.dsl.model import Game, Probe, SetSort, Sort, Trail
from pysolve.dsl.model.demands import WHEN, Numbered, numbered_demands
from pysolve.dsl.model.move_codes import move_codes
from pysolve.engines.bindings import STEPS, Control, answered, move_type
from pysolve.engines.build import BuildError, build, compilers, quick_ones
from pysolve.engines.protocol import Finding, LimitReached, Move, State
from pysolve.runtime import validation

ROOM = 1 << 10  # numbers of one answer, at first


class NativeReasons:
    """Says of a move which demands hold, and why.  Raises `BuildError` or `NoCompiler` where nothing compiles C, and
    `pysolve.dsl.model.move_codes.TooLarge` for a game whose tables do not fit."""

    def __init__(self, game: Game, steps: int = STEPS):
        """`steps` limits each question about a demand."""
        from pysolve.dsl.to_c import print_reasons

        self.game = game
        self._steps = steps
        self._codes = move_codes(game)
        text, failed = print_reasons(game), BuildError("")
        for compiler in quick_ones(compilers()):
            try:
                self._library = build(text, compiler)
                break
            except BuildError as error:
                failed = error
        else:
            raise failed
        at, number, code = c_void_p, c_longlong, move_type(self._codes)
        function = self._library.function
        self._demand = function("ps_demand", at, c_char_p, code, number)
        self._reasons = function("ps_reasons", at, c_char_p, code, number, at, number)
        self._trail = function("ps_trail", at, c_char_p, code, number, number, at, number)
        asked = numbered_demands(game)
        self._of_kinds = {(one.action.name, one.part): one.demands for one in asked if one.action is not None}
        self._of_claims = [one.demands for one in asked if one.action is None]

    def explain(self, state: State, move: Move, seconds: float | None = 10) -> list[Finding]:
        """Each demand of the move's kind; those on the resulting position only if all others hold."""
        move, seconds = validation.move(self.game, move), validation.seconds(seconds)
        state = validation.sound(self.game, state)
        kind, code = self.game.actions[move[0]].name, self._codes.encode(move)
        asking = _Asking(self, state, code, seconds)
        found: list[Finding] = []
        for part in ("when", "after"):
            if not all(one.holds for one in found):
                break
            found += [asking.finding(part, place, one) for place, one in enumerate(self._of_kinds[kind, part], 1)]
        return found

    def explain_claim(self, state: State, number: int, seconds: float | None = 10) -> Finding:
        """Whether what an example says, by its number in the model, holds in a position, and why."""
        state, seconds = validation.sound(self.game, state), validation.seconds(seconds)
        (claim,) = self._of_claims[validation.place(number, len(self._of_claims), "claim")]
        return _Asking(self, state, 0, seconds).finding(WHEN, 1, claim)


class _Asking:
    """The questions about one move in one position, or about a claim, within a time."""

    def __init__(self, reasons: NativeReasons, state: State, code: int, seconds: float | None):
        self._reasons = reasons
        self._about = state, code
        self._until = None if seconds is None else time.monotonic() + seconds

    def finding(self, part: str, place: int, one: Numbered) -> Finding:
        """A demand of this place among its like, with the parts that decide it where it fails."""
        holds = self._holds(one)
        parts = () if holds else self._deciding(part, one, holds)
        return Finding(part, place, holds, self._values(one, holds), parts)

    def _deciding(self, part: str, one: Numbered, holds: bool) -> tuple[Finding, ...]:
        """Of the conditions that are joined those that fail as they do together, or hold so where that is denied."""
        together = holds != one.demand.negated
        found = []
        for place, inner in enumerate(one.parts, 1):
            if self._holds(inner) == together:
                found.append(Finding(part, place, together, self._values(inner, together),
                                     self._deciding(part, inner, together)))  # fmt: skip
        return tuple(found)

    def _holds(self, one: Numbered) -> bool:
        return bool(self._asked(self._reasons._demand, one.number))

    def _values(self, one: Numbered, holds: bool) -> tuple[str, ...]:
        demand = one.demand
        probes, found = (*demand.probes, *demand.counter_probes), list[str]()
        if probes:
            found += _equations(self._numbers(self._reasons._reasons, one.number), probes)
        if demand.trail is not None:
            found += self._way(demand.trail, one.number, holds)
        return tuple(dict.fromkeys(found))

    def _way(self, trail: Trail, number: int, holds: bool) -> Iterator[str]:
        """A shortest way to what is asked for; or all that is reached, where the demand fails."""
        begun = self._numbers(self._reasons._trail, number, BEGINS)
        goal = begun.pop(0) if trail.item is not None and begun else None
        sort = trail.reach.near.sort
        assert isinstance(sort, Sort)
        seen = set(begun)
        ways: list[tuple[int, ...]] = [(member,) for member in begun]
        while True:
            way = next((way for way in ways if way[-1] == goal), None)
            if way is not None:
                yield f"path: {_listed(sort, way)}"
                return
            ways = self._longer(number, ways, seen)
            if not ways:
                break
            seen |= {way[-1] for way in ways}
        if not holds:
            yield f"reached: {_listed(sort, sorted(seen))}"

    def _longer(self, number: int, ways: list[tuple[int, ...]], seen: set[int]) -> list[tuple[int, ...]]:
        """The ways that go one step further, one for each new value."""
        found: dict[int, tuple[int, ...]] = {}
        for way in ways:
            for value in self._numbers(self._reasons._trail, number, way[-1]):
                if value not in seen:
                    found.setdefault(value, (*way, value))
        return [found[value] for value in sorted(found)]

    def _numbers(self, function: Any, *args: int) -> list[int]:
        room = ROOM
        while True:
            out = (c_longlong * room)()
            count = self._asked(function, *args, ctypes.addressof(out), room)
            if count != NO_ROOM:
                return out[:count]
            room *= 4

    def _asked(self, function: Any, *args: int) -> int:
        steps = self._reasons._steps
        state, code = self._about
        found = answered(Control(steps=steps, left=steps), None, function, state, code, *args, until=self._until)
        if found == STOPPED:
            raise LimitReached("the time limit of this query was reached")
        return found


def _equations(numbers: list[int], probes: Sequence[Probe]) -> Iterator[str]:
    """The values of probes as text: `at(c3) = Red`, `distance(c3) has no value`, `c3 + east is off the board`."""
    rows = iter(numbers)
    for number in rows:
        probe = probes[number]
        words = iter([_word(arg.sort, next(rows)) for arg in probe.args])
        place = re.sub(r"\{\d+\}", lambda _, words=words: next(words), probe.label)  # type: ignore[misc]
        if probe.value is not None:
            yield f"{place} = {_word(probe.value.sort, next(rows))}"
        else:
            yield f"{place} {'is off the board' if probe.off_board else 'has no value'}"


def _word(sort: Sort | SetSort, value: int) -> str:
    """The word for a value; the number, if it is none of the sort."""
    assert isinstance(sort, Sort)
    return sort.label(value) if sort.lowest <= value <= sort.high else str(value)


def _listed(sort: Sort, values: Sequence[int]) -> str:
    """Up to thirteen values, or twelve and how many more there are."""
    words = [_word(sort, value) for value in values]
    if len(words) > MOST_LISTED + 1:
        return f"{', '.join(words[:MOST_LISTED])} and {len(words) - MOST_LISTED} more"
    return ", ".join(words) or "nothing"
