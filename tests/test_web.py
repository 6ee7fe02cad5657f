"""The server of `pysolve web`: whom it answers, what it reads and writes, and what becomes of slow questions."""

import asyncio
import gc
import json
import os
import re
import signal
import socket
import subprocess
import sys
import threading
import time
import types
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from urllib.parse import urlsplit

import pytest

pytest.importorskip("starlette")
pytest.importorskip("uvicorn")
httpx = pytest.importorskip("httpx")

import uvicorn.server  # noqa: E402
from starlette.datastructures import Headers  # noqa: E402
from starlette.responses import Response  # noqa: E402
from typer.testing import CliRunner  # noqa: E402

from pysolve.cli import web as command  # noqa: E402
from pysolve.cli.app import app  # noqa: E402
from pysolve.runtime import (  # noqa: E402
    lane,
    memory,
    wire,
)
from pysolve.runtime.fairness import Full, Turns  # noqa: E402
from pysolve.runtime.lane import Asked, Checks, Lane  # noqa: E402
from pysolve.runtime.paths import RULES as RULES_FOLDER  # noqa: E402
from pysolve.runtime.wire import Failed  # noqa: E402
from pysolve.service import Service  # noqa: E402
from pysolve.service import games as opened_games  # noqa: E402
from pysolve.service.games import Opened  # noqa: E402
from pysolve.web import asking, browsing, plain, ports, server  # noqa: E402
from pysolve.web import key as key_module  # noqa: E402
from pysolve.web import listing as listing_module  # noqa: E402
from pysolve.web.asking import Asking  # noqa: E402
from pysolve.web.connections import Crowd, Seconds, connections, most_connections  # noqa: E402
from pysolve.web.folder import Folder  # noqa: E402
from pysolve.web.home import Home  # noqa: E402
from pysolve.web.key import Key  # noqa: E402
from pysolve.web.listening import Listening  # noqa: E402
from pysolve.web.listing import Listing  # noqa: E402
from pysolve.web.opening import Opening  # noqa: E402
from pysolve.web.pages import application  # noqa: E402
from tests.games import slow_but  # noqa: E402

COMMAND = [sys.executable, "-P", "-m", "tests.web_worker"]
SOON = 60  # seconds after which a test gives up waiting
PORT = 8123
HOME = f"http://127.0.0.1:{PORT}"
RULES = 'game "Mine" extends "zola"\n'
TICTACTOE = (RULES_FOLDER / "tictactoe.rules").read_text(encoding="utf-8")


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


def in_lane(
    work: Callable[[Lane], Awaitable[Any]], waiting: int = 10, patient: bool = False, processes: int = 1,
    share: int | None = None,
) -> Any:  # fmt: skip
    """What a piece of work finds with a lane of test workers; afterwards no process is left."""

    async def run() -> tuple[Any, set[int]]:
        there = Lane(COMMAND, Checks(), processes, waiting, SOON, patient, share)
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


async def settled(there: Lane) -> None:
    """Returns when each process that has answered is ready again, or has ended."""
    while there._tasks:
        await asyncio.gather(*there._tasks)


def answered(line: bytes) -> Any:
    told = json.loads(line)
    assert "answer" in told, told
    return told["answer"]


def failed(line: bytes) -> dict[str, str]:
    failure: dict[str, str] = json.loads(line)["failure"]
    return failure


async def begun(there: Lane, question: str, asker: str = "") -> tuple["asyncio.Task[bytes]", int]:
    """A question that is being answered, and the number of the process."""
    told: asyncio.Future[int] = asyncio.get_running_loop().create_future()

    async def heard(line: bytes) -> None:
        told.set_result(json.loads(line)["part"])

    return asyncio.create_task(there.ask(Asked(question, {}), heard, asker)), await told


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
        await settled(there)
        worker = there._idle[0]
        os.kill(first, signal.SIGKILL)
        await worker.process.wait()
        return first, answered(await there.ask(Asked("pid", {})))

    first, second = in_lane(work)
    assert first != second


@pytest.mark.slow
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
        asks = Asking(Folder(root), there, there, Listing(Folder(root), there))
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


# ------------------------------------------------------------------------------------------ whose turn


def order_of(places: int, share: int, askers: str, waiting: int = 100, of_one: int = 100) -> str:
    """Who is served, one letter each, where whoever has waited and is served goes at once when all have come."""

    async def run() -> str:
        turns, served = Turns(places, share, waiting, of_one), ""

        async def one(asker: str) -> None:
            nonlocal served
            await turns.take(asker)
            served += asker
            await asyncio.sleep(0)
            turns.give_back(asker)

        await asyncio.gather(*(one(asker) for asker in askers))
        return served

    return asyncio.run(run())


def test_whoever_has_waited_longest_is_next() -> None:
    assert order_of(1, 1, "abc") == "abc"
    assert order_of(2, 2, "aab") == "aab"


def test_many_questions_of_one_delay_no_other() -> None:
    assert order_of(2, 1, "aaaab") == "abaaa"
    assert order_of(3, 2, "aaaabc").index("b") == 2
    assert order_of(3, 1, "aaabc") == "abcaa"


