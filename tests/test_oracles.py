"""Games beside their oracles: the same outcome, or the same moves in the same order, leading to the same positions.

In: the shipped games and those of tests/rules, and rules of the same games written by hand (tests/oracles).  They are
compared in random games, and in positions that no game reaches: with any value in any place, or, where an oracle has
`anything`, as it deals them.
"""

import random
from dataclasses import dataclass, field
from typing import Any

import pytest

from tests import games, lockstep
from tests.games import fewer, load, slow_but
from tests.oracles import (
    abalone,
    amazons,
    antiyomacy,
    antiyomacy_many,
    blockade,
    breakthrough,
    bridg_it,
    checkers,
    chinese_checkers,
    conga,
    connection,
    dots_and_boxes,
    draughts_international,
    einstein,
    go,
    go_sensible,
    hare_and_hounds,
    havannah,
    hexxagon,
    in_line,
    kalah,
    lasca,
    ludo,
    morris,
    onitama,
    othello,
    pentago,
    provinces,
    pushers,
    quarto,
    quoridor,
    rook,
    salvage,
    santorini,
    shift,
    surakarta,
    tak,
    ultimate,
    yoxii,
    zola,
    zoo,
)
from tests.oracles.puzzles import BOXES, PEGS, Tiles


@dataclass
class Case:
    """A game beside its oracle, and how far they are compared."""

    game: str
    oracle: Any
    options: dict[str, Any] = field(default_factory=dict)
    others: dict[str, Any] | None = None  # options of the oracle, where they differ
    games: int = 2  # that are played at random
    length: int = 50  # moves of one at most
    anywhere: int = 45  # positions that no game reaches; 0 where the rules are right only for those that are reached
    unfolded: bool = True  # the faster clauses are compared, too; for some boards they take long to make
    seldom: bool = False  # they are compared by --long alone: they take seconds to make
    quick: bool = False
    late: bool = False


def cases(game: str, oracle: Any, *options: dict[str, Any], quick: bool = True, **more: Any) -> list[Case]:
    """A game with several options, of which the quick tests try the first."""
    return [Case(game, oracle, one, quick=quick and number == 0, **more) for number, one in enumerate(options)]


