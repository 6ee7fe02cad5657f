"""Moves: from the syntax of a kind of move to an action of the model.

In: a `move` section and the Symbols.  Out: an `Action`: the order in which its moves are found, each demand as a
check of its own with the values that explain it, and the rounds of effects.
"""

from __future__ import annotations

import difflib
import re
from dataclasses import replace

from dsl.check import effects
from dsl.check.elaborate import Scope, quoted
from dsl.check.order import Builder, Pending, stages_of
from dsl.check.reasons import demand_of
from dsl.check.symbols import Rejected, Symbols
from dsl.check.terms import Cond, SSort
from dsl.errors import listed
from dsl.model import Action, SetSort, Var
from dsl.text import nodes


def action_of(symbols: Symbols, node: nodes.Move) -> Action:
    """The action of one kind of move."""
    scope = Scope(symbols, place="when")
    params = _params(scope, node)
    conds: list[tuple[nodes.Demand, Cond]] = []
    for demand in node.when:
        try:
            conds.append((demand, scope.cond(demand.condition)))
        except Rejected:
            continue  # the other demands are still worth reading
    builder = Builder(symbols, scope.names, node.name.name)
    groups = builder.choose(
        [(p, SSort(_sort(p))) for p in params], [Pending(c, i) for i, (_, c) in enumerate(conds)],
        declared_order=True,
    )  # fmt: skip
    lines = [(d.span, d.span.text) for d, _ in conds]
    after = []
    for demand in node.after:
        try:
            after.append(demand_of(symbols, node.name.name, params, demand, scope.cond(demand.condition)))
        except Rejected:
            continue
    return Action(
        name=node.name.name,
        params=params,
        text=_text(symbols, node, params),
        stages=stages_of(groups, lines, (node.name.span, f"each {', '.join(p.name for p in params)}")),
        demands=tuple(demand_of(symbols, node.name.name, params, d, c) for d, c in conds),
        rounds=effects.write(
            node.do, replace(scope, place="do").inner(),
            Builder(symbols, scope.names, node.name.name, set(params))),
        after=tuple(after),
        ordered=builder.ordered,
        span=node.name.span,
    )  # fmt: skip


def _params(scope: Scope, node: nodes.Move) -> tuple[Var, ...]:
    params = []
    for param in node.params:
        if param.type is None:
            raise scope.symbols.reject(param.span, f'the parameter "{param.name}" has no type',
                                       f"for example:  {param.name}: cell")  # fmt: skip
        sort = scope.sort(param.type)
        if isinstance(sort, SetSort) or sort.size > 70_000:
            raise scope.symbols.reject(param.type.span, "a parameter of a move needs a finite type of single values",
                                       "for example:  cell, direction, player or 1..4")  # fmt: skip
        if sort.optional:
            raise scope.symbols.reject(param.type.span, "a parameter of a move cannot be none: remove “or none”")
        params.append(scope.bind(nodes.Name(param.span, param.name), sort))
    return tuple(params)


def _text(symbols: Symbols, node: nodes.Move, params: tuple[Var, ...]) -> str:
    """How the move is written: as its author says, or its name and parameters."""
    names = [p.name for p in params]
    if node.text is None or node.text_span is None:
        return " ".join([node.name.name, *(f"{{{name}}}" for name in names)])
    asked = re.findall(r"\{(\w+)\}", node.text)
    strange = [name for name in dict.fromkeys(asked) if name not in names]
    missing = [name for name in names if name not in asked]
    if strange or missing:
        right, guessed = _right_text(node.text, names, strange, missing)
        hint = f'{"for example:" if guessed else "write"}  "{right}"'
        if strange:
            known = f"its parameters are {listed(names)}" if names else "it has none"
            word = "parameters" if len(strange) > 1 else "parameter"
            symbols.report.add(node.text_span, f"this move has no {word} {listed(map(quoted, strange))}",
                               hint if missing else known)  # fmt: skip
        elif not asked and not guessed:
            symbols.report.add(node.text_span, "the parameters in the text of a move are written in braces", hint)
        else:
            without = f"{listed(f'{{{name}}}' for name in missing)} {'are' if len(missing) > 1 else 'is'} missing"
            symbols.report.add(node.text_span, f"two different moves would have the same text: {without}", hint)
    return node.text


def _right_text(text: str, names: list[str], strange: list[str], missing: list[str]) -> tuple[str, bool]:
    """The text of a move with all its parameters, and whether some had to be put anywhere."""
    left = list(missing)
    for name in strange:
        for meant in difflib.get_close_matches(name, left, 1, 0.5) or left[:1]:
            text = text.replace(f"{{{name}}}", f"{{{meant}}}")
            left.remove(meant)
    if left and "{" not in text:
        text = re.sub(rf"[<\[($%]*\b({'|'.join(names)})\b[>\])%]*", r"{\1}", text)
        left = [name for name in names if f"{{{name}}}" not in text]
    for name in left:
        text += f"{'-' if text.endswith('}') else ' ' * text[-1:].isalnum()}{{{name}}}"
    return text, bool(left)


def check_circles(symbols: Symbols) -> None:
    """Refuses kinds of moves whose legality would have to be known before it can be found out."""
    calls = {name: _calls(move, symbols) for name, move in symbols.moves.items()}
    for name, move in symbols.moves.items():
        for call in [call for call in calls[name] if call.name == "moves"][:1]:
            symbols.report.add(call.span, "“moves” cannot be used where legality is decided, because it "
                               "needs the legal moves", "it can be used under end and evaluate")  # fmt: skip
        reached: set[str] = set()
        todo = [name]
        while todo:
            for call in [call for call in calls[todo.pop()] if call.name == "possible"]:
                asked = call.args[0].span.text
                if asked not in reached and asked in symbols.moves:
                    reached.add(asked)
                    todo.append(asked)
        if name in reached:
            symbols.report.add(move.name.span, f'whether "{name}" is possible depends on itself',
                               "its conditions use  possible(…)  in a circle")  # fmt: skip


def _calls(move: nodes.Move, symbols: Symbols) -> list[nodes.Call]:
    """Where the demands of a move, or definitions that they use, ask about moves: `moves` and `possible`."""
    found: list[nodes.Call] = []
    seen: set[str] = set()
    functions = {"moves", "possible"} - symbols.definitions.keys()

    def look(node: object) -> None:
        if isinstance(node, tuple):
            for item in node:
                look(item)
            return
        if isinstance(node, nodes.Call) and node.name in functions:
            found.append(node)
        name = getattr(node, "name", None)
        if isinstance(node, nodes.Reach):
            name = node.relation
        if isinstance(name, str) and name in symbols.definitions and name not in seen:
            seen.add(name)
            look(symbols.definitions[name].syntax.body)
        if isinstance(node, nodes.Node):
            for field in node.__slots__:  # all but its span
                look(getattr(node, field))

    look(move.when)
    look(move.after)
    return found


def _sort(var: Var):  # type: ignore[no-untyped-def]
    return var.sort
