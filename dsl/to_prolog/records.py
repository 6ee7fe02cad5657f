"""The legal moves of a kind as records for programs, found by loops.

In: a kind of move.  Out: `records_KIND(S, L0, L)`, which puts 255, kind, parameters and changes of every legal move
between two open lists, in canonical order.  It does what findall/3 over `move_KIND` would do, in half the time: each
choice is a loop over the cells, the numbers or a list from a table; a value of the position is read before it is
compared, so that Prolog needs no choice point; and the changes are written where the move is found.

    move_retreat(state(Mover, At), From, To) :-      records_retreat_from(From, Mover, At, L0, L) :-
        arg(From, At, Mover),                            (   From > 36
        static_retreat_to(From, To),                     ->  L0 = L
        arg(To, At, 0).                                  ;   arg(From, At, AtFrom),
                                                             (   AtFrom == Mover
                                                             ->  each_static_retreat_to(From, ToList),
                                                                 records_retreat_to(ToList, …)
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from itertools import product

from pysolve.dsl.model import Action, Among, Body, Const, Each, Find, Game, Get, Member, Sort, Table, Var, Walk
from pysolve.dsl.model.properties import bound, chooses, stops_everywhere
from pysolve.dsl.model.rule_names import is_of_rays
from pysolve.dsl.model.steps import renamed
from pysolve.dsl.to_prolog.clause import Clause, Row
from pysolve.dsl.to_prolog.effects import Patch, spell
from pysolve.dsl.to_prolog.terms import (
    NIL,
    Compound,
    Goal,
    Items,
    Term,
    call,
    choice,
    clause,
    equal,
    fact,
    filled,
    findall,
    infix,
    items,
    joined,
    let,
    variables,
)

# Tables that are asked as lists, how many columns are given, and the tables whose lines come with each row.
Lists = dict[tuple[str, int, tuple[str, ...]], None]
LINE = -1  # all columns but the last two, which are the numbers from 1 and the cells of a line


def print_records(game: Game, kind: int, action: Action, lists: Lists) -> str:
    """`records_KIND(S, L0, L)` and its loops; notes the lists that it asks for."""
    own = Clause(game, prefix=f"records_{action.name}", fast=True)
    own.reserve("L0", "L1", "L2", "L", "Next", "Rest", "Ray", "Found", "Found0", "Found1")
    if not action.ordered and not _sorted_by_walks(action):
        return _found_and_sorted(own, kind, action)
    return _Loops(own, kind, action, lists).text()


def _sorted_by_walks(action: Action) -> bool:
    """Is it enough to sort the targets of each walk?"""
    return all(step.target in action.params for step in action.body if isinstance(step, Walk))


@dataclass
class _Loops:
    clause: Clause
    kind: int
    action: Action
    lists: Lists
    bound: list[Term] = field(default_factory=list)  # variables that have a value
    loops: list[str] = field(default_factory=list)  # clauses, the outer loop first

    def text(self) -> str:
        """The clauses that list the records of all moves of the kind."""
        goals = self.found(self.action.body, "L0", "L")
        if self.action.after:
            self.clause.whole = True
        self.lists |= {(name, LINE, ()): None for name in self.clause.lines}
        head = self.clause.finish(f"records_{self.action.name}", ["L0", "L"], goals)
        return "\n".join([head, *self.loops, *self.clause.helpers])

    def found(self, body: Body, at: Term, after: Term) -> list[Goal]:
        """Goals that put the records of what is left to be chosen between two open lists."""
        number = next((i for i, step in enumerate(body) if chooses(step, self.clause.game.tables)), len(body))
        tests, rest = body[:number], body[number:]
        if not rest:
            return self.clause.decide(tests, lambda: self.last(at, after), lambda: [equal(at, after)])
        return self.clause.decide(tests, lambda: self.choose(tests, rest, at, after), lambda: [equal(at, after)])

    def last(self, at: Term, after: Term) -> list[Goal]:
        """The record, where everything is chosen and tested."""
        goals = self.record(at, after)
        if not self.action.after:
            return goals
        args = [self.clause.state, *map(self.clause.var, self.action.params)]
        return [choice([call(f"after_{self.action.name}", args)], goals, [equal(at, after)])]

    def record(self, at: Term, after: Term) -> list[Goal]:
        """The goals that put the record of one move in front of a list: `at` begins with it, `after` is the rest."""
        own, action = self.clause, self.action
        names = [own.var(p) for p in action.params]
        codes, goals = move_codes(own, self.kind, action)
        if len(action.rounds) > 1:
            own.whole = True
            changes = call(f"effect_{action.name}", [own.state, *names, "L2", after])
            return [*goals, equal(at, items(codes, "L2")), changes]
        inner = own.scope([*action.params])
        goals += Patch(inner, fails=True).round(action.rounds[0] if action.rounds else (), at, after, codes)
        own.whole = own.whole or inner.whole
        return goals

    def choose(self, before: Body, body: Body, at: Term, after: Term) -> list[Goal]:
        """A loop over the values of what the next step chooses."""
        self.bound += [self.clause.names[v] for step in before for v in bound(step) if v in self.clause.names]
        step, rest = body[0], body[1:]
        match step, rest[:1]:
            case Each(var, low, high), (Find(table, args, binds) as find,) if (
                var in args and find.args.count(var) == 1 and isinstance(low, Const) and isinstance(high, Const)
                and _covers(self.clause.game.tables[table].sorts[args.index(var)], low, high)
            ):  # fmt: skip
                both = replace(find, binds=tuple(a for a in args if a in (*binds, var)))
                if self.listed(both):
                    step, rest = both, rest[1:]
        match step:
            case Each(var, low, high):
                return self.count(var, self.clause.atom(low), self.clause.atom(high), (), rest, at, after)
            case Get(slot, (Var() as var,), _, binds) if var in binds:
                sort = self.clause.game.slots[slot].params[0]
                test = replace(step, binds=tuple(v for v in binds if v != var))
                return self.count(var, sort.low, sort.high, (test,), rest, at, after)
            case Find() if (given := self.listed(step)) is not None:
                return self.over_rows(step, given, rest, at, after)
            case Walk():
                return self.walk(step, rest, at, after)
            case Among(Var() as item, values, _):
                listed = items(map(self.clause.atom, values))
                return self.over_list(listed, [self.clause.var(item)], (item,), rest, at, after)
            case Member(Var() as item, within, _):
                return self.over_list(self.clause.var(within), [self.clause.var(item)], (item,), rest, at, after)
        found = bound(step)
        every = self.clause.fresh("all")
        pattern = call("v", map(self.clause.var, found))
        return [findall(pattern, self.clause.step(step), every),
                *self.over_list(every, [pattern], found, rest, at, after)]  # fmt: skip

    def inside(self, own: Iterable[Term], body: Body, row: Row | None = None) -> list[Goal]:
        """The goals of a loop, whose own variables have a value there."""
        bound, self.bound = self.bound, [*self.bound, *own]
        has_read, self.clause.has_read = self.clause.has_read, {}
        outer, self.clause.row = self.clause.row, row
        goals = self.found(body, "L0", "L1")
        self.bound, self.clause.has_read, self.clause.row = bound, has_read, outer
        return goals

    def count(self, var: Var, low: Term, high: Term, tests: Body, rest: Body, at: Term, after: Term) -> list[Goal]:
        """A loop over numbers."""
        name = self.clause.var(var)
        inner = self.inside((name, high), (*tests, *rest))
        loop = self.clause.helper_name(var.name)
        args = self.needed([*inner, high], name)
        body = choice([infix(name, ">", high)], [equal("L0", "L")],
                      [*inner, let("Next", infix(name, "+", 1)), call(loop, ["Next", *args, "L1", "L"])])  # fmt: skip
        self.loops.insert(0, clause(call(loop, [name, *args, "L0", "L"]), [body]))
        return [call(loop, [low, *args, at, after])]

    def over_rows(self, step: Find, given: int, rest: Body, at: Term, after: Term) -> list[Goal]:
        """A loop over the rows of a table, and the lines that belong to them."""
        row, rows = Row(step.args[: given + 1]), self.clause.fresh("all")
        columns = [self.clause.atom(v) for v in step.args]
        loop = self.over_list(rows, columns[given:], step.binds, rest, at, after, row)
        self.lists[step.table, given, tuple(row.lines)] = None
        return [call(list_name(step.table, row.lines), [*columns[:given], rows]), *loop]

    def over_list(
        self, listed: Term, columns: Sequence[Term], binds: tuple[Var, ...], rest: Body, at: Term, after: Term,
        row: Row | None = None,
    ) -> list[Goal]:  # fmt: skip
        """A loop over a list, of which each item has these columns, and the lines of its row."""
        own = [self.clause.var(v) for v in binds]
        inner = self.inside(own, rest, row)
        lines = [name for names in row.lines.values() for name in names] if row is not None else []
        loop = self.clause.helper_name(binds[-1].name if binds else "list")
        args = self.needed(inner, *own)
        self.loops[:0] = [
            clause(call(loop, [NIL, *("_" for _ in args), "L", "L"])),
            clause(call(loop, [items([_row(columns, lines)], "Rest"), *args, "L0", "L"]),
                   [*inner, call(loop, ["Rest", *args, "L1", "L"])]),
        ]  # fmt: skip
        return [call(loop, [listed, *args, at, after])]

    def walk(self, step: Walk, rest: Body, at: Term, after: Term) -> list[Goal]:
        """Walks along each ray for the targets; then a loop over the targets, sorted."""
        own = self.clause
        has_read, own.has_read = own.has_read, {}
        over, target = own.var(step.over), own.var(step.target)
        self.lists[step.rays, 1, ()] = None
        each, along = (own.helper_name(f"{step.target.name}_{what}") for what in ("rays", "walk"))
        tests = rest[: next((i for i, one in enumerate(rest) if bound(one) or not own.plain(one)), len(rest))]
        rest = rest[len(tests) :]
        hit = "Found" if step.first_only else "Found1"
        onwards = call(along)  # its arguments are known afterwards
        here = renamed(tests, {step.target: step.over})

        def stop() -> list[Goal]:
            return own.decide(here, lambda: [equal("Found0", items([over], hit))], lambda: [equal("Found0", hit)])

        if step.first_only:
            found = own.decide(step.clear, lambda: [onwards], stop)
        else:
            found = [*stop(), *own.decide(step.clear, lambda: [onwards], lambda: [equal("Found1", "Found")])]
        args, own.has_read = self.needed(found, over), has_read
        further = call(along, ["Rest", *args, "Found0" if step.first_only else "Found1", "Found"])
        blanks = ["_" for _ in args]
        helpers = [
            clause(call(each, [NIL, *blanks, "Found", "Found"])),
            clause(call(each, [items(["Ray"], "Rest"), *args, "Found0", "Found"]), [
                call(along, ["Ray", *args, "Found0", "Found1"]), call(each, ["Rest", *args, "Found1", "Found"])]),
            clause(call(along, [NIL, *blanks, "Found", "Found"])),
            clause(call(along, [items([over], "Rest"), *args, "Found0", "Found"]), filled(found, onwards, further)),
        ]  # fmt: skip
        rays, targets, ordered = own.fresh("rays"), own.fresh("targets"), own.fresh("sorted")
        stops = () if stops_everywhere(step, own.game.tables) else (Find(step.stops, (step.origin, step.target), ()),)
        loop = self.over_list(ordered, [target], (step.target,), (*stops, *rest), at, after)
        self.loops += helpers
        return [call(f"each_{step.rays}", [own.atom(step.origin), rays]), call(each, [rays, *args, targets, NIL]),
                call("sort", [targets, ordered]), *loop]  # fmt: skip

    def listed(self, step: Find) -> int | None:
        """The number of given columns, if they are the first of a table that can be printed as lists; else None."""
        given = next((i for i, a in enumerate(step.args) if a in step.binds), len(step.args))
        left = step.args[given:]
        if given > 1 or not 1 <= len(left) <= 2 or len(set(left)) < len(left):
            return None
        return given if all(a in step.binds for a in left) else None

    def needed(self, goals: Iterable[Term], *own: Term) -> list[str]:
        """The variables that a loop must be given: those of its goals that have a value already."""
        known = {*self.bound, *self.clause.slots.values(), *self.clause.hoisted, self.clause.state}
        return [name for name in variables(goals) if name in known and name not in own]


def _covers(sort: Sort, low: Const, high: Const) -> bool:
    return low.value <= sort.lowest and sort.high <= high.value


def _found_and_sorted(own: Clause, kind: int, action: Action) -> str:
    """All moves by findall/3, in order; then their records."""
    names = [own.var(p) for p in action.params]
    codes, before = move_codes(own, kind, action)
    move, spell_ = call("m", names), f"spell_{action.name}"
    return "\n".join([
        clause(call(f"records_{action.name}", ["S", "L0", "L"]), [
            findall(move, [call(f"move_{action.name}", ["S", *names])], "Found"), call("sort", ["Found", "Moves"]),
            call(spell_, ["Moves", "S", "L0", "L"]),
        ]),
        clause(call(spell_, [NIL, "_", "L", "L"])),
        clause(call(spell_, [items([move], "Moves"), "S", items(codes, "L0"), "L"]), [
            *before, call(f"effect_{action.name}", ["S", *names, "L0", "L1"]), call(spell_, ["Moves", "S", "L1", "L"]),
        ]),
    ])  # fmt: skip


def move_codes(clause_: Clause, kind: int, action: Action) -> tuple[list[Term], list[Goal]]:
    """The bytes of a record up to the changes: 255, the kind, the parameters; and the goals that compute them.

    A parameter is spelled less its lowest value where that is negative, in two bytes where its sort is wide.
    """
    codes, goals = list[Term]([255, kind]), list[Goal]()
    for param in action.params:
        name, sort = clause_.var(param), param.sort
        assert isinstance(sort, Sort)
        if sort.low < 0:
            shifted = clause_.fresh("shifted")
            goals.append(let(shifted, infix(name, "+", -sort.low)))
            name = shifted
        spelled, more = spell(clause_, name, max(sort.high - min(sort.low, 0), 0) + 1)
        codes += spelled
        goals += more
    return codes, goals


def print_lists(game: Game, lists: Lists) -> list[str]:
    """Tables once more, as lists of what belongs to a key: each_TABLE(Key, List)."""
    return [
        _as_lines(game.tables[name]) if given == LINE else _as_lists(game, name, given, lines)
        for name, given, lines in lists
    ]


def list_name(table: str, lines: Iterable[str]) -> str:
    """The predicate that has a table as lists, with lines of others."""
    return "_with_".join([f"each_{table}", *lines])


def _as_lists(game: Game, name: str, given: int, with_lines: tuple[str, ...]) -> str:
    table = game.tables[name]
    rays = is_of_rays(name)
    found: dict[tuple[int, ...], list[Term]] = {()[:given]: []} if not given else {
        (key,): [] for key in range(table.sorts[0].lowest, table.sorts[0].high + 1)}  # fmt: skip
    if rays:
        for (origin, _), cells in rays_of(table).items():
            found[(origin,)].append(items(cells))
    else:
        lines_of = [_lines(game.tables[one]) for one in with_lines]
        for row in table.rows:
            more = [cells for lines in lines_of for cells in lines[row[: given + 1]]]
            found[row[:given]].append(_row(row[given:], more))
    return "\n".join(fact(list_name(name, with_lines), *key, items(rows)) for key, rows in found.items())


def _row(columns: Sequence[Term], lines: Sequence[Term]) -> Term:
    """An item of a list: one or two columns of a table, and the lines that come with them."""
    return call("row", [*columns, *lines]) if lines else joined(columns, "-")


def rays_of(table: Table) -> dict[tuple[int, int], list[int]]:
    """The cells along each ray of a table, by its origin and number."""
    along: dict[tuple[int, int], list[int]] = {}
    for origin, line, _far, cell in table.rows:
        along.setdefault((origin, line), []).append(cell)
    return along


def _as_lines(table: Table) -> str:
    """line_TABLE(Keys, cells(…), […])."""
    return "\n".join(fact(f"line_{table.name}", *key, *both) for key, both in _lines(table).items())


def _lines(table: Table) -> dict[tuple[int, ...], tuple[Compound, Items]]:
    """The cells of each line: all that there are, and a list of those for the numbers from 1."""
    low = table.sorts[-2].lowest
    lines: dict[tuple[int, ...], tuple[list[int], list[int]]] = {}
    for key in product(*(range(sort.lowest, sort.high + 1) for sort in table.sorts[:-2])):
        lines[key] = ([], [])
    for row in table.rows:  # in ascending order
        cells, line = lines[row[:-2]]
        if row[-2] == low + len(cells):
            cells.append(row[-1])
        if row[-2] == 1 + len(line):
            line.append(row[-1])
    return {key: (call("cells", cells), items(line)) for key, (cells, line) in lines.items()}
