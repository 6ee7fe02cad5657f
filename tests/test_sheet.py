"""The rules of games in prose: what is on a sheet, and what never is."""

import json
import re
from pathlib import Path

import pytest

from pysolve import Game, load
from pysolve.authoring.sheet import Item, Sheet, sheet_of
from pysolve.authoring.sheet_text import lines, markdown
from pysolve.authoring.wording import joined, ordinal, sentence, title, words
from pysolve.runtime.paths import shipped_games
from pysolve.service import Service
from tests.games import each

SHEETS = Path(__file__).parent / "sheets"
CODE = re.compile(r"[{}_\\]|:=|!=|<=|>=|\bnot at\b|\w\(")  # of rules, never of prose

HOSTILE = """
game "<b>Tags</b> & *stars*"
  author "<script>alert(1)</script>"
  about "# no heading, [no link](javascript:alert(1)), no `code`"

players White, Black

board square 2 by 1

state
  at(cell): player or none

move place(to: cell) as "{to}"
  when at(to) = none else "<i>taken</i>"
  do at(to) := mover

stuck draw because "<img src=x onerror=alert(1)>"

show
  at: White "w" white disc, Black "b" black disc, none "."
"""


def text_of(sheet: Sheet) -> str:
    """The sheet as plain text."""
    return "".join(f"{' ' * line.indent}{line.text}".rstrip() + "\n" for line in lines(sheet))


def prose(sheet: Sheet) -> str:
    """All sentences of a sheet, without moves and boards, which have signs of their own."""
    drawn = {line.text for line in lines(sheet) if line.kind == "drawing"}
    notes = {item.note for section in sheet.sections for item in section.items if item.note}
    texts = (line.text for line in lines(sheet) if line.text not in drawn)
    found = "\n".join(texts)
    for note in notes:
        found = found.replace(f"({note})", "")
    return found


def items(sheet: Sheet, key: str) -> tuple[Item, ...]:
    """The items of a section."""
    return next((section.items for section in sheet.sections if section.key == key), ())


def game_of(name: str) -> Game:
    """A game that compiles nothing."""
    return load(name, engine="prolog")


# -------------------------------------------------------------------------------------------- whole sheets


@pytest.mark.parametrize("name", ["zola", "yoxii", "blockade-8x8"])
def test_the_sheet_of_a_game(name: str, update: bool) -> None:
    """`pytest --update` writes what is expected; read it as somebody who wants to play."""
    found, path = text_of(sheet_of(game_of(name))), SHEETS / f"{name}.txt"
    if update:
        path.write_text(found, encoding="utf-8")
    assert found == path.read_text(encoding="utf-8")


@pytest.mark.parametrize("name", each(shipped_games(), late=()))
def test_everything_is_on_the_sheet_and_no_code(name: str) -> None:
    game = game_of(name)
    sheet, model = sheet_of(game), game.model
    moves, endings = items(sheet, "moves"), items(sheet, "end")
    assert [item.name for item in moves] == [title(action.name) for action in model.actions]
    for item, action in zip(moves, model.actions, strict=True):
        assert item.note.startswith("written ")
        reasons = {demand.reason for demand in (*action.demands, *action.after) if demand.reason}
        assert {one.text.lower().rstrip(".") for one in item.answers} == {one.lower().rstrip(".") for one in reasons}
    assert len(endings) == len(model.endings) + (model.stuck is not None)
    for item, ending in zip(endings, model.endings, strict=False):
        said = " ".join(one.text for one in item.paragraphs).lower()
        assert not ending.is_told or ending.reason.lower().rstrip(".") in said
    assert [item.name for item in items(sheet, "options")] == [title(option.name) for option in model.options]
    assert [item.name for item in items(sheet, "levels")] == [title(level) for level in model.levels]
    assert not (code := CODE.search(prose(sheet))), prose(sheet)[max(0, code.start() - 60) : code.end() + 20]


# ------------------------------------------------------------------------------------------------- parts


def test_lines_are_those_of_the_rules() -> None:
    game = game_of("zola")
    capture = items(sheet_of(game), "moves")[1]
    text = Path(game.model.source).read_text(encoding="utf-8").split("\n")
    assert text[capture.line - 1].startswith("move capture")
    assert 'else "only an enemy can be captured"' in text[capture.answers[1].line - 1]


