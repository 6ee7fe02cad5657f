"""The parts of a rules file that are seen: board, show, drawings, examples.

In: their sections and the Symbols.  Out: the grid, the layers of a diagram, the effects of a drawn setup, the
examples with what they expect.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import reduce
from itertools import permutations, product
from math import prod
from string import ascii_letters, digits

from pysolve.dsl import notation  # fmt: skip
from pysolve.dsl.check import static
from pysolve.dsl.check.elaborate import Scope
from pysolve.dsl.check.looks import COLOURS, FORMS, look_of, over
from pysolve.dsl.check.options import option_value
from pysolve.dsl.check.reasons import claim_of
from pysolve.dsl.check.symbols import Definition, Kind, Rejected, Symbols, attempt
from pysolve.dsl.check.terms import CTruth, TConst, TVar, reads
from pysolve.dsl.errors import Span, UnknownOption, choices
from pysolve.dsl.language import geometry
from pysolve.dsl.model import (  # fmt: skip
    BOOL,
    Action,
    Assign,
    Board,
    Check,
    Const,
    Demand,
    Example,
    Game,
    Glyph,
    Layer,
    Mark,
    Never,
    Rim,
    Saying,
    SetSort,
    Site,
    Slot,
    Sort,
    Tell,
)
from pysolve.dsl.model.payoffs import AND, LOST, told_payoffs
from pysolve.dsl.text import nodes
from pysolve.dsl.text.hints import EXAMPLE_LINES

CELL_LIMIT = 1_600  # cells of a board
BETWEEN_LIMIT = 325_000  # cells between two others on a line, counted for every two
LARGEST_COUNT = 10_000_000_000  # sequences of moves that an example counts
DEEPEST_COUNT = 30  # moves of such a sequence
GLYPH_LIMIT = 10_000  # ways in which a cell can look
TOLD_LIMIT = CELL_LIMIT  # values of a parameter that may be told: those of all cells of a board


# ----------------------------------------------------------------------------------------------- board


def _linked(symbols: Symbols, line: tuple[nodes.Name, ...], several: bool) -> tuple[str, ...]:
    """The cells of one line; with commas around it, it links two cells or more."""
    if several and len(line) == 1:
        raise symbols.reject(line[0].span, f"a comma ends a line of cells, and {line[0].name} alone is not a line",
                             "for example:  line a1 b1 c1, a1 a2 a3")  # fmt: skip
    return tuple(cell.name for cell in line)


def _check_size(symbols: Symbols, node: nodes.Board, lines: list[tuple[str, ...]]) -> None:
    """Refuses a graph board with too many cells, or with so long lines that what lies between cells is too much."""
    cells = len({name for line in lines for name in line})
    if cells > CELL_LIMIT:
        raise symbols.reject(
            node.span, f"a board has at most {CELL_LIMIT} cells; this one has {cells}", "choose a smaller board"
        )
    between = sum(len(line) * (len(line) - 1) * (len(line) - 2) // 3 for line in lines)
    if between > BETWEEN_LIMIT:
        longest = max(map(len, lines))
        raise symbols.reject(node.span, f"the lines of this board are too long: the longest has {longest} cells",
                             "a single line has at most 100 cells; divide a longer one into parts that "
                             "share a cell")  # fmt: skip


def grid_of(symbols: Symbols, node: nodes.Board) -> geometry.Grid:
    """The grid of a board section."""
    scope = Scope(symbols, place="board")
    sizes = [scope.constant(size) for size in node.sizes]
    for size, expr in zip(sizes, node.sizes, strict=True):
        if not 1 <= size <= 40:
            raise symbols.reject(
                expr.span, f"a board has sides of 1 to 40 cells, not {size}", "choose a side in this range"
            )
    if node.form == "graph":
        if not node.lines:
            raise symbols.reject(node.span, "a graph board needs its lines of cells", "for example:  line a1 b1 c1")
        linked = [_linked(symbols, line, several=len(lines) > 1) for lines in node.lines for line in lines]
        _check_size(symbols, node, linked)
        return geometry.graph(linked)
    if node.lines:
        raise symbols.reject(node.lines[0][0][0].span, "only a graph board lists lines")
    one_side = {"hexagon": 3 * sizes[0] ** 2, "triangle": sizes[0] ** 2 // 2, "star": 6 * sizes[0] * (sizes[0] + 1) + 1}
    cells = one_side.get(node.form, prod(sizes))
    if cells > CELL_LIMIT:
        raise symbols.reject(
            node.sizes[0].span,
            f"a board has at most {CELL_LIMIT} cells; this one has {cells}",
            "choose a smaller board",
        )
    if node.shapes and node.form in one_side:
        raise symbols.reject(
            node.shapes[0].span.first(len("shape")), "only square boards and rhombuses can have a drawn shape"
        )
    if node.form == "hexagon":
        return geometry.hexagon(sizes[0])
    if node.form == "triangle":
        return geometry.triangle(sizes[0])
    if node.form == "star":
        return geometry.star(sizes[0])
    holes = _holes(symbols, node, sizes[0], sizes[1])
    if node.form == "rhombus":
        return geometry.rhombus(sizes[0], sizes[1], holes)
    return geometry.square(sizes[0], sizes[1], holes, around=node.form != "square", over=node.form == "torus")


def is_drawn(symbols: Symbols, drawing: nodes.Drawing) -> bool:
    """Is the condition of a drawing true with these options?  They must settle it."""
    if drawing.when is None:
        return True
    found = Scope(symbols, place="board").cond(drawing.when)
    if not isinstance(found, CTruth):
        raise symbols.reject(drawing.when.span, "the condition of a drawing can use only options and constants",
                             "for example:  shape when size = 4")  # fmt: skip
    return found.holds


def _holes(symbols: Symbols, node: nodes.Board, width: int, height: int) -> list[tuple[int, int]]:
    """The places that a drawn shape leaves out: `#` is a cell, `.` is none."""
    shape = next((shape for shape in node.shapes if is_drawn(symbols, shape)), None)
    if shape is None:
        return []
    lines = shape.lines
    if len(lines) != height:
        raise symbols.reject(shape.span.first(len("shape")),
                             f"the shape has {len(lines)} rows; the board has {height}",
                             "add or remove rows, or change the sides of the board")  # fmt: skip
    holes = []
    for y, (span, text) in zip(range(height, 0, -1), lines, strict=True):
        words = text.split()
        if len(words) != width:
            raise symbols.reject(
                span,
                f"a row of the shape has {width} characters; this one has {len(words)}",
                "all rows have one character for each column",
            )
        for found in re.finditer(r"\S+", text):
            if found.group() not in ("#", "."):
                at = replace(span, column=span.column + found.start(), end_column=span.column + found.end())
                raise symbols.reject(at, "a shape is drawn with # for a cell and . for a hole")
        holes += [(x, y) for x, word in enumerate(words, 1) if word == "."]
    if len(holes) == width * height:
        raise symbols.reject(lines[0][0], "the shape has no cell", "draw each cell as #")
    return holes


# ------------------------------------------------------------------------------------------------ show


Looks = tuple[tuple[Layer, ...], tuple[Never, ...]]


def looks_of(symbols: Symbols, node: nodes.Show | None) -> Looks:
    """The layers drawn on cells and the combinations that never occur; without `show`, default letters and numbers."""
    lines = [
        line
        for line in _lines(node)
        if not (is_said(symbols, line) or is_derived(symbols, line) or is_tie(symbols, line) or _kind(symbols, line))
    ]
    layers, failed = [], False
    for line in lines:
        try:
            layers.append(_layer(symbols, line))
        except Rejected:
            failed = True  # the other lines are still worth reading
    if failed:
        raise Rejected
    if not layers:
        layers = _plain_layers(symbols)
    if prod(len(layer.glyphs) for layer in layers if layer.on_cell) > GLYPH_LIMIT:
        raise symbols.reject(lines[0].span, f"a cell could be drawn in more than {GLYPH_LIMIT} ways")
    said = [line for line in node.lines if isinstance(line, nodes.Never)] if node is not None else []
    read = [attempt(_never, symbols, line, layers) for line in said]
    nevers = tuple(never for never in read if never is not None)
    if len(nevers) < len(said):
        raise Rejected
    for line, layer in zip(lines, layers, strict=False):  # without lines the glyphs are letters
        if notation.is_stack(layer, symbols.slots):
            attempt(_check_stack, symbols, line, layer, layers)
    found = notation.clash(tuple(layers), nevers)
    if found is not None and node is not None:
        text, one, other = found
        hint = "give each value a glyph of its own"
        if one[0][0].on_cell and sum(len(layer.slots) for layer, _ in other) > 1:
            hint += f"; if one of them never occurs, write  never {_meant(symbols, other, ' and ')}"
        raise symbols.reject(
            _clashing(symbols, lines, layers, one, other),
            f'the glyph "{text}" on a cell could mean two things: {_meant(symbols, one)}; or {_meant(symbols, other)}',
            hint,
        )
    return tuple(layers), nevers


def rims_of(symbols: Symbols, node: nodes.Show | None) -> tuple[Rim, ...]:
    """The lines of `show` that draw on edges and corners of cells, as the model keeps them."""
    lines = ((kind, line) for line in _lines(node) if (kind := _kind(symbols, line)))
    return tuple(rim for rim in (attempt(_rim, symbols, kind, line) for kind, line in lines) if rim is not None)


def _kind(symbols: Symbols, line: nodes.ShowLine) -> str:
    """`edge` or `corner`, if the first state of a line has a value for each of these; else an empty text."""
    slot = symbols.slots.get(line.slots[0].name)
    kinds = [kind for kind in symbols.sites if slot is not None and slot.params == (symbols.sorts[kind],)]
    return kinds[0] if kinds else ""


def _rim(symbols: Symbols, kind: str, line: nodes.ShowLine) -> Rim:
    slots = [_slot(symbols, name) for name in line.slots]
    for slot, name in zip(slots, line.slots, strict=True):
        if slot.params != (symbols.sorts[kind],):
            raise symbols.reject(name.span, f'"{slot.name}" cannot be drawn here: it does not have a value for each '
                                 f"{kind}")  # fmt: skip
    glyphs = _glyphs(symbols, line, slots)
    for case in line.cases:
        if look_of(symbols, case.look)[1] is not None:
            raise symbols.reject(
                case.span, f'"{slots[0].name}" is drawn at {kind}s already: its glyphs have no other place'
            )
    seen = tuple(_with_shape(glyphs[v], "bar" if kind == "edge" else "disc") for v in sorted(glyphs))
    return Rim(kind, tuple(slot.name for slot in slots), seen)


def _with_shape(glyph: Glyph, shape: str) -> Glyph:
    """The glyph; a colour alone has a shape where it cannot colour a cell."""
    coloured = bool(glyph.look) and all(word in (*COLOURS, *FORMS) for word in glyph.look)
    return replace(glyph, look=(*glyph.look, shape)) if coloured else glyph


def sites_seen(symbols: Symbols, rims: Iterable[Rim], actions: Iterable[Action]) -> tuple[Site, ...]:
    """The edges and corners that are drawn or that moves name."""
    seen = {rim.kind for rim in rims}
    seen |= {param.sort.name for action in actions for param in action.params if isinstance(param.sort, Sort)}
    found: list[Site] = []
    for kind, sites in symbols.sites.items():
        ways = geometry.sides(symbols.grid.form, kind)
        for number, name in enumerate(sites.names, 1) if kind in seen else ():
            cell, way = sites.first[number]
            word = symbols.grid.directions[way - 1]
            if kind == "corner" and symbols.grid.form != "square":  # the words of a hexagon go round from the top
                word = ways[way % len(ways)]
            found.append(Site(name, cell, (kind, word)))
    return tuple(found)


def _check_stack(symbols: Symbols, line: nodes.ShowLine, layer: Layer, layers: list[Layer]) -> None:
    """Rejects glyphs by which a drawn stack could not be read back: they are written one after the other."""
    name, own = layer.slots[0], [glyph.text for glyph in notation.lying(layer)]
    if "" in own:
        raise symbols.reject(line.span, f"{name}: each value of a stack needs a glyph")
    for one, other in permutations(own, 2):
        if other.startswith(one):
            raise symbols.reject(line.span, f'{name}: the glyph "{other}" begins like "{one}", so a stack of them '
                                 "cannot be read back")  # fmt: skip
    others = [glyph.text for more in layers if more is not layer for glyph in more.glyphs]
    shared = next((sign for sign in "".join(own) if any(sign in text for text in others)), None)
    if shared is not None:
        raise symbols.reject(line.span, f'{name}: "{shared}" is in other glyphs, so a stack cannot be read back',
                             "give the values of a stack glyphs of other letters")  # fmt: skip


def sayings_of(symbols: Symbols, node: nodes.Show | None) -> tuple[Saying, ...]:
    """The words that `show` gives to values of states that the board does not draw."""
    lines = (line for line in _lines(node) if is_said(symbols, line))
    return tuple(saying for saying in (attempt(_saying, symbols, line) for line in lines) if saying is not None)


def _lines(node: nodes.Show | None) -> list[nodes.ShowLine]:
    """The lines of `show` that draw states or put them into words."""
    return [line for line in node.lines if isinstance(line, nodes.ShowLine)] if node is not None else []


def is_derived(symbols: Symbols, line: nodes.ShowLine) -> bool:
    """True for a line about a definition, which no drawing contains."""
    return len(line.slots) == 1 and line.slots[0].name in symbols.definitions


def is_tie(symbols: Symbols, line: nodes.ShowLine) -> bool:
    """True for a line about pairs of cells, which a picture joins: a value for every two, or a cell or a set of cells
    for each.

    A state or definition with a cell for each cell is drawn so if the line has a single look, without a value.
    """
    cell, name = symbols.sorts["cell"], line.slots[0].name
    if len(line.slots) != 1:
        return False
    slot, definition = symbols.slots.get(name), symbols.definitions.get(name)
    params = slot.params if slot is not None else tuple(p.sort for p in definition.params) if definition else ()
    result = slot.sort if slot is not None else definition.result if definition else None
    if params == (cell, cell):
        return not isinstance(result, SetSort) and not (slot is not None and slot.stack)
    if params != (cell,) or result is None or (slot is not None and slot.stack):
        return False
    alone = len(line.cases) == 1 and not line.cases[0].values and line.cases[0].glyph is not None
    return is_cell(result.of, cell) if isinstance(result, SetSort) else is_cell(result, cell) and alone


def is_said(symbols: Symbols, line: nodes.ShowLine) -> bool:
    """True for a line about a single value that is no cell: no board can show it."""
    slots = [symbols.slots.get(name.name) for name in line.slots]
    if len(slots) != 1 or slots[0] is None:
        return False
    return not slots[0].params and not is_cell(slots[0].sort, symbols.sorts["cell"])


def _saying(symbols: Symbols, line: nodes.ShowLine) -> Saying:
    slot = _slot(symbols, line.slots[0])
    if slot.stack is not None:
        raise symbols.reject(line.span, f'"{slot.name}" is a stack that lies on no cell, so it is not drawn',
                             "it is printed beside the board by itself")  # fmt: skip
    texts: dict[int, str] = {}
    for case in line.cases:
        if case.look:
            raise symbols.reject(
                case.look[0].span, f'"{slot.name}" is printed beside the board, without a colour or shape'
            )
        for (value,), text in case_values(symbols, [slot], case):
            texts.setdefault(value, text)
    missing = [value for value in range(slot.sort.lowest, slot.sort.high + 1) if value not in texts]
    if missing:
        word = slot.sort.label(missing[0])
        raise symbols.reject(line.span, f"{slot.name}: the text for {word} is missing",
                             f'for example:  {word} "…", or {word} "" to print nothing')  # fmt: skip
    return Saying(slot.name, tuple(text for _, text in sorted(texts.items())))


def mark_of(symbols: Symbols, node: nodes.Mark) -> Mark:
    """A set of cells that is marked."""
    definition = seen_definition(symbols, node.name, "marked")
    if definition.params:
        raise symbols.reject(node.name.span, f'"{node.name.name}" has parameters; mark needs a single set',
                             "write a definition without parameters that uses it")  # fmt: skip
    result = definition.result
    if not (isinstance(result, SetSort) and is_cell(result.of, symbols.sorts["cell"])):
        raise symbols.reject(node.name.span, f'"{node.name.name}" is not a set of cells, so it cannot be marked',
                             f"for example:  define {node.name.name} = {{c: cell where …}}")  # fmt: skip
    for word in node.look:
        if word.name not in COLOURS:
            hint = symbols.report.nearest(word.name, COLOURS) or f"colours are {choices(COLOURS)}"
            raise symbols.reject(word.span, f'"{word.name}" is not a colour', hint)
    if len(node.look) > 1:
        raise symbols.reject(node.look[1].span, "a mark has only one colour", "leave out all but one")
    return Mark(node.name.name, node.look[0].name if node.look else "yellow", node.text)


def tell_of(symbols: Symbols, node: nodes.Tell) -> Tell:
    """A value or a set that is told, or the values of one parameter."""
    name = node.name.name
    if name not in symbols.columns:
        definition = seen_definition(symbols, node.name, "told")
        _check_told(symbols, node.name, [param.sort for param in definition.params], definition.result)
    return Tell(name, node.text)


def _check_told(
    symbols: Symbols, name: nodes.Name, params: list[Sort | SetSort], result: Sort | SetSort | None
) -> None:
    """Refuses what cannot be told on one line."""
    if len(params) > 1:
        raise symbols.reject(name.span, f'"{name.name}" has {len(params)} parameters; tell allows at most one',
                             "write a definition with one parameter, or without any, that uses it")  # fmt: skip
    if not params and result is None:
        raise symbols.reject(name.span, f'"{name.name}" is a condition without a parameter, so tell cannot print it',
                             "tell prints a value, a set, or a condition with one parameter")  # fmt: skip
    if params and isinstance(result, SetSort):
        raise symbols.reject(name.span, f'"{name.name}" is a set with a parameter, so tell cannot print it',
                             "tell prints a set only if it has no parameter")  # fmt: skip
    for sort in params:
        if not isinstance(sort, Sort) or sort.high - sort.low >= TOLD_LIMIT:
            raise symbols.reject(name.span, f'the parameter of "{name.name}" has more than {TOLD_LIMIT} values, '
                                 "too many for tell to print")  # fmt: skip


def seen_definition(symbols: Symbols, name: nodes.Name, what: str) -> Definition:
    definition = symbols.definitions.get(name.name)
    if definition is None:
        hint = (
            symbols.report.nearest(name.name, list(symbols.definitions)) or f"define it first:  define {name.name} = …"
        )
        raise symbols.reject(name.span, f'there is no definition "{name.name}"', hint)
    if definition.state == "bad":
        raise Rejected
    return definition


def _never(symbols: Symbols, line: nodes.Never, layers: list[Layer]) -> Never:
    """The combinations of drawn values that a line says never occur on a cell."""
    scope = Scope(symbols, place="show")
    names = [name for layer in layers if layer.on_cell for name in layer.slots]
    variables = [scope.names.fresh(name, symbols.slots[name].sort) for name in names]
    scope.locals = {name: TVar(var) for name, var in zip(names, variables, strict=True)}
    cond = scope.cond(line.condition)
    if reads(cond):
        sort = symbols.slots[names[0]].sort if names else None
        raise symbols.reject(line.span, "never can use only the values that are drawn on one cell",
                             f"for example:  never {names[0]} = {sort.label(sort.high)}" if sort else "")  # fmt: skip
    every = product(*(layer.glyphs for layer in layers if layer.on_cell))
    combinations = [tuple(value for glyph in glyphs for value in glyph.values) for glyphs in every]
    cases = frozenset(values for values in combinations if static.holds(
        cond, dict(zip(variables, values, strict=True)), symbols.tables))  # fmt: skip
    if len(cases) in (0, len(combinations)):
        which = "all values" if cases else "no values"
        raise symbols.reject(line.span, f"{which} on a cell meet this condition, so it excludes nothing")
    return Never(line.span.words, line.span, cases)


def _meant(symbols: Symbols, pick: notation.Pick, joint: str = ", ") -> str:
    """The values that a look of a cell means, as `kind = Dot, owner = none`."""
    if not pick[0][0].on_cell:
        layer, glyph = pick[0]
        return f"{notation.place_name(symbols.slots[layer.slots[0]], glyph.values)} is this cell"
    values = [(name, value) for layer, glyph in pick for name, value in zip(layer.slots, glyph.values, strict=True)]
    return joint.join(f"{name} = {symbols.slots[name].sort.label(value)}" for name, value in values)


def _clashing(
    symbols: Symbols, lines: list[nodes.ShowLine], layers: list[Layer], one: notation.Pick, other: notation.Pick
) -> Span:
    """The case, in the last line where two looks of a cell differ, that gives the second its glyph."""
    both = zip(reversed(one), reversed(other), strict=False)
    layer, glyph = next((new for old, new in both if old != new), other[-1])
    line = lines[layers.index(layer)]
    slots = [symbols.slots[name] for name in layer.slots]
    slots = slots if layer.on_cell else [_argument(slot) for slot in slots if slot.params]
    if not slots:
        return line.span
    values = ((case, values) for case in line.cases for values, _ in case_values(symbols, slots, case))
    return next((case.span for case, drawn in values if drawn == glyph.values), line.span)


def _layer(symbols: Symbols, line: nodes.ShowLine) -> Layer:
    slots = [_slot(symbols, name) for name in line.slots]
    cell = symbols.sorts["cell"]
    if len(slots) == 1 and not slots[0].params and is_cell(slots[0].sort, cell):
        case = line.cases[0]
        _check_case(symbols, case)
        _refuse_unseen(symbols, slots[0], case)
        if len(line.cases) != 1 or case.values or case.glyph is None:
            raise symbols.reject(line.span, f'"{slots[0].name}" is a single cell, so it has a single glyph',
                                 f'{slots[0].name}: "#"')  # fmt: skip
        return Layer((slots[0].name,), (Glyph((), case.glyph, *look_of(symbols, case.look)),), False)
    if len(slots) == 1 and _is_places(slots[0], cell):
        return _places_layer(symbols, line, slots[0])
    if len(slots) > 1 and any(slot.stack for slot in slots):
        raise symbols.reject(
            line.span,
            "a stack is drawn on a line of its own",
            'for example:  pile: White "W" white disc, Black "B" black disc',
        )
    for slot, name in zip(slots, line.slots, strict=True):
        if slot.params != (cell,):
            raise symbols.reject(name.span, f'"{slot.name}" cannot be drawn: it does not have a value for each cell')
    glyphs = _glyphs(symbols, line, slots)
    return Layer(tuple(slot.name for slot in slots), tuple(glyphs[v] for v in sorted(glyphs)), True)


def _is_places(slot: Slot, cell: Sort) -> bool:
    """True for a state whose values are cells, one for each value of a type that is none of cells."""
    return len(slot.params) == 1 and slot.params != (cell,) and is_cell(slot.sort, cell)


def _places_layer(symbols: Symbols, line: nodes.ShowLine, slot: Slot) -> Layer:
    """A glyph for each argument of a state, drawn on the cell that it has there."""
    for case in line.cases:
        _refuse_unseen(symbols, slot, case)
    glyphs = _glyphs(symbols, line, [_argument(slot)])
    return Layer((slot.name,), tuple(glyphs[v] for v in sorted(glyphs)), False)


def _argument(slot: Slot) -> Slot:
    """The parameter of such a state as if it were the state."""
    return replace(slot, params=(), sort=slot.params[0])


def _refuse_unseen(symbols: Symbols, slot: Slot, case: nodes.ShowCase) -> None:
    """Refuses an empty text for what lies over all else on its cell: a drawing could not show it."""
    if case.glyph == "":
        raise symbols.reject(
            case.span, f'"{slot.name}" is drawn on a cell, so its glyph cannot be empty', 'for example:  none "."'
        )


def _glyphs(symbols: Symbols, line: nodes.ShowLine, slots: list[Slot]) -> dict[tuple[int, ...], Glyph]:
    """A glyph for each combination of the values of some states."""
    glyphs: dict[tuple[int, ...], Glyph] = {}
    for case in line.cases:
        _check_case(symbols, case)
        for values, text in case_values(symbols, slots, case):
            glyphs.setdefault(values, Glyph(values, text, *look_of(symbols, case.look)))
    if prod(slot.sort.size for slot in slots) > GLYPH_LIMIT:
        raise symbols.reject(line.span, f"a cell could be drawn in more than {GLYPH_LIMIT} ways")
    every = product(*(range(slot.sort.lowest, slot.sort.high + 1) for slot in slots))
    missing = [values for values in every if values not in glyphs]
    if missing:
        words = " ".join(s.sort.label(v) for s, v in zip(slots, missing[0], strict=True))
        raise symbols.reject(line.span, f"{' and '.join(s.name for s in slots)}: the glyph for {words} is missing",
                             f'for example:  {words} "{_initial(words)}"')  # fmt: skip
    sorts = [slot.sort for slot in slots]
    return {values: dressed(symbols, glyph, sorts, values) for values, glyph in glyphs.items()}


def dressed(symbols: Symbols, glyph: Glyph, sorts: Sequence[Sort], values: tuple[int, ...]) -> Glyph:
    """A glyph with the looks that definitions give to the values which it stands for."""
    looks = [symbols.dresses.get(_kind_of(sort), {}).get(value, ()) for sort, value in zip(sorts, values, strict=True)]
    if glyph.side is not None or not any(looks):
        return glyph
    return replace(glyph, look=reduce(lambda below, look: over(look, below), (*looks, glyph.look), ()))


def _kind_of(sort: Sort) -> Kind:
    return sort.labels, sort.low, sort.high


def dress(symbols: Symbols, node: nodes.Show | None) -> None:
    """Takes note of the looks of values: lines about definitions of a value that never change give them."""
    for line in _lines(node):
        if is_dress(symbols, line):
            attempt(_dress, symbols, line)


def is_dress(symbols: Symbols, line: nodes.ShowLine) -> bool:
    """True for a line about a definition of a value that is no cell, neither by its parameter nor by its result."""
    definition = symbols.definitions.get(line.slots[0].name)
    if definition is None or len(line.slots) != 1 or len(definition.params) != 1 or not definition.table:
        return False
    sort, cell, result = definition.params[0].sort, symbols.sorts["cell"], definition.result
    if not isinstance(sort, Sort) or isinstance(result, SetSort):
        return False
    return not is_cell(sort, cell) and not (result is not None and is_cell(result, cell))


def _dress(symbols: Symbols, line: nodes.ShowLine) -> None:
    name, definition = line.slots[0], symbols.definitions[line.slots[0].name]
    sort, result = definition.params[0].sort, definition.result or BOOL
    assert isinstance(sort, Sort)
    assert isinstance(result, Sort)
    looks: dict[int, tuple[str, ...]] = {}
    for case in line.cases:
        look, side = look_of(symbols, case.look)
        if case.glyph != "" or side is not None:
            raise symbols.reject(case.span, f'"{name.name}" gives values a look, and neither a text nor a place',
                                 'for example:  true "" large')  # fmt: skip
        for (value,), _ in case_values(symbols, [Slot(name.name, (), result, 0, 1, result.lowest)], case):
            looks.setdefault(value, look)
    rows = {row[0]: row[1] if len(row) > 1 else 1 for row in symbols.tables[definition.table or ""].rows}
    own = symbols.dresses.setdefault(_kind_of(sort), {})
    for value in sort.values():
        if (found := rows.get(value, 0 if result == BOOL else None)) is not None and found in looks:
            own[value] = over(looks[found], own.get(value, ()))


def _initial(words: str) -> str:
    return "." if words == "none" else words[0]


def _slot(symbols: Symbols, name: nodes.Name) -> Slot:
    if name.name not in symbols.slots:
        known = [slot.name for slot in symbols.slots.values() if slot.name != "mover" and not slot.part_of]
        if name.name in symbols.definitions:
            raise symbols.reject(name.span, f'"{name.name}" is a definition, which is drawn on a line of its own')
        hint = (
            symbols.removal(name.name) or symbols.report.nearest(name.name, known) or f"the state is {', '.join(known)}"
        )
        raise symbols.reject(name.span, f'"{name.name}" is not part of the state', hint)
    return symbols.slots[name.name]


def is_cell(sort: Sort, cell: Sort) -> bool:
    return bool(cell.labels) and sort.labels == cell.labels  # without a board there is none


def _check_case(symbols: Symbols, case: nodes.ShowCase) -> None:
    if case.glyph is not None and (any(c in case.glyph for c in " ,/~") or case.glyph.startswith("position")):
        raise symbols.reject(case.span, f'the glyph "{case.glyph}" cannot be read back',
                             "a glyph cannot contain a space, comma, slash or ~")  # fmt: skip


def case_values(symbols: Symbols, slots: list[Slot], case: nodes.ShowCase) -> list[tuple[tuple[int, ...], str]]:
    """The combinations of values that a case draws.  One value alone may stand for all others too."""
    if case.glyph is None:  # `number`
        if len(slots) != 1 or slots[0].sort.labels:
            raise symbols.reject(case.span, "“number” can draw only a single number")
        return [((v,), str(v)) for v in slots[0].sort.values()]
    scope = Scope(symbols, place="show")
    values: list[tuple[int, ...]] = []
    hidden = case.glyph == "" and not case.look  # of every value, so it needs none
    if len(case.values) > len(slots) or not (case.values or hidden):
        names = " and of ".join(slot.name for slot in slots)
        raise symbols.reject(case.span, f"a glyph must be preceded by a value of {names}")
    for expr, slot in zip(case.values, slots, strict=False):
        if isinstance(expr, nodes.NoneWord) and not slot.sort.optional and slot.name in symbols.entries:
            raise symbols.never_none(slot.name, expr.span)
        if isinstance(expr, nodes.Name) and expr.name in symbols.absent:
            return []  # nobody to draw
        if isinstance(expr, nodes.Number) and expr.value > slot.sort.high and not symbols.as_written:
            return []  # a value that an option took away
        term = scope.argument(expr, slot.sort, slot.name)
        if not isinstance(term, TConst):
            raise symbols.reject(expr.span, f'"{expr.span.text}" is not a single value of {slot.name}',
                                 f"for example:  {slot.sort.label(slot.sort.high)}")  # fmt: skip
        values.append((term.value,))
    for slot in slots[len(values) :]:
        values.append(tuple(range(slot.sort.lowest, slot.sort.high + 1)))
    return [(combination, case.glyph) for combination in product(*values)]


def _plain_layers(symbols: Symbols) -> list[Layer]:
    """Default looks: initials of the values; `.` for none and for false; numbers as they are."""
    cell = symbols.sorts["cell"]
    slots = [s for s in symbols.slots.values() if s.params == (cell,) and s.sort.size <= 40]
    if not slots:
        return []
    slot = slots[0]
    used: set[str] = set()
    glyphs = []
    for value in range(slot.sort.lowest, slot.sort.high + 1):
        label = slot.sort.label(value)
        text = "." if label in ("none", "false") else label if label.isdigit() else label[0]
        if slot.stack is not None:  # one sign each, which can stand behind each other
            text = next(sign for sign in (text[-1], *label, *ascii_letters, *digits) if sign not in used)
        while text in used:
            text = label[: len(text) + 1] if len(text) < len(label) else text + "'"
        used.add(text)
        colour = {"White": ("white", "disc"), "Black": ("black", "disc"), "Red": ("red", "disc"),
                  "Blue": ("blue", "disc")}.get(label, ())  # fmt: skip
        glyphs.append(Glyph((value,), text, colour))
    return [Layer((slot.name,), tuple(glyphs), True, plain=True)]


# --------------------------------------------------------------------------------- drawings and examples


def board_of(symbols: Symbols) -> Board:
    """The board of the model."""
    grid = symbols.grid
    return Board(grid.form, grid.cells, grid.place, grid.rows, grid.slant, grid.links)


def _drawn_slots(symbols: Symbols, layers: Iterable[Layer]) -> list[Slot]:
    """The slots that layers show, each once; for a stack also the slots of its height and of its values."""
    names = dict.fromkeys(name for layer in layers for name in layer.slots)
    return [slot for name in names for slot in symbols.slots.values() if name in (slot.name, slot.part_of)]


def drawn_setup(symbols: Symbols, looks: Looks, node: nodes.Drawing) -> list[Assign]:
    """A drawn initial position as effects."""
    layers, nevers = looks
    state = bytearray(max(s.offset + s.count * s.width for s in symbols.slots.values()))
    for slot in symbols.slots.values():
        for args in notation.arguments(slot):
            notation.put(state, slot, args, slot.default)
    try:
        notation.read_drawing([text for _, text in node.lines], layers, nevers, board_of(symbols), symbols.slots, state)
    except notation.NotationError as error:
        raise symbols.reject(_drawn_place(node, error), str(error)) from None
    found = []
    for slot in _drawn_slots(symbols, layers):
        for args in notation.arguments(slot):
            atoms = tuple(Const(v, s) for v, s in zip(args, slot.params, strict=True))
            value = Const(notation.get(bytes(state), slot, args), slot.sort)
            found.append(Assign(slot.name, atoms, value, False, False, node.span))
    return found


def example_of(symbols: Symbols, node: nodes.Example, claims: list[Demand]) -> Example:
    """An example as data; it is carried out by whoever plays it.  What it says of a position is added to `claims`."""
    options: list[tuple[str, str]] = []
    diagram, play, checks = None, [], []
    has_options = _has_options_of(symbols, node)
    for line in node.lines:
        match line:
            case nodes.Given(_, name, _):
                if name.name not in symbols.options:
                    symbols.report.add(name.span, f'there is no option "{name.name}"',
                                       symbols.report.nearest(name.name, [*symbols.options, *EXAMPLE_LINES])
                                       or f"the lines of an example begin with {choices(EXAMPLE_LINES)}")  # fmt: skip
                options.append((name.name, line.value.span.text))
            case nodes.Position():
                diagram = _diagram(line)
            case nodes.Play(_, moves):
                play += [text for _, text in moves]
            case nodes.Legal(span, moves):
                checks.append(Check("legal", span, moves=tuple(text for _, text in moves)))
            case nodes.Illegal(span, moves, reason):
                checks.append(Check("illegal", span, moves=tuple(t for _, t in moves), reason=reason))
            case nodes.Outcome(span, result, reason):
                try:
                    checks.append(Check("result", span, winner=_winner(symbols, result), reason=reason))
                except Rejected:
                    continue
            case nodes.Mobility(span, count):
                checks.append(Check("moves", span, count=count))
            case nodes.Holds(span):
                claim = attempt(claim_of, symbols, line) if has_options else None
                if claim is not None:
                    claims.append(claim)
                checks.append(Check("holds", span, claim=len(claims) - 1 if claim else None))
            case nodes.Perft(_, counts):
                for span, depth, count in counts:
                    if depth > DEEPEST_COUNT or count > LARGEST_COUNT:
                        symbols.report.add(span, f"an example counts at most {LARGEST_COUNT:,} sequences of at most "
                                           f"{DEEPEST_COUNT} moves", "the command pysolve perft "
                                           "has no such limit")  # fmt: skip
                    checks.append(Check("perft", span, count=count, depth=depth))
    if not checks and all(line.name.name in symbols.options for line in node.lines if isinstance(line, nodes.Given)):
        symbols.report.add(node.span, "this example contains no expectation", "for example:  legal a1  or  perft 1 = 9")
    last = max((line.span.line for line in node.lines if isinstance(line, nodes.Play)), default=0)
    checks = [replace(check, above_play=check.span.line < last) for check in checks]
    return Example(node.name, tuple(options), diagram, tuple(play), tuple(checks), node.span)


def _has_options_of(symbols: Symbols, node: nodes.Example) -> bool:
    """True if the game has the options with which an example is played."""
    given = {line.name.name: line.value.span.text for line in node.lines if isinstance(line, nodes.Given)}
    try:
        return all(option.value == (option_value(option, given[name]) if name in given else option.default)
                   for name, option in symbols.options.items())  # fmt: skip
    except UnknownOption:
        return False  # this is reported elsewhere


def _diagram(node: nodes.Position) -> str:
    facts = [fact.span.text for fact in node.facts]
    head = ", ".join([*([node.mover.name] if node.mover else []), *facts])
    rows = [text for _, text in node.drawing.lines] if node.drawing else []
    return "\n".join([f"position {head}".rstrip(), *(f"  {row}" for row in rows)])


def _winner(symbols: Symbols, result: nodes.Result | nodes.Together | nodes.Pays) -> str | None:
    """Who wins, as `Outcome.result` says it; None is a draw."""
    player = symbols.sorts["player"]
    known = symbols.everybody or player.labels
    match result:
        case nodes.Draw():
            return None
        case nodes.Wins(_, nodes.Name(name=who), True) if player.high == 1 and who in known:
            return LOST
        case nodes.Wins(_, nodes.Name(name=who), True) if player.high > 2 and who in player.labels:
            return AND.join(name for name in player.labels if name != who)
        case nodes.Wins(_, nodes.Name(name=who), False) if who in known:
            return who
        case nodes.Together(_, several) if all(who.name in known for who in several):
            names = {who.name for who in several}
            return AND.join(name for name in known if name in names)
        case nodes.Together(_, several):
            raise _no_player(symbols, next(who for who in several if who.name not in known))
        case nodes.Wins(_, who, _):
            raise _no_player(symbols, who)
        case nodes.Pays(span, amounts):
            return _amounts(symbols, span, amounts)
    raise symbols.reject(
        result.span, "the result of an example must be a winner or a draw", "for example:  result White wins"
    )


def _amounts(symbols: Symbols, span: Span, amounts: tuple[tuple[nodes.Name, int], ...]) -> str | None:
    """What each player gets, as `Outcome.result` says it; None where nobody gets anything."""
    known = symbols.everybody or symbols.sorts["player"].labels
    unknown = next((name for name, _ in amounts if name.name not in known), None)
    if unknown is not None:
        raise _no_player(symbols, unknown)
    paid = {name.name: amount for name, amount in amounts}
    if len(paid) < len(amounts):
        raise symbols.reject(span, "a player gets two amounts here", "each player stands here once")
    return told_payoffs({name: paid[name] for name in known if name in paid}) if any(paid.values()) else None


def _no_player(symbols: Symbols, who: nodes.Expr) -> Rejected:
    known = symbols.sorts["player"].labels
    return symbols.reject(who.span, f"the result of an example needs a player: {choices(known)} wins",
                          symbols.report.nearest(who.name, known) if isinstance(who, nodes.Name) else "")  # fmt: skip


def check_examples(symbols: Symbols, game: Game, examples: list[nodes.Example]) -> None:
    """Reports the positions and moves of examples that cannot be read.

    Those of an example with options of its own, or of a game with other options, are read when it is played.
    """
    as_written = all(option.value == option.default for option in game.options)
    scratch = bytearray(notation.blank(game))
    moves: set[str] = set()  # texts that are moves: many come again and again
    for node in examples:
        given = [line for line in node.lines if isinstance(line, nodes.Given)]
        for one in given:
            _check_given(symbols, one)
        if not as_written or given:
            continue
        for line in node.lines:
            if isinstance(line, nodes.Position):
                _check_position(symbols, game, line, scratch)
            elif isinstance(line, (nodes.Play, nodes.Legal, nodes.Illegal)):
                for span, text in line.moves:
                    if text in moves or notation.readings(game, text):
                        moves.add(text)
                    else:
                        _report_no_move(symbols, game, span, text)


def _with_reason(text: str) -> str:
    """A move with a reason in quotes behind it, perhaps after another word, as it should be; empty if it is none."""
    head, quote, reason = text.removesuffix('"').rpartition('"')
    if not (text.endswith('"') and quote and head[-1:].isspace()):
        return ""
    move, *joint = head.rsplit(maxsplit=1)
    known = move if joint and re.fullmatch(r"\w+", joint[0]) else head.rstrip()
    return f'{known} because "{reason}"'


def _report_no_move(symbols: Symbols, game: Game, span: Span, text: str) -> None:
    """Says what is wrong with a text that is no move."""
    reason = _with_reason(text)
    if reason:
        symbols.report.add(span, "a reason must be preceded by because", f"write  {reason}")
        return
    if text.startswith(":"):
        word = span.source.line(span.line)[: span.column - 1].strip()
        symbols.report.add(span.first(1), "there is no colon before the moves", f"write  {word} {text[1:].strip()}")
        return
    word, why = notation.misread(game, text)
    if why:
        column = span.column + text.lower().index(word.lower())
        symbols.report.add(replace(span, column=column, end_column=column + len(word)), why)
        return
    near = [notation.move_text(game, move) for move in notation.nearest_readings(game, text)]
    forms = choices([action.text for action in game.actions])
    hint = f"write  {choices(near)}" if near else f"moves are written  {forms}"
    symbols.report.add(span, f'"{text}" is not a move of this game', hint)


def _check_given(symbols: Symbols, line: nodes.Given) -> None:
    try:
        option_value(symbols.options[line.name.name], line.value.span.text)
    except UnknownOption as error:
        symbols.report.add(line.value.span, str(error))


def _check_position(symbols: Symbols, game: Game, node: nodes.Position, scratch: bytearray) -> None:
    """Reports what cannot be read; the facts are written over those of other positions, for nobody reads them."""
    mover = game.slots["mover"]
    if node.mover is not None:
        try:
            notation.parse_value(node.mover.name, mover.sort, "the mover")
        except notation.NotationError as error:
            symbols.report.add(node.mover.span, str(error))
    for fact in node.facts:
        words = fact.place.args if isinstance(fact.place, nodes.Call) else ()
        args = ",".join(word.span.text for word in words) or None
        try:
            value = " + ".join(part.span.text for part in (fact.value, *fact.above))
            notation.read_fact(game.slots, fact.place.name, args, value, scratch)
        except notation.NotationError as error:
            wrong = words[error.word] if error.word is not None else fact
            symbols.report.add(wrong.span, str(error))
    if node.drawing is not None:
        rows = [text for _, text in node.drawing.lines]
        try:
            notation.drawn_cells(rows, game.layers, game.nevers, game.board, game.slots)
        except notation.NotationError as error:
            symbols.report.add(_drawn_place(node.drawing, error), str(error))


def _drawn_place(node: nodes.Drawing, error: notation.NotationError) -> Span:
    """The span of the wrong row or cell within a drawing."""
    if error.row is None:
        return node.span.first(len("position"))
    span, text = node.lines[error.row]
    if error.word is None:
        return span
    word = list(re.finditer(r"\S+", text))[error.word]
    return replace(span, column=span.column + word.start(), end_column=span.column + word.end())
