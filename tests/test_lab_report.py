"""What a balance says: intervals, early stops, strength, plots, pages."""

import html
import json
import math
import random
import re
import shlex
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from xml.etree import ElementTree

import pytest

from pysolve.lab.balance import Balance, Trial, balance, play_variant, trend
from pysolve.lab.games import Played
from pysolve.lab.report import BalanceReport
from pysolve.lab.statistics import POWER, Share, always_valid, difference, games_needed, wilson
from tests.games import load, slow_but
from tests.test_lab import refused, run, said

pytestmark = pytest.mark.slow

WORDS = ("balance", "zola", "--sweep", "size=4", "--ladder", "random minimax:depth=1", "--games", "8")


# ---------------------------------------------------------------------------------------------- statistics


@pytest.mark.slow
def test_wilson_is_that_of_scipy() -> None:
    stats = pytest.importorskip("scipy.stats")
    for points, games in ((0, 7), (3, 10), (81, 263), (500, 1000), (9, 9)):
        judge = stats.binomtest(points, games).proportion_ci(method="wilson")
        found = wilson(points, games)
        assert (found.low, found.high) == pytest.approx((judge.low, judge.high), abs=1e-9)


@pytest.mark.slow
@pytest.mark.parametrize(("fair", "share", "sides"), [(1 / 2, 0.55, 1), (1 / 2, 0.6, 1), (1 / 3, 0.38, 3)])
def test_as_many_games_as_are_recommended_find_an_advantage_with_the_probability_that_is_said(
    fair: float, share: float, sides: int
) -> None:
    stats = pytest.importorskip("scipy.stats")
    games = games_needed(fair, share, sides)
    intervals = [wilson(points, games, sides) for points in range(games + 1)]
    missed = sum(stats.binom.pmf(points, games, share) for points, one in enumerate(intervals) if one.low <= fair)
    assert 1 - missed == pytest.approx(POWER, abs=0.015)


def test_the_number_of_games_is_that_of_the_textbook() -> None:
    assert games_needed(0.5, 0.55) == 783  # (1.96 * 0.5 + 0.8416 * 0.4975)^2 / 0.05^2 = 782.5
    assert games_needed(0.5, 0.55, power=0.5) == 385  # the width of the interval: half of the series find nothing


def test_the_difference_of_newcombe() -> None:
    found = difference(wilson(56, 70), wilson(48, 80))  # the first example of his table II: 0.0524 to 0.3339
    assert (round(found.low, 4), round(found.high, 4)) == (0.0524, 0.3339)


def mixture(points: float, games: int, p: float) -> float:
    """By what a stake has grown on average over bets on q, summed up instead of integrated."""
    steps = 20000
    bets = ((at + 0.5) / steps for at in range(steps))
    return sum((q / p) ** points * ((1 - q) / (1 - p)) ** (games - points) for q in bets) / steps


@pytest.mark.parametrize(("points", "games"), [(5, 5), (6, 10), (30.5, 40), (0.5, 12)])
def test_at_its_ends_the_interval_that_is_always_valid_would_win_twenty_to_one(points: float, games: int) -> None:
    share, low, high = always_valid(points, games)
    assert low < share == points / games <= high
    ends = [end for end in (low, high) if 0 < end < 1]
    assert ends
    for end in ends:
        assert mixture(points, games, end) == pytest.approx(20, rel=1e-3)


def misled(interval: Callable[[float, int], Share], results: Sequence[float]) -> int:
    """How many of 150 who look after each of 100 fair games once find that a side is favoured."""
    rng, found = random.Random(1), 0
    for _ in range(150):
        points = 0.0
        for count in range(1, 101):
            points += rng.choice(results)
            _, low, high = interval(points, count)
            if not low <= 0.5 <= high:
                found += 1
                break
    return found


@pytest.mark.slow
def test_whoever_looks_after_each_game_is_seldom_misled() -> None:
    assert misled(always_valid, (0, 1)) <= 0.05 * 150
    assert misled(always_valid, (0, 0.5, 0.5, 1)) <= 0.05 * 150
    assert misled(wilson, (0, 1)) > 0.2 * 150  # which is why it is not used to stop


def test_it_closes_in_on_the_share() -> None:
    assert always_valid(0, 0) == (0.5, 0, 1)
    widths = [always_valid(games / 2, games).high - always_valid(games / 2, games).low for games in (10, 100, 10000)]
    assert widths == sorted(widths, reverse=True)
    assert widths[-1] < 0.04
    low = always_valid(10, 10).low
    assert low**10 * 11 == pytest.approx(1 / 20, rel=1e-6)  # the mean over q of (q/p)^10 is 1/(11 p^10)
    assert math.isclose(always_valid(3, 10).low, 1 - always_valid(7, 10).high, abs_tol=1e-9)


# ---------------------------------------------------------------------------------------------- early stops


def games(count: int, player: str = "minimax:depth=2") -> list[Played]:
    return list(play_variant(load("zola", size=4), player, count))


