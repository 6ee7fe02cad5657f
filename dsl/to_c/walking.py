"""Walks by bits: a ray is cut at its lowest or highest bit that is in the way.

In: a walk, and the steps behind it.  Out: lines of C that put the ends of all rays into one set, and go through it.
"""

from __future__ import annotations

from pysolve.dsl.model import Body, Sort, Walk
from pysolve.dsl.to_c.bitboards import Tests
from pysolve.dsl.to_c.choices import Choice, Printer
from pysolve.dsl.to_c.choosing import absorbed
from pysolve.dsl.to_c.masks import Masks
from pysolve.dsl.to_c.scope import Inside
from pysolve.dsl.to_c.text import Writer


def write_walk(printer: Printer, masks: Masks, step: Walk, rest: Body, inside: Inside) -> bool:
    """Writes a walk and what is behind it by bits; False on boards of more than a word, or with bent rays."""
    sort, tables = step.target.sort, printer.game.tables
    if not isinstance(sort, Sort) or sort.high - sort.low >= 64 or step.target in printer.declared:
        return False
    rays = masks.tables.ray_sets(tables[step.rays], tables[step.stops], step)
    clear = Tests(masks, printer, step.over).whole(step.clear)
    if rays is None or clear is None:
        return False
    tests, left = absorbed(Tests(masks, printer, step.target), rest)
    origin = printer.atom(step.origin)
    if not rays.all:
        tests.append(lambda _: f"{rays.name}_stops[{origin}]")
    masks.walked.add(step)
    out, hits = printer.out, printer.out.fresh("hits")
    out.line(f"u64 {hits} = 0;")
    for way in ("up", "down"):
        if origin.number is not None:
            for line in rays.lines[way][origin.number]:
                with out.block(""):
                    _add_reached(out, step, way, f"{line:#x}ULL", clear(0), hits)
            continue
        ray, first = out.fresh("ray"), f"{rays.name}_{way}_r[{origin}]"
        end = f"{rays.name}_{way}_r[{origin} + 1]"
        with out.block(f"for (int {ray} = {first}, {ray}_end = {end}; {ray} < {ray}_end; {ray}++)"):
            _add_reached(out, step, way, f"{rays.name}_{way}[{ray}]", clear(0), hits)
    if tests:
        out.line(f"{hits} &= {' & '.join(test(0) for test in tests)};")
    if not left and step.target == printer.spread[0]:
        printer.spread[1](Choice(step.target, 1, (lambda _: hits,), ()))
        return True
    with out.loop(f"for (; {hits}; {hits} &= {hits} - 1)"):
        cell = f"lowest_bit({hits})"
        printer.bind(step.over, f"{cell} + {sort.low}" if sort.low else cell)
        printer.bind(step.target, printer.atom(step.over))
        printer.ways(left, inside)
    return True


def _add_reached(out: Writer, step: Walk, way: str, ray: str, clear: str, hits: str) -> None:
    """Adds to `hits` the cells of a ray as far as it is clear, and the first that is not; or that one alone."""
    line, stop = out.fresh("line"), out.fresh("stop")
    out.line(f"const u64 {line} = {ray}, {stop} = {line} & ~{clear};")
    one = f"{stop} & -{stop}" if way == "up" else f"highest_of({stop})"
    if step.first_only:
        out.line(f"{hits} |= {one};")
    elif way == "up":
        out.line(f"{hits} |= {line} & ({stop} ^ ({stop} - 1));")
    else:
        out.line(f"{hits} |= {line} & ~(({one}) - !!{stop});")
