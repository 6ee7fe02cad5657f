"""What rules files say of boards, men, cards and prices, beside what the published rules of the games say.

A file's own examples repeat its constants, and so do judges that were written beside it.  Here each constant stands
once more, with where it is published: positions as in FEN, rows from the top, with a letter for each kind of man.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

import pytest

from pysolve.dsl.model import Game as Model
from pysolve.notation.record import option_words
from pysolve.runtime.paths import shipped_games
from tests.games import load, slow_but


@dataclass(frozen=True)
class Published:
    """The constants of a game, and who publishes them.

    `men` says which letter of `rows` stands for what a cell holds in the states of `slots`.
    """

    source: str
    begins: str = ""
    options: dict[str, str] = field(default_factory=dict)
    rows: str = ""
    slots: str = "at"
    men: dict[str, str] = field(default_factory=dict)
    cells: int = 0
    state: dict[str, Any] = field(default_factory=dict)  # of the initial position
    tables: dict[str, dict[str, str]] = field(default_factory=dict)
    weights: dict[str, int] = field(default_factory=dict)  # of `evaluate`
    levels: dict[str, str] = field(default_factory=dict)  # parts of their texts


WHITE_BLACK = {"w": "White", "b": "Black"}
CHESSMEN = {letter: f"{side} {kind}" for side, case in (("White", str.upper), ("Black", str.lower))
            for kind in ("Pawn", "Knight", "Bishop", "Rook", "Queen", "King", "Archbishop", "Chancellor")
            for letter in [case("N" if kind == "Knight" else kind[0])]}  # fmt: skip
ARRAY = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR"
FIDE = "FIDE, Laws of Chess"
BLOCKADE = "the rules of Secret Service, a program by caseyharrisritter"
DAME = "FMJD, rules of international draughts"
NO_MEN = "8/8/8/8/8/8/8/8"

# The cards of Onitama by the colour of their stamp: Arcane Wonders, the cards of the basic game.
STAMPS = {
    "Blue": ("Tiger", "Crab", "Monkey", "Crane", "Goose", "Eel", "Rabbit", "Ox"),
    "Red": ("Dragon", "Frog", "Elephant", "Rooster", "Mantis", "Horse", "Boar", "Cobra"),
}
# Their moves as printed: columns to the right and rows ahead.
CARDS = {
    "Tiger": "0,2 0,-1", "Dragon": "-2,1 2,1 -1,-1 1,-1", "Frog": "-2,0 -1,1 1,-1", "Rabbit": "2,0 1,1 -1,-1",
    "Crab": "-2,0 2,0 0,1", "Elephant": "-1,0 1,0 -1,1 1,1", "Goose": "-1,0 -1,1 1,0 1,-1",
    "Rooster": "-1,0 -1,-1 1,0 1,1", "Monkey": "-1,1 1,1 -1,-1 1,-1", "Mantis": "-1,1 1,1 0,-1",
    "Horse": "-1,0 0,1 0,-1", "Ox": "1,0 0,1 0,-1", "Crane": "0,1 -1,-1 1,-1", "Boar": "-1,0 1,0 0,1",
    "Eel": "-1,1 -1,-1 1,0", "Cobra": "1,1 1,-1 -1,0",
}  # fmt: skip

GAMES = {
    "abalone": Published("Abalone S.A., rules: 14 marbles each on 61 places", "Black", cells=61,
                         men={"b": "Black", "w": "White"}, state={"Black": 14, "White": 14}),
    "amazons": Published("Walter Zamkauskas, El Acertijo 4", "White", {"size": "10"},
                         "3b2b3/10/10/b8b/10/10/w8w/10/10/3w2w3", "owner", WHITE_BLACK),
    "antiyomacy": Published("the tables and the score of Antiyomacy, a program by MrPio", "Red",
                            {"size": "8", "reach": "2", "border_only": "off"}, cells=64,
                            tables={"strength": {"Peasant": "1", "Spearman": "2", "Baron": "3", "Knight": "4"},
                                    "guard": {"Peasant": "1", "Spearman": "2", "Baron": "3", "Knight": "3"},
                                    "price": {"Peasant": "10", "Spearman": "20", "Baron": "30", "Knight": "40"},
                                    "wage": {"Peasant": "-2", "Spearman": "-6", "Baron": "-18", "Knight": "-36"},
                                    "force": {"Peasant": "1", "Spearman": "3", "Baron": "8", "Knight": "20"},
                                    "wall": {"Farm": "0", "Tower": "2", "StrongTower": "3"},
                                    "range": {"Farm": "0", "Tower": "1", "StrongTower": "2"},
                                    "cost": {"Farm": "12", "Tower": "15", "StrongTower": "35"},
                                    "yield": {"Farm": "4", "Tower": "-1", "StrongTower": "-6"},
                                    "safety": {"Farm": "0", "Tower": "8", "StrongTower": "24"}},
                            weights={"conquests": 300, "savings": 100, "income": 100, "cells": 100, "strength": 100,
                                     "defence": 15},
                            levels={"easy": "turns=2", "hard": "turns=3"}),
    "antiyomacy-many": Published("the same, with as many players as seats", "Red", {"seats": "3", "reach": "2"}),
    "blockade": Published(BLOCKADE, "Defence",
                          {"columns": "10", "rows": "10", "touchdown": "3", "carrier_pushes": "off"},
                          "10/5C4/3BBBB3/10/10/3TTTT3/10/10/10/10",
                          men={"C": "Carrier", "B": "Blocker", "T": "Tackler"},
                          weights={"advance": 25000, "distance": -1, "danger": -200000, "held": -2500, "rear": -1500,
                                   "ahead": 2500},
                          levels={"quick": "turns=1", "full": "turns=1"}),
    "bridg_it": Published("David Gale, in Gardner, Scientific American 1958: rows of five and six", "White",
                          {"size": "5"}, cells=30),
    "breakthrough": Published("Dan Troyka, 2000; OpenSpiel, breakthrough", "White", {"width": "8", "height": "8"},
                              "bbbbbbbb/bbbbbbbb/8/8/8/8/wwwwwwww/wwwwwwww", men=WHITE_BLACK),
    "breakthrough-mini": Published("OpenSpiel, breakthrough(rows=6,columns=6)", "White", {}, 
                                   "bbbbbb/bbbbbb/6/6/wwwwww/wwwwww", men=WHITE_BLACK),
    "chess": Published(FIDE, "White", {}, ARRAY, "owner kind", CHESSMEN),
    "chess-antichess": Published("Lichess, antichess", "White", {}, ARRAY, "owner kind", CHESSMEN),
    "chess-capablanca": Published("Wikipedia, Capablanca chess", "White", {},
                                  "rnabqkbcnr/pppppppppp/10/10/10/10/PPPPPPPPPP/RNABQKBCNR", "owner kind", CHESSMEN),
    "chess-king-of-the-hill": Published("Lichess, King of the Hill", "White", {}, ARRAY, "owner kind", CHESSMEN),
    "chess-los-alamos": Published("Stein and Wells, 1956", "White", {}, "rnqknr/pppppp/6/6/PPPPPP/RNQKNR",
                                  "owner kind", CHESSMEN),
    "chess-no-castling": Published("Kramnik, 2019", "White", {}, ARRAY, "owner kind", CHESSMEN),
    "chess-racing-kings": Published("Lichess, racing kings", "White", {}, "8/8/8/8/8/8/krbnNBRK/qrbnNBRQ",
                                    "owner kind", CHESSMEN),
    "chess-three-check": Published("Lichess, three-check", "White", {}, ARRAY, "owner kind", CHESSMEN),
    "chinese_checkers": Published("OpenSpiel, chinese_checkers: 121 holes, ten men each", "Red", {"seats": "2"},
                                  cells=121, state={"Red": 10, "Orange": 10}),
    "clobber": Published("OpenSpiel, clobber: five rows of six", "White", {"width": "6", "height": "5"},
                         "wbwbwb/bwbwbw/wbwbwb/bwbwbw/wbwbwb", men=WHITE_BLACK),
    "conga": Published("Martin Franke, Conga", "Black", {"size": "4", "pile": "10", "four_equal": "off"},
                       "b3/4/4/3w", "owner", WHITE_BLACK, state={"stones": {"a4": 10, "d1": 10}},
                       weights={"mobility": 2, "neighbours": 2},
                       levels={"original": "depth=5,terms=mobility+neighbours,onesided=neighbours,ties=first"}),
    "connect_four": Published("Hasbro, Connect 4: seven columns of six", "Yellow", {"width": "7", "height": "6"},
                              "7/7/7/7/7/7", men={"y": "Yellow", "r": "Red"}),
    "draughts": Published("WCDF, rules: Black begins, a square at its left is dark", "Black", {"size": "8"},
                          "1w1w1w1w/w1w1w1w1/1w1w1w1w/8/8/b1b1b1b1/1b1b1b1b/b1b1b1b1", "owner", WHITE_BLACK),
    "draughts-giveaway": Published("the same", "Black", {}, 
                                   "1w1w1w1w/w1w1w1w1/1w1w1w1w/8/8/b1b1b1b1/1b1b1b1b/b1b1b1b1", "owner", WHITE_BLACK),
    "draughts-brazilian": Published(DAME, "White", {"size": "8"},
                                    "1b1b1b1b/b1b1b1b1/1b1b1b1b/8/8/w1w1w1w1/1w1w1w1w/w1w1w1w1", "owner", WHITE_BLACK),
    "draughts-international": Published(DAME, "White", {"size": "10"},
                                        "1b1b1b1b1b/b1b1b1b1b1/1b1b1b1b1b/b1b1b1b1b1/10/10/"
                                        "1w1w1w1w1w/w1w1w1w1w1/1w1w1w1w1w/w1w1w1w1w1", "owner", WHITE_BLACK),
    "draughts-italian": Published("FID, rules: White begins, a square at its right is dark", "White", {"size": "8"},
                                  "b1b1b1b1/1b1b1b1b/b1b1b1b1/8/8/1w1w1w1w/w1w1w1w1/1w1w1w1w", "owner", WHITE_BLACK),
    "go": Published("Tromp and Taylor, area scoring; 7.5 points as on a board of nine lines", "Black",
                    {"size": "9", "komi": "7"}, "9/9/9/9/9/9/9/9/9", men=WHITE_BLACK),
    "go-5x5": Published("Van der Werf, 2003: Black gets all 25 points", "Black", {"size": "5", "komi": "24"},
                        "5/5/5/5/5", men=WHITE_BLACK),
    "go-sensible": Published("the same as go", "Black", {"size": "9", "komi": "7"}, "9/9/9/9/9/9/9/9/9",
                             men=WHITE_BLACK),
    "gomoku": Published("RIF: a board of fifteen lines", "Black", {"size": "15"}),
    "hanoi": Published("Lucas, 1883: three pegs", "Monk", cells=3),
    "hare_and_hounds": Published("Wikipedia, hare games: eleven points, three hounds", "Hounds", cells=11,
                                 state={"Hounds": 3, "Hare": 1}),
    "havannah": Published("OpenSpiel, havannah: eight cells a side", "White", {"size": "8"}, cells=169),
    "hex": Published("Piet Hein, 1942: eleven cells a side", "Red", {"size": "11"}, cells=121),
    "kalah": Published("Wikipedia, Kalah: six pits, four seeds in each", "South", {"pits": "6", "seeds": "4"}, cells=12,
                       state={"in_pit": dict.fromkeys([f"{c}{r}" for r in (1, 2) for c in "abcdef"], 4)}),
    "lasca": Published("Emanuel Lasker, 1911: 25 cells, eleven men each", "White", cells=25,
                       state={"WhiteSoldier": 11, "BlackSoldier": 11}),
    "lines_of_action": Published("Claude Soucie, in Sackson, A Gamut of Games", "Black", {"size": "8"},
                                 "1bbbbbb1/w6w/w6w/w6w/w6w/w6w/w6w/1bbbbbb1", men=WHITE_BLACK),
    "nim": Published("OpenSpiel, nim: heaps of 1, 3, 5 and 7, the last match loses", "First", {"last": "loses"},
                     state={"matches": {"A": 1, "B": 3, "C": 5, "D": 7}}),
    "nine_mens_morris": Published("Wikipedia, nine men's morris: 24 points, nine men each", "White", {"flying": "on"},
                                  cells=24, state={"placed": {"White": 0, "Black": 0}}),
    "onitama": Published("Arcane Wonders, the cards", "Red", {"fifth": "Dragon"}, "bbBbb/5/5/5/rrRrr", "at master",
                         {"b": "Blue False", "B": "Blue True", "r": "Red False", "R": "Red True"},
                         tables={"begins": {card: who for who, cards in STAMPS.items() for card in cards}}),
    "othello": Published("WOF, rules: white on d4 and e5, Black begins", "Black", {"size": "8"},
                         "8/8/8/3bw3/3wb3/8/8/8", men=WHITE_BLACK),
    "othello-misere": Published("the same", "Black", {}, "8/8/8/3bw3/3wb3/8/8/8", men=WHITE_BLACK),
    "othello-reversi": Published("Waterman, 1883: an empty board", "Black", {}, NO_MEN, men=WHITE_BLACK),
    "peg_solitaire": Published("Wikipedia, the English board: 33 holes, the middle empty", "Solver", cells=33,
                               state={"peg": {"d4": False, "d5": True, "a3": True}}),
    "pentago": Published("Mindtwister, Pentago: six rows of six", "White", {}, "6/6/6/6/6/6", men=WHITE_BLACK),
    "quarto": Published("Gigamic, Quarto: 16 pieces on 16 squares", "White", cells=16),
    "quoridor": Published("Gigamic, Quoridor: nine rows of nine, ten walls each", "White",
                          {"size": "9", "walls": "10"}, cells=81,
                          state={"pawn": {"White": "e1", "Black": "e9"}, "stock": {"White": 10, "Black": 10}}),
    "santorini": Published("Roxley, Santorini: five rows of five", "White", cells=25),
    "sliding_tiles": Published("the eight puzzle", "Solver", {"width": "3", "height": "3"}, cells=9),
    "surakarta": Published("Wikipedia, Surakarta: twelve men each", "White", {},
                           "bbbbbb/bbbbbb/6/6/wwwwww/wwwwww", men=WHITE_BLACK),
    "tak": Published("Cheapass Games, Tak, table of pieces", "White", {"size": "5"}, cells=25,
                     state={"stock": {p: {"flat": 21, "wall": 0, "cap": 1} for p in ("White", "Black")}}),
    "tictactoe": Published("three rows of three", "X", {"width": "3", "height": "3", "in_a_row": "3"}, "3/3/3",
                           men={"x": "X", "o": "O"}),
    "ultimate_tictactoe": Published("Wikipedia, ultimate tic-tac-toe", "X", cells=81),
    "yoxii": Published("Cosmoludo, Yoxii: 37 squares, 18 pieces each", "White", cells=37,
                       state={"token": "d4", "stock": {p: {"1": 5, "2": 5, "3": 5, "4": 3} for p in ("White", "Red")}},
                       weights={"points": 1}, levels={"one": "random", "original": "replies=1,onesided=points"}),
    "zola": Published("Mark Steere, Zola", "Red", {"size": "6"}, "brbrbr/rbrbrb/brbrbr/rbrbrb/brbrbr/rbrbrb",
                      men={"r": "Red", "b": "Blue"}, levels={"easy": "greedy:ties=first", "hard": "depth=2"}),
    "zola-blue-begins": Published("the original program", "Blue", {}, "rbrbrb/brbrbr/rbrbrb/brbrbr/rbrbrb/brbrbr",
                                  men={"r": "Red", "b": "Blue"}),
}  # fmt: skip
for _name, _rows, _offence in [
    ("blockade-4v3", "10/5C4/3BBB4/10/10/3TTT4/10/10/10/10", "4"),
    ("blockade-6v4", "10/5C4/2BBBBB3/10/10/3TTTT3/10/10/10/10", "6"),
    ("blockade-8v8", "10/5C4/1BBBBBBB2/10/10/1TTTTTTTT1/10/10/10/10", "8"),
    ("blockade-8x8", "8/4C3/2BBB3/8/2TTT3/8/8/8", "4"),
]:
    GAMES[_name] = Published(f"{BLOCKADE}: {_offence} play Offence", "Defence", {}, _rows, men=GAMES["blockade"].men)
GAMES["secret-service"] = Published(
    BLOCKADE, "Insurrectionists", {}, GAMES["blockade"].rows.replace("C", "P").replace("B", "A").replace("T", "I"),
    men={"P": "President", "A": "Agent", "I": "Insurrectionist"},
)  # fmt: skip

GAMES["pig"] = Published("John Scarne, Scarne on Dice, 1945", "White", {"target": "100"})
GAMES["einstein_wuerfelt_nicht"] = Published(
    "Ingo Althöfer, EinStein würfelt nicht!", "White", cells=25, tables={"home": {"White": "e1", "Black": "a5"}}
)
GAMES["kuhn_poker"] = Published(
    "H. W. Kuhn, A Simplified Two-Person Poker, 1950: an ante of one, a bet of one", "Ann", {"seats": "2"},
    state={"paid": {"Ann": 1, "Bob": 1}, "hand": {"Ann": 0, "Bob": 0}},
)  # fmt: skip
GAMES["leduc_poker"] = Published(
    "Southey et al., Bayes' Bluff, 2005: an ante of one, raises of 2 and 4, two in each round", "Ann",
    state={"paid": {"Ann": 1, "Bob": 1}, "bets": 0},
)  # fmt: skip
GAMES["hearts"] = Published("OpenSpiel, hearts: three cards are passed", "North", {"pass": "Left"})
GAMES["hanabi"] = Published(
    "Hanabi Learning Environment, Hanabi-Small: hands of two, three tokens and a life", "Ann",
    {"size": "2", "tokens": "3", "lives": "1"}, cells=4, state={"hints": 3, "left": 1},
    tables={"number_of": {f"{colour}{number}": str(number) for colour in "RY" for number in range(1, 6)}},
)  # fmt: skip
GAMES["chess-dark"] = Published(
    "Martin Gardner, 1969: minichess; OpenSpiel, dark_chess: a board of four by four", "White", {"size": "5"},
    cells=25, state={"clock": 0},
)  # fmt: skip
GAMES["goofspiel"] = Published("Merrill Flood, 1930s: thirteen cards of each suit", "Red", {"cards": "13"})
GAMES["liars_dice"] = Published("OpenSpiel, liars_dice: a die of six sides for each of two", "Red", {"sides": "6"})
GAMES["rock_paper_scissors"] = Published(
    "OpenSpiel, matrix_rps: each hand beats one", "Red",
    tables={"beaten": {"Rock": "Scissors", "Paper": "Rock", "Scissors": "Paper"}},
)  # fmt: skip
GAMES["phantom_tictactoe"] = Published("OpenSpiel, phantom_ttt: three rows of three", "X", cells=9)
GAMES["backgammon"] = Published(
    "Wikipedia, backgammon, setup: 2, 5, 3 and 5 men on the 24, 13, 8 and 6 point", "White",
    state={"men": {"m2": 2, "a2": 5, "e1": 3, "h1": 5, "m1": 2, "a1": 5, "e2": 3, "h2": 5},
           "side": {"m2": "White", "a2": "White", "e1": "White", "h1": "White",
                    "m1": "Black", "a1": "Black", "e2": "Black", "h2": "Black"}},
)  # fmt: skip
GAMES["ludo"] = Published(  # of which four quarters of 13 squares are common, and six for each player are his own
    "Wikipedia, ludo: 52 common squares, a way home of five and the last square, four men each",
    "Red",
    cells=52 + 4 * (6 + 4),
)
GAMES["2048"] = Published(
    "Gabriele Cirulli, 2048: game_manager.js, two tiles at first; nine in ten are 2", "Solver",
    {"size": "4", "goal": "11"}, cells=16, state={"missing": 2},
)  # fmt: skip

# What other games say with other options, or of positions later on.
TAK = {3: (10, 0), 4: (15, 0), 5: (21, 1), 6: (30, 1)}  # stones and capstones: Cheapass Games, Tak
# Those that are made of a parent's constants alone, or of none that others publish.
OF_THEIR_PARENTS = {
    "backgammon-points",
    "blockade-forwards", "breakthrough-cylinder", "conga-sweep", "connect_four-cylinder", "connect_four-popout",
    "gomoku-torus", "hex-dark", "hex-swap", "tictactoe-misere",
}  # fmt: skip
INVENTED = {"battleship", "connect_four-three", "dots_and_boxes", "lines_of_action-scrambled", "salvage", "sokoban"}


def test_every_shipped_game_is_looked_at() -> None:
    assert sorted([*GAMES, *OF_THEIR_PARENTS, *INVENTED]) == sorted(shipped_games())


@pytest.mark.parametrize("name", slow_but(("onitama", "zola"), GAMES))
def test_constants_are_the_published_ones(name: str) -> None:
    published, game = GAMES[name], load(name)
    model = game.model
    assert option_words(game).items() >= published.options.items()
    for table, rows in published.tables.items():
        assert column(model, table) == rows
    assert {term.name: term.weight for term in model.terms}.items() >= published.weights.items()
    for level, part in published.levels.items():
        assert part in model.levels[level]
    assert len(game.cells) == (published.cells or len(game.cells))


@pytest.mark.parametrize("name", slow_but((), GAMES))
def test_the_initial_position_is_the_published_one(name: str) -> None:
    published, start = GAMES[name], load(name).start()
    state = start.to_dict()["state"]
    assert start.to_move == published.begins
    if published.rows:
        assert drawn(published.rows) == placed(state, published)
    men = Counter(str(man) for slot in state.values() if isinstance(slot, dict) for man in flat(slot.values()))
    for what, value in published.state.items():
        if what not in state:
            assert (what, men[what]) == (what, value)
        elif isinstance(value, dict):
            assert (what, {**state[what], **value}) == (what, state[what])
        else:
            assert (what, state[what]) == (what, value)


def flat(values: Any) -> list[Any]:
    """Values, and those of stacks among them."""
    return [one for value in values for one in (value if isinstance(value, list) else [value])]


def drawn(rows: str) -> dict[str, str]:
    """What lies where by a FEN: the letter of each cell that is not empty."""
    found = {}
    for number, row in enumerate(reversed(rows.split("/")), 1):
        spread = re.sub(r"\d+", lambda run: "." * int(run[0]), row)
        found |= {f"{chr(ord('a') + at)}{number}": man for at, man in enumerate(spread) if man != "."}
    return found


def placed(state: dict[str, Any], published: Published) -> dict[str, str]:
    """The same of a position."""
    letters = {what: letter for letter, what in published.men.items()}
    slots = [state[name] for name in published.slots.split()]
    return {
        cell: letters[" ".join(str(slot[cell]) for slot in slots)] for cell in slots[0] if slots[0][cell] is not None
    }


def column(model: Model, name: str) -> dict[str, str]:
    """A column of a table of the rules, in words."""
    table = model.tables[f"table_{name}"]
    first, second = table.sorts
    return {first.label(row[0]): second.label(row[1]) for row in table.rows}


def test_the_cards_of_onitama_are_the_printed_ones() -> None:
    model = load("onitama").model
    columns = [column(model, name) for name in ("one", "two", "three", "four")]
    found = {card: {int(rows[card]) for rows in columns if rows.get(card, "none") != "none"} for card in CARDS}
    wanted = {card: {10 * int(way.split(",")[0]) + int(way.split(",")[1]) for way in ways.split()}
              for card, ways in CARDS.items()}  # fmt: skip
    assert found == wanted


@pytest.mark.slow
@pytest.mark.parametrize("card", CARDS)
def test_the_stamp_of_the_fifth_card_of_onitama_says_who_begins(card: str) -> None:
    others = dict(
        zip(("red_one", "red_two", "blue_one", "blue_two"), [one for one in CARDS if one != card], strict=False)
    )
    assert card in STAMPS[load("onitama", **others, fifth=card).start().to_move]


@pytest.mark.slow
@pytest.mark.parametrize("size", TAK)
def test_the_stones_of_tak_are_the_published_ones(size: int) -> None:
    stones, caps = TAK[size]
    stock = load("tak", size=size).start().to_dict()["state"]["stock"]
    assert stock == {player: {"flat": stones, "wall": 0, "cap": caps} for player in ("White", "Black")}


@pytest.mark.slow
def test_a_province_of_antiyomacy_begins_with_twelve() -> None:
    for size, provinces in ((8, 1), (16, 2)):
        state = load("antiyomacy", size=size).start(1).to_dict()["state"]
        for player in ("Red", "Blue"):
            money = [state["money"][cell] for cell, owner in state["owner"].items() if owner == player]
            assert sorted(filter(None, money)) == [12] * provinces


@pytest.mark.slow
def test_the_scrambled_eggs_of_lines_of_action_alternate() -> None:
    """Twelve men each, and no two of a side beside each other along a side of the board: Sackson."""
    at = load("lines_of_action-scrambled").start().to_dict()["state"]["at"]
    assert Counter(filter(None, at.values())) == {"Black": 12, "White": 12}
    for side in ([f"{c}1" for c in "bcdefg"], [f"{c}8" for c in "bcdefg"], [f"a{r}" for r in range(2, 8)],
                 [f"h{r}" for r in range(2, 8)]):  # fmt: skip
        assert all(at[one] != at[other] for one, other in pairwise(side))


@pytest.mark.slow
def test_six_marbles_of_abalone_are_lost_and_five_are_not() -> None:
    position = load("abalone").start().to_dict()
    black = [cell for cell, man in position["state"]["at"].items() if man == "Black"]
    for cell, winner in [*((cell, None) for cell in black[:5]), (black[5], "White")]:
        position["state"]["at"][cell] = None
        outcome = load("abalone").from_dict(position).outcome
        assert (outcome and outcome.winner) == winner
