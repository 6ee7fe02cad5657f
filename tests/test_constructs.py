"""Every phrase of the language in a small game, beside rules of the same game written by hand.

In: the games of tests/rules, and the oracles.  Out: the examples of each game hold; engine and oracle agree in
random games and in positions with any values.
"""

import random
import re
from pathlib import Path
from typing import Any

import pytest

import pysolve
from pysolve.authoring import examples
from pysolve.dsl import UnknownOption
from pysolve.dsl.model import Game as Model
from pysolve.dsl.text.measure import length
from pysolve.engines import build
from pysolve.engines.prolog import PrologEngine
from pysolve.game import Game
from pysolve.runtime.paths import TEMPLATES
from tests import games, lockstep
from tests.games import slow_but
from tests.oracles import zoo

RULES = Path(__file__).parent / "rules"
SHIPPED = RULES.parent.parent / "rules"
GAMES = sorted(path.stem for path in RULES.glob("*.rules"))

no_compiler = not any(build._find(name) for name in build.COMPILERS)
native = pytest.param("native", marks=pytest.mark.skipif(no_compiler, reason="nothing compiles C here"))
on_both_engines = pytest.mark.parametrize("engine", ["prolog", native])


def load(name: str, options: dict[str, Any] | None = None) -> Game:
    return games.load(name, **(options or {}))


@pytest.mark.parametrize("name", GAMES)
def test_the_examples_hold(name: str) -> None:
    assert examples.run(load(name)) == []


def test_the_value_of_a_position_agrees_with_the_oracle() -> None:
    game = load("zoo")
    engine = PrologEngine(game.model)
    for state in lockstep.random_states(game, seed=9, count=60):
        position = pysolve.position.Position(game, state).to_dict()
        assert engine.estimate(state) == (zoo.estimate(position), -zoo.estimate(position))


# ------------------------------------------------------------------------------- phrases by themselves


def test_short_games_are_short() -> None:
    """The measure of the language: lines that are not blank, no comments, and do more than show or prove the game."""
    limits = {
        "tictactoe": 12, "connect_four": 15, "hex": 15, "breakthrough": 20, "othello": 25, "amazons": 25,
        "draughts": 45, "go": 45, "chess": 135, "nine_mens_morris": 40, "quoridor": 45,
        "santorini": 45, "abalone": 45, "dots_and_boxes": 25, "bridg_it": 30,
        "surakarta": 45, "tak": 60, "lasca": 66, "nim": 25, "chinese_checkers": 45,
        "draughts-international": 60, "draughts-italian": 27, "havannah": 30, "onitama": 70,
    }  # fmt: skip
    lengths = {name: length((SHIPPED / f"{name}.rules").read_text(encoding="utf-8")).lines for name in limits}
    assert {name: many for name, many in lengths.items() if many > limits[name]} == {}


def test_definitions_that_are_shown_alone_are_not_counted() -> None:
    text = """\
game "Stones"
define far(c: cell) = near(c) > 3
define near(c: cell) = row(c) + base
define base = 2
define asked = 1
end mover wins when base = 3
show
  far: true "" red
"""
    assert length(text).lines == 4  # without far and near, but with base, which the end names, and with asked
    assert length(text.replace("when base", "when near(a1)")).lines == 5


def test_no_line_of_a_shipped_game_is_long() -> None:
    files = [*SHIPPED.glob("*.rules"), *TEMPLATES.glob("*.rules")]
    lines = [
        line
        for file in files
        for line in file.read_text(encoding="utf-8").split("\n")
        if not line.startswith(("  icon ", "  position "))
    ]  # these are on one line
    assert [line for line in lines if len(line) > 120] == []


def test_what_does_not_read_the_state_becomes_a_table() -> None:
    model: Model = load("zoo").model
    for name in ("parity", "corner", "far_from", "rank", "next_tint", "ends", "inner", "near"):
        assert f"def_{name}" not in model.rules, name


COMPASS = {"north": (0, 1), "northeast": (1, 1), "east": (1, 0), "southeast": (1, -1),
           "south": (0, -1), "southwest": (-1, -1), "west": (-1, 0), "northwest": (-1, 1)}  # fmt: skip


