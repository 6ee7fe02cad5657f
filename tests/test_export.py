"""An exported game says in node what Python says: positions, moves, endings, pictures, reasons, searches."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from dsl.model.player_texts import read_player
from pysolve.paths import shipped_games
from pysolve.players import player
from pysolve.position import Position
from pysolve.search.history import History
from pysolve.search.mcts import Settings, mcts
from pysolve.service.explaining import why
from pysolve.service.question import Asked
from tests.exported import Telling, exporting, needs_export, opened
from tests.games import each, slow_but

LONGEST = 120  # moves of a random game
QUICK = ("zola",)  # to build others takes seconds


@needs_export
@pytest.mark.parametrize("name", each(shipped_games(), QUICK))
def test_random_games_are_the_same(name: str, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    """States, legal moves and endings move by move; of some positions, and at the end, all else that is shown, too."""
    count = 200 if request.config.getoption("--all") else 12
    game, seeds = opened(name), list(range(count))
    telling = Telling(game)
    with exporting(game, tmp_path) as node:
        found = node.ask(games=seeds, longest=LONGEST)["digests"]
        for seed, digest in zip(seeds, found, strict=True):
            if digest != telling.digest(seed, LONGEST):  # then say where
                assert node.ask(game=seed, longest=LONGEST)["told"] == list(telling.played(seed, LONGEST)), seed
                pytest.fail("the digests differ, and nothing else")


def later(name: str, plies: int, seed: int) -> tuple[Position, dict[str, Any]]:
    """A position some random moves after the beginning, and the line that leads there."""
    chance, position, moves = random.Random(seed), opened(name).game.start(), []
    while len(moves) < plies and not position.play(move := position.legal_moves.sample(chance)).is_over:
        moves.append(move.text)
        position = position.play(move)
    return position, {"seed": 0, "start": "", "moves": moves}


@needs_export
@pytest.mark.parametrize("name", each(["zola", "chess", "antiyomacy", "yoxii", "kalah", "go-5x5", "othello"], QUICK))
def test_perft_is_that_of_python(name: str, tmp_path: Path) -> None:
    with exporting(opened(name), tmp_path) as node:
        for plies in (0, 7):
            position, line = later(name, plies, 1)
            counts = node.answer("perft", game="", line=line, depth=3)["counts"]
            assert [(one["depth"], int(one["count"])) for one in counts] == [
                (depth, position.perft(depth)) for depth in (1, 2, 3)
            ]


SEARCHES = [
    ("zola", "minimax:depth=4"), ("zola", "hard"), ("zola", "easy"), ("zola", "minimax:nodes=5000"),
    ("chess", "minimax:depth=3"), ("chess", "hard"), ("chess", "minimax:depth=2,onward"),
    ("antiyomacy", "minimax:turns=1,nodes=20000,ties=first"), ("antiyomacy", "minimax:depth=3"),
    ("yoxii", "original"), ("yoxii", "hard"), ("yoxii", "greedy:turn,ties=last"),
    ("conga", "original"), ("conga", "hard"), ("kalah", "minimax:depth=5,ties=top"),
    ("go-5x5", "minimax:depth=3"), ("blockade", "minimax:depth=2,terms=advance+distance"),
    ("othello", "minimax:depth=4,stuck=loses,ties=bottom"), ("nine_mens_morris", "minimax:depth=3"),
]  # fmt: skip


@needs_export
@pytest.mark.parametrize(("name", "text"), slow_but(SEARCHES[:3], SEARCHES))
def test_players_choose_what_python_chooses(name: str, text: str, tmp_path: Path) -> None:
    """The same move, and where there is a search the same value, line, depth and number of positions."""
    game = opened(name).game
    with exporting(opened(name), tmp_path, players=(text,)) as node:
        for plies in (0, 5, 12):
            position, line = later(name, plies, 3)
            thoughts: list[Any] = []
            move = player(text, seed=1, levels=game.levels, report=thoughts.append)(position)
            found = node.answer("choose", game="", line=line, player=text, seed=1)
            assert found["move"] == move.text
            if thoughts and read_player(game.levels.get(text, text))[0] == "minimax":
                (thought,) = thoughts
                texts = [position._move(numbers).text for numbers in thought.line]
                seen = (found["value"], found["line"], found["depth"], found["positions"])
                assert seen == (thought.value, texts, thought.depth, thought.nodes)


@needs_export
@pytest.mark.parametrize("name", each(["zola", "chess", "kalah"], QUICK))
def test_tree_searches_are_those_of_python(name: str, tmp_path: Path) -> None:
    with exporting(opened(name), tmp_path) as node:
        for text, settings in (
            ("mcts:playouts=300", Settings()),
            (
                "mcts:playouts=300,leaf=evaluate,backup=max,bias=0.25,explore=0.7",
                Settings("evaluate", 0.7, 0.25, "max"),
            ),
        ):
            position, line = later(name, 6, 2)
            history = History(position.turns_played, position.seen)
            expected = mcts(position.game.engine, position.state, 300, seed=11, settings=settings, history=history)
            found = node.answer("choose", game="", line=line, player=text, seed=11)
            assert found["line"] == [position._move(numbers).text for numbers in expected.line]
            assert found["share"] == (expected.value + 1) / 2
            assert found["positions"] == expected.visits


@needs_export
@pytest.mark.parametrize("name", each(["zola", "chess", "antiyomacy", "yoxii", "hex", "blockade"], QUICK))
def test_reasons_are_those_of_python(name: str, tmp_path: Path) -> None:
    """Of legal moves, of clicks anywhere, and of clicks for one kind of move."""
    game = opened(name)
    chance, cells = random.Random(5), game.game.cells
    with exporting(game, tmp_path) as node:
        for plies in (0, 9):
            position, line = later(name, plies, 4)
            where = {"game": game.id, "line": line}
            for asked in questions(chance, position, cells):
                expected = why(Asked(KnownGame(game), {**where, **asked}, print, lambda: False))  # type: ignore[arg-type]
                assert node.answer("why", **where, **asked) == expected, asked


def questions(chance: random.Random, position: Position, cells: tuple[str, ...]) -> Iterator[dict[str, Any]]:
    """What somebody may ask about."""
    for _ in range(4):
        yield {"move": position.legal_moves.sample(chance).text}
    for _ in range(8):
        yield {"cells": [chance.choice(cells)]}
        yield {"cells": [chance.choice(cells), chance.choice(cells)]}
    kinds = position.game.model.actions
    yield {"cells": [chance.choice(cells)], "kind": chance.choice(kinds).name}


class KnownGame:
    """The one game that a question can name."""

    def __init__(self, game: Any):
        self._game = game

    def opened(self, known: str) -> Any:
        """The game."""
        return self._game
