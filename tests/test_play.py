"""Play at the keyboard: what can be typed, what is shown, what is kept."""

import io
import json
import os
import pty
import re
import select
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from threading import Event, Timer
from threading import enumerate as enumerate_threads

import pytest
from typer.testing import CliRunner

import pysolve
from pysolve.cli import console, progress, slow
from pysolve.cli.app import app
from pysolve.cli.typed import moves_of_line
from pysolve.players.completion import rest_of_turn
from pysolve.players.session import Session
from pysolve.position import AmbiguousMove, InvalidMove
from pysolve.runtime.paths import RULES
from pysolve.runtime.progress import listen

ENVIRONMENT = {**os.environ, "COLUMNS": "80", "NO_COLOR": "1", "TERM": "xterm"}


def said(*words: str, typed: tuple[str, ...] = ()) -> str:
    """What a command prints that has nothing to complain about."""
    stdin = "".join(f"{line}\n" for line in typed)
    result = CliRunner().invoke(app, list(words), input=stdin, env={"NO_COLOR": "1", "COLUMNS": "80"})
    assert (result.stderr, result.exit_code) == ("", 0)
    return result.stdout


def blockade(*typed: str, options: tuple[str, ...] = ()) -> str:
    return said("play", "blockade", "-q", *options, typed=typed)


# ------------------------------------------------------------------------------------------- whole turns


def test_a_whole_turn_stands_on_one_line() -> None:
    text = blockade("d5-d4, e5-e4; f5 stays, g5-g4", "log")
    assert "   4. Defence g5-g4\nOffence to move" in text


def test_a_line_is_played_whole_or_not_at_all() -> None:
    text = blockade("d5-d4, d4-d3", "log")
    assert "d4-d3 is not legal" in text
    assert "No move has been played." in text


def test_a_line_may_not_go_on_with_the_moves_of_a_program() -> None:
    text = blockade("d5-d4, stay, f9-f10", "log", options=("--seat", "Offence=random", "--seed", "1"))
    assert 'after g5 stays it is the turn of Offence: "f9-f10" cannot be played' in text
    assert "No move has been played." in text


@pytest.mark.parametrize("word", ["stay", "stay all", "STAY  All"])
def test_who_has_not_acted_stays(word: str) -> None:
    text = blockade(f"d5-d4, {word}", "log")
    assert "   4. Defence g5 stays\nOffence to move" in text


def test_a_kind_that_leaves_a_choice_is_not_repeated() -> None:
    start = pysolve.load("blockade").start()
    assert rest_of_turn(start, "step") == []
    assert [str(move) for move in rest_of_turn(start, "stay")] == ["d5 stays", "e5 stays", "f5 stays", "g5 stays"]
    with pytest.raises(AmbiguousMove, match='"step all" is ambiguous: play d5-c4'):
        moves_of_line(start, "step all", lambda _: True)
    with pytest.raises(AmbiguousMove, match='no move of the kind "tackle" is legal here'):
        moves_of_line(start, "tackle all", lambda _: True)


def test_a_word_that_is_a_move_is_one_move_and_with_all_the_rest_of_the_turn() -> None:
    sea = "  . . . . . . . .\n"
    drawn = f"position Red\n  r r . . . . r r\n{4 * sea}  b b . . . . . .\n{2 * sea}"
    start = pysolve.load("antiyomacy").position(drawn)
    assert len(moves_of_line(start, "rest", lambda _: True)) == 1
    assert len(moves_of_line(start, "rest all", lambda _: True)) == 2


def test_what_is_left_when_a_game_is_over_is_not_played() -> None:
    start = pysolve.load("zola", size=4).position("..../.RB./..../.... Red")
    with pytest.raises(InvalidMove, match='the game is over after b3xc3: "a1" cannot be played'):
        moves_of_line(start, "b3xc3, a1", lambda _: True)


# ---------------------------------------------------------------------------------- other notations


@pytest.mark.parametrize("typed", ["d-3", "d 3", "T e3"])
@pytest.mark.parametrize("before", [(), ("e3",)])
def test_a_cell_in_two_words_is_no_cell(typed: str, before: tuple[str, ...]) -> None:
    position = pysolve.load("yoxii").start()
    for move in before:
        position = position.play(move)
    with pytest.raises(InvalidMove):
        position.parse(typed)


