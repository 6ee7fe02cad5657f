"""Solving: values of all positions, proof-number search, proofs and their replay, the command solve."""

import io
import json
import random
import re
import subprocess
import time
from functools import cache
from pathlib import Path

import pytest
from rich.console import Console
from typer.testing import CliRunner, Result

import pysolve
from pysolve.cli import progress
from pysolve.cli.app import app
from pysolve.dsl.to_c import print_c
from pysolve.engines.protocol import Engine, Node, State
from pysolve.game import Game
from pysolve.lab import proofs
from pysolve.lab.proofs import Claim, Proof, ProofError, Refuted, Undecided
from pysolve.lab.solving import ALPHA_BETA, EXHAUSTIVE, PROOF_NUMBER, Limits, Solution, solve
from pysolve.search.proof_number import TableFull, prove
from pysolve.search.retrograde import OutOfTime, Stage, Table, TooManyStates, retrograde
from tests.games import load, slow_but
from tests.test_native import gcc, needs_cc

pytestmark = pytest.mark.slow

# Sooner or later a circle: a token walks round, who takes the last stone wins, and the mover may move twice.
CIRCLES = """
game "Round and round"
players Ann, Bob
board square 3 by 1
state
  place: 0..5
  stones: 0..3
setup
  place := 0
  stones := 3
move walk(n: 1..2)
  do
    place := (place + n) % 6
move take(n: 1..2)
  when
    n <= stones
    place in {0, 3, 4}
  do
    stones := stones - n
    place := (place + 1) % 6
    if stones = 2
      again
stuck mover loses
end
  mover wins when stones = 0 because "the last stone"
  draw when stones = 1 and place = 5 because "nobody wants it"
"""

NIM = """
game "Nim in one heap"
players First, Second
board square 1 by 1
state left: 0..9
setup left := 9
move take(n: 1..3) as "take {n}"
  when n <= left
  do left := left - n
stuck mover loses
"""

SMALL = {
    "tictactoe": {},
    "kalah": {"pits": 3, "seeds": 2},  # the mover may stay
    "conga": {"pile": 1},  # goes round in circles
    "othello": {"size": 4},  # passes
    "hex": {"size": 3},
    "circles": {},
    "nim": {},
}
TEXTS = {"circles": CIRCLES, "nim": NIM}


@cache
def small(name: str) -> Game:
    return pysolve.load(TEXTS[name]) if name in TEXTS else load(name, **SMALL[name])


class Plain:
    """An engine that does nothing but answer: no search of its own."""

    def __init__(self, game: Game):
        self.game = game.model
        self.expand = game.engine.expand
        self.start = game.engine.start
        self.estimate = game.engine.estimate
        self.judge = game.engine.judge


@cache
def table_of(name: str) -> Table:
    game = small(name)
    return retrograde(Plain(game), game.start().state)


@cache
def states_of(name: str) -> tuple[State, ...]:
    """All positions by number, found again."""
    game, table = small(name), table_of(name)
    found = {0: game.start().state}
    for number in range(len(table)):
        found.update(zip(table.children(number), game.engine.expand(found[number]).children(), strict=True))
    return tuple(found[number] for number in range(len(table)))


def wins_within(engine: Engine, states: tuple[State, ...], player: int) -> dict[State, int]:
    """In how many moves a player wins by force: the plain definition, move by move until nothing changes."""
    nodes = {state: engine.expand(state) for state in states}
    after = {state: list(node.children()) for state, node in nodes.items()}
    known = {state: 0 for state, node in nodes.items() if node.payoff is not None and node.payoff[player - 1] == 1}
    left = [state for state in states if after[state]]
    every = {True: any, False: all}
    for moves in range(1, len(states)):
        new = {state for state in left if every[state[0] == player](child in known for child in after[state])}
        if not new:
            break
        known.update(dict.fromkeys(new, moves))
        left = [state for state in left if state not in new]
    return known


# ------------------------------------------------------------------------------------------ every position


