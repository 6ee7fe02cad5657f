"""What is said when a game has ended by `most` or `least`: the numbers that were compared, and which decided."""

import json
import random
import re

import pytest

import pysolve
from pysolve.authoring import examples
from pysolve.engines import build
from pysolve.notation import record as records
from pysolve.notation.json_lines import outcome_dict
from pysolve.players.session import Session
from pysolve.position import Outcome, Score

RULES = """
game "Counting"
players North, South
board square 4 by 1
state
  left: 0..9
  gold(player): -20..300
  men(player): 0..9
  clock: 0..9
setup
  for p: player: gold(p) := 0
define ahead(p: player): int = if p = mover then 1 else 0
define first_gold(p: player): int = first n in 1..9 where n = gold(p)
move take as "take"
  when left > 0
  do
    left := left - 1
    clock := clock + 1
move wait as "wait"
  when left > 0
stuck
  most gold, then least men, else South wins because "nothing is left"
end
  most gold, else most men, then least first_gold when clock = 3 because "three are taken"
  least ahead when clock = 4
  draw when clock = 5
"""
ENGINES = [
    "prolog",
    pytest.param("native", marks=pytest.mark.skipif(
        not any(build._find(name) for name in build.COMPILERS), reason="nothing compiles C here")),
]  # fmt: skip


@pytest.fixture(params=ENGINES)
def game(request: pytest.FixtureRequest) -> pysolve.Game:
    return pysolve.load(RULES, engine=request.param)


def ended(game: pysolve.Game, mover: str = "North", **values: int) -> Outcome:
    """How the game has ended in a position where these have so much: n_gold, s_gold, n_men, s_men, clock, left."""
    players = {"n": "North", "s": "South"}
    position = game.start().to_dict()
    position["mover"] = mover
    for name, value in values.items():
        if "_" in name:
            position["state"][name[2:]][players[name[0]]] = value
        else:
            position["state"][name] = value
    outcome = game.position(json.dumps(position)).outcome
    assert outcome is not None
    return outcome


@pytest.mark.parametrize(("values", "said", "by"), [
    ({"n_gold": 12, "s_gold": 9}, "the winner: North, by gold: 12 to 9 (nothing is left)", "gold"),
    ({"n_gold": -3, "s_gold": 298}, "the winner: South, by gold: 298 to -3 (nothing is left)", "gold"),
    ({"n_men": 2, "s_men": 5}, "the winner: North, by least men: 2 to 5, after gold 0 to 0 (nothing is left)", "men"),
    ({"n_gold": 7, "s_gold": 7}, "the winner: South, gold 7 to 7, men 0 to 0 (nothing is left)", None),
    # `else most …` goes on; what has no value counts as 0
    ({"clock": 3, "n_gold": 12, "s_gold": 11}, "the winner: North, by gold: 12 to 11 (three are taken)", "gold"),
    ({"clock": 3, "s_men": 1}, "the winner: South, by men: 1 to 0, after gold 0 to 0 (three are taken)", "men"),
    ({"clock": 3, "n_gold": 5, "s_gold": 5},
     "draw: gold 5 to 5, men 0 to 0, first_gold 5 to 5 (three are taken)", None),
    ({"clock": 5, "n_gold": 5}, "draw: clock = 5", None),
], ids=str)  # fmt: skip
def test_an_outcome_says_what_was_compared(game: pysolve.Game, values: dict[str, int], said: str, by: str) -> None:
    outcome = ended(game, **values)
    assert str(outcome) == said
    assert outcome.by == by
    assert outcome.reason in ("nothing is left", "three are taken", "clock = 5")


def test_in_an_ending_the_mover_is_who_has_just_moved(game: pysolve.Game) -> None:
    outcome = ended(game, mover="North", clock=4)
    assert outcome.scores == (Score("ahead", {"North": 0, "South": 1}, least=True),)
    assert str(outcome) == "the winner: North, by least ahead: 0 to 1 (clock = 4)"


def test_scores_are_data(game: pysolve.Game) -> None:
    outcome = ended(game, n_men=2, s_men=5)
    assert json.loads(json.dumps(outcome_dict(outcome))) == {
        "winner": "North", "reason": "nothing is left", "by": "men",
        "scores": {"gold": {"North": 0, "South": 0}, "men": {"North": 2, "South": 5}},
    }  # fmt: skip
    assert outcome_dict(ended(game, clock=5)) == {"winner": None, "reason": "clock = 5"}
    assert hash(outcome) == hash(ended(game, n_men=2, s_men=5))


def test_an_example_still_names_the_reason_alone() -> None:
    text = (
        RULES
        + """
example "the reason"
  position North, left = 0, gold(North) = 3
  result North wins because "nothing is left"
"""
    )
    assert examples.run(pysolve.load(text)) == []


def test_a_record_tells_the_scores_and_is_read_again() -> None:
    game = pysolve.load(RULES)
    position = game.position("position North, left = 1, gold(North) = 0, gold(South) = 4\n. . . .")
    session = Session(position, {"North": None, "South": None})
    session.play(session.position.legal_moves[0])
    record = session.record(records.Record("counting", {}, ""))
    assert record.termination == "by gold: 4 to 0 (nothing is left)"
    assert records.read(records.write(record)).termination == record.termination


@pytest.mark.parametrize(("name", "options", "line"), [
    ("othello", {"size": 4}, r", by discs: \d+ to \d+ \("),
    ("kalah", {}, r"(South|North), by total: \d+ to \d+ \("),
])  # fmt: skip
def test_shipped_games_say_the_points(name: str, options: dict[str, object], line: str) -> None:
    chance, position = random.Random(2), pysolve.load(name, **options).start()
    while position.outcome is None:
        position = position.play(chance.choice(position.legal_moves))
    assert re.search(line, str(position.outcome))