def test_a_share_is_free_again_when_it_was_given_back_or_nobody_came_for_it() -> None:
    async def run() -> None:
        turns = Turns(1, 1, 10, 10)
        await turns.take("a")
        waiting = [asyncio.create_task(turns.take("b")) for _ in range(2)]
        await asyncio.sleep(0)
        waiting[0].cancel()  # while it waits
        turns.give_back("a")
        waiting[1].cancel()  # when it was called, and has not come yet
        await asyncio.gather(*waiting, return_exceptions=True)
        await turns.take("c")
        assert not turns._queue
        assert dict(turns._taken) == {"c": 1}

    asyncio.run(run())


def test_too_many_that_wait_are_refused_and_one_asker_does_not_fill_the_room() -> None:
    async def run() -> None:
        turns = Turns(1, 1, 3, 2)
        await turns.take("a")
        waiting = [asyncio.create_task(turns.take("a")) for _ in range(2)]
        await asyncio.sleep(0)
        with pytest.raises(Full):
            await turns.take("a")
        waiting.append(asyncio.create_task(turns.take("b")))
        await asyncio.sleep(0)
        with pytest.raises(Full):
            await turns.take("c")
        for task in waiting:
            task.cancel()
        await asyncio.gather(*waiting, return_exceptions=True)

    asyncio.run(run())


def test_a_slow_question_of_a_page_delays_no_other_page() -> None:
    async def work(there: Lane) -> tuple[int, int]:
        slow, pid = await begun(there, "choose", "one")
        more = [asyncio.create_task(there.ask(Asked("pid", {}), asker="one")) for _ in range(3)]
        await asyncio.sleep(0)
        other = answered(await there.ask(Asked("pid", {}), asker="other"))
        assert not any(task.done() for task in more), "they wait for the slow one"
        slow.cancel()
        await asyncio.gather(*more)
        return pid, other

    pid, other = in_lane(work, processes=2, share=1)
    assert pid != other


def test_a_page_goes_on_in_the_process_that_knows_its_games() -> None:
    async def work(there: Lane) -> list[list[int]]:
        slow = [await begun(there, "choose", name) for name in "ab"]
        for task, _ in slow:
            task.cancel()
        await asyncio.gather(*(task for task, _ in slow), return_exceptions=True)
        await settled(there)
        found = [[pid for _, pid in slow]]
        for names in ("ab", "ba"):
            pids = {}
            for name in names:
                pids[name] = answered(await there.ask(Asked("pid", {}), asker=name))
                await settled(there)
            found.append([pids["a"], pids["b"]])
        return found

    first, second, third = in_lane(work, processes=2, share=1)
    assert first == second == third


@pytest.mark.parametrize(("limit", "value"), [("MOST_HELD", -1), ("MOST_ANSWERS", 1), ("MOST_TOGETHER", 0)])
def test_a_process_that_holds_too_much_or_has_answered_often_is_replaced(
    limit: str, value: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lane, limit, value)
    monkeypatch.setattr(lane, "FRESH", 0)

    async def work(there: Lane) -> list[int]:
        pids = []
        for _ in range(2):
            pids.append(answered(await there.ask(Asked("pid", {}))))
            await settled(there)
            pids.append(there._idle[0].process.pid)
        return pids

    first, ready, second, last = in_lane(work)
    assert ready == second, "the next process is there before it is needed"
    assert len({first, second, last}) == 3


class Held:
    """A lane whose processes hold so many bytes: those that have nothing to do, and those that answer."""

    def __init__(self, idle: list[int], busy: int = 0, kept: bool = False):
        self.idle, self.busy, self.kept = idle, busy, kept

    def holds(self) -> int:
        return sum(self.idle) + self.busy

    def spare(self) -> list[Any]:
        return [types.SimpleNamespace(holds=held) for held in self.idle if held > (lane.FRESH if self.kept else 0)]

    async def dismiss(self, worker: Any) -> None:
        self.idle.remove(worker.holds)
        if self.kept:
            self.idle.append(lane.FRESH)


