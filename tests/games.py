"""The games that tests play: the shipped ones and those of tests/rules, each loaded once."""

import re
from collections.abc import Collection, Iterable
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import pysolve
from pysolve.game import Game

FOLDERS = (Path(__file__).parent.parent / "rules", Path(__file__).parent / "rules")
RULES = sorted(path for folder in FOLDERS for path in folder.glob("*.rules"))

# A game of each family: captures by distance, turns of two moves, types and money, pieces of chess, passes and flips,
# a board of named points.
FAMILIES = ("zola", "yoxii", "antiyomacy", "chess", "othello", "nine_mens_morris")
FEW = ("zola", "yoxii")  # of which the quick tests play most of what they play


EVERY = {path.stem for path in RULES}
VARIANTS = {path.stem for path in RULES if re.search('^game ".*" extends ', path.read_text(encoding="utf-8"), re.M)}
# The games that stand for all: together they use each word and each construct that any game uses (test_games.py).
# What is tried with every game is tried with these by --all, and with the rest by --long.
BROAD = {
    *FAMILIES, "backgammon", "backgammon-points", "beams", "blockade", "bridg_it", "cards", "chinese_checkers", "conga",
    "connect_four-three", "dots", "hanabi", "hanoi", "hex_sides", "hexxagon", "kuhn_poker", "lasca", "othello-reversi",
    "rock_paper_scissors", "salvage", "santorini", "secret-service", "y", "zoo",
}  # fmt: skip
# A walk that starts programs, or a browser, for each game has these in --all: one of each family, and of lots.
MAIN = {*FAMILIES, "backgammon", "blockade", "conga", "hanoi"}
SECRETS = {path.stem for path in RULES if re.search(r"^[^#\n]*seen (by|as)\b", path.read_text(encoding="utf-8"), re.M)}
PUBLIC = [path for path in RULES if path.stem not in SECRETS]
SMALLER = {"quoridor": {"size": 5, "walls": 4}}  # Prolog takes too long about the ways on the whole board


left_out: frozenset[str] = frozenset()  # marks of the tests that this run leaves out (set by conftest)


def _wanted(cases: list[Any]) -> list[Any]:
    """The cases of this run; one at least, so that a test that is left out is counted as such."""
    return [case for case in cases if not any(mark.name in left_out for mark in case.marks)] or cases[:1]


def slow_but(quick: Collection[Any], cases: Iterable[Any], late: Collection[Any] = ()) -> list[Any]:
    """Cases as parameters of a test; those that are not quick are marked `slow`, or `long` where they are `late`."""
    return _wanted(
        [
            pytest.param(
                *(case if isinstance(case, tuple) else [case]),
                marks=[] if case in quick else pytest.mark.long if case in late else pytest.mark.slow,
            )
            for case in cases
        ]
    )


def tried(compilers: list[str]) -> list[str]:
    """The compilers that are compared: by the quick tests the last, which is the quickest; by --all the first, too."""
    fewest = compilers[-1:] if "slow" in left_out else [*compilers[:1], *compilers[1:][-1:]]
    return fewest if "long" in left_out else compilers


def fewer(count: int) -> int:
    """How many of so many positions or games are compared: a sixth, and all by --long."""
    return -(-count // 6) if "long" in left_out else count


def each(games: Iterable[str | Path], quick: Iterable[str] = FEW, late: Collection[str] = EVERY - BROAD) -> list[Any]:
    """Games as parameters of a test; those that are not quick are marked `slow`, or `long` where they are `late`."""
    chosen = set(quick)
    return _wanted(
        [
            pytest.param(
                game, id=name,
                marks=[] if name in chosen else pytest.mark.long if name in late else pytest.mark.slow,
            )
            for game in games
            for name in [game if isinstance(game, str) else game.stem]
        ]
    )  # fmt: skip


def load(name: str | Path, **options: object) -> Game:
    """A game by name, with options set."""
    return _load(name, tuple(options.items()))


@cache
def _load(name: str | Path, options: tuple[tuple[str, object], ...]) -> Game:
    path = name if isinstance(name, Path) else next(path for path in RULES if path.stem == name)
    return pysolve.load(path, **dict(options))


# Moves of two kinds that have the same texts.
ALIKE = """\
game "Alike"
players White, Black
board square 2 by 1
state
  at(cell): player or none
  n: 0..9
move quiet(to: cell) as "{to}"
  when at(to) = none
  do at(to) := mover
move loud(to: cell) as "{to}"
  when at(to) = none
  do
    at(to) := mover
    n := min(9, n + 1)
stuck draw
"""
