"""Solving up to the symmetries of the rules: the values, lines and proofs are those that are found without them.

The judge is the table of all positions, each for itself; and the replay of proofs, which knows nothing of symmetries.
"""

from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from random import Random
from typing import Any

import pytest
from typer.testing import CliRunner

import pysolve
from pysolve.cli.app import app
from pysolve.dsl.analysis.symmetries import symmetries, symmetries_of_play
from pysolve.engines.protocol import Engine, State
from pysolve.game import Game
from pysolve.lab import proofs
from pysolve.lab.pairs import paired
from pysolve.lab.solving import EXHAUSTIVE, PROOF_NUMBER, Limits, solve
from pysolve.runtime.cancellation import Abandoned, abandoned_when
from pysolve.search.canonical import NONE, Renamings, renamings_of
from pysolve.search.proof_number import TableFull, prove
from pysolve.search.retrograde import Table, TooManyStates, retrograde
from pysolve.search.value_iteration import expectation
from tests.games import PUBLIC, each, load, slow_but
from tests.test_chance import PIGLET
from tests.test_pay import COINS
from tests.test_solver import CIRCLES, NIM, Plain

pytestmark = pytest.mark.slow

MOST = 20_000  # positions of a table


def states_of(engine: Engine, start: State) -> Iterator[State]:
    """All positions that can be reached."""
    met, todo = {start}, [start]
    while todo:
        yield (state := todo.pop())
        after = set(engine.expand(state).children()) - met
        met |= after
        todo += after


def agree(game: Game, start: State, engine: Engine | None = None) -> tuple[int, int]:
    """Compares what all positions are worth; how many there are, and how many up to symmetries."""
    plain = retrograde(game.engine, start, MOST)
    short = retrograde(engine or game.engine, start, MOST, symmetries=renamings_of(game.model))
    for state in states_of(game.engine, start):
        assert short.worth(state) == plain.worth(state)
    return len(plain), len(short)


# The positions of games; the 5478 of tic-tac-toe and the 765 up to symmetries are well known.
COUNTS: list[tuple[str, dict[str, Any], int, int | None]] = [
    ("tictactoe", {}, 5478, 765),
    ("tictactoe-misere", {}, 5478, 765),
    ("hex", {"size": 3}, 5514, None),
    ("conga", {"pile": 1}, 480, None),
    ("kalah", {"pits": 3, "seeds": 2}, 4001, 4001),
]


@pytest.mark.parametrize(("name", "options", "count", "less"), slow_but((), COUNTS))
def test_positions_are_counted_up_to_symmetries(
    name: str, options: dict[str, Any], count: int, less: int | None
) -> None:
    game = load(name, **options)
    start, found = game.start().state, symmetries(game.model, setup=False, evaluation=False)
    classes = {frozenset(one.state(state) for one in found) for state in states_of(game.engine, start)}
    assert less in (None, len(classes))
    assert agree(game, start) == (count, len(classes))


@pytest.mark.parametrize("text", [CIRCLES, NIM])
def test_players_are_exchanged(text: str) -> None:
    """Where both may be to move in the same position, one of the two is left."""
    game = pysolve.load(text)
    group = renamings_of(game.model)
    assert group.order == 2
    assert group.keeping_players == NONE
    count, less = agree(game, game.start().state)
    assert less < 0.6 * count


def near_the_end(game: Game, chance: Random) -> State | None:
    """A position of a random game, so near to its end that all that follow it can be compared; None if it has none."""
    engine, way = game.engine, [game.engine.start(chance.randrange(100))]
    for _ in range(500):
        node = engine.expand(way[-1])
        if not node.moves:
            break
        way.append(node.child(chance.randrange(len(node.moves))))
    best, step = None, 1
    while step < len(way):
        try:
            retrograde(engine, way[-1 - step], 2000)
        except TooManyStates:
            break
        best, step = way[-1 - step], 2 * step
    return best


def is_solved_by_positions(game: Game) -> bool:
    model = game.model
    return len(game.players) <= 2 and not (model.chances or model.pays or model.secret or model.timed)