@pytest.mark.parametrize(
    ("game", "typed", "move"),
    [("conga", "a4 e", "a4 east"), ("zola", "a1x", None), ("zola", "a1xa", "a1xa2"), ("zola", "a1 a2", "a1xa2")],
)
def test_parts_of_a_move(game: str, typed: str, move: str | None) -> None:
    start = pysolve.load(game).start()
    if move is None:
        with pytest.raises(AmbiguousMove):
            start.parse(typed)
    else:
        assert str(start.parse(typed)) == move


@pytest.mark.slow
def test_chess_is_played_as_its_players_write() -> None:
    pytest.importorskip("chess")
    position = pysolve.load("chess").start()
    for text in "e4 e5 Nf3 Nc6 Bc4 Bc5 O-O d6 d4 exd4 Nbd2 Bg4 h3 Bxf3 Nxf3".split():  # noqa: SIM905
        assert text in position.legal_moves
        position = position.play(text)
    assert "Nf3" not in position.legal_moves
    assert position.line().split("/")[4:6] == [".,.,B,p,P,.,.,.", ".,.,.,.,.,N,.,P"]
    empty = "/".join(["........"] * 5)
    late = pysolve.load("chess").position(f"....k.../P......./{empty}/....K... White")
    assert late.parse("a8=Q+").text == "a7a8=Queen"
    assert "   1. White e4\n   2. Black Nf6\n" in said("play", "chess", "-q", typed=("e4, Nf6",))


# Castling on both sides; a capture in passing; promotion with check; two knights that reach one cell.
CHESS = (
    "r...k..r/pppppppp/......../......../......../......../PPPPPPPP/R...K..R White castles(a1)=true castles(h1)=true",
    "....k.../......../......../...pP.../......../......../......../....K... White passed=d6",
    "...k..../P......./......../......../......../......../......../....K... White",
    "....k.../......../......../......../......../......../......../.N...NK. White",
)


@pytest.mark.parametrize("line", [None, *CHESS])
def test_what_players_of_chess_write_is_read_again(line: str | None) -> None:
    pytest.importorskip("chess")
    game = pysolve.load("chess")
    position = game.start() if line is None else game.position(line)
    written = [position.written(move) for move in position.legal_moves]
    assert len(set(written)) == len(position.legal_moves)
    assert [position.parse(text) for text in written] == list(position.legal_moves)
    assert not {move.text for move in position.legal_moves} & set(written)
    assert all(position.why(text).legal for text in written)


@pytest.mark.slow
def test_chess_is_written_as_its_players_do() -> None:
    pytest.importorskip("chess")
    written = []
    for line in CHESS:
        position = pysolve.load("chess").position(line)
        written += [position.written(move) for move in position.legal_moves]
    assert {"O-O", "O-O-O", "exd6", "a8=Q+", "Nbd2", "Nfd2"} <= set(written)


@pytest.mark.slow
def test_people_read_the_notation_and_files_have_the_text_of_the_rules(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("chess")
    file = tmp_path / "game.txt"
    text = said("play", "chess", "-q", "--save", str(file), typed=("e4, e5", "moves", "hint g1", "Nf3", "log"))
    assert "  10  Bc4 " in text
    assert "  14  Nf3 " in text
    assert text.count("   3. White Nf3\n") == 2
    assert "1. e2e4; e7e5\n2. g1f3\n" in file.read_text(encoding="utf-8")
    assert "   1. White e4" in said("analyse", str(file), "--depth", "1")
    assert "\n   3. White Nf3\n" in said("replay", str(file))
    assert '"move": "g1f3"' in said("replay", str(file), "--json")
    monkeypatch.setitem(sys.modules, "chess", None)
    assert "\n   3. White g1f3\n" in said("replay", str(file))


@pytest.mark.slow
def test_lists_have_the_notation_beside_the_text_of_the_rules() -> None:
    pytest.importorskip("chess")
    assert "\n    3  Nf3  g1f3  step\n" in said("moves", "chess")
    assert '"g1f3"' in said("moves", "chess", "--json")
    assert "Nf3" not in said("moves", "chess", "--json")
    played = ("--play", "e4, e5, Bc4, Nc6, Qh5, Nf6")
    assert "best: Qxf7#  (wins in 1" in said("best", "chess", "--depth", "1", *played)
    assert json.loads(said("best", "chess", "--depth", "1", "--json", *played))["best"] == "h5f7"


def test_without_the_package_moves_are_written_as_in_the_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "chess", None)
    start = pysolve.load("chess").start()
    move = start.parse("g1f3")
    assert (move.text, start.written(move)) == ("g1f3", "g1f3")
    assert not start.why("Nf3").legal
    assert "Nf3" not in start.legal_moves
    with pytest.raises(InvalidMove):
        start.parse("Nf3")


