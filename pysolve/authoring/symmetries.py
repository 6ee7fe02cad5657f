"""Symmetries in words, for `pysolve show GAME --stage symmetries`.

In: a checked game.  Out: a line for each symmetry that was proved: what it does to the board, to the players and to
named values, and what of the rules it does not keep.
"""

from __future__ import annotations

from collections.abc import Iterator

from pysolve.dsl.analysis.symmetries import Symmetry, symmetries
from pysolve.dsl.model import Game, Sort

_OF_SQUARES = {
    ("north", "east"): "", ("east", "south"): "a quarter turn clockwise", ("south", "west"): "a half turn",
    ("west", "north"): "a quarter turn counterclockwise", ("north", "west"): "left and right exchanged",
    ("south", "east"): "top and bottom exchanged",
    ("east", "north"): "mirrored at the diagonal that rises to the right",
    ("west", "south"): "mirrored at the diagonal that falls to the right",
}  # fmt: skip
MOST_NAMED = 6  # cells whose images are told


def told(game: Game) -> Iterator[str]:
    """The lines: how many symmetries there are, then each."""
    found = symmetries(game, setup=False, evaluation=False)
    if len(found) == 1:
        yield f"{game.title}: no symmetry of the rules was found."
        return
    yield f"{game.title}: {len(found)} symmetries of moves and results"
    if not all(one.keeps_setup for one in found):
        yield f"  {sum(one.keeps_setup for one in found)} of them keep the first position, but for who moves"
    if not all(one.keeps_evaluation for one in found):
        yield f"  {sum(one.keeps_evaluation for one in found)} of them keep the lines of evaluate"
    yield ""
    for one in found:
        yield "  " + _line(game, one)


def _line(game: Game, one: Symmetry) -> str:
    parts = [part for part in (_of_board(game, one), *_of_names(game, one)) if part]
    lost = [what for what, kept in (("another first position", one.keeps_setup),
                                    ("another evaluate", one.keeps_evaluation)) if not kept]  # fmt: skip
    text = "; ".join(parts) or "everything stays"
    return f"{text} ({', '.join(lost)})" if lost else text


def _of_board(game: Game, one: Symmetry) -> str:
    cells = one.places
    if cells == tuple(range(1, len(cells) + 1)):
        return ""
    directions = one.values.get("direction", ())
    way = _way(game, directions) if directions else ""
    if way and _fits(game, one):
        return way
    names = game.board.cells
    moved = [f"{names[c - 1]} to {names[to - 1]}" for c, to in enumerate(cells, 1) if c != to]
    rest = [f"and {len(moved) - MOST_NAMED} more"] if len(moved) > MOST_NAMED + 1 else []
    listed = ", ".join([*moved[: MOST_NAMED if rest else None], *rest])
    return f"{way}, {listed}" if way else listed


def _way(game: Game, directions: tuple[int, ...]) -> str:
    """What becomes of the directions."""
    names = game.sorts["direction"].labels
    if game.board.form == "square":
        return _OF_SQUARES[names[directions[0] - 1], names[directions[2] - 1]]
    count, first = len(directions), directions[0] - 1
    if directions[1] - 1 == (first + 1) % count:
        return {0: "", 3: "a half turn"}.get(first, f"{first if first < 3 else count - first} sixths of a turn "
                                             f"{'clockwise' if first < 3 else 'counterclockwise'}")  # fmt: skip
    return f"mirrored, {names[0]} to {names[first]}"


def _fits(game: Game, one: Symmetry) -> bool:
    """Is the board laid onto itself as its outline says, and not moved along a ring?"""
    place = game.board.place
    if len(place) != len(set(one.places)):
        return False
    middle = [max(p[axis] for p in place) + min(p[axis] for p in place) for axis in (0, 1)]
    first = [2 * place[0][axis] - middle[axis] for axis in (0, 1)]
    there = [2 * place[one.places[0] - 1][axis] - middle[axis] for axis in (0, 1)]
    return game.board.form != "square" or sorted(map(abs, first)) == sorted(map(abs, there))


def _of_names(game: Game, one: Symmetry) -> Iterator[str]:
    for name, images in one.values.items():
        sort = game.sorts[name]
        if name not in ("cell", "direction", "edge", "corner") and images != tuple(sort.values()):
            yield _exchanged(sort, images)
    done: set[str] = set()
    for slot, to in one.slots.items():
        if slot not in done:
            yield f"{slot} and {to} exchanged" if one.slots.get(to) == slot else f"{slot} becomes {to}"
            done |= {slot, to} if one.slots.get(to) == slot else {slot}


def _exchanged(sort: Sort, images: tuple[int, ...]) -> str:
    moved = [(value, to) for value, to in zip(sort.values(), images, strict=True) if value != to]
    if len(moved) == 2:
        return f"{sort.label(moved[0][0])} and {sort.label(moved[0][1])} exchanged"
    return ", ".join(f"{sort.label(value)} becomes {sort.label(to)}" for value, to in moved)
