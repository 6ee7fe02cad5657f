"""The page: its own tests, and that the page of the package is built from these sources.

Both need node and the packages of `web/` (`cd web && npm ci`).
"""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

WEB = Path(__file__).parents[1] / "web"
PAGE = Path(__file__).parents[1] / "pysolve" / "page"
pytestmark = pytest.mark.skipif(
    shutil.which("node") is None or not (WEB / "node_modules").is_dir(), reason="needs node and the packages of web/"
)


def _node(*words: str) -> None:
    done = subprocess.run(["node", *words], cwd=WEB, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def _built(folder: Path) -> dict[str, bytes]:
    _node("build.mjs", str(folder))
    return {file.name: file.read_bytes() for file in folder.iterdir()}


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """The files of the page, from these sources."""
    return _built(tmp_path_factory.mktemp("page"))


@pytest.mark.slow
def test_the_page_passes_its_own_tests() -> None:
    tests = sorted(str(file.relative_to(WEB)) for file in (WEB / "test").glob("*.test.ts"))
    assert tests
    _node("--import", "./test/typescript.mjs", "--test", *tests)


@pytest.mark.slow
def test_two_builds_are_equal(built: dict[str, bytes], tmp_path: Path) -> None:
    assert {"app.css", "app.js", "index.html", "licences.txt"} <= built.keys()
    assert built == _built(tmp_path / "other")


def test_the_page_of_the_package_is_the_one_of_these_sources(built: dict[str, bytes]) -> None:
    listed = subprocess.run(["git", "ls-files", "."], cwd=PAGE.parent, capture_output=True, text=True).stdout.split()
    tracked = {file for file in listed if file.startswith("page/")}
    if not tracked:
        pytest.skip("the built page is not in the repository")
    found = {f"page/{name}": data for name, data in built.items()}
    assert found.keys() == tracked
    old = [file for file, data in found.items() if (PAGE.parent / file).read_bytes() != data]
    assert not old, "cd web && npm ci && npm run build, and commit"


def test_the_page_itself_has_no_script_and_no_style() -> None:
    """The content security policy would not let them run."""
    text = (WEB / "src" / "index.html").read_text()
    assert not re.findall(r"<style|<script(?![^>]* src=)|\son\w+=|style=", text)
