"""The clauses that connect the rules with bytes and words: codes, records of moves, names, tables."""

from __future__ import annotations

from pysolve.dsl.language.functions import ALIGNED, BETWEEN, STEP
from pysolve.dsl.model import Action, Game, SetSort, Sort, Table, all_steps, tables_asked
from pysolve.dsl.model.rule_names import is_of_rays
from pysolve.dsl.to_prolog.clause import Clause, slot_number, state_term
from pysolve.dsl.to_prolog.effects import digits, spell
from pysolve.dsl.to_prolog.records import Lists, move_codes, print_lists, print_records, rays_of
from pysolve.dsl.to_prolog.terms import (
    FAIL,
    Goal,
    Term,
    call,
    clause,
    equal,
    fact,
    infix,
    items,
    let,
    pair,
)
from pysolve.dsl.to_prolog.text import one_line, quoted


def print_serve(game: Game, lists: Lists) -> str:
    """The bytes of a position to its term and back; the records of all legal moves, which need tables as lists."""
    passes_on = game.out is not None or ("again" in game.slots and not game.alternating)
    lines = [_decode(game), _places(game), "", ONE_BY_ONE if passes_on else _all_records(game, lists)]
    for action in game.actions:
        move, args = _move(game, action)
        goal = call(f"move_{action.name}", ["S", *args])
        lines.append(clause(call("move", ["S", move]), [goal if action.ordered else call("canonical", [move, goal])]))
    quick = sorted(game.actions, key=lambda action: sum(1 for _ in all_steps(action.body)))
    lines.append("% Has the mover any move?  Kinds with few demands are asked first.")
    for action in quick:
        asked = call(f"move_{action.name}", ["S", *_move(game, action)[1]])
        lines.append(clause(call("can_move", ["S"]), [asked, call("!")]))
    passed = call("passed_on", ["S", "W0", "W1", "W"])
    for action in game.actions:
        move, args = _move(game, action)
        changed = call(f"effect_{action.name}", ["S", *args, "W0", "W1" if passes_on else "W"])
        lines.append(clause(call("effect", [move, "S", "W0", "W"]), [changed, *([passed] if passes_on else [])]))
    if game.stuck is None:
        lines.append(
            "effect(pass, S, W0, W) :-\n    passed_on(S, W0, W0, W)." if passes_on else "effect(pass, _, W, W)."
        )
    lines += [_move_codes(game, kind, action) for kind, action in enumerate(game.actions)]
    lines.append(f"pass_code({len(game.actions)})." if game.stuck is None else "pass_code(none).")
    if game.stuck is not None:
        lines.append(f"stuck_code({len(game.endings) + 1}).")
    else:
        lines.append("stuck(_, _) :-\n    fail.\nstuck_code(0).")
    kept = game.slots.get("again")
    clause_ = Clause(game).reserve("New")
    mover, again = (spell(clause_, byte, game.size)[0] for byte in (0, kept.offset if kept else 0))
    count = game.players.high
    for who in game.players.values():
        codes = [*mover, who % count + 1, *([*again, 0] if kept else [])]
        lines.append(clause(call("turn_codes", [who, "Codes", items(codes, "Codes")])))
    if not game.alternating:
        lines += _seats(game, items([*mover, "Who", *([*again, "Moved"] if kept else [])], "W"))
    lines.append("may_end." if game.endings else "may_end :-\n    fail.")
    slots = {name: clause_.slot(name) for name in game.slots}
    after = state_term(game, {**slots, "mover": "New"})
    lines.append(clause(call("with_mover", [state_term(game, slots), "New", after])))
    lines.append(f"kept_slot({slot_number(game, kept) if kept else 0}).")
    return "\n".join(line for line in lines if line)


# Where what a move changes depends on who is out, it is found for each move by itself.
ONE_BY_ONE = """\
records(S, L0, L) :-
    findall(Move, move(S, Move), Moves),
    foldl(record(S), Moves, L0, L).
record(S, Move, L0, L) :-
    move_codes(Move, L0, L1),
    effect(Move, S, L1, L)."""


def _all_records(game: Game, lists: Lists) -> str:
    """The records of all legal moves, kind by kind."""
    lines, goals, count = list[str](), list[Goal](), len(game.actions)
    for kind, action in enumerate(game.actions):
        lines.append(print_records(game, kind, action, lists))
        goals.append(call(f"records_{action.name}", ["S", f"L{kind}", "L" if kind == count - 1 else f"L{kind + 1}"]))
    lines.append(clause(call("records", ["S", "L0", "L"]), goals or [equal("L0", "L")]))
    return "\n".join(lines)


def _seats(game: Game, codes: Term) -> list[str]:
    """The clauses for players who do not simply alternate: their number, who is out, and who is next."""
    passed = call("passed_codes", ["Who", "Moved" if "again" in game.slots else "_", codes, "W"])
    lines = [f"seats({game.players.high}).", clause(passed)]
    if game.out is None:
        return [*lines, "is_out(_) :-\n    fail.", "out_line(0)."]
    rule = game.rules[game.out]
    asked = "is_out(S) :-\n    out(S)." if rule.reads else "is_out(_) :-\n    out."
    return [*lines, asked, f"out_line({rule.span.line})."]


def _move(game: Game, action: Action) -> tuple[Term, list[Term]]:
    """A move as a term, and the variables of its parameters."""
    clause_ = Clause(game).reserve("W0", "W")
    args = [clause_.var(p) for p in action.params]
    return call(quoted(action.name), args), args


def _move_codes(game: Game, kind: int, action: Action) -> str:
    """The record of a move without what it changes, as a list with an open end."""
    own = Clause(game).reserve("Codes")
    codes, goals = move_codes(own, kind, action)
    move = call(quoted(action.name), map(own.var, action.params))
    return clause(call("move_codes", [move, items(codes, "Codes"), "Codes"]), goals)


