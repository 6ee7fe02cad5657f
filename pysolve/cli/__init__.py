"""The command `pysolve`: arguments in, words out.  Only this package prints.

app         the commands together, and what becomes of errors
arguments   what several commands take: a game, its options, a position
console     where and in which colours is printed
rules       check, show, fmt, new, games: for somebody who writes rules
ask         moves, why, query, perft, svg, show-position: questions about a position
play        play, replay: games
table       the table at which a game is played: prompts, commands, announcements
"""

from __future__ import annotations


def main() -> None:
    """Runs the command line of this process."""
    try:
        from pysolve.cli.app import app

        app()
    except KeyboardInterrupt:
        raise SystemExit(130) from None
