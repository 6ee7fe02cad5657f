"""What can lie on a cell, drawn: a page looks it up by the things that lie there.

In: a game.  Out: for each layer of its pictures the number of the thing that a glyph shows (0: nothing), and for each
combination of things the parts that draw them.  There is one implementation of drawing: `pysolve.display.shapes`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from typing import Any

from pysolve.display.scene import Thing, drawn_lines, on_ground, thing_of
from pysolve.dsl.model import Derived, Game, Layer, Rim
from pysolve.export.errors import ExportError
from pysolve.service.picture import Picture

MOST_LOOKS = 20_000
NOTHING = Thing("", "", "")


class Looks:
    """The things of a game, by number, and what a cell looks like on which some of them lie."""

    def __init__(self, game: Game):
        self._game = game
        self._things: list[Thing] = [NOTHING]
        self.rims = [self.of(rim) for rim in game.rims]
        self.layers = [self.of(layer) for layer in game.layers]

    def of(self, drawn: Layer | Derived | Rim) -> list[int]:
        """The numbers of the things that a line of `show` draws, in the order of its glyphs."""
        return [self._number(thing_of(drawn, glyph)) for glyph in drawn.glyphs]

    def _number(self, thing: Thing) -> int:
        if not thing.is_seen:
            return 0
        if thing not in self._things:
            self._things.append(thing)
        return self._things.index(thing)

    def table(self, picture: Picture) -> dict[str, Any]:
        """Each combination of one thing of each layer, as "2,5", with what it looks like.

        Raises `ExportError` if there are too many.
        """
        choices = []
        stacked = any(slot.stack for slot in self._game.slots.values())  # then each level is a look of its own
        for drawn in drawn_lines(self._game)[len(on_ground(self._game)) :]:
            # Of what has a value for each cell one is seen, of what lies on cells any may be.
            numbers, none = self.of(drawn), {0} if stacked or isinstance(drawn, Derived) else set()
            choices += [sorted({*numbers, *none})] if drawn.on_cell else [sorted({0, number}) for number in numbers]
        count = 1
        for numbers in choices:
            count *= len(numbers)
        if count > MOST_LOOKS:
            raise ExportError(
                f"a cell of {self._game.title} can look in {count:,} ways, and an export draws at most {MOST_LOOKS:,}: "
                "let `show` draw fewer numbers and combinations"
            )
        piles = ([number for number in chosen if number] for chosen in product(*choices))
        cells = {
            ",".join(map(str, pile)): picture.look([self._things[number] for number in pile]) for pile in piles if pile
        }
        return cells | dict(self._sites(picture))

    def _sites(self, picture: Picture) -> Iterator[tuple[str, Any]]:
        """The looks of things at edges and corners, by their direction: "edge north 2"."""
        for side in dict.fromkeys(site.side for site in self._game.board.sites):
            choices = [
                sorted({*numbers})
                for rim, numbers in zip(self._game.rims, self.rims, strict=True)
                if rim.kind == side[0]
            ]
            for chosen in product(*choices):
                pile = [number for number in chosen if number]
                if pile:
                    things = [replace(self._things[number], side=side) for number in pile]
                    yield f"{' '.join(side)} {','.join(map(str, pile))}", picture.site_look(things)