def beyond(cells: set[tuple[int, int]], start: tuple[int, int], way: tuple[int, int], rings: tuple[int, int]) -> list:
    """The cells that steps from a cell lead to before one leads off the board or back; rings: 0 where there is none."""
    found, (x, y) = [], start
    while True:
        x, y = x + way[0], y + way[1]
        x, y = x % rings[0] if rings[0] else x, y % rings[1] if rings[1] else y
        if (x, y) not in cells or (x, y) == start:
            return sorted(found)
        found.append((x, y))


@on_both_engines
@pytest.mark.parametrize(("board", "size", "rings", "hole", "ways"), [
    ("square 4 by 3", (4, 3), (0, 0), None, COMPASS),
    ("square 4 by 3\n  shape\n    # # # #\n    # # . #\n    # # # #", (4, 3), (0, 0), (2, 1), COMPASS),
    ("cylinder 4 by 3", (4, 3), (4, 0), None, COMPASS),
    ("torus 3 by 4", (3, 4), (3, 4), None, COMPASS),
    ("hex rhombus 4 by 3", (4, 3), (0, 0), None,
     {"northeast": (0, 1), "east": (1, 0), "southeast": (1, -1), "southwest": (0, -1), "west": (-1, 0),
      "northwest": (-1, 1)}),
], ids=["square", "hole", "cylinder", "torus", "rhombus"])  # fmt: skip
def test_a_ray_ends_at_the_edge_or_where_it_began(
    engine: str,
    board: str,
    size: tuple[int, int],
    rings: tuple[int, int],
    hole: tuple[int, int] | None,
    ways: dict[str, tuple[int, int]],
) -> None:
    game = pysolve.load(
        f"""
game "Rays"
players White, Black
board {board}
state
  at(cell): player or none
  length: 0..20
move look(a: cell, d: direction, c: cell) as "{{a}} {{d}} {{c}}"
  when
    c in ray(a, d)
    every x in ray(a, d) has at(x) = none
    (count x in ray(a, d)) < 12
  do
    length := count x in ray(a, d) where at(x) = none
stuck
  draw
""",
        engine=engine,
    )
    cells = {(x, y) for x in range(size[0]) for y in range(size[1])} - {hole}
    name = {(x, y): f"{'abcd'[x]}{y + 1}" for x, y in cells}
    rays = {(name[a], d): [name[c] for c in beyond(cells, a, way, rings)] for a in cells for d, way in ways.items()}
    position = game.start()
    looks = [(move.params["a"], move.params["d"], move.params["c"]) for move in position.legal_moves]
    assert sorted(looks) == sorted((a, d, c) for (a, d), ray in rays.items() for c in ray if len(ray) < 12)
    for move in position.legal_moves:
        length = len(rays[str(move.params["a"]), str(move.params["d"])])
        assert position.play(move).to_dict()["state"]["length"] == length


def test_a_game_without_rays_has_no_table_of_them() -> None:
    assert "board_ray" not in load("zola").model.tables
    assert "board_ray" in load("beams").model.tables


def test_parameters_and_values_may_be_wide_and_below_zero() -> None:
    game = pysolve.load("""
game "Wide"
players A, B
board square 2 by 1
state
  v: -400..400
  w(-2..1, 254..256): 0..254 or none
  u: -1..253
move set(k: -300..300, j: 254..256)
  when
    k % 100 = 1
  do
    v := k - 100
    w(k % 4 - 2, j) := if k < 0 then none else j - 2
    u := j - 255
stuck
  pass
""")
    start = game.start()
    assert [move.params["k"] for move in start.legal_moves[::3]] == [-299, -199, -99, 1, 101, 201]
    for move in start.legal_moves:
        k, j = move.params["k"], move.params["j"]
        state = start.play(move).to_dict()["state"]
        assert (state["v"], state["u"]) == (k - 100, j - 255)
        assert state["w"][str(k % 4 - 2)][str(j)] == (None if k < 0 else j - 2)
        assert sum(value is not None for row in state["w"].values() for value in row.values()) == (k > 0)


def test_lots_depend_on_the_seed_alone() -> None:
    game, same = load("provinces"), load("provinces")
    assert game.start(5) == same.start(5)
    assert len({game.start(seed).state for seed in range(20)}) > 15


def test_a_variant_replaces_and_adds() -> None:
    parent, child = load("tictactoe"), load("misere")
    assert len(parent.start().legal_moves) == 9
    assert len(child.start().legal_moves) == 8
    assert child.start().play("a1").to_dict()["state"]["moved"] is True


