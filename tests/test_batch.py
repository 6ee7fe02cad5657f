"""Many games at once: the arrays of a batch beside the engine and positions, game by game and move by move."""

import contextlib
import ctypes
import shutil
import subprocess
import threading
from concurrent.futures import Future, ThreadPoolExecutor, wait
from pathlib import Path
from typing import Any

import pytest

np = pytest.importorskip("numpy")

import pysolve  # noqa: E402
from pysolve import EngineError, RuleMistake  # noqa: E402
from pysolve.dsl.analysis.sampling import by_weight  # noqa: E402
from pysolve.dsl.model.move_numbers import TooManyMoves, move_numbers  # noqa: E402
from pysolve.dsl.to_c import print_games  # noqa: E402
from pysolve.engines import arrays as batches  # noqa: E402
from pysolve.engines import build  # noqa: E402
from pysolve.notation.planes import Planes  # noqa: E402
from pysolve.position import Position  # noqa: E402
from pysolve.search.playouts import chance_lots, playouts  # noqa: E402
from tests import threes  # noqa: E402
from tests.games import PUBLIC, each, load, slow_but  # noqa: E402

Batch = batches.Batch


@pytest.fixture(autouse=True)
def quick_builds(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Games are compiled by tcc alone, where it is there, but for the tests that are about compilers."""
    if "compiler" not in request.fixturenames:
        ladder = build.compilers()
        monkeypatch.setattr(batches, "compilers", lambda: [one for one in ladder if one.in_memory] or ladder)


def live(batch: Batch) -> Any:
    return ~(batch.terminated | batch.truncated)


# ------------------------------------------------------------------------------------ beside the engine


@pytest.mark.parametrize("path", each(PUBLIC, quick=["zola", "yoxii", "connect_four", "pig"]))
def test_each_game_of_a_batch_is_played_as_a_position_is(path: Path) -> None:
    play_beside_positions(load(path))


@pytest.mark.parametrize("players", [1, 3, 5])
def test_so_it_is_with_other_numbers_of_players(players: int) -> None:
    play_beside_positions(threes.game(players), 30)


def play_beside_positions(game: pysolve.Game, count: int = 6) -> None:
    """Random games to their end, but no longer than 60 moves."""
    batch = game.batch(count, seed=5, longest=60, threads=2)
    luck = [chance_lots(5 + at) for at in range(count)]
    played = [0] * count

    def rolled(at: int, position: Position) -> Position:
        """The position in which a player chooses, or the game is over or cut."""
        while played[at] < 60 and position.node.weights is not None:
            position = position.child(by_weight(next(luck[at]), position.node.weights))
            played[at] += 1
        return position

    positions = [rolled(at, game.start(5 + at)) for at in range(count)]
    for ply in range(62):
        pictures = batch.observe()
        for at in np.flatnonzero(live(batch)):
            node = positions[at].node
            assert batch.states[at].tobytes() == positions[at].state
            numbers = np.flatnonzero(batch.legal[at])
            assert [batch.numbers.decode(int(one)) for one in numbers] == list(node.moves)
            assert [batch.numbers.encode(move) for move in node.moves] == list(numbers)
            assert batch.choices[at] == len(numbers)
            assert batch.to_move[at] == positions[at].state[0] - 1
            if ply % 10 == 0:
                assert (pictures[at] == batch.planes.observe(positions[at].state, batch.to_move[at])).all()
        moving = np.flatnonzero(live(batch))
        moves = batch.random_moves().copy()
        rewards, terminated, truncated = batch.step(moves)
        for at in moving:
            move = batch.numbers.decode(int(moves[at]))
            positions[at] = positions[at].play(next(one for one in positions[at].legal_moves if one.numbers == move))
            played[at] += 1
            positions[at] = rolled(at, positions[at])
            assert batch.played[at] == played[at]
            assert terminated[at] == positions[at].is_over
            assert truncated[at] == (not terminated[at] and played[at] == 60)
            assert list(rewards[at]) == pytest.approx(positions[at].returns())
        assert not rewards[~np.isin(range(count), moving)].any()
        assert not batch.legal[~live(batch)].any()
    assert not live(batch).any()


@pytest.mark.parametrize("name", ["connect_four", "zola"])
def test_random_games_of_a_batch_are_those_of_playouts(name: str) -> None:
    game = load(name)
    batch = game.batch(300, seed=11, threads=1)
    total = np.zeros(2)
    wins = 0
    while live(batch).any():
        rewards = batch.step(batch.random_moves()).rewards
        total += (rewards > 0).sum(axis=0)
        wins += int((rewards > 0).any(axis=1).sum())
    found = playouts(game.engine, game.start().state, 300, seed=11, longest=1000)
    assert (tuple(total), 300 - wins, int(batch.played.sum())) == (found.wins, found.draws, found.moves)


@pytest.mark.parametrize("again", [False, True])
def test_how_many_threads_work_does_not_matter(again: bool) -> None:
    def played(threads: int) -> list[Any]:
        batch = load("antiyomacy").batch(101, seed=2, longest=30, again=again, threads=threads)
        found = []
        for _ in range(40):
            step = batch.step(batch.random_moves())
            found += [batch.states.copy(), batch.observe().copy(), step.rewards, step.truncated.copy()]
        return found

    for one, other in zip(played(1), played(5), strict=True):
        assert (one == other).all()


def test_games_begin_again_with_seeds_of_their_own() -> None:
    game = load("antiyomacy")
    batch = game.batch(3, seed=10, longest=2, again=True)
    for begun in range(3):
        assert [state.tobytes() for state in batch.states] == [
            game.start(10 + 3 * begun + at).state for at in range(3)]  # fmt: skip
        batch.step(batch.random_moves())
        assert not batch.truncated.any()
        batch.step(batch.random_moves())
        assert batch.truncated.all()
        assert not batch.played.any()
    which = np.array([False, True, False])
    before = batch.states.copy()
    batch.reset(which)
    assert list((batch.states != before).any(axis=1)) == [False, True, False]
    assert batch.states[1].tobytes() == game.start(10 + 3 * 4 + 1 - 3 + 3).state


def test_a_batch_stands_still_where_a_game_is_over() -> None:
    game = load("tictactoe")
    batch = game.batch(2)
    for move in (0, 3, 1, 4, 2):
        rewards, terminated, _ = batch.step([move, 8 - move])
    assert (rewards.tolist(), list(terminated)) == ([[1, -1], [1, -1]], [True, True])
    before = batch.states.copy()
    rewards, terminated, truncated = batch.step([-5, 1000])
    assert (rewards == 0).all()
    assert terminated.all()
    assert not truncated.any()
    assert (batch.states == before).all()
    assert list(batch.random_moves()) == [0, 0]
    batch.reset([True, False])
    assert list(batch.terminated) == [False, True]
    assert batch.legal[0].all()


def test_more_moves_than_there_is_room_for_are_found_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batches, "ROOM", 2)
    batch = load("connect_four").batch(5, again=True)
    assert (batch.legal.sum(axis=1) == 7).all()
    for _ in range(100):
        batch.step(batch.random_moves())
    assert (batch.choices > 0).all()


# --------------------------------------------------------------------------------------------- compilers


@pytest.fixture(params=slow_but(["tcc"], ["cc", "tcc", "zig"]))
def compiler(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    try:
        ladder = build.compilers(request.param)
    except build.NoCompiler:
        pytest.skip(f"there is no {request.param} here")
    monkeypatch.setattr(batches, "compilers", lambda: ladder)
    return str(request.param)


def test_every_compiler_plays_the_same(compiler: str) -> None:
    batch = load("go-5x5").batch(20, seed=3, longest=50)
    assert batch.library.compiler == compiler
    for _ in range(50):
        batch.step(batch.random_moves())
    batch.observe()
    assert (int(batch.states.astype(int).sum()), int(batch.played.sum())) == EXPECTED_OF_GO


EXPECTED_OF_GO = (661, 767)  # all bytes of the states together, moves played


@pytest.mark.skipif(shutil.which("gcc") is None, reason="there is no gcc here")
@pytest.mark.parametrize("name", ["tictactoe", pytest.param("go-5x5", marks=pytest.mark.slow), "antiyomacy"])
def test_the_c_compiles_without_a_warning(name: str, tmp_path: Path) -> None:
    (tmp_path / "games.c").write_text(print_games(load(name).model), encoding="ascii")
    flags = ("-fsyntax-only", "-std=gnu11", "-Wall", "-Wextra", "-Wno-unused-function", "-Werror")
    done = subprocess.run(["gcc", *flags, tmp_path / "games.c"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[:2000]


@pytest.mark.slow
def test_a_new_library_that_plays_otherwise_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """The C of a game that has other moves in the same places stands for a compiler's mistake."""
    ladder = [one for one in build.compilers() if not one.in_memory]
    if not ladder:
        pytest.skip("only tcc is here")
    other = print_games(pysolve.load(PUT % "a1").model)
    monkeypatch.setattr(batches, "compilers", lambda: ladder)
    monkeypatch.setattr(batches, "print_games", lambda game: other)
    with pytest.raises(EngineError, match="has built Put for many games, and it plays other moves than the rules have"):
        pysolve.load(PUT % "b2").batch(1)


PUT = """\
game "Put"
players White, Black
board square 2 by 2
state
  at(cell): player or none
move put(to: cell) as "{to}"
  when
    at(to) = none
    to != %s
  do
    at(to) := mover
show
  at: White "w", Black "b", none "."
stuck draw
"""


# ------------------------------------------------------------------------------------------- what is wrong


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"count": 0}, "count must be an integer from 1 to 16,777,216, not 0"),
        ({"count": "many"}, "count must be an integer, not 'many'"),
        ({"count": 1, "longest": 0}, "longest must be an integer from 1 to 1,073,741,824, not 0"),
        ({"count": 1, "threads": 0}, "threads must be an integer from 1 to 1,024, not 0"),
        ({"count": 1, "seed": "x"}, "seed must be an integer, not 'x'"),
    ],
)
def test_arguments_out_of_range_are_named(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises((TypeError, ValueError)) as caught:
        load("tictactoe").batch(**arguments)
    assert str(caught.value) == message


@pytest.mark.parametrize(
    ("moves", "message"),
    [
        ([4, 4], 'in game 1 move 4 ("b2") is not legal'),
        ([1, 9], "in game 1 move 9 is not legal"),
        ([-1, 0], "in game 0 move -1 is not legal"),
        ([1, 2**32 + 1], "in game 1 move 4294967297 is not legal"),
        ([0, 0, 0], "moves must have the shape (2,), one for each game, not (3,)"),
        ([0.0, 1.0], "moves must be an array of whole numbers, not of float64"),
    ],
)
def test_a_move_that_cannot_be_played_is_named_and_nothing_moves(moves: list[Any], message: str) -> None:
    batch = load("tictactoe").batch(2)
    batch.step([0, 4])
    before = batch.states.copy()
    with pytest.raises((TypeError, ValueError)) as caught:
        batch.step(moves)
    assert str(caught.value) == message
    assert (batch.states == before).all()


def test_games_are_chosen_by_truth_values() -> None:
    with pytest.raises(TypeError, match="which must be an array of truth values, not of int64"):
        load("tictactoe").batch(2).reset([0, 1])


def test_the_arrays_cannot_be_written() -> None:
    batch = load("tictactoe").batch(2)
    with pytest.raises(ValueError, match="read-only"):
        batch.legal[0, 0] = False


def test_a_game_with_too_many_combinations_is_refused() -> None:
    text = PUT.replace("2 by 2", "19 by 19").replace("put(to: cell)", "put(to, a, b: cell)")
    text = text.replace('"{to}"', '"{to}{a}{b}"')
    with pytest.raises(TooManyMoves) as caught:
        pysolve.load(text.replace("to != %s", "a = to\n    b = to")).batch(2)
    assert str(caught.value) == (
        "the moves of Put cannot be numbered: there are 47,045,881 combinations of kinds and parameters, 47,045,881 of "
        "them of put, and at most 1,048,576 are allowed; let a kind of moves choose less at once, and continue with "
        "`again`"
    )


def test_a_batch_needs_a_compiler(monkeypatch: pytest.MonkeyPatch) -> None:
    def none() -> list[build.Compiler]:
        raise build.NoCompiler("there is no C compiler here")

    monkeypatch.setattr(batches, "compilers", none)
    with pytest.raises(EngineError) as caught:
        load("tictactoe").batch(2)
    assert str(caught.value) == (
        "many games at once are played in C, which cannot be built here: there is no C compiler here"
    )


def test_a_mistake_of_the_rules_is_told_as_the_engine_tells_it() -> None:
    text = PUT.replace("state\n", "state\n  n: 0..1\n").replace(":= mover", ":= mover\n    n := n + 1") % "a1"
    batch = pysolve.load(text, engine="native").batch(2)
    batch.step([1, 2])
    with pytest.raises(RuleMistake, match=r'"n" becomes 2, but it holds 0\.\.1') as caught:
        batch.step([2, 3])
    assert caught.value.place == "n"


@pytest.mark.slow
def test_more_games_than_there_is_memory_for_are_refused() -> None:
    with pytest.raises(pysolve.LimitReached, match="there is no memory for 16,777,216 games of Go on a small board"):
        load("go-5x5").batch(1 << 24, longest=1 << 30)


WALK = """\
game "Walk"
players White, Black
board square 3 by 1
state
  man: cell
setup
  man := a1
move go(to: cell) as "{to}"
  when
    to in neighbours(man)
  do
    man := to
show
  man: "m"
stuck draw
"""


def test_a_game_that_cannot_move_is_as_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    def no_more(room: int) -> int:
        raise pysolve.LimitReached(f"no more than {room}")

    monkeypatch.setattr(batches, "ROOM", 2)
    monkeypatch.setattr(batches, "more_moves", no_more)
    batch = pysolve.load(WALK).batch(1)
    before = batch.legal.copy()
    with pytest.raises(pysolve.LimitReached, match="no more than 2"):
        batch.step(batch.random_moves())
    assert (batch.legal == before).all()
    assert batch.legal.sum() == batch.choices[0] == 1


def test_what_is_given_for_moves_may_change_and_attributes_may_be_set() -> None:
    """C is given copies, and what its arrays are is decided once."""
    batch, other = (load("tictactoe").batch(3, seed=1) for _ in range(2))
    moves = np.array([3, 3, 3], np.int32)
    batch.step(moves)
    assert list(moves) == [3, 3, 3]
    batch.states, batch.legal, batch.count = np.zeros(1), np.zeros(1), 1
    with pytest.raises(ValueError, match=r"moves must have the shape \(3,\), one for each game, not \(1,\)"):
        batch.step([3])
    batch.step(moves + 1)
    other.step(moves)
    other.step(moves + 1)
    assert (batch._written[0] == other.states).all()


def test_one_question_at_a_time() -> None:
    """Threads that step the same batch wait for each other, so no move is played where it was not checked."""
    batch = load("connect_four").batch(64, longest=200, again=True, threads=2)

    def play(_: int) -> None:
        for _ in range(50):
            with contextlib.suppress(ValueError):
                batch.step(batch.random_moves())

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(play, range(4)))
    assert (batch.legal.sum(axis=1) == batch.choices).all()


