"""Learned policies: the same shares in both languages, shared by what is alike; the lessons, the file, the command."""

import json
import math
import random
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

import pysolve
from pysolve.cli.app import app
from pysolve.dsl.analysis.levels import standard_levels
from pysolve.dsl.analysis.move_patterns import MovePatterns, move_patterns
from pysolve.dsl.analysis.symmetries import symmetries
from pysolve.dsl.language.constants import ONE, SHARE_UNIT, UNLIKELY
from pysolve.dsl.player_texts import UnknownPlayer
from pysolve.engines.protocol import State
from pysolve.export.programs import playable
from pysolve.game import Game
from pysolve.lab.match import programs, thought_by
from pysolve.lab.policies import PolicyTraining, plausible
from pysolve.players.functions import player, specification
from pysolve.players.policies import PolicyError, PolicyFile, patterns_of, policy_file_in, policy_in, read, write
from pysolve.search.history import History
from pysolve.search.mcts import PythonTree, Settings, mcts, planted
from pysolve.search.policy import Policy, shared

# Which kinds of moves and boards there are: a cell; two cells; what a cell holds is many things; none; a graph.
GAMES = [
    pytest.param("hex", {"size": 4}, id="hex"),
    pytest.param("breakthrough", {}, id="breakthrough", marks=pytest.mark.slow),
    pytest.param("yoxii", {}, id="yoxii", marks=pytest.mark.slow),
    pytest.param("chess", {}, id="chess", marks=pytest.mark.slow),
    pytest.param("nine_mens_morris", {}, id="morris", marks=pytest.mark.slow),
    pytest.param("nim", {}, id="nim", marks=pytest.mark.slow),
    pytest.param("go", {"size": 5}, id="go", marks=pytest.mark.slow),
]


def positions(game: Game, seed: int, count: int) -> list[State]:
    """Positions of random games in which there is a choice."""
    lots, found = random.Random(seed), list[State]()
    while len(found) < count:
        state = game.start(seed).state
        for _ in range(40):
            node = game.engine.expand(state)
            if not len(node):
                break
            if len(node) > 1:
                found.append(state)
            state = node.child(lots.randrange(len(node)))
    return lots.sample(found, count)


def any_policy(game: Game, seed: int = 1) -> Policy:
    """Weights by lot for all that is looked at in some positions."""
    patterns, lots = patterns_of(game), random.Random(seed)
    known: tuple[dict[int, int], dict[int, int]] = ({}, {})
    for state in positions(game, seed, 40):
        held = patterns.contents(state)
        for move in game.engine.expand(state).moves:
            for place in patterns.places(held, move):
                known[state[0] - 1].setdefault(place, lots.randint(-2 * SHARE_UNIT, 2 * SHARE_UNIT))
    return Policy(patterns, known)


@pytest.mark.parametrize(("name", "options"), GAMES)
def test_both_languages_grow_the_same_tree(name: str, options: dict[str, Any]) -> None:
    game = pysolve.load(name, **options)
    settings, history = Settings(policy=any_policy(game), leaf="playout"), History()
    for state in positions(game, 2, 2):
        trees = (
            planted(game.engine, state, settings),
            PythonTree(game.engine, state, settings._replace(grave=50, explore=0), history),
        )
        for tree in trees:
            tree.grow(60, None, 7)
        if type(trees[0]) is PythonTree:
            pytest.skip("there is no C compiler")
        told = [[(one.number, one.visits, one.value) for one in tree.ranked(tree.root().at)] for tree in trees]
        assert told[0] == told[1]


def test_a_likely_move_is_visited_first() -> None:
    game = pysolve.load("hex", size=4)
    state = game.start().state
    patterns = patterns_of(game)
    move = game.engine.expand(state).moves[9]
    places = list(patterns.places(patterns.contents(state), move))
    policy = Policy(patterns, ({places[0]: 5 * SHARE_UNIT}, {}))
    assert mcts(game.engine, state, 2, settings=Settings(policy=policy)).moves[0].move == move
    assert mcts(game.engine, state, 2, settings=Settings(policy=policy)).best == move
    rare = Policy(patterns, ({places[0]: -5 * SHARE_UNIT}, {}))
    visits = {one.move: one.visits for one in mcts(game.engine, state, 40, settings=Settings(policy=rare)).moves}
    assert visits.get(move, 0) == 0