@pytest.mark.parametrize("name", slow_but(SMALL.keys() - {"othello"}, SMALL))
def test_values_are_what_the_plain_definition_says(name: str) -> None:
    table, states = table_of(name), states_of(name)
    first, second = (wins_within(small(name).engine, states, player) for player in (1, 2))
    for number, state in enumerate(states):
        value = 1 if state in first else -1 if state in second else 0
        assert table.values[number] == value
        if value:
            assert table.distances[number] == (first if value == 1 else second)[state]


@pytest.mark.parametrize("name", slow_but(SMALL.keys() - {"othello"}, SMALL))
def test_both_engines_number_and_value_positions_alike(name: str) -> None:
    game, table = small(name), table_of(name)
    found = retrograde(game.engine, game.start().state)
    assert list(found.values) == list(table.values)
    assert list(found.distances) == list(table.distances)
    assert list(found.first) == list(table.first)
    assert list(found.after) == list(table.after)


def test_the_games_that_are_tried_have_circles_draws_and_turns_of_several_moves() -> None:
    for name in ("conga", "circles"):
        table, states = table_of(name), states_of(name)
        engine = small(name).engine
        assert any(not value and len(engine.expand(s)) for value, s in zip(table.values, states, strict=True))
    for name in ("kalah", "circles"):
        engine = small(name).engine
        assert any(child[0] == state[0] for state in states_of(name) for child in engine.expand(state).children())
    assert {1, 0, -1} == set(table_of("circles").values)


@pytest.mark.slow
def test_memory_grows_and_has_a_bound() -> None:
    game = load("connect_four", width=4, height=4)
    start = game.start().state
    assert len(retrograde(game.engine, start, 161_029)) == 161_029
    for engine in (game.engine, Plain(game)):
        with pytest.raises(TooManyStates, match=r"161,028|5,000"):
            retrograde(engine, start, 161_028 if engine is game.engine else 5_000)


def test_progress_is_told() -> None:
    game = small("tictactoe")
    for engine in (game.engine, Plain(game)):
        steps: list[tuple[Stage, list[int]]] = []
        retrograde(
            engine, game.start().state, tick=lambda number, steps=steps: steps[-1][1].append(number),  # type: ignore[misc]
            begun=lambda stage, steps=steps: steps.append((stage, [])),  # type: ignore[misc]
        )  # fmt: skip
        (found, looked), (worth, _) = steps
        assert (found.what, worth.what) == ("reachable positions", "values of the positions")
        assert sum(looked) <= 5478
        assert [stage.steps and stage.steps() for stage in (found, worth)] == [5478, 5478]


def test_questions_of_a_proof_are_told() -> None:
    told: list[Stage] = []
    position = small("tictactoe").start()
    solve(position, PROOF_NUMBER, Limits(visits=100_000), begun=told.append)
    assert [one.what for one in told] == ["possible symmetries", "does X win", "does O win"]
    assert [one.steps and one.steps() for one in told] == [None, 50_000, 50_000]


class Slow(Plain):
    """An engine whose clock stands still until it has answered some questions, and then is past every limit."""

    def __init__(self, game: Game, questions: int, clock: list[float]):
        super().__init__(game)
        self.left, self._clock, self._answer = questions, clock, self.expand
        self.expand = self._asked

    def _asked(self, state: State) -> Node:
        self.left -= 1
        if not self.left:
            self._clock[0] = 1e9
        return self._answer(state)


@pytest.mark.parametrize("part", [0, 0.1, 0.5, 0.9, 0.99, 1])
@pytest.mark.parametrize("method", [EXHAUSTIVE, PROOF_NUMBER])
@pytest.mark.slow
def test_the_time_ends_every_stage(monkeypatch: pytest.MonkeyPatch, part: float, method: str) -> None:
    clock = [0.0]
    monkeypatch.setattr("time.monotonic", lambda: clock[0])
    game = small("tictactoe")
    start, whole = game.start().state, Slow(game, 0, clock)
    if method == EXHAUSTIVE:
        retrograde(whole, start, until=10.0)
        engine = Slow(game, max(1, round(-whole.left * part)), clock)
        with pytest.raises(OutOfTime) as error:
            retrograde(engine, start, until=10.0)
        assert 1 <= error.value.kept <= 5478
    else:
        assert prove(whole, start, 1, 1_000_000, seconds=10.0).wins is False  # its last question is whether it closes
        engine = Slow(game, max(1, round(-whole.left * part)), clock)
        assert prove(engine, start, 1, 1_000_000, seconds=10.0).wins is (False if part == 1 else None)
    assert -200 < engine.left <= 0  # the clock is looked at again soon


