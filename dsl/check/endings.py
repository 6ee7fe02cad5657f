"""How a game ends, and what its positions are worth."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from pysolve.dsl.check.elaborate import Scope, a_kind, define, same_kind
from pysolve.dsl.check.order import Builder, rule_of
from pysolve.dsl.check.symbols import Rejected, Symbols, attempt
from pysolve.dsl.check.terms import NEVER, TLookup, TVar, both
from pysolve.dsl.check.terms import Term as Value
from pysolve.dsl.check.zero_sum import constant_sum
from pysolve.dsl.errors import Span, choices, listed
from pysolve.dsl.language.functions import OPPONENT
from pysolve.dsl.model import Const, Contest, Ending, Pay, Result, Sort, Term, Winner
from pysolve.dsl.model.payoffs import most_paid
from pysolve.dsl.model.rule_names import given_name, rule_of_ranking
from pysolve.dsl.text import nodes

LARGEST_ESTIMATE = 2**31 - 1
OUT = "out"  # the name of the rule that says who is out


def result_of(symbols: Symbols, node: nodes.Result) -> Result:
    """The result of an ending: a winner, a draw or a contest; raises `Rejected` for an unknown player."""
    match node:
        case nodes.Draw():
            return Winner(None, None)
        case nodes.Wins(_, who, loses):
            if _is_computed(symbols, who):
                raise symbols.reject(who.span, "only under end, and alone, a result can name a player who is computed",
                                     "for example:  end next(mover) wins when moves(mover) = 0")  # fmt: skip
            assert isinstance(who, nodes.Name)
            player = symbols.sorts["player"]
            two = player.high == 2
            if who.name == "opponent" and not two:
                raise Scope(symbols).no_opponent(who.span)
            if who.name in ("mover", "opponent"):
                other = {"mover": "opponent", "opponent": "mover"}
                return Winner(None, other[who.name] if loses and two else who.name, loses and not two)
            if who.name not in player.labels:
                known = [*player.labels, "mover", *(["opponent"] if two else [])]
                raise symbols.reject(who.span, f'"{who.name}" is not a player',
                                     symbols.report.nearest(who.name, known) or f"it is {choices(known)}")  # fmt: skip
            value = player.labels.index(who.name) + 1
            return Winner(Const(3 - value if loses and two else value, player), None, loses and not two)
        case nodes.Contest(span, rankings, otherwise, ranks):
            players = symbols.sorts["player"].high
            if players == 1:
                raise symbols.reject(span, "a lone player has nobody to compare with",
                                     "for example:  mover wins when points(mover) >= 10")  # fmt: skip
            rules = [attempt(_of_each, symbols, name, "rank the players") for _, name in rankings]
            if None in rules:
                raise Rejected
            ranked = tuple((kind, str(rule)) for (kind, _), rule in zip(rankings, rules, strict=True))
            if isinstance(otherwise, nodes.Pay):
                raise symbols.reject(otherwise.span, "what an ending pays is not what else decides a comparison",
                                     "write two endings:  pay gain when …")  # fmt: skip
            if otherwise is not None:
                return Contest(ranked, result_of(symbols, otherwise), ranks)
            return Contest(ranked, Winner(None, None) if players == 2 else None, ranks and players > 2)
        case nodes.Pay(span, name):
            rule = _of_each(symbols, name, "pay the players")
            return _payment(symbols, span, rule)


def _payment(symbols: Symbols, span: Span, rule: str) -> Pay:
    """What an ending pays by a rule; raises `Rejected` for payoffs that are too large, or do not add up to zero."""
    player, name = symbols.sorts["player"], given_name(rule)
    most, scope = most_paid(player.high), Scope(symbols)
    values = [scope.computable(scope.number(nodes.Call(span, name, (nodes.Name(span, label),))))
              for label in player.labels]  # fmt: skip
    ranges = [scope.ranges.value(value) or (0, 0) for value in values]
    low, high = min(low for low, _ in ranges), max(high for _, high in ranges)
    if low < -most or high > most:
        seats = f"{player.high} players" if player.high > 1 else "one player"
        raise symbols.reject(span, f"{name} is in {low}..{high}, but an ending pays at most {most} to one of {seats}",
                             f"count in larger units, or bound it:  max(-{most}, min({most}, …))")  # fmt: skip
    total = constant_sum(symbols, values) if player.high > 1 else 0
    if total:
        amounts = [constant_sum(symbols, [value]) for value in values]
        gets = listed(f"{label} gets {amount}" for label, amount in zip(player.labels, amounts, strict=True))
        message = f"what {name} pays must add up to zero, but it adds up to {total}"
        raise symbols.reject(span, message if None in amounts else f"{message}: {gets}",
                             "what one player wins another one loses; players who win together are paid by one more "
                             "who has no turn, as in hanabi")  # fmt: skip
    return Pay(rule, max(abs(low), abs(high)), total == 0, span)


def same_payoffs(symbols: Symbols, results: Sequence[tuple[Span, Result]]) -> None:
    """Where an ending pays numbers to three players or more, all do, or are draws: who simply wins has parts of 1."""
    if symbols.sorts["player"].high < 3 or not any(isinstance(result, Pay) for _, result in results):
        return
    for span, result in results:
        if not isinstance(result, Pay) and result != Winner(None, None):
            raise symbols.reject(span, "one ending pays numbers, so the others do, too: how much is this worth?",
                                 "pay  and a definition that says what each player gets, or  draw")  # fmt: skip


def _of_each(symbols: Symbols, name: nodes.Name, what: str) -> str:
    """A rule that gives a player's number, for `most points` and `pay points`."""
    player, slot = symbols.sorts["player"], symbols.slots.get(name.name)
    definition = define(symbols, name.name) if name.name in symbols.definitions else None
    if slot is None and definition is None:
        raise symbols.reject(name.span, f'there is no definition "{name.name}"',
                             symbols.report.nearest(name.name, [*symbols.definitions, *symbols.slots]))  # fmt: skip
    params = slot.params if slot else tuple(p.sort for p in definition.params) if definition else ()
    result = slot.sort if slot else definition.result if definition else None
    if params != (player,) or not isinstance(result, Sort) or result.labels:
        raise symbols.reject(
            name.span,
            f'"{name.name}" cannot {what}: it needs a number for each player',
            f"for example:  define {name.name}(p: player) = count c: cell where at(c) = p",
        )
    rule = rule_of_ranking(name.name)
    scope = Scope(symbols)
    who = scope.names.fresh("player", player)
    scope.locals["player"] = TVar(who)
    body = scope.computable(scope.number(nodes.Call(name.span, name.name, (nodes.Name(name.span, "player"),))))
    symbols.rules[rule] = rule_of(symbols, rule, (who,), body, scope.names, name.span, name.name)
    return rule


