"""Games as a table: a row for each, for pandas, as CSV and as Parquet.

In: games that were played.  Out: rows, a data frame, or a file.  The columns are

    number, winner, length, moves                        the game; `winner` is a seat
    termination, ending                                  why it ended; and the name of the ending, alike in all games
    counts                                               False: an earlier game was the same
    stopped, adjudicated, opening, redrawn, shortened    how it began and ended
    forfeited                                            the seat whose program failed, and lost the game by that
    choices, lead_changes, seed, lots, played_by
    player SEAT, points SEAT, seconds SEAT, chosen SEAT  who sat there, the part of the point, time, number of moves
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from pysolve.lab.games import Played, distinct
from pysolve.runtime.files import write_bytes, write_whole
from pysolve.runtime.optional import check_installed, needed

Row = dict[str, object]
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n")  # with what a text begins that a spreadsheet may carry out
FORMATS = (".csv", ".parquet")


class TableError(ValueError):
    """A table cannot be written as requested."""


def game_rows(games: Sequence[Played], more: Mapping[str, object] = {}) -> list[Row]:
    """A row for each game; `more` columns stand before the others, the same in all rows."""
    counting = {one.number for one in distinct(games)}
    return [{**more, **_row(one, one.number in counting)} for one in games]


def _row(one: Played, counts: bool) -> Row:
    seats = list(one.record.players)
    found: Row = {
        "number": one.number, "winner": None if one.winner is None else seats[one.winner],
        "termination": one.record.termination, "ending": one.ending, "length": one.length,
        "moves": ", ".join(one.record.moves), "counts": counts, "stopped": one.stopped,
        "adjudicated": one.adjudicated, "opening": one.opening, "redrawn": one.redrawn, "shortened": one.shortened,
        "forfeited": None if one.forfeited is None else seats[one.forfeited],
        "choices": one.choices, "lead_changes": one.lead_changes, "seed": one.seed, "lots": one.lots,
        "played_by": one.played_by,
    }  # fmt: skip
    for seat, (name, who) in enumerate(one.record.players.items()):
        found |= {f"player {name}": who, f"points {name}": one.seat_points(seat),
                  f"seconds {name}": round(one.seconds[seat], 6),
                  f"processor {name}": round(one.processor[seat], 6) if one.processor else None,
                  f"chosen {name}": one.chosen[seat]}  # fmt: skip
    return found


def to_frame(games: Sequence[Played], more: Mapping[str, object] = {}) -> Any:
    """The rows as a data frame of pandas; raises `MissingLibrary` without it."""
    return needed("pandas", "frames", "a data frame").DataFrame(game_rows(games, more))


def check_table(path: Path | None) -> None:
    """Raises, before anything is played, what would go wrong when a table is written."""
    if path is None:
        return
    if path.suffix.lower() not in FORMATS:
        raise TableError(f"a table file must end in {' or '.join(FORMATS)}, not {path.name}")
    if path.suffix.lower() == ".parquet":
        check_installed("pyarrow", "frames", "a table as Parquet")


def _as_text(value: object) -> object:
    """A cell of CSV that no spreadsheet takes for a formula: such a text has an apostrophe before it.

    Source: OWASP, CSV Injection.  Numbers are no texts: -1 stays -1.
    """
    return f"'{value}" if isinstance(value, str) and value.startswith(_FORMULA) else value


def _line(cells: Iterable[object]) -> str:
    """A line of CSV; a cell with a line break of any kind stands in quotes."""
    text = io.StringIO(newline="")
    csv.writer(text).writerow(map(_as_text, cells))
    return text.getvalue().removesuffix("\r\n") + "\n"


def write_table(path: Path, found: Sequence[Row]) -> None:
    """Writes rows, as CSV or as Parquet by the end of the name; columns are those of any row.

    In CSV a text that a spreadsheet would take for a formula has an apostrophe before it.
    """
    columns = list(dict.fromkeys(name for row in found for name in row))
    if path.suffix.lower() == ".csv":
        lines = (_line(row.get(name) for name in columns) for row in found)
        write_whole(path, _line(columns) + "".join(lines))
        return
    arrow = needed("pyarrow", "frames", "a table as Parquet")
    parquet = needed("pyarrow.parquet", "frames", "a table as Parquet")
    table = arrow.table({name: [row.get(name) for row in found] for name in columns})
    packed = io.BytesIO()
    parquet.write_table(table, packed)
    write_bytes(path, [packed.getvalue()])
