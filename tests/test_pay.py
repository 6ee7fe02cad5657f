"""Payoffs that are numbers: `pay` from the rules to results, searches, records, the lab and the adapters.

What is expected is computed by hand or by a few lines here that know nothing of pysolve: the game of coins is played to
its end by a minimax of its own, and sums that are to be proven are compared with sums of numbers.
"""

from __future__ import annotations

import json
import random
from fractions import Fraction
from functools import cache
from itertools import product

import pytest

import pysolve
from pysolve.authoring.examples import run
from pysolve.dsl import RulesError
from pysolve.dsl.language.constants import AMOUNTS, WIN
from pysolve.dsl.model.payoffs import DRAW, most_paid, paid, payoffs, places, winners
from pysolve.engines.protocol import DoesNotApply, RuleMistake
from pysolve.lab.analysis import Limits, best_moves
from pysolve.lab.balance import balance, play_variant
from pysolve.lab.match import play_match, standing
from pysolve.lab.scoring import points_of
from pysolve.lab.statistics import mean_of
from pysolve.notation import record
from pysolve.notation.json_lines import outcome_dict
from pysolve.players.functions import player
from pysolve.search.decide import decide
from pysolve.search.maxn import maxn
from pysolve.search.mcts import mcts
from pysolve.search.minimax import minimax
from pysolve.search.playouts import playouts
from pysolve.search.proof_number import prove
from pysolve.search.retrograde import retrograde
from pysolve.search.value_iteration import expectation

pytestmark = pytest.mark.slow

ENGINES = ("prolog", "native")

COINS = """\
game "Coins"
option heap = 7 in 1..12
players Red, Blue
state
  left: 0..12
  taken(player): 0..12
setup
  left := heap
define gain(p: player) = taken(p) - taken(next(p))
move take(n: 1..3)
  when n <= left
  do
    left := left - n
    taken(mover) := taken(mover) + n
stuck draw
end
  pay gain when left = 0 because "all coins are taken"
  draw when taken(Red) = 4 and taken(Blue) = 4
evaluate
  more 1 : taken(me)
"""

AROUND = """\
game "Around"
players 3 of Red, Blue, Green, White
state
  left: 0..6
  taken(player): 0..6
setup
  left := 6
define gain(p: player) = 2 * taken(p) - taken(next(p)) - taken(next(next(p)))
move take(n: 1..2)
  when n <= left
  do
    left := left - n
    taken(mover) := taken(mover) + n
stuck draw
end pay gain when left = 0 because "nothing is left"
"""


@cache
def coins(left: int, mine: int, theirs: int) -> int:
    """What the player to move gains in Coins with best play."""
    if left == 0:
        return mine - theirs
    if (mine, theirs) == (4, 4):
        return 0
    return max(-coins(left - n, theirs, mine + n) for n in (1, 2, 3) if n <= left)


@cache
def around(left: int, taken: tuple[int, int, int]) -> tuple[int, int, int]:
    """What each player gains in Around, by the first of the best moves; the player to move stands first."""
    if left == 0:
        return tuple(3 * one - sum(taken) for one in taken)
    found = [around(left - n, (*taken[1:], taken[0] + n)) for n in (1, 2) if n <= left]
    last = max(found, key=lambda gains: gains[2])
    return (last[2], last[0], last[1])


# ------------------------------------------------------------------------------------------------ results


@pytest.mark.parametrize("players", range(1, 9))
def test_a_result_holds_what_each_player_gets(players: int) -> None:
    most, chance = most_paid(players), random.Random(players)
    assert most == {6: 511, 7: 127, 8: 63}.get(players, 999)
    for low, high in ((-most, most), (-2, 2), (0, 0)):
        values = [chance.randint(low, high) for _ in range(players)]
        while players > 1 and sum(values):  # move single points until they add up to zero
            at = chance.randrange(players)
            step = -1 if sum(values) > 0 else 1
            values[at] += step * (-most <= values[at] + step <= most)
        result = paid(tuple(values))
        assert payoffs(result, players) == tuple(values)
        assert (result == DRAW) == (not any(values))
        assert result == DRAW or AMOUNTS <= result < 1 << 53
        first = [at for at, value in enumerate(values, 1) if value == max(values) and value > 0]
        assert list(winners(result, players)) == first
        assert all((values[a] > values[b]) == (places(result, players)[a] < places(result, players)[b])
                   for a, b in product(range(players), repeat=2))  # fmt: skip


