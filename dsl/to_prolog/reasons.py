"""The clauses that `why` is made of: each demand by itself, and the values that decide it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from dsl.model import Body, Demand, Game, Probe, Var
from dsl.to_prolog.clause import Clause
from dsl.to_prolog.serve import sort_name
from dsl.to_prolog.text import call, clause, quoted


def print_reasons(game: Game) -> str:
    """demand, shows and against: what `why` is made of."""
    checks, shown, counters, lines = [], [], [], []
    for kind, params, part, number, demand in _demands(game):
        key = [quoted(kind), part, str(number)]
        prefix = f"{kind}_{part}_{number}"
        checks += _reason_clause(game, params, f"demand_{prefix}", key, demand.body, None)
        for at, probe in enumerate(demand.probes):
            shown += _reason_clause(game, params, f"shows_{prefix}_{at}", key, probe.body, probe)
        if demand.counter:
            counters += _against(game, params, f"against_{prefix}", key, demand)
        lines.append(f"line({', '.join(key)}, {demand.span.line}, {quoted(demand.text)}, "
                     f"{quoted(demand.reason) if demand.reason else 'none'}).")  # fmt: skip
    blank = {"demand": 5, "shows": 7, "against": 7, "line": 6}
    groups = {"demand": checks, "shows": shown, "against": counters, "line": lines}
    found = ["% demand(Kind, Part, Number, S, Parameters): the demand holds."]
    for name, clauses in groups.items():
        helpers = [c for c in clauses if not c.startswith(f"{name}(")]
        own = [c for c in clauses if c.startswith(f"{name}(")]
        found += own or [f"{name}({', '.join('_' * blank[name])}) :-\n    fail."]
        found += helpers
    return "\n".join(found)


def claim_kind(number: int) -> str:
    """What an example says of a position is asked for like a kind of moves; no name of an author is like this one."""
    return f"0{number}"


def _demands(game: Game) -> Iterator[tuple[str, tuple[Var, ...], str, int, Demand]]:
    """Kind, parameters, part, number there, and the demand itself."""
    for action in game.actions:
        for part, demands in (("when", action.demands), ("after", action.after)):
            for number, demand in enumerate(demands, 1):
                yield action.name, action.params, part, number, demand
    for number, claim in enumerate(game.claims):
        yield claim_kind(number), (), "when", 1, claim


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
    value = f"{sort_name(probe.value.sort)}-{clause_.expr(probe.value)}"
    return [f"said({quoted(label)}, [{', '.join(words)}])", value]
