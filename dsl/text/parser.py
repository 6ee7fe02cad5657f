"""The parser of grammar.lark: Lark builds it once, and it is kept in the user's cache.

In: nothing.  Out: a parser whose trees know their places.  The trees and the errors are Lark's: a text is read by
Lark's tables, and where they lead nowhere Lark itself reads it from the beginning, and says what is wrong.
"""

from __future__ import annotations

import contextlib
import hashlib
import io
import pickle
import sys
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import Any

import lark
from lark import Lark, Token, Tree
from lark.indenter import Indenter

from dsl.sealed import private, read_sealed, write_sealed
from dsl.text import lalr
from dsl.text.lalr import Tables, tables_of

GRAMMAR = Path(__file__).with_name("grammar.lark")
SAMPLE = """game "Sample"
players One, Two
board square 3 by 3
state
  at(cell): player or none
move drop(to: cell) as "{to}"
  when
    at(to) = none and not (2 * row(to) > 7)
  do
    at(to) := mover
"""


class _Blocks(Indenter):
    NL_type = "_NL"
    OPEN_PAREN_types: list[str] = []
    CLOSE_PAREN_types: list[str] = []
    INDENT_type = "_INDENT"
    DEDENT_type = "_DEDENT"
    tab_len = 8


@dataclass
class Parser:
    """Lark, and its tables; none of a Lark that is made otherwise inside."""

    saved: bytes
    tables: Tables | None

    @cached_property
    def lark(self) -> Lark:
        """Lark as it saved itself: without the grammar, which is not needed any more."""
        return Lark.load(io.BytesIO(self.saved))

    def parse(self, text: str) -> Tree[Token]:
        """The tree of a text; raises what Lark raises."""
        tree = self.tables.tree(text) if self.tables else None
        return tree or self.lark.parse(text)


@cache
def parser() -> Parser:
    """The parser, from the user's cache if it is there."""
    kept = _file()
    if kept is None:  # no cache can be written here: then the parser is built each time
        return _built()
    data = read_sealed(kept)
    if data is not None:
        with contextlib.suppress(Exception):  # an unpickler may raise anything
            found = pickle.loads(data)
            if isinstance(found, Parser):
                return found
    made = _built()
    _keep(made, kept)
    return made


def _file() -> Path | None:
    """Where this parser is kept: each grammar, Lark and Python has its own.

    None if there is no folder that nobody else can write into.
    """
    import platformdirs

    sources = (GRAMMAR, Path(__file__), Path(lalr.__file__))
    made_of = (*(source.read_bytes() for source in sources), lark.__version__.encode(), sys.version.encode())
    digest = hashlib.sha256(b"\n".join(made_of)).hexdigest()[:16]
    try:
        folder = Path(platformdirs.user_cache_dir("pysolve"))
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        if not private(folder.stat()):
            return None
    except OSError:
        return None
    return folder / f"grammar-{digest}.parser"


def _built() -> Parser:
    saved = io.BytesIO()
    built = Lark(GRAMMAR.read_text(encoding="utf-8"), parser="lalr", postlex=_Blocks(), propagate_positions=True)
    built.save(saved)
    try:
        found = tables_of(built)
        ready = told(found.tree(SAMPLE)) == told(built.parse(SAMPLE))
    except Exception:
        ready = False
    return Parser(saved.getvalue(), found if ready else None)


def told(tree: Any) -> Any:
    """All that a tree says, and where each phrase and each word stands."""
    if tree is None:
        return None
    at = tree.meta if isinstance(tree, Tree) else tree
    place = [getattr(at, name, None) for name in ("line", "column", "end_line", "end_column")]
    if isinstance(tree, Tree):
        return tree.data, place, [told(part) for part in tree.children]
    return tree.type, str(tree), place


def _keep(made: Parser, file: Path) -> None:
    """Keeps the parser, whole or not at all."""
    with contextlib.suppress(OSError, pickle.PicklingError, AttributeError, TypeError):
        write_sealed(file, pickle.dumps(made, pickle.HIGHEST_PROTOCOL))
