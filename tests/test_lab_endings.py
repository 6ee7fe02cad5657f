"""How games end: what match, balance and tournament say of it, and of the parent of a variant."""

import json
import re
import sqlite3
import sys
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import pysolve
from pysolve.lab import games as lab_games
from pysolve.lab import workers
from pysolve.lab.balance import balance, compared, play_variant
from pysolve.lab.endings import ending_told, endings
from pysolve.lab.games import Adjudication, Job, Played, Rules, play_game
from pysolve.lab.match import play_match, series_of, standing
from pysolve.lab.parents import Incomparable, parent_of
from pysolve.lab.report import BalanceReport, TournamentReport
from pysolve.lab.statistics import always_valid, wilson
from pysolve.lab.store import Store
from pysolve.lab.tournament import crosstable
from pysolve.notation.record import Record
from pysolve.players.session import Session
from tests import threes
from tests.games import load
from tests.test_lab import run, said

pytestmark = pytest.mark.slow

RACE = """game "Race"

option length = 8 in 7..9

players Red, Blue

board square length by 1

state at(cell): player or none

move place(to: cell) as "{to}"
  when
    at(to) = none
    no c in neighbours(to) has at(c) != none
  do at(to) := mover

stuck mover loses

end
  mover wins when at(a1) = mover because "the goal is reached"
  draw when repeated 9
"""
NAMES = ("meeting", "race")
VARIANT = """game "Race with a meeting" extends "race"

end draw when at(d1) != none because "they meet"
"""
FILL = (
    threes.RULES.format(players="Red, Blue")
    .replace(
        "end mover wins when some c: cell, d in {north, northeast, east, southeast} has three(c, d)",
        'end most pairs, then most low when no c: cell has at(c) = none because "the board is full (of men)"\n'
        "define low(p: player) = count c: cell where at(c) = p and row(c) = 1\n",
    )
    .replace("define three(c: cell, d: direction) = every k in 0..2 has at(c + k * d) = mover\n", "")
)


