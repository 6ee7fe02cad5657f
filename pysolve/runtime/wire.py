"""Answers on their way to the page: lines of JSON.

In: what was found or what went wrong.  Out: a line `{"part": …}`, `{"answer": …}` or `{"failure": …}`.  Between
processes also `{"held": …}`.
"""

from __future__ import annotations

import json

# Questions that may take long, and let others pass.
LONG = ("choose", "analyse", "reply", "perft", "balance", "examples")
MOST_TABLES = 200  # games with secrets that are kept, by a server or by a service alone


class Failed(Exception):
    """A question cannot be answered; `kind` is one of `Failure` in web/src/protocol.ts."""

    def __init__(self, kind: str, message: str):
        super().__init__(message)
        self.kind = kind
        self.message = message


def part(told: object) -> bytes:
    """The line of something that is known before the question is answered."""
    return _line("part", told)


def answer(told: object) -> bytes:
    """The line of an answer; raises `ValueError` and `TypeError` if it is no JSON."""
    return _line("answer", told)


def failure(kind: str, message: str) -> bytes:
    """The line of a question that cannot be answered."""
    return _line("failure", {"kind": kind, "message": message})


def failure_kind(line: bytes) -> str | None:
    """The kind of a failure; None for any other line."""
    return str(json.loads(line)["failure"]["kind"]) if line.startswith(b'{"failure"') else None


def is_last(line: bytes) -> bool:
    """True for an answer and for a failure."""
    return not line.startswith(b'{"part"')


def held(memory: int) -> bytes:
    """The line with which a process says that it is ready for the next question, and how many bytes it holds."""
    return _line("held", memory)


def held_in(line: bytes) -> int:
    """The bytes that a process says it holds."""
    return int(json.loads(line)["held"])


def _line(what: str, told: object) -> bytes:
    # With ASCII alone, halves of characters survive, and no line break can be mistaken for the end of the line.
    return json.dumps({what: told}, separators=(",", ":"), allow_nan=False).encode("ascii") + b"\n"
