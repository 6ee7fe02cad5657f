"""The clauses that mean the rules: definitions, kinds of moves, endings, values, the beginning."""

from __future__ import annotations

from itertools import product

from pysolve.dsl.analysis.components import is_class, slots_of_class
from pysolve.dsl.language.aggregates import AGGREGATES
from pysolve.dsl.model import (
    Action,
    Contest,
    Effects,
    Fold,
    Game,
    Mobility,
    Pay,
    Result,
    Rule,
    Slot,
    Sort,
    Stage,
    TurnTo,
    Var,
    Winner,
    all_effects,
    body_vars,
)
from pysolve.dsl.model.game import Term as Weighted
from pysolve.dsl.model.properties import effect_properties
from pysolve.dsl.model.rule_names import is_ranking
from pysolve.dsl.to_prolog.clause import Clause
from pysolve.dsl.to_prolog.effects import Patch, Setup
from pysolve.dsl.to_prolog.terms import (
    NIL,
    TRUE,
    Goal,
    Noted,
    Term,
    call,
    choice,
    clause,
    equal,
    fact,
    findall,
    infix,
    items,
    joined,
    let,
    together,
)
from pysolve.dsl.to_prolog.text import comment, quoted


def print_rule(game: Game, rule: Rule) -> str:
    """The clauses of a rule, with a comment that quotes its line."""
    clause_ = Clause(game, prefix=rule.name)
    args: list[Term] = [clause_.var(p) for p in rule.params]
    goals = clause_.goals(rule.body)
    if rule.result is not None:
        args.append(clause_.atom(rule.result))
    if is_class(game, rule):
        goals = _once_for_all(clause_, rule, goals)
    text = clause_.finish(rule.name, args, goals) if rule.reads else clause(call(rule.name, args), goals)
    return "\n".join([comment(rule.span.line, rule.text), text, *clause_.helpers])


def _once_for_all(clause_: Clause, rule: Rule, goals: list[Goal]) -> list[Goal]:
    """The goals of a rule whose answer is the same for all of its members: looks first whether one has asked."""
    (param,) = rule.params
    assert isinstance(param.sort, Sort)
    assert isinstance(rule.result, Var)
    slots = slots_of_class(rule)
    if len(slots) != 1:
        clause_.whole = True
    decides = clause_.slot(slots[0]) if len(slots) == 1 else clause_.state
    place, shift = clause_.var(param), 1 - param.sort.low
    placed = []
    if shift:
        place = clause_.fresh("place")
        placed = [let(place, infix(clause_.var(param), "+", shift))]
    result, known, found = clause_.var(rule.result), clause_.fresh("known"), clause_.fresh("found")
    told = [*goals, equal(found, result), call("told", [result, result, shift, known])]
    return [
        call("known", [call(rule.name), decides, param.sort.size, known]),
        *placed,
        call("arg", [place, known, found]),
        choice([call("var", [found])], told, [equal(result, found)]),
    ]


def print_action(game: Game, action: Action) -> str:
    """Legal moves of one kind, and what they change."""
    clause_ = Clause(game, prefix=f"move_{action.name}")
    args = [clause_.var(p) for p in action.params]
    goals: list[Goal] = []
    for stage in action.stages:
        goals += _with_comment(clause_.goals(stage.steps), stage)
    if action.after:
        clause_.whole = True
        goals.append(call(f"after_{action.name}", [clause_.state, *args]))
    head = f'move {action.name}({", ".join(p.name for p in action.params)}) as "{action.text}"'
    lines = [comment(action.span.line, head), clause_.finish(f"move_{action.name}", args, goals)]
    lines += clause_.helpers
    if action.worth:
        lines += _candidates(game, action)
    lines += ["", _effect(game, action)]
    if action.after:
        lines += ["", _after(game, action)]
    return "\n".join(lines)


def _candidates(game: Game, action: Action) -> list[str]:
    """The moves that fulfil what is demanded; the best of them are legal."""
    clause_ = Clause(game, prefix=f"candidate_{action.name}")
    args = [clause_.var(p) for p in action.params]
    goals = clause_.goals(action.candidates)
    if action.after:  # a mistake in the effects is told when the move is carried out
        clause_.whole = True
        after = call(f"after_{action.name}", [clause_.state, *args])
        goals.append(call("catch", [after, call("error", [call("pysolve", ["_"]), "_"]), TRUE]))
    return [
        "% The same without what is preferred.",
        clause_.finish(f"candidate_{action.name}", args, goals), *clause_.helpers,
    ]  # fmt: skip


