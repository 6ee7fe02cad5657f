"""Players that are other programs."""

import json
import os
import queue
import re
import shlex
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random

import pytest
from typer.testing import CliRunner

import pysolve
from benchmarks.fairy import translated
from pysolve.cli.app import app
from pysolve.dsl.player_texts import UnknownPlayer
from pysolve.lab.balance import balance, play_variant
from pysolve.lab.games import STANDARD
from pysolve.lab.match import play_match, play_seats, standing
from pysolve.lab.report import BalanceReport
from pysolve.lab.store import Series, Store
from pysolve.lab.tables import game_rows
from pysolve.lab.tournament import crosstable
from pysolve.notation import record as records
from pysolve.notation.uci import words_of
from pysolve.players.competitors import competitor, names_function
from pysolve.players.functions import Resigned, specification
from pysolve.players.outside.gtp import Points
from pysolve.players.outside.player import Visitor, outside
from pysolve.players.outside.program import Forfeit, Program, ProgramError
from pysolve.position import Move
from tests import threes
from tests.games import load
from tests.test_lab import refused, run, said
from tests.test_service import START, opened, refusal

STRANGER = Path(__file__).with_name("stranger.py")
OURS = f"{shlex.quote(sys.executable)} -m pysolve engine"
PLACES = os.pathsep.join([os.environ.get("PATH", ""), "/usr/games"])  # the latter is Debian's
STOCKFISH, GNUGO, RHINO = (shutil.which(name, path=PLACES) or "" for name in ("stockfish", "gnugo", "gtp-rhino"))
needs_stockfish = pytest.mark.skipif(not STOCKFISH, reason="stockfish is not installed")
needs_gnugo = pytest.mark.skipif(not GNUGO, reason="gnugo is not installed")
needs_rhino = pytest.mark.skipif(not RHINO, reason="grhino is not installed")
posix = pytest.mark.skipif(os.name == "nt", reason="process groups and signals of POSIX")

Text = Callable[..., str]
FAKE, GTP = (f"{protocol}:{shlex.quote(sys.executable)}" for protocol in ("ugi", "gtp"))
LOOKS = 60_000  # ten minutes at least; more on a slow machine


@pytest.fixture
def text(tmp_path: Path) -> Text:
    """The text that names the stranger as a player."""

    def named(protocol: str, how: str, *moves: str, more: str = "") -> str:
        words = [sys.executable, str(STRANGER), str(tmp_path / "heard"), protocol, how, *moves]
        return f"{protocol}:{shlex.join(words)}{more}"

    return named


class Fakes:
    """Programs that are none: what each is told, and how all of them answer.

    The first word of a line has an answer: lines, silence if there are none, or the end, which is None.
    """

    def __init__(self) -> None:
        self.heard: list[list[str]] = []
        self.answers: dict[str, list[str] | None] = {}
        self.moves: list[str] = []  # of GTP, one after the other
        self.refuses = ""  # the end of what is refused in GTP

    def speaks_gtp(self, *moves: str, refuses: str = "") -> None:
        """Programs that speak GTP, and make these moves."""
        self.moves, self.refuses = list(moves), refuses

    def answer(self, line: str) -> list[str] | None:
        """What is said to a line."""
        word = line.split()[0]
        if word in self.answers:
            return self.answers[word]
        if self.refuses and line.endswith(self.refuses):
            return ["? syntax error"]
        if word == "genmove":
            return [f"= {self.moves.pop(0)}"]
        return ["="] if self.moves or self.heard[-1][:1] == ["protocol_version"] else []

    def start(self, name: str, command: Sequence[str]) -> Program:
        """A program, of which nothing runs."""
        fakes = self

        class Fake(Program):
            def __init__(self) -> None:
                self._name, self.plays, self._last = name, False, deque(maxlen=3)
                self._lines_heard: list[str] = []
                self._says: list[str | None] = []
                fakes.heard.append(self._lines_heard)

            def tell(self, line: str) -> None:
                self._lines_heard.append(line)
                answer = fakes.answer(line)
                self._says += [None] if answer is None else answer

            def heard(self, until: float, wanted: str) -> str:
                if not self._says:
                    raise self.problem(f"did not answer {wanted} in time")
                line = self._says.pop(0)
                if line is None:
                    raise self.problem(f"ended before it answered {wanted}")
                self._last.append(line)
                return line

            def close(self) -> None:
                self.tell("quit")

        return Fake()


