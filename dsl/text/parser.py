"""The parser of grammar.lark: Lark builds it once, and it is kept in the user's cache.

In: nothing.  Out: a parser whose trees know their places.
"""

from __future__ import annotations

import contextlib
import hashlib
import io
import sys
from functools import cache
from pathlib import Path

import lark
from lark import Lark
from lark.indenter import Indenter

from pysolve.dsl.language.aggregates import AGGREGATES
from pysolve.dsl.sealed import private, read_sealed, write_sealed

GRAMMAR = Path(__file__).with_name("grammar.lark")
OF = {"never": "", "may": ' ["of" expr]', "must": ' "of" expr'}
VARIABLES = r"(?= +[A-Za-z][A-Za-z0-9_]*( *[:,]| +in\b))"


class Blocks(Indenter):
    """Indented lines are a block."""

    NL_type = "_NL"
    OPEN_PAREN_types: list[str] = []
    CLOSE_PAREN_types: list[str] = []
    INDENT_type = "_INDENT"
    DEDENT_type = "_DEDENT"
    tab_len = 8


@cache
def parser() -> Lark:
    """The parser, from the user's cache if it is there."""
    kept = _file()
    if kept is None:  # no cache can be written here: then the parser is built each time
        return built()
    data = read_sealed(kept)
    if data is not None:
        with contextlib.suppress(Exception):  # an unpickler may raise anything
            return Lark.load(io.BytesIO(data))
    made, saved = built(), io.BytesIO()
    made.save(saved)
    with contextlib.suppress(OSError):
        write_sealed(kept, saved.getvalue())
    return made


def built() -> Lark:
    """The parser, made from the grammar."""
    return Lark(grammar(), parser="lalr", postlex=Blocks(), propagate_positions=True)


def grammar() -> str:
    """What grammar.lark says, and the aggregates, which are rows of a table."""
    rows = AGGREGATES.values()
    forms = "\n         | ".join(f"{row.name.upper()} binders{OF[row.of]}" for row in rows)
    words = "\n".join(
        f'{row.name.upper()}: "{row.name}"' if row.reserved else f"{row.name.upper()}.10: /{row.name}{VARIABLES}/"
        for row in rows
    )
    return f"{GRAMMAR.read_text(encoding='utf-8')}\naggregate: {forms}\n{words}\n"


def _file() -> Path | None:
    """The cache file of this parser, one for each grammar and version of Lark and Python.

    None if there is no folder that only this user can write to.
    """
    import platformdirs

    made_of = (grammar().encode(), Path(__file__).read_bytes(), lark.__version__.encode(), sys.version.encode())
    digest = hashlib.sha256(b"\n".join(made_of)).hexdigest()[:16]
    try:
        folder = Path(platformdirs.user_cache_dir("pysolve"))
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        if not private(folder.stat()):
            return None
    except OSError:
        return None
    return folder / f"grammar-{digest}.parser"
