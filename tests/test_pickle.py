"""Positions travel between processes."""

import multiprocessing
import pickle

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


def test_another_process_can_play_on() -> None:
    position = pysolve.load("conga").start()
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        assert pool.apply(_count, (position,)) == len(position.legal_moves)


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
