"""The server of `pysolve web`: whom it answers, what it reads and writes, and what becomes of slow questions."""

import asyncio
import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("starlette")
pytest.importorskip("uvicorn")
httpx = pytest.importorskip("httpx")

from typer.testing import CliRunner  # noqa: E402

from pysolve.cli import web as command  # noqa: E402
from pysolve.cli.app import app  # noqa: E402
from pysolve.paths import RULES as RULES_FOLDER  # noqa: E402
from pysolve.web import asking, lane, server, wire  # noqa: E402
from pysolve.web import home as home_module  # noqa: E402
from pysolve.web.asking import Asking  # noqa: E402
from pysolve.web.folder import Folder  # noqa: E402
from pysolve.web.home import Home  # noqa: E402
from pysolve.web.lane import Asked, Checks, Lane  # noqa: E402
from pysolve.web.listening import Listening  # noqa: E402
from pysolve.web.opening import Opening  # noqa: E402
from pysolve.web.pages import application  # noqa: E402
from pysolve.web.wire import Failed  # noqa: E402

COMMAND = [sys.executable, "-P", "-m", "tests.web_worker"]
SOON = 60  # seconds after which a test gives up waiting
PORT = 8123
HOME = f"http://127.0.0.1:{PORT}"
RULES = 'game "Mine" extends "zola"\n'


