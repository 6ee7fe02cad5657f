"""The classics beside judges that nobody here wrote: OpenSpiel, python-chess, published perft numbers.

In: shipped rules, and `pyspiel` and `chess` where they are installed.  Out: in random games the same moves at each
ply and the same result.  JUDGED is how many games of each are played, a few unless it says more.
"""

import os
import random
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import pytest
from typer.testing import CliRunner

import pysolve
from pysolve.cli.app import app
from pysolve.dsl import notation
from pysolve.engines.native import NativeEngine
from pysolve.engines.prolog import PrologEngine
from pysolve.game import Game
from pysolve.position import Move
from tests.games import load, slow_but

pytestmark = pytest.mark.slow
JUDGED = int(os.environ.get("JUDGED", "0"))
Key = tuple[Any, ...]


# ------------------------------------------------------------------------------------------- OpenSpiel


@dataclass(frozen=True)
class Judged:
    """A game of both: a move of ours and an action of theirs have the same key if they are the same."""

    name: str
    theirs: str
    ours: Callable[[Move], Key]
    of_action: Callable[[int, str], Key] = lambda action, text: (text,)
    options: dict[str, Any] = field(default_factory=dict)
    more: str = ""  # sections in which their rules differ
    superko: bool = False  # there a game is over when a position occurs again
    sign: int = 1  # -1: here loses who wins there
    games: int = 6

    def __str__(self) -> str:
        return self.name


def spot(cell: str) -> tuple[int, int]:
    """Column and row from 0."""
    return "abcdefghijklmnopqrs".index(cell[0]), int(cell[1:]) - 1


def number(width: int) -> Callable[[Move], Key]:
    """The number of the cell of a move, row by row."""

    def key(move: Move) -> Key:
        x, y = spot(move.params["to"])
        return (y * width + x,)

    return key


def by_number(action: int, text: str) -> Key:
    return (action,)


def plain(move: Move) -> Key:
    return (re.sub(r"[-x]", "", move.text),)


def plain_text(action: int, text: str) -> Key:
    return (re.sub(r"[-x*]", "", text),)


def upside_down_of(height: int) -> Callable[[Move], Key]:
    return lambda move: (re.sub(r"\d+", lambda row: str(height + 1 - int(row[0])), move.text),)


ROWS = ("a7 d7 g7", "b6 d6 f6", "c5 d5 e5", "a4 b4 c4 e4 f4 g4", "c3 d3 e3", "b2 d2 f2", "a1 d1 g1")
POINTS = [cell for row in ROWS for cell in row.split()]


def points(move: Move) -> Key:
    return tuple(POINTS.index(cell) for cell in move.params.values())


def by_points(action: int, text: str) -> Key:
    return tuple(numbers(text))


def by_text(move: Move) -> Key:
    return (move.text.replace("x", ""),)


def cell_or_last(width: int) -> Callable[[Move], Key]:
    """The number of the cell; a move without one, to pass or swap, comes behind them."""
    return lambda move: number(width)(move) if move.params else (width * width,)


def pit(move: Move) -> Key:
    x, y = spot(move.params["from"])
    return (x + 1 if y == 0 else 13 - x,)


def pawn_or_wall(move: Move) -> Key:
    """Their first row is our last; their walls are named by the cell above."""
    (cell, *way) = move.params.values()
    _, y = spot(cell)
    return (f"{cell[0]}{8 - y if way else 9 - y}{''.join(way)}",)


def side_of_box(move: Move) -> Key:
    line = move.params["side"]
    x, y = spot(line[:-1])
    return ("h", y + (line[-1] == "n"), x) if line[-1] in "ns" else ("v", y, x + (line[-1] == "e"))


def by_side(action: int, text: str) -> Key:
    way, row, column = re.findall(r"[hv]|\d+", text.partition("(")[2])
    return (way, int(row), int(column))


def heap(move: Move) -> Key:
    return ("ABCD".index(move.params["h"]) + 1, move.params["n"])