def test_a_position_that_occurs_three_times_is_a_draw() -> None:
    position = load("rook").start()
    for move in ["a1a2", "e4e5", "a2a1", "e5e4"] * 2:
        assert position.outcome is None
        position = position.play(move)
    assert position.outcome is not None
    assert position.outcome.winner is None
    assert len(position.legal_moves) == 0


def test_turns_are_counted_and_not_moves() -> None:
    position = load("pushers").start()
    for move, turns in (("a1-a2", 0), ("b1.", 0), ("c1.", 1), ("a4.", 1), ("b4.", 2)):
        position = position.play(move)
        assert position.turns_played == turns, move


# ------------------------------------------------------------------------------------- small questions

PHRASES = """
game "Phrases"
players Ann, Bob
board square 3 by 3
state
  at(cell): player or none
  spot: cell or none
  small: 0..5 or none
  other: 2..9 or none
  low: -3..5
  n: 0..300
  tag(cell): 0..300
{lines}
move wait
  do
    n := n
stuck
  pass
"""


def asked(expression: str, setup: str = "") -> object:
    """The value of an expression after some lines of setup; for a condition, whether it holds."""
    lines = "".join(f"\n  {line.strip()}" for line in setup.split(";") if line)
    text = PHRASES.replace("{lines}", f"{'setup' + lines if lines else ''}\ndefine answer = {expression}")
    position = pysolve.load(text).start()
    result = position.game.model.queries["answer"].result
    found = position.query("answer(X)" if result is not None else "answer")
    if result is None:
        return bool(found)
    if str(result).startswith("set of"):
        return [one["X"] for one in found]
    return found[0]["X"] if found else "no value"


@pytest.mark.parametrize(("expression", "setup", "value"), [
    # a set has each member once, in order, and what does not exist is in no set
    ("count x in {spot, spot}", "spot := a1", 1),
    ("count x in {spot + west, spot, spot + east}", "spot := a1", 2),
    ("count x in {a1 + west, a1, b1}", "", 2),
    ("{b2, spot, a1, spot + north}", "spot := a2", ["a1", "a2", "b2", "a3"]),
    ("first x in {spot + east, spot} where at(x) = none", "spot := a1", "a1"),
    ("count x in {spot}", "", 0),
    ("spot in {spot}", "", False),
    ("none_is", "", False),
    ("{spot, a1} union {b1} except {a1}", "spot := c3", ["b1", "c3"]),
    ("{c: cell where at(c) = Ann} intersect neighbours(spot)", "spot := a1; at(b1) := Ann; at(c1) := Ann", ["b1"]),
    ("count x in 5..low", "low := 3", 0),
    ("sum x in 1..low of x * x", "low := 4", 30),
    # the same set twice, with variables of its own inside
    ("some a, b in {c: cell where some d in neighbours(c) has at(d) = Ann} has a != b and row(a) = row(b)",
     "at(b2) := Ann", True),
    ("count a, b in {c: cell where some d in neighbours(c) has at(d) = Ann}", "at(a1) := Ann; at(c3) := Bob", 9),
    # none is no number, whatever number stands for it
    ("small = low", "low := -1; small := none", False),
    ("small != low", "low := -1; small := none", True),
    ("small = other", "small := none; other := none", True),
    ("small = other", "small := 1; other := none", False),
    ("small != other", "small := 1; other := none", True),
    ("small = none", "small := none", True),
    ("small < 3", "small := none", False),
    ("not small < 3", "small := none", True),
    ("small in -1..3", "small := none", False),
    ("if low > 0 then small else other", "small := none; low := 1", None),
    ("if low > 0 then small else low - 4", "small := none; low := 1", None),
    ("if low > 0 then small else low - 4", "small := none; low := 0", -4),
    ("count x in {small, low}", "low := -1; small := none", 1),
    # what has no value makes its condition false, and the negation true
    ("7 // low > 0", "low := 0", False),
    ("not 7 // low > 0", "low := 0", True),
    ("7 % low >= 0", "low := 0", False),
    ("root(low) = 0", "low := -1", False),
    ("root(low) = 2", "low := 5", True),
    ("2 ^ low > 0", "low := -1", False),
    ("2 ^ low", "low := 5", 32),
    ("at(spot + north) != Ann", "spot := b3", False),
    ("not at(spot + north) = Ann", "spot := b3", True),
    ("no c in neighbours(spot) has at(c) = none", "spot := none", True),
    ("spot + 2 * north = b3", "spot := b1", True),
    ("spot + low * north = b1", "spot := b3; low := -2", True),
    ("most c in {c: cell where at(c) = Ann} of column(c)", "", "no value"),
    ("column(first c: cell where at(c) = Ann) = 1", "", False),
    ("count c: cell where at(c + east) = none", "", 6),
    # arithmetic rounds down, and a rest has the sign of the divisor, now and later
    ("-7 // 2", "", -4),
    ("-7 % 3", "", 2),
    ("7 % -3", "", -2),
    ("(low - 7) // 2", "low := 0", -4),
    ("(low - 7) % 3", "low := 0", 2),
    ("(low + 7) % -3", "low := 0", -2),
    ("-low ^ 2", "low := 3", -9),
    ("(-low) ^ 2", "low := 3", 9),
    ("2 ^ 3 ^ 2", "", 512),
    ("10 - 3 - 2", "", 5),
    ("2 + 3 * 4 - 8 // 3", "", 12),
    ("abs(low) + min(low, 2) + max(low, 2)", "low := -3", 2),
    # aggregates
    ("least c: cell where at(c) = Ann of column(c) * 10 + row(c)", "at(b2) := Ann; at(c1) := Ann", 22),
    ("most c: cell of tag(c)", "tag(b2) := 300; tag(c1) := 299", 300),
    ("sum c: cell of tag(c)", "for c: cell: tag(c) := 255 + column(c)", 9 * 255 + 18),
    ("count c: cell where every d in neighbours(c) has at(d) = none", "at(a1) := Ann", 6),
    # conditions as values, values as conditions
    ("(at(a1) = Ann) = (at(b1) = Ann)", "", True),
    ("if at(a1) = none then low > 0 else low < 0", "low := 2", True),
    ("(if spot = none then 1 else 2) + (if spot != none then 10 else 20)", "", 21),
    # one line of setup after another; a for sees what was before it
    ("{c: cell where at(c) = Ann}",
     "at(a1) := Ann;for c: cell where at(c) = none and some m in neighbours(c) has at(m) = Ann: at(c) := Ann",
     ["a1", "b1", "a2", "b2"]),
    ("n", "n := 2; for c: cell: n := n + 1", 11),
    ("n", "for c: cell where n < 3: n := n + 1", 9),
])  # fmt: skip
def test_a_phrase_has_its_value(expression: str, setup: str, value: object) -> None:
    if expression == "none_is":
        expression = "spot in {a1, spot}"
    assert asked(expression, setup) == value


