"""The games of tests/perft against the numbers of move sequences that are known."""

import pytest

import pysolve
from pysolve.engines.prolog import PrologEngine
from tests.games import load, slow_but
from tests.perft import Counter, Known, known

QUICK, LARGEST = 20_000, 170_000  # sequences that a test counts
PERFT = ("amazons", "blockade", "go", "morris", "pentago", "quarto", "santorini", "tictactoe", "y", "yoxii", "zola")


def counted(line: Known, most: int) -> list[int]:
    """The known numbers up to `most` of a line; to the end where there are few positions."""
    return [number for number in line.counts if number <= most or line.name in ("tictactoe", "connect_four")]


def quick(line: Known) -> bool:
    """A line for the quick tests: games of few moves, and of the others the shortest."""
    return (line.name in PERFT and line.options != {"size": 19}) or line.options == {"pile": 1}


@pytest.mark.parametrize("line", slow_but(filter(quick, known()), known()), ids=str)
def test_perft_numbers_are_the_known_ones(line: Known) -> None:
    agree_with(line, QUICK)


MORE = [line for line in known() if counted(line, QUICK) != counted(line, LARGEST)]


@pytest.mark.parametrize("line", slow_but((), MORE, late=[line for line in MORE if line not in MORE[::4]]), ids=str)
def test_large_perft_numbers_are_the_known_ones(line: Known) -> None:
    agree_with(line, LARGEST)


def agree_with(line: Known, most: int) -> None:
    game = load(line.path, **line.options)
    counter = Counter(PrologEngine(game.model))
    count, wanted = counter.turns if line.turns else counter.moves, counted(line, most)
    assert [count(game.start().state, depth) for depth in range(1, len(wanted) + 1)] == wanted


def test_perft_without_memory_counts_the_same() -> None:
    assert pysolve.load("zola", size=4).start().perft(3) == 3836
