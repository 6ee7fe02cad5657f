"""Plots of a balance, or of a tournament, by matplotlib (extra `lab`).

In: what was found about variants and players.  Out: a figure, as SVG or PNG.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Sequence
from itertools import product
from pathlib import Path
from typing import Any

from pysolve.lab.balance import Balance
from pysolve.lab.ratings import Rating
from pysolve.lab.statistics import Quartiles
from pysolve.lab.tournament import Cell, Crosstable
from pysolve.runtime.optional import needed

FORMATS = (".svg", ".png")
COLOUR, SHADE = "#2f6f9f", 0.6  # SHADE: how dark is what has all points
_WHAT = "a plot"
_COLOUR, _GREY = COLOUR, "#888888"
_PLAIN = {"text.parse_math": False, "text.usetex": False}  # titles and names are text: a $ is a $
Draw = Callable[[], Any]  # makes a figure


def check() -> None:
    """Raises `MissingLibrary` where plots cannot be made."""
    needed("matplotlib", "lab", _WHAT)


def svg(draw: Draw) -> str:
    """A figure as a picture that can stand in a page; the same for the same results."""
    text = io.StringIO()
    matplotlib = needed("matplotlib", "lab", _WHAT)
    with matplotlib.rc_context({**_PLAIN, "svg.hashsalt": "pysolve", "svg.fonttype": "none"}):
        draw().savefig(text, format="svg", metadata={"Date": None})
    return text.getvalue()


def png(draw: Draw) -> bytes:
    """A figure as pixels."""
    found = io.BytesIO()
    with needed("matplotlib", "lab", _WHAT).rc_context(_PLAIN):
        draw().savefig(found, format="png", dpi=150)
    return found.getvalue()


def drawn(path: Path, draw: Draw) -> bytes:
    """The bytes of a figure as SVG or PNG, depending on the name of the file."""
    return svg(draw).encode() if path.suffix.lower() == ".svg" else png(draw)


def plain(text: str) -> str:
    """A text of a stranger as it can stand in a picture or a page: without control characters."""
    return "".join(sign if sign.isprintable() else "\N{REPLACEMENT CHARACTER}" for sign in text)


def _figure(title: str, widths: Sequence[float], rows: int) -> tuple[Any, Any]:
    """An empty figure with a panel of each width, and these panels."""
    figures = needed("matplotlib.figure", "lab", _WHAT)
    figure = figures.Figure(figsize=(sum(widths), 1.6 + 0.45 * max(4, rows)), layout="constrained")
    figure.suptitle(plain(title))
    return figure, figure.subplots(1, len(widths), squeeze=False, width_ratios=widths)[0]


# --------------------------------------------------------------------------------------------- a balance


def of_balance(title: str, ladders: Sequence[Sequence[Balance]]) -> Any:
    """Shares and lengths for each variant and player; the edge by strength, if there are several players."""
    found = [one for ladder in ladders for one in ladder]
    panels = 2 + (len(ladders[0]) > 1)
    figure, axes = _figure(title, [4.6] * panels, len(found))
    _shares(axes[0], found)
    _lengths(axes[1], [one.lengths for one in found])
    _rows(axes[1], [""] * len(found))
    if panels > 2:
        _edges(axes[2], ladders)
    return figure


def label(one: Balance) -> str:
    """The name of a variant and a player in a plot."""
    options = ", ".join(f"{name}={value}" for name, value in one.options.items())
    return f"{options}\n{plain(one.player)}" if options else plain(one.player)


def _rows(axes: Any, names: Sequence[str]) -> None:
    """A row for each name, the first at the top."""
    axes.set_yticks(range(len(names)), names, fontsize="small")
    axes.set_ylim(len(names) - 0.5, -0.5)


def _interval(axes: Any, row: float, low: float, middle: float, high: float, colour: str = _COLOUR) -> Any:
    axes.plot([low, high], [row, row], color=colour)
    return axes.plot([middle], [row], "o", color=colour)[0]


def _shares(axes: Any, found: Sequence[Balance]) -> None:
    if len(found[0].sides) != 2:
        _shares_of_all(axes, found)
        return
    side = next(iter(found[0].sides))
    axes.axvline(50, color=_GREY, linewidth=1, linestyle="--")
    for row, one in enumerate(found):
        share = one.sides[side]
        _interval(axes, row, 100 * share.low, 100 * share.share, 100 * share.high)
    axes.set_xlim(0, 100)
    axes.set_xlabel(f"{side}: % of the points, with 95% interval")
    _rows(axes, [label(one) for one in found])


def _shares_of_all(axes: Any, found: Sequence[Balance]) -> None:
    """The shares of several sides, below each other, in a row for each variant and player."""
    names = list(found[0].sides)
    axes.axvline(100 / len(names), color=_GREY, linewidth=1, linestyle="--")
    dots = []
    for row, one in enumerate(found):
        for number, name in enumerate(names):
            share, at = one.sides[name], row + 0.7 * ((number + 0.5) / len(names) - 0.5)
            dots.append(_interval(axes, at, 100 * share.low, 100 * share.share, 100 * share.high, f"C{number}"))
    axes.legend(dots[: len(names)], [plain(name) for name in names], fontsize="small")
    axes.set_xlim(0, 100)
    axes.set_xlabel("% of the points, with intervals that hold together with 95%")
    _rows(axes, [label(one) for one in found])


def _lengths(axes: Any, lengths: Sequence[Quartiles]) -> None:
    boxes = [
        {"whislo": one.least, "q1": one.lower, "med": one.median, "q3": one.upper, "whishi": one.most}
        for one in lengths
    ]
    axes.bxp(boxes, positions=range(len(boxes)), orientation="horizontal", showfliers=False, manage_ticks=False)
    axes.set_xlim(left=0)
    axes.set_xlabel("moves in a game: least, quartiles, most")


def _edges(axes: Any, ladders: Sequence[Sequence[Balance]]) -> None:
    """Plots the share of the first side, or of each of several, against strength: a line for each variant."""
    every = list(ladders[0][0].sides)
    side, several = every[0], len(every) != 2
    axes.axhline(100 / len(every), color=_GREY, linewidth=1, linestyle="--")
    for ladder, who in product(ladders, every if several else [side]):
        shares = [one.sides[who] for one in ladder]
        middle = [100 * share.share for share in shares]
        reach = [[100 * (s.share - s.low) for s in shares], [100 * (s.high - s.share) for s in shares]]
        words = [*([plain(who)] * several), *(f"{option}={value}" for option, value in ladder[0].options.items())]
        name = ", ".join(words)
        axes.errorbar(range(len(shares)), middle, yerr=reach, marker="o", capsize=3, label=name or None)
    longest = max(ladders, key=len)
    axes.set_xticks(range(len(longest)), [plain(one.player).replace(":", ":\n") for one in longest])
    axes.set_ylim(0, 100)
    axes.set_ylabel("% of the points" if several else f"{side}: % of the points")
    axes.set_xlabel("stronger →")
    if ladders[0][0].options or several:
        axes.legend()


# ------------------------------------------------------------------------------------------ a tournament


def of_tournament(title: str, table: Crosstable, rated: Sequence[Rating] | None) -> Any:
    """Ratings, who has made how much of the points against whom, and lengths; a row for each player, the best first."""
    order = table.order
    names = [f"{place}  {plain(table.players[who])}".replace(",", ",\n") for place, who in enumerate(order, 1)]
    square = 1.6 + 0.62 * len(order)
    figure, axes = _figure(title, [*([] if rated is None else [4.6]), max(3.4, square), 4.6], len(order))
    if rated is not None:
        _ratings(axes[0], [rated[who] for who in order])
    cells = [[table.cells[one][other] for other in order] for one in order]
    _against(axes[-2], cells, "ahead of" if table.shares else "against")
    _lengths(axes[-1], [table.lengths_of[who] for who in order])
    for place, panel in enumerate(axes):
        _rows(panel, [""] * len(names) if place else names)
    return figure


def _ratings(axes: Any, rated: Sequence[Rating]) -> None:
    axes.axvline(0, color=_GREY, linewidth=1, linestyle="--")
    for row, one in enumerate(rated):
        _interval(axes, row, one.low, one.elo, one.high)
    axes.set_xlabel("rating in points of Elo, with 95% interval")


def _against(axes: Any, cells: Sequence[Sequence[Cell]], against: str) -> None:
    """The share of the points of each row against each column, darker where it is more."""
    patches = needed("matplotlib.patches", "lab", _WHAT)
    for row, line in enumerate(cells):
        for column, cell in enumerate(line):
            if cell.games:
                at = (column - 0.5, row - 0.5)
                axes.add_patch(patches.Rectangle(at, 1, 1, facecolor=_COLOUR, alpha=SHADE * cell.share, linewidth=0))
                axes.text(column, row, f"{100 * cell.share:.0f}", ha="center", va="center", fontsize="small")
    axes.set_xlim(-0.5, len(cells) - 0.5)
    axes.set_xticks(range(len(cells)), [str(place) for place in range(1, len(cells) + 1)])
    what = "games" if against == "ahead of" else "points"
    axes.set_xlabel(f"% of the {what} {against} the 1st, 2nd, …")
