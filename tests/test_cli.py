"""The command line: what each command prints, on which stream, and its exit status."""

import importlib
import json
import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from itertools import chain, islice
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from typer.testing import CliRunner, Result

import pysolve
from pysolve.authoring import examples
from pysolve.cli.app import COMMANDS, app
from pysolve.cli.console import MISTAKES, _console_class, in_columns, is_mistake
from pysolve.cli.later import Later
from pysolve.engines.build import NoCompiler
from pysolve.notation.json_lines import Answers, outcome_dict
from pysolve.runtime.paths import RULES, TEMPLATES, shipped_games
from tests.games import ALIKE, each, slow_but

HERE = Path(__file__).parent
WRONG = HERE / "errors" / "several.rules"
ENVIRONMENT = {**os.environ, "COLUMNS": "80", "NO_COLOR": "1"}

BROKEN = """\
game "Broken" extends "zola"
example "wrong"
  size 4
  legal a1xb1, a1xd4
  moves 17
"""

EARLY_LINE = """\
game "Early" extends "zola"
example "early"
  size 4
  legal d1xd2
  play a1xb1
"""


def run(*words: str, stdin: str = "") -> Result:
    """A command, carried out in this process."""
    return CliRunner().invoke(app, list(words), input=stdin, env={"NO_COLOR": "1", "COLUMNS": "80"})


def said(*words: str, stdin: str = "") -> str:
    """What a command prints that has nothing to complain about."""
    result = run(*words, stdin=stdin)
    assert result.stderr == ""
    assert result.exit_code == 0
    return result.stdout


def refused(*words: str, stdin: str = "") -> str:
    """The complaint of a command that cannot be carried out."""
    result = run(*words, stdin=stdin)
    assert result.exit_code == 2
    assert "Traceback" not in result.stderr
    return result.stderr


def unwrapped(complaint: str) -> str:
    """What stands in the box of a complaint about the command line, as one line."""
    return re.sub(r"\s*│\n│\s*", " ", complaint)


def process(*words: str) -> "subprocess.Popen[str]":
    """A command in a process of its own."""
    return subprocess.Popen(
        [sys.executable, "-m", "pysolve", *words], env=ENVIRONMENT, text=True, encoding="utf-8",
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip


# ---------------------------------------------------------------------------------- the fixed forms


def test_perft_as_json() -> None:
    assert timed(said("perft", "zola", "size=4", "--depth", "3", "--json")) == {"counts": [16, 256, 3836]}


def timed(printed: str) -> dict[str, Any]:
    """What a command has printed as JSON, but for the seconds that it took, which are there."""
    told: dict[str, Any] = json.loads(printed)
    assert told.pop("seconds") >= 0
    return told


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="terminals")
@pytest.mark.parametrize("more", ["best --depth 1", "perft --depth 2", "turns --count", "turns --limit 1"])
def test_how_long_it_took_is_said_at_a_terminal_alone(more: str) -> None:
    import pty

    name, *words = more.split()
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "pysolve", name, "zola", "size=4", *words]
    ran = subprocess.run(command, stdout=subprocess.PIPE, stderr=theirs, timeout=300, check=True)
    os.close(theirs)
    assert re.search(rb"[\d,]+\.\d s\r?\n$", os.read(ours, 10_000))
    os.close(ours)
    plain = subprocess.run(command, capture_output=True, timeout=300, check=True)
    assert re.search(rb"\d s$", plain.stderr) is None
    assert len(plain.stdout.splitlines()) == len(ran.stdout.splitlines())


def test_moves_as_json() -> None:
    position = pysolve.load("zola", size=4).start()
    assert json.loads(said("moves", "zola", "size=4", "--json")) == {
        "mover": "Red",
        "outcome": None,
        "moves": [
            {"move": move.text, "kind": move.kind, "params": move.params, "position": position.play(move).to_dict()}
            for move in position.legal_moves
        ],
    }


def test_positions_are_answered_line_by_line(tmp_path: Path) -> None:
    game = pysolve.load("zola", size=4)
    over = game.position("..../.R../..../.... Blue")
    lines = [{"mover": "Blue"}, over.to_dict(), {}, {"state": {"at": {"a1": None}}}]
    file = tmp_path / "positions.jsonl"
    file.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    answers = [
        json.loads(line) for line in said("moves", "zola", "size=4", "--positions", str(file), "--json").splitlines()
    ]
    assert [answer["mover"] for answer in answers] == ["Blue", "Blue", "Red", "Red"]
    assert answers[1] == {"mover": "Blue", "outcome": {"winner": "Red", "reason": over.outcome.reason}, "moves": []}  # type: ignore[union-attr]
    assert [len(answer["moves"]) for answer in answers] == [16, 0, 16, 15]
    assert answers[3]["moves"][-1]["position"]["state"]["at"]["a1"] is None


def test_a_line_that_is_not_json_is_answered_like_any_other(tmp_path: Path) -> None:
    file = tmp_path / "positions.jsonl"
    file.write_text("{}\nRed\n{bad\n{}\n")
    result = run("moves", "zola", "--positions", str(file), "--json")
    assert result.exit_code == 2
    answers = list(map(json.loads, result.stdout.splitlines()))
    assert [answer.get("mover") for answer in answers] == ["Red", None, None, "Red"]
    assert answers[1]["error"] == "line 2: this is not valid JSON: Expecting value (column 1)"
    assert answers[2]["error"].startswith("line 3: this is not valid JSON: Expecting property name")


def test_positions_go_without_a_position_and_moves(tmp_path: Path) -> None:
    for words in (["--position", '{"mover": "Blue"}'], ["--play", "a1xb1"]):
        assert "cannot be combined with --position or --play" in refused(
            "moves", "zola", "--positions", "-", *words, stdin="{}"
        )


def test_an_option_is_set_once() -> None:
    assert "option size is set twice" in refused("moves", "zola", "size=4", "size=6")


def test_positions_come_from_stdin_too() -> None:
    assert (
        json.loads(said("moves", "conga", "--positions", "-", "--json", stdin='\n{"mover": "White"}\n'))["mover"]
        == "White"
    )


def test_a_line_that_is_no_position_is_answered_by_an_error() -> None:
    result = run("moves", "zola", "--positions", "-", stdin='{}\n{"mover": "Green"}\n{\n{}\n')
    answers = [json.loads(line) for line in result.stdout.splitlines()]
    assert [next(iter(answer)) for answer in answers] == ["mover", "error", "error", "mover"]
    assert answers[1]["error"] == 'line 2: mover cannot be "Green": it must be Red or Blue'
    assert result.exit_code == 2


@pytest.mark.slow
def test_answers_stream() -> None:
    with process("moves", "zola", "--positions", "-", "--json") as asked:
        assert asked.stdin is not None
        assert asked.stdout is not None
        for mover in ("Blue", "Red", "Blue"):
            asked.stdin.write(json.dumps({"mover": mover}) + "\n")
            asked.stdin.flush()
            assert json.loads(asked.stdout.readline())["mover"] == mover
        asked.stdin.close()


STRANGE = """\
game "Strange"
players Ann, Bob
board square 2 by 2
type kind = Small, Large
state
  stock(player, kind): 0..999
  at(cell): kind or none
  ready: bool
  last: cell or none
  bonus: -3..3
setup
  for p: player
    for k: kind
      stock(p, k) := 700
  bonus := -2
move put(k: kind, to: cell) as "{k} {to}"
  when
    at(to) = none
  do
    at(to) := k
    stock(mover, k) := stock(mover, k) - 300
    ready := not ready
    last := to
    bonus := bonus + 1
stuck
  draw
"""


def test_a_fast_answer_is_the_same_as_a_plain_one() -> None:
    game = pysolve.load(STRANGE)
    answers, position = Answers(game.model), game.start()
    while True:
        assert answers.position(position.state) == json.dumps(position.to_dict())
        assert json.loads(answers.answer(position)) == {
            "mover": position.to_move,
            "outcome": outcome_dict(position.outcome),
            "moves": [
                {"move": m.text, "kind": m.kind, "params": m.params, "position": position.play(m).to_dict()}
                for m in position.legal_moves
            ],
        }
        if position.is_over:
            break
        position = position.play(position.legal_moves[-1])


# ------------------------------------------------------------------------------------------- questions


