"""What the names of a game mean: the context in which expressions are read.

Holds the sorts, the board, the constants, the tables, the state, and the definitions that have been
elaborated so far; the other stages of the checker add to it and ask it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any, ParamSpec, TypeVar

from pysolve.dsl.check.names import WORK_TOTAL
from pysolve.dsl.check.terms import Cond, SItems, TConst, Typed
from pysolve.dsl.errors import Report, Span, listed, nearest
from pysolve.dsl.model import BOOL, INT, OptionValue, Query, Rule, SetSort, Slot, Sort, Table, Var, notation
from pysolve.dsl.model.geometry import Grid, ray
from pysolve.dsl.model.sites import KINDS, Sites, ends_of
from pysolve.dsl.text import nodes

CELL = re.compile("[a-z]+[0-9]+")  # what the cells of most boards are called
SITE = re.compile("[a-z]+[0-9]+[nesw]+")  # what their edges and corners are called
P = ParamSpec("P")
T = TypeVar("T")
Mentioned = Typed | Sort | SetSort  # what a name has turned out to be: its type at least
Mention = tuple[Span, str, Mentioned, Span | None]  # a span that begins with a name; where that is declared, if local


class Rejected(Exception):
    """A phrase that cannot be used; the reason is in the report.  Caught where the next phrase begins."""


@dataclass
class Definition:
    """A `define`, and what it has become: a table, or a rule."""

    syntax: nodes.Define
    params: tuple[Var, ...] = ()
    result: Sort | SetSort | None = None  # None: a condition
    body: Typed | None = None
    table: str | None = None
    state: str = "waiting"  # waiting, open (being read), ready, bad
    uses: dict[object, Any] = field(default_factory=dict)  # what it gives for ranges of arguments, see `ranges`


@dataclass(frozen=True)
class Choice:
    """A condition that is `then` where the test holds, and `otherwise` where it does not."""

    test: Cond
    then: Cond
    otherwise: Cond


@dataclass
class Symbols:
    """The symbol table of one game."""

    report: Report
    grid: Grid
    sorts: dict[str, Sort] = field(default_factory=dict)
    constants: dict[str, list[TConst]] = field(default_factory=dict)
    sets: dict[str, SItems] = field(default_factory=dict)
    sites: dict[str, Sites] = field(default_factory=dict)  # edges and corners, where the rules speak of them
    options: dict[str, OptionValue] = field(default_factory=dict)
    tables: dict[str, Table] = field(default_factory=dict)
    columns: dict[str, str] = field(default_factory=dict)  # column of a `table` -> its table in the model
    slots: dict[str, Slot] = field(default_factory=dict)
    definitions: dict[str, Definition] = field(default_factory=dict)
    effects: dict[str, nodes.Effect] = field(default_factory=dict)
    moves: dict[str, nodes.Move] = field(default_factory=dict)
    rules: dict[str, Rule] = field(default_factory=dict)
    entries: dict[str, nodes.StateEntry] = field(default_factory=dict)  # of the state, as their author wrote them
    nones: dict[str, list[Span]] = field(default_factory=dict)  # states, and where they are said to be none
    everybody: tuple[str, ...] = ()  # the names of all players,
    absent: tuple[str, ...] = ()  # and of those who do not play with these options: they are values that do not exist
    broken: set[str] = field(default_factory=set)  # names whose own mistake has been reported: nothing follows from it
    written: set[str] = field(default_factory=set)  # named effects that have been written out somewhere
    removed: dict[str, nodes.Remove] = field(default_factory=dict)  # names that a variant has taken away
    said: dict[int, tuple[Cond, Span]] = field(default_factory=dict)  # conditions that others join, by identity
    choices: dict[int, tuple[Cond, Choice]] = field(default_factory=dict)  # conditions chosen by `if`, by identity
    mentions: list[Mention] = field(default_factory=list)  # names as they were looked up
    work_left: int = WORK_TOTAL  # steps that may still be taken to compute what does not read the position
    too_large: set[Span | None] = field(default_factory=set)  # where a value that may be too large has been reported
    guarded: bool = False  # is there a value that is small enough only where some condition holds?
    estimate: int = 0  # how large what `evaluate` says may be, so far
    looks: int = 0  # expressions whose ranges were computed
    columns_of: dict[str, tuple[int, int] | None] = field(
        default_factory=dict
    )  # the values in the last columns of tables

    @property
    def as_written(self) -> bool:
        """True if no option has been changed: what can never happen with others may be meant for these."""
        return all(option.value == option.default for option in self.options.values())

    def affords(self, steps: int) -> bool:
        """True if so many steps may be taken to compute something now; takes note of them."""
        if steps > self.work_left:
            return False
        self.work_left -= steps
        return True

    def met(self, span: Span, name: str, typed: Mentioned, declared: Span | None = None) -> None:
        """Takes note of what the name at the beginning of a span has turned out to mean; `declared` if it is local."""
        self.mentions.append((span, name, typed, declared))

    def note(self, cond: Cond, span: Span) -> None:
        """Takes note of where a condition is written that `and`, `or` or `if` joins with others."""
        self.said[id(cond)] = cond, span

    def note_choice(self, cond: Cond, choice: Choice) -> None:
        """Takes note of what a condition chooses between."""
        self.choices[id(cond)] = cond, choice

    def choice_of(self, cond: Typed) -> Choice | None:
        """The parts of an `if` that became this condition; None for any other condition."""
        found = self.choices.get(id(cond))
        return None if found is None else found[1]

    def said_at(self, cond: Typed) -> Span | None:
        """The span of a condition that is joined with others; None if it is not in the text in this form."""
        found = self.said.get(id(cond))
        return None if found is None else found[1]

    def reject(self, span: Span, message: str, hint: str = "") -> Rejected:
        """Reports a mistake; the caller raises what this returns."""
        self.report.add(span, message, hint)
        return Rejected()

    def add_sort(self, sort: Sort) -> None:
        """Declares a sort and the constants that its labels name."""
        self.sorts[sort.name] = sort
        for value, label in enumerate(sort.labels, sort.low):
            known, constant = self.constants.setdefault(label, []), TConst(value, sort)
            if constant not in known:  # an option may have announced its type
                known.append(constant)

    def add_table(self, table: Table) -> Table:
        """Keeps a table under its name, in place of an earlier one of that name; returns the table."""
        self.tables[table.name] = table
        return table

    def board_function(self, name: str) -> Query | None:
        """The signature of a built-in function of the board; makes its table if necessary. None without directions."""
        target = BOARD_TABLES[name]
        if target in ON_DEMAND and target not in self.tables and "direction" in self.sorts:
            self.add_table(ON_DEMAND[target](self.grid, self.sorts["cell"], self.sorts["direction"]))
        return self.board_functions().get(name)

    def site_table(self, name: str) -> Table:
        """A table of edges and corners, made when the rules first ask for it."""
        if name not in self.tables:
            self.add_table(site_table(name, self.grid, self.sites, self.sorts))
        return self.tables[name]

    def board_functions(self) -> dict[str, Query]:
        """The built-in functions of the board whose tables exist."""
        return {name: _asked(name, self.tables[t]) for name, t in BOARD_TABLES.items() if t in self.tables}

    def stacks(self) -> list[Slot]:
        """The stacks of the state."""
        return [slot for slot in self.slots.values() if slot.stack is not None]

    def of_stacks(self) -> tuple[str, ...]:
        """The functions of a stack; in a game without any these words are free."""
        return tuple(OF_STACKS) if self.stacks() else ()

    def functions(self) -> list[str]:
        """Every name that can be written with arguments."""
        return [
            *(name for name, slot in self.slots.items() if slot.params and not slot.part_of), *self.of_stacks(),
            *(name for name, d in self.definitions.items() if d.syntax.params),
            *self.columns, *BUILT_IN, *(SITE_FUNCTIONS if self.sites else ()),
        ]  # fmt: skip

    def unknown(self, name: str, known: Iterable[str], expect: Sort | None = None) -> str:
        """A hint for a name that does not exist: the nearest one that fits, or what is called otherwise elsewhere."""
        if name in self.removed:
            return self.removal(name)
        if self.report.crowded:
            return ""
        cell = self.sorts.get("cell", BOOL)
        cells = {label for label in cell.labels if CELL.fullmatch(label)}  # all alike: the nearest says nothing
        cells |= {label for site in self.sites.values() for label in site.names}
        number = expect is not None and not expect.labels
        names = [one for one in known if one not in cells and not (number and one in self.constants)]
        if self.sites and SITE.fullmatch(name):
            if called := self._called(name):
                return f"it is called {called}, after the first cell that has it"
            edge, corner = (self.sites[kind].names[0] for kind in KINDS)
            return f"edges and corners are called after a cell and where they lie, as {edge} and {corner}"
        hint = ELSEWHERE.get(name.lower(), "") or self._direction_meant(name, expect) or nearest(name, names)
        if not hint and cells and (CELL.fullmatch(name) or expect == cell):
            return notation.cells_in_words(cell, name).replace("its cells are", "the cells of this board are")
        return hint

    def removal(self, name: str) -> str:
        """The message about a name that a line of the variant has removed; empty if none has."""
        gone = self.removed.get(name)
        if gone is None:
            return ""
        return f"{gone.span.place} removes {gone.kind} {gone.name.name}; replace what uses it, too"

    def _called(self, name: str) -> str:
        """The name of the edge or corner that somebody calls after another cell that has it; empty if there is none."""
        cell = self.sorts["cell"]
        for site in self.sites.values():
            words = {d: site.names[one - 1].removeprefix(cell.label(c)) for one, (c, d) in site.first.items()}
            for (c, d), one in site.of.items():
                if name == f"{cell.label(c)}{words.get(d, '')}":
                    return site.names[one - 1]
        return ""

    def _direction_meant(self, name: str, expect: Sort | None) -> str:
        """A hint for a word that means a direction elsewhere, or stands where one is needed."""
        ways = self.sorts.get("direction", BOOL).labels
        meant = compass(name)
        if meant in ways:
            return f'did you mean "{meant}"?'
        if ways and (meant or (expect is not None and expect.labels == ways)):
            return nearest(name, ways) or f"directions are {listed(ways)}"
        return ""

    def names_itself(self, name: str) -> bool:
        """True if the game gives a meaning of its own to a word that would have one anyway."""
        own = self.slots, self.definitions, self.options, self.constants, self.sets, self.effects, self.columns
        return name in MAY_BE_NAMED and any(name in names for names in own)

    def unknown_name(self, span: Span, name: str, hint: str) -> Rejected:
        """Reports a name that does not exist, unless what should give it its meaning has been reported."""
        return Rejected() if name in self.broken else self.reject(span, f'there is no "{name}"', hint)

    def never_none(self, name: str, at: Span) -> Rejected:
        """Takes note of a state that is said to be none, and never is; `report_nones` will report it."""
        self.nones.setdefault(name, []).append(at)
        return Rejected()

    def report_nones(self) -> None:
        """Reports each state that is said to be none, and never is: once, where it is declared."""
        for name, spans in self.nones.items():
            entry, sort = self.entries[name], self.slots[name].sort
            held = f"a number in {sort}" if not sort.labels else f"a {sort.name}"
            here = [str(at.line) for at in spans if at.source == entry.span.source]
            lines = list(dict.fromkeys(sorted(here, key=int))) or [spans[0].place]
            said = f"{'lines' if len(lines) > 1 else 'line'} {listed(lines)} use{'s' * (len(lines) == 1)} none"
            text = " ".join(entry.span.text.split())
            hint = f"if it may be none, write  {text} or none"
            if isinstance(entry.type, nodes.NamesType):
                hint = f"if it may be none, list a value for that:  {text}, nothing"
            self.report.add(entry.span, f'"{name}" holds {held}, never none, but {said}', hint)

    def words(self) -> list[str]:
        """Every name that can stand alone."""
        return [
            *self.constants, *self.sets, *self.options, "mover", "opponent", "opponents", "none", "true", "false",
            *(name for name, slot in self.slots.items() if not slot.params and not slot.part_of),
            *(name for name, d in self.definitions.items() if not d.syntax.params),
        ]  # fmt: skip


# What is called otherwise in other languages.
ELSEWHERE = {
    **dict.fromkeys(("null", "nil", "empty", "nothing", "void"), "an absent value is written none"),
    **dict.fromkeys(("current", "active", "self", "myself"), "the player to move is written mover"),
    **dict.fromkeys(("enemy", "other", "adversary"), "the other player is written opponent"),
    **dict.fromkeys(("enemies", "others"), "the other players are written opponents"),
    **dict.fromkeys(("floor", "div"), "integers are divided with //"),
    **dict.fromkeys(("mod", "modulo"), "the remainder of a division is written %"),
    **dict.fromkeys(("sqrt",), "root(number) is the square root, rounded down"),
    **dict.fromkeys(("length", "size", "len"), "the number of members of a set is written  count c in …"),
    **dict.fromkeys(("number", "integer", "num", "byte"), "the type of a number is a range, as in 0..20"),
    **dict.fromkeys(("boolean", "truth", "yesno"), "the type for yes or no is bool"),
    "range": "a range is written with two dots, as in 0..7",
    "return": "a definition has no return; write its value after =",
    "again": "to keep the turn, write  again  on a line under do",
    **dict.fromkeys(("endif", "endfor", "done"), "blocks have no end keyword: a block ends where its indentation ends"),
}  # fmt: skip


def compass(word: str) -> str:
    """The direction that a word such as up_right, NE or north_east means; empty if it means none."""
    plain = word.lower().replace("_", "")
    for here, there in (("up", "north"), ("down", "south"), ("left", "west"), ("right", "east"), ("forward", "north")):
        plain = plain.replace(here, there)
    plain = {"ne": "northeast", "nw": "northwest", "se": "southeast", "sw": "southwest"}.get(plain, plain)
    found = re.fullmatch("(north|south)?(east|west)?|(east|west)(north|south)", plain)
    if found is None:
        return ""
    one, two, second, first = found.groups()
    return (first or one or "") + (second or two or "")


def attempt(read: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T | None:
    """The result of a reading, or None if it was rejected; the reason is in the report."""
    try:
        return read(*args, **kwargs)
    except Rejected:
        return None


# What the language itself offers, with the form to show to somebody who gets it wrong.
BUILT_IN = {
    "neighbours": "neighbours(cell)",
    "column": "column(cell)",
    "row": "row(cell)",
    "between": "between(cell, cell)",
    "aligned": "aligned(cell, cell)",
    "edge": "edge(direction)",
    "ray": "ray(cell, direction)",
    "opposite": "opposite(direction)",
    "clockwise": "clockwise(direction)",
    "abs": "abs(number)",
    "min": "min(number, number)",
    "max": "max(number, number)",
    "root": "root(number), rounded down",
    "possible": "possible(move)",
    "moves": "moves(player)",
    "next": "next(player)",
}
ABSENT = "absent"  # the table that has no row for a player who does not play
MAY_BE_NAMED = ("next", "opponents")  # words that a game may also give a meaning of its own

# The functions of a stack; they have a meaning in games that have one.
OF_STACKS = {"top": "top(stack)", "height": "height(stack)"}

# The functions of the board, in the order in which a game lists them, and their tables.
BOARD_TABLES = {
    "neighbours": "board_neighbour",
    "aligned": "board_aligned",
    "between": "board_between",
    "column": "board_column",
    "row": "board_row",
    "edge": "board_edge",
    "ray": "board_ray",
    "opposite": "board_opposite",
    "clockwise": "board_clockwise",
}


# The functions of edges and corners: what their first argument may be, and their tables.
SITE_FUNCTIONS = {
    "edges": {"cell": "board_cell_edges", "corner": "board_corner_edges"},
    "corners": {"cell": "board_cell_corners", "edge": "board_edge_corners"},
    "cells": {"edge": "board_edge_cells", "corner": "board_corner_cells"},
    "edge": {"cell": "board_cell_edge"},
    "corner": {"cell": "board_cell_corner"},
}
# The form of those that have no other meaning.
SITE_FORMS = {"edges": "edges(cell)", "corner": "corner(cell, direction)", "cells": "cells(edge)"}
# The tables of steps and leaps by what they lead from.
STEPS = {kind: f"board_{kind}_step" for kind in KINDS} | {"cell": "board_step"}
LEAPS = {kind: f"board_{kind}_leap" for kind in KINDS} | {"cell": "board_leap"}


def takes(name: str) -> int:
    """The number of arguments of a built-in function."""
    return BUILT_IN[name].split(")")[0].count(",") + 1


def _asked(name: str, table: Table) -> Query:
    """The signature of a function of the board; the columns behind its arguments decide whether it is a condition, a
    value or a set."""
    params, rest = table.sorts[: takes(name)], table.sorts[takes(name) :]
    if not rest:
        return Query("table", table.name, params, None)
    return Query("table", table.name, params, rest[0] if table.keys == len(params) else SetSort(rest[0]))


def plain_types() -> dict[str, Sort]:
    """The built-in types by name."""
    return {"int": INT, "bool": BOOL}


def board_tables(grid: Grid, cell: Sort, direction: Sort | None) -> list[Table]:
    """The tables that every board brings along."""
    between = grid.between()
    tables = [
        Table("board_column", (cell, Sort("column", 1, max(x for x, _ in grid.place))),
              tuple((c, grid.place[c - 1][0]) for c in grid.numbers), 1, "column"),
        Table("board_row", (cell, Sort("row", 1, max(y for _, y in grid.place))),
              tuple((c, grid.place[c - 1][1]) for c in grid.numbers), 1, "row"),
        Table("board_neighbour", (cell, cell),
              tuple((c, n) for c in grid.numbers for n in grid.neighbours(c)), 2, "neighbours"),
        Table("board_aligned", (cell, cell), tuple(between), 2, "aligned"),
        Table("board_between", (cell, cell, cell),
              tuple((a, b, c) for (a, b), cs in between.items() for c in cs), 3, "between"),
    ]  # fmt: skip
    if direction is not None:
        turns = len(grid.directions)
        tables += [
            Table("board_step", (cell, direction, cell),
                  tuple(sorted((c, d, n) for (c, d), n in grid.steps.items())), 2, "cell + direction"),
            Table("board_edge", (direction, cell),
                  tuple((d, c) for d in direction.values() for c in grid.edge(d)), 2, "edge"),
            Table("board_opposite", (direction, direction),
                  tuple((d, grid.opposite(d)) for d in direction.values()), 1, "opposite"),
            Table("board_clockwise", (direction, direction),
                  tuple((d, d % turns + 1) for d in direction.values()), 1, "clockwise"),
        ]  # fmt: skip
    return tables


def ray_table(grid: Grid, cell: Sort, direction: Sort) -> Table:
    """The cells beyond a cell in a direction."""
    rows = tuple((c, d, n) for c in grid.numbers for d in direction.values() for n in sorted(grid.ray(c, d)))
    return Table("board_ray", (cell, direction, cell), rows, 3, "ray")


# Tables that are made when the rules first ask for them, so that other games neither compute nor print them.
ON_DEMAND: dict[str, Callable[[Grid, Sort, Sort], Table]] = {"board_ray": ray_table}


def site_table(name: str, grid: Grid, sites: dict[str, Sites], sorts: dict[str, Sort]) -> Table:
    """One of the tables of edges and corners by its name."""
    cell, direction = sorts["cell"], sorts["direction"]
    of, others = name.removeprefix("board_").split("_")
    if others == "step":
        steps = tuple(sorted((one, d, there) for (one, d), there in sites[of].steps.items()))
        return Table(name, (sorts[of], direction, sorts[of]), steps, 2, f"{of} + direction")
    if others in KINDS:
        lie = tuple(sorted((c, d, one) for (c, d), one in sites[others].of.items()))
        return Table(name, (cell, direction, sorts[others]), lie, 2, f"{others} of a cell")
    ends = ends_of(grid, sites)
    pairs = {
        "board_cell_edges": ((c, one) for (c, _), one in sites["edge"].of.items()),
        "board_cell_corners": ((c, one) for (c, _), one in sites["corner"].of.items()),
        "board_edge_cells": ((one, c) for (c, _), one in sites["edge"].of.items()),
        "board_corner_cells": ((one, c) for (c, _), one in sites["corner"].of.items()),
        "board_edge_corners": ((one, end) for one, both in ends.items() for end in both),
        "board_corner_edges": ((end, one) for one, both in ends.items() for end in both),
    }[name]
    rows = tuple(sorted(set(pairs)))
    return Table(name, (sorts[of], sorts[others[:-1]]), rows, 2, f"{others} of {a_kind_of(of)}")


def a_kind_of(name: str) -> str:
    """`a cell`, `an edge`."""
    return f"{'an' if name[0] in 'aeio' else 'a'} {name}"


def leap_table(
    name: str, sort: Sort, direction: Sort, steps: dict[tuple[int, int], int], bounds: tuple[int, int]
) -> Table:
    """The table of `place + k * direction`, for each k within the bounds; it has no row where that is off the board."""
    (low, high), turns = bounds, direction.high
    rows = []
    for c in sort.values():
        for d in direction.values():
            ahead = [c, *ray(steps, c, d)]
            back = [c, *ray(steps, c, (d - 1 + turns // 2) % turns + 1)]
            for k in range(max(low, 1 - len(back)), min(high, len(ahead) - 1) + 1):
                rows.append((c, d, k, ahead[k] if k >= 0 else back[-k]))
    distance = Sort("distance", low, high)
    return Table(name, (sort, direction, distance, sort), tuple(sorted(rows)), 3,
                 f"{sort.name} + number * direction")  # fmt: skip
