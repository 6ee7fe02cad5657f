"""The fast shape of a game's clauses: unfolded, one clause for each player.

In: a Game.  Out: the text of `unfolded(Codes, S, Reply)`, which answers what `expand/2` of prolog/programs.pl answers,
with every cell a variable of the head and every constant in its place.  Nothing new is meant: the same steps are
carried out here as far as they do not depend on the position, and what is left of them is printed:

    move retreat(from, to)          (   At7 == 1
    at(from) = mover                ->  (   At1 == 0
    to in neighbours(from)              ->  L4 = [255, 0, 7, 1, 7, 0, 1, 1|L5]
    at(to) = none                       ;   L4 = L5
    distance(to) > distance(from)       ), …

Every combination of parameters that the constants allow is one branch, in canonical order.  A kind of move that
needs a set, or would become too long, is left to its table-driven clauses; the answer is the same.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import partial
from itertools import count

from pysolve.dsl.model import (
    Action,
    Again,
    Assign,
    Body,
    Compute,
    Const,
    Each,
    Effects,
    Ending,
    Expr,
    Find,
    ForAll,
    Game,
    Get,
    Let,
    Op,
    Slot,
    Sort,
    Test,
    Var,
    When,
    Winner,
    all_steps,
    digits,
)
from pysolve.dsl.model.properties import bound, reads_position
from pysolve.dsl.to_prolog.partial_evaluation import (
    CannotUnfold,
    Env,
    Folder,
    NoValue,
    Value,
    alternatives,
    place,
    same,
    sure,
)
from pysolve.dsl.to_prolog.terms import (
    TRUE,
    Cases,
    Goal,
    Goals,
    Operation,
    Term,
    call,
    choice,
    equal,
    infix,
    items,
    let,
    one_line,
)

BUDGET = 2_000_000  # characters for all kinds of moves of one player together
WIDEST_SPLIT = 6  # values of a variable that effects may be written out for

# --------------------------------------------------------------------------------------------- effects


@dataclass
class Writer:
    """Writes the effects of moves as goals that extend an open list of codes."""

    folder: Folder
    next_written: dict[tuple[str, int], Value] = field(default_factory=dict)  # by the round being written
    used: set[str] = field(default_factory=set)  # variables of all that was printed
    room: int = BUDGET  # characters that may still be printed

    def text(self, goals: Iterable[Goal]) -> str:
        """The goals on one line; takes note of their variables.  Raises `CannotUnfold` where there is no room."""
        text = one_line(goals, self.used)
        self.room -= len(text)
        if self.room < 0:
            raise CannotUnfold
        return text

    def changes(self, effects: Effects, env: Env, codes: list[Term], at: str, after: str) -> list[Goal]:
        """Goals that put codes and then the changes of the effects between the open lists `at` and `after`."""
        goals: list[Goal] = []
        for number, effect in enumerate(effects):
            rest = effects[number + 1 :]
            match effect:
                case Compute(body, span):
                    found = list(self.folder.ways(body, env))
                    if not found:  # by the constants alone: the circumstances do not arise
                        return [*goals, impossible(span.line)]
                    if len(found) > 1:
                        raise CannotUnfold
                    env, left = found[0]
                    goals += computed(left, span.line)
                    split = self._to_split(body, rest, env)
                    if split is not None:
                        return [*goals, self._split(split, rest, env, codes, at, after)]
                case Assign():
                    goals += self._assign(effect, env, codes)
                case Again():
                    codes += [*address(self.folder.game, 0), self.folder.mover]
                    kept = self.folder.game.slots.get("again")
                    codes += [*address(self.folder.game, kept.offset), 1] if kept else []
                case When(test, then, otherwise, _):
                    tests = [left for _, left in self.folder.ways(test, env)]
                    condition = alternatives(tests) if tests else None
                    if condition is None or not condition:
                        side = otherwise if condition is None else then
                        return [*goals, *self.changes((*side, *rest), env, codes, at, after)]
                    middle, last = self._flushed(goals, codes, at), self.folder.variable("W") if rest else after
                    sides = self.folder.branches(
                        [
                            partial(self._narrowed, test, then, env, middle, last),
                            partial(self._nested, otherwise, env, middle, last),
                        ]
                    )
                    goals.append(choice(condition, *sides))
                    codes, at = [], last
                case ForAll(body, inner, _):
                    for there, conditions in self.folder.ways(body, env):
                        if not conditions:
                            goals += self._inline(inner, there, codes)
                            continue
                        middle, last = self._flushed(goals, codes, at), self.folder.variable("W")
                        changed = self._nested(inner, there, middle, last)
                        goals.append(choice(conditions, changed, [equal(middle, last)]))
                        codes, at = [], last
                case _:
                    raise CannotUnfold
        if codes:
            goals.append(equal(at, items(codes, after)))
        elif at != after:
            goals.append(equal(at, after))
        return goals

    def _flushed(self, goals: list[Goal], codes: list[Term], at: str) -> str:
        """Puts the codes so far on the list; the variable of what follows."""
        if not codes:
            return at
        after = self.folder.variable("W")
        goals.append(equal(at, items(codes, after)))
        return after

    def _nested(self, effects: Effects, env: Env, at: str, after: str) -> list[Goal]:
        """Effects under a condition."""
        return self.changes(effects, env, [], at, after)

    def _narrowed(self, test: Body, effects: Effects, env: Env, at: str, after: str) -> list[Goal]:
        """Effects under a condition that leaves a variable fewer values."""
        before = dict(self.folder.bounds)
        for step in test:
            match step:
                case Test(">", Var() as var, Const(least)) if env.get(var) in before:
                    name = str(env[var])
                    self.folder.bounds[name] = max(before[name][0], least + 1), before[name][1]
        goals = self._nested(effects, env, at, after)
        self.folder.bounds = before
        return goals

    def _inline(self, effects: Effects, env: Env, codes: list[Term]) -> list[Goal]:
        goals: list[Goal] = []
        for effect in effects:
            if isinstance(effect, Compute):
                found = list(self.folder.ways(effect.body, env))
                if len(found) != 1:
                    raise CannotUnfold
                env, left = found[0]
                goals += computed(left, effect.span.line)
            elif isinstance(effect, Assign):
                goals += self._assign(effect, env, codes)
            else:
                raise CannotUnfold
        return goals

    def _assign(self, effect: Assign, env: Env, codes: list[Term]) -> list[Goal]:
        slot = self.folder.game.slots[effect.slot]
        numbers = [self.folder.known(arg, env) for arg in effect.args]
        if not all(isinstance(number, int) for number in numbers):
            raise CannotUnfold
        index = slot.index(number for number in numbers if isinstance(number, int))
        try:
            value = self.folder.compute(effect.value, env)
        except NoValue:
            return [impossible(effect.span.line)]
        goals: list[Goal] = []
        if isinstance(value, Operation):
            name = self.folder.variable()
            goals.append(let(name, value))
            value = name
        low, high = slot.sort.lowest, slot.sort.high
        if effect.checked and not (isinstance(value, int) and low <= value <= high):
            goals += self._ranged(value, effect, slot, env)
        self.next_written[slot.name, index] = value
        if slot.shift or slot.width == 2:
            if not isinstance(value, int):
                raise CannotUnfold
            spelled: list[Value] = [*digits(value + slot.shift, slot.width)]
        else:
            spelled = [value]
        for i, digit in enumerate(spelled):
            codes += [*address(self.folder.game, slot.offset + index * slot.width + i), digit]
        return goals

    def _ranged(self, value: Value, effect: Assign, slot: Slot, env: Env) -> list[Goal]:
        """A test that a value fits its slot; only what is not certain anyway is tested."""
        low, high = slot.sort.lowest, slot.sort.high
        least, most = (value, value) if isinstance(value, int) else self.folder.range(effect.value, env)
        tests = [infix(value, ">=", low)] * (least < low) + [infix(value, "=<", high)] * (most > high)
        wrong = call("in_range", [value, low, high, call(slot.name), effect.span.line])
        return [choice(tests, [TRUE], [wrong])] if tests else []

    def _to_split(self, body: Body, rest: Effects, env: Env) -> Var | None:
        """A variable just computed whose few values decide where the rest of the effects goes."""
        wanted = _deciding_vars(rest)
        for step in all_steps(body):
            for var in bound(step):
                name = env.get(var)
                if var in wanted and isinstance(name, str):
                    low, high = self.folder.bounds.get(name, (0, WIDEST_SPLIT))
                    if high - low < WIDEST_SPLIT:
                        return var
        return None

    def _split(self, var: Var, rest: Effects, env: Env, codes: list[Term], at: str, after: str) -> Goal:
        """The rest of the effects, written out for each value of a variable."""
        name = env[var]
        assert isinstance(name, str)
        low, high = self.folder.bounds[name]

        def branch(value: int) -> tuple[Goals | None, Goals]:
            goals = self.changes(rest, {**env, var: value}, list(codes), at, after)
            return (same(name, value),) if value < high else None, tuple(goals)

        return Cases(tuple(self.folder.branches(partial(branch, value) for value in range(low, high + 1))))

    def record(self, action: Action, kind: int, env: Env, holds: Goals, at: str, after: str) -> list[Goal]:
        """Goals that put the record of one move between two open lists, where some goals hold."""
        self.folder.holds = holds
        try:
            return self._record(action, kind, env, at, after)
        finally:
            self.folder.holds = ()

    def _record(self, action: Action, kind: int, env: Env, at: str, after: str) -> list[Goal]:
        codes: list[Term] = [255, kind]
        for param in action.params:
            assert isinstance(param.sort, Sort)
            low = min(param.sort.low, 0)
            codes += digits(_number(env[param]) - low, 1 if param.sort.high - low + 1 <= 255 else 2)
        self.folder.written, self.next_written = {}, {}
        goals: list[Goal] = []
        for effects in action.rounds[:-1]:
            middle = self.folder.variable("W")
            goals += self.changes(effects, env, codes, at, middle)
            if any(isinstance(e, (When, ForAll)) for e in effects):
                raise CannotUnfold  # a later round would have to know what happened
            self.folder.written |= self.next_written
            env = self._after_round(effects, env)
            codes, at = [], middle
        goals += self.changes(action.rounds[-1] if action.rounds else (), env, codes, at, after)
        self.folder.written = {}
        return goals

    def _after_round(self, effects: Effects, env: Env) -> Env:
        """The variables that a round has bound for the rounds after it."""
        if any(isinstance(e, Compute) and reads_position(e.body) for e in effects):
            raise CannotUnfold
        for effect in effects:
            if isinstance(effect, Compute):
                ((env, _),) = self.folder.ways(effect.body, env)
        return env


# ---------------------------------------------------------------------------------------- whole clauses


def print_unfolded(game: Game, budget: int = BUDGET) -> str:
    """`unfolded(Codes, S, Reply)` for every player, or an empty text if no kind of move gains by it.

    S is the term of the position, which only what was left to table-driven clauses looks at.
    """
    if any(slot.width > 1 or slot.shift or slot.stack for slot in game.slots.values()) or not game.alternating:
        return ""
    texts, needs_state, left = [], False, 0
    for mover in game.players.values():
        text, kinds_left, wants_state = _player(game, mover, budget)
        texts.append(text)
        needs_state = needs_state or wants_state
        left = max(left, kinds_left)
        if left == len(game.actions):
            return ""
    return "\n".join([TITLE, WITH_TABLES if needs_state else ALONE, *texts]) + "\n"


TITLE = """\
% The same moves once more, unfolded for speed: every cell is a variable, every constant in its place.
"""

ALONE = """\
% No limit of inferences is needed where nothing is repeated.
expand_unfolded(In, Out) :-
    string_codes(In, Codes),
    unfolded(Codes, _, Reply0),
    (   Reply0 == stuck
    ->  decode(Codes, S),
        limited(no_moves(S, Reply))
    ;   Reply = Reply0
    ),
    string_codes(Out, Reply).
