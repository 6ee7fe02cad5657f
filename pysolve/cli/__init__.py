"""The command `pysolve`: arguments in, words out.  Only this package prints.

app         the commands together, and what becomes of errors
later       a command whose module is imported when it is called
wanted      what an option takes, where it was given something else
ending      the end of a command after Ctrl-C
arguments   what several commands take: a game, its options, a position
console     where and in which colours is printed
files       what they read and write
rules       check, show, fmt, new, games: for somebody who writes rules
ask         moves, why, query, svg, show-position: questions about a position
counting    turns, perft: whole turns and sequences of moves, listed and counted
play        play, replay: games
best        best, analyse: what a search says of a position, of a game
solve       solve: who wins by best play, with a proof; the check of a proof
lab         match, tournament, store: many games between programs, and those that were kept
balance     balance: many games between equals
tune        tune: weights learned from games
refine      refine: learned values, fitted to deeper searches
calibrate   calibrate: which techniques of the strong search gain
web         web: the page in the browser
playing     what these share: who plays, where games are kept
progress    how far something is, on stderr
machine     engines, cache: what is here
table       the table at which a game is played: prompts, commands, announcements
slow        players who may take long for a move
menu        what is asked where `play` is called without a game
typed       what a person types at a move prompt, as moves
keyboard    lines that are typed, or come from a file
sheet       the rules of a game in prose
exit_status what the shell is told at the end
"""

from __future__ import annotations

import sys
from io import TextIOWrapper

from pysolve.cli.ending import ending_at_once, leave
from pysolve.cli.exit_status import INTERRUPTED


def main() -> None:
    """Runs the command line of this process."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")  # a terminal that lacks a sign shows another one
    try:
        with ending_at_once():
            from pysolve.cli.app import app

        app()
    except KeyboardInterrupt:
        leave()
    except SystemExit as end:
        if end.code == INTERRUPTED:
            leave()
        raise