def test_shares_are_those_of_the_exponential_function() -> None:
    weights = [0, SHARE_UNIT, -3, 2 * SHARE_UNIT]
    parts = [math.exp(one / SHARE_UNIT) for one in weights]
    assert shared(weights) == pytest.approx([ONE * part / sum(parts) for part in parts], abs=2)
    assert shared([7, 7]) == [ONE // 2] * 2
    assert shared([]) == []
    assert shared([UNLIKELY, 0, -UNLIKELY]) == shared([UNLIKELY - 1, 0, 0])  # the least likely are equally unlikely


@pytest.mark.parametrize(("name", "options"), GAMES)
def test_what_symmetries_make_of_a_move_selects_weights_that_are_alike(name: str, options: dict[str, Any]) -> None:
    game = pysolve.load(name, **options)
    group = symmetries(game.model, setup=False, evaluation=False)
    patterns: MovePatterns = move_patterns(game.model, group)
    for state in positions(game, 3, 4):
        held = patterns.contents(state)
        for one in group[:8]:
            image = one.state(state)
            there = patterns.contents(image)
            for move in game.engine.expand(state).moves[:10]:
                selected = {(image[0] - 1, at) for at in patterns.places(there, one.move(move))}
                alike = [patterns.alike(state[0] - 1, at) for at in patterns.places(held, move)]
                assert all(selected & some for some in alike)
                assert len(selected) == len(alike)


@pytest.mark.slow
def test_symmetries_that_cannot_be_proved_are_borne_out_by_games() -> None:
    go = pysolve.load("go", size=5)
    assert len(symmetries(go.model, setup=False, evaluation=False)) == 1
    found = plausible(go)
    assert len(found) == 8
    assert {one.players for one in found} == {(1, 2)}  # White has the komi
    hexes = plausible(pysolve.load("hex", size=4))  # a reflection alone exchanges the sides that are to be connected
    assert sorted(one.players for one in hexes) == [(1, 2), (1, 2), (2, 1), (2, 1)]


def test_a_step_makes_the_policy_more_like_the_search() -> None:
    game = pysolve.load("hex", size=4)
    training = PolicyTraining(game, visits=30)
    lesson = training._numbered(0, [[1], [2], [3]], [0.1, 0.8, 0.1])
    before = training._shares(lesson)
    squares = [1.0] * 3
    for _ in range(400):
        training._step(lesson, squares)
    after = training._shares(lesson)
    assert before == pytest.approx([1 / 3] * 3, abs=1e-5)
    assert after == pytest.approx(lesson.targets, abs=0.1)


def told(training: PolicyTraining) -> str:
    return write(PolicyFile(training.policy()), training.game)


@pytest.mark.slow
def test_the_same_seed_makes_the_same_policy_and_it_foresees_more() -> None:
    game = pysolve.load("hex", size=5)
    one, other = PolicyTraining(game, 5, 60), PolicyTraining(game, 5, 60, threads=3)
    rounds = list(one.go_on(60, None))
    list(other.go_on(60, None))
    assert told(one) == told(other)
    assert [row.games for row in rounds] == [20, 40, 60]
    assert rounds[0].guessed is None
    last = rounds[-1]
    assert last.guessed is not None
    assert last.chance is not None
    assert last.guessed > 3 * last.chance
    surprises = [row.surprise for row in rounds if row.surprise is not None]
    assert all(after < before for before, after in pairwise(surprises))
    again = PolicyTraining(game, 6, 60, start=one.policy())
    assert told(again) == told(one)
    first = next(again.go_on(10, None))
    assert first.guessed is not None
    assert first.guessed > 3 * last.chance


def test_ctrl_c_teaches_what_was_played() -> None:
    game = pysolve.load("hex", size=4)
    training = PolicyTraining(game, visits=10)

    def tick(games: int, _: float) -> None:
        if games == 3:
            raise KeyboardInterrupt

    rows = []
    with pytest.raises(KeyboardInterrupt):
        rows.extend(training.go_on(20, None, tick))
    assert training.games == 3
    assert training.lessons
    assert any(training.policy().weights)


def test_time_ends_it_with_one_game_at_least() -> None:
    training = PolicyTraining(pysolve.load("hex", size=4), visits=10)
    (row,) = training.go_on(None, 0.0)
    assert row.games == 1


def test_a_file_holds_the_policy(tmp_path: Path) -> None:
    game = pysolve.load("hex", size=4)
    policy = any_policy(game)
    text = write(PolicyFile(policy, {"seed": 1}, {"games": 2}), game)
    found = read(text, game)
    assert found.policy.digest == policy.digest
    assert (found.made, found.gate) == ({"seed": 1}, {"games": 2})
    path = tmp_path / "hex.policy"
    path.write_text(text)
    assert policy_in(str(path), game).digest == policy.digest
    assert thought_by(game, programs(game, f"mcts:policy={path}", "random")) == {str(path): policy.digest}
    position = game.start()
    move = player(f"mcts:policy={path},playouts=30", seed=1)(position)
    assert move in position.legal_moves
    assert move == player(f"mcts:policy={path},playouts=30", seed=1)(position)
    assert player(f"mcts:policy={path},playouts=30,trees=2", seed=1)(position) in position.legal_moves


def damaged(text: str, change: Any) -> str:
    told = json.loads(text)
    change(told)
    return json.dumps(told)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        pytest.param(lambda told: told.pop("policy"), "no file of a learned policy", id="no policy"),
        pytest.param(lambda told: told.update(policy=2), "of format 1", id="format"),
        pytest.param(lambda told: told.update(rules="x"), "learned for other rules than those of Hex", id="rules"),
        pytest.param(lambda told: told.update(weights=[]), "damaged", id="no weights"),
        pytest.param(lambda told: told["weights"][0].update(count=10**9), "damaged", id="too many"),
        pytest.param(lambda told: told["weights"][0].update(count=-1), "damaged", id="negative"),
        pytest.param(lambda told: told["weights"][0].update(count=True), "damaged", id="no number"),
        pytest.param(lambda told: told["weights"][1].update(places="AAAA"), "damaged", id="no places"),
        pytest.param(lambda told: told["weights"][1].update(weights=7), "damaged", id="no text"),
        pytest.param(
            lambda told: told["weights"][0].update(told["weights"][0], places=told["weights"][0]["weights"]),
            "damaged", id="sizes",
        ),
        pytest.param(lambda told: told.update(made=3), "damaged", id="made"),
    ],
)  # fmt: skip
def test_a_file_that_holds_none_is_refused(change: Any, words: str) -> None:
    game = pysolve.load("hex", size=4)
    text = write(PolicyFile(any_policy(game)), game)
    with pytest.raises(PolicyError, match=words):
        read(damaged(text, change), game)


