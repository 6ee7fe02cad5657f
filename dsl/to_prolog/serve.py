"""The clauses that connect the rules with bytes and words: codes, records of moves, names, tables."""

from __future__ import annotations

from pysolve.dsl.model import Action, Game, SetSort, Sort, Table, all_steps, tables_asked
from pysolve.dsl.to_prolog.clause import Clause, slot_number, state_term
from pysolve.dsl.to_prolog.effects import spell
from pysolve.dsl.to_prolog.records import Lists, param_codes, print_lists, print_records
from pysolve.dsl.to_prolog.text import call, clause, one_line, quoted


def print_serve(game: Game, lists: Lists) -> str:
    """The bytes of a position to its term and back; the records of all legal moves, which need tables as lists."""
    passes_on = game.out is not None or ("again" in game.slots and not game.alternating)
    lines = [_decode(game), _places(game), "", ONE_BY_ONE if passes_on else _all_records(game, lists)]
    for action in game.actions:
        args = _params(game, action)
        move = call(quoted(action.name), args)
        goal = call(f"move_{action.name}", ["S", *args])
        lines.append(clause(f"move(S, {move})", [goal if action.ordered else f"canonical({move}, {goal})"]))
    quick = sorted(game.actions, key=lambda action: sum(1 for _ in all_steps(action.body)))
    lines.append("% Has the mover any move?  Kinds with few demands are asked first.")
    for action in quick:
        lines.append(clause("can_move(S)", [call(f"move_{action.name}", ["S", *_params(game, action)]), "!"]))
    for action in game.actions:
        args = _params(game, action)
        move = call(quoted(action.name), args)
        if passes_on:
            changed = call(f"effect_{action.name}", ["S", *args, "W0", "W1"])
            lines.append(clause(f"effect({move}, S, W0, W)", [changed, "passed_on(S, W0, W1, W)"]))
            continue
        changed = call(f"effect_{action.name}", ["S", *args, "W0", "W"])
        lines.append(clause(f"effect({move}, S, W0, W)", [changed]))
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
    mover, again = (spell(clause_, str(byte), game.size)[0] for byte in (0, kept.offset if kept else 0))
    rest = f", {again}, 0|Codes" if kept else "|Codes"
    count = game.players.high
    lines += [f"turn_codes({who}, Codes, [{mover}, {who % count + 1}{rest}])." for who in game.players.values()]
    if not game.alternating:
        lines += _seats(game, f"[{mover}, Who, {again}, Moved|W]" if kept else f"[{mover}, Who|W]")
    lines.append("may_end." if game.endings else "may_end :-\n    fail.")
    slots = {name: clause_.slot(name) for name in game.slots}
    after = state_term(game, {**slots, "mover": "New"})
    lines.append(clause(f"with_mover({state_term(game, slots)}, New, {after})", []))
    number = slot_number(game, kept) if kept else 0
    lines.append(f"kept_slot({number}).")
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
    lines, kinds = [], []
    for kind, action in enumerate(game.actions):
        lines.append(print_records(game, kind, action, lists))
        kinds.append(f"records_{action.name}(S, {{}}, {{}})")
    goals = []
    for i, one in enumerate(kinds):
        goals.append(one.format("L0" if i == 0 else f"L{i}", "L" if i == len(kinds) - 1 else f"L{i + 1}"))
    lines.append(clause("records(S, L0, L)", goals or ["L0 = L"]))
    return "\n".join(lines)


def _seats(game: Game, codes: str) -> list[str]:
    """The clauses for players who do not simply alternate: their number, who is out, and who is next."""
    lines = [f"seats({game.players.high}).", f"passed_codes(Who, Moved, {codes}, W)."]
    if "again" not in game.slots:
        lines[1] = lines[1].replace("Moved", "_")
    if game.out is None:
        return [*lines, "is_out(_) :-\n    fail.", "out_line(0)."]
    rule = game.rules[game.out]
    asked = "is_out(S) :-\n    out(S)." if rule.reads else "is_out(_) :-\n    out."
    return [*lines, asked, f"out_line({rule.span.line})."]


def _params(game: Game, action: Action) -> list[str]:
    clause_ = Clause(game).reserve("W0", "W")
    return [clause_.var(p) for p in action.params]


def _move_codes(game: Game, kind: int, action: Action) -> str:
    """The record of a move without what it changes, as a list with an open end."""
    own = Clause(game).reserve("Codes")
    codes, goals = ["255", str(kind)], []
    for param in action.params:
        assert isinstance(param.sort, Sort)
        spelled, more = param_codes(own, param.sort, own.var(param))
        codes.append(spelled)
        goals += more
    move = call(quoted(action.name), [own.var(param) for param in action.params])
    return clause(f"move_codes({move}, [{', '.join(codes)}|Codes], Codes)", goals)


