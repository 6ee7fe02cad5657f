"""The board in a notebook: what a person does on it reaches Python, and it is apart from the notebook around it."""

from pathlib import Path
from typing import Any

import pytest

import pysolve
from pysolve.runtime.paths import WIDGET
from pysolve.service import Refused

pytestmark = pytest.mark.slow

# A notebook as anywidget sees it: a model whose messages go to Python and back.
NOTEBOOK = """<!doctype html><title>Notebook</title><body style="background: %s"><div id="out"></div>
<script type="module">
import widget from "/notebook.js";
const values = await begin();
const heard = [];
widget.render({ el: document.getElementById("out"), model: {
  get: (name) => values[name],
  set: (name, value) => { values[name] = value; },
  save_changes: () => saveLine(values.line),
  send: async (content) => { for (const one of await toPython(content)) for (const hears of heard) hears(one); },
  on: (_, hears) => heard.push(hears),
  off: () => {},
} });
document.addEventListener("keydown", (event) => { document.title += event.key; });
</script>"""


class Notebook:
    """A page with the board of a position, and what becomes of it in Python."""

    def __init__(self, page: Any, position: pysolve.Position, ground: str = "#ffffff"):
        from pysolve.display.notebook import Board

        self.page, self.board = page, Board(position)
        page.expose_function("begin", lambda: {"game": self.board.game, "line": self.board.line})
        page.expose_function("saveLine", self._save)
        page.expose_function("toPython", self._answers)
        page.route("http://notebook.test/**", lambda route: route.fulfill(**self._file(route.request.url, ground)))
        page.goto("http://notebook.test/")
        self.frame = page.frame_locator("iframe[title=Board]")
        self.frame.get_by_role("grid").wait_for()

    @staticmethod
    def _file(url: str, ground: str) -> dict[str, str]:
        if url.endswith(".js"):
            return {"body": Path(WIDGET).read_text(encoding="utf-8"), "content_type": "text/javascript"}
        return {"body": NOTEBOOK % ground, "content_type": "text/html"}

    def _save(self, line: dict[str, Any]) -> None:
        self.board.line = line

    def _answers(self, content: dict[str, Any]) -> list[Any]:
        found: list[Any] = []
        self.board.send = found.append
        self.board._handle_custom_msg(content, [])
        return found

    def click(self, *cells: str) -> None:
        for cell in cells:
            self.frame.get_by_role("gridcell", name=cell).first.click(force=True)

    def says(self, text: str) -> None:
        self.frame.get_by_text(text).first.wait_for()


@pytest.fixture
def page(browser: Any) -> Any:
    pytest.importorskip("anywidget")
    if not WIDGET.is_file():
        pytest.skip("needs the built page (cd web && npm ci && npm run build)")
    context = browser.new_context(viewport={"width": 900, "height": 700})
    yield context.new_page()
    context.close()


def test_what_is_played_on_the_board_is_played_in_python(page: Any) -> None:
    start = pysolve.load("zola", size=4).start()
    notebook = Notebook(page, start)
    notebook.says("16 moves")
    notebook.click("a1", "b1")
    notebook.says("Blue to move")
    assert notebook.board.position == start.play("a1xb1")
    notebook.frame.get_by_role("button", name="Undo").click()
    notebook.says("Red to move")
    assert notebook.board.position == start


def test_a_move_that_is_not_legal_is_explained(page: Any) -> None:
    notebook = Notebook(page, pysolve.load("zola", size=4).start())
    notebook.click("a1", "d1")
    notebook.frame.get_by_role("dialog", name="Why this is not legal").wait_for()
    notebook.says("a1 → d1 is not legal")


def test_what_went_wrong_is_said(page: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    notebook = Notebook(page, pysolve.load("zola", size=4).start())

    def refuses(*_: object) -> object:
        raise Refused("limit", "Python has no room for this")

    monkeypatch.setattr(notebook.board._service, "answer", refuses)
    notebook.click("a1", "b1")
    notebook.frame.get_by_role("alert").get_by_text("Python has no room for this").wait_for()


def test_keys_of_the_notebook_are_its_own(page: Any) -> None:
    start = pysolve.load("zola", size=4).start()
    notebook = Notebook(page, start)
    notebook.click("a1", "b1")
    notebook.says("Blue to move")
    page.mouse.click(880, 20)  # beside the board
    page.keyboard.press("u")
    assert page.title() == "Notebooku"
    assert notebook.board.position == start.play("a1xb1")


@pytest.mark.parametrize(("ground", "scheme"), [("#ffffff", "light"), ("#111111", "dark")])
def test_the_board_is_light_or_dark_as_the_notebook_is(page: Any, ground: str, scheme: str) -> None:
    notebook = Notebook(page, pysolve.load("zola", size=4).start(), ground)
    assert notebook.frame.locator("html").get_attribute("data-scheme") == scheme


def test_texts_of_rules_run_nothing_in_the_notebook(page: Any) -> None:
    hostile = "<img src=x onerror='parent.document.title=1'>"
    rules = f'game "{hostile}"\nplayers Ann, Bob\nboard square 2 by 1\nstate\n  at(cell): player or none\n'
    rules += f'move put(to: cell)\n  when\n    at(to) = none  else "{hostile}"\n  do\n    at(to) := mover\n'
    rules += "stuck\n  mover loses\n"
    notebook = Notebook(page, pysolve.load(rules).start().play("put a1"))
    notebook.click("a1")
    notebook.says(hostile)
    assert page.title() == "Notebook"
    assert notebook.frame.locator("img").count() == 0
