"""Moves: from the syntax of a kind of move to an action of the model.

In: a `move` section and the Symbols.  Out: an `Action`: the order in which its moves are found, each demand as a
check of its own with the values that explain it, and the rounds of effects.
"""

from __future__ import annotations

import difflib
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from pysolve.dsl.check import effects
from pysolve.dsl.check.elaborate import Scope, quoted
from pysolve.dsl.check.order import Builder, Pending, rule_of, stages_of
from pysolve.dsl.check.ranges import Ranges, refuse
from pysolve.dsl.check.reasons import demand_of
from pysolve.dsl.check.symbols import Rejected, Symbols
from pysolve.dsl.check.terms import CIn, Cond, CTruth, SSort, Term, TSet, TVar, bound, reads, renamed
from pysolve.dsl.errors import listed
from pysolve.dsl.language.constants import LONGEST_TURN
from pysolve.dsl.language.operators import LARGEST
from pysolve.dsl.model import Action, Again, Demand, Effects, Preferred, SetSort, Stage, Var
from pysolve.dsl.text import nodes

MOST_VALUES = 70_000  # of a parameter
HEAVIEST = 2**31 - 1  # the most that all weights of chance add up to


@dataclass
class _Line:
    """A line under `when`: its condition, its text as quoted in explanations, and the values that it names by `let`."""

    demand: nodes.Demand
    cond: Cond
    text: str
    lets: dict[str, Term]


def action_of(symbols: Symbols, node: nodes.Move) -> Action:
    """The action of one kind of move."""
    owner, scope = node.name.name, Scope(symbols, place="when")
    chosen = _params(scope, node)
    params = tuple(var for var, _ in chosen)
    guards = guards_of(symbols, node)
    bindings = [binding for line in node.when if isinstance(line, nodes.Let) for binding in line.bindings]
    names = {name.name for name, _ in bindings}
    found = [
        *(_Line(guard, scope.cond(guard.condition), f"not possible({guard.span.text})", {}) for guard in guards),
        *_chosen(chosen, node), *_lines(scope, node),
    ]  # fmt: skip
    lets = {name: scope.locals[name] for name in names if name in scope.locals}
    beyond = scope.ranges.beyond
    for line in found:
        scope.ranges.look(line.cond)
        scope.ranges = scope.ranges.where(line.cond)
    weight = _weight(scope, node, params)
    for line in (weighed := _weighed(scope, node)):
        scope.ranges.look(line.cond)
        scope.ranges = scope.ranges.where(line.cond)
    found += weighed
    if beyond:
        raise Rejected
    builder = Builder(symbols, scope.names, owner)
    groups = builder.choose(
        [(p, SSort(_sort(p))) for p in params], [Pending(line.cond, i) for i, line in enumerate(found)],
        declared_order=True,
    )  # fmt: skip
    worth = _worth(scope, node, params)
    preferred = (Preferred(owner, params),) if worth else ()
    said = () if node.prefer is None else (Demand(_quoted_prefer(node.prefer), node.prefer.reason, node.prefer.span,
                                                  preferred, ()),)  # fmt: skip
    doing, after = replace(scope, place="do").inner(), _after(scope, node, lets)
    for name in lets:
        del doing.locals[name]
    return Action(
        name=owner,
        params=params,
        text=_text(symbols, node, params),
        stages=stages_of(groups, [(line.demand.span, line.text) for line in found],
                         (node.name.span, f"each {', '.join(p.name for p in params)}"))
        + tuple(Stage(one.span, one.text, preferred) for one in said),
        demands=tuple(
            replace(demand_of(symbols, owner, params, line.demand, line.cond, line.lets,
                              [one.cond for one in found[:number]]), text=line.text)
            for number, line in enumerate(found)
        ) + said,
        rounds=_turn_kept(node, effects.write(
            (*_needed(bindings, node.do), *node.do), doing, Builder(symbols, scope.names, owner, set(params)))),
        after=tuple(demand_of(symbols, owner, params, demand, cond, above=[one for _, one in after[:number]])
                    for number, (demand, cond) in enumerate(after)),
        ordered=builder.ordered,
        span=node.name.span,
        worth=worth,
        chance=node.chance,
        weight=weight,
        seen=_seen(symbols, node, params),
    )  # fmt: skip


def _worth(scope: Scope, node: nodes.Move, params: tuple[Var, ...]) -> str | None:
    """The rule that says what a move is worth by itself; None if the kind has no `prefer`."""
    if node.prefer is None:
        return None
    symbols, name = scope.symbols, f"worth_{node.name.name}"
    anywhere = replace(scope.inner(), ranges=Ranges(symbols))  # `why` asks it of moves that are not legal, too
    value = anywhere.computable(anywhere.number(node.prefer.value))
    low, high = (LONGEST_TURN * end for end in anywhere.ranges.value(value) or (0, 0))
    if max(-low, high) > LARGEST:
        refuse(symbols, node.prefer.value.span, (low, high), f"up to {LONGEST_TURN} moves of a turn are added")
    symbols.rules[name] = rule_of(symbols, name, params, value, scope.names, node.prefer.span,
                                  _quoted_prefer(node.prefer))  # fmt: skip
    return name


