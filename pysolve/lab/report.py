"""The report of a balance, or of a tournament: one page for a browser with everything in it.

In: what was found, and the command that finds it again.  Out: an HTML file; plots; for a balance also a dict.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from html import escape
from itertools import groupby
from pathlib import Path
from typing import Any, TypeVar

from pysolve.engines.protocol import EngineError
from pysolve.lab import plots
from pysolve.lab.balance import Balance, compared, trend
from pysolve.lab.endings import Ended, all_endings
from pysolve.lab.ratings import Rating
from pysolve.lab.tournament import Cell, Crosstable
from pysolve.runtime.files import write_bytes, write_whole
from pysolve.runtime.version import __version__

T = TypeVar("T")
DIVIDED = "the parts of one point that each game divides among the seats as it pays them"


class ReportError(ValueError):
    """A report cannot be written as requested."""


def check_files(html: Path | None, plot: Path | None) -> None:
    """Raises, before anything is played, the errors that drawing would raise (`ReportError`, `MissingLibrary`)."""
    if html is None and plot is None:
        return
    plots.check()
    if plot is not None and plot.suffix.lower() not in plots.FORMATS:
        raise ReportError(f"a plot file must end in .png or .svg, not {plot.name}")


class Report(ABC):
    """A report on many games, which can be written as JSON, HTML and plots."""

    title: str  # of the game
    command: str  # that repeats it
    asks: str  # what the games were played for

    @abstractmethod
    def figure(self) -> Any:
        """The plots."""

    @abstractmethod
    def summary(self) -> str:
        """The text above the plots, as HTML."""

    @abstractmethod
    def table(self) -> str:
        """The rows of the table below them, as HTML."""

    @abstractmethod
    def endings(self) -> str:
        """The rows of the table that says how the games ended."""

    @abstractmethod
    def notes(self) -> str:
        """An explanation of the numbers in the report."""

    def write(self, html: Path | None, plot: Path | None) -> Iterator[Path]:
        """Writes the files and yields the path of each; raises `ReportError` if something cannot be drawn."""
        if html is not None:
            page = _drawn(self.html)
            write_whole(html, page)
            yield html
        if plot is not None:
            picture = _drawn(partial(plots.drawn, plot, self.figure))
            write_bytes(plot, [picture])
            yield plot

    def html(self) -> str:
        """The page."""
        picture = plots.svg(self.figure)
        return _PAGE.format(
            title=_escaped(self.title),
            asks=_escaped(self.asks),
            summary=self.summary(),
            picture=picture[picture.index("<svg") :],
            table=self.table(),
            endings=self.endings(),
            notes=_escaped(self.notes()),
            command=_escaped(self.command),
            version=_escaped(__version__),
        )


def _drawn(draw: Callable[[], T]) -> T:
    """The result of `draw`; raises `ReportError`, so that the result of the games is still printed."""
    try:
        return draw()
    except EngineError:  # a library that is missing
        raise
    except Exception as error:
        raise ReportError(f"the result cannot be drawn: {type(error).__name__}: {error}") from error


def _escaped(text: str) -> str:
    """A text as it can stand in a page."""
    return escape(plots.plain(text))


def _cell(text: str, tag: str = "td", style: str = "") -> str:
    """A cell of a table, as HTML."""
    attribute = f' style="{style}"' if style else ""
    return f"<{tag}{attribute}>{_escaped(text)}</{tag}>"


def _row(cells: Sequence[str]) -> str:
    """A row of a table, of cells as HTML."""
    return f"<tr>{''.join(cells)}</tr>"


# ----------------------------------------------------------------------------------------------- balance


@dataclass
class BalanceReport(Report):
    """A report on a balance: the results of each variant and player so far."""

    title: str
    command: str
    found: list[Balance] = field(default_factory=list)
    asks = "is it fair?"

    def add(self, one: Balance) -> None:
        """Adds the result of one variant."""
        self.found.append(one)

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

    def figure(self) -> Any:
        """The plots: shares of points and lengths of games for each variant and player."""
        return plots.of_balance(self.title, self.ladders())

    def summary(self) -> str:
        """A verdict for each ladder of players, as HTML."""
        return "\n".join(_verdicts(self.ladders()))

    def table(self) -> str:
        """A row for each variant and pair of players, as HTML."""
        return _balance_table(self.found)

    def endings(self) -> str:
        """A row for each variant, player and ending, by the sides that won; beside it the parent's games."""
        return _endings_table(self.found)

    def notes(self) -> str:
        """An explanation of the columns of the table."""
        points = "wins plus half of the draws" if len(self.found[0].sides) == 2 else DIVIDED
        return (
            f"Points are {points}, with 95% intervals (Wilson; with --until-decided, intervals that "
            "remain valid under early stopping). A game that was identical to an earlier one is repeated and not "
            "counted. Choices are legal moves per position, on average; moves and lead changes are medians over the "
            "games, with quartiles in brackets. An ending is called by its reason, or else by its condition; each game "
            "counts for the first ending of the rules that held. A parent is the game that a variant extends: the same "
            "players played it as often, from the same seeds."
        )


