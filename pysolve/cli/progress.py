"""Progress on stderr, if somebody sees it.

In: how many steps there will be.  Out: a bar that grows with them and disappears at the end.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from pysolve.cli.console import console


@contextmanager
def steps(total: int, what: str) -> Iterator[Callable[[str], None]]:
    """A function that is called after each step, with a word on how things stand."""
    to = console(stderr=True)
    if not to.is_terminal:
        yield lambda _: None
        return
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()
    with Progress(*columns, console=to, transient=True) as bar:
        task = bar.add_task(what, total=total)
        yield lambda word: bar.update(task, advance=1, description=word or what)
