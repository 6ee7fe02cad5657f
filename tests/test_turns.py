"""Whole turns: listed, counted, drawn by lot, and the positions after them, against a plain recursive walk."""

import random
from collections.abc import Iterator
from dataclasses import dataclass

import pytest

import pysolve
from pysolve.dsl.to_c import print_c
from pysolve.engines import native
from pysolve.engines.protocol import Engine, Move, State
from pysolve.game import Game
from pysolve.position import Position
from pysolve.search import turns
from tests.games import ALIKE, FOLDERS, load, slow_but

GAME = load("tictactoe").model  # of graphs, which are no game
Ways = list[tuple[tuple[str, ...], Position]]


def plain_ways(position: Position) -> Ways:
    """Every turn as the texts of its moves, with the position after it."""
    found: Ways = []
    for move in position.legal_moves:
        after = position.play(move)
        if after.to_move != position.to_move or after.is_over:
            found.append(((move.text,), after))
        else:
            found += [((move.text, *rest), end) for rest, end in plain_ways(after)]
    return found


def changed(name: str, *ending: str) -> pysolve.Game:
    """A game with a first ending of its own."""
    text = (FOLDERS[1] / f"{name}.rules").read_text(encoding="utf-8").split("\nexample")[0]
    return pysolve.load(text.replace("\nend\n", "\nend\n" + "".join(f"  {line}\n" for line in ending), 1))


def met(game: pysolve.Game, moves: int, seed: int = 5) -> Iterator[Position]:
    """Positions of a game by lot, those within turns too."""
    chance, position = random.Random(seed), game.start(seed)
    for _ in range(moves):
        yield position
        if position.is_over:
            return
        position = position.play(position.legal_moves.sample(chance))


WITH_AGAIN = [
    (load("pushers", pieces=1), 6),
    (load("shift", stones=1), 4),
    (load("kalah"), 6),
    (load("checkers"), 24),
    (load("provinces", size=3, steps=3, walkers=1, start_money=20), 8),
]
WITHOUT = [(load("zola", size=4), 3), (load("conga"), 3), (load("tictactoe"), 9), (load("hexxagon"), 2)]
REMEMBERING = [
    (changed("pushers", "draw when turns >= 1"), 3),
    (changed("pushers", "draw when turns >= 3"), 2),
    (changed("pushers", "draw when repeated 2"), 2),
]


ALL = pytest.mark.parametrize(("game", "moves"), [*WITH_AGAIN, *WITHOUT, *REMEMBERING], ids=str)


@ALL
def test_turns_are_those_of_a_plain_walk(game: pysolve.Game, moves: int) -> None:
    for position in met(Game(game.model, "prolog"), moves):
        ways = plain_ways(position)
        found = list(position.turns())
        assert [tuple(move.text for move in turn) for turn in found] == [texts for texts, _ in ways]
        assert [turn.position for turn in found] == [end for _, end in ways]
        assert [turn.position.outcome for turn in found] == [end.outcome for _, end in ways]
        assert list(position.turn_positions()) == list(dict.fromkeys(end for _, end in ways))
        assert position.count_turns() == position.perft(1, turns=True) == len(ways)


@ALL
def test_every_engine_gives_the_same_turns(game: pysolve.Game, moves: int) -> None:
    slow = Game(game.model, "prolog")
    for position in met(game, moves):
        same = Position(slow, position.state, position.turns_played, position._before())
        assert [p.state for p in position.turn_positions()] == [p.state for p in same.turn_positions()]
        assert position.count_turns() == same.count_turns()


@ALL
@pytest.mark.parametrize("engine", slow_but(["auto"], ["prolog", "auto"]))
def test_sequences_of_turns_are_counted_by_first_move(game: pysolve.Game, moves: int, engine: str) -> None:
    *_, position = met(Game(game.model, engine), moves)
    expected = dict.fromkeys((move.text for move in position.legal_moves), 0)
    for texts, end in plain_ways(position):
        expected[texts[0]] += len(plain_ways(end))
    assert position.divide(2, turns=True) == expected
    assert position.perft(2, turns=True) == sum(expected.values())