# ------------------------------------------------------------------------------------------ the folder


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A folder with rules files, beside one with a secret."""
    folder = tmp_path / "mine"
    (folder / "old").mkdir(parents=True)
    (folder / ".hidden").mkdir()
    (tmp_path / "other").mkdir()
    (folder / "one.rules").write_text(RULES)
    (folder / "old" / "two.rules").write_text(RULES)
    (folder / ".hidden" / "three.rules").write_text(RULES)
    (folder / "notes.txt").write_text("notes")
    (tmp_path / "other" / "secret.rules").write_text("secret")
    return folder


def refused(kind: str, call: Callable[[], object]) -> str:
    """The message of a call that fails."""
    with pytest.raises(Failed) as failed:
        call()
    assert failed.value.kind == kind
    return failed.value.message


def test_a_folder_lists_its_rules_files_and_those_below(root: Path) -> None:
    assert Folder(root).names() == ["one.rules", "old/two.rules"]
    assert Folder(root, deepest=0).names() == ["one.rules"]


@pytest.mark.parametrize("name", [250 * "x" + ".rules", 250 * "x" + "/one.rules", 120 * "é" + ".rules"])
def test_a_name_that_is_too_long_is_refused_without_the_path_of_the_folder(root: Path, name: str) -> None:
    message = "the name of a file has at most 240 bytes: choose a shorter one"
    assert refused("asked", lambda: Folder(root).save(name, RULES, "")) == message
    assert refused("asked", lambda: Folder(root).read(name)) == message
    longest = 234 * "x" + ".rules"
    assert Folder(root).save(longest, RULES, "") == Folder(root).read(longest).digest


def test_a_link_is_listed_if_it_stays_in_the_folder(root: Path) -> None:
    (root / "inside.rules").symlink_to(root / "old" / "two.rules")
    (root / "outside.rules").symlink_to(root.parent / "other" / "secret.rules")
    (root / "broken.rules").symlink_to(root / "nothing.rules")
    (root / "circle.rules").symlink_to(root / "circle.rules")
    (root / "text.rules").symlink_to(root / "notes.txt")
    (root / "folder").symlink_to(root.parent / "other")
    assert Folder(root).names() == ["inside.rules", "one.rules", "old/two.rules"]


@pytest.mark.parametrize(
    "name",
    [
        "../other/secret.rules", "old/../../other/secret.rules", "/etc/passwd", "/etc/x.rules", "..", "", ".rules",
        "old", "notes.txt", "one.rules/", "outside.rules", "folder/secret.rules", ".hidden/three.rules", "a\0.rules",
        "a\n.rules", "..\\other\\secret.rules", "C:\\secret.rules", "circle.rules", "a" * 500 + ".rules", "text.rules",
        7, None, [],
    ],
)  # fmt: skip
def test_a_name_that_leads_elsewhere_is_neither_read_nor_written(root: Path, name: object) -> None:
    (root / "outside.rules").symlink_to(root.parent / "other" / "secret.rules")
    (root / "circle.rules").symlink_to(root / "circle.rules")
    (root / "text.rules").symlink_to(root / "notes.txt")
    (root / "folder").symlink_to(root.parent / "other")
    folder = Folder(root)
    before = contents(root.parent)
    said = refused("asked", lambda: folder.read(name))
    assert "in the folder mine" in said or "ends in .rules" in said
    assert refused("asked", lambda: folder.save(name, "new", "", True)) == said
    assert refused("asked", lambda: folder.stamp(name)) == said
    assert contents(root.parent) == before


def contents(folder: Path) -> dict[str, bytes]:
    return {str(path): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_a_file_is_read_and_saved(root: Path) -> None:
    folder = Folder(root)
    file = folder.read("one.rules")
    assert file.to_dict() == {"name": "one.rules", "text": RULES, "digest": file.digest}
    digest = folder.save("one.rules", "# new\n", file.digest)
    assert folder.read("one.rules").digest == digest != file.digest
    assert (root / "one.rules").read_text() == "# new\n"
    assert [path.name for path in root.iterdir() if "one" in path.name] == ["one.rules"]


def test_a_file_that_changed_meanwhile_is_overwritten_only_by_force(root: Path) -> None:
    folder = Folder(root)
    digest = folder.read("one.rules").digest
    (root / "one.rules").write_text("# theirs\n")
    assert refused("changed", lambda: folder.save("one.rules", "# mine\n", digest)) == '"one.rules" has changed on disk'
    assert (root / "one.rules").read_text() == "# theirs\n"
    folder.save("one.rules", "# mine\n", digest, force=True)
    assert (root / "one.rules").read_text() == "# mine\n"


def test_a_new_file_does_not_replace_one_and_a_deleted_one_is_not_made_again(root: Path) -> None:
    folder = Folder(root)
    assert refused("changed", lambda: folder.save("one.rules", "# new\n", "")) == '"one.rules" is there already'
    digest = folder.save("old/new.rules", "# new\n", "")
    (root / "old" / "new.rules").unlink()
    assert refused("changed", lambda: folder.save("old/new.rules", "#", digest)) == '"old/new.rules" has been deleted'


def test_line_ends_stay_those_of_the_file(root: Path) -> None:
    (root / "one.rules").write_bytes(b"# a\r\n# b\r\n")
    file = Folder(root).read("one.rules")
    assert file.text == "# a\n# b\n"
    digest = Folder(root).save("one.rules", "# a\n# c\n", file.digest)
    assert (root / "one.rules").read_bytes() == b"# a\r\n# c\r\n"
    assert Folder(root).read("one.rules").digest == digest


def test_what_cannot_be_a_rules_text_is_not_written(root: Path) -> None:
    folder = Folder(root)
    assert "UTF-8 cannot write" in refused("asked", lambda: folder.save("a.rules", "\ud800", ""))
    assert "at most 1,000,000 bytes" in refused("asked", lambda: folder.save("a.rules", "x" * 1_000_001, ""))
    for wrong in [(7, ""), (None, ""), ("x", None), ("x", "", 1)]:
        assert "save takes" in refused("asked", lambda wrong=wrong: folder.save("a.rules", *wrong))
    assert "No such file" in refused("asked", lambda: folder.save("nowhere/a.rules", "x", ""))
    assert not (root / "a.rules").exists()


def test_what_is_no_rules_text_is_not_read(root: Path) -> None:
    folder = Folder(root)
    (root / "latin.rules").write_bytes(b"# \xe4\n")
    (root / "large.rules").write_text("x" * 1_000_001)
    (root / "folder.rules").mkdir()
    assert refused("asked", lambda: folder.read("none.rules")) == 'there is no file "none.rules"'
    assert refused("asked", lambda: folder.read("latin.rules")) == '"latin.rules" is not UTF-8 text'
    assert "larger than a rules text" in refused("asked", lambda: folder.read("large.rules"))
    assert refused("asked", lambda: folder.read("folder.rules")) == "folder.rules is not a file"
    if sys.platform != "win32":
        os.mkfifo(root / "pipe.rules")  # nobody would ever write into it
        assert refused("asked", lambda: folder.read("pipe.rules")) == "pipe.rules is not a file"


# -------------------------------------------------------------------------------------------- processes


@pytest.fixture(autouse=True)
def much_grace(monkeypatch: pytest.MonkeyPatch) -> None:
    """A process that obeys is not killed, however busy the machine is."""
    monkeypatch.setattr(lane, "GRACE", SOON)


def in_lane(work: Callable[[Lane], Awaitable[Any]], waiting: int = 10, patient: bool = False) -> Any:
    """What a piece of work finds with a lane of test workers; afterwards no process is left."""

    async def run() -> tuple[Any, set[int]]:
        there = Lane(COMMAND, Checks(), 1, waiting, SOON, patient)
        try:
            async with asyncio.timeout(2 * SOON):
                return await work(there), {worker.process.pid for worker in there._alive}
        finally:
            await there.close()

    found, pids = asyncio.run(run())
    assert not [pid for pid in pids if alive(pid)]
    return found


def alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


async def until_dead(pid: int) -> None:
    while alive(pid):
        await asyncio.sleep(0.01)


def answered(line: bytes) -> Any:
    told = json.loads(line)
    assert "answer" in told, told
    return told["answer"]


def failed(line: bytes) -> dict[str, str]:
    failure: dict[str, str] = json.loads(line)["failure"]
    return failure


async def begun(there: Lane, question: str) -> tuple["asyncio.Task[bytes]", int]:
    """A question that is being answered, and the number of the process."""
    told: asyncio.Future[int] = asyncio.get_running_loop().create_future()

    async def heard(line: bytes) -> None:
        told.set_result(json.loads(line)["part"])

    return asyncio.create_task(there.ask(Asked(question, {}), heard)), await told


def test_parts_are_heard_in_their_order() -> None:
    parts: list[bytes] = []

    async def heard(line: bytes) -> None:
        parts.append(line)

    assert answered(in_lane(lambda there: there.ask(Asked("count", {"to": 500}), heard))) == "done"
    assert parts == [wire.part(number) for number in range(500)]


def test_what_is_asked_arrives_as_it_is() -> None:
    strange = {"text": "\ud800 \0 \n é 𝄞 </script>", "deep": [[[{}]]], "number": 1 << 70}
    assert answered(in_lane(lambda there: there.ask(Asked("echo", strange)))) == strange


def test_what_a_process_prints_does_not_reach_the_page() -> None:
    assert answered(in_lane(lambda there: there.ask(Asked("print", {})))) == "printed"
    assert "EOF" in failed(in_lane(lambda there: there.ask(Asked("print", {"read": True}))))["message"]


def test_a_mistake_of_ours_is_a_failure_and_the_process_goes_on() -> None:
    async def work(there: Lane) -> list[bytes]:
        return [await there.ask(Asked(question, {})) for question in ("nonsense", "nan", "pid")]

    nonsense, nan, pid = in_lane(work)
    assert failed(nonsense) == {"kind": "internal", "message": "ValueError: no nonsense"}
    assert failed(nan)["kind"] == "internal"
    assert answered(pid) > 0


def test_a_process_that_dies_is_replaced() -> None:
    async def work(there: Lane) -> tuple[int, bytes, int]:
        first = answered(await there.ask(Asked("pid", {})))
        return first, await there.ask(Asked("die", {})), answered(await there.ask(Asked("pid", {})))

    first, died, second = in_lane(work)
    assert failed(died) == {"kind": "internal", "message": "the process that answers ended with status 7"}
    assert first != second


def test_a_process_can_be_started_before_it_is_needed() -> None:
    async def work(there: Lane) -> tuple[list[int], int]:
        await there.ready()
        await there.ready()
        return [worker.process.pid for worker in there._alive], answered(await there.ask(Asked("pid", {})))

    started, used = in_lane(work)
    assert started == [used]


def test_a_process_that_was_killed_between_two_questions_is_replaced() -> None:
    async def work(there: Lane) -> tuple[int, int]:
        first = answered(await there.ask(Asked("pid", {})))
        worker = there._idle[0]
        os.kill(first, signal.SIGKILL)
        await worker.process.wait()
        return first, answered(await there.ask(Asked("pid", {})))

    first, second = in_lane(work)
    assert first != second


def test_a_question_that_takes_too_long_is_stopped() -> None:
    async def work(there: Lane) -> tuple[bytes, int, int]:
        pid = answered(await there.ask(Asked("pid", {})))
        there._seconds = 0.5
        line = await there.ask(Asked("analyse", {}))
        await until_dead(pid)
        there._seconds = SOON
        return line, pid, answered(await there.ask(Asked("pid", {})))

    line, pid, next_pid = in_lane(work)
    assert failed(line) == {"kind": "limit", "message": "this took longer than 0.5 seconds, and was stopped"}
    assert pid != next_pid


def test_an_answer_that_is_too_long_is_a_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lane, "LONGEST_LINE", 100_000)
    line = in_lane(lambda there: there.ask(Asked("long", {})))
    assert failed(line) == {"kind": "internal", "message": "an answer has more than 100,000 bytes"}


def test_a_cancelled_question_leaves_the_process_to_the_next_one() -> None:
    async def work(there: Lane) -> tuple[int, int]:
        question, pid = await begun(there, "choose")
        question.cancel()
        return pid, answered(await there.ask(Asked("pid", {})))

    first, second = in_lane(work)
    assert first == second


def test_a_process_that_does_not_stop_is_killed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lane, "GRACE", 0.1)

    async def work(there: Lane) -> tuple[int, int]:
        question, pid = await begun(there, "analyse")
        question.cancel()
        await until_dead(pid)
        return pid, answered(await there.ask(Asked("pid", {})))

    first, second = in_lane(work)
    assert first != second


@pytest.mark.skipif(sys.platform == "win32", reason="processes have other priorities")
@pytest.mark.parametrize(("patient", "nicer"), [(False, 0), (True, lane.PATIENCE)])
def test_long_questions_leave_the_processor_to_quick_ones(patient: bool, nicer: int) -> None:
    async def work(there: Lane) -> int:
        return os.getpriority(os.PRIO_PROCESS, answered(await there.ask(Asked("pid", {}))))

    assert in_lane(work, patient=patient) == min(19, os.getpriority(os.PRIO_PROCESS, 0) + nicer)


def test_a_process_that_cannot_be_started_is_a_failure(root: Path) -> None:
    async def run() -> bytes:
        there = Lane([str(root / "nothing")], Checks(), 1, 10, SOON)
        asks = Asking(Folder(root), there, there)
        found = [await asks.answer(Asked("state", {}), lane.unheard) for _ in range(3)]
        assert len(set(found)) == 1
        return found[0]

    found = failed(asyncio.run(run()))
    assert found["kind"] == "internal"
    assert found["message"].startswith("the server cannot answer: No such file")


def test_some_questions_wait_and_too_many_are_refused() -> None:
    async def work(there: Lane) -> tuple[bytes, bytes]:
        question, _ = await begun(there, "choose")
        waiting = asyncio.create_task(there.ask(Asked("pid", {})))
        await asyncio.sleep(0)  # it begins to wait
        refused = await there.ask(Asked("pid", {}))
        question.cancel()
        return refused, await waiting

    refused, waited = in_lane(work, waiting=1)
    assert failed(refused) == {"kind": "limit", "message": "too many questions wait for an answer"}
    assert answered(waited) > 0


def test_a_question_that_still_waits_can_be_cancelled() -> None:
    async def work(there: Lane) -> int:
        question, pid = await begun(there, "choose")
        waiting = asyncio.create_task(there.ask(Asked("die", {})))
        await asyncio.sleep(0)
        waiting.cancel()
        await asyncio.gather(waiting, return_exceptions=True)
        question.cancel()
        return int(answered(await there.ask(Asked("pid", {}))) == pid)

    assert in_lane(work, waiting=1) == 1


def test_another_process_is_told_of_the_game() -> None:
    async def work(there: Lane) -> tuple[bytes, ...]:
        await there.ask(Asked("check", {"text": "mine"}))
        before = await there.ask(Asked("state", {"game": "id of mine"}))
        await there.ask(Asked("die", {}))
        after = await there.ask(Asked("state", {"game": "id of mine"}))
        return before, after, await there.ask(Asked("state", {"game": "id of others"}))

    before, after, other = in_lane(work)
    assert answered(before)["pid"] != answered(after)["pid"]
    assert failed(other)["kind"] == "gone"


def test_only_the_last_games_are_kept() -> None:
    checks = Checks()
    for number in range(lane.MOST_CHECKS + 1):
        checks.learn(Asked("check", {"text": str(number)}), wire.answer({"game": {"id": str(number)}}))
    checks.learn(Asked("check", {"text": "wrong"}), wire.answer({"game": None}))
    checks.learn(Asked("check", {"text": "wrong"}), wire.failure("limit", "too long"))
    assert checks.of(Asked("state", {"game": "0"})) is None
    assert checks.of(Asked("state", {"game": "1"})) == Asked("check", {"text": "1"})
    assert checks.of(Asked("state", {"game": [7]})) is None


def test_a_worker_ends_when_nobody_asks_any_more() -> None:
    with subprocess.Popen(COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=Path(__file__).parent.parent,
                          env={**os.environ, "PYTHONPATH": "."}) as process:  # fmt: skip
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(b'{"number": 1, "question": "analyse", "asked": {}}\n')
        process.stdin.flush()
        assert b"part" in process.stdout.readline()
        process.stdin.close()
        assert process.wait(SOON) == 0


# ------------------------------------------------------------------------------------- whom it answers


class Echo(Lane):
    """A lane without processes: it answers with the question."""

    def __init__(self, name: str):
        self.name = name

    async def ask(self, asked: Asked, heard: lane.Heard = lane.unheard) -> bytes:
        await heard(wire.part("heard"))
        return wire.answer([self.name, asked.question, asked.about])


@pytest.fixture
def page(tmp_path: Path) -> Path:
    folder = tmp_path / "page"
    folder.mkdir()
    (folder / "index.html").write_text('<html><head><meta name="csp-nonce" content="" /></head></html>')
    (folder / "app.js").write_text("// the page")
    return folder


class Client:
    """Requests to an application, without a connection."""

    def __init__(self, app: Any):
        self._transport = httpx.ASGITransport(app)

    def request(self, method: str, path: str, **more: Any) -> Any:
        async def run() -> Any:
            async with httpx.AsyncClient(transport=self._transport, base_url=HOME) as client:
                return await client.request(method, path, **more)

        return asyncio.run(run())

    def get(self, path: str, **more: Any) -> Any:
        return self.request("GET", path, **more)

    def post(self, path: str, **more: Any) -> Any:
        return self.request("POST", path, **more)


@pytest.fixture
def client(root: Path, page: Path) -> Client:
    return Client(application(page, Asking(Folder(root), Echo("quick"), Echo("long")), PORT))


def ask(client: Client, question: str, about: object = None, **more: Any) -> list[Any]:
    """The lines of an answer."""
    got = client.post(f"/ask/{question}", json={} if about is None else about, **more)
    assert got.headers["content-type"] == "application/x-ndjson"
    return [json.loads(line) for line in got.text.splitlines()]


def test_the_page_and_its_files_are_served(client: Client) -> None:
    for path in ("/", "/index.html"):
        got = client.get(path)
        assert (got.status_code, got.headers["content-type"]) == (200, "text/html; charset=utf-8")
    got = client.get("/app.js")
    assert (got.text, got.headers["content-type"].split(";")[0]) == ("// the page", "text/javascript")
    assert client.get("/other.js").status_code == 404
    assert client.get("/ask/hello").status_code == 404


def test_each_answer_says_what_a_browser_may_do(client: Client) -> None:
    for got in (client.get("/"), client.get("/app.js"), client.get("/none"), client.post("/ask/hello", json={}),
                client.get("/", headers={"host": "evil.example"})):  # fmt: skip
        rules = got.headers["content-security-policy"].split("; ")
        assert "default-src 'none'" in rules
        assert "script-src 'self'" in rules
        assert "frame-ancestors 'none'" in rules
        assert "unsafe" not in got.headers["content-security-policy"]
        assert got.headers["x-content-type-options"] == "nosniff"
        assert got.headers["referrer-policy"] == "no-referrer"
        assert got.headers["cache-control"] == "no-store"


def test_the_word_for_styles_is_new_each_time_and_stands_in_the_page(client: Client) -> None:
    words = set()
    for _ in range(2):
        got = client.get("/")
        word = got.text.split('content="')[1].split('"')[0]
        assert f"style-src 'self' 'nonce-{word}'" in got.headers["content-security-policy"]
        assert len(word) >= 20
        words.add(word)
    assert len(words) == 2


@pytest.mark.parametrize("host", [f"127.0.0.1:{PORT}", f"localhost:{PORT}", f"LOCALHOST:{PORT}", f"[::1]:{PORT}"])
def test_the_names_of_this_machine_are_its_own(client: Client, host: str) -> None:
    assert client.get("/", headers={"host": host}).status_code == 200
    assert client.post("/ask/hello", json={}, headers={"host": host, "origin": f"http://{host}"}).status_code == 200


@pytest.mark.parametrize(
    "host",
    ["evil.example", f"evil.example:{PORT}", "127.0.0.1", f"127.0.0.1:{PORT + 1}", "localhost", f"0.0.0.0:{PORT}", "",
     f"127.0.0.1.evil.example:{PORT}", f"127.0.0.1:{PORT}@evil.example"],
)  # fmt: skip
def test_a_foreign_host_is_refused(client: Client, host: str) -> None:
    for got in (client.get("/", headers={"host": host}), client.post("/ask/hello", json={}, headers={"host": host})):
        assert (got.status_code, got.text) == (403, "pysolve: this address is not the server's\n")


@pytest.mark.parametrize(
    "origin",
    ["http://evil.example", "null", f"https://127.0.0.1:{PORT}", "http://127.0.0.1", f"http://localhost:{PORT}",
     f"http://127.0.0.1:{PORT + 1}", f"http://127.0.0.1:{PORT}.evil.example", ""],
)  # fmt: skip
def test_a_foreign_origin_is_refused(client: Client, origin: str) -> None:
    for method in ("GET", "POST", "OPTIONS"):
        got = client.request(method, "/ask/hello", headers={"origin": origin, "content-type": "application/json"})
        assert (got.status_code, got.text) == (403, "pysolve: another page may not ask this server\n")
        assert "access-control-allow-origin" not in got.headers


@pytest.mark.parametrize("site", ["cross-site", "same-site", "", "other"])
def test_a_foreign_site_is_refused(client: Client, site: str) -> None:
    headers = {"sec-fetch-site": site}
    for got in (client.get("/app.js", headers=headers), client.post("/ask/hello", json={}, headers=headers)):
        assert (got.status_code, got.text) == (403, "pysolve: another site may not ask this server\n")
    navigating = {**headers, "sec-fetch-mode": "navigate"}
    assert client.get("/", headers=navigating).status_code == 200  # a link that a person follows
    assert client.post("/ask/hello", json={}, headers=navigating).status_code == 403  # a form


@pytest.mark.parametrize("site", ["same-origin", "none"])
def test_the_own_page_and_a_typed_address_are_answered(client: Client, site: str) -> None:
    assert client.post("/ask/hello", json={}, headers={"sec-fetch-site": site}).status_code == 200


@pytest.mark.parametrize("path", ["/../secret.txt", "/%2e%2e/secret.txt", "/..%2fsecret.txt", "//etc/passwd", "/%00"])
def test_no_path_leads_out_of_the_page(client: Client, page: Path, path: str) -> None:
    (page.parent / "secret.txt").write_text("secret")
    assert client.get(path).status_code == 404


# -------------------------------------------------------------------------------------------- questions


@pytest.mark.parametrize("question", ["hello", "check", "state", "why", "format", "query", "record"])
def test_a_person_waits_for_quick_questions(client: Client, question: str) -> None:
    assert ask(client, question, {"a": 1}) == [{"part": "heard"}, {"answer": ["quick", question, {"a": 1}]}]


@pytest.mark.parametrize("question", sorted(asking.LONG))
def test_long_questions_have_processes_of_their_own(client: Client, question: str) -> None:
    assert ask(client, question)[-1] == {"answer": ["long", question, {}]}


@pytest.mark.parametrize(
    ("kind", "status"),
    [("text/plain", 415), ("application/x-www-form-urlencoded", 415), ("multipart/form-data", 415), ("", 415),
     ("application/json", 200), ("Application/JSON; charset=utf-8", 200)],
)  # fmt: skip
def test_a_question_is_json_by_its_content_type(client: Client, kind: str, status: int) -> None:
    got = client.post("/ask/hello", content=b"{}", headers={"content-type": kind})
    assert got.status_code == status
    if status == 415:
        assert failed(got.content)["message"] == "a question has the content type application/json"


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (b"", "cannot be read as JSON: Expecting value"),
        (b"{", "cannot be read as JSON: Expecting property name"),
        (b"[" * 100_000, "nested too deeply"),
        (b'{"a":' * 100_000, "nested too deeply"),
        (b"[]", "a question is a JSON object"),
        (b"null", "a question is a JSON object"),
        (b'{"depth": NaN}', "NaN is not a number"),
        (b'{"depth": -Infinity}', "-Infinity is not a number"),
        (b'{"depth": ' + b"9" * 10_000 + b"}", "cannot be read as JSON: Exceeds the limit"),
        (b'"\xff"', "cannot be read as JSON: 'utf-8' codec"),
        (b'{"a": "\n"}', "cannot be read as JSON: Invalid control character"),
    ],
)
def test_hostile_json_is_answered(client: Client, body: bytes, message: str) -> None:
    got = client.post("/ask/hello", content=body, headers={"content-type": "application/json"})
    assert got.status_code == 400
    assert failed(got.content)["kind"] == "asked"
    assert message in failed(got.content)["message"]


def test_a_question_has_a_size(client: Client) -> None:
    async def in_pieces() -> AsyncIterator[bytes]:
        for _ in range(3):
            yield b"x" * 1_000_000

    for body in (b"x" * 2_000_001, in_pieces()):  # with a length, and without
        got = client.post("/ask/hello", content=body, headers={"content-type": "application/json"})
        assert got.status_code == 413
        assert failed(got.content)["message"] == "a question has at most 2,000,000 bytes"


@pytest.mark.parametrize("question", ["HELLO", "a-b", "__class__", "x" * 40])
def test_a_word_that_can_be_no_question_is_refused(client: Client, question: str) -> None:
    assert ask(client, question) == [{"failure": {"kind": "asked", "message": "this is not a question"}}]


def test_files_are_opened_and_saved(client: Client, root: Path) -> None:
    [opened] = ask(client, "open", {"name": "one.rules"})
    assert opened["answer"]["text"] == RULES
    mine = {"name": "one.rules", "text": "# mine\n", "digest": opened["answer"]["digest"]}
    [saved] = ask(client, "save", mine)
    assert (root / "one.rules").read_text() == "# mine\n"
    assert ask(client, "open", {"name": "one.rules"})[0]["answer"]["digest"] == saved["answer"]["digest"]
    [conflict] = ask(client, "save", mine)
    assert conflict == {"failure": {"kind": "changed", "message": '"one.rules" has changed on disk'}}
    assert ask(client, "save", {**mine, "force": True})[0].keys() == {"answer"}


def test_shipped_games_are_opened_by_a_process(client: Client) -> None:
    assert ask(client, "open", {"name": "zola"})[-1] == {"answer": ["quick", "open", {"name": "zola"}]}


@pytest.mark.parametrize("about", [{}, {"name": None}, {"name": ["one.rules"]}, {"name": "../x.rules", "text": "x"}])
@pytest.mark.parametrize("question", ["save", "watch"])
def test_a_wrong_question_about_files_is_answered(client: Client, question: str, about: object) -> None:
    assert ask(client, question, about)[0]["failure"]["kind"] == "asked"


def test_too_many_watches_are_refused(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(asking, "MOST_WATCHES", 0)
    [told] = ask(client, "watch", {"name": "one.rules"})
    assert told == {"failure": {"kind": "limit", "message": "at most 0 files are watched at a time"}}


# ----------------------------------------------------------------------------------------- real requests


def served(root: Path, page: Path, work: Callable[[Any, Listening], Awaitable[Any]]) -> Any:
    """What a piece of work finds that asks a server over a real connection."""

    async def run() -> Any:
        with socket.socket() as listening:
            listening.bind(("127.0.0.1", 0))
            port = listening.getsockname()[1]
            there = Lane(COMMAND, Checks(), 1, 10, SOON)
            asks = Asking(Folder(root), there, there)
            ready = asyncio.Event()

            async def ending() -> None:
                await asks.close()
                await there.close()

            server = Listening(application(page, asks, port), ready.set, ending)
            serving = asyncio.create_task(server.serve([listening]))
            await ready.wait()
            try:
                async with asyncio.timeout(2 * SOON), httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}") as client:
                    return await work(client, server)
            finally:
                server.should_exit = True
                await serving

    return asyncio.run(run())


def test_a_page_that_goes_away_cancels_its_question(root: Path, page: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lane, "GRACE", 0.1)

    async def work(client: Any, _: Listening) -> None:
        async with client.stream("POST", "/ask/analyse", json={}) as got:
            pid = json.loads(await anext(got.aiter_lines()))["part"]
        await until_dead(pid)

    served(root, page, work)


def test_the_server_ends_while_questions_are_being_answered(root: Path, page: Path) -> None:
    async def work(client: Any, server: Listening) -> list[Any]:
        async with client.stream("POST", "/ask/analyse", json={}) as got:
            lines = got.aiter_lines()
            pid = json.loads(await anext(lines))["part"]
            async with client.stream("POST", "/ask/watch", json={"name": "one.rules"}) as watched:
                other = watched.aiter_lines()
                await anext(other)
                server.should_exit = True
                found = [json.loads(await anext(lines)), json.loads(await anext(other))]
        await until_dead(pid)
        return found

    ended = {"failure": {"kind": "cancelled", "message": "pysolve web has ended"}}
    assert served(root, page, work) == [ended, ended]


def test_a_change_on_disk_reaches_the_page(root: Path, page: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(asking, "POLL", 0.01)

    async def work(client: Any, _: Listening) -> list[str]:
        async with client.stream("POST", "/ask/watch", json={"name": "one.rules"}) as got:
            lines = got.aiter_lines()
            seen = [json.loads(await anext(lines))["part"]["text"]]
            for text in ("# one\n", "# two\n"):
                (root / "one.rules").write_text(text)
                seen.append(await text_after(lines, seen[-1]))
            (root / "one.rules").unlink()
            (root / "one.rules").write_text("# three\n")
            seen.append(await text_after(lines, seen[-1]))
        return seen

    async def text_after(lines: Any, before: str) -> str:
        """The next text that is not the one before, nor the empty one of a file that is being written."""
        while (text := json.loads(await anext(lines))["part"]["text"]) in ("", before):
            pass
        return str(text)

    assert served(root, page, work) == [RULES, "# one\n", "# two\n", "# three\n"]


def test_a_change_that_the_clock_of_the_disk_does_not_show_reaches_the_page(
    root: Path, page: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(asking, "POLL", 0.01)
    written = time.time_ns() + 10**12  # so that the file stays young for as long as the test takes
    monkeypatch.setattr(Folder, "stamp", lambda self, name: (written, 6, 1))

    async def work(client: Any, _: Listening) -> str:
        async with client.stream("POST", "/ask/watch", json={"name": "one.rules"}) as got:
            lines = got.aiter_lines()
            await anext(lines)
            replacement = root / "new"
            replacement.write_text("# two\n")
            replacement.replace(root / "one.rules")
            return str(json.loads(await anext(lines))["part"]["text"])

    assert served(root, page, work) == "# two\n"


# ------------------------------------------------------------------------------- a service with a folder


def home(root: Path, **more: Any) -> Callable[[str, object], Any]:
    """Questions to a service that knows a folder."""
    there = Home(Opening(root, below=True, **more))
    return lambda question, about: there.answer(question, about, lambda part: None, lambda: False)


def test_the_page_opens_what_was_named_as_it_is_now(root: Path) -> None:
    ask = home(root, first="old/two.rules", options={"size": "4"})
    assert ask("hello", {})["first"] == {**Folder(root).read("old/two.rules").to_dict(), "options": {"size": "4"}}
    (root / "old" / "two.rules").write_text("# new\n")
    assert ask("hello", {})["first"]["text"] == "# new\n"
    (root / "old" / "two.rules").unlink()
    assert ask("hello", {})["first"]["name"] == "zola"


def test_the_page_opens_a_shipped_game_or_the_first_file_or_zola(root: Path) -> None:
    first = home(root, first="yoxii")("hello", {})["first"]
    assert (first["name"], first["text"]) == ("yoxii", (RULES_FOLDER / "yoxii.rules").read_text(encoding="utf-8"))
    assert home(root)("hello", {})["first"]["name"] == "one.rules"
    (root / "one.rules").unlink()
    assert home(root)("hello", {})["first"]["name"] == "zola"


def test_files_have_cards_even_with_mistakes(root: Path) -> None:
    (root / "wrong.rules").write_text('game "Wrong"\nnonsense\n')
    (root / "empty.rules").write_text("")
    (root / "latin.rules").write_bytes(b"\xe4")
    cards = [card for card in home(root)("games", {})["games"] if card["place"] == "folder"]
    found = {card["name"]: (card["title"], card["about"], card["cells"], "<svg" in card["picture"]) for card in cards}
    assert found == {
        "empty.rules": ("empty.rules", "4 mistakes", 0, False),
        "one.rules": ("Mine", "", 36, True),
        "wrong.rules": ("Wrong", "1 mistake", 0, False),
        "old/two.rules": ("Mine", "", 36, True),
    }


def test_files_without_time_have_plain_cards(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(home_module, "PATIENCE", 0)
    cards = [card for card in home(root)("games", {})["games"] if card["place"] == "folder"]
    assert [(card["title"], card["picture"]) for card in cards] == [("Mine", ""), ("Mine", "")]


def test_rules_extend_files_of_their_folder(root: Path) -> None:
    found = home(root)("check", {"name": "new.rules", "text": 'game "New" extends "one"\n', "options": {}})
    assert (found["problems"], found["game"]["title"]) == ([], "New")


def test_what_the_service_refuses_is_a_failure(root: Path) -> None:
    assert refused("gone", lambda: home(root)("state", {"game": "x", "line": {"seed": 0, "start": "", "moves": []}}))
    assert refused("asked", lambda: home(root)("nonsense", {}))


# ------------------------------------------------------------------------------------------ the command


@pytest.fixture
def here(root: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(root)
    return root


def test_words_of_the_command_say_what_is_opened(here: Path) -> None:
    def opening(what: str | None) -> tuple[Path, list[str], str]:
        found = command._opening(what, {"options": {"size": "4"}, "engine": "prolog"})
        assert (found.options, found.engine) == ({"size": "4"}, "prolog")
        assert Opening.from_json(found.to_json()) == found
        return found.folder, found.files().names(), found.first

    both = ["one.rules", "old/two.rules"]
    assert opening(None) == (here, ["one.rules"], "")
    assert opening(".") == (Path("."), both, "")
    assert opening("old") == (Path("old"), ["two.rules"], "")
    assert opening("one.rules") == (here, ["one.rules"], "one.rules")
    assert opening("one") == (here, ["one.rules"], "one.rules")
    assert opening("old/two.rules") == (here / "old", ["two.rules"], "two.rules")
    assert opening("zola") == (here, ["one.rules"], "zola")


def complaint(*words: str) -> str:
    """What the command says before it ends with status 2."""
    got = CliRunner().invoke(app, ["web", "--no-open", *words], env={"NO_COLOR": "1", "COLUMNS": "80"})
    assert got.exit_code == 2
    return got.stderr


def test_what_cannot_be_opened_is_said(here: Path, page: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(command, "PAGE", page)
    assert 'there are no rules "nothing"' in complaint("nothing")
    assert '"notes.txt" is not the name of a rules file: it does not end in .rules' in complaint("notes.txt")
    assert "option size is set twice" in complaint("size=4", "size=5")
    assert '"5" is not an option' in complaint("zola", "5")


@pytest.mark.parametrize("library", ["starlette", "uvicorn"])
def test_a_missing_library_is_named_with_its_extra(library: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, library, None)
    said = f"pysolve: the page in the browser needs {library}: pip install 'pysolve-games[web]'\n"
    assert complaint() == said


def test_a_page_that_is_not_built_is_said(page: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(command, "PAGE", page / "nothing")
    assert "nothing: the page is not built: cd web && npm ci && npm run build" in complaint()


def test_a_port_in_use_is_said(page: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(command, "PAGE", page)
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        said = complaint("zola", "--port", str(port))
    assert said == f"pysolve: 127.0.0.1:{port}: the port is in use; choose another one with --port\n"


def test_without_a_port_the_next_free_one_is_taken() -> None:
    with server._bound(None) as first:
        first.listen()
        with server._bound(None) as second:
            ports = [bound.getsockname() for bound in (first, second)]
    assert [host for host, _ in ports] == ["127.0.0.1", "127.0.0.1"]
    assert server.PORT <= ports[0][1] < ports[1][1]


@pytest.mark.skipif(sys.platform in ("win32", "darwin"), reason="there is always a screen")
def test_a_browser_is_opened_where_there_is_a_screen(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER"):
        monkeypatch.delenv(name, raising=False)
    assert not server.has_screen()
    monkeypatch.setenv("DISPLAY", ":0")
    assert server.has_screen()


def test_the_browser_gets_the_address(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    opened: list[str] = []
    done = threading.Event()
    monkeypatch.setattr(command.webbrowser, "open", lambda address: (opened.append(address), done.set()))
    command._say("http://127.0.0.1:8000/", False)
    command._say("http://127.0.0.1:8001/", True)
    assert done.wait(SOON)
    assert opened == ["http://127.0.0.1:8001/"]
    assert capsys.readouterr().out.splitlines()[0] == "http://127.0.0.1:8000/  (Ctrl-C ends the server)"


PROGRAM = """\
import sys
from pathlib import Path
from pysolve.cli import main, web
from pysolve.web import server
web.PAGE = server.PAGE = Path(sys.argv.pop(1))
main()
"""


class Running:
    """`pysolve web` in a process of its own, with a page of the tests."""

    def __init__(self, page: Path, folder: Path, *words: str):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        self.process = subprocess.Popen(
            [sys.executable, "-c", PROGRAM, str(page), "web", "--no-open", "--port", str(port), *words],
            cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            env={**os.environ, "PYTHONPATH": str(Path(__file__).parent.parent)},
        )  # fmt: skip
        assert self.process.stdout is not None
        self.line = self.process.stdout.readline()
        self.client = httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=2 * SOON)
        self.address = f"http://127.0.0.1:{port}/"

    def ask(self, question: str, about: object) -> Any:
        """The answer to a question."""
        return answered(self.client.post(f"/ask/{question}", json=about).content.splitlines()[-1])

    def workers(self) -> list[int]:
        """The processes that answer."""
        pid = self.process.pid
        return [int(word) for word in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]

    def __enter__(self) -> "Running":
        return self

    def __exit__(self, *_: object) -> None:
        self.client.close()
        self.process.kill()
        self.process.communicate()


@pytest.mark.slow
def test_the_command_answers_about_a_file_until_ctrl_c(page: Path, root: Path) -> None:
    with Running(page, root, "one.rules", "size=4") as running:
        assert running.line == f"{running.address}  (Ctrl-C ends the server)\n"
        assert "csp-nonce" in running.client.get("/").text
        hello = running.ask("hello", {})
        assert {"files", "save", "edit"} <= set(hello["can"])
        first = hello["first"]
        assert first == {**running.ask("open", {"name": "one.rules"}), "options": {"size": "4"}}
        game = running.ask("check", {name: first[name] for name in ("name", "text", "options")})["game"]
        line = {"seed": 0, "start": "", "moves": ["a1xb1"]}
        assert len(running.ask("state", {"game": game["id"], "line": line})["played"]) == 1
        cards = running.ask("games", {})["games"]
        assert [card["name"] for card in cards if card["place"] == "folder"] == ["one.rules"]
        assert "zola" in [card["name"] for card in cards if card["place"] == "shipped"]
        workers = running.workers() if sys.platform == "linux" else []
        running.process.send_signal(signal.SIGINT)
        _, complaints = running.process.communicate(timeout=SOON)
        assert (running.process.returncode, complaints) == (130, "")
        assert not [pid for pid in workers if alive(pid)]


@pytest.mark.skipif(sys.platform != "linux", reason="children of a process")
def test_a_killed_server_leaves_no_processes(page: Path, root: Path) -> None:
    with Running(page, root, "zola") as running:
        running.ask("hello", {})
        workers = running.workers()
        assert workers
        running.process.kill()
        running.process.wait()
        for pid in workers:
            asyncio.run(until_dead(pid))
