"""What nobody chooses: moves of chance, their weights, and who draws them."""

from __future__ import annotations

import json
from collections import Counter
from fractions import Fraction
from pathlib import Path
from random import Random

import pytest
from typer.testing import CliRunner

import pysolve
from pysolve.authoring.tags import mechanisms
from pysolve.cli.app import app
from pysolve.dsl.analysis.sampling import by_weight
from pysolve.engines.native import native_engine
from pysolve.engines.prolog import PrologEngine
from pysolve.engines.protocol import DoesNotApply, Engine, LimitReached, State
from pysolve.lab.analysis import Limits, best_moves
from pysolve.lab.games import Job, Rules, play_game
from pysolve.notation.record import read, replay, write
from pysolve.players.session import Session
from pysolve.search.decide import decide
from pysolve.search.maxn import maxn
from pysolve.search.mcts import Settings, mcts
from pysolve.search.minimax import minimax
from pysolve.search.playouts import game_lots, playouts
from pysolve.search.proof_number import prove
from pysolve.search.retrograde import retrograde
from pysolve.search.searcher import value_of_end
from pysolve.search.value_iteration import expectation
from tests.games import slow_but
from tests.oracles import einstein

WEIGHED = """\
game "Weighed"
players Red, Blue
state
  n: 0..20
  drawn: bool
  left(1..3): 0..4
setup
  for k in 1..3: left(k) := k
chance deal(k: 1..3) as "{k}"
  when not drawn
  weight left(k)
  do
    left(k) := left(k) - 1
    n := n + k
    drawn := true
chance blank
  when
    not drawn
    n > 2
  weight 2
  do drawn := true
move go
  do drawn := false
end
  mover wins when n > 8
  draw when turns >= 12
"""


@pytest.fixture(scope="module")
def weighed() -> pysolve.Game:
    return pysolve.load(WEIGHED)


def engines(game: pysolve.Game) -> tuple[PrologEngine, object]:
    return PrologEngine(game.model), native_engine(game.model, "tcc", proof=False)


def test_where_chance_moves_nobody_else_does(weighed: pysolve.Game) -> None:
    position = weighed.start()
    assert position.chance
    assert list(position.legal_moves) == []
    assert [(str(move), likely) for move, likely in position.chance_moves] == [
        ("1", Fraction(1, 6)), ("2", Fraction(1, 3)), ("3", Fraction(1, 2))]  # fmt: skip
    after = position.play("3")
    assert not after.chance
    assert after.to_move == "Red"  # chance does not pass the turn
    assert after.chance_moves == []
    assert [str(move) for move in after.legal_moves] == ["go"]


def test_a_weight_of_zero_is_not_possible(weighed: pysolve.Game) -> None:
    position = weighed.start().play("1").play("go")
    assert [str(move) for move, _ in position.chance_moves] == ["2", "3"]
    reasons = [reason.reason for _, found in position.why("1").kinds for reason in found if not reason.holds]
    assert reasons == ["its weight is 0"]


def test_several_kinds_share_one_draw(weighed: pysolve.Game) -> None:
    position = weighed.start().play("3").play("go")
    assert sum(likely for _, likely in position.chance_moves) == 1
    assert dict((str(move), likely) for move, likely in position.chance_moves)["blank"] == Fraction(2, 7)


def test_a_draw_follows_the_weights(weighed: pysolve.Game) -> None:
    start, rng = weighed.start(), Random(1)
    counts = Counter(str(start.draw(rng)) for _ in range(6000))
    assert [round(counts[word] / 1000) for word in "123"] == [1, 2, 3]
    assert start.play_chance(5) == start.play(start.draw(5))
    with pytest.raises(IndexError, match="nothing is left to chance"):
        start.play("1").draw(1)


def test_a_lot_falls_on_a_weight() -> None:
    assert [by_weight(lot << 61, (1, 0, 2, 5)) for lot in range(8)] == [0, 2, 2, 3, 3, 3, 3, 3]
    assert by_weight(2**64 - 1, (1, 0)) == 0


