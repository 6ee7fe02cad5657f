"""Random steps of many games at once, beside Pgx on the processor and OpenSpiel, in one run.

    alone    `game.batch`: a legal move of each game drawn at random, a step, new games begun; one thread
    seen     the same, and the planes of each position
    two      the same as seen, with two threads
    pgx      Pgx with JAX, compiled, all games in one array; its steps include the observation
    python   OpenSpiel asked from Python, one game after another
    core     OpenSpiel's random games within its C++

Steps a second of CPU time, since programs share the machine; `clock` is what a clock says.  Programs take turns, and
the best of some rounds counts.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pysolve
from benchmarks import openspiel
from pysolve.engines.arrays import Batch

GAMES_AT_ONCE = 4096
SECONDS = 1.0  # for one measurement
AIMED = 5e6  # steps of Connect four a second, on two cores


class Shared(NamedTuple):
    """A game that all have."""

    name: str
    options: dict[str, Any]
    pgx: str
    spiel: str


GAMES = (
    Shared("tictactoe", {}, "tic_tac_toe", "tic_tac_toe"),
    Shared("connect_four", {}, "connect_four", "connect_four"),
    Shared("othello", {}, "othello", "othello"),
    Shared("hex", {}, "hex", "hex(board_size=11)"),
    Shared("go", {"size": 9}, "go_9x9", "go(board_size=9,komi=7.5)"),
)


def run(python: str, quick: bool) -> dict[str, Any]:
    """The speed of each program for each game; Pgx is asked for by this Python."""
    rows, versions = [], ""
    for shared in GAMES:
        row: dict[str, Any] = {"game": shared.name}
        for _ in range(1 if quick else 3):
            for name, figures in _programs(shared, python).items():
                found = figures()
                versions = found.pop("versions", versions)
                for unit, figure in found.items():
                    key = f"{name} {unit}"
                    row[key] = max(row.get(key, 0.0), figure)
        rows.append(row)
        print(f"{shared.name}: measured", file=sys.stderr)
    return {"batches": rows, "batches_versions": versions}


def _programs(shared: Shared, python: str) -> dict[str, Callable[[], dict[str, Any]]]:
    game = pysolve.load(shared.name, **shared.options)
    return {
        "alone": lambda: _stepped(game.batch(GAMES_AT_ONCE, again=True, threads=1), seen=False),
        "seen": lambda: _stepped(game.batch(GAMES_AT_ONCE, again=True, threads=1), seen=True),
        "two": lambda: _stepped(game.batch(GAMES_AT_ONCE, again=True, threads=2), seen=True),
        "pgx": lambda: _pgx(shared.pgx, python),
        "python": lambda: _spiel(shared.spiel, core=False),
        "core": lambda: _spiel(shared.spiel, core=True),
    }


def _stepped(batch: Batch, seen: bool) -> dict[str, float]:
    steps, cpu, clock = 0, time.process_time(), time.perf_counter()
    while time.perf_counter() - clock < SECONDS:
        for _ in range(10):
            batch.step(batch.random_moves())
            if seen:
                batch.observe()
        steps += 10 * len(batch)
    return {"cpu": steps / (time.process_time() - cpu), "clock": steps / (time.perf_counter() - clock)}


def _pgx(name: str, python: str) -> dict[str, Any]:
    """What the program for Pgx prints; nothing where Pgx is not installed."""
    program = Path(__file__).with_name("pgx_steps.py")
    done = subprocess.run([python, str(program), name, str(GAMES_AT_ONCE)], capture_output=True, text=True, check=False)
    if done.returncode:
        print(f"Pgx: {done.stderr.strip().splitlines()[-1:]}", file=sys.stderr)
        return {}
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return found


def _spiel(name: str, core: bool) -> dict[str, float]:
    """Moves a second of OpenSpiel's random games; its core does not count them, so the mean length is Python's."""
    import pyspiel  # type: ignore[import-not-found, unused-ignore]

    game = pyspiel.load_game(name)
    _, moves, spent = openspiel.clock(lambda count: openspiel.by_python(game, count), 20)
    if not core:
        return {"cpu": moves / spent}
    games, _, spent = openspiel.clock(lambda count: openspiel.by_core(game, count), 200)
    return {"cpu": games / spent * moves / 20}
