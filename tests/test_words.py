"""The words of the language for editors: read off the grammar, explained by the manual, and up to date for the page."""

import importlib.util
import re
from pathlib import Path
from types import ModuleType

import pytest

from pysolve.dsl import words
from pysolve.dsl.text import hints
from pysolve.dsl.text.parser import grammar

ROOT = Path(__file__).parent.parent
MANUAL = (ROOT / "docs" / "manual.md").read_text(encoding="utf-8")
GROUPS = words.words()


@pytest.fixture(scope="module")
def for_the_page() -> ModuleType:
    """web/words.py, which lies in no package."""
    spec = importlib.util.spec_from_file_location("page_words", ROOT / "web" / "words.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.slow
def test_the_page_has_the_words_of_this_grammar_and_manual(for_the_page: ModuleType) -> None:
    for target, content in ((for_the_page.TARGET, "content"), (for_the_page.PAGE, "colours")):
        assert target.read_text(encoding="utf-8") == getattr(for_the_page, content)(), "run  python web/words.py"


def test_sections_and_lines_of_examples_are_those_that_messages_name() -> None:
    assert set(GROUPS["sections"]) == set(hints.SECTIONS)
    assert set(GROUPS["example"]) == set(hints.EXAMPLE_LINES)


def test_each_word_of_the_grammar_is_found_and_nothing_else() -> None:
    text = re.sub(r"^//.*", "", grammar(), flags=re.MULTILINE)
    quoted = set(re.findall(r'"([a-z]+)"', text)) | set(GROUPS["kinds"])
    phrases = set(re.findall(r"^_?[A-Z]+\.10: /([a-z]+)\(\?=", text, re.MULTILINE))
    assert set(GROUPS["all"]) == quoted | phrases


def test_words_are_in_the_group_of_their_place() -> None:
    assert GROUPS["boards"] == ["square", "cylinder", "torus", "hex", "graph"]
    assert GROUPS["hexagons"] == ["hexagon", "rhombus", "triangle", "star"]
    assert GROUPS["move"] == ["when", "do", "then", "after", "prefer"]
    assert "reach" in GROUPS["values"]
    assert "wins" not in GROUPS["expressions"]
    assert GROUPS["signs"][0] == "!="


def test_the_manual_explains_each_section_statement_function_and_type(for_the_page: ModuleType) -> None:
    explained = for_the_page.explained(MANUAL)
    wanted = ("sections", "header", "boards", "hexagons", "board", "move", "statements", "example", "types", "names")
    words_wanted = {word for group in wanted for word in GROUPS[group]} | set(GROUPS["functions"])
    assert words_wanted <= set(explained)
    assert explained["table"] == "A table gives constants to each value of a type."
    assert explained["example moves"] == "`moves 12`: the number of legal moves"
    assert explained["square"] == "`board square W by H` gives the width, then the height."
    assert explained["shape"] == "A `shape` leaves cells out."


def test_a_sentence_that_the_manual_has_lost_is_an_error(for_the_page: ModuleType) -> None:
    without = MANUAL.replace("`type` declares", "A type declares")
    with pytest.raises(LookupError, match='0 sentences of the manual say "`type` declares", of "type"; expected one'):
        for_the_page.explained(without)