def test_an_interrupted_question_ends_before_its_arrays_can_go(monkeypatch: pytest.MonkeyPatch) -> None:
    batch, waits = load("tictactoe").batch(64, threads=2), []

    def interrupted(asked: list[Future[int]], timeout: float | None = None) -> None:
        waits.append(timeout)
        if len(waits) < 4:
            raise KeyboardInterrupt
        assert all(worker.control.stop for worker in batch._workers)
        goes_on.set()
        wait(asked)

    goes_on = threading.Event()
    monkeypatch.setattr(batches, "wait", interrupted)
    with pytest.raises(KeyboardInterrupt):
        batch._awaited(batch._pool, [lambda: int(goes_on.wait()) for _ in range(2)])
    assert waits == [None, 0.1, 0.1, 0.1]


def test_a_question_that_is_stopped_says_so() -> None:
    batch = load("tictactoe").batch(2)
    control = batches.Control(stop=1)
    worker = batch._workers[0]
    arguments = ctypes.addressof(batch._games), 0, 2, np.array([0, 1], np.int32).ctypes.data
    found = batch._functions.step(ctypes.addressof(control), *arguments, worker._room, 4096)
    with pytest.raises(pysolve.LimitReached, match="stopped"):
        batch._complain(found, control)


# ------------------------------------------------------------------------------------------ moves, planes


