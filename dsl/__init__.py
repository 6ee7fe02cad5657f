"""From text to text: rules to a checked model, and the model to programs.

`read_rules` is the front door.  Nothing here knows an engine, a Prolog system or a C compiler.  The parser and the
checker are imported when rules are read: a game that is known already needs neither.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from dsl.errors import Problem, RulesError, Source, Span, UnknownOption
from dsl.garbage import collecting_later
from dsl.model import Game

Find = Callable[[str, Source], Source | None]  # the text that a rules text extends


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
    """The model of a source with its options set; `find` gives what it extends.  Raises as `read_rules`."""
    from dsl.check import check
    from dsl.syntax import parse

    with collecting_later():
        return check(parse(source), options, find)


def file_source(path: Path, name: str | None = None) -> Source:
    """The text of a file, known by its path or by another name; raises `RulesError` if it is no text."""
    data = path.read_bytes()
    source = Source(name or str(path), data.decode("utf-8-sig", "replace").replace("\r\n", "\n"))
    try:
        data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        problem = Problem(Span(source, line, 1, line, 2), "this line is not UTF-8 text", "save the file as UTF-8")
        raise RulesError([problem]) from None
    return source


def parent_finder(folders: tuple[Path, ...]) -> Find:
    """How `extends` finds its file: by name in some folders."""

    def find(name: str, _child: Source) -> Source | None:
        for folder in folders:
            for path in (folder / name, folder / f"{name}.rules"):
                if path.is_file():
                    return file_source(path)
        return None

    return find


__all__ = [
    "Find", "Game", "Problem", "RulesError", "Source", "UnknownOption", "file_source", "parent_finder", "read_rules",
    "read_source",
]  # fmt: skip
