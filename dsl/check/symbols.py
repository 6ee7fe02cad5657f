"""What the names of a game mean: the context in which expressions are read.

Holds the sorts, the board, the constants, the tables, the state, and the definitions that have been
elaborated so far; the other stages of the checker add to it and ask it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any, ParamSpec, TypeVar

from pysolve.dsl import notation
from pysolve.dsl.check.board_tables import function_table, step_table
from pysolve.dsl.check.names import WORK_TOTAL
from pysolve.dsl.check.terms import Cond, SItems, TConst, Typed
from pysolve.dsl.errors import Report, Span, listed, nearest
from pysolve.dsl.language.functions import FUNCTIONS, NEXT, OPPONENTS, STEPS, Function
from pysolve.dsl.language.geometry import Grid
from pysolve.dsl.language.paths import Strokes
from pysolve.dsl.language.sites import KINDS, Sites
from pysolve.dsl.model import BOOL, INT, OptionValue, Query, Rule, SetSort, Slot, Sort, Table, Var
from pysolve.dsl.text import nodes
from pysolve.dsl.text.hints.words import BY_CHANCE, LOTS

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


Kind = tuple[tuple[str, ...], int, int]  # the labels of a type, and its range: what tells its values from others


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
    weights: int = 0  # the most that those of all moves of chance add up to
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
    dresses: dict[Kind, dict[int, tuple[str, ...]]] = field(default_factory=dict)  # looks of values, by their type
    icons: dict[str, Strokes] = field(default_factory=dict)  # shapes that the rules draw
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

    def rows_of(self, name: str) -> list[Function]:
        """The ways to call a function of the language that have a meaning in this game."""
        there = {"all": True, "sites": bool(self.sites), "stacks": bool(self.stacks())}
        return [row for row in FUNCTIONS.get(name, ()) if there[row.games]]

    def asked(self, row: Function) -> Query:
        """The signature of a function that has a table; makes the table when the rules first ask for it."""
        if row.table not in self.tables:
            self.add_table(function_table(row, self.grid, self.sites, self.sorts))
        sorts, given = self.tables[row.table].sorts, len(row.params)
        result = sorts[-1] if row.value else SetSort(sorts[-1]) if row.members else None
        return Query("table", row.table, sorts[:given], result)

    def step_table(self, kind: str) -> str:
        """The table of steps from cells, edges or corners, made when the rules first ask for it."""
        if STEPS[kind] not in self.tables:
            self.add_table(step_table(kind, self.steps_of(kind), self.sorts))
        return STEPS[kind]

    def steps_of(self, kind: str) -> dict[tuple[int, int], int]:
        """Where one step leads from each cell, edge or corner in each direction."""
        return self.sites[kind].steps if kind in self.sites else self.grid.steps

    def stacks(self) -> list[Slot]:
        """The stacks of the state."""
        return [slot for slot in self.slots.values() if slot.stack is not None]

    def functions(self) -> list[str]:
        """Every name that can be written with arguments."""
        return [
            *(name for name, slot in self.slots.items() if slot.params and not slot.part_of),
            *(name for name, d in self.definitions.items() if d.syntax.params),
            *self.columns, *filter(self.rows_of, FUNCTIONS),
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
        hint = (
            (BY_CHANCE if name.lower() in LOTS else ELSEWHERE.get(name.lower(), ""))
            or self._direction_meant(name, expect)
            or nearest(name, names)
        )
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
            text = entry.span.words
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


MAY_BE_NAMED = (NEXT, OPPONENTS)  # words that a game may also give a meaning of its own


def plain_types() -> dict[str, Sort]:
    """The built-in types by name."""
    return {"int": INT, "bool": BOOL}
