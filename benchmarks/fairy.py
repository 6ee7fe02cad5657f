"""Fairy-Stockfish as a player of Breakthrough: `pysolve match breakthrough "ugi:python -m benchmarks.fairy,time=0.3" …`

In: UGI on stdin, as pysolve speaks it to programs.  Out: UGI on stdout.  Between them runs fairy-stockfish, which plays
this game under UCI and writes its moves in the same way (a2a3).  Only whole games are told, from the first position on.
"""

from __future__ import annotations

import shutil
import subprocess
import sys

import pysolve
from pysolve.notation.uci import words_of

PROGRAM = "fairy-stockfish"  # 11.1 or later
OPTIONS = ("setoption name UCI_Variant value breakthrough", "setoption name Threads value 1")
ANSWERS = {"uci": "uciok", "isready": "readyok", "go": "bestmove"}


def translated(line: str, start: str) -> list[str]:
    """What fairy-stockfish is told instead of a line of UGI; `start` is the first position as pysolve writes it."""
    if line == "ugi":
        return ["uci", *OPTIONS]
    if line == "uginewgame":
        return ["ucinewgame"]
    place, _, moves = line.removeprefix("position fen ").partition(" moves ")
    if line.startswith("position "):
        if place != start:
            sys.exit("only games from the first position of breakthrough can be told")
        return [f"position startpos moves {moves}"]
    return [line]


def main() -> None:
    """The process, until `quit` or the end of stdin."""
    if shutil.which(PROGRAM) is None:
        sys.exit(f"there is no {PROGRAM} on the path: apt install fairy-stockfish (Debian, in /usr/games)")
    game = pysolve.load("breakthrough")
    start = words_of(game).text(game.start())
    with subprocess.Popen([PROGRAM], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1) as engine:
        assert engine.stdin is not None
        assert engine.stdout is not None
        for line in map(str.strip, sys.stdin):
            told = translated(line, start)
            engine.stdin.write("\n".join(told) + "\n")
            wanted = ANSWERS.get(told[0].split(" ")[0])
            said = next((one.strip() for one in engine.stdout if one.startswith(wanted)), None) if wanted else ""
            if line == "quit" or said is None:
                return
            if said:
                print("ugiok" if line == "ugi" else said, flush=True)


if __name__ == "__main__":
    main()
