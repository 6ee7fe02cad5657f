"""All commands together, and what becomes of errors.

In: a command line.  Out: an exit status: 0, or 1 if something that was checked is wrong, 2 if the command could
not be carried out, 130 after Ctrl-C.
"""

from __future__ import annotations

import warnings
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from pysolve.cli.console import complain, is_mistake, put, remark, visible
from pysolve.cli.exit_status import INTERRUPTED
from pysolve.cli.later import Later
from pysolve.cli.progress import late
from pysolve.runtime.progress import listen
from pysolve.runtime.version import __version__

WRITING, ASKING, PLAYING, MACHINE = "Writing rules", "Positions", "Playing", "Installation"
SEARCHING = "Search and comparison"

# The commands in the order of `pysolve --help`: the panel there, the module, the names.
COMMANDS = (
    (PLAYING, "rules", ("games",)),
    (PLAYING, "sheet", ("rules",)),
    (PLAYING, "play", ("play", "replay")),
    (PLAYING, "web", ("web",)),
    (PLAYING, "export", ("export",)),
    (PLAYING, "engine", ("engine",)),
    (ASKING, "ask", ("show-position", "moves")),
    (ASKING, "counting", ("turns",)),
    (ASKING, "ask", ("why", "query")),
    (ASKING, "counting", ("perft",)),
    (ASKING, "ask", ("svg",)),
    (SEARCHING, "best", ("best", "analyse")),
    (SEARCHING, "solve", ("solve",)),
    (SEARCHING, "lab", ("match", "tournament")),
    (SEARCHING, "balance", ("balance",)),
    (SEARCHING, "tune", ("tune",)),
    (SEARCHING, "learn", ("learn",)),
    (SEARCHING, "refine", ("refine",)),
    (SEARCHING, "policy", ("policy",)),
    (SEARCHING, "calibrate", ("calibrate",)),
    (SEARCHING, "lab", ("store",)),
    (WRITING, "rules", ("new", "check", "fmt", "show")),
    (WRITING, "lsp", ("lsp",)),
    (MACHINE, "machine", ("engines", "cache")),
)


class Commands(TyperGroup):
    """The commands; a mistake in one of them becomes a message, and so does a warning."""

    def __init__(self, **settings: Any):
        super().__init__(**settings)
        for panel, module, names in COMMANDS:
            for name in names:
                self.add_command(Later(name, f"pysolve.cli.{module}", panel))

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Lists the commands, each with the first paragraph of its docstring."""
        for command in self.commands.values():
            if isinstance(command, Later):
                command.summarise()
        super().format_help(ctx, formatter)

    def invoke(self, ctx: Any) -> Any:
        """Runs the command; turns each error that a user can make into a message and an exit code."""
        listen(late)
        try:
            with warnings.catch_warnings():
                warnings.showwarning = lambda message, *_: remark(str(message))
                return super().invoke(ctx)
        except KeyboardInterrupt as stop:
            remark(str(stop) or f"{ctx.invoked_subcommand} stopped; nothing is known yet")
            raise typer.Exit(INTERRUPTED) from None
        except BrokenPipeError:  # whoever read the output has had enough
            raise
        except Exception as error:
            if is_mistake(error):
                complain(error)
                raise typer.Exit(2) from None
            from pysolve.cli.wanted import say_what_is_wanted  # only a few commands are given wrong values

            _say_how_options_are_written(error)
            say_what_is_wanted(error)
            _make_visible(error)
            raise

    def make_context(self, *args: Any, **kwargs: Any) -> Any:
        """Parses the arguments; makes control characters in an error message visible."""
        try:
            return super().make_context(*args, **kwargs)
        except Exception as error:
            _make_visible(error)
            raise


def _say_how_options_are_written(error: Any) -> None:
    """Adds to the complaint about `--size 5` that options of a game have no dashes."""
    if type(error).__name__ != "NoSuchOption" or error.ctx is None:  # of click, wherever typer keeps it
        return
    if {"options", "words"} & {param.name for param in error.ctx.command.params}:
        error.message += f". Options of a game are written without dashes, as in  {error.option_name.lstrip('-')}=5"


def _make_visible(error: Any) -> None:
    """Shows control characters in a complaint about the command line, which typer prints itself."""
    if isinstance(message := getattr(error, "message", None), str):
        error.message = visible(message)


app = typer.Typer(
    name="pysolve",
    cls=Commands,
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode="rich",
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _version(wanted: bool) -> None:
    if wanted:
        put(f"pysolve {__version__}")
        raise typer.Exit


@app.callback()
def pysolve(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Board games written as short rules files: check, explain, play and search them.

    \b
    Examples:
      pysolve games                        the games that are shipped
      pysolve play zola size=4             play with a friend at one keyboard
      pysolve play zola --seat Blue=minimax:time=2
      pysolve new mygame                   create a new rules file
      pysolve check mygame.rules           report its mistakes
    """
