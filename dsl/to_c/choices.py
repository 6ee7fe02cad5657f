"""A choice whose values are the bits of a set, and the printer that writes what is done with each of them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from pysolve.dsl.frozen import frozen
from pysolve.dsl.model import Body, Sort, Step, Var
from pysolve.dsl.to_c.bits import Bits, Word, joined
from pysolve.dsl.to_c.scope import Inside, Scope
from pysolve.dsl.to_c.value import Value, of_number


@dataclass
class Printer(Scope, ABC):
    """Who prints the body in which sets are written, as far as sets ask."""

    spread: tuple[Var | None, Callable[[Choice], None]] = (None, lambda _: None)  # what a closure does with bits
    unroll: int = 0  # lines that may be used to write the next choice out, value by value

    @abstractmethod
    def ways(self, body: Iterable[Step], inside: Inside) -> None:
        """Writes a body with `inside` in its innermost place."""

    @abstractmethod
    def plain(self, body: Body) -> Value | None:
        """A body as one condition, if it is one."""


@frozen
class Choice:
    """A variable whose values are bits, and the steps that are left to do for each of them."""

    var: Var
    words: int
    bits: tuple[Bits, ...]
    rest: tuple[Step, ...]

    def word(self, number: Word) -> str:
        return joined(self.bits, number)

    def some(self) -> str:
        """Is there a value?"""
        return f"(({') | ('.join(self.word(i) for i in range(self.words))}))"

    def count(self) -> str:
        return " + ".join(f"count_bits({self.word(i)})" for i in range(self.words))

    def moves(self, printer: Printer, code: Callable[[], str]) -> Iterator[tuple[str, str]]:
        """Word by word the values as bits, and the code of the move that the lowest bit stands for."""
        before = printer.names.get(self.var)
        for word in range(self.words):
            printer.names[self.var] = of_number(self.var.sort.low + 64 * word)  # type: ignore[union-attr]
            yield self.word(word), code()
        del printer.names[self.var]
        if before is not None:
            printer.names[self.var] = before

    def join(self, printer: Printer, name: str) -> None:
        """Adds the values to a set."""
        for word in range(self.words):
            printer.out.line(f"{name}.w[{word}] |= {self.word(word)};")

    def write(self, printer: Printer, inside: Inside) -> None:
        """For each value, in order, the steps that are left."""
        out, low = printer.out, self.var.sort.low  # type: ignore[union-attr]
        bits = out.fresh("bits")
        if self.words == 1 and printer.unroll:
            self._write_unrolled(printer, inside)
            return
        if self.words == 1:
            with out.loop(f"for (u64 {bits} = {self.word(0)}; {bits}; {bits} &= {bits} - 1)"):
                printer.bind(self.var, f"lowest_bit({bits}) + {low}")
                printer.ways(self.rest, inside)
            return
        word = out.fresh("word")
        with (
            out.block(f"for (int {word} = 0; {word} < {self.words}; {word}++)"),
            out.loop(f"for (u64 {bits} = {self.word(word)}; {bits}; {bits} &= {bits} - 1)"),
        ):
            printer.bind(self.var, f"{word} * 64 + lowest_bit({bits}) + {low}")
            printer.ways(self.rest, inside)

    def _write_unrolled(self, printer: Printer, inside: Inside) -> None:
        """A piece of code for each value, in which the value is a constant; if that is not too long."""
        out, sort = printer.out, self.var.sort
        assert isinstance(sort, Sort)
        longest, names, declared = printer.unroll, dict(printer.names), set(printer.declared)
        printer.unroll = 0
        with out.apart() as loop:
            self.write(printer, inside)
        if sum(1 for _ in loop) * sort.size > longest:
            out.add(loop)
            return
        name = out.fresh("among")
        out.line(f"const u64 {name} = {self.word(0)};")
        for value in sort.values():
            printer.names = {**names, self.var: of_number(value)}  # each piece of code has variables of its own
            printer.declared = set(declared)
            with out.block(f"if ({name} >> {value - sort.low} & 1)"):
                printer.ways(self.rest, inside)
        del printer.names[self.var]  # an equal step elsewhere has a variable again
        printer.names |= {var: value for var, value in names.items() if var == self.var}
