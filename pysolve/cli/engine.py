"""The command engine: a game for interfaces that play with engines."""

from __future__ import annotations

import sys
import threading

from pysolve.cli.arguments import AUTO, EngineChoice, GameName, Options, opened
from pysolve.cli.console import put
from pysolve.protocol.engine import Talk, lines_of


def engine(game: GameName, options: Options = None, using: EngineChoice = AUTO) -> None:
    """Play a game for an interface, or another program, that knows UCI or UGI.

    An interface starts this command itself, and talks to it on stdin and stdout.
    Chess and its variants have the moves and positions of UCI (e2e4, FEN), as
    cutechess and python-chess expect them. Other games have those of pysolve,
    with _ for blanks. docs/engine.md says which commands there are.

    \b
    Examples:
      pysolve engine chess
      pysolve engine zola size=4
    """
    lock = threading.Lock()

    def say(line: str) -> None:
        with lock:
            put(line, flush=True)

    Talk(opened(game, options, using), say).converse(lines_of(sys.stdin))