def print_worth(game: Game) -> list[str]:
    """The moves of which the best are legal, and what each is worth by itself."""
    rules, candidates, worth = list[str](), list[str](), list[str]()
    for action in game.actions:
        if action.worth is not None:
            own, rule = Clause(game), game.rules[action.worth]
            given = [own.var(p) for p in action.params]
            move = call(quoted(action.name), given)
            rules.append(print_rule(game, rule))
            candidates.append(clause(call("candidate", ["S", move]), [call(f"candidate_{action.name}", ["S", *given])]))
            asked = call(rule.name, [*(["S"] if rule.reads else []), *given, "Worth"])
            worth.append(clause(call("own_worth", ["S", move, "Worth"]), [asked]))
    return ["\n".join(part) for part in (rules, candidates, worth) if part]


WEIGHED = """\
weighed(In, Out) :-
    string_codes(In, Codes),
    decode(Codes, P),
    findall(Weight, (move(P, Move), weight(P, Move, Weight)), Weights),
    atomic_list_concat(Weights, ' ', Text),
    atom_string(Text, Out).
limited_weigh(In, Out) :-
    limited(weighed(In, Out))."""


def print_weights(game: Game) -> list[str]:
    """The weight of each move of chance, and the question for those of all moves; nothing where all are alike."""
    if not game.weighed:
        return []
    rules, weights = list[str](), list[str]()
    for action in game.actions:
        own = Clause(game)
        given = [own.var(p) for p in action.params]
        move = call(quoted(action.name), given)
        if action.weight is None:
            weights.append(fact("weight", "_", call(quoted(action.name), "_" * len(given)), 1))
            continue
        rule = game.rules[action.weight]
        rules.append(print_rule(game, rule))
        asked = call(rule.name, [*(["S"] if rule.reads else []), *given, "Weight"])
        weights.append(clause(call("weight", ["S" if rule.reads else "_", move, "Weight"]), [asked]))
    return [*rules, "\n".join(weights), WEIGHED]


VIEWED = """\
viewed(In, Out) :-
    question_and_position(In, Text, P),
    term_string(Player, Text),
    encode(P, Codes),
    foldl(veiled(P, Player), Codes, View, 0, _),
    string_codes(Out, View).
veiled(P, Player, Code, Seen, Byte, Next) :-
    Next is Byte + 1,
    (   secret(Byte, Place),
        \\+ seen(P, Player, Place)
    ->  Seen = 255
    ;   Seen = Code
    ).
limited_view(In, Out) :-
    limited(viewed(In, Out))."""


def print_sights(game: Game) -> list[str]:
    """seen(S, Player, Place), the bytes of what is secret, and the question for a view; nothing where all see all."""
    rules, sights, places = list[str](), list[str](), list[str]()
    slots = [slot for slot in game.slots.values() if slot.seen]
    for slot in slots:
        rule = game.rules[slot.seen]
        if not slot.part_of:
            own = Clause(game)
            *args, viewer = (own.var(param) for param in rule.params)
            asked = call(rule.name, [*(["S"] if rule.reads else []), *args, viewer])
            sights.append(
                clause(call("seen", ["S" if rule.reads else "_", viewer, call(quoted(slot.name), args)]), [asked])
            )
            rules.append(print_rule(game, rule))
        for number, values in enumerate(product(*(param.values() for param in slot.params))):
            place = call(quoted(slot.part_of or slot.name), values[: len(rule.params) - 1])
            for digit in range(slot.width):
                places.append(fact("secret", slot.offset + number * slot.width + digit, place))
    if not slots:
        return []
    return [*rules, "\n".join(sights), "% secret(Byte, Place)\n" + "\n".join(places), VIEWED]


def _with_comment(goals: list[Goal], stage: Stage) -> list[Goal]:
    return [Noted(goals[0], f"    {comment(stage.span.line, stage.text)}"), *goals[1:]] if goals else []