def test_two_lines_of_a_graph_may_share_two_cells() -> None:
    game = pysolve.load("""
game "Ring"
players A, B
board graph
  line a1 b1 c1 d1
  line d1 a1
state
  at(cell): player or none
setup
  at(a1) := A
  at(d1) := B
move jump(from, to: cell)
  when
    at(from) = mover
    aligned(from, to)
    every c in between(from, to) has at(c) = none
    at(to) != mover
  do
    at(from) := none
    at(to) := mover
stuck
  pass
""")
    assert [str(move) for move in game.start().legal_moves] == ["jump a1 b1", "jump a1 c1", "jump a1 d1"]


def test_a_move_may_be_called_like_a_state() -> None:
    game = load("zoo")
    assert [one["C"] for one in game.start().query("flag(C)")] == ["a1", "b1", "c1", "a2", "b2", "c2"]
    assert game.start().why("flag a1").legal


def test_all_effects_of_a_round_read_the_old_position() -> None:
    game = pysolve.load("""
game "Rounds"
players A, B
board square 3 by 1
state
  n(cell): 0..99
setup
  for c: cell: n(c) := column(c)
move rotate
  do
    n(a1) := n(b1)
    n(b1) := n(c1)
    n(c1) := n(a1)
move twice
  do
    let old = n(a1)
    for c: cell: n(c) := n(c) + n(a1)
    then
      for c: cell where n(c) > 2: n(c) := n(c) * 10 + old
      if n(a1) = 2
        again
      then
        n(c1) := n(a1) + n(b1)
stuck
  pass
""")
    numbers = [list(game.start().play(move).to_dict()["state"]["n"].values()) for move in ("rotate", "twice")]
    assert numbers == [[2, 3, 1], [2, 31, 33]]
    assert game.start().play("twice").to_move == "A"
    assert game.start().play("rotate").to_move == "B"


