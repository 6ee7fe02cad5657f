"""The site of the documents: every page is there, no link leads nowhere, and no other host is asked for anything."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from importlib.util import find_spec
from pathlib import Path
from threading import Thread
from typing import Any
from urllib.parse import urlsplit

import pytest

from docs.site.blocks import DOCUMENTS, ROOT
from docs.site.links import Places, anchor, chapters, headings, relative
from pysolve.engines.build import NoCompiler
from tests.exported import needs_export

needs_zensical = pytest.mark.skipif(find_spec("zensical") is None, reason="needs zensical (pip install '.[site]')")


def test_a_chapter_is_a_page_and_code_is_none() -> None:
    text = "# A\n\nfirst\n\n## B one\n\n```\n## no heading\n```\n\n### C\n\n## D\n"
    assert chapters(text) == [
        ("", "# A\n\nfirst\n"), ("B one", "# B one\n\n```\n## no heading\n```\n\n## C\n"), ("D", "# D\n"),
    ]  # fmt: skip
    assert headings(text) == ["a", "b-one", "c", "d"]
    assert anchor("13 Show, and positions as text") == "13-show-and-positions-as-text"


def test_links_lead_where_the_files_are_on_the_site() -> None:
    places = Places("https://host/repository")
    places.put("docs/manual.md", "manual/index.md", ["the-language"])
    places.put("docs/manual.md", "manual/4-boards.md", ["4-boards", "shapes"])
    places.put("rules/zola.rules", "gallery/zola.md", [])
    linked = partial(places.linked, file="docs/lab.md", page="lab.md")
    assert linked("[a](manual.md) [b](manual.md#shapes)") == "[a](manual/index.md) [b](manual/4-boards.md#shapes)"
    assert linked("[c](../rules/zola.rules)") == "[c](gallery/zola.md)"
    assert linked("[d](../LICENSE)") == "[d](https://host/repository/blob/main/LICENSE)"
    assert linked("[e](https://x.org/y)") == "[e](https://x.org/y)"
    assert linked("```\n[a](manual.md)\n```") == "```\n[a](manual.md)\n```"
    assert places.linked("[f](#shapes)", "docs/manual.md", "manual/index.md") == "[f](../manual/4-boards.md#shapes)"
    assert relative("a.md", "b/c/d.md") == "../../a.md"


def test_boards_without_a_compiler_say_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("jinja2", reason="needs the extra site (pip install '.[site]')")
    from docs.site import __main__ as building
    from docs.site import gallery

    def missing() -> tuple[str, ...]:
        raise NoCompiler("install zig")

    monkeypatch.setattr(gallery, "compiler", missing)
    monkeypatch.setattr(sys, "argv", ["docs.site", str(tmp_path / "site"), "--boards", "all"])
    with pytest.raises(SystemExit) as ended:
        building.main()
    assert ended.value.code == 1
    assert capsys.readouterr().err == "--boards: install zig\n"
    assert not (tmp_path / "site").exists()


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site, with two games in its gallery."""
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "docs.site", str(folder), "--games", "zola", "tictactoe"]
    if not needs_export.mark.args[0]:
        command += ["--boards", "zola"]
    built = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert built.returncode == 0, built.stdout + built.stderr
    return folder


@pytest.fixture(scope="module")
def address(site: Path) -> Iterator[str]:
    """Where the site is served."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(_Quiet, directory=str(site)))
    Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_: Any) -> None:
        """Prints nothing."""


@pytest.mark.slow
@needs_zensical
def test_every_document_is_a_page(site: Path) -> None:
    for document in DOCUMENTS:
        name = {"README": "", "manual": "manual"}.get(document.stem, document.stem)
        assert (site / name / "index.html").is_file(), document
    assert (site / "manual" / "4-boards" / "index.html").is_file()
    assert (site / "gallery" / "zola.svg").read_text(encoding="utf-8").startswith("<svg")
    assert "Game.with_options" in (site / "api" / "pysolve" / "index.html").read_text(encoding="utf-8")
    assert (site / "tutorial" / "index.html").read_text(encoding="utf-8").count('class="step"') >= 6


@pytest.mark.slow
@needs_zensical
def test_rules_are_in_colour(site: Path) -> None:
    page = (site / "gallery" / "tictactoe" / "index.html").read_text(encoding="utf-8")
    assert re.search(r'<span class="k\w*">move</span>', page)


@pytest.mark.slow
@needs_zensical
def test_a_reader_searches_and_asks_no_other_host(browser: Any, address: str) -> None:
    page = browser.new_page()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(f"{address}/manual/4-boards/")
    page.keyboard.press("Control+k")
    page.keyboard.type("cylinder")
    page.get_by_role("link", name=re.compile("boards", re.IGNORECASE)).first.wait_for()
    page.goto(f"{address}/gallery/")
    assert page.locator(".gallery .game").count() == 2
    page.locator(".gallery .game", has_text="Tic-tac-toe").click()
    page.get_by_role("heading", name="Balance").wait_for()
    assert {urlsplit(url).netloc for url in asked if url.startswith("http")} == {urlsplit(address).netloc}
    page.close()


@pytest.mark.slow
@needs_zensical
@needs_export
def test_the_board_of_a_game_is_played_on_its_page(browser: Any, address: str) -> None:
    page = browser.new_page()
    page.goto(f"{address}/gallery/zola/")
    board = page.frame_locator("iframe.board")
    for cell in ("a1", "b1"):
        board.locator(f'[data-cell="{cell}"]').first.click(force=True)
    board.get_by_role("button", name="Undo", disabled=False).wait_for()
    page.close()