def test_a_move_of_no_notation_or_of_another_game_has_its_own_text() -> None:
    chess, zola = pysolve.load("chess").start(), pysolve.load("zola").start()
    assert zola.written(zola.legal_moves[0]) == "a1xb1"
    assert chess.written(zola.legal_moves[0]) == "a1xb1"


@pytest.mark.slow
def test_a_variant_whose_moves_are_others_is_not_read_as_chess() -> None:
    pytest.importorskip("chess")
    text = (RULES / "chess.rules").read_text(encoding="utf-8").partition("\nexample")[0]
    pinned = text.replace('  after not checked(mover) else "the king would be in check"\n', "", 1)
    empty = "/".join(["........"] * 5)
    position = pysolve.load(pinned).position(f"....r..k/{empty}/....R.../....K... White")
    with pytest.raises(InvalidMove):
        position.parse("Rxe8+")
    assert position.written(position.parse("e2e8")) == "e2e8"


# ------------------------------------------------------------------------------------------ commands


def test_redo_plays_what_undo_took_back() -> None:
    text = blockade("d5-d4, e5-e4", "undo", "undo", "redo", "redo", "redo", "log", "undo", "e5-d5", "redo")
    assert text.count("1 move played again.") == 2
    assert text.count("There is no move to redo.") == 2
    assert "   2. Defence e5-e4\nDefence> undo" in text


def test_the_same_move_keeps_what_comes_after_it() -> None:
    start = pysolve.load("zola", size=4).start()
    session = Session(start, dict.fromkeys(start.game.players))
    for text in ("a1xb1", "c2xc3", "a3xa2"):
        session.play(session.position.parse(text))
    after = session.position
    assert [session.undo(), session.undo()] == [1, 1]
    session.play(session.position.parse("c2xc3"))
    assert session.redo() == 1
    assert session.position == after


def test_restart_begins_with_the_same_position() -> None:
    text = said("play", "antiyomacy", "-q", "--seed", "4", typed=("rest", "restart", "log"))
    assert "The game starts again.\nRed to move, 18 legal moves" in text
    assert text.count("Red to move, 18 legal moves") == 2
    assert "No move has been played." in text


def test_the_board_is_shown_on_demand_though_nobody_sees_it_otherwise() -> None:
    assert "\n  4  B  R  B  R\n" in said("play", "zola", "size=4", "-q", typed=("board",))
    assert "\n  1  B  R  B  R\n" in said("play", "zola", "size=4", "-q", typed=("a1xb1", "undo", "flip"))


@pytest.mark.parametrize(
    ("game", "first", "last"), [("tictactoe", "  1  .", "     c   b   a"), ("hex", "", " c╱  b╱  a╱")]
)
def test_a_flipped_board(game: str, first: str, last: str) -> None:
    text = said("play", game, typed=("flip",))
    rows = text.split("flip\n\n")[1].rstrip().split("\n")
    assert rows[0].startswith(first)
    assert any(row.endswith(last) for row in rows)


def test_a_question_mark_is_help() -> None:
    text = blockade("?")
    assert "resign     give up" in text
    assert max(map(len, text.partition("A move is typed")[2].split("\n"))) <= 80


def test_the_sheet_of_rules() -> None:
    text = blockade("rules")
    assert "Football chess: bring the carrier home" in text
    assert "      - Act with a piece of your own that has not acted yet.\n      - Only tacklers tackle" in text
    assert "  Offence wins: Touchdown.\n" in text
    assert "A player who has no legal move passes." in text