@pytest.mark.parametrize("path", each(PUBLIC, quick=()))
def test_every_game_is_worth_the_same_near_its_end(path: object) -> None:
    game = load(path)  # type: ignore[arg-type]
    if not is_solved_by_positions(game):
        pytest.skip("it is not solved by positions")
    for seed in range(3):
        start = near_the_end(game, Random(seed))
        if start is not None:
            agree(game, start)


SOLVED: list[tuple[str, dict[str, Any]]] = [
    ("tictactoe", {}), ("conga", {"pile": 1}), ("othello", {"size": 4}), ("clobber", {"width": 3, "height": 3}),
    ("hex", {"size": 3}), ("breakthrough", {"width": 2, "height": 5}), ("connect_four", {"width": 4, "height": 4}),
    ("peg_solitaire", {}), ("hanoi", {}), ("hare_and_hounds", {}), ("nim", {}),
    ("connect_four-cylinder", {"width": 4, "height": 4}),
    ("othello-reversi", {"size": 4}), ("clobber", {"width": 4, "height": 3}), ("go", {"size": 3}),
]  # fmt: skip


@cache
def both(number: int, method: str) -> tuple[Any, Any]:
    name, options = SOLVED[number]
    start, limits = load(name, **options).start(), Limits(states=500_000, visits=2_000_000)
    return tuple(solve(start, method, limits, symmetries=on) for on in (True, False))  # type: ignore[return-value]


@pytest.mark.slow
@pytest.mark.parametrize("number", range(len(SOLVED)), ids=[name for name, _ in SOLVED])
def test_solutions_and_proofs_are_those_without_symmetries(number: int) -> None:
    if SOLVED[number][0] != "peg_solitaire":
        short, plain = both(number, EXHAUSTIVE)
        assert (short.claims, short.line) == (plain.claims, plain.line)
        assert short.positions <= plain.positions
        if plain.positions < 50_000:
            assert list(proofs.write(short.proof("x"))) == list(proofs.write(plain.proof("x")))
    short, plain = both(number, PROOF_NUMBER)
    assert [(one.player, one.wins) for one in short.claims] == [(one.player, one.wins) for one in plain.claims]
    assert short.is_solved
    seen = list(proofs.replay(proofs.read(proofs.write(short.proof("x"))), short.position.game))
    assert len(seen) == len(short.claims)
    if len(short.position.game.players) == 2:
        assert short.line[:1] == () or short.line[0] in short.position.legal_moves


@pytest.mark.slow
@pytest.mark.parametrize("name", ["tictactoe", "hex", "conga"])
def test_both_engines_keep_the_same_positions(name: str) -> None:
    game = load(name, **{"hex": {"size": 3}, "conga": {"pile": 1}}.get(name, {}))
    start, group = game.start().state, renamings_of(game.model)
    there, here = (retrograde(one, start, symmetries=group) for one in (game.engine, Plain(game)))
    for part in ("values", "distances", "first", "after"):
        assert list(getattr(there, part)) == list(getattr(here, part))
    for state in list(states_of(game.engine, start))[::20]:
        assert there.place(state) == here.place(state)
        for player in (1, 2):
            found, other = (prove(one, state, player, 10_000, symmetries=group) for one in (game.engine, Plain(game)))
            assert (found, found.plan) == (other, other.plan)
            worth = here.worth(state)
            assert worth is not None
            assert found.wins is (worth.value == (1 if player == 1 else -1))
            if found.first is not None:
                assert found.plan[state] == found.first


def test_what_cannot_be_reached_has_no_place() -> None:
    game = load("tictactoe")
    start = game.start().play("b2").state
    for engine in (game.engine, Plain(game)):
        table = retrograde(engine, start, symmetries=renamings_of(game.model))
        assert table.worth(game.start().state) is None
        assert table.worth(game.start().play("b2").play("a1").state) == (0, 0)


