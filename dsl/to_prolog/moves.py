"""The clauses that mean the rules: definitions, kinds of moves, endings, values, the beginning."""

from __future__ import annotations

from pysolve.dsl.analysis.components import is_class, slots_of_class
from pysolve.dsl.model import (
    Action,
    Contest,
    Effects,
    Fold,
    Game,
    Mobility,
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
from pysolve.dsl.model.properties import effect_properties
from pysolve.dsl.to_prolog.clause import Clause
from pysolve.dsl.to_prolog.effects import Patch, Setup
from pysolve.dsl.to_prolog.text import block, call, choice, clause, comment, findall, quoted


def print_rule(game: Game, rule: Rule) -> str:
    """The clauses of a rule, with a comment that quotes its line."""
    clause_ = Clause(game, prefix=rule.name)
    args = [clause_.var(p) for p in rule.params]
    goals = clause_.goals(rule.body)
    if rule.result is not None:
        args.append(clause_.atom(rule.result))
    if is_class(game, rule):
        goals = _once_for_all(clause_, rule, goals)
    text = clause_.finish(rule.name, args, goals) if rule.reads else clause(call(rule.name, args), goals)
    return "\n".join([comment(rule.span.line, rule.text), text, *clause_.helpers])


def _once_for_all(clause_: Clause, rule: Rule, goals: list[str]) -> list[str]:
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
        placed = [f"{place} is {clause_.var(param)} + {shift}"]
    result, known, found = clause_.var(rule.result), clause_.fresh("known"), clause_.fresh("found")
    return [
        f"known({rule.name}, {decides}, {param.sort.size}, {known})",
        *placed,
        f"arg({place}, {known}, {found})",
        choice([f"var({found})"], [*goals, f"{found} = {result}", f"told({result}, {result}, {shift}, {known})"],
               [f"{result} = {found}"]),
    ]  # fmt: skip


def print_action(game: Game, action: Action) -> str:
    """Legal moves of one kind, and what they change."""
    clause_ = Clause(game, prefix=f"move_{action.name}")
    args = [clause_.var(p) for p in action.params]
    goals: list[str] = []
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
        goals.append(f"catch({call(f'after_{action.name}', [clause_.state, *args])}, error(pysolve(_), _), true)")
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
            candidates.append(clause(f"candidate(S, {move})", [call(f"candidate_{action.name}", ["S", *given])]))
            asked = call(rule.name, [*(["S"] if rule.reads else []), *given, "Worth"])
            worth.append(clause(f"own_worth(S, {move}, Worth)", [asked]))
    return ["\n".join(part) for part in (rules, candidates, worth) if part]


def _with_comment(goals: list[str], stage: Stage) -> list[str]:
    if not goals:
        return []
    note = f"    {comment(stage.span.line, stage.text)}"
    return [f"{goals[0]}\0{note}", *goals[1:]]


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
    goals, lines, state = [], [], "S"
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


def _patched(game: Game, action: Action, before: str, first: str, last: str, after: str) -> list[str]:
    """Goals for the position after some changes, in which the player who moves is still the mover."""
    if not any(isinstance(effect, TurnTo) for effects in action.rounds for effect in all_effects(effects)):
        return [f"patched({before}, {first}, {last}, {after})"]
    return [f"patched({before}, {first}, {last}, {after}a)", f"arg(1, {before}, {after}m)",
            f"with_mover({after}a, {after}m, {after})"]  # fmt: skip


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
    goals = [call(f"effect_{action.name}", ["S", *args, "W", "[]"]), *_patched(game, action, "S", "W", "[]", "S1")]
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
        goals = []
        turns = times = "_"
        if ending.repeated is not None:
            times = "Times"
            goals.append(f"Times >= {ending.repeated}")
        if ending.turns is not None:
            turns = "Turns"
            goals.append(f"Turns >= {ending.turns}")
        goals += clause_.goals(ending.body)
        winner, more = _winner(clause_, ending.result)
        text = clause_.finish("ending", [str(number), winner, turns, times], [*goals, *more])
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
    ranks = [print_rule(game, rule) for rule in game.rules.values() if rule.name.startswith("rank_")]
    return "\n".join(lines + ranks)


def _standings(game: Game) -> str:
    """standing(S, Number, Values): what an ending compares, player by player; S has as mover who has in the ending."""
    texts = ["% What an ending compares."]
    for number, contest in game.contests.items():
        clause_, goals, values = Clause(game, prefix=f"standing_{number}"), [], []
        for _, rule in contest.compared:
            for player in game.players.values():
                values.append(clause_.fresh("value"))
                asked = clause_._call(rule, [str(player), values[-1]], game.rules[rule].reads)
                goals.append(_counted(game, rule, asked, values[-1]))
        texts.append(clause_.finish("standing", [str(number), f"[{', '.join(values)}]"], goals))
        assert not clause_.helpers
    return "\n".join(texts if game.contests else [*texts, "standing(_, _, _) :-\n    fail."])


def _winner(clause_: Clause, result: Result) -> tuple[str, list[str]]:
    """The winner as a number, 0 for a draw, and the goals that find it."""
    match result:
        case Winner(None, None):
            return "0", []
        case Winner(player, _, True):
            winner = clause_.fresh("winner")
            return winner, [f"losing({clause_.slot('mover') if player is None else clause_.atom(player)}, {winner})"]
        case Winner(None, "mover"):
            return clause_.slot("mover"), []
        case Winner(None, _):
            winner = clause_.fresh("opponent")
            return winner, [f"opponent({clause_.slot('mover')}, {winner})"]
        case Winner(player, _):
            assert player is not None
            return clause_.atom(player), []
        case Contest(rankings, otherwise) if clause_.game.players.high != 2:
            return _compared(clause_, result, otherwise)
        case Contest(rankings, otherwise):
            assert otherwise is not None
            winner = clause_.fresh("winner")
            return winner, [_contest(clause_, list(rankings), otherwise, winner)]
    raise AssertionError(result)


def _compared(clause_: Clause, contest: Contest, otherwise: Result | None) -> tuple[str, list[str]]:
    """The result of other than two players by a row of numbers for each ranking, and the goals that find it."""
    goals, rows = [], []
    for _, rule in contest.rankings:
        values = []
        for player in clause_.game.players.values():
            values.append(clause_.fresh("value"))
            asked = clause_._call(rule, [str(player), values[-1]], clause_.game.rules[rule].reads)
            goals.append(_counted(clause_.game, rule, asked, values[-1]))
        rows.append(f"[{', '.join(values)}]")
    compared = f"[{', '.join(kind for kind, _ in contest.rankings)}], [{', '.join(rows)}]"
    winner = clause_.fresh("winner")
    if contest.ranks:
        return winner, [*goals, f"ranked_by({compared}, {winner})"]
    first = clause_.fresh("first")
    goals.append(f"first_by({compared}, {first})")
    if otherwise is None:
        return winner, [*goals, f"shared_by({first}, {winner})"]
    other, more = _winner(clause_, otherwise)
    decided = choice([f"{first} = [_]"], [f"shared_by({first}, {winner})"], [*more, f"{winner} = {other}"])
    return winner, [*goals, decided]


def _contest(clause_: Clause, rankings: list[tuple[str, str]], otherwise: Result, winner: str) -> str:
    if not rankings:
        value, goals = _winner(clause_, otherwise)
        return block([*goals, f"{winner} = {value}"])
    (kind, rule), *rest = rankings
    one, two = clause_.fresh("first"), clause_.fresh("second")
    reads = clause_.game.rules[rule].reads
    goals = [
        _counted(clause_.game, rule, clause_._call(rule, [player, value], reads), value)
        for player, value in (("1", one), ("2", two))
    ]
    more, less = (">", "<") if kind == "most" else ("<", ">")
    inner = choice([f"{one} {less} {two}"], [f"{winner} = 2"], [_contest(clause_, rest, otherwise, winner)])
    return block([*goals, choice([f"{one} {more} {two}"], [f"{winner} = 1"], [inner])])


def _counted(game: Game, rule: str, goal: str, value: str) -> str:
    """A goal that asks for the number of a player; what has no value counts as 0."""
    match game.rules[rule].body:
        case (Mobility(),) | (Fold(kind="count" | "sum"),):
            return goal
    return choice([goal], ["true"], [f"{value} = 0"])


def print_estimate(game: Game) -> str:
    """estimate(S, Me, V): the weighted terms for a player, less those for the other.

    A term for one player alone counts for Me if Me is this player, and against Me if not.
    """
    lines = []
    for term in game.terms:
        lines.append(print_rule(game, game.rules[term.rule]))
    if game.players.high != 2:
        return "\n".join([*lines, _estimate_of_many(game)])
    goals, total = [], []
    for i, term in enumerate(game.terms):
        state = ["S"] if game.rules[term.rule].reads else []
        if term.only is None:
            asked = [(f"A{i}", ["Me", "You"]), (f"B{i}", ["You", "Me"])]
            total.append(f"{term.weight} * (A{i} - B{i})")
        else:
            asked = [(f"A{i}", [str(term.only), str(3 - term.only)])]
            goals.append(choice([f"Me =:= {term.only}"], [f"Side{i} = 1"], [f"Side{i} = -1"]))
            total.append(f"{term.weight} * Side{i} * A{i}")
        for value, players in asked:
            goals.append(_counted(game, term.rule, call(term.rule, [*state, *players, value]), value))
    goals = ["opponent(Me, You)", *goals, f"V is {' + '.join(total)}"] if total else ["V = 0"]
    head = "estimate(S, Me, V)" if total else "estimate(_, _, V)"
    return "\n".join([*lines, clause(head, goals)])


def _estimate_of_many(game: Game) -> str:
    """The clauses of `estimate` for other than two players.

    Each line counts the mean difference to all others; for a single player its value.
    """
    others = game.players.high - 1
    goals: list[str] = []
    total = []
    for i, term in enumerate(game.terms):
        state = ["S"] if game.rules[term.rule].reads else []
        mine = _counted(game, term.rule, call(term.rule, [*state, "Me", "You", f"A{i}"]), f"A{i}")
        theirs = _counted(game, term.rule, call(term.rule, [*state, "You", "Me", f"B{i}"]), f"B{i}")
        if not others:
            goals += ["You = Me"] * (not goals) + [mine]
            total.append(f"{term.weight} * A{i}")
            continue
        each = ["opponents(Me, You)", mine, theirs, f"D{i} is A{i} - B{i}"]
        goals += [findall(f"D{i}", each, f"Ds{i}"), f"sum_list(Ds{i}, Sum{i})"]
        total.append(f"{term.weight} * Sum{i} // {others}")
    goals = [*goals, f"V is {' + '.join(total)}"] if total else ["V = 0"]
    return clause("estimate(S, Me, V)" if total else "estimate(_, _, V)", goals)


def print_setup(game: Game) -> str:
    """setup(Seed, S): the initial position; lots are drawn from the seed."""
    clause_ = Clause(game, live=True, prefix="setup").reserve("Seed", "R")
    body = Setup(clause_).sequence(game.setup)
    if game.out is not None:
        body.append("set_up(S)")
    seeded = ["lots(Seed, R)"] if game.draws_lots else []
    if any(is_class(game, rule) for rule in game.rules.values()):
        body = ["b_setval(known_for_now, true)", *body, "b_setval(known_for_now, false)"]
    text = clause("setup(Seed, S)", ["blank(S)", *seeded, *clause_.holders(), *body])
    blank = ", ".join(_blank_slot(s) for s in game.slots.values())
    return "\n".join([text, *clause_.helpers, f"blank(S) :-\n    S = state({blank})."])


def _blank_slot(slot: Slot) -> str:
    if not slot.params:
        return str(slot.default)
    return f"{quoted(slot.name)}({', '.join([str(slot.default)] * slot.count)})"
