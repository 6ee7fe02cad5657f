"""Numbers that stand in Python and in C are the same: codes of answers, and what both forms of a search go by."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from pysolve.dsl.to_c import effects
from pysolve.dsl.to_c.runtime import for_players
from pysolve.engines import bindings, buffers, build, solver
from pysolve.search import mcts, minimax, proof_number, retrograde

SOURCES = [path.read_text(encoding="utf-8") for path in (Path(__file__).parent.parent / "dsl" / "to_c").rglob("*.c")]

# The name in C, and the number in Python.
SHARED = [
    ("ABI", build.ABI),
    ("NO_ROOM", bindings.NO_ROOM),
    ("MISTAKE", bindings.MISTAKE),
    ("STOPPED", bindings.STOPPED),
    ("ENDLESS", bindings.ENDLESS),
    ("UNSOUND", bindings.UNSOUND),
    ("UNSOUND_VALUE", bindings.UNSOUND_VALUE),
    ("CUT_BY_STEPS", bindings.CUT_BY_STEPS),
    ("UNKNOWN", bindings.UNKNOWN),
    ("POSITIONS_ARE_FULL", buffers.POSITIONS_FULL),
    ("SEQUENCES_ARE_FULL", buffers.POSITIONS_FULL),
    ("POSITIONS_FULL", solver.POSITIONS_FULL),
    ("EDGES_FULL", solver.EDGES_FULL),
    ("MOVES_FULL", solver.MOVES_FULL),
    ("TABLE_FULL", solver.TABLE_FULL),
    ("WAY_FULL", solver.WAY_FULL),
    ("REPLIES_FULL", solver.REPLIES_FULL),
    ("GOES_ON", retrograde.GOES_ON),
    ("INFINITE", proof_number.INFINITE),
    ("SLACK", proof_number.SLACK),
    ("WIN", minimax.WIN),
    ("BACK", minimax.BACK),
    ("NOTHING", minimax.NOTHING),
    ("BEYOND", minimax.BEYOND),
    ("EXACT", minimax.EXACT),
    ("LOWER", minimax.LOWER),
    ("UPPER", minimax.UPPER),
    ("ONE", mcts.ONE),
    ("FINE", mcts.FINE),
    ("DEEPEST", minimax.DEEPEST),
    ("TREE_DEEPEST", mcts.DEEPEST),
    ("GAME_LONGEST", mcts.LONGEST),
]


def constants(players: int = 3) -> dict[str, int]:
    """All numbers that have names in the C: those of each `enum`, and those that are defined as numbers."""
    found: dict[str, int] = {}
    for text in (for_players(source, players) for source in SOURCES):
        named = [part for inside in re.findall(r"enum \{([^}]*)\}", text) for part in inside.split(",") if "=" in part]
        named += map(" = ".join, re.findall(r"^#define ([A-Z_]+) (\(?-?\d.*?)(?: /\*.*)?$", text, re.MULTILINE))
        for name, value in (part.split("=") for part in named):
            try:
                number = eval(re.sub(r"(?<=[\da-f])(LL|ULL|U)\b", "", value), {"__builtins__": {}}, found)
            except NameError:
                continue  # made of what is known only where a game is printed
            assert found.setdefault(name.strip(), number) == number, f"two numbers have the name {name} in C"
    return found


@pytest.mark.parametrize(("name", "number"), SHARED, ids=[name for name, _ in SHARED])
def test_a_number_is_the_same_in_python_and_in_c(name: str, number: int) -> None:
    assert constants()[name] == number


def test_for_two_players_only_the_bound_of_values_is_another() -> None:
    """It is the number of the games of two players that there have always been, and lies below all their values."""
    two, three = constants(2), constants(3)
    assert {name for name in two if name in three and two[name] != three[name]} == {"NOTHING"}
    assert two["NOTHING"] < -(minimax.WIN + minimax.DEEPEST)


def test_numbers_made_of_others_are_the_same_in_python_and_in_c() -> None:
    assert 1 << constants()["COUNTED"] == mcts.EXACT
    assert 1 << constants()["TAG_SHIFT"] > minimax.MARKS  # the number of a mark fits below its tag
    assert f"(MOVE_BITS <= {minimax.HISTORY_BITS})" in "".join(SOURCES)


def test_what_goes_wrong_in_an_effect_has_the_same_number_where_it_is_said() -> None:
    printed = effects.OUT_OF_RANGE, effects.NO_VALUE, effects.NOTHING_TO_PICK
    assert printed == (bindings.OUT_OF_RANGE, bindings.NO_VALUE, bindings.NO_PICK)
