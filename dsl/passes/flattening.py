"""Flattening: where only some way is asked for, there is no `some` within it, and what is cheap comes first.

Requires: `MOVER` and `OPPONENT` are bound where a body begins (hoisting).
Ensures:  comparisons of constants are gone, and so are alternatives that they rule out.  Within a condition `some`
          does not stand around steps that choose among few values, nor before any choice; steps that are given come
          first, then choices among at most `FEW` values.  Where plain alternatives stand beside such that look around,
          the plain ones are tried first.  What looks around without need of a choice is found out before it.

    not some d has (some n in 1..3 has at(d, n) = p)   ->   not (n in 1..3, d, at(d, n) = p)
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import partial

from pysolve.dsl.analysis.costs import looks_around
from pysolve.dsl.analysis.shifts import is_shifted
from pysolve.dsl.model import (
    BOOL,
    Among,
    Atom,
    Body,
    Choose,
    Const,
    Each,
    Either,
    Exists,
    Find,
    Game,
    Get,
    Let,
    Step,
    Table,
    Test,
    Var,
    all_steps,
    body_vars,
    inner_bodies,
)
from pysolve.dsl.model.properties import (
    bound,
    chooses,
    constants,
    free_vars,
    gathers,
    is_never,
    properties,
    truth,
    what_matters,
)
from pysolve.dsl.model.steps import renamed, with_bodies
from pysolve.dsl.passes.bodies import MOVER, OPPONENT, NewNames, with_game_bodies

FEW = 12  # values that are tried one by one


def flatten(game: Game) -> Game:
    flattening = _Flattening(game, game.tables)
    return with_game_bodies(game, lambda body, _: flattening.flat(body))


@dataclass
class _Flattening:
    game: Game
    tables: Mapping[str, Table]
    names: NewNames = field(default_factory=lambda: NewNames("f"))

    def flat(self, body: Body, free: bool = False) -> Body:
        """A flat body; it is `free` if only some way to carry it out is asked for."""
        steps: list[Step] = []
        for step in body:
            step = possible_bodies(step)
            step = with_bodies(step, partial(self.flat, free=not what_matters(step)))
            if free and isinstance(step, Exists) and self._is_no_choice_before(step, steps):
                steps += step.body
            elif not self._is_certain(step):
                steps.append(self._plain_first(step))
        steps = self._once(self._joined(steps) if free else steps)
        given = self._given(steps)
        few = [step for step in steps if free and _has_few(step) and not self._is_moved(step, steps)]
        return *given, *few, *(step for step in steps if step not in given and step not in few)

    def _chooses(self, step: Step) -> bool:
        return chooses(step, self.tables)

    def _is_no_choice_before(self, step: Exists, before: list[Step]) -> bool:
        """Is `some` the first choice of its body, or one among few values?"""
        return any(map(_has_few, step.body)) or not any(map(self._chooses, before))

    def _is_certain(self, step: Step) -> bool:
        """Does a step always succeed?  A player, for one, differs from what is none."""
        match step:
            case Test("!=", Var(name=name), Const(value)) if name in (MOVER, OPPONENT):
                return value not in self.game.players.values()
        return truth(step) is True

    def _plain_first(self, step: Step) -> Step:
        """`some n has at(n) = none or dying(n)`: is there one with the plain part?  Only else the other is asked."""
        match step:
            case Exists((*choice, Either(bodies))) if choice:
                plain = tuple(body for body in bodies if not self._looks_around(body))
                slow = tuple(body for body in bodies if self._looks_around(body))
                if not plain or not slow or self._looks_around(tuple(choice)):
                    return step
                self.names.next()
                other = (*choice, Either(slow))
                names = self.names.of_all({var for one in all_steps(other) for var in bound(one)})
                return Either(((Exists((*choice, Either(plain))),), (Exists(renamed(other, names)),)))
        return step

    def _looks_around(self, body: Body) -> bool:
        return looks_around(self.game, all_steps(body))

    def _is_moved(self, step: Step, steps: list[Step]) -> bool:
        """Does a step choose a place, and are other places looked at that are always as far away?"""
        return isinstance(step, Each) and any(is_shifted(one, self.tables, step.var) for one in all_steps(tuple(steps)))

    def _joined(self, steps: list[Step]) -> list[Step]:
        """`some a, b has b in between(a, c) and at(a) = p`: the table gives both, where it has few rows for c."""
        for at, step in enumerate(steps):
            if not isinstance(step, Get) or len(step.binds) != 1 or step.args != step.binds:
                continue
            (var,), open_ = step.binds, {one for other in steps[at:] for one in bound(other)}
            for find in steps[at + 1 :]:
                if not isinstance(find, Find) or not find.binds or find.args.count(var) != 1:
                    continue
                others = [arg for arg in find.args if arg != var and arg not in find.binds]
                if others and not open_ & set(others) and self._rows(find, others) <= FEW:
                    first = (Find(find.table, find.args, (*find.binds, var)), replace(step, binds=()))
                    rest = [one for one in steps[at + 1 :] if one is not find]
                    return [*steps[:at], *first, *rest]
        return steps

    def _rows(self, find: Find, given: list[Atom]) -> float:
        """The average number of rows of a table for the same values in the columns that are given."""
        rows = self.tables[find.table].rows
        columns = [i for i, arg in enumerate(find.args) if arg in given]
        return len(rows) / max(1, len({tuple(row[i] for i in columns) for row in rows}))

    def _once(self, steps: list[Step]) -> list[Step]:
        """Moves steps that look at many places, and do not depend on the next choice, before that choice."""
        if not any(bound(step) for step in steps if self._chooses(step)):
            return steps
        flags: list[Step] = []

        def found_before(body: Body) -> Body:
            free = free_vars(body)
            if set(free) & all_bound or not any(gathers(one) for one in all_steps(body)):
                return body
            self.names.next()
            flag = self.names.of(Var("flag", BOOL))
            flags.append(Choose(flag, body, (Let(flag, Const(1, BOOL)),), (Let(flag, Const(0, BOOL)),)))
            return (Test("=", flag, Const(1, BOOL)),)

        all_bound = {var for step in steps for var in bound(step)}
        all_bound -= {Var(MOVER, self.game.players), Var(OPPONENT, self.game.players)}
        first = next(i for i, step in enumerate(steps) if self._chooses(step))
        changed = [
            Either(tuple(map(found_before, step.bodies))) if isinstance(step, Either) else step
            for step in steps[first:]
        ]
        return [*steps[:first], *flags, *changed]

    def _given(self, steps: list[Step]) -> list[Step]:
        """Simple steps that need nothing of what is chosen in the same body."""
        open_, given = {var for step in steps for var in bound(step)}, []
        for step in steps:
            mine = set(bound(step))
            if self._is_simple(step) and not open_ & (set(body_vars((step,))) - mine):
                given.append(step)
                open_ -= mine
        return given

    def _is_simple(self, step: Step) -> bool:
        """Does a step look at one place, or compare or compute two values?  It takes longer to search a list."""
        if isinstance(step, Among) or self._chooses(step) or inner_bodies(step):
            return False
        here = properties(step)
        return here.rule is None and not here.moves


def possible_bodies(step: Step) -> Step:
    """Of several bodies those that are not ruled out by numbers that are known."""
    if not isinstance(step, Either):
        return step
    bodies = tuple(body for body in step.bodies if not is_never(body))
    if len(bodies) == 1:
        return Exists(bodies[0])
    return Either(bodies) if bodies else Test("=", Const(0, BOOL), Const(1, BOOL))


def _has_few(step: Step) -> bool:
    """Does a step choose among a few numbers?"""
    known = constants(step)
    return known is not None and len(known[1]) <= FEW