def _effect(game: Game, action: Action) -> str:
    """The clauses for the effects of a move, from W0 on; each round has its own, since it reads a position of its
    own."""
    name = f"effect_{action.name}"
    params = list(action.params)
    if len(action.rounds) < 2:
        return _round(game, name, params, [], action.rounds[0] if action.rounds else ())
    clause_ = Clause(game).reserve("W0", "W")
    for number in range(1, len(action.rounds)):
        clause_.reserve(f"W{number}", f"S{number}")
    args = [clause_.var(p) for p in params]
    carried: list[Var] = []
    goals, lines, state = list[Goal](), list[str](), "S"
    for number, effects in enumerate(action.rounds, 1):
        last = number == len(action.rounds)
        given = [*params, *carried]
        later = body_vars(action.rounds[number:])  # type: ignore[arg-type]
        bound = [] if last else [v for v in _bound_by(effects) if v in later]
        lines.append(_round(game, f"{name}_{number}", given, bound, effects))
        carried += bound
        words = [*args, *map(clause_.var, carried)]
        after = "W" if last else f"W{number}"
        goals.append(call(f"{name}_{number}", [state, *words, f"W{number - 1}", after]))
        if not last:
            goals += _patched(game, action, state, f"W{number - 1}", f"W{number}", f"S{number}")
            state = f"S{number}"
    return "\n".join([clause(call(name, ["S", *args, "W0", "W"]), goals), *lines])


def _patched(game: Game, action: Action, before: str, first: str, last: Term, after: str) -> list[Goal]:
    """Goals for the position after some changes, in which the player who moves is still the mover."""
    if not any(isinstance(effect, TurnTo) for effects in action.rounds for effect in all_effects(effects)):
        return [call("patched", [before, first, last, after])]
    turned, mover = f"{after}a", f"{after}m"
    return [call("patched", [before, first, last, turned]), call("arg", [1, before, mover]),
            call("with_mover", [turned, mover, after])]  # fmt: skip


def _round(game: Game, name: str, given: list[Var], bound: list[Var], effects: Effects) -> str:
    """The clause of one round, with the variables that later rounds need."""
    clause_ = Clause(game, prefix=name)
    args = [clause_.var(v) for v in [*given, *bound]]
    first, last = clause_.name("first", "w0"), clause_.name("last", "w")
    goals = Patch(clause_).round(effects, first, last)
    return "\n".join([clause_.finish(name, [*args, first, last], goals), *clause_.helpers])


def _bound_by(effects: Effects) -> list[Var]:
    """The variables that the computations of a round bind for all that follows."""
    return list(dict.fromkeys(var for effect in effects for var in effect_properties(effect).binds))


def _after(game: Game, action: Action) -> str:
    """The demands on the position that results, with the mover still the same."""
    clause_ = Clause(game).reserve("W", "S1")
    args = [clause_.var(p) for p in action.params]
    goals = [call(f"effect_{action.name}", ["S", *args, "W", NIL]), *_patched(game, action, "S", "W", NIL, "S1")]
    lines = []
    for number, demand in enumerate(action.after, 1):
        goals.append(call(f"after_{action.name}_{number}", ["S1", *args]))
        inner = Clause(game, prefix=f"after_{action.name}_{number}")
        inner_args = [inner.var(p) for p in action.params]
        text = inner.finish(f"after_{action.name}_{number}", inner_args, inner.goals(demand.body))
        lines += [comment(demand.span.line, demand.text), text, *inner.helpers]
    return "\n".join([clause(call(f"after_{action.name}", ["S", *args]), goals), *lines])


def print_endings(game: Game) -> str:
    """over(S, Number, Winner, Turns, Times): the first ending that holds; S has as mover who has just moved."""
    lines, helpers = [], []
    for number, ending in enumerate(game.endings, 1):
        clause_ = Clause(game, prefix=f"ending_{number}").reserve("Turns", "Times")
        goals: list[Goal] = []
        turns = times = "_"
        if ending.repeated is not None:
            times = "Times"
            goals.append(infix(times, ">=", ending.repeated))
        if ending.turns is not None:
            turns = "Turns"
            goals.append(infix(turns, ">=", ending.turns))
        goals += clause_.goals(ending.body)
        winner, more = _winner(clause_, ending.result)
        text = clause_.finish("ending", [number, winner, turns, times], [*goals, *more])
        lines += [comment(ending.span.line, ending.reason), text]
        helpers += clause_.helpers  # behind all endings: Prolog wants the clauses of a predicate together
    if not game.endings:
        lines.append("ending(_, _, _, _, _) :-\n    fail.")
    lines += helpers
    if game.stuck is not None:
        clause_ = Clause(game, prefix="stuck")
        winner, more = _winner(clause_, game.stuck)
        lines += ["", "% The player to move has no move.", clause_.finish("stuck", [winner], more),
                  *clause_.helpers]  # fmt: skip
    lines += ["", _standings(game)]
    ranks = [print_rule(game, rule) for rule in game.rules.values() if is_ranking(rule.name)]
    return "\n".join(lines + ranks)