@pytest.mark.slow
def test_a_trial_is_decided_when_a_side_is_shown_to_be_favoured() -> None:
    trial = Trial()
    some = games(40)
    number = 0
    while not trial.decided:
        trial.add(some[number])
        trial.add(some[number])  # the same game again says nothing
        number += 1
    found = json.loads(said("balance", "zola", "size=4", "--games", "40", "--until-decided", "--json"))["variants"][0]
    assert (found["played"], found["sequential"]) == (number, True)
    assert number < 40
    red = found["sides"]["Red"]
    assert red["low"] > 0.5
    assert found["verdict"] == (
        f"Red is at least slightly favoured: {red['share']:.0%} of the points, {red['low']:.0%} to {red['high']:.0%}."
    )
    parallel = said("balance", "zola", "size=4", "--games", "40", "--until-decided", "--json", "--processes", "2")
    assert json.loads(parallel)["variants"][0] == found


@pytest.mark.slow
def test_a_store_does_not_move_the_place_where_a_trial_stops(tmp_path: Path) -> None:
    words = ("balance", "zola", "size=4", "--games", "40", "--until-decided", "--json")
    stored = (*words, "--store", str(tmp_path / "lab.db"), "--processes", "2")
    alone, first = json.loads(said(*words)), json.loads(said(*stored))
    assert alone == first
    assert json.loads(run(*stored).stdout) == alone


# ---------------------------------------------------------------------------------------------- what is said


def equals(red: float, count: int, player: str) -> Balance:
    """A balance with so many points for Red."""
    found = balance(load("zola", size=4), games(1, "random"), {}, player)
    sides = {"Red": wilson(red, count), "Blue": wilson(count - red, count)}
    return replace(found, sides=sides, played=count)


@pytest.mark.parametrize(
    ("weak", "strong", "says"),
    [
        (50, 80, "Stronger play favours Red: from 50% with a to 80% with b, a change of +17 to +42 points of 100."),
        (95, 60, "Stronger play is worse for Red: from 95% with a to 60% with b, a change of -45 to -24"),
        (50, 45, "Strength has no significant effect: Blue goes from 50% with a to 55% with b, a change of -9 to +18"),
    ],
)
def test_how_the_edge_moves_with_strength(weak: float, strong: float, says: str) -> None:
    assert trend([equals(weak, 100, "a"), equals(strong, 100, "b")]).startswith(says)
    assert trend([equals(weak, 100, "a")]) == ""


def test_what_games_are_like() -> None:
    some = games(10, "greedy")
    found = balance(load("zola", size=4), some, {}, "greedy")
    assert found.branching == pytest.approx(sum(one.choices for one in some) / sum(sum(one.chosen) for one in some))
    assert found.lead_changes.most == max(one.lead_changes for one in some)
    assert found.decisive == wilson(10 - found.draws, 10)
    assert found.rules == load("zola", size=4).model.digest


@pytest.mark.slow
def test_a_ladder_in_words_and_for_programs() -> None:
    text = said(*WORDS)
    assert text.count("Zola, size=4, random: ") == text.count("Zola, size=4, minimax:depth=1: ") == 1
    (line,) = (line for line in text.split("\n") if " with random to " in line)
    found = json.loads(said(*WORDS, "--json"))
    assert [one["player"] for one in found["variants"]] == ["random", "minimax:depth=1"]
    assert found["trends"] == [{"options": {"size": "4"}, "trend": line}]
    assert found["again"].startswith("pysolve balance zola --sweep size=4 --ladder 'random minimax:depth=1' --games 8")
    one_by_one = said(*WORDS[:4], "--ladder", "random", "--ladder", "minimax:depth=1", *WORDS[6:], "--json")
    assert json.loads(one_by_one) == found


def test_the_command_of_a_report_repeats_it() -> None:
    found = json.loads(said(*WORDS, "--until-decided", "--adjudicate", "4,3", "--json"))
    again = shlex.split(found["again"])
    assert again[0] == "pysolve"
    assert json.loads(said(*again[1:], "--json")) == found


# ------------------------------------------------------------------------------------------- pages and plots