def ending_of(symbols: Symbols, node: nodes.Ending) -> Ending | None:
    """The checked ending; None if it can never hold, as that of a player who does not play."""
    computed = isinstance(node.result, nodes.Wins) and _is_computed(symbols, node.result.who)
    if isinstance(node.result, nodes.Wins) and not computed and _name(node.result.who) in symbols.absent:
        return None
    scope = Scope(symbols, place="end")
    result = None if computed else result_of(symbols, node.result)
    repeated = turns = None
    ignoring: tuple[str, ...] = ()
    conds = []
    for part in _conjuncts(node.condition):
        match part:
            case nodes.Repeated(_, count, names):
                repeated, ignoring = count, tuple(_ignored(symbols, name) for name in names)
            case nodes.Binary(_, op, nodes.Name(_, "turns"), limit) if "turns" not in symbols.slots:
                if symbols.sorts["player"].high == 1:
                    raise symbols.reject(part.span, "the turn of a lone player does not pass, so turns are not counted",
                                         "count moves in the state")  # fmt: skip
                if op != ">=":
                    raise symbols.reject(part.span, "turns are compared with >=",
                                         "for example:  draw when turns >= 100")  # fmt: skip
                turns = scope.constant(limit)
            case _:
                conds.append(scope.cond(part))
    cond = scope.computable(both(*conds))
    if cond == NEVER:
        return None  # the options have decided that this never happens
    builder = Builder(symbols, scope.names, "end")
    builder.cond(cond)
    if result is None:
        assert isinstance(node.result, nodes.Wins)
        result = _computed(scope, builder, node.result)
    reason = node.reason or node.condition.span.words
    return Ending(result, builder.body(), reason, repeated, ignoring, turns, node.span, node.reason is not None)


def _name(node: nodes.Expr) -> str:
    return node.name if isinstance(node, nodes.Name) else ""


def _is_computed(symbols: Symbols, who: nodes.Expr) -> bool:
    """True for a player who must be computed: by a function, a definition, an option or the state."""
    known = (symbols.definitions, symbols.slots.keys() - {"mover"}, symbols.options)
    return not isinstance(who, nodes.Name) or any(who.name in names for names in known)