def _decode(game: Game) -> str:
    """decode(Codes, S) and encode(S, Codes): the bytes of a position and its term."""
    clause_ = Clause(game)
    codes, slots = list[Term](), list[Term]()
    reading, writing = list[Goal](), list[Goal]()
    for slot in game.slots.values():
        values = [clause_.fresh(f"{slot.name}{i + 1 if slot.params else ''}") for i in range(slot.count)]
        slots.append(call(quoted(slot.name), values) if slot.params else values[0])
        for value in values:
            if slot.width == 2:
                high, low = clause_.fresh(f"{value}h"), clause_.fresh(f"{value}l")
                codes += [high, low]
                number = infix(infix(infix(high, "*", 255), "+", low), "-", slot.shift)
                reading.append(let(value, number))
                writing += digits(infix(value, "+", slot.shift), high, low)
            elif slot.shift:
                byte = clause_.fresh(f"{value}b")
                codes.append(byte)
                reading.append(let(value, infix(byte, "-", slot.shift)))
                writing.append(let(byte, infix(value, "+", slot.shift)))
            else:
                codes.append(value)
    state, listed = call("state", slots), items(codes)
    return "\n".join(
        [clause(call("decode", [listed, state]), reading), clause(call("encode", [state, listed]), writing)]
    )


def _places(game: Game) -> str:
    """spot(Byte, Slot, Place, Width, Shift): where the byte of a patch belongs; and the digits of a byte."""
    lines = ["% spot(Byte, Argument of state/N, Argument of the slot or 0, Width, Shift)"]
    for number, slot in enumerate(game.slots.values(), 1):
        for i in range(slot.count):
            byte = slot.offset + i * slot.width
            lines.append(f"spot({byte}, {number}, {i + 1 if slot.params else 0}, {slot.width}, {slot.shift}).")
    lines.append(f"address_digits({1 if game.size <= 255 else 2}).")
    return "\n".join(lines)


def print_names(game: Game) -> str:
    """name(Sort, Number, Word), what a query may ask, and the rows of a diagram."""
    lines = []
    for sort in {sort.name: sort for sort in game.sorts.values()}.values():  # a type may stand for another
        for value, label in enumerate(sort.labels, sort.low):
            lines.append(fact("name", call(quoted(sort.name)), value, call(quoted(label))))
    lines.append("% asked(Name, Kind, Predicate, Sorts of the arguments, Sort of the value)")
    none = call("none")
    for name, query in game.queries.items():
        result = none if query.result is None else sort_name(query.result)
        kind = query.kind
        if kind == "rule" and not game.rules[query.target].reads:
            kind = "function"
        params = items(map(sort_name, query.params))
        lines.append(fact("asked", call(quoted(name)), call(kind), call(quoted(query.target)), params, result))
    for action in game.actions:
        params = items(sort_name(p.sort) for p in action.params)
        lines.append(fact("asked", call(quoted(action.name)), call("move"), call(quoted(action.name)), params, none))
    for slot in game.slots.values():
        bounds = items(pair(s.low, s.high) for s in slot.params)
        lines.append(fact("slot", call(quoted(slot.name)), slot_number(game, slot), bounds))
    for row in game.board.rows:
        lines.append(fact("row", items(none if c is None else c for c in row)))
    if not game.board.rows:
        lines.append("row(_) :-\n    fail.")
    for layer in game.layers:
        slots = items(call(quoted(slot)) for slot in layer.slots)
        for glyph in layer.glyphs:
            lines.append(fact("glyph", slots, items(glyph.values), call(quoted(glyph.text))))
    if not game.layers:
        lines.append("glyph(_, _, _) :-\n    fail.")
    return "\n".join(lines)


LINES = """\
% What no rule asks is found when somebody asks.
board_aligned(A, B) :-
    line_of_cells(A, B, _).
board_between(A, B, C) :-
    line_of_cells(A, B, Cells),
    member(C, Cells).
line_of_cells(A, B, Cells) :-
    board_step(A, Direction, Next),
    line_of_cells(Next, Direction, B, Cells).
line_of_cells(B, _, B, []).
line_of_cells(A, Direction, B, [A|Cells]) :-
    board_step(A, Direction, Next),
    line_of_cells(Next, Direction, B, Cells)."""


def sort_name(sort: Sort | SetSort) -> Term:
    """A sort as the runtime needs it: a name for its words, a range for its numbers."""
    if isinstance(sort, SetSort):
        return call("set", [sort_name(sort.of)])
    bounds = sort.low, sort.high
    inner = call("named", [call(quoted(sort.name)), *bounds]) if sort.labels else call("number", bounds)
    return call("optional", [inner, sort.none]) if sort.optional else inner


def print_tables(game: Game, asked: Lists) -> list[str]:
    """The tables as facts; the lines of a board, which are many, only if the rules look into them."""
    lines = {ALIGNED, BETWEEN}
    if STEP not in game.tables or lines & tables_asked(game):
        lines = set()
    facts = [_table(game, table) for table in game.tables.values() if table.name not in lines]
    return [*facts, *print_lists(game, asked), *([LINES] if lines else [])]


def _table(game: Game, table: Table) -> str:
    """The facts of a table; rays are one fact a ray, from the near end."""
    head = [f"% {one_line(table.text)}"] if table.text else []
    rays = is_of_rays(table.name)
    if rays:
        rows = [fact(table.name, origin, items(cells)) for (origin, _), cells in rays_of(table).items()]
    else:
        rows = [fact(table.name, *row) for row in table.rows]
    arity = 2 if rays else len(table.sorts)
    return "\n".join([*head, *(rows or [clause(call(table.name, "_" * arity), [FAIL])])])
