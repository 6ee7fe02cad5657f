"""Plots of a balance, by matplotlib (extra `lab`).

In: what was found about variants and players.  Out: a figure, as SVG or PNG.
"""

from __future__ import annotations

import io
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from pysolve.lab.balance import Balance
from pysolve.lab.extras import needed

FORMATS = (".svg", ".png")
_WHAT = "a plot"
_COLOUR, _GREY = "#2f6f9f", "#888888"


def check() -> None:
    """Raises `MissingLibrary` where plots cannot be made."""
    needed("matplotlib", "lab", _WHAT)


def svg(title: str, ladders: Sequence[Sequence[Balance]]) -> str:
    """The plots as a picture that can stand in a page; the same for the same results."""
    text = io.StringIO()
    matplotlib = needed("matplotlib", "lab", _WHAT)
    with matplotlib.rc_context({"svg.hashsalt": "pysolve", "svg.fonttype": "none"}):
        _figure(title, ladders).savefig(text, format="svg", metadata={"Date": None})
    return text.getvalue()


def save(path: Path, title: str, ladders: Sequence[Sequence[Balance]]) -> None:
    """Writes the plots as a file, which is SVG or PNG by its name."""
    if path.suffix.lower() == ".svg":
        path.write_text(svg(title, ladders), encoding="utf-8")
    else:
        _figure(title, ladders).savefig(path, format="png", dpi=150)


def _figure(title: str, ladders: Sequence[Sequence[Balance]]) -> Any:
    """Shares and lengths for each variant and player; the edge by strength, if there are several players."""
    figures = needed("matplotlib.figure", "lab", _WHAT)
    found = [one for ladder in ladders for one in ladder]
    panels = 2 + (len(ladders[0]) > 1)
    figure = figures.Figure(figsize=(4.6 * panels, 1.6 + 0.45 * max(4, len(found))), layout="constrained")
    axes = figure.subplots(1, panels)
    figure.suptitle(title)
    _shares(axes[0], found)
    _lengths(axes[1], found)
    if panels > 2:
        _edges(axes[2], ladders)
    return figure


def label(one: Balance) -> str:
    """What a variant and a player are called in a plot."""
    options = ", ".join(f"{name}={value}" for name, value in one.options.items())
    return f"{options}\n{one.player}" if options else one.player


def _rows(axes: Any, found: Sequence[Balance], named: bool) -> None:
    axes.set_yticks(range(len(found)), [label(one) for one in found] if named else [""] * len(found), fontsize="small")
    axes.set_ylim(len(found) - 0.5, -0.5)


def _shares(axes: Any, found: Sequence[Balance]) -> None:
    side = next(iter(found[0].sides))
    axes.axvline(50, color=_GREY, linewidth=1, linestyle="--")
    for row, one in enumerate(found):
        share = one.sides[side]
        axes.plot([100 * share.low, 100 * share.high], [row, row], color=_COLOUR)
        axes.plot([100 * share.share], [row], "o", color=_COLOUR)
    axes.set_xlim(0, 100)
    axes.set_xlabel(f"{side}: % of the points, with 95% interval")
    _rows(axes, found, True)


def _lengths(axes: Any, found: Sequence[Balance]) -> None:
    boxes = [
        {"whislo": one.lengths.least, "q1": one.lengths.lower, "med": one.lengths.median, "q3": one.lengths.upper,
         "whishi": one.lengths.most} for one in found
    ]  # fmt: skip
    axes.bxp(boxes, positions=range(len(found)), orientation="horizontal", showfliers=False, manage_ticks=False)
    axes.set_xlim(left=0)
    axes.set_xlabel("moves in a game: least, quartiles, most")
    _rows(axes, found, False)


def _edges(axes: Any, ladders: Sequence[Sequence[Balance]]) -> None:
    """How the share of the first side moves with strength, a line for each variant."""
    side = next(iter(ladders[0][0].sides))
    axes.axhline(50, color=_GREY, linewidth=1, linestyle="--")
    for ladder in ladders:
        shares = [one.sides[side] for one in ladder]
        middle = [100 * share.share for share in shares]
        reach = [[100 * (s.share - s.low) for s in shares], [100 * (s.high - s.share) for s in shares]]
        name = ", ".join(f"{option}={value}" for option, value in ladder[0].options.items())
        axes.errorbar(range(len(shares)), middle, yerr=reach, marker="o", capsize=3, label=name or None)
    longest = max(ladders, key=len)
    axes.set_xticks(range(len(longest)), [one.player.replace(":", ":\n") for one in longest])
    axes.set_ylim(0, 100)
    axes.set_ylabel(f"{side}: % of the points")
    axes.set_xlabel("stronger →")
    if ladders[0][0].options:
        axes.legend()
