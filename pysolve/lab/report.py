"""The report of a balance: for programs as objects, for a browser as one page with everything in it.

In: what was found about each variant and player.  Out: a dict; an HTML file; plots.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from html import escape
from itertools import groupby
from pathlib import Path
from typing import Any

from pysolve import __version__
from pysolve.lab import plots
from pysolve.lab.balance import Balance, trend


@dataclass
class Report:
    """What was found so far, and how it can be found again."""

    title: str
    command: str  # that repeats it
    found: list[Balance] = field(default_factory=list)

    def add(self, one: Balance) -> None:
        self.found.append(one)

    def check(self, html: Path | None, plot: Path | None) -> None:
        """Raises before anything is played what would go wrong when it is drawn."""
        if html is None and plot is None:
            return
        plots.check()
        if plot is not None and plot.suffix.lower() not in plots.FORMATS:
            raise ReportError(f"a plot is a file that ends in .png or .svg, not {plot.name}")

    def ladders(self) -> list[list[Balance]]:
        """The players of each variant."""
        return [list(ladder) for _, ladder in groupby(self.found, key=lambda one: one.options)]

    def to_dict(self) -> dict[str, Any]:
        """For programs."""
        return {
            "variants": [one.to_dict() for one in self.found],
            "trends": [{"options": dict(ladder[0].options), "trend": said}
                       for ladder in self.ladders() if (said := trend(ladder))],
            "again": self.command, "version": __version__,
        }  # fmt: skip

    def write(self, html: Path | None, plot: Path | None) -> Iterator[Path]:
        """Writes what is wished; the files."""
        if html is not None:
            html.write_text(self.html(), encoding="utf-8")
            yield html
        if plot is not None:
            plots.save(plot, self.title, self.ladders())
            yield plot

    def html(self) -> str:
        """The page."""
        picture = plots.svg(self.title, self.ladders())
        return _PAGE.format(
            title=escape(self.title),
            verdicts="\n".join(_verdicts(self.ladders())),
            picture=picture[picture.index("<svg") :],
            table=_table(self.found),
            command=escape(self.command),
            version=escape(__version__),
        )


class ReportError(ValueError):
    """A report that cannot be written as it is wished."""


def _verdicts(ladders: Sequence[Sequence[Balance]]) -> Iterator[str]:
    """A paragraph for each variant: one sentence for each player, one on strength."""
    for ladder in ladders:
        options = ", ".join(f"{name}={value}" for name, value in ladder[0].options.items())
        if options:
            yield f"<h2>{escape(options)}</h2>"
        for one in ladder:
            yield f"<p><b>{escape(one.player)}:</b> {escape(one.verdict)}</p>"
        if said := trend(ladder):
            yield f"<p>{escape(said)}</p>"


def _table(found: Sequence[Balance]) -> str:
    sides = list(found[0].sides)
    heads = ["variant", "player", "games", "repeated", *sides, "begins", "drawn", "stopped", "adjudicated", "decisive",
             "moves", "choices", "lead changes"]  # fmt: skip
    lines = ["<tr>" + "".join(f"<th>{escape(head)}</th>" for head in heads) + "</tr>"]
    for one in found:
        words = [
            ", ".join(f"{name}={value}" for name, value in one.options.items()), one.player,
            f"{one.games - one.duplicates}", f"{one.duplicates}", *(str(one.sides[side]) for side in sides),
            str(one.first), f"{one.draws}", f"{one.stopped}", f"{one.adjudicated}", f"{one.decisive.share:.0%}",
            f"{one.lengths.median:g} ({one.lengths.lower:g} to {one.lengths.upper:g})", f"{one.branching:.1f}",
            f"{one.lead_changes.median:g} ({one.lead_changes.lower:g} to {one.lead_changes.upper:g})",
        ]  # fmt: skip
        lines.append("<tr>" + "".join(f"<td>{escape(word)}</td>" for word in words) + "</tr>")
    return "\n".join(lines)


_PAGE = """\
<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8"/>
<meta name="viewport" content="width=device-width, initial-scale=1"/>
<title>{title}: balance</title>
<style>
body {{ font-family: system-ui, sans-serif; line-height: 1.5; max-width: 75rem; margin: 2rem auto; padding: 0 1rem; }}
h1 {{ font-size: 1.5rem; }} h2 {{ font-size: 1.1rem; margin: 1.2rem 0 0; }} p {{ margin: .3rem 0; }}
svg {{ max-width: 100%; height: auto; }}
.wide {{ overflow-x: auto; }}
table {{ border-collapse: collapse; font-size: .85rem; }}
th, td {{ border-bottom: 1px solid #ccc; padding: .3rem .6rem; text-align: left; vertical-align: top; }}
code {{ background: #f2f2f2; padding: .1rem .3rem; }}
</style>
</head>
<body>
<h1>{title}: is it fair?</h1>
{verdicts}
{picture}
<div class="wide"><table>
{table}
</table></div>
<p>Points are wins and half of the draws; intervals hold the true share in 95 of 100 such cases (Wilson; with
--until-decided ones that hold whenever one stops). A game that went exactly as another
one did is repeated and not counted. Choices are legal moves in a position, on average; moves and lead changes are the
median of a game, and in brackets what half of the games have.</p>
<p>The same again, with pysolve {version}: <code>{command}</code></p>
</body>
</html>
"""