def test_a_mistake_in_an_example_is_remarked_and_check_stops(tmp_path: Path) -> None:
    file = tmp_path / "flawed.rules"
    file.write_text(f'{(RULES / "tictactoe.rules").read_text(encoding="utf-8")}\nexample "flawed"\n  legal d1\n')
    line = file.read_text(encoding="utf-8").count("\n")
    for words in (("moves", str(file)), ("perft", str(file), "--depth", "1"), ("show-position", str(file))):
        result = run(*words)
        assert (result.exit_code, result.stdout) == (0, said(words[0], "tictactoe", *words[2:]))
        assert result.stderr == (
            f'pysolve: mistake in an example at {file}:{line}: the board has no cell "d1": its cells are a1 to c3; '
            "pysolve check shows it\n"
        )
    assert "1 mistake" in run("check", str(file)).stdout


def test_moves_are_listed_with_numbers() -> None:
    assert said("moves", "conga") == (
        "Black to move, 3 legal:\n    1  a4 east       sow\n    2  a4 southeast  sow\n    3  a4 south      sow\n"
    )


def test_a_game_that_is_over_has_no_moves() -> None:
    assert said("moves", "zola", "size=4", "-p", "..../.R../..../.... Blue").startswith(
        "The game is over; the winner: Red ("
    )


def test_a_position_is_a_file_a_line_or_json(tmp_path: Path) -> None:
    position = pysolve.load("zola", size=4).start().play("a1xb1")
    for text in (position.diagram(), position.line(), json.dumps(position.to_dict())):
        file = tmp_path / "position.txt"
        file.write_text(text, encoding="utf-8")
        assert said("show-position", "zola", "size=4", "-p", str(file), "--as", "line") == position.line() + "\n"
    for text in (position.line(), json.dumps(position.to_dict())):
        assert said("show-position", "zola", "size=4", "-p", text, "--as", "line") == position.line() + "\n"
    assert (
        said("show-position", "zola", "size=4", "-p", "-", "--as", "line", stdin=position.line())
        == position.line() + "\n"
    )


def test_a_position_is_shown_after_moves() -> None:
    assert json.loads(said("show-position", "conga", "--json")) == pysolve.load("conga").start().to_dict()
    assert said("show-position", "conga", "--play", "a4 east, d1 west") == (
        "  4  .    b1   b2   b7\n  3  .    .    .    .\n  2  .    .    .    .\n  1 [w7] [w2] [w1] [.]\n"
        "     a    b    c    d\nBlack to move, 13 legal moves\n"
    )


def test_a_hint_marks_where_the_moves_of_a_cell_lead() -> None:
    assert "<R>" in said("show-position", "zola", "size=4", "--hint", "b1", "--play", "a1xa2")
    assert 'the board has no cell "z9"' in refused("show-position", "zola", "--hint", "z9")


@pytest.mark.parametrize("form", ["diagram", "line", "json"])
def test_a_shown_position_is_read_back(form: str) -> None:
    text = said("show-position", "zola", "--play", "a1xa2", "--as", form)
    assert pysolve.load("zola").position(text) == pysolve.load("zola").start().play("a1xa2")


def test_why() -> None:
    text = said("why", "zola", "a1-b1")
    assert text.startswith("a1-b1 is not legal\n  as retreat a1-b1\n    holds, line ")
    assert "fails, line 30: a retreat ends on an empty square: at(to) = none (at(b1) = Blue)" in text


@pytest.mark.slow
def test_why_takes_moves_of_several_words_and_several_moves() -> None:
    assert said("why", "conga", "size=6", "a6", "east").startswith("a6 east is legal")
    both = said("why", "zola", "a1xb1,", "a1xa2")
    assert both.count("is legal") == 2
    assert said("why", "zola", "a1xb1", "a1xa2") == both
    answer = json.loads(said("why", "zola", "a1xb1", "--json"))
    assert answer[0]["legal"] is True


def test_why_of_no_move() -> None:
    result = run("why", "zola", "hello")
    assert result.exit_code == 2
    assert result.stdout == "hello is not legal: moves are retreat {from}-{to}, capture {from}x{to}\n"


def test_query() -> None:
    assert said("query", "zola", "size=4", "capture(From, b1)") == "From = a1\nFrom = c1\n"
    assert said("query", "zola", "at(a1) = Red") == "yes\n"
    assert said("query", "zola", "at(a1) = Blue") == "no\n"
    assert json.loads(said("query", "conga", "stones(C) > 0", "--json")) == [{"C": "d1"}, {"C": "a4"}]
    assert (
        refused("query", "zola", "distanse(a1, X)")
        == 'pysolve: the rules have no "distanse": did you mean "distance"?\n'
    )


def test_a_query_says_if_there_are_more_answers() -> None:
    result = run("query", "zola", "at(C) = Red", "--limit", "2")
    assert result.stdout == "C = a1\nC = c1\n"
    assert "--limit 20" in result.stderr


def test_perft_by_first_move() -> None:
    assert said("perft", "conga", "--depth", "3", "--divide") == (
        "  1  3\n  2  8\n  3  96\n     a4 east       34\n     a4 southeast  28\n     a4 south      34\n"
    )
    divided = timed(said("perft", "conga", "--depth", "1", "--divide", "--json"))
    assert divided == {"counts": [3], "divide": {"a4 east": 1, "a4 southeast": 1, "a4 south": 1}}


@pytest.mark.slow
def test_perft_of_a_game_that_remembers_ends_with_the_game() -> None:
    text = (pysolve.runtime.paths.RULES / "conga.rules").read_text(encoding="utf-8")
    text = text.replace("end mover", "end\n  draw when turns >= 2\n  mover", 1)
    assert [pysolve.load(text).start().perft(depth) for depth in (1, 2, 3)] == [3, 8, 0]


PUSHERS = str(HERE / "rules" / "pushers.rules")


def test_perft_counts_moves_of_one_text_apart(tmp_path: Path) -> None:
    file = tmp_path / "alike.rules"
    file.write_text(ALIKE, encoding="utf-8")
    assert said("perft", str(file), "--depth", "2", "--divide") == (
        "  1  4\n  2  8\n     quiet a1  2\n     quiet b1  2\n     loud a1   2\n     loud b1   2\n"
    )
    assert said("perft", str(file), "--depth", "3", "--turns") == "  1  4\n  2  8\n  3  0\n"


@pytest.mark.slow
def test_turns_are_listed_as_play_takes_them() -> None:
    result = run("turns", PUSHERS, "--limit", "3")
    lines = result.stdout.splitlines()
    assert lines == ["a1-a2, b1-a1, c1-b1", "a1-a2, b1-a1, c1-d1", "a1-a2, b1-a1, c1-b2"]
    assert result.stderr == "… and more; --limit 30 shows more\n"
    played = pysolve.load(PUSHERS).start().play("a1-a2").play("b1-a1").play("c1-b1")
    assert said("show-position", PUSHERS, "--play", lines[0], "--as", "line") == f"{played.line()}\n"
    assert len(said("turns", PUSHERS, "--limit", "0").splitlines()) == 378
    assert said("turns", PUSHERS, "--play", "a1-a2, b1-a1", "--limit", "6").splitlines()[-1] == "c1."


def test_positions_after_a_turn_are_listed_as_position_takes_them() -> None:
    lines = said("turns", PUSHERS, "--distinct").splitlines()
    assert len(lines) == len(set(lines)) == 73
    assert said("show-position", PUSHERS, "--position", lines[5], "--as", "line") == f"{lines[5]}\n"


@pytest.mark.slow
def test_turns_as_json_are_an_object_a_line() -> None:
    start = pysolve.load(PUSHERS).start()
    turns = list(map(json.loads, said("turns", PUSHERS, "--json", "--limit", "0").splitlines()))
    assert turns == [
        {"moves": [move.text for move in turn], "position": turn.position.to_dict()} for turn in start.turns()
    ]
    positions = said("turns", PUSHERS, "--json", "--distinct")
    assert list(map(json.loads, positions.splitlines())) == [after.to_dict() for after in start.turn_positions()]
    answers = said("moves", PUSHERS, "--positions", "-", stdin=positions).splitlines()
    assert {json.loads(answer)["mover"] for answer in answers} == {"Defence"}


@pytest.mark.slow
def test_turns_are_counted() -> None:
    assert said("turns", PUSHERS, "--count") == "378 turns\n"
    assert said("turns", PUSHERS, "--count", "--distinct") == "73 positions\n"
    assert timed(said("turns", PUSHERS, "--count", "--json")) == {"turns": 378, "complete": True}
    assert timed(said("turns", PUSHERS, "--count", "--distinct", "--json")) == {"positions": 73, "complete": True}


