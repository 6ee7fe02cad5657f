"""Proofs that a game stays the same when its values are renamed.

In: a game after all passes, and a renaming: a permutation of the values of each named type, and of state variables.
Out: whether each of its parts is then another of its parts, up to the order of what may be exchanged; and which kind of
moves becomes which.

What is proved of two bodies A and B is: the ways to carry A out in a position are, renamed, the ways to carry B out in
the renamed position.  A variable of A belongs to one of B, and `Act` says what becomes of its values: by its type, or,
where a number comes from a table, as a column of a cell does, by what the table has for the renamed cell.  Every step
is proved from its parts:

    does not read the position   its rows, renamed, are those of the other (dsl/analysis/relations.py)
    reads a place                the renamed place is read, the value renamed
    has bodies                   these are proved; which of several has which place does not matter
    counts, adds                 the ways belong to each other; a number that is added stays what it is
    takes the first              only where nothing that is chosen is renamed
    asks a rule                  the rules are proved, once for each way to rename their parameters

Whatever is not proved so is refused, true or not.  So is what takes more than `MOST_TRIED` comparisons, and what is
left when the proofs of one search have done `MOST_WORK` together.

The order of moves may change; nothing depends on it but the choice among moves of the same value.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import permutations
from typing import Any, Literal, assert_never

from pysolve.dsl.analysis.relations import Line, Link, Part, Relation, Relations, Row
from pysolve.dsl.frozen import frozen
from pysolve.dsl.language.functions import NEXT, OPPONENT
from pysolve.dsl.model import (
    INT,
    Action,
    Again,
    Among,
    Ask,
    Assign,
    Atom,
    Body,
    Choose,
    Collect,
    Compute,
    Const,
    Contest,
    Demand,
    Distance,
    Effects,
    EffectStep,
    Either,
    Ending,
    Exists,
    Expr,
    Fold,
    ForAll,
    Game,
    Get,
    Let,
    Member,
    Mobility,
    Not,
    Op,
    Pay,
    Pick,
    Possible,
    Preferred,
    Push,
    Reach,
    Repeat,
    Result,
    SetSort,
    Sort,
    Step,
    Take,
    Test,
    TurnTo,
    Var,
    Walk,
    When,
    Winner,
    all_effects,
    all_steps,
    asked_steps,
    body_vars,
    effect_bodies,
    tables_asked,
)
from pysolve.dsl.model.properties import bound, chosen, free_vars, reads_position
from pysolve.dsl.passes.evaluation import variables

MOST_TRIED = 30_000  # comparisons of two parts for one proof
MOST_WORK = 3_000_000  # rows of relations that all proofs of one search compare
COMPARISON = 10  # rows that a comparison of two parts takes as long as
MOST_ORDERS = 24  # of the variables of a relation

Act = Mapping[int, int] | None  # what becomes of values; None: they stay
COMMUTING = {"+", "*", "=", "!=", "min", "max"}


class Undecided(Exception):
    """A proof takes too long."""


@dataclass
class Budget:
    """The work that several proofs may do together."""

    left: int = field(default_factory=lambda: MOST_WORK)

    @property
    def is_spent(self) -> bool:
        return self.left < 0

    def spend(self, work: int) -> None:
        """Raises `Undecided` where nothing is left."""
        self.left -= work
        if self.is_spent:
            raise Undecided


@frozen
class Renaming:
    """What becomes of the values of each named type, and of state variables; those that are missing stay."""

    values: Mapping[str, Act]
    slots: Mapping[str, str]

    def of(self, sort: Sort | SetSort) -> Act:
        """What becomes of the values of a type."""
        return self.values.get(sort.of.name if isinstance(sort, SetSort) else sort.name)

    def names(self, sort: Sort | SetSort) -> bool:
        """Does the type alone say what becomes of a value?  A number may be anything that a table makes of it."""
        return bool((sort.of if isinstance(sort, SetSort) else sort).labels)


@frozen
class Kind:
    """What becomes of a kind of moves, and of the values of its parameters."""

    name: str
    acts: tuple[Act, ...]


@dataclass(frozen=True)
class Env:
    """Which variable belongs to which, with what becomes of its values."""

    to: Mapping[Var, tuple[Var, Act]] = field(default_factory=dict)
    back: Mapping[Var, Var] = field(default_factory=dict)

    def bind(self, a: Var, b: Var, act: Act) -> Env | None:
        """With one pair more; None where one of them belongs to another already."""
        if a in self.to:
            return self if self.to[a] == (b, act) else None
        if b in self.back:
            return None
        return Env({**self.to, a: (b, act)}, {**self.back, b: a})


def image(act: Act, value: int) -> int | None:
    """What becomes of a value; None where that is not known."""
    return value if act is None else act.get(value)


class Proof:
    """Proofs about one renaming of one game, which has been prepared."""

    def __init__(
        self, game: Game, renaming: Renaming, relations: Relations, budget: Budget,
        kinds: Mapping[str, Kind] | None = None,
    ):  # fmt: skip
        """`kinds` says what becomes of the kinds of moves, where that is proved already."""
        self.game, self.renaming, self.relations, self.budget = game, renaming, relations, budget
        self.kinds: dict[str, Kind] = dict(kinds or {})
        self._live = False
        self._tried = 0
        self._rules: dict[object, tuple[bool, Act]] = {}
        self._assumed: set[tuple[str, str]] = set()  # what bodies ask of kinds that are not proved yet
        self._computed: dict[int, Fold] = {}
        self._same_rows: dict[tuple[object, ...], bool] = {}

    # ---------------------------------------------------------------------------------- the whole game

    def of_play(self) -> bool:
        """Are moves, turns, ends and results the same?  Then `kinds` says what becomes of the kinds of moves."""
        try:
            return self._turns() and self._actions() and self._endings() and self._result(self.game.stuck) and (
                self.game.out is None or self._same_rule(self.game.out, self.game.out))  # fmt: skip
        except Undecided:
            return False

    def of_evaluation(self) -> bool:
        """Are the lines of `evaluate` the same?  It needs to be known what becomes of the kinds of moves."""
        terms = list(self.game.terms)
        try:
            for term in self.game.terms:
                only = None if term.only is None else image(self.renaming.values.get("player"), term.only)
                found = next((other for other in terms if (other.weight, other.only) == (term.weight, only)
                              and self._same_rule(term.rule, other.rule)), None)  # fmt: skip
                if found is None:
                    return False
                terms.remove(found)
        except Undecided:
            return False
        return True

    def of_setup(self) -> bool:
        """Are the effects of the setup the same, one after the other?

        Unlike those of moves, each reads what those before it have written.
        """
        self._live = True
        try:
            return self._first_values() and self._some(self._effects(self.game.setup, self.game.setup, Env()))
        except Undecided:
            return False

    def _first_values(self) -> bool:
        """Does each place begin with the image of what its original begins with?  Player 1 is the mover in any case,
        which matters only where the setup asks for the mover."""
        asked = {step.slot for step in asked_steps(self.game, self._setup_steps()) if isinstance(step, Get)}
        return all(
            image(self.renaming.of(slot.sort), slot.default)
            == self.game.slots[self.renaming.slots.get(slot.name, slot.name)].default
            for slot in self.game.slots.values() if slot.name != "mover" or slot.name in asked
        )  # fmt: skip

    def _setup_steps(self) -> Iterator[Step]:
        for effect in all_effects(self.game.setup):
            for body in effect_bodies(effect):
                yield from all_steps(body)

    def _turns(self) -> bool:
        """Does the turn pass on alike?  And who sees what: the rules for that must be the same."""
        players = self.game.players
        act = self.renaming.values.get("player")
        after = {p: p % players.high + 1 for p in players.values()}
        if any(image(act, after[p]) != after[image(act, p) or 0] for p in players.values()):
            return False
        for name in {NEXT, OPPONENT} & tables_asked(self.game):
            rows = self.game.tables[name].rows
            if {tuple(image(act, value) for value in row) for row in rows} != set(rows):
                return False
        for slot in self.game.slots.values():
            other = self.game.slots[self.renaming.slots.get(slot.name, slot.name)]
            if bool(slot.seen) != bool(other.seen) or (slot.seen and not self._same_rule(slot.seen, other.seen)):
                return False
        return True

    def _actions(self) -> bool:
        left = list(self.game.actions)
        for action in self.game.actions:
            for other in sorted(left, key=lambda one: one.name != action.name):
                kind = self._action(action, other)
                if kind is not None:
                    self.kinds[action.name] = kind
                    left.remove(other)
                    break
            else:
                return False
        return all(self.kinds[a].name == b for a, b in self._assumed)

    def _action(self, a: Action, b: Action) -> Kind | None:
        if (a.chance, len(a.params), len(a.after), len(a.rounds)) != (
            b.chance, len(b.params), len(b.after), len(b.rounds)
        ):  # fmt: skip
            return None
        if _seen(a) != _seen(b):
            return None
        for env in self._body(self.relations.body(a), self.relations.body(b), Env(), a.params, b.params):
            pairs = [env.to.get(param) for param in a.params]
            if [pair and pair[0] for pair in pairs] != list(b.params):
                continue
            acts = tuple(pair[1] for pair in pairs if pair is not None)
            numbers = self._same_number(a.worth, b.worth, acts) and self._same_number(a.weight, b.weight, acts)
            if numbers and self._does(a, b, Env(dict(zip(a.params, zip(b.params, acts, strict=True), strict=True)),
                                    dict(zip(b.params, a.params, strict=True)))):  # fmt: skip
                return Kind(b.name, acts)
        return None

    def _same_number(self, a: str | None, b: str | None, acts: tuple[Act, ...]) -> bool:
        """Does a rule, if there is one, give moves the number that the other gives their images?"""
        if a is None or b is None:
            return a is b
        return self._rule(a, b, acts) == (True, None)

    def _becomes(self, a: str, b: str) -> bool:
        """Does a kind of moves become the other one?  What is not known yet is assumed, and looked up later."""
        if a in self.kinds:
            return self.kinds[a].name == b
        self._assumed.add((a, b))
        return True

    def _does(self, a: Action, b: Action, env: Env) -> bool:
        """Are the effects of a move, and what is demanded after it, the same?"""
        for one, other in zip(a.rounds, b.rounds, strict=True):
            found = next(self._effects(one, other, env), None)
            if found is None:
                return False
            env = found
        left: list[Demand] = list(b.after)
        for demand in a.after:
            same = next((one for one in left if self._some(self._body(demand.body, one.body, env))), None)
            if same is None:
                return False
            left.remove(same)
        return True

    def _endings(self) -> bool:
        """The first ending that holds counts, so their order must stay, but for some of which only one can hold."""
        found: list[int] = []
        for ending in self.game.endings:
            others = [i for i, other in enumerate(self.game.endings) if i not in found and self._ending(ending, other)]
            if not others:
                return False
            found.append(others[0])
        ends = self.game.endings
        return all(
            found[i] < found[j] or _exclusive(ends[i], ends[j])
            for i in range(len(found)) for j in range(i + 1, len(found))
        )  # fmt: skip

    def _ending(self, a: Ending, b: Ending) -> bool:
        if (a.repeated, a.turns) != (b.repeated, b.turns):
            return False
        if {self.renaming.slots.get(name, name) for name in a.ignoring} != set(b.ignoring):
            return False
        outside = [tuple(body_vars((one.result,))) for one in (a, b)]  # type: ignore[arg-type]
        return any(self._result_of(a.result, b.result, env) for env in self._body(a.body, b.body, Env(), *outside))

    def _result(self, result: Result | None) -> bool:
        return result is None or self._result_of(result, result, Env())

    def _result_of(self, a: Result, b: Result, env: Env) -> bool:
        match a, b:
            case Winner(None, role, loses), Winner(None, other, also):
                return (role, loses) == (other, also)
            case Winner(player, _, loses), Winner(other, _, also) if player is not None and other is not None:
                return loses == also and self._atom(player, other, self._players, env) is not None
            case Contest(rankings, otherwise, ranks), Contest(others, behind, also):
                return (
                    ranks == also
                    and [kind for kind, _ in rankings] == [kind for kind, _ in others]
                    and all(self._same_rule(one, two) for (_, one), (_, two) in zip(rankings, others, strict=True))
                    and (otherwise is None) == (behind is None)
                    and (otherwise is None or behind is None or self._result_of(otherwise, behind, env))
                )
            case Pay(rule, most), Pay(other, also):
                return most == also and self._same_rule(rule, other)
        return False

    @property
    def _players(self) -> Act:
        return self.renaming.values.get("player")

    # ------------------------------------------------------------------------------------------ rules

    def _same_rule(self, a: str, b: str) -> bool:
        """Has a rule of named parameters the same number for renamed ones, or does it hold alike?"""
        params = self.game.rules[a].params
        proved, act = self._rule(a, b, tuple(self.renaming.of(param.sort) for param in params))
        return proved and act is None

    def _rule(self, a: str, b: str, acts: tuple[Act, ...]) -> tuple[bool, Act]:
        """Is a rule another one, where its parameters are renamed?  And what becomes of its result."""
        key = a, b, tuple(_key(act) for act in acts)
        if key not in self._rules:
            self._rules[key] = self._proved_rule(a, b, acts)
        return self._rules[key]

    def _proved_rule(self, a: str, b: str, acts: tuple[Act, ...]) -> tuple[bool, Act]:
        one, other = self.game.rules[a], self.game.rules[b]
        if len(one.params) != len(other.params) or (one.result is None) != (other.result is None):
            return False, None
        env: Env | None = Env()
        for x, y, act in zip(one.params, other.params, acts, strict=True):
            env = env and env.bind(x, y, act)
        if env is None:
            return False, None
        if one.result is None or other.result is None:
            return self._some(self._body(one.body, other.body, env)), None
        for found in self._body(one.body, other.body, env, (one.result,), (other.result,)):
            if not self._in_order(one.body, other.body, found):
                continue
            match one.result, other.result:
                case Var() as x, Var() as y if found.to.get(x, (None,))[0] == y:
                    return True, found.to[x][1]
                case Const(value, sort), Const(also) if image(self.renaming.of(sort), value) == also:
                    return True, self.renaming.of(sort)
        return False, None

    # ----------------------------------------------------------------------------------------- bodies

    def _compare(self) -> None:
        """Counts a comparison of two parts."""
        self._tried += 1
        self.budget.spend(COMPARISON)
        if self._tried > MOST_TRIED:
            raise Undecided

    def _some(self, found: Iterator[Env]) -> bool:
        return next(found, None) is not None

    def _body(
        self, a: Body, b: Body, env: Env, outside_a: Sequence[Atom] = (), outside_b: Sequence[Atom] = ()
    ) -> Iterator[Env]:
        """How the variables of two bodies may belong to each other; what matters outside of them is kept apart."""
        if not env.to.keys() >= self.relations.given(a):
            return  # what is not known could be anything
        self._compare()
        yield from self._steps(a, b, env)
        seen_a = frozenset(env.to) | {one for one in outside_a if isinstance(one, Var)}
        seen_b = frozenset(env.back) | {one for one in outside_b if isinstance(one, Var)}
        before = self.relations.rows_found
        parts_a, parts_b = self.relations.grouped(a, seen_a), self.relations.grouped(b, seen_b)
        self.budget.spend(self.relations.rows_found - before)
        if any(isinstance(part, Relation | Link) for part in parts_a):
            yield from self._steps(parts_a, parts_b, env)

    def _steps(self, a: Sequence[Part], b: Sequence[Part], env: Env) -> Iterator[Env]:
        if len(a) != len(b):
            return
        if not a:
            yield env
            return
        at = next((i for i, part in enumerate(a) if env.to.keys() >= self.relations.needs(part)), None)
        if at is None:
            return
        rest = (*a[:at], *a[at + 1 :])
        for i, other in enumerate(b):
            for found in self._step(a[at], other, env):
                yield from self._steps(rest, (*b[:i], *b[i + 1 :]), found)

    def _step(self, a: Part, b: Part, env: Env) -> Iterator[Env]:
        self._compare()
        if isinstance(a, Relation | Link) or isinstance(b, Relation | Link):
            if isinstance(a, Relation) and isinstance(b, Relation):
                yield from self._relation(a, b, env)
            elif isinstance(a, Link) and isinstance(b, Link) and self._linked(a, b, env):
                yield env
            return
        if type(a) is not type(b):
            return
        found = list(self._plain(a, b, env))
        if not found and (one := self.relations.of(a)) is not None and (other := self.relations.of(b)) is not None:
            found = list(self._relation(one, other, env))
        yield from found

    def _plain(self, a: Any, b: Any, env: Env) -> Iterator[Env]:
        """A step, by its form."""
        match a, b:
            case Get(slot, args, value), Get(other, args_b, value_b) if self.renaming.slots.get(slot, slot) == other:
                now: Env | None = env
                for x, y, sort in zip(args, args_b, self.game.slots[slot].params, strict=True):
                    now = now and self._atom(x, y, self.renaming.of(sort), now)
                now = now and self._atom(value, value_b, self.renaming.of(self.game.slots[slot].sort), now)
                if now is not None:
                    yield now
            case Test(op, left, right), Test(op_b, left_b, right_b) if op == op_b:
                orders = [(left_b, right_b), (right_b, left_b)] if op in COMMUTING else [(left_b, right_b)]
                if any(self._expr(left, x, env) and self._expr(right, y, env) for x, y in orders):
                    yield env
            case Let(var, expr), Let(var_b, expr_b):
                act = self._value(expr, expr_b, env)
                if act is not False and (found := env.bind(var, var_b, act)) is not None:
                    yield found
            case Among(item, values, binds), Among(item_b, values_b, binds_b):
                if bool(binds) == bool(binds_b) and len(values) == len(values_b) <= 4:
                    yield from self._among(item, values, item_b, values_b, env)
            case Member(item, within), Member(item_b, within_b):
                if within in env.to and env.to[within][0] == within_b:
                    found = self._atom(item, item_b, env.to[within][1], env)
                    if found is not None:
                        yield found
            case Ask(), Ask():
                yield from self._ask(a, b, env)
            case Not(body), Not(body_b):
                if self._some(self._body(body, body_b, env)):
                    yield env
            case Exists(body), Exists(body_b):
                if self._some(self._body(body, body_b, env)):
                    yield env
            case Either(bodies), Either(bodies_b):
                if self._alternatives(bodies, bodies_b, env):
                    yield env
            case Choose(), Choose():
                yield from self._choose(a, b, env)
            case Fold(), Fold():
                yield from self._fold(a, b, env)
            case Collect(var, item, body), Collect(var_b, item_b, body_b):
                for inner in self._body(body, body_b, env, (item,), (item_b,)):
                    act = self._value(item, item_b, inner)
                    if act is not False and (found := env.bind(var, var_b, act)) is not None:
                        yield found
                        return
            case Reach(var), Reach(var_b):
                yield from self._closure(a, b, env)
            case Distance(var), Distance(var_b):
                if a.goal in env.to and env.to[a.goal][0] == b.goal:
                    for found in self._closure(a, b, env):
                        if env.to[a.goal][1] == found.to[var][1]:
                            distance = env.bind(var, var_b, None)
                            if distance is not None:
                                yield distance
            case Walk(), Walk():
                yield from self._walk(a, b, env)
            case Possible(action), Possible(action_b):
                if self._becomes(action, action_b):
                    yield env
            case Preferred(action, args), Preferred(action_b, args_b) if len(args) == len(args_b):
                now = env if self._becomes(action, action_b) else None
                for x, y in zip(args, args_b, strict=True):
                    now = now and self._atom(x, y, self._act(x, env), now)
                if now is not None:
                    yield now
            case Mobility(var, player), Mobility(var_b, player_b):
                now = self._atom(player, player_b, self._players, env)
                now = now and now.bind(var, var_b, None)
                if now is not None:
                    yield now

    def _act(self, atom: Atom, env: Env) -> Act:
        """What becomes of an atom: as is known, or by its type."""
        if isinstance(atom, Var) and atom in env.to:
            return env.to[atom][1]
        return self.renaming.of(atom.sort)

    def _atom(self, a: Atom, b: Atom, act: Act, env: Env) -> Env | None:
        """Is an atom the other one, where `act` says what becomes of its value?"""
        if isinstance(a, Var) and isinstance(b, Var):
            return env.bind(a, b, act)
        if isinstance(a, Const) and isinstance(b, Const) and image(act, a.value) == b.value:
            return env
        return None

    def _expr(self, a: Expr, b: Expr, env: Env) -> bool:
        """Is an expression of numbers that stay what they are the same?"""
        match a, b:
            case Var(), Var():
                return env.to.get(a) == (b, None)
            case Const(value, sort), Const(other):
                return value == other and image(self.renaming.of(sort), value) == value
            case Op(name, args), Op(name_b, args_b) if name == name_b and len(args) == len(args_b):
                orders = permutations(args_b) if name in COMMUTING else [args_b]
                return any(all(self._expr(x, y, env) for x, y in zip(args, order, strict=True)) for order in orders)
        return False

    def _value(self, a: Expr, b: Expr, env: Env) -> Act | Literal[False]:
        """What becomes of the value of an expression; False where that is not known."""
        match a, b:
            case Var(), Var() if a in env.to and env.to[a][0] == b:
                return env.to[a][1]
            case Const(value, sort), Const(other) if image(self.renaming.of(sort), value) == other:
                return self.renaming.of(sort)
        return None if self._expr(a, b, env) else False

    def _among(
        self, item: Atom, values: tuple[Atom, ...], item_b: Atom, values_b: tuple[Atom, ...], env: Env
    ) -> Iterator[Env]:
        for order in permutations(values_b):
            now: Env | None = env
            for x, y in zip((item, *values), (item_b, *order), strict=True):
                now = now and self._atom(x, y, self._act(x, now), now)
            if now is not None and len({_key(self._act(x, now)) for x in (item, *values)}) == 1:
                yield now

    def _ask(self, a: Ask, b: Ask, env: Env) -> Iterator[Env]:
        params = self.game.rules[a.rule].params
        if len(a.args) != len(b.args):
            return
        now: Env | None = env
        acts: list[Act] = []
        for param, x, y in zip(params, a.args, b.args, strict=True):
            act = self._act(x, env) if isinstance(x, Var) else self.renaming.of(param.sort)
            now = now and self._atom(x, y, act, now)
            acts.append(act)
        if now is None:
            return
        proved, act = self._rule(a.rule, b.rule, tuple(acts))
        if proved and a.result is not None and b.result is not None:
            now = now.bind(a.result, b.result, act)
        if proved and now is not None and (a.result is None) == (b.result is None):
            yield now

    def _alternatives(self, a: tuple[Body, ...], b: tuple[Body, ...], env: Env) -> bool:
        """Does each body belong to another one?"""
        left = list(b)
        for body in a:
            found = next((i for i, other in enumerate(left) if self._some(self._body(body, other, env))), None)
            if found is None:
                return False
            del left[found]
        return not left

    def _choose(self, a: Choose, b: Choose, env: Env) -> Iterator[Env]:
        for tested in self._body(a.test, b.test, env, body_vars(a.then), body_vars(b.then)):
            if not self._in_order(a.test, b.test, tested):
                continue
            for act in self._bound(a.then, a.var, b.then, b.var, tested):
                for other in self._bound(a.otherwise, a.var, b.otherwise, b.var, env):
                    both = _joined(act, other)
                    if both is not False and (found := env.bind(a.var, b.var, both)) is not None:
                        yield found
                        return

    def _bound(self, a: Body, var: Var, b: Body, var_b: Var, env: Env) -> Iterator[Act]:
        """What becomes of the variable that two bodies bind in one way."""
        for found in self._body(a, b, env, (var,), (var_b,)):
            if found.to.get(var, (None,))[0] == var_b and self._in_order(a, b, found):
                yield found.to[var][1]

    def _fold(self, a: Fold, b: Fold, env: Env) -> Iterator[Env]:
        if a.kind != b.kind:
            return
        if (
            a.kind == "sum" and isinstance(a.value, Op) and isinstance(b.value, Op)
        ):  # it may stay where its parts do not
            a, b = self._with_value(a), self._with_value(b)
        values = [tuple(body_vars((one.value,))) for one in (a, b)]  # type: ignore[arg-type]
        for inner in self._body(a.body, b.body, env, *values):
            act = None if a.kind == "count" else self._value(a.value, b.value, inner)
            if act is False or (act is not None and a.kind != "first"):
                continue
            if a.kind == "first" and not self._in_order(a.body, b.body, inner):
                continue
            found = env.bind(a.var, b.var, act)
            if found is not None:
                yield found
                return

    def _with_value(self, fold: Fold) -> Fold:
        """The same, where the value is a variable."""
        if id(fold) not in self._computed:
            value = fold.var.beside("value of", INT)
            self._computed[id(fold)] = Fold(fold.var, fold.kind, value, (*fold.body, Let(value, fold.value)))
        return self._computed[id(fold)]

    def _in_order(self, a: Body, b: Body, env: Env) -> bool:
        """Does the first way to carry a body out belong to the first way for the other: is nothing renamed that is
        chosen, and is it chosen in the same order?"""
        one, other = ([var for step in body for var in chosen(step, self.game.tables)] for body in (a, b))
        return [env.to.get(var) for var in one] == [(var, None) for var in other]

    def _closure(self, a: Reach | Distance, b: Reach | Distance, env: Env) -> Iterator[Env]:
        if a.start not in env.to or env.to[a.start][0] != b.start:
            return
        act = env.to[a.start][1]
        inside = env.bind(a.near, b.near, act)
        if inside is None:
            return
        for found in self._body(a.body, b.body, inside, (a.next,), (b.next,)):
            if found.to.get(a.next) == (b.next, act):
                reached = env.bind(a.var, b.var, act)
                if reached is not None:
                    yield reached
                    return

    def _linked(self, a: Link, b: Link, env: Env) -> bool:
        """Do links belong to each other, perhaps with the start of one as the goal of the other?"""
        act = self.renaming.of(a.near.sort)
        inside = env.bind(a.near, b.near, act)
        if inside is None or not any(
            found.to.get(a.next) == (b.next, act)
            for found in self._body(a.body, b.body, inside, (a.next,), (b.next,))
        ):  # fmt: skip
            return False
        if self._ends(a.start, b.start, act, env) and self._ends(a.goal, b.goal, act, env):
            return True
        crossed = self._ends(a.start, b.goal, act, env) and self._ends(a.goal, b.start, act, env)
        return crossed and self._leads_back(b)

    def _ends(self, a: tuple[Atom, Body], b: tuple[Atom, Body], act: Act, env: Env) -> bool:
        """Are the values that one end of a link may have those of the other?"""
        (item, body), (other, behind) = a, b
        return any(
            self._known(item, other, act, found)
            for found in self._body(body, behind, env, (item,), (other,))
        )  # fmt: skip

    def _leads_back(self, link: Link) -> bool:
        """Is a step from one place to another a step back, too?"""
        same = {var: (var, None) for var in free_vars(link.body) if var not in (link.near, link.next)}
        both = {link.near: (link.next, None), link.next: (link.near, None)}
        env = Env({**same, **both}, {**{var: var for var in same}, link.near: link.next, link.next: link.near})
        return self._some(
            Proof(self.game, Renaming({}, {}), self.relations, self.budget)._body(link.body, link.body, env)
        )

    def _walk(self, a: Walk, b: Walk, env: Env) -> Iterator[Env]:
        if a.first_only != b.first_only:
            return
        act = self.renaming.of(a.origin.sort)
        if not self._same_rays(a, b, act):
            return
        now = self._atom(a.origin, b.origin, act, env)
        now = now and now.bind(a.over, b.over, act)
        if now is not None and self._some(self._body(a.clear, b.clear, now)):
            now = now.bind(a.target, b.target, act)
            if now is not None:
                yield now

    def _same_rays(self, a: Walk, b: Walk, act: Act) -> bool:
        key = a.rays, b.rays, a.stops, b.stops
        if key not in self._same_rows:
            tables = self.game.tables
            self.budget.spend(len(tables[a.rays].rows) + len(tables[b.rays].rows))
            stops = {(image(act, x), image(act, y)) for x, y in tables[a.stops].rows}
            one = Counter((image(act, x), tuple(image(act, c) for c in ray)) for x, ray in _rays(tables[a.rays].rows))
            same = one == Counter(_rays(tables[b.rays].rows)) and stops == set(tables[b.stops].rows)
            self._same_rows[key] = same
        return self._same_rows[key]

    # -------------------------------------------------------------------------------------- relations

    def _relation(self, a: Relation, b: Relation, env: Env) -> Iterator[Env]:
        if len(a.vars) != len(b.vars) or len(a.items) != len(b.items) or len(a.rows) != len(b.rows):
            return
        for number, order in enumerate(permutations(b.vars)):
            if number == MOST_ORDERS:
                return
            acts = self._acts(a.vars, order, env)
            if acts is None:
                continue
            found = self._agreeing(a, b, order, acts)
            now: Env | None = env
            for x, y, act in zip(a.vars, order, found or (), strict=False):
                now = now and now.bind(x, y, act)
            if found is None or now is None:
                continue
            inside: Env | None = now
            for x, y in zip(a.items, b.items, strict=True):
                inside = inside and inside.bind(x, y, self.renaming.of(x.sort))
            if inside is not None and self._some(self._body(a.body, b.body, inside)):
                yield now

    def _acts(self, a: tuple[Var, ...], b: tuple[Var, ...], env: Env) -> list[tuple[bool, Act]] | None:
        """What is known of each variable; None where they cannot belong to each other."""
        found: list[tuple[bool, Act]] = []
        for x, y in zip(a, b, strict=True):
            if x in env.to:
                if env.to[x][0] != y:
                    return None
                found.append((True, env.to[x][1]))
            elif y in env.back:
                return None
            else:
                found.append((self.renaming.names(x.sort), self.renaming.of(x.sort)))
        return found

    def _agreeing(
        self, a: Relation, b: Relation, order: tuple[Var, ...], acts: list[tuple[bool, Act]]
    ) -> list[Act] | None:
        """What becomes of each variable, such that the renamed rows of the one are those of the other."""
        columns = [b.vars.index(var) for var in order]
        self.budget.spend(b.size if columns != sorted(columns) else 1)
        there = b.rows if columns == sorted(columns) else Counter(
            {(tuple(row[i] for i in columns), line): count for (row, line), count in b.rows.items()})  # fmt: skip
        items = [self.renaming.of(var.sort) for var in a.items]
        tried = [act for _, act in acts]
        if self._renamed(a, b, columns, tried, items, there):
            return tried
        open_ = [i for i, (known, _) in enumerate(acts) if not known]
        if not open_ or a.items:
            return None
        for i in open_:  # which value has the same rows, when what is known is renamed?
            known = [j for j in range(len(acts)) if acts[j][0]]
            self.budget.spend(a.size + b.size)
            ours = _profiles(a.rows, i, known, [acts[j][1] for j in known])
            theirs = {profile: value for value, profile in _profiles(there, i, known, [None] * len(known)).items()}
            if len(theirs) < len(ours) or any(profile not in theirs for profile in ours.values()):
                return None
            act = {value: theirs[profile] for value, profile in ours.items()}
            if len(set(act.values())) < len(act):
                return None
            tried[i] = None if all(x == y for x, y in act.items()) else act
        return tried if self._renamed(a, b, columns, tried, items, there) else None

    def _renamed(
        self, a: Relation, b: Relation, columns: list[int], acts: list[Act], items: list[Act],
        there: Counter[tuple[Row, Line]],
    ) -> bool:  # fmt: skip
        """Are the rows of the one, renamed, those of the other?"""
        key = (id(a), id(b), tuple(columns), tuple(map(_key, acts)))
        if key not in self._same_rows:
            self.budget.spend(a.size)
            self._same_rows[key] = _all_renamed(a.rows, acts, items) == there
        return self._same_rows[key]

    # ---------------------------------------------------------------------------------------- effects

    def _effects(self, a: Effects, b: Effects, env: Env) -> Iterator[Env]:
        """Effects in their order; variables that are bound stay so for those behind."""
        if len(a) != len(b):
            return
        if not a:
            yield env
            return
        for found in self._effect(a[0], b[0], a[1:], b[1:], env):
            yield from self._effects(a[1:], b[1:], found)

    def _effect(self, a: EffectStep, b: EffectStep, behind: Effects, behind_b: Effects, env: Env) -> Iterator[Env]:
        self._compare()
        match a, b:
            case Compute(body), Compute(other):
                outside = [[var for step in one for var in bound(step)] for one in (body, other)]
                for found in self._body(body, other, env, *outside):
                    if self._in_order(body, other, found):
                        yield found
            # Whether a value may be out of range follows from it: what is refused of the one is refused of the other.
            case Assign(slot, args, value), Assign(other, args_b, value_b):
                if self._place(slot, args, other, args_b, env) and self._put(slot, value, value_b, env):
                    yield env
            case Push(slot, args, value), Push(other, args_b, value_b):
                if self._place(slot, args, other, args_b, env) and self._put(slot, value, value_b, env):
                    yield env
            case Take(slot, args, count, onto, onto_args), Take(other, args_b, count_b, onto_b, onto_args_b):
                if not self._place(slot, args, other, args_b, env) or not self._expr(count, count_b, env):
                    return
                if (onto is None) != (onto_b is None):
                    return
                if onto is None or onto_b is None or self._place(onto, onto_args, onto_b, onto_args_b, env):
                    yield env
            case When(test, then, otherwise), When(test_b, then_b, otherwise_b):
                outside = [[var for one in all_effects(part) for var in body_vars((one,))]  # type: ignore[arg-type]
                           for part in (then, then_b)]  # fmt: skip
                for tested in self._body(test, test_b, env, *outside):
                    if (
                        self._in_order(test, test_b, tested)
                        and self._some(self._effects(then, then_b, tested))
                        and self._some(self._effects(otherwise, otherwise_b, env))
                    ):
                        yield env
                        return
            case ForAll(body, inner), ForAll(body_b, inner_b):
                outside = [list(body_vars(part)) for part in (inner, inner_b)]  # type: ignore[arg-type]
                for found in self._body(body, body_b, env, *outside):
                    if self._some(self._effects(inner, inner_b, found)) and (
                        self._in_order(body, body_b, found) or self._commute(body, inner)
                    ):
                        yield env
                        return
            case Again(), Again():
                yield env
            case TurnTo(player), TurnTo(other):
                if self._atom(player, other, self._players, env) is not None:
                    yield env
            case Pick(var, body), Pick(var_b, body_b):
                for found in self._body(body, body_b, env, (var,), (var_b,)):
                    if found.to.get(var, (None,))[0] == var_b:
                        yield found
            case Repeat(times, inner), Repeat(times_b, inner_b):
                if self._expr(times, times_b, env) and self._some(self._effects(inner, inner_b, env)):
                    yield env

    def _place(self, a: str, args: tuple[Atom, ...], b: str, args_b: tuple[Atom, ...], env: Env) -> bool:
        """Is a place of the position, with what is known, the other one?"""
        if self.renaming.slots.get(a, a) != b:
            return False
        sorts = self.game.slots[a].params
        return all(
            self._known(x, y, self.renaming.of(sort), env) for x, y, sort in zip(args, args_b, sorts, strict=True)
        )

    def _put(self, slot: str, a: Expr, b: Expr, env: Env) -> bool:
        act = self.renaming.of(self.game.slots[slot].sort)
        if isinstance(a, Op) or isinstance(b, Op):
            return act is None and self._expr(a, b, env)
        return self._known(a, b, act, env)

    def _known(self, a: Atom, b: Atom, act: Act, env: Env) -> bool:
        return (not isinstance(a, Var) or a in env.to) and self._atom(a, b, act, env) is not None

    def _commute(self, body: Body, effects: Effects) -> bool:
        """Does the order not matter in which effects are carried out for all ways of a body?

        Where a place is written twice, it gets the same value, or the ways that write it differ in nothing.
        """
        if self._live and any(reads_position(inner) for one in all_effects(effects) for inner in effect_bodies(one)):
            return False
        own = set(body_vars(body)) | {var for one in all_effects(effects) for var in _bound_by(one)}
        keys = {var for step in body for var in chosen(step, self.game.tables)}
        writes: dict[str, list[tuple[tuple[Atom, ...], Expr | None]]] = {}
        for effect in all_effects(effects):
            match effect:
                case Assign(slot, args, value):
                    writes.setdefault(slot, []).append((args, value))
                case TurnTo(player):
                    writes.setdefault("mover", []).append(((), player))
                case Again():
                    writes.setdefault("mover", []).append(((), None))
                case Push() | Take() | Pick() | Repeat():
                    return False
                case Compute() | When() | ForAll():
                    pass
                case other:
                    assert_never(other)
        for found in writes.values():
            values = {value for _, value in found}
            said = {var for value in values if value is not None for var in variables(value)}
            constant = len(values) == 1 and not own & said
            places = {args for args, _ in found}
            apart = len(places) == 1 and keys <= set(next(iter(places))) and not any(
                isinstance(one, ForAll) for one in all_effects(effects))  # fmt: skip
            if not constant and not apart:
                return False
        return True


def _seen(action: Action) -> str | None:
    """The text of a move that others read, with the numbers of its parameters in place of their names."""
    if action.seen is None:
        return None
    numbers = {param.name: str(number) for number, param in enumerate(action.params)}
    return re.sub(r"\{(\w+)\}", lambda found: f"{{{numbers[found[1]]}}}", action.seen)


def _bound_by(effect: EffectStep) -> list[Var]:
    """The variables that stand in the bodies of an effect."""
    match effect:
        case Compute(body) | ForAll(body) | When(test=body):
            return body_vars(body)
        case Assign() | Push() | Take() | Again() | TurnTo() | Pick() | Repeat():
            return []
        case other:
            assert_never(other)


def _exclusive(a: Ending, b: Ending) -> bool:
    """Can only one of two endings hold, since they compare one variable with different values, or does it not matter
    which of them does?"""
    if isinstance(a.result, Winner) and a.result == b.result == Winner(None, None):
        return True
    return any(where in _compared(b) and _compared(b)[where] != value for where, value in _compared(a).items())


def _compared(ending: Ending) -> dict[object, int]:
    """Places that an ending compares with a constant, with that."""
    reads = [step for step in ending.body if isinstance(step, Get) and all(isinstance(arg, Const) for arg in step.args)]
    places = {step.value: (step.slot, step.args) for step in reads}
    found: dict[object, int] = {place: value.value for value, place in places.items() if isinstance(value, Const)}
    for step in ending.body:
        if isinstance(step, Test) and step.op == "=" and isinstance(step.right, Const) and step.left in places:
            found[places[step.left]] = step.right.value
    return found


def _key(act: Act) -> object:
    return None if act is None else tuple(sorted(act.items()))


def _joined(a: Act, b: Act) -> Act | Literal[False]:
    """What becomes of values, where there are two sources of them; False where they contradict each other."""
    if a is None or b is None:
        return None if a is b else False
    both = {**a, **b}
    if any(both[value] != to for value, to in a.items()) or len(set(both.values())) < len(both):
        return False
    return both


def _all_renamed(rows: Counter[tuple[Row, Line]], acts: list[Act], items: list[Act]) -> Counter[tuple[Any, Any]]:
    found: Counter[tuple[Any, Any]] = Counter()
    for (row, line), count in rows.items():
        renamed = frozenset(_row(one, items) for one in line) if line else line
        found[_row(row, acts), renamed] += count
    return found


def _row(row: Row, acts: list[Act]) -> tuple[int | None, ...]:
    return tuple([value if act is None else act.get(value) for value, act in zip(row, acts, strict=True)])


def _profiles(rows: Counter[tuple[Row, Line]], column: int, known: list[int], acts: list[Act]) -> dict[int, object]:
    """For each value of a column the rows that it stands in, of the known columns."""
    found: dict[int, Counter[Any]] = {}
    for (row, _), count in rows.items():
        found.setdefault(row[column], Counter())[_row(tuple(row[j] for j in known), acts)] += count
    return {value: frozenset(counts.items()) for value, counts in found.items()}


def _rays(rows: Sequence[Row]) -> list[tuple[int, tuple[int, ...]]]:
    """For each ray where it begins, and its cells in their order."""
    found: dict[tuple[int, int], list[int]] = {}
    for origin, line, _far, cell in rows:
        found.setdefault((origin, line), []).append(cell)
    return [(origin, tuple(cells)) for (origin, _), cells in found.items()]
