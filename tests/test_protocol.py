"""A game for interfaces: UCI in chess, UGI elsewhere."""

import io
import pickle
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

import pysolve
from pysolve.engines.protocol import LimitReached
from pysolve.notation.uci import words_of
from pysolve.players.best_lines import Limits, best_lines
from pysolve.players.functions import player
from pysolve.position import Position
from pysolve.protocol.engine import LONGEST_LINE, Talk, lines_of
from pysolve.protocol.limits import limits_of
from pysolve.protocol.options import SEED, Options
from pysolve.search.minimax import table_bytes
from tests.games import load


def talk(name: str, *lines: str, **options: object) -> list[str]:
    said: list[str] = []
    Talk(load(name, **options), said.append).converse(lines)
    return said


def test_an_engine_says_who_it_is() -> None:
    name = f"id name pysolve {pysolve.__version__}, "
    author = "id author the pysolve authors"
    *said, last, ready = talk("chess", "uci", "isready", "ucinewgame", "quit")
    options = said[2:]
    assert [*said[:2], last, ready] == [f"{name}Chess", author, "uciok", "readyok"]
    assert [option.split()[2:5] for option in options] == [
        ["MultiPV", "type", "spin"], ["Hash", "type", "spin"], ["Threads", "type", "spin"], ["Ponder", "type", "check"],
        ["Level", "type", "combo"], ["Search", "type", "combo"],
    ]  # fmt: skip
    assert talk("zola", "", "ugi", "uginewgame")[-1] == "ugiok"


def test_it_finds_a_mate_and_says_how() -> None:
    said = talk("chess", "position fen 6k1/5ppp/8/8/8/8/8/R6K w - - 0 1", "go depth 3")
    assert said[-1] == "bestmove a1a8"
    assert any(" score mate 1 " in line and line.endswith(" pv a1a8") for line in said[:-1])
    lost = talk("chess", "position fen 7k/8/6K1/8/8/8/8/R7 b - - 0 1", "go depth 4")
    assert lost[-1] == "bestmove h8g8"
    assert any(" score mate -1 " in line for line in lost)


def test_the_same_search_makes_the_same_move() -> None:
    assert talk("yoxii", "go nodes 500")[-1] == talk("yoxii", "go nodes 500")[-1] != ""
    assert talk("zola", "position startpos", "go movetime 60", size=4)[-1].startswith("bestmove ")


@pytest.mark.parametrize(
    ("fen", "moves"),
    [
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", {"e1g1", "e1c1"}),
        ("r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1", {"e8g8", "e8c8"}),
        ("7k/P7/8/8/8/8/8/K7 w - - 0 1", {"a7a8q", "a7a8n", "a7a8r", "a7a8b"}),
        ("k7/8/8/3pP3/8/8/8/K7 w - d6 0 1", {"e5d6"}),
    ],
)
def test_moves_of_chess_are_those_of_uci(fen: str, moves: set[str]) -> None:
    words = words_of(load("chess"))
    position = words.position(fen.split())
    found = {words.move(position, move): move for move in position.legal_moves}
    assert moves <= found.keys()
    assert len(found) == len(position.legal_moves)


@pytest.mark.parametrize("name", ["chess", "chess-capablanca", "chess-racing-kings", "chess-los-alamos"])
def test_a_fen_of_the_beginning_is_the_beginning(name: str) -> None:
    fens = {
        "chess": "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "chess-capablanca": "rnabqkbcnr/pppppppppp/10/10/10/10/PPPPPPPPPP/RNABQKBCNR w KQkq - 0 1",
        "chess-racing-kings": "8/8/8/8/8/8/krbnNBRK/qrbnNBRQ w - - 0 1",
        "chess-los-alamos": "rnqknr/pppppp/6/6/PPPPPP/RNQKNR w - - 0 1",
    }
    game = load(name)
    assert words_of(game).position(fens[name].split()) == game.start()


