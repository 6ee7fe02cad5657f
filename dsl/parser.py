"""The parser of grammar.lark: Lark builds it once, and it is kept in the user's cache.

In: nothing.  Out: a parser whose trees know their places.  It is kept whole, not as tables from which it is made each
time, and what Lark would do again and again is settled before.  The trees and the errors are Lark's:
  * a rule that only passes a phrase on, as `sum` does where nothing is added, does nothing else;
  * a tree notes where it stands, and no more;
  * words are looked up, and where the same words may come next the same expression finds them.
"""

from __future__ import annotations

import contextlib
import hashlib
import io
import os
import pickle
import re
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, cached_property
from importlib import import_module
from operator import itemgetter
from pathlib import Path
from types import ModuleType
from typing import Any

import lark
from lark import Lark, Token, Tree
from lark.grammar import Rule
from lark.indenter import Indenter
from lark.parsers.lalr_analysis import Action

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


@cache
def parser() -> Lark:
    """The parser, from the user's cache if it is there."""
    kept = _file()
    if kept is None:  # no cache can be written here: then the parser is built each time
        return _built()
    try:
        found = pickle.loads(kept.read_bytes())
        if isinstance(found, Lark):
            return found
    except (OSError, pickle.UnpicklingError, AttributeError, EOFError, ImportError, IndexError, TypeError, ValueError):
        pass
    made = _built()
    _keep(made, kept)
    return made


def _file() -> Path | None:
    """Where this parser is kept: each grammar, Lark and Python has its own."""
    import platformdirs

    made_of = (GRAMMAR.read_bytes(), Path(__file__).read_bytes(), lark.__version__.encode(), sys.version.encode())
    digest = hashlib.sha256(b"\n".join(made_of)).hexdigest()[:16]
    try:
        folder = Path(platformdirs.user_cache_dir("pysolve"))
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    except OSError:
        return None
    return folder / f"grammar-{digest}.parser"


def _built() -> Lark:
    made = _plain()
    expected = made.parse(SAMPLE)
    try:
        _build_at_once(made)
        _share_actions(made)
        _prepare_lexers(made)
        ready = made.parse(SAMPLE) == expected
    except Exception:
        ready = False
    return made if ready else _plain()  # a Lark that is made otherwise inside serves as it is


def _plain() -> Lark:
    grammar = GRAMMAR.read_text(encoding="utf-8")
    tables = io.BytesIO()
    Lark(grammar, parser="lalr", postlex=_Blocks(), propagate_positions=True).save(tables)
    tables.seek(0)
    return Lark.load(tables)  # without the grammar, which is not needed any more


def _build_at_once(made: Lark) -> None:
    builders = made.parser.parser.parser.callbacks  # for each rule, what makes a tree of its parts
    for rule, build in builders.items():
        only = rule.expansion[0] if len(rule.expansion) == 1 else None
        if only and rule.options.expand1 and not rule.alias and not only.is_term and not only.name.startswith("_"):
            builders[rule] = itemgetter(0)
        else:
            builders[rule] = _Placing(build.node_builder)


@dataclass(slots=True)
class _Place:
    """Where a phrase begins and ends: without the brackets around it, and with them."""

    line: int
    column: int
    end_line: int
    end_column: int
    begins: tuple[int, int]
    ends: tuple[int, int]


@dataclass(slots=True)
class _Placing:
    """Makes a tree of its parts and says where it stands: from the first of them that has words to the last."""

    build: Callable[[list[Any]], Any]

    def __call__(self, parts: list[Any]) -> Any:
        tree = self.build(parts)
        kind = type(tree)
        if kind is not Tree:
            return tree
        begins: tuple[int, int] | None = None
        ends = 0, 0
        for part in parts:
            kind = type(part)
            if kind is Token:
                begins = begins or (part.line, part.column)
                ends = part.end_line, part.end_column
            elif part._meta is not None:
                begins = begins or part._meta.begins
                ends = part._meta.ends
        if begins is None:
            return tree
        if tree._meta is None:
            tree._meta = _Place(*begins, *ends, begins, ends)
        else:  # brackets stand around it
            tree._meta.begins, tree._meta.ends = begins, ends
        return tree