ROUNDS = """
game "Rounds in their order"
players A, B
board square 3 by 1
state
  n: 0..99
  m: 0..99
  trail: 0..20000
effect note(k: 1..9)
  then
    trail := trail * 10 + k
effect double
  n := n + 1
  then
    m := n
    note(7)
    then
      m := m * 2
  then
    n := n + m
move three
  do
    n := n + 1
    then
      n := n + 1
    then
      m := n
move nested
  do
    note(1)
    n := 5
    then
      trail := trail * 10 + 2
      then
        trail := trail * 10 + 3
        note(4)
    then
      trail := trail * 10 + 5
  then
    trail := trail - 1
move named
  do
    note(n + 1)
    double
    note(n + 2)
move lets
  do
    let a = n + 1
    n := 3
    then
      let b = n + a
      n := 7
    then
      m := 10 * b + a
      n := n + 1
move kept
  do
    n := if mover = A then 1 else 2
    then
      again
    then
      m := if mover = A then 1 else 2
stuck
  pass
"""


@on_both_engines
@pytest.mark.parametrize(("move", "n", "m", "trail"), [
    ("three", 2, 2, 0), ("nested", 5, 0, 12344), ("named", 3, 2, 172), ("lets", 8, 41, 0), ("kept", 1, 1, 0),
])  # fmt: skip
def test_rounds_come_in_the_order_of_their_blocks(engine: str, move: str, n: int, m: int, trail: int) -> None:
    position = pysolve.load(ROUNDS, engine=engine).start().play(move)
    assert {name: position.to_dict()["state"][name] for name in ("n", "m", "trail")} == {"n": n, "m": m, "trail": trail}
    assert position.to_move == ("A" if move == "kept" else "B")


NAMED = """
game "Names for values"
players White, Black
board square 4 by 4
state
  at(cell): player or none
setup
  for c in edge(south): at(c) := White
  for c in edge(north): at(c) := Black
move step(from: cell, dir: direction) as "{from} {dir}"
  when
    at(from) = mover
    let to = from + dir, near = count n in neighbours(to) where at(n) = mover
    at(to) != mover
    near < 3
  do
    at(from) := none
    at(to) := mover
    then
      if near = 1
        at(from) := opponent
  after
    some c in neighbours(to) has at(c) = mover
stuck
  draw
"""


@on_both_engines
def test_let_under_when_names_values_of_the_position_before_the_move(engine: str) -> None:
    near = "count n in neighbours(from + dir) where at(n) = mover"
    written_out = NAMED.replace(f"    let to = from + dir, near = {near.replace('from + dir', 'to')}\n", "")
    written_out = written_out.replace("near < 3", f"({near}) < 3").replace("  do\n", f"  do\n    let near = {near}\n")
    written_out = written_out.replace("(to)", "(from + dir)")
    assert "let to" not in written_out
    named, other = (pysolve.load(text, engine=engine).start() for text in (NAMED, written_out))
    assert named.perft(4) == other.perft(4)
    assert [move.text for move in named.legal_moves] == [move.text for move in other.legal_moves]


def test_why_shows_the_value_of_a_name() -> None:
    position = pysolve.load(NAMED).start()
    assert "holds, line 13: let to = from + dir (to = a2)" in str(position.why("a1 north"))
    assert "fails, line 13: let to = from + dir (a1 + west is off the board)" in str(position.why("a1 west"))
    assert "fails, line 15: near < 3 (near = 3, mover = White)" in str(position.why("b1 north"))


CHOSEN = """
game "Chosen from sets"
players White, Black
board square 4 by 4
state
  at(cell): player or none
setup
  for c in edge(south): at(c) := White
  for c in edge(north): at(c) := Black
define targets(c: cell) = {t in neighbours(c) where at(t) != mover}
move step(from in {c: cell where at(c) = mover}, to in targets(from), mark in 0..1) as "{from}-{to} {mark}"
  do
    at(from) := none
    at(to) := mover
stuck
  draw
"""


