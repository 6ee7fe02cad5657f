"""What an author reads where the grammar could not go on.

In: a rules text, the place where reading stopped, and the words and symbols that could have been there.  Out:
one `Problem`: the place, what was expected in one sentence, and the right form of what was meant.

A slip that newcomers make often has an adviser of its own; whatever no adviser knows is answered with a
short list of what is expected, and with an example of the phrase.  A sentence is a line together with the
lines that continue it; a block is headed by the line above it that is indented less.

    words       words and symbols: those of the language, an example of each phrase, and what other languages write
    stop        where reading stopped
    phrases     advisers for phrases that stand in many sections
    sections    advisers for the sentences of one section
    before      what is reported before the grammar is asked
"""

from __future__ import annotations

from collections.abc import Callable

from pysolve.dsl.errors import Problem, nearest
from pysolve.dsl.text.hints import phrases, sections
from pysolve.dsl.text.hints.before import before_reading
from pysolve.dsl.text.hints.stop import Rewritten, Stop, expected, form, outside, stop_at
from pysolve.dsl.text.hints.words import BLOCKS, EXAMPLE_LINES, RESERVED, SECTIONS


def explain(stop: Stop) -> Problem:
    """The problem at a place where reading stopped."""
    for adviser in ADVISERS:
        problem = adviser(stop)
        if problem is not None:
            return problem
    word = stop.found.text
    shown = word if word.startswith('"') and len(word) > 1 else f'"{word}"'
    found = f"{shown} is not expected here" if word else "the line ends here"
    hint = nearest(word, [one for one in stop.wanted if one.islower()]) if len(word) > 2 else ""
    return stop.problem(f"{found}; expected {expected(stop.wanted)}", hint or form(stop))


# The first that knows the slip answers.
ADVISERS: tuple[Callable[[Stop], Problem | None], ...] = (
    phrases.unfinished_block, phrases.deep_line, phrases.margin,
    sections.board, sections.parameters, sections.definition, sections.state, sections.demand,
    sections.effect, sections.chance, sections.paragraph, phrases.payment,
    sections.example, sections.table, sections.values,
    phrases.whole_number, phrases.name_begins, phrases.assignment, phrases.reach, phrases.reserved, phrases.bare_if,
    phrases.stack, phrases.set_, phrases.chained, phrases.connective, phrases.foreign_sign, phrases.colon,
    phrases.same_line, phrases.foreign_word, phrases.quotes, phrases.quantifier,
)  # fmt: skip

__all__ = [
    "BLOCKS", "EXAMPLE_LINES", "RESERVED", "SECTIONS", "Rewritten", "Stop", "before_reading", "explain", "outside",
    "stop_at",
]  # fmt: skip
