"""The native engine beside Prolog: the same answers, whatever the rules, the position, the layout and the compiler.

In: every shipped game and every game of tests/rules under their options, and rules files drawn at random.  Out: moves
in order, successors, outcomes, values, playouts, counts, whole turns and searches are equal; where they are not, the
smallest position is shown with both answers.  Then: the C without warnings and under sanitizers, the cache, compilers
that are not there, threads, Ctrl-C, mistakes.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator
from itertools import islice, product
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

import pysolve
from dsl import RulesError, UnknownOption, notation
from dsl.model import Game as Model
from pysolve import turns
from pysolve.engine import Engine, EngineError, State
from pysolve.engines import build
from pysolve.engines.build import COMPILERS
from pysolve.engines.native import NativeEngine
from pysolve.engines.prolog import PrologEngine
from pysolve.game import option_word
from pysolve.perft import perft
from pysolve.search.minimax import minimax
from pysolve.search.playouts import playouts
from tests.games import RULES, load
from tests.random_rules import random_rules
from tests.two_engines import Disagreement, Laid, compare, places, play_along, same, with_value

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


@pytest.fixture(params=RULES, ids=lambda path: f"{path.parent.parent.name}-{path.stem}")
def model(request: pytest.FixtureRequest) -> Model:
    return load(request.param).model


# -------------------------------------------------------------------------------------- all games agree


def test_random_games_agree(model: Model) -> None:
    tried = [*laid(model), *([NativeEngine(model, "cc", proof=False)] if "cc" in HELD else [])]
    assert play_along(judge(model), tried, seed=1, games=2, length=25, seconds=0.4)


@pytest.mark.parametrize("path", RULES, ids=lambda path: f"{path.parent.parent.name}-{path.stem}")
def test_games_agree_under_all_options(path: Path) -> None:
    whole = "extends" not in path.read_text(encoding="utf-8").split("\n")[0]
    for number, options in enumerate(islice(option_sets(load(path).model), None if whole else 1)):
        try:
            model = pysolve.load(path, **options).model
        except (UnknownOption, RulesError):
            continue  # options that cannot stand together
        trusted, tried = judge(model), Laid(model, HELD[-1], sets=number % 2 == 0)
        assert play_along(trusted, [tried], seed=2, games=1, length=6, seconds=0.1), options
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

    until = time.monotonic() + 0.4

    @settings(QUIET, max_examples=12)
    @given(positions(model))
    def agree(state: State) -> None:
        if time.monotonic() < until:  # some games take Prolog long
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
    state, began = trusted.start(1), time.monotonic()
    quick = len(trusted.expand(state)) < 60 and time.monotonic() < began + 0.005
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


@settings(QUIET, max_examples=120)
@given(st.randoms(use_true_random=False))
def test_random_rules_mean_the_same(chance: random.Random) -> None:
    agree_on(random_rules(chance), HELD[-1])


@needs_cc
@pytest.mark.parametrize("seed", range(8))
def test_random_rules_mean_the_same_to_every_compiler(seed: int) -> None:
    chance = random.Random(seed)
    while not agree_on(random_rules(chance), *HELD):
        pass


def agree_on(text: str, *compilers: str) -> bool:
    """False if the rules are refused."""
    try:
        model = pysolve.load(text).model
    except RulesError:
        return False
    trusted, tried = judge(model), laid(model, *compilers)
    try:
        play_along(trusted, tried, seed=3, games=2, length=6)
        chance = random.Random(text)
        for filled in (0, 40, 80):
            state = notation.blank(model)
            for slot, args, values in places(model):
                if chance.randrange(100) < filled:
                    state = with_value(state, slot, args, chance.choice(values))
            children = compare(trusted, tried, state)
            if children:
                for question in (lambda e: playouts(e, state, 2, 1, 15), lambda e: searched(e, state, nodes=60)):
                    same(trusted, tried, state, "a long question", without_mistakes(question))
    except Disagreement as error:
        raise Disagreement(f"{error}\n\n{text}") from None
    finally:
        trusted.close()
    return True


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