def test_sequences_of_no_turns_are_one() -> None:
    assert load("pushers").start().perft(0, turns=True) == 1


def test_a_turn_is_a_sequence_of_moves_and_knows_where_it_ends() -> None:
    position = load("pushers").start()
    turn = next(position.turns())
    assert (str(turn), repr(turn)) == ("a1-a2, b1-a1, c1-b1", "<Turn a1-a2, b1-a1, c1-b1>")
    assert (len(turn), turn[0], turn[1:]) == (3, position.legal_moves[0], tuple(turn)[1:])
    assert turn.position == position.play("a1-a2").play("b1-a1").play("c1-b1")
    assert (turn.position.to_move, turn.position.turns_played) == ("Defence", 1)
    assert turn == next(position.turns())
    assert len({*position.turns(), *position.turns()}) == 378


def test_what_was_played_of_a_turn_is_no_part_of_its_rest() -> None:
    rest = load("pushers").start().play("a1-a2").play("b1-a1")
    assert [str(turn) for turn in rest.turns()] == ["c1-b1", "c1-d1", "c1-b2", "c1-c2", "c1-d2", "c1."]


def test_a_forced_pass_is_a_turn() -> None:
    position = load("zola", size=4).position("R.../..B./..../.... Red")
    assert [str(turn) for turn in position.turns()] == ["pass"]


def test_a_game_that_ends_within_a_turn_ends_the_turn() -> None:
    position = load("pushers").position("..../T..C/..../BB.. Offence")
    ends = [turn for turn in position.turns() if turn.position.is_over]
    assert {str(turn[-1]) for turn in ends} == {"d3-c4", "d3-d4"}
    assert {(len(turn), turn.position.to_move) for turn in ends} == {
        (1, "Offence"), (2, "Offence"), (3, "Defence"),  # others could still act, or had acted
    }  # fmt: skip
    assert position.count_turns() == len(list(position.turns())) == len(plain_ways(position))


@pytest.mark.parametrize("game", [load("pushers"), changed("pushers", "draw when turns >= 0")], ids=str)
def test_a_position_that_is_over_has_no_turns(game: pysolve.Game) -> None:
    over = game.position("C.../T.../..../BB.. Defence")
    assert over.is_over
    assert (list(over.turns()), list(over.turn_positions())) == ([], [])
    assert (over.count_turns(), over.perft(1, turns=True), over.divide(1, turns=True)) == (0, 0, {})
    with pytest.raises(IndexError, match="the game is over"):
        over.sample_turn(1)


def test_a_turn_by_lot_draws_each_move_from_the_legal_ones() -> None:
    position = load("pushers").start()
    chance, playing = random.Random(7), position
    while playing.to_move == position.to_move:
        playing = playing.play(playing.legal_moves.sample(chance))
    assert position.sample_turn(7).position == playing
    assert position.sample_turn(7) == position.sample_turn(random.Random(7))
    assert len({position.sample_turn(seed) for seed in range(20)}) > 10
    assert set(map(position.sample_turn, range(20))) <= set(position.turns())


def test_the_positions_after_a_turn_remember_the_game() -> None:
    position = changed("pushers", "draw when turns >= 2").start()
    ends = [end for first in position.turn_positions() for end in first.turn_positions()]
    assert {end.turns_played for end in ends} == {2}
    assert {end.is_over for end in ends} == {True}


# ------------------------------------------------------------------------------------- turns as graphs


@dataclass
class Spot:
    """A state of a graph, with those that its moves lead to."""

    after: tuple[State, ...]
    payoff: tuple[int, ...] | None = None
    ending: int = 0

    @property
    def moves(self) -> list[Move]:
        return [(number,) for number in range(len(self.after))]

    def child(self, index: int) -> State:
        return self.after[index]

    def children(self) -> Iterator[State]:
        return iter(self.after)

    def __len__(self) -> int:
        return len(self.after)


