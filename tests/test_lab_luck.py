"""Lots in the lab: pairs with the same rolls, their intervals, and how much of the results the lots explain."""

from __future__ import annotations

import json
import re
from itertools import islice, pairwise
from pathlib import Path
from random import Random

import pytest
from typer.testing import CliRunner

import pysolve
from pysolve.cli.app import app
from pysolve.lab.balance import balance, balance_jobs, play_variant
from pysolve.lab.games import Played
from pysolve.lab.luck import Luck, luck, mean_by_lots
from pysolve.lab.match import play_match, standing
from pysolve.lab.statistics import grouped, mean_of, wilson
from pysolve.lab.tournament import crosstable
from tests.games import load

pytestmark = pytest.mark.slow

# A die is rolled; then A may take what it shows, or let B win.
TOSS = """\
game "Toss"
option pips = 6 in 2..6
players A, B
state
  rolled: 0..6
  taken: bool
chance die(n: 1..pips) as "{n}"
  when rolled = 0
  do rolled := n
move take
  do taken := true
move leave
  do rolled := 6
end A wins when taken and rolled <= 3
end B wins when taken or rolled = 6
stuck draw
"""


@pytest.fixture(scope="module")
def toss() -> pysolve.Game:
    return pysolve.load(TOSS)


def rolls(one: Played) -> list[str]:
    return [move for move in one.record.moves if re.fullmatch(r"\d(-\d)?", move)]


def test_the_games_of_a_pair_have_the_same_rolls_one_after_the_other() -> None:
    games = list(play_match(load("pig", target=30), "greedy", "random", 8, opening=0))
    for one, other in zip(games[::2], games[1::2], strict=True):
        assert (one.lots, one.seats) == (other.lots, other.seats[::-1])
        length = min(len(rolls(one)), len(rolls(other)))
        assert rolls(one)[:length] == rolls(other)[:length]
        assert length > 3
    assert len({tuple(rolls(one)[:4]) for one in games}) == 4
    assert all(one.lots != other.lots for one, other in pairwise(games[::2]))


def test_games_that_went_alike_all_count(toss: pysolve.Game) -> None:
    found = standing(toss, list(play_match(toss, "greedy:ties=first", "minimax:depth=1", 60, opening=0)))
    assert (found.played, found.duplicates) == (60, 0)


def made_of(parts: Luck) -> list[float]:
    return [parts.lots.share, parts.players, parts.rest]


def games_of(points: dict[tuple[int, tuple[int, int]], float], toss: pysolve.Game) -> list[Played]:
    """Games with such lots, seatings and points of the first seat, as they are counted."""
    one = next(iter(play_match(toss, "random", "random", 1)))
    winner = {1.0: 0, 0.0: 1, 0.5: None}
    return [
        Played(
            **{name: getattr(one, name) for name in one.__slots__ if name not in ("number", "lots", "seats", "winner")},
            number=number, lots=lots, seats=seats, winner=winner[made],
        )
        for number, ((lots, seats), made) in enumerate(points.items(), 1)
    ]  # fmt: skip


ONE, OTHER = (0, 1), (1, 0)


def test_lots_that_decide_explain_everything(toss: pysolve.Game) -> None:
    made = {(lots, seats): float(lots % 2) for lots in range(10) for seats in (ONE, OTHER)}
    found = luck(toss, games_of(made, toss))
    assert found is not None
    assert made_of(found) == [1, 0, 0]
    assert found.groups == 10


def test_players_who_decide_explain_everything(toss: pysolve.Game) -> None:
    found = luck(toss, games_of({(n, seats): float(seats == ONE) for n in range(10) for seats in (ONE, OTHER)}, toss))
    assert found is not None
    assert made_of(found) == [0, 1, 0]


def test_the_variances_are_those_of_an_analysis_of_variance(toss: pysolve.Game) -> None:
    """By hand, for pairs: mean squares between and within, with the difference of the seatings taken out."""
    rng, pairs = Random(4), 40
    made: dict[tuple[int, tuple[int, int]], float] = {}
    for lots in range(pairs):
        favour = rng.choice((0.2, 0.9))
        for seats in (ONE, OTHER):
            made[lots, seats] = float(rng.random() < favour * (0.9 if seats == ONE else 0.6))
    found = luck(toss, games_of(made, toss))
    assert found is not None
    first, second = ([made[lots, seats] for lots in range(pairs)] for seats in (ONE, OTHER))
    means = sum(first) / pairs, sum(second) / pairs
    pair_means = [(a - means[0] + b - means[1]) / 2 for a, b in zip(first, second, strict=True)]
    between = sum(2 * mean**2 for mean in pair_means) / (pairs - 1)
    within = sum((a - means[0] - b + means[1]) ** 2 / 2 for a, b in zip(first, second, strict=True)) / (pairs - 1)
    lots = (between - within) / 2
    players = ((means[0] - means[1]) / 2) ** 2 - (lots + within) / (2 * pairs)
    total = lots + players + within
    # Both seats are added up, and the second one has what the first one lacks.
    assert made_of(found) == pytest.approx([lots / total, players / total, within / total])
    assert found.lots.low < found.lots.share < found.lots.high


def test_nothing_is_said_where_no_lots_are_drawn_or_too_few_games_had_the_same(toss: pysolve.Game) -> None:
    assert standing(load("nim"), list(play_match(load("nim"), "random", "random", 20))).luck is None
    games = list(play_match(toss, "random", "random", 20, opening=0))
    assert standing(toss, games).luck is not None
    assert standing(toss, games[:9]).luck is None
    assert luck(toss, games[::2]) is None


