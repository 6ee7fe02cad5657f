"""Rules whose answers are worth keeping while a position is asked.

In: the rules of a game.  Out: those that look at many places (they count, collect or reach, or ask a rule that does)
and have one parameter of few values, or none; and those that go through many ways themselves and are asked much more
often than they have answers, as by loops over several variables.  What is kept belongs to one position and one mover.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from math import prod

from pysolve.dsl.analysis.components import is_class
from pysolve.dsl.analysis.costs import MANY, looks_far
from pysolve.dsl.frozen import frozen
from pysolve.dsl.model import (
    Ask,
    Atom,
    Body,
    Game,
    Get,
    Rule,
    Sort,
    Var,
    all_effects,
    all_steps,
    asked_steps,
    effect_bodies,
    inner_bodies,
)
from pysolve.dsl.model.properties import gathers, most_rounds, most_ways, most_ways_of_body, own_vars

FEW = 512  # combinations of values of the parameters
OFTEN = 2  # a rule is asked often if it is asked more than so many times as often as it has answers


@frozen
class Kept:
    """A rule whose answers are kept: one for each combination of values of its parameters."""

    rule: Rule
    sorts: tuple[Sort, ...]  # of the parameters
    alike: str = ""  # a rule that gives all values with the same answer; the rule itself perhaps

    @property
    def count(self) -> int:
        """How many answers there are."""
        return prod(map(_values, self.sorts))

    @property
    def gives_alike(self) -> bool:
        """Is the answer itself the set of all values with this answer?  Then there always is one."""
        return self.alike == self.rule.name


def kept_rules(game: Game) -> dict[str, Kept]:
    """The rules whose answers are kept, by name."""
    found, often = {}, _asked_often(game)
    for rule in game.rules.values():
        sorts = tuple(param.sort for param in rule.params if isinstance(param.sort, Sort))
        few = len(sorts) == len(rule.params) and prod(map(_values, sorts)) <= FEW
        if few and rule.reads and (rule.name in often or (len(sorts) < 2 and _gathers_far(game, rule))):
            found[rule.name] = Kept(rule, sorts, _alike(game, rule) if len(sorts) == 1 else "")
    return {name: replace(kept, alike=kept.alike if kept.alike in found else "") for name, kept in found.items()}


def _values(sort: Sort) -> int:
    return sort.high - sort.low + 1


def _gathers_far(game: Game, rule: Rule) -> bool:
    return any(gathers(one) and looks_far(one) for one in asked_steps(game, all_steps(rule.body)))


def _asked_often(game: Game) -> set[str]:
    """The rules with parameters that go through many ways, and that some body asks more often than they have answers.

    Others are better carried out where they are asked: so lines of action would take three times as long.
    """
    slow = {rule.name for rule in game.rules.values() if rule.params and _ways(game, rule.body) > MANY}
    return {
        ask.rule
        for body in _bodies(game) for ask, times, answers in _asks(game, body, 1, frozenset())
        if ask.rule in slow and times > OFTEN * answers
    }  # fmt: skip


def _ways(game: Game, body: Body) -> int:
    """In how many ways the bodies of a body are carried out, at most."""
    inside = (most_rounds(step) * _ways(game, inner) for step in body for inner in inner_bodies(step))
    return most_ways_of_body(body, game.tables, game.slots) * max(inside, default=1)


def _asks(game: Game, body: Body, times: int, given: frozenset[Atom]) -> Iterator[tuple[Ask, int, int]]:
    """What a body asks that is carried out so many times: how often at most, and for how many different arguments.

    `given`: variables that have one value in a position, such as the mover.
    """
    for step in body:
        if isinstance(step, Ask):
            chosen = (arg.sort for arg in step.args if isinstance(arg, Var) and arg not in given)
            yield step, times, prod(_values(sort) for sort in chosen if isinstance(sort, Sort))
        if isinstance(step, Get) and not step.args:
            given |= {step.value}
        for inner in inner_bodies(step):
            yield from _asks(game, inner, times * most_rounds(step), given)
        times *= most_ways(step, game.tables, game.slots)


def _bodies(game: Game) -> Iterator[Body]:
    """All that is carried out about one position."""
    yield from (rule.body for rule in game.rules.values())
    for action in game.actions:
        yield action.body
        yield from (demand.body for demand in action.after)
        for effects in action.rounds:
            yield from (body for effect in all_effects(effects) for body in effect_bodies(effect))
    yield from (ending.body for ending in game.endings)


def _alike(game: Game, rule: Rule) -> str:
    """The rule that gives the values of the parameter for which the answer is the same, if there is one: a closure
    by what goes both ways gives the same set for each of its members, and so does what asks for that set alone."""
    (param,) = rule.params
    if is_class(game, rule):
        return rule.name
    own = [step for step in all_steps(rule.body) if param in own_vars(step)]
    match own:
        case [Ask(name, (arg,), _)] if arg == param and is_class(game, game.rules[name]):
            return name if game.rules[name].params[0].sort == param.sort else ""
    return ""
