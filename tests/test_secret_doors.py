"""Doors through which a secret could be read: each tells what a player may know, or says that it does not serve."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

import pysolve
from pysolve.authoring import examples
from pysolve.cli.app import app
from pysolve.display.ipython import board
from pysolve.dsl.player_texts import UnknownPlayer
from pysolve.engines.protocol import DoesNotApply
from pysolve.export.description import ExportError, core
from pysolve.lab.analysis import Limits, analyse
from pysolve.lab.games import Job, Rules, play_game
from pysolve.players.functions import specification
from pysolve.players.outside.player import outside
from pysolve.position import Position
from pysolve.protocol.engine import Talk
from pysolve.search.greedy import values
from pysolve.search.maxn import maxn
from pysolve.search.mcts import mcts
from pysolve.search.minimax import minimax
from pysolve.search.proof_number import prove
from pysolve.search.retrograde import retrograde
from pysolve.search.several import several
from pysolve.search.value_iteration import expectation
from pysolve.service import Refused, Service
from tests.games import load

pytestmark = pytest.mark.slow

NAME = "phantom_tictactoe"
SEES_ALL = "no player sees all"

# What a door may not tell X: that the code of O is 7342.
HIDDEN = """\
game "Codes"
players X, O
state
  code(p: player): 0..9999 seen by p
  guess(p: player): 0..9999 or none
move choose(n in {1234, 7342, 9876}) as "code {n}" seen as "a code"
  when code(mover) = 0
  do code(mover) := n
move ask(n in {1234, 7342, 9876}) as "{n}"
  when code(mover) != 0
  do guess(mover) := n
define found(p: player) = guess(p) != none and guess(p) = code(next(p))
end
  mover wins when found(mover) because "the code is found"
  draw when turns >= 12