@pytest.mark.parametrize("name", slow_but(["pig"], ["pig", "einstein_wuerfelt_nicht"]))
def test_random_games_are_the_same_on_every_engine(name: str) -> None:
    game = pysolve.load(name, **({"target": 20} if name == "pig" else {}))
    found = {playouts(engine, engine.start(3), 20, 5) for engine in engines(game)}  # type: ignore[attr-defined]
    assert len(found) == 1


def test_random_games_draw_by_weight_on_every_engine(weighed: pysolve.Game) -> None:
    prolog, native = engines(weighed)
    state = prolog.start()
    for seed in range(3):
        assert playouts(prolog, state, 20, seed) == playouts(native, state, 20, seed)  # type: ignore[arg-type]
    node = native.expand(state)  # type: ignore[attr-defined]
    assert node.weights == prolog.expand(state).weights == (1, 2, 3)
    assert prolog.expand(node.child(0)).weights is None
    assert by_weight(next(game_lots(4)), node.weights) in range(3)


def test_the_referee_draws_by_the_seed_of_the_game() -> None:
    game = pysolve.load("pig", target=15)
    jobs = [Job(1, ("random", "random"), (0, 1), lots, 9, Rules(opening=0)) for lots in (3, 3, 4)]
    one, same, other = (play_game(game, job) for job in jobs)
    assert one.record.moves == same.record.moves != other.record.moves
    assert one.chance
    assert sum(one.chosen) < one.length  # what is rolled nobody chose


def test_a_roll_that_is_taken_back_is_rolled_again_alike() -> None:
    session = Session(pysolve.load("pig").start(), {"White": None, "Black": None}, lots=8)
    session.play(session.position.parse("roll"))
    rolled = session.rolled()
    session.play(rolled)
    assert session.undo() == 2  # the roll, and the move of the player before it
    session.play(session.position.parse("roll"))
    assert session.rolled() == rolled


def test_a_record_keeps_what_was_rolled() -> None:
    game = pysolve.load("pig", target=12)
    record = play_game(game, Job(1, ("random", "random"), (0, 1), 2, 3, Rules(opening=0))).record
    moves = [move for move, _ in replay(read(write(record)), game)]
    assert "die" in {move.kind for move in moves}


def test_what_cannot_wait_for_chance_says_so() -> None:
    game = pysolve.load("pig")
    engine, state = game.engine, game.start().state
    with pytest.raises(DoesNotApply, match="does not apply: in Pig, die is left to chance; nobody can force"):
        prove(engine, state, 1, 1000)
    with pytest.raises(DoesNotApply, match="alpha-beta does not apply: in Pig, die is left to chance"):
        decide(engine, state, 1, 1000)
    with pytest.raises(DoesNotApply, match="maxn does not apply: in Pig, die is left to chance; minimax and mcts"):
        maxn(engine, state, 2)
    with pytest.raises(DoesNotApply, match="a depth in turns does not apply to games with chance; minimax:depth=4"):
        minimax(engine, state, turns=2)
    with pytest.raises(DoesNotApply, match="nobody can force what is rolled"):
        retrograde(engine, state)


def plainest(engine: Engine, state: State, depth: int) -> int:
    """Expectiminimax in its plainest form."""
    node = engine.expand(state)
    if node.payoff is not None:
        return value_of_end(node.payoff[state[0] - 1], depth)
    if depth == 0:
        return engine.estimate(state)[state[0] - 1]
    values = [(1 if child[0] == state[0] else -1) * plainest(engine, child, depth - 1) for child in node.children()]
    if node.weights is None:
        return max(values)
    return sum(weight * value for weight, value in zip(node.weights, values, strict=True)) // sum(node.weights)


