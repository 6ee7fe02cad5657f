"""Symmetries of the rules: known groups, rules that break one of them in a single place, and a walk over games.

The walk is the independent judge: at each position of random games the engine answers for the position and for its
image, and moves, positions after them, results and evaluations must be images of each other.
"""

import random
from random import Random

import pytest

from pysolve import dsl
from pysolve.authoring.symmetries import told
from pysolve.dsl.analysis import renaming
from pysolve.dsl.analysis.first_position import first_position
from pysolve.dsl.analysis.renaming import Proof
from pysolve.dsl.analysis.symmetries import Symmetry, symmetries
from pysolve.dsl.errors import RulesError
from pysolve.engines.protocol import Engine, Node, RuleMistake, State
from pysolve.game import Game
from pysolve.game import load as loads
from tests.games import RULES, each, load, slow_but
from tests.random_rules import random_rules


def all_of(game: Game) -> list[Symmetry]:
    return symmetries(game.model, setup=False, evaluation=False)


def counted(game: Game) -> tuple[int, int, int, int]:
    """Symmetries of moves and results; those that keep the first position too, and also who moves; evaluations."""
    found = all_of(game)
    return (
        len(found), sum(one.keeps_setup for one in found), sum(one.keeps_start for one in found),
        sum(one.keeps_evaluation for one in found),
    )  # fmt: skip


def walk(game: Game, found: list[Symmetry], seed: int, moves: int = 12) -> None:
    """Plays a random game, and its image by each symmetry."""
    engine, chance = game.engine, random.Random(seed)
    for one in found:
        state = engine.start(seed)
        for _ in range(moves):
            node, there = expanded(engine, state), expanded(engine, one.state(state))
            if node is None or there is None:
                assert node is there
                break
            assert sorted(map(one.move, node.moves)) == sorted(there.moves)
            if node.weights is not None or there.weights is not None:
                assert weighed(node, one) == weighed(there)
            after = dict(zip(there.moves, there.children(), strict=True))
            for move, child in zip(node.moves, node.children(), strict=True):
                assert one.state(child) == after[one.move(move)]
            assert renamed(one, node.payoff) == there.payoff
            if one.keeps_evaluation and game.model.terms:
                assert renamed(one, engine.estimate(state)) == engine.estimate(one.state(state))
            if not node.moves:
                break
            state = node.child(chance.randrange(len(node.moves)))


def weighed(node: Node, one: Symmetry | None = None) -> list[tuple[tuple[int, ...], int]]:
    """The moves of chance, or their images, with the weight of each."""
    assert node.weights is not None
    return sorted(zip(map(one.move, node.moves) if one else node.moves, node.weights, strict=True))


def expanded(engine: Engine, state: State) -> Node | None:
    """None where the rules make a mistake."""
    try:
        return engine.expand(state)
    except RuleMistake:
        return None


def renamed(one: Symmetry, numbers: tuple[int, ...] | None) -> tuple[int, ...] | None:
    """Numbers of the players, each for the image of its player."""
    if numbers is None:
        return None
    return tuple(number for _, number in sorted(zip(one.players, numbers, strict=True)))


# ---------------------------------------------------------------------------------------- known groups

# By hand: how the board can be laid onto itself, times 2 where the players can be exchanged.
KNOWN = [
    ("tictactoe", {}, (16, 16, 8, 16)),
    ("connect_four", {}, (4, 4, 2, 4)),
    ("othello", {"size": 4}, (16, 8, 4, 16)),  # the four discs in the middle are turned by a quarter
    ("breakthrough", {}, (4, 4, 2, 4)),  # left and right; and White goes down
    ("zola", {"size": 4}, (16, 8, 4, 16)),
    ("nine_mens_morris", {}, (32, 32, 16, 32)),  # the inner and the outer square can be exchanged
    ("dots_and_boxes", {}, (16, 16, 8, 16)),
    ("hex", {"size": 5}, (4, 4, 2, 4)),  # turned by a half; and mirrored, where the players are exchanged
    ("havannah", {"size": 4}, (12, 12, 6, 12)),
    ("nim", {}, (48, 2, 1, 48)),  # four heaps in any order; but they begin with different numbers
    ("rock_paper_scissors", {}, (3, 3, 3, 3)),
    ("kalah", {}, (1, 1, 1, 1)),
]


@pytest.mark.parametrize(("name", "options", "counts"), slow_but(KNOWN[:2], KNOWN))
def test_known_groups(name: str, options: dict[str, object], counts: tuple[int, int, int, int]) -> None:
    assert counted(load(name, **options)) == counts


