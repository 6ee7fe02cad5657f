"""What is known while one function is written: the names of variables, and how values and places are written.

In: atoms, arithmetic and places of the model.  Out: expressions of C, and the conditions under which they have a value.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace

from pysolve.dsl.language.operators import OPERATORS
from pysolve.dsl.model import Atom, Const, Expr, Find, Game, Op, SetSort, Slot, Sort, Var
from pysolve.dsl.to_c.bits import words_for
from pysolve.dsl.to_c.tables import Access, Column, Tables
from pysolve.dsl.to_c.text import Writer, identifier
from pysolve.dsl.to_c.value import MOVER, NEVER, Value, every, of_number

Inside = Callable[[], None]  # writes what happens for every way to carry out a body


@dataclass
class Scope:
    """Writes the values of one function."""

    game: Game
    tables: Tables
    out: Writer
    state: str = "s"  # the position that is read
    mover: Value = MOVER  # who moves in it
    memo: str = ""  # what is known of it, as an argument; empty where nothing is kept
    names: dict[Var, Value] = field(default_factory=dict)
    declared: set[Var] = field(default_factory=set)  # already there: they are set, not declared

    def name(self, var: Var) -> str:
        """The text that stands for a variable; it gets a name when it is first asked for."""
        return str(self.atom(var))

    def atom(self, atom: Atom) -> Value:
        """What stands for a variable or a constant."""
        if isinstance(atom, Const):
            return of_number(atom.value)
        if atom not in self.names:
            self.names[atom] = Value(self.out.fresh(f"v_{identifier(atom.word)}_"))
        return self.names[atom]

    def is_role(self, var: Var) -> bool:
        """Is the value of a variable who moves, or the opponent?"""
        return var in self.names and self.names[var].is_role

    def bind(self, var: Var, value: Value | str) -> None:
        """A variable gets its value here."""
        new = "" if var in self.declared else f"UNUSED {type_of(var.sort)} "
        self.out.line(f"{new}{self.name(var)} = {value.text if isinstance(value, Value) else value};")

    def declare(self, var: Var) -> None:
        """A variable that is there before it gets its value."""
        nothing = "" if isinstance(var.sort, SetSort) else " = 0"
        self.out.line(f"UNUSED {type_of(var.sort)} {self.name(var)}{nothing};")
        self.declared.add(var)

    def expr(self, expr: Expr) -> Value:
        """Arithmetic."""
        if not isinstance(expr, Op):
            return self.atom(expr)
        row, args = OPERATORS[expr.name], [self.expr(arg) for arg in expr.args]
        when = [condition for arg in args for condition in arg.when]
        if row.needs is not None:
            operand = args[row.needs.operand]
            if operand.number is None or not row.needs.met(operand.number, operand.number):
                when.append(Value(f"{operand} {row.needs.sign} 0"))
        return Value(row.c.format(*args), tuple(when), compound=row.is_compound)

    def index(self, slot: Slot, args: tuple[Atom, ...]) -> Value:
        """The byte of a place, where there is such a place."""
        digits = ((arg, sort.low, sort.high) for sort, arg in zip(slot.params, args, strict=True))
        return self.numbered(digits) * slot.width + slot.offset

    def numbered(self, digits: Iterable[tuple[Atom, int, int]]) -> Value:
        """A number made of digits, the last one fastest, each with its least and greatest value; where it is one."""
        total = None
        for atom, low, high in digits:
            digit = self.within(atom, low, high) - low
            total = digit if total is None else total * (high - low + 1) + digit
        return total or of_number(0)

    def within(self, atom: Atom, low: int, high: int) -> Value:
        """A value, where it lies in a range; on no condition if its sort says so."""
        value = self.atom(atom)
        if isinstance(atom, Const):
            return value if low <= atom.value <= high else replace(value, when=(NEVER,))
        assert isinstance(atom.sort, Sort)
        at_least = [Value(f"{value} >= {low}")] if atom.sort.lowest < low else []
        at_most = [Value(f"{value} <= {high}")] if atom.sort.high > high else []
        return replace(value, when=(*at_least, *at_most)) if at_least or at_most else value

    def load(self, slot: Slot, args: tuple[Atom, ...]) -> Value:
        """The value of a place, where there is such a place."""
        at = self.index(slot, args)
        there = f"(I){self.state}[{at.text}]"
        if slot.width == 2:
            there = f"{there} * 255 + {self.state}[{(at + 1).text}]"
        return Value(there, at.when, compound=slot.width == 2) - slot.shift

    def holds(self, slot: Slot, args: tuple[Atom, ...], value: Atom) -> Value:
        """Whether a place holds a value."""
        if slot.width > 1 or not isinstance(value, Const):
            there = self.load(slot, args)
            return Value(f"{there} == {self.atom(value)}", there.when)
        at, byte = self.index(slot, args), value.value + slot.shift
        return Value(f"{self.state}[{at.text}] == {byte}" if 0 <= byte < 255 else "0", at.when)

    def row(self, step: Find, known: tuple[tuple[int, Column], ...]) -> Value:
        """The index of a row of a table in its array, where there is such a row."""
        return self.numbered((step.args[i], column.low, column.high) for i, column in known)

    def found(self, access: Access, at: Value) -> Value:
        """What the first array of a function has in a row, where there is one."""
        there = f"{access.arrays[0]}[{at.text}]"
        return Value(there, at.when if access.missing is None else (*at.when, Value(f"{there} != {access.missing}")))

    def put(self, var: Var, item: Value) -> None:
        """Writes that an item becomes a member of a set."""
        self.out.line(f"{set_kind(var.sort)}_put(&{self.name(var)}, {(item - lowest(var.sort)).text});")

    def iff(self, conditions: Sequence[Value], inside: Inside) -> None:
        """Prints `inside` under some conditions."""
        if conditions:
            with self.out.block(f"if ({every(conditions).text})"):
                inside()
        else:
            inside()


def lowest(sort: Sort | SetSort) -> int:
    """The value that the first bit of a set stands for."""
    assert isinstance(sort, SetSort)
    return sort.of.lowest


def set_words(sort: Sort | SetSort) -> int:
    """The number of words of 64 bits in a set."""
    assert isinstance(sort, SetSort)
    return words_for(sort.of.size)


def type_of(sort: Sort | SetSort) -> str:
    """The type of a variable in C."""
    return set_kind(sort) if isinstance(sort, SetSort) else "I"


def set_kind(sort: Sort | SetSort) -> str:
    """The type of a set in C."""
    return f"Set{set_words(sort)}"
