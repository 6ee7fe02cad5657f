"""Moves: from the syntax of a kind of move to an action of the model.

In: a `move` section and the World.  Out: an `Action`: the order in which its moves are found, each demand as a
check of its own with the values that explain it, and the rounds of effects.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from dsl import syntax
from dsl.check import effects
from dsl.check.elaborate import Names, Scope, quoted
from dsl.check.order import Builder, Pending, stages_of
from dsl.check.terms import (
    ALWAYS,
    CONDS,
    CAnd,
    CCompare,
    CIn,
    CNot,
    Cond,
    COr,
    CRule,
    CSome,
    SItems,
    SSort,
    TConst,
    Term,
    TLookup,
    TRead,
    TRule,
    TVar,
    Typed,
    bound,
    conjuncts,
    free,
    parts,
    rebuilt,
)  # fmt: skip
from dsl.check.world import Rejected, World
from dsl.errors import listed
from dsl.model import Action, Atom, Const, Demand, Probe, SetSort, Var


def action_of(world: World, node: syntax.Move) -> Action:
    """The action of one kind of move."""
    scope = Scope(world, place="when")
    params = _params(scope, node)
    conds: list[tuple[syntax.Demand, Cond]] = []
    for demand in node.when:
        try:
            conds.append((demand, scope.cond(demand.condition)))
        except Rejected:
            continue  # the other demands are still worth reading
    builder = Builder(world, scope.names, node.name.name)
    groups = builder.choose(
        [(p, SSort(_sort(p))) for p in params], [Pending(c, i) for i, (_, c) in enumerate(conds)],
        declared_order=True,
    )  # fmt: skip
    lines = [(d.span, d.span.text) for d, _ in conds]
    after = []
    for demand in node.after:
        try:
            after.append(_demand(world, node.name.name, params, demand, scope.cond(demand.condition)))
        except Rejected:
            continue
    return Action(
        name=node.name.name,
        params=params,
        text=_text(world, node, params),
        stages=stages_of(groups, lines, (node.name.span, f"each {', '.join(p.name for p in params)}")),
        demands=tuple(_demand(world, node.name.name, params, d, c) for d, c in conds),
        rounds=effects.write(
            node.do, replace(scope, place="do").inner(),
            Builder(world, scope.names, node.name.name, set(params))),
        after=tuple(after),
        ordered=builder.ordered,
        span=node.name.span,
    )  # fmt: skip


def _params(scope: Scope, node: syntax.Move) -> tuple[Var, ...]:
    params = []
    for param in node.params:
        if param.type is None:
            raise scope.world.reject(param.span, f'the parameter "{param.name}" has no type',
                                     f"for example:  {param.name}: cell")  # fmt: skip
        sort = scope.sort(param.type)
        if isinstance(sort, SetSort) or sort.size > 70_000:
            raise scope.world.reject(param.type.span, "a parameter of a move has a finite type of single values",
                                     "for example:  cell, direction, player or 1..4")  # fmt: skip
        if sort.optional:
            raise scope.world.reject(param.type.span, "a parameter of a move is always a value: leave out “or none”")
        params.append(scope.bind(syntax.Name(param.span, param.name), sort))
    return tuple(params)


def _text(world: World, node: syntax.Move, params: tuple[Var, ...]) -> str:
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
            world.report.add(node.text_span, f"this move has no {word} {listed(map(quoted, strange))}",
                             hint if missing else known)  # fmt: skip
        elif not asked and not guessed:
            world.report.add(node.text_span, "the parameters of a move stand in braces", hint)
        else:
            without = f"{listed(f'{{{name}}}' for name in missing)} {'are' if len(missing) > 1 else 'is'} missing"
            world.report.add(node.text_span, f"two different moves would be written alike: {without}", hint)
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


def claim_of(world: World, node: syntax.Holds) -> Demand:
    """What an example says of a position, as a demand without parameters."""
    demand = syntax.Demand(node.condition.span, node.condition, None)
    return _demand(world, "example", (), demand, Scope(world, place="when").cond(node.condition))


def _demand(world: World, owner: str, params: tuple[Var, ...], demand: syntax.Demand, cond: Cond) -> Demand:
    builder = Builder(world, _names(params, cond), owner, set(params))
    builder.cond(cond)
    counter, counter_probes = _counter(world, owner, params, cond)
    return Demand(
        " ".join(demand.span.text.split()), demand.reason, demand.span, builder.body(),
        _probes(world, owner, set(params), cond), counter, counter_probes,
    )  # fmt: skip


def _names(params: Iterable[Var], cond: Cond) -> Names:
    """Names for what has to be computed for a condition, none of which is taken."""
    return Names({var.name for var in (*params, *bound(cond))})


def _probes(world: World, owner: str, known: set[Var], cond: Cond) -> tuple[Probe, ...]:
    """The values that decide a condition: what it reads and computes outside of any quantifier."""
    found: list[Probe] = []
    for term in _deciding(world, cond):
        if not free(term) <= known:
            continue
        builder = Builder(world, _names(known, cond), owner, set(known))
        value: Atom
        match term:
            case TLookup("board_step" | "board_leap", args, cells):  # told only where there is no such cell
                atoms = tuple(builder.atom(arg) for arg in args)
                label = "{0} + {1}" if len(args) == 2 else "{0} + {2} * {1}"
                builder.cond(CNot(CIn(term, SSort(cells))))
                value = Const(cells.none, replace(cells, optional=True))
            case TRead(name, args, _) | TRule(name, args, _) | TLookup(name, args, _):
                if name == "opponent":
                    args = ()
                atoms = tuple(builder.atom(arg) for arg in args)
                label = name.removeprefix("def_").removeprefix("table_").removeprefix("board_")
                inside = ", ".join(f"{{{i}}}" for i in range(len(atoms)))
                label = f"{label}({inside})" if atoms else label
                value = builder.atom(term)
            case TVar(var):
                atoms, label, value = (), var.name, var
            case _:
                continue
        probe = Probe(label, atoms, builder.body(), value)
        if (label, atoms) not in [(p.label, p.args) for p in found]:
            found.append(probe)
    return tuple(found)


def _deciding(world: World, node: Typed) -> Iterator[Term]:
    """The reads, rules and tables of a condition that an explanation should mention, in its definitions too."""
    match node:
        case CRule():
            yield from _deciding(world, _written_out(world, node))
            return
        case SItems():  # a member that does not exist is left out, and decides nothing
            yield from (term for part in parts(node) for term in _deciding(world, part) if not _is_step(term))
            return
        case TRead() | TRule() | TLookup():
            yield node
        case CSome():
            return
        case CCompare() | CNot() | CAnd() | COr():
            pass
        case TConst() | TVar():
            return
    for part in parts(node):
        yield from _deciding(world, part)


def _is_step(term: Term) -> bool:
    return isinstance(term, TLookup) and term.table in ("board_step", "board_leap")


def _written_out(world: World, use: CRule) -> Cond:
    """The condition that a definition stands for where it is used; nothing where its variables would be mistaken."""
    definition = world.definitions.get(use.rule.removeprefix("def_"))
    body = None if definition is None else definition.body
    if definition is None or not isinstance(body, CONDS) or not free(use).isdisjoint(bound(body)):
        return ALWAYS
    given = dict(zip(definition.params, use.args, strict=True))
    return rebuilt(body, lambda part: given.get(part.var) if isinstance(part, TVar) else None)


def _counter(
    world: World, owner: str, params: tuple[Var, ...], cond: Cond
) -> tuple[tuple, tuple[Probe, ...]]:  # type: ignore[type-arg]
    """For `every` and `no`: how to find what speaks against them, and what to say about it."""
    while isinstance(cond, CRule):
        cond = _written_out(world, cond)
    match cond:
        case CNot(CSome(binders, inner)):
            builder = Builder(world, _names(params, cond), owner, set(params))
            builder.choose(list(binders), [Pending(c) for c in conjuncts(inner)])
            known = set(params) | {v for v, _ in binders}
            shown = [Probe(v.name, (), (), v) for v, base in binders if not _told_by(world, v, inner)]
            return builder.body(), (*shown, *_probes(world, owner, known, inner))
    return (), ()


def _told_by(world: World, var: Var, cond: Cond) -> bool:
    """True if some value in the explanation has the variable as its argument."""
    return any(TVar(var) in getattr(term, "args", ()) for term in _deciding(world, cond))


def check_circles(world: World) -> None:
    """Refuses kinds of moves whose legality would have to be known before it can be found out."""
    calls = {name: _calls(move, world) for name, move in world.moves.items()}
    for name, move in world.moves.items():
        for call in [call for call in calls[name] if call.name == "moves"][:1]:
            world.report.add(call.span, "“moves” cannot decide which moves are legal: it would have to "
                             "know them first", "under end and evaluate it can be used")  # fmt: skip
        reached: set[str] = set()
        todo = [name]
        while todo:
            for call in [call for call in calls[todo.pop()] if call.name == "possible"]:
                asked = call.args[0].span.text
                if asked not in reached and asked in world.moves:
                    reached.add(asked)
                    todo.append(asked)
        if name in reached:
            world.report.add(move.name.span, f'whether "{name}" is possible depends on itself',
                             "its demands ask  possible(…)  in a circle")  # fmt: skip


def _calls(move: syntax.Move, world: World) -> list[syntax.Call]:
    """Where the demands of a move, or definitions that they use, ask about moves: `moves` and `possible`."""
    found: list[syntax.Call] = []
    seen: set[str] = set()
    functions = {"moves", "possible"} - world.definitions.keys()

    def look(node: object) -> None:
        if isinstance(node, tuple):
            for item in node:
                look(item)
            return
        if isinstance(node, syntax.Call) and node.name in functions:
            found.append(node)
        name = getattr(node, "name", None)
        if isinstance(node, syntax.Reach):
            name = node.relation
        if isinstance(name, str) and name in world.definitions and name not in seen:
            seen.add(name)
            look(world.definitions[name].syntax.body)
        if isinstance(node, syntax.Node):
            for field in node.__slots__:  # all but its span
                look(getattr(node, field))

    look(move.when)
    look(move.after)
    return found


def _sort(var: Var):  # type: ignore[no-untyped-def]
    return var.sort
