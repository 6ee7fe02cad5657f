"""What rules mean: the Prolog clauses of a kind of move or of a definition, and queries about a position.

In: a name of the rules; a goal.  Out: clauses as `pysolve show` prints them, with those that they need; answers.
"""

from __future__ import annotations

import re
from typing import Any

from pysolve.dsl.errors import choices, nearest
from pysolve.dsl.model import Game
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
    text = _clauses_of(model, name)
    if text is None:
        known = [*(action.name for action in model.actions), END]
        raise Refused(
            "asked", f'there are no clauses of "{name}": {nearest(name, known) or f"ask for {choices(known)}"}'
        )
    parts, printed, todo = [text], set[str](), _rules_in(model, text)
    while todo:
        rule = todo.pop(0)
        if rule not in printed:
            printed.add(rule)
            parts.append(print_rule(model, model.rules[rule]))
            todo += _rules_in(model, parts[-1])
    return {"text": "\n\n".join(dict.fromkeys(parts))}


def _clauses_of(model: Game, name: str) -> str | None:
    """The clauses of a name; None if it has none."""
    if name == END:
        return print_endings(model)
    for action in model.actions:
        if action.name == name:
            return print_action(model, action)
    query = model.queries.get(name)
    return print_rule(model, model.rules[query.target]) if query is not None and query.kind == "rule" else None


def _rules_in(model: Game, text: str) -> list[str]:
    """The definitions that clauses use, in the order in which they do."""
    return [name for name in dict.fromkeys(re.findall(r"\bdef_\w+", text)) if name in model.rules]


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
