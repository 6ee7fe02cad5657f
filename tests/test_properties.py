"""Facts about steps: every kind has them, and the number of ways is never too small, which arrays in C rely on."""

from __future__ import annotations

import ast
import random
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import get_args

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

import pysolve
from pysolve.dsl import notation
from pysolve.dsl.errors import RulesError, Source, Span
from pysolve.dsl.model import (
    INT,
    Again,
    Among,
    Ask,
    Assign,
    Choose,
    Collect,
    Compute,
    Const,
    Distance,
    Each,
    EffectStep,
    Either,
    Exists,
    Find,
    Fold,
    ForAll,
    Game,
    Get,
    Let,
    Member,
    Mobility,
    Not,
    Pick,
    Possible,
    Preferred,
    Push,
    Reach,
    Repeat,
    SetSort,
    Slot,
    Sort,
    Step,
    Table,
    Take,
    TurnTo,
    Var,
    Walk,
    When,
    body_vars,
    effect_bodies,
    inner_bodies,
    inner_effects,
    renamed,
    with_bodies,
)
from pysolve.dsl.model import Test as Compare  # pytest takes what is named Test for tests
from pysolve.dsl.model.properties import (
    bound,
    chooses,
    chosen,
    constants,
    effect_properties,
    every,
    free_vars,
    given_vars,
    is_any,
    is_total,
    most_rounds,
    most_ways,
    most_ways_of_body,
    own_vars,
    properties,
    reads_position,
    slots_of,
    stops_everywhere,
    tables_of,
    truth,
)
from pysolve.dsl.passes import prepared
from pysolve.engines.prolog import PrologEngine
from pysolve.engines.protocol import EngineError
from tests.games import RULES, each, fewer, load
from tests.random_rules import random_rules
from tests.two_engines import places, with_value

DSL = Path(__file__).parent.parent / "dsl"
CELL, THREE = Sort("cell", 1, 9), Sort("number", 0, 2)
A, B, C, D = (Var(name, CELL) for name in "abcd")
N, M = Var("n", THREE), Var("m", THREE)
CELLS, MORE = Var("cells", SetSort(CELL)), Var("more", SetSort(CELL))
HERE = Span(Source("here", ""), 1, 1, 1, 1)
ONE, TWO = Const(1, THREE), Const(2, THREE)
AT = Slot("at", (CELL,), THREE, 0, 1, 0)
PAIRS = Slot("pairs", (THREE, CELL), THREE, 9, 1, 0)
NEXT = Table("next", (CELL, CELL), ((1, 2), (1, 3), (1, 4), (2, 1), (2, 3)), 2)
TWIN = Table("twin", (CELL, CELL), ((1, 9), (2, 8)), 1)
RAYS = Table("rays", (CELL, THREE, THREE, CELL), ((1, 0, 1, 2), (1, 0, 2, 3), (1, 1, 1, 4), (2, 0, 1, 3)), 3)
STOPS = Table("stops", (CELL, CELL), ((1, 2), (1, 4), (2, 3)), 2)
TABLES = {table.name: table for table in (NEXT, TWIN, RAYS, STOPS)}
SLOTS = {slot.name: slot for slot in (AT, PAIRS)}
IS_ONE = (Get("at", (A,), ONE, ()),)
WALK = Walk(A, B, C, (Get("at", (C,), ONE, ()),), "rays", "stops", False)

