"""The parser that is kept says of a text what Lark says: the same trees and places, or the same mistake."""

import random
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest
from lark import Lark, UnexpectedInput, UnexpectedToken
from lark.indenter import DedentError

from dsl.text import parser as own
from dsl.text.lalr import Tables, tables_of
from dsl.text.lines import lay_out

ROOT = Path(__file__).parent.parent
TEXTS = sorted([*ROOT.glob("rules/*.rules"), *ROOT.glob("tests/**/*.rules")])


@cache
def plain() -> Lark:
    grammar = own.GRAMMAR.read_text(encoding="utf-8")
    return Lark(grammar, parser="lalr", postlex=own._Blocks(), propagate_positions=True)


def said(parser: Lark | own.Parser, text: str) -> object:
    """The tree of a text; or where it cannot be read, and what could stand there."""
    try:
        return own.told(parser.parse(text))
    except DedentError as error:
        return str(error)
    except UnexpectedInput as error:
        wanted = error.accepts or error.expected if isinstance(error, UnexpectedToken) else error.allowed
        return type(error), error.line, error.column, frozenset(wanted)


def text_of(path: Path) -> str:
    return lay_out(path.read_text(encoding="utf-8", errors="replace")) + "\n"


ZOLA = text_of(ROOT / "rules" / "zola.rules")
SHORT = [text_of(ROOT / "rules" / f"{name}.rules") for name in ("tictactoe", "zola", "hex", "kalah", "yoxii")]


@pytest.mark.parametrize("path", TEXTS, ids=lambda path: path.stem)
def test_the_parser_says_what_lark_says(path: Path) -> None:
    """The same trees, phrase by phrase and word by word, each in the same place; or the same mistake."""
    text = text_of(path)
    assert said(own.parser(), text) == said(plain(), text)


@pytest.mark.parametrize("path", [path for path in TEXTS if path.parent.name == "rules"], ids=lambda path: path.stem)
def test_the_tables_read_what_lark_reads(path: Path) -> None:
    """Lark itself is asked only where it finds a mistake."""
    tables = own.parser().tables
    assert tables
    try:
        expected = own.told(plain().parse(text_of(path)))
    except (UnexpectedInput, DedentError):
        expected = None
    assert own.told(tables.tree(text_of(path))) == expected


@pytest.mark.parametrize(
    "mistake",
    [
        "define d = 1 ? 2\n",  # no word begins so
        "define d = 1 2\n",  # a word that cannot stand there
        "effect e\n    f(1)\n  effect g\n    f(2)\n",  # a line in no column
        "effect e\nf(1)\n",  # no block
        "define d =",  # no end
        "",
    ],
)  # fmt: skip
def test_of_a_mistake_the_tables_say_nothing(mistake: str) -> None:
    tables = own.parser().tables
    assert tables
    assert tables.tree(mistake) is None or mistake == ""
    assert said(own.parser(), mistake) == said(plain(), mistake)


@pytest.mark.parametrize("seed", range(200))
def test_a_mistake_is_the_one_that_lark_finds(seed: int) -> None:
    """A text in which a stretch is missing, is there twice, or stands elsewhere."""
    chance = random.Random(seed)
    text = chance.choice(SHORT)
    first, last, to = sorted(chance.randrange(len(text)) for _ in range(3))
    last = min(last, first + 20)
    changed = chance.choice([text[:first] + text[last:], text[:to] + text[first:last] + text[to:]])
    assert said(own.parser(), changed) == said(plain(), changed)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr("platformdirs.user_cache_dir", lambda _name: str(tmp_path / "cache"))
    return tmp_path / "cache"


def test_the_parser_is_kept(folder: Path) -> None:
    """It is built when it is first needed, and when what was kept is damaged."""
    make = own.parser.__wrapped__
    first = said(make(), ZOLA)
    (file,) = folder.iterdir()
    kept = file.read_bytes()
    assert said(make(), ZOLA) == first
    assert file.read_bytes() == kept
    file.write_bytes(kept[:1000])
    assert said(make(), ZOLA) == first
    assert len(file.read_bytes()) > 1000


def unknown(made: Lark) -> Tables:
    raise AttributeError("parse_table")


def unlike(made: Lark) -> Tables:
    """Makes other trees, without a word."""
    tables = tables_of(made)
    tables.held = frozenset()
    return tables


@pytest.mark.parametrize("strange", [unknown, unlike])
def test_another_lark_serves_as_it_is(
    folder: Path, monkeypatch: pytest.MonkeyPatch, strange: Callable[[Lark], Tables]
) -> None:
    """The tables are found inside Lark, which another version may have otherwise."""
    monkeypatch.setattr(own, "tables_of", strange)
    for _ in range(2):  # built, and kept
        made = own.parser.__wrapped__()
        assert made.tables is None
        assert said(made, ZOLA) == said(plain(), ZOLA)


def test_without_a_folder_the_parser_is_built(folder: Path) -> None:
    folder.write_text("no folder")
    assert said(own.parser.__wrapped__(), ZOLA) == said(plain(), ZOLA)