evaluate near 1 : if found(me) then 1 else 0
stuck draw
"""


def hidden() -> Position:
    """A position with a secret of O, where X is to move."""
    return pysolve.load(HIDDEN).start().play("code 1234").play("code 7342")


def test_the_searches_refuse() -> None:
    position = hidden()
    engine, state = position.game.engine, position.state
    for search in (
        lambda: minimax(engine, state, 1),
        lambda: several(engine, state, 2, 1),
        lambda: maxn(engine, state, 1),
        lambda: mcts(engine, state, 5),
        lambda: values(engine, state),
        lambda: prove(engine, state, 1, 1000),
        lambda: retrograde(engine, state),
        lambda: expectation(engine, state),
        lambda: list(analyse([position], [position.legal_moves[0]], Limits(depth=1))),
    ):
        with pytest.raises(DoesNotApply, match=SEES_ALL):
            search()


@pytest.mark.parametrize(
    "text", ["greedy", "greedy:turn", "minimax:depth=1", "maxn:depth=1", "mcts:playouts=9", "solver"]
)
def test_a_player_looks_at_everything_only_if_it_is_told_to(text: str) -> None:
    position = hidden()
    with pytest.raises(UnknownPlayer, match="cheat=on plays it all the same"):
        specification(text).check(position.game)
    with pytest.raises(DoesNotApply, match=SEES_ALL):
        specification(text).player(1)(position)
    cheating = specification(f"{text}{',' if ':' in text else ':'}cheat=on")
    cheating.check(position.game)
    assert cheating.player(1)(position) in position.legal_moves


def test_who_cheats_finds_the_secret_and_who_does_not_can_only_guess() -> None:
    position = hidden()
    assert specification("minimax:depth=1,cheat=on").player(1)(position).text == "7342"
    guessed = {specification("random").player(seed)(position).text for seed in range(20)}
    assert guessed == {"1234", "7342", "9876"}
    open_ = load("tictactoe").start()
    assert specification("minimax:depth=1,cheat=on").player(1)(open_) == specification("minimax:depth=1").player(1)(
        open_
    )


def test_programs_that_would_be_told_all_moves_do_not_play() -> None:
    game = load(NAME)
    for text in ("ugi:cat", "gtp:cat"):
        with pytest.raises(UnknownPlayer, match=SEES_ALL):
            outside(text).check(game)
        with pytest.raises(UnknownPlayer, match=SEES_ALL):
            outside(text).player()(game.start())
    with pytest.raises(DoesNotApply, match=SEES_ALL):
        Talk(game, print)


def test_a_batch_and_environments_of_whole_positions_refuse() -> None:
    with pytest.raises(DoesNotApply, match=SEES_ALL):
        load(NAME).batch(2)
    with pytest.raises(ExportError, match="has secrets"):
        core(type("Opened", (), {"game": load(NAME)})())  # type: ignore[arg-type]


@pytest.mark.parametrize("name", ["gym", "pettingzoo"])
def test_environments_refuse(name: str) -> None:
    module = pytest.importorskip(f"pysolve.adapters.{name}")
    with pytest.raises(DoesNotApply, match=SEES_ALL):
        (module.OneSide if name == "gym" else module.env)(load(NAME))


def test_open_spiel_is_told_what_a_player_knows() -> None:
    spiel = pytest.importorskip("pyspiel")
    from pysolve.adapters.open_spiel import register

    game = spiel.load_game(register(NAME))
    state = game.new_initial_state()
    for action in (4, 4, 0):
        state.apply_action(action)
    ours = load(NAME).start().play("b2").play("b2").play("a1")
    assert game.get_type().information == spiel.GameType.Information.IMPERFECT_INFORMATION
    for number, player in enumerate(ours.game.players):
        assert state.information_state_string(number) == ours.information(player)
        assert state.observation_string(number) == ours.view(player).diagram()


@pytest.mark.parametrize(
    ("what", "more"),
    [
        ("state", {}),
        ("preview", {"moves": ["1234"]}),
        ("why", {"move": "1234", "kind": ""}),
        ("choose", {"player": "random", "seconds": 1, "seed": 1}),
        ("analyse", {"seconds": 1, "lines": 1}),
        ("perft", {"depth": 1}),
        ("query", {"goal": "code(O, N)"}),
        ("record", {"players": {}}),
        ("example", {"move": "1234", "legal": True, "title": "x"}),
    ],
)
def test_a_page_is_told_nothing_about_a_game_in_progress(what: str, more: dict[str, Any]) -> None:
    service = Service()
    found = service.answer("check", {"text": HIDDEN, "name": "codes", "options": {}})
    asked = {"game": found["game"]["id"], "line": {"seed": 0, "start": "", "moves": ["code 1234", "code 7342"]}}
    with pytest.raises(Refused, match="has secrets, and this page shows all"):
        service.answer(what, {**asked, **more})


def test_rules_with_secrets_are_written_and_checked_on_a_page() -> None:
    service = Service()
    found = service.answer("check", {"text": HIDDEN, "name": "codes", "options": {}})
    assert not found["problems"]
    assert service.answer("sheet", {"game": found["game"]["id"]})


def test_a_notebook_shows_a_picture_and_no_board_to_play_on() -> None:
    assert board(load(NAME).start()) == {}


# -------------------------------------------------------------------------------------------- the terminal


def played(lines: str, *arguments: str, text: str = HIDDEN, folder: Path) -> str:
    """What a terminal shows of a game that is played with these lines."""
    path = folder / "codes.rules"
    path.write_text(text, encoding="utf-8")
    return CliRunner().invoke(app, ["play", str(path), *arguments], input=lines).output


COMMANDS = (
    "moves", "why 7342", "undo", "redo", "log", "board", "save game.txt", "computer minimax:cheat=on",
    "hint minimax", "solve", "flip", "rules", "7, 8",
)  # fmt: skip


@pytest.mark.slow
def test_whatever_a_program_keeps_secret_the_screen_is_the_same(tmp_path: Path) -> None:
    screens, secrets = set(), set()
    lines = "\n".join(["code 1234", *COMMANDS, "quit", ""])
    for seed in range(8):
        path = tmp_path / "game.txt"
        both = ("--second", "random", "--seed", str(seed))
        screens.add(played(lines, *both, "--save", str(path), folder=tmp_path))
        assert not path.exists()  # for a record has all moves
        whole = played("", "--first", "random", *both, "--max-moves", "2", folder=tmp_path)
        secrets |= {*re.findall(r"O code (\d+)", whole)}
    assert secrets == {"1234", "7342", "9876"}
    (screen,) = screens
    assert screen.endswith("Left, X to move.\n")
    for answer in (
        "2. O a code", "why looks at all of the position", "moves are not taken back", "written when the game is over",
        "looks at what you do not see", "no player sees all",
    ):  # fmt: skip
        assert answer in screen


def test_the_whole_is_shown_and_recorded_when_the_game_is_over(tmp_path: Path) -> None:
    path = tmp_path / "over.txt"
    shown = played("code 1234\ncode 7342\n7342\n", "--save", str(path), folder=tmp_path)
    assert "Only X looks." in shown
    assert "Only O looks." in shown
    first, second = shown.split("Only O looks.")[:2]
    assert "1234" not in second.split("Only X looks.")[0].replace("X a code", "")
    assert "7342" not in first
    assert "code 7342" in path.read_text(encoding="utf-8")
    assert "7342" in shown.rpartition("X> 7342")[2]  # the last board shows all


def test_as_says_whose_view_is_shown(tmp_path: Path) -> None:
    both = ("--first", "random", "--second", "random", "--seed", "5")
    whole, view = (played("", *both, *more, folder=tmp_path) for more in ((), ("--as", "o", "--max-moves", "2")))
    assert re.search(r"X code \d{4}", whole)
    assert "X a code" in view
    assert re.search(r"O code \d{4}", view)
    refused = played("", "--as", "X", "--first", "random", folder=tmp_path)
    assert "--as X shows O nothing" in refused
    assert 'there is no player "Z"' in played("", "--as", "Z", folder=tmp_path)


def test_an_illegal_move_tells_no_reason(tmp_path: Path) -> None:
    demands = '  when\n    code(mover) != 0\n    code(next(mover)) = n else "no"\n'
    text = HIDDEN.replace("  when code(mover) != 0\n", demands)
    shown = played("code 1234\ncode 7342\nask(1234)\nquit\n", folder=tmp_path, text=text)
    assert "ask(1234) is not legal\n" in shown
    assert "code(" not in shown.replace("code(mover)", "")


# ------------------------------------------------------------------------------------ what is tried elsewhere


@pytest.mark.slow
def test_check_finds_legal_moves_that_tell_a_secret() -> None:
    text = (Path(__file__).parent.parent / "rules" / f"{NAME}.rules").read_text(encoding="utf-8")
    leaky = re.sub(r"    not met\(mover, to\) .*", "    at(to) = none", text)
    found = examples.told_secrets(pysolve.load(leaky))
    assert {failure.example for failure in found} == {"what X may know", "what O may know"}
    for failure in found:
        legal, _, illegal = failure.found.partition("\nand is not after  ")
        move, _, before = legal.removeprefix("that ").partition(" is legal after  ")
        positions = [pysolve.load(leaky).start(), pysolve.load(leaky).start()]
        for number, history in enumerate((before, illegal)):
            for told in history.split(", "):
                positions[number] = positions[number].play(told.split()[1])
        player = failure.example.split()[1]
        assert positions[0].information(player) == positions[1].information(player)
        assert move in positions[0].legal_moves
        assert move not in positions[1].legal_moves
    assert examples.told_secrets(load(NAME)) == []
    assert examples.told_secrets(load("tictactoe")) == []


def test_check_finds_moves_that_their_player_cannot_tell_apart() -> None:
    other = 'move other(n in {1234}) as "code {n}"\n  when code(mover) = 0\n  do guess(next(mover)) := n\n'
    text = HIDDEN.replace("move ask", f"{other}move ask").replace("seen by p", "seen by nobody")
    text = text.replace("0..9999 or none", "0..9999 or none seen by nobody")
    (found, *_) = examples.told_secrets(pysolve.load(text))
    assert "reads like" in found.found


def test_check_shows_both_histories(tmp_path: Path) -> None:
    path = tmp_path / "leaky.rules"
    path.write_text(HIDDEN.replace("  when code(mover) != 0", "  when code(mover) != 0 and code(next(mover)) != n"))
    shown = CliRunner().invoke(app, ["check", str(path)])
    assert shown.exit_code == 1
    assert "the same legal moves wherever" in re.sub(r"\s+", " ", shown.output)
    told = json.loads(CliRunner().invoke(app, ["check", str(path), "--json"]).output)
    assert not told[0]["good"]


def test_games_of_the_lab_are_played_with_views_or_by_who_may_cheat() -> None:
    played = play_game(load(NAME), Job(1, ("random", "random"), (0, 1), 3, 9, Rules(opening=0)))
    assert played.record.result in ("X", "O", "draw", "1/2")
