"""Games in other libraries: their own tests of environments, and games played there beside positions."""

import copy
import importlib
import random
import runpy
import sys
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import pysolve
from pysolve.adapters.moves import NumberedGame
from pysolve.runtime.optional import MissingLibrary
from tests import threes
from tests.games import FOLDERS, load

np = pytest.importorskip("numpy")
SHIPPED = sorted(FOLDERS[0].glob("*.rules"))
SOME = (
    "zola",
    "yoxii",
    "nine_mens_morris",
    "hex-swap",
    "othello",
    "antiyomacy",
    "pig",
    "2048",
    "salvage",
    "kuhn_poker",
    "phantom_tictactoe",
)  # all of them take minutes


def sampled(paths: list[Path] = SHIPPED) -> list[Any]:
    """Shipped games as parameters: a small one always, some with --all, all with --long."""
    marks = {"tictactoe": (), **dict.fromkeys(SOME, (pytest.mark.slow,))}
    return [pytest.param(path, id=path.stem, marks=marks.get(path.stem, (pytest.mark.long,))) for path in paths]


NIM = """\
game "Nim"
players First, Second
board square 1 by 1
state
  left: 0..4
setup
  left := 4
move take(n: 1..2) as "{n}"
  when
    left >= n
  do
    left := left - n
stuck opponent wins
show
  left: number
"""