@on_both_engines
def test_a_parameter_may_be_chosen_from_a_set_that_depends_on_those_before_it(engine: str) -> None:
    written_out = CHOSEN.replace("from in {c: cell where at(c) = mover}, to in targets(from), mark in 0..1",
                                 "from, to: cell, mark: 0..1")  # fmt: skip
    written_out = written_out.replace("  do\n", "  when\n    at(from) = mover\n    to in targets(from)\n  do\n")
    chosen, other = (pysolve.load(text, engine=engine).start() for text in (CHOSEN, written_out))
    assert [move.text for move in chosen.legal_moves] == [move.text for move in other.legal_moves]
    assert chosen.perft(3) == other.perft(3) == 10_080
    assert "fails, line 11: to in targets(from)" in str(chosen.why("a1-a3 0"))


@on_both_engines
def test_a_parameter_in_an_empty_set_gives_no_move(engine: str) -> None:
    empty = CHOSEN.replace("mark in 0..1", "mark in 3..2").replace("stuck\n  draw", "move rest\n\nstuck\n  draw")
    assert [move.text for move in pysolve.load(empty, engine=engine).start().legal_moves] == ["rest"]


# ---------------------------------------------------------------------- computed now, computed later

VALUES = {"v": -3, "w": 0, "x": 2, "y": 4, "z": 5}


class Phrases:
    """Random expressions over the names v to z."""

    def __init__(self, seed: int):
        self.rng = random.Random(seed)
        self.count = 0

    def number(self, depth: int, scope: tuple[str, ...]) -> str:
        rng = self.rng
        if depth == 0:
            return rng.choice([*VALUES, *scope])
        kind = rng.randrange(7)
        if kind < 3:
            left, right = self.number(depth - 1, scope), self.number(depth - 1, scope)
            return f"({left} {rng.choice(['+', '-', '*', '//', '%'])} {right})"
        if kind == 3:
            left, right = self.number(depth - 1, scope), self.number(depth - 1, scope)
            return rng.choice([f"min({left}, {right})", f"max({left}, {right})", f"abs({left})", f"(-{left})"])
        if kind == 4:
            then, other = self.number(depth - 1, scope), self.number(depth - 1, scope)
            return f"(if {self.condition(depth - 1, scope)} then {then} else {other})"
        binder, inner = self.binder(depth - 1, scope)
        where = f"{binder} where {self.condition(depth - 1, inner)}"
        of = self.number(depth - 1, inner)
        return rng.choice([f"(count {where})", f"(sum {where} of {of})", f"(most {where} of {of})",
                           f"(least {where} of {of})", f"(first {where})"])  # fmt: skip

    def binder(self, depth: int, scope: tuple[str, ...]) -> tuple[str, tuple[str, ...]]:
        self.count += 1
        name = f"k{self.count}"
        return f"{name} in {self.members(depth, scope)}", (*scope, name)

    def members(self, depth: int, scope: tuple[str, ...]) -> str:
        rng = self.rng
        kind = rng.randrange(5) if depth > 0 else 0
        if kind < 2:
            return f"v..{rng.choice('xyz')}"
        if kind == 2:
            items = ", ".join(self.number(depth - 1, scope) for _ in range(rng.randint(1, 3)))
            return f"{{{items}}}"
        if kind == 3:
            joint = rng.choice(["union", "except", "intersect"])
            return f"({self.members(depth - 1, scope)} {joint} {self.members(depth - 1, scope)})"
        binder, inner = self.binder(depth - 1, scope)
        return f"{{{binder} where {self.condition(depth - 1, inner)}}}"

    def condition(self, depth: int, scope: tuple[str, ...]) -> str:
        rng = self.rng
        kind = rng.randrange(6) if depth > 0 else 0
        if kind < 2:
            sign = rng.choice(["=", "!=", "<", "<=", ">", ">="])
            return f"{self.number(depth, scope)} {sign} {self.number(max(depth - 1, 0), scope)}"
        if kind == 2:
            word = rng.choice(["in", "not in"])
            return f"{self.number(depth - 1, scope)} {word} {self.members(depth - 1, scope)}"
        if kind == 3:
            return f"(not ({self.condition(depth - 1, scope)}))"
        if kind == 4:
            word = rng.choice(["and", "or"])
            return f"({self.condition(depth - 1, scope)} {word} {self.condition(depth - 1, scope)})"
        binder, inner = self.binder(depth - 1, scope)
        if rng.randrange(2):
            more, inner = self.binder(depth - 1, inner)
            binder = f"{binder}, {more}"
        return f"({rng.choice(['some', 'every', 'no'])} {binder} has {self.condition(depth - 1, inner)})"


