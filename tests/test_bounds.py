"""Questions that would take hours end: by a limit, by Ctrl-C, by time; whatever is asked, and on every engine."""

from __future__ import annotations

import _thread
import os
import random
import subprocess
import sys
import threading
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

from pysolve import load
from pysolve.authoring import examples
from pysolve.dsl import RulesError, read_rules
from pysolve.dsl.analysis.costs import VERY_LONG, most_steps
from pysolve.dsl.model import Game as Model
from pysolve.dsl.notation import blank
from pysolve.dsl.to_c import print_c
from pysolve.engines import bindings, buffers, memory
from pysolve.engines import native as native_engine
from pysolve.engines.build import compilers
from pysolve.engines.native import NativeEngine
from pysolve.engines.prolog import PrologEngine
from pysolve.engines.protocol import Engine, LimitReached
from pysolve.game import Game
from pysolve.runtime.paths import shipped_games
from pysolve.search.mcts import Settings, mcts
from pysolve.search.minimax import minimax
from pysolve.search.perft import perft
from pysolve.search.playouts import playouts
from pysolve.search.proof_number import prove
from pysolve.search.retrograde import retrograde
from pysolve.search.turns import TurnCounter, count_turns
from tests.games import load as small
from tests.games import slow_but
from tests.two_engines import play_along

HERE = Path(__file__).parent
STEPS = 100_000  # so few that tests need not wait
COMPILERS = [compiler.name for compiler in compilers("auto")]

RULES = """
game "Bomb"
players White, Black
board square 12 by 12
state at(cell): player or none
state n: 0..9
{setup}
define five: int = count a: cell where (count b: cell where (count c: cell where (count d: cell where
  (count e: cell where at(a) = at(b) and at(c) = at(d) and at(d) != at(e)) > 0) > 0) > 0) > 0

move put(to: cell) as "{{to}}"
  when
    at(to) = none
    {when}
  do
    at(to) := mover
    {do}

stuck mover loses
{end}
{evaluate}

show
  at: White "o", Black "x", none "."
"""

PARTS = {
    "when": "five > 0",
    "do": "n := if five > 0 then 1 else 0",
    "end": 'end\n  White wins when five = 0 because "none"',
    "evaluate": "evaluate\n  choice 1 : five + count c: cell where at(c) = me",
}


def bomb(part: str) -> str:
    """Rules of which one part takes very long."""
    parts = {name: text if name == part else "" for name, text in PARTS.items()}
    setup = ""
    for level in range(12 if part == "setup" else 0):
        setup += "  " * (level + 1) + "repeat 100 times\n"
    if setup:
        setup = f"setup\n{setup}{'  ' * 13}n := (n + 1) % 2\n"
    return RULES.format(setup=setup, **parts)


@cache
def model(part: str) -> Model:
    return load(bomb(part)).model


@cache
def native(part: str, compiler: str) -> NativeEngine:
    return NativeEngine(model(part), compiler, proof=False, steps=STEPS)


QUESTIONS: dict[str, tuple[str, Callable[[Engine, bytes], object]]] = {
    "expand": ("when", lambda engine, state: engine.expand(state)),
    "end": ("end", lambda engine, state: engine.expand(state)),
    "judge": ("end", lambda engine, state: engine.judge(state, 3, 1)),
    "child": ("do", lambda engine, state: engine.expand(state).child(7)),
    "children": ("do", lambda engine, state: list(engine.expand(state).children())),
    "estimate": ("evaluate", lambda engine, state: engine.estimate(state)),
    "start": ("setup", lambda engine, state: engine.start(1)),
    "perft 1": ("when", lambda engine, state: perft(engine, state, 1)),
    "perft 2": ("do", lambda engine, state: perft(engine, state, 2)),
    "turns": ("do", lambda engine, state: count_turns(engine, state)),
    "turns one after another": ("do", lambda engine, state: TurnCounter([engine] * 2).count(state)),
    "playouts": ("when", lambda engine, state: playouts(engine, state, 2, 1)),
    "playouts, effects": ("do", lambda engine, state: playouts(engine, state, 2, 1)),
    "minimax": ("evaluate", lambda engine, state: minimax(engine, state, depth=1)),
    "minimax, moves": ("when", lambda engine, state: minimax(engine, state, depth=2)),
    "mcts": ("do", lambda engine, state: mcts(engine, state, visits=3)),
    "mcts, end": ("end", lambda engine, state: mcts(engine, state, visits=3)),
    "prove": ("when", lambda engine, state: prove(engine, state, 1, 1000)),
    "prove, effects": ("do", lambda engine, state: prove(engine, state, 1, 1000)),
    "retrograde": ("do", lambda engine, state: retrograde(engine, state, 1000)),
}


