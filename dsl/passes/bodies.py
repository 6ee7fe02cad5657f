"""What the passes share: the bodies of a game that they change, and new names.

In: a game and a change of bodies.  Out: the game with other bodies.  Changed are the bodies of rules, of kinds of moves
(which become one stage), of demands on the position after a move, and of endings.  Demands with their reasons, effects,
examples and what is shown stay as they are: they are not carried out often.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

from pysolve.dsl.model import Action, Atom, Body, Game, Rule, Stage, Var, body_vars

MOVER, OPPONENT = "mover'", "opponent'"  # names of variables that the rules have not

Change = Callable[[Body, set[Var]], Body]  # of a body, with the variables that matter outside it


def with_game_bodies(game: Game, change: Change) -> Game:
    """The game with changed bodies; first those of rules, then of moves, then of endings."""

    def changed(body: Body, used: Iterable[Var]) -> Body:
        return change(body, set(used))

    def action(old: Action) -> Action:
        stage = Stage(old.span, "", changed(old.body, old.params))
        after = tuple(replace(demand, body=changed(demand.body, old.params)) for demand in old.after)
        return replace(old, stages=(stage,), after=after)

    rules = {name: replace(rule, body=changed(rule.body, used_by_rule(rule))) for name, rule in game.rules.items()}
    actions = tuple(map(action, game.actions))
    endings = tuple(replace(one, body=changed(one.body, body_vars((one.result,)))) for one in game.endings)  # type: ignore[arg-type]
    return replace(game, rules=rules, actions=actions, endings=endings)


def used_by_rule(rule: Rule) -> set[Var]:
    return {*rule.params, *([rule.result] if isinstance(rule.result, Var) else [])}


@dataclass
class NewNames:
    """Names for copies of variables: with the mark of a pass, and a number."""

    mark: str
    number: int = 0

    def next(self) -> None:
        """Begins a new copy: names given from now on belong to it."""
        self.number += 1

    def of(self, var: Var) -> Var:
        return var.copy(f"{self.mark}{self.number}")

    def of_all(self, variables: Iterable[Var]) -> dict[Var, Atom]:
        return {var: self.of(var) for var in variables}