def _standings(game: Game) -> str:
    """standing(S, Number, Values): what an ending compares, player by player; S has as mover who has in the ending."""
    texts = ["% What an ending compares."]
    for number, result in game.numbered.items():
        clause_ = Clause(game, prefix=f"standing_{number}")
        values, goals = list[str](), list[Goal]()
        for _, rule in result.compared:
            more, asked = _of_each(clause_, rule)
            values, goals = values + more, goals + asked
        texts.append(clause_.finish("standing", [number, items(values)], goals))
        assert not clause_.helpers
    return "\n".join(texts if game.numbered else [*texts, "standing(_, _, _) :-\n    fail."])


def _of_each(clause_: Clause, rule: str) -> tuple[list[str], list[Goal]]:
    """Variables for what a ranking gives each player, and the goals that find it."""
    game, values, goals = clause_.game, list[str](), list[Goal]()
    for player in game.players.values():
        values.append(clause_.fresh("value"))
        asked = clause_._call(rule, [player, values[-1]], game.rules[rule].reads)
        goals.append(_counted(game, rule, asked, values[-1]))
    return values, goals


def _winner(clause_: Clause, result: Result) -> tuple[Term, list[Goal]]:
    """The winner as a number, 0 for a draw, and the goals that find it."""
    match result:
        case Winner(None, None):
            return 0, []
        case Winner(player, _, True):
            winner = clause_.fresh("winner")
            return winner, [call("losing", [clause_.slot("mover") if player is None else clause_.atom(player), winner])]
        case Winner(None, "mover"):
            return clause_.slot("mover"), []
        case Winner(None, _):
            winner = clause_.fresh("opponent")
            return winner, [call("opponent", [clause_.slot("mover"), winner])]
        case Winner(player, _):
            assert player is not None
            return clause_.atom(player), []
        case Contest(rankings, otherwise) if clause_.game.players.high != 2:
            return _compared(clause_, result, otherwise)
        case Contest(rankings, otherwise):
            assert otherwise is not None
            winner = clause_.fresh("winner")
            return winner, [_contest(clause_, list(rankings), otherwise, winner)]
        case Pay(rule, _, proven, span):
            values, goals = _of_each(clause_, rule)
            winner = clause_.fresh("winner")
            tested = [] if proven else [call("adds_up", [items(values), span.line])]
            return winner, [*goals, *tested, call("paid", [items(values), winner])]
    raise AssertionError(result)


def _compared(clause_: Clause, contest: Contest, otherwise: Result | None) -> tuple[Term, list[Goal]]:
    """The result of other than two players by a row of numbers for each ranking, and the goals that find it."""
    goals, rows = list[Goal](), list[Term]()
    for _, rule in contest.rankings:
        values, asked = _of_each(clause_, rule)
        goals += asked
        rows.append(items(values))
    compared = items(call(kind) for kind, _ in contest.rankings), items(rows)
    winner = clause_.fresh("winner")
    if contest.ranks:
        return winner, [*goals, call("ranked_by", [*compared, winner])]
    first = clause_.fresh("first")
    goals.append(call("first_by", [*compared, first]))
    shared = call("shared_by", [first, winner])
    if otherwise is None:
        return winner, [*goals, shared]
    other, more = _winner(clause_, otherwise)
    return winner, [*goals, choice([equal(first, items("_"))], [shared], [*more, equal(winner, other)])]


def _contest(clause_: Clause, rankings: list[tuple[str, str]], otherwise: Result, winner: str) -> Goal:
    if not rankings:
        value, goals = _winner(clause_, otherwise)
        return together([*goals, equal(winner, value)])
    (kind, rule), *rest = rankings
    one, two = clause_.fresh("first"), clause_.fresh("second")
    reads = clause_.game.rules[rule].reads
    goals = [
        _counted(clause_.game, rule, clause_._call(rule, [player, value], reads), value)
        for player, value in ((1, one), (2, two))
    ]
    more, less = (">", "<") if kind == "most" else ("<", ">")
    second = [_contest(clause_, rest, otherwise, winner)]
    inner = choice([infix(one, less, two)], [equal(winner, 2)], second)
    return together([*goals, choice([infix(one, more, two)], [equal(winner, 1)], [inner])])


