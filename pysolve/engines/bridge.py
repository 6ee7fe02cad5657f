"""The border to a Prolog that is a library of this process.

pyswip finds and starts SWI-Prolog; then half a dozen C functions of its library are called, on predicates looked up
once: through ctypes, which takes 2 microseconds a call, or straight from C (pysolve.engines.direct), which takes 0.3.
What must be kept in mind at this border:

* Text comes back as latin-1 with BUF_ALLOW_STACK, or inside a string mark; anything else leaks a buffer.
* Every query is closed before the call returns, errors or not; nothing is left half read.  What goes in is on the
  stack of Prolog; the frame around it takes it away.
* A thread that Prolog does not know must be attached first, with term references of its own; its engine is
  destroyed when the thread ends.
* The thread that starts Prolog must live as long as the process: where it is not the main one, it is one of ours.
* After a fork only the parent may use Prolog.
* Ctrl-C reaches Python only when the goal has ended; so a small thread waits for the signal and throws
  `interrupted` into the goal.
"""

from __future__ import annotations

import atexit
import ctypes
import os
import signal
import socket
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import contextmanager, suppress
from functools import cache, partial
from typing import Any, NoReturn

from pysolve.engines.border import Border, Call, translated
from pysolve.engines.direct import direct
from pysolve.engines.protocol import EngineError, LimitReached
from pysolve.runtime.paths import PROLOG

MINIMUM = 90000  # SWI-Prolog 9.0
STACK_LIMIT = 512 * 1024 * 1024  # bytes
SOON = 0.02  # seconds, after which a call is looked for that has not begun before its time was over
INSTALL = (
    "pysolve needs SWI-Prolog 9 or later with its shared library: "
    "apt install swi-prolog (Debian, Ubuntu), dnf install pl (Fedora), brew install swi-prolog (macOS)"
)

# From SWI-Prolog.h; equal in 9.0 and 10.1.
_NODEBUG, _CATCH, _EXT_STATUS = 0x4, 0x8, 0x40
_FLAGS = _NODEBUG | _CATCH | _EXT_STATUS
_CVT_STRING, _CVT_WRITE, _BUF_ALLOW_STACK = 0x2, 0x80, 0x40000
_REP_UTF8, _PL_STRING = 0x100000, 6
_OUT = _CVT_STRING | _BUF_ALLOW_STACK


class _Thread:
    """The Prolog engine of one thread: its term references and its name in Prolog."""

    def __init__(self, bridge: Bridge):
        self.refs = bridge.lib.PL_new_term_refs(2)  # what goes in, and what comes out
        bridge.lib.PL_put_variable(self.refs + 1)
        self.number = bridge.lib.PL_thread_self()
        self.calls = ctypes.c_long()  # calls under way: one, unless a goal calls back
        self.length = ctypes.c_size_t()
        self.text = ctypes.c_void_p()
        self.length_ref, self.text_ref = ctypes.byref(self.length), ctypes.byref(self.text)


class _Guest:
    """Keeps a thread attached to Prolog until it ends.  Only the thread itself holds it: frames of an exception, which
    may live longer, hold a `_Thread`."""

    def __init__(self, bridge: Bridge):
        if bridge.lib.PL_thread_attach_engine(None) < 0:
            raise EngineError("Prolog cannot serve another thread")
        self._bridge = bridge
        self._thread = threading.get_ident()
        bridge.guests.add(self._thread)

    def __del__(self) -> None:
        if threading.get_ident() == self._thread:
            self._bridge.lib.PL_thread_destroy_engine()
            self._bridge.guests.discard(self._thread)


