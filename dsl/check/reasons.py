"""What `why` is to say: from a condition of the rules to a demand that explains itself.

In: a condition as its author wrote it, and as a typed expression.  Out: a `Demand`: the condition with all parameters
known, the values that decide it, what speaks against an `every` or `no`, the way that a `reach` takes, and its parts:
the conditions that it joins by `and` and `or`, itself or in a definition that it asks.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from pysolve.dsl.check.elaborate import Scope
from pysolve.dsl.check.names import Names
from pysolve.dsl.check.order import Builder, Pending
from pysolve.dsl.check.ranges import Ranges
from pysolve.dsl.check.symbols import Definition, Symbols
from pysolve.dsl.check.terms import (
    ALWAYS,
    CONDS,
    CAnd,
    CCompare,
    CIn,
    CNot,
    Cond,
    COr,
    CRelation,
    CRule,
    CSome,
    SItems,
    SReach,
    SRule,
    SSort,
    TConst,
    Term,
    TLookup,
    TRead,
    TRule,
    TSet,
    TSteps,
    TVar,
    Typed,
    both,
    bound,
    conjuncts,
    free,
    negated,
    parts,
    rebuilt,
    weight,
)  # fmt: skip
from pysolve.dsl.errors import Span
from pysolve.dsl.language.functions import LEAPS, OPPONENT, STEPS
from pysolve.dsl.model import Atom, Body, Demand, Probe, Reach, Trail, Var
from pysolve.dsl.model.rule_names import given_name, is_definition
from pysolve.dsl.text import nodes

DEPTH_LIMIT = 3  # parts within parts
PARTS_LIMIT = 40  # of one demand, all together
MENTIONED = 50  # uses of definitions that the values of one demand are looked for in
HEAVIEST = 60  # expressions in the arguments of such a use
WAYS = (*STEPS.values(), *LEAPS.values())  # tables of steps and leaps


def claim_of(symbols: Symbols, node: nodes.Holds) -> Demand:
    """A demand without parameters for a line of an example that says what holds in a position."""
    demand = nodes.Demand(node.condition.span, node.condition, None)
    scope = Scope(symbols, place="when")
    return demand_of(symbols, "example", (), demand, scope.computable(scope.cond(node.condition)))


def demand_of(
    symbols: Symbols, owner: str, params: tuple[Var, ...], demand: nodes.Demand, cond: Cond,
    lets: Mapping[str, Term] = {}, above: Iterable[Cond] = (),
) -> Demand:  # fmt: skip
    """The demand that a condition is, for a kind of moves with these parameters.

    `lets` are the values that the condition calls by a name; they are shown.  `above` are the demands before it: where
    numbers would be too large without them, it does not hold without them.
    """
    writer = _Writer(symbols, owner, params)
    if not Ranges(symbols).fits(cond):
        return writer.guarded(cond, demand, above)
    found = writer.demand(_Written(cond, {}), demand.span, DEPTH_LIMIT, False)
    values = tuple(writer.value(name, term, cond) for name, term in lets.items() if Ranges(symbols).fits(term))
    return replace(found, reason=demand.reason, probes=(*values, *found.probes))


@dataclass(frozen=True)
class _Written:
    """A condition where it is written, and what its variables stand for in the demand that asks for it."""

    cond: Cond
    given: Mapping[Var, Term]

    @property
    def meant(self) -> Cond:
        """The condition with the terms of the demand put in for its variables."""
        return _put(self.cond, self.given)

    def inside(self, cond: Cond) -> _Written:
        """A condition that is part of this one, with the same substitution."""
        return _Written(cond, self.given)


@dataclass
class _Writer:
    """Writes one demand with all its parts."""

    symbols: Symbols
    owner: str
    params: tuple[Var, ...]
    left: int = PARTS_LIMIT

    def demand(self, written: _Written, span: Span, depth: int, truth: bool) -> Demand:
        """A condition as a demand, with parts down to some depth, which are asked for where it is true, or false."""
        cond, whole = written.meant, depth == DEPTH_LIMIT
        builder = self._builder(cond)
        builder.cond(cond)
        core, denied = self._core(written)
        joined = isinstance(core.cond, COr | CAnd) and depth > 0
        inner = self._parts(core, depth - 1, truth != denied) if joined else ()
        meant = cond if core is written else core.meant
        counter, counter_probes = self._counter(meant, denied, whole)
        return Demand(
            text=span.words, reason=None, span=span, body=builder.body(),
            probes=self._probes(set(self.params), cond) if whole or not inner else (),  # the parts tell them
            counter=counter, counter_probes=counter_probes, trail=self._trail(meant, denied),
            parts=inner, negated=denied,
        )  # fmt: skip

    def guarded(self, cond: Cond, demand: nodes.Demand, above: Iterable[Cond]) -> Demand:
        """A demand that can be computed only where those above it hold."""
        whole = both(*above, cond)
        builder = self._builder(whole)
        builder.cond(whole)
        return Demand(demand.span.words, demand.reason, demand.span, builder.body(), ())

    def _builder(self, cond: Cond, more: Iterable[Var] = ()) -> Builder:
        """A builder that knows the parameters; names that it invents are not taken."""
        known = {*self.params, *more}
        return Builder(self.symbols, Names({var.name for var in (*known, *bound(cond))}), self.owner, known)

    # -- what a condition is made of

    def _core(self, written: _Written) -> tuple[_Written, bool]:
        """The condition behind `not` and behind names of definitions, and whether it is negated."""
        denied = False
        while True:
            match written.cond:
                case CNot(of):
                    written, denied = written.inside(of), not denied
                case CRule() | CRelation() if (found := self._definition(written)) is not None:
                    written = found
                case _:
                    return written, denied

    def _definition(self, written: _Written) -> _Written | None:
        """The condition that a definition stands for; None where there is none, or its variables would be mistaken."""
        use = written.meant
        definition = _definition_of(self.symbols, use)
        if definition is None or not isinstance(definition.body, CONDS):
            return None
        given = _arguments(definition, use)
        return None if given is None else _Written(definition.body, given)

    def _parts(self, core: _Written, depth: int, truth: bool) -> tuple[Demand, ...]:
        """The conditions that are joined, if their author has written each of them."""
        choice = self.symbols.choice_of(core.cond)
        joined = parts(core.cond) if choice is None else (choice.then, choice.otherwise)
        spans = [self.symbols.said_at(part) for part in joined]
        if None in spans or len(joined) > self.left or not all(map(self._fits, joined)):
            return ()
        self.left -= len(joined)
        found = tuple(
            self.demand(core.inside(part), span, depth, truth) for part, span in zip(joined, spans, strict=True)
            if isinstance(part, CONDS) and span is not None
        )  # fmt: skip
        if choice is None:
            return found
        tests = choice.test, negated(choice.test)
        chosen = [self._chosen(_put(test, core.given), _put(part, core.given), truth)
                  for test, part in zip(tests, (choice.then, choice.otherwise), strict=True)]  # fmt: skip
        return tuple(replace(part, body=body) for part, body in zip(found, chosen, strict=True))

    def _fits(self, node: Typed) -> bool:
        """True if an expression can be computed by itself."""
        return Ranges(self.symbols).fits(node)

    def _chosen(self, test: Cond, part: Cond, truth: bool) -> Body:
        """A body that tests one side of an `if`: that it is chosen and true, or, if not `truth`, not chosen or true."""
        cond = both(test, part) if truth else COr((negated(test), part))
        builder = self._builder(cond)
        builder.cond(cond)
        return builder.body()

    # -- values

    def value(self, name: str, term: Term, cond: Cond) -> Probe:
        """The value of a term by its name."""
        builder = self._builder(cond)
        value = builder.atom(term)
        return Probe(name, (), builder.body(), value)

    def _probes(self, known: set[Var], cond: Cond) -> tuple[Probe, ...]:
        """The values that decide a condition: what it reads and computes outside of any quantifier."""
        found: dict[tuple[str, tuple[Atom, ...], bool], Probe] = {}
        for term in _deciding(self.symbols, cond, set()):
            if not free(term) <= known or not self._fits(term):
                continue
            for probe in self._probes_of(term, cond, known):
                found.setdefault((probe.label, probe.args, probe.value is None), probe)
        return tuple(found.values())

    def _probes_of(self, term: Term, cond: Cond, known: set[Var]) -> Iterator[Probe]:
        """The value of a term, and that it has none."""
        match term:
            case TLookup(name, args) if name in STEPS.values():  # told only where there is no such cell
                yield self._missing(term, args, "{0} + {1}", cond, known, off_board=True)
            case TLookup(name, (start, way, count)) if name in LEAPS.values():
                yield self._missing(term, (start, count, way), "{0} + {1} * {2}", cond, known, off_board=True)
            case TRead(name, args, _) | TRule(name, args, _) | TLookup(name, args, _):
                args = () if name == OPPONENT else args
                words = [f"{{{i}}}" for i in range(len(args))]
                label = self._of_a_stack(name, words) if isinstance(term, TRead) else ""
                plain = given_name(name).removeprefix("cell_")
                label = label or _applied(plain, words)
                builder = self._builder(cond, known)
                atoms = tuple(builder.atom(arg) for arg in args)
                value = builder.atom(term)
                yield Probe(label, atoms, builder.body(), value)
                if not isinstance(term, TRead) and not builder.total(term):
                    yield self._missing(term, args, label, cond, known)
            case TVar(var):
                yield Probe(var.name, (), (), var)

    def _of_a_stack(self, name: str, words: list[str]) -> str:
        """`top(s)`, `height(s)` or `s[k]` for a state variable that is part of a stack; empty for any other."""
        slot = self.symbols.slots[name]
        if slot.stack is not None:
            return f"top({_applied(name, words)})"
        if not slot.part_of:
            return ""
        parts = self.symbols.slots[slot.part_of].stack
        assert parts is not None
        if name == parts.height:
            return f"height({_applied(slot.part_of, words)})"
        return f"{_applied(slot.part_of, words[:-1])}[{words[-1]}]"

    def _missing(
        self, term: Term, args: tuple[Term, ...], label: str, cond: Cond, known: set[Var], off_board: bool = False
    ) -> Probe:  # fmt: skip
        """A probe that finds out whether a term has no value although its arguments have one."""
        builder = self._builder(cond, known)
        atoms = tuple(builder.atom(arg) for arg in args)
        builder.cond(CNot(CIn(term, SSort(term.sort))))
        return Probe(label, atoms, builder.body(), None, off_board)

    def _counter(self, core: Cond, denied: bool, whole: bool) -> tuple[Body, tuple[Probe, ...]]:
        """A body that finds a counterexample to an `every` or `no`, with probes of its values.

        In a part of a condition (`whole` is false) it also finds what makes a `some` true. Empty for other conditions.
        """
        if not isinstance(core, CSome) or (whole and not denied):
            return (), ()
        builder = self._builder(core)
        builder.choose(list(core.binders), [Pending(c) for c in conjuncts(core.cond)])
        known = {*self.params, *(v for v, _ in core.binders)}
        shown = [Probe(v.name, (), (), v) for v, base in core.binders if not _told_by(self.symbols, v, core.cond)]
        return builder.body(), (*shown, *self._probes(known, core.cond))

    def _trail(self, core: Cond, denied: bool) -> Trail | None:
        """The way of a `reach` to what is asked for, or where it ends."""
        item: Term | None = None
        match core:
            case CIn(item, within):
                pass
            case CSome(((_, within), *_), _) if not denied:
                pass
            case _:
                return None
        reach = self._reach(within)
        if reach is None or not free(reach) <= set(self.params):
            return None
        builder = self._builder(core)
        builder.names.used |= {var.name for var in bound(reach)}
        last = None if item is None else builder.atom(item)
        closed = builder.set_value(reach)
        *before, step = builder.steps
        assert isinstance(step, Reach) and step.var == closed  # noqa: PT018
        return Trail(tuple(before), step, last)

    def _reach(self, within: TSet) -> SReach | None:
        """The closure that a set is, perhaps by the name of a definition."""
        while isinstance(within, SRule):
            definition = _definition_of(self.symbols, within)
            given = None if definition is None else _arguments(definition, within)
            if definition is None or given is None:
                return None
            within = _put(definition.body, given)  # type: ignore[assignment]
        return within if isinstance(within, SReach) else None


def _put(node: Typed | None, given: Mapping[Var, Term]) -> Cond:
    """An expression with terms in place of variables."""
    if not given:
        return node  # type: ignore[return-value]
    return rebuilt(node, lambda part: given.get(part.var) if isinstance(part, TVar) else None)  # type: ignore[return-value]


def _definition_of(symbols: Symbols, use: Typed) -> Definition | None:
    """The definition of the author that an expression asks."""
    match use:
        case CRule(rule, _) | SRule(rule, _, _) | CRelation(rule, _):
            return symbols.definitions.get(given_name(rule)) if is_definition(rule) else None
    return None


def _arguments(definition: Definition, use: Typed) -> dict[Var, Term] | None:
    """The arguments in a use of a definition, by its parameters; None if names of variables would be confused."""
    assert isinstance(use, CRule | SRule | CRelation)
    if definition.body is None or not free(use).isdisjoint(bound(definition.body)):
        return None
    return dict(zip(definition.params, use.args, strict=True))


def _deciding(symbols: Symbols, node: Typed, seen: set[tuple[CRule, bool]], aside: bool = False) -> Iterator[Term]:
    """The reads, rules and tables of a condition that an explanation should mention, in its definitions too.

    `seen` are the uses of definitions that were looked into, each once, `aside` (where steps are left out) or not;
    and no more of them than anybody would read.
    """
    match node:
        case CRule():
            if weight(node) <= HEAVIEST and (node, aside) not in seen and len(seen) < MENTIONED:
                seen.add((node, aside))
                yield from _deciding(symbols, _written_out(symbols, node), seen, aside)
            return
        case SItems() | COr():  # a member that does not exist, or an alternative that needs one, decides nothing
            found = (term for part in parts(node) for term in _deciding(symbols, part, seen, True))
            yield from (term for term in found if not _is_step(term))
            return
        case TRead() | TRule() | TLookup():
            yield node
        case CSome():
            return
        case CCompare() | CNot() | CAnd():
            pass
        case TConst() | TVar() | TSteps():
            return
    for part in parts(node):
        yield from _deciding(symbols, part, seen, aside)


def _is_step(term: Term) -> bool:
    return isinstance(term, TLookup) and term.table in WAYS


def _written_out(symbols: Symbols, use: CRule) -> Cond:
    """The condition that a definition stands for where it is used; nothing where its variables would be mistaken."""
    definition = _definition_of(symbols, use)
    given = None if definition is None else _arguments(definition, use)
    if definition is None or given is None or not isinstance(definition.body, CONDS):
        return ALWAYS
    return _put(definition.body, given)


def _told_by(symbols: Symbols, var: Var, cond: Cond) -> bool:
    """True if some value in the explanation has the variable as its argument."""
    return any(TVar(var) in getattr(term, "args", ()) for term in _deciding(symbols, cond, set()))


def _applied(name: str, words: list[str]) -> str:
    """A name with its arguments."""
    return f"{name}({', '.join(words)})" if words else name
