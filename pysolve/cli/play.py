"""Commands that play: play, replay."""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import date
from enum import StrEnum
from itertools import islice
from pathlib import Path
from typing import Annotated

import typer

from pysolve.cli.arguments import (
    AUTO,
    GAME_HELP,
    LONGEST,
    AsJson,
    EngineChoice,
    Options,
    PositionText,
    opened,
    position_of,
)
from pysolve.cli.console import put, put_text, remark
from pysolve.cli.files import record_of
from pysolve.cli.keyboard import Left, is_typed
from pysolve.cli.menu import PACE, Choice, ask, default_pause, player_asked_for
from pysolve.cli.recorded import file_named, pace, show, watch
from pysolve.cli.slow import warnings
from pysolve.cli.table import Opinion, Table
from pysolve.dsl import UnknownOption
from pysolve.dsl.errors import listed, nearest
from pysolve.dsl.notation import move_dict
from pysolve.dsl.player_texts import PERSON, UnknownPlayer, names_program
from pysolve.game import Game
from pysolve.notation import pgn
from pysolve.notation import record as records
from pysolve.notation.json_lines import outcome_dict
from pysolve.notation.record import Record, RecordError
from pysolve.players.functions import Player, named_by_a_stranger, player
from pysolve.players.outside.player import outside
from pysolve.players.session import Session


class Dice(StrEnum):
    """Who rolls in a game with chance."""

    seed = "seed"
    ask = "ask"