FENS = {
    "4k2r/8/8/8/8/8/8/4K3 w k - 0 1": "e1e2 4k2r/8/8/8/8/8/4K3/8 b k - 1 1",
    "8/8/8/4k3/8/4K3/4P3/8 b - - 7 23": "e5d5 8/8/8/3k4/8/4K3/4P3/8 w - - 8 24",
    "4k3/8/8/8/3Pp3/8/8/4K2R b K d3 0 40": "e4d3 4k3/8/8/8/8/3p4/8/4K2R w K - 0 41",
    "8/8/8/4k3/8/4K3/4P3/8 w - - 99 180": "e3d3 8/8/8/4k3/8/3K4/4P3/8 b - - 100 180",
}  # fmt: skip


@pytest.mark.parametrize("given", FENS)
def test_a_fen_keeps_both_its_numbers(given: str) -> None:
    words = words_of(load("chess"))
    position = words.position(given.split())
    assert words.text(position) == given
    word, after = FENS[given].split(" ", 1)
    next_one = position.child(words.moves(position).index(word))
    assert words.text(next_one) == after
    assert words.text(pickle.loads(pickle.dumps(next_one))) == after
    assert (next_one.turns_played, words.position(after.split())) == (1, next_one)  # what rules count is as it was
    refused = talk("chess", f"position fen {given} moves a1a8")
    assert refused == [f'info string "a1a8" is not a legal move in {given}']


@pytest.mark.parametrize(
    ("short", "whole"),
    [
        ("8/8/8/4k3/8/4K3/4P3/8 b", "8/8/8/4k3/8/4K3/4P3/8 b - - 0 1"),
        ("8/8/8/4k3/8/4K3/4P3/8 w - - 5 0", "8/8/8/4k3/8/4K3/4P3/8 w - - 5 1"),
        ("8/8/8/4k3/8/4K3/4P3/8 w - - - -", "8/8/8/4k3/8/4K3/4P3/8 w - - 0 1"),
    ],
)
def test_numbers_that_a_fen_leaves_out_are_those_of_a_beginning(short: str, whole: str) -> None:
    words = words_of(load("chess"))
    assert words.text(words.position(short.split())) == whole


def test_a_move_of_other_games_is_one_word() -> None:
    game = load("go-5x5")
    words, position = words_of(game), game.start()
    assert all(" " not in words.move(position, move) for move in position.legal_moves)
    line = position.play("c3").line().replace(" ", "_")
    assert talk("go-5x5", f"position fen {line}", "query p1turn") == ["response false"]


def test_kinds_tell_moves_of_the_same_text_apart() -> None:
    text = (
        'game "Twice"\nplayers A, B\nboard square 2 by 1\nstate\n  at(cell): player or none\n'
        'move put(to: cell) as "{to}"\n  when at(to) = none\n  do at(to) := mover\n'
        'move own(to: cell) as "{to}"\n  when at(to) = none\n  do at(to) := opponent\n'
        'stuck draw\nshow\n  at: A "a", B "b", none "."\n'
    )
    game = pysolve.load(text)
    words, start = words_of(game), game.start()
    assert [words.move(start, move) for move in start.legal_moves] == ["put_a1", "put_b1", "own_a1", "own_b1"]


def test_queries_are_answered() -> None:
    assert talk("tictactoe", "query gameover", "query result", "query p1turn") == [
        "response false", "response none", "response true"]  # fmt: skip
    over = "position startpos moves a1 a2 b1 b2 c1"
    assert talk("tictactoe", over, "query gameover", "query result", "go depth 1") == [
        "response true", "response p1win", "bestmove (none)"]  # fmt: skip
    assert (
        talk("tictactoe", "position startpos moves a1 b1 c1 b2 a2 c2 b3 a3 c3", "query result")[-1] == "response draw"
    )