def _counted(game: Game, rule: str, goal: Goal, value: str) -> Goal:
    """A goal that asks for the number of a player; what has no value counts as 0."""
    match game.rules[rule].body:
        case (Mobility(),):
            return goal
        case (Fold(kind=kind),) if AGGREGATES[kind].adds:
            return goal
    return choice([goal], [TRUE], [equal(value, 0)])


def print_estimate(game: Game) -> str:
    """estimate(S, Me, V): the weighted terms for a player, less those for the other.

    A term for one player alone counts for Me if Me is this player, and against Me if not.
    """
    lines = []
    for term in game.terms:
        lines.append(print_rule(game, game.rules[term.rule]))
    if game.players.high != 2:
        return "\n".join([*lines, _estimate_of_many(game)])
    goals, total = list[Goal](), list[Term]()
    for i, term in enumerate(game.terms):
        mine, side = f"A{i}", f"Side{i}"
        if term.only is None:
            theirs = f"B{i}"
            goals += [_term(game, term, ["Me", "You", mine]), _term(game, term, ["You", "Me", theirs])]
            total.append(infix(term.weight, "*", infix(mine, "-", theirs)))
        else:
            goals.append(choice([infix("Me", "=:=", term.only)], [equal(side, 1)], [equal(side, -1)]))
            goals.append(_term(game, term, [term.only, 3 - term.only, mine]))
            total.append(infix(infix(term.weight, "*", side), "*", mine))
    return "\n".join([*lines, _weighed([call("opponent", ["Me", "You"]), *goals], total)])


def _term(game: Game, term: Weighted, args: list[Term]) -> Goal:
    """The goal that asks for a term; the last argument is the variable for its value."""
    value = args[-1]
    assert isinstance(value, str)
    return _counted(game, term.rule, call(term.rule, [*(["S"] if game.rules[term.rule].reads else []), *args]), value)


def _weighed(goals: list[Goal], total: list[Term]) -> str:
    """The clause of `estimate`: the sum of what the goals find."""
    if not total:
        return clause(call("estimate", ["_", "_", "V"]), [equal("V", 0)])
    return clause(call("estimate", ["S", "Me", "V"]), [*goals, let("V", joined(total, " + "))])


def _estimate_of_many(game: Game) -> str:
    """The clauses of `estimate` for other than two players.

    Each line counts the mean difference to all others; for a single player its value.
    """
    others = game.players.high - 1
    goals, total = list[Goal](), list[Term]()
    for i, term in enumerate(game.terms):
        a, b, less, found, summed = (f"{letters}{i}" for letters in ("A", "B", "D", "Ds", "Sum"))
        mine = _term(game, term, ["Me", "You", a])
        if not others:
            goals += [*([] if goals else [equal("You", "Me")]), mine]
            total.append(infix(term.weight, "*", a))
            continue
        each = [
            call("opponents", ["Me", "You"]),
            mine,
            _term(game, term, ["You", "Me", b]),
            let(less, infix(a, "-", b)),
        ]
        goals += [findall(less, each, found), call("sum_list", [found, summed])]
        total.append(infix(infix(term.weight, "*", summed), "//", others))
    return _weighed(goals, total)


def print_setup(game: Game) -> str:
    """setup(Seed, S): the initial position; lots are drawn from the seed."""
    clause_ = Clause(game, live=True, prefix="setup").reserve("Seed", "R")
    body = Setup(clause_).sequence(game.setup)
    if game.out is not None:
        body.append(call("set_up", ["S"]))
    seeded = [call("lots", ["Seed", "R"])] if game.draws_lots else []
    if any(is_class(game, rule) for rule in game.rules.values()):
        known = call("known_for_now")
        body = [call("b_setval", [known, TRUE]), *body, call("b_setval", [known, call("false")])]
    blank = call("blank", ["S"])
    text = clause(call("setup", ["Seed", "S"]), [blank, *seeded, *clause_.holders(), *body])
    state = equal("S", call("state", map(_blank_slot, game.slots.values())))
    return "\n".join([text, *clause_.helpers, clause(blank, [state])])


def _blank_slot(slot: Slot) -> Term:
    return call(quoted(slot.name), [slot.default] * slot.count) if slot.params else slot.default