@pytest.mark.slow
def test_a_hint_without_a_cell_is_a_programs_move_and_its_value() -> None:
    named = said("play", "zola", "size=4", "-q", typed=("hint minimax:depth=2",))
    assert "Red> hint minimax:depth=2\nc1xb1   (0 for Red)\n" in named
    assert " for Red)" in said("play", "zola", "size=4", "-q", typed=("hint",))


def test_a_program_plays_the_turn_of_a_person() -> None:
    text = blockade("computer random", "log")
    assert "   4. Defence" in text
    assert "   5." not in text


def test_the_value_of_a_programs_move_is_shown() -> None:
    text = said("play", "zola", "size=4", "-q", "--first", "minimax:depth=2", "--max-moves", "1")
    assert "   1. Red c1xb1   (0)\n" in text


# ----------------------------------------------------------------------------------- seats and records


def test_a_new_player_at_a_seat_is_written_to_the_record(tmp_path: Path) -> None:
    file = tmp_path / "game.txt"
    said("play", "zola", "size=4", "-q", "--save", str(file), typed=("a1xb1",))
    text = said("play", "--resume", str(file), "--seat", "Blue=random", "-q", "--save", str(file), typed=())
    assert text.startswith("Zola, size=4\nRed: human, Blue: random")
    assert '[Blue "random"]' in file.read_text(encoding="utf-8")


def test_a_menu_asks_for_game_options_and_players() -> None:
    text = said("play", "-q", typed=("nothing", "zola", "5", "4", "", "robot", "random", "a1xb1"))
    assert "Game (a name, a number, or a file; quit leaves): zola" in text
    assert "size (4, 6, 8, 10; Enter: 6): 5" in text
    assert "Zola, size=4\nRed: human, Blue: random" in text
    assert "   2. Blue " in text


def test_a_menu_asks_for_a_pause_and_comes_back_after_a_game(monkeypatch: pytest.MonkeyPatch) -> None:
    slept: list[float] = []
    monkeypatch.setattr("pysolve.cli.play.is_typed", lambda: True)
    monkeypatch.setattr("pysolve.cli.table.time.sleep", slept.append)
    seats = ("", "", "", "", "random", "0,25")
    text = said("play", "-q", typed=("tictactoe", *seats, "b2", "quit", "yoxii", "random", "", "soon", "", "quit", "q"))
    assert "Seconds before a program's move (Enter: 0): 0,25\n" in text
    assert "Seconds before a program's move (Enter: 1.5): soon\n" in text
    assert '"soon" is not a number of seconds, as in 1.5' in text
    assert text.count("Game (a name, a number, or a file; quit leaves): ") == 1
    assert text.count("Game (a name, a number, or a file; Enter lists them; quit leaves): ") == 2
    assert text.count("  2  abalone ") == 1
    assert set(slept[:1]) == {0.25}
    assert set(slept[1:]) == {1.5}


def test_whoever_leaves_the_menu_at_once_has_done_nothing_wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pysolve.cli.play.is_typed", lambda: True)
    assert said("play", typed=("quit",)).endswith("quit leaves): quit\n")


@pytest.mark.parametrize(("game", "pause"), [("yoxii", 1.5), ("blockade", 1.5), ("zola", 0)])
def test_a_long_turn_is_shown_move_by_move(game: str, pause: float, monkeypatch: pytest.MonkeyPatch) -> None:
    slept: list[float] = []
    monkeypatch.setattr("pysolve.cli.table.time.sleep", slept.append)
    words = ("play", game, "--first", "random", "--second", "random", "-q", "--max-moves", "3")
    said(*words, typed=())
    assert set(slept) == {0}  # nobody looks on
    slept.clear()
    monkeypatch.setattr("pysolve.cli.play.is_typed", lambda: True)
    said(*words, typed=())
    said(*words, "--delay", "0.5", typed=())
    assert slept == [pause] * 3 + [0.5] * 3


@pytest.mark.parametrize(
    ("game", "who", "many"),
    [
        pytest.param("zola", "hard", False, marks=pytest.mark.slow), ("zola", "minimax:depth=20", True),
        ("zola", "minimax:depth=20,time=1", False), ("zola", "minimax:depth=20,nodes=1000", False),
        ("zola", "random", False), ("zola", "human", False),
        ("tictactoe", "minimax:depth=20", False),
    ],
)  # fmt: skip
def test_whoever_may_take_long_is_known_before_the_game(game: str, who: str, many: bool) -> None:
    said = list(slow.warnings(pysolve.load(game).start(), {"Red": who}))
    words = f"Red: {who} may search more than a thousand million positions for a move; {who},time=5 takes five seconds"
    assert said == ([words] if many else [])


