"""Games of other than two players: who is out, whom the turn goes to, who shares what, and how it is told."""

from __future__ import annotations

import json
from fractions import Fraction
from typing import Any

import pytest
from typer.testing import CliRunner

import pysolve
from pysolve.cli.app import app
from pysolve.engines.native import NativeAnswers
from pysolve.engines.protocol import RuleMistake
from pysolve.notation import json_lines
from pysolve.notation.record import Record, contradiction
from pysolve.players.session import Session
from pysolve.search.playouts import playouts
from tests.test_constructs import on_both_engines

HEAD = """
game "Seats"
players {players}
board square 3 by 1
state
  n: 0..9
  gone(player): bool
  points(player): 0..9
"""
THREE = HEAD.format(players="Ann, Bob, Cem\n  out when gone(mover)")


def game(text: str, engine: str = "native", players: str = "") -> pysolve.Game:
    return pysolve.load((HEAD.format(players=players) if players else THREE) + text, engine=engine)


LEAVING = """
move step
  do n := n + 1
move leave(p: player) as "leave {p}"
  do gone(p) := true
stuck draw
"""


@on_both_engines
def test_the_turn_passes_over_who_is_out(engine: str) -> None:
    position = game(LEAVING, engine).start()
    movers = []
    for move in ("step", "leave Cem", "step", "step", "step"):
        movers.append(position.to_move)
        position = position.play(move)
    assert movers == ["Ann", "Bob", "Ann", "Bob", "Ann"]
    assert position.to_move == "Bob"


@on_both_engines
def test_who_is_out_does_not_begin_and_gets_no_turn(engine: str) -> None:
    text = 'setup\n  gone(Ann) := true\nmove give(p: player) as "give {p}"\n  do turn to p\nstuck draw\n'
    position = game(text, engine).start()
    assert position.to_move == "Bob"
    assert [position.play(f"give {name}").to_move for name in ("Ann", "Bob", "Cem")] == ["Bob", "Bob", "Cem"]


@on_both_engines
def test_that_all_are_out_and_no_ending_holds_is_a_mistake(engine: str) -> None:
    position = game(LEAVING, engine).start().play("leave Bob").play("leave Cem")
    with pytest.raises(RuleMistake) as caught:
        len(position.legal_moves)
    mistake = caught.value
    assert (mistake.what, mistake.line, mistake.move) == ("all players are out, and no ending holds", 4, "leave Ann")


@on_both_engines
def test_all_may_be_out_at_the_end(engine: str) -> None:
    text = LEAVING + 'end Bob wins when every p: player has gone(p) because "nobody is left"\n'
    position = game(text, engine).start().play("leave Bob").play("leave Cem").play("leave Ann")
    assert str(position.outcome) == "the winner: Bob (nobody is left)"


@on_both_engines
def test_a_setup_in_which_all_are_out_is_a_mistake(engine: str) -> None:
    with pytest.raises(RuleMistake, match="all players are out, and no ending holds"):
        game("setup\n  for p: player: gone(p) := true\n" + LEAVING, engine).start()


@on_both_engines
def test_an_ending_knows_who_has_moved(engine: str) -> None:
    """However the turn went on: to the next one, over somebody, to somebody, or not at all."""
    text = """
move go(p: player, q: player) as "{p} {q}"
  do
    turn to p
    gone(q) := true
    n := 1
stuck draw
end mover wins when n = 1
"""
    start = game(text, engine).start()
    for who in ("Ann", "Bob", "Cem"):
        for out in ("Ann", "Bob", "Cem"):
            assert start.play(f"{who} {out}").outcome.winner == "Ann"  # type: ignore[union-attr]


