"""Lines of `show` that draw a definition, and those about what lies beside the board: no drawing contains either.

In: such lines and the Symbols.  Out: for each the name to be asked, and a glyph for each value or argument.
"""

from __future__ import annotations

from pysolve.dsl.check.looks import look_of, look_without
from pysolve.dsl.check.show import case_values, dressed, is_cell, is_derived, is_dress, is_said, is_tie, seen_definition
from pysolve.dsl.check.symbols import Definition, Rejected, Symbols, attempt
from pysolve.dsl.model import BOOL, Aside, Derived, Glyph, SetSort, Slot, Sort, Tie
from pysolve.dsl.text import nodes

MOST_VALUES = 1_000  # of a definition that is drawn


def derived_of(symbols: Symbols, node: nodes.Show | None) -> tuple[Derived, ...]:
    """The lines of `show` that draw definitions on the board, as the model keeps them, in their order."""
    found, below = list[Derived | None](), 0
    for line in node.lines if node is not None else ():
        if not isinstance(line, nodes.ShowLine) or is_tie(symbols, line) or is_dress(symbols, line):
            continue
        if is_derived(symbols, line):
            found.append(attempt(_derived, symbols, line, below))
        elif not is_said(symbols, line):
            below += 1
    return tuple(filter(None, found))


def _derived(symbols: Symbols, line: nodes.ShowLine, below: int) -> Derived:
    name, definition = line.slots[0].name, symbols.definitions[line.slots[0].name]
    if definition.state == "bad":
        raise Rejected
    sort, on_cell = _drawn_by(symbols, line.slots[0], definition)
    glyphs: dict[tuple[int, ...], Glyph] = {}
    if sort is None:
        case = line.cases[0]
        if len(line.cases) != 1 or case.values or case.glyph is None:
            raise symbols.reject(line.span, f'"{name}" has no parameter, so it has a single glyph', f'{name}: "#"')
        glyphs[()] = Glyph((), case.glyph, *look_of(symbols, case.look))
        return Derived(name, tuple(glyphs.values()), False, below)
    _refuse_many(line.slots[0], symbols, sort, "draw")
    values_of = Slot(name, (), sort, 0, 1, sort.lowest)
    for case in line.cases:
        look = look_of(symbols, case.look)
        for values, text in case_values(symbols, [values_of], case):
            glyphs.setdefault(values, dressed(symbols, Glyph(values, text, *look), [sort], values))
    return Derived(name, tuple(glyphs[values] for values in sorted(glyphs)), on_cell, below)


def ties_of(symbols: Symbols, node: nodes.Show | None) -> tuple[Tie, ...]:
    """The lines of `show` that join cells, as the model keeps them, in their order."""
    lines = [line for line in node.lines if isinstance(line, nodes.ShowLine)] if node is not None else []
    found = [attempt(_tie, symbols, line) for line in lines if is_tie(symbols, line)]
    return tuple(filter(None, found))


def _tie(symbols: Symbols, line: nodes.ShowLine) -> Tie:
    name = line.slots[0]
    params, result = _declared(symbols, name)
    sort = BOOL if result is None else result if isinstance(result, Sort) and len(params) == 2 else None
    glyphs: dict[tuple[int, ...], Glyph] = {}
    if sort is not None:
        _refuse_many(name, symbols, sort, "draw")
    for case in line.cases:
        look = look_without(symbols, case.look, ("wide", "hollow"), "a line between cells")
        if case.glyph != "":
            raise symbols.reject(case.span, "a line between cells has no text", 'for example:  "" red')
        if not case.values and len(line.cases) == 1:
            every = [()] if sort is None else [(1,)] if sort == BOOL else [(value,) for value in sort.values()]
            glyphs = {values: Glyph(values, "", look) for values in every}
        elif sort is None:
            raise symbols.reject(case.span, f'"{name.name}" has a single look', f'{name.name}: "" red')
        else:
            slot = Slot(name.name, (), sort, 0, 1, sort.lowest)
            for values, text in case_values(symbols, [slot], case):
                glyphs.setdefault(values, Glyph(values, text, look))
    seen = tuple(glyphs[values] for values in sorted(glyphs) if glyphs[values].look)
    if not seen:
        raise symbols.reject(line.span, f'"{name.name}" draws no line: no value has a colour or a size',
                             'for example:  "" red')  # fmt: skip
    return Tie(name.name, seen)


def _refuse_many(name: nodes.Name, symbols: Symbols, sort: Sort, what: str) -> None:
    if sort.high - sort.lowest >= MOST_VALUES:
        raise symbols.reject(
            name.span,
            f'"{name.name}" has more than {MOST_VALUES} values, too many to {what}',
            f"{what} a definition that has fewer values",
        )


def asides_of(symbols: Symbols, node: nodes.Show | None) -> tuple[Aside, ...]:
    """The `beside` lines of `show`, which draw what lies beside the board, as the model keeps them, in their order."""
    lines = [line for line in node.lines if isinstance(line, nodes.Beside)] if node is not None else []
    return tuple(filter(None, [attempt(_aside, symbols, line) for line in lines]))


