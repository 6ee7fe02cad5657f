"""Learned values: the same bits from C and Python, what their patterns are, and files of them."""

import base64
import json
import random
import zlib
from array import array
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import pysolve
from pysolve.dsl.analysis.patterns import Patterns, Symmetry, byte_by_byte, inputs, patterns, play_digest, tempo
from pysolve.dsl.analysis.symmetries import symmetries
from pysolve.dsl.language.constants import MOST_PLACES, MOST_VALUE, WIN
from pysolve.dsl.player_texts import UnknownPlayer
from pysolve.engines.build import compilers
from pysolve.engines.native import NativeEngine
from pysolve.engines.protocol import State
from pysolve.game import Game
from pysolve.lab.lessons import explained
from pysolve.players import player
from pysolve.players.files import named_file
from pysolve.players.functions import specification
from pysolve.players.own_rules import OwnRules, by_own_rules
from pysolve.players.values import LARGEST, ValuesError, ValuesFile, file_at, read, write
from pysolve.runtime.paths import RULES
from pysolve.search.batch import estimate_many
from pysolve.search.learned import HIGHEST, Net, Values, ValuingEngine
from pysolve.search.minimax import minimax
from tests.games import slow_but

# A game with two things on a cell, one beside the board, and a move that keeps the turn.
TOWN = """\
game "Town"
players Ann, Bob
board square 3 by 3
state
  owner(cell): player or none
  tall(cell): 0..2
  saved(player): 0..3
setup
  for p: player: saved(p) := 1
move build(c: cell) as "{c}"
  when owner(c) = none
  do
    owner(c) := mover
    tall(c) := 1
move raise(c: cell) as "{c}+"
  when
    owner(c) = mover
    tall(c) = 1
    saved(mover) > 0
  do
    tall(c) := 2
    saved(mover) := saved(mover) - 1
    again
stuck draw
end most raised when every c: cell has owner(c) != none
define raised(p: player) = count c: cell where owner(c) = p and tall(c) = 2
evaluate
  high 3 : raised(me)
  many 1 : count c: cell where owner(c) = me
"""


def random_values(game: Game, seed: int, size: int = 3000) -> Values:
    """Values with weights drawn by lot."""
    rng, model = random.Random(seed), game.model
    found = patterns(model)
    weights = array("h", [rng.randint(-size, size) for _ in range(found.entries * found.stage_count)])
    lines = [tuple(rng.randint(-90_000, 90_000) for _ in model.terms) for _ in range(found.stage_count)]
    return Values(found, weights, tuple(lines) if model.terms else ())


def with_net(game: Game, seed: int, units: int = 16) -> Values:
    """Values of lines and a net, whose numbers are drawn by lot, as large as 16 bits allow."""
    rng, model = random.Random(seed), game.model
    found = inputs(model, byte_by_byte(symmetries(model, setup=False, evaluation=False)))
    most = HIGHEST // max(map(len, found.groups))
    rows = array("h", [rng.randint(-most, most) for _ in range(units * found.entries)])
    outputs = array("h", [rng.randint(-9000, 9000) for _ in range(units * found.stage_count)])
    lines = random_values(game, seed).lines
    alone = tempo(patterns(model))
    weights = array("h", range(7, 7 + alone.stage_count))
    return Values(alone, weights, lines, Net(found, units, 3000, rows, outputs))


def states(game: Game, count: int, seed: int = 1) -> list[State]:
    """Positions of random games."""
    rng, found = random.Random(seed), list[State]()
    while len(found) < count:
        state = game.engine.start(len(found))
        while (node := game.engine.expand(state)).payoff is None and len(found) < count:
            found.append(state)
            state = node.child(rng.randrange(len(node)))
    return found


