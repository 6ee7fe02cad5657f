"""What the tests load, compile and start: counted, so that the quick tests stay quick on every machine.

In: the tests as they run, in one process or in several.  Out: a line at the end; and a failed run where the quick
tests, all of them, did more than `MOST`.  Time differs from machine to machine, these numbers do not: equal programs
count once, in however many processes they are loaded.
"""

from __future__ import annotations

import functools
import hashlib
import sys
from collections.abc import Callable
from typing import Any

import pytest

from pysolve.dsl import check
from pysolve.engines import build
from pysolve.engines.border import Border

# What the quick tests may do.  A test that needs more of one of these is marked `slow`, or plays a game that the others
# play, too.
MOST = {"tests": 3900, "texts checked": 1350, "programs of Prolog": 470, "programs of C": 460, "processes": 115}
TESTS, TEXTS, PROLOG, C, PROCESSES = MOST

_done: dict[str, set[str]] = {name: set() for name in (TEXTS, PROLOG, C)}
_processes: list[str] = []  # the tests in which one was started
_ran: list[str] = []


def _digest(*parts: object) -> str:
    return hashlib.sha256(repr(parts).encode("utf-8", "surrogatepass")).hexdigest()[:16]


def _counted(owner: Any, name: str, what: str, text: Callable[..., object]) -> None:
    """From now on each call of a function counts by the text that it is given."""
    function = getattr(owner, name)

    @functools.wraps(function)
    def counting(*args: Any, **options: Any) -> Any:
        _done[what].add(_digest(text(*args)))
        return function(*args, **options)

    setattr(owner, name, counting)


def _started(event: str, _: object) -> None:
    if event == "subprocess.Popen":
        _processes.append(_ran[-1] if _ran else "")


def pytest_configure(config: pytest.Config) -> None:
    """Begins to count."""
    _counted(check, "check", TEXTS, lambda rules, options, *_: (rules.source, sorted(map(str, options.items()))))
    _counted(Border, "_load_part", PROLOG, lambda _, module, part, text: text)
    _counted(build, "_in_memory", C, lambda text: text)
    _counted(build, "_compile", C, lambda text, compiler, _: (text, compiler.name))
    sys.addaudithook(_started)


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Notes which test runs."""
    _ran.append(item.nodeid)


def pytest_testnodedown(node: Any) -> None:
    """Takes over what a process of this run has done."""
    _take(getattr(node, "workeroutput", {}).get("work", {}))


def _take(work: dict[str, list[str]]) -> None:
    for what, names in work.items():
        _done[what].update(names) if what in _done else {PROCESSES: _processes, TESTS: _ran}[what].extend(names)


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    """Hands over what was done; where all quick tests ran, fails if it was too much."""
    work = {**{what: sorted(names) for what, names in _done.items()}, PROCESSES: _processes, TESTS: _ran}
    if hasattr(session.config, "workeroutput"):
        session.config.workeroutput["work"] = work
    elif all_quick(session.config) and too_much({what: len(names) for what, names in work.items()}):
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    """Says what was done, and of what too much."""
    counts = {TESTS: len(_ran), **{what: len(names) for what, names in _done.items()}, PROCESSES: len(_processes)}
    terminalreporter.write_line(", ".join(f"{number} {what}" for what, number in counts.items()))
    for line in too_much(counts) if all_quick(config) else ():
        terminalreporter.write_line(line, red=True)


def too_much(counts: dict[str, int]) -> list[str]:
    """A line about each thing of which there is more than the quick tests may do."""
    return [f"the quick tests may have {MOST[what]} {what}, not {number}: mark some of them slow (tests/budget.py)"
            for what, number in counts.items() if number > MOST[what]]  # fmt: skip


def all_quick(config: pytest.Config) -> bool:
    """True if the quick tests run, all of them."""
    options = config.option
    return not (options.all or options.long or options.keyword or options.markexpr or _chosen(config))


def _chosen(config: pytest.Config) -> bool:
    return config.args_source is not pytest.Config.ArgsSource.TESTPATHS