class Bridge(Border):
    """The connection to SWI-Prolog, of which a process has one."""

    def __init__(self) -> None:
        super().__init__()
        self.lib = _start()
        self.pid = os.getpid()
        self.guests: set[int] = set()  # threads that are attached, but for the one that started Prolog
        self._local = threading.local()
        self._local.me = _Thread(self)
        self._owner = ctypes.c_ulong(threading.get_ident())  # a fork makes it 0, which no thread is
        self._owner_thread: _Thread = self._local.me
        os.register_at_fork(after_in_child=partial(setattr, self._owner, "value", 0))
        terms = ctypes.c_size_t(self._owner_thread.refs)
        self._direct = direct(self.lib, self._owner, terms, self._owner_thread.calls)
        self._consult()
        self._open()
        self._interrupt = self.function("pysolve_bridge", "interrupt")
        self._idle = self.function("pysolve_bridge", "idle")
        self._watch_for_ctrl_c()

    def leave(self) -> None:
        """Detaches the calling thread."""
        self._local.__dict__.pop("me", None)
        self._local.__dict__.pop("guest", None)

    def end(self) -> None:
        """Ends Prolog with the program, from the thread that started it; pyswip would do so, too, whoever uses it.

        A thread that goes on while the program ends stays attached; then memory is left to the system, without a
        complaint of Prolog.
        """
        from pyswip.core import cleanupProlog

        atexit.unregister(cleanupProlog)
        if not self.guests and not self._forked():
            cleanupProlog()

    # ------------------------------------------------------------------------------------- the parts

    def _consult(self) -> None:
        """Loads prolog/bridge.pl and sets the limit on memory."""
        load = self.function("user", "consult_bridge")
        self._define('consult_bridge(File, "") :- load_files(File, [silent(true)]).')
        load(str(PROLOG / "bridge.pl").encode())
        self._define(f":- set_prolog_flag(stack_limit, {STACK_LIMIT}).")

    def _define(self, text: str) -> None:
        """Runs a directive or adds a clause; only for fixed texts of this file."""
        from pyswip import Prolog

        if text.startswith(":- "):
            list(Prolog.query(text[3:].rstrip("."), catcherrors=True))
        else:
            Prolog.assertz(f"({text.rstrip('.')})", catcherrors=True)

    def _me(self) -> _Thread:
        """The calling thread's references; attaches a thread that is new to Prolog."""
        if self._forked():
            raise EngineError('Prolog does not survive a fork: start processes with "spawn"')
        if threading.get_ident() == self._owner.value:
            return self._owner_thread
        me: _Thread | None = getattr(self._local, "me", None)
        if me is None:
            self._local.guest = _Guest(self)
            me = self._local.me = _Thread(self)
        return me

    def _forked(self) -> bool:
        return os.getpid() != self.pid

    # ----------------------------------------------------------------------------------------- calls

    def function(self, module: str, name: str, utf8: bool = False) -> Call:
        """The predicate name/2 of a module as a function from string to string; None where it fails.

        With `utf8` the strings are text in UTF-8; otherwise each byte is a character, which is faster.
        """
        lib = self.lib
        self._me()  # a thread that Prolog does not know may not even look up a predicate
        predicate = lib.PL_predicate(name.encode(), 2, module.encode())

        def call(data: bytes) -> bytes | None:
            me = self._me()
            refs = me.refs  # the second is unbound again whenever a query has been closed
            frame = lib.PL_open_foreign_frame()  # or the text would stay on the stack until Prolog collects garbage
            if utf8:
                lib.PL_put_chars(refs, _PL_STRING | _REP_UTF8, len(data), data)
            else:
                lib.PL_put_string_nchars(refs, len(data), data)
            me.calls.value += 1
            query = lib.PL_open_query(None, _FLAGS, predicate, refs)
            try:
                status = lib.PL_next_solution(query)
                if status == 0:
                    return None
                if status > 0 and utf8:
                    return self._text(refs + 1, _CVT_STRING | _REP_UTF8)
                if status > 0:
                    lib.PL_get_nchars(refs + 1, me.length_ref, me.text_ref, _OUT)
                    return ctypes.string_at(me.text, me.length.value)
                error = self._thrown(query)
            finally:
                lib.PL_close_query(query)
                lib.PL_discard_foreign_frame(frame)
                lib.PL_put_variable(refs)  # the text is gone
                me.calls.value -= 1
            raise error

        return call if utf8 or self._direct is None else self._direct(predicate, call, self._fail)

    def _thrown(self, query: int) -> BaseException:
        """The exception that a query has raised, as a Python exception."""
        return translated(self._text(self.lib.PL_exception(query), _CVT_WRITE | _REP_UTF8).decode())

    def _fail(self, query: int) -> NoReturn:
        """Raises what a query has thrown."""
        raise self._thrown(query)

    def _text(self, term: int, flags: int) -> bytes:
        """The text of a term in UTF-8; inside a string mark, so that nothing leaks."""
        lib = self.lib
        mark = ctypes.c_size_t()
        length, text = ctypes.c_size_t(), ctypes.c_void_p()
        lib.PL_mark_string_buffers(ctypes.byref(mark))
        try:
            if not lib.PL_get_nchars(term, ctypes.byref(length), ctypes.byref(text), flags):
                return b""
            return ctypes.string_at(text.value or 0, length.value)
        finally:
            lib.PL_release_string_buffers_from_mark(mark.value)

    def unload(self, module: str) -> None:
        """Gives a game back; its clauses go when nobody holds it any more."""
        if not self._forked():
            super().unload(module)

    # ------------------------------------------------------------------------------------- interrupts

    def within(self, seconds: float | None, call: Call, data: bytes) -> bytes | None:
        """A call that is ended after some seconds, with `LimitReached`."""
        if seconds is None:
            return call(data)
        me, over = self._me(), threading.Event()

        def end() -> None:
            waiting: float = seconds
            while not over.wait(waiting) and not self.throw(me, "time"):
                waiting = SOON  # the call has not begun: this machine has much to do

        timer = threading.Thread(target=end, daemon=True)
        timer.start()
        try:
            return call(data)
        finally:
            over.set()
            timer.join()
            self._calm()

    def _calm(self) -> None:
        """Takes an interrupt that came too late for its call away from the calls that follow."""
        with suppress(LimitReached):
            self._idle(b"")

    def throw(self, target: _Thread, word: str) -> bool:
        """Ends what another thread is asking Prolog at the moment; False if it is asking nothing."""
        if not target.calls.value:
            return False
        name = "main" if target is self._owner_thread and target.number == 1 else str(target.number)
        self._interrupt(f"{name} {word}".encode())
        return True

    def _watch_for_ctrl_c(self) -> None:
        """Starts the thread that passes Ctrl-C on; only where nobody else waits for signals this way."""
        if threading.current_thread() is not threading.main_thread():
            return
        ours, theirs = socket.socketpair()
        ours.setblocking(False)
        before = signal.set_wakeup_fd(ours.fileno(), warn_on_full_buffer=False)
        if before != -1:
            signal.set_wakeup_fd(before)
            return
        self._wakeup = ours  # kept, or the socket would close

        def watch() -> None:
            while data := theirs.recv(1):
                if data[0] == signal.SIGINT:
                    self.throw(self._owner_thread, "key")
                    self.leave()

        threading.Thread(target=watch, name="pysolve-ctrl-c", daemon=True).start()