def test_a_game_that_is_over_has_no_turns() -> None:
    over = ("zola", "size=4", "-p", "..../.R../..../.... Blue")
    assert said("turns", *over).startswith("The game is over; the winner: Red (")
    assert said("turns", *over, "--json") == ""
    assert said("turns", *over, "--count") == "0 turns\n"


ENDLESS = """\
game "Endless"
players Ann, Bob
board square 2 by 2
state
  token: cell
move go(to: cell) as "{to}"
  when
    to in neighbours(token)
  do
    token := to
    again
stuck
  draw
"""


def test_turns_without_an_end_are_not_counted_but_their_positions_are(tmp_path: Path) -> None:
    file = tmp_path / "endless.rules"
    file.write_text(ENDLESS + "move stop\n", encoding="utf-8")
    result = run("turns", str(file), "--count")
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith("pysolve: a player can return to the same position within one turn")
    assert timed(run("turns", str(file), "--count", "--json").stdout) == {"turns": None, "complete": False}
    assert said("turns", str(file), "--count", "--distinct") == "4 positions\n"


def test_perft_of_whole_turns() -> None:
    assert said("perft", PUSHERS, "--turns", "--depth", "2") == "  1  378\n  2  12,096\n"
    divided = json.loads(said("perft", PUSHERS, "--turns", "--depth", "2", "--divide", "--json"))
    assert divided["counts"] == [378, 12096]
    assert sum(divided["divide"].values()) == 12096
    assert list(divided["divide"])[:2] == ["a1-a2", "a1-b2"]


@pytest.mark.slow
def test_a_map_is_kept_changed_and_played(tmp_path: Path) -> None:
    rules, file = str(HERE / "rules" / "provinces.rules"), tmp_path / "map.txt"
    board = said("show-position", rules, "--seed", "3", "-o", str(file))
    start = pysolve.load(rules).start(3)
    assert board.endswith("North to move, 4 legal moves\n")
    assert file.read_text(encoding="utf-8") == f"{start.diagram()}\n"
    assert said("moves", rules, "--position", str(file)) == said("moves", rules, "--seed", "3")
    changed = file.read_text(encoding="utf-8").replace("position North", "position South")
    file.write_text(changed, encoding="utf-8")
    assert said("play", rules, "--position", str(file), stdin="quit\n").endswith("South to move.\n")
    assert "the file exists; --force overwrites it" in refused("show-position", rules, "-o", str(file))
    assert file.read_text(encoding="utf-8") == changed
    assert said("show-position", rules, "--as", "json", "-o", str(file), "--force") == ""
    assert json.loads(file.read_text(encoding="utf-8")) == pysolve.load(rules).start().to_dict()


def test_a_move_is_marked_as_the_last_one_without_being_played() -> None:
    assert " 4 [b10]" in said("show-position", "conga", "--last", "a4 east")
    assert "R [B] R" in said("show-position", "zola", "size=4", "--last", "b1-c2").split("\n")[3]


def test_all_targets_are_marked() -> None:
    text = said("show-position", "conga", "--targets", "all")
    assert text.startswith("  4  b10 <.>   .    .\n  3 <.>  <.>   .    .\n")
    assert said("show-position", "conga", "--targets", "a4") == text
    picture = said("svg", "conga", "--targets", "all", "--last", "a4 east")
    assert picture.count('class="target"') == 3
    assert picture.count('class="last ') == 1


def test_svg_is_written(tmp_path: Path) -> None:
    file = tmp_path / "board.svg"
    assert said("svg", "zola", "--play", "a1xb1", "-o", str(file), "--size", "200") == ""
    assert file.read_text(encoding="utf-8") == said("svg", "zola", "--play", "a1xb1", "--size", "200")
    assert 'width="200"' in file.read_text(encoding="utf-8")


# --------------------------------------------------------------------------------------- writing rules


