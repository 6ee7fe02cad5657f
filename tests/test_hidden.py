"""Equilibria, best responses and searches of games with hidden information, beside OpenSpiel and by hand."""

from __future__ import annotations

from array import array
from collections import Counter
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any

import pytest

import pysolve
from pysolve.engines.prolog import PrologEngine
from pysolve.engines.protocol import DoesNotApply, LimitReached
from pysolve.engines.regrets import NativeRegrets, regrets_library
from pysolve.game import Game
from pysolve.lab.equilibria import CFR, MCCFR, Limits, Solved, solve_secret
from pysolve.players.functions import UnknownPlayer, player, specification
from pysolve.players.strategies import Strategy, StrategyError, read, write
from pysolve.position import Position
from pysolve.search.hidden.belief import Belief
from pysolve.search.hidden.cfr import PythonRegrets, equilibrium, simplest_between
from pysolve.search.hidden.ismcts import ismcts
from pysolve.search.hidden.rules import tree_of
from pysolve.search.hidden.tree import CHANCE, ForgetfulPlayer, GameTree, Situation, grow
from pysolve.search.information import information
from tests.games import load
from tests.trees import matching_pennies, of_open_spiel

pytestmark = pytest.mark.slow

# Each gets one of four cards; Ann may bet or fold, Bob may call or fold.  The lowest card is sometimes dealt unseen.
CARDS = """\
game "Cards"
players Ann, Bob
type card = Jack, Queen, King, Ace
table card rank
  Jack 1
  Queen 2
  King 3
  Ace 4
state
  holder(c: card): player or none seen by holder(c)
  step: dealing, betting, answering, over
  winner: player or none
define cards(p: player) = count c: card where holder(c) = p
define best(p: player) = most c: card where holder(c) = p of rank(c)
chance deal(c: card) as "{c}" seen as "a card"
  when
    step = dealing
    holder(c) = none
  weight 5 - rank(c)
  do
    holder(c) := if cards(Ann) = 0 then Ann else Bob
    step := if cards(Ann) = 0 then dealing else betting
move bet
  when step = betting
  do step := answering
move fold
  when step in {betting, answering}
  do
    winner := if step = betting and best(mover) > 2 then none else opponent
    step := over
move call
  when step = answering
  do
    winner := if best(Ann) > best(Bob) then Ann else Bob
    step := over
stuck draw
end
  Ann wins when winner = Ann
  Bob wins when winner = Bob
"""

# Three secret choices that are revealed together.
HANDS = """\
game "Hands"
players Ann, Bob
type hand = Rock, Paper, Scissors
state
  chosen(p: player): hand or none seen by p
define beats(a: hand, b: hand) = (a = Rock and b = Scissors) or (a = Paper and b = Rock) or (a = Scissors and b = Paper)
move choose(h: hand) as "{h}" seen as "a hand"
  when chosen(mover) = none
  do chosen(mover) := h
stuck draw
end
  Ann wins when beats(chosen(Ann), chosen(Bob))
  Bob wins when beats(chosen(Bob), chosen(Ann))
  draw when chosen(Bob) != none
"""


@pytest.fixture(scope="module")
def cards() -> Game:
    return pysolve.load(CARDS)


@pytest.fixture(scope="module")
def solved(cards: Game) -> Solved:
    return solve_secret(cards, limits=Limits(iterations=500))


def after(game: Game, *moves: str) -> Position:
    """The position after some moves, the last of which chance may have made."""
    position = game.start()
    for move in moves:
        position = position.play(move)
    return position


def spiel(text: str) -> Any:
    return pytest.importorskip("pyspiel").load_game(text)


GAMES = ["kuhn_poker", "kuhn_poker(players=3)", pytest.param("leduc_poker", marks=pytest.mark.slow)]


# ---------------------------------------------------------------------------------------- CFR+ over trees