def test_what_a_variant_inherits_has_no_line_in_it() -> None:
    sheet = sheet_of(game_of("zola-blue-begins"))
    assert [item.line for item in items(sheet, "moves")] == [0, 0]
    assert "variant of Zola" in sheet.sections[0].paragraphs[0].text


PARAGRAPHS = """game "Rows"
  about "First."
  about "Second"
  about "line."
  about ""
  about "Third."

option size, rest = 3 in {3, 4}
  about "Both of them"

players White, Black
board square size by 1

state
  at(cell): player or none

move place(to: cell) as "{to}"
  about "Put a stone there,"
  about "and it stays"
  when at(to) = none
  do at(to) := mover

stuck draw
"""


def test_paragraphs_stand_where_they_belong() -> None:
    game = load(PARAGRAPHS, engine="prolog")
    sheet = sheet_of(game)
    assert [(one.text, one.line) for one in sheet.about] == [("First.", 2), ("Second line.", 3), ("Third.", 6)]
    assert game.model.about == {"about": "First."}  # what lists of games show
    (place,) = items(sheet, "moves")
    assert [one.text for one in place.paragraphs] == ["Put a stone there, and it stays."]
    assert not place.answers  # a demand without a reason says nothing
    both = [[one.text for one in item.paragraphs] for item in items(sheet, "options")]
    assert both == [["Both of them.", "It may also be 4."]] * 2
    assert len(game.start().legal_moves) == 3


@pytest.mark.parametrize(
    ("own", "told"),
    [
        ("", ["First.", "Second line.", "Third."]),
        ('about "Mine."', ["Mine.", "Second line.", "Third."]),
        ('about "Mine."\n  about "Mine, too."', ["Mine.", "Mine, too."]),
    ],
)
def test_a_variant_has_the_paragraphs_of_its_parent(tmp_path: Path, own: str, told: list[str]) -> None:
    (tmp_path / "rows.rules").write_text(PARAGRAPHS, encoding="utf-8")
    child = tmp_path / "child.rules"
    child.write_text(f'game "Child" extends "rows"\n  {own}\n\nreplace option size = 4 in {{3, 4}}\n', encoding="utf-8")
    sheet = sheet_of(load(child, engine="prolog"))
    assert [one.text for one in sheet.about] == told
    assert [one.text for one in items(sheet, "moves")[0].paragraphs] == ["Put a stone there, and it stays."]
    assert [one.text for one in items(sheet, "options")[0].paragraphs] == ["Both of them.", "It may also be 3."]
    assert "variant of Rows. It changes the option “size”." in sheet.sections[0].paragraphs[0].text


def test_options_change_what_is_said() -> None:
    assert "4 columns and 4 rows" in text_of(sheet_of(load("zola", engine="prolog", size=4)))


def test_texts_of_authors_are_text() -> None:
    sheet = sheet_of(load(HOSTILE, engine="prolog"))
    written = markdown(sheet)
    assert "<script>" not in written
    assert "\\<script\\>alert(1)\\</script\\>" in written
    assert "\\# no heading, \\[no link\\](javascript" in written
    assert "\n- \\<i\\>taken" in written
    assert "<script>alert(1)</script>" in text_of(sheet)


def test_a_page_asks_for_a_sheet() -> None:
    service = Service(engine="prolog")
    answer = service.answer("check", {"name": "mine", "text": HOSTILE.strip() + "\n", "options": {}})
    sheet = service.answer("sheet", {"game": answer["game"]["id"]})
    assert json.loads(json.dumps(sheet)) == sheet
    assert sheet["author"] == "<script>alert(1)</script>"  # the page makes text of it
    assert sheet["picture"].startswith("<svg")
    assert [section["key"] for section in sheet["sections"]] == [
        "players",
        "board",
        "beginning",
        "turn",
        "moves",
        "end",
    ]


# ------------------------------------------------------------------------------------------------- words


def test_names_become_words() -> None:
    assert [words("four_equal"), words("StrongTower"), title("buy_unit")] == ["four equal", "Strong tower", "Buy unit"]
    assert [words("NPC"), words("a1")] == ["NPC", "a1"]


def test_texts_become_sentences() -> None:
    assert [sentence("no wall is left"), sentence("Why?"), sentence("")] == ["no wall is left.", "Why?", ""]
    assert [joined(["a"]), joined(["a", "b", "c"], "or"), joined([])] == ["a", "a, b or c", ""]
    assert [ordinal(3), ordinal(12), ordinal(22), ordinal(111)] == ["third", "12th", "22nd", "111th"]
