"""What the native engine is meant to reach, held against what was measured.

In: rows and first uses of benchmarks.native.  Out: each target with its figure, and whether it is reached.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from benchmarks.native import Row

BOARDS = (2100, 3200)  # a second, of the Prolog program that Antiyomacy is taken from, by its own measurement
FIRST_USE = {  # milliseconds; the better library of cc comes later, while somebody plays
    "tcc": ("first moves", 100.0), "cc-quick": ("by the clock", 1000.0), "cached": ("first moves", 30.0),
}  # fmt: skip


class Target(NamedTuple):
    """A figure, and the bound that it should keep."""

    what: str
    figure: float
    bound: float
    at_most: bool  # or at least

    @property
    def share(self) -> float:
        """How far it is reached: 1 and more is all of it."""
        return self.bound / self.figure if self.at_most else self.figure / self.bound


def targets(rows: list[Row], starts: dict[str, dict[str, dict[str, float]]]) -> Iterator[Target]:
    """All that can be told from what was measured."""
    for row in rows:
        where = f"{row.game}, {row.question}"
        if row.game == "zola" and row.unit == "/s":
            for peer, bound in (("tables", 0.8), ("sets", 0.7)):
                if (ratio := row.ratio("cc", peer)) is not None:
                    yield Target(f"{where}: cc / {peer}", ratio, bound, False)
        if row.question.startswith("perft") and (ratio := row.ratio("cc", "prolog")) is not None:
            yield Target(f"{where}: cc / Prolog", ratio, 50, False)
        if row.question.startswith("turn") and "cc" in row.figures:
            yield Target(f"{where}: ms", row.figures["cc"], 10 if "5 against" in where else 60, True)
        if row.question.startswith("boards") and "cc" in row.figures:
            for seed in BOARDS:
                yield Target(f"{where}: cc / {seed} a second", row.figures["cc"] / seed, 500, False)
    for game, ways in starts.items():
        for way, (figure, bound) in FIRST_USE.items():
            if way in ways:
                yield Target(f"{game}, first use, {way}: ms", ways[way][figure], bound, True)
