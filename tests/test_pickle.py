"""Positions travel between processes."""

import copy
import multiprocessing
import pickle

import pytest

import pysolve


def test_a_position_is_the_same_after_pickling() -> None:
    position = pysolve.load("zola", size=4).start().play("a1xb1")
    again = pickle.loads(pickle.dumps(position))
    assert again == position
    assert [str(move) for move in again.legal_moves] == [str(move) for move in position.legal_moves]


def test_a_remembered_game_remembers_after_pickling() -> None:
    game = pysolve.load(REPEATING)
    position = game.start()
    for move in ("a1", "b1", "a1", "b1", "a1"):
        position = pickle.loads(pickle.dumps(position.play(move)))
    assert str(position.outcome) == "draw: again and again"


@pytest.mark.slow
def test_another_process_can_play_on() -> None:
    position = pysolve.load("conga").start()
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        assert pool.apply(_count, (position,)) == len(position.legal_moves)


@pytest.mark.parametrize("engine", ["native", "prolog"])
def test_an_engine_is_not_pickled_but_its_game_is(engine: str) -> None:
    game = pysolve.load("tictactoe", engine=engine)
    for carry in (pickle.dumps, copy.copy, copy.deepcopy):
        with pytest.raises(TypeError, match=r"^an engine cannot be pickled or copied: its game can be, as in  pickle"):
            carry(game.engine)
    assert pickle.loads(pickle.dumps(game)).start() == game.start()


@pytest.mark.slow
def test_a_batch_is_not_pickled() -> None:
    pytest.importorskip("numpy")
    batch = pysolve.load("tictactoe").batch(2)
    for carry in (pickle.dumps, copy.copy, copy.deepcopy):
        with pytest.raises(TypeError, match=r"^a batch cannot be pickled or copied: make another one where it is need"):
            carry(batch)


def _count(position: pysolve.Position) -> int:
    return len(position.legal_moves)


REPEATING = """
game "To and fro"
players White, Black
board square 2 by 1
state
  token: cell
move go(to: cell) as "{to}"
  when
    to in {a1, b1}
  do
    token := to
stuck
  draw
end
  draw when repeated 3 because "again and again"
"""
