"""Tournaments and ratings."""

import json
import math
import re
import statistics
import sys
from itertools import islice
from pathlib import Path
from xml.etree import ElementTree

import pytest

from pysolve.dsl.player_texts import UnknownPlayer
from pysolve.lab.games import Played, Rules
from pysolve.lab.orders import games_in_all
from pysolve.lab.ratings import ratings
from pysolve.lab.start import start_workers
from pysolve.lab.tournament import Cell, crosstable, tournament_jobs
from pysolve.lab.workers import NamedGame
from pysolve.runtime.optional import MissingLibrary
from tests.games import load
from tests.test_lab import refused, run, said

PLAYERS = ("random", "greedy", "minimax:depth=2")


def played(players: tuple[str, ...], games: int, seed: int = 1) -> list[Played]:
    game = load("zola", size=4)
    workers = start_workers([NamedGame(game, "zola")], 1)
    return list(workers.play(0, islice(tournament_jobs(game, players, seed), games_in_all(len(players), games))))


def test_everybody_plays_everybody_on_both_seats() -> None:
    jobs = list(
        islice(tournament_jobs(load("tictactoe"), ("random", "greedy", "mcts", "random"), 1), games_in_all(4, 4))
    )
    assert [job.number for job in jobs] == list(range(1, 25))
    assert sorted(job.seats for job in jobs) == sorted(
        [(one, other) for one in range(4) for other in range(4) if one != other] * 2
    )
    assert all(one.lots == other.lots for one, other in zip(jobs[::2], jobs[1::2], strict=True))
    assert all(one.seats == other.seats[::-1] for one, other in zip(jobs[::2], jobs[1::2], strict=True))
    assert len({job.lots for job in jobs}) == 2  # an opening for each round
    assert len({job.seed for job in jobs}) == 24
    assert jobs[2].players == ("random", "mcts")


def test_more_games_begin_with_the_same_ones() -> None:
    few, many = (list(islice(tournament_jobs(load("zola"), PLAYERS, 7), count)) for count in (6, 20))
    assert many[:6] == few


def test_the_points_of_a_table_add_up() -> None:
    games = played(PLAYERS, 6)
    found = crosstable(PLAYERS, ("Red", "Blue"), games)
    assert (found.played, found.duplicates) == (18, 0)
    assert sum(found.total(who).points for who in range(3)) == 18
    for one in range(3):
        for other in range(3):
            here, there = found.cells[one][other], found.cells[other][one]
            assert (here.wins, here.draws, here.losses) == (there.losses, there.draws, there.wins)
            assert here.games == (0 if one == other else 6)
    assert found.order == [2, 1, 0]
    assert found.by_seat["Red"].wins == found.by_seat["Blue"].losses
    assert found.by_seat["Red"].wins == sum(game.winner == 0 for game in games)


def test_the_same_game_of_a_tournament_counts_once() -> None:
    game = load("zola", size=4)
    jobs = islice(tournament_jobs(game, ("minimax:depth=2", "minimax:depth=3"), 1, Rules(opening=0)), 2)
    games = list(start_workers([NamedGame(game, "zola")], 1).play(0, jobs))
    found = crosstable(PLAYERS[:2], ("Red", "Blue"), [*games, *games])
    assert (found.played, found.duplicates) == (4, 2)
    assert sum(found.total(who).games for who in (0, 1)) == 4


def test_a_tournament_takes_two() -> None:
    with pytest.raises(UnknownPlayer, match="two players or more"):
        tournament_jobs(load("zola"), ("random",))
    assert "two players or more" in refused("tournament", "zola", "random", "size=4")
    assert 'there is no player "gredy"' in refused("tournament", "zola", "random", "gredy")
    assert "--adjudicate takes a margin" in refused("tournament", "zola", "random", "greedy", "--adjudicate", "30")


# -------------------------------------------------------------------------------------------------- ratings


def test_two_players_are_rated_by_the_odds_of_their_points() -> None:
    pytest.importorskip("choix")
    better, worse = ratings([[0, 14.5], [5.5, 0]])
    apart = 400 * math.log10(15 / 6)  # with the drawn game that is added
    assert better.elo - worse.elo == pytest.approx(apart, abs=0.01)
    assert better.elo + worse.elo == pytest.approx(0, abs=1e-6)
    share = 15 / 21
    error = 400 / math.log(10) / math.sqrt(21 * share * (1 - share))  # of the distance between them
    assert better.high - better.elo == pytest.approx(1.959964 * error / 2, abs=0.01)


def test_ratings_are_those_that_are_most_likely() -> None:
    pytest.importorskip("choix")
    optimize = pytest.importorskip("scipy.optimize")
    points = [[0, 7, 9, 3.5], [3, 0, 6.5, 5], [1, 3.5, 0, 2], [6.5, 5, 8, 0]]

    def unlikely(strengths) -> float:  # type: ignore[no-untyped-def]
        return sum(
            (points[a][b] + 0.5) * math.log1p(math.exp(strengths[b] - strengths[a]))
            for a in range(4) for b in range(4) if a != b
        )  # fmt: skip

    best = optimize.minimize(unlikely, [0.0] * 4, tol=1e-10).x
    elo = [400 / math.log(10) * (one - sum(best) / 4) for one in best]
    assert [one.elo for one in ratings(points)] == pytest.approx(elo, abs=0.1)


def test_somebody_who_wins_everything_has_a_rating_and_a_wide_interval() -> None:
    pytest.importorskip("choix")
    best, *_ = ratings([[0, 10, 10], [0, 0, 5], [0, 5, 0]])
    assert math.isfinite(best.elo)
    assert best.low > 0
    assert best.high - best.low > 200