@pytest.mark.parametrize("path", each(PUBLIC))
def test_numbers_of_moves_go_there_and_back(path: Path) -> None:
    model = load(path).model
    numbers = move_numbers(model)
    ends = [at for kind in numbers.kinds for at in (kind.first, kind.first + kind.count - 1)]
    assert [numbers.encode(numbers.decode(at)) for at in ends] == ends
    assert ends[-1] == numbers.count - 1
    for wrong in (-1, numbers.count):
        with pytest.raises(IndexError, match=f"there is no move {wrong}: there are "):
            numbers.decode(wrong)


def picture(planes: Planes, state: bytes, player: int) -> dict[str, Any]:
    return dict(zip(planes.names, planes.observe(state, player).tolist(), strict=True))


def test_planes_of_connect_four() -> None:
    game = load("connect_four")
    planes = Planes(game.model)
    state = game.start().play("d").play("d").play("e").state
    assert planes.shape == (4, 6, 7)
    mine, theirs = [[0] * 7 for _ in range(6)], [[0] * 7 for _ in range(6)]
    mine[1][3] = theirs[0][3] = theirs[0][4] = 1
    zeros, ones = [[0] * 7] * 6, [[1] * 7] * 6
    assert picture(planes, state, 1) == {
        "you Yellow": zeros, "you Red": ones, "at = you": mine, "at = next": theirs}  # fmt: skip
    assert picture(planes, state, 0) == {
        "you Yellow": ones, "you Red": zeros, "at = you": theirs, "at = next": mine}  # fmt: skip