@pytest.mark.parametrize(
    ("lanes", "left"),
    [
        ([Held([100, 60]), Held([50])], [[100, 60], [50]]),  # just as much as they may
        ([Held([100, 60]), Held([51])], [[60], [51]]),
        ([Held([90], kept=True), Held([80, 70])], [[40], [80, 70]]),  # another one takes its place
        ([Held([50], busy=100, kept=True), Held([45, 40])], [[40], [40]]),
        ([Held([45], busy=300, kept=True), Held([40])], [[40], []]),  # what answers is left alone
    ],
)
def test_the_largest_idle_processes_go_when_all_together_hold_too_much(
    lanes: list[Any], left: list[list[int]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lane, "MOST_TOGETHER", 210)
    monkeypatch.setattr(lane, "FRESH", 40)
    together = lane.Together()
    for one in lanes:
        together.join(one)
    asyncio.run(together.shrink())
    assert [one.idle for one in lanes] == left


def test_processes_that_nobody_needs_are_ended() -> None:
    async def work(there: Lane) -> tuple[list[int], list[int]]:
        slow = [await begun(there, "choose", name) for name in "ab"]
        for task, _ in slow:
            task.cancel()
        await asyncio.gather(*(task for task, _ in slow), return_exceptions=True)
        await settled(there)
        for worker in list(there._idle):
            there._retire(worker, worker.answers - 1)  # it has answered since
        before = [worker.process.pid for worker in there._idle]
        for worker in list(there._idle):
            there._retire(worker, worker.answers)
        await settled(there)
        return before, [worker.process.pid for worker in there._alive]

    before, left = in_lane(work, processes=2, share=1)
    assert len(before) == 2
    assert left == before[1:]


@pytest.mark.skipif(sys.platform != "linux", reason="the system tells what a process holds")
def test_garbage_is_collected_when_it_is_worth_it(monkeypatch: pytest.MonkeyPatch) -> None:
    collected: list[None] = []
    held = iter([50_000_000, 40_000_000, 40_000_000, 47_999_999, 48_000_000, 41_000_000])
    monkeypatch.setattr(memory, "resident", lambda: next(held))
    monkeypatch.setattr(memory.gc, "collect", lambda: collected.append(None))
    tidy = memory.Tidy()
    found = [(tidy.up(), len(collected)) for _ in range(4)]
    assert found == [(40_000_000, 1), (40_000_000, 1), (47_999_999, 1), (41_000_000, 2)]


@pytest.mark.slow
def test_games_that_nobody_wants_any_more_are_garbage_that_is_collected(monkeypatch: pytest.MonkeyPatch) -> None:
    most = 3
    monkeypatch.setattr(opened_games, "MOST_GAMES", most)
    service, others = Service(engine="prolog"), sum(type(one) is Opened for one in gc.get_objects())
    for number in range(most + 3):
        service.answer("check", {"name": "mine", "text": f"{TICTACTOE}# {number}\n", "options": {}})
    memory.Tidy().up()
    assert sum(type(one) is Opened for one in gc.get_objects()) <= others + most


# ------------------------------------------------------------------------------------- whom it answers


class Echo(Lane):
    """A lane without processes: it answers with the question."""

    def __init__(self, name: str):
        self.name = name
        self.askers: list[str] = []

    async def ask(self, asked: Asked, heard: lane.Heard = lane.unheard, asker: str = "") -> bytes:
        self.askers.append(asker)
        if asked.question == "games":
            return wire.answer({"games": [{"name": "zola"}]})
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

    def __init__(self, app: Any, key: Key | None = None):
        self._transport = httpx.ASGITransport(app)
        self._headers = {"authorization": f"Bearer {key.token}"} if key else {}

    def request(self, method: str, path: str, **more: Any) -> Any:
        async def run() -> Any:
            async with httpx.AsyncClient(transport=self._transport, base_url=HOME, headers=self._headers) as client:
                return await client.request(method, path, **more)

        return asyncio.run(run())

    def get(self, path: str, **more: Any) -> Any:
        return self.request("GET", path, **more)

    def post(self, path: str, **more: Any) -> Any:
        return self.request("POST", path, **more)


@pytest.fixture
def key() -> Key:
    return Key(PORT, b"secret")


@pytest.fixture
def lanes() -> dict[str, Echo]:
    return {name: Echo(name) for name in ("quick", "long", "listed")}


@pytest.fixture
def app_of_all(root: Path, page: Path, key: Key, lanes: dict[str, Echo]) -> Any:
    """The application, before whom anybody may stand."""
    files = Folder(root)
    asks = Asking(files, lanes["quick"], lanes["long"], Listing(files, lanes["listed"]))
    return application(page, asks, PORT, key)


@pytest.fixture
def client(app_of_all: Any, key: Key) -> Client:
    """Somebody who has the token."""
    return Client(app_of_all, key)


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


# ----------------------------------------------------------------------------------- who knows the token


@pytest.fixture
def stranger(app_of_all: Any) -> Client:
    """Somebody of this machine who does not have the token."""
    return Client(app_of_all)


def test_a_stranger_gets_nothing_but_a_page_that_says_where_the_address_stands(stranger: Client) -> None:
    for path in ("/", "/index.html", "/app.js", "/none", "/?token=", "/?token=wrong", "/app.js?token=wrong"):
        got = stranger.get(path)
        assert got.status_code == 403
        assert f"<code>{HOME}/?token=…</code>" in got.text
        assert "set-cookie" not in got.headers
        nonce = re.search(r'<style nonce="([^"]+)">', got.text)
        assert nonce is not None
        assert f"'nonce-{nonce[1]}'" in got.headers["content-security-policy"]


def test_a_link_of_another_site_leads_to_the_page_where_the_browser_is_known(stranger: Client, key: Key) -> None:
    headers = {"sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate"}
    got = stranger.get("/", headers=headers)  # the browser keeps the cookie back
    [nonce] = re.findall(r'<script nonce="([^"]+)">\s+if .* !== "reload"\) location.reload\(\);', got.text)
    assert f"script-src 'self' 'nonce-{nonce}';" in got.headers["content-security-policy"]
    assert "<script" not in stranger.get("/").text
    known = stranger.get("/", headers={**headers, "cookie": key.cookie().split(";")[0]})
    assert "script-src 'self';" in known.headers["content-security-policy"]


@pytest.mark.parametrize("question", ["hello", "open", "save", "choose"])
def test_a_question_of_a_stranger_is_refused_before_it_is_read(
    stranger: Client, lanes: dict[str, Echo], root: Path, question: str
) -> None:
    async def never() -> AsyncIterator[bytes]:
        raise AssertionError("the body is read")
        yield b""

    before = contents(root)
    got = stranger.post(f"/ask/{question}", content=never(), headers={"content-type": "application/json"})
    assert got.status_code == 403
    assert "open the address that it printed" in failed(got.content)["message"]
    assert lanes["quick"].askers == lanes["long"].askers == []
    assert contents(root) == before


def test_a_browser_that_opens_the_address_is_known_from_then_on(stranger: Client, key: Key) -> None:
    assert key.address(f"{HOME}/") == f"{HOME}/?token={key.token}"
    got = stranger.get(f"/?token={key.token}")
    assert got.status_code == 200
    cookie, *rules = got.headers["set-cookie"].split("; ")
    assert rules == ["Path=/", "HttpOnly", "SameSite=Strict"]
    assert key.token not in cookie
    known = {"cookie": f"other=1; {cookie}; pysolve-1=2"}
    assert stranger.get("/", headers=known).status_code == 200
    assert stranger.get("/?token=old", headers=known).status_code == 200
    assert ask(stranger, "hello", headers=known)[-1] == {"answer": ["quick", "hello", {}]}


@pytest.mark.parametrize(
    "headers",
    [
        {"cookie": f"pysolve-{PORT}=" + "0" * 64}, {"cookie": f"pysolve-{PORT}="}, {"cookie": f"pysolve-{PORT}=\xe9"},
        {"cookie": "=" * 8000}, {"authorization": ""}, {"authorization": "Bearer "}, {"authorization": "Bearer wrong"},
        {"authorization": "Basic TOKEN"}, {"authorization": "TOKEN"}, {"authorization": "Bearer TOKEN2"},
        {"cookie": f"pysolve-{PORT}=TOKEN"},
    ],
)  # fmt: skip
def test_what_only_looks_like_the_token_opens_nothing(stranger: Client, key: Key, headers: dict[str, str]) -> None:
    told = {name: value.replace("TOKEN", key.token).encode("latin-1") for name, value in headers.items()}
    assert stranger.get("/", headers=told).status_code == 403


def test_the_token_in_the_address_opens_the_page_and_nothing_else(stranger: Client, key: Key) -> None:
    for path in ("/app.js", "/index.html", "/ask/hello"):
        assert stranger.get(f"{path}?token={key.token}").status_code == 403
    got = stranger.post(f"/ask/hello?token={key.token}", json={})
    assert (got.status_code, failed(got.content)["kind"]) == (403, "asked")
    elsewhere = stranger.get(f"/?token={key.token}", headers={"host": "evil.example"})
    assert (elsewhere.status_code, "set-cookie" in elsewhere.headers) == (403, False)


def test_a_server_that_was_started_again_knows_the_browser_but_not_the_old_address() -> None:
    first, again, other, of_other_user = (Key(PORT, b"one"), Key(PORT, b"one"), Key(PORT + 1, b"one"), Key(PORT, b"2"))
    cookie = first.cookie().split(";")[0]
    told = Headers({"cookie": cookie})
    assert [one.knows(told) for one in (again, other, of_other_user)] == [True, False, False]
    assert len({one.token for one in (first, again, other, of_other_user)}) == 4
    assert not again.is_told(f"token={first.token}".encode())
    renamed = Headers({"cookie": cookie.replace(str(PORT), str(PORT + 1))})
    assert not other.knows(renamed), "the cookie of one port is none for another"


def test_the_secret_is_kept_where_nobody_else_reads_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYSOLVE_CACHE", str(tmp_path / "private"))
    first = key_module.kept_secret()
    assert key_module.kept_secret() == first
    [file] = (tmp_path / "private").iterdir()
    assert sys.platform == "win32" or file.stat().st_mode & 0o777 == 0o600
    file.write_bytes(b"damaged")
    assert key_module.kept_secret() not in (first, b"damaged")


# -------------------------------------------------------------------------------------------- questions


@pytest.mark.parametrize("question", ["hello", "check", "state", "why", "format", "query", "record"])
def test_a_person_waits_for_quick_questions(client: Client, question: str) -> None:
    assert ask(client, question, {"a": 1}) == [{"part": "heard"}, {"answer": ["quick", question, {"a": 1}]}]


def test_games_are_those_that_are_shipped_and_those_of_the_folder(
    app_of_all: Any, client: Client, root: Path, lanes: dict[str, Echo]
) -> None:
    lanes["listed"].ask = AtHome(root).ask  # type: ignore[method-assign]
    [told] = ask(client, "games")
    assert [card["name"] for card in told["answer"]["games"]] == ["zola", "one.rules", "old/two.rules"]


def test_a_large_answer_is_compressed_for_who_understands_it(client: Client, lanes: dict[str, Echo]) -> None:
    large = wire.answer("x" * asking.LEAST_PACKED)

    async def answered_at_once(*_: object, **__: object) -> bytes:
        return large

    lanes["quick"].ask = answered_at_once  # type: ignore[method-assign]
    packed = client.post("/ask/state", json={})
    assert packed.headers["content-encoding"] == "gzip"
    assert packed.content == large
    assert packed.num_bytes_downloaded < len(large) / 10
    plain = client.post("/ask/state", json={}, headers={"accept-encoding": "identity"})
    assert "content-encoding" not in plain.headers
    assert plain.content == large


def test_lines_that_come_before_the_answer_are_sent_as_they_are(client: Client) -> None:
    told = client.post("/ask/state", json={"a": "x" * asking.LEAST_PACKED})
    assert "content-encoding" not in told.headers
    assert len(told.content.splitlines()) == 2


def test_a_page_is_known_by_its_name_or_else_by_its_connection(client: Client, lanes: dict[str, Echo]) -> None:
    for name in ("page 1", "", "x" * 41):
        ask(client, "hello", headers={"x-page": name})
    assert lanes["quick"].askers == ["page 1", "127.0.0.1:123", "127.0.0.1:123"]


@pytest.mark.parametrize("question", sorted(wire.LONG))
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


def test_a_question_that_says_it_is_too_large_is_not_read(client: Client) -> None:
    async def never() -> AsyncIterator[bytes]:
        raise AssertionError("the body is read")
        yield b""

    for size in ("2000001", "9" * 400):
        headers = {"content-type": "application/json", "content-length": size}
        assert client.post("/ask/hello", content=never(), headers=headers).status_code == 413


def test_all_questions_together_have_a_size() -> None:
    room = asking.Room(100)
    with room.used() as first:
        assert first(60)
        with room.used() as second:
            assert second(40)
            assert not second(1)
            assert not first(1)
        assert first(40)
    with room.used() as third:
        assert third(100)


def test_a_question_for_which_there_is_no_room_hears_that_the_server_is_busy(
    root: Path, page: Path, key: Key, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(asking, "LARGEST_BODIES", 10)
    asks = Asking(Folder(root), Echo("quick"), Echo("long"), Listing(Folder(root), Echo("listed")))
    client = Client(application(page, asks, PORT, key), key)
    got = client.post("/ask/hello", json={"text": "long enough"})
    assert (got.status_code, failed(got.content)["message"]) == (
        503, "the server is busy with other questions: ask again in a moment"
    )  # fmt: skip
    assert client.post("/ask/hello", json={}).status_code == 200, "the room is free again"


@pytest.mark.parametrize("question", ["HELLO", "a-b", "__class__", "x" * 40])
def test_a_word_that_can_be_no_question_is_refused(client: Client, question: str) -> None:
    assert ask(client, question) == [{"failure": {"kind": "asked", "message": "this is not a question"}}]


@pytest.mark.parametrize("question", ["games", "state", "save"])
@pytest.mark.parametrize("truths", slow_but([5], [{}, {"x": 5}, 5]))
def test_a_page_tells_no_truths(client: Client, question: str, truths: object) -> None:
    told = {"failure": {"kind": "asked", "message": f"{question} has no truths"}}
    assert ask(client, question, {"truths": truths}) == [told]


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


def served(root: Path, page: Path, work: Callable[[Any, Listening], Awaitable[Any]], crowd: Crowd | None = None) -> Any:
    """What a piece of work finds that asks a server over a real connection."""

    async def run() -> Any:
        with socket.socket() as listening:
            listening.bind(("127.0.0.1", 0))
            port = listening.getsockname()[1]
            there = Lane(COMMAND, Checks(), 1, 10, SOON)
            asks = Asking(Folder(root), there, there, Listing(Folder(root), there))
            key = Key(port, b"secret")
            ready = asyncio.Event()

            async def ending() -> None:
                await asks.close()
                await there.close()

            server = Listening(application(page, asks, port, key), ready.set, ending, crowd)
            serving = asyncio.create_task(server.serve([listening]))
            await ready.wait()
            try:
                async with (
                    asyncio.timeout(2 * SOON),
                    httpx.AsyncClient(
                        base_url=f"http://127.0.0.1:{port}", headers={"authorization": f"Bearer {key.token}"}
                    ) as client,
                ):
                    return await work(client, server)
            finally:
                server.should_exit = True
                await serving

    return asyncio.run(run())


@pytest.mark.slow
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


# ------------------------------------------------------------------------------------------ connections

ALIKE = Seconds(head=10, body=20, answer=30, idle=40)


class Clock:
    """A loop whose time goes on when a test says so."""

    def __init__(self) -> None:
        self._now = 0.0
        self._calls: list[tuple[float, Callable[[], None], asyncio.TimerHandle]] = []
        self.create_task = asyncio.get_running_loop().create_task

    def call_later(self, seconds: float, call: Callable[[], None]) -> Any:
        handle = SimpleNamespace(cancel=lambda: self._calls.remove(entry) if entry in self._calls else None)
        entry = (self._now + seconds, call, handle)
        self._calls.append(entry)
        return handle

    def pass_by(self, seconds: float) -> None:
        self._now += seconds
        for entry in [one for one in self._calls if one[0] <= self._now]:
            self._calls.remove(entry)
            entry[1]()


class Wire:
    """A transport without a socket."""

    def __init__(self) -> None:
        self.sent, self.closed, self.unread = b"", False, 0

    def write(self, data: bytes) -> None:
        self.sent += data

    def close(self) -> None:
        self.closed = True

    abort = close

    def is_closing(self) -> bool:
        return self.closed

    def get_write_buffer_size(self) -> int:
        return self.unread

    def get_extra_info(self, name: str) -> Any:
        return None

    def pause_reading(self) -> None: ...

    resume_reading = pause_reading


class Line:
    """A connection of a crowd to an application that reads a body and answers with its length, when it may."""

    def __init__(self, crowd: Crowd, clock: Clock):
        self.may_answer = asyncio.Event()
        self.wire = Wire()
        config = Listening(self._app, lambda: None, _nothing, crowd).config
        config.load()
        state = uvicorn.server.ServerState()
        self.end = connections(crowd)(config=config, server_state=state, app_state={}, _loop=clock)
        self.end.connection_made(self.wire)  # type: ignore[arg-type]

    async def _app(self, scope: Any, receive: Any, send: Any) -> None:
        size, more = 0, True
        while more:
            message = await receive()
            if message["type"] == "http.disconnect":
                return
            size, more = size + len(message["body"]), message["more_body"]
        await self.may_answer.wait()
        body = str(size).encode()
        headers = [(b"content-length", str(len(body)).encode())]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": body})

    async def says(self, data: bytes) -> bool:
        """True if the connection is still there after this was received."""
        if data:
            self.end.data_received(data)
        for _ in range(5):
            await asyncio.sleep(0)
        return not self.wire.closed


async def _nothing() -> None: ...


def on_lines(work: Callable[[Callable[[], Line], Clock], Awaitable[None]], most: int = 10) -> None:
    """Does a piece of work that opens connections of a crowd."""

    async def run() -> None:
        clock, crowd, lines = Clock(), Crowd(most, ALIKE), list[Line]()

        def opened() -> Line:
            lines.append(Line(crowd, clock))
            return lines[-1]

        try:
            await work(opened, clock)
        finally:
            for line in lines:
                line.end.connection_lost(None)
        assert not crowd.there

    asyncio.run(run())


HEAD = b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n"


def test_a_head_must_be_complete_in_time_however_often_a_byte_comes() -> None:
    async def work(opened: Callable[[], Line], clock: Clock) -> None:
        silent, slow = opened(), opened()
        for place in range(9):
            assert await slow.says(HEAD[place : place + 1])
            clock.pass_by(1)
        assert not silent.wire.closed
        clock.pass_by(1)
        assert silent.wire.closed
        assert slow.wire.closed

    on_lines(work)


def test_a_body_must_be_complete_in_time_however_often_a_byte_comes() -> None:
    async def work(opened: Callable[[], Line], clock: Clock) -> None:
        slow, quick = opened(), opened()
        for line in (slow, quick):
            assert await line.says(HEAD)
        for _ in range(9):
            assert await slow.says(b"x")
            clock.pass_by(2)
        assert await quick.says(b"0123456789")
        clock.pass_by(2)
        assert slow.wire.closed
        clock.pass_by(1000)  # an answer may take its time
        assert not quick.wire.closed
        quick.may_answer.set()
        assert await quick.says(b"")
        assert quick.wire.sent.endswith(b"\r\n\r\n10")

    on_lines(work)


def test_a_body_that_nobody_wants_has_a_time_too() -> None:
    async def work(opened: Callable[[], Line], clock: Clock) -> None:
        line = opened()
        line.end.app = Response("no", status_code=403)
        assert await line.says(HEAD + b"x")
        assert b"403" in line.wire.sent
        clock.pass_by(20)
        assert line.wire.closed

    on_lines(work)


def test_a_connection_is_kept_for_the_next_request_which_has_its_time_as_well() -> None:
    async def work(opened: Callable[[], Line], clock: Clock) -> None:
        line, idle = opened(), opened()
        for one in (line, idle):
            one.may_answer.set()
            assert await one.says(HEAD + b"0123456789")
        clock.pass_by(35)
        assert not line.wire.closed
        assert await line.says(b"POST")
        clock.pass_by(5)
        assert idle.wire.closed
        assert not line.wire.closed
        clock.pass_by(5)
        assert line.wire.closed

    on_lines(work)


def test_an_answer_must_be_taken() -> None:
    async def work(opened: Callable[[], Line], clock: Clock) -> None:
        line, other = opened(), opened()
        for one in (line, other):
            assert await one.says(HEAD + b"0123456789")
            one.wire.unread = 100_000
            one.end.pause_writing()
        clock.pass_by(20)
        other.end.resume_writing()
        clock.pass_by(10)
        assert line.wire.closed
        assert not other.wire.closed

    on_lines(work)


def test_the_end_of_the_server_waits_for_nobody_who_does_not_read() -> None:
    async def work(opened: Callable[[], Line], clock: Clock) -> None:
        line, other = opened(), opened()
        line.end.pause_writing()
        line.end._crowd.leave()
        assert line.wire.closed
        assert not other.wire.closed

    on_lines(work)


def test_one_connection_more_takes_the_place_of_the_longest_silent_one() -> None:
    async def work(opened: Callable[[], Line], clock: Clock) -> None:
        busy, silent, partial = opened(), opened(), opened()
        await busy.says(HEAD + b"0123456789")
        await partial.says(HEAD[:10])
        more = opened()
        assert [line.wire.closed for line in (busy, silent, partial, more)] == [False, True, False, False]
        still = opened()
        assert [line.wire.closed for line in (busy, partial, more, still)] == [False, True, False, False]

    on_lines(work, most=3)


def test_where_all_are_being_answered_one_more_hears_that_the_server_is_busy() -> None:
    async def work(opened: Callable[[], Line], clock: Clock) -> None:
        lines = [opened(), opened()]
        for line in lines:
            await line.says(HEAD + b"0123456789")
        refused = opened()
        assert refused.wire.closed
        assert refused.wire.sent.startswith(b"HTTP/1.1 503 Service Unavailable\r\n")
        assert not any(line.wire.closed for line in lines)
        lines[0].end.connection_lost(None)
        assert not opened().wire.closed

    on_lines(work, most=2)


def test_a_head_has_a_size() -> None:
    async def work(opened: Callable[[], Line], clock: Clock) -> None:
        line = opened()
        assert not await line.says(b"GET / HTTP/1.1\r\nx: " + b"y" * 20_000)
        assert b" 400 " in line.wire.sent

    on_lines(work)


def test_connections_leave_descriptors_to_the_rest(monkeypatch: pytest.MonkeyPatch) -> None:
    resource = pytest.importorskip("resource")
    for allowed, most in ((128, 56), (20, 8), (1 << 20, 100), (resource.RLIM_INFINITY, 100)):
        monkeypatch.setattr(resource, "getrlimit", lambda _, allowed=allowed: (allowed, allowed))
        assert most_connections() == most


def test_silent_connections_keep_nobody_out(root: Path, page: Path) -> None:
    async def work(client: Any, server: Listening) -> int:
        port = client.base_url.port
        silent = [await asyncio.open_connection("127.0.0.1", port) for _ in range(20)]
        got = await client.post("/ask/hello", json={})
        assert len(server.crowd.there) <= 4
        for _, writer in silent:
            writer.close()
        return int(got.status_code)

    assert served(root, page, work, Crowd(4)) == 200


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="limits of a process")
def test_a_crowd_that_uses_up_all_descriptors_keeps_nobody_out(page: Path, root: Path) -> None:
    with Running(page, root, "zola", descriptors=128) as running:
        silent = [socket.create_connection(("127.0.0.1", running.port)) for _ in range(250)]
        assert running.ask("hello", {})["version"]
        for one in silent:
            one.close()


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


def test_the_page_opens_what_is_named_and_else_begins_with_the_list(root: Path) -> None:
    hello = home(root, first="yoxii")("hello", {})
    first = hello["first"]
    assert (first["name"], first["text"]) == ("yoxii", (RULES_FOLDER / "yoxii.rules").read_text(encoding="utf-8"))
    assert not hello["home"]
    assert home(root, first="one.rules")("hello", {})["first"]["name"] == "one.rules"
    listed = home(root)("hello", {})
    assert (listed["home"], listed["first"]["name"]) == (True, "zola")


def test_what_a_browser_keeps_belongs_to_a_folder(root: Path) -> None:
    below = root / "below"
    below.mkdir(exist_ok=True)
    places = [home(folder)("hello", {})["place"] for folder in (root, root, below)]
    assert places[0] == places[1] != places[2]
    assert str(root) not in places[0]


class AtHome(Echo):
    """A lane without processes: it reads files as they do."""

    def __init__(self, root: Path):
        super().__init__("listed")
        self._home = home(root)
        self.read: list[str] = []

    async def ask(self, asked: Asked, heard: lane.Heard = lane.unheard, asker: str = "") -> bytes:
        self.read.append(asked.about["name"])
        if "endless" in asked.about["text"]:
            return wire.failure("limit", "this took longer than 5 seconds, and was stopped")
        return wire.answer(self._home(asked.question, asked.about))


def listed(listing: Listing) -> list[dict[str, Any]]:
    return asyncio.run(listing.cards())


def test_files_have_cards_even_with_mistakes(root: Path) -> None:
    (root / "wrong.rules").write_text('game "Wrong"\nnonsense\n')
    (root / "empty.rules").write_text("")
    (root / "latin.rules").write_bytes(b"\xe4")
    cards = listed(Listing(Folder(root), AtHome(root)))
    assert {card["place"] for card in cards} == {"folder"}
    found = {card["name"]: (card["title"], card["about"], card["cells"], "<svg" in card["picture"]) for card in cards}
    assert found == {
        "empty.rules": ("empty.rules", "4 mistakes", 0, False),
        "one.rules": ("Mine", "", 36, True),
        "wrong.rules": ("Wrong", "1 mistake", 0, False),
        "old/two.rules": ("Mine", "", 36, True),
    }


def test_a_file_that_takes_too_long_is_listed_with_the_reason_and_not_read_again(root: Path) -> None:
    (root / "hostile.rules").write_text('game "Hostile"\n# endless\n')
    there = AtHome(root)
    listing = Listing(Folder(root), there)
    for _ in range(2):
        found = {card["title"]: (card["about"], card["picture"] != "") for card in listed(listing)}
        assert found == {"Hostile": ("this took longer than 5 seconds, and was stopped", False), "Mine": ("", True)}
    assert sorted(there.read) == ["hostile.rules", "old/two.rules", "one.rules"]
    (root / "hostile.rules").write_text(RULES)
    assert [card["title"] for card in listed(listing)] == ["Mine"] * 3
    assert there.read[3:] == ["hostile.rules"]


def test_a_slow_file_does_not_hold_up_the_others(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (root / "endless.rules").write_text('game "Endless"\n')
    read = set[str]()
    others = asyncio.Event()

    class Slow(Echo):
        async def ask(self, asked: Asked, heard: lane.Heard = lane.unheard, asker: str = "") -> bytes:
            if asked.about["name"] == "endless.rules":
                await others.wait()  # it is not read before the others are
                return wire.failure("limit", "too slow")
            read.add(asked.about["name"])
            if len(read) == 2:
                others.set()
            return wire.answer({"about": "read"})

    monkeypatch.setattr(listing_module, "PATIENCE", SOON)
    cards = listed(Listing(Folder(root), Slow("listed")))
    assert [card["about"] for card in cards] == ["too slow", "read", "read"]


def test_files_that_take_long_together_are_listed_before_they_are_read(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(listing_module, "PATIENCE", 0)

    async def run() -> list[list[str]]:
        listing = Listing(Folder(root), AtHome(root))
        before = await listing.cards()
        await asyncio.gather(*listing._readings)
        after = await listing.cards()
        return [[card["about"] for card in cards] for cards in (before, after)]

    assert asyncio.run(run()) == [["not read yet", "not read yet"], ["", ""]]


def test_no_page_asks_for_the_card_of_a_text(client: Client) -> None:
    assert ask(client, plain.CARD)[0]["failure"]["message"] == "this is not a question"


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


def test_each_folder_has_a_port_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYSOLVE_CACHE", str(tmp_path / "cache"))
    one, other = tmp_path / "one", tmp_path / "other"
    one.mkdir()
    other.mkdir()
    with server._bound(one, None) as first, server._bound(one, None) as again:
        taken = [bound.getsockname() for bound in (first, again)]
    assert [host for host, _ in taken] == ["127.0.0.1", "127.0.0.1"]
    assert ports.FIRST <= taken[0][1] < taken[1][1]
    with server._bound(other, None) as elsewhere:  # also while the port of the first folder is free
        assert elsewhere.getsockname()[1] != taken[0][1]
    with server._bound(one, None) as later:
        assert later.getsockname() == taken[0]


def test_ports_that_were_written_by_nobody_are_forgotten(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYSOLVE_CACHE", str(tmp_path))
    (tmp_path / ports.FILE).write_text('{"/": 22}')
    assert ports.ports(tmp_path)[0] == ports.FIRST
    for number in range(ports.MOST_FOLDERS + 5):
        ports.remember(tmp_path / str(number), ports.FIRST + number)
    assert [ports.usual_port(tmp_path / str(number)) for number in (0, 4, 5)] == [None, None, ports.FIRST + 5]


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
    monkeypatch.setattr(command, "show", lambda address: (opened.append(address), done.set()))
    command._say("http://127.0.0.1:8000/", False)
    command._say("http://127.0.0.1:8001/", True, 8001)
    assert done.wait(SOON)
    assert opened == ["http://127.0.0.1:8001/"]
    command._say("http://127.0.0.1:8002/", False, 8001)
    said = capsys.readouterr().out.splitlines()
    assert said[0] == "http://127.0.0.1:8000/  (Ctrl-C ends the server)"
    assert [line.startswith("port 8001 is in use") for line in said] == [False, False, False, True]


def test_no_command_line_has_the_token(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    opened: list[str] = []
    address = "http://127.0.0.1:8000/?token=x&amp"
    monkeypatch.setattr(browsing.webbrowser, "open", opened.append)
    monkeypatch.setattr(browsing, "SNAPS", tmp_path)
    monkeypatch.setattr(browsing.platform, "release", lambda: "6.1")
    browsing.show(address)
    leading = Path(urlsplit(opened[0]).path)
    assert opened[0].startswith("file://")
    assert 'content="0; url=http://127.0.0.1:8000/?token=x&amp;amp"' in leading.read_text()
    assert sys.platform == "win32" or leading.stat().st_mode & 0o777 == 0o600
    browsing._delete(leading)
    assert not leading.exists()
    (tmp_path / "firefox").touch()  # it cannot read such a file
    browsing.show(address)
    assert opened[1] == address


PROGRAM = """\
import sys
from pathlib import Path
from pysolve.cli import main, web
from pysolve.web import listing, server
if descriptors := int(sys.argv.pop(1)):
    import resource
    resource.setrlimit(resource.RLIMIT_NOFILE, (descriptors, descriptors))
web.PAGE = server.PAGE = Path(sys.argv.pop(1))
server.QUICK_SECONDS = server.FILE_SECONDS = listing.PATIENCE = 1000.0  # however busy the machine is
main()
"""


class Running:
    """`pysolve web` in a process of its own, with a page of the tests."""

    def __init__(self, page: Path, folder: Path, *words: str, descriptors: int = 0):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = port = free.getsockname()[1]
        program = [sys.executable, "-c", PROGRAM, str(descriptors), str(page)]
        self.process = subprocess.Popen(
            [*program, "web", "--no-open", "--port", str(port), *words],
            cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            env={**os.environ, "PYTHONPATH": str(Path(__file__).parent.parent)},
        )  # fmt: skip
        assert self.process.stdout is not None
        self.line = self.process.stdout.readline()
        self.address = self.line.split()[0]
        self.client = httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=2 * SOON)
        self.client.get(self.address)

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
        place = f"http://127.0.0.1:{running.port}/?token="
        assert re.fullmatch(re.escape(place) + r"[\w-]{43}  \(Ctrl-C ends the server\)\n", running.line)
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
        assert (running.process.returncode, complaints) == (130, "pysolve: the server has ended\n")
        assert not [pid for pid in workers if alive(pid)]


@pytest.mark.slow
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
