"""Names in the rules that extend a text: where they stand, and whether they can be others.

In: a text as an editor has it, and the files beside it, of which some may be open, too.  Out: places in those files.  A
file that extends the text extends it as it is in the editor.
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from pysolve import dsl
from pysolve.dsl import NoRules, RulesError, parent_finder
from pysolve.dsl.check.meanings import Understanding
from pysolve.dsl.errors import Source
from pysolve.dsl.text.sources import SUFFIX, rules_source
from pysolve.ide.renaming import edited, refuse_mistakes
from pysolve.runtime.paths import RULES

MOST_FILES = 200  # of a folder that are looked at
SECONDS = 8.0  # for all of them
_EXTENDS = re.compile(r'^game[ \t]+"[^"\n]*"[ \t]+extends[ \t]+"([^"\n]*)"', re.MULTILINE)

Edits = Sequence[tuple[int, int, int]]  # line and column from 1, and the number of characters


@dataclass(frozen=True)
class Family:
    """A text, and the files beside it that extend it, directly or not."""

    path: str
    text: str
    children: Mapping[str, str]  # by path

    @classmethod
    def of(cls, path: str, text: str, open_texts: Mapping[str, str]) -> Family:
        """The family of a text; files that are open count as they are in the editor."""
        parents: dict[str, tuple[str, str]] = {}  # by path: the text, and the name of what it extends
        for file in sorted(Path(path).parent.glob(f"*{SUFFIX}"))[:MOST_FILES]:
            found = open_texts.get(str(file)) or _text(file)
            extends = _EXTENDS.search(found)
            if extends is not None and str(file) != path:
                parents[str(file)] = found, _stem(extends[1])
        family = {_stem(path)}
        while more := {_stem(file) for file, (_, parent) in parents.items() if parent in family} - family:
            family |= more
        return cls(path, text, {file: found for file, (found, parent) in parents.items() if parent in family})

    def understood(self, path: str) -> Understanding | None:
        """The analysis of a text of the family; None if nothing of it can be read."""
        texts = {**self.children, self.path: self.text}
        search = parent_finder((Path(path).parent, RULES))

        def find(name: str, child: Source) -> Source | None:
            found = search(name, child)
            return found if found is None or found.name not in texts else Source(found.name, texts[found.name])

        try:
            return dsl.understand(Source(path, texts[path]), find, {})
        except RulesError:
            return None

    def uses(self, line: int, column: int) -> Iterator[tuple[str, Edits]]:
        """The edits, by file, for all uses of the name declared at a place in files that extend the text."""
        until = time.monotonic() + SECONDS
        for path in self.children:
            if time.monotonic() > until:
                return
            found = self.understood(path)
            if found is not None:
                places = [
                    (one.span.line, one.span.column, one.span.end_column - one.span.column)
                    for one in found.meanings.mentions
                    if one.span.source.name == path and _is_declared(found, one.meaning, self.path, line, column)
                ]
                yield path, places

    def renamed(self, edits: Edits, line: int, column: int, new: str) -> dict[str, Edits]:
        """The edits, by file, that rename the name declared at a place; raises `Unchangeable`."""
        changed = {self.path: edits, **{path: found for path, found in self.uses(line, column) if found}}
        texts = {**self.children, self.path: self.text}
        after = {path: edited(text, changed.get(path, ()), new) for path, text in texts.items()}
        family = Family(self.path, after.pop(self.path), after)
        for path in (self.path, *self.children):
            refuse_mistakes(self.understood(path), family.understood(path), new)
        return changed


def _is_declared(found: Understanding, meaning: int, path: str, line: int, column: int) -> bool:
    place = found.meanings.names[meaning].place
    return place is not None and (place.source.name, place.line, place.column) == (path, line, column)


def _stem(path: str) -> str:
    return Path(path).name.removesuffix(SUFFIX)


def _text(file: Path) -> str:
    try:
        return rules_source(file).text
    except (NoRules, RulesError, OSError):
        return ""