class Graph:
    """An engine for states that are drawn by hand; the first letter is the mover."""

    game = GAME

    def __init__(self, edges: dict[str, str]):
        self.spots = {one.encode(): Spot(tuple(map(str.encode, after.split()))) for one, after in edges.items()}
        self.asked: list[str] = []

    def expand(self, state: State) -> Spot:
        self.asked.append(state.decode())
        return self.spots[state]

    def estimate(self, state: State) -> tuple[int, ...]:
        raise NotImplementedError

    def start(self, seed: int = 0) -> State:
        raise NotImplementedError

    def judge(self, state: State, turns: int, times: int) -> tuple[int, int] | None:
        raise NotImplementedError


# A diamond of two orders; behind it the turn ends in b1, or the game in a4.
DIAMOND = {"a": "a1 a2", "a1": "a3", "a2": "a3 b2", "a3": "b1 a4", "a4": "", "b1": "a a", "b2": ""}
CIRCLE = {"a": "b1 a1", "a1": "a2 b1", "a2": "a b2"}


def test_each_position_within_a_turn_is_looked_at_once() -> None:
    graph = Graph(DIAMOND)
    assert list(turns.turn_positions(graph, b"a")) == [b"b1", b"a4", b"b2"]
    assert sorted(graph.asked) == ["a", "a1", "a2", "a3", "a4"]
    graph = Graph(DIAMOND)
    assert turns.count_turns(graph, b"a") == 5
    assert sorted(graph.asked) == ["a", "a1", "a2", "a3", "a4"]


def test_the_ways_of_a_turn_have_their_states() -> None:
    assert [(way.moves, b" ".join(way.states).decode()) for way in turns.turns(Graph(DIAMOND), b"a")] == [
        (((0,), (0,), (0,)), "a1 a3 b1"),
        (((0,), (0,), (1,)), "a1 a3 a4"),
        (((1,), (0,), (0,)), "a2 a3 b1"),
        (((1,), (0,), (1,)), "a2 a3 a4"),
        (((1,), (1,)), "a2 b2"),
    ]


def test_sequences_of_turns_go_on_from_each_end() -> None:
    graph = Graph(DIAMOND)
    assert [turns.TurnCounter([graph] * depth).count(b"a") for depth in range(5)] == [1, 5, 4, 20, 16]
    assert turns.TurnCounter([graph] * 3).divide(b"a") == [10, 10]


def test_a_turn_that_comes_back_has_no_number() -> None:
    graph = Graph(CIRCLE)
    assert list(turns.turn_positions(graph, b"a")) == [b"b1", b"b2"]
    with pytest.raises(pysolve.EndlessTurn, match="can return to the same position within one turn"):
        turns.count_turns(graph, b"a")
    walked = turns.turns(graph, b"a")
    assert next(walked).states == (b"b1",)
    with pytest.raises(pysolve.EndlessTurn):
        list(walked)


WALK = """\
game "Walk"
players Ann, Bob
board square 2 by 2
state
  token: cell
move go(to: cell) as "to {to}"
  when
    to in neighbours(token)
  do
    token := to
    again
move stop
stuck
  draw
"""


def test_a_turn_of_a_game_that_comes_back_still_has_its_positions() -> None:
    position = pysolve.load(WALK).start()
    for question in (position.count_turns, lambda: list(position.turns()), lambda: position.perft(2, turns=True)):
        with pytest.raises(pysolve.EndlessTurn):
            question()
    assert [after.value("token") for after in position.turn_positions()] == ["b2", "a2", "b1", "a1"]
    assert position.sample_turn(1)[-1].kind == "stop"


