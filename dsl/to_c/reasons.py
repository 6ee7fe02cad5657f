"""What `why`, the examples and a board beside the rules ask, as C: each demand on a move by itself, the values that
decide it, each claim of an example, and what the rules mark and tell.

In: a game.  Out: the C of its rules with some questions more.  It is printed and compiled for a machine without Prolog,
which otherwise answers them; so a game that is played has nothing of it.

Values are written one behind the other: the number of the probe, its arguments, and its value if it has one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from pysolve.dsl.model import (
    Ask,
    Atom,
    Body,
    Const,
    Demand,
    Each,
    Game,
    Get,
    Member,
    Probe,
    Query,
    SetSort,
    Step,
    Trail,
    Var,
    all_steps,
    asked_steps,
    body_vars,
)
from pysolve.dsl.model.demands import AFTER, Asked, Numbered, numbered_demands
from pysolve.dsl.model.properties import properties
from pysolve.dsl.to_c.body import BodyPrinter
from pysolve.dsl.to_c.program import Program
from pysolve.dsl.to_c.scope import set_words
from pysolve.dsl.to_c.text import identifier
from pysolve.dsl.to_c.value import Value, of_number, parameter

ROWS = "I *out, UNUSED I *end"
HEAD = """
/* Does a demand on a move hold, or what an example claims?  `number` is as in dsl/model/demands.py. */
EXPORT I ps_demand(Control *c, const u8 *in, UNUSED Move move, I number)"""
VALUES = """
/* The values that decide a demand, as dsl/to_c/reasons.py says: how many numbers, or NO_ROOM. */
EXPORT I ps_reasons(Control *c, const u8 *in, UNUSED Move move, I number, UNUSED I *out, UNUSED I room)"""
STEPS = """
/* Where the closure of a demand begins, behind what is asked for, if it is a member; or what lies beside `near`. */
EXPORT I ps_trail(Control *c, const u8 *in, UNUSED Move move, I number, UNUSED I near, UNUSED I *out, UNUSED I room)"""
SHOWN = """
/* What the rules mark or tell: the rows of a name, one behind the other. */
EXPORT I ps_shown(Control *c, const u8 *in, I number, UNUSED I *out, UNUSED I room)"""
OWN = "s.b, s.b[0] MEMO(&k) BOUND(c)"  # the first arguments of all functions
TAKE = ("take(&s, in);",)


def write_reasons(program: Program) -> None:
    """The functions behind the questions, each for one demand, or for one name."""
    for asked, one in _all(program.game):
        with program.out.block(f"static int demand_{one.number}({_parameters(program, asked)})"):
            program.out.line(f"return {_printer(program, asked).condition(one.demand.body).text};")
        if has_values(one.demand):
            with program.out.block(f"static I *values_{one.number}({_parameters(program, asked)}, {ROWS})"):
                _values(program, _printer(program, asked, "out"), one.demand)
                program.out.line("return out;")
        if one.demand.trail is not None:
            with program.out.block(f"static I *trail_{one.number}({_parameters(program, asked)}, I near, {ROWS})"):
                _trail(program, _printer(program, asked, "out"), one.demand.trail)
                program.out.line("return out;")
    write_shown(program)


def write_shown(program: Program) -> None:
    """The functions that find what is shown, each for one name; behind them the one for the players who are out."""
    for number, query in enumerate(program.game.shown.values()):
        with program.out.block(f"static I *shown_{number}({program.state}, {ROWS})"):
            _rows(program, query)
            program.out.line("return out;")
    if program.game.out is not None:
        with program.out.block(f"static I *shown_{len(program.game.shown)}({program.state}, {ROWS})"):
            _outs(program, program.game.out)
            program.out.line("return out;")


def has_values(demand: Demand) -> bool:
    """True if there is something to tell of a demand, besides whether it holds."""
    return bool(demand.probes or demand.counter_probes)


def only_shown(game: Game) -> Game | None:
    """What of a game is asked where something is shown: the rules behind these names; None if they ask for moves."""
    names = {query.target for query in game.shown.values() if query.kind == "rule"} | (
        {game.out} if game.out else set()
    )
    steps = [step for name in names for step in all_steps(game.rules[name].body)]
    asked = list(map(properties, asked_steps(game, steps)))
    if any(one.moves for one in asked):
        return None
    names |= {one.rule for one in asked if one.rule is not None}
    return replace(
        game, rules={name: rule for name, rule in game.rules.items() if name in names}, actions=(), setup=(),
        endings=(), terms=(), stuck=None, examples=(), nevers=(), claims=(),
    )  # fmt: skip


def _all(game: Game) -> Iterator[tuple[Asked, Numbered]]:
    for asked in numbered_demands(game):
        for demand in asked.demands:
            yield from ((asked, one) for one in demand.all())


def _parameters(program: Program, asked: Asked) -> str:
    return program.state if asked.action is None else program.parameters(asked.action)


def _printer(program: Program, asked: Asked, failed: str = "1") -> BodyPrinter:
    """A printer that knows the parameters of the move, and reads the position that is meant."""
    if asked.action is not None and asked.part == AFTER:
        return program.after_state(asked.action, failed)
    printer = program.printer()
    params = () if asked.action is None else asked.action.params
    printer.names = {param: parameter(i) for i, param in enumerate(params)}
    return printer


# ------------------------------------------------------------------------------------------- values


def _values(program: Program, printer: BodyPrinter, demand: Demand) -> None:
    """A row for each way to carry out a probe; those of what speaks against the demand come last."""
    names = dict(printer.names)
    ways: list[tuple[Body, Probe]] = [((), probe) for probe in demand.probes]
    ways += [(demand.counter, probe) for probe in demand.counter_probes]
    for number, (before, probe) in enumerate(ways):
        printer.names, printer.declared = dict(names), set()

        def row(number: int = number, probe: Probe = probe) -> None:
            values = [*probe.args, *(() if probe.value is None else (probe.value,))]
            _write(program, [of_number(number), *map(printer.atom, values)])

        def found(probe: Probe = probe, row: Callable[[], None] = row) -> None:
            with program.out.block(""):
                printer.ways(probe.body, row)

        with program.out.block(""):
            printer.ways(before, found)


def _write(program: Program, values: Sequence[Value]) -> None:
    """Writes a row, if there is room for it."""
    program.out.line(f"if (end - out < {len(values)}) return 0;")
    program.out.line("".join(f"*out++ = {value}; " for value in values).rstrip())


def _trail(program: Program, printer: BodyPrinter, trail: Trail) -> None:
    reach = trail.reach
    sort = reach.start.sort
    assert isinstance(sort, SetSort)
    member = Var("trail member", sort.of)

    def begin() -> None:
        if trail.item is not None:
            _write(program, [printer.atom(trail.item)])
        printer.step(Member(member, reach.start, (member,)), lambda: _write(program, [printer.atom(member)]))

    def beside() -> None:
        printer.bind(reach.near, "near")
        printer.ways(reach.body, lambda: _write(program, [printer.atom(reach.next)]))

    def found() -> None:
        names = dict(printer.names)
        with program.out.block("if (near == BEGINS)"):
            begin()
        printer.names = names
        with program.out.block("else"):
            beside()
        program.out.line("return out;")

    with program.out.block(""):
        printer.ways(trail.body, found)


def _rows(program: Program, query: Query) -> None:
    """A row for each answer to the query: the parameters, then the value, or a member of the set."""
    printer, steps = program.printer(), list[Step]()
    args: list[Atom] = []
    for i, sort in enumerate(query.params):
        args.append(var := Var(f"shown {i}", sort))
        steps.append(Each(var, Const(sort.lowest, sort), Const(sort.high, sort)))
    row = list(args)
    result = None if query.result is None else Var("shown value", query.result)
    if query.kind == "slot":
        assert result is not None
        steps.append(Get(query.target, tuple(args), result, (result,)))
    else:
        steps.append(Ask(query.target, tuple(args), result))
    if result is not None and isinstance(result.sort, SetSort):
        member = Var("shown member", result.sort.of)
        steps.append(Member(member, result, (member,)))
        row.append(member)
    elif result is not None:
        row.append(result)
    with program.out.block(""):
        printer.ways(steps, lambda: _write(program, list(map(printer.atom, row))))


def _outs(program: Program, rule: str) -> None:
    """A row for each player who would be passed over, if the turn came to this player."""
    out = program.out
    out.line("State t;")
    out.line("copy(t.b, s, SIZE);")
    with out.loop(f"for (I who = 1; who <= {program.players}; who++)"):
        out.line("t.b[0] = (u8)who;")
        memo = program.new_memo()
        with out.block(f"if (rule_{identifier(rule)}(t.b, who{program.with_memo(memo)}))"):
            _write(program, [Value("who")])


# ---------------------------------------------------------------------------------------- questions


def write_questions(program: Program) -> None:
    """The questions themselves, which stand behind the runtime."""
    demands: dict[int, str] = {}
    values: dict[int, str] = {}
    trails: dict[int, str] = {}
    for asked, one in _all(program.game):
        given = "".join(f", {place}" for place in _given(program, asked))
        demands[one.number] = f"demand_{one.number}({OWN}{given})"
        if has_values(one.demand):
            values[one.number] = f"values_{one.number}({OWN}{given}, out, out + room)"
        if one.demand.trail is not None:
            trails[one.number] = f"trail_{one.number}({OWN}{given}, near, out, out + room)"
    _question(program, HEAD, demands, rows=False)
    for head, calls in ((VALUES, values), (STEPS, trails)):
        _question(program, head, calls, rows=True)
    write_question_of_shown(program)


def write_question_of_shown(program: Program, take: Sequence[str] = TAKE) -> None:
    """The question for what is shown; `take` copies the position that is given."""
    count = len(program.game.shown) + (program.game.out is not None)
    rows = {number: f"shown_{number}({OWN}, out, out + room)" for number in range(count)}
    _question(program, SHOWN, rows, rows=True, take=take)


def _given(program: Program, asked: Asked) -> list[str]:
    return [] if asked.action is None else program.decoded(program.game.actions.index(asked.action))


def _question(
    program: Program, head: str, calls: dict[int, str], rows: bool, take: Sequence[str] = TAKE
) -> None:  # fmt: skip
    out = program.out
    with out.block(head):
        for line in ("State s;", *take, "NEW_MEMO(k);", "(void)c;", "I *last = 0;" if rows else ""):
            if line:
                out.line(line)
        with out.block("switch (number)"):
            for number, call in calls.items():
                out.line(f"case {number}: last = {call}; break;" if rows else f"case {number}: return {call};")
            out.line("default: return 0;")
        if rows:
            out.line("return last ? last - out : NO_ROOM;")


def sets_of_claims(game: Game) -> set[int]:
    """The sizes in words of the sets that only examples, explanations and displays use."""
    bodies = [body for _, one in _all(game) for body in _bodies(one.demand)]
    found = {set_words(var.sort) for body in bodies for var in body_vars(body) if isinstance(var.sort, SetSort)}
    return found | {set_words(query.result) for query in game.shown.values() if isinstance(query.result, SetSort)}


def _bodies(demand: Demand) -> Iterator[Body]:
    yield from (demand.body, demand.counter)
    for probe in (*demand.probes, *demand.counter_probes):
        yield probe.body
    if demand.trail is not None:
        yield from (demand.trail.body, (demand.trail.reach,))