@pytest.mark.slow
def test_a_page_has_everything_in_it(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    page, plot = tmp_path / "zola.html", tmp_path / "zola.svg"
    text = said(*WORDS, "--html", str(page), "--plot", str(plot))
    assert text.endswith(f"The report is in {page}\nThe plot is in {plot}\n")
    html = page.read_text(encoding="utf-8")
    assert not re.findall(r'(?:src|href)="(?!#)', html.replace("xlink:href", "href"))  # nothing from outside
    assert html.count("<svg") == html.count("</svg>") == 1
    assert html.count("<tr>") == 3 + 3  # a head, and both players; the same of endings
    assert "<tr><td>size=4</td><td>random</td><td>all enemy checkers are captured</td><td>8</td>" in html
    assert "pysolve balance zola --sweep size=4 --ladder &#x27;random minimax:depth=1&#x27; --games 8" in html
    for line in text.split("\n"):
        if "favoured" in line or "Strength" in line or "Stronger" in line:
            assert line in html
    assert "% of the points" in html
    ElementTree.fromstring(html.partition("<!DOCTYPE html>\n")[2])  # every tag is closed
    assert ElementTree.parse(plot).getroot().tag.endswith("svg")
    said(*WORDS, "--html", str(tmp_path / "again.html"))
    assert (tmp_path / "again.html").read_text(encoding="utf-8") == html


@pytest.mark.slow
def test_a_plot_is_a_picture(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    said("balance", "tictactoe", "--player", "random", "--games", "4", "--plot", str(tmp_path / "p.png"))
    assert (tmp_path / "p.png").read_bytes().startswith(b"\x89PNG")


def test_what_cannot_be_reported_is_refused_before_anything_is_played(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pysolve.lab.games.play_game", None)
    words = ("balance", "zola", "--games", "1000000")
    if find_spec("matplotlib"):
        assert "must end in .png or .svg, not p.gif" in refused(*words, "--plot", str(tmp_path / "p.gif"))
        assert "no such folder" in refused(*words, "--html", str(tmp_path / "nowhere" / "p.html"))
        assert "it cannot be written" in refused(*words, "--html", str(tmp_path))
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    missing = "a plot needs matplotlib: pip install 'pysolve-games[lab]'"
    assert missing in refused(*words, "--plot", str(tmp_path / "p.png"))
    assert 'there is no player "gredy"' in refused(*words, "--ladder", "random gredy")


def test_a_report_of_nothing_is_empty() -> None:
    assert BalanceReport("Zola", "pysolve balance zola").to_dict()["variants"] == []


# --------------------------------------------------------------------------------------------- whatever a title is

STRANGE = [r"$\frac{$", "$ 5 $", "<script>alert(1)</script> & co", r"\textbf{x} %d {title} _^#", "--> <!--", "漢字 🂡"]


@pytest.mark.parametrize("title", slow_but((), STRANGE, late=STRANGE[1::2]))
def test_a_title_is_text_in_reports_and_plots(tmp_path: Path, title: str) -> None:
    pytest.importorskip("matplotlib")
    rules, page, plot = tmp_path / "strange.rules", tmp_path / "a.html", tmp_path / "a.svg"
    rules.write_text(f'game "{title}" extends "tictactoe"\n', encoding="utf-8")
    words = (str(rules), "--games", "2", "--html", str(page), "--plot", str(plot))
    for command in ("tournament", str(rules), "random", "greedy"), ("balance", str(rules), "--player", "random"):
        result = run(command[0], *words, *command[2:])
        assert (result.exit_code, result.exception) == (0, None)
        assert f" of {title}\n" in result.stdout or f"{title}: 2 games" in result.stdout
        text = page.read_text(encoding="utf-8")
        assert f"<h1>{html.escape(title)}" in text
        assert "<script" not in text
        found = ElementTree.fromstring(plot.read_text(encoding="utf-8"))
        written = ["".join(one.itertext()).strip() for one in found.iter("{http://www.w3.org/2000/svg}text")]
        assert any(one.startswith(title) for one in written)
        assert run(command[0], *words[:3], "--plot", str(tmp_path / "a.png"), *command[2:]).exit_code == 0
        (tmp_path / "a.png").unlink()
        page.unlink()
        plot.unlink()


@pytest.mark.slow
def test_control_characters_do_not_come_into_a_page(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    report = BalanceReport("A\x00\x1b[31m\u202e\udc80B", "pysolve \udcff", [balance(load("tictactoe"), list(
        play_variant(load("tictactoe"), "random", 2)), {}, "greedy:by=\x07")])  # fmt: skip
    assert list(report.write(tmp_path / "a.html", tmp_path / "a.svg")) == [tmp_path / "a.html", tmp_path / "a.svg"]
    for file in tmp_path.iterdir():
        text = file.read_text(encoding="utf-8")
        assert not {sign for sign in text if not sign.isprintable()} - {"\n"}
    ElementTree.fromstring((tmp_path / "a.svg").read_text(encoding="utf-8"))


def test_the_result_is_printed_whatever_is_wrong_with_the_drawing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("matplotlib")

    def broken(*_: object) -> None:
        raise RuntimeError("no ink")

    monkeypatch.setattr("pysolve.lab.plots._figure", broken)
    for words in ("tournament", "zola", "random", "greedy"), ("balance", "zola", "--player", "random"):
        for file in ("a.html", "a.svg", "a.png"):
            option = "--html" if file == "a.html" else "--plot"
            result = run(*words, "size=4", "--games", "2", option, str(tmp_path / file))
            assert "2 games" in result.stdout
            assert result.stderr == "pysolve: the result cannot be drawn: RuntimeError: no ink\n"
            assert result.exit_code == 2
    assert list(tmp_path.iterdir()) == []