def play(
    game: Annotated[
        str | None, typer.Argument(metavar="GAME", help=f"{GAME_HELP} Without it a menu asks.", show_default=False)
    ] = None,
    options: Options = None,
    seat: Annotated[
        list[str] | None,
        typer.Option(
            "--seat",
            metavar="PLAYER=WHO",
            help="The program or person of a player, as in Blue=minimax:time=2.",
            show_default=False,
        ),
    ] = None,
    first: Annotated[
        str | None, typer.Option("--first", metavar="WHO", help="Same for the first player.", show_default=False)
    ] = None,
    second: Annotated[
        str | None, typer.Option("--second", metavar="WHO", help="Same for the second player.", show_default=False)
    ] = None,
    seed: Annotated[
        int | None,
        typer.Option(
            "--seed", metavar="NUMBER", help="Seed of all random choices; repeats a game.", show_default=False
        ),
    ] = None,
    position: PositionText = None,
    save: Annotated[
        Path | None, typer.Option("--save", metavar="FILE", help="Save a record to this file.", show_default=False)
    ] = None,
    resume: Annotated[
        Path | None, typer.Option("--resume", metavar="FILE", help="Resume a recorded game.", show_default=False)
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Overwrite a record; resume with changed rules.")] = False,
    engine: EngineChoice = AUTO,
    delay: Annotated[
        float | None,
        typer.Option(
            "--delay",
            min=0,
            max=LONGEST,
            show_default=False,
            help=f"Seconds to wait before a program's move; default: {PACE:g} at a terminal, if a turn has several.",
        ),
    ] = None,
    max_moves: Annotated[int, typer.Option("--max-moves", min=1, help="Stop after this many moves.")] = 1000,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Show moves and result, but no boards.")] = False,
    dice: Annotated[
        Dice, typer.Option("--dice", help="Let the seed of the game roll, or ask for what real dice show.")
    ] = Dice.seed,
    viewer: Annotated[
        str | None,
        typer.Option(
            "--as",
            metavar="PLAYER",
            help="In a game with secrets: show what this player sees, and nothing else.",
            show_default=False,
        ),
    ] = None,
) -> None:
    """Play a game at the keyboard: two people, a person and a program, or two programs.

    A move is typed as the rules write it, as any unambiguous part of that, or as
    its number in the list that moves prints; a whole turn can be typed on one
    line. help explains the rest. Moves can also come from a file.
    Without a game, a menu asks for the game, its options and the players, and
    again after each game.

    A player is one of human, random, greedy (the evaluate block, one move ahead;
    or greedy:turn, greedy:replies=1), minimax (:depth=3, :time=2, :nodes=100000,
    :turns=2, with quiet=captures or search=strong), maxn (the same limits; players for
    themselves), mcts (:playouts=2000, :time=1, with leaf=evaluate), solver, or a
    level that the rules name. With ties=first, last or random, greedy, minimax
    and maxn choose among moves of equal value. Another program may play, too:
    uci:stockfish,depth=5 in chess, gtp:gnugo --mode gtp in Go and Hex,
    ugi:COMMAND with any engine like pysolve engine. The first player is the one
    that the rules list first.

    \b
    Examples:
      pysolve play
      pysolve play zola
      pysolve play conga size=6 --seat White=random
      pysolve play zola --first human --second minimax:time=2
      pysolve play zola --seat Red=random --seat Blue=greedy --seed 7 --delay 0.5
      pysolve play chess --seat Black=uci:stockfish,time=0.5
      pysolve play phantom_tictactoe --as X --second random
      pysolve play zola --save game.txt    and another day
      pysolve play --resume game.txt --save game.txt
    """
    seats = _seats(seat or (), first, second)
    if resume is not None and (game is not None or position is not None):
        raise RecordError("a record contains its game and position: --resume cannot be combined with them")
    if save is not None and save.exists() and save != resume and not force:
        raise FileExistsError(17, "the file exists; choose another one, or use --force", str(save))

    def played(opinion: Opinion, session: Session, record: Record, pause: float | None = delay) -> int:
        if is_typed():
            for text in warnings(session.position, record.players):
                remark(text)
        eyes = None if viewer is None else _viewer(viewer, session)
        return Table(
            session, record, save, _pace(session, pause), max_moves, quiet, opinion, dice is Dice.ask, eyes
        ).play()

    opinion = Opinion()
    if resume is not None:
        raise typer.Exit(played(opinion, *_resumed(resume, seats, seed, force, engine, opinion)))
    if game is not None:
        raise typer.Exit(played(opinion, *_begun(game, options, position, seats, seed, engine, opinion)))
    status, again = 0, False
    while not status and (chosen := _chosen(seats, engine, delay is None and is_typed(), again)) is not None:
        if chosen.recorded is not None:
            watch(chosen.recorded, pace() if delay is None else delay, engine)
            again = True
            continue
        begun = _begun(chosen.game, chosen.options, position, chosen.seats, seed, engine, opinion)
        status = played(opinion, *begun, chosen.pause if delay is None else delay)
        again = True
        if save is not None or not is_typed():
            break
    raise typer.Exit(status)


def _viewer(name: str, session: Session) -> str:
    """The player whose view is shown; raises `UnknownOption` for an unknown name, or where other people play, too."""
    players = session.game.players
    same = [player for player in players if player.lower() == name.lower()]
    if not same:
        hint = nearest(name, players) or f"players are {listed(players)}"
        raise UnknownOption(f'there is no player "{name}": {hint}')
    others = [seat for seat, who in session.seats.items() if who is None and seat != same[0]]
    if others:
        raise UnknownOption(f"--as {same[0]} shows {others[0]} nothing, whom a person plays here, too: "
                            f"give that seat a program, or leave --as out")  # fmt: skip
    return same[0]


def _pace(session: Session, delay: float | None) -> float:
    """The seconds before a program's move: those that are asked for, or by default as many as one needs to follow."""
    if delay is not None:
        return delay
    return default_pause(session.game) if is_typed() else 0


def _chosen(seats: list[str], engine: str, paced: bool, again: bool) -> Choice | None:
    """The choice of a user from the menu; None if the user left it after a game.

    Seats that the command line names are filled in; with `paced` the menu asks for a pause.
    """
    try:
        chosen = ask(engine, bool(seats), paced, again)
    except Left:
        if again or is_typed():
            return None
        raise typer.BadParameter("name a game (see: pysolve games), or --resume a record") from None
    return chosen._replace(seats=[*chosen.seats, *seats])


def _begun(
    name: str, options: Sequence[str] | None, text: str | None, seats: Sequence[str], seed: int | None, engine: str,
    opinion: Opinion,
) -> tuple[Session, Record]:  # fmt: skip
    """A new game."""
    game = opened(name, options, engine)
    words = seat_words(game, seats, {})
    if seed is None:
        seed = random.randrange(1_000_000)
    start = position_of(game, text, seed)
    record = Record(
        game=name,
        options=records.option_words(game),
        rules=game.model.digest,
        players=words,
        seed=seed if game.model.draws_lots or game.model.chances or set(words.values()) != {PERSON} else 0,
        position="" if text is None else records.position_word(start),
        turns_before=start.turns_before,
        date=date.today().isoformat(),
    )
    return Session(start, _players(words, seed, game, opinion), seed), record


def _resumed(
    path: Path, seats: Sequence[str], seed: int | None, force: bool, engine: str, opinion: Opinion
) -> tuple[Session, Record]:
    """A game that goes on where its record ends."""
    record = record_of(path)
    game = records.game_of(record, path.parent, force, engine)
    words = seat_words(game, seats, record.players)
    session = Session(records.beginning(record, game), _players(words, seed, game, opinion), record.seed)
    for move, _ in records.replay(record, game):
        session.play(move)
    if record.result in game.players and session.outcome is None:
        raise RecordError(
            f"this game is over; the winner: {record.result} ({record.termination or 'no reason is given'})"
        )
    return session, replace(record, players=words)


def _seats(seats: Sequence[str], *in_order: str | None) -> list[str]:
    """Seats as PLAYER=WHO; those that were given in the order of the players have its number for a name."""
    return [*(f"{number}={who}" for number, who in enumerate(in_order) if who is not None), *seats]


def seat_words(game: Game, seats: Sequence[str], known: dict[str, str]) -> dict[str, str]:
    """Who sits where: as asked for, or as known, or a person."""
    words = dict[str, str]()
    for seat in seats:
        name, equals, who = seat.partition("=")
        if name.isdigit() and int(name) < len(game.players) and name not in game.players:
            name = game.players[int(name)]
        same = [player for player in game.players if player.lower() == name.lower()]
        if not equals:
            form = f"{(*same, *game.players)[0]}=random"
            raise UnknownOption(f'a seat has the form  --seat {form}, not "{seat}"')
        if not same:
            hint = nearest(name, game.players) or f"its seats are {listed(game.players)}"
            raise UnknownOption(f'{game.title} has no seat "{name}": {hint}')
        if same[0] in words:
            raise UnknownOption(f"{same[0]} is named twice: a seat has one player")
        words[same[0]] = player_asked_for(who, game)
    return {name: words[name] if name in words else _known(name, known.get(name, PERSON)) for name in game.players}


def _known(seat: str, who: str) -> str:
    """A player whom a record names; raises `UnknownPlayer` for one that a stranger must not name."""
    if names_program(who):
        raise UnknownPlayer(f"a record cannot start the program  {who}: name a player, as in  --seat {seat}=random")
    return named_by_a_stranger(who)


def _players(words: dict[str, str], seed: int | None, game: Game, opinion: Opinion) -> dict[str, Player | None]:
    """The players at their seats, each with chance of its own; None is a person, as is whoever no program is called."""
    chance = random.Random(seed)
    numbers = {name: chance.getrandbits(32) for name in words}
    found: dict[str, Player | None] = dict.fromkeys(words)
    for name, who in words.items():
        with suppress(UnknownPlayer):
            if names_program(who):
                found[name] = outside(who).player()
            else:
                found[name] = player(who, numbers[name], game.levels, opinion.hear)
    return found


# ---------------------------------------------------------------------------------------------- replay


def replay(
    file: Annotated[
        Path,
        typer.Argument(
            metavar="FILE", help="A game record; or a game that comes with one: blockade.", show_default=False
        ),
    ],
    to: Annotated[
        int | None, typer.Option("--to", min=0, help="Stop after this many moves.", show_default=False)
    ] = None,
    delay: Annotated[
        float | None,
        typer.Option(
            "--delay",
            min=0,
            max=LONGEST,
            show_default=False,
            help=f"Seconds to wait between moves; default: 0, and {PACE:g} at a terminal if FILE is a game.",
        ),
    ] = None,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Only check the moves.")] = False,
    force: Annotated[bool, typer.Option("--force", help="Replay with changed rules.")] = False,
    engine: EngineChoice = AUTO,
    as_json: AsJson = False,
    as_pgn: Annotated[bool, typer.Option("--pgn", help="Print a game of chess as PGN instead.")] = False,
) -> None:
    """Show a recorded game move by move; every move and the result are checked.

    The exit status is 1 if a move is not legal, or if the rules give another
    result. With --json each move is printed with the position that it leads to.
    A game of chess can also be read from a file in PGN, and written as PGN.

    \b
    Examples:
      pysolve replay blockade
      pysolve replay game.txt --delay 1
      pysolve replay game.txt --to 12
      pysolve replay game.txt --quiet
      pysolve replay game.txt --pgn > game.pgn
    """
    path = file_named(file)
    record = record_of(path)
    game = records.game_of(record, path.parent, force, engine)
    if as_pgn:
        put_text(pgn.written(record, game))
        return
    if as_json:
        raise typer.Exit(_replayed_dict(record, Session(records.beginning(record, game), {}), to))
    if delay is None:
        delay = 0 if path == file else pace()
    try:
        show(record, game, to, delay, quiet)
    except RecordError as error:
        put(f"{file}: {error}")
        raise typer.Exit(1) from None


def _replayed_dict(record: Record, session: Session, to: int | None) -> int:
    """Prints a replay for programs; the exit status."""
    game, error = session.game, None
    try:
        for move, _ in islice(records.replay(record, game), to):
            session.play(move)
    except RecordError as wrong:
        error = str(wrong)
    start, *after = session.positions
    put(json.dumps({
        "game": record.game, "options": game.options, "players": record.players, "start": start.to_dict(),
        "moves": [
            {"mover": before.to_move, **move_dict(game.model, move.numbers), "position": position.to_dict()}
            for before, move, position in zip(session.positions, session.moves, after, strict=False)
        ],
        "outcome": outcome_dict(session.outcome), "result": record.result, "error": error,
    }, ensure_ascii=False))  # fmt: skip
    return 0 if error is None else 1
