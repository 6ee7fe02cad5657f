"""The service in a browser's worker: JSON in, JSON out, with the Prolog of the same worker.

web/src/playground/runtime.ts calls it.
"""

from __future__ import annotations

import json
import time
import traceback
from collections.abc import Callable

from pysolve.engines import browser
from pysolve.service.refused import Refused
from pysolve.service.service import Service

Answerer = Callable[[str, str, Callable[[str], None], Callable[[], bool]], str]

LOOKS = 0.1  # seconds between two looks at whether somebody still waits: each costs a request


def answerer(prolog: browser.Prolog) -> Answerer:
    """A function that answers questions.

    Its arguments are the name of the question, its JSON, a callback for parts of the answer, and a function that is
    true once nobody waits any more. The answer is `{"answer": …}` or `{"failure": …}`, a part is `{"part": …}`.
    """
    browser.connect(prolog)
    service = Service(product="playground", engine="prolog")

    def answer(question: str, asked: str, heard: Callable[[str], None], left: Callable[[], bool]) -> str:
        try:
            found = service.answer(question, json.loads(asked), lambda part: heard(_line("part", part)), _rarely(left))
            return _line("answer", found)
        except Refused as refused:
            if refused.kind == "internal":
                traceback.print_exc()
            return _line("failure", refused.to_dict())

    return answer


def _rarely(left: Callable[[], bool]) -> Callable[[], bool]:
    """A function that calls `left` at most once in `LOOKS` seconds, and is false in between."""
    next_look = time.monotonic() + LOOKS

    def cancelled() -> bool:
        nonlocal next_look
        if time.monotonic() < next_look:
            return False
        gone = left()
        next_look = time.monotonic() + LOOKS
        return gone

    return cancelled


def _line(what: str, told: object) -> str:
    return json.dumps({what: told}, separators=(",", ":"), allow_nan=False)
