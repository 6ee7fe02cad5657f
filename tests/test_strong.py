"""The strong search: what it claims is proved, whatever it leaves out; its numbers are those of its settings.

In: games with one move a turn and with several, with draws, passes, captures and blockades; positions of random games.
Out: every claim is that of the plain search to that depth, and of the solved game; without techniques the value of a
depth is that of minimax; the same nodes give the same result.
"""

from __future__ import annotations

import json
import os
import re
import shutil
from functools import cache, partial
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest
from typer.testing import CliRunner

import pysolve
from pysolve.cli.app import app
from pysolve.dsl.language.constants import WIN
from pysolve.dsl.player_texts import UnknownPlayer
from pysolve.engines.native import NativeEngine
from pysolve.engines.protocol import DoesNotApply, State
from pysolve.export.programs import playable
from pysolve.game import Game
from pysolve.lab.calibrate import CANDIDATES, begin_with, calibrate, player_text
from pysolve.lab.games import Played
from pysolve.lab.pairs import paired
from pysolve.players.functions import player, specification
from pysolve.players.techniques import techniques_beside, write
from pysolve.runtime.paths import RULES as SHIPPED
from pysolve.search.history import History
from pysolve.search.mcts import Settings
from pysolve.search.minimax import Result, minimax
from pysolve.search.strong import DEFAULT, PLAIN, Memory, Techniques, has_strong, strong, techniques_of, text_of
from pysolve.service import Service
from tests.games import load, slow_but
from tests.two_engines import Laid

ALL = Techniques(
    look=2, reduce=120, late=4, futility=4, internal=3, quiet=2, null=2, singular=4, probable=4, correct=1, forced=1,
    wins=1, take=1, check=1, hopeless=4, keep=1,
)  # fmt: skip
RULES = """game "Mine" extends "tictactoe"
level deep "minimax:search=strong,nodes=1000"
level plain "minimax:nodes=1000"
"""
BLIND = Techniques(look=0, reduce=160, late=8, futility=2, null=1, quiet=1, probable=2, hopeless=2)
GAMES: dict[str, tuple[str, dict[str, Any]]] = {
    "tictactoe": ("tictactoe", {}),
    "four": ("connect_four", {"width": 4, "height": 4}),
    "zola": ("zola", {"size": 4}),
    "breakthrough": ("breakthrough-mini", {}),
    "othello": ("othello", {"size": 4}),
    "draughts": ("draughts", {}),
    "lines": ("lines_of_action", {}),
    "kalah": ("kalah", {"pits": 3, "seeds": 2}),
    "misere": ("tictactoe-misere", {}),
    "chess": ("chess-los-alamos", {}),
    "yoxii": ("yoxii", {}),
    "conga": ("conga", {}),
    "quoridor": ("quoridor", {"size": 5, "walls": 2}),
}
QUICK = ("four", "zola")
SLOW_BY_LOOPS = ("lines", "quoridor")


@cache
def engine_of(name: str) -> Any:
    rules, options = GAMES[name]
    return NativeEngine(load(rules, **options).model)


def positions(engine: Any, count: int, seed: int = 1) -> list[State]:
    """Some positions before the end of random games, where most claims are to be made."""
    rng, found = Random(seed), list[State]()
    while len(found) < count:
        state, past = engine.start(seed), list[State]()
        for _ in range(400):
            node = engine.expand(state)
            if node.payoff is not None:
                break
            past.append(state)
            state = node.child(rng.randrange(len(node)))
        found += rng.sample(past[-20:], min(3, len(past[-20:])))
    return found[:count]


SETTINGS = [ALL, pytest.param(DEFAULT, marks=pytest.mark.slow), pytest.param(BLIND, marks=pytest.mark.long)]


def test_depth_two_begins_with_the_best_move_of_depth_one() -> None:
    engine, begun = engine_of("zola"), 0
    for state in positions(engine, 30):
        (one,), (two,) = strong(engine, state, depth=1), strong(engine, state, depth=2)
        if one.best == engine.expand(state).moves[0] or one.depth > 1:
            continue  # nothing is shown where it is the first move anyway
        for nodes in range(one.nodes + 1, two.nodes):
            (stopped,) = strong(engine, state, nodes=nodes)
            if stopped.value != one.value:
                if stopped.value < one.value:  # what the first move is worth that depth 2 has searched
                    begun += 1
                    assert stopped.best == one.best
                break
    assert begun > 3