@pytest.mark.parametrize("engine", ENGINES)
def test_a_game_pays(engine: str) -> None:
    game = pysolve.load(COINS, engine=engine)
    position = game.start().play("take 3").play("take 1").play("take 3")
    outcome = position.outcome
    assert outcome is not None
    assert (outcome.result, str(outcome)) == ("Red 5, Blue -5", "Red 5, Blue -5: all coins are taken")
    assert position.returns() == [5.0, -5.0]
    assert outcome.payoffs == {"Red": Fraction(5), "Blue": Fraction(-5)}
    assert (outcome.winner, outcome.winners, outcome.is_draw) == ("Red", ("Red",), False)
    assert game.engine.standing(position.state, 1) == [(5, -5)]
    assert outcome_dict(outcome) == {
        "winner": "Red", "reason": "all coins are taken", "winners": ["Red"], "payoffs": {"Red": "5", "Blue": "-5"},
    }  # fmt: skip
    even = pysolve.load(COINS, heap=6, engine=engine).start().play("take 3").play("take 3")
    assert str(even.outcome) == "draw: all coins are taken"


@pytest.mark.parametrize("engine", ENGINES)
def test_what_does_not_add_up_is_a_mistake_of_the_rules(engine: str) -> None:
    text = COINS.replace("taken(p) - taken(next(p))", "taken(p) - 3")
    game = pysolve.load(text, engine=engine)
    position = game.start().play("take 3").play("take 1").play("take 3")
    with pytest.raises(RuleMistake, match="what this pays does not add up to zero: Red 3, Blue -2"):
        assert position.outcome
    with pytest.raises(RuleMistake, match="what this pays does not add up to zero"):
        playouts(game.engine, game.start().state, 10)
    with pytest.raises(RuleMistake, match="what this pays does not add up to zero"):
        minimax(game.engine, game.start().state, depth=8)


@pytest.mark.parametrize("engine", ENGINES)
def test_a_lone_player_gets_any_number(engine: str) -> None:
    text = COINS.replace("Red, Blue", "Red").replace("taken(p) - taken(next(p))", "taken(p) + 2")
    text = "\n".join(line for line in text.splitlines() if not line.startswith("  draw when"))
    position = pysolve.load(text, engine=engine).start()
    for move in ("take 3", "take 3", "take 1"):
        position = position.play(move)
    assert str(position.outcome) == "Red 9: all coins are taken"
    assert position.returns() == [9.0]


# ------------------------------------------------------------------------------------------------ proofs

PROVEN = [  # of three players: what each gets, and whether the sum is certain
    ("bid(p) - bid(next(p))", True),
    ("2 * bid(p) - (sum q: player where q != p of bid(q))", True),
    ("if p = best then pot - bid(p) else -bid(p)", True),
    ("if p = mover then 2 else -1", True),
    ("if p = mover then 6 else if p = next(mover) then -4 else -2", True),
    ("if rich then bid(p) - bid(next(p)) else 2 * (bid(next(p)) - bid(p))", True),
    ("(if p = Red then 2 else -1) * bid(best)", True),
    ("if p != best then -3 else 6", True),
    ("if p in {Red, Blue} then 1 else -2", True),
    ("bid(p) - 3", False),
    ("if p = chosen then 2 else -1", False),  # nobody may be chosen
    ("bid(p) // 2 - bid(next(p)) // 2", True),
    ("(bid(p) - bid(next(p))) // 2", False),
    ("if rich then bid(p) - bid(next(p)) else bid(p)", False),
    ("first n in 0..3 where n > bid(p)", False),  # it may have no value
]
PLAYERS = """\
game "Sums"
players Red, Blue, Green
state
  bid(player): 0..9
  best: player
  chosen: player or none
setup
  best := Blue
define pot = sum p: player of bid(p)
define rich = bid(Red) > 4
define gain(p: player) = {gain}
move raise(n: 1..3)
  when n > bid(mover)
  do bid(mover) := n
stuck draw
end pay gain when pot >= 7
"""