_starting = threading.Lock()


def bridge() -> Bridge:
    """The Prolog of this process, started when it is first needed."""
    with _starting:
        return _started()


@cache
def _started() -> Bridge:
    """Prolog belongs to the thread that starts it, which must live as long: others have one started for it."""
    if threading.current_thread() is threading.main_thread():
        started = Bridge()
        atexit.register(started.end)
        return started
    made: Future[Bridge] = Future()
    ends = threading.Event()

    def own() -> None:
        try:
            made.set_result(Bridge())
        except BaseException as error:
            made.set_exception(error)
            return
        ends.wait()
        made.result().end()

    owner = threading.Thread(target=own, name="pysolve-prolog", daemon=True)
    owner.start()
    started = made.result()

    def end() -> None:
        started.leave()
        ends.set()
        owner.join()

    atexit.register(end)
    return started


def _start() -> Any:
    """SWI-Prolog, started by pyswip; its library with the prototypes that we use."""
    try:
        with _no_arguments():
            import pyswip  # noqa: F401  (starts Prolog)
            from pyswip import core
    except Exception as error:  # pyswip raises many kinds when it finds no library
        raise EngineError(f"{INSTALL} ({type(error).__name__}: {error})") from None
    lib = ctypes.CDLL(core._lib._name)
    ref, size, text, pointer = ctypes.c_size_t, ctypes.c_size_t, ctypes.c_char_p, ctypes.c_void_p
    prototypes: dict[str, tuple[Any, list[Any]]] = {
        "PL_version_info": (ctypes.c_uint, [ctypes.c_int]),
        "PL_new_term_refs": (ref, [ctypes.c_int]),
        "PL_predicate": (pointer, [text, ctypes.c_int, text]),
        "PL_open_foreign_frame": (ref, []),
        "PL_discard_foreign_frame": (None, [ref]),
        "PL_open_query": (ref, [pointer, ctypes.c_int, pointer, ref]),
        "PL_next_solution": (ctypes.c_int, [ref]),
        "PL_close_query": (ctypes.c_int, [ref]),
        "PL_exception": (ref, [ref]),
        "PL_put_string_nchars": (ctypes.c_bool, [ref, size, text]),
        "PL_put_chars": (ctypes.c_bool, [ref, ctypes.c_int, size, text]),
        "PL_put_variable": (ctypes.c_bool, [ref]),
        "PL_get_nchars": (ctypes.c_bool, [ref, ctypes.POINTER(size), ctypes.POINTER(pointer), ctypes.c_uint]),
        "PL_mark_string_buffers": (None, [ctypes.POINTER(size)]),
        "PL_release_string_buffers_from_mark": (None, [size]),
        "PL_thread_self": (ctypes.c_int, []),
        "PL_thread_attach_engine": (ctypes.c_int, [pointer]),
        "PL_thread_destroy_engine": (ctypes.c_bool, []),
    }
    for name, (result, arguments) in prototypes.items():
        function = getattr(lib, name)
        function.restype, function.argtypes = result, arguments
    version = lib.PL_version_info(1)
    if version < MINIMUM:
        found = f"{version // 10000}.{version // 100 % 100}.{version % 100}"
        raise EngineError(f"{INSTALL} (this is {found})")
    return lib


@contextmanager
def _no_arguments() -> Iterator[None]:
    """Hides the command line: pyswip hands it to Prolog in UTF-8, and Prolog takes options of its own from it."""
    words = sys.argv
    sys.argv = ["pysolve"]
    try:
        yield
    finally:
        sys.argv = words