@pytest.mark.parametrize(
    ("name", "depth"), slow_but([("pig", 5)], [("pig", 5), ("pig", 7), ("einstein_wuerfelt_nicht", 5)])
)
def test_expectiminimax_finds_what_its_plainest_form_finds(name: str, depth: int) -> None:
    game = pysolve.load(name, **({"target": 14} if name == "pig" else {}))
    prolog, native = engines(game)
    for seed in range(4):
        position, rng = game.start(seed), Random(seed)
        for _ in range(3 * seed):
            position = position if position.is_over else position.play(position.random_move(rng))
        if position.is_over:
            continue
        found = [minimax(engine, position.state, depth) for engine in (prolog, native)]  # type: ignore[arg-type]
        assert found[0].value == plainest(native, position.state, found[0].depth)  # type: ignore[arg-type]
        assert [(one.value, one.line, one.nodes) for one in found[1:]] == [
            (one.value, one.line, one.nodes) for one in found[:1]]  # fmt: skip


def test_trees_of_random_games_wait_for_chance() -> None:
    game = pysolve.load("pig", target=8)
    prolog, native = engines(game)
    state = game.position("position White, score(White) = 7, gained = 0, score(Black) = 7").state
    for settings in (Settings(), Settings(grave=5, prior=2)):
        found = [mcts(engine, state, 300, seed=3, settings=settings) for engine in (prolog, native)]  # type: ignore[arg-type]
        assert (found[0].value, found[0].line, found[0].moves) == (found[1].value, found[1].line, found[1].moves)
        assert found[0].line == ((0,),)  # what follows is left to chance


def test_cards_and_tags_know_chance() -> None:
    assert "chance" in mechanisms(pysolve.load("pig").model)
    assert "chance" not in mechanisms(pysolve.load("nim").model)


def test_einstein_is_what_it_is_said_to_be() -> None:
    game = pysolve.load("einstein_wuerfelt_nicht")
    starts = [game.start(seed) for seed in range(40)]
    assert all(einstein.is_initial(position.to_dict()) for position in starts)
    assert len({position.state for position in starts}) == 40
    position = starts[7]
    assert [likely for _, likely in position.chance_moves] == [Fraction(1, 6)] * 6
    while not position.is_over:
        position = position.play_chance(1) if position.chance else position.play(position.legal_moves[0])
    assert position.outcome is not None


PIGLET = """\
game "Piglet"
option target = 2 in 1..20
players White, Black
state
  score(player): 0..target
  gained: 0..target
  flipping: bool
move flip
  do
    flipping := true
    again
move hold
  do
    score(mover) := score(mover) + gained
    gained := 0
chance coin(heads: 0..1) as "{heads}"
  when flipping
  do
    flipping := false
    gained := if heads = 0 then 0 else min(gained + 1, target - score(mover))
    turn to if heads = 0 then next(mover) else mover
end mover wins when score(mover) = target
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("i", "j", "k", "wins"),
    [(0, 0, 0, Fraction(4, 7)), (0, 0, 1, Fraction(5, 7)), (0, 1, 0, Fraction(2, 5)), (0, 1, 1, Fraction(3, 5)),
     (1, 0, 0, Fraction(4, 5)), (1, 1, 0, Fraction(2, 3))],
)  # fmt: skip
def test_piglet_is_worth_what_neller_and_presser_found(i: int, j: int, k: int, wins: Fraction) -> None:
    game = pysolve.load(PIGLET)
    position = game.position(f"position White, score(White) = {i}, score(Black) = {j}, gained = {k}")
    found = expectation(game.engine, position.state)
    assert found.low <= 2 * wins - 1 <= found.high
    assert found.high - found.low <= Fraction(1, 10**9)


def pig_by_hand(target: int) -> float:
    """How likely the first player wins pig with best play: value iteration over own, other and gained points."""
    wins = {(i, j, k): 0.0 for i in range(target) for j in range(target) for k in range(target - i)}

    def won(i: int, j: int, k: int) -> float:
        return 1.0 if i + k >= target else wins[i, j, k]

    moved = 1.0
    while moved > 1e-12:
        moved = 0.0
        for (i, j, k), before in wins.items():
            roll = ((1 - wins[j, i, 0]) + sum(won(i, j, k + n) for n in range(2, 7))) / 6
            hold = 1 - won(j, i + k, 0) if i + k < target else 1.0
            wins[i, j, k] = max(roll, hold)
            moved = max(moved, abs(wins[i, j, k] - before))
    return wins[0, 0, 0]


@pytest.mark.slow
@pytest.mark.parametrize("target", slow_but([6], [6, 10, 14], late=[14]))
def test_pig_is_worth_what_value_iteration_by_hand_finds(target: int) -> None:
    game = pysolve.load("pig", target=target)
    found = expectation(game.engine, game.start().state)
    assert float(found.low) - 1e-9 <= 2 * pig_by_hand(target) - 1 <= float(found.high) + 1e-9


def test_a_game_that_cannot_go_on_for_ever_is_worth_a_fraction() -> None:
    game = pysolve.load("""\