def _decode(game: Game) -> str:
    """decode(Codes, S) and encode(S, Codes): the bytes of a position and its term."""
    clause_ = Clause(game)
    codes: list[str] = []
    reading: list[str] = []
    writing: list[str] = []
    slots = []
    for slot in game.slots.values():
        values = [clause_.fresh(f"{slot.name}{i + 1 if slot.params else ''}") for i in range(slot.count)]
        slots.append(f"{quoted(slot.name)}({', '.join(values)})" if slot.params else values[0])
        for value in values:
            if slot.width == 2:
                high, low = clause_.fresh(f"{value}h"), clause_.fresh(f"{value}l")
                codes += [high, low]
                reading.append(f"{value} is {high} * 255 + {low} - {slot.shift}")
                writing += [f"{high} is ({value} + {slot.shift}) // 255", f"{low} is ({value} + {slot.shift}) mod 255"]
            elif slot.shift:
                codes.append(clause_.fresh(f"{value}b"))
                reading.append(f"{value} is {codes[-1]} - {slot.shift}")
                writing.append(f"{codes[-1]} is {value} + {slot.shift}")
            else:
                codes.append(value)
    state, listed = f"state({', '.join(slots)})", f"[{', '.join(codes)}]"
    decode = clause(f"decode({listed},\n       {state})", reading)
    return "\n".join([decode, clause(f"encode({state},\n       {listed})", writing)])


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
            lines.append(f"name({quoted(sort.name)}, {value}, {quoted(label)}).")
    lines.append("% asked(Name, Kind, Predicate, Sorts of the arguments, Sort of the value)")
    for name, query in game.queries.items():
        params = ", ".join(sort_name(s) for s in query.params)
        result = "none" if query.result is None else sort_name(query.result)
        kind = query.kind
        if kind == "rule" and not game.rules[query.target].reads:
            kind = "function"
        lines.append(f"asked({quoted(name)}, {kind}, {quoted(query.target)}, [{params}], {result}).")
    for action in game.actions:
        params = ", ".join(sort_name(p.sort) for p in action.params)
        lines.append(f"asked({quoted(action.name)}, move, {quoted(action.name)}, [{params}], none).")
    for slot in game.slots.values():
        bounds = ", ".join(f"{s.low}-{s.high}" for s in slot.params)
        lines.append(f"slot({quoted(slot.name)}, {slot_number(game, slot)}, [{bounds}]).")
    for row in game.board.rows:
        words = ", ".join("none" if c is None else str(c) for c in row)
        lines.append(f"row([{words}]).")
    if not game.board.rows:
        lines.append("row(_) :-\n    fail.")
    for layer in game.layers:
        for glyph in layer.glyphs:
            lines.append(f"glyph([{', '.join(map(quoted, layer.slots))}], [{', '.join(map(str, glyph.values))}], "
                         f"{quoted(glyph.text)}).")  # fmt: skip
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


def sort_name(sort: Sort | SetSort) -> str:
    """A sort as the runtime needs it: a name for its words, a range for its numbers."""
    if isinstance(sort, SetSort):
        return f"set({sort_name(sort.of)})"
    bounds = f"{sort.low}, {sort.high}"
    inner = f"named({quoted(sort.name)}, {bounds})" if sort.labels else f"number({bounds})"
    return f"optional({inner}, {sort.none})" if sort.optional else inner


def print_tables(game: Game, asked: Lists) -> list[str]:
    """The tables as facts; the lines of a board, which are many, only if the rules look into them."""
    lines = {"board_aligned", "board_between"}
    if "board_step" not in game.tables or lines & tables_asked(game):
        lines = set()
    facts = [_table(game, table) for table in game.tables.values() if table.name not in lines]
    return [*facts, *print_lists(game, asked), *([LINES] if lines else [])]


def _table(game: Game, table: Table) -> str:
    """The facts of a table; rays are one fact a ray, from the near end."""
    head = [f"% {one_line(table.text)}"] if table.text else []
    if table.name.startswith("rays_"):
        rays: dict[tuple[int, int], list[int]] = {}
        for origin, line, _far, cell in table.rows:
            rays.setdefault((origin, line), []).append(cell)
        rows = [f"{table.name}({origin}, {_plain(cells)})." for (origin, _), cells in rays.items()]
    else:
        rows = [f"{table.name}({', '.join(map(str, row))})." for row in table.rows]
    if not rows:
        arity = 2 if table.name.startswith("rays_") else len(table.sorts)
        rows = [f"{table.name}({', '.join('_' * arity)}) :-\n    fail."]
    return "\n".join([*head, *rows])


def _plain(values: list[int]) -> str:
    return f"[{', '.join(map(str, values))}]"
