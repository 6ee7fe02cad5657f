"""What editors show, without an editor: colours, an outline, and knowledge of a text that has changed since."""

import random
import tomllib
from collections.abc import Sequence
from pathlib import Path

import pytest
from pygments import token as t
from pygments.lexers import load_lexer_from_file
from pygments.token import _TokenType

from pysolve import dsl
from pysolve.dsl import parent_finder
from pysolve.dsl.errors import Source
from pysolve.ide.calls import Call, call_around
from pysolve.ide.colours import colours
from pysolve.ide.completion import offered
from pysolve.ide.explaining import explanation, signature_at
from pysolve.ide.knowledge import Knowledge, View
from pysolve.ide.lexer import LOOKS, RulesLexer
from pysolve.ide.moves import moves_wanted
from pysolve.ide.outline import examples, folds, outline
from pysolve.ide.reading import reading_at, readings
from pysolve.ide.tokens import KINDS, tokens
from pysolve.ide.understanding import meanings
from tests.games import FOLDERS, RULES
from tests.mutations import mutated

ROOT = Path(__file__).parent.parent


def kinds(text: str) -> list[tuple[str, str]]:
    """The words of a text and what they are."""
    lines = text.split("\n")
    return [(line[one.start : one.end], one.kind) for line, found in zip(lines, tokens(lines), strict=True)
            for one in found]  # fmt: skip


def known(text: str, now: str | None = None) -> View:
    """What is known of a text, seen from another one."""
    found = dsl.understand(Source("x", text), parent_finder(FOLDERS), {})
    answer = {**meanings(found, lambda span: span.source.name), "parent": ""}
    return View(Knowledge.read("x", text, answer), (text if now is None else now).split("\n"))


@pytest.mark.parametrize(
    ("text", "word", "kind"),
    [
        ("define lonely(c: cell) = true", "define", "heading"),
        ("define lonely(c: cell) = true", "lonely", "declared"),
        ("define lonely(c: cell) = true", "cell", "kind"),
        ("define x = first c: cell where true", "first", "keyword"),
        ("define x = first + 1", "first", "name"),
        ("define x = column(a1) # one", "column", "given"),
        ("define x = column(a1) # one", "# one", "comment"),
        ('show\n  at: White "w" white disc', "white", "look"),
        ("define x = white", "white", "name"),
        ("setup\n  position\n    # . #\nstuck draw", "#", "drawing"),
        ("setup\n  position\n    # . #\nstuck draw", "stuck", "heading"),
        ('example "x"\n  play a1-a2, b 2 because', "a1-a2", "move"),
        ('example "x"\n  play a1-a2, b 2 because', "b 2", "move"),
        ('example "x"\n  illegal a1 because "x"', "because", "keyword"),
        ("end\n  draw when turns >= 3", "turns", "given"),
        ("end\n  draw when turns >= 3", "3", "number"),
        ("stuck mover loses", "loses", "keyword"),
        ("replace board hex rhombus 3 by 4", "rhombus", "keyword"),
        ('game "A" extends "b"', "extends", "keyword"),
        ('option size = 3\n  about "cells"', "about", "keyword"),
        ('move go\n  about "far"', "about", "keyword"),
        ("state\n  about(cell): bool", "about", "name"),
    ],
)
def test_colours(text: str, word: str, kind: str) -> None:
    assert (word, kind) in kinds(text)


def test_every_kind_of_token_has_a_look() -> None:
    assert set(LOOKS) == set(KINDS)


@pytest.mark.parametrize("number", range(20))
def test_the_lexer_loses_nothing(number: int) -> None:
    text = mutated(number).decode("utf-8", "replace")
    found = list(RulesLexer().get_tokens_unprocessed(text))
    assert "".join(value for _, _, value in found) == text
    assert all(text[at : at + len(value)] == value for at, _, value in found)


def test_pygments_finds_the_lexer() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    (place,) = project["entry-points"]["pygments.lexers"].values()
    assert place == f"{RulesLexer.__module__}:{RulesLexer.__name__}"
    lexer = load_lexer_from_file(str(ROOT / "pysolve" / "ide" / "lexer.py"), "RulesLexer")
    assert lexer.name == RulesLexer.name
    words: dict[str, _TokenType] = {value: kind for kind, value in RulesLexer().get_tokens("players White, Black")}
    assert words["players"] is t.Keyword.Declaration
    assert RulesLexer.analyse_text((ROOT / "rules" / "zola.rules").read_text(encoding="utf-8")) > 0.5
    assert RulesLexer.analyse_text("some rules of a router\n") == 0


