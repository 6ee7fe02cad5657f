"""Texts read by the tables of the grammar, against the trees that lark makes of the same texts."""

from pathlib import Path
from typing import Any

import lark
import pytest

from dsl import reader, syntax
from dsl.errors import Report, Source, Span
from dsl.layout import lay_out
from dsl.reader import Token
from dsl.syntax import _ToSyntax
from pysolve.files import shipped_games
from pysolve.game import find_source


def by_lark(text: str, source: Source, builder: _ToSyntax) -> Any:
    """What the builder makes of lark's tree."""

    def span(place: Any) -> Span | None:
        if not hasattr(place, "line"):
            return None
        return Span(source, place.line, place.column, place.end_line, place.end_column)

    def made(part: Any) -> Any:
        if isinstance(part, lark.Tree):
            return getattr(builder, part.data)(span(part.meta), *map(made, part.children))
        if part is None:
            return None
        token = Token(part)
        token.kind, token.span = part.type, span(part)  # type: ignore[assignment]
        return token

    return made(reader.lark_parser().parse(text))


@pytest.mark.parametrize("name", sorted(shipped_games()))
def test_a_text_is_read_as_lark_reads_it(name: str) -> None:
    source, _ = find_source(name)
    text = lay_out(source.text) + "\n"
    own, other = Report(), Report()
    assert reader.read(text, source, _ToSyntax(source, own)) == by_lark(text, source, _ToSyntax(source, other))
    assert own == other


WRONG = ["players A", "move m\n  when x == 1\n", "move m\n   when x = 1\n  do again\n", 'game "a" "b"\n', "\x00\n"]


@pytest.mark.parametrize("text", ["", "\n", *WRONG])
def test_where_lark_stops_nothing_is_read(text: str) -> None:
    source = Source("rules", text)
    found = reader.read(text, source, _ToSyntax(source, Report()))
    if not text.strip():
        assert found == by_lark(text, source, _ToSyntax(source, Report())) == ()
        return
    assert found is None
    with pytest.raises(lark.exceptions.LarkError):
        reader.lark_parser().parse(text)


def test_a_word_may_touch_the_next() -> None:
    text = "players A,B\nsetup\n  at(1):=none\ndefine f(x:cell)=if x=1then 2else 3\n"
    source = Source("rules", text)
    assert reader.read(text, source, _ToSyntax(source, Report())) == by_lark(text, source, _ToSyntax(source, Report()))


def test_tables_are_kept_and_made_anew_where_damaged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kept = tmp_path / "grammar.tables"
    monkeypatch.setattr(reader, "cache_file", lambda ending: kept if ending == ".tables" else None)
    make = reader.tables.__wrapped__
    made = make()
    assert kept.read_bytes()
    assert make() == made == reader.tables()
    for damaged in (b"", b"nonsense", kept.read_bytes()[:1000]):
        kept.write_bytes(damaged)
        assert make() == made
    monkeypatch.setattr(reader, "cache_file", lambda ending: None)
    assert make() == made


def test_reading_needs_no_lark_once_the_tables_are_there(monkeypatch: pytest.MonkeyPatch) -> None:
    reader.tables()
    monkeypatch.setattr(reader, "lark_parser", None)
    monkeypatch.setattr(syntax, "lark_parser", None)
    source, _ = find_source("zola")
    assert syntax.parse(source).sections
