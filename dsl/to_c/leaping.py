"""Closures by leaps: all places of the set go on at once, leap by leap, until nothing is new.

In: a closure whose step is a union of leaps (dsl/analysis/leaps.py) with tests that look around.  Out: lines of C that
test all places beforehand, as sets, and then move the whole set again and again.  Where a step only looks at its two
ends, rows of neighbours are as good, and go from each place once.
"""

from __future__ import annotations

from pysolve.dsl.analysis.leaps import Leap, find_leaps
from pysolve.dsl.analysis.shifts import WIDEST
from pysolve.dsl.model import Body, Exists, Get, Reach, Var, all_steps
from pysolve.dsl.model.steps import with_bodies
from pysolve.dsl.passes.flattening import possible_bodies
from pysolve.dsl.to_c.bitboards import Tests
from pysolve.dsl.to_c.bits import Bits, braces
from pysolve.dsl.to_c.choices import Printer
from pysolve.dsl.to_c.masks import Masks
from pysolve.dsl.to_c.scope import set_kind, set_words


def flood_by_leaps(printer: Printer, masks: Masks, step: Reach) -> bool:
    """Writes how the set, which holds its first members, grows; False where that is not by leaps."""
    leaps, words = find_leaps(step, printer.game.tables), set_words(step.var.sort)
    if not leaps or words > WIDEST or not any(_looks_around(leap, step) for leap in leaps):
        return False
    out, name = printer.out, printer.name(step.var)
    declared = set(printer.declared)
    with out.apart() as tests:
        sets = [(_passing(printer, masks, leap.before, step.near), _passing(printer, masks, leap.behind, step.next))
                for leap in leaps]  # fmt: skip
        ends = [(leap, before, behind) for leap, (before, behind) in zip(leaps, sets, strict=True) if before and behind]
    if len(ends) < len(leaps):
        printer.declared = declared  # what was declared in these lines is not there
        return False
    out.add(tests)
    kind, more = set_kind(step.var.sort), out.fresh("more")
    out.line(f"u64 {more} = 1;")
    with out.loop(f"while ({more})"):
        old = out.fresh("old")
        out.line(f"const {kind} {old} = {name};")
        for leap, before, behind in ends:
            leaping = lambda word, before=before: f"({name}.w[{word}]{before(word)})"
            moved = Tests(masks, printer, step.next).moved_by(leaping, leap.by, leap.targets)
            for word in range(words):
                out.line(f"{name}.w[{word}] |= {moved(word)}{behind(word)};")
        out.line(f"{more} = {' | '.join(f'({name}.w[{i}] ^ {old}.w[{i}])' for i in range(words))};")
    return True


def _looks_around(leap: Leap, step: Reach) -> bool:
    """Is something read besides what the two ends hold?"""
    return any(
        isinstance(one, Get) and one.args not in ((step.near,), (step.next,)) and one.args
        for one in all_steps((*leap.before, *leap.behind))
    )


def _passing(printer: Printer, masks: Masks, tests: Body, var: Var) -> Bits | None:
    """The set that limits a word to the places which pass the tests; None where it cannot be computed as a set."""
    if not tests:
        return lambda word: ""
    passing = Tests(masks, printer, var)
    bits = passing.test(Exists(_simpler(tests)))
    if bits is None:
        return None
    name = printer.out.fresh("passing")
    printer.out.line(f"const Set{passing.words} {name} = {braces(bits(word) for word in range(passing.words))};")
    return lambda word: f" & {name}.w[{word}]"


def _simpler(body: Body) -> Body:
    """Without what is ruled out where it is known which leap it is."""
    return tuple(possible_bodies(with_bodies(step, _simpler)) for step in body)