def test_a_person_is_warned_of_a_level_that_takes_long(monkeypatch: pytest.MonkeyPatch) -> None:
    words = ["play", "zola", "size=4", "-q", "--second", "minimax:depth=30"]
    assert CliRunner().invoke(app, words, input="").stderr == ""
    monkeypatch.setattr("pysolve.cli.play.is_typed", lambda: True)
    assert CliRunner().invoke(app, words, input="").stderr.startswith("pysolve: Blue: minimax:depth=30 may search ")


def test_a_cell_is_typed_as_line_and_column_too() -> None:
    text = said("play", "tictactoe", "-q", typed=("2-3", "3-1", "1-9"))
    assert "   1. X c2\n" in text
    assert "   2. O a3\n" in text
    assert '"1-9"' in text


def test_one_key_lets_a_program_play() -> None:
    text = said("play", "tictactoe", "-q", typed=("c", "c"))
    assert re.search(r"\n   1\. X \w\d", text)
    assert re.search(r"\n   2\. O \w\d", text)
    only = "position O\n X O X\n X O X\n O X .\n"
    assert "c1" in said("play", "tictactoe", "-q", "--position", only, typed=("c",))  # the one move that is left


def test_a_menu_offers_the_levels_first_and_to_solve_a_puzzle() -> None:
    text = said("play", "-q", typed=("connect_four", "", "", "", "medum", "easy", "quit"))
    assert "Opponents: easy, medium, hard, expert; or random, or any player, as minimax:time=1\n" in text
    assert 'did you mean "medium"' in text
    assert "Yellow: human, Red: easy" in text
    puzzle = said("play", "-q", typed=("sliding_tiles", "3", "2", "", "solve"))
    assert "solve: the computer plays a solution; whoever plays may ask for a hint\n" in puzzle
    assert "The winner: Solver" in puzzle


def test_a_menu_that_nobody_answers_says_how_else() -> None:
    result = CliRunner().invoke(app, ["play"], input="")
    assert result.exit_code == 2
    assert "name a game" in result.stderr


# ----------------------------------------------------------------------------------------- terminals


def command(*words: str) -> list[str]:
    return [sys.executable, "-m", "pysolve", *words]


@pytest.mark.skipif(os.name == "nt", reason="descriptors")
@pytest.mark.slow
def test_a_closed_stdin_is_the_end_of_the_input() -> None:
    words = " ".join(f"'{word}'" for word in command("play", "zola", "-q"))
    done = subprocess.run(["sh", "-c", f"{words} <&-"], capture_output=True, text=True, env=ENVIRONMENT, timeout=300)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.endswith("Left after 0 moves, Red to move.\n")


def _own_terminal() -> None:
    """Opening a terminal in a new session makes it the one whose Ctrl-C the command gets."""
    os.close(os.open(os.ttyname(0), os.O_RDWR))


