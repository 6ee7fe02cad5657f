"""Games and positions of chess as other programs keep them: PGN and FEN."""

import io
import sys
from dataclasses import replace
from pathlib import Path

import pytest

import pysolve
from pysolve.notation import pgn
from pysolve.notation import record as records
from pysolve.notation.record import Record, RecordError
from pysolve.notation.uci import words_of
from pysolve.runtime.optional import MissingLibrary
from tests.games import load
from tests.test_lab import refused, said

pytestmark = pytest.mark.slow

chess_pgn = pytest.importorskip("chess.pgn")

SCHOLAR = """\
[Event "Casual"]
[Site "?"]
[Date "1999.12.31"]
[Round "?"]
[White "A \\"strong\\" player"]
[Black "Somebody"]
[Result "1-0"]

{A comment} 1. e4 e5 2. Bc4 $1 Nc6 (2... Nf6 3. d3) 3. Qh5 Nf6?? 4. Qxf7# 1-0
"""
ELSEWHERE = "4k3/8/8/8/8/8/8/5K1R w H - 0 1"  # of Chess960, without saying so
ENDING = "7k/5Q2/5K2/8/8/8/8/8 w - - 0 1"


def recorded(game: str, *moves: str, result: str = "*", start: str = "") -> Record:
    """A record of some moves."""
    rules = load(game)
    position, turns = rules.position(start) if start else rules.start(), list[tuple[str, ...]]()
    for text in moves:
        move = position.parse(text)
        turns.append((move.text,))
        position = position.play(move)
    players = {name: name.lower() for name in rules.players}
    return Record(game, {}, rules.model.digest, tuple(turns), players, result=result, position=start)


def test_a_game_is_read_and_written_again() -> None:
    record, game = pgn.read(SCHOLAR), load("chess")
    assert record.moves == ("e2e4", "e7e5", "f1c4", "b8c6", "d1h5", "g8f6", "h5f7")
    assert (record.players, record.result, record.date) == (
        {"White": 'A "strong" player', "Black": "Somebody"}, "White", "1999-12-31")  # fmt: skip
    assert len(list(records.replay(record, game))) == 7
    text = pgn.written(record, game)
    assert "1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 4. Qxf7# 1-0\n" in text
    assert pgn.read(text) == record
    assert records.read(records.write(record)) == record


def test_others_read_what_is_written() -> None:
    record = recorded("chess", "Qe7", "Kg8", result="draw", start=load_line(ENDING))
    text = pgn.written(record, load("chess"))
    found = chess_pgn.read_game(io.StringIO(text))
    assert not found.errors
    assert found.headers["FEN"] == ENDING
    assert [move.uci() for move in found.mainline_moves()] == ["f7e7", "h8g8"]
    assert found.headers["Result"] == "1/2-1/2"
    assert pgn.read(text).position == record.position


def load_line(fen: str) -> str:
    """The line of pysolve for a FEN."""
    return said("show-position", "chess", "--position", fen, "--as", "line").strip()


def test_a_game_that_black_begins_has_points_behind_its_first_number() -> None:
    record = recorded("chess", "Kg8", "Qg7", start=load_line("7k/Q7/5K2/8/8/8/8/8 b - - 0 1"), result="White")
    assert pgn.written(record, load("chess")).endswith("\n\n1... Kg8 2. Qg7# 1-0\n")


MIDDLE = "7k/Q7/5K2/8/8/8/8/8 b - - 7 23"


def test_a_game_that_begins_in_the_middle_keeps_the_numbers_of_its_moves(tmp_path: Path) -> None:
    tags = {"Event": "?", "White": "A", "Black": "B", "Result": "*", "SetUp": "1", "FEN": MIDDLE}
    given = "".join(f'[{name} "{value}"]\n' for name, value in tags.items()) + "\n23... Kg8 24. Kg6 Kf8 *\n"
    record = pgn.read(given)
    assert record == records.read(records.write(record))
    text = pgn.written(record, load("chess"))
    assert f'[FEN "{MIDDLE}"]' in text
    assert text.endswith("\n\n23... Kg8 24. Kg6 Kf8 *\n")
    assert pgn.read(text) == record
    *_, (_, last) = records.replay(record, load("chess"))
    assert words_of(load("chess")).text(last) == "5k2/Q7/6K1/8/8/8/8/8 w - - 10 25"


def test_a_game_that_begins_with_a_fen_is_saved_with_the_numbers_of_its_moves(tmp_path: Path) -> None:
    file = tmp_path / "game.txt"
    seats = ["--seat", "White=random", "--seat", "Black=random"]
    beginning = ["--position", "7k/5Q2/6K1/8/8/8/8/8 w - - 3 50"]
    said("play", "chess", *seats, *beginning, "--save", str(file), "-q", "--seed", "1")
    assert '[TurnsBefore "98"]' in file.read_text(encoding="utf-8")
    assert "\n50. " in said("replay", str(file), "--pgn")


