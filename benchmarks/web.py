"""The page at home: `python -m benchmarks.web [--rounds 5] [--games zola antiyomacy]`.

Starts `pysolve web` and asks what the page asks, over HTTP.  All figures are milliseconds of wall-clock time, the best
of some rounds:

  address   from the command to the line with the address
  page      from the command to the page and its script
  board     from the command to the first position: what is open, the check of its rules, the position
  edit      an edit of rules, checked: a new definition behind the text
  position  the first position of these rules
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

import httpx
from rich.console import Console
from rich.table import Table

Figures = dict[str, float]
BEGINNING = {"seed": 0, "start": "", "moves": []}


class Server:
    """`pysolve web` with a game, and how long ago it was started."""

    def __init__(self, game: str):
        self._began = time.perf_counter()
        command = [sys.executable, "-m", "pysolve", "web", game, "--no-open"]
        self._process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert self._process.stdout is not None
        self._client = httpx.Client(base_url=self._process.stdout.readline().split()[0], timeout=600)

    def since_start(self) -> float:
        return 1e3 * (time.perf_counter() - self._began)

    def get(self, path: str) -> None:
        self._client.get(path).raise_for_status()

    def ask(self, question: str, about: dict[str, Any]) -> Any:
        return json.loads(self._client.post(f"/ask/{question}", json=about).text.splitlines()[-1])["answer"]

    def position(self, game: dict[str, Any]) -> None:
        self.ask("state", {"game": game["id"], "line": BEGINNING})

    def __enter__(self) -> Server:
        return self

    def __exit__(self, *_: object) -> None:
        self._client.close()
        os.kill(self._process.pid, signal.SIGINT)
        self._process.communicate()


def once(game: str) -> Figures:
    """One round: a server is started, and rules are edited twice; the second edit counts, as most do."""
    with Server(game) as server:
        found = {"address": server.since_start()}
        server.get("/")
        server.get("/app.js")
        found["page"] = server.since_start()
        first = server.ask("hello", {})["first"]
        about = {name: first[name] for name in ("name", "text", "options")}
        server.position(server.ask("check", about)["game"])
        found["board"] = server.since_start()
        for number in (1, 2):
            text = f"{first['text']}\ndefine edited: int = {number}\n"
            checked, found["edit"] = timed(lambda text=text: server.ask("check", {**about, "text": text}))
            _, found["position"] = timed(lambda checked=checked: server.position(checked["game"]))
        return found


def timed(work: Callable[[], Any]) -> tuple[Any, float]:
    began = time.perf_counter()
    found = work()
    return found, 1e3 * (time.perf_counter() - began)


def main() -> None:
    options = argparse.ArgumentParser(prog="python -m benchmarks.web", description=__doc__.splitlines()[0])
    options.add_argument("--rounds", type=int, default=5)
    options.add_argument("--games", nargs="+", default=["zola", "yoxii", "blockade", "antiyomacy", "chess"])
    chosen = options.parse_args()
    table = Table(title="The page at home (ms)")
    table.add_column("game")
    for game in chosen.games:
        once(game)  # what is kept in the cache is kept from here on
        rounds = [once(game) for _ in range(chosen.rounds)]
        best = {name: min(one[name] for one in rounds) for name in rounds[0]}
        if not table.rows:
            for name in best:
                table.add_column(name, justify="right")
        table.add_row(game, *(f"{value:,.0f}" for value in best.values()))
    Console().print(table)


if __name__ == "__main__":
    main()
