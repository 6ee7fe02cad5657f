"""Positions and their moves are values: they do not change, and what is no move of theirs is refused."""

import copy

import pytest

import pysolve
from pysolve.position import InvalidMove, Move, Position

ZOLA = pysolve.load("zola", size=4).start()
LARGE = pysolve.load("zola", size=6).start()
CONGA = pysolve.load("conga").start()
GO = pysolve.load("go-5x5").start()  # its endings ask about the game so far


@pytest.mark.parametrize("name", ["state", "game", "turns_played", "mover"])
def test_a_position_does_not_change(name: str) -> None:
    with pytest.raises(AttributeError, match="positions are immutable"):
        setattr(ZOLA, name, ZOLA.state)
    assert copy.deepcopy(GO.play("c3")).play("pass").turns_played == 2


@pytest.mark.parametrize(
    ("name", "instead"),
    [
        ("push", "position = position.play(move)"),
        ("push_san", "play returns the next position"),
        ("pop", "to take a move back"),
    ],
)
def test_a_method_that_would_change_a_position_says_what_to_do(name: str, instead: str) -> None:
    assert not hasattr(ZOLA, name)
    with pytest.raises(AttributeError, match=r"^positions are immutable: ") as error:
        getattr(ZOLA, name)
    assert instead in str(error.value)


@pytest.mark.parametrize("position", [ZOLA, CONGA, GO], ids=lambda position: position.game.name)
def test_a_depth_is_a_number_from_0(position: Position) -> None:
    assert position.perft(0) == 1
    for turns in (False, True):
        with pytest.raises(ValueError, match="depth must be an integer from 0 to 200, not -1"):
            position.perft(-1, turns=turns)
        with pytest.raises(ValueError, match="depth must be an integer from 1 to 200, not 0"):
            position.divide(0, turns=turns)
    with pytest.raises(TypeError):
        position.perft(2.5)  # type: ignore[arg-type]


def test_a_move_of_another_game_is_refused() -> None:
    """The numbers of a capture on the large board may be those of a legal one on the small board."""
    legal = ZOLA.legal_moves[5]
    foreign = Move("somewhere else", legal.kind, legal.params, legal.numbers)
    for move in (foreign, LARGE.legal_moves[-1], CONGA.legal_moves[0], Move("pass", "pass", {})):
        assert move not in ZOLA.legal_moves
        with pytest.raises(InvalidMove, match="is a move of another game"):
            ZOLA.play(move)
    assert not ZOLA.why(CONGA.legal_moves[0]).legal
    assert legal in ZOLA.legal_moves
    assert ZOLA.why(legal).legal


def test_what_is_no_move_at_all_is_a_mistake_of_the_program() -> None:
    with pytest.raises(TypeError, match="a move is a Move or its text, not None"):
        ZOLA.play(None)  # type: ignore[arg-type]


def test_moves_are_counted() -> None:
    moves = ZOLA.legal_moves
    assert [moves.count(), moves.count("a1xb1"), moves.count("a1-b1"), moves.count(moves[3])] == [16, 1, 0, 1]


@pytest.mark.parametrize("name", ["", ".", "/"])
def test_a_game_has_a_name(name: str) -> None:
    with pytest.raises(pysolve.UnknownGame, match="is not the name of a rules file: expected a name like zola"):
        pysolve.load(name)


def test_counting_moves_one_by_one_looks_at_no_position_behind_the_last(monkeypatch: pytest.MonkeyPatch) -> None:
    game = pysolve.load("tictactoe", engine="prolog")
    asked: list[bytes] = []
    expand = game.engine.expand
    monkeypatch.setattr(game.engine, "expand", lambda state: asked.append(state) or expand(state))
    ticks: list[int] = []
    assert sum(game.start().divide(2).values()) == 72
    assert len(set(asked)) == len(asked) == 10
    assert game.start().perft(0, tick=ticks.append) == sum(ticks) == 1


def test_a_position_without_a_board_is_facts_alone() -> None:
    game = pysolve.load("nim")
    position = game.start().play("A1").play("D3")
    assert position.line() == "First matches(A)=0 matches(D)=4"
    assert position.diagram() == "position First, matches(A) = 0, matches(D) = 4"
    for text in (position.line(), position.diagram()):
        assert game.position(text) == position