@pytest.mark.parametrize(("gain", "proven"), PROVEN)
def test_sums_are_proven(gain: str, proven: bool) -> None:
    """Where nothing is proven, a game is still played, and a sum that is proven is one in random games, too."""
    game = pysolve.load(PLAYERS.format(gain=gain), engine="prolog")
    (pay,) = game.model.payments.values()
    assert pay.proven == proven
    for seed in range(10 if proven else 0):
        position, lots = game.start(), random.Random(seed)
        while position.outcome is None:
            position = position.play(position.random_move(lots))
        state = position.to_dict()["state"]
        assert sum(position.returns()) == 0
        assert sum(state["bid"].values()) >= 7 or position.outcome.is_draw


@pytest.mark.parametrize(
    ("gain", "said"),
    [
        ("1", "it adds up to 3: Red gets 1, Blue gets 1 and Green gets 1"),
        ("if p = best then 5 else -2", "it adds up to 1"),
        ("if p = mover then pot else bid(next(p)) - bid(p) + 1", None),
    ],
)
def test_sums_are_refuted(gain: str, said: str | None) -> None:
    if said is None:
        assert not pysolve.load(PLAYERS.format(gain=gain)).model.payments[1].proven
        return
    with pytest.raises(RulesError, match=f"what gain pays must add up to zero, but {said}"):
        pysolve.load(PLAYERS.format(gain=gain))


# ------------------------------------------------------------------------------------------------ searches


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("heap", [5, 7, 10])
def test_minimax_and_maxn_play_for_the_most(engine: str, heap: int) -> None:
    game = pysolve.load(COINS, heap=heap, engine=engine)
    expected = coins(heap, 0, 0)
    found = minimax(game.engine, game.start().state, depth=12)
    assert found.end == expected or expected == found.value == 0
    each = maxn(game.engine, game.start().state, depth=12)
    assert round(each.value / WIN) == expected
    assert each.values[0] == -each.values[1]


def test_maxn_of_three() -> None:
    game = pysolve.load(AROUND)
    found = maxn(game.engine, game.start().state, depth=8)
    assert tuple(round(value / WIN) for value in found.values) == around(6, (0, 0, 0))


def test_mcts_proves_what_the_first_player_gets() -> None:
    game = pysolve.load(COINS)
    found = mcts(game.engine, game.start().state, visits=2000, seed=1)
    assert found.proven == pytest.approx(coins(7, 0, 0) / game.model.most_paid, abs=1e-5)


def test_searches_are_the_same_on_both_engines() -> None:
    one, other = (pysolve.load(AROUND, engine=engine) for engine in ENGINES)
    state = one.start().state
    for search in (
        lambda game: minimax(game.engine, state, depth=4).line,
        lambda game: maxn(game.engine, state, depth=4).values,
        lambda game: mcts(game.engine, state, visits=40, seed=3).moves,
        lambda game: playouts(game.engine, state, 50, seed=2),
    ):
        assert search(one) == search(other)


@pytest.mark.parametrize("heap", [3, 7])
def test_the_value_is_exact(heap: int) -> None:
    game = pysolve.load(COINS, heap=heap)
    found = expectation(game.engine, game.start().state)
    assert found.low == found.high == coins(heap, 0, 0)


def test_every_level_plays_for_payoffs() -> None:
    lone = COINS.replace("Red, Blue", "Red").replace("taken(p) - taken(next(p))", "taken(p)")
    lone = "\n".join(line for line in lone.splitlines() if not line.startswith("  draw when"))
    for game in map(pysolve.load, (COINS, AROUND, lone)):
        position = game.start()
        assert set(game.levels) == {"easy", "medium", "hard"}
        for level in game.levels:
            assert player(game.levels[level], 1)(position) in position.legal_moves