def _aside(symbols: Symbols, line: nodes.Beside) -> Aside:
    name = line.name
    params, result = _declared(symbols, name)
    by = params[-1] if params else None
    kind = _kind(line, by, result)
    glyphs_of = by if kind != "each" else result.of if isinstance(result, SetSort) else result
    if len(params) > (1 if kind == "each" and not _is_number(result) else 2) or (kind == "holds" and not params):
        raise symbols.reject(name.span, f'"{name.name}" cannot be shown beside the board: it needs one '
                             "parameter, or none if it has a value; a number or a condition may have two")  # fmt: skip
    for sort in (*params, glyphs_of):
        if isinstance(sort, SetSort) or (sort is not None and sort.high - sort.lowest >= MOST_VALUES):
            raise symbols.reject(
                name.span,
                f'"{name.name}" has more than {MOST_VALUES} values, too many to show',
                "show a definition that has fewer values",
            )
    assert not isinstance(glyphs_of, SetSort)
    worn = next((case for case in line.cases if case.look), None) if kind == "each" and len(params) > 1 else None
    if worn is not None:
        raise symbols.reject(worn.look[0].span, "a number with two parameters is written, without a look",
                             "leave the look out")  # fmt: skip
    return Aside(name.name, kind, _aside_glyphs(symbols, line, glyphs_of))


def _declared(symbols: Symbols, name: nodes.Name) -> tuple[list[Sort | SetSort], Sort | SetSort | None]:
    """The parameters of a state or a definition, and its result."""
    if name.name in symbols.slots:
        slot = symbols.slots[name.name]
        if slot.stack is not None:
            form = name.name + (f"({', '.join(sort.name for sort in slot.params)})" if slot.params else "")
            raise symbols.reject(name.span, f'"{name.name}" is a stack: only what lies on top would be seen',
                                 "without this line all of it is written there; to show its top, define a value for  "
                                 f"top({form})")  # fmt: skip
        return list(slot.params), slot.sort
    if name.name not in symbols.definitions:
        known = [*symbols.slots, *symbols.definitions]
        hint = symbols.report.nearest(name.name, known) or f"define it first:  define {name.name} = …"
        raise symbols.reject(name.span, f'there is no state variable or definition "{name.name}"', hint)
    definition = seen_definition(symbols, name, "shown")
    return [param.sort for param in definition.params], definition.result


def _kind(line: nodes.Beside, by: Sort | SetSort | None, result: Sort | SetSort | None) -> str:
    """The kind of an `Aside`: `holds`, `count` or `each`.

    `holds` is for a condition, `count` for a number drawn as so many glyphs, `each` for values with a glyph each. A
    number is a count if its glyphs are not for its values: without a parameter, one glyph alone; with a parameter,
    where no case is `number` or, for a parameter that is no number itself, begins with a number.
    """
    if result is None or result == BOOL:
        return "holds"
    if not _is_number(result):
        return "each"
    if by is None:
        alone = len(line.cases) == 1 and not line.cases[0].values and line.cases[0].glyph is not None
        return "count" if alone else "each"
    worded = not _is_number(by)
    own = any(case.glyph is None or (worded and isinstance(one, nodes.Number))
              for case in line.cases for one in case.values or (None,))  # fmt: skip
    return "each" if own else "count"


def _is_number(sort: Sort | SetSort | None) -> bool:
    return isinstance(sort, Sort) and not sort.labels


def _aside_glyphs(symbols: Symbols, line: nodes.Beside, sort: Sort | None) -> tuple[Glyph, ...]:
    """The glyphs of the cases; the one of a number without a parameter stands alone."""
    glyphs: dict[tuple[int, ...], Glyph] = {}
    for case in line.cases:
        look, side = look_of(symbols, case.look)
        if side is not None:
            raise symbols.reject(
                case.span, "a glyph beside the board has no edge or corner to stand at", "leave out edge and corner"
            )
        if sort is None:
            if case.values or case.glyph is None or len(line.cases) > 1:
                raise symbols.reject(line.span, f'"{line.name.name}" has no parameter, so it has a single glyph',
                                     f'beside {line.name.name}: "o"')  # fmt: skip
            return (Glyph((), case.glyph, look),)
        for values, text in case_values(symbols, [Slot(line.name.name, (), sort, 0, 1, sort.lowest)], case):
            glyphs.setdefault(values, dressed(symbols, Glyph(values, text, look), [sort], values))
    if sort is not None and not line.cases:
        bare = (Glyph((value,), sort.label(value), ()) for value in sort.values())
        worn = [(glyph, dressed(symbols, glyph, [sort], glyph.values)) for glyph in bare]
        glyphs = {glyph.values: own for glyph, own in worn if own is not glyph}
    return tuple(glyphs[values] for values in sorted(glyphs))


def _drawn_by(symbols: Symbols, name: nodes.Name, definition: Definition) -> tuple[Sort | None, bool]:
    """The type whose values have glyphs, and whether a cell is the argument.

    That is the result of a definition with one cell as parameter, or the parameter of one that gives cells; None if it
    has no parameter.
    """
    cell, result = symbols.sorts["cell"], definition.result
    params = [param.sort for param in definition.params]
    gives_cells = is_cell(result.of if isinstance(result, SetSort) else result, cell) if result is not None else False
    if len(params) == 1 and isinstance(params[0], Sort) and params[0] == cell and not isinstance(result, SetSort):
        return (BOOL if result is None else result), True
    if gives_cells and len(params) == 1 and isinstance(params[0], Sort) and params[0] != cell:
        return params[0], False
    if gives_cells and not params:
        return None, False
    raise symbols.reject(name.span, f'"{name.name}" cannot be drawn: it has neither a value for each cell nor cells as '
                         "values", f"for example:  define {name.name}(c: cell) = …")  # fmt: skip