CASES = [
    Case("zola", zola, {"size": 4}, quick=True),
    Case("zola", zola, quick=True),
    Case("zola", zola, {"size": 8}, games=1, anywhere=16),
    Case("zola", zola, {"size": 10}, games=1, anywhere=16, seldom=True),
    Case("yoxii", yoxii, games=8, length=73, anywhere=150, quick=True),
    *cases(
        "conga",
        conga,
        {"size": 4, "pile": 10, "sowing": "sweep", "four_equal": True},
        {"size": 4, "pile": 10, "sowing": "sweep", "four_equal": False},
        {"size": 4, "pile": 10, "sowing": "add", "four_equal": False},
        {"size": 4, "pile": 10, "sowing": "add", "four_equal": True},
        {"size": 4, "pile": 1, "sowing": "add", "four_equal": False},
        {"size": 4, "pile": 3, "sowing": "sweep", "four_equal": True},
        length=25,
        anywhere=16,
    ),
    *cases(
        "conga",
        conga,
        {"size": 6, "pile": 20, "sowing": "add", "four_equal": True},
        {"size": 8, "pile": 40, "sowing": "sweep", "four_equal": False},
        quick=False,
        length=25,
        anywhere=16,
        seldom=True,
    ),
    *cases(
        "blockade",
        blockade,
        {"columns": 5, "rows": 6, "blockers": 2, "tacklers": 3, "touchdown": 1, "carrier_pushes": True},
        {},
        {"carrier_pushes": True},
        {"blockers": 7, "tacklers": 8},
        {"columns": 8, "rows": 8, "blockers": 3, "tacklers": 3, "touchdown": 2},
        {"columns": 7, "rows": 12, "blockers": 0, "tacklers": 2, "touchdown": 5},
        games=1,
        length=30,
        anywhere=24,
    ),
    Case(
        "blockade",
        blockade,
        {"columns": 13, "rows": 10, "blockers": 5, "tacklers": 3, "first": "Offence"},
        games=1,
        length=30,
        anywhere=24,
        unfolded=False,
    ),
    Case(
        "blockade",
        blockade,
        {"columns": 4, "rows": 5, "blockers": 4, "tacklers": 0, "touchdown": 1},
        games=1,
        length=30,
        anywhere=24,
        seldom=True,
    ),
    Case("blockade-4v3", blockade, others={"blockers": 3, "tacklers": 3}, games=1, length=6, anywhere=0),
    Case("blockade-6v4", blockade, others={"blockers": 5}, games=1, length=6, anywhere=0),
    Case("blockade-8v8", blockade, others={"blockers": 7, "tacklers": 8}, games=1, length=6, anywhere=0),
    Case(
        "blockade-8x8",
        blockade,
        games=1,
        length=6,
        anywhere=0,
        others={"columns": 8, "rows": 8, "blockers": 3, "tacklers": 3, "touchdown": 2},
    ),
    *cases(
        "antiyomacy",
        antiyomacy,
        {},
        {"border_only": True},
        {"reach": 1},
        {"reach": 4, "border_only": True},
        length=18,
        anywhere=24,
        unfolded=False,
    ),
    Case("antiyomacy", antiyomacy, {"size": 16}, games=1, length=8, anywhere=2, unfolded=False),
    Case(
        "antiyomacy",
        antiyomacy,
        {"size": 16, "reach": 3, "border_only": True},
        games=1,
        length=8,
        anywhere=2,
        unfolded=False,
    ),
    *cases(
        "antiyomacy-many",
        antiyomacy_many,
        {"seats": 3},
        {"seats": 5},
        {"seats": 2},
        {"seats": 4, "border_only": True},
        quick=False,
        games=1,
        length=14,
        anywhere=10,
        unfolded=False,
    ),
    Case("antiyomacy-many", antiyomacy_many, {"seats": 3, "size": 16}, games=1, length=14, anywhere=0, unfolded=False),
    Case("peg_solitaire", PEGS, games=3, length=40, anywhere=0, quick=True),
    Case("sokoban", BOXES, games=3, length=40, anywhere=0, quick=True),
    *(
        Case("sliding_tiles", Tiles(width, height), {"width": width, "height": height}, games=3, length=25, anywhere=0)
        for width, height in ((3, 3), (2, 4), (4, 4))
    ),
    Case("provinces", provinces, {"size": 3}, games=0),
    Case("provinces", provinces, {"size": 4}, games=4, length=15, anywhere=0),
    Case("tictactoe", in_line.TIC_TAC_TOE, others={"width": 3, "height": 3}, quick=True),
    Case("connect_four", in_line.CONNECT_FOUR, others={"width": 7, "height": 6}),
    Case("connect_four", in_line.CONNECT_FOUR, {"width": 4, "height": 5}, quick=True),
    Case("connect_four-three", in_line.CONNECT_FOUR_OF_THREE, {"width": 5, "height": 5}),
    Case("gomoku", in_line.GOMOKU, {"size": 7}, others={"width": 7, "height": 7}),
    Case(
        "gomoku",
        in_line.GOMOKU,
        {"size": 7, "exact": True},
        others={"width": 7, "height": 7, "exact": True},
        seldom=True,
    ),
    Case("breakthrough", breakthrough),
    Case("bridg_it", bridg_it, {"size": 2}, anywhere=0),
    Case("bridg_it", bridg_it, {"size": 3}, anywhere=0),
    Case("breakthrough", breakthrough, {"width": 3, "height": 5}, quick=True),
    Case(
        "breakthrough-cylinder",
        breakthrough,
        {"width": 4, "height": 5},
        others={"width": 4, "height": 5, "around": True},
        quick=True,
    ),
    Case("connect_four-cylinder", in_line.CONNECT_FOUR_ROUND, {"width": 5}, others={"width": 5, "height": 6}),
    Case("gomoku-torus", in_line.GOMOKU_ROUND, {"size": 7}, others={"width": 7, "height": 7}),
    Case(
        "gomoku-torus",
        in_line.GOMOKU_ROUND,
        {"size": 7, "exact": True},
        others={"width": 7, "height": 7, "exact": True},
        seldom=True,
    ),
    Case("hare_and_hounds", hare_and_hounds, anywhere=0),
    Case("quoridor", quoridor, {"size": 3, "walls": 2}, anywhere=0),
    Case("quoridor", quoridor, {"size": 5, "walls": 4}, anywhere=0),
    Case("pentago", pentago),
    Case("abalone", abalone),
    Case("dots_and_boxes", dots_and_boxes),
    Case("dots_and_boxes", dots_and_boxes, {"width": 3, "height": 1}, quick=True),
    Case("quarto", quarto),
    Case("santorini", santorini),
    Case("surakarta", surakarta, seldom=True),
    Case("tak", tak, anywhere=0, seldom=True),
    Case("tak", tak, {"size": 3}, anywhere=0),
    Case("lasca", lasca, anywhere=0),
    Case("ultimate_tictactoe", ultimate),
    Case("chinese_checkers", chinese_checkers, {"seats": 3}, anywhere=0),
    Case("draughts-international", draughts_international, {"size": 8}, anywhere=0),
    Case("draughts-brazilian", draughts_international, {"size": 6}, anywhere=0),
    Case("havannah", havannah, {"size": 3}, quick=True),
    Case("havannah", havannah, {"size": 4}),
    Case("onitama", onitama),
    Case("onitama", onitama, {"fifth": "Frog", "red_two": "Rabbit", "blue_one": "Cobra"}),
    Case("hex", connection.HEX_GAME, {"size": 4}, anywhere=0, quick=True),
    Case("hex_sides", connection.HEX_GAME, {"size": 4}),
    Case("y", connection.Y_GAME, {"size": 4}, quick=True),
    Case("othello", othello),
    Case("othello", othello, {"size": 4}),
    Case("amazons", amazons, {"size": 4}, quick=True),
    Case("checkers", checkers, {"size": 6, "rows": 2}, quick=True),
    Case("checkers", checkers),
    Case("go", go, {"size": 3, "komi": 0}, others={"size": 3}),
    Case("go", go, {"size": 5, "komi": 0}, others={"size": 5}, quick=True),
    Case("go-sensible", go_sensible, {"size": 5, "komi": 0}, others={"size": 5}),
    Case("rook", rook),
    Case("morris", morris, quick=True),
    Case("hexxagon", hexxagon),
    Case("hexxagon", hexxagon, {"moving": "growing"}, quick=True),
    Case("kalah", kalah, anywhere=0),
    Case("kalah", kalah, {"pits": 3, "seeds": 5}, anywhere=0),
    Case("shift", shift),
    Case("shift", shift, {"stones": 0}, quick=True),
    Case("einstein_wuerfelt_nicht", einstein, games=6, length=120, anywhere=150, quick=True),
    *(Case("ludo", ludo, {"seats": seats}, games=2, length=250, anywhere=0, late=seats != 4) for seats in (2, 3, 4)),
    *cases("salvage", salvage, {"seats": 3}, {"seats": 2}, {"seats": 4}, games=3, length=120, anywhere=0),
    Case("pushers", pushers, quick=True),
    Case("zoo", zoo),
    Case("zoo", zoo, {"size": 2, "speed": "fast", "bonus": 300, "polite": False, "shift": 3}),
]
RANDOM, ANYWHERE = [case for case in CASES if case.games], [case for case in CASES if case.anywhere]


