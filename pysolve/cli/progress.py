"""Progress on stderr, if somebody sees it; and how long it took.

In: how many steps there will be, if that is known.  Out: a bar that grows with them, or a number; it disappears at the
end.
"""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from pysolve.cli.console import console, is_watched, remark

PATIENCE = 0.5  # seconds after which somebody wants to know what takes so long
EVERY = 30.0  # seconds between lines on a long computation, where they are read later


@contextmanager
def late(what: str, patience: float = PATIENCE) -> Iterator[None]:
    """Says in a terminal what is being done, once it has taken so many seconds."""
    if not is_watched():
        yield
        return
    timer = threading.Timer(patience, lambda: console(stderr=True).print(f"pysolve: {what} …"))
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


@contextmanager
def steps(total: int, what: str) -> Iterator[Callable[[str], None]]:
    """A function that is called after each step, with a word on how things stand."""
    if not is_watched():
        yield lambda _: None
        return
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = TextColumn("{task.description}", markup=False), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()
    with Progress(*columns, console=console(stderr=True), transient=True) as bar:
        task = bar.add_task(what, total=total)
        yield lambda word: bar.update(task, advance=1, description=word or what)


class Clock:
    """Seconds since it was made."""

    def __init__(self) -> None:
        self._began = time.monotonic()

    @property
    def seconds(self) -> float:
        """Seconds since the clock was made, rounded to milliseconds."""
        return round(time.monotonic() - self._began, 3)


@contextmanager
def timed() -> Iterator[Clock]:
    """A clock; how long it took is said at the end, behind what was printed, to somebody at a terminal."""
    clock = Clock()
    try:
        yield clock
    finally:
        if is_watched():
            sys.stdout.flush()
            console(stderr=True).print(f"{clock.seconds:,.1f} s")


Steps = Callable[[], int]  # how many there are, as far as one can tell; that may grow
Where = Callable[[], str]  # a phrase on where a computation is


class Work:
    """The progress of a long computation: its stage, and the steps done in it."""

    def __init__(self) -> None:
        self.begun("", None)

    def begun(self, stage: str, steps: Steps | None, where: Where | None = None) -> None:
        """Notes that a stage has begun."""
        self.stage, self.seen, self.in_all, self._where, self._clock = stage, 0, steps, where, Clock()

    def tick(self, number: int) -> None:
        """Notes that so many more steps are done."""
        self.seen += number

    def told(self) -> str:
        """The progress as a phrase for the message that the work was stopped."""
        return f": {self.phrase()}" if self.stage else ""

    def phrase(self) -> str:
        """The stage, its steps so far and in a second, and where it is, if that is known."""
        rate = f", {round(self.seen / self._clock.seconds):,} a second" if self._clock.seconds >= 1 else ""
        where = "" if self._where is None else self._where()
        return f"{self.stage}, {self.seen:,} so far{rate}{where and '; '}{where}"


@contextmanager
def stages(
    prospect: str, work: Work, patience: float = 1.0
) -> Iterator[tuple[Callable[..., None], Callable[[int], None]]]:
    """A context that shows the stages of a long computation; yields a callback for stages and one for steps.

    In a terminal they are shown after `patience` seconds, below the sentence `prospect` on what the work may take;
    elsewhere a line says every half minute how far it is.
    """
    if not is_watched():
        yield work.begun, _in_lines(work)
        return
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    columns = TextColumn("{task.description}"), BarColumn(), TextColumn("{task.fields[done]}"), TimeElapsedColumn()
    bar = Progress(*columns, console=console(stderr=True), transient=True)
    task, due = bar.add_task("", total=None, done=""), time.monotonic() + patience

    def begun(what: str, steps: Steps | None, where: Where | None = None) -> None:
        work.begun(what, steps, where)
        bar.update(task, description=what, completed=0, total=None, done="", refresh=bar.live.is_started)

    def tick(number: int) -> None:
        nonlocal due
        work.tick(number)
        if time.monotonic() > due:
            total = None if work.in_all is None else work.in_all()
            of = "" if total is None else f" of {total:,}"
            if not bar.live.is_started:
                remark(prospect)
                bar.start()
            bar.update(task, total=total, completed=work.seen, done=f"{work.seen:,}{of}{_memory()}")
            due = time.monotonic() + 0.1

    try:
        yield begun, tick
    finally:
        if bar.live.is_started:
            bar.stop()


def _in_lines(work: Work) -> Callable[[int], None]:
    """A callback for steps that says now and then how far the work is."""
    due = time.monotonic() + EVERY

    def tick(number: int) -> None:
        nonlocal due
        work.tick(number)
        if time.monotonic() >= due:
            remark(work.phrase())
            due = time.monotonic() + EVERY

    return tick


def _memory() -> str:
    """The memory that this process has taken, as text; empty where the system does not tell."""
    try:
        import resource
    except ImportError:  # Windows
        return ""
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)
    return f", {most / 1e9:.1f} GB"


@contextmanager
def counter(what: str, patience: float = 1.0) -> Iterator[Callable[[int], None]]:
    """A function that is told how many more there are; the number is shown after so many seconds."""
    if not is_watched():
        yield lambda _: None
        return
    from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    columns = SpinnerColumn(), TextColumn("{task.completed:,.0f} " + what), TimeElapsedColumn()
    bar = Progress(*columns, console=console(stderr=True), transient=True)
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