def test_the_interface_draws_what_is_left_to_chance() -> None:
    asked = (
        "position startpos moves roll",
        "query chance",
        "go depth 2",
        "position startpos moves roll 5",
        "query chance",
    )
    said = talk("pig", *asked, "go depth 3", target=20)
    assert said[0] == "response 1 1 2 1 3 1 4 1 5 1 6 1"
    assert said[1].startswith("info string chance moves here: ")
    assert said[2:4] == ["bestmove (none)", "response none"]
    assert said[-1] in ("bestmove roll", "bestmove hold")
    assert talk("backgammon", "position startpos moves 3:1 e1_3 h1_1", "query chance")[0].startswith(
        "response 1-1 1 1-2 2 "
    )
    counted = talk("pig", "position startpos moves roll", "go perft 2", target=20)
    assert counted[-1] == "Nodes searched: 12"


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("hello", "hello is not a command here"),
        ("position", "a position is startpos or fen, and then moves"),
        ("position startpos moves e2e5", '"e2e5" is not a legal move in '),
        ("position fen abc w", '"abc" is not a board of 8 by 8 squares in FEN'),
        ("position fen 8/8/8/8/8/8/8/x7 w - - 0 1", 'there is no man "x" in Chess'),
        ("go depth many", 'depth must be followed by a whole number, not "many"'),
        ("go depth ²", 'depth must be followed by a whole number, not "²"'),
        ("go movetime " + 400 * "9", 'movetime must be followed by a whole number, not "999'),
        ("position fen 99999999999/8/8/8/8/8/8/8 w", '"99999999999/8/8/8/8/8/8/8" is not a board of 8 by 8 squares'),
        (LONGEST_LINE * "x", "a line must have fewer than 1,048,576 characters"),
        ("query weather", "a query is gameover, p1turn, result or chance"),
        ("go depth", 'depth must be followed by a whole number, not ""'),
        ("go searchmoves e2e5 depth 1", '"e2e5" is not a legal move in rnbqkbnr/'),
    ],
)
def test_what_is_not_understood_is_told_and_changes_nothing(line: str, message: str) -> None:
    said, *answer = talk("chess", line)
    assert said.startswith(f"info string {message}")
    assert answer == ["bestmove (none)"] * line.startswith("go")
    if not line.startswith("position"):
        assert talk("chess", line, "d")[-1] == load("chess").start().diagram()


@pytest.mark.parametrize(
    ("refused", "message"),
    [
        ("position startpos moves e2e5", '"e2e5" is not a legal move in rnbqkbnr/'),
        ("position startpos moves e2e4 e2e4", '"e2e4" is not a legal move in rnbqkbnr/'),
        ("position fen 9/8/8/8/8/8/8/8 w", '"9/8/8/8/8/8/8/8" is not a board of 8 by 8 squares in FEN'),
        ("position fen 7k/8/8/8/8/8/8/K7 w - - x 1", '"x" is not a number of moves: a FEN ends with two of them'),
        (f"position fen 7k/8/8/8/8/8/8/K7 w - - 0 {'9' * 5000}", '"999'),
        ("position fen 7k/8/8/8/8/8/8/K7 w - - 101 1", "clock cannot be 101"),
        ("position fen", "a position of chess is written in FEN, as in  4k3/"),
        ("position", "a position is startpos or fen, and then moves"),
        (f"position startpos moves {LONGEST_LINE * 'x'}", "a line must have fewer than 1,048,576 characters"),
    ],
)
def test_nothing_is_answered_for_a_position_that_was_refused(refused: str, message: str) -> None:
    said: list[str] = []
    game = Talk(load("chess"), said.append)
    game.converse(["position startpos moves e2e4", refused])
    (why,) = said
    assert why.startswith(f"info string {message}")
    none = "info string there is no position, because the last one was refused: " + why.removeprefix("info string ")
    for line, answer in (
        ("go depth 1", [none, "bestmove (none)"]), ("go perft 1", [none, "bestmove (none)"]), ("d", [none]),
        ("query p1turn", [none]), ("query gameover", [none]), ("ucinewgame", []),
    ):  # fmt: skip
        said.clear()
        game.converse([line])
        assert said == answer
    game.converse(["position startpos moves e2e4", "query p1turn"])
    assert said == ["response false"]


def test_nor_by_ugi() -> None:
    said = talk("tictactoe", "position startpos moves a1 a1", "query result", "go depth 1")
    assert [line.partition(" ")[0] for line in said] == ["info", "info", "info", "bestmove"]
    assert said[-1] == "bestmove (none)"


# -------------------------------------------------------------------------------------------- options