@pytest.mark.parametrize("values", [False, True])
def test_the_time_ends_what_c_does(monkeypatch: pytest.MonkeyPatch, values: bool) -> None:
    """In each stage the clock jumps past the limit as soon as it is begun."""
    clock, real = [0.0], time.monotonic
    game = load("connect_four", width=4, height=4)

    def begun(stage: Stage) -> None:
        if stage.what.startswith("values" if values else "reachable"):
            clock[0] = 1e9

    monkeypatch.setattr("time.monotonic", lambda: real() + clock[0])
    until = real() + 1e6
    with pytest.raises(OutOfTime) as error:
        retrograde(game.engine, game.start().state, until=until, begun=begun)
    assert error.value.kept == 161_029 if values else error.value.kept < 161_029


@pytest.mark.slow
def test_what_the_time_was_too_short_for_is_not_solved(monkeypatch: pytest.MonkeyPatch) -> None:
    """The clock goes on by a second whenever something was found."""
    position = pysolve.load("blockade-4v3").start()
    clock, waited = [0.0], list[int]()

    def tick(more: int) -> None:
        clock[0] += 1
        waited.append(more)

    monkeypatch.setattr("time.monotonic", lambda: clock[0])
    for method in (EXHAUSTIVE, PROOF_NUMBER, None):
        waited.clear()
        found = solve(position, method, Limits(seconds=4.0), tick)
        assert not found.is_solved
        assert str(found) == "Not solved from the start."
        assert found.method == (method or ALPHA_BETA)
        assert found.positions > 0
        assert 4 <= found.seconds == len(waited) <= 4 + 2 * 4  # up to four stages; each hears of it when it is stopped


# What others have found: J. Tromp's counts for connect four; 4x4 othello is won by the second player; hex is won by the
# first (a stone more never harms); kalah by G. Irving, J. Donkers and J. Uiterwijk, Solving Kalah, ICGA Journal 23
# (2000).
PUBLISHED = [
    ("tictactoe", {}, 0, 5478),
    ("connect_four", {"width": 4, "height": 4}, 0, 161_029),
    ("othello", {"size": 4}, -1, None),
    ("hex", {"size": 2}, 1, None),
    ("hex", {"size": 3}, 1, None),
    ("kalah", {"pits": 2, "seeds": 1}, 1, None),
    ("kalah", {"pits": 2, "seeds": 2}, -1, None),
    ("kalah", {"pits": 2, "seeds": 3}, -1, None),
    ("kalah", {"pits": 3, "seeds": 1}, 0, None),
    ("kalah", {"pits": 3, "seeds": 2}, 1, None),
    ("kalah", {"pits": 3, "seeds": 3}, 1, None),
]


@pytest.mark.parametrize(("name", "options", "value", "count"), PUBLISHED)
def test_values_are_those_that_were_published(
    name: str, options: dict[str, int], value: int, count: int | None
) -> None:
    game = load(name, **options)
    table = retrograde(game.engine, game.start().state)
    assert table.values[0] == value
    assert count is None or len(table) == count


# ------------------------------------------------------------------------------------------ proof-number search


@pytest.mark.slow
@pytest.mark.parametrize("name", slow_but(SMALL.keys() - {"conga"}, SMALL, late=["conga"]))
def test_proof_number_search_agrees_with_the_values(name: str) -> None:
    game, table, states = small(name), table_of(name), states_of(name)
    numbers = random.Random(1).sample(range(len(states)), 3 if name == "conga" else min(len(states), 40))
    for number in {0, *numbers}:
        for player, sign in ((1, 1), (2, -1)):
            found = prove(game.engine, states[number], player, 1_000_000)
            assert found.wins is (table.values[number] == sign)
            tried = prove(Plain(game), states[number], player, 1_000_000) if number < 1000 else found
            assert (tried, tried.plan) == (found, found.plan), "the engines differ"