@pytest.mark.parametrize("name", slow_but(QUICK, GAMES))
@pytest.mark.parametrize("techniques", SETTINGS, ids=["all", "default", "blind"])
def test_a_claim_is_proved_by_the_plain_search(name: str, techniques: Techniques) -> None:
    engine, claims = engine_of(name), 0
    for state in positions(engine, 15):
        (found,) = strong(engine, state, nodes=4000, techniques=techniques)
        if abs(found.value) < WIN:
            continue
        moves = found.moves_to_end
        assert moves is not None
        plain = minimax(engine, state, depth=moves, nodes=100_000)
        if plain.depth < moves and abs(plain.value) < WIN:
            continue  # too deep for it
        claims += 1
        assert abs(plain.value) >= WIN
        assert (plain.value > 0) == (found.value > 0)
        assert plain.moves_to_end is not None
        assert plain.moves_to_end <= moves
    assert claims or name in ("chess", "conga", "quoridor")


@pytest.mark.parametrize("name", slow_but(("four",), ["tictactoe", "four", "othello", "misere"]))
@pytest.mark.parametrize("techniques", SETTINGS[::2], ids=["all", "blind"])
def test_a_claim_agrees_with_the_solved_game(name: str, techniques: Techniques) -> None:
    engine, claims = engine_of(name), 0
    for state in positions(engine, 40, seed=2)[::4]:
        (found,) = strong(engine, state, nodes=2000, techniques=techniques)
        table = engine.retrograde(state, 5_000_000)
        if abs(found.value) >= WIN:
            claims += 1
            assert table.values[0] * (1 if state[0] == 1 else -1) == (1 if found.value > 0 else -1)
    assert claims


@pytest.mark.parametrize("name", slow_but(QUICK, ["four", "zola", "othello", "conga", "kalah"]))
def test_the_same_nodes_give_the_same_result(name: str) -> None:
    engine = engine_of(name)
    for state in positions(engine, 2):
        for limit in ({"nodes": 3000}, {"depth": 4}):
            one, other = (strong(engine, state, lines=2, techniques=ALL, **limit) for _ in range(2))
            assert [(each.value, each.line, each.depth, each.nodes) for each in one] == [
                (each.value, each.line, each.depth, each.nodes) for each in other
            ]


def test_without_techniques_values_are_those_of_minimax() -> None:
    """Every move of Connect four fills a place, so no position is met at two depths of one search."""
    engine = engine_of("four")
    for state in positions(engine, 8):
        for depth in range(1, 7):
            (found,) = strong(engine, state, depth=depth, techniques=PLAIN)
            plain = minimax(engine, state, depth=depth)
            assert abs(found.value) >= WIN or found.value == plain.value


@pytest.mark.parametrize("name", slow_but(QUICK, GAMES))
def test_a_win_at_once_is_played(name: str) -> None:
    engine = engine_of(name)
    for state in positions(engine, 10, seed=3):
        node, mover = engine.expand(state), state[0] - 1
        ends = [engine.expand(child).payoff for child in node.children()]
        if any(end is not None and end[mover] > 0 for end in ends):
            (found,) = strong(engine, state, nodes=500)
            assert found.moves_to_end == 1
            assert found.best is not None
            end = ends[list(node.moves).index(found.best)]
            assert end is not None
            assert end[mover] > 0


def test_lines_begin_with_different_moves_the_best_first() -> None:
    engine = engine_of("zola")
    for state in positions(engine, 4):
        reports: list[list[int]] = []
        lines = strong(engine, state, depth=4, lines=3,
                       report=lambda found: reports.append([one.value for one in found]))  # fmt: skip
        assert len({one.best for one in lines}) == len(lines) == min(3, len(engine.expand(state)))
        assert all(found == sorted(found, reverse=True) for found in reports)
        assert reports[-1] == [one.value for one in lines]
        for nodes in range(200, 4000, 300):  # a limit ends a depth at any line
            lines = strong(engine, state, nodes=nodes, lines=3)
            assert len({one.best for one in lines}) == len(lines)
            assert [one.value for one in lines] == sorted((one.value for one in lines), reverse=True)