def test_several_lines_are_shown() -> None:
    said = talk("tictactoe", "setoption name multipv value 3", "position startpos moves a1 a2 b1 b2", "go depth 2")
    assert [line.split(" nodes ")[0] for line in said[:-1]] == [
        "info depth 1 multipv 1 score mate 1", "info depth 1 multipv 2 score cp 1", "info depth 1 multipv 3 score cp 0",
        "info depth 2 multipv 1 score mate 1", "info depth 2 multipv 2 score cp -1",
        "info depth 2 multipv 3 score mate -1",
    ]  # fmt: skip
    assert said[-1] == "bestmove c1"


def test_only_some_moves_are_considered() -> None:
    line = "position startpos moves a1 a2 b1 b2"
    assert talk("tictactoe", line, "go searchmoves a3 c3 depth 1")[-1] in ("bestmove a3", "bestmove c3")
    assert talk("tictactoe", line, "go searchmoves a3 nodes 1")[-1] == "bestmove a3"
    assert talk("tictactoe", line, "go searchmoves a1 depth 1")[-1] == "bestmove (none)"


def test_the_table_and_the_threads_are_set() -> None:
    game = load("tictactoe")
    said: list[str] = []
    options = Options(game, said.append)
    for words in ("name Hash value 4", "name  Threads value 2"):
        options.set(words.split())
    assert options.now.threads == 2
    entries = options.now.entries
    assert entries is not None
    assert table_bytes(game.engine, entries) <= 4 << 20 < table_bytes(game.engine, 2 * entries)
    assert talk("tictactoe", "setoption name Hash value 1", "setoption name Threads value 2", "go depth 1")[-1]
    assert said == []


def test_a_level_plays_in_the_place_of_the_search() -> None:
    combo = "option name Level type combo default none var none var easy var medium var hard var expert"
    assert combo in talk("tictactoe", "ugi")
    game, level = load("tictactoe"), "setoption name Level value Medium"
    expected = player("medium", SEED, game.levels)(game.start())
    assert talk("tictactoe", level, "go depth 1") == [f"bestmove {expected}"]
    searched = talk("tictactoe", level, "setoption name Level value none", "go depth 1")
    assert searched[0].startswith("info depth 1 ")
    only = "position startpos moves a1 a2 b1 b2"
    assert talk("tictactoe", level, only, "go searchmoves a3 depth 1")[-1] == "bestmove a3"


@pytest.mark.slow
def test_time_is_used_by_the_strong_search_and_other_limits_by_the_plain_one() -> None:
    """In a position in which X wins soon, so that both end by themselves."""
    lost, choose = "position startpos moves a1 a2", "setoption name Search value "

    def told(*lines: str) -> list[str]:
        return [re.sub(r" time \d+", "", line) for line in talk("tictactoe", *lines[:-1], lost, lines[-1])]

    plain, strong = (told(choose + search, "go depth 9") for search in ("plain", "strong"))
    assert plain != strong
    assert told("go depth 9") == told("go nodes 100000") == told(choose + "plain", "go movetime 60000") == plain
    assert told("go movetime 60000") == told(choose + "auto", "go wtime 900000 p1time 900000") == strong
    (expected,) = best_lines(load("tictactoe").start().play("a1").play("a2"), 1, Limits(9, search="strong"))
    assert f" nodes {expected.nodes} pv " in strong[-2]
    some = told(choose + "strong", "setoption name MultiPV value 3", "go depth 2 searchmoves b1 b3")
    assert {line.split(" pv ")[1].split()[0] for line in some[:-1]} == {"b1", "b3"}
    assert " default auto var auto var plain var strong" in talk("tictactoe", "ugi")[-2]
    assert "Search" not in str(talk("pig", "ugi"))


@pytest.mark.slow
def test_a_damaged_file_of_techniques_is_told_with_a_move(tmp_path: Path) -> None:
    rules = tmp_path / "mine.rules"
    rules.write_text('game "Mine" extends "tictactoe"\n', encoding="utf-8")
    (tmp_path / "mine.techniques").write_text("junk", encoding="utf-8")
    said = list[str]()
    Talk(pysolve.load(rules), said.append).converse(["go movetime 100"])
    assert re.fullmatch(
        r"info string techniques of minimax: .*mine.techniques: this is no file of techniques; .*", said[0]
    )
    assert said[1:] == ["bestmove a1"]


