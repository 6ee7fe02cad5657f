"""The process in which questions are answered.

In: lines of JSON on stdin: `{"number": 1, "question": "state", "asked": {…}}`, and `{"cancel": 1}` meanwhile.  Out:
for each question lines on stdout, as `pysolve.runtime.wire` writes them; after the last one, the memory that it
holds.  One question is answered at a time.  The process ends when its stdin does, in the middle of an answer even: then
nobody listens any more.
"""

from __future__ import annotations

import json
import os
import queue
import signal
import threading
import traceback
from collections.abc import Callable
from typing import Any, BinaryIO

from pysolve.runtime import wire
from pysolve.runtime.memory import Tidy

Heard = Callable[[object], None]
Cancelled = Callable[[], bool]
Answer = Callable[[str, object, Heard, Cancelled], object]


class _Inbox:
    """Questions as they come in, and the number of the last one that was cancelled."""

    def __init__(self, lines: BinaryIO):
        self._lines = lines
        self.questions = queue.SimpleQueue[dict[str, Any]]()
        self.cancelled = 0

    def listen(self) -> None:
        """Reads until the end; then ends the process."""
        for line in self._lines:
            told = json.loads(line)
            if "cancel" in told:
                self.cancelled = told["cancel"]
            else:
                self.questions.put(told)
        os._exit(0)


def serve(answer: Answer) -> None:
    """Answers the questions of stdin, for ever."""
    lines, out = _own_streams()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the process that asks; it ends this one
    inbox = _Inbox(lines)
    threading.Thread(target=inbox.listen, daemon=True).start()
    writing, tidy = threading.Lock(), Tidy()

    def put(line: bytes) -> None:
        with writing:
            out.write(line)
            out.flush()

    while True:
        told = inbox.questions.get()
        put(_last(answer, told, lambda part: put(wire.part(part)), inbox))
        put(wire.held(tidy.up()))


def _own_streams() -> tuple[BinaryIO, BinaryIO]:
    """stdin and stdout for questions and answers alone: whatever else reads finds nothing, and prints to stderr."""
    lines, out = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    return lines, out


def _last(answer: Answer, told: dict[str, Any], heard: Heard, inbox: _Inbox) -> bytes:
    """The last line for a question: its answer or its failure."""
    number = told["number"]
    try:
        return wire.answer(answer(told["question"], told["asked"], heard, lambda: inbox.cancelled >= number))
    except wire.Failed as failed:
        return wire.failure(failed.kind, failed.message)
    except MemoryError:
        return wire.failure("limit", "there is not enough memory for this")
    except Exception as error:
        traceback.print_exc()
        return wire.failure("internal", f"{type(error).__name__}: {error}")
