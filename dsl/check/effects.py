"""Statements to effects.

In: the statements of a move, an effect or the setup.  Out: rounds of effects, in their order.  The lines of a block
are one round: all read the position as it stood when the round began.  Each `then` under it is a block, and so a
round, of its own; they follow one after the other as they are written, each with the `then` blocks inside it before
the next.  Setup is different: its lines happen one after another, and only there lots are drawn.

A named effect is written out where it is called, with its arguments in place of its parameters: its lines join the
round of the call, its `then` blocks follow those that are written before it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from pysolve.dsl.check.elaborate import SET_LIMIT, TOO_MANY, Scope, kind_of, same_kind
from pysolve.dsl.check.order import Builder, Pending
from pysolve.dsl.check.symbols import Rejected, Symbols
from pysolve.dsl.check.terms import ALWAYS, Cond, CTruth, TConst, Term, TRead, TSet, TVar, conjuncts
from pysolve.dsl.errors import Span
from pysolve.dsl.model import (
    Again,
    Assign,
    Atom,
    Body,
    Compute,
    Const,
    Effects,
    EffectStep,
    ForAll,
    Pick,
    Push,
    Repeat,
    SetSort,
    Sort,
    Take,
    TurnTo,
    Var,
    When,
)  # fmt: skip
from pysolve.dsl.text import nodes

CALL_LIMIT = 1_000
ROUND_LIMIT = 100
Place = tuple[str, tuple[Atom, ...]]
TURN_TO: Place = ("turn to", ())
AGAIN: Place = ("again", ())


@dataclass
class Block:
    """The effects of one round that are written under the same circumstances."""

    builder: Builder
    effects: list[EffectStep] = field(default_factory=list)
    assigned: dict[Place, Span] = field(default_factory=dict)  # and the line that does it
    later: bool = False  # under `then`
    conditional: bool = False  # under `if`, `for` or `repeat`

    def inner(self) -> Block:
        """A block for effects that happen under some condition, or several times."""
        return Block(self.builder.inner(), [], dict(self.assigned), self.later, True)

    def flush(self, span: Span) -> None:
        """Turns what the builder has computed so far into an effect of its own."""
        if self.builder.steps:
            self.effects.append(Compute(self.builder.body(), span))
            self.builder.steps.clear()


@dataclass
class Writer:
    """Writes the effects of one move, or of the setup."""

    rounds: list[Block]
    in_setup: bool = False
    inside: tuple[str, ...] = ()  # named effects being written out
    calls: int = 0  # named effects written out so far

    def next_round(self, span: Span, symbols: Symbols) -> Block:
        """The block of a round after all that there are; it knows the variables, not what was read."""
        if len(self.rounds) == ROUND_LIMIT:
            raise symbols.reject(
                span,
                f"the effects of a move have at most {ROUND_LIMIT} rounds",
                "all lines of one round run at once: join rounds",
            )
        later = Block(self.rounds[-1].builder.fresh_position(), later=True)
        for earlier in self.rounds:
            later.builder.bound |= earlier.builder.bound
        self.rounds.append(later)
        return later

    def statements(self, body: tuple[nodes.Statement, ...], scope: Scope, block: Block) -> None:
        """Adds statements to a block; a mistake in one does not hide those in the others."""
        after_then = False
        for statement in body:
            if self.in_setup:  # each line sees what the lines before it have done
                block.builder.known.clear()
            try:
                if after_then and not isinstance(statement, nodes.Then):
                    raise scope.symbols.reject(
                        statement.span, "this line would happen before the “then” above it, with the other lines of "
                        "its block", "put it above the “then”, or under a “then” of its own")  # fmt: skip
                self.statement(statement, scope, block)
            except Rejected:
                block.builder.steps.clear()
            if self.in_setup:
                scope.ranges = scope.ranges.later()
            after_then = after_then or isinstance(statement, nodes.Then)

    def statement(self, node: nodes.Statement, scope: Scope, block: Block) -> None:
        """Checks one statement and appends its effects to the block; raises `Rejected` for a mistake."""
        match node:
            case nodes.Assign(span, place, value):
                self._assign(span, place, value, scope, block)
            case nodes.Push(span, value, onto):
                self._push(span, value, onto, scope, block)
            case nodes.Take():
                self._take(node, scope, block)
            case nodes.Let():
                self._let(node, scope, block)
            case nodes.IfBlock(span, test, then, otherwise):
                self._if(span, test, then, otherwise, scope, block)
            case nodes.ForBlock():
                self._for(node, scope, block)
            case nodes.CallEffect(_, call):
                self._call(call, scope, block)
            case nodes.Then():
                self._then(node, scope, block)
            case nodes.Again(span):
                if self.in_setup:
                    raise scope.symbols.reject(
                        span, "“again” is allowed only in moves", "in setup, write  for  or  repeat"
                    )
                self._give_turn(Again(span), scope.symbols, block)
            case nodes.TurnTo(span, who):
                self._turn_to(span, who, scope, block)
            case nodes.Pick() | nodes.Repeat() | nodes.Drawing() if not self.in_setup:
                self._refuse_setup(node, scope, block)
            case nodes.Pick():
                self._pick(node, scope, block)
            case nodes.Repeat():
                self._repeat(node, scope, block)
            case nodes.Drawing():
                raise AssertionError("drawings are read by game.py")

    def _let(self, node: nodes.Let, scope: Scope, block: Block) -> None:
        for name, value in node.bindings:
            term = scope.computable(scope.term(value))
            var = scope.bind(name, term.sort)
            scope.ranges = scope.ranges.letting(var, term)
            block.builder.value_into(term, var)
            block.builder.bound.add(var)
        block.flush(node.span)

    def _for(self, node: nodes.ForBlock, scope: Scope, block: Block) -> None:
        inner_scope = scope.inner()
        binders, cond = inner_scope.binders(node.binders, node.where)
        for _, base in binders if not self.in_setup else ():
            block.builder.share(base)
        block.flush(node.span)
        inner = block.inner()
        ways = self._ways(inner_scope, inner, binders, cond)
        if self.in_setup:  # the values are settled before the lines change what they were chosen by
            inner_scope.ranges = inner_scope.ranges.later()
        self.statements(node.body, inner_scope, inner)
        inner.flush(node.span)
        block.effects.append(ForAll(ways, tuple(inner.effects), node.span))

    def _then(self, node: nodes.Then, scope: Scope, block: Block) -> None:
        if self.in_setup:
            raise scope.symbols.reject(
                node.span, "“then” is not allowed in setup: its lines already run one after another", "leave out “then”"
            )
        if block.conditional:
            raise scope.symbols.reject(node.span, "“then” begins a round for the whole move; it is not allowed "
                                       "inside if or for", "put the if or for inside the “then”")  # fmt: skip
        scope.ranges = scope.ranges.later()
        self.statements(node.body, scope, self.next_round(node.span, scope.symbols))

    def _pick(self, node: nodes.Pick, scope: Scope, block: Block) -> None:
        inner, (name, *others) = block.inner(), node.binder.names
        if others:
            raise scope.symbols.reject(others[0].span, "pick chooses one value", "write one line for each value")
        binders = tuple(scope.binder(node.binder))
        if binders[0][1].sort.size > SET_LIMIT:
            raise scope.symbols.reject(node.binder.span, TOO_MANY)
        block.builder.bound |= {var for var, _ in binders}  # a wrong condition is the only mistake then
        ways = self._ways(scope, inner, binders, scope.cond(node.where) if node.where is not None else ALWAYS)
        picked = scope.locals[name.name]
        assert isinstance(picked, TVar)
        block.effects.append(Pick(picked.var, ways, node.span))

    def _repeat(self, node: nodes.Repeat, scope: Scope, block: Block) -> None:
        count = block.builder.atom(scope.computable(scope.number(node.times)))
        block.flush(node.span)
        inner, inner_scope = block.inner(), scope.inner()
        inner_scope.ranges = scope.ranges.later()
        self.statements(node.body, inner_scope, inner)
        inner.flush(node.span)
        block.effects.append(Repeat(count, tuple(inner.effects), node.span))

    def _refuse_setup(self, node: nodes.Pick | nodes.Repeat | nodes.Drawing, scope: Scope, block: Block) -> None:
        """Reports what belongs to setup alone; a lot still has its variable, so that no mistake follows."""
        word = {nodes.Pick: "pick", nodes.Repeat: "repeat"}.get(type(node), "position")
        hint = {"pick": "what a player chooses is a parameter of the move; what nobody chooses is a  chance  section",
                "repeat": "to do something to several things, write for"}.get(word, "")  # fmt: skip
        scope.symbols.report.add(node.span, f"“{word}” is allowed only in setup", hint)
        if isinstance(node, nodes.Pick):
            block.builder.bound |= {var for var, _ in scope.binder(node.binder)}

    def _assign(
        self, span: Span, place: nodes.Name | nodes.Call, value: nodes.Expr, scope: Scope, block: Block
    ) -> None:
        symbols = scope.symbols
        name = place.name
        if name not in symbols.slots:
            known = name in scope.locals or name in symbols.definitions or name in symbols.options
            near = symbols.removal(name) or symbols.report.nearest(name, set(symbols.slots) - {"mover"})
            hint = "only state variables can change" if known else near
            raise symbols.reject(place.span.first(len(name)), f'"{name}" is not part of the state', hint)
        slot = symbols.slots[name]
        if slot.stack is not None:
            text = place.span.words
            raise symbols.reject(place.span, f'"{text}" is a stack: it cannot be assigned',
                                 f"write  push … onto {text}  or  drop … from {text}")  # fmt: skip
        if name == "mover" and not self.in_setup:
            raise symbols.reject(place.span, "mover cannot be assigned: it changes when the turn passes",
                                 "to keep the turn, write the effect  again")  # fmt: skip
        target = scope.any(place)
        assert isinstance(target, TRead)
        if isinstance(value, nodes.NoneWord) and not slot.sort.optional and name in symbols.entries:
            raise symbols.never_none(name, value.span)
        term = scope.computable(self._held(name, slot.sort, value, scope))
        scope.computable(target)
        atoms = tuple(block.builder.atom(arg) for arg in target.args)
        below, above = term.sort.lowest < slot.sort.lowest, term.sort.high > slot.sort.high
        expr = block.builder.value(term)
        block.flush(span)
        key = (name, atoms)
        if key in block.assigned and not self.in_setup:
            raise symbols.reject(place.span, f'"{place.span.text}" is assigned twice in the same round',
                                 self._way_out(block.assigned[key], place.span, block))  # fmt: skip
        block.assigned[key] = place.span
        block.effects.append(Assign(name, atoms, expr, below, above, span))

    def _turn_to(self, span: Span, who: nodes.Expr, scope: Scope, block: Block) -> None:
        symbols, player = scope.symbols, scope.symbols.sorts["player"]
        if self.in_setup:
            raise symbols.reject(span, "“turn to” is allowed only in moves", "in setup write  mover := …")
        term = scope.computable(scope.argument(who, player, "turn to"))
        atom = block.builder.atom(term)
        block.flush(span)
        self._give_turn(TurnTo(atom, span), symbols, block)

    def _give_turn(self, effect: Again | TurnTo, symbols: Symbols, block: Block) -> None:
        """Takes note of who moves next; `again` may stand beside `again`."""
        key = AGAIN if isinstance(effect, Again) else TURN_TO
        given = block.assigned.get(TURN_TO) or (block.assigned.get(AGAIN) if key == TURN_TO else None)
        if given is not None:
            raise symbols.reject(effect.span, "the turn is given twice in the same round",
                                 self._way_out(given, effect.span, block))  # fmt: skip
        block.assigned[key] = effect.span
        block.effects.append(effect)

    def _held(self, name: str, sort: Sort, value: nodes.Expr, scope: Scope) -> Term:
        """A value that a state is given; raises `Rejected` where it can never hold it."""
        symbols = scope.symbols
        term = scope.term(value, sort)
        if not same_kind(term.sort, sort):
            raise symbols.reject(value.span, f'"{name}" holds {kind_of(sort)}, not {kind_of(term.sort)}')
        if (term.sort.low > sort.high or term.sort.high < sort.lowest) and symbols.as_written:
            label = term.sort.label(term.value) if isinstance(term, TConst) else str(term.sort)
            raise symbols.reject(value.span, f'"{name}" holds {sort}, never {label}')
        return _storable(scope, term, sort)

    def _push(self, span: Span, value: nodes.Expr, onto: nodes.Name | nodes.Call, scope: Scope, block: Block) -> None:
        slot, args = scope.stack(onto)
        if isinstance(value, nodes.NoneWord):
            raise scope.symbols.reject(value.span, f'"{slot.name}" holds {kind_of(slot.sort.sure)}, never none')
        term = self._held(slot.name, slot.sort.sure, value, scope)
        term = scope.computable(scope.narrow(term, term.sort.sure))
        for arg in args:
            scope.computable(arg)
        below, above = term.sort.low < slot.sort.low, term.sort.high > slot.sort.high
        atoms = tuple(block.builder.atom(arg) for arg in args)
        expr = block.builder.value(term)
        block.flush(span)
        block.effects.append(Push(slot.name, atoms, expr, below, above, span))

    def _take(self, node: nodes.Take, scope: Scope, block: Block) -> None:
        symbols = scope.symbols
        slot, args = scope.stack(node.stack)
        target, onto_args = scope.stack(node.onto) if node.onto is not None else (None, ())
        if node.onto is not None and target is not None and not _fits(slot.sort, target.sort):
            raise symbols.reject(node.onto.span, f'"{target.name}" holds {kind_of(target.sort.sure)}, '
                                 f"not {kind_of(slot.sort.sure)}")  # fmt: skip
        count = scope.number(node.count)
        if count.sort.high < 0:
            raise symbols.reject(node.count.span, "less than nothing cannot be taken", "the number is 0 or more")
        count = scope.computable(scope.narrow(count, replace(count.sort, low=max(0, count.sort.low))))
        for arg in (*args, *onto_args):
            scope.computable(arg)
        atoms, onto_atoms = (tuple(block.builder.atom(arg) for arg in those) for those in (args, onto_args))
        number = block.builder.atom(count)
        block.flush(node.span)
        onto = None if target is None else target.name
        block.effects.append(Take(slot.name, atoms, number, onto, onto_atoms, node.span))

    def _way_out(self, first: Span, second: Span, block: Block) -> str:
        """The hint for a place that gets two values in one round: where the first one is, and where the second
        belongs."""
        if first == second and self.inside:
            return f'the effect "{self.inside[-1]}" is used twice in this round; put the second use under  then'
        where = f"the first assignment is in line {first.line}; " if self.inside else ""
        if block.later:
            return f"{where}put what happens afterwards under another  then, below this one"
        return f"{where}put what happens afterwards under  then"

    def _if(
        self, span: Span, test: nodes.Expr, then: tuple[nodes.Statement, ...],
        otherwise: tuple[nodes.Statement, ...], scope: Scope, block: Block,
    ) -> None:  # fmt: skip
        cond = scope.computable(scope.cond(test))
        sides = []
        for body, holds in ((then, True), (otherwise, False)):
            inner, inner_scope = block.inner(), scope.inner()
            inner_scope.ranges = scope.ranges.where(cond, holds)
            self.statements(body, inner_scope, inner)
            inner.flush(span)
            sides.append(inner)
        block.assigned |= sides[0].assigned | sides[1].assigned
        if isinstance(cond, CTruth):  # decided by the options: only one side is left
            block.effects += sides[0 if cond.holds else 1].effects
            return
        tester = block.builder.inner()
        tester.cond(cond)
        block.effects.append(When(tester.body(), tuple(sides[0].effects), tuple(sides[1].effects), span))

    def _ways(self, scope: Scope, block: Block, binders: Sequence[tuple[Var, TSet]], where: Cond) -> Body:
        """All ways to choose the variables of `for` or `pick`; they are then known in the block."""
        scope.ranges = scope.ranges.choosing(binders)
        cond = scope.computable(where)
        scope.ranges = scope.ranges.where(cond)
        block.builder.choose(list(binders), [Pending(c) for c in conjuncts(cond)])
        body = block.builder.body()
        block.builder.steps.clear()
        return body

    def _call(self, call: nodes.Call, scope: Scope, block: Block) -> None:
        symbols, name = scope.symbols, call.name
        if name not in symbols.effects:
            hint = symbols.unknown(name, [*symbols.effects, *symbols.slots, "again"])
            if name in symbols.slots:
                hint = f"a state variable is assigned:  {call.span.text} := …"
            raise symbols.reject(call.span.first(len(name)), f'there is no effect "{name}"', hint)
        if name in self.inside:
            raise symbols.reject(
                call.span,
                f'the effect "{name}" depends on itself',
                "to do something several times, write  for  or  again",
            )
        self.calls += 1
        if self.calls > CALL_LIMIT + 1:
            raise Rejected
        if self.calls > CALL_LIMIT:
            raise symbols.reject(
                call.span,
                f"the effects of this move use more than {CALL_LIMIT} named effects",
                "call fewer, or write their lines in the move",
            )
        symbols.written.add(name)
        effect = symbols.effects[name]
        wanted = len(effect.params)
        if len(call.args) != wanted:
            raise symbols.reject(call.span, f'the effect "{name}" takes {wanted} argument{"s" * (wanted != 1)}, '
                                 f"not {len(call.args)}")  # fmt: skip
        inner = Scope(symbols, scope.names, place=scope.place, ranges=scope.ranges)
        for param, sort, arg in zip(effect.params, _param_sorts(inner, effect), call.args, strict=True):
            term = scope.computable(scope.argument(arg, sort, name))
            inner.locals[param.name] = known = self._known(term, block)
            if isinstance(known, TVar):
                inner.ranges = inner.ranges.letting(known.var, term)
            inner.declare(param, sort)
        block.flush(call.span)
        self.inside = (*self.inside, name)
        self.statements(effect.body, inner, block)
        self.inside = self.inside[:-1]

    def _known(self, term: Term, block: Block) -> Term:
        """The value of an argument as it is now, for use in later rounds too."""
        atom = block.builder.atom(term)
        if isinstance(atom, Const):
            return TConst(atom.value, atom.sort)
        block.builder.bound.add(atom)
        return TVar(atom)


def _fits(own: Sort, other: Sort) -> bool:
    """Can all that lies on one stack lie on another, too?"""
    return same_kind(own, other) and other.low <= own.low and own.high <= other.high


def _storable(scope: Scope, term: Term, sort: Sort) -> Term:
    """The value as a state holds it; `none` and numbers below the lowest are not taken for each other."""
    own = term.sort
    if own.optional and own.none != sort.none:
        return scope.narrow(term, sort if sort.optional else own.sure)
    if sort.optional and not own.optional and own.low < sort.low:
        return scope.narrow(term, replace(own, low=sort.low))
    return term


def _param_sorts(scope: Scope, effect: nodes.Effect) -> list[Sort]:
    """The types of the parameters of a named effect."""
    found = []
    for param in effect.params:
        sort = scope.sort_of(param)
        if isinstance(sort, SetSort):
            raise scope.symbols.reject(
                param.span,
                "a parameter is a single value, not a set",
                "for example:  move go(from: cell, to in targets(from))",
            )
        found.append(sort)
    return found


def check_unused(symbols: Symbols) -> None:
    """Reports the mistakes in named effects that are called nowhere."""
    for name, effect in symbols.effects.items():
        if name in symbols.written:
            continue
        symbols.written.add(name)
        scope = Scope(symbols, place="do")
        try:
            for param, sort in zip(effect.params, _param_sorts(scope, effect), strict=True):
                scope.bind(nodes.Name(param.span, param.name), sort)
        except Rejected:
            continue
        params = {term.var for term in scope.locals.values() if isinstance(term, TVar)}
        builder = Builder(symbols, scope.names, name, params)
        writer = Writer([Block(builder)], inside=(name,))
        writer.statements(effect.body, scope, writer.rounds[0])


def write(
    body: tuple[nodes.Statement, ...], scope: Scope, builder: Builder, in_setup: bool = False
) -> tuple[Effects, ...]:
    """The rounds of effects of a block of statements."""
    writer = Writer([Block(builder)], in_setup)
    writer.statements(body, scope, writer.rounds[0])
    return tuple(tuple(block.effects) for block in writer.rounds)
