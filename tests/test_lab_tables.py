"""Games as tables: rows, data frames, files of the lab's commands."""

import csv
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from pysolve.lab.match import play_match, play_seats
from pysolve.lab.tables import TableError, check_table, game_rows, to_frame, write_table
from pysolve.runtime.optional import MissingLibrary
from tests import threes
from tests.games import load
from tests.test_lab import refused, said


def test_a_row_has_the_game_and_who_sat_where() -> None:
    games = list(play_match(load("tictactoe"), "greedy", "random", 4, seed=1))
    row = game_rows(games)[0]
    assert row | {f"{what} {who}": 0 for what in ("seconds", "processor") for who in "XO"} == {
        "number": 1, "winner": "X", "termination": "a row", "ending": "a row", "length": 5,
        "moves": "a2, b2, a1, c2, a3",
        "counts": True, "stopped": False, "adjudicated": False, "opening": 2, "redrawn": False, "shortened": False,
        "forfeited": None,
        "choices": 18, "lead_changes": 0, "seed": games[0].seed, "lots": games[0].lots, "played_by": games[0].played_by,
        "player X": "greedy", "points X": 1.0, "seconds X": 0, "processor X": 0, "chosen X": 2,
        "player O": "random", "points O": 0.0, "seconds O": 0, "processor O": 0, "chosen O": 1,
    }  # fmt: skip
    assert [one["player X"] for one in game_rows(games)] == ["greedy", "random", "greedy", "random"]


def test_a_game_that_was_played_before_does_not_count() -> None:
    games = list(play_match(load("tictactoe"), "minimax:depth=1", "minimax:depth=2", 4, opening=0))
    assert [row["counts"] for row in game_rows(games)] == [True, True, False, False]


def test_three_players_divide_the_point_of_a_game() -> None:
    games = list(play_seats(threes.game(3), ["greedy", "random", "random"], 6))
    for row in game_rows(games, {"size": 3}):
        assert next(iter(row)) == "size"
        assert sum(row[f"points {seat}"] for seat in ("Red", "Blue", "Green")) == pytest.approx(1)  # type: ignore[misc]


def test_a_match_becomes_a_frame_of_all_its_games() -> None:
    pytest.importorskip("pandas")
    match = play_match(load("tictactoe"), "greedy", "random", 4, seed=1)
    next(match)
    assert len(match.played) == 1
    frame = match.to_frame()
    assert len(frame) == len(match.played) == 4
    assert frame.groupby("player X")["points X"].sum().to_dict() == {"greedy": 2.0, "random": 0.0}


@pytest.mark.parametrize("ending", [".csv", ".PARQUET"])
def test_a_file_has_the_rows(ending: str, tmp_path: Path) -> None:
    pandas = pytest.importorskip("pandas")
    pytest.importorskip("pyarrow")
    file = tmp_path / f"games{ending}"
    games = list(play_match(load("tictactoe"), "greedy", "random", 2, seed=1))
    found = [*game_rows(games), {"number": 3, "remark": 'a "word", and another'}]
    write_table(file, found)
    read = (pandas.read_csv if ending == ".csv" else pandas.read_parquet)(file)
    assert list(read) == [*game_rows(games)[0], "remark"]
    assert read["number"].tolist() == [1, 2, 3]
    assert read["remark"][2] == 'a "word", and another'
    assert read["winner"].isna().tolist() == [False, False, True]
    assert read["moves"][0] == "a2, b2, a1, c2, a3"


FORMULAS = ["@SUM(1+9)*cmd|' /C calc'!A0", "=1+1", "+1", "-1", "\t=1", "\r=1", "\n=1"]


def test_a_text_is_no_formula_in_csv(tmp_path: Path) -> None:
    rows = [{"number": -1, "share": -0.5, "termination": text, "=1": "a - b"} for text in FORMULAS]
    write_table(tmp_path / "a.csv", rows)
    with (tmp_path / "a.csv").open(encoding="utf-8", newline="") as file:
        head, *lines = csv.reader(file)
    assert head == ["number", "share", "termination", "'=1"]
    assert lines == [["-1", "-0.5", f"'{text}", "a - b"] for text in FORMULAS]


def test_parquet_has_texts_as_they_are(tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    write_table(tmp_path / "a.parquet", [{"termination": text} for text in FORMULAS])
    assert parquet.read_table(tmp_path / "a.parquet")["termination"].to_pylist() == FORMULAS


def table(command: Sequence[str], file: Path) -> list[dict[str, str]]:
    assert f"The table is in {file}" in said(*command, "--table", str(file))
    with file.open(encoding="utf-8", newline="") as text:
        return list(csv.DictReader(text))


def test_each_command_writes_its_games(tmp_path: Path) -> None:
    file, store = tmp_path / "games.csv", str(tmp_path / "games.db")
    match = ["match", "tictactoe", "greedy", "random", "--games", "4", "--store", store]
    played = table(match, file)
    assert [row["player O"] for row in played] == ["random", "greedy"] * 2
    assert [row["moves"] for row in table(["store", store, "1"], file)] == [row["moves"] for row in played]
    tournament = ["tournament", "tictactoe", "greedy", "random", "minimax:depth=1", "--games", "2"]
    assert len(table(tournament, file)) == 6
    balance = ["balance", "connect_four", "--sweep", "width=4,5", "--player", "greedy", "--games", "2"]
    assert [(row["option width"], row["player"]) for row in table(balance, file)] == [
        (width, "greedy") for width in ("4", "4", "5", "5")]  # fmt: skip
    rules = tmp_path / "threes.rules"
    rules.write_text(threes.RULES.format(players="Red, Blue, Green"), encoding="utf-8")
    assert len(table(["match", str(rules), "greedy", "random", "random", "--games", "2"], file)) == 2


@pytest.mark.slow
def test_tune_writes_the_games_of_its_match(tmp_path: Path) -> None:
    pytest.importorskip("scipy")
    file = tmp_path / "games.csv"
    command = ["tune", "othello", "--player", "greedy", "--games", "6", "--rounds", "1", "--match", "2",
               "--out", str(tmp_path / "better.rules")]  # fmt: skip
    assert len(table(command, file)) == 2


def test_what_cannot_be_written_is_refused_before_anything_is_played(tmp_path: Path) -> None:
    match = ("match", "tictactoe", "greedy", "random", "--games", "100000")
    assert "a table file must end in .csv or .parquet, not games.xls" in refused(*match, "--table", "games.xls")
    assert "there is no such folder" in refused(*match, "--table", str(tmp_path / "none" / "games.csv"))
    store = str(tmp_path / "games.db")
    said("match", "tictactoe", "greedy", "random", "--games", "2", "--store", store)
    assert "--table writes the games of one series: give its number" in refused("store", store, "--table", "a.csv")
    with pytest.raises(TableError, match="a table file must end in "):
        check_table(Path("games"))


@pytest.mark.parametrize(
    ("library", "use", "message"),
    [
        ("pandas", lambda: to_frame([]), "a data frame needs pandas: pip install 'pysolve-games[frames]'"),
        ("pyarrow", lambda: write_table(Path("a.parquet"), []),
         "a table as Parquet needs pyarrow: pip install 'pysolve-games[frames]'"),
    ],
)  # fmt: skip
def test_a_missing_library_is_named(library: str, use: Any, message: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, library, None)
    with pytest.raises(MissingLibrary) as caught:
        use()
    assert str(caught.value) == message