@pytest.mark.parametrize("symmetries", [True, False])
def test_where_the_game_is_over_no_first_move_is_named(symmetries: bool) -> None:
    game = load("tictactoe")
    over = game.start().play("c3").play("a1").play("c2").play("a2").play("c1")
    group = renamings_of(game.model) if symmetries else NONE
    for engine in (game.engine, Plain(game)):
        assert not symmetries or group.least(over.state) != over.state
        won, lost = (prove(engine, over.state, player, 100, symmetries=group) for player in (1, 2))
        assert (won.wins, won.first, won.plan) == (True, None, {})
        assert (lost.wins, lost.first, lost.plan) == (False, None, {})


@pytest.mark.slow
def test_limits_count_what_is_kept() -> None:
    game = load("connect_four", width=4, height=4)
    start, group = game.start().state, renamings_of(game.model)
    count = len(retrograde(game.engine, start, symmetries=group))
    assert 161_029 / 2 < count < 161_029 * 0.51
    assert len(retrograde(game.engine, start, count, symmetries=group)) == count
    with pytest.raises(TooManyStates):
        retrograde(game.engine, start, count - 1, symmetries=group)
    with pytest.raises(TableFull):
        prove(game.engine, start, 1, 1000, symmetries=group)


# ----------------------------------------------------------------------------- broken in a single place

FAIR = """\
game "Three in a row"
players Cross, Circle
board square 3 by 3
state
  at(cell): player or none
move put(to: cell) as "{to}"
  when
    at(to) = none
  do
    at(to) := mover
stuck draw
end
  mover wins when some c: cell, d in {north, northeast, east, southeast} has every k in 0..2 has at(c + k * d) = mover
"""

# What is written in the place of a line; symmetries, and positions up to them.
BROKEN = [
    ("", "", 16, 765),
    ("    at(to) = none\n", "    at(to) = none\n    to != a1\n", 4, None),  # a place
    ("    at(to) = none\n", "    at(to) = none\n    to != b1 or mover = Circle\n", 2, None),  # of one player
    ("d in {north, northeast, east, southeast}", "d in {north, northeast, east}", 8, None),  # a direction
    ("stuck draw", "stuck Circle wins", 8, 765),  # players are no longer alike
    ("stuck draw", "stuck mover loses", 16, 765),
    ("    at(to) := mover\n", "    at(to) := mover\n    if to = c3\n      again\n", 4, None),
    ("k * d) = mover\n", "k * d) = mover\n  Circle wins when at(b2) = Cross and at(a1) = Cross\n", 2, None),
]


@pytest.mark.parametrize(("line", "other", "order", "count"), slow_but((), BROKEN))
def test_rules_that_break_a_symmetry_in_one_place(line: str, other: str, order: int, count: int | None) -> None:
    assert not line or FAIR.count(line) == 1
    game = pysolve.load(FAIR.replace(line, other) if line else FAIR)
    assert renamings_of(game.model).order == order
    every, less = agree(game, game.start().state)
    assert count in (None, less)
    assert every / order <= less < every
    for on in (True, False):
        assert solve(game.start(), PROOF_NUMBER, symmetries=on).winner == solve(game.start(), EXHAUSTIVE).winner


# No line of play mentions the lamp; who has moved last is kept likewise, and an ending reads it.
LAMP = """\
game "Lamp"
players White, Black
board square 3 by 1
state
  at(cell): player or none
  lit: bool
setup lit := true
move put(to: cell) as "{to}"
  when at(to) = none
  do
    at(to) := mover
    if to = b1
      again
stuck draw
end
  mover wins when (count c: cell where at(c) != none) = 2
"""


def test_who_has_moved_is_exchanged_with_no_state_of_the_rules() -> None:
    game = pysolve.load(LAMP)
    assert "again" in game.model.slots
    assert renamings_of(game.model).order == 4  # left and right, players
    agree(game, game.start().state)