def test_a_search_ends_at_its_limits() -> None:
    game = load("connect_four", width=4, height=4)
    for engine in (game.engine, Plain(game)):
        found = prove(engine, game.start().state, 1, 1_000_000, visits=100)
        assert (found.wins, found.visits, found.plan) == (None, 100, {})
        assert prove(engine, game.start().state, 1, 1_000_000, seconds=0.0001).wins is None
    with pytest.raises(TableFull, match="1,000 positions"):
        prove(Plain(game), game.start().state, 1, 1000)
    with pytest.raises(TableFull, match="10,000 positions"):
        prove(game.engine, game.start().state, 1, 10_000)


# A program of its own, in which every buffer is just as large as it has to be, and is grown when it is full.
DRIVER = """
#include <stdio.h>
#include <stdlib.h>
#include "game.c"

static void *grown(void *old, size_t size, size_t now) {
    char *new = calloc(1, now ? now : 1);
    for (size_t i = 0; i < size; i++) new[i] = ((char *)old)[i];
    free(old);
    return new;
}
#define GROW(p, room, now) p = grown(p, (size_t)(room) * sizeof *p, (size_t)(now) * sizeof *p)

int main(void) {
    Control c = {0};
    Explored x = {1, 0, 0, 0};
    Renamings none = {0};
    State *s = calloc(1, sizeof *s), *after = 0;
    u64 *first = calloc(2, 8), *hashes = 0;
    i8 *results = calloc(1, 1);
    u32 *slots = calloc(2, 4), *edges = 0;
    Move *moves = 0;
    I room = 1, slot_room = 2, edge_room = 0, move_room = 0, found;
    u8 *start = calloc(1, SIZE);
    if (ps_start(&c, 1, start) < 0) return 1;
    take(s, start);
    while ((found = ps_explore(&c, &x, &none, s, room, slots, slot_room - 1, first, results, edges, edge_room, moves,
                               after, hashes, move_room)) == NO_ROOM) {
        I more;
        if (c.low == MOVES_FULL) {
            more = 2 * move_room + 1;
            GROW(moves, move_room, more); GROW(after, move_room, more); GROW(hashes, move_room, more);
            move_room = more;
        } else if (c.low == EDGES_FULL) {
            more = edge_room + 7;
            GROW(edges, edge_room, more);
            edge_room = more;
        } else {
            more = 2 * room;
            GROW(s, room, more); GROW(first, room + 1, more + 1); GROW(results, room, more);
            free(slots);
            slots = calloc((size_t)(slot_room = 2 * more), 4);
            x.hashed = 0, room = more;
        }
    }
    I n = x.count;
    i8 *values = calloc((size_t)n, 1);
    u32 *distances = calloc((size_t)n, 4);
    ps_values(&c, n, s, first, edges, results, calloc((size_t)n + 1, 8), calloc((size_t)x.edges, 4),
              calloc((size_t)n, 4), calloc((size_t)n, 4), values, distances);
    printf("%lld %d %u\\n", n, values[0], distances[0]);
    Proving p = {0, -1, 0, 0};
    I table_room = 8, way_room = 1, reply_room = 0;
    Numbers *table = calloc(8, sizeof *table);
    Stage *way = calloc(1, sizeof *way);
    Reply *replies = 0;
    Move *list = 0;
    while ((found = ps_prove(&c, &p, &none, start, 1, table, table_room - 1, way, way_room, list, replies, reply_room,
                             -1)) == NO_ROOM) {
        if (c.low == TABLE_FULL) {
            Numbers *larger = calloc((size_t)table_room * 2, sizeof *table);
            ps_move_numbers(table, table_room - 1, larger, 2 * table_room - 1);
            free(table);
            table = larger, table_room *= 2;
        } else if (c.low == WAY_FULL) {
            GROW(way, way_room, way_room + 1);
            way_room++;
        } else {
            GROW(list, reply_room, reply_room + 3); GROW(replies, reply_room, reply_room + 3);
            reply_room += 3;
        }
    }
    I out[3];
    ps_known(&none, table, table_room - 1, start, out, 0);
    printf("%lld %lld\\n", p.visits, out[0]);
    return 0;
}
"""


