"""Commands whose modules are imported when they are called.

In: the name of a command, and the module that has a function of that name.  Out: the command; for the list of all
commands only the first paragraph of its docstring, which is read from the source.
"""

from __future__ import annotations

import inspect
import re
from functools import cache
from importlib import import_module
from importlib.abc import InspectLoader
from importlib.util import find_spec
from typing import Any

import typer
from typer.core import TyperCommand

from pysolve.cli.ending import ending_at_once


class Later(TyperCommand):
    """A command by its name; its function, parameters and help come with its module."""

    def __init__(self, name: str, module: str, panel: str):
        super().__init__(name, rich_help_panel=panel)
        self.module = module
        self.function = name.replace("-", "_")

    def make_context(self, *args: Any, **kwargs: Any) -> Any:
        """Parses the arguments as those of the whole command, which is called in the end."""
        return self.whole().make_context(*args, **kwargs)

    def whole(self) -> Any:
        """The command as typer makes it of its function."""
        with ending_at_once():
            function = getattr(import_module(self.module), self.function)
        alone = typer.Typer(rich_markup_mode="rich", add_completion=False)
        alone.command(self.name, help=_shown(inspect.getdoc(function) or ""))(function)
        return typer.main.get_command(alone)

    def summarise(self) -> None:
        """Takes the first paragraph of the docstring for its help, without importing the module."""
        found = re.search(rf'^def {self.function}\(.+?^    """(.+?)(?:\n\n|""")', _source(self.module), _ANYWHERE)
        assert found is not None, self.function
        self.help = _shown(inspect.cleandoc(found[1]))


_ANYWHERE = re.DOTALL | re.MULTILINE


@cache
def _source(module: str) -> str:
    """The text of a module, wherever it lies."""
    found = find_spec(module)
    assert found is not None
    assert isinstance(found.loader, InspectLoader)
    return found.loader.get_source(module) or ""


def _shown(text: str) -> str:
    """A text as rich takes it where it looks for markup: [lab] is an extra."""
    if "[" not in text:
        return text
    from rich.markup import escape

    return escape(text)