def _computed(scope: Scope, builder: Builder, node: nodes.Wins) -> Winner:
    """The player whom an ending computes; the ending does not hold where there is none."""
    player = scope.symbols.sorts["player"]
    term = scope.term(node.who, replace(player, optional=True))
    if not same_kind(term.sort, player):
        raise scope.symbols.reject(node.who.span, f"expected a player who wins or loses, got {a_kind(term.sort)}",
                                   "for example:  next(mover) wins when …")  # fmt: skip
    term = scope.computable(scope.narrow(term, player))
    loses = node.loses
    if loses and player.high == 2:
        term, loses = TLookup(OPPONENT, (term,), player), False
    return Winner(builder.atom(term), None, loses)


def _ignored(symbols: Symbols, name: nodes.Name) -> str:
    """A part of the position that `repeated` does not look at."""
    if name.name not in symbols.slots:
        raise symbols.reject(name.span, f'"{name.name}" is not part of the state, so positions do not differ in it',
                             symbols.report.nearest(name.name, list(symbols.slots)))  # fmt: skip
    return name.name


def same_for_all(symbols: Symbols, node: nodes.End, endings: Sequence[Ending]) -> None:
    """There is one count of positions, so all endings that ask for it must count alike."""
    asking = [ending for ending in endings if ending.repeated is not None]
    for ending in asking[1:]:
        if set(ending.ignoring) != set(asking[0].ignoring):
            said = f"ignoring {', '.join(asking[0].ignoring)}" if asking[0].ignoring else "ignoring nothing"
            span = next(e.condition.span for e in node.endings if e.span == ending.span)
            raise symbols.reject(span, "all endings with “repeated” must ignore the same variables",
                                 f"line {asking[0].span.line} counts positions {said}")  # fmt: skip


def term_of(symbols: Symbols, node: nodes.Term) -> Term:
    """The checked term of the `evaluate` block; adds a rule for its value."""
    player = symbols.sorts["player"]
    scope = Scope(symbols, place="evaluate")
    me, you = scope.names.fresh("me", player), scope.names.fresh("you", player)
    scope.locals |= {"me": TVar(me), "you": TVar(you)}
    rule = f"term_{node.name.name}"
    if rule in symbols.rules:
        raise symbols.reject(node.name.span, f'the term "{node.name.name}" is already declared', "choose another name")
    value = scope.computable(scope.number(node.value))
    said = _names(node.value)
    if player.high > 1 and not {"me", "you"} & {name.name for name in said}:
        mover = next((name.span for name in said if name.name in ("mover", "opponent")), None)
        hint = ("use  me  for the player whom the term counts for,  you  for the opponent" if mover else
                "for example:  material 10 : count c: cell where at(c) = me")  # fmt: skip
        symbols.report.add(mover or node.value.span, "this term is the same for both players, so it always counts 0: "
                           "use me or you", hint)  # fmt: skip
    _count_in(scope, node, value)
    symbols.rules[rule] = rule_of(symbols, rule, (me, you), value, scope.names, node.name.span,
                                  node.value.span.words)  # fmt: skip
    return Term(node.name.name, node.weight, rule)


def _count_in(scope: Scope, node: nodes.Term, value: Value) -> None:
    """Adds a line to what an estimate may be, which searches keep in 32 bits; reports the line that is too much."""
    symbols = scope.symbols
    low, high = scope.ranges.value(value) or (0, 0)
    others = max(1, symbols.sorts["player"].high - 1)  # of whom the mean is made at the end
    before = symbols.estimate
    symbols.estimate += abs(node.weight) * 2 * others * max(abs(low), abs(high))
    if before <= LARGEST_ESTIMATE < symbols.estimate:
        symbols.report.add(node.name.span, f"evaluate may come to {symbols.estimate}, but programs keep numbers up to "
                           f"{LARGEST_ESTIMATE}", f"the value is in {low}..{high}: smaller weights, or  //  for large "
                           "values")  # fmt: skip


def out_of(symbols: Symbols, node: nodes.Expr) -> str:
    """The rule that holds where the player who would come next, who is `mover` there, is out."""
    scope = Scope(symbols, place="out")
    cond = scope.computable(scope.cond(node))
    symbols.rules[OUT] = rule_of(symbols, OUT, (), cond, scope.names, node.span, node.span.words)
    return OUT


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