@pytest.mark.parametrize("name", slow_but(["tictactoe"], ["tictactoe", "breakthrough", "dots_and_boxes"]))
def test_images_are_played_alike(name: str) -> None:
    game = load(name)
    walk(game, all_of(game)[:4], 1)


@pytest.mark.parametrize("path", each(RULES, quick=()))
def test_images_of_every_game_are_played_alike(path: object) -> None:
    game = load(path)  # type: ignore[arg-type]
    found = all_of(game)
    for seed in range(3):
        walk(game, found[1:5] + found[-2:], seed, 40)


@pytest.mark.parametrize("path", each(RULES, quick=()))
def test_the_first_position_is_that_of_the_engine(path: object) -> None:
    game = load(path)  # type: ignore[arg-type]
    found = first_position(game.model)
    assert found is None or found == game.engine.start(0)


def test_groups_are_closed() -> None:
    found = all_of(load("othello", size=4))
    keys = {one.key for one in found}
    assert found[0].is_identity
    assert {one.then(other).key for one in found for other in found} == keys


def test_a_group_that_would_be_too_large_stays_smaller_and_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Too many members are refused with the proof that made them, and nothing is proved after it."""
    proofs: list[object] = []
    proved = Proof.of_play
    monkeypatch.setattr(Proof, "of_play", lambda proof: proofs.append(proof) or proved(proof))
    game = load("tictactoe")
    everything, needed = all_of(game), len(proofs)
    for most, limit, count in ((15, "MOST_FOUND", 15), (7, "MOST_BYTES", 7 * game.model.size), (3, "MOST_FOUND", 3)):
        proofs.clear()
        monkeypatch.setattr(f"pysolve.dsl.analysis.symmetries.{limit}", count)
        found = all_of(game)
        keys = {one.key for one in found}
        assert len(found) == len(keys) <= most < len(everything)
        assert {one.then(other).key for one in found for other in found} == keys
        assert len(proofs) <= needed


def test_products_are_made_once_and_their_moves_on_demand(monkeypatch: pytest.MonkeyPatch) -> None:
    """No more products than members and, for each coset and generator, one that may be there already."""
    made: list[Symmetry] = []
    then = Symmetry.then
    monkeypatch.setattr(Symmetry, "then", lambda one, other: made.append(one) or then(one, other))
    game = loads(FAIR.replace("square 4 by 4", "torus 3 by 3"))
    found = all_of(game)
    assert len(found) == 9 * 32
    assert len(made) < 3 * 1.5 * len(found)  # of moves, of evaluations, of setups
    assert sum(one._made_of is not None for one in found) > 250
    last = found[-1]
    acts = [act for kind in last.move_kinds for act in kind.acts if act is not None and len(act) == 10]
    assert len(acts) == 3
    assert len({id(act) for act in acts}) == 1  # one object for all that are places
    assert last._made_of is None


def test_what_becomes_of_a_position_and_a_move() -> None:
    game = load("breakthrough")
    mirror = next(one for one in all_of(game) if one.places[0] == 8 and one.players == (1, 2))
    rotated = next(one for one in all_of(game) if one.places[0] == 64)
    assert mirror.move((0, 9, 17)) == (0, 16, 24)  # a2a3 becomes h2h3
    assert rotated.players == (2, 1)
    start = game.engine.start(0)
    assert mirror.state(start) == start
    assert rotated.state(start) == bytes([2]) + start[1:]


def test_they_are_told_in_words() -> None:
    assert list(told(load("connect_four").model)) == [
        "Connect four: 4 symmetries of moves and results", "", "  everything stays", "  Yellow and Red exchanged",
        "  left and right exchanged", "  left and right exchanged; Yellow and Red exchanged",
    ]  # fmt: skip
    zola = list(told(load("zola", size=4).model))
    assert zola[1] == "  8 of them keep the first position, but for who moves"
    assert "  a quarter turn clockwise (another first position)" in zola
    assert list(told(load("kalah").model)) == ["Kalah: no symmetry of the rules was found."]


# ----------------------------------------------------------------------------- broken in a single place

FAIR = """\
game "Fair"
players White, Black
board square 4 by 4
type man = Left, Right
state
  at(cell): player or none
  kind(cell): man or none
  drawn(player): 0..9
define near(c: cell) = some n in neighbours(c) has at(n) = mover
move put(to: cell, k: man) as "{to}{k}"
  when
    at(to) = none
    not near(to)
  do
    at(to) := mover
    kind(to) := k
    drawn(mover) := min(9, drawn(mover) + 1)
move slide(from, to: cell) as "{from}-{to}"
  when
    at(from) = mover
    to in neighbours(from)
    at(to) = none
  do
    at(from) := none
    at(to) := mover
    kind(to) := kind(from)
    kind(from) := none
