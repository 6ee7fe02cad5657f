"""Fairy-Stockfish as a player of Breakthrough: `pysolve match breakthrough "ugi:python -m benchmarks.fairy,time=0.3" …`

In: UGI on stdin, as pysolve speaks it to programs.  Out: UGI on stdout.  Between them runs fairy-stockfish, which plays
this game under UCI and writes its moves in the same way (a2a3).  Only whole games are told, from the first position on.
"""

from __future__ import annotations

import re
import subprocess
import sys

PROGRAM = "fairy-stockfish"  # 11.1 or later
OPTIONS = ("setoption name UCI_Variant value breakthrough", "setoption name Threads value 1")


def main() -> None:
    """The process, until `quit` or the end of stdin."""
    with subprocess.Popen([PROGRAM], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1) as engine:
        assert engine.stdin is not None
        assert engine.stdout is not None
        for line in map(str.strip, sys.stdin):
            told = re.sub(r"^position fen .*?(?= moves |$)", "position startpos", line)
            words = ["uci", *OPTIONS] if line == "ugi" else ["ucinewgame" if line == "uginewgame" else told]
            engine.stdin.write("\n".join(words) + "\n")
            wanted = {"ugi": "uciok", "isready": "readyok", "go": "bestmove"}.get(line.split(" ")[0], "")
            while wanted and (said := engine.stdout.readline()):
                if said.startswith(wanted):
                    print("ugiok" if line == "ugi" else said.strip(), flush=True)
                    break
            if line == "quit":
                return


if __name__ == "__main__":
    main()
