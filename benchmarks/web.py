"""The page at home: `python -m benchmarks.web [--rounds 5] [--games zola antiyomacy]`.

Starts `pysolve web` and asks what the page asks, over HTTP.  All figures are milliseconds of wall-clock time, the best
of some rounds:

  address   from the command to the line with the address
  page      from the command to the page and its script
  board     from the command to the first position: what is open, the check of its rules, the position
  edit      an edit of rules, checked: a new definition behind the text
  position  the first position of these rules

`--soak 10000` asks so many questions of all kinds about all shipped games instead, and prints what the server and its
workers hold in memory all the while (MB of their own, shared pages by halves), and how quickly they answer.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any

import httpx
import psutil
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
        address = httpx.URL(self._process.stdout.readline().split()[0])
        known = {"Authorization": f"Bearer {address.params['token']}"}
        self._client = httpx.Client(base_url=address.copy_with(query=None), headers=known, timeout=600)

    def since_start(self) -> float:
        return 1e3 * (time.perf_counter() - self._began)

    def get(self, path: str) -> None:
        self._client.get(path).raise_for_status()

    def ask(self, question: str, about: dict[str, Any]) -> Any:
        return self.reply(question, about)["answer"]

    def reply(self, question: str, about: dict[str, Any]) -> Any:
        """The answer, or why there is none."""
        return json.loads(self._client.post(f"/ask/{question}", json=about).text.splitlines()[-1])

    def memory(self) -> float:
        """The megabytes that the server and all its processes have for themselves."""
        processes = [psutil.Process(self._process.pid)]
        processes += processes[0].children(recursive=True)
        held = 0
        for process in processes:
            with suppress(psutil.NoSuchProcess):  # a worker that was just replaced
                held += process.memory_full_info().pss
        return held / 1e6

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


def soak(questions: int) -> Iterator[tuple[int, float, float]]:
    """Questions that have been asked, megabytes, questions a second; twenty times."""
    draw = random.Random(1)
    with Server("zola") as server:
        names = [card["name"] for card in server.ask("games", {})["games"]]
        kept: dict[str, Any] = {}
        began = time.perf_counter()
        for asked in range(questions):
            if asked % (questions // 20) == 0:
                yield asked, server.memory(), asked / (time.perf_counter() - began)
            if asked % 10 == 0:  # ten questions about a game, then another one
                opened = server.ask("open", {"name": draw.choice(names)})
                about = {"name": opened["name"], "text": opened["text"]}
                about["text"] += f"\n# {asked % 500}\n"  # a text that was just edited
                kept = server.ask("check", {**about, "options": {}})["game"] or kept
                line = dict(BEGINNING)
            where = {"game": kept["id"], "line": line}
            cells = [cell["name"] for cell in kept["board"]["cells"][:2]]
            question, more = draw.choice(
                [
                    ("state", where),
                    ("state", where),
                    ("why", {**where, "cells": cells}),
                    ("view", {**about, "read": True}),
                    ("choose", {**where, "player": "greedy"}),
                    ("sheet", {"game": kept["id"]}),
                    ("clauses", {"game": kept["id"], "kind": kept["kinds"][0]["name"]}),
                ]
            )
            reply = server.reply(question, more)  # some are refused: a game may be over
            if question == "state" and "answer" in reply and (moves := reply["answer"]["moves"]):
                line = {**line, "moves": [*line["moves"], draw.choice(moves)["text"]]}
        yield questions, server.memory(), questions / (time.perf_counter() - began)


def timed(work: Callable[[], Any]) -> tuple[Any, float]:
    began = time.perf_counter()
    found = work()
    return found, 1e3 * (time.perf_counter() - began)


def main() -> None:
    options = argparse.ArgumentParser(prog="python -m benchmarks.web", description=__doc__.splitlines()[0])
    options.add_argument("--rounds", type=int, default=5)
    options.add_argument("--games", nargs="+", default=["zola", "yoxii", "blockade", "antiyomacy", "chess"])
    options.add_argument("--soak", type=int, metavar="N", help="ask N questions, and look at the memory")
    chosen = options.parse_args()
    if chosen.soak:
        for asked, held, rate in soak(chosen.soak):
            print(f"{asked:7,} questions {held:7.0f} MB {rate:6.1f} a second", flush=True)
        return
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
