"""Sizes of exported games, and the speed of their WebAssembly beside the native engine.

    python -m benchmarks.export [GAME ...]

Prints a table as docs/benchmarks.md has it.  It needs node, a compiler for WebAssembly and the built page.  Times are
CPU time, the best of five rounds; both sides must find the same numbers.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from pysolve.engines.build import compilers
from pysolve.engines.native import NativeEngine
from pysolve.export.page import PAGE, PARTS, html
from pysolve.export.whole import whole
from pysolve.players.functions import player
from pysolve.runtime.paths import RULES
from pysolve.service.games import Games

GAMES = {  # the depth of perft, and of the search
    "zola": (4, 8), "blockade": (4, 5), "antiyomacy": (5, 7), "chess": (5, 7), "yoxii": (5, 8), "go": (4, 4),
}  # fmt: skip
ROUNDS = 5
HERE = Path(__file__).parent


def best(work: Callable[[], Any]) -> tuple[float, Any]:
    """The CPU time of the best round in milliseconds, and what was found."""
    times, found = [], None
    for _ in range(ROUNDS):
        began = time.process_time()
        found = work()
        times.append(1000 * (time.process_time() - began))
    return min(times), found


def row(name: str) -> str:
    """The line of a game."""
    perft, depth = GAMES[name]
    opened = Games(engine="native").checked(name, (RULES / f"{name}.rules").read_text(encoding="utf-8"), {})
    vars(opened.game)["engine"] = NativeEngine(opened.game.model, compilers()[0].name)  # the best library at once
    carried = whole(opened, {})
    position, text = opened.game.start(), f"minimax:depth={depth}"
    where = {"game": opened.id, "line": {"seed": 0, "start": "", "moves": []}}
    questions = [
        {"question": "perft", "asked": {**where, "depth": perft}},
        {"question": "choose", "asked": {**where, "player": text, "seed": 0}},
    ]
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "game.json"
        file.write_text(json.dumps(carried), encoding="utf-8")
        command = ["node", str(HERE / "export.mjs"), str(PAGE / PARTS["core"]), str(file), json.dumps(questions)]
        run = subprocess.run(command, capture_output=True, text=True, check=True)
    counted, searched = json.loads(run.stdout)
    thoughts: list[Any] = []
    count_ms, counts = best(lambda: [position.perft(one) for one in range(1, perft + 1)])
    search_ms, move = best(lambda: player(text, report=thoughts.append)(position))
    assert counts == [int(one["count"]) for one in counted["answer"]["counts"]]
    assert (move.text, thoughts[-1].nodes) == (searched["answer"]["move"], searched["answer"]["positions"])
    size = len(html(carried).encode()) / 1000
    cells = [name, f"{size:.0f}", str(perft), f"{counted['milliseconds'] / count_ms:.1f}", str(depth),
             f"{searched['milliseconds'] / search_ms:.1f}", f"{searched['milliseconds']:.0f}"]  # fmt: skip
    return f"| {' | '.join(cells)} |"


def main() -> None:
    """Prints the table."""
    print("| game | kB | perft to depth | wasm/native | search to depth | wasm/native | ms |")
    print("|---|---|---|---|---|---|---|")
    for name in sys.argv[1:] or GAMES:
        print(row(name), flush=True)


if __name__ == "__main__":
    main()
