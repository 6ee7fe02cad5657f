"""A third judge: both engines beside tests/naive.py, which plays the syntax tree by the words of the manual.

In: rules drawn at random, the games of tests/rules, small versions of shipped ones; rules that once were read wrongly.
Out: the same beginning, legal moves in the same order, positions after them, ends and estimates; in random games with
what `repeated` and `turns` count, and in positions with any values.
"""

from __future__ import annotations

import random
import re
from contextlib import suppress
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import Any

import pytest

import pysolve
from pysolve.dsl import RulesError, notation
from pysolve.dsl.model import Game as Model
from pysolve.dsl.model.payoffs import payoffs
from pysolve.engines import build
from pysolve.engines.native import native_engine
from pysolve.engines.prolog import PrologEngine
from pysolve.engines.protocol import Engine, EngineError, LimitReached, RuleMistake
from tests.games import FOLDERS, fewer, slow_but
from tests.naive import Mistake, Naive, NotCovered, Paid, Position
from tests.random_rules import random_rules
from tests.two_engines import places, with_value

INFERENCES = 20_000_000
COMPILER = next((name for name in reversed(build.COMPILERS) if build._find(name)), None)  # the quickest
SHELF = {path.stem: path for folder in FOLDERS for path in folder.glob("*.rules")}

# Games that are held against it: options that make them small, games, moves in each, positions with any values.
GAMES: dict[str, tuple[dict[str, Any], int, int, int]] = {
    "abalone": ({}, 1, 2, 0),
    "amazons": ({"size": 4}, 1, 3, 2),
    "battleship": ({"size": 4}, 1, 2, 1),
    "breakthrough": ({"width": 3, "height": 5}, 2, 8, 2),
    "bridg_it": ({"size": 2}, 2, 5, 2),
    "clobber": ({}, 1, 1, 0),
    "conga": ({"size": 4}, 1, 5, 2),
    "connect_four": ({"width": 4, "height": 4}, 2, 16, 2),
    "dots_and_boxes": ({"width": 2, "height": 1}, 2, 7, 2),
    "einstein_wuerfelt_nicht": ({}, 2, 8, 2),
    "go": ({"size": 3}, 1, 3, 1),
    "goofspiel": ({"cards": 3}, 3, 9, 2),
    "gomoku": ({"size": 7}, 1, 3, 1),
    "hanabi": ({}, 2, 10, 2),
    "hanoi": ({"discs": 3}, 2, 8, 3),
    "hare_and_hounds": ({}, 2, 10, 2),
    "havannah": ({"size": 3}, 1, 4, 1),
    "hex": ({"size": 3}, 2, 8, 2),
    "kuhn_poker": ({"seats": 3}, 3, 10, 4),
    "leduc_poker": ({}, 3, 14, 4),
    "kalah": ({"pits": 3, "seeds": 2}, 2, 8, 2),
    "liars_dice": ({"sides": 3}, 3, 8, 3),
    "lines_of_action": ({"size": 5}, 1, 1, 1),
    "nim": ({}, 3, 16, 4),
    "nine_mens_morris": ({}, 1, 5, 2),
    "onitama": ({}, 1, 4, 0),
    "peg_solitaire": ({}, 2, 8, 1),
    "2048": ({"size": 3}, 1, 8, 0),
    "sliding_tiles": ({"width": 3, "height": 2}, 2, 8, 0),
    "othello": ({"size": 4}, 1, 6, 2),
    "pentago": ({}, 1, 4, 0),
    "phantom_tictactoe": ({}, 3, 14, 3),
    "pig": ({"target": 12}, 3, 20, 4),
    "quarto": ({}, 1, 8, 1),
    "quoridor": ({"size": 3, "walls": 2}, 2, 6, 2),
    "salvage": ({}, 2, 20, 4),
    "rock_paper_scissors": ({}, 4, 3, 3),
    "santorini": ({}, 1, 6, 1),
    "tictactoe": ({}, 2, 9, 3),
    "yoxii": ({}, 1, 6, 2),
    "zola": ({"size": 4}, 2, 6, 2),
    "beams": ({"size": 3}, 2, 6, 3),
    "cards": ({"fifth": "Ox"}, 2, 8, 3),
    "dots": ({}, 2, 8, 3),
    "guards": ({}, 2, 9, 4),
    "hex_sides": ({"size": 3}, 2, 8, 3),
    "morris": ({}, 1, 4, 1),
    "off": ({"blots": True}, 2, 10, 3),
    "pushers": ({}, 1, 4, 2),
    "rook": ({}, 1, 5, 2),
    "shift": ({}, 2, 8, 2),
    "y": ({"size": 3}, 2, 6, 3),
    "zoo": ({"speed": "fast"}, 1, 6, 3),
}
MORE_STEPS = {
    "battleship": 5_000_000,
    "lines_of_action": 600_000,
}  # where one question reads more phrases than others may
QUICK = (
    "cards",
    "connect_four",
    "dots",
    "hanoi",
    "hex_sides",
    "off",
    "phantom_tictactoe",
    "pig",
    "zola",
)
# And games that it does not play: for what they say, or because it takes too long.
TOO_LONG = {
    "antiyomacy",
    "blockade",
    "checkers",
    "chinese_checkers",
    "draughts",
    "draughts-international",
    "hearts",
    "lasca",
    "ludo",
    "provinces",
    "surakarta",
    "tak",
    "ultimate_tictactoe",
}
NOT_READ = {
    "backgammon": "Drawing in setup",
    "sokoban": "Drawing in setup",
    "chess": "Drawing in setup",
    "hexxagon": "Drawing in setup",
}  # and variants

