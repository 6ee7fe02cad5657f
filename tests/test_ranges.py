"""Numbers on the command line: each option has its range, and what lies outside is refused in a message."""

import inspect
from pathlib import Path
from typing import get_args

import pytest
import typer

from pysolve.cli import balance, best, lab, solve, tune
from tests.test_lab import refused, run

COMMANDS = (lab.match, lab.tournament, lab.store, balance.balance, tune.tune, solve.solve, best.best, best.analyse)
HUGE = "99999999999999999999"
GAMES = ("zola", "size=4", "--processes", "1")


def numbers(command: object) -> list[typer.models.ParameterInfo]:
    """What is known of the numeric options of a command."""
    found = []
    for parameter in inspect.signature(command, eval_str=True).parameters.values():  # type: ignore[arg-type]
        kind, *told = get_args(parameter.annotation)
        if {int, float} & {kind, *get_args(kind)}:
            found.append(told[0])
    return found


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command.__name__)
def test_every_number_has_a_range(command: object) -> None:
    assert numbers(command)
    for one in numbers(command):
        assert one.min is not None, one.param_decls
        assert one.max is not None, one.param_decls


@pytest.mark.parametrize(
    ("words", "option"),
    [
        (("match", *GAMES, "random", "random", "--games", HUGE), "--games"),
        (("match", *GAMES, "random", "random", "--games", "0"), "--games"),
        (("match", *GAMES, "random", "random", "--opening", HUGE), "--opening"),
        (("match", *GAMES, "random", "random", "--max-moves", HUGE), "--max-moves"),
        (("match", *GAMES, "random", "random", "--seed", HUGE), "--seed"),
        (("match", *GAMES, "random", "random", "--seed", "-1"), "--seed"),
        (("match", *GAMES, "random", "random", "--processes", HUGE), "--processes"),
        (("match", *GAMES, "random", "random", "--adjudicate", "²,3"), "--adjudicate takes"),
        (("match", *GAMES, "random", "random", "--adjudicate", f"{HUGE},3"), "--adjudicate takes"),
        (("tournament", *GAMES, "random", "random", "--games", HUGE), "--games"),
        (("balance", *GAMES, "--games", HUGE), "--games"),
        (("balance", "zola", "--sweep", "size=²..4"), "option size cannot be ²..4"),
        (("balance", "zola", "--sweep", f"size=4..{5000 * '9'}"), "option size cannot be 4..9"),
        (("tune", "zola", "--games", HUGE), "--games"),
        (("tune", "zola", "--rounds", HUGE), "--rounds"),
        (("tune", "zola", "--match", HUGE), "--match"),
        (("solve", "tictactoe", "--states", HUGE), "--states"),
        (("solve", "tictactoe", "--nodes", HUGE), "--nodes"),
        (("solve", "tictactoe", "--time", "nan"), "--time"),
        (("solve", "tictactoe", "--time", "inf"), "--time"),
        (("best", "zola", "--time", "nan"), "--time"),
        (("best", "zola", "--nodes", HUGE), "--nodes"),
        (("best", "zola", "--moves", HUGE), "--moves"),
        (("store", "no.db", HUGE), "SERIES"),
        (("store", "no.db", "1", HUGE), "GAME"),
    ],
)
def test_numbers_out_of_range_are_refused(words: tuple[str, ...], option: str) -> None:
    assert option in refused(*words)


def test_the_ends_of_ranges_are_taken(tmp_path: Path) -> None:
    ends = ("--seed", str((1 << 64) - 1), "--opening", "10000", "--max-moves", "1000000000")
    given = ("--adjudicate", "999999999,999999999")
    result = run("match", *GAMES, "random", "random", "--games", "1", *ends, *given)
    assert (result.exit_code, result.stderr) == (0, "")
    assert "opening   shortened in 1 game" in result.stdout