@pytest.fixture
def fakes(monkeypatch: pytest.MonkeyPatch) -> Fakes:
    """Programs of this process, instead of processes."""
    made = Fakes()
    monkeypatch.setattr("pysolve.players.outside.player.Program", made.start)
    return made


def heard(tmp_path: Path) -> list[str]:
    """What the stranger has heard."""
    return (tmp_path / "heard").read_text(encoding="utf-8").splitlines()[1:]


def wait_for(what: Callable[[], bool]) -> None:
    """Returns as soon as something is so; fails if it never is, which is a matter of looks and not of time."""
    for _ in range(LOOKS):
        if what():
            return
        time.sleep(0.01)
    pytest.fail("what was waited for did not come")


def is_gone(tmp_path: Path, file: str = "heard") -> bool:
    """True if the process of the stranger, or the one whose number is in another file, has ended."""
    number = int((tmp_path / file).read_text(encoding="utf-8").splitlines()[0])
    status = Path(f"/proc/{number}/stat")
    try:
        os.kill(number, 0)
        return status.exists() and status.read_text(encoding="utf-8").rpartition(")")[2].split()[0] == "Z"
    except ProcessLookupError:
        return True


# --------------------------------------------------------------------------------------------- texts


def test_a_text_has_a_command_settings_and_options() -> None:
    found = outside(" uci:my 'own engine',depth=5, time=0.5,Skill Level=3 ")
    assert found.command == ("my", "own engine")
    assert found.settings == {"patience": 60.0, "depth": 5, "time": 0.5}
    assert found.options == {"Skill Level": "3"}
    assert str(found) == "uci:my 'own engine',depth=5, time=0.5,Skill Level=3"
    assert not found.deterministic
    assert outside("ugi:engine '--with=a,b=2'").command == ("engine", "--with=a,b=2")
    assert outside("gtp:gnugo --mode gtp").command == ("gnugo", "--mode", "gtp")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("uci:", "uci needs the command of a program, as in  uci:stockfish,depth=5"),
        ("gtp: ", "gtp needs the command of a program, as in  gtp:gnugo --mode gtp"),
        ("ugi:'engine", "ugi:'engine cannot be split into words: No closing quotation"),
        ("uci:engine,depth=0", 'depth of uci cannot be "0": it must be an integer from 1 to 2,147,483,647'),
        (
            "ugi:engine,nodes=99999999999",
            'nodes of ugi cannot be "99999999999": it must be an integer from 1 to 2,147,483,647',
        ),
        ("uci:engine,time=soon", 'time of uci cannot be "soon": it must be seconds, as in 0.5, below 1,000,000'),
        ("uci:engine,Hash=1,Hash=2", "Hash of uci is set twice"),
        (
            "gtp:gnugo,level=3",
            'gtp has no setting "level": it has time=…, patience=…; others belong into the command',
        ),
    ],
)
def test_texts_that_are_wrong(text: str, message: str) -> None:
    with pytest.raises(UnknownPlayer) as error:
        competitor(text)
    assert str(error.value) == message


@pytest.mark.parametrize(
    ("game", "text", "message"),
    [
        ("chess", "uci:no-such-engine --fast", 'there is no program "no-such-engine" here'),
        ("chess", "uci:no-such-engine; touch started", 'there is no program "no-such-engine;" here'),
        ("zola", f"uci:{OURS} zola", "uci is for chess and its variants, which have FEN: Zola is none; ugi:COMMAND is"),
        ("chess", f"gtp:{OURS} chess", "gtp is for games of two players who place stones on a square or rhombus"),
        ("connect_four", f"gtp:{OURS} chess", "as in Go or Hex: Connect four is none"),
        pytest.param("tak", f"gtp:{OURS} chess", "Tak is none", marks=pytest.mark.slow),
        ("hanoi", f"gtp:{OURS} chess", "gtp is for games of two players"),
    ],
)
def test_programs_that_do_not_fit_are_refused_before_they_start(game: str, text: str, message: str) -> None:
    with pytest.raises(UnknownPlayer) as error:
        competitor(text).check(load(game))
    assert message in str(error.value)


