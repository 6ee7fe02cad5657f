"""What every name of a rules text means, as plain values that another process or a page can read.

In: what `pysolve.dsl.understand` has found.  Out: an object for JSON; `Knowledge` reads it.  Lines and columns begin
with 1.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pysolve.dsl.check.meanings import Meaning, Meanings, Understanding
from pysolve.dsl.errors import Problem, Span
from pysolve.dsl.model import Game

MOST_VALUES = 60  # of a type; one with more, such as the cells, is not listed

Known = Callable[[Span], str]  # the name by which whoever asks knows the source of a span


def meanings(found: Understanding, known: Known) -> dict[str, Any]:
    """The names, where they stand, and the types that are not written."""
    return {
        "names": [_name(one, known) for one in found.meanings.names],
        "mentions": [
            [known(one.span), one.span.line, one.span.column, one.meaning, int(one.is_declaration)]
            for one in found.meanings.mentions
        ],
        "untyped": [[at.line, at.column, number] for at, number in found.meanings.untyped],
        "types": _types(found.meanings, found.game),
    }


def problem_of(problem: Problem, known: Known) -> dict[str, Any]:
    """A mistake, with its cure if there is one."""
    cure = problem.cure
    return {
        **_place(problem.span),
        "message": problem.message,
        "hint": problem.hint,
        "severity": "error",
        "source": known(problem.span),
        "cure": cure and {"label": f"{cure[0].text} → {cure[1]}", "span": _place(cure[0]), "text": cure[1]},
    }


def _place(span: Span) -> dict[str, int]:
    """A stretch of a text, at least a character wide."""
    line, column, end_line, end_column = span.line, span.column, span.end_line, span.end_column
    if (end_line, end_column) <= (line, column):
        end_line, end_column = line, column + 1
    return {"line": line, "column": column, "end_line": end_line, "end_column": end_column}


def _name(one: Meaning, known: Known) -> dict[str, Any]:
    place = None if one.place is None else [known(one.place), one.place.line, one.place.column]
    return {
        "name": one.name, "kind": one.kind, "type": one.type, "head": one.head, "params": list(one.params),
        "value": one.value, "place": place, "scope": None if one.scope is None else _place(one.scope),
    }  # fmt: skip


def _types(found: Meanings, game: Game | None) -> dict[str, list[str]]:
    """The values of each type, in their order."""
    types: dict[str, list[str]] = {}
    for one in found.names:
        if one.kind == "value":
            types.setdefault(one.type, []).append(one.name)
    for sort in game.sorts.values() if game is not None else ():
        if 0 < len(sort.labels) <= MOST_VALUES:
            types[sort.name] = list(sort.labels)
    return types
