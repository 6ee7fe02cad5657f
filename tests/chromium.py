"""The browser of all tests that look at what people see.

It is the system's Chromium, never a downloaded one.  It ends with the tests of a module: while Playwright runs, no
other test of the process can have an event loop, nor a second Playwright.
Where it, Playwright or the built page is missing the tests are skipped.
"""

import shutil
from collections.abc import Iterator
from typing import Any

import pytest

from pysolve.runtime.paths import PAGE

NAMES = "chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"  # the first needs least
CHROMIUM = next((found for name in NAMES if (found := shutil.which(name))), None)
FLAGS = [
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
]  # fmt: skip


@pytest.fixture(scope="session")
def playwright() -> Any:
    """What drives the browser, where all is here that a test in a browser needs."""
    found = pytest.importorskip("playwright.sync_api", reason="needs playwright (pip install '.[browser]')")
    if CHROMIUM is None:
        pytest.skip("needs chromium (apt-get install chromium-headless-shell)")
    if not (PAGE / "index.html").is_file():
        pytest.skip("needs the built page (cd web && npm ci && npm run build)")
    return found


@pytest.fixture(scope="module")
def browser(playwright: Any) -> Iterator[Any]:
    """Chromium, without a window."""
    with playwright.sync_playwright() as started:
        found = started.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield found
        found.close()