# There a game of Lines of Action is over when the men stand as they stood before, whoever is to move.
BOARD_AGAIN = """\
replace end
  mover wins when united(mover)
  opponent wins when united(opponent)
  draw when repeated 2 ignoring mover
"""
# There a game of Quoridor is a draw after so many moves.
LONGEST = """\
replace end
  mover wins when pawn(mover) in goal(mover)
  draw when turns >= 324
"""
SAME = [
    Judged("tictactoe", "tic_tac_toe", number(3), by_number, games=30),
    Judged("connect_four", "connect_four", lambda move: (spot(move.params["to"])[0],), by_number, games=15),
    Judged("gomoku", "mnk(m=9,n=9,k=5)", number(9), by_number, {"size": 9}, games=4),
    Judged("hex", "hex(board_size=5)", number(5), by_number, {"size": 5}, games=10),
    Judged("breakthrough", "breakthrough", upside_down_of(8), plain_text),
    Judged("othello", "othello", by_text),
    Judged("clobber", "clobber", by_text, games=10),
    Judged("draughts", "checkers", plain, options={"quiet": 40}),
    Judged("nine_mens_morris", "nine_mens_morris", points, by_points),
    Judged("kalah", "mancala", pit, by_number, games=10),
    Judged("lines_of_action", "lines_of_action", plain, plain_text, more=BOARD_AGAIN, games=3),
    Judged("havannah", "havannah(board_size=4)", upside_down_of(7), options={"size": 4}, games=30),
    Judged("havannah", "havannah(board_size=6)", upside_down_of(11), options={"size": 6}, games=5),
    Judged("nim", "nim", heap, by_points, games=30),
    Judged("nim", "nim(is_misere=false)", heap, by_points, {"last": "wins"}, games=30),
    Judged("quoridor", "quoridor", pawn_or_wall, more=LONGEST, games=3),
    Judged("dots_and_boxes", "dots_and_boxes(num_rows=4,num_cols=4)", side_of_box, by_side),
    Judged("dots_and_boxes", "dots_and_boxes(num_rows=2,num_cols=3)", side_of_box, by_side, {"width": 3, "height": 2}),
    Judged("go", "go(board_size=9,komi=7.5,max_game_length=2000)", cell_or_last(9), by_number, superko=True, games=3),
    Judged("breakthrough-mini", "breakthrough(rows=6,columns=6)", upside_down_of(6), plain_text),
    Judged("hex-swap", "hex(board_size=5,swap=true)", cell_or_last(5), by_number, {"size": 5}, games=10),
    Judged("othello-misere", "othello", by_text, sign=-1, games=4),
    Judged("draughts-giveaway", "checkers", plain, options={"quiet": 40}, sign=-1, games=4),
    Judged("go-5x5", "go(board_size=5,komi=24.5,max_game_length=2000)", cell_or_last(5), by_number, superko=True),
]


@pytest.mark.parametrize("judged", SAME, ids=str)
def test_openspiel_agrees(judged: Judged) -> None:
    spiel = pytest.importorskip("pyspiel")
    theirs, ours = spiel.load_game(judged.theirs), load(judged.name, **judged.options)
    if judged.more:
        ours = pysolve.load(f'game "{judged.name}" extends "{judged.name}"\n\n{judged.more}\n')
    for seed in range(JUDGED or judged.games):
        rng = random.Random(seed)
        judge, position = theirs.new_initial_state(), ours.start()
        while True:
            ended = position.outcome
            again = ended is None or ended.reason == "the position stood before"
            if judged.superko and judge.is_terminal() and again:
                break
            assert (ended is not None) == judge.is_terminal(), (seed, str(judge), ended)
            if ended is not None:
                assert position.returns() == [judged.sign * won for won in judge.returns()], (seed, str(judge), ended)
                break
            assert ours.players.index(position.to_move) == judge.current_player()
            texts = {action: judge.action_to_string(action) for action in judge.legal_actions()}
            actions = {judged.of_action(action, text): action for action, text in texts.items()}
            moves = {judged.ours(move): move for move in position.legal_moves}
            assert len(moves) == len(position.legal_moves)
            assert sorted(moves) == sorted(actions), (seed, str(judge))
            key = rng.choice(sorted(moves))
            judge.apply_action(actions[key])
            position = position.play(moves[key])


