"""How a game ends, and what its positions are worth."""

from __future__ import annotations

from collections.abc import Sequence

from dsl.check.elaborate import Scope, define
from dsl.check.order import Builder, rule_of
from dsl.check.symbols import Rejected, World, attempt
from dsl.check.terms import NEVER, TVar, both
from dsl.errors import choices, nearest
from dsl.model import Const, Contest, Ending, Result, Sort, Term, Winner
from dsl.text import nodes


def result_of(world: World, node: nodes.Result) -> Result:
    """The result of an ending: a winner, a draw or a contest; raises `Rejected` for an unknown player."""
    match node:
        case nodes.Draw():
            return Winner(None, None)
        case nodes.Wins(_, who, loses):
            player = world.sorts["player"]
            if who.name in ("mover", "opponent"):
                other = {"mover": "opponent", "opponent": "mover"}
                return Winner(None, other[who.name] if loses else who.name)
            if who.name not in player.labels:
                known = [*player.labels, "mover", "opponent"]
                raise world.reject(who.span, f'"{who.name}" is not a player',
                                   nearest(who.name, known) or f"it is {choices(known)}")  # fmt: skip
            value = player.labels.index(who.name) + 1
            return Winner(Const(3 - value if loses else value, player), None)
        case nodes.Contest(_, rankings, otherwise):
            rules = [attempt(_ranking, world, name) for _, name in rankings]
            if None in rules:
                raise Rejected
            ranked = tuple((kind, str(rule)) for (kind, _), rule in zip(rankings, rules, strict=True))
            rest = result_of(world, otherwise) if otherwise is not None else Winner(None, None)
            return Contest(ranked, rest)


def _ranking(world: World, name: nodes.Name) -> str:
    """A rule that gives a player's number, for `most points`."""
    player, slot = world.sorts["player"], world.slots.get(name.name)
    definition = define(world, name.name) if name.name in world.definitions else None
    if slot is None and definition is None:
        raise world.reject(name.span, f'there is no definition "{name.name}"',
                           nearest(name.name, [*world.definitions, *world.slots]))  # fmt: skip
    params = slot.params if slot else tuple(p.sort for p in definition.params) if definition else ()
    result = slot.sort if slot else definition.result if definition else None
    if params != (player,) or not isinstance(result, Sort) or result.labels:
        raise world.reject(
            name.span,
            f'"{name.name}" cannot rank the players: it needs a number for each player',
            f"for example:  define {name.name}(p: player) = count c: cell where at(c) = p",
        )
    rule = f"rank_{name.name}"
    scope = Scope(world)
    who = scope.names.fresh("player", player)
    scope.locals["player"] = TVar(who)
    body = scope.number(nodes.Call(name.span, name.name, (nodes.Name(name.span, "player"),)))
    world.rules[rule] = rule_of(world, rule, (who,), body, scope.names, name.span, name.name)
    return rule


def ending_of(world: World, node: nodes.Ending) -> Ending | None:
    """The checked ending; None if it can never hold."""
    scope = Scope(world, place="end")
    result = result_of(world, node.result)
    repeated = turns = None
    ignoring: tuple[str, ...] = ()
    conds = []
    for part in _conjuncts(node.condition):
        match part:
            case nodes.Repeated(_, count, names):
                repeated, ignoring = count, tuple(_ignored(world, name) for name in names)
            case nodes.Binary(_, op, nodes.Name(_, "turns"), limit) if "turns" not in world.slots:
                if op != ">=":
                    raise world.reject(part.span, "turns are compared with >=",
                                       "for example:  draw when turns >= 100")  # fmt: skip
                turns = scope.constant(limit)
            case _:
                conds.append(scope.cond(part))
    cond = both(*conds)
    if cond == NEVER:
        return None  # the options have decided that this never happens
    builder = Builder(world, scope.names, "end")
    builder.cond(cond)
    reason = node.reason or " ".join(node.condition.span.text.split())
    return Ending(result, builder.body(), reason, repeated, ignoring, turns, node.span)


def _ignored(world: World, name: nodes.Name) -> str:
    """A part of the position that `repeated` does not look at."""
    if name.name not in world.slots:
        raise world.reject(name.span, f'"{name.name}" is not part of the state, so positions do not differ in it',
                           nearest(name.name, list(world.slots)))  # fmt: skip
    return name.name


def same_for_all(world: World, node: nodes.End, endings: Sequence[Ending]) -> None:
    """There is one count of positions, so all endings that ask for it must count alike."""
    asking = [ending for ending in endings if ending.repeated is not None]
    for ending in asking[1:]:
        if set(ending.ignoring) != set(asking[0].ignoring):
            said = f"ignoring {', '.join(asking[0].ignoring)}" if asking[0].ignoring else "ignoring nothing"
            span = next(e.condition.span for e in node.endings if e.span == ending.span)
            raise world.reject(span, "all endings with “repeated” must ignore the same variables",
                               f"line {asking[0].span.line} counts positions {said}")  # fmt: skip


def term_of(world: World, node: nodes.Term) -> Term:
    """The checked term of the `evaluate` block; adds a rule for its value."""
    player = world.sorts["player"]
    scope = Scope(world, place="evaluate")
    me, you = scope.names.fresh("me", player), scope.names.fresh("you", player)
    scope.locals |= {"me": TVar(me), "you": TVar(you)}
    rule = f"term_{node.name.name}"
    if rule in world.rules:
        raise world.reject(node.name.span, f'the term "{node.name.name}" is already declared')
    value = scope.number(node.value)
    said = _names(node.value)
    if not {"me", "you"} & {name.name for name in said}:
        mover = next((name.span for name in said if name.name in ("mover", "opponent")), None)
        hint = ("use  me  for the player whom the term counts for,  you  for the opponent" if mover else
                "for example:  material 10 : count c: cell where at(c) = me")  # fmt: skip
        world.report.add(mover or node.value.span, "this term is the same for both players, so it always counts 0: "
                         "use me or you", hint)  # fmt: skip
    world.rules[rule] = rule_of(world, rule, (me, you), value, scope.names, node.name.span,
                                " ".join(node.value.span.text.split()))  # fmt: skip
    return Term(node.name.name, node.weight, rule)


def _conjuncts(expr: nodes.Expr) -> list[nodes.Expr]:
    if isinstance(expr, nodes.And):
        return _conjuncts(expr.left) + _conjuncts(expr.right)
    return [expr]


def _names(node: object) -> list[nodes.Name]:
    """The words in an expression that stand alone."""
    if isinstance(node, tuple):
        return [name for one in node for name in _names(one)]
    if not isinstance(node, nodes.Node):
        return []
    own = [node] if isinstance(node, nodes.Name) else []
    return own + [name for part in node.__dataclass_fields__ for name in _names(getattr(node, part))]