# For each step what it binds, and in how many ways it can be carried out at most.
STEPS: list[tuple[Step, tuple[Var, ...], int]] = [
    (Each(A, ONE, Const(7, CELL)), (A,), 7),
    (Each(A, ONE, N), (A,), 2),
    (Each(A, TWO, ONE), (A,), 0),
    (Among(A, (ONE, TWO), (A,)), (A,), 2),
    (Among(A, (ONE, TWO), ()), (), 1),
    (Member(A, CELLS, (A,)), (A,), 9),
    (Member(A, CELLS, ()), (), 1),
    (Get("at", (A,), N, (N,)), (N,), 1),
    (Get("at", (A,), N, (A, N)), (A, N), 9),
    (Get("pairs", (N, A), ONE, (N, A)), (N, A), 27),
    (Get("pairs", (N, A), ONE, (N,)), (N,), 3),
    (Find("next", (A, B), ()), (), 1),
    (Find("next", (A, B), (B,)), (B,), 3),
    (Find("next", (A, B), (A,)), (A,), 2),
    (Find("next", (A, B), (A, B)), (A, B), 5),
    (Find("twin", (A, B), (B,)), (B,), 1),
    (Find("twin", (A, B), (A,)), (A,), 1),
    (WALK, (B, C), 3),
    (Let(A, B), (A,), 1),
    (Compare("=", A, B), (), 1),
    (Ask("far", (A,), B), (B,), 1),
    (Ask("far", (A,), None), (), 1),
    (Not(IS_ONE), (), 1),
    (Either((IS_ONE, ())), (), 1),
    (Exists((Each(A, ONE, TWO),)), (), 1),
    (Choose(A, (), (Let(A, ONE),), (Let(A, TWO),)), (A,), 1),
    (Fold(N, "count", ONE, (Each(A, ONE, TWO),)), (N,), 1),
    (Collect(CELLS, A, (Each(A, ONE, TWO),)), (CELLS,), 1),
    (Reach(MORE, CELLS, A, B, (Find("next", (A, B), (B,)),)), (MORE,), 1),
    (Distance(N, CELLS, MORE, A, B, (Find("next", (A, B), (B,)),)), (N,), 1),
    (Possible("place"), (), 1),
    (Preferred("place", (A,)), (), 1),
    (Mobility(N, ONE), (N,), 1),
]
EFFECTS: list[EffectStep] = [
    Compute((Get("at", (A,), N, (N,)), Let(M, N)), HERE),
    Assign("at", (A,), N, False, False, HERE),
    Push("at", (A,), N, False, False, HERE),
    Take("at", (A,), N, "at", (B,), HERE),
    When(IS_ONE, (Again(HERE),), (), HERE),
    ForAll(IS_ONE, (Again(HERE),), HERE),
    Again(HERE),
    TurnTo(ONE, HERE),
    Pick(A, IS_ONE, HERE),
    Repeat(TWO, (Again(HERE),), HERE),
]


# ------------------------------------------------------------------------------------------ every kind


def test_every_kind_of_step_is_tried_here() -> None:
    assert {type(step) for step, _, _ in STEPS} == set(get_args(Step))
    assert {type(effect) for effect in EFFECTS} == set(get_args(EffectStep))


@pytest.mark.parametrize(("step", "binds", "ways"), STEPS, ids=lambda one: type(one).__name__)
def test_a_step_has_its_facts(step: Step, binds: tuple[Var, ...], ways: int) -> None:
    facts = properties(step)
    assert (facts.binds, bound(step)) == (binds, binds)
    assert most_ways(step, TABLES, SLOTS) == ways
    assert set(chosen(step, TABLES)) <= set(binds)
    assert chooses(step, TABLES) or ways <= 1
    assert set(own_vars(step)) <= set(body_vars((step,)))
    assert with_bodies(step, lambda body: body) == step
    assert not any(inner_bodies(with_bodies(step, lambda _: ())))
    assert set(every(step)) <= set(chosen(step, TABLES))
    assert bool(facts.slot or facts.rule or facts.moves) == facts.reads
    assert all(body in inner_bodies(step) for body in (facts.needs, *facts.alternatives) if body)
    assert renamed(renamed(step, {A: D}), {D: A}) == step


def test_an_effect_has_its_facts() -> None:
    facts = {type(effect): effect_properties(effect) for effect in EFFECTS}
    assert facts[Compute].binds == (N, M)
    assert facts[Pick].binds == (A,)
    assert {type(effect) for effect in EFFECTS if effect_bodies(effect)} == {Compute, When, ForAll, Pick}
    assert {type(effect) for effect in EFFECTS if inner_effects(effect)} == {When, ForAll, Repeat}
    assert {kind for kind, one in facts.items() if one.value is not None} == {Assign, Push}
    slots = {kind: one.slot for kind, one in facts.items() if one.slot}
    assert slots == {Assign: "at", Push: "at", Take: "at", Again: "mover", TurnTo: "mover"}