@needs_cc
@pytest.mark.parametrize("name", slow_but((), ["circles", "kalah", "tictactoe"], late=["kalah", "tictactoe"]))
def test_sanitizers_find_nothing_in_c(name: str, tmp_path: Path) -> None:
    model = small(name).model
    (tmp_path / "game.c").write_text(print_c(model), encoding="ascii")
    (tmp_path / "main.c").write_text(DRIVER, encoding="ascii")
    flags = "-O1", "-g", "-std=gnu11", "-fsanitize=address,undefined", "-fno-sanitize-recover", "-fwrapv"
    done = gcc(*flags, tmp_path / "main.c", "-o", tmp_path / "program")
    if "libasan" in done.stderr or "unrecognized" in done.stderr:
        pytest.skip("this compiler has no sanitizers")
    assert done.returncode == 0, done.stderr[:3000]
    run = subprocess.run([tmp_path / "program"], capture_output=True, text=True, check=False, timeout=300,
                         env={"ASAN_OPTIONS": "detect_leaks=0"})  # fmt: skip
    assert run.stderr == ""
    table = table_of(name)
    found = prove(Plain(small(name)), small(name).start().state, 1, 1_000_000)
    expected = [len(table), table.values[0], table.distances[0], found.visits]
    assert list(map(int, run.stdout.split()))[:4] == expected


# ------------------------------------------------------------------------------------------ proofs


def solved(name: str, method: str = EXHAUSTIVE) -> Solution:
    return solve(small(name).start(), method)


def text_of(solution: Solution, name: str = "tictactoe") -> list[str]:
    return list(proofs.write(solution.proof(name)))


@pytest.mark.parametrize("method", [EXHAUSTIVE, PROOF_NUMBER])
@pytest.mark.parametrize("name", slow_but(["tictactoe", "kalah"], SMALL))
def test_every_proof_holds_when_it_is_replayed(name: str, method: str) -> None:
    solution = solved(name, method)
    assert solution.claims
    proof = proofs.read(text_of(solution))
    seen = list(proofs.replay(proof, small(name)))
    assert [one.claim for one in seen] == list(solution.claims)
    for one in seen:
        assert one.claim.within is None or one.longest == one.claim.within
    value = table_of(name).values[0]
    assert solution.winner == (None if not value else small(name).players[value < 0])
    assert solution.is_draw == (value == 0)


@pytest.mark.parametrize("name", ["tictactoe", "conga", "circles"])
def test_a_proof_holds_by_prolog_too(name: str) -> None:
    rules = TEXTS.get(name, name)
    clauses = pysolve.load(rules, engine="prolog", **SMALL[name])
    proof = proofs.read(text_of(solved(name)))
    assert clauses.engine.name == "prolog"  # type: ignore[attr-defined]
    assert all(one.positions for one in proofs.replay(proof, clauses))


def refuted(proof: Proof, name: str) -> str:
    with pytest.raises(Refuted) as error:
        list(proofs.replay(proof, small(name)))
    return str(error.value)


@pytest.mark.parametrize("name", ["hex", "circles", "nim"])
def test_no_line_of_a_proof_can_be_missed(name: str) -> None:
    (claim, moves), *_ = solved(name).proof(name).claims
    for position in moves:
        less = {key: move for key, move in moves.items() if key != position}
        assert "has no move" in refuted(_with(name, claim, less), name)


def _with(name: str, claim: Claim, moves: dict[str, str]) -> Proof:
    model = small(name).model
    return Proof(name, {}, model.digest, small(name).start().line(), [(claim, moves)])