stuck mover loses
end
  mover wins when (count c: cell where at(c) = mover) = 5
  mover wins when some c: cell, d in {north, northeast, east, southeast} has every k in 0..2 has at(c + k * d) = mover
evaluate
  men 1 : count c: cell where at(c) = me
"""

# A line and the one in its place; how many of 32 symmetries (8 of the board, players, kinds of men) are left.
BROKEN = [
    ("    at(to) = none\n    not near(to)", "    at(to) = none\n    to != a1\n    not near(to)", (8, 8)),  # one place
    ("    not near(to)", "    not near(to)\n    to != b1", (4, 4)),
    ("neighbours(c) has", "neighbours(c) where n != c + north has", (8, 8)),  # one direction
    ("to in neighbours(from)", "to in neighbours(from)\n    to != from + east", (8, 8)),
    ("to in neighbours(from)", "to in neighbours(from)\n    column(to) + row(to) != 5", (16, 16)),  # the diagonals stay
    ("d in {north, northeast, east, southeast}", "d in {north, northeast, east}", (16, 16)),
    ("kind(to) := k\n    drawn", "kind(to) := Left\n    drawn", (16, 16)),  # a constant
    ("kind(to) := kind(from)", "kind(to) := if mover = White then Left else Right", (16, 16)),
    ("kind(to) := kind(from)", "kind(to) := if mover = White then Left else kind(from)", (8, 8)),
    ("= mover) = 5", "= White) = 5", (16, 16)),  # an ending
    ("when (count c: cell where at(c) = mover) = 5", "when at(a1) = mover", (8, 8)),
    ("stuck mover loses", "stuck White wins", (16, 16)),
    (" wins when (count c: cell where at(c) = mover) = 5", " wins when not possible(put)", (32, 32)),
    (" wins when (count c: cell where at(c) = mover) = 5", " wins when not possible(put) and at(a1) = none", (8, 8)),
    ("drawn(mover) := min(9, drawn(mover) + 1)", "drawn(White) := min(9, drawn(White) + 1)", (16, 16)),
]


@pytest.mark.parametrize(("line", "other", "left"), slow_but(BROKEN[:1], BROKEN))
def test_a_symmetry_that_is_broken_in_one_place_is_refused(line: str, other: str, left: tuple[int, int]) -> None:
    assert FAIR.count(line) == 1
    game = loads(FAIR.replace(line, other))
    found = symmetries(game.model)
    assert len(found) == left[0]
    assert len(all_of(game)) == left[1]


def test_the_rules_that_are_broken_have_all_of_them() -> None:
    game = loads(FAIR)
    assert counted(game) == (32, 32, 16, 32)
    walk(game, all_of(game)[1::7], 1, 8)


# Stones are put into the upper row, and by another kind of moves into the lower one; a number is that of the column.
ROWS = """\
game "Rows"
players White, Black
board square 3 by 3
state
  at(cell): player or none
  fallen: bool
move up(to: cell, x: 1..3) as "u{to}{x}"
  when
    not fallen
    at(to) = none
    row(to) = 3
    column(to) = x
  do
    at(to) := mover
    fallen := true
move down(to: cell, x: 1..3) as "d{to}{x}"
  when
    not fallen
    at(to) = none
    row(to) = 1
    column(to) = x
  do
    at(to) := mover
    fallen := true
chance fall(c: cell, x: 1..3) as "f{c}{x}"
  when
    fallen
    row(c) = 2
    column(c) = x
  do
    fallen := false
    at(c) := none
stuck draw
end
  mover wins when (count c: cell where at(c) = mover) = 3
evaluate
  men 1 : count c: cell where at(c) = me
