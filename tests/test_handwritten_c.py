"""The hand-written C programs of the benchmarks answer what the engine answers, and what is known of the games."""

import random
from collections.abc import Iterator

import pytest

from benchmarks.peers import Blockade, Kind, Zola
from pysolve.engines.build import compilers
from pysolve.engines.protocol import State
from pysolve.game import Game
from pysolve.search.minimax import minimax
from pysolve.search.playouts import playouts
from pysolve.search.turns import count_turns, turn_positions
from tests.games import load

pytestmark = [pytest.mark.slow, pytest.mark.skipif(not compilers("cc"), reason="there is no C compiler here")]

BOARDS: list[tuple[Kind, int]] = [("tables", 4), ("tables", 6), ("sets", 6), ("shifts", 6), ("tables", 8)]
ZOLA = {4: [1, 16, 256, 3836, 54996], 6: [1, 36, 1296, 46472, 1659272], 8: [1, 64, 4096, 263544]}

# Ordered turns and distinct positions after them: from the line-up, and where pieces meet.
TURNS = [
    ("blockade", {}, 79684, 2079),
    ("blockade", {"first": "Offence"}, 2021385, 15300),
    ("blockade", {"first": "Offence", "blockers": 3, "tacklers": 3}, 68920, 2753),
    ("blockade", {"first": "Offence", "blockers": 5}, 83840658, 85301),
]
CONTACT = [
    ("e6", "d5 e5 f5 d6", "c4 d4 e4 g4", 1441664, 18831),
    ("f5", "e4 g4 f6 e6", "d3 f3 g3 h5", 2419660, 26996),
]


def met(game: Game, count: int, longest: int) -> Iterator[State]:
    """Positions that games by lot come to, finished ones among them."""
    chance = random.Random(3)
    for _ in range(count):
        state = game.engine.start()
        for _ in range(chance.randrange(longest)):
            node = game.engine.expand(state)
            if not len(node):
                break
            state = node.child(chance.randrange(len(node)))
        yield state


@pytest.mark.parametrize(("kind", "size"), BOARDS)
def test_zola_counts_what_is_known(kind: Kind, size: int) -> None:
    game = load("zola", size=size)
    zola, start = Zola(game.model, kind), game.engine.start()
    assert [zola.perft(start, depth) for depth in range(len(ZOLA[size]))] == ZOLA[size]


@pytest.mark.parametrize(("kind", "size"), BOARDS)
def test_zola_counts_what_the_engine_counts(kind: Kind, size: int) -> None:
    game = load("zola", size=size)
    zola = Zola(game.model, kind)
    for state in met(game, 60, {4: 25, 6: 70, 8: 130}[size]):
        node = game.engine.expand(state)
        assert zola.perft(state, 1) == len(node)
        assert zola.perft(state, 2) == sum(len(game.engine.expand(child)) for child in node.children())


@pytest.mark.parametrize(("kind", "size"), BOARDS)
def test_zola_plays_the_games_of_the_engine(kind: Kind, size: int) -> None:
    for name in ("zola", "zola-blue-begins"):
        game = load(name, size=size)
        start = game.engine.start()
        for longest in (30, 10_000):
            expected = playouts(game.engine, start, 40, 7, longest)
            assert Zola(game.model, kind).playouts(start, 40, 7, longest) == expected


@pytest.mark.parametrize(("kind", "size"), BOARDS)
def test_zola_finds_the_values_of_the_search(kind: Kind, size: int) -> None:
    game = load("zola", size=size)
    zola = Zola(game.model, kind)
    for state in met(game, 12, {4: 20, 6: 55, 8: 100}[size]):
        if len(game.engine.expand(state)):
            expected = minimax(game.engine, state, 3)
            found = zola.search(state, 3)
            assert (found.value, found.depth) == (expected.value, expected.depth)


@pytest.mark.parametrize("kind", Zola.KINDS)
def test_a_search_ends_at_its_limit(kind: Kind) -> None:
    game = load("zola")
    zola, start = Zola(game.model, kind), game.engine.start()
    found = zola.search(start, nodes=1000)
    assert found.nodes == 1000
    assert found[:2] == zola.search(start, found.depth)[:2]


