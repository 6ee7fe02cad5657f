"""The lab for games of other than two seats: who sits where, how points are divided, tables, ratings, balance."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import islice
from pathlib import Path
from random import Random

import pytest

import pysolve
from pysolve.dsl.model.payoffs import payoff_unit, payoffs, ranked, shared
from pysolve.dsl.player_texts import UnknownPlayer
from pysolve.lab.balance import Trial, balance, verdict
from pysolve.lab.games import Adjudication, Job, Played, Rules, lead_changes, play_game
from pysolve.lab.match import play_seats, standing
from pysolve.lab.orders import MOST_ORDERS, games_in_all, groups, jobs, round_of, round_size
from pysolve.lab.ratings import Choice, choices, ranked_ratings, ratings
from pysolve.lab.scoring import divided
from pysolve.lab.statistics import Share, always_valid, wilson
from pysolve.lab.store import Series, Store
from pysolve.lab.tournament import Cell, crosstable, tournament_jobs
from pysolve.lab.tune import NothingToTune, Terms
from tests.test_cli import run
from tests.threes import NAMES, RULES, game

# ----------------------------------------------------------------------------------------------- who sits where

TABLES = [(k, n) for n in range(1, 9) for k in range(1, n + 1)]


@pytest.mark.parametrize(("competitors", "seats"), TABLES)
def test_in_a_round_each_has_each_seat_equally_often(competitors: int, seats: int) -> None:
    for seed in (1, 2):
        orders = round_of(competitors, seats, Random(seed))
        assert len(orders) == round_size(competitors, seats)
        assert all(set(order) == set(range(competitors)) for order in orders)
        sat = Counter((who, seat) for order in orders for seat, who in enumerate(order))
        assert len(set(sat.values())) == 1
        assert len(sat) == competitors * seats


@pytest.mark.parametrize(("competitors", "seats", "number"), [(2, 2, 2), (3, 3, 6), (4, 4, 24), (2, 3, 6), (1, 5, 1)])
def test_a_small_round_has_every_order_once(competitors: int, seats: int, number: int) -> None:
    orders = round_of(competitors, seats, Random(1))
    assert len(set(orders)) == len(orders) == number <= MOST_ORDERS


def test_a_large_round_is_drawn_with_its_rotations() -> None:
    one, other = (list(round_of(5, 5, Random(seed))) for seed in (1, 2))
    assert one != other
    assert one == [(*one[0][by:], *one[0][:by]) for by in range(5)]


def test_more_players_than_seats_meet_in_groups() -> None:
    assert groups(4, 3) == [(0, 1, 2), (0, 1, 3), (0, 2, 3), (1, 2, 3)]
    assert groups(2, 3) == [(0, 1)]
    assert (games_in_all(4, 6, 3), games_in_all(4, 7, 3), games_in_all(3, 5)) == (24, 48, 18)


def test_a_round_has_one_opening_and_each_game_its_own_seed() -> None:
    found = list(islice(jobs(("a", "b", "c", "d"), 3, 1, Rules()), 48))
    assert [job.number for job in found] == list(range(1, 49))
    assert [len({job.lots for job in found[at : at + 24]}) for at in (0, 24)] == [1, 1]
    assert len({job.lots for job in found}) == 2
    assert len({job.seed for job in found}) == 48
    assert all(job.players == tuple("abcd"[who] for who in job.seats) for job in found)


# -------------------------------------------------------------------------------------------------- points


def parts(paid: tuple[int, ...], ranks: bool) -> tuple[float, ...]:
    """How payoffs, in parts of `payoff_unit`, divide a point."""
    return divided([one / payoff_unit(len(paid)) for one in paid], ranks)


@pytest.mark.parametrize("players", range(2, 9))
def test_players_divide_one_point(players: int) -> None:
    alone = parts(payoffs(1, players), ranks=False)
    assert alone == (1.0, *[0.0] * (players - 1))
    drawn = parts(payoffs(0, players), ranks=False)
    assert drawn == pytest.approx([1 / players] * players)
    if players > 2:
        both = parts(payoffs(shared(frozenset({1, 2})), players), ranks=False)
        assert both == pytest.approx([0.5, 0.5, *[0.0] * (players - 2)])
    by_rank = parts(payoffs(ranked(tuple(range(1, players + 1))), players), ranks=True)
    assert by_rank[-1] == 0
    assert sum(by_rank) == pytest.approx(1)
    assert list(by_rank) == sorted(by_rank, reverse=True)


def test_who_plays_alone_wins_draws_or_loses() -> None:
    assert [divided((paid,), ranks=False) for paid in (1, 0, -1)] == [(1.0,), (0.5,), (0.0,)]


def test_somebody_leads_alone() -> None:
    assert lead_changes([(0, 0, 0), (5, 1, 1), (4, 4, 0), (6, 1, 2), (0, 0, 9), (1, 9, 1)]) == 2


@cache
def some_game(players: int) -> Played:
    return next(play_seats(game(players), ["random"] * min(players, 2), 1))


def played(seats: tuple[int, ...], paid: tuple[int, ...], ranking: bool = False, number: int = 1) -> Played:
    """A game with this result."""
    unit, players = payoff_unit(len(paid)), len(paid)
    winner, shares = paid.index(unit) if unit in paid else None, parts(paid, ranking)
    return replace(some_game(players), number=number, seats=seats, winner=winner, payoffs=paid, shares=shares)


def test_games_say_what_each_seat_got() -> None:
    found = list(play_seats(game(3), ["greedy", "random", "maxn:depth=1"], 12))
    assert [len(one.payoffs) for one in found] == [3] * 12
    assert all(sum(one.shares) == pytest.approx(1) for one in found)
    assert all(one.shares == parts(one.payoffs, ranks=False) for one in found)
    for one in found:
        assert one.winner == (one.payoffs.index(4) if 4 in one.payoffs else None)
        assert sum(one.points(who) for who in range(3)) == pytest.approx(1)
    assert {one.seats for one in found[:6]} == {(0, 1, 2), (0, 2, 1), (1, 0, 2), (1, 2, 0), (2, 0, 1), (2, 1, 0)}
    assert not game(3).model.ranks


def test_places_count_where_they_are_what_else_decides() -> None:
    text = RULES.format(players="Red, Blue, Green").replace("stuck most pairs", "stuck most outer, else rank pairs")
    text = text.replace(
        "move place", "define outer(p: player) = count c: cell where at(c) = p and row(c) = 1\n\nmove place"
    )
    there = pysolve.load(text)
    found = list(play_seats(there, ["random"] * 3, 60))
    assert there.model.ranks
    assert any(set(one.payoffs) == {-4, 0, 4} for one in found)
    assert all(min(one.shares) >= 0 and sum(one.shares) == pytest.approx(1) for one in found)


def test_a_game_of_three_is_given_to_who_leads() -> None:
    rules = Rules(opening=0, limit=40, adjudication=Adjudication(1, 2))
    found = play_game(game(3), Job(1, ("minimax:depth=1",) * 3, (0, 0, 0), 1, 1, rules))
    assert found.adjudicated
    assert found.winner is not None
    assert found.payoffs == tuple(4 if seat == found.winner else -2 for seat in range(3))


def test_a_store_keeps_payoffs(tmp_path: Path) -> None:
    found = list(play_seats(game(3), ["greedy", "random"], 2))
    store = Store(tmp_path / "games.db")
    series = store.begin(Series("match", "threes", {}, "", ("greedy", "random"), 1, Rules()))
    for one in found:
        store.add(series, one)
    assert [(one.payoffs, one.shares) for one in store.games(series)] == [(one.payoffs, one.shares) for one in found]
    store.close()


SOLVER = "solver is for two players at most, for whom best play is defined: Threes has 3 players"


@pytest.mark.parametrize(
    ("players", "who", "message"),
    [
        (3, ["random"], "a match of Threes needs 2 to 3 players, not 1; pysolve tournament takes more"),
        (3, ["random"] * 4, "a match of Threes needs 2 to 3 players, not 4; pysolve tournament takes more"),
        (1, [], "a match of Threes needs 1 player or more, not 0; pysolve tournament takes more"),
        (3, ["random", "solver"], SOLVER),
    ],
)  # fmt: skip
def test_matches_that_cannot_be_played(players: int, who: list[str], message: str) -> None:
    with pytest.raises(UnknownPlayer) as error:
        play_seats(game(players), who, 1)
    assert str(error.value) == message


def test_what_is_for_two_players_says_so() -> None:
    with pytest.raises(ValueError, match=r"^a standing is one of two players: of Threes, use crosstable in "):
        standing(game(3), [])
    with pytest.raises(NothingToTune, match=r"^weights are learned from games of two players: Threes has 3$"):
        Terms(game(3))


# --------------------------------------------------------------------------------------------------- tables


def test_a_table_of_three_seats() -> None:
    results = [((0, 1, 2), (4, -2, -2)), ((2, 1, 0), (1, 1, -2)), ((1, 0, 2), (0, 0, 0))]
    games = [played(seats, paid, number=number) for number, (seats, paid) in enumerate(results)]
    found = crosstable(("a", "b", "c"), NAMES[:3], games)
    third = 1 / 3
    shares, of_seats = ([one.share for one in some] for some in (found.shares, found.of_seats.values()))
    assert shares == pytest.approx([(1 + third) / 3, (0.5 + third) / 3, (0.5 + third) / 3])
    assert of_seats == pytest.approx([(1.5 + third) / 3, (0.5 + third) / 3, third / 3])
    assert found.on_seats[0]["Red"].share == 1
    assert found.cells[0][1] == Cell(wins=1, draws=1, losses=1)
    assert found.cells[1][2] == Cell(wins=0, draws=3, losses=0)
    assert found.by_seat["Red"] == Cell(wins=1, draws=2, losses=0)
    assert found.by_seat["Green"] == Cell(wins=0, draws=1, losses=2)
    assert found.order == [0, 1, 2]
    told = found.to_dict()
    assert told["by_seat"]["Red"]["wins"] == 1
    assert [round(one["share"], 3) for one in told["shares"]] == [0.444, 0.278, 0.278]
    assert (told["points"], told["counted"]) == ([1.333333, 0.833333, 0.833333], [3, 3, 3])


def test_a_player_with_several_seats_is_not_his_own_rival() -> None:
    found = crosstable(("a", "b"), NAMES[:3], [played((0, 0, 1), (4, -2, -2))])
    assert found.cells[0][0] == Cell()
    assert found.cells[0][1] == Cell(wins=1, draws=1)
    assert [share.share for share in found.shares] == [0.5, 0.0]


# --------------------------------------------------------------------------------------------------- ratings


def test_choices_of_results() -> None:
    alone = list(choices(played((0, 1, 2), (4, -2, -2)), ranks=False))
    assert alone == [(Choice(0, (1, 2)), Fraction(1))]
    two = list(choices(played((0, 1, 2), (1, 1, -2)), ranks=False))
    assert two == [(Choice(0, (1, 2)), Fraction(1, 2)), (Choice(1, (0, 2)), Fraction(1, 2))]
    places = list(choices(played((0, 1, 2), (4, 0, -4), ranking=True), ranks=True))
    assert places == [(Choice(0, (1, 2)), Fraction(1)), (Choice(1, (2,)), Fraction(1))]
    again = list(choices(played((0, 0, 1), (4, -2, -2)), ranks=False))
    assert again == [(Choice(0, (0, 1)), Fraction(1))]
    assert not list(choices(played((0, 0, 0), (4, -2, -2)), ranks=False))


@pytest.mark.slow
def test_with_two_seats_both_models_are_one() -> None:
    pytest.importorskip("choix")
    results = [0, 0, 1, None, 0, None, 1, 0]
    base = next(play_seats(game(2), ["random", "random"], 1))
    games = [replace(base, number=at, seats=(0, 1), winner=winner) for at, winner in enumerate(results)]
    points = [[0, sum(one.points(0) for one in games)], [sum(one.points(1) for one in games), 0]]
    for one, other in zip(ratings(points), ranked_ratings(2, games, ranks=False), strict=True):
        assert other == pytest.approx(one, abs=1e-4)


def test_ratings_of_three_seats() -> None:
    pytest.importorskip("choix")
    games = [played((0, 1, 2), (4, -2, -2))] * 6 + [played((1, 0, 2), (4, -2, -2))] * 3
    found = ranked_ratings(3, games, ranks=False)
    assert found[0].elo > found[1].elo > found[2].elo
    assert sum(one.elo for one in found) == pytest.approx(0, abs=1e-6)
    assert all(one.low < one.elo < one.high for one in found)
    unbeaten = ranked_ratings(3, games[:6], ranks=False)
    assert unbeaten[0].elo < 2000
    assert unbeaten[1].elo == pytest.approx(unbeaten[2].elo, abs=1e-3)
    order = ranked_ratings(3, [played((0, 1, 2), (4, 0, -4), ranking=True)] * 6, ranks=True)
    assert order[1].elo > order[2].elo + 100


# --------------------------------------------------------------------------------------------------- balance


def test_balance_by_seat() -> None:
    results = [(4, -2, -2)] * 30 + [(-2, 4, -2)] * 10
    games = [played((0, 0, 0), paid, number=number) for number, paid in enumerate(results)]
    found = balance(game(3), games, {})
    assert {name: share.share for name, share in found.sides.items()} == {"Red": 0.75, "Blue": 0.25, "Green": 0.0}
    assert found.sides["Red"] == wilson(30, 40, at_once=3)
    assert found.first == found.sides["Red"]
    assert found.payoffs == {"Red": 0.625, "Blue": -0.125, "Green": -0.5}
    assert found.verdict == (
        "Red is heavily favoured: 75% of the points, 56% to 88%. Green is at a disadvantage: 0%, 0% to 13%."
    )


def test_intervals_that_hold_together_are_wider() -> None:
    for interval in (wilson, always_valid):
        alone, together = interval(10, 30), interval(10, 30, at_once=3)
        assert together.low < alone.low < alone.share < alone.high < together.high


@pytest.mark.parametrize(
    ("shares", "said"),
    [
        ([(0.34, 0.30, 0.38), (0.33, 0.29, 0.37), (0.33, 0.29, 0.37)],
         "The sides are equal: Red leads with at most 38% of the points."),
        ([(0.4, 0.2, 0.6), (0.3, 0.1, 0.5), (0.3, 0.1, 0.5)],
         "No side is significantly favoured: Red has 40%, 20% to 60%; "
         "946 games would find a true share of 38% with a probability of 80%."),
        ([(0.45, 0.3, 0.6), (0.45, 0.3, 0.6), (0.1, 0.0, 0.2)], "Green is at a disadvantage: 10%, 0% to 20%."),
        ([(0.4, 0.35, 0.45), (0.3, 0.26, 0.35), (0.3, 0.26, 0.35)],
         "Red is slightly favoured: 40% of the points, 35% to 45%."),
    ],
)  # fmt: skip
def test_verdicts_of_three_sides(shares: list[tuple[float, float, float]], said: str) -> None:
    sides = {name: Share(*share) for name, share in zip(NAMES, shares, strict=False)}
    assert verdict(sides, 100, 0) == said


def test_a_trial_of_three_sides_is_decided() -> None:
    trial, games = Trial(3), 0
    while not trial.decided:
        games += 1
        trial.add(played((0, 0, 0), (4, -2, -2), number=games))
    assert 2 < games < 20
    assert not Trial(1).decided


# ---------------------------------------------------------------------------------------------- command line


@pytest.fixture
def threes(tmp_path: Path) -> str:
    path = tmp_path / "threes.rules"
    path.write_text(RULES.format(players="Red, Blue, Green"), "utf-8")
    return str(path)


def test_a_match_of_three(threes: str) -> None:
    pytest.importorskip("choix")
    words = ("match", threes, "minimax:depth=2", "random", "maxn:depth=1", "--games", "6", "--processes", "1")
    shown = run(*words)
    assert shown.exit_code == 0
    lines = shown.stdout.splitlines()
    assert lines[0] == "6 games of Threes"
    assert [line.split()[0] for line in lines[2:5]] == ["1", "2", "3"]
    assert [line.split()[:2] for line in lines[5:8]] == [["as", "Red"], ["as", "Blue"], ["as", "Green"]]
    told = json.loads(run(*words, "--json").stdout)
    assert len(told["games"]) == 6
    assert sum(one["share"] for one in told["by_seat"].values()) == pytest.approx(1)
    assert all(sum(one["points"].values()) == pytest.approx(1, abs=1e-5) for one in told["games"])
    assert all(set(one["payoffs"]) == {"Red", "Blue", "Green"} for one in told["games"])
    assert len(told["ratings"]) == 3


@pytest.mark.slow
def test_a_tournament_of_three_seats_with_its_report(threes: str, tmp_path: Path) -> None:
    pytest.importorskip("choix")
    pytest.importorskip("matplotlib")
    page, plot = tmp_path / "table.html", tmp_path / "table.svg"
    words = ("random", "greedy", "maxn:depth=1", "minimax:depth=1")
    shown = run(
        "tournament", threes, *words, "--games", "1", "--html", str(page), "--plot", str(plot), "--processes", "1"
    )
    assert shown.exit_code == 0
    assert shown.stdout.startswith("24 games of Threes\n")
    text = page.read_text("utf-8")
    assert "model of Plackett and Luce" in text
    assert "% of the games ahead of the 1st" in plot.read_text("utf-8")


@pytest.mark.slow
def test_a_balance_of_three_seats_with_its_report(threes: str, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    page = tmp_path / "balance.html"
    words = ("balance", threes, "--ladder", "random greedy", "--games", "6", "--html", str(page), "--processes", "1")
    shown = run(*words)
    assert shown.exit_code == 0
    assert "without a sole winner" in shown.stdout.splitlines()[0]
    assert "intervals that hold together with 95%" in page.read_text("utf-8")
    told = json.loads(run(*words, "--json").stdout)
    assert set(told["variants"][0]["payoffs"]) == {"Red", "Blue", "Green"}


def test_a_match_of_puzzles(tmp_path: Path) -> None:
    path = tmp_path / "alone.rules"
    path.write_text(RULES.format(players="Red").replace("stuck most pairs", "stuck draw"), "utf-8")
    shown = run("match", str(path), "minimax:depth=2", "random", "--games", "4", "--processes", "1")
    assert shown.exit_code == 0
    assert "100.0%" in shown.stdout
    refused = run("balance", str(path), "--until-decided")
    assert refused.exit_code == 2
    assert "--until-decided compares sides: Threes has one player" in refused.stderr


def test_a_tournament_needs_two_players_of_any_game() -> None:
    with pytest.raises(UnknownPlayer, match=r"^a tournament needs two players or more$"):
        tournament_jobs(game(3), ["random"])
