"""Rules whose answers are worth keeping while a position is asked.

In: the rules of a game.  Out: those that look at many places (they count, collect or reach, or ask a rule that does)
and have one parameter of few values, or none.  What is kept belongs to one position and one mover.
"""

from __future__ import annotations

from dataclasses import replace

from pysolve.dsl.analysis.components import is_class
from pysolve.dsl.analysis.costs import looks_far
from pysolve.dsl.frozen import frozen
from pysolve.dsl.model import Ask, Game, Rule, Sort, all_steps, asked_steps
from pysolve.dsl.model.properties import gathers, own_vars

FEW = 512  # values of a parameter


@frozen
class Kept:
    """A rule whose answers are kept: for `count` values of its parameter from `low` on; one if it has none."""

    rule: Rule
    low: int
    count: int
    alike: str = ""  # a rule that gives all values with the same answer; the rule itself perhaps

    @property
    def gives_alike(self) -> bool:
        """Is the answer itself the set of all values with this answer?  Then there always is one."""
        return self.alike == self.rule.name


def kept_rules(game: Game) -> dict[str, Kept]:
    """The rules whose answers are kept, by name."""
    found = {}
    for rule in game.rules.values():
        sorts = [param.sort for param in rule.params]
        asked = asked_steps(game, all_steps(rule.body))
        if not rule.reads or len(sorts) > 1 or not any(gathers(one) and looks_far(one) for one in asked):
            continue
        if not sorts:
            found[rule.name] = Kept(rule, 0, 1)
        elif isinstance(sorts[0], Sort) and sorts[0].size <= FEW:
            count = sorts[0].high - sorts[0].low + 1
            found[rule.name] = Kept(rule, sorts[0].low, count, _alike(game, rule))
    return {name: replace(kept, alike=kept.alike if kept.alike in found else "") for name, kept in found.items()}


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