@pytest.mark.parametrize("path", RULES, ids=lambda path: path.stem)
def test_the_outline_has_all_sections(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    lines = text.split("\n")
    found = outline(lines)
    assert [part.first for part in found] == [number for number, line in enumerate(lines) if line[:1].isalpha()]
    for one in (*found, *(inner for part in found for inner in part.parts)):
        assert lines[one.first][one.start : one.end] in (one.name or one.word, one.word, "replace", "remove", "extend")
    assert len(examples(lines)) == sum(line.startswith("example ") for line in lines)


def test_folds() -> None:
    text = "# one\n# two\nstate\n  a: bool\n  b: bool\n\nmove x\n  do\n    a := true\n\n# three\nstuck draw"
    lines = text.split("\n")
    assert sorted(folds(lines)) == [(0, 1, True), (2, 4, False), (6, 8, False), (7, 8, False)]


@pytest.mark.parametrize(
    ("text", "call"),
    [
        ("define x = f(|", Call("f", 0)),
        ("define x = f(a, g(b), |", Call("f", 2)),
        ("define x = f(a, g(|", Call("g", 0)),
        ("define x = f(a) + |", None),
        ("define x = f({a, b}, |", Call("f", 1)),
        ("define x = (a + |", None),
        ('define x = f("(", |', Call("f", 1)),
        ("define x = f(a,  # (\n  |", Call("f", 1)),
        ("define x = f(a\ndefine y = |", None),
    ],
)
def test_the_call_around_a_place(text: str, call: Call | None) -> None:
    before = text.partition("|")[0].split("\n")
    assert call_around(before, len(before) - 1, len(before[-1])) == call


def test_lines_that_stay_keep_their_meaning() -> None:
    text = (ROOT / "rules" / "zola.rules").read_text(encoding="utf-8")
    lines = text.split("\n")
    number = next(i for i, line in enumerate(lines) if "distance(to) > distance(from)" in line)
    changed = [*lines[:3], "", "# new", *lines[3:number], lines[number] + " ", *lines[number + 1 :]]
    view = known(text, "\n".join(changed))
    for words in ("distance(to) > distance(from)", "at(to) = none", "size - 1"):
        line = next(i for i, one in enumerate(view.lines) if words in one)
        found = view.at(line, view.lines[line].index(words) + 1)
        assert found is not None
        assert found[1].kind in ("definition", "state", "option")
        assert found[1].place is not None
        assert view.here(found[1].place) is not None
    assert view.then(4) is None
    assert view.then(number + 1) == number - 1
    assert view.now(number - 1) == number + 1
    assert view.now(number) is None


def test_a_variable_is_known_where_it_is_in_scope() -> None:
    text = (
        'game "A"\nplayers W, B\nboard square 3 by 3\nstate\n  at(cell): player or none\n'
        "define f(c: cell) = (some x in neighbours(c) has at(x) = W) and at(c) = none\nstuck draw\nmove m\n"
    )
    view, line = known(text), text.split("\n")[5]
    inside, behind = line.index("at(x)"), line.index("at(c)")
    assert {one.name for one in view.variables(5, inside)} == {"c", "x"}
    assert {one.name for one in view.variables(5, behind)} == {"c"}
    assert list(view.variables(6, 3)) == []
    written = known(text, text.replace("at(x) = W) and", "at(x) = W and "))
    assert {one.name for one in written.variables(5, inside)} == {"c", "x"}


@pytest.mark.parametrize("number", range(15))
def test_any_place_of_any_text_can_be_asked_about(number: int) -> None:
    """Of a damaged text, from what is known of the text that it was."""
    dice = random.Random(number)
    path = RULES[number % len(RULES)]
    old = path.read_text(encoding="utf-8")
    new = mutated(number).decode("utf-8", "replace").replace("\r\n", "\n")
    view = known(old, new)
    for line in dice.sample(range(len(view.lines)), min(25, len(view.lines))):
        column = dice.randint(0, len(view.lines[line]))
        offered(view, line, column)
        explanation(view, line, column)
        signature_at(view, line, column)
        moves_wanted(view.lines, line, column)
        view.at(line, column)
    outline(view.lines)
    list(colours(view))
    list(folds(view.lines))


@pytest.mark.parametrize(
    ("text", "labels"),
    [
        ("move rest\n  |", "when do then after prefer"),
        ("board |", "square cylinder torus hex graph"),
        ("board hex |", "hexagon rhombus triangle star"),
        ("state\n  hand(player): bool |", "seen or"),
        ("state\n  hand(player): bool seen |", "by"),
        ('move take as "take" |', "seen"),
        ('move take as "take" seen |', "as"),
        ("remove |", "option type table state define effect move chance level mark tell"),
        ('example "x"\n  illegal a1 |', ""),
    ],
)
def test_only_what_fits_is_offered(text: str, labels: str) -> None:
    lines = text.replace("|", "").split("\n")
    found = {one.label for one in offered(View(Knowledge(), lines), len(lines) - 1, len(lines[-1]))}
    assert found == set(labels.split())


def test_who_sees_a_state_is_offered() -> None:
    found = [one.label for one in offered(View(Knowledge(), ["state", "  hand(player): bool seen by "]), 1, 29)]
    assert {"nobody", "all", "mover"} <= set(found)


def test_what_extends_a_move_is_offered_its_parameters() -> None:
    """Of the parent, and only where something is extended."""
    text = 'game "V" extends "zola"\n\nextend move retreat\n  when to != a1\n\nextend end draw when turns >= 9\n'
    for now, labels, left_out in [
        ("extend ", {"move", "table", "end"}, {"define", "stuck"}),
        ("extend move ", {"retreat", "capture"}, {"size"}),
        ("extend move retreat\n  when fr", {"from", "to"}, set()),
        ("extend end mover wins when ", {"size"}, {"variable"}),
    ]:
        lines = f"{text}\n{now}".split("\n")
        offers = offered(known(text, f"{text}\n{now}"), len(lines) - 1, len(lines[-1]))
        found = {one.label for one in offers} | {one.kind for one in offers}
        assert labels <= found, now
        assert not left_out & found, now


def test_how_lines_are_read() -> None:
    lines: Sequence[str] = ['example "x"', "  position White", "    # .", "  # comment", "  play a1,", "    b2", ""]
    found = list(readings(lines))
    assert found[2].draws(lines[2])
    assert not found[4].draws(lines[4])
    assert found[5].lists_moves
    assert reading_at(lines, 5) == found[5]
