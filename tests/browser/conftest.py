"""`pysolve web`, and the page in a browser, for tests that look at what people see.

They wait for what is to be seen, never for a time.
"""

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.browser.table import Table

PATIENCE = 120_000  # ms after which a test gives up waiting, however busy the machine is
MINE = 'game "Mine" extends "zola"\n'


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder whose rules the page edits."""
    found = tmp_path_factory.mktemp("rules")
    (found / "mine.rules").write_text(MINE)
    return found


@contextmanager
def serving(folder: Path, *words: str) -> Iterator[str]:
    """`pysolve web` in a folder: where its page is.  Games are compiled by tcc alone: no better build takes the time of
    the tests."""
    command = [sys.executable, "-P", "-m", "pysolve", "web", *words, "--no-open"]
    here = str(Path(__file__).parents[2])
    environment = {**os.environ, "PYTHONPATH": here, "PYSOLVE_CC": shutil.which("false") or "false"}
    with subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, text=True, env=environment) as server:
        assert server.stdout is not None
        try:
            yield server.stdout.readline().split()[0]
        finally:
            server.send_signal(signal.SIGINT)
            server.communicate(timeout=60)


@pytest.fixture(scope="session")
def address(playwright: Any, folder: Path) -> Iterator[str]:
    """Where the page is, which begins with the list of games: one server for all tests."""
    with serving(folder) as found:
        yield found


@pytest.fixture
def open_table(browser: Any, address: str) -> Iterator[Callable[..., Table]]:
    """Opens the page, each time as somebody who was never there; nothing in it may go wrong unseen.

    Pieces do not glide, unless a test says so: that is most of what Chromium would do.
    """
    contexts: list[Any] = []
    tables: list[Table] = []

    def begin(width: int = 1440, height: int = 900, **settings: Any) -> Table:
        settings = {"viewport": {"width": width, "height": height}, "reduced_motion": "reduce", **settings}
        context = browser.new_context(**settings)
        context.set_default_timeout(PATIENCE)
        contexts.append(context)
        tables.append(Table(context.new_page(), address))
        return tables[-1]

    yield begin
    for context in contexts:
        context.close()
    for table in tables:
        assert table.errors == []


@pytest.fixture
def table(open_table: Callable[..., Table]) -> Table:
    """The page with Zola: two people play, and the rules are beside the board."""
    found = open_table()
    found.visit_game("zola")
    return found