PLANES = """\
game "Planes"
players White, Black
board square 3 by 2
type man = king, rook
state
  men(cell): man or none
  far: cell or none
  gold(player): 0..1000
  debt(cell): -2..3
  lamp: bool
  mode: quiet, loud
  owed(player, 1..5): 0..3
setup
  men(b1) := rook
  men(c2) := king
  far := a2
  gold(White) := 700
  gold(Black) := 3
  debt(a1) := -1
  lamp := true
  mode := loud
  owed(White, 2) := 3
  owed(Black, 1) := 1
move rest
stuck draw
show
  men: king "k", rook "r", none "."
"""


def test_planes_of_every_kind_of_variable() -> None:
    game = pysolve.load(PLANES)
    planes = Planes(game.model)
    full = lambda value: [[value] * 3] * 2
    expected = {
        "you White": full(0), "you Black": full(1),
        "men = king": [[0, 0, 0], [0, 0, 1]], "men = rook": [[0, 1, 0], [0, 0, 0]],
        "far": [[0, 0, 0], [1, 0, 0]],
        "gold(you)": full(3), "gold(you) / 256": full(0),
        "gold(next)": full(700 % 256), "gold(next) / 256": full(700 // 256),
        "debt": [[1, 0, 0], [0, 0, 0]],
        "lamp": full(1), "mode = quiet": full(0), "mode = loud": full(1),
        "owed(0 …)": [[1, 0, 0], [0, 0, 0]], "owed(6 …)": [[3, 0, 0], [0, 0, 0]],
    }  # fmt: skip
    state = game.start().state
    assert picture(planes, state, 1) == expected
    batch = Batch(game.model, game.engine, 2)
    batch.step([0, 0])
    assert (batch.observe()[1] == planes.observe(batch.states[1].tobytes(), 1)).all()
    scaled = dict(zip(planes.names, planes.scaled(state, 1), strict=True))
    assert scaled["debt"][0, 0] == pytest.approx(1 / 5)
    assert scaled["gold(next) / 256"][0, 0] == pytest.approx(2 / 3)
    assert max(plane.max() for plane in scaled.values()) <= 1