@pytest.mark.parametrize(
    ("module", "library", "extra", "what"),
    [
        ("engines.arrays", "numpy", "batch", "a batch of games needs numpy"),
        ("notation.planes", "numpy", "batch", "a position as planes of numbers needs numpy"),
        ("adapters.open_spiel", "pyspiel", "open_spiel", "the adapter for OpenSpiel needs pyspiel"),
        ("adapters.pettingzoo", "pettingzoo", "gym", "an environment of PettingZoo needs pettingzoo"),
        ("adapters.gym", "gymnasium", "gym", "an environment of Gymnasium needs gymnasium"),
    ],
)
def test_a_missing_library_is_named_with_its_extra(
    module: str, library: str, extra: str, what: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if module in ("adapters.gym", "adapters.pettingzoo"):  # which stand on seats
        pytest.importorskip("gymnasium")
        importlib.import_module("pysolve.adapters.seats")
    if module == "engines.arrays":
        importlib.import_module("pysolve.notation.planes")
    monkeypatch.delitem(sys.modules, f"pysolve.{module}", raising=False)
    monkeypatch.setitem(sys.modules, library, None)
    with pytest.raises(MissingLibrary) as caught:
        importlib.import_module(f"pysolve.{module}")
    assert str(caught.value) == f"{what}: pip install 'pysolve-games[{extra}]'"


def test_a_position_knows_its_moves_as_numbers() -> None:
    numbered = NumberedGame(load("zola"))
    position = numbered.game.start()
    legal = numbered.legal(position)
    assert [numbered.text(number) for number in legal] == [move.text for move in position.legal_moves]
    assert list(position.legal_moves.numbers) == [move.numbers for move in position.legal_moves]
    for at, number in enumerate(legal):
        assert numbered.play(position, number) == position.child(at) == position.play(position.legal_moves[at])
    with pytest.raises(ValueError, match=r'move 0 \("a1-a1"\) is not legal in '):
        numbered.play(position, 0)
    with pytest.raises(ValueError, match="move 99999 is not legal in "):
        numbered.play(position, 99999)
    assert numbered.play(position, np.int16(legal[0])) == position.child(0)
    with pytest.raises(TypeError, match=f"a move must be an integer, not {legal[0]}.7"):
        numbered.play(position, legal[0] + 0.7)
    with pytest.raises(IndexError, match="there is no move 5000: there are "):
        position.child(5000)
    assert copy.deepcopy(position) is position is copy.copy(position)


# ------------------------------------------------------------------------------------------- OpenSpiel


@pytest.fixture
def spiel() -> Any:
    pytest.importorskip("pyspiel")
    return importlib.import_module("pysolve.adapters.open_spiel")


def loaded(spiel: Any, rules: str | Path, **parameters: object) -> Any:
    text = spiel.register(rules)
    return spiel.pyspiel.load_game(text.replace(")", "".join(f",{k}={v}" for k, v in parameters.items()) + ")"))


@pytest.mark.parametrize("path", sampled())
def test_open_spiels_own_tests_pass(path: Path, spiel: Any) -> None:
    game = loaded(spiel, path, longest=60)
    spiel.pyspiel.random_sim_test(game, num_sims=2, serialize=True, verbose=False)


@pytest.mark.slow  # what it imports takes seconds
@pytest.mark.parametrize("path", sampled())
def test_open_spiel_writes_a_playthrough(path: Path, spiel: Any) -> None:
    game = loaded(spiel, path, longest=60)
    generate = importlib.import_module("open_spiel.python.algorithms.generate_playthrough")
    text = generate.playthrough(str(game), [], seed=1)
    assert "IsTerminal() = True" in text


@pytest.mark.parametrize("name", ["tictactoe", pytest.param("yoxii", marks=pytest.mark.slow)])
def test_a_game_of_open_spiel_is_played_as_positions_are(name: str, spiel: Any) -> None:
    game, ours, rng = loaded(spiel, name), load(name), random.Random(3)
    numbered = NumberedGame(ours)
    for _ in range(5):
        state, position = game.new_initial_state(), ours.start()
        while not state.is_terminal():
            assert state.current_player() == ours.players.index(position.to_move)
            assert state.legal_actions() == numbered.legal(position)
            action = rng.choice(state.legal_actions())
            assert state.action_to_string(action) == numbered.text(action)
            state.apply_action(action)
            position = numbered.play(position, action)
        assert position.is_over
        assert state.returns() == position.returns()
        assert str(state) == position.diagram()


def test_a_game_with_lots_begins_with_chance(spiel: Any) -> None:
    game = loaded(spiel, "antiyomacy", setups=7)
    state = game.new_initial_state()
    assert state.is_chance_node()
    assert state.chance_outcomes() == [(at, 1 / 7) for at in range(7)]
    assert (state.action_to_string(3), str(state)) == ("set-up 3", "the set-up is drawn")
    assert state.returns() == [0, 0]
    state.apply_action(3)
    assert str(state) == load("antiyomacy").start(3).diagram()


def test_a_long_game_is_a_draw(spiel: Any) -> None:
    state = loaded(spiel, "tictactoe", longest=2).new_initial_state()
    for _ in range(2):
        assert not state.is_terminal()
        state.apply_action(state.legal_actions()[0])
    assert (state.is_terminal(), state.returns()) == (True, [0, 0])


def test_exploitability_of_a_tiny_game(spiel: Any) -> None:
    """Nim with four: the first can always win against a random player, the second gets one half on average."""
    game = loaded(spiel, NIM)
    exploitability = importlib.import_module("open_spiel.python.algorithms.exploitability")
    policy = importlib.import_module("open_spiel.python.policy")
    assert exploitability.nash_conv(game, policy.UniformRandomPolicy(game)) == pytest.approx(1.5)
    table = policy.python_policy_to_pyspiel_policy(policy.TabularPolicy(game))
    assert spiel.pyspiel.exploitability(game, table) == pytest.approx(0.75)


def test_open_spiels_tree_search_finds_a_win(spiel: Any) -> None:
    game = loaded(spiel, "tictactoe")
    mcts = importlib.import_module("open_spiel.python.algorithms.mcts")
    rng = np.random.RandomState(1)
    bot = mcts.MCTSBot(game, 2.0, 100, mcts.RandomRolloutEvaluator(1, rng), random_state=rng)
    state = game.new_initial_state()
    for move in ("a1", "c3", "b1", "c2"):
        state.apply_action(state.string_to_action(move))
    assert state.action_to_string(bot.step(state)) == "c1"


@pytest.mark.parametrize("players", [1, 3])
def test_open_spiels_own_tests_pass_for_other_numbers_of_players(players: int, spiel: Any) -> None:
    text = threes.RULES.format(players=", ".join(threes.NAMES[:players]))
    game = loaded(spiel, text if players > 1 else text.replace("stuck most pairs", "stuck draw"))
    assert game.num_players() == players
    spiel.pyspiel.random_sim_test(game, num_sims=5, serialize=True, verbose=False)


def test_what_several_players_get_adds_up_to_zero(spiel: Any) -> None:
    game = loaded(spiel, threes.RULES.format(players=", ".join(threes.NAMES[:3])))
    rng, seen = random.Random(2), set()
    for _ in range(30):
        state = game.new_initial_state()
        while not state.is_terminal():
            state.apply_action(rng.choice(state.legal_actions()))
        assert sum(state.returns()) == pytest.approx(0)
        seen.add(tuple(state.returns()))
    assert (1.0, -0.5, -0.5) in seen


def test_options_are_parameters(spiel: Any) -> None:
    spiel.register("connect_four")
    game = spiel.pyspiel.load_game("pysolve(rules=connect_four,options=width:5 height:4)")
    assert game.num_distinct_actions() == 20
    assert game.observation_tensor_shape() == [4, 4, 5]


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ("rules=go_fish", 'the rules "go_fish" are not registered; registered are '),
        ("options=size", '"size" is not an option: options are written  options=size:4 begin:Blue'),
        ("longest=0", "longest must be at least 1, not 0"),
        ("setups=-1", "setups must be at least 1, not -1"),
    ],
)
def test_wrong_parameters_are_named(parameters: str, message: str, spiel: Any) -> None:
    spiel.register("tictactoe")
    if parameters == "options=size":
        with pytest.raises(ValueError, match=message):
            spiel._options("size")
        return
    with pytest.raises(ValueError, match=message):
        spiel.pyspiel.load_game(f"pysolve({parameters})")


