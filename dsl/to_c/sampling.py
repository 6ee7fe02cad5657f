"""What random games draw from: legal moves that are not listed, or candidates and what is left to test of each.

In: a game that is printed, and how it draws (dsl/analysis/sampling.py).  Out: functions for `draw_move` in
runtime/playouts.c, and the name of the way that it goes:

    BY_SET    one kind of moves with one choice, and that is a set: `choices` gives the set
    BY_RUN    the last choice of each kind is a set: `runs` gives these sets, and with each the move of its first bit
    BY_RANK   `candidates` gives the ranks of moves that are legal perhaps, and `passes` says of a move whether it is
    BY_LIST   the list of all moves
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property

from pysolve.dsl.model import (
    Action,
    Among,
    Body,
    Find,
    Get,
    Member,
    Sort,
    Step,
    Var,
    Walk,
    all_steps,
)
from pysolve.dsl.model.properties import bound, gathers, given_vars, properties
from pysolve.dsl.to_c.bits import words_for
from pysolve.dsl.to_c.choices import Choice
from pysolve.dsl.to_c.program import Program
from pysolve.dsl.to_c.scope import Inside
from pysolve.dsl.to_c.text import identifier
from pysolve.dsl.to_c.value import parameter


@dataclass
class Draws:
    """Writes the functions that random games of a game need."""

    program: Program
    words: int = 0  # of the set that has all moves, if there is one

    def write(self, by_rank: bool) -> str:
        """By what random games draw; `by_rank` is what the rules of drawing say."""
        if by_rank:
            self.candidates()
            return "BY_RANK"
        if self.program.sets and self.choices():
            return "BY_SET"
        return "BY_RUN" if self.program.sets and self.runs() else "BY_LIST"

    def choices(self) -> bool:
        """All moves as one set; False if they are none."""
        program, out = self.program, self.program.out
        if [len(action.params) for action in program.game.actions] != [1]:
            return False
        (action,) = program.game.actions
        (param,), (place,) = action.params, program.codes.fields[0]
        if not isinstance(param.sort, Sort) or (place.low, place.shift) != (param.sort.low, 0):
            return False
        self.words = words_for(param.sort.size)
        joined: list[Choice] = []
        listed: list[Action] = []

        def join(choice: Choice) -> None:
            choice.join(printer, "(*found)")
            joined.append(choice)

        with out.apart() as function, out.block(f"static void choices({program.state}, Set{self.words} *found)"):
            printer = program.printer(masks=True)
            printer.spread = param, join
            printer.ways(action.body, lambda: listed.append(action))
        if listed or not joined:
            return False
        out.add(function)
        return True

    # ------------------------------------------------------------------------------------------ runs

    def runs(self) -> bool:
        """All moves as sets of those that differ in the last choice; False if there are none, or not in this order."""
        program, out = self.program, self.program.out
        if not all(action.ordered or action.name in program.ascending for action in program.game.actions):
            return False
        with out.apart() as functions:
            found = [self._runs_of(number, action) for number, action in enumerate(program.game.actions)]
        if not any(found):
            return False
        out.add(functions)
        with out.block(f"static Run *runs({program.state}, Run *out, Run *end, I *count)"):
            for action in program.game.actions:
                out.line(f"out = runs_{identifier(action.name)}(s, m{program.memo}, out, end, count);")
            out.line("return out;")
        return True

    def _runs_of(self, number: int, action: Action) -> bool:
        """Is any of them a set?"""
        program, out = self.program, self.program.out
        last = action.params[-1] if action.params else None
        spreads: list[Choice] = []

        def code() -> str:
            return program.code(printer, number, action)

        def spread(choice: Choice) -> None:
            spreads.append(choice)
            for word, first in choice.moves(printer, code):
                bits = out.fresh("bits")
                out.line(f"const u64 {bits} = {word};")
                out.line("if (out == end) return end;")
                out.line(f"*out = (Run){{{bits}, {first}}};")
                out.line(f"out += {bits} != 0, *count += count_bits({bits});")

        def add() -> None:
            out.line("if (out == end) return end;")
            out.line(f"*out = (Run){{1, {code()}}};")
            out.line("out++, ++*count;")

        head = f"static Run *runs_{identifier(action.name)}({program.state}, Run *restrict out, Run *end, I *count)"
        with out.block(head):
            printer = program.printer(masks=True)
            if last is not None and isinstance(last.sort, Sort) and last.sort.size <= 256:
                printer.spread = last, spread
            printer.ways(action.body, add)
            out.line("return out;")
        return bool(spreads)

    # ------------------------------------------------------------------------------------- candidates

    def candidates(self) -> None:
        """The ranks of all moves that may be legal, in no order, some of them more than once; and the tests."""
        program, out = self.program, self.program.out
        actions = list(enumerate(program.game.actions))
        tested = {number for number, action in actions if self._candidates_of(number, action)}
        with out.block(f"static u64 *candidates({program.state}, u64 lot, u64 *out, u64 *end)"):
            for action in program.game.actions:
                out.line(f"out = candidates_{identifier(action.name)}(s, m{program.memo}, lot, out, end);")
            out.line("return out;")
        with (
            out.block(f"static int passes({program.state}, Move move)"),
            out.block("switch (move >> KIND_SHIFT)"),
        ):
            for number, action in actions:
                if number in tested:
                    args = ", ".join([f"s, m{program.memo}", *program.decoded(number)])
                    out.line(f"case {number}: return passes_{identifier(action.name)}({args});")
            out.line("default: return 1;")

    def _candidates_of(self, number: int, action: Action) -> bool:
        """Is there anything left to test?"""
        program, out, name = self.program, self.program.out, identifier(action.name)
        body = program.free[action.name]

        def found() -> None:
            out.line("if (out == end) return end;")
            out.line(f"*out++ = rank_of(lot, {program.code(printer, number, action)});")

        with out.block(f"static u64 *candidates_{name}({program.state}, u64 lot, u64 *restrict out, u64 *end)"):
            printer = program.printer(masks=True)
            printer.later = later = Later(program, action.params, body, found)
            printer.ways(body, found)
            out.line("return out;")
        if not later.left and not action.after:
            return False
        with out.block(f"static int passes_{name}({program.parameters(action)})"):
            printer = program.printer()
            printer.names = {param: parameter(i) for i, param in enumerate(action.params)}
            printer.ways(later.test(), lambda: printer.iff(
                program.after_test(printer, action), lambda: out.line("return 1;")))  # fmt: skip
            out.line("return 0;")
        return True


@dataclass
class Later:
    """The steps that are left out while candidates are listed: those that look around for each value of the last
    choice, and what depends on them."""

    program: Program
    params: tuple[Var, ...]
    body: Body
    inside: Inside  # what stands in the innermost place of the body
    left: list[Step] = field(default_factory=list)  # those that are left out indeed

    def sift(self, steps: Body) -> Body:
        """The steps behind the last choice that are carried out at once."""
        if any(self.program.chosen(step) for step in steps):
            return steps
        self.left += [step for step in steps if step in self.slow and step not in self.left]
        return tuple(step for step in steps if step not in self.slow)

    @cached_property
    def slow(self) -> list[Step]:
        """The steps that may be left out."""
        varying: set[Var] = set()  # what is another thing for each value of the last choice
        missing: set[Var] = set()  # what is not known where steps are left out
        found: list[Step] = []
        choosing = [at for at, step in enumerate(self.body) if self.program.chosen(step)]
        for step in self.body[choosing[-1] :] if choosing else ():
            given = set(given_vars((step,)))
            if step is self.body[choosing[-1]] or given & varying:
                varying |= set(bound(step))
            alone = self._needed((step,)) is not None and not set(bound(step)) & set(self.params)
            if given & missing and not alone:
                return []
            if given & missing or (alone and given & varying and self._is_slow(step)):
                found.append(step)
                missing |= set(bound(step))
        return found

    def _is_slow(self, step: Step) -> bool:
        inside = [(one, properties(one)) for one in all_steps((step,))]
        return any(gathers(one) or here.moves or here.rule or self.program.chosen(one) for one, here in inside)

    def _needed(self, steps: Body) -> list[Step] | None:
        """The steps that give what these need, besides the parameters; None where that is not one value for a move."""
        found: list[Step] = []
        todo = [var for step in steps for var in given_vars((step,)) if var not in self.params]
        while todo:
            var = todo.pop()
            binders = [step for step in self.body if var in bound(step)]
            if len(binders) != 1 or isinstance(binders[0], Walk):
                return None
            (step,) = binders
            if any(one not in self.params for one in self.program.chosen(step)):
                return None
            if step not in found:
                found.append(step)
                todo += [one for one in given_vars((step,)) if one not in self.params]
        return found

    def test(self) -> Body:
        """The steps that were left out, with those that they need, for a move whose parameters are known."""
        needed = self._needed(tuple(self.left)) or []
        return tuple(self._given(step) for step in self.body if step in needed or step in self.left)

    def _given(self, step: Step) -> Step:
        if not set(bound(step)) & set(self.params):
            return step
        assert isinstance(step, Among | Find | Get | Member)
        return replace(step, binds=tuple(var for var in step.binds if var not in self.params))
