"""Variants in other words: the same game, and everything that is said of it in the new words."""

import random

import pytest

import pysolve
from pysolve.dsl import RulesError, Source, read_rules
from pysolve.dsl.check import check
from pysolve.dsl.model import Game as Model
from pysolve.dsl.notation import move_text
from pysolve.dsl.text.renames import renamed, words
from pysolve.dsl.text.syntax import parse
from pysolve.engines.native import NativeEngine
from pysolve.engines.prolog import PrologEngine
from pysolve.engines.protocol import Engine, EngineError
from pysolve.players.functions import player
from tests.games import slow_but
from tests.random_rules import random_renames, random_rules
from tests.two_engines import answers

HERE = """\
game "Pebbles"  # Red is no name in a comment
players Red, Blue
board square 3 by 1
type tone = High, Low
state
  at(cell): player or none
  tone_of(cell): tone
setup
  position
    Red . Blue
move place(to: cell, tone: tone) as "{to} {tone}"
  when
    at(to) = none  else "taken"
  do
    at(to) := mover
    tone_of(to) := tone
stuck mover loses
end Red wins when at(b1) = Red because "the middle"
show
  at: Red "Red", Blue "Blue", none "."
"""


def test_names_texts_and_parameters_change_and_nothing_else() -> None:
    found = renamed(HERE, {"Red": "Crimson", "tone": "pitch", "High": "Low", "Low": "High"}, {"taken": "gone"})
    lines = found.split("\n")
    assert lines[0] == 'game "Pebbles"  # Red is no name in a comment'
    assert lines[1] == "players Crimson, Blue"
    assert lines[3] == "type pitch = Low, High"
    assert lines[9] == "    Red . Blue"
    assert lines[10] == 'move place(to: cell, pitch: pitch) as "{to} {pitch}"'
    assert lines[12] == '    at(to) = none  else "gone"'
    assert len(lines) == len(HERE.split("\n"))
    assert "Red" in set(words(HERE))
    assert '"taken"' in set(words(HERE))


def test_colours_shapes_and_heads_of_sections_are_no_names() -> None:
    text = """\
state mark: red, green
show
  at, mark: Ann red "red" red disc, Ann "A" red,
    none "." green  # red
  stones: 0 "", number red
  never mark = red and at = none
mark red red "red"
tell green "{red} green"
"""
    new = {"red": "rot", "green": "gruen", "mark": "label", "show": "looks"}
    assert (
        renamed(text, new, {"red": "Red"})
        == """\
state label: rot, gruen
show
  at, label: Ann rot "Red" red disc, Ann "A" red,
    none "." green  # red
  stones: 0 "", number red
  never label = rot and at = none
mark rot red "Red"
tell gruen "{rot} green"
"""
    )


@pytest.mark.parametrize("engine", ["native", "prolog"])
@pytest.mark.parametrize("seed", [1, 2])
def test_secret_service_is_blockade_in_other_words(engine: str, seed: int) -> None:
    """The same states, moves and ends, by number; only the words differ."""
    plain = pysolve.load("blockade", engine=engine).start()
    other = pysolve.load("secret-service", engine=engine).start()
    chance = random.Random(seed)
    for _ in range(120):
        assert plain.state == other.state
        assert list(plain.node.moves) == list(other.node.moves)
        assert (plain.node.payoff, plain.node.ending) == (other.node.payoff, other.node.ending)
        assert plain.game.engine.estimate(plain.state) == other.game.engine.estimate(other.state)
        if plain.is_over:
            break
        index = chance.randrange(len(plain.legal_moves))
        plain, other = plain.play(plain.legal_moves[index]), other.play(other.legal_moves[index])


def read(texts: dict[str, str], name: str) -> Model:
    return check(parse(Source(f"{name}.rules", texts[name])), {}, lambda one, _: Source(f"{one}.rules", texts[one]))


@pytest.mark.slow
@pytest.mark.parametrize("first", slow_but([0], range(0, 60, 10)))
def test_random_rules_in_other_words_are_the_same_game(first: int) -> None:
    """The clauses of a game beside the C of its variant, which speaks other words."""
    renamings = 0
    for seed in range(first, first + 10):
        chance = random.Random(seed)
        text = random_rules(chance)
        texts = {"parent": text, "child": random_renames(chance, text, "parent")}
        try:
            parent = read(texts, "parent")
        except RulesError:
            continue
        renamings += texts["child"].count("\nrename")
        trusted = PrologEngine(parent, 5_000_000, warm=None)
        agree(trusted, NativeEngine(read(texts, "child"), proof=False), chance)
        trusted.close()
    assert renamings > 0


def agree(one: Engine, other: Engine, chance: random.Random, moves: int = 4) -> None:
    """A random game in both; a mistake of the rules is told by each in its own words."""
    try:
        state = one.start(1)
    except EngineError:
        return
    assert other.start(1) == state
    for _ in range(moves):
        expected, found = answers(one, state), answers(other, state)
        if "a mistake" in expected:
            assert "a mistake" in found or "the winner" in found
            return
        assert found == expected
        children = expected.get("the positions after them")
        if not children:
            return
        state = chance.choice(children)


def test_secret_service_speaks_its_own_words() -> None:
    game = pysolve.load("secret-service")
    start = game.start()
    assert game.players == ("Agents", "Insurrectionists")
    assert start.value("at", "f9") == "President"
    said = str(start.why("d5xd6")) + str(start.why("e8>e7")) + start.diagram() + str(start.to_dict())
    assert "only insurrectionists catch, and only the president" in said
    for word in ("Offence", "Defence", "arrier", "locker", "ackler"):
        assert word not in said
    assert {action.name for action in game.model.actions} == {"stay", "step", "push", "catch"}
    caught = game.position("....P...../..I......./" + "/".join([".........."] * 8) + " Insurrectionists")
    assert caught.to_move == "Insurrectionists"


@pytest.mark.slow
def test_its_programs_think_by_rules_in_the_old_words() -> None:
    plain = pysolve.load("blockade-4v3", first="Offence").start()
    other = pysolve.load("secret-service", agents=3, insurrectionists=3, first="Agents").start()
    assert plain.state == other.state
    by = "greedy:by=blockade-forwards"
    moves = [player(by, 1)(position).text for position in (plain, other)]
    assert moves[0] == moves[1]


def test_a_variant_of_a_renamed_variant_renames_once_more() -> None:
    texts = {
        "one": HERE,
        "two": 'game "Two" extends "one"\nrename Red as Rouge\nrename place as put\n',
        "three": 'game "Three" extends "two"\nrename Rouge as Rosso\nrename Blue as Blu\nrename "taken" as "no"\n',
    }

    def find(name: str, _: Source) -> Source | None:
        return Source(f"{name}.rules", texts[name])

    game = check(parse(Source("three.rules", texts["three"])), {}, find)
    assert game.players.labels == ("Rosso", "Blu")
    assert [action.name for action in game.actions] == ["put"]
    assert game.actions[0].demands[0].reason == "no"
    assert game.renamed == {"put": "place", "Rosso": "Red", "Blu": "Blue"}
    assert move_text(game, (0, 2, 1)) == "b1 High"


def test_a_name_in_a_drawing_stays() -> None:
    texts = {"one": HERE}
    child = 'game "Two" extends "one"\nrename Red as Rouge\nreplace show\n  at: Rouge "Red", Blue "Blue", none "."\n'

    def find(name: str, _: Source) -> Source | None:
        return Source(f"{name}.rules", texts[name])

    assert check(parse(Source("two.rules", child)), {}, find).players.labels[0] == "Rouge"
    assert read_rules(HERE).players.labels[0] == "Red"
