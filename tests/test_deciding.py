"""Alpha-beta for the question who wins: its answers are those of the table of all positions, whatever it forgets.

The judge is retrograde analysis without symmetries, and the replay of proofs.
"""

import json
import random
import re
from collections import Counter
from collections.abc import Callable, Sequence
from types import SimpleNamespace
from typing import Any

import pytest
from typer.testing import CliRunner, Result

import pysolve
from pysolve.cli.app import app
from pysolve.engines.build import NoCompiler
from pysolve.engines.native import NativeEngine
from pysolve.engines.protocol import DoesNotApply, LimitReached
from pysolve.game import Game
from pysolve.lab import proofs
from pysolve.lab.solving import ALPHA_BETA, Limits, solve
from pysolve.position import Position
from pysolve.search.canonical import NONE, renamings_of
from pysolve.search.decide import GoesRound, PythonDecider, decide, decide_by, decider_of
from pysolve.search.history import History
from pysolve.search.mcts import Settings, planted
from pysolve.search.proof_number import Result as Decided
from pysolve.search.proof_number import prove
from pysolve.search.retrograde import Table, retrograde
from tests.games import load
from tests.test_solver import SMALL, Plain, small, states_of, table_of
from tests.test_solving_symmetries import states_of as states_after

pytestmark = pytest.mark.slow

ROOMS = (100_000, 40, 4)  # of tables: for everything, for little, for one place alone


@pytest.mark.parametrize("name", [name for name in SMALL if name != "conga"])
def test_answers_are_the_values_of_positions(name: str) -> None:
    """One search is asked about many positions, so that what it keeps of one is used for others."""
    game, table, states = small(name), table_of(name), states_of(name)
    numbers = {0, *random.Random(1).sample(range(len(states)), min(len(states), 30))}
    for group in (NONE, renamings_of(game.model)):
        for room in ROOMS:
            searcher = decider_of(game.engine, room, group)
            for number in sorted(numbers):
                for player, sign in ((1, 1), (2, -1)):
                    found = decide_by(searcher, game.engine, states[number], player)
                    assert found.wins is (table.values[number] == sign)
            assert searcher.kept <= room


@pytest.mark.parametrize("name", ["tictactoe", "kalah", "circles", "nim"])
def test_both_engines_answer_alike(name: str) -> None:
    game, table, states = small(name), table_of(name), states_of(name)
    for room in ROOMS[:2]:
        searcher = PythonDecider(Plain(game), room, renamings_of(game.model).keeping_players)
        for number in range(0, min(len(states), 300), 17):
            for player, sign in ((1, 1), (2, -1)):
                answer = searcher.ask(states[number], player)
                assert answer is not None
                assert answer.wins is (table.values[number] == sign)
        assert searcher.kept <= room


def test_what_relies_on_the_way_to_a_position_is_told_everywhere_else() -> None:
    """In a game that goes round, all positions are asked about in many orders, of one search and of new ones."""
    game, table, states = small("circles"), table_of("circles"), states_of("circles")
    for seed in range(20):
        searcher = decider_of(game.engine, 100 if seed % 2 else 4)
        for number in random.Random(seed).sample(range(len(states)), len(states)):
            player = 1 + (number + seed) % 2
            found = decide_by(searcher, game.engine, states[number], player)
            assert found.wins is (table.values[number] == 3 - 2 * player)
        assert searcher.lost > 0


# Places in no order; a counter may run down, and otherwise games go round.  The mover may be the same after a move.
WILD = """
game "Wild"
players Ann, Bob
board square 1 by 1
state
  place: 0..{last}
  left: 0..{turns}
setup
  place := {begin}
  left := {turns}
move go(n: 1..{ways})
  when
    (place * n + {skew}) % {sparse} != 0
    left > 0
  do
    place := (place * {factor} + n * {step} + left * {by_left}) % {places}
    left := left - {down}
    if place % {often} = 1
      again
stuck {stuck}
end
  mover wins when place in {{{won}}}
  opponent wins when place in {{{lost}}}
  draw when place in {{{drawn}}}
evaluate
  place 1 : if mover = me then place else 0
"""