def numbers(text: str) -> list[int]:
    return [int(one) for one in re.findall(r"\d+", text)]


def test_openspiel_agrees_on_amazons() -> None:
    """There a move is three actions: from where, to where, and the arrow."""
    spiel = pytest.importorskip("pyspiel")
    theirs, ours = spiel.load_game("amazons"), load("amazons")

    def actions(judge: Any) -> dict[str, int]:
        texts = {action: numbers(judge.action_to_string(action)) for action in judge.legal_actions()}
        return {f"{'abcdefghij'[column - 1]}{11 - row}": action for action, (row, column) in texts.items()}

    for seed in range(JUDGED or 3):
        rng = random.Random(seed)
        judge, position = theirs.new_initial_state(), ours.start()
        while position.outcome is None:
            moves = {tuple(move.params.values()): move for move in position.legal_moves}
            key = rng.choice(sorted(moves))
            for place in range(len(key)):
                found = actions(judge)
                assert set(found) == {one[place] for one in moves if one[:place] == key[:place]}, (seed, str(judge))
                judge.apply_action(found[key[place]])
            position = position.play(moves[key])
        assert judge.is_terminal()
        assert judge.returns() == position.returns()


def test_openspiel_agrees_on_ultimate_tic_tac_toe() -> None:
    """There whoever is free to choose a board does so in an action of its own."""
    spiel = pytest.importorskip("pyspiel")
    theirs, ours = spiel.load_game("ultimate_tic_tac_toe"), load("ultimate_tictactoe")

    def actions(judge: Any) -> dict[tuple[int, ...], list[int]]:
        """By board, row and column in it: the actions that lead there."""
        found = {}
        for action in judge.legal_actions():
            at = tuple(numbers(judge.action_to_string(action)))
            if len(at) > 1:
                found[at] = [action]
            else:
                found |= {more: [action, *rest] for more, rest in actions(judge.child(action)).items()}
        return found

    def place(move: Move) -> tuple[int, ...]:
        x, y = spot(move.params["to"])
        return y // 3 * 3 + x // 3, y % 3, x % 3

    for seed in range(JUDGED or 5):
        rng = random.Random(seed)
        judge, position = theirs.new_initial_state(), ours.start()
        while position.outcome is None:
            moves, found = {place(move): move for move in position.legal_moves}, actions(judge)
            assert sorted(moves) == sorted(found), (seed, str(judge))
            key = rng.choice(sorted(moves))
            for action in found[key]:
                judge.apply_action(action)
            position = position.play(moves[key])
        assert judge.is_terminal()
        assert judge.returns() == position.returns()


@pytest.mark.parametrize("seats", [2, 3, 4, 6])
def test_openspiel_agrees_on_chinese_checkers(seats: int) -> None:
    """There the cells are numbered from the top.  Half of the games hurry forwards, so that somebody arrives."""
    spiel = pytest.importorskip("pyspiel")
    theirs, ours = spiel.load_game(f"chinese_checkers(players={seats})"), load("chinese_checkers", seats=seats)
    at = {cell: i for i, cell in enumerate(cell for row in ours.model.board.rows for cell in row)}
    numbered = {name: at[cell] for cell, name in enumerate(ours.cells, 1)}
    arrived = 0
    for seed in range(JUDGED or 2):
        rng = random.Random(seed)
        judge, position = theirs.new_initial_state(), ours.start()
        while position.outcome is None:
            assert ours.players.index(position.to_move) == judge.current_player()
            actions = {tuple(numbers(judge.action_to_string(one))): one for one in judge.legal_actions()}
            moves = {tuple(numbered[str(cell)] for cell in move.params.values()): move for move in position.legal_moves}
            assert sorted(moves) == sorted(actions), (seed, str(judge))
            key = rng.choice(sorted(moves))
            if seed % 2 and rng.random() < 0.8:
                mover = ours.players.index(position.to_move)
                after = {one: ours.engine.estimate(position.play(move).state)[mover] for one, move in moves.items()}
                key = rng.choice([one for one in sorted(after) if after[one] == max(after.values())])
            judge.apply_action(actions[key])
            position = position.play(moves[key])
        assert judge.is_terminal()
        assert [won * (seats - 1) for won in position.returns()] == pytest.approx(judge.returns())
        arrived += bool(position.outcome.winners)
    assert arrived


