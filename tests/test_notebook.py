"""A position in a notebook: the widget answers what its page asks, and elsewhere there is the picture."""

import json
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import pysolve
from pysolve.display import ipython
from pysolve.runtime import paths

VIEW = "application/vnd.jupyter.widget-view+json"


@pytest.fixture
def board_class(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """`Board`, whose page need not be built."""
    pytest.importorskip("anywidget")
    script = tmp_path / "notebook.js"
    script.write_text("export default { render() {} };")
    monkeypatch.setattr(paths, "WIDGET", script)
    monkeypatch.delitem(sys.modules, "pysolve.display.notebook", raising=False)
    from pysolve.display.notebook import Board

    return Board


def shown_by_ipython(monkeypatch: pytest.MonkeyPatch, position: pysolve.Position, **shell: object) -> Any:
    """What IPython displays besides the picture, where its shell has these attributes."""
    display = pytest.importorskip("IPython.core.formatters").DisplayFormatter()
    running = SimpleNamespace(display_formatter=display, **shell)
    monkeypatch.setitem(sys.modules, "IPython", SimpleNamespace(get_ipython=lambda: running))
    ipython.register()
    shown, _about = display.mimebundle_formatter(position)
    return shown


def asked(board: Any, question: str, **about: Any) -> list[dict[str, Any]]:
    """What the page hears when it asks."""
    heard: list[dict[str, Any]] = []
    board.send = heard.append
    board._handle_custom_msg({"view": "v", "number": 7, "question": question, "asked": about}, [])
    assert {(one.pop("view"), one.pop("number")) for one in heard} == {("v", 7)}
    json.dumps(heard, allow_nan=False)
    return heard


def test_the_board_answers_about_its_game(board_class: Any) -> None:
    start = pysolve.load("zola", size=4).start()
    board = board_class(start.play("a1xb1"))
    assert board.game["title"] == "Zola"
    [told] = asked(board, "state", game=board.game["id"], line=board.line)
    state = told["answer"]
    assert (state["mover"], len(state["moves"])) == ("Blue", len(start.play("a1xb1").legal_moves))
    [why] = asked(board, "why", game=board.game["id"], line=board.line, move="a2-a3")
    assert why["answer"]["legal"] is False


def test_the_page_hears_parts_of_an_answer(board_class: Any) -> None:
    class Counting:
        def answer(self, question: str, about: Any, heard: Any) -> Any:
            for number in range(about["to"]):
                heard(number)
            return question

    board = board_class(pysolve.load("zola", size=4).start())
    board._service = Counting()
    assert asked(board, "count", to=2) == [{"part": 0}, {"part": 1}, {"answer": "count"}]


def test_a_question_that_cannot_be_answered_is_a_failure(board_class: Any) -> None:
    board = board_class(pysolve.load("zola", size=4).start())
    [told] = asked(board, "state", game="other", line=board.line)
    assert told["failure"]["kind"] == "gone"


def test_the_board_knows_the_position_that_was_played_on_it(board_class: Any) -> None:
    start = pysolve.load("zola", size=4).start()
    board = board_class(start)
    assert board.position == start
    board.line = {**board.line, "moves": ["a1xb1"]}
    assert board.position == start.play("a1xb1")


@pytest.mark.slow
def test_a_position_keeps_its_past(board_class: Any) -> None:
    """In chess the same position three times is a draw: those before the board was shown count."""
    position = pysolve.load("chess").start()
    for move in ["g1f3", "g8f6", "f3g1", "f6g8", "g1f3", "g8f6", "f3g1"]:
        position = position.play(move)
    board = board_class(position)
    board.line = {**board.line, "moves": ["f6g8"]}
    assert board.position.outcome == position.play("f6g8").outcome is not None


def test_a_notebook_shows_a_board(board_class: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    position = pysolve.load("zola", size=4).start()
    shown = shown_by_ipython(monkeypatch, position, kernel=object())
    assert list(shown) == [VIEW]
    assert len(shown[VIEW]["model_id"]) >= 32
    assert position._repr_svg_().startswith("<svg")


def test_a_terminal_shows_no_board(board_class: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    assert shown_by_ipython(monkeypatch, pysolve.load("zola", size=4).start()) == {}


@pytest.mark.parametrize("module", [None, SimpleNamespace(), SimpleNamespace(get_ipython=lambda: None)])
def test_without_a_shell_nothing_is_registered(monkeypatch: pytest.MonkeyPatch, module: object) -> None:
    monkeypatch.setitem(sys.modules, "IPython", module)
    ipython.register()


def test_a_notebook_without_the_widget_shows_the_picture(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    position = pysolve.load("zola", size=4).start()
    monkeypatch.setattr(paths, "WIDGET", tmp_path / "nothing.js")
    assert shown_by_ipython(monkeypatch, position, kernel=object()) == {}
    monkeypatch.setattr(paths, "WIDGET", Path(__file__))
    monkeypatch.setitem(sys.modules, "anywidget", None)
    assert shown_by_ipython(monkeypatch, position, kernel=object()) == {}


def test_pysolve_asks_a_notebook_that_imports_it_to_show_positions() -> None:
    """In a process of its own: the package is imported once."""
    pytest.importorskip("IPython")
    code = (
        "from types import SimpleNamespace; import IPython\n"
        "from IPython.core.formatters import DisplayFormatter\n"
        "shell = SimpleNamespace(kernel=1, display_formatter=DisplayFormatter())\n"
        "IPython.get_ipython = lambda: shell\n"
        "import pysolve\n"
        "from pysolve.position import Position\n"
        "print(shell.display_formatter.mimebundle_formatter.lookup_by_type(Position).__name__)"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert found.stdout == "board\n", found.stderr


def test_a_board_is_made_of_a_position() -> None:
    pytest.importorskip("anywidget")
    from pysolve.display.notebook import Board

    with pytest.raises(TypeError, match=r"position must be a Position, as in Board\(game\.start\(\)\), not "):
        Board(pysolve.load("zola"))  # type: ignore[arg-type]