@pytest.mark.slow
def test_only_the_moves_that_are_named_are_considered() -> None:
    engine = engine_of("zola")
    state = engine.start()
    node = engine.expand(state)
    every = strong(engine, state, depth=3, lines=len(node))
    values = {one.best: one.value for one in every}
    assert len(values) == len(node)
    for place, move in enumerate(node.moves):
        (one,) = strong(engine, state, depth=3, lines=2, moves=[place])
        assert one.best == move
    two = strong(engine, state, depth=3, lines=3, moves=[5, 2, 5])
    assert {one.best for one in two} == {node.moves[2], node.moves[5]}
    (left,) = strong(engine, state, depth=3, moves=[2, 5], left=[node.child(2)])
    assert left.best == node.moves[5]
    (alone,) = strong(engine, state, depth=3, moves=[2], left=[node.child(2)])
    assert alone.best == node.moves[2]
    with pytest.raises(ValueError, match="moves must name one move at least"):
        strong(engine, state, depth=3, moves=[])
    with pytest.raises(IndexError, match="there is no move 99"):
        strong(engine, state, depth=3, moves=[99])


def test_the_limit_of_nodes_is_kept() -> None:
    engine = engine_of("zola")
    for nodes in (1, 10, 100, 1000):
        (found,) = strong(engine, engine.start(), nodes=nodes)
        assert found.best is not None
        assert found.nodes <= nodes + 200


def test_a_finished_game_has_its_result_and_no_move() -> None:
    engine = engine_of("four")
    state, rng = engine.start(), Random(4)
    while engine.expand(state).payoff is None:
        node = engine.expand(state)
        state = node.child(rng.randrange(len(node)))
    (found,) = strong(engine, state, depth=3)
    payoff = engine.expand(state).payoff
    assert found.value == payoff[state[0] - 1] * WIN
    assert found.best is None


def test_positions_left_before_are_avoided() -> None:
    engine = engine_of("zola")
    state = engine.start()
    (best,) = strong(engine, state, depth=3)
    node = engine.expand(state)
    left = [node.child(list(node.moves).index(best.best))]
    (other,) = strong(engine, state, depth=3, left=left)
    assert other.best != best.best


@pytest.mark.slow
def test_a_position_of_the_game_so_far_is_not_sought_again() -> None:
    """Who is ahead sees a draw in a move that leads back to what has been; values are exact where nothing is pruned."""
    engine, avoided = engine_of("chess"), 0
    exact = partial(strong, engine, depth=2, techniques=PLAIN)
    for state in positions(engine, 30):
        (best,) = exact(state)
        if not 100 < best.value < WIN:
            continue
        node = engine.expand(state)
        after = node.child(list(node.moves).index(best.best))
        (other,) = exact(state, history=History(0, {engine.game.identity(after): 1}))
        (never,) = exact(state, history=History(0, {engine.game.identity(after): 0}))
        assert (never.best, never.value) == (best.best, best.value)
        assert 0 <= other.value <= best.value
        assert other.value == 0 or other.best != best.best
        avoided += other.best != best.best
    assert avoided


def games_of(engine: Any, count: int, opening: int) -> list[list[State]]:
    """Positions of games by a shallow search after random moves, in the order in which they were played."""
    rng, found = Random(5), list[list[State]]()
    while len(found) < count:
        state, path = engine.start(len(found)), list[State]()
        while (node := engine.expand(state)).payoff is None and len(path) < 60:
            path.append(state)
            best = strong(engine, state, depth=2)[0].best
            state = node.child(rng.randrange(len(node)) if len(path) <= opening else list(node.moves).index(best))
        found.append(path[opening:])
    return found


def told(found: Result) -> tuple[Any, ...]:
    return found.value, found.line, found.depth, found.nodes


@pytest.mark.parametrize("name", slow_but(["four"], ["four", "zola", "othello", "kalah", "yoxii"]))
@pytest.mark.parametrize("threads", slow_but([1], [1, 2]))
def test_what_is_kept_spares_positions_and_claims_stay_proved(name: str, threads: int) -> None:
    engine, claims, spent, alone = engine_of(name), 0, 0, 0
    for path in games_of(engine, 4, 4):
        memory = Memory()
        for state in path:
            (found,) = strong(engine, state, depth=6, memory=memory, threads=threads)
            spent += found.nodes
            alone += strong(engine, state, depth=6, threads=threads)[0].nodes
            if abs(found.value) >= WIN and found.line:
                plain = minimax(engine, state, depth=found.moves_to_end, nodes=100_000)
                if plain.depth == found.moves_to_end or abs(plain.value) >= WIN:
                    claims += 1
                    assert abs(plain.value) >= WIN
                    assert (plain.value > 0) == (found.value > 0)
    assert claims
    assert spent < alone or threads > 1