def test_a_program_is_no_function_of_a_module() -> None:
    assert not names_function("uci:stockfish")
    assert not names_function("gtp:gnugo")


# ------------------------------------------------------------------------------- who may start programs

REFUSED = "would start a program: only a command line or a script may do so, no rules, record or page"


@pytest.mark.parametrize("who", ["uci:stockfish", " ugi : engine", "gtp:gnugo --mode gtp"])
def test_rules_cannot_start_a_program(who: str) -> None:
    rules = (
        f'game "Trap"\nplayers A, B\nboard square 2 by 1\nlevel easy "{who}"\nstate at(cell): player or none\n'
        'move put(to: cell) as "{to}"\n  when at(to) = none\n  do at(to) := mover\nstuck draw\n'
        'show\n  at: A "a", B "b", none "."\n'
    )
    with pytest.raises(pysolve.RulesError) as error:
        pysolve.load(rules)
    assert f"{who.strip()} {REFUSED}" in str(error.value)
    with pytest.raises(UnknownPlayer, match=REFUSED):
        specification("easy", {"easy": who})


def test_a_record_cannot_start_a_program(tmp_path: Path) -> None:
    path = tmp_path / "game.txt"
    path.write_text('[Game "tictactoe"]\n[X "uci:touch started"]\n[O "random"]\n\n1. a1; b2\n', encoding="utf-8")
    complaint = "a record cannot start the program  uci:touch started: name a player, as in  --seat X=random"
    assert complaint in refused("play", "--resume", str(path))
    assert said("play", "--resume", str(path), "--seat", "X=random", "--quiet")
    assert said("replay", str(path), "--quiet")


def test_a_page_cannot_start_a_program() -> None:
    game = opened("tictactoe")
    kind, message = refusal("choose", {"game": game, "line": START, "player": "uci:touch started"})
    assert (kind, REFUSED in message) == ("asked", True)
    kind, message = refusal("balance", {"game": game, "games": 2, "player": "gtp:touch started"})
    assert (kind, REFUSED in message) == ("asked", True)


# ---------------------------------------------------------------------------------------- UCI and UGI


def test_an_engine_hears_a_position_once_and_then_the_moves(text: Text, tmp_path: Path) -> None:
    who = competitor(text("uci", "well", "e2e4", "g1f3", "d2d4", more=",depth=5,time=0.25,skill level=3")).player()
    assert isinstance(who, Visitor)
    position = load("chess").start()
    for answer in ("e5", "Nc6"):
        position = position.play(who(position)).play(answer)
    who.close()
    start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
    go = "go depth 5 movetime 250"
    assert heard(tmp_path) == [
        "uci", "setoption name Skill Level value 3", "ucinewgame",
        f"position fen {start}", "isready", go,
        f"position fen {start} moves e2e4 e7e5", "isready", go, "quit",
    ]  # fmt: skip
    wait_for(lambda: is_gone(tmp_path))


@pytest.mark.slow
def test_another_game_begins_with_a_position(text: Text, tmp_path: Path) -> None:
    who = competitor(text("ugi", "loud", "b2", "c3", more=",nodes=7")).player()
    start = load("tictactoe").start()
    assert who(start).text == "b2"
    assert who(start.play("a1").play("a2")).text == "c3"
    told = [line for line in heard(tmp_path) if line.startswith(("position", "go"))]
    assert told[0].endswith(start.line().replace(" ", "_"))
    assert told[2].endswith(start.play("a1").play("a2").line().replace(" ", "_"))
    assert told[1] == told[3] == "go nodes 7"