@pytest.mark.parametrize("name", GAMES)
def test_cfr_plus_in_c_is_the_same_to_the_last_bit(name: str) -> None:
    tree = of_open_spiel(spiel(name))
    plain, native = PythonRegrets(tree), NativeRegrets(tree)
    for iterations in (1, 4):
        plain.go_on(iterations)
        native.go_on(iterations)
        assert native.average() == plain.average()
    mixed = strategy_by_lots(tree)
    for one in range(1, tree.players + 1):
        assert native.worth(mixed, one) == plain.worth(mixed, one)
        assert native.response(mixed, one) == plain.response(mixed, one)


def strategy_by_lots(tree: GameTree) -> array[float]:
    rng, found = Random(1), tree.uniform()
    for begin, end in zip(tree.begin, tree.begin[1:], strict=False):
        parts = [rng.choice((0.0, rng.random())) for _ in range(begin, end)]
        for place, part in enumerate(parts):
            found[begin + place] = part / sum(parts) if sum(parts) else 1 / len(parts)
    return found


@pytest.mark.slow
@pytest.mark.parametrize("compiler", ["cc", "zig", "tcc"])
def test_every_compiler_makes_the_same_regrets(compiler: str) -> None:
    tree = of_open_spiel(spiel("kuhn_poker(players=3)"))
    plain, native = PythonRegrets(tree), NativeRegrets(tree, regrets_library(compiler))
    plain.go_on(50)
    native.go_on(50)
    assert native.average() == plain.average()


@pytest.mark.parametrize("name", GAMES)
def test_cfr_plus_makes_the_iterations_of_open_spiel(name: str) -> None:
    game = spiel(name)
    theirs = pytest.importorskip("open_spiel.python.algorithms.cfr").CFRPlusSolver(game)
    ours = NativeRegrets(of_open_spiel(game))
    for _ in range(8):
        theirs.evaluate_and_update_policy()
    ours.go_on(8)
    policy, strategy = theirs.average_policy(), ours.average()
    for one, begin in zip(ours.tree.sets, ours.tree.begin, strict=False):
        expected = policy.policy_for_key(one.information)
        for place, move in enumerate(one.moves):
            assert strategy[begin + place] == pytest.approx(expected[move], abs=1e-9)


@pytest.mark.parametrize("name", GAMES)
def test_what_a_best_response_gains_is_what_open_spiel_says(name: str) -> None:
    game = spiel(name)
    exploitability = pytest.importorskip("open_spiel.python.algorithms.exploitability")
    policies = pytest.importorskip("open_spiel.python.policy")
    regrets = NativeRegrets(of_open_spiel(game))
    for strategy in (regrets.tree.uniform(), strategy_by_lots(regrets.tree)):
        table = policies.TabularPolicy(game)
        for one, begin in zip(regrets.tree.sets, regrets.tree.begin, strict=False):
            row = table.policy_for_key(one.information)
            for place, move in enumerate(one.moves):
                row[move] = strategy[begin + place]
        players = range(1, regrets.tree.players + 1)
        gains = [regrets.response(strategy, one)[0] - regrets.worth(strategy, one) for one in players]
        assert sum(gains) == pytest.approx(exploitability.nash_conv(game, table), abs=1e-9)


@pytest.mark.parametrize(
    ("name", "value", "iterations"),
    [("kuhn_poker", -1 / 18, 1000), pytest.param("leduc_poker", -0.0856, 1000, marks=pytest.mark.slow)],
)
def test_the_values_are_those_that_are_published(name: str, value: float, iterations: int) -> None:
    regrets = NativeRegrets(of_open_spiel(spiel(name)))
    regrets.go_on(iterations)
    found = equilibrium(regrets)
    assert found.worth[0] == pytest.approx(value, abs=1e-3)
    low, high = found.bounds
    assert low <= value + 5e-5  # that of Leduc is published to four places
    assert value - 5e-5 <= high
    assert found.exploitability == pytest.approx(found.nash_conv / 2)
    assert 0 <= found.exploitability < 1e-3