def test_what_is_kept_is_the_same_again_and_only_with_the_technique() -> None:
    engine = engine_of("four")
    for path in games_of(engine, 2, 2):
        one, other, never = Memory(), Memory(), Memory()
        for state in path:
            first, again = (told(strong(engine, state, nodes=800, memory=memory)[0]) for memory in (one, other))
            assert first == again
            none = DEFAULT._replace(keep=0)
            kept, fresh = (
                told(strong(engine, state, nodes=800, techniques=none, memory=memory)[0]) for memory in (never, None)
            )
            assert kept == fresh


@pytest.mark.parametrize("name", slow_but([], [*GAMES]))
def test_builds_search_alike_and_go_on_with_what_another_has_kept(name: str) -> None:
    """By plain loops and by sets, in any order: a better build may be ready at any moment of a game."""
    rules, options = GAMES[name]
    engine = Laid(load(rules, **options).model)
    nodes = 200 if name in SLOW_BY_LOOPS else 1500
    builds = [Laid(engine.game, sets=False).functions, engine.functions]

    def game(order: list[int], seed: int) -> list[tuple[Any, ...]]:
        memory, rng, said, state = Memory(), Random(seed), list[tuple[Any, ...]](), engine.start()
        for number in range(8):
            engine.functions = builds[order[number % len(order)]]
            node = engine.expand(state)
            if not len(node):
                break
            if number >= 2:
                said.append(told(strong(engine, state, nodes=nodes, memory=memory)[0]))
            state = node.child(rng.randrange(len(node)) if number < 2 else list(node.moves).index(said[-1][1][0]))
        return said

    for seed in range(2 if nodes < 1500 else 8):
        assert game([1], seed) == game([0, 0, 0, 0, 1, 1], seed) == game([0], seed)


def test_a_player_keeps_what_belongs_to_the_game() -> None:
    game, heard = load("connect_four", width=4, height=4), list[Any]()
    choose = player("minimax:search=strong,nodes=800", report=heard.append)

    def played() -> tuple[list[State], list[tuple[Any, ...]]]:
        position, rng, states, said = game.start(), Random(2), list[State](), list[tuple[Any, ...]]()
        for _ in range(3):
            states.append(position.state)
            position = position.play(choose(position))
            said.append(told(heard[-1]))
            position = position.play(rng.choice(list(position.legal_moves)))
        return states, said

    states, first = played()
    alone = [told(strong(game.engine, state, nodes=800)[0]) for state in states]
    assert first[0] == alone[0]
    assert first[1:] != alone[1:]
    assert played() == (states, first)


def test_several_threads_claim_the_same_as_one() -> None:
    """Which of them prunes what is left to chance, so an estimate may differ; what is claimed is proved."""
    engine = engine_of("four")
    claims = set()
    for state in positions(engine, 12):
        alone, together = (strong(engine, state, depth=16, threads=threads)[0].value for threads in (1, 2))
        claims |= {((value >= WIN) - (value <= -WIN)) for value in (alone, together)}
        assert not (alone >= WIN and together <= -WIN)
        assert not (alone <= -WIN and together >= WIN)
    assert {-1, 1} & claims


@pytest.mark.parametrize("name", slow_but(["pig"], ["pig", "hanoi"]))
def test_it_is_for_two_players_or_more_without_chance(name: str) -> None:
    game = load(name)
    assert not has_strong(game.engine)
    with pytest.raises(DoesNotApply, match="the strong search is for two players or more"):
        strong(game.engine, game.start().state, depth=2)


def test_a_technique_is_a_number_from_0() -> None:
    engine = engine_of("four")
    with pytest.raises(ValueError, match="late"):
        strong(engine, engine.start(), depth=2, techniques=Techniques(late=-1))


def test_a_player_searches_by_it_and_says_so() -> None:
    game = load("zola", size=4)
    heard: list[Any] = []
    choose = player("minimax:search=strong,nodes=2000", report=heard.append)
    (found,) = strong(game.engine, game.start().state, nodes=2000)
    assert choose(game.start()).numbers == found.best
    assert heard[-1].value == found.value