def test_symmetries_are_looked_for_until_the_time_is_over(monkeypatch: pytest.MonkeyPatch) -> None:
    """Those that are found by then are a group; that they may be too few is forgotten."""
    monkeypatch.setattr("pysolve.search.canonical._known", {})
    game, stages, steps = load("tictactoe"), list[str](), list[int]()
    assert renamings_of(game.model, until=0.0) == NONE
    with abandoned_when(lambda: True), pytest.raises(Abandoned):
        renamings_of(game.model)
    found = solve(game.start(), tick=steps.append, begun=lambda stage: stages.append(stage.what))
    assert (found.images, found.positions) == (16, 765)
    assert stages == ["possible symmetries", "reachable positions", "values of the positions"]
    assert steps[0] == 1  # while symmetries are looked for
    assert {one.byte_map for one in symmetries_of_play(game.model)} == {
        one.byte_map for one in symmetries(game.model, setup=False, evaluation=False)
    }


@pytest.mark.slow
def test_a_wrong_symmetry_would_be_noticed() -> None:
    """The comparison fails where a group is used that the rules do not have."""
    group = renamings_of(pysolve.load(FAIR).model)
    game = pysolve.load(FAIR.replace("d in {north, northeast, east, southeast}", "d in {north, northeast, east}"))
    start = game.start().state
    plain, wrong = retrograde(game.engine, start), retrograde(game.engine, start, symmetries=group)
    states = list(states_of(game.engine, start))
    assert any(wrong.worth(state) != plain.worth(state) for state in states)


def test_the_identity_alone_changes_nothing() -> None:
    game = load("tictactoe")
    start = game.start().state
    tables: list[Table] = [retrograde(one, start, symmetries=Renamings()) for one in (game.engine, Plain(game))]
    assert [len(table) for table in tables] == [5478, 5478]


# ----------------------------------------------------------------------------- with chance, and other questions


@pytest.mark.parametrize("position", [None, "position Black, score(White) = 0, score(Black) = 1, gained = 0"])
def test_what_can_be_expected_is_the_same(position: str | None) -> None:
    """Piglet: the players are exchanged, and what one of them can expect changes its sign."""
    game = pysolve.load(PIGLET)
    start = game.start() if position is None else game.position(position)
    group = renamings_of(game.model)
    assert group.order == 2
    plain = expectation(game.engine, start.state)
    short = expectation(game.engine, start.state, symmetries=group)
    assert short.positions < plain.positions
    assert max(plain.low, short.low) <= min(plain.high, short.high)
    assert short.high - short.low <= Fraction(1, 10**9)
    assert short.best == plain.best


@pytest.mark.slow
@pytest.mark.parametrize(("text", "options"), [(COINS, {"heap": 7}), ("pig", {"target": 6})])
def test_what_is_paid_or_rolled_is_expected_alike(text: str, options: dict[str, Any]) -> None:
    game = pysolve.load(text, **options)
    start, group = game.start().state, renamings_of(game.model)
    assert group.order == 2
    plain, short = expectation(game.engine, start), expectation(game.engine, start, symmetries=group)
    assert short.positions < plain.positions
    assert max(plain.low, short.low) <= min(plain.high, short.high)
    assert (short.exact, short.best) == (plain.exact, plain.best)


def test_positions_after_a_turn_are_listed_up_to_symmetries() -> None:
    """The first of each class, in the same order; tic-tac-toe begins in 3 ways, and goes on in 12."""
    start = load("tictactoe").start()
    first = list(start.turn_positions(symmetries=True))
    assert [str(position.line()) for position in first] == [".../.../X.. O", ".../.../.X. O", ".../.X./... O"]
    every = list(start.turn_positions())
    assert [one for one in every if one in first] == first
    after = {one.state for position in first for one in position.turn_positions(symmetries=True)}
    assert len(after) == 12


def test_the_command_turns_lists_them_too() -> None:
    said = CliRunner().invoke(app, ["turns", "tictactoe", "--distinct", "--symmetries", "--count"])
    assert said.stdout == "3 positions\n"
    said = CliRunner().invoke(app, ["turns", "tictactoe", "--symmetries"])
    assert said.exit_code == 2
    assert "--distinct" in said.stderr