def test_pennies_of_which_one_side_pays_more_by_hand() -> None:
    """Each side indifferent: with heads of probability p, 3 p - (1 - p) = -p + (1 - p), so p = 1/3, and 1/3 is won."""
    regrets = PythonRegrets(matching_pennies(prize=3.0))
    regrets.go_on(2000)
    found = equilibrium(regrets)
    assert found.worth[0] == pytest.approx(1 / 3, abs=1e-3)
    assert list(found.strategy) == pytest.approx([1 / 3, 2 / 3, 1 / 3, 2 / 3], abs=1e-2)
    always_heads = array("d", [1, 0, 1, 0])
    assert regrets.response(always_heads, 1) == (3.0, array("i", [0, 0]))
    assert regrets.response(always_heads, 2) == (1.0, array("i", [0, 1]))


def test_a_player_who_forgets_is_refused() -> None:
    def look(way: str) -> Situation[str]:
        if len(way) == 2:
            return Situation(CHANCE, None, (), (), payoffs=(0.0,))
        return Situation(1, len(way), "ab", [way + "a", way + "b"])

    with pytest.raises(ForgetfulPlayer, match="forgets what he has done"):
        grow("", look, 1)


def test_moves_that_depend_on_what_the_mover_does_not_know_are_refused() -> None:
    def look(way: str) -> Situation[str]:
        if way == "":
            return Situation(CHANCE, None, (), ["x", "y"], (1, 1))
        if len(way) == 1:
            return Situation(1, "nothing", way, [way * 2])
        return Situation(CHANCE, None, (), (), payoffs=(0.0,))

    with pytest.raises(ForgetfulPlayer, match="must not depend"):
        grow("", look, 1)


def test_the_simplest_fraction() -> None:
    assert simplest_between(Fraction(-56, 1000), Fraction(-55, 1000)) == Fraction(-1, 18)
    assert simplest_between(Fraction(3, 10), Fraction(4, 10)) == Fraction(1, 3)
    assert simplest_between(Fraction(5, 2), Fraction(5, 2)) == Fraction(5, 2)
    assert simplest_between(Fraction(-1), Fraction(1, 9)) == 0


# ------------------------------------------------------------------------------------------- rules


def test_secret_choices_are_a_tree_of_one_information_set_each() -> None:
    game = pysolve.load(HANDS)
    found = solve_secret(game, limits=Limits(iterations=300))
    assert (found.positions, len(found.rows)) == (13, 2)
    assert found.fraction == 0
    for one, parts in found.rows:
        assert found.moves(one, parts) == pytest.approx({"Rock": 1 / 3, "Paper": 1 / 3, "Scissors": 1 / 3}, abs=1e-2)


def test_both_engines_have_the_same_equilibrium(cards: Game, solved: Solved) -> None:
    on_prolog = solve_secret(pysolve.load(CARDS, engine="prolog"), limits=Limits(iterations=500))
    assert on_prolog.strategy("x") == solved.strategy("x")
    assert isinstance(on_prolog.game.engine, PrologEngine)


def test_an_equilibrium_says_what_players_know_and_between_what_the_value_lies(solved: Solved) -> None:
    assert solved.method == CFR
    assert len(solved.rows) == 8
    assert solved.brief(solved.rows[0][0]) == "a card (holder(Jack) = Ann), a card"
    assert solved.bounds is not None
    low, high = solved.bounds
    assert low <= solved.found.worth[0] <= high  # type: ignore[union-attr]


def test_a_tree_that_is_too_large_is_sampled(cards: Game) -> None:
    few = Limits(nodes=20, iterations=50)
    found = solve_secret(cards, limits=few)
    assert (found.method, found.found, found.worth, found.bounds) == (MCCFR, None, None, None)
    fewer = solve_secret(cards, MCCFR, Limits(nodes=3, iterations=50))
    assert (len(fewer.rows), fewer.iterations < 50) == (3, True)
    with pytest.raises(LimitReached, match="more than 20 nodes: allow more"):
        solve_secret(cards, CFR, few)


