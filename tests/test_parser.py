"""The parser that is kept says of a text what Lark says: the same trees and places, or the same mistake."""

from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest
from lark import Lark, UnexpectedInput, UnexpectedToken
from lark.indenter import DedentError

from dsl import parser as own
from dsl.errors import Report, Source
from dsl.layout import lay_out
from dsl.syntax import _ToSyntax

ROOT = Path(__file__).parent.parent
TEXTS = sorted([*ROOT.glob("rules/*.rules"), *ROOT.glob("tests/**/*.rules")])


@cache
def plain() -> Lark:
    grammar = own.GRAMMAR.read_text(encoding="utf-8")
    return Lark(grammar, parser="lalr", postlex=own._Blocks(), propagate_positions=True)


def said(parser: Lark, source: Source) -> object:
    """The syntax of a text; or where it cannot be read, and what could stand there."""
    try:
        tree = parser.parse(lay_out(source.text) + "\n")
    except DedentError as error:
        return str(error)
    except UnexpectedInput as error:
        wanted = error.accepts or error.expected if isinstance(error, UnexpectedToken) else error.allowed
        return type(error), error.line, error.column, frozenset(wanted)
    report = Report()
    return _ToSyntax(source, report).phrase(tree), report.problems


@pytest.mark.parametrize("path", TEXTS, ids=lambda path: path.stem)
def test_the_parser_says_what_lark_says(path: Path) -> None:
    source = Source(path.name, path.read_text(encoding="utf-8", errors="replace"))
    assert said(own.parser(), source) == said(plain(), source)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr("platformdirs.user_cache_dir", lambda _name: str(tmp_path / "cache"))
    return tmp_path / "cache"


def test_the_parser_is_kept(folder: Path) -> None:
    """It is built when it is first needed, and when what was kept is damaged."""
    source = Source("zola", (ROOT / "rules" / "zola.rules").read_text(encoding="utf-8"))
    make = own.parser.__wrapped__
    first = said(make(), source)
    (file,) = folder.iterdir()
    kept = file.read_bytes()
    assert said(make(), source) == first
    assert file.read_bytes() == kept
    file.write_bytes(kept[:1000])
    assert said(make(), source) == first
    assert len(file.read_bytes()) > 1000


def unknown(made: Lark) -> None:
    made.parser.parser.parser.parse_table = None
    raise AttributeError("parse_table")


def unlike(made: Lark) -> None:
    """Makes other trees, without a word."""
    builders = made.parser.parser.parser.callbacks
    builders.update(dict.fromkeys(builders, lambda parts: parts))


@pytest.mark.parametrize("strange", [unknown, unlike])
def test_another_lark_serves_as_it_is(
    folder: Path, monkeypatch: pytest.MonkeyPatch, strange: Callable[[Lark], None]
) -> None:
    """The parser is made ready inside Lark, which another version may have otherwise."""
    monkeypatch.setattr(own, "_share_actions", strange)
    source = Source("zola", (ROOT / "rules" / "zola.rules").read_text(encoding="utf-8"))
    for _ in range(2):  # built, and kept if it can be
        assert said(own.parser.__wrapped__(), source) == said(plain(), source)


def test_without_a_folder_the_parser_is_built(folder: Path) -> None:
    folder.write_text("no folder")
    source = Source("zola", (ROOT / "rules" / "zola.rules").read_text(encoding="utf-8"))
    assert said(own.parser.__wrapped__(), source) == said(plain(), source)