@pytest.mark.slow
@pytest.mark.parametrize("template", sorted(path.stem for path in TEMPLATES.glob("*.rules")))
def test_a_new_game_is_correct_and_can_be_played(
    template: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert said("new", "my_own-game", "--template", template).startswith("my_own-game.rules is written.")
    assert 'game "My own game"' in Path("my_own-game.rules").read_text(encoding="utf-8")
    assert "all as expected" in said("check", "my_own-game.rules")
    assert said("fmt", "--check", "my_own-game.rules") == ""
    seats = [f"--seat={name}=random" for name in pysolve.load("my_own-game").players]
    assert " played.\n" in said("play", "my_own-game", *seats, "--seed", "1", "-q")


def test_new_overwrites_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("mine.rules").write_text("precious", encoding="utf-8")
    assert refused("new", "mine") == "pysolve: mine.rules: the file exists; --force overwrites it\n"
    assert Path("mine.rules").read_text(encoding="utf-8") == "precious"
    said("new", "mine", "--force")


@pytest.mark.slow
def test_games_are_listed_with_their_options() -> None:
    text = said("games")
    assert [name for name in shipped_games() if name not in text] == []
    assert "size=6 (4, 6, 8, 10)" in text
    assert "size=4 (4, 6, 8)  pile=10 (1..40)  sowing=add (add, sweep)  four_equal=off (off, on)" in text
    listed = {game["name"]: game for game in json.loads(said("games", "--json"))}
    assert listed["zola"]["options"]["size"] == {"default": "6", "values": ["4", "6", "8", "10"]}
    assert (listed["hex"]["size"], listed["yoxii"]["size"]) == ("hex 11x11", "37 cells")
    assert all(game["about"] and game["mechanisms"] and game["lines"] > 1 for game in listed.values())


@pytest.mark.slow
def test_some_games_are_listed() -> None:
    text = said("games", "morris", "draughts")
    assert "White, Black | graph 24 cells | 40 lines | placing, moving, stock, several moves a turn" in text
    assert "compulsory moves" in text
    assert "zola" not in text
    near = "the nearest names are amazons, conga and abalone; pysolve games lists all"
    assert refused("games", "mahjong") == f'pysolve: there are no rules "mahjong": {near}\n'
    assert refused("games", "conga", "ches5") == 'pysolve: there are no rules "ches5": did you mean "chess"?\n'


@pytest.mark.slow
def test_a_file_of_ones_own_is_described_as_shipped_games_are(tmp_path: Path) -> None:
    file = tmp_path / "mine.rules"
    shutil.copy(RULES / "tictactoe.rules", file)
    _, found = json.loads(said("games", str(file), "tictactoe-", "--json"))
    (shipped,) = [one for one in json.loads(said("games", "tictactoe", "--json")) if one["name"] == "tictactoe"]
    assert found == {**shipped, "name": "mine"}
    assert found["lines"] > 3


def test_a_rules_file_that_is_not_there_is_told_from_a_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    shutil.copy(RULES / "tictactoe.rules", tmp_path / "mygame.rules")
    (tmp_path / "folder").mkdir()
    for name, message in {
        "nofile.rules": 'there is no file "nofile.rules"',
        "mygmae.rules": 'there is no file "mygmae.rules": did you mean "mygame"?',
        "zola.rules": 'there is no file "zola.rules"; the shipped game has the name zola',
        "nowhere/nofile.rules": 'there is no folder "nowhere"',
        "folder": '"folder" is a folder, not a rules file',
        "": '"" is not the name of a rules file: expected a name like zola, or a path',
    }.items():
        assert refused("check", name) == f"pysolve: {message}\n"


@pytest.mark.slow
def test_a_new_game_begins_as_another_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    said("new", "mine", "--like", "hex")
    assert Path("mine.rules").read_text(encoding="utf-8").startswith('game "Mine"\n  about "Connect your')
    assert len(pysolve.load("mine").cells) == 121
    said("new", "ours.rules", "--extends", "mine")
    assert Path("ours.rules").read_text(encoding="utf-8").startswith('game "Ours" extends "mine"\n')
    assert said("fmt", "--check", "mine.rules", "ours.rules") == ""
    assert "ours.rules: no mistakes; 1 example with 1 line, all as expected" in said("check", "ours.rules")
    assert "cannot be combined" in refused("new", "theirs", "--like", "hex", "--extends", "hex")
    assert "there are no rules" in refused("new", "theirs", "--like", "mahjong")
    for name in ("", ".rules"):
        assert "cannot be the name of a game" in refused("new", name)
    assert "  pysolve check 'of two words.rules'\n" in said("new", "of two words")
    assert not Path("theirs.rules").exists()


def test_check_says_that_all_is_well() -> None:
    assert said("check", "zola").startswith("zola: no mistakes; ")
    assert said("check", "--no-examples", "zola").endswith("not run\n")


def test_check_reports_every_mistake() -> None:
    text = WRONG.read_text(encoding="utf-8")
    try:
        pysolve.load(WRONG)
    except pysolve.RulesError as error:
        expected = str(error)
    result = run("check", str(WRONG))
    assert result.exit_code == 1
    assert result.stdout.startswith(expected)
    assert run("check", "-", stdin=text).stdout.startswith("stdin:")


@pytest.mark.slow
def test_check_reports_examples_that_fail(tmp_path: Path) -> None:
    file = tmp_path / "broken.rules"
    file.write_text(BROKEN, encoding="utf-8")
    result = run("check", str(file))
    assert result.exit_code == 1
    assert f'{file}:4: example "wrong"\n    expected  a1xd4 to be legal\n    found     ' in result.stdout
    assert result.stdout.endswith(
        f'{file}:5: example "wrong"\n    expected  17 legal moves\n    found     16\n'
        f"{file}: 1 example with 2 lines, 2 not as expected\n"
    )
    assert run("check", "--no-examples", str(file)).exit_code == 0


@pytest.mark.slow
def test_check_as_json(tmp_path: Path) -> None:
    file = tmp_path / "broken.rules"
    file.write_text(BROKEN, encoding="utf-8")
    result = run("check", "zola", str(WRONG), str(file), "--json")
    good, wrong, broken = json.loads(result.stdout)
    assert result.exit_code == 1
    assert (good["good"], wrong["good"], broken["good"]) == (True, False, False)
    assert wrong["problems"][0]["line"] > 0
    assert broken["failures"][1] == {"example": "wrong", "line": 5, "expected": "17 legal moves", "found": "16"}


@pytest.mark.slow
def test_check_says_what_was_learned_for_other_rules(tmp_path: Path) -> None:
    """And so is not used; nothing of what applies."""
    rules = tmp_path / "mine.rules"
    rules.write_text((RULES / "zola.rules").read_text("utf-8"), "utf-8")
    (tmp_path / "mine.values").write_bytes((RULES / "zola.values").read_bytes())
    assert run("check", str(rules)).stderr == ""
    rules.write_text(rules.read_text("utf-8").replace("option size = 6", "option size = 8"), "utf-8")
    (tmp_path / "mine.policy").write_bytes(b"")
    result = run("check", "--no-examples", str(rules))
    assert result.exit_code == 0
    for name, learn in (("mine.values", "learn"), ("mine.policy", "policy")):
        again = f"pysolve {learn} {rules} -o {tmp_path / name} --force"
        said = f"{name} was learned for other rules, so expert plays without it; learn again, or remove it:  {again}"
        assert said in result.stderr
    (found,) = json.loads(run("check", "--no-examples", "--json", str(rules)).stdout)
    assert found["outdated"] == [str(tmp_path / "mine.values"), str(tmp_path / "mine.policy")]


@pytest.mark.slow
def test_check_says_which_levels_nobody_can_play(tmp_path: Path) -> None:
    """Those that name a file which is missing, and `expert` where what was learned is damaged."""
    rules = tmp_path / "mine.rules"
    levels = 'level first "minimax:values=nothing.values"\nlevel second "minimax:by=gone"\nlevel good "greedy"\n'
    rules.write_text((RULES / "zola.rules").read_text("utf-8") + levels, "utf-8")
    whole = (RULES / "zola.values").read_bytes()
    (tmp_path / "mine.values").write_bytes(whole[: len(whole) // 2])
    result = run("check", str(rules))
    assert result.exit_code == 0
    (found,) = json.loads(run("check", "--json", str(rules)).stdout)
    assert found["levels"] == {
        "expert": f"values: {tmp_path}/mine.values: the file is damaged: it is no complete file of learned values",
        "first": "values: nothing.values: No such file or directory",
        "second": 'there are no rules "gone": did you mean "go"?',
    }
    for name, why in found["levels"].items():
        assert f"the level {name} cannot be played as it stands: {why}" in result.stderr
    assert run("check", "--no-examples", str(rules)).stderr == ""


def test_check_warns_of_an_expectation_above_a_play_line(tmp_path: Path) -> None:
    file = tmp_path / "early.rules"
    file.write_text(EARLY_LINE, encoding="utf-8")
    said_of_it = (
        f'{file}:4: example "early"\n    warning   this expectation is above a play line, but all moves are '
        f"played first; "
        f"it refers to the position after them\n{file}: no mistakes; 1 example with 1 line, "
    )
    assert said("check", str(file)) == f"{said_of_it}all as expected; 1 warning\n"
    assert said("check", "--no-examples", str(file)) == f"{said_of_it}not run; 1 warning\n"
    found = json.loads(said("check", "--json", str(file)))[0]
    assert (found["good"], found["warnings"][0]["line"]) == (True, 4)


def test_check_reads_stdin() -> None:
    assert said("check", "-", stdin=BROKEN.replace(", a1xd4", "").replace("17", "16")).startswith("-: no mistakes")


def test_show_the_stages() -> None:
    assert said("show", "zola", "--stage", "syntax").startswith("Rules\n  Game name='Zola'")
    model = said("show", "zola", "size=4", "--stage", "model")
    assert all(f"{part}:\n" in model for part in ("types", "state", "tables", "rules", "moves", "endings", "evaluate"))
    assert "% Options: size = 4." in said("show", "zola", "size=4")


def test_show_the_rules_as_they_are() -> None:
    assert said("show", "zola", "--stage", "rules") == (RULES / "zola.rules").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("stage", "word"), slow_but([("rules", "players")], [("rules", "players"), ("prolog", "zola"), ("c", "typedef")])
)
def test_rules_and_programs_are_in_colour_on_a_terminal(stage: str, word: str, monkeypatch: pytest.MonkeyPatch) -> None:
    plain = said("show", "zola", "size=4", "--stage", stage)
    monkeypatch.setattr("pysolve.cli.console.in_colour", lambda to: True)
    monkeypatch.setattr("pysolve.cli.console.console", lambda: _console_class()(force_terminal=True, soft_wrap=True))
    coloured = said("show", "zola", "size=4", "--stage", stage)
    assert coloured != plain
    assert word in coloured
    assert re.sub(r"\x1b\[[0-9;]*m", "", coloured) == plain


def test_show_the_model_after_the_passes() -> None:
    """With --after it is the model as it comes out of one of them."""
    inlined = said("show", "zola", "size=4", "--stage", "prepared", "--after", "inlining")
    assert "binds=[mover']" not in inlined
    last = said("show", "zola", "size=4", "--stage", "prepared")
    assert "Get slot=mover value=mover' binds=[mover']" in last
    assert last == said("show", "zola", "size=4", "--stage", "prepared", "--after", "tabulation")


def test_only_a_pass_that_there_is_is_shown() -> None:
    text = refused("show", "zola", "--stage", "prepared", "--after", "inline")
    assert 'there is no pass "inline"; there are inlining, mobility,' in text
    text = refused("show", "zola", "--after", "inlining")
    assert "--after requires --stage prepared" in text


@pytest.mark.parametrize("name", each(shipped_games()))
def test_the_model_of_each_game_is_shown(name: str) -> None:
    model = said("show", name, "--stage", "model")
    assert "\nmoves:\n" in model
    assert "object at 0x" not in model


@pytest.mark.skipif(shutil.which("swipl") is None, reason="needs swipl on the path")
def test_a_shown_program_with_its_runtime_loads_alone(tmp_path: Path) -> None:
    file = tmp_path / "zola.pl"
    file.write_text(said("show", "zola", "size=4", "--runtime"), encoding="utf-8")
    goal = "initial(P), aggregate_all(count, legal(P, _), N), print(N), nl"
    done = subprocess.run(
        ["swipl", "--on-warning=halt", "--on-error=halt", "-g", goal, "-t", "halt", str(file)],
        capture_output=True, text=True, timeout=300, check=False,
    )  # fmt: skip
    assert (done.stdout, done.stderr, done.returncode) == ("16\n", "", 0)


def test_fmt(tmp_path: Path) -> None:
    file = tmp_path / "zola.rules"
    neat = said("fmt", "-", stdin=(pysolve.runtime.paths.RULES / "zola.rules").read_text(encoding="utf-8"))
    untidy = neat.replace("players Red, Blue", "players   Red,Blue")
    file.write_text(untidy, encoding="utf-8")
    checked = run("fmt", "--check", str(file))
    assert (checked.exit_code, checked.stdout) == (1, f"{file} would be changed\n")
    compared = run("fmt", "--diff", str(file))
    assert compared.exit_code == 1
    assert "-players   Red,Blue\n+players Red, Blue\n" in compared.stdout
    assert file.read_text(encoding="utf-8") == untidy
    assert said("fmt", str(file)) == f"{file} was changed\n"
    assert file.read_text(encoding="utf-8") == neat
    assert said("fmt", str(file)) == said("fmt", "--check", str(file)) == said("fmt", "--diff", str(file)) == ""


def test_fmt_leaves_what_cannot_be_read(tmp_path: Path) -> None:
    file = tmp_path / "bad.rules"
    file.write_text("game 3\n", encoding="utf-8")
    assert refused("fmt", str(file)).startswith(f"{file}:1:")
    assert file.read_text(encoding="utf-8") == "game 3\n"


# ---------------------------------------------------------------------------------------------- errors


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["moves", "zol"], 'there are no rules "zol": did you mean "zola"?'),
        (["moves", "zola", "sise=4"], 'the game has no option "sise": did you mean "size"?'),
        (["moves", "zola", "size=5"], "cannot be 5: it must be 4, 6, 8 or 10"),
        (["moves", "zola", "4"], '"4" is not an option: options are written  name=value'),
        (["moves", "zola", "engine=c"], 'the game has no option "engine"'),
        (["moves", "zola", "-p", "nothing.txt"], "nothing.txt: this is neither a file nor a position"),
        (["moves", "zola", "-p", "RR/BB Red"], "the board has 6 rows; the drawing has 2"),
        (["moves", "zola", "-p", '{"mover": 3}'], 'mover cannot be "3": it must be Red or Blue'),
        (["moves", "zola", "-p", "{"], "the position cannot be read as JSON: "),
        (["moves", "zola", "--positions", "none.jsonl"], "none.jsonl: No such file or directory"),
        (["moves", str(WRONG)], f"{WRONG}:"),
        (["svg", "zola", "--play", "a1xd4"], "a1xd4 is not legal"),
        (["svg", "zola", "--play", "a1"], '"a1" may be a1xb1, a1xa2'),
        (["svg", "zola", "--last", "hello"], '"hello" is not a move: moves are retreat {from}-{to}'),
        (["svg", "zola", "--targets", "z9"], 'the board has no cell "z9"'),
        (["turns", "zola", "--limit", "-1"], "--limit"),
        (["svg", "zola", "-o", "no/such/folder.svg"], "no/such/folder.svg: No such file or directory"),
        (["check", "nothing"], 'there are no rules "nothing"'),
        (["fmt", "nothing.rules"], "nothing.rules: No such file or directory"),
        (["play", "zola", "--seat", "Green=random"], 'Zola has no seat "Green": its seats are Red and Blue'),
        (["play", "zola", "--seat", "Red=robot"], 'there is no player "robot": players are human, random'),
        (["play"], "name a game"),
        (["replay", "nothing.txt"], "nothing.txt: No such file or directory"),
        (["replay", str(WRONG)], "this is not a game record"),
        (["perft", "zola", "--depth", "0"], '--depth\' / \'-d\': "0" is not a whole number from 1 to 200'),
        (["perft", "zola", "--depth", "abc"], '"abc" is not a whole number from 1 to 200'),
        (["perft", "zola", "--depth", "999"], '"999" is not a whole number from 1 to 200'),
        (["best", "zola", "--time", "nan"], '"nan" is not a number from 0.001 to 10,000,000.0'),
        (["play", "zola", "--delay", "x"], '"x" is not a number from 0 to 10,000,000.0'),
        (["moves", "zola", "--engine", "foo"], "'foo' is not one of 'auto', 'native', 'prolog'"),
    ],
)  # fmt: skip
def test_what_cannot_be_done_is_said_on_stderr(words: list[str], message: str) -> None:
    assert message in unwrapped(refused(*words))


