"""The contract of the Prolog engine, and the border between Python and Prolog.

In: every shipped game and every game of tests/rules.  Out: answers are complete, distinct, repeatable and in range;
the program of a game loads alone in swipl without a warning; mistakes, limits, Ctrl-C, threads, processes and
reloads leave a process that can go on.
"""

import gc
import multiprocessing
import os
import random
import re
import resource
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

import pytest

import pysolve
from pysolve.dsl import notation
from pysolve.dsl.analysis.costs import effects_take_long
from pysolve.dsl.to_prolog import print_prolog
from pysolve.engines import open_engine
from pysolve.engines.border import PrologError
from pysolve.engines.bridge import bridge
from pysolve.engines.prolog import PrologEngine
from pysolve.engines.protocol import EngineError, LimitReached, Node, State
from pysolve.game import Game
from pysolve.runtime.paths import runtime
from tests.games import FAMILIES, RULES, SMALLER, each, load

HERE = Path(__file__).parent
on_prolog = partial(pysolve.load, engine="prolog")
SERVE = runtime()
OPTIONS: dict[str, list[dict[str, object]]] = {
    "zola": [{"size": 4}, {"size": 10}],
    "conga": [{"sowing": "sweep", "four_equal": True}, {"size": 8, "pile": 40}],
    "zoo": [{"size": 9}, {"size": 2, "polite": False, "speed": "fast", "bonus": 300}],
    "gomoku": [{"size": 19, "exact": True}],
    "hex": [{"size": 2}, {"size": 19}],
    "go": [{"size": 9}],
    "provinces": [{"size": 20}],
}

COUNTER = """
game "Counter"
players Up, Down
board square 1 by 1
state
  n: 0..20
  spot: cell
move add(k: 1..9) as "+{k}"
  do
    n := n + k
move leave as "leave"
  when
    n = 4
  do
    spot := spot + north
stuck
  pass
"""

SLOW = """
game "Slow"
players One, Two
board square 6 by 6
state
  at(cell): player or none
define far(n: 1..9) = if some a, b, c, d, e: cell has at(a) = at(b) and at(c) = at(d) and
  column(a) * row(b) + column(c) * row(d) + column(e) + n = 80 then 1 else 0
move wait
  when
    far(3) > 0
  do
    at(a1) := mover
stuck
  draw
"""


@pytest.fixture(params=each(RULES))
def game(request: pytest.FixtureRequest) -> Game:
    return load(request.param, engine="prolog", **SMALLER.get(request.param.stem, {}))


def visited(game: Game, games: int = 3, plies: int = 40) -> Iterator[tuple[State, Node]]:
    """States of seeded random games, with what the engine says of them."""
    rng = random.Random(4)
    for seed in range(games):
        state = game.engine.start(seed)
        for _ in range(plies):
            node = game.engine.expand(state)
            yield state, node
            if not node.moves:
                break
            state = node.child(rng.randrange(len(node)))


# ---------------------------------------------------------------------------------------- the contract


def test_positions_are_over_or_have_moves_that_are_distinct_and_in_order(game: Game) -> None:
    for _, node in visited(game):
        assert (node.payoff is None) == (len(node.moves) > 0) == (node.ending == 0)
        assert node.payoff is None or len(game.players) == 1 or sum(node.payoff) == 0
        assert len(set(node.moves)) == len(node.moves)
        assert list(node.moves) == sorted(node.moves)


def test_the_same_question_has_the_same_answer(game: Game) -> None:
    for state, one in visited(game, games=1, plies=20):
        two = game.engine.expand(state)
        assert (one.payoff, one.ending, list(one.moves)) == (two.payoff, two.ending, list(two.moves))
        assert [one.child(i) for i in range(len(one))] == [two.child(i) for i in range(len(two))]