def test_without_the_library_there_are_no_ratings(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "choix", None)
    with pytest.raises(MissingLibrary, match=r"the rating of players needs choix: pip install 'pysolve-games\[lab\]'"):
        ratings([[0, 1], [1, 0]])
    result = run("tournament", "zola", "random", "greedy", "size=4", "--games", "2")
    assert result.exit_code == 0
    assert result.stderr == "pysolve: the rating of players needs choix: pip install 'pysolve-games[lab]'\n"
    assert "rating" not in result.stdout


# ------------------------------------------------------------------------------------------------- command


@pytest.mark.slow
def test_the_table_of_a_tournament() -> None:
    pytest.importorskip("choix")
    words = ("tournament", "zola", *PLAYERS, "size=4", "--games", "4", "--seed", "3")
    lines = said(*words).split("\n")
    assert lines[0] == "12 games of Zola"
    assert lines[1].split() == ["player", "rating", "points", "1", "2", "3"]
    assert [line.split()[0] for line in lines[2:5]] == ["1", "2", "3"]
    assert sorted(line.split()[1] for line in lines[2:5]) == sorted(PLAYERS)
    found = json.loads(said(*words, "--processes", "2", "--json"))
    assert (found["players"], found["played"], found["options"]) == (list(PLAYERS), 12, {"size": "4"})
    assert sum(found["points"]) == 12
    points = dict(zip(PLAYERS, found["points"], strict=True))
    assert [line.split()[5] for line in lines[2:5]] == [f"{one:g}/8" for one in sorted(points.values(), reverse=True)]
    assert found["again"].startswith("pysolve tournament zola size=4 random greedy minimax:depth=2 --games 4 --seed 3")
    assert json.loads(said(*found["again"].split()[1:], "--json")) == found
    assert len(found["games"]) == 12
    assert (found["counted"], [one["least"] for one in found["lengths_of"]]) == ([8, 8, 8], [15.0, 15.0, 15.0])


def test_lengths_are_those_of_each_player() -> None:
    pytest.importorskip("choix")
    words = ("tournament", "zola", *PLAYERS, "size=4", "--games", "4", "--json")
    found = json.loads(said(*words))
    for who, lengths in zip(PLAYERS, found["lengths_of"], strict=True):
        ours = sorted(len(one["moves"]) for one in found["games"] if who in one["players"].values())
        assert (lengths["least"], lengths["most"]) == (ours[0], ours[-1])
        assert lengths["median"] == statistics.median(ours)


@pytest.mark.slow
def test_the_page_of_a_tournament(tmp_path: Path) -> None:
    pytest.importorskip("choix")
    pytest.importorskip("matplotlib")
    page, plot = tmp_path / "zola.html", tmp_path / "zola.svg"
    words = ("tournament", "zola", *PLAYERS, "size=4", "--games", "4")
    text = said(*words, "--html", str(page), "--plot", str(plot))
    assert text.endswith(f"The report is in {page}\nThe plot is in {plot}\n")
    html = page.read_text(encoding="utf-8")
    assert not re.findall(r'(?:src|href)="(?!#)', html.replace("xlink:href", "href"))  # nothing from outside
    rows = ElementTree.fromstring(html.partition("<!DOCTYPE html>\n")[2]).findall(".//tr")  # every tag is closed
    cells, endings = ([[cell.text or "" for cell in row] for row in some] for some in (rows[:4], rows[4:]))
    assert endings[0] == ["ending", "games", "1", "2", "3", "drawn"]
    assert [" ".join(row) for row in endings[1:]] == [" ".join(line.split()) for line in text.split("\n")[9:-3]]
    assert cells[0] == ["", "player", "rating", "points", "1", "2", "3", "moves"]
    said_in_words = [re.split(r"\s{2,}", line) for line in text.split("\n")[2:5]]
    assert [row[:4] for row in cells[1:]] == [line[:4] for line in said_in_words]
    assert [[cell for cell in row[4:7] if cell] for row in cells[1:]] == [line[4:] for line in said_in_words]
    assert "pysolve tournament zola size=4 random greedy minimax:depth=2 --games 4 --seed 1" in html
    assert "12 games. Most points: minimax:depth=2, " in html
    drawn = {"".join(one.itertext()).strip() for one in ElementTree.parse(plot).iter() if one.tag.endswith("text")}
    assert {"1  minimax:depth=2", "2  greedy", "3  random", "rating in points of Elo, with 95% interval"} <= drawn
    said(*words, "--html", str(tmp_path / "again.html"), "--json")
    assert (tmp_path / "again.html").read_text(encoding="utf-8") == html


def test_a_page_goes_without_ratings_where_their_library_is_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("matplotlib")
    monkeypatch.setitem(sys.modules, "choix", None)
    page = tmp_path / "zola.html"
    assert run("tournament", "zola", "random", "greedy", "size=4", "--games", "2", "--html", str(page)).exit_code == 0
    html = page.read_text(encoding="utf-8")
    assert "<th>points</th>" in html
    assert "<th>rating</th>" not in html


def test_a_page_that_cannot_be_written_is_refused_before_a_tournament(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pysolve.lab.games.play_game", None)
    words = ("tournament", "zola", "random", "greedy", "--games", "1000000")
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    missing = "a plot needs matplotlib: pip install 'pysolve-games[lab]'"
    assert missing in refused(*words, "--plot", str(tmp_path / "p.png"))


def test_cells() -> None:
    assert str(Cell(2, 1, 1) + Cell(0, 1, 0)) == "3/5"
    assert str(Cell()) == "-"
    assert sum([Cell(1, 2, 3)], Cell()) == Cell(1, 2, 3)
