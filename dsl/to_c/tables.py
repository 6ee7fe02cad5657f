"""Tables as constant arrays, each in the shape in which it is asked.

In: a table of the model, and which of its columns are known when it is asked.  Out: an array to look into: yes or no
for a row, a value for a function, or a run of rows.

    dense    one number for every combination of the known columns
    known    the positions of the columns that are known, free those that are found
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import accumulate

from pysolve.dsl.analysis.shifts import MOST_WORDS, WIDEST, Shifts, find_shifts
from pysolve.dsl.frozen import frozen
from pysolve.dsl.model import Sort, Table, Var, Walk
from pysolve.dsl.model.move_codes import TooLarge
from pysolve.dsl.to_c.bits import Bits, constant, set_of, words_for
from pysolve.dsl.to_c.text import array, identifier, number_type

LARGEST = 1 << 22  # entries of an array


@frozen
class Column:
    """The numbers that occur in a column of a table."""

    low: int
    high: int

    @property
    def size(self) -> int:
        """The number of integers from the lowest to the highest."""
        return self.high - self.low + 1


@frozen
class Access:
    """The way in which a table is accessed with some of its columns known.

    `shape` is "test" (every column known), "search" (the same, by a C function of the index and the column that is not
    in it), "function" (one row at most), or "rows". `known` are the columns that make up the index, `arrays` the names
    of the arrays of the other ones. A function that is not total has `missing` in its first array where there is no
    row.
    """

    shape: str
    known: tuple[tuple[int, Column], ...]
    index: str
    arrays: tuple[str, ...]
    missing: int | None = None


@frozen
class RowSets:
    """An array of sets: one for each combination of the columns in `known`, each with its least and greatest value."""

    name: str
    known: tuple[tuple[int, int, int], ...]
    sets: tuple[int, ...]  # as numbers whose bits are the members


@frozen
class RaySets:
    """Arrays NAME_up and NAME_down of rays as sets, NAME_up_r and NAME_down_r: the first of an origin; NAME_stops: the
    admissible cells for an origin; `all`: every cell of a ray is."""

    name: str
    all: bool
    lines: dict[str, list[list[int]]]  # the same for whoever writes programs: way, origin, rays


@frozen
class ShiftArrays:
    """Arrays NAME_by and NAME_of: by how many bits sets are moved, and the sets that can be moved."""

    name: str
    shifts: Shifts


@dataclass
class Tables:
    """The arrays of one program; each is written when it is first asked for."""

    lines: list[str] = field(default_factory=list)
    sets: set[int] = field(default_factory=set)  # how many words the sets have that are used
    rows: dict[tuple[str, int, int], RowSets | None] = field(default_factory=dict)
    bit_rays: dict[tuple[str, str], RaySets | None] = field(default_factory=dict)
    clear: dict[tuple[str, int], str | None] = field(default_factory=dict)
    moves: dict[tuple[str, int], ShiftArrays | None] = field(default_factory=dict)
    accesses: dict[tuple[str, tuple[int, ...]], Access] = field(default_factory=dict)
    rays: dict[tuple[str, str], str] = field(default_factory=dict)

    def access(self, table: Table, known: tuple[int, ...]) -> Access:
        """The arrays for a table of which these columns are known."""
        key = table.name, known
        if key not in self.accesses:
            self.accesses[key] = self._access(table, known)
        return self.accesses[key]

    def _access(self, table: Table, known: tuple[int, ...]) -> Access:
        values = list(zip(*table.rows, strict=True)) or [()] * len(table.sorts)
        columns = [Column(min(column, default=sort.low), max(column, default=sort.low))
                   for column, sort in zip(values, table.sorts, strict=True)]  # fmt: skip
        name = f"t_{identifier(table.name)}_{''.join(map(str, known)) or 'all'}"
        free = [i for i in range(len(columns)) if i not in known]
        size = 1
        for i in known:
            size *= columns[i].size
        if size > LARGEST and not free and len(known) > 1:
            return self._search(table, name, max(known, key=lambda i: columns[i].size))
        if size > LARGEST:
            raise TooLarge(f'the table "{table.name}" would need {size:,} entries')
        places: Sequence[int] = [0] * len(table.rows)
        lowest = 0
        for number, i in enumerate(known):
            step, column = columns[i].size, values[i]
            places = [flat * step + value for flat, value in zip(places, column, strict=True)] if number else column
            lowest = lowest * step + columns[i].low
        places = [flat - lowest for flat in places]
        counts = [0] * size
        for flat in places:
            counts[flat] += 1
        index = tuple((i, columns[i]) for i in known)
        if not free:
            self.lines.append(array(name, "u8", [int(count > 0) for count in counts]))
            return Access("test", index, name, ())
        if known and max(counts) <= 1:
            missing = None if len(places) == size else columns[free[0]].low - 1
            if missing is not None:
                columns[free[0]] = Column(missing, columns[free[0]].high)
            lists = []
            for i in free:
                lists.append([columns[i].low] * size)
                for flat, value in zip(places, values[i], strict=True):
                    lists[-1][flat] = value
            return Access("function", index, name, self._arrays(name, [columns[i] for i in free], lists), missing)
        starts = [0, *accumulate(counts)]
        self.lines.append(array(name, number_type(0, starts[-1]), starts))
        order = sorted(range(len(places)), key=places.__getitem__)  # rows of one place stay in their order
        lists = [[values[i][row] for row in order] for i in free]
        return Access("rows", index, name, self._arrays(name, [columns[i] for i in free], lists))

    def _search(self, table: Table, name: str, last: int) -> Access:
        """A test that goes through the rows with the same values in all columns but one: it takes less memory."""
        found = self.access(table, tuple(i for i in range(len(table.sorts)) if i != last))
        if found.shape == "function":
            test = f"{found.arrays[0]}[at] == value"
            body = f"return {test};" if found.missing is None else f"return value != {found.missing} && {test};"
        else:
            head = f"for (int i = {found.index}[at]; i < {found.index}[at + 1]; i++)"
            body = f"{head} if ({found.arrays[0]}[i] == value) return 1; return 0;"
        self.lines.append(f"static UNUSED int {name}(I at, I value) {{ {body} }}")
        return Access("search", found.known, name, ())

    def _arrays(self, name: str, columns: list[Column], lists: list[list[int]]) -> tuple[str, ...]:
        """An array for each column, and their names."""
        names = tuple(f"{name}_{i}" for i in range(len(columns)))
        for own, column, numbers in zip(names, columns, lists, strict=True):
            self.lines.append(array(own, number_type(column.low, column.high), numbers))
        return names

    def walk(self, rays: Table, stops: Table, step: Walk) -> str:
        """The name of the rays for a walk: NAME_r: first ray of an origin, NAME_c: first cell of a ray, NAME: cells.

        A ray is cut after its last admissible cell; a ray without one is left out.
        """
        key = step.rays, step.stops
        if key not in self.rays:
            name = f"w_{len(self.rays)}"
            self.rays[key] = name
            admissible = set(stops.rows)
            lists: dict[tuple[int, int], list[int]] = {}
            for origin, line, _far, cell in rays.rows:
                lists.setdefault((origin, line), []).append(cell)
            highest = max((origin for origin, _ in lists), default=0)
            firsts, starts, cells = [], [0], []
            for origin in range(highest + 1):
                firsts.append(len(starts) - 1)
                for (start, _), ray in lists.items():
                    if start != origin:
                        continue
                    last = max((i for i, cell in enumerate(ray) if (origin, cell) in admissible), default=-1)
                    if last >= 0:
                        cells += ray[: last + 1]
                        starts.append(len(cells))
            firsts.append(len(starts) - 1)
            self.lines.append(array(f"{name}_r", number_type(0, len(starts)), firsts))
            self.lines.append(array(f"{name}_c", number_type(0, len(cells)), starts))
            self.lines.append(array(name, number_type(0, max(cells, default=0)), cells))
        return self.rays[key]

    # ------------------------------------------------------------------------------------------ as sets

    def constant(self, members: Iterable[int]) -> Bits:
        """A set that is known now, word by word."""
        known = sum(1 << member for member in set(members) if 0 <= member < 64 * WIDEST)
        text = [constant(known, word) for word in range(WIDEST)]
        if known < 1 << 64:
            return lambda word: text[word] if isinstance(word, int) else f"({word} ? 0 : {text[0]})"
        name = f"c_{len(self.lines)}"
        self.lines.append(f"static UNUSED const u64 {name}[{WIDEST}] = {{{', '.join(text)}}};")
        return lambda word: f"{name}[{word}]"

    def row_sets(self, table: Table, column: int, var: Var) -> RowSets | None:
        """For every combination of the other columns the set of the values of one; None if that is too much."""
        assert isinstance(var.sort, Sort)
        low, high = var.sort.low, var.sort.high
        key = table.name, column, low
        if key not in self.rows:
            self.rows[key] = self._row_sets(table, column, low, high)
        return self.rows[key]

    def _row_sets(self, table: Table, column: int, low: int, high: int) -> RowSets | None:
        others = [i for i in range(len(table.sorts)) if i != column]
        values = [row[column] for row in table.rows]
        if not values or min(values) < low or high < max(values):
            return None
        ranges = [(i, table.sorts[i].lowest, table.sorts[i].high) for i in others]
        words, size = words_for(high - low + 1), 1
        for _, first, last in ranges:
            size *= last - first + 1
        if size * words > MOST_WORDS:
            return None
        places = [0] * len(values)
        for i, first, last in ranges:
            step = last - first + 1
            places = [flat * step + row[i] - first for flat, row in zip(places, table.rows, strict=True)]
        sets = [0] * size
        for flat, value in zip(places, values, strict=True):
            sets[flat] |= 1 << value - low
        name = f"b_{identifier(table.name)}_{column}"
        self._write_sets(f"{name}[{size}]", words, sets, ",\n    ")
        return RowSets(name, tuple(ranges), tuple(sets))

    def _write_sets(self, name: str, words: int, sets: Iterable[int], between: str = ", ") -> None:
        """An array of sets, each given as a number whose bits are its members."""
        self.sets.add(words)
        inner = between.join([set_of(members, words) for members in sets])
        self.lines.append(f"static UNUSED const Set{words} {name} = {{\n    {inner}\n}};")

    def shifts(self, table: Table, column: int, sort: Sort) -> ShiftArrays | None:
        """A table that gives a place for a place, if for given other columns it is always as far away."""
        key = table.name, column
        if key not in self.moves:
            shifts = find_shifts(table, column, sort)
            name = f"s_{identifier(table.name)}_{column}"
            self.moves[key] = self._shift_arrays(shifts, name, sort) if shifts else None
        return self.moves[key]

    def _shift_arrays(self, shifts: Shifts, name: str, sort: Sort) -> ShiftArrays:
        self.lines.append(array(f"{name}_by", "i16", [by for by, _ in shifts.pairs]))
        words = words_for(sort.high - sort.low + 1)
        self._write_sets(f"{name}_of[]", words, [domain for _, domain in shifts.pairs])
        return ShiftArrays(name, shifts)

    def ways(self, table: Table, column: int, sort: Sort) -> str | None:
        """The name of the rays of a table of what lies between two places: NAME_up and NAME_down, those whose places
        ascend or descend; NAME_up_r and NAME_down_r, the first of each origin; NAME_rest, what is on none of them."""
        key = table.name, column
        if key not in self.clear:
            lines = find_lines(table, column, sort)
            name = f"l_{len(self.clear)}" if lines else None
            words = words_for(sort.high - sort.low + 1)
            for way, by_origin in (lines or {}).items():
                self._write_sets(f"{name}_{way}[]", words, [ray for rays in by_origin for ray in rays] or [0])
                if way != "rest":
                    starts = [0, *accumulate(len(rays) for rays in by_origin)]
                    self.lines.append(array(f"{name}_{way}_r", "u16", starts))
            self.clear[key] = name
        return self.clear[key]

    def ray_sets(self, rays: Table, stops: Table, step: Walk) -> RaySets | None:
        """Rays as sets of cells, those whose cells ascend and those whose cells descend; None if one does neither."""
        key = step.rays, step.stops
        if key not in self.bit_rays:
            self.bit_rays[key] = self._ray_sets(rays, stops, step)
        return self.bit_rays[key]

    def _ray_sets(self, rays: Table, stops: Table, step: Walk) -> RaySets | None:
        assert isinstance(step.target.sort, Sort)
        low, high = step.target.sort.low, step.target.sort.high
        admissible: dict[int, set[int]] = {}
        for origin, cell in stops.rows:
            admissible.setdefault(origin, set()).add(cell)
        lists: dict[tuple[int, int], list[int]] = {}
        for origin, line, _far, cell in rays.rows:
            lists.setdefault((origin, line), []).append(cell)
        found: dict[str, list[list[int]]] = {"up": [[] for _ in range(high + 2)], "down": [[] for _ in range(high + 2)]}
        everywhere = True
        for (origin, _), ray in lists.items():
            last = max((i for i, cell in enumerate(ray) if cell in admissible.get(origin, ())), default=-1)
            ray = ray[: last + 1]
            if not ray:
                continue
            if ray != sorted(set(ray)) and ray != sorted(set(ray), reverse=True):
                return None
            everywhere = everywhere and set(ray) <= admissible[origin]
            way = "up" if ray == sorted(ray) else "down"
            found[way][origin].append(sum(1 << (cell - low) for cell in ray))
        name = f"r_{len(self.bit_rays)}"
        for way, by_origin in found.items():
            starts = [0, *accumulate(len(one) for one in by_origin)]
            self.lines.append(array(f"{name}_{way}_r", number_type(0, starts[-1]), starts))
            self.lines.append(array(f"{name}_{way}", "u64", [ray for one in by_origin for ray in one]))
        targets = [sum(1 << (cell - low) for cell in admissible.get(origin, ())) for origin in range(high + 1)]
        self.lines.append(array(f"{name}_stops", "u64", targets))
        return RaySets(name, everywhere, found)


def find_lines(table: Table, column: int, sort: Sort) -> dict[str, list[list[int]]] | None:
    """The rays, as sets, of each origin in one of the first two columns; None if what lies between is not on lines."""
    low, size = sort.low, sort.high - sort.low + 1
    between: list[dict[int, set[int]]] = [{} for _ in range(size)]
    for row in table.rows:
        origin, target, cell = row[column] - low, row[1 - column] - low, row[2] - low
        if size > 64 * WIDEST or not all(0 <= one < size for one in (origin, target, cell)):
            return None
        between[origin].setdefault(target, set()).add(cell)
    found: dict[str, list[list[int]]] = {"up": [], "down": [], "rest": []}
    for targets in between:
        up: list[int] = []
        down: list[int] = []
        covered = 0
        passed = {cell for cells in targets.values() for cell in cells}
        for last, cells in targets.items():
            if last in passed:
                continue
            line = sorted(cells | {last}, key=lambda cell: len(targets.get(cell, ())))
            ray = sum(1 << cell for cell in line)
            if any(targets.get(cell, set()) != set(line[:i]) for i, cell in enumerate(line)) or covered & ray:
                return None
            if line not in (sorted(line), sorted(line, reverse=True)):
                return None
            (up if line == sorted(line) else down).append(ray)
            covered |= ray
        if any(not covered >> target & 1 for target in targets):
            return None
        found["up"].append(up)
        found["down"].append(down)
        found["rest"].append([((1 << size) - 1) & ~covered])
    return found