def test_no_move_of_a_proof_can_be_exchanged_for_a_losing_one() -> None:
    game = small("hex")
    (claim, moves), *_ = solved("hex").proof("hex").claims
    table, numbers = table_of("hex"), {state: number for number, state in enumerate(states_of("hex"))}
    tried = 0
    for text in moves:
        position = game.position(text)
        for index, child in enumerate(table.children(numbers[position.state])):
            if table.values[child] != 1:
                refuted(_with("hex", claim, {**moves, text: str(position.legal_moves[index])}), "hex")
                tried += 1
    assert tried > 50


def test_false_claims_are_refuted() -> None:
    proof = solved("nim").proof("nim")
    (claim, moves), *_ = proof.claims
    assert claim == Claim("First", True, 5)
    assert "can take 5 moves" in refuted(_with("nim", Claim("First", True, 4), moves), "nim")
    assert "never reached" in refuted(_with("nim", claim, {**moves, "_ Second": "take 1"}), "nim")
    assert 'no seat "Third"' in refuted(_with("nim", Claim("Third", True), moves), "nim")
    assert "no move for Second" in refuted(_with("nim", Claim("Second", True), moves), "nim")
    first = next(iter(moves))
    assert "is not legal" in refuted(_with("nim", claim, {**moves, first: "take 9"}), "nim")
    drawn = solved("tictactoe").proof("tictactoe").claims
    assert "a draw for X" in refuted(_with("tictactoe", Claim("X", True), drawn[0][1]), "tictactoe")


def test_a_win_that_goes_round_in_a_circle_is_refuted() -> None:
    drawn = solved("conga").proof("conga").claims[0]
    assert "repeats a position" in refuted(_with("conga", Claim("Black", True), drawn[1]), "conga")


TWINS = """
game "Moves of the same text"
players First, Second
board square 1 by 1
state left: 0..3
setup left := 3
move spoil(n: 1..3) as "take {n}"
  when n <= left
  do left := 0
move take(n: 1..3) as "take {n}"
  when n <= left
  do left := left - n
stuck mover wins
"""


def test_moves_of_the_same_text_are_told_apart() -> None:
    solution = solve(pysolve.load(TWINS).start())
    proof = proofs.read(proofs.write(solution.proof("twins")))
    assert list(proofs.replay(proof, solution.position.game))
    assert any(move.startswith("take(") for _, moves in proof.claims for move in moves.values())


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda lines: lines[:-1], "its end is missing"),
        (lambda lines: lines[:1], "its end is missing"),
        (lambda lines: [], "its end is missing"),
        (lambda lines: ["{}", *lines[1:]], "line 1 is not the beginning of a proof"),
        (lambda lines: [lines[0].replace('"proof": 1', '"proof": 9'), *lines[1:]], "format 1, not 9"),
        (lambda lines: [lines[0], '{"player": "X"}', *lines[2:]], "line 2 is not a claim"),
        (lambda lines: [*lines[:2], "[1, 2]", *lines[3:]], "line 3 is not a position and a move"),
        (lambda lines: [*lines[:3], lines[2], *lines[4:]], "line 4 is not a position and a move, each once"),
        (lambda lines: [*lines[:2], "what?", *lines[3:]], "line 3 is not a position"),
        (lambda lines: [lines[0].replace('"options": {', '"options": [{').replace("}, ", "}], ", 1), *lines[1:]],
         "line 1 is not the beginning of a proof"),
        (lambda lines: [*lines, lines[-1]], "line 511 is not a claim"),
        (lambda lines: [*lines[:83], *lines[1:83]], "line 84: X already has a claim"),  # two of X are no draw
    ],
)  # fmt: skip
def test_a_text_that_is_no_proof_is_refused(change: object, said: str) -> None:
    lines = text_of(solved("tictactoe"))
    with pytest.raises(ProofError, match=said):
        proofs.read(change(lines))  # type: ignore[operator]


def test_a_proof_by_other_rules_is_refused() -> None:
    proof = solved("tictactoe").proof("tictactoe")
    with pytest.raises(ProofError, match="other rules"):
        proofs.game_of(Proof("tictactoe", {"width": "4"}, proof.rules, proof.position, proof.claims))


# ------------------------------------------------------------------------------------------ what it says