# What the checker once read wrongly, and what the manual did not say: definitions, and a condition that holds.
FOUND = [
    ("define known(t: tint or none) = red in tint", "known(mark)"),
    ("define known(t: tint or none) = t = none", "known(none)"),
    ("define known(t: tint or none): int = if t = none then 7 else 1", "known(mark) = 7"),
    ("define known(s: cell or none) = {c: cell where c != s}", "(count c in known(spot)) = 9"),
    (
        "define free(s: cell or none): int = count c: cell where row(c) = 1 and c != s and at(c) = none",
        "free(spot) = 3",
    ),
    ("define free(s: cell or none) = first c: cell where row(c) = 1 and not c = s and at(c) = none", "free(spot) = a1"),
    ("", "a1 + south not in {a1, b1}"),
    ("", "not a1 + south != a1"),
    ("", "spot not in {a1, b1} and spot != a1"),
    ("", "(sum t: tint of 1 // (if t = red then 0 else 1)) = 2"),
    ("", "(most t: tint of 1 // (if t = red then 0 else 1)) = 1"),
    ("", "(most i in 1..2, j in 5..6) = 2"),
    ("", "(least i in 1..2, c in neighbours(a1)) = 1"),
    ("define low(n: 0..5): int = n", "not low(count c: cell where at(c) = none) != 5"),
]
PLACES = """\
game "Nothing anywhere"
players White, Black
board square 3 by 3
type tint = red, green, blue
state
  at(cell): player or none
  mark: tint or none
  spot: cell or none
move rest
stuck draw
"""