def test_proofs_do_not_apply() -> None:
    game = pysolve.load(COINS)
    for search in (
        lambda: retrograde(game.engine, game.start().state, 100),
        lambda: prove(game.engine, game.start().state, 1, 100),
        lambda: decide(game.engine, game.start().state, 1, 100),
    ):
        with pytest.raises(DoesNotApply, match="Coins pays numbers"):
            search()


def test_random_games_are_paid() -> None:
    game = pysolve.load(COINS, heap=2)
    found = playouts(game.engine, game.start().state, 400, seed=1)
    taken_at_once, even = found.wins[0], found.draws
    assert found.wins[1] == 0
    assert found.paid == (2 * taken_at_once, -2 * taken_at_once)
    assert 150 < even < 250


def test_an_analysis_says_what_a_move_gets() -> None:
    found, values = best_moves(pysolve.load(COINS).start(), Limits(depth=8), 3)
    assert str(found.worth) == "gets +1 in 3"
    assert found.worth.to_dict() == {"result": "win", "payoff": 1.0, "in": 3}
    assert len(values) == 3


# ------------------------------------------------------------------------------- examples, records, the lab


def test_examples_say_what_each_player_gets() -> None:
    text = COINS + 'example "paid"\n  play take 3, take 1, take 3\n  result pays Red {}, Blue {}\n'
    for red, blue, wrong in ((5, -5, 0), (4, -4, 1)):
        failures = run(pysolve.load(text.replace("{}, Blue {}", f"{red}, Blue {blue}")))
        assert [(one.expected, one.found) for one in failures] == [
            ("pays Red 4, Blue -4", 'pays Red 5, Blue -5 because "all coins are taken"'),
        ] * wrong


def test_records_say_what_was_paid() -> None:
    game = pysolve.load(COINS)
    position = game.start()
    text = '[Game "coins"]\n[Result "{}"]\n\n1. take 3; take 1\n2. take 3\n'
    found = record.read(text.format("Red 5, Blue -5"))
    assert [str(after.outcome) for _, after in record.replay(found, game)][-1] == "Red 5, Blue -5: all coins are taken"
    with pytest.raises(record.RecordError, match=r'"Red", but according to the rules it pays Red 5, Blue -5'):
        list(record.replay(record.read(text.format("Red")), game))
    assert position.outcome is None


def test_points_are_in_proportion() -> None:
    model = pysolve.load(COINS).model
    assert points_of(model, [12, -12]) == (1.0, 0.0)
    assert points_of(model, [0, 0]) == (0.5, 0.5)
    assert points_of(model, [3, -3]) == (0.625, 0.375)
    three = points_of(pysolve.load(AROUND).model, [6, 0, -6])
    assert sum(three) == pytest.approx(1)
    assert three[1] == pytest.approx(1 / 3)


def test_a_mean_has_an_interval() -> None:
    lots = random.Random(1)
    inside = 0
    for _ in range(400):
        values = [lots.choice([-3, -1, 1, 1, 2]) for _ in range(40)]
        low, high = mean_of(values, 3)[1:]
        inside += low <= 0 <= high
    assert 370 <= inside <= 398
    assert mean_of([1.0], 3) == (1.0, -3, 3)


def test_the_lab_counts_what_is_paid() -> None:
    game = pysolve.load(COINS)
    games = list(play_match(game, "minimax:depth=8", "random", 12))
    found = standing(game, games)
    assert found.payoff is not None
    assert found.payoff.mean == pytest.approx(sum(one.payoff(0) for one in games) / 12)
    assert found.payoff.mean > 0
    assert found.score.share == pytest.approx((1 + found.payoff.mean / game.model.most_paid) / 2)
    assert json.dumps(found.to_dict())
    played = list(play_variant(game, "random", 10))
    told = balance(game, played, {})
    assert told.payoffs["Red"] == pytest.approx(-told.payoffs["Blue"])
    assert told.gains["Red"].mean == pytest.approx(told.payoffs["Red"], abs=1e-6)
    assert told.to_dict()["gains"]["Blue"]["mean"] == pytest.approx(told.payoffs["Blue"], abs=1e-6)
