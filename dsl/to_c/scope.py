"""What is known while one function is written: the names of variables, and how values and places are written.

In: atoms, arithmetic and places of the model.  Out: expressions of C, and the conditions under which they have a value.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field

from pysolve.dsl.model import Atom, Const, Expr, Find, Game, Op, SetSort, Slot, Sort, Var
from pysolve.dsl.to_c.tables import Tables
from pysolve.dsl.to_c.text import Writer, identifier, if_all
from pysolve.dsl.to_c.value import Value, of_number

Inside = Callable[[], None]  # writes what happens for every way to carry out a body

INFIX = {"+": "+", "-": "-", "*": "*", "=": "==", "!=": "!=", "<": "<", "<=": "<=", ">": ">", ">=": ">="}
CALLS = {
    "//": "floor_div", "%": "floor_mod", "^": "power", "abs": "absolute", "min": "least", "max": "most", "root": "root",
}  # fmt: skip
COPY = re.compile(r"'\w*")  # the end of a name that a pass made: the writer numbers every name anyway


@dataclass
class Scope:
    """Writes the values of one function."""

    game: Game
    tables: Tables
    out: Writer
    state: str = "s"  # the position that is read
    mover: str = "m"  # who moves in it
    memo: str = ""  # what is known of it, as an argument; empty where nothing is kept
    names: dict[Var, Value] = field(default_factory=dict)
    declared: set[Var] = field(default_factory=set)  # already there: they are set, not declared

    def name(self, var: Var) -> str:
        """The text that stands for a variable; it gets a name when it is first asked for."""
        if var not in self.names:
            self.names[var] = Value(self.out.fresh(f"v_{identifier(COPY.sub('', var.name))}_"))
        return self.names[var].text

    def atom(self, atom: Atom) -> str:
        """The text that stands for a variable or a constant."""
        return self.name(atom) if isinstance(atom, Var) else str(atom.value)

    def value(self, atom: Atom) -> Value:
        """The C text of an atom, with what is known about its value."""
        if isinstance(atom, Const):
            return of_number(atom.value)
        self.name(atom)
        return self.names[atom]

    def constant(self, atom: Atom) -> int | None:
        """The value of something that is known while the program is written."""
        if isinstance(atom, Const):
            return atom.value
        return self.names[atom].number if atom in self.names else None

    def kind(self, sort: Sort | SetSort) -> str:
        """The type of a variable in C."""
        return set_kind(sort) if isinstance(sort, SetSort) else "I"

    def bind(self, var: Var, value: str) -> None:
        """A variable gets its value here."""
        new = "" if var in self.declared else f"UNUSED {self.kind(var.sort)} "
        self.out.line(f"{new}{self.name(var)} = {value};")

    def declare(self, var: Var) -> None:
        """A variable that is there before it gets its value."""
        nothing = "" if isinstance(var.sort, SetSort) else " = 0"
        self.out.line(f"UNUSED {self.kind(var.sort)} {self.name(var)}{nothing};")
        self.declared.add(var)

    def expr(self, expr: Expr) -> tuple[str, list[str]]:
        """Arithmetic, and the conditions under which it has a value."""
        if not isinstance(expr, Op):
            return (f"({expr.value})" if isinstance(expr, Const) and expr.value < 0 else self.atom(expr)), []
        args, guards = [], []
        for arg in expr.args:
            text, more = self.expr(arg)
            args.append(text)
            guards += more
        if expr.name in ("//", "%") and not (isinstance(expr.args[1], Const) and expr.args[1].value):
            guards.append(f"{args[1]} != 0")
        if expr.name == "^" and not (isinstance(expr.args[1], Const) and expr.args[1].value >= 0):
            guards.append(f"{args[1]} >= 0")
        if expr.name == "root":
            guards.append(f"{args[0]} >= 0")
        if expr.name == "negate":
            return f"(- {args[0]})", guards  # a constant may begin with a sign
        if expr.name in INFIX:
            return f"({args[0]} {INFIX[expr.name]} {args[1]})", guards
        return f"{CALLS[expr.name]}({', '.join(args)})", guards

    def index(self, slot: Slot, args: tuple[Atom, ...]) -> tuple[str, list[str]]:
        """The byte of a place, and the conditions under which there is such a place."""
        total, guards = "", []
        for sort, arg in zip(slot.params, args, strict=True):
            guards += self.within(arg, sort.low, sort.high)
            here = str(arg.value - sort.low) if isinstance(arg, Const) else minus(self.atom(arg), sort.low)
            total = f"({total}) * {sort.high - sort.low + 1} + {here}" if total else here
        if not total:
            return str(slot.offset), guards
        if all(isinstance(arg, Const) for arg in args):
            total = str(slot.index(arg.value for arg in args if isinstance(arg, Const)))
        if slot.width == 2:
            total = f"2 * ({total})"
        return plus(total, slot.offset), guards

    def within(self, atom: Atom, low: int, high: int) -> list[str]:
        """The conditions under which a value lies in a range; none if its sort says so."""
        if isinstance(atom, Const):
            return [] if low <= atom.value <= high else ["0"]
        sort = atom.sort
        assert isinstance(sort, Sort)
        found = []
        if sort.lowest < low:
            found.append(f"{self.atom(atom)} >= {low}")
        if sort.high > high:
            found.append(f"{self.atom(atom)} <= {high}")
        return found

    def load(self, slot: Slot, at: str) -> str:
        """The value of a place."""
        if slot.width == 2:
            return minus(f"(I){self.state}[{at}] * 255 + {self.state}[{at} + 1]", slot.shift)
        return minus(f"(I){self.state}[{at}]", slot.shift)

    def compare(self, slot: Slot, at: str, value: Atom) -> str:
        """Whether a place holds a value."""
        if slot.width == 1 and isinstance(value, Const):
            byte = value.value + slot.shift
            return f"{self.state}[{at}] == {byte}" if 0 <= byte < 255 else "0"
        return f"{self.load(slot, at)} == {self.atom(value)}"

    def place(self, step: Find, known: tuple) -> tuple[str, list[str]]:  # type: ignore[type-arg]
        """The index of a row of a table in its array, and the conditions under which it is valid."""
        total, guards = "", []
        for i, column in known:
            arg = step.args[i]
            guards += self.within(arg, column.low, column.high)
            here = minus(self.atom(arg), column.low)
            total = f"({total}) * {column.size} + {here}" if total else here
        return total or "0", guards

    def put(self, var: Var, item: str) -> None:
        """Writes that an item becomes a member of a set."""
        self.out.line(f"{set_kind(var.sort)}_put(&{self.name(var)}, {minus(item, lowest(var.sort))});")

    def iff(self, conditions: list[str], inside: Inside) -> None:
        """Prints `inside` under some conditions."""
        if conditions:
            with self.out.block(if_all(conditions)):
                inside()
        else:
            inside()


def minus(text: str, number: int) -> str:
    """A difference, without a zero."""
    return text if number == 0 else f"({text} - {number})" if number > 0 else f"({text} + {-number})"


def plus(text: str, number: int) -> str:
    """A sum, without a zero."""
    return minus(text, -number)


def lowest(sort: Sort | SetSort) -> int:
    """The value that the first bit of a set stands for."""
    assert isinstance(sort, SetSort)
    return sort.of.lowest


def set_words(sort: Sort | SetSort) -> int:
    """The number of words of 64 bits in a set."""
    assert isinstance(sort, SetSort)
    return (sort.of.size + 63) // 64


def set_kind(sort: Sort | SetSort) -> str:
    """The type of a set in C."""
    return f"Set{set_words(sort)}"
