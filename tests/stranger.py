"""A small program that plays by UCI, UGI or GTP, in whatever way a test needs.

    python stranger.py FILE PROTOCOL HOW MOVE...

It answers with the moves, one after the other.  FILE gets its process number, and then each line that it hears.  HOW:
well; silent, dead or broken, where it should move; loud (it says much before each answer); endless (it says much, and
never answers); stubborn (it does not end, and neither does a program that it starts, whose process number goes to
FILE.child); leaving (it ends, but not what it has started: FILE.child, and FILE.far in a session of its own); deserting
(the same, instead of a move); rude (it refuses what is played).
"""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path


def main(file: str, protocol: str, how: str, *moves: str) -> None:
    """Talks until it is told to quit."""
    heard, answers = Path(file), iter(moves)
    heard.write_text(f"{os.getpid()}\n", encoding="utf-8")
    if how == "stubborn":
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    if how in ("stubborn", "leaving", "deserting"):
        start(f"{file}.child")
    if how in ("leaving", "deserting"):
        start(f"{file}.far", apart=True)
    for line in sys.stdin:
        with heard.open("a", encoding="utf-8") as file_of_lines:
            file_of_lines.write(line)
        words = line.split()
        if words == ["quit"]:
            break
        if protocol == "gtp":
            answer_gtp(words, how, answers)
        else:
            answer_uci(words, protocol, how, answers)
    while how == "stubborn":
        time.sleep(1)


def start(file: str, apart: bool = False) -> None:
    """Starts a program that does not end by itself, and writes its process number to a file."""
    child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(1000)"], start_new_session=apart)
    Path(file).write_text(f"{child.pid}\n", encoding="utf-8")


def say(line: str) -> None:
    """Says a line."""
    print(line, flush=True)


def fail(how: str) -> None:
    """Does what should not be done where a move is due."""
    if how == "silent":
        time.sleep(1000)
    if how in ("dead", "deserting"):
        say("info string I am tired")
        raise SystemExit(3)
    if how == "broken":
        raise ValueError("no move comes to my mind")


def answer_uci(words: list[str], protocol: str, how: str, answers: object) -> None:
    """UCI or UGI."""
    if words == [protocol]:
        say("id name stranger")
        say("option name Skill Level type spin default 20 min 0 max 20")
        say("option name Ponder type check default false")
        say(f"{protocol}ok")
    elif words == ["isready"]:
        say("readyok")
    elif words[0] == "go":
        fail(how)
        while how == "endless":
            say("info string I have much to say")
        for number in range(5000 if how == "loud" else 1):
            say(f"info depth {number}")
        say(f"bestmove {next(answers)} ponder a1a1")  # type: ignore[call-overload]


def answer_gtp(words: list[str], how: str, answers: object) -> None:
    """GTP."""
    if words[0] == "genmove":
        fail(how)
        say(f"= {next(answers)}\n")  # type: ignore[call-overload]
    elif words[0] == "play" and how == "rude":
        say("? illegal move\n")
    else:
        say("=\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