@pytest.mark.slow
@pytest.mark.parametrize("game", ["CARDS", "HANDS"])
def test_samples_come_to_an_equilibrium(game: str) -> None:
    read_game = pysolve.load(globals()[game])
    sampled = solve_secret(read_game, MCCFR, Limits(iterations=2000), seed=1)
    assert sampled.strategy("x") == solve_secret(read_game, MCCFR, Limits(iterations=2000), seed=1).strategy("x")
    tree, knowledge = tree_of(read_game.engine, read_game.start().state)
    rows = {knowledge.information(one.information): one for one in tree.sets}  # type: ignore[arg-type]
    strategy = tree.uniform()
    for one, parts in sampled.rows:
        same = rows[sampled.knowledge.information(one.information)]  # type: ignore[arg-type]
        begin = tree.begin[tree.sets.index(same)]
        strategy[begin : begin + len(parts)] = array("d", parts)
    regrets = PythonRegrets(tree)
    assert sum(regrets.response(strategy, one)[0] for one in (1, 2)) < 0.1


def test_ctrl_c_ends_with_what_was_found(cards: Game) -> None:
    seen = 0

    def tick(number: int) -> None:
        nonlocal seen
        seen += number
        if seen >= 100:
            raise KeyboardInterrupt

    found = solve_secret(pysolve.load(CARDS, engine="prolog"), limits=Limits(close=0.0), tick=tick)
    assert 64 <= found.iterations < 128
    assert found.found is not None


def test_no_equilibrium_where_the_game_so_far_decides() -> None:
    with pytest.raises(DoesNotApply, match="depends on the game so far"):
        solve_secret(pysolve.load(HANDS + "  draw when turns >= 9\n"))


# ------------------------------------------------------------------------------------------ strategies


def test_a_strategy_is_read_as_it_was_written(solved: Solved) -> None:
    strategy = solved.strategy("cards.rules")
    assert read(write(strategy)) == strategy
    strategy.check(solved.game)


@pytest.mark.parametrize(
    ("damage", "said"),
    [
        (lambda lines: lines[:-1], "its end is missing"),
        (lambda lines: [], "its end is missing"),
        (lambda lines: [*lines, lines[-1]], "line 10: there are more than 8 information sets"),
        (lambda lines: [*lines[:-1], lines[1]], "line 9: this information set was there before"),
        (lambda lines: [lines[0], '["Ann", "x", {"bet": 0.5}]', *lines[2:]], "line 2: .* do not add up to 1"),
        (lambda lines: [lines[0], '["Ann", "x", {"bet": NaN}]', *lines[2:]], "line 2 is not an information set"),
        (lambda lines: [lines[0], "[" * 100_000, *lines[2:]], "line 2 is not an information set"),
        (lambda lines: [lines[0], " " * (1 << 20) + lines[1], *lines[2:]], "line 2: it is too long"),
        (lambda lines: [lines[0].replace('"strategy": 1', '"strategy": 2')], "line 1: .* format 1"),
        (lambda lines: ['{"proof": 1}'], "line 1 is not the beginning of a strategy"),
    ],
)
def test_a_damaged_strategy_is_refused(solved: Solved, damage: Any, said: str) -> None:
    with pytest.raises(StrategyError, match=said):
        read(damage(list(write(solved.strategy("x")))))


def test_a_strategy_that_is_too_large_is_refused(solved: Solved, monkeypatch: pytest.MonkeyPatch) -> None:
    lines = list(write(solved.strategy("x")))
    monkeypatch.setattr("pysolve.players.strategies.LARGEST", len("".join(lines)) - 1)
    with pytest.raises(StrategyError, match=r"line 9: a strategy has at most [\d,]+ characters"):
        read(lines)