def test_an_engine_without_threads_says_so() -> None:
    said = []
    game = pysolve.load("tictactoe", engine="prolog")
    Talk(game, said.append).converse(["setoption name Threads value 2", "setoption name Threads value 1"])
    assert said == ["info string Threads has no effect on this engine: its search has one thread"]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("", "an option is set by  setoption name NAME value VALUE"),
        ("name Hash", "an option is set by  setoption name NAME value VALUE"),
        ("name Hush value 3", 'there is no option "Hush": did you mean "Hash"?'),
        (
            "name Style value wild",
            'there is no option "Style": options are MultiPV, Hash, Threads, Ponder, Level, Search',
        ),
        ("name Hash value 0", 'Hash must be a whole number from 1 to 65536, not "0"'),
        ("name Threads value 257", 'Threads must be a whole number from 1 to 256, not "257"'),
        ("name MultiPV value " + 5000 * "9", 'MultiPV must be a whole number from 1 to 500, not "999'),
        ("name Ponder value perhaps", 'Ponder must be true or false, not "perhaps"'),
        pytest.param(
            "name Search value deep", 'Search must be one of auto, plain, strong, not "deep"', marks=pytest.mark.slow
        ),
        ("name Level value best", 'Level must be one of none, easy, medium, hard, expert, not "best"'),
    ],
)
def test_options_that_cannot_be_set(words: str, message: str) -> None:
    (said,) = talk("tictactoe", f"setoption {words}")
    assert said.startswith(f"info string {message}")


def test_a_search_in_the_time_of_the_opponent_waits_for_his_move() -> None:
    said: list[str] = []
    game = Talk(load("tictactoe"), said.append)

    def lines() -> Iterator[str]:
        yield "setoption name Ponder value true"
        yield "position startpos moves a1 a2 b1 b3"
        yield "go ponder depth 2 movetime 100000"
        while not said:
            time.sleep(0.01)
        assert not any(line.startswith("bestmove") for line in said)
        yield "ponderhit"

    game.converse(lines())
    assert said[-1] == "bestmove c1"
    said.clear()
    game.converse(["position startpos", "go ponder nodes 50"])
    assert said[-1].startswith("bestmove ")


def test_positions_are_counted() -> None:
    assert talk("tictactoe", "position startpos moves a1 a2 b1 b2", "go perft 2") == [
        "c1: 0", "c2: 4", "a3: 4", "b3: 4", "c3: 4", "Nodes searched: 16"]  # fmt: skip


def test_words_that_go_does_not_know_are_left_out() -> None:
    assert talk("tictactoe", "go hello depth 1 world")[0] == "info string go does not know hello world"


def test_a_search_without_end_is_stopped() -> None:
    said: list[str] = []

    def lines() -> Iterator[str]:
        yield "go infinite"
        while not said:
            time.sleep(0.01)
        assert not any(line.startswith("bestmove") for line in said)
        yield "isready"
        yield "stop"
        yield "quit"

    Talk(load("zola"), said.append).converse(lines())
    assert "readyok" in said
    assert said[-1].startswith("bestmove ")


def test_a_solved_position_waits_for_stop() -> None:
    said: list[str] = []
    game = Talk(load("tictactoe"), said.append)

    def lines() -> Iterator[str]:
        yield "position startpos moves a1 a2 b1 b2"
        yield "go infinite depth 2"
        while not said:
            time.sleep(0.01)
        assert not any(line.startswith("bestmove") for line in said)
        yield "stop"

    game.converse(lines())
    assert said[-1] == "bestmove c1"


@pytest.mark.parametrize("go", ["go infinite", "go", "go infinite depth 1"])
def test_a_search_without_end_ends_with_its_interface(go: str) -> None:
    assert talk("zola", go)[-1].startswith("bestmove ")


def test_a_search_of_any_length_ends_with_a_move() -> None:
    line = "position startpos moves a1 a2 b1 b2"
    for go in (f"go depth {18 * '9'}", f"go nodes {18 * '9'} depth 1", f"go movetime {18 * '9'} depth 1"):
        assert talk("tictactoe", line, go)[-1] == "bestmove c1"