def test_a_course_of_positions_is_known_by_any_image() -> None:
    game = load("tictactoe")
    found = symmetries(game.model, setup=False, evaluation=False)
    group = renamings_of(game.model)
    position, chance, course = game.start(), Random(3), list[State]()
    for _ in range(6):
        course.append(position.state)
        position = position.play(position.random_move(chance))
    keys = {group.least_course(map(one.state, course)) for one in found}
    assert keys == {min(tuple(map(one.state, course)) for one in found)}
    other = [*course[:-1], position.state]
    assert group.least_course(other) not in keys


@pytest.mark.slow
def test_pairs_that_are_images_of_each_other_count_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Five of six moves are random, so that not the order of moves decides what the players prefer."""
    monkeypatch.setattr("pysolve.lab.pairs.OPENING", 5)
    game = load("tictactoe", width=3, height=2)
    asked = game, "minimax:depth=2", "minimax:depth=1", 160, 1, 1
    *_, test = paired(*asked)
    monkeypatch.setattr("pysolve.lab.pairs.renamings_of", lambda _: NONE)
    *_, every = paired(*asked)
    assert 2 <= test.games < every.games <= 160


# ----------------------------------------------------------------------------- solved games

# Hex is won by the first, since a stone more never harms; 4x4 Amazons by the second (M. Müller, Solving 5x5 Amazons,
# 2001); connect four is drawn on these boards (J. Tromp).  The others agree with what is found without symmetries.
LARGER: list[tuple[str, dict[str, Any], str, str | None, int | None]] = [
    ("zola", {"size": 4}, EXHAUSTIVE, "Red", 19),
    ("zola", {"size": 4}, PROOF_NUMBER, "Red", None),
    ("conga", {"pile": 4}, EXHAUSTIVE, None, None),
    ("hex", {"size": 4}, EXHAUSTIVE, "Red", 9),
    ("hex", {"size": 4}, PROOF_NUMBER, "Red", None),
    ("connect_four", {"width": 5, "height": 4}, EXHAUSTIVE, None, None),
    ("connect_four", {"width": 5, "height": 5}, PROOF_NUMBER, None, None),
    ("breakthrough", {"width": 3, "height": 5}, EXHAUSTIVE, "Black", 18),
    ("breakthrough", {"width": 4, "height": 5}, PROOF_NUMBER, "Black", None),
    ("clobber", {"width": 4, "height": 4}, EXHAUSTIVE, "White", 11),
    ("amazons", {"size": 4}, PROOF_NUMBER, "Black", None),
]


@pytest.mark.long
@pytest.mark.parametrize(("name", "options", "method", "winner", "moves"), LARGER)
def test_larger_games_are_solved(
    name: str, options: dict[str, Any], method: str, winner: str | None, moves: int | None
) -> None:
    found = solve(load(name, **options).start(), method)
    assert (found.is_solved, found.winner) == (True, winner)
    assert found.claims[0].within == moves


# The end of a game between programs, 20 and 18 moves before Red won: the proof is replayed.
YOXII = [
    "~~.t.~~/~tTyT.~/#y.T.../tOooT../OT.X.../~yooO.~/~~OoO~~ White stock(White,1)=0 stock(White,2)=0 stock(White,4)=2 "
    "stock(Red,1)=0 stock(Red,2)=2 stock(Red,3)=2",
    "~~.t.~~/~tTyT.~/.yYT.../tOooT../OT#X.../~yooO.~/~~OoO~~ Red stock(White,1)=0 stock(White,2)=0 stock(White,3)=4 "
    "stock(White,4)=2 stock(Red,1)=0 stock(Red,2)=2 stock(Red,3)=2",
]


@pytest.mark.parametrize("line", slow_but([], YOXII, late=YOXII[:1]))
def test_the_end_of_yoxii_is_solved(line: str) -> None:
    game = load("yoxii")
    found = solve(game.position(line), PROOF_NUMBER)
    assert found.winner == "Red"
    (seen,) = proofs.replay(proofs.read(proofs.write(found.proof("yoxii"))), game)
    assert seen.longest is not None
