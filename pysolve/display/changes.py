"""What a move changes on a board: where something has come, and where something has only gone.

In: a model and two states, or two views of a player.  Out: the cells, edges and corners that look otherwise.  What
definitions draw is left out: it follows from the rest.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from pysolve.display import scene
from pysolve.dsl import notation
from pysolve.dsl.model import Game, Layer, Rim
from pysolve.results import Move, Shown

Glyphs = tuple[tuple[int, ...], ...]  # the values of those that are seen, the lowest first


@dataclass(frozen=True, slots=True)
class Changed:
    """Places of the board, in its order: those to which something has come, and those that something has only left."""

    landed: list[str]
    left: list[str]

    @property
    def places(self) -> list[str]:
        """All of them."""
        return [*self.landed, *self.left]


def changed(model: Game, before: bytes, after: bytes) -> Changed:
    """The places that look otherwise in the second state.

    A note on things that stay, such as the mark of what has acted, changes nothing.
    """
    lines: list[Layer | Rim] = [*model.layers, *model.rims]
    touched = {place for line in lines for place in _touched(model, line, before, after)}
    found = Changed([], [])
    if not touched:
        return found
    old, new = ([_seen(model, line, state, touched) for line in lines] for state in (before, after))
    notes = [_is_note(model, line) for line in lines]
    for place in (place for place in scene.places_of(model.board) if place in touched):
        piles = [(one.get(place, ()), other.get(place, ())) for one, other in zip(old, new, strict=True)]
        differs = [number for number, (was, now) in enumerate(piles) if was != now]
        stays = any(was and was == now for was, now in piles)
        if not differs or (stays and all(notes[number] for number in differs)):
            continue
        came = any(Counter(now) - Counter(was) for was, now in piles)
        (found.landed if came else found.left).append(place)
    return found


def last_changed(position: Shown, move: Move | None) -> Changed:
    """The places that the last move changed.

    Where nobody knows the position before it, or it changed nothing that is seen, they are those that its text names.
    """
    if move is None:
        return Changed([], [])
    model, before = position.game.model, getattr(position, "came_from", None)
    found = Changed([], []) if before is None else changed(model, before, position.state)
    if found.landed or found.left:
        return found
    named = scene.cells_of(model, move)
    return Changed([name for name in scene.places_of(model.board) if name in named], [])


def _touched(model: Game, line: Layer | Rim, before: bytes, after: bytes) -> Iterator[str]:
    """The places about which a line of `show` may say something else in the second state."""
    names = model.board.cells if isinstance(line, Layer) else _sites(model, line)
    for name in line.slots:
        slot = model.slots[name]
        if isinstance(line, Layer) and not line.on_cell:
            for glyph in line.glyphs:
                cells = {notation.get(state, slot, glyph.values) for state in (before, after)}
                yield from (names[cell - 1] for cell in cells if len(cells) > 1 and 0 < cell <= len(names))
            continue
        parts = [slot]
        if slot.stack is not None:
            parts += [model.slots[slot.stack.height], model.slots[slot.stack.items]]
        for part in parts:
            wide = part.width * (slot.stack.most if slot.stack is not None and part.name == slot.stack.items else 1)
            for number, place in enumerate(names):
                at = part.offset + wide * number
                if before[at : at + wide] != after[at : at + wide]:
                    yield place


def _sites(model: Game, rim: Rim) -> list[str]:
    return [site.name for site in model.board.sites if site.side[0] == rim.kind]


def _seen(model: Game, line: Layer | Rim, state: bytes, places: set[str]) -> dict[str, Glyphs]:
    """What a line of `show` draws at each of these places where it draws something."""
    looks = scene.looks_of(line)
    found: dict[str, Glyphs] = {}
    for place, values in _drawn(model, line, state, places):
        if looks.get(values, scene.UNKNOWN).is_seen:
            found[place] = (*found.get(place, ()), values)
    return found


def _drawn(
    model: Game, line: Layer | Rim, state: bytes, places: set[str]
) -> Iterator[tuple[str, tuple[int, ...]]]:  # fmt: skip
    slots, cells = [model.slots[name] for name in line.slots], model.board.cells
    if isinstance(line, Rim):
        for number, name in enumerate(_sites(model, line), 1):
            if name in places:
                yield name, tuple(notation.get(state, slot, (number,)) for slot in slots)
    elif line.on_cell:
        for cell, name in enumerate(cells, 1):
            if name in places:
                shown = notation.shown_glyphs(line, model.slots, state, cell)
                yield from ((name, glyph.values) for glyph in shown)
    else:
        for glyph in line.glyphs:
            cell = notation.get(state, slots[0], glyph.values)
            if 0 < cell <= len(cells) and cells[cell - 1] in places:
                yield cells[cell - 1], glyph.values


def _is_note(model: Game, line: Layer | Rim) -> bool:
    """True for a line that draws a condition alone."""
    on_cell = isinstance(line, Rim) or line.on_cell
    return on_cell and all(model.slots[name].sort.name == "bool" for name in line.slots)