@pytest.mark.slow
@pytest.mark.parametrize("seed", slow_but([0], range(5)))
def test_a_phrase_has_the_same_value_now_and_later(seed: int) -> None:
    """What does not read the state is computed by static.py, what does by Prolog: two hands, one meaning."""
    phrases = Phrases(seed)
    texts = [f"count k in 1..1 where {phrases.condition(3, ())}" for _ in range(20)]
    texts += [phrases.number(2, ()) for _ in range(20)]
    params = ", ".join(f"{name}: {value}..{value + 1}" for name, value in VALUES.items())
    lines = [
        'game "Twice"', "players A, B", "board square 1 by 1", "state",
        *(f"  {name}0: {value}..{value + 1}" for name, value in VALUES.items()),
        *(f"define now{i}({params}): int = {text}" for i, text in enumerate(texts)),
        *(f"define later{i}: int = {as_states(text)}" for i, text in enumerate(texts)),
        "stuck", "  draw", "move wait", "  do", "    v0 := v0",
    ]  # fmt: skip
    game = pysolve.load("\n".join(lines) + "\n")
    assert sum(f"def_now{i}" in game.model.tables for i in range(len(texts))) > 30
    for number in range(0, 32, 5):
        values = {name: value + (number >> bit & 1) for bit, (name, value) in enumerate(VALUES.items())}
        position = game.from_dict({"state": {f"{name}0": value for name, value in values.items()}})
        given = ", ".join(map(str, values.values()))
        for i, text in enumerate(texts):
            assert position.query(f"now{i}({given}, X)") == position.query(f"later{i}(X)"), (text, values)


def as_states(text: str) -> str:
    return re.sub(r"\b[v-z]\b", lambda found: f"{found.group()}0", text)


@on_both_engines
def test_the_larger_of_two_numbers_may_decide_which_move_is_preferred(engine: str) -> None:
    text = """
game "Larger"
players Ann, Bob
board square 3 by 3
state at(cell): player or none
move place(to: cell) as "{to}"
  when max(column(to), row(to)) = 2 and at(to) = none
  prefer most max(3 * column(to), 2 * row(to))
stuck draw
"""
    assert [str(move) for move in pysolve.load(text, engine=engine).start().legal_moves] == ["b1", "b2"]


@on_both_engines
def test_no_step_leaps_over_a_hole(engine: str) -> None:
    text = """
game "Hole"
players Ann, Bob
board square 4 by 1
  shape
    # . # #
state at(cell): player or none
define beyond = a1 + 2 * east = c1
define nowhere = not a1 + 2 * east in cell
define near = c1 + 1 * east = d1
move place(to: cell) as "{to}"
  when at(to) = none
  do at(to) := mover
stuck draw
"""
    position = pysolve.load(text, engine=engine).start()
    assert [bool(position.query(name)) for name in ("beyond", "nowhere", "near")] == [False, True, True]


@on_both_engines
def test_an_option_may_be_a_value_of_a_declared_type(engine: str) -> None:
    game = pysolve.load(RULES / "cards.rules", engine=engine, fourth="Tiger", start="resting")
    options = {option.name: option.sort for option in game.model.options}
    assert options["fifth"] == options["fourth"] == game.model.sorts["card"]
    assert options["start"] == game.model.sorts["step"]
    assert game.options == {"fifth": "Tiger", "fourth": "Tiger", "wide": False, "start": "resting"}
    after = game.start().play("a1")
    assert after.to_dict()["state"]["held"] == "Tiger"
    assert len(after.legal_moves) == 11
    with pytest.raises(UnknownOption, match="option fourth cannot be Ox: it must be Crab or Tiger"):
        game.with_options(fourth="Ox")


@on_both_engines
def test_off_and_on_may_be_names_beside_a_switch(engine: str) -> None:
    game = pysolve.load(RULES / "off.rules", engine=engine, blots="on")
    assert game.options["blots"] is True
    position = game.position("position White, men(White, f1) = 1\n  o . . o o o").play("f1 off")
    assert position.to_dict()["state"]["off"] == {"White": 1, "Black": 0}
    assert position.to_dict()["state"]["lamp"]["a1"] == "on"
    assert position.query("off(White, 1), lamp(a1, on)") == [{}]
