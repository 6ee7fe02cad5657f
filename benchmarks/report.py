"""What was measured, as tables on the terminal, as JSON and as a plot."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from benchmarks.native import PROGRAMS, Row
from benchmarks.targets import Target

RATIOS = (("cc", "prolog"), ("tcc", "prolog"), ("cc", "tables"), ("cc", "sets"), ("cc", "shifts"))
STEPS = ("imports", "read", "print", "build", "first moves", "by the clock", "memory", "growth", "lines", "library")

DOCS = Path(__file__).parent.parent / "docs" / "lab.md"


def into_docs(name: str, headings: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """Puts a table into docs/lab.md, between the marks of this name; raises `ValueError` where they are missing."""
    begins, ends = f"<!-- {name} -->", f"<!-- end of {name} -->"
    text = DOCS.read_text(encoding="utf-8")
    begin, end = text.index(begins), text.index(ends)
    table = "\n".join(f"| {' | '.join(line)} |" for line in (headings, ["---"] * len(headings), *rows))
    DOCS.write_text(f"{text[:begin]}{begins}\n{table}\n{text[end:]}", encoding="utf-8")


def show_rows(console: Console, title: str, headings: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """A table of texts on the terminal."""
    table = Table(*headings, title=title)
    for row in rows:
        table.add_row(*row)
    console.print(table)


def show(console: Console, rows: list[Row]) -> None:
    """Speeds, and their ratios."""
    table = Table(title="Speeds (a second; ms: milliseconds) and how many times as fast one is as another")
    table.add_column("game")
    table.add_column("question")
    for heading in (*PROGRAMS, *(f"{one}/{other}" for one, other in RATIOS)):
        table.add_column(heading, justify="right")
    for before, row in zip([None, *rows], rows, strict=False):
        new = before is None or before.game != row.game
        if new and before is not None:
            table.add_section()
        figures = [_short(row.figures.get(program)) + (" ms" if row.unit == "ms" and program in row.figures else "")
                   for program in PROGRAMS]  # fmt: skip
        table.add_row(row.game if new else "", row.question, *figures, *(_short(row.ratio(*pair)) for pair in RATIOS))
    console.print(table)


def show_starts(console: Console, starts: dict[str, dict[str, dict[str, float]]]) -> None:
    """The first use of a game in a new process."""
    table = Table(title="First use in a new process (ms of CPU; memory in MB, its growth and library in KB)")
    for heading in ("game", "engine"):
        table.add_column(heading)
    for heading in STEPS:
        table.add_column(heading, justify="right")
    for game, ways in starts.items():
        for way, figures in ways.items():
            shown = {**figures, "memory": figures["memory"] / 1024}
            table.add_row(game, way, *(_short(shown.get(step)) for step in STEPS))
        table.add_section()
    console.print(table)


def show_targets(console: Console, targets: list[Target]) -> None:
    """What was meant to be reached."""
    table = Table(title="Targets")
    table.add_column("target")
    for heading in ("measured", "bound", "reached by"):
        table.add_column(heading, justify="right")
    for target in targets:
        bound = f"{'<=' if target.at_most else '>='} {_short(target.bound)}"
        style = "" if target.share >= 1 else "bold red"
        table.add_row(target.what, _short(target.figure), bound, _short(target.share), style=style)
    console.print(table)


def show_batches(console: Console, found: dict[str, Any]) -> None:
    """Steps a second of many games at once."""
    programs = ("alone", "seen", "two", "pgx", "python", "core")
    table = Table(title=f"Random steps a second of CPU time, of 4,096 games at once ({found['batches_versions']})")
    table.add_column("game")
    for heading in (*programs, "two, by the clock", "Pgx, by the clock", "seen/Pgx", "seen/core"):
        table.add_column(heading, justify="right")
    for row in found["batches"]:
        cpu = {name: row.get(f"{name} cpu") for name in programs}
        ratios = [cpu["seen"] / cpu[other] if cpu[other] else None for other in ("pgx", "core")]
        clock = [row.get(f"{name} clock") for name in ("two", "pgx")]
        table.add_row(row["game"], *(_short(one) for one in (*cpu.values(), *clock, *ratios)))
    console.print(table)


def show_openspiel(console: Console, title: str, found: dict[str, Any]) -> None:
    """Random games a second beside OpenSpiel."""
    table = Table(title=f"{title}: random games a second, and how many times as fast as OpenSpiel")
    table.add_column("game")
    begun = ["begun"] if any("begun" in row for row in found["rows"]) else []
    rbg = any(row["rbg"] for row in found["rows"])
    for heading in ("cc", "moves", *begun, "OpenSpiel, Python", "moves", "its core", "cc/Python", "cc/core",
                    *(("RBG", "cc/RBG") if rbg else ())):  # fmt: skip
        table.add_column(heading, justify="right")
    for row in found["rows"]:
        keys = ("cc", "length", *begun, "python", "their_length", "core", "to_python", "to_core")
        peers = (row["rbg"], row["rbg"] and row["cc"] / row["rbg"]) if rbg else ()
        table.add_row(row["game"], *(_short(row.get(key)) for key in keys), *map(_short, peers))
    mean = found["mean"]
    table.add_section()
    before, after = [""] * (5 + len(begun)), [""] * 2 * rbg
    table.add_row("geometric mean", *before, _short(mean["to_python"]), _short(mean["to_core"]), *after)
    console.print(table)


def show_chess(console: Console, rows: list[dict[str, Any]]) -> None:
    """Sequences of moves beside python-chess."""
    table = Table(title="Chess: sequences of moves, nodes a second")
    for heading in ("position", "cc", "python-chess, made", "counted", "cc/made", "cc/counted"):
        table.add_column(heading, justify="left" if heading == "position" else "right")
    for row in rows:
        table.add_row(
            row["position"], *(_short(row[key]) for key in ("cc", "made", "counted", "to_made", "to_counted"))
        )
    console.print(table)


def show_equilibria(console: Console, rows: list[dict[str, Any]]) -> None:
    """Iterations of CFR+ and best responses a second, and how many times as fast as OpenSpiel."""
    table = Table(title="CFR+: iterations a second, best responses of all players a second")
    headings = {"nodes": "nodes", "tree": "tree, s", "cc": "cc", "plain": "in Python", "python": "OpenSpiel, Python",
                "core": "its C++", "to_python": "cc/Python", "to_core": "cc/C++", "responses": "responses",
                "responses_to_core": "cc/C++"}  # fmt: skip
    table.add_column("game")
    for heading in (*headings.values(), "same"):
        table.add_column(heading, justify="right")
    for row in rows:
        table.add_row(row["game"], *(_short(row[key]) for key in headings), "yes" if row["same"] else "NO")
    console.print(table)


def _short(number: float | None) -> str:
    """Three digits."""
    if number is None:
        return ""
    for size, letter in ((1e6, "M"), (1e4, "k")):
        if abs(number) >= size:
            return _short(number / (1e6 if letter == "M" else 1e3)) + letter
    return f"{number:,.0f}" if abs(number) >= 100 else f"{number:.3g}"


def write(folder: Path, results: dict[str, Any]) -> None:
    """results.json; rows and targets by the names of their fields."""
    text = json.dumps({
        **results,
        **{key: [one._asdict() for one in results[key]] for key in ("rows", "targets") if key in results},
    }, indent=2)  # fmt: skip
    (folder / "results.json").write_text(text + "\n", encoding="utf-8")


def plot(folder: Path, rows: list[Row], note: str) -> bool:
    """speeds.svg and speeds.png; False if there is no matplotlib."""
    try:
        import matplotlib  # type: ignore[import-not-found, unused-ignore]
    except ImportError:
        return False
    matplotlib.use("Agg")
    from matplotlib import pyplot  # type: ignore[import-not-found, unused-ignore]

    compared = [row for row in rows if not row.question.startswith("to depth")]
    figure, (left, right) = pyplot.subplots(1, 2, figsize=(13, 7), layout="constrained")
    _bars(left, compared, [("cc", "prolog"), ("tcc", "prolog")], 50)
    left.set_xscale("log")
    left.set_title("times as fast as Prolog")
    _bars(right, compared, [("cc", "tables"), ("cc", "sets"), ("cc", "shifts")], 0.8)
    right.set_title("times as fast as C by hand")
    figure.suptitle(note, fontsize=9)
    for ending in ("svg", "png"):
        figure.savefig(folder / f"speeds.{ending}", dpi=120)
    pyplot.close(figure)
    return True


def _bars(axes: Any, rows: list[Row], pairs: list[tuple[str, str]], goal: float) -> None:
    """A group of bars for each row that has such a ratio, the first row on top, and a line at a goal."""
    shown = [row for row in rows if any(row.ratio(*pair) is not None for pair in pairs)]
    height = 0.8 / len(pairs)
    for number, pair in enumerate(pairs):
        ratios = [row.ratio(*pair) or 0 for row in shown]
        places = [place + (number - (len(pairs) - 1) / 2) * height for place in range(len(shown))]
        bars = axes.barh(places, ratios, height, label=f"{pair[0]} / {pair[1]}")
        axes.bar_label(bars, [_short(ratio) if ratio else "" for ratio in ratios], padding=2, fontsize=7)
    axes.axvline(goal, color="black", linewidth=0.8, linestyle="--")
    axes.set_yticks(range(len(shown)), [f"{row.game}: {row.question}" for row in shown], fontsize=8)
    axes.invert_yaxis()
    axes.margins(x=0.1)
    axes.legend()
