"""Prolog as data: terms, goals, clauses, and the one printer of them.  Knows nothing of games.

A number is an int, and a variable is its name (`_` is one that nobody needs); all other terms, and the goals among
them, are values of the classes below.  Printed text is for Prolog and for readers: what is to be known of a goal is
asked of these values.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import repeat
from typing import TypeAlias, assert_never

from pysolve.dsl.frozen import frozen
from pysolve.dsl.language.operators import OPERATORS

Term: TypeAlias = "int | str | Compound | Operation | Items | Together | Cases | Noted"
Goal: TypeAlias = "Compound | Operation | Together | Cases | Noted"
Goals: TypeAlias = "tuple[Goal, ...]"


@frozen
class Compound:
    """A functor, as Prolog writes it, with its arguments; without arguments an atom."""

    functor: str
    args: tuple[Term, ...] = ()


@frozen
class Operation:
    """An operator of the language, which the row in `OPERATORS` spells; brackets stand around each inside another."""

    name: str
    operands: tuple[Term, ...]


@frozen
class Items:
    """A list, with `rest` for what follows the items."""

    items: tuple[Term, ...]
    rest: Term | None = None


@frozen
class Together:
    """Several goals as one."""

    goals: Goals


@frozen
class Cases:
    """The first case whose test holds (`->`); what has None for a test is one side of a plain disjunction."""

    hashed: int = field(init=False, repr=False)  # once: they are nested deeply
    cases: tuple[tuple[Goals | None, Goals], ...]

    def __post_init__(self) -> None:
        self.hashed = hash(self.cases)  # type: ignore[misc]

    def __hash__(self) -> int:
        return self.hashed


@frozen
class Noted:
    """A goal of a clause, and what stands behind it in its line: a comment."""

    goal: Goal
    note: str


# Between its arguments stands a functor that is here, spelled with its spaces; with the priorities of Prolog.
INFIX = {f" {name} ": 700 for name in ("is", "=", "==", "\\==", "<", ">", "=<", ">=", "=:=")}
INFIX |= {" + ": 500, " - ": 500, "-": 500, " * ": 400, " // ": 400, " mod ": 400, "/": 400}
APART = ("forall", "decode", "encode")  # each of their arguments has a line of its own
ARITHMETIC = 699  # below what compares, above all that it is made of

# ------------------------------------------------------------------------------------------ how it is made


def call(functor: str, args: Iterable[Term] = ()) -> Compound:
    """A call of a predicate, or another functor with its arguments."""
    return Compound(functor, tuple(args))


TRUE, FAIL, NIL = call("true"), call("fail"), Items(())


def infix(left: Term, operator: str, right: Term) -> Compound:
    """An operator of Prolog between two terms."""
    return Compound(f" {operator} ", (left, right))


def equal(left: Term, right: Term) -> Compound:
    """The unification of two terms."""
    return Compound(" = ", (left, right))


def let(name: Term, value: Term) -> Compound:
    """The goal that binds a variable to the value of arithmetic."""
    return Compound(" is ", (name, value))


def bracketed(term: Term) -> Compound:
    """A term in brackets that Prolog does not need, for those who read it."""
    return Compound("", (term,))


def pair(left: Term, right: Term) -> Compound:
    """Two terms, joined by `-`."""
    return Compound("-", (left, right))


def joined(terms: Iterable[Term], functor: str) -> Term:
    """The terms, of which there is one at least, with a functor of `INFIX` between them."""
    first, *others = terms
    return Compound(functor, (first, *others)) if others else first


def items(terms: Iterable[Term], rest: Term | None = None) -> Items:
    """A list of terms."""
    return Items(tuple(terms), rest)


def together(goals: Iterable[Goal]) -> Goal:
    """Goals as one goal."""
    goals = tuple(goals) or (TRUE,)
    return goals[0] if len(goals) == 1 else Together(goals)


def negation(goals: Iterable[Goal]) -> Compound:
    """The negation (`\\+`) of a conjunction."""
    return Compound("\\+", (together(goals),))


def once(goals: Iterable[Goal]) -> Cases:
    """A conjunction of which only the first solution counts."""
    return Cases(((tuple(goals), (TRUE,)),))


def choice(test: Iterable[Goal], then: Iterable[Goal], otherwise: Iterable[Goal]) -> Cases:
    """An if-then-else of conjunctions."""
    return Cases(((tuple(test), tuple(then)), (None, tuple(otherwise))))


def either(bodies: Iterable[Iterable[Goal]]) -> Cases:
    """A disjunction of conjunctions of which only the first solution counts."""
    return Cases(tuple((tuple(goals), (TRUE,)) for goals in bodies))


def findall(template: Term, goals: Iterable[Goal], into: Term) -> Compound:
    """A `findall/3` of a conjunction, with the list in `into`."""
    return Compound("findall", (template, together(goals), into))


def forall(ways: Iterable[Goal], goals: Iterable[Goal]) -> Compound:
    """A `forall/2` of two conjunctions."""
    return Compound("forall", (together(ways), together(goals)))


# ------------------------------------------------------------------------------------ what is known of it


def variables(terms: Iterable[Term]) -> dict[str, int]:
    """The variables of terms in order of appearance, and how often each stands there."""
    found: dict[str, int] = {}
    _count(terms, found)
    return found


def _count(terms: Iterable[Term], found: dict[str, int]) -> None:
    for term in terms:
        if isinstance(term, str):
            if term != "_":
                found[term] = found.get(term, 0) + 1
        elif not isinstance(term, int):
            _count(_parts(term), found)


def _parts(term: Goal | Items) -> Iterable[Term]:
    match term:
        case Compound(_, args):
            return args
        case Operation(_, operands):
            return operands
        case Items(items, rest):
            return items if rest is None else (*items, rest)
        case Together(goals):
            return goals
        case Cases(cases):
            return (goal for test, then in cases for goal in (*(test or ()), *then))
        case Noted(goal, _):
            return (goal,)
    assert_never(term)


def filled(goals: Iterable[Goal], hole: Goal, filling: Goal) -> Iterator[Goal]:
    """The goals with one in the place of another, also inside of cases."""
    for goal in goals:
        if isinstance(goal, Cases):
            yield Cases(tuple((test, tuple(filled(then, hole, filling))) for test, then in goal.cases))
        else:
            yield filling if goal == hole else goal


# --------------------------------------------------------------------------------------------- the printer


def clause(head: Compound, goals: Iterable[Goal] = ()) -> str:
    """A clause, one goal a line; variables used once get an underscore."""
    goals = [goal for goal in goals if goal != TRUE]
    printer = _Printer({name for name, times in variables([head, *goals]).items() if times == 1})
    if not goals:
        return f"{printer.term(head, 0)}."
    ends = [*("," * (len(goals) - 1)), "."]
    lines = [f"    {printer.term(goal, 4)}{end}{goal.note if isinstance(goal, Noted) else ''}"
             for goal, end in zip(goals, ends, strict=True)]  # fmt: skip
    return "\n".join([f"{printer.term(head, 0)} :-", *lines])


def fact(functor: str, *args: Term) -> str:
    """A clause without goals and variables, of which a game has thousands."""
    return f"{functor}({', '.join(_FACTS.terms(args, 0))})."


def one_line(goals: Iterable[Goal], seen: set[str] | None = None) -> str:
    """The goals on one line; adds their variables to those that were `seen`."""
    return _Printer(set(), set() if seen is None else seen, tall=False).goals(goals, 0)


@dataclass
class _Printer:
    """Prints terms; a `margin` is the column where lines begin that are not the first of a term."""

    alone: set[str]  # variables that stand in one place only
    seen: set[str] = field(default_factory=set)  # variables that were printed
    tall: bool = True  # has each goal a line of its own?

    def term(self, term: Term, margin: int) -> str:
        if isinstance(term, str):
            self.seen.add(term)
            return f"_{term}" if term in self.alone else term
        if isinstance(term, int):
            return str(term)
        match term:
            case Compound(functor, args):
                return self.compound(functor, args, margin)
            case Operation(name, operands):
                most = 0 if _priority(term) == ARITHMETIC else ARITHMETIC
                return OPERATORS[name].prolog.format(*(self.operand(one, most) for one in operands))
            case Items(items, rest):
                inner = ", ".join(self.terms(items, margin))
                return f"[{inner}]" if rest is None else f"[{inner}|{self.term(rest, margin)}]"
            case Together(goals):
                return self.brackets([self.goals(goals, margin + 4)], margin)
            case Cases(cases):
                arrow, sides = self.line(margin) + self.sign("->"), []
                for test, then in cases:
                    after = self.goals(then, margin + 4)
                    sides.append(after if test is None else self.goals(test, margin + 4) + arrow + after)
                return self.brackets(sides, margin)
            case Noted(goal, _):
                return self.term(goal, margin)
        assert_never(term)

    def terms(self, terms: Iterable[Term], margin: int) -> list[str]:
        return [str(term) if term.__class__ is int else self.term(term, margin) for term in terms]

    def compound(self, functor: str, args: tuple[Term, ...], margin: int) -> str:
        if functor in INFIX and len(args) > 1:
            most = INFIX[functor]
            left = self.operand(args[0], most - (most == 700))
            return functor.join([left, *(self.operand(one, most - 1) for one in args[1:])])
        if functor == "\\+":
            return f"\\+ {self.term(args[0], margin + 3)}"
        if functor == "findall":
            template = self.term(args[0], margin)
            return (
                f"findall({template}, {self.term(args[1], margin + 9 + len(template))}, {self.term(args[2], margin)})"
            )
        if functor in APART:
            inner = margin + len(functor) + 1
            lines = [self.term(args[0], margin), *self.terms(args[1:], inner)]
            return f"{functor}({(',' + self.line(inner)).join(lines)})"
        return f"{functor}({', '.join(self.terms(args, margin))})" if args else functor

    def operand(self, term: Term, most: int) -> str:
        """An operand, in brackets if its own operator has a higher priority."""
        text = self.term(term, 0)
        return f"({text})" if isinstance(term, (Compound, Operation)) and _priority(term) > most else text

    def goals(self, goals: Iterable[Goal], margin: int) -> str:
        """A conjunction."""
        return ("," + self.line(margin)).join(map(self.term, goals, repeat(margin))) or "true"

    def brackets(self, sides: list[str], margin: int) -> str:
        """The sides of a disjunction in brackets."""
        return self.sign("(") + (self.line(margin) + self.sign(";")).join(sides) + self.line(margin) + ")"

    def line(self, margin: int) -> str:
        """What stands between two goals, so that the second has a line of its own."""
        return "\n" + " " * margin if self.tall else " "

    def sign(self, sign: str) -> str:
        """A sign in front of goals: behind each they begin in the same column."""
        return f"{sign:4}" if self.tall else f"{sign} "


def _priority(term: Compound | Operation) -> int:
    if isinstance(term, Operation):
        return 700 if OPERATORS[term.name].opposite else ARITHMETIC
    return INFIX.get(term.functor, 0) if len(term.args) > 1 else 0


_FACTS = _Printer(set(), tall=False)
