"""Learned values: what a position is worth, as a sum of weights that its patterns select.

In: a position of a game of two players.  Out: its value for the first player, a whole number; a player who has
VALUE_UNIT is expected to get tanh(1), where a loss is -1 and a win 1.

    weights     for each stage of the game one for each pattern (`pysolve.dsl.analysis.patterns`), for who is to move
    lines       for each stage one for each line of the `evaluate` block, in units of 1 / LINE_UNIT
    net         in the place of most patterns, or none: units that each add up what the inputs say to them

`Values.value` is the plain form, group by group.  `folded` are the same sums for C (dsl/to_c/runtime/learned.c: it
makes the same values): a group that lies within another one is added to the weights of that one, so fewer are looked
up, and what a byte counts as is already in their order.  Equal sums are kept once.
"""

from __future__ import annotations

import hashlib
from array import array
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import accumulate, chain, pairwise, product
from math import prod
from typing import Any, NamedTuple, Protocol, TypeVar, runtime_checkable

from pysolve.dsl.analysis.patterns import Group, Patterns
from pysolve.dsl.language.constants import LINE_UNIT, MOST_LINE, MOST_VALUE, NET_UNIT, WIDEST
from pysolve.dsl.model import Game, Term

HIGHEST = (1 << 15) - 1  # of a number of 16 bits
LARGEST_LINE = 1 << 30  # the weight of a line of `evaluate`

N = TypeVar("N", int, float)


@dataclass(frozen=True)
class Net:
    """One layer of units.  Each input selects a row of numbers, one for each unit; what these come to, cut off below 0
    and above the ceiling, counts for the player to move as much as the output of the unit says, in 1 / NET_UNIT.

    Source: Y. Nasu, Efficiently Updatable Neural-Network-based Evaluation Functions for Computer Shogi, 2018 (rows that
    are added and taken away as bytes change).
    """

    inputs: Patterns  # groups that select the rows; their stages are those of the tables
    units: int  # a multiple of NET_LANES
    ceiling: int
    rows: array[int]  # 16 bits each, row by row
    outputs: array[int]  # 16 bits each, stage by stage

    def value(self, state: bytes, stage: int) -> int:
        """What the net says for the player to move."""
        chosen = [self.units * _place(self.inputs, group, state) for group in self.inputs.groups[state[0] == 2]]
        first, total = stage * self.units, 0
        for unit in range(self.units):
            said = sum(self.rows[row + unit] for row in chosen)
            total += max(0, min(self.ceiling, said)) * self.outputs[first + unit]
        return total // NET_UNIT

    def folded(self) -> tuple[tuple[array[int], array[int]], array[int]]:
        """The inputs of each mover, and the rows, as C reads them; row 0 is all zeros."""
        plan, rows = folding_of(self.inputs), array("h", bytes(2 * self.units))
        for begin, end in pairwise(plan.begins):
            parts = (self.rows[self.units * part : self.units * (part + 1)] for part in plan.parts[begin:end])
            rows.extend(map(sum, zip(*parts, strict=True)))
        for chosen in plan.rows:
            for at in range(0, len(chosen), 1 + 2 * WIDEST):
                chosen[at] += 1
        return plan.rows, rows


@dataclass(frozen=True, eq=False)
class Values:
    """Learned values of a game."""

    patterns: Patterns
    weights: array[int]  # 16 bits each, stage by stage
    lines: tuple[tuple[int, ...], ...] = ()  # for each stage a weight for each line; empty: lines do not count
    net: Net | None = None

    @cached_property
    def digest(self) -> str:
        """Says which values these are."""
        told = hashlib.sha256(repr((self.patterns, self.lines)).encode())
        told.update(self.weights.tobytes())
        if self.net:
            told.update(repr(self.net).encode())
        return told.hexdigest()[:16]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Values) and other.digest == self.digest

    def __hash__(self) -> int:
        return hash(self.digest)

    @property
    def uses_lines(self) -> bool:
        """Does any line of the `evaluate` block have a weight?"""
        return any(map(any, self.lines))

    def value(self, state: bytes, said: Sequence[int] = ()) -> int:
        """The value of a state for the first player; `said` is what each line of the `evaluate` block says for him."""
        stage = self.patterns.stage(state)
        first = stage * self.patterns.entries
        groups = self.patterns.groups[state[0] == 2]
        found = sum(self.weights[first + _place(self.patterns, group, state)] for group in groups)
        if self.net:
            found += self.net.value(state, stage)
        value = -found if state[0] == 2 else found
        if self.uses_lines:
            weighed = zip(said, self.lines[stage], strict=True)
            value += sum(max(-MOST_LINE, min(MOST_LINE, one)) * weight for one, weight in weighed) // LINE_UNIT
        return max(-MOST_VALUE, min(MOST_VALUE, value))

    def folded(self) -> Folded:
        """The same values with fewer and larger groups."""
        plan, weights = folding_of(self.patterns), array("i")
        for stage in range(self.patterns.stage_count):
            first = stage * self.patterns.entries
            sums = [0, *accumulate(self.weights[first + part] for part in plan.parts)]
            weights.extend(sums[end] - sums[begin] for begin, end in pairwise(plan.begins))
        return Folded(plan.rows, weights, plan.entries)