def test_places_beyond_the_patterns_never_reach_c() -> None:
    game, larger = pysolve.load("hex", size=4), pysolve.load("go", size=5)
    patterns = patterns_of(larger)
    told = json.loads(write(PolicyFile(Policy(patterns, ({patterns.size - 1: 5}, {}))), larger))
    own = json.loads(write(PolicyFile(any_policy(game)), game))
    with pytest.raises(PolicyError, match="damaged"):
        read(json.dumps({**told, "rules": own["rules"]}), game)
    for text in ("", "[]", "{", "7", "[" * 10**5):
        with pytest.raises(PolicyError):
            read(text, game)


def test_a_policy_of_other_rules_is_refused(tmp_path: Path) -> None:
    game, other = pysolve.load("hex", size=4), pysolve.load("hex", size=5)
    path = tmp_path / "hex.policy"
    path.write_text(write(PolicyFile(any_policy(game)), game))
    with pytest.raises(UnknownPlayer, match=r"for hex size=4; learn it again:  pysolve policy hex -o FILE"):
        specification(f"mcts:policy={path}").check(other)
    rules = tmp_path / "mine.rules"
    rules.write_text('game "Mine" extends "go"\n')
    with pytest.raises(UnknownPlayer, match=f"learn it again:  pysolve policy {rules} -o FILE"):
        specification(f"mcts:policy={path}").check(pysolve.load(str(rules), size=3))
    with pytest.raises(ValueError, match="policy must be one of Hex"):
        planted(other.engine, other.start().state, Settings(policy=any_policy(game)))
    with pytest.raises(UnknownPlayer, match="No such file"):
        specification("mcts:policy=nowhere.policy").check(game)