@pytest.mark.parametrize("compiler", slow_but(COMPILERS[-1:], COMPILERS, late=["zig", "cc"]))
@pytest.mark.parametrize("question", QUESTIONS)
def test_every_question_to_c_ends_by_a_limit_that_says_what_to_do(question: str, compiler: str) -> None:
    part, ask = QUESTIONS[question]
    engine = native(part, compiler)
    for _ in range(2):  # the engine goes on afterwards
        with pytest.raises(LimitReached, match=r"a position needs more than 100,000 steps: .* smaller ranges"):
            ask(engine, blank(engine.game))


@pytest.mark.parametrize("part", [*PARTS, "setup"])
def test_every_question_to_prolog_ends_by_a_limit_that_says_what_to_do(part: str) -> None:
    engine = PrologEngine(model(part), inferences=STEPS)
    for mine, ask in QUESTIONS.values():
        if mine == part:
            with pytest.raises(LimitReached, match="smaller ranges"):
                ask(engine, blank(engine.game))


CTRL_C = """
import os, signal, sys, threading, time
from pysolve.engines.native import NativeEngine
from tests.test_bounds import QUESTIONS, blank, model
compiler, *questions = sys.argv[1:]
def interrupt():
    while not any(thread.name == "pysolve-question" for thread in threading.enumerate()):
        time.sleep(0.01)  # until the question is under way
    os.kill(os.getpid(), signal.SIGINT)
for question in questions:
    part, ask = QUESTIONS[question]
    engine = NativeEngine(model(part), compiler, proof=False, steps=10**18)
    try:
        threading.Thread(target=interrupt).start()
        ask(engine, blank(engine.game))
    except KeyboardInterrupt:
        print(question, "interrupted")
"""


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="signals")
def test_ctrl_c_is_heard_within_one_question() -> None:
    """The limit is so high that nothing but Ctrl-C ends these questions; a search says then what it knows, which is
    nothing."""
    questions = [one for one in QUESTIONS if one not in ("minimax", "minimax, moves", "mcts", "mcts, end")]
    done = subprocess.run(
        [sys.executable, "-c", CTRL_C, COMPILERS[-1], *questions], text=True, capture_output=True, check=False,
        cwd=HERE.parent,
    )  # fmt: skip
    assert done.stdout.splitlines() == [f"{one} interrupted" for one in questions], done.stderr