def wild(seed: int) -> Game:
    """Random rules of that kind; every second game goes round."""
    chance = random.Random(seed)
    places = chance.choice([17, 29, 53, 97])
    ends = [str(place) for place in chance.sample(range(places), 6)]
    down = seed % 2
    text = WILD.format(
        places=places, last=places - 1, begin=chance.randrange(places), turns=12 * down + 1, down=down,
        ways=chance.randint(2, 4), skew=chance.randrange(5), sparse=chance.choice([3, 5, 7]),
        factor=chance.randrange(1, places), step=chance.randrange(1, places), by_left=chance.randrange(places),
        often=chance.choice([3, 4, 100]), stuck=chance.choice(["mover loses", "draw", "mover wins"]),
        won=", ".join(ends[: chance.randint(1, 3)]), lost=ends[3], drawn=ends[4],
    )  # fmt: skip
    return pysolve.load(text, engine="prolog")


@pytest.mark.parametrize("down", [0, 1])
def test_random_games_are_decided_as_their_tables_say(down: int) -> None:
    """All that follows each is asked in random order, of tables of each size."""
    found, lost = Counter[bool](), 0
    for seed in range(down, 30, 2):
        game, chance = wild(seed), random.Random(seed)
        start = game.start().state
        try:
            engine = NativeEngine(game.model, "tcc", proof=False)
        except NoCompiler:
            pytest.skip("tcc is not here")
        table = retrograde(engine, start, 100_000)
        states = sorted(states_after(engine, start))
        for room in ROOMS:
            searcher = decider_of(engine, room)
            for state in chance.sample(states, min(len(states), 60)):
                player, worth = chance.choice([1, 2]), table.worth(state)
                assert worth is not None
                answer = searcher.ask(state, player, 5000)
                if answer is None:
                    assert not down, "only games that go round take long"
                    continue
                assert answer.wins is (worth.value == 3 - 2 * player), (seed, room, state)
                found[answer.wins] += 1
            lost += searcher.lost
    assert min(found[True], found[False]) > 200
    assert (lost > 1000) is (down == 0), "only games that go round lose answers"


@pytest.mark.parametrize("engine", ["native", "python"])
def test_who_does_not_win_loses_where_no_draw_was_met(engine: str) -> None:
    """Of all positions, and games with draws and circles among them; only then the other question is not asked."""
    said = Counter[bool]()
    for name in ("hex", "nim", "kalah", "tictactoe", "circles"):
        game, table, states = small(name), table_of(name), states_of(name)
        for number in random.Random(2).sample(range(len(states)), min(len(states), 40)):
            searcher = decider_of(game.engine if engine == "native" else Plain(game), 1000)
            player = 1 + number % 2
            answer = searcher.ask(states[number], player)
            assert answer is not None
            if answer.wins:
                continue
            said[searcher.drawn == 0] += 1
            if not searcher.drawn:
                assert table.values[number] == (-1 if player == 1 else 1)
            elif name in ("hex", "nim"):
                pytest.fail("no draw can be met here")
    assert min(said[True], said[False]) > 10


def test_a_win_of_the_second_player_needs_one_question_and_has_a_proof() -> None:
    position = load("breakthrough", width=2, height=5).start()
    found = solve(position, ALPHA_BETA)
    alone = decide(position.game.engine, position.state, 1, 1_000_000, symmetries=renamings_of(position.game.model))
    assert (found.winner, found.positions) == ("Black", alone.visits)
    (proven,) = proofs.replay(found.proof("breakthrough"), position.game)
    assert proven.claim in found.claims


# ------------------------------------------------------------------------------------------------ limits

LONG = """
game "Long"
players Ann, Bob
state n: 0..300
move count
  do n := n + 1
stuck draw
end draw when n = 300
"""