RESULTS = """
move count(p: player) as "{p}"
  do
    points(p) := points(p) + 1
    n := n + 1
    turn to Ann
stuck draw
end
  {result} when n = 4 because "four"
define odd(p: player) = if p = Bob then 0 else 1
define late(p: player) = if p = Ann then 1 else if p = Bob then 2 else 3
"""
CASES: list[tuple[str, str, str, str, dict[str, Fraction]]] = [
    ("most points", "Bob Bob Ann Cem", "Bob", "the winner: Bob, by points: Ann 1, Bob 2, Cem 1 (four)",
     {"Ann": Fraction(-1, 2), "Bob": Fraction(1), "Cem": Fraction(-1, 2)}),
    ("most points", "Bob Bob Ann Ann", "Ann and Bob", "the winners: Ann and Bob, by points: Ann 2, Bob 2, Cem 0 (four)",
     {"Ann": Fraction(1, 4), "Bob": Fraction(1, 4), "Cem": Fraction(-1, 2)}),
    ("least points", "Bob Bob Ann Ann", "Cem", "the winner: Cem, by least points: Ann 2, Bob 2, Cem 0 (four)",
     {"Ann": Fraction(-1, 2), "Bob": Fraction(-1, 2), "Cem": Fraction(1)}),
    ("most points, else Cem wins", "Bob Bob Ann Ann", "Cem", "the winner: Cem, by points: Ann 2, Bob 2, Cem 0 (four)",
     {"Ann": Fraction(-1, 2), "Bob": Fraction(-1, 2), "Cem": Fraction(1)}),
    ("rank points", "Bob Bob Bob Ann", "Bob", "the winner: Bob, by points: Ann 1, Bob 3, Cem 0 (four)",
     {"Ann": Fraction(0), "Bob": Fraction(1), "Cem": Fraction(-1)}),
    ("rank least points", "Bob Bob Ann Ann", "Cem", "the winner: Cem, by least points: Ann 2, Bob 2, Cem 0 (four)",
     {"Ann": Fraction(-1, 2), "Bob": Fraction(-1, 2), "Cem": Fraction(1)}),
    ("rank points, then late", "Bob Bob Ann Ann", "Bob",
     "the winner: Bob, by late: Ann 1, Bob 2, Cem 3, after points Ann 2, Bob 2, Cem 0 (four)",
     {"Ann": Fraction(0), "Bob": Fraction(1), "Cem": Fraction(-1)}),
    ("rank points, then odd", "Ann Ann Bob Cem", "Ann",
     "the winner: Ann, by points: Ann 2, Bob 1, Cem 1, then odd Ann 1, Bob 0, Cem 1 (four)",
     {"Ann": Fraction(1), "Bob": Fraction(-1), "Cem": Fraction(0)}),
    ("most points, then most odd", "Ann Ann Cem Cem", "Ann and Cem",
     "the winners: Ann and Cem, by points: Ann 2, Bob 0, Cem 2, then odd Ann 1, Bob 0, Cem 1 (four)",
     {"Ann": Fraction(1, 4), "Bob": Fraction(-1, 2), "Cem": Fraction(1, 4)}),
    ("rank least points, then late", "Bob Bob Bob Ann", "Cem",
     "the winner: Cem, by least points: Ann 1, Bob 3, Cem 0 (four)",
     {"Ann": Fraction(0), "Bob": Fraction(-1), "Cem": Fraction(1)}),
    ("rank points, then least late, then most points", "Ann Bob Cem Cem", "Cem",
     "the winner: Cem, by points: Ann 1, Bob 1, Cem 2, then late Ann 1, Bob 2, Cem 3 (four)",
     {"Ann": Fraction(0), "Bob": Fraction(-1), "Cem": Fraction(1)}),
    ("Bob loses", "Ann Ann Ann Ann", "Ann and Cem", "the winners: Ann and Cem (four)",
     {"Ann": Fraction(1, 4), "Bob": Fraction(-1, 2), "Cem": Fraction(1, 4)}),
    ("draw", "Ann Ann Ann Ann", "draw", "draw: four", dict.fromkeys(("Ann", "Bob", "Cem"), Fraction(0))),
]  # fmt: skip


@on_both_engines
@pytest.mark.parametrize(("result", "moves", "told", "text", "paid"), CASES)
def test_results_of_three(
    engine: str, result: str, moves: str, told: str, text: str, paid: dict[str, Fraction]
) -> None:  # fmt: skip
    position = game(RESULTS.replace("{result}", result), engine).start()
    for move in moves.split():
        position = position.play(move)
    outcome = position.outcome
    assert outcome is not None
    assert (outcome.result, str(outcome), outcome.payoffs) == (told, text, paid)
    assert outcome.winners == (() if told == "draw" else tuple(told.split(" and ")))
    assert outcome.winner == (told if told in paid else None)
    assert position.returns() == [float(value) for value in paid.values()]
    found = json_lines.outcome_dict(outcome)
    assert found is not None
    assert (found["winners"], found["payoffs"]) == (list(outcome.winners), {n: str(v) for n, v in paid.items()})