def test_a_position_that_cannot_be_searched_has_no_move(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(self: Position) -> object:
        raise LimitReached("too much\nof it")

    monkeypatch.setattr(Position, "legal_moves", property(fails))
    assert talk("nim", "go depth 1") == ["info string too much", "bestmove (none)"]


def test_lines_that_are_too_long_are_skipped_to_their_end() -> None:
    long = 3 * LONGEST_LINE * "x"
    assert list(lines_of(io.StringIO(f"isready\n{long}\nquit"))) == ["isready\n", LONGEST_LINE * "x", "quit"]
    assert list(lines_of(io.StringIO(long))) == [LONGEST_LINE * "x"]


@pytest.mark.parametrize(
    ("words", "mover", "limits"),
    [
        ("depth 5 nodes 100", 1, (5, 100, None)),
        ("movetime 1050", 1, (None, None, 1.0)),
        ("wtime 60000 btime 1000 winc 1000 binc 0", 1, (None, None, 2.75)),
        ("wtime 60000 btime 30000", 2, (None, None, 0.95)),
        ("p1time 60000 p2time 30000 p2inc 500", 2, (None, None, 1.35)),
        ("wtime 10000 btime 10000 movestogo 1", 1, (None, None, 4.95)),
        ("wtime 10 btime 10", 1, (None, None, 0.01)),
        ("infinite", 1, (None, None, 1e8)),
        ("mate 2", 1, (3, None, None)),
        ("depth 0", 1, (1, None, None)),
        ("movetime 999999999999999", 1, (None, None, 1e8)),
    ],
)
def test_limits_of_a_search(words: str, mover: int, limits: tuple[object, ...]) -> None:
    found = limits_of(words.split(), mover)
    assert (found.depth, found.nodes, found.seconds) == pytest.approx(limits)


def test_the_command_talks_on_stdin_and_stdout() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "pysolve", "engine", "tictactoe"], input="ugi\ngo depth 1\n", text=True,
        capture_output=True, check=True,
    )  # fmt: skip
    assert "ugiok" in done.stdout.splitlines()
    assert done.stdout.splitlines()[-1].startswith("bestmove ")


@pytest.mark.slow
def test_python_chess_plays_a_game_with_it() -> None:
    chess = pytest.importorskip("chess")
    engines = pytest.importorskip("chess.engine")
    command = [sys.executable, "-m", "pysolve", "engine", "chess"]
    with engines.SimpleEngine.popen_uci(command, timeout=None) as engine:
        board = chess.Board()
        while not board.is_game_over() and board.ply() < 40:
            board.push(engine.play(board, engines.Limit(depth=1)).move)
        assert board.ply() == 40 or board.is_game_over()
        mate = chess.Board("6k1/5ppp/8/8/8/8/8/R6K w - - 0 1")
        told = engine.analyse(mate, engines.Limit(depth=3))
        assert told["score"].white() == engines.Mate(1)
        engine.configure({"Hash": 8, "Threads": 2})
        first, second, third = engine.analyse(mate, engines.Limit(depth=3), multipv=3)
        assert mate.san(first["pv"][0]) == "Ra8#"
        assert first["score"].white() == engines.Mate(1) > second["score"].white() >= third["score"].white()
        only = [chess.Move.from_uci("h1g1"), chess.Move.from_uci("h1h2")]
        assert engine.play(mate, engines.Limit(depth=2), root_moves=only).move in only
        for limit in (engines.Limit(nodes=500), engines.Limit(time=0.1), engines.Limit(mate=2),
                      engines.Limit(white_clock=1, black_clock=1, white_inc=0.1, black_inc=0.1)):  # fmt: skip
            assert mate.is_legal(engine.play(mate, limit).move)
        with engine.analysis(chess.Board()) as endless:  # go infinite, and stop
            for told in endless:
                if told.get("depth", 0) >= 2:
                    break
        assert endless.wait().move in chess.Board().legal_moves
        board = chess.Board()
        for _ in range(3):  # with ponderhit where the answer was foreseen
            expected = engine.play(board, engines.Limit(depth=2), ponder=True)
            board.push(expected.move)
            board.push(expected.ponder or next(iter(board.legal_moves)))
        assert engine.play(board, engines.Limit(depth=2)).move in board.legal_moves
