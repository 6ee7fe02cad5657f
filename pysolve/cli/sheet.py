"""The command rules: the rules of a game in prose.

In: a game.  Out: its sheet in the terminal, as Markdown or as JSON.
"""

from __future__ import annotations

import json
from pathlib import Path
from textwrap import wrap
from typing import TYPE_CHECKING, Annotated

import typer

from pysolve.authoring.sheet import Sheet, sheet_of
from pysolve.authoring.sheet_text import Line, lines, markdown
from pysolve.cli.arguments import AsJson, GameName, Options, opened
from pysolve.cli.console import console, put, put_text
from pysolve.cli.files import check_writable
from pysolve.runtime.files import write_whole

if TYPE_CHECKING:
    from rich.console import Console

WIDTH = 80  # of a line, at most: longer ones are hard to read
STYLES = {"title": "bold cyan", "heading": "bold", "name": "bold", "soft": "dim"}


def rules(
    game: GameName,
    options: Options = None,
    as_markdown: Annotated[bool, typer.Option("--markdown", help="Print Markdown.")] = False,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="FILE", help="Write to a file: Markdown, or JSON.", show_default=False),
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Overwrite the file.")] = False,
    as_json: AsJson = False,
) -> None:
    """Print the rules of a game in plain words, for people who want to play it.

    The sheet says who plays, how the game begins, what each kind of move is and
    how it is written, how the game ends, and what can be set. It is made of what
    the rules file says: about, the reasons of its demands and of its endings.
    With options, it tells the rules as they then are.

    \b
    Examples:
      pysolve rules zola
      pysolve rules zola size=4
      pysolve rules mygame.rules --markdown -o mygame.md
      pysolve rules chess --json
    """
    if as_markdown and as_json:
        raise typer.BadParameter("--markdown and --json exclude each other")
    if output is not None:
        check_writable(output, force)
    sheet = sheet_of(opened(game, options))
    text = json.dumps(sheet.to_dict(), indent=2, ensure_ascii=False) + "\n" if as_json else markdown(sheet)
    if output is not None:
        write_whole(output, text)
        put(f"{output} is written.")
    elif as_markdown or as_json:
        put_text(text)
    else:
        put_sheet(console(), sheet)


def put_sheet(to: Console, sheet: Sheet) -> None:
    """Prints a sheet; a terminal has short lines, and headings that stand out."""
    from rich.text import Text

    for line in lines(sheet):
        for text in _folded(line, to.width) if to.is_terminal else [" " * line.indent + line.text]:
            to.print(Text(text, STYLES.get(line.kind, ""), no_wrap=line.kind == "drawing"))


def _folded(line: Line, width: int) -> list[str]:
    """A line as lines that are not too long."""
    first = " " * line.indent
    if line.kind == "drawing" or not line.text:
        return [first + line.text]
    behind = first + ("  " if line.text.startswith("- ") else "")
    return wrap(line.text, min(width, WIDTH), initial_indent=first, subsequent_indent=behind) or [""]
