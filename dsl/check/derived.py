"""Lines of `show` that draw a definition: what pictures and terminals show of a position that is no state of it.

In: such lines and the Symbols.  Out: for each the name to be asked, and a glyph for each value or argument.
"""

from __future__ import annotations

from dsl.check.looks import look_of
from dsl.check.show import case_values, is_cell, is_derived, is_said
from dsl.check.symbols import Definition, Rejected, Symbols, attempt
from dsl.model import BOOL, Derived, Glyph, SetSort, Slot, Sort
from dsl.text import nodes

MOST_VALUES = 1_000  # of a definition that is drawn


def derived_of(symbols: Symbols, node: nodes.Show | None) -> tuple[Derived, ...]:
    """What is drawn of definitions, in the order of the lines."""
    found, below = list[Derived | None](), 0
    for line in node.lines if node is not None else ():
        if isinstance(line, nodes.ShowLine) and is_derived(symbols, line):
            found.append(attempt(_derived, symbols, line, below))
        elif isinstance(line, nodes.ShowLine) and not is_said(symbols, line):
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
    if sort.high - sort.lowest >= MOST_VALUES:
        raise symbols.reject(line.slots[0].span, f'"{name}" has more than {MOST_VALUES} values, too many to draw')
    values_of = Slot(name, (), sort, 0, 1, sort.lowest)
    for case in line.cases:
        look = look_of(symbols, case.look)
        for values, text in case_values(symbols, [values_of], case):
            glyphs.setdefault(values, Glyph(values, text, *look))
    return Derived(name, tuple(glyphs[values] for values in sorted(glyphs)), on_cell, below)


def _drawn_by(symbols: Symbols, name: nodes.Name, definition: Definition) -> tuple[Sort | None, bool]:
    """What has glyphs for its values: what a cell has, or the parameter of what has cells; None if it has none."""
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