@pytest.mark.parametrize("name", slow_but(["pig"], ["pig", "hanoi"]))
def test_no_player_searches_by_it_elsewhere(name: str) -> None:
    who = specification("minimax:search=strong,depth=2")
    with pytest.raises(UnknownPlayer, match="search=strong is for two players or more, without chance or payoffs"):
        who.check(load(name))


@pytest.mark.parametrize("more", slow_but(["turns=2"], ["turns=2", "quiet=captures", "ties=first"]))
def test_what_it_decides_itself_cannot_be_set(more: str) -> None:
    with pytest.raises(UnknownPlayer, match=f"{more.partition('=')[0]} cannot be set, too"):
        specification(f"minimax:search=strong,{more}")


def test_an_export_has_it() -> None:
    text = "minimax:search=strong,techniques=late0,depth=2"
    told = {"search": "strong", "techniques": ("late0",), "depth": 2}
    assert playable(text, load("zola")) == told
    assert playable(f"{text},values=zola.values", load("zola")) == {**told, "values": "zola.values"}
    for more, message in (
        (",values=yoxii.values", "values: these values were learned for other rules than those of Zola: for yoxii"),
        ("+odd1", '"odd1" is no technique'),
    ):
        with pytest.raises(UnknownPlayer, match=message):
            playable(text.replace(",depth", f"{more},depth"), load("zola"))


def test_techniques_are_words_with_numbers() -> None:
    assert techniques_of(()) == DEFAULT
    other = DEFAULT._replace(late=0, wins=1)
    assert techniques_of(("late0", "wins1")) == other == techniques_of(text_of(other).split("+"))
    for wrong in ("late", "lately0", "late-1", "late99999", "0"):
        with pytest.raises(UnknownPlayer, match="is no technique with its number from 0 to"):
            specification(f"minimax:search=strong,techniques={wrong}").check(load("zola"))
    with pytest.raises(UnknownPlayer, match="search=strong, which must be set, too"):
        specification("minimax:techniques=late0")


def test_a_technique_of_a_player_is_that_of_the_search() -> None:
    game = load("zola", size=4)
    for techniques in (DEFAULT, DEFAULT._replace(look=2, reduce=0)):
        heard: list[Any] = []
        player(player_text(techniques, "nodes=3000"), report=heard.append)(game.start())
        (found,) = strong(game.engine, game.start().state, nodes=3000, techniques=techniques)
        assert (heard[-1].value, heard[-1].line, heard[-1].nodes) == (found.value, found.line, found.nodes)


@pytest.mark.slow
def test_calibration_finds_what_is_stronger_and_prefers_none_of_two_equals() -> None:
    """The search begins with one that leaves out nearly everything; no search is 200 moves deep."""
    game, bad = load("breakthrough-mini"), DEFAULT._replace(reduce=2000, late=1, quiet=0, take=0)
    *_, last = calibrate(game, 500, 200, [{"late": 16, "reduce": 56, "quiet": 2, "take": 1}], bad)
    assert last.test.verdict
    assert last.kept == DEFAULT
    trials = list(calibrate(game, 300, 60, [{"singular": 200}], DEFAULT))
    assert not trials[-1].test.verdict
    assert trials[-1].test.score == 0.5
    assert trials[-1].kept == DEFAULT


def test_candidates_have_the_time_of_the_default(monkeypatch: pytest.MonkeyPatch) -> None:
    """A player whose positions cost half as much has twice as many."""
    texts = list[str]()

    def match(_: Game, one: str, other: str, *_rest: int) -> list[Played]:
        texts[:] = one, other
        return []

    def spent(*_: object) -> SimpleNamespace:
        nodes = [int(found) for text in texts for found in re.findall(r"nodes=(\d+)", text)]
        return SimpleNamespace(processor=(nodes[0] / 2000, nodes[1] / 1000))

    monkeypatch.setattr("pysolve.lab.pairs.play_match", match)
    monkeypatch.setattr("pysolve.lab.pairs.standing", spent)
    game = load("connect_four", width=4, height=4)
    for by_time, nodes in ((False, (100, 100)), (True, (200, 100))):
        *_, last = calibrate(game, 100, 2, [{"wins": 1}], by_time=by_time)
        assert last.nodes == nodes