@pytest.mark.slow
def test_every_command_has_examples_in_its_help() -> None:
    names = [
        "games",
        "play",
        "replay",
        "show-position",
        "moves",
        "turns",
        "why",
        "query",
        "perft",
        "svg",
        "best",
        "analyse",
        "match",
        "tournament",
        "balance",
        "store",
        "new",
        "check",
        "fmt",
        "show",
        "engines",
        "cache",
    ]
    for name in names:
        assert f"pysolve {name}" in said(name, "--help").split("Examples:")[1]
    assert all(name in said("--help") for name in names)


# -------------------------------------------------------------------------------------------- engines


@pytest.mark.slow
@pytest.mark.parametrize("engine", ["prolog", "native", "auto"])
def test_every_engine_prints_the_same(engine: str) -> None:
    words = ("zola", "size=4", "--engine", engine)
    moves = json.loads(said("moves", *words, "--json"))["moves"]
    assert [move["move"] for move in moves[:3]] == ["a1xb1", "a1xa2", "c1xb1"]
    assert said("perft", *words, "--depth", "3") == "  1  16\n  2  256\n  3  3,836\n"
    assert said("turns", *words, "--count") == "16 turns\n"
    assert said("why", "zola", "size=4", "a1xb1", "--engine", engine).startswith("a1xb1 is legal")
    assert said("query", "zola", "size=4", "capture(From, a2)", "--engine", engine) == "From = a1\nFrom = a3\n"
    assert said("check", "zola", "--engine", engine).endswith("all as expected\n")
    assert said("show-position", *words, "--as", "line") == "BRBR/RBRB/BRBR/RBRB Red\n"
    assert said("svg", *words).startswith("<svg")


def test_a_game_is_played_and_replayed_by_any_engine(tmp_path: Path) -> None:
    file = tmp_path / "game.txt"
    text = said(*RANDOM, "--engine", "prolog", "--save", str(file))
    assert said(*RANDOM, "--engine", "native") == text[: text.index("The record is in")]
    for engine in ("prolog", "native"):
        assert "all legal." in said("replay", str(file), "--quiet", "--engine", engine)


def test_perft_by_first_move_is_the_same_on_every_engine() -> None:
    one, other = (said("perft", "conga", "--depth", "4", "--divide", "--engine", name) for name in ("native", "prolog"))
    assert one == other