def plainly(values: Values, state: bytes, said: list[int]) -> int:
    """The value once more, written down from the description of a file."""

    def place(p: Patterns, base: int, seen: Any) -> int:
        at = 0
        for byte, code in seen:
            at = at * (1 + max(p.codes[code])) + p.codes[code][state[byte]]
        return base + at

    p, net = values.patterns, values.net
    filled = sum(1 for start, stop in p.filled for byte in state[start:stop] if byte)
    stage, total = p.stages[filled], 0
    for base, seen in p.groups[state[0] - 1]:
        total += values.weights[stage * p.entries + place(p, base, seen)]
    if net:
        sums = [0] * net.units
        for base, seen in net.inputs.groups[state[0] - 1]:
            row = place(net.inputs, base, seen)
            sums = [one + net.rows[row * net.units + unit] for unit, one in enumerate(sums)]
        says = [min(max(one, 0), net.ceiling) for one in sums]
        total += sum(one * net.outputs[stage * net.units + unit] for unit, one in enumerate(says)) // 2048
    total = total if state[0] == 1 else -total
    lines = values.lines[stage] if values.lines else ()
    total += sum(weight * what for weight, what in zip(lines, said, strict=True)) // 65536
    return max(-500_000, min(500_000, total))


def game_of(name: str, engine: str = "auto", **options: Any) -> Game:
    return pysolve.load(TOWN if name == "town" else name, engine=engine, **options)