@pytest.mark.parametrize("wrong", ["x", "-1", "9" * 5000])
def test_turns_before_a_record_are_a_number(wrong: str) -> None:
    with pytest.raises(RecordError, match="the turns before the first position of a record are a number"):
        records.read(f'[Game "chess"]\n[TurnsBefore "{wrong}"]\n')


NO_CASTLING = """\
game "Slow chess" extends "chess"
  notation "san"

remove move castle
"""


def test_a_variant_is_written_while_it_is_chess(tmp_path: Path) -> None:
    file = tmp_path / "slow.rules"
    file.write_text(NO_CASTLING, encoding="utf-8")
    game = pysolve.load(file)
    record = Record(str(file), {}, "", (("e2e4",), ("e7e5",)), result="Black", termination="time")
    text = pgn.written(record, game)
    assert '[White "?"]' in text
    assert '[Termination "time"]' in text
    assert text.endswith("\n\n1. e4 e5 0-1\n")
    longer = replace(record, turns=tuple((move,) for move in ["e2e4", "e7e5", "g1f3", "g8f6", "f1c4", "f8c5", "d2d3"]))
    with pytest.raises(RecordError, match="PGN cannot hold move 7, d2d3: Slow chess has other moves there than chess"):
        pgn.written(longer, game)


@pytest.mark.parametrize("name", ["zola", "chess-king-of-the-hill", "chess-capablanca"])
def test_games_that_are_not_chess_are_not_written(name: str) -> None:
    game = load(name)
    with pytest.raises(RecordError) as error:
        pgn.written(recorded(name), game)
    assert str(error.value) == f"PGN is for chess, and {game.title} is another game"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "there is no game in this PGN"),
        (
            '[Event "?"]\n\n1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8 5. e4 *',
            "by the rules of chess here, move 9 of this PGN, e2e4, cannot be: the game is over; ",
        ),
        (
            f'[Event "?"]\n[SetUp "1"]\n[FEN "{ELSEWHERE}"]\n\n1. O-O *',
            "by the rules of chess here, move 1 of this PGN, f1h1, cannot be: it is not legal",
        ),
        (SCHOLAR + "\n" + SCHOLAR, "this PGN holds several games, and a record is one: cut it into files"),
        (
            SCHOLAR.replace("[Round", '[Variant "Atomic"]\n[Round'),
            'this PGN is of the variant "Atomic", and only chess',
        ),
        (SCHOLAR.replace("Qh5", "Qh6"), "this PGN cannot be read: illegal san: 'Qh6'"),
    ],
)
def test_what_cannot_be_read(text: str, message: str) -> None:
    with pytest.raises(RecordError, match=message):
        pgn.read(text)


@pytest.mark.slow
def test_commands_read_and_write_it(tmp_path: Path) -> None:
    file = tmp_path / "game.pgn"
    file.write_text(SCHOLAR, encoding="utf-8")
    assert "The winner: White" in said("replay", str(file), "--quiet")
    written = said("replay", str(file), "--pgn")
    assert pgn.read(written) == pgn.read(SCHOLAR)
    file.write_text(SCHOLAR.replace("Qh5", "Qh6"), encoding="utf-8")
    assert "this PGN cannot be read: illegal san: 'Qh6'" in refused("replay", str(file))


@pytest.mark.slow
def test_fen_is_a_position_on_the_command_line(tmp_path: Path) -> None:
    file = tmp_path / "ending.fen"
    said("show-position", "chess", "--position", ENDING, "--as", "fen", "-o", str(file))
    assert file.read_text(encoding="utf-8") == f"{ENDING}\n"
    assert said("show-position", "chess", "--position", str(file), "--as", "fen") == f"{ENDING}\n"
    assert said("show-position", "chess", "--position", MIDDLE, "--as", "fen") == f"{MIDDLE}\n"
    after = said("show-position", "chess", "--position", MIDDLE, "--play", "Kg8, Kg6", "--as", "fen")
    assert after == "6k1/Q7/6K1/8/8/8/8/8 b - - 9 24\n"
    assert "FEN is for chess and its variants: Zola is none" in refused("show-position", "zola", "--as", "fen")
    wrong = ENDING.replace("Q", "Z")
    assert 'there is no man "Z" in Chess' in refused("show-position", "chess", "--position", wrong)


def test_without_its_package_pgn_says_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    record, game = pgn.read(SCHOLAR), load("chess")
    monkeypatch.setitem(sys.modules, "chess", None)
    monkeypatch.setitem(sys.modules, "chess.pgn", None)
    for ask in (lambda: pgn.read(SCHOLAR), lambda: pgn.written(record, game)):
        with pytest.raises(MissingLibrary) as error:
            ask()
        assert str(error.value) == "PGN needs chess: pip install 'pysolve-games[chess]'"
