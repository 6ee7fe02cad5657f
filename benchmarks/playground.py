"""The playground: `python -m benchmarks.playground FOLDER [--rounds 3]`, where `npm run playground -- FOLDER` built it.

Starts its Python and Prolog in node and asks what the page asks; and adds up the files that a browser loads.  All times
are milliseconds of CPU time, the best of some rounds:

  first     the game is opened for the first time: its rules are checked
  again     an edit: the same rules with a new definition behind them
  position  the first position of the edited rules, so with clauses that are loaded for it
  next      the position after one move
  greedy    the player `greedy` chooses a move
"""

from __future__ import annotations

import argparse
import gzip
import json
import subprocess
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from pysolve.runtime.paths import RULES
from pysolve.service import Service

RUNNER = Path(__file__).parent.parent / "web/test/playground.mjs"
ONLY_IN_NODE = ("runtime.mjs",)
COLUMNS = ("first", "again", "position", "next", "greedy")


def questions(game: str) -> list[tuple[str, dict[str, Any]]]:
    """What is asked about a game, in the order of the columns."""
    text = (RULES / f"{game}.rules").read_text(encoding="utf-8")
    check = {"name": game, "text": text, "options": {}}
    edited = {**check, "text": f"{text}\ndefine edited: int = 1\n"}
    service = Service()
    where = {"game": service.answer("check", edited)["game"]["id"], "line": {"seed": 0, "start": "", "moves": []}}
    first = service.answer("state", where)["moves"][0]["text"]
    after = {**where, "line": {**where["line"], "moves": [first]}}
    think = {**where, "player": "greedy", "seed": 1}
    return [("check", check), ("check", edited), ("state", where), ("state", after), ("choose", think)]


def once(folder: Path, game: str) -> list[float]:
    """Milliseconds of one round: of the start, then of each question."""
    lines = "".join(f"{json.dumps(question)}\n" for question in questions(game))
    told = subprocess.run(["node", str(RUNNER), str(folder)], input=lines, capture_output=True, text=True, check=True)
    return [1e3 * json.loads(line)[0] for line in told.stdout.splitlines()]


def sizes(folder: Path) -> Table:
    """The files that a browser loads, as they are and as a host sends them."""
    table = Table("file", "kB", "gzip kB")
    files = [file for file in sorted(folder.rglob("*")) if file.is_file() and file.name not in ONLY_IN_NODE]
    plain = {file: file.stat().st_size / 1e3 for file in files}
    packed = {file: len(gzip.compress(file.read_bytes(), 9)) / 1e3 for file in files}
    for file in files:
        if packed[file] >= 50:
            table.add_row(file.name, f"{plain[file]:,.0f}", f"{packed[file]:,.0f}")
    table.add_row("all files", f"{sum(plain.values()):,.0f}", f"{sum(packed.values()):,.0f}")
    return table


def main() -> None:
    parser = argparse.ArgumentParser(description="Times and sizes of a built playground")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--games", nargs="+", default=["zola", "antiyomacy", "blockade", "chess"])
    options = parser.parse_args()
    table = Table("game", "start", *COLUMNS)
    for game in options.games:
        rounds = [once(options.folder, game) for _ in range(options.rounds)]
        table.add_row(game, *(f"{min(found):,.0f}" for found in zip(*rounds, strict=True)))
    Console().print(table, sizes(options.folder))


if __name__ == "__main__":
    main()
