"""From text to text: rules to a checked model, and the model to programs.

`read_rules` is the front door.  Nothing here knows an engine, a Prolog system or a C compiler.  The parser and the
checker are imported when rules are read: a game from the cache needs neither.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from pysolve.dsl.errors import Problem, Report, RulesError, Source, UnknownOption
from pysolve.dsl.gc_pause import gc_paused
from pysolve.dsl.model import Game
from pysolve.dsl.text.limits import fits_in_text
from pysolve.dsl.text.sources import Find, NoRules, file_source, named_source, parent_finder, rules_source, stays_inside

if TYPE_CHECKING:
    from pysolve.dsl.check.meanings import Understanding


def read_rules(
    text: str | Path, /, *, name: str | None = None, folders: tuple[Path, ...] = (), **options: object
) -> Game:
    """The model of a rules text, or of the file at a path, with its options set.

    Raises `RulesError` with every mistake in the rules, `UnknownOption` for a wrong option.  A parent named by
    `extends` is looked for beside the file and in `folders`.
    """
    if isinstance(text, Path):
        return read_source(file_source(text, name), parent_finder((text.parent, *folders)), options)
    return read_source(Source(name or "rules", text.replace("\r\n", "\n")), parent_finder(folders), options)


def read_source(source: Source, find: Find, options: Mapping[str, object]) -> Game:
    """The model of a source with its options set; `find` gives the rules that it extends.  Raises as `read_rules`."""
    from pysolve.dsl.check import check
    from pysolve.dsl.text.syntax import parse

    with gc_paused():
        game = check(parse(source), options, find)
    if game.flaws:
        raise RulesError(game.flaws)
    return game


def read_playable(source: Source, find: Find, options: Mapping[str, object]) -> Game:
    """The model of a source as `read_source` gives it, also if its examples have mistakes.

    Mistakes in examples become the model's `flaws`, because the game can be played. Raises `RulesError` for all other
    mistakes, and `UnknownOption`.
    """
    from pysolve.dsl.check import check
    from pysolve.dsl.text.syntax import parse_but_examples

    with gc_paused():
        rules, flaws = parse_but_examples(source)
        game = check(rules, options, find)
    return replace(game, flaws=flaws) if flaws else game


def merged_text(source: Source, find: Find) -> str:
    """A rules text that needs no other: a variant with all that it inherits, any other text as it is."""
    from pysolve.dsl.check import merged
    from pysolve.dsl.text import merged as written
    from pysolve.dsl.text.nodes import Game as Header
    from pysolve.dsl.text.syntax import parse

    rules = parse(source)
    if not any(isinstance(section, Header) and section.extends for section in rules.sections):
        return source.text
    return written.merged_text(merged(rules, find))


def understand(source: Source, find: Find, options: Mapping[str, object], whole: bool = False) -> Understanding:
    """The game of a source, its mistakes, and the meaning of each name; the source may have mistakes.

    Raises `UnknownOption`, and `RulesError` if nothing of the source can be read, or if `whole` and not all of it.
    """
    from pysolve.dsl.check import understand
    from pysolve.dsl.text.syntax import read

    with gc_paused():
        report = Report()
        rules = read(source, report)
        if whole:
            report.stop_if_any()
        return understand(rules, report.in_order(), options, find)


__all__ = [
    "Find", "Game", "NoRules", "Problem", "RulesError", "Source", "UnknownOption", "file_source", "fits_in_text",
    "merged_text", "named_source", "parent_finder", "read_playable", "read_rules", "read_source", "rules_source",
    "stays_inside", "understand",
]  # fmt: skip