# --------------------------------------------------------------------------------------- chess


MEN = {"p": "Pawn", "n": "Knight", "b": "Bishop", "r": "Rook", "q": "Queen", "k": "King"}

# Published counts of sequences of moves.
CHESS = {
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1": (20, 400, 8902, 197281, 4865609),
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1": (48, 2039, 97862, 4085603),
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1": (14, 191, 2812, 43238, 674624),
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1": (6, 264, 9467, 422333),
    "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8": (44, 1486, 62379, 2103487),
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10": (46, 2079, 89890, 3894594),
}


def from_fen(game: Game, fen: str) -> bytes:
    """A state of chess."""
    rows, mover, rights, passed, *_ = fen.split()
    signs = re.sub(r"\d", lambda many: " " * int(many[0]), rows.replace("/", ""))
    cells = [f"{column}{row}" for row in range(8, 0, -1) for column in "abcdefgh"]
    at = dict(zip(cells, signs, strict=True))
    rooks = {"K": "h1", "Q": "a1", "k": "h8", "q": "a8"}
    castling = {rooks[sign] for sign in rights if sign in rooks}
    state = {
        "owner": {c: None if s == " " else "White" if s.isupper() else "Black" for c, s in at.items()},
        "kind": {c: MEN.get(s.lower()) for c, s in at.items()},
        "castles": {c: c in castling for c in cells},
        "passed": None if passed == "-" else passed,
        "clock": 0,
    }
    position = {"mover": "White" if mover == "w" else "Black", "state": state}
    return bytes(notation.from_dict(game.model, position, notation.blank(game.model)))


@pytest.mark.parametrize(("fen", "counts"), slow_but((), CHESS.items(), late=[*CHESS.items()][3:]))
def test_chess_perft_is_the_published_one(fen: str, counts: tuple[int, ...]) -> None:
    game = load("chess")
    engine, state = game.engine, from_fen(game, fen)
    if not isinstance(engine, NativeEngine):
        pytest.skip("nothing compiles C")
    wanted = [count for count in counts if count < 5_000_000 or JUDGED]
    assert [engine.perft(state, depth) for depth in range(1, len(wanted) + 1)] == wanted


# Published counts, from the initial position; Fairy-Stockfish and python-chess test with those of chess.
PUBLISHED = {
    "abalone": (44, 1936, 98912),
    "santorini": (25, 600, 13800),
    "tak": (25, 600, 43320, 2999784),
    "pentago": (36, 288, 10080, 80640),
    "quarto": (16, 256, 3840, 57600),
    "quoridor": (131, 16677),
    "ultimate_tictactoe": (81, 720, 6336, 55080),
    "chess-los-alamos": (10, 100, 1212, 14332, 191846, 2549164),
    "chess-capablanca": (28, 784, 25228, 805128),
    "chess-antichess": (20, 400, 8067, 153299, 2732672),
    "chess-racing-kings": (21, 421, 11264, 296242),
}


@pytest.mark.parametrize("name", PUBLISHED)
def test_perft_is_the_published_one(name: str) -> None:
    game = load(name)
    if not isinstance(game.engine, NativeEngine):
        pytest.skip("nothing compiles C")
    wanted = [count for count in PUBLISHED[name] if count < 1_000_000 or JUDGED]
    assert [game.engine.perft(game.start().state, depth) for depth in range(1, len(wanted) + 1)] == wanted


# Of the initial position, by Rein Halbersma and Aart Bik.
WHOLE_TURNS = {
    "draughts-international": (9, 81, 658, 4265, 27117, 167140, 1049442),
    "draughts-brazilian": (7, 49, 302, 1469, 7473, 37628, 187302),
    "draughts-italian": (7, 49, 302, 1469, 7361, 36473, 177532),
}