def test_an_engine_may_be_chosen_for_all_commands(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYSOLVE_ENGINE", "steam")
    assert "'steam' is not one of 'auto', 'native', 'prolog'" in unwrapped(refused("moves", "zola"))
    monkeypatch.setenv("PYSOLVE_ENGINE", "prolog")
    assert said("moves", "zola", "size=4").startswith("Red to move, 16 legal:\n")


def test_rules_are_shown_as_c() -> None:
    text = said("show", "zola", "size=4", "--stage", "c")
    assert "static Move *moves_retreat(" in text
    assert "ps_expand" in text


def test_the_engines_of_a_machine_are_listed() -> None:
    text = said("engines")
    assert "\nprolog  SWI-Prolog " in text
    found = json.loads(said("engines", "--json"))
    assert found["prolog"].startswith("SWI-Prolog ")
    assert [f"native  {one['compiler'].ljust(4)}{one['is']}" for one in found["native"]] == text.split("\n")[:-2]


def test_the_cache_is_listed_and_cleared(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYSOLVE_CACHE", str(tmp_path))
    tmp_path.chmod(0o700)
    assert said("cache") == f"0 libraries, 0 kB, in {tmp_path}\n"
    (tmp_path / "abc.so").write_bytes(bytes(1_250_000))
    (tmp_path / "def.so").write_bytes(bytes(2001))
    os.utime(tmp_path / "abc.so", (1, 1))
    lines = said("cache").splitlines()
    assert lines[0] == "def      3 kB  0 minutes old"
    assert lines[1].startswith("abc    1.2 MB  ")
    assert lines[2] == f"2 libraries, 1.3 MB, in {tmp_path}"
    listed = json.loads(said("cache", "--json"))
    assert [one["file"] for one in listed["libraries"]] == ["def.so", "abc.so"]
    assert (listed["size"], listed["folder"]) == (1_252_001, str(tmp_path))
    assert said("cache", "--clear") == "2 libraries deleted\n"
    assert json.loads(said("cache", "--clear", "--json")) == {"cleared": 0, "games": 0}
    said("show", "zola", "--stage", "model")
    assert said("cache").startswith("0 libraries, 0 kB, and 1 game, ")
    assert json.loads(said("cache", "--json"))["games"]["number"] == 1
    assert said("cache", "--clear") == "0 libraries and 1 game deleted\n"
    assert not list(tmp_path.iterdir())


@pytest.mark.slow
def test_signs_that_a_terminal_lacks_are_replaced() -> None:
    board = HERE / "rules" / "morris.rules"
    done = subprocess.run(
        [sys.executable, "-m", "pysolve", "show-position", str(board)],
        env={**ENVIRONMENT, "PYTHONIOENCODING": "ascii"}, capture_output=True, check=True,
    )  # fmt: skip
    assert b"." in done.stdout
    assert done.stderr == b""


def test_the_version() -> None:
    assert said("--version") == f"pysolve {pysolve.__version__}\n"


def test_without_prolog_and_compiler_rules_are_read_but_examples_are_not_carried_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def missing(*_: object) -> None:
        raise pysolve.EngineError("pysolve needs SWI-Prolog")

    def nothing(*_: object) -> None:
        raise NoCompiler("there is no C compiler here")

    monkeypatch.setattr("pysolve.engines.prolog.PrologEngine.__init__", missing)
    monkeypatch.setattr("pysolve.engines.why.NativeReasons.__init__", nothing)
    assert said("check", "--no-examples", "zola").startswith("zola: no mistakes")
    assert said("show", "zola").startswith("% Zola")
    complaint = refused("check", "zola")
    assert "zola has no mistakes, but its examples were not run: " in complaint
    assert "SWI-Prolog or by C, and there is neither here: there is no C compiler here" in complaint


# ------------------------------------------------------------------------------------------------ play


def playing(*moves: str, options: tuple[str, ...] = ()) -> str:
    """What is printed when the moves are typed in a game of Zola on the small board."""
    return said("play", "zola", "size=4", *options, stdin="".join(f"{move}\n" for move in moves))


def test_two_people_play_to_the_end(tmp_path: Path) -> None:
    position = tmp_path / "late.txt"
    position.write_text("position Red\n  . . . .\n  . R B .\n  . . . .\n  . . . .\n", encoding="utf-8")
    text = playing("b3xc3", options=("-p", str(position)))
    assert text.startswith("Zola, size=4\nRed: human, Blue: human\n")
    assert "Red to move, 6 legal moves; help lists the commands\nRed> b3xc3\n   1. Red b3xc3\n" in text
    assert text.rstrip().split("\n")[-2].startswith("The winner: Red (")
    assert text.endswith("1 move played.\n")


def test_a_move_is_typed_as_text_as_a_part_or_as_a_number() -> None:
    assert "1. Black a4 east" in said("play", "conga", stdin="a4 e\n")
    text = playing("A1 x B1", "c2 c3", "2", "log")
    assert "   1. Red a1xb1\n" in text
    assert "   2. Blue c2xc3\n" in text
    assert "   3. Red b2-a1\n" in text
    assert text.endswith("Left after 3 moves, Blue to move.\n")


@pytest.mark.parametrize(
    ("typed", "answer"),
    [
        ("hello", '"hello" is not a move: moves are retreat {from}-{to}, capture {from}x{to}'),
        ("undoo", 'did you mean "undo"?'),
        ("a1", '"a1" may be a1xb1, a1xa2'),
        ("a1-b1", "  fails, line 30: a retreat ends on an empty square: at(to) = none (at(b1) = Blue)"),
        ("99", "there is no move 99: they are numbered from 1 to 16"),
        ("0", "there is no move 0"),
        ("hint z9", "hint needs a cell, as in  hint a1, or a player."),
        ("hint a1", "   1  a1xb1     2  a1xa2"),
        ("why", "why needs a move, as in  why a1xb1"),
        ("save", "save needs a file, as in  save game.txt"),
        ("save /no/such/folder/x.txt", "No such file or directory"),
        ("undo", "You have no move to take back."),
        ("log", "No move has been played."),
    ],
)
def test_what_is_no_move_is_answered_and_costs_nothing(typed: str, answer: str) -> None:
    text = playing(typed)
    assert answer in text
    assert text.endswith("Left after 0 moves, Red to move.\n")


def test_the_commands() -> None:
    text = playing("help", "moves", "hint a1", "why a1xb1", "a1xb1", "undo", "board", "quit", "a1xb1")
    assert "resign     give up" in text
    assert "   1  a1xb1     4  c1xc2 " in text
    assert " 1  R <B> R  B" in text
    assert "a1xb1 is legal\n  as capture a1xb1" in text
    assert "1 move taken back." in text
    assert text.endswith("Red> quit\nLeft after 0 moves, Red to move.\n")


def test_against_a_program_undo_goes_back_to_the_persons_move() -> None:
    text = playing("a1xb1", "undo", "a1xb1", "undo", "undo", options=("--seat", "blue=random", "--seed", "3"))
    assert text.count("2 moves taken back.") == 2
    assert text.count("   1. Red a1xb1\n   2. Blue ") == 2
    assert "You have no move to take back." in text


def test_a_forced_pass_is_announced_and_logged() -> None:
    text = playing("log", options=("-p", "R.../..B./..../.... Red"))
    assert "Red has no move and must pass.\n   1. Red pass\n" in text
    assert "Blue> log\n   1. Red pass\n" in text


def test_who_resigns_loses(tmp_path: Path) -> None:
    file = tmp_path / "game.txt"
    text = playing("a1xb1", "resign", options=("--save", str(file)))
    assert "The winner: Red (Blue resigned)\n1 move played.\n" in text
    assert '[Result "Red"]\n[Termination "Blue resigned"]' in file.read_text(encoding="utf-8")
    assert "The winner: Red (Blue resigned)\n1 move, all legal.\n" in said("replay", str(file))
    assert refused("play", "--resume", str(file)) == "pysolve: this game is over; the winner: Red (Blue resigned)\n"


RANDOM = ("play", "zola", "size=4", "--seat", "Red=random", "--seat", "Blue=random", "--seed", "7", "-q")


def test_two_programs_play_the_same_game_from_the_same_seed() -> None:
    text = said(*RANDOM)
    assert text == said(*RANDOM)
    assert text.startswith("Zola, size=4\nRed: random, Blue: random, seed 7\n   1. Red ")
    assert text.split("\n")[-2].endswith(" moves played.")


def test_a_long_game_is_stopped() -> None:
    text = said("play", "conga", "--seat", "Black=random", "--seat", "White=random", "-q", "--max-moves", "5")
    assert text.endswith("Stopped after 5 moves; a larger --max-moves allows more.\n")


def test_a_saved_game_is_resumed_and_replayed(tmp_path: Path) -> None:
    file = tmp_path / "game.txt"
    text = playing("a1xb1", "c2xc3", options=("--save", str(file)))
    assert f"The record is in {file}; resume with  pysolve play --resume {file}" in text.replace("\n", "")
    text = said("play", "--resume", str(file), "--save", str(file), stdin="undo\nlog\nc2xc3\na3xa2\n")
    assert "Red> undo\n1 move taken back." in text
    assert "Blue> log\n   1. Red a1xb1\n" in text
    assert file.read_text(encoding="utf-8").endswith("\n1. a1xb1; c2xc3\n2. a3xa2\n")
    shown = said("replay", str(file))
    assert "\n   3. Red a3xa2\n" in shown
    assert shown.endswith("Blue to move\n3 moves, all legal.\n")
    assert said("replay", str(file), "--to", "1", "--quiet").endswith("Blue to move\n1 move, all legal.\n")


def test_a_record_is_overwritten_only_if_that_is_meant(tmp_path: Path) -> None:
    file = tmp_path / "game.txt"
    file.write_text("precious", encoding="utf-8")
    assert "the file exists" in refused("play", "zola", "--save", str(file))
    assert "the file exists" in playing(f"save {file}", "quit")
    assert file.read_text(encoding="utf-8") == "precious"
    assert "The record is in" in playing("quit", options=("--save", str(file), "--force"))


def test_a_replay_can_be_read_by_programs(tmp_path: Path) -> None:
    file = tmp_path / "game.txt"
    said("play", "zola", "size=4", "-q", "--save", str(file), stdin="a1xb1\nb3xc3\n")
    told = json.loads(said("replay", str(file), "--json"))
    start = pysolve.load("zola", size=4).start()
    last = start.play("a1xb1").play("b3xc3")
    assert (told["game"], told["options"], told["start"]) == ("zola", {"size": 4}, start.to_dict())
    assert [(one["mover"], one["move"], one["kind"]) for one in told["moves"]] == [
        ("Red", "a1xb1", "capture"), ("Blue", "b3xc3", "capture")]  # fmt: skip
    assert told["moves"][1]["position"] == last.to_dict()
    assert (told["outcome"], told["result"], told["error"]) == (None, "*", None)
    file.write_text(file.read_text(encoding="utf-8").replace("b3xc3", "b3xd3"), encoding="utf-8")
    result = run("replay", str(file), "--json")
    assert result.exit_code == 1
    assert json.loads(result.stdout)["error"].startswith("move 2, Blue: b3xd3 is not legal")
    assert len(json.loads(result.stdout)["moves"]) == 1


def test_a_replay_finds_an_illegal_move_and_a_false_result(tmp_path: Path) -> None:
    file = tmp_path / "game.txt"
    said(*RANDOM, "--save", str(file))
    good = file.read_text(encoding="utf-8")
    file.write_text(
        good.replace('Result "Red"', 'Result "draw"').replace('Result "Blue"', 'Result "draw"'), encoding="utf-8"
    )
    result = run("replay", str(file), "-q")
    assert result.exit_code == 1
    assert 'the record gives the result "draw", but according to the rules' in result.stdout
    file.write_text(good.replace("\n1. ", "\n1. a1-a2; "), encoding="utf-8")
    result = run("replay", str(file), "-q")
    assert result.exit_code == 1
    assert "move 1, Red: a1-a2 is not legal: a retreat ends on an empty square" in result.stdout


def test_a_record_of_changed_rules_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "game.txt"
    said(*RANDOM, "--save", str(file))
    digest = pysolve.load("zola", size=4).model.digest
    file.write_text(file.read_text(encoding="utf-8").replace(digest, "0" * 16), encoding="utf-8")
    assert "the rules of Zola have changed since this game was played" in refused("replay", str(file))
    assert "the rules of Zola have changed" in refused("play", "--resume", str(file))
    assert "all legal" in said("replay", str(file), "--force", "-q")


def test_entries_are_read_down_the_columns() -> None:
    assert in_columns(["a", "bb", "c", "d", "e"], 12) == ["a   c   e", "bb  d"]
    assert in_columns([], 80) == []


# --------------------------------------------------------------------------------------------- Ctrl-C


def interrupted(ready: Callable[[str], bool], *words: str) -> tuple[str, str, int]:
    """A command that gets Ctrl-C once a line of its output says that it is time: output, complaints, status."""
    with process(*words) as command:
        assert command.stdout is not None
        before = ""
        for line in command.stdout:
            before += line
            if ready(line):
                break
        command.send_signal(signal.SIGINT)
        out, complaints = command.communicate(timeout=300)
        return before + out, complaints, command.returncode


@pytest.mark.skipif(os.name == "nt", reason="signals")
def test_ctrl_c_ends_perft_with_what_was_counted() -> None:
    out, complaints, status = interrupted(lambda line: line.startswith("  3"), "perft", "zola", "--depth", "9")
    assert out.startswith("  1  36\n  2  1,296\n  3  46,472\n")
    assert re.match(r"pysolve: perft stopped at depth [4-9] of 9[;,]", complaints)
    assert status == 130


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="signals")
def test_ctrl_c_ends_a_list_of_turns() -> None:
    words = ("turns", PUSHERS, "pieces=3", "size=6", "--limit", "0")
    out, complaints, status = interrupted(lambda line: line.startswith("a1-a2"), *words)
    assert out.startswith("a1-a2, b1-a1, c1-b1, d1-c1\n")
    assert re.fullmatch(r"pysolve: turns stopped; [\d,]+ are listed, and there may be more\n", complaints)
    assert status == 130


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="signals")
def test_ctrl_c_keeps_a_saved_game(tmp_path: Path) -> None:
    file = tmp_path / "game.txt"
    words = ("play", "conga", "--seat", "Black=random", "--seat", "White=random", "-q", "--save", str(file))
    out, complaints, status = interrupted(lambda line: "   2." in line, *words, "--delay", "2")
    assert (complaints, status) == ("", 130)
    assert "to move." in out
    assert "all legal" in said("replay", str(file), "-q")


