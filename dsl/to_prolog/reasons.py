"""The clauses that `why` is made of: each demand by itself, and the values that decide it."""

from __future__ import annotations

import re

from dsl.model import Action, Body, Demand, Game, Probe
from dsl.to_prolog.clause import Clause
from dsl.to_prolog.serve import sort_name
from dsl.to_prolog.text import call, clause, quoted


def print_reasons(game: Game) -> str:
    """demand, shows and against: what `why` is made of."""
    checks, shown, counters, lines = [], [], [], []
    for action in game.actions:
        for part, demands in (("when", action.demands), ("after", action.after)):
            for number, demand in enumerate(demands, 1):
                key = [quoted(action.name), part, str(number)]
                checks += _reason_clause(game, action, "demand", key, demand.body, None)
                for at, probe in enumerate(demand.probes):
                    shown += _reason_clause(game, action, "shows", key, probe.body, probe, f"_{at}")
                if demand.counter:
                    counters += _against(game, action, key, demand)
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


def _reason_clause(
    game: Game, action: Action, predicate: str, key: list[str], body: Body, probe: Probe | None, more: str = ""
) -> list[str]:
    clause_ = Clause(game, prefix=f"{predicate}_{action.name}_{key[1]}_{key[2]}{more}")
    args = [clause_.var(p) for p in action.params]
    goals = clause_.goals(body)
    extra = [] if probe is None else _probe(clause_, probe)
    state = _reason_state(clause_)
    goals = [*clause_.hoisted.values(), *goals]
    if clause_.whole and clause_.slots:
        goals = [f"S = {clause_.head_state()}", *goals]
    return [clause(call(predicate, [*key, state, f"[{', '.join(args)}]", *extra]), goals), *clause_.helpers]


def _against(game: Game, action: Action, key: list[str], demand: Demand) -> list[str]:
    """against(…, Label, Value): what speaks against an `every` or a `no`, value by value."""
    found: list[str] = []
    for probe in demand.counter_probes:
        clause_ = Clause(game, prefix=f"against_{action.name}_{key[1]}_{key[2]}_{len(found)}")
        args = [clause_.var(p) for p in action.params]
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
