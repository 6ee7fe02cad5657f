"""From the C of a game to WebAssembly.

In: C text, and the functions that are wanted.  Out: the bytes of a module; `NoCompiler` where nothing here makes one.
What was made before comes from the cache.
"""

from __future__ import annotations

import functools
import hashlib
import importlib.util
import shutil
import subprocess
import tempfile
from pathlib import Path

from pysolve.engines.build import BuildError, NoCompiler, Refused
from pysolve.runtime import cache
from pysolve.runtime.processes import python

STACK = 1 << 20  # bytes; a count of moves alone may take some 128,000
SECONDS = 300  # for one compilation
FLAGS = (
    "-Os", "-std=gnu11", "-nostdlib", "-ffreestanding", "-fwrapv", "-fno-strict-aliasing", "-g0",
    "-Wl,--no-entry", f"-Wl,-z,stack-size={STACK}", "-Wl,--export=__heap_base",
)  # fmt: skip
ZIG = ("-target", "wasm32-freestanding", "-mcpu=generic+simd128+bulk_memory", "-fno-sanitize=undefined")
CLANG = ("--target=wasm32-unknown-unknown", "-msimd128", "-mbulk-memory", "-Wl,--stack-first")
PLAYING = (
    "expand", "children", "start", "estimate", "judge", "standing", "tries", "perft", "perft_after", "drive", "search",
    "search_size", "table_size", "found_size", "grow", "tree_size", "way", "ranked",
)  # fmt: skip
PLAYING_OTHERS = ("estimates", "paid")  # of other than two players, besides
SEARCHING = ("strong", "strong_size", "strong_table_size")  # where the strong search applies
ROLLING = ("weights",)  # where some moves are left to chance
JUDGING = ("judge_size",)  # where positions are judged by learned values
TELLING = ("demand", "reasons", "trail", "shown")


def compiler() -> tuple[str, ...]:
    """The command that makes WebAssembly; raises `NoCompiler` if there is none."""
    if importlib.util.find_spec("ziglang"):
        return python("ziglang", "cc", *ZIG)
    found = _clang()
    if found is None:
        raise NoCompiler(
            "an export needs a compiler that makes WebAssembly, and there is none here: install zig with  "
            "pip install 'pysolve-games[zig]'  or clang together with lld (wasm-ld)"
        )
    return (found, *CLANG)


@functools.cache
def _clang() -> str | None:
    """A clang that has its linker for WebAssembly beside it or on the path."""
    for number in ("", *(f"-{version}" for version in range(30, 13, -1))):
        found = shutil.which(f"clang{number}")
        if found and (shutil.which(f"wasm-ld{number}") or Path(found).resolve().with_name("wasm-ld").is_file()):
            return found
    return None


def wasm(text: str, functions: tuple[str, ...]) -> bytes:
    """The module of a C text with these of its `ps_` functions; raises `NoCompiler` or `BuildError`."""
    command = [*compiler(), *FLAGS, *(f"-Wl,--export=ps_{name}" for name in functions)]
    name = hashlib.sha256("\0".join([text, *command]).encode()).hexdigest()[:32] + cache.WASM
    found = cache.kept(name)
    if not isinstance(found, bytes):
        found = _made(text, command)
        cache.keep(name, found)
    return found


def _made(text: str, command: list[str]) -> bytes:
    with tempfile.TemporaryDirectory(prefix="pysolve-wasm-") as folder:
        source, made = Path(folder) / "game.c", Path(folder) / "game.wasm"
        source.write_text(text, encoding="ascii")
        try:
            run = subprocess.run([*command, str(source), "-o", str(made)], stdin=subprocess.DEVNULL,
                                 capture_output=True, text=True, timeout=SECONDS, check=False)  # fmt: skip
        except (OSError, subprocess.TimeoutExpired) as error:
            raise BuildError(f"{command[0]} did not compile the game: {error}") from None
        if run.returncode and source.name in run.stderr and "error:" in run.stderr:
            raise Refused("the compiler for WebAssembly", run.stderr)
        if run.returncode:
            raise BuildError(f"{' '.join(command[:4])} made no WebAssembly:\n{run.stderr[:2000]}")
        return made.read_bytes()