def test_a_state_is_made_of_moves_alone(spiel: Any) -> None:
    game = loaded(spiel, "tictactoe")
    with pytest.raises(ValueError, match="a state of pysolve is given by its moves, not by a structure"):
        game.new_initial_state({"board": []})
    with pytest.raises(ValueError, match="there are no parameters of observations, but "):
        game.make_py_observer(None, {"flat": 1})


# ----------------------------------------------------------------------------------- PettingZoo, Gymnasium


@pytest.fixture
def zoo() -> Iterator[Any]:
    """PettingZoo's adapter; what its tests would rather have (other names of agents, no dict) is no failure."""
    pytest.importorskip("pettingzoo")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield importlib.import_module("pysolve.adapters.pettingzoo")


@pytest.fixture
def gym() -> Iterator[Any]:
    pytest.importorskip("gymnasium")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield importlib.import_module("pysolve.adapters.gym")


@pytest.mark.parametrize("path", sampled())
def test_pettingzoos_own_tests_pass(path: Path, zoo: Any) -> None:
    tests = importlib.import_module("pettingzoo.test")
    game = load(path)
    tests.api_test(zoo.env(game, longest=40), num_cycles=60, verbose_progress=False)
    tests.seed_test(lambda: zoo.env(game, longest=40), num_cycles=30)


@pytest.mark.parametrize("path", sampled())
def test_gymnasiums_own_test_passes(path: Path, gym: Any) -> None:
    checker = importlib.import_module("gymnasium.utils.env_checker")
    checker.check_env(gym.OneSide(load(path), longest=40))


def test_a_game_in_pettingzoo_ends_with_rewards(zoo: Any) -> None:
    environment = zoo.env("tictactoe", render_mode="ansi")
    environment.reset(seed=1)
    for action in (0, 3, 1, 4, 2):
        seen, reward, terminated, truncated, _ = environment.last()
        assert (reward, terminated, truncated) == (0, False, False)
        assert seen["action_mask"][action] == 1
        environment.step(action)
    assert environment.rewards == {"X": 1, "O": -1}
    assert all(environment.terminations.values())
    assert environment.render() == environment.unwrapped.position.diagram()
    picture = environment.observe("X")["observation"]
    assert picture[2].tolist() == [[1, 1, 1], [0, 0, 0], [0, 0, 0]]  # at = you
    assert (environment.observe("O")["observation"][3] == picture[2]).all()  # at = next


def test_an_illegal_move_loses_in_pettingzoo(zoo: Any) -> None:
    environment = zoo.env("tictactoe")
    environment.reset(seed=1)
    environment.step(4)
    environment.step(4)
    assert environment.rewards == {"X": 0, "O": -1}
    assert all(environment.terminations.values())
    raw = zoo.raw_env("tictactoe")
    raw.reset()
    raw.step(4)
    with pytest.raises(ValueError, match=r'move 4 \("b2"\) is not legal in '):
        raw.step(4)


@pytest.mark.parametrize("players", [1, 3])
def test_pettingzoos_own_tests_pass_for_other_numbers_of_players(players: int, zoo: Any) -> None:
    tests = importlib.import_module("pettingzoo.test")
    tests.api_test(zoo.env(threes.game(players)), num_cycles=60, verbose_progress=False)