@pytest.mark.slow
def test_by_other_rules_the_policy_is_theirs(tmp_path: Path) -> None:
    game, rules, path = pysolve.load("go", size=5), pysolve.load("go-sensible", size=5), tmp_path / "sensible.policy"
    policy = any_policy(rules)
    path.write_text(write(PolicyFile(policy), rules))
    who = f"mcts:playouts=30,by=go-sensible,policy={path}"
    specification(who).check(game)
    alone = player(f"mcts:playouts=30,policy={path}", seed=1)(rules.start())
    assert player(who, seed=1)(game.start()).numbers == alone.numbers
    assert thought_by(game, [who]) == {"go-sensible": rules.model.digest, str(path): policy.digest}
    own = tmp_path / "own.policy"
    own.write_text(write(PolicyFile(any_policy(game)), game))
    with pytest.raises(UnknownPlayer, match="for other rules than those of Go without senseless moves: for go size=5"):
        specification(f"mcts:by=go-sensible,policy={own}").check(game)


@pytest.mark.slow
def test_where_the_game_is_over_by_other_rules_the_policy_is_not_asked(tmp_path: Path) -> None:
    game, short, path = pysolve.load("go", size=3), tmp_path / "short.rules", tmp_path / "short.policy"
    short.write_text('game "Short" extends "go"\nend\n  draw when passes = 1 because "one has passed"\n')
    rules = pysolve.load(str(short), size=3)
    path.write_text(write(PolicyFile(any_policy(rules)), rules))
    who = player(f"mcts:playouts=20,by={short},policy={path}", seed=1)
    for position in (game.start(), game.start().play("pass")):
        assert who(position) in position.legal_moves


def test_settings_that_do_not_fit_are_refused() -> None:
    for text, game, words in (
        ("mcts:policy=x,terms=a", "zola", "terms cannot be set, too"),
        ("mcts:puct=1", "zola", "must be set, too"),
        ("mcts:policy=x,puct=1000", "zola", "below 1,000"),
        ("mcts:policy=x", "antiyomacy-many", "policies of mcts are learned for games of two players"),
        ("mcts:policy=x", "backgammon", "policies of mcts are learned for games without chance"),
    ):
        with pytest.raises(UnknownPlayer, match=words):
            specification(text).check(pysolve.load(game))


def run(*words: str) -> tuple[int, str]:
    result = CliRunner().invoke(app, list(words))
    return result.exit_code, " ".join(result.output.split())


@pytest.mark.slow
def test_the_command_learns_a_policy_and_tests_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    asked = "policy", "hex", "size=4", "--games", "6", "--playouts", "20", "--processes", "1"
    code, said = run(*asked, "--match", "4")
    assert code == 0, said
    assert "hex.policy is written: 6 games" in said
    assert "mcts with it against mcts without, at 20 playouts a move:" in said
    code, said = run(*asked)
    assert code == 2
    assert "--force" in said
    code, said = run(*asked, "--match", "0", "--json", "--from", "hex.policy", "-o", "more.policy")
    found = json.loads(said)
    assert (found["games"], found["gate"], found["stopped"]) == (6, None, False)
    assert found["rounds"][0]["guessed"] is not None
    game = pysolve.load("hex", size=4)
    assert policy_in("more.policy", game).digest != policy_in("hex.policy", game).digest


@pytest.mark.slow
def test_ctrl_c_in_the_command_keeps_what_was_learned(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    step = PolicyTraining._game

    def stopped(self: PolicyTraining, number: int, *rest: Any) -> Any:
        if number == 22:
            raise KeyboardInterrupt
        return step(self, number, *rest)

    monkeypatch.setattr(PolicyTraining, "_game", stopped)
    code, said = run("policy", "hex", "size=4", "--games", "40", "--playouts", "10", "--processes", "1")
    assert code == 130
    assert "hex.policy is written: 22 games" in said
    assert "policy stopped after 22 games; --from hex.policy goes on, into another file" in said
    assert policy_in("hex.policy", pysolve.load("hex", size=4)).digest


@pytest.mark.slow
def test_ctrl_c_before_it_learns_leaves_an_older_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "hex.policy").write_text("older")

    def stopped(*_: Any) -> Any:
        raise KeyboardInterrupt

    monkeypatch.setattr(PolicyTraining, "_learn", stopped)
    code, said = run("policy", "hex", "size=4", "--games", "2", "--playouts", "10", "--force")
    assert code == 130
    assert "policy stopped after 2 games; nothing is written" in said
    assert "is written: " not in said
    assert (tmp_path / "hex.policy").read_text() == "older"


