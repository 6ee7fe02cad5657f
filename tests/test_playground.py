"""The playground: it is built, answers in node as this Python does, and works in a browser without a server."""

import functools
import http.server
import json
import os
import random
import re
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pysolve.runtime.paths import RULES, shipped_games
from pysolve.service import Service
from tests.games import FEW, SECRETS

WEB = Path(__file__).parent.parent / "web"
START: dict[str, Any] = {"seed": 0, "start": "", "moves": []}
Asked = tuple[str, dict[str, Any]]

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed"),
    pytest.mark.skipif(not (WEB / "node_modules/pyodide").is_dir(), reason="web/node_modules: run npm ci in web/"),
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The built playground."""
    out = tmp_path_factory.mktemp("playground")
    command = ["node", str(WEB / "playground.mjs"), str(out)]
    subprocess.run(command, check=True, env={**os.environ, "PYTHON": sys.executable}, timeout=1800)
    return out


def answers(folder: Path, questions: list[Asked]) -> list[dict[str, Any]]:
    """What Python and Prolog of the playground answer, in node."""
    lines = "".join(f"{json.dumps(question)}\n" for question in questions)
    command = ["node", str(WEB / "test/playground.mjs"), str(folder)]
    done = subprocess.run(command, input=lines, capture_output=True, text=True, timeout=1800)
    assert done.returncode == 0, done.stderr
    return [json.loads(line)[1] for line in done.stdout.splitlines()][1:]


@pytest.fixture
def here(monkeypatch: pytest.MonkeyPatch) -> Service:
    """The same service on this Python, which writes moves of chess as the rules do: a playground has no `chess`."""
    monkeypatch.setitem(sys.modules, "chess", None)
    return Service(product="playground")


def opened(service: Service, name: str, **options: str) -> tuple[Asked, str]:
    """The question that opens a shipped game, and the id that it then has."""
    text = (RULES / f"{name}.rules").read_text(encoding="utf-8")
    asked = {"name": name, "text": text, "options": options}
    return ("check", asked), service.answer("check", asked)["game"]["id"]


def same_but_engine(question: str, found: dict[str, Any], wanted: dict[str, Any]) -> bool:
    """Compares two answers; a playground has no compiler of C, so no strong search, and nothing that was learned."""
    if question == "check" and wanted["game"]:
        levels = dict(wanted["game"]["levels"])
        expert = re.sub(",(leaf=playout,values|policy)=.*", "", levels.pop("expert", ""))
        levels.update({"expert": expert} if expert.startswith("mcts:") else {})
        found = {**found, "game": {**found["game"], "engine": wanted["game"]["engine"]}}
        wanted = {**wanted, "game": {**wanted["game"], "levels": levels}}
    return found == wanted


@pytest.mark.parametrize("others", [False, pytest.param(True, marks=pytest.mark.long)])
def test_every_shipped_game_is_the_same_here_and_there(others: bool, folder: Path, here: Service) -> None:
    """Descriptions, pictures, moves and their texts, in the first position and in one after random moves."""
    questions: list[Asked] = []
    lots = random.Random(7)
    for name in [name for name in shipped_games() if name not in SECRETS and (name in (*FEW, "chess")) is not others]:
        check, game = opened(here, name)
        line = START
        for _ in range(3):
            moves = here.answer("state", {"game": game, "line": line})["moves"]
            line = {**line, "moves": [*line["moves"], *(move["text"] for move in moves and [lots.choice(moves)])]}
        questions += [check, ("state", {"game": game, "line": START}), ("state", {"game": game, "line": line})]
    for (question, asked), found in zip(questions, answers(folder, questions), strict=True):
        wanted = here.answer(question, asked)
        assert same_but_engine(question, found["answer"], wanted), (question, asked)


def test_questions_are_answered_as_here(folder: Path, here: Service) -> None:
    check, game = opened(here, "zola", size="4")
    where = {"game": game, "line": START}
    misspelt = {**check[1], "text": check[1]["text"].replace("neighbours(from)", "neighbors(from)")}
    questions: list[Asked] = [
        ("hello", {}),
        ("games", {}),
        check,
        ("why", {**where, "move": "a1-a2"}),
        ("query", {**where, "goal": "capture(From, b1)"}),
        ("clauses", {"game": game, "kind": "capture"}),
        ("examples", {"game": game}),
        ("record", {**where, "players": {"Red": "human", "Blue": "easy"}}),
        ("format", {"text": check[1]["text"]}),
        ("check", misspelt),
    ]
    for (question, asked), found in zip(questions, answers(folder, questions), strict=True):
        wanted = here.answer(question, asked)
        assert same_but_engine(question, found["answer"], wanted), question
    assert wanted["problems"][0]["hint"] == 'did you mean "neighbours"?'


def test_players_search_and_count(folder: Path, here: Service) -> None:
    check, game = opened(here, "zola", size="4")
    where = {"game": game, "line": START}
    legal = {move["text"] for move in here.answer("state", where)["moves"]}
    players = ("random", "greedy", "easy", "minimax:depth=3", "mcts:playouts=20")
    questions: list[Asked] = [check, *(("choose", {**where, "player": player, "seed": 1}) for player in players)]
    questions += [("perft", {**where, "depth": 3}), ("balance", {"game": game, "games": 2, "player": "random"})]
    _, *chosen, counted, standing = answers(folder, questions)
    assert {found["answer"]["move"] for found in chosen} <= legal
    counts = here.answer("perft", {**where, "depth": 3})["counts"]
    assert [count["count"] for count in counted["answer"]["counts"]] == [count["count"] for count in counts]
    assert standing["answer"]["played"] == 2


def test_a_question_that_takes_too_long_is_ended(folder: Path, here: Service) -> None:
    """Only the clock of prolog/browser.pl can end it; the questions that follow are answered."""
    check, game = opened(here, "zola")
    where = {"game": game, "line": START}
    many = ", ".join(f"capture(A{number}, B{number})" for number in range(9))
    _, endless, after = answers(folder, [check, ("query", {**where, "goal": f"{many}, A0 = a1, A0 = a2"}), check])
    assert endless["failure"]["kind"] == "limit"
    assert after["answer"]["game"]["id"] == game


# ------------------------------------------------------------------------------------------------ in a browser


class _Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:
        """Says nothing."""


@pytest.fixture
def address(folder: Path) -> Iterator[str]:
    """Where the folder is served, as by any host of static files."""
    handler = functools.partial(_Quiet, directory=str(folder))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


def test_the_page_needs_nothing_but_its_folder(address: str, browser: Any) -> None:
    """It shows a board, plays, finds a mistake and thinks; nothing is asked of another place."""
    requests: list[str] = []
    mistakes: list[str] = []
    page = browser.new_page(viewport={"width": 1440, "height": 900})
    page.set_default_timeout(90_000)
    page.on("request", lambda request: requests.append(request.url))
    page.on("pageerror", lambda error: mistakes.append(str(error)))
    page.on("console", lambda said: mistakes.append(said.text) if "Content Security" in said.text else None)
    page.goto(address.rstrip("/") + "/#/zola/write")
    page.get_by_text("36 moves").wait_for()
    page.get_by_text("9 examples hold").wait_for()

    page.locator('[data-cell="a1"]').click()
    page.locator('[data-cell="b1"]').click()
    page.get_by_text("Blue to move", exact=True).wait_for()

    page.locator(".cm-content").get_by_text("neighbours", exact=True).first.click()
    page.keyboard.type("q")
    page.get_by_text("1 mistake", exact=True).wait_for()
    page.locator(".underlined.error").first.wait_for()
    page.keyboard.press("Control+z")
    page.get_by_text("0 mistakes", exact=True).wait_for()

    page.get_by_role("button", name="Hint").click()
    page.locator(".hint").wait_for()
    page.close()
    assert mistakes == []
    assert [url for url in requests if not url.startswith((address, f"blob:{address}", "data:"))] == []
