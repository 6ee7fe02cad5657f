"""What rules mean: the Prolog clauses of a kind of move or of a definition, and queries about a position.

In: a name of the rules; a goal.  Out: clauses as `pysolve show` prints them, with those that they need; answers.
"""

from __future__ import annotations

import re
from typing import Any

from pysolve.dsl.errors import choices, nearest
from pysolve.dsl.model import Ask, Body, Game, all_effects, all_steps
from pysolve.dsl.model.effects import effect_bodies
from pysolve.dsl.model.rule_names import is_definition, is_ranking
from pysolve.dsl.to_prolog.moves import print_action, print_endings, print_rule
from pysolve.service.playing import position_of
from pysolve.service.question import Asked
from pysolve.service.refused import Refused

MOST_ANSWERS = 200
SECONDS = 5.0  # that Prolog may look for them
END = "end"
_VARIABLE = re.compile(r"(?<!\w)[A-Z_]\w*")


def clauses(asked: Asked) -> dict[str, Any]:
    """The clauses of a kind of move, of a definition, or of the end, and of the definitions that they use."""
    model, name = asked.opened.game.model, asked["kind"]
    found = _clauses_of(model, name)
    if found is None:
        known = [*(action.name for action in model.actions), END]
        raise Refused(
            "asked", f'there are no clauses of "{name}": {nearest(name, known) or f"ask for {choices(known)}"}'
        )
    text, bodies = found
    parts, printed, todo = [text], set[str](), _rules_in(bodies)
    while todo:
        rule = todo.pop(0)
        if rule not in printed:
            printed.add(rule)
            parts.append(print_rule(model, model.rules[rule]))
            todo += _rules_in([model.rules[rule].body])
    return {"text": "\n\n".join(dict.fromkeys(parts))}


def _clauses_of(model: Game, name: str) -> tuple[str, list[Body]] | None:
    """The clauses of a name, and the bodies that they are printed from; None if it has none."""
    if name == END:
        ranks = [rule for rule in model.rules.values() if is_ranking(rule.name)]
        return print_endings(model), [*(one.body for one in model.endings), *(rule.body for rule in ranks)]
    for action in model.actions:
        if action.name == name:
            effects = [effect for effects in action.rounds for effect in all_effects(effects)]
            return print_action(model, action), [
                *(stage.steps for stage in action.stages), action.candidates if action.worth else (),
                *(body for effect in effects for body in effect_bodies(effect)),
                *(demand.body for demand in action.after),
            ]  # fmt: skip
    query = model.queries.get(name)
    if query is None or query.kind != "rule":
        return None
    rule = model.rules[query.target]
    return print_rule(model, rule), [rule.body]


def _rules_in(bodies: list[Body]) -> list[str]:
    """The definitions that bodies ask, in the order in which they do."""
    asked = (step.rule for body in bodies for step in all_steps(body) if isinstance(step, Ask))
    return [name for name in dict.fromkeys(asked) if is_definition(name)]


def query(asked: Asked) -> dict[str, Any]:
    """The answers to a goal about a position; one answer without values says that it holds."""
    position, goal = position_of(asked), asked["goal"]
    game = position.game
    found = list(game.prolog.query(position.state, goal, MOST_ANSWERS + 1, SECONDS))
    words = {label for sort in game.model.sorts.values() for label in sort.labels}
    named = [name for name in dict.fromkeys(_VARIABLE.findall(goal)) if name not in words and name != "_"]
    variables = [name for name in named if not found or name in found[0]]
    cells = set(game.cells)
    answers = [[answer[name] for name in variables] for answer in found[:MOST_ANSWERS]]
    return {
        "variables": variables,
        "answers": [{"values": values, "cells": [word for word in values if word in cells]} for values in answers],
        "more": len(found) > MOST_ANSWERS,
    }
