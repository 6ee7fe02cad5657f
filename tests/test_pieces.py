"""A text that is read section by section says the same as one that is read as a whole, whatever was changed in it."""

import random
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from pysolve.dsl.errors import Report, RulesError, Source
from pysolve.dsl.text import pieces, syntax
from tests.games import EVERY, MAIN, RULES, each, fewer

EDITS = 24
WORD = re.compile(r"\w+")


def changed(text: str, chance: random.Random) -> str:
    """A text as somebody leaves it in the middle of writing."""
    at, lines = chance.randrange(len(text)), text.split("\n")
    row = chance.randrange(len(lines))
    match chance.randrange(8):
        case 0:
            return text[:at] + text[at + chance.randrange(1, 200) :]
        case 1:
            return text[:at] + chance.choice('()=,:#"x1 \n') + text[at:]
        case 2:
            return f"{text[:at]} {chance.choice(WORD.findall(text))} {text[at:]}"
        case 3:
            del lines[row]
        case 4:
            lines.insert(row, chance.choice(lines))
        case 5:
            lines[row] = f"  {lines[row]}"
        case 6:
            lines[row] = lines[row].lstrip()
        case _:
            lines.insert(row, chance.choice(["", "# note", "  # note", "or x", "  or x = 1"]))
    return "\n".join(lines)


def read(text: str) -> tuple[object, object]:
    """The syntax tree of a text and its mistakes, with all places; their source is compared by its name."""
    report, source = Report(), Source("changed", text)
    try:
        rules: object = syntax.read(source, report)
    except RulesError as error:
        rules = error.problems
    return rules, report.in_order()


def as_a_whole(text: str, _known: object = None) -> list[pieces.Piece]:
    return [(0, pieces.parsed(text))]


@pytest.mark.parametrize("path", each(RULES, quick=["zola"], late=EVERY - MAIN))
def test_sections_by_themselves_are_the_sections_of_the_text(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    chance, text = random.Random(path.stem), path.read_text(encoding="utf-8")
    texts = [text, *(changed(text, chance) for _ in range(fewer(EDITS)))]
    texts += [changed(text, chance) for text in texts]
    found = list(map(read, texts))
    with monkeypatch.context() as patch:
        patch.setattr(syntax, "pieces", as_a_whole)
        assert found == list(map(read, texts))


def test_only_the_section_that_changes_is_parsed_again(monkeypatch: pytest.MonkeyPatch) -> None:
    text = 'game "Two"\n\nplayers White, Black\n\nboard square 3 by 3\n\ndefine one = 1\n\ndefine two = 2\n'
    read(text)
    parsed: list[str] = []
    monkeypatch.setattr(pieces, "parsed", lambda text, parse=pieces.parsed: parsed.append(text) or parse(text))
    read(text.replace("= 1", "= 3"))
    assert [one.split("\n")[0] for one in parsed] == ["define one = 3"]
    parsed.clear()
    read(text.replace("= 1", "= 3 3"))
    assert not any("game" in one for one in parsed)


def test_the_trees_that_are_kept_have_a_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pieces, "MOST_KEPT", 1000)
    kept = pieces._Kept()
    for number in range(200):
        kept.piece(f"define number_{number} = {number}\n", is_last=True)
    assert sum(map(len, kept._pieces)) <= 1000
    assert kept.has_any(["define number_199 = 199\n"])


def parsed_characters(good: int, monkeypatch: pytest.MonkeyPatch) -> tuple[int, int]:
    """Of a text with mistakes in its last sections: its characters, and how many are parsed until it is read."""
    text = 'game "Two"\nplayers White, Black\nboard square 3 by 3\n'
    text += "".join(f"define number_{i} = {i} + {i} * 2\n" for i in range(good))
    text += "".join(f"define wrong_{i} = {i} {i}\n" for i in range(15))
    count = [0]

    def counting(text: str, parse: Callable[[str], object] = pieces.parsed) -> object:
        count[0] += len(text.strip("\n"))
        return parse(text)

    with monkeypatch.context() as patch:
        patch.setattr(pieces, "parsed", counting)
        patch.setattr(syntax, "parsed", counting)
        pieces.forget()
        problems = read(text)[1]
    assert len(problems) == 15  # type: ignore[arg-type]
    return len(text), count[0]


@pytest.mark.parametrize("kept", [pieces.MOST_KEPT, 500])
def test_what_stands_above_mistakes_is_not_parsed_again_for_each(kept: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Once as a whole, once section by section; also where that are more characters than are kept."""
    monkeypatch.setattr(pieces, "MOST_KEPT", kept)
    (short, once), (long, twice) = (parsed_characters(good, monkeypatch) for good in (60, 120))
    assert twice - once <= 3 * (long - short)
    assert twice <= 2.5 * once