def test_results_in_words() -> None:
    assert str(solved("nim")) == "The winner from the start: First, in at most 5 moves."
    assert str(solved("tictactoe")) == "A draw from the start: neither player can force a win."
    game = small("tictactoe")
    nearly = game.start().play("a1").play("a2").play("b1").play("b2")
    solution = solve(nearly)
    assert str(solution) == "The winner from this position: X, in at most 1 move."
    assert [str(move) for move in solution.line] == ["c1"]
    assert str(solve(nearly, PROOF_NUMBER)) == "The winner from this position: X."
    unsolved = solve(load("connect_four").start(), PROOF_NUMBER, Limits(visits=100))
    assert (str(unsolved), unsolved.winner, unsolved.is_draw) == ("Not solved from the start.", None, False)


def test_best_play_keeps_the_value() -> None:
    for name in SMALL:
        solution, table = solved(name), table_of(name)
        numbers = {state: number for number, state in enumerate(states_of(name))}
        position = solution.position
        for move in solution.line:
            position = position.play(move)
            assert table.values[numbers[position.state]] == table.values[0]
        if table.values[0]:
            assert len(solution.line) == table.distances[0]
            assert position.outcome is not None
            assert position.outcome.winner == solution.winner


def test_without_a_method_what_is_too_large_is_asked_of_alpha_beta() -> None:
    solution = solve(load("breakthrough", width=3, height=5).start(), limits=Limits(states=400_000))
    assert (solution.method, solution.winner) == (ALPHA_BETA, "Black")
    with pytest.raises(TooManyStates):
        solve(solution.position, EXHAUSTIVE, Limits(states=100))


def test_where_alpha_beta_gives_up_proof_number_search_follows() -> None:
    solution = solve(load("conga", pile=1).start(), limits=Limits(states=300), symmetries=False)
    assert (solution.method, solution.claims) == (PROOF_NUMBER, ())


def test_a_table_that_is_full_leaves_the_question_open() -> None:
    position = load("breakthrough", width=3, height=5).start()
    solution = solve(position, PROOF_NUMBER, Limits(states=20_000))
    assert solution.claims == ()


def test_games_in_which_the_past_decides_are_refused() -> None:
    with pytest.raises(Undecided, match=r"line \d+ of its rules depends on the number of turns that were played"):
        solve(load("nine_mens_morris").start())
    again = NIM + 'end\n  First wins when repeated 2 because "again"\n'
    with pytest.raises(Undecided, match="how often a position has occurred"):
        solve(pysolve.load(again).start())
    with pytest.raises(Undecided, match="how often a position has occurred"):  # the clock is not looked at
        solve(load("chess").start())
    drawn = NIM + 'end\n  draw when repeated 3 because "again"\n'
    assert solve(pysolve.load(drawn).start()).winner == "First"


# ------------------------------------------------------------------------------------------ the command


def run(*words: object) -> Result:
    return CliRunner().invoke(app, ["solve", *map(str, words)], env={"NO_COLOR": "1", "COLUMNS": "80"})


@pytest.fixture
def nim(tmp_path: Path) -> Path:
    path = tmp_path / "nim.rules"
    path.write_text(NIM, encoding="utf-8")
    return path


def test_the_command_writes_a_proof_and_replays_it(nim: Path) -> None:
    file = nim.with_name("nim.proof")
    result = run(nim, "--proof", file)
    assert result.exit_code == 0
    said = result.stdout.splitlines()
    assert said[0] == "The winner from the start: First, in at most 5 moves."
    assert said[1].startswith("Best play: take 1, ")
    assert said[2].startswith("10 positions (all reachable ones up to 2 symmetries), ")
    assert f"pysolve solve --check {file}" in said[3]
    for engine in ("auto", "prolog"):
        result = run("--check", file, "--engine", engine)
        assert result.exit_code == 0
        said = "The proof holds. Nim in one heap: The winner from the start: First, in at most 5 moves."
        assert result.stdout.startswith(said)
    assert json.loads(run("--check", file, "--json").stdout)["holds"] is True
    assert run(nim, "--proof", file).exit_code == 2  # the file exists
    lines = file.read_text(encoding="utf-8").splitlines()
    file.write_text("\n".join(lines).replace('"within": 5', '"within": 3'), encoding="utf-8")
    result = run("--check", file)
    assert result.exit_code == 1
    assert "the proof fails: a game can take 5 moves" in result.stderr
    assert json.loads(run("--check", file, "--json").stdout)["holds"] is False
    file.write_text("\n".join(lines[:-1]), encoding="utf-8")
    assert run("--check", file).exit_code == 2
    nim.write_text(NIM.replace(":= 9", ":= 8"), encoding="utf-8")
    file.write_text("\n".join(lines), encoding="utf-8")
    result = run("--check", file)
    assert result.exit_code == 2
    assert "other rules" in result.stderr