def stopped(*words: str) -> tuple[str, str]:
    """What a command that Ctrl-C stops prints, and says."""
    result = run(*words)
    assert result.exit_code == 130
    return result.stdout, result.stderr.removeprefix("pysolve: ").rstrip("\n")


def stopping(after: int, function: Callable[..., Any]) -> Callable[..., Any]:
    """A function that is called some times, and stopped by Ctrl-C the next time."""
    calls = iter(range(after))

    def called(*args: Any, **settings: Any) -> Any:
        if next(calls, None) is None:
            raise KeyboardInterrupt
        return function(*args, **settings)

    return called


@pytest.mark.parametrize(
    ("where", "after", "words", "printed", "known"),
    [
        ("pysolve.cli.ask.played_from", 0, "moves zola size=4", "", "moves stopped; nothing is known yet"),
        ("pysolve.position.Position.why", 1, "why zola size=4 a1xb1, b3-c3", "", "why stopped; nothing is known yet"),
        ("pysolve.position.Position.query", 0, "query zola at(C)", "", "query stopped; nothing is known yet"),
        ("pysolve.cli.rules.load", 2, "games", "", "games stopped after reading 2 games"),
        ("pysolve.cli.solve.solved", 0, "solve zola size=4", "", "solve stopped without a result"),
        ("pysolve.position.Position.divide", 0, "perft zola size=4", "",
         "perft stopped at depth 1 of 3; no count is complete"),
        ("pysolve.position.Position.divide", 1, "perft zola size=4", "  1  16\n",
         "perft stopped at depth 2 of 3; the counts of the depths before it are complete"),
        ("pysolve.position.Position.perft", 34, "perft zola size=4", "  1  16\n  2  256\n",
         "perft stopped at depth 3 of 3, after 2 of 16 first moves with 530 sequences"),
    ],
)  # fmt: skip
def test_ctrl_c_says_what_was_stopped_and_what_is_known(
    where: str, after: int, words: str, printed: str, known: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    module, _, name = where.rpartition(".")
    owner = pysolve.Position if module.endswith("Position") else importlib.import_module(module)
    monkeypatch.setattr(owner, name, stopping(after, getattr(owner, name)))
    assert stopped(*words.split()) == (printed, known)


def test_ctrl_c_says_which_examples_passed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "broken.rules"
    good = 'example "right"\n  size 4\n  moves 16\n'
    file.write_text(BROKEN + good + good.replace("right", "late"), encoding="utf-8")
    trials = examples.trials
    monkeypatch.setattr(examples, "trials", lambda game: chain(islice(trials(game), 2), interruption()))
    _, known = stopped("check", str(file))
    assert known == f"check stopped after 2 of 3 examples of {file}; passed: right; not as expected: wrong"


def interruption() -> Iterator[Any]:
    """What is interrupted before it gives anything."""
    raise KeyboardInterrupt
    yield


def test_ctrl_c_says_what_was_answered_so_far(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "positions.jsonl"
    file.write_text('{"mover": "Blue"}\n{"mover": "Red"}\n', encoding="utf-8")
    monkeypatch.setattr(Answers, "answer", stopping(1, Answers.answer))
    printed, known = stopped("moves", "zola", "size=4", "--positions", str(file))
    assert json.loads(printed)["mover"] == "Blue"
    assert known == "moves stopped after 1 answer"


@pytest.mark.parametrize(
    ("words", "shown"),
    [
        (["kalah", "--play", "a1"], ["store: South 0, North 0"]),
        (
            ["yoxii", "--play", "e3"],
            ["a piece is to be placed", "stock: White 1 5, 2 5, 3 5, 4 3; Red 1 5, 2 5, 3 5, 4 3"],
        ),
        (
            ["antiyomacy"],
            [
                "{ } the province to act",
                "money: c2 12, c8 12",
                "conquests: Red 0, Blue 0",
                "cells of each province: c2 2, c8 2",
                "income of each province: c2 1, c8 1",
                "cells of the province to act: 2",
                "money of the province to act: 12",
                "income of the province to act: 1",
                "units to buy: Peasant 10",
                "units too dear: Spearman 20, Baron 30, Knight 40",
                "buildings to buy: Farm 12",
                "buildings too dear: Tower 15, StrongTower 35",
            ],
        ),
        (["zola"], []),
    ],
)
def test_what_a_board_does_not_show_stands_below_it(words: list[str], shown: list[str]) -> None:
    lines = run("show-position", *words).stdout.splitlines()
    labels = max(place for place, line in enumerate(lines) if line.split()[:2] == ["a", "b"])
    assert lines[labels + 1 : -1] == shown


def test_why_and_query_ask_about_the_position_after_some_moves() -> None:
    assert "it is not" not in run("why", "zola", "size=4", "b3-c3", "--play", "a1xb1").stdout
    before, after = (run("query", "zola", "size=4", "at(b1) = P", *more).stdout for more in ((), ("--play", "a1xb1")))
    assert (before, after) == ("P = Blue\n", "P = Red\n")


@pytest.mark.parametrize(
    "words",
    [
        ["best", "zola", "--position", "FILE"],
        ["moves", "zola", "--positions", "FILE"],
        ["analyse", "FILE"],
        ["replay", "FILE"],
        ["play", "--resume", "FILE"],
        ["solve", "--check", "FILE"],
        ["fmt", "FILE"],
    ],
)
def test_a_file_that_is_no_text_is_refused_in_words(words: list[str], tmp_path: Path) -> None:
    file = tmp_path / "picture"
    file.write_bytes(b"\x89PNG\r\n\x1a\n\x00\xff\xfe")
    assert refused(*(str(file) if word == "FILE" else word for word in words)) == (
        f"pysolve: {file}: the file is not UTF-8 text\n"
    )


# --------------------------------------------------------------------------- what a wrong word is answered with

PUSHING = """\
game "Pushing"
players Red, Blue
board hex hexagon 4
state
  at(cell): player or none
setup
  at(d1) := Red
move push(from: cell, d: direction) as "{from} {d}"
  when
    at(from) = mover
    from + d in cell  else "no cell lies there"
  do
    at(from) := none
    at(from + d) := mover
stuck draw
example "order"
  moves 2
  play d1 east
  moves 1
"""


@pytest.fixture
def pushing(tmp_path: Path) -> str:
    path = tmp_path / "pushing.rules"
    path.write_text(PUSHING, encoding="utf-8")
    return str(path)


@pytest.mark.parametrize(
    ("move", "answer"),
    [
        (
            "d1 north",
            'there is no direction "north": expected northeast, east, southeast, southwest, west or northwest',
        ),
        ("d1 southeast", "no cell lies there"),
        ("a1 east", 'the board has no cell "a1": row 1 is d1 e1 f1 g1'),
        ("z9 east", 'the board has no cell "z9": it has rows 1 to 7; row 1 is d1 e1 f1 g1'),
        ("push d1", "moves are push {from} {d}\n"),
    ],
)
def test_a_wrong_word_of_a_move_is_named(pushing: str, move: str, answer: str) -> None:
    assert answer in run("why", pushing, move).stdout


def test_an_option_may_stand_behind_a_move_or_a_goal() -> None:
    assert "a1xb1 is legal" in said("why", "zola", "a1xb1", "size=4")
    assert "a1-b2 is not legal" in run("why", "zola", "a1-b2", "size=4").stdout
    assert said("query", "zola", "at(a1, X)", "size=4") == "X = Red\n"
    assert 'no option "sise": did you mean "size"?' in refused("query", "zola", "at(a1, X)", "sise=4")
    assert said("query", "zola", "X=a1, at(X, Y)").startswith("X = a1, Y = Red")


def test_an_expectation_above_a_play_line_says_when_it_is_tested(pushing: str) -> None:
    found = run("check", pushing).stdout
    assert "after the moves of the play lines below, which are played first" in found.split("19:")[0]
    assert "play lines below" not in found.split("19:")[-1]


EARLY = """
import os, signal, sys
class Early:
    def find_spec(self, name, path, target=None):
        if name == sys.argv[1]:
            os.kill(os.getpid(), signal.SIGINT)
sys.meta_path.insert(0, Early())
from pysolve.cli import main
sys.argv = ["pysolve", "games"]
main()
"""


@pytest.mark.skipif(os.name == "nt", reason="signals")
@pytest.mark.parametrize(
    "module", ["typer", "pysolve.cli.app", "pysolve.cli.rules", "pysolve.position", "pysolve.dsl.model"]
)
def test_ctrl_c_while_modules_are_imported_ends_the_command_without_a_word(module: str) -> None:
    command = [sys.executable, "-c", EARLY.replace("sys.argv[1]", repr(module))]
    done = subprocess.run(command, text=True, capture_output=True, timeout=300, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "")


def test_every_public_name_is_there() -> None:
    assert {name for names in pysolve._HOMES.values() for name in names} == set(pysolve.__all__)
    assert all(getattr(pysolve, name) is not None for name in dir(pysolve))
    with pytest.raises(AttributeError, match='has no "laod"'):
        pysolve.laod  # noqa: B018


# ---------------------------------------------------------------------------------- what a command imports

LOADED = """
import sys
from pysolve.cli.app import app
for words in {commands}:
    try:
        app(words)
    except SystemExit as end:
        assert end.code == 0, end.code
print(*sys.modules, file=sys.stderr)
"""
HEAVY = {"lark", "pyswip", "asyncio", "starlette", "uvicorn", "pygls", "numpy", "matplotlib", "sqlite3", "choix"}
LISTING = {
    "cli", "cli.app", "cli.console", "cli.ending", "cli.exit_status", "cli.later", "cli.progress", "runtime",
    "runtime.progress", "runtime.version",
}  # fmt: skip


def loaded_by(*commands: list[str]) -> tuple[set[str], set[str]]:
    """What a new process imports for these commands: modules of pysolve, and libraries."""
    ran = subprocess.run(
        [sys.executable, "-c", LOADED.format(commands=commands)], env=ENVIRONMENT, capture_output=True, text=True,
        encoding="utf-8", timeout=300, check=True,
    )  # fmt: skip
    names = ran.stderr.split()
    ours = {name.removeprefix("pysolve.") for name in names if name.startswith("pysolve.")}
    return ours, {name.partition(".")[0] for name in names} - {"pysolve"}


def test_the_version_and_the_list_of_commands_import_no_command() -> None:
    ours, others = loaded_by(["--version"], ["--help"])
    assert ours == LISTING
    assert not others & HEAVY


def test_a_known_game_is_answered_without_parser_checker_lab_and_web() -> None:
    """By Prolog: in C, it is printed until its library has been built."""
    words = ["moves", "zola", "size=4", "--engine", "prolog"]
    loaded_by(words)  # now it is known, whatever this process has forgotten or kept in memory
    ours, others = loaded_by(words)
    assert "cli.ask" in ours
    assert not ours & {"dsl.check", "dsl.text.syntax", "dsl.to_c", "service", "lab", "web", "display.svg", "cli.table"}
    assert not others & (HEAVY - {"pyswip"})


def test_the_list_of_commands_has_the_first_paragraph_of_each_docstring() -> None:
    for _, module, names in COMMANDS:
        for name in names:
            command = Later(name, f"pysolve.cli.{module}", "")
            command.summarise()
            assert command.help
            assert command.whole().help.split("\n\n")[0] == command.help


def test_a_command_runs_in_any_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(signal, "getsignal", lambda _: signal.default_int_handler)
    found: list[str] = []
    thread = Thread(target=lambda: found.append(Later("cache", "pysolve.cli.machine", "").whole().name))
    thread.start()
    thread.join()
    assert found == ["cache"]


def test_each_error_that_becomes_a_message_is_there() -> None:
    for name in MISTAKES:
        module, _, error = name.rpartition(".")
        found = getattr(importlib.import_module(module), error)
        assert f"{found.__module__}.{found.__qualname__}" == name
        assert is_mistake(found.__new__(found))
    assert is_mistake(FileNotFoundError())
    assert not is_mistake(ValueError())
    assert not is_mistake(KeyboardInterrupt())