@pytest.mark.parametrize("name", WHOLE_TURNS)
def test_whole_turns_of_draughts_are_the_published_ones(name: str) -> None:
    if not isinstance(load(name).engine, NativeEngine):
        pytest.skip("nothing compiles C")
    wanted = [count for count in WHOLE_TURNS[name] if count < 100_000 or JUDGED]
    said = CliRunner().invoke(app, ["perft", name, "--turns", "--depth", str(len(wanted))])
    assert [int(line.split()[1].replace(",", "")) for line in said.output.splitlines()] == wanted


def test_promotion_in_los_alamos_chess_is_the_published_one() -> None:
    """There bare kings play on."""
    rules = 'game "Bare kings" extends "chess-los-alamos"\n\nreplace end draw when clock = 100\n'
    game = pysolve.load(rules)
    if not isinstance(game.engine, NativeEngine):
        pytest.skip("nothing compiles C")
    state = game.position("....../..P.../....../.K.k../....../...... White").state
    assert game.engine.perft(state, 6) == 187431


def test_chess_perft_on_prolog() -> None:
    game = load("chess")
    engine = PrologEngine(game.model)
    state = engine.start()
    for depth, count in enumerate((20, 400, 8902) if JUDGED else (20, 400), start=1):
        assert counted(engine, state, depth) == count


def counted(engine: PrologEngine, state: bytes, depth: int) -> int:
    node = engine.expand(state)
    return len(node) if depth == 1 else sum(counted(engine, node.child(i), depth - 1) for i in range(len(node)))


def in_uci(move: Move, mover: str) -> str:
    if move.kind == "castle":
        row = move.params["rook"][1]
        return f"e{row}{'c' if move.params['rook'][0] == 'a' else 'g'}{row}"
    text = f"{move.params['from']}{move.params['to']}"
    return text + {name: sign for sign, name in MEN.items()}[move.params["man"]] if move.kind == "promote" else text


# Our file, the judge's class, the position to begin with if it is another one, and whether there a draw by bare men is
# a draw here.
CHESS_LIKE = [
    ("chess", "Board", None, True),
    ("chess-no-castling", "Board", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1", True),
    ("chess-king-of-the-hill", "KingOfTheHillBoard", None, True),
    ("chess-three-check", "ThreeCheckBoard", None, True),
    ("chess-racing-kings", "RacingKingsBoard", None, True),
    ("chess-antichess", "AntichessBoard", None, False),
]


@pytest.mark.parametrize(("name", "judge", "fen", "bare"), CHESS_LIKE, ids=[one[0] for one in CHESS_LIKE])
def test_python_chess_agrees(name: str, judge: str, fen: str | None, bare: bool) -> None:
    """Moves, ends and winners; a game ends by what the rules say, or by repetition or fifty moves."""
    chess = pytest.importorskip("chess.variant")
    boards = vars(chess) | vars(chess.chess)
    game = load(name)
    for seed in range(JUDGED or (3 if name == "chess" else 2)):
        rng = random.Random(seed)
        board, position = boards[judge](*([fen] if fen else [])), game.start()
        while True:
            decided = board.is_variant_end() or board.is_checkmate() or board.is_stalemate()
            over = (
                decided or (bare and board.is_insufficient_material())
                or board.is_repetition(3) or board.halfmove_clock >= 100
            )  # fmt: skip
            assert (position.outcome is not None) == over, board.fen()
            if over:
                assert position.outcome is not None
                assert position.outcome.winner == (winner(board) if decided else None), board.fen()
                break
            moves = {in_uci(move, position.to_move): move for move in position.legal_moves}
            assert sorted(moves) == sorted(move.uci() for move in board.legal_moves), board.fen()
            uci = rng.choice(sorted(moves))
            board.push_uci(uci)
            position = position.play(moves[uci])


def winner(board: Any) -> str | None:
    """Who has won in a decided position of the judge."""
    mover, other = ("White", "Black") if board.turn else ("Black", "White")
    if board.is_variant_win():
        return mover
    return other if board.is_variant_loss() or board.is_checkmate() else None