"""
UP = 'move up(to: cell, x: 1..3) as "u{to}{x}"'
DOWN = 'move down(to: cell, x: 1..3) as "d{to}{x}"'
CHANCE = "    row(c) = 2\n    column(c) = x\n"

# What is written in place of what; symmetries of play and of evaluations that are left: of left and right, top and
# bottom, and players.
SKEW: dict[str, tuple[str, str, tuple[int, int]]] = {
    "nothing": ("", "", (8, 8)),
    "weight": (CHANCE, f"{CHANCE}  weight x\n", (4, 4)),
    "a weight that stays": (CHANCE, f"{CHANCE}  weight x * (4 - x)\n", (8, 8)),
    "a weight of the cell": (CHANCE, f"{CHANCE}  weight if c = b2 then 2 else 1\n", (8, 8)),
    "prefer": ("    fallen := true\nmove", '    fallen := true\n  prefer most x else "not the most"\nmove', (2, 2)),
    "end": ("end\n", "end\n  mover wins when fallen and not possible(up)\n", (4, 4)),
    "end, alike": ("end\n", "end\n  draw when not possible(up)\n  draw when not possible(down)\n", (8, 8)),
    "out": ("Black\n", "Black\n  out when at(b2) = mover and possible(up)\n", (4, 4)),
    "stuck": ("stuck draw", "define area(p: player) = count c: cell where at(c) = p and not possible(up)\n"
              "stuck most area, else draw", (4, 4)),
    "evaluate": ("men 1 :", "up 1 : if possible(up) and mover = me then 1 else 0\n  men 1 :", (8, 4)),
    "evaluate, alike": ("men 1 :", "up 1 : if possible(up) and possible(down) and mover = me then 1 else 0\n  men 1 :",
                        (8, 8)),
}  # fmt: skip


@pytest.mark.parametrize("name", slow_but(["weight", "end"], SKEW))
def test_kinds_of_moves_and_their_numbers_become_each_other(name: str) -> None:
    line, other, left = SKEW[name]
    assert not line or ROWS.count(line) == 1
    game = loads(ROWS.replace(line, other) if line else ROWS)
    found = counted(game)
    assert (found[0], found[3]) == left
    walk(game, all_of(game), 1, 6)


# What others see of one kind of moves and of the other, and the symmetries.
SEEN = [("to", "x", 4), ("to", "to", 8), ("x", "x", 8)]


@pytest.mark.parametrize(("one", "other", "count"), slow_but(SEEN[:1], SEEN))
def test_others_see_the_same_parameters_of_a_move(one: str, other: str, count: int) -> None:
    """Kinds of moves become each other by the places of their parameters, whatever these are called."""
    down = 'move down(x: cell, to: 1..3) as "d{to}{x}"'
    text = ROWS.replace(UP, f'{UP} seen as "{{{one}}}"')
    names = {"to": "x", "x": "to"}
    head, _, rest = text.partition(DOWN)
    body, _, behind = rest.partition("chance")
    swapped = body.replace("x", "?").replace("to", "x").replace("?", "to")
    game = loads(f'{head}{down} seen as "{{{names[other]}}}"{swapped}chance{behind}')
    assert len(all_of(game)) == count


def test_a_stone_of_the_setup_breaks_what_moves_it() -> None:
    game = loads(FAIR.replace("define near", "setup at(a2) := White\ndefine near"))
    assert counted(game) == (32, 2, 2, 32)
    assert len(symmetries(game.model)) == 2  # what exchanges kinds of men


def test_a_line_of_evaluate_breaks_what_it_does_not_keep() -> None:
    game = loads(FAIR + "  corner 1 : count c: cell where c = a1 and at(c) = me\n")
    assert counted(game) == (32, 32, 16, 8)
    game = loads(FAIR + "  left 1 : count c: cell where kind(c) = Left and at(c) = me\n")
    assert counted(game) == (32, 32, 16, 16)


def test_lots_of_the_setup() -> None:
    game = loads(FAIR.replace("define near", "setup\n  pick c: cell\n  at(c) := White\ndefine near"))
    assert counted(game) == (32, 16, 16, 32)
    starts_alike(game)


# A variable, what a move writes there, the stone of the setup: how many symmetries keep the setup, of 32.
LOTS = [
    ("last: man or none", "last := kind(to)", "White", 16),
    ("last: man", "last := Left", "White", 8),  # it begins as the first of them, and a move breaks the rest
    ("last: man", "if kind(to) != none\n      last := kind(to)", "White", 8),
    ("last: cell", "last := to", "White", 4),  # it begins at a1
    ("last: cell or none", "last := to", "White", 16),
    ("last: cell or none", "last := to", "mover", 16),  # who is White in any case
]


def starts_alike(game: Game) -> None:
    """Of many seeds, the first positions are all that there are; so are their images."""
    starts = [game.engine.start(seed) for seed in range(300)]
    for one in all_of(game):
        same = {one.state(start)[1:] for start in starts} == {start[1:] for start in starts}
        assert same or not one.keeps_setup


@pytest.mark.parametrize(("variable", "written", "stone", "left"), slow_but(LOTS[3:4], LOTS))
def test_where_lots_are_drawn_first_values_stay(variable: str, written: str, stone: str, left: int) -> None:
    text = FAIR.replace("define near", f"  {variable}\nsetup\n  pick c: cell\n  at(c) := {stone}\ndefine near")
    game = loads(text.replace("    kind(from) := none\n", f"    kind(from) := none\n    {written}\n"))
    assert sum(one.keeps_setup for one in all_of(game)) == left
    starts_alike(game)


def test_the_first_that_is_found_depends_on_the_order_of_places() -> None:
    found = "define leader = first c: cell where at(c) = mover\ndefine near(c: cell) = c in neighbours(leader)"
    line = next(line for line in FAIR.splitlines() if line.startswith("define near"))
    assert counted(loads(FAIR.replace(line, found)))[0] == 4  # players and kinds of men alone


def test_the_order_of_endings_counts() -> None:
    stands = "at(a1) = White and at(b2) = Black"
    text = FAIR[: FAIR.index("end\n")] + f"end\n  White wins when {stands}\n  Black wins when {stands}\n"
    assert not any(one.players == (2, 1) for one in all_of(loads(text)))


@pytest.mark.slow
def test_several_players_move_on_by_turn() -> None:
    text = FAIR.replace("players White, Black", "players White, Black, Red").replace("mover loses", "draw")
    assert counted(loads(text))[0] == 8 * 3 * 2


@pytest.mark.slow
def test_a_torus_can_be_moved_along() -> None:
    text = FAIR.replace("square 4 by 4", "torus 3 by 3")
    game = loads(text)
    assert counted(game)[0] == 9 * 32
    walk(game, all_of(game)[5:288:97], 1, 6)


# ------------------------------------------------------------------------------------------ the bound


def many_proofs(size: int, demands: int) -> str:
    """Rules on a torus, where each of its symmetries is tried, and demands that are renamed row by row."""
    one = "not (some x: cell has at(x) = mover and b(x) and some y in neighbours(x) has at(y) = opponent and y != {})"
    cells = ["abcdefgh"[i % size % 8] + str(1 + i // size) for i in range(demands)]
    rows = "".join(f"    {one.format(cell)}\n" for cell in cells)
    return (
        f'game "Many"\nplayers White, Black\nboard torus {size} by {size}\n'
        "state\n  at(cell): player or none\n  b(cell): bool\n"
        f'move m(c: cell) as "{{c}}"\n  when\n    at(c) = none\n{rows}  do at(c) := mover\nstuck draw\n'
    )


def renamed_rows(size: int, demands: int, monkeypatch: pytest.MonkeyPatch) -> tuple[int, list[Symmetry]]:
    """How many rows are renamed, until the search for symmetries ends, and what it finds."""
    rows: list[int] = []
    rename = renaming._all_renamed
    monkeypatch.setattr(renaming, "_all_renamed", lambda of, *acts: rows.append(len(of)) or rename(of, *acts))
    found = symmetries(dsl.read_rules(many_proofs(size, demands)), setup=False, evaluation=False)
    return sum(rows), found


@pytest.mark.parametrize(("size", "demands", "most"), slow_but([(6, 3, 20_000)], [
    (6, 3, 20_000), (6, 6, 20_000), (24, 6, renaming.MOST_WORK)], late=[(24, 6, renaming.MOST_WORK)]))  # fmt: skip
def test_all_proofs_of_a_game_have_a_bound(size: int, demands: int, most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(renaming, "MOST_WORK", most)
    rows, found = renamed_rows(size, demands, monkeypatch)
    assert most / 10 < rows <= most
    assert {one.then(other).key for one in found for other in found} == {one.key for one in found}


@pytest.mark.slow
def test_where_the_bound_is_met_nothing_more_is_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(renaming, "MOST_WORK", 0)
    proofs: list[object] = []
    monkeypatch.setattr(Proof, "of_play", lambda proof, prove=Proof.of_play: proofs.append(proof) or prove(proof))
    assert [one.is_identity for one in all_of(load("tictactoe"))] == [True]
    assert len(proofs) == 1


# ---------------------------------------------------------------------------------------- random rules


def random_games(seeds: range) -> int:
    """Walks along the images of random rules; the number of symmetries that were tried."""
    count = 0
    for seed in seeds:
        text = random_rules(Random(f"symmetries {seed}"), seats=1 + seed % 3 if seed % 2 else None)
        try:
            game = loads(text, engine="prolog")
            game.engine.start(seed)
        except (RulesError, RuleMistake):
            continue
        found = all_of(game)[1:4]
        walk(game, found, seed, 6)
        count += len(found)
    return count


def test_symmetries_of_random_rules_are_right() -> None:
    assert random_games(range(3)) > 0


@pytest.mark.parametrize("first", slow_but((), [3, 63, 123], late=[3, 63, 123]))
def test_symmetries_of_more_random_rules_are_right(first: int) -> None:
    assert random_games(range(first, first + 60)) > 2
