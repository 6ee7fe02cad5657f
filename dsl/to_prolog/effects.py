"""Effects as goals.

A move's effects become a patch: a difference list of byte, value, byte, value, …, which is what Python gets and what
patched/4 of prolog/runtime.pl applies.  The setup's effects happen one after another, on a state that is changed in
place.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import assert_never

from pysolve.dsl.model import (
    Again,
    Assign,
    Atom,
    Body,
    Compute,
    Const,
    Each,
    Effects,
    EffectStep,
    Find,
    ForAll,
    Get,
    Let,
    Op,
    Pick,
    Push,
    Repeat,
    Slot,
    Take,
    TurnTo,
    When,
    all_effects,
    body_vars,
)
from pysolve.dsl.model.properties import reads_position
from pysolve.dsl.to_prolog.clause import Clause, counted_loop, slot_number, total
from pysolve.dsl.to_prolog.terms import (
    NIL,
    TRUE,
    Goal,
    Term,
    bracketed,
    call,
    choice,
    clause,
    equal,
    findall,
    forall,
    infix,
    items,
    let,
)
from pysolve.dsl.to_prolog.text import quoted


@dataclass
class Patch:
    """Writes effects as a difference list of byte, value, byte, value, …

    What the rules do not allow is an error that names the line.  Where a patch `fails` instead, others are asked for
    the reason; but it does not where solutions are collected, because one less would not be noticed.
    """

    clause: Clause
    fails: bool = False

    def round(self, effects: Effects, first: Term, last: Term, codes: Iterable[Term] = ()) -> list[Goal]:
        """The goals of a whole round: what is done with stacks, one after the other, is found at its end."""
        if not any(isinstance(effect, Push | Take) for effect in all_effects(effects)):
            return self.goals(effects, first, last, codes)
        done, after = self.clause.fresh("done"), self.clause.fresh("w")
        self.clause.whole = True
        goals = self.goals(effects, done, NIL)
        codes = list(codes)
        begun = equal(first, items(codes, after) if codes else after)
        return [*goals, begun, call("stacked", [self.clause.state, done, after, last])]

    def goals(self, effects: Effects, first: Term, last: Term, codes: Iterable[Term] = ()) -> list[Goal]:
        """Goals that put codes and then the changes between the open lists `first` and `last`."""
        goals: list[Goal] = []
        at, codes = first, list(codes)
        left = sum(not isinstance(e, Compute) for e in effects)
        for effect in effects:
            if isinstance(effect, Compute):
                goals += self._computed((effect,))
                continue
            left -= 1
            if isinstance(effect, Assign | Again | TurnTo | Push | Take):
                more, spelled = self._written(effect)
                goals += more
                codes += spelled
                continue
            if codes:  # what follows is written elsewhere
                after = self.clause.fresh("w")
                goals.append(equal(at, items(codes, after)))
                at, codes = after, []
            end = last if left == 0 else self.clause.fresh("w")
            goals += self._effect(effect, at, end)
            at = end
        if codes:
            goals.append(equal(at, items(codes, last)))
        elif at != last:
            goals.append(equal(at, last))
        return goals

    def _nested(self, effects: Effects, first: Term, last: Term) -> list[Goal]:
        """The goals of effects that may not happen: what they read is not known afterwards."""
        has_read = dict(self.clause.has_read)
        goals = self.goals(effects, first, last)
        self.clause.has_read = has_read
        return goals

    def _computed(self, effects: Effects) -> list[Goal]:
        goals: list[Goal] = []
        for effect in effects:
            if isinstance(effect, Compute):
                inner = self.clause.goals(effect.body)
                safe = self.fails or all(isinstance(step, (Get, Let)) or total(self.clause.game, step)
                                         for step in effect.body)  # fmt: skip
                goals += inner if safe or not inner else [_or_error(inner, effect.span.line)]
        return goals

    def _effect(self, effect: EffectStep, at: Term, after: Term) -> list[Goal]:
        clause = self.clause
        match effect:
            case When(test, then, otherwise, _):
                condition = clause.nested(test)
                return [choice(condition, self._nested(then, at, after), self._nested(otherwise, at, after))]
            case ForAll(body, effects, _) if (loop := counted_loop(clause.game, body)) is not None:
                before, each, tests = loop
                return [*clause.goals(before), *self._loop(each, tests, effects, at, after)]
            case ForAll(body, effects, _):
                has_read = dict(clause.has_read)
                goals = clause.goals(body)
                one, every = clause.fresh("change"), clause.fresh("changes")
                inner = [*goals, *Patch(clause).goals(effects, one, NIL)]
                clause.has_read = has_read
                return [findall(one, inner, every), call("joined", [every, at, after])]
            case Assign() | Push() | Take() | Again() | TurnTo() | Compute() | Pick() | Repeat():
                raise AssertionError("written elsewhere")
        assert_never(effect)

    def _assign(self, effect: Assign) -> tuple[list[Goal], list[Term]]:
        """Goals that compute what is assigned, and the codes of the change."""
        slot = self.clause.game.slots[effect.slot]
        value, goals = assigned(self.clause, effect, self.fails)
        where, more = self.byte(slot, effect.args)
        writing, codes = self.write(slot, where, value)
        return [*goals, *more, *writing], codes

    def _written(self, effect: Assign | Again | TurnTo | Push | Take) -> tuple[list[Goal], list[Term]]:
        """Goals for the value of one place, and the codes of the change.

        What is done with a stack is one code, until the end of the round.
        """
        if isinstance(effect, Push | Take):
            goals, done = with_stack(self.clause, effect, self.fails)
            return goals, [done]
        if isinstance(effect, Assign):
            return self._assign(effect)
        if isinstance(effect, Again) and self.clause.game.alternating:
            return [], self._again()
        who = self.clause.slot("mover") if isinstance(effect, Again) else self.clause.atom(effect.player)
        return [], [*spell(self.clause, 0, self.clause.game.size)[0], who]

    def _again(self) -> list[Term]:
        """The codes that leave the turn where it is."""
        size, kept = self.clause.game.size, self.clause.game.slots.get("again")
        codes = [*spell(self.clause, 0, size)[0], self.clause.slot("mover")]
        if kept:
            codes += [*spell(self.clause, kept.offset, size)[0], 1]
        return codes

    def _loop(self, each: Each, tests: Body, effects: Effects, at: Term, after: Term) -> list[Goal]:
        """The effects for each number in turn, by a predicate that calls itself with the next."""
        own = self.clause
        low, high = own.atom(each.low), own.atom(each.high)
        inner = own.inner()
        line, effects, source_line = self._along(each, tests, effects)
        outside = [v for v in body_vars((tests, effects)) if v in own.names and v != each.var]  # type: ignore[arg-type]
        args = [inner.name(v, v.name) for v in outside]
        number, last = inner.var(each.var), inner.fresh("last")
        first, middle, end, following = (inner.fresh(w) for w in ("w0", "w1", "w", "following"))
        opened: list[Goal] = []
        cells, rest = list[str](), list[str]()
        if line:
            cells, rest = [inner.fresh("line")], [inner.fresh("rest")]
            cell = inner.var(line.args[-1])  # type: ignore[arg-type]
            opened = [equal(cells[0], items([cell], rest[0]))]
            opened = opened if self.fails else [_or_error(opened, source_line)]
        goals = Patch(inner, self.fails).goals(effects, first, middle)
        if tests:
            goals = [choice(inner.goals(tests), goals, [equal(first, middle)])]
        name = own.helper_name("each")
        state, mine, opening = own._handed_on(inner)
        go_on = call(name, [*rest, following, last, *state, *args, middle, end])
        body = choice([infix(number, ">", last)], [equal(first, end)],
                      [*opened, *goals, let(following, infix(number, "+", 1)), go_on])  # fmt: skip
        own.helpers += inner.helpers
        head = call(name, [*cells, number, last, *state, *args, first, end])
        own.helpers.append(clause(head, [*opening, body]))
        before, given = own.line(line) if line else ([], [])
        return [*before, call(name, [*given, low, high, *mine, *map(own.var, outside), at, after])]

    def _along(self, each: Each, tests: Body, effects: Effects) -> tuple[Find | None, Effects, int]:
        """A look-up at the beginning of the effects that goes along a line; the effects without it, and its line."""
        match effects:
            case (Compute(body, span), *others) if not tests and isinstance(each.low, Const) and each.low.value == 1:
                line, rest = self.clause.along(each.var, body)
                if line:
                    return line, (*((Compute(rest, span),) if rest else ()), *others), span.line
        return None, effects, 0

    def byte(self, slot: Slot, args: tuple[Atom, ...]) -> tuple[Term, list[Goal]]:
        """The byte of a place, with the goals that compute it."""
        clause = self.clause
        if all(isinstance(a, Const) for a in args):
            return slot.offset + slot.width * slot.index(a.value for a in args if isinstance(a, Const)), []
        if len(args) == 1 and slot.width == 1 and slot.offset == slot.params[0].low:
            return clause.atom(args[0]), []
        at = clause.fresh("byte")
        flat = clause.flat(slot, args)
        if len(args) == 1 and slot.width == 1:
            shift = slot.offset - slot.params[0].low
            return at, [let(at, infix(clause.atom(args[0]), "+", shift))]
        return at, [let(at, infix(slot.offset, "+", infix(bracketed(flat), "*", slot.width)))]

    def write(self, slot: Slot, where: Term, value: Term) -> tuple[list[Goal], list[Term]]:
        """The codes of one change, with the goals that compute them; wide values and large boards take two bytes."""
        clause, goals = self.clause, list[Goal]()
        if slot.shift:
            goals.append(let(shifted := clause.fresh("shifted"), infix(value, "+", slot.shift)))
            value = shifted
        if slot.width == 1:
            spot, more = spell(clause, where, clause.game.size)
            return [*goals, *more], [*spot, value]
        high, low, next_ = clause.fresh("high"), clause.fresh("low"), clause.fresh("following")
        goals += [*digits(value, high, low), let(next_, infix(where, "+", 1))]
        spot, more = spell(clause, where, clause.game.size)
        spot2, more2 = spell(clause, next_, clause.game.size)
        return [*goals, *more, *more2], [*spot, high, *spot2, low]


@dataclass
class Setup:
    """Writes the effects of the setup: they happen one after another, on a state that is changed in place."""

    clause: Clause

    def sequence(self, effects: Effects) -> list[Goal]:
        """The goals that carry out effects in order; `true` if there are none."""
        return [goal for effect in effects for goal in self._happens(effect)] or [TRUE]

    def _happens(self, effect: EffectStep) -> list[Goal]:
        clause = self.clause
        match effect:
            case Compute(body, span):
                goals = clause.goals(body)
                return [_or_error(goals, span.line)] if goals else []
            case Assign(name, args):
                slot = clause.game.slots[name]
                value, goals = assigned(clause, effect)
                if not slot.params:
                    return [*goals, call("nb_setarg", [slot_number(clause.game, slot), "S", value])]
                where, before, _ = clause.index(slot, args, False)
                return [*goals, *before, call("nb_setarg", [where, clause.holder(slot), value])]
            case Push() | Take():
                goals, done = with_stack(clause, effect)
                return [*goals, call("stacked_now", [clause.state, done])]
            case When(test, then, otherwise, _):
                return [choice(clause.goals(test), self.sequence(then), self.sequence(otherwise))]
            case ForAll(body, effects, _):
                return self._for_all(body, effects)
            case Pick(var, body, span):
                found = clause.fresh("found")
                item = clause.var(var)
                return [findall(item, clause.goals(body), found), call("pick", ["R", found, span.line, item])]
            case Repeat(times, effects, _):
                return [forall([call("between", [1, clause.atom(times), "_"])], self.sequence(effects))]
            case Again() | TurnTo():
                raise AssertionError("the setup has no turn")
        assert_never(effect)

    def _for_all(self, body: Body, effects: Effects) -> list[Goal]:
        """The effects for every way that there is before the first of them happens."""
        ways = self.clause.goals(body)
        if not reads_position(body):
            return [forall(ways, self.sequence(effects))]
        changing = body_vars(effects)  # type: ignore[arg-type]
        way = call("way", [self.clause.var(v) for v in body_vars(body) if v in changing])
        every = self.clause.fresh("ways")
        return [findall(way, ways, every), forall([call("member", [way, every])], self.sequence(effects))]


def _or_error(goals: list[Goal], line: int) -> Goal:
    """The goals once; if they fail, it is an error of that line."""
    return choice(goals, [TRUE], [call("impossible", [line])])


def with_stack(clause: Clause, effect: Push | Take, fails: bool = False) -> tuple[list[Goal], Term]:
    """The stack after an effect, as a term, and the goals that compute its values."""
    line = effect.span.line
    stack, goals = _stack(clause, effect.slot, effect.args)
    if isinstance(effect, Push):
        value, more = assigned(clause, effect, fails)
        return [*goals, *more], call("push", [value, stack, line])
    count = clause.atom(effect.count)
    if effect.onto is None:
        return goals, call("drop", [count, stack, line])
    onto, more = _stack(clause, effect.onto, effect.onto_args)
    return [*goals, *more], call("take", [count, stack, onto, line])


def _stack(clause: Clause, name: str, args: tuple[Atom, ...]) -> tuple[Term, list[Goal]]:
    """A stack as stacked/4 of prolog/runtime.pl takes it, and the goals that compute its place among those of a slot.

    It is: its place from 0, and the argument of the slot in state/N, behind which are those of the height and of what
    lies in the stacks; the bytes where the three begin; the largest height; what is added to a value to make it a byte.
    """
    game, goals = clause.game, list[Goal]()
    slot = game.slots[name]
    parts = slot.stack
    assert parts is not None
    place = clause.flat(slot, args)
    if not isinstance(place, int):
        at = clause.fresh("place")
        goals.append(let(at, place))
        place = at
    height, items = game.slots[parts.height], game.slots[parts.items]
    facts = (slot_number(game, slot), slot.offset, height.offset, items.offset, parts.most, slot.shift)
    return call("stack", [place, *facts, call(quoted(parts.height)), slot.sort.none]), goals


def assigned(clause: Clause, effect: Assign | Push, fails: bool = False) -> tuple[Term, list[Goal]]:
    """The value of an assignment, with the goals that compute it and refuse it, or fail, if it is out of range."""
    goals: list[Goal] = []
    value = clause.expr(effect.value)
    if isinstance(effect.value, Op):
        result = clause.fresh(effect.slot)
        goals.append(let(result, value))
        value = result
    if effect.checked:
        sort = clause.game.slots[effect.slot].sort
        sort = sort.sure if isinstance(effect, Push) else sort
        if fails:
            goals += [infix(value, ">=", sort.lowest)] * effect.below + [infix(value, "=<", sort.high)] * effect.above
        else:
            place = call(quoted(effect.slot)), effect.span.line
            goals.append(call("in_range", [value, sort.lowest, sort.high, *place]))
    return value, goals


def spell(clause: Clause, number: Term, limit: int) -> tuple[list[Term], list[Goal]]:
    """A number as bytes below 255: one, or two where numbers reach `limit`."""
    if limit <= 255:
        return [number], []
    if isinstance(number, int):
        return [number // 255, number % 255], []
    high, low = clause.fresh("high"), clause.fresh("low")
    return [high, low], digits(number, high, low)


def digits(number: Term, high: str, low: str) -> list[Goal]:
    """Goals for the two bytes of a number."""
    return [let(high, infix(number, "//", 255)), let(low, infix(number, "mod", 255))]
