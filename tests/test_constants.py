"""Numbers that Python shares with C, Prolog and the page stand once; here is what must hold between them and others."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path

import pytest

from pysolve.dsl.language import constants
from pysolve.dsl.to_c.runtime import for_players
from pysolve.engines import searches
from pysolve.search import searcher

ROOT = Path(__file__).parent.parent
C = [path.read_text(encoding="utf-8") for path in (ROOT / "dsl" / "to_c").rglob("*.c")]
NAMES = {name for name in vars(constants) if re.fullmatch("[A-Z][A-Z_]+", name)}
NAMED_IN_C = r"^\s*#define (\w+)|\benum \{([^}]*)\}"


@pytest.mark.parametrize("players", [2, 3])
def test_c_has_no_number_of_its_own_by_a_shared_name(players: int) -> None:
    for text in (for_players(source, players) for source in C):
        for defined, listed in re.findall(NAMED_IN_C, text, re.MULTILINE):
            assert not NAMES & {defined, *(part.split("=")[0].strip() for part in listed.split(","))}


def test_a_program_in_c_begins_with_the_numbers() -> None:
    assert {
        "#define STOPPED (-3)",
        "#define UNSOUND_VALUE (-9223372036854775807LL - 1)",
        "#define MIX 0xbf58476d1ce4e5b9ULL",
    } <= set(constants.in_c().splitlines())


def test_the_page_has_the_numbers_of_python() -> None:
    spec = importlib.util.spec_from_file_location("page_constants", ROOT / "web" / "constants.py")
    assert spec is not None
    assert spec.loader is not None
    writer = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(writer)
    assert writer.TARGET.read_text(encoding="utf-8") == writer.content(), "run  python web/constants.py"


@pytest.mark.parametrize("name", ["SETTINGS", "FOUND"])
def test_words_of_a_search_stand_in_the_same_order_in_c(name: str) -> None:
    words: tuple[str, ...] = getattr(searches, name)
    text = re.sub(r"/\*.*?\*/", "", "".join(C), flags=re.DOTALL)
    (block,) = re.findall(rf"typedef struct \{{([^{{}}]*)\}} {name.capitalize()};", text)
    listed = re.findall(r"\w+", re.sub(r"\bI\b", "", block.partition("#")[0]))
    assert tuple(listed) == words


def test_bounds_that_depend_on_each_other() -> None:
    (tag_shift,) = re.findall(r"#define TAG_SHIFT (\d+)", "".join(C))
    assert 1 << int(tag_shift) > searcher.MARKS  # the number of a mark fits below its tag
    assert constants.NOTHING < -(constants.WIN + constants.DEEPEST)