def techniques_told(tmp_path: Path, text: str) -> Game:
    """A game that has a file of techniques beside its rules."""
    (tmp_path / "mine.rules").write_text('game "Mine" extends "tictactoe"\n', encoding="utf-8")
    (tmp_path / "mine.techniques").write_text(text, encoding="utf-8", errors="surrogateescape")
    return pysolve.load(str(tmp_path / "mine.rules"))


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[Techniques]:
    """The techniques by which players have searched."""
    found = list[Techniques]()

    def seen(*args: Any, techniques: Techniques, **limits: Any) -> list[Result]:
        found.append(techniques)
        return strong(*args, techniques=techniques, **limits)

    monkeypatch.setattr("pysolve.players.functions.strong", seen)
    return found


@pytest.mark.slow
def test_techniques_beside_the_rules_are_those_of_the_game(tmp_path: Path, asked: list[Techniques]) -> None:
    game = techniques_told(tmp_path, "")
    (tmp_path / "mine.techniques").write_text(write(DEFAULT._replace(wins=1, late=0), game, {}, []), encoding="utf-8")
    for text in ("", ",techniques=reduce0", ",techniques=default"):
        player(f"minimax:search=strong,nodes=50{text}")(game.start())
    assert asked == [DEFAULT._replace(wins=1, late=0), DEFAULT._replace(reduce=0), DEFAULT]
    player("minimax:search=strong,nodes=50")(pysolve.load(game.model.source, width=4).start())
    assert asked[-1] == DEFAULT  # the file is for other options
    player("minimax:search=strong,nodes=50")(game.start())
    assert asked[-1] != DEFAULT
    (tmp_path / "mine.techniques").unlink()
    player("minimax:search=strong,nodes=50")(game.start())
    assert asked[-1] == DEFAULT


def test_techniques_beside_learned_values_are_for_those_who_judge_by_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, asked: list[Techniques]
) -> None:
    """The file is found where the values are found: in the current folder, or beside the rules."""
    game, by_rules, by_values = load("clobber"), DEFAULT._replace(late=0), DEFAULT._replace(null=2)
    shutil.copy(Path(game.model.source).with_suffix(".values"), tmp_path / "mine.values")
    (tmp_path / "mine.values.techniques").write_text(write(by_values, game, {}, []), encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    for text in (",values=mine.values", "", ",values=mine.values,techniques=late0"):
        player(f"minimax:search=strong,nodes=50{text}")(game.start())
    assert asked == [by_values, DEFAULT, by_rules]
    (tmp_path / "mine.values.techniques").write_text("late0", encoding="utf-8")
    specification("minimax:search=strong").check(game)
    with pytest.raises(UnknownPlayer, match=r"mine\.values\.techniques: this is no file of techniques"):
        specification("minimax:search=strong,values=mine.values").check(game)


@pytest.mark.parametrize("path", sorted(SHIPPED.glob("*.techniques")), ids=lambda path: path.stem)
def test_shipped_techniques_have_won_and_are_those_of_the_shipped_rules(path: Path) -> None:
    """Where there are some for learned values, `expert` plays by the strong search, and so by them."""
    told = json.loads(path.read_text(encoding="utf-8"))
    game, values = load(told["game"], **told["options"]), f"{told['game']}.values"
    assert path.stem in (told["game"], values)
    assert any(trial["won"] for trial in told["trials"])
    found = techniques_beside(game, values if path.stem == values else None)
    assert found == techniques_of(told["techniques"].split("+")) != DEFAULT
    if path.stem == values:
        assert game.levels["expert"].startswith("minimax:search=strong,nodes=")
        assert game.levels["expert"].endswith(f"values={values}")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("late0", "this is no file of techniques; remove it"),
        ('{"techniques": "late0"}', "this is no file of techniques; remove it"),
        ('{"techniques": 5, "rules": ""}', "this is no file of techniques; remove it"),
        ('{"techniques": "lat0", "rules": ""}', 'this is no file of techniques: "lat0" is no technique'),
        ("\udcff", "this is no file of techniques; remove it"),  # a byte that is not UTF-8
        ('{"techniques": "' + "late0+" * 20_000, "a file of techniques has at most 65,536 bytes"),
        ("[" * 60_000, "this is no file of techniques; remove it"),
    ],
)
def test_a_file_that_holds_no_techniques_is_refused(tmp_path: Path, text: str, message: str) -> None:
    game = techniques_told(tmp_path, text)
    with pytest.raises(UnknownPlayer, match=re.escape(f"mine.techniques: {message}")):
        specification("minimax:search=strong").check(game)