@pytest.mark.parametrize("kind", ["sets", "shifts"])
def test_there_is_no_zola_by_sets_but_on_36_squares(kind: Kind) -> None:
    with pytest.raises(ValueError, match="8x8"):
        Zola(load("zola", size=8).model, kind)


@pytest.mark.parametrize("kind", Blockade.KINDS)
def test_blockade_counts_what_is_known(kind: Kind) -> None:
    game = load("blockade")
    blockade, start = Blockade(game.model, kind), game.engine.start()
    assert [blockade.perft(start, depth) for depth in range(6)] == [1, 30, 680, 10352, 79684, 2629572]
    game = load("blockade-8v8")
    assert Blockade(game.model, kind).perft(game.engine.start(), 3) == 128576


@pytest.mark.parametrize("kind", Blockade.KINDS)
@pytest.mark.parametrize(("name", "options", "ways", "positions"), TURNS)
def test_blockade_finds_the_known_turns(
    kind: Kind, name: str, options: dict[str, int], ways: int, positions: int
) -> None:
    game = load(name, **options)
    assert Blockade(game.model, kind).turn(game.engine.start())[:2] == (positions, ways)


@pytest.mark.parametrize("kind", Blockade.KINDS)
@pytest.mark.parametrize(("carrier", "blockers", "tacklers", "ways", "positions"), CONTACT)
def test_blockade_finds_the_known_turns_where_pieces_meet(
    kind: Kind, carrier: str, blockers: str, tacklers: str, ways: int, positions: int
) -> None:
    game = load("blockade")
    state = placed(game, "Offence", carrier, blockers, tacklers)
    assert Blockade(game.model, kind).turn(state)[:2] == (positions, ways)


def placed(game: Game, mover: str, carrier: str, blockers: str, tacklers: str) -> State:
    """A position at the start of a turn."""
    pieces: dict[str, str | None] = dict.fromkeys(game.cells)
    pieces[carrier] = "Carrier"
    pieces |= dict.fromkeys(blockers.split(), "Blocker") | dict.fromkeys(tacklers.split(), "Tackler")
    return game.from_dict({"mover": mover, "state": {"at": pieces}}).state


def close(game: Game, count: int) -> Iterator[State]:
    """Positions near the end: everybody in a corner of the board, some pieces moved already."""
    chance = random.Random(8)
    cells = [f"{column}{row}" for column in "abcde" for row in range(2, 7)]
    for _ in range(count):
        carrier = chance.choice([cell for cell in cells if cell[1] > "3"])
        rest = chance.sample([cell for cell in cells if cell != carrier], 5)
        state = placed(game, chance.choice(["Offence", "Defence"]), carrier, " ".join(rest[:3]), " ".join(rest[3:]))
        for _ in range(chance.randrange(3)):
            node = game.engine.expand(state)
            if len(node):
                state = node.child(chance.randrange(len(node)))
        yield state


@pytest.mark.parametrize("kind", Blockade.KINDS)
def test_blockade_counts_what_the_engine_counts(kind: Kind) -> None:
    game = load("blockade", blockers=3, tacklers=2)
    blockade, over, early = Blockade(game.model, kind), 0, 0
    for state in close(game, 80):
        node = game.engine.expand(state)
        over += not len(node)
        assert blockade.perft(state, 1) == len(node)
        assert blockade.perft(state, 2) == sum(len(game.engine.expand(child)) for child in node.children())
        if len(node):
            ends = list(turn_positions(game.engine, state))
            early += any(end[0] == state[0] for end in ends)
            assert blockade.turn(state)[:2] == (len(ends), count_turns(game.engine, state))
    assert over
    assert early > 10


@pytest.mark.parametrize("kind", Blockade.KINDS)
def test_a_side_without_pieces_passes(kind: Kind) -> None:
    game = load("blockade")
    state = placed(game, "Defence", "e6", "a5 b5", "")
    blockade = Blockade(game.model, kind)
    assert [blockade.perft(state, depth) for depth in (1, 2)] == [
        1,
        len(game.engine.expand(game.engine.expand(state).child(0))),
    ]
    assert blockade.turn(state)[:2] == (1, 1)


def test_blockade_is_known_on_its_own_board_only() -> None:
    with pytest.raises(ValueError, match="columns"):
        Blockade(load("blockade-8x8").model, "shifts")