def test_a_move_that_changes_nothing_is_endless_too() -> None:
    graph = Graph({"a": "a b", "b": ""})
    assert list(turns.turn_positions(graph, b"a")) == [b"b"]
    with pytest.raises(pysolve.EndlessTurn):
        turns.count_turns(graph, b"a")


def test_a_turn_by_lot_that_cannot_leave_a_circle_is_given_up() -> None:
    with pytest.raises(pysolve.EndlessTurn):
        turns.sample_turn(Graph({"a": "a1", "a1": "a"}), b"a", random.Random(1))


def test_a_turn_may_be_long() -> None:
    graph = Graph({f"a{n}": f"a{n + 1} b{n}" for n in range(5000)} | {"a5000": "b"})
    assert sum(1 for _ in turns.turn_positions(graph, b"a0")) == turns.count_turns(graph, b"a0") == 5001
    assert len(next(turns.turns(graph, b"a0")).moves) == 5001


def test_the_end_of_a_turn_is_not_looked_at_and_nothing_before_it_is_needed() -> None:
    graph = Graph({"a": "b1 b2"})
    assert next(turns.turn_positions(graph, b"a")) == b"b1"
    assert turns.count_turns(graph, b"a") == 2
    assert set(graph.asked) == {"a"}


class Quick(Graph):
    """An engine that answers about turns by itself."""

    def turn_positions(self, state: State) -> Iterator[State]:
        return iter([b"told"])

    def count_turns(self, state: State) -> int:
        return 1000


def test_an_engine_that_can_answers_about_turns_itself() -> None:
    quick: Engine = Quick({"a": "a1 b1", "b1": "b2 a2"})
    assert list(turns.turn_positions(quick, b"a")) == [b"told"]
    assert turns.count_turns(quick, b"a") == 1000
    assert turns.TurnCounter([quick]).divide(b"a") == [1000, 1]


class Sequences:
    """Counts sequences by itself, and remembers what it was asked."""

    def __init__(self) -> None:
        self.asked: list[tuple[State, int]] = []

    def count(self, state: State, turns: int, tick: turns.Tick) -> int:
        self.asked.append((state, turns))
        return 1000


class Quicker(Quick):
    """An engine that answers about sequences of turns, too."""

    def __init__(self, edges: dict[str, str]):
        super().__init__(edges)
        self.counted = Sequences()

    def sequences(self) -> Sequences:
        return self.counted


def test_an_engine_that_can_counts_sequences_of_turns_itself() -> None:
    quicker = Quicker({"a": "a1 b1", "b1": "b2 a2"})
    assert turns.TurnCounter([quicker] * 3).divide(b"a") == [1000, 1000]
    assert quicker.counted.asked == [(b"a1", 3), (b"b1", 2)]
    assert quicker.asked == ["a"]


def test_it_counts_only_the_turns_that_are_its_own() -> None:
    edges = {"a": "b1 b2", "b1": "a1", "b2": "a1 a2"}
    first, then = Graph(edges), Quicker(edges)
    assert turns.TurnCounter([first, then, then]).count(b"a") == 2000
    assert sorted(then.counted.asked) == [(b"b1", 2), (b"b2", 2)]


# ------------------------------------------------------------------- sequences where positions are remembered

TO_AND_FRO = """\
game "To and fro"
players A, B
board square 4 by 1
state
  at(cell): player or none
  steps: 0..2
setup
  at(a1) := A
  at(d1) := B
move step(from, to: cell) as "{from}-{to}"
  when
    at(from) = mover and at(to) = none and to in neighbours(from)
  do
    at(from) := none
    at(to) := mover
    steps := if steps = 2 then 0 else steps + 1
    if steps < 2
      again
move rest
  when steps > 0
  do steps := 0
stuck mover loses
end
  draw when REPEATED
"""
ASKING = [
    "repeated 2", "repeated 3", "repeated 2 ignoring steps", "repeated 3 ignoring mover",
    "repeated 2 ignoring mover, steps", "repeated 2 and at(b1) = A", "repeated 4 and at(b1) = B",
]  # fmt: skip