@pytest.mark.parametrize(
    ("how", "moves", "more", "message"),
    [
        ("silent", (), ",time=0.1,patience=0.4", "did not answer go in time; it said last: "),
        ("dead", (), "", "ended before it answered go; it said last: uciok | readyok | info string I am tired"),
        ("broken", (), "", "ValueError: no move comes to my mind"),
        ("well", ("e2e5",), "", 'made the move "e2e5", which is not legal in  rnbqkbnr/pppppppp/8/8/'),
        ("well", ("(none)",), "", 'made the move "(none)", which is not legal in  rnbqkbnr/pppppppp/8/8/'),
        ("well", (), ",Style=wild", 'has no option "Style": its options are Skill Level, Ponder; it said last: '),
    ],
)
def test_what_an_engine_does_wrong_is_told_and_ends_it(
    text: Text, tmp_path: Path, how: str, moves: tuple[str, ...], more: str, message: str
) -> None:
    named = text("uci", how, *moves, more=more)
    with pytest.raises(ProgramError) as error:
        competitor(named).player()(load("chess").start())
    assert str(error.value).startswith(f"{named} ")
    assert message in str(error.value)
    wait_for(lambda: is_gone(tmp_path))


def test_a_program_that_talks_without_end_is_out_of_time() -> None:
    program = Program.__new__(Program)
    program._name, program.plays, program._last, program._lines = "engine", True, deque(), queue.Queue()
    program._lines.put("info string I have much to say")
    with pytest.raises(Forfeit, match="engine did not answer go in time"):
        program.heard(time.monotonic() - 1, "go")


@pytest.mark.slow
def test_a_program_that_talked_without_end_leaves_no_thread(text: Text) -> None:
    before = set(threading.enumerate())
    with pytest.raises(ProgramError):
        competitor(text("ugi", "endless", more=",time=0.1,patience=0.1")).player()(load("tictactoe").start())
    wait_for(lambda: set(threading.enumerate()) <= before)


def test_what_is_no_engine_at_all_is_told() -> None:
    with pytest.raises(ProgramError, match="ended before it answered uci; it has said nothing"):
        competitor(f"uci:{sys.executable} -c 'pass'").player()(load("chess").start())


