"""The bodies of kinds of moves, for those to whom it does not matter in which order moves come, and how often.

Requires: a game after all passes.
Ensures:  each body finds the same moves, perhaps in another order, perhaps some of them several times, and is quicker
          to carry out: where two parameters belong together by way of one of a few values, a direction perhaps, this
          value is chosen first, and what follows from it and a parameter is looked up.  Tables for that are added.

    at(from) = mover, to: cell, some d has from + d = to and at(to) = none
    d: direction, at(from) = mover and at(from + d) = none, to = from + d
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from pysolve.dsl.model import (
    Action,
    Among,
    Body,
    Const,
    Exists,
    Find,
    Game,
    Get,
    Sort,
    Step,
    Table,
    Var,
    body_vars,
)
from pysolve.dsl.model.properties import bound, chooses, constants, given_vars, is_any
from pysolve.dsl.model.steps import renamed

FEW = 10  # values that are tried one by one


def unordered(game: Game) -> tuple[Game, dict[str, Body]]:
    """The game with more tables, and the body of each kind of moves for those to whom order does not matter."""
    tables = dict(game.tables)
    bodies = {action.name: _Unordered(action, tables).body() for action in game.actions}
    return replace(game, tables=tables), bodies


@dataclass
class _Unordered:
    """Changes the body of one kind of moves; tables that it needs are added to the others."""

    action: Action
    tables: dict[str, Table]

    def body(self) -> Body:
        """The body, or a better one."""
        steps = [one for step in self.action.body for one in self._inside(step)]
        if len(steps) == len(self.action.body):
            return self.action.body
        steps = [one for step in steps for one in self._few_first(step)]
        for param in reversed(self.action.params):
            found = self._ready(self._looked_up(steps, param))
            if any(isinstance(step, Exists) for step in found):  # a demand on a place beside is quick for many at once
                return tuple(found)
        return self.action.body

    def _inside(self, step: Step) -> Body:
        """The body inside a `some` that relates parameters and chooses among few values; otherwise the step alone."""
        match step:
            case Exists(body):
                together = len(set(given_vars(body)) & set(self.action.params)) > 1
                if together and all(self._few(one) for one in body if self._chooses(one)):
                    return body
        return (step,)

    def _chooses(self, step: Step) -> bool:
        return chooses(step, self.tables)

    def _few(self, step: Step) -> bool:
        if isinstance(step, Find):
            return len(step.binds) == 1 and len(self._values(step, step.binds[0])) <= FEW
        known = constants(step)
        return known is not None and len(known[1]) <= FEW

    def _values(self, find: Find, var: Var) -> list[int]:
        column = find.args.index(var)
        return sorted({row[column] for row in self.tables[find.table].rows})

    def _few_first(self, step: Step) -> Body:
        """A value is chosen, and then tested, where it was found in a table."""
        match step:
            case Find(table, args, (var,)) if self._chooses(step) and var not in self.action.params and self._few(step):
                assert isinstance(var.sort, Sort)
                values = tuple(Const(value, var.sort) for value in self._values(step, var))
                return Among(var, values, (var,)), Find(table, args, ())
        return (step,)

    def _looked_up(self, steps: list[Step], param: Var) -> list[Step]:
        """A parameter that follows from others is looked up where it was chosen and tested; none if it does not."""
        chosen = next((step for step in steps if param in bound(step)), None)
        found = next((step for step in steps if self._determines(step, param)), None)
        if chosen is None or not isinstance(found, Find):
            return []
        if is_any(chosen, param):
            rest: Body = ()
        elif isinstance(chosen, Get) and chosen.args == chosen.binds == (param,) != (chosen.value,):
            rest = (replace(chosen, binds=()),)
        else:
            return []
        find = self._function(found, param)
        # what is known of the parameter may be asked of what is looked up, before it is the parameter
        there = param.copy("'")
        own = [step for step in (*rest, *steps) if isinstance(step, Get) and not step.binds and step.args == (param,)]
        own = [step for step in own if step.value != param]
        before = [Exists(renamed((find, step), {param: there})) for step in own]
        others = [step for step in steps if step not in (chosen, found) and step not in own]
        return [*others, *before, find]

    def _determines(self, step: Step, param: Var) -> bool:
        """Does a row of a table say what a parameter is, the others being known?"""
        match step:
            case Find(name, args, ()) if args.count(param) == 1:
                rows, column = self.tables[name].rows, args.index(param)
                return len({row[:column] + row[column + 1 :] for row in rows}) == len(rows)
        return False

    def _function(self, find: Find, param: Var) -> Find:
        """The look into a table, with the parameter as what is found."""
        column, table = find.args.index(param), self.tables[find.table]
        last: Callable[[tuple], tuple] = lambda row: (*row[:column], *row[column + 1 :], row[column])  # type: ignore[type-arg]
        name, sorts = f"{table.name} to {column}", last(table.sorts)
        if name not in self.tables:
            self.tables[name] = Table(name, sorts, tuple(sorted(map(last, table.rows))), len(sorts) - 1)
        return Find(name, last(find.args), (param,))

    def _ready(self, steps: list[Step]) -> list[Step]:
        """The steps in an order in which each has what it needs: what is known first, then few values, then the rest;
        and what is asked of a place that a table gives, together with that.  None if there is no such order."""
        steps = self._together(steps)
        own = {var for step in steps for var in bound(step)}
        order: list[Step] = []
        while steps:
            here = {var for step in order for var in bound(step)}
            ready = [step for step in steps if not (set(given_vars((step,))) & own) - here]
            if not ready:
                return []
            step = next((one for one in ready if not self._chooses(one)), None)
            step = step or next((one for one in ready if self._few(one)), ready[0])
            order.append(step)
            steps = [one for one in steps if one is not step]
        return order

    def _together(self, steps: list[Step]) -> list[Step]:
        """`from + d = x and at(x) = p` as one demand on `from`, where x matters nowhere else."""
        found, params = list(steps), set(self.action.params)
        for step in steps:
            match step:
                case Find(_, args, (var,)) if set(args) & params and var not in params and not self._chooses(step):
                    asked = [one for one in found if one is not step and var in body_vars((one,))]
                    if asked and all(isinstance(one, Get) and not one.binds for one in asked):
                        found[found.index(step)] = Exists((step, *asked))
                        found = [one for one in found if one not in asked]
        return found
