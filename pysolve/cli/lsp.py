"""The command lsp: rules in an editor."""

from __future__ import annotations

from typing import Annotated

import typer

from pysolve.runtime.optional import check_installed


def lsp(
    stdio: Annotated[bool, typer.Option("--stdio", help="Use stdin and stdout; there is no other way.")] = True,
) -> None:
    """Language server for editors.

    An editor starts this command itself and talks to it on stdin and stdout.
    docs/editors.md shows how to set up VS Code, Neovim, Helix and Emacs. It needs
    pygls (pip install 'pysolve-games[editor]').

    \b
    Example:
      pysolve lsp --stdio
    """
    check_installed("pygls", "editor", "a language server")
    from pysolve.ide.lsp.framing import FramingError
    from pysolve.ide.lsp.server import serve  # asyncio and pygls, which no other command needs

    try:
        serve()
    except FramingError:  # the server has told it
        raise typer.Exit(1) from None