def test_a_file_of_techniques_that_cannot_be_read_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    game = techniques_told(tmp_path, "{}")

    def unreadable(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "open", unreadable)
    with pytest.raises(UnknownPlayer, match=r"mine\.techniques: Permission denied"):
        specification("minimax:search=strong").check(game)


def test_no_pipe_or_folder_beside_the_rules_is_a_file_of_techniques(tmp_path: Path) -> None:
    game = techniques_told(tmp_path, "")
    (tmp_path / "mine.techniques").unlink()
    os.mkfifo(tmp_path / "mine.techniques")
    assert techniques_beside(game) == DEFAULT
    (tmp_path / "mine.techniques").unlink()
    (tmp_path / "mine.techniques").mkdir()
    assert techniques_beside(game) == DEFAULT


def test_a_strong_search_that_is_not_there_is_said() -> None:
    with pytest.warns(RuntimeWarning, match="strong search is for two players or more.*plain minimax plays Tic-tac"):
        specification("minimax:search=strong").check(pysolve.load("tictactoe", engine="prolog"))


@pytest.mark.slow
def test_a_page_offers_no_level_by_a_search_that_is_not_there() -> None:
    service, asked = Service(engine="prolog"), {"name": "mine", "text": RULES, "options": {}}
    assert list(service.answer("check", asked)["game"]["levels"]) == ["easy", "medium", "hard", "plain"]
    levels = Service(engine="native").answer("check", asked)["game"]["levels"]
    assert list(levels) == ["easy", "medium", "hard", "expert", "deep", "plain"]


@pytest.mark.slow
def test_what_gained_is_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pysolve.lab.calibrate.CANDIDATES", ({"late": 0},))
    monkeypatch.setattr("pysolve.lab.calibrate.BEGIN", DEFAULT._replace(wins=1))
    out = tmp_path / "four.techniques"
    words = ["calibrate", "connect_four", "--nodes", "50", "--games", "2", "--processes", "1", "-o", str(out)]
    assert "four.techniques is written" in CliRunner().invoke(app, words).stdout.replace("\n", "")
    assert json.loads(out.read_text())["techniques"] == "wins1"
    again = CliRunner().invoke(app, words)
    assert (again.exit_code, out.exists()) == (2, True)
    assert "--force" in again.output
    refused = CliRunner().invoke(app, [*words[:2], "--search", "mcts", "-o", str(out)])
    assert "-o writes techniques of the strong search" in " ".join(refused.output.split())


@pytest.mark.slow
def test_two_equals_on_three_seats_make_half_of_the_points_of_each_pair() -> None:
    """In the two games of a pair every seat has the other player, so those of equals are the same."""
    game = load("connect_four-three", width=5, height=4)
    *_, last = calibrate(game, 200, 12, [{"singular": 200}], DEFAULT)
    assert last.test.pairs[2] == sum(last.test.pairs) > 1


@pytest.mark.slow
def test_the_command_says_what_it_tried_and_which_player_is_best() -> None:
    words = ["calibrate", "connect_four", "width=4", "height=4", "--nodes", "50", "--games", "2", "--processes", "1"]
    found = json.loads(CliRunner().invoke(app, [*words, "--json"]).stdout)
    assert len(found["trials"]) == len(CANDIDATES)
    assert all(one["won"] is None and sum(one["pairs"]) == 1 for one in found["trials"])  # too few to decide
    assert found["player"] == player_text(DEFAULT, "time=1")
    shown = CliRunner().invoke(app, words).stdout.splitlines()
    assert [line.split()[1] for line in shown[:-1]] == ["undecided"] * len(CANDIDATES)
    assert shown[-1] == f"best: {player_text(DEFAULT, 'time=1')}"


