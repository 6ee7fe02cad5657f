"""Values of a game: sorts and what belongs to one; tables of constants; slots, which make up a position."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import prod

from pysolve.dsl.frozen import frozen

UNKNOWN_WORD = "?"  # in the place of a value that a player does not see
UNSEEN = 255  # the byte in its place: no byte of a state has this value


@frozen
class Sort:
    """A finite range of whole numbers, `low..high`; named values have `labels`, in that order."""

    name: str
    low: int
    high: int
    labels: tuple[str, ...] = ()
    optional: bool = False  # `or none`

    def __hash__(self) -> int:
        """Without the labels, which are many; sorts of one name and range seldom differ in them."""
        return hash((self.name, self.low, self.high, self.optional))

    @property
    def lowest(self) -> int:
        """The smallest value, `none` included."""
        return self.low - 1 if self.optional else self.low

    @property
    def none(self) -> int:
        """The number that stands for `none`: one below the lowest value."""
        return self.low - 1

    @property
    def sure(self) -> Sort:
        """This sort without `none`."""
        return replace(self, optional=False) if self.optional else self

    @property
    def size(self) -> int:
        """The number of values, `none` included."""
        return self.high - self.lowest + 1

    def values(self) -> range:
        """All values in order; `none`, where it is one, is not among them."""
        return range(self.low, self.high + 1)

    def all_values(self) -> range:
        """All values in order, `none` first where it is one."""
        return range(self.lowest, self.high + 1)

    def label(self, value: int) -> str:
        """The word for a value."""
        if self.optional and value == self.none:
            return "none"
        return self.labels[value - self.low] if self.labels else str(value)

    def __str__(self) -> str:
        name = self.name if self.labels or self.name == "int" else f"{self.low}..{self.high}"
        return f"{name} or none" if self.optional else name


INT = Sort("int", -(2**31), 2**31)
BOOL = Sort("bool", 0, 1, ("false", "true"))


@frozen
class SetSort:
    """The sort of a set of values; in a body such a value is the ordered list of its members."""

    of: Sort

    def __str__(self) -> str:
        return f"set of {self.of}"


@frozen
class Var:
    """A variable: bound once in its body, unique in its rule.

    `copied` is the name of the one that it is a copy of, where a pass has made it.
    """

    name: str
    sort: Sort | SetSort
    copied: str = ""

    def __hash__(self) -> int:
        """Of the name alone: it is unique."""
        return hash(self.name)

    @property
    def word(self) -> str:
        """The name before passes copied the variable."""
        return self.copied or self.name

    def copy(self, mark: str, sort: Sort | None = None) -> Var:
        """A copy whose name tells by a mark that it is one."""
        return Var(f"{self.name}'{mark}", sort or self.sort, self.word)

    def beside(self, what: str, sort: Sort | SetSort) -> Var:
        """Another variable, which is needed for what is done with this one."""
        return Var(f"{self.name} {what}", sort, f"{self.word} {what}")


@frozen
class Const:
    """A constant: a value of a sort."""

    value: int
    sort: Sort


Atom = Var | Const


@frozen
class Op:
    """Arithmetic: a row of ops.py and its operands."""

    name: str
    args: tuple[Expr, ...]


Expr = Var | Const | Op

# ---------------------------------------------------------------------------------------------- tables


@dataclass(frozen=True)
class Table:
    """Constant rows of values, in ascending order.  The first `keys` columns determine the others."""

    name: str
    sorts: tuple[Sort, ...]
    rows: tuple[tuple[int, ...], ...]
    keys: int
    text: str = ""  # where it comes from, for readers

    def __reduce__(self) -> tuple[object, ...]:
        """A table is pickled without what is computed from its rows."""
        return Table, (self.name, self.sorts, self.rows, self.keys, self.text)

    @cached_property
    def lookup(self) -> dict[tuple[int, ...], tuple[int, ...]]:
        """Keys to the rest of their row; only for a table whose keys determine it."""
        return {row[: self.keys]: row[self.keys :] for row in self.rows}

    @cached_property
    def by_first(self) -> dict[int, int]:
        """The first column to the second; only for a table of two whose first determines it."""
        return {row[0]: row[1] for row in self.rows}

    @cached_property
    def by_prefix(self) -> dict[tuple[int, ...], list[int]]:
        """All columns but the last to the ascending values of the last."""
        found: dict[tuple[int, ...], list[int]] = {}
        for row in self.rows:
            found.setdefault(row[:-1], []).append(row[-1])
        return found

    @cached_property
    def _most(self) -> dict[tuple[int, ...], int]:
        return {}

    def most_rows(self, known: tuple[int, ...]) -> int:
        """The largest number of rows that have the same values in the known columns."""
        if known not in self._most:
            counts = Counter(tuple(row[i] for i in known) for row in self.rows)
            self._most[known] = max(counts.values(), default=0)
        return self._most[known]


@frozen
class StackOf:
    """The slots of a stack besides its top: its height, and all its values, the lowest first.

    `items` has one parameter more than the stack, `1..most`; there is no value above the top.
    """

    height: str
    items: str
    most: int


@frozen
class Slot:
    """A state variable, or a run of them: one for each combination of its parameters.

    A position is a string of bytes; this slot's begin at `offset`, `width` bytes a value (base 255, the
    high digit first), in ascending order of the parameters, the last one fastest.
    """

    name: str
    params: tuple[Sort, ...]
    sort: Sort
    offset: int
    width: int
    default: int
    stack: StackOf | None = None  # where the value is what lies on top of a stack
    part_of: str = ""  # the slot of a stack, of which this one is a part that no author has named
    seen: str = ""  # a rule: with its parameters, and then a player, it holds if that player sees the value

    @property
    def count(self) -> int:
        """The number of values that the slot holds: one for each combination of its parameters."""
        return prod(sort.high - sort.low + 1 for sort in self.params)

    def index(self, values: Iterable[int]) -> int:
        """The index, from 0, of the value for these parameters among all values of the slot."""
        index = 0
        for sort, value in zip(self.params, values, strict=True):
            index = index * (sort.high - sort.low + 1) + value - sort.low
        return index

    def part(self, first: Sequence[int]) -> slice:
        """Where in a position the values lie that have these first parameters."""
        rest = self.params[len(first) :]
        begin = self.index((*first, *(sort.low for sort in rest)))
        count = prod(sort.high - sort.low + 1 for sort in rest)
        return slice(self.offset + self.width * begin, self.offset + self.width * (begin + count))

    @property
    def shift(self) -> int:
        """The number added to a value to store it as a byte; 0 unless values are negative or too high."""
        return -self.sort.lowest if self.sort.lowest < 0 or self.sort.high >= 255**2 else 0

    @property
    def stored(self) -> range:
        """The numbers that a position may hold here: the values with `none` among them, moved by `shift`."""
        return range(self.sort.lowest + self.shift, self.sort.high + self.shift + 1)


def digits(value: int, width: int) -> tuple[int, ...]:
    """A value as `width` bytes below 255, the high one first; 255 stays free as a mark."""
    return (value,) if width == 1 else (value // 255, value % 255)


def states_of(slot: Slot) -> bytes:
    """A regular expression for the bytes of a slot."""
    low, high = slot.stored[0], slot.stored[-1]
    if slot.width == 1:
        return _bytes(low, high) + b"{%d}" % slot.count
    (first, least), (last, most) = divmod(low, 255), divmod(high, 255)
    if first == last:
        pairs = [_bytes(first, first) + _bytes(least, most)]
    else:
        pairs = [_bytes(first, first) + _bytes(least, 254), _bytes(last, last) + _bytes(0, most)]
        if first + 1 < last:
            pairs.append(_bytes(first + 1, last - 1) + _bytes(0, 254))
    return b"(?:%b){%d}" % (b"|".join(pairs), slot.count)


def _bytes(low: int, high: int) -> bytes:
    return b"[\\x%02x-\\x%02x]" % (low, high)


def width_of(sort: Sort) -> int:
    """The number of bytes of a value of the sort: 1 or 2."""
    return 1 if max(sort.high, sort.size - 1) < 255 else 2
