"""What every name means, as editors learn it: in all games, and in texts with mistakes."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from pysolve import dsl
from pysolve.dsl import RulesError, Source, UnknownOption, parent_finder
from pysolve.dsl.check.meanings import Meaning, Meanings, Mention, Understanding
from pysolve.dsl.errors import Report
from pysolve.dsl.text import nodes
from pysolve.dsl.text.syntax import read
from tests.games import FOLDERS, RULES, each, slow_but
from tests.mutations import mutated
from tests.test_errors import ERRORS, HERE

FIND = parent_finder((*FOLDERS, HERE / "errors"))
SHORT = """\
game "Short"
option size = 3 in 2..9
players White, Black
board square size by size
type piece = Man, King
state
  at(cell): player or none
  step: first_half, second_half
define top = edge(north)
define lonely(c: cell) = no n in neighbours(c) has at(n) = mover
define beside(a, b: cell) = b in neighbours(a)
define group(c: cell) = reach from c by beside
effect fill(c: cell)
  at(c) := mover
move place(to: cell) as "on {to}"
  when
    let around = count n in group(to) where lonely(n)
    at(to) = none
    around > size
    step = first_half
  do
    fill(to)
stuck draw
"""


def understood(text: str, name: str = "test.rules") -> Understanding:
    return dsl.understand(Source(name, text), FIND, {})


def own(meanings: Meanings, name: str = "test.rules") -> list[tuple[Mention, Meaning]]:
    """The mentions in a text, without those in its parents."""
    return [(one, meanings.names[one.meaning]) for one in meanings.mentions if one.span.source.name == name]


def at(text: str, words: str, name: str) -> Meaning:
    """What a name means in the first place where these words stand."""
    before = text[: text.index(words) + words.index(name)]
    line, column = before.count("\n") + 1, len(before.rpartition("\n")[2]) + 1
    return next(meaning for one, meaning in own(understood(text).meanings)
                if (one.span.line, one.span.column) == (line, column))  # fmt: skip


@pytest.mark.parametrize(
    ("words", "name", "kind", "type", "head"),
    [
        ("at(n) = mover", "at", "state", "player or none", "at(cell): player or none"),
        ("at(n) = mover", "n", "variable", "cell", "n in neighbours(c)"),
        ("at(n) = mover", "mover", "given", "player", "mover"),
        ("neighbours(c)", "neighbours", "given", "set of cell", "neighbours(cell)"),
        ("neighbours(c)", "c", "variable", "cell", "c: cell"),
        ("by beside", "beside", "definition", "condition", "define beside(a, b: cell) = b in neighbours(a)"),
        ("group(to)", "group", "definition", "set of cell", "define group(c: cell) = reach from c by beside"),
        ("around > size", "around", "variable", "0..9", "let around = count n in group(to) where lonely(n)"),
        ("around > size", "size", "option", "2..9", "option size = 3 in 2..9"),
        ("on {to}", "to", "variable", "cell", "to: cell"),
        ("step = first_half", "first_half", "value", "step", "first_half"),
        ("fill(to)", "fill", "effect", "", "effect fill(c: cell)"),
        ("top = edge", "top", "definition", "set of cell", "define top = edge(north)"),
    ],
)
def test_what_names_mean(words: str, name: str, kind: str, type: str, head: str) -> None:
    meaning = at(SHORT, words, name)
    assert (meaning.kind, meaning.type, meaning.head) == (kind, type, head)
    assert (meaning.place is None) == (kind == "given")


def test_constants_have_values() -> None:
    assert at(SHORT, "top = edge", "top").value == "{a3, b3, c3}"
    assert at(SHORT, "around > size", "size").value == "3"
    assert at(SHORT, "lonely(n)", "lonely").value == ""


def test_parameters() -> None:
    assert at(SHORT, "lonely(n)", "lonely").params == ("c: cell",)
    assert at(SHORT, "at(n) = mover", "at").params == ("cell",)
    assert at(SHORT, "neighbours(c)", "neighbours").params == ("cell",)


def test_a_value_may_have_the_name_of_a_function() -> None:
    text = SHORT.replace("Man, King", "row, King") + "define straight = row\ndefine low(c: cell) = row(c) = 1\n"
    values = [meaning.kind for one, meaning in own(understood(text).meanings) if meaning.name == "row"]
    assert values == ["value", "value", "given"]


def test_types_that_are_not_written() -> None:
    lines, meanings = SHORT.split("\n"), understood(SHORT).meanings
    found = {f"{lines[at.line - 1][: at.column - 1]}: {meanings.names[number].type}" for at, number in meanings.untyped}
    assert found == {
        "define top: set of cell",
        "define lonely(c: cell): condition",
        "define lonely(c: cell) = no n: cell",
        "define beside(a, b: cell): condition",
        "define group(c: cell): set of cell",
        "    let around: 0..9",
        "    let around = count n: cell",
    }


def test_a_name_that_comes_behind_a_mistake_is_known() -> None:
    text = SHORT.replace("at(to) = none", "at(from) = none and lonely(to)")
    assert [str(one.message) for one in understood(text).problems] == ['there is no "from"']
    assert at(text, "and lonely(to)", "lonely").kind == "definition"
    assert at(text, "and lonely(to)", "to").head == "to: cell"


def test_a_mistake_in_the_state_does_not_hide_the_moves() -> None:
    text = SHORT.replace("step: first_half, second_half", "step: 1..2..3\n  at: 0..1\n  stage: bord")
    assert at(text, "around > size", "around").head == "let around = count n in group(to) where lonely(n)"
    text = SHORT.replace("step: first_half, second_half", "step: bord")
    assert at(text, "around > size", "around").type == "0..9"


def test_a_sentence_that_cannot_be_read_hides_nothing_else() -> None:
    text = SHORT.replace("define beside", "define )\ndefine beside").replace("around > size", "around >")
    found = understood(text)
    assert len(found.problems) == 2
    assert at(text, "by beside", "beside").type == "condition"


def test_names_of_a_parent() -> None:
    text = 'game "Wider" extends "zola"\n\nreplace option size = 8 in {8}\n\nremove define range\n'
    found = own(understood(text).meanings)
    assert ("option", "size", "test.rules") in {
        (meaning.kind, meaning.name, meaning.place and meaning.place.source.name) for _, meaning in found
    }
    assert ("removed", "range") in {(meaning.kind, meaning.name) for _, meaning in found}
    inherited = [meaning for meaning in understood(text).meanings.names if meaning.kind == "state"]
    assert all(meaning.place is not None and meaning.place.source.name.endswith("zola.rules") for meaning in inherited)


@pytest.mark.parametrize("path", each(RULES))
def test_every_name_of_a_game_is_known(path: Path) -> None:
    source = Source(path.name, path.read_text(encoding="utf-8"))
    found = understood(source.text, path.name)
    assert found.game is not None
    known = {(one.span.line, one.span.column): one for one, _ in own(found.meanings, path.name)}
    for one, meaning in own(found.meanings, path.name):
        assert one.span.text == meaning.name
        assert meaning.kind != "variable" or meaning.type, meaning
    names = {(span.line, span.column): name for span, name in _names(read(source, Report()).sections)}
    assert {names[place] for place in names.keys() - known.keys()} == set()


def _names(node: object) -> Iterator[tuple[dsl.errors.Span, str]]:
    """All names in the syntax that mean something to the game: no looks, and no cells that a board lists."""
    match node:
        case tuple():
            for part in node:
                yield from _names(part)
        case nodes.ShowCase():
            yield from _names(node.values)
        case nodes.Mark() | nodes.Rename() | nodes.Icon() | nodes.Ground() | nodes.Under():
            pass
        case nodes.Board():
            yield from _names(node.sizes)
        case nodes.Node():
            if isinstance(node, (nodes.Name, nodes.Call, nodes.NamedType, nodes.Param)):
                yield node.span, node.name
            for field in type(node).__slots__:
                yield from _names(getattr(node, field))


def same_problems(text: str, name: str) -> None:
    """Whoever understands a text finds the mistakes that whoever reads it finds; and names are where they are said."""
    source = Source(name, text)
    try:
        wrong = _problems(dsl.read_source, source)
    except UnknownOption:
        return
    try:
        found = dsl.understand(source, FIND, {})
    except RulesError:  # nothing of it can be read
        assert _problems(dsl.understand, source) == wrong
        return
    assert found.problems == wrong
    assert (found.game is None) == bool(wrong)
    for one, meaning in own(found.meanings, name):
        assert one.span.text == meaning.name


def _problems(read: Callable[[Source, dsl.Find, dict[str, object]], object], source: Source) -> tuple[dsl.Problem, ...]:
    """What reading a source raises."""
    try:
        read(source, FIND, {})
    except RulesError as error:
        return error.problems
    return ()


@pytest.mark.parametrize("path", slow_but(ERRORS[::8], ERRORS), ids=lambda path: path.stem)
def test_texts_with_mistakes(path: Path) -> None:
    same_problems(path.read_text(encoding="utf-8"), path.name)


@pytest.mark.parametrize("number", slow_but((0, 2, 3, 5), range(60)))
def test_damaged_texts(number: int) -> None:
    same_problems(mutated(number).decode("utf-8", "replace").replace("\r\n", "\n"), "test.rules")