def test_the_command_for_programs(nim: Path) -> None:
    found = json.loads(run(nim, "--json").stdout)
    assert found["winner"] == "First"
    assert found["claims"] == [{"player": "First", "result": "wins", "within": 5}]
    assert found["line"][0] == "take 1"
    found = json.loads(run("tictactoe", "--json", "--method", "proof-number").stdout)
    assert (found["solved"], found["draw"], found["winner"]) == (True, True, None)


def test_the_command_says_what_it_cannot_do(nim: Path) -> None:
    result = run("connect_four", "--method", "proof-number", "--nodes", 100)
    assert result.exit_code == 1
    assert result.stdout.startswith(
        "Not solved from the start.\nLarger --time, --nodes or --states may suffice.\nWhere"
    )
    assert "more than 100 reachable positions" in run("connect_four", "--method", "exhaustive", "--states", 100).stderr
    assert run("nine_mens_morris").exit_code == 2
    assert "name a game" in run().stderr
    assert "cannot be combined with them" in run(nim, "--check", "x.proof").stderr
    assert "take" not in run(nim, "--play", "take 3, take 3, take 3").stdout
    assert "x.proof" in run("--check", "x.proof").stderr


def test_a_proof_that_cannot_be_written_is_refused_before_the_search(
    nim: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pysolve.cli.solve.solved", lambda *_: pytest.fail("it was solved"))
    assert "there is no such folder" in run(nim, "--proof", nim.parent / "nowhere" / "nim.proof").stderr
    assert "it cannot be written" in run(nim, "--force", "--proof", nim.parent).stderr


@pytest.mark.slow
def test_half_an_answer_leaves_the_question_open() -> None:
    result = run("conga", "pile=1", "--no-symmetries", "--method", "proof-number", "--nodes", 90_000)
    assert result.exit_code == 1
    said, more = result.stdout.split("\n")[:2]
    assert said == "Black cannot force a win from the start; whether White can is not known."
    assert more == "Larger --time, --nodes or --states may suffice."


def test_a_position_may_be_given(nim: Path) -> None:
    result = run(nim, "--play", "take 1")
    assert result.stdout.startswith("The winner from this position: First, in at most 4 moves.")


def test_a_terminal_shows_what_is_done_and_how_far_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a stage says is shown at once here; nothing of it is left when all is done."""
    shown = io.StringIO()
    terminal = Console(file=shown, force_terminal=True, width=100, legacy_windows=False)
    monkeypatch.setattr(progress, "is_watched", lambda: True)
    monkeypatch.setattr(progress, "console", lambda stderr=False: terminal)
    monkeypatch.setattr("pysolve.cli.solve.stages", lambda prospect, work: progress.stages(prospect, work, -1.0))
    result = CliRunner().invoke(app, ["solve", "connect_four", "width=4", "height=4"])
    assert result.exit_code == 0
    assert "reachable positions" in shown.getvalue()
    assert "exhaustive solving visits up to 30,000,000 positions, some 4.2 GB of memory" in result.stderr
    with progress.stages("it takes long", progress.Work(), -1.0) as (begun, tick):
        begun("does X win", lambda: 4096)
        tick(1024)
    told = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", shown.getvalue())
    assert re.search(r"does X win .* 1,024 of 4,096(, [\d.]+ GB)? ", told)