def forgetful(position: Position) -> Position:
    """The same position on an engine that counts no sequences of turns by itself."""
    game = Game(position.game.model, "prolog")
    return Position(game, position.state, position.turns_played, position._before())


@pytest.mark.parametrize("asking", slow_but(ASKING[:2], ASKING))
def test_turns_are_counted_in_c_as_their_histories_say(asking: str) -> None:
    game = pysolve.load(TO_AND_FRO.replace("REPEATED", asking))
    assert isinstance(game.engine, turns.RememberingTurnEngine)
    counted = []
    for position in met(game, 5):
        for depth in (2, 3):
            counted.append(position.divide(depth, turns=True))
            assert counted[-1] == forgetful(position).divide(depth, turns=True), (position.line(), depth)
    assert len(counted) > 3


def test_an_ending_by_turns_counts_beside_one_by_repetition() -> None:
    game = pysolve.load(TO_AND_FRO.replace("REPEATED", "repeated 2\n  draw when turns >= 3"))
    for position in met(game, 4):
        assert position.divide(4, turns=True) == forgetful(position).divide(4, turns=True)


def test_an_endless_turn_is_endless_where_positions_are_remembered() -> None:
    text = TO_AND_FRO.replace("REPEATED", "repeated 9").replace("if steps = 2 then 0 else steps + 1", "0")
    for position in (pysolve.load(text).start(), forgetful(pysolve.load(text).start())):
        with pytest.raises(turns.EndlessTurn):
            position.perft(2, turns=True)


def test_what_is_too_long_to_count_in_c_is_counted_in_python(monkeypatch: pytest.MonkeyPatch) -> None:
    position = pysolve.load(TO_AND_FRO.replace("REPEATED", "repeated 2")).start()
    expected = position.divide(3, turns=True)
    monkeypatch.setattr(native, "LONGEST_PATH", 4)
    engine = position.game.engine
    assert isinstance(engine, turns.RememberingTurnEngine)
    assert engine.turns_after(position.state, 3, 0, {position.state: 1}) is None
    assert position.divide(3, turns=True) == expected


def test_a_last_turn_of_very_many_orders_is_not_counted_one_by_one() -> None:
    text = "\n".join([
        'game "Orders"', "players A, B", "board square 8 by 1", "state", "  done(cell): bool", "  first: bool",
        'move mark(c: cell) as "{c}"', "  when not done(c) and not first", "  do", "    done(c) := true",
        "    if some x: cell has x != c and not done(x)", "      again", "    then",
        "      if every x: cell has done(x)", "        for x: cell: done(x) := false",
        "move skip", "  when no c: cell has done(c)", "stuck pass", "end draw when repeated 3", "",
    ])  # fmt: skip
    position = pysolve.load(text).start()
    engine = position.game.engine
    assert isinstance(engine, turns.RememberingTurnEngine)
    assert engine.turns_after(position.state, 1, 0, {position.state: 1}) is None
    assert position.perft(1, turns=True) == 40320 + 1


def test_only_games_that_ask_for_repetitions_have_the_c_for_it() -> None:
    assert "ps_turns_after" not in print_c(load("zola").model)
    assert "ps_turns_after" in print_c(load("rook").model)


@pytest.mark.parametrize("ending", ["", "end draw when repeated 3\n"], ids=["", "remembering"])
def test_moves_of_one_text_are_counted_apart(ending: str) -> None:
    position = pysolve.load(ALIKE + ending).start()
    for whole in (False, True):
        assert position.divide(2, whole) == {"quiet a1": 2, "quiet b1": 2, "loud a1": 2, "loud b1": 2}
        assert [position.perft(depth, whole) for depth in (1, 2, 3)] == [4, 8, 0]
    assert forgetful(position).divide(2, turns=True) == position.divide(2, turns=True)
