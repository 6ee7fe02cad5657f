"""Games of one player: what `solve` finds in them."""

import json
import re
from pathlib import Path
from random import Random
from typing import Any

import pytest
from typer.testing import CliRunner

import pysolve
from pysolve.cli.app import app
from pysolve.dsl import notation
from pysolve.game import Game
from pysolve.lab.solving import EXHAUSTIVE, PROOF_NUMBER, Guide, Limits, Solution, solve
from pysolve.position import Position
from tests.games import load
from tests.oracles.puzzles import PEGS, Tiles, named

SMALL = Tiles(3, 2)
ODD = "45./213 Solver"  # no slides lead from here to the order
HARDEST = "867/254/3.1 Solver"  # one of the two arrangements that take most slides


def arranged(game: Game, oracle: Tiles, tiles: tuple[int, ...]) -> Position:
    words = {"tile": dict(zip(map(named, oracle.squares), tiles, strict=True))}
    state = notation.from_dict(game.model, {"mover": "Solver", "state": words}, notation.blank(game.model))
    return Position(game, state)


def test_scrambled_tiles_can_be_put_in_order() -> None:
    game, distances = load("sliding_tiles", width=3, height=2), SMALL.distances()
    words = [notation.to_dict(game.model, game.start(seed).state)["state"] for seed in range(9)]
    starts = [tuple(state["tile"].values()) for state in words]
    assert len(set(starts)) > 6
    assert set(starts) <= distances.keys()


def test_a_shortest_solution_is_as_long_as_the_oracle_says() -> None:
    game, distances = load("sliding_tiles", width=3, height=2), SMALL.distances()
    assert (len(distances), max(distances.values())) == (360, 21)
    hardest = max(distances, key=lambda tiles: distances[tiles])
    for tiles in [hardest, *Random(1).sample(sorted(distances), 12)]:
        position = arranged(game, SMALL, tiles)
        if not distances[tiles]:
            continue
        solution = solve(position)
        assert len(solution.line) == distances[tiles]
        for move in solution.line:
            position = position.play(move)
        assert position.outcome is not None
        assert position.outcome.winners == ("Solver",)


def test_an_odd_arrangement_has_no_solution() -> None:
    game = load("sliding_tiles", width=3, height=2)
    position = arranged(game, SMALL, (2, 1, 3, 4, 5, 0))
    for method in (EXHAUSTIVE, PROOF_NUMBER):
        solution = solve(position, method)
        assert (solution.is_solved, solution.unsolvable, solution.winner, solution.line) == (True, True, None, ())
        assert str(solution) == "There is no solution from this position."


@pytest.mark.slow
def test_eight_tiles_take_31_slides_at_most() -> None:
    solution = solve(load("sliding_tiles").position(HARDEST))
    assert str(solution) == "Solved from this position in 31 moves, the fewest."
    assert solution.positions == 181_440


@pytest.mark.parametrize("engine", ["native", "prolog"])
def test_a_solution_of_sokoban_is_the_same_on_both_engines(engine: str) -> None:
    game = pysolve.load(Path("rules/sokoban.rules"), engine=engine)
    position = game.start()
    for move in ["west", "south", *4 * ["west"], *3 * ["north"], "east", "east", "south", "west"]:
        position = position.play(move)
    solution = solve(position, limits=Limits(states=100_000))
    assert (len(solution.line), solution.method) == (18, EXHAUSTIVE)


def test_pegs_are_solved_in_31_jumps() -> None:
    result = CliRunner().invoke(app, ["solve", "peg_solitaire", "--method", "proof-number", "--json"])
    found = json.loads(result.output)
    assert result.exit_code == 0
    assert (found["solved"], found["winner"], len(found["line"])) == (True, "Solver", 31)
    position = PEGS.initial()
    for text in found["line"]:
        start, step = text.split()
        chosen = {"from": start, "dir": step}
        position = next(after for _, given, after in PEGS.moves(position) if given == chosen)
    assert PEGS.outcome(position) == {"winner": "Solver"}


def test_where_the_budget_ends_a_puzzle_stays_open() -> None:
    result = CliRunner().invoke(app, ["solve", "peg_solitaire", "--method", "proof-number", "--nodes", "20"])
    assert result.exit_code == 1
    assert result.output.startswith("Not solved from the start.")


@pytest.mark.parametrize("discs", [1, 2, 3, 5])
def test_a_tower_of_hanoi_takes_twice_as_many_moves_for_each_disc(discs: int) -> None:
    solution = solve(load("hanoi", discs=discs).start())
    assert (len(solution.line), solution.positions) == (2**discs - 1, 3**discs)


# ------------------------------------------------------------------------------------------ hints


def test_a_guide_solves_again_only_where_its_line_was_left(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = list[Position]()

    def counted(position: Position, **limits: Any) -> Solution:
        asked.append(position)
        return solve(position, **limits)

    monkeypatch.setattr("pysolve.lab.solving.solve", counted)
    position, guide = load("sliding_tiles", width=3, height=2).start(1), Guide()
    length = len(guide.at(position).line)
    for left in range(length, 0, -1):
        solution = guide.at(position)
        assert (solution.position, len(solution.line)) == (position, left)
        astray, position = position, position.play(solution.line[0])
    assert position.is_over
    assert len(asked) == 1
    other = next(move for move in astray.legal_moves if astray.play(move) != position)
    assert guide.at(astray.play(other)).line
    assert len(asked) == 2


def typed(*lines: str, game: tuple[str, ...] = ("sliding_tiles", "width=3", "height=2")) -> str:
    """What a puzzle says to somebody who types these lines."""
    result = CliRunner().invoke(app, ["play", *game, "--seed", "1", "-q"], input="\n".join(lines))
    assert result.exit_code == 0, result.output
    return result.output


def test_a_puzzle_shows_the_next_move_of_a_solution_and_all_of_them() -> None:
    first = re.search(r"> hint\n(\w+)   \((\d+) moves to the solution, the fewest\)", typed("hint"))
    assert first is not None
    assert f"({int(first[2]) - 1} moves to the solution" in typed(first[1], "hint")
    whole = typed("solve")
    assert f"Solved from this position in {first[2]} moves, the fewest.\n{first[1]}, " in whole
    assert "solve all of them" in typed("help")


def test_a_puzzle_is_played_to_its_end_by_the_computer() -> None:
    assert "The winner: Solver (the tiles are in order)" in typed("computer")
    assert "The winner: Solver" in typed(game=("sliding_tiles", "width=3", "height=2", "--seat", "Solver=solve"))


def test_that_there_is_no_solution_is_said() -> None:
    text = typed("hint", "solve", "computer", game=("sliding_tiles", "width=3", "height=2", "--position", ODD))
    assert text.count("There is no solution from this position.") == 3


def test_a_game_of_two_has_no_solution_to_show() -> None:
    assert '"solve"' in typed("solve", game=("tictactoe",))
    assert "puzzle" not in typed("help", game=("tictactoe",))