def test_a_position_that_one_line_cannot_hold_is_not_told() -> None:
    class Short:
        def text(self, position: pysolve.Position) -> str:
            return position.game.start().line().replace(" ", "_")

        def position(self, words: list[str]) -> pysolve.Position:
            return load("tictactoe").position(words[0].replace("_", " "))

    from pysolve.players.outside.uci import check_told

    position = load("tictactoe").start().play("a1")
    with pytest.raises(pysolve.NotationError, match="this position of Tic-tac-toe cannot be told to another program"):
        check_told(Short(), position, Short().text(position))  # type: ignore[arg-type]


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", ["chess", "chess-capablanca", "chess-racing-kings", "chess-los-alamos", "zola", "amazons", "go-5x5"]
)
def test_positions_are_read_back_as_they_are_told(name: str) -> None:
    game = load(name)
    words, position = words_of(game), game.start()
    for _ in range(12):
        assert words.position(words.text(position).split()).state == position.state
        assert words.moves(position) == [words.move(position, move) for move in position.legal_moves]
        position = position.child(len(position.legal_moves) // 2)


# ------------------------------------------------------------------------------------------------ GTP


def test_points_of_go_leave_out_a_letter_and_those_of_hex_do_not() -> None:
    go, hexagons = Points(load("go")), Points(load("hex"))
    moves = {str(move): go.move(move) for move in load("go").start().legal_moves}
    assert (moves["a1"], moves["h9"], moves["i9"], moves["pass"]) == ("a1", "h9", "j9", "pass")
    assert {str(move): hexagons.move(move) for move in load("hex").start().legal_moves}["i9"] == "i9"
    assert [hexagons.colour(name) for name in ("Red", "Blue")] == ["black", "white"]
    assert (go.size, go.komi, hexagons.size, hexagons.komi) == (9, 7.5, 11, None)
    swap = load("hex-swap").start().play("b3")
    assert Points(swap.game).move(swap.parse("swap")) == "swap-pieces"


BEGIN = ["boardsize 9", "clear_board", "komi 7.5", "time_settings 0 2 1"]


def test_a_program_of_go_hears_the_moves_as_they_were_played(fakes: Fakes) -> None:
    """Also captures: the stones alone would not say who may take back."""
    fakes.speaks_gtp("C3", "pass", "J2")
    who = competitor(f"{GTP},time=2").player()
    position = load("go").start().play("b1")
    for answer in ("a9", "b9"):
        position = position.play(who(position)).play(answer)
    assert who(position).text == "i2"
    assert fakes.heard == [[
        "protocol_version", *BEGIN, "play black b1", "genmove white", "play black a9", "genmove white",
        "play black b9", "genmove white",
    ]]  # fmt: skip


def test_a_game_that_goes_otherwise_is_told_from_its_beginning(fakes: Fakes) -> None:
    fakes.speaks_gtp("c3", "d4", "e5", "f6")
    who = competitor(f"{GTP},time=2").player()
    start = load("go").start()
    first = start.play("a1")
    assert who(first).text == "c3"
    second = first.play("c3").play("b1")
    assert who(second).text == "d4"
    assert who(first.play("c3").play("b2")).text == "e5"  # taken back, and another move
    assert who(start).text == "f6"
    assert fakes.heard[0][7:] == [
        "play black b1", "genmove white",
        *BEGIN, "play black a1", "play white c3", "play black b2", "genmove white",
        *BEGIN, "genmove black",
    ]  # fmt: skip


def test_a_match_tells_its_opening_and_a_resumed_game_its_moves(fakes: Fakes, tmp_path: Path) -> None:
    fakes.speaks_gtp("pass", "pass")
    (game,) = play_match(load("go-5x5"), GTP, "random", 1, limit=3)
    start = load("go-5x5").start()
    moves = [Points(start.game).move(start.named(text)) for text in game.record.moves]
    assert fakes.heard[0][4:] == [
        f"play black {moves[0]}", f"play white {moves[1]}", "genmove black", "quit"]  # fmt: skip
    assert moves[2] == "pass"
    path = tmp_path / "game.txt"
    path.write_text('[Game "go-5x5"]\n[Black "random"]\n[White "random"]\n\n1. c3; d4\n2. b2\n', encoding="utf-8")
    said("play", "--resume", str(path), "--seat", f"White={GTP}", "--max-moves", "4", "--quiet")
    assert fakes.heard[-1] == [
        "protocol_version", "boardsize 5", "clear_board", "komi 24.5", "play black c3", "play white d4",
        "play black b2", "genmove white", "quit",
    ]  # fmt: skip


def test_turned_stones_are_not_placed(fakes: Fakes) -> None:
    """In Othello a stone is not its move: the program hears moves, and turns the stones itself."""
    fakes.speaks_gtp("c3")
    position = load("othello").start().play("d3")
    assert competitor(GTP).player()(position).text == "c3"
    told = ["protocol_version", "boardsize 8", "clear_board", "play black d3", "genmove white", "quit"]
    assert fakes.heard == [told]


def test_stones_are_placed_where_moves_do_nothing_else(fakes: Fakes) -> None:
    fakes.speaks_gtp("c1")
    played = load("hex", size=3).start().play("b2").play("a1").play("a3")
    position = played.game.position(played.line())
    assert competitor(GTP).player()(position).text == "c1"
    assert fakes.heard[0] == [
        "protocol_version", "boardsize 3", "clear_board", "play white a1", "play black b2", "play black a3",
        "genmove white", "quit",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("name", "only"),
    [("hex", True), ("gomoku", True), ("tictactoe", True), ("hex-swap", False), ("go", False), ("othello", False)],
)
def test_games_whose_moves_only_put_a_stone(name: str, only: bool) -> None:
    assert Points(load(name)).only_puts == only


def test_a_position_whose_moves_are_not_known_is_refused_where_moves_do_more(fakes: Fakes) -> None:
    fakes.speaks_gtp("c1")
    position = load("go-5x5").start().play("a1").play("b2").play("c3")
    alone = load("go-5x5").position(position.line())
    with pytest.raises(ProgramError, match="in which a move does more than put a stone: begin at the start") as error:
        competitor(GTP).player()(alone)
    assert not isinstance(error.value, Forfeit)
    assert fakes.heard == [["protocol_version", "quit"]]


def test_a_forced_pass_need_not_be_understood(fakes: Fakes) -> None:
    """Some programs of Othello pass by themselves, and refuse to be told of it; other refusals cost the game."""
    fakes.speaks_gtp("a1", refuses="pass")
    game, rng = load("othello"), Random(2)
    positions, moves = [game.start()], list[Move]()
    while not (moves and moves[-1].kind == "pass"):
        moves.append(positions[-1].legal_moves.sample(rng))
        positions.append(positions[-1].play(moves[-1]))
    fakes.moves = [str(positions[-1].legal_moves[0])]
    assert competitor(GTP).player().after(positions, moves) == positions[-1].legal_moves[0]  # type: ignore[attr-defined]
    assert fakes.heard[0][-3].endswith(" pass")
    go = load("go-5x5").start().play("pass")
    with pytest.raises(Forfeit, match='refused the command "play black pass"'):
        competitor(GTP).player()(go)


@pytest.mark.parametrize(
    ("how", "moves", "message"),
    [
        ("rude", (), 'refused the command "play black c3"; it said last: = | = | ? illegal move'),
        ("well", ("C3",), 'made the move "c3", which is not legal in  ........./'),
        ("dead", (), "ended before it answered genmove white; it said last: "),
    ],
)
def test_what_a_program_of_go_does_wrong_is_told(text: Text, how: str, moves: tuple[str, ...], message: str) -> None:
    with pytest.raises(ProgramError) as error:
        competitor(text("gtp", how, *moves)).player()(load("go").start().play("c3"))
    assert message in str(error.value)


def test_a_program_may_resign(text: Text) -> None:
    named = text("gtp", "well", "resign")
    with pytest.raises(Resigned, match="Black resigns"):
        competitor(named).player()(load("go").start())
    (game,) = play_match(load("go-5x5"), named, "random", 1, opening=0)
    assert game.record.result == "White"
    assert game.record.termination == "Black resigned"
    assert "The winner: White (Black resigned)" in said(
        "play", "go-5x5", "--first", named, "--second", "random", "--quiet"
    )


# ------------------------------------------------------------------------------------- games that are lost


@pytest.mark.parametrize(
    ("go", "why"),
    [
        (None, f"{FAKE} ended before it answered go; it said last: ugiok | readyok"),
        ([], f"{FAKE} did not answer go in time; it said last: ugiok | readyok"),
        (["bestmove z9"], f'{FAKE} made the move "z9", which is not legal in  '),
        (["bestmove"], f'{FAKE} made the move "", which is not legal in  '),
    ],
)
def test_a_program_that_fails_loses_its_game_and_the_match_goes_on(
    fakes: Fakes, tmp_path: Path, go: list[str] | None, why: str
) -> None:
    fakes.answers = {"ugi": ["ugiok"], "isready": ["readyok"], "go": go}
    games = list(play_match(load("tictactoe"), FAKE, "random", 4))
    assert [(one.seats, one.winner, one.forfeited) for one in games] == 2 * [((0, 1), 1, 0), ((1, 0), 0, 1)]
    for one in games:
        loser, winner = list(one.record.players)[one.forfeited or 0], list(one.record.players)[one.winner or 0]
        assert one.record.result == winner
        assert one.record.termination.startswith(f"{loser} forfeits the game: {why}")
        assert [position for _, position in records.replay(one.record, load("tictactoe"))]
        assert not one.stopped
    assert len(fakes.heard) == 4  # a new program for each game
    assert all(heard[-1] == "quit" for heard in fakes.heard)
    assert standing(load("tictactoe"), games).forfeits == {FAKE: 4}
    assert standing(load("tictactoe"), games).wins == (0, 4)
    assert crosstable([FAKE, "random"], ("X", "O"), games).forfeits == {FAKE: 4}
    assert [row["forfeited"] for row in game_rows(games)] == ["X", "O", "X", "O"]
    store = Store(tmp_path / "games.db")
    series = store.begin(Series("match", "tictactoe", {}, "", (FAKE, "random"), 1, STANDARD))
    for one in games:
        store.add(series, one)
    assert list(store.games(series)) == games
    store.close()


def test_reports_say_how_many_games_were_lost_by_failing(fakes: Fakes) -> None:
    fakes.answers = {"ugi": ["ugiok"], "isready": ["readyok"], "go": None}
    line = f"forfeit   2 games because a program failed: 2 by {FAKE}\n"
    assert line in said("match", "tictactoe", FAKE, "random", "--games", "2")
    about = said("balance", "tictactoe", "--player", FAKE, "--games", "2")
    assert line in about
    assert "2 of 2 games were lost because a program failed, so the result means little." in about
    told = json.loads(said("match", "tictactoe", FAKE, "random", "--games", "2", "--json"))
    assert told["forfeits"] == {FAKE: 2}
    assert [game["forfeited"] for game in told["games"]] == ["X", "O"]
    found = balance(load("tictactoe"), list(play_variant(load("tictactoe"), FAKE, 2)), {}, FAKE)
    assert f"Games lost because a program failed: 2 by {FAKE}." in BalanceReport("", "", [found]).summary()


def test_of_three_players_the_others_share_what_one_forfeits(fakes: Fakes) -> None:
    fakes.answers = {"ugi": ["ugiok"], "isready": ["readyok"], "go": None}
    (game,) = play_seats(threes.game(3), [FAKE, "random", "random"], 1, opening=0)
    assert game.forfeited == 0
    assert game.shares == (0.0, 0.5, 0.5)
    assert (game.record.result, game.winner) == ("Blue and Green", None)


def test_a_lone_player_that_fails_has_lost(fakes: Fakes) -> None:
    fakes.answers = {"ugi": ["ugiok"], "isready": ["readyok"], "go": None}
    (game,) = play_seats(load("hanoi", discs=2), [FAKE], 1, opening=0)
    assert (game.forfeited, game.winner, game.points(0)) == (0, None, 0.0)


@pytest.mark.parametrize(
    ("answers", "message"),
    [
        ({}, "did not answer ugi in time; it has said nothing"),
        ({"ugi": None}, "ended before it answered ugi; it has said nothing"),
        ({"ugi": ["option name Skill type spin", "ugiok"]}, 'has no option "Style": its options are Skill; it said'),
    ],
)
def test_a_program_that_cannot_be_used_ends_the_match(
    fakes: Fakes, answers: dict[str, list[str] | None], message: str
) -> None:
    fakes.answers = answers
    with pytest.raises(ProgramError, match=re.escape(message)) as error:
        list(play_match(load("tictactoe"), f"{FAKE},Style=wild", "random", 2))
    assert not isinstance(error.value, Forfeit)
    assert message in refused("match", "tictactoe", f"{FAKE},Style=wild", "random")


def test_a_game_against_a_program_that_fails_stops_and_is_kept(fakes: Fakes, tmp_path: Path) -> None:
    fakes.answers = {"ugi": ["ugiok"], "isready": ["readyok"], "go": None}
    path = tmp_path / "game.txt"
    result = run("play", "tictactoe", "--first", "greedy", "--second", FAKE, "--save", str(path), "--quiet")
    assert result.exit_code == 2
    assert f"the game stops, because the program of O failed: {FAKE} ended before it answered go" in result.stderr
    assert "Left after 1 move, O to move." in result.stdout
    assert f"resume with  pysolve play --resume {path}" in result.stdout
    assert len(records.read(path.read_text(encoding="utf-8")).moves) == 1


# ------------------------------------------------------------------------------------------- the end


@pytest.mark.slow
@posix
def test_a_program_that_does_not_want_to_end_is_ended(text: Text, tmp_path: Path) -> None:
    who = competitor(text("ugi", "stubborn", "b2")).player()
    who(load("tictactoe").start())
    assert not is_gone(tmp_path)
    assert not is_gone(tmp_path, "heard.child")
    who.close()  # type: ignore[attr-defined]
    wait_for(lambda: is_gone(tmp_path) and is_gone(tmp_path, "heard.child"))


@posix
@pytest.mark.parametrize("how", ["leaving", pytest.param("deserting", marks=pytest.mark.slow)])
def test_what_a_program_has_started_ends_with_it(text: Text, tmp_path: Path, how: str) -> None:
    """Also where the program ends by itself, and, on Linux, what has left its group of processes."""
    who = competitor(text("ugi", how, "b2")).player()
    if how == "leaving":
        who(load("tictactoe").start())
        assert not is_gone(tmp_path, "heard.child")
        assert not is_gone(tmp_path, "heard.far")
        who.close()  # type: ignore[attr-defined]
    else:
        with pytest.raises(ProgramError, match="ended before it answered go"):
            who(load("tictactoe").start())
    wait_for(lambda: is_gone(tmp_path) and is_gone(tmp_path, "heard.child"))
    if sys.platform == "linux":
        wait_for(lambda: is_gone(tmp_path, "heard.far"))
    else:
        os.kill(int((tmp_path / "heard.far").read_text(encoding="utf-8")), signal.SIGKILL)


@pytest.mark.slow
@posix
@pytest.mark.parametrize("how", [signal.SIGINT, pytest.param(signal.SIGTERM, marks=pytest.mark.slow), signal.SIGKILL])
def test_a_program_ends_with_pysolve(text: Text, tmp_path: Path, how: signal.Signals) -> None:
    command = [sys.executable, "-m", "pysolve", "play", "tictactoe", "--first", text("ugi", "silent"), "--quiet"]
    nowhere = subprocess.DEVNULL
    with subprocess.Popen(command, stdin=nowhere, stdout=nowhere, stderr=nowhere) as playing:
        wait_for(lambda: (tmp_path / "heard").exists() and any(line.startswith("go") for line in heard(tmp_path)))
        assert not is_gone(tmp_path)
        playing.send_signal(how)
    wait_for(lambda: is_gone(tmp_path))


# -------------------------------------------------------------------------------------------- matches


@pytest.mark.slow
def test_a_match_against_our_own_engine() -> None:
    ours = f"uci:{OURS} chess,depth=1"
    table = said("match", "chess", ours, "random", "--games", "2", "--max-moves", "12", "--processes", "2")
    assert f"{ours} " in table
    games = list(play_match(load("zola", size=4), f"ugi:{OURS} zola size=4,depth=1", "greedy", 2, limit=20))
    assert [one.chance for one in games] == [True, True]


def test_a_wrong_program_is_told_on_the_command_line(text: Text) -> None:
    assert 'there is no program "no-such-engine" here' in refused("match", "chess", "random", "uci:no-such-engine")
    assert run("play", "chess", "--first", "uci:no-such-engine").exit_code == 2


@needs_stockfish
@pytest.mark.slow
def test_stockfish_plays_and_wins() -> None:
    games = list(play_match(load("chess"), f"uci:{STOCKFISH},depth=2", "random", 2, limit=200))
    assert [one.points(0) for one in games] == [1, 1]


@needs_gnugo
@pytest.mark.slow
@pytest.mark.parametrize("name", ["go", "go-5x5"])
def test_gnugo_plays_to_the_end_and_wins(name: str) -> None:
    gnugo = f"gtp:{GNUGO} --mode gtp --chinese-rules --level 1"
    games = list(play_match(load(name, komi=0), gnugo, "random", 2, limit=400))
    assert [one.forfeited for one in games] == [None, None]
    assert [one.points(0) for one in games] == [1, 1]
    assert all("pass" in one.record.moves for one in games)


@needs_rhino
@pytest.mark.slow
def test_rhino_plays_othello_to_the_end_and_wins() -> None:
    games = list(play_match(load("othello"), f"gtp:{RHINO}", "random", 6))
    assert [one.forfeited for one in games] == 6 * [None]
    assert sum(one.points(0) for one in games) >= 5
    assert any("pass" in one.record.moves for one in games)
    with pytest.raises(ProgramError, match='refused the command "boardsize 6"'):
        list(play_match(load("othello", size=6), f"gtp:{RHINO}", "random", 1))


def test_a_person_may_name_a_program_in_the_menu(text: Text) -> None:
    typed = ("zola", "4", "uci:no-such-engine", text("ugi", "well", "a1xb1"), "", "quit")
    result = CliRunner().invoke(app, ["play", "-q"], input="\n".join(typed) + "\n")
    assert 'there is no program "no-such-engine" here' in result.stdout + result.stderr
    assert "1. Red a1xb1" in result.stdout


def test_fairy_stockfish_hears_whole_games_of_breakthrough() -> None:
    assert translated("ugi", "p w")[:2] == ["uci", "setoption name UCI_Variant value breakthrough"]
    assert translated("position fen p w moves a2a3 a7a6", "p w") == ["position startpos moves a2a3 a7a6"]
    assert translated("go movetime 300", "p w") == ["go movetime 300"]
    with pytest.raises(SystemExit, match="only games from the first position of breakthrough can be told"):
        translated("position fen q b moves a2a3", "p w")