def test_a_look_answers_what_is_asked(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also for games that gain nothing by it, whose engines expand instead."""
    monkeypatch.setattr("pysolve.engines.prolog.effects_take_long", lambda _: True)
    engine = PrologEngine(game.model)
    rng = random.Random(6)
    for state, node in visited(game, games=2, plies=25):
        seen = engine.look(state)
        assert (seen.payoff, seen.ending, list(seen.moves)) == (node.payoff, node.ending, list(node.moves))
        assert engine.result(state) == node.payoff
        for index in rng.sample(range(len(node)), min(3, len(node))):
            assert seen.child(index) == node.child(index)
    assert list(seen.children()) == list(node.children())


def test_engines_look_where_effects_take_long() -> None:
    slow = {name for name in ("antiyomacy", "blockade", "go", "zola", "conga") if effects_take_long(load(name).model)}
    assert slow == {"antiyomacy", "blockade", "go"}


def test_every_value_of_a_child_is_in_range(game: Game) -> None:
    for _, node in visited(game, games=1, plies=12):
        for child in (node.child(i) for i in range(len(node))):
            assert len(child) == game.model.size
            for slot in game.model.slots.values():
                for args in notation.arguments(slot):
                    value = notation.get(child, slot, args)
                    assert slot.sort.lowest <= value <= slot.sort.high, notation.place_name(slot, args)


def test_the_estimates_of_both_players_add_up_to_nothing(game: Game) -> None:
    for state, _ in visited(game, games=1, plies=10):
        values = game.engine.estimate(state)
        assert len(values) == len(game.players)
        assert len(values) in (1, 2) or abs(sum(values)) <= len(values) * len(game.model.terms)  # rounded, line by line
        assert len(values) != 2 or sum(values) == 0


def test_a_legal_move_has_no_failing_demand_and_another_has_one(game: Game) -> None:
    """`why` looks at each demand by itself, in clauses of its own; it must come to the same result."""
    rng = random.Random(8)
    for state, node in visited(game, games=2, plies=12):
        if node.payoff is not None:
            continue
        legal = set(node.moves)
        kinds = len(game.model.actions)
        some = rng.sample(list(node.moves), min(3, len(node)))
        others = [move for kind in range(kinds) if (move := any_move(game, kind, rng)) not in legal]
        for move in [*(m for m in some if m[0] < kinds), *others]:
            findings = game.prolog.explain(state, move)
            assert all(finding.holds for finding in findings) == (move in legal), move


def any_move(game: Game, kind: int, rng: random.Random) -> tuple[int, ...]:
    params = game.model.actions[kind].params
    return (kind, *(rng.randint(p.sort.low, p.sort.high) for p in params))  # type: ignore[union-attr]


# ------------------------------------------------------------------------------------ the program alone

# Asks a program in all its modes; every solution must be found again when it is given.
ASK = """
:- initialization(main, main).

main :-
    current_prolog_flag(argv, Files),
    forall(nth1(N, Files, File), asked_file(N, File)).

asked_file(N, File) :-
    atom_concat(game, N, Module),
    load_files(Module:File, [silent(true)]),
    (   catch(asked(Module), Error, (print_message(error, Error), halt(1)))
    ->  true
    ;   format(user_error, "~w: a question has no answer~n", [File]),
        halt(1)
    ).

asked(M) :-
    M:initial(P),
    M:initial(3, _),
    M:to_move(P, Player),
    M:to_move(P, Player),
    findall(Move, M:legal(P, Move), Moves),
    (   Moves == []
    ->  M:outcome(P, _)
    ;   forall(member(Move, Moves), once(M:legal(P, Move))),
        Moves = [First|_],
        findall(Move, (functor(First, Kind, Arity), functor(Move, Kind, Arity), M:legal(P, Move)), Same),
        memberchk(First, Same),
        findall(Q, M:play(P, _, Q), Qs),
        length(Moves, Count),
        length(Qs, Count),
        M:play(P, First, Q1),
        nth1(1, Qs, Q1),
        with_output_to(string(Why), M:why(P, First)),
        \\+ sub_string(Why, _, _, _, "FAILS"),
        M:perft(P, 1, Count)
    ),
    forall(limit(400, M:value(P, Place, Value)), once(M:value(P, Place, Value))),
    forall(limit(400, M:value(P, Place, Value)), once(M:holds(P, Place = Value))),
    forall(member(Move, Moves), once(M:holds(P, Move))),
    findall(Name/N, (M:asked(Name, Type, _, Sorts, Sort), Type \\== move, arity(Sorts, Sort, N)), Names),
    forall(member(Name/N, Names), call_with_inference_limit(found_again(M, P, Name, N), 5000000, _)),
    with_output_to(string(Shown), M:show(P)),
    Shown \\== "".

arity(Sorts, none, N) :- !, length(Sorts, N).
arity(Sorts, _, N) :- length(Sorts, N0), N is N0 + 1.

found_again(M, P, Name, N) :-
    length(Args, N),
    (   N =:= 0
    ->  Goal = Name
    ;   compound_name_arguments(Goal, Name, Args)
    ),
    findnsols(5, Goal, M:holds(P, Goal), Found),
    !,
    forall(member(Goal, Found), once(M:holds(P, Goal))).
"""


def swipl(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    command = ["swipl", "--on-warning=halt", "--on-error=halt", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.mark.parametrize(
    "some",
    [pytest.param(True, marks=pytest.mark.slow), pytest.param(False, marks=pytest.mark.long)],
    ids=["some", "others"],
)
def test_every_program_loads_alone_and_answers_in_all_modes(some: bool, tmp_path: Path) -> None:
    (tmp_path / "ask.pl").write_text(ASK)
    files = []
    for path in (path for path in RULES if (path.stem in FAMILIES) is some):
        for number, options in enumerate([{}, *OPTIONS.get(path.stem, [])]):
            model = load(path, **options).model
            files.append(tmp_path / f"{path.stem}_{number}.pl")
            files[-1].write_text(print_prolog(model, SERVE))
    done = swipl(tmp_path / "ask.pl", "--", *files)
    assert (done.returncode, done.stderr) == (0, "")


def test_the_runtime_passes_its_own_tests(tmp_path: Path) -> None:
    program = tmp_path / "zola.pl"
    program.write_text(print_prolog(on_prolog("zola", size=4).model, SERVE))
    load = f"load_files(['{program}', '{HERE / 'prolog' / 'runtime.plt'}'], [silent(true)])"
    done = swipl("-g", f"{load}, run_tests, halt")
    assert done.returncode == 0, done.stderr
    assert re.search(r"All \d+ tests passed", done.stderr), done.stderr


def test_a_program_can_be_read(game: Game) -> None:
    """One goal a line, the author's line above it, no trace of where it was made."""
    text = print_prolog(game.model)
    rules = text.partition("What a program asks")[0].splitlines()
    lists = "    S = state", "    Done = ["  # the initial position; what a round does with stacks
    assert max(len(line) for line in rules if not line.startswith(("%", *lists))) < 260
    assert len(rules) > 30
    assert "\0" not in text
    for action in game.model.actions:
        assert f"% {action.span.line}: move {action.name}(" in text
    assert str(HERE.parent) not in text.replace(game.model.source, "")


@pytest.mark.slow
def test_a_program_is_the_same_every_time() -> None:
    for path in RULES[::4]:
        assert print_prolog(on_prolog(path).model) == print_prolog(load(path).model)


def test_names_of_an_author_meet_none_of_ours() -> None:
    """Parameters and states that are called like the variables of a printed clause."""
    game = on_prolog("""
game "Names"
players W, L
board square 2 by 2
option r = 2 in {1, 2}
state
  new(cell): 0..9
  new1: 0..300
  times: -3..3
  seed: bool
  moves1(1..2): bool
setup
  let found = r, turns = 2
  for s: cell: new(s) := found + turns
  new1 := found
move w(s: cell, l: 1..2, w0: 1..2, found: 1..2) as "{s}{l}{w0}{found}"
  when
    new(s) < 9
    l + w0 = found + 1
  do
    let s1 = new(s) + l, w1 = w0
    new(s) := s1
    times := w0
    then
      new1 := new1 + s1 * w1 + found
      moves1(l) := seed
stuck
  draw
end
  draw when some turns, number in 1..9 has turns + number = 17 and new1 > 100 * turns
  mover wins when some times1: cell has new(times1) = 9 and times > 0
""")
    position = game.start().play("a11 1 1").play("b2 1 2 2")
    assert position.to_dict()["state"] == {
        "new": {"a1": 5, "b1": 4, "a2": 4, "b2": 5}, "new1": 20, "times": 2, "seed": False,
        "moves1": {"1": False, "2": False},
    }  # fmt: skip
    assert len(position.legal_moves) == 12
    assert game.engine.unfold() in (True, False)
    assert len(pysolve.Position(game, position.state).legal_moves) == 12


# ------------------------------------------------------------------------------- side by side, again and again


@pytest.mark.slow
def test_games_live_side_by_side() -> None:
    games = [load(path) for path in RULES]
    starts = [game.start(1) for game in games]
    expected = [[str(move) for move in start.legal_moves] for start in starts]
    for game, start, moves in reversed(list(zip(games, starts, expected, strict=True))):
        assert [str(move) for move in game.position(start.diagram()).legal_moves] == moves, game.name


def test_engines_for_the_same_rules_share_their_clauses() -> None:
    model = on_prolog("tictactoe").model
    one, two = PrologEngine(model), PrologEngine(model)
    assert one.module == two.module
    one.close()
    assert len(two.expand(two.start())) == 9
    two.unfold()
    assert len(two.expand(two.start())) == 9
    two.close()
    three = PrologEngine(model)
    assert len(three.expand(three.start())) == 9


def test_a_closed_engine_leaves_no_clauses() -> None:
    engine = PrologEngine(on_prolog("zola", size=4).model, inferences=77_777_777)
    engine.unfold()
    assert clauses(engine.module) > 100
    engine.close()
    assert clauses(engine.module) == 0


def clauses(module: str) -> int:
    """How many predicates with clauses a module has."""
    from pyswip import Prolog

    goal = (
        f"aggregate_all(count, (predicate_property({module}:P, number_of_clauses(N)), N > 0, "
        f"\\+ predicate_property({module}:P, imported_from(_))), Count)"
    )
    return int(next(iter(Prolog.query(goal)))["Count"])


@pytest.mark.parametrize("direct", [True, False])
def test_questions_leave_nothing_on_the_stack_of_prolog(direct: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    prolog = bridge()
    if not direct:
        monkeypatch.setattr(prolog, "_direct", None)
    prolog.load("stack", "same(X, X).\nused(_, S) :- statistics(globalused, N), number_string(N, S).\n")
    same, used = (prolog.function("stack", name) for name in ("same", "used"))

    def ask() -> bytes | None:
        for _ in range(100):
            assert same(bytes(1000)) == bytes(1000)
        return used(b"")

    assert ask() == ask()
    prolog.unload("stack")


@pytest.mark.slow
@pytest.mark.parametrize("warm", [None, 0])
def test_expansions_do_not_fill_the_memory(warm: int | None) -> None:
    engine = PrologEngine(on_prolog("zola", size=4).model, inferences=88_888_888, warm=warm)
    states = [engine.start()]
    for _ in range(12):
        node = engine.expand(states[-1])
        states.append(node.child(len(node) // 2))

    def ask(times: int) -> None:
        for _ in range(times):
            for state in states:
                engine.expand(state).children()

    ask(300)
    assert least_growth(lambda: ask(4000)) < 2_000


@pytest.mark.long
def test_loading_again_and_again_does_not_fill_the_memory() -> None:
    path = "tictactoe"

    def load_often(times: int) -> None:
        for _ in range(times):
            game = on_prolog(path)
            assert len(game.start().legal_moves) == 9
            game.engine.close()
        gc.collect()

    load_often(10)
    assert least_growth(lambda: load_often(10)) < 3_000


def memory() -> int:
    """The memory of this process in kilobytes: now, or at most so far where the system does not say."""
    status = Path("/proc/self/status")
    if status.exists():
        return int(re.search(r"VmRSS:\s+(\d+)", status.read_text())[1])  # type: ignore[index]
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def least_growth(work: Callable[[], None]) -> int:
    """Kilobytes by which the memory grows: what leaks does so each time, what is set up once does not."""
    grown = []
    for _ in range(3):
        before = memory()
        work()
        grown.append(memory() - before)
    return min(grown)


# -------------------------------------------------------------------------------------------- mistakes


def test_a_value_out_of_range_names_the_line_of_the_rules() -> None:
    position = on_prolog(COUNTER).start().play("+9").play("+9")
    with pytest.raises(EngineError, match=r'rules:10: "n" becomes 21, but it holds 0\.\.20\n(.*\n)*.*n = 18'):
        position.play("+3")


def test_a_look_tells_of_a_mistake_when_its_child_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pysolve.engines.prolog.effects_take_long", lambda _: True)
    game = on_prolog(COUNTER)
    seen = PrologEngine(game.model).look(game.start().play("+9").play("+9").state)
    assert notation.get(seen.child(1), game.model.slots["n"], ()) == 20
    with pytest.raises(EngineError, match=r'rules:10: "n" becomes 21, but it holds 0\.\.20\n(.*\n)*.*n = 18'):
        seen.child(2)


def test_a_move_off_the_board_names_the_line_of_the_rules() -> None:
    position = on_prolog(COUNTER).start().play("+2")
    with pytest.raises(EngineError, match="rules:15: an effect needs a value that does not exist"):
        position.play("+2").legal_moves[0]


@pytest.mark.parametrize(
    ("effect", "line"),
    [
        ("for k in 0..3: n(c + k * east) := k", 11),  # along a line that ends too early
        ("for k in 1..3: n(c + east) := n(c) + k + 6", 11),
        ("for d: direction where d in {north, east}: n(c + d) := 1", 11),  # each direction is a solution
        ("if some d in {north, east} has not n(c + d) < 9\n      n(c) := n(c) + row(c) * column(c) + 4", 12),
        ("n(c) := 1\n    then\n      n(c + east + east) := n(c)", 13),
    ],
)
def test_mistakes_in_loops_and_conditions_name_their_lines(effect: str, line: int) -> None:
    """The records of moves, which are found first, fail without saying why."""
    game = on_prolog(f"""
game "Loops"
players A, B
board square 3 by 2
state
  n(cell): 0..9
move go(c: cell)
  when
    column(c) = 3 and row(c) = 2
  do
    {effect}
stuck
  pass
""")
    with pytest.raises(EngineError, match=f"rules:{line}: "):
        game.start().legal_moves[0]


def test_a_label_out_of_range_is_named() -> None:
    game = on_prolog("""
game "Labels"
players A, B
board square 2 by 1
state
  token: cell
  home: cell or none
move lose
  do
    token := home
stuck
  pass
""")
    with pytest.raises(EngineError, match='rules:10: "token" becomes none'):
        game.start().legal_moves[0]


def test_nothing_to_pick_names_the_line_of_the_rules() -> None:
    text = COUNTER.replace("move add", "setup\n  pick c: cell where n = 7\n  spot := c\nmove add", 1)
    with pytest.raises(EngineError, match="rules:9: there is nothing to pick from"):
        on_prolog(text).start()


def test_a_broken_program_is_our_mistake() -> None:
    with pytest.raises(EngineError, match="this is a mistake in pysolve"):
        bridge().load("pysolve_broken", "a(X) :- b(.\n")
    with pytest.raises(EngineError, match="Singleton"):
        bridge().load("pysolve_broken", "a(X) :- b.\n")


def test_an_error_of_prolog_is_an_exception_and_not_the_end() -> None:
    text = "bad(In, Out) :- atom_length(f(In), Out).\nugly(_, _) :- throw(ball).\nnone(_, _) :- fail.\n"
    bridge().load("pysolve_errors", text)
    for name, said in (("bad", "type_error"), ("ugly", "ball"), ("missing", "existence_error")):
        with pytest.raises(PrologError, match=said):
            bridge().function("pysolve_errors", name)(b"")
    assert bridge().function("pysolve_errors", "none")(b"") is None
    assert len(on_prolog("zola").start().legal_moves) == 36


def test_the_clauses_of_a_game_are_gone_when_nobody_holds_it() -> None:
    prolog = bridge()
    for text in ('tell(_, "one").\n', 'tell("a", "one").\ntell(_, "several").\n'):
        prolog.load("pysolve_gone", text)
        prolog.load("pysolve_gone", text)
        prolog.add("pysolve_gone", "more(In, In).\n")
        tell, more = prolog.function("pysolve_gone", "tell"), prolog.function("pysolve_gone", "more")
        assert (tell(b"a"), more(b"x")) == (b"one", b"x")
        prolog.unload("pysolve_gone")
        assert tell(b"a") == b"one"  # somebody holds it still
        prolog.unload("pysolve_gone")
        for function in (tell, more, tell):
            with pytest.raises(PrologError, match="existence_error"):
                function(b"a")


def test_there_is_no_other_engine() -> None:
    with pytest.raises(EngineError, match='there is no engine "steam"; there are auto, native, prolog'):
        open_engine(on_prolog("zola").model, "steam")


# ---------------------------------------------------------------------------------------------- limits


def test_inferences_are_limited_and_the_engine_goes_on() -> None:
    model = on_prolog(SLOW).model
    engine = PrologEngine(model, inferences=20_000)
    with pytest.raises(LimitReached, match="more inferences than it is allowed"):
        engine.expand(engine.start())
    assert engine.estimate(engine.start()) == (0, 0)
    small = PrologEngine(on_prolog("zola", size=4).model, inferences=2_000)
    with pytest.raises(LimitReached):
        list(small.query(small.start(), "capture(A, B), capture(C, D), capture(E, F)"))
    assert len(small.expand(small.start())) == 16


def test_time_is_limited_and_the_engine_goes_on() -> None:
    position = on_prolog(SLOW).start()
    for _ in range(3):
        with pytest.raises(LimitReached, match="the time limit of this query was reached"):
            position.query("far(1, N)", seconds=0.05)
        assert len(position.query("at(a1, Who)", seconds=None)) == 1


def test_time_is_limited_where_it_is_over_before_the_question_begins(monkeypatch: pytest.MonkeyPatch) -> None:
    """As it may be on a machine that has much to do."""
    engine, tried = PrologEngine(on_prolog(SLOW).model), threading.Event()
    throw, answer = bridge().throw, engine._answer

    def thrown(*target: object) -> bool:
        found = throw(*target)  # type: ignore[arg-type]
        tried.set()
        return found

    def late(data: bytes) -> bytes | None:
        tried.wait()
        return answer(data)

    monkeypatch.setattr(bridge(), "throw", thrown)
    monkeypatch.setattr(engine, "_answer", late)
    with pytest.raises(LimitReached, match="the time limit of this query was reached"):
        list(engine.query(engine.start(), "far(1, N)", seconds=0.0))


@pytest.mark.slow
def test_memory_is_limited_and_the_process_goes_on() -> None:
    bridge().load("pysolve_hungry", "eat(_, Out) :- numlist(1, 100000000, L), length(L, Out).\n")
    with pytest.raises(LimitReached, match="more memory than it is allowed"):
        bridge().function("pysolve_hungry", "eat")(b"")
    assert len(on_prolog("zola").start().legal_moves) == 36


CTRL_C = """
import signal, sys, threading, os, time
import pysolve
from pysolve.engines.bridge import bridge
position = pysolve.load(sys.argv[1], engine="prolog").start()
position.query("at(a1, N)")
def interrupt():
    while not bridge()._owner_thread.calls.value:  # until the question is under way
        time.sleep(0.01)
    os.kill(os.getpid(), signal.SIGINT)
for round in range(2):
    try:
        threading.Thread(target=interrupt).start()
        position.query("far(1, N)", seconds=None)
    except KeyboardInterrupt:
        print("interrupted")
    print(len(position.query("at(a1, N)")), len(pysolve.load("zola", engine="prolog").start().legal_moves))
"""


def test_ctrl_c_ends_a_question_and_not_the_process(tmp_path: Path) -> None:
    (tmp_path / "slow.rules").write_text(SLOW)
    done = run_python(CTRL_C, str(tmp_path / "slow.rules"))
    assert done.stdout.splitlines() == ["interrupted", "1 36"] * 2, done.stderr
    assert done.stderr == ""
    assert done.returncode == 0


def run_python(script: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", script, *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False, cwd=HERE.parent)


# ------------------------------------------------------------------------------- threads and processes


def test_eight_threads_ask_at_once() -> None:
    expected = perft_of(("zola", {"size": 4}))
    jobs: list[tuple[str, dict[str, object]]] = [("zola", {"size": 4}), ("conga", {})] * 8
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(perft_of, jobs)) == [expected, 96] * 8


def perft_of(job: tuple[str, dict[str, object]]) -> int:
    name, options = job
    return on_prolog(name, **options).start().perft(3 if name == "conga" else 2)


def test_one_engine_serves_many_threads() -> None:
    position = on_prolog("zola", size=4).start()
    wrong = []

    def ask() -> None:
        for _ in range(30):
            moves = pysolve.Position(position.game, position.state).legal_moves
            if len(moves) != 16 or len(position.query("at(C, 'Red')")) != 8:
                wrong.append(threading.get_ident())

    threads = [threading.Thread(target=ask) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


STARTED_ELSEWHERE = """
import sys
import threading
import pysolve
def ask(name):
    moves = pysolve.load(name, engine="prolog").start().legal_moves
    sys.stdout.write(f"{{len(moves)}}\\n")  # in one piece: print writes the end of the line by itself
def all_of(threads):
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
all_of([threading.Thread(target=ask, args=(name,)) for name in {first}])
for _ in range(5):  # perhaps with the number of a thread that has ended
    all_of([threading.Thread(target=ask, args=("conga",))])
ask("conga")
"""


@pytest.mark.slow
@pytest.mark.parametrize("first", [["zola"], ["zola", "zola", "zola", "zola"]])
def test_the_thread_that_starts_prolog_may_end(first: list[str]) -> None:
    done = run_python(STARTED_ELSEWHERE.format(first=first))
    assert (done.returncode, done.stdout.split(), done.stderr) == (0, ["36"] * len(first) + ["3"] * 6, "")


def test_threads_come_and_go() -> None:
    position = on_prolog("zola", size=4).start()
    for _ in range(60):
        thread = threading.Thread(target=position.perft, args=(1,))
        thread.start()
        thread.join()
    assert prolog_threads() < 10


def prolog_threads() -> int:
    from pyswip import Prolog

    return int(next(iter(Prolog.query("aggregate_all(count, thread_property(_, status(_)), N)")))["N"])


def test_a_time_limit_holds_in_another_thread() -> None:
    position = on_prolog(SLOW).start()
    with ThreadPoolExecutor(1) as pool, pytest.raises(LimitReached, match="time"):
        pool.submit(position.query, "far(1, N)", seconds=0.05).result()


ENDING = """
import sys, threading
import pysolve
position = pysolve.load("zola", size=4, engine="prolog").start()
asked, kept = threading.Event(), []

def ask_and_fail():
    try:
        position.query("at(a1, X), nobody(X)")
    except pysolve.QueryError as error:
        kept.append(error)  # with its frames

def ask_and_stay():
    position.query("at(a1, X)")
    asked.set()
    threading.Event().wait()

def ask_and_end():
    ask = threading.Thread(target=ask_and_fail)
    ask.start()
    ask.join()
    if sys.argv[1] == "stays":
        threading.Thread(target=ask_and_stay, daemon=True).start()
        asked.wait()

if sys.argv[2] == "main":
    position.query("at(a1, X)")
    ask_and_end()
else:
    thread = threading.Thread(target=ask_and_end)
    thread.start()
    thread.join()
print(len(position.legal_moves), len(kept))
"""


@pytest.mark.slow
@pytest.mark.parametrize("owner", ["main", "other"])
@pytest.mark.parametrize("thread", ["ends", "stays"])
def test_a_program_ends_without_a_word_of_prolog(thread: str, owner: str) -> None:
    done = run_python(ENDING, thread, owner)
    assert (done.returncode, done.stdout, done.stderr) == (0, "16 1\n", "")


@pytest.mark.slow
def test_processes_are_started_with_spawn() -> None:
    with multiprocessing.get_context("spawn").Pool(2) as pool:
        assert pool.map(perft_of, [("zola", {"size": 4}), ("conga", {})]) == [256, 96]


FORK = """
import os, warnings
import pysolve
warnings.simplefilter("ignore", DeprecationWarning)  # Python 3.12 and later advise against what is tried here
game = pysolve.load("zola", size=4, engine="prolog")
position = game.start()
assert len(position.legal_moves) == 16
child = os.fork()
if child == 0:
    try:
        game.start()
    except pysolve.EngineError as error:
        print(error, flush=True)
    del game, position
    os._exit(0)
os.waitpid(child, 0)
print(len(game.start().legal_moves))
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
def test_a_fork_is_refused_and_does_not_crash() -> None:
    done = run_python(FORK)
    said = ['Prolog does not survive a fork: start processes with "spawn"', "16"]
    assert done.stdout.splitlines() == said, done.stderr
    assert done.stderr == ""


def test_signals_of_others_are_left_alone() -> None:
    assert signal.getsignal(signal.SIGINT) in (signal.default_int_handler, signal.getsignal(signal.SIGINT))
    assert signal.getsignal(signal.SIGTERM) == signal.SIG_DFL