def test_who_tells_several_kinds_apart_names_them_all() -> None:
    """Besides the two printers; a pass may be about the steps of one kind, which a new kind does not change."""
    kinds = {kind.__name__ for kind in (*get_args(Step), *get_args(EffectStep))}
    rooms = [*DSL.glob("analysis/*.py"), *DSL.glob("check/*.py"), *DSL.glob("passes/*.py"), DSL / "model" / "game.py"]
    for path in rooms:
        for function in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(function, ast.FunctionDef) and "assert_never" not in ast.unparse(function):
                told = [(node.lineno, kinds & set(named(node))) for node in ast.walk(function)
                        if isinstance(node, ast.Call | ast.Match)]  # fmt: skip
                assert not [(path.name, *one) for one in told if len(one[1]) > 1]


def named(node: ast.Call | ast.Match) -> Iterator[str]:
    """The classes that an `isinstance` asks for, or that the cases of a `match` tell apart."""
    if isinstance(node, ast.Call):
        asks = isinstance(node.func, ast.Name) and node.func.id == "isinstance"
        yield from (name.id for name in ast.walk(node.args[1]) if isinstance(name, ast.Name)) if asks else ()
        return
    for case in node.cases:
        for pattern in case.pattern.patterns if isinstance(case.pattern, ast.MatchOr) else [case.pattern]:
            pattern = pattern.pattern if isinstance(pattern, ast.MatchAs) and pattern.pattern else pattern
            if isinstance(pattern, ast.MatchClass):
                yield ast.unparse(pattern.cls)


def test_something_that_is_no_step_is_refused() -> None:
    for ask in (properties, lambda step: chosen(step, TABLES), lambda step: most_ways(step, TABLES, SLOTS)):
        with pytest.raises(AssertionError, match="Expected code to be unreachable"):
            ask(Sort("no step", 0, 1))  # type: ignore[arg-type,operator]


# ------------------------------------------------------------------------------------- what the facts say


def test_what_a_body_is_given_is_bound_nowhere_in_it() -> None:
    reach = Reach(MORE, CELLS, A, B, (Find("next", (A, B), (B,)), Get("at", (B,), N, ())))
    assert free_vars((reach,)) == [CELLS, A, B, N]
    assert given_vars((reach,)) == [CELLS, N]
    steps = Distance(N, CELLS, MORE, A, B, reach.body)
    assert free_vars((steps,)) == [CELLS, MORE, A, B]
    assert given_vars((steps,)) == [CELLS, MORE]


def test_what_a_walk_passes_over_is_bound_by_it() -> None:
    assert free_vars((WALK, Compare("=", B, C))) == [A]


def test_what_reads_the_position_is_found_inside_a_step() -> None:
    assert reads_position((Not((Exists((WALK,)),)),))
    assert slots_of((Not((Exists((WALK,)),)),)) == {"at"}
    assert reads_position((Mobility(N, ONE),))
    assert reads_position((Possible("place"),))
    assert not reads_position((Find("next", (A, B), ()), Not((Compare("=", A, B),))))


def test_only_a_walk_and_a_closure_carry_their_bodies_out_again() -> None:
    rounds = {type(step): most_rounds(step) for step, _, _ in STEPS}
    assert {kind: number for kind, number in rounds.items() if number != 1} == {Walk: 9, Reach: 9, Distance: 9}


def test_what_is_known_of_constants_is_found() -> None:
    assert constants(Each(A, ONE, TWO)) == (A, range(1, 3))
    assert constants(Among(A, (ONE, TWO), (A,))) == (A, (1, 2))
    assert constants(Each(A, ONE, N)) is constants(Among(A, (ONE, N), (A,))) is constants(Among(A, (ONE,), ())) is None
    assert [is_any(Each(A, ONE, Const(high, CELL)), A) for high in (8, 9)] == [False, True]
    assert [truth(Compare("<", ONE, two)) for two in (TWO, ONE, N)] == [True, False, None]
    assert [truth(Among(one, (ONE, TWO), ())) for one in (ONE, Const(0, THREE), N)] == [True, False, None]
    assert [truth(Not((IS_ONE[0], Compare("=", ONE, two)))) for two in (TWO, ONE)] == [True, None]