def guards_of(symbols: Symbols, node: nodes.Move) -> list[nodes.Demand]:
    """What every move demands that a player chooses: that no move of chance comes first."""
    kinds = [] if node.chance else [kind.name for kind in symbols.moves.values() if kind.chance]
    return [nodes.Demand(name.span, nodes.Not(name.span, nodes.Call(name.span, "possible", (name,))),
                         f"chance comes first: {name.name}") for name in kinds]  # fmt: skip


def _weighed(scope: Scope, node: nodes.Move) -> list[_Line]:
    """The demand that a move of chance has a weight: none where it certainly has one."""
    if node.weight is None:
        return []
    span = node.weight.span
    positive = nodes.Binary(span, ">", node.weight, nodes.Number(span, 0))
    cond = scope.cond(positive)
    demand = nodes.Demand(span, positive, "its weight is 0")
    return [] if cond == CTruth(True) else [_Line(demand, cond, f"weight {node.weight.span.words}", {})]


def _weight(scope: Scope, node: nodes.Move, params: tuple[Var, ...]) -> str | None:
    """The rule that says how likely a move of chance is; None if it has no `weight`."""
    if node.weight is None:
        return None
    symbols, name, span = scope.symbols, f"weight_{node.name.name}", node.weight.span
    value = scope.computable(scope.number(node.weight))
    low, high = scope.ranges.value(value) or (0, 0)
    if low < 0:
        raise symbols.reject(span, f"a weight is 0 or more; this one may be {low}", "for example:  max(0, …)")
    symbols.weights += high * math.prod(_sort(param).size for param in params)
    if symbols.weights > HEAVIEST:
        raise symbols.reject(span, f"the weights of all moves of chance may add up to {symbols.weights:,}, more than "
                             f"{HEAVIEST:,}", "smaller weights in the same proportion mean the same")  # fmt: skip
    symbols.rules[name] = rule_of(symbols, name, params, value, scope.names, span, f"weight {node.weight.span.words}")
    return name


def _turn_kept(node: nodes.Move, rounds: tuple[Effects, ...]) -> tuple[Effects, ...]:
    """The effects of a move; those of chance pass the turn only if they say to whom."""
    return ((Again(node.name.span), *rounds[0]), *rounds[1:]) if node.chance else rounds


def _quoted_prefer(prefer: nodes.Prefer) -> str:
    return f"prefer most {prefer.value.span.words}"


def _chosen(params: Sequence[tuple[Var, TSet]], node: nodes.Move) -> list[_Line]:
    """A demand for each parameter declared by `in`: that its value is in its set."""
    return [
        _Line(nodes.Demand(param.within.span, param.within, None), CIn(TVar(var), base),
              f"{param.name} in {param.within.span.words}", {})
        for (var, base), param in zip(params, node.params, strict=True) if param.within is not None
    ]  # fmt: skip


def _lines(scope: Scope, node: nodes.Move) -> list[_Line]:
    """The demands under `when`; a name that `let` gives to a value stands for it in the lines below.

    That it has a value is a demand of its own, unless it certainly has one.
    """
    found: list[_Line] = []
    lets: dict[str, Term] = {}
    broken: set[str] = set()  # names without a value, because of a mistake that has been reported
    builder = Builder(scope.symbols, scope.names, node.name.name)
    for line in node.when:
        for name, value in line.bindings if isinstance(line, nodes.Let) else ():
            try:
                if _mentioned(value) & broken:
                    raise Rejected
                term = scope.call(name, scope.term(value))
                lets[name.name] = term
            except Rejected:
                broken.add(name.name)
                continue
            if not builder.total(term):
                demand = nodes.Demand(value.span, value, None)
                found.append(_Line(demand, CIn(term, SSort(term.sort)), f"let {name.name} = {value.span.words}",
                                   {name.name: term}))  # fmt: skip
        if isinstance(line, nodes.Demand) and not _mentioned(line.condition) & broken:
            named = _mentioned(line.condition)
            try:
                found.append(_Line(line, scope.cond(line.condition), line.span.words,
                                   {name: term for name, term in lets.items() if name in named}))  # fmt: skip
            except Rejected:
                continue  # the other demands are still worth reading
    return found


