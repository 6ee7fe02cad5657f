"""The parser that is kept reads a text as one that was just built: the same tree, or the same mistake."""

from pathlib import Path

import pytest
from lark import Lark, Token, Tree, UnexpectedInput, UnexpectedToken

from pysolve.dsl.text import parser as own
from pysolve.dsl.text.lines import lay_out

RULES = Path(__file__).parent.parent / "rules"


def text_of(name: str) -> str:
    return lay_out((RULES / f"{name}.rules").read_text(encoding="utf-8")) + "\n"


ZOLA = text_of("zola")
MISTAKES = [ZOLA[:500], ZOLA.replace("move", "moves", 1), ZOLA + "define d = 1 ? 2\n", "define d =", ""]


def said(parser: Lark, text: str) -> object:
    """The tree of a text with all places; or where it cannot be read, and what could stand there."""
    try:
        return placed(parser.parse(text))
    except UnexpectedInput as error:
        wanted = error.accepts or error.expected if isinstance(error, UnexpectedToken) else error.allowed
        return type(error), error.line, error.column, frozenset(wanted or ())


def placed(tree: Tree[Token] | Token | None) -> object:
    if tree is None:  # an optional part that is not there
        return None
    at = tree.meta if isinstance(tree, Tree) else tree
    place = [getattr(at, name, None) for name in ("line", "column", "end_line", "end_column")]
    if isinstance(tree, Tree):
        return tree.data, place, [placed(part) for part in tree.children]
    return tree.type, str(tree), place


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr("platformdirs.user_cache_dir", lambda _name: str(tmp_path / "cache"))
    return tmp_path / "cache"


@pytest.mark.slow
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


@pytest.mark.slow
def test_a_kept_parser_reads_as_a_new_one(folder: Path) -> None:
    make = own.parser.__wrapped__
    built, kept = make(), make()
    for text in (text_of("chess"), text_of("antiyomacy"), *MISTAKES):
        assert said(built, text) == said(kept, text)
    assert all(isinstance(said(kept, text), tuple) for text in MISTAKES)


@pytest.mark.slow
def test_without_a_folder_the_parser_is_built(folder: Path) -> None:
    folder.write_text("no folder")
    assert said(own.parser.__wrapped__(), ZOLA) == said(own.built(), ZOLA)