def test_the_tables_of_a_walk_are_asked() -> None:
    assert tables_of((Not((WALK,)),)) == {"rays", "stops"}


def test_a_rule_is_total_if_it_always_has_a_value() -> None:
    ask = Ask("far", (A,), B)
    assert is_total(ask, lambda rule: rule == "far")
    assert not is_total(ask, lambda rule: False)
    assert not is_total(Ask("far", (A,), None), lambda rule: True)


def test_a_walk_stops_everywhere_only_where_no_cell_is_left_out() -> None:
    every = Table("stops", STOPS.sorts, (*STOPS.rows, (1, 3)), 2)
    last = Table("stops", STOPS.sorts, ((1, 3), (1, 4), (2, 3)), 2)
    assert stops_everywhere(WALK, {**TABLES, "stops": every})
    assert not stops_everywhere(WALK, TABLES)
    assert stops_everywhere(WALK, TABLES, cut=True)  # the ray that is longer than its last target is cut there
    assert not stops_everywhere(WALK, {**TABLES, "stops": last}, cut=True)


def test_the_index_of_a_place_counts_the_last_parameter_fastest() -> None:
    assert [PAIRS.index((n, c)) for n in (0, 1, 2) for c in range(1, 10)] == list(range(27))
    assert Slot("one", (), INT, 0, 1, 0).index(()) == 0


# ------------------------------------------------------------------------------ the bound on the number of ways


@pytest.mark.parametrize("path", each(RULES))
def test_no_position_of_a_game_has_more_moves_than_the_bound_says(path: Path) -> None:
    assert bounded(load(path).model, seed=1, length=fewer(24))


@pytest.mark.slow
@settings(derandomize=True, database=None, deadline=None, suppress_health_check=list(HealthCheck),
          phases=[Phase.generate], max_examples=20)  # fmt: skip
@given(st.randoms(use_true_random=False))
def test_no_position_of_random_rules_has_more_moves_than_the_bound_says(chance: random.Random) -> None:
    text = random_rules(chance)
    try:
        model = pysolve.load(text).model
    except RulesError:
        return
    bounded(model, seed=chance.randrange(1 << 30), length=5)


def bounded(game: Game, seed: int, length: int) -> int:
    """Holds the number of legal moves of each kind against the bounds on its body, as it is and as C has it; how often.

    In positions of a random game, and in positions with any values.
    """
    ready = prepared(game)
    bounds: dict[str, int] = {}
    for one in (game, ready):
        for action in one.actions:
            most = most_ways_of_body(action.body, one.tables, one.slots)
            bounds[action.name] = min(most, bounds.get(action.name, most))
    compared, engine = 0, PrologEngine(game, inferences=10_000_000)
    try:
        for state in positions(engine, random.Random(seed), length):
            try:
                moves = engine.expand(state).moves
            except EngineError:  # the rules break their own ranges in this position, or take too long
                continue
            for kind, number in Counter(move[0] for move in moves if move[0] < len(game.actions)).items():
                name = game.actions[kind].name
                assert number <= bounds[name], f"{game.title}: {number} moves {name}, at most {bounds[name]} expected"
                compared += 1
    finally:
        engine.close()
    return compared


def positions(engine: PrologEngine, chance: random.Random, length: int) -> Iterator[bytes]:
    """Positions of a random game, and positions with any values: the more of them, the more ways there may be."""
    game = engine.game
    try:
        state = engine.start(chance.randrange(100))
        for _ in range(length):
            yield state
            children = list(engine.expand(state).children())
            if not children:
                break
            state = chance.choice(children)
    except EngineError:
        pass
    for filled in (0, 30, 60):
        state = notation.blank(game)
        for slot, args, values in places(game):
            if chance.randrange(100) < filled:
                state = with_value(state, slot, args, chance.choice(values))
        yield state
