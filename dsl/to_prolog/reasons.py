"""The clauses that `why` is made of: each demand by itself, and the values that decide it."""

from __future__ import annotations

from collections.abc import Iterator

from pysolve.dsl.model import Body, Demand, Game, Probe, Trail, Var
from pysolve.dsl.to_prolog.clause import Clause
from pysolve.dsl.to_prolog.serve import sort_name
from pysolve.dsl.to_prolog.terms import FAIL, Term, call, clause, items, joined, pair
from pysolve.dsl.to_prolog.text import quoted


def print_reasons(game: Game) -> str:
    """demand, shows, against, trail, line and joins: what `why` is made of."""
    arities = {"demand": 5, "shows": 7, "against": 7, "trail": 9, "line": 6, "joins": 4}
    own: dict[str, list[str]] = {name: [] for name in arities}
    helpers: dict[str, list[str]] = {name: [] for name in arities}
    for kind, params, part, number, demand in _demands(game):
        key = [call(quoted(kind)), call(part), joined(number, "/")]
        for name, at, body, told in _clauses(demand):
            clause_ = Clause(game, prefix="_".join([name, kind, part, *map(str, (*number, *at))]))
            args = items(map(clause_.var, params))
            goals = clause_.goals(body)
            own[name].append(clause_.finish(name, [args, *_told(clause_, told)], goals, key))
            helpers[name] += clause_.helpers
        words = call(quoted(demand.text)), call(quoted(demand.reason) if demand.reason else "none")
        own["line"].append(clause(call("line", [*key, demand.span.line, *words])))
        if demand.parts:
            own["joins"].append(clause(call("joins", [*key, call("denied" if demand.negated else "said")])))
    lines = ["% demand(Kind, Part, Number, S, Parameters): the demand holds."]
    for name, arity in arities.items():
        lines += own[name] or [clause(call(name, "_" * arity), [FAIL])]
        lines += helpers[name]
    return "\n".join(lines)


def claim_kind(number: int) -> str:
    """The name under which a claim of an example is queried, which no author can give to a kind of moves."""
    return f"0{number}"


def _demands(game: Game) -> Iterator[tuple[str, tuple[Var, ...], str, tuple[int, ...], Demand]]:
    """Kind, parameters, part, number there, and the demand itself; the second part of the third demand is 3, 2."""
    for action in game.actions:
        for part, demands in (("when", action.demands), ("after", action.after)):
            for number, demand in _numbered((), demands):
                yield action.name, action.params, part, number, demand
    for at, claim in enumerate(game.claims):
        for number, demand in _numbered((), (claim,)):
            yield claim_kind(at), (), "when", number, demand


def _numbered(whole: tuple[int, ...], demands: tuple[Demand, ...]) -> Iterator[tuple[tuple[int, ...], Demand]]:
    for number, demand in enumerate(demands, 1):
        yield (*whole, number), demand
        yield from _numbered((*whole, number), demand.parts)


def _clauses(demand: Demand) -> Iterator[tuple[str, tuple[int, ...], Body, Probe | Trail | None]]:
    """The clauses for a demand: predicate, number among several, body, and what they tell where it holds.

    It is that the demand holds; values; what speaks against an `every` or a `no`, value by value; and a closure.
    """
    yield "demand", (), demand.body, None
    for at, probe in enumerate(demand.probes):
        yield "shows", (at,), probe.body, probe
    for at, probe in enumerate(demand.counter_probes if demand.counter else ()):
        yield "against", (at,), (*demand.counter, *probe.body), probe
    if demand.trail is not None:
        yield "trail", (), demand.trail.body, demand.trail


def _told(clause_: Clause, told: Probe | Trail | None) -> list[Term]:
    """The last arguments of a clause: said('at(~w)', [cell-From]), player-V; or Sort, Start, Step, Item (or `all`)."""
    match told:
        case None:
            return []
        case Trail(reach=reach, item=item):
            last = call("all") if item is None else clause_.expr(item)
            return [sort_name(reach.near.sort), clause_.var(reach.start), clause_.repeated(reach), last]
        case Probe(label, args, _, value, off_board):
            words = items([pair(sort_name(arg.sort), clause_.expr(arg)) for arg in args])
            said = call("said", [call(quoted(label.format(*["~w"] * len(args)))), words])
            if value is not None:
                return [said, pair(sort_name(value.sort), clause_.expr(value))]
            return [said, call("off_board" if off_board else "missing")]
