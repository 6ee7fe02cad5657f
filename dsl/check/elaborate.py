"""Syntax to typed expressions: every name found, every type right.

In: an expression of the syntax tree, the variables in scope, the Symbols.  Out: a term, a condition or a set of
terms.py; or `Rejected`, with the reason in the report.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from math import prod
from typing import TypeVar

from pysolve.dsl.check import static
from pysolve.dsl.check.board_tables import leap_table
from pysolve.dsl.check.names import CASE_STEPS, WORK_LIMIT, Names
from pysolve.dsl.check.order import rule_of
from pysolve.dsl.check.ranges import Ranges, refuse
from pysolve.dsl.check.symbols import Choice, Definition, Rejected, Symbols
from pysolve.dsl.check.terms import (
    ALWAYS,
    CONDS,
    NEVER,
    SETS,
    CCompare,
    CIn,
    Cond,
    COr,
    CPossible,
    CRelation,
    CRule,
    CSome,
    CTruth,
    SInterval,
    SItems,
    SOp,
    SReach,
    SRule,
    SSort,
    STable,
    SWhere,
    TConst,
    Term,
    TFold,
    TIf,
    TLookup,
    TMobility,
    TNarrow,
    TOp,
    TRead,
    TReify,
    TRule,
    TSet,
    TSteps,
    TVar,
    Typed,
    as_written,
    both,
    bound,
    empty,
    free,
    negated,
    reads,
    renamed,
    weight,
)  # fmt: skip
from pysolve.dsl.errors import Span, a_kind_of, listed
from pysolve.dsl.language.aggregates import AGGREGATES
from pysolve.dsl.language.functions import (
    ABSENT,
    FUNCTIONS,
    LEAPS,
    OPPONENT,
    OPPONENTS,
    OPPOSITE,
    WITH_DIRECTIONS,
    Function,
)
from pysolve.dsl.language.operators import COMPARISONS, LARGEST, OPERATORS
from pysolve.dsl.language.sites import KINDS
from pysolve.dsl.model import BOOL, INT, SetSort, Slot, Sort, Table, Var
from pysolve.dsl.model.rule_names import rule_of_definition
from pysolve.dsl.text import nodes

TABLE_LIMIT = 65_536  # a definition with more combinations of arguments stays a rule
RANGE_LIMIT = 100_000  # values that a variable can have
SET_LIMIT = 65_536  # values of which one is drawn, or between which steps lead
TOO_MANY = "there are too many values here to try all of them"
HEAVIEST = 1_000  # expressions in what is written out more than once: the condition of an if, a value with a name
POWER_LIMIT = 30  # largest exponent
LITERAL_LIMIT = 2**31  # largest number in a text
STACK_FORM = "a stack is declared under state:  pile(cell): stack of player up to 20"
SWITCHES = {"on": 1, "off": 0}
T = TypeVar("T", bound=Typed)
TRUTHS = {"true": 1, "false": 0, **SWITCHES}


@dataclass
class Scope:
    """The variables that an expression may use, and where it stands."""

    symbols: Symbols
    names: Names = field(default_factory=Names)
    locals: dict[str, Term] = field(default_factory=dict)
    declared: dict[str, Span] = field(default_factory=dict)  # where the local names are declared
    place: str = "rules"  # rules, evaluate, end, setup: what may be spoken of
    phrase: Span | None = None  # the count, some, … around the expression, which goes on as far as it can
    ranges: Ranges = None  # type: ignore[assignment]  # of the values that are known here

    def __post_init__(self) -> None:
        if self.ranges is None:
            self.ranges = Ranges(self.symbols)

    def inner(self) -> Scope:
        """A copy for a nested expression: its names are not visible outside."""
        names = dict(self.locals), dict(self.declared)
        return Scope(self.symbols, self.names, *names, self.place, self.phrase, self.ranges)

    def computable(self, node: T) -> T:
        """The whole of an expression; raises `Rejected` if a number in it may be too large."""
        before = len(self.ranges.beyond)
        self.ranges.look(node)
        if len(self.ranges.beyond) > before:
            raise Rejected
        return node

    def bind(self, name: nodes.Name, sort: Sort | SetSort) -> Var:
        """A new local variable."""
        self._refuse_taken(name)
        var = self.names.fresh(name.name, sort)
        self.locals[name.name] = TVar(var)
        self.declare(name, sort)
        return var

    def call(self, name: nodes.Name, term: Term) -> Term:
        """A name for the value of a term, which stands for it from here on; an equal one that has a name already."""
        self._refuse_taken(name)
        if weight(term) > HEAVIEST:
            raise self.symbols.reject(name.span, f'"{name.name}" is too large, with all that the names in it stand for',
                                      "name its parts with define")  # fmt: skip
        term = self.names.called.setdefault(term, term)
        self.names.wishes[term] = name.name
        self.locals[name.name] = term
        self.declare(name, term.sort)
        return term

    def declare(self, name: nodes.Name | nodes.Param, sort: Sort | SetSort) -> None:
        """Takes note of where a local name is declared, and of its type."""
        self.declared[name.name] = name.span
        self.symbols.met(name.span, name.name, sort, name.span)

    def _refuse_taken(self, name: nodes.Name) -> None:
        """Rejects a name that means something else here."""
        symbols = self.symbols
        if name.name in self.locals:
            raise symbols.reject(
                name.span, f'"{name.name}" is already the name of another variable here', "choose another name"
            )
        if name.name in symbols.slots or name.name in ("mover", "opponent", *TRUTHS):
            raise symbols.reject(name.span, f'"{name.name}" already has a meaning', "choose another name")

    # -- the three ways to read an expression

    def term(self, expr: nodes.Expr, expect: Sort | None = None) -> Term:
        """A value; a condition counts as true or false."""
        found = self.any(expr, expect)
        if isinstance(found, CONDS):
            return TReify(found)
        if isinstance(found, SETS):
            text = expr.span.words
            raise self.symbols.reject(expr.span, f"expected one {_one(expect)}, got a set",
                                      f"for example:  some x in {text} has …  or  count x in {text}")  # fmt: skip
        return found

    def cond(self, expr: nodes.Expr, denied: bool = False) -> Cond:
        """A condition; `denied`: the word not precedes it."""
        found = self.any(expr, BOOL)
        if isinstance(found, CONDS):
            return found
        if isinstance(found, SETS):
            raise self.symbols.reject(expr.span, "expected a condition, got a set",
                                      "for example:  some c in neighbours(to) has at(c) = none")  # fmt: skip
        if found.sort.name != BOOL.name:
            raise self.symbols.reject(
                expr.span,
                f"expected a condition, got {a_kind(found.sort)}",
                "" if isinstance(found, TConst) else _compared(expr, found.sort, denied),
            )
        return self.fold(CCompare("=", found, TConst(1, BOOL)))

    def _joined(self, expr: nodes.Expr) -> Cond:
        """A condition that is joined with another; an explanation quotes it as it is written."""
        found = self.cond(expr)
        self.symbols.note(found, expr.span)
        return found

    def set(self, expr: nodes.Expr, expect: Sort | None = None) -> TSet:
        """A set."""
        found = self.any(expr, expect, wants_set=True)
        if isinstance(found, SETS):
            return found
        what = "a condition" if isinstance(found, CONDS) else a_kind(found.sort)
        raise self.symbols.reject(expr.span, f"expected a set, got {what}",
                                  "a set is a type, neighbours(c), 1..n, {a, b} or {c: cell where …}")  # fmt: skip

    def _is_computed(self, node: Typed) -> bool:
        """True if an expression mentions no variable, reads no slot, and takes few enough steps to be computed now."""
        if free(node) or reads(node):
            return False
        steps = static.work(node)
        return steps <= WORK_LIMIT and self.symbols.affords(steps)

    def fold(self, node: Cond) -> Cond:
        """The condition, decided at once if nothing in it can change."""
        if isinstance(node, CTruth) or not self._is_computed(node):
            return node
        return CTruth(static.holds(node, {}, self.symbols.tables))

    def fold_term(self, node: Term) -> Term:
        """A constant if the term mentions no variable, reads no slot and is cheap; else the term itself."""
        if isinstance(node, TConst) or not self._is_computed(node):
            return node
        number = static.value(node, {}, self.symbols.tables)
        return node if number is None else TConst(number, node.sort)

    # -- one method for each family of phrases

    def any(self, expr: nodes.Expr, expect: Sort | None = None, wants_set: bool = False) -> Typed:
        """The term, condition or set that an expression denotes.

        `expect` decides between equal names; `wants_set` prefers a set. Raises `Rejected`.
        """
        match expr:
            case nodes.Number(span, value):
                if value > LITERAL_LIMIT:
                    raise self.symbols.reject(span, f"this number is too large: the largest number is {LITERAL_LIMIT}")
                return TConst(value, Sort("number", value, value))
            case nodes.Name(span, name):
                found = self._name(expr, expect, wants_set)
                self.symbols.met(span, name, found, self.declared.get(name) if name in self.locals else None)
                return found
            case nodes.NoneWord(span):
                if expect is None or not expect.optional:
                    what = f"{a_kind(expect)} is never none" if expect else "the type of this none is unknown"
                    raise self.symbols.reject(span, what, "only a type with “or none” has this value")
                return TConst(expect.none, expect)
            case nodes.Call(span, name):
                found = self._call(expr, expect)
                self.symbols.met(span, name, found)
                return found
            case nodes.Item():
                return self._item(expr)
            case nodes.Minus(_, of):
                return self._minus(of)
            case nodes.Not(_, of):
                return negated(self.cond(of, denied=True))
            case nodes.And(_, left, right):
                return both(self._joined(left), self._joined(right))
            case nodes.Or(_, left, right):
                return self._either(self._joined(left), self._joined(right))
            case nodes.Binary(_, op, left, right):
                if op in COMPARISONS:
                    return self._compare(expr)
                if op in ("union", "except", "intersect"):
                    return self._set_operation(expr, expect)
                return self._arithmetic(expr)
            case nodes.Member(_, item, within, is_negated):
                found = self._member(item, within)
                return negated(found) if is_negated else found
            case nodes.Interval(_, low, high):
                a, b = self.number(low), self.number(high)
                return SInterval(a, b, Sort("number", a.sort.low, max(a.sort.low, b.sort.high)))  # one, if it is empty
            case nodes.SetOf(span, items):
                return self._set_of(span, items, expect)
            case nodes.SetWhere(_, binder, where):
                inner = self.inner()
                ((var, base),) = inner.binder(binder)
                cond = inner.cond(where) if where is not None else ALWAYS
                return base if cond == ALWAYS else SWhere(var, base, cond, _sort_of(var))
            case nodes.Quantified():
                return self._quantified(expr)
            case nodes.Aggregate():
                return self._aggregate(expr)
            case nodes.Conditional():
                return self._conditional(expr, expect, wants_set)
            case nodes.Reach():
                return self._reach(expr)
            case nodes.Steps():
                return self._steps(expr)
            case nodes.Repeated(span):
                raise self.symbols.reject(span, "“repeated” is allowed only under end, as a condition of its "
                                          "own or joined with and", "for example:  draw when repeated 3")  # fmt: skip

    def number(self, expr: nodes.Expr, hint: str = "") -> Term:
        """A whole number."""
        if isinstance(expr, nodes.NoneWord):
            raise self.symbols.reject(expr.span, "expected a number, got none", hint)
        found = self.term(expr, INT)
        if found.sort.labels:
            raise self.symbols.reject(expr.span, f"expected a number, got {a_kind(found.sort)}", hint)
        return self.narrow(found, found.sort.sure)

    def narrow(self, term: Term, sort: Sort) -> Term:
        """The term where a value of `sort` is needed: guarded if it might be something else.

        `none` is one below the lowest value, so between ranges of numbers it has to be translated.
        """
        own = term.sort
        if sort == INT and not own.optional:
            return term
        if own.optional and sort.optional and own.none != sort.none:
            if isinstance(term, TConst):
                return TConst(sort.none, sort) if term.value == own.none else term
            some = self.narrow(TNarrow(term, own.sure), sort.sure)
            return TIf(CCompare("=", term, TConst(own.none, own)), TConst(sort.none, sort), some, sort)
        if sort.optional and not own.optional:
            return self.narrow(term, sort.sure)
        if own.lowest >= sort.lowest and own.high <= sort.high and own.optional == sort.optional:
            return term
        if isinstance(term, TConst) and sort.lowest <= term.value <= sort.high:
            return TNarrow(term, sort) if own.optional and term.value == own.none else term
        return TNarrow(term, sort)

    def argument(self, expr: nodes.Expr, sort: Sort, of: str) -> Term:
        """An argument for a parameter of a given sort."""
        term = self.term(expr, sort)
        if not same_kind(term.sort, sort):
            raise self.symbols.reject(expr.span, f"{quoted(of)} needs {a_kind(sort)} here, not {a_kind(term.sort)}")
        if isinstance(term, TConst) and not sort.lowest <= term.value <= sort.high and self.symbols.as_written:
            raise self.symbols.reject(
                expr.span, f"{quoted(of)} goes from {sort.label(sort.low)} to {sort.label(sort.high)} here; "
                f"this is {term.sort.label(term.value)}")  # fmt: skip
        return self.narrow(term, sort)

    def binders(
        self, binders: Iterable[nodes.Binder], where: nodes.Expr | None
    ) -> tuple[tuple[tuple[Var, TSet], ...], Cond]:
        """The variables of `x, y: type where …, z in set`, now in scope, and the conditions on them.

        What stands behind may speak of what stands before.
        """
        found: list[tuple[Var, TSet]] = []
        conds: list[Cond] = []
        for binder in binders:
            found += self.binder(binder)
            conds += [self.cond(binder.where)] if binder.where is not None else []
        conds += [self.cond(where)] if where is not None else []
        return tuple(found), both(*conds)

    def binder(self, binder: nodes.Binder) -> list[tuple[Var, TSet]]:
        """The variables of `x, y: type` or `x in set`, now in scope."""
        if binder.type is not None:
            sort = self.sort(binder.type)
            if isinstance(sort, SetSort) or sort == INT:
                raise self.symbols.reject(binder.type.span, "this type has infinitely many values",
                                          "for example:  n in 1..8")  # fmt: skip
            base: TSet = SSort(sort)
        else:
            assert binder.within is not None
            base = self.set(binder.within)
        if base.sort.size > RANGE_LIMIT:
            place = binder.type or binder.within
            raise self.symbols.reject(place.span, TOO_MANY)  # type: ignore[union-attr]
        found = [(self.bind(name, base.sort), base) for name in binder.names]
        for i, (var, _) in enumerate(found[1:], 1):  # each has variables of its own inside
            inside = {old: self.names.fresh(old.name, old.sort) for old in sorted(bound(base), key=str)}
            found[i] = (var, renamed(base, inside))
        return found

    def _types(self) -> Iterable[str]:
        """The names of all types."""
        return dict.fromkeys([*self.symbols.sorts, *(KINDS if self.symbols.sites else ())])

    def sort(self, type_: nodes.TypeExpr) -> Sort | SetSort:
        """The sort that a type names."""
        symbols = self.symbols
        match type_:
            case nodes.NamedType(span, name):
                if name in symbols.broken:
                    raise Rejected
                if name not in symbols.sorts:
                    hint = symbols.unknown(name, symbols.sorts) or f"types are {listed(self._types())}"
                    if name in KINDS and not symbols.grid.directions:
                        hint = "the cells of a graph board have no edges and no corners"
                    raise symbols.reject(span, f'there is no type "{name}"', hint)
                symbols.met(span, name, symbols.sorts[name])
                return symbols.sorts[name]
            case nodes.RangeType(span, low, high):
                a, b = self.constant(low), self.constant(high)
                if a > b:
                    raise self.symbols.reject(span, f"the range {a}..{b} is empty", "the smaller number stands first")
                if a < INT.low or b > INT.high:
                    raise self.symbols.reject(span, f"the range {a}..{b} is too large: the numbers of a type go from "
                                              f"{INT.low} to {INT.high}")  # fmt: skip
                return Sort("number", a, b)
            case nodes.OptionalType(span, of):
                inner = self.sort(of)
                if isinstance(inner, SetSort):
                    raise symbols.reject(span, "a set cannot be none", "the empty set is {}")
                return replace(inner, optional=True)
            case nodes.SetType(span, of):
                inner = self.sort(of)
                if isinstance(inner, SetSort) or inner == INT:
                    raise symbols.reject(span, "the members of a set have a finite type")
                return SetSort(inner)
            case nodes.StackType(span):
                raise symbols.reject(
                    span,
                    "only a state variable can be a stack",
                    "for example, under state:  pile(cell): stack of player up to 20",
                )
            case nodes.NamesType(span):
                raise symbols.reject(
                    span, "new names can be listed only under type or state", "for example:  type piece = pawn, king"
                )

    def sort_of(self, param: nodes.Param) -> Sort | SetSort:
        """The sort of a parameter that has a type."""
        if param.within is not None:
            raise self.symbols.reject(param.within.span, "this parameter has a type: only a move chooses from a set",
                                      f"write  {param.name}: cell  here, and the set in a condition")  # fmt: skip
        if param.type is None:
            raise self.symbols.reject(param.span, f'the parameter "{param.name}" has no type',
                                      f"for example:  {param.name}: cell")  # fmt: skip
        return self.sort(param.type)

    def constant(self, expr: nodes.Expr) -> int:
        """A number that is known when the rules are read."""
        term = self.fold_term(self.number(expr))
        if not isinstance(term, TConst):
            raise self.symbols.reject(expr.span, "expected a constant number",
                                      "it can use options and constants, but not the state")  # fmt: skip
        return term.value

    # -- names and calls

    def _name(self, expr: nodes.Name, expect: Sort | None, wants_set: bool) -> Typed:
        symbols, name, span = self.symbols, expr.name, expr.span
        if name in self.locals:
            return self.locals[name]
        if name in TRUTHS and (expect == BOOL or name not in SWITCHES or name not in symbols.constants):
            return TConst(TRUTHS[name], BOOL)
        if name in ("mover", "opponent"):
            if self.place in ("option", "board", "table", "show"):
                raise symbols.reject(span, f"“{name}” has no meaning here: it changes during the game")
            return self.mover() if name == "mover" else self.opponent(span)
        if name == "opponents" and not symbols.names_itself(name):
            if self.place in ("option", "board", "table", "show"):
                raise symbols.reject(span, f"“{name}” has no meaning here: it changes during the game")
            return self.opponents(span)
        if name == "turns":
            raise symbols.reject(span, "“turns” can be compared only under end, on a line of its own or "
                                 "joined with and", "for example:  draw when turns >= 100")  # fmt: skip
        if name in ("me", "you"):
            raise symbols.reject(span, f"“{name}” is allowed only in evaluate", "elsewhere use mover or opponent")
        if name in symbols.slots:
            slot = symbols.slots[name]
            if slot.params:
                raise symbols.reject(span, f'"{name}" needs its arguments: {_form(name, slot.params)}')
            self._refuse_stack(slot, span)
            return TRead(name, (), slot.sort)
        if name in symbols.options:
            option = symbols.options[name]
            return TConst(option.value, option.sort)
        if name in symbols.definitions:
            return self._define(name, (), span)
        if wants_set and name in symbols.sorts:
            return SSort(symbols.sorts[name])
        if name in symbols.sets:
            return symbols.sets[name]
        if name in symbols.absent:
            player = symbols.sorts["player"]
            return TLookup(ABSENT, (TConst(player.low, player),), player)
        if name in symbols.constants:
            found = symbols.constants[name]
            fitting = [c for c in found if expect is None or same_kind(c.sort, expect)]
            return fitting[0] if fitting else found[0]
        if name in symbols.functions():
            form = f"write  {rows[0].form}" if (rows := symbols.rows_of(name)) else ""
            raise symbols.reject(span, f'"{name}" needs arguments in brackets', form)
        if name in symbols.sorts:
            raise symbols.reject(span, f'expected a value, got the type "{name}"',
                                 f"for example:  some x: {name} has …")  # fmt: skip
        self._refuse_effect(name, span)
        hint = symbols.unknown(name, [*symbols.words(), *self.locals], expect)
        if self.place == "board" and name not in symbols.removed:
            hint = symbols.report.nearest(name, symbols.options) or f"for example:  option {name} = 8 in {{6, 8, 10}}"
        raise symbols.unknown_name(span, name, hint)

    def _refuse_effect(self, name: str, span: Span) -> None:
        """Rejects a named effect where a value or a condition is needed."""
        if name in self.symbols.effects:
            raise self.symbols.reject(span, f'"{name}" is an effect: it is allowed only under do',
                                      "to name a condition or a value, write define")  # fmt: skip

    def mover(self) -> Term:
        """The player to move, as a term."""
        return TRead("mover", (), self.symbols.sorts["player"])

    def opponent(self, span: Span) -> Term:
        """The opponent of the player to move, as a term; raises `Rejected` unless there are two players."""
        player = self.symbols.sorts["player"]
        if player.high != 2:
            raise self.no_opponent(span)
        return TLookup(OPPONENT, (self.mover(),), player)

    def no_opponent(self, span: Span) -> Rejected:
        """Reports that this game has not two players."""
        alone = self.symbols.sorts["player"].high == 1
        hint = "the players other than the mover are  opponents, who comes next is  next(mover)"
        return self.symbols.reject(span, "“opponent” has a meaning only in a game of two players",
                                   "a lone player has none" if alone else hint)  # fmt: skip

    def opponents(self, span: Span) -> TSet:
        """The players other than the player to move."""
        player = self.symbols.sorts["player"]
        if player.high <= 2:
            return SItems((self.opponent(span),) if player.high == 2 else (), player)
        return STable(OPPONENTS, (self.mover(),), player)

    def _call(self, expr: nodes.Call, expect: Sort | None) -> Typed:
        symbols, name, span = self.symbols, expr.name, expr.span
        if name in symbols.slots:
            slot = symbols.slots[name]
            self._refuse_stack(slot, span)
            return TRead(name, self._arguments(expr, slot), slot.sort)
        if name in symbols.columns:
            table = symbols.tables[symbols.columns[name]]
            self._count(expr, table.sorts[:1])
            return self.fold_term(
                TLookup(table.name, (self.argument(expr.args[0], table.sorts[0], name),), table.sorts[1])
            )
        if name in symbols.definitions:
            return self._define(name, expr.args, span)
        if (rows := symbols.rows_of(name)) and not symbols.names_itself(name):
            return self._function(expr, rows)
        if name in symbols.moves:
            raise symbols.reject(span, f'"{name}" is a kind of move, not a value',
                                 f"to test for a legal move of this kind, write  possible({name})")  # fmt: skip
        if name in symbols.options or name in symbols.constants:
            raise symbols.reject(span, f'"{name}" takes no arguments', f"write  {name}")
        self._refuse_effect(name, span.first(len(name)))
        if any(row.games == "sites" for row in FUNCTIONS.get(name, ())) and name not in symbols.removed:
            raise symbols.reject(span.first(len(name)), f'there is no "{name}": the rules do not speak of edges and '
                                 "corners of cells", "they do where a type is edge or corner, as in  state "
                                 "line(edge): bool")  # fmt: skip
        raise symbols.unknown_name(span.first(len(name)), name,
                                   symbols.unknown(name, [*symbols.functions(), *symbols.words()]))  # fmt: skip

    def _arguments(self, expr: nodes.Call, slot: Slot) -> tuple[Term, ...]:
        self._count(expr, slot.params)
        return tuple(self.argument(a, s, slot.name) for a, s in zip(expr.args, slot.params, strict=True))

    def _refuse_stack(self, slot: Slot, span: Span) -> None:
        """Rejects a stack where a value is needed."""
        if slot.stack is not None:
            text = span.words
            raise self.symbols.reject(span, f'"{text}" is a stack, not a value',
                                      f"write  top({text})  or  height({text})  or  {text}[1]")  # fmt: skip

    def stack(self, expr: nodes.Expr) -> tuple[Slot, tuple[Term, ...]]:
        """A stack of the state, with its arguments; raises `Rejected` for anything else."""
        symbols, name = self.symbols, expr.name if isinstance(expr, nodes.Name | nodes.Call) else ""
        slot = symbols.slots.get(name)
        if slot is None or slot.stack is None or name in self.locals:
            known = symbols.stacks()
            hint = f"for example:  {_form(known[0].name, known[0].params)}" if known else STACK_FORM
            if name and name not in {*self.locals, *symbols.words(), *symbols.functions()}:
                near = symbols.unknown(name, [stack.name for stack in known])
                raise symbols.unknown_name(expr.span.first(len(name)), name, near or hint)
            raise symbols.reject(expr.span, f'"{expr.span.words}" is not a stack', hint)
        if isinstance(expr, nodes.Call):
            return slot, self._arguments(expr, slot)
        if slot.params:
            raise symbols.reject(expr.span, f'"{name}" needs its arguments: {_form(name, slot.params)}')
        return slot, ()

    def _of_a_stack(self, expr: nodes.Call) -> Term:
        """`top(stack)`, `height(stack)`."""
        slot, args = self.stack(expr.args[0])
        if expr.name == "top":
            return TRead(slot.name, args, slot.sort)
        assert slot.stack is not None
        return TRead(slot.stack.height, args, self.symbols.slots[slot.stack.height].sort)

    def _item(self, expr: nodes.Item) -> Term:
        """`stack[k]`: no value where nothing lies."""
        slot = self.symbols.slots.get(expr.stack.name)
        if slot is None and isinstance(self.any(expr.stack, wants_set=True), SETS):
            raise self.symbols.reject(expr.span, "a set cannot be indexed", "use a table with a row for each number; "
                                      "one member of a set is  first x in … where …")  # fmt: skip
        if slot is not None and slot.stack is None:
            raise self.symbols.reject(expr.span, f'"{slot.name}" is not a stack: its arguments stand in round brackets',
                                      f"write  {slot.name}({expr.at.span.words})")  # fmt: skip
        slot, args = self.stack(expr.stack)
        assert slot.stack is not None
        place = self.symbols.slots[slot.stack.items].params[-1]
        at = self.narrow(self.number(expr.at), place)
        return self.narrow(TRead(slot.stack.items, (*args, at), slot.sort), slot.sort.sure)

    def _count(self, expr: nodes.Call, params: tuple[Sort, ...]) -> None:
        if len(expr.args) != len(params):
            raise self._miscounted(expr, len(params), _form(expr.name, params))

    def _miscounted(self, expr: nodes.Call, wanted: int, form: str) -> Rejected:
        return self.symbols.reject(
            expr.span, f"{form} takes {wanted} argument{'s' * (wanted != 1)}, not {len(expr.args)}"
        )

    def _function(self, expr: nodes.Call, rows: list[Function]) -> Typed:
        """A function of the language; `rows` are the ways to call it in this game."""
        symbols, name, args = self.symbols, expr.name, expr.args
        if "cell" not in symbols.sorts or self.place == "board":
            raise symbols.reject(expr.span, f"“{name}” has no meaning here: the board is not known yet")
        fitting = [row for row in rows if len(row.params) == len(args)]
        if not fitting:
            *_, last = rows
            alike = [row.params[0] for row in rows if len(row.params) == len(last.params)]
            form = f"{name}({' or '.join(alike)})" if len(alike) > 1 else last.form
            raise self._miscounted(expr, len(last.params), form)
        row = fitting[0]
        for boards in (row.boards, row.useful):
            if not boards.have(symbols.grid):
                raise symbols.reject(expr.span, boards.reason, boards.hint)
        match row.params:
            case ("number", *_):
                return self._operation(expr.span, name, args, [self.number(arg) for arg in args])
            case ("move",):
                return self._possible(expr)
            case ("stack",):
                return self._of_a_stack(expr)
        if len(fitting) == 1:
            first = self.argument(args[0], symbols.sorts[row.params[0]], name)
        else:
            row, first = self._told_apart(args[0], fitting)
        rest = (self.argument(arg, symbols.sorts[kind], name)
                for arg, kind in zip(args[1:], row.params[1:], strict=True))  # fmt: skip
        if not row.table:
            return TMobility(first)
        asked = symbols.asked(row)
        return self._looked_up(asked.target, (first, *rest), asked.result)

    def _told_apart(self, arg: nodes.Expr, rows: list[Function]) -> tuple[Function, Term]:
        """The way to call a function with such a first argument, and that."""
        first = self.term(arg)
        for row in rows:
            if row.params[0] == first.sort.name:
                return row, self.narrow(first, first.sort.sure)
        needed = " or ".join(a_kind_of(row.params[0]) for row in rows)
        raise self.symbols.reject(arg.span, f'"{rows[0].name}" needs {needed} here, not {a_kind(first.sort)}')

    def _direction_sort(self, span: Span) -> Sort:
        if "direction" not in self.symbols.sorts:
            raise self._no_directions(span)
        return self.symbols.sorts["direction"]

    def _no_directions(self, span: Span) -> Rejected:
        return self.symbols.reject(span, WITH_DIRECTIONS.reason, WITH_DIRECTIONS.hint)

    def _possible(self, expr: nodes.Call) -> Cond:
        symbols, arg = self.symbols, expr.args[0]
        if not isinstance(arg, nodes.Name) or arg.name not in symbols.moves:
            word = arg.name if isinstance(arg, nodes.Name) else arg.span.text
            raise symbols.reject(
                arg.span, f'there is no kind of move "{word}"', symbols.report.nearest(word, symbols.moves)
            )
        return CPossible(arg.name)

    def _define(self, name: str, args: tuple[nodes.Expr, ...], span: Span) -> Typed:
        symbols = self.symbols
        definition = define(symbols, name, span)
        if len(args) != len(definition.params):
            form = _form(name, tuple(p.sort for p in definition.params))
            wanted = len(definition.params)
            raise symbols.reject(span, f"{form} takes {wanted} argument{'s' * (wanted != 1)}, not {len(args)}")
        terms = tuple(self.argument(a, _sort_of(p), name) for a, p in zip(args, definition.params, strict=True))
        return self.applied(definition, terms)

    def applied(self, definition: Definition, terms: tuple[Term, ...]) -> Typed:
        """A definition, with its arguments."""
        if definition.table:
            return self._looked_up(definition.table, terms, definition.result)
        target = rule_of_definition(definition.syntax.name.name)
        match definition.result:
            case None:
                return self.fold(CRule(target, terms))
            case SetSort(of):
                return SRule(target, terms, of)
            case result:
                return TRule(target, terms, result)

    def _looked_up(self, table: str, terms: tuple[Term, ...], result: Sort | SetSort | None) -> Typed:
        """A table applied to arguments: a condition, a set or a value, depending on the `result` of the table."""
        match result:
            case None:
                return self.fold(CRelation(table, terms))
            case SetSort(of):
                return STable(table, terms, of)
            case value:
                return self.fold_term(TLookup(table, terms, value))

    # -- operators

    def _either(self, left: Cond, right: Cond) -> Cond:
        if ALWAYS in (left, right):
            return ALWAYS
        if NEVER in (left, right):
            return right if left == NEVER else left
        found = [p for c in (left, right) for p in (c.parts if isinstance(c, COr) else (c,))]
        return COr(tuple(found))

    def _chosen(self, test: Cond, then: Cond, otherwise: Cond) -> Cond:
        found = self._either(both(test, then), both(negated(test), otherwise))
        self.symbols.note_choice(found, Choice(test, then, otherwise))
        return found

    def _minus(self, of: nodes.Expr) -> Typed:
        found = self.term(of)
        if found.sort.name == "direction":
            return self.fold_term(TLookup(OPPOSITE, (found,), found.sort))
        number = self.number(of) if found.sort.labels else self.narrow(found, found.sort.sure)
        return self._operation(of.span, "negate", (of,), [number])

    def _arithmetic(self, expr: nodes.Binary) -> Typed:
        sides = expr.left, expr.right
        if expr.op in ("+", "-") and not isinstance(expr.left, nodes.NoneWord):
            left = self.term(expr.left)
            if left.sort.name == "cell" or left.sort.name in self.symbols.sites:
                return self._shift(left, expr)
            if left.sort.name == "direction":
                one = self._one_word(expr.left, expr.right) if expr.op == "-" else ""
                example = f"from + {expr.left.span.words} {expr.op} {expr.right.span.words}"
                raise self.symbols.reject(expr.span, "directions cannot be added to each other: add each one to a cell",
                                          f"write  {one}" if one else f"for example:  {example}")  # fmt: skip
            if not left.sort.labels:  # to read it again would take twice as long for each sum inside a sum
                number = self.narrow(left, left.sort.sure)
                return self._operation(expr.span, expr.op, sides, [number, self.number(expr.right)])
        number = self.number(expr.left, self._closed(expr))
        return self._operation(expr.span, expr.op, sides, [number, self.number(expr.right)])

    def _closed(self, expr: nodes.Binary) -> str:
        """A hint for a sum whose left side is no number: perhaps it begins earlier, with a count."""
        begun, left = self.phrase, expr.left.span
        if begun is None:
            return ""
        if (begun.line, begun.source) != (left.end_line, left.source):
            return "the part after  where, of  and  has  extends as far as possible; brackets limit it"
        inside = replace(begun, end_line=left.end_line, end_column=left.end_column)
        return f"write  ({inside.text}) {expr.op} {expr.right.span.words}"

    def _operation(self, span: Span, op: str, operands: tuple[nodes.Expr, ...], args: list[Term]) -> Term:
        if OPERATORS[op].divides and isinstance(args[1], TConst) and args[1].value == 0:
            raise self.symbols.reject(span, "division by zero", "test the divisor before, as in  n > 0 and m // n = 2")
        if op == "^" and args[1].sort.high > POWER_LIMIT:
            raise self.symbols.reject(span, f"an exponent is at most {POWER_LIMIT}")
        spans = (span, *(operand.span for operand in operands))
        return self._folded(as_written(TOp(op, tuple(args), _computed(op, args)), spans), span)

    def _folded(self, node: Term, span: Span) -> Term:
        """A number at once, if it is none that is too large."""
        found = self.fold_term(node)
        if isinstance(found, TConst) and abs(found.value) > LARGEST:
            refuse(self.symbols, span, (found.value, found.value))
            raise Rejected
        return found

    def _shift(self, start: Term, expr: nodes.Binary) -> Term:
        """`cell + direction` and `cell + number * direction`: the cell there, if there is one; so with edges, too."""
        symbols, kind = self.symbols, start.sort.name
        direction = self._direction_sort(expr.span)
        if expr.op == "-":
            self._refuse_hyphen(expr)
        start = self.narrow(start, symbols.sorts[kind])
        step = symbols.step_table(kind)
        count, way = self._offset(expr.right, direction, expr, start)
        if expr.op == "-":
            count = self._operation(expr.span, "negate", (expr.right,), [count])
        if count == TConst(1, count.sort):
            return self.fold_term(TLookup(step, (start, way), start.sort))
        reach = max(symbols.grid.place)[0] + max(y for _, y in symbols.grid.place)
        low, high = max(count.sort.low, -reach), min(count.sort.high, reach)
        leap = LEAPS[kind]
        if leap in symbols.tables:
            have = symbols.tables[leap].sorts[2]
            low, high = min(low, have.low), max(high, have.high)
        if leap not in symbols.tables or (low, high) != (have.low, have.high):
            symbols.add_table(leap_table(kind, symbols.steps_of(kind), symbols.sorts, (low, high)))
        return self.fold_term(TLookup(leap, (start, way, count), symbols.sorts[kind]))

    def _refuse_hyphen(self, expr: nodes.Binary) -> None:
        """Rejects `to + north-east`, which would lead northwest."""
        first, second = expr.left, expr.right
        while isinstance(first, nodes.Binary):
            first = first.right
        one = self._one_word(first, second)
        if one and not _apart(first, second):
            at = replace(first.span, end_column=second.span.end_column)
            both = f"{first.span.words} and then opposite to {second.span.words}"
            raise self.symbols.reject(at, f"this goes {both}", f"write  {one}")

    def _one_word(self, first: nodes.Expr, second: nodes.Expr) -> str:
        """The direction whose name is that of two others, as northeast; empty if there is none."""
        if not isinstance(first, nodes.Name) or not isinstance(second, nodes.Name):
            return ""
        joined = first.name + second.name
        return joined if joined in self._direction_sort(first.span).labels else ""

    def _offset(self, expr: nodes.Expr, direction: Sort, whole: nodes.Binary, start: Term) -> tuple[Term, Term]:
        """The number of steps and the direction of the right side of `place + k * direction`."""
        if isinstance(expr, nodes.Binary) and expr.op in ("+", "-"):
            first = self.term(expr.left, direction)
            if first.sort.name == "direction":
                begun = replace(whole.span, end_line=expr.span.line, end_column=expr.span.column).words
                one = self._one_word(expr.left, expr.right) if expr.op == "-" else ""
                right = f"write  {begun.rstrip('( ')} {one or expr.span.words}"
                raise self.symbols.reject(expr.span, "directions cannot be added to each other: add each one to a cell",
                                          right if whole.op == "+" or one else "")  # fmt: skip
        if isinstance(expr, nodes.Binary) and expr.op == "*":
            for count, way in ((expr.left, expr.right), (expr.right, expr.left)):
                term = self.term(way, direction)
                if term.sort.name == "direction":
                    return self.number(count), self.narrow(term, direction)
        term = self.term(expr, direction)
        if term.sort.name != "direction":
            raise self.symbols.reject(expr.span, "only a direction can be added to "
                                      f"{a_kind_of(start.sort.name)}, not {a_kind(term.sort)}",
                                      "for example:  from + north  or  from + 2 * dir")  # fmt: skip
        return TConst(1, Sort("number", 1, 1)), self.narrow(term, direction)

    def _compare(self, expr: nodes.Binary) -> Cond:
        """Both sides have the same kind of value; the side that is clear helps to read the other."""
        symbols, op = self.symbols, expr.op
        for word, place in ((expr.left, expr.right), (expr.right, expr.left)):
            if isinstance(word, nodes.NoneWord) and (name := self._never_none(place)):
                raise symbols.never_none(name, word.span)
        if self._reads_better_reversed(expr):
            right = self._side(expr.right, expr)
            left = self._side(expr.left, expr, right.sort)
        else:
            left = self._side(expr.left, expr)
            right = self._side(expr.right, expr, left.sort)
        if not same_kind(left.sort, right.sort):
            raise symbols.reject(expr.span, f"{a_kind(left.sort)} and {a_kind(right.sort)} cannot be compared")
        if op not in ("=", "!="):
            if left.sort.labels:
                raise symbols.reject(
                    expr.span,
                    f"{left.sort.name}s have no order: only = and != compare them",
                    "give each of them a number in a table, and compare the numbers",
                )
            left = self.narrow(left, left.sort.sure)
            right = self.narrow(right, right.sort.sure)
        elif not left.sort.labels and (left.sort.optional or right.sort.optional):
            common = _union(left.sort, right.sort)
            left, right = self.narrow(left, common), self.narrow(right, common)
        for side, other in ((left, right), (right, left)):
            if isinstance(other, TConst) or not isinstance(side, TConst):
                continue
            never = op in ("=", "!=") and not other.sort.lowest <= side.value <= other.sort.high
            never = never and not (other.sort.low <= INT.low or other.sort.high >= INT.high)  # which stands for all
            if never and (symbols.as_written or other.sort.labels):
                value = side.sort.label(side.value)
                what = a_kind(other.sort) if other.sort.labels else f"a number in {other.sort}"
                raise symbols.reject(expr.span, f"{what} is never {value}")
        return self.fold(CCompare(op, left, right))

    def _never_none(self, expr: nodes.Expr) -> str:
        """The state that an expression reads, if it is never none."""
        if not isinstance(expr, (nodes.Name, nodes.Call)) or expr.name in self.locals:
            return ""
        slot = self.symbols.slots.get(expr.name)
        return "" if slot is None or slot.sort.optional or slot.name not in self.symbols.entries else slot.name

    def _side(self, expr: nodes.Expr, whole: nodes.Binary, expect: Sort | None = None) -> Term:
        """One side of a comparison."""
        found = self.any(expr, expect)
        if isinstance(found, CONDS):
            return TReify(found)
        if not isinstance(found, SETS):
            return found
        other = whole.left if expr is whole.right else whole.right
        mine, theirs = expr.span.words, other.span.words
        word = {"=": "in", "!=": "not in"}.get(whole.op)
        if word is None:
            hint = f"for example:  (count x in {mine}) {whole.op} 3"
        elif not isinstance(other, nodes.NoneWord) and isinstance(self.any(other), SETS):
            hint = f"for example:  every x in {theirs} has x in {mine}"
        elif isinstance(other, nodes.NoneWord):
            hint = f"to test whether a set is empty, write  (count x in {mine}) {whole.op} 0"
        else:
            hint = f"write  {theirs} {word} {mine}"
        raise self.symbols.reject(expr.span, f"{whole.op} compares single values, not sets", hint)

    def _reads_better_reversed(self, expr: nodes.Binary) -> bool:
        """True if the left side is a bare word whose sort only the right side can tell."""
        left = expr.left
        if isinstance(left, nodes.NoneWord):
            return True
        if not isinstance(left, nodes.Name) or left.name in self.locals:
            return False
        return len(self.symbols.constants.get(left.name, ())) + (left.name in TRUTHS) > 1

    def _member(self, item: nodes.Expr, within: nodes.Expr) -> Cond:
        symbols = self.symbols
        if isinstance(item, nodes.NoneWord):
            raise symbols.reject(item.span, "a set never contains none", "whether there is none is asked with  = none")
        left = self.term(item)
        base = self.set(within, left.sort)
        if not same_kind(left.sort, base.sort) and base != SItems((), base.sort):
            raise symbols.reject(within.span, f"{a_kind(left.sort)} cannot be in a set of {base.sort.name}s")
        if left.sort.optional and not left.sort.labels:
            left = self.narrow(left, left.sort.sure)
        return self.fold(CIn(left, base))

    def _set_operation(self, expr: nodes.Binary, expect: Sort | None) -> TSet:
        left = self.set(expr.left, expect)
        right = self.set(expr.right, left.sort)
        if not same_kind(left.sort, right.sort):
            raise self.symbols.reject(
                expr.span, f"a set of {left.sort.name}s and a set of {right.sort.name}s have no members in common"
            )
        if empty(left):
            return right if expr.op == "union" else left
        if empty(right):
            return right if expr.op == "intersect" else left
        sort = replace(left.sort, low=min(left.sort.low, right.sort.low), high=max(left.sort.high, right.sort.high))
        return SOp(expr.op, left, right, sort)

    def _set_of(self, span: Span, items: tuple[nodes.Expr, ...], expect: Sort | None) -> TSet:
        if not items:
            if expect is None:
                raise self.symbols.reject(span, "the type of this empty set is unknown")
            return SItems((), expect)
        terms = [self.term(items[0], expect)]
        terms += [self.term(item, terms[0].sort) for item in items[1:]]
        for term, item in zip(terms, items, strict=True):
            if not same_kind(term.sort, terms[0].sort):
                raise self.symbols.reject(
                    item.span, f"the members of a set have one type: {a_kind(term.sort)} among {terms[0].sort.name}s"
                )
        terms = [self.narrow(term, term.sort.sure) for term in terms]
        sort = replace(terms[0].sort, low=min(t.sort.low for t in terms), high=max(t.sort.high for t in terms))
        return SItems(tuple(terms), sort)

    # -- quantifiers, aggregates, and the rest

    def _quantified(self, expr: nodes.Quantified) -> Cond:
        inner = replace(self.inner(), phrase=expr.span)
        binders, where = inner.binders(expr.binders, expr.where)
        body = inner.cond(expr.body)
        if expr.kind == "every":
            body = negated(body)
        cond = both(where, body)
        if cond == NEVER or any(empty(base) for _, base in binders):
            return CTruth(expr.kind != "some")
        found = self.fold(CSome(binders, cond))
        return found if expr.kind == "some" else negated(found)

    def _aggregate(self, expr: nodes.Aggregate) -> Term:
        inner = replace(self.inner(), phrase=expr.span)
        binders, where = inner.binders(expr.binders, expr.where)
        row = AGGREGATES[expr.kind]
        of: Term = TVar(binders[0][0])
        if expr.kind == "count":
            of = TConst(1, Sort("number", 1, 1))
        elif expr.of is not None:
            of = inner.number(expr.of)
        elif row.compares and of.sort.labels:
            raise self.symbols.reject(expr.span, f"{of.sort.name}s have no order",
                                      f"{expr.kind} needs of:  {expr.kind} c: cell of column(c)")  # fmt: skip
        if expr.kind == "first" and len(binders) > 1:
            raise self.symbols.reject(
                expr.span,
                "first takes only one variable",
                "for example:  first c: cell where some d: direction has at(c + d) = mover",
            )
        sort = of.sort
        if row.adds:
            if any(empty(base) for _, base in binders):
                return TConst(0, Sort("number", 0, 0))
            ways = prod(base.sort.size for _, base in binders)
            sort = Sort("number", min(0, ways * of.sort.low), max(0, ways * of.sort.high))
        return self._folded(as_written(TFold(expr.kind, binders, where, of, sort), (expr.span,)), expr.span)

    def _conditional(self, expr: nodes.Conditional, expect: Sort | None, wants_set: bool) -> Typed:
        test = self.cond(expr.test)
        if weight(test) > HEAVIEST:
            raise self.symbols.reject(expr.test.span, "this condition of an if is too large",
                                      "name its parts with define")  # fmt: skip
        if expect is not None and expect.name == BOOL.name:
            return self._chosen(test, self._joined(expr.then), self._joined(expr.otherwise))
        if expect is None and expr.then == nodes.SetOf(expr.then.span, ()):  # the other one says what it is a set of
            expect = self.set(expr.otherwise).sort
        then = self.any(expr.then, expect, wants_set)
        if isinstance(then, CONDS):
            self.symbols.note(then, expr.then.span)
            return self._chosen(test, then, self._joined(expr.otherwise))
        if isinstance(then, SETS):
            return self._conditional_set(expr, test, then)
        otherwise = self.term(expr.otherwise, expect or then.sort)
        if not same_kind(then.sort, otherwise.sort):
            raise self.symbols.reject(
                expr.otherwise.span, f"{a_kind(then.sort)} after then, but {a_kind(otherwise.sort)} after else"
            )
        if isinstance(test, CTruth):
            return then if test.holds else otherwise
        sort = _union(then.sort, otherwise.sort)
        return TIf(test, self.narrow(then, sort), self.narrow(otherwise, sort), sort)

    def _conditional_set(self, expr: nodes.Conditional, test: Cond, then: TSet) -> TSet:
        """The members of the one set where the condition holds, and of the other one where it does not."""
        otherwise = self.set(expr.otherwise, then.sort)
        if not same_kind(then.sort, otherwise.sort):
            raise self.symbols.reject(expr.otherwise.span, f"a set of {then.sort.name}s after then, but a set of "
                                      f"{otherwise.sort.name}s after else")  # fmt: skip
        if isinstance(test, CTruth):
            return then if test.holds else otherwise
        again = self.cond(expr.test)  # with variables of its own
        sides = [(then, test), (otherwise, negated(again))]
        one, other = (SWhere(self.names.fresh("member", base.sort), base, cond, base.sort) for base, cond in sides)
        if empty(then) or empty(otherwise):
            return other if empty(then) else one
        return SOp("union", one, other, _union(then.sort, otherwise.sort))

    def _reach(self, expr: nodes.Reach) -> TSet:
        start = self._end(expr.start, "reach starts from")
        near, following, cond = self._relation(expr, "reach", start)
        return SReach(self._ends(expr, start, "reach starts from", near), near, following, cond, _sort_of(near))

    def _steps(self, expr: nodes.Steps) -> Term:
        start, goal = self._end(expr.start, "steps lead from"), self._end(expr.goal, "steps lead to")
        near, following, cond = self._relation(expr, "steps", start)
        first = self._ends(expr, start, "steps lead from", near)
        last = self._ends(expr, goal, "steps lead to", near)
        most = Sort("number", 0, max(0, _sort_of(near).size - 1))
        return self.fold_term(TSteps(first, last, near, following, cond, most))

    def _relation(self, expr: nodes.Reach | nodes.Steps, word: str, start: Term | TSet) -> tuple[Var, Var, Cond]:
        """The two ends of a step, and the condition that leads from the one to the other."""
        symbols = self.symbols
        if expr.relation not in symbols.definitions:
            raise symbols.reject(expr.span, f'there is no definition "{expr.relation}"',
                                 symbols.report.nearest(expr.relation, symbols.definitions)
                                 or "for example:  define near(a, b: cell) = b in neighbours(a)")  # fmt: skip
        definition = define(symbols, expr.relation, expr.span)
        given, more = len(expr.args), len(definition.params) - 2
        if definition.result is None and more >= 0 and given != more:
            first = ", ".join(p.name for p in definition.params[:more])
            raise symbols.reject(
                expr.span, f'"{expr.relation}" has {more + 2} parameters: the last two are the two ends of a step, '
                "and those before them go in brackets" if more else f'"{expr.relation}" has two parameters, the '
                "two ends of a step: there are no brackets",
                f"for example:  by {expr.relation}{f'({first})' * bool(more)}")  # fmt: skip
        if definition.result is not None or more < 0:
            need = "needs" if word == "reach" else "need"
            raise symbols.reject(
                expr.span,
                f'"{expr.relation}" is not a relation between two {start.sort.name}s: {word} {need} '
                "a condition with two parameters",
                "for example:  define near(a, b: cell) = b in neighbours(a)",
            )
        args = tuple(self.argument(a, _sort_of(p), expr.relation)
                     for a, p in zip(expr.args, definition.params[:given], strict=True))  # fmt: skip
        ends = [_sort_of(p) for p in definition.params[given:]]
        if not (_leads(ends[1], ends[0]) and _leads(_members(start), ends[0])):
            begins = "reach starts" if word == "reach" else "steps lead"
            raise symbols.reject(expr.span, f'"{expr.relation}" leads from {a_kind(ends[0])} to {a_kind(ends[1])}, '
                                 f"but {begins} from {a_kind(start.sort)}")  # fmt: skip
        if ends[0].size > SET_LIMIT:
            raise symbols.reject(expr.span, TOO_MANY, f'"{expr.relation}" leads from {kind_of(ends[0])}')
        near, following = self.names.fresh("near", ends[0]), self.names.fresh("next", ends[1])
        found = self.applied(definition, (*args, TVar(near), TVar(following)))
        if isinstance(found, CRule):  # written out, so that it chooses where a step leads to
            inside = Scope(symbols, self.names, place="define")
            terms = (*args, TVar(near), TVar(following))
            inside.locals |= {param.name: term for param, term in zip(definition.syntax.params, terms, strict=True)}
            found = inside.cond(definition.syntax.body)
        assert isinstance(found, CONDS)
        return near, following, found

    def _end(self, end: nodes.Expr, role: str) -> Term | TSet:
        """A value or a set at which steps begin or end; raises `Rejected` for a condition."""
        found = self.any(end, wants_set=True)
        if isinstance(found, CONDS):
            raise self.symbols.reject(end.span, f"{role} a cell or a set of cells")
        return found

    def _ends(self, expr: nodes.Reach | nodes.Steps, end: Term | TSet, role: str, near: Var) -> TSet:
        """The start or the goal of steps as a set; a single value becomes a set of one.

        Raises `Rejected` if its type is not that of `near`, the start of one step.
        """
        sort = _sort_of(near)
        if not _leads(_members(end), sort):
            raise self.symbols.reject(expr.span, f'"{expr.relation}" leads from {a_kind(sort)} to {a_kind(sort)}, '
                                      f"but {role} {a_kind(end.sort)}")  # fmt: skip
        return end if isinstance(end, SETS) else SItems((self.narrow(end, sort.sure),), sort.sure)


# ----------------------------------------------------------------------------------------- definitions


def define(symbols: Symbols, name: str, span: Span | None = None) -> Definition:
    """The definition of a name, elaborated when it is first needed; a table if it never changes."""
    definition = symbols.definitions[name]
    if definition.state == "ready":
        return definition
    if definition.state == "open":
        definition.state = "bad"
        raise symbols.reject(definition.syntax.name.span, f'"{name}" depends on itself',
                             "to find what a repeated step reaches, write  reach from … by …")  # fmt: skip
    if definition.state == "bad":
        raise Rejected
    definition.state = "open"
    try:
        _read_definition(symbols, definition)
    except Rejected:
        definition.state = "bad"
        raise
    definition.state = "ready"
    return definition


def _read_definition(symbols: Symbols, definition: Definition) -> None:
    node = definition.syntax
    scope = Scope(symbols, place="define")
    params = []
    for param in node.params:
        params.append(scope.bind(nodes.Name(param.span, param.name), scope.sort_of(param)))
    definition.params = tuple(params)
    for param, var in zip(node.params, params, strict=True):
        if isinstance(var.sort, SetSort):
            raise symbols.reject(param.span, "a parameter is a single value, not a set")
    declared = scope.sort(node.type) if node.type is not None else None
    body = _definition_body(scope, node, declared)
    definition.body = body
    definition.result = (
        None if isinstance(body, CONDS) else (SetSort(body.sort) if isinstance(body, SETS) else body.sort)
    )
    if isinstance(declared, SetSort) or (declared is not None and declared.name != BOOL.name and declared != INT):
        definition.result = declared
    name = rule_of_definition(node.name.name)
    if (
        reads(body)
        or any(p.sort == INT for p in params)
        or (cases := prod(_sort_of(p).size for p in params)) > TABLE_LIMIT
        or cases * (steps := static.work(body)) > WORK_LIMIT * 5
        or not symbols.affords(cases * max(steps, CASE_STEPS * (body.sort.size if isinstance(body, SETS) else 1)))
    ):
        symbols.rules[name] = rule_of(symbols, name, definition.params, body, scope.names, node.name.span,
                                      _headline(node))  # fmt: skip
    else:
        definition.table = name
        scope.computable(body)
        symbols.add_table(_tabulate(symbols, name, definition.params, body, _headline(node)))


def _definition_body(scope: Scope, node: nodes.Define, declared: Sort | SetSort | None) -> Typed:
    symbols = scope.symbols
    if isinstance(declared, SetSort):
        members = scope.set(node.body, declared.of)
        if not same_kind(members.sort, declared.of):
            raise symbols.reject(node.body.span, f"expected {a_kind(declared)}, got {a_kind(SetSort(members.sort))}")
        return members
    if declared is not None and declared.name == BOOL.name:
        return scope.cond(node.body)
    if declared is None:
        found = scope.any(node.body, None, wants_set=True)
        if not isinstance(found, (*CONDS, *SETS)) and found.sort.name == BOOL.name:
            return scope.cond(node.body)
        return found
    term = scope.term(node.body, declared)
    if not same_kind(term.sort, declared):
        raise symbols.reject(node.body.span, f"expected {a_kind(declared)}, got {a_kind(term.sort)}")
    if isinstance(term, TConst) and not declared.lowest <= term.value <= declared.high:
        raise symbols.reject(node.body.span, f"expected {declared}, got {term.sort.label(term.value)}")
    return scope.narrow(term, declared)


def _tabulate(symbols: Symbols, name: str, params: tuple[Var, ...], body: Typed, text: str) -> Table:
    sorts = tuple(_sort_of(p) for p in params)
    cases = static.Product(
        {param: sort.all_values() for param, sort in zip(params, sorts, strict=True)}, symbols.tables
    )
    rows: list[static.Row]
    if isinstance(body, CONDS):
        rows = cases.where(body).rows
    elif isinstance(body, SETS):
        rows = cases.members(body)
    else:
        rows = [(*key, number) for key, number in zip(cases.rows, cases.value(body), strict=True) if number is not None]
    if isinstance(body, CONDS):
        return Table(name, sorts, tuple(rows), len(sorts), text)
    keys = len(sorts) + (1 if isinstance(body, SETS) else 0)
    return Table(name, (*sorts, body.sort), tuple(rows), keys, text)


def _headline(node: nodes.Define) -> str:
    """The definition on one line, without the comments that follow it."""
    end = node.body.span
    return replace(node.span, end_line=end.end_line, end_column=end.end_column).words


# --------------------------------------------------------------------------------------------- helpers


def same_kind(a: Sort, b: Sort) -> bool:
    """True if values of the two sorts can be compared: both numbers, or both of one named type."""
    if not a.labels and not b.labels:
        return True
    return a.name == b.name and (a.labels is b.labels or a.labels == b.labels)  # they may be thousands


def _sort_of(var: Var) -> Sort:
    assert isinstance(var.sort, Sort)
    return var.sort


def _members(end: Term | TSet) -> Sort:
    """The type of the members of a set, or of a single value without `none`: where steps begin or end."""
    return end.sort if isinstance(end, SETS) else end.sort.sure


def _leads(to: Sort, start: Sort) -> bool:
    """Can a step from these values begin wherever it has come to?"""
    return same_kind(to, start) and start.lowest <= to.lowest and to.high <= start.high


def _union(a: Sort, b: Sort) -> Sort:
    return replace(a, low=min(a.low, b.low), high=max(a.high, b.high), optional=a.optional or b.optional)


def a_kind(sort: Sort | SetSort | None) -> str:
    """A kind of value in words: `a player or none`, `a number`, `a set of cells`."""
    if sort is None:
        return "a value"
    if isinstance(sort, SetSort):
        return f"a set of {sort.of.name}s"
    name = sort.name if sort.labels else "number"
    if sort.name == BOOL.name:
        name = "condition"
    return f"{a_kind_of(name)}{' or none' if sort.optional else ''}"


def _compared(expr: nodes.Expr, sort: Sort, denied: bool) -> str:
    """A hint: a value that stands where a condition is needed, compared."""
    text = expr.span.words
    return f"write  {text} = none" if denied and sort.optional else f"compare it with something:  {text} = …"


def _apart(first: nodes.Expr, second: nodes.Expr) -> bool:
    """True if there are spaces around the operator between two phrases."""
    return (first.span.end_line, first.span.end_column + 1) != (second.span.line, second.span.column)


def quoted(name: str) -> str:
    """A name in quotation marks; any other text (such as a condition) as it is."""
    return f'"{name}"' if name.isidentifier() else name


def kind_of(sort: Sort) -> str:
    """A value of a sort in words: `a player or none`, `a number in 0..9`."""
    return a_kind(sort) if sort.labels or sort == INT else f"a number in {sort}"


def _one(sort: Sort | None) -> str:
    return "value" if sort is None else sort.name if sort.labels else "number"


def _form(name: str, sorts: tuple[Sort | SetSort, ...]) -> str:
    return f"{name}({', '.join(str(s) for s in sorts)})" if sorts else name


def _computed(op: str, args: list[Term]) -> Sort:
    """The numbers that an operation may give, or INT for all that there are."""
    operands = [(arg.sort.low, arg.sort.high) for arg in args]
    found = OPERATORS[op].range(*operands)
    if found is None or any(low <= INT.low or high >= INT.high for low, high in operands):
        return INT
    return Sort("number", *found)