@pytest.mark.slow
def test_techniques_are_tried_by_learned_values(monkeypatch: pytest.MonkeyPatch) -> None:
    """Both players judge by them, and the best one says so; what needs estimates is tried where there are values."""
    monkeypatch.setattr("pysolve.lab.calibrate.CANDIDATES", ({"late": 0},))
    players: list[str] = []

    def noted(game: Any, one: str, other: str, *rest: Any) -> Any:
        players.extend((one, other))
        return paired(game, one, other, *rest)

    monkeypatch.setattr("pysolve.lab.calibrate.paired", noted)
    words = ["calibrate", "clobber", "--nodes", "50", "--games", "2", "--processes", "1"]
    shown = CliRunner().invoke(app, [*words, "--values", "clobber.values"]).stdout.replace("\n", "")
    assert [one.partition(",techniques")[0] for one in players] == [
        "minimax:search=strong,nodes=50,values=clobber.values"
    ] * 2
    assert "best: minimax:search=strong,time=1,values=clobber.values,techniques=default" in shown
    for file, said in (("none.values", "none.values: No such file"), ("zola.values", "learned for other rules"),
                       ("a,depth=9", 'a comma ends the name of a file, as in "a,depth=9"')):  # fmt: skip
        refused = CliRunner().invoke(app, [*words, "--values", file])
        assert refused.exit_code
        assert said in " ".join(refused.output.split())
    assert any("bias" in one for one in begin_with("mcts", load("nim"), "nim.values")[1])


@pytest.mark.slow
def test_techniques_of_trees_are_tried_too() -> None:
    """GRAVE, which gains much in Hex, is found; what needs an `evaluate` block is not tried without one."""
    game = load("hex", size=5)
    begin, candidates, _ = begin_with("mcts", load("nim"))
    assert not any("bias" in one or "leaf" in one for one in candidates)
    *_, last = calibrate(game, 4000, 200, [{"grave": 50, "explore": 0.1}], begin=Settings(grave=0, explore=1.0))
    assert (last.test.verdict, last.kept) == (True, last.candidate)
    assert player_text(last.kept, "time=1") == "mcts:time=1,explore=0.1,grave=50"
    assert last.changed == "explore=0.1,grave=50"
    assert isinstance(begin, Settings)


@pytest.mark.slow
def test_the_command_tries_techniques_of_trees() -> None:
    words = ["calibrate", "tictactoe", "--search", "mcts", "--nodes", "50", "--games", "2", "--processes", "1"]
    found = CliRunner().invoke(app, words).stdout.splitlines()
    assert found[-1].startswith("best: mcts:time=1")
    assert any(line.startswith("backup=max ") for line in found)


def test_the_command_tries_what_is_named_alone() -> None:
    words = ["calibrate", "tictactoe", "--nodes", "50", "--games", "2", "--processes", "1"]
    found = CliRunner().invoke(app, [*words, "--try", "null2+late4", "--try", "reduce90"]).stdout.splitlines()
    assert [line.split()[0] for line in found] == ["late4+null2", "reduce90", "best:"]
    found = CliRunner().invoke(app, [*words, "--search", "mcts", "--try", "prior=10,explore=0.2"]).stdout.splitlines()
    assert [line.split()[0] for line in found] == ["explore=0.2,prior=10", "best:"]


@pytest.mark.parametrize(
    ("search", "text", "message"),
    [
        ("strong", "lat4", '"lat4" is no technique with its number'),
        ("strong", "late4,nodes=5", '"late4,nodes=5" is no candidate; one is like null2+late4'),
        ("strong", "default", '"default" is no candidate; one is like null2+late4'),
        ("mcts", "time=4", '"time=4" is no candidate; one is like prior=10,bias=0'),
        ("mcts", "late4", 'mcts has no setting "late4"'),
    ],
)
def test_what_is_no_candidate_is_refused(search: str, text: str, message: str) -> None:
    found = CliRunner().invoke(app, ["calibrate", "tictactoe", "--search", search, "--try", text])
    assert found.exit_code == 2
    assert message in " ".join(found.output.split())


def test_calibrate_needs_the_strong_search() -> None:
    found = CliRunner().invoke(app, ["calibrate", "tictactoe", "--engine", "prolog", "--nodes", "20", "--games", "2"])
    assert found.exit_code == 2
    assert "the strong search is in C alone, and Tic-tac-toe is played by Prolog here" in " ".join(found.output.split())


def test_calibrate_that_is_stopped_says_how_far_it_came(monkeypatch: pytest.MonkeyPatch) -> None:
    def stopped(*_: object, **__: object) -> list[object]:
        raise KeyboardInterrupt

    monkeypatch.setattr("pysolve.cli.calibrate.trials_of", stopped)
    found = CliRunner().invoke(app, ["calibrate", "tictactoe"])
    assert found.exit_code == 130
    assert "best: minimax:search=strong,time=1" in found.output
    assert f"calibrate stopped after 0 of {len(CANDIDATES)} candidates" in found.output