class _Rule(Rule):
    """A rule of the grammar that is there once, so it is told from others by what it is, not by what it says."""

    __eq__ = object.__eq__
    __hash__ = object.__hash__


def _share_actions(made: Lark) -> None:
    parser = made.parser.parser.parser
    for rule in parser.callbacks:
        rule.__class__ = _Rule
    parser.callbacks = {rule: build for rule, build in parser.callbacks.items()}  # hashed anew
    shared: dict[Any, Any] = {}  # what is to be done next, which is the same for many words in many states
    for actions in parser.parse_table.states.values():
        for word, action in actions.items():
            actions[word] = shared.setdefault(action, action)


def _prepare_lexers(made: Lark) -> None:
    lexers = made.parser.lexer.lexer.lexers  # for each state, what finds the next word
    shared: dict[frozenset[str], Any] = {}
    for state, lexer in lexers.items():
        lexers[state] = shared.setdefault(frozenset(terminal.name for terminal in lexer.terminals), lexer)
    for lexer in shared.values():
        lexer.scanner.match  # noqa: B018  (made when it is first asked for)
        for words in lexer.callback.values():  # those that are no names
            words.scanner = _Words({one.pattern.value: one.name for one in words.scanner.terminals})


@dataclass
class _Words:
    """Looks words up, where Lark would compile an expression to tell them apart."""

    names: dict[str, str]

    def fullmatch(self, word: str) -> str | None:
        return self.names.get(word)


@dataclass
class _Expression:
    """A regular expression that is made when it is first used: most are not."""

    pattern: str
    flags: int
    compiled: tuple[Any, ...] | None

    @cached_property
    def match(self) -> Any:
        if self.compiled is None:
            return re.compile(self.pattern, self.flags).match
        return _made(self.pattern, self.compiled).match


def _made(pattern: str, compiled: tuple[Any, ...]) -> re.Pattern[str]:
    made: re.Pattern[str] = re._compiler._sre.compile(pattern, *compiled)  # type: ignore[attr-defined]
    return made


def _compiled(expression: re.Pattern[str]) -> tuple[Any, ...] | None:
    """What Python compiles an expression to, from which it is made again at once; None if this Python does not say.

    That belongs to one version of Python, as does the parser that is kept.
    """
    with contextlib.suppress(Exception):
        pattern, flags, groups = expression.pattern, expression.flags, expression.groupindex
        code = [*map(int, re._compiler._code(re._parser.parse(pattern, flags), flags))]  # type: ignore[attr-defined]
        names: list[str | None] = [None] * (expression.groups + 1)
        for name, number in groups.items():
            names[number] = name
        compiled = flags, code, expression.groups, dict(groups), tuple(names)
        if _made(pattern, compiled) == expression:
            return compiled
    return None


class _Pickler(pickle.Pickler):
    """What is one of a kind is named, not copied; expressions are compiled later."""

    def reducer_override(self, thing: Any) -> Any:
        if isinstance(thing, re.Pattern):
            return _Expression, (thing.pattern, thing.flags, _compiled(thing))
        if isinstance(thing, ModuleType):
            return import_module, (thing.__name__,)
        return thing.name if isinstance(thing, Action) else NotImplemented


def _keep(made: Lark, file: Path) -> None:
    """Keeps the parser, whole or not at all."""
    with contextlib.suppress(OSError, pickle.PicklingError, AttributeError, TypeError):
        handle, written = tempfile.mkstemp(dir=file.parent)
        try:
            with open(handle, "wb") as out:
                _Pickler(out, pickle.HIGHEST_PROTOCOL).dump(made)
            os.replace(written, file)
        except BaseException:
            os.unlink(written)
            raise