def named(case: Case) -> str:
    return " ".join([case.game, *(f"{name}={value}" for name, value in case.options.items())])


def some(cases: list[Case]) -> Any:
    quick, late = ([case for case in cases if getattr(case, word)] for word in ("quick", "late"))
    return pytest.mark.parametrize("case", slow_but(quick, cases, late), ids=named)


def unfolds(case: Case) -> bool:
    """True if this run compares the faster clauses, too."""
    return case.unfolded and not (case.seldom and "long" in games.left_out)


@some(RANDOM)
def test_random_games_agree(case: Case) -> None:
    game, options = load(case.game, **case.options), case.options if case.others is None else case.others
    lockstep.play_along(game, case.oracle, options, fewer(case.games), case.length, unfolds(case))


@some(ANYWHERE)
def test_any_position_agrees(case: Case) -> None:
    game, options = load(case.game, **case.options), case.options if case.others is None else case.others
    lockstep.compare_anywhere(game, case.oracle, options, fewer(case.anywhere), unfolds(case))


OUTCOMES = [
    (zola, {"Red", "Blue", "open"}),
    (conga, {"Black", "White", "open"}),
    (yoxii, {"White", "Red", "nobody", "open"}),
    (blockade, {"Offence", "open"}),
    (antiyomacy, {"Red", "Blue", "open"}),
]


@pytest.mark.parametrize(("oracle", "outcomes"), slow_but(OUTCOMES[:-1], OUTCOMES))
def test_positions_are_dealt_in_which_everybody_has_won(oracle: Any, outcomes: set[str]) -> None:
    rng = random.Random(1)
    found = [oracle.outcome(oracle.anything(rng)) for _ in range(600)]
    assert {"open" if one is None else one["winner"] or "nobody" for one in found} == outcomes


@pytest.mark.slow
def test_boards_of_more_than_255_cells_agree() -> None:
    wide = {"width": 19, "height": 19}
    lockstep.compare_anywhere(load("gomoku", size=19), in_line.GOMOKU, wide, 4, fills=(0.97,))
    lockstep.compare_anywhere(load("hex_sides", size=17), connection.HEX_GAME, {"size": 17}, 4, fills=(0.97,))
