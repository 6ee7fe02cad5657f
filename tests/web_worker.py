"""A worker of `pysolve web` that answers as tests need it: it obeys, or loops, or dies."""

import os
import time
from typing import Any

from pysolve.runtime.wire import Failed
from pysolve.runtime.worker import Cancelled, Heard, serve

games: set[str] = set()


def answer(question: str, asked: Any, heard: Heard, cancelled: Cancelled) -> object:
    match question:
        case "pid":
            return os.getpid()
        case "echo":
            return asked
        case "count":
            for number in range(asked["to"]):
                heard(number)
            return "done"
        case "choose":  # it says who it is, then thinks until it is told to stop
            heard(os.getpid())
            while not cancelled():
                time.sleep(0.01)
            raise Failed("cancelled", "cancelled")
        case "analyse":  # it does not listen
            heard(os.getpid())
            while True:
                time.sleep(1)
        case "die":
            os._exit(7)
        case "print":
            print("to the terminal, and not to the page")
            os.system("echo and so do its processes")
            return input() if asked.get("read") else "printed"
        case "check":
            games.add(asked["text"])
            return {"problems": [], "options": {}, "game": {"id": f"id of {asked['text']}"}}
        case "state":
            if asked["game"] not in {f"id of {text}" for text in games}:
                raise Failed("gone", "unknown game")
            return {"pid": os.getpid()}
        case "nan":
            return float("nan")
        case "long":
            return "x" * 1_000_000
        case _:
            raise ValueError(f"no {question}")


if __name__ == "__main__":
    serve(answer)