@on_both_engines
def test_a_lone_player_wins_or_loses(engine: str) -> None:
    text = "move win\n  do n := 1\nmove lose\n  do n := 2\nmove stop\n  do n := 3\nstuck draw\n"
    text += "end\n  Ann wins when n = 1\n  mover loses when n = 2\n  draw when n = 3\n"
    start = game(text, engine, players="Ann").start()
    told = {move: start.play(move).outcome for move in ("win", "lose", "stop")}
    assert [str(outcome).partition(":")[0] for outcome in told.values()] == ["the winner", "lost", "draw"]
    assert [outcome.payoffs["Ann"] for outcome in told.values() if outcome] == [1, -1, 0]


def test_random_games_count_what_several_share() -> None:
    text = RESULTS.replace("{result}", "most points")
    engines = [game(text, engine).engine for engine in ("native", "prolog")]
    found = [playouts(engine, engine.start(), games=60, seed=5) for engine in engines]
    assert found[0] == found[1]
    assert (found[0].games, found[0].unfinished) == (60, 0)
    assert found[0].others > 5
    assert sum(found[0].paid) == 0


def test_a_record_says_who_shares_the_first_place() -> None:
    start = game(RESULTS.replace("{result}", "most points")).start()
    session = Session(start, {})
    for move in ("Ann", "Bob", "Ann", "Bob"):
        session.play(session.position.parse(move))
    record = session.record(Record("seats", {}, start.game.model.digest))
    assert record.result == "Ann and Bob"
    assert contradiction(record, session.position) is None
    wrong = Record("seats", {}, start.game.model.digest, result="Cem")
    assert contradiction(wrong, session.position) == (
        'the record gives the result "Cem", but according to the rules Ann and Bob have won'
    )


def test_who_resigns_leaves_the_first_place_to_the_others() -> None:
    session = Session(game(LEAVING).start(), {})
    session.resign()
    assert str(session.outcome) == "the winners: Bob and Cem (Ann resigned)"


def test_the_native_engine_solves_no_game_of_three() -> None:
    engine = game(LEAVING).engine
    assert type(engine) is NativeAnswers
    assert not hasattr(engine, "prover")


def test_three_programs_play_at_the_command_line(tmp_path: Any) -> None:
    (tmp_path / "seats.rules").write_text(THREE + RESULTS.replace("{result}", "most points"), encoding="utf-8")
    file = tmp_path / "game.txt"
    asked = ["play", str(tmp_path / "seats.rules"), "--seed", "3", "-q", "--save", str(file)]
    asked += [word for name in ("Ann", "Bob", "Cem") for word in ("--seat", f"{name}=random")]
    assert CliRunner().invoke(app, asked).exit_code == 0
    found = json.loads(CliRunner().invoke(app, ["replay", str(file), "--json"]).output)
    assert set(found["outcome"]["payoffs"]) == {"Ann", "Bob", "Cem"}
    assert found["result"] in {"draw", "Ann", "Bob", "Cem", "Ann and Bob", "Ann and Cem", "Bob and Cem"}


@on_both_engines
@pytest.mark.parametrize("others", ["Cem", "none"])
def test_a_column_of_players_who_do_not_play_is_one_of_players(engine: str, others: str) -> None:
    """Where all its entries are absent, too."""
    text = f"""
table player  friend
  Ann         Bob
  Bob         {others}
  Cem         {others}
move keep
  when friend(mover) = Ann
move rest
stuck draw
"""
    position = game(text, engine, players="1 of Ann, Bob, Cem").start()
    assert [str(move) for move in position.legal_moves] == ["rest"]
    both = game(text.replace("Bob         ", "Bob         Ann #"), engine, players="2 of Ann, Bob, Cem").start()
    assert [str(move) for move in both.play("rest").legal_moves] == ["keep", "rest"]


@pytest.mark.slow
def test_options_say_how_many_may_play() -> None:
    """With all their values, also where several are computed with; numbers of players that cannot be are left out."""
    text = "option few, pairs = 1 in {1, 3}\noption any = 2\nmove rest\nstuck draw\n"
    found = {
        count: game(text, "prolog", players=f"{count} of A, B, C, D, E, F").model.seats
        for count in ("pairs * 2", "few + pairs", "few * 2 + pairs", "any", "3")
    }
    assert found == {
        "pairs * 2": (2, 6),
        "few + pairs": (2, 4, 6),
        "few * 2 + pairs": (3, 5),
        "any": (1, 2, 3, 4, 5, 6),
        "3": (3,),
    }
