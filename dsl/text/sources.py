"""Rules files that a text names: what rules extend, and the game of a record, of a proof or of a player.

In: a name out of such a text, and the folders in which it may be looked for.  Out: the source of the file, or
`NoRules`.  A text may come from a stranger.  So a name never leads out of the folders, not by `..`, nor as a full path,
nor over a link; and of a file that is not a rules file nothing is shown.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path, PureWindowsPath

from pysolve.dsl.errors import Problem, RulesError, Source, Span, nearest
from pysolve.dsl.text.limits import TEXT_LIMIT

Find = Callable[[str, Source], Source | None]  # the text that a rules text extends; may raise `NoRules`
SUFFIX = ".rules"
_GAME = re.compile(r'^game[ \t]+"', re.MULTILINE)
_SENTENCE = re.compile(r"^[ \t]*(?!#)\S.*$", re.MULTILINE)


class NoRules(ValueError):
    """A name under which there are no rules; `hint` says what may help."""

    def __init__(self, message: str, hint: str = ""):
        super().__init__(f"{message}: {hint}" if hint else message)
        self.message = message
        self.hint = hint


def file_source(path: Path, name: str | None = None) -> Source:
    """The text of a file, known by its path or by another name; raises `RulesError` if it is no text."""
    source, problem = _read(path, name)
    if problem is not None:
        raise RulesError([problem])
    return source


def rules_source(path: Path) -> Source:
    """The text of a rules file; raises `NoRules`, which shows nothing of the file, if it is something else."""
    source, problem = _read(path, None)
    if not is_rules(source.text):
        raise NoRules(f'"{path}" is not a rules file', 'a rules file begins with a line like  game "My game"')
    if problem is not None:
        raise RulesError([problem])
    return source


def is_rules(text: str) -> bool:
    """True if a text begins with a section, comments aside, and has a line that names a game."""
    first = _SENTENCE.search(text)
    return first is not None and _GAME.search(text) is not None and _begins_section(first.group())


def _begins_section(line: str) -> bool:
    from pysolve.dsl.text.hints.words import SECTIONS  # needed only where a text names another one

    return re.match(r"\w*", line).group() in SECTIONS  # type: ignore[union-attr]


def named_source(name: str, folders: Iterable[Path]) -> Source:
    """The rules of that name, which may lack its ending, in the first of the folders, or below it, that has them.

    Raises `NoRules` if none has, and `RulesError` if the file is no UTF-8 text.
    """
    folders, outside = tuple(folders), False
    for folder in folders:
        for path in (folder / name, folder / f"{name}{SUFFIX}"):
            within = _is_within(path, folder)
            outside |= within is False
            if within and _is_file(path):
                return rules_source(path)
    if outside:
        raise NoRules(f'"{name}" leads out of the folder of this file',
                      "name a shipped game, or a file in this folder or below it")  # fmt: skip
    raise NoRules(f'there are no rules "{name}"',
                  nearest(Path(name).name.removesuffix(SUFFIX), _known(folders))
                  or "searched in the folder of this file, in the folders below it, and among the shipped "
                  "games")  # fmt: skip


def parent_finder(folders: tuple[Path, ...]) -> Find:
    """A function that finds the file behind `extends` by its name, in some folders and below them."""

    def find(name: str, _child: Source) -> Source | None:
        return named_source(name, folders)

    return find


def stays_inside(name: str) -> bool:
    """False if a name is a full path, or goes up."""
    return not (Path(name).is_absolute() or PureWindowsPath(name).drive or ".." in re.split(r"[/\\]", name))


def _is_within(path: Path, folder: Path) -> bool | None:
    """True if a path lies in a folder or below it, with all links followed; None if it can be no path."""
    try:
        return path.resolve().is_relative_to(folder.resolve())
    except (OSError, ValueError, RuntimeError):  # too long, with a null byte, links in a circle
        return None


def _is_file(path: Path) -> bool:
    """True if there is such a file; False, too, if its name is too long to be one."""
    try:
        return path.is_file()
    except OSError:
        return False


def _known(folders: Iterable[Path]) -> Iterator[str]:
    """The names of rules in some folders."""
    for folder in folders:
        yield from (path.stem for path in folder.glob(f"*{SUFFIX}"))


def _read(path: Path, name: str | None) -> tuple[Source, Problem | None]:
    """The text of a file, and the mistake if it is no UTF-8."""
    with path.open("rb") as file:
        data = file.read(TEXT_LIMIT + 1)  # a little too much is refused as all of it would be
    source = Source(name or str(path), data.decode("utf-8-sig", "replace").replace("\r\n", "\n"))
    try:
        data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        return source, Problem(Span(source, line, 1, line, 2), "this line is not UTF-8 text", "save the file as UTF-8")
    return source, None
