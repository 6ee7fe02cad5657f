"""A recorded game, shown move by move; rules may come with one.

In: a record and its game.  Out: boards and moves on the screen, each after a pause.
"""

from __future__ import annotations

import time
from itertools import islice
from pathlib import Path

from pysolve.cli.console import console, counted, put, put_board, put_words
from pysolve.cli.files import record_of
from pysolve.cli.keyboard import is_typed
from pysolve.cli.menu import PACE
from pysolve.display.changes import last_changed
from pysolve.game import Game, UnknownGame, find_rules, load
from pysolve.notation import record as records
from pysolve.notation.record import Record, RecordError
from pysolve.players.session import Session
from pysolve.runtime.paths import RULES


def heading(record: Record, game: Game) -> str:
    """The title of a game and its players, as text."""
    options = "".join(f", {name}={value}" for name, value in record.options.items())
    players = [f"{name}: {who}" for name, who in record.players.items()]
    seed = [f"seed {record.seed}"] if record.seed else []
    return "\n".join([f"{game.title}{options}", ", ".join(players + seed)]).rstrip()


def file_named(word: Path) -> Path:
    """The record that a word names: a file, or a game that comes with one.

    Raises `RecordError` for a game without.
    """
    if word.exists() or str(word) == "-":
        return word
    try:
        game = load(find_rules(str(word)))
    except UnknownGame:
        return word
    found = records.beside(game)
    if found is None:
        names = sorted(path.stem for path in RULES.glob(f"*{records.SUFFIX}"))
        raise RecordError(f"{word} comes without a recorded game; these have one: {', '.join(names)}")
    return found


def pace() -> float:
    """Seconds between the moves of a game that somebody watches, if nobody says otherwise."""
    return PACE if is_typed() else 0


def show(record: Record, game: Game, to: int | None, delay: float, quiet: bool = False) -> Session:
    """Shows a record up to a number of moves; raises `RecordError` at a move that the rules do not allow."""
    session, out = Session(records.beginning(record, game), {}), console()
    put_words(out, heading(record, game))
    if not quiet:
        put_board(out, session.position)
    for move, _ in islice(records.replay(record, game), to):
        session.play(move)
        if not quiet:
            time.sleep(delay)
            put(f"\n{session.entry(len(session.moves))}")
            put_board(out, session.position, last_changed(session.position, move).places)
    put(f"\n{result_of(record, session)}\n{counted(len(session.moves), 'move')}, all legal.")
    return session


def watch(file: Path, delay: float, engine: str) -> None:
    """Shows the game that comes with rules; Ctrl-C ends it."""
    put("A recorded game; Ctrl-C ends it.\n")
    try:
        record = record_of(file)
        show(record, records.game_of(record, file.parent, engine=engine), None, delay)
    except KeyboardInterrupt:
        put("\nThe recorded game was left.")


def result_of(record: Record, session: Session) -> str:
    """The result of a recorded game as a sentence, or that it goes on."""
    if session.outcome is not None:
        return session.outcome.sentence
    if len(session.moves) < len(record.moves) or record.result not in (*session.game.players, records.DRAW):
        return f"{session.position.to_move} to move"
    reason = record.termination or "no reason is given"
    return f"Draw: {reason}" if record.result == records.DRAW else f"The winner: {record.result} ({reason})"