@dataclass
class Both:
    """The engines for one model, and the naive game that they are held against."""

    model: Model
    naive: Naive

    @cached_property
    def engines(self) -> list[Engine]:
        native = [native_engine(self.model, COMPILER, proof=False)] if COMPILER else []
        return [PrologEngine(self.model, INFERENCES, warm=None), *native]

    def position(self, state: bytes) -> Position:
        """A state in the words of the naive game."""
        words = notation.to_dict(self.model, state)
        values: dict[tuple[Any, ...], Any] = {}
        for place, _ in self.naive.places():
            values[place] = words["state"]
            for part in place:
                values[place] = values[place][str(part)]
        mover = words["mover"]
        players = self.naive.players
        before, kept = players[players.index(mover) - 1], words["state"].get("again")
        return Position(mover, mover if kept is True else kept or before, values)

    def same(self, state: bytes, expected: Position) -> bool:
        """Whether a state is a position; who has moved is part of it only where the model remembers that."""
        found = self.position(state)
        return found == (expected if "again" in self.model.slots else replace(expected, moved=found.moved))

    def ended(self, number: int, payoff: tuple[int, ...]) -> tuple[int, Paid]:
        """An ending as the naive game says it, by the line where it stands."""
        endings, players = self.model.endings, self.naive.players
        paid = {one: Fraction(value, self.model.payoff_unit) for one, value in zip(players, payoff, strict=True)}
        return (endings[number - 1].span.line if number <= len(endings) else 0), paid

    def compare(self, engine: Engine, state: bytes, position: Position) -> list[tuple[bytes, Position]]:
        """What follows a position, if all agree on it; nothing where it is an end, or a mistake of the rules."""
        where = f"{self.model.title}, {type(engine).__name__}, {position}"
        try:
            outcome = self.naive.outcome(position)
            moves = [] if outcome else self.naive.moves(position)
        except Mistake:
            with pytest.raises(EngineError):
                engine.expand(state)
            return []
        node = engine.expand(state)
        if node.payoff is None:
            assert outcome is None, where
        else:
            assert outcome == self.ended(node.ending, node.payoff), where
        self.compare_estimates(engine, state, position)
        self.compare_views(engine, state, position)
        found = [notation.move_dict(self.model, move) for move in node.moves]
        assert [(move["kind"], move["params"]) for move in found] == [(kind, params) for kind, params, _ in moves], (
            where
        )
        assert node.weights == (None if outcome else each_as_tuple(self.naive.weights(position))), where
        children = list(node.children())
        for child, (kind, params, after) in zip(children, moves, strict=True):
            assert self.same(child, after), f"{where}: {kind} {params}: {self.position(child)}, should be {after}"
        return [(child, after) for child, (_, _, after) in zip(children, moves, strict=True)]

    def compare_estimates(self, engine: Engine, state: bytes, position: Position) -> None:
        """Where `evaluate` counts moves, not every engine sees that one of them cannot be carried out."""
        try:
            found = engine.estimate(state)
        except RuleMistake:
            with pytest.raises(Mistake):
                assert [self.naive.moves(replace(position, mover=player)) for player in self.naive.players]
            return
        with suppress(Mistake):
            assert self.naive.estimate(position) == found, position

    def compare_views(self, engine: Engine, state: bytes, position: Position) -> None:
        """What each player sees, where not all see all."""
        for number, player in enumerate(self.naive.players if self.model.secret else (), 1):
            seen = self.position(engine.view(state, number)).state
            assert seen == self.naive.view(position, player), (player, position)

    def judge(self, engine: Engine, state: bytes, past: list[Position]) -> None:
        """The end of a game by what `repeated` and `turns` count."""
        position = past[-1]

        def times(ignored: tuple[str, ...]) -> int:
            return sum(self.known_by(one, ignored) == self.known_by(position, ignored) for one in past)

        turns = sum(after.mover != after.moved for after in past[1:])
        found = engine.judge(state, turns, times(self.ignored))
        ended = None if found is None else self.ended(found[0], payoffs(found[1], len(self.naive.players)))
        assert ended == self.naive.outcome(position, turns, times), (position, turns)

    @property
    def ignored(self) -> tuple[str, ...]:
        return next((ending.ignoring for ending in self.model.endings if ending.repeated is not None), ())

    def known_by(self, position: Position, ignored: tuple[str, ...]) -> Any:
        """What is equal where a position occurs again."""
        state = {place: value for place, value in position.state.items() if place[0] not in ignored}
        return state, None if "mover" in ignored else position.mover

    def play(self, seed: int, games: int, length: int, anywhere: int = 0) -> int:
        """Random games, and positions with any values; how many positions were compared."""
        chance, seen = random.Random(seed), 0
        for number in range(games):
            for engine in self.engines:
                begin = self.start(engine, number)
                past = [] if begin is None else [begin[1]]
                follow = random.Random(f"{seed} {number}")
                for _ in range(length if begin else 0):
                    children = self.compare(engine, *begin)
                    seen += 1
                    if not children:
                        break
                    if self.model.remembers:
                        self.judge(engine, begin[0], past)
                    begin = follow.choice(children)
                    past.append(begin[1])
        for number in range(anywhere):
            state = any_state(self.model, chance, 40 * number)
            for engine in self.engines:
                self.compare(engine, state, self.position(state))
                seen += 1
        return seen

    def start(self, engine: Engine, seed: int) -> tuple[bytes, Position] | None:
        """How a game begins; None where the rules cannot be carried out."""
        try:
            position = self.naive.start(seed)
        except Mistake:
            with pytest.raises(EngineError):
                engine.start(seed)
            return None
        state = engine.start(seed)
        assert self.same(state, position), (self.position(state), position)
        return state, position


