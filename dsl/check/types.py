"""Board, types, tables and state: what the sections that come first add to the Symbols."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, fields, is_dataclass, replace
from math import prod

from pysolve.dsl.check.elaborate import SWITCHES, TRUTHS, Scope, a_kind, same_kind
from pysolve.dsl.check.symbols import Symbols
from pysolve.dsl.check.terms import SItems, TConst, Term
from pysolve.dsl.errors import Span, choices
from pysolve.dsl.language import geometry, sites
from pysolve.dsl.language.functions import ABSENT, BOARD_FUNCTIONS, NEXT, OPPONENT, OPPONENTS
from pysolve.dsl.model import INT, SetSort, Slot, Sort, StackOf, Table, width_of
from pysolve.dsl.model.rule_names import table_of_column
from pysolve.dsl.text import nodes

STATE_LIMIT = 60_000  # bytes of a position
HIGHEST = 250  # values in a stack, and kinds of them
_SITE = re.compile(rf"\b({'|'.join(sites.KINDS)})\b(?! *\()")  # a text without such a word names no such type


def labels(symbols: Symbols, sort: str, names: tuple[nodes.Name, ...]) -> Sort:
    """Declares a sort of named values; reports a name that is listed twice or reserved."""
    seen: set[str] = set()
    for name in names:
        if name.name in seen:
            symbols.report.add(name.span, f'"{name.name}" is listed twice', "leave one of the two out")
        if name.name in TRUTHS and name.name not in SWITCHES:
            symbols.report.add(name.span, f'"{name.name}" is already a word of the language', "choose another name")
        seen.add(name.name)
    found = Sort(sort, 1, len(names), tuple(name.name for name in names))
    symbols.add_sort(found)
    return found


def add_board(symbols: Symbols, grid: geometry.Grid) -> None:
    """The cells, the directions, and the tables and sets that a board brings along."""
    symbols.grid = grid
    cell = Sort("cell", 1, len(grid.cells), grid.cells)
    symbols.add_sort(cell)
    if grid.directions:
        direction = Sort("direction", 1, len(grid.directions), grid.directions)
        symbols.add_sort(direction)
        for name, numbers in (
            ("orthogonals", grid.orthogonals()), ("diagonals", grid.diagonals())
        ):  # fmt: skip
            symbols.sets[name] = SItems(tuple(TConst(d, direction) for d in numbers), direction)
    symbols.sets["corners"] = SItems(tuple(TConst(c, cell) for c in grid.corners()), cell)
    if grid.directions:
        symbols.step_table("cell")
    for row in BOARD_FUNCTIONS:
        if row.kept and row.boards.have(grid):
            symbols.asked(row)
    _add_opponent(symbols)


def add_no_board(symbols: Symbols) -> None:
    """Declares the types of a game without a board: a type of cells without values."""
    symbols.grid = geometry.nowhere()
    symbols.add_sort(Sort("cell", 1, 0))
    _add_opponent(symbols)


def _add_opponent(symbols: Symbols) -> None:
    player = symbols.sorts["player"]
    if player.high == 2:
        symbols.add_table(Table(OPPONENT, (player, player), ((1, 2), (2, 1)), 1, "the other player"))
    after = tuple((one, one % player.high + 1) for one in player.values())
    symbols.add_table(Table(NEXT, (player, player), after, 1, NEXT))
    symbols.add_table(Table(ABSENT, (player, player), (), 1, "a player who does not play"))
    others = tuple((one, other) for one in player.values() for other in player.values() if one != other)
    symbols.add_table(Table(OPPONENTS, (player, player), others, 2, OPPONENTS))


def add_sites(symbols: Symbols, sections: Iterable[nodes.Section]) -> None:
    """The edges and corners of the cells, if the rules name one of these types and declare neither themselves."""
    named: set[str] = set()
    told: dict[str, bool] = {}  # which texts have such a word
    for section in sections:
        if isinstance(section, nodes.Type) and section.name.name in sites.KINDS:
            return
        text = section.span.source.text
        if text not in told:
            told[text] = bool(_SITE.search(text))
        if told[text]:
            named |= _named_types(section)
    if named & set(sites.KINDS):
        symbols.sites = sites.sites_of(symbols.grid)
        for kind, found in symbols.sites.items():
            symbols.add_sort(Sort(kind, 1, len(found.names), found.names))


def _named_types(node: object) -> set[str]:
    """The names of types in a part of the syntax."""
    if isinstance(node, nodes.NamedType):
        return {node.name}
    if isinstance(node, tuple):
        return set().union(*map(_named_types, node))
    if not is_dataclass(node) or isinstance(node, Span):
        return set()
    return set().union(*(_named_types(getattr(node, name.name)) for name in fields(node)))


def mentions_board(phrase: object) -> bool:
    """Does a phrase need a board: cells, directions, what is computed of them, a drawing, or a mark?"""
    if isinstance(phrase, tuple):
        return any(map(mentions_board, phrase))
    match phrase:
        case nodes.NamedType(name=name) | nodes.Table(name=nodes.Name(name=name)) if name in ("cell", "direction"):
            return True
        case nodes.Call(name=name) if any(row.name == name for row in BOARD_FUNCTIONS):
            return True
        case nodes.Name(name="orthogonals" | "diagonals" | "corners") | nodes.Drawing() | nodes.Mark():
            return True
        case nodes.Node():
            return any(mentions_board(getattr(phrase, field)) for field in phrase.__slots__)
    return False


def add_type(symbols: Symbols, node: nodes.Type) -> None:
    """Declares the type of a `type` section; raises `Rejected` for a name that is taken or for a set type."""
    name = node.name.name
    if name in symbols.sorts:
        raise symbols.reject(node.name.span, f'the type "{name}" is already declared', "choose another name")
    match node.body:
        case nodes.NamesType(_, names):
            labels(symbols, name, names)
        case nodes.NamedType(_, other) if other not in symbols.sorts:
            labels(symbols, name, (nodes.Name(node.body.span, other),))
        case _:
            sort = Scope(symbols).sort(node.body)
            if isinstance(sort, SetSort):
                raise symbols.reject(
                    node.body.span, "a type cannot name a set type: write the set type where it is used"
                )
            symbols.sorts[name] = sort


def add_table(symbols: Symbols, node: nodes.Table) -> None:
    """`table unit strength price`: a function of the first column for each other column."""
    key = symbols.sorts.get(node.name.name)
    if key is None or key in (INT,):
        raise symbols.reject(node.name.span, f'there is no type "{node.name.name}" for the rows of the table',
                             symbols.report.nearest(node.name.name, symbols.sorts))  # fmt: skip
    scope = Scope(symbols, place="table")
    rows: list[tuple[int, list[Term]]] = []
    known, seen = set(key.labels), set[int]()
    for span, entries in node.rows:
        if len(entries) != len(node.columns) + 1:
            raise symbols.reject(span, f"this row has {len(entries)} entries; the table has "
                                 f"{len(node.columns) + 1} columns", "a row has one entry for each column")  # fmt: skip
        if key == symbols.sorts["player"] and _names_absent(symbols, entries[0]):
            continue
        if isinstance(entries[0], nodes.Name) and key.labels and entries[0].name not in known:
            name = entries[0].name
            rows_of = f"the rows of this table are for {', '.join(key.labels)}" if key.size <= 12 else ""
            hint = symbols.report.nearest(name, key.labels) or rows_of
            raise symbols.reject(entries[0].span, f'there is no {key.name} "{name}"', hint)
        first = scope.argument(entries[0], key, "the first column")
        if not isinstance(first, TConst):
            raise symbols.reject(entries[0].span, f"a row must begin with {a_kind(key)}")
        if first.value in seen:
            raise symbols.reject(
                entries[0].span, f"a second row for {key.label(first.value)}", "leave one of the two out"
            )
        expected = [None] * len(node.columns)
        if rows:
            expected = [term.sort if term.sort.labels else None for term in rows[0][1]]  # type: ignore[misc]
        rest = [_table_entry(scope, e, x) for e, x in zip(entries[1:], expected, strict=True)]
        if rows:
            _check_row(symbols, node, entries[1:], rest, rows[0][1])
        rows.append((first.value, rest))
        seen.add(first.value)
    missing = [key.label(v) for v in key.values() if v not in seen]
    if missing:
        raise symbols.reject(
            node.name.span, f"the table has no row for {choices(missing)}", "add a row that begins with this name"
        )
    for i, column in enumerate(node.columns):
        terms = [rest[i] for _, rest in rows]
        sort = _column_sort(terms)
        name = table_of_column(column.name)
        if column.name in symbols.columns:
            raise symbols.reject(column.span, f'the column "{column.name}" is already declared', "choose another name")
        symbols.columns[column.name] = name
        symbols.add_table(Table(name, (key, sort), tuple(sorted(
            (first, sort.none if rest[i].value is None else rest[i].value) for first, rest in rows)),  # type: ignore[union-attr]
            1, f"table {node.name.name}: {column.name}"))  # fmt: skip


def slots_of(symbols: Symbols, entry: nodes.StateEntry, offset: int) -> list[Slot]:
    """The slot of a state variable, from byte `offset` on; a stack has slots for what lies in it, too.

    Raises `Rejected` for a set or an unlimited number.
    """
    if not isinstance(entry.type, nodes.StackType):
        return [_slot_of(symbols, entry, entry.type, offset)]
    most = Scope(symbols).constant(entry.type.most)
    if not 1 <= most <= HIGHEST:
        raise symbols.reject(entry.type.most.span, f"a stack may be 1 to {HIGHEST} values high, not {most}")
    one = _slot_of(symbols, entry, entry.type.of, offset)
    if one.sort.optional:
        form = f"{one.name}(…)" if one.params else one.name
        raise symbols.reject(entry.type.of.span, "what lies on a stack is never none",
                             f"an empty stack has the height 0:  height({form}) = 0")  # fmt: skip
    sort = replace(one.sort, optional=True)
    if width_of(sort) > 1:
        raise symbols.reject(
            entry.type.of.span,
            f"what lies on a stack has at most {HIGHEST} values, up to {HIGHEST}",
            "keep a smaller type on it",
        )
    parts = StackOf(f"{one.name} height", f"{one.name} items", most)
    top = replace(one, sort=sort, default=sort.lowest, stack=parts)
    height = Slot(parts.height, one.params, Sort("number", 0, most), offset + top.count, 1, 0, part_of=one.name)
    items = Slot(parts.items, (*one.params, Sort("place", 1, most)), sort, height.offset + height.count, 1, sort.lowest,
                 part_of=one.name, seen=one.seen)  # fmt: skip
    if items.offset + items.count > STATE_LIMIT:
        raise symbols.reject(
            entry.name.span,
            f"a position would have more than {STATE_LIMIT} values",
            "declare fewer state variables, or for fewer values",
        )
    return [top, height, items]


def _slot_of(symbols: Symbols, entry: nodes.StateEntry, held: nodes.TypeExpr, offset: int) -> Slot:
    scope = Scope(symbols)
    params = tuple(scope.sort(p) for p in entry.params)
    if isinstance(held, nodes.NamesType):
        sort: Sort | SetSort = labels(symbols, entry.name.name, held.names)
    else:
        sort = scope.sort(held)
    if isinstance(sort, SetSort):
        raise symbols.reject(held.span, "a state variable holds a single value; store a set as a bool "
                             "for each member",
                             f"for example:  {entry.name.name}({sort.of}): bool")  # fmt: skip
    if sort == INT:
        raise symbols.reject(held.span, "a number in the state needs a range",
                             f"for example:  {entry.span.text.split(':')[0].strip()}: 0..20")  # fmt: skip
    if sort.size > 60_000:
        raise symbols.reject(
            held.span,
            "this range is too large: a state variable has at most 60000 values",
            "use a larger unit, or two variables",
        )
    for param, node in zip(params, entry.params, strict=True):
        if not isinstance(param, Sort) or param == INT or param.optional:
            raise symbols.reject(node.span, "the arguments of a state variable have a finite type without none",
                                 f"for example:  {entry.name.name}(cell)  or  {entry.name.name}(1..8)")  # fmt: skip
    plain = tuple(p for p in params if isinstance(p, Sort))
    count = prod(p.size for p in plain)
    if offset + count * width_of(sort) > STATE_LIMIT:
        raise symbols.reject(
            entry.name.span,
            f"a position would have more than {STATE_LIMIT} values",
            "declare fewer state variables, or for fewer values",
        )
    seen = "" if entry.sight is None else f"seen_{entry.name.name}"
    return Slot(entry.name.name, plain, sort, offset, width_of(sort), sort.lowest, seen=seen)


@dataclass(frozen=True)
class _Entry:
    value: int | None
    sort: Sort


def _names_absent(symbols: Symbols, expr: nodes.Expr) -> bool:
    """True for the name of a player who does not play with these options."""
    return isinstance(expr, nodes.Name) and expr.name in symbols.absent


def _table_entry(scope: Scope, expr: nodes.Expr, expect: Sort | None) -> Term:
    if _names_absent(scope.symbols, expr):
        return _Entry(None, scope.symbols.sorts["player"])  # type: ignore[return-value]
    if isinstance(expr, nodes.NoneWord):
        return _Entry(None, expect or INT)  # type: ignore[return-value]
    term = scope.term(expr, expect)
    if not isinstance(term, TConst):
        raise scope.symbols.reject(
            expr.span,
            "a table contains only constant numbers and names",
            "a value that is computed is a definition:  define worth(p: piece): int = …",
        )
    return term


def _check_row(
    symbols: Symbols, node: nodes.Table, entries: tuple[nodes.Expr, ...], row: list[Term], first: list[Term]
) -> None:
    """Rejects an entry that is not of the kind of the first row's."""
    for column, expr, own, other in zip(node.columns, entries, row, first, strict=True):
        if isinstance(own, TConst) and isinstance(other, TConst) and not same_kind(own.sort, other.sort):
            raise symbols.reject(expr.span, f'"{column.name}" is {a_kind(other.sort)} in the first row, but '
                                 f"{a_kind(own.sort)} here")  # fmt: skip


def _column_sort(terms: list[Term]) -> Sort:
    known = [t for t in terms if isinstance(t, TConst)]
    optional = len(known) < len(terms)
    named: list[Term] = [*known] or [t for t in terms if t.sort.labels]  # those who do not play are players, too
    first = named[0].sort if named else INT
    if first.labels:
        return replace(first, optional=optional)
    values = [t.value for t in known] or [0]
    return Sort("number", min(values), max(values), (), optional)