def _after(scope: Scope, node: nodes.Move, lets: Mapping[str, Term]) -> list[tuple[nodes.Demand, Cond]]:
    """The demands on the position after the move; a value that was read before it has no name there."""
    found = []
    inner = scope.inner()
    inner.ranges = Ranges(scope.symbols)  # `why` asks what would be after moves that are not legal, too
    before = {name for name, term in lets.items() if reads(term)}
    for name in before:
        del inner.locals[name]
    for demand in node.after:
        try:
            for name in sorted(_mentioned(demand.condition) & before):
                raise scope.symbols.reject(
                    demand.span, f'"{name}" is a value from before the move; “after” reads the position after it',
                    "repeat the value, or name it with define")  # fmt: skip
            found.append((demand, inner.computable(inner.cond(demand.condition))))
            inner.ranges = inner.ranges.where(found[-1][1])
        except Rejected:
            continue
    return found


def _needed(
    bindings: Sequence[tuple[nodes.Name, nodes.Expr]], body: tuple[nodes.Statement, ...]
) -> tuple[nodes.Statement, ...]:
    """The names from `when` that effects use, given to their values again: those of the position before the move."""
    used, needed = _mentioned(body), list[nodes.Statement]()
    for name, value in reversed(bindings):
        if name.name in used:
            used |= _mentioned(value)
            needed.insert(0, nodes.Let(value.span, ((name, value),)))
    return tuple(needed)


def _mentioned(phrase: object) -> set[str]:
    """The names in a phrase."""
    if isinstance(phrase, tuple):
        return {name for part in phrase for name in _mentioned(part)}
    if not isinstance(phrase, nodes.Node):
        return set()
    inside = {name for field in phrase.__slots__ for name in _mentioned(getattr(phrase, field))}
    return inside | ({phrase.name} if isinstance(phrase, nodes.Name) else set())


def _params(scope: Scope, node: nodes.Move) -> tuple[tuple[Var, TSet], ...]:
    """The parameters, each with the set that it is chosen from: its type, or what depends on those before it."""
    params = []
    for param in node.params:
        if param.within is not None:
            base = scope.set(param.within)
            base = renamed(base, {old: scope.names.fresh(old.name, old.sort) for old in sorted(bound(base), key=str)})
        else:
            sort = scope.sort_of(param)
            if isinstance(sort, SetSort):
                raise _not_finite(scope, param)
            if sort.optional:
                assert param.type is not None
                raise scope.symbols.reject(param.type.span, "a parameter of a move cannot be none: remove “or none”")
            base = SSort(sort)
        if base.sort.size > MOST_VALUES:
            raise _not_finite(scope, param)
        sort = replace(base.sort, high=max(base.sort.low, base.sort.high))  # of an empty range, which gives no move
        params.append((scope.bind(nodes.Name(param.span, param.name), sort), base))
    return tuple(params)


def _not_finite(scope: Scope, param: nodes.Param) -> Rejected:
    place = param.type or param.within
    assert place is not None
    return scope.symbols.reject(place.span, "a parameter of a move needs a finite type of single values",
                                "for example:  cell, direction, player or 1..4")  # fmt: skip


def _text(symbols: Symbols, node: nodes.Move, params: tuple[Var, ...]) -> str:
    """The text of a move, with its parameters in braces: as its author writes it, or its name and parameters."""
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


def _seen(symbols: Symbols, node: nodes.Move, params: tuple[Var, ...]) -> str | None:
    """The text of a move that others read, with the parameters that they may know; None: they read the text itself."""
    if node.seen is None or node.seen_span is None:
        return None
    names = [param.name for param in params]
    strange = [name for name in dict.fromkeys(re.findall(r"\{(\w+)\}", node.seen)) if name not in names]
    if strange:
        word = "parameters" if len(strange) > 1 else "parameter"
        symbols.report.add(node.seen_span, f"this move has no {word} {listed(map(quoted, strange))}",
                           f"its parameters are {listed(names)}" if names else "it has none")  # fmt: skip
    return node.seen


def _right_text(text: str, names: list[str], strange: list[str], missing: list[str]) -> tuple[str, bool]:
    """The text of a move with all its parameters, and whether some had to be put anywhere."""
    left = list(missing)
    for name in strange:
        for meant in difflib.get_close_matches(name, left, 1, 0.5) or left[:1]:
            text = text.replace(f"{{{name}}}", f"{{{meant}}}")
            left.remove(meant)
    if left and "{" not in text:
        text = re.sub(rf"[<\[($%]{{0,9}}\b({'|'.join(names)})\b[>\])%]*", r"{\1}", text)
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
            waits = any(symbols.moves[one].chance for one in (name, *reached)) and not move.chance
            hint = "its conditions use  possible(…)  in a circle"
            if waits:
                hint = "moves wait for chance, so chance cannot ask whether they are possible"
            symbols.report.add(move.name.span, f'whether "{name}" is possible depends on itself', hint)


def _calls(move: nodes.Move, symbols: Symbols) -> list[nodes.Call]:
    """The calls of `moves` and `possible` in the demands of a move, or in definitions that these use."""
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

    look(tuple(guards_of(symbols, move)))
    look(move.when)
    look(move.weight)
    look(move.after)
    look(move.prefer)
    return found


def _sort(var: Var):  # type: ignore[no-untyped-def]
    return var.sort
