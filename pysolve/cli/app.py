"""All commands together, and what becomes of errors.

In: a command line.  Out: an exit status: 0, or 1 if something that was checked is wrong, 2 if the command could
not be carried out, 130 after Ctrl-C.
"""

from __future__ import annotations

import inspect
import warnings
from typing import Annotated, Any

import typer
from rich.markup import escape
from typer.core import TyperGroup

from pysolve import __version__
from pysolve.cli import ask, balance, best, counting, engine, export, lab, lsp, machine, play, rules, solve, tune, web
from pysolve.cli.console import MISTAKES, complain, put, remark, visible
from pysolve.cli.exit_status import INTERRUPTED
from pysolve.cli.progress import late
from pysolve.doing import listen


class Commands(TyperGroup):
    """The commands; a mistake in one of them becomes a message, and so does a warning."""

    def invoke(self, ctx: Any) -> Any:
        """Runs the command; turns each error that a user can make into a message and an exit code."""
        listen(late)
        try:
            with warnings.catch_warnings():
                warnings.showwarning = lambda message, *_: remark(str(message))
                return super().invoke(ctx)
        except KeyboardInterrupt:
            raise typer.Exit(INTERRUPTED) from None
        except BrokenPipeError:  # whoever read the output has had enough
            raise
        except MISTAKES as error:
            complain(error)
            raise typer.Exit(2) from None
        except Exception as error:
            _say_how_options_are_written(error)
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


WRITING, ASKING, PLAYING, MACHINE = "Writing rules", "Positions", "Playing", "Installation"
SEARCHING = "Search and comparison"

for _group, _commands in (
    (PLAYING, (rules.games, play.play, play.replay, web.web, export.export, engine.engine)),
    (ASKING, (ask.show_position, ask.moves, counting.turns, ask.why, ask.query, counting.perft, ask.svg)),
    (SEARCHING, (best.best, best.analyse, solve.solve)),
    (SEARCHING, (lab.match, lab.tournament, balance.balance, tune.tune, lab.store)),
    (WRITING, (rules.new, rules.check, rules.fmt, rules.show, lsp.lsp)),
    (MACHINE, (machine.engines, machine.cache)),
):
    for _command in _commands:
        _help = escape(inspect.getdoc(_command) or "")  # [lab] is an extra, no markup
        app.command(_command.__name__.replace("_", "-"), help=_help, rich_help_panel=_group)(_command)
