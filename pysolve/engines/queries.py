"""What Prolog says of a query that it cannot answer → what the person who wrote it reads."""

from __future__ import annotations

from pysolve.dsl.errors import nearest
from pysolve.dsl.model import Game
from pysolve.engines.protocol import QueryError


def query_error(goal: str, term: str, game: Game) -> QueryError | None:
    """The mistake in a goal, by the error term of Prolog; None if the goal is not at fault."""
    names = [*game.queries, *game.kinds]
    options = {option.name: option.sort.label(option.value) for option in game.options}
    if "unknown_question(" in term:
        inside = term.split("unknown_question(", 1)[1]
        name, _, rest = inside.partition(",")
        arity = rest.split(")", 1)[0]
        if name in names:
            return QueryError(f'"{name}" cannot be queried with {arity} argument{"" if arity == "1" else "s"}')
        if name in options:
            return QueryError(f'"{name}" is an option, whose value here is {options[name]}: write the value')
        hint = nearest(name, names)
        return QueryError(f'the rules have no "{name}"' + f": {hint}" * bool(hint))
    if "unknown_word(" in term:
        sort, _, word = term.split("unknown_word(", 1)[1].split(")", 1)[0].partition(",")
        return QueryError(f'"{word}" is not of type {sort}')
    if "pysolve(nothing_asked)" in term:
        return QueryError(f'"{goal}" is not a query: a query consists of names of the rules')
    if "pysolve(no_value)" in term:
        return QueryError(f'"{goal}" compares a variable without a value: bind it first, as in  f(X), X > 3')
    if "pysolve(no_numbers)" in term:
        return QueryError("only numbers can be compared with > and <")
    if "syntax_error" in term:
        return QueryError(f'"{goal}" cannot be read as a Prolog goal')
    return None
