"""Makes the Python of the playground; web/playground.mjs runs it inside the Pyodide that will load it.

In: the sources, mounted at /source, Lark and platformdirs, mounted at /packages, and where pysolve shall lie, as SITE.
Out: /python.zip, the standard library, and /site.zip, all else; both compiled, and with the parser made from the
grammar: so that a browser has nothing to compile.
"""

import os
import py_compile
import shutil
import sys
import zipfile
from pathlib import Path

SITE = Path(os.environ["SITE"])
CACHE = SITE / "cache"
SOURCE, PACKAGES = Path("/source"), Path("/packages")
LIBRARY = Path("/lib/python314.zip")
# What no part of pysolve uses: most of the library.
NOT_USED = (
    "_aix_support", "_apple_support", "_ios_support", "_osx_support", "_pydecimal", "_pyio", "_pyrepl", "antigravity",
    "bdb", "cProfile", "cgi", "code.", "concurrent/interpreters", "curses", "dbm", "doctest", "email",
    "encodings/big5", "encodings/cp1", "encodings/cp7", "encodings/cp8", "encodings/cp9", "encodings/euc",
    "encodings/gb", "encodings/hp", "encodings/iso", "encodings/johab", "encodings/koi", "encodings/kz",
    "encodings/mac", "encodings/ptcp", "encodings/shift", "encodings/tis", "ensurepip", "ftplib", "html", "http",
    "idlelib", "imaplib", "ipaddress", "lib2to3", "mailbox", "mimetypes", "multiprocessing", "netrc", "nturl2path",
    "optparse", "pdb", "pickletools", "plistlib", "poplib", "profile", "pstats", "pty", "pydoc", "pydoc_data",
    "rlcompleter", "sched", "smtplib", "socketserver", "ssl", "tarfile", "tkinter", "tomllib", "trace.",
    "tracemalloc", "tty", "turtle", "turtledemo", "unittest", "uuid", "venv", "wave", "wsgiref", "xml/dom", "xml/sax",
    "xmlrpc", "zipapp",
)  # fmt: skip
LEFT_OUT = (  # commands, servers, and what needs processes or a compiler of C
    "dsl/passes", "dsl/to_c", "lark/__pyinstaller", "lark/tools", "pysolve/cli", "pysolve/engines/bridge",
    "pysolve/engines/direct", "pysolve/engines/native", "pysolve/engines/solver", "pysolve/export",
    "pysolve/lab/cluster", "pysolve/lab/plots", "pysolve/lab/processes", "pysolve/lab/report", "pysolve/lab/start",
    "pysolve/lab/tournament", "pysolve/lab/tune", "pysolve/page", "pysolve/ide/lsp",
    "pysolve/runtime/lane", "pysolve/web",
    *(f"library/{name}" for name in NOT_USED),
)  # fmt: skip
DATA = (".lark", ".rules", ".pl", ".c", ".h", ".json")


def main() -> None:
    """Fills the folder and packs it."""
    add(SOURCE / "pysolve", SITE / "pysolve")
    add(SOURCE / "dsl", SITE / "pysolve" / "dsl")
    for name in ("rules", "prolog"):
        add(SOURCE / name, SITE / "pysolve" / name)
    for name in ("lark", "platformdirs"):
        add(PACKAGES / name, SITE / name)
    save_parser()
    pack(SITE, "/site.zip")
    with zipfile.ZipFile(LIBRARY) as packed:
        packed.extractall("/library")
    add(Path("/library"), Path("/compiled"), optimize=2)
    pack(Path("/compiled"), "/python.zip")


def pack(folder: Path, into: str) -> None:
    """All files of a folder in one; the same files make the same."""
    with zipfile.ZipFile(into, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as packed:
        for file in sorted(file for file in folder.rglob("*") if file.is_file()):
            undated = zipfile.ZipInfo(str(file.relative_to(folder)))
            packed.writestr(undated, file.read_bytes(), zipfile.ZIP_DEFLATED)


def add(folder: Path, to: Path, optimize: int = 0) -> None:
    """A folder: Python is compiled, data is copied."""
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder.parent).as_posix()
        if any(name.startswith(left_out) for left_out in LEFT_OUT) or "__pycache__" in name:
            continue
        target = to / path.relative_to(folder)
        if path.suffix == ".py":
            target.parent.mkdir(parents=True, exist_ok=True)
            unchecked = py_compile.PycInvalidationMode.UNCHECKED_HASH
            py_compile.compile(str(path), str(target.with_suffix(".pyc")), name, True, optimize, unchecked)
        elif path.suffix in DATA:
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, target)


def save_parser() -> None:
    """Makes the parser of the grammar, which is then kept in the cache."""
    os.environ["XDG_CACHE_HOME"] = str(CACHE)
    sys.path.insert(0, str(SITE))
    from pysolve.dsl.text.parser import parser

    parser()
    assert list(CACHE.rglob("*.parser")), "the parser was not kept"


main()