def test_the_command_says_what_is_wrong(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for words, wrong in (
        (("policy", "backgammon"), "policies are learned for games without chance"),
        (("policy", "hex", "-o", "a,b"), "a comma ends a setting of a player"),
        (("policy", "hex", "--from", "nowhere"), "nowhere: No such file"),
    ):
        code, said = run(*words)
        assert code == 2
        assert wrong in said


def test_a_game_without_a_choice_teaches_nothing() -> None:
    training = PolicyTraining(pysolve.load("hex", size=4), visits=10)
    row = training._learn([])
    assert row.surprise is None
    assert training.policy().weights == ({}, {})


@pytest.mark.slow
def test_a_policy_beside_the_rules_makes_the_level_expert_where_hard_is_mcts(tmp_path: Path) -> None:
    source = Path(pysolve.load("hex").model.source).read_text()
    rules = tmp_path / "linked.rules"
    rules.write_text(source)
    assert "policy" not in pysolve.load(str(rules), size=4).levels["expert"]
    game = pysolve.load(str(rules), size=4)
    (tmp_path / "linked.policy").write_text(write(PolicyFile(any_policy(game)), game))
    game = pysolve.load(str(rules), size=4)
    assert game.levels["hard"].startswith("mcts:nodes=")
    assert game.levels["expert"] == f"{standard_levels(game.model)['expert']},policy=linked.policy"
    assert player("expert", seed=1, levels=game.levels)(game.start()) in game.start().legal_moves
    assert "policy" not in pysolve.load(str(rules), size=5).levels["expert"]
    assert playable("expert", game)["policy"] == "linked.policy"  # of an export, too


@pytest.mark.slow
def test_where_hard_thinks_by_other_rules_expert_goes_by_their_policy(tmp_path: Path) -> None:
    level = 'level hard "mcts:by=near,nodes=30,grave=0"\n'
    (tmp_path / "mine.rules").write_text(f'game "Mine" extends "hex"\n{level}')
    (tmp_path / "near.rules").write_text('game "Near" extends "hex"\n')
    mine, near = str(tmp_path / "mine.rules"), pysolve.load(str(tmp_path / "near.rules"), size=4)
    deeper = "mcts:by=near,nodes=120,grave=0"
    assert pysolve.load(mine, size=4).levels["expert"] == deeper
    (tmp_path / "near.policy").write_text(write(PolicyFile(any_policy(near)), near))
    (tmp_path / "mine.policy").write_text(write(PolicyFile(any_policy(near)), near))  # nobody thinks by these rules
    game = pysolve.load(mine, size=4)
    assert game.levels["expert"] == f"{deeper},policy=near.policy"
    assert pysolve.load(mine, size=5).levels["expert"] == deeper
    assert player("expert", seed=1, levels=game.levels)(game.start()) in game.start().legal_moves
    assert playable("expert", game)["policy"] == "near.policy"  # of an export, too
    near_rules = tmp_path / "near.rules"
    (tmp_path / "mine.policy").unlink()
    for text in ('game "Near" extends "go"\n', 'game "Near" extends "hex"\nno such line\n', None):
        near_rules.unlink()
        if text is not None:
            near_rules.write_text(text)
        game = pysolve.load(mine, size=4)
        assert game.levels == standard_levels(game.model)  # no other board, no mistakes, no file
    near_rules.write_text('game "Near" extends "hex"\n')
    (tmp_path / "mine.rules").write_text(f'game "Mine" extends "hex"\n{level}level expert "random"\n')
    assert pysolve.load(mine, size=4).levels["expert"] == "random"


SHIPPED = sorted(Path(pysolve.load("hex").model.source).parent.glob("*.policy"))


@pytest.mark.slow
@pytest.mark.parametrize("path", [pytest.param(path, id=path.stem) for path in SHIPPED])
def test_the_policies_that_are_shipped_won_their_test(path: Path) -> None:
    game = pysolve.load(path.stem)
    found = policy_file_in(path.name, game)
    assert path.stat().st_size <= 1 << 20
    assert found.gate["won"] is True
    assert found.made["command"] == f"pysolve policy {path.stem} --games {found.made['games']} -o {path.name}"
    assert game.levels["expert"].endswith(f"policy={path.name}")