@pytest.mark.parametrize("begun", [True, False])
def test_ctrl_c_while_a_question_begins_leaves_nothing_running(begun: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """The memory of a question goes with it, and so may the library."""
    control = native("do", COMPILERS[-1]).control()
    calls: list[str] = []

    class Interrupted(threading.Thread):
        """Whoever starts the thread is interrupted before he knows whether it has begun."""

        def start(self) -> None:
            if begun:
                _thread.start_new_thread(self.run, ())
                while not calls:
                    pass
            raise KeyboardInterrupt

    def answer(*_: object) -> int:
        calls.append("begun")
        while not control.stop:
            pass
        calls.append("ended")
        return 0

    monkeypatch.setattr(bindings.threading, "Thread", Interrupted)
    with pytest.raises(KeyboardInterrupt):
        bindings.answered(control, None, answer)
    assert calls == (["begun", "ended"] if begun else [])


def test_time_ends_a_search_within_one_question() -> None:
    engine = NativeEngine(model("evaluate"), COMPILERS[-1], proof=False, steps=10**18)
    assert minimax(engine, blank(engine.game), seconds=0.1).depth == 0
    assert mcts(engine, blank(engine.game), seconds=0.1, settings=Settings(leaf="evaluate")).visits == 0


@pytest.mark.slow
def test_no_shipped_game_counts_steps() -> None:
    """Where steps are counted questions take longer: nothing that is shipped needs it, but for what looks ahead.

    `prefer` follows a turn to its end, and no number bounds how many ways lead there.
    """
    looking_ahead = {name for name in shipped_games() if any(kind.worth for kind in load(name).model.actions)}
    assert looking_ahead >= {"backgammon", "draughts-italian"}
    assert {name for name in shipped_games() if most_steps(load(name).model) > VERY_LONG} == looking_ahead
    assert "#define BOUNDED 0" in print_c(load("chess").model)


@pytest.mark.slow
def test_a_command_says_the_limit_and_what_to_do(tmp_path: Path) -> None:
    file = tmp_path / "bomb.rules"
    file.write_text(bomb("setup"))
    words = [sys.executable, "-m", "pysolve", "moves", str(file), "--engine", "native"]
    done = subprocess.run(words, text=True, capture_output=True, check=False, cwd=HERE.parent)
    assert done.returncode == 2, done
    assert "a position needs more than 200,000,000 steps" in done.stderr
    assert "smaller ranges" in done.stderr


# ----------------------------------------------------------------------------- what counts steps answers the same

COUNTED = [
    ("antiyomacy", {}), ("chess", {}), ("go", {"size": 5}), ("zoo", {}), ("provinces", {"size": 3}), ("pushers", {}),
]  # fmt: skip


@pytest.fixture
def everything_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Steps are counted in every game."""
    monkeypatch.setattr("pysolve.dsl.analysis.costs.VERY_LONG", -1)


@pytest.mark.slow
def test_counted_steps_change_no_answer(everything_counts: None) -> None:
    for name, options in COUNTED:
        game = small(name, **options).model
        trusted = PrologEngine(game, warm=None)
        used = COMPILERS if name == "zoo" else COMPILERS[-1:]  # what is counted is the same C for all of them
        counting = [NativeEngine(game, compiler, proof=False) for compiler in used]
        assert play_along(trusted, counting, seed=1, games=1, length=4), name
        assert all(engine.library.function("ps_bounded")() for engine in counting)


CUT_ANYWHERE = """
#include <stdio.h>
#include <stdlib.h>
#include "game.c"

static void *room_for(size_t size) { return calloc(1, size ? size : 1); }

int main(void) {
    Control *c = room_for(sizeof *c);
    u8 *s = room_for(SIZE), *children = room_for((size_t)4096 * SIZE + 8);
    I *result = room_for(5 * sizeof *result), cuts = 0;
    Move *list = room_for(4096 * sizeof *list), *others = room_for(4096 * sizeof *others);
    Sequences *table = room_for(128 * sizeof *table);
    Branching *way = room_for(64 * sizeof *way);
    Follower *followers = room_for(4096 * sizeof *followers);
    I kept = 0;
    u64 seed = 1;
    for (I ply = 0; ply < 12; ply++) {
        *c = (Control){.steps = 1LL << 60, .left = 1LL << 60};
        if (!ply && ps_start(c, 1, s) < 0) return 1;
        I count = ps_expand(c, s, list, 4096, result, children);
        if (count <= 0) break;
        if (ps_children(c, s, list, count, children) < 0) return 2;
        for (I steps = 1; steps < 100000; steps += 1 + steps / 4) {
            for (int what = 0; what < 7; what++) {
                *c = (Control){.steps = steps, .left = steps};
                if (what == 0) ps_expand(c, s, others, 4096, result, children);
                if (what == 1) ps_judge(c, s, 3, 1, result);
                if (what == 2) ps_estimate(c, s);
                if (what == 3) ps_children(c, s, list, count, children);
                if (what == 4) ps_perft(c, s, 2, others, 4096);
                if (what == 5) ps_start(c, seed, children);
                if (what == 6) ps_sequences(c, s, 1, table, 64, 1, &kept, way, 64, others, 4096, followers, 4096);
                cuts += c->cut != 0;
            }
        }
        *c = (Control){.steps = 1LL << 60, .left = 1LL << 60};
        if (ps_children(c, s, list, count, children) < 0) return 3;
        give(s, children + draw_below(&seed, (u64)count) * SIZE);
    }
    printf("%d\\n", cuts > 10);
    return 0;
}
"""
CUT = [("provinces", {"size": 3}), ("go", {"size": 5})]


@pytest.mark.skipif("cc" not in COMPILERS, reason="there is no cc here")
@pytest.mark.parametrize(("name", "options"), slow_but((), CUT, late=CUT[1:]))
def test_sanitizers_find_nothing_wherever_a_question_is_cut(
    name: str, options: dict[str, object], tmp_path: Path, everything_counts: None
) -> None:
    (tmp_path / "game.c").write_text(print_c(small(name, **options).model), encoding="ascii")
    (tmp_path / "main.c").write_text(CUT_ANYWHERE, encoding="ascii")
    program = tmp_path / "program"
    flags = "-O0", "-g", "-std=gnu11", "-fsanitize=address,undefined", "-fno-sanitize-recover", "-fwrapv"
    done = subprocess.run([*compilers("cc")[0].command[:1], *flags, str(tmp_path / "main.c"), "-o", str(program)],
                          capture_output=True, text=True, check=False)  # fmt: skip
    if "libasan" in done.stderr or "unrecognized" in done.stderr:
        pytest.skip("this compiler has no sanitizers")
    assert done.returncode == 0, done.stderr[:3000]
    run = subprocess.run([program], capture_output=True, text=True, check=False, env={"ASAN_OPTIONS": "detect_leaks=0"})
    assert (run.stdout, run.stderr) == ("1\n", "")


# --------------------------------------------------------------------------------------------------- large turns


@pytest.mark.parametrize("compiler", slow_but(COMPILERS[-1:], COMPILERS, late=["zig", "cc"]))
def test_a_turn_that_is_too_large_says_what_was_found(compiler: str, monkeypatch: pytest.MonkeyPatch) -> None:
    engine = NativeEngine(small("blockade").model, compiler, proof=False)
    monkeypatch.setattr(buffers, "LARGEST_TURN", 1 << 11)
    with pytest.raises(LimitReached, match=r"more than 2,048 positions, and there is no memory for more; [\d,]+ posi"):
        engine.count_turns(engine.start())


def test_no_memory_for_a_turn_is_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    engine = NativeEngine(small("blockade").model, COMPILERS[-1], proof=False)
    state, zeros = engine.start(), buffers.zeros
    list(engine.expand(state).children())

    def few(size: int, small: int = 0) -> object:
        if size > 1 << 21:
            raise OSError(12, "Cannot allocate memory")
        return zeros(size, small)

    monkeypatch.setattr(buffers, "zeros", few)
    with pytest.raises(LimitReached, match="there is no memory for more"):
        engine.count_turns(state)


def test_turns_of_all_sizes_are_walked_one_after_another() -> None:
    """In small memory, in large memory, and after a list of positions has taken that with it."""
    game = small("conga")
    engine, small_game = NativeEngine(game.model, COMPILERS[-1], proof=False), small("blockade")
    large = NativeEngine(small_game.model, COMPILERS[-1], proof=False)
    assert engine.count_turns(engine.start()) == len(engine.expand(engine.start()))
    first = large.turn_positions(large.start())
    before = large.count_turns(large.start())
    child = large.expand(large.start()).child(0)
    inner = large.count_turns(child)
    assert 0 < inner < before
    assert len(set(first)) == sum(1 for _ in large.turn_positions(large.start())) > 256
    assert large.count_turns(child) == inner


# ------------------------------------------------------------------------------------------------- many moves

MANY = """
game "Many"
players White, Black
board square {size} by {size}
state at(cell): player or none
move put({cells}: cell) as "{words}"
  when at(a) = none
  do
    at(a) := mover
stuck mover loses
show
  at: White "o", Black "x", none "."
"""


def many(count: int, size: int) -> str:
    """Rules in which a move chooses some cells of a square board at once."""
    names = "abcdef"[:count]
    return MANY.format(size=size, cells=", ".join(names), words=" ".join(f"{{{name}}}" for name in names))


@pytest.mark.parametrize("question", ["expand", "perft 1", "playouts", "retrograde", "mcts"])
def test_more_moves_than_there_may_be_are_a_limit(question: str, monkeypatch: pytest.MonkeyPatch) -> None:
    engine = NativeEngine(load(many(4, 9)).model, COMPILERS[-1], proof=False)
    monkeypatch.setattr(native_engine, "MOST_MOVES", 1 << 17)
    monkeypatch.setattr(native_engine, "DEEP", 1 << 16)
    monkeypatch.setattr(memory.more_moves, "__defaults__", (1 << 17,))
    with pytest.raises(LimitReached, match=r"legal moves here: let a kind|more moves than there is memory for"):
        QUESTIONS[question][1](engine, engine.start())


@pytest.mark.long
def test_moves_are_printed_one_by_one(tmp_path: Path) -> None:
    """531,441 moves of 81 values each: gigabytes, if they were kept."""
    file = tmp_path / "many.rules"
    file.write_text(many(3, 9), encoding="utf-8")
    command = [sys.executable, "-c", MEASURED, "moves", str(file), "--json", "--engine", "native"]
    done = subprocess.run(command, text=True, capture_output=True, check=False, cwd=HERE.parent)
    assert done.returncode == 0, done.stderr
    assert int(done.stderr) < 600, "megabytes"
    assert int(done.stdout) > 400_000_000, "bytes printed"


MEASURED = """
import resource, sys
class Counting:
    encoding, errors, size = "utf-8", "strict", 0
    def write(self, text): self.size += len(text); return len(text)
    def flush(self): pass
    def isatty(self): return False
kept, sys.stdout = sys.stdout, Counting()
from pysolve.cli import main
try:
    main()
except SystemExit as end:
    assert not end.code, end.code
print(sys.stdout.size, file=kept)
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024, file=sys.stderr)
"""


def test_an_example_that_counts_far_too_many_ends() -> None:
    text = (HERE.parent / "rules" / "tictactoe.rules").read_text(encoding="utf-8")
    assert examples.run(load(f'{text}\nexample "far"\n  perft 2 = 71\n'))[0].found == "72"
    zola = (HERE.parent / "rules" / "zola.rules").read_text(encoding="utf-8").partition("example ")[0]
    (failure,) = examples.run(load(f'{zola}\nexample "far"\n  perft 30 = 5\n'))
    assert failure.found == "more than 1,000,010"


def test_only_so_much_is_counted_in_an_example() -> None:
    text = (HERE.parent / "rules" / "tictactoe.rules").read_text(encoding="utf-8")
    for line in ("perft 100 = 9", "perft 3 = 99999999999"):
        with pytest.raises(RulesError, match="at most 10,000,000,000 sequences of at most 30 moves"):
            read_rules(f'{text}\nexample "far"\n  {line}\n')


# ----------------------------------------------------------------------------------------- counts after a game so far

SHUFFLES = """
game "Shuffles"
players White, Black
board square 3 by 1
state at(cell): player or none
state n: 0..3
setup
  at(a1) := White
  at(c1) := Black