def test_a_search_ends_at_its_limits() -> None:
    game = load("connect_four", width=4, height=4)
    for engine in (game.engine, Plain(game)):
        found = decide(engine, game.start().state, 1, 1000, visits=100)
        assert (found.wins, found.visits, found.plan) == (None, 100, {})


def test_a_search_ends_in_time() -> None:
    """The whole board, with a table of this size, would take days."""
    game = load("connect_four")
    for engine in (game.engine, Plain(game)):
        assert decide(engine, game.start().state, 1, 1000, seconds=0.01).wins is None


def test_a_search_is_the_same_each_time_and_may_be_asked_again_after_a_limit() -> None:
    game = load("connect_four", width=4, height=4)
    start = game.start().state
    one, other = (decide(game.engine, start, 2, 500) for _ in range(2))
    assert (one.wins, one.visits, one.kept) == (other.wins, other.visits, other.kept)
    assert one.wins is False
    assert one.visits > one.kept <= 500
    searcher = decider_of(game.engine, 500)
    assert decide_by(searcher, game.engine, start, 2, visits=50).wins is None
    assert decide_by(searcher, game.engine, start, 2).wins is False


@pytest.mark.parametrize("name", ["connect_four", "othello", "circles"])
def test_threads_answer_as_one_does(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """They share a table that is too small, and what each has found, from the first moment on."""
    monkeypatch.setattr("pysolve.engines.solver.ALONE", 0)
    game = load("connect_four", width=5, height=4) if name == "connect_four" else small(name)
    states = [game.start().state] if name == "connect_four" else states_of(name)[:40]
    alone, several = (decider_of(game.engine, 2000, renamings_of(game.model), threads) for threads in (1, 3))
    for state in states:
        for player in (1, 2):
            found = decide_by(several, game.engine, state, player)
            assert found.wins is decide_by(alone, game.engine, state, player).wins
    assert several.kept <= 2000


def test_threads_may_be_limited_and_go_on() -> None:
    game = load("connect_four", width=5, height=4)
    searcher = decider_of(game.engine, 100_000, threads=2)
    stopped = decide_by(searcher, game.engine, game.start().state, 1, visits=1001)
    assert (stopped.wins, 501 <= stopped.visits <= 1002) == (None, True)
    assert decide_by(searcher, game.engine, game.start().state, 1).wins is False
    with pytest.raises(ValueError, match="threads"):
        decider_of(game.engine, 100_000, threads=0)


def test_a_table_grows_until_it_is_full() -> None:
    game = load("connect_four", width=5, height=4)
    wide = decide(game.engine, game.start().state, 1, 1_000_000)
    narrow = decide(game.engine, game.start().state, 1, 1_000)
    assert wide.wins is narrow.wins is False
    assert 900 < narrow.kept <= 1_000 < 20_000 < wide.kept  # it begins with 16,384, and grows where half is full
    assert narrow.visits > wide.visits


def test_a_game_that_goes_round_is_given_up() -> None:
    start = load("conga", pile=1).start()
    with pytest.raises(GoesRound, match="positions come again so often here that alpha-beta is of no use"):
        decide(start.game.engine, start.state, 1, 1_000_000)


def test_a_game_that_is_too_long_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pysolve.engines.solver.LONGEST_WAY", 256)
    start = pysolve.load(LONG).start()
    with pytest.raises(LimitReached, match=r"a game can last more than 256 moves here, .*: try proof-number search"):
        decide(start.game.engine, start.state, 1, 1000)


def test_a_puzzle_is_refused() -> None:
    start = load("peg_solitaire").start()
    with pytest.raises(DoesNotApply, match="proof-number search finds the solution of a puzzle"):
        solve(start, ALPHA_BETA)


# ------------------------------------------------------------------------------------------------ proofs


@pytest.mark.parametrize("name", ["tictactoe", "kalah", "othello", "hex", "nim"])
def test_proofs_hold(name: str) -> None:
    position = small(name).start()
    found = solve(position, ALPHA_BETA, Limits(threads=1 + (name == "othello")))
    assert found.is_solved
    for one in proofs.replay(found.proof(name), position.game):
        assert one.claim in found.claims


def test_proofs_hold_where_games_go_round() -> None:
    game, table, states = small("circles"), table_of("circles"), states_of("circles")
    for number, state in enumerate(states):
        found = solve(Position(game, state), ALPHA_BETA)
        assert found.is_draw is (table.values[number] == 0)
        for one in proofs.replay(found.proof("circles"), game):
            assert one.claim in found.claims


def test_a_plan_that_goes_round_is_refused() -> None:
    """What the search has kept of other questions may lead from one won position to another, and back."""
    game = wild(22)
    try:
        engine = NativeEngine(game.model, "tcc", proof=False)
    except NoCompiler:
        pytest.skip("tcc is not here")
    searcher, plans, refused = decider_of(engine, ROOMS[0]), 0, Counter[str]()
    for state in sorted(states_after(engine, game.start().state))[:80]:
        found = decide_by(searcher, engine, state, 1, 5000)
        if found.wins:
            try:
                plans += len(found.plan) > 0
            except GoesRound as error:
                refused[str(error)] += 1
    assert plans > 3
    assert list(refused) == [
        "positions come again here, and the moves that alpha-beta has found go round in a circle: another method may "
        "find a proof"
    ]


# ------------------------------------------------------------------------------------------------ the command


def run(*args: object) -> Result:
    return CliRunner().invoke(app, ["solve", *map(str, args)])


def test_the_command() -> None:
    told = run("connect_four", "width=5", "height=5", "--method", ALPHA_BETA).stdout.splitlines()
    assert told[0] == "A draw from the start: neither player can force a win."
    assert told[1].startswith("It begins with ")
    assert "positions (visited by alpha-beta up to 2 symmetries), " in told[2]
    found = json.loads(run("othello", "size=4", "--method", ALPHA_BETA, "--json").stdout)
    assert (found["solved"], found["winner"], found["method"]) == (True, "White", ALPHA_BETA)
    stopped = run("connect_four", "--method", ALPHA_BETA, "--nodes", 1000)
    assert stopped.exit_code == 1
    assert stopped.stdout.startswith("Not solved from the start.\nLarger --time, --nodes or --states may suffice.")


@pytest.mark.parametrize("game", ["tictactoe", "kuhn_poker"])
def test_threads_are_those_of_alpha_beta(game: str) -> None:
    refused = run(game, "--threads", 2)
    assert (refused.exit_code, refused.stdout) == (2, "")
    assert "--threads is for --method alpha-beta: the other methods have one" in refused.stderr


def test_where_a_search_is_stays_within_its_memory() -> None:
    """It is asked while the search goes on, so what it reads need not fit together."""
    game = load("connect_four")
    if not isinstance(game.engine, NativeEngine):
        pytest.skip("nothing compiles C here")
    searcher: Any = decider_of(game.engine, 1000)
    assert decide_by(searcher, game.engine, game.start().state, 1, visits=500).wins is None
    assert [count for _, _, count in searcher.course()] == [7, 7, 7]
    searcher._threads[0]._choices_room = 10  # as if a row of the way pointed behind the moves that there are
    assert [count for _, _, count in searcher.course()] == [7, 7]


def test_it_is_told_how_far_a_search_is(monkeypatch: pytest.MonkeyPatch) -> None:
    """A line now and then where no terminal is; here after each step.  Ctrl-C leaves with what is known."""
    monkeypatch.setattr("pysolve.cli.progress.EVERY", 0.0)
    lines = run(
        "connect_four", "width=5", "height=4", "--method", ALPHA_BETA, "--engine", "prolog", "--nodes", 5000
    ).stderr
    assert re.search(
        r"^pysolve: does Yellow win, 1,024 so far.*; \w\d \(\d of 5\), \w\d \(\d of 5\), \w\d \(\d of 5\)$", lines, re.M
    )

    asked = list[int]()

    def decided(*_: object) -> Decided:
        asked.append(1)
        if len(asked) == 2:
            raise KeyboardInterrupt
        return Decided(False, 10, 10)

    monkeypatch.setattr("pysolve.lab.solving.decide_by", decided)
    monkeypatch.setattr("pysolve.lab.solving.decider_of", lambda *_: SimpleNamespace(drawn=1, course=list))
    stopped = run("connect_four", "--method", ALPHA_BETA)
    assert stopped.exit_code == 130
    assert stopped.stdout.startswith("Yellow cannot force a win from the start; whether Red can is not known.")
    assert "solve stopped before all was known: does Red win, 0 so far" in stopped.stderr


def test_the_course_of_a_search_is_known() -> None:
    start = load("connect_four").start()
    for engine in (start.game.engine, Plain(start.game)):
        searcher = decider_of(engine, 10_000)
        assert searcher.course() == []
        assert searcher.ask(start.state, 1, visits=100) is None
        course = searcher.course()
        assert len(course) == 3
        assert all(1 <= number <= count <= 7 for _, number, count in course)
        assert course[0][0] in engine.expand(start.state).moves


def test_half_of_the_visits_is_for_each_player() -> None:
    found = solve(load("connect_four").start(), ALPHA_BETA, Limits(visits=2000))
    assert (found.claims, found.positions) == ((), 2000)


def numbers_of(table: Table) -> list[list[int]]:
    """All that a table says of its positions."""
    return [list(one) for one in (table.values, table.distances, table.first, table.after)]


@pytest.mark.parametrize(
    "ask",
    [
        lambda engine, start: decide(engine, start, 2, 100_000),
        lambda engine, start: prove(engine, start, 2, 100_000),
        lambda engine, start: numbers_of(retrograde(engine, start)),
    ],
    ids=["alpha-beta", "proof-number", "exhaustive"],
)
def test_a_better_build_goes_on_where_a_quick_one_was(
    monkeypatch: pytest.MonkeyPatch, ask: Callable[[Any, bytes], Any]
) -> None:
    """The quick build is replaced after each slice; nothing that was found is lost, and no visit is made twice."""
    game = load("connect_four", width=4, height=4)
    start, better = game.start().state, game.engine
    expected = ask(better, start)
    try:
        engine = NativeEngine(game.model, "tcc", proof=False)
    except NoCompiler:
        pytest.skip("tcc is not here")
    builds = [engine.functions, better.functions]  # type: ignore[attr-defined]
    monkeypatch.setattr("pysolve.engines.solver.SLICE", 0.001)
    asked = list[bool]()

    def is_improving(_: NativeEngine) -> bool:
        asked.append(True)
        engine.functions = builds[len(asked) % 2]
        return True

    monkeypatch.setattr(NativeEngine, "is_improving", property(is_improving))
    assert ask(engine, start) == expected
    assert len(asked) > 1


def test_a_better_build_grows_the_tree_of_a_quick_one() -> None:
    """Random games, what is known of later moves, and the way to a new root: as if one build had done all of it."""
    game = load("breakthrough-mini")
    better: Any = game.engine
    try:
        engine = NativeEngine(game.model, "tcc", proof=False)
    except NoCompiler:
        pytest.skip("tcc is not here")
    start, builds = better.start(), [better.functions, engine.functions]

    def grown(engines: Sequence[Any]) -> list[tuple[Any, ...]]:
        tree = planted(engine, start, Settings())
        for number, functions in enumerate(engines):
            engine.functions = functions
            tree.grow(300, None, number)
            if number == 1:
                best = tree.ranked(tree.root().at)[0]
                tree.advance(best.at, engine.expand(start).child(best.number), History())
        return [one[:-1] for one in (tree.root(), *tree.ranked(tree.root().at))]

    assert grown([*builds, *builds]) == grown(builds[:1] * 4)