def _verdicts(ladders: Sequence[Sequence[Balance]]) -> Iterator[str]:
    """A paragraph for each variant: one sentence for each player, one on strength."""
    for ladder in ladders:
        options = ", ".join(f"{name}={value}" for name, value in ladder[0].options.items())
        if options:
            yield f"<h2>{_escaped(options)}</h2>"
        for one in ladder:
            said = " ".join([one.verdict + _apart(one), *compared(one)])
            yield f"<p><b>{_escaped(one.player)}:</b> {_escaped(said)}</p>"
        if said := trend(ladder):
            yield f"<p>{_escaped(said)}</p>"


def _apart(found: Balance | Crosstable) -> str:
    """Sentences about redrawn and shortened openings and about programs that failed; empty if there were none."""
    again = f" The opening was redrawn for {found.redrawn} games that it would have ended." * bool(found.redrawn)
    short = f" The opening was shortened in {found.shortened} games that it would have ended." * bool(found.shortened)
    lost = ", ".join(f"{number} by {who}" for who, number in found.forfeits.items())
    return again + short + f" Games lost because a program failed: {lost}." * bool(lost)


def shared(players: int) -> str:
    """The word for games without a sole winner: `drawn` for two players, otherwise `no sole winner`."""
    return "drawn" if players == 2 else "no sole winner"


def _options(one: Balance) -> str:
    return ", ".join(f"{name}={value}" for name, value in one.options.items())


def _endings_table(found: Sequence[Balance]) -> str:
    sides = list(found[0].sides)
    parent = any(one.parent is not None for one in found)
    heads = ["variant", "player", "ending", "games", *sides, shared(len(sides)), *(["in the parent"] * parent)]
    lines = [_row([_cell(head, "th") for head in heads])]
    for one in found:
        about = [_options(one), one.player]
        before = () if one.parent is None else one.parent.endings
        for name, here, there in all_endings(one.endings, before):
            counts = [here.games, *here.won_as.values(), here.draws] if here else ["none", *[""] * (len(sides) + 1)]
            beside = [] if not parent else [_in_parent(one.parent, there)]
            lines.append(_row([_cell(str(word)) for word in [*about, name, *counts, *beside]]))
    return "\n".join(lines)


def _parent_name(one: Balance) -> str:
    """The name of the parent's row in the table; empty if the parent was not played."""
    return (
        "" if one.parent is None else ", ".join(filter(None, (f"the parent {one.parent.title}", _options(one.parent))))
    )


def _in_parent(parent: Balance | None, there: Ended | None) -> str:
    """The number of games of the parent with this ending, as text; empty if the parent was not played."""
    if parent is None:
        return ""
    return _of(parent.counted, there)


def _of(games: int, there: Ended | None) -> str:
    """A number of games with an ending, as `3 of 40`, or `none`."""
    return f"{there.games} of {games}" if there else "none"


def _balance_table(found: Sequence[Balance]) -> str:
    sides, lucky = list(found[0].sides), any(one.luck for one in found)
    heads = ["variant", "player", "games", "repeated", *sides, "begins", shared(len(sides)), "stopped", "adjudicated",
             "decisive", "moves", "choices", "lead changes", *["luck"] * lucky]  # fmt: skip
    lines = [_row([_cell(head, "th") for head in heads])]
    names = [pair for one in found for pair in ((_options(one), one), (_parent_name(one), one.parent))]
    for name, one in names:
        if one is None:
            continue
        words = [
            name, one.player,
            f"{one.counted}", f"{one.duplicates}", *(str(one.sides[side]) for side in sides),
            str(one.first), f"{one.draws}", f"{one.stopped}", f"{one.adjudicated}", f"{one.decisive.share:.0%}",
            f"{one.lengths.median:g} ({one.lengths.lower:g} to {one.lengths.upper:g})", f"{one.branching:.1f}",
            f"{one.lead_changes.median:g} ({one.lead_changes.lower:g} to {one.lead_changes.upper:g})",
            *["" if one.luck is None else str(one.luck.lots)] * lucky,
        ]  # fmt: skip
        lines.append(_row([_cell(word) for word in words]))
    return "\n".join(lines)


# -------------------------------------------------------------------------------------------- tournament


