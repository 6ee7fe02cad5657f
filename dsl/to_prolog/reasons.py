"""The clauses that `why` is made of: each demand by itself, and the values that decide it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from pysolve.dsl.model import Body, Demand, Game, Probe, Trail, Var
from pysolve.dsl.to_prolog.clause import Clause
from pysolve.dsl.to_prolog.serve import sort_name
from pysolve.dsl.to_prolog.text import call, clause, quoted


def print_reasons(game: Game) -> str:
    """demand, shows, against, trail, line and joins: what `why` is made of."""
    checks, shown, counters, trails, lines, joins = [], [], [], [], [], []
    for kind, params, part, number, demand in _demands(game):
        key = [quoted(kind), part, number]
        prefix = f"{kind}_{part}_{number.replace('/', '_')}"
        checks += _reason_clause(game, params, f"demand_{prefix}", key, demand.body, None)
        for at, probe in enumerate(demand.probes):
            shown += _reason_clause(game, params, f"shows_{prefix}_{at}", key, probe.body, probe)
        if demand.counter:
            counters += _against(game, params, f"against_{prefix}", key, demand)
        if demand.trail is not None:
            trails += _trail(game, params, f"trail_{prefix}", key, demand.trail)
        lines.append(f"line({', '.join(key)}, {demand.span.line}, {quoted(demand.text)}, "
                     f"{quoted(demand.reason) if demand.reason else 'none'}).")  # fmt: skip
        if demand.parts:
            joins.append(f"joins({', '.join(key)}, {'denied' if demand.negated else 'said'}).")
    blank = {"demand": 5, "shows": 7, "against": 7, "trail": 9, "line": 6, "joins": 4}
    groups = {"demand": checks, "shows": shown, "against": counters, "trail": trails, "line": lines, "joins": joins}
    found = ["% demand(Kind, Part, Number, S, Parameters): the demand holds."]
    for name, clauses in groups.items():
        helpers = [c for c in clauses if not c.startswith(f"{name}(")]
        own = [c for c in clauses if c.startswith(f"{name}(")]
        found += own or [f"{name}({', '.join('_' * blank[name])}) :-\n    fail."]
        found += helpers
    return "\n".join(found)


def claim_kind(number: int) -> str:
    """The name under which a claim of an example is queried, which no author can give to a kind of moves."""
    return f"0{number}"


def _demands(game: Game) -> Iterator[tuple[str, tuple[Var, ...], str, str, Demand]]:
    """Kind, parameters, part, number there, and the demand itself; the second part of the third demand is 3/2."""
    for action in game.actions:
        for part, demands in (("when", action.demands), ("after", action.after)):
            for number, demand in _numbered("", demands):
                yield action.name, action.params, part, number, demand
    for at, claim in enumerate(game.claims):
        for number, demand in _numbered("", (claim,)):
            yield claim_kind(at), (), "when", number, demand


def _numbered(prefix: str, demands: tuple[Demand, ...]) -> Iterator[tuple[str, Demand]]:
    for number, demand in enumerate(demands, 1):
        yield f"{prefix}{number}", demand
        yield from _numbered(f"{prefix}{number}/", demand.parts)


def _reason_clause(
    game: Game, params: tuple[Var, ...], prefix: str, key: list[str], body: Body, probe: Probe | None
) -> list[str]:
    predicate = "demand" if probe is None else "shows"
    clause_ = Clause(game, prefix=prefix)
    args = [clause_.var(p) for p in params]
    goals = clause_.goals(body)
    extra = [] if probe is None else _probe(clause_, probe)
    state = _reason_state(clause_)
    goals = [*clause_.hoisted.values(), *goals]
    if clause_.whole and clause_.slots:
        goals = [f"S = {clause_.head_state()}", *goals]
    return [clause(call(predicate, [*key, state, f"[{', '.join(args)}]", *extra]), goals), *clause_.helpers]


def _against(game: Game, params: tuple[Var, ...], prefix: str, key: list[str], demand: Demand) -> list[str]:
    """against(…, Label, Value): what speaks against an `every` or a `no`, value by value."""
    found: list[str] = []
    for probe in demand.counter_probes:
        clause_ = Clause(game, prefix=f"{prefix}_{len(found)}")
        args = [clause_.var(p) for p in params]
        goals = [*clause_.goals(demand.counter), *clause_.goals(probe.body)]
        extra = _probe(clause_, probe)
        state = _reason_state(clause_)
        goals = [*clause_.hoisted.values(), *goals]
        if clause_.whole and clause_.slots:
            goals = [f"S = {clause_.head_state()}", *goals]
        found += [clause(call("against", [*key, state, f"[{', '.join(args)}]", *extra]), goals), *clause_.helpers]
    return found


def _trail(game: Game, params: tuple[Var, ...], prefix: str, key: list[str], trail: Trail) -> list[str]:
    """trail(…, Sort, Start, Step, Item): a closure that a demand asks for; Item is `all` if not for a member."""
    clause_ = Clause(game, prefix=prefix)
    args = [clause_.var(p) for p in params]
    goals = clause_.goals(trail.body)
    step = clause_.repeated(trail.reach)
    extra = [sort_name(trail.reach.near.sort), clause_.var(trail.reach.start), step,
             "all" if trail.item is None else clause_.expr(trail.item)]  # fmt: skip
    state = _reason_state(clause_)
    goals = [*clause_.hoisted.values(), *goals]
    if clause_.whole and clause_.slots:
        goals = [f"S = {clause_.head_state()}", *goals]
    return [clause(call("trail", [*key, state, f"[{', '.join(args)}]", *extra]), goals), *clause_.helpers]


def _reason_state(clause_: Clause) -> str:
    if clause_.whole:
        return "S"
    return clause_.head_state() if clause_.slots else "_"


def _probe(clause_: Clause, probe: Probe) -> list[str]:
    """The label and the value of a probe, with their sorts: said("at(~w)", [cell-From]), player-V."""
    words = []
    label = re.sub(r"\{\d+\}", "~w", probe.label)
    for arg in probe.args:
        words.append(f"{sort_name(arg.sort)}-{clause_.expr(arg)}")
    value = "missing"
    if probe.value is not None:
        value = f"{sort_name(probe.value.sort)}-{clause_.expr(probe.value)}"
    elif probe.label.startswith("{0} + "):
        value = "off_board"
    return [f"said({quoted(label)}, [{', '.join(words)}])", value]