move go(from, to: cell) as "{from}{to}"
  when
    at(from) = mover
    at(to) = none
  do
    at(from) := none
    at(to) := mover
    n := (n + 1) % 4
end
  draw when repeated 2 ignoring n because "repetition"
  White wins when turns >= 7 because "enough"
stuck mover loses
show
  at: White "o", Black "x", none "."
"""


@pytest.mark.parametrize("compiler", slow_but((), COMPILERS, late=["zig", "cc"]))
def test_counts_know_the_game_so_far(compiler: str) -> None:
    """As on Prolog, which plays every move: with what was played before, with what is ignored, with passes."""
    chance = random.Random(1)
    for rules, options, depth in [(SHUFFLES, {}, 7), ("rook", {}, 2), ("connect_four-popout", {"width": 4}, 3),
                                  ("go", {"size": 5}, 2)]:  # fmt: skip
        plain = (load(rules, engine="prolog") if rules == SHUFFLES else load_on_prolog(rules, **options)).start()
        for moves in (0, 1, 3):
            for _ in range(moves):
                if plain.legal_moves:
                    plain = plain.play(chance.choice(list(plain.legal_moves)))
            counting = NativeEngine(plain.game.model, compiler, proof=False)
            for length in range(depth + 1):
                found = counting.perft_after(plain.state, length, plain.turns_played, plain.seen)
                assert found == plain.perft(length), (rules, moves, length)


def load_on_prolog(name: str, **options: object) -> Game:
    return Game(small(name, **options).model, "prolog")


def test_a_position_asks_c_for_counts_after_a_game_so_far() -> None:
    position = load(SHUFFLES, engine="native").start()
    assert [position.perft(depth) for depth in range(9)] == [
        load(SHUFFLES, engine="prolog").start().perft(depth) for depth in range(9)
    ]