class Terminal:
    """A command at a terminal of its own."""

    def __init__(self, *words: str, folder: Path):
        self._ours, theirs = pty.openpty()
        self.process = subprocess.Popen(
            command(*words), stdin=theirs, stdout=theirs, stderr=theirs, env=ENVIRONMENT, cwd=folder,
            start_new_session=True, preexec_fn=_own_terminal,
        )  # fmt: skip
        os.close(theirs)
        self.text = ""

    def until(self, words: str) -> str:
        """Reads until the words appear."""
        while words not in self.text:
            assert select.select([self._ours], [], [], 300)[0], self.text
            try:
                self.text += os.read(self._ours, 4096).decode()
            except OSError:
                break
        assert words in self.text, self.text
        before, _, self.text = self.text.partition(words)
        return before

    def type(self, text: str) -> None:
        """Types when the command waits for a key: a Ctrl-C between the prompt and that is lost in Python's `input`."""
        status = Path(f"/proc/{self.process.pid}/stat")
        while status.exists() and status.read_text().rpartition(") ")[2][0] not in "SZ":
            time.sleep(0.01)
        os.write(self._ours, text.encode())


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="terminals")
@pytest.mark.parametrize(("key", "status"), [("\x03", 130), ("\x04", 0), ("quit\n", 0)])
def test_who_leaves_is_asked_whether_to_save(key: str, status: int, tmp_path: Path) -> None:
    terminal = Terminal("play", "zola", "size=4", "-q", folder=tmp_path)
    terminal.until("Red> ")
    terminal.type("a1xb1\n")
    terminal.until("Blue> ")
    terminal.type(key)
    terminal.until("Save the game as (file; Enter: do not save): ")
    terminal.type("game.txt\n")
    terminal.until("The record is in game.txt")
    terminal.until("Left after 1 move, Blue to move.")
    assert terminal.process.wait(300) == status
    assert "1. a1xb1" in (tmp_path / "game.txt").read_text(encoding="utf-8")


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="names that are not UTF-8")
def test_a_file_name_that_is_not_utf_8(tmp_path: Path) -> None:
    rules = os.fsencode(tmp_path) + b"/caf\xe9.rules"
    Path(os.fsdecode(rules)).write_text((RULES / "zola.rules").read_text(encoding="utf-8"), encoding="utf-8")
    for words in (["why"], ["play", "-q", "--save", b"g\xe9.txt"], ["replay", "-q", b"g\xe9.txt"]):
        first = [rules] if words[0] != "replay" else []
        last = ["a1xb1"] if words[0] == "why" else []
        full = [*command(words[0]), *first, *words[1:], *last]  # type: ignore[list-item]
        done = subprocess.run(full, input=b"a1xb1\n", capture_output=True, env=ENVIRONMENT, timeout=300, cwd=tmp_path)
        assert (done.returncode, done.stderr) == (0, b""), done.stderr
    plain = {**ENVIRONMENT, "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    done = subprocess.run([*command("why"), rules, "a1xb1"], capture_output=True, env=plain, timeout=300)  # type: ignore[list-item]
    assert (done.returncode, done.stderr) == (0, b"")


# ------------------------------------------------------------------------------------ what takes long


def test_what_takes_long_is_told(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Reading, compiling and loading say what they are, to whoever listens."""
    heard: list[str] = []

    @contextmanager
    def hear(what: str) -> Iterator[None]:
        heard.append(what)
        yield

    monkeypatch.setenv("PYSOLVE_CACHE", str(tmp_path / "cache"))
    listen(hear)
    try:
        game = pysolve.load(RULES / "tictactoe.rules")
        assert len(game.start().legal_moves) == 9
        game.prolog  # noqa: B018
    finally:
        listen(nullcontext)
    assert heard[0].startswith("reading ")
    assert "loading Tic-tac-toe into Prolog" in heard
    assert any(what.startswith("compiling ") for what in heard)


def test_it_is_said_in_a_terminal_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    said, terminal = Event(), True
    lines: list[str] = []

    class Screen:
        def print(self, line: str) -> None:
            lines.append(line)
            said.set()

    monkeypatch.setattr(progress, "is_watched", lambda: terminal)
    monkeypatch.setattr(progress, "console", lambda stderr: Screen())
    with progress.late("compiling Chess", 0):
        assert said.wait(300)
    assert lines == ["pysolve: compiling Chess …"]
    terminal = False
    said.clear()
    with progress.late("compiling Chess", 0):
        assert not any(isinstance(thread, Timer) and thread.is_alive() for thread in enumerate_threads())
    assert len(lines) == 1


def test_what_ends_soon_is_not_said(monkeypatch: pytest.MonkeyPatch) -> None:
    lines: list[str] = []
    screen = type("Screen", (), {"print": lambda self, line: lines.append(line)})()
    monkeypatch.setattr(progress, "is_watched", lambda: True)
    monkeypatch.setattr(progress, "console", lambda stderr: screen)
    with progress.late("compiling Chess", 3000):
        pass
    assert lines == []


@pytest.mark.slow
def test_a_recorded_game_comes_with_the_rules_and_is_watched_from_everywhere(monkeypatch: pytest.MonkeyPatch) -> None:
    slept: list[float] = []
    monkeypatch.setattr("pysolve.cli.recorded.time.sleep", slept.append)
    end = "The winner: Offence (touchdown)\n117 moves, all legal.\n"
    assert said("replay", "blockade", "-q").endswith(end)
    said("replay", "blockade", "--to", "1")  # nobody looks on
    monkeypatch.setattr("pysolve.cli.recorded.is_typed", lambda: True)
    said("replay", "blockade", "--to", "1")
    said("replay", str(RULES / "blockade.record"), "--to", "1")
    said("replay", "blockade", "--to", "1", "--delay", "0.2")
    assert slept == [0, 1.5, 0, 0.2]
    assert "a recorded game: pysolve replay blockade\n" in said("games", "blockade")
    text = said("play", "blockade", "-q", typed=("demo", "help", "f5-f6", "quit"))
    assert f"{end}\nYour own game goes on:\n" in text
    assert "With this game comes a recorded one: demo shows it.\n" in text
    assert "   1. Defence f5-f6\n" in text
    assert slept[4:] == [1.5] * 117


@pytest.mark.slow
def test_a_menu_offers_to_watch_a_recorded_game_and_comes_back(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pysolve.cli.recorded.time.sleep", lambda _: None)
    text = said("play", typed=("blockade", "x", "d", "quit"))
    assert 'Enter: play; d: watch a recorded game: x\n"x" is neither Enter nor d\n' in text
    assert "117 moves, all legal.\n" in text
    assert text.endswith("Enter lists them; quit leaves): quit\n")
    assert "watch a recorded game" not in said("play", "-q", typed=("tictactoe", *[""] * 5, "quit"))


def test_whoever_leaves_a_recorded_game_is_at_the_table_again(monkeypatch: pytest.MonkeyPatch) -> None:
    def leave(_: float) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("pysolve.cli.recorded.time.sleep", leave)
    text = said("play", "blockade", "-q", typed=("f5-f6", "demo", "quit"))
    assert "The recorded game was left.\n\nYour own game goes on:\n" in text
    assert "Left after 1 move, Defence to move." in text


def test_a_record_beside_a_rules_file_is_shown_if_it_fits_the_rules(tmp_path: Path) -> None:
    mine = tmp_path / "mine.rules"
    mine.write_text((RULES / "tictactoe.rules").read_text(encoding="utf-8"), encoding="utf-8")
    refused = CliRunner().invoke(app, ["replay", str(tmp_path / "mine")])
    assert "mine comes without a recorded game; these have one: blockade" in refused.stderr
    mine.with_suffix(".record").write_text('[Game "mine"]\n\n1. b2; a1\n', encoding="utf-8")
    assert said("replay", str(tmp_path / "mine"), "-q").endswith("X to move\n2 moves, all legal.\n")
    mine.with_suffix(".record").write_text('[Game "mine"]\n\n1. b2; b2\n', encoding="utf-8")
    text = said("play", str(mine), "-q", typed=("demo", "a1", "quit"))
    assert "mine.record: move 2, O: " in text
    assert "   1. X a1\n" in text


@pytest.mark.parametrize("is_terminal", [False, True])
def test_a_terminal_breaks_long_lines_between_words_and_nothing_else_does(is_terminal: bool) -> None:
    line = f"    fails, line 27: {'a retreat leads away from the centre ' * 4}(distance(b1) = 34)"
    to = console.console()
    to.file, to._force_terminal, to.width = io.StringIO(), is_terminal, 80
    console.put_words(to, f"short\n{line}")
    lines = to.file.getvalue().rstrip("\n").split("\n")
    assert " ".join(one.strip() for one in lines) == f"short {line.strip()}"
    assert [len(one) - len(one.lstrip()) for one in lines] == ([0, 4, 6, 6] if is_terminal else [0, 4])
    assert all(len(one) <= 80 for one in lines) == is_terminal


def test_help_gives_a_move_as_an_example_and_speaks_of_turns_only_where_they_have_several_moves() -> None:
    conga = " ".join(said("play", "conga", "-q", typed=("help",)).split())
    assert "({from} {dir}; for example a4 east)" in conga
    assert "all plays every move" not in conga
    blockade = " ".join(said("play", "blockade", "-q", typed=("help",)).split())
    assert "for example d5 stays)" in blockade
    assert "stay all plays every move of that kind that is left in the turn" in blockade