def each_as_tuple(weights: list[int] | None) -> tuple[int, ...] | None:
    return None if weights is None else tuple(weights)


def any_state(model: Model, chance: random.Random, percent: int) -> bytes:
    """A state in which so many places of a hundred hold any value."""
    state = notation.blank(model)
    for slot, args, values in places(model):
        if chance.randrange(100) < percent:
            state = with_value(state, slot, args, chance.choice(values))
    return state


def read(text: str, **options: Any) -> Both:
    return Both(pysolve.load(text, **options).model, Naive(text, **options))


@pytest.mark.parametrize("name", slow_but(QUICK, GAMES, late=["abalone", "battleship"]))
def test_games_are_played_by_the_manual(name: str) -> None:
    options, games, length, anywhere = GAMES[name]
    both = read(SHELF[name].read_text(encoding="utf-8"), **options)
    both.naive.most_steps = MORE_STEPS.get(name, both.naive.most_steps)
    assert both.play(1, fewer(games), length, fewer(anywhere))


def test_the_games_that_are_left_out_are_known() -> None:
    """No game drops out of what is compared without a word."""
    texts = {name: path.read_text(encoding="utf-8") for name, path in SHELF.items()}
    variants = {name for name, text in texts.items() if re.search('^game ".*" extends ', text, re.MULTILINE)}
    assert {*GAMES, *TOO_LONG, *NOT_READ, *variants} == {*SHELF}
    for name in NOT_READ.keys() | variants:
        with pytest.raises(NotCovered, match=f"^{NOT_READ.get(name, 'a variant')}$"):
            Naive(texts[name]).start()


@pytest.mark.parametrize(("definition", "condition"), FOUND)
def test_what_was_found_stays_mended(definition: str, condition: str) -> None:
    both = read(f"{PLACES}{definition}\nmove found\n  when {condition}\n")
    assert both.play(1, games=1, length=1)
    assert [kind for kind, _, _ in both.naive.moves(both.naive.start())] == ["rest", "found"]


# With so many seats as an option says: an option stands before or behind the players, who may be a sum or a choice.
SEATED = """\
game "As many as sit there"
option more = off
option seats = 2 in {2, 3}
players (if more then seats + 1 else seats) of Red, Blue, Green, Yellow
  out when points(mover) > 1 and points(Red) < 2
option first = Red in {Red, Blue, Green}
board square 3 by 1
table player  home  rival
  Red         a1    Blue
  Blue        b1    Green
  Green       c1    Yellow
  Yellow      a1    Red
state
  at(cell): player or none
  points(player): 0..seats + 2
setup
  mover := first
  for p: player where p in {Red, Yellow}: points(p) := 1
move place(to: cell) as "{to}"
  when at(to) = none and (to != home(mover) or rival(mover) = Green)
  do
    at(to) := mover
    points(mover) := points(mover) + 1
    if at(home(Green)) = Blue
      turn to next(Green)
stuck
  rank points, then stones
end
  Yellow wins when at(a1) = Green
  Green loses when points(Green) = 3
define stones(p: player) = count c: cell where at(c) = p
"""


@pytest.mark.parametrize("options", [{}, {"seats": 3, "first": "Green"}, {"more": True}, {"seats": 3, "more": True}])
def test_as_many_play_as_an_option_says(options: dict[str, Any]) -> None:
    both = read(SEATED, **options)
    assert len(both.naive.players) == options.get("seats", 2) + options.get("more", False)
    assert both.play(1, games=4, length=5, anywhere=6) > 20