def largest_sums(inputs: Patterns, units: int, rows: array[N]) -> list[N]:
    """For each unit of a net what its rows come to at most, in size, in any position."""
    found = [rows[0] * 0] * units
    for groups in inputs.groups:
        sums = [rows[0] * 0] * units
        for group in groups:
            begin, count = units * group.base, prod(inputs.width(code) for _, code in group.seen)
            for unit in range(units):
                some = rows[begin + unit : begin + units * count : units]
                sums[unit] += max(max(some), -min(some))
        found = list(map(max, found, sums))
    return found


def _place(patterns: Patterns, group: Group, state: bytes) -> int:
    """The number of what a group selects in a position."""
    at = 0
    for byte, code in group.seen:
        at = at * patterns.width(code) + patterns.codes[code][state[byte]]
    return group.base + at


class Folded(NamedTuple):
    """Values as C reads them: rows of a base, WIDEST bytes and as many strides, for each mover; weights by stage."""

    rows: tuple[array[int], array[int]]
    weights: array[int]
    entries: int


class Folding(NamedTuple):
    """How weights are folded: each sum of a stage is that of the weights `parts[begins[i]:begins[i + 1]]`."""

    rows: tuple[array[int], array[int]]  # as in `Folded`
    parts: array[int]
    begins: array[int]

    @property
    def entries(self) -> int:
        """Sums of a stage."""
        return len(self.begins) - 1


def folding_of(patterns: Patterns) -> Folding:
    """How values with these patterns are folded."""
    rows, parts, begins = (array("i"), array("i")), array("i"), array("i", [0])
    known: dict[tuple[Any, ...], int] = {}
    for mover, groups in enumerate(patterns.groups):
        for host, members in _hosts(groups):
            within = _within(host, members)
            base = known.setdefault(within, len(begins) - 1)
            rows[mover].extend(_row(patterns, host, base))
            if base == len(begins) - 1:
                _fold(patterns, host, members, parts, begins)
    return Folding(rows, parts, begins)


def _row(patterns: Patterns, host: Group, base: int) -> list[int]:
    """A group as C has it, its weights from `base` on."""
    radix = [len(patterns.codes[code]) for _, code in host.seen]
    strides = [prod(radix[at + 1 :]) for at in range(len(radix))]
    rest = [0] * (WIDEST - len(radix))
    return [base, *(byte for byte, _ in host.seen), *rest, *strides, *rest]


def _fold(patterns: Patterns, host: Group, members: Sequence[Group], parts: array[int], begins: array[int]) -> None:
    """Appends, for all that the bytes of a group may hold, the weights of all groups that lie within it."""
    codes, where = patterns.codes, {seen.byte: at for at, seen in enumerate(host.seen)}
    values = list(product(*(range(len(codes[code])) for _, code in host.seen)))
    columns = []
    for group in members:
        places, stride = [group.base] * len(values), 1
        for byte, code in reversed(group.seen):
            at, numbers = where[byte], [stride * number for number in codes[code]]
            for i, one in enumerate(values):
                places[i] += numbers[one[at]]
            stride *= patterns.width(code)
        columns.append(places)
    parts.extend(chain.from_iterable(zip(*columns, strict=True)))
    begins.extend(range(begins[-1] + len(members), begins[-1] + len(members) * len(values) + 1, len(members)))


def _within(host: Group, members: Iterable[Group]) -> tuple[Any, ...]:
    """On what the sums of a host depend, wherever it lies: images by a symmetry mostly have the same sums."""
    where = {seen.byte: at for at, seen in enumerate(host.seen)}
    parts = sorted((group.base, *((where[byte], code) for byte, code in group.seen)) for group in members)
    return (len(host.seen), *parts)


def _hosts(groups: Sequence[Group]) -> Iterator[tuple[Group, list[Group]]]:
    """The groups that lie within no other one, each with those that lie within it, itself among them."""
    members: dict[int, list[Group]] = {}
    hosts: dict[int, Group] = {}
    by_byte: dict[int, list[int]] = {}
    within = [frozenset(seen.byte for seen in group.seen) for group in groups]
    for number, group in sorted(enumerate(groups), key=lambda one: -len(one[1].seen)):
        bytes_ = within[number]
        near = by_byte.get(min(bytes_), []) if bytes_ else list(hosts)
        host = next((one for one in near if bytes_ <= within[one]), None)
        if host is None:
            host, hosts[number], members[number] = number, group, []
            for byte in bytes_:
                by_byte.setdefault(byte, []).append(number)
        members[host].append(group)
    for number, group in hosts.items():
        yield group, members[number]


def folding(patterns: Patterns) -> int:
    """How many sums `Values.folded` makes at most for each stage: one for each weight of a host and each member."""
    return sum(
        prod(len(patterns.codes[code]) for _, code in host.seen) * len(members)
        for groups in patterns.groups
        for host, members in _hosts(groups)
    )


@runtime_checkable
class ValuingEngine(Protocol):
    """An engine that can judge positions by learned values in the place of the `evaluate` block."""

    values: Values | None

    def think_by(self, values: Values) -> None:
        """From now on `estimate`, and every search, goes by these values."""


class Estimating(Protocol):
    """What is asked of an engine here."""

    game: Game


def alone(game: Game, term: Term) -> Game:
    """The game with this line as its whole `evaluate` block, of weight 1."""
    digest = hashlib.sha256(f"{game.digest} line {term.name}".encode()).hexdigest()[:16]
    return replace(game, terms=(replace(term, weight=1),), digest=digest)


def has_estimates(engine: Estimating) -> bool:
    """Does the engine's `estimate` tell positions apart?"""
    return bool(engine.game.terms) or getattr(engine, "values", None) is not None
