"""Which pass is guilty?  What each pass makes of tiny rules, what is printed of sets, and all passes one by one.

A file in tests/passes begins with what is shown of it: `#? PASS: BODY`.  BODY is `rule NAME`, `move NAME` or `end`.  A
line that begins with `#! ` is a line of what is expected; `pytest --update` rewrites them.  PASS is one of

    a name of dsl.passes.PASSES     the body before and after that pass
    order                           the body as the checker puts its steps into order
    unordered                       the body of a move after all passes, and where the order of moves does not matter
    evaluation                      the rows of the tables that are made of steps which do not read the position
    bitboards                       the function of C that is printed for the body, with sets
"""

import random
from collections.abc import Iterator
from itertools import chain
from pathlib import Path

import pytest

from pysolve.dsl import RulesError, notation, read_rules
from pysolve.dsl.model import Body, Game
from pysolve.dsl.model.outline import outline
from pysolve.dsl.passes import PASSES, prepared
from pysolve.dsl.passes.bodies import with_game_bodies
from pysolve.dsl.passes.flattening import flatten
from pysolve.dsl.passes.unordered import unordered
from pysolve.dsl.to_c import TooLarge, print_c, print_prepared
from pysolve.dsl.to_c.runtime import (
    AHEAD,
    BEFORE,
    HERE,
    LEARNING,
    MANY_GAMES,
    NOT_TWO,
    OF_PAYMENTS,
    PLAYING,
    SEATED,
    SECRETS,
    SOLVING,
    STACKS,
    TEACHING,
)
from pysolve.engines.build import COMPILERS, Compiler, _find
from pysolve.engines.native import NativeEngine
from pysolve.engines.prolog import PrologEngine
from pysolve.engines.protocol import State
from tests.games import FAMILIES, each, load, slow_but
from tests.random_rules import random_rules
from tests.two_engines import Disagreement, compare, places, play_along, with_value

CASES = sorted((Path(__file__).parent / "passes").glob("*.rules"))
WHAT, MARK = "#? ", "#! "


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_what_a_pass_makes_of_rules(path: Path, update: bool) -> None:
    lines = path.read_text(encoding="utf-8").rstrip("\n").split("\n")
    assert lines[0].startswith(WHAT)
    name, _, what = lines[0].removeprefix(WHAT).partition(": ")
    text = "\n".join(line for line in lines if not line.startswith(MARK.strip())).rstrip("\n") + "\n"
    found = [line.rstrip() for line in shown(read_rules(text, name=path.name), name, what)]
    if update:
        path.write_text("\n".join([text, *(f"{MARK}{line}" for line in found), ""]), encoding="utf-8")
        return
    expected = [line[len(MARK) :] for line in lines if line.startswith(MARK.strip())]
    assert found == expected


def shown(game: Game, name: str, what: str) -> Iterator[str]:
    """What is expected of a case."""
    if name == "order":
        yield from outline(body_of(game, what))
    elif name == "unordered":
        ready = prepared(game)
        yield from before_and_after(body_of(ready, what), unordered(ready)[1][what.removeprefix("move ")])
    elif name == "evaluation":
        for table in prepared(game).tables.values():
            if table.name not in game.tables:
                yield from outline(table)
                yield from (f"    {' '.join(map(str, row))}" for row in table.rows)
    elif name == "bitboards":
        yield from function(print_c(game), what)
    else:
        yield from before_and_after(body_of(before(game, name), what), body_of(prepared(game, name), what))


def before(game: Game, name: str) -> Game:
    """The game as a pass gets it."""
    number = list(PASSES).index(name)
    return prepared(game, list(PASSES)[number - 1]) if number else game


def body_of(game: Game, what: str) -> Body:
    kind, _, name = what.partition(" ")
    if kind == "rule":
        return game.rules[name].body
    if kind == "move":
        return next(action.body for action in game.actions if action.name == name)
    (ending,) = game.endings
    return ending.body


def before_and_after(old: Body, new: Body) -> Iterator[str]:
    yield "before"
    yield from outline(old, "  ")
    yield "after"
    yield from outline(new, "  ")


def function(text: str, what: str) -> Iterator[str]:
    """The lines of the C function of a rule, or of the moves of a kind."""
    prefix = what.replace("rule ", "int rule_").replace("move ", "Move *moves_")
    lines = iter(text.split("\n"))
    for line in lines:
        if f"{prefix}(" in line and line.endswith("{"):
            yield line
            break
    for line in lines:
        yield line
        if line == "}":
            return