game "Higher"
players White, Black
state
  shown(player): 0..6
chance roll(n: 1..6) as "{n}"
  when shown(mover) = 0
  do shown(mover) := n
move again_please as "again"
  when shown(mover) < 6
  do
    shown(mover) := shown(mover) + 1
    shown(next(mover)) := 6
move stand
  when shown(next(mover)) = 0
stuck most shown, else draw
""")
    assert expectation(game.engine, game.start().state).exact


def test_somebody_may_type_what_real_dice_show() -> None:
    words = ["play", "pig", "--second", "human", "--dice", "ask", "--quiet"]
    said = (
        CliRunner().invoke(app, words, input="roll\n7\n5\nhold\nquit\n", env={"NO_COLOR": "1", "COLUMNS": "80"}).output
    )
    assert '"7" cannot be rolled here; type one of  1, 2, 3, 4, 5, 6' in said
    assert "2. White die 5" in said
    assert "Left after 3 moves, Black to move." in said


def test_best_says_where_nobody_chooses() -> None:
    found = CliRunner().invoke(app, ["best", "pig", "--play", "roll"], env={"NO_COLOR": "1", "COLUMNS": "200"})
    assert found.exit_code == 2
    assert "chance moves here, and no player: add to --play what happens, as in  1" in found.output
    best, moves = best_moves(pysolve.load("pig").start().play("roll"), Limits(depth=2), 3)
    assert (best.line, moves) == ((), [])


def test_what_is_rolled_is_no_mistake(tmp_path: Path) -> None:
    """An analysis judges the moves of players alone, under the numbers that all moves of the game have."""
    game = pysolve.load("pig", target=10)
    record = play_game(game, Job(1, ("random", "random"), (0, 1), 2, 3, Rules(opening=0))).record
    file = tmp_path / "pig.txt"
    file.write_text(write(record), encoding="utf-8")
    words = ["analyse", str(file), "--depth", "2"]
    found = CliRunner().invoke(app, [*words, "--json"], env={"NO_COLOR": "1"})
    position, chosen = game.start(), list[tuple[int, str]]()
    for number, text in enumerate(record.moves, 1):
        chosen += [] if position.chance else [(number, str(text))]
        position = position.play(str(text))
    assert [(one["number"], one["move"]) for one in json.loads(found.output)["moves"]] == chosen
    shown = CliRunner().invoke(app, words, env={"NO_COLOR": "1", "COLUMNS": "200"}).output
    assert f"{chosen[-1][0]:>4}. " in shown
    assert "The winner: " in shown


def test_values_have_a_time() -> None:
    game = pysolve.load("pig", target=10)
    with pytest.raises(LimitReached, match=r"the time is over, and more than [\d,]+ positions can be reached"):
        expectation(game.engine, game.start().state, seconds=0)


@pytest.mark.slow
def test_values_that_are_interrupted_have_bounds() -> None:
    """Positions are found, and then Ctrl-C comes while they are valued; before, there is nothing to tell."""
    game = pysolve.load("pig", target=10)
    told: list[int] = []

    def interrupt(number: int) -> None:
        told.append(number)
        if len(told) > 1 and not number:
            raise KeyboardInterrupt

    found = expectation(game.engine, game.start().state, tick=interrupt)
    known = expectation(game.engine, game.start().state)
    assert (found.interrupted, found.stopped, found.best) == (True, True, None)
    assert (known.interrupted, known.stopped) == (False, False)
    assert found.low <= known.low <= known.high <= found.high
    assert found.positions == known.positions == 1710

    def at_once(_: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        expectation(game.engine, game.start().state, tick=at_once)
