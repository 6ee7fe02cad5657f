"""Calls of predicates that spare ctypes: a function of Python, compiled when Prolog starts.

In: the library of SWI-Prolog, and what the owner of Prolog calls it with.  Out: a maker of functions from bytes to
bytes, which do what `Bridge.function` does and cost 0.3 microseconds where ctypes takes 2; or None where there is no
compiler in memory, and the functions of the bridge have to do.  The C is prolog/call.c.
"""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Callable
from typing import Any

from pysolve.engines.border import Call
from pysolve.engines.build import BuildError, Library, NoCompiler, build, compilers
from pysolve.runtime.paths import PROLOG

Maker = Callable[[int, Call, Callable[[int], None]], Call]

# In the order of the structure in prolog/call.c.
OF_PROLOG = (
    "PL_open_foreign_frame", "PL_discard_foreign_frame", "PL_put_variable", "PL_put_string_nchars", "PL_open_query",
    "PL_next_solution", "PL_get_string", "PL_close_query",
)  # fmt: skip
OF_PYTHON = (
    "PyThread_get_thread_ident", "PyEval_SaveThread", "PyEval_RestoreThread", "PyTuple_GetItem", "PyLong_AsVoidPtr",
    "PyLong_FromSize_t", "PyBytes_AsStringAndSize", "PyBytes_FromStringAndSize", "PyObject_CallOneArg", "Py_IncRef",
    "Py_DecRef",
)  # fmt: skip
ONE_ARGUMENT = 0x8  # METH_O


class _Method(ctypes.Structure):
    """PyMethodDef."""

    _fields_ = [("name", ctypes.c_char_p), ("function", ctypes.c_void_p), ("flags", ctypes.c_int),
                ("doc", ctypes.c_char_p)]  # fmt: skip


def direct(prolog: Any, owner: ctypes.c_ulong, terms: ctypes.c_size_t, calls: ctypes.c_long) -> Maker | None:
    """Makes functions for the thread `owner`, from a predicate, a function for other threads, and one that raises
    what a query has thrown.  All three numbers are read at each call.
    """
    library = _compiled()
    if library is None:
        return None
    addresses = [_address(prolog, name) for name in OF_PROLOG]
    addresses += [_address(ctypes.pythonapi, name) for name in OF_PYTHON]
    addresses += [*map(ctypes.addressof, (owner, terms, calls)), id(None)]
    library.function("ps_connect", ctypes.c_void_p)((ctypes.c_void_p * len(addresses))(*addresses))
    entry = ctypes.cast(library.function("ps_call"), ctypes.c_void_p).value
    method = _Method(b"call", entry, ONE_ARGUMENT, None)
    new = ctypes.PYFUNCTYPE(ctypes.py_object, ctypes.c_void_p, ctypes.py_object, ctypes.c_void_p)(
        ("PyCFunction_NewEx", ctypes.pythonapi))  # fmt: skip
    kept = (library, method, owner, terms, calls)

    def make(predicate: int, elsewhere: Call, failed: Callable[[int], None]) -> Call:
        function: Call = new(ctypes.addressof(kept[1]), (predicate, elsewhere, failed), None)
        return function

    return make


def _compiled() -> Library | None:
    if sys.platform != "linux":  # where it has been tried; code in memory is a delicate matter elsewhere
        return None
    try:
        text = (PROLOG / "call.c").read_text(encoding="ascii")
        return build(text, compilers("tcc")[0])
    except (NoCompiler, BuildError, OSError):
        return None


def _address(library: Any, name: str) -> int:
    return ctypes.cast(getattr(library, name), ctypes.c_void_p).value or 0