"""

WITH_TABLES = """\
expand_unfolded(In, Out) :-
    limited(unfolded_(In, Out)).

unfolded_(In, Out) :-
    string_codes(In, Codes),
    decode(Codes, S),
    unfolded(Codes, S, Reply0),
    (   Reply0 == stuck
    ->  no_moves(S, Reply)
    ;   Reply = Reply0
    ),
    string_codes(Out, Reply).
"""


def _player(game: Game, mover: int, budget: int) -> tuple[str, int, bool]:
    """The clause for one mover, how many kinds of moves are left to tables, and whether it needs the term."""
    writer, used = Writer(Folder(game, mover)), set[str]()
    endings = _endings(game, mover, used)
    goals: list[str] = []
    left, at, number = 0, "L0", count(1)
    for kind, action in enumerate(game.actions):
        after = f"M{kind}"
        try:
            writer.used, writer.room = set(), budget
            text = _kind(writer, action, kind, at, after, number)
            budget -= len(text)
            if budget < 0:
                raise CannotUnfold
            used |= writer.used
        except (CannotUnfold, RecursionError):
            text = f"records_{action.name}(S, {at}, {after})"
            left += 1
        goals.append(text)
        at = after
    goals.append(f"{at} = []")
    head: list[Term] = [mover]
    for slot in game.slots.values():
        if slot.name != "mover":
            names = (place(slot, i) for i in range(slot.count))
            head += [name if name in used else "_" for name in names]
    kept = game.slots.get("again")
    changes = [*address(game, 0), 3 - mover, *([*address(game, kept.offset), 0] if kept else [])]
    reply = one_line([equal("Reply", items([0, *changes], "L0"))])
    tests = "over(S, E, W)\n    ->  Reply = [E, W]\n    ;   " if endings is None else f"{endings}    "
    body = ",\n        ".join(goals)
    state = "S" if left or endings is None else "_"
    text = (
        f"{one_line([call('unfolded', [items(head), state, 'Reply'])])} :-\n    (   {tests}{body},\n"
        f"        (   L0 == []\n        ->  Reply = stuck\n        ;   {reply}\n        )\n    )."
    )
    return text, left, state == "S"


def _endings(game: Game, mover: int, used: set[str]) -> str | None:
    """The tests of all endings, seen by who has just moved; None if they are better asked of their clauses.

    Adds the variables of the tests to those that are `used`.
    """
    if "again" in game.slots:
        return None
    writer, text = Writer(Folder(game, 3 - mover)), ""
    try:
        for number, ending in enumerate(game.endings, 1):
            if (ending.repeated or 1) > 1 or (ending.turns or 0) > 0:
                continue  # these depend on the game so far
            winner = _winner(ending, 3 - mover)
            tests = [goals for _, goals in writer.folder.ways(ending.body, {})]
            if not tests:
                continue
            text += f"{writer.text(alternatives(tests))}\n    ->  Reply = [{number}, {winner}]\n    ;   "
            if len(text) > 40_000:
                return None
    except (CannotUnfold, RecursionError):
        return None
    used |= writer.used
    return text


def _winner(ending: Ending, just_moved: int) -> int:
    match ending.result:
        case Winner(None, None):
            return 0
        case Winner(None, role):
            return just_moved if role == "mover" else 3 - just_moved
        case Winner(Const(value, _), _):
            return value
    raise CannotUnfold


def _kind(writer: Writer, action: Action, kind: int, at: str, after: str, number: Iterator[int]) -> str:
    """The records of all moves of one kind between two open lists."""
    if action.after:
        raise CannotUnfold
    writer.folder.written = {}  # an earlier kind may have been given up in the middle
    found = list(writer.folder.ways(action.body, {}))
    found.sort(key=lambda way: tuple(_number(way[0][p]) for p in action.params))
    moves = [(goals, env) for env, goals in found]
    return _branches(writer, action, kind, moves, 0, at, after, number)


def _number(value: Value) -> int:
    if not isinstance(value, int):
        raise CannotUnfold
    return value


def _branches(
    writer: Writer, action: Action, kind: int, moves: list[tuple[Goals, Env]], depth: int,
    at: str, after: str, number: Iterator[int],
) -> str:  # fmt: skip
    """Moves that have met their first `depth` goals already; the next goal is asked once for all that share it."""
    texts = []
    groups: list[list[tuple[Goals, Env]]] = []
    for move in moves:
        mine = move[0][depth : depth + 1]
        if groups and mine and groups[-1][0][0][depth : depth + 1] == mine:
            groups[-1].append(move)
        else:
            groups.append([move])
    for i, group in enumerate(groups):
        here = after if i == len(groups) - 1 else f"L{next(number)}"
        goals, env = group[0]
        if len(group) > 1:
            inner = _branches(writer, action, kind, group, depth + 1, at, here, number)
            texts.append(f"(   {writer.text(goals[depth : depth + 1])} -> {inner} ; {at} = {here} )")
        else:
            record = writer.text(writer.record(action, kind, env, goals, at, here))
            rest = goals[depth:]
            texts.append(f"(   {writer.text(rest)} -> {record} ; {at} = {here} )" if rest else record)
        at = here
    return ",\n        ".join(texts) if texts else f"{at} = {after}"


# --------------------------------------------------------------------------------------------- helpers


def address(game: Game, byte: int) -> Iterable[int]:
    """The address of a byte in a patch: two digits on a large board."""
    return digits(byte, 1 if game.size <= 255 else 2)


def computed(goals: Goals, line: int) -> Goals:
    """Goals that bind variables; if one of them can fail, the failure is an error of that line."""
    return goals if all(map(sure, goals)) else (choice(goals, [TRUE], [impossible(line)]),)


def impossible(line: int) -> Goal:
    """The goal that is an error of a line."""
    return call("impossible", [line])


def _deciding_vars(effects: Effects) -> set[Var]:
    """Variables that say which places the effects write or which values they try."""
    found: set[Var] = set()

    def look(body: Body) -> None:
        for step in all_steps(body):
            match step:
                case Find(_, args, binds) | Get(_, args, _, binds):
                    found.update(a for a in args if isinstance(a, Var) and a not in binds)
                case Each(_, low, high):
                    found.update(a for a in (low, high) if isinstance(a, Var))
                case Let(_, expr):
                    found.update(_vars(expr))
                case _:
                    pass

    for effect in effects:
        match effect:
            case Compute(body, _):
                look(body)
            case Assign(_, args):
                found.update(a for a in args if isinstance(a, Var))
            case When(_, then, otherwise, _):
                found |= _deciding_vars(then) | _deciding_vars(otherwise)
            case ForAll(body, inner, _):
                look(body)
                found |= _deciding_vars(inner)
            case _:
                pass
    return found


def _vars(expr: Expr) -> set[Var]:
    if isinstance(expr, Op):
        return set().union(*(_vars(arg) for arg in expr.args))
    return {expr} if isinstance(expr, Var) else set()
