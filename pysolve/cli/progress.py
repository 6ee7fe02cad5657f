"""Progress on stderr, if somebody sees it.

In: how many steps there will be, if that is known.  Out: a bar that grows with them, or a number; it disappears at the
end.
"""

from __future__ import annotations

import time
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


@contextmanager
def counter(what: str, patience: float = 1.0) -> Iterator[Callable[[int], None]]:
    """A function that is told how many more there are; the number is shown after so many seconds."""
    to = console(stderr=True)
    if not to.is_terminal:
        yield lambda _: None
        return
    from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    bar = Progress(SpinnerColumn(), TextColumn("{task.completed:,.0f} " + what), TimeElapsedColumn(), console=to,
                   transient=True)  # fmt: skip
    task, seen, due = bar.add_task("", total=None), 0, time.monotonic() + patience

    def tick(number: int) -> None:
        nonlocal seen, due
        seen += number
        if time.monotonic() > due:
            bar.start()
            bar.update(task, completed=seen)
            due = time.monotonic() + 0.1

    try:
        yield tick
    finally:
        if bar.live.is_started:
            bar.stop()