@pytest.fixture(scope="module")
def race(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a game and a variant, each of which is read once; tests write others beside them."""
    folder = tmp_path_factory.mktemp("race")
    (folder / "race.rules").write_text(RACE, encoding="utf-8")
    (folder / "meeting.rules").write_text(VARIANT, encoding="utf-8")
    return folder


def rows(game: pysolve.Game, played: list[Played], competitors: int = 1) -> list[tuple[Any, ...]]:
    found = endings(game, played, competitors)
    return [(one.ending, one.kind, one.games, *one.won_as.values(), one.draws) for one in found]


# --------------------------------------------------------------------------------------------- what is counted


def test_each_ending_of_the_rules_has_a_row_whether_it_decided_or_not(race: Path) -> None:
    game = pysolve.load(race / "race.rules")
    played = list(play_variant(game, "random", 30))
    found = rows(game, played)
    assert [row[:2] for row in found] == [
        ("the goal is reached", "rule"), ("repeated 9", "rule"), ("no legal move", "stuck")]  # fmt: skip
    assert sum(row[2] for row in found) == 30
    assert found[1] == ("repeated 9", "rule", 0, 0, 0, 0)
    assert all(games == red + blue + draws for _, _, games, red, blue, draws in found)
    winners = Counter((one.record.termination.partition(" has ")[2] or one.ending, one.winner) for one in played)
    assert found[0][3:5] == (winners["the goal is reached", 0], winners["the goal is reached", 1])
    assert found[2][3:5] == (winners["no legal move", 0], winners["no legal move", 1])


def test_games_that_the_rules_did_not_end_stand_below() -> None:
    game = load("tictactoe")
    cut = play_game(game, Job(1, ("random", "random"), (0, 0), 1, 1, Rules(limit=3)))
    given = play_game(game, Job(2, ("greedy", "random"), (0, 0), 1, 1, Rules(adjudication=Adjudication(1, 1))))
    resigned = replace(cut, number=3, stopped=False, winner=1, ending="resigned")
    assert (cut.ending, given.ending) == ("stopped", "adjudicated")
    assert rows(game, [cut, given, resigned])[2:] == [
        ("resigned", "other", 1, 0, 1, 0), ("adjudicated", "adjudicated", 1, 1, 0, 0),
        ("stopped", "stopped", 1, 0, 0, 1),
    ]  # fmt: skip


def test_a_program_that_fails_ends_its_games_in_a_way_of_their_own() -> None:
    session = Session(load("tictactoe").start(), {})
    session.forfeit("the program is silent")
    forfeit = session.outcome
    assert forfeit is not None
    assert (forfeit.reason, forfeit.ending) == ("X forfeits the game: the program is silent", "forfeited")
    told = session.record(Record("tictactoe", {}, "", players={"X": "random", "O": "random"}))
    assert ending_told(told, stopped=False, adjudicated=False) == "forfeited"


def test_an_ending_that_compares_has_one_name_whatever_the_numbers() -> None:
    game = pysolve.load(FILL)
    played = list(play_match(game, "random", "random", 20))
    assert len({one.record.termination for one in played}) > 2
    assert [row[:3] for row in rows(game, played)] == [
        ("the board is full (of men)", "rule", 20), ("no legal move", "stuck", 0)]  # fmt: skip


def test_a_match_and_a_tournament_say_for_whom() -> None:
    game = load("tictactoe")
    match = list(play_match(game, "greedy", "random", 8))
    (row, full) = endings(game, match, competitors=2)
    assert row.won_by == (sum(one.points(0) == 1 for one in match), sum(one.points(1) == 1 for one in match))
    assert sum(row.won_by) == sum(row.won_as.values()) == row.games
    assert full.games == full.draws
    assert crosstable(["greedy", "random"], game.players, match, game).endings == (row, full)
    found = json.loads(said("match", "tictactoe", "greedy", "random", "--games", "8", "--json"))
    assert found["endings"] == [one.to_dict() for one in (row, full)]
    assert [one["ending"] for one in found["games"]] == [one.ending for one in match]


def test_commands_show_how_games_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    match = said("match", "tictactoe", "greedy", "random", "--games", "8").split("\n")
    at = next(number for number, line in enumerate(match) if line.startswith("endings "))
    assert match[at].split() == ["endings", "games", "won", "drawn", "lost"]
    assert [line.split()[0] for line in match[at + 1 :] if line] == ["a", "no"]
    monkeypatch.setitem(sys.modules, "choix", None)  # slow to import
    words = ("tictactoe", "greedy", "random", "minimax:depth=2", "--games", "2")
    tournament = run("tournament", *words).stdout
    assert "\nendings          games  1  2  3  drawn\n  a row" in tournament


# --------------------------------------------------------------------------------------------------- old stores


@pytest.mark.parametrize(("rules", "names"), [
    (FILL, {"the board is full (of men)"}), (RACE, {"the goal is reached", "no legal move", "stopped"}),
])  # fmt: skip
def test_stores_from_before_say_how_games_ended(tmp_path: Path, rules: str, names: set[str]) -> None:
    game, rule = pysolve.load(rules), Rules(opening=0, limit=3 if rules == RACE else 100)
    jobs = [Job(number, ("random", "random"), (0, 1), number, number, rule) for number in range(1, 13)]
    played = [play_game(game, job) for job in jobs]
    store = Store(tmp_path / "games.db")
    series = store.begin(series_of("match", "it", game, ("random", "random"), 1, rule))
    for one in played:
        store.add(series, one)
    assert [one.ending for one in store.games(series)] == [one.ending for one in played]
    with sqlite3.connect(tmp_path / "games.db") as file:
        file.execute("UPDATE games SET details = json_remove(details, '$.ending', '$.processor')")
    old = list(store.games(series))
    assert old == played
    assert (standing(game, old).processor, standing(game, old).to_dict()["processor_a_move"]) == (None, None)
    assert standing(game, [*old, *played]).processor == standing(game, played).processor
    assert {one.ending for one in played} == names
    store.close()


# ---------------------------------------------------------------------------------------- a variant's parent


def test_a_variant_finds_its_parent_with_the_same_options(race: Path) -> None:
    variant = pysolve.load(race / "meeting.rules", length=9)
    parent = parent_of(variant)
    assert parent is not None
    assert (parent.game.title, parent.game.options, parent.name) == ("Race", {"length": 9}, str(race / "race.rules"))
    assert parent_of(parent.game) is None
    shipped = parent_of(load("tictactoe-misere"))
    assert shipped is not None
    assert (shipped.name, shipped.game.model) == ("tictactoe", load("tictactoe").model)


def test_renamed_options_are_those_of_the_parent(race: Path) -> None:
    (race / "long.rules").write_text('game "Long race" extends "race"\n\nrename length as far\n', encoding="utf-8")
    parent = parent_of(pysolve.load(race / "long.rules", far=7))
    assert parent is not None
    assert parent.game.options == {"length": 7}


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("replace option length = 6 in {6, 8}\n", "Race has no length=6"),
        ("players Red, Blue, Green\n", "Race is for another number of players (2)"),
    ],
)
def test_what_cannot_be_compared_says_why(race: Path, text: str, says: str) -> None:
    other = text if text.startswith("replace") else f"replace {text}"
    (race / f"other{len(text)}.rules").write_text(f'game "Other" extends "race"\n\n{other}', encoding="utf-8")
    with pytest.raises(Incomparable) as caught:
        parent_of(pysolve.load(race / f"other{len(text)}.rules"))
    assert str(caught.value) == says
    result = run("balance", str(race / f"other{len(text)}.rules"), "--player", "random", "--games", "2", "--json")
    assert result.stderr == f"pysolve: the parent is not played beside this variant: {says}\n"
    assert "parent" not in json.loads(result.stdout)["variants"][0]


def test_balance_of_a_variant_says_how_many_games_ended_as_before(race: Path) -> None:
    words = ("--player", "random", "--games", "20")
    text = said("balance", str(race / "meeting.rules"), *words)
    found = json.loads(said("balance", str(race / "meeting.rules"), *words, "--json"))["variants"][0]
    alone = json.loads(said("balance", str(race / "race.rules"), *words, "--json"))["variants"][0]
    assert {**found["parent"], "options": {}} == alone
    goal, _, met, stuck = found["endings"]
    before = {one["ending"]: one["games"] for one in alone["endings"]}
    assert (met["ending"], "they meet" in before) == ("they meet", False)
    assert 0 < met["games"] == met["draws"] < 20
    lines = [line.split() for line in text.split("\n")]
    assert ["endings", "games", "Red", "Blue", "drawn", "Race", "(20)"] in lines
    assert ["they", "meet", *map(str, (met["games"], 0, 0, met["games"])), "none"] in lines
    counts = [goal["games"], *goal["won_as"].values(), goal["draws"], before["the goal is reached"]]
    assert ["the", "goal", "is", "reached", *map(str, counts)] in lines
    assert stuck["ending"] == "no legal move"
    assert found["compared"][0].startswith(f"{met['games']} of 20 games ended in a way that Race does not have: ")
    assert all(sentence in text.split("\n") for sentence in found["compared"])
    assert "Race" not in said("balance", str(race / "meeting.rules"), *words, "--no-parent").replace("Race with", "")


def test_an_ending_that_is_gone_is_shown_beside(race: Path) -> None:
    (race / "gone.rules").write_text(
        f'game "Gone" extends "race"\n\nreplace {VARIANT.split(chr(10), 2)[2]}', encoding="utf-8"
    )
    lines = said("balance", str(race / "gone.rules"), "--player", "random", "--games", "4").split("\n")
    (row,) = (line.split() for line in lines if "the goal is reached" in line)
    assert row[4] == "none"
    assert len(row) == 6


def test_what_changed_is_said_with_its_uncertainty() -> None:
    game, other = pysolve.load(RACE), pysolve.load(RACE.replace('"Race"', '"Old race"'))
    played = list(play_variant(game, "random", 12))
    before = balance(other, played, {})
    same = balance(game, played, {}, parent=before)
    (said,) = compared(same)
    assert said.startswith("The sides have no significantly different shares: Red goes from ")
    won = [replace(one, winner=0) for one in played]
    lost = balance(other, [replace(one, winner=1) for one in played], {})
    (said,) = compared(balance(game, won, {}, parent=lost))
    assert said.startswith("Red goes from 0% in Old race to 100%, a change of +6")
    assert compared(lost) == []


def test_what_is_new_has_an_interval_that_holds_however_one_stops(race: Path) -> None:
    variant, parent = (pysolve.load(race / f"{name}.rules") for name in NAMES)
    played = list(play_variant(variant, "random", 12))
    before = balance(parent, list(play_variant(parent, "random", 12)), {})
    for interval, sequential in (wilson, False), (always_valid, True):
        found = balance(variant, played, {}, sequential=sequential, parent=before)
        share = interval(found.endings[2].games, 12)
        assert compared(found)[0].endswith(f" {share.share:.0%}, {share.low:.0%} to {share.high:.0%}.")


def test_games_of_a_parent_that_come_to_no_end_have_no_length(race: Path) -> None:
    words = ("--player", "random", "--games", "2", "--opening", "0", "--max-moves", "1")
    assert "\nbeside    Race: 2 games, 2 drawn\n" in said("balance", str(race / "meeting.rules"), *words)


def test_a_parent_is_played_once_for_all_values_that_it_does_not_have(
    race: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    text = VARIANT.replace("\n\n", "\n\noption meeting = 4 in 4..5\n\n", 1)
    text = text.replace("at(d1) != none", "some c: cell has at(c) != none and column(c) = meeting")
    (race / "place.rules").write_text(text, encoding="utf-8")
    played = counting(monkeypatch)
    table = tmp_path / "games.csv"
    words = ("--sweep", "meeting=4,5", "--player", "random", "--games", "3", "--table", str(table))
    text = said("balance", str(race / "place.rules"), *words)
    assert played == {"Race with a meeting": 6, "Race": 3}
    assert text.count("endings") == 2
    named = [line.partition(",")[0] for line in table.read_text(encoding="utf-8").split("\n")[1:-1]]
    assert named == [str(race / f"{name}.rules") for name in 3 * ["place"] + 3 * ["race"] + 3 * ["place"]]


def counting(monkeypatch: pytest.MonkeyPatch, stop: Callable[[Counter[str]], bool] = lambda _: False) -> Counter[str]:
    """How many games of each title are played from now on; Ctrl-C is pressed as soon as `stop`."""
    played = Counter[str]()

    def play(game: pysolve.Game, *rest: Any) -> Played:
        played[game.title] += 1
        if stop(played):
            raise KeyboardInterrupt
        return lab_games.play_game(game, *rest)

    monkeypatch.setattr(workers, "play_game", play)
    return played


def test_a_store_has_the_games_of_the_parent(race: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    words = ("--player", "random", "--games", "3", "--store", str(tmp_path / "lab.db"))
    first = said("balance", str(race / "meeting.rules"), *words)
    played = counting(monkeypatch)
    assert run("balance", str(race / "meeting.rules"), *words).stdout == first
    assert run("balance", str(race / "race.rules"), *words).exit_code == 0
    assert played == {}


def test_ctrl_c_in_the_games_of_the_parent_keeps_those_of_the_variant(
    race: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    counting(monkeypatch, lambda played: played["Race"] == 2)
    result = run("balance", str(race / "meeting.rules"), "--player", "random", "--games", "3")
    assert result.exit_code == 130
    assert result.stderr == "pysolve: balance stopped after 1 of 3 games of Race\n"
    assert result.stdout.startswith("Race with a meeting: 3 games, ")
    assert " Race (1)\n" in result.stdout


@pytest.mark.slow
def test_a_match_and_a_tournament_play_the_parent_if_asked(
    race: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setitem(sys.modules, "choix", None)  # slow to import
    players, table = ("random", "greedy"), tmp_path / "games.csv"
    for command in "match", "tournament":
        variant, parent = ((command, str(race / f"{name}.rules"), *players, "--games", "4") for name in NAMES)
        text = run(*variant, "--parent", "--table", str(table)).stdout
        found, alone = json.loads(run(*variant, "--parent", "--json").stdout), json.loads(run(*parent, "--json").stdout)
        assert found["parent"]["title"] == "Race"
        assert found["parent"]["endings"] == alone["endings"]
        assert [line for line in text.split("\n") if line.startswith("beside    4 games of Race: ")]
        assert [line.split()[-1] for line in text.split("\n") if line.startswith("  they meet ")] == ["none"]
        assert " Race (4)\n" in text
        assert found["again"].endswith(" --parent")
        named = [line.partition(",")[0] for line in table.read_text(encoding="utf-8").split("\n")[1:-1]]
        assert named == [str(race / f"{name}.rules") for name in NAMES for _ in range(4)]
        assert "parent" not in json.loads(run(*variant, "--json").stdout)


def test_the_page_of_a_tournament_has_the_parent(race: Path) -> None:
    tables = []
    for name in NAMES:
        game = pysolve.load(race / f"{name}.rules")
        played = list(play_match(game, "random", "greedy", 8))
        tables.append(crosstable(["random", "greedy"], game.players, played, game))
    rows = TournamentReport("Race", "", tables[0], None, "Race", tables[1]).endings().split("\n")
    assert rows[0].endswith("<th>drawn</th><th>in Race</th></tr>")
    assert rows[1].endswith(f"<td>{tables[1].endings[0].games} of 8</td></tr>")
    assert rows[3].endswith("<td>none</td></tr>")


def test_a_page_says_how_games_ended_beside_the_parent(race: Path) -> None:
    variant, parent = pysolve.load(race / "meeting.rules"), pysolve.load(race / "race.rules")
    before = balance(parent, list(play_variant(parent, "random", 8)), {})
    found = balance(variant, list(play_variant(variant, "random", 8)), {}, "random", parent=before)
    report = BalanceReport("Race", "pysolve balance", [found])
    head, goal, *_, met, stuck = (re.findall(r"<t[hd]>(.*?)</t[hd]>", row) for row in report.endings().split("\n"))
    assert head == ["variant", "player", "ending", "games", "Red", "Blue", "drawn", "in the parent"]
    assert goal[-1] == f"{before.endings[0].games} of 8"
    assert (met[1:3], met[-1]) == (["random", "they meet"], "none")
    assert stuck[2] == "no legal move"
    assert "<td>the parent Race</td>" in report.table()
    assert compared(found)[0] in report.summary()
    assert "<th>in the parent</th>" not in BalanceReport("Race", "", [before]).endings()