@pytest.mark.parametrize(
    "name",
    [
        "zola",
        "town",
        *(pytest.param(one, marks=pytest.mark.slow) for one in ("othello", "chess", "hex", "dots_and_boxes")),
    ],
)
def test_c_and_python_have_the_same_values(name: str) -> None:
    native, prolog = game_of(name, "native"), game_of(name, "prolog")
    some = states(prolog, 60)
    alone = [by_own_rules(prolog, 1, OwnRules(terms=(term.name,))).engine for term in native.model.terms]
    weights = [term.weight for term in native.model.terms]
    said = [
        [engine.estimate(state)[0] // weight for engine, weight in zip(alone, weights, strict=True)] for state in some
    ]
    for values in (random_values(native, 1), with_net(native, 1)):
        for engine in (native.engine, prolog.engine):
            assert isinstance(engine, ValuingEngine)
            engine.think_by(values)
        found = estimate_many(native.engine, some)
        assert len({one[0] for one in found}) > 30
        for state, says, (value, other) in zip(some, said, found, strict=True):
            assert value == -other == plainly(values, state, says)
            assert (value, other) == native.engine.estimate(state) == prolog.engine.estimate(state)


@pytest.mark.slow
@pytest.mark.parametrize("compiler", [one.name for one in compilers()])
def test_a_net_says_the_same_by_every_compiler(compiler: str) -> None:
    """Those that optimize add eight units at once; tcc one by one."""
    game = pysolve.load("zola", size=4)
    engine = NativeEngine(game.model, compiler, proof=False)
    some = states(game, 100)
    for units in (8, 24):
        values = replace(with_net(game, units, units), lines=())
        engine.think_by(values)
        said = [engine.estimate(state)[0] for state in some]
        assert len(set(said)) > 30
        assert said == [values.value(state) for state in some]


@pytest.mark.slow
@pytest.mark.parametrize("drawn", [random_values, with_net])
def test_what_lines_say_is_a_part_of_what_values_say(drawn: Callable[[Game, int], Values]) -> None:
    game = game_of("town")
    parts = explained(game, drawn(game, 1)).lines
    assert set(parts) == {"high", "many"}
    assert 0 < sum(parts.values()) < 0.05


@pytest.mark.parametrize("drawn", [random_values, with_net])
def test_searches_go_by_learned_values_on_every_engine(drawn: Callable[[Game, int], Values]) -> None:
    native, prolog = game_of("town", "native"), game_of("town", "prolog")
    before = minimax(native.engine, native.engine.start(0), depth=3)
    values = drawn(native, 2)
    for game in (native, prolog):
        game.engine.think_by(values)  # type: ignore[attr-defined]
    state = native.engine.start(0)
    found = minimax(native.engine, state, depth=3)
    assert found.value != before.value
    assert (found.value, found.line, found.nodes) == (
        (other := minimax(prolog.engine, state, depth=3)).value, other.line, other.nodes
    )  # fmt: skip


def test_values_stay_below_a_win() -> None:
    game = game_of("town", "native")
    values = random_values(game, 3)
    huge = Values(values.patterns, array("h", [32767] * len(values.weights)), ((1 << 30, 1 << 30),) * 3)
    game.engine.think_by(huge)  # type: ignore[attr-defined]
    for state in states(game_of("town"), 20):
        assert abs(game.engine.estimate(state)[0]) <= MOST_VALUE < WIN


# ------------------------------------------------------------------------------------------ patterns


def test_patterns_of_a_small_board_are_counted_by_hand() -> None:
    found = patterns(game_of("town").model)
    first, second = found.groups
    sizes = [len(group.seen) for group in first]
    # tempo; two savings; 9 cells of two bytes, 20 pairs of neighbours, 8 lines of three; by owner 4 blocks, and 4 pairs
    # of blocks
    assert sizes.count(0) == 1
    assert sizes.count(1) == 2
    assert sizes.count(2) == 9
    assert sizes.count(4) == 20 + 4
    assert sizes.count(6) == 8 + 4
    assert [len(group.seen) for group in second] == sizes
    assert found.entries == 2 * (1 + 2 * 4 + 9 * 9 + 20 * 81 + 8 * 729 + 4 * 81 + 4 * 729)


def test_lines_around_boxes_are_looked_at_together() -> None:
    model = pysolve.load("dots_and_boxes", width=2, height=2).model
    lines = model.slots["line"]
    (ranges,) = patterns(model).filled
    assert ranges == (lines.offset, lines.offset + 12)
    sides = [{byte - lines.offset + 1 for byte, _ in group.seen} for group in patterns(model).groups[0]]
    boxes = [{edge for cell, edge in model.tables["board_cell_edges"].rows if cell == box} for box in range(1, 5)]
    assert all(box in sides for box in boxes)
    assert sum(len(one) == 7 for one in sides) == 4  # two boxes that share a line


def test_a_net_looks_at_each_cell_alone_and_the_same_for_both_players() -> None:
    model = game_of("town").model
    found = inputs(model)
    assert [len(group.seen) for group in found.groups[0]] == [0, 1, 1, *[2] * 9]
    assert found.entries == 2 * (1 + 2 * 4 + 9 * 9)
    swapped = inputs(
        (zola := pysolve.load("zola", size=4)).model,
        byte_by_byte(symmetries(zola.model, setup=False, evaluation=False)),
    )
    assert swapped.entries == 1 + 16 * 3
    values = with_net(zola, 1)
    for state in states(zola, 20):
        change = {0: 0, 1: 2, 2: 1}
        other = bytes([3 - state[0], *(change[one] for one in state[1:])])
        assert values.net
        assert values.net.value(state, 0) == values.net.value(other, 0)


def test_symmetries_share_weights_and_positions_that_they_map_to_each_other_are_worth_the_same() -> None:
    game = pysolve.load("zola", size=4)
    model, side = game.model, 4
    mirrored = [1 + cell // side * side + side - 1 - cell % side for cell in range(side * side)]
    swapped = {byte: (0, 2, 1) for byte in range(1, 17)}
    mirror, turned, both = (
        Symmetry((0, *mirrored), {}, False),
        Symmetry(tuple(range(17)), swapped, True),
        Symmetry((0, *mirrored), swapped, True),
    )
    plain, shared = patterns(model), patterns(model, (mirror, turned, both))
    for mover in (0, 1):
        looked_at = [
            {frozenset(byte for byte, _ in one.seen) for one in each.groups[mover]} for each in (plain, shared)
        ]
        assert looked_at[0] == looked_at[1]
    assert shared.entries * 3 < plain.entries
    rng = random.Random(1)
    values = Values(shared, array("h", [rng.randint(-999, 999) for _ in range(shared.entries * 3)]))
    for state in states(game, 40):
        change = {0: 0, 1: 2, 2: 1}
        image, other = bytearray(state), bytearray(state)
        for byte in range(1, 17):
            image[mirrored[byte - 1]] = state[byte]
            other[byte] = change[state[byte]]
        other[0] = 3 - state[0]
        assert values.value(state) == values.value(bytes(image)) == -values.value(bytes(other))


@pytest.mark.parametrize(
    ("name", "share"), slow_but([("zola", 10)], [("zola", 10), ("tictactoe", 5), ("breakthrough", 3)])
)
def test_symmetries_of_the_rules_share_the_weights(name: str, share: int) -> None:
    model = pysolve.load(name).model
    shared = patterns(model, byte_by_byte(symmetries(model, setup=False, evaluation=False)))
    assert share * shared.entries < patterns(model).entries


def test_large_boards_have_fewer_kinds_of_patterns() -> None:
    model = pysolve.load("go", size=19).model
    found = patterns(model, byte_by_byte(symmetries(model, setup=False, evaluation=False)))
    assert 2500 < len(found.groups[0]) <= MOST_PLACES


def test_the_digest_knows_moves_and_not_their_words() -> None:
    def digest(text: str) -> str:
        return play_digest(pysolve.load(text).model)

    assert digest(TOWN) == digest(
        TOWN.replace('game "Town"', 'game "City"\n  about "Words."') + 'level quick "greedy"\n'
    )
    assert digest(TOWN) == digest(TOWN.replace("high 3", "high 4"))
    for changed in (TOWN.replace("saved(p) := 1", "saved(p) := 2"), TOWN.replace("tall(c) := 1", "tall(c) := 0"),
                    TOWN.replace("owner(c) = me", "owner(c) = you")):  # fmt: skip
        assert digest(changed) != digest(TOWN)


# --------------------------------------------------------------------------------------------- files


def file_of(game: Game, values: Values) -> ValuesFile:
    names = tuple(term.name for term in game.model.terms)
    return ValuesFile("town", game.options, play_digest(game.model), values, names, {"games": 1}, {"won": True})


def test_a_file_holds_the_same_values(tmp_path: Path) -> None:
    game = game_of("town")
    file = file_of(game, random_values(game, 4))
    assert read(write(file)) == file
    assert read(write(file)).values.weights == file.values.weights
    file = file_of(game, with_net(game, 4))
    assert read(write(file)) == file
    assert read(write(file)).values.net == file.values.net
    told = json.loads(write(file_of(game, random_values(game, 4))))
    del told["net"]  # as files were before there were nets
    assert read(json.dumps(told)).values.net is None


def test_players_think_by_a_file_and_refuse_one_for_other_rules(tmp_path: Path) -> None:
    game, path = game_of("town"), tmp_path / "town.values"
    values = random_values(game, 5)
    path.write_text(write(file_of(game, values)))
    game.engine.expand(game.engine.start(0))
    judged = game_of("town")
    judged.engine.think_by(values)  # type: ignore[attr-defined]
    best = minimax(judged.engine, judged.engine.start(0), depth=2).best
    assert player(f"minimax:depth=2,values={path}")(game.start()).numbers == best
    for text in (f"greedy:values={path}", f"mcts:playouts=20,values={path}"):
        assert player(text, seed=1)(game.start()) in game.start().legal_moves
    assert game.engine.estimate(game.engine.start(0)) == (0, 0)  # the game itself is judged as before
    other = pysolve.load("zola", size=4)
    with pytest.raises(UnknownPlayer, match=r"for other rules than those of Zola: for town; learn them again"):
        specification(f"greedy:values={path}").check(other)
    with pytest.raises(UnknownPlayer, match="No such file"):
        specification(f"greedy:values={path}s").check(other)


@pytest.mark.parametrize("path", slow_but((), sorted(RULES.glob("*.values"))), ids=lambda path: path.stem)
def test_shipped_values_fit_their_rules_and_have_won(path: Path) -> None:
    game, file = pysolve.load(path.stem), file_at(path)
    assert path.stat().st_size <= 1 << 20
    file.check(game)
    assert file.gate["won"] is True
    made = file.made
    while "from" in made:
        assert made["command"].startswith(f"pysolve refine {path.stem} --")
        made = made["from"]
    searched = f" --search {made['search']}" if "search" in made else ""
    assert made["command"].startswith(f"pysolve learn {path.stem}{searched} --games {made['games']} -o {path.name}")
    assert f"values={path.name}" in game.levels["expert"].split(",")
    assert game.levels["expert"].partition(":")[0] == game.levels["hard"].partition(":")[0]


@pytest.mark.slow
def test_values_beside_the_rules_make_the_level_expert_for_the_options_that_they_fit(tmp_path: Path) -> None:
    rules = tmp_path / "town.rules"
    rules.write_text(TOWN.replace("board square 3 by 3", "option height = 3 in {3, 4}\nboard square 3 by height"))
    assert "values" not in pysolve.load(str(rules)).levels["expert"]
    game = pysolve.load(str(rules))
    file = file_of(game, random_values(game, 7))
    (tmp_path / "town.values").write_text(write(file))
    game = pysolve.load(str(rules))
    assert tuple(game.levels) == ("easy", "medium", "hard", "expert")
    assert game.levels["expert"].endswith("ties=random,values=town.values")
    assert player("expert", seed=1, levels=game.levels)(game.start()) in game.start().legal_moves
    assert "values" not in pysolve.load(str(rules), height=4).levels["expert"]
    (tmp_path / "town.values").write_text(write(file_of(game, with_net(game, 7))))
    game = pysolve.load(str(rules))
    assert game.levels["expert"].startswith("minimax:search=strong,nodes=")
    assert game.levels["expert"].endswith(",values=town.values")
    assert player("expert", seed=1, levels=game.levels)(game.start()) in game.start().legal_moves


def test_a_file_of_the_same_name_in_the_current_folder_does_not_become_the_level(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    beside, here = tmp_path / "beside", tmp_path / "here"
    for folder in (beside, here):
        folder.mkdir()
    (beside / "town.rules").write_text(TOWN)
    game = pysolve.load(str(beside / "town.rules"))
    (beside / "town.values").write_text(write(file_of(game, random_values(game, 7))))
    (here / "town.values").write_text(write(file_of(game, random_values(game, 8))))
    monkeypatch.chdir(here)
    game = pysolve.load(str(beside / "town.rules"))
    assert game.levels["expert"].endswith(f"values={beside / 'town.values'}")
    assert named_file("town.values", game) == Path("town.values")
    monkeypatch.chdir(beside)
    assert pysolve.load(str(beside / "town.rules")).levels["expert"].endswith("values=town.values")


@pytest.mark.parametrize("name", slow_but(["pig"], ["kuhn_poker", "pig", "peg_solitaire"]))
def test_values_are_for_two_players_without_chance_and_secrets(name: str) -> None:
    with pytest.raises(UnknownPlayer, match="are learned for games"):
        specification("greedy:values=x.values").check(pysolve.load(name))


def test_values_replace_lines_and_cannot_stand_with_them() -> None:
    for key in ("terms=high", "onesided=high", "stuck=loses"):
        with pytest.raises(UnknownPlayer, match="stand in the place of the evaluate block"):
            specification(f"minimax:values=x,{key}")


def damaged(text: str) -> list[Any]:
    """What is wrong in one place of a good file."""
    good = json.loads(text)

    def changed(*path: Any, to: Any) -> dict[str, Any]:
        made = json.loads(text)
        at = made
        for key in path[:-1]:
            at = at[key]
        at[path[-1]] = to
        return made  # type: ignore[no-any-return]

    count = good["patterns"]["entries"] * 3
    bomb = base64.b64encode(zlib.compress(bytes(50_000_000))).decode()
    short = base64.b64encode(zlib.compress(bytes(2 * count - 2))).decode()
    return [
        [], 7, {}, {"values": 2}, {"values": 1}, changed("patterns", "size", to=-1),
        changed("patterns", "size", to=True),
        changed("patterns", "entries", to=1 << 40), changed("patterns", "entries", to=1),
        changed("patterns", "codes", 0, to=[]), changed("patterns", "codes", 0, to=[1 << 40]),
        changed("patterns", "groups", 0, 0, 0, to=1 << 30), changed("patterns", "groups", 0, 0, 0, to=-1),
        changed("patterns", "groups", 0, 1, 1, 0, 0, to=4000), changed("patterns", "groups", 0, 1, 1, 0, 1, to=99),
        changed("patterns", "groups", 0, 1, 1, to=[[1, 0]] * 5), changed("patterns", "groups", to=[[]]),
        changed("patterns", "stages", to=[0]), changed("patterns", "stages", 0, to=1 << 20),
        changed("patterns", "filled", to=[[1, 1 << 30]]), changed("weights", to=bomb), changed("weights", to=short),
        changed("weights", to="?"), changed("weights", to="A" * 8), changed("lines", to=[[1]]),
        changed("lines", 0, 0, to=1.5), changed("names", to=[1, 2]), changed("made", to=[]), changed("rules", to=None),
    ]  # fmt: skip


def test_damaged_files_are_refused() -> None:
    game = game_of("town")
    text = write(file_of(game, random_values(game, 6)))
    for wrong in damaged(text):
        with pytest.raises(ValuesError):
            read(json.dumps(wrong))
    for at in range(0, len(text) - 2, 997):
        with pytest.raises(ValuesError):
            read(text[:at])


def test_a_net_in_another_search_than_the_strong_one_is_warned_of(tmp_path: Path) -> None:
    game, path = game_of("town", "native"), tmp_path / "town.values"
    path.write_text(write(file_of(game, with_net(game, 5))))
    specification(f"minimax:search=strong,values={path}").check(game)
    for who in ("minimax", "greedy", "mcts"):
        with pytest.warns(RuntimeWarning, match=r"town.values is a net, .* minimax:search=strong,values="):
            specification(f"{who}:values={path}").check(game)


def test_damaged_nets_are_refused() -> None:
    game = game_of("town")
    file = file_of(game, with_net(game, 6))
    net = file.values.net
    assert net

    def packed(*numbers: int) -> str:
        return base64.b64encode(zlib.compress(array("h", numbers).tobytes())).decode()

    entries, units = net.inputs.entries, net.units
    for path, wrong in (
        (("units",), 12), (("units",), 0), (("units",), 1 << 20), (("units",), 24), (("ceiling",), 0),
        (("ceiling",), 1 << 16), (("rows",), packed(*[0] * (units * entries - 1))), (("rows",), "?"),
        (("rows",), packed(*[5000] * (units * entries))),  # their sums have more than 16 bits
        (("outputs",), packed(*[0] * (3 * units + 1))),
        (("outputs",), packed(*[0] * units, *[-32768] * units, *[0] * units)),  # more than 32 bits
        (("inputs", "groups"), [[]]), (("inputs", "groups", 0, 1, 1, 0, 0), 4000), (("inputs", "entries"), 1 << 40),
        (("inputs",), None),
    ):  # fmt: skip
        told = json.loads(write(file))
        told["net"]["ceiling"] = 5000
        read(json.dumps(told))
        at = told["net"]
        for key in path[:-1]:
            at = at[key]
        at[path[-1]] = wrong
        with pytest.raises(ValuesError, match="damaged"):
            read(json.dumps(told))
    told = json.loads(write(file))
    # Else C would look for outputs that are not there.
    told["net"]["inputs"].update(stages=[0] * 10, filled=[[1, 2]], size=7)
    again = read(json.dumps(told)).values.net
    assert again
    assert again == net
    narrow = replace(net, inputs=replace(net.inputs, codes=((0,),) * len(net.inputs.codes)))
    with pytest.raises(ValuesError, match="its patterns are not those of Town"):
        replace(file, values=replace(file.values, net=narrow)).check(game)


def test_a_file_of_another_format_and_one_that_is_too_large_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ValuesError, match="this pysolve reads learned values of format 1"):
        read('{"values": 2}')
    (tmp_path / "large.values").write_bytes(bytes(LARGEST + 1))
    with pytest.raises(ValuesError, match="a file of learned values has at most 8,388,608 bytes"):
        file_at(tmp_path / "large.values")


def test_a_small_file_that_takes_much_memory_or_time_is_refused() -> None:
    game = game_of("town")
    text = write(file_of(game, random_values(game, 6)))
    wide = tuple(range(16))
    for groups, codes in (
        ([[0, [[1, 0], [2, 0], [3, 0]]]], (tuple(range(180)),)),  # of 5.8 million weights each
        ([[0, [[1, 0], [2, 0], [3, 0]]], *([[0, [[1, 0]]]] * 5000)], (wide,)),  # 20 million sums
        ([[0, [[1, 0]]]] * 9000, (wide,)),
    ):
        told = json.loads(text)
        told["patterns"].update(codes=codes, groups=[groups, groups], entries=1 << 16)
        told["weights"] = base64.b64encode(zlib.compress(bytes(6 << 16))).decode()
        with pytest.raises(ValuesError, match="damaged"):
            read(json.dumps(told))


def test_a_value_outside_of_its_code_is_refused_before_c_reads_it(tmp_path: Path) -> None:
    game, path = game_of("town"), tmp_path / "town.values"
    found = patterns(game.model)
    narrow = Patterns(found.size, ((0,),) * len(found.codes), found.groups, found.entries, found.filled, found.stages)
    path.write_text(write(file_of(game, Values(narrow, array("h", bytes(6 * found.entries))))))
    with pytest.raises(UnknownPlayer, match="its patterns are not those of"):
        specification(f"greedy:values={path}").check(game)