def test_one_side_of_three_plays_against_two(gym: Any) -> None:
    environment = gym.OneSide(threes.game(3), player="Green", opponent="greedy")
    _, info = environment.reset(seed=1)
    assert (environment.position.state[0], int(info["action_mask"].sum())) == (3, 9)  # who begins on a1 moves again


def test_a_game_in_pettingzoo_is_cut(zoo: Any) -> None:
    environment = zoo.env("tictactoe", longest=2)
    environment.reset()
    environment.step(0)
    environment.step(1)
    assert environment.truncations == {"X": True, "O": True}
    assert environment.terminations == {"X": False, "O": False}
    assert not environment.observe("X")["action_mask"].any()


def test_one_side_plays_against_a_player(gym: Any) -> None:
    environment = gym.OneSide("tictactoe", player="O", opponent="minimax:depth=9", render_mode="ansi")
    _, info = environment.reset(seed=5)
    rewards = []
    over = False
    while not over:
        assert environment.position.to_move == "O"
        assert (info["action_mask"] == environment.action_masks()).all()
        _, reward, terminated, truncated, info = environment.step(int(np.flatnonzero(info["action_mask"])[0]))
        rewards.append(reward)
        over = terminated or truncated
    assert environment.position.is_over
    assert rewards == [0.0] * (len(rewards) - 1) + [-1.0]
    assert environment.step(0)[1:4] == (-1.0, True, False)
    assert environment.render() == environment.position.diagram()


def test_an_opponent_may_be_a_function(gym: Any) -> None:
    environment = gym.OneSide("tictactoe", opponent=lambda position: position.legal_moves[-1])
    environment.reset()
    environment.step(0)
    assert [environment.position.value("at", cell) for cell in ("a1", "c3")] == ["X", "O"]


def test_an_illegal_move_loses_in_gymnasium(gym: Any) -> None:
    environment = gym.OneSide("tictactoe", opponent="minimax:depth=1")
    environment.reset()
    environment.step(0)
    _, reward, terminated, truncated, info = environment.step(0)
    assert (reward, terminated, truncated) == (-1.0, True, False)
    assert info["illegal"].startswith('move 0 ("a1") is not legal in ')
    strict = gym.OneSide("tictactoe", illegal="raise")
    strict.reset()
    with pytest.raises(ValueError, match="move 99 is not legal in "):
        strict.step(99)


def test_a_game_in_gymnasium_is_cut(gym: Any) -> None:
    environment = gym.OneSide("tictactoe", longest=2)
    environment.reset()
    assert environment.step(0)[2:4] == (False, True)


def test_gymnasium_makes_an_environment_by_name(gym: Any) -> None:
    gymnasium = importlib.import_module("gymnasium")
    environment = gymnasium.make("pysolve.adapters.gym:pysolve/OneSide-v0", rules="connect_four", width=5, height=4)
    assert environment.action_space.n == 20
    assert environment.observation_space.shape == (4, 4, 5)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"player": "Z"}, 'Tic-tac-toe has no seat "Z": its seats are X, O'),
        ({"illegal": "ignore"}, 'illegal must be one of lose, raise, not "ignore"'),
        ({"render_mode": "human"}, "render_mode must be \"ansi\" or None, not 'human'"),
        ({"longest": 0}, "longest must be an integer from 1 to 1,073,741,824, not 0"),
        ({"opponent": "human"}, "human is a human player, but there is no keyboard here; "),
        ({"opponent": "nobody"}, 'there is no player "nobody"'),
    ],
)
def test_wrong_arguments_are_named(arguments: dict[str, Any], message: str, gym: Any) -> None:
    with pytest.raises((ValueError, pysolve.EngineError)) as caught:
        gym.OneSide("tictactoe", **arguments)
    assert str(caught.value).startswith(message)


@pytest.mark.long
def test_the_net_of_the_example_learns_connect_four() -> None:
    pytest.importorskip("sb3_contrib")
    example = runpy.run_path(str(FOLDERS[0].parent / "docs" / "examples" / "learn_connect_four.py"))
    model = example["learner"]()
    before = example["result"](model).score
    model.learn(example["STEPS"])
    after = example["result"](model).score
    assert before.high < 0.65 < after.low  # whoever moves at random is above with a probability of a millionth
