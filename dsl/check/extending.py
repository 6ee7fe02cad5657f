"""A section of the parent, and what a variant adds to it, as one section.

In: both sections, of one kind and name.  Out: the section of the variant.  What has a key, as a row of a table, takes
the place of what the parent has under this key; all else comes behind the lines of the parent, endings before them.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from dataclasses import replace
from typing import TypeVar

from pysolve.dsl.errors import Report, Span, choices
from pysolve.dsl.text import nodes

T = TypeVar("T")
Row = tuple[Span, tuple[nodes.Expr, ...]]

EXTENDABLE: dict[type, str] = {
    nodes.Move: "move", nodes.Effect: "effect", nodes.Table: "table", nodes.Type: "type", nodes.Players: "players",
    nodes.State: "state", nodes.Setup: "setup", nodes.End: "end", nodes.Evaluate: "evaluate", nodes.Show: "show",
}  # fmt: skip


def extended(parent: nodes.Section, child: nodes.Section, report: Report) -> nodes.Section:
    """The section of the parent with what the child adds."""
    match parent, child:
        case nodes.Move(), nodes.Move():
            return _move(parent, child, report)
        case nodes.Effect(), nodes.Effect():
            _refuse_params(child, report)
            return replace(parent, body=_effects(parent.body, child.body))
        case nodes.Table(), nodes.Table():
            return _table(parent, child, report)
        case nodes.Type(), nodes.Type():
            return _type(parent, child, report)
        case nodes.Players(), nodes.Players():
            return _players(parent, child, report)
        case nodes.Setup(), nodes.Setup():
            return replace(parent, body=parent.body + child.body)
        case nodes.End(), nodes.End():
            return replace(parent, endings=child.endings + parent.endings)
        case nodes.Evaluate(), nodes.Evaluate():
            return replace(parent, terms=_keyed(parent.terms, child.terms, lambda term: term.name.name))
        case nodes.Show(), nodes.Show():
            return replace(parent, lines=_shown(parent.lines, child.lines))
    raise AssertionError("these sections are not extended")


def _keyed(
    have: Iterable[T], more: Iterable[T], key: Callable[[T], Hashable], joined: Callable[[T, T], T] = lambda _, new: new
) -> tuple[T, ...]:
    """What is there, and what is added: in the place of the first that has its key, or behind all.

    What is added twice stays there twice, so that it is refused like any repetition.
    """
    found = list(have)
    places = {key(one): place for place, one in reversed([*enumerate(found)])}
    for one in more:
        place = places.pop(key(one), None)
        if place is None:
            found.append(one)
        else:
            found[place] = joined(found[place], one)
    return tuple(found)


def _effects(have: tuple[nodes.Statement, ...], more: tuple[nodes.Statement, ...]) -> tuple[nodes.Statement, ...]:
    """The lines of both, which happen at once, then the rounds of both."""
    both = have + more
    rounds = tuple(line for line in both if isinstance(line, nodes.Then))
    return (*(line for line in both if not isinstance(line, nodes.Then)), *rounds)


def _refuse_params(child: nodes.Move | nodes.Effect, report: Report) -> None:
    kind, name = EXTENDABLE[type(child)], child.name.name
    if child.params:
        report.add(child.params[0].span, f"the parameters of the {kind} are those of its parent, by their names",
                   f"write  extend {kind} {name}  without them")  # fmt: skip


def _move(parent: nodes.Move, child: nodes.Move, report: Report) -> nodes.Move:
    _refuse_params(child, report)
    if child.text_span is not None:
        hint = f'rename "{parent.text}" as "{child.text}"' if parent.text else f"replace move {parent.name.name} …"
        report.add(child.text_span, "the text of the move is that of its parent", f"to change it, write  {hint}")
    if child.seen_span is not None:
        report.add(child.seen_span, "what others read of the move is said by its parent",
                   f"to change it, write  replace move {parent.name.name} …")  # fmt: skip
    if parent.prefer is not None and child.prefer is not None:
        report.add(child.prefer.span, "the move of the parent already prefers something",
                   f"write  replace move {parent.name.name} …  to change it")  # fmt: skip
    return replace(
        parent, when=parent.when + child.when, do=_effects(parent.do, child.do), after=parent.after + child.after,
        prefer=child.prefer or parent.prefer, about=parent.about + child.about,
    )  # fmt: skip


def _table(parent: nodes.Table, child: nodes.Table, report: Report) -> nodes.Table:
    """The table with the rows of the child; where the child names columns, only these change."""
    columns = [column.name for column in parent.columns]
    for column in child.columns:
        if column.name not in columns:
            hint = report.nearest(column.name, columns) or f"it has {choices(columns, joint='and')}"
            report.add(column.span, f'the table of the parent has no column "{column.name}"', hint)
            return parent
    places = [columns.index(column.name) + 1 for column in child.columns] or [*range(1, len(columns) + 1)]
    have = {_text(row): row for _, row in parent.rows}
    rows: list[Row] = []
    for span, row in child.rows:
        old = have.get(_text(row), row[:1] if len(places) == len(columns) else ())
        if len(row) != len(places) + 1:
            report.add(span, f"this row has {len(row)} entries, not {len(places) + 1}",
                       f"first the {parent.name.name}, then {', '.join(columns[place - 1] for place in places)}",
                       )  # fmt: skip
        elif not old:
            report.add(span, f'the table of the parent has no row "{_text(row)}"', report.nearest(_text(row), have) or
                       f"a new row has all columns: {', '.join(columns)}")  # fmt: skip
        else:
            new = dict(zip(places, row[1:], strict=True))
            rows.append((span, (row[0], *(new.get(i) or old[i] for i in range(1, len(columns) + 1)))))
    return replace(parent, rows=_keyed(parent.rows, rows, lambda row: _text(row[1])))


def _text(row: tuple[nodes.Expr, ...]) -> str:
    return row[0].span.text


def _type(parent: nodes.Type, child: nodes.Type, report: Report) -> nodes.Type:
    """The type with the values of the child behind its own."""
    body = child.body
    names = body.names if isinstance(body, nodes.NamesType) else ()
    if isinstance(body, nodes.NamedType):
        names = (nodes.Name(body.span, body.name),)
    if not isinstance(parent.body, nodes.NamesType) or not names:
        report.add(child.body.span, "only a type that lists names is extended, by further names",
                   f"write  replace type {parent.name.name} = …  to change it")  # fmt: skip
        return parent
    return replace(parent, body=replace(parent.body, names=parent.body.names + names))


def _players(parent: nodes.Players, child: nodes.Players, report: Report) -> nodes.Players:
    """Further players; who is out is said by the parent or by the child."""
    said = child.count or (child.out if parent.out is not None else None)
    if said is not None:
        what = "how many of the players play" if child.count is not None else "who is out"
        report.add(said.span, f"“extend players” adds players; it does not change {what}",
                   "write  replace players …  to change it")  # fmt: skip
    return replace(parent, names=parent.names + child.names, out=parent.out or child.out)


def _shown(have: tuple[nodes.ShowPart, ...], more: tuple[nodes.ShowPart, ...]) -> tuple[nodes.ShowPart, ...]:
    """The lines; what is said of the same states joins the line of the parent, glyph by glyph."""

    def key(line: nodes.ShowPart) -> Hashable:
        match line:
            case nodes.ShowLine(slots=slots):
                return tuple(name.name for name in slots)
            case nodes.Beside(name=name) | nodes.Icon(name=name):
                return type(line), name.name
            case nodes.Ground() | nodes.Lines():
                return type(line).__name__
        return id(line)

    def joined(one: nodes.ShowPart, other: nodes.ShowPart) -> nodes.ShowPart:
        if isinstance(one, (nodes.ShowLine, nodes.Beside)) and isinstance(other, (nodes.ShowLine, nodes.Beside)):
            return replace(one, cases=_keyed(one.cases, other.cases, _values))
        return other

    return _keyed(have, more, key, joined)


def _values(case: nodes.ShowCase) -> tuple[str, ...]:
    return tuple(value.span.text for value in case.values)
