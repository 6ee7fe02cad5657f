"""The border to the Prolog of a browser, here with this machine's Prolog behind an object like that of JavaScript."""

import subprocess
import sys

import pytest

from pysolve.engines import browser
from pysolve.engines.border import Call, PrologError
from pysolve.engines.bridge import bridge
from pysolve.engines.protocol import EngineError, LimitReached

NAMES = """
same(In, In).
none(_, _) :- fail.
wrong(_, _) :- throw(odd('ü')).
hungry(_, _) :- throw(error(resource_error(program_space), _)).
"""


class Stand:
    """What web/src/playground/prolog.ts does, done by this machine's Prolog."""

    def __init__(self) -> None:
        self.consulted: list[str] = []
        self.until: list[bytes] = []
        self._functions: list[tuple[Call, Call]] = []
        self._thrown: str | None = None

    def consult(self, name: str, text: str) -> None:
        """This Prolog has what bridge.pl holds, and no need of the rest."""
        self.consulted.append(name)

    def predicate(self, module: str, name: str) -> int:
        """The number of a pair of functions."""
        if module == "pysolve_browser":
            self._functions.append((self._until, self._until))
        else:
            self._functions.append((bridge().function(module, name), bridge().function(module, name, utf8=True)))
        return len(self._functions) - 1

    def ask(self, predicate: int, text: str, utf8: bool) -> str | None:
        """The answer; the exception is kept."""
        self._thrown, code = None, "utf-8" if utf8 else "latin-1"
        try:
            reply = self._functions[predicate][utf8](text.encode(code))
        except PrologError as error:
            self._thrown = error.term
            return None
        except LimitReached:
            self._thrown = "interrupted(time)"
            return None
        return None if reply is None else reply.decode(code)

    def thrown(self) -> str | None:
        """What the last question has thrown."""
        return self._thrown

    def _until(self, data: bytes) -> bytes:
        self.until.append(data)
        return b""


@pytest.fixture
def stand() -> Stand:
    """A Prolog that belongs to one test."""
    return Stand()


def test_bytes_and_text_cross_unchanged(stand: Stand) -> None:
    border = browser.Bridge(stand)
    border.load("pysolve_crossing", NAMES)
    assert stand.consulted == ["bridge.pl", "browser.pl"]
    data = bytes(range(256)) * 3
    assert border.function("pysolve_crossing", "same")(data) == data
    text = "ü ♞ 🂡".encode()
    assert border.function("pysolve_crossing", "same", utf8=True)(text) == text
    assert border.function("pysolve_crossing", "none")(b"") is None
    with pytest.raises(PrologError, match=r"odd\(ü\)|odd\('ü'\)"):
        border.function("pysolve_crossing", "wrong")(b"")
    border.unload("pysolve_crossing")


def test_the_clauses_of_a_module_are_loaded_once_and_stay(stand: Stand) -> None:
    border = browser.Bridge(stand)
    border.load("pysolve_kept", NAMES)
    border.unload("pysolve_kept")
    border.load("pysolve_kept", 'same(_, "another").\n')
    assert border.function("pysolve_kept", "same")(b"x") == b"x"
    border.add("pysolve_kept", "more(In, In).\n")
    border.add("pysolve_kept", 'more(_, "another").\n')
    assert border.function("pysolve_kept", "more")(b"x") == b"x"


def test_clauses_that_prolog_refuses(stand: Stand) -> None:
    with pytest.raises(EngineError, match="this is a mistake in pysolve"):
        browser.Bridge(stand).load("pysolve_refused", "a(X) :- b(.\n")


def test_a_limit_of_seconds_is_set_and_taken_back(stand: Stand) -> None:
    border = browser.Bridge(stand)
    assert border.within(1.5, lambda data: data + b"!", b"x") == b"x!"
    assert stand.until == [b"1.5", b""]

    def late(data: bytes) -> bytes:
        raise LimitReached("late")

    with pytest.raises(LimitReached, match="late"):
        border.within(2, late, b"")
    assert stand.until[2:] == [b"2", b""]
    assert border.within(None, lambda data: data, b"y") == b"y"
    assert len(stand.until) == 4


IN_BROWSER = """
import sys
sys.platform = "emscripten"
ABSENT = {"pyswip", "_multiprocessing", "typer", "rich", "chess", "numpy", "starlette"}
class NotThere:
    def find_spec(self, name, path=None, target=None):
        if name in ABSENT:
            raise ModuleNotFoundError(f"no {name} in a browser", name=name)
for name in ABSENT:
    assert name not in sys.modules, name
sys.meta_path.insert(0, NotThere())
import pysolve
import pysolve.lab.balance, pysolve.service.browser
from pysolve.engines import open_engine, prolog
assert "pysolve.engines.native" not in sys.modules
try:
    pysolve.load("zola", size=4).start()
except pysolve.EngineError as error:
    print(error)
"""


@pytest.mark.slow
def test_what_a_browser_imports_and_that_prolog_must_be_handed_over(tmp_path) -> None:
    told = subprocess.run([sys.executable, "-c", IN_BROWSER], capture_output=True, text=True, check=True).stdout
    assert told == "no Prolog has been handed over: call pysolve.engines.browser.connect first\n"