def test_cfr_plays_the_strategy_of_a_file(solved: Solved, tmp_path: Path) -> None:
    file = tmp_path / "cards.strategy"
    strategy = solved.strategy("x")
    knows = after(solved.game, "Ace", "Jack").information("Ann")
    sets = {**strategy.sets, ("Ann", knows): {"bet": 0.25, "fold": 0.75}}
    told = {name: getattr(strategy, name) for name in Strategy.__slots__}
    file.write_text("".join(write(Strategy(**{**told, "sets": sets}))), encoding="utf-8")
    choose = player(f"cfr:file={file}", seed=1)
    drawn = Counter(choose(after(solved.game, "Ace", "Jack")).text for _ in range(400))
    assert 70 < drawn["bet"] < 130


def test_a_strategy_for_other_rules_is_refused(solved: Solved, tmp_path: Path) -> None:
    file = tmp_path / "cards.strategy"
    file.write_text("".join(write(solved.strategy("x"))), encoding="utf-8")
    with pytest.raises(UnknownPlayer, match="the strategy is for other rules than those of Hands"):
        specification(f"cfr:file={file}").check(pysolve.load(HANDS))
    with pytest.raises(UnknownPlayer, match="No such file"):
        specification("cfr:file=nowhere.strategy").check(solved.game)


def test_players_who_go_by_what_they_know_need_secrets() -> None:
    with pytest.raises(UnknownPlayer, match="ismcts is for games with secrets"):
        specification("ismcts").check(load("tictactoe"))
    with pytest.raises(UnknownPlayer, match="cfr plays a strategy from a file"):
        specification("cfr")


# --------------------------------------------------------------------------------- what may be the case


def test_guesses_are_all_that_agrees_by_how_likely_it_is(cards: Game) -> None:
    """By hand: Bob holds the King (weight 2).  Ann was dealt a card of weight 4, 3 or 1 before, of 10 in all, and then
    Bob the King, of what was left: 4/10 * 2/6, 3/10 * 2/7, 1/10 * 2/9; that she bets is as likely with each."""
    position = after(cards, "Jack", "King", "bet")
    found = Belief(cards.engine, 2).guesses(position.known_by("Bob"), seed=0)
    ways = {"Jack": Fraction(4, 10) * Fraction(2, 6), "Queen": Fraction(3, 10) * Fraction(2, 7),
            "Ace": Fraction(1, 10) * Fraction(2, 9)}  # fmt: skip
    told = {after(cards, card, "King", "bet").state: float(way / sum(ways.values())) for card, way in ways.items()}
    assert {guess.state: guess.weight for guess in found} == pytest.approx(told)


def test_of_many_guesses_some_are_drawn_and_all_agree() -> None:
    game, rng = load("phantom_tictactoe"), Random(4)
    for seed in range(3):
        position = game.start()
        beliefs = {name: Belief(game.engine, at, guesses=20) for at, name in enumerate(game.players, 1)}
        while not position.is_over:
            name = position.to_move
            at = game.players.index(name) + 1
            found = beliefs[name].guesses(position.known_by(name), seed)
            assert 1 <= len(found) <= 20
            for guess in found:
                assert beliefs[name].knowledge.information(guess.known[at - 1]) == position.known_by(name)
                assert game.engine.view(guess.state, at) == game.engine.view(position.state, at)
            position = position.play(position.legal_moves.sample(rng))


def test_where_no_guess_goes_on_a_way_is_searched() -> None:
    """A single guess that was drawn early is mostly wrong later."""
    game = load("phantom_tictactoe")
    moves = "a1", "b1", "a2", "b2", "c1", "b3"
    position = after(game, *moves)
    name = position.to_move
    belief = Belief(game.engine, game.players.index(name) + 1, guesses=1)
    for seed in range(10):
        found = belief.guesses(position.known_by(name), seed)
        assert found
        for guess in found:
            number = game.players.index(name)
            assert belief.knowledge.information(guess.known[number]) == position.known_by(name)


