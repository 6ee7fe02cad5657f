"""The command web: the page at home."""

from __future__ import annotations

import errno
import threading
from pathlib import Path
from typing import Annotated, Any
from urllib.parse import urlsplit

import typer

from pysolve.cli.arguments import AUTO, EngineChoice, Options, is_setting, options_of
from pysolve.cli.console import put
from pysolve.cli.ending import saying_when_stopped
from pysolve.dsl.text.sources import SUFFIX
from pysolve.game import UnknownGame, find_rules
from pysolve.runtime.optional import check_installed
from pysolve.runtime.paths import PAGE, RULES
from pysolve.web.browsing import show
from pysolve.web.opening import Opening


def web(
    what: Annotated[
        str | None,
        typer.Argument(metavar="FILE|FOLDER|GAME", help="What to open; default: this folder.", show_default=False),
    ] = None,
    words: Options = None,
    port: Annotated[
        int | None,
        typer.Option(
            "--port",
            metavar="NUMBER",
            min=1,
            max=65535,
            show_default=False,
            help="The port to listen to; default: that of the folder, from 8000 on.",
        ),
    ] = None,
    engine: EngineChoice = AUTO,
    browser: Annotated[bool, typer.Option("--open/--no-open", help="Open the browser.")] = True,
) -> None:
    """Write rules and play them in the browser.

    The page begins with a list of games, or with the game or file that is named.
    A game is played, or its rules are written beside the board: they are checked
    while one types. The page lists the rules files of the folder, and saves them
    there; files below the folder only if the folder is named. The server answers
    this machine alone, and there whoever has the address that it prints; Ctrl-C
    ends it. It needs starlette and uvicorn (pip install 'pysolve-games[web]').

    \b
    Examples:
      pysolve web                      the games that are shipped, and this folder
      pysolve web mine.rules           a file
      pysolve web rules/               all files of a folder, and below it
      pysolve web zola size=4 --port 9000
    """
    for library in ("starlette", "uvicorn"):
        check_installed(library, "web", "the page in the browser")
    if not (PAGE / "index.html").is_file():
        raise FileNotFoundError(errno.ENOENT, "the page is not built: cd web && npm ci && npm run build", str(PAGE))
    from pysolve.web.ports import usual_port
    from pysolve.web.server import has_screen, serve  # asyncio, which no other command needs

    if what is not None and is_setting(what):
        words, what = [what, *(words or ())], None
    opening = _opening(what, {"options": options_of(words or ()), "engine": str(engine)})
    usual = usual_port(opening.folder) if port is None else None
    with saying_when_stopped(lambda: "the server has ended"):
        serve(opening, port, lambda address: _say(address, browser and has_screen(), usual))


def _opening(what: str | None, settings: dict[str, Any]) -> Opening:
    """The opening for an argument of the command line: a folder, a shipped game, or a file."""
    if what is None:
        return Opening(Path.cwd(), **settings)
    if Path(what).is_dir():
        return Opening(Path(what), below=True, **settings)
    path = find_rules(what)
    if path.parent == RULES:
        return Opening(Path.cwd(), first=path.stem, **settings)
    if path.suffix != SUFFIX:
        raise UnknownGame(f'"{what}" is not the name of a rules file: it does not end in {SUFFIX}')
    path = path.resolve()
    return Opening(path.parent, first=path.name, **settings)


def _say(address: str, opened: bool, usual: int | None = None) -> None:
    put(f"{address}  (Ctrl-C ends the server)", flush=True)
    if usual is not None and urlsplit(address).port != usual:
        put(f"port {usual} is in use: games that a browser keeps for it are there again when it is free", flush=True)
    if opened:
        threading.Thread(target=show, args=(address,), daemon=True).start()
