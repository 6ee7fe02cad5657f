"""The gallery: a page for each shipped game, and one with the pictures of all.

In: the shipped games.  Out: Markdown from `templates/`, and pictures and boards beside it.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader

import pysolve
from docs.site.links import read
from pysolve.engines.build import NoCompiler
from pysolve.export.wasm import compiler
from pysolve.game import Game
from pysolve.search.playouts import playouts

GAMES = 400  # random games, from which the figures of balance come
LONGEST = 2_000
FEW = 8  # values of an option that are all listed


def catalogue(names: list[str]) -> list[dict[str, Any]]:
    """What `pysolve games --json` says of the shipped games: of those with these names, or of all."""
    found = subprocess.run([sys.executable, "-m", "pysolve", "games", "--json"], capture_output=True, check=True)
    games: list[dict[str, Any]] = json.loads(found.stdout)
    return [game for game in games if not names or game["name"] in names]


def write(games: list[dict[str, Any]], folder: Path, boards: list[str]) -> None:
    """Writes the pages of the games, and for those in `boards` the exported board."""
    templates = Environment(loader=FileSystemLoader(Path(__file__).parent / "templates"), trim_blocks=True)
    templates.filters["shortened"] = _shortened
    folder.mkdir(parents=True, exist_ok=True)
    for facts in games:
        name = facts["name"]
        game = pysolve.load(name)
        (folder / f"{name}.svg").write_text(game.start().svg(size=360), encoding="utf-8")
        if name in boards:
            _export(name, folder / f"{name}-board.html")
        page = templates.get_template("game.md").render(
            game=facts, board=name in boards, random=_random_games(game), rules=read(f"rules/{name}.rules").rstrip()
        )
        (folder / f"{name}.md").write_text(page, encoding="utf-8")
    index = templates.get_template("gallery.md").render(games=games)
    (folder / "index.md").write_text(index, encoding="utf-8")


def _random_games(game: Game) -> dict[str, Any]:
    """Who wins games of random moves, and how long they are."""
    found = playouts(game.engine, game.start().state, games=GAMES, seed=1, longest=LONGEST)
    return {
        "games": GAMES, "longest": LONGEST, "length": found.moves / GAMES,
        "won": [(name, won / GAMES) for name, won in zip(game.players, found.wins, strict=True)],
        "drawn": found.draws / GAMES, "unfinished": found.unfinished / GAMES,
    }  # fmt: skip


def _shortened(values: list[str]) -> str:
    return ", ".join(values) if len(values) <= FEW else f"{values[0]}, {values[1]}, … {values[-1]}"


def no_boards() -> str:
    """Why no board can be made here, and what to install; "" if boards can be made."""
    try:
        compiler()
    except NoCompiler as error:
        return str(error)
    return ""


def _export(name: str, file: Path) -> None:
    command = [sys.executable, "-m", "pysolve", "export", name, "--force", "-o", str(file)]
    made = subprocess.run(command, check=False, capture_output=True, text=True)
    if made.returncode:
        raise SystemExit(f"the board of {name} cannot be made: {made.stderr.strip()}")