def test_ismcts_finds_the_move_that_is_certain(cards: Game) -> None:
    choose = player("ismcts:playouts=100", seed=1)
    assert choose(after(cards, "Jack", "Ace", "bet")).text == "call"
    assert choose(after(cards, "Ace", "Jack", "bet")).text == "fold"


def test_ismcts_plays_by_what_the_player_knows_and_not_by_the_true_state(cards: Game) -> None:
    """Positions that look alike, and are not: the same moves from the same seed, on both engines."""
    found = set()
    for engine in ("native", "prolog"):
        game = pysolve.load(CARDS, engine=engine)
        for other in ("Jack", "Queen", "Ace"):
            position = after(game, other, "King", "bet")
            assert information(game.engine, position.history, position.state, 2) == position.known_by("Bob")
            found.add(ismcts(Belief(game.engine, 2), position.known_by("Bob"), visits=60, seed=5))
    assert len(found) == 1


@pytest.mark.slow
def test_ismcts_beats_random_moves() -> None:
    game, points = load("phantom_tictactoe"), 0
    for number in range(10):
        players = {"X": player("ismcts:playouts=40", seed=number), "O": player("random", seed=number)}
        position = game.start()
        while not position.is_over:
            position = position.play(players[position.to_move](position))
        points += position.outcome is not None and position.outcome.winner == "X"
    assert points >= 8


# --------------------------------------------------------------------------------------- shipped games


@pytest.mark.parametrize(
    ("name", "options", "theirs"),
    [
        ("kuhn_poker", {}, "kuhn_poker"),
        ("kuhn_poker", {"seats": 3}, "kuhn_poker(players=3)"),
        pytest.param("leduc_poker", {}, "leduc_poker", marks=pytest.mark.slow),
    ],
)
def test_the_tree_of_rules_is_that_of_open_spiel(name: str, options: dict[str, object], theirs: str) -> None:
    """As many nodes and information sets, and iterations of CFR+ that are worth the same and gain the same."""
    game = load(name, **options)
    ours, _ = tree_of(game.engine, game.start().state)
    expected = of_open_spiel(spiel(theirs))
    assert (ours.nodes, len(ours.sets), ours.moves) == (expected.nodes, len(expected.sets), expected.moves)
    found = []
    for tree in (ours, expected):
        regrets = NativeRegrets(tree)
        regrets.go_on(20)
        found.append(equilibrium(regrets))
    assert found[0].worth == pytest.approx(found[1].worth, abs=1e-9)
    assert found[0].responses == pytest.approx(found[1].responses, abs=1e-9)


def test_a_tree_that_does_not_grow_in_time_is_sampled() -> None:
    at_once = Limits(seconds=1e-9)
    found = solve_secret(load("leduc_poker"), limits=at_once)
    assert (found.method, found.iterations) == (MCCFR, 0)
    with pytest.raises(LimitReached, match="the time was over before the tree"):
        solve_secret(load("leduc_poker"), CFR, at_once)


def test_kuhn_poker_is_worth_a_loss_of_an_eighteenth() -> None:
    """And its equilibrium is one of those that Kuhn (1950) gives: of what Ann bets with the lowest card all follows."""
    found = solve_secret(load("kuhn_poker"))
    assert found.fraction == Fraction(-1, 18)
    plays = {found.brief(one): found.moves(one, parts) for one, parts in found.rows}
    low = plays["a card (hand(Ann) = 1), a card"]["bet"]
    assert 0 <= low <= 1 / 3 + 1e-3
    assert plays["a card (hand(Ann) = 3), a card"]["bet"] == pytest.approx(3 * low, abs=0.01)
    assert plays["a card (hand(Ann) = 2), a card, pass, bet"]["bet"] == pytest.approx(low + 1 / 3, abs=0.01)
    assert plays["a card, a card (hand(Bob) = 1), pass"]["bet"] == pytest.approx(1 / 3, abs=0.01)
    assert plays["a card, a card (hand(Bob) = 2), bet"]["bet"] == pytest.approx(1 / 3, abs=0.01)