def test_groups_of_one_game_say_as_much_as_games_alone() -> None:
    points = [1.0] * 13 + [0.0] * 7
    assert grouped([[one] for one in points]) == pytest.approx(wilson(13, 20))
    assert grouped([]) == wilson(0, 0)
    assert grouped([[1.0, 1.0]] * 10) == pytest.approx(wilson(20, 20))


def test_games_that_go_alike_say_less_and_games_that_go_against_each_other_more() -> None:
    alike, apart = grouped([[1.0, 1.0], [0.0, 0.0]] * 10), grouped([[1.0, 0.0]] * 20)
    alone = wilson(20, 40)
    assert alike.low < wilson(10, 20).low + 0.02 < alone.low < apart.low < 0.5
    assert alike.share == apart.share == alone.share == 0.5


def test_intervals_of_pairs_cover_the_truth() -> None:
    """Pairs of which the lots decide half the games: of 400 series, 95 of 100 intervals hold the true share."""
    rng, held = Random(11), 0
    for _ in range(400):
        pairs = []
        for _ in range(60):
            lucky = rng.random() < 0.5
            favour = rng.random() < 0.5  # of the first seat, which is that of A, then that of B
            pairs.append([float(favour), float(not favour)] if lucky else [float(rng.random() < 0.6) for _ in range(2)])
        found = grouped(pairs)
        held += found.low <= 0.55 <= found.high
    assert 370 <= held <= 395


def test_a_match_and_a_tournament_know_how_much_is_luck(toss: pysolve.Game) -> None:
    games = list(play_match(toss, "minimax:depth=2", "random", 40, opening=0))
    found = standing(toss, games)
    assert found.luck is not None
    assert found.to_dict()["luck"].keys() == {"lots", "players", "rest", "groups"}
    table = crosstable(("minimax:depth=2", "random"), toss.players, games, toss)
    assert table.luck == found.luck


@pytest.mark.slow
def test_so_do_their_commands() -> None:
    words = ["match", "pig", "target=15", "greedy", "random", "--games", "20", "--opening", "0"]
    said = CliRunner().invoke(app, words, env={"NO_COLOR": "1", "COLUMNS": "100"}).output
    assert re.search(r"^luck      \d+\.\d% \(.*\) of the variance of results; 10 groups had the same lots$", said, re.M)
    assert re.search(r"^  players \d+\.\d%\n  rest    \d+\.\d%$", said, re.M)
    told = json.loads(CliRunner().invoke(app, [*words, "--json"]).stdout)["luck"]
    assert told["lots"]["share"] + told["players"] + told["rest"] == pytest.approx(1, abs=1e-5)


def test_two_games_of_a_balance_have_the_same_rolls_and_other_players(toss: pysolve.Game) -> None:
    jobs = list(islice(balance_jobs(toss, "random", 3, pairs=True), 8))
    assert [one.lots for one in jobs[::2]] == [one.lots for one in jobs[1::2]]
    assert len({one.lots for one in jobs}) == 4
    assert len({one.seed for one in jobs}) == len({one.moves for one in jobs}) == 8
    assert len({one.lots for one in islice(balance_jobs(toss, "random", 3), 8)}) == 8
    assert len({one.lots for one in islice(balance_jobs(load("nim"), "random", 3, pairs=True), 8)}) == 8
    games = list(play_variant(load("pig", target=30), "random", 6, opening=0))
    for one, other in zip(games[::2], games[1::2], strict=True):
        length = min(len(rolls(one)), len(rolls(other)))
        assert rolls(one)[:length] == rolls(other)[:length]


def test_a_balance_knows_how_much_is_luck(toss: pysolve.Game) -> None:
    games = list(play_variant(toss, "minimax:depth=2", 60, opening=0))
    found = balance(toss, games, {})
    assert found.luck is not None
    assert made_of(found.luck) == [1, 0, 0]
    assert found.luck.groups == 30
    assert found.to_dict()["luck"] == found.luck.to_dict()
    rolled = [1.0 if one.winner == 0 else 0.0 for one in games[::2]]  # each of two games that went alike
    assert found.sides["A"] == pytest.approx(grouped([[one, one] for one in rolled]))
    assert found.sides["A"].low < wilson(2 * sum(rolled), 60).low
    assert balance(toss, games, {}, sequential=True).sides["A"].low < found.sides["A"].low
    assert balance(load("nim"), list(play_variant(load("nim"), "random", 20)), {}).luck is None


def test_payoffs_of_games_with_the_same_lots_say_less() -> None:
    game = load("kuhn_poker")
    alike = [(lots, paid) for lots, paid in enumerate([1.0, -1.0, 2.0, -2.0, 1.0, -1.0]) for _ in range(2)]
    apart = list(enumerate(paid for _, paid in alike))
    assert mean_by_lots(game, alike, 2).low == mean_of([1.0, -1.0, 2.0, -2.0, 1.0, -1.0], 2).low
    assert mean_by_lots(game, alike, 2).low < mean_by_lots(game, apart, 2).low


@pytest.mark.slow
def test_so_does_its_command(tmp_path: Path) -> None:
    words = ["balance", "pig", "target=15", "--player", "random", "--games", "20", "--html", str(tmp_path / "pig.html")]
    said = CliRunner().invoke(app, words, env={"NO_COLOR": "1", "COLUMNS": "100"}).output
    assert re.search(r"^luck      \d+\.\d% \(.*\) of the variance of results; 10 groups had the same lots$", said, re.M)
    assert "<th>luck</th>" in (tmp_path / "pig.html").read_text(encoding="utf-8")
    assert "luck" in json.loads(CliRunner().invoke(app, [*words[:-2], "--json"]).stdout)["variants"][0]
