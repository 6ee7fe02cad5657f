"""The runtime in C, as it is printed for a number of players."""

from __future__ import annotations

import pytest

from pysolve.dsl.to_c.runtime import BEFORE, PLAYING, SOLVING, for_players, runtime_for

TEXT = """before
#if PLAYERS == 2
two
#if REPEATS
two that remember
#else
two that do not
#endif
#else
others
#if PLAYERS > 2 /* a remark: this line is for the compiler */
kept
#endif
#if PLAYERS < 2
one
#endif
#endif
behind
"""


@pytest.mark.parametrize(
    ("players", "words"),
    [
        (1, ["before", "others", "#if PLAYERS > 2 /* a remark: this line is for the compiler */", "kept", "#endif",
             "one", "behind"]),
        (2, ["before", "two", "#if REPEATS", "two that remember", "#else", "two that do not", "#endif", "behind"]),
        (3, ["before", "others", "#if PLAYERS > 2 /* a remark: this line is for the compiler */", "kept", "#endif",
             "behind"]),
    ],
)  # fmt: skip
def test_a_program_has_the_lines_of_its_players(players: int, words: list[str]) -> None:
    assert for_players(TEXT, players).splitlines() == words


@pytest.mark.parametrize("players", range(1, 9))
def test_no_condition_about_players_is_printed(players: int) -> None:
    printed = runtime_for(BEFORE + PLAYING + SOLVING, players, alternating=players == 2)
    opened, closed = (sum(line.startswith(word) for line in printed.splitlines()) for word in ("#if", "#endif"))
    assert opened == closed > 0
    assert "#if PLAYERS" not in printed
