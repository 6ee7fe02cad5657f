"""What a board shows beside the state, from C, is what the clauses say; and a page waits for no more than that."""

import random
from dataclasses import replace
from math import prod
from pathlib import Path

import pytest

import pysolve
from pysolve.display import scene
from pysolve.dsl import RulesError
from pysolve.dsl.model import Game, Tell
from pysolve.dsl.to_c import print_shown
from pysolve.dsl.to_prolog import print_prolog
from pysolve.engines import shown as native
from pysolve.engines.build import NoCompiler
from pysolve.engines.prolog import PrologEngine
from pysolve.engines.protocol import EngineError, LimitReached, State
from pysolve.engines.shown import NativeShown
from tests.games import PUBLIC, each, load
from tests.random_rules import random_rules

MOST = 2_000
DRAWN = [path for path in PUBLIC if "\nshow" in path.read_text(encoding="utf-8")]
BARE = {"salvage", "sokoban"}  # at first there is nothing to show


def agrees(model: Game, prolog: PrologEngine, states: list[State]) -> int:
    """Compares the answers to all names in some positions; how many there were."""
    quick, answers = NativeShown(model), 0
    for state in states:
        for name in model.shown:
            found = prolog.rows(state, name, MOST)
            assert quick.rows(state, name, MOST) == found, f"{name} in {state!r}"
            answers += len(found)
    return answers


def told_all(model: Game) -> Game:
    """The game with all of its names told that do not have too many answers."""
    asked = [name for name, query in model.queries.items() if query.sorts and prod(s.size for s in query.params) < MOST]
    return replace(model, tells=tuple(Tell(name, name) for name in asked))


def played(game: pysolve.Game, seed: int, length: int) -> list[State]:
    """The states of the beginning of a random game."""
    chance, position = random.Random(seed), game.start(seed)
    states = [position.state]
    while len(states) < length and position.possible_moves:
        position = position.play(chance.choice(position.possible_moves))
        states.append(position.state)
    return states


@pytest.mark.parametrize("path", each(DRAWN, quick=("antiyomacy",), late=("ludo",)))
def test_names_of_show_have_the_same_answers_on_both_engines(path: Path) -> None:
    game = load(path)
    if not game.model.shown:
        pytest.skip("it shows nothing but states and tables")
    answers = agrees(game.model, game.prolog, played(game, 1, 12))
    assert answers or path.stem in BARE


@pytest.mark.slow
def test_all_names_of_random_rules_have_the_same_answers_on_both_engines() -> None:
    answers = 0
    for seed in range(40):
        try:
            game = pysolve.load(random_rules(random.Random(seed)), engine="prolog")
            model = told_all(game.model)
            if model.shown:
                answers += agrees(model, game.prolog, played(game, seed, 4))
        except (RulesError, EngineError):
            continue
    assert answers > 100


@pytest.mark.slow
def test_a_board_is_drawn_without_loading_the_game_into_prolog() -> None:
    game = pysolve.load("antiyomacy")
    position = game.start()
    assert position.rows("acting", 3) == game.shows.rows(position.state, "acting", 3)
    position.svg()
    assert "prolog" not in vars(game)
    assert len(print_shown(game.model)) < len(print_prolog(game.model)) / 4


HOPS = """\
game "Hops"
players Ann, Bob
  out when possible(hop) and mover = Bob
board square 3 by 1
state
  at(cell): player or none
define ways = moves(opponent)
define after(c: cell) = possible(hop) and at(c) = none
move put(c: cell) as "{c}"
  when at(c) = none
  do at(c) := mover
move hop(c: cell) as "hop {c}"
  when at(c) = opponent
  do at(c) := none
stuck pass
end
  draw when every c: cell has at(c) = mover
show
  at: Ann "a", Bob "b", none "."
  after: true "x" red cross
tell ways "moves"
"""


@pytest.mark.slow
def test_names_that_ask_for_legal_moves_have_the_same_answers_on_both_engines() -> None:
    game = pysolve.load(HOPS)
    states = played(game, 1, 12)
    assert agrees(game.model, game.prolog, states)
    quick = NativeShown(game.model)
    found = [quick.outs(state) for state in states]
    assert found == [game.prolog.outs(state) for state in states]
    assert {len(outs) for outs in found} >= {0, 1}


@pytest.mark.slow
def test_prolog_answers_where_nothing_compiles_in_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    game = load("kalah").beside("without a compiler in memory")
    monkeypatch.setattr(native, "compilers", list)
    with pytest.raises(NoCompiler):
        NativeShown(game.model)
    assert game.shows is game.prolog


@pytest.mark.slow
def test_c_that_no_compiler_takes_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    game = load("kalah").beside("with C that is none")
    monkeypatch.setattr(native, "print_shown", lambda game: "this is no C")
    with pytest.warns(RuntimeWarning, match="Prolog answers what Kalah shows.*a mistake in pysolve"):
        assert game.shows is game.prolog


@pytest.mark.slow
def test_what_takes_too_many_steps_is_refused() -> None:
    """And no clock is asked, so a busy machine draws the same."""
    game = load("antiyomacy")
    for few in (NativeShown(game.model, steps=10), PrologEngine(game.model, inferences=500)):
        with pytest.raises(LimitReached, match="needs more"):
            few.rows(game.start().state, "size_now", MOST)


@pytest.mark.parametrize("engine", ["native", "prolog"])
def test_who_is_out_is_known_on_both_engines(engine: str) -> None:
    game = pysolve.load("antiyomacy-many", engine=engine, seats=4)
    start = game.start()
    assert start.players_out() == ()
    lost = start.to_dict()
    lost["state"]["owner"] = {cell: None if who == "Blue" else who for cell, who in lost["state"]["owner"].items()}
    position = game.from_dict(lost)
    assert position.players_out() == ("Blue",)
    assert scene.beside(position)[0] == "out: Blue"
    assert isinstance(game.shows, NativeShown if engine == "native" else PrologEngine)


@pytest.mark.slow
@pytest.mark.parametrize("engine", ["native", "prolog"])
def test_rows_are_asked_of_what_show_draws_alone(engine: str) -> None:
    start = pysolve.load("kalah", engine=engine).start()
    for position in (start, start.view("South")):
        assert len(position.rows("heap", 3)) == 3
        for name in ("seeds", "nothing", "def_heap"):
            with pytest.raises(ValueError, match=f"show draws no .{name}. in Kalah: it draws heap, store"):
                position.rows(name, 3)
        with pytest.raises(ValueError, match="limit must be an integer from 1"):
            position.rows("heap", 0)


@pytest.mark.slow
def test_nobody_is_out_where_the_rules_do_not_say_when() -> None:
    assert load("zola").start().players_out() == ()
    assert not any(line.startswith("out:") for line in scene.beside(load("zola").start()))
