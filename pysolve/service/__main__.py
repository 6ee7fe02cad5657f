"""Answers questions from stdin, one after the other:  python -m pysolve.service [FOLDER]

In: lines of JSON, `{"id": 1, "question": "hello", "asked": {}}`.  Out: lines of JSON on stdout, any number of
`{"id": 1, "part": …}` and then `{"id": 1, "answer": …}` or `{"id": 1, "failure": {"kind": …, "message": …}}`.  The
process ends with its stdin.  To cancel a long question, end the process.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, TextIO

from pysolve.service import Refused, Service

LONGEST_LINE = 8_000_000  # characters


def answer_lines(service: Service, lines: TextIO, out: TextIO) -> None:
    """Answers each line."""

    def put(**said: Any) -> None:
        out.write(json.dumps(said) + "\n")
        out.flush()

    while line := lines.readline(LONGEST_LINE):
        known: object = None
        try:
            told = _told(line)
            known = told.get("id")
            heard = partial(_put_part, put, known)
            put(id=known, answer=service.answer(told.get("question"), told.get("asked", {}), heard))
        except Refused as refused:
            put(id=known, failure=refused.to_dict())


def _put_part(put: Callable[..., None], known: object, part: object) -> None:
    put(id=known, part=part)


def _told(line: str) -> dict[str, Any]:
    """The request on a line of JSON; raises `Refused` if there is none."""
    try:
        told = json.loads(line)
    except RecursionError:
        raise Refused("asked", "the line cannot be read as JSON: it is nested too deeply") from None
    except ValueError as error:  # also raised for numbers with too many digits
        raise Refused("asked", f"the line cannot be read as JSON: {error}") from None
    if not isinstance(told, dict):
        raise Refused("asked", "a line is a JSON object with id, question and asked")
    return told


def main() -> None:
    """Answers until stdin ends."""
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else None
    answer_lines(Service(folder), sys.stdin, sys.stdout)


if __name__ == "__main__":
    main()
