"""Inlining: a small rule stands where it was asked, so that what is known there helps.

Requires: a checked game; no rule asks itself.
Ensures:  no body asks a rule of at most `LONGEST` steps, but for one whose answers are kept while a position is asked
          (dsl/analysis/memoised.py), one with sets as parameters, and one whose result several ways might give.
          Variables of a copy have new names.

    rule free(c): at(c) = none          at(from) = mover, free(to)
                                    ->  at(from) = mover, at(to) = none
"""

from __future__ import annotations

from dataclasses import dataclass, field

from pysolve.dsl.analysis.memoised import kept_rules
from pysolve.dsl.model import Ask, Atom, Body, Exists, Game, Let, Rule, SetSort, Sort, Step, Var, all_steps, body_vars
from pysolve.dsl.model.properties import chooses
from pysolve.dsl.model.steps import renamed, with_bodies
from pysolve.dsl.passes.bodies import NewNames, with_game_bodies

LONGEST = 120  # steps of a rule that is written where it is asked


def inline(game: Game) -> Game:
    inlining = _Inlining(game, frozenset(kept_rules(game)))
    return with_game_bodies(game, lambda body, _: inlining.inlined(body))


@dataclass
class _Inlining:
    game: Game
    kept: frozenset[str]  # rules that are asked, since their answers are kept
    names: NewNames = field(default_factory=lambda: NewNames(""))
    bodies: dict[str, Body] = field(default_factory=dict)  # of rules, inlined

    def inlined(self, body: Body) -> Body:
        """A body in which small rules stand where they were asked."""
        return tuple(new for step in body for new in self._step(step))

    def _rule(self, name: str) -> Body:
        if name not in self.bodies:
            self.bodies[name] = self.inlined(self.game.rules[name].body)
        return self.bodies[name]

    def _step(self, step: Step) -> Body:
        if not isinstance(step, Ask):
            return (with_bodies(step, self.inlined),)
        rule, body = self.game.rules[step.rule], self._rule(step.rule)
        several = any(chooses(one, self.game.tables) for one in body)
        if self._stays(step, rule, body, several):
            return (step,)
        names: dict[Var, Atom] = {}
        narrowed: list[Step] = []
        self.names.next()
        for param, arg in zip(rule.params, step.args, strict=True):
            names[param] = arg
            if isinstance(arg, Var) and arg.sort != param.sort and not _fits(arg.sort, param.sort):
                names[param] = new = self.names.of(param)  # the rules say that it is one
                narrowed.append(Let(new, arg))
        if isinstance(rule.result, Var) and step.result is not None:
            names[rule.result] = step.result
        for var in body_vars(body):
            names.setdefault(var, self.names.of(var))
        body = renamed(body, names)
        return (*narrowed, Exists(body)) if several else (*narrowed, *body)

    def _stays(self, step: Ask, rule: Rule, body: Body, several: bool) -> bool:
        """Is the rule asked, as it was?"""
        if step.rule in self.kept or any(isinstance(param.sort, SetSort) for param in rule.params):
            return True
        if sum(1 for _ in all_steps(body)) > LONGEST:
            return True
        if step.result is None:
            return False
        result = rule.result
        if several or not isinstance(result, Var) or result in rule.params:
            return True
        return result.sort != step.result.sort


def _fits(sort: Sort | SetSort, into: Sort | SetSort) -> bool:
    """Is every value of the one a value of the other?"""
    return isinstance(sort, Sort) and isinstance(into, Sort) and into.lowest <= sort.lowest and sort.high <= into.high