@dataclass
class TournamentReport(Report):
    """A report on a tournament: its table and ratings."""

    title: str
    command: str
    found: Crosstable
    rated: Sequence[Rating] | None  # None where their library is missing
    parent: str = ""  # the title of the game that this one extends, if it was played beside it
    before: Crosstable | None = None  # and how that stands
    asks = "who is stronger?"

    def figure(self) -> Any:
        """The plots: ratings if there are any, shares of points between each two players, and lengths."""
        return plots.of_tournament(self.title, self.found, self.rated)

    def summary(self) -> str:
        """The number of games, the leader and the points by seat, as HTML."""
        found = self.found
        leader = found.order[0]
        counts = (found.duplicates, "repeated"), (found.stopped, "stopped"), (found.adjudicated, "adjudicated")
        apart = "".join(f", {number} {words}" for number, words in counts if number)
        made = found.shares[leader] if found.shares else found.total(leader)
        seats = ", ".join(f"{name} {share}" for name, share in (found.of_seats or found.by_seat).items())
        said = [
            f"{found.played} games{apart}. Most points: {found.players[leader]}, {made}.{_apart(found)}",
            f"Points by seat: {seats}.",
        ]
        if found.luck is not None:
            said.append(f"The lots explain {found.luck.lots} of the variance of the results.")
        return "\n".join(f"<p>{_escaped(one)}</p>" for one in said)

    def table(self) -> str:
        """The crosstable, best player first, as HTML."""
        found, order = self.found, self.found.order
        places = [str(place) for place in range(1, len(order) + 1)]
        heads = ["", "player", *([] if self.rated is None else ["rating"]), "points", *places, "moves"]
        lines = [_row([_cell(head, "th") for head in heads])]
        for place, who in zip(places, order, strict=True):
            rating = [] if self.rated is None else [str(self.rated[who])]
            made = str(found.shares[who] if found.shares else found.total(who))
            about = [_cell(word) for word in (place, found.players[who], *rating, made)]
            against = [_shaded(found.cells[who][other]) if other != who else _cell("") for other in order]
            moves = found.lengths_of[who]
            lines.append(_row([*about, *against, _cell(f"{moves.median:g} ({moves.lower:g} to {moves.upper:g})")]))
        return "\n".join(lines)

    def endings(self) -> str:
        """A row for each ending, by the players that won, as HTML; they have the numbers of the table."""
        order = self.found.order
        before = self.before
        heads = ["ending", "games", *map(str, range(1, len(order) + 1)), shared(len(self.found.by_seat)),
                 *([] if before is None else [f"in {self.parent}"])]  # fmt: skip
        rows = []
        for name, here, there in all_endings(self.found.endings, () if before is None else before.endings):
            counts = (
                [here.games, *(here.won_by[who] for who in order), here.draws]
                if here
                else ["none", *[""] * (len(order) + 1)]
            )
            rows.append([name, *counts, *([] if before is None else [_of(before.played - before.duplicates, there)])])
        return "\n".join([_row([_cell(head, "th") for head in heads]),
                          *(_row([_cell(str(word)) for word in row]) for row in rows)])  # fmt: skip

    def notes(self) -> str:
        """An explanation of the columns of the table."""
        if self.found.shares:
            return (
                f"Points are {DIVIDED}, for each seat that a player has had, with 95% intervals (Wilson). The columns "
                "by number say in how many games a player was ahead of another; equal ones have half a game each. The "
                "players had the same random openings in all orders of the seats. A game that was identical to an "
                "earlier one is repeated and not counted. Ratings are in Elo points around the mean of all players, "
                "with 95% intervals (model of Plackett and Luce, with one drawn game added for each pair). Moves are "
                "medians over the games, with quartiles in brackets."
            )
        return (
            "Points are wins plus half of the draws. A game that was identical to an earlier one is repeated and not "
            "counted. Each pair of players had the same random openings and swapped seats. Ratings are in Elo points "
            "around the mean of all players, with 95% intervals (model of Bradley and Terry, with one drawn game added "
            "for each pair): 100 points more mean an expected share of 64% of the points. Moves are medians over the "
            "games, with quartiles in brackets."
        )


def _shaded(cell: Cell) -> str:
    """A cell of the table, darker where there are more points, as in the plot."""
    shade = round(100 * plots.SHADE * cell.share)
    return _cell(str(cell), style=f"background: color-mix(in srgb, {plots.COLOUR} {shade}%, transparent)")


_PAGE = """\
<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8"/>
<meta name="viewport" content="width=device-width, initial-scale=1"/>
<title>{title}: {asks}</title>
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
<h1>{title}: {asks}</h1>
{summary}
{picture}
<div class="wide"><table>
{table}
</table></div>
<h2>How the games ended</h2>
<div class="wide"><table>
{endings}
</table></div>
<p>{notes}</p>
<p>Repeat this with pysolve {version}: <code>{command}</code></p>
</body>
</html>
"""
