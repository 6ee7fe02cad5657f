"""The shipped games beside their oracles, in random games and in positions that no game reaches; perft numbers."""

import random
from typing import Any

import pytest

import pysolve
from pysolve.engines.prolog import PrologEngine
from pysolve.players import looking_at, searching
from pysolve.viewpoint import Viewpoint
from tests import lockstep
from tests.games import load, slow_but
from tests.oracles import conga, zola
from tests.perft import Counter, Known, known

SIZES = (4, 6, 8, 10)
CONGA = [
    {"size": 4, "pile": 10, "sowing": "add", "four_equal": False},
    {"size": 4, "pile": 10, "sowing": "add", "four_equal": True},
    {"size": 4, "pile": 10, "sowing": "sweep", "four_equal": False},
    {"size": 4, "pile": 10, "sowing": "sweep", "four_equal": True},
    {"size": 4, "pile": 1, "sowing": "add", "four_equal": False},
    {"size": 4, "pile": 3, "sowing": "sweep", "four_equal": True},
    {"size": 6, "pile": 20, "sowing": "add", "four_equal": True},
    {"size": 8, "pile": 40, "sowing": "sweep", "four_equal": False},
]
QUICK, LARGEST = 20_000, 170_000  # sequences that a test counts
PERFT = ("amazons", "blockade", "go", "morris", "pentago", "quarto", "santorini", "tictactoe", "y", "yoxii", "zola")


@pytest.mark.parametrize("size", slow_but(SIZES[:2], SIZES))
def test_zola_agrees_in_random_games(size: int) -> None:
    games = 2 if size < 8 else 1
    lockstep.play_along(load("zola", size=size), zola, {"size": size}, seed=size, games=games, length=20 + 2 * size)


@pytest.mark.parametrize("size", slow_but(SIZES[:2], SIZES))
def test_zola_agrees_in_any_position(size: int) -> None:
    game = load("zola", size=size)
    engines = [PrologEngine(game.model, warm=warm) for warm in (None, 0)]
    rng = random.Random(size)
    cells = list(zola.initial(size)["state"]["at"])
    for number in range(16):
        weights = rng.random(), rng.random(), rng.random()
        at = dict(zip(cells, rng.choices(["Red", "Blue", None], weights, k=len(cells)), strict=True))
        mover, last = rng.sample(["Red", "Blue"], 2)
        at[rng.choice(cells)] = last  # who has just moved has a checker
        position = {"mover": mover, "state": {"at": at}}
        lockstep.compare(game, engines[number % 2], zola, position, {"size": size})


@pytest.mark.parametrize("options", slow_but(CONGA[:1], CONGA), ids=str)
def test_conga_agrees_in_random_games(options: dict[str, Any]) -> None:
    games = 2 if options["size"] < 8 else 1
    lockstep.play_along(load("conga", **options), conga, options, seed=options["size"], games=games, length=25)


@pytest.mark.parametrize("options", slow_but(CONGA[3:4], CONGA), ids=str)
def test_conga_agrees_in_any_position(options: dict[str, Any]) -> None:
    game = load("conga", **options)
    engines = [PrologEngine(game.model, warm=warm) for warm in (None, 0)]
    rng = random.Random(options["pile"])
    for number in range(16):
        lockstep.compare(game, engines[number % 2], conga, dealt(rng, **options), options)


@pytest.mark.parametrize("options", slow_but(CONGA[:4], CONGA), ids=str)
def test_programs_think_of_conga_as_the_oracle_does(options: dict[str, Any]) -> None:
    rng = random.Random(options["pile"])
    games = [pysolve.load("conga", engine=engine, **options) for engine in ("native", "prolog")]
    for _ in range(12):
        position = dealt(rng, **options)
        wanted = {who: conga.evaluation(position, who, options["size"]) for who in ("Black", "White")}
        assert [game.from_dict(position).evaluate() for game in games] == [wanted, wanted]


def test_levels_of_conga_play_for_moves_and_neighbours() -> None:
    """One move ahead the best one is that of the oracle; the level `original` is judged by tests/test_levels.py."""
    game = load("conga")
    levels = {name: text.partition(",")[2] for name, text in game.model.levels.items() if name != "original"}
    assert set(levels.values()) == {"terms=mobility+neighbours"}
    one_deep = looking_at(Viewpoint(terms=("mobility", "neighbours")), searching(depth=1))
    rng = random.Random(1)
    for _ in range(20):
        position = dealt(rng, 4, 10)
        moves = {str(move[1]): move[2] for move in conga.moves(position, 4)}
        if not moves or any(not conga.moves(after, 4) for after in moves.values()):
            continue
        values = {key: conga.simple_evaluation(after, position["mover"], 4) for key, after in moves.items()}
        chosen = one_deep(game.from_dict(position)).params
        assert values[str(chosen)] == max(values.values())


def dealt(rng: random.Random, size: int, pile: int, **_options: Any) -> dict[str, Any]:
    """A position in which the stones of both players lie anywhere."""
    position = conga.initial(size, pile)
    state = position["state"]
    cells = rng.sample(list(state["owner"]), rng.randint(2, size * size))
    state["owner"], state["stones"] = dict.fromkeys(state["owner"]), dict.fromkeys(state["stones"], 0)
    split = rng.randint(1, len(cells) - 1)
    for player, own in (("Black", cells[:split]), ("White", cells[split:])):
        for cell in rng.choices(own, k=pile):
            state["owner"][cell] = player
            state["stones"][cell] += 1
    return {"mover": rng.choice(["Black", "White"]), "state": state}


def counted(line: Known, most: int) -> list[int]:
    """The known numbers up to `most` of a line; to the end where there are few positions."""
    return [number for number in line.counts if number <= most or line.name in ("tictactoe", "connect_four")]


def quick(line: Known) -> bool:
    """A line for the quick tests: games of few moves, and of the others the shortest."""
    return (line.name in PERFT and line.options != {"size": 19}) or line.options == {"pile": 1}


@pytest.mark.parametrize("line", slow_but(filter(quick, known()), known()), ids=str)
def test_perft_numbers_are_the_known_ones(line: Known) -> None:
    agree_with(line, QUICK)


@pytest.mark.slow
@pytest.mark.parametrize("line", [line for line in known() if counted(line, QUICK) != counted(line, LARGEST)], ids=str)
def test_large_perft_numbers_are_the_known_ones(line: Known) -> None:
    agree_with(line, LARGEST)


def agree_with(line: Known, most: int) -> None:
    game = load(line.path, **line.options)
    counter = Counter(PrologEngine(game.model))
    count, wanted = counter.turns if line.turns else counter.moves, counted(line, most)
    assert [count(game.start().state, depth) for depth in range(1, len(wanted) + 1)] == wanted


def test_perft_without_memory_counts_the_same() -> None:
    assert pysolve.load("zola", size=4).start().perft(3) == 3836
