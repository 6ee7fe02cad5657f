"""The command export: a game as one file for a browser."""

from __future__ import annotations

import webbrowser
from pathlib import Path
from typing import Annotated

import typer

from pysolve.cli.arguments import GameName, Options, opened
from pysolve.cli.console import put, remark
from pysolve.cli.files import check_writable
from pysolve.cli.play import seat_words
from pysolve.dsl.player_texts import PERSON
from pysolve.export.description import refuse_unknown
from pysolve.export.page import exported
from pysolve.export.programs import playable
from pysolve.export.whole import levels_of
from pysolve.game import Game, find_source
from pysolve.runtime.files import write_whole
from pysolve.runtime.paths import RULES
from pysolve.service.games import Opened


def export(
    game: GameName,
    options: Options = None,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="FILE", help="The file; default: the game's name.", show_default=False),
    ] = None,
    level: Annotated[
        str | None,
        typer.Option("--level", metavar="PLAYER", help="Who plays against the first player.", show_default=False),
    ] = None,
    seat: Annotated[
        list[str] | None,
        typer.Option("--seat", metavar="NAME=PLAYER", help="Who plays a side, as in Blue=hard.", show_default=False),
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Overwrite the file.")] = False,
    open_it: Annotated[bool, typer.Option("--open", help="Open the file in the browser.")] = False,
) -> None:
    """Write a game as one HTML file that opens from disk and needs no network.

    The file has the rules with these options, the board, the game's levels as
    opponents, and the reasons why a move is not legal. Sides that are not named
    are played by people; whoever opens the file can change that. The rules of
    another game by which a level thinks (by=...) are packed in, and so is what
    was learned (values=..., policy=...). A player that solves games cannot be
    exported, nor a game with secrets, which the file would hold, or one that pays
    numbers. It needs a compiler that makes WebAssembly: zig
    (pip install 'pysolve-games[zig]'), or clang with lld.

    \b
    Examples:
      pysolve export zola size=4 --level hard
      pysolve export mygame.rules -o mygame.html --force --open
      pysolve export chess --seat Black=easy
    """
    played = opened(game, options)
    refuse_unknown(played.model)
    path = output or Path(f"{played.name}.html")
    check_writable(path, force)
    found = _opened(game, played)
    seats = _seats(played, level, seat or [])
    for name, why in levels_of(played)[1].items():
        remark(f"the level {name} is left out: {why}")
    text = exported(found, seats)
    write_whole(path, text)
    put(f"{path}: {len(text.encode()) / 1000:,.0f} kB")
    if open_it:
        webbrowser.open(path.resolve().as_uri())


def _opened(name: str, played: Game) -> Opened:
    """The game as the page knows it: a shipped one by its name, another one by that of its file."""
    source, _ = find_source(name)
    path = Path(source.name)
    return Opened(path.stem if path.parent == RULES else path.name, source, played)


def _seats(played: Game, level: str | None, seats: list[str]) -> dict[str, str]:
    """Who plays which side, besides people; raises `UnknownPlayer` for somebody who cannot be exported."""
    if level is not None and len(played.players) == 1:
        (alone,) = played.players
        raise typer.BadParameter(f"--level is for whoever plays against the first player: use --seat {alone}={level}")
    if level is not None:
        playable(level, played)
    words = seat_words(played, seats, {} if level is None else dict.fromkeys(played.players[1:], level))
    found = {name: who for name, who in words.items() if who != PERSON}
    for who in found.values():
        playable(who, played)
    return found