@pytest.mark.long
def test_chinese_checkers_is_played_by_the_manual() -> None:
    both = read(SHELF["chinese_checkers"].read_text(encoding="utf-8"), seats=3)
    both.naive.most_steps = 10_000_000
    assert both.play(1, games=1, length=1)


SEATS = (3, 4, 2, 1, 5)


def drawn(
    seeds: range, seats: tuple[int, ...] = (), rolls: bool = False, pays: bool = False, secrets: bool = False
) -> int:
    """Compares rules drawn from some seeds, for `seats` in turn, perhaps with chance, with payoffs that are numbers, or
    with secrets; how many were accepted, and short enough."""
    accepted = 0
    for seed in seeds:
        sits = seats[seed % len(seats)] if seats else None
        text = random_rules(random.Random(seed), sits, rolls, pays, secrets)
        try:
            assert read(text).play(seed, games=2, length=5, anywhere=2)
            accepted += 1
        except (RulesError, LimitReached):
            continue
        except NotCovered as error:
            assert str(error) == "a question that takes so long", text  # noqa: PT017
        except (AssertionError, pytest.fail.Exception) as error:
            raise AssertionError(f"{error}\n\n{text}") from None
    return accepted


LATE = [(first, 25) for first in range(25, 100, 25)]  # what --all has tried some of


MORE = [(first, 15) for first in range(0, 45, 15)]


@pytest.mark.parametrize(("first", "count"), slow_but([(2, 5)], [(2, 5), (7, 5), (12, 7), *MORE], late=MORE))
def test_random_rules_mean_what_the_manual_says(first: int, count: int) -> None:
    assert drawn(range(first, first + count)) >= count * 6 // 15


@pytest.mark.parametrize(
    ("first", "count"), slow_but([(0, 10)], [(0, 10), *((n, 25) for n in range(0, 100, 25))], late=LATE)
)
def test_random_rules_of_one_to_five_players_mean_what_the_manual_says(first: int, count: int) -> None:
    assert drawn(range(first, first + count), seats=SEATS) >= count * 8 // 25


@pytest.mark.parametrize(
    ("first", "count"), slow_but([(0, 6)], [(0, 6), *((n, 25) for n in range(0, 100, 25))], late=LATE)
)
def test_random_rules_with_chance_mean_what_the_manual_says(first: int, count: int) -> None:
    assert drawn(range(first, first + count), seats=SEATS, rolls=True) >= count * 6 // 25


@pytest.mark.parametrize(
    ("first", "count"), slow_but([(0, 6)], [(0, 6), *((n, 25) for n in range(0, 100, 25))], late=LATE)
)
def test_random_rules_that_pay_mean_what_the_manual_says(first: int, count: int) -> None:
    assert drawn(range(first, first + count), seats=SEATS, pays=True) >= count * 6 // 25


@pytest.mark.parametrize(
    ("first", "count"), slow_but([(0, 6)], [(0, 6), *((n, 25) for n in range(0, 100, 25))], late=LATE)
)
def test_random_rules_with_secrets_mean_what_the_manual_says(first: int, count: int) -> None:
    assert drawn(range(first, first + count), seats=SEATS, rolls=True, secrets=True) >= count * 4 // 25


@pytest.mark.long
@pytest.mark.parametrize("first", range(100, 800, 20))
def test_more_random_rules_of_one_to_five_players_mean_what_the_manual_says(first: int) -> None:
    assert drawn(range(first, first + 20), seats=SEATS) >= 8


@pytest.mark.parametrize("first", slow_but((), range(45, 145, 25), late=range(70, 145, 25)))
def test_more_random_rules_mean_what_the_manual_says(first: int) -> None:
    assert drawn(range(first, first + 25)) >= 10


@pytest.mark.long
@pytest.mark.parametrize("first", range(145, 1545, 50))
def test_many_random_rules_mean_what_the_manual_says(first: int) -> None:
    assert drawn(range(first, first + 50)) >= 20