def test_every_pass_has_a_case() -> None:
    named = {path.read_text(encoding="utf-8").split("\n", 1)[0].removeprefix(WHAT).split(":")[0] for path in CASES}
    assert named == {*PASSES, "order", "unordered", "evaluation", "bitboards"}


def test_a_case_shows_what_the_pass_changes() -> None:
    """Before and after are not the same, so a pass that does nothing is found out."""
    for path in CASES:
        text = path.read_text(encoding="utf-8")
        if f"{MARK}before\n" in text:
            old, new = text.split(f"{MARK}before\n")[1].split(f"{MARK}after\n")
            assert old.strip() != new.strip(), path.name


def test_only_a_pass_that_there_is_can_be_the_last() -> None:
    with pytest.raises(ValueError, match='there is no pass "folding": inlining, mobility, '):
        prepared(load("zola").model, "folding")


def test_passes_leave_the_game_that_they_are_given() -> None:
    game = load("zola").model
    shape = list(outline((*game.rules.values(), *game.actions, *game.endings))), list(game.tables)
    unordered(prepared(game))
    assert (list(outline((*game.rules.values(), *game.actions, *game.endings))), list(game.tables)) == shape


class Prefix(NativeEngine):
    """The native engine for a game that has gone through the passes up to one of them, printed without sets."""

    def __init__(self, game: Game, last: str):
        self.last = last
        super().__init__(game, next(name for name in reversed(COMPILERS) if _find(name)), proof=False)

    def text(self, compiler: Compiler) -> str:
        return print_prepared(self.game, prepared(self.game, self.last))

    def __str__(self) -> str:
        return f"the C after the pass {self.last}"


@pytest.mark.skipif(not any(map(_find, COMPILERS)), reason="nothing compiles C here")
@pytest.mark.parametrize("name", each(FAMILIES, ["zola", "yoxii"]))
def test_each_pass_leaves_the_game_as_it_is(name: str) -> None:
    """The first pass that is named here is the guilty one; later ones build on it."""
    hold_each_pass(load(name).model)


def hold_each_pass(game: Game) -> None:
    for last in PASSES:
        assert play_along(
            PrologEngine(game, warm=None), [Prefix(game, last)], seed=1, games=2, length=12, most=1_000_000
        )


@pytest.mark.skipif(not any(map(_find, COMPILERS)), reason="nothing compiles C here")
@pytest.mark.parametrize("seed", slow_but((), range(12), late=range(6, 12)))
def test_each_pass_leaves_random_rules_as_they_are(seed: int) -> None:
    """In positions with any values, since few of such games can be played."""
    chance = random.Random(f"passes {seed}")
    while True:
        try:
            game = read_rules(random_rules(chance))
            print_c(game)
            break
        except (RulesError, TooLarge):
            continue
    states = [filled(game, percent, chance) for percent in (0, 40, 80)]
    for last in PASSES:
        for state in states:
            compare(PrologEngine(game, 1_000_000, warm=None), [Prefix(game, last)], state)


def filled(game: Game, percent: int, chance: random.Random) -> State:
    """A position in which so many places have any value, and the others that which they have at first."""
    state = notation.blank(game)
    for slot, args, values in places(game):
        if chance.randrange(100) < percent:
            state = with_value(state, slot, args, chance.choice(values))
    return state


@pytest.mark.slow
@pytest.mark.skipif(not any(map(_find, COMPILERS)), reason="nothing compiles C here")
def test_a_pass_that_loses_a_step_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    def careless(game: Game) -> Game:
        return with_game_bodies(flatten(game), lambda body, _: body[:-1] if len(body) > 2 else body)

    monkeypatch.setitem(PASSES, "flattening", careless)
    with pytest.raises(Disagreement, match="Zola: the C after the pass flattening disagrees"):
        hold_each_pass(load("zola").model)


def test_every_part_of_the_runtime_is_printed() -> None:
    """A file that nobody names would be missing in every library."""
    others = [part for parts in (*SEATED.values(), *NOT_TWO.values(), *OF_PAYMENTS.values()) for part in parts]
    programs = PLAYING, SOLVING, MANY_GAMES, LEARNING, TEACHING
    printed = {*BEFORE, *STACKS, *AHEAD, *SECRETS, "regrets", *chain(*programs), *others}
    assert printed == {path.stem for path in HERE.glob("*.c")}
